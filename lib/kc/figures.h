/* The figures of kinematics and compliance: each with its name, units, definition and source. The columns of sweeps,
 * the metrics, sensitivities, the cross-check and the quantities of claims are made from this table. */
#ifndef VD_KC_FIGURES_H
#define VD_KC_FIGURES_H

#include "kc/kc.h"

/* The columns of the curves in their order: id of VD_FIGURE_, name with its unit, source, and definition. Units and
 * sources are macros of figures.c. */
/* clang-format off */
#define VD_KC_COLUMN_ROWS(ROW) \
  ROW(SWEEP, WORDS("sweep"), WORD(sweep), "what is swept: travel, rack, grid, fx, fy, mz, fz or fx_centre") \
  ROW(TRAVEL, MM("travel"), INPUT(travel), \
      "rise of the wheel centre relative to the body; for a steered rigid axle, of its place on the axle") \
  ROW(RACK, MM("rack"), INPUT(rack), "shift of the inner tie rod point to the left") \
  ROW(FX, NEWTON("fx"), INPUT(load.fx), "force of the road on the tyre, ahead") \
  ROW(FY, NEWTON("fy"), INPUT(load.fy), "force of the road on the tyre, to the left") \
  ROW(FZ, NEWTON("fz"), INPUT(load.fz), "force of the road on the tyre, upwards") \
  ROW(MZ, NEWTON_METRE("mz"), INPUT(load.mz), "moment of the road on the tyre, to the left") \
  ROW(TOE, DEG("toe"), JET(toe), "toe angle, toe-in > 0") \
  ROW(CAMBER, DEG("camber"), JET(camber), "camber angle, top outward > 0") \
  ROW(STEER, DEG("steer"), MIRRORED JET(steer), "steer angle, to the left > 0") \
  ROW(CASTER, DEG("caster"), JET(caster), "tilt of the steering axis in side view, top backward > 0") \
  ROW(KPI, DEG("kpi"), JET(kpi), "tilt of the steering axis in front view, top inward > 0") \
  ROW(WHEEL_X, MM("wheel_x"), JET(wheel_x), "x of the wheel centre, chassis axes") \
  ROW(WHEEL_Y, MM("wheel_y"), MIRRORED JET(wheel_y), "y of the wheel centre, chassis axes") \
  ROW(WHEEL_Z, MM("wheel_z"), JET(wheel_z), "z of the wheel centre, chassis axes") \
  ROW(PATCH_X, MM("patch_x"), JET(patch_x), "x of the contact point, chassis axes") \
  ROW(PATCH_Y, MM("patch_y"), MIRRORED JET(patch_y), "y of the contact point, chassis axes") \
  ROW(HALF_TRACK_CHANGE, MM("half_track_change"), OUTWARD JET(wheel_y), \
      "distance of the wheel centre from its place in the design position, outward > 0") \
  ROW(SCRUB, MM("scrub"), JET(scrub), \
      "distance of the steering axis' ground point from the contact point, inboard > 0") \
  ROW(TRAIL, MM("trail"), JET(trail), "distance of the steering axis' ground point from the contact point, ahead > 0") \
  ROW(SPRING_LENGTH, MM("spring_length"), JET(spring_length), "distance between the spring's ends") \
  ROW(MOTION_RATIO, RATIO("motion_ratio"), STATE(motion_ratio), "compression of the spring per travel") \
  ROW(WHEEL_RATE, NEWTON_PER_MM("wheel_rate"), STATE(wheel_rate), \
      "rate of the spring at the wheel, with the change of its motion ratio, without tyre") \
  ROW(ROLL_CENTRE_Z, MM("roll_centre_z"), STATE(roll_centre_z), \
      "height above the design road, from the velocity of the contact point") \
  ROW(ANTI, PERCENT("anti"), STATE(anti), "share of the load transfer under braking that links carry") \
  ROW(SIDE, WORDS("side"), WORD(side), "left or right wheel") \
  ROW(ROLL_CENTRE_PLANES_Z, MM("roll_centre_planes_z"), STATE(roll_centre_planes_z), \
      "height above the design road, from the planes of the arms") \
  ROW(ROLL_CENTRE_HEIGHT, MM("roll_centre_height"), STATE(roll_centre_height), \
      "height above the present road under the wheel, from the velocity of the contact point") \
  ROW(ANTI_DRIVE, PERCENT("anti_drive"), STATE(anti_drive), "share of the load transfer under drive that links carry") \
  ROW(CASTER_SEED, DEG("caster_seed"), JET(caster_seed), \
      "caster as Onlyti/VDSim defines it: top backward < 0 for an axis through ball joints, > 0 for a strut") \
  ROW(KINGPIN_OFFSET, MM("kingpin_offset"), JET(kingpin_offset), \
      "distance of the steering axis from the wheel centre at the height of this centre, inboard > 0") \
  ROW(SPINDLE_TRAIL, MM("spindle_trail"), JET(spindle_trail), \
      "distance of the steering axis from the wheel centre at the height of this centre, ahead > 0") \
  ROW(PATCH_Z, MM("patch_z"), JET(patch_z), "z of the contact point, chassis axes") \
  ROW(WHEEL_SPIN, DEG("wheel_spin"), JET(wheel_spin), \
      "rotation of the knuckle in side view, > 0 as a wheel rolls ahead") \
  ROW(DAMPER_LENGTH, MM("damper_length"), JET(damper_length), "distance between the damper's ends") \
  ROW(DAMPER_RATIO, RATIO("damper_ratio"), STATE(damper_ratio), "compression of the damper per travel") \
  ROW(SPRING_FORCE, NEWTON("spring_force"), STATE(spring_force), "force of the spring, compression > 0") \
  ROW(RIDE_RATE, NEWTON_PER_MM("ride_rate"), STATE(ride_rate), "wheel rate in series with the tyre") \
  ROW(TOE_TRAVEL, DEG_PER_MM("toe_travel"), RATE(toe), "change of toe with travel") \
  ROW(CAMBER_TRAVEL, DEG_PER_MM("camber_travel"), RATE(camber), "change of camber with travel") \
  ROW(CASTER_TRAVEL, DEG_PER_MM("caster_travel"), RATE(caster), "change of caster with travel") \
  ROW(TRACK_TRAVEL, SLOPE("track_travel"), RATE(wheel_y), "change of half_track_change_mm with travel") \
  ROW(TOE_RACK, DEG_PER_MM("toe_rack"), MIRRORED STATE(toe_rack), "change of toe with rack") \
  ROW(BRAKE_SLOPE, SLOPE("brake_slope"), STATE(brake_slope), \
      "shift ahead, per travel, of the contact point as a point of the knuckle") \
  ROW(DRIVE_SLOPE, SLOPE("drive_slope"), STATE(drive_slope), "shift ahead, per travel, of the wheel centre") \
  ROW(ANGLE_LOWER, DEG("angle_lower"), STATE(angle_lower), \
      "angle of the lower or trailing arm (without these, of the link lower_aft) from its design position, " \
      "end at the knuckle up > 0") \
  ROW(ANGLE_UPPER, DEG("angle_upper"), STATE(angle_upper), \
      "angle of the upper arm from its design position, end at the knuckle up > 0") \
  ROW(ROLL, DEG("roll"), AXLE(roll), \
      "roll angle of the body relative to the line through both contact points, left side up > 0") \
  ROW(TRACK_CHANGE, MM("track_change"), AXLE(track_change), \
      "change of the lateral distance between both contact points from the design position") \
  ROW(AXLE_ROLL_CENTRE_Z, MM("axle_roll_centre_z"), AXLE(roll_centre_z), \
      "height above the design road in the car's middle, for equal lateral forces of both wheels") \
  ROW(AXLE_ROLL_CENTRE_PLANES_Z, MM("axle_roll_centre_planes_z"), AXLE(roll_centre_planes_z), \
      "height above the design road in the car's middle, from the planes of the arms") \
  ROW(ROLL_CENTRE_CROSS_Y, MM("roll_centre_cross_y"), AXLE(cross_y), \
      "where the lines through the contact points and roll centres of both wheels meet: to the left of the " \
      "car's middle") \
  ROW(ROLL_CENTRE_CROSS_Z, MM("roll_centre_cross_z"), AXLE(cross_z), "height of this point above the design road") \
  ROW(STEER_LEFT, DEG("steer_left"), AXLE(steer_left), "steer angle of the left wheel, to the left > 0") \
  ROW(STEER_RIGHT, DEG("steer_right"), AXLE(steer_right), "steer angle of the right wheel, to the left > 0") \
  ROW(ACKERMANN, PERCENT("ackermann"), AXLE(ackermann), \
      "100: the normals of both wheels meet on the other axle's line") \
  ROW(TURNING_CIRCLE, METRE("turning_circle"), AXLE(turning_circle), \
      "diameter of the path of the outer wheel's contact point") \
  ROW(FX_CENTRE, NEWTON("fx_centre"), INPUT(load.centre[0]), "force at the wheel centre, ahead") \
  ROW(ROLL_CENTRE_MIGRATION, SLOPE("roll_centre_migration"), STATE(roll_centre_migration), \
      "change of roll_centre_z_mm with travel") \
  ROW(FRONT_CENTRE_Y, MM("front_centre_y"), MIRRORED STATE(front_centre_y), \
      "y of the instant centre in front view, chassis axes") \
  ROW(FRONT_CENTRE_Z, MM("front_centre_z"), STATE(front_centre_z), \
      "z of the instant centre in front view, chassis axes") \
  ROW(FRONT_ARM, MM("front_arm"), STATE(front_arm), \
      "front view swing arm: distance of the front view centre from the wheel centre, inboard > 0") \
  ROW(FRONT_ANGLE, DEG("front_angle"), STATE(front_angle), \
      "angle of the line from the contact point to the front view centre, rising inboard > 0") \
  ROW(SIDE_CENTRE_X, MM("side_centre_x"), STATE(side_centre_x), "x of the instant centre in side view, chassis axes") \
  ROW(SIDE_CENTRE_Z, MM("side_centre_z"), STATE(side_centre_z), "z of the instant centre in side view, chassis axes") \
  ROW(SIDE_ARM, MM("side_arm"), STATE(side_arm), \
      "side view swing arm: distance of the side view centre from the wheel centre, ahead > 0") \
  ROW(SIDE_ANGLE, DEG("side_angle"), STATE(side_angle), \
      "angle of the line from the contact point to the side view centre, rising to the rear > 0") \
  ROW(KINGPIN_MOMENT, NEWTON_METRE("kingpin_moment"), MIRRORED STATE(kingpin_moment), \
      "moment of the given loads about the steering axis, to the left") \
  ROW(RACK_FORCE, NEWTON("rack_force"), AXLE(rack_force), \
      "force on the rack, to the left, that balances the loads on both wheels") \
  ROW(STEERING_WHEEL, DEG("hand_wheel"), INPUT(steering_wheel), \
      "angle of the steering wheel, to the left > 0; from c_factor or gear_ratio") \
  ROW(STEERING_RATIO, RATIO("steering_ratio"), AXLE(steering_ratio), \
      "derivative of the steering wheel's angle with respect to the mean steer angle") \
  ROW(STEERING_WHEEL_MOMENT, NEWTON_METRE("hand_wheel_moment"), AXLE(steering_wheel_moment), \
      "moment that balances rack_force_N, without friction and assistance") \
  ROW(HOLD, WORDS("hold"), WORD(hold), \
      "what is fixed in height under forces: nothing (free), the wheel centre or the ground") \
  ROW(KNUCKLE_SPIN, DEG("knuckle_spin"), JET(knuckle_spin), \
      "rotation of the knuckle about the wheel's axle since design, > 0 as a wheel rolls ahead")

