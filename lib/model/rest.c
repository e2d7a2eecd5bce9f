/* The position in which the car rests: heave, pitch, roll and travels without acceleration. The equations are those of
 * the level itself, solved by Newton's method from the design position. Horizontally the car is free, and its wheels
 * roll without torque, so only the balance of weight, springs, bars, stops and tyres remains. */
#include "model/model_impl.h"

#include "base/elementary.h"
#include "math/lu.h"
#include "model/frame.h"

#include <math.h>
#include <string.h>

enum { HEAVE, PITCH, ROLL, FIRST_TRAVEL, UNKNOWNS = FIRST_TRAVEL + VD_WHEELS };

/* Returns the commands under which a car rests: wheels steered and posts placed as in c, without torques. */
static vd_command at_rest(const vd_model *m, const vd_command *c) {
  vd_command rest = {.t = c->t, .steer = c->steer, .longitudinal = VD_LON_PEDALS, .gear = 0};
  memcpy(rest.post, c->post, sizeof rest.post);
  rest.roads = c->roads;
  rest.tilted = c->tilted;
  if (c->tilted)
    memcpy(rest.road_slope, c->road_slope, sizeof rest.road_slope);
  vd_command_set_angles(m, &rest);
  return rest;
}

/* Returns the car at the position of s, without speed and without tyre deflections; its bushings keep their loads. */
static vd_state_vector standing(const vd_model *m, const vd_command *c, const vd_state_vector *s) {
  static const int kept[] = {VD_S_ALONG, VD_S_ACROSS, VD_S_YAW, VD_S_HEIGHT, VD_S_PITCH, VD_S_ROLL};
  vd_state_vector at = {{0.0}, {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0}};
  for (size_t i = 0; i < VD_COUNT(kept); i++)
    at.x[kept[i]] = s->x[kept[i]];
  for (int i = VD_S_BUSHINGS; i < VD_STATES; i++)
    at.x[i] = s->x[i];
  for (int i = 0; i < VD_WHEELS; i++) {
    at.x[VD_S_TRAVEL + i] = s->x[VD_S_TRAVEL + i];
    at.x[VD_S_PRESSURE + i] = m->hydraulic ? 0.0 : 1.0;
    at.mode[VD_M_FACE + i] = -1.0;
  }
  for (int k = 0; k < VD_COUPLINGS; k++)
    if (m->shafts.permanent[k])
      at.mode[k] = 0.0;
  at.x[VD_S_STEER] = c->steer;
  return at;
}

static double *coordinate(vd_state_vector *s, int k) {
  static const int state[] = {[HEAVE] = VD_S_HEIGHT, [PITCH] = VD_S_PITCH, [ROLL] = VD_S_ROLL};
  return &s->x[k < FIRST_TRAVEL ? state[k] : VD_S_TRAVEL + k - FIRST_TRAVEL];
}

/* Computes the rates of a car with the travels and the place of the body in s; wheels and contacts follow from
 * these. */
static bool rates_at(const vd_model *m, const vd_command *c, vd_state_vector *s, vd_eval *e, double *dx) {
  if (m->options.level == VD_L5)
    vd_free_body_start(m, c, s);
  vd_model_end_step(m, c, s);
  return vd_model_rates(m, c, s->x, s->mode, e, dx);
}

/* Computes the accelerations of the unknowns. Returns false if the level has no rates there. */
static bool accelerations(const vd_model *m, const vd_command *c, const vd_state_vector *at, double *accel) {
  double dx[VD_STATES];
  vd_state_vector s = *at;
  vd_eval e = {0};
  if (!rates_at(m, c, &s, &e, dx))
    return false;
  accel[HEAVE] = dx[VD_S_VZ];
  accel[PITCH] = dx[VD_S_PITCH_RATE];
  accel[ROLL] = dx[VD_S_ROLL_RATE];
  for (int i = 0; i < VD_WHEELS; i++)
    accel[FIRST_TRAVEL + i] = vd_on_stiff_links(&m->options) ? dx[VD_S_WHEEL_SPEED_Z + i] : dx[VD_S_TRAVEL_RATE + i];
  return true;
}

/* Makes one step of Newton's method with derivatives by differences. */
static bool improve(const vd_model *m, const vd_command *c, int n, const double *accel, vd_state_vector *s) {
  /* m or rad, step of the differences; most: greatest change of a place (m) and an angle (rad) in one step */
  const double change = 1e-6, most[] = {0.05, 0.05};
  double matrix[UNKNOWNS * UNKNOWNS], step[UNKNOWNS], share = 1.0;
  size_t order[UNKNOWNS];
  for (int j = 0; j < n; j++) {
    double perturbed[UNKNOWNS];
    vd_state_vector there = *s;
    *coordinate(&there, j) += change;
    if (!accelerations(m, c, &there, perturbed))
      return false;
    for (int i = 0; i < n; i++)
      matrix[i * n + j] = (perturbed[i] - accel[i]) / change;
    step[j] = -accel[j];
  }
  vd_lu_factorise(matrix, (size_t)n, order);
  vd_lu_solve(matrix, order, (size_t)n, step);
  for (int j = 0; j < n; j++) {
    if (!isfinite(step[j]))
      return false;
    share = vd_min(share, most[j == PITCH || j == ROLL] / vd_max(fabs(step[j]), 1e-12));
  }
  for (int j = 0; j < n; j++)
    *coordinate(s, j) += share * step[j];
  return true;
}

