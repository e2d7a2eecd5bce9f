/* Sine, sine with dwell and chirp. */
#include "course/profile_impl.h"

#include "base/base.h"
#include "base/elementary.h"
#include "input/schema.h"

static const vd_field sine_fields[] = {
    VD_PROFILE_START(sine, VD_PROFILE_SINE),
    VD_PROFILE_AMPLITUDE(sine, VD_PROFILE_SINE),
    VD_PROFILE_FREQUENCY(sine, VD_PROFILE_SINE),
    {VD_F_INTEGER(vd_profile_def, profile.as.sine.cycles, "cycles", 0, 1000000, "0",
                  "number of periods, after which the value is `from`; 0: without end"),
     .only = VD_WHEN(VD_PROFILE_SINE)},
};
static const vd_field dwell_fields[] = {
    VD_PROFILE_START(dwell, VD_PROFILE_DWELL),
    VD_PROFILE_AMPLITUDE(dwell, VD_PROFILE_DWELL),
    VD_PROFILE_FREQUENCY(dwell, VD_PROFILE_DWELL),
    VD_PROFILE_NUMBER(dwell.dwell, VD_PROFILE_DWELL, "dwell", "s", 0, 1e6, 0, "0.5", "duration of the second peak"),
};
static const vd_field chirp_fields[] = {
    VD_PROFILE_START(chirp, VD_PROFILE_CHIRP),
    VD_PROFILE_AMPLITUDE(chirp, VD_PROFILE_CHIRP),
    VD_PROFILE_FREQUENCY(chirp, VD_PROFILE_CHIRP),
    VD_PROFILE_END_FREQUENCY(chirp, VD_PROFILE_CHIRP),
    VD_PROFILE_DURATION(chirp, VD_PROFILE_CHIRP),
    {VD_F_FLAG(vd_profile_def, profile.as.chirp.logarithmic, "logarithmic", "false",
               "the frequency grows exponentially instead of linearly"),
     .only = VD_WHEN(VD_PROFILE_CHIRP)},
};

const vd_schema vd_profile_sine_rows = {.field = sine_fields, .count = VD_COUNT(sine_fields)};
const vd_schema vd_profile_dwell_rows = {.field = dwell_fields, .count = VD_COUNT(dwell_fields)};
const vd_schema vd_profile_chirp_rows = {.field = chirp_fields, .count = VD_COUNT(chirp_fields)};

static double sine_end(const vd_profile_sine *p) {
  return p->cycles > 0 ? p->start + p->cycles / p->frequency : INFINITY;
}

void vd_profile_sine_at(const vd_profile_sine *p, double inside, double t, double *value, double *rate) {
  *value = p->from;
  if (inside <= p->start || inside >= sine_end(p))
    return;
  double w = 2.0 * VD_PI * p->frequency, phase = w * (t - p->start);
  *value += p->amplitude * vd_sin(phase);
  *rate = p->amplitude * w * vd_cos(phase);
}

double vd_profile_sine_corner(const vd_profile_sine *p, double t) {
  return vd_profile_corner_after(t, (const double[]){p->start, sine_end(p)}, 2);
}

/* Two functions return the times at which the dwell begins and ends, s. The profile is one period of a sine whose
 * second peak, at 3/4 of the period, is kept for the dwell. After the end h of the dwell the last quarter follows:
 * sin(3 pi/2 + w (t - h)) = -cos(w (t - h)). */
static double hold_from(const vd_profile_dwell *p) {
  return p->start + 0.75 / p->frequency;
}

static double hold_to(const vd_profile_dwell *p) {
  return hold_from(p) + p->dwell;
}

static double dwell_end(const vd_profile_dwell *p) {
  return hold_to(p) + 0.25 / p->frequency;
}

void vd_profile_dwell_at(const vd_profile_dwell *p, double inside, double t, double *value, double *rate) {
  *value = p->from;
  if (inside <= p->start || inside >= dwell_end(p))
    return;
  double w = 2.0 * VD_PI * p->frequency;
  if (inside < hold_from(p)) {
    double phase = w * (t - p->start);
    *value += p->amplitude * vd_sin(phase);
    *rate = p->amplitude * w * vd_cos(phase);
  } else if (inside < hold_to(p)) {
    *value -= p->amplitude;
  } else {
    double phase = w * (t - hold_to(p));
    *value -= p->amplitude * vd_cos(phase);
    *rate = p->amplitude * w * vd_sin(phase);
  }
}

double vd_profile_dwell_corner(const vd_profile_dwell *p, double t) {
  /* at the start of the dwell the slope is 0 on both sides, but the curvature jumps */
  return vd_profile_corner_after(t, (const double[]){p->start, hold_from(p), hold_to(p), dwell_end(p)}, 4);
}

/* Evaluates a chirp. Its phase is the integral of 2 pi times the frequency f(s) over the time s since the start:
 *   linear       f = f0 + (f1 - f0) s/T        phase = 2 pi (f0 s + (f1 - f0) s^2/(2 T))
 *   logarithmic  f = f0 (f1/f0)^(s/T)          phase = 2 pi T f0/ln(f1/f0) ((f1/f0)^(s/T) - 1)
 * The logarithmic phase tends to the linear one as f1 -> f0. */
void vd_profile_chirp_at(const vd_profile_chirp *p, double inside, double t, double *value, double *rate) {
  *value = p->from;
  if (inside <= p->start || inside >= p->start + p->duration)
    return;
  double s = t - p->start, f0 = p->frequency, f1 = p->end_frequency, f, turns;
  double octaves = vd_log(f1 / f0);
  if (p->logarithmic && fabs(octaves) > 1e-9) {
    f = f0 * vd_exp(octaves * s / p->duration);
    turns = (f - f0) * p->duration / octaves;
  } else {
    double slope = (f1 - f0) / p->duration;
    f = f0 + slope * s;
    turns = (f0 + 0.5 * slope * s) * s;
  }
  *value += p->amplitude * vd_sin(2.0 * VD_PI * turns);
  *rate = p->amplitude * 2.0 * VD_PI * f * vd_cos(2.0 * VD_PI * turns);
}

double vd_profile_chirp_corner(const vd_profile_chirp *p, double t) {
  return vd_profile_corner_after(t, (const double[]){p->start, p->start + p->duration}, 2);
}
