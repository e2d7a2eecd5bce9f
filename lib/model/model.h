/* The levels of models. A model is const once built, a state is a plain array of doubles, and the rates are a pure
 * function of time, state and command, without hidden memory: the starting values of iterations are part of the state
 * (enum vd_mode). So a state can be copied, saved and stepped again to the same bits. */
#ifndef VD_MODEL_H
#define VD_MODEL_H

#include "vehicle/coupling.h"
#include "ground/ground.h"
#include "compliance/elastic_map.h"
#include "linkage/inertia_map.h"
#include "vehicle/loads.h"
#include "course/path.h"
#include "tyre/relax.h"
#include "model/state.h"
#include "math/rk4.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* L5: how the wheels are carried. */
enum vd_unsprung {
  VD_UNSPRUNG_HUB,     /* no masses of their own: the car is one rigid body on its tyres */
  VD_UNSPRUNG_STRUT,   /* masses of their own, each on a line along the body's z */
  VD_UNSPRUNG_LINKAGE, /* masses of their own, each on the path of its linkage */
};

/* L5: how wheels with masses of their own are guided along their paths. */
enum vd_links {
  VD_LINKS_RIGID, /* constraints: the travel is the wheel's only coordinate */
  VD_LINKS_STIFF, /* springs and dampers across the path: the wheel is free in the world */
};

/* Compliance of the bushings of wheels on linkages. */
enum vd_compliance_model {
  VD_COMPLIANCE_NONE,
  VD_COMPLIANCE_LINEAR,    /* steer and camber, linear about the design position, without delay */
  VD_COMPLIANCE_NONLINEAR, /* elastic maps, with the bushings' loss (elastic.h) */
};

/* Longitudinal control: the control levels Lc1 to Lc6 and Lc8. */
enum vd_longitudinal {
  VD_LON_PEDALS, /* Lc4: throttle, brake, handbrake, gear */
  /* three levels whose torques act directly on the shafts */
  VD_LON_WHEEL_TORQUE, /* Lc1: drive and brake torque of each wheel */
  VD_LON_AXLE_TORQUE,  /* Lc2: drive and brake torque of each axle, through its differential */
  VD_LON_FORCE,        /* Lc3: sum of the wheels' torques, each divided by the wheel's radius */
  VD_LON_ACCELERATION, /* Lc5 */
  VD_LON_SPEED,        /* Lc6 */
  VD_LON_PATH_SPEED,   /* Lc8: the speed that the path prescribes at the present place */
};

/* Lateral control. */
enum vd_lateral {
  VD_LAT_STEER,  /* open loop: steer or steering_wheel; straight ahead without either */
  VD_LAT_TORQUE, /* open loop: torque at the steering wheel of a column */
  VD_LAT_CURVATURE,
  VD_LAT_YAW_RATE,
  VD_LAT_ACCELERATION,
  VD_LAT_PATH, /* a path and no other lateral input */
};

/* True if a closed-loop driver steers the car. */
static inline bool vd_lat_controlled(enum vd_lateral lateral) {
  return lateral != VD_LAT_STEER && lateral != VD_LAT_TORQUE;
}

/* Prescribed motions (prescribed.h): bits, and their functions of time. */
enum { VD_PRESCRIBED_SPEED = 1, VD_PRESCRIBED_PLACE = 2, VD_PRESCRIBED_YAW = 4 };
enum vd_given { VD_GIVEN_SPEED, VD_GIVEN_X, VD_GIVEN_Y, VD_GIVEN_YAW, VD_GIVENS };

/* The driver's commands at one instant; functions of time alone. Members from `drive' on are valid only if `more' is
 * set; otherwise copies end before them (vd_command_pass). */
typedef struct vd_command {
  double t;              /* s */
  double steer;          /* rad, mean road wheel angle, after the dead time */
  double steer_rate;     /* rad/s */
  double hand;           /* rad, present command of the road wheel angle; steer is this command one dead time ago */
  double torque;         /* N m, at the steering wheel; VD_LAT_TORQUE */
  double lateral_demand; /* rad, N m, 1/m, rad/s or m/s2, depending on the kind of lateral control */
  double throttle, brake, handbrake; /* 0..1; throttle and brake are not used by control levels other than Lc4 */
  double target, target_rate;        /* command of force (N), acceleration (m/s2) or speed (m/s), and its rate */
  double range[2];                   /* m/s2, least and greatest acceleration that drive and brakes may cause */
  enum vd_lateral lateral;
  enum vd_longitudinal longitudinal;
  int gear;            /* -1 reverse, 0 neutral, 1.., VD_GEAR_AUTOMATIC */
  unsigned prescribed; /* bits of the motions that are prescribed */
  bool has_range;      /* the speed controller keeps to the range */
  bool wheel_friction; /* the friction is changed wheel by wheel, too */
  /* Roads from outside lie under the wheels. tilted: they are planes whose slopes dz/dx and dz/dy are added to those of
   * a plane ground, with the heights `post' at x = y = 0; only then road_slope is set. */
  bool roads, tilted;
  bool more; /* some member from `drive` on is set, by an input or because the model has requests (vd_inputs) */
  /* computed from steer by vd_command_set_angles for each wheel (L1: lane) */
  double angle_rate[VD_WHEELS];                                        /* rad/s */
  double angle[VD_WHEELS], cos_angle[VD_WHEELS], sin_angle[VD_WHEELS]; /* rad, -, - */
  double post[VD_WHEELS], post_rate[VD_WHEELS]; /* m, m/s: heights above the ground of posts under the wheels; L3 */
  /* m/s, N, N: wind and forces from outside, in addition to those of the options */
  double wind[2], push[3], drawbar;
  double push_moment[3];     /* N m, from outside, in the axes of push */
  double friction_change;    /* -, factor on the friction of the ground, less 1 */
  double rear_steer_request; /* rad, in addition to the angle of steering.rear */
  double throttle_request;   /* -, in addition to the throttle; both together are within 0 and 1 */
  /* m, m/s; wheels on linkages: by vd_command_set_angles, for the rear axle by vd_steered_set_angles */
  double rack[VD_AXLES], rack_rate[VD_AXLES];

  double drive[VD_WHEELS];  /* N m: torque of each wheel, or of the axles in [0] and [1] */
  double retard[VD_WHEELS]; /* N m >= 0: brake torque of each wheel, or of the axles in [0] and [1] */
  /* N m, N m, -: torques and brake pressure on each wheel in addition to the driver's commands (vd_model.requests); a
   * pressure is a share of the pressure at full pedal */
  double drive_request[VD_WHEELS], brake_request[VD_WHEELS], pressure_request[VD_WHEELS];
  double damper_request[VD_WHEELS]; /* N, body up > 0, in addition to the dampers; from L3 on (vd_model.requests) */
  double brake_valve[VD_WHEELS];    /* -, of each wheel: 1 open, 0 holds, -1 releases (pressure.h; vd_model.requests) */
  double road_slope[2][VD_WHEELS];
  double wheel_friction_change[VD_WHEELS]; /* -, factors, less 1 */
  double given[VD_GIVENS][3]; /* prescribed: value and its first two derivatives; for the speed one derivative */
  /* N, N m, at O, body axes: forces that constrain the car to the prescribed motions */
  double constraint_force[3], constraint_moment[3];
} vd_command;

