#include "input/schema.h"
#include "run/scenario_impl.h"
#include "run/step_limit.h"

#include <math.h>

static const char *const linkage_names[] = {"maps", "exact", NULL};
static const char *const slip_names[] = {"steady", "transient", NULL};

static const char *const unsprung_names[] = {"hub", "strut", "linkage", NULL};
static const char *const links_names[] = {"rigid", "stiff", NULL};
/* names of enum vd_compliance_model, then older names of the first two */
static const char *const compliance_names[] = {"none", "linear", "nonlinear", "false", "true", "auto", NULL};
static const char *const contact_names[] = {"stage", "step", NULL};

/* clang-format off */
static const vd_field run_fields[] = {
  {VD_F_CHOICE(vd_run_def, level, "level", vd_level_names, "L2", "vehicle model" VD_LEVEL_HELP)},
  {VD_F_NUMBER(vd_run_def, step, "step", "s", 1e-6, 0.02, VD_AUTO, "auto",
               "longest Runge-Kutta step; auto: the longest integer fraction of the log's interval, up to 10 ms, or 20 "
               "ms for an accuracy of 1e-3 or more, of which the duration and the periods of driver and controllers "
               "are multiples; shorter if inputs or stiff parts need it; 1 ms on posts, with accuracy 0 or 'contact: "
               "step'; with 'links: stiff' the longest that is stable with link_stiffness"),
   .example = "2 ms"},
  {VD_F_NUMBER(vd_run_def, accuracy, "accuracy", "1", 0, 1, VD_AUTO, "auto",
               "greatest error of a step, in the scales of the states (--list-states); steps with a greater error are "
               "halved; 0: steps are not halved; auto: 1e-6, or 0 if 'step' is given"),
   .example = "1e-7"},
  {VD_F_NUMBER(vd_run_def, duration, "duration", "s", 0, 1e6, VD_ABOVE, NULL, "duration of the run"),
   .example = "8 s"},
  {VD_F_NUMBER(vd_run_def, stop_below, "stop_below", "m/s", 0, 1e3, 0, "0",
               "magnitude of the forward speed below which the run ends early; 0: never"),
   .example = "0.1 m/s"},
  {VD_F_NUMBER(vd_run_def, lost_after, "lost_after", "s", 0, 1e6, VD_AUTO | VD_OMIT_DEFAULT, "auto",
               "the run fails if a car that follows a path is more than 20 m off it, or its heading differs "
               "from the path's by more than 90 degrees, for this time; 0: never; auto: 5 s"),
   .example = "0 s"},
  {VD_F_NUMBER(vd_run_def, metrics_rate, "metrics_rate", "1/s", 0, 1e4, VD_ABOVE, "1000",
               "rate of the rows that metrics, responses and claims read from a run with longer steps; a peak of "
               "frequency f is underestimated by a share of at most (pi f/metrics_rate)^2/2; sets of metrics that read "
               "these rows store at most 2000 MB of them")},
  {VD_F_NUMBER(vd_run_def, ledger_limit, "ledger_limit", "1", 0, 1e9, VD_ABOVE, "1e-2",
               "the run fails if its metric ledger_residual exceeds this")},
  {VD_F_FLAG(vd_run_def, lean, "lean", "true", "the weight of the leaning body is part of the load transfer")},
  {VD_F_NUMBER(vd_run_def, v_low, "v_low", "m/s", 0, 100, VD_ABOVE | VD_AUTO, "auto",
               "floor of the speed in the slip ratio; auto: the lowest floor at which a car with locked wheels is "
               "stable"),
   .example = "2 m/s"},
  {VD_F_NUMBER(vd_run_def, v_low_y, "v_low_y", "m/s", 0, 100, VD_ABOVE | VD_AUTO, "auto",
               "floor of the speed in the slip angle; auto: the lowest floor at which lateral motion near standstill "
               "is stable"),
   .example = "2 m/s"},
  {VD_F_CHOICE(vd_run_def, slip, "slip", slip_names, "steady",
               "steady: forces follow the slip at once, with floors of the speed; transient: with relaxation lengths "
               "and without floors, also at standstill")},
  {VD_F_CHOICE(vd_run_def, linkage, "linkage", linkage_names, "maps",
               "L4; maps: each wheel's pose from splines over travel and rack; exact: from the linkage itself at every "
               "evaluation")},
  {VD_F_CHOICE(vd_run_def, unsprung, "unsprung", unsprung_names, "strut",
               "L5; hub: the car is one body on its tyres; strut: wheels are separate bodies on lines along "
               "the body's z; linkage: on the paths of their linkages")},
  {VD_F_CHOICE(vd_run_def, links, "links", links_names, "rigid",
               "L5; rigid: wheels that are separate bodies are constrained to their paths; stiff: springs and dampers "
               "across the paths hold them")},
  {VD_F_NUMBER(vd_run_def, link_stiffness, "link_stiffness", "N/m", 1e5, 1e11, VD_AUTO, "auto",
               "L5 with 'links: stiff'; stiffness of the links that hold a wheel on its path; auto: 1e8 N/m")},
  {VD_F_CHOICE(vd_run_def, contact, "contact", contact_names, "stage",
               "L5; the contact points are found in every stage of a step, or once per step")},
  {VD_F_FLAG(vd_run_def, capped_contact, "capped_contact", "false",
             "L5; the tyre stiffness on hubs is at most 80 kN/m, and the load at most six times the static load; a "
             "loop crushes such tyres and ends the run")},
  {VD_F_CHOICE(vd_run_def, compliance, "compliance", compliance_names, "auto",
               "L4, and tables from L1 on; linear: forces steer and camber the wheels by the compliance of "
               "the bushings, taken at the design position, or, for an axle or twist beam, at the present travels; "
               "nonlinear, also L5 with 'unsprung: linkage' on rigid links: the wheels are in the "
               "equilibrium of all links at the present travel, rack and loads; auto: linear for wheels on tables if "
               "the vehicle has 'compliance: linear', otherwise none; false and true: older names of none and linear")},
  {VD_F_NUMBER(vd_run_def, bushing_time, "bushing_time", "s", 1e-4, 0.1, 0, "2 ms",
               "with 'compliance: nonlinear': damping of the bushings divided by their stiffness; the loss factor at a "
               "frequency f is 2 pi f times this time; below 2 ms errors of the bushings' loads have more weight, by "
               "the factor (2 ms/bushing_time)^2")},
};

