#include "run/step_limit.h"

#include "base/base.h"
#include "base/elementary.h"

#include <math.h>
#include <string.h>

/* Greatest product of rate and step that is allowed; own_bound is the bound of Runge-Kutta steps. */
static const double max_rate = 2.5, own_bound = 2.785;

const double vd_step_longest = 1e-3;
const double vd_step_longest_followed = 10e-3;
const double vd_step_rough = 1e-3;

/* Returns the magnitude of the greatest root of m s^2 + c s + k. */
static double fastest_root(double mass, double c, double k) {
  double under = c * c - 4.0 * mass * k;
  return under > 0.0 ? 0.5 * (c + sqrt(under)) / mass : sqrt(k / mass);
}

/* Returns the rate of the fastest vertical motion of an axle, 1/s: its unsprung mass on spring and damper alone, on
 * these and the tyre, and also on a stop. */
static double vertical_rate(const vd_axle_def *axle) {
  const vd_suspension_def *s = &axle->suspension;
  double damping = s->damper.type == VD_DAMPER_LINEAR ? vd_max(s->damper.bump, s->damper.rebound) : 0.0;
  double tyre_damping = 0.0, tyre = 0.0, mass = axle->unsprung_mass;
  for (int right = 0; right < 2; right++) {
    tyre_damping = vd_max(tyre_damping, vd_axle_tyre(axle, right)->common.vertical_damping);
    const vd_tyre_common *common = &vd_axle_tyre(axle, right)->common;
    tyre = vd_max(tyre, vd_max(common->vertical_stiffness, common->vertical_steepest));
  }
  const double *xy = s->damper.curve.points.xy;
  for (size_t i = 1; i < s->damper.curve.points.count; i++)
    damping = vd_max(damping, (xy[2 * i + 1] - xy[2 * i - 1]) / (xy[2 * i] - xy[2 * i - 2]));
  double c = damping + tyre_damping, k = axle->spring_stiffness + 2.0 * axle->antiroll_wheel_rate + tyre;
  double stop = vd_max(s->bump_stop.stiffness, s->rebound_stop.stiffness);
  return vd_max(fastest_root(mass, damping, axle->spring_stiffness),
                vd_max(fastest_root(mass, c, k), fastest_root(mass, c, k + stop)));
}

/* Returns the rate of the stiff links across the path of the lightest wheel, with the body at rest, 1/s. */
static double link_rate(const vd_vehicle_def *v, double stiffness) {
  return 1.1 * sqrt(stiffness / vd_min(v->axle[VD_FRONT].unsprung_mass, v->axle[VD_REAR].unsprung_mass));
}

/* Computes rows of displacements along x and y at each wheel, by the five motions of the sprung mass (along x and y,
 * roll, pitch, yaw). Each motion is divided by the root of its inertia. False: an inertia is not positive; other checks
 * report this. */
static bool link_rows(const vd_vehicle_def *v, double row[2 * VD_WHEELS][5]) {
  vd_vehicle built;
  vd_vehicle_laden(v, &built);
  vd_masses m = built.masses;
  double inertia[5] = {m.sprung, m.sprung, built.roll_inertia, built.pitch_inertia,
                       vd_vehicle_sprung_yaw_inertia(&built)};
  double by[5];
  double ahead = -(m.unsprung[VD_FRONT] * m.to_axle[VD_FRONT] - m.unsprung[VD_REAR] * m.to_axle[VD_REAR]) / m.sprung;
  for (int k = 0; k < 5; k++) {
    if (!(inertia[k] > 0.0))
      return false;
    by[k] = 1.0 / sqrt(inertia[k]);
  }
  for (int i = 0; i < VD_WHEELS; i++) {
    const vd_axle_def *axle = &v->axle[vd_axle_of(i)];
    double x = (vd_is_front(i) ? m.to_axle[VD_FRONT] : -m.to_axle[VD_REAR]) - ahead,
           y = 0.5 * vd_side_sign(i) * axle->track;
    double z = vd_axle_loaded_radius(axle) - m.sprung_height;
    const double along[5] = {by[0], 0.0, 0.0, z * by[3], -y * by[4]},
                 across[5] = {0.0, by[1], -z * by[2], 0.0, x * by[4]};
    memcpy(row[2 * i], along, sizeof along);
    memcpy(row[2 * i + 1], across, sizeof across);
  }
  return true;
}

/* Returns the greatest inverse mass of the body for any combination of link forces, 1/kg: the greatest eigenvalue of J
 * J', by power iteration. The matrix J has the rows of link_rows. */
