/* Pictures of findings: axes, legend, lines, points, tolerances. Lengths are in units of the SVG view box, which are
 * pixels when a picture is shown at its original size. */
#include "plot_impl.h"

#include "base/base.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/num.h"
#include "html.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  WIDTH = 380,
  BROAD = 800,
  LEFT = 52,
  RIGHT = 12,
  INNER_HEIGHT = 150,
  BROAD_HEIGHT = 210,
  BELOW = VD_PLOT_FOOT,
  LINE_HEIGHT = 14,
  TITLE = 17,
  TITLE_SIZE = 12,
  TEXT_SIZE = 11
};

/* The area in which the series are drawn. */
typedef struct frame {
  double left, top, width, height;
} frame;

/* --- widths of texts --- */

/* least size of the letters of a long title, as a share of TITLE_SIZE */
static const double LEAST_TITLE = 0.75;

/* Returns an upper bound of the width of a text in multiples of its size, in the fonts that pages have. */
static double width_of(const char *text) {
  double sum = 0.0;
  for (const char *c = text; *c; c++)
    if (((unsigned char)*c & 0xC0u) != 0x80u)
      sum += strchr("ijlI.,:;|'! ", *c)           ? 0.36
             : strchr("ftr()[]/-", *c)            ? 0.44
             : strchr("mwMWQ%@#+<>=~&OGDHNU", *c) ? 1.02
             : strchr("ABCEFKLPRSTVXYZ", *c)      ? 0.74
                                                  : 0.66;
  return sum;
}

size_t vd_plot_fitting(const char *text, double width) {
  size_t n = strlen(text);
  char start[256];
  for (n = n < sizeof start ? n : sizeof start - 1;; n--) {
    if (n > 0 && ((unsigned char)text[n] & 0xC0u) == 0x80u)
      continue; /* does not cut inside a UTF-8 character */
    snprintf(start, sizeof start, "%.*s", (int)n, text);
    if (n == 0 || width_of(start) <= width - (text[n] ? 1.0 : 0.0))
      return n;
  }
}

/* Writes as much of a text as fits, and dots for the rest. */
static void write_cut(const char *text, double size, double width, vd_buf *out) {
  char start[256];
  size_t n = vd_plot_fitting(text, width / size);
  snprintf(start, sizeof start, "%.*s%s", (int)n, text, text[n] ? "…" : "");
  vd_html_text(out, start);
}

/* --- ranges --- */

typedef struct range {
  double least, most;
} range;

static void widen(range *r, double value, bool log) {
  if (!isfinite(value) || (log && !(value > 0.0)))
    return;
  r->least = vd_min(r->least, log ? vd_log10(value) : value);
  r->most = vd_max(r->most, log ? vd_log10(value) : value);
}

static bool is_edge(enum vd_stroke s) {
  return s == VD_STROKE_LIMIT || s == VD_STROKE_UPPER || s == VD_STROKE_LOWER;
}

static range range_of(const vd_picture *p, bool edges, bool along) {
  range r = {INFINITY, -INFINITY};
  for (size_t k = 0; k < p->count; k++) {
    const vd_picture_series *s = &p->series[k];
    if (s->stroke == VD_STROKE_AT || s->stroke == VD_STROKE_SPAN)
      continue;
    for (size_t i = 0; i < s->count && (edges || !is_edge(s->stroke)); i++)
      if (isfinite(s->x[i]) && isfinite(s->y[i]))
        widen(&r, along ? s->x[i] : s->y[i], along ? p->log_x : p->log_y);
  }
  return r;
}

static void apply(const vd_picture_limits *l, vd_plot_axis *a) {
  double least = a->log && l->has_from ? vd_log10(l->from) : l->from,
         most = a->log && l->has_to ? vd_log10(l->to) : l->to;
  a->from = l->has_from ? least : a->from;
  a->to = l->has_to ? most : a->to;
}

/* Makes the vertical axis. Its range is that of the compared values. Limits and tolerances widen the range, on each
 * side by at most the span of the compared values. */
