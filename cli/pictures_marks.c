/* Draws what pictures mark beside the lines of the runs: instants, levels, slopes, courses with their cones, cars,
 * curves of tyres. */
#include "pictures_impl.h"

#include "base/base.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/wheel.h"
#include "math/sweep.h"
#include "run/rig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double *copy(const double *value, size_t count) {
  double *kept = vd_allocate(count + 1, sizeof *kept);
  memcpy(kept, value, count * sizeof *kept);
  return kept;
}

static vd_picture_series *put(vd_building *b, enum vd_stroke stroke, const char *name, size_t run, const double *x,
                              const double *y, size_t count) {
  return vd_building_put(b, stroke, name, run, copy(x, count), copy(y, count), count);
}

/* Returns the first line of a run in the panel; NULL: it has none. */
static const vd_picture_series *first_line(const vd_building *b, size_t run) {
  return b->first[run] == SIZE_MAX ? NULL : &b->panel->picture.series[b->first[run]];
}

/* Returns the text of a mark. If there is one run, the text contains its values; else it has no values, and is written
 * only once. NULL: a value is missing. */
static const char *text_of(const vd_building *b, size_t run, const char *text) {
  if (b->runs == 1)
    return vd_building_filled(b, run, text);
  size_t length = strcspn(text, "{");
  if (run > 0)
    return "";
  if (text[length])
    while (length > 0 && (strchr(" :,", text[length - 1]) || (length > 2 && strncmp(text + length - 3, " at", 3) == 0)))
      length -= strchr(" :,", text[length - 1]) ? 1 : 2;
  return vd_arena_copy(b->arena, text, length);
}

/* Returns the y of a line at x; x grows along the line. */
static double on_line(const vd_picture_series *s, double x) {
  for (size_t i = 0; s && i + 1 < s->count; i++)
    if (s->x[i] <= x && s->x[i + 1] >= x) {
      double width = s->x[i + 1] - s->x[i];
      return s->y[i] + (width > 0.0 ? (x - s->x[i]) / width : 0.0) * (s->y[i + 1] - s->y[i]);
    }
  return NAN;
}

static void put_level(vd_building *b, size_t run, double y, const char *text) {
  const vd_picture_series *s = first_line(b, run);
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; s && i < s->count; i++) {
    low = fmin(low, s->x[i]);
    high = fmax(high, s->x[i]);
  }
  put(b, VD_STROKE_GUIDE, text, run, (double[]){low, high}, (double[]){y, y}, 2);
}

static void put_at(vd_building *b, size_t run, double x, const char *text) {
  put(b, VD_STROKE_AT, text, run, &x, &(double){0.0}, 1)->dash = 2 + b->ats++ % 4;
}

static void put_circle(vd_building *b, double radius, const char *text) {
  enum { POINTS = 181 };
  double x[POINTS], y[POINTS];
  for (int i = 0; i < POINTS; i++) {
    x[i] = radius * vd_cos(i * VD_PI / 90.0);
    y[i] = radius * vd_sin(i * VD_PI / 90.0);
  }
  put(b, VD_STROKE_GUIDE, text, 0, x, y, POINTS);
}

/* Draws a slope: a line through the mean of the points from `from' to `to'. It is extended on each side by half its
 * length, to show how the curve departs from it. */
static void put_slope(vd_building *b, size_t run, double slope, double from, double to, const char *text) {
  const vd_picture_series *s = first_line(b, run);
  double n = 0.0, mx = 0.0, my = 0.0, more = 0.5 * (to - from);
  for (size_t i = 0; s && i < s->count; i++)
    if (s->x[i] >= from && s->x[i] <= to && isfinite(s->y[i])) {
      n += 1.0;
      mx += s->x[i];
      my += s->y[i];
    }
  if (!(n > 0.0))
    return;
  mx /= n;
  my /= n;
  if (*text)
    text = vd_arena_printf(b->arena, "%s %.3g %s/%s", text, slope, b->unit.name, b->over.unit.name);
  const double x[] = {from - more, to + more}, y[] = {my + slope * (x[0] - mx), my + slope * (x[1] - mx)};
  put(b, VD_STROKE_GUIDE, text, run, x, y, 2);
}

/* --- courses and cars --- */

