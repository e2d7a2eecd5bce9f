/* Reads a fit of runs and everything that it names: scenarios, keys, metrics, channels, measured files. */
#include "study/fit_impl.h"

#include "base/elementary.h"
#include "input/file.h"
#include "input/quantity.h"
#include "input/schema.h"
#include "kc/sweep.h"

#include <math.h>
#include <string.h>

/* Words for messages about things that fits and optimisations have in common. */
typedef struct words {
  const vd_schema *schema;
  int kind; /* enum vd_scenario_kind */
  const char *name, *key, *found, *block, *runs, *run, *figures;
} words;

static const words words_of_fit = {&vd_run_fit_schema, VD_SCENARIO_FIT, "a fit",  "fit", "figures", "fit",
                                   "fit.data",         "data",          "figures"};
static const words words_of_optimisation = {&vd_optimise_schema,
                                            VD_SCENARIO_OPTIMISE,
                                            "an optimisation",
                                            "optimise",
                                            "numbers",
                                            "optimise",
                                            "optimise.runs",
                                            "run",
                                            "goals"};

typedef struct reading {
  vd_run_fit *fit;
  vd_diag *d;
  const words *is;
  bool optimises;
} reading;

static const char *path_of(const reading *r, const char *list, size_t i) {
  return vd_tree_item_path(r->fit->root, list, i, r->fit->arena);
}

static const char *run_path(const reading *r, size_t k) {
  return path_of(r, r->is->runs, k);
}

/* Returns the path of item i of a list in the block of the fit. */
static const char *item_path(const reading *r, const char *list, size_t i) {
  return path_of(r, vd_arena_printf(r->fit->arena, "%s.%s", r->is->block, list), i);
}

static vd_place at(const reading *r, const char *path, const char *key) {
  return vd_tree_place_in(r->fit->root, path, "%s", key);
}

/* --- experiments --- */

static vd_names joined(vd_arena *arena, const vd_names *a, const vd_names *b) {
  const char **name = vd_fit_grown(arena, a->name, a->count, b->count, sizeof *name);
  for (size_t i = 0; i < b->count; i++)
    name[a->count + i] = b->name[i];
  return (vd_names){name, a->count + b->count};
}

static bool same_names(const vd_names *a, const vd_names *b) {
  bool same = a->count == b->count;
  for (size_t i = 0; same && i < a->count; i++)
    same = strcmp(a->name[i], b->name[i]) == 0;
  return same;
}

/* Sets the scenario or suspension of an experiment, which the data or the fit name. */
static bool read_experiment(reading *r, size_t k) {
  vd_run_fit *f = r->fit;
  static const char *const all[] = {"*"};
  vd_run_data_def *def = f->data[k].def;
  bool own = *def->scenario || *def->suspension;
  const char *path = run_path(r, k), **of[] = {&f->def.scenario, &f->def.suspension};
  vd_run_experiment e = {.base = {.arena = f->arena, .folder = f->folder, .root = f->root}};
  e.base.def = (vd_study_def){.scenario = own ? def->scenario : f->def.scenario,
                              .suspension = own ? def->suspension : f->def.suspension,
                              .set = joined(f->arena, &f->def.set, &def->set),
                              .metrics = {all, 1}};
  if (own) {
    of[0] = &def->scenario;
    of[1] = &def->suspension;
    e.base.root = vd_tree_find(f->root, path);
  } else if (!*f->def.scenario && !*f->def.suspension) {
    vd_error(r->d, at(r, path, "scenario"),
             "the data need the scenario of the measurement: a 'scenario' or 'suspension', in "
             "the data or in the fit");
    return false;
  }
  for (size_t i = 0; i < f->experiments; i++) {
    const vd_study_def *other = &f->experiment[i].base.def;
    const char *full = *e.base.def.scenario ? vd_file_full(f->arena, e.base.def.scenario) : "";
    const char *corner = *e.base.def.suspension ? vd_file_full(f->arena, e.base.def.suspension) : "";
    if (strcmp(other->scenario, full) == 0 && strcmp(other->suspension, corner) == 0 &&
        same_names(&other->set, &e.base.def.set)) {
      f->data[k].experiment = i;
      *of[0] = other->scenario;
      *of[1] = other->suspension;
      return true;
    }
  }
  vd_study_reading reads = {.study = &e.base, .d = r->d};
  if (!vd_study_read_base(&reads))
    return false;
  e.history = reads.history;
  *of[0] = e.base.def.scenario; /* names that are valid from any folder */
  *of[1] = e.base.def.suspension;
  f->experiment = vd_fit_grown(f->arena, f->experiment, f->experiments, 1, sizeof *f->experiment);
  f->data[k].experiment = f->experiments;
  f->experiment[f->experiments++] = e;
  return true;
}

