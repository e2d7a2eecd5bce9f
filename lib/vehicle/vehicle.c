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
  return m;
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
  double inertia = v->yaw_inertia, first = 0.0;
  for (int i = 0; i < VD_AXLES; i++) {
    double half = 0.5 * v->axle[i].track, x = i == VD_FRONT ? m.to_axle[i] : -m.to_axle[i];
    inertia -= m.unsprung[i] * (x * x + half * half);
    first += m.unsprung[i] * x;
  }
  return inertia - first * first / m.sprung;
}
