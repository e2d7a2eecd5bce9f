/* Corner solver: constraints, Newton steps, exact derivatives, continuation. Elements that stand on links are in
 * linkage_part.c, both wheels of a twist beam in twist_pose.c, knuckles of rigid axles in axle_steer.c. */
#include "linkage/crank.h"
#include "linkage/linkage.h"
#include "base/elementary.h"
#include "base/vec.h"
#include "base/wide.h"

#include <assert.h>
#include <string.h>

enum { N = VD_JOINTS, POSITION = 0, ROTATION = 3 };

/* m, largest residual at which Newton's steps end: the rounding error of a coordinate */
static const double closed = 1e-14;
static const double longest = 0.01;  /* m, longest change of the inputs in one Newton solution */
static const double shortest = 1e-6; /* share of the distance at which the search for the end of the range stops */
/* ratio of the smallest to the largest pivot below which the links count as being at a dead point: residuals of 1e-14 m
 * then give an error of 1e-9 m, and rates are unusable */
static const double degenerate = 1e-5;

/* --- all joints at once --- */

/* One number per joint; the last two of the eight lanes are unused and zero. */
typedef double lanes __attribute__((vector_size(VD_LANES * sizeof(double))));

typedef struct lanes3 {
  lanes x, y, z;
} lanes3;

VD_INLINE lanes load(const double *from) {
  lanes a;
  memcpy(&a, from, sizeof a);
  return a;
}

VD_INLINE lanes3 load3(const double (*from)[VD_LANES]) {
  return (lanes3){load(from[0]), load(from[1]), load(from[2])};
}

VD_INLINE lanes3 plus3(lanes3 a, lanes3 b) {
  return (lanes3){a.x + b.x, a.y + b.y, a.z + b.z};
}

VD_INLINE lanes3 less3(lanes3 a, lanes3 b) {
  return (lanes3){a.x - b.x, a.y - b.y, a.z - b.z};
}

VD_INLINE lanes3 times3(lanes s, lanes3 a) {
  return (lanes3){s * a.x, s * a.y, s * a.z};
}

VD_INLINE lanes3 scaled3(double s, lanes3 a) {
  return (lanes3){s * a.x, s * a.y, s * a.z};
}

/* Returns one vector in all lanes. */
VD_INLINE lanes3 all3(const double *v) {
  const lanes none = {0.0};
  return (lanes3){none + v[0], none + v[1], none + v[2]};
}

VD_INLINE lanes dot3(lanes3 a, lanes3 b) {
  return a.x * b.x + (a.y * b.y + a.z * b.z);
}

