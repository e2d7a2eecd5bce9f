#include "kc/xcheck_cause.h"

#include "base/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double same = 1e-6; /* m */

/* A hardpoint of both sides. */
typedef struct displaced_point {
  const char *key;
  double *place;       /* of the reference, which is tried with other places */
  const double *there; /* of the candidate */
  bool exchanged;
} displaced_point;

typedef struct trial {
  vd_corner reference, candidate;
  displaced_point point[VD_CAUSES];
  size_t points;
  const vd_verdict *v;
} trial;

static double *place_of(vd_hardpoints *h, int member, enum vd_member_point at) {
  vd_member *m = &h->member[member];
  return at == VD_AT_KNUCKLE ? m->knuckle : m->chassis[at == VD_CHASSIS_B];
}

/* Adds a point, if it has a key and its places differ. */
static void add_point(trial *t, const char *key, double *place, const double *there) {
  if (key && vd_distance(place, there) > same)
    t->point[t->points++] = (displaced_point){key, place, there, false};
}

/* Wheel centre and points of members that differ; spring, damper and steering gear are not compared. */
static void collect(trial *t) {
  vd_hardpoints *a = &t->reference.points, *b = &t->candidate.points;
  add_point(t, "wheel.center", a->wheel_center, b->wheel_center);
  for (int i = 0; i < a->members; i++)
    for (int k = 0; k < VD_MEMBER_POINTS; k++) {
      enum vd_member_point at = (enum vd_member_point)k;
      add_point(t, vd_corner_point(a->type, i, at), place_of(a, i, at), place_of(b, i, at));
    }
}

/* The share of the deviation that goes with the candidate's place of p and, if not NULL, of `other`. Not finite: that
 * is no linkage, it does not reach the place of the figure, or both sides have the same figure. */
static double share_of(const trial *t, const displaced_point *p, const displaced_point *other) {
  const displaced_point *both[] = {p, other};
  double before[2][3];
  for (int i = 0; i < 2 && both[i]; i++) {
    memcpy(before[i], both[i]->place, sizeof before[i]);
    memcpy(both[i]->place, both[i]->there, sizeof before[i]);
  }
  double value = vd_xcheck_figure(&t->reference, t->v->gain, t->v->at);
  for (int i = 0; i < 2 && both[i]; i++)
    memcpy(both[i]->place, before[i], sizeof before[i]);
  return (value - t->v->reference) / (t->v->candidate - t->v->reference);
}

static int by_share(const void *a, const void *b) {
  const vd_cause *x = a, *y = b;
  int size = (fabs(x->share) < fabs(y->share)) - (fabs(x->share) > fabs(y->share));
  return size ? size : strcmp(x->point, y->point);
}

static bool comparable(const vd_xcheck_side *a, const vd_xcheck_side *b) {
  return a->corner && b->corner && a->corner->points.type == b->corner->points.type;
}

/* The points that differ, two that are exchanged as one; shares are computed only if t->v is there. */
static size_t list_causes(trial *t, vd_cause *cause) {
  size_t count = 0;
  collect(t);
  for (size_t i = 0; i < t->points; i++)
    for (size_t k = i + 1; k < t->points; k++) {
      displaced_point *a = &t->point[i], *b = &t->point[k];
      if (a->exchanged || b->exchanged ||
          !(vd_distance(a->place, b->there) <= same && vd_distance(b->place, a->there) <= same))
        continue;
      a->exchanged = b->exchanged = true;
      cause[count++] = (vd_cause){a->key, b->key, vd_distance(a->place, a->there), t->v ? share_of(t, a, b) : NAN};
    }
  for (size_t i = 0; i < t->points; i++) {
    displaced_point *p = &t->point[i];
    if (!p->exchanged)
      cause[count++] = (vd_cause){p->key, NULL, vd_distance(p->place, p->there), t->v ? share_of(t, p, NULL) : NAN};
  }
  return count;
}

size_t vd_xcheck_causes(const vd_xcheck_side *reference, const vd_xcheck_side *candidate, const vd_verdict *v,
                        vd_cause *cause) {
  size_t known = 0;
  if (!comparable(reference, candidate) || v->gain < 0 || v->kind == VD_VERDICT_ABSENT)
    return 0;
  trial t = {.reference = *reference->corner, .candidate = *candidate->corner, .v = v};
  const size_t count = list_causes(&t, cause);
  for (size_t i = 0; i < count; i++)
    if (isfinite(cause[i].share))
      cause[known++] = cause[i];
  qsort(cause, known, sizeof *cause, by_share);
  return known;
}

size_t vd_xcheck_apart(const vd_xcheck_side *reference, const vd_xcheck_side *candidate, double least,
                       vd_cause *cause) {
  size_t far = 0;
  if (!comparable(reference, candidate))
    return 0;
  trial t = {.reference = *reference->corner, .candidate = *candidate->corner};
  const size_t count = list_causes(&t, cause);
  for (size_t i = 0; i < count; i++)
    if (cause[i].distance > least)
      cause[far++] = cause[i];
  return far;
}
