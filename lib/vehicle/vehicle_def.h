/* The keys of a vehicle. Members that are also in vehicle.h have the same meaning. */
#ifndef VD_VEHICLE_DEF_H
#define VD_VEHICLE_DEF_H

#include "linkage/corner_def.h"
#include "linkage/suspension_def.h"
#include "compliance/wheel_tables_def.h"
#include "tyre/tyre_def.h"
#include "vehicle/battery_def.h"
#include "vehicle/drivetrain_def.h"
#include "vehicle/steering_def.h"
#include "vehicle/vehicle.h"
#include "vehicle/weight_def.h"

#include <math.h>

/* Place of the unsprung mass, from L4 on: a point at the wheel centre, or the bodies of the linkage. */
enum vd_link_masses { VD_LINKS_LUMPED, VD_LINKS_BODIES };

/* Kinds of body, each with its own ratios for estimated moments of inertia. */
enum vd_body_type { VD_BODY_CAR, VD_BODY_SUV, VD_BODY_VAN, VD_BODY_PICKUP, VD_BODY_TYPES };

extern const char *const vd_body_type_names[VD_BODY_TYPES + 1];

typedef struct vd_axle_def {
  double track; /* m */
  /* kg, one wheel with its share of links and brake; auto: from the masses of the linkage */
  double unsprung_mass;
  double unsprung_height;       /* m, height of its centre; auto: loaded_radius */
  double unsprung_roll_inertia; /* kg m2, as in vehicle.h; auto: from the linkage, otherwise for masses at the wheels */
  /* m, rolling radius, as in vehicle.h; auto: radius of a tyre of model mf at static load */
  double wheel_radius;
  /* m, height of the wheel centre at design load; auto: wheel_radius, or, if that is auto, from a tyre of model mf */
  double loaded_radius;
  double wheel_inertia; /* kg m2 about the spin axis; auto: unsprung_mass wheel_radius^2/2 */
  /* N/m at the wheel; auto: slope of the spring's curve, else from the spring of the linkage */
  double spring_stiffness;
  /* N at the wheel, load of its spring in the design position; auto: so that the car rests there */
  double spring_load;
  /* N m/rad of body roll, of the anti-roll bar; auto: from antiroll_wheel_rate, else from a twist beam, else 0 */
  double antiroll_stiffness;
  double roll_centre_height; /* m */
  /* L3 and above */
  /* N/m at one wheel, for opposite travels: 2 antiroll_stiffness/track^2; auto: from antiroll_stiffness */
  double antiroll_wheel_rate;
  double anti_brake; /* share of the load transfer by this axle's braking that the links carry: anti-dive, anti-lift */
  /* share of the load transfer by this axle's drive torque that the links carry: anti-lift, anti-squat */
  double anti_drive;
  double camber_gain; /* camber at the tyre per roll of the body relative to the road; 0: wheels stay upright */
  vd_suspension_def suspension;
  vd_tyre_def tyre;
  vd_structs right_tyre; /* vd_tyre_def, none or one: tyre of the right wheel, if it differs */
  vd_structs linkage;    /* vd_corner_def, none or one: a suspension file; L4 */
  /* the corner that the suspension file describes, set by vd_vehicle_complete; NULL: none */
  const vd_corner *corner;
  double toe, camber;     /* rad, at the design position; auto: as in the tables */
  vd_kc_def kc, right_kc; /* motion of the wheel as tables; right_kc: of the right wheel, if it differs */
  /* tables of both wheels, the right one mirrored, set by vd_vehicle_complete; NULL: none */
  const vd_wheel_tables *tables[2];
  vd_wheel_compliance *compliance; /* compliance of the left wheel, given with the tables; NULL: none */
  const vd_linkage_map *map;       /* set by vd_vehicle_link */
  /* Results of vd_vehicle_link, as in vd_vehicle_axle. */
  vd_compliance_angle angle_compliance[2][2];
  const vd_compliance_map *compliance_map;
  const vd_elastic_map *elastic[2]; /* set by vd_vehicle_link, if `elastic` */
  int link_masses;                  /* enum vd_link_masses */
  const vd_inertia_map *inertia;    /* set by vd_vehicle_link; NULL: lumped */
} vd_axle_def;

/* Quantities at the design position that follow from the linkage of the wheel; NAN: not known. */
typedef struct vd_linkage_figures {
  double spring_ratio, damper_ratio; /* d(length)/d(travel) */
  double stiffness;                  /* N/m at the wheel: rate of its spring times the square of the motion ratio */
  double damping;                    /* N s/m at the wheel: rate of its damper times the square of the motion ratio */
  /* kg, generalised mass for the wheel travel while the wheel turns on its bearing; for a rigid axle half of its mass
   * for parallel travel */
  double mass;
  double
      roll_mass; /* kg, half of the generalised mass for opposite travel of a rigid axle; NAN for independent wheels */
} vd_linkage_figures;

/* Computes these quantities. Without a linkage all are NAN. */
vd_linkage_figures vd_linkage_figures_of(const vd_axle_def *axle);

static inline double vd_axle_loaded_radius(const vd_axle_def *axle) {
  return isnan(axle->loaded_radius) ? axle->wheel_radius : axle->loaded_radius;
}

