/* The vehicle as models compute with it. Lengths from the centre of gravity, per-wheel values per wheel. */
#ifndef VD_VEHICLE_H
#define VD_VEHICLE_H

#include "math/chain.h"
#include "compliance/elastic_map.h"
#include "linkage/inertia_map.h"
#include "linkage/linkage_map.h"
#include "linkage/suspension.h"
#include "tyre/tyre.h"
#include "vehicle/air_heights.h"
#include "vehicle/drivetrain.h"
#include "vehicle/steering.h"

/* Coefficients as a wind tunnel balance gives them (SAE J1594): forces in the ground plane, so that the moment of the
 * drag about the centre of gravity is already in the two lift coefficients. */
typedef struct vd_aero {
  double drag;                            /* - */
  double frontal_area;                    /* m2 */
  double downforce_front, downforce_rear; /* -, downforce counts positive */
  double air_density;                     /* kg/m3 */
  vd_points map[VD_AIR_MAPS];             /* over the aerodynamic yaw angle, rad, from 0 on; none: see outside.h */
  vd_air_heights_def heights;
} vd_aero;

enum vd_abs_type { VD_ABS_NONE, VD_ABS_SLIP };

/* Keeps the slip of each braked wheel near a target by a pressure of its own . */
typedef struct vd_abs {
  int type;             /* enum vd_abs_type */
  double slip;          /* target, > 0; auto: slip of the tyre's highest force at static load, at least 0.08 */
  double minimum_speed; /* m/s below which the wheels may lock */
} vd_abs;

typedef struct vd_brakes {
  double max_torque;       /* N m, sum over all wheels at pedal 1 */
  double front_share;      /* - */
  bool load_dependent;     /* the axles share in proportion to their loads instead */
  double handbrake_torque; /* N m, both rear wheels together at lever 1 */
  vd_abs abs;
} vd_brakes;

/* Loads by which bushings displace a wheel, per N and N m: forces of the road on a wheel that turns on its bearing, and
 * the torque of its brake on the knuckle, braking ahead > 0. */
enum vd_compliance_load {
  VD_COMPLIANCE_FX,
  VD_COMPLIANCE_FY,
  VD_COMPLIANCE_MZ,
  VD_COMPLIANCE_BRAKE,
  VD_COMPLIANCE_LOADS
};

typedef struct vd_compliance_angle {
  double steer[VD_COMPLIANCE_LOADS], camber[VD_COMPLIANCE_LOADS];
} vd_compliance_angle;

/* Compliance of both wheels of an axle, [of][by], over their travels: splines' coefficients, [travel.cells + 3]^2. */
enum { VD_COMPLIANCE_MAPPED = 2 * 2 * 2 * VD_COMPLIANCE_LOADS };

typedef struct vd_compliance_map {
  vd_axis travel; /* of either wheel */
  const double *surface;
} vd_compliance_map;

typedef struct vd_vehicle_axle {
  double track;                 /* m */
  double unsprung_mass;         /* kg, one wheel with its share of links and brake */
  double unsprung_height;       /* m, of its centre */
  double unsprung_roll_inertia; /* kg m2, of joined wheels with their axle about the line along the car; L4 */
  double wheel_radius;          /* m, rolling radius, and arm of the longitudinal force on the spin */
  double loaded_radius;         /* m, height of the wheel centre at design load */
  double wheel_inertia;         /* kg m2 about the spin axis */
  double spring_stiffness;      /* N/m at the wheel */
  double antiroll_stiffness;    /* N m/rad of body roll, the axle's bar */
  double roll_centre_height;    /* m */
  /* L3 and above */
  double anti_brake;  /* share of the load transfer of this axle's braking that links carry: anti-dive, anti-lift */
  double anti_drive;  /* share likewise, for this axle's drive torque: anti-lift, anti-squat */
  double camber_gain; /* camber at the tyre over the body's roll relative to the road; 0: upright */
  vd_suspension suspension;
  bool right_tyre_differs;
  const vd_linkage_map *map; /* L4: of the left wheel; NULL: none */
  bool live;                 /* L4: a rigid axle, which carries the final drive */
  /* Compliance at the design position, body axes: a wheel's turn about z and about x, rad, by what acts on a wheel.
   * First index: the wheel that turns, second: the wheel that is loaded, 0 left; all zero without bushings. */
  vd_compliance_angle angle_compliance[2][2];
  const vd_compliance_map *compliance_map; /* compliance of joined wheels by their travels; NULL: not asked for */
  /* Nonlinear compliance of both wheels, each as a left one: two where they are no mirror images. NULL: none */
  const vd_elastic_map *elastic[2];
  const vd_inertia_map *inertia; /* of the linkage's own masses; NULL: the wheel's mass is a point; L4 */
  bool inboard_brakes;           /* L4: held by the body */
} vd_vehicle_axle;

