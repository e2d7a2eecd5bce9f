#include "limits/line.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "math/box_qp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A corner of the polygon. */
typedef struct corner {
  double x, y, aside_x, aside_y; /* m; unit vector to the left of the centre line */
  double length;                 /* m, to the next corner */
  double ahead[2];               /* derivatives of `length' by the offsets of this corner and the next corner */
  double curvature;              /* 1/m */
  /* 1/m2, derivatives of `curvature' by the offsets of the previous, this and the next corner */
  double by[3];
} corner;

typedef struct line {
  const vd_line_track *track;
  corner *corner;
  size_t count;
} line;

static size_t next_of(const line *l, size_t i) {
  return i + 1 < l->count ? i + 1 : l->track->closed ? 0 : i;
}

static size_t before(const line *l, size_t i) {
  return i > 0 ? i - 1 : l->track->closed ? l->count - 1 : i;
}

/* Computes the curvature at a corner and its derivatives. The circle through three points has the curvature 2 a x
 * b/(|a| |b| |a + b|), with the chords a and b. */
static void bend(const line *l, size_t i) {
  static const double moves_a[3] = {-1.0, 1.0, 0.0}, moves_b[3] = {0.0, -1.0, 1.0};
  const corner *at[3] = {&l->corner[before(l, i)], &l->corner[i], &l->corner[next_of(l, i)]};
  corner *c = &l->corner[i];
  c->curvature = c->by[0] = c->by[1] = c->by[2] = 0.0;
  if (at[0] == c || at[2] == c) /* an end of an open line has no curvature */
    return;
  double ax = c->x - at[0]->x, ay = c->y - at[0]->y, bx = at[2]->x - c->x, by = at[2]->y - c->y;
  double cx = ax + bx, cy = ay + by, aa = ax * ax + ay * ay, bb = bx * bx + by * by, cc = cx * cx + cy * cy;
  double under = sqrt(aa * bb * cc);
  c->curvature = 2.0 * (ax * by - ay * bx) / under;
  for (int k = 0; k < 3; k++) {
    double nx = at[k]->aside_x, ny = at[k]->aside_y, in_a = moves_a[k], in_b = moves_b[k], in_c = in_a + in_b;
    double cross = in_a * (nx * by - ny * bx) + in_b * (ax * ny - ay * nx);
    double grown = in_a * (nx * ax + ny * ay) / aa + in_b * (nx * bx + ny * by) / bb + in_c * (nx * cx + ny * cy) / cc;
    c->by[k] = 2.0 * cross / under - c->curvature * grown;
  }
}

static void shape(const line *l, const double *offset) {
  for (size_t i = 0; i < l->count; i++) {
    const vd_line_station *s = &l->track->station[i];
    corner *c = &l->corner[i];
    c->aside_x = -vd_sin(s->heading);
    c->aside_y = vd_cos(s->heading);
    c->x = s->x + offset[i] * c->aside_x;
    c->y = s->y + offset[i] * c->aside_y;
  }
  for (size_t i = 0; i < l->count; i++) {
    corner *c = &l->corner[i];
    const corner *next = &l->corner[next_of(l, i)];
    double dx = next->x - c->x, dy = next->y - c->y;
    c->length = vd_hypot(dx, dy);
    c->ahead[0] = c->length > 0.0 ? -(dx * c->aside_x + dy * c->aside_y) / c->length : 0.0;
    c->ahead[1] = c->length > 0.0 ? (dx * next->aside_x + dy * next->aside_y) / c->length : 0.0;
    bend(l, i);
  }
}

/* Returns the length of the line that a corner represents, m: half of both segments. */
static double share_of(const line *l, size_t i) {
  return 0.5 * (l->corner[before(l, i)].length + l->corner[i].length);
}

static double energy(const line *l) {
  double sum = 0.0;
  for (size_t i = 0; i < l->count; i++)
    sum += l->corner[i].curvature * l->corner[i].curvature * share_of(l, i);
  return sum;
}

/* Adds to the linear part of the programme a weight of the curvature at a corner, and a weight of the length of the
 * segment after this corner. */
