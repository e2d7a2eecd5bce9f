#include "run_settings.h"

#include "run_lists.h"
#include "tool.h"

#include "base/cache.h"
#include "base/memory.h"
#include "base/num.h"
#include "base/system.h"
#include "input/schema.h"
#include "run/kind.h"
#include "run/rig.h"
#include "run/track_run.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum option {
  OPT_OUTPUT,
  OPT_SET,
  OPT_CHANNELS,
  OPT_RATE,
  OPT_METRICS,
  OPT_RESPONSE,
  OPT_REPORT,
  OPT_HANDLING,
  OPT_FMU,
  OPT_FMI,
  OPT_PARAMETER,
  OPT_CONTROLLER,
  OPT_LINEAR,
  OPT_AT,
  OPT_EXACT,
  OPT_JOBS,
  OPT_CHECK,
  OPT_RESOLVED,
  OPT_WRITE_TIR,
  OPT_RESUME,
  OPT_ONLY_FAILED,
  OPT_SHARD,
  OPT_MERGE,
  OPT_COUNT,
  OPT_DRY_RUN,
  OPT_CASE,
  OPT_TEMPLATE,
  OPT_STRICT,
  OPT_LIST_CHANNELS,
  OPT_LIST_STATES,
  OPT_LIST_METRICS,
  OPT_LIST_KEYS,
  OPT_SCHEMA,
  OPT_LIST_MANOEUVRES,
  OPT_QUIET,
  OPT_VERBOSE,
};

static const vd_opt table[] = {
    {'o', "output", "DIR|FILE|-", "log to FILE.csv, .mat, .tdx, or all results to DIR (default: stdout)", OPT_OUTPUT},
    {0, "set", "KEY=VALUE", "override a field: vehicle.mass='1600 kg'; @FILE: settings of a file", OPT_SET},
    {'c', "channels", "LIST", "channels to log, names or globs: -c 'yaw*,ay_mps2,fz_*'", OPT_CHANNELS},
    {0, "rate", "HZ", "log rows per second", OPT_RATE},
    {0, "metrics", "FILE|-", "write the metrics only", OPT_METRICS},
    {0, "response", "FILE|-", "write the frequency response only", OPT_RESPONSE},
    {0, "report", "FILE|-", "write a page: car in 3-D, pictures, metrics; one or more runs", OPT_REPORT},
    {0, "handling", "=SET", "write a page of cars in the handling manoeuvres, or in those of SET", OPT_HANDLING},
    {0, "fmu", "FILE.fmu", "write the scenario as a functional mock-up unit, run nothing", OPT_FMU},
    {0, "fmi", "2|3", "with --fmu: version of FMI (default: 2, for FMI 2.0)", OPT_FMI},
    {0, "parameter", "KEY", "with --fmu: a key that importers may set, such as vehicle.mass", OPT_PARAMETER},
    {0, "controller", "KIND", "with --fmu: this controller alone, without its car, such as esc", OPT_CONTROLLER},
    {0, "linear", "=FILE", "matrices A, B, C, D and modes at the end or --at; FILE: .csv, .yaml, -", OPT_LINEAR},
    {0, "at", "S", "with --linear: the instant of the analysis, in seconds", OPT_AT},
    {0, "exact", NULL, VD_OPT_EXACT_HELP, OPT_EXACT},
    {'j', "jobs", "N", "run N scenarios at a time", OPT_JOBS},
    {0, "check", NULL, "read and check, run nothing", OPT_CHECK},
    {0, "resolved", NULL, "print the complete effective scenario, run nothing", OPT_RESOLVED},
    {0, "write-tir", "FILE|-", "write the tyre as a property file (.tir), run nothing", OPT_WRITE_TIR},
    {0, "resume", NULL, "go on with a study, fit or optimisation that was stopped, in -o DIR", OPT_RESUME},
    {0, "only-failed", NULL, "like --resume; also repeat cases that died, ended early or were refused",
     OPT_ONLY_FAILED},
    {0, "shard", "I/N", "run part I of N of a study", OPT_SHARD},
    {0, "merge", NULL, "join the shards of a study, given by their folders, in that of -o", OPT_MERGE},
    {0, "count", NULL, "print how many cases a study has, run nothing", OPT_COUNT},
    {0, "dry-run", NULL, "print the cases of a study, run nothing", OPT_DRY_RUN},
    {0, "case", "I", "run case I of a study alone, counted from 0, with all its results", OPT_CASE},
    {0, "template", "KIND", "write a car, tyre, suspension or scenario from few numbers", OPT_TEMPLATE},
    {0, "strict", NULL, "an incomplete property file is an error, and a missed fit fails", OPT_STRICT},
    {0, "list-channels", NULL, "print name, unit, levels and meaning of every channel", OPT_LIST_CHANNELS},
    {0, "list-states", NULL, "print name, unit, scale, lowest level and meaning of every state", OPT_LIST_STATES},
    {0, "list-metrics", "=SET", "print name, unit, set, standard and definition of every metric", OPT_LIST_METRICS},
    {0, "list-keys", "=KEY", "print type, unit, range, default, meaning of all keys, or of a block", OPT_LIST_KEYS},
    {0, "schema", "=KEY", "print a JSON Schema of scenarios, or of files of a key, for editors", OPT_SCHEMA},
    {0, "list-manoeuvres", NULL, "print name, scenario file, standard and meaning of what is shipped",
     OPT_LIST_MANOEUVRES},
    {'q', "quiet", NULL, "no progress, no remarks", OPT_QUIET},
    {'v', "verbose", NULL, "say what was done", OPT_VERBOSE},
    VD_OPT_STANDARD,
};

