/* Laps of a point mass.
 *
 * qss_cases.txt and qss_speeds.csv were computed by another program of the author's with Heun steps of 0.01 m on lines
 * with slope and bank. The forces on the point mass along its path, X, and across it, Y, obey X^2 + Y^2 <= (mu N)^2 and
 * X <= P/v, with the friction coefficient mu, the normal force N, the power P and the speed v. Most of the times also
 * have closed forms, for instance 2 pi sqrt(R/(mu g)) round a circle of radius R. The files have six decimals. A table
 * of these forces around the friction circle at 10 speeds must give the same laps up to its interpolation error. */
#include "tap.h"

#include "base/base.h"
#include "limits/lap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASES = 11, FLAT = 8, PLACES = 8, SPEEDS = 400, DIRECTIONS = 72, KNOTS = 19 };

typedef struct lap_case {
  char name[40];
  double time, density, drag_area, downforce_area;
  vd_gg_mass mass;
  vd_lap_plan plan;
  vd_lap_place place[PLACES];
  size_t places;
} lap_case;

static bool is(const char *a, const char *b) {
  return strcmp(a, b) == 0;
}

static void read_number(const char *key, double v, lap_case *c) {
  if (is(key, "time"))
    c->time = v;
  else if (is(key, "m"))
    c->mass.mass = v;
  else if (is(key, "mu"))
    c->mass.friction = v;
  else if (is(key, "P"))
    c->mass.power = v;
  else if (is(key, "rho"))
    c->density = v;
  else if (is(key, "CdA"))
    c->drag_area = v;
  else if (is(key, "ClA"))
    c->downforce_area = v;
  else if (is(key, "v_start"))
    c->plan.start = v;
  else if (is(key, "closed"))
    c->plan.closed = v != 0.0;
}

static size_t read_cases(lap_case *all) {
  FILE *f = fopen("tests/limits/qss_cases.txt", "r");
  char key[40], word[40];
  lap_case *c = all; /* the case that is being read; count is 0 before the first case */
  size_t count = 0;
  while (f && fscanf(f, "%39s %39s", key, word) == 2) {
    if (is(key, "case")) {
      c = &all[count++];
      *c = (lap_case){.mass = {.power = INFINITY}, .plan = {.start = NAN, .drive = 1.0, .brake = 1.0, .corner = 1.0}};
      memcpy(c->name, word, sizeof word);
    } else if (is(key, "path")) {
      c->places = (size_t)atoi(word);
      for (size_t i = 0; i < c->places; i++) {
        vd_lap_place *p = &c->place[i];
        p->limit = INFINITY;
        if (fscanf(f, "%lf %lf %lf %lf", &p->s, &p->curvature, &p->slope, &p->bank) != 4)
          return 0;
      }
      c->mass.drag = 0.5 * c->density * c->drag_area;
      c->mass.downforce = 0.5 * c->density * c->downforce_area;
    } else {
      read_number(key, atof(word), c);
    }
  }
  if (f)
    fclose(f);
  return count;
}

/* Returns the time of a case with a step, s; *worst: greatest deviation of a speed from the table, m/s. */
static double lap_time(const lap_case *c, size_t index, const vd_gg *gg, double step, double *worst) {
  size_t n = vd_lap_refine(c->place, c->places, step, NULL), where;
  vd_lap_place *place = calloc(n, sizeof *place);
  vd_lap_row *row = calloc(n, sizeof *row);
  vd_lap_refine(c->place, c->places, step, place);
  double time = NAN, at, speed, which;
  *worst = NAN;
  if (vd_lap_run(gg, &c->plan, place, n, row, &where) == VD_LAP_FINE) {
    FILE *f = fopen("tests/limits/qss_speeds.csv", "r");
    char line[80];
    size_t i = 0;
    time = row[n - 1].t;
    *worst = 0.0;
    while (f && fgets(line, sizeof line, f))
      if (sscanf(line, "%lf,%lf,%lf", &which, &at, &speed) == 3 && which == (double)index) {
        while (i + 2 < n && place[i + 1].s < at - 1e-9)
          i++;
        double span = place[i + 1].s - place[i].s, u = span > 0.0 ? fmin((at - place[i].s) / span, 1.0) : 0.0;
        double low = row[i].speed, high = row[i + 1].speed, got = sqrt(low * low + u * (high * high - low * low));
        *worst = tap_max(*worst, fabs(got - speed));
      }
    if (f)
      fclose(f);
  }
  free(place);
  free(row);
  return time;
}

