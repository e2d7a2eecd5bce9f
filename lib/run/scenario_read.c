/* Reads a scenario: stores its keys in a struct, finds numbers that are `auto` by their rules, and checks all. A rule
 * makes runs of the same scenario with other numbers, or of another scenario with the same car. */
#include "run/scenario_impl.h"

#include "base/cache.h"
#include "input/file.h"
#include "input/schema.h"
#include "run/run.h"

#include <math.h>
#include <string.h>

/* True if the car has an equilibrium on its wheels; reports loads under which the car tips over or its springs
 * collapse. */
static bool stands(const vd_scenario_def *def, const vd_node *root, vd_arena *arena, vd_diag *d) {
  vd_command c = {.longitudinal = VD_LON_PEDALS};
  vd_state_vector s;
  vd_statics statics;
  if (def->run.level < VD_L3)
    return true;
  vd_model *m = vd_arena_alloc(arena, sizeof *m);
  vd_vehicle_laden(&def->vehicle, &m->vehicle);
  if (!m->vehicle.settles)
    return true;
  vd_scenario_model(def, false, m);
  vd_command_set_angles(m, &c);
  vd_model_start(m, &c, &def->initial, &s);
  if (vd_model_statics(m, &c, &s, &statics))
    return true;
  vd_error(d, vd_tree_place(root, "vehicle.loads"),
           "the car has no equilibrium on its wheels: its loads or spring loads tip it");
  return false;
}

/* Returns the title of the scenario, in which the names of car and level replace the marks {car} and {level}. */
static const char *fill_title(const vd_scenario_def *def, vd_arena *arena) {
  static const char *const mark[] = {"{car}", "{level}"};
  const char *const text[] = {*def->vehicle.name ? def->vehicle.name : "car without a name",
                              vd_level_names[def->run.level]};
  const char *title = def->title, *at;
  for (size_t i = 0; i < VD_COUNT(mark); i++)
    if ((at = strstr(title, mark[i])))
      title = vd_arena_printf(arena, "%.*s%s%s", (int)(at - title), title, text[i], at + strlen(mark[i]));
  return title;
}

/* --- rules --- */

enum { DEPTH = 3 }; /* greatest depth at which rules may run scenarios that have rules */

/* A scenario whose rules are being applied. */
typedef struct reading {
  const vd_scenario_text *text;
  const vd_node *root;
  vd_arena *arena;
  vd_diag *d;
  vd_scenario_def *def;
  vd_setting *found; /* [rules]: settings of the numbers found so far */
  size_t count;
  int depth;
  vd_place at; /* at, unread: place of a rule whose run cannot be read, and the reason; NULL: there is no such rule */
  const char *unread;
} reading;

/* The runs of a rule. */
typedef struct probe {
  const reading *r;
  const vd_auto_rule *rule;
  vd_scenario_text text;
  vd_setting *set; /* settings of the text; a run for a target has one more setting */
  bool ran;        /* at least one run was made */
  const char *why; /* reason why the last run has no value */
} probe;

static bool read_at(const vd_scenario_text *text, int depth, vd_arena *arena, vd_diag *d, vd_scenario_def *def);

static void add_setting(probe *p, const char *folder, const char *text) {
  p->set[p->text.count++] = (vd_setting){.text = text, .folder = folder};
}

static void add_node(probe *p, const char *key, const vd_node *node) {
  vd_buf text = {0};
  vd_buf_printf(&text, "%s=", key);
  vd_tree_write(node, &text);
  add_setting(p, NULL, vd_arena_copy(p->r->arena, text.text, text.length));
  vd_buf_finish(&text);
}

/* Adds the car, the ground and the model of this scenario as settings of another scenario, which keeps its own duration
 * and its own conditions that end the run. */
