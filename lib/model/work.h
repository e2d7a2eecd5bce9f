/* The workspace of one evaluation at the levels whose body is in space (L3, L4, L5). A stage is a function that reads
 * the model, the command, the state and results of earlier stages, and writes one part of the workspace. Members are in
 * the order in which they are written. Four wheels are computed at a time; vectors are in body axes, places from the
 * reference point O.
 *
 * Each level calls the stages one after the other in its own file (l3_fourteen_dof.c, l4_multibody.c, l5_free_body.c)
 * and adds its own stages: places of the wheels, forces of its suspension, its equations of motion, the rates of its
 * state.
 *
 * All stages are inlined into the level's function, so that the compiler keeps the workspace in registers. This
 * requires that the address of the workspace is not passed to a function that is not inlined, and that none of its
 * vectors or arrays is indexed through a pointer by a variable; so the train is a separate variable. A level sets the
 * given members one by one, because an initialiser would clear the whole workspace in every evaluation. */
#ifndef VD_WORK_H
#define VD_WORK_H

#include "model/frame.h"
#include "model/train.h"

/* The wheels on the road. */
typedef struct vd_contacts {
  /* vd_wheel_contacts */
  vd_wide3 at;             /* m, contact points */
  vd_wide3 down;           /* m, from the wheel centres to the contact points */
  vd_wide3 normal;         /* unit normal of the road */
  vd_wide3 ahead, aside;   /* contact axes in the road plane */
  vd_wide cosine;          /* cosine of the angle between disc and normal */
  vd_wide sin_inclination; /* sine of the angle between the normal and the disc */
  vd_wide post_lift;       /* the normal's part along the world's z; 0 without posts and roads from outside */
  /* vd_tyre_loads */
  vd_wide rate;    /* m/s, rate of the tyre's deflection */
  vd_wide elastic; /* N, k d */
  /* vd_contact_forces */
  vd_wide3 force;  /* N, of the road on the tyre */
  vd_wide3 couple; /* N m: overturning, aligning and rolling moments */
} vd_contacts;

/* External forces on the body, without gravity. */
typedef struct vd_outside {
  double force[3], moment[3];   /* N, N m about O */
  double air_power, push_power; /* W; with forces from outside */
  double lean_power;            /* W, of the couple that cancels the weight of the leaning body (lean: off) */
} vd_outside;

typedef struct vd_work {
  /* given */
  const vd_model *m;
  const vd_command *c;
  const double *x, *mode;
  vd_eval *e;        /* read by controllers, modes and the log; stages write it too */
  double *dx;        /* rates of the state */
  vd_frame frame;    /* by the level, frame.h */
  double gravity[3]; /* m/s2; vd_body_motion */
  /* the level's wheel_poses */
  vd_wide3 centre; /* m, of the wheels */
  vd_wide3 axle;   /* unit, to the left */
  vd_contacts contact;
  /* vd_coupled_drive */
  vd_train *train; /* with coupled shafts */
  vd_wide drive;   /* N m, drive torques without the reaction of the body on the shafts */
  vd_outside outside;
} vd_work;

/* Computes the velocities and spins from the state. Reads frame; writes gravity, and velocities, spins and travels of
 * e. */
VD_INLINE void vd_body_motion(vd_work *w) {
  const vd_frame *f = &w->frame;
  const double *x = w->x;
  vd_eval *restrict e = w->e;
  e->motion.vx = vd_dot(f->plane[0], f->u);
  e->motion.vy = vd_dot(f->plane[1], f->u);
  e->motion.vz = vd_dot(f->plane[2], f->u);
  e->motion.roll_rate = vd_dot(f->plane[0], f->w);
  e->motion.pitch_rate = vd_dot(f->plane[1], f->w);
  e->motion.yaw_rate = vd_dot(f->plane[2], f->w);
  for (int i = 0; i < VD_WHEELS; i++) {
    e->motion.omega[i] = x[VD_S_SPIN + i];
    e->motion.travel[i] = x[VD_S_TRAVEL + i];
    e->motion.travel_rate[i] = x[VD_S_TRAVEL_RATE + i];
  }
  vd_frame_gravity(f, w->gravity);
}

/* Computes the accelerations of a body on posts: O moves along the body's z, whose direction changes, without yaw.
 * known: accelerations of O less gravity along x and y, from w x u, and the yaw acceleration. Reads frame, gravity. */
VD_INLINE void vd_accelerations_on_posts(const vd_work *w, double *known) {
  double turning[3];
  vd_cross(w->frame.w, w->frame.u, turning);
  known[0] = turning[0] - w->gravity[0];
  known[1] = turning[1] - w->gravity[1];
  known[2] = 0.0;
}

#endif
