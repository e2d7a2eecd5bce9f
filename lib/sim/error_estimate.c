#include "sim/error_estimate.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

/* After a break the gaps between measured steps grow with the number of steps since the break, up to the larger of
 * these limits. */
static const double longest_gap = 0.1; /* s */
enum { MOST_STEPS = 24 };

static const double max_slip = 0.1, max_share = 1e-2;
/* Errors are also compared with the change of their own state, except for states whose change is below least_change, a
 * share of the scale. An error above max_own of the change is reported. */
static const double least_change = 1e-7, max_own = 1e-4;
/* Speed below which an error of the car's direction of motion does not count. */
static const double slow = 1.0; /* m/s */

void vd_error_start(const vd_state_vector *s, vd_error_estimate *e) {
  memset(e, 0, sizeof *e);
  e->on = true;
  memcpy(e->first, s->x, sizeof e->first);
}

void vd_error_break(bool found, vd_error_estimate *e) {
  e->steps = e->next = 0;
  e->doubts |= found ? VD_ERROR_SWITCHES : 0u;
}

bool vd_error_due(double h, vd_error_estimate *e) {
  if (e->steps++ < e->next) {
    e->repeats++;
    return false;
  }
  double gap = vd_fast_min((double)e->steps, vd_fast_max(MOST_STEPS, longest_gap / h));
  e->next = e->steps + (long)gap;
  return true;
}

/* Computes the rates of the errors by kinematic coupling. The axes of the velocity are known from the rates of the
 * place. */
static void transport(const vd_model *m, const vd_error_instant *now, const double *decay, const double *e,
                      double *by) {
  enum vd_level level = m->options.level;
  const double *x = now->state->x, *rates = now->rates;
  double vx = x[VD_S_VX], vy = x[VD_S_VY], square = vx * vx + vy * vy, r = x[VD_S_YAW_RATE];
  memset(by, 0, VD_STATES * sizeof *by);
  if (!(square > slow * slow))
    return;
  double cosine = (rates[VD_S_ALONG] * vx + rates[VD_S_ACROSS] * vy) / square;
  double sine = (rates[VD_S_ACROSS] * vx - rates[VD_S_ALONG] * vy) / square;
  double faster = (vx * e[VD_S_VX] + vy * e[VD_S_VY]) / square;
  by[VD_S_ALONG] = cosine * e[VD_S_VX] - sine * e[VD_S_VY] - e[VD_S_YAW] * rates[VD_S_ACROSS];
  by[VD_S_ACROSS] = sine * e[VD_S_VX] + cosine * e[VD_S_VY] + e[VD_S_YAW] * rates[VD_S_ALONG];
  by[VD_S_DISTANCE] = faster * rates[VD_S_DISTANCE];
  by[VD_S_YAW] = level == VD_L0 ? faster * rates[VD_S_YAW] : e[VD_S_YAW_RATE];
  if (level == VD_L0)
    return;
  by[VD_S_VX] = r * e[VD_S_VY] + vy * e[VD_S_YAW_RATE];
  by[VD_S_VY] = -r * e[VD_S_VX] - vx * e[VD_S_YAW_RATE];
  for (int i = 0; i < m->lanes.count; i++)
    by[VD_S_SPIN + i] = decay[VD_S_SPIN + i] * faster * x[VD_S_SPIN + i];
  by[VD_S_MOTOR] = decay[VD_S_MOTOR] * faster * x[VD_S_MOTOR];
  if (level < VD_L3)
    return;
  by[VD_S_VZ] = vx * e[VD_S_PITCH_RATE];
  by[VD_S_HEIGHT] = e[VD_S_VZ] - vx * e[VD_S_PITCH];
  by[VD_S_ROLL] = e[VD_S_ROLL_RATE];
  by[VD_S_PITCH] = e[VD_S_PITCH_RATE];
  for (int i = 0; i < VD_WHEELS; i++)
    by[VD_S_TRAVEL + i] = e[VD_S_TRAVEL_RATE + i];
}

