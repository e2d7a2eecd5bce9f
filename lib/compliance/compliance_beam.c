/* A twist beam: both arms as bodies, their pivots, and the elastic beam between them (linkage/beam.h).
 *
 * The left arm has the columns of the knuckle. The right arm has the columns of the member's offset, which here is the
 * displacement of the right wheel centre, and of its rotation. The beam is an elastic joint between both arms at the
 * middle of its length. As the sections of a beam turn gradually from one end to the other, half of its stiffness has
 * axes that turn with the left arm, half with the right one:
 *
 *   U = v'(K_left + K_right) v/4 + t'C t/2,   t = 2 vec(q), q the rotation of the left arm relative to the right one
 *
 * so that a motion of the whole axle has no energy, and the mirror image of a load has the mirrored response. */
#include "compliance/compliance_impl.h"

#include "base/elementary.h"

enum { LEFT, RIGHT, SIDES, PAIR = 12 };

/* signs of both bodies' motions in the motion of the left body relative to the right one */
static const double sign[SIDES] = {1.0, -1.0};

static int shift_of(const vd_compliance *c, int side) {
  return side == LEFT ? VD_SHIFT : c->link[0].offset;
}

static int turn_of(const vd_compliance *c, int side) {
  return side == LEFT ? VD_TURN : c->link[0].turn;
}

const double *vd_arm_turn(const vd_bodies *at, int side) {
  return side == LEFT ? at->turn : at->member_turn[0];
}

void vd_arm_point(const vd_compliance *c, const vd_bodies *at, int side, const double *point, vd_reach *reach,
                  double *displaced) {
  const double *shift = side == LEFT ? at->shift : at->offset[0];
  double centre[3], b[3];
  vd_at_side(c->corner.points.wheel_center, side, centre);
  vd_between(centre, point, b);
  *reach = (vd_reach){.shift = shift_of(c, side), .offset = -1, .slide = -1, .turns = 1, .turn = {turn_of(c, side)}};
  vd_body_point(vd_arm_turn(at, side), shift, b, reach, displaced);
}

/* --- building --- */

void vd_beam_build(vd_compliance *c) {
  const vd_beam *beam = &c->corner.beam;
  vd_elastic_beam *b = &c->beam;
  const double *middle = c->corner.points.member[0].chassis[1], co = vd_cos(beam->tilt), si = vd_sin(beam->tilt);
  static const vd_bushing_law law;
  const double axis[3][3] = {{co, 0.0, -si}, {0.0, 1.0, 0.0}, {si, 0.0, co}};
  b->joint = (vd_elastic_bushing){.linear = &b->linear, .law = &law};
  memcpy(b->joint.axis, axis, sizeof axis);
  memcpy(b->joint.about, axis, sizeof axis);
  memcpy(b->shear_centre, middle, sizeof b->shear_centre);
  for (int i = 0; i < 3; i++)
    b->centroid[i] = middle[i] + (i == 1 ? 0.0 : beam->centroid[i / 2]);
  vd_beam_stiffness(beam, b->linear.stiffness);
  b->pivot = c->link[0].bushing[0];
  b->pivot.aligned = false;
  for (int k = 0; k < 3; k++) { /* forces are mirrored like places, moments with the opposite sign */
    b->pivot.axis[k][1] = -b->pivot.axis[k][1];
    b->pivot.about[k][0] = -b->pivot.about[k][0];
    b->pivot.about[k][2] = -b->pivot.about[k][2];
  }
}

/* --- the joint between both arms --- */

/* Returns the column of coordinate k of the pair: 0 to 5 belong to the left body, 6 to 11 to the right one. */
static int column_of(const vd_compliance *c, int k) {
  int side = k / 6, i = k % 6;
  return i < 3 ? shift_of(c, side) + i : turn_of(c, side) + i - 3;
}

/* One point of the joint: the vectors to it from both bodies' wheel centres, and the displacement of the left body's
 * point relative to the right one's. */
typedef struct gap {
  double arm[SIDES][3], d[3];
} gap;

