#include "sim/linearise.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/vec.h"
#include "math/eigen.h"
#include "model/frame.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Steps are this share of the states' scales: small compared with the scales of nonlinearities (tyre deflections of
 * centimetres, angles of 1 rad), large compared with rounding errors. The rate of a tread depends on w + w |w|/K, whose
 * difference quotient over h has an error of h/K. */
static const double step_share = 1e-3, tread_share = 1e-5;

/* Effects on a rate below this bound (1/s, in the states' scales) count as none. For an input the effect of `range'
 * steps is compared. */
static const double no_effect = 1e-5, range = 1e3;

/* --- states --- */

static bool is_work(int state) {
  return strcmp(vd_state_table[state].unit, "J") == 0;
}

/* Returns whether a state is free on a four-post rig, where the body does not move horizontally. */
static bool of_posts(int state) {
  return (state >= VD_S_HEIGHT && state <= VD_S_PITCH_RATE) || (state >= VD_S_TRAVEL && state < VD_S_WORK_CLUTCH) ||
         (state >= VD_S_BUSHINGS && state < VD_S_STEERED);
}

static bool has(const vd_model *m, int state) {
  if (is_work(state) || state == VD_S_DISTANCE || state == VD_S_PATH || vd_state_table[state].level > m->options.level)
    return false;
  if (state >= VD_S_QUATERNION && state <= VD_S_QUATERNION_Z) /* rotations replace the quaternion */
    return false;
  if (state >= VD_S_LINKED && state < VD_S_TURNING)
    return false;
  return !m->ride.on_posts || of_posts(state);
}

static void choose_states(const vd_model *m, vd_linear *l) {
  int n = vd_model_states(m);
  l->count = 0;
  for (int i = 0; i < n; i++)
    if (has(m, i)) {
      assert(l->count < VD_LINEAR_STATES);
      l->state[l->count++] = i;
    }
}

/* Makes a name with the suffix of its unit. */
static void name_column(const char *key, const char *unit, char *name, size_t size) {
  const vd_unit_name *row = vd_unit_name_of(unit);
  snprintf(name, size, "%s%s%s", key, row ? "_" : "", row ? row->suffix : "");
}

void vd_linear_state_name(int state, char *name, size_t size) {
  name_column(vd_state_table[state].name, vd_state_table[state].unit, name, size);
}

/* --- inputs --- */

#define AT(member) offsetof(vd_command, member)

enum { NO_RATE = -1 };

/* Returns the step of differences for an input. */
static double step_of(int i) {
  bool torque = i >= VD_IN_DRIVE_FRONT && i <= VD_IN_BRAKE_RR, pedal = i == VD_IN_THROTTLE || i == VD_IN_BRAKE;
  if (i == VD_IN_WIND_X || i == VD_IN_WIND_Y)
    return 1e-2;
  return strcmp(vd_input_table[i].unit, "N") == 0 ? 1.0 : torque ? 0.1 : pedal ? 1e-4 : 1e-3;
}

static void add_input(const char *key, vd_linear_input input, vd_linear *l) {
  assert(l->inputs < VD_LINEAR_INPUTS);
  name_column(key, input.unit, input.name, sizeof input.name);
  l->input[l->inputs++] = input;
}

/* Adds the rate of the last input as a separate input. */
static void add_rate(const char *key, const char *unit, size_t offset, double step, vd_linear *l) {
  add_input(key, (vd_linear_input){"", unit, offset, step, -INFINITY, INFINITY, l->inputs - 1}, l);
}

