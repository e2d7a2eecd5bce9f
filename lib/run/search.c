#include "run/search.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/num.h"
#include "input/schema.h"
#include "run/condition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const side_names[] = {"lowest", "highest", NULL};

static const vd_field goal_fields[] = {
    {VD_F_STRING(vd_goal_def, name, "name", NULL, "name of the value that is found: letters, digits, underscores"),
     .example = "limit"},
    {VD_F_STRING(vd_goal_def, metric, "metric", NULL, "metric of the goal; its set must be among metrics.sets"),
     .example = "lateral_acceleration_max_mps2"},
    {VD_F_ANY_NUMBER(vd_goal_def, above, "above",
                     "the goal holds if the metric is above this value, in its unit; auto: no such bound"),
     .example = "0.3"},
    {VD_F_ANY_NUMBER(vd_goal_def, below, "below",
                     "the goal holds if the metric is below this value; with above: the metric must be between the "
                     "two"),
     .example = "0.9"},
    {VD_F_CHOICE(vd_goal_def, side, "side", side_names, "lowest",
                 "lowest: the least value of the key above which the goal holds; highest: the greatest value below "
                 "which it holds")},
    {VD_F_FLAG(
        vd_goal_def, partial, "partial", "false",
        "the goal can also hold in a run that fails, such as by overturning; its rows before the failure count")},
    {VD_F_STRING(vd_goal_def, remark, "remark", "\"\"",
                 "note beside the value that is found, such as a value from theory"),
     .flags = VD_OMIT_DEFAULT},
};

static const vd_schema goal_schema = {.name = "goal", VD_SCHEMA_ROWS(vd_goal_def, goal_fields)};

static const vd_field search_fields[] = {
    {VD_F_STRING(vd_search_def, key, "key", "\"\"", "key of the number that is varied, as in --set; empty: no search"),
     .flags = VD_OMIT_DEFAULT, .example = "steering_wheel.value"},
    {VD_F_ANY_NUMBER(vd_search_def, from, "from", "lowest value of the number, in its unit; a search needs it"),
     .example = "10 deg"},
    {VD_F_ANY_NUMBER(vd_search_def, to, "to", "highest value of the number; a search needs it"), .example = "90 deg"},
    {VD_F_NUMBER(vd_search_def, tolerance, "tolerance", "1", 0, INFINITY,
                 VD_ABOVE | VD_AUTO | VD_OMIT_DEFAULT | VD_ANY_UNIT, "auto",
                 "greatest width of the last bracket; a search needs it"),
     .example = "1 deg"},
    {VD_F_INTEGER(vd_search_def, scan, "scan", 0, VD_SEARCH_SCAN, "0",
                  "number of evenly spaced values between the ends that are tried first, to find several changes of a "
                  "goal"),
     .flags = VD_OMIT_DEFAULT},
    {VD_F_STRUCTS(vd_search_def, goals, "goals", "1", &goal_schema, "[]", "goals, each with a search of its own"),
     .flags = VD_OMIT_DEFAULT},
};

const vd_schema vd_search_schema = {.name = "search", VD_SCHEMA_ROWS(vd_search_def, search_fields)};

static const vd_goal_def *goal_at(const vd_search_def *def, size_t i) {
  return (const vd_goal_def *)def->goals.item + i;
}

/* ---- checks ---- */

typedef struct context {
  const vd_node *root;
  vd_arena *arena;
  vd_diag *d;
} context;

static vd_place at(const context *ctx, const char *key) {
  return vd_tree_place_in(ctx->root, "search", "%s", key);
}

static vd_place at_goal(const context *ctx, size_t i, const char *key) {
  return vd_tree_place(ctx->root, vd_arena_printf(ctx->arena, "search.goals.%zu%s%s", i, *key ? "." : "", key));
}