/* Pose of the body in one row: heading, and position of the centre of gravity, in axes of the course or of the
 * world. */
typedef struct stand {
  double x, y, yaw;
} stand;

/* Returns the pose of the body of a run in each row, in axes of the course or of the world; NULL: unknown. */
static const stand *stands_of(const vd_shown_run *r, bool of_course, vd_arena *arena) {
  const double *x = vd_shown_values(r, "x_m"), *y = vd_shown_values(r, "y_m"), *yaw = vd_shown_values(r, "yaw_rad");
  if (!x || !y || !yaw || !(r->width > 0.0))
    return NULL;
  const stand o =
      of_course ? (stand){r->path->origin_x, r->path->origin_y, r->path->origin_yaw} : (stand){0.0, 0.0, 0.0};
  const double c = vd_cos(o.yaw), d = vd_sin(o.yaw);
  stand *s = vd_arena_alloc(arena, r->rows * sizeof *s);
  for (size_t i = 0; i < r->rows; i++) {
    const double along = x[i] - o.x, across = y[i] - o.y;
    s[i] = (stand){c * along + d * across, c * across - d * along, yaw[i] - o.yaw};
  }
  return s;
}

/* Draws outlines of the car at even distances, with a nose; on a course only at x from `from' to `to'. */
static void put_cars(vd_building *b, size_t number_of_run, const stand *at, bool of_course, double from, double to,
                     int number) {
  const vd_shown_run *run = &b->run[number_of_run];
  const double a = run->ahead, z = -run->behind, w = 0.5 * run->width;
  const double shape[][2] = {{a, w}, {z, w}, {z, -w}, {a, -w}, {a, w}, {a - 0.6, 0.0}, {a, -w}};
  double way = 0.0, x[16 * 8], y[16 * 8];
  size_t n = 0;
  for (size_t r = 1; r < run->rows; r++)
    way += sqrt((at[r].x - at[r - 1].x) * (at[r].x - at[r - 1].x) + (at[r].y - at[r - 1].y) * (at[r].y - at[r - 1].y));
  const double step = fmax((of_course ? to - from : way) / number, 1.2 * (a - z));
  way = step;
  stand last = at[0];
  for (size_t r = 0; r < run->rows && n + 8 <= VD_COUNT(x); r++) {
    const stand s = at[r];
    bool outside = of_course && (s.x + z < from || s.x + a > to);
    way += outside ? 0.0 : sqrt((s.x - last.x) * (s.x - last.x) + (s.y - last.y) * (s.y - last.y));
    last = s;
    if (outside || way < step)
      continue;
    way -= step;
    const double c = vd_cos(s.yaw), d = vd_sin(s.yaw);
    for (size_t i = 0; i < VD_COUNT(shape); i++, n++) {
      x[n] = s.x + c * shape[i][0] - d * shape[i][1];
      y[n] = s.y + d * shape[i][0] + c * shape[i][1];
    }
    x[n] = y[n] = NAN;
    n++;
  }
  if (n > 0) {
    vd_picture_series *s = put(b, VD_STROKE_SHAPE, number_of_run == 0 ? "car" : "", number_of_run, x, y, n);
    s->hue = b->runs > 1 ? s->hue : 0;
  }
}

static void in_body(const stand *at, const vd_cone *cone, double out[2]) {
  const double c = vd_cos(at->yaw), d = vd_sin(at->yaw), dx = cone->x - at->x, dy = cone->y - at->y;
  out[0] = c * dx + d * dy;
  out[1] = c * dy - d * dx;
}

/* Returns the least distance between a cone and the body as it moves from row to row, m; -1: they touch. Skips rows
 * in which the centre of gravity is so far from the cone that the body cannot be nearest there. */
static double distance_to(const vd_shown_run *r, const stand *at, const vd_cone *cone) {
  const vd_rectangle body = {r->ahead, r->behind, 0.5 * r->width};
  const double reach = r->path->cone_radius + r->ahead + r->behind + r->width;
  double share, least = INFINITY, nearest = INFINITY;
  for (size_t i = 0; i < r->rows; i++)
    nearest = fmin(nearest, vd_hypot(cone->x - at[i].x, cone->y - at[i].y));
  for (size_t i = 1; i < r->rows; i++) {
    const double way = vd_hypot(at[i].x - at[i - 1].x, at[i].y - at[i - 1].y);
    double before[2], now[2];
    if (vd_hypot(cone->x - at[i].x, cone->y - at[i].y) > nearest + reach + way)
      continue;
    in_body(&at[i - 1], cone, before);
    in_body(&at[i], cone, now);
    if (vd_sweep_hit(&body, r->path->cone_radius, before, now, &share))
      return -1.0;
    least = fmin(least, vd_sweep_distance(&body, r->path->cone_radius, before, now));
  }
  return least;
}

