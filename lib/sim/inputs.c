#include "sim/inputs.h"

#include "base/elementary.h"
#include "model/pedals.h"

#include <math.h>
#include <string.h>

#define ONE(symbol, key, unit, lowest, highest, part, family, member, ...)                                             \
  {key, unit, lowest, highest, (part) == VD_LAT, (part) == VD_LON, family, offsetof(vd_command, member)},
#define OF_WHEEL(wheel, name, words, key, unit, lowest, highest, part, family, member)                                 \
  ONE(, key name, unit, lowest, highest, part, family, member[wheel], )
#define EACH(symbol, key, unit, lowest, highest, part, family, member, ...)                                            \
  VD_EACH_WHEEL(OF_WHEEL, key, unit, lowest, highest, part, family, member)

const vd_input_info vd_input_table[VD_INPUT_KINDS] = {VD_INPUT_LIST(ONE, EACH, , )};

/* Updates the list of active inputs, and what depends on it. */
static void refresh(vd_inputs *in) {
  bool along = false, across = false;
  in->count = 0;
  in->more = in->requests;
  for (int i = 0; i < VD_INPUT_KINDS; i++) {
    if (!in->active[i].profile)
      continue;
    in->active_index[in->count++] = i;
    in->more |= vd_input_table[i].offset >= offsetof(vd_command, drive);
    if (vd_input_table[i].longitudinal) {
      in->longitudinal = (enum vd_longitudinal)vd_input_table[i].family;
      along = true;
    } else if (vd_input_table[i].lateral) {
      in->lateral = (enum vd_lateral)vd_input_table[i].family;
      across = true;
    }
  }
  if (!along)
    in->longitudinal = in->path_speed ? VD_LON_PATH_SPEED : VD_LON_PEDALS;
  if (!across)
    in->lateral = in->path ? VD_LAT_PATH : VD_LAT_STEER;
}

void vd_inputs_start(vd_inputs *in, const vd_inputs_def *def, const vd_inputs_def *over, const vd_model *m) {
  *in = (vd_inputs){
      .path = m->options.path != NULL,
      .path_speed = m->options.path && m->options.path->has_speed,
      .steering = &m->vehicle.steering,
      .booster = &m->vehicle.brakes.boosted,
      .dead_time = m->vehicle.steering.dead_time,
      .prescribed = vd_inputs_prescribed(def),
      .requests = m->options.requests,
  };
  in->before.until = -INFINITY;
  vd_inputs_apply(in, def, 0.0, false, 0.0);
  if (over)
    vd_inputs_apply(in, over, 0.0, false, 0.0);
  in->before.until = -INFINITY;
}

bool vd_inputs_displace(enum vd_input newcomer, enum vd_input other) {
  const vd_input_info *a = &vd_input_table[newcomer], *b = &vd_input_table[other];
  bool same_kind = (a->lateral && b->lateral) || (a->longitudinal && b->longitudinal);
  return newcomer != other && same_kind && (a->lateral || a->family != b->family || a->offset == b->offset);
}

static void displace(vd_inputs *in, int newcomer) {
  for (int i = 0; i < VD_INPUT_KINDS; i++)
    if (vd_inputs_displace((enum vd_input)newcomer, (enum vd_input)i))
      in->active[i].profile = NULL;
}

const vd_profile vd_input_written = {.type = VD_PROFILE_CONSTANT};

void vd_inputs_give(vd_inputs *in, enum vd_input i) {
  displace(in, (int)i);
  in->active[i].profile = &vd_input_written;
  in->active[i].origin = 0.0;
  refresh(in);
}

static bool is_zero(const vd_profile *p) {
  double value;
  return vd_profile_is_constant(p, &value) && value == 0.0;
}