/* Metrics that are not columns. */
#define VD_KC_METRIC_ROWS(ROW) \
  ROW(CASTER_RACK, DEG_PER_MM("caster_rack"), STATE(caster_rack), "change of caster with rack") \
  ROW(CASTER_RACK_SEED, DEG_PER_MM("caster_rack_seed"), STATE(caster_rack_seed), \
      "change of caster_seed_deg with rack") \
  ROW(WHEEL_RECESSION_TRAVEL, SLOPE("wheel_recession_travel"), RATE(wheel_x), "change of wheel_x_mm with travel") \
  ROW(PATCH_TRACK_TRAVEL, SLOPE("patch_track_travel"), RATE(patch_y), "change of patch_y_mm with travel") \
  ROW(ANTI_LIFT_OUTBOARD, COMPUTED_PERCENT("anti_lift_outboard"), COMPUTED, \
      "share of the load transfer that links carry: rear axle, brakes on the knuckle") \
  ROW(ANTI_DIVE_OUTBOARD, COMPUTED_PERCENT("anti_dive_outboard"), COMPUTED, \
      "share of the load transfer that links carry: front axle, brakes on the knuckle") \
  ROW(ANTI_LIFT_INBOARD, COMPUTED_PERCENT("anti_lift_inboard"), COMPUTED, \
      "share of the load transfer that links carry: rear axle, brakes on the body") \
  ROW(ANTI_DIVE_INBOARD, COMPUTED_PERCENT("anti_dive_inboard"), COMPUTED, \
      "share of the load transfer that links carry: front axle, brakes on the body") \
  ROW(ANTI_SQUAT_OUTBOARD, COMPUTED_PERCENT("anti_squat_outboard"), COMPUTED, \
      "share of the load transfer that links carry: rear axle, drive torque on the knuckle") \
  ROW(ANTI_LIFT_DRIVE_OUTBOARD, COMPUTED_PERCENT("anti_lift_drive_outboard"), COMPUTED, \
      "share of the load transfer that links carry: front axle, drive torque on the knuckle") \
  ROW(ANTI_SQUAT_INBOARD, COMPUTED_PERCENT("anti_squat_inboard"), COMPUTED, \
      "share of the load transfer that links carry: rear axle, drive torque on the body") \
  ROW(ANTI_LIFT_DRIVE_INBOARD, COMPUTED_PERCENT("anti_lift_drive_inboard"), COMPUTED, \
      "share of the load transfer that links carry: front axle, drive torque on the body") \
  ROW(ROLL_CENTRE_PLANES_MIGRATION, SLOPE("roll_centre_planes_migration"), STATE(planes_migration), \
      "change of roll_centre_planes_z_mm with travel") \
  ROW(ROLL_STEER, DEG_PER_DEG("roll_steer"), COMPUTED, "change of steer with the roll of the body") \
  ROW(ROLL_CAMBER_BODY, DEG_PER_DEG("roll_camber_body"), COMPUTED, \
      "change of camber relative to the body with its roll") \
  ROW(ROLL_CAMBER_ROAD, DEG_PER_DEG("roll_camber_road"), COMPUTED, \
      "change of camber relative to the road with the roll of the body") \
  ROW(ROLL_RATE, NM_PER_DEG("roll_rate"), COMPUTED, \
      "roll stiffness of springs, anti-roll bar and twist beam; computed per degree") \
  ROW(ROLL_RATE_TYRES, NM_PER_DEG("roll_rate_tyres"), COMPUTED, \
      "roll_rate in series with the tyres; computed per degree") \
  ROW(C_FACTOR, OTHER("c_factor", "mm/rev", 1e3), COMPUTED, "rack per revolution of the steering wheel") \
  ROW(STEERING_RATIO_LOCK, OTHER("steering_ratio_lock", "1", 1.0), COMPUTED, "steering_ratio at lock_rack") \
  ROW(LOCK_RACK, MM("lock_rack"), COMPUTED, \
      "end of the rack farther from the middle, at which the figures of the lock are") \
  ROW(LOCK_INNER, DEG("lock_inner"), COMPUTED, "steer angle of the wheel on the inside of the turn") \
  ROW(LOCK_OUTER, DEG("lock_outer"), COMPUTED, "steer angle of the wheel on the outside of the turn") \
  ROW(TOE_FX, DEG_PER_KN("toe_fx"), COMPUTED, \
      "change of toe with a force ahead at the contact point, brakes on the knuckle") \
  ROW(TOE_FY, DEG_PER_KN("toe_fy"), COMPUTED, \
      "change of toe with a lateral force at the contact point, to the left > 0") \
  ROW(TOE_MZ, DEG_PER_100_NM("toe_mz"), COMPUTED, "change of toe with an aligning moment, to the left > 0") \
  ROW(CAMBER_FX, DEG_PER_KN("camber_fx"), COMPUTED, \
      "change of camber with a force ahead at the contact point, brakes on the knuckle") \
  ROW(CAMBER_FY, DEG_PER_KN("camber_fy"), COMPUTED, \
      "change of camber with a lateral force at the contact point, to the left > 0") \
  ROW(CAMBER_MZ, DEG_PER_100_NM("camber_mz"), COMPUTED, "change of camber with an aligning moment, to the left > 0") \
  ROW(WHEEL_X_FX, MM_PER_KN("wheel_x_fx"), COMPUTED, \
      "shift of the wheel centre ahead with a force ahead at the contact point, brakes on the knuckle") \
  ROW(WHEEL_Y_FY, MM_PER_KN("wheel_y_fy"), COMPUTED, \
      "shift of the wheel centre to the left with a lateral force at the contact point, to the left > 0") \
  ROW(PATCH_Y_FY, MM_PER_KN("patch_y_fy"), COMPUTED, \
      "shift of the contact point to the left with a lateral force there, to the left > 0") \
  ROW(PATCH_X_FY, MM_PER_KN("patch_x_fy"), COMPUTED, \
      "shift of the contact point ahead with a lateral force there, to the left > 0") \
  ROW(PATCH_Y_FX, MM_PER_KN("patch_y_fx"), COMPUTED, \
      "shift of the contact point to the left with a force ahead there, brakes on the knuckle") \
  ROW(TOE_FX_CENTRE, DEG_PER_KN("toe_fx_centre"), COMPUTED, \
      "change of toe with a force ahead at the wheel centre, as with a drive shaft") \
  ROW(CAMBER_FX_CENTRE, DEG_PER_KN("camber_fx_centre"), COMPUTED, \
      "change of camber with a force ahead at the wheel centre, as with a drive shaft") \
  ROW(LOAD_FREE, NEWTON("load_free"), COMPUTED, \
      "wheel load at which the compliances are computed; the spring carries the wheel") \
  ROW(LOAD_CENTRE_HELD, NEWTON("load_centre_held"), COMPUTED, \
      "wheel load at which the compliances are computed; the wheel centre is fixed in height") \
  ROW(LOAD_GROUND_HELD, NEWTON("load_ground_held"), COMPUTED, \
      "wheel load at which the compliances are computed; the contact point is fixed in height")
