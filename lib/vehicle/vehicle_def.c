/* The keys of a vehicle, its `auto` values, and the building of the vehicle that models read. */
#include "linkage/corner_mass.h"
#include "vehicle/vehicle_impl.h"

#include "base/elementary.h"
#include "base/vec.h"
#include "control/controller_def.h"
#include "input/schema.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
static const char *const link_masses_names[] = {"lumped", "bodies", NULL};
static const char *const abs_names[] = {"none", "slip", NULL};

static const char *const circuit_names[] = {"none", "front", "rear", "fl_rr", "fr_rl", NULL};
static const char *const recuperation_names[] = {"none", "axle", "all", NULL};
static const char *const pressure_names[] = {"ideal", "hydraulic", NULL};

#define SLIP      VD_WHEN(VD_ABS_SLIP)
#define HYDRAULIC VD_WHEN(VD_PRESSURE_HYDRAULIC)

static const vd_field axle_fields[] = {
  {VD_F_NUMBER(vd_axle_def, track, "track", "m", 0, 10, VD_ABOVE, NULL, "distance of the wheel centre planes"),
   .also = " track_width trackwidth ",
   .example = "1.55 m"},
  {VD_F_NUMBER(vd_axle_def, unsprung_mass, "unsprung_mass", "kg", 0, 1e4, VD_ABOVE | VD_AUTO, NULL,
      "unsprung mass of one wheel; auto: masses of knuckle and links, reduced to the wheel travel")},
  {VD_F_CHOICE(vd_axle_def, link_masses, "link_masses", link_masses_names, "lumped",
      "lumped: the unsprung mass is at the wheel centre; bodies: from L4 on it is in knuckle, arms and rods of the "
      "linkage, each at its place"), .flags = VD_OMIT_DEFAULT},
  {VD_F_NUMBER(vd_axle_def, unsprung_height, "unsprung_height", "m", 0, 5, VD_ABOVE | VD_AUTO, "auto",
      "height of the centre of the unsprung mass; auto: loaded_radius")},
  {VD_F_NUMBER(vd_axle_def, unsprung_roll_inertia, "unsprung_roll_inertia", "kg m2", 0, 1e5, VD_ABOVE | VD_AUTO, "auto",
      "moment of inertia of a rigid axle or twist beam, with its wheels, about the line along the car through its "
      "middle, for levels from L4 on; auto: from the masses of its linkage or, without them, unsprung_mass track^2 / "
      "2")},
  {VD_F_NUMBER(vd_axle_def, wheel_radius, "wheel_radius", "m", 0, 5, VD_ABOVE | VD_AUTO, NULL,
      "rolling radius; auto: that of a tyre of model mf at design load")},
  {VD_F_NUMBER(vd_axle_def, loaded_radius, "loaded_radius", "m", 0, 5, VD_ABOVE | VD_AUTO | VD_OMIT_DEFAULT, "auto",
      "height of the wheel centre at design load; auto: wheel_radius or, if that is auto too, from a tyre of model "
      "mf")},
  {VD_F_NUMBER(vd_axle_def, wheel_inertia, "wheel_inertia", "kg m2", 0, 1e4, VD_ABOVE | VD_AUTO, "auto",
      "moment of inertia of one wheel about its spin axis; auto: unsprung_mass wheel_radius^2 / 2")},
  {VD_F_NUMBER(vd_axle_def, spring_stiffness, "spring_stiffness", "N/m", 0, 1e9, VD_ABOVE | VD_AUTO, NULL,
      "spring stiffness at one wheel; auto: slope of the spring's curve at the load of the design position or, without "
      "a curve, the wheel rate of the linkage's spring"),
   .example = "28 N/mm"},
  {VD_F_NUMBER(vd_axle_def, spring_load, "spring_load", "N", 0, 1e6, VD_AUTO | VD_OMIT_DEFAULT, "auto",
      "load of one spring at the wheel in the design position; auto: the car rests there at design load"),
   .example = "3.5 kN"},
  {VD_F_STRUCT(vd_axle_def, suspension.spring, vd_spring_def, "spring", "1", &vd_spring_schema, 0, "{}",
      "spring of one wheel")},
  {VD_F_STRUCT(vd_axle_def, suspension.damper, vd_damper_def, "damper", "1", &vd_damper_schema, 0, "{}",
      "damper of one wheel, for levels from L3 on; a number is its bump rate")},
  {VD_F_STRUCT(vd_axle_def, suspension.bump_stop, vd_stop, "bump_stop", "1", &vd_stop_schema, 0, "{}",
      "bump stop of one wheel, for levels from L3 on")},
  {VD_F_STRUCT(vd_axle_def, suspension.rebound_stop, vd_stop, "rebound_stop", "1", &vd_stop_schema, 0, "{}",
      "rebound stop of one wheel, for levels from L3 on")},
  {VD_F_NUMBER(vd_axle_def, antiroll_stiffness, "antiroll_stiffness", "N m/rad", 0, 1e9, VD_AUTO, "auto",
      "roll stiffness of the anti-roll bar; auto: from antiroll_wheel_rate or, if it is not given, from the torsion "
      "of a twist beam; otherwise none")},
  {VD_F_NUMBER(vd_axle_def, antiroll_wheel_rate, "antiroll_wheel_rate", "N/m", 0, 1e9, VD_AUTO, "auto",
      "stiffness of the anti-roll bar at one wheel, with both wheels moving in opposite directions: 2 "
      "antiroll_stiffness / track^2; auto: from antiroll_stiffness")},
  {VD_F_NUMBER(vd_axle_def, roll_centre_height, "roll_centre_height", "m", -2, 5, 0, "0",
      "roll centre above the ground"),
   .example = "60 mm"},
  {VD_F_NUMBER(vd_axle_def, anti_brake, "anti_brake", "1", -1, 2, 0, "0",
      "share of this axle's brake load transfer that the links carry: anti-dive, anti-lift; for levels from L3 on")},
  {VD_F_NUMBER(vd_axle_def, anti_drive, "anti_drive", "1", -1, 2, 0, "0",
      "share of this axle's drive load transfer that the links carry: anti-lift, anti-squat; for levels from L3 on")},
  {VD_F_NUMBER(vd_axle_def, camber_gain, "camber_gain", "1", -1, 1, 0, "0",
      "camber of the tyres per roll of the body relative to the road; 0: upright; for levels from L3 on"),
   .example = "-0.1"},
  {VD_F_STRUCT(vd_axle_def, tyre, vd_tyre_def, "tyre", "1", &vd_tyre_schema, VD_FILE, NULL, "both tyres of the axle"),
   .also = " tire tires tyres ",
   .example = "tyres/brush_touring.yaml"},
  {VD_F_STRUCTS(vd_axle_def, right_tyre, "right_tyre", "1", &vd_tyre_schema, "[]",
      "the right tyre, if it differs: a list of one, or a file"), .flags = VD_FILE},
  {VD_F_NUMBER(vd_axle_def, toe, "toe", "rad", -0.5, 0.5, VD_AUTO | VD_OMIT_DEFAULT, "auto",
      "toe-in of both wheels at the design position; auto: toe-in of the tables `kc`"),
   .example = "0.1 deg"},
  {VD_F_NUMBER(vd_axle_def, camber, "camber", "rad", -0.5, 0.5, VD_AUTO | VD_OMIT_DEFAULT, "auto",
      "camber of both wheels at the design position, top outward > 0; auto: camber of the tables `kc`"),
   .example = "-1 deg"},
  {VD_F_STRUCT(vd_axle_def, kc, vd_kc_def, "kc", "1", &vd_kc_schema, VD_FILE | VD_OMIT_DEFAULT, "{}",
      "path of the left wheel over travel and rack as tables")},
  {VD_F_STRUCT(vd_axle_def, right_kc, vd_kc_def, "right_kc", "1", &vd_kc_schema, VD_FILE | VD_OMIT_DEFAULT, "{}",
      "path of the right wheel, if it differs")},
  {VD_F_STRUCTS(vd_axle_def, linkage, "linkage", "1", &vd_corner_schema, "[]",
      "hardpoints of the left wheel, for levels from L4 on: a suspension file, or a list of one"), .flags = VD_FILE,
   .also = " suspension hardpoints geometry "},
};

