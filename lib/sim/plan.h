/* The plan of a test driver: the steering rates with which his model of the car passes between cones in the next
 * seconds.
 *
 * The plan minimises a sum of squares over its steps: contact with cones, distances to cones below the margin, slip
 * angles of the axles beyond their peaks, and the steering rate. The slip angles and the distance from the middle of
 * the lanes have small weights. The plan is improved by control-limited differential dynamic programming with
 * Gauss-Newton second derivatives (Tassa, Mansard and Todorov, ICRA 2014). */
#ifndef VD_PLAN_H
#define VD_PLAN_H

#include "course/path.h"
#include "sim/known_car.h"

enum { VD_PLAN_STEPS = 200, VD_PLAN_STATES = 9 };

extern const double vd_plan_step; /* s */

typedef struct vd_plan {
  int count; /* steps; 0: there is no plan yet */
  /* rad/s, of the mean road wheel angle; states of the car before each step; gains of the rate for deviations from
   * these states */
  double rate[VD_PLAN_STEPS], state[VD_PLAN_STEPS][VD_PLAN_STATES], gain[VD_PLAN_STEPS][VD_PLAN_STATES];
} vd_plan;

/* The car at the start of a plan, in the axes of the gates. */
typedef struct vd_plan_start {
  double x, y, heading;    /* m, m, rad */
  double vx, vy, yaw_rate; /* m/s, m/s, rad/s: of the centre of gravity */
  double lean, lean_rate;  /* m, m/s: of the centre of gravity to the left relative to the wheels, by roll */
  double slip[VD_AXLES];   /* rad, with the lag of the tyres */
  double steer;            /* rad, mean road wheel angle */
  double pull;             /* m/s2, longitudinal acceleration without the part of the front side force */
} vd_plan_start;

typedef struct vd_plan_task {
  const vd_known_car *car;
  const vd_path *path; /* with gates */
  const vd_cone *cone;
  size_t cones;
  double margin;    /* m, distance to be kept to cones */
  double max_rate;  /* rad/s */
  double max_steer; /* rad */
  int steps;        /* <= VD_PLAN_STEPS */
} vd_plan_task;

/* Integrates the car over a time of at most a plan's step. */
void vd_plan_move(const vd_plan_task *task, double rate, double time, vd_plan_start *car);

/* Improves the plan from the start by at most `rounds' iterations. */
void vd_plan_improve(const vd_plan_task *task, const vd_plan_start *start, int rounds, vd_plan *plan);

/* Shifts the plan by a time of at most its step, so that it begins later; the steering rate after its end is 0. */
void vd_plan_shift(double time, vd_plan *plan);

#endif