static void add_car(probe *p) {
  static const char *const own[] = {"duration", "stop_below", "lost_after"};
  const reading *r = p->r;
  vd_buf text = {0};
  vd_schema_write(&vd_scenario_schema, r->def, &text);
  vd_diag *d = vd_diag_create();
  const vd_node *root = vd_tree_parse(r->arena, d, vd_diag_add_source(d, "car", text.text, text.length));
  add_node(p, "vehicle", vd_tree_get(root, "vehicle"));
  add_node(p, "ground", vd_tree_get(root, "ground"));
  for (const vd_node *n = vd_tree_get(root, "run")->child; n; n = n->next) {
    bool same = true;
    for (size_t i = 0; i < VD_COUNT(own); i++)
      same &= strcmp(n->key, own[i]) != 0;
    if (same)
      add_node(p, vd_arena_printf(r->arena, "run.%s", n->key), n);
  }
  vd_diag_destroy(d);
  vd_buf_finish(&text);
}

/* Makes the text and the settings of the runs. False after an error. */
static bool prepare(probe *p) {
  enum { MORE = 64 }; /* number of further settings: rows of run, vehicle, ground; removal of the run's rules */
  const reading *r = p->r;
  const char *folder = vd_file_folder(r->arena, r->text->name);
  bool other = *p->rule->scenario != '\0';
  p->text = *r->text;
  p->text.count = 0;
  p->set = vd_arena_alloc(r->arena, (r->text->count + r->count + p->rule->set.count + MORE) * sizeof *p->set);
  if (other) {
    int source;
    if (!vd_schema_slurp(p->rule->scenario, r->d, &source))
      return false;
    p->text.name = vd_diag_source_name(r->d, source);
    p->text.length = vd_diag_source_text(r->d, source, &p->text.text);
    add_car(p);
  } else {
    for (size_t i = 0; i < r->text->count; i++)
      p->set[p->text.count++] = r->text->set[i];
    for (size_t i = 0; i < r->count; i++)
      p->set[p->text.count++] = r->found[i];
    add_setting(p, NULL, "auto=[]");
    add_setting(p, NULL, "search={}");
  }
  add_setting(p, NULL, "conditions=[]");
  for (size_t i = 0; i < p->rule->set.count; i++)
    add_setting(p, folder, p->rule->set.name[i]);
  p->text.set = p->set;
  return true;
}

/* Runs a scenario and returns the metric of the rule. */
static double run_once(probe *p, const vd_scenario_def *def, vd_arena *arena) {
  static const vd_run_options options = {.digits = VD_DIGITS_9};
  vd_metrics *metrics = vd_arena_alloc(arena, sizeof *metrics);
  vd_recorder recorder;
  vd_run_report report;
  vd_recorder_init(&recorder, true);
  vd_simulate(def, &options, NULL, &recorder, &report);
  vd_run_metrics(def, &recorder, metrics);
  vd_recorder_finish(&recorder);
  const vd_metric *m = vd_metric_called(metrics, p->rule->metric);
  bool failed = report.status != VD_SIM_OK && !isnan(p->rule->target);
  const char *why = !m ? "its key 'metrics' does not request this metric" : failed ? report.failure : m->reason;
  p->why = vd_arena_copy(p->r->arena, why, strlen(why));
  return m && !failed ? m->value : NAN;
}

static double run_probe(probe *p) {
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  vd_scenario_def *def = vd_arena_alloc(arena, sizeof *def);
  double metric = NAN;
  vd_diag_set_cache(d, vd_diag_cache(p->r->d));
  bool read = read_at(&p->text, p->r->depth + 1, arena, d, def);
  p->ran |= read;
  if (read)
    metric = run_once(p, def, arena);
  else
    p->why = vd_arena_copy(p->r->arena, vd_diag_first_error(d), strlen(vd_diag_first_error(d)));
  vd_diag_note_files(p->r->d, d);
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
  return metric;
}

/* Runs this scenario with a number, for the solver. */
static double run_with(void *context, double value) {
  probe *p = context;
  p->set[p->text.count++] = vd_setting_of_number(p->r->arena, p->rule->key, value);
  double metric = run_probe(p);
  p->text.count--;
  return metric;
}

