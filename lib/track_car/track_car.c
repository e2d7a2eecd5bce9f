#include "track_car/track_impl.h"

#include "base/elementary.h"
#include "base/vec.h"

#include <math.h>

enum { MAX_CHANGES = 64 }; /* greatest number of changes of the triangles under the wheels per substep */

static const double instant = 1e-12; /* s, precision with which instants of contact are found */
/* s, a shorter time is not a flight but a wheel that passes between two triangles */
static const double blink = 1e-6;
/* greatest difference, in m and in components of the normal, between triangles that count as one plane */
static const double slack = 1e-9;
static const double steepest =
    0.1; /* least component of a normal along the car's up direction; below it a triangle is a wall and not ground */

/* Finds the ground below a corner. The ray begins one spring length above it, so that ground that has come above the
 * corner is found, too. The original begins ten lengths above and takes the highest triangle, even if it belongs to a
 * bridge. */
static bool look(const vd_track_car *car, const vd_mesh *mesh, const vd_track_frame *f, const double *mount,
                 double *length, double *plane) {
  double from[3], way[3], t;
  for (int i = 0; i < 3; i++) {
    from[i] = mount[i] + car->length * f->up[i];
    way[i] = -f->up[i];
  }
  bool found = vd_mesh_ray(mesh, from, way, 2.0 * car->length, &t, plane) && vd_dot(plane, f->up) > steepest;
  double most = found ? t : 2.0 * car->length, under = (from[2] - car->floor) / f->up[2];
  if (f->up[2] > steepest && under >= 0.0 && under < most) { /* false without a floor */
    plane[0] = plane[1] = 0.0;
    plane[2] = 1.0;
    t = under;
    found = true;
  }
  if (!found)
    return false;
  *length = t - car->length;
  plane[3] = vd_dot(plane, from) + t * vd_dot(plane, way);
  return true;
}

static vd_track_command command_at(const vd_track_inputs *inputs, double inside, double t) {
  vd_track_command u;
  double rate;
  vd_profile_at(inputs->thrust, inside, t, &u.thrust, &rate);
  vd_profile_at(inputs->steer, inside, t, &u.steer, &rate);
  return u;
}

/* The closed form of the corners that are on the ground, about their positions of rest. */
typedef struct corners {
  vd_spring_flow half, whole;
  double rest[VD_WHEELS];
} corners;

/* Sets the height at which each oscillator would rest, from its present acceleration a = -k/m (z - rest) - c/m w. */
static void set_rest(const vd_track_car *car, const vd_track_state *s, const double *q, const double *dq, corners *c) {
  const vd_spring *spring = &car->spring;
  for (int i = 0; i < VD_WHEELS; i++)
    if (s->down[i])
      c->rest[i] = q[VD_TRACK_Z + i] +
                   (spring->mass * dq[VD_TRACK_W + i] + spring->damping * q[VD_TRACK_W + i]) / spring->stiffness;
}

/* Advances the springs through half or the whole step by the closed form alone. rest: heights at which they rest; NULL:
 * q contains rates. */
static void carry(const vd_track_state *s, const vd_spring_flow *flow, const double *rest, double *q) {
  for (int i = 0; i < VD_WHEELS; i++)
    if (s->down[i]) {
      double about = rest ? rest[i] : 0.0, z = q[VD_TRACK_Z + i] - about, w = q[VD_TRACK_W + i];
      q[VD_TRACK_Z + i] = about + flow->xx * z + flow->xv * w;
      q[VD_TRACK_W + i] = flow->vx * z + flow->vv * w;
    }
}

/* Computes the rates less those of the closed form; they are zero on level ground. */
static void remainder_of(const vd_track_car *car, const vd_track_state *s, const corners *c, const vd_track_command *u,
                         const double *q, double *dq) {
  const vd_spring *spring = &car->spring;
  vd_track_rates(car, s, u, q, dq, NULL);
  for (int i = 0; i < VD_WHEELS; i++)
    if (s->down[i]) {
      dq[VD_TRACK_Z + i] = 0.0;
      dq[VD_TRACK_W + i] +=
          (spring->stiffness * (q[VD_TRACK_Z + i] - c->rest[i]) + spring->damping * q[VD_TRACK_W + i]) / spring->mass;
    }
}