static const vd_schema run_schema = {.name = "run", VD_SCHEMA_ROWS(vd_run_def, run_fields)};

static const char *const place_names[] = {"given", "on_path", NULL};

static const vd_field initial_fields[] = {
  {VD_F_CHOICE(vd_start, place, "start", place_names, "given",
               "given: at x and y with the heading yaw; on_path: at the first point of the path, along it"),
   .flags = VD_OMIT_DEFAULT, .example = "on_path"},
  {VD_F_NUMBER(vd_start, x, "x", "m", -1e7, 1e7, 0, "0", "world x of the centre of gravity")},
  {VD_F_NUMBER(vd_start, y, "y", "m", -1e7, 1e7, 0, "0", "world y of the centre of gravity")},
  {VD_F_NUMBER(vd_start, yaw, "yaw", "rad", -10, 10, 0, "0", "heading in the road plane")},
  {VD_F_NUMBER(vd_start, speed, "speed", "m/s", -200, 200, VD_AUTO, "0",
               "forward speed; the wheels roll freely; auto: found by a rule of the key `auto`"),
   .example = "80 km/h"},
  {VD_F_NUMBER(vd_start, lift, "lift", "m", 0, 1e3, 0, "0", "initial height above the road, for a drop; from L3 on")},
  {VD_F_NUMBER(vd_start, z, "z", "m", -1e6, 1e6, VD_AUTO, "auto",
               "world z of the centre of gravity; L5; auto: on the road")},
  {VD_F_NUMBER(vd_start, pitch, "pitch", "rad", -1.57, 1.57, VD_AUTO, "auto",
               "pitch, nose down > 0; L5; auto: pitch of the road")},
  {VD_F_NUMBER(vd_start, roll, "roll", "rad", -3.15, 3.15, VD_AUTO, "auto",
               "roll, left side up > 0; L5; auto: roll of the road")},
  {VD_F_NUMBER(vd_start, vy, "vy", "m/s", -200, 200, VD_OMIT_DEFAULT, "0",
               "velocity of the centre of gravity to the left, body axes; from L1 on")},
  {VD_F_NUMBER(vd_start, yaw_rate, "yaw_rate", "rad/s", -100, 100, VD_OMIT_DEFAULT, "0",
               "angular velocity r about the body's z, left > 0; from L1 on; each wheel rolls at the speed of its "
               "contact point")},
  {VD_F_NUMBER(vd_start, roll_rate, "roll_rate", "rad/s", -100, 100, VD_OMIT_DEFAULT, "0",
               "angular velocity p about the body's x, left side up > 0; from L3 on")},
  {VD_F_NUMBER(vd_start, pitch_rate, "pitch_rate", "rad/s", -100, 100, VD_OMIT_DEFAULT, "0",
               "angular velocity q about the body's y, nose down > 0; from L3 on")},
};

