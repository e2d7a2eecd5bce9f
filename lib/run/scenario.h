/* A scenario as its file describes it, and the checks across its fields. */
#ifndef VD_SCENARIO_H
#define VD_SCENARIO_H

#include "metrics/metrics.h"
#include "course/path_def.h"
#include "course/profile_def.h"
#include "ground/ground_def.h"
#include "metrics/response.h"
#include "run/auto_rule.h"
#include "run/condition.h"
#include "run/kind.h"
#include "run/search.h"
#include "sim/measured_inputs.h"
#include "sim/sim.h"
#include "vehicle/vehicle_def.h"

struct vd_setting;

enum vd_slip { VD_SLIP_STEADY, VD_SLIP_TRANSIENT };

enum vd_contact_when { VD_CONTACT_STAGE, VD_CONTACT_STEP };

typedef struct vd_run_def {
  int level;           /* enum vd_level */
  double step;         /* s; auto */
  double accuracy;     /* error of a step as a share of the states' scales; auto; 0: fixed steps */
  double duration;     /* s */
  double stop_below;   /* m/s: the run ends when |vx| falls below this speed; 0: never */
  double lost_after;   /* s: the run fails after this time off its path; 0: never; auto */
  double metrics_rate; /* 1/s: rate of the rows that metrics read */
  double ledger_limit; /* greatest ledger residual, as a share of the energy that passed through the run */
  bool lean;           /* the load transfer contains the weight of the leaning body */
  double v_low;        /* m/s; auto */
  double v_low_y;      /* m/s; auto */
  int slip;            /* enum vd_slip */
  int linkage;         /* enum vd_map_kind; L4 */
  int compliance;      /* enum vd_compliance_model; L4, nonlinear also L5 */
  double bushing_time; /* s, ratio of damping and stiffness of the bushings */
  /* L5 */
  int unsprung;          /* enum vd_unsprung */
  int links;             /* enum vd_links */
  double link_stiffness; /* N/m; auto */
  int contact;           /* enum vd_contact_when */
  bool capped_contact;
} vd_run_def;

typedef struct vd_log_def {
  double rate; /* 1/s */
  vd_names channels;
  int units; /* enum vd_log_units */
} vd_log_def;

enum vd_log_units { VD_LOG_SI, VD_LOG_FIELD };

typedef struct vd_metrics_def {
  vd_names sets;
  vd_metrics_options options;
} vd_metrics_def;

typedef struct vd_wind_def {
  double speed, direction; /* m/s; rad, direction in which the air moves, world */
  double x_from, x_to;     /* m, world x; auto: no limit */
  double edge;             /* m */
} vd_wind_def;

enum vd_path_limit { VD_PATH_LIMIT_NONE, VD_PATH_LIMIT_GRIP };

/* Speeds of a path that are computed from the limits of the car. */
typedef struct vd_path_speed_def {
  int limit;      /* enum vd_path_limit */
  double margin;  /* share of the car's limits that the driver uses */
  double speed;   /* m/s, greatest speed; auto: 95 m/s */
  double most[3]; /* m/s2: greatest driving, braking and lateral acceleration; auto: no limit */
  int laps;       /* number of runs in which the driver learns the shares; 0 after these runs */
  /* m, distance from the path that the driver accepts in these runs; auto: 1, or the edges of the track */
  double beside;
  /* shares in turns, at even distances from the start of the path to its end; none: the margin */
  vd_numbers shares;
} vd_path_speed_def;

/* Point of action of the force from outside. */
typedef struct vd_push_def {
  double at[3]; /* m, in the coordinates of a load; auto: the centre of gravity in the design position */
  int axes;     /* 0: axes of the body, 1: axes of the level road below the body */
} vd_push_def;

