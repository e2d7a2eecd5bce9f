/* Inputs over time: constant, step, ramp, sine, sine with dwell, chirp, pulse, noise and tables.
 *
 * A profile is piecewise smooth. Its corners (the start of a step, a point of a table) are known, and
 * the simulation splits its steps there, so that Runge-Kutta never integrates across one. */
#ifndef VD_PROFILE_H
#define VD_PROFILE_H

#include "input/schema.h"

enum vd_profile_type {
  VD_PROFILE_NONE, /* no input of this kind */
  VD_PROFILE_CONSTANT,
  VD_PROFILE_STEP,
  VD_PROFILE_RAMP,
  VD_PROFILE_SINE,
  VD_PROFILE_CHIRP,
  VD_PROFILE_TABLE,
  VD_PROFILE_DWELL, /* sine with dwell, FMVSS 126: the second peak is held */
  VD_PROFILE_PULSE,
  VD_PROFILE_RANDOM, /* band-limited noise, see profile_random.c */
};

/* Between the points of a table. */
enum vd_interpolation {
  VD_INTERPOLATE_HOLD,   /* the last point's value */
  VD_INTERPOLATE_LINEAR, /* straight lines */
  VD_INTERPOLATE_SMOOTH, /* cubics with a continuous slope that never leave the range of their two points (Steffen 1990) */
};

enum vd_pulse_shape {
  VD_PULSE_TRIANGLE, /* ISO 7401 pulse input */
  VD_PULSE_HALF_SINE,
  VD_PULSE_RECTANGLE,
};

typedef struct vd_profile {
  int type;                        /* enum vd_profile_type */
  double value;                    /* constant: the value; step: the final value; unit of the input */
  double from;                     /* value before the start */
  double start;                    /* s */
  double rise;                     /* step: s from `from` to `value`; 0: at once */
  double rate;                     /* ramp: slope, unit/s */
  double amplitude;                /* sine, dwell, chirp, pulse: its height over `from` */
  double frequency, end_frequency; /* Hz: sine, dwell; chirp and noise from, to */
  double duration;                 /* s: ramp, chirp, pulse; ramp: the slope's length; pulse: its whole width */
  double dwell;                    /* s: dwell: how long the peak of the third quarter is held */
  int shape;                       /* enum vd_pulse_shape */
  int interpolation;               /* enum vd_interpolation: table */
  int cycles;                      /* sine: whole periods; 0: without end */
  bool logarithmic;                /* chirp: frequency grows exponentially, equal time per octave */
  double rms;                      /* random: root mean square over `from` */
  double fade;                     /* s: random: from the start on it grows to this */
  double period;                   /* s: random: it repeats */
  int seed;                        /* random */
  const double *piece;             /* random: by vd_profile_random; six numbers of each */
  double pieces, highest;          /* how many in a period; what its magnitude never passes, for an r.m.s. of 1 */
  const char *file;                /* table: CSV, read by the scenario into points */
  const char *column;
  vd_points points; /* table: held outside */
} vd_profile;

extern const vd_schema vd_profile_schema;

/* Value (unit of the input) and its rate (unit/s) at time t, in the piece that holds time `inside`: at a
 * corner the side of `inside` counts. */
void vd_profile_at(const vd_profile *p, double inside, double t, double *value, double *rate);

/* The first corner later than t, or INFINITY. */
double vd_profile_next_corner(const vd_profile *p, double t);

/* The smallest and largest value that the profile ever takes (bounds for sine and chirp). */
void vd_profile_range(const vd_profile *p, double *lowest, double *highest);

/* What a random profile is evaluated from, if its band holds lines and not too many; in the arena. */
void vd_profile_random(vd_profile *p, vd_arena *arena);
/* Errors of its band; key is the profile's in root. */
void vd_profile_check_random(const vd_profile *p, const char *key, const vd_node *root, vd_diag *d);
/* Value and rate in the time s since its start, without `from`. */
void vd_profile_random_at(const vd_profile *p, double s, double *value, double *rate);

/* Reads a table's CSV into its points, makes a random profile's pieces, and checks that the profile stays within a range; unit (" m/s") is for the message. key is
 * the profile's in root. */
void vd_profile_check(vd_profile *p, const char *key, double lowest, double highest, const char *unit,
                      const vd_node *root, vd_arena *arena, vd_diag *d);

#endif
