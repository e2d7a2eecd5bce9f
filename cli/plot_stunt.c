/* Draws a run from the side and from above: path, car, road, loads of the axles, and forces along and across the
 * wheels. */
#include "pictures.h"

#include "tool.h"

#include "base/base.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/wheel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE, ABOVE, VIEWS };

/* Columns of a wheel. */
enum { CONTACT_X, CONTACT_Y, ROAD, FX, FY, FZ, STEER, OF_WHEEL };
static const char *const of_wheel[OF_WHEEL] = {"contact_x_%s_m", "contact_y_%s_m", "road_%s_m",   "fx_%s_N",
                                               "fy_%s_N",        "fz_%s_N",        "steer_%s_rad"};

typedef struct stunt_run {
  const vd_shown_run *run;
  const double *t, *place[3], *turn[4], *wheel[VD_WHEELS][OF_WHEEL];
} stunt_run;

typedef struct stunt {
  vd_drawing *f;
  double low[3], high[3]; /* of all that is drawn: x, y, z */
  double full;            /* N, load that is drawn as a line as long as a car */
  size_t runs;
} stunt;

static const double *need(const vd_shown_run *run, const char *format, const char *word, bool *good) {
  char name[64];
  snprintf(name, sizeof name, format, word);
  const double *v = vd_shown_values(run, name);
  if (!v && *good)
    *good = vd_tool_error("no column '%s' in %s; log all channels of a run at level L3 or higher", name, run->file);
  return v;
}

static bool open_run(const vd_shown_run *run, stunt_run *out) {
  static const char *const place[] = {"x_m", "y_m", "z_m"}, *const turn[] = {"w", "x", "y", "z"};
  bool good = true;
  *out = (stunt_run){.run = run, .t = need(run, "%s", "t_s", &good)};
  for (int k = 0; k < 3; k++)
    out->place[k] = need(run, "%s", place[k], &good);
  for (int k = 0; k < 4; k++)
    out->turn[k] = need(run, "quaternion_%s", turn[k], &good);
  for (int w = 0; w < VD_WHEELS; w++)
    for (int k = 0; k < OF_WHEEL; k++)
      out->wheel[w][k] = need(run, of_wheel[k], vd_wheel_names[w], &good);
  return good && (run->rows > 1 || vd_tool_error("fewer than two rows in %s", run->file));
}

/* Converts a vector from body axes to world axes. */
static void to_world(const stunt_run *s, size_t r, double x, double y, double z, double out[3]) {
  const double w = s->turn[0][r], a = s->turn[1][r], b = s->turn[2][r], c = s->turn[3][r];
  out[0] = (1 - 2 * (b * b + c * c)) * x + 2 * (a * b - w * c) * y + 2 * (a * c + w * b) * z;
  out[1] = 2 * (a * b + w * c) * x + (1 - 2 * (a * a + c * c)) * y + 2 * (b * c - w * a) * z;
  out[2] = 2 * (a * c - w * b) * x + 2 * (b * c + w * a) * y + (1 - 2 * (a * a + b * b)) * z;
}

/* Returns the load of an axle; at: the point at which it acts, the mean of its contact points, weighted by their
 * loads. */
static double load_at(const stunt_run *s, size_t r, int axle, double at[3]) {
  double load = 0.0;
  at[0] = at[1] = at[2] = 0.0;
  for (int w = vd_left_wheel(axle); w <= vd_right_wheel(axle); w++) {
    const double one = s->wheel[w][FZ][r];
    if (!(one > 0.0))
      continue;
    load += one;
    for (int k = 0; k < 3; k++)
      at[k] += one * s->wheel[w][CONTACT_X + k][r];
  }
  for (int k = 0; k < 3 && load > 0.0; k++)
    at[k] /= load;
  return load;
}

static bool is_in_air(const stunt_run *s, size_t r) {
  double sum = 0.0;
  for (int w = 0; w < VD_WHEELS; w++)
    sum += s->wheel[w][FZ][r];
  return !(sum > 0.0);
}

/* Returns the last row at or before a time. */
static size_t row_at(const stunt_run *s, double t) {
  size_t r = 0;
  while (r + 1 < s->run->rows && s->t[r + 1] <= t + 1e-9)
    r++;
  return r;
}

