/* The vehicle as its file describes it. Names that are also in vehicle.h mean the same. */
#ifndef VD_VEHICLE_DEF_H
#define VD_VEHICLE_DEF_H

#include "linkage/corner_def.h"
#include "linkage/suspension_def.h"
#include "compliance/wheel_tables_def.h"
#include "tyre/tyre_def.h"
#include "vehicle/drivetrain_def.h"
#include "vehicle/steering_def.h"
#include "vehicle/vehicle.h"
#include "vehicle/weight_def.h"

#include <math.h>

/* Where the unsprung mass is, from L4 on: a point at the wheel centre, or in the bodies of the linkage. */
enum vd_link_masses { VD_LINKS_LUMPED, VD_LINKS_BODIES };

typedef struct vd_axle_def {
  double track;                 /* m */
  double unsprung_mass;         /* kg, one wheel with its share of links and brake; auto: by the linkage's masses */
  double unsprung_height;       /* m, of its centre; auto: wheel_radius */
  double unsprung_roll_inertia; /* kg m2, as in vehicle.h; auto: by the linkage, else of masses at the wheels */
  double wheel_radius;          /* m, rolling radius, and arm of the longitudinal force; auto: of mf at static load */
  double loaded_radius; /* m, height of the wheel centre at design load; auto: wheel_radius; of mf, if that is auto */
  double wheel_inertia; /* kg m2 about the spin axis; auto: unsprung_mass wheel_radius^2/2 */
  double spring_stiffness; /* N/m at the wheel; auto: slope of the spring's curve, else of the linkage's */
  double spring_load;      /* N at the wheel, of its spring in the design position; auto: so that the car rests in it */
  double antiroll_stiffness; /* N m/rad of body roll, the axle's bar; auto: from antiroll_wheel_rate, else 0 */
  double roll_centre_height; /* m */
  /* L3 and above */
  double antiroll_wheel_rate; /* N/m at one wheel, of opposite travel: 2 antiroll_stiffness/track^2; auto: from it */
  double anti_brake;  /* share of the load transfer of this axle's braking that links carry: anti-dive, anti-lift */
  double anti_drive;  /* as anti_brake, of this axle's drive torque: anti-lift, anti-squat */
  double camber_gain; /* camber at the tyre over the body's roll relative to the road; 0: upright */
  vd_suspension_def suspension;
  vd_tyre_def tyre;
  vd_structs right_tyre;            /* vd_tyre_def, none or one: the right wheel's, if it differs */
  vd_structs linkage;               /* vd_corner_def, none or one: a suspension file; L4 */
  const vd_corner *corner;          /* what it describes, by vd_vehicle_complete; NULL: none */
  double toe, camber;               /* rad, at the design position; auto: those of the tables */
  vd_kc_def kc, right_kc;           /* the wheel's path as tables, and the right wheel's, if it differs */
  const vd_wheel_tables *tables[2]; /* of both wheels, each as a left one, by vd_vehicle_complete; NULL: none */
  vd_wheel_compliance *compliance;  /* compliance of the left wheel, with the tables; NULL: none */
  const vd_linkage_map *map;        /* by vd_vehicle_link */
  /* Results of vd_vehicle_link, as in vd_vehicle_axle. */
  vd_compliance_angle angle_compliance[2][2];
  const vd_compliance_map *compliance_map;
  const vd_elastic_map *elastic[2]; /* by vd_vehicle_link, if asked for */
  int link_masses;                  /* enum vd_link_masses */
  const vd_inertia_map *inertia;    /* by vd_vehicle_link; NULL: lumped */
} vd_axle_def;

/* Figures of the wheel at the design position by its linkage; NAN: not known. */
typedef struct vd_linkage_figures {
  double spring_ratio, damper_ratio; /* d(length)/d(travel) */
  double stiffness;                  /* N/m at the wheel, of its spring by the motion ratio alone */
  double damping;                    /* N s/m at the wheel, of its damper */
  double mass;      /* kg that its travel moves, the wheel on its bearing; of an axle half of what parallel travel */
  double roll_mass; /* kg that opposite travel of an axle moves, half of it; NAN for a wheel on its own */
} vd_linkage_figures;

/* Without a linkage all members are NAN. */
vd_linkage_figures vd_linkage_figures_of(const vd_axle_def *axle);

static inline double vd_axle_loaded_radius(const vd_axle_def *axle) {
  return isnan(axle->loaded_radius) ? axle->wheel_radius : axle->loaded_radius;
}

