#include "sim/known_car.h"

#include "base/elementary.h"

const double vd_known_step = 0.005;

/* Side forces of both axles at a slip angle, > 0 to the left, in a steady turn with these forces: two passes from the
 * forces of the slip angle before. */
static void axle_forces(const vd_model *m, double slip, double *force) {
  static const double none[VD_AXLES] = {0.0, 0.0};
  double speed[VD_WHEELS], kappa[VD_WHEELS] = {0.0}, tan_alpha[VD_WHEELS], camber[VD_WHEELS] = {0.0};
  double friction[VD_WHEELS], load[VD_WHEELS], out[7][VD_WHEELS];
  const vd_contact contact = {.kappa = kappa, .tan_alpha = tan_alpha, .vx = speed, .camber = camber};
  const vd_tyre_results results = {out[0], out[1], out[2], out[3], out[4], out[5], out[6], NULL};
  for (int i = 0; i < VD_WHEELS; i++) {
    speed[i] = 20.0;
    tan_alpha[i] = -vd_tan(slip);
    friction[i] = m->ground.friction;
  }
  for (int pass = 0; pass < 2; pass++) {
    const double sum[VD_ALL_SUMS] = {[VD_SUM_YF] = force[VD_FRONT], [VD_SUM_YR] = force[VD_REAR]};
    vd_load_wheels(&m->balance, sum, none, load, NULL);
    vd_tyre_at_loads(&m->lanes.row, &contact, friction, load, &results);
    for (int a = 0; a < VD_AXLES; a++)
      force[a] = out[1][vd_left_wheel(a)] + out[1][vd_right_wheel(a)];
  }
}

void vd_known_car_build(const vd_model *m, vd_known_car *car) {
  static const double reserve = 0.95, enough = 0.99;
  const vd_vehicle *v = &m->vehicle;
  *car = (vd_known_car){
      .mass = v->mass,
      .inertia = v->yaw_inertia,
      .half_width = 0.5 * v->width,
      .ahead = v->masses.to_axle[VD_FRONT] + v->overhang_front,
      .behind = v->masses.to_axle[VD_REAR] + v->overhang_rear,
  };
  double left[VD_AXLES] = {0.0, 0.0}, right[VD_AXLES] = {0.0, 0.0};
  for (int i = 1; i < VD_KNOWN_POINTS; i++) {
    axle_forces(m, i * vd_known_step, left);
    axle_forces(m, -i * vd_known_step, right);
    for (int a = 0; a < VD_AXLES; a++) { /* toe and conicity: the mean of both sides */
      double *force = car->force[a], mean = reserve * 0.5 * (left[a] - right[a]);
      force[i] = vd_max(mean, force[i - 1]);
    }
  }
  for (int a = 0; a < VD_AXLES; a++) {
    for (int i = 1; i < VD_KNOWN_POINTS && car->force[a][i - 1] < enough * car->force[a][VD_KNOWN_POINTS - 1]; i++)
      car->peak[a] = i * vd_known_step;
    car->to_axle[a] = v->masses.to_axle[a];
    if (m->transient) {
      car->length[a] = m->slip.relax[vd_left_wheel(a)].length_y;
      car->span[a] = m->slip.relax[vd_left_wheel(a)].span;
    }
  }
}

double vd_known_slip(const vd_known_car *car, int axle, double vx, double time, double axle_slip, double slip,
                     double slope[2]) {
  double span = car->span[axle], far = 1.0 + fabs(axle_slip) / span, near = 1.0 + fabs(slip) / span;
  if (!(car->length[axle] > 0.0)) {
    slope[0] = 1.0;
    slope[1] = 0.0;
    return axle_slip;
  }
  double lengths = time * vx / car->length[axle], share = -vd_expm1(-lengths * far),
         gap = axle_slip / far - slip / near;
  double deflection = slip / near + share * gap, left = 1.0 - fabs(deflection) / span;
  double faster = (1.0 - share) * lengths / span * (axle_slip < 0.0 ? -gap : gap); /* the length shrinks */
  slope[0] = (share / (far * far) + faster) / (left * left);
  slope[1] = (1.0 - share) / (near * near * left * left);
  return deflection / left;
}

double vd_known_force(const vd_known_car *car, int axle, double slip, double *slope) {
  const double *force = car->force[axle];
  double place = fabs(slip) / vd_known_step;
  int i = place < VD_KNOWN_POINTS - 2 ? (int)place : VD_KNOWN_POINTS - 2;
  double rise = force[i + 1] - force[i], share = vd_min(place - i, 1.0);
  *slope = rise / vd_known_step;
  return copysign(force[i] + share * rise, slip);
}