/* --- free figures --- */

static void add_setting(vd_run_fit *f, vd_run_experiment *e, vd_run_setting setting) {
  e->setting = vd_fit_grown(f->arena, e->setting, e->settings, 1, sizeof *e->setting);
  e->setting[e->settings++] = setting;
}

/* Adds the setting of a key to all experiments that have the key as a number. free (may be NULL): gets the unit of the
 * key, which must be the same in all experiments, and the start. *number: the row of the key. False after an error. */
static bool set_key(reading *r, const char *key, vd_place place, vd_run_setting setting, vd_run_free *free,
                    vd_number_row *number) {
  vd_run_fit *f = r->fit;
  bool any = false;
  for (size_t i = 0; i < f->experiments; i++) {
    vd_run_experiment *e = &f->experiment[i];
    vd_number_row row;
    vd_diag *dropped = vd_diag_create();
    bool has = vd_schema_find_number(vd_kinds[e->base.kind].schema, e->base.plain, key, place, dropped, &row);
    vd_diag_destroy(dropped);
    if (!has)
      continue;
    setting.key = key;
    add_setting(f, e, setting);
    if (!any)
      *number = row;
    any = true;
    if (!free)
      continue;
    double value;
    free->acts[i] = true;
    if (isnan(free->start) && vd_study_number(&e->base, key, &value))
      free->start = value;
    if (free->unit && strcmp(free->unit, row.unit) != 0)
      vd_error(r->d, place, "'%s' is in %s and the key before it in %s; the keys of a figure must have the same unit",
               key, row.unit, free->unit);
    free->unit = row.unit;
  }
  if (!any)
    vd_schema_find_number(vd_kinds[f->experiment[0].base.kind].schema, f->experiment[0].base.plain, key, place, r->d,
                          number);
  return any;
}

/* Checks that a number of the figure is valid for its key; range: also that it is within the key's range. */
static void check_number(reading *r, const char *path, const char *key, const vd_number_row *number, bool range) {
  const vd_node *node = vd_tree_find(r->fit->root, vd_arena_printf(r->fit->arena, "%s.%s", path, key));
  if (node && node->kind == VD_NODE_SCALAR && strcmp(node->text, "auto") != 0)
    vd_schema_number_fits(number, key, node, range, r->fit->arena, r->d, NULL);
}

static void check_bounds(reading *r, vd_run_free *f, const char *path) {
  const vd_run_free_def *def = f->def;
  f->low = !isnan(def->low) ? def->low : -INFINITY;
  f->high = !isnan(def->high) ? def->high : INFINITY;
  if (isnan(f->start) && isfinite(f->low) && isfinite(f->high))
    f->start = 0.5 * (f->low + f->high);
  if (r->optimises && !(isfinite(f->low) && isfinite(f->high)))
    vd_error(r->d, at(r, path, isfinite(f->low) ? "high" : "low"), "'%s' needs two bounds, low and high", f->name);
  else if (!(f->low < f->high))
    vd_error(r->d, at(r, path, "low"), "low (%.9g) must be below high (%.9g)", f->low, f->high);
  else if (isnan(f->start))
    vd_error(r->d, at(r, path, "start"), "the scenario has no number for '%s'; give its start", f->name);
  else if (!(f->low <= f->start && f->start <= f->high))
    vd_error(r->d, at(r, path, "start"), "the start of '%s', %.9g, is outside of its bounds", f->name, f->start);
  else if (r->optimises && def->logarithm && !(f->low > 0.0))
    vd_error(r->d, at(r, path, "low"), "the logarithm of '%s' needs a lower bound above 0", f->name);
  else if (def->logarithm && !(f->start > 0.0 && (f->low >= 0.0 || isnan(def->low))))
    vd_error(r->d, at(r, path, "logarithm"), "the logarithm of '%s' needs a start above 0, and no bound <= 0", f->name);
  if (def->logarithm && !(f->low > 0.0))
    f->low = 0.0;
  f->size = !isnan(def->size) ? def->size : 0.1 * fabs(f->start);
  if (vd_diag_errors(r->d) == 0 && !(f->size > 0.0) && !(isfinite(f->low) && isfinite(f->high)))
    vd_error(r->d, at(r, path, "size"), "'%s' needs two bounds, or a 'size' above 0: a significant change", f->name);
  if (!isnan(def->deviation) && !(def->deviation > 0.0))
    vd_error(r->d, at(r, path, "deviation"), "a standard deviation must be above 0");
  if (r->fit->def.fit.starts.count > 1 &&
      !(isfinite(f->high) && isfinite(f->low) && !(def->logarithm && f->low == 0.0)))
    vd_error(r->d, at(r, path, "low"), "several starts need both bounds of each figure; '%s' lacks one", f->name);
}

