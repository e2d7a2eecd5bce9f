/* Torque vectoring: a yaw moment by different torques of left and right wheels.
 *
 * A moment M = G ay changes the side forces of a steady turn, Ff = (b m ay - M)/L and Fr = (a m ay + M)/L, and thus the
 * understeer gradient of the single track, Ff/Cf - Fr/Cr per ay, by -G/L (1/Cf + 1/Cr). G follows from the wanted
 * change and the cornering stiffnesses at static load. A further moment damps yaw: it is proportional to the deviation
 * of the yaw rate from ay/v, the yaw rate of a turn in which the side slip is constant.
 *
 * Motors deliver torques whose longitudinal forces add up to zero, so that the drive force is unchanged; brakes deliver
 * braking torques only. The share of each wheel follows its load, which is computed from mass, ax and ay. Torques are
 * limited by motor, power and friction (allocation.h). */
#include "base/base.h"
#include "base/elementary.h"
#include "control/allocation.h"
#include "control/built_in.h"

#include <math.h>

static const double exact = 1e-6; /* error that the allocation may leave, as a share of the greatest torque */

/* clang-format off */
#define ONLY .only = VD_WHEN(VD_CONTROLLER_TORQUE_VECTORING)
static const char *const by_names[] = {"motors", "brakes", NULL};
static const char *const wheels_names[] = {"front", "rear", "all", NULL};
static const vd_field rows[] = {
  {VD_F_NUMBER(vd_controller_def, as.torque_vectoring.understeer, "understeer", "rad s2/m", -1, 1, 0, "0",
      "change of the understeer gradient; < 0: less understeer"), ONLY, .example = "-0.05 deg s2/m"},
  {VD_F_NUMBER(vd_controller_def, as.torque_vectoring.damping, "damping", "1/s", 0, 1e3, 0, "0",
      "yaw acceleration per deviation of the yaw rate from ay/v, against the deviation"), ONLY, .example = "2 1/s"},
  {VD_F_CHOICE(vd_controller_def, as.torque_vectoring.by, "by", by_names, "motors",
      "motors: torques whose forces sum up to zero; brakes: single wheels are braked"), ONLY},
  {VD_F_CHOICE(vd_controller_def, as.torque_vectoring.wheels, "wheels", wheels_names, "rear",
      "wheels that have a motor or brake of their own"), ONLY},
  {VD_F_NUMBER(vd_controller_def, as.torque_vectoring.torque, "torque", "N m", 0, 1e5, VD_ABOVE, "1000 N m",
      "greatest torque of a wheel; the default is an estimate"), ONLY},
  {VD_F_NUMBER(vd_controller_def, as.torque_vectoring.power, "power", "W", 0, 1e7, VD_ABOVE | VD_AUTO, "auto",
      "greatest power of the motors together; auto: not limited"), ONLY, .example = "40 kW"},
  {VD_F_NUMBER(vd_controller_def, as.torque_vectoring.friction, "friction", "1", 0, 3, VD_ABOVE, "0.7",
      "greatest longitudinal force of a wheel divided by its load; the default is an estimate"), ONLY},
  {VD_F_NUMBER(vd_controller_def, as.torque_vectoring.minimum_speed, "minimum_speed", "m/s", 0, 50, VD_ABOVE, "5 m/s",
      "mean speed of the rims below which the controller does not act"), ONLY},
};
/* clang-format on */

enum sensor { OMEGA, YAW_RATE = OMEGA + VD_WHEELS, AX, AY };
static const char *const sensors[] = {VD_OF_WHEELS("omega_", "_radps"), "yaw_rate_radps", "specific_force_x_mps2",
                                      "specific_force_y_mps2", NULL};
enum { DRIVES, BRAKES = DRIVES + VD_WHEELS, REQUESTS = BRAKES + VD_WHEELS };
static const char *const requests[] = {VD_OF_WHEELS("drive_request_", ""), VD_OF_WHEELS("brake_request_", ""), NULL};

/* Returns the load of a wheel, N, from the specific forces of the car. */
static double load_of(const vd_controller_car *car, const double *sensed, int i) {
  const int a = vd_axle_of(i);
  const double base = car->to_axle[VD_FRONT] + car->to_axle[VD_REAR], over = car->to_axle[1 - a] / base;
  const double along = (a == VD_FRONT ? -1.0 : 1.0) * sensed[AX] * car->height / base;
  const double across = -vd_side_sign(i) * over * sensed[AY] * car->height / car->half_track[a];
  return vd_max(0.5 * car->mass * (over * VD_GRAVITY + along + across), 0.0);
}

static double wanted_moment(const vd_vectoring_def *def, const vd_controller_car *car, const double *sensed, double v) {
  const double base = car->to_axle[VD_FRONT] + car->to_axle[VD_REAR];
  const double compliance = 1.0 / car->cornering[VD_FRONT] + 1.0 / car->cornering[VD_REAR];
  return -def->understeer * base / compliance * sensed[AY] -
         car->yaw_inertia * def->damping * (sensed[YAW_RATE] - sensed[AY] / v);
}

static void law(const vd_controller_def *def, const vd_controller_car *car, void *memory, const double *sensed,
                double *request) {
  const vd_vectoring_def *own = &def->as.torque_vectoring;
  const bool motors = own->by == VD_VECTORING_MOTORS;
  double v = 0.0, power = 0.0, torque[VD_WHEELS];
  (void)memory;
  for (int i = 0; i < VD_WHEELS; i++)
    v += 0.25 * car->radius[i] * sensed[OMEGA + i];
  if (!(v > own->minimum_speed))
    return;
  vd_allocation a = {.wanted = {wanted_moment(own, car, sensed, v), 0.0},
                     .error = {exact * own->torque, motors ? exact * own->torque / car->radius[0] : INFINITY}};
  for (int i = 0; i < VD_WHEELS; i++) {
    const bool has = own->wheels == VD_VECTORING_ALL || (own->wheels == VD_VECTORING_FRONT) == vd_is_front(i);
    const double most = vd_min(own->torque, own->friction * load_of(car, sensed, i) * car->radius[i]);
    a.share[i] = has ? most : 0.0;
    a.low[i] = -most;
    a.high[i] = motors ? most : 0.0;
    a.row[0][i] = -vd_side_sign(i) * car->half_track[vd_axle_of(i)] / car->radius[i];
    a.row[1][i] = 1.0 / car->radius[i];
  }
  vd_allocation_solve(&a, torque);
  for (int i = 0; i < VD_WHEELS; i++)
    power += vd_max(torque[i] * sensed[OMEGA + i], 0.0);
  const double share = motors && power > own->power ? own->power / power : 1.0;
  for (int i = 0; i < VD_WHEELS; i++) {
    request[DRIVES + i] = motors ? share * torque[i] : 0.0;
    request[BRAKES + i] = motors ? 0.0 : -torque[i];
    request[REQUESTS + i] = torque[i] != 0.0;
  }
}

const vd_controller_variant vd_torque_vectoring_controller = {
    VD_BUILT_IN,
    .two_tracks = true,
    .linear = true,
};