/* Copies a command to one that has the same kinds of commands. */
static inline void vd_command_pass(const vd_command *from, vd_command *to) {
  if (from->more)
    *to = *from;
  else
    memcpy(to, from, offsetof(vd_command, drive));
}

/* Computes the friction of the ground under n wheels or axles, changed by the command. */
static inline void vd_command_friction(const vd_command *c, int n, double *friction) {
  if (c->friction_change != 0.0)
    for (int i = 0; i < n; i++)
      friction[i] *= 1.0 + c->friction_change;
  for (int i = 0; i < n && c->wheel_friction; i++) /* an axle has the mean of its wheels */
    friction[i] *=
        1.0 + (n == VD_WHEELS
                   ? c->wheel_friction_change[i]
                   : 0.5 * (c->wheel_friction_change[vd_left_wheel(i)] + c->wheel_friction_change[vd_right_wheel(i)]));
}

/* Planar models have one lane per wheel (L2) or per axle (L1: both wheels in the middle of the axle). */
typedef struct vd_lanes {
  int count;                         /* 2 or 4 */
  double wheels;                     /* wheels in a lane: 2 or 1 */
  double tyre_share;                 /* -, share of the lane's load on one tyre: 1/wheels */
  double x[VD_WHEELS], y[VD_WHEELS]; /* m from the centre of gravity */
  double radius[VD_WHEELS];          /* m */
  double inertia[VD_WHEELS];         /* kg m2, of the whole lane */
  double inverse_inertia[VD_WHEELS]; /* 1/(kg m2) */
  double rolling[VD_WHEELS];         /* m: rolling resistance at standstill x radius */
  double rolling_growth[VD_WHEELS];  /* s2/m2: vd_tyre_rolling_growth */
  bool rolling_grows;                /* the resistance depends on the speed */
  double drive_share[VD_WHEELS];     /* -, share of the wheel torque; sum 1 */
  double brake_share[VD_WHEELS];     /* -, share of the brake torque; sum 1, less without a circuit */
  double handbrake_share[VD_WHEELS]; /* -, share of the handbrake torque; sum 1, rear */
  const vd_tyre *tyre[VD_WHEELS];
  const vd_tyre *other[VD_WHEELS]; /* L1: the right tyre of the axle if it differs from the left one */
  bool paired;                     /* some axle has two different tyres */
  /* tyre[] of all lanes; if paired, tyre and other of the first lane, then of the second */
  vd_tyre_row row;
  bool moments; /* some tyre has overturning and rolling moments of its own */
  bool cambers; /* some tyre depends on camber */
} vd_lanes;

/* Rotations of wheels on their bushings by loads, rad/N, rad/(N m), in contact axes; [0] by loads on the wheel itself,
 * [1] by loads on the other wheel of its axle. */
typedef struct vd_load_compliance {
  double steer[2][VD_COMPLIANCE_LOADS][VD_WHEELS], camber[2][VD_COMPLIANCE_LOADS][VD_WHEELS];
} vd_load_compliance;

/* From L3 on: constants of the parts between body and road. Arrays are by wheel, equal for left and right, or by axle.
 * Places are relative to the reference point O. It is a point of the body in the middle plane: the whole car's centre
 * of gravity in the design position; see l3_fourteen_dof.c. */
typedef struct vd_ride {
  double sprung_mass, sprung_x, sprung_y, sprung_z; /* kg, m */
  double inertia_x, inertia_y, inertia_z;           /* kg m2, of the sprung mass about its own centre */
  double product[VD_PRODUCTS];                      /* kg m2, products of inertia about that centre */
  bool asymmetric;                                  /* the sprung mass is not symmetric about the middle plane */
  double unsprung_mass[VD_WHEELS];                  /* kg, of one wheel */
  double unsprung_sum;                              /* kg, of all wheels */
  double bar[VD_AXLES];                             /* N/m: antiroll_stiffness/track^2 */
  double free_radius[VD_WHEELS];                    /* m */
  double tyre_stiffness[VD_WHEELS];                 /* N/m; with a load curve its slope at the static load */
  double tyre_damping[VD_WHEELS];                   /* N s/m */
  /* N m/rad: moment of the weight per lean, which a couple cancels; 0: there is no couple */
  double lean_roll, lean_pitch;
  bool damped;   /* some tyre has vertical damping */
  bool curved;   /* the load of some tyre is not proportional to its deflection (vd_tyre_vertical) */
  bool on_posts; /* the body cannot move horizontally: four-post rig */
  bool plane;    /* the ground has no heights */
  bool brakes_inboard, inboard[VD_WHEELS]; /* L4, L5: some brakes are mounted on the body; which of them */
  /* kg, kg m, kg m2: inertia of the sprung mass at O against accelerations; rows end in zeros; L4, L5 */
  double body_matrix[6][8];
  double wheel_z[VD_WHEELS], unsprung_z[VD_WHEELS]; /* m, of wheel centre and unsprung mass above O; L4, L5 */
  /* L3: wheels on beams that turn about the roll centres. l3_beams.h, l3_equations.h */
  struct {
    double roll_centre_z[VD_WHEELS]; /* m, of the roll centre in the design position */
    double half_track[VD_WHEELS];    /* m */
    double inverse_track[VD_WHEELS]; /* 1/m */
    double wheel_above[VD_WHEELS];   /* m, height of the wheel centre above the roll centre */
    double mass_above[VD_WHEELS];    /* m, height of the unsprung mass above the roll centre */
    double brake_slope[VD_WHEELS];   /* -, d(contact x)/d(travel) with the wheel locked to the knuckle */
    double drive_slope[VD_WHEELS];   /* 1/m: (slope under drive torque - brake_slope)/radius */
    double camber_gain[VD_AXLES];    /* - */
  } beam;
  /* L4, L5: wheels on linkages. linkage_poses.h, l4_equations.h, link_bodies.h */
  struct {
    const vd_linkage_map *map[VD_WHEELS];
    vd_linkage_maps maps;           /* all four maps; only if no wheels are joined */
    bool exact;                     /* linkages are solved in every evaluation instead of reading their maps */
    bool joined;                    /* an axle or a beam joins two wheels */
    double is_joined[VD_WHEELS];    /* 1 for joined wheels, 0 for others */
    double shared_mass[VD_WHEELS];  /* kg, inertia of one wheel against accelerations of the other: ride.c */
    double on_live_axle[VD_WHEELS]; /* 1: the axle carries the final drive and the reaction to the drive torque */
    double shaft[VD_WHEELS];        /* -, moment of the propeller shaft about x on one end, over the drive torque */
    /* an axle steers: joints in its drive shafts, vd_shaft_joint; for other axles sums are 0 and base is 1 */
    bool kingpins;
    double pin_along[VD_WHEELS], joint_sum[VD_WHEELS], joint_base[VD_WHEELS], joint_amplitude[VD_WHEELS];
    double joint_straight[VD_WHEELS];
    bool has_link_bodies; /* some linkage has masses of its own */
    const vd_inertia_map *inertia[VD_WHEELS];
  } link;
  /* L4, L5: bushings. elastic.h; compliant: l4_compliance.h */
  struct {
    const vd_elastic_map *elastic_map[VD_WHEELS]; /* nonlinear; NULL: none */
    bool compliant;                               /* the wheels turn on their bushings under their forces */
    vd_load_compliance by_load;
  } bushing;
  /* L5: wheels that are free in the world, or wheels on hubs. l5_equations.h, l5_wheels.h, l5_build.c */
  struct {
    double body_mass, body_centre[3];              /* kg; m, from O: of all parts that form one rigid body */
    double body_inertia[3][3], body_inverse[3][3]; /* kg m2, about that centre, and its inverse */
    double link_damping[VD_WHEELS];                /* N s/m, along x and along y */
    double static_load[VD_WHEELS];                 /* N */
    bool hinted;                                   /* the search for contact points uses its hints */
    double max_load[VD_WHEELS];                    /* N; INFINITY: not limited */
  } free;
} vd_ride;

