/* Searches over constructed metrics, whose thresholds are known. */
#include "run/search.h"
#include "tap.h"

#include <math.h>
#include <string.h>

enum { TESTS = 61 };

/* The metric of a trial at a value of the key. */
typedef double answer(double value);

static double rising(double x) {
  return x * x;
}

static double falling(double x) {
  return 100.0 - x * x;
}

/* Returns a metric that does not exist below 4. */
static double late(double x) {
  return x < 4.0 ? NAN : 1.0;
}

/* Returns a metric above zero from 2 to 3 and from 5 on. */
static double twice(double x) {
  return (x - 2.0) * (x - 3.0) * (x - 5.0);
}

/* The goals of several searches. */
typedef struct setting {
  vd_goal_def goal[3];
  answer *metric[3];
  size_t count;
  double from, to, tolerance;
  int scan;
} setting;

enum { ROUNDS = 200 };

typedef struct outcome {
  vd_search_answer goal[3];
  size_t trials, rounds, first, twice;
  bool inside;
} outcome;

static outcome search_for(setting *s) {
  vd_search_def def = {
      .key = "x", .from = s->from, .to = s->to, .tolerance = s->tolerance, .scan = s->scan, .unit = "m"};
  def.goals = (vd_structs){s->goal, s->count};
  vd_search search;
  outcome out = {.inside = true};
  vd_search_init(&search, &def);
  for (size_t count; out.rounds < ROUNDS && (count = vd_search_next(&search)) > 0; out.rounds++) {
    if (out.rounds == 0)
      out.first = count;
    for (size_t i = search.count - count; i < search.count; i++) {
      vd_trial *t = &search.trial[i];
      out.inside &= t->value >= s->from && t->value <= s->to;
      for (size_t k = 0; k < s->count; k++)
        t->metric[k] = s->metric[k](t->value);
    }
  }
  for (size_t i = 0; i < search.count; i++)
    for (size_t k = 0; k < i; k++)
      out.twice += search.trial[i].value == search.trial[k].value;
  for (size_t k = 0; k < s->count; k++)
    vd_search_find(&search, k, &out.goal[k]);
  out.trials = search.count;
  vd_search_finish(&search);
  return out;
}

static vd_goal_def above(double bound, int side) {
  return (vd_goal_def){"goal", "metric", bound, NAN, side, false, ""};
}

static vd_goal_def below(double bound, int side) {
  return (vd_goal_def){"goal", "metric", NAN, bound, side, false, ""};
}

/* Checks that the bracket contains the threshold and is no wider than the tolerance, and that the value is the end at
 * which the goal holds. */
static void found(const outcome *o, size_t k, double threshold, double tolerance, bool upper, const char *what) {
  const vd_search_answer *a = &o->goal[k];
  tap_ok(a->outcome == VD_SEARCH_FOUND, "%s: a threshold is found", what);
  tap_ok(a->low <= threshold && threshold <= a->high, "%s: the bracket holds the threshold", what);
  if (!tap_ok(a->high - a->low <= tolerance, "%s: the bracket is at most as wide as the tolerance", what))
    tap_diag("from %.17g to %.17g", a->low, a->high);
  tap_ok(a->value == (upper ? a->high : a->low), "%s: the goal holds at the value", what);
}

static void single_goals(void) {
  setting s = {.goal = {above(49.0, VD_SEARCH_LOWEST)},
               .metric = {rising},
               .count = 1,
               .from = 0.0,
               .to = 10.0,
               .tolerance = 1e-3};
  outcome o = search_for(&s);
  found(&o, 0, 7.0, 1e-3, true, "lowest above");
  tap_ok(o.goal[0].changes == 1, "the goal begins or ceases to hold once");
  /* 10/2^14 is the first width of the bracket that is below 1e-3 */
  tap_ok(o.trials == 2 + 14 && o.rounds == 1 + 14, "there is one trial for each halving, after those of both ends");
  tap_ok(o.inside && o.twice == 0, "no trial is outside of the range, and no value is tried twice");
  s.goal[0] = below(49.0, VD_SEARCH_HIGHEST);
  o = search_for(&s);
  found(&o, 0, 7.0, 1e-3, false, "highest below");
  s.goal[0] = above(64.0, VD_SEARCH_HIGHEST);
  s.metric[0] = falling;
  o = search_for(&s);
  found(&o, 0, 6.0, 1e-3, false, "highest above");
  s.goal[0] = (vd_goal_def){"goal", "metric", 64.0, 200.0, VD_SEARCH_HIGHEST, false, ""};
  o = search_for(&s);
  found(&o, 0, 6.0, 1e-3, false, "between");
  s.goal[0] = above(0.0, VD_SEARCH_LOWEST);
  s.metric[0] = late;
  o = search_for(&s);
  found(&o, 0, 4.0, 1e-3, true, "a goal may have a metric that does not always exist");
  s.from = -3.0;
  s.to = 4.5;
  s.tolerance = 1e-300; /* neighbouring doubles */
  o = search_for(&s);
  tap_ok(o.rounds < ROUNDS && o.goal[0].high == 4.0 && o.goal[0].low == nextafter(4.0, 0.0),
         "with a tolerance below rounding the bracket consists of two neighbouring numbers");
}