typedef struct vd_scenario_def {
  int kind; /* enum vd_scenario_kind, except the tyre rig and the track car */
  const char *title;
  vd_vehicle_def vehicle;
  vd_ground_def ground;
  vd_run_def run;
  vd_start initial;
  vd_inputs_def inputs;
  vd_structs wind; /* vd_wind_def, at most one */
  vd_push_def push;
  vd_measured_inputs_def measured; /* empty after it was read into the inputs */
  vd_structs events;               /* vd_event_def */
  vd_structs controllers;          /* controllers of the scenario alone, vd_controller_def */
  vd_structs all_controllers;      /* controllers of the vehicle, then of the scenario; in the arena */
  vd_path_def path;
  vd_path_speed_def path_speed;
  vd_driver_def driver;
  vd_log_def log;
  vd_metrics_def metrics;
  vd_response_def response;
  vd_search_def search;
  vd_structs rules;      /* vd_auto_rule */
  vd_structs conditions; /* vd_condition_def */
  vd_path track;         /* the path for this vehicle; in the arena */
  const char *unreached; /* targets that the rules did not reach; NULL: nothing. In the arena */
} vd_scenario_def;

extern const struct vd_schema vd_scenario_schema;

/* A scenario that is read several times: its text, and the settings merged into it. */
typedef struct vd_scenario_text {
  const char *name, *text;
  size_t length;
  const struct vd_setting *set;
  size_t count;
} vd_scenario_text;

/* Reads, completes and checks a registered source. Rules of the scenario find numbers that are `auto`, by runs of this
 * scenario or of others with its car. The definition belongs to the arena. False after errors, which are all in d;
 * def->unreached is set if the car cannot reach the target of a rule. */
bool vd_scenario_read_source(int source, const struct vd_setting *settings, size_t count, vd_arena *arena, vd_diag *d,
                             vd_scenario_def *def);

/* Checks across fields, and sets all values that are `auto`. root: for the places of messages. False after errors. */
bool vd_scenario_check(const vd_node *root, vd_arena *arena, vd_diag *d, vd_scenario_def *def);

/* vd_scenario_input_range: bounds of an input for this vehicle, both included, in the unit of the input.
 * vd_scenario_input_possible: true if the vehicle has the motor or handbrake that an input with values within such
 * bounds needs. */
void vd_scenario_input_range(enum vd_input i, const vd_vehicle_def *v, double *lowest, double *highest);
bool vd_scenario_input_possible(enum vd_input i, double lowest, double highest, const vd_vehicle_def *v);

/* Builds the model of the scenario. acceleration: with acceleration control even if the scenario does not need it. The
 * definition must outlive the model, and the model must keep its address after it was built. */
void vd_scenario_model(const vd_scenario_def *def, bool acceleration, vd_model *model);
/* Builds a model again, for steady states alone: the brake pressures have no rates, so that the brakes follow their
 * pedal. */
void vd_scenario_steady_model(const vd_model_options *options, vd_model *model);

/* Makes the controllers of the scenario for its model (vd_controls_create); NULL: it has no controllers. */
vd_controls *vd_scenario_controls(const vd_scenario_def *def, const vd_model *m);
/* Returns the initial state and the commands of the simulation. */
vd_sim_setup vd_scenario_setup(const vd_scenario_def *def);

/* Returns the step at which the stiff parts of the model must be stable, s. Adaptive steps become shorter where that is
 * needed. Quantities that are chosen for a step, such as the floors of the slips, are chosen for this step, so that
 * they do not grow with the grid. */
double vd_run_stable_step(const vd_run_def *run);

/* Returns the greatest distance that a step may cover, m, so that its stages resolve the effects of the road on the
 * wheels; INFINITY on a plane of uniform friction. */
double vd_scenario_step_distance(const vd_scenario_def *def);

/* Returns the number of rows per step that metrics, responses and claims read. Rows are at most 1/metrics_rate apart;
 * steps may be longer. */
int vd_scenario_parts(const vd_scenario_def *def);
double vd_scenario_row_interval(const vd_scenario_def *def); /* s */

/* Returns the number of steps of the whole run. */
long vd_scenario_steps(const vd_scenario_def *def);
/* Returns the number of steps per log row. */
long vd_scenario_log_stride(const vd_scenario_def *def);

/* Checks of a run of any kind: the duration must be a whole number of steps, and the rate of the rows must be the rate
 * of the steps or an integer fraction of that rate. False after an error. */
bool vd_check_duration(double duration, double step, vd_place at, vd_diag *d);
void vd_check_log_rate(const char *name, double rate, double step, vd_place at, vd_diag *d);
/* Returns the number of steps per row at a rate, 1/s. */
long vd_log_stride(double rate, double step);

#endif
