#include "math/chain.h"

#include "base/elementary.h"
#include "base/vec.h"

#include <math.h>
#include <string.h>

static void add_cross(const double *a, const double *b, double *sum) {
  double c[3];
  vd_cross(a, b, c);
  for (int i = 0; i < 3; i++)
    sum[i] += c[i];
}

static void times(const double (*m)[3], const double *v, double *out) {
  for (int i = 0; i < 3; i++)
    out[i] = vd_dot(m[i], v);
}

/* --- inertia --- */

static bool finite3(const double *v) {
  return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

/* Uses Steiner's theorem: two masses whose centres are apart by d add m1 m2/(m1 + m2) (d.d - d d') to the tensor. */
void vd_inertia_add(vd_inertia *whole, const vd_inertia *part) {
  double sum = whole->mass + part->mass, d[3];
  double share = sum > 0.0 ? part->mass / sum : 0.0, reduced = share * whole->mass;
  vd_between(whole->centre, part->centre, d);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      whole->tensor[i][j] += part->tensor[i][j] + reduced * ((i == j ? vd_dot(d, d) : 0.0) - d[i] * d[j]);
  for (int i = 0; i < 3; i++)
    whole->centre[i] += share * d[i];
  whole->mass = sum;
}

bool vd_chain_add(vd_chain *chain, const vd_chain_body *body) {
  const vd_inertia *inertia = &body->inertia;
  double length = vd_norm(body->axis);
  bool good = chain->count < VD_CHAIN_BODIES && body->parent >= VD_CHAIN_BASE && body->parent < chain->count;
  good = good && length > 0.0 && isfinite(length) && finite3(body->place);
  good = good && inertia->mass >= 0.0 && isfinite(inertia->mass) && finite3(inertia->centre);
  for (int i = 0; i < 3; i++)
    good = good && finite3(inertia->tensor[i]);
  if (!good)
    return false;
  vd_chain_body *own = &chain->body[chain->count++];
  *own = *body;
  for (int i = 0; i < 3; i++)
    own->axis[i] /= length;
  return true;
}

/* --- motion --- */

/* Sets turn to the parent's rotation times a rotation by q about the axis (Rodrigues' formula). */
static void turn_about(const double *axis, double q, const double (*parent)[3], double (*turn)[3]) {
  double c = vd_cos(q), s = vd_sin(q), own[3][3];
  const double skew[3][3] = {{0.0, -axis[2], axis[1]}, {axis[2], 0.0, -axis[0]}, {-axis[1], axis[0], 0.0}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      own[i][j] = (i == j ? c : 0.0) + (1.0 - c) * axis[i] * axis[j] + s * skew[i][j];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      turn[i][j] = parent[i][0] * own[0][j] + parent[i][1] * own[1][j] + parent[i][2] * own[2][j];
}

/* Computes the velocity of the point of the body that is at `place`. */
static void velocity_at(const vd_chain_motion *m, const double *place, double *velocity) {
  double arm[3];
  vd_between(m->centre, place, arm);
  memcpy(velocity, m->velocity, 3 * sizeof *velocity);
  add_cross(m->spin, arm, velocity);
}

static void place_of(const vd_chain *chain, const vd_chain_motion *motion, int body, const double *design,
                     double *place) {
  double arm[3];
  vd_between(chain->body[body].place, design, arm);
  times(motion[body].turn, arm, place);
  for (int i = 0; i < 3; i++)
    place[i] += motion[body].joint[i];
}

void vd_chain_move(const vd_chain *chain, const double *q, const double *rate, vd_chain_motion *motion) {
  for (int k = 0; k < chain->count; k++) {
    const vd_chain_body *body = &chain->body[k];
    const vd_chain_motion base = {.turn = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    vd_chain_motion *m = &motion[k];
    const vd_chain_motion *parent = body->parent == VD_CHAIN_BASE ? &base : &motion[body->parent];
    if (body->parent == VD_CHAIN_BASE)
      memcpy(m->joint, body->place, sizeof m->joint);
    else
      place_of(chain, motion, body->parent, body->place, m->joint);
    times(parent->turn, body->axis, m->axis);
    turn_about(body->axis, q[k], parent->turn, m->turn);
    place_of(chain, motion, k, body->inertia.centre, m->centre);
    for (int i = 0; i < 3; i++)
      m->spin[i] = parent->spin[i] + rate[k] * m->axis[i];
    double arm[3];
    velocity_at(parent, m->joint, m->velocity);
    vd_between(m->joint, m->centre, arm);
    add_cross(m->spin, arm, m->velocity);
  }
}

/* Computes R I R' v, with the rotation R = turn and the tensor I. */
static void turned_tensor(const double (*tensor)[3], const double (*turn)[3], const double *v, double *out) {
  double own[3], momentum[3];
  for (int i = 0; i < 3; i++)
    own[i] = turn[0][i] * v[0] + turn[1][i] * v[1] + turn[2][i] * v[2];
  times(tensor, own, momentum);
  times(turn, momentum, out);
}

/* --- inverse dynamics --- */

/* The quantities of one body in inverse dynamics: the acceleration of its joint's point (less gravity), its angular
 * acceleration, and the force and moment that the joint transmits to it. */
typedef struct joint_load {
  double linear[3], angular[3];
  double force[3], moment[3]; /* the moment about the joint's point */
} joint_load;

/* Computes the acceleration of the point that is `arm` away from the joint's point: a + alpha x arm + w x (w x arm). */
static void accelerated(const joint_load *e, const double *spin, const double *arm, double *out) {
  double v[3];
  memcpy(out, e->linear, 3 * sizeof *out);
  add_cross(e->angular, arm, out);
  vd_cross(spin, arm, v);
  add_cross(spin, v, out);
}

static void propagate(const joint_load *parent, const vd_chain_motion *before, const vd_chain_motion *m, double rate,
                      double accel, joint_load *e) {
  double arm[3], turning[3];
  vd_between(before->joint, m->joint, arm);
  accelerated(parent, before->spin, arm, e->linear);
  for (int i = 0; i < 3; i++) {
    turning[i] = rate * m->axis[i];
    e->angular[i] = parent->angular[i] + accel * m->axis[i];
  }
  add_cross(before->spin, turning, e->angular);
}

/* Sets the force F and moment M of the joint by Newton's and Euler's equations without loads: m a = F, d(I w)/dt = M
 * about the centre of gravity. */
static void set_joint_load(const vd_inertia *inertia, const vd_chain_motion *m, joint_load *e) {
  double arm[3], accel[3], momentum[3];
  vd_between(m->joint, m->centre, arm);
  accelerated(e, m->spin, arm, accel);
  for (int i = 0; i < 3; i++)
    e->force[i] = inertia->mass * accel[i];
  turned_tensor(inertia->tensor, m->turn, e->angular, e->moment);
  turned_tensor(inertia->tensor, m->turn, m->spin, momentum);
  add_cross(m->spin, momentum, e->moment);
  add_cross(arm, e->force, e->moment);
}

/* Subtracts an external load from the force and moment of the joint. */
static void subtract_load(const vd_chain_load *load, const double *place, const vd_chain_motion *m, joint_load *e) {
  double arm[3], moment[3];
  vd_between(m->joint, place, arm);
  vd_cross(arm, load->force, moment);
  for (int i = 0; i < 3; i++) {
    e->force[i] -= load->force[i];
    e->moment[i] -= load->moment[i] + moment[i];
  }
}

void vd_chain_inverse(const vd_chain *chain, const double *q, const double *rate, const double *accel,
                      const vd_chain_load *loads, double *torque) {
  vd_chain_motion motion[VD_CHAIN_BODIES];
  const vd_chain_motion still = {.spin = {0.0}};
  joint_load e[VD_CHAIN_BODIES], base = {.linear = {-chain->gravity[0], -chain->gravity[1], -chain->gravity[2]}};
  vd_chain_move(chain, q, rate, motion);
  for (int k = 0; k < chain->count; k++) {
    int parent = chain->body[k].parent;
    bool first = parent == VD_CHAIN_BASE;
    propagate(first ? &base : &e[parent], first ? &still : &motion[parent], &motion[k], rate[k], accel[k], &e[k]);
    set_joint_load(&chain->body[k].inertia, &motion[k], &e[k]);
    if (loads) {
      double place[3];
      place_of(chain, motion, k, loads[k].point, place);
      subtract_load(&loads[k], place, &motion[k], &e[k]);
    }
  }
  for (int k = chain->count - 1; k >= 0; k--) {
    int parent = chain->body[k].parent;
    torque[k] = vd_dot(motion[k].axis, e[k].moment);
    if (parent == VD_CHAIN_BASE)
      continue;
    double arm[3];
    vd_between(motion[parent].joint, motion[k].joint, arm);
    add_cross(arm, e[k].force, e[parent].moment);
    for (int i = 0; i < 3; i++) {
      e[parent].force[i] += e[k].force[i];
      e[parent].moment[i] += e[k].moment[i];
    }
  }
}

/* --- mass matrix --- */

/* Joins each body with its children into one composite body, in base axes. */
static void compose(const vd_chain *chain, const vd_chain_motion *motion, vd_inertia *whole) {
  for (int k = 0; k < chain->count; k++) {
    const vd_inertia *own = &chain->body[k].inertia;
    whole[k].mass = own->mass;
    memcpy(whole[k].centre, motion[k].centre, sizeof whole[k].centre);
    for (int j = 0; j < 3; j++) {
      double column[3];
      turned_tensor(own->tensor, motion[k].turn, vd_unit_vectors[j], column);
      for (int i = 0; i < 3; i++)
        whole[k].tensor[i][j] = column[i];
    }
  }
  for (int k = chain->count - 1; k >= 0; k--)
    if (chain->body[k].parent != VD_CHAIN_BASE)
      vd_inertia_add(&whole[chain->body[k].parent], &whole[k]);
}

/* If joint k turns at unit rate, its composite body has the momentum p and the angular momentum L about its centre. The
 * angular momentum about the axis of joint j is axis_j . (L + (centre - joint_j) x p), which is the entry (k, j). */
void vd_chain_mass(const vd_chain *chain, const double *q, double *mass) {
  static const double rest[VD_CHAIN_BODIES];
  vd_chain_motion motion[VD_CHAIN_BODIES];
  vd_inertia whole[VD_CHAIN_BODIES];
  int n = chain->count;
  vd_chain_move(chain, q, rest, motion);
  compose(chain, motion, whole);
  memset(mass, 0, (size_t)(n * n) * sizeof *mass);
  for (int k = 0; k < n; k++) {
    const vd_inertia *body = &whole[k];
    double arm[3], p[3], spin[3];
    vd_between(motion[k].joint, body->centre, arm);
    vd_cross(motion[k].axis, arm, p);
    times(body->tensor, motion[k].axis, spin);
    for (int i = 0; i < 3; i++)
      p[i] *= body->mass;
    for (int j = k; j != VD_CHAIN_BASE; j = chain->body[j].parent) {
      double moment[3];
      vd_between(motion[j].joint, body->centre, arm);
      vd_cross(arm, p, moment);
      mass[k * n + j] = mass[j * n + k] = vd_dot(motion[j].axis, spin) + vd_dot(motion[j].axis, moment);
    }
  }
}