/* Writes all data on which the result of a rule depends: the cases of a study with the same car and the same rule share
 * the result. */
static void identify(const probe *p, vd_buf *out) {
  const vd_auto_rule *rule = p->rule;
  bool seeks = !isnan(rule->target);
  vd_buf_printf(out, "auto %s %s %.17g %.17g %.17g %.17g\n%s\n", seeks ? rule->key : "", rule->metric, rule->target,
                seeks ? rule->from : 0.0, seeks ? rule->to : 0.0, seeks ? rule->tolerance : 0.0, p->text.name);
  vd_buf_add(out, p->text.text, p->text.length);
  for (size_t i = 0; i < p->text.count; i++)
    vd_buf_printf(out, "\n%s %s", p->text.set[i].folder ? p->text.set[i].folder : "", p->text.set[i].text);
}

/* Makes the runs of a rule, unless their result is in the cache. */
static vd_auto_answer answer(probe *p) {
  vd_auto_answer out = {.reached = true, .runs = 1};
  vd_cache *cache = vd_diag_cache(p->r->d);
  vd_buf input = {0};
  identify(p, &input);
  const vd_auto_answer *known = vd_cache_find(cache, input.text, input.length);
  if (known)
    out = *known;
  else if (isnan(p->rule->target))
    out.metric = run_probe(p);
  else
    vd_auto_solve(p->rule, run_with, p, &out);
  if (!known && vd_cache_has_room(cache) && !isnan(out.metric)) {
    vd_arena *arena = vd_arena_create();
    vd_auto_answer *kept = vd_arena_alloc(arena, sizeof *kept);
    *kept = out;
    vd_cache_add(cache, input.text, input.length, kept, arena);
  }
  vd_buf_finish(&input);
  return out;
}

/* Writes a number with its unit; an angle in degrees, too. */
static const char *quantity(double value, const char *unit, vd_arena *arena) {
  if (strcmp(unit, "rad") == 0)
    return vd_arena_printf(arena, "%.6g rad (%.4g deg)", value, value * (180.0 / VD_PI));
  return vd_arena_printf(arena, "%.6g%s%s", value, strcmp(unit, "1") ? " " : "", strcmp(unit, "1") ? unit : "");
}

/* True if an earlier rule uses the same metric of the same run, so that its value is known. */
static bool is_known(const reading *r, const vd_auto_rule *rule) {
  for (const vd_auto_rule *e = r->def->rules.item; e < rule; e++)
    if (isnan(e->target) && isnan(rule->target) && strcmp(e->scenario, rule->scenario) == 0 &&
        strcmp(e->metric, rule->metric) == 0 && *rule->scenario)
      return true;
  return false;
}

/* Reports the number that was found, and stores it. */
static void keep(reading *r, const probe *p, vd_place at, const vd_auto_answer *a, double value) {
  const vd_auto_rule *rule = p->rule;
  const char *metric = vd_arena_printf(r->arena, "%s is %.6g", rule->metric, a->metric);
  vd_number_row row = {.unit = "1"};
  vd_schema_find_number(&vd_scenario_schema, r->root, rule->key, at, r->d, &row);
  const char *number = quantity(value, row.unit, r->arena);
  r->found[r->count++] = vd_setting_of_number(r->arena, rule->key, value);
  if (a->reached && is_known(r, rule))
    return;
  if (a->reached) {
    vd_remark(r->d, at, "'%s' is %s: %s%s%s", rule->key, number, metric, *rule->scenario ? " in " : "",
              *rule->scenario ? p->text.name : "");
    return;
  }
  r->def->unreached = vd_arena_printf(r->arena, "'%s': no value reaches %s = %.6g; at most %.6g, at %s", rule->key,
                                      rule->metric, rule->target, a->metric, number);
  vd_warning(r->d, at, "%s; this value is used", r->def->unreached);
}