static const vd_schema axle_schema = {.name = "axle", VD_SCHEMA_ROWS(vd_axle_def, axle_fields)};

#define VD_F_AIR_MAP(i, key, text) VD_F_POINTS(vd_aero, map[i], key, "1", -100, 100, "[]", text), .x_unit = "rad", \
    .flags = VD_OMIT_DEFAULT

#define VD_F_AIR_HEIGHTS(i, key, text) {VD_F_NUMBERS(vd_air_heights_def, value[i], key, "1", -100, 100, \
    VD_OMIT_DEFAULT, "[]", text)}

static const vd_field heights_fields[] = {
  {VD_F_NUMBERS(vd_air_heights_def, at[VD_FRONT], "front", "m", -10, 10, VD_OMIT_DEFAULT, "[]",
      "heights of the body over the road at the front axle, relative to the design position, in ascending order")},
  {VD_F_NUMBERS(vd_air_heights_def, at[VD_REAR], "rear", "m", -10, 10, VD_OMIT_DEFAULT, "[]",
      "heights at the rear axle; the lists below have the values of all rear heights at the first front height, then "
      "at the second")},
  VD_F_AIR_HEIGHTS(VD_AIR_DRAG, "drag", "addition to the drag coefficient"),
  VD_F_AIR_HEIGHTS(VD_AIR_FRONT, "downforce_front", "addition to the coefficient of the front axle's downforce"),
  VD_F_AIR_HEIGHTS(VD_AIR_REAR, "downforce_rear", "addition to the coefficient of the rear axle's downforce"),
  VD_F_AIR_HEIGHTS(VD_AIR_SIDE, "side", "factors on the side force"),
  VD_F_AIR_HEIGHTS(VD_AIR_YAW, "yaw", "factors on the yaw moment"),
  VD_F_AIR_HEIGHTS(VD_AIR_ROLL, "roll", "factors on the roll moment"),
};

static const vd_schema heights_schema = {.name = "heights", VD_SCHEMA_ROWS(vd_air_heights_def, heights_fields)};

static const vd_field aero_fields[] = {
  {VD_F_NUMBER(vd_aero, drag, "drag", "1", 0, 10, 0, "0", "drag coefficient"),
   .example = "0.3"},
  {VD_F_NUMBER(vd_aero, frontal_area, "frontal_area", "m2", 0, 100, VD_ABOVE, "1",
      "reference area of all coefficients")},
  {VD_F_NUMBER(vd_aero, downforce_front, "downforce_front", "1", -10, 10, 0, "0",
      "lift coefficient of the front axle, downforce > 0"),
   .example = "0.05"},
  {VD_F_NUMBER(vd_aero, downforce_rear, "downforce_rear", "1", -10, 10, 0, "0",
      "lift coefficient of the rear axle, downforce > 0"),
   .example = "0.1"},
  {VD_F_NUMBER(vd_aero, air_density, "air_density", "kg/m3", 0, 10, VD_ABOVE, "1.225",
      "ISO 2533 standard atmosphere at sea level")},
  {VD_F_AIR_MAP(VD_AIR_DRAG, "drag_map", "drag coefficients over the aerodynamic yaw angle, in place of drag")},
  {VD_F_AIR_MAP(VD_AIR_SIDE, "side_map", "side force coefficients, > 0: to the right for air from the left")},
  {VD_F_AIR_MAP(VD_AIR_YAW, "yaw_map",
      "coefficients of the yaw moment about half the wheelbase, divided by the wheelbase, > 0: nose to the right for "
      "air from the left")},
  {VD_F_AIR_MAP(VD_AIR_ROLL, "roll_map",
      "coefficients of the roll moment about the ground, divided by the wheelbase, > 0: right side down for air from "
      "the left")},
  {VD_F_AIR_MAP(VD_AIR_FRONT, "front_map", "coefficients of the front axle's downforce, in place of downforce_front")},
  {VD_F_AIR_MAP(VD_AIR_REAR, "rear_map", "coefficients of the rear axle's downforce, in place of downforce_rear")},
  {VD_F_STRUCT(vd_aero, heights, vd_air_heights_def, "heights", "1", &heights_schema, VD_OMIT_DEFAULT, "{}",
      "changes of the coefficients over the ride heights at both axles; from L3 on")},
};