/* The tyre of a wheel. */
static inline const vd_tyre_def *vd_axle_tyre(const vd_axle_def *axle, bool right) {
  return right && axle->right_tyre.count > 0 ? (const vd_tyre_def *)axle->right_tyre.item : &axle->tyre;
}

/* Hitch of a trailer, and the mass that rests on it. */
typedef struct vd_hitch_def {
  double at[3]; /* m, in axes of a load; auto: there is none */
  double load;  /* kg; auto: nothing */
} vd_hitch_def;

typedef struct vd_vehicle_def {
  const char *name;
  const char *source;
  vd_names estimates; /* keys of the vehicle */
  /* The car without its loads; auto: by its weights. */
  double mass;                        /* kg, everything */
  double yaw_inertia;                 /* kg m2, everything, about the vertical through the centre of gravity */
  double roll_inertia, pitch_inertia; /* kg m2, of the sprung mass about its own centre; auto, kept as NAN: not known */
  double product[VD_PRODUCTS];        /* kg m2, of inertia, likewise; auto: 0 */
  double wheelbase;                   /* m */
  double cg_to_front;                 /* m, centre of gravity to front axle */
  double cg_left;                     /* m, centre of gravity left of the middle plane; auto: 0 */
  double cg_height;                   /* m, of the whole vehicle in the design position */
  vd_weights_def weights;
  vd_structs loads; /* vd_weight_def */
  vd_hitch_def hitch;
  double width;          /* m, over everything; auto: the wider track and 0.25 m */
  double overhang_front; /* m, of the body beyond the front axle; auto: 0.30 wheelbase */
  double overhang_rear;  /* m, beyond the rear axle; auto: 0.35 wheelbase */
  vd_axle_def axle[VD_AXLES];
  vd_aero aero;
  vd_drivetrain_def drivetrain;
  vd_brakes brakes;
  vd_steering_def steering;
} vd_vehicle_def;

extern const struct vd_schema vd_vehicle_schema;

/* Sets the values that were `auto`. */
void vd_vehicle_complete(vd_vehicle_def *v, const vd_node *root, const char *path, vd_arena *arena, vd_diag *d);

/* Parts of vd_vehicle_complete: what is auto and the weights say. Mass and place of the centre of gravity, once the
 * unsprung masses are known; heights and inertias, once the radii are. */
void vd_vehicle_weigh(vd_vehicle_def *def);
void vd_vehicle_weigh_heights(vd_vehicle_def *def);

/* Parts of the checks, at design load and with the loads of the run: masses and places that a car can have; moments of
 * inertia, which the levels from L3 on need. */
void vd_vehicle_check_masses(const vd_vehicle_def *v, const vd_node *root, const char *path, vd_diag *d);
void vd_vehicle_check_inertia(const vd_vehicle_def *v, const vd_node *root, const char *path, vd_diag *d);

/* Checks across fields: masses, heights, braking, tyres. `root` gives the places, `path` is the vehicle's key in it. */
void vd_vehicle_check(const vd_vehicle_def *v, const vd_node *root, const char *path, vd_diag *d);

/* Further requirements of the levels from L3 on, for a vehicle that was checked without errors. */
void vd_vehicle_check_ride(const vd_vehicle_def *v, const vd_node *root, const char *path, vd_diag *d);

/* Whether some wheel's path is given by tables. */
bool vd_vehicle_tabled(const vd_vehicle_def *v);

/* Maps of both axles' linkages or tables, over the travel between their stops and all of the steering, for a vehicle
 * that was checked without errors. tables: they come first; else they stand in for a linkage that is not given.
 * compliance_maps, elastic: the compliance of wheels on bushings, that of joined wheels by their travels and that of
 * others by their loads. Reports what is incomplete or does not reach this range. */
void vd_vehicle_link(vd_vehicle_def *v, bool tables, bool compliance_maps, bool elastic, const vd_node *root,
                     const char *path, vd_arena *arena, vd_diag *d);

/* The vehicle of the models, from a complete definition: without errors, and linked if linkages are wanted. */
void vd_vehicle_build(const vd_vehicle_def *def, vd_vehicle *v);

/* The numbers of the car at design load: all but suspensions, tyres, drivetrain and maps. */
void vd_vehicle_dimensions(const vd_vehicle_def *def, vd_vehicle *v);

/* The numbers of the car under the loads of the run. */
void vd_vehicle_laden(const vd_vehicle_def *def, vd_vehicle *v);

#endif
