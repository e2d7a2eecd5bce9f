/* The g-g-V envelope of a car: its greatest accelerations in all directions, over speed. */
#ifndef VD_ENVELOPE_H
#define VD_ENVELOPE_H

#include "limits/gg.h"
#include "limits/limit.h"

typedef struct vd_envelope_plan {
  int directions;         /* number of directions over the whole circle; even */
  vd_limit_bounds bounds; /* bounds of the states */
  int gear;               /* VD_GEAR_AUTOMATIC: the gear with the greatest force at the wheels */
  bool body_axes;         /* directions are relative to the axes of the body; false: relative to the axes of the path */
  /* m/s2, acceleration of a road that curves upwards, for L3; at L1 and L2 it is part of the model */
  double upward;
  void (*progress)(void *context, double share); /* called with the finished share of the search; NULL: not called */
  void *context;
} vd_envelope_plan;

/* A state at the limit. Accelerations are in m/s2. */
typedef struct vd_limit_point {
  double speed, direction;        /* m/s; rad: 0 drives, pi/2 turns left, pi brakes */
  double centre;                  /* m/s2: acceleration along the path at the origin of the directions */
  double along, across;           /* in the axes of the path */
  double ahead, left;             /* in the axes of the body */
  double side_slip, steer;        /* rad */
  double throttle, brake;         /* 0..1 */
  int gear;                       /* 0: a motor without gears */
  enum vd_limit limit;            /* LOST with along = NAN: there is no steady state at this speed */
  double load[VD_WHEELS];         /* N; L1: half of the axle load */
  double used[VD_WHEELS];         /* -, force in the road plane divided by the load */
  double aero_front, aero_weight; /* -, front share of the downforce; downforce divided by the weight */
  bool lifted;                    /* a wheel carries no load */
  double error; /* m/s2, rad/s2: greatest deviation of the model's rates from the rates of a steady state */
} vd_limit_point;

/* Computes plan->directions points, for directions from 0 on, at each of the rising speeds, m/s; point is
 * [speeds][directions]. The numbers of a point are NAN if there is no steady state straight ahead at its speed. Returns
 * the number of evaluations of the model. */
long vd_envelope_find(const vd_model *m, const vd_envelope_plan *plan, const double *speed, int speeds,
                      vd_limit_point *point);

/* Returns the number of steps, of at most 6 %, in which the search goes from one speed to the next, m/s. Speeds that
 * are so close need no others between them. */
int vd_envelope_steps(double from, double to);

/* Fills a section of a lap's table from the points of one speed. False: a point has no numbers. */
bool vd_envelope_section(const vd_limit_point *point, size_t count, vd_gg_section *s);

/* Returns the gear with the greatest force at the wheels at a speed; 0: the car has no gears. */
int vd_envelope_gear(const vd_model *m, double speed);

/* Computes the results of an evaluated trim state. */
void vd_limit_point_of(const vd_trim *t, vd_limit_point *p);

/* Mirrors a point of the limit; `out` is the limit of a turn to the other side. */
void vd_limit_point_mirror(const vd_limit_point *p, vd_limit_point *out);

#endif
