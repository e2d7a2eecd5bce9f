/* Writes an optimisation: its points, and the active limits of each point. */
#include "study/fit_impl.h"

#include "base/base.h"
#include "base/elementary.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

static const char *name_of(const vd_run_fit *fit, size_t target, vd_arena *arena) {
  return vd_arena_printf(arena, "%s_%s", fit->data[fit->target[target].data].name, fit->target[target].name);
}

/* --- active limits of a point --- */

double vd_optimise_miss(const vd_run_goal *goal, double value) {
  return vd_max(vd_max(goal->low - value, value - goal->high), 0.0);
}

/* True if a goal is missed at a point. */
static bool is_missed(const vd_run_fit *fit, const vd_optimum *at, size_t t) {
  return vd_optimise_miss(&fit->goal[t], at->solution.value[t]) > fit->goal[t].tolerance;
}

static bool is_met(const vd_run_fit *fit, const vd_optimum *at) {
  bool met = true;
  for (size_t t = 0; t < fit->targets; t++)
    met = met && !is_missed(fit, at, t);
  return met;
}

/* True if limits are active at a point. Without an aim a point that meets all goals has no active limits. If goals are
 * missed, the multipliers belong to the misses, and do not give the change of the aim. */
static bool is_held(const vd_run_fit *fit, const vd_optimum *at) {
  return at->target != SIZE_MAX || !is_met(fit, at);
}

static bool has_prices(const vd_run_fit *fit, const vd_optimum *at) {
  return at->target != SIZE_MAX && is_met(fit, at);
}

static const char *note_of_bound(const vd_run_fit *fit, const vd_optimum *at, size_t k) {
  double price = is_held(fit, at) ? at->solution.bound_price[k] : 0.0;
  return price == 0.0 ? "" : price > 0.0 ? "held at its lower bound" : "held at its upper bound";
}

/* Returns the note of a goal. At all points of a front except its ends a limit of the other aim is active. */
static const char *note_of_goal(const vd_run_fit *fit, const vd_optimum *at, size_t t, vd_arena *arena) {
  const vd_run_goal *g = &fit->goal[t];
  double price = is_held(fit, at) ? at->solution.price[t] : 0.0;
  const char *aim = at->target != t ? "" : g->aim == VD_AIM_LEAST ? "least" : "most";
  const char *is = price == 0.0                               ? ""
                   : g->aim != VD_AIM_NONE && at->target != t ? "held for the front"
                   : g->low == g->high                        ? "held at its target"
                   : price > 0.0                              ? "held at its lower limit"
                                                              : "held at its upper limit";
  if (is_missed(fit, at, t))
    return vd_arena_printf(arena, "missed by %.4g", vd_optimise_miss(g, at->solution.value[t]));
  return vd_arena_printf(arena, "%s%s%s", aim, *aim && *is ? ", " : "", is);
}

/* --- tables --- */

static void add_to_list(vd_buf *list, const char *name, const char *note) {
  if (strstr(note, "held") || strstr(note, "missed"))
    vd_buf_printf(list, "%s%s %s", list->length > 0 ? "; " : "", name, note);
}

void vd_optimise_write_points(const vd_fit *of, const vd_fit_result *r, enum vd_digits digits, vd_output *o) {
  const vd_run_fit *fit = &of->as.runs;
  vd_arena *arena = vd_arena_create();
  vd_buf text = {0};
  vd_buf_puts(&text, "point");
  for (size_t k = 0; k < fit->frees; k++) {
    vd_buf_printf(&text, ",%s", fit->free[k].name);
    vd_study_add_unit(fit->free[k].unit, &text);
  }
  for (size_t t = 0; t < fit->targets; t++)
    vd_buf_printf(&text, ",%s", name_of(fit, t, arena));
  vd_buf_puts(&text, ",note\n");
  vd_output_bytes(o, text.text, text.length);
  for (size_t i = 0; i < r->optima; i++) {
    const vd_optimum *at = &r->optimum[i];
    double row[1 + VD_RUN_FIT_FREE + VD_SQP_VALUES];
    size_t count = 0;
    row[count++] = (double)(i + 1);
    text.length = 0;
    for (size_t k = 0; k < fit->frees; k++) {
      row[count++] = at->figure[k] + 0.0;
      add_to_list(&text, fit->free[k].name, note_of_bound(fit, at, k));
    }
    for (size_t t = 0; t < fit->targets; t++) {
      row[count++] = at->solution.value[t] + 0.0;
      add_to_list(&text, name_of(fit, t, arena), note_of_goal(fit, at, t, arena));
    }
    vd_output_numbers(o, row, count, digits);
    vd_output_field(o, text.length > 0 ? text.text : "");
    vd_output_puts(o, "\n");
  }
  vd_buf_finish(&text);
  vd_arena_destroy(arena);
}

/* One row of the table of figures: a number or a goal at a point, with its limits. */
typedef struct holder {
  const char *name, *unit, *kind, *note;
  double start, value, low, high, price;
} holder;

static void write_holder(size_t point, const holder *h, enum vd_digits digits, vd_output *o) {
  const char *const word[] = {h->name, h->unit, h->kind};
  const double value[] = {h->start + 0.0, h->value + 0.0, isfinite(h->low) ? h->low + 0.0 : NAN,
                          isfinite(h->high) ? h->high + 0.0 : NAN, h->price + 0.0};
  const double number = (double)(point + 1);
  vd_output_numbers(o, &number, 1, digits);
  vd_fit_write_words(word, VD_COUNT(word), o);
  vd_output_numbers(o, value, VD_COUNT(value), digits);
  vd_output_field(o, h->note);
  vd_output_puts(o, "\n");
}