/* Applies a rule. False after an error. */
static bool follow(reading *r, const vd_auto_rule *rule, const char *path) {
  const vd_field *row;
  double *number = vd_schema_number_at(&vd_scenario_schema, r->def, rule->key, &row);
  vd_place at = vd_tree_place_in(r->root, path, "key");
  probe p = {.r = r, .rule = rule};
  if (!number || !isnan(*number))
    return true;
  if (r->depth > DEPTH)
    return vd_error(r->d, at, "rules run scenarios with rules, more than %d levels deep", (int)DEPTH);
  if (!prepare(&p))
    return false;
  vd_auto_answer a = answer(&p);
  if (isnan(a.metric) && !p.ran) { /* the checks of this scenario will report its errors at their places */
    r->at = at;
    r->unread = vd_arena_printf(r->arena, "'%s' cannot be found: the run that is to find it cannot be read: %s",
                                rule->key, p.why);
    *number = isnan(rule->from) ? rule->plus : rule->from;
    return true;
  }
  if (isnan(a.metric)) {
    r->def->unreached = "a number that is auto was not found";
    return vd_error(r->d, at, "'%s' cannot be found: the run that is to find it has no %s: %s", rule->key, rule->metric,
                    p.why);
  }
  double value = isnan(rule->target) ? vd_auto_number(rule, a.metric) : a.value;
  if (!(value >= row->lo && value <= row->hi))
    return vd_error(r->d, at, "'%s' would be %.6g, which is outside its range, %g to %g", rule->key, value, row->lo,
                    row->hi);
  *number = value;
  keep(r, &p, at, &a, value);
  return true;
}

static bool follow_rules(reading *r) {
  const vd_structs *rules = &r->def->rules;
  vd_auto_check(rules, &vd_scenario_schema, r->def, &r->def->metrics.sets, r->root, r->arena, r->d);
  bool good = vd_diag_errors(r->d) == 0;
  vd_auto_rule *rule = rules->item;
  for (size_t i = 0; i < rules->count; i++) /* full names, because the resolved file may be in another folder */
    rule[i].scenario = *rule[i].scenario ? vd_file_full(r->arena, rule[i].scenario) : "";
  r->found = vd_arena_alloc(r->arena, (rules->count + 1) * sizeof *r->found);
  for (size_t i = 0; good && i < rules->count; i++)
    good = follow(r, &rule[i], vd_tree_item_path(r->root, "auto", i, r->arena));
  return good;
}

/* --- reading --- */

static bool read_from(const reading *from, int source) {
  reading r = *from;
  vd_node *root;
  if (!vd_schema_read_source(&vd_scenario_schema, source, r.text->set, r.text->count, r.arena, r.d, r.def, &root))
    return false;
  r.root = root;
  if (r.def->rules.count > 0 && !follow_rules(&r))
    return false;
  if (!vd_scenario_check(root, r.arena, r.d, r.def) || !stands(r.def, root, r.arena, r.d))
    return false;
  if (r.def->path_speed.laps > 0 && !vd_diag_laps(r.d)->none)
    vd_scenario_learn_shares(&(vd_scenario_context){root, r.arena, r.d}, r.def);
  if (r.unread)
    return vd_error(r.d, r.at, "%s", r.unread);
  r.def->title = fill_title(r.def, r.arena);
  return true;
}

static bool read_at(const vd_scenario_text *text, int depth, vd_arena *arena, vd_diag *d, vd_scenario_def *def) {
  const reading from = {.text = text, .arena = arena, .d = d, .def = def, .depth = depth};
  return read_from(&from, vd_diag_add_source(d, text->name, text->text, text->length));
}

bool vd_scenario_read_source(int source, const vd_setting *settings, size_t count, vd_arena *arena, vd_diag *d,
                             vd_scenario_def *def) {
  const char *text;
  size_t length = vd_diag_source_text(d, source, &text);
  const vd_scenario_text from = {vd_diag_source_name(d, source), text, length, settings, count};
  return read_from(&(reading){.text = &from, .arena = arena, .d = d, .def = def}, source);
}