/* Makes a step in which no wheel touches down or lifts: x' = A(x - rest) + N(x), where A are the oscillators and N the
 * other rates, by the classical Runge-Kutta method for e^(-A t) x (Lawson, SIAM J. Numer. Anal. 4 (1967), 372). The
 * position of rest is chosen so that N is 0 at the start. On level ground N remains 0, and a step of any length is the
 * closed form. In the air no corner oscillates, and the method is exact for the parabola. On slopes, and for the
 * attitude, it is of order 4. The original moves its points by the speed at the end of each frame: after a fall of the
 * duration t they are too low by g h t/2, with the duration h of a frame. */
static void step(const vd_track_car *car, const vd_track_inputs *inputs, double inside, double t, double h,
                 vd_track_state *s) {
  double k1[VD_TRACK_STATES], k2[VD_TRACK_STATES], k3[VD_TRACK_STATES], k4[VD_TRACK_STATES], x[VD_TRACK_STATES],
      far[VD_TRACK_STATES];
  vd_track_command u[] = {command_at(inputs, inside, t), command_at(inputs, inside, t + 0.5 * h),
                          command_at(inputs, inside, t + h)};
  corners c = {.half = vd_spring_over(&car->spring, 0.5 * h), .whole = vd_spring_over(&car->spring, h)};
  double *q = s->q;
  vd_track_rates(car, s, &u[0], q, k1, NULL);
  set_rest(car, s, q, k1, &c);
  remainder_of(car, s, &c, &u[0], q, k1);

  for (int i = 0; i < VD_TRACK_STATES; i++)
    x[i] = q[i] + 0.5 * h * k1[i];
  carry(s, &c.half, c.rest, x);
  remainder_of(car, s, &c, &u[1], x, k2);

  for (int i = 0; i < VD_TRACK_STATES; i++)
    x[i] = q[i];
  carry(s, &c.half, c.rest, x);
  for (int i = 0; i < VD_TRACK_STATES; i++)
    x[i] += 0.5 * h * k2[i];
  remainder_of(car, s, &c, &u[1], x, k3);

  for (int i = 0; i < VD_TRACK_STATES; i++)
    far[i] = q[i];
  carry(s, &c.whole, c.rest, far);
  for (int i = 0; i < VD_TRACK_STATES; i++)
    x[i] = k3[i];
  carry(s, &c.half, NULL, x);
  for (int i = 0; i < VD_TRACK_STATES; i++)
    x[i] = far[i] + h * x[i];
  remainder_of(car, s, &c, &u[2], x, k4);

  for (int i = 0; i < VD_TRACK_STATES; i++)
    k2[i] += k3[i];
  carry(s, &c.whole, NULL, k1);
  carry(s, &c.half, NULL, k2);
  for (int i = 0; i < VD_TRACK_STATES; i++)
    q[i] = far[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + k4[i]);
}

/* Extends the springs of wheels in the air, as if the wheels had no mass: c s' = -k s. In the original they oscillate
 * with the mass of the car, although no part of the car then moves with them. */
static void extend(const vd_track_car *car, double h, vd_track_state *s) {
  double k = car->spring.stiffness, c = car->spring.damping, left = c > 0.0 ? vd_exp(-k / c * h) : 0.0;
  for (int i = 0; i < VD_WHEELS; i++)
    if (!s->down[i]) {
      double before = s->deflection[i];
      s->deflection[i] *= left;
      s->q[VD_TRACK_WORK + VD_TRACK_DAMPERS] += 0.5 * k * (s->deflection[i] + before) * (s->deflection[i] - before);
    }
}

static void move(const vd_track_car *car, const vd_track_inputs *inputs, double inside, double t, double h,
                 vd_track_state *s) {
  step(car, inputs, inside, t, h, s);
  extend(car, h, s);
}

/* True if every wheel is still on its triangle or in the air, and the attitude within its cone. Numbers that are not
 * finite are ignored; the caller checks for them at the end of the step. */
