#include "sim/modes.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "math/eigen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const vd_motion_names[VD_MOTIONS] = {"longitudinal", "side_slip", "yaw",         "heave",    "roll",
                                                 "pitch",        "front_hop", "front_tramp", "rear_hop", "rear_tramp",
                                                 "wheel_spin",   "tread",     "steering",    "bushings", "control"};

/* --- eigenvalues and vectors --- */

typedef struct vectors {
  size_t n;
  vd_complex *value;
  vd_complex *right, *left; /* [n][n]: columns; rows */
  bool base;                /* the right eigenvectors are linearly independent, and the left ones exist */
} vectors;

static void vectors_free(vectors *e) {
  free(e->value);
}

/* Inverts the matrix of the right eigenvectors. False: it is numerically singular, as for repeated eigenvalues. */
static bool invert(const vectors *e) {
  const double singular = 1e-11;
  size_t n = e->n, *order = vd_allocate(n, sizeof *order);
  vd_complex *factors = vd_allocate(n * n + n, sizeof *factors), *x = factors + n * n;
  memcpy(factors, e->right, n * n * sizeof *factors);
  bool good = vd_complex_factorise(factors, n, order) > singular;
  for (size_t k = 0; k < n && good; k++) {
    memset(x, 0, n * sizeof *x);
    x[k].re = 1.0;
    vd_complex_solve(factors, order, n, x);
    for (size_t i = 0; i < n; i++)
      e->left[i * n + k] = x[i];
  }
  free(factors);
  free(order);
  return good;
}

static double scale(const vd_linear *l, size_t i) {
  return vd_state_table[l->state[i]].scale;
}

/* Finds the eigenvectors of A in the states' scales, in which numbers are comparable, and converts them to the states'
 * units. */
static bool decompose(const vd_linear *l, vectors *e) {
  size_t n = e->n = (size_t)l->count;
  double *a = vd_allocate(n * n, sizeof *a);
  e->value = vd_allocate(n + 2 * n * n, sizeof *e->value);
  e->right = e->value + n;
  e->left = e->right + n * n;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n; k++)
      a[i * n + k] = l->a[i][k] * scale(l, k) / scale(l, i);
  bool good = vd_eigen_solve(a, n, e->value, e->right);
  e->base = good && invert(e);
  for (size_t i = 0; i < n && good; i++)
    for (size_t k = 0; k < n; k++) {
      e->right[i * n + k] = vd_complex_scale(e->right[i * n + k], scale(l, i));
      e->left[k * n + i] = vd_complex_scale(e->left[k * n + i], 1.0 / scale(l, i));
    }
  free(a);
  if (!good)
    vectors_free(e);
  return good;
}

/* --- participation --- */

static enum vd_motion motion_of(int state) {
  switch (state) {
  case VD_S_ALONG:
  case VD_S_VX: return VD_MOTION_LONGITUDINAL;
  case VD_S_ACROSS:
  case VD_S_VY: return VD_MOTION_SIDE_SLIP;
  case VD_S_YAW:
  case VD_S_YAW_RATE: return VD_MOTION_YAW;
  case VD_S_HEIGHT:
  case VD_S_VZ: return VD_MOTION_HEAVE;
  case VD_S_ROLL:
  case VD_S_ROLL_RATE: return VD_MOTION_ROLL;
  case VD_S_PITCH:
  case VD_S_PITCH_RATE: return VD_MOTION_PITCH;
  case VD_S_MOTOR: return VD_MOTION_SPIN;
  case VD_S_SPEED_INTEGRAL:
  case VD_S_ACCELERATION_INTEGRAL: return VD_MOTION_CONTROL;
  default: break;
  }
  if (state >= VD_S_SPIN && state <= VD_S_SPIN_LAST)
    return VD_MOTION_SPIN;
  if ((state >= VD_S_PRESSURE && state <= VD_S_PRESSURE_LAST) || (state >= VD_S_DISC && state <= VD_S_CHARGE))
    return VD_MOTION_CONTROL;
  if ((state >= VD_S_DEFLECTION_X && state <= VD_S_DEFLECTION_Y_LAST) ||
      (state >= VD_S_TWIST && state <= VD_S_TWIST_LAST))
    return VD_MOTION_TREAD;
  if (state >= VD_S_ROTOR && state <= VD_S_SHAFT_LAST)
    return VD_MOTION_SPIN;
  return state >= VD_S_BUSHINGS && state < VD_S_STEERED ? VD_MOTION_BUSHINGS : VD_MOTION_STEERING;
}

