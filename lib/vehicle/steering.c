#include "vehicle/steering.h"

#include "base/elementary.h"
#include "base/vec.h"

#include <math.h>

/* --- gear --- */

/* Computes the mean angle as the integral of dw/ratio(w) over the steering wheel angle w. The curve s->gear is
 * 1/(relative ratio). */
double vd_steering_mean(const vd_steering *s, double wheel, double *slope) {
  if (!s->gear) {
    *slope = 1.0 / s->ratio;
    return wheel / s->ratio;
  }
  double gain = vd_curve_at(s->gear, fabs(wheel), NULL);
  *slope = gain / s->ratio;
  return copysign(vd_curve_integral(s->gear, fabs(wheel)), wheel) / s->ratio;
}

double vd_steering_wheel(const vd_steering *s, double mean, double *slope) {
  enum { ROUNDS = 40 };
  double wheel = mean * s->ratio, gain;
  *slope = s->ratio;
  for (int i = 0; i < ROUNDS && s->gear; i++) {
    double miss = mean - vd_steering_mean(s, wheel, &gain);
    *slope = 1.0 / gain;
    wheel += miss / gain;
    if (fabs(miss) <= 1e-15)
      break;
  }
  return wheel;
}

/* --- assistance and rear wheels --- */

double vd_steering_assist(const vd_steering *s, double speed, double torque, double *slope) {
  const vd_assist *a = &s->assist;
  double v = fabs(speed), low_slope, high_slope = 0.0;
  int i = 0;
  if (slope)
    *slope = 0.0;
  if (a->rows == 0)
    return 0.0;
  while (i + 1 < a->rows && v >= a->speed[i + 1])
    i++;
  double low = vd_curve_at(&a->torque[i], fabs(torque), &low_slope), high = 0.0, share = 0.0;
  if (i + 1 < a->rows && v > a->speed[i]) {
    share = (v - a->speed[i]) / (a->speed[i + 1] - a->speed[i]);
    high = vd_curve_at(&a->torque[i + 1], fabs(torque), &high_slope);
  }
  if (slope)
    *slope = low_slope + share * (high_slope - low_slope);
  return copysign(low + share * (high - low), torque);
}

double vd_steering_rear_gain(const vd_steering *s, double speed) {
  return vd_curve_at(s->rear.gain, vd_min(vd_max(fabs(speed), s->rear.lowest_speed), s->rear.highest_speed), NULL);
}

/* --- friction --- */

static const double slow = 0.005; /* rad/s */

/* Returns the speed at which the parts slide, rad/s, with the sign of the torque (vd_friction_rate). */
static double sliding_speed(const vd_friction *f, double speed, double torque) {
  double x = torque / f->limit, square = x * x;
  return x * (speed * speed / (sqrt(speed * speed + slow * slow) + slow) + slow * square * square);
}

double vd_friction_rate(const vd_friction *f, double speed, double torque) {
  return f->limit > 0.0 ? f->stiffness * (speed - sliding_speed(f, speed, torque)) : 0.0;
}

double vd_friction_loss(const vd_friction *f, double speed, double torque) {
  return f->limit > 0.0 ? torque * sliding_speed(f, speed, torque) : 0.0;
}

/* --- steering axes --- */

bool vd_steering_has_axes(const vd_steering *s) {
  return s->scrub != 0.0 || s->inclination != 0.0 || s->caster != 0.0;
}

vd_kingpin vd_kingpin_make(const vd_steering *s, double radius) {
  double back = vd_sin(s->caster) / vd_cos(s->caster), inward = vd_sin(s->inclination) / vd_cos(s->inclination);
  double size = sqrt(1.0 + back * back + inward * inward);
  return (vd_kingpin){{-back / size, -inward / size, 1.0 / size}, {-s->trail, s->scrub, radius}};
}

/* Returns the rotation p about the axis k that turns the heading of the wheel to a given angle. With the axle y cos p +
 * k x y sin p + k k_y (1 - cos p) the tangent of the heading is
 *
 *   tan = [k_z sin p - k_x k_y (1 - cos p)]/[cos p + k_y^2 (1 - cos p)],
 *
 * which has the form a sin p + b cos p = c. */
static double turn_for(const double *k, double angle) {
  double sine = vd_sin(angle), cosine = vd_cos(angle), mixed = k[0] * k[1], square = k[1] * k[1];
  double a = k[2] * cosine, b = mixed * cosine - (1.0 - square) * sine, c = mixed * cosine + square * sine;
  return vd_asin(c / vd_hypot(a, b)) - vd_atan2(b, a);
}

/* Rotates v about the unit vector k (Rodrigues' formula). */
static void rotate(const double *k, const double *v, double sine, double cosine, double *out) {
  double across[3], along = (1.0 - cosine) * vd_dot(k, v);
  vd_cross(k, v, across);
  for (int j = 0; j < 3; j++)
    out[j] = v[j] * cosine + across[j] * sine + k[j] * along;
}

void vd_kingpin_at(const vd_kingpin *k, bool right, double angle, vd_kingpin_pose *out) {
  static const double left[3] = {0.0, 1.0, 0.0};
  double turn = turn_for(k->axis, right ? -angle : angle), sine = vd_sin(turn), cosine = vd_cos(turn), arm[3];
  rotate(k->axis, k->arm, sine, cosine, arm);
  rotate(k->axis, left, sine, cosine, out->axle);
  vd_cross(k->axis, arm, out->move_slope);
  vd_cross(k->axis, out->axle, out->axle_slope);
  const double *a = out->axle, *s = out->axle_slope;
  /* derivative of p by the angle of the heading, whose direction is (a_y, -a_x) */
  double per_angle = (a[0] * a[0] + a[1] * a[1]) / (a[0] * s[1] - a[1] * s[0]);
  for (int j = 0; j < 3; j++) {
    out->move[j] = arm[j] - k->arm[j];
    out->move_slope[j] *= per_angle;
    out->axle_slope[j] *= per_angle;
    out->turn[j] = per_angle * k->axis[j];
  }
  if (!right)
    return;
  /* the mirror image of the left wheel at the opposite angle: a position changes the sign of y; a rotation, and the
   * axle, which still points to the left, change the signs of x and z. Each slope by the angle changes its sign once
   * more */
  out->move[1] = -out->move[1];
  out->axle[0] = -out->axle[0];
  out->axle[2] = -out->axle[2];
  out->move_slope[0] = -out->move_slope[0];
  out->move_slope[2] = -out->move_slope[2];
  out->axle_slope[1] = -out->axle_slope[1];
  out->turn[1] = -out->turn[1];
}
