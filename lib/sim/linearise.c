#include "sim/linearise.h"

#include "math/gsl_quiet.h"

#include <assert.h>
#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

static const double post_step = 1e-4, post_rate_step = 1e-3; /* m, m/s */

/* The chosen states and their increments: small against the scale of the nonlinearities (a tyre's deflection of
 * centimetres, angles of 1), large against rounding. */
static const struct {
  int state, count;
  double step;
  bool free; /* only of a body that is free in the plane */
} moved[] = {
    {VD_S_HEIGHT, 1, 1e-4, false}, {VD_S_ROLL, 2, 1e-4, false},        {VD_S_TRAVEL, 4, 1e-4, false},
    {VD_S_VZ, 3, 1e-3, false},     {VD_S_TRAVEL_RATE, 4, 1e-3, false}, {VD_S_ALONG, 2, 1e-4, true},
    {VD_S_YAW, 1, 1e-4, true},     {VD_S_VX, 3, 1e-3, true},           {VD_S_SPIN, VD_WHEELS, 1e-2, true},
};

static void choose(const vd_model *m, vd_linear *l, double *step) {
  l->count = 0;
  for (size_t i = 0; i < VD_COUNT(moved); i++)
    for (int k = 0; k < moved[i].count && !(moved[i].free && m->ride.posted); k++) {
      step[l->count] = moved[i].step;
      l->state[l->count++] = moved[i].state + k;
    }
  for (int i = VD_S_YIELDING; i < VD_S_STEERED && m->ride.elastic_map[VD_FRONT]; i++) {
    step[l->count] = 1e-3;
    l->state[l->count++] = i;
  }
  if (m->ride.posted)
    return;
  for (int k = 0; k < 2 * VD_WHEELS && m->transient; k++) {
    step[l->count] = 1e-4;
    l->state[l->count++] = VD_S_DEFLECTION_X + k;
  }
  for (int k = 0; k < VD_WHEELS && m->transient && m->turns; k++) {
    step[l->count] = 1e-4;
    l->state[l->count++] = VD_S_TWIST + k;
  }
  if (m->motor_shaft) {
    step[l->count] = 1e-2;
    l->state[l->count++] = VD_S_MOTOR;
  }
}

/* The functions to be differentiated: rates of the chosen states, then outputs. */
enum { VALUES = VD_LINEAR_STATES + VD_LINEAR_OUTPUTS };

typedef struct probe {
  const vd_model *m;
  vd_command command;
  vd_row row;
  const vd_channel *const *output;
  const vd_linear *l;
} probe;

static bool sample(const probe *p, double *value) {
  vd_row row = p->row;
  const vd_linear *l = p->l;
  double dx[VD_STATES] = {0.0};
  bool closed = vd_model_rates(p->m, &p->command, row.state.x, row.state.mode, &row.eval, dx);
  vd_model_observe(p->m, &p->command, &row.state, 0.0, VD_VIEW_ALL, &row.eval);
  for (int i = 0; i < l->count; i++)
    value[i] = dx[l->state[i]];
  for (int i = 0; i < l->outputs; i++)
    value[l->count + i] = vd_channel_value(p->output[i], &row);
  return closed;
}

/* Derivatives of all values by one number of the probe: differences over h and 2 h, combined so that the error of
 * second order cancels. */
static bool slopes(probe *p, double *x, double h, double *slope) {
  static const double at[] = {1.0, -1.0, 2.0, -2.0}, weight[] = {8.0, -8.0, -1.0, 1.0};
  double middle = *x, value[VALUES];
  bool good = true;
  memset(slope, 0, VALUES * sizeof *slope);
  for (int k = 0; k < 4; k++) {
    *x = middle + at[k] * h;
    good &= sample(p, value);
    for (int i = 0; i < p->l->count + p->l->outputs; i++)
      slope[i] += weight[k] * value[i] / (12.0 * h);
  }
  *x = middle;
  for (int i = 0; i < p->l->count + p->l->outputs; i++)
    good &= isfinite(slope[i]) != 0;
  return good;
}

