/* Draws families of curves: rows of a table with the same value in one column form one line, such as the boundary of an
 * envelope at one speed. Also draws the edges of a track beside a driven line. */
#include "pictures_impl.h"

#include "base/base.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/wheel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UNNAMED = 25 }; /* lines of a family without names, at most */

/* The points of a family in each row of a run, and the value whose line each belongs to: NAN where nothing is drawn. */
typedef struct samples {
  size_t count;
  double *x, *y, *of;
} samples;

typedef struct family {
  const vd_expression *x, *y, *of, *filter; /* filter NULL: all rows */
  const char *name;                         /* "#" stands for the value of a line */
  bool closed;
} family;

static samples evaluate(vd_building *b, size_t run, const family *f) {
  samples r = {.count = b->run[run].rows};
  r.x = vd_arena_alloc(b->arena, (r.count + 1) * sizeof *r.x);
  r.y = vd_arena_alloc(b->arena, (r.count + 1) * sizeof *r.y);
  r.of = vd_arena_alloc(b->arena, (r.count + 1) * sizeof *r.of);
  vd_evaluating e = {.b = b, .run = run};
  for (e.row = 0; e.row < r.count; e.row++) {
    e.calls = 0;
    const bool drawn = !f->filter || vd_building_value(&e, f->filter) >= 0.0;
    r.x[e.row] = vd_building_value(&e, f->x) / b->over.unit.size;
    r.y[e.row] = vd_building_value(&e, f->y) / b->unit.size;
    r.of[e.row] = drawn && isfinite(r.x[e.row]) && isfinite(r.y[e.row]) ? vd_building_value(&e, f->of) : NAN;
  }
  return r;
}

static bool is_same(double a, double b) {
  return fabs(a - b) <= 1e-9 * (1.0 + fabs(b));
}

/* Finds the different values of a family, in the order of the rows. If there are more than `most', keeps `most' of them
 * at even steps in this order. Returns their number. */
static size_t values_of(const samples *r, size_t most, double *value) {
  size_t count = 0, kept;
  for (size_t i = 0; i < r->count; i++) {
    size_t k = isnan(r->of[i]) ? 0 : count;
    while (k > 0 && !is_same(r->of[i], value[k - 1]))
      k--;
    if (k == 0 && !isnan(r->of[i]))
      value[count++] = r->of[i];
  }
  kept = count < most ? count : most;
  for (size_t k = 0; k < kept; k++)
    value[k] = value[kept > 1 ? k * (count - 1) / (kept - 1) : 0];
  return kept;
}

/* Adds the rows of one value to a line, and a gap behind them. Returns the new number of points. */
static size_t add_rows(const samples *r, double value, bool closed, double *x, double *y, size_t n) {
  const size_t first = n;
  for (size_t i = 0; i < r->count; i++)
    if (is_same(r->of[i], value)) {
      x[n] = r->x[i];
      y[n++] = r->y[i];
    }
  if (n == first)
    return n;
  if (closed) {
    x[n] = x[first];
    y[n++] = y[first];
  }
  x[n] = y[n] = NAN;
  return n + 1;
}

/* Draws `count' values of each run as one member of the panel. */
static void put_member(vd_building *b, const samples *r, const family *f, const double *value, size_t count,
                       const char *name) {
  for (size_t l = 0; l < b->runs; l++) {
    const size_t room = r[l].count + 2 * count + 1;
    double *x = vd_allocate(room, sizeof *x), *y = vd_allocate(room, sizeof *y);
    size_t n = 0;
    for (size_t k = 0; k < count; k++)
      n = add_rows(&r[l], value[k], f->closed, x, y, n);
    if (n == 0) {
      free(x);
      free(y);
      continue;
    }
    b->first[l] = b->first[l] == SIZE_MAX ? b->panel->picture.count : b->first[l];
    vd_picture_series *s = vd_building_put(b, VD_STROKE_RUN, name, l, x, y, n - 1);
    s->hue = (int)b->members;
    s->dash = (int)l;
    b->any = true;
    b->moves |= vd_building_moves(x, n) || vd_building_moves(y, n);
  }
  b->members++;
}

