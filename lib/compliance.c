/* The bodies of a corner on their bushings, and Newton's steps to their equilibrium. Terms are in compliance_term.c. */
#include "compliance_impl.h"

#include <assert.h>
#include <gsl/gsl_linalg.h>
#include <stdlib.h>

static const double closed = 1e-10;        /* m and rad, Newton's step after which the error is that of rounding */
static const double far = 0.05;            /* m and rad, longest step */
static const double singular = 1e-12;      /* smallest over largest pivot where nothing holds a body */
static const double shortest = 1.0 / 64.0; /* share of the load, at which a search gives up */

/* Arm, rod or strut mount of its own coordinates, or a hinge, whose points are the knuckle's. */
typedef struct link {
  bool elastic;        /* a bushing or an elastic ball joint */
  bool fixed[2];       /* its chassis points without a bushing: ball joints */
  int points;          /* chassis points */
  int offset, turn;    /* columns: of the ball joint's offset or the strut mount's slide, of the turn; -1: none */
  int joint, joints;   /* those of the linkage that it is while rigid */
  double torsion[3];   /* N m/rad, of all its bushings */
  double axis[3];      /* unit: rod's, arm's hinge, slider's line, at design */
  double across[2][3]; /* unit, across the axis */
} link;

struct vd_compliance {
  vd_corner corner;
  vd_linkage linkage, stand; /* stand: with the rack's shift in its points, for what a spring stands on */
  enum vd_hold hold;
  bool supported, sprung; /* at design all bodies are held; the spring's load is known */
  double spring_load;     /* N, at design */
  double carried;         /* N, wheel load that belongs to it */
  double spring_length;   /* m, at design */
  link link[VD_MEMBERS];
  int drivers; /* joint of the linkage with the first */
  int coordinates;
  vd_pose rigid; /* the linkage's own at the last inputs */
  vd_equations e;
  int jack; /* row of the constraint that holds the wheel centre, or -1 */
  double factors[VD_UNKNOWNS * VD_UNKNOWNS];
  size_t order[VD_UNKNOWNS];
  double scale[VD_UNKNOWNS];
};

/* Where all bodies are: changes from design. */
typedef struct place {
  double shift[3], turn[4];
  double offset[VD_MEMBERS][3]; /* [0] of a strut mount: slide */
  double member_turn[VD_MEMBERS][4];
  double multiplier[VD_ROWS];
} place;

/* What is asked for. */
typedef struct task {
  double u[VD_INPUTS];
  bool held;
  double force[3], moment; /* on the patch */
  double patch[3];         /* from the wheel centre, at design */
} task;

/* --- building --- */

static void unit(double *v) {
  double length = sqrt(vd_dot3(v, v));
  for (int i = 0; i < 3; i++)
    v[i] /= length;
}

static void find_across(link *k) {
  int least = 0;
  for (int i = 1; i < 3; i++)
    if (fabs(k->axis[i]) < fabs(k->axis[least]))
      least = i;
  double away[3] = {least == 0, least == 1, least == 2};
  vd_cross3(k->axis, away, k->across[0]);
  unit(k->across[0]);
  vd_cross3(k->axis, k->across[0], k->across[1]);
}

static int points_of(enum vd_member_kind kind) {
  return kind == VD_ARM || kind == VD_HINGE ? 2 : 1;
}

static int joints_of(enum vd_member_kind kind) {
  switch (kind) {
  case VD_ARM:
  case VD_SLIDER: return 2;
  case VD_ROD: return 1;
  case VD_HINGE: return 5;
  }
  return 0;
}

static bool soft_ball(const vd_corner *corner, int m) {
  enum vd_member_kind kind = corner->points.member[m].kind;
  return (kind == VD_ARM || kind == VD_ROD) && isfinite(corner->ball_stiffness[m]);
}