/* Keeps the present steering command; it remains in effect until the dead time of the new one is over. */
static void keep_steering(vd_inputs *in, double t, double angle) {
  in->before.profile = NULL;
  in->before.angle = angle;
  in->before.until = t + in->dead_time;
  for (int i = VD_IN_STEER; i <= VD_IN_STEERING_WHEEL; i++)
    if (in->active[i].profile) {
      in->before.profile = in->active[i].profile;
      in->before.origin = in->active[i].origin;
      in->before.wheel = i == VD_IN_STEERING_WHEEL;
    }
}

void vd_inputs_apply(vd_inputs *in, const vd_inputs_def *def, double t, bool follow_path, double angle) {
  if (in->dead_time > 0.0 && (vd_profile_is_given(&def->input[VD_IN_STEER].profile) ||
                              vd_profile_is_given(&def->input[VD_IN_STEERING_WHEEL].profile)))
    keep_steering(in, t, angle);
  for (int i = 0; i < VD_INPUT_KINDS && follow_path; i++)
    if (vd_input_table[i].lateral)
      in->active[i].profile = NULL;
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < VD_INPUT_KINDS; i++) {
      const vd_profile *profile = &def->input[i].profile;
      if (!vd_profile_is_given(profile) || is_zero(profile) != (round == 0))
        continue;
      displace(in, i);
      in->active[i].profile = profile;
      in->active[i].origin = t;
    }
  refresh(in);
}

void vd_inputs_take(vd_inputs *in, enum vd_input i, const vd_profile *profile, double t, double angle) {
  if (in->active[i].profile == profile)
    return;
  if (in->dead_time > 0.0 && i <= VD_IN_STEERING_WHEEL)
    keep_steering(in, t, angle);
  displace(in, (int)i);
  in->active[i].profile = profile;
  in->active[i].origin = 0.0;
  refresh(in);
}

/* Returns the instant at which a profile's own time begins. Angles reach the wheels after the dead time; a driver
 * includes it in his own delay. */
static double origin_of(const vd_inputs *in, int i) {
  return in->active[i].origin + (i <= VD_IN_STEERING_WHEEL ? in->dead_time : 0.0);
}

/* Converts an angle of the steering wheel and its rate to the angle and rate of the road wheels. */
static void to_road_wheels(const vd_steering *s, double *angle, double *rate) {
  if (!s->gear) {
    *angle /= s->ratio;
    *rate /= s->ratio;
    return;
  }
  double slope;
  *angle = vd_steering_mean(s, *angle, &slope);
  *rate *= slope;
}

/* Computes the steering of the previous command, which remains in effect until the dead time of the new one is over. */
static void steering_before(const vd_inputs *in, double inside, double t, vd_command *c) {
  c->steer = in->before.angle;
  c->steer_rate = 0.0;
  if (!in->before.profile)
    return;
  double origin = in->before.origin + in->dead_time;
  vd_profile_at(in->before.profile, inside - origin, t - origin, &c->steer, &c->steer_rate);
  if (in->before.wheel)
    to_road_wheels(in->steering, &c->steer, &c->steer_rate);
}

/* Clears the requests, which are read only with in->requests. */
VD_NOINLINE void clear_requests(vd_command *c) {
  c->throttle_request = c->rear_steer_request = 0.0;
  for (int i = 0; i < VD_WHEELS; i++) {
    c->drive_request[i] = c->brake_request[i] = c->pressure_request[i] = c->damper_request[i] = 0.0;
    c->brake_valve[i] = 1.0;
  }
}

/* Stores an input that stands after the requests in the list, with its derivatives. */
VD_NOINLINE void take_other(const vd_inputs *in, int i, double inside, double t, double value, double slope,
                            vd_command *c) {
  if (i >= VD_IN_ROAD_SLOPE_X_FL && i <= VD_IN_ROAD_SLOPE_Y_RR && !c->tilted) {
    memset(c->road_slope, 0, sizeof c->road_slope);
    c->roads = c->tilted = true;
  }
  *(double *)(void *)((char *)c + vd_input_table[i].offset) = value;
  if (i >= VD_IN_PRESCRIBED_SPEED) {
    double *given = c->given[i - VD_IN_PRESCRIBED_SPEED], origin = in->active[i].origin;
    given[1] = slope;
    given[2] = vd_profile_second_derivative(in->active[i].profile, inside - origin, t - origin);
  } else if (i >= VD_IN_POST_FL && i <= VD_IN_POST_RR) {
    c->post_rate[i - VD_IN_POST_FL] = slope;
  } else if (i >= VD_IN_ROAD_FL && i <= VD_IN_ROAD_RR) {
    c->post_rate[i - VD_IN_ROAD_FL] = slope;
    c->roads = true;
  }
}