/* Wind, which may be limited to a zone. */
typedef struct vd_wind {
  double speed[2]; /* m/s, along world x and y */
  double from, to; /* m, world x of the zone's ends; NAN: wind everywhere */
  double edge;     /* m, distance over which the wind grows and falls at the ends */
} vd_wind;

typedef struct vd_model_options {
  enum vd_level level;
  double step;               /* s */
  bool lean;                 /* the load transfer contains the weight of the leaning body */
  bool no_pitch;             /* L1, L2: accelerations along the car move no load between the axles */
  double v_low, v_low_y;     /* m/s, floors of the speed in slip ratio and slip angle (lanes.h) */
  bool transient;            /* slips are states with relaxation lengths; the floors are not used */
  const vd_path *path;       /* NULL: none; must outlive the model */
  bool acceleration_control; /* some command may be VD_LON_ACCELERATION */
  bool on_posts;             /* L3: see vd_ride */
  vd_wind wind;
  double push_at[3];                   /* m, point of action of the force from outside, in the coordinates of a load */
  bool push_level;                     /* the force's axes are those of the level road below the body, not the body's */
  bool pushed;                         /* some command may contain wind, a force from outside or a drawbar pull */
  bool requests;                       /* some command may contain requests of torque or pressure */
  unsigned prescribed;                 /* which motions the commands prescribe */
  bool exact_linkage;                  /* L4: see vd_ride */
  enum vd_compliance_model compliance; /* L4; nonlinear: and L5 with linkages on rigid links */
  double bushing_time;                 /* s, time constant of the bushings' loss; nonlinear */
  enum vd_unsprung unsprung;           /* L5 */
  enum vd_links links;                 /* L5 */
  double link_stiffness;               /* N/m, L5: stiffness of stiff links across a wheel's path */
  /* 1/s, L5 on stiff links: greatest increase of a wheel's rates by standstill dampers */
  double rate_margin[VD_AXLES];
  bool frozen_contact; /* L5: road planes are those of the beginning of the step */
  bool capped_contact; /* L5 on hubs: tyre loads are at most 6 m g/4, tyre stiffnesses at most 80 kN/m */
} vd_model_options;