static void make_link(vd_compliance *c, int m) {
  const vd_member *member = &c->corner.points.member[m];
  link *k = &c->link[m];
  k->points = points_of(member->kind);
  k->joints = joints_of(member->kind);
  k->elastic = soft_ball(&c->corner, m);
  for (int p = 0; p < k->points; p++) {
    const vd_bushing *b = &c->corner.bushing[m][p];
    k->elastic |= b->given;
    k->fixed[p] = !b->given;
    for (int i = 0; b->given && i < 3; i++)
      k->torsion[i] += b->stiffness[3 + i];
  }
  if (c->corner.points.type == VD_TWIST_BEAM)
    k->elastic = false;
  const double *end = k->points == 2 ? member->chassis[1] : member->knuckle;
  for (int i = 0; i < 3; i++)
    k->axis[i] = end[i] - member->chassis[0][i];
  unit(k->axis);
  find_across(k);
}

static void number_columns(vd_compliance *c) {
  int joint = 0;
  c->coordinates = 6;
  for (int m = 0; m < c->corner.points.members; m++) {
    link *k = &c->link[m];
    enum vd_member_kind kind = c->corner.points.member[m].kind;
    make_link(c, m);
    k->joint = joint;
    joint += k->joints;
    k->offset = k->turn = -1;
    if (!k->elastic || kind == VD_HINGE)
      continue;
    if (soft_ball(&c->corner, m) || kind == VD_SLIDER) {
      k->offset = c->coordinates;
      c->coordinates += kind == VD_SLIDER ? 1 : 3;
    }
    if (kind != VD_SLIDER) {
      k->turn = c->coordinates;
      c->coordinates += 3;
    }
  }
  c->drivers = joint;
}

/* The lowest point of the wheel's disc, from its centre, turned back to design. */
static void find_patch(const vd_linkage *l, const vd_pose *pose, double *patch) {
  double s[3], down[3];
  for (int i = 0; i < 3; i++)
    s[i] = vd_dot3(pose->turn[i], l->spin_axis);
  for (int i = 0; i < 3; i++)
    down[i] = s[2] * s[i] - (i == 2);
  unit(down);
  for (int i = 0; i < 3; i++)
    patch[i] = l->points.static_radius *
               (pose->turn[0][i] * down[0] + pose->turn[1][i] * down[1] + pose->turn[2][i] * down[2]);
}

/* By virtual work on the rigid linkage at design: load . d(patch)/d(travel) = -force . d(length)/d(travel). */
static void load_spring(vd_compliance *c) {
  const vd_corner *corner = &c->corner;
  const vd_element *spring = &corner->points.spring;
  c->sprung = spring->given && !c->linkage.axle && corner->spring_rate > 0.0 && isfinite(corner->spring_rate) &&
              (isfinite(corner->spring_load) || isfinite(corner->wheel_load));
  if (!c->sprung)
    return;
  double patch[3];
  vd_jet length = vd_element_length(&c->linkage, &c->rigid, spring);
  find_patch(&c->linkage, &c->rigid, patch);
  for (int i = 0; i < 3; i++)
    patch[i] += c->linkage.points.wheel_center[i];
  double rise = vd_pose_point(&c->linkage, &c->rigid, patch).z.d[0], ratio = -length.d[0] / rise;
  c->spring_length = length.v;
  c->spring_load = isfinite(corner->spring_load) ? corner->spring_load : corner->wheel_load / ratio;
  c->carried = c->spring_load * ratio;
}

/* --- terms --- */

static const double design[4] = {1.0, 0.0, 0.0, 0.0};

/* A point of the knuckle, b from the wheel centre at design, and its displacement. */
static void knuckle_point(const place *at, const double *b, vd_reach *reach, double *moved) {
  *reach = (vd_reach){.shift = VD_SHIFT, .offset = -1, .slide = -1, .turns = 1, .turn = {VD_TURN}};
  vd_turn_change(at->turn, b, moved);
  for (int i = 0; i < 3; i++) {
    reach->arm[0][i] = b[i] + moved[i];
    moved[i] += at->shift[i];
  }
}

