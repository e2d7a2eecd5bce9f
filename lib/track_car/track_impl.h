/* Declarations that the files of the track car share: its directions, and the rates of its state. */
#ifndef VD_TRACK_IMPL_H
#define VD_TRACK_IMPL_H

#include "track_car/track_car.h"

/* Directions of the car, and their derivatives by its attitude: a and b are the vertical components of front and
 * left. */
typedef struct vd_track_frame {
  double a, b;
  double front[3], left[3], up[3];
  /* derivatives; only their horizontal components move a corner, whose height is a separate state */
  double left_a[3], left_b[3];
  double front_a[3];
  double up_a[3], up_b[3];
} vd_track_frame;

void vd_track_frame_of(const vd_track_car *car, const double *q, vd_track_frame *f);

/* Return the distance of a corner from the centre, m, along front and along left. */
double vd_track_ahead(const vd_track_car *car, int wheel);
double vd_track_aside(const vd_track_car *car, int wheel);
void vd_track_mount(const vd_track_car *car, const vd_track_frame *f, const double *q, int wheel, double *mount);

/* Returns the sign of a corner in the twist. The four heights can be expressed by that of the centre and three
 * differences: front less rear, left less right, and the twist, one diagonal less the other, which is zero for an
 * undeformed wheel base. */
static inline double vd_track_twist_sign(int wheel) {
  return wheel == VD_FL || wheel == VD_RR ? 1.0 : -1.0;
}

/* Makes a pass of the original over the six pairs of corners, one after the other. Each pair keeps its middle; its new
 * distance is `share` times the distance in the design plus 1 - share times the present one (0.1 and 0.9). */
void vd_track_pass(const vd_track_car *car, double (*point)[3]);

/* Ends a frame as the original does: the passes move the corners, and of their result only the heights are used. Then
 * the corners are put on a base of the design form that has the front and left slopes of these heights. Speeds do not
 * change. The passes hardly reduce a twist e, because the distances of the pairs grow only with e^2: ten of them leave
 * more than 99 % of 0.1 m. The new base has no twist. The energy that springs gain or lose by the change of the heights
 * is booked as work of the base. */
void vd_track_frame_ends(const vd_track_car *car, vd_track_state *s);

/* Returns the length of the ray from a corner to a plane, m. */
double vd_track_spring_length(const vd_track_frame *f, const double *mount, const double *plane);

/* The inputs at one instant. */
typedef struct vd_track_command {
  double thrust, steer;
} vd_track_command;

/* Computes dq/dt while every wheel stays on its plane or in the air. force: forces of the springs, N; may be NULL. */
void vd_track_rates(const vd_track_car *car, const vd_track_state *s, const vd_track_command *u, const double *q,
                    double *dq, double *force);

#endif
