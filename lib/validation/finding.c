/* Findings as data: comparing deviations, exchanging findings between processes by a file, and freeing them. */
#include "validation/finding.h"

#include "base/base.h"
#include "base/memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool vd_case_refuse(const vd_claim_case *c, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(c->out->reason, sizeof c->out->reason, format, args);
  va_end(args);
  c->out->evaluated = false;
  c->out->verdict = VD_FAILS;
  return false;
}

double vd_finding_share(const vd_finding *f) {
  if (isnan(f->deviation) || isnan(f->allowed))
    return NAN;
  return f->deviation <= 0.0 ? 0.0 : f->allowed > 0.0 ? f->deviation / f->allowed : INFINITY;
}

/* True if finding a is worse than the other: it has a greater share of the allowed deviation, or an equal share and a
 * greater deviation. NaN is the worst share. */
static bool worse(const vd_finding *a, const vd_finding *than) {
  double x = vd_finding_share(a), y = vd_finding_share(than);
  if (isnan(x) || isnan(y))
    return !isnan(y);
  return x > y || (!(x < y) && a->deviation > than->deviation);
}

void vd_case_report_failure(const vd_claim_case *c, const char *what, const vd_performed *run) {
  vd_case_refuse(c, "%s%.*s", what, (int)strcspn(run->why, "\n"), run->why);
}

void vd_case_compare(const vd_claim_case *c, double expected, double got, double allowed, const char *unit,
                     const char *quantity) {
  vd_finding f = *c->out;
  f.expected = expected;
  f.got = got;
  f.deviation = fabs(got - expected);
  f.allowed = c->how->scale * allowed;
  if (!(f.deviation <= f.allowed))
    c->out->verdict = VD_FAILS;
  if (c->out->evaluated && !worse(&f, c->out))
    return;
  f.verdict = c->out->verdict;
  f.evaluated = true;
  snprintf(f.unit, sizeof f.unit, "%s", unit);
  snprintf(f.quantity, sizeof f.quantity, "%s", quantity);
  *c->out = f;
}

void vd_finding_finish(vd_finding *f) {
  for (size_t i = 0; i < f->picture_count; i++)
    vd_picture_finish(&f->picture[i]);
  f->picture_count = 0;
}

/* --- exchange between processes of one program: the bytes in memory --- */

static bool save_series(FILE *f, const vd_picture_series *s) {
  return fwrite(s, sizeof *s, 1, f) == 1 && fwrite(s->x, sizeof *s->x, s->count, f) == s->count &&
         fwrite(s->y, sizeof *s->y, s->count, f) == s->count;
}

bool vd_findings_save(FILE *f, const vd_finding *finding, size_t count) {
  bool good = true;
  for (size_t i = 0; i < count; i++) {
    good &= fwrite(&finding[i], sizeof finding[i], 1, f) == 1;
    for (size_t n = 0; n < finding[i].picture_count; n++)
      for (size_t k = 0; k < finding[i].picture[n].count; k++)
        good &= save_series(f, &finding[i].picture[n].series[k]);
  }
  return good;
}

/* Data from a process that died, or from a full disk, may be incomplete or wrong. Therefore counts are checked before
 * memory is allocated for them, and texts are checked for their end. */
enum { MOST_POINTS = 1 << 20 };

static bool ends(const char *text, size_t size) {
  return memchr(text, '\0', size) != NULL;
}

static bool is_flag(const bool *flag) {
  unsigned char byte;
  memcpy(&byte, flag, 1);
  return byte <= 1;
}

static bool is_series(const vd_picture_series *s) {
  return ends(s->name, sizeof s->name) && s->stroke <= VD_STROKE_LOWER && s->count <= MOST_POINTS;
}

static bool is_picture(const vd_picture *p) {
  return ends(p->title, sizeof p->title) && ends(p->x_name, sizeof p->x_name) && ends(p->x_unit, sizeof p->x_unit) &&
         ends(p->y_unit, sizeof p->y_unit) && is_flag(&p->log_x) && is_flag(&p->log_y) && is_flag(&p->equal) &&
         is_flag(&p->clock) && is_flag(&p->whole) && p->count <= VD_PICTURE_SERIES;
}

static bool is_finding(const vd_finding *f) {
  bool good = f->verdict <= VD_SURPRISE && is_flag(&f->evaluated) && is_flag(&f->exact) &&
              ends(f->unit, sizeof f->unit) && ends(f->quantity, sizeof f->quantity) &&
              ends(f->reason, sizeof f->reason) && f->picture_count <= VD_FINDING_PICTURES;
  for (size_t n = 0; good && n < f->picture_count; n++)
    good = is_picture(&f->picture[n]);
  return good;
}

static bool load_series(FILE *f, vd_picture *p) {
  vd_picture_series s;
  if (fread(&s, sizeof s, 1, f) != 1 || !is_series(&s))
    return false;
  s.x = vd_allocate(s.count + 1, sizeof *s.x);
  s.y = vd_allocate(s.count + 1, sizeof *s.y);
  vd_picture_series *added = vd_picture_put(p, s.stroke, s.name, s.x, s.y, s.count);
  added->hue = s.hue;
  return fread(s.x, sizeof *s.x, s.count, f) == s.count && fread(s.y, sizeof *s.y, s.count, f) == s.count;
}

/* Loads pictures. Pointers in the bytes belong to another process; the data that were read, or NULL, replace them. */
static bool load_pictures(FILE *f, vd_finding *finding) {
  size_t pictures = finding->picture_count;
  bool good = true;
  finding->picture_count = 0;
  for (size_t n = 0; n < pictures && good; n++) {
    vd_picture *p = &finding->picture[n];
    size_t series = p->count;
    p->count = 0;
    p->series = NULL;
    p->x_words = p->y_words = (vd_picture_words){NULL, 0};
    finding->picture_count++;
    for (size_t k = 0; k < series && good; k++)
      good = load_series(f, p);
  }
  return good;
}

static bool load(FILE *f, vd_finding *finding) {
  bool read = fread(finding, sizeof *finding, 1, f) == 1 && is_finding(finding);
  if (!read)
    finding->picture_count = 0;
  return read && load_pictures(f, finding);
}

bool vd_findings_load(FILE *f, vd_finding *finding, size_t count) {
  bool good = true;
  size_t loaded = 0;
  for (; loaded < count && good; loaded++)
    good = load(f, &finding[loaded]);
  for (size_t i = 0; i < loaded && !good; i++)
    vd_finding_finish(&finding[i]);
  return good;
}