static bool lasts(const vd_track_car *car, const vd_mesh *mesh, const vd_track_inputs *inputs, double inside, double t,
                  const vd_track_state *s) {
  vd_track_frame f;
  double dq[VD_TRACK_STATES], force[VD_WHEELS];
  vd_track_command u = command_at(inputs, inside, t);
  vd_track_frame_of(car, s->q, &f);
  if (!isfinite(vd_dot(f.up, f.up) + s->q[VD_TRACK_X] + s->q[VD_TRACK_Y] + s->q[VD_TRACK_Z]))
    return true;
  if ((s->at_limit[0] == 0 && fabs(f.a) > car->cone) || (s->at_limit[1] == 0 && fabs(f.b) > car->cone))
    return false;
  vd_track_rates(car, s, &u, s->q, dq, force);
  for (int i = 0; i < VD_WHEELS; i++) {
    double mount[3], plane[4], length;
    if (s->down[i] && force[i] < 0.0)
      return false;
    vd_track_mount(car, &f, s->q, i, mount);
    bool below = look(car, mesh, &f, mount, &length, plane);
    if (!s->down[i]) {
      if (below && car->length - length > s->deflection[i])
        return false;
      continue;
    }
    if (!below || fabs(length - vd_track_spring_length(&f, mount, s->plane[i])) > slack)
      return false;
    for (int k = 0; k < 3; k++)
      if (fabs(plane[k] - s->plane[i][k]) > slack)
        return false;
  }
  return true;
}

/* Stops an outward motion of the attitude at the edge of the cone. The original limits the vertical part of two edges
 * in every frame, which deforms the car but does not change its motion. */
static void stop_at_cone(const vd_track_car *car, vd_track_state *s) {
  vd_track_frame f;
  vd_track_frame_of(car, s->q, &f);
  const double value[] = {f.a, f.b}, square[] = {car->base * car->base, car->track * car->track};
  for (int k = 0; k < 2; k++) {
    int side = value[k] > 0.0 ? 1 : -1;
    double speed = 0.0, arm[VD_WHEELS];
    for (int i = 0; i < VD_WHEELS; i++) {
      arm[i] = k == 0 ? vd_track_ahead(car, i) : vd_track_aside(car, i);
      speed += s->q[VD_TRACK_W + i] * arm[i] / square[k];
    }
    if (fabs(value[k]) < car->cone - slack || side * speed < 0.0)
      s->at_limit[k] = 0;
    if (fabs(value[k]) <= car->cone || s->at_limit[k] != 0)
      continue;
    double excess = value[k] - side * car->cone, lost = side * speed > 0.0 ? speed : 0.0;
    for (int i = 0; i < VD_WHEELS; i++) {
      s->q[VD_TRACK_Z + i] -= excess * arm[i];
      s->q[VD_TRACK_W + i] -= lost * arm[i];
    }
    s->q[VD_TRACK_WORK + VD_TRACK_JUMPS] -= 0.5 * car->spring.mass * square[k] * lost * lost;
    s->at_limit[k] = side;
  }
}

/* Puts every wheel on the triangle that is now below it, or into the air. The deflection of the spring is set to the
 * penetration. When a wheel touches down on a triangle both are equal; at a step of the mesh they differ, and the
 * energy that the spring gains is booked. In the original a wheel is on the ground at the end of a frame if it
 * penetrates by more than the deflection of its spring; the car then gains the speed of the spring, by an amount that
 * depends on the frame rate. Here the wheel has no mass, and the ground determines the speed of its spring from
 * then on. A wheel lifts when its spring would pull. */