static const vd_schema initial_schema = {.name = "initial", VD_SCHEMA_ROWS(vd_start, initial_fields)};

static const char *const log_unit_names[] = {"si", "field", NULL};
static const vd_field log_fields[] = {
  {VD_F_NUMBER(vd_log_def, rate, "rate", "1/s", 0, 1e6, VD_ABOVE | VD_AUTO, "auto",
               "rows per second; an integer fraction of the step rate; auto: 100 Hz, or 50 Hz for an accuracy of 1e-3 "
               "or more, whose steps may be 20 ms long"),
   .example = "100 Hz"},
  {VD_F_LIST(vd_log_def, channels, "channels", "[\"*\"]", "names or globs of channels; t_s is always first"),
   .example = "[yaw_rate_radps, \"fz_*\"]"},
  {VD_F_CHOICE(vd_log_def, units, "units", log_unit_names, "si",
               "units of the columns, with which their names end; field: deg, deg/s, deg/s2, km/h and g"),
   .flags = VD_OMIT_DEFAULT, .example = "field"},
};

static const vd_schema log_schema = {.name = "log", VD_SCHEMA_ROWS(vd_log_def, log_fields)};

#define KEY(key) #key
#define COMMA_KEY(key) ", " #key

static const vd_field metrics_fields[] = {
  {VD_F_LIST(vd_metrics_def, sets, "sets", "[]",
             "sets of metrics in addition to `run`: " VD_METRIC_SETS(KEY, COMMA_KEY)),
   .example = "[step_steer]"},
  {VD_F_NUMBER(vd_metrics_def, options.steady_window, "steady_window", "s", 0, 1e6, VD_ABOVE, "0.5",
               "steady values are means over a window of this length at the end of the run, or before the onset of "
               "braking, power-off or release")},
  {VD_F_NUMBER(vd_metrics_def, options.from_speed, "from_speed", "m/s", 0, 200, 0, "0", "acceleration: first speed")},
  {VD_F_NUMBER(vd_metrics_def, options.to_speed, "to_speed", "m/s", 0, 200, VD_ABOVE, "100 km/h",
               "acceleration: last speed")},
  {VD_F_NUMBER(vd_metrics_def, options.fit_from, "fit_from", "m/s2", 0, 100, 0, "1",
               "steady_circular, transition: least |ay| of the states to which lines are fitted")},
  {VD_F_NUMBER(vd_metrics_def, options.fit_to, "fit_to", "m/s2", 0, 100, VD_ABOVE, "4",
               "steady_circular, transition: greatest |ay| of the states to which lines are fitted")},
  {VD_F_NUMBER(vd_metrics_def, options.linear_tolerance, "linear_tolerance", "rad", 0, 1, VD_ABOVE, "0.1 deg",
               "steady_circular: deviation of the road wheel angle from the line at the end of the linear range")},
  {VD_F_NUMBER(vd_metrics_def, options.nominal_speed, "nominal_speed", "m/s", 0, 200, VD_ABOVE, "100 km/h",
               "stopping: speed to which the stopping distance is corrected")},
  {VD_F_FLAG(vd_metrics_def, options.filtered, "filtered", "true",
             "slowly_increasing_steer, sine_with_dwell: steering-wheel angle, yaw rate and ay are filtered as in FMVSS "
             "126")},
  {VD_F_FLAG(vd_metrics_def, options.from_rest, "from_rest", "false",
             "ride: the weighted accelerations cover the whole run, which is right for a "
             "run from rest; otherwise the first 5 s, in which the filters settle, are left out")},
  {VD_F_NUMBER(vd_metrics_def, options.unit_angle, "unit_angle", "rad", 0, 100, VD_ABOVE | VD_AUTO, "auto",
               "sine_with_dwell: the steering-wheel angle A at 0.3 g, from a run with slowly increasing steer; auto: "
               "not known")},
};

static const vd_schema metrics_schema = {.name = "metrics", VD_SCHEMA_ROWS(vd_metrics_def, metrics_fields),
                                         .shorthand = "sets"};

