/* Converts equilibria of a corner, or of both wheels of an axle, to samples of an elastic map's energy. */
#include "compliance/elastic_fit.h"

#include "compliance/compliance_impl.h"
#include "compliance/wheel_compliance.h"

#include <math.h>
#include <string.h>

enum { HALF = 6, BOTH = VD_AXLE_FREEDOMS };

/* One of the wheels; a right wheel is mirrored. */
typedef struct wheel_at {
  const vd_pose *rigid;
  double force[VD_ELASTIC_LOADS][3], moment[VD_ELASTIC_LOADS][3]; /* F and P for a value of 1 of each load, N and N m */
} wheel_at;

static void find_loads(const vd_elastic_map *map, const vd_linkage *l, const vd_pose *rigid, wheel_at *w) {
  const double *s = l->spin_axis, axle[2] = {vd_dot(rigid->turn[0], s), vd_dot(rigid->turn[1], s)};
  const double *unit = map->unit, flat = 1.0 / sqrt(axle[0] * axle[0] + axle[1] * axle[1]);
  const double aside[2] = {flat * axle[0], flat * axle[1]}, ahead[2] = {aside[1], -aside[0]};
  *w = (wheel_at){.rigid = rigid};
  for (int i = 0; i < 2; i++) {
    w->force[0][i] = unit[0] * ahead[i];
    w->force[1][i] = unit[1] * aside[i];
    w->moment[1][i] = map->arm * unit[1] * ahead[i];
    w->moment[2][i] = unit[2] * ahead[i];
    w->force[3][i] = -unit[3] / map->arm * ahead[i];
    w->moment[3][i] = unit[3] * aside[i];
  }
  w->moment[4][2] = unit[4];
}

static vd_wheel_load load_of(const wheel_at *w, const double *x) {
  vd_wheel_load load = {.fx = 0.0};
  double turn[3][3];
  for (int j = 0; j < VD_ELASTIC_LOADS; j++)
    for (int i = 0; i < 3; i++) {
      load.centre[i] += x[j] * w->force[j][i];
      load.by_gibbs[i] += x[j] * w->moment[j][i];
    }
  memcpy(turn, w->rigid->turn, sizeof turn);
  vd_turn_from_matrix(turn, load.from);
  return load;
}

/* Mirrors the right wheel's forces, displacements, moments and rotations in y. */
static void mirror_right(double c[BOTH][BOTH]) {
  static const double polar[3] = {1.0, -1.0, 1.0}, axial[3] = {-1.0, 1.0, -1.0};
  double sign[BOTH];
  for (int i = 0; i < BOTH; i++)
    sign[i] = i < HALF ? 1.0 : i % HALF < 3 ? polar[i % 3] : axial[i % 3];
  for (int i = 0; i < BOTH; i++)
    for (int j = 0; j < BOTH; j++)
      c[i][j] *= sign[i] * sign[j];
}

/* Computes the slopes of a wheel's energy by its loads. Also computes the force and the moment of each load (`push'):
 * their work on a further displacement and rotation is the change of the slope (compliance/compliance.h). */
static void find_slopes(const wheel_at *w, const vd_pose *pose, double *slope, double push[VD_ELASTIC_LOADS][HALF]) {
  double shift[3], g[3], across[3];
  vd_between(w->rigid->at, pose->at, shift);
  vd_gibbs_between(w->rigid->turn[0], pose->turn[0], g);
  for (int j = 0; j < VD_ELASTIC_LOADS; j++) {
    const double *p = w->moment[j], work = vd_dot(g, p);
    vd_cross(g, p, across);
    slope[j] = vd_dot(w->force[j], shift) + work;
    for (int i = 0; i < 3; i++) {
      push[j][i] = w->force[j][i];
      push[j][3 + i] = p[i] + 0.5 * across[i] + 0.25 * work * g[i];
    }
  }
}

/* Computes the second derivatives of the energy: displacements of the wheels under each load, projected on the
 * direction of every other load. */
static void find_bends(int wheels, double flexibility[BOTH][BOTH], double push[VD_ELASTIC_PAIR][HALF],
                       vd_elastic_sample *sample) {
  for (int b = 0; b < VD_ELASTIC_LOADS * wheels; b++) {
    const int by = HALF * (b / VD_ELASTIC_LOADS);
    double displaced[BOTH];
    for (int i = 0; i < HALF * wheels; i++)
      displaced[i] = vd_dot(flexibility[i] + by, push[b]) + vd_dot(flexibility[i] + by + 3, push[b] + 3);
    for (int a = 0; a <= b; a++) {
      const double *own = displaced + HALF * (a / VD_ELASTIC_LOADS);
      sample->bend[a][b] = sample->bend[b][a] = vd_dot(own, push[a]) + vd_dot(own + 3, push[a] + 3);
    }
  }
}

/* Solves for the equilibrium under all loads, and for the flexibilities of the wheels; those of a right wheel are
 * mirrored. */
static bool settle(vd_compliance *c, const wheel_at *wheel, int wheels, const double *x, vd_compliance_state *state,
                   double flexibility[BOTH][BOTH]) {
  const vd_wheel_load load = load_of(&wheel[0], x);
  vd_compliance_axle both;
  if (wheels == 1) {
    if (!vd_compliance_solve(c, wheel->rigid->u, &load, state))
      return false;
    for (int i = 0; i < HALF; i++)
      memcpy(flexibility[i], state->flexibility[i], sizeof state->flexibility[i]);
    return true;
  }
  const vd_wheel_load own = load_of(&wheel[1], x + VD_ELASTIC_LOADS), right = vd_mirrored_load(&own);
  vd_compliance_load_right(c, &right);
  if (!vd_compliance_settle(c, wheel->rigid->u, &load, state) || !vd_compliance_of_axle(c, false, &both))
    return false;
  mirror_right(both.c);
  memcpy(flexibility, both.c, sizeof both.c);
  return true;
}

bool vd_elastic_sample_at(const vd_elastic_map *map, vd_compliance *c, const vd_linkage *l, const vd_pose *rigid,
                          const double *x, vd_compliance_state *state, vd_elastic_sample *sample) {
  const int wheels = map->loads / VD_ELASTIC_LOADS;
  double flexibility[BOTH][BOTH], push[VD_ELASTIC_PAIR][HALF];
  wheel_at wheel[2];
  vd_pose right;
  for (int side = 0; side < wheels; side++)
    find_loads(map, l, &rigid[side], &wheel[side]);
  if (!settle(c, wheel, wheels, x, state, flexibility))
    return false;
  find_slopes(&wheel[0], &state->pose, sample->slope, push);
  if (wheels == 2) {
    vd_compliance_right_pose(c, &right);
    find_slopes(&wheel[1], &right, sample->slope + VD_ELASTIC_LOADS, push + VD_ELASTIC_LOADS);
  }
  find_bends(wheels, flexibility, push, sample);
  sample->energy = -state->energy;
  for (int j = 0; j < map->loads; j++) {
    sample->load[j] = x[j];
    sample->energy += x[j] * sample->slope[j];
  }
  return true;
}
