/* Fuzzing of findings that one process sends to another: damaged or incomplete bytes are refused, and accepted findings
 * can be read, drawn, sent again and freed. A libFuzzer target: the input is a list of edits of three good findings. */
#include "fuzz.h"

#include "validation/finding.h"

#include <math.h>

enum { FINDINGS = 3 };

static char *save(const vd_finding *f, size_t *length) {
  char *bytes = NULL;
  FILE *to = open_memstream(&bytes, length);
  if (!to || !vd_findings_save(to, f, FINDINGS) || fclose(to) != 0)
    abort();
  return bytes;
}

static char *make_good(size_t *length) {
  static const vd_judging how = {.scale = 1.0, .pictures = true};
  vd_finding f[FINDINGS] = {{.verdict = VD_HOLDS}};
  double x[50];
  for (size_t i = 0; i < VD_COUNT(x); i++)
    x[i] = (double)i;
  for (int i = 0; i < FINDINGS; i++) {
    vd_claim_case c = {.how = &how, .out = &f[i]};
    vd_case_compare(&c, 1.0, 1.1, 0.2, "m", "x_m at 1 s");
    for (int k = 0; k <= i; k++) {
      vd_picture *p = vd_case_picture(&c, "x_m", "time", "s", "m", 0.5);
      vd_picture_add(p, VD_STROKE_RUN, "run", x, x, VD_COUNT(x));
      vd_picture_band(p, x, x, VD_COUNT(x), 0.1);
    }
  }
  char *bytes = save(f, length);
  for (int i = 0; i < FINDINGS; i++)
    vd_finding_finish(&f[i]);
  return bytes;
}

static size_t use(const vd_finding *f) {
  double sum = vd_finding_share(f);
  size_t used = strlen(f->unit) + strlen(f->quantity) + strlen(f->reason) + f->evaluated + f->exact;
  if (f->verdict > VD_SURPRISE)
    abort();
  for (size_t n = 0; n < f->picture_count; n++) {
    const vd_picture *p = &f->picture[n];
    used += strlen(p->title) + strlen(p->x_name) + strlen(p->x_unit) + strlen(p->y_unit) + p->log_x + p->log_y;
    for (size_t k = 0; k < p->count; k++) {
      used += strlen(p->series[k].name);
      if (p->series[k].stroke > VD_STROKE_LOWER)
        abort();
      for (size_t i = 0; i < p->series[k].count; i++)
        sum += p->series[k].x[i] + p->series[k].y[i];
    }
  }
  return used + (isnan(sum) ? 1 : 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static char *good;
  static volatile size_t sink; /* reads all values */
  static size_t whole;
  if (!good)
    good = make_good(&whole);
  size_t length, again;
  char *bytes = fuzz_edited(good, whole, data, size, &length);
  vd_finding f[FINDINGS];
  FILE *from = fmemopen(bytes, length + 1, "rb"); /* fmemopen refuses an empty buffer */
  if (!from)
    abort();
  if (vd_findings_load(from, f, FINDINGS)) {
    size_t used = 0;
    for (int i = 0; i < FINDINGS; i++)
      used += use(&f[i]);
    sink = sink + used;
    free(save(f, &again));
    for (int i = 0; i < FINDINGS; i++)
      vd_finding_finish(&f[i]);
  }
  fclose(from);
  free(bytes);
  return 0;
}
