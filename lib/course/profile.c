#include "course/profile.h"

#include "base/base.h"
#include "math/steffen.h"

#include <math.h>

#define WHEN VD_WHEN

enum {
  STEPPED = 1u << VD_PROFILE_STEP,
  RAMPED = 1u << VD_PROFILE_RAMP,
  DWELLING = 1u << VD_PROFILE_DWELL,
  PULSED = 1u << VD_PROFILE_PULSE,
  WAVES = 1u << VD_PROFILE_SINE | 1u << VD_PROFILE_CHIRP | DWELLING,
  NOISY = 1u << VD_PROFILE_RANDOM,
  STARTED = STEPPED | RAMPED | WAVES | PULSED | NOISY,
};

static const char *const type_names[] = {"none",  "constant",        "step",  "ramp",   "sine", "chirp",
                                         "table", "sine_with_dwell", "pulse", "random", NULL};
static const char *const interpolation_names[] = {"hold", "linear", "smooth", NULL};
static const char *const shape_names[] = {"triangle", "half_sine", "rectangle", NULL};

static const double huge = 1e12;

/* clang-format off */
static const vd_field profile_fields[] = {
  {VD_F_CHOICE(vd_profile, type, "type", type_names, "constant", "kind of input")},
  {VD_F_NUMBER(vd_profile, value, "value", "@", -huge, huge, 0, NULL, "the constant, or the value after the step"),
   .only = WHEN(VD_PROFILE_CONSTANT) | STEPPED},
  {VD_F_NUMBER(vd_profile, from, "from", "@", -huge, huge, 0, "0", "value before the start; waves and noise swing about it, a pulse returns to it"),
   .only = STARTED},
  {VD_F_NUMBER(vd_profile, start, "start", "s", 0, 1e6, 0, "0", "time at which it begins"), .only = STARTED},
  {VD_F_NUMBER(vd_profile, rise, "rise", "s", 0, 1e6, 0, "0", "time of the linear rise from 0 to 100 %; 0: at once"), .only = STEPPED},
  {VD_F_NUMBER(vd_profile, rate, "rate", "@/s", -huge, huge, 0, NULL, "slope"), .only = RAMPED},
  {VD_F_NUMBER(vd_profile, amplitude, "amplitude", "@", -huge, huge, 0, NULL, "peak over `from`; of a wave half of peak to peak"), .only = WAVES | PULSED},
  {VD_F_NUMBER(vd_profile, frequency, "frequency", "1/s", 0, 1e3, VD_ABOVE, NULL, "frequency, of a chirp the first one, of noise the lowest"), .only = WAVES | NOISY},
  {VD_F_NUMBER(vd_profile, end_frequency, "end_frequency", "1/s", 0, 1e3, VD_ABOVE, NULL, "last frequency, of noise the highest"), .only = WHEN(VD_PROFILE_CHIRP) | NOISY},
  {VD_F_NUMBER(vd_profile, duration, "duration", "s", 0, 1e6, VD_ABOVE, NULL, "time from start to end; the end of a ramp is held, a chirp and a pulse fall back to `from`"),
   .only = RAMPED | WHEN(VD_PROFILE_CHIRP) | PULSED},
  {VD_F_NUMBER(vd_profile, dwell, "dwell", "s", 0, 1e6, 0, "0.5", "time for which the second peak is held"), .only = DWELLING},
  {VD_F_CHOICE(vd_profile, shape, "shape", shape_names, "triangle", "shape of the pulse"), .only = PULSED},
  {VD_F_INTEGER(vd_profile, cycles, "cycles", 0, 1000000, "0", "whole periods, then `from`; 0: without end"), .only = WHEN(VD_PROFILE_SINE)},
  {VD_F_FLAG(vd_profile, logarithmic, "logarithmic", "false", "the frequency grows exponentially instead of linearly"), .only = WHEN(VD_PROFILE_CHIRP)},
  {VD_F_NUMBER(vd_profile, rms, "rms", "@", 0, huge, 0, NULL, "root mean square over `from`, in a period"), .only = NOISY},
  {VD_F_INTEGER(vd_profile, seed, "seed", 0, 2147483647, "1", "of the phases"), .only = NOISY},
  {VD_F_NUMBER(vd_profile, fade, "fade", "s", 0, 1e6, 0, "1", "time from the start in which it grows to that; 0: at once"), .only = NOISY},
  {VD_F_NUMBER(vd_profile, period, "period", "s", 0, 1e6, VD_ABOVE, "1000", "it repeats after this time; the inverse is the distance of its lines"), .only = NOISY},
  {VD_F_PATH(vd_profile, file, "file", "\"\"", "CSV file with a column t_s and the values in SI"), .only = WHEN(VD_PROFILE_TABLE)},
  {VD_F_STRING(vd_profile, column, "column", "\"\"", "column of the file; empty: the only one beside t_s"), .only = WHEN(VD_PROFILE_TABLE)},
  {VD_F_POINTS(vd_profile, points, "points", "@", -huge, huge, "[]", "pairs [time, value] instead of a file; held outside"), .only = WHEN(VD_PROFILE_TABLE)},
  {VD_F_CHOICE(vd_profile, interpolation, "interpolation", interpolation_names, "linear", "between the points: last value, lines, or cubics that never overshoot"),
   .only = WHEN(VD_PROFILE_TABLE)},
};
/* clang-format on */

