/* L2, seven degrees of freedom: plane motion of the body and four wheel spins; roll and pitch follow without delay. */
#include "model/model_impl.h"

void vd_double_track_build(vd_model *m) {
  const vd_vehicle *v = &m->vehicle;
  vd_single_track_build(m);
  const vd_lanes axle = m->lanes;
  vd_lanes *lanes = &m->lanes;
  *lanes = (vd_lanes){.count = VD_WHEELS, .wheels = 1.0};
  double left = m->options.level == VD_L2 ? v->cg_left : 0.0; /* from L3 on places count from the middle plane */
  for (int i = 0; i < VD_WHEELS; i++) {
    int a = vd_axle_of(i);
    double half = 0.5 * v->axle[a].track;
    lanes->x[i] = axle.x[a];
    lanes->y[i] = vd_side_sign(i) * half - left;
    lanes->radius[i] = axle.radius[a];
    lanes->inertia[i] = 0.5 * axle.inertia[a];
    lanes->rolling[i] = v->tyre[i].common.rolling_resistance * axle.radius[a];
    /* open differential and balanced brakes: equal torques left and right */
    lanes->drive_share[i] = 0.5 * axle.drive_share[a];
    lanes->brake_share[i] = 0.5 * axle.brake_share[a];
    lanes->handbrake_share[i] = 0.5 * axle.handbrake_share[a];
    lanes->tyre[i] = lanes->other[i] = &m->vehicle.tyre[i];
  }
}

void vd_double_track_observe(const vd_model *m, vd_eval *e) {
  vd_lean lean;
  double load[VD_WHEELS];
  vd_load_wheels(&m->balance, e->loop.sum, e->outside.downforce, load, &lean);
  e->log.body_roll = lean.roll;
  e->log.body_pitch = lean.pitch;
  e->log.ex = lean.ex;
  e->log.ey = lean.ey;
  e->log.tipping = lean.tipping ? 1.0 : 0.0;
}
