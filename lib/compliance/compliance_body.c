/* The bodies of a corner: equations of their supports and loads. The single terms are in compliance_term.c. */
#include "compliance/compliance_impl.h"

#include "base/elementary.h"

bool vd_soft_ball(const vd_corner *corner, int m) {
  enum vd_member_kind kind = corner->points.member[m].kind;
  return (kind == VD_ARM || kind == VD_ROD) && isfinite(corner->ball_stiffness[m]);
}

/* --- points --- */

static const double design[4] = {1.0, 0.0, 0.0, 0.0};

static void knuckle_point(const vd_compliance *c, const vd_bodies *at, const double *point, vd_reach *reach,
                          double *displaced) {
  double b[3];
  vd_between(c->corner.points.wheel_center, point, b);
  vd_knuckle_point(at, b, reach, displaced);
}

/* Computes a point of an elastic arm or rod, whose place in the design position is `point`. Its displacement is the sum
 * of the ball joint's displacement, the joint's offset, and the effect of the member's rotation about the ball
 * joint. */
static void member_point(const vd_compliance *c, const vd_bodies *at, int member, const double *point, vd_reach *reach,
                         double *displaced) {
  int m = c->link[member].on_first_rod ? 0 : member;
  const vd_elastic_link *k = &c->link[m];
  const double *ball = c->corner.points.member[m].knuckle;
  double change[3];
  knuckle_point(c, at, ball, reach, displaced);
  vd_turned_arm(at->member_turn[m], ball, point, reach->arm[1], change);
  reach->offset = k->offset;
  reach->turns = 2;
  reach->turn[1] = k->turn;
  for (int i = 0; i < 3; i++)
    displaced[i] += at->offset[m][i] + change[i];
}

/* Computes the end of the strut's rod, which slides along the knuckle's line. */
static void mount_point(const vd_compliance *c, const vd_bodies *at, int m, vd_reach *reach, double *displaced) {
  const vd_elastic_link *k = &c->link[m];
  knuckle_point(c, at, c->corner.points.member[m].chassis[0], reach, displaced);
  vd_turned(at->turn, k->axis, reach->along);
  reach->slide = k->offset;
  for (int i = 0; i < 3; i++) {
    reach->arm[0][i] += at->offset[m][0] * reach->along[i];
    displaced[i] += at->offset[m][0] * reach->along[i];
  }
}

static void chassis_point(const vd_compliance *c, const vd_bodies *at, int m, int p, vd_reach *reach,
                          double *displaced) {
  const vd_member *member = &c->corner.points.member[m];
  switch (member->kind) {
  case VD_ARM:
  case VD_ROD: member_point(c, at, m, member->chassis[p], reach, displaced); return;
  case VD_SLIDER: mount_point(c, at, m, reach, displaced); return;
  case VD_HINGE: knuckle_point(c, at, member->chassis[p], reach, displaced); return;
  }
}

/* Adds a ball joint at a chassis point. Two ball joints make a hinge, so the second one adds no constraint along the
 * hinge's axis. */
static void fix_point(vd_compliance *c, int m, int p, const vd_reach *reach, const double *v) {
  const vd_elastic_link *k = &c->link[m];
  bool second = p == 1 && k->fixed[0];
  for (int i = 0; i < (second ? 2 : 3); i++) {
    const double *n = second ? k->across[i] : vd_unit_vectors[i];
    vd_add_row(&c->e, reach, vd_dot(n, v), n, NULL);
  }
}

static double stiffest(const vd_compliance *c, int m) {
  double most = vd_soft_ball(&c->corner, m) ? c->corner.ball_stiffness[m] : 0.0;
  for (int p = 0; p < c->link[m].points; p++)
    for (int i = 0; c->corner.bushing[m][p].given && i < 3; i++)
      most = vd_max(most, c->corner.bushing[m][p].stiffness[i]);
  return most > 0.0 ? most : 1.0;
}