static void settle(const vd_track_car *car, const vd_mesh *mesh, const vd_track_inputs *inputs, double inside, double t,
                   vd_track_state *s) {
  vd_track_frame f;
  bool met[VD_WHEELS] = {false};
  double k = car->spring.stiffness;
  vd_track_frame_of(car, s->q, &f);
  for (int i = 0; i < VD_WHEELS; i++) {
    double mount[3], plane[4], length;
    vd_track_mount(car, &f, s->q, i, mount);
    double now = s->down[i] ? car->length - vd_track_spring_length(&f, mount, s->plane[i]) : s->deflection[i];
    if (!look(car, mesh, &f, mount, &length, plane) || car->length - length < now - slack) {
      s->down[i] = false;
      s->deflection[i] = vd_fast_max(now, 0.0);
      continue;
    }
    double set = car->length - length;
    s->q[VD_TRACK_WORK + VD_TRACK_JUMPS] += 0.5 * k * (set - now) * (set + now);
    met[i] = !s->down[i];
    s->down[i] = true;
    for (int n = 0; n < 4; n++)
      s->plane[i][n] = plane[n];
  }
  vd_track_command u = command_at(inputs, inside, t);
  double dq[VD_TRACK_STATES], force[VD_WHEELS];
  vd_track_rates(car, s, &u, s->q, dq, force);
  for (int i = 0; i < VD_WHEELS; i++)
    if (s->down[i] && !met[i] && force[i] < 0.0) {
      double mount[3];
      vd_track_mount(car, &f, s->q, i, mount);
      s->deflection[i] = vd_fast_max(car->length - vd_track_spring_length(&f, mount, s->plane[i]), 0.0);
      s->down[i] = false;
    }
}

static void centre_of(const double *q, double *centre) {
  const double *z = q + VD_TRACK_Z;
  centre[0] = q[VD_TRACK_X];
  centre[1] = q[VD_TRACK_Y];
  centre[2] = 0.25 * (z[0] + z[1] + z[2] + z[3]);
}

static double rise_of(const double *q) {
  const double *w = q + VD_TRACK_W;
  return 0.25 * (w[0] + w[1] + w[2] + w[3]);
}

static bool in_the_air(const vd_track_state *s) {
  return !s->down[VD_FL] && !s->down[VD_FR] && !s->down[VD_RL] && !s->down[VD_RR];
}

/* Begins or ends a flight. In the air the centre moves on a parabola, so that the apex follows from the flight's
 * beginning. */
static void note_flight(const vd_track_car *car, double t, const vd_track_state *s, vd_track_events *e) {
  vd_track_flight *flight = &e->flight;
  if (in_the_air(s) == e->flying)
    return;
  e->flying = !e->flying;
  if (e->flying) {
    double rise = rise_of(s->q);
    *flight = (vd_track_flight){.start = t, .apex_time = t + vd_fast_max(rise, 0.0) / VD_GRAVITY};
    centre_of(s->q, flight->from);
    flight->apex = flight->from[2] + (rise > 0.0 ? 0.5 * rise * rise / VD_GRAVITY : 0.0);
    return;
  }
  vd_track_frame f;
  vd_track_frame_of(car, s->q, &f);
  flight->end = t;
  centre_of(s->q, flight->to);
  flight->fall = -rise_of(s->q);
  flight->pitch = -vd_asin(f.a);
  flight->roll = vd_atan2(f.b, f.up[2]);
  if (flight->apex_time > t) { /* the car lands uphill while it still rises */
    flight->apex_time = t;
    flight->apex = flight->to[2];
  }
  if (!(flight->end - flight->start >= blink))
    return;
  e->flights++;
  e->airtime += flight->end - flight->start;
  if (flight->end - flight->start > e->longest.end - e->longest.start)
    e->longest = *flight;
}

static void change(const vd_track_car *car, const vd_mesh *mesh, const vd_track_inputs *inputs, double inside, double t,
                   vd_track_state *s, vd_track_events *e) {
  stop_at_cone(car, s);
  settle(car, mesh, inputs, inside, t, s);
  note_flight(car, t, s, e);
  e->contacts++;
}

/* Finds the first change of the triangles under the wheels after `at' to within `instant', and returns a time just
 * after it. */
static double locate(const vd_track_car *car, const vd_mesh *mesh, const vd_track_inputs *inputs, double inside,
                     double at, double h, const vd_track_state *s) {
  double low = 0.0, high = h;
  while (high - low > instant) {
    double middle = 0.5 * (low + high);
    vd_track_state trial = *s;
    move(car, inputs, inside, at, middle, &trial);
    if (lasts(car, mesh, inputs, inside, at + middle, &trial))
      low = middle;
    else
      high = middle;
  }
  return high;
}

