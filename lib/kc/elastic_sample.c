#include "kc/elastic_sample.h"

#include "base/vec.h"
#include "math/lu.h"

#include <math.h>
#include <string.h>

/* Horizontal heading of a wheel and its left, from its outward axle. */
static void heading(const double *axle, double *ahead, double *aside) {
  double flat = 1.0 / sqrt(axle[0] * axle[0] + axle[1] * axle[1]);
  ahead[0] = flat * axle[1];
  ahead[1] = -flat * axle[0];
  aside[0] = flat * axle[0];
  aside[1] = flat * axle[1];
  ahead[2] = aside[2] = 0.0;
}

/* Gibbs' vector of the turn between two poses: with trace R = 4/q - 1, R - R' = 2 [g x]/q. */
static void turn_between(const vd_pose *from, const vd_pose *to, double *g) {
  double turn[3][3], trace = 1.0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      turn[i][j] = vd_dot(to->turn[i], from->turn[j]);
  for (int i = 0; i < 3; i++)
    trace += turn[i][i];
  for (int i = 0; i < 3; i++)
    g[i] = 2.0 * (turn[(i + 2) % 3][(i + 1) % 3] - turn[(i + 1) % 3][(i + 2) % 3]) / trace;
}

static void turned(const vd_pose *pose, const double *v, double *out) {
  for (int i = 0; i < 3; i++)
    out[i] = vd_dot(pose->turn[i], v);
}

/* A vector's parts along the heading's axes. */
static void in_heading(const double *ahead, const double *aside, const double *v, double *part) {
  part[0] = vd_dot(v, ahead);
  part[1] = vd_dot(v, aside);
  part[2] = v[2];
}

/* A knuckle's displacement and what acts on it, and changes of both, all in the heading's axes. */
typedef struct motion {
  double shift[3], gibbs[3], force[3], moment[3];
} motion;

/* The map's loads and the slopes of its energy, linear in a force, in P, a shift and g. */
static void loads_of(const vd_elastic_map *map, const motion *m, double *load, double *slope) {
  const double *f = m->force, *p = m->moment, *s = m->shift, *g = m->gibbs, arm = map->arm;
  const double acts[VD_ELASTIC_LOADS] = {f[0] + p[1] / arm, f[1], p[0] - arm * f[1], p[1], p[2]};
  const double moves[VD_ELASTIC_LOADS] = {s[0], s[1] + arm * g[0], g[0], g[1] - s[0] / arm, g[2]};
  for (int j = 0; j < VD_ELASTIC_LOADS; j++) {
    load[j] = acts[j] / map->unit[j];
    slope[j] = map->unit[j] * moves[j];
  }
}

/* M becomes P = (M - g x M/2)/q. */
static void moment_to_p(motion *m) {
  double across[3], q = 1.0 + 0.25 * vd_dot(m->gibbs, m->gibbs);
  vd_cross(m->gibbs, m->moment, across);
  for (int i = 0; i < 3; i++)
    m->moment[i] = (m->moment[i] - 0.5 * across[i]) / q;
}

/* Of a small motion d from m, whose `gibbs' is a turn w of the knuckle, rad, those of g and P:
 *
 *   g' = w - g x w/2 + (g . w) g/4,   P' = (M' - (g' x M + g x M')/2 - (g . g') P/2)/q */
static void turn_to_gibbs(const motion *m, motion *d) {
  const double *g = m->gibbs, q = 1.0 + 0.25 * vd_dot(g, g), along = 0.25 * vd_dot(g, d->gibbs);
  double across[3], by_g[3], by_m[3];
  motion p = *m;
  moment_to_p(&p);
  vd_cross(g, d->gibbs, across);
  for (int i = 0; i < 3; i++)
    d->gibbs[i] += along * g[i] - 0.5 * across[i];
  vd_cross(d->gibbs, m->moment, by_g);
  vd_cross(g, d->moment, by_m);
  double grows = 0.5 * vd_dot(g, d->gibbs);
  for (int i = 0; i < 3; i++)
    d->moment[i] = (d->moment[i] - 0.5 * (by_g[i] + by_m[i]) - grows * p.moment[i]) / q;
}