static size_t even_row(const stunt_run *s, size_t last, int i, int count) {
  return i == count - 1 ? last : row_at(s, s->t[0] + (s->t[last] - s->t[0]) * i / (count - 1));
}

/* --- scales --- */

/* Returns the load that is drawn as a line as long as a car. The axles exceed this load in 3 % of the rows in which
 * they carry load, so that a short impact does not make the lines of all other loads too short. */
static double reference(const stunt_run *s, size_t runs) {
  enum { BINS = 500 };
  double greatest = 0.0, at[3], some = 0.0, bin[BINS + 1] = {0.0}, so_far = 0.0;
  for (int pass = 0; pass < 2; pass++)
    for (size_t l = 0; l < runs; l++)
      for (size_t r = 0; r < s[l].run->rows; r++)
        for (int axle = 0; axle < 2; axle++) {
          double load = load_at(&s[l], r, axle, at);
          if (pass == 0) {
            greatest = fmax(greatest, load);
          } else if (load > 0.0) {
            bin[(int)(BINS * load / greatest)] += 1.0;
            some += 1.0;
          }
        }
  int k = 0;
  while (k < BINS && so_far + bin[k] < 0.97 * some)
    so_far += bin[k++];
  return k < BINS ? greatest * (k + 1) / BINS : greatest;
}

/* --- what is drawn --- */

/* Series of a run in both views, which grow point by point. */
typedef struct pen {
  vd_picture_series *s[VIEWS];
  size_t room;
} pen;

static pen begin(stunt *u, enum vd_stroke stroke, const char *name, size_t room) {
  pen p = {.room = room};
  for (int v = 0; v < VIEWS; v++)
    p.s[v] = vd_picture_put(&u->f->panel[v].picture, stroke, v == SIDE ? name : "",
                            vd_allocate(room + 1, sizeof(double)), vd_allocate(room + 1, sizeof(double)), 0);
  return p;
}

static void add(pen *p, int v, double x, double y) {
  if (p->s[v]->count < p->room) {
    p->s[v]->x[p->s[v]->count] = x;
    p->s[v]->y[p->s[v]->count++] = y;
  }
}

static void see(stunt *u, const double at[3]) {
  for (int k = 0; k < 3; k++) {
    u->low[k] = fmin(u->low[k], at[k]);
    u->high[k] = fmax(u->high[k], at[k]);
  }
}

/* Adds a force as a line. The line of the force `full' is as long as a car; no line is longer than 1.5 cars. */
static void add_force(stunt *u, pen *p, int v, const double at[3], const double way[3], double force) {
  const double length = fmin(4.0 * force / u->full, 6.0);
  const double end[] = {at[0] + length * way[0], at[1] + length * way[1], at[2] + length * way[2]};
  if (!(force > 0.0))
    return;
  add(p, v, at[0], v == SIDE ? at[2] : at[1]);
  add(p, v, end[0], v == SIDE ? end[2] : end[1]);
  add(p, v, NAN, NAN);
  see(u, end);
}

/* Adds forces. From the side: loads of the axles, drawn into the road along the vertical axis of the body. From above:
 * forces along and across the wheels, in the xy plane of the body. */
static void add_forces(stunt *u, const stunt_run *s, size_t last, int combs, int cars, const int hue[2]) {
  for (int axle = 0; axle < 2; axle++) {
    static const char *const name[] = {"front axle", "rear axle"};
    pen p = begin(u, VD_STROKE_RUN, u->runs == 1 ? name[axle] : "", 3 * (size_t)combs + 6 * (size_t)cars);
    double at[3], way[3];
    for (int i = 0; i < combs; i++) {
      const size_t r = even_row(s, last, i, combs);
      const double load = load_at(s, r, axle, at);
      to_world(s, r, 0.0, 0.0, -1.0, way);
      add_force(u, &p, SIDE, at, way, load);
    }
    for (int i = 0; i < 2 * cars; i++) {
      const int w = vd_wheel_at(axle, i % 2);
      const size_t r = even_row(s, last, i / 2, cars);
      const double fx = s->wheel[w][FX][r], fy = s->wheel[w][FY][r], whole = sqrt(fx * fx + fy * fy);
      const double c = vd_cos(s->wheel[w][STEER][r]), d = vd_sin(s->wheel[w][STEER][r]);
      const double from[] = {s->wheel[w][CONTACT_X][r], s->wheel[w][CONTACT_Y][r], s->wheel[w][ROAD][r]};
      if (!(s->wheel[w][FZ][r] > 0.0) || !(whole > 0.0))
        continue;
      to_world(s, r, (fx * c - fy * d) / whole, (fx * d + fy * c) / whole, 0.0, way);
      add_force(u, &p, ABOVE, from, way, whole);
    }
    for (int v = 0; v < VIEWS; v++) {
      p.s[v]->hue = hue[axle];
      p.s[v]->dash = 1;
    }
  }
}