static void find_gap(const vd_compliance *c, const vd_bodies *at, const double *point, gap *g) {
  memset(g->d, 0, sizeof g->d);
  for (int side = 0; side < SIDES; side++) {
    vd_reach reach;
    double displaced[3];
    vd_arm_point(c, at, side, point, &reach, displaced);
    memcpy(g->arm[side], reach.arm[0], sizeof g->arm[side]);
    for (int i = 0; i < 3; i++)
      g->d[i] += sign[side] * displaced[i];
  }
}

/* Computes the derivatives of the gap by each of the twelve coordinates. */
static void gap_slopes(const gap *g, double by[PAIR][3]) {
  for (int k = 0; k < PAIR; k++) {
    int side = k / 6, i = k % 3;
    if (k % 6 < 3)
      memcpy(by[k], vd_unit_vectors[i], sizeof by[k]);
    else
      vd_cross(vd_unit_vectors[i], g->arm[side], by[k]);
    for (int j = 0; j < 3; j++)
      by[k][j] *= sign[side];
  }
}

/* Adds U = k x^2/2, where x = n . d is the displacement along an axis n that turns with body `of'. */
static void add_along(const vd_compliance *c, vd_equations *e, const gap *g, int of, const double *n, double k) {
  double by[PAIR][3], slope[PAIR], h[PAIR][PAIR] = {{0.0}}, turning[3], x = vd_dot(n, g->d);
  int turn = 6 * of + 3;
  gap_slopes(g, by);
  vd_cross(n, g->d, turning);
  for (int i = 0; i < PAIR; i++)
    slope[i] = vd_dot(n, by[i]) + (i >= turn && i < turn + 3 ? turning[i - turn] : 0.0);
  for (int side = 0; side < SIDES; side++) {
    const double along[3] = {sign[side] * n[0], sign[side] * n[1], sign[side] * n[2]};
    vd_add_bend(&h[6 * side + 3][6 * side + 3], PAIR, along, g->arm[side]);
  }
  vd_add_bend(&h[turn][turn], PAIR, g->d, n);
  for (int i = 0; i < 3; i++) {
    double aside[3];
    vd_cross(vd_unit_vectors[i], n, aside);
    for (int j = 0; j < PAIR; j++) {
      h[turn + i][j] += vd_dot(aside, by[j]);
      h[j][turn + i] += vd_dot(aside, by[j]);
    }
  }
  for (int i = 0; i < PAIR; i++) {
    int row = column_of(c, i);
    e->value[row] += k * x * slope[i];
    for (int j = 0; j < PAIR; j++)
      e->matrix[row][column_of(c, j)] += k * (slope[i] * slope[j] + x * h[i][j]);
  }
  e->energy += 0.5 * k * x * x;
}

/* Adds the energy of the relative rotation. To the second order, two further rotations, phi_l of the left body and
 * phi_r of the right one, change the relative rotation by
 *   delta = phi_l - phi_r - phi_r x phi_l/2
 * t becomes t + A delta - |delta|^2 t/8 as in vd_add_turn, with delta in the axes of the right body. With G the
 * derivative by delta in the axes of the chassis, the last term of delta adds phi_r . (G x phi_l)/2. */
static void add_turns(const vd_compliance *c, const vd_bodies *at, vd_equations *e) {
  const double *r = vd_arm_turn(at, RIGHT), back[4] = {r[0], -r[1], -r[2], -r[3]};
  double q[4], g[3], h[3][3], slope[3], turned[3], by[3][3] = {{0.0}}, rotation[3][3];
  vd_turn_product(back, vd_arm_turn(at, LEFT), q); /* rotation of the left arm in the axes of the right one */
  const double a[3][3] = {{q[0], q[3], -q[2]}, {-q[3], q[0], q[1]}, {q[2], -q[1], q[0]}};
  const double t[3] = {2.0 * q[1], 2.0 * q[2], 2.0 * q[3]};
  vd_bushing_energy(&c->beam.joint, 3, t, g, h);
  vd_turn_matrix(vd_arm_turn(at, RIGHT), rotation);
  double ra[3][3] = {{0.0}}; /* A' in the axes of the chassis */
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++)
        ra[i][j] += rotation[i][k] * a[j][k];
  for (int i = 0; i < 3; i++) {
    slope[i] = vd_dot(ra[i], g);
    for (int j = 0; j < 3; j++) {
      for (int k = 0; k < 3; k++)
        by[i][j] += ra[i][k] * vd_dot(h[k], ra[j]);
      by[i][j] -= i == j ? 0.25 * vd_dot(g, t) : 0.0;
    }
  }
  int left = turn_of(c, LEFT), right = turn_of(c, RIGHT);
  for (int i = 0; i < 3; i++) {
    e->value[left + i] += slope[i];
    e->value[right + i] -= slope[i];
    vd_cross(slope, vd_unit_vectors[i], turned);
    for (int j = 0; j < 3; j++) {
      e->matrix[left + i][left + j] += by[i][j];
      e->matrix[right + i][right + j] += by[i][j];
      e->matrix[right + j][left + i] += 0.5 * turned[j] - by[j][i];
      e->matrix[left + i][right + j] += 0.5 * turned[j] - by[j][i];
    }
  }
  e->energy += 0.5 * vd_dot(g, t);
}

