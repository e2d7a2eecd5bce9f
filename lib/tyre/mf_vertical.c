/* Vertical force, radii. Besselink et al. (2010) and, for camber in 6.2, the loaded radius of MF-Swift: the deflection
 * grows by what a flat tread gains when it is tilted, and side force enters relative to what camber makes of it. */
#include "tyre/mf_impl.h"

#include "base/elementary.h"

static double inflation(const vd_mf *m, double pressure) {
  double held = vd_within(pressure, m->pressure_least, m->pressure_most);
  return (held - m->pressure_nominal) * m->pressure_unit;
}

double vd_mf_free_radius(const vd_mf *m, double omega) {
  const vd_mf_def *def = &m->def;
  double share = omega * def->unloaded_radius * m->inverse_v0;
  return def->unloaded_radius * (def->q_re0 + def->q_v1 * share * share);
}

double vd_mf_rolling_radius(const vd_mf *m, double load, double omega, double pressure) {
  const vd_mf_def *def = &m->def;
  double free = vd_mf_free_radius(m, omega), u = vd_within(load, 0.0, m->load_most) * m->inverse_fz0;
  double cz = m->cz * vd_max(1.0 + def->pfz1 * inflation(m, pressure), 0.1);
  if (cz <= 0.0)
    return free;
  return free - def->fnomin / cz * (def->freff * u + def->dreff * vd_lane_atan(def->breff * u));
}

/* Drop of the lower edge of a tilted tread below its middle; the tread's width is that of the contour as E.T.R.T.O. has
 * it. */
static double edge_drop(const vd_mf *m, double gamma) {
  const vd_mf_def *def = &m->def;
  if (def->q_cam1 == 0.0 && def->q_cam2 == 0.0)
    return 0.0;
  return 0.5 * (1.075 - 0.5 * def->aspect_ratio) * def->width * vd_tan(vd_min(fabs(gamma), 1.4));
}

/* Deflection with what camber adds. Above the ground the tilted tread's edge reaches down: the mean over its width of
 * the overlap of a triangle. */
static double cambered(const vd_mf *m, double free, double gamma, double deflection) {
  const vd_mf_def *def = &m->def;
  double drop = edge_drop(m, gamma), above = vd_max(deflection, 0.0);
  if (drop <= 0.0)
    return above * vd_max(1.0 - def->q_cam3 * fabs(gamma), 0.1);
  if (deflection < 0.0)
    return deflection > -drop ? (drop + deflection) * (drop + deflection) / (4.0 * drop) : 0.0;
  double loaded = vd_max(free - deflection, 0.0), base = (def->q_cam1 + def->q_cam2 * free) * free;
  double ratio = base != 0.0 ? (def->q_cam1 + def->q_cam2 * loaded) * loaded / base : 1.0;
  return vd_max(deflection + 0.25 * drop * ratio * ratio - def->q_cam3 * deflection * fabs(gamma), 0.0);
}

/* The factor on the static curve: speed, Fx, Fy, pressure. It has a floor, which forces within friction do not
 * reach. */
static double correction(const vd_mf *m, const vd_mf_vertical *v, double gamma, double loaded) {
  const vd_mf_def *def = &m->def;
  double share = vd_max(loaded / def->unloaded_radius, 0.1);
  double camber_side = (def->q_fys1 + (def->q_fys2 + def->q_fys3 * share) * share) * gamma;
  double x = def->q_fcx * v->fx * m->inverse_fz0, y = def->q_fcy * (v->fy - camber_side) * m->inverse_fz0;
  if (def->q_fcy2 != 0.0)
    y *= vd_pow(share,
                def->q_fcy2); /* on the loaded radius, as the camber terms: on the deflection it has a pole at 0 */
  double speed = def->q_v2 * fabs(v->omega) * def->unloaded_radius * m->inverse_v0;
  return vd_max(1.0 + speed - x * x - y * y, 0.1) * vd_max(1.0 + def->pfz1 * inflation(m, v->pressure), 0.1);
}

/* Fz/Fz0 over deflection/R0, 4.E68. A fit with Q_FZ2 < 0 falls beyond its vertex: from nine tenths of the way it goes
 * on straight. */
static double static_curve(double q1, double q2, double x) {
  double last = q2 < 0.0 ? -0.45 * q1 / q2 : INFINITY;
  if (x <= last)
    return (q1 + q2 * x) * x;
  return (q1 + q2 * last) * last + (q1 + 2.0 * q2 * last) * (x - last);
}

double vd_mf_load(const vd_mf *m, const vd_mf_vertical *v, double deflection) {
  const vd_mf_def *def = &m->def;
  double gamma = vd_within(v->gamma, -1.4, 1.4), free = vd_mf_free_radius(m, v->omega), r0 = def->unloaded_radius;
  double x = cambered(m, free, gamma, deflection) / r0;
  if (x <= 0.0)
    return 0.0;
  double q1 = vd_max(m->q_fz1 + (def->q_fz3 + def->q_cam) * gamma * gamma, 0.1 * m->q_fz1);
  double still =
      m->curve.count > 0 ? vd_load_curve_at(&m->curve, x * r0).force : static_curve(q1, def->q_fz2, x) * def->fnomin;
  double load = correction(m, v, gamma, free - deflection) * still;
  if (def->rim_radius > 0.0)
    load += def->bottom_stiff * vd_max(deflection - (free - def->rim_radius - def->bottom_offst), 0.0);
  return load;
}

double vd_mf_deflection(const vd_mf *m, const vd_mf_vertical *v, double load, double *stiffness) {
  const double r0 = m->def.unloaded_radius, step = 1e-6 * r0;
  double low = -edge_drop(m, v->gamma), high = r0 * 1e-3;
  while (vd_mf_load(m, v, high) < load && high < 1e3 * r0)
    high *= 2.0;
  double x = load <= 0.0 ? vd_max(low, 0.0) : 0.5 * (low + high);
  for (int i = 0; i < 200 && load > 0.0 && high - low > 1e-15 * r0; i++) {
    double residual = vd_mf_load(m, v, x) - load;
    if (residual > 0.0)
      high = x;
    else
      low = x;
    double next = x - residual * step / (vd_mf_load(m, v, x + step) - vd_mf_load(m, v, x));
    if (fabs(next - x) < 1e-15 * r0)
      break;
    x = next > low && next < high ? next : 0.5 * (low + high); /* also where the slope is 0 and next is no number */
  }
  if (stiffness)
    *stiffness = (vd_mf_load(m, v, x + step) - vd_mf_load(m, v, x - step)) / (2.0 * step);
  return x;
}
