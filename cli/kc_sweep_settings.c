#include "kc_sweep_settings.h"

#include "lists.h"
#include "tool.h"

#include "base/memory.h"
#include "linkage/corner_def.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum option {
  OPT_SWEEP,
  OPT_TRAVEL,
  OPT_RACK,
  OPT_FX,
  OPT_FY,
  OPT_MZ,
  OPT_FZ,
  OPT_FX_CENTRE,
  OPT_HOLD,
  OPT_GRAVITY,
  OPT_MODE,
  OPT_SIDE,
  OPT_PARTIAL,
  OPT_METRICS,
  OPT_SENSITIVITY,
  OPT_FORCES,
  OPT_MATRIX,
  OPT_FACTORS,
  OPT_TRAIL,
  OPT_DYNAMICS,
  OPT_FREQUENCY,
  OPT_COLUMNS,
  OPT_TABLES,
  OPT_REPORT,
  OPT_REFERENCE,
  OPT_RTOL,
  OPT_ATOL,
  OPT_OUTPUT,
  OPT_EXACT,
  OPT_SET,
  OPT_CHECK,
  OPT_RESOLVED,
  OPT_GRAPH,
  OPT_LIST_COLUMNS,
  OPT_LIST_KEYS,
  OPT_SCHEMA,
  OPT_QUIET,
  OPT_VERBOSE,
  OPTIONS
};
_Static_assert(OPTIONS == (int)VD_KC_SWEEP_OPTIONS, "room for all");

static const vd_opt table[] = {
    {0, "sweep", "LIST", "travel, rack, grid, fx, fy, mz, fz, fx_centre; all: each except grid", OPT_SWEEP},
    {0, "travel", "FROM:TO:N", "wheel travel in mm (default -100:100:41)", OPT_TRAVEL},
    {0, "rack", "FROM:TO:N", "shift of the rack to the left in mm (default -40:40:17)", OPT_RACK},
    {0, "fx", "FROM:TO:N", "longitudinal force in N (default -4000:4000:9)", OPT_FX},
    {0, "fy", "FROM:TO:N", "lateral force in N (default -4000:4000:9)", OPT_FY},
    {0, "mz", "FROM:TO:N", "moment about the vertical in N m (default -100:100:9)", OPT_MZ},
    {0, "fz", "FZ|FROM:TO:N", "load in N with the other forces (default 4500), or range of its sweep", OPT_FZ},
    {0, "fx-centre", "FROM:TO:N", "longitudinal force at the wheel centre in N (default -4000:4000:9)", OPT_FX_CENTRE},
    {0, "hold", "WHAT", "the wheel's height under forces: centre, ground or free (default auto)", OPT_HOLD},
    {0, "gravity", NULL, "knuckle and links have their weights under forces", OPT_GRAVITY},
    {0, "mode", "MODE", "the other wheel's travel: parallel (default) or opposite", OPT_MODE},
    {0, "side", "SIDE", "rows of the left (default) or right wheel, or of both", OPT_SIDE},
    {0, "partial", NULL, "leave out points that cannot be reached, with exit status 1", OPT_PARTIAL},
    {0, "metrics", "FILE|-", "write figures and gains at the design position instead of curves", OPT_METRICS},
    {0, "sensitivity", NULL, "write derivatives of figures by hardpoints and rates instead of curves", OPT_SENSITIVITY},
    {0, "forces", NULL, "write the forces in joints, links and bushings instead of curves", OPT_FORCES},
    {0, "matrix", NULL, "write the axle's compliance matrix instead of curves", OPT_MATRIX},
    {0, "factors", NULL, "write compliances in phase, opposed, left and right instead of curves", OPT_FACTORS},
    {0, "trail", "MM", "lateral force's distance behind the contact, --factors (default 30)", OPT_TRAIL},
    {0, "dynamics", NULL, "write masses and forces of a moved wheel instead of curves", OPT_DYNAMICS},
    {0, "frequency", "HZ", "frequency of the motion in --dynamics (default 1)", OPT_FREQUENCY},
    {'c', "columns", "LIST", "columns of the curves, names or globs: -c 'travel_mm,toe*,camber_deg'", OPT_COLUMNS},
    {0, "tables", "DIR", "write the wheel's path as tables, which cars can use", OPT_TABLES},
    {0, "report", "FILE.html", "write a page: the linkage in space, sheets of all curves, figures", OPT_REPORT},
    {0, "reference", "FILE", "a suspension, curves or compliance, drawn over those of --report", OPT_REFERENCE},
    {0, "rtol", "R", "band about the reference: share of its value (default 0.05)", OPT_RTOL},
    {0, "atol", "A", "least half width of this band, in the unit of the curve (default 1e-4)", OPT_ATOL},
    {'o', "output", "FILE|-", "where to write (default: standard output)", OPT_OUTPUT},
    {0, "exact", NULL, VD_OPT_EXACT_HELP, OPT_EXACT},
    {0, "set", "KEY=VALUE", "override a field: spring.rate='25 N/mm'; @FILE: settings of a file", OPT_SET},
    {0, "check", NULL, "read and check, sweep nothing", OPT_CHECK},
    {0, "resolved", NULL, "print the complete effective suspension, sweep nothing", OPT_RESOLVED},
    {0, "graph", NULL, "print bodies, joints and points, sweep nothing", OPT_GRAPH},
    {0, "list-columns", NULL, "print name, unit and meaning of every column", OPT_LIST_COLUMNS},
    {0, "list-keys", "=KEY", "print type, unit, range, default, meaning of all keys, or of a block", OPT_LIST_KEYS},
    {0, "schema", NULL, "print a JSON Schema of suspensions, for editors", OPT_SCHEMA},
    {'q', "quiet", NULL, "no remarks", OPT_QUIET},
    {'v', "verbose", NULL, "say what was done", OPT_VERBOSE},
    VD_OPT_STANDARD,
};