/* Propagates the errors over a time h by an implicit step, which is stable for any decay. */
static void propagate(const double *x, const double *decay, const double *by, double h, int n, vd_error_estimate *e) {
  double repeats = (double)e->repeats;
  for (int i = 0; i < n; i++) {
    double error = (e->error[i] + repeats * e->made[i] + h * by[i]) / (1.0 + h * decay[i]);
    e->error[i] = error;
    e->worst[i] = vd_fast_max(fabs(error), e->worst[i]);
    e->change[i] = vd_fast_max(fabs(x[i] - e->first[i]), e->change[i]);
  }
}

static void look(const vd_model *m, const vd_eval *eval, vd_error_estimate *e) {
  double slip = 0.0;
  for (int i = 0; i < m->lanes.count && m->options.level > VD_L0; i++)
    slip = vd_fast_max(slip, vd_fast_max(fabs(eval->slip.kappa[i]), fabs(eval->slip.tan_alpha[i])));
  e->doubts |= slip > max_slip ? VD_ERROR_SLIDES : 0u;
  bool switched = eval->drive.gear != e->gear || eval->drive.saturated != e->saturated;
  e->doubts |= e->since > 0.0 && switched ? VD_ERROR_SWITCHES : 0u;
  e->gear = eval->drive.gear;
  e->saturated = eval->drive.saturated;
}

VD_WIDE void vd_error_propagate(const vd_model *m, const vd_error_instant *now, vd_error_estimate *e) {
  const vd_decay *spins = now->decay;
  double by[VD_STATES], decay[VD_STATES];
  memcpy(decay, vd_state_decay, sizeof decay);
  for (int j = 0; j < spins->count; j++)
    decay[spins->state[j]] = vd_fast_max(spins->rate[j], decay[spins->state[j]]);
  look(m, now->eval, e);
  transport(m, now, decay, e->error, by);
  propagate(now->state->x, decay, by, now->t - e->since, vd_model_states(m), e);
  e->repeats = 0;
  e->since = now->t;
}

VD_WIDE void vd_error_measure(const vd_model *m, const double *whole, const double *halves, vd_error_estimate *e) {
  for (int i = 0; i < vd_model_states(m); i++)
    e->made[i] = 16.0 / 15.0 * (whole[i] - halves[i]);
  if (m->options.level == VD_L5) /* roll, pitch and yaw follow from the quaternion */
    e->made[VD_S_YAW] = e->made[VD_S_ROLL] = e->made[VD_S_PITCH] = 0.0;
  e->repeats = 1;
}

vd_error_share vd_error_greatest(const vd_model *m, const vd_error_estimate *e) {
  vd_error_share out = {.share = 0.0, .doubts = e->doubts};
  for (int i = 0; i < vd_model_states(m); i++) {
    double share = e->worst[i] / vd_fast_max(vd_state_table[i].scale, e->change[i]);
    if (!(share <= out.share)) {
      out.share = share;
      out.state = i;
    }
    double own = e->change[i] > least_change * vd_state_table[i].scale ? e->worst[i] / e->change[i] : 0.0;
    if (own > out.own) {
      out.own = own;
      out.smallest = i;
    }
  }
  out.doubts |= out.share <= max_share ? 0u : VD_ERROR_LARGE;
  return out;
}

static void append(const char *from, char *text, size_t size) {
  strncat(text, from, size - 1 - strlen(text));
}

void vd_error_describe(const vd_error_share *share, char *text, size_t size) {
  static const char *const doubt[] = {"modes or gears switch", "a wheel lifts", "a tyre slides", "not small"};
  const char *before = "; rough: ";
  *text = '\0';
  append("of ", text, size);
  append(vd_state_table[share->state].name, text, size);
  if (share->own > max_own && share->own > share->share) {
    vd_buf own = {0};
    vd_buf_printf(&own, "; %.0e of %s's change", share->own, vd_state_table[share->smallest].name);
    append(own.text, text, size);
    vd_buf_finish(&own);
  }
  for (size_t i = 0; i < VD_COUNT(doubt); i++)
    if (share->doubts >> i & 1u) {
      append(before, text, size);
      append(doubt[i], text, size);
      before = ", ";
    }
}
