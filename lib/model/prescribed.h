/* Prescribed motion: the car's speed, the place of its reference point O or its heading are given functions of time.
 *
 * Each is a constraint, and a force or moment on the body holds it. The constraint says which acceleration the motion
 * has; accelerations are linear in forces that act beside all others. So the force follows from Schur's complement: the
 * rates without it, the rates under one unit of it after the other, and a linear system of one to three unknowns. No
 * controller, no stiffness and no state is needed, and the level's equations remain as they are.
 *
 *   speed    vx, along the road          force at O along that axis
 *   place    world x and y of O          force at O along world x and y
 *   heading  yaw of ISO 8855             moment about the vertical
 *
 * The power of the force is that of a force from outside (outside.h). At the ends of steps, place and velocities are
 * those that are given: what Runge-Kutta leaves is of the order of its error. */
#ifndef VD_PRESCRIBED_H
#define VD_PRESCRIBED_H

#include "model/model.h"

enum { VD_PRESCRIBED_MAX = 3 };

typedef struct vd_prescribed {
  int count;                                         /* number of forces */
  double unit[VD_PRESCRIBED_MAX];                    /* N or N m: moves the car by an acceleration of about 1 */
  double force[VD_PRESCRIBED_MAX][3];                /* directions in body axes; a moment has none */
  double moment[VD_PRESCRIBED_MAX][3];               /* N m */
  double missing[VD_PRESCRIBED_MAX];                 /* m/s2, rad/s2: wanted less present accelerations */
  double gain[VD_PRESCRIBED_MAX][VD_PRESCRIBED_MAX]; /* [k][j]: change of acceleration k by one unit of force j */
  double amount[VD_PRESCRIBED_MAX];                  /* in units */
} vd_prescribed;

/* Finds which motions the command prescribes at the state. */
void vd_prescribed_begin(const vd_model *m, const vd_command *c, const double *x, vd_prescribed *h);

/* The forces of `h`, plus one unit of force `trial` if that is not negative, into the command. */
void vd_prescribed_push(const vd_prescribed *h, int trial, vd_command *c);

/* Notes the accelerations that the rates under those forces show. trial < 0: without a unit beside them; returns
 * whether the accelerations are as prescribed, to rounding. */
bool vd_prescribed_note(const vd_model *m, const vd_command *c, const double *x, const double *dx, int trial,
                        vd_prescribed *h);

/* The amounts under which nothing is missing. */
void vd_prescribed_solve(vd_prescribed *h);

/* Shows in the log the force along the axes of vx and vy, and the moment about the vertical. */
void vd_prescribed_show(const vd_model *m, const vd_command *c, const double *x, vd_eval *e);

/* Place and velocities become those that are given. */
void vd_prescribed_place(const vd_model *m, const vd_command *c, double *x);

#endif