static int list_columns(void) {
  vd_buf out = {0};
  vd_kc_columns_list(&out);
  return vd_list_print(&out, "name unit meaning", NULL);
}

static bool complain(const char *option, const char *text, const char *what) {
  return vd_tool_error("'--%s=%s': %s; see --help", option, text, what);
}

/* --- values of options --- */

/* Takes an option that chooses the curves. */
static bool plan_curves(vd_kc_sweep_settings *s, const vd_opt *option, const char *text, const char *list) {
  vd_buf why = {0};
  bool good = vd_kc_plan_set(&s->plan, option->name, option->argument ? text : NULL, &why);
  if (!good)
    vd_tool_error("'--%s=%s': %s; see %s", option->name, text, why.text, list);
  vd_buf_finish(&why);
  return good;
}

/* Parses "from:to:points" or a single value; `scale' converts to SI. */
static bool parse_range(const char *option, const char *text, double scale, vd_kc_range *range) {
  vd_buf why = {0};
  bool good = vd_kc_range_read(text, scale, range, &why);
  if (!good)
    complain(option, text, why.text);
  vd_buf_finish(&why);
  return good;
}

static bool take_trail(vd_kc_sweep_settings *s, const char *text) {
  vd_kc_range range = {0.0, 0.0, 0};
  if (!parse_range("trail", text, 1e-3, &range))
    return false;
  s->trail = range.from;
  return range.points == 1 || complain("trail", text, "one number is needed");
}

static bool take_frequency(vd_kc_sweep_settings *s, const char *text) {
  vd_kc_range range = {0.0, 0.0, 0};
  if (!parse_range("frequency", text, 1.0, &range))
    return false;
  s->frequency = range.from;
  return (range.points == 1 && range.from > 0.0) || complain("frequency", text, "one number above 0 is needed");
}

static bool take_tolerance(const char *option, const char *text, double *out) {
  vd_kc_range range = {0.0, 0.0, 0};
  if (!parse_range(option, text, 1.0, &range))
    return false;
  *out = range.from;
  return (range.points == 1 && range.from >= 0.0) || complain(option, text, "one number from 0 on is needed");
}

/* --- the command line --- */

static bool set_operand(vd_kc_sweep_settings *s, const char *path) {
  if (s->path)
    return vd_tool_error("one suspension at a time, not '%s' and '%s'; see --help", s->path, path);
  s->path = vd_tool_find(path);
  return true;
}

/* Whether an option has an effect together with the others. Metrics and sensitivities are computed for the left wheel
 * at the design position in parallel travel; they use the range of the rack and one vertical load. The compliance
 * matrix and factors are computed at one travel, one rack displacement and one value of each load. */