bool vd_linearise(const vd_model *m, const vd_command *c, const vd_state_vector *s, const vd_channel *const *output,
                  int outputs, vd_linear *l) {
  static const vd_row blank;
  double step[VD_LINEAR_STATES], slope[VALUES];
  assert(m->options.level >= VD_L3 && outputs <= VD_LINEAR_OUTPUTS);
  memset(l, 0, sizeof *l);
  choose(m, l, step);
  l->outputs = outputs;
  probe p = {m, *c, blank, output, l};
  p.row.state = *s;
  p.row.t = c->t;
  bool good = true;
  for (int k = 0; k < l->count; k++) {
    good &= slopes(&p, &p.row.state.x[l->state[k]], step[k], slope);
    for (int i = 0; i < l->count; i++)
      l->a[i][k] = slope[i];
    for (int i = 0; i < outputs; i++)
      l->c[i][k] = slope[l->count + i];
  }
  for (int k = 0; k < 2 * VD_WHEELS; k++) {
    int post = k % VD_WHEELS;
    bool rate = k >= VD_WHEELS;
    good &=
        slopes(&p, rate ? &p.command.post_rate[post] : &p.command.post[post], rate ? post_rate_step : post_step, slope);
    for (int i = 0; i < l->count; i++)
      *(rate ? &l->e[i][post] : &l->b[i][post]) = slope[i];
    for (int i = 0; i < outputs; i++)
      *(rate ? &l->f[i][post] : &l->d[i][post]) = slope[l->count + i];
  }
  return good;
}

/* ---- frequency response ---- */

/* Real and imaginary part of row . post, row for heights and rates. */
static gsl_complex of_posts(const double *height, const double *rate, const double *post, double w) {
  double real = 0.0, imaginary = 0.0;
  for (int i = 0; i < VD_WHEELS; i++) {
    real += height[i] * post[i];
    imaginary += w * rate[i] * post[i];
  }
  return gsl_complex_rect(real, imaginary);
}

bool vd_linear_response(const vd_linear *l, const double *post, double frequency, double (*response)[2]) {
  size_t n = (size_t)l->count;
  double w = 2.0 * VD_PI * frequency;
  gsl_matrix_complex *matrix = gsl_matrix_complex_alloc(n, n);
  gsl_vector_complex *right = gsl_vector_complex_alloc(n), *x = gsl_vector_complex_alloc(n);
  gsl_permutation *order = gsl_permutation_alloc(n);
  int sign;
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < n; k++)
      gsl_matrix_complex_set(matrix, i, k, gsl_complex_rect(-l->a[i][k], i == k ? w : 0.0));
    gsl_vector_complex_set(right, i, of_posts(l->b[i], l->e[i], post, w));
  }
  vd_gsl_quiet(); /* a singular matrix is reported and does not abort */
  bool good = gsl_linalg_complex_LU_decomp(matrix, order, &sign) == GSL_SUCCESS &&
              gsl_linalg_complex_LU_solve(matrix, order, right, x) == GSL_SUCCESS;
  vd_gsl_loud();
  for (int i = 0; i < l->outputs && good; i++) {
    gsl_complex sum = of_posts(l->d[i], l->f[i], post, w);
    for (size_t k = 0; k < n; k++)
      sum = gsl_complex_add(sum, gsl_complex_mul_real(gsl_vector_complex_get(x, k), l->c[i][k]));
    response[i][0] = GSL_REAL(sum);
    response[i][1] = GSL_IMAG(sum);
  }
  gsl_matrix_complex_free(matrix);
  gsl_vector_complex_free(right);
  gsl_vector_complex_free(x);
  gsl_permutation_free(order);
  return good;
}

/* ---- modes ---- */

/* A mode is named only after a shape with more than this share of its energy. */
static const double least_share = 0.2;

typedef struct pair {
  gsl_complex value;
  double share[VD_RIDE_MODES];
} pair;

/* The component of an eigenvector that belongs to a state; 0 if the state is not among those chosen. */
static gsl_complex part(const vd_linear *l, const gsl_vector_complex *v, int state) {
  for (int i = 0; i < l->count; i++)
    if (l->state[i] == state)
      return gsl_vector_complex_get(v, (size_t)i);
  return gsl_complex_rect(0.0, 0.0);
}

/* Kinetic energy of each motion that names a mode, as a share of the sum of all of them and of the motion in the plane.
 * It is computed from the coordinates, which all oscillate at the same frequency: velocities in body axes would show
 * the pitching of a moving car as heave. */