/* --- the command line --- */

/* Adds an option that sets a key of a vehicle's log, as if it were given by --set. */
static void add_log_setting(vd_settings *s, const char *option, const char *key, const char *value, bool list) {
  vd_buf text = {0};
  vd_buf_printf(&text, "%s=%s", key, value);
  s->log_option = option;
  s->set[s->set_count++] = (vd_setting){.text = text.text, .option = option, .list = list};
  s->owned[s->owned_count++] = text.text;
}

/* Reads an integer of at least `least` that ends before the character `end`, and sets *rest to this character; false:
 * the text is not such a number. */
static bool take_number(const char *text, char end, long least, long *out, const char **rest) {
  char *stop;
  errno = 0;
  *out = strtol(text, &stop, 10);
  *rest = stop;
  return *text >= '0' && *text <= '9' && errno == 0 && *stop == end && *out >= least;
}

static bool take_shard(vd_settings *s, const char *value) {
  const char *rest;
  long shard, shards;
  if (!take_number(value, '/', 1, &shard, &rest) || !take_number(rest + 1, '\0', 1, &shards, &rest) || shard > shards ||
      shards > 1000000)
    return vd_tool_error("'--shard %s': I/N is needed, from 1/N to N/N, with N up to 1000000", value);
  s->shard = (int)shard - 1;
  s->shards = (int)shards;
  return true;
}

static bool take_case(vd_settings *s, const char *value) {
  const char *rest;
  return take_number(value, '\0', 0, &s->one_case, &rest) ||
         vd_tool_error("'--case %s': the number of a case is needed, from 0", value);
}

static bool take_instant(vd_settings *s, const char *value) {
  size_t used;
  return (vd_num_parse(value, strlen(value), &s->at, &used) && value[used] == '\0' && s->at >= 0.0) ||
         vd_tool_error("'--at %s': seconds from the start are needed, 0 or more", value);
}

static bool take_fmi(vd_settings *s, const char *value) {
  s->fmi = strcmp(value, "2") == 0 ? 2 : strcmp(value, "3") == 0 ? 3 : 0;
  return s->fmi || vd_tool_error("'--fmi %s': 2 or 3 is needed", value);
}