static void check_name(reading *r, size_t i, const char *path) {
  const vd_run_fit *f = r->fit;
  const vd_run_free *free = &f->free[i];
  vd_place place = at(r, path, *free->def->name ? "name" : "key");
  bool taken = false;
  for (size_t k = 0; k < i; k++)
    taken |= strcmp(f->free[k].name, free->name) == 0;
  vd_study_check_name(free->name, "a figure", taken, place, r->d);
}

static void check_key(reading *r, const char *key, vd_place place) {
  const vd_run_fit *f = r->fit;
  for (size_t i = 0; i < f->experiments; i++)
    for (size_t k = 0; k < f->experiment[i].settings; k++)
      if (strcmp(f->experiment[i].setting[k].key, key) == 0) {
        vd_error(r->d, place, "'%s' already has a value from another figure or formula", key);
        return;
      }
}

static void read_free(reading *r, size_t i) {
  static const char *const numbers[] = {"start", "low", "high", "size", "deviation"};
  vd_run_fit *f = r->fit;
  vd_run_free *free = &f->free[i];
  const vd_run_free_def *def = free->def = (const vd_run_free_def *)f->def.fit.free.item + i;
  const char *path = item_path(r, "free", i);
  size_t errors = vd_diag_errors(r->d);
  free->name = *def->name ? def->name : def->keys.count ? vd_name_of_key(def->keys.name[0], f->arena) : "";
  free->start = def->start;
  free->acts = vd_arena_alloc(f->arena, f->experiments * sizeof *free->acts);
  check_name(r, i, path);
  for (size_t k = 0; k < def->keys.count; k++) {
    vd_number_row number;
    check_key(r, def->keys.name[k], at(r, path, "key"));
    if (set_key(r, def->keys.name[k], at(r, path, "key"), (vd_run_setting){.free = i}, free, &number))
      for (size_t n = 0; n < VD_COUNT(numbers); n++)
        if (n < 4 || !def->logarithm)
          check_number(r, path, numbers[n], &number, n < 3);
  }
  free->unit = free->unit ? free->unit : "1";
  if (vd_diag_errors(r->d) == errors)
    check_bounds(r, free, path);
}

static void check_formula_name(void *context, const char *name, vd_place place) {
  const reading *r = context;
  const vd_run_fit *f = r->fit;
  const char *names[VD_RUN_FIT_FREE];
  double value;
  for (size_t i = 0; i < f->frees; i++) {
    names[i] = f->free[i].name;
    if (vd_study_is_called(name, names[i], &f->free[i].def->keys))
      return;
  }
  for (size_t i = 0; i < f->experiments; i++)
    if (vd_study_number(&f->experiment[i].base, name, &value))
      return;
  vd_error(r->d, place, "'%s' is neither a free figure nor a number of a scenario%s", name,
           vd_did_you_mean(f->arena, vd_suggest(name, names, f->frees)));
}

static void read_formula(reading *r, size_t i) {
  vd_run_fit *f = r->fit;
  const vd_run_formula_def *def = (const vd_run_formula_def *)f->def.fit.formulas.item + i;
  const char *path = item_path(r, "formulas", i);
  vd_number_row number;
  vd_run_setting setting = {.formula = vd_expression_read(def->formula, at(r, path, "formula"), NULL, f->arena, r->d)};
  if (setting.formula)
    vd_expression_names(setting.formula, check_formula_name, r);
  for (size_t k = 0; k < def->keys.count && setting.formula; k++) {
    check_key(r, def->keys.name[k], at(r, path, "key"));
    set_key(r, def->keys.name[k], at(r, path, "key"), setting, NULL, &number);
  }
}