static void choose_inputs(const vd_model *m, const vd_command *c, vd_linear *l) {
  const int wheel = c->lateral == VD_LAT_TORQUE ? VD_IN_STEERING_TORQUE : VD_IN_STEERING_WHEEL;
  for (int i = 0; i < VD_INPUT_KINDS; i++) {
    const vd_input_info *info = &vd_input_table[i];
    bool moment = i >= VD_IN_PUSH_MX && i <= VD_IN_PUSH_MZ; /* no separate inputs: forces at push.at have moments */
    bool pushes = i >= VD_IN_WIND_X && i <= VD_IN_DRAWBAR && m->options.pushed && !moment;
    if (i == VD_IN_PEDAL_FORCE || !(info->lateral        ? i == wheel
                                    : info->longitudinal ? info->family == (int)c->longitudinal
                                                         : pushes))
      continue;
    add_input(info->key,
              (vd_linear_input){"", info->unit, info->offset, step_of(i), info->lowest, info->highest, NO_RATE}, l);
    if (i == VD_IN_STEERING_WHEEL)
      add_rate("steering_wheel_rate", "rad/s", AT(steer_rate), 1e-2, l);
    if (i == VD_IN_SPEED)
      add_rate("speed_rate", "m/s2", AT(target_rate), 1e-3, l);
  }
  for (int i = 0; i < VD_WHEELS && (m->options.level == VD_L3 || m->options.level == VD_L4); i++) {
    char key[16];
    snprintf(key, sizeof key, "road_%s", vd_wheel_names[i]);
    add_input(key, (vd_linear_input){"", "m", AT(post[i]), 1e-4, -INFINITY, INFINITY, NO_RATE}, l);
    snprintf(key, sizeof key, "road_rate_%s", vd_wheel_names[i]);
    add_rate(key, "m/s", AT(post_rate[i]), 1e-3, l);
  }
}

int vd_linear_input_called(const vd_linear *l, const char *name) {
  for (int k = 0; k < l->inputs; k++)
    if (strcmp(l->input[k].name, name) == 0)
      return k;
  return -1;
}

/* --- values --- */

/* The functions to be differentiated: rates of the chosen states, then outputs. */
enum { VALUES = VD_LINEAR_STATES + VD_LINEAR_OUTPUTS };

typedef struct probe {
  const vd_model *m;
  vd_command command; /* command at the point of linearisation */
  vd_row row;
  double ahead[2];   /* cosine and sine of the heading, only at L5 */
  double turning[3]; /* rad/s, only at L5: angular velocity in the level frame of the turns */
  const vd_linear *l;
} probe;

/* Transforms a vector from the body's axes to the frame whose axes point up and along the heading. */
static void level_of(const probe *p, const double *x, const double *body, double *out) {
  vd_frame f;
  double world[3];
  vd_frame_from_quaternion(x, &f);
  for (int j = 0; j < 3; j++)
    world[j] = vd_dot(f.to_world[j], body);
  out[0] = p->ahead[0] * world[0] + p->ahead[1] * world[1];
  out[1] = p->ahead[0] * world[1] - p->ahead[1] * world[0];
  out[2] = world[2];
}

static void start_turns(probe *p) {
  const double *x = p->row.state.x;
  vd_frame f;
  vd_frame_from_quaternion(x, &f);
  double flat = sqrt(f.to_world[0][0] * f.to_world[0][0] + f.to_world[1][0] * f.to_world[1][0]);
  p->ahead[0] = flat > 0.0 ? f.to_world[0][0] / flat : 1.0;
  p->ahead[1] = flat > 0.0 ? f.to_world[1][0] / flat : 0.0;
  level_of(p, x, (const double[3]){x[VD_S_ROLL_RATE], x[VD_S_PITCH_RATE], x[VD_S_YAW_RATE]}, p->turning);
}

/* Rotates the body by a small angle about an axis of this level frame: q becomes (1, axis angle/2) q. */
static void turn(const probe *p, int axis, double angle, double *x) {
  double *q = x + VD_S_QUATERNION, c = vd_cos(0.5 * angle), s = vd_sin(0.5 * angle), v[3] = {0.0, 0.0, 0.0};
  if (axis < 2) {
    v[0] = axis == 0 ? s * p->ahead[0] : -s * p->ahead[1];
    v[1] = axis == 0 ? s * p->ahead[1] : s * p->ahead[0];
  } else {
    v[2] = s;
  }
  const double old[4] = {q[0], q[1], q[2], q[3]};
  double across[3];
  vd_cross(v, old + 1, across);
  q[0] = c * old[0] - vd_dot(v, old + 1);
  for (int j = 0; j < 3; j++)
    q[1 + j] = c * old[1 + j] + old[0] * v[j] + across[j];
}

/* Computes the rates of the turns e. With the angular velocity W, and W0 of the undisturbed motion, both in the level
 * frame, which turns at W0z about its z, R = exp(e) R0 gives e' = W - W0 + W0 x e - W0z z x e to first order. */
