/* The simulation loop: driver, commands, Runge-Kutta steps on the grid t = i h. Steps are split where an input has a
 * corner, an event happens, or a coupling begins to slip or to stick. Steps that are too long for the required accuracy
 * are halved, and become longer again. */
#ifndef VD_SIM_H
#define VD_SIM_H

#include "math/rk4.h"
#include "sim/driver.h"
#include "sim/error_estimate.h"
#include "control/controls.h"
#include "sim/event.h"
#include "sim/ledger_share.h"
#include "sim/smooth.h"

/* Initial state and commands of a run. Everything to which it points must outlive the simulation. */
typedef struct vd_sim_setup {
  const vd_inputs_def *inputs;
  const vd_structs *events; /* vd_event_def */
  const vd_driver_def *driver;
  vd_controls *controls;        /* controllers, started; NULL: none */
  const vd_inputs_def *outside; /* inputs that replace the scenario's from t = 0 on; NULL: none */
  vd_start start;
  double step;         /* s, of the grid */
  double stop_below;   /* m/s: the run ends at the instant at which |vx| falls below this; 0: never */
  double lost_after;   /* s off its path after which the run fails; 0: never */
  double accuracy;     /* greatest error of a step, as a share of the states' scales; 0: the steps are the grid */
  double reach;        /* m: with an accuracy, greatest distance of a step; INFINITY: not limited */
  double ledger_limit; /* limit of vd_sim_watch_ledger */
} vd_sim_setup;

enum vd_sim_status {
  VD_SIM_OK,
  VD_SIM_BAD_STATE,    /* a state is not finite */
  VD_SIM_OVERTURNED,   /* L3, L4: roll or pitch is beyond the limit of the model */
  VD_SIM_STRUCK,       /* L5: the body lies on a surface */
  VD_SIM_OUT_OF_REACH, /* a wheel has left the travel over which its linkage is mapped */
  VD_SIM_OUT_OF_RACK,  /* the rear wheels have left the steering angle for which their rack is mapped */
  VD_SIM_CRUSHED,      /* a tyre is deflected by more than its radius */
  VD_SIM_OFF_ROAD,     /* from L3 on: a wheel is where a measured road has no heights */
  VD_SIM_LOST,         /* the driver has lost the path: is_off_path in sim.c, for lost_after */
  VD_SIM_LEDGER,       /* the ledger residual is above its limit */
  VD_SIM_CONTROLLER,   /* a controller failed: vd_controls.failure */
  VD_SIM_NO_LOADS,     /* the loop of loads and forces, or from L4 on a linkage or its bushings, did not converge */
};

/* Plain data only: a copy can be stepped again to the same bits. With controllers this holds for copies made after the
 * controllers' last decisions. */
typedef struct vd_sim {
  const vd_model *model;
  const vd_driver_def *driver_def;
  vd_controls *controls; /* NULL: none */
  double grid;           /* s, step h of the grid */
  long step;             /* number of whole steps done */
  double t;              /* s: step times h, or a corner within the next step */
  vd_state_vector state;
  vd_inputs inputs;
  vd_events events;
  long decision_steps; /* number of steps between two decisions of the driver */
  double energy0;      /* J */
  double accuracy, ledger_limit;
  double reach;             /* m */
  double stop_below;        /* m/s */
  double lost_after;        /* s */
  double off_since;         /* s, instant at which the car left its path; INFINITY: it is on the path */
  double weight[VD_STATES]; /* weights of the states' errors */
  double next_step;         /* s, length of the next step that the error allows */
  /* 1/s3, gap of the last step divided by its length cubed; INFINITY: the rates have jumped since then */
  double gap;
  vd_ledger_share ledger;  /* largest share at the instants at which it was computed */
  vd_error_estimate error; /* used if it was started */
  vd_smooth_past past;     /* data of the last step whose rows were interpolated */
  bool has_moved;          /* the car was once faster than stop_below */
  bool ended;              /* the run has ended at t, which may be off the grid, by an event or below stop_below */
  bool corner;             /* an input has a corner at t, and the modes still belong to the time before it */
  bool overloaded;         /* a wheel's loads reached the end of its elastic map */
  int overloaded_wheel;    /* the first wheel with such loads */
  double overloaded_from;  /* s, instant at which a wheel's loads first reached the end */
  /* values at the present instant, with the modes that apply after it */
  vd_command command;
  vd_eval eval;
  double rates[VD_STATES];
  vd_decay decay; /* decay rates of the spins */
  /* failure */
  enum vd_sim_status status;
  int failure_index;       /* index into vd_state_table, or of the wheel */
  double failure_time;     /* s */
  double failure_place[2]; /* m, world x and y, of the wheel (VD_SIM_OFF_ROAD) or the car (VD_SIM_LOST) */
  /* counts for messages */
  long splits;    /* steps split at corners and events */
  long parts;     /* steps of the integration: steps of the grid, or their parts */
  long unsettled; /* steps in which a coupling found no lasting mode */
  /* evaluations of the model beyond four for each part: refused steps, searches of instants, decisions, jumps */
  long sought;
  double control_mode[VD_CONTROLLER_KIND_COUNT][VD_WHEELS]; /* modes of the controllers whose requests act */
  vd_driver driver;
} vd_sim;