static int place_of(const vd_linear *l, int state) {
  for (int i = 0; i < l->count; i++)
    if (l->state[i] == state)
      return i;
  return -1;
}

/* The components of the left and the right eigenvector for a state; 0 if the system does not have this state. */
typedef struct pair_of {
  vd_complex v, w;
} pair_of;

static void add_to(const pair_of *p, vd_complex *sum) {
  *sum = vd_complex_add(*sum, vd_complex_mul(p->w, p->v));
}

/* Transforms the components of the four wheels, travels or their rates. Coordinates become heights in space,
 *
 *   u_i = travel_i + z + y_i roll - x_i pitch,   so that   w_z = w'_z + sum w_i, w_roll = w'_roll + sum y_i w_i ...
 *
 * and then sums and differences of left and right; w' are the left components after the transformation. body: heave,
 * roll and pitch, from whose left components the parts of the wheels are subtracted. */
static void wheels(const vd_model *m, const pair_of *travel, pair_of *body, vd_complex *sum) {
  pair_of up[VD_WHEELS];
  for (int i = 0; i < VD_WHEELS; i++) {
    const double arm[3] = {1.0, m->lanes.y[i], -m->lanes.x[i]};
    up[i] = travel[i];
    for (int j = 0; j < 3; j++)
      up[i].v = vd_complex_add(up[i].v, vd_complex_scale(body[j].v, arm[j]));
  }
  for (int i = 0; i < VD_WHEELS; i++) {
    const double arm[3] = {1.0, m->lanes.y[i], -m->lanes.x[i]};
    for (int j = 0; j < 3; j++)
      body[j].w = vd_complex_sub(body[j].w, vd_complex_scale(up[i].w, arm[j]));
  }
  for (int a = 0; a < VD_AXLES; a++)
    for (int k = 0; k < 2; k++) {
      const pair_of *left = &up[vd_left_wheel(a)], *right = &up[vd_right_wheel(a)];
      double sign = k == 0 ? 1.0 : -1.0;
      pair_of both = {vd_complex_scale(vd_complex_add(left->v, vd_complex_scale(right->v, sign)), 0.5),
                      vd_complex_add(left->w, vd_complex_scale(right->w, sign))};
      add_to(&both, &sum[VD_MOTION_FRONT_HOP + 2 * a + k]);
    }
}

static pair_of component(const vd_linear *l, const vectors *e, size_t mode, int state) {
  int i = place_of(l, state);
  if (i < 0)
    return (pair_of){{0.0, 0.0}, {0.0, 0.0}};
  return (pair_of){e->right[(size_t)i * e->n + mode], e->left[mode * e->n + (size_t)i]};
}

static bool rides(int state) {
  return state == VD_S_HEIGHT || state == VD_S_ROLL || state == VD_S_PITCH || state == VD_S_VZ ||
         state == VD_S_ROLL_RATE || state == VD_S_PITCH_RATE || (state >= VD_S_TRAVEL && state < VD_S_WORK_CLUTCH);
}

static void add_participation(const vd_linear *l, const vd_model *m, const vectors *e, size_t mode, vd_complex *sum) {
  static const int body_state[2][3] = {{VD_S_HEIGHT, VD_S_ROLL, VD_S_PITCH},
                                       {VD_S_VZ, VD_S_ROLL_RATE, VD_S_PITCH_RATE}};
  static const int first[2] = {VD_S_TRAVEL, VD_S_TRAVEL_RATE};
  for (int i = 0; i < l->count; i++) {
    pair_of p = component(l, e, mode, l->state[i]);
    if (!rides(l->state[i]))
      add_to(&p, &sum[motion_of(l->state[i])]);
  }
  for (int k = 0; k < 2; k++) {
    pair_of body[3], travel[VD_WHEELS];
    for (int j = 0; j < 3; j++)
      body[j] = component(l, e, mode, body_state[k][j]);
    for (int i = 0; i < VD_WHEELS; i++)
      travel[i] = component(l, e, mode, first[k] + i);
    if (place_of(l, VD_S_TRAVEL) >= 0)
      wheels(m, travel, body, sum);
    for (int j = 0; j < 3; j++)
      add_to(&body[j], &sum[motion_of(body_state[k][j])]);
  }
}