const vd_schema vd_profile_schema = {
    .name = "input",
    .size = sizeof(vd_profile),
    .field = profile_fields,
    .count = VD_COUNT(profile_fields),
    .tag = "type",
    .shorthand = "value",
};

static void step_at(const vd_profile *p, double inside, double t, double *value, double *rate) {
  if (inside >= p->start + p->rise) {
    *value = p->value;
  } else if (inside > p->start) {
    *rate = (p->value - p->from) / p->rise;
    *value = p->from + *rate * (t - p->start);
  }
}

static void ramp_at(const vd_profile *p, double inside, double t, double *value, double *rate) {
  if (inside >= p->start + p->duration) {
    *value = p->from + p->rate * p->duration;
  } else if (inside > p->start) {
    *value = p->from + p->rate * (t - p->start);
    *rate = p->rate;
  }
}

static void sine_at(const vd_profile *p, double inside, double t, double *value, double *rate) {
  if (inside <= p->start || (p->cycles > 0 && inside >= p->start + p->cycles / p->frequency))
    return;
  double w = 2.0 * VD_PI * p->frequency, phase = w * (t - p->start);
  *value += p->amplitude * sin(phase);
  *rate = p->amplitude * w * cos(phase);
}

/* One period of a sine whose second peak, at 3/4 of the period, is held. The rest is the last quarter from the end h of
 * the holding on: sin(3 pi/2 + w (t - h)) = -cos(w (t - h)). */
static double hold_from(const vd_profile *p) {
  return p->start + 0.75 / p->frequency;
}

static double hold_to(const vd_profile *p) {
  return hold_from(p) + p->dwell;
}

static double dwell_end(const vd_profile *p) {
  return hold_to(p) + 0.25 / p->frequency;
}

static void dwell_at(const vd_profile *p, double inside, double t, double *value, double *rate) {
  if (inside <= p->start || inside >= dwell_end(p))
    return;
  double w = 2.0 * VD_PI * p->frequency;
  if (inside < hold_from(p)) {
    double phase = w * (t - p->start);
    *value += p->amplitude * sin(phase);
    *rate = p->amplitude * w * cos(phase);
  } else if (inside < hold_to(p)) {
    *value -= p->amplitude;
  } else {
    double phase = w * (t - hold_to(p));
    *value -= p->amplitude * cos(phase);
    *rate = p->amplitude * w * sin(phase);
  }
}

/* Phase is the integral of the frequency f(s) over the time s since the start:
 *   linear       f = f0 + (f1 - f0) s/T        phase = 2 pi (f0 s + (f1 - f0) s^2/(2 T))
 *   logarithmic  f = f0 (f1/f0)^(s/T)          phase = 2 pi T f0/ln(f1/f0) ((f1/f0)^(s/T) - 1)
 * and the second tends to the first as f1 -> f0. */