static void shares(const vd_linear *l, const vd_model *m, const gsl_vector_complex *v, double *share) {
  const vd_ride *ride = &m->ride;
  gsl_complex rise = part(l, v, VD_S_HEIGHT), roll = part(l, v, VD_S_ROLL), pitch = part(l, v, VD_S_PITCH);
  gsl_complex body = gsl_complex_sub(rise, gsl_complex_mul_real(pitch, ride->sprung_x));
  share[VD_RIDE_HEAVE] = ride->sprung_mass * gsl_complex_abs2(body);
  share[VD_RIDE_PITCH] = ride->inertia_y * gsl_complex_abs2(pitch);
  share[VD_RIDE_ROLL] = ride->inertia_x * gsl_complex_abs2(roll);
  for (int a = 0; a < VD_AXLES; a++) {
    gsl_complex up[2];
    for (int side = 0; side < 2; side++) {
      int i = 2 * a + side;
      up[side] = gsl_complex_add(rise, part(l, v, VD_S_TRAVEL + i));
      up[side] = gsl_complex_add(up[side], gsl_complex_mul_real(roll, m->lanes.y[i]));
      up[side] = gsl_complex_sub(up[side], gsl_complex_mul_real(pitch, m->lanes.x[i]));
    }
    double half = 0.5 * ride->unsprung_mass[a];
    share[a == VD_FRONT ? VD_RIDE_FRONT_HOP : VD_RIDE_REAR_HOP] =
        half * gsl_complex_abs2(gsl_complex_add(up[0], up[1]));
    share[a == VD_FRONT ? VD_RIDE_FRONT_TRAMP : VD_RIDE_REAR_TRAMP] =
        half * gsl_complex_abs2(gsl_complex_sub(up[0], up[1]));
  }
  double total =
      m->vehicle.masses.total * (gsl_complex_abs2(part(l, v, VD_S_ALONG)) + gsl_complex_abs2(part(l, v, VD_S_ACROSS))) +
      ride->inertia_z * gsl_complex_abs2(part(l, v, VD_S_YAW));
  for (int i = 0; i < VD_RIDE_MODES; i++)
    total += share[i];
  for (int i = 0; i < VD_RIDE_MODES; i++)
    share[i] /= total;
}

/* Assigns the names, the greatest share first; each pair has one name at most. */
static void name_pairs(pair *pairs, int count, vd_mode_shape *mode) {
  for (int i = 0; i < VD_RIDE_MODES; i++)
    mode[i] = (vd_mode_shape){NAN, NAN, NAN};
  for (int round = 0; round < VD_RIDE_MODES; round++) {
    double best = least_share;
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
    double size = gsl_complex_abs(found->value);
    mode[shape] = (vd_mode_shape){size / (2.0 * VD_PI), -GSL_REAL(found->value) / size, best};
    for (int i = 0; i < VD_RIDE_MODES; i++)
      found->share[i] = 0.0;
  }
}

static void estimates(const vd_model *m, vd_modes *modes) {
  const vd_ride *ride = &m->ride;
  for (int a = 0; a < VD_AXLES; a++) {
    double tyre = 0.5 * (ride->tyre_stiffness[2 * a] + ride->tyre_stiffness[2 * a + 1]), mass = ride->unsprung_mass[a];
    modes->tyre_only_frequency[a] = sqrt(tyre / mass) / (2.0 * VD_PI);
    modes->spring_only_damping[a] = vd_suspension_damping(&m->vehicle.axle[a].suspension) /
                                    (2.0 * sqrt(vd_suspension_rate(&m->vehicle.axle[a].suspension) * mass));
  }
}

bool vd_linear_modes(const vd_linear *l, const vd_model *m, vd_modes *modes) {
  size_t n = (size_t)l->count;
  pair pairs[VD_LINEAR_STATES];
  int count = 0;
  gsl_matrix *a = gsl_matrix_alloc(n, n);
  gsl_vector_complex *value = gsl_vector_complex_alloc(n);
  gsl_matrix_complex *shape = gsl_matrix_complex_alloc(n, n);
  gsl_eigen_nonsymmv_workspace *work = gsl_eigen_nonsymmv_alloc(n);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n; k++)
      gsl_matrix_set(a, i, k, l->a[i][k]);
  vd_gsl_quiet();
  bool good = gsl_eigen_nonsymmv(a, value, shape, work) == GSL_SUCCESS;
  vd_gsl_loud();
  for (size_t k = 0; k < n && good; k++) {
    gsl_vector_complex_view v = gsl_matrix_complex_column(shape, k);
    pairs[count].value = gsl_vector_complex_get(value, k);
    if (!(GSL_IMAG(pairs[count].value) > 0.0))
      continue;
    shares(l, m, &v.vector, pairs[count++].share);
  }
  name_pairs(pairs, count, modes->mode);
  estimates(m, modes);
  gsl_matrix_free(a);
  gsl_vector_complex_free(value);
  gsl_matrix_complex_free(shape);
  gsl_eigen_nonsymmv_free(work);
  return good;
}