typedef struct vd_model {
  vd_model_options options;
  vd_vehicle vehicle;
  vd_ground ground;
  double plan_along[2], plan_across[2]; /* axes of the state's place: their components along world x and y */
  vd_lanes lanes;
  vd_load_balance balance;
  int states, first_extra; /* the number of states that are integrated, and the first of those that `extras' adds */
  /* features that are switched on; each costs no time while it is off */
  bool extras;          /* any of the following: the whole state is integrated */
  bool extended;        /* rates beyond those of the level: steering, a path, temperatures, a battery */
  bool outside;         /* wind, maps of the air, or forces from outside: outside.h */
  bool transient;       /* from L1 on */
  bool turn_slip;       /* some tyre has turn slip; from L1 on */
  bool abs;             /* from L1 on */
  bool hydraulic;       /* pressures at the wheels are states: pressure.h; from L1 on, not with abs */
  bool plain_brakes;    /* their torques follow from the pedal alone */
  bool hot_brakes;      /* discs have temperatures: disc_heat.h; from L1 on */
  bool steering;        /* the wheels' angles depend on the state: lag, column, rear steering */
  bool column;          /* from L1 on */
  bool steering_axes;   /* L1 to L3: front wheels turn about steering axes, which moves their contact points */
  bool patches;         /* friction differs by place; from L1 on */
  bool coupled;         /* shafts are coupled, or the motor's speed is independent; from L1 on */
  bool motor_shaft;     /* the motor's speed is a state */
  bool table_steer;     /* L1, L2: the wheels steer as tables describe (table_steer.h) */
  bool plain_motor;     /* the motor has no power limit, inertia or losses: its torque depends on the throttle only */
  bool electric;        /* a battery, or several motors: electric.h */
  bool bypass;          /* torques may bypass drivetrain and pedal at any control level: requests, electric */
  bool lengths_by_load; /* transient slip: some relaxation length depends on the load */
  /* L1 and L2: wheel loads, load_loop.h; table_steer.c */
  struct {
    /* load modes (loads.h) = base + aero vx^2 + matrix sum, while no wheel lifts; [sum][mode] */
    double load_base[VD_WHEELS], load_aero[VD_WHEELS], load_matrix[VD_LOAD_SUMS][VD_WHEELS];
    double roll_travel[VD_AXLES]; /* table_steer; m per m/s2: travel of the right wheel per lateral acceleration */
  } planar;
  /* Internal model of the car for driver and controllers: pedals.c, lib/sim/driver.c. */
  struct {
    double rolling_mass;        /* kg: mass, and wheel inertias over the square of the radius */
    double drive_radius;        /* m: the wheel torques T together make the force T/drive_radius */
    double brake_radius;        /* m: the brake torques T together make the force T/brake_radius */
    double understeer;          /* rad s2/m: gradient of the steering angle at small lateral acceleration */
    double abs_slip[VD_WHEELS]; /* -, slip that the anti-lock system controls */
    /* pressures are shares of the pressure at full pedal: 1/s; - (< 0: pads at their clearance); 1/s */
    struct {
      double build, pump, release, clearance, follow;
    } pressure;
  } control;
  /* Tyres in steady driving, and their transient slip, by lane: lanes.h, turn_slip.c, vd_model_decay. */
  struct {
    double cornering[VD_AXLES];       /* N/rad, of the axles at static load */
    double slip_stiffness[VD_WHEELS]; /* -, of the lanes at static load, per newton of it */
    double grip[VD_WHEELS];           /* -, greatest force of the lanes at static load, per newton of it */
    /* m, -: I/(R m) and -y I/(R Iz) of the lanes: changes of VX and YAW_RATE per change of spin */
    double spin_reaction[2][VD_WHEELS];
    vd_relax relax[VD_WHEELS];       /* by lane, at static load */
    vd_relax_four relax_four;        /* the four of relax, in lanes */
    vd_relax_twist twist[VD_WHEELS]; /* by lane; turn_slip */
  } slip;
  double motor_share[VD_WHEELS][VD_WHEELS]; /* -, [motor][lane], sum 1: how motors drive lanes; electric.c */
  /* Coupled shafts: train.c, model_switch.c */
  struct {
    vd_coupling coupling[VD_COUPLINGS]; /* by mode; the clutch's rows are for ratio 1 and without losses */
    bool permanent[VD_COUPLINGS];       /* never slips: locked differential, motor without clutch */
  } shafts;
  vd_kingpin kingpin; /* steering_axes: the left wheel's steering axis; steered.c */
  vd_ride ride;       /* from L3 on */
  /* The air. The tables are large (58 kB), and only a vehicle with tables reads them in a step: outside.h. */
  struct {
    double drag, downforce[VD_AXLES]; /* N per (m/s)^2: rho A c/2 */
    double area;                      /* kg/m: rho A/2 */
    vd_curve map[VD_AIR_MAPS];        /* count 0: none */
    vd_air_heights heights;
  } air;
} vd_model;

/* Modes: numbers of the state that are not integrated. The mode of a coupling is the direction in which it slips, -1 or
 * +1, or 0 if it sticks. Brakes come first, one per lane (at L0 one for all). */
enum vd_mode {
  VD_M_BRAKE,
  VD_M_CLUTCH = VD_M_BRAKE + VD_WHEELS,
  VD_M_FRONT, /* differentials */
  VD_M_REAR,
  VD_M_CENTRE,
  VD_M_GEAR,        /* engine: the engaged gear, or, during a shift, the next one */
  VD_M_SHIFT_START, /* s, time of the last shift */
  /* 1: a shift is in progress. The time alone does not tell whether a stage at the end of a shift is before or after
   * it. */
  VD_M_SHIFTING,
  VD_M_DIRECTION, /* -1, +1: direction in which the speed controller drives */
  VD_M_ANTILOCK,  /* state of each lane's anti-lock system: enum vd_antilock */
  VD_COMMON_MODES = VD_M_ANTILOCK + VD_WHEELS,
};

/* L1 and L2: values of the previous evaluation from which the load loop starts (load_loop.h), and the search for the
 * angles of wheels on linear bushings (table_steer.c); by lane. */
enum vd_load_mode {
  VD_M_LOAD = VD_COMMON_MODES,                    /* N; 0: not known */
  VD_M_LOAD_RATE = VD_M_LOAD + VD_WHEELS,         /* N/s */
  VD_M_LOAD_SLOPE_X = VD_M_LOAD_RATE + VD_WHEELS, /* -, slopes of fx, fy, mx, my (m) by the loads */
  VD_M_LOAD_SLOPE_Y = VD_M_LOAD_SLOPE_X + VD_WHEELS,
  VD_M_LOAD_SLOPE_MX = VD_M_LOAD_SLOPE_Y + VD_WHEELS,
  VD_M_LOAD_SLOPE_MY = VD_M_LOAD_SLOPE_MX + VD_WHEELS,
  VD_M_LOAD_SLOPE_ERROR = VD_M_LOAD_SLOPE_MY + VD_WHEELS, /* estimated error of the slopes */
  VD_M_LOAD_SHARE_X = VD_M_LOAD_SLOPE_ERROR + VD_WHEELS,  /* fx and fy divided by the loads */
  VD_M_LOAD_SHARE_Y = VD_M_LOAD_SHARE_X + VD_WHEELS,
  VD_M_LOAD_TIME = VD_M_LOAD_SHARE_Y + VD_WHEELS, /* s */
  VD_M_TURN,                                      /* rad */
  VD_M_TURN_RATE = VD_M_TURN + VD_WHEELS,         /* rad/s */
  VD_M_TURN_SLOPE = VD_M_TURN_RATE + VD_WHEELS,   /* -, slope of the error of the angle over the angle; 0: unknown */
  VD_LOAD_MODES = VD_M_TURN_SLOPE + VD_WHEELS,
};

/* L3 and L4 with linear compliance: values of the previous evaluation from which the search for the wheels' angles on
 * their bushings starts (l4_compliance.h); by wheel. */
enum { VD_TURN_ANGLES = 2, VD_TURN_FORCES = 5 }; /* steer, camber; fx, fy, mx, my, mz */
enum vd_compliance_mode {
  VD_M_COMPLIANCE = VD_COMMON_MODES,                                         /* rad, both angles */
  VD_M_COMPLIANCE_RATE = VD_M_COMPLIANCE + VD_TURN_ANGLES * VD_WHEELS,       /* rad/s */
  VD_M_COMPLIANCE_SLOPE = VD_M_COMPLIANCE_RATE + VD_TURN_ANGLES * VD_WHEELS, /* N/rad, N m/rad: forces by angles */
  /* -, estimated error of d(angles)/d(angles) by these slopes; 0: nothing is known */
  VD_M_COMPLIANCE_ERROR = VD_M_COMPLIANCE_SLOPE + VD_TURN_ANGLES * VD_TURN_FORCES * VD_WHEELS,
  VD_M_COMPLIANCE_TIME = VD_M_COMPLIANCE_ERROR + VD_WHEELS, /* s */
  VD_COMPLIANCE_MODES,
};