/* Adds a stiffness to motions that the equilibrium does not determine: a rod's rotation about its own line, and the
 * displacement of a strut's mount along the strut. The stiffness is added to the matrix only: it keeps these motions
 * constant, and changes neither forces nor results. */
static void fix_free_motions(vd_compliance *c, const vd_bodies *at, int m) {
  const double free = 1e-9;
  const vd_member *member = &c->corner.points.member[m];
  const vd_elastic_link *k = &c->link[m];
  double stiffness = stiffest(c, m), a[3], along = 0.0;
  if (member->kind == VD_SLIDER) {
    vd_turned(at->turn, k->axis, a);
    along = vd_bushing_rate(&k->bushing[0], 0, a);
    if (!(along > free * stiffness))
      c->e.matrix[k->offset][k->offset] += stiffness;
  }
  if (member->kind == VD_ROD) {
    double arm[3];
    vd_between(member->knuckle, member->chassis[0], arm);
    stiffness *= vd_dot(arm, arm);
    vd_turned(at->member_turn[m], k->axis, a);
    along = k->fixed[0] ? 0.0 : vd_bushing_rate(&k->bushing[0], 3, a);
    for (int i = 0; i < 3; i++)
      for (int j = 0; !(along > free * stiffness) && j < 3; j++)
        c->e.matrix[k->turn + i][k->turn + j] += stiffness * a[i] * a[j];
  }
}

/* Adds the second joint of a blade at the knuckle: the distance between the point of the blade and that of the knuckle
 * is 0, or has a stiffness. If the first joint is rigid, the distance between the two joints is the same on both
 * bodies, so that one of three equations would be redundant: two remain, across the line through both joints. */
static void join_blade(vd_compliance *c, const vd_bodies *at, int m) {
  const double *first = c->corner.points.member[0].knuckle, *second = c->corner.points.member[m].knuckle;
  const vd_elastic_link *body = &c->link[0];
  bool soft_first = vd_soft_ball(&c->corner, 0);
  double along[3], displaced[3], change[3];
  vd_between(first, second, along);
  vd_reach reach = {.shift = -1, .offset = body->offset, .slide = -1, .turns = 2, .turn = {VD_TURN, body->turn}};
  vd_turned_arm(at->turn, second, first, reach.arm[0], displaced);
  vd_turned_arm(at->member_turn[0], first, second, reach.arm[1], change);
  for (int i = 0; i < 3; i++)
    displaced[i] += at->offset[0][i] + change[i];
  if (vd_soft_ball(&c->corner, m)) {
    vd_add_spring(&c->e, &reach, displaced, c->corner.ball_stiffness[m]);
    return;
  }
  for (int i = 0; i < 3; i++)
    if (soft_first || i != vd_steepest(along))
      vd_add_row(&c->e, &reach, displaced[i], vd_unit_vectors[i], NULL);
}

/* Adds the moment of a bushing. A strut's rod turns freely about its line, so the moment of its mount depends on the
 * direction of the line only. */
static void add_rotation(vd_compliance *c, const vd_bodies *at, int m, const vd_elastic_bushing *b) {
  const vd_elastic_link *k = &c->link[m];
  int body = k->on_first_rod ? 0 : m;
  double line[3];
  switch (c->corner.points.member[m].kind) {
  case VD_SLIDER:
    vd_turned(at->turn, k->axis, line);
    vd_add_tilt(&c->e, k->axis, line, b);
    return;
  case VD_HINGE: vd_add_turn(&c->e, VD_TURN, at->turn, b); return;
  case VD_ARM:
  case VD_ROD: vd_add_turn(&c->e, c->link[body].turn, at->member_turn[body], b); return;
  }
}

/* Subtracts the motion of the steering gear from the displacement of a steered member's point. */
static void follow_gear(const vd_compliance *c, const vd_load_case *t, int m, int p, double *displaced) {
  const vd_member *member = &c->corner.points.member[m];
  if (!member->steered)
    return;
  if (!c->linkage.has_relay_rod) {
    displaced[1] -= t->u[1];
    return;
  }
  double gear[3];
  vd_jet3_value(vd_gear_point(&c->corner.points.gear, t->u[1], member->chassis[p]), gear);
  for (int i = 0; i < 3; i++)
    displaced[i] -= gear[i] - member->chassis[p][i];
}