static vd_plot_axis vertical_axis(const vd_picture *p) {
  range data = range_of(p, false, false), all = range_of(p, true, false);
  if (!(data.most >= data.least))
    data = all.most >= all.least ? all : (range){0.0, 1.0};
  double span = data.most - data.least, size = vd_max(fabs(data.least), fabs(data.most));
  if (span > 1e-4 * size && !p->whole) {
    all.least = vd_max(all.least, data.least - span);
    all.most = vd_min(all.most, data.most + span);
  }
  double least = vd_min(all.least, data.least), most = vd_max(all.most, data.most), margin = 0.06 * (most - least);
  double enough = p->log_y ? 0.1 : vd_max(1e-4 * vd_max(fabs(least), fabs(most)), 0.0);
  if (!(most - least > enough))
    margin = 0.5 * (enough > 0.0 ? enough : 1.0);
  margin = vd_max(margin, 0.5 * (p->least - (most - least)));
  vd_plot_axis a = {.from = least - margin, .to = most + margin, .log = p->log_y, .words = p->y_words};
  apply(&p->y_limits, &a);
  return a;
}

static vd_plot_axis horizontal_axis(const vd_picture *p) {
  range r = range_of(p, true, true);
  if (!(r.most >= r.least))
    r = (range){0.0, 1.0};
  double margin = p->log_x || p->equal ? 0.03 * (r.most - r.least) : 0.0;
  if (!(r.most - r.least > 1e-9 * vd_max(fabs(r.least), fabs(r.most))))
    margin = p->log_x ? 0.5 : r.most != 0.0 ? 0.5 * fabs(r.most) : 0.5;
  bool points = false;
  for (size_t k = 0; k < p->count; k++)
    points |= p->series[k].stroke == VD_STROKE_POINTS || p->series[k].stroke == VD_STROKE_MARKS;
  if (points && margin == 0.0) /* the margin keeps the frame from cutting points */
    margin = 0.02 * (r.most - r.least);
  vd_plot_axis a = {.from = r.least - margin, .to = r.most + margin, .log = p->log_x, .words = p->x_words};
  apply(&p->x_limits, &a);
  return a;
}

/* --- ticks --- */

enum { TICKS = 24 };

typedef struct ticks {
  double at[TICKS];
  int count, decimals;
} ticks;

/* Places ticks at multiples of 1, 2 or 5 times a power of ten, in at most `most` intervals. */
static ticks even_ticks(vd_plot_axis *a, int most) {
  double raw = (a->to - a->from) / most, power = vd_pow(10.0, floor(vd_log10(raw)));
  double step = raw <= power * (1.0 + 1e-9) ? power
                : raw <= 2.0 * power        ? 2.0 * power
                : raw <= 5.0 * power        ? 5.0 * power
                                            : 10.0 * power;
  ticks t = {.count = 0};
  double size = vd_max(fabs(a->from), fabs(a->to));
  if (size >= 1e4 || size < 0.02)
    a->exponent = 3 * (int)floor(vd_log10(size) / 3.0 + 1e-9);
  int digit = (int)floor(vd_log10(step) + 1e-9) - a->exponent;
  t.decimals = digit < 0 ? -digit : 0;
  for (double k = ceil(a->from / step - 1e-9); k * step <= a->to + 1e-9 * step && t.count < TICKS; k += 1.0)
    t.at[t.count++] = k * step;
  return t;
}

/* Places ticks at powers of ten, on a long axis only at every third; on a short axis also at 2 and 5 times, or at 2 to
 * 8 times, a power of ten. */
static ticks log_ticks(const vd_plot_axis *a) {
  static const double some[] = {1.0, 2.0, 5.0}, all[] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0};
  ticks t = {.count = 0};
  double decades = a->to - a->from;
  bool narrow = decades<0.6, sparse = decades> 8.0;
  const double *part = narrow ? all : some;
  size_t parts = narrow ? VD_COUNT(all) : decades < 2.5 ? VD_COUNT(some) : 1;
  for (int e = (int)floor(a->from); e <= (int)ceil(a->to); e += sparse ? 3 : 1)
    for (size_t i = 0; i < parts; i++) {
      double at = e + vd_log10(part[i]);
      if (at >= a->from - 1e-9 && at <= a->to + 1e-9 && t.count < TICKS)
        t.at[t.count++] = part[i] * vd_pow(10.0, e);
    }
  return t;
}