static void read_frees(reading *r) {
  vd_run_fit *f = r->fit;
  size_t count = f->def.fit.free.count;
  if (count == 0 || count > VD_RUN_FIT_FREE) {
    vd_error(r->d, vd_tree_place_in(f->root, r->is->block, "free"), "%s finds 1 to %d %s, not %zu", r->is->name,
             (int)VD_RUN_FIT_FREE, r->is->found, count);
    return;
  }
  f->free = vd_arena_alloc(f->arena, count * sizeof *f->free);
  for (f->frees = 0; f->frees < count; f->frees++)
    read_free(r, f->frees);
  for (size_t i = 0; i < f->def.fit.formulas.count; i++)
    read_formula(r, i);
  for (size_t i = 0; i < f->frees && vd_diag_errors(r->d) == 0; i++)
    if (f->free[i].def->keys.count == 0 && f->def.fit.formulas.count == 0)
      vd_error(r->d, at(r, item_path(r, "free", i), "name"), "'%s' has no key and is in no formula", f->free[i].name);
}

/* --- targets --- */

/* Converts a text with or without unit to a number in a unit; NAN after an error. */
static double number_in(const reading *r, const char *text, const char *unit, const char *key, vd_place place) {
  vd_quantity q;
  vd_unit own;
  if (!vd_quantity_read(text, key, place, r->d, &q))
    return NAN;
  if (!(fabs(q.value) <= VD_MEASURED_MAX)) {
    vd_error(r->d, place, "'%s' is above %g, which is not a measured value", key, VD_MEASURED_MAX);
    return NAN;
  }
  if (q.bare)
    return q.value;
  if (vd_quantity_unit(unit, strlen(unit), &own) && vd_dimension_equal(own.dimension, q.unit.dimension))
    return vd_quantity_in(unit, q.value);
  vd_error(r->d, place, "'%s' is in %s; '%s' has another unit", key, *unit ? unit : "no unit", text);
  return NAN;
}

static vd_run_target *add_target(vd_run_fit *f, size_t data, const char *name, const char *unit) {
  f->target = vd_fit_grown(f->arena, f->target, f->targets, 1, sizeof *f->target);
  vd_run_target *t = &f->target[f->targets++];
  *t = (vd_run_target){.name = name, .unit = unit, .data = data, .first = f->values, .scatter = NAN};
  return t;
}

static void add_values(vd_run_fit *f, vd_run_target *t, const double *measured, const double *weight, size_t count) {
  f->measured = vd_fit_grown(f->arena, f->measured, f->values, count, sizeof *f->measured);
  f->weight = vd_fit_grown(f->arena, f->weight, f->values, count, sizeof *f->weight);
  for (size_t i = 0; i < count; i++) {
    f->measured[f->values + i] = measured[i];
    f->weight[f->values + i] = t->weight * (weight ? weight[i] : 1.0);
  }
  t->rows = count;
  f->values += count;
}

static void read_scatter(const reading *r, const char *text, const char *path, vd_run_target *t) {
  if (!*text)
    return;
  t->scatter = number_in(r, text, t->unit, "scatter", at(r, path, "scatter"));
  if (!isnan(t->scatter) && !(t->scatter > 0.0))
    vd_error(r->d, at(r, path, "scatter"), "a scatter must be above 0");
}

static const char *figure_path(const reading *r, size_t k, size_t i) {
  return path_of(r, vd_arena_printf(r->fit->arena, "%s.%s", run_path(r, k), r->is->figures), i);
}

/* Makes a target for a metric; NULL after an error. */
static vd_run_target *metric_called(reading *r, size_t k, size_t i) {
  vd_run_fit *f = r->fit;
  const vd_run_data *data = &f->data[k];
  const char *metric = ((const vd_run_figure_def *)data->def->figures.item + i)->metric;
  const vd_study *base = &f->experiment[data->experiment].base;
  const char *names[VD_METRICS_MAX], *unit = NULL;
  for (size_t n = 0; n < base->metrics; n++) {
    names[n] = base->metric[n].name;
    unit = strcmp(names[n], metric) == 0 ? base->metric[n].unit : unit;
  }
  if (unit)
    return add_target(f, k, metric, unit);
  const char *near = vd_suggest(metric, names, base->metrics);
  vd_error(r->d, at(r, figure_path(r, k, i), "metric"), "the run has no metric '%s'%s", metric,
           near ? vd_did_you_mean(f->arena, near) : vd_study_lacks_metric);
  return NULL;
}

