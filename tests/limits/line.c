/* Lines within the edges of a track.
 *
 * Least curvature between two straights: the line is an elastica (a thin beam), pressed by the outer edges at two
 * places and by the inner edge at the bisector. Where the outer edge touches the line, its curvature is 0, and the edge
 * pushes across it. With x along the first straight from there and f the angle of the line, f' = c x, so sin f = c
 * x^2/2. At the bisector f is half the turn. With X = x sqrt(c/2) from 0 to sqrt(sin f),
 *
 *   lateral distance at the bisector = sqrt(2/c) I,  I = integral of X^2/sqrt(1 - X^4) dX
 *   integral of curvature^2 = 4 sqrt(2 c) I,  greatest curvature = sqrt(2 c sin f)
 *
 * The lateral distance from the outer edge to the inner one at the bisector gives c. Around a circle the least
 * integral, 2 pi/radius, belongs to the outer edge, and the least time, 2 pi sqrt(radius/grip), to the inner edge. */
#include "tap.h"

#include "base/base.h"
#include "limits/line.h"

#include <math.h>
#include <string.h>

enum { MOST = 1200, PIECES = 8 };

static const double half = 5.0; /* m, room to either side */

/* A track of lines and arcs: length and curvature of each. */
typedef struct pieces {
  double of[PIECES][2];
  size_t count;
} pieces;

static double across(double length, double curvature) { /* chord of an arc */
  return curvature != 0.0 ? 2.0 * sin(0.5 * length * curvature) / curvature : length;
}

/* Makes stations at intervals of about `step', from the station `first' on. On a closed track another first station
 * gives the same stations in another order. */
static size_t stations(const pieces *p, double step, size_t first, vd_line_station *out) {
  double length = 0.0, x = 0.0, y = 0.0, heading = 0.0, from = 0.0;
  for (size_t i = 0; i < p->count; i++)
    length += p->of[i][0];
  size_t n = (size_t)ceil(length / step - 1e-9), k = 0;
  for (size_t i = 0; i < n; i++) {
    double s = length * (double)i / (double)n;
    for (; k + 1 < p->count && s >= from + p->of[k][0]; from += p->of[k++][0]) {
      double turn = p->of[k][0] * p->of[k][1], chord = across(p->of[k][0], p->of[k][1]);
      x += chord * cos(heading + 0.5 * turn);
      y += chord * sin(heading + 0.5 * turn);
      heading += turn;
    }
    double turn = (s - from) * p->of[k][1], chord = across(s - from, p->of[k][1]);
    out[(i + n - first) % n] = (vd_line_station){x + chord * cos(heading + 0.5 * turn),
                                                 y + chord * sin(heading + 0.5 * turn),
                                                 heading + turn,
                                                 -half,
                                                 half,
                                                 INFINITY};
  }
  return n;
}

static double inverse(double f) { /* returns I */
  enum { N = 20000 };
  double sum = 0.0, top = sqrt(sin(f));
  for (int i = 0; i < N; i++) { /* X = top sin u */
    double u = 0.5 * VD_PI * (i + 0.5) / N, x = top * sin(u);
    sum += x * x / sqrt(1.0 - x * x * x * x) * top * cos(u) * 0.5 * VD_PI / N;
  }
  return sum;
}

static void bending(const vd_lap_place *place, size_t n, double *integral, double *most) {
  *integral = *most = 0.0;
  for (size_t i = 1; i + 1 < n; i++) {
    *integral += place[i].curvature * place[i].curvature * 0.5 * (place[i + 1].s - place[i - 1].s);
    *most = tap_max(*most, fabs(place[i].curvature));
  }
}

