#include "model/model_impl.h"

#include "base/elementary.h"
#include "model/lanes.h"
#include "model/pedals.h"
#include "model/steered.h"
#include "model/train.h"

#include <math.h>
#include <string.h>

/* Relative speed below which a shaft counts as stopped after its guard has fallen to zero (rad/s; L0: J^0.5). */
static const double still = 1e-9;

/* An instant this near to the end of a shift counts as the end: steps end at corners. */
static const double shift_snap = 1e-9; /* s */

/* Speed below which the speed controller may change its direction. */
static const double turn_speed = 0.1; /* m/s */

static bool is_coupling(const vd_model *m, int k) {
  if (k < VD_M_CLUTCH)
    return k < (m->options.level == VD_L0 ? 1 : m->lanes.count);
  return m->coupled;
}

/* Returns the speed whose sign is the direction of slip. */
static double slip_of(const vd_model *m, const vd_state_vector *s, const vd_eval *e, int k) {
  if (k >= VD_M_CLUTCH)
    return e->drive.coupling_slip[k];
  return m->options.level == VD_L0 ? s->x[VD_S_VX] : s->x[VD_S_SPIN + k];
}

static double capacity_of(const vd_eval *e, int k) {
  return k < VD_M_CLUTCH ? e->drive.brake_capacity[k] : e->drive.coupling_capacity[k];
}

/* Returns the torque that a sticking coupling must transmit, in the direction in which it would slip. */
static double stuck_torque(const vd_eval *e, int k) {
  return k < VD_M_CLUTCH ? e->spin.spin_torque[k] : -e->drive.coupling_torque[k];
}

static double shift_end(const vd_model *m, const vd_state_vector *s) {
  return s->mode[VD_M_SHIFT_START] + m->vehicle.drivetrain.shift_time;
}

/* Returns the speed of the gearbox input in a gear, in the direction of that gear. */
static double input_speed(const vd_model *m, const vd_eval *e, int gear) {
  double mean = 0.0;
  for (int i = 0; i < m->lanes.count; i++)
    mean += m->lanes.drive_share[i] * e->motion.omega[i];
  return vd_gear_ratio(&m->vehicle.drivetrain, gear) * mean;
}

static bool holds_speed(const vd_command *c) {
  return c->longitudinal == VD_LON_SPEED && c->gear == VD_GEAR_AUTOMATIC;
}

/* Returns the direction in which the speed controller should drive: the sign of its target, or the present one. */
static double wanted_direction(const vd_command *c, const vd_state_vector *s) {
  return !holds_speed(c) || c->target == 0.0 ? s->mode[VD_M_DIRECTION] : c->target < 0.0 ? -1.0 : 1.0;
}

static double gear_guard(const vd_model *m, const vd_command *c, const vd_state_vector *s, const vd_eval *e) {
  int gear = (int)s->mode[VD_M_GEAR];
  if (c->gear != VD_GEAR_AUTOMATIC || gear < 1 || s->mode[VD_M_SHIFTING] != 0.0)
    return INFINITY;
  double input = input_speed(m, e, gear), guard = INFINITY;
  if (gear < m->vehicle.drivetrain.gears)
    guard = m->vehicle.drivetrain.shift_up - input;
  if (gear > 1)
    guard = vd_min(guard, input - m->vehicle.drivetrain.shift_down);
  return guard;
}

static double coupling_guard(const vd_model *m, const vd_state_vector *s, const vd_eval *e, int k) {
  double capacity = capacity_of(e, k);
  if (s->mode[k] == 0.0)
    return k >= VD_M_CLUTCH && !(capacity > 0.0) ? INFINITY : capacity - fabs(stuck_torque(e, k));
  return capacity > 0.0 ? s->mode[k] * slip_of(m, s, e, k) : INFINITY;
}

/* Returns the guard of the antilock system at a wheel: positive while the wheel is braked and turns. A pedal below a
 * threshold counts as zero. */
static double antilock_works(const vd_model *m, const vd_eval *e, int i) {
  static const double min_pedal = 1e-9;
  return vd_min(e->drive.brake - min_pedal, fabs(e->contact.vx_contact[i]) - m->vehicle.brakes.abs.minimum_speed);
}