/* Adds a rod between the knuckle and an arm that is a body of its own: of constant length, or with the stiffness of its
 * joint along its line. d leads from the knuckle's point to the arm's. */
static void add_between(vd_compliance *c, const vd_bodies *at, int m) {
  const vd_member *member = &c->corner.points.member[m];
  int arm = member->base - VD_ON_MEMBER;
  const vd_elastic_link *body = &c->link[arm];
  const double *ball = c->corner.points.member[arm].knuckle;
  vd_reach reach = {.shift = -1, .offset = body->offset, .slide = -1, .turns = 2, .turn = {VD_TURN, body->turn}};
  double change[3], d[3];
  vd_turned_arm(at->turn, member->knuckle, ball, reach.arm[0], change);
  vd_turned_arm(at->member_turn[arm], ball, member->chassis[0], reach.arm[1], change);
  for (int i = 0; i < 3; i++)
    d[i] = reach.arm[0][i] + reach.arm[1][i] + at->offset[arm][i];
  vd_add_rod(&c->e, &reach, d, vd_distance(member->chassis[0], member->knuckle),
             vd_soft_ball(&c->corner, m) ? c->corner.ball_stiffness[m] : 0.0);
}

static void add_elastic(vd_compliance *c, const vd_load_case *t, const vd_bodies *at, int m) {
  const vd_elastic_link *k = &c->link[m];
  vd_reach reach;
  double v[3];
  for (int p = 0; p < k->points; p++) {
    chassis_point(c, at, m, p, &reach, v);
    follow_gear(c, t, m, p, v);
    if (k->fixed[p])
      fix_point(c, m, p, &reach, v);
    else
      vd_add_displacement(&c->e, &reach, v, &k->bushing[p]);
  }
  for (int p = 0; p < k->points; p++)
    if (!k->fixed[p])
      add_rotation(c, at, m, &k->bushing[p]);
  if (k->on_first_rod) {
    join_blade(c, at, m);
    return;
  }
  if (vd_soft_ball(&c->corner, m)) {
    vd_reach ball = {.shift = -1, .offset = k->offset, .slide = -1};
    vd_add_spring(&c->e, &ball, at->offset[m], c->corner.ball_stiffness[m]);
  }
  if (!c->corner.blade || m != 0)
    fix_free_motions(c, at, m);
}

/* Adds a constraint of the rigid linkage on the knuckle and returns its row. */
static int add_joint(vd_compliance *c, const vd_load_case *t, const vd_bodies *at, const vd_joint *j) {
  vd_reach reach;
  double displaced[3], d[3], m[3];
  vd_knuckle_point(at, j->body, &reach, displaced);
  for (int i = 0; i < 3; i++)
    d[i] = c->corner.points.wheel_center[i] + j->body[i] - j->chassis[i] + displaced[i] - t->u[0] * j->moves[0][i] -
           t->u[1] * j->moves[1][i];
  if (j->geared && c->linkage.has_relay_rod) {
    double gear[3];
    vd_jet3_value(vd_gear_point(&c->corner.points.gear, t->u[1], j->chassis), gear);
    for (int i = 0; i < 3; i++)
      d[i] = c->corner.points.wheel_center[i] + j->body[i] + displaced[i] - gear[i];
  }
  switch (j->kind) {
  case VD_JOINT_ROD: return vd_add_rod(&c->e, &reach, d, j->length, 0.0);
  case VD_JOINT_PLANE: return vd_add_row(&c->e, &reach, vd_dot(j->direction, d), j->direction, NULL);
  case VD_JOINT_SLIDE: break;
  }
  vd_turned(at->turn, j->direction, m);
  double value = vd_dot(m, d);
  for (int i = 0; i < 3; i++)
    d[i] -= reach.arm[0][i]; /* relative to the wheel centre */
  return vd_add_slide(&c->e, value, m, d);
}

