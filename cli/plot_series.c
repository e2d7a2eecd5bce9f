/* The series of a picture: lines, points, areas and shapes. */
#include "plot_impl.h"

#include "base/base.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/num.h"

#include <math.h>
#include <stdlib.h>

double vd_plot_on_axis(const vd_plot_axis *a, double value) {
  if (a->log)
    value = value > 0.0 ? vd_log10(value) : NAN;
  return a->at + (value - a->from) / (a->to - a->from) * a->length;
}

static const char *class_of(enum vd_stroke s) {
  switch (s) {
  case VD_STROKE_RUN: return "run";
  case VD_STROKE_OTHER: return "other";
  case VD_STROKE_MARKS: return "marks";
  case VD_STROKE_POINTS: return "points";
  case VD_STROKE_LIMIT: return "limit";
  case VD_STROKE_AREA: return "area";
  case VD_STROKE_GUIDE: return "guide";
  case VD_STROKE_CURVE: return "curve";
  case VD_STROKE_SHAPE: return "shape";
  case VD_STROKE_AT: return "at";
  case VD_STROKE_CONES: return "cones";
  case VD_STROKE_HITS: return "hits";
  case VD_STROKE_UPPER:
  case VD_STROKE_LOWER:
  case VD_STROKE_BOX:
  case VD_STROKE_WORDS:
  case VD_STROKE_SPAN: break;
  }
  return "band";
}

typedef struct place {
  double x, y;
} place;

static place place_of(const vd_plot_axis *x, const vd_plot_axis *y, const vd_picture_series *s, size_t i) {
  place p = {vd_plot_on_axis(x, s->x[i]), vd_plot_on_axis(y, s->y[i])};
  /* coordinates far outside the picture are limited, because a renderer need not support them */
  p.x = vd_min(vd_max(p.x, -1e4), 1e4);
  p.y = vd_min(vd_max(p.y, -1e4), 1e4);
  if (!isfinite(s->x[i]) || !isfinite(s->y[i]))
    p.y = NAN;
  return p;
}

/* How exactly a line is written: a distance too small to be seen, and decimals of its points. */
typedef struct line_pen {
  double unseen;
  bool hundredths;
} line_pen;

/* Returns how exactly a series is written. An exact line keeps all its points, so that it can be read back, unless it
 * has more points than a printer resolves. */
static line_pen pen_of(const vd_picture *p, const vd_picture_series *s) {
  return p->exact ? (line_pen){s->count <= 4000 ? 0.0 : 0.02, true} : (line_pen){0.12, false};
}

/* Whether all points between `from` and `to` lie on the straight line between these two. */
static bool is_straight(const place *p, size_t from, size_t to, double unseen) {
  const double dx = p[to].x - p[from].x, dy = p[to].y - p[from].y, square = dx * dx + dy * dy;
  const double most = square > 0.0 ? unseen * unseen * square : unseen * unseen, beyond = unseen * sqrt(square);
  for (size_t i = from + 1; i < to; i++) {
    double ax = p[i].x - p[from].x, ay = p[i].y - p[from].y, along = ax * dx + ay * dy, aside = ax * dy - ay * dx;
    double off = square > 0.0 ? aside * aside : ax * ax + ay * ay;
    if (!(off < most) || along < -beyond || along > square + beyond)
      return false;
  }
  return true;
}

static void write_point(const char *before, place p, line_pen pen, vd_buf *out) {
  if (pen.hundredths) {
    vd_buf_printf(out, "%s%.2f %.2f", before, p.x, p.y);
    return;
  }
  char x[VD_NUM_MAX], y[VD_NUM_MAX];
  vd_buf_puts(out, before);
  vd_buf_add(out, x, (size_t)vd_num_print_tenths(p.x, x));
  vd_buf_puts(out, " ");
  vd_buf_add(out, y, (size_t)vd_num_print_tenths(p.y, y));
}

/* The directions of straight lines that start at the first point of a stretch and pass all further points at a distance
 * of at most `unseen'. A point whose distance from the first point exceeds `unseen' allows directions within
 * asin(unseen/distance) of its own; a nearer point allows all directions. */
typedef struct wedge {
  place low, high;        /* the outermost directions, clockwise and counterclockwise, where `narrowed' */
  double unseen, longest; /* longest: square of the greatest distance of a point */
  bool narrowed, empty;   /* empty: a point lies in none of these directions */
  bool sparse;            /* every point is to the right of the one before, and of the first by more than `unseen' */
} wedge;

static double cross(place a, place b) {
  return a.x * b.y - a.y * b.x;
}

