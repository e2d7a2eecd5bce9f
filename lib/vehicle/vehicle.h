/* The vehicle in the form in which models use it. */
#ifndef VD_VEHICLE_H
#define VD_VEHICLE_H

#include "math/chain.h"
#include "compliance/elastic_map.h"
#include "linkage/inertia_map.h"
#include "linkage/linkage_map.h"
#include "linkage/suspension.h"
#include "tyre/tyre.h"
#include "vehicle/air_heights.h"
#include "vehicle/battery.h"
#include "vehicle/brake_heat.h"
#include "vehicle/drivetrain.h"
#include "vehicle/steering.h"

/* Aerodynamic coefficients as measured by the balance of a wind tunnel (SAE J1594): forces act in the ground plane, so
 * that the two lift coefficients contain the moment of the drag about the centre of gravity. */
typedef struct vd_aero {
  double drag;                            /* - */
  double frontal_area;                    /* m2 */
  double downforce_front, downforce_rear; /* -, downforce counts positive */
  double air_density;                     /* kg/m3 */
  /* coefficients over the aerodynamic yaw angle, rad, from 0 on; no points: see model/outside.h */
  vd_points map[VD_AIR_MAPS];
  vd_air_heights_def heights;
} vd_aero;

enum vd_abs_type { VD_ABS_NONE, VD_ABS_SLIP };

/* An anti-lock system, which keeps the slip of each braked wheel near a target by the pressure of that wheel. */
typedef struct vd_abs {
  int type; /* enum vd_abs_type */
  /* target, > 0; auto: slip of the tyre's highest longitudinal force at static load, at least 0.08 */
  double slip;
  double minimum_speed; /* m/s, below which the wheels may lock */
} vd_abs;

enum vd_pressure_type { VD_PRESSURE_IDEAL, VD_PRESSURE_HYDRAULIC };

/* The pressures at the wheels: they follow the pedal at once, or with the delays of valves, lines and calipers
 * (model/pressure.h). */
typedef struct vd_pressure {
  int type;            /* enum vd_pressure_type */
  double full;         /* Pa, of the full pedal */
  double build_rate;   /* Pa/s, greatest, from the master cylinder */
  double pump_rate;    /* Pa/s, greatest above the pressure of the master cylinder */
  double release_rate; /* Pa/s, greatest */
  double dead_time;    /* s, in which the pads touch their disc after a sudden full pedal */
  double lag;          /* s, time constant of lines and calipers */
} vd_pressure;

/* The circuit of the service brake that has no pressure; each circuit belongs to an axle or to a diagonal. */
enum vd_failed_circuit { VD_CIRCUITS_WORK, VD_CIRCUIT_FRONT, VD_CIRCUIT_REAR, VD_CIRCUIT_FL_RR, VD_CIRCUIT_FR_RL };

enum vd_recuperation_type { VD_RECUPERATION_NONE, VD_RECUPERATION_AXLE, VD_RECUPERATION_ALL };

/* The brake torque that motors provide in place of the friction brakes (model/electric.h). */
typedef struct vd_recuperation {
  /* enum vd_recuperation_type: in place of the brakes of the motors' own axles, or of all brakes */
  int type;
  double share;            /* of the greatest torque of the motors at their speed */
  double power;            /* W, greatest, of all motors at their shafts; auto: not limited */
  double slow, full_speed; /* m/s: no recuperation below the first, full recuperation from the second on */
} vd_recuperation;

typedef struct vd_brakes {
  double max_torque;       /* N m, sum over all wheels at pedal 1 */
  double front_share;      /* - */
  bool load_dependent;     /* the brake torque is instead divided in proportion to the axle loads */
  int failed_circuit;      /* enum vd_failed_circuit */
  double handbrake_torque; /* N m, both rear wheels together at lever 1 */
  vd_points booster;       /* pairs (force on the pedal, N; share of the full pedal); none: no forces */
  vd_brake_curve boosted;  /* not a key: the curve through these pairs */
  vd_abs abs;
  vd_pressure pressure;
  vd_brake_heat heat;
  vd_recuperation recuperation;
} vd_brakes;

/* Loads on a wheel that displace it on bushings, N and N m: forces and moments of the road on a wheel that turns freely
 * on its bearing, and the torque of its brake on the knuckle, > 0 if it brakes forward motion. */
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

/* Number of values in angle_compliance below. */
enum { VD_COMPLIANCE_MAPPED = 2 * 2 * 2 * VD_COMPLIANCE_LOADS };

/* Compliance of both wheels of an axle as a function of their travels. */
typedef struct vd_compliance_map {
  vd_axis travel; /* of each wheel */
  /* coefficients of splines, [travel.cells + 3]^2, each like angle_compliance below */
  const double *surface;
} vd_compliance_map;

