#include "kc/xcheck.h"

#include "base/vec.h"
#include "kc/kc_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double coincident = 1e-6; /* m; points that are not farther apart than this are at the same place */

/* A hardpoint of both sides. */
typedef struct displaced_point {
  const char *key;
  double *reference; /* its place in the reference, which is replaced by other places */
  const double *candidate;
  bool exchanged;
} displaced_point;

typedef struct comparison {
  vd_corner reference, candidate;
  displaced_point point[VD_CAUSES];
  size_t points;
  const vd_verdict *v;
} comparison;

/* Collects wheel centre and points of members that differ; spring, damper and steering gear are not compared. */
static void collect(comparison *c) {
  const char *key[VD_KC_PLACES];
  double *a[VD_KC_PLACES], *b[VD_KC_PLACES];
  size_t count = vd_kc_places(&c->candidate.points, key, b);
  vd_kc_places(&c->reference.points, key, a);
  for (size_t i = 0; i < count; i++)
    if (key[i] && vd_distance(a[i], b[i]) > coincident)
      c->point[c->points++] = (displaced_point){key[i], a[i], b[i], false};
}

/* Returns the share of the deviation that vanishes with the candidate's place of p and, if not NULL, of `other'. The
 * share is not finite if there is no linkage with this place, if the linkage does not reach the place of the figure, or
 * if the figure is the same on both sides. */
static double share_of(const comparison *c, const displaced_point *p, const displaced_point *other) {
  const displaced_point *both[] = {p, other};
  double before[2][3];
  for (int i = 0; i < 2 && both[i]; i++) {
    memcpy(before[i], both[i]->reference, sizeof before[i]);
    memcpy(both[i]->reference, both[i]->candidate, sizeof before[i]);
  }
  double value = vd_xcheck_figure(&c->reference, c->v->gain, c->v->at);
  for (int i = 0; i < 2 && both[i]; i++)
    memcpy(both[i]->reference, before[i], sizeof before[i]);
  return (value - c->v->reference) / (c->v->candidate - c->v->reference);
}

static int by_share(const void *a, const void *b) {
  const vd_cause *x = a, *y = b;
  int size = (fabs(x->share) < fabs(y->share)) - (fabs(x->share) > fabs(y->share));
  return size ? size : strcmp(x->point, y->point);
}

static bool comparable(const vd_xcheck_side *a, const vd_xcheck_side *b) {
  return a->corner && b->corner && a->corner->points.type == b->corner->points.type;
}

/* Lists the points that differ. Two exchanged points are one entry. Shares are computed only if there is a verdict. */
static size_t list_causes(comparison *c, vd_cause *cause) {
  size_t count = 0;
  collect(c);
  for (size_t i = 0; i < c->points; i++)
    for (size_t k = i + 1; k < c->points; k++) {
      displaced_point *a = &c->point[i], *b = &c->point[k];
      if (a->exchanged || b->exchanged ||
          !(vd_distance(a->reference, b->candidate) <= coincident &&
            vd_distance(b->reference, a->candidate) <= coincident))
        continue;
      a->exchanged = b->exchanged = true;
      cause[count++] =
          (vd_cause){a->key, b->key, vd_distance(a->reference, a->candidate), c->v ? share_of(c, a, b) : NAN};
    }
  for (size_t i = 0; i < c->points; i++) {
    displaced_point *p = &c->point[i];
    if (!p->exchanged)
      cause[count++] =
          (vd_cause){p->key, NULL, vd_distance(p->reference, p->candidate), c->v ? share_of(c, p, NULL) : NAN};
  }
  return count;
}

size_t vd_xcheck_causes(const vd_xcheck_side *reference, const vd_xcheck_side *candidate, const vd_verdict *v,
                        vd_cause *cause) {
  size_t known = 0;
  if (!comparable(reference, candidate) || v->gain < 0 || v->kind == VD_VERDICT_ABSENT)
    return 0;
  comparison c = {.reference = *reference->corner, .candidate = *candidate->corner, .v = v};
  const size_t count = list_causes(&c, cause);
  for (size_t i = 0; i < count; i++)
    if (isfinite(cause[i].share))
      cause[known++] = cause[i];
  qsort(cause, known, sizeof *cause, by_share);
  return known;
}

size_t vd_xcheck_distant_points(const vd_xcheck_side *reference, const vd_xcheck_side *candidate, double least,
                                vd_cause *cause) {
  size_t far = 0;
  if (!comparable(reference, candidate))
    return 0;
  comparison c = {.reference = *reference->corner, .candidate = *candidate->corner};
  const size_t count = list_causes(&c, cause);
  for (size_t i = 0; i < count; i++)
    if (cause[i].distance > least)
      cause[far++] = cause[i];
  return far;
}
