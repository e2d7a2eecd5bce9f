/* Inputs over time: constant, step, ramp, sine, sine with dwell, chirp, pulse, noise and tables.
 *
 * A profile is piecewise smooth. Its corners (the start of a step, a point of a table) are known, and
 * the simulation splits its steps there, so that Runge-Kutta never integrates across one. */
#ifndef VD_PROFILE_H
#define VD_PROFILE_H

#include "base/arena.h"
#include "base/list.h"

#include <stdbool.h>

enum vd_profile_type {
  VD_PROFILE_NONE, /* no input of this kind */
  VD_PROFILE_CONSTANT,
  VD_PROFILE_STEP,
  VD_PROFILE_RAMP,
  VD_PROFILE_SINE,
  VD_PROFILE_CHIRP,
  VD_PROFILE_TABLE,
  VD_PROFILE_DWELL, /* sine with dwell, FMVSS 126: the second peak is kept for a time */
  VD_PROFILE_PULSE,
  VD_PROFILE_RANDOM, /* band-limited noise, see profile_random.c */
};

/* Values are in the unit of the input, frequencies in Hz. `from` is the value before `start` (s). */

typedef struct vd_profile_constant {
  double value;
} vd_profile_constant;

typedef struct vd_profile_step {
  double from, start;
  double value; /* final value */
  double rise;  /* s, time from `from` to `value`; 0: at once */
} vd_profile_step;

typedef struct vd_profile_ramp {
  double from, start;
  double rate;     /* unit/s */
  double duration; /* s, duration of the slope; its final value remains */
} vd_profile_ramp;

typedef struct vd_profile_sine {
  double from, start;
  double amplitude, frequency;
  int cycles; /* number of whole periods; 0: without end */
} vd_profile_sine;

typedef struct vd_profile_dwell {
  double from, start;
  double amplitude, frequency;
  double dwell; /* s: time for which the peak at 3/4 of the period is kept */
} vd_profile_dwell;

typedef struct vd_profile_chirp {
  double from, start;
  double amplitude, frequency, end_frequency;
  double duration;  /* s */
  bool logarithmic; /* the frequency grows exponentially, with equal time per octave */
} vd_profile_chirp;

enum vd_pulse_shape {
  VD_PULSE_TRIANGLE, /* ISO 7401 pulse input */
  VD_PULSE_HALF_SINE,
  VD_PULSE_RECTANGLE,
};

typedef struct vd_profile_pulse {
  double from, start;
  double amplitude; /* height above `from` */
  double duration;  /* s, the whole width */
  int shape;        /* enum vd_pulse_shape */
} vd_profile_pulse;

typedef struct vd_profile_random {
  double from, start;
  double frequency, end_frequency; /* Hz: lowest and highest frequency of the band */
  double rms;                      /* root mean square about `from` */
  double fade;                     /* s: time from the start to the full amplitude */
  double period;                   /* s: period after which the noise repeats */
  int seed;
  /* [6 pieces + 6], six numbers for each piece and for one more, made by vd_profile_random_build */
  const double *piece;
  double pieces;  /* number of pieces in a period */
  double highest; /* bound of the magnitude of the noise for an r.m.s. of 1 */
} vd_profile_random;

/* How a table is interpolated between its points. */
enum vd_interpolation {
  VD_INTERPOLATE_HOLD,   /* value of the last point */
  VD_INTERPOLATE_LINEAR, /* straight lines */
  /* cubics with a continuous slope; between two points they stay within the values of these points (Steffen 1990) */
  VD_INTERPOLATE_SMOOTH,
};

typedef struct vd_profile_table {
  vd_points points;  /* the value is constant before the first and after the last point */
  int interpolation; /* enum vd_interpolation */
} vd_profile_table;

typedef struct vd_profile {
  int type; /* enum vd_profile_type */
  union {
    vd_profile_constant constant;
    vd_profile_step step;
    vd_profile_ramp ramp;
    vd_profile_sine sine;
    vd_profile_chirp chirp;
    vd_profile_table table;
    vd_profile_dwell dwell;
    vd_profile_pulse pulse;
    vd_profile_random random;
  } as;
} vd_profile;

/* True if the input is given. */
static inline bool vd_profile_is_given(const vd_profile *p) {
  return p->type != VD_PROFILE_NONE;
}

/* True if the profile is a constant; *value is then its value. Inline, because most inputs are constants. */
static inline bool vd_profile_is_constant(const vd_profile *p, double *value) {
  if (p->type != VD_PROFILE_CONSTANT)
    return false;
  *value = p->as.constant.value;
  return true;
}

/* Computes the value (unit of the input) and its rate (unit/s) at the time t, from the piece that contains the time
 * `inside`. If t is a corner, `inside` selects the side. */
void vd_profile_at(const vd_profile *p, double inside, double t, double *value, double *rate);

/* Returns the second derivative of a table, unit/s2, at the time t, from the piece that contains `inside`; 0 for all
 * other profiles. */
double vd_profile_second_derivative(const vd_profile *p, double inside, double t);

/* True if the value (rate: also its rate) is continuous for certain; false for every chirp and every noise. */
bool vd_profile_is_continuous(const vd_profile *p, bool rate);

/* Returns the time of the first corner after t, s, or INFINITY. */
double vd_profile_next_corner(const vd_profile *p, double t);

/* Computes bounds of all values of the profile; waves and noise need not reach them. NAN: a number is auto and not
 * found yet. */
void vd_profile_range(const vd_profile *p, double *lowest, double *highest);

/* True if all values of the profile are whole numbers. */
bool vd_profile_is_integer(const vd_profile *p);

/* Returns the highest frequency of a wave, noise or rounded pulse, Hz, and the key that gives it; 0: there is none.
 * Steps must be short enough to sample it. Straight pieces and tables need no sampling: steps are split at every corner
 * and point. */
double vd_profile_highest_frequency(const vd_profile *p, const char **key);

/* Changes the sign of every value. New points are in the arena. */
void vd_profile_negate(vd_profile *p, vd_arena *arena);

/* Computes the pieces from which a random profile is evaluated, in the arena. There are none if the band contains no
 * line or too many. */
void vd_profile_random_build(vd_profile_random *p, vd_arena *arena);

#endif