static void tick_label(const vd_plot_axis *a, const ticks *t, double value, vd_buf *out) {
  if (a->words.word) {
    vd_html_text(out, a->words.word[(size_t)value]);
    return;
  }
  if (a->log) {
    vd_html_number(out, value, fabs(value));
    return;
  }
  double shown = value / vd_pow(10.0, a->exponent);
  if (fabs(shown) < 1e-9)
    shown = 0.0;
  vd_buf_printf(out, "%s%.*f", shown < 0.0 ? "−" : "", t->decimals, fabs(shown));
}

static ticks word_ticks(const vd_plot_axis *a) {
  ticks t = {.count = 0};
  while (t.count < TICKS && (size_t)t.count < a->words.count) {
    t.at[t.count] = t.count;
    t.count++;
  }
  return t;
}

static ticks ticks_of(vd_plot_axis *a, int most) {
  return a->words.word ? word_ticks(a) : a->log ? log_ticks(a) : even_ticks(a, most);
}

/* Returns an upper bound of the width of the widest tick label of an axis. */
static double label_width_bound(const vd_plot_axis *a, const ticks *t) {
  double widest = 0.0;
  for (int i = 0; i < t->count; i++) {
    vd_buf label = {0};
    tick_label(a, t, t->at[i], &label);
    const double all =
        a->words.word ? 10.5 * width_of(label.text) : 6.6 * (double)vd_utf8_count(label.text, label.length);
    widest = vd_max(widest, all);
    vd_buf_finish(&label);
  }
  return widest;
}

static int most_ticks(double height) {
  return height > 240.0 ? 8 : height > 100.0 ? 5 : 4;
}

/* Returns the width left of the vertical axis for its tick labels. */
static double label_room(vd_plot_axis *y, double height) {
  ticks up = ticks_of(y, most_ticks(height > BROAD_HEIGHT ? height : BROAD_HEIGHT));
  return vd_max(LEFT, label_width_bound(y, &up) + 10.0);
}

/* Makes the ticks of the horizontal axis, as many as leave a gap between their labels; a logarithmic axis has few ticks
 * anyway. */
static ticks horizontal_ticks(vd_plot_axis *x) {
  for (int most = x->length > WIDTH ? 10 : 6;; most--) {
    ticks t = ticks_of(x, most);
    if (x->words.word || x->log || most <= 2 || t.count < 2 ||
        label_width_bound(x, &t) + 8.0 <= vd_plot_on_axis(x, t.at[1]) - vd_plot_on_axis(x, t.at[0]))
      return t;
  }
}

/* Gives both axes the same scale. Returns the height that the data need, within limits. At a limit, one of the ranges
 * is widened to fill the picture. */
static double equal_height(vd_plot_axis *x, vd_plot_axis *y, double width) {
  double wide = x->to - x->from, high = y->to - y->from, height = width * high / wide;
  double most = 0.8 * width, least = 60.0, grow;
  if (height > most) {
    grow = 0.5 * (high * width / most - wide);
    x->from -= grow;
    x->to += grow;
    return most;
  }
  if (height < least) {
    grow = 0.5 * (wide * least / width - high);
    y->from -= grow;
    y->to += grow;
    return least;
  }
  return height;
}

