/* Pictures of a study's table: a metric over its factors, the influence of each factor, the metric's distribution, a
 * response surface. */
#include "plot_kinds.h"

#include "plot.h"
#include "tool.h"

#include "base/base.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "input/table.h"
#include "input/tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FACTORS = 24, WORDS = 8 };

/* A column over the cases that are drawn. */
typedef struct column {
  const char *name, *label; /* name in the table; words for readers */
  vd_shown_unit unit;
  double *value;          /* [cases], in `unit'; NAN: no number */
  const char **text;      /* [cases] */
  vd_picture_words words; /* the words of a factor that has words; its values are then their indices */
} column;

typedef struct study {
  const char *file;
  vd_cells c;
  size_t factors; /* columns from the third on */
  size_t cases, *row;
  column y, x[FACTORS];
  size_t xs;
  const char *drawn; /* words for the number of cases that are drawn */
  vd_unit_habits *units;
  vd_arena *arena;
} study;

/* --- statistics --- */

static double dot(const double *a, const double *b, size_t n) {
  double sum = 0.0;
  for (size_t i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

static double mean_of(const double *v, size_t n) {
  double sum = 0.0;
  for (size_t i = 0; i < n; i++)
    sum += v[i];
  return sum / (double)n;
}

/* Subtracts the mean from the values and divides by the root of the sum of squares, which is returned; zeros if all
 * values are equal. */
static double standardise(const double *v, size_t n, double *out) {
  const double mean = mean_of(v, n);
  double size = 0.0;
  for (size_t i = 0; i < n; i++) {
    out[i] = v[i] - mean;
    size = fmax(size, fabs(v[i]));
  }
  const double length = sqrt(dot(out, out, n));
  for (size_t i = 0; i < n; i++)
    out[i] = length > 1e-12 * size ? out[i] / length : 0.0;
  return length > 1e-12 * size ? length : 0.0;
}

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Computes ranks from 1 on; equal values share the mean of their ranks. */
static void rank(const double *v, size_t n, double *out) {
  double(*pair)[2] = vd_allocate(n, sizeof *pair); /* a value and its index */
  for (size_t i = 0; i < n; i++) {
    pair[i][0] = v[i];
    pair[i][1] = (double)i;
  }
  qsort(pair, n, sizeof *pair, by_value);
  for (size_t i = 0, k; i < n; i = k) {
    for (k = i + 1; k < n && pair[k][0] == pair[i][0];)
      k++;
    for (size_t m = i; m < k; m++)
      out[(size_t)pair[m][1]] = 0.5 * (double)(i + k + 1);
  }
  free(pair);
}

/* Returns Spearman's rank correlation. */
static double rank_correlation(const double *a, const double *b, size_t n) {
  double *r = vd_allocate(2 * n, sizeof *r), *s = r + n;
  rank(a, n, r);
  rank(b, n, s);
  standardise(r, n, r);
  standardise(s, n, s);
  const double found = dot(r, s, n);
  free(r);
  return found;
}

/* Computes coefficients of standardised columns c[k], at most FACTORS, for a standardised target, by Gram and Schmidt's
 * method, applied twice to each column. A coefficient is NAN if a combination of the columns before it differs from
 * the column by less than 1e-4 of its length; the nine digits of a table do not resolve less. Returns the share of the
 * target's variance that the columns explain. */
static double least_squares(double *const *c, size_t count, const double *target, size_t n, double *coefficient) {
  double part[FACTORS][FACTORS] = {{0.0}}, along[FACTORS], explained = 0.0;
  double *base = vd_allocate(count * n, sizeof *base);
  for (size_t k = 0; k < count; k++) {
    double *b = base + k * n;
    memcpy(b, c[k], n * sizeof *b);
    for (int twice = 0; twice < 2; twice++)
      for (size_t m = 0; m < k; m++) {
        const double s = dot(b, base + m * n, n); /* 0 for a column that was dropped */
        part[k][m] += s;
        for (size_t i = 0; i < n; i++)
          b[i] -= s * base[m * n + i];
      }
    part[k][k] = sqrt(dot(b, b, n));
    const bool kept = part[k][k] > 1e-4;
    for (size_t i = 0; i < n; i++)
      b[i] = kept ? b[i] / part[k][k] : 0.0;
    coefficient[k] = kept ? 0.0 : NAN;
    along[k] = dot(b, target, n);
    explained += along[k] * along[k];
  }
  for (size_t k = count; k-- > 0;) {
    if (isnan(coefficient[k]))
      continue;
    double rest = along[k];
    for (size_t m = k + 1; m < count; m++)
      rest -= isnan(coefficient[m]) ? 0.0 : coefficient[m] * part[m][k];
    coefficient[k] = rest / part[k][k];
  }
  free(base);
  return explained;
}

/* Returns a quantile, by straight lines between the sorted values, as in the figures of a study. */
static double quantile(const double *sorted, size_t n, double p) {
  const double at = p * (double)(n - 1);
  const size_t k = (size_t)at;
  return k + 1 < n ? sorted[k] + (at - (double)k) * (sorted[k + 1] - sorted[k]) : sorted[n - 1];
}

/* --- the table --- */

static bool read_study(const char *file, vd_arena *arena, vd_diag *d, study *s) {
  int source;
  const char *beside =
      vd_arena_printf(arena, "%.*s.resolved.yaml", (int)strlen(file) - (vd_ends_in(file, ".csv") ? 4 : 0), file);
  if (!vd_schema_slurp(file, d, &source) || !vd_cells_read(source, arena, d, &s->c))
    return false;
  if (s->c.columns < 2 || strcmp(s->c.name[0], "case") != 0 || strcmp(s->c.name[1], "status") != 0)
    return vd_tool_error("no columns 'case' and 'status' in %s: is it the table of a study?", file);
  if (!vd_schema_slurp(beside, d, &source))
    return false;
  const vd_node *vary = vd_tree_get(vd_tree_parse(arena, d, source), "vary");
  for (const vd_node *one = vary ? vary->child : NULL; one; one = one->next)
    s->factors++;
  return (s->factors > 0 && 2 + s->factors < s->c.columns) ||
         vd_tool_error("%s and its resolved study do not fit together", file);
}

/* Returns the index of a column among the factors or the metrics; -1 after a message. */
static int find(const study *s, const char *name, bool metric) {
  const size_t from = metric ? 2 + s->factors : 2, to = metric ? s->c.columns : 2 + s->factors;
  const char *word = metric ? "metric" : "factor";
  for (size_t k = from; k < to; k++)
    if (strcmp(s->c.name[k], name) == 0)
      return (int)k;
  const char *near = vd_suggest(name, s->c.name + from, to - from);
  for (size_t k = from; !near && k < to; k++) /* the unit was left out */
    near = strncmp(s->c.name[k], name, strlen(name)) == 0 ? s->c.name[k] : NULL;
  vd_buf all = {0};
  for (size_t k = from; !near && k < to && k < from + 12; k++)
    vd_buf_printf(&all, "%s%s", k > from ? ", " : "", s->c.name[k]);
  if (near)
    vd_tool_error("no %s '%s' in %s; did you mean '%s'?", word, name, s->file, near);
  else
    vd_tool_error("no %s '%s' in %s; there are %s%s", word, name, s->file, all.text, to - from > 12 ? " ..." : "");
  vd_buf_finish(&all);
  return -1;
}

/* Takes a column over the cases; false after a message if the unit that the user chose has another dimension. */
static bool take(study *s, size_t k, column *out) {
  size_t stem;
  const char *name = s->c.name[k];
  *out = (column){.name = name, .label = vd_spoken(name, s->arena)};
  out->unit = vd_shown_unit_of(name, vd_unit_at_end(name, &stem), s->units, s->arena);
  out->value = vd_arena_alloc(s->arena, s->cases * sizeof *out->value);
  out->text = vd_arena_alloc(s->arena, s->cases * sizeof *out->text);
  for (size_t i = 0; i < s->cases; i++) {
    double v;
    out->text[i] = s->c.text[s->row[i] * s->c.columns + k];
    out->value[i] = vd_cells_is_number(&s->c, s->row[i], k, &v) && isfinite(v) ? v / out->unit.size : NAN;
  }
  return out->unit.name != NULL;
}

/* Chooses the metric, and the cases that are ok and have a value of it. */
static bool take_metric(study *s, const char *const *metric, size_t metrics) {
  vd_buf all = {0};
  const size_t first = 2 + s->factors;
  for (size_t k = first; k < s->c.columns; k++)
    vd_buf_printf(&all, "%s%s", k > first ? ", " : "", s->c.name[k]);
  const bool one = metrics == 1 || (metrics == 0 && first + 1 == s->c.columns) ||
                   vd_tool_error("a picture of a study shows one of its metrics: %s", all.text);
  vd_buf_finish(&all);
  const int at = !one ? -1 : metrics == 0 ? (int)first : find(s, metric[0], true);
  if (at < 0)
    return false;
  s->row = vd_arena_alloc(s->arena, s->c.rows * sizeof *s->row);
  for (size_t r = 0; r < s->c.rows; r++) {
    double v;
    if (strcmp(s->c.text[r * s->c.columns + 1], "ok") == 0 && vd_cells_is_number(&s->c, r, (size_t)at, &v) &&
        isfinite(v))
      s->row[s->cases++] = r;
  }
  s->drawn = vd_arena_printf(s->arena, "%zu of %zu cases", s->cases, s->c.rows);
  if (s->cases < 2)
    return vd_tool_error("%zu of %zu cases are ok and have a value of %s; two are needed", s->cases, s->c.rows,
                         s->c.name[at]);
  return take(s, (size_t)at, &s->y);
}

static bool varies(const column *x, size_t n) {
  for (size_t i = 1; i < n; i++)
    if (strcmp(x->text[i], x->text[0]) != 0)
      return true;
  return false;
}

/* Numbers the words of a factor from 0, in the order in which they occur. Of a file name only the part behind the last
 * slash is kept. */
static bool number_words(study *s, column *x) {
  const char **word = vd_arena_alloc(s->arena, WORDS * sizeof *word);
  size_t n = 0;
  for (size_t i = 0, k; i < s->cases; i++) {
    for (k = 0; k < n && strcmp(word[k], x->text[i]) != 0;)
      k++;
    if (k == WORDS)
      return vd_tool_error("the factor '%s' has more than %d words, too many for an axis", x->name, WORDS);
    if (k == n)
      word[n++] = x->text[i];
    x->value[i] = (double)k;
  }
  for (size_t k = 0; k < n; k++) {
    const char *slash = strrchr(word[k], '/'), *name = slash ? slash + 1 : word[k];
    const size_t all = strlen(name) - (vd_ends_in(name, ".yaml") ? 5 : 0);
    const size_t fits = vd_plot_fitting(name, 20.0 / (double)n);
    word[k] = *name ? vd_arena_printf(s->arena, "%.*s%s", (int)(fits < all ? fits : all), name, fits < all ? "…" : "")
                    : "own";
  }
  x->words = (vd_picture_words){word, n};
  x->unit = (vd_shown_unit){"1", 1.0};
  return true;
}

/* Takes a factor. One that does not vary, or has words where numbers are needed, is left out with a note. given: the
 * user named the factor; words are then an error. False after a message. */
static bool take_factor(study *s, size_t k, bool numbers, bool given) {
  column x;
  if (!take(s, k, &x))
    return false;
  bool word = false;
  for (size_t i = 0; i < s->cases; i++)
    word |= isnan(x.value[i]);
  if (!varies(&x, s->cases)) {
    vd_tool_note("the factor '%s' does not vary; it is left out", x.name);
    return true;
  }
  if (numbers && word) {
    if (given)
      return vd_tool_error("the factor '%s' has words or no values", x.name);
    vd_tool_note("the factor '%s' has words or no values; it is left out", x.name);
    return true;
  }
  if (word && !number_words(s, &x))
    return false;
  if (s->xs == FACTORS)
    return vd_tool_error("more than %d factors are too many for a picture; -x names some", FACTORS);
  s->x[s->xs++] = x;
  return true;
}

/* Takes the factors that -x names; without -x all factors. */
static bool take_factors(study *s, const char *names, bool numbers) {
  for (size_t k = 2; !names && k < 2 + s->factors; k++)
    if (!take_factor(s, k, numbers, false))
      return false;
  for (const char *at = names ? names : ""; *at;) {
    const size_t length = strcspn(at, ",");
    const char *name = vd_arena_copy(s->arena, at, length);
    const int k = find(s, name, false);
    at += length + (at[length] == ',');
    for (size_t i = 0; i < s->xs; i++)
      if (strcmp(s->x[i].name, name) == 0)
        return vd_tool_error("-x names '%s' twice", name);
    if (k < 0 || !take_factor(s, (size_t)k, numbers, true))
      return false;
  }
  return s->xs > 0 || vd_tool_error("no factor %s", numbers ? "is a number that varies" : "varies");
}

/* --- pictures --- */

/* Adds a series with all points of both columns. */
static vd_picture_series *put(vd_picture *p, enum vd_stroke stroke, const char *name, const double *x, const double *y,
                              size_t n) {
  vd_picture_series *s = vd_kind_series(p, stroke, name, n);
  for (size_t i = 0; i < n; i++)
    vd_kind_point(s, x[i], y[i]);
  return s;
}

/* Adds a rectangle to an area; the gap behind it separates it from the next one. */
static void put_bar(vd_picture_series *s, double x0, double y0, double x1, double y1) {
  const double x[] = {x0, x0, x1, x1, x0, NAN}, y[] = {y0, y1, y1, y0, y0, NAN};
  for (size_t i = 0; i < VD_COUNT(x); i++)
    vd_kind_point(s, x[i], y[i]);
}

static void limit(vd_picture_limits *l, double from, double to) {
  *l = (vd_picture_limits){true, true, from, to};
}

static bool scatter(study *s, vd_drawing *out) {
  for (size_t k = 0; k < s->xs; k++) {
    const column *x = &s->x[k];
    vd_picture *p =
        vd_kind_panel(out, (int)k, vd_title_of(s->y.label, s->arena), s->y.unit.name, x->label, x->unit.name);
    const double r = x->words.word ? NAN : rank_correlation(x->value, s->y.value, s->cases);
    const char *text =
        isnan(r) ? "" : vd_arena_printf(s->arena, "rank correlation %s%.2f", r < 0.0 ? "−" : "", fabs(r));
    put(p, VD_STROKE_MARKS, text, x->value, s->y.value, s->cases)->hue = 1;
    p->x_words = x->words;
    if (x->words.word)
      limit(&p->x_limits, -0.5, (double)x->words.count - 0.5);
  }
  out->columns = 3;
  out->under = s->drawn;
  return true;
}

typedef struct bar {
  const char *name;
  double coefficient, rank;
} bar;

static int by_size(const void *a, const void *b) {
  const double x = fabs(((const bar *)a)->coefficient), y = fabs(((const bar *)b)->coefficient);
  return (x > y) - (x < y);
}

static bool tornado(study *s, vd_drawing *out) {
  double *c[FACTORS], coefficient[FACTORS], widest = 1.05;
  double *target = vd_arena_alloc(s->arena, s->cases * sizeof *target);
  bar b[FACTORS];
  size_t n = 0;
  if (standardise(s->y.value, s->cases, target) == 0.0)
    return vd_tool_error("%s does not vary", s->y.name);
  for (size_t k = 0; k < s->xs; k++) {
    c[k] = vd_arena_alloc(s->arena, s->cases * sizeof *c[k]);
    standardise(s->x[k].value, s->cases, c[k]);
  }
  const double explained = least_squares(c, s->xs, target, s->cases, coefficient);
  for (size_t k = 0; k < s->xs; k++)
    if (isnan(coefficient[k]))
      vd_tool_note("the factor '%s' follows from those before it; it is left out", s->x[k].name);
    else
      b[n++] = (bar){s->x[k].label, coefficient[k], rank_correlation(s->x[k].value, s->y.value, s->cases)};
  if (s->cases < n + 2)
    return vd_tool_error("%zu cases are too few for %zu factors", s->cases, n);
  qsort(b, n, sizeof *b, by_size);
  vd_picture *p =
      vd_kind_panel(out, 0, vd_title_of(s->y.label, s->arena), "1", "standardised coefficient, correlation", "1");
  vd_picture_series *regression = vd_kind_series(p, VD_STROKE_AREA, "standardised regression coefficient", 6 * n);
  for (size_t k = 0; k < n; k++)
    put_bar(regression, 0.0, (double)k + 0.03, b[k].coefficient, (double)k + 0.35);
  regression->hue = 1;
  vd_picture_series *ranks = vd_kind_series(p, VD_STROKE_AREA, "rank correlation", 6 * n);
  const char **name = vd_arena_alloc(s->arena, n * sizeof *name);
  for (size_t k = 0; k < n; k++) {
    put_bar(ranks, 0.0, (double)k - 0.35, b[k].rank, (double)k - 0.03);
    const size_t fits = vd_plot_fitting(b[k].name, 15.0);
    name[k] = vd_arena_printf(s->arena, "%.*s%s", (int)fits, b[k].name, b[k].name[fits] ? "…" : "");
    widest = fmax(widest, 1.05 * fabs(b[k].coefficient));
  }
  ranks->hue = 5;
  p->y_words = (vd_picture_words){name, n};
  limit(&p->y_limits, -0.6, (double)n - 0.4);
  limit(&p->x_limits, -widest, widest);
  out->under =
      vd_arena_printf(s->arena, "linear in the factors for %.1f %% of its variance; %s", 100.0 * explained, s->drawn);
  out->body = 26.0 * (double)(n > 3 ? n : 3);
  return true;
}

/* Draws the histogram with intervals by the rule of Freedman and Diaconis. If the quartiles are equal, the number of
 * intervals is the square root of the number of cases. */
static bool histogram(study *s, vd_drawing *out) {
  static const struct {
    double p;
    const char *word;
    int dash;
  } lines[] = {{0.05, "5 %", 2}, {0.5, "median", 1}, {0.95, "95 %", 3}};
  enum { BINS = 200 };
  const size_t n = s->cases;
  size_t count[BINS] = {0}, most = 0;
  double *v = vd_arena_alloc(s->arena, n * sizeof *v);
  memcpy(v, s->y.value, n * sizeof *v);
  qsort(v, n, sizeof *v, by_value);
  const double span = v[n - 1] - v[0], middle = quantile(v, n, 0.75) - quantile(v, n, 0.25);
  if (!(span > 0.0))
    return vd_tool_error("%s does not vary", s->y.name);
  const double wanted = ceil(middle > 0.0 ? span / (2.0 * middle) * vd_pow((double)n, 1.0 / 3.0) : sqrt((double)n));
  const size_t bins = (size_t)fmin(BINS, fmax(5.0, wanted));
  for (size_t i = 0; i < n; i++) {
    const size_t k = (size_t)((v[i] - v[0]) / span * (double)bins), in = k < bins ? k : bins - 1;
    most = ++count[in] > most ? count[in] : most;
  }
  vd_picture *p = vd_kind_panel(out, 0, "Cases", "1", s->y.label, s->y.unit.name);
  vd_picture_series *bars = vd_kind_series(p, VD_STROKE_AREA, "", 6 * bins);
  bars->hue = 6;
  for (size_t k = 0; k < bins; k++)
    put_bar(bars, v[0] + (double)k * span / (double)bins, 0.0, v[0] + (double)(k + 1) * span / (double)bins,
            (double)count[k]);
  for (size_t k = 0; k < VD_COUNT(lines); k++) {
    const double at = quantile(v, n, lines[k].p);
    vd_picture_series *line =
        put(p, VD_STROKE_AT, vd_arena_printf(s->arena, "%s: %.5g", lines[k].word, at), &at, &at, 1);
    line->hue = 2;
    line->dash = lines[k].dash;
  }
  limit(&p->y_limits, 0.0, 1.06 * (double)most);
  out->under = s->drawn;
  return true;
}

/* --- response surfaces --- */

enum { TERMS = 5, STEPS = 100, COLOURS = 24 };

/* Computes the terms of a polynomial of second order except its constant; a and b: from -1 to 1. */
static void terms_at(double a, double b, double t[TERMS]) {
  const double all[TERMS] = {a, b, a * a, a * b, b * b};
  memcpy(t, all, sizeof all);
}

static void ends_of(const double *v, size_t n, double ends[2]) {
  ends[0] = ends[1] = v[0];
  for (size_t i = 1; i < n; i++) {
    ends[0] = fmin(ends[0], v[i]);
    ends[1] = fmax(ends[1], v[i]);
  }
}

/* Fits the polynomial; *start: its constant. Returns the share of the variance that it explains; NAN after a
 * message. */
static double fit_surface(const study *s, double (*ends)[2], double slope[TERMS], double *start) {
  double *c[TERMS], *unit[TERMS], length[TERMS], coefficient[TERMS];
  double *target = vd_arena_alloc(s->arena, s->cases * sizeof *target);
  for (int k = 0; k < TERMS; k++) {
    c[k] = vd_arena_alloc(s->arena, s->cases * sizeof *c[k]);
    unit[k] = vd_arena_alloc(s->arena, s->cases * sizeof *unit[k]);
  }
  for (size_t i = 0; i < s->cases; i++) {
    double t[TERMS], at[2];
    for (int k = 0; k < 2; k++)
      at[k] = 2.0 * (s->x[k].value[i] - ends[k][0]) / (ends[k][1] - ends[k][0]) - 1.0;
    terms_at(at[0], at[1], t);
    for (int k = 0; k < TERMS; k++)
      c[k][i] = t[k];
  }
  for (int k = 0; k < TERMS; k++)
    length[k] = standardise(c[k], s->cases, unit[k]);
  const double size = standardise(s->y.value, s->cases, target);
  const double explained = least_squares(unit, TERMS, target, s->cases, coefficient);
  bool good = s->cases > TERMS;
  *start = mean_of(s->y.value, s->cases);
  for (int k = 0; k < TERMS; k++) {
    good &= isfinite(coefficient[k]);
    slope[k] = coefficient[k] * size / length[k];
    *start -= slope[k] * mean_of(c[k], s->cases);
  }
  if (size == 0.0 || !good) {
    vd_tool_error(size == 0.0 ? "%s does not vary"
                              : "%s: a polynomial of second order needs at least 6 cases, with three values of each "
                                "factor that differ independently",
                  s->y.name);
    return NAN;
  }
  return explained;
}

/* Adds the stretches of a contour: in each half of a square of the mesh a straight line from edge to edge. */
static void put_contour(vd_picture *p, const study *s, double (*z)[STEPS + 1], double (*ends)[2], double level,
                        unsigned rgb) {
  static const int corner[2][3][2] = {{{0, 0}, {1, 0}, {1, 1}}, {{0, 0}, {0, 1}, {1, 1}}};
  vd_picture_series *line =
      vd_kind_series(p, VD_STROKE_RUN, vd_arena_printf(s->arena, "%.6g", level), (size_t)6 * STEPS * STEPS);
  line->rgb = rgb;
  for (int i = 0; i < STEPS; i++)
    for (int half = 0; half < 2 * STEPS; half++) {
      const int j = half / 2, (*of)[2] = corner[half % 2];
      double at[2][2];
      int n = 0;
      for (int e = 0; e < 3 && n < 2; e++) {
        const int *a = of[e], *b = of[(e + 1) % 3];
        const double za = z[i + a[0]][j + a[1]] - level, zb = z[i + b[0]][j + b[1]] - level;
        if ((za < 0.0) == (zb < 0.0))
          continue;
        const double share = za / (za - zb);
        const double place[] = {i + a[0] + share * (b[0] - a[0]), j + a[1] + share * (b[1] - a[1])};
        for (int k = 0; k < 2; k++)
          at[n][k] = ends[k][0] + place[k] / STEPS * (ends[k][1] - ends[k][0]);
        n++;
      }
      for (int e = 0; e < n && n == 2; e++)
        vd_kind_point(line, at[e][0], at[e][1]);
      if (n == 2)
        vd_kind_point(line, NAN, NAN);
    }
  if (line->count == 0) {
    free(line->x);
    free(line->y);
    p->count--;
  }
}

/* Draws contours at round levels, and the cases in the colours of their values. */
static bool surface(study *s, vd_drawing *out) {
  static double z[STEPS + 1][STEPS + 1];
  double ends[2][2], range[2], slope[TERMS], start;
  if (s->xs != 2)
    return vd_tool_error("a surface is over two factors that vary: -x FACTOR,FACTOR");
  for (int k = 0; k < 2; k++)
    ends_of(s->x[k].value, s->cases, ends[k]);
  const double explained = fit_surface(s, ends, slope, &start);
  if (isnan(explained))
    return false;
  ends_of(s->y.value, s->cases, range);
  for (int i = 0; i <= STEPS; i++)
    for (int j = 0; j <= STEPS; j++) {
      double t[TERMS];
      terms_at(2.0 * i / STEPS - 1.0, 2.0 * j / STEPS - 1.0, t);
      z[i][j] = start;
      for (int k = 0; k < TERMS; k++)
        z[i][j] += slope[k] * t[k];
      range[0] = fmin(range[0], z[i][j]);
      range[1] = fmax(range[1], z[i][j]);
    }
  vd_picture *p =
      vd_kind_panel(out, 0, vd_title_of(s->x[1].label, s->arena), s->x[1].unit.name, s->x[0].label, s->x[0].unit.name);
  const double span = range[1] - range[0], ten = vd_pow(10.0, floor(vd_log10(span / 6.0)));
  const double step = ten * (span / ten <= 12.0 ? 1.0 : span / ten <= 24.0 ? 2.0 : 5.0);
  for (double k = ceil(range[0] / step); k * step <= range[1]; k += 1.0)
    put_contour(p, s, z, ends, k * step + 0.0, vd_kind_ramp((k * step - range[0]) / span));
  for (int k = 0; k < COLOURS; k++) {
    vd_picture_series *points = vd_kind_series(p, VD_STROKE_MARKS, "", s->cases);
    points->rgb = vd_kind_ramp(((double)k + 0.5) / COLOURS);
    for (size_t i = 0; i < s->cases; i++)
      if ((int)fmin((s->y.value[i] - range[0]) / span * COLOURS, COLOURS - 1) == k)
        vd_kind_point(points, s->x[0].value[i], s->x[1].value[i]);
  }
  const bool named = strcmp(s->y.unit.name, "1") != 0;
  out->under = vd_arena_printf(s->arena, "%s%s%s: the polynomial explains %.1f %% of the variance; points: %s",
                               s->y.label, named ? ", " : "", named ? s->y.unit.name : "", 100.0 * explained, s->drawn);
  out->body = 420.0;
  return true;
}

bool vd_figure_study(const char *kind, const char *file, const char *const *metric, size_t metrics, const char *factors,
                     vd_unit_habits *units, vd_arena *arena, vd_diag *d, vd_drawing *out) {
  static const struct {
    const char *name;
    bool (*draw)(study *s, vd_drawing *out);
  } kinds[] = {{"scatter", scatter}, {"tornado", tornado}, {"histogram", histogram}, {"surface", surface}};
  size_t k = 0;
  study s = {.file = file, .units = units, .arena = arena};
  *out = (vd_drawing){.columns = 1, .under = ""};
  while (k < VD_COUNT(kinds) && strcmp(kinds[k].name, kind) != 0)
    k++;
  if (k == VD_COUNT(kinds))
    return vd_tool_error("no picture '%s' of a study; there are scatter, tornado, histogram, surface", kind);
  const bool good = read_study(file, arena, d, &s) && take_metric(&s, metric, metrics) &&
                    (kinds[k].draw == histogram || take_factors(&s, factors, kinds[k].draw != scatter)) &&
                    kinds[k].draw(&s, out);
  if (!good)
    vd_figure_finish(out);
  return good;
}
