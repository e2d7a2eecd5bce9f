#include "model/turn_slip.h"

#include "base/elementary.h"

void vd_turn_build(vd_model *m) {
  for (int i = 0; i < m->lanes.count; i++) {
    double load = 0.5 * m->balance.static_load[vd_axle_of_lane(m->lanes.count, i)];
    vd_relax_twist other;
    vd_relax_twist_build(m->lanes.tyre[i], m->lanes.wheels, m->ground.friction, load, &m->slip.twist[i]);
    vd_relax_twist_build(m->lanes.other[i], m->lanes.wheels, m->ground.friction, load, &other);
    vd_relax_twist_mean(&other, &m->slip.twist[i]);
  }
}

/* A standing wheel has no turn slip by camber; the floor is far below any speed at which camber matters. */
void vd_turn_slips(const vd_model *m, const double *x, const double *turning, vd_eval *e) {
  const double slow = 0.1; /* m/s */
  for (int i = 0; i < m->lanes.count; i++) {
    double speed = vd_hypot(e->contact.vx_contact[i], e->contact.vy_contact[i]), w = x[VD_S_TWIST + i];
    e->slip.spin_per_metre[i] = e->motion.omega[i] / vd_max(speed, slow);
    if (m->transient) {
      e->slip.turn_slip[i] = vd_relax_twist_slip(&m->slip.twist[i], w);
      e->slip.twist_rate[i] = vd_relax_twist_rate(&m->slip.twist[i], m->options.step, speed, turning[i], w);
    } else {
      e->slip.turn_slip[i] = turning[i] / vd_max(speed, m->options.v_low_y);
    }
  }
}

void vd_turn_ledger(const vd_model *m, const vd_command *c, const double *x, const vd_eval *e, double *dx) {
  double steering = 0.0;
  for (int i = 0; i < m->lanes.count && m->transient; i++) {
    dx[VD_S_TWIST + i] = e->slip.twist_rate[i];
    dx[VD_S_WORK_TYRE] += vd_relax_twist_power(&m->slip.twist[i], x[VD_S_TWIST + i], e->slip.twist_rate[i]);
  }
  for (int i = 0; i < m->lanes.count && m->options.level <= VD_L3 && !m->steering_axes && !vd_model_linked(m); i++)
    steering += e->tyre.mz[i] * c->angle_rate[i];
  dx[VD_S_WORK_TYRE] += steering;
  dx[VD_S_WORK_STEERING] -= steering;
}

double vd_turn_energy(const vd_model *m, const double *x) {
  double energy = 0.0;
  for (int i = 0; i < m->lanes.count && m->transient; i++)
    energy += vd_relax_twist_energy(&m->slip.twist[i], x[VD_S_TWIST + i]);
  return energy;
}
