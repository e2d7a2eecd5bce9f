#include "model/prescribed.h"

#include "math/lu.h"
#include "model/frame.h"
#include "model/space.h"

#include <math.h>

/* The body in a state, for all levels; at L1 and L2 it moves in the plane of the road. */
typedef struct body {
  vd_frame f;
  double forward[3];      /* forward axis, along which vx is measured; in body axes */
  double forward_rate[3]; /* 1/s, its rate relative to the world, in body axes */
  double yaw_rate;        /* rad/s, of the heading */
} body;

static bool in_plane(const vd_model *m) {
  return m->options.level < VD_L3;
}

static void plane_frame(const vd_model *m, const double *x, vd_frame *f) {
  const vd_ground *g = &m->ground;
  double c = vd_cos(x[VD_S_YAW]), s = vd_sin(x[VD_S_YAW]);
  *f = (vd_frame){.u = {x[VD_S_VX], x[VD_S_VY], 0.0}, .w = {0.0, 0.0, x[VD_S_YAW_RATE]}};
  for (int k = 0; k < 3; k++) {
    f->to_world[k][0] = c * g->along[k] + s * g->across[k];
    f->to_world[k][1] = c * g->across[k] - s * g->along[k];
    f->to_world[k][2] = g->normal[k];
    f->plane[k][k] = 1.0;
  }
}

/* Computes the body in a state. The forward axis turns about the normal of the road; at L5 it is fixed in the body. The
 * heading turns at (q sin(roll) + r cos(roll))/cos(pitch), which follows from the vertical in body axes. */
static void body_at(const vd_model *m, const double *x, body *b) {
  vd_frame *f = &b->f;
  double unused[2] = {0.0, 0.0};
  if (in_plane(m))
    plane_frame(m, x, f);
  else if (m->options.level == VD_L5)
    vd_frame_from_quaternion(x, f);
  else
    vd_frame_from_angles(m, x, unused, f);
  const double own[3] = {0.0, f->w[2], -f->w[1]}; /* w x (1, 0, 0) */
  bool on_road = m->options.level == VD_L3 || m->options.level == VD_L4;
  double turn = on_road ? vd_dot(f->plane[1], own) / f->plane[0][0] : 0.0;
  for (int j = 0; j < 3; j++) {
    b->forward[j] = f->plane[0][j];
    b->forward_rate[j] = on_road ? turn * f->plane[1][j] : own[j];
  }
  const double *up = f->to_world[2];
  b->yaw_rate = (f->w[1] * up[1] + f->w[2] * up[2]) / (up[1] * up[1] + up[2] * up[2]);
}

/* Computes the acceleration of O relative to the world, m/s2, in body axes. */
static void acceleration(const vd_model *m, const body *b, const double *dx, double *a) {
  vd_cross(b->f.w, b->f.u, a);
  a[0] += dx[VD_S_VX];
  a[1] += dx[VD_S_VY];
  a[2] += in_plane(m) ? 0.0 : dx[VD_S_VZ];
}

/* Returns the second derivative of the heading, rad/s2. With s = sin, c = cos of roll and pitch,
 *   yaw' = (q s_r + r c_r)/c_p,   yaw'' = (q' s_r + r' c_r + roll' (q c_r - r s_r))/c_p + yaw' pitch' tan(pitch). */
static double heading_acceleration(const vd_model *m, const body *b, const double *dx) {
  const double *up = b->f.to_world[2], *w = b->f.w;
  if (in_plane(m))
    return dx[VD_S_YAW_RATE];
  double sp = -up[0], cp = sqrt(up[1] * up[1] + up[2] * up[2]), sr = up[1] / cp, cr = up[2] / cp;
  double pitch_rate = w[1] * cr - w[2] * sr, roll_rate = w[0] + b->yaw_rate * sp;
  return (dx[VD_S_PITCH_RATE] * sr + dx[VD_S_YAW_RATE] * cr + roll_rate * pitch_rate) / cp +
         b->yaw_rate * pitch_rate * sp / cp;
}

static void add(vd_prescribed *h, double unit, const double *force, const double *moment) {
  int k = h->count++;
  h->unit[k] = unit;
  h->amount[k] = 0.0;
  for (int j = 0; j < 3; j++) {
    h->force[k][j] = force ? force[j] : 0.0;
    h->moment[k][j] = moment ? moment[j] : 0.0;
  }
}

void vd_prescribed_begin(const vd_model *m, const vd_command *c, const double *x, vd_prescribed *h) {
  double mass = m->vehicle.mass;
  body b;
  body_at(m, x, &b);
  h->count = 0;
  if (c->prescribed & VD_PRESCRIBED_SPEED)
    add(h, mass, b.forward, NULL);
  for (int k = 0; k < 2 && c->prescribed & VD_PRESCRIBED_PLACE; k++)
    add(h, mass, b.f.to_world[k], NULL);
  if (c->prescribed & VD_PRESCRIBED_YAW)
    add(h, m->vehicle.yaw_inertia, NULL, b.f.to_world[2]);
}

void vd_prescribed_push(const vd_prescribed *h, int trial, vd_command *c) {
  for (int j = 0; j < 3; j++)
    c->constraint_force[j] = c->constraint_moment[j] = 0.0;
  for (int k = 0; k < h->count; k++) {
    double amount = (h->amount[k] + (k == trial ? 1.0 : 0.0)) * h->unit[k];
    for (int j = 0; j < 3; j++) {
      c->constraint_force[j] += amount * h->force[k][j];
      c->constraint_moment[j] += amount * h->moment[k][j];
    }
  }
}

