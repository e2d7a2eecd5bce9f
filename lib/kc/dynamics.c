#include "kc/dynamics.h"

#include "base/elementary.h"
#include "base/vec.h"
#include "kc/sweep_impl.h"

#include <math.h>
#include <string.h>

/* --- one place --- */

/* Second derivative by time of what has these derivatives by the inputs. */
static double accelerated(const double *by, const double *seconds, const vd_kc_motion *m) {
  return by[0] * m->accel[0] + by[1] * m->accel[1] + seconds[VD_UU] * m->rate[0] * m->rate[0] +
         2.0 * seconds[VD_UV] * m->rate[0] * m->rate[1] + seconds[VD_VV] * m->rate[1] * m->rate[1];
}

static void point_accel(vd_jet3 p, const vd_kc_motion *m, double *out) {
  const vd_jet *part[] = {&p.x, &p.y, &p.z};
  for (int i = 0; i < 3; i++)
    out[i] = accelerated(part[i]->d, part[i]->h, m);
}

/* Force and moment about the wheel centre. */
typedef struct wrench {
  double force[3], moment[3];
} wrench;

static void add_force(const double *arm, const double *force, wrench *w) {
  double moment[3];
  vd_cross(arm, force, moment);
  for (int i = 0; i < 3; i++) {
    w->force[i] += force[i];
    w->moment[i] += moment[i];
  }
}

/* What moves the knuckle, and what the bars want at their outer ends: of a bar with the ends a and c a third of its
 * mass by the acceleration of c, a sixth by that of a, and half of its weight (corner_mass.c). */
static wrench wanted(const vd_corner *corner, const vd_linkage *l, const vd_pose *pose, const vd_kc_motion *m) {
  wrench w = {{0.0}, {0.0}};
  double spin[3], angular[3], momentum[3], rate[3], gyro[3], by[VD_INPUTS], seconds[VD_SECONDS];
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < VD_INPUTS; k++)
      by[k] = pose->velocity[k][i];
    for (int k = 0; k < VD_SECONDS; k++)
      seconds[k] = pose->accel[k][i];
    w.force[i] = corner->knuckle_mass * (accelerated(by, seconds, m) + (i == 2 ? VD_GRAVITY : 0.0));
    for (int k = 0; k < VD_INPUTS; k++)
      by[k] = pose->spin[k][i];
    for (int k = 0; k < VD_SECONDS; k++)
      seconds[k] = pose->angular[k][i];
    angular[i] = accelerated(by, seconds, m);
    spin[i] = pose->spin[0][i] * m->rate[0] + pose->spin[1][i] * m->rate[1];
  }
  for (int i = 0; i < 3; i++) {
    const double *turn = pose->turn[i];
    momentum[i] = rate[i] = 0.0;
    for (int k = 0; k < 3; k++) {
      double own = 0.0, change = 0.0;
      for (int j = 0; j < 3; j++) {
        own += pose->turn[j][k] * spin[j];
        change += pose->turn[j][k] * angular[j];
      }
      momentum[i] += turn[k] * corner->knuckle_inertia[k] * own;
      rate[i] += turn[k] * corner->knuckle_inertia[k] * change;
    }
  }
  vd_cross(spin, momentum, gyro);
  for (int i = 0; i < 3; i++)
    w.moment[i] = rate[i] + gyro[i];
  vd_corner_bar bar[VD_CORNER_BARS];
  int bars = vd_corner_bars(corner, bar);
  for (int k = 0; k < bars; k++) {
    vd_jet3 inner = vd_member_base(l, pose, bar[k].member, bar[k].at), outer = vd_pose_point(l, pose, bar[k].outer);
    const double at[3] = {outer.x.v, outer.y.v, outer.z.v};
    double a[3], c[3], arm[3], force[3];
    point_accel(inner, m, a);
    point_accel(outer, m, c);
    vd_between(pose->at, at, arm);
    for (int i = 0; i < 3; i++)
      force[i] = bar[k].mass * (c[i] / 3.0 + a[i] / 6.0 + (i == 2 ? 0.5 * VD_GRAVITY : 0.0));
    add_force(arm, force, &w);
  }
  return w;
}

static bool rods_stand_on_chassis(const vd_corner *corner) {
  for (int i = 0; i < corner->points.members; i++)
    if (corner->points.member[i].base >= VD_ON_MEMBER)
      return false;
  return true;
}