static const vd_schema aero_schema = {.name = "aero", VD_SCHEMA_ROWS(vd_aero, aero_fields)};

static const vd_field road_load_fields[] = {
  {VD_F_NUMBER(vd_road_load_def, a, "a", "N", 0, 1e5, VD_ABOVE | VD_AUTO, "auto",
      "force at standstill; it acts as rolling resistance in proportion to the wheel loads; auto: there is no road "
      "load"),
   .example = "150 N"},
  {VD_F_NUMBER(vd_road_load_def, b, "b", "N s/m", -1e4, 1e4, 0, "0",
      "growth with the speed, also by the rolling resistance; may be negative")},
  {VD_F_NUMBER(vd_road_load_def, c, "c", "N s2/m2", 0, 1e3, 0, "0",
      "growth with the square of the speed, by the air drag"),
   .example = "0.4 N s2/m2"},
};

static const vd_schema road_load_schema = {.name = "road_load", VD_SCHEMA_ROWS(vd_road_load_def, road_load_fields)};

static const vd_field abs_fields[] = {
  {VD_F_CHOICE(vd_abs, type, "type", abs_names, "none",
      "slip: the pressure of each wheel keeps its slip near the target")},
  {VD_F_NUMBER(vd_abs, slip, "slip", "1", 0, 1, VD_ABOVE | VD_AUTO, "auto",
      "target slip, > 0; auto: slip of the tyre's highest longitudinal force at static load, at least 0.08"),
      .only = SLIP,
   .example = "0.1"},
  {VD_F_NUMBER(vd_abs, minimum_speed, "minimum_speed", "m/s", 0, 20, VD_ABOVE, "2 m/s",
      "speed of a wheel over the road below which it may lock"), .only = SLIP},
};

static const vd_schema abs_schema = {
    .name = "abs", VD_SCHEMA_ROWS(vd_abs, abs_fields), .tag = "type", .shorthand = "type"};

/* The rates, the dead time and the lag are estimates for a passenger car at room temperature; none has a source. */
static const vd_field pressure_fields[] = {
  {VD_F_CHOICE(vd_pressure, type, "type", pressure_names, "ideal",
      "ideal: every wheel has the pressure of the pedal at once; hydraulic: pressures follow with rates, a dead time "
      "and a lag, and valves act on each")},
  {VD_F_NUMBER(vd_pressure, full, "full", "Pa", 0, 1e9, VD_ABOVE, "100 bar", "pressure of the full pedal"),
   .only = HYDRAULIC},
  {VD_F_NUMBER(vd_pressure, build_rate, "build_rate", "Pa/s", 0, 1e12, VD_ABOVE, "1000 bar/s",
      "greatest rate at which a pressure follows the pressure of the pedal; the default is an estimate"),
   .only = HYDRAULIC},
  {VD_F_NUMBER(vd_pressure, pump_rate, "pump_rate", "Pa/s", 0, 1e12, VD_ABOVE, "300 bar/s",
      "greatest rate at which the pump builds a pressure beyond the pressure of the pedal; the default is an estimate"),
   .only = HYDRAULIC},
  {VD_F_NUMBER(vd_pressure, release_rate, "release_rate", "Pa/s", 0, 1e12, VD_ABOVE, "1500 bar/s",
      "greatest rate at which a pressure falls; the default is an estimate"), .only = HYDRAULIC},
  {VD_F_NUMBER(vd_pressure, dead_time, "dead_time", "s", 0, 1, 0, "20 ms",
      "time in which the pads cover their clearance at build_rate, before a pressure rises; the default is an "
      "estimate"),
   .only = HYDRAULIC},
  {VD_F_NUMBER(vd_pressure, lag, "lag", "s", 0, 10, VD_ABOVE, "10 ms",
      "time constant with which a pressure approaches its command; the default is an estimate"), .only = HYDRAULIC},
};

static const vd_schema pressure_schema = {
    .name = "pressure", VD_SCHEMA_ROWS(vd_pressure, pressure_fields), .tag = "type", .shorthand = "type"};

#define RECUPERATES (VD_WHEN(VD_RECUPERATION_AXLE) | VD_WHEN(VD_RECUPERATION_ALL))

/* The speeds are estimates: below walking pace the induced voltage is small, and the friction brakes stop the car. */
static const vd_field recuperation_fields[] = {
  {VD_F_CHOICE(vd_recuperation, type, "type", recuperation_names, "none",
      "axle: motors replace friction of the brakes of their own axle, so that the distribution stays; all: motors "
      "replace friction of all brakes")},
  {VD_F_NUMBER(vd_recuperation, share, "share", "1", 0, 1, 0, "1",
      "share of their greatest torque at the present speed with which motors may brake"), .only = RECUPERATES},
  {VD_F_NUMBER(vd_recuperation, power, "power", "W", 0, 1e8, VD_ABOVE | VD_AUTO, "auto",
      "greatest power of all motors at their shafts; auto: limited only by the battery"), .only = RECUPERATES,
   .example = "60 kW"},
  {VD_F_NUMBER(vd_recuperation, slow, "slow", "m/s", 0, 100, 0, "3 km/h", "speed below which friction alone brakes"),
   .only = RECUPERATES},
  {VD_F_NUMBER(vd_recuperation, full_speed, "full_speed", "m/s", 0, 100, VD_ABOVE, "10 km/h",
      "speed from which on the motors brake with the whole share; linear between `slow` and this "
      "speed"), .only = RECUPERATES},
};

