/* Vertical force and radii, by Besselink et al. (2010) and, for camber in 6.2, by the loaded radius of MF-Tyre/MF-Swift
 * 6.2 as MathWorks' Vehicle Dynamics Blockset computes it:
 *
 *   Fz = (1 + QV2 |w| R0/V0 - (QFCX Fx/Fz0)^2 - ((z/R0)^QFCY2 QFCY (Fy - S)/Fz0)^2)(1 + PFZ1 dpi)
 *        ((QFZ1 + (QFZ3 + QCAM) g^2) z/R0 + QFZ2 (z/R0)^2) Fz0
 *   z  = Rw - Rl + zg - QCAM3 (Rw - Rl)|g|        Rw: free radius of the turning wheel, Rl: loaded radius
 *   zg = (1.075 - AR/2) W/8 |tan g| ((QCAM1 Rl + QCAM2 Rl^2)/(QCAM1 Rw + QCAM2 Rw^2))^2
 *   S  = (QFYS1 + QFYS2 Rl/Rw + QFYS3 (Rl/Rw)^2) g
 *
 * w: spin; g: inclination; dpi: (pressure - nominal pressure)/nominal pressure; AR: aspect ratio; W: width of the tyre.
 * zg is the additional deflection of a flat tread that is tilted. The side force enters as its difference from the side
 * force S by camber. QFCY2 is usually negative: a lightly loaded tyre is softer. */
#include "tyre/mf_impl.h"

#include "base/elementary.h"

static double inflation(const vd_mf *m, double pressure) {
  double clamped = vd_within(pressure, m->pressure_min, m->pressure_max);
  return (clamped - m->pressure_nominal) * m->pressure_unit;
}

double vd_mf_firmness(const vd_mf *m, double pressure) {
  return vd_max(1.0 + m->body.pfz1 * inflation(m, pressure), 0.1);
}

double vd_mf_free_radius(const vd_mf *m, double omega) {
  const vd_mf_body *body = &m->body;
  double share = omega * body->unloaded_radius * m->inverse_v0;
  return body->unloaded_radius * (body->q_re0 + body->q_v1 * share * share);
}

double vd_mf_rolling_radius(const vd_mf *m, double load, double omega, double pressure) {
  const vd_mf_body *body = &m->body;
  double free = vd_mf_free_radius(m, omega), u = vd_within(load, 0.0, m->load_max) * m->inverse_fz0;
  double cz = m->cz * vd_mf_firmness(m, pressure);
  if (cz <= 0.0)
    return free;
  return free - body->fnomin / cz * (body->freff * u + body->dreff * vd_lane_atan(body->breff * u));
}

/* Solves f(Re) = Re by secants, where f(Re) is the radius at the speed omega = (1 + kappa) vx/Re. As the radius grows
 * with speed, f falls with Re, so that there is one root. */
double vd_mf_slipping_radius(const vd_mf *m, const vd_mf_input *in, double *omega) {
  const double least = 0.1 * m->body.unloaded_radius, speed = (1.0 + in->kappa) * in->vx;
  double radius = m->body.unloaded_radius, last = radius, last_error = 0.0;
  for (int i = 0; i < 50; i++) {
    double error = vd_mf_rolling_radius(m, in->load, speed / radius, in->pressure) - radius;
    double slope = i > 0 ? (error - last_error) / (radius - last) : -1.0;
    last = radius;
    last_error = error;
    radius = vd_max(radius - error / vd_min(slope, -1e-3), least);
    if (!(fabs(radius - last) > 1e-15 * radius))
      break;
  }
  *omega = speed / radius;
  return radius;
}

/* Applies equations 9 and 10 of Besselink et al. (2010). The patch no longer grows beyond the load at which the rim
 * touches the ground. */
void vd_mf_contact_patch(const vd_mf *m, double load, double pressure, double *length, double *width) {
  const vd_mf_body *body = &m->body;
  double cz = m->cz * vd_mf_firmness(m, pressure), r0 = body->unloaded_radius;
  double most = r0 - body->rim_radius - body->bottom_offst;
  double x = cz > 0.0 ? vd_within(load / (cz * r0), 0.0, vd_max(most, 0.0) / r0) : 0.0;
  *length = 2.0 * r0 * (body->q_ra2 * x + body->q_ra1 * sqrt(x));
  *width = m->old ? body->width : 2.0 * body->width * (body->q_rb2 * x + body->q_rb1 * vd_pow(x, 1.0 / 3.0));
}

/* Returns the distance by which the lower edge of a tilted tread lies below its middle. The width of the tread comes
 * from the E.T.R.T.O. contour. */