/* Adds the participation without left eigenvectors: the squares of the right eigenvectors' components. */
static void add_participation_by_size(const vd_linear *l, const vectors *e, size_t mode, vd_complex *sum) {
  for (int i = 0; i < l->count; i++) {
    int state = l->state[i];
    bool travels = state >= VD_S_TRAVEL && state < VD_S_WORK_CLUTCH, rear = (state - VD_S_TRAVEL) % VD_WHEELS >= 2;
    enum vd_motion motion = !travels ? motion_of(state) : rear ? VD_MOTION_REAR_HOP : VD_MOTION_FRONT_HOP;
    double size = vd_complex_abs(e->right[(size_t)i * e->n + mode]) / scale(l, (size_t)i);
    sum[motion].re += size * size;
  }
}

static void describe(const vd_linear *l, const vd_model *m, const vectors *e, size_t mode, vd_eigen *out) {
  vd_complex s = e->value[mode], sum[VD_MOTIONS];
  double size = vd_complex_abs(s), total = 0.0;
  *out = (vd_eigen){s.re, fabs(s.im), size / (2.0 * VD_PI), size > 0.0 ? -s.re / size : 0.0, {0.0}};
  for (int i = 0; i < VD_MOTIONS; i++)
    sum[i] = (vd_complex){0.0, 0.0};
  if (e->base)
    add_participation(l, m, e, mode, sum);
  else
    add_participation_by_size(l, e, mode, sum);
  for (int i = 0; i < VD_MOTIONS; i++)
    total += vd_complex_abs(sum[i]);
  for (int i = 0; i < VD_MOTIONS && total > 0.0; i++)
    out->share[i] = vd_complex_abs(sum[i]) / total;
}

static int by_size(const void *a, const void *b) {
  const vd_eigen *x = a, *y = b;
  if (x->frequency != y->frequency)
    return x->frequency < y->frequency ? -1 : 1;
  return x->real < y->real ? -1 : x->real > y->real;
}

int vd_linear_eigen(const vd_linear *l, const vd_model *m, vd_eigen *eigen) {
  vectors e;
  int count = 0;
  if (l->count == 0)
    return 0;
  if (!decompose(l, &e))
    return -1;
  for (size_t k = 0; k < e.n; k++)
    if (!(e.value[k].im < 0.0))
      describe(l, m, &e, k, &eigen[count++]);
  vectors_free(&e);
  qsort(eigen, (size_t)count, sizeof *eigen, by_size);
  return count;
}

enum vd_motion vd_eigen_motion(const vd_eigen *e) {
  int best = 0;
  for (int i = 1; i < VD_MOTIONS; i++)
    if (e->share[i] > e->share[best])
      best = i;
  return (enum vd_motion)best;
}

/* --- modes of ride, named by energy --- */

/* A mode can be named only after a motion that has more than this share of the mode's energy. */
static const double min_share = 0.2;

typedef struct pair {
  vd_complex value;
  double share[VD_RIDE_MODES];
} pair;

/* Returns the component of an eigenvector (a column that begins at v) for a state; 0 if the system does not have this
 * state. */
static vd_complex part(const vd_linear *l, const vd_complex *v, int state) {
  int i = place_of(l, state);
  return i < 0 ? (vd_complex){0.0, 0.0} : v[i * l->count];
}

/* Computes the kinetic energy of each motion after which a mode may be named, as a share of the sum over these motions
 * and the horizontal motion. It is computed from the coordinates, which all oscillate at the same frequency: velocities
 * in body axes would show the pitching of a moving car as heave. */
static void shares(const vd_linear *l, const vd_model *m, const vd_complex *v, double *share) {
  const vd_ride *ride = &m->ride;
  vd_complex rise = part(l, v, VD_S_HEIGHT), roll = part(l, v, VD_S_ROLL), pitch = part(l, v, VD_S_PITCH);
  vd_complex body = vd_complex_sub(rise, vd_complex_scale(pitch, ride->sprung_x));
  share[VD_RIDE_HEAVE] = ride->sprung_mass * vd_complex_abs2(body);
  share[VD_RIDE_PITCH] = ride->inertia_y * vd_complex_abs2(pitch);
  share[VD_RIDE_ROLL] = ride->inertia_x * vd_complex_abs2(roll);
  for (int a = 0; a < VD_AXLES; a++) {
    vd_complex up[2];
    for (int side = 0; side < 2; side++) {
      int i = vd_wheel_at(a, side);
      up[side] = vd_complex_add(rise, part(l, v, VD_S_TRAVEL + i));
      up[side] = vd_complex_add(up[side], vd_complex_scale(roll, m->lanes.y[i]));
      up[side] = vd_complex_sub(up[side], vd_complex_scale(pitch, m->lanes.x[i]));
    }
    double half = 0.5 * ride->unsprung_mass[a];
    share[a == VD_FRONT ? VD_RIDE_FRONT_HOP : VD_RIDE_REAR_HOP] = half * vd_complex_abs2(vd_complex_add(up[0], up[1]));
    share[a == VD_FRONT ? VD_RIDE_FRONT_TRAMP : VD_RIDE_REAR_TRAMP] =
        half * vd_complex_abs2(vd_complex_sub(up[0], up[1]));
  }
  double total =
      m->vehicle.masses.total * (vd_complex_abs2(part(l, v, VD_S_ALONG)) + vd_complex_abs2(part(l, v, VD_S_ACROSS))) +
      ride->inertia_z * vd_complex_abs2(part(l, v, VD_S_YAW));
  for (int i = 0; i < VD_RIDE_MODES; i++)
    total += share[i];
  for (int i = 0; i < VD_RIDE_MODES; i++)
    share[i] /= total;
}