static void add_joint(const vd_compliance *c, const vd_bodies *at, vd_equations *e) {
  const vd_elastic_beam *b = &c->beam;
  gap across, along;
  find_gap(c, at, b->shear_centre, &across);
  find_gap(c, at, b->centroid, &along);
  for (int of = 0; of < SIDES; of++)
    for (int k = 0; k < 3; k++) {
      double n[3];
      vd_turned(vd_arm_turn(at, of), b->joint.axis[k], n);
      add_along(c, e, k == 1 ? &along : &across, of, n, 0.5 * b->linear.stiffness[k]);
    }
  add_turns(c, at, e);
}

/* --- pivots --- */

const vd_elastic_bushing *vd_pivot_bushing(const vd_compliance *c, int side) {
  return side == LEFT ? &c->link[0].bushing[0] : &c->beam.pivot;
}

static void add_pivot(vd_compliance *c, const vd_bodies *at, int side) {
  vd_reach reach;
  double pivot[3], displaced[3];
  vd_at_side(c->corner.points.member[0].chassis[0], side, pivot);
  vd_arm_point(c, at, side, pivot, &reach, displaced);
  if (c->link[0].fixed[0]) {
    for (int i = 0; i < 3; i++)
      vd_add_row(&c->e, &reach, displaced[i], vd_unit_vectors[i], NULL);
    return;
  }
  vd_add_displacement(&c->e, &reach, displaced, vd_pivot_bushing(c, side));
  vd_add_turn(&c->e, turn_of(c, side), vd_arm_turn(at, side), vd_pivot_bushing(c, side));
}

void vd_add_beam(vd_compliance *c, const vd_bodies *at) {
  for (int side = 0; side < SIDES; side++)
    add_pivot(c, at, side);
  add_joint(c, at, &c->e);
}

/* Starts the right arm at the rigid linkage's pose. */
void vd_beam_start(const vd_compliance *c, vd_bodies *at) {
  double turn[3][3];
  const vd_pose *right = &c->rigid_right; /* mirrored */
  for (int i = 0; i < 3; i++)
    at->offset[0][i] = (i == 1 ? -1.0 : 1.0) * (right->at[i] - c->corner.points.wheel_center[i]);
  memcpy(turn, right->turn, sizeof turn);
  vd_turn_from_matrix(turn, at->member_turn[0]);
  at->member_turn[0][1] = -at->member_turn[0][1];
  at->member_turn[0][3] = -at->member_turn[0][3];
}

/* --- the force in the beam --- */

/* Computes the force in the beam. Force and moment about the wheel centre are the derivatives of the beam's energy by
 * the motion of the left arm. */
void vd_beam_force(const vd_compliance *c, const vd_bodies *at, double *place, double *force, double *moment) {
  const double *centre = c->corner.points.wheel_center;
  vd_equations e;
  vd_reach reach;
  double arm[3], displaced[3], about[3];
  memset(&e, 0, sizeof e);
  add_joint(c, at, &e);
  vd_arm_point(c, at, LEFT, c->beam.shear_centre, &reach, displaced);
  for (int i = 0; i < 3; i++) {
    place[i] = c->beam.shear_centre[i] + displaced[i];
    arm[i] = place[i] - centre[i] - at->shift[i];
    force[i] = -e.value[VD_SHIFT + i];
  }
  vd_cross(arm, force, about);
  for (int i = 0; i < 3; i++)
    moment[i] = -e.value[VD_TURN + i] - about[i];
}
