/* What a car can do between cones, by a second method: the whole course at once, with no driver. Steering angles every
 * 0.1 s, linear between them, are moved by damped Gauss-Newton steps until the body of the nonlinear single track keeps
 * clear of all cones and the steering wheel turns by at most 1000 deg/s; from pure pursuit at a low speed to higher and
 * higher speeds, from four starts each. In lane changes the plans of sim/planner.c find the same speeds from second
 * to second by dynamic programming. Both know the same car; they share nothing else. */
#include "base/elementary.h"
#include "scene.h"
#include "sim/plan.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SAMPLES = 450, PER_KNOT = 5, KNOTS = SAMPLES / PER_KNOT + 2, ROWS = 6000 };

static const double clear = 0.005;               /* m, between samples cones come nearer */
static const double rate_weight = 3.0;           /* m2/rad2, on what the wheel turns too fast between two knots */
static const double smooth = 1e-6, nudge = 1e-5; /* m2/rad2; rad */

typedef struct problem {
  vd_known_car car;
  const vd_path *path;
  vd_cone cone[VD_PATH_CONES];
  size_t cones;
  double most_turn, most_steer; /* rad, between two knots, of the road wheels */
  double speed, coast;          /* m/s, m/s2 */
} problem;

typedef struct course {
  int count;
  vd_plan_start at[SAMPLES + 1];
} course;

/* How far the body is inside of a cone at a sample. */
typedef struct miss {
  int sample, cone;
  double by; /* m */
} miss;

typedef struct misses {
  int count;
  miss row[ROWS];
} misses;

static double steer_at(const double *knot, double sample) {
  double place = sample / PER_KNOT;
  int i = place < KNOTS - 2 ? (int)place : KNOTS - 2;
  return knot[i] + (vd_min(place, KNOTS - 1) - i) * (knot[i + 1] - knot[i]);
}

/* Drives the course from a sample on, until the car has left it. */
static void drive(const problem *p, const double *knot, int from, course *c) {
  const vd_plan_task task = {.car = &p->car};
  const double part = 0.25, end = p->path->gate[p->path->gates - 1].to + p->car.behind;
  for (c->count = from; c->count < SAMPLES && c->at[c->count].x < end; c->count++) {
    vd_plan_start s = c->at[c->count];
    for (int i = 0; i < 4; i++) {
      double next = steer_at(knot, c->count + part * (i + 1));
      s.steer = steer_at(knot, c->count + part * i);
      s.pull = p->coast;
      vd_plan_move(&task, (next - s.steer) / (part * vd_plan_step), part * vd_plan_step, &s);
    }
    c->at[c->count + 1] = s;
  }
}

static double inside(const problem *p, const vd_plan_start *c, int i, double *along) {
  double ch = cos(c->heading), sh = sin(c->heading), dx = p->cone[i].x - c->x, dy = p->cone[i].y - c->y;
  double side = p->cone[i].y > p->path->gate[p->cone[i].gate].centre ? 1.0 : -1.0;
  *along = ch * dx + sh * dy;
  return p->car.half_width + p->path->cone_radius + clear - side * (ch * dy - sh * dx);
}

/* The sum of squares of what is missing to the cones and of what the wheel turns too fast. */
static double cost_of(const problem *p, const course *c, const double *knot, misses *m) {
  double along, sum = 0.0, reach = p->path->cone_radius + 0.2; /* half of the way of a sample */
  m->count = 0;
  for (int k = 0; k <= c->count; k++)
    for (int i = 0; i < (int)p->cones && m->count < ROWS; i++) {
      double by = inside(p, &c->at[k], i, &along);
      if (by > 0.0 && along > -p->car.behind - reach && along < p->car.ahead + reach) {
        m->row[m->count++] = (miss){k, i, by};
        sum += by * by;
      }
    }
  for (int i = 0; i + 1 < KNOTS; i++) {
    double over = vd_max(fabs(knot[i + 1] - knot[i]) - p->most_turn, 0.0);
    double bend = i > 0 ? knot[i + 1] - 2.0 * knot[i] + knot[i - 1] : 0.0;
    sum += rate_weight * over * over + smooth * bend * bend;
  }
  return sum;
}

static bool passes(const problem *p, const double *knot, const misses *m) {
  double over = 0.0;
  for (int i = 0; i + 1 < KNOTS; i++)
    over = vd_max(over, fabs(knot[i + 1] - knot[i]) - p->most_turn);
  return m->count == 0 && over < 0.02 * p->most_turn;
}

typedef struct equations {
  double matrix[KNOTS][KNOTS], gradient[KNOTS];
} equations;

