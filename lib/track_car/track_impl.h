/* Inside the track car: its directions, and the rates of its state. */
#ifndef VD_TRACK_IMPL_H
#define VD_TRACK_IMPL_H

#include "track_car/track_car.h"

/* Directions of the car, and how they change with its attitude: a, b are the vertical parts of front and left. */
typedef struct vd_track_frame {
  double a, b;
  double front[3], left[3], up[3];
  double left_a[3],
      left_b[3]; /* derivatives; of them and the next only what is horizontal moves a corner, whose height is its own */
  double front_a[3];
  double up_a[3], up_b[3];
} vd_track_frame;

void vd_track_frame_of(const vd_track_car *car, const double *q, vd_track_frame *f);

/* Where a corner is from the centre, along front and left. */
double vd_track_ahead(const vd_track_car *car, int wheel);
double vd_track_aside(const vd_track_car *car, int wheel);
void vd_track_mount(const vd_track_car *car, const vd_track_frame *f, const double *q, int wheel, double *mount);

/* Length of the ray under a corner to a plane. */
double vd_track_reach(const vd_track_frame *f, const double *mount, const double *plane);

/* Inputs at one instant. */
typedef struct vd_track_command {
  double thrust, steer;
} vd_track_command;

/* dq/dt while every wheel stays on the plane that it is on, or in the air; force (may be NULL): of the springs, N. */
void vd_track_rates(const vd_track_car *car, const vd_track_state *s, const vd_track_command *u, const double *q,
                    double *dq, double *force);

#endif