/* A point of an elastic arm or rod, at `point` at design: the ball joint, its offset, and the member's turn about it. */
static void member_point(const vd_compliance *c, const place *at, int m, const double *point, vd_reach *reach,
                         double *moved) {
  const link *k = &c->link[m];
  const double *ball = c->corner.points.member[m].knuckle, *centre = c->corner.points.wheel_center;
  double b[3], arm[3], change[3];
  for (int i = 0; i < 3; i++) {
    b[i] = ball[i] - centre[i];
    arm[i] = point[i] - ball[i];
  }
  knuckle_point(at, b, reach, moved);
  vd_turn_change(at->member_turn[m], arm, change);
  reach->offset = k->offset;
  reach->turns = 2;
  reach->turn[1] = k->turn;
  for (int i = 0; i < 3; i++) {
    reach->arm[1][i] = arm[i] + change[i];
    moved[i] += at->offset[m][i] + change[i];
  }
}

/* The strut's rod end, which slides along the knuckle's line. */
static void mount_point(const vd_compliance *c, const place *at, int m, vd_reach *reach, double *moved) {
  const link *k = &c->link[m];
  double b[3];
  for (int i = 0; i < 3; i++)
    b[i] = c->corner.points.member[m].chassis[0][i] - c->corner.points.wheel_center[i];
  knuckle_point(at, b, reach, moved);
  vd_turned(at->turn, k->axis, reach->along);
  reach->slide = k->offset;
  for (int i = 0; i < 3; i++) {
    reach->arm[0][i] += at->offset[m][0] * reach->along[i];
    moved[i] += at->offset[m][0] * reach->along[i];
  }
}

static void chassis_point(const vd_compliance *c, const place *at, int m, int p, vd_reach *reach, double *moved) {
  const vd_member *member = &c->corner.points.member[m];
  double b[3];
  switch (member->kind) {
  case VD_ARM:
  case VD_ROD: member_point(c, at, m, member->chassis[p], reach, moved); return;
  case VD_SLIDER: mount_point(c, at, m, reach, moved); return;
  case VD_HINGE:
    for (int i = 0; i < 3; i++)
      b[i] = member->chassis[p][i] - c->corner.points.wheel_center[i];
    knuckle_point(at, b, reach, moved);
    return;
  }
}

/* A ball joint at a chassis point; two make a hinge, of which the second leaves the way along the axis to the first. */
static void fix_point(vd_compliance *c, int m, int p, const vd_reach *reach, const double *v) {
  static const double axes[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  const link *k = &c->link[m];
  bool second = p == 1 && k->fixed[0];
  for (int i = 0; i < (second ? 2 : 3); i++) {
    const double *n = second ? k->across[i] : axes[i];
    vd_add_row(&c->e, reach, vd_dot3(n, v), n, NULL);
  }
}

/* A strut's rod turns freely about its line n; the mount feels its tilt t = n0 x n, U = t'C t/2 = n'N n/2 with N = X'C X, X n =
 * n0 x n. */
static void tilt_mount(vd_compliance *c, const place *at, const link *k) {
  vd_reach reach = {.shift = -1, .offset = -1, .slide = -1, .turns = 1, .turn = {VD_TURN}};
  const double *n0 = k->axis, x[3][3] = {{0.0, -n0[2], n0[1]}, {n0[2], 0.0, -n0[0]}, {-n0[1], n0[0], 0.0}};
  double n[3][3] = {{0.0}}, f[3];
  vd_turned(at->turn, n0, reach.arm[0]);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int a = 0; a < 3; a++)
        n[i][j] += x[a][i] * k->torsion[a] * x[a][j];
  for (int i = 0; i < 3; i++)
    f[i] = vd_dot3(n[i], reach.arm[0]);
  vd_add_point(&c->e, &reach, f, n);
  c->e.energy += 0.5 * vd_dot3(f, reach.arm[0]);
}

static double stiffest(const vd_compliance *c, int m) {
  double most = soft_ball(&c->corner, m) ? c->corner.ball_stiffness[m] : 0.0;
  for (int p = 0; p < c->link[m].points; p++)
    for (int i = 0; c->corner.bushing[m][p].given && i < 3; i++)
      most = fmax(most, c->corner.bushing[m][p].stiffness[i]);
  return most > 0.0 ? most : 1.0;
}

/* A rod that nothing keeps from spinning about its own line, and a strut mount that gives way along it: the equilibrium does not
 * say where they are. A stiffness in the matrix alone holds them where they stand; it changes no force and no answer. */
