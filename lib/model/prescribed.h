/* Prescribed motion: the car's speed, the place of its reference point O or its heading are given functions of time.
 *
 * Each of these is a constraint, which a force or moment on the body enforces. The constraint determines an
 * acceleration, and accelerations are linear in additional forces. The force therefore follows from a Schur complement:
 * from the rates without it, the rates under one unit of each force, and a linear system of one to three unknowns. No
 * controller, no stiffness and no state is needed, and the level's equations do not change.
 *
 *   speed    vx, along the road          force at O along that axis
 *   place    world x and y of O          force at O along world x and y
 *   heading  yaw of ISO 8855             moment about the vertical
 *
 * The power of the force is counted as that of a force from outside (outside.h). At the ends of steps, place and
 * velocities are set to the given ones; the difference is of the order of the integration error. */
#ifndef VD_PRESCRIBED_H
#define VD_PRESCRIBED_H

#include "model/model.h"

enum { VD_PRESCRIBED_MAX = 3 };

typedef struct vd_prescribed {
  int count;                                         /* number of forces */
  double unit[VD_PRESCRIBED_MAX];                    /* N or N m: gives the car an acceleration of about 1 */
  double force[VD_PRESCRIBED_MAX][3];                /* directions in body axes; 0 for a moment */
  double moment[VD_PRESCRIBED_MAX][3];               /* N m */
  double missing[VD_PRESCRIBED_MAX];                 /* m/s2, rad/s2: given less present accelerations */
  double gain[VD_PRESCRIBED_MAX][VD_PRESCRIBED_MAX]; /* [k][j]: change of acceleration k by one unit of force j */
  double amount[VD_PRESCRIBED_MAX];                  /* number of units of each force */
} vd_prescribed;

/* Finds which motions the command prescribes, and the directions of their forces in this state. */
void vd_prescribed_begin(const vd_model *m, const vd_command *c, const double *x, vd_prescribed *h);

/* Writes the forces of `h`, and one unit of force `trial' if that is not negative, into the command. */
void vd_prescribed_push(const vd_prescribed *h, int trial, vd_command *c);

/* Stores the accelerations that follow from these forces. If no unit force acts (trial < 0), returns true if the
 * accelerations equal the given ones, to rounding error. */
bool vd_prescribed_note(const vd_model *m, const vd_command *c, const double *x, const double *dx, int trial,
                        vd_prescribed *h);

/* Solves for the amounts with which the given accelerations are reached. */
void vd_prescribed_solve(vd_prescribed *h);

/* Sets for the log the force along the axes of vx and vy, and the moment about the vertical. */
void vd_prescribed_show(const vd_model *m, const vd_command *c, const double *x, vd_eval *e);

/* Sets place and velocities to the given ones. */
void vd_prescribed_place(const vd_model *m, const vd_command *c, double *x);

#endif
