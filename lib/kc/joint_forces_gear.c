/* Forces in the steering: on the pitman arm of a steering box, and on the relay rod between pitman and idler arm. */
#include "base/vec.h"
#include "kc/joint_forces.h"

#include <string.h>

enum { PITMAN, IDLER, ARMS };

static vd_joint_force *start_force(const char *from, const char *on, const char *point, const double *at,
                                   vd_joint_force *out) {
  *out = (vd_joint_force){.from = from, .on = on, .point = point, .pull = NAN};
  memcpy(out->at, at, sizeof out->at);
  return out;
}

/* Returns the key of an arm's pivot, for which a file may give any point of the arm's axis. */
static const char *pivot_key(bool other) {
  return other ? "steering.other_pivot" : "steering.pivot";
}

static size_t held_arm(const vd_gear *gear, bool other, const double *pivot, const double *at, const double *force,
                       const double *moment, vd_joint_force *out) {
  double axis[3], all[3] = {0.0};
  vd_normalise(gear->axis, axis);
  vd_joint_force *bearing = start_force("chassis", "pitman", pivot_key(other), pivot, &out[0]);
  vd_joint_force *shaft = start_force("gear", "pitman", pivot_key(other), pivot, &out[1]);
  vd_add_share(1.0, force, bearing->force);
  vd_add_share(1.0, moment, all);
  vd_add_moment(1.0, pivot, at, force, all);
  double turning = vd_dot(all, axis);
  vd_add_share(turning, axis, shaft->moment);
  vd_add_share(1.0, all, bearing->moment);
  vd_add_share(-turning, axis, bearing->moment);
  return 2;
}

size_t vd_pitman_forces(const vd_gear *gear, const double *at, const double *force, const double *moment,
                        vd_joint_force *out) {
  return held_arm(gear, false, gear->pivot, at, force, moment, out);
}

/* Sums the forces of the members on the rod, and their moments about a point. */
static void sum_up(const vd_wheel_forces wheel[2], const double *about, double *force, double *moment) {
  for (int side = 0; side < 2; side++)
    for (size_t k = 0; k < wheel[side].count; k++) {
      const vd_joint_force *f = &wheel[side].force[k];
      if (strcmp(f->from, "relay") != 0)
        continue;
      vd_add_share(-1.0, f->force, force);
      vd_add_share(-1.0, f->moment, moment);
      vd_add_moment(-1.0, about, f->at, f->force, moment);
    }
}

/* Takes the moments about the pitman's joint: M is that of the members' forces on the rod. d is the vector to the idler
 * arm's joint, a the axis, n the direction of d across a, and r the idler arm across a. The idler arm's force p r + q a
 * has no moment about a through its pivot, and the moment t n is that of the universal joint, which is free about a:
 *
 *   d x (p r + q a) + t n = -M,   so that   t = -(M . d)/(n . d),   p = -(M . a)/((d x r) . a),
 *   q = -(M . e + p (d x r) . e)/((d x a) . e)   with e = a x d, which is normal to n.
 *
 * At a dead centre, where idler arm and rod are in line, the linkage does not close. */
size_t vd_relay_forces(const vd_gear *gear, double rack, const vd_wheel_forces wheel[2], vd_joint_force *out) {
  static const char *const joint_key[2] = {"steering.joint", "steering.other_joint"};
  const vd_relay_arms arms = vd_relay_arms_of(gear);
  const bool of[ARMS] = {gear->pitman_side, !gear->pitman_side}; /* whether each arm is the right one */
  double pivot[ARMS][3], joint[ARMS][3], a[3], d[3], n[3], r[3], e[3], across[3], lift[3], sum[3] = {0.0},
                                                                                           rest[3] = {0.0};
  vd_normalise(gear->axis, a);
  for (int k = 0; k < ARMS; k++) {
    double design[3];
    vd_jet3_value(arms.joint[of[k]], design);
    vd_jet3_value(arms.pivot[of[k]], pivot[k]);
    vd_jet3_value(vd_gear_point(gear, rack, design), joint[k]);
  }
  sum_up(wheel, joint[PITMAN], sum, rest);
  vd_between(joint[PITMAN], joint[IDLER], d);
  vd_between(pivot[IDLER], joint[IDLER], r);
  vd_take_along(a, r);
  vd_cross(a, d, e);
  vd_cross(e, a, n);
  vd_normalise(n, n);
  vd_cross(d, r, across);
  vd_cross(d, a, lift);
  double t = -vd_dot(rest, d) / vd_dot(n, d);
  double p = -vd_dot(rest, a) / vd_dot(across, a), q = -(vd_dot(rest, e) + p * vd_dot(across, e)) / vd_dot(lift, e);
  vd_joint_force *on_rod[ARMS] = {start_force("pitman", "relay", joint_key[of[PITMAN]], joint[PITMAN], &out[0]),
                                  start_force("idler", "relay", joint_key[of[IDLER]], joint[IDLER], &out[1])};
  vd_add_share(p, r, on_rod[IDLER]->force);
  vd_add_share(q, a, on_rod[IDLER]->force);
  vd_add_share(-1.0, sum, on_rod[PITMAN]->force);
  vd_add_share(-1.0, on_rod[IDLER]->force, on_rod[PITMAN]->force);
  vd_add_share(t, n, on_rod[PITMAN]->moment);
  vd_joint_force *bearing = start_force("chassis", "idler", pivot_key(of[IDLER]), pivot[IDLER], &out[2]);
  vd_add_share(1.0, on_rod[IDLER]->force, bearing->force);
  vd_add_moment(1.0, pivot[IDLER], joint[IDLER], bearing->force, bearing->moment);
  return 3 + held_arm(gear, of[PITMAN], pivot[PITMAN], joint[PITMAN], on_rod[PITMAN]->force, on_rod[PITMAN]->moment,
                      &out[3]);
}