static const vd_schema recuperation_schema = {
    .name = "recuperation", VD_SCHEMA_ROWS(vd_recuperation, recuperation_fields), .tag = "type", .shorthand = "type"};

static const vd_field brakes_fields[] = {
  {VD_F_NUMBER(vd_brakes, max_torque, "max_torque", "N m", 0, 1e6, 0, NULL, "brake torque of all wheels at full pedal"),
   .example = "4500 N m"},
  {VD_F_NUMBER(vd_brakes, front_share, "front_share", "1", 0, 1, 0, NULL,
      "share of the front axle in the brake torque"),
   .example = "0.65"},
  {VD_F_FLAG(vd_brakes, load_dependent, "load_dependent", "false",
      "the axles share the brake torque in proportion to their present loads")},
  {VD_F_CHOICE(vd_brakes, failed_circuit, "failed_circuit", circuit_names, "none",
      "circuit without pressure: the circuit of an axle, or of a diagonal"), .flags = VD_OMIT_DEFAULT},
  {VD_F_NUMBER(vd_brakes, handbrake_torque, "handbrake_torque", "N m", 0, 1e6, 0, "0",
      "brake torque of both rear wheels at full lever"),
   .example = "1500 N m"},
  {VD_F_POINTS(vd_brakes, booster, "booster", "1", 0, 1, "[]",
      "pairs [force on the pedal, share of the full pedal's pressure], rising, of pedal, booster and master cylinder: "
      "the slope falls at the run-out point; smooth between, constant outside; for the input pedal_force"),
   .x_unit = "N", .flags = VD_OMIT_DEFAULT, .example = "[[0, 0], [15 N, 0.01], [250 N, 0.85], [1000 N, 1]]"},
  {VD_F_STRUCT(vd_brakes, abs, vd_abs, "abs", "1", &abs_schema, 0, "{}",
      "ideal anti-lock system; a sampled one is a controller")},
  {VD_F_STRUCT(vd_brakes, pressure, vd_pressure, "pressure", "1", &pressure_schema, VD_OMIT_DEFAULT, "{}",
      "how the pressures at the wheels follow the pedal; from L1 on")},
  {VD_F_STRUCT(vd_brakes, heat, vd_brake_heat, "heat", "1", &vd_brake_heat_schema, VD_OMIT_DEFAULT, "{}",
      "discs that warm up, and pads that fade; from L1 on"),
   .example = "{type: disc, front_capacity: 4500 J/K, rear_capacity: 2500 J/K}"},
  {VD_F_STRUCT(vd_brakes, recuperation, vd_recuperation, "recuperation", "1", &recuperation_schema, VD_OMIT_DEFAULT,
      "{}", "braking by electric motors in place of friction")},
};

static const vd_schema brakes_schema = {.name = "brakes", VD_SCHEMA_ROWS(vd_brakes, brakes_fields)};

static const vd_field hitch_fields[] = {
  {VD_F_VECTOR(vd_hitch_def, at, "at", "m", -50, 50, VD_AUTO | VD_OMIT_DEFAULT, "auto",
      "x, y, z of the coupling, measured like `at` of `loads`; auto: there is none")},
  {VD_F_NUMBER(vd_hitch_def, load, "load", "kg", 0, 1e4, VD_AUTO | VD_OMIT_DEFAULT, "auto",
      "mass with which a trailer rests on it; auto: none")},
};

static const vd_schema hitch_schema = {.name = "hitch", VD_SCHEMA_ROWS(vd_hitch_def, hitch_fields), .shorthand = "at"};

const char *const vd_body_type_names[] = {"car", "suv", "van", "pickup", NULL};
static const char *const compliance_names[] = {"none", "linear", NULL};