static const char *const push_axes[] = {"body", "road", NULL};

static const vd_field wind_fields[] = {
  {VD_F_NUMBER(vd_wind_def, speed, "speed", "m/s", 0, 100, 0, NULL, "speed of the air over the road"),
   .example = "80 km/h"},
  {VD_F_NUMBER(vd_wind_def, direction, "direction", "rad", -10, 10, 0, "90 deg",
               "direction in which the air moves: 0 along world x, 90 deg along y, to the left of a car that drives "
               "along x")},
  {VD_F_NUMBER(vd_wind_def, x_from, "x_from", "m", -1e6, 1e6, VD_AUTO, "auto",
               "lowest world x of the wind; auto: no limit")},
  {VD_F_NUMBER(vd_wind_def, x_to, "x_to", "m", -1e6, 1e6, VD_AUTO, "auto",
               "highest world x of the wind; auto: no limit")},
  {VD_F_NUMBER(vd_wind_def, edge, "edge", "m", 0, 1e4, VD_ABOVE, "5 m",
               "length, centred on each limit, over which the wind rises or falls")},
};

static const vd_schema wind_schema = {.name = "wind", VD_SCHEMA_ROWS(vd_wind_def, wind_fields), .shorthand = "speed"};

static const char *const path_limits[] = {"none", "grip", NULL};
#define GRIP VD_WHEN(VD_PATH_LIMIT_GRIP)
#define MOST(index, key, words)                                                                                        \
  {VD_F_NUMBER(vd_path_speed_def, most[index], key, "m/s2", 0, 100, VD_ABOVE | VD_AUTO, "auto", words), .only = GRIP}
static const vd_field path_speed_fields[] = {
  {VD_F_CHOICE(vd_path_speed_def, limit, "limit", path_limits, "none",
               "grip: at every place the fastest speed that the steady limits of this car allow, as in a lap "
               "(vdsim-limits); none: the path's own speeds"),
   .example = "grip"},
  {VD_F_NUMBER(vd_path_speed_def, margin, "margin", "1", 0, 1, VD_ABOVE | VD_AUTO, "0.9",
               "share of the limits that the driver uses"),
   .only = GRIP},
  {VD_F_NUMBER(vd_path_speed_def, speed, "speed", "m/s", 0, 200, VD_ABOVE | VD_AUTO, "auto",
               "greatest speed; auto: 95 m/s"),
   .only = GRIP},
  MOST(0, "drive", "greatest acceleration along the path; auto: no limit but grip and power"),
  MOST(1, "brake", "greatest deceleration; auto: no limit but grip"),
  MOST(2, "lateral", "greatest lateral acceleration; auto: no limit but grip"),
  {VD_F_INTEGER(vd_path_speed_def, laps, "laps", 0, 100, "0",
                "number of runs before this one, in which the driver learns, place by place, the share of the limits "
                "that he can use in turns; in the first run the share is the margin"),
   .flags = VD_OMIT_DEFAULT, .only = GRIP},
  {VD_F_NUMBER(vd_path_speed_def, beside, "beside", "m", 0, 100, VD_ABOVE | VD_AUTO | VD_OMIT_DEFAULT, "auto",
               "distance from the path that the driver accepts while he learns; auto: 1 m, or, if the edges of the "
               "track are known, the distance at which the car is 0.2 m from an edge"),
   .only = GRIP},
  {VD_F_NUMBERS(vd_path_speed_def, shares, "shares", "1", 0.1, 1, VD_OMIT_DEFAULT, "[]",
                "shares of the limits in turns, at even distances from the start of the path to its end, linear "
                "between these places; empty: the margin"),
   .only = GRIP},
};
static const vd_schema path_speed_schema = {
  .name = "path_speed", VD_SCHEMA_ROWS(vd_path_speed_def, path_speed_fields), .tag = "limit"};

static const vd_field push_fields[] = {
  {VD_F_VECTOR(vd_push_def, at, "at", "m", -50, 50, VD_AUTO | VD_OMIT_DEFAULT, "auto",
               "point of action on the body: x, y, z, measured like `at` of `loads`; auto: the centre of gravity in "
               "the design position")},
  {VD_F_CHOICE(vd_push_def, axes, "axes", push_axes, "body",
               "axes of push_x, push_y, push_z: axes of the body, or of a level road below the body"),
   .flags = VD_OMIT_DEFAULT},
};

static const vd_schema push_schema = {.name = "push", VD_SCHEMA_ROWS(vd_push_def, push_fields), .shorthand = "at"};