static void read_figure(reading *r, size_t k, size_t i) {
  vd_run_fit *f = r->fit;
  const vd_run_figure_def *def = (const vd_run_figure_def *)f->data[k].def->figures.item + i;
  const char *path = figure_path(r, k, i);
  vd_run_target *t = metric_called(r, k, i);
  if (!t)
    return;
  double value = number_in(r, def->value, t->unit, "value", at(r, path, "value"));
  t->weight = def->weight;
  read_scatter(r, def->scatter, path, t);
  if (value == 0.0 && !*def->scatter)
    vd_error(r->d, at(r, path, "value"), "a scatter cannot be a share of a value of 0: the figure needs a 'scatter'");
  add_values(f, t, &value, NULL, 1);
}

/* --- goals --- */

static double limit_in(const reading *r, const char *text, const char *key, const char *unit, const char *path,
                       double none) {
  return *text ? number_in(r, text, unit, key, at(r, path, key)) : none;
}

static void check_goal(const reading *r, const vd_run_figure_def *def, vd_run_goal *g, const char *path) {
  bool limited = *def->above || *def->below, target = *def->value != '\0';
  double largest = vd_max(isfinite(g->low) ? fabs(g->low) : 0.0, isfinite(g->high) ? fabs(g->high) : 0.0);
  if (!limited && !target && g->aim == VD_AIM_NONE)
    vd_error(r->d, at(r, path, ""), "the goal is empty: it needs 'value', 'above', 'below' or 'aim'");
  else if (target && (limited || g->aim != VD_AIM_NONE))
    vd_error(r->d, at(r, path, "value"), "a goal with a target cannot also have a limit or an aim");
  else if (g->low > g->high)
    vd_error(r->d, at(r, path, "above"), "above (%.9g) must not be greater than below (%.9g)", g->low, g->high);
  else if (*def->tolerance && !(g->tolerance > 0.0))
    vd_error(r->d, at(r, path, "tolerance"), "a tolerance must be above 0");
  else if (!*def->tolerance && (limited || target) && largest == 0.0)
    vd_error(r->d, at(r, path, target ? "value" : ""),
             "a tolerance cannot be a share of a limit of 0: the goal needs a 'tolerance'");
  if (!*def->tolerance)
    g->tolerance = largest > 0.0 ? 1e-3 * largest : 1.0;
}

static void read_goal(reading *r, size_t k, size_t i) {
  vd_run_fit *f = r->fit;
  const vd_run_figure_def *def = (const vd_run_figure_def *)f->data[k].def->figures.item + i;
  const char *path = figure_path(r, k, i);
  const vd_run_target *t = metric_called(r, k, i);
  size_t errors = vd_diag_errors(r->d);
  if (!t)
    return;
  double value = limit_in(r, def->value, "value", t->unit, path, NAN);
  vd_run_goal g = {.aim = (enum vd_run_aim)def->aim,
                   .low = *def->value ? value : limit_in(r, def->above, "above", t->unit, path, -INFINITY),
                   .high = *def->value ? value : limit_in(r, def->below, "below", t->unit, path, INFINITY),
                   .tolerance = limit_in(r, def->tolerance, "tolerance", t->unit, path, NAN)};
  if (vd_diag_errors(r->d) == errors)
    check_goal(r, def, &g, path);
  f->goal = vd_fit_grown(f->arena, f->goal, f->targets - 1, 1, sizeof *f->goal);
  f->goal[f->targets - 1] = g;
  add_values(f, &f->target[f->targets - 1], &value, NULL, 1);
}

/* Checks the number of goals, and that at most two goals have an aim. */
static void check_aims(const reading *r) {
  size_t aims = 0;
  for (size_t t = 0; t < r->fit->targets; t++)
    aims += r->fit->goal[t].aim != VD_AIM_NONE;
  if (aims > 2)
    vd_error(r->d, vd_tree_place(r->fit->root, r->is->runs), "%zu goals have an aim; at most two are allowed", aims);
  if (r->fit->targets > VD_SQP_VALUES)
    vd_error(r->d, vd_tree_place(r->fit->root, r->is->runs), "there are %zu goals; at most %d", r->fit->targets,
             (int)VD_SQP_VALUES);
}

/* --- measured rows --- */