static void hold_free(vd_compliance *c, const place *at, int m) {
  const double free = 1e-9;
  const vd_member *member = &c->corner.points.member[m];
  const link *k = &c->link[m];
  double stiffness = stiffest(c, m), a[3], along = 0.0;
  if (member->kind == VD_SLIDER) {
    vd_turned(at->turn, k->axis, a);
    for (int i = 0; i < 3; i++)
      along += c->corner.bushing[m][0].stiffness[i] * a[i] * a[i];
    if (!(along > free * stiffness))
      c->e.matrix[k->offset][k->offset] += stiffness;
  }
  if (member->kind == VD_ROD) {
    double arm[3] = {member->chassis[0][0] - member->knuckle[0], member->chassis[0][1] - member->knuckle[1],
                     member->chassis[0][2] - member->knuckle[2]};
    stiffness *= vd_dot3(arm, arm);
    vd_turned(at->member_turn[m], k->axis, a);
    for (int i = 0; i < 3; i++)
      along += k->torsion[i] * a[i] * a[i];
    for (int i = 0; i < 3; i++)
      for (int j = 0; !(along > free * stiffness) && j < 3; j++)
        c->e.matrix[k->turn + i][k->turn + j] += stiffness * a[i] * a[j];
  }
}

static void add_elastic(vd_compliance *c, const task *t, const place *at, int m) {
  const vd_member *member = &c->corner.points.member[m];
  const link *k = &c->link[m];
  vd_reach reach;
  double v[3];
  for (int p = 0; p < k->points; p++) {
    chassis_point(c, at, m, p, &reach, v);
    if (member->steered)
      v[1] -= t->u[1];
    if (k->fixed[p])
      fix_point(c, m, p, &reach, v);
    else
      vd_add_spring(&c->e, &reach, v, c->corner.bushing[m][p].stiffness);
  }
  if (member->kind == VD_SLIDER)
    tilt_mount(c, at, k);
  else if (member->kind == VD_HINGE)
    vd_add_turn(&c->e, VD_TURN, at->turn, k->torsion);
  else
    vd_add_turn(&c->e, k->turn, at->member_turn[m], k->torsion);
  if (soft_ball(&c->corner, m)) {
    const double s = c->corner.ball_stiffness[m], stiffness[3] = {s, s, s};
    vd_reach ball = {.shift = -1, .offset = k->offset, .slide = -1};
    vd_add_spring(&c->e, &ball, at->offset[m], stiffness);
  }
  hold_free(c, at, m);
}

/* A constraint of the rigid linkage on the knuckle. Returns its row. */
static int add_joint(vd_compliance *c, const task *t, const place *at, const vd_joint *j) {
  vd_reach reach;
  double moved[3], d[3], m[3];
  knuckle_point(at, j->body, &reach, moved);
  for (int i = 0; i < 3; i++)
    d[i] = c->corner.points.wheel_center[i] + j->body[i] - j->chassis[i] + moved[i] - t->u[0] * j->moves[0][i] -
           t->u[1] * j->moves[1][i];
  switch (j->kind) {
  case VD_JOINT_ROD: {
    double f[3] = {d[0] / j->length, d[1] / j->length, d[2] / j->length}, k = 1.0 / j->length;
    double stiffness[3][3] = {{k, 0.0, 0.0}, {0.0, k, 0.0}, {0.0, 0.0, k}};
    return vd_add_row(&c->e, &reach, 0.5 * (vd_dot3(d, d) - j->length * j->length) * k, f, stiffness);
  }
  case VD_JOINT_PLANE: return vd_add_row(&c->e, &reach, vd_dot3(j->direction, d), j->direction, NULL);
  case VD_JOINT_SLIDE: break;
  }
  vd_turned(at->turn, j->direction, m);
  double value = vd_dot3(m, d);
  for (int i = 0; i < 3; i++)
    d[i] -= reach.arm[0][i]; /* of the wheel centre */
  return vd_add_slide(&c->e, value, m, d);
}

/* The point that a spring's length depends on: its eye or its rod's end, on the knuckle or an elastic member, or the ball joint
 * of a rigid member. *foot is its place at design. */