/* L5: where contact points were found on the ground. */
enum vd_ground_mode {
  VD_M_FACE = VD_M_LOAD_TIME + 1,     /* triangle of a mesh under each wheel, -1: none */
  VD_M_PLANE = VD_M_FACE + VD_WHEELS, /* frozen contacts: x, y, z of the normals, distances from the origin */
  VD_M_FRICTION = VD_M_PLANE + 4 * VD_WHEELS,
  VD_MODES = VD_M_FRICTION + VD_WHEELS,
};
_Static_assert((int)VD_LOAD_MODES <= (int)VD_MODES && (int)VD_COMPLIANCE_MODES <= (int)VD_MODES,
               "no level has more modes than L5");

/* States of the antilock system at a wheel: off, while the pressure returns; controlling; passing the whole pressure
 * (at rest, or if the law would exceed it); passing no pressure. */
enum vd_antilock { VD_ANTILOCK_OFF, VD_ANTILOCK_CONTROLS, VD_ANTILOCK_ALL, VD_ANTILOCK_NONE };

typedef struct vd_state_vector {
  double x[VD_STATES];   /* units: vd_state_table */
  double mode[VD_MODES]; /* enums vd_mode, vd_load_mode, vd_compliance_mode, vd_ground_mode */
} vd_state_vector;

/* All results of an evaluation, grouped by the stages of the pipeline (ARCHITECTURE.md), each group with the functions
 * that write it. Wheel arrays are per wheel after vd_model_observe; before, they are per lane (L1). */