static void check_goal(const context *ctx, const vd_search_def *def, size_t i, const vd_metrics *known) {
  const vd_goal_def *goal = goal_at(def, i);
  const vd_metric *metric = vd_metric_called(known, goal->metric);
  static const char *const taken[] = {"trial", "value", "note", "tolerance", "trials"};
  bool used = vd_metric_called(known, goal->name) != NULL;
  for (size_t k = 0; k < VD_COUNT(taken); k++)
    used |= strcmp(taken[k], goal->name) == 0;
  for (size_t k = 0; k < i; k++)
    used |= strcmp(goal_at(def, k)->name, goal->name) == 0;
  if (!vd_is_name(goal->name))
    vd_error(ctx->d, at_goal(ctx, i, "name"),
             "'name' may contain only letters, digits and underscores, and begins with a letter");
  else if (used)
    vd_error(ctx->d, at_goal(ctx, i, "name"), "the name '%s' is taken", goal->name);
  if (isnan(goal->above) && isnan(goal->below))
    vd_error(ctx->d, at_goal(ctx, i, ""), "the goal needs a bound: above or below");
  else if (!isnan(goal->above) && !isnan(goal->below) && !(goal->above < goal->below))
    vd_error(ctx->d, at_goal(ctx, i, "above"), "above (%.9g) must be less than below (%.9g)", goal->above, goal->below);
  if (!vd_metric_asked(known, goal->metric, at_goal(ctx, i, "metric"), ctx->arena, ctx->d))
    return;
  const vd_node *node = vd_tree_find(ctx->root, vd_tree_item_path(ctx->root, "search.goals", i, ctx->arena));
  vd_metric_bound_check(metric->unit, node, "above", ctx->arena, ctx->d);
  vd_metric_bound_check(metric->unit, node, "below", ctx->arena, ctx->d);
}

static void check_numbers(const context *ctx, const vd_search_def *def, const vd_number_row *number) {
  static const char *const keys[] = {"from", "to", "tolerance"};
  const double value[] = {def->from, def->to, def->tolerance};
  const vd_node *search = vd_tree_find(ctx->root, "search");
  size_t before = vd_diag_errors(ctx->d);
  for (size_t i = 0; i < VD_COUNT(keys); i++)
    if (isnan(value[i]))
      vd_error(ctx->d, at(ctx, keys[i]), "a search needs '%s'", keys[i]);
    else
      vd_schema_number_fits(number, keys[i], vd_tree_get(search, keys[i]), i < 2, ctx->arena, ctx->d, NULL);
  if (vd_diag_errors(ctx->d) > before)
    return;
  if (!(def->from < def->to))
    vd_error(ctx->d, at(ctx, "from"), "from (%.9g) must be below to (%.9g)", def->from, def->to);
  else if (!(def->tolerance >= 1e-12 * vd_max(fabs(def->from), fabs(def->to))))
    vd_error(ctx->d, at(ctx, "tolerance"), "the tolerance is below the resolution of the key's numbers");
}

void vd_search_check(vd_search_def *def, const vd_schema *scenario, const vd_names *sets, const vd_node *root,
                     vd_arena *arena, vd_diag *d) {
  const context *ctx = &(context){root, arena, d};
  const vd_node *search = vd_tree_find(root, "search");
  vd_number_row number;
  def->unit = "1";
  if (!vd_search_asked(def)) {
    if (search && search->child)
      vd_error(d, at(ctx, "key"), "a search needs 'key', the key of the number that is varied");
    return;
  }
  size_t first = strcspn(def->key, ".");
  if (first == strlen("search") && strncmp(def->key, "search", first) == 0)
    vd_error(d, at(ctx, "key"), "a search cannot vary itself");
  else if (vd_schema_find_number(scenario, root, def->key, at(ctx, "key"), d, &number)) {
    def->unit = number.unit;
    check_numbers(ctx, def, &number);
  }
  if (def->goals.count == 0)
    vd_error(d, at(ctx, "goals"), "a search needs a goal");
  else if (def->goals.count > VD_SEARCH_GOALS)
    vd_error(d, at(ctx, "goals"), "%zu goals; at most %d", def->goals.count, (int)VD_SEARCH_GOALS);
  const vd_metrics *known = vd_metrics_listed(sets, arena);
  for (size_t i = 0; i < def->goals.count && i < VD_SEARCH_GOALS; i++)
    check_goal(ctx, def, i, known);
}

