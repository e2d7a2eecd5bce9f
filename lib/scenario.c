#include "scenario.h"

#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const level_names[] = {"L0", "L1", "L2", NULL};

/* clang-format off */
static const vd_field run_fields[] = {
  {VD_F_CHOICE(vd_run_def, level, "level", level_names, "L2", "vehicle model: L0 kinematic, L1 single track, L2 seven degrees of freedom")},
  {VD_F_NUMBER(vd_run_def, step, "step", "s", 1e-6, 0.01, 0, "1 ms", "Runge-Kutta step")},
  {VD_F_NUMBER(vd_run_def, duration, "duration", "s", 0, 1e6, VD_ABOVE, NULL, "length of the run")},
  {VD_F_NUMBER(vd_run_def, stop_below, "stop_below", "m/s", 0, 1e3, 0, "0", "the run ends early when the magnitude of the forward speed falls below; 0: never")},
  {VD_F_FLAG(vd_run_def, lean, "lean", "true", "the weight of the leaning body counts in the load transfer")},
  {VD_F_NUMBER(vd_run_def, v_low, "v_low", "m/s", 0, 100, VD_ABOVE | VD_AUTO, "auto", "floor of the speed in the slips; auto: the lowest that keeps the wheel spins stable")},
};

static const vd_schema run_schema = {.name = "run", .size = sizeof(vd_run_def), .field = run_fields, .count = VD_COUNT(run_fields)};

static const vd_field initial_fields[] = {
  {VD_F_NUMBER(vd_initial_def, x, "x", "m", -1e6, 1e6, 0, "0", "centre of gravity, world x")},
  {VD_F_NUMBER(vd_initial_def, y, "y", "m", -1e6, 1e6, 0, "0", "centre of gravity, world y")},
  {VD_F_NUMBER(vd_initial_def, yaw, "yaw", "rad", -10, 10, 0, "0", "heading in the road plane")},
  {VD_F_NUMBER(vd_initial_def, speed, "speed", "m/s", -200, 200, 0, "0", "forward speed; the wheels roll freely")},
};

static const vd_schema initial_schema = {.name = "initial", .size = sizeof(vd_initial_def), .field = initial_fields, .count = VD_COUNT(initial_fields)};

static const vd_field log_fields[] = {
  {VD_F_NUMBER(vd_log_def, rate, "rate", "1/s", 0, 1e6, VD_ABOVE, "100 Hz", "rows per second; a whole fraction of the steps")},
  {VD_F_LIST(vd_log_def, channels, "channels", "[\"*\"]", "names or globs of channels; t_s is always first")},
};

static const vd_schema log_schema = {.name = "log", .size = sizeof(vd_log_def), .field = log_fields, .count = VD_COUNT(log_fields)};

static const vd_field metrics_fields[] = {
  {VD_F_LIST(vd_metrics_def, sets, "sets", "[]", "sets of metrics beside `run`: step_steer, acceleration, braking")},
  {VD_F_NUMBER(vd_metrics_def, options.steady_window, "steady_window", "s", 0, 1e6, VD_ABOVE, "0.5", "end of the run over which steady values are means")},
  {VD_F_NUMBER(vd_metrics_def, options.from_speed, "from_speed", "m/s", 0, 200, 0, "0", "acceleration: first speed")},
  {VD_F_NUMBER(vd_metrics_def, options.to_speed, "to_speed", "m/s", 0, 200, VD_ABOVE, "100 km/h", "acceleration: last speed")},
};

static const vd_schema metrics_schema = {
    .name = "metrics", .size = sizeof(vd_metrics_def), .field = metrics_fields, .count = VD_COUNT(metrics_fields), .shorthand = "sets"};