static void spring_foot(const vd_compliance *c, const place *at, vd_element *spring, vd_reach *reach, double *foot,
                        double *moved) {
  const vd_hardpoints *p = &c->corner.points;
  double *eye = spring->rocker ? spring->rod_part : spring->eye, b[3];
  int m = spring->on - VD_ON_MEMBER;
  bool on_member = spring->on != VD_ON_KNUCKLE && (p->member[m].kind == VD_ARM || p->member[m].kind == VD_ROD);
  if (on_member && p->member[m].kind == VD_ROD) { /* taken along the rod's line */
    double rod[3], along = 0.0;
    for (int i = 0; i < 3; i++)
      rod[i] = p->member[m].knuckle[i] - p->member[m].chassis[0][i];
    for (int i = 0; i < 3; i++)
      along += rod[i] * (eye[i] - p->member[m].chassis[0][i]) / vd_dot3(rod, rod);
    for (int i = 0; i < 3; i++)
      eye[i] = p->member[m].chassis[0][i] + along * rod[i];
  }
  memcpy(foot, on_member && !c->link[m].elastic ? p->member[m].knuckle : eye, 3 * sizeof *foot);
  if (on_member && c->link[m].elastic) {
    spring->on = VD_ON_KNUCKLE;
    member_point(c, at, m, foot, reach, moved);
    return;
  }
  for (int i = 0; i < 3; i++)
    b[i] = foot[i] - p->wheel_center[i];
  knuckle_point(at, b, reach, moved);
}

/* F = F0 + k (L0 - L) and U = F^2/(2 k). The length's slopes and curvatures by its foot are those of a knuckle that is only moved,
 * two directions at a time. */
static void add_coil(vd_compliance *c, const place *at) {
  static const int pair[3][2] = {{0, 1}, {1, 2}, {2, 0}};
  vd_element spring = c->corner.points.spring;
  vd_reach reach;
  double foot[3], moved[3], f[3], h[3][3], length = 0.0, rate = c->corner.spring_rate;
  spring_foot(c, at, &spring, &reach, foot, moved);
  vd_pose pose = {.turn = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
  for (int i = 0; i < 3; i++)
    pose.at[i] = c->corner.points.wheel_center[i] + moved[i];
  for (int k = 0; k < 3; k++) {
    int i = pair[k][0], j = pair[k][1];
    memset(pose.velocity, 0, sizeof pose.velocity);
    pose.velocity[0][i] = pose.velocity[1][j] = 1.0;
    vd_jet l = vd_element_length(&c->stand, &pose, &spring);
    length = l.v;
    f[i] = l.d[0];
    h[i][i] = l.h[VD_UU];
    h[i][j] = h[j][i] = l.h[VD_UV];
  }
  double force = c->spring_load + rate * (c->spring_length - length);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      h[i][j] = rate * f[i] * f[j] - force * h[i][j];
  for (int i = 0; i < 3; i++)
    f[i] *= -force;
  vd_add_point(&c->e, &reach, f, h);
  c->e.energy += 0.5 * force * force / rate;
}

/* A force on the patch is dead: W = F . place. A moment's work on phi is M . (1 + phi x/2) dphi, so that its slope by phi is not
 * symmetric. */
static void add_load(vd_compliance *c, const task *t, const place *at) {
  vd_reach reach;
  double moved[3], f[3] = {-t->force[0], -t->force[1], -t->force[2]};
  knuckle_point(at, t->patch, &reach, moved);
  vd_add_point(&c->e, &reach, f, NULL);
  c->e.value[VD_TURN + 2] -= t->moment;
  c->e.matrix[VD_TURN][VD_TURN + 1] += 0.5 * t->moment;
  c->e.matrix[VD_TURN + 1][VD_TURN] -= 0.5 * t->moment;
}

/* The equations at a place. */
static void evaluate(vd_compliance *c, const task *t, const place *at) {
  c->jack = -1;
  c->e.coordinates = c->coordinates;
  c->e.rows = 0;
  c->e.energy = 0.0;
  memset(c->e.value, 0, sizeof c->e.value);
  memset(c->e.matrix, 0, sizeof c->e.matrix);
  memcpy(c->e.multiplier, at->multiplier, sizeof c->e.multiplier);
  for (int m = 0; m < c->corner.points.members; m++) {
    const link *k = &c->link[m];
    if (k->elastic)
      add_elastic(c, t, at, m);
    else
      for (int j = 0; j < k->joints; j++)
        add_joint(c, t, at, &c->linkage.joint[k->joint + j]);
  }
  if (t->held)
    for (int j = VD_JOINTS - 1; j >= c->drivers; j--)
      c->jack = add_joint(c, t, at, &c->linkage.joint[j]);
  else
    add_coil(c, at);
  add_load(c, t, at);
}

/* --- Newton --- */

/* Factors of the matrix with rows and columns scaled to like size: by their own stiffness, 1 N/m and 0.1 N m/rad where there is
 * none, and constraints to unit length. */
static bool factorise(vd_compliance *c) {
  int n = c->e.coordinates, size = n + c->e.rows;
  double largest = 0.0, smallest = INFINITY;
  for (int i = 0; i < n; i++)
    c->scale[i] = 1.0 / sqrt(fabs(c->e.matrix[i][i]) + (i < VD_TURN ? 1.0 : 0.1));
  for (int i = n; i < size; i++) {
    double square = 0.0;
    for (int j = 0; j < n; j++)
      square += c->e.matrix[i][j] * c->e.matrix[i][j] * c->scale[j] * c->scale[j];
    c->scale[i] = 1.0 / sqrt(square);
  }
  gsl_matrix_view m = gsl_matrix_view_array(c->factors, (size_t)size, (size_t)size);
  gsl_permutation order = {.size = (size_t)size, .data = c->order};
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++) {
      double value = c->scale[i] * c->e.matrix[i][j] * c->scale[j];
      if (!isfinite(value))
        return false;
      gsl_matrix_set(&m.matrix, (size_t)i, (size_t)j, value);
    }
  int sign;
  gsl_linalg_LU_decomp(&m.matrix, &order, &sign);
  for (int i = 0; i < size; i++) {
    double pivot = fabs(gsl_matrix_get(&m.matrix, (size_t)i, (size_t)i));
    largest = fmax(largest, pivot);
    smallest = fmin(smallest, pivot);
  }
  return smallest > singular * largest;
}