typedef struct vd_eval {
  /* Steering: vd_steered_rates, vd_steered_observe and the level; arms and moments by the level. */
  struct {
    double steer, steering_wheel;          /* rad; vd_steered_observe */
    double steer_actual, angle[VD_WHEELS]; /* rad: mean angle of the road wheels, and each wheel's */
    double steering_torque; /* N m, at the steering wheel (with a column, of the hands), to the left > 0; 0 at L0 */
    /* rad, N m, N m: angle below the torsion bar, torque of the bar, torque of the assistance on the gear */
    double column_angle, bar_torque, assist_torque;
    double rack[VD_AXLES], rack_force[VD_AXLES]; /* m; N, of the links on the rack, to the left > 0; from L4 on */
    /* steering axes of the front wheels: m/rad, derivative of the contact points by the wheels' angles, contact axes,
     * at L1 and L2; rotation of the knuckle about the wheel's axle per angle; N m, moment of the road on the wheel's
     * angle */
    double steer_arm[3][VD_WHEELS], steer_spin[VD_WHEELS], steer_moment[VD_WHEELS];
  } steering;
  /* vd_body_motion (work.h); L1 and L2: contact_velocities and slope_pull of planar.c; L0: kinematic.c */
  struct {
    double vx, vy, vz;                                /* m/s, body axes; vz: from L3 on */
    double roll_rate, pitch_rate, yaw_rate;           /* rad/s, body axes; below L3 only the yaw rate */
    double omega[VD_WHEELS];                          /* rad/s */
    double travel[VD_WHEELS], travel_rate[VD_WHEELS]; /* m, m/s, bump > 0; from L3 on */
    double pull_x, pull_y;                            /* m/s2, gravity along the slope, body axes */
    double path_error;                                /* m, to the left of the path; vd_model_rates */
  } motion;
  /* The wheels on the road: contacts.h, l5_stages.h; friction and velocities below L3: planar.c. */
  struct {
    double friction[VD_WHEELS];                          /* -, friction coefficient of the ground under the wheel */
    double vx_contact[VD_WHEELS], vy_contact[VD_WHEELS]; /* m/s, of the contact point in contact axes */
    /* cosine of the angle between the wheel's plane and the road's normal */
    double cos_inclination[VD_WHEELS];
    /* sine of the angle between the axle and the road, left end up > 0 */
    double sin_inclination[VD_WHEELS];
    /* rad, of the tyre relative to the road, top to the right > 0 */
    double camber[VD_WHEELS];
    double deflection[VD_WHEELS]; /* m, of the tyre; < 0: above the road */
    /* m, body axes from the reference point; after vd_model_observe in the world */
    double contact_x[VD_WHEELS], contact_y[VD_WHEELS], contact_z[VD_WHEELS];
  } contact;
  /* vd_slips (tyre_forces.h), vd_landing_slips (l5_stages.h), vd_turn_slips; by lane: lanes.h */
  struct {
    double kappa[VD_WHEELS], tan_alpha[VD_WHEELS];                     /* - */
    double slip_x[VD_WHEELS], slip_y[VD_WHEELS];                       /* m/s, transient slip: R w - Vx, -Vy */
    double deflection_rate_x[VD_WHEELS], deflection_rate_y[VD_WHEELS]; /* 1/s; for bristles the tyre forces write it */
    double damper[VD_WHEELS];                                          /* s, of the standstill damper */
    double turn_slip[VD_WHEELS], spin_per_metre[VD_WHEELS];            /* 1/m; with turn slip */
    double twist_rate[VD_WHEELS];                                      /* 1/(m s), with turn slip */
  } slip;
  /* Drive and brakes: vd_pedals, vd_lane_torques; coupled shafts: vd_train_prepare, _finish and _accelerate. */
  struct {
    double throttle, brake, handbrake; /* 0..1 */
    int gear;
    bool saturated;                /* the car cannot deliver the command */
    double demand;                 /* N, m/s2 or m/s, demand of the control level; 0 with pedals and torques */
    double tracking_error;         /* commanded less delivered torque (N m, sum of magnitudes) or force (N) */
    double motor_torque;           /* N m: on the motor's shaft, if its speed is a state; else the sum on the wheels */
    double direct[VD_WHEELS];      /* N m, drive torque that bypasses the drivetrain: vd_bypassed */
    double retard[VD_WHEELS];      /* N m, brake torque that bypasses the pedal; with requests it may be < 0 */
    double other_brake[VD_WHEELS]; /* N m, of handbrake and direct torques, with load-dependent brakes */
    double drive_torque[VD_WHEELS], brake_capacity[VD_WHEELS]; /* N m */
    double motor_accel;                                        /* rad/s2 */
    double coupling_slip[VD_COUPLINGS];                        /* rad/s */
    double coupling_torque[VD_COUPLINGS];                      /* N m, on shaft b of the coupling */
    double coupling_capacity[VD_COUPLINGS];                    /* N m */
  } drive;
  /* Motors and battery, only with vd_model.electric: electric.c. By motor: */
  struct {
    double ratio[VD_WHEELS];                   /* motor speed divided by mean speed of its wheels; 0: disengaged */
    double speed[VD_WHEELS], limit[VD_WHEELS]; /* rad/s; N m, greatest torque that motor and battery allow */
    double torque[VD_WHEELS];                  /* N m, at its shaft */
    double shaft[VD_WHEELS];                   /* N m, on the wheels of a motor of a list */
    double power, current, voltage;            /* W, A, V, of the battery's terminals, discharging > 0 */
  } electric;
  /* Suspension: the level's stage, from L3 on; bushings: vd_elastic_displace, vd_compliant_tyre_forces. */
  struct {
    double spring_force[VD_WHEELS]; /* N, of springs, stops and bar on the body, at the wheel */
    double damper_force[VD_WHEELS]; /* N */
    /* N, along springs and dampers, times their motion ratio in the design position; from L4 on */
    double spring_eye[VD_WHEELS], damper_eye[VD_WHEELS];
    double compliance_steer[VD_WHEELS], compliance_camber[VD_WHEELS]; /* rad, to the left, top to the right > 0; L4 */
    /* for the next evaluation, in the order of the modes */
    double compliance_slope[VD_M_COMPLIANCE_TIME - VD_M_COMPLIANCE_SLOPE];
    int compliance_rounds; /* evaluations of the tyres */
    /* nonlinear bushings: centre (m) and axle of the displaced wheels, body axes; J, of the bushings, for joined wheels
     * the sum of both */
    double displaced_centre[3][VD_WHEELS], displaced_axle[3][VD_WHEELS], bushing_energy[VD_WHEELS];
  } suspension;
  /* vd_tyre_loads and vd_wheel_tyre_forces; L1 and L2: vd_close_loads, which also writes `loop` */
  struct {
    double load[VD_WHEELS];                             /* N */
    double fx[VD_WHEELS], fy[VD_WHEELS];                /* N, contact axes */
    double mx[VD_WHEELS], my[VD_WHEELS], mz[VD_WHEELS]; /* N m */
    double damped[VD_WHEELS];                           /* W, loss of the standstill damper; tyres with bristles only */
  } tyre;
  struct {
    double sum[VD_ALL_SUMS]; /* N, N m: loads.h */
    /* -, m: for the next evaluation, in the order of the modes */
    double load_slope[VD_M_LOAD_TIME - VD_M_LOAD_SLOPE_X];
    double turn[VD_WHEELS], turn_slope[VD_WHEELS]; /* rad, -: of wheels on linear bushings */
    double residual;                               /* N */
    int passes;
  } loop;
  /* Air and forces from outside: vd_outside_forces (contacts.h), outside.h. */
  struct {
    double drag, downforce[VD_AXLES]; /* N */
    /* planar levels: N, to the left; N m, in yaw, roll and pitch (rearward) about the ground below the centre of
     * gravity */
    double outside_side, outside_turn, outside_roll, outside_rear;
    double outside_ahead;         /* N, of forces from outside, which planar levels subtract from the drag */
    double outside_up[VD_AXLES];  /* N, of forces from outside, which planar levels subtract from the downforce */
    double air_power, push_power; /* W */
    /* N, N, N m: forces that constrain the car to a prescribed motion, along vx, vy and about the vertical;
     * prescribed.c */
    double prescribed[3];
  } outside;
  /* Accelerations of the spins: l3_spins.h, spins.h; L1 and L2: load_loop.h */
  struct {
    double spin_torque[VD_WHEELS]; /* N m about the axle without the brake */
    double spin_accel[VD_WHEELS];  /* rad/s2 */
  } spin;
  /* vd_body_rates (state_rates.h), vd_free_rates (l5_stages.h); L1 and L2: body of planar.c */
  struct {
    double ax, ay, az; /* m/s2, of the centre of gravity in body axes, gravity included; az: from L3 on */
    double yaw_accel;  /* rad/s2 */
  } body;
  /* For the log and the metrics, written by vd_model_observe only. */
  struct {
    double x, y, z, roll, pitch, yaw; /* m, rad: world pose, with the lean */
    double alpha[VD_WHEELS];          /* rad */
    /* -, -, rad: greatest friction coefficient, and the slips at which it is reached */
    double mu_peak[VD_WHEELS], kappa_peak[VD_WHEELS], alpha_peak[VD_WHEELS];
    double contact[VD_WHEELS];      /* 1 while the wheel carries load, else 0 */
    double brake_torque[VD_WHEELS]; /* N m, acting torque */
    double pressure[VD_WHEELS];     /* -, share that the anti-lock system lets through */
    double drive_request[VD_WHEELS], brake_request[VD_WHEELS], pressure_request[VD_WHEELS]; /* with VD_VIEW_WHEELS */
    double damper_request[VD_WHEELS];                  /* N, part of damper_force; with VD_VIEW_WHEELS */
    double throttle_request;                           /* -, added to that of the pedal */
    double rear_steer_request;                         /* rad, added to the angle of steering.rear */
    double brake_valve[VD_WHEELS];                     /* with VD_VIEW_WHEELS; 1 without a request */
    double master_pressure, wheel_pressure[VD_WHEELS]; /* Pa, hydraulic; with VD_VIEW_WHEELS */
    double pedal_force;                                /* N, on the brake pedal; 0 without a booster */
    double disc[VD_WHEELS];                            /* K above the air; with VD_VIEW_WHEELS */
    /* rad, rad; m, m: displacement of the centre of gravity to the right and forward */
    double body_roll, body_pitch, ey, ex;
    double tipping;                                       /* 1 while no wheel loads can balance the moments */
    double sideslip;                                      /* rad, to the left > 0 */
    double energy_steering;                               /* J, column */
    double energy_battery;                                /* J */
    double air_drag;                                      /* N, drag without outside_ahead */
    double air_lift[VD_AXLES];                            /* N, downforce without outside_up */
    double gear, motor_speed, saturated;                  /* -; rad/s; 1 while the command cannot be delivered */
    double acceleration_error, force_error, torque_error; /* m/s2, N, N m: commanded less present value */
    double curvature_error, yaw_rate_error, lateral_acceleration_error; /* 1/m, rad/s, m/s2 */
    double clutch_torque, clutch_slip;                                  /* N m, rad/s */
    double path_s, path_heading_error, path_curvature;                  /* m, rad, 1/m */
    double curvature;                          /* 1/m, of the path of the centre of gravity: yaw rate / speed */
    double speed_error;                        /* m/s */
    double specific_x, specific_y, specific_z; /* m/s2, force over mass without gravity, along the road */
    double toe[VD_WHEELS];                     /* rad, of the wheel relative to the body, toe-in > 0; from L2 on */
    double outward[VD_WHEELS], compliance_outward[VD_WHEELS]; /* rad, camber and compliance_camber, top outward > 0 */
    /* From L3 on, body axes: rad/s, m/s2, readings of sensors fixed to the body; m/s2, acceleration. L5: rad/s, m/s2 in
     * the plane through the contact points, forward along the body's x. */
    double gyro[3], accelerometer[3], body_a[3], road_rate[3], road_a[3];
    double quaternion[4];             /* w, x, y, z: the body's attitude in the world; from L3 on */
    double compression[VD_WHEELS];    /* m, of the springs, from their free length; from L3 on */
    double linkage_camber[VD_WHEELS]; /* rad, relative to the body, top outward; from L4 on */
    double energy_kinetic, energy_spin, energy_gravity, energy_spring, energy_tyre, energy, work, ledger; /* J */
    double turnover;            /* J, kinetic energy of body and wheels plus the magnitudes of all works */
    double energy_link;         /* J, of stiff links across the wheels' paths; L5 */
    double cg[3];               /* m, world: present place of the centre of all masses, at the present wheel travels */
    double cg_speed[3];         /* m/s, world, of that centre: momentum divided by mass */
    double angular_momentum[3]; /* N m s, world, of all masses and wheel spins about that centre; L5 */
    double loop_angle;          /* rad about the middle of a loop, 0 at its bottom, (-pi, pi]; NAN outside of loops */
    double loop_angle_or_zero;  /* rad, loop_angle, or 0 outside of loops */
    /* with VD_VIEW_WHEELS: [x, y, z][wheel] in the world; m, wheel centres; unit vectors along the wheels' axles, to
     * the left */
    double wheel[3][VD_WHEELS], axle[3][VD_WHEELS];
  } log;
} vd_eval;