/* Checks that the errors of the polygon fall with the square of its steps. */
static void corners(void) {
  static vd_line_station at[MOST];
  static vd_lap_place place[MOST + 1];
  static double offset[MOST];
  const double radius = 30.0;
  for (int turn = 1; turn <= 2; turn++) {
    double f = 0.25 * VD_PI * turn, i = inverse(f), error[2], integral, most;
    double way = radius + half - (radius - half) * cos(f), c = 2.0 * i * i / (way * way);
    const pieces p = {{{300.0, 0.0}, {2.0 * f * radius, 1.0 / radius}, {300.0, 0.0}}, 3};
    for (int k = 0; k < 2; k++) {
      const vd_line_track track = {at, stations(&p, k == 0 ? 4.0 : 2.0, 0, at), false};
      tap_ok(vd_line_least_curvature(&track, offset), "a turn of %d degrees has a line of least curvature", 90 * turn);
      bending(place, vd_line_places(&track, offset, place), &integral, &most);
      error[k] = integral / (4.0 * sqrt(2.0 * c) * i) - 1.0;
    }
    tap_near(error[1], 0.0, 5e-4, "the line's integral of the squared curvature agrees with the elastica");
    tap_ok(fabs(error[1]) < 0.3 * fabs(error[0]),
           "the integral converges with order 2 in the steps: errors %.2g and %.2g", error[0], error[1]);
    tap_near(most / sqrt(2.0 * c * sin(f)), 1.0, 1e-3, "the greatest curvature of the line agrees with the elastica");
  }
}

static const vd_lap_plan closed_plan = {true, NAN, 1.0, 1.0, 1.0, {0.0, 0.0, 0.0}};

static void circle(void) {
  static vd_line_station at[MOST];
  static double offset[MOST];
  const double radius = 50.0, grip = 15.0;
  const pieces p = {{{2.0 * VD_PI * radius, 1.0 / radius}}, 1};
  const vd_gg gg = {.is_mass = true, .mass = {1000.0, grip / VD_GRAVITY, 0.0, 0.0, INFINITY}};
  const vd_line_track track = {at, stations(&p, 2.0, 0, at), true};
  double worst[2] = {0.0, 0.0};
  vd_line_least_curvature(&track, offset);
  for (size_t i = 0; i < track.count; i++)
    worst[0] = tap_max(worst[0], half + offset[i]);
  tap_near(worst[0], 0.0, 1e-6, "around a circle the least curvature is at the outer edge");
  double time = vd_line_least_time(&track, &gg, &closed_plan, offset);
  for (size_t i = 0; i < track.count; i++)
    worst[1] = tap_max(worst[1], half - offset[i]);
  tap_near(worst[1], 0.0, 1e-3, "around a circle the least time is at the inner edge");
  tap_near(time / (2.0 * VD_PI * sqrt((radius - half) / grip)), 1.0, 2e-4,
           "around a circle the least time is the time along the inner edge");
}

/* Returns a track with a hairpin at either end, and three bends between them. */
static pieces bends(void) {
  const double r = 40.0, third = VD_PI * r / 3.0;
  return (pieces){{{300.0, 0.0},
                   {VD_PI * r, 1.0 / r},
                   {100.0, 0.0},
                   {third, -1.0 / r},
                   {2.0 * third, 1.0 / r},
                   {third, -1.0 / r},
                   {200.0 - 4.0 * r * sin(VD_PI / 3.0), 0.0},
                   {VD_PI * r, 1.0 / r}},
                  8};
}

static const vd_gg racer = {.is_mass = true, .mass = {1000.0, 1.5, 0.7, 1.8, 300e3}};

static double lap_time_with(const vd_gg *gg, const vd_line_track *track, const double *offset) {
  static vd_lap_place place[MOST + 1];
  static vd_lap_row row[MOST + 1];
  size_t where, n = vd_line_places(track, offset, place);
  return vd_lap_run(gg, &closed_plan, place, n, row, &where) == VD_LAP_FINE ? row[n - 1].t : INFINITY;
}

static double lap_time(const vd_line_track *track, const double *offset) {
  return lap_time_with(&racer, track, offset);
}