static bool is_within(const wedge *w, place d) {
  return !w->narrowed || (!w->empty && cross(w->low, d) > 0.0 && cross(d, w->high) > 0.0);
}

static void narrow(const place *p, size_t from, size_t at, wedge *w) {
  const place d = {p[at].x - p[from].x, p[at].y - p[from].y};
  const double square = d.x * d.x + d.y * d.y, s = w->unseen, c = sqrt(vd_max(square - s * s, 0.0));
  w->sparse &= d.x > s && p[at].x > p[at - 1].x;
  w->longest = vd_max(w->longest, square);
  if (square < s * s)
    return;
  w->empty = !is_within(w, d);
  const place low = {c * d.x + s * d.y, c * d.y - s * d.x}, high = {c * d.x - s * d.y, c * d.y + s * d.x};
  w->low = !w->narrowed || cross(w->low, low) > 0.0 ? low : w->low;
  w->high = !w->narrowed || cross(high, w->high) > 0.0 ? high : w->high;
  w->narrowed = true;
}

/* greatest number of points that may be left out between two points; sparse points have no limit */
enum { DENSEST = 2000 };

/* Whether the line from `from` to `to` passes all points between as is_straight requires. All points are examined only
 * if the line turns, because the work grows with the square of the number of points. If the direction is in the wedge,
 * it suffices that no point is more than `unseen' further away than the end of the line. */
static bool goes_on(const place *p, size_t from, size_t to, const wedge *w) {
  const place d = {p[to].x - p[from].x, p[to].y - p[from].y};
  const double length = sqrt(d.x * d.x + d.y * d.y) + w->unseen;
  if (to - from >= DENSEST && !w->sparse)
    return false;
  return (is_within(w, d) && w->longest <= length * length) || is_straight(p, from, to, w->unseen);
}

/* Writes one stretch without gaps; points on straight lines are left out. */
static void write_stretch(const place *p, size_t count, line_pen pen, vd_buf *out) {
  for (size_t from = 0, at = 0; at < count; from = at) {
    wedge w = {.unseen = pen.unseen, .sparse = true};
    write_point(at > 0 ? "L" : "M", p[at], pen, out);
    if (at + 1 == count)
      break;
    at = from + 1;
    for (narrow(p, from, at, &w); at + 1 < count && goes_on(p, from, at + 1, &w); narrow(p, from, at, &w))
      at++;
  }
}

static void write_line(const vd_plot_axis *x, const vd_plot_axis *y, const vd_picture_series *s, line_pen pen,
                       vd_buf *out) {
  place *p = vd_allocate(s->count + 1, sizeof *p);
  size_t count = 0;
  for (size_t i = 0; i <= s->count; i++) {
    place one = i < s->count ? place_of(x, y, s, i) : (place){NAN, NAN};
    if (!isnan(one.x) && !isnan(one.y)) {
      p[count++] = one;
    } else {
      write_stretch(p, count, pen, out);
      count = 0;
    }
  }
  free(p);
}

/* Fills the area between an upper and a lower edge. */
static void draw_band(const vd_plot_axis *x, const vd_plot_axis *y, const vd_picture_series *upper,
                      const vd_picture_series *lower, vd_buf *out) {
  enum { POINTS = 512 };
  place p[2 * POINTS];
  size_t count = 0;
  for (size_t i = 0; i < upper->count && count < POINTS; i++) {
    p[count] = place_of(x, y, upper, i);
    count += !isnan(p[count].x) && !isnan(p[count].y);
  }
  for (size_t i = lower->count; i-- > 0 && count < 2 * POINTS;) {
    p[count] = place_of(x, y, lower, i);
    count += !isnan(p[count].x) && !isnan(p[count].y);
  }
  vd_buf_puts(out, "<path class=\"band\" d=\"");
  write_stretch(p, count, (line_pen){0.12, false}, out);
  vd_buf_puts(out, "Z\"/>\n");
}

void vd_plot_write_class(const vd_picture_series *s, vd_buf *out) {
  vd_buf_printf(out, "class=\"%s", class_of(s->stroke));
  if (s->hue > 0)
    vd_buf_printf(out, " %c%d", s->stroke == VD_STROKE_AREA ? 'a' : 'h', s->hue);
  if (s->dash > 0)
    vd_buf_printf(out, " d%d", s->dash);
  if (s->rgb)
    vd_buf_printf(out, "\" style=\"stroke:#%06x", s->rgb & 0xFFFFFFu);
  if (s->rgb && s->stroke == VD_STROKE_MARKS)
    vd_buf_printf(out, ";fill:#%06x", s->rgb & 0xFFFFFFu);
  vd_buf_puts(out, "\"");
}

