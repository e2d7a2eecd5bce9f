#include "study/summary.h"

#include "base/base.h"
#include "base/memory.h"
#include "base/num.h"
#include "math/chance.h"
#include "study/study_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct vd_summary {
  const vd_study *study;
  vd_arena *arena;
  size_t ending[VD_ENDINGS];
  double *value;                    /* [metrics][count]; NAN: no value, or the case is not ok */
  size_t stop;                      /* the first case in which all constraints of `stop` hold; count: none so far */
  vd_factor_value *at_stop, *level; /* [factors]: values in that case, and in the line that is being read */
  vd_metrics *metrics;              /* metrics of the line that is being read */
};

vd_summary *vd_summary_start(const vd_study *study) {
  vd_summary *s = vd_allocate(1, sizeof *s);
  size_t values = study->metrics * study->count;
  s->study = study;
  s->arena = vd_arena_create();
  s->value = vd_allocate(values, sizeof *s->value);
  for (size_t i = 0; i < values; i++)
    s->value[i] = NAN;
  s->stop = study->count;
  s->at_stop = vd_allocate(2 * study->factors, sizeof *s->at_stop);
  s->level = s->at_stop + study->factors;
  s->metrics = vd_allocate(1, sizeof *s->metrics);
  for (size_t k = 0; k < study->metrics && k < VD_METRICS_MAX; k++)
    s->metrics->metric[s->metrics->count++].name = study->metric[k].name;
  return s;
}

void vd_summary_finish(vd_summary *s) {
  if (!s)
    return;
  vd_arena_destroy(s->arena);
  free(s->value);
  free(s->at_stop);
  free(s->metrics);
  free(s);
}

/* --- lines --- */

static const char *next_field(const char *at) {
  bool quoted = false;
  for (; *at && (quoted || *at != ','); at++)
    quoted ^= *at == '"';
  return *at ? at + 1 : at;
}

/* Returns the number of a field; NAN: the field has none. */
static double number_at(const char *at) {
  double value;
  size_t length = strcspn(at, ",\n"), used;
  return vd_num_parse(at, length, &value, &used) && used == length ? value : NAN;
}

/* Records the first case, by its number, that stops the series. A case counts only if its run is complete or ended
 * early. */
static void note_stop(vd_summary *s, size_t i, enum vd_ending ending) {
  const vd_study *study = s->study;
  if ((ending != VD_CASE_OK && ending != VD_CASE_ENDED) || study->def.stop.count == 0 || i >= s->stop ||
      !vd_study_holds(study, study->stop, study->def.stop.count, s->level, s->metrics, false))
    return;
  s->stop = i;
  memcpy(s->at_stop, s->level, study->factors * sizeof *s->level);
}

void vd_summary_add(vd_summary *s, const char *line) {
  size_t i = strtoul(line, NULL, 10);
  const char *at = next_field(next_field(line));
  enum vd_ending ending = vd_ending_of(line);
  s->ending[ending]++;
  for (size_t f = 0; f < s->study->factors; f++) {
    s->level[f].number = number_at(at);
    at = next_field(at);
  }
  for (size_t k = 0; k < s->study->metrics && i < s->study->count; k++) {
    double value = number_at(at);
    if (ending == VD_CASE_OK)
      s->value[k * s->study->count + i] = value;
    if (k < s->metrics->count)
      s->metrics->metric[k].value = value;
    at = next_field(at);
  }
  note_stop(s, i, ending);
}

/* --- figures --- */

typedef struct receiver {
  vd_summary *s;
  void (*take)(void *context, const vd_metric *figure);
  void *context;
} receiver;

VD_PRINTF(5, 6)
static void add_figure(const receiver *t, const char *unit, double value, const char *definition, const char *format,
                       ...) {
  vd_buf name = {0};
  va_list args;
  va_start(args, format);
  vd_buf_vprintf(&name, format, args);
  va_end(args);
  const vd_metric figure = {
      .name = vd_arena_copy(t->s->arena, name.text, name.length),
      .unit = unit,
      .value = value,
      .definition = definition,
      .reason = "",
  };
  vd_buf_finish(&name);
  t->take(t->context, &figure);
}