static void turn_rates(const probe *p, const double *x, const double *turned, double *rate) {
  double now[3], sideways[3], level[3] = {p->turning[0], p->turning[1], 0.0};
  level_of(p, x, (const double[3]){x[VD_S_ROLL_RATE], x[VD_S_PITCH_RATE], x[VD_S_YAW_RATE]}, now);
  vd_cross(level, turned, sideways);
  for (int j = 0; j < 3; j++)
    rate[j] = now[j] - p->turning[j] + sideways[j];
}

/* Computes the values for the probe's command and the state s; turned: turns of the state, at L5. False if the model
 * found no solution. */
static bool values_at(const probe *p, vd_state_vector *s, const double *turned, double *value) {
  vd_row row = p->row;
  const vd_linear *l = p->l;
  bool free = p->m->options.level == VD_L5;
  double dx[VD_STATES] = {0.0};
  if (free) {
    vd_command loose = p->command;
    loose.prescribed = 0; /* a prescribed motion would undo the disturbance */
    vd_model_end_step(p->m, &loose, s);
  }
  row.state = *s;
  bool closed = vd_model_rates(p->m, &p->command, row.state.x, row.state.mode, &row.eval, dx);
  if (l->outputs > 0)
    vd_model_observe(p->m, &p->command, &row.state, 0.0, VD_VIEW_ALL, &row.eval);
  if (free) {
    double rate[3];
    turn_rates(p, row.state.x, turned, rate);
    dx[VD_S_ROLL] = rate[0];
    dx[VD_S_PITCH] = rate[1];
    dx[VD_S_YAW] = rate[2];
  }
  for (int i = 0; i < l->count; i++)
    value[i] = dx[l->state[i]];
  for (int i = 0; i < l->outputs; i++)
    value[l->count + i] = vd_channel_value(l->output[i], &row);
  return closed;
}

static int turn_axis(const probe *p, int state) {
  if (p->m->options.level != VD_L5)
    return -1;
  return state == VD_S_ROLL ? 0 : state == VD_S_PITCH ? 1 : state == VD_S_YAW ? 2 : -1;
}

/* Computes rates and outputs with one state perturbed by an amount; perturb_input does the same with one input. */
static bool perturb_state(const probe *p, int state, double amount, double *value) {
  vd_state_vector s = p->row.state;
  double turned[3] = {0.0, 0.0, 0.0};
  int axis = turn_axis(p, state);
  if (axis >= 0) {
    turn(p, axis, amount, s.x);
    turned[axis] = amount;
  } else {
    s.x[state] += amount;
  }
  return values_at(p, &s, turned, value);
}

static bool perturb_input(const probe *p, const vd_linear_input *input, double amount, double *value) {
  static const double unturned[3] = {0.0, 0.0, 0.0};
  const vd_steering *steering = &p->m->vehicle.steering;
  probe there = *p;
  vd_command *c = &there.command;
  double slope, angle = vd_steering_wheel(steering, c->steer, &slope);
  if (input->offset == AT(steer))
    c->steer = c->hand = vd_steering_mean(steering, angle + amount, &slope);
  else if (input->offset == AT(steer_rate))
    c->steer_rate += amount / slope;
  else
    *(double *)(void *)((char *)c + input->offset) += amount;
  if (c->lateral == VD_LAT_TORQUE)
    c->lateral_demand = c->torque;
  vd_command_set_angles(p->m, c);
  vd_state_vector s = p->row.state;
  return values_at(&there, &s, unturned, value);
}

/* --- derivatives --- */

/* The quantity that is perturbed: a state or an input. */
typedef struct perturbation {
  int state; /* -1: an input is perturbed */
  const vd_linear_input *input;
} perturbation;

/* Adds the values at an amount, times a weight, to a sum. */
static bool add(const probe *p, const perturbation *what, double amount, double weight, double *sum) {
  double value[VALUES];
  bool good =
      what->state >= 0 ? perturb_state(p, what->state, amount, value) : perturb_input(p, what->input, amount, value);
  for (int i = 0; i < p->l->count + p->l->outputs; i++)
    sum[i] += weight * value[i];
  return good;
}

