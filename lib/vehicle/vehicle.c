#include "vehicle/vehicle.h"

#include "base/elementary.h"
#include "base/wide_elementary.h"

vd_masses vd_vehicle_masses(const vd_vehicle *v) {
  vd_masses m = {
      .total = v->mass,
      .unsprung = {2.0 * v->axle[VD_FRONT].unsprung_mass, 2.0 * v->axle[VD_REAR].unsprung_mass},
      .to_axle = {v->cg_to_front, v->wheelbase - v->cg_to_front},
  };
  m.sprung = m.total - m.unsprung[VD_FRONT] - m.unsprung[VD_REAR];
  m.sprung_height = m.total * v->cg_height;
  for (int i = 0; i < VD_AXLES; i++) {
    double carried = m.total * m.to_axle[1 - i] / v->wheelbase;
    m.sprung_share[i] = (carried - m.unsprung[i]) / m.sprung;
    m.sprung_height -= m.unsprung[i] * v->axle[i].unsprung_height;
  }
  m.sprung_height /= m.sprung;
  m.sprung_left = m.total * v->cg_left / m.sprung;
  return m;
}

vd_inertia vd_vehicle_sprung(const vd_vehicle *v) {
  const double *p = v->product;
  vd_masses m = vd_vehicle_masses(v);
  double ahead = -m.total * v->cg_to_front;
  for (int i = 0; i < VD_AXLES; i++)
    ahead += m.unsprung[i] * (i == VD_FRONT ? 0.0 : v->wheelbase);
  return (vd_inertia){.mass = m.sprung,
                      .centre = {ahead / m.sprung, m.sprung_left, m.sprung_height},
                      .tensor = {{v->roll_inertia, -p[VD_PRODUCT_XY], -p[VD_PRODUCT_XZ]},
                                 {-p[VD_PRODUCT_XY], v->pitch_inertia, -p[VD_PRODUCT_YZ]},
                                 {-p[VD_PRODUCT_XZ], -p[VD_PRODUCT_YZ], vd_vehicle_sprung_yaw_inertia(v)}}};
}

static vd_inertia with_wheels(const vd_vehicle *v, const vd_inertia *sprung) {
  vd_inertia whole = *sprung;
  for (int i = 0; i < VD_WHEELS; i++) {
    const vd_vehicle_axle *axle = &v->axle[vd_axle_of(i)];
    const vd_inertia wheel = {
        .mass = axle->unsprung_mass,
        .centre = {vd_is_front(i) ? 0.0 : -v->wheelbase, 0.5 * vd_side_sign(i) * axle->track, axle->unsprung_height}};
    vd_inertia_add(&whole, &wheel);
  }
  return whole;
}

vd_inertia vd_vehicle_total(const vd_vehicle *v) {
  const vd_inertia sprung = vd_vehicle_sprung(v);
  return with_wheels(v, &sprung);
}

void vd_vehicle_set_sprung(vd_vehicle *v, const vd_inertia *sprung) {
  const vd_inertia whole = with_wheels(v, sprung);
  const double(*t)[3] = sprung->tensor;
  v->mass = whole.mass;
  v->cg_to_front = -whole.centre[0];
  v->cg_left = whole.centre[1];
  v->cg_height = whole.centre[2];
  v->yaw_inertia = whole.tensor[2][2];
  v->roll_inertia = t[0][0];
  v->pitch_inertia = t[1][1];
  v->product[VD_PRODUCT_XY] = -t[0][1];
  v->product[VD_PRODUCT_XZ] = -t[0][2];
  v->product[VD_PRODUCT_YZ] = -t[1][2];
  v->masses = vd_vehicle_masses(v);
}

VD_WIDE void vd_steering_angles(const vd_vehicle *v, double mean, double *angle, double *slope) {
  angle[0] = angle[1] = mean;
  slope[0] = slope[1] = 1.0;
  if (v->steering.ackermann == 0.0)
    return;
  double turned[2] = {mean, vd_complement(mean)}, base[2], angles[2];
  for (int i = 0; i < 2; i++)
    turned[i] = vd_lane_sin(turned[i]);
  double t = turned[0] / turned[1], lever = v->axle[VD_FRONT].track / (2.0 * v->wheelbase);
  base[0] = 1.0 - lever * t;
  base[1] = 1.0 + lever * t;
  for (int i = 0; i < 2; i++)
    angles[i] = vd_lane_atan(t / base[i]);
  for (int i = 0; i < 2; i++) {
    angle[i] += v->steering.ackermann * ((base[i] > 0.0 ? angles[i] : vd_atan2(t, base[i])) - mean);
    slope[i] += v->steering.ackermann * ((1.0 + t * t) / (base[i] * base[i] + t * t) - 1.0);
  }
}

double vd_vehicle_sprung_yaw_inertia(const vd_vehicle *v) {
  vd_masses m = vd_vehicle_masses(v);
  double inertia = v->yaw_inertia, first = 0.0, aside = 0.0;
  for (int i = 0; i < VD_AXLES; i++) {
    double half = 0.5 * v->axle[i].track, x = i == VD_FRONT ? m.to_axle[i] : -m.to_axle[i];
    inertia -= m.unsprung[i] * (x * x + half * half + v->cg_left * v->cg_left);
    first += m.unsprung[i] * x;
    aside += m.unsprung[i] * v->cg_left;
  }
  return inertia - first * first / m.sprung - aside * aside / m.sprung;
}