void vd_optimise_write_figures(const vd_fit *of, const vd_fit_result *r, enum vd_digits digits, vd_output *o) {
  const vd_run_fit *fit = &of->as.runs;
  vd_arena *arena = vd_arena_create();
  vd_output_puts(o, "point,name,unit,kind,start,value,low,high,price,note\n");
  for (size_t i = 0; i < r->optima; i++) {
    const vd_optimum *at = &r->optimum[i];
    bool prices = has_prices(fit, at);
    for (size_t k = 0; k < fit->frees; k++) {
      const vd_run_free *f = &fit->free[k];
      write_holder(i,
                   &(holder){f->name, f->unit, "number", note_of_bound(fit, at, k), f->start, at->figure[k], f->low,
                             f->high, prices ? at->bound_price[k] : NAN},
                   digits, o);
    }
    for (size_t t = 0; t < fit->targets; t++) {
      const vd_run_goal *g = &fit->goal[t];
      write_holder(i,
                   &(holder){name_of(fit, t, arena), fit->target[t].unit, "goal", note_of_goal(fit, at, t, arena),
                             r->optimum[0].solution.start[t], at->solution.value[t], g->low, g->high,
                             prices ? at->price[t] : NAN},
                   digits, o);
    }
  }
  vd_arena_destroy(arena);
}

/* --- metrics and remarks --- */

void vd_optimise_metrics(const vd_fit *of, const vd_fit_result *r, vd_arena *arena, vd_metrics *out) {
  const vd_run_fit *fit = &of->as.runs;
  const vd_optimum *at = r ? &r->optimum[r->chosen] : NULL;
  bool prices = r && has_prices(fit, at);
  const vd_fit_metric all[] = {
      {"missed", "1", "number of goals that are missed by more than their tolerance", r ? (double)r->missed : NAN},
      {"points", "1", "number of points that were found: the points of the front, or 1", r ? (double)r->optima : NAN},
      {"chosen", "1", "number of the point to which the metrics below belong", r ? (double)(r->chosen + 1) : NAN},
      {"runs", "1", "number of runs", r ? (double)r->runs : NAN},
      {"iterations", "1", "number of iterations for all points", r ? (double)r->iterations : NAN}};
  vd_fit_add_metrics(all, VD_COUNT(all), (const char *const[]){"", ""}, arena, out);
  for (size_t k = 0; k < fit->frees; k++) {
    const vd_run_free *f = &fit->free[k];
    const vd_fit_metric of_number[] = {
        {"", f->unit, "number that was found", r ? at->figure[k] : NAN},
        {"price", "1", "change of the aim per change of the active bound, each in its unit; 0: no bound is active",
         prices ? at->bound_price[k] : NAN}};
    vd_fit_add_metrics(of_number, VD_COUNT(of_number), (const char *const[]){f->name, ""}, arena, out);
  }
  for (size_t t = 0; t < fit->targets; t++) {
    const vd_run_target *target = &fit->target[t];
    const vd_fit_metric of_goal[] = {
        {"", target->unit, "value of the goal's metric", r ? at->solution.value[t] : NAN},
        {"price", "1", "change of the aim per change of the active limit, each in its unit; 0: no limit is active",
         prices ? at->price[t] : NAN}};
    vd_fit_add_metrics(of_goal, VD_COUNT(of_goal), (const char *const[]){fit->data[target->data].name, target->name},
                       arena, out);
  }
}

static const char *shown(const char *unit) {
  return strcmp(unit, "1") == 0 ? "" : unit;
}

static const char *space_of(const char *unit) {
  return *shown(unit) ? " " : "";
}

/* Adds a line for a number or a goal. aim: the metric whose change the multiplier gives. */
static void add_line(vd_buf *out, const char *file, const holder *h, const char *aim) {
  vd_buf_printf(out, "%s: %s = %.6g%s%s%s%s", file, h->name, h->value, space_of(h->unit), shown(h->unit),
                *h->note ? ", " : "", h->note);
  if (h->price != 0.0 && !isnan(h->price))
    vd_buf_printf(out, ": a limit that is 1%s%s higher changes %s by %.4g", space_of(h->unit), shown(h->unit), aim,
                  h->price);
  vd_buf_puts(out, "\n");
}

void vd_optimise_remark(const vd_fit *of, const vd_fit_result *r, const char *name, vd_buf *out) {
  const vd_run_fit *fit = &of->as.runs;
  const vd_optimum *at = &r->optimum[r->chosen];
  bool prices = has_prices(fit, at);
  vd_arena *arena = vd_arena_create();
  const char *aim = at->target != SIZE_MAX ? name_of(fit, at->target, arena) : "";
  vd_buf_printf(out, "%s: %zu numbers, %zu goals, %zu runs\n", name, fit->frees, fit->targets, r->runs);
  if (r->optima > 1)
    vd_buf_printf(out, "%s: of %zu points of the front, point %zu is nearest to the best of both aims:\n", name,
                  r->optima, r->chosen + 1);
  for (size_t k = 0; k < fit->frees; k++)
    add_line(out, name,
             &(holder){.name = fit->free[k].name,
                       .unit = fit->free[k].unit,
                       .note = note_of_bound(fit, at, k),
                       .value = at->figure[k],
                       .price = prices ? at->bound_price[k] : NAN},
             aim);
  for (size_t t = 0; t < fit->targets; t++)
    add_line(out, name,
             &(holder){.name = name_of(fit, t, arena),
                       .unit = fit->target[t].unit,
                       .note = note_of_goal(fit, at, t, arena),
                       .value = at->solution.value[t],
                       .price = prices ? at->price[t] : NAN},
             aim);
  vd_arena_destroy(arena);
}