static const vd_field vehicle_fields[] = {
  {VD_F_STRING(vd_vehicle_def, name, "name", "\"\"", "name for readers"),
   .example = "compact car"},
  {VD_F_STRING(vd_vehicle_def, source, "source", "\"\"", "source of the parameters"),
   .example = "data sheet of the maker"},
  {VD_F_ESTIMATES(vd_vehicle_def, estimates)},
  {VD_F_CHOICE(vd_vehicle_def, body_type, "body_type", vd_body_type_names, "car",
      "kind of body, by which moments of inertia are estimated"), .flags = VD_OMIT_DEFAULT},
  {VD_F_NUMBER(vd_vehicle_def, mass, "mass", "kg", 0, 1e5, VD_ABOVE | VD_AUTO, NULL,
      "mass of the whole car without its loads; the sprung mass is this mass minus the unsprung masses; auto: from the "
      "key `weights`"),
   .example = "1450 kg"},
  {VD_F_NUMBER(vd_vehicle_def, yaw_inertia, "yaw_inertia", "kg m2", 0, 1e7, VD_ABOVE | VD_AUTO, NULL,
      "yaw moment of inertia of the whole car about its centre of gravity; auto: from the key `weights`; without it, "
      "if yaw_inertia is among 'estimates', mass times the product of the axles' distances from the centre of gravity, "
      "times 1.1 for a car and less for other bodies"),
   .example = "2400 kg m2"},
  {VD_F_NUMBER(vd_vehicle_def, roll_inertia, "roll_inertia", "kg m2", 0, 1e7, VD_ABOVE | VD_AUTO, "auto",
      "roll moment of inertia of the sprung mass about its own centre; auto: from the key `weights`; without it, if "
      "roll_inertia is among 'estimates', by a radius of gyration of about 0.4 track; otherwise not known; only levels "
      "from L3 on need it"),
   .example = "550 kg m2"},
  {VD_F_NUMBER(vd_vehicle_def, pitch_inertia, "pitch_inertia", "kg m2", 0, 1e7, VD_ABOVE | VD_AUTO, "auto",
      "pitch moment of inertia of the sprung mass about its own centre; auto: from the key `weights`; without it, if "
      "pitch_inertia is among 'estimates', about sprung mass times the product of the axles' distances from the centre "
      "of gravity; otherwise not known; only levels from L3 on need it"),
   .example = "2200 kg m2"},
  {VD_F_NUMBER(vd_vehicle_def, product[VD_PRODUCT_XY], "product_xy", "kg m2", -1e7, 1e7, VD_AUTO | VD_OMIT_DEFAULT,
      "auto",
      "product of inertia of the sprung mass about its own centre, the integral of x y; auto: from the key `weights`, "
      "without it 0; for levels from L3 on"),
   .example = "5 kg m2"},
  {VD_F_NUMBER(vd_vehicle_def, product[VD_PRODUCT_XZ], "product_xz", "kg m2", -1e7, 1e7, VD_AUTO | VD_OMIT_DEFAULT,
      "auto", "product of inertia, the integral of x z"),
   .example = "40 kg m2"},
  {VD_F_NUMBER(vd_vehicle_def, product[VD_PRODUCT_YZ], "product_yz", "kg m2", -1e7, 1e7, VD_AUTO | VD_OMIT_DEFAULT,
      "auto", "product of inertia, the integral of y z"),
   .example = "5 kg m2"},
  {VD_F_NUMBER(vd_vehicle_def, wheelbase, "wheelbase", "m", 0, 20, VD_ABOVE, NULL,
      "distance from the front to the rear axle"),
   .example = "2.7 m"},
  {VD_F_NUMBER(vd_vehicle_def, cg_to_front, "cg_to_front", "m", 0, 20, VD_ABOVE | VD_AUTO, NULL,
      "distance from the centre of gravity to the front axle; auto: from the key `weights`"),
   .example = "1.25 m"},
  {VD_F_NUMBER(vd_vehicle_def, cg_left, "cg_left", "m", -2, 2, VD_AUTO | VD_OMIT_DEFAULT, "auto",
      "distance of the centre of gravity to the left of the middle plane; auto: from the key `weights`, without it 0"),
   .example = "20 mm"},
  {VD_F_NUMBER(vd_vehicle_def, cg_height, "cg_height", "m", 0, 5, VD_ABOVE | VD_AUTO, NULL,
      "height of the centre of gravity of the whole car above the ground, in the design position; auto: from the key "
      "`weights`"),
   .example = "0.55 m"},
  {VD_F_STRUCT(vd_vehicle_def, weights, vd_weights_def, "weights", "1", &vd_weights_schema, VD_OMIT_DEFAULT, "{}",
      "a weight sheet, or readings of scales, for masses and inertias that are auto")},
  {VD_F_STRUCTS(vd_vehicle_def, loads, "loads", "1", &vd_load_schema, "[]",
      "loads of the car: passengers, luggage, fuel"), .flags = VD_OMIT_DEFAULT},
  {VD_F_STRUCT(vd_vehicle_def, hitch, vd_hitch_def, "hitch", "1", &hitch_schema, VD_OMIT_DEFAULT, "{}",
      "hitch for a trailer")},
  {VD_F_NUMBER(vd_vehicle_def, width, "width", "m", 0, 10, VD_ABOVE | VD_AUTO, "auto",
      "overall width, for the lanes of ISO 3888; auto: the wider track plus 0.25 m"),
   .example = "1.8 m"},
  {VD_F_NUMBER(vd_vehicle_def, overhang_front, "overhang_front", "m", 0, 10, VD_AUTO, "auto",
      "length of the body beyond the front axle, for cones; auto: 0.30 wheelbase"),
   .example = "0.9 m"},
  {VD_F_NUMBER(vd_vehicle_def, overhang_rear, "overhang_rear", "m", 0, 10, VD_AUTO, "auto",
      "length of the body beyond the rear axle; auto: 0.35 wheelbase"),
   .example = "1 m"},
  {VD_F_CHOICE(vd_vehicle_def, compliance, "compliance", compliance_names, "none",
      "what a run's 'compliance: auto' selects for this car, if its wheels follow the tables `kc`"),
   .flags = VD_OMIT_DEFAULT},
  {VD_F_STRUCT(vd_vehicle_def, axle[VD_FRONT], vd_axle_def, "front", "1", &axle_schema, VD_FILE, NULL, "front axle")},
  {VD_F_STRUCT(vd_vehicle_def, axle[VD_REAR], vd_axle_def, "rear", "1", &axle_schema, VD_FILE, NULL, "rear axle")},
  {VD_F_STRUCT(vd_vehicle_def, aero, vd_aero, "aero", "1", &aero_schema, 0, "{}",
      "air forces and moments, referred to the ground plane at half the wheelbase (SAE J1594)")},
  {VD_F_STRUCT(vd_vehicle_def, road_load, vd_road_load_def, "road_load", "1", &road_load_schema, VD_OMIT_DEFAULT, "{}",
      "coefficients of a coast-down (SAE J2263, UN GTR 15): the force a + b v + c v2 of a level road in place of "
      "aero.drag and of the tyres' rolling resistance")},
  {VD_F_STRUCT(vd_vehicle_def, drivetrain, vd_drivetrain_def, "drivetrain", "1", &vd_drivetrain_schema, VD_FILE, NULL,
      "motor or engine, gears and differentials")},
  {VD_F_STRUCT(vd_vehicle_def, battery, vd_battery_def, "battery", "1", &vd_battery_schema, VD_OMIT_DEFAULT, "{}",
      "battery of electric motors")},
  {VD_F_STRUCT(vd_vehicle_def, brakes, vd_brakes, "brakes", "1", &brakes_schema, 0, NULL, "brakes")},
  {VD_F_STRUCT(vd_vehicle_def, steering, vd_steering_def, "steering", "1", &vd_steering_schema, 0, NULL,
      "steering of the front axle and, if given, of the rear one")},
  {VD_F_STRUCTS(vd_vehicle_def, controllers, "controllers", "1", &vd_controller_schema, "[]",
      "controllers that the car has in all its runs, before the controllers of the scenario"),
   .flags = VD_OMIT_DEFAULT, .example = "[abs, esc]"},
};
/* clang-format on */