static void add_slopes(const line *l, size_t i, double curvature, double length, double *g) {
  const corner *c = &l->corner[i];
  g[before(l, i)] += curvature * c->by[0];
  g[i] += curvature * c->by[1] + length * c->ahead[0];
  g[next_of(l, i)] += curvature * c->by[2] + length * c->ahead[1];
}

/* Adds weight times the integral of the squared change of the curvature to the programme, whose unknowns are the
 * changes of the offsets. */
static void add_bending(const line *l, double weight, vd_box_qp *q) {
  for (size_t i = 0; i < l->count; i++)
    if (before(l, i) != i && next_of(l, i) != i)
      vd_box_qp_add(q, before(l, i), 3, l->corner[i].by, weight * share_of(l, i));
}

/* Adds weight times the integral of the squared change of the curvature's rate, around a closed line or between the
 * ends of an open line. */
static void add_rates(const line *l, double weight, vd_box_qp *q) {
  for (size_t i = 0; i < l->count; i++) {
    size_t first = before(l, i), next = next_of(l, i), last = next_of(l, next);
    const corner *a = &l->corner[i], *b = &l->corner[next];
    if (first == i || next == i || last == next)
      continue;
    const double row[4] = {-a->by[0], b->by[0] - a->by[1], b->by[1] - a->by[2], b->by[2]};
    vd_box_qp_add(q, first, 4, row, weight / a->length);
  }
}

static void set_bounds(const line *l, const double *offset, vd_box_qp *q) {
  for (size_t i = 0; i < l->count; i++) {
    q->low[i] = l->track->station[i].low - offset[i];
    q->high[i] = l->track->station[i].high - offset[i];
  }
}

/* Moves the line by a share of the step. */
static void move(const line *l, const double *from, const double *step, double share, double *to) {
  for (size_t i = 0; i < l->count; i++) {
    double moved = from[i] + share * step[i];
    to[i] = vd_min(vd_max(moved, l->track->station[i].low), l->track->station[i].high);
  }
  shape(l, to);
}

bool vd_line_least_curvature(const vd_line_track *track, double *offset) {
  enum { ROUNDS = 50, HALVINGS = 8 };
  const double near = 1e-5;
  line l = {track, vd_allocate(track->count, sizeof(corner)), track->count};
  double *step = vd_allocate(2 * l.count, sizeof *step), *from = step + l.count, now = 0.0;
  bool good = false, known = true;
  vd_box_qp q;
  vd_box_qp_make(l.count, 2, &q);
  for (size_t i = 0; i < l.count; i++)
    from[i] = vd_min(vd_max(0.0, track->station[i].low), track->station[i].high);
  move(&l, from, from, 0.0, offset);
  now = energy(&l);
  for (int round = 0; round < ROUNDS && !good && known; round++) {
    vd_box_qp_clear(&q);
    add_bending(&l, 2.0, &q);
    for (size_t i = 0; i < l.count; i++) {
      double k = l.corner[i].curvature, ahead = l.corner[next_of(&l, i)].curvature;
      add_slopes(&l, i, 2.0 * k * share_of(&l, i), 0.5 * (k * k + ahead * ahead), q.g);
    }
    set_bounds(&l, offset, &q);
    known = vd_box_qp_solve(&q, step);
    memcpy(from, offset, l.count * sizeof *from);
    double share = 1.0, last = now;
    for (int k = 0; k < HALVINGS; k++, share *= 0.5) {
      move(&l, from, step, share, offset);
      now = energy(&l);
      if (now < last)
        break;
    }
    good = known && !(now < last * (1.0 - near));
    if (!(now < last))
      move(&l, from, step, 0.0, offset);
  }
  vd_box_qp_free(&q);
  free(step);
  free(l.corner);
  return good;
}

static size_t places_of(const line *l, vd_lap_place *out) {
  size_t n = l->track->closed ? l->count + 1 : l->count;
  double s = 0.0;
  for (size_t i = 0; i < n; i++) {
    const corner *c = &l->corner[i % l->count];
    out[i] = (vd_lap_place){.s = s, .curvature = c->curvature, .x = c->x, .y = c->y};
    out[i].limit = l->track->station[i % l->count].limit;
    s += c->length;
  }
  return n;
}

size_t vd_line_places(const vd_line_track *track, const double *offset, vd_lap_place *out) {
  line l = {track, vd_allocate(track->count, sizeof(corner)), track->count};
  shape(&l, offset);
  size_t n = places_of(&l, out);
  free(l.corner);
  return n;
}

