/* Kinematics of a corner and of an axle: what an engineer calls the figures of a linkage's pose. SI and radians; of the left wheel.
 *
 * All of them are jets by the linkage's inputs, so that toe gain, motion ratio and the rest are exact derivatives. A quantity that
 * does not exist for a linkage (no spring, no steering axis) is NAN in all its parts. */
#ifndef VD_KC_H
#define VD_KC_H

#include "corner.h"

/* Definitions stand beside their formulas in kc.c. */
typedef struct vd_kc_state {
  vd_jet toe, camber;  /* rad: toe-in, top outward */
  vd_jet steer;        /* rad, to the left, = -toe of the left wheel */
  vd_jet caster, kpi;  /* rad, of the true steering axis: back at the top, inward at the top */
  vd_jet caster_seed;  /* rad, the reference system's own caster: atan2 of (x, z) of upper less lower ball joint */
  vd_jet scrub, trail; /* m: axis' ground point inboard of the patch, ahead of it */
  vd_jet kingpin_offset, spindle_trail; /* m: axis' point at the wheel centre's height, inboard of and ahead of it */
  vd_jet wheel_x, wheel_y, wheel_z;     /* m, chassis axes */
  vd_jet patch_x, patch_y, patch_z; /* m, of the disc's lowest point over a road parallel to the chassis' x-y plane */
  vd_jet wheel_spin;                /* rad, turn of the knuckle about the wheel's axis */
  vd_jet spring_length, damper_length; /* m */
  /* rates at the pose, by travel: exact first derivatives with their own derivative where it exists */
  double motion_ratio, damper_ratio; /* -d(length)/d(travel) */
  double spring_force, wheel_rate;   /* N, N/m: k MR^2 + F d(MR)/dz; of the linkage, without tyre; NAN without a rate */
  double ride_rate;                  /* N/m, wheel rate in series with the tyre */
  double brake_slope,
      drive_slope;      /* d(x)/d(travel): of the patch as a point of the knuckle (torque outboard), of the wheel
                                      * centre (torque inboard) */
  double roll_centre_z; /* m over the design road: force based, by the contact point's velocity, tie rod included */
  double
      roll_centre_planes_z; /* m: geometric, by the front-view lines of the arms; NAN where there are no arm planes */
  double anti;              /* share of the load transfer under braking that links carry; NAN without the car */
  double anti_drive;        /* the same under drive */
  double angle_lower, angle_upper; /* rad, of the arms about their axes from design: the driving angles; NAN: none */
} vd_kc_state;

void vd_kc_state_at(const vd_corner *corner, const vd_linkage *l, const vd_pose *pose, vd_kc_state *out);

/* The five gains at the design position, exact derivatives: rad/m, rad/m, m/m, rad/m, rad/m; NAN where there is no rack. */
typedef struct vd_kc_gains {
  double toe_travel, camber_travel, track_travel, toe_rack, caster_rack, caster_rack_seed;
} vd_kc_gains;

void vd_kc_gains_of(const vd_corner *corner, const vd_linkage *l, vd_kc_gains *out);

#endif
