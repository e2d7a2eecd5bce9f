/* Metrics: numbers of a run, by the definitions of the standards.
 *
 * A recorder stores the quantities that the metrics need at every step of the solver, so that the metrics do not depend
 * on the rate of the log. A metric that cannot be computed has a reason in place of a value. */
#ifndef VD_METRICS_H
#define VD_METRICS_H

#include "sim/error_estimate.h"
#include "sim/ledger_share.h"
#include "sim/modes.h"
#include "model/understeer.h"
#include "sim/smooth.h"
#include "math/spectrum.h"

/* Quantities that are recorded at every step. */
typedef struct vd_sample {
  double t;              /* s */
  double steer;          /* rad, mean road wheel angle */
  double steering_wheel; /* rad */
  double torque;         /* N m, at the steering wheel; 0 at levels without steering torque */
  double throttle, brake;
  double vx, vy;   /* m/s */
  double distance; /* m */
  /* m, rad: position of the centre of gravity in the world and yaw angle, as in the log. x, y, yaw, roll, pitch and
   * torque are NAN in rows whose view (enum vd_view) lacks them */
  double x, y, yaw;
  double ax, ay;                         /* m/s2 */
  double yaw_rate;                       /* rad/s */
  double sideslip;                       /* rad */
  double roll, pitch;                    /* rad, of the body relative to the road; 0 at levels without these angles */
  double roll_rate;                      /* rad/s; 0 at levels without roll rate */
  double path_s;                         /* m, along the path; path_s and the errors are 0 without a path */
  double path_error, path_heading_error; /* m, rad */
} vd_sample;

/* Recorded in addition if a set with VD_NEEDS_WHEELS is requested. */
typedef struct vd_ride_sample {
  double az;                /* m/s2, vertical, of the centre of gravity; 0 at levels without this acceleration */
  double load[VD_WHEELS];   /* N */
  double travel[VD_WHEELS]; /* m, bump > 0; 0 at levels without travel */
  /* m, of the tyre; < 0: the wheel is above the road; 0 at levels without this deflection */
  double deflection[VD_WHEELS];
} vd_ride_sample;

/* Data of the car and its course, from vd_metrics_car_of. All zero: unknown. */
typedef struct vd_metrics_car {
  double wheelbase;       /* m */
  double to_front;        /* m, from the centre of gravity to the front axle */
  double width;           /* m */
  double ahead, behind;   /* m, from the centre of gravity to the front and the rear end of the body */
  double track[VD_AXLES]; /* m */
  double cg_height;       /* m */
  const vd_path *path;    /* NULL: none */
} vd_metrics_car;

vd_metrics_car vd_metrics_car_of(const vd_model *m);

/* Recorded in addition for the set `stunt`; all zero at levels on which the car cannot leave the road. */
typedef struct vd_stunt_sample {
  double cg[3], cg_speed[3]; /* m, m/s, world: position and velocity of the centre of all masses */
  double load[VD_WHEELS];    /* N */
  double roll, pitch;        /* rad, relative to the horizon */
  double loop_angle;         /* rad, (-pi, pi]; NAN: no loop */
  double energy, ledger;     /* J: total energy, ledger residual */
} vd_stunt_sample;

/* Recorded in addition for the set `cycle`. */
typedef struct vd_cycle_sample {
  double target; /* m/s, commanded speed; vx if no speed is commanded */
} vd_cycle_sample;

/* Recorded in addition for the set `understeer_budget`. */
typedef struct vd_budget_sample {
  bool taken; /* the budget of this sample was computed; budgets are computed for ten samples per second */
  vd_understeer understeer;
} vd_budget_sample;

typedef struct vd_metrics_options {
  double steady_window;        /* s, time before the end of the run, or before an onset, over which steady values are
                                * means */
  double from_speed, to_speed; /* m/s, acceleration: speeds between which time and distance are measured */
  /* m/s2, steady_circular and transition: range of accelerations in which lines are fitted */
  double fit_from, fit_to;
  double linear_tolerance; /* rad, steady_circular: deviation of the road wheel angle from the fitted line */
  double nominal_speed;    /* m/s, stopping: speed to which the distance is corrected */
  /* frequency_response: segment and window, as in `response` of the scenario */
  double segment;        /* s; 0: the whole run, without a window */
  enum vd_window window; /* weighting of a segment */
  bool filtered;         /* sine_with_dwell and slowly_increasing_steer: the filters of the regulations are used */
  bool from_rest;        /* ride: the time at the start in which filters settle is included */
  double unit_angle;     /* rad, sine_with_dwell: A, the steering wheel angle at 0.3 g; auto (NAN): unknown */
} vd_metrics_options;