/* Returns the channel of a run that has a log; NULL after an error. */
static const vd_channel *channel_called(const reading *r, const vd_study *base, const char *name, vd_place place) {
  size_t count;
  const vd_channel *table = vd_kind_channels(base->kind, &count);
  const vd_node *level = vd_tree_find(base->plain, "run.level");
  const char *names[VD_CHANNELS];
  for (size_t i = 0; i < count; i++)
    if (strcmp(table[i].name, name) == 0) {
      if (base->kind == VD_KIND_VEHICLE && level && !(table[i].levels & VD_WHEN(level->text[1] - '0'))) {
        vd_error(r->d, place, "the level of the scenario, %s, has no channel '%s'", level->text, name);
        return NULL;
      }
      return &table[i];
    }
  for (size_t i = 0; i < count; i++)
    names[i] = table[i].name;
  vd_error(r->d, place, "there is no channel '%s'%s", name,
           vd_did_you_mean(r->fit->arena, vd_suggest(name, names, count)));
  return NULL;
}

static const char *unit_of_channel(reading *r, size_t k, size_t c, vd_place place) {
  vd_run_data *data = &r->fit->data[k];
  const vd_study *base = &r->fit->experiment[data->experiment].base;
  const char *name = data->channel[c];
  if (base->kind != VD_KIND_SUSPENSION) {
    const vd_channel *channel = channel_called(r, base, name, place);
    data->from[c] = channel;
    return channel ? channel->unit : NULL;
  }
  const char *unit = vd_kc_column_unit(name);
  if (!unit || !*unit)
    vd_error(r->d, place, "a sweep has no column '%s' of numbers; see vdsim-kc-sweep --list-columns", name);
  else if (c == 0 && vd_kc_sweep_over(name) < 0)
    vd_error(
        r->d, place,
        "there is no sweep over '%s'; there are sweeps over travel_mm, rack_mm, fx_N, fy_N, fz_N, mz_Nm or fx_centre_N",
        name);
  return unit && *unit ? unit : NULL;
}

/* Checks that the window `over' of a file's rows is in the unit of its channel. */
static void check_window(const reading *r, const char *path, const char *unit) {
  static const char *const keys[] = {"from", "to"};
  for (size_t i = 0; i < VD_COUNT(keys); i++) {
    const vd_node *node = vd_tree_find(r->fit->root, vd_arena_printf(r->fit->arena, "%s.over.%s", path, keys[i]));
    if (node && node->kind == VD_NODE_SCALAR && strcmp(node->text, "auto") != 0)
      number_in(r, node->text, unit, keys[i], vd_node_place(node));
  }
}

/* Keeps the rows within the window, in the units of the channels. */
static void keep_rows(reading *r, size_t k, const vd_measured *m, const char *const *unit) {
  vd_run_fit *f = r->fit;
  vd_run_data *data = &f->data[k];
  const vd_run_over_def *over = &data->def->over;
  const vd_run_column_def *column = data->def->columns.item;
  double *x = vd_arena_alloc(f->arena, (m->rows + 1) * sizeof *x),
         *y = vd_arena_alloc(f->arena, (m->rows + 1) * sizeof *y),
         *weight = vd_arena_alloc(f->arena, (m->rows + 1) * sizeof *weight);
  size_t *kept = vd_arena_alloc(f->arena, (m->rows + 1) * sizeof *kept), weights = data->columns;
  for (size_t i = 0; i < m->rows; i++) {
    double at_row = m->value[0][i], of_row = m->value[weights] ? m->value[weights][i] : 1.0;
    if (!(of_row >= 0.0 && of_row <= 1e9))
      vd_error(r->d, vd_measured_place(m, r->d, i, weights), "a weight must be >= 0 and <= 1e9");
    if ((!isnan(over->from) && !(at_row >= over->from)) || (!isnan(over->to) && !(at_row <= over->to)))
      continue;
    kept[data->rows] = i;
    weight[data->rows] = of_row;
    x[data->rows++] = vd_quantity_in(unit[0], at_row);
  }
  data->x = x;
  if (data->rows == 0)
    vd_error(r->d, at(r, run_path(r, k), "over"), "no row of the file is in the window");
  for (size_t c = 1; c < data->columns && data->rows > 0; c++) {
    const char *list = vd_arena_printf(f->arena, "%s.columns", run_path(r, k));
    vd_run_target *t = add_target(f, k, data->channel[c], unit[c]);
    t->column = c;
    t->weight = column[c - 1].weight;
    read_scatter(r, column[c - 1].scatter, path_of(r, list, c - 1), t);
    for (size_t i = 0; i < data->rows; i++)
      y[i] = vd_quantity_in(unit[c], m->value[c][kept[i]]);
    add_values(f, t, y, weight, data->rows);
  }
}