static void draw_axes(vd_plot_axis *x, vd_plot_axis *y, bool foot, int decimals, vd_buf *out) {
  ticks along = horizontal_ticks(x), up = ticks_of(y, most_ticks(-y->length));
  double bottom = y->at, top = y->at + y->length, right = x->at + x->length;
  vd_buf_puts(out, "<path class=\"grid\" d=\"");
  for (int i = 0; i < along.count; i++)
    vd_buf_printf(out, "M%.*f %.1fV%.1f", decimals, vd_plot_on_axis(x, along.at[i]), bottom, top);
  for (int i = 0; i < up.count; i++)
    vd_buf_printf(out, "M%.1f %.*fH%.1f", x->at, decimals, vd_plot_on_axis(y, up.at[i]), right);
  vd_buf_puts(out, "\"/>\n");
  const bool corner =
      up.count > 0 && bottom - vd_plot_on_axis(y, up.at[0]) < 8.0; /* a label of the vertical axis stands here */
  for (int i = 0; foot && i < along.count; i++) {                  /* the last tick label is kept inside the picture */
    const double half = 0.5 * label_width_bound(x, &(ticks){{along.at[i]}, 1, along.decimals});
    double at = vd_min(vd_plot_on_axis(x, along.at[i]), right + RIGHT - half);
    at = corner ? vd_max(at, x->at - 2.0 + half) : at;
    vd_buf_printf(out, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", at, bottom + 13.0);
    tick_label(x, &along, along.at[i], out);
    vd_buf_puts(out, "</text>");
  }
  for (int i = 0; i < up.count; i++) {
    vd_buf_printf(out, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">", x->at - 4.0,
                  vd_plot_on_axis(y, up.at[i]) + 3.6);
    tick_label(y, &up, up.at[i], out);
    vd_buf_puts(out, "</text>");
  }
  vd_buf_puts(out, "\n");
}

/* Writes a unit with its power of ten: "10³ N m". */
static void write_unit(const vd_plot_axis *a, const char *unit, const char *before, vd_buf *out) {
  bool named = vd_html_has_unit(unit), scaled = !a->log && a->exponent != 0;
  if (!named && !scaled)
    return;
  vd_buf_puts(out, before);
  if (scaled) {
    vd_buf_puts(out, named ? "10" : "×10");
    vd_html_superscript(out, a->exponent);
    vd_buf_puts(out, named ? " " : "");
  }
  vd_html_unit(out, unit);
}

/* --- legend --- */

/* Writes a sample of the stroke and the series' name at (*x, *y) and moves the position on; begins a new line if the
 * entry does not fit. */
static void legend_entry(const vd_picture_series *s, double left, double wide, double *x, double *y, vd_buf *out) {
  double room = wide - left - 36.0, width = 36.0 + vd_min(TEXT_SIZE * width_of(s->name), room);
  if (*x > left && *x + width > wide) {
    *x = left;
    *y += LINE_HEIGHT;
  }
  if (out) {
    double middle = *y - 3.8;
    bool point = s->stroke == VD_STROKE_MARKS || s->stroke == VD_STROKE_POINTS || s->stroke == VD_STROKE_CONES;
    vd_buf_puts(out, point ? "<circle " : "<path ");
    vd_plot_write_class(s, out);
    if (point)
      vd_buf_printf(out, " cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\"/>", *x + 10.0, middle);
    else if (vd_plot_is_filled(s->stroke))
      vd_buf_printf(out, " d=\"M%.1f %.1fh20v8h-20Z\"/>", *x, middle - 4.0);
    else if (s->stroke == VD_STROKE_AT || s->stroke == VD_STROKE_HITS)
      vd_buf_printf(out, " d=\"M%.1f %.1f%s\"/>", *x + 10.0, middle - 5.0,
                    s->stroke == VD_STROKE_AT ? "v10" : "m-3 2l6 6m-6 0l6 -6");
    else
      vd_buf_printf(out, " d=\"M%.1f %.1fh20\"/>", *x, middle);
    vd_buf_printf(out, "<text x=\"%.1f\" y=\"%.1f\">", *x + 25.0, *y);
    write_cut(s->name, TEXT_SIZE, room, out);
    vd_buf_puts(out, "</text>\n");
  }
  *x += width;
}

/* Draws the legend, or only measures it if out is NULL. Returns the height of its last line. */
static double legend(const vd_picture *p, double left, double wide, vd_buf *out) {
  double x = left, y = TITLE + LINE_HEIGHT + 1;
  for (size_t k = 0; k < p->count; k++)
    if (p->series[k].stroke != VD_STROKE_LOWER && p->series[k].stroke != VD_STROKE_WORDS && *p->series[k].name)
      legend_entry(&p->series[k], left, wide, &x, &y, out);
  return y;
}

/* --- the picture --- */

/* Lays out the area of the series; without a legend it begins higher. */
static frame frame_of(const vd_picture *p, const vd_plot_sheet *s, vd_plot_axis *x, vd_plot_axis *y) {
  bool named = false;
  for (size_t k = 0; k < p->count; k++)
    named |= *p->series[k].name != '\0' && p->series[k].stroke != VD_STROKE_WORDS;
  frame f = {.height = s->height > 0.0 ? s->height : s->wide > WIDTH ? BROAD_HEIGHT : INNER_HEIGHT};
  f.left = vd_max(p->bare ? RIGHT : label_room(y, f.height), s->left);
  f.top = vd_max((named ? legend(p, f.left, s->wide, NULL) : (double)TITLE) + 9.0, s->head);
  f.width = s->wide - RIGHT - f.left;
  if (p->equal)
    f.height = equal_height(x, y, f.width);
  x->at = f.left;
  x->length = f.width;
  y->at = f.top + f.height;
  y->length = -f.height;
  return f;
}

static void draw_title(const vd_picture *p, const frame *f, const vd_plot_axis *y, vd_buf *out) {
  vd_buf unit = {0};
  write_unit(y, p->y_unit, ", ", &unit);
  /* a long title has smaller letters; a title that is still too long is cut */
  const double bold = 1.06, ems = bold * width_of(p->title) + width_of(unit.text ? unit.text : "");
  const double fits = (f->width + RIGHT) / (TITLE_SIZE * ems), scale = vd_min(1.0, vd_max(LEAST_TITLE, fits));
  vd_buf_printf(out, "<text class=\"title\" x=\"%.1f\" y=\"%d\"", f->left, TITLE);
  if (scale < 1.0)
    vd_buf_printf(out, " style=\"font-size:%.1fpx\"", floor(10.0 * scale * TITLE_SIZE) / 10.0);
  vd_buf_puts(out, ">");
  if (fits >= LEAST_TITLE)
    vd_html_text(out, p->title);
  else
    write_cut(p->title, bold * scale * TITLE_SIZE,
              f->width + RIGHT - scale * TITLE_SIZE * width_of(unit.text ? unit.text : ""), out);
  vd_buf_puts(out, unit.text ? unit.text : "");
  vd_buf_puts(out, "</text>\n");
  vd_buf_finish(&unit);
}

/* Returns half the width of a text, and its middle. */
static double place_of_words(const vd_plot_axis *x, const vd_plot_axis *y, const vd_picture_series *s, double at[2]) {
  at[0] = vd_plot_on_axis(x, s->x[0]);
  at[1] = vd_plot_on_axis(y, s->y[0]);
  return 0.5 * TEXT_SIZE * width_of(s->name);
}

/* Whether the text of a series would stand on the frame or on a text before it. */
static bool is_in_the_way(const vd_picture *p, const frame *f, const vd_plot_axis *x, const vd_plot_axis *y, size_t k) {
  double at[2], other[2];
  const double half = place_of_words(x, y, &p->series[k], at);
  if (at[0] - half < f->left || at[0] + half > f->left + f->width)
    return true;
  for (size_t i = 0; i < k; i++)
    if (p->series[i].stroke == VD_STROKE_WORDS) {
      const double room = half + place_of_words(x, y, &p->series[i], other);
      if (fabs(at[0] - other[0]) < room && fabs(at[1] - other[1]) < 1.2 * TEXT_SIZE)
        return true;
    }
  return false;
}

static void write_words(const vd_plot_axis *x, const vd_plot_axis *y, const vd_picture_series *s, vd_buf *out) {
  double at[2];
  place_of_words(x, y, s, at);
  vd_buf_printf(out, "<text class=\"words\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", at[0],
                at[1] + 0.35 * TEXT_SIZE);
  vd_html_text(out, s->name);
  vd_buf_puts(out, "</text>\n");
}

/* Draws everything within the <svg> of the picture except the axes, which `axes' already contains. */
static void draw_inside(const vd_picture *p, const vd_plot_sheet *s, const frame *f, const vd_plot_axis *x,
                        const vd_plot_axis *y, vd_buf *out) {
  vd_buf_printf(out,
                "<svg x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" viewBox=\"%.1f %.1f %.1f %.1f\" "
                "preserveAspectRatio=\"none\">\n",
                f->left, f->top, f->width, f->height, f->left, f->top, f->width, f->height);
  vd_plot_series(p, x, y, out);
  vd_buf_printf(out, "</svg>\n<path class=\"frame\" d=\"M%.1f %.1fh%.1fv%.1fh%.1fZ\"/>\n", f->left, f->top, f->width,
                f->height, -f->width);
  for (size_t k = 0; k < p->count; k++)
    if (p->series[k].stroke == VD_STROKE_WORDS && (p->bare || !is_in_the_way(p, f, x, y, k)))
      write_words(x, y, &p->series[k], out);
  if (s->foot && !p->bare) {
    vd_buf_printf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", f->left + 0.5 * f->width,
                  f->top + f->height + 27.0);
    vd_html_text(out, p->x_name);
    write_unit(x, p->x_unit, ", ", out);
    vd_buf_puts(out, "</text>\n");
  }
  if (p->clock) /* a vertical line that the script of the page moves with the viewer's time */
    vd_buf_printf(out, "<path class=\"cursor\" d=\"M0 %.1fv%.1f\"/>\n", f->top, f->height);
}