static double edge_drop(const vd_mf *m, double gamma) {
  const vd_mf_body *body = &m->body;
  if (body->q_cam1 == 0.0 && body->q_cam2 == 0.0)
    return 0.0;
  return 0.5 * (1.075 - 0.5 * body->aspect_ratio) * body->width * vd_tan(vd_min(fabs(gamma), 1.4));
}

/* Returns the deflection with the contribution of camber. If only the lower edge of the tilted tread reaches the
 * ground, the overlap is a triangle, and the deflection is its mean over the width. */
static double cambered(const vd_mf *m, double free, double gamma, double deflection) {
  const vd_mf_body *body = &m->body;
  double drop = edge_drop(m, gamma), above = vd_max(deflection, 0.0);
  if (drop <= 0.0)
    return above * vd_max(1.0 - body->q_cam3 * fabs(gamma), 0.1);
  if (deflection < 0.0)
    return deflection > -drop ? (drop + deflection) * (drop + deflection) / (4.0 * drop) : 0.0;
  double loaded = vd_max(free - deflection, 0.0), base = (body->q_cam1 + body->q_cam2 * free) * free;
  double ratio = base != 0.0 ? (body->q_cam1 + body->q_cam2 * loaded) * loaded / base : 1.0;
  return vd_max(deflection + 0.25 * drop * ratio * ratio - body->q_cam3 * deflection * fabs(gamma), 0.0);
}

/* Returns the factor on the static curve at the deflection x R0 for speed, Fx, Fy and pressure. share: Rl/Rw. The
 * factor has a lower limit, which forces within friction do not reach; the limit avoids the pole at x = 0 for a
 * negative QFCY2. */
static double correction(const vd_mf *m, const vd_mf_vertical *v, double gamma, double share, double x_of_r0) {
  const vd_mf_body *body = &m->body;
  double camber_side = (body->q_fys1 + (body->q_fys2 + body->q_fys3 * share) * share) * gamma;
  double x = body->q_fcx * v->fx * m->inverse_fz0, y = body->q_fcy * (v->fy - camber_side) * m->inverse_fz0;
  if (body->q_fcy2 != 0.0)
    y *= vd_pow(x_of_r0, body->q_fcy2);
  double speed = body->q_v2 * fabs(v->omega) * body->unloaded_radius * m->inverse_v0;
  return vd_max(1.0 + speed - x * x - y * y, 0.1) * vd_mf_firmness(m, v->pressure);
}

/* Returns Fz/Fz0 at x = deflection/R0, 4.E68. If Q_FZ2 < 0, the parabola falls beyond its vertex; therefore the curve
 * continues straight from nine tenths of the x of the vertex. */
static double static_curve(double q1, double q2, double x) {
  double last = q2 < 0.0 ? -0.45 * q1 / q2 : INFINITY;
  if (x <= last)
    return (q1 + q2 * x) * x;
  return (q1 + q2 * last) * last + (q1 + 2.0 * q2 * last) * (x - last);
}

double vd_mf_load(const vd_mf *m, const vd_mf_vertical *v, double deflection) {
  const vd_mf_body *body = &m->body;
  double gamma = vd_within(v->gamma, -1.4, 1.4), free = vd_mf_free_radius(m, v->omega), r0 = body->unloaded_radius;
  double x = cambered(m, free, gamma, deflection) / r0;
  if (x <= 0.0)
    return 0.0;
  double q1 = vd_max(m->q_fz1 + (body->q_fz3 + body->q_cam) * gamma * gamma, 0.1 * m->q_fz1);
  double still =
      m->curve.count > 0 ? vd_load_curve_at(&m->curve, x * r0).force : static_curve(q1, body->q_fz2, x) * body->fnomin;
  double load = correction(m, v, gamma, vd_max((free - deflection) / free, 0.1), x) * still;
  if (body->rim_radius > 0.0)
    load += body->bottom_stiff * vd_max(deflection - (free - body->rim_radius - body->bottom_offst), 0.0);
  return load;
}

double vd_mf_deflection(const vd_mf *m, const vd_mf_vertical *v, double load, double *stiffness) {
  const double r0 = m->body.unloaded_radius, step = 1e-6 * r0;
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
    x = next > low && next < high ? next : 0.5 * (low + high); /* also taken if the slope is 0 and `next` is NAN */
  }
  if (stiffness)
    *stiffness = (vd_mf_load(m, v, x + step) - vd_mf_load(m, v, x - step)) / (2.0 * step);
  return x;
}
