/* Declarations that the files of the metrics share: results, which are a value or a reason, and series, each of one
 * channel of the samples. */
#ifndef VD_METRICS_IMPL_H
#define VD_METRICS_IMPL_H

#include "metrics/metrics.h"

#include <math.h>

typedef struct vd_result {
  double value;
  char reason[sizeof((vd_metric *)0)->reason]; /* if not empty, there is no value */
} vd_result;

/* The channels of the samples: ROW(id, name in messages, member, size below which a change does not count, in the unit
 * of the channel). */
#define VD_SAMPLE_SERIES(ROW)                                                                                          \
  ROW(TIME, "time", t, 0.0)                                                                                            \
  ROW(STEER, "steer", steer, 1e-6)                                                                                     \
  ROW(WHEEL, "steering wheel", steering_wheel, 1e-6)                                                                   \
  ROW(TORQUE, "steering torque", torque, 1e-6)                                                                         \
  ROW(THROTTLE, "throttle", throttle, 1e-6)                                                                            \
  ROW(BRAKE, "brake", brake, 1e-6)                                                                                     \
  ROW(VX, "vx", vx, 1e-6)                                                                                              \
  ROW(VY, "vy", vy, 1e-6)                                                                                              \
  ROW(DISTANCE, "distance", distance, 1e-6)                                                                            \
  ROW(X, "x", x, 1e-6)                                                                                                 \
  ROW(Y, "y", y, 1e-6)                                                                                                 \
  ROW(YAW, "yaw", yaw, 1e-6)                                                                                           \
  ROW(AX, "ax", ax, 1e-6)                                                                                              \
  ROW(AY, "ay", ay, 1e-6)                                                                                              \
  ROW(YAW_RATE, "yaw rate", yaw_rate, 1e-6)                                                                            \
  ROW(SIDESLIP, "side slip", sideslip, 1e-5)                                                                           \
  ROW(ROLL, "body roll", roll, 1e-5)                                                                                   \
  ROW(PITCH, "body pitch", pitch, 1e-5)                                                                                \
  ROW(ROLL_RATE, "roll rate", roll_rate, 1e-6)                                                                         \
  ROW(PATH_S, "place along the path", path_s, 1e-6)                                                                    \
  ROW(PATH_ERROR, "path error", path_error, 1e-6)                                                                      \
  ROW(PATH_HEADING, "path heading error", path_heading_error, 1e-6)

#define VD_SERIES_ID(id, name, member, floor) VD_SERIES_##id,
/* clang-format off */
enum vd_series_channel {
  VD_SAMPLE_SERIES(VD_SERIES_ID)
  VD_SERIES_AZ,                                  /* AZ and all following channels are members of vd_ride_sample */
  VD_SERIES_LOAD,                                /* first of four, one for each wheel */
  VD_SERIES_TRAVEL = VD_SERIES_LOAD + VD_WHEELS, /* one for each wheel */
  VD_SERIES_DEFLECTION = VD_SERIES_TRAVEL + VD_WHEELS,
};
/* clang-format on */

typedef struct vd_series_info {
  const char *name; /* in messages */
  size_t offset;    /* offset in vd_sample, from VD_SERIES_AZ on in vd_ride_sample */
  double floor;     /* size below which a change does not count, in the unit of the channel */
} vd_series_info;
extern const vd_series_info vd_series_table[]; /* by enum vd_series_channel */

typedef struct vd_series {
  const vd_sample *sample;
  const vd_ride_sample *ride;
  size_t count;
  enum vd_series_channel channel;
  double sign; /* -1: values have the reversed sign, so that every search is for a rising value */
} vd_series;

/* Makes a result without value, with the reason. */
vd_result vd_metric_refused(const char *format, ...) VD_PRINTF(1, 2);

vd_result vd_metric_known(double value);

bool vd_metric_good(const vd_result *r);

/* Returns the value, or the reason of `possible` if `possible` has a reason. */
vd_result vd_metric_of(vd_result possible, double value);