static double antilock_guard(const vd_model *m, const vd_command *c, const vd_state_vector *s, const vd_eval *e,
                             int i) {
  double works = antilock_works(m, e, i), pressure = s->x[VD_S_PRESSURE + i];
  switch ((enum vd_antilock)s->mode[VD_M_ANTILOCK + i]) {
  case VD_ANTILOCK_OFF: return -works;
  case VD_ANTILOCK_CONTROLS: return vd_min(works, vd_min(pressure, 1.0 - pressure));
  case VD_ANTILOCK_ALL: return works > 0.0 ? vd_antilock_law(m, c, e, i) : -works;
  case VD_ANTILOCK_NONE: return vd_min(works, -vd_antilock_law(m, c, e, i));
  }
  return INFINITY;
}

/* Switches the antilock systems. A decision does not affect the conditions of another one, so one decision for each is
 * enough. A pressure that has passed a limit by the error of the search is set to the limit. */
static void switch_antilock(const vd_model *m, const vd_command *c, const vd_eval *e, vd_state_vector *s) {
  for (int i = 0; i < m->lanes.count; i++) {
    double *pressure = &s->x[VD_S_PRESSURE + i];
    bool works = antilock_works(m, e, i) > 0.0;
    double law = works ? vd_antilock_law(m, c, e, i) : 0.0;
    *pressure = vd_min(vd_max(*pressure, 0.0), 1.0);
    s->mode[VD_M_ANTILOCK + i] = *pressure >= 1.0 && !(law < 0.0) ? VD_ANTILOCK_ALL
                                 : !works                         ? VD_ANTILOCK_OFF
                                 : *pressure <= 0.0 && law < 0.0  ? VD_ANTILOCK_NONE
                                                                  : VD_ANTILOCK_CONTROLS;
  }
}

void vd_model_guards(const vd_model *m, const vd_command *c, const vd_state_vector *s, const vd_eval *e, vd_guards *g) {
  int brakes = m->options.level == VD_L0 ? 1 : m->lanes.count;
  g->count = 0;
  for (int k = 0; k < brakes; k++) /* without a capacity no mode can end */
    vd_guards_add(e->drive.brake_capacity[k] > 0.0 || s->mode[k] == 0.0 ? coupling_guard(m, s, e, k) : INFINITY, g);
  for (int k = VD_M_CLUTCH; k < VD_COUPLINGS && m->coupled; k++)
    vd_guards_add(m->shafts.permanent[k] ? INFINITY : coupling_guard(m, s, e, k), g);
  if (m->vehicle.drivetrain.engine)
    vd_guards_add(gear_guard(m, c, s, e), g);
  for (int i = 0; i < m->lanes.count && m->abs; i++)
    vd_guards_add(antilock_guard(m, c, s, e, i), g);
  bool turns = wanted_direction(c, s) != s->mode[VD_M_DIRECTION];
  vd_guards_add(turns ? s->mode[VD_M_DIRECTION] * e->motion.vx - turn_speed : INFINITY, g);
}

double vd_model_next_corner(const vd_model *m, const vd_state_vector *s, double t) {
  double end = shift_end(m, s);
  return s->mode[VD_M_SHIFTING] != 0.0 && end > t ? end : INFINITY;
}

static double direction(double value) {
  return value < 0.0 ? -1.0 : 1.0;
}

/* Returns the gear to be engaged: the commanded one, reverse for the speed controller, or the one for the shift
 * speeds. */
static int wanted_gear(const vd_model *m, const vd_command *c, const vd_state_vector *s, const vd_eval *e) {
  int gear = (int)s->mode[VD_M_GEAR];
  if (c->gear != VD_GEAR_AUTOMATIC)
    return c->gear < m->vehicle.drivetrain.gears ? c->gear : m->vehicle.drivetrain.gears;
  if (s->mode[VD_M_DIRECTION] < 0.0)
    return VD_GEAR_REVERSE;
  if (gear < 1)
    return 1;
  /* the guard's zero is known to the tolerance of its search */
  double input = input_speed(m, e, gear), near = 1e-9 * m->vehicle.drivetrain.shift_up;
  if (gear < m->vehicle.drivetrain.gears && input >= m->vehicle.drivetrain.shift_up - near)
    return gear + 1;
  if (gear > 1 && input <= m->vehicle.drivetrain.shift_down + near)
    return gear - 1;
  return gear;
}

