/* A rigid axle that steers: knuckles as bodies of their own, which turn about kingpins on the axle, and their rods.
 *
 * The axle has the columns of a corner's knuckle. Each of its knuckles adds a rotation about the lower point of its
 * kingpin, which is fixed to the axle; the upper point is constrained across the kingpin. Drag link and tie rod are
 * rods with ball joints, rigid or elastic along their lines (the drag link's stiffness includes the gear's). A tie rod
 * that joins the drag link is attached to a point between the drag link's ends, at a constant share of its length: the
 * link stretches evenly. */
#include "compliance/compliance_impl.h"

enum { LOWER, UPPER, SIDES = 2 };

void vd_steered_point(const vd_compliance *c, const vd_bodies *at, int side, const double *point, vd_reach *reach,
                      double *displaced) {
  const double *pin = c->corner.points.steer.kingpin[side][LOWER];
  double change[2][3];
  *reach = (vd_reach){.shift = VD_SHIFT, .offset = -1, .slide = -1, .turns = 2, .turn = {VD_TURN, c->knuckle[side]}};
  vd_turned_arm(at->turn, c->corner.points.wheel_center, pin, reach->arm[0], change[0]);
  vd_turned_arm(at->knuckle_turn[side], pin, point, reach->arm[1], change[1]);
  for (int i = 0; i < 3; i++)
    displaced[i] = at->shift[i] + change[0][i] + change[1][i];
}

/* --- kingpins --- */

/* Adds two constraints across a kingpin, which make the upper points coincide: axle and knuckle have the same distance
 * between both points. */
static void add_kingpin(vd_compliance *c, const vd_bodies *at, int side) {
  const vd_axle_steer *s = &c->corner.points.steer;
  const double(*pin)[3] = s->kingpin[side];
  vd_reach reach = {.shift = -1, .offset = -1, .slide = -1, .turns = 2, .turn = {c->knuckle[side], VD_TURN}};
  double change[2][3], along[3];
  vd_between(pin[LOWER], pin[UPPER], along);
  vd_turned_arm(at->knuckle_turn[side], pin[LOWER], pin[UPPER], reach.arm[0], change[0]);
  vd_turned_arm(at->turn, pin[LOWER], pin[UPPER], reach.arm[1], change[1]);
  for (int i = 0; i < 3; i++)
    reach.arm[1][i] = -reach.arm[1][i];
  c->pin[side] = c->e.rows;
  for (int i = 0; i < 3; i++)
    if (i != vd_steepest(along))
      vd_add_row(&c->e, &reach, change[0][i] - change[1][i], vd_unit_vectors[i], NULL);
}

void vd_kingpin_force(const vd_compliance *c, const vd_bodies *at, int side, double *force) {
  const double(*pin)[3] = c->corner.points.steer.kingpin[side];
  double along[3];
  vd_between(pin[LOWER], pin[UPPER], along);
  int row = c->pin[side];
  for (int i = 0; i < 3; i++)
    force[i] = i == vd_steepest(along) ? 0.0 : -at->multiplier[row++];
}

/* --- rods --- */

static const double *gear_joint(const vd_compliance *c) {
  return c->shifted.points.steer.drag_link[0];
}

static double tie_rod_length(const vd_axle_steer *s) {
  double joint[3];
  vd_tie_rod_joint(s, joint);
  return vd_distance(joint, s->tie_rod[!s->driven_side]);
}

/* Computes the end of a rod at a knuckle, and its place. */
static void rod_end(const vd_compliance *c, const vd_bodies *at, int side, const double *joint, vd_reach *reach,
                    double *place) {
  double displaced[3];
  vd_steered_point(c, at, side, joint, reach, displaced);
  for (int i = 0; i < 3; i++)
    place[i] = joint[i] + displaced[i];
}

/* Finds the place of the tie rod's base, and the reach of the drag link's end or driven knuckle on which it depends.
 * Returns the share of this end's motion with which the base moves. */
static double find_base(const vd_compliance *c, const vd_bodies *at, vd_reach *reach, double *place) {
  const vd_axle_steer *s = &c->corner.points.steer;
  double share = s->tie_rod_on_drag_link ? vd_tie_rod_share(s) : 1.0;
  rod_end(c, at, s->driven_side, s->tie_rod_on_drag_link ? s->drag_link[1] : s->tie_rod[s->driven_side], reach, place);
  for (int i = 0; i < 3; i++)
    place[i] += (1.0 - share) * (gear_joint(c)[i] - place[i]);
  return share;
}

/* Adds the tie rod. Both ends move with the rotation of the axle, so the difference of their lever arms is entered. */
static void add_tie_rod(vd_compliance *c, const vd_bodies *at) {
  const vd_axle_steer *s = &c->corner.points.steer;
  const int other = !s->driven_side;
  double base[3], end[3], d[3];
  vd_reach from, reach;
  double share = find_base(c, at, &from, base);
  rod_end(c, at, other, s->tie_rod[other], &reach, end);
  vd_between(base, end, d);
  reach.lag = share;
  reach.turns = 3;
  reach.turn[2] = from.turn[1];
  for (int i = 0; i < 3; i++) {
    reach.arm[0][i] -= share * from.arm[0][i];
    reach.arm[2][i] = -share * from.arm[1][i];
  }
  c->tie_rod = vd_add_rod(&c->e, &reach, d, tie_rod_length(s), s->tie_rod_stiffness);
}

void vd_add_steering(vd_compliance *c, const vd_bodies *at) {
  const vd_axle_steer *s = &c->corner.points.steer;
  double end[3], d[3];
  vd_reach reach;
  for (int side = 0; side < SIDES; side++)
    add_kingpin(c, at, side);
  rod_end(c, at, s->driven_side, s->drag_link[1], &reach, end);
  vd_between(gear_joint(c), end, d);
  c->drag_link = vd_add_rod(&c->e, &reach, d, vd_distance(s->drag_link[0], s->drag_link[1]), s->drag_link_stiffness);
  add_tie_rod(c, at);
}

/* --- the interface --- */

void vd_steering_start(const vd_compliance *c, vd_bodies *at) {
  for (int side = 0; side < SIDES; side++) {
    vd_pose knuckle;
    vd_knuckle_pose(&c->linkage, &c->rigid, side, &knuckle);
    vd_turn_from_matrix(knuckle.turn, at->knuckle_turn[side]);
  }
}

void vd_steering_forces(const vd_compliance *c, const vd_bodies *at, vd_rod_force *drag_link, vd_rod_force *tie_rod) {
  const vd_axle_steer *s = &c->corner.points.steer;
  const struct {
    vd_rod_force *out;
    int row;
    double stiffness, length;
  } rod[2] = {{drag_link, c->drag_link, s->drag_link_stiffness, vd_distance(s->drag_link[0], s->drag_link[1])},
              {tie_rod, c->tie_rod, s->tie_rod_stiffness, tie_rod_length(s)}};
  vd_reach reach;
  memcpy(drag_link->from, gear_joint(c), sizeof drag_link->from);
  rod_end(c, at, s->driven_side, s->drag_link[1], &reach, drag_link->to);
  find_base(c, at, &reach, tie_rod->from);
  rod_end(c, at, !s->driven_side, s->tie_rod[!s->driven_side], &reach, tie_rod->to);
  for (int k = 0; k < 2; k++) {
    double now = vd_distance(rod[k].out->from, rod[k].out->to);
    rod[k].out->pull =
        rod[k].row < 0 ? rod[k].stiffness * (now - rod[k].length) : at->multiplier[rod[k].row] * now / rod[k].length;
  }
}