/* One wheel of `wheels', as a left one: its heading's axes, its motion, and the slopes of its moment by its turn. */
typedef struct wheel_at {
  double axes[2][3], by_turn[3][3];
  motion m;
} wheel_at;

enum { HALF = 6, BOTH = VD_AXLE_FREEDOMS };

/* A force or a shift, a moment or a turn of the right wheel mirrored in y. */
static const double polar[3] = {1.0, -1.0, 1.0}, axial[3] = {-1.0, 1.0, -1.0};

static void mirror(const double *sign, double *v) {
  for (int i = 0; i < 3; i++)
    v[i] *= sign[i];
}

static void find_wheel(const vd_compliance *c, int side, const double *spin_axis, const vd_pose *rigid,
                       const vd_pose *pose, wheel_at *w) {
  double axle[3], force[3], moment[3], shift[3], g[3];
  turned(rigid, spin_axis, axle);
  heading(axle, w->axes[0], w->axes[1]);
  vd_between(rigid->at, pose->at, shift);
  turn_between(rigid, pose, g);
  vd_compliance_wrench(c, side, force, moment, w->by_turn);
  if (side == 1) {
    mirror(polar, force);
    mirror(axial, moment);
    for (int j = 0; j < 3; j++) {
      mirror(axial, w->by_turn[j]);
      for (int i = 0; i < 3; i++)
        w->by_turn[j][i] *= axial[j];
    }
  }
  in_heading(w->axes[0], w->axes[1], shift, w->m.shift);
  in_heading(w->axes[0], w->axes[1], g, w->m.gibbs);
  in_heading(w->axes[0], w->axes[1], force, w->m.force);
  in_heading(w->axes[0], w->axes[1], moment, w->m.moment);
}

/* What a further force or moment k on wheel `by', in its own axes, changes of wheel `of': the map's loads and slopes of
 * that wheel. */
static void change(const vd_elastic_map *map, const wheel_at *wheel, double flexibility[BOTH][BOTH], int of, int by,
                   int k, double *load, double *slope) {
  const wheel_at *w = &wheel[of];
  double push[HALF] = {0.0}, move[HALF], moment[3], force[3];
  motion d;
  for (int i = 0; i < 3; i++)
    push[k < 2 ? i : 3 + i] = k < 2 ? wheel[by].axes[k][i] : map->arm * (i == k - 2);
  for (int i = 0; i < HALF; i++) {
    const double *row = flexibility[HALF * of + i] + HALF * by;
    move[i] = vd_dot(row, push) + vd_dot(row + 3, push + 3);
  }
  for (int i = 0; i < 3; i++) {
    force[i] = of == by ? push[i] : 0.0;
    moment[i] = (of == by ? push[3 + i] : 0.0) + move[3] * w->by_turn[0][i] + move[4] * w->by_turn[1][i] +
                move[5] * w->by_turn[2][i];
  }
  in_heading(w->axes[0], w->axes[1], move, d.shift);
  in_heading(w->axes[0], w->axes[1], move + 3, d.gibbs);
  in_heading(w->axes[0], w->axes[1], force, d.force);
  in_heading(w->axes[0], w->axes[1], moment, d.moment);
  turn_to_gibbs(&w->m, &d);
  loads_of(map, &d, load, slope);
}

/* W_xx = (d slope)(d load)^-1 over small motions by as many further forces and moments as there are loads. */
static void find_bends(const vd_elastic_map *map, const wheel_at *wheel, int wheels, double flexibility[BOTH][BOTH],
                       vd_elastic_sample *sample) {
  enum { N = VD_ELASTIC_LOADS, MOST = VD_ELASTIC_PAIR };
  double by_load[MOST * MOST], right[MOST * MOST]; /* [further one][load]; [further one][slope] */
  size_t order[MOST], all = (size_t)(N * wheels);
  for (int k = 0; k < N * wheels; k++)
    for (int of = 0; of < wheels; of++) {
      const size_t at = all * (size_t)k + (size_t)(N * of);
      change(map, wheel, flexibility, of, k / N, k % N, by_load + at, right + at);
    }
  vd_lu_factorise(by_load, all, order);
  vd_lu_solve_all(by_load, order, all, all, all, right);
  for (size_t i = 0; i < all; i++)
    for (size_t j = 0; j < all; j++)
      sample->bend[i][j] = 0.5 * (right[i * all + j] + right[j * all + i]);
}