/* Returns the name of a line, in which the value, in the unit of its column, replaces the #. */
static const char *name_of(const vd_building *b, const char *name, const vd_shown_unit *unit, double value) {
  const bool none = strcmp(unit->name, "1") == 0, degrees = strcmp(unit->name, "deg") == 0;
  const char *sign = strchr(name, '#');
  const double shown = fabs(value) > 1e-9 ? value / unit->size : 0.0;
  const char *after = none ? "" : degrees ? "°" : vd_arena_printf(b->arena, " %s", unit->name);
  return vd_arena_printf(b->arena, "%.*s%s%.3g%s%s", (int)(sign - name), name, shown < 0.0 ? "−" : "", fabs(shown),
                         after, sign + 1);
}

size_t vd_building_each(vd_building *b, const vd_picture_line *l, vd_each each[VD_NAMED]) {
  samples r = {0};
  for (size_t i = 0; i < b->runs; i++)
    r.count += b->run[i].rows;
  r.of = vd_arena_alloc(b->arena, (r.count + 1) * sizeof *r.of);
  r.count = 0;
  for (size_t i = 0; i < b->runs; i++) {
    const double *column = vd_shown_values(&b->run[i], l->part[1]);
    for (size_t row = 0; column && row < b->run[i].rows; row++)
      r.of[r.count++] = column[row];
  }
  double *value = vd_arena_alloc(b->arena, (r.count + 1) * sizeof *value);
  const size_t count = values_of(&r, VD_NAMED, value);
  vd_shown_unit unit = {NULL, 1.0};
  vd_building_set_unit(b, vd_building_parse(b, l->part[1]), &unit);
  for (size_t k = 0; k < count; k++) {
    each[k].filter = vd_arena_printf(b->arena, "1e-9 - abs(%s - (%.17g))", l->part[1], value[k]);
    each[k].name = count > 1 ? name_of(b, l->part[2], &unit, value[k]) : "";
  }
  return count;
}

/* Writes a text for each value at its first row, unless a text already stands there. */
static void put_words(vd_building *b, const samples *r, const family *f, const vd_shown_unit *unit, const double *value,
                      size_t count) {
  for (size_t k = 0; k < count; k++) {
    size_t i = 0;
    while (!is_same(r->of[i], value[k]))
      i++;
    bool taken = false;
    const vd_picture *p = &b->panel->picture;
    for (const vd_picture_series *s = p->series; s < p->series + p->count; s++)
      taken |= s->stroke == VD_STROKE_WORDS && fabs(s->x[0] - r->x[i]) + fabs(s->y[0] - r->y[i]) < 1e-6;
    if (taken)
      continue;
    double *x = vd_allocate(1, sizeof *x), *y = vd_allocate(1, sizeof *y);
    *x = r->x[i];
    *y = r->y[i];
    vd_building_put(b, VD_STROKE_WORDS, name_of(b, f->name, unit, value[k]), 0, x, y, 1)->hue = 0;
  }
}

/* Adds a family of lines, or texts at their first rows. text: the expressions of x, y, value and filter. */
static void add_family(vd_building *b, const char *const text[4], const char *name, const char *words) {
  const vd_expression *e[4] = {NULL};
  vd_shown_unit unit = {NULL, 1.0};
  for (size_t i = 0; i < VD_COUNT(e); i++)
    if (!vd_building_knows(b, text[i]))
      return;
    else if (*text[i])
      e[i] = vd_building_parse(b, text[i]);
  const family f = {e[0], e[1], e[2], e[3], name, strcmp(words, "closed") == 0};
  const bool named = strchr(name, '#') != NULL;
  vd_building_set_unit(b, f.y, &b->unit);
  vd_building_set_unit(b, f.x, &b->over.unit);
  vd_building_set_unit(b, f.of, &unit);
  samples *r = vd_arena_alloc(b->arena, b->runs * sizeof *r);
  for (size_t i = 0; i < b->runs; i++)
    r[i] = evaluate(b, i, &f);
  size_t count = 0;
  double *value = NULL;
  for (size_t i = 0; i < b->runs && count == 0; i++) { /* the values of the first run that has any */
    value = vd_arena_alloc(b->arena, (r[i].count + 1) * sizeof *value);
    count = values_of(&r[i], named ? VD_NAMED : UNNAMED, value);
  }
  if (strcmp(words, "words") == 0)
    put_words(b, &r[0], &f, &unit, value, count);
  else if (named)
    for (size_t k = 0; k < count; k++)
      put_member(b, r, &f, &value[k], 1, name_of(b, f.name, &unit, value[k]));
  else if (count > 0)
    put_member(b, r, &f, value, count, f.name);
}

