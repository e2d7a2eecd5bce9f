/* Fills vd_controller_car: the data of the car that its controllers use. */
#include "run/scenario_impl.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "limits/envelope.h"
#include "limits/trim.h"

#include <math.h>
#include <stdlib.h>

static const double turn_speed = 80.0 / 3.6; /* m/s, speed of the steady turns, as in FMVSS 126 */

/* Builds the model of the car with steady slips on a level plane of friction 1. The level is L2 or L3, because steady
 * states exist for these. */
static void build_model(const vd_scenario_def *def, vd_scenario_def *level, vd_model *m) {
  *level = *def;
  level->ground = (vd_ground_def){.friction = 1.0};
  level->run.level = def->run.level == VD_L2 ? VD_L2 : VD_L3;
  vd_scenario_model(level, false, m);
  const vd_model_options options = {.level = (enum vd_level)level->run.level,
                                    .step = m->options.step,
                                    .lean = def->run.lean,
                                    .v_low = m->options.v_low,
                                    .v_low_y = m->options.v_low_y,
                                    .compliance = def->run.compliance == VD_COMPLIANCE_NONE ? VD_COMPLIANCE_NONE
                                                                                            : VD_COMPLIANCE_LINEAR};
  vd_scenario_steady_model(&options, m);
}

static bool turn(vd_trim *t, double ay) {
  static const int held[] = {VD_TRIM_PEDAL, VD_TRIM_SIDE_SLIP, VD_TRIM_STEER};
  vd_trim_choose(t, held, VD_COUNT(held), false);
  t->z[VD_TRIM_ACROSS] = ay;
  return vd_trim_solve(t, vd_trim_passing);
}

/* Adds the state of t to the steady turns. */
static void add(const vd_model *m, const vd_trim *t, vd_steady_turns *turns) {
  const double ay = t->accel[1], understeer = t->z[VD_TRIM_STEER] - m->vehicle.wheelbase * ay / (t->speed * t->speed);
  const int k = turns->count;
  if (k > 0 && !(ay > turns->ay[k - 1]))
    return;
  turns->ay[k] = k > 0 ? ay : 0.0;
  turns->understeer[k] = k > 0 ? vd_max(understeer, turns->understeer[k - 1]) : 0.0;
  turns->rear_slip = m->vehicle.masses.to_axle[VD_REAR] * ay / (t->speed * t->speed) - t->z[VD_TRIM_SIDE_SLIP];
  turns->count++;
}

static void find_turns(const vd_model *m, vd_steady_turns *turns) {
  static const int along_curve[] = {VD_TRIM_PEDAL, VD_TRIM_ACROSS, VD_TRIM_SIDE_SLIP, VD_TRIM_STEER};
  const vd_limit_bounds bounds = {0.5 * VD_PI, m->vehicle.steering.max_angle, 100.0, false};
  const int gear = m->vehicle.drivetrain.engine ? vd_envelope_gear(m, turn_speed) : 1;
  vd_trim *t = vd_allocate(2, sizeof *t), *limit = t + 1;
  turns->count = 0;
  if (vd_trim_start(m, turn_speed, gear, t) && turn(t, 0.0)) {
    add(m, t, turns);
    *limit = *t;
    vd_trim_choose(limit, along_curve, VD_COUNT(along_curve), true);
    vd_limit_find(limit, VD_TRIM_ACROSS, &bounds, VD_LIMIT_FIRST, NULL);
    for (int k = 1; k < VD_TURN_POINTS - 1 && turn(t, limit->accel[1] * k / (VD_TURN_POINTS - 1)); k++)
      add(m, t, turns);
    add(m, limit, turns);
  }
  free(t);
}

static void add_turns(const vd_scenario_def *def, vd_controller_car *car) {
  vd_scenario_def *level = vd_allocate(1, sizeof *level); /* the model points into `level` */
  vd_model *m = vd_allocate(1, sizeof *m);
  build_model(def, level, m);
  find_turns(m, &car->turns);
  free(m);
  free(level);
}

static double road_angle(const void *steering, double wheel) {
  double slope;
  return vd_steering_mean(steering, wheel, &slope);
}

vd_controls *vd_scenario_controls(const vd_scenario_def *def, const vd_model *m) {
  const vd_vehicle *v = &m->vehicle;
  const vd_controller_def *c = def->all_controllers.item;
  vd_controller_car car = {.mass = v->mass,
                           .yaw_inertia = v->yaw_inertia,
                           .road_angle = road_angle,
                           .steering = &v->steering,
                           .height = m->balance.height};
  for (int i = 0; i < VD_WHEELS; i++) {
    const int a = vd_axle_of(i), lane = m->lanes.count == VD_WHEELS ? i : a;
    const double load = 0.5 * m->balance.static_load[a];
    car.radius[i] = v->axle[a].wheel_radius;
    car.half_track[a] = 0.5 * v->axle[a].track;
    car.to_axle[a] = v->masses.to_axle[a];
    car.cornering[a] += vd_tyre_cornering_stiffness(&v->tyre[i], 1.0, load);
    car.brake_torque[i] = m->lanes.brake_share[lane] * v->brakes.max_torque / m->lanes.wheels;
    car.drive_share[i] = m->lanes.drive_share[lane] / m->lanes.wheels;
  }
  bool turns = false;
  for (size_t i = 0; i < def->all_controllers.count; i++)
    turns |= vd_controller_needs_turns(&c[i]);
  if (turns)
    add_turns(def, &car);
  return vd_controls_create(&def->all_controllers, &car, def->run.step);
}
