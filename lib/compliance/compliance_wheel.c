/* The wheel on the road: its place, and the loads on it. */
#include "compliance/compliance_impl.h"

void vd_wheel_axle(const vd_compliance *c, int side, double *axle) {
  const double *s = c->linkage.spin_axis, mirror = side ? -1.0 : 1.0;
  axle[0] = mirror * s[0];
  axle[1] = s[1];
  axle[2] = mirror * s[2];
}

const double *vd_wheel_turn(const vd_compliance *c, const vd_bodies *at, int side) {
  return c->steers ? at->knuckle_turn[side] : vd_arm_turn(at, c->twists && side);
}

int vd_wheel_turn_column(const vd_compliance *c, int side) {
  return c->steers ? c->knuckle[side] : c->twists && side ? c->link[0].turn : VD_TURN;
}

/* The right wheel centre of a rigid axle that does not steer is a point of the axle, as the left wheel centre is. */
void vd_wheel_point(const vd_compliance *c, const vd_bodies *at, int side, vd_reach *reach, double *displaced) {
  double centre[3];
  vd_at_side(c->corner.points.wheel_center, side, centre);
  if (c->steers || c->twists) {
    (c->steers ? vd_steered_point : vd_arm_point)(c, at, side, centre, reach, displaced);
    return;
  }
  const double off[3] = {0.0, centre[1] - c->corner.points.wheel_center[1], 0.0};
  vd_knuckle_point(at, off, reach, displaced);
  reach->turns = side;
}

/* The lowest point is at -r e with e = (z - s_z s)/w, w = sqrt(1 - s_z^2), s the spin axis. With ds = axis x s
 *   de = -(ds_z s + s_z ds)/w + e s_z ds_z/w^2 */
void vd_lowest_point(const vd_compliance *c, int side, const double *turn, double *point, double slope[3][3]) {
  double axle[3], s[3], e[3], radius = c->linkage.points.static_radius;
  vd_wheel_axle(c, side, axle);
  vd_turned(turn, axle, s);
  double w = sqrt(s[0] * s[0] + s[1] * s[1]);
  for (int i = 0; i < 3; i++) {
    e[i] = ((i == 2) - s[2] * s[i]) / w;
    point[i] = -radius * e[i];
  }
  for (int j = 0; slope && j < 3; j++) {
    double ds[3];
    vd_cross(vd_unit_vectors[j], s, ds);
    for (int i = 0; i < 3; i++)
      slope[j][i] = radius * ((ds[2] * s[i] + s[2] * ds[i]) / w - e[i] * s[2] * ds[2] / (w * w));
  }
}

vd_wheel_load vd_mirrored_load(const vd_wheel_load *load) {
  static const double axial[3] = {-1.0, 1.0, -1.0}; /* signs of moments and rotations in the mirror image */
  vd_wheel_load own = *load;
  own.fy = -own.fy;
  own.mz = -own.mz;
  own.centre[1] = -own.centre[1];
  for (int i = 0; i < 3; i++) {
    own.by_gibbs[i] *= axial[i];
    own.from[1 + i] *= axial[i];
  }
  return own;
}

/* Adds a moment, with its slopes, that is given as the derivatives of its work by Gibbs' vector g: a rotation w changes
 * g by w - g x w/2 + (g . w) g/4. */
static void add_by_gibbs(const vd_wheel_load *load, const double *turn, double *moment, double slope[3][3]) {
  const double *p = load->by_gibbs, *f = load->from, back[4] = {f[0], -f[1], -f[2], -f[3]};
  double q[4], g[3], across[3];
  vd_turn_product(turn, back, q);
  for (int i = 0; i < 3; i++)
    g[i] = 2.0 * q[1 + i] / q[0];
  const double work = vd_dot(g, p);
  vd_cross(g, p, across);
  for (int i = 0; i < 3; i++)
    moment[i] += p[i] + 0.5 * across[i] + 0.25 * work * g[i];
  for (int j = 0; j < 3; j++) {
    double by[3];
    vd_cross(g, vd_unit_vectors[j], by);
    for (int i = 0; i < 3; i++)
      by[i] = (i == j) - 0.5 * by[i] + 0.25 * g[j] * g[i];
    const double more = vd_dot(by, p);
    vd_cross(by, p, across);
    for (int i = 0; i < 3; i++)
      slope[j][i] += 0.5 * across[i] + 0.25 * (more * g[i] + work * by[i]);
  }
}

/* Computes the moment of the load about the wheel centre, with its slopes by the rotation. If the wheel rolls, the
 * bearing transmits no moment along the spin axis. */
