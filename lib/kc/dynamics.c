#include "kc/dynamics.h"

#include "base/elementary.h"
#include "base/vec.h"
#include "kc/sweep_impl.h"

#include <math.h>
#include <string.h>

/* --- one place --- */

/* Returns the second derivative by time of a quantity whose first and second derivatives by the inputs are given. */
static double accelerated(const double *by, const double *seconds, const vd_kc_motion *m) {
  return by[0] * m->accel[0] + by[1] * m->accel[1] + seconds[VD_UU] * m->rate[0] * m->rate[0] +
         2.0 * seconds[VD_UV] * m->rate[0] * m->rate[1] + seconds[VD_VV] * m->rate[1] * m->rate[1];
}

/* Computes the second derivative by time of each part of a vector. */
static void vector_accel(const double by[VD_INPUTS][3], const double seconds[VD_SECONDS][3], const vd_kc_motion *m,
                         double *out) {
  for (int i = 0; i < 3; i++) {
    const double first[VD_INPUTS] = {by[0][i], by[1][i]};
    const double second[VD_SECONDS] = {seconds[VD_UU][i], seconds[VD_UV][i], seconds[VD_VV][i]};
    out[i] = accelerated(first, second, m);
  }
}

static void point_accel(vd_jet3 p, const vd_kc_motion *m, double *out) {
  const vd_jet *part[] = {&p.x, &p.y, &p.z};
  for (int i = 0; i < 3; i++)
    out[i] = accelerated(part[i]->d, part[i]->h, m);
}

/* Force, and moment about the wheel centre. */
typedef struct wrench {
  double force[3], moment[3];
} wrench;

/* Computes the knuckle's inertia times its angular velocity or acceleration. */
static void inertia_times(const vd_corner *corner, const vd_pose *pose, const double *angular, double *out) {
  memset(out, 0, 3 * sizeof *out);
  for (int k = 0; k < 3; k++) {
    double own = 0.0;
    for (int j = 0; j < 3; j++)
      own += pose->turn[j][k] * angular[j];
    for (int i = 0; i < 3; i++)
      out[i] += pose->turn[i][k] * corner->knuckle_inertia[k] * own;
  }
}

/* Returns the force and moment that the inertia and weight of the knuckle, and of the outer ends of the bars, need. A
 * bar of mass m with ends a and c needs m/3 times the acceleration of c, m/6 times that of a, and half its weight at c
 * (corner_mass.c). */
static wrench needed(const vd_corner *corner, const vd_linkage *l, const vd_pose *pose, const vd_kc_motion *m) {
  wrench w = {{0.0}, {0.0}};
  double spin[3], angular[3], momentum[3], gyro[3];
  vector_accel(pose->velocity, pose->accel, m, w.force);
  vector_accel(pose->spin, pose->angular, m, angular);
  for (int i = 0; i < 3; i++) {
    w.force[i] = corner->knuckle_mass * (w.force[i] + (i == 2 ? VD_GRAVITY : 0.0));
    spin[i] = pose->spin[0][i] * m->rate[0] + pose->spin[1][i] * m->rate[1];
  }
  inertia_times(corner, pose, spin, momentum);
  inertia_times(corner, pose, angular, w.moment);
  vd_cross(spin, momentum, gyro);
  vd_add_share(1.0, gyro, w.moment);
  vd_corner_bar bar[VD_CORNER_BARS];
  int bars = vd_corner_bars(corner, bar);
  for (int k = 0; k < bars; k++) {
    vd_jet3 inner = vd_member_base(l, pose, bar[k].member, bar[k].at), outer = vd_pose_point(l, pose, bar[k].outer);
    double a[3], c[3], at[3], force[3];
    vd_jet3_value(outer, at);
    point_accel(inner, m, a);
    point_accel(outer, m, c);
    for (int i = 0; i < 3; i++)
      force[i] = bar[k].mass * (c[i] / 3.0 + a[i] / 6.0 + (i == 2 ? 0.5 * VD_GRAVITY : 0.0));
    vd_add_share(1.0, force, w.force);
    vd_add_moment(1.0, pose->at, at, force, w.moment);
  }
  return w;
}

static bool rods_stand_on_chassis(const vd_corner *corner) {
  for (int i = 0; i < corner->points.members; i++)
    if (corner->points.member[i].base >= VD_ON_MEMBER)
      return false;
  return true;
}

/* Computes the forces of the constraints by virtual work. The force of a rod has the direction in which the rod becomes
 * longer. */