static const vd_field scenario_fields[] = {
  {VD_F_STRING(vd_scenario_def, title, "title", "\"\"", "one line, for people")},
  {VD_F_STRUCT(vd_scenario_def, vehicle, vd_vehicle_def, "vehicle", "1", &vd_vehicle_schema, VD_FILE, NULL, "the vehicle")},
  {VD_F_STRUCT(vd_scenario_def, ground, vd_ground_def, "ground", "1", &vd_ground_schema, VD_FILE, "{}", "the ground")},
  {VD_F_STRUCT(vd_scenario_def, run, vd_run_def, "run", "1", &run_schema, 0, NULL, "model, step and length")},
  {VD_F_STRUCT(vd_scenario_def, initial, vd_initial_def, "initial", "1", &initial_schema, 0, "{}", "where and how fast it starts")},
  {VD_F_STRUCT(vd_scenario_def, steer, vd_profile, "steer", "rad", &vd_profile_schema, 0, "0", "mean road wheel angle over time, left > 0")},
  {VD_F_STRUCT(vd_scenario_def, steering_wheel, vd_profile, "steering_wheel", "rad", &vd_profile_schema, 0, "{type: none}", "hand wheel angle over time, instead of steer")},
  {VD_F_STRUCT(vd_scenario_def, throttle, vd_profile, "throttle", "1", &vd_profile_schema, 0, "0", "throttle pedal over time, 0 to 1")},
  {VD_F_STRUCT(vd_scenario_def, brake, vd_profile, "brake", "1", &vd_profile_schema, 0, "0", "brake pedal over time, 0 to 1")},
  {VD_F_STRUCT(vd_scenario_def, speed, vd_profile, "speed", "m/s", &vd_profile_schema, 0, "{type: none}", "forward speed that a controller holds with the pedals")},
  {VD_F_STRUCT(vd_scenario_def, log, vd_log_def, "log", "1", &log_schema, 0, "{}", "the time history")},
  {VD_F_STRUCT(vd_scenario_def, metrics, vd_metrics_def, "metrics", "1", &metrics_schema, 0, "{}", "numbers from the run")},
};
/* clang-format on */

const vd_schema vd_scenario_schema = {
    .name = "scenario", .size = sizeof(vd_scenario_def), .field = scenario_fields, .count = VD_COUNT(scenario_fields)};

long vd_scenario_steps(const vd_scenario_def *def) {
  return lround(def->run.duration / def->run.step);
}

long vd_scenario_log_stride(const vd_scenario_def *def) {
  return lround(fmin(1.0 / (def->log.rate * def->run.step), 1e15)); /* beyond any run: the first row only */
}

/* What a check needs to speak about the file. */
typedef struct context {
  const vd_node *root;
  vd_arena *arena;
  vd_diag *d;
} context;

static vd_place at(const context *ctx, const char *path) {
  return vd_tree_place(ctx->root, path);
}

static vd_place at_key(const context *ctx, const char *input, const char *key) {
  vd_buf path = {0};
  vd_buf_printf(&path, "%s.%s", input, key);
  vd_place place = at(ctx, path.text);
  vd_buf_finish(&path);
  return place;
}

/* The place of one entry of a list, which may be written as a single scalar or in short. */
static vd_place at_entry(const context *ctx, const char *section, const char *key, size_t index) {
  const vd_node *list = vd_tree_find(ctx->root, section);
  if (list && list->kind == VD_NODE_MAPPING)
    list = vd_tree_get(list, key);
  const vd_node *entry = list && list->kind == VD_NODE_SEQUENCE ? list->child : NULL;
  for (; entry && index > 0; index--)
    entry = entry->next;
  return entry ? vd_node_place(entry) : at_key(ctx, section, key);
}