/* A constraint pushes as it gives way: of a rod in the direction of its lengthening. */
static void find_constraints(const vd_corner *corner, const vd_linkage *l, const vd_pose *pose,
                             const vd_kc_motion *motion, vd_kc_dynamics *out) {
  const wrench w = wanted(corner, l, pose, motion);
  for (int j = 0; j < VD_KC_CONSTRAINTS; j++) {
    double velocity[3], spin[3];
    vd_linkage_release(l, pose, j, velocity, spin);
    double push = vd_dot(w.force, velocity) + vd_dot(w.moment, spin);
    out->constraint[j] = !rods_stand_on_chassis(corner) ? NAN : l->joint[j].kind == VD_JOINT_ROD ? -push : push;
  }
}

/* The open chain's angle q follows the travel as the driving link does. */
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

static void column(const char *name, const char *part, vd_buf *out) {
  vd_buf_printf(out, ",%s%s_N", name, part);
}

/* Columns of the constraints, in the order of the joints: of a slide and of each point of a hinge one force. */
static void write_header(const vd_corner *corner, vd_buf *out) {
  vd_buf_puts(out, "t_s,travel_mm,rack_mm,travel_rate_mps,rack_rate_mps,travel_accel_mps2,rack_accel_mps2,mass_kg,"
                   "coupling_kg,rack_mass_kg,velocity_N,weight_N,force_N,rack_velocity_N,rack_weight_N,rack_force_N,"
                   "lump_mass_kg,lump_force_N,lump_torque_Nm");
  for (int i = 0; i < corner->points.members; i++) {
    const vd_member *m = &corner->points.member[i];
    switch (m->kind) {
    case VD_ARM:
      column(m->name, "_front", out);
      column(m->name, "_rear", out);
      break;
    case VD_ROD: column(m->name, "", out); break;
    case VD_SLIDER: column(m->name, "_side", out); break;
    case VD_HINGE:
      column(m->name, "_inboard", out);
      column(m->name, "_outboard", out);
      break;
    }
  }
  vd_buf_puts(out, "\n");
}

static void write_constraints(const vd_corner *corner, const double *force, enum vd_digits digits, vd_buf *out) {
  for (int i = 0; i < corner->points.members; i++)
    switch (corner->points.member[i].kind) {
    case VD_ARM:
      vd_kc_field(*force++, digits, out);
      vd_kc_field(*force++, digits, out);
      break;
    case VD_ROD: vd_kc_field(*force++, digits, out); break;
    case VD_SLIDER:
      vd_kc_field(sqrt(force[0] * force[0] + force[1] * force[1]), digits, out);
      force += 2;
      break;
    case VD_HINGE:
      vd_kc_field(vd_norm(force), digits, out);
      vd_kc_field(sqrt(force[3] * force[3] + force[4] * force[4]), digits, out);
      force += 5;
      break;
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

static bool fail(const char *text, vd_kc_report *report) {
  vd_buf_printf(&report->messages, "%s\n", text);
  return false;
}

bool vd_kc_dynamics_write(const vd_corner *corner, const vd_kc_range *travel, const vd_kc_range *rack, double frequency,
                          enum vd_digits digits, vd_buf *out, vd_kc_report *report) {
  const vd_kc_range *range[VD_INPUTS] = {travel, rack};
  vd_linkage l;
  vd_pose pose;
  vd_kc_dynamics d;
  *report = (vd_kc_report){.rows = 0};
  if (vd_linkage_joins(corner->points.type))
    return fail("dynamics are those of a wheel on a linkage of its own, not of wheels that an axle or a beam joins",
                report);
  if (!vd_linkage_build(&corner->points, VD_PARALLEL, &l))
    return fail("the links do not hold the wheel", report);
  vd_linkage_start(&l, &pose);
  vd_kc_dynamics_at(corner, &l, &pose, &(vd_kc_motion){{0.0}, {0.0}}, &d);
  if (!isfinite(d.mass[0][0]))
    return fail("dynamics need all masses: 'mass' with knuckle, knuckle_inertia and every member", report);
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
    if (vd_linkage_move(&l, u, &pose) != VD_LINKAGE_OK) {
      vd_buf_printf(&report->messages, "the wheel cannot reach travel %.4g mm at rack %.4g mm\n", 1e3 * u[0],
                    1e3 * u[1]);
      return false;
    }
    vd_kc_dynamics_at(corner, &l, &pose, &motion, &d);
    write_row(corner, phase / turning, u, &motion, &d, digits, out);
    report->rows++;
  }
  return true;
}
