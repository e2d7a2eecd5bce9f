/* The wheel on the road: where it stands, and what acts on it. */
#include "kc/compliance_impl.h"

/* Point -r e with e = (z - s_z s)/w, w = sqrt(1 - s_z^2), s the spin axis. With ds = axis x s
 *   de = -(ds_z s + s_z ds)/w + e s_z ds_z/w^2 */
static void lowest_of(const vd_compliance *c, const double *axle, const double *turn, double *point,
                      double slope[3][3]) {
  double s[3], e[3], radius = c->linkage.points.static_radius;
  vd_turned(turn, axle, s);
  double w = sqrt(s[0] * s[0] + s[1] * s[1]);
  for (int i = 0; i < 3; i++) {
    e[i] = ((i == 2) - s[2] * s[i]) / w;
    point[i] = -radius * e[i];
  }
  for (int j = 0; slope && j < 3; j++) {
    double axis[3] = {j == 0, j == 1, j == 2}, ds[3];
    vd_cross(axis, s, ds);
    for (int i = 0; i < 3; i++)
      slope[j][i] = radius * ((ds[2] * s[i] + s[2] * ds[i]) / w - e[i] * s[2] * ds[2] / (w * w));
  }
}

void vd_lowest_point(const vd_compliance *c, const double *turn, double *point, double slope[3][3]) {
  lowest_of(c, c->linkage.spin_axis, turn, point, slope);
}

/* The moment of the load about the wheel centre, with its slopes by the turn. Of a wheel that rolls its part along the
 * spin axis is left to the bearing. */
static void find_moment(const vd_compliance *c, const vd_wheel_load *load, const double *axle, const double *turn,
                        double *moment, double slope[3][3]) {
  const double force[3] = {load->fx, load->fy, load->fz};
  double point[3], by[3][3], s[3];
  lowest_of(c, axle, turn, point, by);
  vd_turned(turn, axle, s);
  vd_cross(point, force, moment);
  moment[2] += load->mz;
  double along = vd_dot(moment, s), held = load->torque - (load->rolls ? along : 0.0);
  for (int j = 0; j < 3; j++) {
    double axis[3] = {j == 0, j == 1, j == 2}, ds[3];
    vd_cross(by[j], force, slope[j]);
    vd_cross(axis, s, ds);
    double more = load->rolls ? vd_dot(slope[j], s) + vd_dot(moment, ds) : 0.0;
    for (int i = 0; i < 3; i++)
      slope[j][i] += held * ds[i] - more * s[i];
  }
  for (int i = 0; i < 3; i++)
    moment[i] += held * s[i];
}

/* A point of a rigid axle, aside from the left wheel centre. */
static void off_centre(const vd_bodies *at, double aside, vd_reach *reach, double *moved) {
  const double off[3] = {0.0, aside, 0.0};
  vd_turn_change(at->turn, off, moved);
  for (int i = 0; i < 3; i++) {
    reach->arm[0][i] = off[i] + moved[i];
    moved[i] += at->shift[i];
  }
}

/* A moment's work on phi is M . (1 + phi x/2) dphi, so that half the cross product of M joins its slopes. The forces
 * have no energy: a brake's force does work on the turn, but the lowest point does not go with the knuckle. centre: how
 * the wheel centre depends on the coordinates; turn_column: of the body whose turn is q. */
static void add_load(vd_compliance *c, const vd_wheel_load *load, const double *axle, const vd_reach *centre,
                     int turn_column, const double *q) {
  const double force[3] = {-(load->fx + load->centre[0]), -(load->fy + load->centre[1]), -(load->fz + load->centre[2])};
  double moment[3], slope[3][3];
  find_moment(c, load, axle, q, moment, slope);
  vd_add_point(&c->e, centre, force, NULL);
  for (int i = 0; i < 3; i++) {
    int next = (i + 1) % 3, last = (i + 2) % 3;
    c->e.value[turn_column + i] -= moment[i];
    for (int j = 0; j < 3; j++)
      c->e.matrix[turn_column + i][turn_column + j] -= slope[j][i];
    c->e.matrix[turn_column + i][turn_column + next] += 0.5 * moment[last];
    c->e.matrix[turn_column + i][turn_column + last] -= 0.5 * moment[next];
  }
}

void vd_add_wheel_load(vd_compliance *c, const vd_statics *t, const vd_bodies *at) {
  const double *p = c->corner.points.wheel_center, *s = c->linkage.spin_axis;
  vd_reach centre = {.shift = VD_SHIFT, .offset = -1, .slide = -1};
  double moved[3];
  add_load(c, &t->load, s, &centre, VD_TURN, at->turn);
  if (!c->joined)
    return;
  const double place[3] = {p[0], -p[1], p[2]}, mirrored[3] = {-s[0], s[1], -s[2]};
  centre = (vd_reach){.shift = VD_SHIFT, .offset = -1, .slide = -1, .turns = 1, .turn = {VD_TURN}};
  if (c->twists)
    vd_arm_point(c, at, 1, place, &centre, moved);
  else
    off_centre(at, -2.0 * p[1], &centre, moved);
  add_load(c, &t->right, mirrored, &centre, centre.turn[0], vd_arm_turn(at, c->twists));
}

/* Height of the lowest point: that of the centre less r w(s_z), w = sqrt(1 - s_z^2); dw/ds_z = -s_z/w, and the second
 * -1/w^3. */
static int stand(vd_compliance *c, const vd_statics *t, const vd_bodies *at, double side) {
  const double *centre = c->corner.points.wheel_center, up[3] = {0.0, 0.0, 1.0};
  const double radius = c->linkage.points.static_radius,
               axis[3] = {side * c->linkage.spin_axis[0], c->linkage.spin_axis[1], side * c->linkage.spin_axis[2]};
  const double place[3] = {centre[0], side * centre[1], centre[2]};
  const int body = c->twists && side < 0.0;
  vd_reach middle = {.shift = VD_SHIFT, .offset = -1, .slide = -1, .turns = 1, .turn = {VD_TURN}};
  double moved[3];
  if (c->twists)
    vd_arm_point(c, at, body, place, &middle, moved);
  else
    off_centre(at, (side - 1.0) * centre[1], &middle, moved);
  vd_reach spin = {.shift = -1, .offset = -1, .slide = -1, .turns = 1, .turn = {middle.turn[0]}};
  vd_turned(vd_arm_turn(at, body), axis, spin.arm[0]);
  double s = spin.arm[0][2], w = sqrt(1.0 - s * s);
  double slope[3] = {0.0, 0.0, radius * s / w}, bend[3][3] = {{0.0}};
  bend[2][2] = radius / (w * w * w);
  int row = vd_add_row(&c->e, &middle, centre[2] + moved[2] - radius * w - t->ground, up, NULL);
  vd_extend_row(&c->e, row, &spin, slope, bend);
  return row;
}

int vd_add_ground(vd_compliance *c, const vd_statics *t, const vd_bodies *at) {
  if (c->joined)
    stand(c, t, at, -1.0);
  return stand(c, t, at, 1.0);
}