/* The column that the profile asks for, or the only one beside the time. */
static int value_column(const context *ctx, const char *input, const vd_profile *p, const vd_csv *csv, int time) {
  int column = *p->column ? vd_csv_column(csv, p->column) : csv->columns == 2 ? 1 - time : -1;
  if (column >= 0)
    return column;
  if (*p->column) {
    const char *near = vd_suggest(p->column, csv->name, csv->columns);
    vd_error(ctx->d, at_key(ctx, input, "column"), "no column '%s' in '%s'%s%s%s", p->column, p->file,
             near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  } else {
    vd_error(ctx->d, at_key(ctx, input, "file"), "'%s' has %zu columns; say which with 'column'", p->file,
             csv->columns);
  }
  return -1;
}

/* Reads the CSV of a table into its points, so that the resolved scenario stands alone. */
static void load_table(const context *ctx, const char *input, vd_profile *p) {
  vd_csv csv;
  struct stat status;
  bool exists = stat(p->file, &status) == 0;
  if (exists && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) { /* it could keep us waiting for ever */
    vd_error(ctx->d, at_key(ctx, input, "file"), "cannot open '%s': not a regular file", p->file);
    return;
  }
  if (!vd_csv_read(p->file, at_key(ctx, input, "file"), ctx->arena, ctx->d, &csv))
    return;
  int time = vd_csv_column(&csv, "t_s");
  if (time < 0) {
    vd_error(ctx->d, at_key(ctx, input, "file"), "no column 't_s' in '%s'", p->file);
    return;
  }
  int column = value_column(ctx, input, p, &csv, time);
  if (column < 0)
    return;
  double *xy = vd_arena_alloc(ctx->arena, 2 * csv.rows * sizeof *xy);
  for (size_t i = 0; i < csv.rows; i++) {
    const double *row = csv.value + i * csv.columns;
    xy[2 * i] = row[time];
    xy[2 * i + 1] = row[column];
    if (i > 0 && !(xy[2 * i] > xy[2 * i - 2])) {
      vd_error(ctx->d, at_key(ctx, input, "file"), "t_s must rise in '%s'; row %zu has %g after %g", p->file, i + 2,
               xy[2 * i], xy[2 * i - 2]);
      return;
    }
  }
  p->points = (vd_points){xy, csv.rows};
  p->file = p->column = "";
}

static void check_table(const context *ctx, const char *input, vd_profile *p) {
  bool file = *p->file != '\0', points = p->points.count > 0;
  if (file && points)
    vd_error(ctx->d, at_key(ctx, input, "file"), "a table has a file or points, not both");
  else if (file)
    load_table(ctx, input, p);
  else if (!points)
    vd_error(ctx->d, at(ctx, input), "the table of '%s' has neither file nor points", input);
  else if (*p->column)
    vd_error(ctx->d, at_key(ctx, input, "column"), "'column' belongs to a file");
}

static void check_profile(const context *ctx, const char *input, vd_profile *p, double lowest, double highest,
                          const char *unit) {
  double low, high;
  if (p->type == VD_PROFILE_TABLE) {
    check_table(ctx, input, p);
    if (p->points.count == 0)
      return;
  }
  vd_profile_range(p, &low, &high);
  if (low >= lowest && high <= highest)
    return;
  if (low == high)
    vd_error(ctx->d, at(ctx, input), "'%s' is %.9g; it must stay within %g to %g%s", input, low, lowest, highest, unit);
  else
    vd_error(ctx->d, at(ctx, input), "'%s' reaches from %.9g to %.9g; it must stay within %g to %g%s", input, low, high,
             lowest, highest, unit);
}

static bool is_zero(const vd_profile *p) {
  return p->type == VD_PROFILE_CONSTANT && p->value == 0.0;
}

static void check_inputs(const context *ctx, vd_scenario_def *def) {
  const vd_steering_def *steering = &def->vehicle.steering;
  bool hand = def->steering_wheel.type != VD_PROFILE_NONE, hold = def->speed.type != VD_PROFILE_NONE;
  if (hand && !is_zero(&def->steer) && def->steer.type != VD_PROFILE_NONE)
    vd_error(ctx->d, at(ctx, "steering_wheel"), "steer and steering_wheel exclude each other");
  if (hold && !(is_zero(&def->throttle) && is_zero(&def->brake)))
    vd_error(ctx->d, at(ctx, "speed"), "a held speed excludes throttle and brake");
  if (hold && !(def->vehicle.drivetrain.max_torque > 0.0))
    vd_error(ctx->d, at(ctx, "speed"), "a held speed needs a motor: drivetrain.max_torque is 0");

  check_profile(ctx, "steer", &def->steer, -steering->max_angle, steering->max_angle,
                " rad (vehicle.steering.max_angle)");
  double hand_limit = steering->max_angle * steering->ratio;
  check_profile(ctx, "steering_wheel", &def->steering_wheel, -hand_limit, hand_limit,
                " rad (steering.max_angle x ratio)");
  check_profile(ctx, "throttle", &def->throttle, 0.0, 1.0, "");
  check_profile(ctx, "brake", &def->brake, 0.0, 1.0, "");
  check_profile(ctx, "speed", &def->speed, 0.0, 200.0, " m/s");
}

static bool whole(double value) {
  return fabs(value - round(value)) <= 1e-6;
}

/* A slip floor above the first reaches into ordinary driving; above the second there is nothing left of it. */
static const double unusual_v_low = 5.0, absurd_v_low = 100.0; /* m/s */

/* L0 has no slips: its floor only has to read back. */
static void check_v_low(const context *ctx, vd_scenario_def *def) {
  vd_run_def *run = &def->run;
  double v_low = vd_model_v_low(&def->vehicle, def->ground.friction, run->step);
  if (run->level == VD_L0)
    run->v_low = isnan(run->v_low) ? fmin(v_low, absurd_v_low) : run->v_low;
  else if (!(v_low <= absurd_v_low))
    vd_error(ctx->d, at(ctx, "run.step"),
             "the step is too long for these tyres and inertias: it needs slips floored at %.3g m/s", v_low);
  else if (!isnan(run->v_low) && !(run->v_low >= v_low * (1.0 - 1e-12)))
    vd_error(ctx->d, at(ctx, "run.v_low"), "v_low must be at least %.4g m/s for stable motion at this step", v_low);
  else if (isnan(run->v_low)) {
    run->v_low = v_low;
    if (v_low > unusual_v_low)
      vd_warning(ctx->d, at(ctx, "run.step"),
                 "below v_low = %.3g m/s the tyres are softer than their data; a smaller step lowers it", v_low);
  }
}

/* `sound`: the vehicle has passed its checks, so that its figures can be used. */
static void check_run(const context *ctx, vd_scenario_def *def, bool sound) {
  vd_run_def *run = &def->run;
  if (sound)
    check_v_low(ctx, def);
  if (!(run->duration / run->step >= 0.5) || !whole(run->duration / run->step))
    vd_error(ctx->d, at(ctx, "run.duration"), "duration (%g s) is no whole number of steps (%g s)", run->duration,
             run->step);
  else if (!(run->duration / run->step <= 1e9))
    vd_error(ctx->d, at(ctx, "run.duration"), "duration takes more than 1e9 steps");
  double stride = 1.0 / (def->log.rate * run->step);
  if (!(whole(stride) && stride >= 0.5))
    vd_error(ctx->d, at(ctx, vd_tree_find(ctx->root, "log.rate") ? "log.rate" : "run.step"),
             "log rate (%g Hz) must be the steps' (%g Hz) or a whole fraction of it", def->log.rate, 1.0 / run->step);
}

/* A channel of the level that is probably meant: a name without its unit, or misspelt. */
static const char *suggest_channel(const char *pattern, unsigned level) {
  size_t count, names_count = 0, length = strlen(pattern);
  const vd_channel *channel = vd_channel_table(&count);
  const char *names[256];
  for (size_t i = 0; i < count; i++)
    if (channel[i].levels & VD_WHEN(level))
      names[names_count++] = channel[i].name;
  for (size_t i = 0; i < names_count; i++)
    if (strncmp(names[i], pattern, length) == 0 && names[i][length] == '_')
      return names[i];
  return vd_suggest(pattern, names, names_count);
}

static void check_names(const context *ctx, const vd_scenario_def *def) {
  unsigned level = (unsigned)def->run.level;
  bool wanted[256] = {false};
  for (size_t i = 0; i < def->log.channels.count; i++) {
    const char *pattern = def->log.channels.name[i];
    bool elsewhere = false;
    if (vd_channel_match(pattern, (enum vd_level)level, wanted) > 0)
      continue;
    for (unsigned other = VD_L0; other <= VD_L2; other++)
      elsewhere |= vd_channel_match(pattern, (enum vd_level)other, wanted) > 0;
    const char *near = elsewhere ? NULL : suggest_channel(pattern, level);
    vd_error(ctx->d, at_entry(ctx, "log", "channels", i), "no channel '%s' at level %s%s%s%s", pattern,
             level_names[level], near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  }
  for (size_t i = 0; i < def->metrics.sets.count; i++) {
    const char *set = def->metrics.sets.name[i];
    size_t sets = 0;
    bool known = false;
    for (; vd_metric_sets[sets]; sets++)
      known |= strcmp(vd_metric_sets[sets], set) == 0;
    if (!known) {
      const char *near = vd_suggest(set, vd_metric_sets, sets);
      vd_error(ctx->d, at_entry(ctx, "metrics", "sets", i), "unknown set of metrics '%s'%s%s%s", set,
               near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
  }
  if (!(def->metrics.options.from_speed < def->metrics.options.to_speed))
    vd_error(ctx->d, at(ctx, "metrics.from_speed"), "from_speed must be below to_speed");
}

static void check_balance(const context *ctx, const vd_scenario_def *def) {
  vd_ground ground;
  vd_load_balance balance;
  vd_ground_build(&def->ground, &ground);
  vd_load_balance_build(&def->vehicle, ground.weight, def->run.lean, &balance);
  if (!vd_load_balance_stable(&balance))
    vd_error(ctx->d, at(ctx, "vehicle.cg_height"),
             "the springs are too soft for this height: the body would fall over by its own weight");
}

static bool finish(const context *ctx, vd_scenario_def *def) {
  vd_vehicle_complete(&def->vehicle);
  vd_vehicle_check(&def->vehicle, ctx->root, "vehicle", ctx->d);
  bool sound = vd_diag_errors(ctx->d) == 0;
  if (sound)
    check_balance(ctx, def);
  check_run(ctx, def, sound);
  check_inputs(ctx, def);
  check_names(ctx, def);
  return vd_diag_errors(ctx->d) == 0;
}

bool vd_scenario_read(const char *path, const vd_setting *settings, size_t count, vd_arena *arena, vd_diag *d,
                      vd_scenario_def *def) {
  vd_node *root;
  if (!vd_schema_read(&vd_scenario_schema, path, settings, count, arena, d, def, &root))
    return false;
  return finish(&(context){root, arena, d}, def);
}

bool vd_scenario_read_source(int source, const vd_setting *settings, size_t count, vd_arena *arena, vd_diag *d,
                             vd_scenario_def *def) {
  vd_node *root;
  if (!vd_schema_read_source(&vd_scenario_schema, source, settings, count, arena, d, def, &root))
    return false;
  return finish(&(context){root, arena, d}, def);
}

void vd_scenario_build(const vd_scenario_def *def, vd_model *model, vd_inputs *inputs, vd_sim *sim) {
  vd_model_options options = {
      .level = (enum vd_level)def->run.level,
      .step = def->run.step,
      .lean = def->run.lean,
      .v_low = def->run.v_low,
  };
  bool hand = def->steering_wheel.type != VD_PROFILE_NONE;
  vd_model_build(&def->vehicle, &def->ground, &options, model);
  *inputs = (vd_inputs){
      .steer = hand ? def->steering_wheel : def->steer,
      .steer_ratio = hand ? def->vehicle.steering.ratio : 1.0,
      .throttle = def->throttle,
      .brake = def->brake,
      .speed = def->speed,
  };
  vd_sim_start(sim, model, inputs, def->initial.x, def->initial.y, def->initial.yaw, def->initial.speed);
}