static void read_file(reading *r, size_t k) {
  vd_run_fit *f = r->fit;
  vd_run_data *data = &f->data[k];
  const vd_run_data_def *def = data->def;
  const vd_run_column_def *column = def->columns.item;
  const vd_study *base = &f->experiment[data->experiment].base;
  const char *path = run_path(r, k);
  size_t count = 1 + def->columns.count;
  const char **unit = vd_arena_alloc(f->arena, count * sizeof *unit);
  const char *(*name)[8] = vd_arena_alloc(f->arena, (count + 1) * sizeof *name);
  vd_measured_quantity *want = vd_arena_alloc(f->arena, (count + 1) * sizeof *want);
  vd_measured m;
  bool good = true, corner = base->kind == VD_KIND_SUSPENSION;
  data->columns = count;
  data->channel = vd_arena_alloc(f->arena, count * sizeof *data->channel);
  if (!corner)
    data->from = vd_arena_alloc(f->arena, count * sizeof *data->from);
  data->channel[0] = *def->over.channel ? def->over.channel : corner ? "travel_mm" : "t_s";
  data->timed = strcmp(data->channel[0], "t_s") == 0;
  static const char *const times[] = {"t_s", "time_s", "time", "t"};
  for (size_t c = 0; c < count; c++) {
    const char *own = c == 0 ? "over" : vd_arena_printf(f->arena, "columns.%zu", c - 1);
    data->channel[c] = c == 0 ? data->channel[0] : column[c - 1].channel;
    unit[c] = unit_of_channel(r, k, c, at(r, vd_arena_printf(f->arena, "%s.%s", path, own), "channel"));
    good &= unit[c] != NULL;
    name[c][0] = data->channel[c];
    for (size_t n = 0; n < VD_COUNT(times) && c == 0 && data->timed; n++)
      name[c][n] = times[n];
    want[c] = (vd_measured_quantity){own, unit[c], name[c], c == 0 ? &def->over.column : &column[c - 1].column,
                                     VD_COLUMN_NEEDED};
  }
  if (unit[0])
    check_window(r, path, unit[0]);
  want[count] = (vd_measured_quantity){"row_weight", "1", name[count], &def->row_weight, VD_COLUMN_OPTIONAL};
  if (good && vd_measured_read(&def->table, f->root, path, want, count + 1, f->arena, r->d, &m))
    keep_rows(r, k, &m, unit);
}

static void read_data(reading *r, size_t k) {
  vd_run_fit *f = r->fit;
  vd_run_data *data = &f->data[k];
  const vd_run_data_def *def = data->def;
  const char *path = run_path(r, k);
  bool file = *def->table.file != '\0';
  for (size_t i = 0; i < def->figures.count; i++)
    (r->optimises ? read_goal : read_figure)(r, k, i);
  if (file != (def->columns.count > 0))
    vd_error(r->d, at(r, path, file ? "file" : "columns"), "a file needs 'columns', and columns need a 'file'");
  else if (file && f->experiment[data->experiment].base.kind != VD_KIND_SUSPENSION &&
           !f->experiment[data->experiment].history)
    vd_error(r->d, at(r, path, "file"), "a search has no time history");
  else if (file)
    read_file(r, k);
  else if (def->figures.count == 0)
    vd_error(r->d, at(r, path, r->is->figures),
             r->optimises ? "the run has no 'goals'"
                          : "the data are empty: they need 'figures', or a 'file' with 'columns'");
}

/* Sets the keys that only a fit has to the values that mean "not given". */
static void leave_out(vd_run_fit *f, vd_run_data_def *data) {
  size_t count = f->def.fit.free.count;
  vd_run_free_def *free = vd_fit_grown(f->arena, f->def.fit.free.item, count, 0, sizeof *free);
  for (size_t i = 0; i < count; i++)
    free[i].size = free[i].deviation = NAN;
  f->def.fit.free.item = free;
  for (size_t i = 0; i < f->def.fit.data.count; i++)
    data[i].table.file = "";
}

