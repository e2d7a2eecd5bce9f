#include "model/table_steer.h"

#include "base/elementary.h"
#include "model/model_impl.h"

#include <math.h>
#include <string.h>

/* The lateral slope of a contact's path in roll is the roll centre's height over half the track; for asymmetric wheels
 * the mean is used. The springs of a rigid axle or a beam stand on its body, so that roll compresses them less than
 * heave does: the missing roll stiffness is subtracted from that of the bar. */
void vd_table_axles(vd_model *m) {
  for (int a = 0; a < VD_AXLES; a++) {
    vd_vehicle_axle *axle = &m->vehicle.axle[a];
    const vd_linkage_map *map[2] = {axle->map, axle->map->right};
    double slope = 0.0, square = 0.0, half = 0.5 * axle->track;
    for (int side = 0; side < 2; side++) {
      vd_corner_pose pose;
      vd_linkage_map_at(map[side], 0.0, 0.0, &pose);
      double joined = axle->map->joined ? 1.0 : 0.0, roll[VD_MAPPED];
      for (int k = 0; k < VD_MAPPED; k++)
        roll[k] = pose.by_travel[k] - joined * pose.by_rack[k];
      slope += 0.5 * (roll[VD_MAP_Y] + axle->loaded_radius * roll[VD_MAP_AXLE_Z]);
      square += 0.5 * roll[VD_MAP_SPRING] * roll[VD_MAP_SPRING];
    }
    axle->roll_centre_height = half * slope;
    axle->antiroll_stiffness += 2.0 * axle->spring_stiffness * half * half * (square - 1.0);
  }
}

/* Computes the travels per lateral acceleration. The wheels' spins contribute to the roll moment: r sum(I w) with w =
 * v/R. */
void vd_table_steer_build(vd_model *m) {
  const vd_masses *masses = &m->vehicle.masses;
  double sum[VD_ALL_SUMS] = {0.0}, roll[VD_AXLES], mass = masses->total / m->vehicle.wheelbase;
  sum[VD_SUM_YF] = mass * masses->to_axle[VD_REAR];
  sum[VD_SUM_YR] = mass * masses->to_axle[VD_FRONT];
  for (int i = 0; i < m->lanes.count; i++)
    sum[VD_SUM_ROLL] += m->lanes.inertia[i] / m->lanes.radius[i];
  vd_load_spring_rolls(&m->balance, sum, roll);
  for (int a = 0; a < VD_AXLES; a++)
    m->planar.roll_travel[a] = 0.5 * m->vehicle.axle[a].track * roll[a];
}

double vd_table_wheel(const vd_model *m, int i, double travel, const double *rack, double *camber) {
  const vd_vehicle_axle *axle = &m->vehicle.axle[vd_axle_of(i)];
  const vd_linkage_map *map = vd_is_right(i) ? axle->map->right : axle->map;
  const vd_axis *range = &map->travel;
  vd_corner_pose pose;
  double end = range->from + range->cells * range->step, side = vd_side_sign(i);
  double within = vd_min(vd_max(travel, range->from), end), second = side * rack[vd_axle_of(i)];
  if (map->joined)
    second = vd_min(vd_max(-travel, range->from), end);
  vd_linkage_map_at(map, within, second, &pose);
  if (map->knuckle)
    vd_knuckle_map_at(map, within, second, side * rack[vd_axle_of(i)], &pose);
  double ax = pose.value[VD_MAP_AXLE_X], az = pose.value[VD_MAP_AXLE_Z];
  if (camber)
    *camber = side * vd_asin(az);
  return side * vd_atan2(-ax, sqrt(1.0 - ax * ax - az * az));
}

static void turn_lanes(const vd_model *m, const double *angle, vd_command *c) {
  for (int i = 0; i < m->lanes.count; i++) {
    c->angle[i] = angle[i];
    c->cos_angle[i] = vd_cos(angle[i]);
    c->sin_angle[i] = vd_sin(angle[i]);
  }
}

/* Takes the means of wheel angles for lanes; L1 has one lane for both wheels of an axle. */
static void mean_angles(const vd_model *m, const double *wheel, double *lane) {
  for (int i = 0; i < m->lanes.count; i++)
    lane[i] = m->lanes.count == VD_WHEELS ? wheel[i] : 0.5 * (wheel[vd_left_wheel(i)] + wheel[vd_right_wheel(i)]);
}

/* Computes the wheel angles in the state, for a command whose mean angle is set. */
static void table_angles(const vd_model *m, const vd_command *c, const double *x, double *lane) {
  const vd_linkage_map *front = m->vehicle.axle[VD_FRONT].map;
  double slope, aside = x[VD_S_VX] * x[VD_S_YAW_RATE];
  const double rack[VD_AXLES] = {vd_linkage_rack(front, c->steer, &slope), c->rack[VD_REAR]};
  double angle[VD_WHEELS];
  for (int i = 0; i < VD_WHEELS; i++)
    angle[i] = vd_table_wheel(m, i, -vd_side_sign(i) * m->planar.roll_travel[vd_axle_of(i)] * aside, rack, NULL);
  mean_angles(m, angle, lane);
}