/* x <- solution for the right side in x. */
static void resolve(vd_compliance *c, double *x) {
  int size = c->e.coordinates + c->e.rows;
  gsl_matrix_view m = gsl_matrix_view_array(c->factors, (size_t)size, (size_t)size);
  gsl_permutation order = {.size = (size_t)size, .data = c->order};
  gsl_vector_view v = gsl_vector_view_array(x, (size_t)size);
  for (int i = 0; i < size; i++)
    x[i] *= c->scale[i];
  gsl_linalg_LU_svx(&m.matrix, &order, &v.vector);
  for (int i = 0; i < size; i++)
    x[i] *= c->scale[i];
}

static void move(const vd_compliance *c, const double *x, double share, place *at) {
  double by[VD_UNKNOWNS];
  for (int i = 0; i < c->e.coordinates + c->e.rows; i++)
    by[i] = -share * x[i];
  for (int i = 0; i < 3; i++)
    at->shift[i] += by[VD_SHIFT + i];
  vd_turn_on(by + VD_TURN, at->turn);
  for (int m = 0; m < c->corner.points.members; m++) {
    const link *k = &c->link[m];
    int count = c->corner.points.member[m].kind == VD_SLIDER ? 1 : 3;
    for (int i = 0; k->offset >= 0 && i < count; i++)
      at->offset[m][i] += by[k->offset + i];
    if (k->turn >= 0)
      vd_turn_on(by + k->turn, at->member_turn[m]);
  }
  for (int r = 0; r < c->e.rows; r++)
    at->multiplier[r] += by[c->e.coordinates + r];
}

static double imbalance(const vd_compliance *c, const double *scale) {
  double square = 0.0;
  for (int i = 0; i < c->e.coordinates + c->e.rows; i++)
    square += c->e.value[i] * c->e.value[i] * scale[i] * scale[i];
  return square;
}

static double longest(const double *x, int count) {
  double most = 0.0;
  for (int i = 0; i < count; i++)
    most = fmax(most, isnan(x[i]) ? INFINITY : fabs(x[i]));
  return most;
}