/* Sets *c to the command at t; heights of roads from outside still refer to the places of the wheels. */
VD_INLINE void command_at(const vd_inputs *in, double inside, double t, vd_command *c) {
  c->t = t;
  c->longitudinal = in->longitudinal;
  c->gear = VD_GEAR_AUTOMATIC;
  c->throttle = c->brake = c->handbrake = c->target = c->target_rate = 0.0;
  c->lateral = in->lateral;
  c->lateral_demand = c->steer = c->hand = c->steer_rate = c->torque = c->friction_change = 0.0;
  if (vd_direct_level(c))
    for (int i = 0; i < VD_WHEELS; i++)
      c->drive[i] = c->retard[i] = 0.0;
  for (int i = 0; i < VD_WHEELS; i++)
    c->post[i] = c->post_rate[i] = 0.0;
  c->prescribed = in->prescribed;
  c->wind[0] = c->wind[1] = c->push[0] = c->push[1] = c->push[2] = c->drawbar = 0.0;
  c->push_moment[0] = c->push_moment[1] = c->push_moment[2] = 0.0;
  c->wheel_friction = c->has_range = c->roads = c->tilted = false;
  c->more = in->more;
  if (in->requests)
    clear_requests(c);
  for (int k = 0; k < in->count; k++) {
    int i = in->active_index[k];
    const vd_profile *profile = in->active[i].profile;
    double value, slope = 0.0;
    if (profile == &vd_input_written) {
      slope = in->written[i].slope;
      value = in->written[i].from + slope * (t - in->written[i].since);
    } else if (!vd_profile_is_constant(profile, &value)) {
      double origin = origin_of(in, i);
      vd_profile_at(profile, inside - origin, t - origin, &value, &slope);
    }
    double hand = value, unused = 0.0;
    if (i <= VD_IN_STEERING_WHEEL && in->dead_time > 0.0)
      vd_profile_at(profile, inside - in->active[i].origin, t - in->active[i].origin, &hand, &unused);
    switch (i) {
    case VD_IN_STEERING_WHEEL:
      to_road_wheels(in->steering, &value, &slope);
      to_road_wheels(in->steering, &hand, &unused);
      /* fall through */
    case VD_IN_STEER:
      c->steer = value;
      c->lateral_demand = c->hand = hand;
      c->steer_rate = slope;
      break;
    case VD_IN_STEERING_TORQUE: c->lateral_demand = c->torque = value; break;
    case VD_IN_PEDAL_FORCE: c->brake = vd_brake_curve_at(in->booster, value, 0.0); break;
    case VD_IN_GEAR: c->gear = (int)lround(value); break;
    case VD_IN_FRICTION: c->friction_change = value - 1.0; break;
    case VD_IN_FRICTION_FL:
    case VD_IN_FRICTION_FR:
    case VD_IN_FRICTION_RL:
    case VD_IN_FRICTION_RR:
      for (int w = 0; w < VD_WHEELS && !c->wheel_friction; w++)
        c->wheel_friction_change[w] = 0.0;
      c->wheel_friction = true;
      c->wheel_friction_change[i - VD_IN_FRICTION_FL] = value - 1.0;
      break;
    default:
      if (i >= VD_IN_POST_FL) {
        take_other(in, i, inside, t, value, slope, c);
        break;
      }
      *(double *)(void *)((char *)c + vd_input_table[i].offset) = value;
      if (i >= VD_IN_SPEED && i <= VD_IN_FORCE)
        c->target_rate = slope;
    }
  }
  if (inside < in->before.until)
    steering_before(in, inside, t, c);
}