/* Reports Wilson's confidence interval of a rate k/n; NAN without cases. */
static void rate(const receiver *t, size_t k, size_t n) {
  double z = vd_normal_quantile(0.975), p = (double)k / (double)n, square = z * z / (double)n;
  double middle = (p + 0.5 * square) / (1.0 + square);
  double half = z / (1.0 + square) * sqrt(p * (1.0 - p) / (double)n + 0.25 * square / (double)n);
  add_figure(t, "1", p,
             "share of the cases that ended early, were refused or died, among all cases that are not excluded",
             "failure_rate");
  add_figure(t, "1", k == 0 ? 0.0 : middle - half, "lower end of Wilson's 95 % interval of the rate",
             "failure_rate_low");
  add_figure(t, "1", k == n ? 1.0 : middle + half, "upper end of Wilson's 95 % interval of the rate",
             "failure_rate_high");
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double quantile(const double *sorted, size_t n, double p) {
  if (n == 0)
    return NAN;
  double at = p * (double)(n - 1);
  size_t k = (size_t)at;
  return k + 1 < n ? sorted[k] + (at - (double)k) * (sorted[k + 1] - sorted[k]) : sorted[n - 1];
}

typedef struct moments {
  size_t count;
  double mean, deviation;
} moments;

/* Computes moments, without NANs. The standard deviation is estimated from a sample; NAN for fewer than two values. */
static moments moments_of(const double *value, size_t n) {
  moments m = {0, 0.0, 0.0};
  double sum = 0.0, squares = 0.0;
  for (size_t i = 0; i < n; i++)
    if (!isnan(value[i])) {
      sum += value[i];
      m.count++;
    }
  m.mean = sum / (double)m.count;
  for (size_t i = 0; i < n; i++)
    if (!isnan(value[i]))
      squares += (value[i] - m.mean) * (value[i] - m.mean);
  m.deviation = m.count > 1 ? sqrt(squares / (double)(m.count - 1)) : NAN;
  return m;
}

static void distribution(const receiver *t, size_t k, double *sorted) {
  const vd_study *s = t->s->study;
  const double *value = t->s->value + k * s->count;
  const char *name = s->metric[k].name, *unit = s->metric[k].unit;
  moments m = moments_of(value, s->count);
  size_t n = 0;
  for (size_t i = 0; i < s->count; i++)
    if (!isnan(value[i]))
      sorted[n++] = value[i];
  qsort(sorted, n, sizeof *sorted, by_value);
  add_figure(t, unit, m.mean, "mean of the metric", "%s_mean", name);
  add_figure(t, unit, m.deviation, "standard deviation of the metric, of a sample", "%s_deviation", name);
  add_figure(t, unit, quantile(sorted, n, 0.0), "least value of the metric", "%s_least", name);
  add_figure(t, unit, quantile(sorted, n, 0.05), "5 % quantile, linear between the values", "%s_p05", name);
  add_figure(t, unit, quantile(sorted, n, 0.5), "median", "%s_median", name);
  add_figure(t, unit, quantile(sorted, n, 0.95), "95 % quantile", "%s_p95", name);
  add_figure(t, unit, quantile(sorted, n, 1.0), "greatest value of the metric", "%s_greatest", name);
}

static const vd_factor *factor_of(const vd_study *s, size_t dimension) {
  const vd_factor *f = s->factor;
  while (f->dimension != (int)dimension)
    f++;
  return f;
}

/* Computes an index, a quotient of means, and the half width of its interval. above, below: contributions of each base
 * point to the numerator and to the variance; NAN: the point is left out. The interval follows from the influence of
 * each point on the quotient. scratch: [points] */
static void index_of(const receiver *t, const double *above, const double *below, size_t points, double *scratch,
                     const char *metric, const char *factor, const char *which, const char *definition) {
  moments a = moments_of(above, points), b = moments_of(below, points);
  double index = a.mean / b.mean;
  for (size_t n = 0; n < points; n++)
    scratch[n] = (above[n] - index * below[n]) / b.mean;
  moments influence = moments_of(scratch, points);
  double half = vd_normal_quantile(0.975) * influence.deviation / sqrt((double)influence.count);
  add_figure(t, "1", index, definition, "%s_by_%s_%s", metric, factor, which);
  add_figure(t, "1", half, "half width of the index's 95 % interval", "%s_by_%s_%s_error", metric, factor, which);
}

static void sobol_indices(const receiver *t, size_t k, double *scratch) {
  const vd_study *s = t->s->study;
  size_t block = s->dimensions + 2, points = s->count / block;
  const double *value = t->s->value + k * s->count;
  double *first = scratch, *total = first + points, *below = total + points, *rest = below + points, sum = 0.0;
  size_t whole = 0;
  for (size_t n = 0; n < points; n++) {
    double both = value[n * block] + value[n * block + 1];
    below[n] = both;
    for (size_t j = 2; j < block; j++)
      if (isnan(value[n * block + j]))
        below[n] = NAN; /* all values of a point with a missing value are left out */
    if (!isnan(below[n])) {
      sum += 0.5 * both;
      whole++;
    }
  }
  double mean = sum / (double)whole;
  for (size_t n = 0; n < points; n++) {
    double a = value[n * block] - mean, b = value[n * block + 1] - mean;
    below[n] = isnan(below[n]) ? NAN : 0.5 * (a * a + b * b);
  }
  for (size_t j = 0; j < s->dimensions; j++) {
    const char *factor = factor_of(s, j)->name;
    for (size_t n = 0; n < points; n++) {
      double a = value[n * block], b = value[n * block + 1], ab = value[n * block + 2 + j];
      first[n] = isnan(below[n]) ? NAN : (b - mean) * (ab - a);
      total[n] = isnan(below[n]) ? NAN : 0.5 * (a - ab) * (a - ab);
    }
    index_of(t, first, below, points, rest, s->metric[k].name, factor, "first",
             "Sobol's first-order index: share of the variance that the factor explains alone");
    index_of(t, total, below, points, rest, s->metric[k].name, factor, "total",
             "Sobol's total index: share of the variance to which the factor contributes");
  }
}

/* Returns the share of its range by which a factor changes between two numbers of a trajectory; 1: from its lowest to
 * its highest level; 0: both numbers give the same level. A list or a range has its own number of levels, which may
 * differ from the number of the design. */
static double move_of(const vd_study *s, size_t dimension, double from, double to) {
  const vd_factor *f = factor_of(s, dimension);
  double levels = (double)s->def.design.levels, half = 0.5 * levels / (levels - 1.0);
  if (!f->level)
    return to > from ? half : -half;
  return ((double)vd_factor_level(f, to) - (double)vd_factor_level(f, from)) / (double)(f->levels - 1);
}

static void elementary_effects(const receiver *t, size_t k, vd_design_walk *walk, double *scratch) {
  const vd_study *s = t->s->study;
  size_t steps = s->dimensions + 1, trajectories = s->count / steps;
  const double *value = t->s->value + k * s->count;
  double *effect = scratch, *before = effect + s->dimensions * trajectories;
  for (size_t n = 0; n < trajectories; n++)
    for (size_t i = n * steps; i < (n + 1) * steps; i++) {
      const double *u = vd_design_numbers(walk, i);
      for (size_t j = 0; j < s->dimensions && i > n * steps; j++)
        if (u[j] != before[j])
          effect[j * trajectories + n] = (value[i] - value[i - 1]) / move_of(s, j, before[j], u[j]);
      memcpy(before, u, s->dimensions * sizeof *before);
    }
  for (size_t j = 0; j < s->dimensions; j++) {
    double *of = effect + j * trajectories;
    const char *name = s->metric[k].name, *unit = s->metric[k].unit, *factor = factor_of(s, j)->name;
    moments m = moments_of(of, trajectories);
    for (size_t n = 0; n < trajectories; n++)
      of[n] = fabs(of[n]);
    add_figure(t, unit, moments_of(of, trajectories).mean,
               "mean magnitude of the factor's elementary effects, per whole range", "%s_by_%s_effect", name, factor);
    add_figure(t, unit, m.mean, "mean of the factor's elementary effects", "%s_by_%s_drift", name, factor);
    add_figure(
        t, unit, m.deviation,
        "standard deviation of the elementary effects; > 0: the factor acts nonlinearly, or together with others",
        "%s_by_%s_scatter", name, factor);
  }
}

static void add_stop(const receiver *t) {
  const vd_summary *s = t->s;
  const vd_study *study = s->study;
  bool stops = s->stop < study->count;
  add_figure(t, "1", stops ? (double)s->stop : NAN,
             "first case in which all constraints of `stop` hold; no value: there is no such case", "stop_case");
  for (size_t f = 0; f < study->factors; f++)
    if (study->factor[f].numeric)
      add_figure(t, study->factor[f].unit, stops ? s->at_stop[f].number : NAN, "value of the factor in that case",
                 "stop_%s", study->factor[f].name);
}

void vd_summary_figures(vd_summary *s, void (*take)(void *context, const vd_metric *figure), void *context) {
  const receiver t = {s, take, context};
  const vd_study *study = s->study;
  const int type = study->def.design.type;
  double *scratch = vd_allocate(4 * study->count + study->dimensions + 1, sizeof *scratch);
  vd_design_walk *walk = type == VD_DESIGN_MORRIS ? vd_design_start(study) : NULL;
  const size_t *of = s->ending;
  size_t ended = of[VD_CASE_UNANSWERED] + of[VD_CASE_ENDED], failed = ended + of[VD_CASE_REFUSED] + of[VD_CASE_DIED];
  size_t run = of[VD_CASE_OK] + failed;
  const struct {
    const char *name;
    size_t count;
    const char *meaning;
  } counts[] = {{"cases", run + of[VD_CASE_EXCLUDED], "number of cases of the study"},
                {"excluded", of[VD_CASE_EXCLUDED], "number of cases that a constraint excludes"},
                {"ended", ended, "number of cases that ended early, or whose search has no answer"},
                {"refused", of[VD_CASE_REFUSED], "number of cases whose scenario was refused"},
                {"died", of[VD_CASE_DIED], "number of cases whose process died"}};
  for (size_t k = 0; k < VD_COUNT(counts); k++)
    add_figure(&t, "1", (double)counts[k].count, counts[k].meaning, "%s", counts[k].name);
  rate(&t, failed, run);
  if (study->def.stop.count > 0)
    add_stop(&t);
  for (size_t k = 0; k < study->metrics; k++) {
    distribution(&t, k, scratch);
    if (type == VD_DESIGN_SALTELLI)
      sobol_indices(&t, k, scratch);
    if (walk)
      elementary_effects(&t, k, walk, scratch);
  }
  vd_design_finish(walk);
  free(scratch);
}

typedef struct collecting {
  vd_arena *arena;
  vd_metrics *out;
  bool all;
} collecting;

static void collect(void *context, const vd_metric *figure) {
  collecting *c = context;
  if (c->out->count == VD_METRICS_MAX) {
    c->all = false;
    return;
  }
  vd_metric *to = &c->out->metric[c->out->count++];
  *to = *figure;
  to->name = vd_arena_copy(c->arena, figure->name, strlen(figure->name));
}

bool vd_summary_collect(vd_summary *s, vd_arena *arena, vd_metrics *out) {
  collecting c = {arena, out, true};
  out->count = 0;
  vd_summary_figures(s, collect, &c);
  return c.all;
}