void vd_plot_vertical(const vd_picture *p, double ends[2]) {
  const vd_plot_axis y = vertical_axis(p);
  ends[0] = y.from;
  ends[1] = y.to;
}

void vd_plot_measure(const vd_picture *p, vd_plot_sheet *s) {
  vd_plot_axis x = horizontal_axis(p), y = vertical_axis(p);
  frame f = frame_of(p, s, &x, &y);
  s->left = f.left;
  s->head = f.top;
  s->height = f.height;
}

/* Draws the contents of a picture, without the <svg> or <g> that encloses them. */
static frame compose(const vd_picture *p, const vd_plot_sheet *s, vd_plot_axis *x, vd_buf *out) {
  vd_plot_axis y = vertical_axis(p);
  *x = horizontal_axis(p);
  frame f = frame_of(p, s, x, &y);
  vd_buf axes = {0};
  if (!p->bare)
    draw_axes(x, &y, s->foot, p->exact ? 2 : 1, &axes); /* drawn first, because this sets the power of ten */
  draw_title(p, &f, &y, out);
  legend(p, f.left, s->wide, out);
  vd_buf_puts(out, axes.text ? axes.text : "");
  draw_inside(p, s, &f, x, &y, out);
  vd_buf_finish(&axes);
  return f;
}