static int take(void *settings, int id, const char *value) {
  vd_settings *s = settings;
  if (id == VD_OPT_OPERAND) {
    s->scenario[s->scenario_count++] = vd_tool_find(value);
    return -1;
  }
  switch ((enum option)id) {
  case OPT_OUTPUT: s->output = value; break;
  case OPT_SET: return vd_tool_add_settings(value, &s->set, &s->set_count) ? -1 : VD_EXIT_TROUBLE;
  case OPT_CHANNELS: add_log_setting(s, "-c", "log.channels", value, true); break;
  case OPT_RATE: add_log_setting(s, "--rate", "log.rate", value, false); break;
  case OPT_METRICS: s->metrics = value; break;
  case OPT_RESPONSE: s->response = value; break;
  case OPT_REPORT: s->report = value; break;
  case OPT_HANDLING:
    s->handling = true;
    s->programme = value;
    break;
  case OPT_FMU: s->fmu = value; break;
  case OPT_FMI: return take_fmi(s, value) ? -1 : VD_EXIT_TROUBLE;
  case OPT_CONTROLLER: s->controller = value; break;
  case OPT_PARAMETER: s->parameter[s->parameters++] = value; break;
  case OPT_LINEAR:
    s->linear = true;
    s->linear_file = value;
    break;
  case OPT_AT: return take_instant(s, value) ? -1 : VD_EXIT_TROUBLE;
  case OPT_EXACT: s->digits = VD_DIGITS_EXACT; break;
  case OPT_JOBS: return vd_tool_parse_jobs(value, &s->jobs) ? -1 : VD_EXIT_TROUBLE;
  case OPT_CHECK: s->check = true; break;
  case OPT_RESOLVED: s->resolved = true; break;
  case OPT_WRITE_TIR: s->write_tir = value; break;
  case OPT_RESUME: s->resume = true; break;
  case OPT_ONLY_FAILED: s->only_failed = true; break;
  case OPT_SHARD: return take_shard(s, value) ? -1 : VD_EXIT_TROUBLE;
  case OPT_MERGE: s->merge = true; break;
  case OPT_COUNT: s->count = true; break;
  case OPT_DRY_RUN: s->dry_run = true; break;
  case OPT_CASE: return take_case(s, value) ? -1 : VD_EXIT_TROUBLE;
  case OPT_TEMPLATE: s->template_kind = value; break;
  case OPT_STRICT: s->strict = true; break;
  case OPT_LIST_CHANNELS: return vd_list_channels();
  case OPT_LIST_STATES: return vd_list_states();
  case OPT_LIST_METRICS: return vd_list_metrics(value);
  case OPT_LIST_KEYS: return vd_list_run_keys(value);
  case OPT_SCHEMA: return vd_list_run_schema(value);
  case OPT_LIST_MANOEUVRES: return vd_list_manoeuvres();
  case OPT_QUIET: s->quiet = true; break;
  case OPT_VERBOSE: s->verbose = true; break;
  }
  return -1;
}

static const vd_tool tool = {
    .name = "vdsim-run",
    .synopsis = "vdsim-run runs vehicle dynamics scenarios: YAML in, CSV out.\n\n"
                "usage: vdsim-run [options] SCENARIO.yaml...\n"
                "       vdsim-run --handling[=SET.yaml] [options] CAR.yaml...\n\n"
                "One scenario writes its time history to standard output. With -o DIR each scenario leaves\n"
                "<stem>.csv, <stem>.metrics.csv, <stem>.resolved.yaml and <stem>.provenance.yaml there, and\n"
                "<stem>.response.csv if it has a frequency response.\n\n"
                "  $ vdsim-run -c yaw_rate_radps,ay_mps2 --rate 2 scenarios/handling/step_steer.yaml | tail -n 1\n"
                "  6,0.14400532,4.00014732\n\n",
    .statuses = "\nExit status: 0 done, 1 a search without an answer, 2 trouble (usage, input, output),\n"
                "3 a run that ended early (a number that is no longer finite, overturned, ...). See vdsim-run(1).\n",
    .option = table,
    .options = VD_COUNT(table),
    .take = take,
};

