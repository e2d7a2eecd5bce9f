/* Converts multipliers of constraints and laws of bushings to forces on bodies. */
#include "kc/joint_forces.h"
#include "compliance/compliance_impl.h"

#include <math.h>

typedef struct list {
  const vd_compliance *c;
  const vd_bodies *at;
  vd_joint_force *out;
  size_t count;
} list;

static const double no_moment[3] = {0.0, 0.0, 0.0};

/* The bodies that the members guide, and that carry a wheel. */
static const char *const arm_names[] = {"knuckle", "other_knuckle"};

static const char *held_body(const list *l) {
  return l->c->steers ? "axle" : arm_names[0];
}

static const char *carrier(const list *l, int side) {
  return arm_names[(l->c->twists || l->c->steers) && side];
}

static void add_force(list *l, const char *from, const char *on, const char *point, const double *at,
                      const double *force, const double *moment) {
  vd_joint_force *f = &l->out[l->count++];
  *f = (vd_joint_force){.from = from, .on = on, .point = point, .pull = NAN};
  memcpy(f->at, at, sizeof f->at);
  memcpy(f->force, force, sizeof f->force);
  memcpy(f->moment, moment, sizeof f->moment);
}

static void note_pull(const list *l, size_t row, const double *far, const double *force) {
  double line[3];
  vd_between(far, l->out[row].at, line);
  l->out[row].pull = vd_dot(force, line) / vd_norm(line);
}

/* --- places --- */

static void knuckle_place(const list *l, const double *design, double *at) {
  const double *centre = l->c->corner.points.wheel_center;
  double arm[3];
  vd_between(centre, design, arm);
  vd_turned(l->at->turn, arm, at);
  for (int i = 0; i < 3; i++)
    at[i] += centre[i] + l->at->shift[i];
}

/* Returns the body to which a member belongs: the member itself, or the first rod of a blade. */
static int body_of(const list *l, int m) {
  return l->c->link[m].on_first_rod ? 0 : m;
}

static bool is_knuckle(enum vd_member_kind kind) {
  return kind == VD_SLIDER || kind == VD_HINGE;
}

/* Finds the place of a point of an elastic arm or rod. */
static void member_place(const list *l, int m, const double *design, double *at) {
  const double *ball = l->c->corner.points.member[m].knuckle;
  double arm[3], turned[3];
  knuckle_place(l, ball, at);
  vd_between(ball, design, arm);
  vd_turned(l->at->member_turn[m], arm, turned);
  for (int i = 0; i < 3; i++)
    at[i] += l->at->offset[m][i] + turned[i];
}

/* Finds the place of a point of any member. */
static void part_place(const list *l, int m, const double *design, double *at) {
  if (is_knuckle(l->c->corner.points.member[m].kind)) {
    knuckle_place(l, design, at);
  } else if (l->c->link[m].elastic) {
    member_place(l, body_of(l, m), design, at);
  } else {
    vd_pose pose = {.u = {l->c->rigid.u[0], l->c->rigid.u[1]}};
    for (int i = 0; i < 3; i++)
      pose.at[i] = l->c->corner.points.wheel_center[i] + l->at->shift[i];
    vd_turn_matrix(l->at->turn, pose.turn);
    vd_jet3_value(vd_member_point(&l->c->shifted, &pose, m, design), at);
  }
}

/* Finds the present place of a point of either arm of a twist beam from its place in the design position. */
static void arm_place(const list *l, int side, const double *design, double *at) {
  vd_reach reach;
  double displaced[3];
  vd_arm_point(l->c, l->at, side, design, &reach, displaced);
  for (int i = 0; i < 3; i++)
    at[i] = design[i] + displaced[i];
}

/* Replaces the components of two forces along the line through their points by the mean of both. */
static void share_along(const double *a, const double *b, double *force_a, double *force_b) {
  double line[3];
  vd_between(a, b, line);
  double shift = 0.5 * (vd_dot(force_b, line) - vd_dot(force_a, line)) / vd_dot(line, line);
  vd_add_share(shift, line, force_a);
  vd_add_share(-shift, line, force_b);
}

