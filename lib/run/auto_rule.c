#include "run/auto_rule.h"

#include "base/elementary.h"
#include "input/schema.h"
#include "run/condition.h"

#include <math.h>
#include <string.h>

static const vd_field fields[] = {
    {VD_F_STRING(vd_auto_rule, key, "key", NULL, "key of the number that is found if it is auto, as in --set"),
     .example = "steering_wheel.value"},
    {VD_F_PATH(vd_auto_rule, scenario, "scenario", "\"\"",
               "scenario whose metric is used, run with this scenario's car, ground and model; empty: this scenario"),
     .flags = VD_OMIT_DEFAULT, .example = "slowly_increasing_steer.yaml"},
    {VD_F_LIST(vd_auto_rule, set, "set", "[]", "settings KEY=VALUE of the run that is measured"),
     .flags = VD_OMIT_DEFAULT},
    {VD_F_STRING(vd_auto_rule, metric, "metric", NULL, "metric of the run that is measured"),
     .example = "ay_steady_mps2"},
    {VD_F_ANY_NUMBER(vd_auto_rule, target, "target",
                     "value of the metric, in its unit, for which the number is searched; auto: the number is computed "
                     "from the metric"),
     .example = "4"},
    {VD_F_ANY_NUMBER(vd_auto_rule, from, "from", "number with which the search begins, where the metric is small"),
     .example = "2 deg"},
    {VD_F_ANY_NUMBER(vd_auto_rule, to, "to", "number with which the search ends"), .example = "360 deg"},
    {VD_F_NUMBER(vd_auto_rule, tolerance, "tolerance", "1", 0, 1, VD_ABOVE, "1e-3",
                 "share of the target by which the metric may differ from it")},
    {VD_F_NUMBER(vd_auto_rule, factor, "factor", "1", -1e12, 1e12, 0, "1",
                 "without `target` the number is plus + factor x metric, all in SI")},
    {VD_F_NUMBER(vd_auto_rule, plus, "plus", "1", -1e12, 1e12, VD_ANY_UNIT, "0", "summand in the formula of `factor`")},
    {VD_F_ANY_NUMBER(vd_auto_rule, at_least, "at_least", "without `target`: lower bound of the number; auto: none")},
    {VD_F_ANY_NUMBER(vd_auto_rule, at_most, "at_most", "without `target`: upper bound of the number; auto: none"),
     .example = "300 deg"},
};

const vd_schema vd_auto_schema = {.name = "rule", VD_SCHEMA_ROWS(vd_auto_rule, fields)};

/* --- checks --- */

typedef struct checking {
  const vd_schema *scenario;
  const void *def;
  const vd_names *sets;
  const vd_node *root;
  vd_arena *arena;
  vd_diag *d;
} checking;

/* Checks the key, and the units of the numbers that have its unit. A key of a variant that is not in use is ignored: a
 * setting may have replaced a step by a sine. */
static void check_key(const checking *ctx, const vd_auto_rule *rule, const char *path) {
  static const char *const keys[] = {"from", "to", "plus", "at_least", "at_most"};
  const vd_node *item = vd_tree_find(ctx->root, path);
  vd_place at = vd_tree_place_in(ctx->root, path, "key");
  vd_number_row number;
  if (vd_schema_knows(ctx->scenario, ctx->def, rule->key) && !vd_schema_row_at(ctx->scenario, ctx->def, rule->key))
    return;
  if (!vd_schema_find_number(ctx->scenario, ctx->root, rule->key, at, ctx->d, &number))
    return;
  for (size_t i = 0; i < VD_COUNT(keys); i++) {
    const vd_node *node = vd_tree_get(item, keys[i]);
    if (node && !(node->text && strcmp(node->text, "auto") == 0))
      vd_schema_number_fits(&number, keys[i], node, false, ctx->arena, ctx->d, NULL);
  }
}

static void check_metric(const checking *ctx, const vd_auto_rule *rule, const char *path) {
  vd_place at = vd_tree_place_in(ctx->root, path, "metric");
  const char *every[VD_METRIC_SET_COUNT];
  for (size_t i = 0; i < VD_METRIC_SET_COUNT; i++)
    every[i] = vd_metric_sets[i]->key;
  bool own = !*rule->scenario && rule->set.count == 0;
  const vd_names all = {.name = every, .count = VD_METRIC_SET_COUNT};
  const vd_metric *metric =
      vd_metric_asked(vd_metrics_listed(own ? ctx->sets : &all, ctx->arena), rule->metric, at, ctx->arena, ctx->d);
  if (metric)
    vd_metric_bound_check(metric->unit, vd_tree_find(ctx->root, path), "target", ctx->arena, ctx->d);
}

static void check_rule(const checking *ctx, const vd_auto_rule *rule, const char *path) {
  bool seeks = !isnan(rule->target);
  vd_place at = vd_tree_place_in(ctx->root, path, seeks ? "target" : "metric");
  check_key(ctx, rule, path);
  check_metric(ctx, rule, path);
  if (!seeks && !*rule->scenario && rule->set.count == 0)
    vd_error(ctx->d, at, "without 'target' the metric belongs to another run, which 'scenario' or 'set' must define");
  else if (seeks && *rule->scenario)
    vd_error(ctx->d, at,
             "a target is searched by runs of this scenario, which contains the key; 'set' may change these runs");
  else if (seeks && !(rule->target * rule->target > 0.0))
    vd_error(ctx->d, at, "the target must not be 0");
  else if (seeks && !(rule->to / rule->from > 1.0))
    vd_error(ctx->d, at, "a target needs 'from' and 'to' of one sign, and 'to' farther from zero");
  if (rule->at_least > rule->at_most) /* a comparison with NAN is false */
    vd_error(ctx->d, vd_tree_place_in(ctx->root, path, "at_least"), "at_least (%.9g) must not exceed at_most (%.9g)",
             rule->at_least, rule->at_most);
}