const vd_schema vd_vehicle_schema = {.name = "vehicle", VD_SCHEMA_ROWS(vd_vehicle_def, vehicle_fields)};

vd_key_path vd_key_path_of(const char *path, const char *format, ...) {
  vd_key_path key;
  va_list args;
  int length = snprintf(key.text, sizeof key.text, "%s%s", path, *path ? "." : "");
  va_start(args, format);
  vsnprintf(key.text + length, sizeof key.text - (size_t)length, format, args);
  va_end(args);
  return key;
}

/* Completes the tyres; a tyre of the same file as the last one before it is not read again. */
static void complete_tyres(vd_vehicle_def *v, const vd_node *root, const char *path, vd_arena *arena, vd_diag *d) {
  const vd_tyre_def *seen = NULL;
  for (int i = 0; i < VD_WHEELS; i++) {
    vd_axle_def *axle = &v->axle[vd_axle_of(i)];
    if (vd_is_right(i) && axle->right_tyre.count == 0)
      continue;
    vd_tyre_def *tyre = vd_is_right(i) ? axle->right_tyre.item : &axle->tyre;
    const vd_key_path key =
        vd_key_path_of(path, "%s.%s", vd_axle_names[vd_axle_of(i)], vd_is_right(i) ? "right_tyre.0" : "tyre");
    vd_tyre_complete(tyre, seen, root, key.text, arena, d);
    if (vd_tyre_traits_of((enum vd_tyre_model)tyre->model)->file)
      seen = tyre;
  }
}

/* Sets wheel_radius and, if it is auto, loaded_radius from the tyre, if the tyre has radii. */
static void complete_radii(vd_vehicle_def *v, int i) {
  vd_axle_def *axle = &v->axle[i];
  if (axle->tyre.unread)
    return;
  vd_vehicle built;
  vd_tyre tyre;
  vd_vehicle_dimensions(v, &built);
  vd_tyre_build(&axle->tyre, false, &tyre);
  double loaded;
  vd_tyre_radii(&tyre, built.design_load[i], &axle->wheel_radius, &loaded);
  if (isnan(axle->loaded_radius))
    axle->loaded_radius = loaded;
}

double vd_vehicle_spring_load(const vd_vehicle_def *v, int i) {
  vd_vehicle built;
  if (!isnan(v->axle[i].spring_load))
    return v->axle[i].spring_load;
  vd_vehicle_dimensions(v, &built);
  double bodies = v->axle[i].inertia ? v->axle[i].unsprung_mass - v->axle[i].inertia->hanging : 0.0;
  return (0.5 * built.masses.sprung_share[i] * built.masses.sprung + bodies) * VD_GRAVITY;
}

/* Completes the stiffness of the anti-roll bar; if the car gives none, the torsion of a twist beam is used. A bar is
 * described by its moment over the roll of the body, or by the force at a wheel over its travel z, with opposite travel
 * of the other wheel. The body then rolls by 2 z/T, and the moment of the forces is F T. */
static void complete_bar(vd_axle_def *axle) {
  double per_rate = 0.5 * axle->track * axle->track;
  double twist = axle->corner ? vd_corner_twist_rate(axle->corner) : 0.0;
  if (isnan(axle->antiroll_stiffness))
    axle->antiroll_stiffness =
        isnan(axle->antiroll_wheel_rate) ? 2.0 * twist * per_rate : axle->antiroll_wheel_rate * per_rate;
  if (isnan(axle->antiroll_wheel_rate))
    axle->antiroll_wheel_rate = axle->antiroll_stiffness / per_rate;
}

/* Completes suspension files into corners with hardpoints. */
static void complete_linkages(vd_vehicle_def *v, const vd_node *root, const char *path, vd_arena *arena, vd_diag *d) {
  for (int i = 0; i < VD_AXLES; i++) {
    vd_axle_def *axle = &v->axle[i];
    const vd_key_path key = vd_key_path_of(path, "%s.linkage", vd_axle_names[i]);
    if (axle->linkage.count > 1)
      vd_error(d, vd_tree_place(root, key.text), "an axle has one linkage, the linkage of its left wheel");
    if (axle->linkage.count != 1)
      continue;
    const vd_node *node = vd_tree_find(root, key.text), *item = vd_tree_item(node, 0);
    vd_corner *corner = vd_arena_alloc(arena, sizeof *corner);
    if (vd_corner_complete(axle->linkage.item, item ? item : node, d, corner))
      axle->corner = corner;
  }
}

/* Checks toe and camber at the design position, which only wheels on tables may have. */
static void check_static(const vd_axle_def *axle, const char *name, const vd_node *root, const char *path, vd_diag *d) {
  if (!isnan(axle->toe) || !isnan(axle->camber))
    vd_error(d, vd_tree_place_in(root, path, "%s.%s", name, isnan(axle->toe) ? "camber" : "toe"),
             "toe and camber need tables ('kc'): a linkage gives its own, and other wheels are upright");
}

/* Completes the compliance, which the left wheel's tables give for both wheels. */
static void complete_compliance(vd_axle_def *axle, bool right, const vd_node *root, const char *path, vd_arena *arena,
                                vd_diag *d) {
  vd_wheel_compliance_def *def = right ? &axle->right_kc.compliance : &axle->kc.compliance;
  if (!vd_wheel_compliance_is_given(def))
    return;
  const vd_key_path key = vd_key_path_of(path, "compliance");
  if (right) {
    vd_error(d, vd_tree_place(root, key.text), "both wheels have the compliance of the left one, given in 'kc'");
    return;
  }
  if (!vd_kc_given(&axle->kc)) {
    vd_error(d, vd_tree_place(root, key.text),
             "compliance needs tables of the wheel's path; give toe or camber over travel, too");
    return;
  }
  axle->compliance = vd_arena_alloc(arena, sizeof *axle->compliance);
  vd_wheel_compliance_read(def, root, key.text, arena, d, axle->compliance);
}