static const vd_field scenario_fields[] = {
  {VD_F_CHOICE(vd_scenario_def, kind, "kind", vd_scenario_kind_names, "vehicle",
               "kind of scenario; four_post: the vehicle stands on posts and cannot drive; a tyre_rig, a fit and a "
               "track_car have other keys"),
   .example = "four_post"},
  {VD_F_STRING(vd_scenario_def, title, "title", "\"\"", "one line of text for readers"),
   .example = "step of the steering wheel"},
  {VD_F_STRUCT(vd_scenario_def, vehicle, vd_vehicle_def, "vehicle", "1", &vd_vehicle_schema, VD_FILE, NULL,
               "the vehicle"),
   .example = "vehicles/sedan.yaml"},
  {VD_F_STRUCT(vd_scenario_def, ground, vd_ground_def, "ground", "1", &vd_ground_schema, VD_FILE, "{}", "the ground")},
  {VD_F_STRUCT(vd_scenario_def, run, vd_run_def, "run", "1", &run_schema, 0, NULL, "model, step and duration")},
  {VD_F_STRUCT(vd_scenario_def, initial, vd_start, "initial", "1", &initial_schema, 0, "{}",
               "initial position and velocity")},
  VD_F_INPUTS(vd_scenario_def, inputs)
  {VD_F_STRUCTS(vd_scenario_def, wind, "wind", "1", &wind_schema, "[]",
                "wind over the road: a mapping, or the speed alone"),
   .flags = VD_OMIT_DEFAULT},
  {VD_F_STRUCT(vd_scenario_def, push, vd_push_def, "push", "1", &push_schema, VD_OMIT_DEFAULT, "{}",
               "point of action of the force push_x, push_y, push_z")},
  {VD_F_STRUCT(vd_scenario_def, measured, vd_measured_inputs_def, "measured", "1", &vd_measured_inputs_schema,
               VD_OMIT_DEFAULT, "{}", "inputs from a measured file")},
  {VD_F_STRUCT(vd_scenario_def, path, vd_path_def, "path", "1", &vd_path_schema, VD_FILE, "{}",
               "path that the driver follows if there is no other steering input; its speeds apply if there is no "
               "longitudinal input")},
  {VD_F_STRUCT(vd_scenario_def, path_speed, vd_path_speed_def, "path_speed", "1", &path_speed_schema, VD_OMIT_DEFAULT,
               "{}", "speeds along the path that are computed from the limits of the car")},
  {VD_F_STRUCT(vd_scenario_def, driver, vd_driver_def, "driver", "1", &vd_driver_schema, VD_FILE, "{}",
               "driver that steers for a path, curvature, yaw rate or lateral acceleration")},
  {VD_F_STRUCTS(vd_scenario_def, events, "events", "1", &vd_event_schema, "[]",
                "events that switch inputs or end the run")},
  {VD_F_STRUCTS(vd_scenario_def, controllers, "controllers", "1", &vd_controller_schema, "[]",
                "controllers, which read channels and write inputs; they follow the vehicle's controllers"),
   .flags = VD_OMIT_DEFAULT},
  {VD_F_STRUCT(vd_scenario_def, log, vd_log_def, "log", "1", &log_schema, 0, "{}",
      "rows, channels and units of the time history")},
  {VD_F_STRUCT(vd_scenario_def, metrics, vd_metrics_def, "metrics", "1", &metrics_schema, 0, "{}",
               "metrics of the run")},
  {VD_F_STRUCT(vd_scenario_def, response, vd_response_def, "response", "1", &vd_response_schema, 0, "{}",
               "frequency response from the run")},
  {VD_F_STRUCT(vd_scenario_def, search, vd_search_def, "search", "1", &vd_search_schema, VD_OMIT_DEFAULT, "{}",
               "search, by many runs, for the value of a key at which a goal begins or ceases to hold")},
  {VD_F_STRUCTS(vd_scenario_def, rules, "auto", "1", &vd_auto_schema, "[]",
                "rules by which numbers that are auto are found by runs of this car, before the run"),
   .flags = VD_OMIT_DEFAULT},
  {VD_F_STRUCTS(vd_scenario_def, conditions, "conditions", "1", &vd_condition_schema, "[]",
                "bounds of metrics, as standards set them; a metric outside its bounds has a note"),
   .flags = VD_OMIT_DEFAULT},
};
/* clang-format on */