/* Returns the number of bytes at the start of a simulation that contain all of its data. If the driver is not a
 * planner, they exclude the planner's memory, which is the last third of the struct. */
size_t vd_sim_size(const vd_driver_def *driver);
/* Copies a simulation. */
void vd_sim_copy(const vd_sim *from, vd_sim *to);

/* Starts at t = 0. */
void vd_sim_start(vd_sim *sim, const vd_model *model, const vd_sim_setup *setup);

/* Returns the error estimate up to the present instant. */
vd_error_share vd_sim_error(const vd_sim *sim);

/* Makes one step of the grid, or the part of it to the end of the run. If the status is not VD_SIM_OK or the run has
 * ended, it only returns the status. */
enum vd_sim_status vd_sim_step(vd_sim *sim);

/* Quantities at even intervals within a step of the grid, for logs and conditions with intervals below the grid's: at
 * step/parts, 2 step/parts ..., but not at the end of the step. They come from a polynomial of fourth order over each
 * step of the integration. */
enum { VD_SIM_ROWS = 19 };
typedef struct vd_sim_rows {
  int parts;             /* 1..VD_SIM_ROWS + 1 */
  unsigned view;         /* set of enum vd_view */
  const vd_reads *reads; /* values of rows that are read; smooth steps interpolate them; NULL: all are computed */
  unsigned end_view;     /* set of enum vd_view of the row at the end of a step */
  bool ends;             /* vd_sim_end_row can return the row at the end */
  int count;
  vd_row work, end;
  vd_row row[VD_SIM_ROWS]; /* the first parts - 1 are used */
} vd_sim_rows;

/* Integrates to the end of the step, to `limit` within it, or to the end of the run. rows (NULL: none) are added as
 * their instants are passed; the caller sets parts, and count to 0 at the start of a step. If the integration ends at a
 * corner of an input, sim->corner is set and vd_sim_decide_modes must follow, so that inputs from outside can change at
 * the same instant. Returns whether the step was cut at an instant without a corner. To get the bits of a run without
 * the cut, continue from a copy made before the call. */
bool vd_sim_integrate(vd_sim *sim, double limit, vd_sim_rows *rows);

/* Decides the modes after a corner of an input: after vd_sim_integrate, or after inputs have changed. */
void vd_sim_decide_modes(vd_sim *sim);

/* Adds the ledger residual of the present instant; false if the share is above the limit; the run has then failed. */
bool vd_sim_watch_ledger(vd_sim *sim);

/* Writes the quantities of the present instant into a row; view: set of enum vd_view. */
void vd_sim_row(const vd_sim *sim, unsigned view, vd_row *row);

/* Returns the row of the present instant with rows->end_view, if the step before has left it in `rows'; otherwise NULL.
 * It equals the row of vd_sim_row, but contains only the states that the model has. */
const vd_row *vd_sim_end_row(const vd_sim *sim, const vd_sim_rows *rows);

#endif
