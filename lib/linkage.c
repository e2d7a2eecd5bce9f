/* Corner solver: constraints, Newton steps, exact derivatives, continuation. Elements that stand on links are in linkage_part.c. */
#include "linkage.h"

#include <assert.h>
#include <string.h>

enum { N = VD_JOINTS, POSITION = 0, ROTATION = 3 };

static const double closed = 1e-14;    /* m, largest residual at which Newton's steps end: rounding error of a place */
static const double longest = 0.01;    /* m of the inputs in one go */
static const double shortest = 1e-6;   /* share of the way at which a search for the end gives up */
static const double degenerate = 1e-9; /* smallest pivot over the largest, where the links are at a dead point */

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *out) {
  double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

static void turned(const vd_pose *pose, const double *b, double *r) {
  for (int i = 0; i < 3; i++)
    r[i] = dot(pose->turn[i], b);
}

/* --- six equations --- */

/* Triangular factors of the Jacobian, rows exchanged. */
typedef struct factors {
  double a[N][N];
  int row[N];
  double sign; /* of the determinant; 0: singular */
} factors;

static void factorise(factors *f) {
  double largest = 0.0, smallest = INFINITY;
  f->sign = 1.0;
  for (int i = 0; i < N; i++)
    f->row[i] = i;
  for (int k = 0; k < N; k++) {
    int best = k;
    for (int i = k + 1; i < N; i++)
      if (fabs(f->a[i][k]) > fabs(f->a[best][k]))
        best = i;
    if (best != k) {
      double swap[N];
      memcpy(swap, f->a[k], sizeof swap);
      memcpy(f->a[k], f->a[best], sizeof swap);
      memcpy(f->a[best], swap, sizeof swap);
      int row = f->row[k];
      f->row[k] = f->row[best];
      f->row[best] = row;
      f->sign = -f->sign;
    }
    double pivot = f->a[k][k], inverse = 1.0 / pivot;
    largest = fmax(largest, fabs(pivot));
    smallest = fmin(smallest, fabs(pivot));
    if (pivot < 0.0)
      f->sign = -f->sign;
    for (int i = k + 1; i < N; i++) {
      double share = f->a[i][k] *= inverse;
      for (int j = k + 1; j < N; j++)
        f->a[i][j] -= share * f->a[k][j];
    }
  }
  if (!(smallest > degenerate * largest))
    f->sign = 0.0;
}

static void resolve(const factors *f, const double *right, double *x) {
  for (int i = 0; i < N; i++) {
    x[i] = right[f->row[i]];
    for (int j = 0; j < i; j++)
      x[i] -= f->a[i][j] * x[j];
  }
  for (int i = N - 1; i >= 0; i--) {
    for (int j = i + 1; j < N; j++)
      x[i] -= f->a[i][j] * x[j];
    x[i] /= f->a[i][i];
  }
}

/* --- constraints --- */

/* A joint at a pose: r = R b, d = p + r - a, n as it stands. */
typedef struct joint_state {
  double r[3], d[3], n[3];
} joint_state;

static void look(const vd_joint *j, const vd_pose *pose, const double *u, joint_state *s) {
  turned(pose, j->body, s->r);
  for (int i = 0; i < 3; i++)
    s->d[i] = pose->at[i] + s->r[i] - j->chassis[i] - u[0] * j->moves[0][i] - u[1] * j->moves[1][i];
  if (j->kind == VD_JOINT_SLIDE)
    turned(pose, j->direction, s->n);
  else
    memcpy(s->n, j->direction, sizeof s->n);
}

static double residual(const vd_joint *j, const joint_state *s) {
  if (j->kind == VD_JOINT_ROD)
    return (dot(s->d, s->d) - j->length * j->length) / (2.0 * j->length);
  return dot(s->n, s->d);
}

/* df/d(place of the joint's point), which is also -df/d(chassis point). */
static void gradient(const vd_joint *j, const joint_state *s, double *g) {
  double scale = j->kind == VD_JOINT_ROD ? 1.0 / j->length : 1.0;
  const double *along = j->kind == VD_JOINT_ROD ? s->d : s->n;
  for (int i = 0; i < 3; i++)
    g[i] = scale * along[i];
}

/* df/d(place), df/d(turn). A slide's direction turns too: w . (r x n + n x d). */
static void jacobian_row(const vd_joint *j, const joint_state *s, double *row) {
  gradient(j, s, row + POSITION);
  cross(s->r, row + POSITION, row + ROTATION);
  if (j->kind == VD_JOINT_SLIDE) {
    double turn[3];
    cross(s->n, s->d, turn);
    for (int i = 0; i < 3; i++)
      row[ROTATION + i] += turn[i];
  }
}

static double evaluate(const vd_linkage *l, const vd_pose *pose, const double *u, joint_state *s, double *f) {
  double worst = 0.0;
  for (int i = 0; i < N; i++) {
    look(&l->joint[i], pose, u, &s[i]);
    f[i] = residual(&l->joint[i], &s[i]);
    worst = fmax(worst, isnan(f[i]) ? INFINITY : fabs(f[i]));
  }
  return worst;
}

static void differentiate(const vd_linkage *l, const joint_state *s, factors *f) {
  for (int i = 0; i < N; i++)
    jacobian_row(&l->joint[i], &s[i], f->a[i]);
  factorise(f);
}

double vd_linkage_residual(const vd_linkage *l, const vd_pose *pose) {
  joint_state s[N];
  double f[N];
  return evaluate(l, pose, pose->u, s, f);
}

/* --- Newton --- */

/* R <- exp(theta x) R, Rodrigues. */
static void turn_by(const double *theta, vd_pose *pose) {
  double square = dot(theta, theta), angle = sqrt(square);
  double a = angle > 1e-4 ? sin(angle) / angle : 1.0 - square / 6.0;
  double b = angle > 1e-4 ? (1.0 - cos(angle)) / square : 0.5 - square / 24.0;
  for (int column = 0; column < 3; column++) {
    double v[3] = {pose->turn[0][column], pose->turn[1][column], pose->turn[2][column]}, once[3], twice[3];
    cross(theta, v, once);
    cross(theta, once, twice);
    for (int i = 0; i < 3; i++)
      pose->turn[i][column] = v[i] + a * once[i] + b * twice[i];
  }
}

static void shift(const double *step, vd_pose *pose) {
  for (int i = 0; i < 3; i++)
    pose->at[i] -= step[POSITION + i];
  double theta[3] = {-step[ROTATION], -step[ROTATION + 1], -step[ROTATION + 2]};
  turn_by(theta, pose);
}

/* A step that would throw the knuckle about is shortened: Newton's steps are sure only nearby. */
static void damp(double *step) {
  const double far = 0.1; /* m and rad */
  double worst = 0.0;
  for (int i = 0; i < N; i++)
    worst = fmax(worst, fabs(step[i]));
  if (worst > far)
    for (int i = 0; i < N; i++)
      step[i] *= far / worst;
}

/* Last residuals' joints in s. A small residual is worth one more step with the factors at hand: the error falls by the
 * same factor again. */
static bool newton(const vd_linkage *l, const double *u, vd_pose *pose, joint_state *s) {
  enum { ROUNDS = 12 };
  const double small = 1e-6;
  factors f;
  double right[N], step[N], worst = evaluate(l, pose, u, s, right);
  for (int round = 0; round < ROUNDS && worst > closed; round++) {
    differentiate(l, s, &f);
    if (!(fabs(f.sign) > 0.0))
      return false;
    for (int chord = 0; chord < 2 && worst > closed; chord++) {
      resolve(&f, right, step);
      damp(step);
      shift(step, pose);
      double before = worst;
      worst = evaluate(l, pose, u, s, right);
      if (!(worst < small && before < small * 100.0))
        break;
    }
  }
  return worst <= 100.0 * closed;
}

/* --- derivatives --- */

static void first_derivatives(const vd_linkage *l, const factors *f, const joint_state *s, int input, vd_pose *pose) {
  double right[N], x[N], g[3];
  for (int i = 0; i < N; i++) {
    gradient(&l->joint[i], &s[i], g);
    right[i] = dot(g, l->joint[i].moves[input]);
  }
  resolve(f, right, x);
  memcpy(pose->velocity[input], x + POSITION, sizeof pose->velocity[input]);
  memcpy(pose->spin[input], x + ROTATION, sizeof pose->spin[input]);
}

/* (w_j x (w_k x r) + w_k x (w_j x r))/2 = (w_j (w_k . r) + w_k (w_j . r))/2 - r (w_j . w_k) */
static void whirl(const double *wj, const double *wk, const double *r, double *out) {
  double kr = 0.5 * dot(wk, r), jr = 0.5 * dot(wj, r), jk = dot(wj, wk);
  for (int i = 0; i < 3; i++)
    out[i] = wj[i] * kr + wk[i] * jr - r[i] * jk;
}

static void relative_velocity(const vd_joint *joint, const joint_state *s, const vd_pose *pose, int input, double *v) {
  cross(pose->spin[input], s->r, v);
  for (int i = 0; i < 3; i++)
    v[i] += pose->velocity[input][i] - joint->moves[input][i];
}

/* The part of d2f/du_j du_k without the pose's own second derivatives. */
static double curvature(const vd_joint *joint, const joint_state *s, const vd_pose *pose, int j, int k) {
  double vj[3], vk[3], w[3], g[3];
  relative_velocity(joint, s, pose, j, vj);
  relative_velocity(joint, s, pose, k, vk);
  whirl(pose->spin[j], pose->spin[k], s->r, w);
  gradient(joint, s, g);
  double sum = dot(g, w);
  if (joint->kind == VD_JOINT_ROD)
    sum += dot(vj, vk) / joint->length;
  if (joint->kind == VD_JOINT_SLIDE) {
    double nj[3], nk[3], wn[3];
    cross(pose->spin[j], s->n, nj);
    cross(pose->spin[k], s->n, nk);
    whirl(pose->spin[j], pose->spin[k], s->n, wn);
    sum += dot(wn, s->d) + dot(nj, vk) + dot(nk, vj);
  }
  return sum;
}

static void second_derivatives(const vd_linkage *l, const factors *f, const joint_state *s, vd_pose *pose) {
  static const int first[VD_SECONDS] = {0, 0, 1}, second[VD_SECONDS] = {0, 1, 1};
  for (int k = 0; k < VD_SECONDS; k++) {
    double right[N], x[N];
    for (int i = 0; i < N; i++)
      right[i] = -curvature(&l->joint[i], &s[i], pose, first[k], second[k]);
    resolve(f, right, x);
    memcpy(pose->accel[k], x + POSITION, sizeof pose->accel[k]);
    memcpy(pose->angular[k], x + ROTATION, sizeof pose->angular[k]);
  }
}

bool vd_linkage_close(const vd_linkage *l, const double *u, bool seconds, vd_pose *pose) {
  joint_state s[N];
  factors f;
  if (!newton(l, u, pose, s))
    return false;
  differentiate(l, s, &f);
  if (!(f.sign * l->side > 0.0))
    return false;
  pose->u[0] = u[0];
  pose->u[1] = u[1];
  for (int i = 0; i < VD_INPUTS; i++)
    first_derivatives(l, &f, s, i, pose);
  if (seconds)
    second_derivatives(l, &f, s, pose);
  return true;
}

void vd_linkage_release(const vd_linkage *l, const vd_pose *pose, int joint, double *velocity, double *spin) {
  joint_state s[N];
  factors f;
  double right[N] = {0.0}, x[N];
  assert(joint >= 0 && joint < N && l->joint[joint].kind == VD_JOINT_ROD);
  evaluate(l, pose, pose->u, s, x);
  differentiate(l, s, &f);
  right[joint] = 1.0;
  resolve(&f, right, x);
  memcpy(velocity, x + POSITION, 3 * sizeof *velocity);
  memcpy(spin, x + ROTATION, 3 * sizeof *spin);
}

/* --- continuation --- */

/* The pose's own Taylor series to the second order, as a first guess. */
static void predict(const double *u, vd_pose *pose) {
  double a = u[0] - pose->u[0], b = u[1] - pose->u[1], theta[3];
  const double weight[VD_SECONDS] = {0.5 * a * a, a * b, 0.5 * b * b};
  for (int i = 0; i < 3; i++) {
    pose->at[i] += a * pose->velocity[0][i] + b * pose->velocity[1][i];
    theta[i] = a * pose->spin[0][i] + b * pose->spin[1][i];
    for (int k = 0; k < VD_SECONDS; k++) {
      pose->at[i] += weight[k] * pose->accel[k][i];
      theta[i] += weight[k] * pose->angular[k][i];
    }
  }
  turn_by(theta, pose);
}

/* A solution far from the guess belongs to another way of assembly. */
static bool near(const vd_pose *a, const vd_pose *b) {
  const double most = 0.05; /* m and rad */
  double worst = 0.0;
  for (int i = 0; i < 3; i++) {
    worst = fmax(worst, fabs(a->at[i] - b->at[i]));
    for (int j = 0; j < 3; j++)
      worst = fmax(worst, fabs(a->turn[i][j] - b->turn[i][j]));
  }
  return worst <= most;
}

static bool step_to(const vd_linkage *l, const double *u, vd_pose *pose) {
  vd_pose guess = *pose, next;
  predict(u, &guess);
  next = guess;
  if (!vd_linkage_close(l, u, true, &next) || !near(&guess, &next))
    return false;
  *pose = next;
  return true;
}

enum vd_linkage_status vd_linkage_move(const vd_linkage *l, const double *u, vd_pose *pose) {
  const double from[VD_INPUTS] = {pose->u[0], pose->u[1]};
  double way = fmax(fabs(u[0] - from[0]), fabs(u[1] - from[1]));
  double done = 0.0, part = way > longest ? longest / way : 1.0;
  while (done < 1.0) {
    double next = done + part < 1.0 - 0.01 * part ? done + part : 1.0;
    const double there[VD_INPUTS] = {next == 1.0 ? u[0] : from[0] + next * (u[0] - from[0]),
                                     next == 1.0 ? u[1] : from[1] + next * (u[1] - from[1])};
    if (step_to(l, there, pose)) {
      done = next;
      part = fmin(2.0 * part, way > longest ? longest / way : 1.0);
      continue;
    }
    part *= 0.5;
    if (!(part > shortest))
      return VD_LINKAGE_OPEN;
  }
  return VD_LINKAGE_OK;
}

/* --- building --- */

static vd_joint *add_joint(vd_linkage *l, int *count, enum vd_joint_kind kind, const double *chassis,
                           const double *knuckle) {
  assert(*count < N);
  vd_joint *j = &l->joint[(*count)++];
  *j = (vd_joint){.kind = kind};
  for (int i = 0; i < 3; i++) {
    j->chassis[i] = chassis[i];
    j->body[i] = knuckle[i] - l->points.wheel_center[i];
  }
  return j;
}

static void add_rod(vd_linkage *l, int *count, const double *chassis, const double *knuckle, bool steered) {
  vd_joint *j = add_joint(l, count, VD_JOINT_ROD, chassis, knuckle);
  double d[3] = {knuckle[0] - chassis[0], knuckle[1] - chassis[1], knuckle[2] - chassis[2]};
  j->length = sqrt(dot(d, d));
  if (steered)
    j->moves[1][1] = 1.0;
}

static void add_plane(vd_linkage *l, int *count, enum vd_joint_kind kind, const double *chassis, const double *knuckle,
                      const double *normal) {
  vd_joint *j = add_joint(l, count, kind, chassis, knuckle);
  memcpy(j->direction, normal, sizeof j->direction);
}

/* Two unit vectors across a direction. */
static void across(const double *direction, double *first, double *second) {
  double length = sqrt(dot(direction, direction)), unit[3];
  int least = 0;
  for (int i = 0; i < 3; i++) {
    unit[i] = direction[i] / length;
    if (fabs(direction[i]) < fabs(direction[least]))
      least = i;
  }
  double axis[3] = {least == 0, least == 1, least == 2};
  cross(unit, axis, first);
  length = sqrt(dot(first, first));
  for (int i = 0; i < 3; i++)
    first[i] /= length;
  cross(unit, first, second);
}

static void add_member(vd_linkage *l, int *count, const vd_member *m, enum vd_axle_motion motion) {
  static const double unit[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  double axis[3], first[3], second[3], end[3];
  memcpy(end, m->chassis[1], sizeof end);
  if (l->points.type == VD_TWIST_BEAM && motion == VD_PARALLEL) {
    end[0] = m->chassis[0][0]; /* both arms turn about the line through their pivots */
    end[2] = m->chassis[0][2];
  }
  switch (m->kind) {
  case VD_ARM:
    add_rod(l, count, m->chassis[0], m->knuckle, m->steered);
    add_rod(l, count, m->chassis[1], m->knuckle, m->steered);
    return;
  case VD_ROD: add_rod(l, count, m->chassis[0], m->knuckle, m->steered); return;
  case VD_SLIDER:
    for (int i = 0; i < 3; i++)
      axis[i] = m->chassis[0][i] - m->knuckle[i];
    across(axis, first, second);
    add_plane(l, count, VD_JOINT_SLIDE, m->chassis[0], m->chassis[0], first);
    add_plane(l, count, VD_JOINT_SLIDE, m->chassis[0], m->chassis[0], second);
    return;
  case VD_HINGE:
    for (int i = 0; i < 3; i++) {
      axis[i] = end[i] - m->chassis[0][i];
      add_plane(l, count, VD_JOINT_PLANE, m->chassis[0], m->chassis[0], unit[i]);
    }
    across(axis, first, second);
    add_plane(l, count, VD_JOINT_PLANE, end, end, first);
    add_plane(l, count, VD_JOINT_PLANE, end, end, second);
    return;
  }
}

/* The wheel centre's height is the travel. */
static void add_driver(vd_linkage *l, int *count, const double *wheel, int input) {
  static const double up[3] = {0.0, 0.0, 1.0};
  add_plane(l, count, VD_JOINT_PLANE, wheel, wheel, up);
  l->joint[*count - 1].moves[input][2] = 1.0;
}

bool vd_linkage_build(const vd_hardpoints *points, enum vd_axle_motion motion, vd_linkage *l) {
  int count = 0;
  *l = (vd_linkage){.points = *points};
  l->axle = points->type == VD_FOUR_LINK_AXLE || points->type == VD_PANHARD_AXLE;
  double length = sqrt(dot(points->spin_axis, points->spin_axis));
  for (int i = 0; i < 3; i++)
    l->spin_axis[i] = points->spin_axis[i] / length;
  for (int i = 0; i < points->members; i++)
    add_member(l, &count, &points->member[i], motion);
  add_driver(l, &count, points->wheel_center, 0);
  if (l->axle) {
    double right[3] = {points->wheel_center[0], -points->wheel_center[1], points->wheel_center[2]};
    add_driver(l, &count, right, 1);
  }
  assert(count == N);
  vd_pose start = {.turn = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
  joint_state s[N];
  double f[N];
  factors solved;
  memcpy(start.at, points->wheel_center, sizeof start.at);
  evaluate(l, &start, start.u, s, f);
  differentiate(l, s, &solved);
  l->side = solved.sign;
  return fabs(l->side) > 0.0;
}

void vd_linkage_start(const vd_linkage *l, vd_pose *pose) {
  static const double design[VD_INPUTS] = {0.0, 0.0};
  *pose = (vd_pose){.turn = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
  memcpy(pose->at, l->points.wheel_center, sizeof pose->at);
  bool ok = vd_linkage_close(l, design, true, pose);
  assert(ok);
}
