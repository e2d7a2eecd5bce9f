#include "profile.h"

#include "base.h"

#include <math.h>

#define WHEN VD_WHEN

enum {
  STEPPED = 1u << VD_PROFILE_STEP,
  RAMPED = 1u << VD_PROFILE_RAMP,
  WAVES = 1u << VD_PROFILE_SINE | 1u << VD_PROFILE_CHIRP,
  STARTED = STEPPED | RAMPED | WAVES,
};

static const char *const type_names[] = {"none", "constant", "step", "ramp", "sine", "chirp", "table", NULL};

static const double huge = 1e12;

/* clang-format off */
static const vd_field profile_fields[] = {
  {VD_F_CHOICE(vd_profile, type, "type", type_names, "constant", "kind of input")},
  {VD_F_NUMBER(vd_profile, value, "value", "@", -huge, huge, 0, NULL, "the constant, or the value after the step"),
   .only = WHEN(VD_PROFILE_CONSTANT) | STEPPED},
  {VD_F_NUMBER(vd_profile, from, "from", "@", -huge, huge, 0, "0", "value before the start; a sine or chirp swings about it"),
   .only = STARTED},
  {VD_F_NUMBER(vd_profile, start, "start", "s", 0, 1e6, 0, "0", "time at which it begins"), .only = STARTED},
  {VD_F_NUMBER(vd_profile, rise, "rise", "s", 0, 1e6, 0, "0", "time of the linear rise from 0 to 100 %; 0: at once"), .only = STEPPED},
  {VD_F_NUMBER(vd_profile, rate, "rate", "@/s", -huge, huge, 0, NULL, "slope"), .only = RAMPED},
  {VD_F_NUMBER(vd_profile, amplitude, "amplitude", "@", -huge, huge, 0, NULL, "half of peak to peak"), .only = WAVES},
  {VD_F_NUMBER(vd_profile, frequency, "frequency", "1/s", 0, 1e3, VD_ABOVE, NULL, "frequency, of a chirp the first one"), .only = WAVES},
  {VD_F_NUMBER(vd_profile, end_frequency, "end_frequency", "1/s", 0, 1e3, VD_ABOVE, NULL, "last frequency"), .only = WHEN(VD_PROFILE_CHIRP)},
  {VD_F_NUMBER(vd_profile, duration, "duration", "s", 0, 1e6, VD_ABOVE, NULL, "time from start to end; the end value is held, a chirp falls back to `from`"),
   .only = RAMPED | WHEN(VD_PROFILE_CHIRP)},
  {VD_F_INTEGER(vd_profile, cycles, "cycles", 0, 1000000, "0", "whole periods, then `from`; 0: without end"), .only = WHEN(VD_PROFILE_SINE)},
  {VD_F_FLAG(vd_profile, logarithmic, "logarithmic", "false", "the frequency grows exponentially instead of linearly"), .only = WHEN(VD_PROFILE_CHIRP)},
  {VD_F_PATH(vd_profile, file, "file", "\"\"", "CSV file with a column t_s and the values in SI"), .only = WHEN(VD_PROFILE_TABLE)},
  {VD_F_STRING(vd_profile, column, "column", "\"\"", "column of the file; empty: the only one beside t_s"), .only = WHEN(VD_PROFILE_TABLE)},
  {VD_F_POINTS(vd_profile, points, "points", "@", -huge, huge, "[]", "pairs [time, value] instead of a file; linear between, held outside"),
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

static void table_at(const vd_profile *p, double inside, double t, double *value, double *rate) {
  long i = point_before(&p->points, inside);
  if (i < 0) {
    *value = p->points.xy[1];
    return;
  }
  const double *a = p->points.xy + 2 * i;
  *value = a[1];
  if ((size_t)i + 1 < p->points.count) {
    *rate = (a[3] - a[1]) / (a[2] - a[0]);
    *value += *rate * (t - a[0]);
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
  }
}

double vd_profile_next_corner(const vd_profile *p, double t) {
  double end = INFINITY;
  switch ((enum vd_profile_type)p->type) {
  case VD_PROFILE_NONE:
  case VD_PROFILE_CONSTANT: return INFINITY;
  case VD_PROFILE_STEP: end = p->start + p->rise; break;
  case VD_PROFILE_RAMP:
  case VD_PROFILE_CHIRP: end = p->start + p->duration; break;
  case VD_PROFILE_SINE:
    if (p->cycles > 0)
      end = p->start + p->cycles / p->frequency;
    break;
  case VD_PROFILE_TABLE: {
    size_t i = (size_t)(point_before(&p->points, t) + 1);
    return i < p->points.count ? p->points.xy[2 * i] : INFINITY;
  }
  }
  return t < p->start ? p->start : t < end ? end : INFINITY;
}

void vd_profile_range(const vd_profile *p, double *lowest, double *highest) {
  double a = p->from, b = p->from;
  switch ((enum vd_profile_type)p->type) {
  case VD_PROFILE_NONE: a = b = 0.0; break;
  case VD_PROFILE_CONSTANT: a = b = p->value; break;
  case VD_PROFILE_STEP: b = p->value; break;
  case VD_PROFILE_RAMP: b = p->from + p->rate * p->duration; break;
  case VD_PROFILE_SINE:
  case VD_PROFILE_CHIRP:
    a = p->from - fabs(p->amplitude);
    b = p->from + fabs(p->amplitude);
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