/* Along Newton's step, shortened until the imbalance falls; the equations are those of the new place. */
static bool search(vd_compliance *c, const task *t, const double *x, double share, place *at) {
  enum { HALVINGS = 8 };
  double scale[VD_UNKNOWNS], before;
  memcpy(scale, c->scale, sizeof scale);
  before = imbalance(c, scale);
  for (int k = 0; k < HALVINGS; k++, share *= 0.5) {
    place next = *at;
    move(c, x, share, &next);
    evaluate(c, t, &next);
    if (imbalance(c, scale) < (1.0 - 1e-4 * share) * before) {
      *at = next;
      return true;
    }
  }
  return false;
}

/* On success the equations are those of the place, and their factors at hand. */
static bool newton(vd_compliance *c, const task *t, place *at) {
  enum { ROUNDS = 30 };
  evaluate(c, t, at);
  for (int round = 0; round < ROUNDS; round++) {
    double x[VD_UNKNOWNS];
    if (!factorise(c))
      return false;
    memcpy(x, c->e.value, sizeof x);
    resolve(c, x);
    double step = longest(x, c->e.coordinates);
    if (step <= closed) {
      move(c, x, 1.0, at);
      evaluate(c, t, at);
      return factorise(c);
    }
    if (!search(c, t, x, fmin(1.0, far / step), at))
      return false;
  }
  return false;
}

/* --- start --- */

/* An arm turns about its hinge until it points to the ball joint, a rod by the shortest way. */
static void start_member(const vd_compliance *c, const task *t, int m, place *at) {
  const vd_member *member = &c->corner.points.member[m];
  const link *k = &c->link[m];
  vd_reach reach;
  double b[3], moved[3], from[3], to[3];
  for (int i = 0; i < 3; i++)
    b[i] = member->knuckle[i] - c->corner.points.wheel_center[i];
  knuckle_point(at, b, &reach, moved);
  if (member->steered)
    moved[1] -= t->u[1];
  for (int i = 0; i < 3; i++) {
    from[i] = member->knuckle[i] - member->chassis[0][i];
    to[i] = from[i] + moved[i];
  }
  if (member->kind == VD_ARM) { /* without the parts along the hinge */
    double ahead = vd_dot3(from, k->axis), now = vd_dot3(to, k->axis);
    for (int i = 0; i < 3; i++) {
      from[i] -= ahead * k->axis[i];
      to[i] -= now * k->axis[i];
    }
  }
  vd_turn_between(from, to, at->member_turn[m]);
}

/* The bodies about a knuckle's pose: members in line, the strut's rod end where its line passes the mount. */
static void start(const vd_compliance *c, const task *t, const vd_pose *pose, place *at) {
  double turn[3][3];
  *at = (place){.turn = {1.0}};
  for (int i = 0; i < 3; i++)
    at->shift[i] = pose->at[i] - c->corner.points.wheel_center[i];
  memcpy(turn, pose->turn, sizeof turn);
  vd_turn_from_matrix(turn, at->turn);
  for (int m = 0; m < c->corner.points.members; m++) {
    memcpy(at->member_turn[m], design, sizeof design);
    if (c->link[m].turn >= 0)
      start_member(c, t, m, at);
    else if (c->link[m].offset >= 0) {
      vd_reach reach;
      double moved[3];
      mount_point(c, at, m, &reach, moved);
      at->offset[m][0] = -vd_dot3(reach.along, moved);
    }
  }
}

/* --- outside --- */

/* All bodies are held by stiffness and constraints alone, at design, where nothing is loaded. */
static bool is_supported(vd_compliance *c) {
  task t = {.held = c->hold != VD_HOLD_SPRING};
  double load = c->spring_load;
  place at;
  c->spring_load = 0.0;
  start(c, &t, &c->rigid, &at);
  evaluate(c, &t, &at);
  c->spring_load = load;
  return factorise(c);
}