/* ---- search ---- */

void vd_search_init(vd_search *s, const vd_search_def *def) {
  *s = (vd_search){.def = def};
}

void vd_search_finish(vd_search *s) {
  free(s->trial);
  *s = (vd_search){.def = s->def};
}

bool vd_search_holds(const vd_search *s, size_t goal, const vd_trial *trial) {
  const vd_goal_def *def = goal_at(s->def, goal);
  double metric = trial->metric[goal];
  return isfinite(metric) && (def->partial || !*trial->failure) && (isnan(def->above) || metric > def->above) &&
         (isnan(def->below) || metric < def->below);
}

static void add_trial(vd_search *s, double value) {
  for (size_t i = 0; i < s->count; i++)
    if (s->trial[i].value == value)
      return;
  if (s->count == s->capacity) {
    s->capacity = s->capacity ? 2 * s->capacity : 64;
    s->trial = vd_reallocate(s->trial, s->capacity, sizeof *s->trial);
  }
  s->trial[s->count] = (vd_trial){.value = value};
  for (size_t k = 0; k < VD_SEARCH_GOALS; k++)
    s->trial[s->count].metric[k] = NAN;
  s->count++;
}

/* Returns the trial with the next larger value, or the trial itself if its value is the largest. */
static size_t next_above(const vd_search *s, size_t trial) {
  size_t next = trial;
  for (size_t i = 0; i < s->count; i++)
    if (s->trial[i].value > s->trial[trial].value && (next == trial || s->trial[i].value < s->trial[next].value))
      next = i;
  return next;
}

enum { FROM, TO }; /* the first two trials are at the ends of the range */

void vd_search_find(const vd_search *s, size_t goal, vd_search_answer *out) {
  bool lowest = goal_at(s->def, goal)->side == VD_SEARCH_LOWEST;
  bool at_from = vd_search_holds(s, goal, &s->trial[FROM]), at_to = vd_search_holds(s, goal, &s->trial[TO]);
  *out = (vd_search_answer){.outcome = at_from && at_to     ? VD_SEARCH_BOTH
                                       : !at_from && !at_to ? VD_SEARCH_NEITHER
                                       : at_to == lowest    ? VD_SEARCH_FOUND
                                                            : VD_SEARCH_REVERSED,
                            .value = NAN,
                            .low = NAN,
                            .high = NAN};
  for (size_t i = FROM, next; (next = next_above(s, i)) != i; i = next) {
    bool before = vd_search_holds(s, goal, &s->trial[i]), after = vd_search_holds(s, goal, &s->trial[next]);
    if (before == after)
      continue;
    /* a lowest value is at the last change, a highest value at the first change */
    if (out->outcome == VD_SEARCH_FOUND && (lowest || out->changes == 0)) {
      out->low = s->trial[i].value;
      out->high = s->trial[next].value;
      out->value = lowest ? out->high : out->low;
    }
    out->changes++;
  }
}

size_t vd_search_next(vd_search *s) {
  const vd_search_def *def = s->def;
  size_t before = s->count;
  if (before == 0) {
    add_trial(s, def->from);
    add_trial(s, def->to);
    for (int i = 1; i <= def->scan; i++)
      add_trial(s, (def->from * (def->scan + 1 - i) + def->to * i) / (def->scan + 1));
    return s->count;
  }
  double middle[VD_SEARCH_GOALS];
  size_t wanted = 0;
  for (size_t goal = 0; goal < def->goals.count; goal++) {
    vd_search_answer a;
    vd_search_find(s, goal, &a);
    double between = 0.5 * (a.low + a.high);
    if (a.outcome == VD_SEARCH_FOUND && !(a.high - a.low <= def->tolerance) && between > a.low && between < a.high)
      middle[wanted++] = between;
  }
  for (size_t i = 0; i < wanted; i++)
    add_trial(s, middle[i]);
  return s->count - before;
}