/* Assigns the names, the greatest share first; each pair has at most one name. */
static void name_pairs(pair *pairs, int count, vd_mode_shape *mode) {
  for (int i = 0; i < VD_RIDE_MODES; i++)
    mode[i] = (vd_mode_shape){NAN, NAN, NAN};
  for (int round = 0; round < VD_RIDE_MODES; round++) {
    double best = min_share;
    int shape = 0;
    pair *found = NULL;
    for (int k = 0; k < count; k++)
      for (int i = 0; i < VD_RIDE_MODES; i++)
        if (isnan(mode[i].frequency) && pairs[k].share[i] > best) {
          best = pairs[k].share[i];
          found = &pairs[k];
          shape = i;
        }
    if (!found)
      return;
    double size = vd_complex_abs(found->value);
    mode[shape] = (vd_mode_shape){size / (2.0 * VD_PI), -found->value.re / size, best};
    for (int i = 0; i < VD_RIDE_MODES; i++)
      found->share[i] = 0.0;
  }
}

static void estimates(const vd_model *m, vd_modes *modes) {
  const vd_ride *ride = &m->ride;
  for (int a = 0; a < VD_AXLES; a++) {
    double tyre = 0.5 * (ride->tyre_stiffness[vd_left_wheel(a)] + ride->tyre_stiffness[vd_right_wheel(a)]),
           mass = ride->unsprung_mass[a];
    modes->tyre_only_frequency[a] = sqrt(tyre / mass) / (2.0 * VD_PI);
    modes->spring_only_damping[a] = vd_suspension_damping(&m->vehicle.axle[a].suspension) /
                                    (2.0 * sqrt(m->vehicle.axle[a].suspension.stiffness * mass));
  }
}

static bool ride_modes(const vd_linear *l, const vd_model *m, vd_modes *modes) {
  vectors e;
  pair pairs[VD_LINEAR_STATES];
  int count = 0;
  if (!decompose(l, &e))
    return false;
  for (size_t k = 0; k < e.n; k++) {
    pairs[count].value = e.value[k];
    if (pairs[count].value.im > 0.0)
      shares(l, m, &e.right[k], pairs[count++].share);
  }
  name_pairs(pairs, count, modes->mode);
  estimates(m, modes);
  vectors_free(&e);
  return true;
}

/* --- modes of handling, named by participation --- */

static bool handling_modes(const vd_linear *l, const vd_model *m, vd_modes *modes) {
  const double least = 0.5;
  vd_eigen eigen[VD_LINEAR_STATES];
  int count = vd_linear_eigen(l, m, eigen);
  modes->yaw = (vd_mode_shape){NAN, NAN, least};
  modes->growth = NAN;
  for (int k = 0; k < count; k++) {
    double share = eigen[k].share[VD_MOTION_SIDE_SLIP] + eigen[k].share[VD_MOTION_YAW];
    if (!(eigen[k].real <= modes->growth))
      modes->growth = eigen[k].real;
    if (eigen[k].imaginary > 0.0 && share > modes->yaw.share)
      modes->yaw = (vd_mode_shape){eigen[k].frequency, eigen[k].damping, share};
  }
  return count >= 0;
}

bool vd_modes_at(const vd_model *m, const vd_command *c, const vd_state_vector *s, vd_modes *modes) {
  bool left[VD_STATES];
  if (m->options.level == VD_L0 || vd_on_stiff_links(&m->options))
    return false;
  vd_linear *l = vd_allocate(1, sizeof *l);
  bool good = vd_linearise(m, c, s, NULL, 0, l);
  if (m->options.level >= VD_L3)
    good = good && ride_modes(l, m, modes);
  if (good) {
    vd_linear_reduce(l, left);
    good = handling_modes(l, m, modes);
  }
  free(l);
  return good;
}
