/* Kinematics of a corner and of an axle: the figures by which an engineer describes the pose of a linkage. SI and
 * radians; for the left wheel.
 *
 * All jets have derivatives by the linkage's inputs, so that toe gain, motion ratio and the rest are exact derivatives.
 * A figure that does not exist for a linkage (no spring, no steering axis) is NAN in all its parts. */
#ifndef VD_KC_H
#define VD_KC_H

#include "compliance/compliance.h"

/* Definitions and sources are beside the formulas in kc.c and kc/axis.c. Figures that follow from rates, not from the
 * places of points, are derivatives along a direction of the inputs: for a corner its travel, for a rigid axle both
 * travels (heave). */
typedef struct vd_kc_state {
  vd_jet toe, camber; /* rad: toe-in, top outward */
  vd_jet steer;       /* rad, to the left, = -toe of the left wheel */
  vd_jet caster, kpi; /* rad, of the true steering axis: leaning back at the top, inward at the top > 0 */
  vd_jet caster_seed; /* rad, by the reference system's own definition */
  /* m: ground point of the axis inboard of the contact point, and ahead of it, in the wheel's heading */
  vd_jet scrub, trail;
  /* m: point of the axis at the wheel centre's height, inboard of the wheel centre and ahead of it */
  vd_jet kingpin_offset, spindle_trail;
  vd_jet wheel_x, wheel_y, wheel_z; /* m, in the axes of the chassis */
  vd_jet patch_x, patch_y, patch_z; /* m, of the disc's lowest point on a road parallel to the chassis' x-y plane */
  /* rad, rotation of the knuckle in side view, > 0 as the wheel turns when it rolls ahead */
  vd_jet wheel_spin;
  vd_jet knuckle_spin;                 /* rad, rotation of the knuckle about the wheel's axle, after toe and camber */
  vd_jet spring_length, damper_length; /* m */
  double motion_ratio, damper_ratio;   /* -d(length)/d(travel) */
  double spring_force, wheel_rate;     /* N, N/m: k MR^2 + F d(MR)/dz, without tyre; NAN without rate and load */
  double ride_rate;                    /* N/m, wheel rate in series with the tyre */
  /* d(x)/d(travel) of the contact point as a point of the knuckle, which carries the torque */
  double brake_slope;
  double drive_slope; /* d(x)/d(travel) of the wheel centre: the chassis carries the torque */
  /* m above the design road, from the contact point's velocity, with the tie rod */
  double roll_centre_z;
  double roll_centre_height; /* m above the present road under the contact point, from the same velocity */
  /* m above the design road, from the front-view lines of the arms; NAN: no arms */
  double roll_centre_planes_z;
  /* d(height above the design road)/d(travel); for a rigid axle by roll, left up 1, right down 1 */
  double roll_centre_migration, planes_migration;
  double roll_slope; /* d(y)/d(z) of the contact point; its velocity is normal to the line through the roll centre */
  /* shares of the load transfer under braking and under drive that the links carry; NAN without data of the car */
  double anti, anti_drive;
  /* Instant centres of the knuckle's motion in the transverse and in the longitudinal plane of the wheel centre; a
   * rigid axle moves in roll and in heave. NAN: the knuckle does not turn in this view. */
  double front_centre_y, front_centre_z, side_centre_x, side_centre_z; /* m, chassis axes */
  double front_arm; /* m, from the wheel centre inboard to the front-view centre: travel per camber, top inward > 0 */
  double side_arm;  /* m, from the wheel centre forward to the side-view centre */
  double front_angle, side_angle; /* rad, lines from contact point to centre: rising inboard, rising to the rear */
  /* rad/m, per displacement of the rack to the left (right wheel: to the right); NAN: not steered */
  double toe_rack, caster_rack, caster_rack_seed;
  double rack;           /* m, displacement of the linkage's rack */
  double rack_force;     /* N, to the left, that holds the rack under the loads of the view; NAN: no loads or no rack */
  double kingpin_moment; /* N m, of these loads about the steering axis, to the left */
  /* rad, from the design position, upward at the wheel's end: arms or trailing arm about their axes; of the rod
   * lower_aft to the horizontal; NAN: none */
  double angle_lower, angle_upper;
} vd_kc_state;

void vd_kc_state_at(const vd_corner *corner, const vd_linkage *l, const vd_pose *pose, vd_kc_state *out);

/* The wheel, and the direction of the inputs along which rates are computed. */
typedef struct vd_kc_view {
  /* the mirrored right wheel of a rigid axle, for which files give no spring and damper: their figures are NAN */
  bool right;
  double along[VD_INPUTS];
  const vd_wheel_load *load; /* on this wheel; NULL: none */
} vd_kc_view;

void vd_kc_state_in_view(const vd_corner *corner, const vd_linkage *l, const vd_pose *pose, const vd_kc_view *view,
                         vd_kc_state *out);

/* Sets only the figures that follow from the place of the wheel, not from rates: toe, camber, steer, wheel, contact
 * point and spin; all others are NAN. The pose is that of the body that carries the wheel. If it has no derivatives,
 * the jets have none either. */
void vd_kc_place_at(const vd_linkage *l, const vd_pose *pose, vd_kc_state *out);

/* Figures of an axle with both wheels. Heights are above the design road, y is to the left of the car's middle. */
typedef struct vd_kc_axle {
  double track_change;            /* m, change of the distance of both contact points from the design position */
  double roll;                    /* rad, of the body relative to the line through both contact points */
  double roll_centre_z;           /* m, from forces, in the car's middle, for equal lateral forces of both wheels */
  double roll_centre_planes_z;    /* m, in the car's middle, from the planes of the arms */
  double cross_y, cross_z;        /* m, intersection of the force-based lines of both wheels; NAN: there is none */
  double steer_left, steer_right; /* rad, to the left */
  /* 1: the wheels' normals meet on the line of the other axle; NAN: straight ahead, or no rack or wheelbase */
  double ackermann;
  /* of the steering wheel, to the left; NAN without steering or without its ratio, a rack's c_factor or a box's
   * gear_ratio: angle, rad; its change with the rack, rad/m; its change with the mean steer angle; moment, N m, that
   * balances rack_force without friction and assistance */
  double steering_wheel, steering_wheel_gain, steering_ratio, steering_wheel_moment;
  double rack_force;     /* N, to the left, of both wheels */
  double turning_circle; /* m, diameter of the path of the outer wheel's contact point */
} vd_kc_axle;

/* Computes the figures of an axle. right: state of the right wheel mirrored, as a left wheel. */
void vd_kc_axle_at(const vd_corner *corner, const vd_linkage *l, const vd_kc_state *left, const vd_kc_state *right,
                   vd_kc_axle *out);

/* Returns whether a rack steers the linkage. */
bool vd_kc_steered(const vd_linkage *l);

#endif