/* Computes the point on which a spring's length depends: its eye or the end of its rocker's rod, on the knuckle or an
 * elastic member, or the ball joint of a rigid member. *end is its place in the design position. */
static void spring_end(const vd_compliance *c, const vd_bodies *at, vd_element *spring, vd_reach *reach, double *end,
                       double *displaced) {
  const vd_hardpoints *p = &c->corner.points;
  double *eye = spring->rocker ? spring->rod_part : spring->eye, share;
  int m = spring->on - VD_ON_MEMBER;
  bool on_member = spring->on != VD_ON_KNUCKLE && (p->member[m].kind == VD_ARM || p->member[m].kind == VD_ROD);
  if (on_member && p->member[m].kind == VD_ROD && !vd_rod_carries_off_line(&p->member[m], eye, &share))
    for (int i = 0; i < 3; i++)
      eye[i] = p->member[m].chassis[0][i] + share * (p->member[m].knuckle[i] - p->member[m].chassis[0][i]);
  memcpy(end, on_member && !c->link[m].elastic ? p->member[m].knuckle : eye, 3 * sizeof *end);
  if (on_member && c->link[m].elastic) {
    spring->on = VD_ON_KNUCKLE;
    member_point(c, at, m, end, reach, displaced);
    return;
  }
  knuckle_point(c, at, end, reach, displaced);
}

/* Computes the force F = F0 + k (L0 - L). The derivatives of the length L by the spring's end follow from translations
 * of the knuckle, in two directions at a time. */