/* Searches without derivatives: bumps at random places, of random lengths and heights, are kept if they save time. */
static double search(const vd_line_track *track, double *offset, int tries) {
  static double trial[MOST];
  unsigned state = 1;
  double best = lap_time(track, offset);
  for (int k = 0; k < tries; k++) {
    double random[3];
    for (int i = 0; i < 3; i++) {
      state = state * 1664525u + 1013904223u;
      random[i] = (double)(state >> 8) / 16777216.0;
    }
    double wide = 2.0 + 25.0 * random[1] * random[1], high = pow(10.0, -2.5 * fabs(2.0 * random[2] - 1.0));
    size_t centre = (size_t)(random[0] * (double)track->count), reach = (size_t)wide;
    memcpy(trial, offset, track->count * sizeof *trial);
    for (size_t i = 0; i <= 2 * reach; i++) {
      size_t to = (centre + i + track->count - reach) % track->count;
      double bump = 0.5 + 0.5 * cos(VD_PI * ((double)i - (double)reach) / (double)(reach + 1));
      trial[to] += (random[2] > 0.5 ? high : -high) * bump;
      trial[to] = fmin(fmax(trial[to], -half), half);
    }
    double time = lap_time(track, trial);
    if (time < best) {
      best = time;
      memcpy(offset, trial, track->count * sizeof *trial);
    }
  }
  return best;
}

static void laps(void) {
  static vd_line_station at[MOST], turned[MOST];
  static double offset[MOST], other[MOST], centre[MOST];
  const pieces p = bends();
  const vd_line_track track = {at, stations(&p, 4.0, 0, at), true};
  double by_centre = lap_time(&track, centre), worst = 0.0;
  vd_line_least_curvature(&track, offset);
  double by_curvature = lap_time(&track, offset), time = vd_line_least_time(&track, &racer, &closed_plan, offset);
  tap_ok(by_curvature < 0.96 * by_centre && time < 0.97 * by_curvature,
         "%.3f s on the centre line, %.3f s with least curvature, %.3f s with least time", by_centre, by_curvature,
         time);
  tap_near(lap_time(&track, offset), time, 1e-9, "the returned time is the time of the lap along the line");
  for (size_t i = 0; i < track.count; i++)
    worst = tap_max(worst, fabs(offset[i]) - half);
  tap_ok(worst <= 0.0, "the line stays within the edges");
  const vd_line_track moved = {turned, stations(&p, 4.0, 77, turned), true};
  vd_line_least_curvature(&moved, other);
  tap_near(lap_time(&moved, other), by_curvature, 1e-4, "the line does not depend on where a closed track starts");
  tap_near(vd_line_least_time(&moved, &racer, &closed_plan, other) / time, 1.0, 3e-5,
           "the line of least time does not depend on where a closed track starts");
  tap_near(search(&track, offset, 2500) / time, 1.0, 3e-5, "2500 random changes of the line save little");
}

/* Checks that the line converges: with another grip the least time changes as it does along the same line, because a
 * change of a line of least time changes the time to second order only (envelope theorem). The descent ends within 2e-5
 * of the minimum; with a change of 1e-9 it ends on another line nearby, and the lap between both lines is as fast. */
static void converged(void) {
  static const double part[] = {1e-9, 1e-4, -1e-4, 1e-3};
  static vd_line_station at[MOST];
  static double offset[MOST], other[MOST];
  const pieces p = bends();
  const vd_line_track track = {at, stations(&p, 4.0, 0, at), true};
  vd_line_least_curvature(&track, offset);
  double time = vd_line_least_time(&track, &racer, &closed_plan, offset), same = 0.0, worst = 0.0, between = 0.0;
  for (size_t k = 0; k < VD_COUNT(part); k++) {
    vd_gg gg = racer;
    gg.mass.friction *= 1.0 + part[k];
    vd_line_least_curvature(&track, other);
    double least = vd_line_least_time(&track, &gg, &closed_plan, other);
    same = lap_time_with(&gg, &track, offset);
    worst = tap_max(worst, fabs(least - same) / time);
    for (size_t i = 0; i < track.count && k == 0; i++)
      other[i] = 0.5 * (offset[i] + other[i]);
    between = k == 0 ? lap_time(&track, other) / time - 1.0 : between;
  }
  tap_near(worst, 0.0, 3e-5, "with another grip the least time changes as it does along the same line");
  tap_ok(between < 1e-5, "the line between two results of almost the same grip costs %.2g of the time", between);
}

int main(void) {
  tap_plan(21);
  corners();
  circle();
  laps();
  converged();
  return tap_done();
}