void vd_auto_check(const vd_structs *rules, const vd_schema *scenario, const void *def, const vd_names *sets,
                   const vd_node *root, vd_arena *arena, vd_diag *d) {
  const checking ctx = {scenario, def, sets, root, arena, d};
  for (size_t i = 0; i < rules->count; i++)
    check_rule(&ctx, (const vd_auto_rule *)rules->item + i, vd_tree_item_path(root, "auto", i, arena));
}

/* --- numbers --- */

double vd_auto_number(const vd_auto_rule *rule, double metric) {
  double value = rule->plus + rule->factor * metric;
  if (value < rule->at_least)
    value = rule->at_least;
  return value > rule->at_most ? rule->at_most : value;
}

enum { MOST_RUNS = 60 };

typedef struct solver {
  const vd_auto_rule *rule;
  double (*measure)(void *context, double value);
  void *context;
  vd_auto_answer *out;
} solver;

/* Runs with the number k times the rule's `from`. Returns metric/target - 1; NAN if the metric has no value. */
static double try(const solver *s, double k) {
  vd_auto_answer *out = s->out;
  double value = k * s->rule->from, metric = s->measure(s->context, value), miss = metric / s->rule->target - 1.0;
  double best = isnan(out->metric) ? -INFINITY : out->metric / s->rule->target - 1.0;
  out->runs++;
  out->reached = fabs(miss) <= s->rule->tolerance;
  if (out->reached || (miss < 0.0 && miss > best)) {
    out->value = value;
    out->metric = metric;
  }
  return miss;
}

/* Finds the number at which the miss crosses zero. The miss is negative at low, and positive or without a value at
 * high. */
static void close_in(const solver *s, double low, double miss_low, double high, double miss_high) {
  int kept = 0; /* the end that the last trial did not move: < 0 low, > 0 high */
  while (!s->out->reached && s->out->runs < MOST_RUNS && high - low > 1e-9 * high) {
    double share = isnan(miss_high) ? 0.5 : miss_low / (miss_low - miss_high);
    double k = low + share * (high - low), miss = try(s, k);
    if (miss < 0.0) {
      low = k;
      miss_low = miss;
      miss_high *= kept > 0 ? 0.5 : 1.0;
      kept = 1;
    } else {
      high = k;
      miss_high = miss;
      miss_low *= kept < 0 ? 0.5 : 1.0;
      kept = -1;
    }
  }
}

/* Searches for the maximum of the metric between low and high, until a trial is above the target. */
static void climb(const solver *s, double low, double miss_low, double high) {
  const double golden = 0.6180339887498949;
  double a = high - golden * (high - low), b = low + golden * (high - low), miss_a = try(s, a), miss_b = NAN;
  if (!s->out->reached && !(miss_a >= 0.0))
    miss_b = try(s, b);
  while (!s->out->reached && s->out->runs < MOST_RUNS) {
    if (miss_a >= 0.0 || miss_b >= 0.0) {
      bool first = miss_a >= 0.0;
      bool risen = !first && miss_a < 0.0;
      close_in(s, risen ? a : low, risen ? miss_a : miss_low, first ? a : b, first ? miss_a : miss_b);
      return;
    }
    if (high - low <= 0.01 * high)
      return;
    if (!(miss_b > miss_a)) { /* also if b has no value: runs fail beyond it */
      high = b;
      b = a;
      miss_b = miss_a;
      miss_a = try(s, a = high - golden * (high - low));
    } else {
      low = a;
      miss_low = miss_a;
      a = b;
      miss_a = miss_b;
      miss_b = try(s, b = low + golden * (high - low));
    }
  }
}

void vd_auto_solve(const vd_auto_rule *rule, double (*measure)(void *context, double value), void *context,
                   vd_auto_answer *out) {
  const solver s = {rule, measure, context, out};
  const double last = rule->to / rule->from;
  double before = 0.0, miss_before = -1.0, low = 0.0, miss_low = -1.0, k = 1.0;
  *out = (vd_auto_answer){.value = NAN, .metric = NAN};
  for (;;) {
    double miss = try(&s, k);
    if (out->reached)
      return;
    if (miss >= 0.0) {
      close_in(&s, low, miss_low, k, miss);
      return;
    }
    if (!(miss > miss_low)) { /* the metric falls, or the runs fail */
      climb(&s, before, miss_before, k);
      return;
    }
    if (k >= last || out->runs >= MOST_RUNS)
      return;
    before = low;
    miss_before = miss_low;
    low = k;
    miss_low = miss;
    double growth = miss > -1.0 ? vd_min(1.05 / (1.0 + miss), 3.0) : 3.0;
    k = vd_min(k * vd_max(growth, 1.05), last);
  }
}