static void chirp_at(const vd_profile *p, double inside, double t, double *value, double *rate) {
  if (inside <= p->start || inside >= p->start + p->duration)
    return;
  double s = t - p->start, f0 = p->frequency, f1 = p->end_frequency, f, turns;
  double octaves = log(f1 / f0);
  if (p->logarithmic && fabs(octaves) > 1e-9) {
    f = f0 * exp(octaves * s / p->duration);
    turns = (f - f0) * p->duration / octaves;
  } else {
    double slope = (f1 - f0) / p->duration;
    f = f0 + slope * s;
    turns = (f0 + 0.5 * slope * s) * s;
  }
  *value += p->amplitude * sin(2.0 * VD_PI * turns);
  *rate = p->amplitude * 2.0 * VD_PI * f * cos(2.0 * VD_PI * turns);
}

static void pulse_at(const vd_profile *p, double inside, double t, double *value, double *rate) {
  if (inside < p->start || inside >= p->start + p->duration)
    return;
  double s = t - p->start, slope = 2.0 * p->amplitude / p->duration, w = VD_PI / p->duration;
  switch ((enum vd_pulse_shape)p->shape) {
  case VD_PULSE_TRIANGLE:
    if (inside < p->start + 0.5 * p->duration) {
      *value += slope * s;
      *rate = slope;
    } else {
      *value += slope * (p->duration - s);
      *rate = -slope;
    }
    break;
  case VD_PULSE_HALF_SINE:
    *value += p->amplitude * sin(w * s);
    *rate = p->amplitude * w * cos(w * s);
    break;
  case VD_PULSE_RECTANGLE: *value += p->amplitude; break;
  }
}

static void random_at(const vd_profile *p, double inside, double t, double *value, double *rate) {
  double noise, slope;
  if (inside <= p->start)
    return;
  vd_profile_random_at(p, t - p->start, &noise, &slope);
  if (inside < p->start + p->fade) {
    double f = (t - p->start) / p->fade; /* 6 f^5 - 15 f^4 + 10 f^3: value, slope and curvature meet at both ends */
    slope = f * f * (f * (f * (6.0 * f - 15.0) + 10.0) * slope + 30.0 * (1.0 - f) * (1.0 - f) / p->fade * noise);
    noise *= f * f * f * (f * (6.0 * f - 15.0) + 10.0);
  }
  *value += noise;
  *rate = slope;
}

/* Index of the last point whose time is <= t, or -1. */
static long point_before(const vd_points *points, double t) {
  size_t low = 0, high = points->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (points->xy[2 * middle] <= t)
      low = middle + 1;
    else
      high = middle;
  }
  return (long)low - 1;
}

/* The cubic with given slopes at both ends, about the end a:
 *   y = y_a + u (d_a + u (c + u b)),  u = t - t_a,  h = t_b - t_a,  s = (y_b - y_a)/h
 *   y(h) = y_b, y'(h) = d_b:  c = (3 s - 2 d_a - d_b)/h,  b = (d_a + d_b - 2 s)/h^2
 * about the nearer end, so that it meets both points to the last bit. */
static void smooth_at(const vd_points *points, size_t i, double t, double *value, double *rate) {
  const double *left = points->xy + 2 * i;
  size_t near = t - left[0] > left[2] - t ? i + 1 : i, far = 2 * i + 1 - near;
  const double *a = points->xy + 2 * near;
  double h = points->xy[2 * far] - a[0], u = t - a[0], s = vd_secant(points, i);
  double da = vd_steffen_slope(points, near), db = vd_steffen_slope(points, far);
  double c = (3.0 * s - 2.0 * da - db) / h, b = (da + db - 2.0 * s) / (h * h);
  *value = a[1] + u * (da + u * (c + u * b));
  *rate = da + u * (2.0 * c + u * 3.0 * b);
}

static void table_at(const vd_profile *p, double inside, double t, double *value, double *rate) {
  long before = point_before(&p->points, inside);
  size_t i = before < 0 ? 0 : (size_t)before;
  const double *a = p->points.xy + 2 * i;
  *value = a[1];
  if (before < 0 || i + 1 == p->points.count)
    return;
  switch ((enum vd_interpolation)p->interpolation) {
  case VD_INTERPOLATE_HOLD: break;
  case VD_INTERPOLATE_LINEAR:
    *rate = vd_secant(&p->points, i);
    *value += *rate * (t - a[0]);
    break;
  case VD_INTERPOLATE_SMOOTH: smooth_at(&p->points, i, t, value, rate); break;
  }
}