/* Returns the tyre of a wheel. */
static inline const vd_tyre_def *vd_axle_tyre(const vd_axle_def *axle, bool right) {
  return right && axle->right_tyre.count > 0 ? (const vd_tyre_def *)axle->right_tyre.item : &axle->tyre;
}

/* Road load of a coast-down, a + b |v| + c v^2, in place of air drag and rolling resistance. */
typedef struct vd_road_load_def {
  double a, b, c; /* N, N s/m, N s2/m2; a: auto (NAN): there is none */
} vd_road_load_def;

/* The hitch of a trailer, and the mass that rests on it. */
typedef struct vd_hitch_def {
  double at[3]; /* m, in the axes in which loads are given; auto: there is none */
  double load;  /* kg; auto: none */
} vd_hitch_def;

typedef struct vd_vehicle_def {
  const char *name;
  const char *source;
  vd_names estimates;     /* keys of the vehicle */
  int body_type;          /* enum vd_body_type */
  const char *follows[3]; /* keys that were computed from other values of the file, ended by NULL */
  /* The car without its loads; auto: from its weights. */
  double mass;        /* kg, of the whole car */
  double yaw_inertia; /* kg m2, of the whole car, about the vertical through its centre of gravity */
  /* kg m2, of the sprung mass about its own centre of gravity; auto (NAN): not known */
  double roll_inertia, pitch_inertia;
  /* kg m2, products of inertia of the sprung mass about its own centre of gravity; auto: 0 */
  double product[VD_PRODUCTS];
  double wheelbase;   /* m */
  double cg_to_front; /* m, centre of gravity to front axle */
  double cg_left;     /* m, centre of gravity to the left of the middle plane; auto: 0 */
  double cg_height;   /* m, of the whole vehicle in the design position */
  vd_weights_def weights;
  vd_structs loads; /* vd_weight_def */
  vd_hitch_def hitch;
  double width;          /* m, overall width; auto: the wider track plus 0.25 m */
  double overhang_front; /* m, length of the body beyond the front axle; auto: 0.30 wheelbase */
  double overhang_rear;  /* m, length of the body beyond the rear axle; auto: 0.35 wheelbase */
  vd_axle_def axle[VD_AXLES];
  int compliance; /* model that `run.compliance: auto' selects, enum vd_compliance_model: none or linear */
  vd_aero aero;
  vd_road_load_def road_load;
  vd_drivetrain_def drivetrain;
  vd_battery_def battery;
  vd_brakes brakes;
  vd_steering_def steering;
  vd_structs controllers; /* vd_controller_def */
} vd_vehicle_def;

extern const struct vd_schema vd_vehicle_schema;

/* Sets the values that were `auto`. */
void vd_vehicle_complete(vd_vehicle_def *v, const vd_node *root, const char *path, vd_arena *arena, vd_diag *d);

/* Parts of vd_vehicle_complete, which compute auto values from the weights. vd_vehicle_weigh computes mass and centre
 * of gravity, once the unsprung masses are known; vd_vehicle_weigh_heights computes heights and inertias, once the
 * radii are known. */
void vd_vehicle_weigh(vd_vehicle_def *def);
void vd_vehicle_weigh_heights(vd_vehicle_def *def);

/* Parts of the checks, at design load and with the loads of the run. vd_vehicle_check_masses checks that masses and
 * positions are possible for a car, vd_vehicle_check_inertia checks the moments of inertia, which levels from L3 on
 * need. */
void vd_vehicle_check_masses(const vd_vehicle_def *v, const vd_node *root, const char *path, vd_diag *d);
void vd_vehicle_check_inertia(const vd_vehicle_def *v, const vd_node *root, const char *path, vd_diag *d);

/* Checks rules across keys: masses, heights, braking, tyres. `root` gives the places for messages, `path` is the
 * vehicle's key in it. */
void vd_vehicle_check(const vd_vehicle_def *v, const vd_node *root, const char *path, vd_diag *d);

/* Checks the further requirements of the levels from L3 on, for a vehicle that was checked without errors. */
void vd_vehicle_check_ride(const vd_vehicle_def *v, const vd_node *root, const char *path, vd_diag *d);

/* True if the motion of a wheel is given by tables. */
bool vd_vehicle_has_tables(const vd_vehicle_def *v);

/* Makes the maps of both axles from their linkages or tables, over the travel between the stops and the whole steering
 * range, for a vehicle that was checked without errors. tables: tables have precedence over a linkage; if false, they
 * are used only if no linkage is given. compliance_maps: also the compliance of joined wheels on bushings as a function
 * of their travels. elastic: also the nonlinear compliance by loads. Reports what is incomplete or does not cover this
 * range. */
void vd_vehicle_link(vd_vehicle_def *v, bool tables, bool compliance_maps, bool elastic, const vd_node *root,
                     const char *path, vd_arena *arena, vd_diag *d);

/* Builds the vehicle of the models from a complete definition without errors; vd_vehicle_link must come before it if
 * linkages are needed. */
void vd_vehicle_build(const vd_vehicle_def *def, vd_vehicle *v);

/* Sets the dimensions and masses of the car at design load: all members except suspensions, tyres, drivetrain and
 * maps. */
void vd_vehicle_dimensions(const vd_vehicle_def *def, vd_vehicle *v);

/* Sets the dimensions and masses of the car with the loads of the run. */
void vd_vehicle_laden(const vd_vehicle_def *def, vd_vehicle *v);

#endif