static void substep(const vd_track_car *car, const vd_mesh *mesh, const vd_track_inputs *inputs, double inside,
                    double from, double to, vd_track_state *s, vd_track_events *e) {
  double at = from;
  for (int changes = 0; at < to; changes++) {
    double h = to - at;
    vd_track_state trial = *s;
    move(car, inputs, inside, at, h, &trial);
    bool quiet = lasts(car, mesh, inputs, inside, to, &trial), enough = changes >= MAX_CHANGES;
    if (quiet || enough) {
      *s = trial;
      if (s->at_limit[0] != 0 || s->at_limit[1] != 0)
        stop_at_cone(car, s);
      if (!quiet)
        change(car, mesh, inputs, inside, to, s, e);
      e->unsettled += !quiet;
      return;
    }
    h = locate(car, mesh, inputs, inside, at, h, s);
    move(car, inputs, inside, at, h, s);
    at = at + h;
    change(car, mesh, inputs, inside, at, s, e);
  }
}

/* Returns the end of the frame that contains t; INFINITY if there are no frames. */
static double frame_after(const vd_track_car *car, double t) {
  return car->passes.count > 0 ? (floor(t * car->passes.frames) + 1.0) / car->passes.frames : INFINITY;
}

void vd_track_advance(const vd_track_car *car, const vd_mesh *mesh, const vd_track_inputs *inputs, double t, double end,
                      vd_track_state *s, vd_track_events *events) {
  double snap = 1e-9 * (end - t);
  while (t < end) {
    double frame = frame_after(car, t + snap), corner = vd_fast_min(vd_profile_next_corner(inputs->thrust, t + snap),
                                                                    vd_profile_next_corner(inputs->steer, t + snap));
    corner = vd_fast_min(corner, frame);
    double to = corner > end - snap ? end : corner, inside = 0.5 * (t + to);
    int parts = (int)vd_fast_max(ceil((to - t) / car->substep - 1e-6), 1.0);
    for (int i = 0; i < parts; i++)
      substep(car, mesh, inputs, inside, t + (to - t) * i / parts, i + 1 < parts ? t + (to - t) * (i + 1) / parts : to,
              s, events);
    t = to;
    if (!(frame <= to + snap))
      continue;
    vd_track_frame_ends(car, s);
    if (!lasts(car, mesh, inputs, inside, t, s))
      change(car, mesh, inputs, inside, t, s, events);
  }
}

bool vd_track_start(const vd_track_car *car, const vd_mesh *mesh, const double *place, double yaw, double speed,
                    double height, vd_track_state *s, int *wheel) {
  enum { ROUNDS = 30 }; /* far more than enough, because each round reduces the error by the square of the slope */
  double low[3], high[3], sag = car->spring.mass * VD_GRAVITY / car->spring.stiffness;
  vd_mesh_bounds(mesh, low, high);
  *s = (vd_track_state){.q = {0.0}};
  s->q[VD_TRACK_X] = place[0];
  s->q[VD_TRACK_Y] = place[1];
  s->q[VD_TRACK_YAW] = yaw;
  vd_track_frame f;
  for (int round = 0; round < ROUNDS; round++) {
    double z[VD_WHEELS];
    vd_track_frame_of(car, s->q, &f);
    for (int i = 0; i < VD_WHEELS; i++) {
      double mount[3], normal[3], t;
      const double down[] = {0.0, 0.0, -1.0};
      vd_track_mount(car, &f, s->q, i, mount);
      mount[2] = high[2] + 1.0;
      *wheel = i;
      bool found = vd_mesh_ray(mesh, mount, down, high[2] - low[2] + 2.0, &t, normal);
      if (!found && isnan(car->floor))
        return false;
      double ground = found ? mount[2] - t : car->floor;
      z[i] = (ground < car->floor ? car->floor : ground) + car->length - sag + height;
    }
    for (int i = 0; i < VD_WHEELS; i++)
      s->q[VD_TRACK_Z + i] = z[i];
    vd_track_frame_of(car, s->q, &f);
    if (!(fabs(f.a) <= car->cone && fabs(f.b) <= car->cone))
      return false;
  }
  s->q[VD_TRACK_VX] = speed * f.front[0];
  s->q[VD_TRACK_VY] = speed * f.front[1];
  for (int i = 0; i < VD_WHEELS; i++) {
    double mount[3], length;
    s->q[VD_TRACK_W + i] = speed * f.front[2];
    vd_track_mount(car, &f, s->q, i, mount);
    s->down[i] = look(car, mesh, &f, mount, &length, s->plane[i]) && length < car->length;
  }
  return true;
}