/* Finds the cones that a run hits. The metrics, which use every step, give the number of hits at each gate; the cones
 * hit are those to which the body comes nearest. Without metrics a cone is hit if the body touches it between two
 * logged rows. */
static void find_hits(const vd_shown_run *r, const stand *at, const vd_cone *cone, size_t cones, bool *hit) {
  static double distance[VD_PATH_CONES];
  for (size_t i = 0; i < cones; i++)
    distance[i] = distance_to(r, at, &cone[i]);
  for (size_t i = 0; i < cones; i++) {
    char name[40];
    size_t nearer = 0;
    snprintf(name, sizeof name, "gate_%d_cone_hits", (int)cone[i].gate + 1);
    const double known = vd_shown_fact(r, name);
    for (size_t k = 0; k < cones; k++)
      nearer += cone[k].gate == cone[i].gate && (distance[k] < distance[i] || (distance[k] == distance[i] && k < i));
    hit[i] = isnan(known) ? distance[i] < 0.0 : (double)nearer < known;
  }
}

/* Draws the course of the first run, and the cars and hits of every run on it. */
static void put_course(vd_building *b) {
  static vd_cone cone[VD_PATH_CONES];
  static bool hit[VD_PATH_CONES], any[VD_PATH_CONES];
  const vd_shown_run *r = &b->run[0];
  double x[2][VD_PATH_CONES], y[2][VD_PATH_CONES];
  if (!r->path || r->path->gates == 0 || !stands_of(r, true, b->arena))
    return;
  for (size_t i = 0; i < r->path->gates; i++) {
    const vd_gate *g = &r->path->gate[i];
    put(b, VD_STROKE_BOX, i == 0 ? "gates" : "", 0, (double[]){g->from, g->to},
        (double[]){g->centre - 0.5 * g->width, g->centre + 0.5 * g->width}, 2)
        ->hue = 0;
  }
  const size_t count = vd_path_cones(r->path, cone);
  memset(any, 0, sizeof any);
  for (size_t l = 0; l < b->runs; l++) {
    const stand *at = b->run[l].path ? stands_of(&b->run[l], true, b->arena) : NULL;
    if (!at)
      continue;
    find_hits(&b->run[l], at, cone, count, hit);
    for (size_t i = 0; i < count; i++)
      any[i] |= hit[i];
    put_cars(b, l, at, true, vd_shown_fact(r, "course_from") - 10.0, vd_shown_fact(r, "course_to") + 10.0, 10);
  }
  size_t n[2] = {0, 0};
  for (size_t i = 0; i < count; i++) {
    x[any[i]][n[any[i]]] = cone[i].x;
    y[any[i]][n[any[i]]++] = cone[i].y;
  }
  const char *hits = b->runs > 1 ? "cones that a run hits" : "cones hit";
  for (int k = 0; k < 2; k++)
    if (n[k] > 0)
      put(b, k ? VD_STROKE_HITS : VD_STROKE_CONES, k ? hits : "cones", 0, x[k], y[k], n[k])->hue = 0;
}

/* --- curves of tyres --- */

typedef struct sweep {
  double *x, *y, load;
  size_t count, room;
  double x_size, y_size;
} sweep;

static void take_point(void *context, const double *value) {
  sweep *s = context;
  size_t columns;
  const vd_channel *table = vd_rig_columns(&columns);
  double fz = NAN, alpha = NAN, fy = NAN;
  for (size_t i = 0; i < columns; i++)
    *(strcmp(table[i].name, "fz_N") == 0        ? &fz
      : strcmp(table[i].name, "alpha_rad") == 0 ? &alpha
      : strcmp(table[i].name, "fy_N") == 0      ? &fy
                                                : &(double){0.0}) = value[i];
  if (s->count > 0 && fz != s->load && s->count < s->room) {
    s->x[s->count] = s->y[s->count] = NAN;
    s->count++;
  }
  s->load = fz;
  if (s->count < s->room) {
    s->x[s->count] = alpha / s->x_size;
    s->y[s->count++] = fy / s->y_size;
  }
}