/* Whether the log of scenario b, <stem>.csv, would overwrite a CSV file of scenario a, for example if b has the name
 * a.metrics.yaml. The endings are those of .csv files in results.c. */
static bool log_overwrites(const char *b, const char *a) {
  static const char *const endings[] = {"",         ".metrics",   ".response",  ".figures", ".curves", ".correlations",
                                        ".profile", ".resamples", ".incomplete"};
  char stem_a[256], stem_b[256], name[280];
  vd_job_stem(a, stem_a, sizeof stem_a);
  vd_job_stem(b, stem_b, sizeof stem_b);
  bool same = false;
  for (size_t i = 0; i < VD_COUNT(endings); i++) {
    snprintf(name, sizeof name, "%s%s", stem_a, endings[i]);
    same |= strcmp(name, stem_b) == 0;
  }
  return same;
}

static bool usage_ok(const vd_settings *s) {
  const char *problem = NULL;
  bool other = s->check || s->resolved || s->metrics || s->response || s->write_tir || s->report || s->fmu ||
               s->linear || s->log_option;
  if (s->template_kind)
    problem = s->scenario_count > 0 ? "--template takes numbers (--set), no scenario"
              : other               ? "--template can be combined only with --set and -o"
                                    : NULL;
  else if (s->scenario_count == 0)
    problem = s->merge ? "no folder given" : s->handling ? "--handling needs a car" : "no scenario given";
  else if (s->handling && (other || s->merge || s->count || s->dry_run || s->one_case >= 0 || vd_tool_json()))
    problem = "--handling can be combined only with --set, -o and -j";
  else if (s->handling && s->output && !vd_tool_is_stdout(s->output) && !s->directory)
    problem = "--handling writes a page and tables: '-o DIR' is a folder";
  else if (s->handling && vd_tool_is_stdout(s->output) && isatty(STDOUT_FILENO))
    problem = "--handling needs '-o DIR', or a file to which the page is directed";
  else if (s->merge || s->handling)
    return true;
  else if (s->scenario_count > 1 && (s->count || s->dry_run || s->one_case >= 0))
    problem = "--count, --dry-run and --case take one study";
  else if (s->check + s->resolved + (s->metrics != NULL) + (s->response != NULL) + (s->write_tir != NULL) +
               (s->report != NULL) + (s->fmu != NULL) + s->linear >
           1)
    problem =
        "--check, --resolved, --metrics, --response, --report, --fmu, --write-tir and --linear exclude each other";
  else if (s->scenario_count > 1 && (s->resolved || s->metrics || s->response || s->write_tir || s->fmu || s->linear))
    problem = "--resolved, --metrics, --response, --write-tir, --fmu and --linear take one scenario";
  else if (!s->fmu && (s->parameters > 0 || s->controller))
    problem = "--parameter and --controller are for --fmu";
  else if (s->controller && s->log_option)
    problem = "--controller and -c exclude each other: its outputs are its requests";
  else if (s->fmu && !vd_ends_in(s->fmu, ".fmu"))
    problem = "the name of a functional mock-up unit (--fmu) must end in .fmu";
  else if (s->fmu && s->output)
    problem = "--fmu and -o exclude each other";
  else if (!s->linear && !isnan(s->at))
    problem = "--at sets the instant of --linear, which is not given";
  else if (s->linear && s->output)
    problem = "--linear=FILE and -o exclude each other";
  else if (s->report && (s->output || s->log_option))
    problem = "--report has no time history and cannot be combined with -o, -c and --rate";
  else if (s->scenario_count > 1 && !s->directory && !s->check && !s->report)
    problem = "several scenarios need '-o DIR'";
  else if (s->metrics && s->output)
    problem = "--metrics and -o exclude each other";
  else if (s->response && s->output)
    problem = "--response and -o exclude each other";
  else if (s->write_tir && s->output)
    problem = "--write-tir and -o exclude each other";
  else if (vd_tool_json() && !s->metrics && !s->directory)
    problem = "--json is for --metrics, lists, and results in a folder ('-o DIR')";
  if (problem)
    return vd_tool_error("%s; see --help", problem);
  for (size_t i = 0; i < s->scenario_count; i++)
    for (size_t k = 0; k < s->scenario_count; k++)
      if (i != k && !s->check && !s->report && log_overwrites(s->scenario[i], s->scenario[k]))
        return vd_tool_error("'%s' and '%s' would write the same files", s->scenario[k], s->scenario[i]);
  return true;
}