/* Reads the tables of the wheels' motion. */
static void complete_tables(vd_vehicle_def *v, const vd_node *root, const char *path, vd_arena *arena, vd_diag *d) {
  for (int i = 0; i < VD_WHEELS; i++) {
    vd_axle_def *axle = &v->axle[vd_axle_of(i)];
    bool right = vd_is_right(i), own = right && vd_kc_given(&axle->right_kc);
    const vd_key_path key = vd_key_path_of(path, "%s.%s", vd_axle_names[vd_axle_of(i)], right ? "right_kc" : "kc");
    complete_compliance(axle, right, root, key.text, arena, d);
    if (right && !own) {
      axle->tables[1] = axle->tables[0];
      continue;
    }
    if (own && !vd_kc_given(&axle->kc))
      vd_error(d, vd_tree_place(root, key.text), "the right wheel has tables, but the left one has none ('kc')");
    if (!vd_kc_given(own ? &axle->right_kc : &axle->kc)) {
      check_static(axle, vd_axle_names[vd_axle_of(i)], root, path, d);
      continue;
    }
    vd_wheel_tables *tables = vd_arena_alloc(arena, sizeof *tables);
    if (vd_kc_read(own ? &axle->right_kc : &axle->kc, axle->toe, axle->camber, right, root, key.text, arena, d, tables))
      axle->tables[right] = tables;
  }
}

bool vd_vehicle_has_tables(const vd_vehicle_def *v) {
  return v->axle[VD_FRONT].tables[0] || v->axle[VD_REAR].tables[0];
}

/* Returns the derivative of a length by the travel; on a rigid axle both wheels have this travel. */
static double by_travel(const vd_linkage *l, vd_jet length) {
  return l->axle ? length.d[0] + length.d[1] : length.d[0];
}

/* Returns the generalised mass of a travel, per wheel. On a rigid axle or twist beam both travels are equal (side 1) or
 * opposite (side -1). *turn: rad/m, rotation of the knuckle about the spin axis of the wheel per travel. The wheel is
 * fixed to the knuckle here. */
static double closed_mass(const vd_corner *corner, const vd_linkage *l, double side, double *turn) {
  vd_pose pose;
  vd_corner_mass m;
  vd_linkage_start(l, &pose);
  vd_corner_mass_at(corner, l, &pose, &m);
  *turn = vd_dot(pose.spin[0], l->spin_axis);
  if (!l->axle)
    return m.mass[0][0];
  *turn += side * vd_dot(pose.spin[1], l->spin_axis);
  return m.mass[0][0] + side * m.mass[0][1];
}

/* Returns the part I of the knuckle's inertia that is the wheel's, about its spin axis: at most the whole. A wheel on
 * its bearing does not turn with the knuckle: if the knuckle turns by p per travel, the generalised mass is I p^2 less
 * than with the wheel fixed to the knuckle. If a brake locks the wheel to the knuckle, levels on linkages add I p^2 to
 * the unsprung mass, which therefore must not contain it. An `auto` inertia is m r^2/2, so that m + m r^2 p^2/2 is the
 * mass `closed` with the wheel fixed. */
static double turning_inertia(const vd_axle_def *axle, const vd_linkage *l, double closed, double turn) {
  const vd_corner *c = axle->corner;
  double own = 0.0, wheel = axle->wheel_inertia;
  for (int i = 0; i < 3; i++)
    own += (l->axle ? 0.5 : 1.0) * c->knuckle_inertia[i] * l->spin_axis[i] * l->spin_axis[i];
  if (isnan(wheel)) {
    const double r = isnan(axle->wheel_radius) ? c->points.static_radius : axle->wheel_radius, half = 0.5 * r * r;
    wheel = half * closed / (1.0 + half * turn * turn);
  }
  return vd_min(own, wheel);
}

vd_linkage_figures vd_linkage_figures_of(const vd_axle_def *axle) {
  vd_linkage_figures f = {NAN, NAN, NAN, NAN, NAN, NAN};
  const vd_corner *corner = axle->corner;
  vd_linkage l;
  vd_pose pose;
  double turn;
  if (!corner || !vd_linkage_build(&corner->points, VD_PARALLEL, &l))
    return f;
  const vd_linkage_traits *traits = vd_linkage_traits_of(corner->points.type);
  vd_linkage_start(&l, &pose);
  const vd_hardpoints *p = &corner->points;
  f.spring_ratio = p->spring.given ? by_travel(&l, vd_element_length(&l, &pose, &p->spring)) : NAN;
  f.damper_ratio = p->damper.given ? by_travel(&l, vd_element_length(&l, &pose, &p->damper)) : NAN;
  f.stiffness = corner->spring_rate * f.spring_ratio * f.spring_ratio;
  f.damping = corner->damper_rate * f.damper_ratio * f.damper_ratio;
  f.mass = closed_mass(corner, &l, 1.0, &turn);
  const double inertia = turning_inertia(axle, &l, f.mass, turn);
  f.mass -= inertia * turn * turn;
  if (traits->axle || (traits->beam && vd_linkage_build(&corner->points, VD_OPPOSITE, &l))) {
    f.roll_mass = closed_mass(corner, &l, -1.0, &turn);
    f.roll_mass -= inertia * turn * turn;
  }
  return f;
}

/* Completes the mass of the wheel and the rates of its spring and damper from the linkage, if they are auto. */
static void complete_by_linkage(vd_axle_def *axle) {
  vd_damper_def *damper = &axle->suspension.damper;
  vd_linkage_figures f = vd_linkage_figures_of(axle);
  if (isnan(axle->unsprung_mass))
    axle->unsprung_mass = f.mass;
  bool joined = axle->corner ? vd_linkage_joins(axle->corner->points.type) : axle->tables[0] && axle->tables[0]->joined;
  if (isnan(axle->unsprung_roll_inertia) && joined) {
    double share = f.roll_mass / f.mass; /* ratio to the roll inertia of the same masses at the wheel centres */
    axle->unsprung_roll_inertia = 0.5 * axle->unsprung_mass * axle->track * axle->track * (share > 0.0 ? share : 1.0);
  }
  if (axle->suspension.spring.type == VD_SPRING_LINEAR && isnan(axle->spring_stiffness))
    axle->spring_stiffness = f.stiffness;
  if (damper->type == VD_DAMPER_LINEAR && isnan(damper->bump))
    damper->bump = axle->corner && damper->at == VD_AT_ELEMENT ? axle->corner->damper_rate : f.damping;
}