/* Draws the side force over the slip angle of an axle's tyre at the least and the greatest load of the run. */
static void put_curves(vd_building *b, const char *axle) {
  enum { POINTS = 81 };
  const vd_shown_run *r = &b->run[0];
  const vd_node *vehicle = vd_tree_get(r->resolved, "vehicle"), *tyre = vd_tree_get(vd_tree_get(vehicle, axle), "tyre");
  double low = INFINITY, high = -INFINITY, limit = 0.0;
  char name[32];
  for (int w = 0; w < VD_WHEELS; w++) {
    snprintf(name, sizeof name, "fz_%s_N", vd_wheel_names[w]);
    const double *load = vd_shown_values(r, name);
    snprintf(name, sizeof name, "alpha_%s_rad", vd_wheel_names[w]);
    const double *angle = vd_shown_values(r, name);
    for (size_t i = 0; load && angle && vd_is_front(w) == (*axle == 'f') && i < r->rows; i++)
      if (load[i] > 100.0) {
        low = fmin(low, load[i]);
        high = fmax(high, load[i]);
        limit = fmax(limit, fabs(angle[i]));
      }
  }
  if (!tyre || !(high >= low) || !(limit > 0.0))
    return;
  vd_buf text = {0};
  vd_buf_puts(&text, "kind: tyre_rig\ntyre: ");
  vd_tree_write(tyre, &text);
  vd_buf_printf(&text, "\nload: [%.17g, %.17g]\nslip_angles: {from: %.17g, to: %.17g, points: %d}\n", low, high,
                -1.05 * limit, 1.05 * limit, POINTS);
  vd_diag *d = vd_diag_create();
  static vd_rig_def def;
  int source = vd_diag_add_source(d, "tyre", text.text, text.length);
  if (vd_rig_read_source(source, NULL, 0, b->arena, d, &def)) {
    enum { ROOM = 2 * POINTS + 2 };
    double x[ROOM], y[ROOM];
    sweep s = {.x = x, .y = y, .room = ROOM, .x_size = b->over.unit.size, .y_size = b->unit.size};
    const vd_run_options options = {.values = take_point, .row_context = &s};
    vd_run_report report;
    vd_rig_run(&def, &options, NULL, &report);
    put(b, VD_STROKE_CURVE, vd_arena_printf(b->arena, "tyre at %.3g and %.3g kN", 1e-3 * low, 1e-3 * high), 0, x, y,
        s.count)
        ->hue = 0;
  }
  vd_diag_destroy(d);
  vd_buf_finish(&text);
}

/* --- the lines of the table --- */

static void put_mark(vd_building *b, size_t run, const vd_picture_line *l) {
  const char *what = l->part[0];
  const double fx = b->over.unit.size, fy = b->unit.size, a = vd_building_constant(b, run, l->part[1]);
  bool two = strcmp(what, "band") == 0 || strcmp(what, "mark") == 0;
  const char *text = text_of(b, run, l->part[strcmp(what, "slope") == 0 ? 4 : two ? 3 : 2]);
  if (isnan(a) || !text)
    return;
  if (strcmp(what, "level") == 0) {
    put_level(b, run, a / fy, text);
  } else if (strcmp(what, "at") == 0) {
    put_at(b, run, a / fx, text);
  } else if (strcmp(what, "band") == 0) {
    const double to = vd_building_constant(b, run, l->part[2]);
    if (isfinite(to) && run == 0)
      put(b, VD_STROKE_SPAN, text, 0, (double[]){a / fx, to / fx}, (double[]){0.0, 0.0}, 2)->hue = 0;
  } else if (strcmp(what, "mark") == 0) {
    double y = *l->part[2] ? vd_building_constant(b, run, l->part[2]) / fy : on_line(first_line(b, run), a / fx);
    if (isfinite(y))
      put(b, VD_STROKE_MARKS, text, run, &(double){a / fx}, &y, 1);
  } else {
    put_slope(b, run, a * fx / fy, vd_building_constant(b, run, l->part[2]) / fx,
              vd_building_constant(b, run, l->part[3]) / fx, text);
  }
}