void vd_building_family(vd_building *b, const vd_picture_line *l) {
  const char *const text[] = {b->over.text, l->part[1], l->part[2], b->over.filter};
  const bool wheels = strchr(text[1], '@') != NULL;
  for (int w = 0; w < (wheels ? VD_WHEELS : 1); w++) {
    const char *one[VD_COUNT(text)];
    for (size_t i = 0; i < VD_COUNT(text); i++)
      one[i] = vd_building_of_wheel(b, text[i], w);
    add_family(b, one, wheels ? vd_wheel_words[w] : l->part[3], l->part[4]);
  }
}

void vd_building_words(vd_building *b, const vd_picture_line *l) {
  const char *only =
      *b->over.filter ? vd_arena_printf(b->arena, "min(%s, %s)", b->over.filter, l->part[4]) : l->part[4];
  const char *const text[] = {b->over.text, l->part[1], l->part[2], only};
  if (b->runs == 1 && !b->how->plain)
    add_family(b, text, l->part[3], "words");
}

/* Sets out[2 i], out[2 i + 1] to the point at the distance aside[i] to the left of the line in row i, at right angles
 * to the direction of the points `track'. */
static void beside(const double *x, const double *y, const double *aside, const double *track, size_t rows,
                   double *out) {
  for (size_t i = 0; i < rows; i++) {
    const size_t from = i > 0 ? i - 1 : 0, to = i + 1 < rows ? i + 1 : i;
    const double dx = track[2 * to] - track[2 * from], dy = track[2 * to + 1] - track[2 * from + 1];
    const double share = aside[i] / vd_hypot(dx, dy);
    out[2 * i] = x[i] - share * dy;
    out[2 * i + 1] = y[i] + share * dx;
  }
}

/* Draws the edges of the track. left_m and right_m are their distances from the line of the run, measured at right
 * angles to the middle line of the track. The middle line is found by iteration: each step multiplies the error by the
 * sine of the angle between line and middle line, times half width divided by radius. */
void vd_building_edges(vd_building *b, size_t run, const char *name) {
  const vd_shown_run *r = &b->run[run];
  const double *x = vd_shown_values(r, "x_m"), *y = vd_shown_values(r, "y_m");
  const double *left = vd_shown_values(r, "left_m"), *right = vd_shown_values(r, "right_m");
  const size_t rows = r->rows;
  if (!x || !y || !left || !right || rows < 2 || !isfinite(left[0] + right[0]))
    return;
  double *aside = vd_arena_alloc(b->arena, rows * sizeof *aside),
         *was = vd_arena_alloc(b->arena, 2 * rows * sizeof *was);
  double *now = vd_arena_alloc(b->arena, 2 * rows * sizeof *now);
  double *px = vd_allocate(2 * rows + 1, sizeof *px), *py = vd_allocate(2 * rows + 1, sizeof *py);
  for (size_t i = 0; i < rows; i++) {
    was[2 * i] = x[i];
    was[2 * i + 1] = y[i];
    aside[i] = 0.5 * (left[i] - right[i]);
  }
  for (int k = 0; k < 5; k++) {
    beside(x, y, aside, was, rows, now);
    memcpy(was, now, 2 * rows * sizeof *was);
  }
  for (size_t k = 0; k < 2; k++) {
    for (size_t i = 0; i < rows; i++)
      aside[i] = k == 0 ? left[i] : -right[i];
    beside(x, y, aside, was, rows, now);
    for (size_t i = 0; i < rows; i++) {
      px[k * (rows + 1) + i] = now[2 * i] / b->over.unit.size;
      py[k * (rows + 1) + i] = now[2 * i + 1] / b->unit.size;
    }
  }
  px[rows] = py[rows] = NAN;
  vd_building_put(b, VD_STROKE_SHAPE, run == 0 ? name : "", run, px, py, 2 * rows + 1)->hue = 0;
}