static void shift(const vd_model *m, const vd_command *c, const vd_eval *e, vd_state_vector *s) {
  if (wanted_direction(c, s) != s->mode[VD_M_DIRECTION] &&
      s->mode[VD_M_DIRECTION] * e->motion.vx <= turn_speed * (1.0 + 1e-9))
    s->mode[VD_M_DIRECTION] = -s->mode[VD_M_DIRECTION];
  if (c->t >= shift_end(m, s) - shift_snap)
    s->mode[VD_M_SHIFTING] = 0.0;
  if (!m->vehicle.drivetrain.engine || s->mode[VD_M_SHIFTING] != 0.0)
    return;
  int gear = wanted_gear(m, c, s, e);
  if (gear == (int)s->mode[VD_M_GEAR])
    return;
  s->mode[VD_M_GEAR] = gear;
  s->mode[VD_M_SHIFT_START] = c->t;
  s->mode[VD_M_SHIFTING] = m->vehicle.drivetrain.shift_time > 0.0 ? 1.0 : 0.0;
  if (s->mode[VD_M_CLUTCH] == 0.0)
    s->mode[VD_M_CLUTCH] = 1.0; /* the clutch opens; its direction of slip is determined when it closes */
}

/* Makes the sticking coupling slip whose capacity is exceeded most, and any other one with the same excess. Returns
 * false if no capacity is exceeded. */
static bool release_one(const vd_model *m, const vd_eval *e, vd_state_vector *s) {
  double worst = 0.0;
  for (int k = 0; k < VD_COUPLINGS; k++)
    if (is_coupling(m, k) && !m->shafts.permanent[k] && s->mode[k] == 0.0)
      worst = vd_max(worst, fabs(stuck_torque(e, k)) - capacity_of(e, k));
  if (!(worst > 0.0))
    return false;
  for (int k = 0; k < VD_COUPLINGS; k++)
    if (is_coupling(m, k) && !m->shafts.permanent[k] && s->mode[k] == 0.0 &&
        fabs(stuck_torque(e, k)) - capacity_of(e, k) >= worst * (1.0 - 1e-9))
      s->mode[k] = direction(stuck_torque(e, k));
  return true;
}

/* Makes couplings stick whose slip has fallen to zero in its direction. The spin of a braked wheel is then set to zero
 * exactly. */
static void stick(const vd_model *m, const vd_eval *e, vd_state_vector *s) {
  for (int k = 0; k < VD_COUPLINGS; k++) {
    if (!is_coupling(m, k) || m->shafts.permanent[k])
      continue;
    double slip = slip_of(m, s, e, k);
    bool fallen = s->mode[k] * slip <= 0.0 && fabs(slip) <= still;
    if (s->mode[k] != 0.0 && capacity_of(e, k) > 0.0 && fallen) {
      s->mode[k] = 0.0;
      if (k < VD_M_CLUTCH)
        s->x[m->options.level == VD_L0 ? VD_S_VX : VD_S_SPIN + k] = 0.0;
    } else if (fabs(slip) > (k < VD_M_CLUTCH && s->mode[k] != 0.0 ? 0.0 : still)) {
      s->mode[k] = direction(slip);
    }
  }
}

/* Computes the rates in the modes of the state, unless these equal `of`, the modes of the last evaluation. */
static bool renew(const vd_model *m, const vd_command *c, const vd_state_vector *s, bool closed, double *of, vd_eval *e,
                  double *dx, long *count) {
  if (memcmp(of, s->mode, sizeof s->mode) == 0)
    return closed;
  memcpy(of, s->mode, sizeof s->mode);
  ++*count;
  return vd_model_rates(m, c, s->x, s->mode, e, dx);
}

bool vd_model_switch(const vd_model *m, const vd_command *c, vd_state_vector *s, vd_eval *e, double *dx, long *count) {
  double of[VD_MODES];
  vd_steered_take_hold(m, c, true, s);
  memcpy(of, s->mode, sizeof of);
  ++*count;
  bool closed = vd_model_rates(m, c, s->x, s->mode, e, dx);
  shift(m, c, e, s);
  closed = renew(m, c, s, closed, of, e, dx, count);
  stick(m, e, s);
  closed = renew(m, c, s, closed, of, e, dx, count);
  /* Couplings stick while their torque is within their capacity. Each coupling that begins to slip changes the torques
   * of the others, so they are released one by one. */
  for (int round = 0; closed && round <= VD_COUPLINGS && release_one(m, e, s); round++)
    closed = renew(m, c, s, closed, of, e, dx, count);
  if (m->abs) {
    switch_antilock(m, c, e, s);
    ++*count;
    closed &= vd_model_rates(m, c, s->x, s->mode, e, dx);
  }
  return closed;
}