/* Differences over steps h: places and weights; the divisor is multiplied by h. */
typedef struct stencil {
  int count;
  double place[4], weight[4], divisor;
} stencil;

/* Computes derivatives from steps of h and 2 h to both sides, combined so that the error of third order cancels; at the
 * end of an input's range, from steps to one side. */
static bool slopes(const probe *p, const perturbation *what, double h, double *slope) {
  static const stencil central = {4, {1.0, -1.0, 2.0, -2.0}, {8.0, -8.0, -1.0, 1.0}, 12.0};
  static const stencil one_sided = {3, {0.0, 1.0, 2.0}, {-1.5, 2.0, -0.5}, 1.0};
  const vd_linear_input *input = what->input;
  double now = input ? *(const double *)(const void *)((const char *)&p->command + input->offset) : 0.0;
  bool lowest = input && now - 4.0 * h < input->lowest, highest = input && now + 4.0 * h > input->highest, good = true;
  const stencil *s = lowest || highest ? &one_sided : &central;
  h = highest && !lowest ? -h : h;
  memset(slope, 0, VALUES * sizeof *slope);
  for (int k = 0; k < s->count; k++)
    good &= add(p, what, s->place[k] * h, s->weight[k] / (s->divisor * h), slope);
  for (int i = 0; i < p->l->count + p->l->outputs; i++)
    good &= isfinite(slope[i]) != 0;
  return good;
}

/* Returns whether a kink is near: the value in the middle differs from the mean of both sides. This difference divided
 * by h grows with h for a smooth law, and is constant at a kink. */
static bool has_kink(const probe *p, const perturbation *what, double h, const double *middle) {
  static const double least = 1e-3;
  double bend[2][VALUES] = {{0.0}}, spread[VALUES] = {0.0};
  for (int k = 0; k < 2; k++) {
    add(p, what, (1 + k) * h, 1.0 / (1 + k), bend[k]);
    add(p, what, -(1 + k) * h, 1.0 / (1 + k), bend[k]);
  }
  add(p, what, h, 1.0, spread);
  add(p, what, -h, -1.0, spread);
  for (int i = 0; i < p->l->count; i++) {
    double near = bend[0][i] - 2.0 * middle[i], far = bend[1][i] - middle[i];
    if (fabs(near) > least * fabs(spread[i]) && fabs(near) > 1e-9 && fabs(far - near) < 0.25 * fabs(near))
      return true;
  }
  return false;
}

static double scale_of(int state) {
  return vd_state_table[state].scale;
}

/* Compares derivatives with the derivatives over twice the steps. Returns whether the rates have a kink over the
 * perturbed quantity. */
static bool judge(const probe *p, const perturbation *what, double h, const double *slope, vd_linear *l) {
  static const double rough = 1e-3;
  double coarse[VALUES], greatest = 0.0, difference = 0.0;
  slopes(p, what, 2.0 * h, coarse);
  for (int i = 0; i < l->count; i++) {
    greatest = vd_max(greatest, fabs(slope[i]) / scale_of(l->state[i]));
    difference = vd_max(difference, fabs(slope[i] - coarse[i]) / scale_of(l->state[i]));
  }
  if (!(greatest * range * h > no_effect))
    return false;
  if (has_kink(p, what, h, l->rate) || !(difference <= rough * greatest))
    return true;
  l->error = vd_max(l->error, difference / greatest);
  return false;
}

/* Computes derivatives with steps that are shortened if there is a kink. A nearby kink of a force law, such as the
 * lift-off of a stiff tyre a tenth of a millimetre away, is then outside of the steps; a kink at the state itself
 * remains within them. *kink: whether a kink remains. */
static bool settled_slopes(const probe *p, const perturbation *what, double h, double *slope, bool *kink,
                           vd_linear *l) {
  enum { SHORTER = 2 };
  double other[VALUES];
  bool good = slopes(p, what, h, slope);
  *kink = judge(p, what, h, slope, l);
  for (int i = 1; good && *kink && i <= SHORTER; i++) {
    double shorter = i == 1 ? 0.1 * h : 0.01 * h;
    if (slopes(p, what, shorter, other) && !judge(p, what, shorter, other, l)) {
      memcpy(slope, other, sizeof other);
      *kink = false;
    }
  }
  return good;
}