static double inverse_mass(const vd_vehicle_def *v) {
  enum { ROUNDS = 60 };
  double row[2 * VD_WHEELS][5], way[5] = {1.0, 0.9, 0.8, 0.7, 0.6}, greatest = 0.0;
  if (!link_rows(v, row))
    return 0.0;
  for (int round = 0; round < ROUNDS; round++) {
    double next[5] = {0.0}, square = 0.0;
    for (int i = 0; i < 2 * VD_WHEELS; i++) {
      double pull = 0.0;
      for (int k = 0; k < 5; k++)
        pull += row[i][k] * way[k];
      for (int k = 0; k < 5; k++)
        next[k] += row[i][k] * pull;
    }
    for (int k = 0; k < 5; k++)
      square += next[k] * next[k];
    greatest = sqrt(square);
    for (int k = 0; k < 5; k++)
      way[k] = next[k] / greatest;
  }
  return greatest;
}

/* Returns the greatest rate of the relative motion of wheels and body on the links, 1/s. A link is critically damped
 * for its wheel of mass m; with the inverse mass q/m of the body the equation is
 *   s^2 + 2 (1 + q) w s + (1 + q) w^2 = 0,   w^2 = k/m,
 * whose faster root is w [1 + q + sqrt(q (1 + q))]: 1.7 w for a sedan. */
static double fastest_link(const vd_vehicle_def *v, double stiffness) {
  double greatest = inverse_mass(v), fastest = 0.0;
  for (int a = 0; a < VD_AXLES; a++) {
    double mass = v->axle[a].unsprung_mass, q = mass * greatest;
    fastest = vd_max(fastest, sqrt(stiffness / mass) * (1.0 + q + sqrt(q * (1.0 + q))));
  }
  return fastest;
}

double vd_step_on_springs(const vd_vehicle_def *v) {
  return max_rate / vd_max(vertical_rate(&v->axle[VD_FRONT]), vertical_rate(&v->axle[VD_REAR]));
}

double vd_step_on_links(const vd_vehicle_def *v, double stiffness) {
  return max_rate / fastest_link(v, stiffness);
}

double vd_step_on_treads(const vd_vehicle *v, double ground_friction) {
  double fastest = 0.0;
  for (int i = 0; i < VD_WHEELS; i++) {
    const vd_vehicle_axle *axle = &v->axle[vd_axle_of(i)];
    double load = 0.5 * v->mass * VD_GRAVITY * v->masses.to_axle[1 - vd_axle_of(i)] / v->wheelbase, along, across;
    double stiffness = vd_tyre_slip_stiffness(&v->tyre[i], ground_friction, load);
    vd_tyre_relaxation(&v->tyre[i], load, &along, &across);
    fastest = vd_max(fastest, stiffness / along * axle->wheel_radius * axle->wheel_radius / axle->wheel_inertia);
  }
  return max_rate / sqrt(fastest);
}

/* Returns the longest of certain fractions of vd_step_longest at which the motions across the wheels' paths are
 * accurately damped and stable. */
double vd_step_chosen(const vd_vehicle_def *v, double stiffness) {
  static const double share[] = {1.0, 2.0, 4.0, 5.0, 10.0, 20.0, 50.0, 100.0};
  const double well = 1.25; /* rate times step */
  size_t i = 0;
  while (i + 1 < VD_COUNT(share) && (link_rate(v, stiffness) * vd_step_longest / share[i] > well ||
                                     fastest_link(v, stiffness) * vd_step_longest / share[i] > max_rate))
    i++;
  return vd_step_longest / share[i];
}

/* --- floors of the slips --- */

/* Finds the greatest stiffnesses of a wheel's tyre over all loads up to the load for which the floors are chosen. */
static void stiffest(const vd_vehicle *v, enum vd_level level, double ground_friction, int wheel, double *slip,
                     double *cornering) {
  double load = 0.5 * v->mass * VD_GRAVITY * v->masses.to_axle[1 - vd_axle_of(wheel)] / v->wheelbase;
  vd_tyre_stiffest(&v->tyre[wheel], ground_friction, level == VD_L5 ? load : 2.0 * load, slip, cornering);
}

/* Returns the rate by which a tyre may increase the rate of a wheel of mass m on stiff links, 1/s. The tyre is a damper
 * g (N s/m) that acts on the wheel's spin (A = R^2/I) and on its motion (B = 1/m) on a link (s^2 + c s + k,
 * fastest_link). The fastest motion has the rate X with
 *   X = g A + g B X/(X - c + k/X)
 * so that 1/g = A/X + B/(X - c + k/X). X is the greatest rate that the step allows; a fifth of the remaining margin is
 * kept in reserve. Across the wheel A = 0. */