/* ---- results ---- */

static void add_metric(vd_metrics *out, const char *name, const char *unit, double value, const char *definition,
                       const char *reason) {
  vd_metric *m = &out->metric[out->count++];
  *m = (vd_metric){.name = name, .unit = unit, .value = value, .definition = definition};
  size_t length = strlen(reason) < sizeof m->reason ? strlen(reason) : sizeof m->reason - 1;
  memcpy(m->reason, reason, length);
}

void vd_search_explain(const vd_search *s, size_t goal, const vd_search_answer *a, vd_buf *out) {
  static const char *const where[] = {[VD_SEARCH_FOUND] = "",
                                      [VD_SEARCH_BOTH] = "holds at both ends",
                                      [VD_SEARCH_NEITHER] = "holds at neither end",
                                      [VD_SEARCH_REVERSED] =
                                          "holds only at the end at which its 'side' requires it not to hold"};
  vd_buf_puts(out, where[a->outcome]);
  for (size_t end = FROM; end <= TO && a->outcome != VD_SEARCH_FOUND; end++) {
    double metric = s->trial[end].metric[goal];
    bool failed = *s->trial[end].failure != '\0';
    vd_buf_printf(out, "%s %.6g: ", end == FROM ? "; at" : ", at", s->trial[end].value);
    if (isnan(metric) || (failed && !goal_at(s->def, goal)->partial))
      vd_buf_puts(out, failed ? "the run failed" : "no value");
    else
      vd_buf_printf(out, "%.6g", metric);
  }
}

/* Returns the definition of the value of a goal. */
static const char *meaning(const vd_search *s, const vd_goal_def *goal, vd_arena *arena) {
  bool lowest = goal->side == VD_SEARCH_LOWEST, above = !isnan(goal->above), below = !isnan(goal->below);
  const char *bounds = above ? vd_arena_printf(arena, " above %.9g", goal->above) : "";
  if (below)
    bounds = vd_arena_printf(arena, "%s%s below %.9g", bounds, above ? " and" : "", goal->below);
  return vd_arena_printf(arena, "%s value of %s %s %s is%s", lowest ? "lowest" : "highest", s->def->key,
                         lowest ? "from which on" : "up to which", goal->metric, bounds);
}

void vd_search_metrics(const vd_search *s, vd_arena *arena, vd_metrics *out) {
  const vd_search_def *def = s->def;
  out->count = 0;
  for (size_t i = 0; i < def->goals.count; i++) {
    const vd_goal_def *goal = goal_at(def, i);
    vd_search_answer a;
    vd_buf why = {0};
    vd_search_find(s, i, &a);
    vd_search_explain(s, i, &a, &why);
    add_metric(out, goal->name, def->unit, a.value, meaning(s, goal, arena), *why.text ? why.text : goal->remark);
    add_metric(out, vd_arena_printf(arena, "%s_low", goal->name), def->unit, a.low, "lower end of the bracket",
               why.text);
    add_metric(out, vd_arena_printf(arena, "%s_high", goal->name), def->unit, a.high, "upper end of the bracket",
               why.text);
    add_metric(
        out, vd_arena_printf(arena, "%s_changes", goal->name), "1", (double)a.changes,
        "number of changes between holding and not holding, over all trials in the order of their values; 1: the goal "
        "is monotonic",
        "");
    vd_buf_finish(&why);
  }
  add_metric(out, "tolerance", def->unit, def->tolerance, "greatest width of a bracket", "");
  add_metric(out, "trials", "1", (double)s->count, "runs made", "");
}