/* Computes the angles by which the lanes turn on their bushings under the forces of e. */
static void compliance_angles(const vd_model *m, const double *mode, const vd_eval *e, double *lane) {
  const double share = m->lanes.tyre_share;
  double angle[VD_WHEELS] = {0.0};
  for (int i = 0; i < VD_WHEELS; i++) {
    int l = vd_lane_of(m->lanes.count, i);
    double brake = mode[l] == 0.0 ? -e->spin.spin_torque[l] : -mode[l] * e->drive.brake_capacity[l];
    const double force[VD_COMPLIANCE_LOADS] = {[VD_COMPLIANCE_FX] = e->tyre.fx[l],
                                               [VD_COMPLIANCE_FY] = e->tyre.fy[l],
                                               [VD_COMPLIANCE_MZ] = e->tyre.mz[l],
                                               [VD_COMPLIANCE_BRAKE] = 0.0 - brake};
    for (int k = 0; k < VD_COMPLIANCE_LOADS; k++)
      angle[i] +=
          m->vehicle.axle[vd_axle_of(i)].angle_compliance[vd_is_right(i)][vd_is_right(i)].steer[k] * share * force[k];
  }
  mean_angles(m, angle, lane);
}

/* Returns the error of the angles, rad, that the load loop leaves. Aligning moments change with the loads by a trail
 * times friction, which is less than half a contact patch of 0.2 m. */
static double angle_error(const vd_model *m) {
  double greatest = 0.0;
  for (int i = 0; i < VD_WHEELS; i++) {
    const int right = vd_is_right(i);
    const vd_compliance_angle *own = &m->vehicle.axle[vd_axle_of(i)].angle_compliance[right][right];
    greatest = vd_max(greatest, fabs(own->steer[VD_COMPLIANCE_MZ]));
  }
  return greatest * 0.1 * vd_load_last_move * m->balance.weight;
}

/* Starts the search from the angles of the previous evaluation, or from zero. */
static void start_turns(const vd_model *m, const vd_command *c, const double *mode, double *at, double *slope) {
  double since = c->t - mode[VD_M_LOAD_TIME];
  for (int i = 0; i < m->lanes.count; i++) {
    bool known = mode[VD_M_TURN_SLOPE + i] != 0.0;
    at[i] = known ? mode[VD_M_TURN + i] + since * mode[VD_M_TURN_RATE + i] : 0.0;
    slope[i] = known ? mode[VD_M_TURN_SLOPE + i] : -1.0;
  }
}

void vd_table_steer_keep(const vd_model *m, const vd_command *c, const vd_eval *e, double *mode) {
  if (m->options.compliance != VD_COMPLIANCE_LINEAR)
    return; /* no wheel turns, so no angles were computed */
  double span = c->t - mode[VD_M_LOAD_TIME];
  for (int i = 0; i < m->lanes.count; i++) {
    double *turn = &mode[VD_M_TURN + i], *rate = &mode[VD_M_TURN_RATE + i], *slope = &mode[VD_M_TURN_SLOPE + i];
    if (span > 0.0)
      *rate = *slope != 0.0 ? (e->loop.turn[i] - *turn) / span : 0.0;
    *turn = e->loop.turn[i];
    *slope = e->loop.turn_slope[i];
  }
}

/* rad. Tyres have a cornering stiffness of 15 to 40 weights per radian, so this angle changes the side force by at most
 * 2e-10 of the weight, the accuracy of the loads (vd_load_tolerance). A tenth of this angle would be lost in the error
 * of the loads. */
static const double vd_turn_enough = 5e-12;

/* Computes the rates at the angles d = g(d) by which the lanes turn on their bushings. If the angles do not settle
 * soon, only the error of the loads still changes them. Each round starts from the loads of the previous round. */
static bool compliant_rates(const vd_model *m, const double *rigid, const double *x, const double *mode, vd_command *c,
                            vd_eval *e, double *dx) {
  enum { ROUNDS = 100, SOON = 10 };
  const double least = 1e-8; /* rad; the secant of a shorter step consists of rounding errors */
  double *at = e->loop.turn, *slope = e->loop.turn_slope, kept[VD_MODES];
  double step[VD_WHEELS] = {0.0}, missed[VD_WHEELS], angle[VD_WHEELS], turn[VD_WHEELS];
  memcpy(kept, mode, sizeof kept);
  start_turns(m, c, mode, at, slope);
  for (int round = 0; round < ROUNDS; round++) {
    double worst = 0.0;
    for (int i = 0; i < m->lanes.count; i++)
      angle[i] = rigid[i] + at[i];
    turn_lanes(m, angle, c);
    bool closed = vd_planar_rates(m, c, x, kept, e, dx);
    compliance_angles(m, mode, e, turn);
    for (int i = 0; i < m->lanes.count; i++) {
      double miss = turn[i] - at[i];
      worst = vd_max(worst, fabs(miss));
      if (fabs(step[i]) > least)
        slope[i] = vd_min((miss - missed[i]) / step[i], -0.1);
      missed[i] = miss;
    }
    if (!closed || worst < vd_turn_enough || (round >= SOON && worst < angle_error(m)))
      return closed;
    for (int i = 0; i < m->lanes.count; i++) {
      step[i] = -missed[i] / slope[i];
      at[i] += step[i];
    }
    vd_planar_keep(m, c, e, kept);
  }
  return false;
}

bool vd_table_steer_rates(const vd_model *m, const vd_command *c, const double *x, const double *mode, vd_eval *e,
                          double *dx) {
  vd_command own;
  vd_command_pass(c, &own);
  double angle[VD_WHEELS];
  bool closed;
  table_angles(m, c, x, angle);
  if (m->options.compliance == VD_COMPLIANCE_LINEAR) {
    closed = compliant_rates(m, angle, x, mode, &own, e, dx);
  } else {
    turn_lanes(m, angle, &own);
    closed = vd_planar_rates(m, &own, x, mode, e, dx);
  }
  for (int i = 0; i < m->lanes.count; i++)
    e->steering.angle[i] = angle[i];
  return closed;
}