void vd_inputs_at(const vd_inputs *in, double inside, double t, vd_command *c) {
  command_at(in, inside, t, c);
  for (int w = 0; w < VD_WHEELS && c->tilted; w++) /* the plane's height at x = y = 0 */
    c->post[w] -= c->road_slope[0][w] * in->road[w].place[0] + c->road_slope[1][w] * in->road[w].place[1];
}

bool vd_inputs_tilt(const vd_inputs *in) {
  bool tilt = false;
  for (int i = VD_IN_ROAD_SLOPE_X_FL; i <= VD_IN_ROAD_SLOPE_Y_RR; i++)
    tilt |= in->active[i].profile != NULL;
  return tilt;
}

void vd_inputs_place_roads(vd_inputs *in, double inside, double t, const double *x, const double *y) {
  vd_command c = {0};
  command_at(in, inside, t, &c);
  for (int w = 0; w < VD_WHEELS; w++) {
    double *slope = in->road[w].slope;
    if (c.post[w] == in->road[w].height && c.road_slope[0][w] == slope[0] && c.road_slope[1][w] == slope[1])
      continue;
    in->road[w].height = c.post[w];
    slope[0] = c.road_slope[0][w];
    slope[1] = c.road_slope[1][w];
    in->road[w].place[0] = x[w];
    in->road[w].place[1] = y[w];
  }
}

double vd_inputs_next_corner(const vd_inputs *in, double t) {
  double next = INFINITY;
  if (in->before.until > t) {
    double origin = in->before.origin + in->dead_time;
    next = in->before.until;
    if (in->before.profile)
      next = vd_min(next, origin + vd_profile_next_corner(in->before.profile, t - origin));
  }
  for (int k = 0; k < in->count; k++) {
    const vd_profile *profile = in->active[in->active_index[k]].profile;
    double value;
    if (vd_profile_is_constant(profile, &value))
      continue;
    double origin = origin_of(in, in->active_index[k]), seen = in->active[in->active_index[k]].origin;
    next = vd_min(next, origin + vd_profile_next_corner(profile, t - origin));
    if (seen != origin) /* before the dead time is over, the log already shows the command */
      next = vd_min(next, seen + vd_profile_next_corner(profile, t - seen));
  }
  return next;
}

static bool any_given(const vd_inputs_def *def, enum vd_input first, enum vd_input last) {
  for (int i = (int)first; i <= (int)last; i++)
    if (vd_profile_is_given(&def->input[i].profile))
      return true;
  return false;
}

bool vd_inputs_push(const vd_inputs_def *def) {
  return any_given(def, VD_IN_WIND_X, VD_IN_DRAWBAR);
}

bool vd_inputs_request(const vd_inputs_def *def) {
  return any_given(def, VD_IN_DRIVE_REQUEST_FL, VD_IN_BRAKE_VALVE_RR);
}

unsigned vd_inputs_prescribed(const vd_inputs_def *def) {
  static const unsigned bit[VD_GIVENS] = {VD_PRESCRIBED_SPEED, VD_PRESCRIBED_PLACE, VD_PRESCRIBED_PLACE,
                                          VD_PRESCRIBED_YAW};
  unsigned prescribed = 0;
  for (int k = 0; k < VD_GIVENS; k++)
    if (vd_profile_is_given(&def->input[VD_IN_PRESCRIBED_SPEED + k].profile))
      prescribed |= bit[k];
  return prescribed;
}

bool vd_inputs_use(const vd_inputs_def *def, enum vd_longitudinal family) {
  for (int i = 0; i < VD_INPUT_KINDS; i++)
    if (vd_profile_is_given(&def->input[i].profile) && vd_input_table[i].longitudinal &&
        vd_input_table[i].family == (int)family)
      return true;
  return false;
}