VD_INLINE lanes3 cross3(lanes3 a, lanes3 b) {
  return (lanes3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

VD_INLINE lanes3 turned3(const vd_pose *pose, lanes3 b) {
  const double(*r)[3] = pose->turn;
  return (lanes3){r[0][0] * b.x + (r[0][1] * b.y + r[0][2] * b.z), r[1][0] * b.x + (r[1][1] * b.y + r[1][2] * b.z),
                  r[2][0] * b.x + (r[2][1] * b.y + r[2][2] * b.z)};
}

/* --- six equations --- */

/* The factored Jacobian by columns, one row per lane. Gauss-Jordan elimination clears a column except for the pivot's
 * row, which then holds the solution's number. Rows are not exchanged. The factors of elimination are kept for later
 * right sides. */
typedef struct factors {
  lanes column[N], share[N];
  int lane[N];  /* lane of the pivot's row */
  double sign;  /* of the product of the pivots; 0: singular */
  bool ordered; /* the pivots' rows are those of a pose close by */
} factors;

/* Returns the row of the largest number of a column among the rows that have no pivot yet. */
VD_INLINE int pivot_lane(lanes column, const bool *used) {
  int best = -1;
  double most = -1.0;
  for (int i = 0; i < N; i++)
    if (!used[i] && fabs(column[i]) > most) {
      most = fabs(column[i]);
      best = i;
    }
  return best;
}

/* Returns the sign of the determinant: the product of the signs of the pivots and of the permutation of their rows. */
VD_INLINE double determinant_sign(const factors *f) {
  int inversions = 0;
  for (int i = 0; i < N; i++)
    for (int j = i + 1; j < N; j++)
      inversions += f->lane[i] > f->lane[j];
  return inversions % 2 ? -f->sign : f->sign;
}

VD_INLINE void factorise(factors *f) {
  bool used[N] = {false};
  double largest = 0.0, smallest = INFINITY, sign = 1.0;
  f->sign = 0.0;
  for (int k = 0; k < N; k++) {
    int lane = f->ordered ? f->lane[k] : pivot_lane(f->column[k], used);
    if (lane < 0)
      return; /* the solution becomes NaN */
    double pivot = f->column[k][lane], inverse = 1.0 / pivot;
    used[lane] = true;
    f->lane[k] = lane;
    largest = vd_fast_max(fabs(pivot), largest);
    smallest = vd_fast_min(fabs(pivot), smallest);
    sign = pivot < 0.0 ? -sign : sign;
    f->share[k] = inverse * f->column[k];
    f->share[k][lane] = 1.0 - inverse; /* the pivot's own row is multiplied by 1/pivot */
    for (int j = k + 1; j < N; j++)
      f->column[j] -= f->column[j][lane] * f->share[k];
  }
  if (smallest > degenerate * largest)
    f->sign = sign;
  f->ordered = true;
}

VD_INLINE void resolve(const factors *f, lanes right, double *x) {
  for (int k = 0; k < N; k++)
    right -= right[f->lane[k]] * f->share[k];
  for (int k = 0; k < N; k++)
    x[k] = right[f->lane[k]];
}

/* --- constraints --- */

/* All joints at a pose: r = R b, d = p + r - a, n in its present direction, g = df/d(place of the joint's point), which
 * is also -df/d(chassis point). For a rod on an arm, c is the rotated arm of the ball joint, and h = M'g. */
typedef struct joint_states {
  lanes3 r, d, n, g;
  lanes f; /* m, residuals */
  lanes3 c, h;
} joint_states;

VD_INLINE double largest_of(lanes a) {
  double worst = 0.0;
  for (int i = 0; i < N; i++)
    worst = fabs(a[i]) <= worst ? worst : fabs(a[i]); /* a NaN stays, and fails later comparisons */
  return worst;
}

static const lanes3 no_lanes;

/* Places of the chassis points at the inputs, and their derivatives by the inputs. */
typedef struct bases {
  lanes3 at, slope[VD_INPUTS];
  lanes3 bend; /* second derivative by the rack; not zero for points of a relay rod only */
} bases;

/* Replaces the places of points of a relay rod, whose path is not straight. */
VD_INLINE void bend_bases(const vd_linkage *l, double rack, bases *b) {
  lanes *const to[3][3] = {{&b->at.x, &b->slope[1].x, &b->bend.x},
                           {&b->at.y, &b->slope[1].y, &b->bend.y},
                           {&b->at.z, &b->slope[1].z, &b->bend.z}};
  for (int i = 0; i < N; i++) {
    if (!l->joint[i].geared)
      continue;
    vd_jet3 p = vd_gear_point(&l->points.gear, rack, l->joint[i].chassis);
    const vd_jet *part[3] = {&p.x, &p.y, &p.z};
    for (int k = 0; k < 3; k++) {
      (*to[k][0])[i] = part[k]->v;
      (*to[k][1])[i] = part[k]->d[1];
      (*to[k][2])[i] = part[k]->h[VD_VV];
    }
  }
}

VD_INLINE bases bases_at(const vd_linkage *l, const double *u) {
  const vd_joint_lanes *j = &l->lanes;
  bases b = {.bend = no_lanes};
  b.slope[0] = load3(j->moves[0]);
  b.slope[1] = load3(j->moves[1]);
  b.at = plus3(load3(j->chassis), plus3(scaled3(u[0], b.slope[0]), scaled3(u[1], b.slope[1])));
  if (l->has_relay_rod)
    bend_bases(l, u[1], &b);
  return b;
}

/* Returns M v of each rod whose inner end is on an arm, 0 for other joints; carried_back returns M'v. */
VD_INLINE lanes3 carried(const vd_linkage *l, lanes3 v) {
  const double(*m)[3][VD_LANES] = l->lanes.carry;
  return (lanes3){dot3(load3(m[0]), v), dot3(load3(m[1]), v), dot3(load3(m[2]), v)};
}

VD_INLINE lanes3 carried_back(const vd_linkage *l, lanes3 v) {
  const double(*m)[3][VD_LANES] = l->lanes.carry;
  return plus3(times3(v.x, load3(m[0])), plus3(times3(v.y, load3(m[1])), times3(v.z, load3(m[2]))));
}

VD_INLINE double evaluate(const vd_linkage *l, const vd_pose *pose, lanes3 chassis, joint_states *s) {
  const vd_joint_lanes *j = &l->lanes;
  lanes inverse = load(j->inverse_length);
  s->r = turned3(pose, load3(j->body));
  s->d = less3(plus3(s->r, all3(pose->at)), chassis);
  s->c = s->h = no_lanes;
  if (l->has_rod_on_arm) {
    s->c = turned3(pose, load3(j->ball));
    s->d = less3(s->d, carried(l, plus3(s->c, all3(pose->at))));
  }
  s->n = load3(j->fixed);
  if (l->slides)
    s->n = plus3(s->n, turned3(pose, load3(j->turning)));
  /* length and direction of the unused lanes are zero */
  lanes3 along = times3(inverse, s->d);
  s->g = plus3(along, s->n);
  s->f = dot3(plus3(scaled3(0.5, along), s->n), s->d) - load(j->half_length);
  if (l->has_rod_on_arm)
    s->h = carried_back(l, s->g);
  return largest_of(s->f);
}

/* Computes the columns df/d(place) and df/d(turn). The direction n of a slide turns with the knuckle too, which adds w
 * . (r x n + n x d). */
VD_INLINE void differentiate(const vd_linkage *l, const joint_states *s, factors *f) {
  lanes3 turn = cross3(s->r, s->g);
  if (l->slides)
    turn = plus3(turn, times3(load(l->lanes.slide), cross3(s->n, s->d)));
  lanes3 place = s->g;
  if (l->has_rod_on_arm) {
    place = less3(place, s->h);
    turn = less3(turn, cross3(s->c, s->h));
  }
  f->column[0] = place.x;
  f->column[1] = place.y;
  f->column[2] = place.z;
  f->column[3] = turn.x;
  f->column[4] = turn.y;
  f->column[5] = turn.z;
  factorise(f);
}

VD_WIDE double vd_linkage_residual(const vd_linkage *l, const vd_pose *pose) {
  joint_states s;
  return evaluate(l, pose, bases_at(l, pose->u).at, &s);
}

/* --- Newton --- */

/* Turns the pose: R <- exp(theta x) R = (1 + a theta x + b theta x theta x) R (Rodrigues), where a = sin(t)/t and b =
 * (1 - cos t)/t^2. Their series replace them at small t, where cancellation would leave rounding errors. */
VD_INLINE void turn_by(const double *theta, vd_pose *pose) {
  const double near2 = 0.003; /* rad2; below it the neglected terms of the series are less than 1e-20 */
  double t2 = vd_dot(theta, theta), a, b, old[3][3];
  if (t2 < near2) {
    a = 1.0 - t2 * (1.0 / 6.0) * (1.0 - t2 * (1.0 / 20.0) * (1.0 - t2 * (1.0 / 42.0) * (1.0 - t2 * (1.0 / 72.0))));
    b = 0.5 - t2 * (1.0 / 24.0) * (1.0 - t2 * (1.0 / 30.0) * (1.0 - t2 * (1.0 / 56.0) * (1.0 - t2 * (1.0 / 90.0))));
  } else {
    double t = sqrt(t2);
    a = vd_sin(t) / t;
    b = (1.0 - vd_cos(t)) / t2;
  }
  double x = theta[0], y = theta[1], z = theta[2];
  const double turn[3][3] = {{1.0 - b * (y * y + z * z), b * x * y - a * z, b * x * z + a * y},
                             {b * x * y + a * z, 1.0 - b * (x * x + z * z), b * y * z - a * x},
                             {b * x * z - a * y, b * y * z + a * x, 1.0 - b * (x * x + y * y)}};
  memcpy(old, pose->turn, sizeof old);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      pose->turn[i][j] = turn[i][0] * old[0][j] + turn[i][1] * old[1][j] + turn[i][2] * old[2][j];
}

VD_INLINE void shift(const double *step, vd_pose *pose) {
  for (int i = 0; i < 3; i++)
    pose->at[i] -= step[POSITION + i];
  double theta[3] = {-step[ROTATION], -step[ROTATION + 1], -step[ROTATION + 2]};
  turn_by(theta, pose);
}

/* Shortens a long step: Newton's method converges reliably only close to the solution. */
VD_INLINE void damp(double *step) {
  const double far = 0.1; /* m and rad */
  double worst = 0.0;
  for (int i = 0; i < N; i++)
    worst = vd_fast_max(fabs(step[i]), worst);
  if (worst > far)
    for (int i = 0; i < N; i++)
      step[i] *= far / worst;
}

/* Solves the constraints by Newton's method; s and f receive the joints at the last pose and the last factors. After a
 * small residual one more step with the same factors follows, which again reduces the error in nearly the same
 * ratio. */
VD_INLINE bool newton(const vd_linkage *l, lanes3 chassis, vd_pose *pose, joint_states *s, factors *f) {
  enum { ROUNDS = 12 };
  const double small = 1e-6;
  double step[N], worst = evaluate(l, pose, chassis, s);
  for (int round = 0; round < ROUNDS && !(worst <= closed); round++) {
    f->ordered = false;
    differentiate(l, s, f);
    if (!(fabs(f->sign) > 0.0))
      return false;
    for (int chord = 0; chord < 2 && !(worst <= closed); chord++) {
      resolve(f, s->f, step);
      damp(step);
      shift(step, pose);
      double before = worst;
      worst = evaluate(l, pose, chassis, s);
      if (!(worst < small && before < small * 100.0))
        break;
    }
  }
  return worst <= 100.0 * closed;
}

/* --- derivatives --- */

VD_INLINE void first_derivatives(const factors *f, const joint_states *s, const bases *b, int input, vd_pose *pose) {
  double x[N];
  resolve(f, dot3(s->g, b->slope[input]), x);
  memcpy(pose->velocity[input], x + POSITION, sizeof pose->velocity[input]);
  memcpy(pose->spin[input], x + ROTATION, sizeof pose->spin[input]);
}

/* Velocities per input of the joints' points relative to their chassis points, and further terms of the rotation. */
typedef struct moving {
  lanes3 v;     /* of d */
  lanes3 n;     /* of a slide's direction */
  lanes r, gw;  /* w . r, g . w */
  lanes rn, dw; /* w . n, d . w */
  lanes c, hw;  /* w . c, h . w */
} moving;

VD_INLINE void find_moving(const vd_linkage *l, const joint_states *s, const vd_pose *pose, lanes3 slope, int input,
                           moving *m) {
  lanes3 w = all3(pose->spin[input]), none = scaled3(0.0, w);
  m->v = less3(plus3(cross3(w, s->r), all3(pose->velocity[input])), slope);
  m->r = dot3(w, s->r);
  m->gw = dot3(w, s->g);
  m->n = none;
  m->rn = m->dw = none.x;
  if (l->slides) {
    m->n = cross3(w, s->n);
    m->rn = dot3(w, s->n);
    m->dw = dot3(w, s->d);
  }
  m->c = m->hw = none.x;
  if (l->has_rod_on_arm) {
    m->v = less3(m->v, carried(l, plus3(cross3(w, s->c), all3(pose->velocity[input]))));
    m->c = dot3(w, s->c);
    m->hw = dot3(w, s->h);
  }
}

/* Returns the part of d2f/du_j du_k without the pose's own second derivatives. A turning vector r adds
 *   (w_j x (w_k x r) + w_k x (w_j x r))/2 = (w_j (w_k . r) + w_k (w_j . r))/2 - r (w_j . w_k). */
VD_INLINE lanes curvature(const vd_linkage *l, const joint_states *s, const moving *j, const moving *k, double jk) {
  lanes sum = 0.5 * (j->gw * k->r + k->gw * j->r) - jk * dot3(s->g, s->r);
  sum += load(l->lanes.inverse_length) * dot3(j->v, k->v);
  if (l->slides) {
    lanes turn = 0.5 * (j->dw * k->rn + k->dw * j->rn) - jk * dot3(s->n, s->d);
    turn += dot3(j->n, k->v) + dot3(k->n, j->v);
    sum += load(l->lanes.slide) * turn;
  }
  if (l->has_rod_on_arm)
    sum -= 0.5 * (j->hw * k->c + k->hw * j->c) - jk * dot3(s->h, s->c);
  return sum;
}

VD_INLINE void second_derivatives(const vd_linkage *l, const factors *f, const joint_states *s, const bases *b,
                                  vd_pose *pose) {
  moving m[VD_INPUTS];
  for (int i = 0; i < VD_INPUTS; i++)
    find_moving(l, s, pose, b->slope[i], i, &m[i]);
  for (int k = 0; k < VD_SECONDS; k++) {
    const int i = vd_first_input[k], j = vd_second_input[k];
    double x[N], jk = vd_dot(pose->spin[i], pose->spin[j]);
    lanes right = -1.0 * curvature(l, s, &m[i], &m[j], jk);
    if (l->has_relay_rod && k == VD_VV)
      right += dot3(s->g, b->bend);
    resolve(f, right, x);
    memcpy(pose->accel[k], x + POSITION, sizeof pose->accel[k]);
    memcpy(pose->angular[k], x + ROTATION, sizeof pose->angular[k]);
  }
}

VD_WIDE bool vd_linkage_close(const vd_linkage *l, const double *u, bool seconds, vd_pose *pose) {
  joint_states s;
  factors f;
  bases b = bases_at(l, u);
  f.ordered = false;
  if (!newton(l, b.at, pose, &s, &f))
    return false;
  differentiate(l, &s, &f);
  if (!(determinant_sign(&f) * l->side > 0.0))
    return false;
  pose->u[0] = u[0];
  pose->u[1] = u[1];
  for (int i = 0; i < VD_INPUTS; i++)
    first_derivatives(&f, &s, &b, i, pose);
  if (seconds)
    second_derivatives(l, &f, &s, &b, pose);
  return true;
}

VD_WIDE void vd_linkage_release(const vd_linkage *l, const vd_pose *pose, int joint, double *velocity, double *spin) {
  joint_states s;
  factors f;
  lanes right = {0.0};
  double x[N];
  f.ordered = false;
  assert(joint >= 0 && joint < N);
  evaluate(l, pose, bases_at(l, pose->u).at, &s);
  differentiate(l, &s, &f);
  right[joint] = 1.0;
  resolve(&f, right, x);
  memcpy(velocity, x + POSITION, 3 * sizeof *velocity);
  memcpy(spin, x + ROTATION, 3 * sizeof *spin);
}

/* --- continuation --- */

/* Makes a first guess at the inputs u: the Taylor series of the pose to the second order. */
VD_INLINE void predict(const double *u, vd_pose *pose) {
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

/* Returns whether a solution is close to the guess. A solution far from it is another assembly of the links. */
VD_INLINE bool near(const double *at, double (*turn)[3], const vd_pose *found) {
  const double most = 0.05; /* m and rad */
  double worst = 0.0;
  for (int i = 0; i < 3; i++) {
    worst = vd_fast_max(fabs(at[i] - found->at[i]), worst);
    for (int j = 0; j < 3; j++)
      worst = vd_fast_max(fabs(turn[i][j] - found->turn[i][j]), worst);
  }
  return worst <= most;
}

static bool step_to(const vd_linkage *l, const double *u, vd_pose *pose) {
  vd_pose next = *pose;
  double at[3], turn[3][3];
  predict(u, &next);
  memcpy(at, next.at, sizeof at);
  memcpy(turn, next.turn, sizeof turn);
  if (!vd_linkage_close(l, u, true, &next) || !near(at, turn, &next))
    return false;
  *pose = next;
  return true;
}

/* Returns whether the pose is that of a twist beam with two travels, for which one body is not enough. */
static bool twists(const vd_linkage *l) {
  return l->beam && l->motion == VD_EACH;
}

VD_WIDE enum vd_linkage_status vd_linkage_stride(const vd_linkage *l, const double *u, double stride, vd_pose *pose) {
  const double from[VD_INPUTS] = {pose->u[0], pose->u[1]};
  double distance = vd_fast_max(fabs(u[0] - from[0]), fabs(u[1] - from[1]));
  double most = distance > stride && !twists(l) ? stride / distance : 1.0, done = 0.0, part = most;
  while (done < 1.0) {
    double next = done + part < 1.0 - 0.01 * part ? done + part : 1.0;
    const double there[VD_INPUTS] = {next == 1.0 ? u[0] : from[0] + next * (u[0] - from[0]),
                                     next == 1.0 ? u[1] : from[1] + next * (u[1] - from[1])};
    if (twists(l) ? vd_twist_close(l, there, pose) : step_to(l, there, pose)) {
      done = next;
      part = vd_fast_min(2.0 * part, most);
      continue;
    }
    part *= 0.5;
    if (!(part > shortest))
      return VD_LINKAGE_OPEN;
  }
  return VD_LINKAGE_OK;
}

VD_WIDE enum vd_linkage_status vd_linkage_move(const vd_linkage *l, const double *u, vd_pose *pose) {
  return vd_linkage_stride(l, u, longest, pose);
}

/* --- building --- */

static vd_joint *add_joint(vd_linkage *l, int *count, enum vd_joint_kind kind, const double *chassis,
                           const double *knuckle) {
  assert(*count < N);
  vd_joint *j = &l->joint[(*count)++];
  *j = (vd_joint){.kind = kind};
  memcpy(j->chassis, chassis, sizeof j->chassis);
  vd_between(l->points.wheel_center, knuckle, j->body);
  return j;
}

static vd_joint *add_rod(vd_linkage *l, int *count, const double *chassis, const double *knuckle, bool steered) {
  vd_joint *j = add_joint(l, count, VD_JOINT_ROD, chassis, knuckle);
  j->length = vd_distance(chassis, knuckle);
  j->geared = steered;
  if (steered) {
    const vd_jet3 p = vd_gear_point(&l->points.gear, 0.0, chassis);
    memcpy(j->moves[1], (const double[]){p.x.d[1], p.y.d[1], p.z.d[1]}, sizeof j->moves[1]);
    l->has_relay_rod |= l->points.gear.kind == VD_GEAR_RELAY;
  }
  return j;
}

static void add_plane(vd_linkage *l, int *count, enum vd_joint_kind kind, const double *chassis, const double *knuckle,
                      const double *normal) {
  vd_joint *j = add_joint(l, count, kind, chassis, knuckle);
  memcpy(j->direction, normal, sizeof j->direction);
}

/* Sets the matrix M of a rod on an arm. A point of an arm is at its foot on the axis + (x b' + (e x x)(e x b)')/b^2 q.
 * Here e is the axis, x and b lead from their feet on the axis to the point and to the ball joint in the design
 * position, and q leads to the ball joint in its present place. */
static void carry_rod(vd_linkage *l, const vd_member *arm, vd_joint *j) {
  double axis[3];
  vd_between(arm->chassis[0], arm->chassis[1], axis);
  vd_between(l->points.wheel_center, arm->knuckle, j->ball);
  const vd_crank point = vd_crank_make(arm->chassis[0], axis, j->chassis);
  const vd_crank ball = vd_crank_make(arm->chassis[0], axis, arm->knuckle);
  j->on_arm = true;
  l->has_rod_on_arm = true;
  memcpy(j->chassis, point.foot, sizeof j->chassis);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      j->carry[i][k] = (point.arm[i] * ball.arm[k] + point.aside[i] * ball.aside[k]) / ball.radius2;
      j->chassis[i] -= j->carry[i][k] * ball.foot[k];
    }
}

/* Adds the two constraints that keep a point on the line through two points. */
static void add_across(vd_linkage *l, int *count, enum vd_joint_kind kind, const double *point, const double *other) {
  double axis[3], first[3], second[3];
  vd_between(other, point, axis);
  vd_normalise(axis, axis);
  vd_across(axis, first, second);
  add_plane(l, count, kind, point, point, first);
  add_plane(l, count, kind, point, point, second);
}

static void add_member(vd_linkage *l, int *count, const vd_member *m, enum vd_axle_motion motion) {
  double end[3];
  memcpy(end, m->chassis[1], sizeof end);
  if (l->beam && motion == VD_PARALLEL) {
    end[0] = m->chassis[0][0]; /* both arms turn about the line through their pivots */
    end[2] = m->chassis[0][2];
  }
  switch (m->kind) {
  case VD_ARM:
    add_rod(l, count, m->chassis[0], m->knuckle, m->steered);
    add_rod(l, count, m->chassis[1], m->knuckle, m->steered);
    return;
  case VD_ROD: {
    vd_joint *j = add_rod(l, count, m->chassis[0], m->knuckle, m->steered);
    if (m->base >= VD_ON_MEMBER)
      carry_rod(l, &l->points.member[m->base - VD_ON_MEMBER], j);
    return;
  }
  case VD_SLIDER: add_across(l, count, VD_JOINT_SLIDE, m->chassis[0], m->knuckle); return;
  case VD_HINGE:
    for (int i = 0; i < 3; i++)
      add_plane(l, count, VD_JOINT_PLANE, m->chassis[0], m->chassis[0], vd_unit_vectors[i]);
    add_across(l, count, VD_JOINT_PLANE, end, m->chassis[0]);
    return;
  }
}

/* Adds the constraint that the height of the wheel centre is the travel. */
static void add_driver(vd_linkage *l, int *count, const double *wheel, int input) {
  add_plane(l, count, VD_JOINT_PLANE, wheel, wheel, vd_unit_vectors[2]);
  l->joint[*count - 1].moves[input][2] = 1.0;
}

void vd_linkage_spread(vd_linkage *l) {
  vd_joint_lanes *to = &l->lanes;
  for (int i = 0; i < N; i++) {
    const vd_joint *j = &l->joint[i];
    bool rod = j->kind == VD_JOINT_ROD, slide = j->kind == VD_JOINT_SLIDE;
    for (int k = 0; k < 3; k++) {
      to->body[k][i] = j->body[k];
      to->chassis[k][i] = j->chassis[k];
      to->moves[0][k][i] = j->moves[0][k];
      to->moves[1][k][i] = j->moves[1][k];
      to->fixed[k][i] = rod || slide ? 0.0 : j->direction[k];
      to->turning[k][i] = slide ? j->direction[k] : 0.0;
      to->ball[k][i] = j->ball[k];
      for (int c = 0; c < 3; c++)
        to->carry[k][c][i] = j->carry[k][c];
    }
    to->half_length[i] = rod ? 0.5 * j->length : 0.0;
    to->inverse_length[i] = rod ? 1.0 / j->length : 0.0;
    to->slide[i] = slide;
    l->slides |= slide;
  }
}

static vd_pose design_pose(const vd_linkage *l) {
  vd_pose pose = {.turn = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
  memcpy(pose.at, l->points.wheel_center, sizeof pose.at);
  return pose;
}

static bool close_design(const vd_linkage *l, vd_pose *pose) {
  static const double design[VD_INPUTS] = {0.0, 0.0};
  *pose = design_pose(l);
  return twists(l) ? vd_twist_close(l, design, pose) : vd_linkage_close(l, design, true, pose);
}

/* Returns the sign of the determinant in the design position, which depends on how the linkage is assembled. */
static double assembled(const vd_linkage *l) {
  vd_pose start = design_pose(l);
  joint_states s;
  factors f;
  f.ordered = false;
  evaluate(l, &start, bases_at(l, start.u).at, &s);
  differentiate(l, &s, &f);
  return determinant_sign(&f);
}

bool vd_linkage_build(const vd_hardpoints *points, enum vd_axle_motion motion, vd_linkage *l) {
  int count = 0;
  *l = (vd_linkage){.points = *points, .motion = motion};
  const vd_linkage_traits *traits = vd_linkage_traits_of(points->type);
  l->axle = traits->axle;
  l->beam = traits->beam;
  vd_normalise(points->spin_axis, l->spin_axis);
  for (int i = 0; i < points->members; i++)
    add_member(l, &count, &points->member[i], motion);
  add_driver(l, &count, points->wheel_center, 0);
  if (l->axle) {
    double right[3] = {points->wheel_center[0], -points->wheel_center[1], points->wheel_center[2]};
    add_driver(l, &count, right, 1);
  }
  assert(count == N);
  vd_linkage_spread(l);
  l->side = assembled(l);
  vd_pose start;
  return close_design(l, &start);
}

void vd_linkage_start(const vd_linkage *l, vd_pose *pose) {
  bool ok = close_design(l, pose);
  assert(ok);
}