bool vd_prescribed_note(const vd_model *m, const vd_command *c, const double *x, const double *dx, int trial,
                        vd_prescribed *h) {
  const double rounding = 1e-12; /* share of the magnitudes of the accelerations that are added */
  double a[3], now[VD_PRESCRIBED_MAX], wanted[VD_PRESCRIBED_MAX];
  bool met = true;
  int n = 0;
  body b;
  body_at(m, x, &b);
  acceleration(m, &b, dx, a);
  if (c->prescribed & VD_PRESCRIBED_SPEED) {
    now[n] = vd_dot(b.forward, a) + vd_dot(b.forward_rate, b.f.u);
    wanted[n++] = c->given[VD_GIVEN_SPEED][1];
  }
  for (int k = 0; k < 2 && c->prescribed & VD_PRESCRIBED_PLACE; k++) {
    now[n] = vd_dot(b.f.to_world[k], a);
    wanted[n++] = c->given[VD_GIVEN_X + k][2];
  }
  if (c->prescribed & VD_PRESCRIBED_YAW) {
    now[n] = heading_acceleration(m, &b, dx);
    wanted[n++] = c->given[VD_GIVEN_YAW][2];
  }
  for (int k = 0; k < n; k++) {
    double missing = wanted[k] - now[k];
    if (trial >= 0) {
      h->gain[k][trial] = h->missing[k] - missing;
      continue;
    }
    h->missing[k] = missing;
    met &= fabs(missing) <= rounding * (VD_GRAVITY + fabs(wanted[k]) + fabs(h->amount[k]));
  }
  return met;
}

void vd_prescribed_solve(vd_prescribed *h) {
  const size_t n = (size_t)h->count;
  double a[VD_PRESCRIBED_MAX * VD_PRESCRIBED_MAX];
  size_t order[VD_PRESCRIBED_MAX];
  for (size_t k = 0; k < n; k++)
    memcpy(&a[k * n], h->gain[k], n * sizeof *a);
  vd_lu_factorise(a, n, order);
  vd_lu_solve(a, order, n, h->missing);
  for (size_t k = 0; k < n; k++)
    h->amount[k] += h->missing[k];
}

void vd_prescribed_show(const vd_model *m, const vd_command *c, const double *x, vd_eval *e) {
  body b;
  body_at(m, x, &b);
  for (int k = 0; k < 2; k++)
    e->outside.prescribed[k] = vd_dot(b.f.plane[k], c->constraint_force);
  e->outside.prescribed[2] = vd_dot(b.f.to_world[2], c->constraint_moment);
}

/* Turns the body about the vertical until its heading is `yaw'. */
static void turn_to(const vd_model *m, double yaw, const body *b, double *x) {
  if (m->options.level < VD_L5) {
    x[VD_S_YAW] = yaw;
    return;
  }
  const double(*a)[3] = b->f.to_world;
  double *q = x + VD_S_QUATERNION, half = 0.5 * remainder(yaw - vd_atan2(a[1][0], a[0][0]), 2.0 * VD_PI);
  double c = vd_cos(half), s = vd_sin(half);
  const double old[4] = {q[0], q[1], q[2], q[3]};
  q[0] = c * old[0] - s * old[3];
  q[1] = c * old[1] - s * old[2];
  q[2] = c * old[2] + s * old[1];
  q[3] = c * old[3] + s * old[0];
}

void vd_prescribed_place(const vd_model *m, const vd_command *c, double *x) {
  static const int speed[] = {VD_S_VX, VD_S_VY, VD_S_VZ}, turn[] = {VD_S_ROLL_RATE, VD_S_PITCH_RATE, VD_S_YAW_RATE};
  body b;
  body_at(m, x, &b);
  if (c->prescribed & VD_PRESCRIBED_YAW) {
    double missing = c->given[VD_GIVEN_YAW][1] - b.yaw_rate;
    for (int j = in_plane(m) ? 2 : 0; j < 3; j++)
      x[turn[j]] += b.f.to_world[2][j] * missing;
    turn_to(m, c->given[VD_GIVEN_YAW][0], &b, x);
    body_at(m, x, &b);
  }
  double u[3] = {b.f.u[0], b.f.u[1], b.f.u[2]};
  if (c->prescribed & VD_PRESCRIBED_SPEED) {
    double missing = c->given[VD_GIVEN_SPEED][0] - vd_dot(b.forward, u);
    for (int j = 0; j < 3; j++)
      u[j] += b.forward[j] * missing;
  }
  if (c->prescribed & VD_PRESCRIBED_PLACE) {
    static const int place[] = {VD_S_ALONG, VD_S_ACROSS};
    const double missing[2] = {c->given[VD_GIVEN_X][1] - vd_dot(b.f.to_world[0], u),
                               c->given[VD_GIVEN_Y][1] - vd_dot(b.f.to_world[1], u)};
    for (int k = 0; k < 2; k++)
      x[place[k]] = c->given[VD_GIVEN_X + k][0];
    for (int j = 0; j < 3; j++)
      u[j] += b.f.to_world[0][j] * missing[0] + b.f.to_world[1][j] * missing[1];
  }
  for (int j = 0; j < (in_plane(m) ? 2 : 3); j++)
    x[speed[j]] = u[j];
}