void vd_profile_at(const vd_profile *p, double inside, double t, double *value, double *rate) {
  *value = p->from;
  *rate = 0.0;
  switch ((enum vd_profile_type)p->type) {
  case VD_PROFILE_NONE: *value = 0.0; break;
  case VD_PROFILE_CONSTANT: *value = p->value; break;
  case VD_PROFILE_STEP: step_at(p, inside, t, value, rate); break;
  case VD_PROFILE_RAMP: ramp_at(p, inside, t, value, rate); break;
  case VD_PROFILE_SINE: sine_at(p, inside, t, value, rate); break;
  case VD_PROFILE_CHIRP: chirp_at(p, inside, t, value, rate); break;
  case VD_PROFILE_TABLE: table_at(p, inside, t, value, rate); break;
  case VD_PROFILE_DWELL: dwell_at(p, inside, t, value, rate); break;
  case VD_PROFILE_PULSE: pulse_at(p, inside, t, value, rate); break;
  case VD_PROFILE_RANDOM: random_at(p, inside, t, value, rate); break;
  }
}

enum { CORNERS = 4 };

/* Corners of everything but tables, rising; unused places are INFINITY. */
static void corners(const vd_profile *p, double *corner) {
  for (int i = 0; i < CORNERS; i++)
    corner[i] = INFINITY;
  corner[0] = p->start;
  switch ((enum vd_profile_type)p->type) {
  case VD_PROFILE_NONE:
  case VD_PROFILE_CONSTANT:
  case VD_PROFILE_TABLE: corner[0] = INFINITY; break;
  case VD_PROFILE_STEP: corner[1] = p->start + p->rise; break;
  case VD_PROFILE_RAMP:
  case VD_PROFILE_CHIRP: corner[1] = p->start + p->duration; break;
  case VD_PROFILE_SINE: corner[1] = p->cycles > 0 ? p->start + p->cycles / p->frequency : INFINITY; break;
  case VD_PROFILE_DWELL:
    corner[1] = hold_from(p); /* the slope is 0 on both sides here, but the curvature jumps */
    corner[2] = hold_to(p);
    corner[3] = dwell_end(p);
    break;
  case VD_PROFILE_PULSE:
    corner[1] = p->start + (p->shape == VD_PULSE_TRIANGLE ? 0.5 : 1.0) * p->duration;
    corner[2] = p->start + p->duration;
    break;
  case VD_PROFILE_RANDOM: corner[1] = p->fade > 0.0 ? p->start + p->fade : INFINITY; break;
  }
}

double vd_profile_next_corner(const vd_profile *p, double t) {
  if (p->type == VD_PROFILE_TABLE) {
    size_t i = (size_t)(point_before(&p->points, t) + 1);
    return i < p->points.count ? p->points.xy[2 * i] : INFINITY;
  }
  double corner[CORNERS];
  corners(p, corner);
  for (int i = 0; i < CORNERS; i++)
    if (corner[i] > t)
      return corner[i];
  return INFINITY;
}

void vd_profile_range(const vd_profile *p, double *lowest, double *highest) {
  double a = p->from, b = p->from;
  switch ((enum vd_profile_type)p->type) {
  case VD_PROFILE_NONE: a = b = 0.0; break;
  case VD_PROFILE_CONSTANT: a = b = p->value; break;
  case VD_PROFILE_STEP: b = p->value; break;
  case VD_PROFILE_RAMP: b = p->from + p->rate * p->duration; break;
  case VD_PROFILE_PULSE: b = p->from + p->amplitude; break;
  case VD_PROFILE_SINE:
  case VD_PROFILE_DWELL:
  case VD_PROFILE_CHIRP:
    a = p->from - fabs(p->amplitude);
    b = p->from + fabs(p->amplitude);
    break;
  case VD_PROFILE_RANDOM:
    a = p->from - fabs(p->rms) * p->highest;
    b = p->from + fabs(p->rms) * p->highest;
    break;
  case VD_PROFILE_TABLE:
    a = b = p->points.count ? p->points.xy[1] : 0.0;
    for (size_t i = 1; i < p->points.count; i++) {
      a = fmin(a, p->points.xy[2 * i + 1]);
      b = fmax(b, p->points.xy[2 * i + 1]);
    }
    break;
  }
  *lowest = fmin(a, b);
  *highest = fmax(a, b);
}