/* Data of the recorder that a set needs in addition to the samples. */
enum vd_metrics_needs {
  VD_NEEDS_WHEELS = 1,   /* vd_recorder.ride */
  VD_NEEDS_STUNT = 2,    /* vd_recorder.stunt, and the mass */
  VD_NEEDS_MODES = 4,    /* vd_recorder.modes */
  VD_NEEDS_EVEN = 8,     /* samples at equal intervals; a last, shorter interval is left out */
  VD_NEEDS_STATICS = 16, /* vd_recorder.statics */
  VD_NEEDS_BUDGET = 32,  /* vd_recorder.budget, model, command */
  VD_NEEDS_NO_ROWS = 64, /* no samples: running figures are enough, in bounded memory */
  VD_NEEDS_CYCLE = 128,  /* vd_recorder.cycle */
};

/* Samples that are stored only for sets that need them: EACH(value of enum vd_metrics_needs, member of vd_recorder,
 * type of the sample). */
#define VD_FURTHER_SAMPLES(EACH)                                                                                       \
  EACH(VD_NEEDS_WHEELS, ride, vd_ride_sample)                                                                          \
  EACH(VD_NEEDS_STUNT, stunt, vd_stunt_sample)                                                                         \
  EACH(VD_NEEDS_BUDGET, budget, vd_budget_sample)                                                                      \
  EACH(VD_NEEDS_CYCLE, cycle, vd_cycle_sample)

#define VD_SAMPLES_NEED(need, member, type) | (need)
enum { VD_NEEDS_SAMPLES = 0 VD_FURTHER_SAMPLES(VD_SAMPLES_NEED) };
#undef VD_SAMPLES_NEED

typedef struct vd_recorder {
  /* set of enum vd_view: parts of a row that the metrics need, in addition to the parts that are always complete */
  unsigned view;
  vd_reads reads; /* the values that are read from rows within steps of the grid; set by vd_recorder_choose */
  bool keep;      /* samples are stored; if false, only the extremes */
  bool unread;    /* no set reads samples, so that none are stored, even with `keep` */
  unsigned keeps; /* part of VD_NEEDS_SAMPLES: further samples that are stored; to be set before the first row */
  vd_sample *sample;
  vd_ride_sample *ride; /* further samples, as many as samples; NULL if they are not stored */
  vd_stunt_sample *stunt;
  vd_budget_sample *budget;
  vd_cycle_sample *cycle;
  const vd_model *model; /* model and command are set by the caller for the budget, and must outlive the run */
  const vd_command *command;
  double budget_due; /* s, time of the next budget */
  size_t count, capacity;
  /* extremes over all steps */
  double peak_ay, peak_yaw_rate, peak_sideslip; /* largest magnitudes */
  double peak_kinetic, peak_ledger;             /* J: largest kinetic energy, largest |ledger residual| */
  vd_ledger_share ledger;                       /* the caller sets the member `rest` */
  vd_error_share error;                         /* error of the integration; set by the caller at the end */
  double min_load;                              /* N */
  double tipping_time;                          /* s */
  bool tipping;                                 /* the car tips at the last row */
  vd_sample first, last;                        /* last: set only if no samples are stored; see vd_recorder_last */
  /* with samples for `stunt` or `cycle`: first and last row, for the changes of energies and works */
  vd_row first_row, last_row;
  double mass; /* kg, of the vehicle; set by the caller, for the set `stunt` */
  size_t rows; /* number of rows, whether stored or not */
  /* the car was faster than 1 m/s at some step; side slip angles count only at such steps */
  bool moved;
  bool path;                         /* there is a path: a row had a position on the path or an error */
  enum vd_level level;               /* level of the model that gave the rows */
  bool linearised;                   /* `modes` is set */
  bool stands;                       /* `statics` is set */
  vd_statics statics;                /* set by the caller if the set `statics` is requested */
  vd_modes modes;                    /* modes at the start; set by the caller if the set `modes` is requested */
  vd_metrics_car car;                /* set by the caller, for the sets that need it */
  const vd_metrics_options *options; /* set while a set of metrics is computed */
} vd_recorder;

void vd_recorder_init(vd_recorder *r, bool keep);
void vd_recorder_finish(vd_recorder *r);
/* Allocates memory for a number of samples. */
void vd_recorder_reserve(vd_recorder *r, size_t capacity);
/* Chooses the values that are read from rows. They are determined by the recorder's view and by the samples that it
 * stores; for the sets `stunt`, `understeer_budget` and `cycle` all values are read. */
void vd_recorder_choose(vd_recorder *r);
/* Returns the sample of the last row. */
static inline const vd_sample *vd_recorder_last(const vd_recorder *r) {
  return r->count > 0 ? &r->sample[r->count - 1] : &r->last;
}

/* Adds one row. Rows come in order and at equal intervals, except that the last interval may be shorter. */
void vd_recorder_add(vd_recorder *r, const vd_row *row, enum vd_level level);