/* Adds weight x value^2, whose value depends on `count' knots from the first on. */
static void add(equations *e, double weight, double value, int first, int count, const double *slope) {
  for (int a = 0; a < count; a++) {
    e->gradient[first + a] += weight * value * slope[a];
    for (int b = 0; b < count; b++)
      e->matrix[first + a][first + b] += weight * slope[a] * slope[b];
  }
}

/* Gauss-Newton equations, with differences of the courses for derivatives. */
static void equate(const problem *p, const course *c, double *knot, const misses *m, equations *e) {
  static double slope[ROWS][KNOTS];
  static course aside;
  int knots = c->count / PER_KNOT + 2;
  memset(e, 0, sizeof *e);
  memcpy(aside.at, c->at, sizeof aside.at);
  for (int j = knots - 1; j >= 0; j--) { /* backwards, so that what is before the change stays that of c */
    double keep = knot[j], along;
    int from = j > 0 ? (j - 1) * PER_KNOT : 0;
    knot[j] += nudge;
    drive(p, knot, from, &aside);
    knot[j] = keep;
    for (int i = 0; i < m->count; i++) {
      const miss *row = &m->row[i];
      bool known = row->sample > from && row->sample <= aside.count;
      slope[i][j] = known ? (inside(p, &aside.at[row->sample], row->cone, &along) - row->by) / nudge : 0.0;
    }
  }
  for (int i = 0; i < m->count; i++)
    add(e, 1.0, m->row[i].by, 0, knots, slope[i]);
  for (int i = 0; i + 1 < knots; i++) {
    double change = knot[i + 1] - knot[i], over = fabs(change) - p->most_turn;
    if (over > 0.0)
      add(e, rate_weight, copysign(over, change), i, 2, (double[]){-1.0, 1.0});
    if (i > 0)
      add(e, smooth, knot[i + 1] - 2.0 * knot[i] + knot[i - 1], i - 1, 3, (double[]){1.0, -2.0, 1.0});
  }
}

/* The step that solves (matrix + damping) step = -gradient, by Cholesky's method. */
static void solve(const equations *e, int n, double damping, double *step) {
  static double a[KNOTS][KNOTS];
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      double sum = e->matrix[i][j] + (i == j ? damping : 0.0);
      for (int k = 0; k < j; k++)
        sum -= a[i][k] * a[j][k];
      a[i][j] = i == j ? sqrt(sum) : sum / a[j][j];
    }
    step[i] = -e->gradient[i];
    for (int k = 0; k < i; k++)
      step[i] -= a[i][k] * step[k];
    step[i] /= a[i][i];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++)
      step[i] -= a[k][i] * step[k];
    step[i] /= a[i][i];
  }
}

/* Moves the knots until the course is passed; false: it is not. */
static bool improve(const problem *p, double *knot) {
  static course now, next;
  static misses m, other;
  static equations e;
  double step[KNOTS], tried[KNOTS], damping = 1e-3;
  now.at[0] = next.at[0] = (vd_plan_start){.vx = p->speed};
  drive(p, knot, 0, &now);
  double cost = cost_of(p, &now, knot, &m);
  for (int round = 0; round < 200 && !passes(p, knot, &m); round++) {
    int knots = now.count / PER_KNOT + 2;
    bool better = false;
    equate(p, &now, knot, &m, &e);
    for (int trial = 0; trial < 12 && !better; trial++) {
      double longest = 0.05; /* rad */
      solve(&e, knots, damping, step);
      for (int i = 0; i < knots; i++)
        longest = vd_max(longest, fabs(step[i]));
      for (int i = 0; i < KNOTS; i++)
        tried[i] = i < knots ? knot[i] + 0.05 / longest * step[i] : tried[knots - 1];
      for (int i = 0; i < KNOTS; i++)
        tried[i] = vd_min(vd_max(tried[i], -p->most_steer), p->most_steer);
      drive(p, tried, 0, &next);
      double sum = cost_of(p, &next, tried, &other);
      better = sum < cost;
      damping = better ? vd_max(0.3 * damping, 1e-9) : 4.0 * damping;
      if (!better)
        continue;
      memcpy(knot, tried, sizeof tried);
      now = next;
      m = other;
      cost = sum;
    }
    if (!better)
      break;
  }
  return passes(p, knot, &m);
}

/* The middle of the lanes, on lines from each to the next, and from the x axis to the first. */
static double middle_of(const vd_path *path, double x) {
  const vd_gate *g = path->gate;
  if (x < g[0].from)
    return g[0].centre * vd_max(0.0, 1.0 - (g[0].from - x) / 15.0);
  for (size_t i = 0; i + 1 < path->gates; i++) {
    if (x < g[i].to)
      return g[i].centre;
    if (x < g[i + 1].from)
      return g[i].centre + (g[i + 1].centre - g[i].centre) * (x - g[i].to) / (g[i + 1].from - g[i].to);
  }
  return g[path->gates - 1].centre;
}