/* Returns a if a is a reason; otherwise returns b. */
vd_result vd_metric_both(vd_result a, vd_result b);

/* Two functions return the difference and the quotient if both values are known, and otherwise the first reason. */
vd_result vd_metric_subtract(vd_result a, vd_result b);

vd_result vd_metric_divide(vd_result a, vd_result b);

/* Sets the value of a metric of the set that is computed. */
void vd_set_metric(vd_metrics *out, const char *name, vd_result r);

/* Sets one of several metrics whose name is made by a format, for example one for each wheel. */
void vd_set_metric_named(vd_metrics *out, vd_result r, const char *format, ...) VD_PRINTF(3, 4);

vd_series vd_series_of(const vd_recorder *r, enum vd_series_channel channel);

/* Returns the value at sample i times the sign of the series. */
static inline double vd_series_at(const vd_series *x, size_t i) {
  const char *sample = x->channel < VD_SERIES_AZ ? (const char *)&x->sample[i] : (const char *)&x->ride[i];
  return x->sign * *(const double *)(const void *)(sample + vd_series_table[x->channel].offset);
}

/* Returns the reason why the channels cannot be used; empty if they can be used. */
vd_result vd_metric_usable(const vd_recorder *r, const enum vd_series_channel *channel, size_t count);

#define VD_METRIC_USABLE(r, ...)                                                                                       \
  vd_metric_usable(r, (const enum vd_series_channel[]){__VA_ARGS__},                                                   \
                   VD_COUNT(((const enum vd_series_channel[]){__VA_ARGS__})))

/* Returns the first sample, from `from` on, that is at or above the level while the sample before it is below; 0: there
 * is none. */
size_t vd_metric_rises_through(const vd_series *x, size_t from, double level);

/* Returns the first sample at which the magnitude exceeds the level; x->count: there is none. x->sign is set so that
 * the series is positive at this sample. */
size_t vd_metric_onset(vd_series *x, double level);

/* Returns the share of the interval that ends at sample i after which the level is reached. */
double vd_metric_share(const vd_series *x, size_t i, double level);

/* Returns the value after a share of the interval that ends at sample i. */
double vd_metric_between(const vd_series *x, size_t i, double part);

/* Two functions return a share of the interval that ends at sample i. vd_metric_leaves_rest: a value that is at rest up
 * to sample i - 1 begins to move after this share. The share is computed from the rate in the next interval; a jump
 * counts as occurring at the sample itself. vd_metric_comes_to_rest: a value that moves up to sample i - 1 comes to
 * rest after this share. The share is computed from the rate in the previous interval. Both shares are exact for ramps,
 * for any interval. */
double vd_metric_leaves_rest(const vd_series *x, size_t i);
double vd_metric_comes_to_rest(const vd_series *x, size_t i);

/* Finds the top of the parabola through the highest sample and its two neighbours. At a corner or a jump the curvature
 * differs from the curvature at the neighbours; the parabola is then not valid, and the sample itself is the top. */
void vd_metric_refine_peak(const vd_series *x, size_t i, double *t, double *height);

/* Returns the mean over the last `window` seconds, if the channel is steady there. */
vd_result vd_metric_steady_value(const vd_recorder *r, enum vd_series_channel channel, double window);

/* Returns the mean over the window that ends at the instant `end`, s, if the channel is steady there. */
vd_result vd_metric_steady_until(const vd_recorder *r, enum vd_series_channel channel, double window, double end);

/* Returns the end, s, of a time span after the instant `start`, if the run lasts until then. what: words for `start` in
 * messages. */
vd_result vd_metric_after(const vd_recorder *r, vd_result possible, double start, double span, const char *what);

/* Returns the number of samples per second; there must be at least two samples. */
double vd_metric_rate(const vd_recorder *r);

/* vd_metric_index returns the first sample that is not before t. vd_metric_value returns the value at t on a straight
 * line between two samples. t must lie within the run. */