/* Adds outlines of the car, in metres from the centre of gravity. From the side it has a roof, which shows where up is;
 * from above it has a nose. The outline ends 0.3 m below the centre of gravity, above the contacts of the wheels. */
static void add_cars(stunt *u, const stunt_run *s, size_t last, int cars) {
  static const double outline[VIEWS][10][2] = {
      {{-2, -0.3}, {2, -0.3}, {2.1, 0.1}, {1, 0.25}, {0.4, 0.75}, {-1.2, 0.75}, {-1.9, 0.25}, {-2.1, 0.2}, {-2, -0.3}},
      {{-2, -0.8},
       {1.6, -0.8},
       {2.1, -0.4},
       {2.1, 0.4},
       {1.6, 0.8},
       {-2, 0.8},
       {-2, -0.8},
       {0.4, -0.8},
       {0.7, 0},
       {0.4, 0.8}}};
  pen p = begin(u, VD_STROKE_SHAPE, "", 11 * (size_t)cars);
  for (int i = 0; i < cars; i++) {
    const size_t r = even_row(s, last, i, cars);
    for (int v = 0; v < VIEWS; v++) {
      for (int k = 0; k < (v == SIDE ? 9 : 10); k++) {
        double at[3];
        const double *o = outline[v][k];
        to_world(s, r, o[0], v == ABOVE ? o[1] : 0.0, v == SIDE ? o[1] : 0.0, at);
        for (int j = 0; j < 3; j++)
          at[j] += s->place[j][r];
        add(&p, v, at[0], v == SIDE ? at[2] : at[1]);
        see(u, at);
      }
      add(&p, v, NAN, NAN);
    }
  }
}

/* Adds the road where the front axle touches it, and the path of the body. The path on the road and the path in the air
 * are different lines. */
static void add_ways(stunt *u, const stunt_run *s, size_t last, size_t index) {
  const size_t stride = 1 + s->run->rows / 2000;
  vd_picture *side = &u->f->panel[SIDE].picture;
  double at[3];
  vd_picture_series *road = vd_picture_put(side, VD_STROKE_CURVE, "", vd_allocate(last + 2, sizeof(double)),
                                           vd_allocate(last + 2, sizeof(double)), 0);
  for (size_t r = 0; r <= last; r += stride) {
    bool stands = load_at(s, r, 0, at) > 0.0;
    road->x[road->count] = stands ? at[0] : NAN;
    road->y[road->count++] = stands ? at[2] : NAN;
  }
  for (int air = 0; air < 2; air++) {
    bool any = false, was = false;
    for (size_t r = 0; r <= last; r += stride)
      any |= is_in_air(s, r) == air;
    if (!any && air)
      break;
    pen p = begin(u, VD_STROKE_RUN,
                  u->runs > 1 ? (air ? "" : s->run->label)
                  : air       ? "in the air"
                              : "path",
                  2 * (last + 2));
    for (size_t r = 0; r <= last; r += stride) {
      const bool now = is_in_air(s, r) == air;
      at[0] = s->place[0][r];
      at[1] = s->place[1][r];
      at[2] = s->place[2][r];
      see(u, at);
      for (int v = 0; v < VIEWS && (now || was); v++) { /* a line includes the first row of the next part */
        add(&p, v, at[0], v == SIDE ? at[2] : at[1]);
        if (!now)
          add(&p, v, NAN, NAN);
      }
      was = now;
    }
    for (int v = 0; v < VIEWS; v++) {
      p.s[v]->hue = u->runs > 1 ? 1 + (int)index % 6 : air ? 4 : 1;
      p.s[v]->dash = u->runs > 1 && air ? 3 : 1;
    }
  }
}