/* Computes the same forces as a table. */
static void tabulate(const vd_gg *mass, double fastest, vd_gg *table) {
  static double speed[KNOTS];
  static const double normal[] = {4.0, 8.0, 9.80665, 12.0, 20.0};
  static vd_gg_section section[VD_COUNT(normal) * KNOTS];
  *table = (vd_gg){.speeds = KNOTS, .normals = VD_COUNT(normal), .speed = speed, .normal = normal, .section = section};
  for (size_t k = 0; k < VD_COUNT(normal); k++)
    for (size_t i = 0; i < KNOTS; i++) {
      vd_gg_point point[DIRECTIONS];
      double low, high;
      speed[i] = 0.5 + (fastest - 0.5) * (double)i / (KNOTS - 1);
      double grip = vd_gg_side(mass, speed[i], normal[k], false);
      for (int j = 0; j < DIRECTIONS; j++) {
        double angle = 2.0 * VD_PI * j / DIRECTIONS, across = grip * sin(angle);
        vd_gg_range(mass, speed[i], normal[k], across, &low, &high);
        point[j] = (vd_gg_point){cos(angle) > 0.0 ? high : low, across};
      }
      vd_gg_section_fill(point, DIRECTIONS, &section[k * KNOTS + i]);
    }
  vd_gg_complete(table);
}

/* Returns the time with the curvatures, or the lengths of the steps, changed by a share that differs from place to
 * place. */
static double changed(const lap_case *c, const vd_gg *gg, double bent, double longer) {
  size_t n = vd_lap_refine(c->place, c->places, 1.0, NULL), where;
  vd_lap_place *place = calloc(n, sizeof *place);
  vd_lap_row *row = calloc(n, sizeof *row);
  vd_lap_refine(c->place, c->places, 1.0, place);
  double added = 0.0, last = place[0].s;
  for (size_t i = 0; i < n; i++) {
    double share = 1.0 + 0.5 * sin(0.1 * (double)i), ds = place[i].s - last;
    last = place[i].s;
    added += i > 0 ? longer * (1.0 + 0.5 * sin(0.1 * (double)(i - 1))) * ds : 0.0;
    place[i].s += added;
    place[i].curvature *= 1.0 + bent * share;
  }
  double time = vd_lap_run(gg, &c->plan, place, n, row, &where) == VD_LAP_FINE ? row[n - 1].t : NAN;
  free(place);
  free(row);
  return time;
}

/* Compares the slopes of the time, for flat lines, with differences of whole laps. Rounding of the differences is 1e-15
 * divided by h. The slopes themselves contain differences in each step, by 1e-5 of the square of the speed: where the
 * turn takes nearly all of the grip G, the rest X = sqrt(G^2 - Y^2) has truncation errors of (1e-5/x)^2/8 with x = 1 -
 * Y/G. With the drag of circle_drag, X = 0.03 G, x is 4.5e-4, and this is 6e-5. The length does not change Y. */
static void slopes(const lap_case *c, const vd_gg *gg) {
  const double h = 1e-4;
  size_t n = vd_lap_refine(c->place, c->places, 1.0, NULL);
  vd_lap_place *place = calloc(n, sizeof *place);
  vd_lap_row *row = calloc(n, sizeof *row);
  vd_lap_slopes *slope = calloc(n, sizeof *slope);
  double bent = 0.0, longer = 0.0;
  vd_lap_refine(c->place, c->places, 1.0, place);
  tap_ok(vd_lap_run_slopes(gg, &c->plan, place, n, row, slope) == VD_LAP_FINE,
         "%s: the derivatives of the time are found", c->name);
  for (size_t i = 0; i < n; i++) {
    double share = 1.0 + 0.5 * sin(0.1 * (double)i);
    bent += share * place[i].curvature * slope[i].curvature;
    longer += i + 1 < n ? share * (place[i + 1].s - place[i].s) * slope[i].length : 0.0;
  }
  tap_near(bent / c->time, (changed(c, gg, h, 0.0) - changed(c, gg, -h, 0.0)) / (2.0 * h) / c->time, 1e-4,
           "%s: the derivative of the time by the curvature, %.4f s, is that of differences", c->name, bent);
  tap_near(longer / c->time, (changed(c, gg, 0.0, h) - changed(c, gg, 0.0, -h)) / (2.0 * h) / c->time, 1e-6,
           "%s: the derivative of the time by the length, %.4f s, is that of differences", c->name, longer);
  free(place);
  free(row);
  free(slope);
}

static bool is_flat(const lap_case *c) {
  for (size_t i = 0; i < c->places; i++)
    if (c->place[i].slope != 0.0 || c->place[i].bank != 0.0)
      return false;
  return true;
}

/* Compares the greatest speed of a turn on a crest, in a dip and on a bank with the balance of its forces, v^2 k cos b
 * - g sin b = mu (g cos b + v^2 (k sin b + w)), with the speed v, the curvatures k of the turn and w of the road in the
 * vertical plane, 1/m, the bank b, rad, and the friction mu. Without drag the car keeps this speed all along the
 * turn. */
static void over_crest(double bank, double vertical, double friction, const char *what) {
  const double curvature = 1.0 / 50.0;
  const vd_gg gg = {.is_mass = true, .mass = {.mass = 1000.0, .friction = friction, .power = INFINITY}};
  const vd_lap_plan plan = {.start = NAN, .drive = 1.0, .brake = 1.0, .corner = 1.0, .closed = true};
  vd_lap_place place[3];
  vd_lap_row row[3];
  size_t where;
  for (int i = 0; i < 3; i++)
    place[i] =
        (vd_lap_place){.s = 10.0 * i, .curvature = curvature, .bank = bank, .vertical = vertical, .limit = INFINITY};
  double pull = VD_GRAVITY * (sin(bank) + friction * cos(bank));
  double need = curvature * cos(bank) - friction * (curvature * sin(bank) + vertical);
  double speed = vd_lap_run(&gg, &plan, place, 3, row, &where) == VD_LAP_FINE ? row[1].speed : NAN;
  tap_near(speed / sqrt(pull / need), 1.0, 1e-6, "%s is driven at %g m/s", what, sqrt(pull / need));
}