double vd_step_rate_margin(const vd_vehicle_def *v, const vd_model_options *options, int axle) {
  double mass = v->axle[axle].unsprung_mass, more = 1.0 + mass * inverse_mass(v), most = own_bound / options->step;
  double rate = sqrt(options->link_stiffness / mass), left = most + more * rate * (rate / most - 2.0);
  return left > 0.0 ? 0.8 * left : 0.0;
}

double vd_slip_ratio_floor(const vd_vehicle_def *def, const vd_vehicle *v, const vd_model_options *options,
                           double ground_friction) {
  double wheel = 0.0, ahead = 0.0, side = 0.0, yaw = 0.0; /* rates times speed, m/s2 */
  for (int i = 0; i < VD_WHEELS; i++) {
    const vd_vehicle_axle *axle = &v->axle[vd_axle_of(i)];
    double arm = v->masses.to_axle[vd_axle_of(i)], slip, cornering;
    stiffest(v, options->level, ground_friction, i, &slip, &cornering);
    if (vd_on_stiff_links(options))
      wheel = vd_max(wheel, slip / (axle->unsprung_mass * vd_step_rate_margin(def, options, vd_axle_of(i))) * 2.0 /
                                options->step);
    ahead += slip / v->mass;
    side += cornering / v->mass;
    yaw += cornering * arm * arm / v->yaw_inertia;
  }
  return 0.5 * options->step * vd_max(vd_max(wheel, ahead), vd_max(side, yaw));
}

/* Returns the greatest lateral slope of the contact point's path over the wheel's travel. Only the middle half of the
 * range of travel counts, because a wheel is outside this half only briefly. */
static double path_slope(const vd_vehicle_axle *axle, const vd_model_options *options) {
  enum { PLACES = 21 };
  if (!axle->map)
    return options->level == VD_L3 ? axle->roll_centre_height / (0.5 * axle->track) : 0.0;
  double steepest = 0.0, length = axle->map->travel.cells * axle->map->travel.step;
  for (int k = 0; k < PLACES; k++) {
    vd_corner_pose pose;
    vd_linkage_map_at(axle->map, axle->map->travel.from + length * (0.25 + 0.5 * k / (PLACES - 1)), 0.0, &pose);
    double slope = pose.by_travel[VD_MAP_Y] + axle->loaded_radius * pose.by_travel[VD_MAP_AXLE_Z];
    if (axle->map->joined) /* parallel or opposite travels, whichever is steeper */
      slope = fabs(slope) + fabs(pose.by_rack[VD_MAP_Y] + axle->loaded_radius * pose.by_rack[VD_MAP_AXLE_Z]);
    if (fabs(slope) > fabs(steepest))
      steepest = slope;
  }
  return steepest;
}

/* Returns the acceleration of a contact point across the wheel per newton of lateral force at it, 1/kg: the quantity b
 * of vd_slip_angle_floor. */
static double lateral_response(const vd_vehicle *v, const vd_model_options *options, int a) {
  const vd_vehicle_axle *axle = &v->axle[a];
  double x = v->masses.to_axle[a], y = options->level == VD_L1 ? 0.0 : 0.5 * axle->track;
  double response = 1.0 / v->mass + (x * x + y * y) / v->yaw_inertia;
  if (options->level < VD_L3)
    return response;
  double slope = path_slope(axle, options), arm = v->masses.sprung_height - slope * y;
  return response + arm * arm / v->roll_inertia +
         slope * slope * (1.0 / axle->unsprung_mass + 1.0 / v->masses.sprung + x * x / v->pitch_inertia);
}

/* Share of the remaining rate margin that tyres may use across their wheels. A single wheel on its link could use the
 * whole margin, but four tyres act on each other through the body. The share for four tyres was found by trials: the
 * shipped sports car on its linkages, pushed sideways at rest, comes to rest with 0.85 and drifts with 0.91; the worst
 * of 4000 random cars needs 0.77. */
static const double share_across = 0.6;

double vd_slip_angle_floor(const vd_vehicle_def *def, const vd_vehicle *v, const vd_model_options *options,
                           double ground_friction) {
  double sum = 0.0, alone = 0.0, slip, cornering;
  for (int i = 0; i < VD_WHEELS; i++) {
    stiffest(v, options->level, ground_friction, i, &slip, &cornering);
    if (vd_on_stiff_links(options))
      alone = vd_max(alone, cornering / (v->axle[vd_axle_of(i)].unsprung_mass * share_across *
                                         vd_step_rate_margin(def, options, vd_axle_of(i))));
    else
      sum += cornering * lateral_response(v, options, vd_axle_of(i));
  }
  return vd_max(sum * options->step / max_rate, alone);
}