/* The lap along the line, its slopes, and a mean of the slopes of earlier lines with decreasing weights. */
typedef struct timing {
  const vd_gg *gg;
  const vd_lap_plan *plan;
  vd_lap_place *place;
  vd_lap_row *row;
  vd_lap_slopes *now, *mean;
} timing;

/* Returns the time of the lap, s; INFINITY: the lap cannot be driven. The slopes of the lap enter the mean with the
 * weight `share'. */
static double time_of(const timing *t, const line *l, double share) {
  size_t n = places_of(l, t->place);
  if (vd_lap_run_slopes(t->gg, t->plan, t->place, n, t->row, t->now) != VD_LAP_FINE)
    return INFINITY;
  if (l->track->closed) /* a closed lap ends at its first place */
    t->now[0].curvature += t->now[n - 1].curvature;
  for (size_t i = 0; i < l->count; i++) {
    t->mean[i].curvature += share * (t->now[i].curvature - t->mean[i].curvature);
    t->mean[i].length += share * (t->now[i].length - t->mean[i].length);
  }
  return t->row[n - 1].t;
}

/* Solves one programme at a damping; returns the change of the lap time that its slopes predict, < 0. */
static double find_step(const timing *t, const line *l, const double *offset, double damping, vd_box_qp *q,
                        double *step) {
  const double smooth = 12.0; /* m, length over which a change of the curvature is spread */
  double promised = 0.0;
  vd_box_qp_clear(q);
  add_bending(l, damping, q);
  add_rates(l, damping * smooth * smooth, q);
  for (size_t i = 0; i < l->count; i++)
    add_slopes(l, i, t->mean[i].curvature, t->mean[i].length, q->g);
  set_bounds(l, offset, q);
  vd_box_qp_solve(q, step);
  for (size_t i = 0; i < l->count; i++)
    promised += q->g[i] * step[i];
  return promised;
}

/* The lap time has corners: where another place of a bend becomes the slowest, its slopes jump. The slopes of one line
 * then promise what the next line does not keep, and the descent stops far from the minimum. A mean over about 1/share
 * lines contains the slopes of both sides, and is small at the minimum only. The weight of the last line falls to
 * `share', so that the first lines descend quickly. */
static double descend(const timing *t, const line *l, double *offset, vd_box_qp *q, double *step) {
  enum { ROUNDS = 1500 };
  const double near = 1e-7, enough = 0.1, well = 0.5, first = 0.2, share = 0.02;
  double *from = step + l->count;
  shape(l, offset);
  double now = time_of(t, l, 1.0), damping = now / vd_max(energy(l), 1e-12);
  for (int round = 0; round < ROUNDS && now < INFINITY; round++) {
    double promised = find_step(t, l, offset, damping, q, step);
    if (!(promised < -near * now))
      break;
    memcpy(from, offset, l->count * sizeof *from);
    move(l, from, step, 1.0, offset);
    double next = time_of(t, l, vd_max(first / (round + 1), share));
    if (next < now + enough * promised) {
      damping *= next < now + well * promised ? 0.8 : 1.0;
      now = next;
    } else {
      damping *= 1.3;
      move(l, from, step, 0.0, offset);
    }
  }
  return now < INFINITY ? now : NAN;
}

double vd_line_least_time(const vd_line_track *track, const vd_gg *gg, const vd_lap_plan *plan, double *offset) {
  line l = {track, vd_allocate(track->count, sizeof(corner)), track->count};
  size_t places = l.count + 1;
  timing t = {gg,
              plan,
              vd_allocate(places, sizeof *t.place),
              vd_allocate(places, sizeof *t.row),
              vd_allocate(places, sizeof *t.now),
              vd_allocate(places, sizeof *t.mean)};
  double *step = vd_allocate(2 * l.count, sizeof *step);
  vd_box_qp q;
  vd_box_qp_make(l.count, 3, &q);
  double time = descend(&t, &l, offset, &q, step);
  vd_box_qp_free(&q);
  free(t.place);
  free(t.row);
  free(t.now);
  free(t.mean);
  free(step);
  free(l.corner);
  return time;
}