size_t vd_metric_index(const vd_recorder *r, double t);
double vd_metric_value(const vd_recorder *r, enum vd_series_channel channel, double t);

/* True if x deviates by at most `most` from its value at sample i over `reach` samples to either side; the run must
 * contain them. Ten samples are examined; faster oscillations between them are not detected. */
bool vd_metric_quasi_steady(const vd_series *x, size_t i, size_t reach, double most);

/* Returns the number of samples in a time span, at least 1. */
size_t vd_metric_reach(const vd_recorder *r, double time);

/* Fit of a straight line by least squares, point by point; all members are 0 at first. */
typedef struct vd_fitted_line {
  double n, x, y;        /* number of points; means */
  double xx, xy;         /* sums about the means */
  double least, highest; /* bounds of x */
} vd_fitted_line;

void vd_line_add(vd_fitted_line *line, double x, double y);

static inline double vd_line_slope(const vd_fitted_line *line) {
  return line->xy / line->xx;
}

static inline double vd_line_at(const vd_fitted_line *line, double x) {
  return line->y + vd_line_slope(line) * (x - line->x);
}

vd_result vd_metric_scaled(vd_result r, double factor);

/* Returns the root of the mean square over time of the deviation from `level`, linear between samples: for a deviation
 * that changes from a to b the mean square is (a^2 + a b + b^2)/3. */
double vd_metric_root_mean_square(const vd_series *x, double level);

double vd_metric_largest_magnitude(const vd_series *x);

extern const double vd_metric_lowest_speed; /* m/s, below this speed the direction of motion is not meaningful */

/* Returns the reason that levels below `least` do not have the quantity; empty at `least` and above. */
vd_result vd_metric_from_level(const vd_recorder *r, enum vd_level least, const char *what);

/* Returns `possible` if it is a reason; otherwise the reason why the channel cannot be used, which is empty if the
 * channel can be used. */
vd_result vd_metric_checked(const vd_recorder *r, vd_result possible, enum vd_series_channel channel);

/* Returns the largest magnitude over the run, if there are values. */
vd_result vd_metric_peak(const vd_recorder *r, vd_result possible, enum vd_series_channel channel);

/* Returns the largest value from sample `from` to sample `to`, both included. */
double vd_metric_largest(const vd_series *x, size_t from, size_t to);

/* Time and distance at an instant between samples. */
typedef struct vd_mark {
  double t, distance; /* s, m */
} vd_mark;

/* Returns time and distance after a share of the interval that ends at sample i. */
vd_mark vd_metric_mark(const vd_recorder *r, size_t i, double part);

/* Computes the quantities of a row that are fitted over ay, with the signs of a turn to the left; false: the row is not
 * used. */
typedef bool vd_circle_values(const vd_recorder *r, size_t row, double *value);

/* Returns the understeer gradient, rad s2/m, as the set `steady_circular` finds it. In addition fits a line over ay to
 * each quantity of `values'. The fit uses the rows of the window for which `values' returns true; `values' is called in
 * the order of the rows. */
vd_result vd_circle_lines(const vd_recorder *r, vd_circle_values *values, size_t count, vd_fitted_line *line);

/* --- for the set `stunt` --- */

/* Returns the sum of the loads of all wheels, N. */
static inline double vd_stunt_load(const vd_stunt_sample *s) {
  return s->load[VD_FL] + s->load[VD_FR] + s->load[VD_RL] + s->load[VD_RR];
}

static inline double vd_stunt_length(const double *v) {
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Sets the metrics whose names begin with `loop`; good: reason why these metrics have no values; may be empty. */
void vd_stunt_set_loop(const vd_recorder *r, vd_result good, vd_metrics *out);

#define VD_DECLARE_SET(key) extern const vd_metric_set vd_metrics_##key;
VD_DECLARE_SET(run) VD_METRIC_SETS(VD_DECLARE_SET, VD_DECLARE_SET)
#undef VD_DECLARE_SET

#endif
