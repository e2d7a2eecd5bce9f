/* Findings from another process: complete ones are received unchanged, incomplete or damaged ones are refused. */
#include "base/base.h"
#include "tap.h"
#include "validation/finding.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void make(vd_finding *f) {
  static const vd_judging how = {.scale = 1.0, .pictures = true};
  const double x[] = {0.0, 1.0, 2.0}, y[] = {3.0, 4.0, 5.0};
  *f = (vd_finding){.verdict = VD_HOLDS};
  vd_claim_case c = {.how = &how, .out = f};
  vd_case_compare(&c, 1.0, 1.5, 0.2, "m", "x_m at 1 s");
  vd_picture *p = vd_case_picture(&c, "x_m", "time", "s", "m", 0.5);
  vd_picture_add(p, VD_STROKE_RUN, "run", x, y, VD_COUNT(x));
}

/* True if the first `length` bytes, with the byte at `at' changed (SIZE_MAX: no change), are accepted as a finding. */
static bool loads(const char *bytes, size_t length, size_t at, char byte, vd_finding *f) {
  char *copy = malloc(length + 1);
  if (!copy)
    abort();
  memcpy(copy, bytes, length);
  if (at < length)
    copy[at] = byte;
  FILE *from = fmemopen(copy, length + (length == 0), "rb");
  bool good = from && vd_findings_load(from, f, 1);
  if (from)
    fclose(from);
  free(copy);
  return good;
}

int main(void) {
  tap_plan(4);
  vd_finding f, back = {.verdict = VD_FAILS};
  char *bytes = NULL;
  size_t length = 0, taken = 0;
  make(&f);
  FILE *to = open_memstream(&bytes, &length);
  bool saved = to && vd_findings_save(to, &f, 1);
  if (!to || fclose(to) != 0)
    return 2;
  bool whole = saved && loads(bytes, length, SIZE_MAX, 0, &back);
  tap_ok(whole && back.verdict == VD_FAILS && back.got == 1.5 && back.picture_count == 1 &&
             back.picture[0].series[0].count == 3 && back.picture[0].series[0].y[2] == 5.0,
         "a finding is received unchanged");
  if (whole)
    vd_finding_finish(&back);
  for (size_t cut = 0; cut < length; cut += 7)
    taken += loads(bytes, cut, SIZE_MAX, 0, &back);
  tap_ok(taken == 0, "a finding that is cut is refused");

  const size_t counts[] = {offsetof(vd_finding, picture_count),
                           offsetof(vd_finding, picture[0].count),
                           sizeof(vd_finding) + offsetof(vd_picture_series, count),
                           offsetof(vd_finding, verdict),
                           sizeof(vd_finding) + offsetof(vd_picture_series, stroke),
                           offsetof(vd_finding, evaluated)};
  for (size_t i = 0; i < VD_COUNT(counts); i++)
    taken += loads(bytes, length, counts[i] + (i == 2 ? 3 : 0), 77, &back);
  tap_ok(taken == 0, "an impossible count or choice is refused");

  char *open = malloc(length);
  if (!open)
    return 2;
  memcpy(open, bytes, length);
  memset(open + offsetof(vd_finding, reason), 'x', sizeof f.reason);
  tap_ok(!loads(open, length, SIZE_MAX, 0, &back), "a text without an end is refused");
  free(open);
  free(bytes);
  vd_finding_finish(&f);
  return tap_done();
}