/* Returns the number of cars: one every five metres, but 3 to 12. */
static int usual_cars(const stunt_run *s) {
  double way = 0.0;
  for (size_t r = 1; r < s->run->rows; r++) {
    double square = 0.0;
    for (int k = 0; k < 3; k++)
      square += (s->place[k][r] - s->place[k][r - 1]) * (s->place[k][r] - s->place[k][r - 1]);
    way += sqrt(square);
  }
  return way < 15.0 ? 3 : way > 60.0 ? 12 : (int)(way / 5.0);
}

/* Draws the runs with some cars along them; if `until` is given (not NAN), up to this time, with one car at its end. */
static void draw(stunt *u, const stunt_run *s, int cars, double until) {
  vd_drawing *f = u->f;
  f->panel = vd_allocate(VIEWS, sizeof *f->panel);
  f->panels = VIEWS;
  for (int v = 0; v < VIEWS; v++) {
    vd_picture *p = &f->panel[v].picture;
    f->panel[v] = (vd_panel){.picture = {.exact = true, .equal = true}, .over = 0};
    snprintf(p->title, sizeof p->title, "%s", v == SIDE ? "From the side: z" : "From above: y");
    snprintf(p->y_unit, sizeof p->y_unit, "m");
    snprintf(p->x_name, sizeof p->x_name, "x");
    snprintf(p->x_unit, sizeof p->x_unit, "m");
  }
  for (size_t l = 0; l < u->runs; l++) {
    const size_t last = isfinite(until) ? row_at(&s[l], until) : s[l].run->rows - 1;
    const int own = 1 + (int)l % 6, hue[] = {u->runs == 1 ? 2 : own, u->runs == 1 ? 3 : own};
    const int one = isfinite(until) ? 1 : cars, combs = cars * 10 > 120 ? cars * 10 : 120;
    add_forces(u, &s[l], last, isfinite(until) ? 1 : combs, one, hue);
    add_cars(u, &s[l], last, one);
    add_ways(u, &s[l], last, l);
  }
}

/* Sets the limits of both views, which have the same scale and x axis. If the path is high for its length, the x axis
 * is extended beyond it, so that the side view keeps its proportions. */
static void set_limits(const stunt *u, vd_drawing *f) {
  const double wide = u->high[0] - u->low[0] + 1.0, high = u->high[2] - u->low[2] + 1.0;
  const double pad = 0.5 + 0.5 * fmax(high / 0.62 - wide, 0.0);
  for (int v = 0; v < VIEWS; v++) {
    const int k = v == SIDE ? 2 : 1;
    f->panel[v].picture.x_limits = (vd_picture_limits){true, true, u->low[0] - pad, u->high[0] + pad};
    f->panel[v].picture.y_limits = (vd_picture_limits){true, true, u->low[k] - 0.5, u->high[k] + 0.5};
  }
}

bool vd_figure_stunt(const vd_shown_run *run, size_t runs, int cars, double until, vd_arena *arena, vd_drawing *out) {
  stunt_run *s = vd_arena_alloc(arena, runs * sizeof *s);
  *out = (vd_drawing){.columns = 1, .under = ""};
  for (size_t l = 0; l < runs; l++)
    if (!open_run(&run[l], &s[l]))
      return false;
  stunt u = {.f = out, .runs = runs, .full = reference(s, runs)};
  for (int k = 0; k < 3; k++) {
    u.low[k] = INFINITY;
    u.high[k] = -INFINITY;
  }
  cars = cars > 0 ? cars : usual_cars(&s[0]);
  draw(&u, s, cars, NAN);
  set_limits(&u, out);
  if (isfinite(until)) { /* the limits are those of the whole runs */
    vd_figure_finish(out);
    draw(&u, s, cars, until);
    set_limits(&u, out);
    out->columns = 1;
  }
  out->under = vd_arena_printf(arena, "line as long as a car: %.2g kN", 1e-3 * u.full);
  return true;
}