static void find_constraints(const vd_corner *corner, const vd_linkage *l, const vd_pose *pose,
                             const vd_kc_motion *motion, vd_kc_dynamics *out) {
  const wrench w = needed(corner, l, pose, motion);
  for (int j = 0; j < VD_KC_CONSTRAINTS; j++) {
    double velocity[3], spin[3];
    vd_linkage_release(l, pose, j, velocity, spin);
    double push = vd_dot(w.force, velocity) + vd_dot(w.moment, spin);
    out->constraint[j] = !rods_stand_on_chassis(corner) ? NAN : l->joint[j].kind == VD_JOINT_ROD ? -push : push;
  }
}

/* Computes the figures of the open chain; its angle q is the angle of the driving link. */
static void find_lump(const vd_corner *corner, const vd_linkage *l, const vd_pose *pose, const vd_kc_motion *m,
                      vd_kc_dynamics *out) {
  vd_chain chain;
  out->lump_mass = out->lump_force = out->lump_torque = NAN;
  if (!vd_corner_lump(corner, &chain))
    return;
  vd_jet q = vd_corner_drive(corner, l, pose);
  double rate = q.d[0] * m->rate[0] + q.d[1] * m->rate[1], accel = accelerated(q.d, q.h, m), inertia;
  vd_chain_inverse(&chain, &q.v, &rate, &accel, NULL, &out->lump_torque);
  vd_chain_mass(&chain, &q.v, &inertia);
  out->lump_mass = inertia * q.d[0] * q.d[0];
  out->lump_force = out->lump_torque * q.d[0];
}

void vd_kc_dynamics_at(const vd_corner *corner, const vd_linkage *l, const vd_pose *pose, const vd_kc_motion *motion,
                       vd_kc_dynamics *out) {
  vd_corner_mass m;
  vd_corner_mass_at(corner, l, pose, &m);
  memcpy(out->mass, m.mass, sizeof out->mass);
  for (int i = 0; i < VD_INPUTS; i++) {
    const double *rate = motion->rate;
    out->velocity[i] = m.curve[i][VD_UU] * rate[0] * rate[0] + 2.0 * m.curve[i][VD_UV] * rate[0] * rate[1] +
                       m.curve[i][VD_VV] * rate[1] * rate[1];
    out->weight[i] = m.weight[i];
    out->force[i] = m.mass[i][0] * motion->accel[0] + m.mass[i][1] * motion->accel[1] + out->velocity[i] - m.weight[i];
  }
  find_constraints(corner, l, pose, motion, out);
  find_lump(corner, l, pose, motion, out);
}

/* --- a motion --- */

/* The columns of a member's constraints, in the order of the linkage's joints, and how many joints each column stands
 * for. */
static const struct {
  const char *part;
  int joints;
} written[][2] = {[VD_ARM] = {{"_front", 1}, {"_rear", 1}},
                  [VD_ROD] = {{"", 1}},
                  [VD_SLIDER] = {{"_side", 2}},
                  [VD_HINGE] = {{"_inboard", 3}, {"_outboard", 2}}};

static void write_header(const vd_corner *corner, vd_buf *out) {
  vd_buf_puts(out, "t_s,travel_mm,rack_mm,travel_rate_mps,rack_rate_mps,travel_accel_mps2,rack_accel_mps2,mass_kg,"
                   "coupling_kg,rack_mass_kg,velocity_N,weight_N,force_N,rack_velocity_N,rack_weight_N,rack_force_N,"
                   "lump_mass_kg,lump_force_N,lump_torque_Nm");
  for (int i = 0; i < corner->points.members; i++)
    for (int k = 0; k < 2 && written[corner->points.member[i].kind][k].joints > 0; k++)
      vd_buf_printf(out, ",%s%s_N", corner->points.member[i].name, written[corner->points.member[i].kind][k].part);
  vd_buf_puts(out, "\n");
}

/* Writes the force of a constraint with its sign; if a column has several constraints, the magnitude of their sum. */
static void write_constraints(const vd_corner *corner, const double *force, enum vd_digits digits, vd_buf *out) {
  for (int i = 0; i < corner->points.members; i++)
    for (int k = 0; k < 2; k++) {
      const int joints = written[corner->points.member[i].kind][k].joints;
      double square = 0.0;
      for (int j = 0; j < joints; j++)
        square += force[j] * force[j];
      if (joints > 0)
        vd_kc_field(joints == 1 ? *force : sqrt(square), digits, out);
      force += joints;
    }
}