/* Finds out whether -o names a folder: it does if the folder exists, or if no such file exists and the name does not
 * end in .csv, .mat or .tdx. An output file must have one of these endings, or be a device or a pipe, whose contents
 * cannot be lost. */
static bool classify_output(vd_settings *s) {
  struct stat info;
  if (vd_tool_is_stdout(s->output) || s->resolved || s->template_kind || *s->output == '\0')
    return true;
  bool exists = stat(s->output, &info) == 0, log = vd_job_is_log(s->output);
  s->directory = exists ? S_ISDIR(info.st_mode) : !log;
  if (!s->directory && vd_job_is_mat(s->output))
    s->digits = VD_DIGITS_EXACT;
  if (!(exists && s->directory) && (vd_ends_in(s->output, ".mf4") || vd_ends_in(s->output, ".mdf")))
    return vd_tool_error("'-o %s': MDF is not written: it needs a library of its own; programs that write it read .csv "
                         "and .mat",
                         s->output);
  if (!(exists && s->directory) && vd_ends_in(s->output, ".parquet"))
    return vd_tool_error(
        "'-o %s': Parquet is written by the package for Python: vdsim.run(...).to_pandas().to_parquet()", s->output);
  if (exists && S_ISREG(info.st_mode) && !log)
    return vd_tool_error("'-o %s': a name that ends in .csv, .mat or .tdx, a folder or - is needed, not another file",
                         s->output);
  return exists || vd_tool_names_text("-o", s->output);
}

/* Whether the file for the matrices of the linear analysis has a valid name: it ends in .csv or .yaml, or is standard
 * output or a device. False after a message. */
static bool linear_file_ok(const vd_settings *s) {
  const char *file = s->linear_file;
  struct stat info;
  if (!file || vd_tool_is_stdout(file) || vd_ends_in(file, ".csv"))
    return true;
  if (stat(file, &info) == 0 && !S_ISREG(info.st_mode))
    return true;
  return vd_ends_in(file, ".yaml") || vd_tool_error("'--linear=%s': the name must end in .csv or .yaml", file);
}

int vd_run_settings_parse(vd_settings *s, int argc, char **argv) {
  size_t count = (size_t)argc; /* an upper bound for each list */
  *s = (vd_settings){.digits = VD_DIGITS_9, .shards = 1, .one_case = -1, .at = NAN, .fmi = 2};
  s->set = vd_allocate(count, sizeof *s->set);
  s->owned = vd_allocate(count, sizeof *s->owned);
  s->scenario = vd_allocate(count, sizeof *s->scenario);
  s->parameter = vd_allocate(count, sizeof *s->parameter);
  int status = vd_tool_start(&tool, s, argc, argv);
  if (status >= 0)
    return status;
  s->jobs = s->jobs > 0 ? s->jobs : s->handling ? vd_processors() : 1;
  bool good = classify_output(s) && usage_ok(s) && vd_tool_names_text("--metrics", s->metrics) &&
              vd_tool_names_text("--response", s->response) && vd_tool_names_text("--report", s->report) &&
              linear_file_ok(s);
  return good ? -1 : VD_EXIT_TROUBLE;
}

void vd_run_settings_finish(vd_settings *s) {
  for (size_t i = 0; i < s->owned_count; i++)
    free(s->owned[i]);
  free(s->owned);
  free(s->set);
  free(s->scenario);
  free(s->parameter);
  vd_diag_destroy(s->inputs);
  vd_cache_destroy(s->maps);
}