static void no_answers(void) {
  setting s = {.goal = {above(-1.0, VD_SEARCH_LOWEST), above(1000.0, VD_SEARCH_LOWEST), below(49.0, VD_SEARCH_LOWEST)},
               .metric = {rising, rising, rising},
               .count = 3,
               .from = 1.0,
               .to = 10.0,
               .tolerance = 1e-3};
  outcome o = search_for(&s);
  tap_ok(o.goal[0].outcome == VD_SEARCH_BOTH, "not found: a goal that holds at both ends");
  tap_ok(o.goal[1].outcome == VD_SEARCH_NEITHER, "not found: a goal that holds at neither end");
  tap_ok(o.goal[2].outcome == VD_SEARCH_REVERSED, "not found: a goal that holds at the wrong end");
  tap_ok(isnan(o.goal[0].value) && isnan(o.goal[1].low) && isnan(o.goal[2].high),
         "goals that hold everywhere, nowhere or at the wrong end have no value");
  tap_ok(o.trials == 2, "for such goals only the ends are tried");
}

static void several_goals(void) {
  setting s = {.goal = {above(50.0, VD_SEARCH_LOWEST), above(9.0, VD_SEARCH_LOWEST), below(50.0, VD_SEARCH_HIGHEST)},
               .metric = {rising, rising, rising},
               .count = 3,
               .from = 0.0,
               .to = 8.0,
               .tolerance = 0.01};
  outcome o = search_for(&s);
  found(&o, 0, sqrt(50.0), 0.01, true, "first of several");
  found(&o, 1, 3.0, 0.01, true, "second of several");
  /* 8/2^10 < 0.01: ten halvings for each goal; the third goal shares all trials with the first goal, the second goal
   * only the first trial, at 4 */
  tap_ok(o.trials == 2 + 10 + 9 && o.twice == 0, "goals share their trials");
}

static void scans(void) {
  setting s = {.goal = {above(0.0, VD_SEARCH_LOWEST), below(0.0, VD_SEARCH_HIGHEST)},
               .metric = {twice, twice},
               .count = 1,
               .from = 0.0,
               .to = 9.5,
               .tolerance = 1e-3};
  outcome o = search_for(&s);
  tap_ok(o.goal[0].changes == 1, "without a scan two changes are missed");
  s.scan = 18; /* every half */
  s.count = 2;
  o = search_for(&s);
  tap_ok(o.first == 20, "the first round contains the scan");
  tap_ok(o.goal[0].changes == 3 && o.goal[1].changes == 3, "the scan finds all changes");
  found(&o, 0, 5.0, 1e-3, true, "the lowest value is that of the last change");
  found(&o, 1, 2.0, 1e-3, false, "the highest value is that of the first change");
}

/* Checks runs that fail at values of 6 and above: goals can hold only for the time before the failure. */
static void partial(void) {
  vd_goal_def goal[] = {{"whole", "metric", 9.0, NAN, VD_SEARCH_LOWEST, false, ""},
                        {"partial", "metric", 9.0, NAN, VD_SEARCH_LOWEST, true, ""}};
  const vd_search_def def = {.key = "x", .from = 0.0, .to = 8.0, .tolerance = 0.5, .unit = "m", .goals = {goal, 2}};
  vd_search search;
  vd_search_answer a[2];
  vd_search_init(&search, &def);
  for (size_t count; (count = vd_search_next(&search)) > 0;)
    for (size_t i = search.count - count; i < search.count; i++) {
      vd_trial *t = &search.trial[i];
      t->metric[0] = t->metric[1] = rising(t->value);
      if (t->value >= 6.0)
        strcpy(t->failure, "it broke");
    }
  for (size_t k = 0; k < 2; k++)
    vd_search_find(&search, k, &a[k]);
  tap_ok(a[0].outcome == VD_SEARCH_NEITHER, "a goal does not hold in a run that failed");
  tap_ok(a[1].outcome == VD_SEARCH_FOUND && a[1].value == 3.5 && a[1].changes == 1,
         "a partial goal can hold in a run that failed");
  vd_search_finish(&search);
}

static void words(void) {
  vd_goal_def goal = above(49.0, VD_SEARCH_LOWEST);
  const vd_search_def def = {
      .key = "initial.speed", .from = 0.0, .to = 10.0, .tolerance = 0.5, .unit = "m/s", .goals = {&goal, 1}};
  static vd_metrics m;
  vd_arena *arena = vd_arena_create();
  vd_search search;
  vd_search_init(&search, &def);
  vd_search_next(&search);
  search.trial[0].metric[0] = 1.0;
  strcpy(search.trial[1].failure, "the wheels came off");
  vd_search_metrics(&search, arena, &m);
  tap_str(m.metric[0].reason, "holds at neither end; at 0: 1, at 10: the run failed",
          "the reason stands in place of the value");
  tap_ok(m.count == 6 && isnan(m.metric[0].value), "a goal without a bracket has no value");
  search.trial[1].metric[0] = 100.0;
  *search.trial[1].failure = 0;
  while (vd_search_next(&search) > 0)
    search.trial[search.count - 1].metric[0] = rising(search.trial[search.count - 1].value);
  vd_search_metrics(&search, arena, &m);
  const char *const name[] = {"goal", "goal_low", "goal_high", "goal_changes", "tolerance", "trials"};
  const double value[] = {7.1875, 6.875, 7.1875, 1.0, 0.5, 7.0};
  for (size_t i = 0; i < VD_COUNT(name); i++)
    if (!(i < m.count && strcmp(m.metric[i].name, name[i]) == 0 && m.metric[i].value == value[i]))
      tap_diag("%s is %s %.17g", name[i], m.metric[i].name, m.metric[i].value);
    else
      tap_ok(true, "%s", name[i]);
  tap_str(m.metric[0].definition, "lowest value of initial.speed from which on metric is above 49",
          "the metric of a goal has a definition");
  tap_str(m.metric[0].unit, "m/s", "the metric of a goal has the unit of the key");
  vd_search_finish(&search);
  vd_arena_destroy(arena);
}

int main(void) {
  tap_plan(TESTS);
  single_goals();
  no_answers();
  several_goals();
  scans();
  partial();
  words();
  return tap_done();
}