void vd_vehicle_complete(vd_vehicle_def *v, const vd_node *root, const char *path, vd_arena *arena, vd_diag *d) {
  complete_tyres(v, root, path, arena, d);
  complete_linkages(v, root, path, arena, d);
  complete_tables(v, root, path, arena, d);
  for (int i = 0; i < VD_AXLES; i++)
    complete_by_linkage(&v->axle[i]);
  vd_vehicle_weigh(v);
  if (isnan(v->overhang_front))
    v->overhang_front = 0.30 * v->wheelbase;
  if (isnan(v->overhang_rear))
    v->overhang_rear = 0.35 * v->wheelbase;
  if (isnan(v->width))
    v->width = vd_max(v->axle[VD_FRONT].track, v->axle[VD_REAR].track) + 0.25;
  vd_steering_complete(&v->steering, arena);
  vd_brake_heat_complete(&v->brakes.heat, arena);
  v->brakes.boosted = vd_brake_curve_of(&v->brakes.booster, arena);
  vd_drivetrain_complete(&v->drivetrain, root, vd_key_path_of(path, "drivetrain").text, arena, d);
  for (int i = 0; i < VD_AXLES; i++) {
    vd_axle_def *axle = &v->axle[i];
    if (isnan(axle->wheel_radius))
      complete_radii(v, i);
    if (isnan(axle->unsprung_height))
      axle->unsprung_height = vd_axle_loaded_radius(axle);
    if (isnan(axle->wheel_inertia))
      axle->wheel_inertia = 0.5 * axle->unsprung_mass * axle->wheel_radius * axle->wheel_radius;
    complete_bar(axle);
    const vd_key_path key = vd_key_path_of(path, "%s", vd_axle_names[i]);
    vd_suspension_complete(&axle->suspension, root, key.text, arena, d);
    vd_linkage_figures f = vd_linkage_figures_of(axle);
    vd_suspension_to_wheel(&axle->suspension, -f.spring_ratio, -f.damper_ratio, root, key.text, arena, d);
    if (isnan(axle->spring_stiffness))
      axle->spring_stiffness = vd_suspension_stiffness(&axle->suspension, vd_vehicle_spring_load(v, i));
  }
  vd_vehicle_weigh_heights(v);
}

/* Returns the distance by which the body sinks at an axle until it is at rest, on springs without stops and on tyres,
 * m. */
static double sink_of_axle(const vd_vehicle *v, int i) {
  const vd_suspension *s = &v->axle[i].suspension;
  const vd_tyre *tyre = &v->tyre[vd_left_wheel(i)];
  double load = 0.5 * v->masses.sprung * v->masses.sprung_share[i] * VD_GRAVITY;
  double wheel = 0.5 * v->mass * VD_GRAVITY * v->masses.to_axle[1 - i] / v->wheelbase;
  double compression = s->spring_curve ? vd_curve_inverse(&s->spring, load) : load / s->stiffness;
  return compression - s->static_compression + vd_tyre_vertical_deflection(tyre, wheel) -
         vd_tyre_vertical_deflection(tyre, v->design_load[i]);
}

/* Converts a road load to the members that models read: c to drag, a and b to rolling resistance under the weight. */
static void build_road_load(const vd_road_load_def *load, vd_vehicle *v) {
  v->aero.drag = load->c / (0.5 * v->aero.air_density * v->aero.frontal_area);
  v->rolling_slope = load->b / load->a;
  for (int i = 0; i < VD_WHEELS; i++) {
    v->tyre[i].common.rolling_resistance = load->a / (v->mass * VD_GRAVITY);
    v->tyre[i].common.rolling_speed = 0.0;
  }
}

void vd_vehicle_build(const vd_vehicle_def *def, vd_vehicle *v) {
  memset(v, 0, sizeof *v);
  vd_vehicle_laden(def, v);
  vd_drivetrain_build(&def->drivetrain, &v->drivetrain);
  vd_battery_build(&def->battery, &v->battery);
  for (int i = 0; i < VD_AXLES; i++) {
    const vd_axle_def *from = &def->axle[i];
    vd_vehicle_axle *axle = &v->axle[i];
    vd_suspension_build(&from->suspension, from->spring_stiffness, vd_vehicle_spring_load(def, i), &axle->suspension);
    axle->right_tyre_differs = from->right_tyre.count > 0;
    axle->map = from->map;
    axle->live = from->kc.live || (from->corner && vd_linkage_traits_of(from->corner->points.type)->axle &&
                                   !from->corner->final_drive_on_body);
    memcpy(axle->elastic, from->elastic, sizeof axle->elastic);
    axle->inertia = from->inertia;
    axle->inboard_brakes = from->corner && from->corner->inboard_brakes;
    memcpy(axle->angle_compliance, from->angle_compliance, sizeof axle->angle_compliance);
    axle->compliance_map = from->compliance_map;
    for (int right = 0; right < 2; right++)
      vd_tyre_build(vd_axle_tyre(from, right), right, &v->tyre[vd_wheel_at(i, right)]);
  }
  if (!isnan(def->road_load.a))
    build_road_load(&def->road_load, v);
  if (v->settles)
    v->sink = (sink_of_axle(v, VD_FRONT) * v->masses.to_axle[VD_REAR] +
               sink_of_axle(v, VD_REAR) * v->masses.to_axle[VD_FRONT]) /
              v->wheelbase;
}