/* All of the sample. energy: J, of the equilibrium. */
static void fill(const vd_elastic_map *map, wheel_at *wheel, int wheels, double flexibility[BOTH][BOTH], double energy,
                 vd_elastic_sample *sample) {
  find_bends(map, wheel, wheels, flexibility, sample);
  sample->energy = -energy;
  for (int side = 0; side < wheels; side++) {
    double *load = sample->load + VD_ELASTIC_LOADS * side, *slope = sample->slope + VD_ELASTIC_LOADS * side;
    moment_to_p(&wheel[side].m);
    loads_of(map, &wheel[side].m, load, slope);
    for (int j = 0; j < VD_ELASTIC_LOADS; j++)
      sample->energy += load[j] * slope[j];
  }
}

bool vd_elastic_sample_at(const vd_elastic_map *map, vd_compliance *c, const vd_linkage *l, const vd_pose *rigid,
                          const vd_wheel_load *load, vd_compliance_state *state, vd_elastic_sample *sample) {
  double flexibility[BOTH][BOTH];
  wheel_at wheel;
  if (!vd_compliance_solve(c, rigid->u, load, state))
    return false;
  for (int i = 0; i < HALF; i++)
    memcpy(flexibility[i], state->flexibility[i], sizeof state->flexibility[i]);
  find_wheel(c, 0, l->spin_axis, rigid, &state->pose, &wheel);
  fill(map, &wheel, 1, flexibility, state->energy, sample);
  return true;
}

/* As it acts on a right wheel. */
static vd_wheel_load mirrored(const vd_wheel_load *load) {
  vd_wheel_load out = *load;
  out.fy = -out.fy;
  out.mz = -out.mz;
  out.centre[1] = -out.centre[1];
  return out;
}

bool vd_elastic_pair_at(const vd_elastic_map *map, vd_compliance *c, const vd_linkage *l, const vd_pose rigid[2],
                        const vd_wheel_load load[2], vd_compliance_state *state, vd_elastic_sample *sample) {
  const vd_wheel_load right = mirrored(&load[1]);
  vd_compliance_axle both;
  wheel_at wheel[2];
  vd_pose pose;
  vd_compliance_load_right(c, &right);
  if (!vd_compliance_settle(c, rigid[0].u, &load[0], state) || !vd_compliance_of_axle(c, false, &both))
    return false;
  vd_compliance_right_pose(c, &pose);
  for (int i = 0; i < BOTH; i++)
    for (int j = 0; j < BOTH; j++)
      both.c[i][j] *= (i < HALF       ? 1.0
                       : i % HALF < 3 ? polar[i % 3]
                                      : axial[i % 3]) *
                      (j < HALF       ? 1.0
                       : j % HALF < 3 ? polar[j % 3]
                                      : axial[j % 3]);
  find_wheel(c, 0, l->spin_axis, &rigid[0], &state->pose, &wheel[0]);
  find_wheel(c, 1, l->spin_axis, &rigid[1], &pose, &wheel[1]);
  fill(map, wheel, 2, both.c, state->energy, sample);
  return true;
}

vd_wheel_load vd_elastic_load_of(const vd_elastic_map *map, const vd_linkage *l, const vd_pose *rigid,
                                 const double *x) {
  double ahead[3], aside[3], axle[3], contact = map->unit[1] * x[1] + map->unit[2] * x[2] / map->arm;
  turned(rigid, l->spin_axis, axle);
  heading(axle, ahead, aside);
  vd_wheel_load load = {.fx = contact * aside[0],
                        .fy = contact * aside[1],
                        .mz = map->unit[4] * x[4],
                        .torque = map->unit[3] * x[3],
                        .rolls = true};
  double centre = map->unit[1] * x[1] - contact, forward = map->unit[0] * x[0] - map->unit[3] * x[3] / map->arm;
  for (int i = 0; i < 2; i++)
    load.centre[i] = forward * ahead[i] + centre * aside[i];
  return load;
}