static void draw_points(const vd_plot_axis *x, const vd_plot_axis *y, const vd_picture_series *s, vd_buf *out) {
  double radius = s->count > 100 ? 1.5 : 2.6;
  vd_buf_puts(out, "<path ");
  vd_plot_write_class(s, out);
  vd_buf_puts(out, " d=\"");
  for (size_t i = 0; i < s->count; i++) {
    place p = place_of(x, y, s, i);
    if (!isnan(p.x) && !isnan(p.y))
      vd_buf_printf(out, "M%.2f %.2fa%.1f %.1f 0 1 0 %.1f 0a%.1f %.1f 0 1 0 %.1f 0", p.x - radius, p.y, radius, radius,
                    2.0 * radius, radius, radius, -2.0 * radius);
  }
  vd_buf_puts(out, "\"/>\n");
}

static void draw_line(const vd_plot_axis *x, const vd_plot_axis *y, const vd_picture_series *s, line_pen pen,
                      vd_buf *out) {
  vd_buf_puts(out, "<path ");
  vd_plot_write_class(s, out);
  vd_buf_puts(out, " d=\"");
  write_line(x, y, s, pen, out);
  vd_buf_puts(out, s->stroke == VD_STROKE_AREA ? "Z\"/>\n" : "\"/>\n");
}

/* Draws vertical lines, rectangles and crosses; a span reaches from the bottom to the top. */
static void draw_shapes(const vd_plot_axis *x, const vd_plot_axis *y, const vd_picture_series *s, vd_buf *out) {
  double bottom = y->at, top = y->at + y->length;
  vd_buf_puts(out, "<path ");
  vd_plot_write_class(s, out);
  vd_buf_puts(out, " d=\"");
  if (s->stroke == VD_STROKE_SPAN || s->stroke == VD_STROKE_BOX) {
    bool box = s->stroke == VD_STROKE_BOX;
    double from = vd_plot_on_axis(x, s->x[0]), to = vd_plot_on_axis(x, s->x[1]),
           low = box ? vd_plot_on_axis(y, s->y[0]) : bottom;
    vd_buf_printf(out, "M%.1f %.1fH%.1fV%.1fH%.1fZ", from, low, to, box ? vd_plot_on_axis(y, s->y[1]) : top, from);
  }
  for (size_t i = 0; i < s->count; i++)
    if (s->stroke == VD_STROKE_AT)
      vd_buf_printf(out, "M%.2f %.1fV%.1f", vd_plot_on_axis(x, s->x[i]), bottom, top);
    else if (s->stroke == VD_STROKE_HITS)
      vd_buf_printf(out, "M%.2f %.2fl6 6m-6 0l6 -6", vd_plot_on_axis(x, s->x[i]) - 3.0,
                    vd_plot_on_axis(y, s->y[i]) - 3.0);
  vd_buf_puts(out, "\"/>\n");
}

bool vd_plot_is_filled(enum vd_stroke s) {
  return s == VD_STROKE_UPPER || s == VD_STROKE_BOX || s == VD_STROKE_SPAN || s == VD_STROKE_AREA;
}

static void draw_one(const vd_picture *p, const vd_plot_axis *x, const vd_plot_axis *y, size_t k, vd_buf *out) {
  const vd_picture_series *s = &p->series[k];
  switch (s->stroke) {
  case VD_STROKE_UPPER:
    if (k + 1 < p->count && s->count > 0)
      draw_band(x, y, s, s + 1, out);
    break;
  case VD_STROKE_RUN:
  case VD_STROKE_OTHER:
  case VD_STROKE_AREA:
  case VD_STROKE_GUIDE:
  case VD_STROKE_CURVE:
  case VD_STROKE_SHAPE:
  case VD_STROKE_LIMIT: draw_line(x, y, s, pen_of(p, s), out); break;
  case VD_STROKE_MARKS:
  case VD_STROKE_CONES:
  case VD_STROKE_POINTS: draw_points(x, y, s, out); break;
  case VD_STROKE_BOX:
  case VD_STROKE_SPAN:
  case VD_STROKE_AT:
  case VD_STROKE_HITS: draw_shapes(x, y, s, out); break;
  case VD_STROKE_WORDS: /* words are drawn above all lines */
  case VD_STROKE_LOWER: break;
  }
}

void vd_plot_series(const vd_picture *p, const vd_plot_axis *x, const vd_plot_axis *y, vd_buf *out) {
  for (int filled = 1; filled >= 0; filled--)
    for (size_t k = 0; k < p->count; k++)
      if (vd_plot_is_filled(p->series[k].stroke) == filled)
        draw_one(p, x, y, k, out);
}
