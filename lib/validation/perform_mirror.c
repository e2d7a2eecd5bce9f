/* Exchanges left and right of a scenario. */
#include "validation/performed_impl.h"

#include "base/base.h"

#define NO_WHEEL(...)
#define LEFT_WHEELS(symbol, ...) VD_IN_##symbol##_FL, VD_IN_##symbol##_RL,

static void mirror_inputs(vd_inputs_def *in, vd_arena *arena) {
  static const enum vd_input left[] = {VD_INPUT_LIST(NO_WHEEL, LEFT_WHEELS, , )};
  for (int i = 0; i < VD_INPUT_KINDS; i++)
    if (vd_input_table[i].lateral || i == VD_IN_WIND_Y || i == VD_IN_PUSH_Y || i == VD_IN_PUSH_MX ||
        i == VD_IN_PUSH_MZ || (i >= VD_IN_ROAD_SLOPE_Y_FL && i <= VD_IN_ROAD_SLOPE_Y_RR) || i == VD_IN_PRESCRIBED_Y ||
        i == VD_IN_PRESCRIBED_YAW || i == VD_IN_REAR_STEER_REQUEST)
      vd_profile_negate(&in->input[i].profile, arena);
  for (size_t i = 0; i < VD_COUNT(left); i++) { /* the right wheel's input is next to the left wheel's */
    vd_profile_def kept = in->input[left[i]];
    in->input[left[i]] = in->input[left[i] + 1];
    in->input[left[i] + 1] = kept;
  }
}

static void mirror_products(double *product) {
  product[VD_PRODUCT_XY] = -product[VD_PRODUCT_XY];
  product[VD_PRODUCT_YZ] = -product[VD_PRODUCT_YZ];
}

/* Mirrors the masses of the car with its loads, the hitch, wind and push. */
static void mirror_masses(vd_scenario_def *def, vd_arena *arena) {
  vd_vehicle_def *v = &def->vehicle;
  vd_weight_def *load = vd_arena_alloc(arena, (v->loads.count + 1) * sizeof *load);
  vd_wind_def *wind = vd_arena_alloc(arena, (def->wind.count + 1) * sizeof *wind);
  for (size_t i = 0; i < v->loads.count; i++) {
    load[i] = ((const vd_weight_def *)v->loads.item)[i];
    load[i].at[1] = -load[i].at[1];
    if (load[i].shape == VD_WEIGHT_BODY)
      mirror_products(load[i].as.body.product);
  }
  for (size_t i = 0; i < def->wind.count; i++) {
    wind[i] = ((const vd_wind_def *)def->wind.item)[i];
    wind[i].direction = -wind[i].direction;
  }
  v->loads.item = load;
  def->wind.item = wind;
  v->cg_left = -v->cg_left;
  mirror_products(v->product);
  v->hitch.at[1] = -v->hitch.at[1];
  def->push.at[1] = -def->push.at[1];
}

static const char *mirror_vehicle(vd_scenario_def *def, vd_arena *arena) {
  vd_event_def *events = vd_arena_alloc(arena, (def->events.count + 1) * sizeof *events);
  if (!vd_ground_is_flat(&def->ground))
    return "only flat ground is mirrored automatically: give the other run by 'against' or 'against_set'";
  if (def->track.count > 0)
    return "a path is not mirrored automatically: give the other run by 'against' or 'against_set'";
  for (size_t i = 0; i < def->events.count; i++) {
    events[i] = ((const vd_event_def *)def->events.item)[i];
    if (vd_event_crosses(events[i].when))
      return "an event of a channel is not mirrored automatically: give the other run by 'against' or 'against_set'";
    mirror_inputs(&events[i].inputs, arena);
  }
  def->events.item = events;
  mirror_inputs(&def->inputs, arena);
  mirror_masses(def, arena);
  def->initial.y = -def->initial.y;
  def->initial.yaw = -def->initial.yaw;
  def->initial.roll = -def->initial.roll;
  def->initial.vy = -def->initial.vy;
  def->initial.yaw_rate = -def->initial.yaw_rate;
  def->initial.roll_rate = -def->initial.roll_rate;
  return NULL;
}

static double *mirrored(const double *value, size_t count, vd_arena *arena) {
  double *to = vd_arena_alloc(arena, (count + 1) * sizeof *to);
  for (size_t i = 0; i < count; i++)
    to[i] = -value[i];
  return to;
}

static void mirror_axis(vd_rig_axis *a, vd_arena *arena) {
  a->values.value = mirrored(a->values.value, a->values.count, arena);
  a->from = -a->from;
  a->to = -a->to;
}

/* Mirrors the tyre to the other side of the car, with opposite camber and slip angle. */
static void mirror_rig(vd_rig_def *def, vd_arena *arena) {
  def->side = !def->side;
  mirror_axis(&def->axis[VD_RIG_CAMBER], arena);
  mirror_axis(&def->axis[VD_RIG_ALPHA], arena);
  for (int i = 0; i < 2; i++) {
    const double **column = &def->points.of[i == 0 ? VD_POINT_CAMBER : VD_POINT_ALPHA];
    *column = *column ? mirrored(*column, def->points.rows, arena) : NULL;
  }
  vd_profile_negate(&def->slip_angle.profile, arena);
  vd_profile_negate(&def->side_speed.profile, arena);
}

const char *vd_perform_mirror(const vd_subject *s, vd_arena *arena) {
  if (s->kind == VD_KIND_VEHICLE)
    return mirror_vehicle(s->as.vehicle, arena);
  if (s->kind == VD_KIND_TYRE_RIG)
    mirror_rig(s->as.rig, arena);
  return NULL;
}
