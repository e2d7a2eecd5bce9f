/* Inside the track car: its directions, and the rates of its state. */
#ifndef VD_TRACK_IMPL_H
#define VD_TRACK_IMPL_H

#include "track_car/track_car.h"

/* Directions of the car, and how they change with its attitude: a, b are the vertical parts of front and left. */
typedef struct vd_track_frame {
  double a, b;
  double front[3], left[3], up[3];
  double left_a[3], left_b[3]; /* derivatives; only their horizontal parts move a corner, whose height is its own */
  double front_a[3];
  double up_a[3], up_b[3];
} vd_track_frame;

void vd_track_frame_of(const vd_track_car *car, const double *q, vd_track_frame *f);

/* Place of a corner from the centre, m, along front and left. */
double vd_track_ahead(const vd_track_car *car, int wheel);
double vd_track_aside(const vd_track_car *car, int wheel);
void vd_track_mount(const vd_track_car *car, const vd_track_frame *f, const double *q, int wheel, double *mount);

/* The four heights are those of the centre and of three differences: front over rear, left over right, and the twist
 * of one diagonal against the other, which is what a wheel base that keeps its form does not have. */
static inline double vd_track_twist_sign(int wheel) {
  return wheel == VD_FL || wheel == VD_RR ? 1.0 : -1.0;
}

/* A pass of the seed over the six pairs of corners, one after the other: each pair keeps its middle and takes a share
 * of its distance in the design, the rest of the one that it has (0.1 and 0.9). */
void vd_track_pass(const vd_track_car *car, double (*point)[3]);

/* The end of a frame of the seed: the passes, of which the heights count; then a base of the design's form at their
 * front and left slopes. Speeds stay. The passes themselves end no twist e: the distances of the pairs grow with e^2
 * only, so that ten of them leave more than 99 % of 0.1 m; the new base drops it. What the springs gain or lose by the
 * step of the heights is booked as work of the base. */
void vd_track_frame_ends(const vd_track_car *car, vd_track_state *s);

/* Length of the ray under a corner to a plane. */
double vd_track_spring_length(const vd_track_frame *f, const double *mount, const double *plane);

/* Inputs at one instant. */
typedef struct vd_track_command {
  double thrust, steer;
} vd_track_command;

/* dq/dt while every wheel stays on the plane that it is on, or in the air; force (may be NULL): forces of the springs,
 * N. */
void vd_track_rates(const vd_track_car *car, const vd_track_state *s, const vd_track_command *u, const double *q,
                    double *dq, double *force);

#endif