static bool read_names(reading *r) {
  vd_run_fit *f = r->fit;
  size_t count = f->def.fit.data.count;
  bool good = count > 0 && count <= VD_RUN_FIT_DATA;
  if (!good)
    vd_error(r->d, vd_tree_place(f->root, r->is->runs), "%s has 1 to %d %s, not %zu", r->is->name, (int)VD_RUN_FIT_DATA,
             r->optimises ? "runs" : "data", count);
  vd_run_data_def *def = vd_fit_grown(f->arena, f->def.fit.data.item, count, 0, sizeof *def);
  f->def.fit.data.item = def; /* with names of files that are valid from any folder */
  if (r->optimises)
    leave_out(f, def);
  f->data = vd_arena_alloc(f->arena, (count + 1) * sizeof *f->data);
  for (size_t k = 0; k < count && good; k++) {
    f->data[k].def = &def[k];
    f->data[k].name = *def[k].name ? def[k].name : vd_arena_printf(f->arena, "%s%zu", r->is->run, k + 1);
    bool taken = false;
    for (size_t i = 0; i < k; i++)
      taken |= strcmp(f->data[i].name, f->data[k].name) == 0;
    vd_study_check_name(f->data[k].name, r->is->run, taken, at(r, run_path(r, k), "name"), r->d);
    good &= vd_diag_errors(r->d) == 0;
  }
  f->datas = good ? count : 0;
  return good;
}

/* Checks that metrics have different names, and that there are not too many. */
static void check_metrics(const reading *r, const vd_fit *fit, vd_fit_metrics_maker *make) {
  const vd_run_fit *f = r->fit;
  vd_metrics *all = vd_arena_alloc(f->arena, sizeof *all);
  vd_place place = vd_tree_place(f->root, r->is->block);
  all->count = 0;
  make(fit, NULL, f->arena, all);
  if (all->count == VD_METRICS_MAX)
    vd_error(r->d, place, "there are too many %s and targets: fewer than %d metrics are allowed", r->is->found,
             (int)VD_METRICS_MAX);
  for (size_t i = 0; i < all->count; i++)
    for (size_t k = 0; k < i; k++)
      if (strcmp(all->metric[i].name, all->metric[k].name) == 0) {
        vd_error(r->d, place, "two metrics would be called '%s'; a number or a goal needs another name",
                 all->metric[i].name);
        return;
      }
}

static bool has_settings(const vd_run_fit_def *def) {
  bool any = def->set.count > 0;
  for (size_t i = 0; i < def->fit.data.count; i++)
    any |= ((const vd_run_data_def *)def->fit.data.item + i)->set.count > 0;
  return any;
}

static bool read_all(int source, const vd_setting *settings, size_t count, vd_arena *arena, vd_diag *d, vd_fit *fit,
                     vd_fit_metrics_maker *make) {
  vd_run_fit *out = &fit->as.runs;
  bool optimises = fit->kind == VD_KIND_OPTIMISE;
  const words *is = optimises ? &words_of_optimisation : &words_of_fit;
  vd_node *root;
  size_t errors = vd_diag_errors(d);
  *out = (vd_run_fit){.arena = arena};
  if (!vd_schema_read_source(is->schema, source, settings, count, arena, d, &out->def, &root))
    return false;
  out->root = root;
  out->folder = vd_study_folder(&out->def.folder, vd_diag_source_name(d, source), has_settings(&out->def), arena);
  reading r = {out, d, is, optimises};
  if (out->def.kind != is->kind)
    vd_error(d, vd_tree_place(root, "kind"), "%s is of kind %s", is->name, is->key);
  bool good = read_names(&r);
  for (size_t k = 0; k < out->datas; k++)
    good &= read_experiment(&r, k);
  if (good && vd_diag_errors(d) == errors)
    read_frees(&r);
  for (size_t k = 0; k < out->datas && good; k++)
    read_data(&r, k);
  for (size_t k = 0; k < out->datas; k++) {
    vd_run_data_def *def = out->data[k].def;
    if (*def->table.file)
      def->table.file = vd_file_full(arena, def->table.file);
  }
  if (optimises)
    check_aims(&r);
  if (vd_diag_errors(d) == errors)
    check_metrics(&r, fit, make);
  return vd_diag_errors(d) == errors;
}

bool vd_run_fit_read(int source, const vd_setting *settings, size_t count, vd_arena *arena, vd_diag *d, vd_fit *fit) {
  return read_all(source, settings, count, arena, d, fit, vd_run_fit_metrics);
}

bool vd_optimise_read(int source, const vd_setting *settings, size_t count, vd_arena *arena, vd_diag *d, vd_fit *fit) {
  return read_all(source, settings, count, arena, d, fit, vd_optimise_metrics);
}