typedef struct vd_vehicle_axle {
  double track;           /* m */
  double unsprung_mass;   /* kg, one wheel with its share of links and brake */
  double unsprung_height; /* m, height of its centre */
  /* kg m2, of a rigid axle or twist beam with its wheels about the longitudinal line through its middle; L4 */
  double unsprung_roll_inertia;
  double wheel_radius;       /* m, rolling radius, and lever arm of the longitudinal force about the spin axis */
  double loaded_radius;      /* m, height of the wheel centre at design load */
  double wheel_inertia;      /* kg m2 about the spin axis */
  double spring_stiffness;   /* N/m at the wheel */
  double antiroll_stiffness; /* N m/rad of body roll, of the anti-roll bar */
  double roll_centre_height; /* m */
  /* L3 and above */
  double anti_brake; /* share of the load transfer by this axle's braking that the links carry: anti-dive, anti-lift */
  /* share of the load transfer by this axle's drive torque that the links carry: anti-lift, anti-squat */
  double anti_drive;
  double camber_gain; /* camber at the tyre per roll of the body relative to the road; 0: wheels stay upright */
  vd_suspension suspension;
  bool right_tyre_differs;
  const vd_linkage_map *map; /* L4: map of the left wheel; NULL: none */
  bool live;                 /* L4: a live axle, a rigid axle that carries the final drive */
  /* Compliance at the design position in body axes: rotation of a wheel about z and about x, rad, by the loads on a
   * wheel. First index: the wheel that turns; second: the wheel that is loaded; 0: left. All are zero without
   * bushings. */
  vd_compliance_angle angle_compliance[2][2];
  /* compliance of joined wheels as a function of their travels; NULL: not computed */
  const vd_compliance_map *compliance_map;
  /* Nonlinear compliance of both wheels, the right one mirrored; two different maps if they are not mirror images.
   * NULL: none */
  const vd_elastic_map *elastic[2];
  const vd_inertia_map *inertia; /* L4: inertia of the masses of the linkage; NULL: the unsprung mass is a point */
  bool inboard_brakes;           /* L4: the body carries the brakes */
} vd_vehicle_axle;

/* Sprung and unsprung masses, by one rule for all models. The file gives the mass of the car, the unsprung masses and
 * the height of the centre of gravity of the car. The sprung mass is the car without its unsprung masses:
 *   m_s = m - sum m_u, h_s = (m h - sum m_u h_u)/m_s, y_s = m y/m_s. The sprung share of each axle is computed from its
 *   static load minus the weight of its unsprung mass. */
typedef struct vd_masses {
  double total, sprung;          /* kg */
  double unsprung[VD_AXLES];     /* kg, both wheels of the axle */
  double sprung_share[VD_AXLES]; /* share of the sprung mass carried by the axle; sum 1 */
  double sprung_height;          /* m */
  double sprung_left;            /* m, distance of its centre of gravity to the left of the middle plane */
  double to_axle[VD_AXLES];      /* m, distance of the axles from the centre of gravity, both positive */
} vd_masses;

/* Products of inertia, kg m2, integrals of x y, x z and y z over the mass. */
enum vd_product { VD_PRODUCT_XY, VD_PRODUCT_XZ, VD_PRODUCT_YZ, VD_PRODUCTS };

/* A car with its loads. Heights and places refer to the design position; with loads other than the design loads the car
 * rests in another position. */
typedef struct vd_vehicle {
  double mass;                        /* kg, of the car with all its loads */
  double yaw_inertia;                 /* kg m2, of the whole car, about the vertical through its centre of gravity */
  double roll_inertia, pitch_inertia; /* kg m2, of the sprung mass about its own centre of gravity; NAN: not known */
  /* kg m2, products of inertia of the sprung mass about its own centre of gravity */
  double product[VD_PRODUCTS];
  double wheelbase;   /* m */
  double cg_to_front; /* m, centre of gravity to front axle */
  double cg_left;     /* m, centre of gravity to the left of the middle plane */
  double cg_height;   /* m, of the whole vehicle */
  /* m, position of the hitch, from the ground below the middle of the front axle; 0: none */
  double hitch[3];
  double design_height;         /* m, height of the centre of gravity of the vehicle at design load */
  double design_load[VD_AXLES]; /* N, of one wheel at design load, on a level road */
  bool settles;                 /* the car may rest in another position than the design position */
  /* m, by which the sprung mass is lower at rest than in the design position, on springs without stops */
  double sink;
  double width;          /* m, overall width */
  double overhang_front; /* m, length of the body beyond the front axle */
  double overhang_rear;  /* m, length of the body beyond the rear axle */
  vd_vehicle_axle axle[VD_AXLES];
  double rolling_slope; /* s/m: relative growth of the rolling resistance per speed, b/a of a road load */
  vd_aero aero;
  vd_brakes brakes;
  vd_steering steering;
  vd_masses masses; /* computed from the members above */
  vd_drivetrain drivetrain;
  vd_battery battery;
  vd_tyre tyre[VD_WHEELS];
} vd_vehicle;

vd_masses vd_vehicle_masses(const vd_vehicle *v);

/* Returns the sprung mass as a rigid body in the design position, with coordinates from the point of the ground below
 * the middle of the front axle. Moments of inertia that are not known are NAN. */
vd_inertia vd_vehicle_sprung(const vd_vehicle *v);

/* Returns the whole car as a rigid body, with its unsprung masses as points at the wheels. */
vd_inertia vd_vehicle_total(const vd_vehicle *v);

/* Replaces the sprung mass, and computes mass, centre of gravity and moments of inertia of the whole car from it. */
void vd_vehicle_set_sprung(vd_vehicle *v, const vd_inertia *sprung);

/* Returns the yaw moment of inertia of the sprung mass about its own centre of gravity, kg m2: yaw_inertia minus the
 * contribution of the unsprung masses, which are points at the wheel centres, and minus the contribution of the
 * distance between the centres of gravity of sprung mass and car. */
double vd_vehicle_sprung_yaw_inertia(const vd_vehicle *v);

/* Computes the angles of the left and right front wheel for a mean angle (rad), and their derivatives by the mean
 * angle: a blend of parallel steer and full Ackermann geometry. With full Ackermann geometry both wheels have the same
 * turning centre: tan d = t/(1 -+ t T/(2 L)), t = tan(mean), with the derivative (1 + t^2)/((1 -+ t T/(2 L))^2 + t^2).
 * Left > right in a left turn. */
void vd_steering_angles(const vd_vehicle *v, double mean, double *angle, double *slope);

#endif