const vd_schema vd_scenario_schema = {.name = "scenario", VD_SCHEMA_ROWS(vd_scenario_def, scenario_fields)};

static void set_outside(const vd_scenario_def *def, vd_model_options *o) {
  const vd_wind_def *wind = def->wind.item;
  vd_vehicle car;
  vd_vehicle_laden(&def->vehicle, &car);
  const double centre[3] = {-car.cg_to_front, car.cg_left, car.cg_height};
  o->wind = (vd_wind){.from = NAN, .to = NAN};
  if (def->wind.count > 0) {
    o->wind = (vd_wind){.from = wind->x_from, .to = wind->x_to, .edge = wind->edge};
    o->wind.speed[0] = wind->speed * vd_cos(wind->direction);
    o->wind.speed[1] = wind->speed * vd_sin(wind->direction);
  }
  for (int k = 0; k < 3; k++)
    o->push_at[k] = isnan(def->push.at[0]) ? centre[k] : def->push.at[k];
  o->push_level = def->push.axes == 1;
  o->prescribed = vd_inputs_prescribed(&def->inputs);
  for (size_t i = 0; i <= def->events.count; i++)
    o->pushed |= vd_inputs_push(vd_scenario_inputs(def, i));
  for (size_t i = 0; i <= def->events.count; i++)
    o->requests |= vd_inputs_request(vd_scenario_inputs(def, i));
  o->requests |= vd_scenario_written(def, VD_IN_DRIVE_REQUEST_FL, VD_IN_BRAKE_VALVE_RR);
  o->pushed |= vd_scenario_written(def, VD_IN_WIND_X, VD_IN_DRAWBAR);
}

void vd_scenario_steady_model(const vd_model_options *options, vd_model *model) {
  vd_vehicle vehicle = model->vehicle;
  vd_ground ground = model->ground;
  vehicle.brakes.pressure.type = VD_PRESSURE_IDEAL;
  vehicle.battery.given = vehicle.drivetrain.list = false;
  vd_model_build(&vehicle, &ground, options, model);
}

void vd_scenario_model(const vd_scenario_def *def, bool acceleration, vd_model *model) {
  vd_model_options options = {
      .level = (enum vd_level)def->run.level,
      .step = vd_run_stable_step(&def->run),
      .lean = def->run.lean,
      .v_low = def->run.v_low,
      .v_low_y = def->run.v_low_y,
      .transient = def->run.slip == VD_SLIP_TRANSIENT,
      .path = def->track.count > 0 ? &def->track : NULL,
      .on_posts = def->kind == VD_SCENARIO_FOUR_POST,
      .compliance = (enum vd_compliance_model)def->run.compliance,
      .bushing_time = def->run.bushing_time,
      .exact_linkage = def->run.linkage == VD_MAP_EXACT,
      .unsprung = (enum vd_unsprung)def->run.unsprung,
      .links = (enum vd_links)def->run.links,
      .link_stiffness = def->run.link_stiffness,
      .frozen_contact = def->run.contact == VD_CONTACT_STEP,
      .capped_contact = def->run.capped_contact,
      .acceleration_control = acceleration,
  };
  set_outside(def, &options);
  for (int a = 0; a < VD_AXLES && vd_on_stiff_links(&options); a++)
    options.rate_margin[a] = vd_step_rate_margin(&def->vehicle, &options, a);
  for (size_t i = 0; i <= def->events.count; i++)
    options.acceleration_control |= vd_inputs_use(vd_scenario_inputs(def, i), VD_LON_ACCELERATION);
  options.acceleration_control |= vd_scenario_written(def, VD_IN_ACCELERATION, VD_IN_ACCELERATION);
  vd_vehicle vehicle;
  vd_ground ground;
  vd_vehicle_build(&def->vehicle, &vehicle);
  vd_ground_build(&def->ground, &ground);
  vd_model_build(&vehicle, &ground, &options, model);
}

vd_sim_setup vd_scenario_setup(const vd_scenario_def *def) {
  const double patience = 5.0; /* s */
  return (vd_sim_setup){
      .inputs = &def->inputs,
      .events = &def->events,
      .driver = &def->driver,
      .start = def->initial,
      .step = def->run.step,
      .accuracy = def->run.accuracy,
      .reach = vd_scenario_step_distance(def),
      .ledger_limit = def->run.ledger_limit,
      .stop_below = def->run.stop_below,
      .lost_after = isnan(def->run.lost_after) ? patience : def->run.lost_after,
  };
}