void vd_plot_panel(const vd_picture *p, const vd_plot_sheet *s, vd_buf *out) {
  vd_plot_axis x;
  vd_buf_printf(out, "<g transform=\"translate(%.1f %.1f)\">\n", s->x, s->y);
  compose(p, s, &x, out);
  vd_buf_puts(out, "</g>\n");
}

static void draw(const vd_picture *p, int wide, vd_buf *out) {
  const vd_plot_sheet s = {.wide = wide, .foot = true};
  vd_plot_axis x;
  vd_buf inside = {0};
  frame f = compose(p, &s, &x, &inside);
  vd_buf_printf(out, "<svg viewBox=\"0 0 %d %.0f\" role=\"img\"", wide, f.top + f.height + BELOW);
  if (p->clock)
    vd_buf_printf(out, " data-clock=\"%.1f %.1f %.9g %.9g\"", f.left, f.width, x.from, x.to);
  if (p->clock && p->motion > 0)
    vd_buf_printf(out, " data-motion=\"%d\"", p->motion);
  vd_buf_puts(out, " aria-label=\"");
  vd_html_text(out, p->title);
  vd_buf_printf(out, " over ");
  vd_html_text(out, p->x_name);
  vd_buf_puts(out, "\">\n");
  vd_buf_puts(out, inside.text);
  vd_buf_puts(out, "</svg>\n");
  vd_buf_finish(&inside);
}

vd_picture vd_plot_begin(const char *title, const char *x_name, const char *x_unit, const char *y_unit) {
  vd_picture p = {.count = 0};
  snprintf(p.title, sizeof p.title, "%s", title);
  snprintf(p.x_name, sizeof p.x_name, "%s", x_name);
  snprintf(p.x_unit, sizeof p.x_unit, "%s", x_unit);
  snprintf(p.y_unit, sizeof p.y_unit, "%s", y_unit);
  return p;
}

void vd_plot_add(vd_picture *p, enum vd_stroke stroke, const char *name, int hue, const double *x, const double *y,
                 size_t count) {
  size_t before = p->count;
  vd_picture_add(p, stroke, name, x, y, count);
  if (p->count > before)
    p->series[before].hue = hue;
}