/* Raises *peak to the magnitude of the value. A NaN in *peak remains. */
void vd_peak_raise(double *peak, double value);

enum { VD_METRICS_MAX = 512 };

typedef struct vd_metric {
  const char *name; /* quantity_unit */
  const char *unit;
  double value; /* NAN: not computed */
  const char *definition;
  char reason[160]; /* reason why there is no value, or a remark on the value; may be empty */
} vd_metric;

typedef struct vd_metrics {
  vd_metric metric[VD_METRICS_MAX];
  size_t count;
} vd_metrics;

/* Description of a metric; tables of metrics and --list-metrics take their columns from it. */
typedef struct vd_metric_info {
  const char *name; /* quantity_unit */
  const char *unit, *definition;
} vd_metric_info;

/* A set of metrics: the key by which a scenario requests the set, and the metrics in their order. Each set is defined
 * in one file, together with the code that computes it. */
typedef struct vd_metric_set {
  const char *key, *title; /* key: in a scenario; title: for readers */
  const char *standard;    /* standard that defines the metrics; NULL: none */
  unsigned needs;          /* enum vd_metrics_needs */
  unsigned view;           /* set of enum vd_view: parts of a row that the set needs */
  const vd_metric_info *metric;
  size_t count;
  /* Sets a value or a reason for each of these metrics, which `out` already contains. */
  void (*compute)(const vd_recorder *r, vd_metrics *out);
} vd_metric_set;

/* Initialises the metrics of a set from an array. A set that a scenario can request also has a key and a function. */
#define VD_METRIC_ROWS(rows)                .metric = (rows), .count = VD_COUNT(rows)
#define VD_METRIC_SET(key_word, rows, does) .key = #key_word, VD_METRIC_ROWS(rows), .compute = (does)

/* The keys of the sets that a scenario can request; `run` is always computed. */
#define VD_METRIC_SETS(FIRST, NEXT)                                                                                    \
  FIRST(step_steer)                                                                                                    \
  NEXT(acceleration)                                                                                                   \
  NEXT(braking)                                                                                                        \
  NEXT(path)                                                                                                           \
  NEXT(ride)                                                                                                           \
  NEXT(handling)                                                                                                       \
  NEXT(modes)                                                                                                          \
  NEXT(statics)                                                                                                        \
  NEXT(stunt)                                                                                                          \
  NEXT(steady_circular)                                                                                                \
  NEXT(understeer_budget)                                                                                              \
  NEXT(sine_steer)                                                                                                     \
  NEXT(lane_change)                                                                                                    \
  NEXT(driven_lap)                                                                                                     \
  NEXT(braking_in_turn)                                                                                                \
  NEXT(power_off)                                                                                                      \
  NEXT(stopping)                                                                                                       \
  NEXT(split_friction)                                                                                                 \
  NEXT(slowly_increasing_steer)                                                                                        \
  NEXT(sine_with_dwell)                                                                                                \
  NEXT(on_centre)                                                                                                      \
  NEXT(transition)                                                                                                     \
  NEXT(free_steer)                                                                                                     \
  NEXT(crosswind)                                                                                                      \
  NEXT(rollover)                                                                                                       \
  NEXT(cycle)                                                                                                          \
  NEXT(frequency_response)

#define VD_COUNT_SET(key) +1
enum { VD_METRIC_SET_COUNT = 1 VD_METRIC_SETS(VD_COUNT_SET, VD_COUNT_SET) };
#undef VD_COUNT_SET

extern const vd_metric_set *const vd_metric_sets[VD_METRIC_SET_COUNT]; /* `run` first */

/* Finds a set; NULL: the key is unknown. */
const vd_metric_set *vd_metric_set_called(const char *key);
const vd_metric *vd_metric_called(const vd_metrics *m, const char *name);
/* Returns the name of a metric that is most similar to a misspelt name; NULL: no name is similar. */
const char *vd_metric_near(const vd_metrics *m, const char *name);

/* Adds the metrics of a set without values; false: the set was added before. */
bool vd_metrics_add_rows(const vd_metric_set *set, vd_metrics *out);
/* Sets the value of a metric that was added. reason: why there is no value, if `value` is NAN. */
void vd_metrics_set(vd_metrics *m, const char *name, double value, const char *reason);

/* Returns the number of bytes that a recorder stores for every row if these sets are computed; unknown names do not
 * count. */
size_t vd_metrics_row_size(const char *const *set, size_t count);

/* Adds the metrics of one set with their values; metrics that were added before are not changed. Sets without
 * VD_NEEDS_NO_ROWS need a recorder that has stored samples. */
void vd_metrics_compute(const char *key, const vd_recorder *r, const vd_metrics_options *options, vd_metrics *out);

#endif