static bool has_effect(const vd_kc_sweep_settings *s, enum option id) {
  bool design = s->metrics || s->sensitivity, place = s->matrix || s->factors;
  if (s->report && (id == OPT_SIDE || id == OPT_PARTIAL || id == OPT_MODE || id == OPT_COLUMNS || id == OPT_OUTPUT))
    return false;
  if (s->dynamics) {
    static const enum option curves[] = {OPT_SWEEP, OPT_SIDE,      OPT_PARTIAL, OPT_FX,   OPT_FY,
                                         OPT_MZ,    OPT_FX_CENTRE, OPT_FZ,      OPT_MODE, OPT_HOLD};
    for (size_t i = 0; i < VD_COUNT(curves); i++)
      if (id == curves[i])
        return false;
  }
  switch (id) {
  case OPT_COLUMNS: return !design && !place && !s->plan.forces && !s->tables && !s->dynamics;
  case OPT_SWEEP:
  case OPT_SIDE:
  case OPT_PARTIAL: return !design && !place && !s->tables;
  case OPT_TRAVEL: return !design && !(place && s->plan.ranged[VD_KC_TRAVEL]);
  case OPT_FX: return !design && !(place && s->plan.ranged[VD_KC_FX]);
  case OPT_FY: return !design && !(place && s->plan.ranged[VD_KC_FY]);
  case OPT_MZ: return !design && !(place && s->plan.ranged[VD_KC_MZ]);
  case OPT_FX_CENTRE: return !design && !(place && s->plan.ranged[VD_KC_FX_CENTRE]);
  case OPT_FZ: return !((design || place) && s->plan.ranged[VD_KC_FZ]);
  case OPT_RACK: return !(place && s->plan.ranged[VD_KC_RACK]);
  case OPT_MODE: return !design && !s->tables;
  case OPT_GRAVITY: return !s->sensitivity && !s->tables && !s->dynamics;
  case OPT_TRAIL: return s->factors;
  case OPT_FREQUENCY: return s->dynamics;
  case OPT_OUTPUT: return !s->tables;
  case OPT_REFERENCE: return s->report != NULL;
  case OPT_RTOL:
  case OPT_ATOL: return s->reference != NULL;
  case OPT_TABLES:
  case OPT_REPORT:
  case OPT_HOLD:
  case OPT_METRICS:
  case OPT_SENSITIVITY:
  case OPT_FORCES:
  case OPT_MATRIX:
  case OPT_FACTORS:
  case OPT_DYNAMICS:
  case OPT_EXACT:
  case OPT_SET:
  case OPT_CHECK:
  case OPT_RESOLVED:
  case OPT_GRAPH:
  case OPT_LIST_COLUMNS:
  case OPT_LIST_KEYS:
  case OPT_SCHEMA:
  case OPT_QUIET:
  case OPT_VERBOSE:
  case OPTIONS: break;
  }
  return true;
}

/* Returns the name of an option that was given but has no effect; NULL: none. */
static const char *option_without_effect(const vd_kc_sweep_settings *s) {
  for (size_t i = 0; i < VD_COUNT(table); i++)
    if (table[i].id >= 0 && table[i].id < OPTIONS && s->given[table[i].id] && !has_effect(s, (enum option)table[i].id))
      return table[i].name;
  return NULL;
}

static int take(void *settings, int id, const char *value) {
  vd_kc_sweep_settings *s = settings;
  bool ok = true;
  if (id == VD_OPT_OPERAND)
    return set_operand(s, value) ? -1 : VD_EXIT_TROUBLE;
  switch ((enum option)id) {
  case OPT_SWEEP:
  case OPT_TRAVEL:
  case OPT_RACK:
  case OPT_FX:
  case OPT_FY:
  case OPT_MZ:
  case OPT_FZ:
  case OPT_FX_CENTRE:
  case OPT_HOLD:
  case OPT_GRAVITY:
  case OPT_MODE:
  case OPT_SIDE:
  case OPT_PARTIAL:
  case OPT_FORCES: ok = plan_curves(s, &table[id], value, "--help"); break;
  case OPT_METRICS: s->metrics = value; break;
  case OPT_SENSITIVITY: s->sensitivity = true; break;
  case OPT_MATRIX: s->matrix = true; break;
  case OPT_FACTORS: s->factors = true; break;
  case OPT_TRAIL: ok = take_trail(s, value); break;
  case OPT_DYNAMICS: s->dynamics = true; break;
  case OPT_FREQUENCY: ok = take_frequency(s, value); break;
  case OPT_COLUMNS: ok = plan_curves(s, &table[id], value, "--list-columns"); break;
  case OPT_TABLES: s->tables = value; break;
  case OPT_REPORT: s->report = value; break;
  case OPT_REFERENCE: s->reference = vd_tool_find(value); break;
  case OPT_RTOL: ok = take_tolerance("rtol", value, &s->tolerance.relative); break;
  case OPT_ATOL: ok = take_tolerance("atol", value, &s->tolerance.absolute); break;
  case OPT_OUTPUT: s->output = value; break;
  case OPT_EXACT: s->plan.digits = VD_DIGITS_EXACT; break;
  case OPT_SET: ok = vd_tool_add_settings(value, &s->set, &s->set_count); break;
  case OPT_CHECK: s->check = true; break;
  case OPT_RESOLVED: s->resolved = true; break;
  case OPT_GRAPH: s->graph = true; break;
  case OPT_LIST_COLUMNS: return list_columns();
  case OPT_LIST_KEYS: return vd_list_keys(&vd_corner_schema, value, "a suspension");
  case OPT_SCHEMA: return vd_list_schema(&vd_corner_schema);
  case OPT_QUIET: s->quiet = true; break;
  case OPT_VERBOSE: s->verbose = true; break;
  case OPTIONS: break;
  }
  if (id >= 0 && id < OPTIONS)
    s->given[id] = true;
  return ok ? -1 : VD_EXIT_TROUBLE;
}

