/* Kinematics of a corner and of an axle: what an engineer calls the figures of a linkage's pose. SI and radians; of the
 * left wheel.
 *
 * All of them are jets by the linkage's inputs, so that toe gain, motion ratio and the rest are exact derivatives. A
 * quantity that does not exist for a linkage (no spring, no steering axis) is NAN in all its parts. */
#ifndef VD_KC_H
#define VD_KC_H

#include "compliance/compliance.h"

/* Definitions and sources are beside the formulas in kc.c and kc/axis.c. Quantities that follow from rates, not from
 * the places of points, are taken along a direction of the inputs: of a corner its travel, of a rigid axle both travels
 * (heave). */
typedef struct vd_kc_state {
  vd_jet toe, camber;  /* rad: toe-in, top outward */
  vd_jet steer;        /* rad, to the left, = -toe of the left wheel */
  vd_jet caster, kpi;  /* rad, of the true steering axis: back at the top, inward at the top */
  vd_jet caster_seed;  /* rad, by the reference system's own definition */
  vd_jet scrub, trail; /* m: axis' ground point inboard of the patch, ahead of it, in the wheel's heading */
  vd_jet kingpin_offset, spindle_trail; /* m: axis' point at the wheel centre's height, inboard of and ahead of it */
  vd_jet wheel_x, wheel_y, wheel_z;     /* m, chassis axes */
  vd_jet patch_x, patch_y, patch_z; /* m, of the disc's lowest point over a road parallel to the chassis' x-y plane */
  vd_jet wheel_spin;                /* rad, turn of the knuckle in side view, as the wheel turns when it rolls ahead */
  vd_jet knuckle_spin;              /* rad, that turn about the wheel's own axle, after toe and camber */
  vd_jet spring_length, damper_length; /* m */
  double motion_ratio, damper_ratio;   /* -d(length)/d(travel) */
  double spring_force, wheel_rate;     /* N, N/m: k MR^2 + F d(MR)/dz, without tyre; NAN without rate and load */
  double ride_rate;                    /* N/m, wheel rate in series with the tyre */
  double brake_slope;                  /* d(x)/d(travel) of the patch as a point of the knuckle, which holds torque */
  double drive_slope;                  /* d(x)/d(travel) of the wheel centre: the chassis holds the torque */
  double roll_centre_z;                /* m over the design road, by the contact point's velocity, tie rod included */
  double roll_centre_height;           /* m, by that velocity, over the road under the patch as it is */
  double roll_centre_planes_z;         /* m over the design road, by the front-view lines of the arms; NAN: no arms */
  double roll_centre_migration, planes_migration; /* d(height over the design road)/d(travel), of a rigid axle by roll,
                                                     1 up on the left and 1 down on the right */
  double roll_slope;       /* d(y)/d(z) of the contact point: its line is perpendicular to this */
  double anti, anti_drive; /* share of the load transfer under brakes, drive that links carry; NAN without the car */
  /* Instant centres of the knuckle's motion in the transverse and in the lengthwise plane of the wheel centre, for a
   * rigid axle in roll and in heave. NAN: it does not turn in this view. */
  double front_centre_y, front_centre_z, side_centre_x, side_centre_z; /* m, chassis axes */
  double front_arm; /* m, from the wheel centre inboard to that centre: travel per camber with the top inward */
  double side_arm;  /* m, from the wheel centre ahead to that centre */
  double front_angle, side_angle; /* rad, lines from contact point to centre: rising inboard, rising to the rear */
  /* rad/m, by the rack to the left, of a right wheel to the right; NAN: not steered */
  double toe_rack, caster_rack, caster_rack_seed;
  double rack;           /* m, of its linkage */
  double rack_force;     /* N, to the left, that holds the rack against the view's loads; NAN: without loads or rack */
  double kingpin_moment; /* N m, of these loads about the steering axis, to the left */
  /* rad, from design, up at the wheel's end: arms or trailing arm about their axes, the rod lower_aft against the
   * horizontal; NAN: none */
  double angle_lower, angle_upper;
} vd_kc_state;

void vd_kc_state_at(const vd_corner *corner, const vd_linkage *l, const vd_pose *pose, vd_kc_state *out);

/* Which wheel, and along which direction of the inputs rates are taken. */
typedef struct vd_kc_view {
  bool right; /* the mirrored right wheel of a rigid axle; files give no spring and damper for it: they are NAN */
  double along[VD_INPUTS];
  const vd_wheel_load *load; /* on this wheel; NULL: none */
} vd_kc_view;

void vd_kc_state_seen(const vd_corner *corner, const vd_linkage *l, const vd_pose *pose, const vd_kc_view *view,
                      vd_kc_state *out);

/* Sets only what follows from the place of the wheel, not from rates: toe, camber, steer, wheel, patch and spin; all
 * others are NAN. For poses of what carries the wheel, without derivatives; the jets then have none either. */
void vd_kc_place_at(const vd_linkage *l, const vd_pose *pose, vd_kc_state *out);

/* Quantities of an axle with both wheels. Heights are above the design road, y to the left of the car's middle. */
typedef struct vd_kc_axle {
  double track_change;            /* m, between the patches */
  double roll;                    /* rad, of the body over the line through both patches */
  double roll_centre_z;           /* m, force based, in the car's middle, both lateral forces being equal */
  double roll_centre_planes_z;    /* m, in the car's middle, by the arms' planes */
  double cross_y, cross_z;        /* m, where the force-based lines of both wheels meet; NAN: nowhere */
  double steer_left, steer_right; /* rad, to the left */
  double ackermann; /* 1: the wheels' normals meet on the other axle's line; NAN: straight, no rack or wheelbase */
  /* hand wheel, to the left; NAN without c_factor, gear_ratio or steering: rad; rad per m of rack; hand wheel
   * over mean steer angle; N m, against rack_force without friction and assistance */
  double hand_wheel, hand_wheel_gain, steering_ratio, hand_wheel_moment;
  double rack_force;     /* N, to the left, of both wheels */
  double turning_circle; /* m, diameter of the path of the outer wheel's contact point */
} vd_kc_axle;

/* right: mirrored, as a left wheel. */
void vd_kc_axle_at(const vd_corner *corner, const vd_linkage *l, const vd_kc_state *left, const vd_kc_state *right,
                   vd_kc_axle *out);

/* Whether a rack steers it. */
bool vd_kc_steered(const vd_linkage *l);

#endif