void vd_plot_end(vd_picture *p, vd_buf *out) {
  if (p->count > 0)
    vd_plot_picture(p, out);
  vd_picture_finish(p);
}

void vd_plot_picture(const vd_picture *p, vd_buf *out) {
  draw(p, WIDTH, out);
}

/* Draws the picture twice, for wide and for narrow screens, because the letters must not shrink on a narrow screen; the
 * style shows the version that fits. */
void vd_plot_broad(const vd_picture *p, vd_buf *out) {
  vd_buf_puts(out, "<div class=\"broad\">");
  draw(p, BROAD, out);
  vd_buf_puts(out, "</div><div class=\"small\">");
  draw(p, WIDTH, out);
  vd_buf_puts(out, "</div>\n");
}

/* Draws a row of a sum: name, bar from one value to another, number. */
static void draw_part(const vd_plot_axis *x, double y, const vd_plot_part *part, double from, vd_buf *out) {
  double a = vd_plot_on_axis(x, from), b = vd_plot_on_axis(x, from + part->value);
  vd_buf_printf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">", x->at - 6.0, y + 10.0);
  vd_html_text(out, part->name);
  vd_buf_printf(out, "</text><rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"9\"/>",
                part->value < 0.0 ? "less" : "part", vd_min(a, b), y + 2.0, vd_max(fabs(b - a), 0.5));
  vd_buf_printf(out, "<text class=\"tick\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s%.2f</text>\n", WIDTH - 4,
                y + 10.0, part->value < 0.0 ? "−" : "", fabs(part->value));
}

void vd_plot_parts(const char *title, const char *unit, const vd_plot_part *part, size_t count,
                   const vd_plot_part *whole, vd_buf *out) {
  enum { NAMES = 165, NUMBERS = 42 };
  double sum = 0.0, top = TITLE + 8.0, bottom = top + LINE_HEIGHT * (double)(count + 1) + 4.0;
  range r = {vd_min(whole->value, 0.0), vd_max(whole->value, 0.0)};
  for (size_t i = 0; i < count; i++)
    widen(&r, sum += part[i].value, false);
  vd_plot_axis x = {.from = r.least, .to = r.most > r.least ? r.most : r.least + 1.0, .at = NAMES};
  x.length = WIDTH - NAMES - NUMBERS;
  vd_buf_printf(out, "<svg viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"", WIDTH, bottom + 6.0);
  vd_html_text(out, title);
  vd_buf_printf(out, "\">\n<text class=\"title\" x=\"6\" y=\"%d\">", TITLE);
  vd_html_text(out, title);
  vd_buf_puts(out, ", ");
  vd_html_unit(out, unit);
  vd_buf_puts(out, "</text>\n");
  sum = 0.0;
  for (size_t i = 0; i < count; i++) {
    draw_part(&x, top + LINE_HEIGHT * (double)i, &part[i], sum, out);
    sum += part[i].value;
  }
  draw_part(&x, top + LINE_HEIGHT * (double)count + 2.0, whole, 0.0, out);
  vd_buf_printf(out, "<path class=\"frame\" d=\"M%.1f %.1fV%.1f\"/></svg>\n", vd_plot_on_axis(&x, 0.0), top, bottom);
}

void vd_plot_residual(double share, enum vd_finding_verdict verdict, vd_buf *out) {
  enum { ALL = 96, HEIGHT = 12 };
  double width = vd_min(vd_max(share, 0.0), 1.25) * ALL;
  const char *class = verdict == VD_HOLDS ? "within" : verdict == VD_KNOWN ? "expected" : "beyond";
  vd_buf_printf(out,
                "<svg class=\"bar\" viewBox=\"0 0 120 %d\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
                "<rect class=\"track\" x=\"0\" y=\"2\" width=\"120\" height=\"8\"/>",
                HEIGHT);
  if (width > 0.0)
    vd_buf_printf(out, "<rect class=\"%s\" x=\"0\" y=\"2\" width=\"%.1f\" height=\"8\"/>", class, vd_max(width, 0.5));
  vd_buf_printf(out, "<path class=\"one\" d=\"M%d 0v%d\"/></svg>", ALL, HEIGHT);
}
