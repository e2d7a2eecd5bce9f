/* The state of a car at the start. */
#include "model/model_impl.h"

#include "base/elementary.h"
#include "model/electric.h"
#include "model/pedals.h"
#include "model/pressure.h"
#include "model/steered.h"
#include "model/train.h"

#include <math.h>

static void start_drivetrain(const vd_model *m, const vd_command *c, double speed, vd_state_vector *s) {
  const vd_drivetrain *d = &m->vehicle.drivetrain;
  s->mode[VD_M_SHIFT_START] = -1e9;
  s->mode[VD_M_DIRECTION] = c->longitudinal == VD_LON_SPEED && c->target < 0.0 ? -1.0 : 1.0;
  bool automatic = c->gear == VD_GEAR_AUTOMATIC;
  s->mode[VD_M_GEAR] = !automatic                      ? c->gear
                       : s->mode[VD_M_DIRECTION] < 0.0 ? VD_GEAR_REVERSE
                                                       : vd_gear_for(d, speed / m->control.drive_radius);
  if (!m->motor_shaft)
    return;
  double ratio = vd_gear_ratio(d, d->engine ? (int)s->mode[VD_M_GEAR] : 1);
  s->x[VD_S_MOTOR] = ratio * speed / m->control.drive_radius;
  if (d->engine)
    s->x[VD_S_MOTOR] = vd_max(s->x[VD_S_MOTOR], d->idle);
}

/* Places the centre of gravity at cg_height above the plane, along the normal. */
static void start_in_plane(const vd_model *m, double x, double y, double yaw, vd_state_vector *s) {
  const vd_ground *g = &m->ground;
  double dx = x - m->balance.height * g->normal[0], dy = y - m->balance.height * g->normal[1];
  double det = g->along[0] * g->across[1] - g->along[1] * g->across[0];
  s->x[VD_S_ALONG] = (dx * g->across[1] - dy * g->across[0]) / det;
  s->x[VD_S_ACROSS] = (dy * g->along[0] - dx * g->along[1]) / det;
  s->x[VD_S_YAW] = yaw;
}

/* Computes the place and attitude of a body in space: on the road, or as commanded. */
static void start_in_space(const vd_model *m, const vd_command *c, const vd_start *start, vd_state_vector *s) {
  s->x[VD_S_YAW] = vd_world_yaw(&m->ground, start->yaw);
  vd_ride_start(m, c, start->x, start->y, s->x[VD_S_YAW], s);
  if (m->vehicle.settles)
    vd_model_rest(m, c, s);
  if (m->options.level == VD_L5 && !isnan(start->pitch))
    s->x[VD_S_PITCH] = start->pitch;
  if (m->options.level == VD_L5 && !isnan(start->roll))
    s->x[VD_S_ROLL] = start->roll;
  if (m->options.level == VD_L5 && !isnan(start->z))
    s->x[VD_S_HEIGHT] = start->z;
  s->x[VD_S_HEIGHT] += start->lift;
}

/* Sets the spins with which the wheels roll. A contact point at (x, y, -h) in the design position has the velocity vx -
 * r y - q h forward, vy + r x + p h to the left. */
static void start_spins(const vd_model *m, const vd_command *c, const vd_start *start, vd_state_vector *s) {
  double height = m->vehicle.cg_height;
  for (int i = 0; i < m->lanes.count; i++) {
    double ahead = start->speed - start->yaw_rate * m->lanes.y[i] - start->pitch_rate * height;
    double aside = start->vy + start->yaw_rate * m->lanes.x[i] + start->roll_rate * height;
    s->x[VD_S_SPIN + i] = (ahead * c->cos_angle[i] + aside * c->sin_angle[i]) / m->lanes.radius[i];
  }
}

/* Finds the bushings' loads at the start from the forces of the road and the brakes. Each round multiplies the error by
 * the gain of the loop from toe over side force to toe, about 0.1. */
static void settle_bushings(const vd_model *m, const vd_command *c, vd_state_vector *s) {
  enum { ROUNDS = 20 };
  for (int round = 0; round < ROUNDS && m->ride.bushing.elastic_map[VD_FL]; round++) {
    double dx[VD_STATES];
    vd_eval e = {0};
    vd_model_rates(m, c, s->x, s->mode, &e, dx);
    for (int i = VD_S_BUSHINGS; i < VD_S_STEERED; i++)
      s->x[i] += m->options.bushing_time * dx[i];
  }
}

void vd_model_start(const vd_model *m, const vd_command *c, const vd_start *start, vd_state_vector *s) {
  *s = (vd_state_vector){{0.0}, {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0}};
  const vd_ground *g = &m->ground;
  double x = start->x, y = start->y, yaw = start->yaw, speed = start->speed;
  vd_steered_start(m, c, speed, s);
  start_in_plane(m, x, y, yaw, s);
  if (m->options.level >= VD_L3)
    start_in_space(m, c, start, s);
  /* initial value of the controller's integral: the resistances at the start */
  double pull = g->pull_along * vd_cos(yaw) + g->pull_across * vd_sin(yaw);
  s->x[VD_S_SPEED_INTEGRAL] = vd_running_resistance(m, speed, pull);
  s->x[VD_S_VX] = m->options.level == VD_L0 ? vd_kinematic_momentum(m, c, speed) : speed;
  s->x[VD_S_VY] = start->vy;
  s->x[VD_S_YAW_RATE] = start->yaw_rate;
  s->x[VD_S_ROLL_RATE] = start->roll_rate;
  s->x[VD_S_PITCH_RATE] = start->pitch_rate;
  if (m->options.level >= VD_L3 && vd_starts_at_rest(m, start))
    vd_ride_align(m, c, s);
  if (m->options.path)
    s->x[VD_S_PATH] = vd_path_nearest(m->options.path, x, y);
  start_drivetrain(m, c, speed - start->pitch_rate * m->vehicle.cg_height, s);
  if (m->options.level == VD_L5)
    vd_free_body_start(m, c, s);
  for (int i = 0; i < VD_WHEELS; i++)
    s->mode[VD_M_FACE + i] = -1.0;
  s->x[VD_S_CHARGE] = m->vehicle.battery.start;
  if (m->options.level == VD_L0)
    return;
  start_spins(m, c, start, s);
  for (int i = 0; i < m->lanes.count; i++) {
    s->x[VD_S_PRESSURE + i] = m->hydraulic ? vd_pressure_at_rest(m, c->brake) : 1.0;
    s->x[VD_S_DISC + i] = m->hot_brakes ? m->vehicle.brakes.heat.start : 0.0;
  }
  for (int k = 0; k < VD_COUPLINGS; k++)
    if (m->shafts.permanent[k])
      s->mode[k] = 0.0;
  if (m->coupled)
    vd_train_align(m, s);
  if (m->electric)
    vd_electric_start(m, s);
  vd_model_end_step(m, c, s);
  settle_bushings(m, c, s);
  /* bushings under load displace the wheels a little */
  enum { ROUNDS = 3 };
  for (int k = 0; k < ROUNDS && m->ride.bushing.elastic_map[VD_FL] && vd_starts_at_rest(m, start); k++) {
    vd_model_rest(m, c, s);
    settle_bushings(m, c, s);
  }
}