static void find_moment(const vd_compliance *c, const vd_wheel_load *load, int side, const double *turn, double *moment,
                        double slope[3][3]) {
  const double force[3] = {load->fx, load->fy, load->fz};
  double axle[3], point[3], by[3][3], s[3];
  if (load->fx == 0.0 && load->fy == 0.0 && load->fz == 0.0 && load->mz == 0.0 && load->torque == 0.0) {
    memset(moment, 0, 3 * sizeof *moment);
    memset(slope, 0, 9 * sizeof **slope);
    if (load->from[0] != 0.0)
      add_by_gibbs(load, turn, moment, slope);
    return;
  }
  vd_wheel_axle(c, side, axle);
  vd_lowest_point(c, side, turn, point, by);
  vd_turned(turn, axle, s);
  vd_cross(point, force, moment);
  moment[2] += load->mz;
  double along = vd_dot(moment, s), along_axle = load->torque - (load->rolls ? along : 0.0);
  for (int j = 0; j < 3; j++) {
    double ds[3];
    vd_cross(by[j], force, slope[j]);
    vd_cross(vd_unit_vectors[j], s, ds);
    double more = load->rolls ? vd_dot(slope[j], s) + vd_dot(moment, ds) : 0.0;
    for (int i = 0; i < 3; i++)
      slope[j][i] += along_axle * ds[i] - more * s[i];
  }
  for (int i = 0; i < 3; i++)
    moment[i] += along_axle * s[i];
  if (load->from[0] != 0.0)
    add_by_gibbs(load, turn, moment, slope);
}

/* Adds a load. The work of a moment M on phi is M . (1 + phi x/2) dphi, so half of M's cross product adds to the
 * slopes. The forces do not derive from an energy: the force on a braked wheel works on the rotation, but the lowest
 * point does not move with the knuckle. */
static void add_load(vd_compliance *c, const vd_wheel_load *load, const vd_bodies *at, int side) {
  const double force[3] = {-(load->fx + load->centre[0]), -(load->fy + load->centre[1]), -(load->fz + load->centre[2])};
  const int turn_column = vd_wheel_turn_column(c, side);
  double moment[3], slope[3][3], displaced[3];
  vd_reach centre;
  vd_wheel_point(c, at, side, &centre, displaced);
  find_moment(c, load, side, vd_wheel_turn(c, at, side), moment, slope);
  vd_add_point(&c->e, &centre, force, NULL);
  for (int i = 0; i < 3; i++) {
    int next = (i + 1) % 3, last = (i + 2) % 3;
    c->e.value[turn_column + i] -= moment[i];
    for (int j = 0; j < 3; j++)
      c->e.matrix[turn_column + i][turn_column + j] -= slope[j][i];
    c->e.matrix[turn_column + i][turn_column + next] += 0.5 * moment[last];
    c->e.matrix[turn_column + i][turn_column + last] -= 0.5 * moment[next];
  }
}

void vd_add_wheel_load(vd_compliance *c, const vd_load_case *t, const vd_bodies *at) {
  add_load(c, &t->load, at, 0);
  if (c->joined)
    add_load(c, &t->right, at, 1);
}

void vd_add_load(const vd_wheel_load *load, double share, vd_wheel_load *to) {
  to->fx += share * load->fx;
  to->fy += share * load->fy;
  to->fz += share * load->fz;
  to->mz += share * load->mz;
  to->torque += share * load->torque;
  for (int i = 0; i < 3; i++) {
    to->centre[i] += share * load->centre[i];
    to->by_gibbs[i] += share * load->by_gibbs[i];
  }
}

void vd_change_wheel_load(vd_compliance *c, const vd_load_case *before, const vd_load_case *now, const vd_bodies *at) {
  vd_load_case change = *now;
  vd_add_load(&before->load, -1.0, &change.load);
  vd_add_load(&before->right, -1.0, &change.right);
  vd_add_wheel_load(c, &change, at);
}

/* Adds the constraint of the ground: the height of the lowest point is that of the centre minus r w(s_z), w = sqrt(1 -
 * s_z^2); dw/ds_z = -s_z/w, and the second derivative is -1/w^3. */
static int add_ground(vd_compliance *c, const vd_load_case *t, const vd_bodies *at, int side) {
  const double radius = c->linkage.points.static_radius;
  double centre[3], axle[3], displaced[3];
  vd_reach middle, spin = {.shift = -1, .offset = -1, .slide = -1, .turns = 1};
  vd_at_side(c->corner.points.wheel_center, side, centre);
  vd_wheel_axle(c, side, axle);
  vd_wheel_point(c, at, side, &middle, displaced);
  spin.turn[0] = vd_wheel_turn_column(c, side);
  vd_turned(vd_wheel_turn(c, at, side), axle, spin.arm[0]);
  double s = spin.arm[0][2], w = sqrt(1.0 - s * s);
  double slope[3] = {0.0, 0.0, radius * s / w}, bend[3][3] = {{0.0}};
  bend[2][2] = radius / (w * w * w);
  int row =
      vd_add_row(&c->e, &middle, centre[2] + displaced[2] - radius * w - t->ground[side], vd_unit_vectors[2], NULL);
  vd_extend_row(&c->e, row, &spin, slope, bend);
  return row;
}

int vd_add_holds(vd_compliance *c, const vd_load_case *t, const vd_bodies *at) {
  int row = -1;
  for (int side = c->joined ? 1 : 0; side >= 0; side--) {
    vd_reach reach;
    double displaced[3];
    vd_wheel_point(c, at, side, &reach, displaced);
    row = t->hold == VD_HOLD_GROUND
              ? add_ground(c, t, at, side)
              : vd_add_row(&c->e, &reach, displaced[2] - t->height[side], vd_unit_vectors[2], NULL);
  }
  return row;
}