/* --- the spring --- */

typedef struct spring_force {
  bool acts;
  int on; /* enum vd_part */
  double at[3], force[3];
  /* the spring's ends, and its force on the outer one, compression > 0; rod: end of a rocker's rod on the rocker */
  double chassis[3], eye[3], size, rod[3];
} spring_force;

/* Finds the rocker's pose for a knuckle that only translates, as vd_coil_force assumes. */
static void find_rocker(const list *l, const vd_element *spring, const double *displaced, spring_force *p) {
  vd_pose pose = {.turn = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
  vd_jet3 eye, rod;
  memcpy(pose.at, l->c->corner.points.wheel_center, sizeof pose.at);
  vd_add_share(1.0, displaced, pose.at);
  vd_rocker_points(&l->c->shifted, &pose, spring, &eye, &rod);
  vd_jet3_value(eye, p->eye);
  vd_jet3_value(rod, p->rod);
}

static void find_spring(const list *l, double side, spring_force *p) {
  vd_element spring = l->c->corner.points.spring;
  const vd_member *part = spring.on == VD_ON_KNUCKLE ? NULL : &l->c->corner.points.member[spring.on - VD_ON_MEMBER];
  double place[3], displaced[3], slope[3], h[3][3], share;
  *p = (spring_force){.acts = l->c->sprung, .on = spring.on};
  if (!p->acts)
    return;
  spring.chassis[1] *= side;
  spring.eye[1] *= side;
  double *end = spring.rocker ? spring.rod_part : spring.eye;
  /* a point that counts as on the rod's line is moved onto it */
  if (part && part->kind == VD_ROD && !vd_rod_carries_off_line(part, end, &share))
    for (int i = 0; i < 3; i++)
      end[i] = part->chassis[0][i] + share * (part->knuckle[i] - part->chassis[0][i]);
  if (l->c->twists)
    arm_place(l, side < 0.0, end, place);
  else if (!part)
    knuckle_place(l, end, place);
  else
    part_place(l, spring.on - VD_ON_MEMBER, end, place);
  memcpy(p->at, place, sizeof place);
  spring.on = VD_ON_KNUCKLE;
  vd_between(end, place, displaced);
  p->size = vd_coil_force(l->c, &spring, displaced, slope, h);
  memcpy(p->chassis, spring.chassis, sizeof p->chassis);
  memcpy(p->eye, place, sizeof p->eye);
  vd_add_share(p->size, slope, p->force);
  if (spring.rocker)
    find_rocker(l, &spring, displaced, p);
}

/* Returns the force of the spring on the body of a member; it is 0 if the spring stands on another body. */
static const spring_force *spring_on(const spring_force *p, int member) {
  static const spring_force none = {.acts = false};
  return p->acts && p->on == VD_ON_MEMBER + member ? p : &none;
}

/* Lists the forces of the spring on its outer end and on the chassis. */
static void coil_ends(list *l, const char *on, const spring_force *p) {
  double out[3], in[3] = {0.0};
  vd_between(p->chassis, p->eye, out);
  double share = p->size / vd_norm(out);
  for (int i = 0; i < 3; i++)
    out[i] *= share;
  vd_add_share(-1.0, out, in);
  add_force(l, "spring", on, "spring.eye", p->eye, out, no_moment);
  l->out[l->count - 1].pull = -p->size;
  add_force(l, "spring", "chassis", "spring.chassis", p->chassis, in, no_moment);
}

/* Lists the forces on a rocker. The rod's force balances the moment about the axis; the pivot carries the remaining
 * force and the moment across the axis. */
static void rocker(list *l, const char *on, const spring_force *p) {
  const vd_element *spring = &l->c->corner.points.spring;
  double pivot[3] = {0.0}, moment[3] = {0.0};
  coil_ends(l, "spring_rocker", p);
  const double *coil = l->out[l->count - 2].force;
  add_force(l, "spring_rocker", "push_rod", "spring.rocker.rod_rocker", p->rod, p->force, no_moment);
  note_pull(l, l->count - 1, p->at, p->force);
  add_force(l, "push_rod", on, "spring.rocker.rod_part", p->at, p->force, no_moment);
  vd_add_share(1.0, p->force, pivot);
  vd_add_share(-1.0, coil, pivot);
  vd_add_moment(1.0, spring->pivot, p->rod, p->force, moment);
  vd_add_moment(-1.0, spring->pivot, p->eye, coil, moment);
  add_force(l, "chassis", "spring_rocker", "spring.rocker.pivot", spring->pivot, pivot, moment);
}

/* Returns the place at which the chassis supports a member. */
static const double *held_at(const list *l, int m, int p) {
  return l->c->shifted.points.member[m].chassis[p];
}

/* --- weights --- */

/* Returns the weight of a member, and the place of its centre of gravity; 0: it has no weight. */
static double weight_of(const list *l, int m, double *at) {
  const vd_compliance *c = l->c;
  memset(at, 0, 3 * sizeof *at);
  if (!c->has_weights || c->weight[m] == 0.0)
    return 0.0;
  const vd_member *member = &c->corner.points.member[m];
  double inner[3];
  if (member->kind != VD_ROD || (c->link[m].elastic && !c->link[m].between)) {
    part_place(l, m, c->middle[m], at);
    return c->weight[m];
  }
  if (c->link[m].between)
    member_place(l, member->base - VD_ON_MEMBER, member->chassis[0], inner);
  else
    memcpy(inner, held_at(l, m, 0), sizeof inner);
  knuckle_place(l, member->knuckle, at);
  for (int i = 0; i < 3; i++)
    at[i] = 0.5 * (at[i] + inner[i]);
  return c->weight[m];
}

static void add_weight(list *l, const char *on, const double *at, double weight) {
  const double down[3] = {0.0, 0.0, -weight};
  if (weight > 0.0)
    add_force(l, "gravity", on, "centre_of_gravity", at, down, no_moment);
}

static void weights(list *l) {
  const vd_compliance *c = l->c;
  const vd_hardpoints *p = &c->corner.points;
  double at[3], middle[3];
  if (!c->has_weights)
    return;
  for (int m = 0; m < p->members && !c->twists; m++) {
    const char *on = is_knuckle(p->member[m].kind) ? held_body(l) : p->member[body_of(l, m)].name;
    double weight = weight_of(l, m, at);
    add_weight(l, on, at, weight);
  }
  for (int side = 0; c->twists && side < 2; side++) {
    memcpy(middle, c->middle[0], sizeof middle);
    middle[1] *= side ? -1.0 : 1.0;
    arm_place(l, side, middle, at);
    add_weight(l, arm_names[side], at, c->weight[0]);
    vd_at_side(c->corner.points.wheel_center, side, middle);
    arm_place(l, side, middle, at);
    add_weight(l, arm_names[side], at, c->knuckle_weight);
  }
  if (c->twists)
    return;
  memcpy(middle, p->wheel_center, sizeof middle);
  if (c->linkage.axle)
    middle[1] = 0.0;
  knuckle_place(l, middle, at);
  add_weight(l, held_body(l), at, c->knuckle_weight);
}

/* --- members --- */

/* Computes the force and moment on a body at one of its chassis points, from a bushing or a ball joint. row:
 * multipliers of the body's ball joints. */
static void chassis_force(const list *l, int m, int p, const double *at, int *row, double *force, double *moment) {
  const vd_member *member = &l->c->corner.points.member[m];
  const vd_elastic_link *k = &l->c->link[m];
  double v[3], f[3], h[3][3], t[3], line[3];
  memset(force, 0, 3 * sizeof *force);
  memset(moment, 0, 3 * sizeof *moment);
  if (k->fixed[p]) {
    bool second = p == 1 && k->fixed[0];
    for (int i = 0; i < (second ? 2 : 3); i++)
      vd_add_share(-l->at->multiplier[(*row)++], second ? k->across[i] : vd_unit_vectors[i], force);
    return;
  }
  vd_between(l->c->shifted.points.member[m].chassis[p], at, v);
  vd_bushing_energy(&k->bushing[p], 0, v, f, h);
  if (member->kind == VD_SLIDER) {
    vd_turned(l->at->turn, k->axis, line);
    vd_bushing_tilt_moment(&k->bushing[p], k->axis, line, t);
  } else {
    vd_bushing_moment(&k->bushing[p], member->kind == VD_HINGE ? l->at->turn : l->at->member_turn[body_of(l, m)], t);
  }
  vd_add_share(-1.0, f, force);
  vd_add_share(-1.0, t, moment);
}

/* Computes the forces on the knuckle from the rigid joints of a member, at its chassis points. */
static void joint_forces(const list *l, int m, double force[2][3]) {
  const vd_linkage *linkage = &l->c->linkage;
  const vd_member *member = &linkage->points.member[m];
  const vd_elastic_link *k = &l->c->link[m];
  memset(force, 0, 6 * sizeof **force);
  for (int i = 0; i < k->joints; i++) {
    const vd_joint *j = &linkage->joint[k->joint + i];
    double size = -l->at->multiplier[l->c->row[m] + i], knuckle[3], place[3], n[3];
    int p = k->points == 2 && vd_distance(j->chassis, member->chassis[1]) < vd_distance(j->chassis, member->chassis[0]);
    if (j->kind == VD_JOINT_ROD) {
      for (int a = 0; a < 3; a++)
        knuckle[a] = linkage->points.wheel_center[a] + j->body[a];
      knuckle_place(l, knuckle, place);
      vd_between(l->c->shifted.points.member[m].chassis[p], place, n);
      size /= j->length;
    } else if (j->kind == VD_JOINT_SLIDE) {
      vd_turned(l->at->turn, j->direction, n);
    } else {
      memcpy(n, j->direction, sizeof n);
    }
    vd_add_share(size, n, force[p]);
  }
}

static const char *key(const list *l, int m, enum vd_member_point point) {
  const char *name = vd_corner_point(l->c->corner.points.type, m, point);
  return name ? name : "";
}

static const char *holder(const list *l, int m) {
  const vd_hardpoints *p = &l->c->corner.points;
  return !p->member[m].steered ? "chassis" : p->gear.kind == VD_GEAR_RELAY ? "relay" : "rack";
}

/* Computes the force of a rod on the knuckle. The rod connects the knuckle with an arm that is a body of its own. */
static void between_force(const list *l, int m, double *inner, double *outer, double *force) {
  const vd_member *member = &l->c->corner.points.member[m];
  double length = vd_distance(member->chassis[0], member->knuckle), line[3], size;
  member_place(l, member->base - VD_ON_MEMBER, member->chassis[0], inner);
  knuckle_place(l, member->knuckle, outer);
  vd_between(outer, inner, line);
  if (vd_soft_ball(&l->c->corner, m))
    size = l->c->corner.ball_stiffness[m] * (1.0 - length / vd_norm(line));
  else
    size = l->at->multiplier[l->c->row[m]] / length;
  for (int i = 0; i < 3; i++)
    force[i] = size * line[i];
}

static void between_link(list *l, int m) {
  const vd_member *member = &l->c->corner.points.member[m];
  double inner[3], outer[3], force[3], middle[3], weight = weight_of(l, m, middle);
  between_force(l, m, inner, outer, force);
  force[2] += 0.5 * weight; /* half of a rigid link's weight acts at each joint */
  add_force(l, l->c->corner.points.member[member->base - VD_ON_MEMBER].name, member->name, key(l, m, VD_CHASSIS_A),
            inner, force, no_moment);
  note_pull(l, l->count - 1, outer, force);
  force[2] -= weight;
  add_force(l, member->name, held_body(l), key(l, m, VD_AT_KNUCKLE), outer, force, no_moment);
}

/* Adds the moment by which the universal joint keeps a rod from turning about its line under a spring whose end is off
 * this line. out: force on the knuckle, without the weight, which has no moment about the line. */
static void note_moment(list *l, const double *ball, const double *out, const spring_force *spring) {
  vd_joint_force *f = &l->out[l->count - 1];
  vd_add_moment(1.0, f->at, ball, out, f->moment);
  vd_add_moment(-1.0, f->at, spring->at, spring->force, f->moment);
}

/* Lists the forces on a rod or arm without bushings between the chassis and its ball joint. The multipliers give the
 * link's force on the knuckle, which includes the force of a spring on the link, moved to the ball joint. The moments
 * of the three forces on the link about one chassis point give the force at the other one. */
static void rigid_link(list *l, int m, const spring_force *spring) {
  const vd_member *member = &l->c->corner.points.member[m];
  const vd_element *coil = &l->c->corner.points.spring;
  const double *one = held_at(l, m, 0), *two = held_at(l, m, 1);
  double by_joint[2][3], ball[3], out[3], bare[3], force[2][3] = {{0.0}}, moment[3] = {0.0}, line[3], share;
  double middle[3], weight = weight_of(l, m, middle);
  knuckle_place(l, member->knuckle, ball);
  joint_forces(l, m, by_joint);
  memcpy(out, by_joint[0], sizeof out);
  vd_add_share(1.0, by_joint[1], out);
  if (spring->acts) {
    double at_ball[3];
    vd_coil_at_ball(l->c, l->at, at_ball);
    vd_add_share(1.0, at_ball, out);
  }
  memcpy(bare, out, sizeof bare);
  out[2] -= 0.5 * weight;
  memcpy(force[0], out, sizeof out);
  vd_add_share(-1.0, spring->force, force[0]); /* the force that the chassis must carry */
  force[0][2] += weight;
  if (member->kind == VD_ARM) {
    const double up[3] = {0.0, 0.0, weight};
    vd_between(two, one, line);
    vd_add_moment(1.0, two, ball, out, moment);
    vd_add_moment(-1.0, two, spring->at, spring->force, moment);
    vd_add_moment(1.0, two, middle, up, moment);
    memcpy(force[1], force[0], sizeof force[1]);
    vd_cross(moment, line, force[0]);
    for (int i = 0; i < 3; i++) {
      force[0][i] /= vd_dot(line, line);
      force[1][i] -= force[0][i];
    }
    share_along(one, two, force[0], force[1]);
  }
  for (int p = 0; p < l->c->link[m].points; p++)
    add_force(l, holder(l, m), member->name, key(l, m, (enum vd_member_point)p), held_at(l, m, p), force[p], no_moment);
  if (member->kind == VD_ROD)
    note_pull(l, l->count - 1, ball, force[0]);
  if (member->kind == VD_ROD && spring->acts &&
      vd_rod_carries_off_line(member, coil->rocker ? coil->rod_part : coil->eye, &share))
    note_moment(l, ball, bare, spring);
  add_force(l, member->name, held_body(l), key(l, m, VD_AT_KNUCKLE), ball, out, no_moment);
}

/* Computes the force of the second ball joint of a blade on the knuckle. */
static void blade_joint(const list *l, int m, int row, double *out) {
  const vd_hardpoints *p = &l->c->corner.points;
  memset(out, 0, 3 * sizeof *out);
  if (vd_soft_ball(&l->c->corner, m)) {
    double on_blade[3], on_knuckle[3], gap[3];
    member_place(l, 0, p->member[m].knuckle, on_blade);
    knuckle_place(l, p->member[m].knuckle, on_knuckle);
    vd_between(on_knuckle, on_blade, gap);
    vd_add_share(l->c->corner.ball_stiffness[m], gap, out);
    return;
  }
  double along[3];
  vd_between(p->member[0].knuckle, p->member[m].knuckle, along);
  for (int i = 0; i < 3; i++)
    if (vd_soft_ball(&l->c->corner, 0) || i != vd_steepest(along))
      out[i] = l->at->multiplier[row++];
}

/* Lists the forces on a body that is mounted on bushings. The force at its ball joint balances the others. A blade is
 * listed with both of its rods. */
static void elastic_link(list *l, int m, const spring_force *spring) {
  const vd_corner *corner = &l->c->corner;
  int last = corner->blade && m == 0 ? 1 : m;
  double out[3] = {0.0}, second[3], at[2][3], ball[3], far[3];
  size_t first = l->count;
  for (int b = m; b <= last; b++) {
    const vd_elastic_link *k = &l->c->link[b];
    int row = l->c->row[b];
    double force[2][3], moment[2][3];
    for (int p = 0; p < k->points; p++) {
      member_place(l, m, corner->points.member[b].chassis[p], at[p]);
      chassis_force(l, b, p, at[p], &row, force[p], moment[p]);
    }
    if (k->points == 2 && k->fixed[0] && k->fixed[1])
      share_along(at[0], at[1], force[0], force[1]);
    for (int p = 0; p < k->points; p++) {
      add_force(l, holder(l, b), corner->points.member[m].name, key(l, b, (enum vd_member_point)p), at[p], force[p],
                moment[p]);
      vd_add_share(1.0, force[p], out);
    }
    if (b != m)
      blade_joint(l, b, row, second);
  }
  for (int b = m; b <= last; b++) {
    vd_add_share(1.0, spring_on(spring, b)->force, out);
    out[2] -= weight_of(l, b, far);
  }
  for (int b = 0; b < corner->points.members; b++)
    if (corner->points.member[b].base == VD_ON_MEMBER + m) {
      between_force(l, b, at[0], at[1], far);
      vd_add_share(-1.0, far, out);
      out[2] -= 0.5 * weight_of(l, b, far);
    }
  knuckle_place(l, corner->points.member[m].knuckle, ball);
  if (corner->points.member[m].kind == VD_ROD && last == m)
    note_pull(l, first, ball, l->out[first].force);
  if (last != m) {
    vd_add_share(-1.0, second, out);
    knuckle_place(l, corner->points.member[last].knuckle, far);
    if (!vd_soft_ball(corner, m) && !vd_soft_ball(corner, last))
      share_along(ball, far, out, second);
    add_force(l, corner->points.member[m].name, held_body(l), key(l, last, VD_AT_KNUCKLE), far, second, no_moment);
  }
  add_force(l, corner->points.member[m].name, held_body(l), key(l, m, VD_AT_KNUCKLE), ball, out, no_moment);
}

/* Lists the forces of a hinge or slider, which act on the knuckle itself. */
static void on_knuckle(list *l, int m) {
  const vd_member *member = &l->c->corner.points.member[m];
  const vd_elastic_link *k = &l->c->link[m];
  double force[2][3], moment[2][3] = {{0.0}}, at[2][3];
  int row = l->c->row[m];
  if (!k->elastic)
    joint_forces(l, m, force);
  for (int p = 0; p < k->points; p++) {
    memcpy(at[p], member->chassis[p], sizeof at[p]);
    if (!k->elastic)
      continue;
    knuckle_place(l, member->chassis[p], at[p]);
    if (member->kind == VD_SLIDER) { /* the end of its rod has moved along the knuckle's line */
      double line[3];
      vd_turned(l->at->turn, k->axis, line);
      vd_add_share(l->at->offset[m][0], line, at[p]);
    }
    chassis_force(l, m, p, at[p], &row, force[p], moment[p]);
  }
  if (k->points == 2 && k->fixed[0] && k->fixed[1])
    share_along(at[0], at[1], force[0], force[1]);
  for (int p = 0; p < k->points; p++)
    add_force(l, holder(l, m), "knuckle", key(l, m, (enum vd_member_point)p), at[p], force[p], moment[p]);
}

/* Lists the forces at the pivots, and the force of the beam's left half on its right half, in the middle. */
static void twist_beam(list *l) {
  const vd_compliance *c = l->c;
  double pivot[3], at[3], displaced[3], force[3], moment[3], h[3][3];
  for (int side = 0; side < 2; side++) {
    vd_at_side(c->corner.points.member[0].chassis[0], side, pivot);
    arm_place(l, side, pivot, at);
    vd_between(pivot, at, displaced);
    memset(moment, 0, sizeof moment);
    if (!c->link[0].fixed[0]) {
      vd_bushing_energy(vd_pivot_bushing(c, side), 0, displaced, force, h);
      vd_bushing_moment(vd_pivot_bushing(c, side), vd_arm_turn(l->at, side), moment);
    }
    for (int i = 0; i < 3; i++) {
      force[i] = -(c->link[0].fixed[0] ? l->at->multiplier[3 * side + i] : force[i]);
      moment[i] = -moment[i];
    }
    add_force(l, "chassis", arm_names[side], key(l, 0, VD_CHASSIS_A), at, force, moment);
  }
  vd_beam_force(c, l->at, at, force, moment);
  add_force(l, arm_names[1], arm_names[0], key(l, 0, VD_CHASSIS_B), at, force, moment);
}

/* --- axles that steer --- */

/* Lists the force of the axle on a knuckle, which balances all other forces on it. */
static void kingpin(list *l, int side) {
  static const char *const key[2][2] = {{"steering.kingpin.lower", "steering.kingpin.upper"},
                                        {"steering.kingpin.lower_right", "steering.kingpin.upper_right"}};
  const double(*pin)[3] = l->c->corner.points.steer.kingpin[side];
  double at[2][3], force[2][3] = {{0.0}};
  for (size_t i = 0; i < l->count; i++) {
    const vd_joint_force *f = &l->out[i];
    vd_add_share((f->from == arm_names[side]) - (f->on == arm_names[side]), f->force, force[0]);
  }
  vd_kingpin_force(l->c, l->at, side, force[1]);
  vd_add_share(-1.0, force[1], force[0]);
  for (int k = 0; k < 2; k++)
    knuckle_place(l, pin[k], at[k]);
  share_along(at[0], at[1], force[0], force[1]);
  for (int k = 0; k < 2; k++)
    add_force(l, held_body(l), arm_names[side], key[side][k], at[k], force[k], no_moment);
}

static void along_rod(const vd_rod_force *rod, double *force) {
  vd_between(rod->to, rod->from, force);
  double size = rod->pull / vd_norm(force);
  for (int i = 0; i < 3; i++)
    force[i] *= size;
}

/* Lists the forces of drag link and tie rod. The force of a tie rod on a drag link is divided between the drag link's
 * ends. */
static void steering_rods(list *l) {
  static const char *const key[2] = {"steering.tie_rod.left", "steering.tie_rod.right"};
  const vd_hardpoints *p = &l->c->corner.points;
  const vd_axle_steer *s = &p->steer;
  const char *gear = p->gear.kind == VD_GEAR_PITMAN ? "pitman" : "rack", *driven = arm_names[s->driven_side];
  vd_rod_force drag_link, tie_rod;
  double drag[3], inner[3], tie[3];
  vd_steering_forces(l->c, l->at, &drag_link, &tie_rod);
  along_rod(&drag_link, drag);
  along_rod(&tie_rod, tie);
  memcpy(inner, drag, sizeof inner);
  if (s->tie_rod_on_drag_link) {
    double share = vd_distance(drag_link.from, tie_rod.from) / vd_distance(drag_link.from, drag_link.to);
    vd_add_share(-share, tie, drag);
    vd_add_share(1.0 - share, tie, inner);
  }
  add_force(l, gear, "drag_link", "steering.drag_link.gear", drag_link.from, inner, no_moment);
  note_pull(l, l->count - 1, drag_link.to, inner);
  if (p->gear.kind == VD_GEAR_PITMAN)
    l->count += vd_pitman_forces(&p->gear, drag_link.from, inner, no_moment, l->out + l->count);
  add_force(l, "drag_link", driven, "steering.drag_link.knuckle", drag_link.to, drag, no_moment);
  add_force(l, s->tie_rod_on_drag_link ? "drag_link" : driven, "tie_rod", key[s->driven_side], tie_rod.from, tie,
            no_moment);
  note_pull(l, l->count - 1, tie_rod.to, tie);
  add_force(l, "tie_rod", arm_names[!s->driven_side], key[!s->driven_side], tie_rod.to, tie, no_moment);
}

/* --- the wheel --- */

static void wheel_place(const list *l, int side, double *at) {
  vd_reach reach;
  double displaced[3];
  vd_at_side(l->c->corner.points.wheel_center, side, at);
  vd_wheel_point(l->c, l->at, side, &reach, displaced);
  vd_add_share(1.0, displaced, at);
}

/* Lists the forces on the wheel as forces on the knuckle; the moment of a shaft about the axle of a wheel that rolls is
 * left out. */
static void wheel_forces(list *l, const vd_wheel_load *load, int side) {
  const double force[3] = {load->fx, load->fy, load->fz};
  double at[3], patch[3], contact[3], axle[3], spin[3], moment[3] = {0.0, 0.0, load->mz}, about[3];
  wheel_place(l, side, at);
  vd_lowest_point(l->c, side, vd_wheel_turn(l->c, l->at, side), contact, NULL);
  vd_wheel_axle(l->c, side, axle);
  vd_turned(vd_wheel_turn(l->c, l->at, side), axle, spin);
  vd_cross(contact, force, about);
  double along_axle = load->torque - (load->rolls ? vd_dot(about, spin) + load->mz * spin[2] : 0.0);
  vd_add_share(along_axle, spin, moment);
  for (int i = 0; i < 3; i++)
    patch[i] = at[i] + contact[i];
  add_force(l, "road", carrier(l, side), "wheel.contact", patch, force, moment);
  add_force(l, "centre", carrier(l, side), "wheel.center", at, load->centre, no_moment);
}

/* Lists the force of the jack or ground; for joined wheels those of both wheels, the right wheel's first. */
static void support(list *l) {
  const vd_compliance *c = l->c;
  bool ground = c->task.hold == VD_HOLD_GROUND;
  int rows = c->joined ? 2 : 1;
  for (int i = 0; c->jack >= 0 && i < rows; i++) {
    int side = rows == 2 && i == 0;
    double at[3], contact[3], force[3] = {0.0, 0.0, -l->at->multiplier[c->e.rows - rows + i]};
    wheel_place(l, side, at);
    vd_lowest_point(l->c, side, vd_wheel_turn(l->c, l->at, side), contact, NULL);
    if (ground)
      vd_add_share(1.0, contact, at);
    add_force(l, ground ? "ground" : "jack", carrier(l, side), ground ? "wheel.contact" : "wheel.center", at, force,
              no_moment);
  }
}

static bool is_loaded(const vd_wheel_load *load) {
  return load->fx != 0.0 || load->fy != 0.0 || load->fz != 0.0 || load->mz != 0.0 || load->torque != 0.0 ||
         vd_norm(load->centre) > 0.0;
}

size_t vd_compliance_forces(const vd_compliance *c, vd_joint_force *out) {
  const vd_hardpoints *points = &c->corner.points;
  list l = {.c = c, .at = &c->last, .out = out};
  spring_force spring;
  if (!c->solved || (c->linkage.beam && !c->twists))
    return 0;
  find_spring(&l, 1.0, &spring);
  if (c->twists)
    twist_beam(&l);
  for (int m = 0; m < points->members && !c->twists; m++) {
    if (is_knuckle(points->member[m].kind))
      on_knuckle(&l, m);
    else if (c->link[m].between)
      between_link(&l, m);
    else if (!c->link[m].elastic)
      rigid_link(&l, m, spring_on(&spring, m));
    else if (!c->link[m].on_first_rod)
      elastic_link(&l, m, &spring);
  }
  for (int side = 1; c->sprung && side >= (c->joined ? -1 : 1); side -= 2) {
    find_spring(&l, side, &spring);
    int m = spring.on - VD_ON_MEMBER;
    bool link = spring.on != VD_ON_KNUCKLE && !is_knuckle(points->member[m].kind);
    const char *on = link ? points->member[body_of(&l, m)].name : c->twists ? carrier(&l, side < 0) : held_body(&l);
    if (points->spring.rocker)
      rocker(&l, on, &spring);
    else
      coil_ends(&l, on, &spring);
  }
  weights(&l);
  wheel_forces(&l, &c->task.load, 0);
  if (is_loaded(&c->task.right))
    wheel_forces(&l, &c->task.right, 1);
  support(&l);
  if (c->steers)
    steering_rods(&l);
  for (int side = 0; c->steers && side < 2; side++)
    kingpin(&l, side);
  return l.count;
}