void vd_building_mark(vd_building *b, const vd_picture_line *l) {
  const char *what = l->part[0];
  if (strcmp(what, "course") == 0) {
    put_course(b);
  } else if (strcmp(what, "cars") == 0) {
    for (size_t i = 0; i < b->runs; i++) {
      const stand *at = stands_of(&b->run[i], false, b->arena);
      if (at)
        put_cars(b, i, at, false, 0.0, 0.0, 12);
    }
  } else if (strcmp(what, "edges") == 0) {
    for (size_t i = 0; i < b->runs; i++)
      vd_building_edges(b, i, l->part[1]);
  } else if (strcmp(what, "words") == 0) {
    vd_building_words(b, l);
  } else if (strcmp(what, "curves") == 0) {
    put_curves(b, l->part[1]);
  } else if (strcmp(what, "circle") == 0) {
    put_circle(b, vd_building_constant(b, 0, l->part[1]) / b->over.unit.size, l->part[2]);
  } else {
    for (size_t i = 0; i < b->runs && !b->how->plain; i++)
      put_mark(b, i, l);
  }
}

/* --- over time --- */

static double number_in(const vd_node *event, const char *key) {
  const vd_node *n = vd_tree_get(event, key);
  return n && n->text ? strtod(n->text, NULL) : NAN;
}

/* Returns the instant of an event: its time, or the row in which its channel passes the level; NAN: unknown. */
static double instant_of(const vd_shown_run *run, const vd_node *event) {
  const vd_node *when = vd_tree_get(event, "when"), *channel = vd_tree_get(event, "channel"),
                *in_turn = vd_tree_get(event, "in_turn");
  if (!when || !when->text || (in_turn && in_turn->text && strcmp(in_turn->text, "true") == 0) ||
      strncmp(when->text, "rate_", 5) == 0)
    return NAN;
  if (strcmp(when->text, "time") == 0)
    return number_in(event, "time");
  const bool distance = strcmp(when->text, "distance") == 0, below = strcmp(when->text, "below") == 0;
  const double *v = vd_shown_values(run, distance ? "distance_m" : channel && channel->text ? channel->text : "");
  const double *t = vd_shown_values(run, "t_s"), level = number_in(event, distance ? "distance" : "level");
  for (size_t r = 1; v && t && r < run->rows; r++)
    if (below ? v[r - 1] >= level && v[r] < level : v[r - 1] < level && v[r] >= level)
      return t[r - 1] + (level - v[r - 1]) / (v[r] - v[r - 1]) * (t[r] - t[r - 1]);
  return NAN;
}

void vd_building_instants(vd_building *b, bool named) {
  size_t count;
  const vd_picture_line *l = vd_picture_table(&count);
  const double *t = vd_shown_values(b->run, "t_s"), size = b->over.unit.size;
  const vd_node *events = vd_tree_get(b->run->resolved, "events");
  for (const vd_picture_line *last = l + count; l < last; l++) {
    bool window = strcmp(l->part[0], "window") == 0 && vd_shown_has_set(b->run, l->part[1]);
    double a = window                               ? vd_building_constant(b, 0, l->part[2])
               : strcmp(l->part[0], "instant") == 0 ? vd_shown_fact(b->run, l->part[1])
                                                    : NAN;
    double to = window ? vd_building_constant(b, 0, l->part[3]) : a;
    if (!isfinite(a) || !isfinite(to) || to < t[0] || a > t[b->run->rows - 1])
      continue;
    if (window)
      put(b, VD_STROKE_SPAN, named ? l->part[4] : "", 0, (double[]){a / size, to / size}, (double[]){0.0, 0.0}, 2);
    else
      put_at(b, 0, a / size, named ? vd_arena_printf(b->arena, "%s at %.3g s", l->part[2], a) : "");
  }
  for (const vd_node *e = events ? events->child : NULL; e; e = e->next) {
    double a = instant_of(b->run, e);
    if (isfinite(a))
      put_at(b, 0, a / size, named ? vd_arena_printf(b->arena, "event at %.3g s", a) : "");
  }
}