/* Runs a closed circle of 200 m radius, and returns its time, s. */
static double round_circle(const vd_gg *gg, double vertical) {
  enum { STEPS = 100 };
  static vd_lap_place place[STEPS + 1];
  static vd_lap_row row[STEPS + 1];
  const vd_lap_plan plan = {.start = NAN, .drive = 1.0, .brake = 1.0, .corner = 1.0, .closed = true};
  size_t where;
  for (int i = 0; i <= STEPS; i++)
    place[i] =
        (vd_lap_place){.s = 400.0 * VD_PI * i / STEPS, .curvature = 0.005, .vertical = vertical, .limit = INFINITY};
  return vd_lap_run(gg, &plan, place, STEPS + 1, row, &where) == VD_LAP_FINE ? row[STEPS].t : NAN;
}

/* A car whose drag and power hold it far below the speed of the turn: P = drag v^3, after any number of rounds. */
static void weak_car(void) {
  const vd_gg gg = {.is_mass = true, .mass = {.mass = 1500.0, .friction = 1.5, .drag = 0.48, .power = 30e3}};
  double speed = cbrt(30e3 / 0.48);
  tap_near(round_circle(&gg, 0.0) * speed / (400.0 * VD_PI), 1.0, 1e-9, "a weak car goes round a circle with %g m/s",
           speed);
}

/* A car that only downforce holds on a crest: u k = mu (g + u (w + A)), where g + u w < 0. */
static void held_by_downforce(void) {
  const double mass = 1000.0, friction = 1.2, vertical = -0.02, downforce = 0.022;
  const vd_gg gg = {.is_mass = true,
                    .mass = {.mass = mass, .friction = friction, .downforce = downforce * mass, .power = INFINITY}};
  double square = friction * VD_GRAVITY / (0.005 - friction * (vertical + downforce));
  tap_near(round_circle(&gg, vertical) * sqrt(square) / (400.0 * VD_PI), 1.0, 1e-9,
           "downforce holds a car on a crest at %g m/s", sqrt(square));
}

int main(void) {
  static lap_case all[CASES + 1];
  tap_plan(1 + 4 + 2 + 5 * CASES + 3 * FLAT);
  tap_ok(read_cases(all) == CASES, "qss_cases.txt has %d cases", CASES);
  over_crest(0.0, -0.005, 1.2, "a turn over a crest");
  over_crest(0.0, 0.005, 1.2, "a turn in a dip");
  over_crest(0.2, 0.0, 1.2, "a turn with a bank that leans into it");
  over_crest(-0.2, -0.005, 1.2, "a turn over a crest with a bank that leans out of it");
  weak_car();
  held_by_downforce();
  for (size_t i = 0; i < CASES; i++) {
    const lap_case *c = &all[i];
    const vd_gg gg = {.is_mass = true, .mass = c->mass};
    double speeds, unused, table_speeds;
    double coarse = lap_time(c, i, &gg, 2.0, &unused), time = lap_time(c, i, &gg, 1.0, &speeds);
    double fine = lap_time(c, i, &gg, 0.5, &unused), error = fabs(fine - c->time);
    tap_near(time / c->time, 1.0, 1e-4, "%s: the lap takes %g s with steps of 1 m", c->name, c->time);
    tap_near(speeds, 0.0, 0.05, "%s: the speeds agree with the table, m/s", c->name);
    /* order 2: half the step has a fourth of the error, down to the table's six decimals and its own error, 3e-7 s.
     * From standstill the first step has order 1.5, as the acceleration changes with the speed within it */
    double order = c->plan.start == 0.0 ? 0.36 : 0.27;
    tap_ok(error <= order * fabs(time - c->time) + 1.5e-5 &&
               fabs(time - c->time) <= 0.36 * fabs(coarse - c->time) + 1.5e-5,
           "%s: the errors fall with the step: %.2g, %.2g, %.2g s at 2, 1 and 0.5 m", c->name, coarse - c->time,
           time - c->time, fine - c->time);
    vd_gg table;
    tabulate(&gg, c->mass.drag > 0.0 || c->mass.power < INFINITY ? 100.0 : 110.0, &table);
    double by_table = lap_time(c, i, &table, 1.0, &table_speeds);
    tap_near(by_table / c->time, 1.0, 5e-4, "%s: the lap takes %g s by a table of the forces", c->name, c->time);
    tap_near(table_speeds, 0.0, 0.1, "%s: the speeds by the table of the forces agree, m/s", c->name);
    if (is_flat(c))
      slopes(c, &gg);
  }
  return tap_done();
}