void vd_track_observe(const vd_track_car *car, const vd_track_inputs *inputs, double t, const vd_track_state *s,
                      vd_track_view *view) {
  vd_track_frame f;
  const double *q = s->q, *z = q + VD_TRACK_Z, *w = q + VD_TRACK_W;
  double dq[VD_TRACK_STATES], m = car->spring.mass, next = t + car->substep;
  next = vd_fast_min(next,
                     vd_fast_min(vd_profile_next_corner(inputs->thrust, t), vd_profile_next_corner(inputs->steer, t)));
  vd_track_command u = command_at(inputs, 0.5 * (t + next), t);
  vd_track_frame_of(car, q, &f);
  vd_track_rates(car, s, &u, q, dq, view->force);
  centre_of(q, view->centre);
  view->velocity[0] = q[VD_TRACK_VX];
  view->velocity[1] = q[VD_TRACK_VY];
  view->velocity[2] = rise_of(q);
  view->yaw = q[VD_TRACK_YAW];
  view->pitch = -vd_asin(f.a);
  view->roll = vd_atan2(f.b, f.up[2]);
  view->forward = vd_dot(view->velocity, f.front);
  view->left = vd_dot(view->velocity, f.left);
  double squares = 0.0, twist = 0.25 * (z[VD_FL] - z[VD_FR] - z[VD_RL] + z[VD_RR]);
  view->gravity = view->springs = 0.0;
  for (int i = 0; i < VD_WHEELS; i++) {
    double *mount = view->mount[i];
    vd_track_mount(car, &f, q, i, mount);
    view->spring[i] = s->down[i] ? car->length - vd_track_spring_length(&f, mount, s->plane[i]) : s->deflection[i];
    for (int k = 0; k < 3; k++)
      view->point[i][k] = mount[k] - (car->length - view->spring[i]) * f.up[k];
    squares += w[i] * w[i];
    view->gravity += m * VD_GRAVITY * z[i];
    view->springs += 0.5 * car->spring.stiffness * view->spring[i] * view->spring[i];
  }
  view->kinetic = 0.5 * m * squares + 2.0 * m * (q[VD_TRACK_VX] * q[VD_TRACK_VX] + q[VD_TRACK_VY] * q[VD_TRACK_VY]);
  view->base = 2.0 * m * car->base_rate * car->base_rate * twist * twist;
}

/* True if all numbers are finite, because only then their sum is. */
static bool is_finite(const vd_track_view *v) {
  double sum = v->centre[0] + v->centre[1] + v->centre[2] + v->yaw + v->pitch + v->roll + v->kinetic + v->springs;
  return isfinite(sum);
}

static bool crossed(const vd_mesh *mesh, const double *from, const double *to) {
  double way[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]}, t, normal[3];
  return vd_dot(way, way) > 0.0 && vd_mesh_ray(mesh, from, way, 1.0, &t, normal);
}

enum vd_track_trouble vd_track_trouble_of(const vd_track_car *car, const vd_mesh *mesh, const vd_track_view *before,
                                          const vd_track_view *after) {
  double low[3], high[3];
  vd_mesh_bounds(mesh, low, high);
  if (!is_finite(after))
    return VD_TRACK_BAD_NUMBER;
  for (int i = 0; i < VD_WHEELS; i++)
    if (after->spring[i] > car->length)
      return VD_TRACK_BOTTOMED;
  if (crossed(mesh, before->centre, after->centre))
    return VD_TRACK_THROUGH;
  for (int i = 0; i < VD_WHEELS; i++)
    if (crossed(mesh, before->mount[i], after->mount[i]))
      return VD_TRACK_THROUGH;
  if (!isnan(car->floor))
    return after->centre[2] < car->floor ? VD_TRACK_THROUGH : VD_TRACK_FINE;
  return after->centre[2] < low[2] ? VD_TRACK_OUTSIDE : VD_TRACK_FINE;
}