/* Mass bookkeeping. One rule for every model: the file gives the whole mass, the unsprung masses and the height of the
 * whole centre of gravity; what is left is sprung:
 *   m_s = m - sum m_u,   h_s = (m h - sum m_u h_u)/m_s,   y_s = m y/m_s
 * and each axle's sprung share follows from the whole vehicle's static axle load less its unsprung mass. */
typedef struct vd_masses {
  double total, sprung;          /* kg */
  double unsprung[VD_AXLES];     /* kg, both wheels of the axle */
  double sprung_share[VD_AXLES]; /* share of the sprung mass carried by the axle; sum 1 */
  double sprung_height;          /* m */
  double sprung_left;            /* m, from the middle plane */
  double to_axle[VD_AXLES];      /* m, distance of the axles from the centre of gravity, both positive */
} vd_masses;

/* Products of inertia, kg m2, integrals of x y, x z and y z over the mass. */
enum vd_product { VD_PRODUCT_XY, VD_PRODUCT_XZ, VD_PRODUCT_YZ, VD_PRODUCTS };

/* A car with its loads. Heights and places are given in the design position; under loads other than the design loads
 * the car comes to rest in another one. */
typedef struct vd_vehicle {
  double mass;                        /* kg, everything */
  double yaw_inertia;                 /* kg m2, everything, about the vertical through the centre of gravity */
  double roll_inertia, pitch_inertia; /* kg m2, of the sprung mass about its own centre; NAN: not known */
  double product[VD_PRODUCTS];        /* kg m2, likewise */
  double wheelbase;                   /* m */
  double cg_to_front;                 /* m, centre of gravity to front axle */
  double cg_left;                     /* m, of the middle plane */
  double cg_height;                   /* m, of the whole vehicle */
  double hitch[3];                    /* m, from the ground below the middle of the front axle; 0: none */
  double design_height;               /* m, height of the centre of gravity of the vehicle at design load */
  double design_load[VD_AXLES];       /* N, of one wheel at design load, on a level road */
  bool settles;                       /* the design position need not be one of rest */
  double sink;                        /* m, by which the sprung mass is lower at rest, on springs without stops */
  double width;                       /* m, over everything */
  double overhang_front;              /* m, of the body beyond the front axle */
  double overhang_rear;               /* m, beyond the rear axle */
  vd_vehicle_axle axle[VD_AXLES];
  vd_aero aero;
  vd_brakes brakes;
  vd_steering steering;
  vd_masses masses; /* derived from the above */
  vd_drivetrain drivetrain;
  vd_tyre tyre[VD_WHEELS];
} vd_vehicle;

vd_masses vd_vehicle_masses(const vd_vehicle *v);

/* The sprung mass as a rigid body, from the point of the ground below the middle of the front axle, in the design
 * position. Moments of inertia that are not known are NAN. */
vd_inertia vd_vehicle_sprung(const vd_vehicle *v);

/* The whole car as a rigid body, with its unsprung masses as points at the wheels. */
vd_inertia vd_vehicle_total(const vd_vehicle *v);

/* Gives the car another sprung mass. The whole car's mass, centre of gravity and moments follow. */
void vd_vehicle_respring(vd_vehicle *v, const vd_inertia *sprung);

/* kg m2, of the sprung mass alone about its own centre of gravity: yaw_inertia without the unsprung masses, which are
 * points at the wheel centres, and without its own distance from the vehicle's centre. */
double vd_vehicle_sprung_yaw_inertia(const vd_vehicle *v);

/* Angles of the left and right front wheel for a mean angle (rad), and their derivatives by it: parallel steer blended
 * with full Ackermann, whose inner and outer wheel point at one turning centre: tan d = t/(1 -+ t T/(2 L)), t =
 * tan(mean), with the derivative (1 + t^2)/((1 -+ t T/(2 L))^2 + t^2). Left > right in a left turn. */
void vd_steering_angles(const vd_vehicle *v, double mean, double *angle, double *slope);

#endif