static bool fill_columns(const probe *p, vd_linear *l) {
  double slope[VALUES];
  bool good = true;
  for (int k = 0; k < l->count + l->inputs; k++) {
    const int j = k - l->count; /* index among the inputs */
    const perturbation what = j < 0 ? (perturbation){.state = l->state[k]} : (perturbation){-1, &l->input[j]};
    bool tread = what.state >= VD_S_DEFLECTION_X && what.state <= VD_S_DEFLECTION_Y_LAST;
    double h = j < 0 ? (tread ? tread_share : step_share) * scale_of(what.state) : what.input->step;
    good &= settled_slopes(p, &what, h, slope, j < 0 ? &l->kink[k] : &l->input_kink[j], l);
    for (int i = 0; i < l->count; i++)
      *(j < 0 ? &l->a[i][k] : &l->b[i][j]) = slope[i];
    for (int i = 0; i < l->outputs; i++)
      *(j < 0 ? &l->c[i][k] : &l->d[i][j]) = slope[l->count + i];
  }
  return good;
}

bool vd_linearise(const vd_model *m, const vd_command *c, const vd_state_vector *s, const vd_channel *const *output,
                  int outputs, vd_linear *l) {
  static const vd_row blank;
  static const double unturned[3] = {0.0, 0.0, 0.0};
  double value[VALUES];
  assert(m->options.level >= VD_L1 && !vd_on_stiff_links(&m->options) && outputs <= VD_LINEAR_OUTPUTS);
  memset(l, 0, sizeof *l);
  choose_states(m, l);
  choose_inputs(m, c, l);
  for (int i = 0; i < outputs; i++)
    l->output[i] = output[i];
  l->outputs = outputs;
  probe p = {.m = m, .command = *c, .row = blank, .l = l};
  p.row.state = *s;
  p.row.t = c->t;
  if (m->options.level == VD_L5)
    start_turns(&p);
  vd_state_vector here = *s;
  bool good = values_at(&p, &here, unturned, value);
  for (int i = 0; i < l->count; i++) {
    l->rate[i] = value[i];
    l->now[i] = turn_axis(&p, l->state[i]) < 0 ? s->x[l->state[i]] : 0.0;
  }
  return fill_columns(&p, l) && good;
}

/* --- reduction --- */

static double effect(const vd_linear *l, int i, int k) {
  return fabs(l->a[i][k]) * scale_of(l->state[k]) / scale_of(l->state[i]);
}

/* Returns whether state k has an effect on any state (from: true), or any state on state k (from: false). */
static bool acts(const vd_linear *l, int k, bool from) {
  for (int i = 0; i < l->count; i++)
    if ((from ? effect(l, i, k) : effect(l, k, i)) > no_effect)
      return true;
  return false;
}

/* Removes item k from an array of `count' items. */
static void take_out(void *array, size_t size, int k, int count) {
  char *at = (char *)array + (size_t)k * size;
  memmove(at, at + size, (size_t)(count - 1 - k) * size);
}

#define TAKE_OUT(array, k, count) take_out(array, sizeof *(array), k, count)

static void remove_output(vd_linear *l, int i) {
  TAKE_OUT(l->output, i, l->outputs);
  TAKE_OUT(l->c, i, l->outputs);
  TAKE_OUT(l->d, i, l->outputs);
  l->outputs--;
}

/* Returns whether a change of a state by its scale changes an output by more than its tolerance between machines. */
static bool shows(const vd_linear *l, int output, int state) {
  double least = vd_channel_tolerated(l->output[output]->unit).absolute;
  return fabs(l->c[output][state]) * scale_of(l->state[state]) > least;
}

static void remove_state(vd_linear *l, int k) {
  for (int i = l->outputs - 1; i >= 0; i--)
    if (shows(l, i, k))
      remove_output(l, i);
  for (int i = 0; i < l->count; i++)
    TAKE_OUT(l->a[i], k, l->count);
  for (int i = 0; i < l->outputs; i++)
    TAKE_OUT(l->c[i], k, l->count);
  TAKE_OUT(l->a, k, l->count);
  TAKE_OUT(l->b, k, l->count);
  TAKE_OUT(l->state, k, l->count);
  TAKE_OUT(l->rate, k, l->count);
  TAKE_OUT(l->now, k, l->count);
  TAKE_OUT(l->kink, k, l->count);
  l->count--;
}