bool vd_model_rest(const vd_model *m, const vd_command *command, vd_state_vector *s) {
  enum { ROUNDS = 60 };
  const double still = 1e-9; /* m/s2, rad/s2 */
  const vd_command c = at_rest(m, command);
  const int n = vd_on_hubs(&m->options) ? FIRST_TRAVEL : UNKNOWNS;
  double accel[UNKNOWNS];
  vd_state_vector at = standing(m, &c, s);
  for (int round = 0; round < ROUNDS; round++) {
    double worst = 0.0;
    if (!accelerations(m, &c, &at, accel))
      return false;
    for (int i = 0; i < n; i++)
      worst = !(fabs(accel[i]) <= worst) ? fabs(accel[i]) : worst;
    bool found = worst <= still;
    if (!improve(m, &c, n, accel, &at)) /* one more step after convergence, down to rounding error */
      return false;
    if (found) {
      for (int i = 0; i < n; i++)
        *coordinate(s, i) = *coordinate(&at, i);
      return true;
    }
  }
  return false;
}

void vd_ride_align(const vd_model *m, const vd_command *c, vd_state_vector *s) {
  static const int speed[2][3] = {{VD_S_VX, VD_S_VY, VD_S_VZ}, {VD_S_ROLL_RATE, VD_S_PITCH_RATE, VD_S_YAW_RATE}};
  vd_state_vector level = *s;
  vd_frame road, body;
  double unused[2] = {0.0, 0.0};
  vd_ride_start(m, c, s->x[VD_S_ALONG], s->x[VD_S_ACROSS], s->x[VD_S_YAW], &level);
  vd_frame_from_angles(m, level.x, unused, &road);
  vd_frame_from_angles(m, s->x, unused, &body);
  for (int k = 0; k < 2; k++) {
    double world[3];
    for (int i = 0; i < 3; i++)
      world[i] = road.to_world[i][0] * s->x[speed[k][0]] + road.to_world[i][1] * s->x[speed[k][1]] +
                 road.to_world[i][2] * s->x[speed[k][2]];
    for (int j = 0; j < 3; j++)
      s->x[speed[k][j]] =
          body.to_world[0][j] * world[0] + body.to_world[1][j] * world[1] + body.to_world[2][j] * world[2];
  }
}

/* Finds the car at rest, and the displacement of its body from the design position. */
static bool statics_in_space(const vd_model *m, const vd_command *command, const vd_state_vector *s, vd_statics *out) {
  const vd_command c = at_rest(m, command);
  vd_state_vector design = *s;
  double dx[VD_STATES];
  vd_eval e = {0};
  vd_ride_start(m, &c, s->x[VD_S_ALONG], s->x[VD_S_ACROSS], s->x[VD_S_YAW], &design);
  for (int i = 0; i < VD_WHEELS; i++)
    design.x[VD_S_TRAVEL + i] = 0.0;
  vd_state_vector rest = standing(m, &c, &design);
  if (!vd_model_rest(m, command, &rest) || !rates_at(m, &c, &rest, &e, dx))
    return false;
  vd_model_observe(m, &c, &rest, 0.0, VD_VIEW_BRIEF, &e);
  double lift = rest.x[VD_S_HEIGHT] - design.x[VD_S_HEIGHT];
  double nose = vd_sin(rest.x[VD_S_PITCH]) - vd_sin(design.x[VD_S_PITCH]);
  out->cg_height = e.log.cg[2] - design.x[VD_S_HEIGHT] + m->vehicle.cg_height;
  out->rise[VD_FRONT] = lift - m->vehicle.masses.to_axle[VD_FRONT] * nose;
  out->rise[VD_REAR] = lift + m->vehicle.masses.to_axle[VD_REAR] * nose;
  out->pitch = rest.x[VD_S_PITCH] - design.x[VD_S_PITCH];
  out->roll = rest.x[VD_S_ROLL] - design.x[VD_S_ROLL];
  for (int i = 0; i < VD_WHEELS; i++) {
    out->load[i] = e.tyre.load[i];
    out->travel[i] = rest.x[VD_S_TRAVEL + i];
  }
  return true;
}

bool vd_model_statics(const vd_model *m, const vd_command *c, const vd_state_vector *s, vd_statics *out) {
  *out = (vd_statics){.whole = vd_vehicle_total(&m->vehicle), .cg_height = m->balance.height};
  if (m->options.level >= VD_L3)
    return statics_in_space(m, c, s, out);
  const double none[VD_ALL_SUMS] = {0.0}, still[VD_AXLES] = {0.0};
  vd_load_wheels(&m->balance, none, still, out->load, NULL);
  return true;
}