/* clang-format on */

#define VD_KC_FIGURE(id, ...) VD_FIGURE_##id,
enum vd_kc_figure {
  VD_KC_COLUMN_ROWS(VD_KC_FIGURE) VD_KC_COLUMNS,
  VD_KC_LAST_COLUMN = VD_KC_COLUMNS - 1,
  VD_KC_METRIC_ROWS(VD_KC_FIGURE) VD_FIGURES
};
#undef VD_KC_FIGURE

enum vd_figure_source {
  VD_FROM_METRICS, /* computed with the metrics, not read from a row */
  VD_FROM_WORD,    /* a word of the row */
  VD_FROM_ROW,     /* a number of the row */
  VD_FROM_JET,     /* value of a jet of the state */
  VD_FROM_RATE,    /* derivative of a jet along the travel */
  VD_FROM_STATE,   /* a number of the state */
  VD_FROM_AXLE,    /* a number of the axle */
};

typedef struct vd_kc_figure_info {
  const char *name;   /* "toe" */
  const char *column; /* "toe_deg": the name with its unit */
  const char *unit;   /* "deg"; empty: the figure is a word */
  const char *si;     /* "rad"; NULL: the figure is not computed in SI */
  double scale;       /* value in the unit = scale times the value in SI */
  const char *help;   /* its definition */
  enum vd_figure_source source;
  size_t offset;
  bool mirrored; /* it changes its sign with the side */
  bool outward;  /* measured from the wheel centre's place in the design position */
} vd_kc_figure_info;

