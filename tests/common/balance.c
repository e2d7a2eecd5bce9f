#include "balance.h"
#include "base/base.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include <gsl/gsl_linalg.h>

enum { UNKNOWNS = 6 * BALANCE_BODIES + 3 * BALANCE_PARTS };

static const double newtons = 1e4; /* scale of multipliers and of the equations of forces */

static double dot3(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross3(const double *a, const double *b, double *out) {
  const double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  memcpy(out, c, sizeof c);
}

static void across(const double *axis, double *e1, double *e2) {
  int least = fabs(axis[0]) < fabs(axis[1]) ? 0 : 1;
  double unit[3] = {0.0, 0.0, 0.0}, size;
  if (fabs(axis[2]) < fabs(axis[least]))
    least = 2;
  unit[least] = 1.0;
  cross3(axis, unit, e1);
  size = sqrt(dot3(e1, e1));
  for (int i = 0; i < 3; i++)
    e1[i] /= size;
  cross3(axis, e1, e2);
  size = sqrt(dot3(e2, e2));
  for (int i = 0; i < 3; i++)
    e2[i] /= size;
}

/* --- places --- */

void balance_turned(const balance *s, int body, const double *design, double *out) {
  double from[3] = {design[0], design[1], design[2]};
  for (int i = 0; i < 3; i++)
    out[i] = body == GROUND ? from[i] : dot3(s->body[body].turn[i], from);
}

void balance_place(const balance *s, int body, const double *design, double *at) {
  if (body == GROUND) {
    memcpy(at, design, 3 * sizeof *at);
    return;
  }
  const balance_body *b = &s->body[body];
  const double arm[3] = {design[0] - b->design[0], design[1] - b->design[1], design[2] - b->design[2]};
  balance_turned(s, body, arm, at);
  for (int i = 0; i < 3; i++)
    at[i] += b->at[i];
}

/* Computes the position of a part's point on its body a. */
static void place_a(const balance *s, const balance_part *p, double *at) {
  balance_place(s, p->a, p->point, at);
  for (int i = 0; p->a == GROUND && i < 3; i++)
    at[i] += p->shift[i];
}

/* Turns a body by the rotation vector r in the axes of the ground, by Rodrigues' formula. */
static void rotate(balance_body *b, const double *r) {
  double angle = sqrt(dot3(r, r)), before[3][3];
  if (angle == 0.0)
    return;
  double s = sin(angle) / angle, c = 2.0 * sin(0.5 * angle) * sin(0.5 * angle) / (angle * angle);
  memcpy(before, b->turn, sizeof before);
  for (int k = 0; k < 3; k++) {
    const double v[3] = {before[0][k], before[1][k], before[2][k]};
    double once[3], twice[3];
    cross3(r, v, once);
    cross3(r, once, twice);
    for (int i = 0; i < 3; i++)
      b->turn[i][k] = v[i] + s * once[i] + c * twice[i];
  }
}

/* Returns w of the unit quaternion of the rotation from body a to body b, w >= 0, and its vector in the axes of a at
 * design. */
static double quaternion(const balance *s, int a, int b, double *e) {
  static const double identity[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  double m[3][3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      m[i][j] = 0.0;
      for (int k = 0; k < 3; k++)
        m[i][j] += (a == GROUND ? identity[k][i] : s->body[a].turn[k][i]) *
                   (b == GROUND ? identity[k][j] : s->body[b].turn[k][j]);
    }
  double w = 0.5 * sqrt(fmax(0.0, 1.0 + m[0][0] + m[1][1] + m[2][2]));
  for (int i = 0; i < 3; i++)
    e[i] = (m[(i + 2) % 3][(i + 1) % 3] - m[(i + 1) % 3][(i + 2) % 3]) / (4.0 * w);
  return w;
}

/* --- equations --- */

static int multipliers_of(const balance_part *p) {
  switch (p->kind) {
  case JOIN: return 3;
  case ON_LINE:
  case PARALLEL: return 2;
  case ON_PLANE:
  case APART: return 1;
  case WHEEL: return p->support == SUPPORT_NONE ? 0 : 1;
  case BUSHING:
  case TOP_MOUNT:
  case COIL:
  case DEAD_LOAD:
  case SPIN_STOP: break;
  }
  return 0;
}

typedef struct equations {
  double load[BALANCE_BODIES][6]; /* force, moment about the body's own point */
  double gap[3 * BALANCE_PARTS];
  double share; /* share of the loads that is applied */
} equations;

/* Adds a force at a position in space to a body. */
static void push(const balance *s, equations *q, int body, const double *at, const double *force, double sign) {
  if (body == GROUND)
    return;
  double arm[3], moment[3];
  for (int i = 0; i < 3; i++)
    arm[i] = at[i] - s->body[body].at[i];
  cross3(arm, force, moment);
  for (int i = 0; i < 3; i++) {
    q->load[body][i] += sign * force[i];
    q->load[body][3 + i] += sign * moment[i];
  }
}

static void twist(equations *q, int body, const double *moment, double sign) {
  for (int i = 0; body != GROUND && i < 3; i++)
    q->load[body][3 + i] += sign * moment[i];
}

static double law_at(const balance_law *l, double x) {
  return (l->curve ? l->curve(l->data, x) : l->rate * x) + l->load + l->cubic * x * x * x;
}

static void bushing(const balance *s, const balance_part *p, equations *q) {
  double at_a[3], at_b[3], off[3], force[3] = {0.0}, e[3] = {0.0}, w = 1.0, slope[3] = {0.0};
  place_a(s, p, at_a);
  balance_place(s, p->b, p->point, at_b);
  for (int i = 0; i < 3; i++)
    off[i] = at_b[i] - at_a[i];
  if (p->kind == BUSHING) {
    w = quaternion(s, p->a, p->b, e);
    for (int i = 0; i < 3; i++)
      e[i] *= 2.0;
  } else {
    double now[3];
    balance_turned(s, p->b, p->axis, now);
    cross3(p->axis, now, e);
  }
  for (int k = 0; k < 3; k++) {
    double along[3];
    balance_turned(s, p->a, p->frame[k], along);
    double f = -law_at(&p->law[k], dot3(along, off)), m = law_at(&p->law[3 + k], dot3(p->frame[k], e));
    for (int i = 0; i < 3; i++) {
      force[i] += f * along[i];
      slope[i] += m * p->frame[k][i]; /* dU/dt in the axes of a at design */
    }
  }
  push(s, q, p->b, at_b, force, 1.0);
  push(s, q, p->a, at_b, force, -1.0);
  double moment[3], on[3];
  if (p->kind == BUSHING) { /* t = 2 e: dt = w dr + dr x e */
    cross3(e, slope, moment);
    for (int i = 0; i < 3; i++)
      moment[i] = -(w * slope[i] + 0.5 * moment[i]);
  } else { /* t = n0 x n: dt = n0 x (dr x n) */
    double now[3], side[3];
    balance_turned(s, p->b, p->axis, now);
    cross3(slope, p->axis, side);
    cross3(side, now, moment);
  }
  balance_turned(s, p->a, moment, on);
  twist(q, p->b, on, 1.0);
  twist(q, p->a, on, -1.0);
}

static void lowest(const double *axis, double *e) {
  double size = 0.0;
  for (int i = 0; i < 3; i++) {
    e[i] = (i == 2) - axis[2] * axis[i];
    size += e[i] * e[i];
  }
  for (int i = 0; i < 3; i++)
    e[i] /= sqrt(size);
}

static void wheel_axis(const balance *s, const balance_part *p, double *axis) {
  balance_turned(s, p->b, p->axis, axis);
  double size = sqrt(dot3(axis, axis));
  for (int i = 0; i < 3; i++)
    axis[i] /= size;
}

static void wheel(const balance *s, const balance_part *p, const double *multiplier, double *gap, equations *q) {
  double centre[3], axis[3], up[3], contact[3], force[3], moment[3], arm[3], own[3], hub[3];
  balance_place(s, p->b, p->point, centre);
  wheel_axis(s, p, axis);
  lowest(axis, up);
  for (int i = 0; i < 3; i++) {
    arm[i] = -p->radius * up[i];
    contact[i] = centre[i] + arm[i];
    force[i] = q->share * p->force[i];
    hub[i] = q->share * p->centre_force[i];
  }
  if (p->support == SUPPORT_GROUND)
    force[2] += newtons * multiplier[0];
  if (p->support == SUPPORT_CENTRE)
    hub[2] += newtons * multiplier[0];
  push(s, q, p->b, contact, force, 1.0);
  push(s, q, p->b, centre, hub, 1.0);
  cross3(arm, force, own);
  double spin = dot3(own, axis) + q->share * dot3(p->moment, axis);
  for (int i = 0; i < 3; i++)
    moment[i] = q->share * (p->moment[i] + p->torque * axis[i]) - (p->free_spin ? spin * axis[i] : 0.0);
  twist(q, p->b, moment, 1.0);
  double design[3], design_up[3], size = sqrt(dot3(p->axis, p->axis));
  for (int i = 0; i < 3; i++)
    design[i] = p->axis[i] / size;
  lowest(design, design_up);
  if (p->support == SUPPORT_CENTRE)
    gap[0] = centre[2] - p->point[2] - p->lift;
  if (p->support == SUPPORT_GROUND)
    gap[0] = contact[2] - (p->point[2] - p->radius * design_up[2]) - p->lift;
}

static void join(const balance *s, const balance_part *p, const double *multiplier, double *gap, equations *q) {
  double a[3], b[3], force[3];
  place_a(s, p, a);
  balance_place(s, p->b, p->point, b);
  for (int i = 0; i < 3; i++) {
    gap[i] = b[i] - a[i];
    force[i] = newtons * multiplier[i];
  }
  push(s, q, p->b, b, force, 1.0);
  push(s, q, p->a, b, force, -1.0);
}

static void on_line(const balance *s, const balance_part *p, const double *multiplier, double *gap, equations *q) {
  double a[3], b[3], off[3], force[3] = {0.0}, across_design[2][3];
  place_a(s, p, a);
  balance_place(s, p->b, p->far, b);
  across(p->axis, across_design[0], across_design[1]);
  for (int i = 0; i < 3; i++)
    off[i] = b[i] - a[i];
  for (int k = 0; k < 2; k++) {
    double e[3];
    balance_turned(s, p->a, across_design[k], e);
    gap[k] = dot3(e, off);
    for (int i = 0; i < 3; i++)
      force[i] += newtons * multiplier[k] * e[i];
  }
  push(s, q, p->b, b, force, 1.0);
  push(s, q, p->a, b, force, -1.0);
}

static void parallel(const balance *s, const balance_part *p, const double *multiplier, double *gap, equations *q) {
  double n[3], across_design[2][3];
  balance_turned(s, p->b, p->axis, n);
  across(p->axis, across_design[0], across_design[1]);
  for (int k = 0; k < 2; k++) {
    double e[3], couple[3];
    balance_turned(s, p->a, across_design[k], e);
    gap[k] = dot3(e, n) / sqrt(dot3(p->axis, p->axis));
    cross3(n, e, couple);
    for (int i = 0; i < 3; i++)
      couple[i] *= newtons * multiplier[k];
    twist(q, p->b, couple, 1.0);
    twist(q, p->a, couple, -1.0);
  }
}

static void on_plane(const balance *s, const balance_part *p, const double *multiplier, double *gap, equations *q) {
  double b[3], force[3], size = sqrt(dot3(p->axis, p->axis));
  balance_place(s, p->b, p->point, b);
  gap[0] = 0.0;
  for (int i = 0; i < 3; i++) {
    gap[0] += (b[i] - p->point[i]) * p->axis[i] / size;
    force[i] = newtons * multiplier[0] * p->axis[i] / size;
  }
  push(s, q, p->b, b, force, 1.0);
}

/* Returns the distance of the two points of a part, m. along: unit vector from a to b. */
static double stretch(const balance *s, const balance_part *p, double *a, double *b, double *along) {
  double size = 0.0;
  place_a(s, p, a);
  balance_place(s, p->b, p->far, b);
  for (int i = 0; i < 3; i++) {
    along[i] = b[i] - a[i];
    size += along[i] * along[i];
  }
  size = sqrt(size);
  for (int i = 0; i < 3; i++)
    along[i] /= size;
  return size;
}

static void pull(const balance *s, const balance_part *p, const double *multiplier, double *gap, equations *q) {
  double a[3], b[3], force[3], along[3], length = stretch(s, p, a, b, along), design = 0.0, tension;
  for (int i = 0; i < 3; i++)
    design += (p->far[i] - p->point[i]) * (p->far[i] - p->point[i]);
  if (p->kind == APART) {
    gap[0] = length - sqrt(design);
    tension = -newtons * multiplier[0];
  } else {
    tension = law_at(&p->law[0], length);
  }
  for (int i = 0; i < 3; i++)
    force[i] = tension * along[i];
  push(s, q, p->a, a, force, 1.0);
  push(s, q, p->b, b, force, -1.0);
}

/* Adds a moment of 1 N m per radian of rotation of the body about the axis; it is zero in the equilibrium. */
static void spin_stop(const balance *s, const balance_part *p, equations *q) {
  double e[3], now[3], moment[3], size = dot3(p->axis, p->axis);
  quaternion(s, GROUND, p->b, e);
  balance_turned(s, p->b, p->axis, now);
  for (int i = 0; i < 3; i++)
    moment[i] = -2.0 * dot3(e, p->axis) * now[i] / size;
  twist(q, p->b, moment, 1.0);
}

static void evaluate(const balance *s, const double *multiplier, double share, double *out) {
  equations q;
  int next = 0;
  memset(&q, 0, sizeof q);
  q.share = share;
  for (int k = 0; k < s->parts; k++) {
    const balance_part *p = &s->part[k];
    const double *m = multiplier + next;
    double *gap = q.gap + next;
    double place[3], scaled[3];
    switch (p->kind) {
    case JOIN: join(s, p, m, gap, &q); break;
    case ON_LINE: on_line(s, p, m, gap, &q); break;
    case PARALLEL: parallel(s, p, m, gap, &q); break;
    case ON_PLANE: on_plane(s, p, m, gap, &q); break;
    case APART:
    case COIL: pull(s, p, m, gap, &q); break;
    case BUSHING:
    case TOP_MOUNT: bushing(s, p, &q); break;
    case SPIN_STOP: spin_stop(s, p, &q); break;
    case WHEEL: wheel(s, p, m, gap, &q); break;
    case DEAD_LOAD:
      balance_place(s, p->b, p->point, place);
      for (int i = 0; i < 3; i++)
        scaled[i] = share * p->force[i];
      push(s, &q, p->b, place, scaled, 1.0);
      for (int i = 0; i < 3; i++)
        scaled[i] = share * p->moment[i];
      twist(&q, p->b, scaled, 1.0);
      break;
    }
    next += multipliers_of(p);
  }
  for (int b = 0; b < s->bodies; b++)
    for (int i = 0; i < 6; i++)
      *out++ = q.load[b][i] / newtons;
  memcpy(out, q.gap, (size_t)next * sizeof *out);
}

static void shift(balance *s, int unknown, double by) {
  int bodies = 6 * s->bodies;
  if (unknown >= bodies) {
    s->multiplier[unknown - bodies] += by;
    return;
  }
  balance_body *b = &s->body[unknown / 6];
  if (unknown % 6 < 3) {
    b->at[unknown % 6] += by;
    return;
  }
  double r[3] = {0.0, 0.0, 0.0};
  r[unknown % 6 - 3] = by;
  rotate(b, r);
}

static double size_of(const double *r, int n) {
  double worst = 0.0;
  for (int i = 0; i < n; i++)
    worst = r[i] == r[i] ? fmax(worst, fabs(r[i])) : INFINITY;
  return worst;
}

static void move(balance *s, const double *by, double scale) {
  for (int b = 0; b < s->bodies; b++) {
    double r[3];
    for (int i = 0; i < 3; i++) {
      s->body[b].at[i] += scale * by[6 * b + i];
      r[i] = scale * by[6 * b + 3 + i];
    }
    rotate(&s->body[b], r);
  }
  for (int k = 0; k < s->multipliers; k++)
    s->multiplier[k] += scale * by[6 * s->bodies + k];
}

static double newton_step(balance *s, double share, double *step) {
  int n = 6 * s->bodies + s->multipliers, sign;
  double r[UNKNOWNS], more[UNKNOWNS], less[UNKNOWNS];
  gsl_matrix *m = gsl_matrix_alloc((size_t)n, (size_t)n);
  gsl_permutation *order = gsl_permutation_alloc((size_t)n);
  const double h = 1e-6;
  for (int j = 0; j < n; j++) {
    balance moved = *s;
    shift(&moved, j, h);
    evaluate(&moved, moved.multiplier, share, more);
    moved = *s;
    shift(&moved, j, -h);
    evaluate(&moved, moved.multiplier, share, less);
    for (int i = 0; i < n; i++)
      gsl_matrix_set(m, (size_t)i, (size_t)j, (more[i] - less[i]) / (2.0 * h));
  }
  evaluate(s, s->multiplier, share, r);
  for (int i = 0; i < n; i++)
    step[i] = -r[i];
  gsl_vector_view x = gsl_vector_view_array(step, (size_t)n);
  if (!gsl_linalg_LU_decomp(m, order, &sign) && gsl_linalg_LU_det(m, sign) != 0.0)
    gsl_linalg_LU_svx(m, order, &x.vector);
  else
    step[0] = NAN;
  gsl_matrix_free(m);
  gsl_permutation_free(order);
  return size_of(r, n);
}

static bool newton(balance *s, double share) {
  int n = 6 * s->bodies + s->multipliers;
  for (int round = 0; round < 60; round++) {
    double step[UNKNOWNS], r[UNKNOWNS];
    newton_step(s, share, step);
    double most = size_of(step, 6 * s->bodies), cut = most > 0.05 ? 0.05 / most : 1.0;
    if (!isfinite(most))
      return false;
    move(s, step, cut);
    evaluate(s, s->multiplier, share, r);
    s->residual = size_of(r, n);
    if (most < 1e-13 && size_of(step, n) < 1e-10)
      return true;
    if (round > 20 && most < 1e-11)
      return true;
  }
  return false;
}

bool balance_solve(balance *s, int steps) {
  s->multipliers = 0;
  for (int k = 0; k < s->parts; k++)
    s->multipliers += multipliers_of(&s->part[k]);
  bool ok = true;
  for (int k = 1; ok && k <= steps; k++)
    ok = newton(s, (double)k / steps);
  return ok;
}

/* --- building --- */

int balance_add_body(balance *s, const double *point) {
  assert(s->bodies < BALANCE_BODIES);
  balance_body *b = &s->body[s->bodies];
  memset(b, 0, sizeof *b);
  for (int i = 0; i < 3; i++) {
    b->design[i] = b->at[i] = point[i];
    b->turn[i][i] = 1.0;
  }
  return s->bodies++;
}

balance_part *balance_add(balance *s, enum balance_kind kind, int a, int b, const double *point) {
  assert(s->parts < BALANCE_PARTS);
  balance_part *p = &s->part[s->parts++];
  memset(p, 0, sizeof *p);
  p->kind = kind;
  p->a = a;
  p->b = b;
  memcpy(p->point, point, sizeof p->point);
  for (int i = 0; i < 3; i++)
    p->frame[i][i] = 1.0;
  return p;
}

balance_part *balance_add_bushing(balance *s, enum balance_kind kind, int a, int b, const double *point,
                                  const double *stiffness) {
  balance_part *p = balance_add(s, kind, a, b, point);
  for (int i = 0; i < 6; i++)
    p->law[i].rate = stiffness[i];
  return p;
}

double balance_multiplier(const balance *s, const balance_part *part, int which) {
  int next = 0;
  for (const balance_part *p = s->part; p < part; p++)
    next += multipliers_of(p);
  return newtons * s->multiplier[next + which];
}

double balance_toe(const balance *s, const balance_part *p) {
  double axis[3];
  wheel_axis(s, p, axis);
  return atan2(axis[0], axis[1]) * 180.0 / VD_PI;
}

double balance_camber(const balance *s, const balance_part *p) {
  double axis[3];
  wheel_axis(s, p, axis);
  return -asin(axis[2]) * 180.0 / VD_PI;
}