/* Steers to the point of that middle which is so far ahead. */
static void pursue(const problem *p, double ahead, double *knot) {
  static course c;
  const double length = p->car.to_axle[VD_FRONT] + p->car.to_axle[VD_REAR], more = 1.3; /* for understeer */
  c.at[0] = (vd_plan_start){.vx = p->speed};
  memset(knot, 0, KNOTS * sizeof *knot);
  for (int j = 0; j + 1 < KNOTS && j * PER_KNOT < SAMPLES; j++) {
    const vd_plan_start *at = &c.at[j * PER_KNOT];
    double across = (middle_of(p->path, at->x + ahead) - at->y) * cos(at->heading) - ahead * sin(at->heading);
    double wanted = more * 2.0 * length * across / (ahead * ahead);
    wanted = vd_min(vd_max(wanted, knot[j] - p->most_turn), knot[j] + p->most_turn);
    for (int i = j + 1; i < KNOTS; i++)
      knot[i] = wanted;
    drive(p, knot, j * PER_KNOT, &c);
  }
}

/* Whether a speed is passed, from the angles that pass at a lower one (`at' > 0), over the same places. */
static bool can(problem *p, double speed, double at, const double *from, double *knot) {
  bool good = false;
  p->speed = speed;
  for (int start = 0; start < 4 && !good; start++) {
    if (at > 0.0)
      for (int i = 0; i < KNOTS; i++)
        knot[i] = (1.0 + 0.05 * start) * steer_at(from, i * PER_KNOT * speed / at);
    else
      pursue(p, (0.45 + 0.12 * start) * speed, knot);
    good = improve(p, knot);
  }
  return good;
}

/* The greatest speed, m/s, to 0.5 % of a speed that is near it. */
static double greatest(problem *p, double near) {
  double best[KNOTS], knot[KNOTS], at = 0.0, step = 0.08 * near;
  for (double speed = 0.62 * near; step > 0.0045 * near; speed = at + step)
    if (can(p, speed, at, best, knot)) {
      memcpy(best, knot, sizeof best);
      at = speed;
    } else if (at > 0.0) {
      step *= 0.5;
    } else {
      return 0.0;
    }
  return at;
}

int main(void) {
  static const char text[] = "vehicle: {base: ../vehicles/saloon.yaml, compliance: linear}\n"
                             "run: {level: L3, slip: transient, duration: 8 s}\ninitial: {speed: 60 km/h}\n"
                             "acceleration: 0\npath: {type: iso3888_2, approach: 5 m}\n";
  static const char avoidance[] = "path={type: iso3888_2, approach: 5 m}";
  static const char change[] = "path={type: iso3888_1, approach: 5 m}";
  static const struct {
    const char *car, *path;
    double most; /* km/h, by planner.c */
  } cases[] = {{"saloon", avoidance, 72.0},
               {"compact", avoidance, 72.0},
               {"sports_saloon", avoidance, 74.0},
               {"saloon", change, 124.0},
               {"compact", change, 121.5}};
  static problem p;
  tap_plan(5);
  for (int i = 0; i < 5; i++) {
    char car[100];
    if (!tap_sampled(i, 20)) { /* one case in every fourth commit */
      tap_ok(true, "# SKIP not of this commit");
      continue;
    }
    snprintf(car, sizeof car, "vehicle={base: scenarios/vehicles/%s.yaml, compliance: linear}", cases[i].car);
    scene *s = scene_make(text, car, cases[i].path, NULL);
    p = (problem){.path = s->model.options.path,
                  .most_turn = 1000.0 / 57.29577951 / s->model.vehicle.steering.ratio * PER_KNOT * vd_plan_step,
                  .most_steer = s->model.vehicle.steering.max_angle,
                  .coast = cases[i].path == avoidance ? -0.3 : 0.0};
    p.cones = vd_path_cones(p.path, p.cone);
    vd_known_car_build(&s->model, &p.car);
    double bound = cases[i].most, found = 3.6 * greatest(&p, bound / 3.6);
    /* plans pass at the bound and do not at 3 % more (planner.c); from below a search may end early */
    tap_ok(found > 0.98 * bound && found < 1.03 * bound,
           "%s, %s: passes at %.1f km/h, plans at %g km/h, not at 3 %% more", cases[i].car,
           cases[i].path == avoidance ? "ISO 3888-2" : "ISO 3888-1", found, bound);
    scene_free(s);
  }
  return tap_done();
}