vd_compliance *vd_compliance_create(const vd_corner *corner, const vd_linkage *l, enum vd_hold hold) {
  vd_compliance *c = calloc(1, sizeof *c);
  if (!c)
    return NULL;
  c->corner = *corner;
  c->linkage = c->stand = *l;
  c->hold = hold;
  for (int m = 0; m < l->points.members; m++)
    c->stand.points.member[m].steered = false;
  vd_linkage_start(l, &c->rigid);
  number_columns(c);
  load_spring(c);
  c->supported = (hold != VD_HOLD_SPRING || c->sprung) && is_supported(c);
  return c;
}

void vd_compliance_destroy(vd_compliance *c) {
  free(c);
}

static bool move_rigid(vd_compliance *c, const double *u) {
  if (c->rigid.u[0] == u[0] && c->rigid.u[1] == u[1])
    return true;
  if (vd_linkage_move(&c->linkage, u, &c->rigid) == VD_LINKAGE_OK)
    return true;
  vd_linkage_start(&c->linkage, &c->rigid);
  return vd_linkage_move(&c->linkage, u, &c->rigid) == VD_LINKAGE_OK;
}

static void set_task(vd_compliance *c, const double *u, const vd_patch_load *load, task *t) {
  bool held = c->hold == VD_HOLD_WHEEL || (c->hold == VD_HOLD_AUTO && !(c->sprung && u[0] == 0.0 && load->fz > 0.0));
  *t = (task){.u = {u[0], u[1]}, .held = held, .force = {load->fx, load->fy, load->fz}, .moment = load->mz};
  find_patch(&c->linkage, &c->rigid, t->patch);
  for (int m = 0; m < c->corner.points.members; m++)
    if (c->corner.points.member[m].steered)
      for (int p = 0; p < 2; p++)
        c->stand.points.member[m].chassis[p][1] = c->corner.points.member[m].chassis[p][1] + u[1];
}

/* From the rigid linkage's pose, under its own load, to the whole load in parts. */
static bool load_slowly(vd_compliance *c, const task *whole, place *at) {
  double done = 0.0, part = 0.25;
  const double from[3] = {0.0, 0.0, whole->held ? 0.0 : c->carried};
  task t = *whole;
  start(c, whole, &c->rigid, at);
  while (done < 1.0) {
    double next = fmin(1.0, done + part);
    place there = *at;
    for (int i = 0; i < 3; i++)
      t.force[i] = from[i] + next * (whole->force[i] - from[i]);
    t.moment = next * whole->moment;
    if (newton(c, &t, &there)) {
      *at = there;
      done = next;
    } else {
      part *= 0.5;
      if (!(part >= shortest))
        return false;
    }
  }
  return true;
}

/* Columns of the inverse: a force's moment is that about the wheel centre. */
static void find_flexibility(vd_compliance *c, const task *t, const place *at, double flexibility[6][6]) {
  double arm[3];
  vd_turned(at->turn, t->patch, arm);
  for (int j = 0; j < 6; j++) {
    double x[VD_UNKNOWNS] = {0.0}, axis[3] = {j % 3 == 0, j % 3 == 1, j % 3 == 2};
    x[j] = 1.0;
    if (j < 3)
      vd_cross3(arm, axis, x + VD_TURN);
    resolve(c, x);
    for (int i = 0; i < 6; i++)
      flexibility[i][j] = x[i];
  }
}

bool vd_compliance_solve(vd_compliance *c, const double *u, const vd_patch_load *load, vd_compliance_state *state) {
  task t;
  place at;
  if (!c->supported || !move_rigid(c, u))
    return false;
  set_task(c, u, load, &t);
  start(c, &t, &state->pose, &at);
  if (!newton(c, &t, &at) && !load_slowly(c, &t, &at))
    return false;
  state->energy = c->e.energy;
  state->support = c->jack >= 0 ? -at.multiplier[c->jack] : 0.0;
  state->residual = longest(c->e.value, c->e.coordinates);
  find_flexibility(c, &t, &at, state->flexibility);
  for (int i = 0; i < 3; i++)
    state->pose.at[i] = c->corner.points.wheel_center[i] + at.shift[i];
  vd_turn_matrix(at.turn, state->pose.turn);
  state->pose.u[0] = t.held ? u[0] : at.shift[2];
  state->pose.u[1] = u[1];
  return true;
}