double vd_coil_force(const vd_compliance *c, const vd_element *spring, const double *displaced, double *f,
                     double h[3][3]) {
  static const int pair[3][2] = {{0, 1}, {1, 2}, {2, 0}};
  double length = 0.0;
  vd_pose pose = {.turn = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
  for (int i = 0; i < 3; i++)
    pose.at[i] = c->corner.points.wheel_center[i] + displaced[i];
  for (int k = 0; k < 3; k++) {
    int i = pair[k][0], j = pair[k][1];
    memset(pose.velocity, 0, sizeof pose.velocity);
    pose.velocity[0][i] = pose.velocity[1][j] = 1.0;
    vd_jet l = vd_element_length(&c->shifted, &pose, spring);
    length = l.v;
    f[i] = l.d[0];
    h[i][i] = l.h[VD_UU];
    h[i][j] = h[j][i] = l.h[VD_UV];
  }
  return c->spring_load + c->corner.spring_rate * (c->spring_length - length);
}

void vd_coil_at_ball(const vd_compliance *c, const vd_bodies *at, double *force) {
  vd_element spring = c->corner.points.spring;
  vd_reach reach;
  double ball[3], displaced[3], h[3][3];
  spring_end(c, at, &spring, &reach, ball, displaced);
  double size = vd_coil_force(c, &spring, displaced, force, h);
  for (int i = 0; i < 3; i++)
    force[i] *= size;
}

/* Adds the energy U = F^2/(2 k) of a spring. */
static void add_coil(vd_compliance *c, const vd_bodies *at, double side) {
  vd_element spring = c->corner.points.spring;
  spring.chassis[1] *= side;
  spring.eye[1] *= side;
  vd_reach reach;
  double end[3], displaced[3], f[3], h[3][3], rate = c->corner.spring_rate;
  if (c->twists)
    vd_arm_point(c, at, side < 0.0, spring.eye, &reach, displaced);
  else
    spring_end(c, at, &spring, &reach, end, displaced);
  double force = vd_coil_force(c, &spring, displaced, f, h);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      h[i][j] = rate * f[i] * f[j] - force * h[i][j];
  for (int i = 0; i < 3; i++)
    f[i] *= -force;
  vd_add_point(&c->e, &reach, f, h);
  c->e.energy += 0.5 * force * force / rate;
}

static void add_coils(vd_compliance *c, const vd_bodies *at) {
  for (int side = 1; c->sprung && side >= (c->joined ? -1 : 1); side -= 2)
    add_coil(c, at, side);
}

double vd_coil_energies(vd_compliance *c, const vd_bodies *at) {
  c->e.energy = 0.0;
  add_coils(c, at);
  return c->e.energy;
}

static void hang_weight(vd_compliance *c, const vd_reach *reach, double weight) {
  const double force[3] = {0.0, 0.0, weight};
  vd_add_point(&c->e, reach, force, NULL);
}

/* Adds the weight of a member. A rigid member turns about its inner end, so half of its weight acts at its ball
 * joint. */
static void hang_member(vd_compliance *c, const vd_bodies *at, int m) {
  const vd_member *member = &c->corner.points.member[m];
  const vd_elastic_link *k = &c->link[m];
  const bool body = k->elastic && !k->between && member->kind != VD_HINGE;
  vd_reach reach;
  double displaced[3];
  if (member->kind == VD_SLIDER)
    return;
  if (body) {
    member_point(c, at, m, c->middle[m], &reach, displaced);
    hang_weight(c, &reach, c->weight[m]);
    return;
  }
  const bool half = member->kind != VD_HINGE;
  knuckle_point(c, at, half ? member->knuckle : c->middle[m], &reach, displaced);
  hang_weight(c, &reach, half ? 0.5 * c->weight[m] : c->weight[m]);
  if (!k->between)
    return;
  member_point(c, at, member->base - VD_ON_MEMBER, member->chassis[0], &reach, displaced);
  hang_weight(c, &reach, 0.5 * c->weight[m]);
}

/* Adds the weights, which are loads; their work does not count as energy of the corner. */
static void add_weights(vd_compliance *c, const vd_bodies *at) {
  vd_reach reach;
  double place[3], displaced[3];
  for (int side = 0; c->twists && side < 2; side++) {
    vd_wheel_point(c, at, side, &reach, displaced);
    hang_weight(c, &reach, c->knuckle_weight);
    vd_at_side(c->middle[0], side, place);
    vd_arm_point(c, at, side, place, &reach, displaced);
    hang_weight(c, &reach, c->weight[0]);
  }
  if (c->twists)
    return;
  const double middle[3] = {0.0, c->linkage.axle ? -c->corner.points.wheel_center[1] : 0.0, 0.0};
  vd_knuckle_point(at, middle, &reach, displaced);
  hang_weight(c, &reach, c->knuckle_weight);
  for (int m = 0; m < c->corner.points.members; m++)
    hang_member(c, at, m);
}

void vd_compliance_evaluate(vd_compliance *c, const vd_load_case *t, const vd_bodies *at) {
  int used = c->e.coordinates + c->e.rows; /* the rest of the matrix is zero */
  for (int i = 0; i < used; i++)
    memset(c->e.matrix[i], 0, (size_t)used * sizeof c->e.matrix[i][0]);
  c->jack = -1;
  c->e.coordinates = c->coordinates;
  c->e.rows = 0;
  c->e.energy = 0.0;
  memset(c->e.value, 0, sizeof c->e.value);
  memcpy(c->e.multiplier, at->multiplier, sizeof c->e.multiplier);
  if (c->twists)
    vd_add_beam(c, at);
  for (int m = 0; m < c->corner.points.members && !c->twists; m++) {
    const vd_elastic_link *k = &c->link[m];
    c->row[m] = c->e.rows;
    if (k->between)
      add_between(c, at, m);
    else if (k->elastic)
      add_elastic(c, t, at, m);
    else
      for (int j = 0; j < k->joints; j++)
        add_joint(c, t, at, &c->linkage.joint[k->joint + j]);
  }
  if (c->steers)
    vd_add_steering(c, at);
  bool drivers = t->hold == VD_HOLD_CENTRE && !c->twists && !c->steers;
  if (t->hold != VD_HOLD_FREE && !drivers)
    c->jack = vd_add_holds(c, t, at);
  for (int j = VD_JOINTS - 1; drivers && j >= c->drivers; j--)
    c->jack = add_joint(c, t, at, &c->linkage.joint[j]);
  add_coils(c, at);
  if (c->has_weights)
    add_weights(c, at);
  if (c->quick)
    memcpy(c->unloaded, c->e.value, sizeof c->unloaded);
  vd_add_wheel_load(c, t, at);
}

/* --- start --- */

/* If a rod carries the spring beside the rod's line, turns the rod about this line as its universal joint
 * determines. */
static void start_carrier(const vd_compliance *c, const vd_load_case *t, int m, vd_bodies *at) {
  const vd_member *rod = &c->corner.points.member[m];
  const vd_element *spring = &c->corner.points.spring;
  const double *end = spring->rocker ? spring->rod_part : spring->eye;
  double from[3], to[3], before[3], along[3], again[4], share, base[3], place[3];
  vd_pose pose = {.u = {t->u[0], t->u[1]}};
  if (rod->kind != VD_ROD || !spring->given || spring->on != VD_ON_MEMBER + m ||
      !vd_rod_carries_off_line(rod, end, &share))
    return;
  vd_between(rod->chassis[0], rod->knuckle, along);
  for (int i = 0; i < 3; i++)
    pose.at[i] = c->corner.points.wheel_center[i] + at->shift[i];
  vd_turn_matrix(at->turn, pose.turn);
  vd_jet3_value(vd_member_base(&c->linkage, &pose, m, 0), base);
  vd_jet3_value(vd_member_point(&c->linkage, &pose, m, end), place);
  vd_turned(at->member_turn[m], along, along);
  vd_between(rod->chassis[0], end, before);
  vd_turned(at->member_turn[m], before, from);
  vd_between(base, place, to);
  const double square = vd_dot(along, along), gone = vd_dot(from, along) / square, now = vd_dot(to, along) / square;
  for (int i = 0; i < 3; i++) {
    from[i] -= gone * along[i];
    to[i] -= now * along[i];
  }
  vd_turn_between(from, to, again);
  vd_turn_product(again, at->member_turn[m], at->member_turn[m]);
}

/* Starts a member: an arm turns about its hinge until it points to the ball joint; a rod turns by the smallest
 * angle. */
static void start_member(const vd_compliance *c, const vd_load_case *t, int m, vd_bodies *at) {
  const vd_member *member = &c->corner.points.member[m];
  const vd_elastic_link *k = &c->link[m];
  vd_reach reach;
  double displaced[3], from[3], to[3];
  knuckle_point(c, at, member->knuckle, &reach, displaced);
  follow_gear(c, t, m, 0, displaced);
  vd_between(member->chassis[0], member->knuckle, from);
  for (int i = 0; i < 3; i++)
    to[i] = from[i] + displaced[i];
  if (member->kind == VD_ARM) { /* rotation about the hinge does not change components along it */
    vd_take_along(k->axis, from);
    vd_take_along(k->axis, to);
  }
  vd_turn_between(from, to, at->member_turn[m]);
  start_carrier(c, t, m, at);
}

void vd_compliance_start(const vd_compliance *c, const vd_load_case *t, const vd_pose *pose, vd_bodies *at) {
  double turn[3][3];
  *at = (vd_bodies){.turn = {1.0}};
  vd_between(c->corner.points.wheel_center, pose->at, at->shift);
  memcpy(turn, pose->turn, sizeof turn);
  vd_turn_from_matrix(turn, at->turn);
  if (c->twists)
    vd_beam_start(c, at);
  if (c->steers)
    vd_steering_start(c, at);
  for (int m = 0; m < c->corner.points.members && !c->twists; m++) {
    memcpy(at->member_turn[m], design, sizeof design);
    if (c->corner.blade && m == 0)
      memcpy(at->member_turn[m], at->turn, sizeof at->turn);
    else if (c->link[m].turn >= 0)
      start_member(c, t, m, at);
    else if (c->link[m].offset >= 0) {
      vd_reach reach;
      double displaced[3];
      mount_point(c, at, m, &reach, displaced);
      at->offset[m][0] = -vd_dot(reach.along, displaced);
    }
  }
}