static const vd_tool tool = {
    .name = "vdsim-kc-sweep",
    .synopsis = "vdsim-kc-sweep writes the kinematics and compliance of a suspension as CSV.\n\n"
                "usage: vdsim-kc-sweep [options] SUSPENSION.yaml\n\n"
                "  $ vdsim-kc-sweep -o curves.csv scenarios/suspensions/dw_front_sports.yaml\n"
                "  $ vdsim-kc-sweep --report page.html scenarios/suspensions/dw_front_sports.yaml\n"
                "  $ vdsim-kc-sweep --metrics - scenarios/suspensions/mp_front_sedan.yaml\n\n",
    .statuses =
        "\nExit status: 0 done, 1 some points cannot be reached (--partial), 2 trouble. See vdsim-kc-sweep(1).\n",
    .option = table,
    .options = VD_COUNT(table),
    .take = take,
};

/* Whether every range with several points has its sweep; false after a message. */
static bool ranges_swept(const vd_kc_sweep_settings *s) {
  vd_buf why = {0};
  bool good = vd_kc_plan_check(&s->plan, &why) || vd_tool_error("%s; see --help", why.text);
  vd_buf_finish(&why);
  return good;
}

static const char *needed_by(const char *option) {
  static const char *const of[][2] = {
      {"trail", "factors"}, {"reference", "report"}, {"rtol", "reference"}, {"atol", "reference"}};
  for (size_t i = 0; i < VD_COUNT(of); i++)
    if (strcmp(option, of[i][0]) == 0)
      return of[i][1];
  return "dynamics";
}

static bool usage_ok(const vd_kc_sweep_settings *s) {
  const bool other = s->metrics != NULL || s->sensitivity || s->matrix || s->factors || s->tables || s->dynamics;
  const char *lost = option_without_effect(s);
  if (!s->path)
    return vd_tool_error("no suspension given; see --help");
  if (s->check + s->resolved + s->graph + s->sensitivity + s->plan.forces + s->matrix + s->factors + s->dynamics +
          (s->metrics != NULL) + (s->tables != NULL) + (s->report != NULL) >
      1)
    return vd_tool_error("--check, --resolved, --graph, --metrics, --sensitivity, --forces, --matrix, --factors, "
                         "--dynamics, --tables and --report exclude each other; see --help");
  if (vd_tool_json() && !s->metrics)
    return vd_tool_error("--json is for --metrics and lists; see --help");
  if (s->metrics && s->output)
    return vd_tool_error("--metrics and -o exclude each other; see --help");
  if (lost && s->sensitivity)
    return vd_tool_error("'--%s' is for curves; --sensitivity is computed at the design position; see --help", lost);
  if (lost && s->tables)
    return vd_tool_error("'--%s' is for curves; --tables takes --travel and --rack; see --help", lost);
  if (lost && s->metrics)
    return vd_tool_error("'--%s' is for curves; --metrics takes --rack, --hold and one load as --fz; see --help", lost);
  if (lost && (s->matrix || s->factors))
    return vd_tool_error("'--%s' is for curves; --%s takes one travel, one rack and one value of each load; see --help",
                         lost, s->matrix ? "matrix" : "factors");
  if (lost && s->dynamics)
    return vd_tool_error("'--%s' is for curves; --dynamics takes --travel, --rack and --frequency; see --help", lost);
  if (lost && s->report)
    return vd_tool_error(
        "'--%s' is for curves; --report shows all of the left wheel, parallel and opposite; see --help", lost);
  if (lost && s->plan.forces)
    return vd_tool_error("'--%s' is for curves; see --help", lost);
  if (lost)
    return vd_tool_error("'--%s' is for --%s; see --help", lost, needed_by(lost));
  if (!other && !ranges_swept(s))
    return false;
  return (s->resolved || vd_tool_names_text("-o", s->output)) && vd_tool_names_text("--metrics", s->metrics);
}

int vd_kc_sweep_parse(vd_kc_sweep_settings *s, int argc, char **argv) {
  *s = (vd_kc_sweep_settings){.plan = vd_kc_plan_default(), .trail = 0.03, .frequency = 1.0, .tolerance = {0.05, 1e-4}};
  s->set = vd_allocate((size_t)argc, sizeof *s->set);
  int status = vd_tool_start(&tool, s, argc, argv);
  return status >= 0 || usage_ok(s) ? status : VD_EXIT_TROUBLE;
}
