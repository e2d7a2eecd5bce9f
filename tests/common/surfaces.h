/* Grounds from text, discs in any attitude, and their contacts: for the tests of surfaces. */
#ifndef VD_TEST_SURFACES_H
#define VD_TEST_SURFACES_H

#include "base/base.h"
#include "ground/ground_def.h"
#include "input/schema.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct world {
  vd_arena *arena;
  vd_diag *diag;
  vd_ground_def def;
  vd_ground ground;
  vd_node *root;
} world;

static inline bool make(world *w, const char *text) {
  *w = (world){.arena = vd_arena_create(), .diag = vd_diag_create()};
  int source = vd_diag_add_source(w->diag, "ground", text, strlen(text));
  bool good = vd_schema_read_source(&vd_ground_schema, source, NULL, 0, w->arena, w->diag, &w->def, &w->root);
  if (good) {
    vd_ground_complete(&w->def, w->root, "", w->arena, w->diag);
    vd_ground_check(&w->def, w->root, "", w->diag);
    good = vd_diag_errors(w->diag) == 0;
  }
  if (good)
    vd_ground_build(&w->def, &w->ground);
  else
    vd_diag_print(w->diag, stdout, false);
  return good;
}

static inline void finish(world *w) {
  vd_diag_destroy(w->diag);
  vd_arena_destroy(w->arena);
}

/* Returns a number between two bounds from a pseudo-random sequence that is the same on every machine (Knuth's
 * multiplier). */
static inline double between(double low, double high) {
  static unsigned long long state = 1;
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return low + (high - low) * (double)(state >> 11) / 9007199254740992.0;
}

/* --- vectors --- */

static inline double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void cross(const double *a, const double *b, double *c) {
  for (int j = 0; j < 3; j++)
    c[j] = a[(j + 1) % 3] * b[(j + 2) % 3] - a[(j + 2) % 3] * b[(j + 1) % 3];
}

static inline void make_unit(double *a) {
  double length = sqrt(dot(a, a));
  for (int j = 0; j < 3; j++)
    a[j] /= length;
}

static inline void any_way(double *a) {
  do
    for (int j = 0; j < 3; j++)
      a[j] = between(-1.0, 1.0);
  while (!(dot(a, a) > 0.01 && dot(a, a) <= 1.0));
  make_unit(a);
}

static inline bool find_contact(const vd_ground *ground, const vd_disc *disc, vd_contact_point *contact) {
  int hint = -1;
  double friction;
  return vd_ground_contact(ground, disc, &hint, contact, &friction);
}

/* --- discs --- */

typedef struct box {
  const char *name, *text;
  double low[3], high[3]; /* m: bounds of the discs' centres */
  double tilt;            /* largest upward part of an axle */
  double bend;            /* 1/m: greatest jump of the second derivative of vd_contact_point.reach between two pieces */
} box;

static inline vd_disc any_disc(const box *b) {
  vd_disc disc = {.radius = 0.3};
  for (int j = 0; j < 3; j++)
    disc.centre[j] = between(b->low[j], b->high[j]);
  do
    any_way(disc.axle);
  while (fabs(disc.axle[2]) > b->tilt);
  return disc;
}

#endif