static void write_row(const vd_corner *corner, double t, const double *u, const vd_kc_motion *m,
                      const vd_kc_dynamics *d, enum vd_digits digits, vd_buf *out) {
  const double value[] = {u[0] * 1e3,     u[1] * 1e3,    m->rate[0],    m->rate[1],     m->accel[0],   m->accel[1],
                          d->mass[0][0],  d->mass[0][1], d->mass[1][1], d->velocity[0], d->weight[0],  d->force[0],
                          d->velocity[1], d->weight[1],  d->force[1],   d->lump_mass,   d->lump_force, d->lump_torque};
  vd_kc_number(t, digits, out);
  for (size_t i = 0; i < VD_COUNT(value); i++)
    vd_kc_field(value[i], digits, out);
  write_constraints(corner, d->constraint, digits, out);
  vd_buf_puts(out, "\n");
}

/* Reports missing masses and how to give them; false after an error. A missing inertia is estimated, with a message. */
static bool complete(vd_corner *corner, vd_kc_report *report) {
  vd_buf lacks = {0};
  double *inertia = corner->knuckle_inertia, radius = corner->points.static_radius;
  if (isnan(corner->knuckle_mass))
    vd_buf_puts(&lacks, ", knuckle");
  for (int i = 0; i < corner->points.members; i++)
    if (isnan(corner->member_mass[i]) && corner->points.member[i].kind != VD_SLIDER)
      vd_buf_printf(&lacks, ", %s", corner->points.member[i].name);
  bool all = lacks.length == 0;
  if (!all)
    vd_kc_message(report,
                  "dynamics need all masses, and 'mass' does not give: %s; 'mass=default' uses those of the type, if "
                  "it has some; --set mass.KEY='2 kg' sets one",
                  lacks.text + 2);
  else if (isnan(inertia[0])) {
    for (int i = 0; i < 3; i++)
      inertia[i] = vd_corner_inertia_shares[i] * corner->knuckle_mass * radius * radius;
    vd_kc_message(report,
                  "'mass.knuckle_inertia' is not given; an estimate is used, [%.3g, %.3g, %.3g] kg m2, that of a "
                  "wheel with the mass of the knuckle, %.3g kg",
                  inertia[0], inertia[1], inertia[2], corner->knuckle_mass);
  }
  vd_buf_finish(&lacks);
  return all;
}

bool vd_kc_dynamics_write(const vd_corner *given, const vd_kc_range *travel, const vd_kc_range *rack, double frequency,
                          enum vd_digits digits, vd_buf *out, vd_kc_report *report) {
  const vd_kc_range *range[VD_INPUTS] = {travel, rack};
  vd_linkage l;
  vd_pose pose;
  vd_kc_dynamics d;
  vd_corner own = *given, *corner = &own;
  *report = (vd_kc_report){.rows = 0};
  if (vd_linkage_joins(corner->points.type))
    return vd_kc_message(report, "dynamics need a wheel on a linkage of its own; an axle or a beam joins these wheels");
  if (!vd_linkage_build(&corner->points, VD_PARALLEL, &l))
    return vd_kc_message(report, "the links do not constrain the wheel");
  vd_linkage_start(&l, &pose);
  if (!complete(corner, report))
    return false;
  write_header(corner, out);
  double turning = 2.0 * VD_PI * frequency;
  for (int i = 0; i < travel->points; i++) {
    double phase = 2.0 * VD_PI * i / vd_max(travel->points - 1, 1), wave[] = {vd_sin(phase), vd_cos(phase)};
    double u[VD_INPUTS];
    vd_kc_motion motion;
    for (int k = 0; k < VD_INPUTS; k++) {
      double half = 0.5 * (range[k]->to - range[k]->from);
      u[k] = 0.5 * (range[k]->to + range[k]->from) + half * wave[k];
      motion.rate[k] = half * turning * (k == 0 ? wave[1] : -wave[0]);
      motion.accel[k] = -half * turning * turning * wave[k];
    }
    if (vd_linkage_move(&l, u, &pose) != VD_LINKAGE_OK)
      return vd_kc_message(report, "the wheel cannot reach travel %.4g mm at rack %.4g mm", 1e3 * u[0], 1e3 * u[1]);
    vd_kc_dynamics_at(corner, &l, &pose, &motion, &d);
    write_row(corner, phase / turning, u, &motion, &d, digits, out);
    report->rows++;
  }
  return true;
}