static void remove_input(vd_linear *l, int k) {
  for (int i = 0; i < l->count; i++)
    TAKE_OUT(l->b[i], k, l->inputs);
  for (int i = 0; i < l->outputs; i++)
    TAKE_OUT(l->d[i], k, l->inputs);
  TAKE_OUT(l->input, k, l->inputs);
  TAKE_OUT(l->input_kink, k, l->inputs);
  l->inputs--;
  for (int j = 0; j < l->inputs; j++)
    if (l->input[j].rate_of > k)
      l->input[j].rate_of--;
}

/* Returns whether an input has an effect; its rate, where that is a separate input, counts as well. */
static bool input_acts(const vd_linear *l, int k) {
  for (int j = 0; j < l->inputs; j++) {
    if (j != k && l->input[j].rate_of != k)
      continue;
    for (int i = 0; i < l->count; i++)
      if (fabs(l->b[i][j]) * range * l->input[j].step / scale_of(l->state[i]) > no_effect)
        return true;
    for (int i = 0; i < l->outputs; i++)
      if (fabs(l->d[i][j]) * range * l->input[j].step > vd_channel_tolerated(l->output[i]->unit).absolute)
        return true;
  }
  return false;
}

static bool output_acts(const vd_linear *l, int i) {
  double least = vd_channel_tolerated(l->output[i]->unit).absolute;
  for (int k = 0; k < l->count; k++)
    if (shows(l, i, k))
      return true;
  for (int k = 0; k < l->inputs; k++)
    if (fabs(l->d[i][k]) * range * l->input[k].step > least)
      return true;
  return false;
}

void vd_linear_reduce(vd_linear *l, bool *left) {
  memset(left, 0, VD_STATES * sizeof *left);
  for (bool again = true; again;) {
    again = false;
    for (int k = l->count - 1; k >= 0; k--)
      if (!acts(l, k, true)) {
        left[l->state[k]] = acts(l, k, false);
        remove_state(l, k);
        again = true;
      }
  }
  for (int k = l->inputs - 1; k >= 0; k--)
    if (!input_acts(l, k))
      remove_input(l, k);
  for (int i = l->outputs - 1; i >= 0; i--)
    if (!output_acts(l, i))
      remove_output(l, i);
}

/* --- frequency response --- */

/* Returns the sum of `row' times the inputs, which oscillate at the frequency w/2 pi. */
static vd_complex of_inputs(const vd_linear *l, const double *row, const double *amplitude, double w) {
  double real = 0.0, imaginary = 0.0;
  for (int k = 0; k < l->inputs; k++) {
    int rate_of = l->input[k].rate_of;
    if (rate_of < 0)
      real += row[k] * amplitude[k];
    else
      imaginary += w * row[k] * amplitude[rate_of];
  }
  return (vd_complex){real, imaginary};
}

bool vd_linear_response(const vd_linear *l, const double *amplitude, double frequency, double (*response)[2]) {
  size_t n = (size_t)l->count;
  double w = 2.0 * VD_PI * frequency;
  vd_complex *matrix = vd_allocate(n * n + n, sizeof *matrix), *x = matrix + n * n;
  size_t *order = vd_allocate(n, sizeof *order);
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < n; k++)
      matrix[i * n + k] = (vd_complex){-l->a[i][k], i == k ? w : 0.0};
    x[i] = of_inputs(l, l->b[i], amplitude, w);
  }
  bool good = vd_complex_factorise(matrix, n, order) > 0.0;
  if (good)
    vd_complex_solve(matrix, order, n, x);
  for (int i = 0; i < l->outputs && good; i++) {
    vd_complex sum = of_inputs(l, l->d[i], amplitude, w);
    for (size_t k = 0; k < n; k++)
      sum = vd_complex_add(sum, vd_complex_scale(x[k], l->c[i][k]));
    response[i][0] = sum.re;
    response[i][1] = sum.im;
  }
  free(matrix);
  free(order);
  return good;
}
