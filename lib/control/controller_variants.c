/* Names, table rows and keys of all controllers. */
#include "control/controller_impl.h"

#include "base/base.h"

#include <math.h>

#define NAME(value, name, keys)  #name,
#define GROUP(value, name, keys) {VD_F_GROUP(&vd_##name##_controller.rows)},
#define ROW(value, name, keys)   [VD_CONTROLLER_##value] = &vd_##name##_controller,

#define OUTSIDE VD_WHEN(VD_CONTROLLER_FMU)

static const char *const course_names[] = {"hold", "linear", NULL};

/* clang-format off */
static const char *const kind_names[] = {VD_CONTROLLER_KINDS(NAME) NULL};
static const vd_controller_variant *const variants[] = {VD_CONTROLLER_KINDS(ROW)};

static const vd_field sensor_fields[] = {
  {VD_F_STRING(vd_sensor_def, channel, "channel", NULL, "name of a channel of the log"), .example = "yaw_rate_radps"},
  {VD_F_STRING(vd_sensor_def, as, "as", "\"\"", "name of the channel in the controller; empty: its name in the log"),
   .flags = VD_OMIT_DEFAULT, .example = "r"},
  {VD_F_NUMBER(vd_sensor_def, factor, "factor", "1", -1e12, 1e12, 0, "1",
      "the controller reads this factor times the value of the sensor, which is in SI")},
  {VD_F_NUMBER(vd_sensor_def, lag, "lag", "s", 0, 100, VD_OMIT_DEFAULT, "0",
      "time constant of the sensor's first-order lag"), .example = "20 ms"},
  {VD_F_NUMBER(vd_sensor_def, noise, "noise", "1", 0, 1e12, VD_OMIT_DEFAULT | VD_ANY_UNIT, "0",
      "standard deviation of the noise, in the SI unit of the channel; independent from sample to sample"),
   .example = "0.002"},
  {VD_F_NUMBER(vd_sensor_def, resolution, "resolution", "1", 0, 1e12, VD_OMIT_DEFAULT | VD_ANY_UNIT, "0",
      "step between the values that the sensor can show, in the SI unit of the channel; 0: any value"),
   .example = "0.005"},
};

static const vd_schema sensor_schema = {.name = "sensor", VD_SCHEMA_ROWS(vd_sensor_def, sensor_fields),
                                        .shorthand = "channel"};

static const vd_field request_fields[] = {
  {VD_F_STRING(vd_request_def, input, "input", NULL, "key of an input"), .example = "brake_request_fl"},
  {VD_F_STRING(vd_request_def, from, "from", "\"\"", "name of the request in the controller; empty: the key of the "
    "input"),
   .flags = VD_OMIT_DEFAULT, .example = "m_brake_fl"},
  {VD_F_NUMBER(vd_request_def, factor, "factor", "1", -1e12, 1e12, 0, "1",
      "factor on the value that the controller writes; the product is the input, in SI")},
  {VD_F_ANY_NUMBER(vd_request_def, start, "start",
      "value of the input until the first decision acts; auto: the output of the controller at its start"),
   .example = "0"},
  {VD_F_CHOICE(vd_request_def, course, "course", course_names, "hold",
      "hold: the input jumps to each decision; linear: the input reaches each decision at a constant rate within one "
      "period")},
};

static const vd_schema request_schema = {.name = "request", VD_SCHEMA_ROWS(vd_request_def, request_fields),
                                         .shorthand = "input"};

static const vd_field controller_fields[] = {
  {VD_F_CHOICE(vd_controller_def, kind, "kind", kind_names, NULL,
      "kind of controller; fmu: a functional mock-up unit, FMI 2.0 or 3.0 for co-simulation; abs: anti-lock control by "
      "valves, from wheel speeds; esc: stability control by brakes of single wheels and the throttle; tcs: traction "
      "control by throttle and brakes, and hill hold; torque_vectoring: a yaw moment by the torques of single wheels; "
      "damper: sky-hook and ground-hook; rear_steer: steers the rear wheels by steering wheel and yaw rate")},
  {VD_F_STRING(vd_controller_def, name, "name", "\"controller\"",
      "name of the controller in messages"), .example = "esc"},
  {VD_F_NUMBER(vd_controller_def, period, "period", "s", 0, 10, VD_ABOVE, NULL,
      "time between two decisions; an integer number of steps"), .only = OUTSIDE, .example = "10 ms"},
  {VD_F_NUMBER(vd_controller_def, period, "period", "s", 0, 10, VD_ABOVE, "5 ms",
      "time between two decisions; an integer number of steps"), .only = ~OUTSIDE, .example = "10 ms"},
  {VD_F_NUMBER(vd_controller_def, delay, "delay", "s", 0, 10, 0, "0",
      "time from a decision until its requests act; an integer number of steps"), .example = "10 ms"},
  {VD_F_INTEGER(vd_controller_def, seed, "seed", 0, 2147483647, "1", "seed of the noise of the controller's sensors"),
   .flags = VD_OMIT_DEFAULT},
  {VD_F_STRUCTS(vd_controller_def, sensors, "sensors", "1", &sensor_schema, "[]",
      "channels that the controller reads; a kind that is built in reads its own channels exactly, except channels of "
      "this list with lag or noise"),
   .example = "[omega_fl_radps]"},
  {VD_F_STRUCTS(vd_controller_def, requests, "requests", "1", &request_schema, "[]",
      "inputs that the controller writes"),
   .only = OUTSIDE, .example = "[brake_request_fl, brake_request_fr]"},
  VD_CONTROLLER_KINDS(GROUP)
};
/* clang-format on */

const vd_schema vd_controller_schema = {
    .name = "controller", VD_SCHEMA_ROWS(vd_controller_def, controller_fields), .tag = "kind", .shorthand = "kind"};

const vd_controller_variant *vd_controller_variant_of(const vd_controller_def *def) {
  return variants[def->kind];
}

vd_place vd_controller_place(const vd_controller_context *ctx, const char *key) {
  return vd_tree_place_in(ctx->root, ctx->path, "%s", key);
}

vd_place vd_controller_item_place(const vd_controller_context *ctx, const char *list, size_t item) {
  const char *path = vd_arena_printf(ctx->arena, "%s.%s", ctx->path, list);
  return vd_tree_place(ctx->root, vd_tree_item_path(ctx->root, path, item, ctx->arena));
}

bool vd_controller_complete(vd_controller_def *def, const vd_node *root, const char *path, vd_arena *arena,
                            vd_diag *d) {
  return vd_controller_variant_of(def)->complete(&(vd_controller_context){root, path, arena, d}, def);
}

const char *vd_controller_kind_name(const vd_controller_def *def) {
  return kind_names[def->kind];
}

bool vd_controller_has_sides(const vd_controller_def *def) {
  return vd_controller_variant_of(def)->two_tracks;
}

bool vd_controller_needs_turns(const vd_controller_def *def) {
  return vd_controller_variant_of(def)->turns;
}

bool vd_controller_is_outside(const vd_controller_def *def) {
  return vd_controller_variant_of(def)->outside;
}