/* Builds the constants. The vehicle must have passed its checks. */
void vd_model_build(const vd_vehicle *vehicle, const vd_ground *ground, const vd_model_options *options,
                    vd_model *model);

enum vd_start_place { VD_START_GIVEN, VD_START_ON_PATH };

/* Place and velocity of a car at the start. */
typedef struct vd_start {
  int place;                   /* enum vd_start_place; once a scenario is checked, x, y and yaw are those of the path */
  double x, y, yaw, speed;     /* m, m, of the centre of gravity, world; rad, heading in the road plane; m/s, forward */
  double lift, z, pitch, roll; /* m above the road, from L3 on; m, rad, world: L5; NAN: standing on the road */
  double vy, yaw_rate;         /* m/s, of the centre of gravity, to the left; rad/s, yaw rate; body axes; from L1 on */
  double roll_rate, pitch_rate; /* rad/s, roll and pitch rate; body axes; from L3 on */
} vd_start;

/* Sets the initial state. Each wheel rolls at the speed of its own contact point on a road at design height below it,
 * unless differentials are locked. The engine runs in the gear of the speed, or in the commanded one. */
void vd_model_start(const vd_model *m, const vd_command *c, const vd_start *start, vd_state_vector *s);

/* Moves heave, pitch, roll and travels of `s`, from L3 on, to the position in which the car rests on its wheels at its
 * place, with the wheels steered as in `c`. Returns false, without a change of `s`, if no such position is nearby. */
bool vd_model_rest(const vd_model *m, const vd_command *c, vd_state_vector *s);

/* The car at rest on its road. */
typedef struct vd_statics {
  /* relative to the ground below the middle of the front axle, in the design position */
  vd_inertia whole;
  double cg_height;         /* m, of the whole car at rest */
  double load[VD_WHEELS];   /* N */
  double travel[VD_WHEELS]; /* m; 0 below L3 */
  /* m, at the axles, rad, rad: displacement of the body from the design position */
  double rise[VD_AXLES], pitch, roll;
} vd_statics;

/* Computes the car at rest. c, s: command and place. Returns false if no position of rest was found. */
bool vd_model_statics(const vd_model *m, const vd_command *c, const vd_state_vector *s, vd_statics *out);

/* True at L5 if the wheels are on hubs, without masses of their own, or on stiff links, or on rigid links. */
static inline bool vd_on_hubs(const vd_model_options *o) {
  return o->level == VD_L5 && o->unsprung == VD_UNSPRUNG_HUB;
}

static inline bool vd_on_stiff_links(const vd_model_options *o) {
  return o->level == VD_L5 && o->unsprung != VD_UNSPRUNG_HUB && o->links == VD_LINKS_STIFF;
}

static inline bool vd_on_rigid_links(const vd_model_options *o) {
  return o->level == VD_L5 && o->unsprung != VD_UNSPRUNG_HUB && o->links == VD_LINKS_RIGID;
}

/* Returns the number of states that are integrated. */
static inline int vd_model_states(const vd_model *m) {
  return m->states;
}

/* Converts the state's yaw to the yaw of ISO 8855, continuous beyond half a turn; on planes with grade and bank they
 * differ. */
double vd_model_heading(const vd_model *m, double yaw);

/* True if each wheel is guided by its linkage, or along the path in tables. */
static inline bool vd_model_linked(const vd_model *m) {
  return m->options.level == VD_L4 || (m->options.level == VD_L5 && m->options.unsprung == VD_UNSPRUNG_LINKAGE) ||
         (m->options.level == VD_L3 && m->vehicle.axle[VD_FRONT].map);
}

/* Computes the rates at which states decay by themselves. The wheels' spins decay by the slips of their tyres at C
 * R^2/(I V), with the slope C of the force over the slip; only steady slips have this. Wheels that a sticking
 * differential couples have their mean rate, and the motor has the sum over its wheels while its clutch sticks, so that
 * shafts that are locked together stay so. Tyre forces that accelerate the spins decelerate the car: straight ahead,
 * dVX/dt + sum(I/(R m) dw/dt) does not contain tyre forces. The same holds for the yaw rate. The bushings' loads decay
 * by their loss. */