extern const vd_kc_figure_info vd_kc_figures[VD_FIGURES];

/* A wheel at one point of a sweep: inputs and results. */
typedef struct vd_kc_row {
  /* words: what is swept, left or right, how the height of the wheel is fixed under forces */
  const char *sweep, *side, *hold;
  bool right;
  double travel, rack;     /* m, of this wheel; rack to the left > 0 */
  vd_wheel_load load;      /* in chassis axes; NAN: no forces */
  double along[VD_INPUTS]; /* direction of the inputs, along which rates are taken */
  double design_y;         /* m, of the wheel centre, outward */
  double steering_wheel;   /* rad, of the steering wheel, to the left */
  const vd_kc_state *state;
  const vd_kc_axle *axle; /* NULL: figures of an axle do not exist */
} vd_kc_row;

/* Makes a row of a state's figures. Rates are along the travel, for a rigid axle in heave. */
vd_kc_row vd_kc_row_of(const vd_linkage *l, const vd_kc_state *s);

/* Returns the value of a figure in SI, with the sign of a left wheel. The next functions return the value in the
 * figure's unit with the sign of its side, and the figure's word (NULL: it is a number). */
double vd_kc_figure_si(enum vd_kc_figure figure, const vd_kc_row *row);
double vd_kc_figure_value(enum vd_kc_figure figure, const vd_kc_row *row);
const char *vd_kc_figure_word(enum vd_kc_figure figure, const vd_kc_row *row);

#endif
