#include "lists.h"
#include "tool.h"
#include "validate.h"

#include "base/memory.h"
#include "base/num.h"
#include "base/system.h"

#include <string.h>

enum option {
  OPT_OUTPUT,
  OPT_TAP,
  OPT_JUNIT,
  OPT_CSV,
  OPT_REPORT,
  OPT_JOBS,
  OPT_FILTER,
  OPT_SCALE,
  OPT_LIST,
  OPT_LIST_KEYS,
  OPT_SCHEMA,
  OPT_AGAINST,
  OPT_TOLERANCES,
  OPT_SET,
  OPT_BASELINES,
  OPT_STRICT,
  OPT_QUICK,
  OPT_FAIL_FAST,
  OPT_QUIET,
  OPT_VERBOSE,
};

static const vd_opt table[] = {
    {'o', "output", "FILE|-", "where the table, the list or TAP goes (default: standard output)", OPT_OUTPUT},
    {0, "tap", NULL, "Test Anything Protocol instead of the table", OPT_TAP},
    {0, "junit", "FILE|-", "also write JUnit XML", OPT_JUNIT},
    {0, "csv", "FILE|-", "also write all figures as CSV", OPT_CSV},
    {0, "report", "DIR", "also write pages with all figures and pictures: DIR/index.html", OPT_REPORT},
    {'j', "jobs", "N", "make N runs at a time (default: one per processor); same output", OPT_JOBS},
    {0, "filter", "GLOB", "only claims whose \"file/number sentence\" matches", OPT_FILTER},
    {0, "quick", NULL, "only claims with `quick: yes`, which detect most errors in seconds", OPT_QUICK},
    {'x', "fail-fast", NULL, "begin no run after the first claim that fails", OPT_FAIL_FAST},
    {0, "scale", "S", "factor on all tolerances; 0 shows every residual", OPT_SCALE},
    {0, "list", NULL, "print the claims, run nothing", OPT_LIST},
    {0, "list-keys", "=KEY", "print type, unit, range, default, meaning of all keys, or of a block", OPT_LIST_KEYS},
    {0, "schema", NULL, "print a JSON Schema of files of claims, for editors", OPT_SCHEMA},
    {0, "against", "REFERENCE.csv", "compare a run of SCENARIO.yaml with a time history (ISO 19364)", OPT_AGAINST},
    {0, "tolerances", "FILE", "tolerances for --against", OPT_TOLERANCES},
    {0, "set", "KEY=VALUE", "override a field of the scenario of --against", OPT_SET},
    {0, "write-baselines", "DIR", "write the present results as baselines into DIR, judge nothing", OPT_BASELINES},
    {0, "strict", NULL, "an incomplete property file of a tyre is an error", OPT_STRICT},
    {'q', "quiet", NULL, "show only claims that fail", OPT_QUIET},
    {'v', "verbose", NULL, "also show figures of claims that hold", OPT_VERBOSE},
    VD_OPT_STANDARD,
};

static bool parse_scale(const char *text, double *scale) {
  size_t used;
  if (!vd_num_parse(text, strlen(text), scale, &used) || text[used] != '\0' || !(*scale >= 0.0))
    return vd_tool_error("'--scale %s': a number of at least 0 is needed", text);
  return true;
}

static int take(void *settings, int id, const char *value) {
  vd_validate_settings *s = settings;
  bool good = true;
  if (id == VD_OPT_OPERAND) {
    s->operand[s->operands++] = vd_tool_find(value);
    return -1;
  }
  switch ((enum option)id) {
  case OPT_OUTPUT: s->output = value; break;
  case OPT_TAP: s->tap = true; break;
  case OPT_JUNIT: s->junit = value; break;
  case OPT_CSV: s->csv = value; break;
  case OPT_REPORT: s->report = value; break;
  case OPT_JOBS: good = vd_tool_parse_jobs(value, &s->jobs); break;
  case OPT_FILTER: s->filter = value; break;
  case OPT_SCALE: good = parse_scale(value, &s->scale); break;
  case OPT_LIST: s->list = true; break;
  case OPT_LIST_KEYS: return vd_list_keys(&vd_validation_schema, value, "a validation file");
  case OPT_SCHEMA: return vd_list_schema(&vd_validation_schema);
  case OPT_AGAINST: s->against = vd_tool_find(value); break;
  case OPT_TOLERANCES: s->tolerances = vd_tool_find(value); break;
  case OPT_SET: good = vd_tool_add_settings(value, &s->set, &s->set_count); break;
  case OPT_BASELINES: s->baselines = value; break;
  case OPT_STRICT: s->strict = true; break;
  case OPT_QUICK: s->quick = true; break;
  case OPT_FAIL_FAST: s->fail_fast = true; break;
  case OPT_QUIET: s->quiet = true; break;
  case OPT_VERBOSE: s->verbose = true; break;
  }
  return good ? -1 : VD_EXIT_TROUBLE;
}

static const vd_tool tool = {
    .name = "vdsim-validate",
    .synopsis = "vdsim-validate judges which claims about the models hold. Claims with their sources are in\n"
                "validation files.\n\n"
                "usage: vdsim-validate [options] [FILE[:LINE,...]|DIR ...]\n"
                "       vdsim-validate --against REFERENCE.csv --tolerances FILE [--set KEY=VALUE] SCENARIO.yaml\n\n"
                "Without a file all *.yaml of validation/ and of its folders are read. Of FILE:LINE only\n"
                "the statement that begins in this line is judged; --list shows the lines.\n\n"
                "  $ vdsim-validate -v --filter 'single_track/*'\n\n",
    .statuses =
        "\nExit status: 0 all claims hold, 1 some fail, 2 trouble. See vdsim-validate(1), vdsim-validation(5).\n",
    .option = table,
    .options = VD_COUNT(table),
    .take = take,
};

static bool takes_stdout(const char *path) {
  return path && vd_tool_is_stdout(path);
}

static bool usage_ok(const vd_validate_settings *s) {
  const char *problem = NULL;
  if (s->against && !s->tolerances)
    problem = "--against needs --tolerances";
  else if (s->against && s->operands != 1)
    problem = "--against needs one scenario";
  else if (!s->against && (s->tolerances || s->set_count > 0))
    problem = "--tolerances and --set are for --against";
  else if (s->against && s->baselines)
    problem = "--against and --write-baselines exclude each other";
  else if (s->report && s->baselines)
    problem = "--report and --write-baselines exclude each other";
  else if (vd_tool_json() && (s->tap || s->baselines))
    problem = "--json excludes --tap and --write-baselines";
  else if (((s->tap || vd_tool_json()) && vd_tool_is_stdout(s->output)) + takes_stdout(s->junit) +
               takes_stdout(s->csv) >
           1)
    problem = "only one of --tap, --json, --junit - and --csv - can go to standard output";
  else if (s->output && s->baselines)
    problem = "--output and --write-baselines exclude each other";
  if (problem)
    return vd_tool_error("%s; see --help", problem);
  return vd_tool_names_text("-o", s->output) && vd_tool_names_text("--junit", s->junit) &&
         vd_tool_names_text("--csv", s->csv);
}

int vd_validate_parse(vd_validate_settings *s, int argc, char **argv) {
  *s = (vd_validate_settings){.scale = 1.0, .jobs = vd_processors()};
  s->operand = vd_allocate((size_t)argc, sizeof *s->operand);
  s->set = vd_allocate((size_t)argc, sizeof *s->set);
  int status = vd_tool_start(&tool, s, argc, argv);
  return status >= 0 || usage_ok(s) ? status : VD_EXIT_TROUBLE;
}