void vd_model_decay(const vd_model *m, const double *mode, const vd_eval *e, vd_decay *decay);

/* Computes the end of a step: sets a steering wheel that hands prescribe, and prescribed motions, to their given
 * values. L5 also normalises its quaternion, stores it as yaw, pitch and roll as well, and finds its contact points. */
void vd_model_end_step(const vd_model *m, const vd_command *c, vd_state_vector *s);

/* True if the iteration of the next stage or step (over the wheel loads of L1 and L2, or over the angles of wheels on
 * linear bushings) starts from the results of this evaluation, which the modes store. */
static inline bool vd_model_keeps(const vd_model *m) {
  return m->options.level == VD_L1 || m->options.level == VD_L2 || m->ride.bushing.compliant;
}
void vd_model_keep(const vd_model *m, const vd_command *c, const vd_eval *e, double *mode);
/* Copies the modes that this model has; those that it lacks are at the end. */
static inline void vd_model_pass_modes(const vd_model *m, const double *from, double *to) {
  if (m->options.level <= VD_L2 && m->options.level != VD_L0 && !m->table_steer)
    memcpy(to, from, VD_M_TURN * sizeof *to);
  else if (vd_model_keeps(m) || m->options.level == VD_L5)
    memcpy(to, from, VD_MODES * sizeof *to);
  else
    memcpy(to, from, VD_COMMON_MODES * sizeof *to);
}
/* Discards the stored results of earlier evaluations. */
void vd_model_forget(double *mode);

/* Computes the direction of the body's z in world axes, at L5. */
void vd_model_up(const vd_state_vector *s, double *up);

/* Computes the world x and y of a place in the axes of the state. */
static inline void vd_model_plan(const vd_model *m, double along, double across, double *x, double *y) {
  *x = along * m->plan_along[0] + across * m->plan_across[0];
  *y = along * m->plan_along[1] + across * m->plan_across[1];
}

/* Returns the mean road wheel angle at the present steering wheel angle, rad, for any lateral control. */
double vd_model_steer(const vd_model *m, const vd_command *c, const vd_state_vector *s);

/* Sets the wheel angles for the commanded mean angle. */
void vd_command_set_angles(const vd_model *m, vd_command *c);

/* Copies the wheel angles of a command with the same steer and steer_rate. */
static inline void vd_command_copy_angles(const vd_command *known, vd_command *c) {
  for (int i = 0; i < VD_WHEELS; i++) {
    c->angle[i] = known->angle[i];
    c->angle_rate[i] = known->angle_rate[i];
    c->cos_angle[i] = known->cos_angle[i];
    c->sin_angle[i] = known->sin_angle[i];
  }
  for (int a = 0; a < VD_AXLES; a++) {
    c->rack[a] = known->rack[a];
    c->rack_rate[a] = known->rack_rate[a];
  }
}

/* Computes the rates of the state. Returns false if the load loop did not converge, a linkage did not close, or the
 * angles of wheels under load were not found. */
bool vd_model_rates(const vd_model *m, const vd_command *c, const double *x, const double *mode, vd_eval *e,
                    double *dx);

/* Parts of an evaluation that vd_model_observe can complete: a set of these bits. Inputs, velocities, accelerations,
 * loads, forces and the place on a path are always complete. */
enum vd_view {
  VD_VIEW_PLACE = 1,    /* x, y, z, yaw */
  VD_VIEW_LEAN = 2,     /* body_roll, body_pitch */
  VD_VIEW_STEERING = 4, /* steering_torque */
  VD_VIEW_DETAILS = 8,  /* everything else except the peaks: energies, masses, linkages, contacts */
  VD_VIEW_PEAKS = 16,   /* mu_peak, kappa_peak, alpha_peak, which some tyres find by a search */
  VD_VIEW_WHEELS = 32,  /* requests, pressures and discs of wheels; with VD_VIEW_DETAILS also wheel, axle */
  VD_VIEW_BRIEF = VD_VIEW_PEAKS - 1,
  VD_VIEW_ALL = 2 * VD_VIEW_WHEELS - 1 /* all channels */
};

/* Adds the parts in `view', a set of enum vd_view, to an evaluation of vd_model_rates. energy0: total energy at the
 * start. */
void vd_model_observe(const vd_model *m, const vd_command *c, const vd_state_vector *s, double energy0, unsigned view,
                      vd_eval *e);

/* Guards of the modes: functions that are positive while the present mode lasts and fall through zero at its end.
 * A guard that does not exist at present is INFINITY; the order depends on the model alone.
 *   brakes, clutch, differentials   slip speed in its direction; if it sticks, capacity less torque
 *   gear                            difference of the gearbox input's speed from that of the next shift
 *   anti-lock                       distances of pedal, speed, pressure and control law from their next switch
 *   direction                       remaining speed before the speed controller may change its direction */
enum { VD_GUARDS = VD_COUPLINGS + VD_WHEELS + 4 };
typedef struct vd_guards {
  int count;
  double value[VD_GUARDS];
} vd_guards;
void vd_model_guards(const vd_model *m, const vd_command *c, const vd_state_vector *s, const vd_eval *e, vd_guards *g);

static inline void vd_guards_add(double value, vd_guards *g) {
  g->value[g->count++] = value;
}

/* Returns the next instant after t at which a mode ends by time (the end of a shift), or INFINITY. */
double vd_model_next_corner(const vd_model *m, const vd_state_vector *s, double t);

/* Determines the modes anew in a state at a guard's zero or after a corner of an input: a coupling whose slip has
 * fallen to zero in its direction sticks; sticking ones beyond their capacity slip, one by one; gears are shifted.
 * Leaves the rates in the new modes in e and dx (vd_model_rates), and adds the number of evaluations, at most
 * VD_SWITCH_MOST, to *count. Returns false if a load loop did not close. */
enum { VD_SWITCH_MOST = VD_COUPLINGS + 5 };
bool vd_model_switch(const vd_model *m, const vd_command *c, vd_state_vector *s, vd_eval *e, double *dx, long *count);

/* Compute, from L3 on and without damping, at deflections >= 0, m: the vertical forces of all tyres, N; the force of
 * one tyre, N; the energy of one tyre, J. */
void vd_ride_tyre_forces(const vd_model *m, const double *deflection, double *force);
double vd_ride_tyre_load(const vd_model *m, int i, double deflection);
double vd_ride_tyre_energy(const vd_model *m, int i, double deflection);

#endif
