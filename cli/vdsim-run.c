/* vdsim-run: scenario files to time histories, metrics and resolved scenarios. */
#include "jobs.h"
#include "run/kind.h"
#include "manoeuvres.h"
#include "opt.h"
#include "rig_job.h"
#include "search_job.h"
#include "track_job.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum option {
  OPT_OUTPUT,
  OPT_SET,
  OPT_CHANNELS,
  OPT_RATE,
  OPT_METRICS,
  OPT_RESPONSE,
  OPT_EXACT,
  OPT_JOBS,
  OPT_CHECK,
  OPT_RESOLVED,
  OPT_LIST_CHANNELS,
  OPT_LIST_KEYS,
  OPT_LIST_MANOEUVRES,
  OPT_QUIET,
  OPT_VERBOSE,
  OPT_HELP,
  OPT_VERSION,
};

static const vd_opt table[] = {
    {'o', "output", "DIR|FILE|-", "time history to FILE.csv, or all results to DIR (default: stdout)", OPT_OUTPUT},
    {0, "set", "KEY=VALUE", "override a field: --set vehicle.mass='1600 kg' (repeatable)", OPT_SET},
    {'c', "channels", "LIST", "channels to log, names or globs: -c 'yaw*,ay_mps2,fz_*'", OPT_CHANNELS},
    {0, "rate", "HZ", "log rows per second", OPT_RATE},
    {0, "metrics", "FILE|-", "write the metrics only", OPT_METRICS},
    {0, "response", "FILE|-", "write the frequency response only", OPT_RESPONSE},
    {0, "exact", NULL, "17 significant digits instead of 9", OPT_EXACT},
    {'j', "jobs", "N", "run N scenarios at a time", OPT_JOBS},
    {0, "check", NULL, "read and check, run nothing", OPT_CHECK},
    {0, "resolved", NULL, "print the complete effective scenario, run nothing", OPT_RESOLVED},
    {0, "list-channels", NULL, "print name, unit, levels and meaning of every channel", OPT_LIST_CHANNELS},
    {0, "list-keys", "=rig|track_car", "print key, type, unit, range, default and meaning of each key", OPT_LIST_KEYS},
    {0, "list-manoeuvres", NULL, "print name, scenario file, standard and meaning of what is shipped",
     OPT_LIST_MANOEUVRES},
    {'q', "quiet", NULL, "no progress, no remarks", OPT_QUIET},
    {'v', "verbose", NULL, "say what was done", OPT_VERBOSE},
    {'h', "help", NULL, "print this help", OPT_HELP},
    {0, "version", NULL, "print the version", OPT_VERSION},
};

static void help(FILE *to) {
  fputs("vdsim-run runs vehicle dynamics scenarios: YAML in, CSV out.\n\n"
        "usage: vdsim-run [options] SCENARIO.yaml...\n\n"
        "One scenario writes its time history to standard output. With -o DIR each scenario leaves\n"
        "<stem>.csv, <stem>.metrics.csv, <stem>.resolved.yaml and <stem>.provenance.yaml there, and\n"
        "<stem>.response.csv if it asks for a frequency response.\n\n"
        "  $ vdsim-run -c yaw_rate_radps,ay_mps2 --rate 2 scenarios/iso/step_steer.yaml | head -n 2\n"
        "  t_s,yaw_rate_radps,ay_mps2\n"
        "  0,0,0\n\n",
        to);
  vd_opt_help(to, table, VD_COUNT(table));
  fputs("\nExit status: 0 done, 2 trouble (usage, input, output, a number gone bad). See vdsim-run(1).\n", to);
}

static void *allocate(size_t size) {
  void *memory = calloc(1, size);
  if (!memory)
    abort();
  return memory;
}

/* "a,b" as the setting log.channels=["a", "b"]. */
static char *channels_setting(const char *list) {
  vd_buf text = {0};
  vd_buf_puts(&text, "log.channels=[");
  for (const char *p = list;; p++) {
    size_t length = strcspn(p, ",");
    vd_buf_puts(&text, "\"");
    vd_buf_quote(&text, p, length);
    vd_buf_puts(&text, "\"");
    p += length;
    if (*p == '\0')
      break;
    vd_buf_puts(&text, ", ");
  }
  vd_buf_puts(&text, "]");
  return text.text;
}

static char *rate_setting(const char *rate) {
  vd_buf text = {0};
  vd_buf_printf(&text, "log.rate=%s", rate);
  return text.text;
}

static void add_setting(vd_settings *s, const char *text, char *owned) {
  s->set[s->set_count++] = (vd_setting){.text = text};
  if (owned)
    s->owned[s->owned_count++] = owned;
}

static int list_channels(void) {
  size_t count;
  const vd_channel *channel = vd_channel_table(&count);
  for (size_t i = 0; i < count; i++) {
    char levels[32] = "";
    for (unsigned level = VD_L0; level <= VD_L5; level++)
      if (channel[i].levels & VD_WHEN(level))
        snprintf(levels + strlen(levels), sizeof levels - strlen(levels), "%sL%u", *levels ? "," : "", level);
    printf("%s\t%s\t%s\t%s\n", channel[i].name, channel[i].unit, levels, channel[i].help);
  }
  return VD_EXIT_YES;
}

static int list_keys(const char *kind) {
  static const struct {
    const char *kind;
    const vd_schema *schema;
  } known[] = {{"vehicle", &vd_scenario_schema}, {"rig", &vd_rig_schema}, {"track_car", &vd_track_schema}};
  const vd_schema *schema = kind ? NULL : &vd_scenario_schema;
  for (size_t i = 0; i < VD_COUNT(known) && kind; i++)
    if (strcmp(kind, known[i].kind) == 0)
      schema = known[i].schema;
  if (!schema) {
    fprintf(stderr,
            "vdsim-run: error: '--list-keys=%s': there are the keys of 'vehicle', of 'rig' and of 'track_car'\n", kind);
    return VD_EXIT_TROUBLE;
  }
  vd_buf text = {0};
  vd_schema_list(schema, "", &text);
  fwrite(text.text, 1, text.length, stdout);
  vd_buf_finish(&text);
  return VD_EXIT_YES;
}

static int list_manoeuvres(void) {
  vd_manoeuvres_list(stdout);
  return VD_EXIT_YES;
}

static int close_stdout(int status) {
  if (ferror(stdout) || fflush(stdout) != 0) {
    if (errno != EPIPE)
      fprintf(stderr, "vdsim-run: error: cannot write to standard output: %s\n", strerror(errno));
    return errno == EPIPE ? status : VD_EXIT_TROUBLE;
  }
  return status;
}

static bool parse_jobs(const char *text, int *jobs) {
  char *end;
  long n = strtol(text, &end, 10);
  if (end == text || *end != '\0' || n < 1 || n > 1024) {
    fprintf(stderr, "vdsim-run: error: '-j %s': a number from 1 to 1024 is needed\n", text);
    return false;
  }
  *jobs = (int)n;
  return true;
}

/* Exit status, or -1 to go on. */
static int parse(vd_settings *s, int argc, char **argv) {
  vd_opt_state state;
  int id;
  vd_opt_start(&state, argc, argv);
  while ((id = vd_opt_next(&state, table, VD_COUNT(table))) != VD_OPT_END) {
    char *text = NULL;
    if (id == VD_OPT_ERROR)
      return VD_EXIT_TROUBLE;
    if (id == VD_OPT_OPERAND) {
      s->scenario[s->scenario_count++] = argv[state.next - 1];
      continue;
    }
    switch ((enum option)id) {
    case OPT_OUTPUT: s->output = state.value; break;
    case OPT_SET: add_setting(s, state.value, NULL); break;
    case OPT_CHANNELS:
      s->log_option = "-c";
      text = channels_setting(state.value);
      add_setting(s, text, text);
      break;
    case OPT_RATE:
      s->log_option = "--rate";
      text = rate_setting(state.value);
      add_setting(s, text, text);
      break;
    case OPT_METRICS: s->metrics = state.value; break;
    case OPT_RESPONSE: s->response = state.value; break;
    case OPT_EXACT: s->digits = VD_DIGITS_17; break;
    case OPT_JOBS:
      if (!parse_jobs(state.value, &s->jobs))
        return VD_EXIT_TROUBLE;
      break;
    case OPT_CHECK: s->check = true; break;
    case OPT_RESOLVED: s->resolved = true; break;
    case OPT_LIST_CHANNELS: return close_stdout(list_channels());
    case OPT_LIST_KEYS: return close_stdout(list_keys(state.value));
    case OPT_LIST_MANOEUVRES: return close_stdout(list_manoeuvres());
    case OPT_QUIET: s->quiet = true; break;
    case OPT_VERBOSE: s->verbose = true; break;
    case OPT_HELP: help(stdout); return close_stdout(VD_EXIT_YES);
    case OPT_VERSION: puts("vdsim-run " VDSIM_VERSION); return close_stdout(VD_EXIT_YES);
    }
  }
  return -1;
}

/* The log of b, <stem>.csv, is a result of a: its log, or its metrics or response if b is called like a.metrics.yaml. */
static bool same_files(const char *a, const char *b) {
  static const char *const endings[] = {"", ".metrics", ".response", ".incomplete"};
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
  if (s->scenario_count == 0)
    problem = "no scenario given";
  else if (s->check + s->resolved + (s->metrics != NULL) + (s->response != NULL) > 1)
    problem = "--check, --resolved, --metrics and --response exclude each other";
  else if (s->scenario_count > 1 && (s->resolved || s->metrics || s->response))
    problem = "--resolved, --metrics and --response take one scenario";
  else if (s->scenario_count > 1 && !s->directory && !s->check)
    problem = "several scenarios need '-o DIR'";
  else if (s->metrics && s->output)
    problem = "--metrics and -o exclude each other";
  else if (s->response && s->output)
    problem = "--response and -o exclude each other";
  if (problem)
    fprintf(stderr, "vdsim-run: error: %s; see --help\n", problem);
  for (size_t i = 0; i < s->scenario_count && !problem; i++)
    for (size_t k = 0; k < s->scenario_count; k++)
      if (i != k && !s->check && same_files(s->scenario[k], s->scenario[i])) {
        fprintf(stderr, "vdsim-run: error: '%s' and '%s' would write the same files\n", s->scenario[k], s->scenario[i]);
        return false;
      }
  return !problem;
}

static int write_metrics(const char *path, const vd_settings *s, const vd_scenario_def *def,
                         const vd_recorder *recorder) {
  static vd_metrics metrics;
  vd_output *o = vd_job_open_output(path);
  if (!o)
    return VD_EXIT_TROUBLE;
  vd_run_metrics(def, recorder, &metrics);
  vd_write_metrics(o, &metrics, s->digits);
  return vd_job_commit(o, path, NULL);
}

static int write_response(const char *path, const vd_settings *s, const char *scenario, const vd_response *response) {
  vd_output *o = vd_job_open_output(path);
  if (!o)
    return VD_EXIT_TROUBLE;
  if (!vd_response_write(response, o, s->digits)) {
    vd_output_discard(o);
    fprintf(stderr, "%s: error: the run ended before one segment of the response (%g s) was full\n", scenario,
            response->def->segment);
    return VD_EXIT_TROUBLE;
  }
  return vd_job_commit(o, path, NULL);
}

/* Everything beside the time history, for an output with a name. */
static int write_sidecars(const vd_settings *s, const char *scenario, const vd_result_names *n, const vd_buf *resolved,
                          const vd_scenario_def *def, const vd_recorder *recorder, const vd_response *response,
                          const vd_run_report *report) {
  int status = vd_job_write_provenance(n->provenance, scenario, resolved, def->run.level, report);
  if (s->directory && status == VD_EXIT_YES)
    status = vd_job_write_text(n->resolved, resolved->text, resolved->length);
  if (s->directory && status == VD_EXIT_YES && report->status == VD_SIM_OK)
    status = write_metrics(n->metrics, s, def, recorder);
  if (s->directory && response && status == VD_EXIT_YES && report->status == VD_SIM_OK)
    status = write_response(n->response, s, scenario, response);
  return status;
}

static void remark(const vd_settings *s, const char *scenario, const vd_recorder *recorder,
                   const vd_run_report *report) {
  if (recorder->tipping_time > 0.0 && !s->quiet)
    fprintf(stderr,
            "%s: warning: the car would roll over, tip over an axle or take off: for %.3g s no wheel loads balance the "
            "moments\n",
            scenario, recorder->tipping_time);
  if (s->verbose)
    fprintf(stderr, "%s: %.9g s simulated, %ld rows, %ld steps split at corners and events\n", scenario,
            report->end_time, report->rows, report->splits);
  if (s->verbose && report->unsettled > 0)
    fprintf(stderr,
            "%s: in %ld steps a brake, clutch or differential found no lasting mode between holding and slipping\n",
            scenario, report->unsettled);
}

static int simulate(const vd_settings *s, const char *scenario, const vd_scenario_def *def, const vd_buf *resolved) {
  bool single = s->metrics || s->response; /* one result, no time history */
  bool to_stdout = !single && (!s->output || strcmp(s->output, "-") == 0), named = !single && !to_stdout;
  bool answers = vd_response_asked(&def->response) && (s->response || s->directory);
  vd_result_names n;
  if (s->response && !answers) {
    fprintf(stderr, "%s: error: '--response': the scenario has no key 'response' with an input\n", scenario);
    return VD_EXIT_TROUBLE;
  }
  if (named && !vd_job_make_names(s, scenario, &n))
    return VD_EXIT_TROUBLE;
  const char *path = to_stdout ? "-" : n.log;
  vd_output *log = single ? NULL : vd_job_open_output(path);
  if (!log && !single)
    return VD_EXIT_TROUBLE;

  vd_progress bar;
  bool watch = vd_job_watch(s, to_stdout, &bar);
  vd_response response;
  vd_run_options options = {.digits = s->digits,
                            .progress = watch ? vd_job_show_progress : NULL,
                            .progress_context = &bar,
                            .response = answers ? &response : NULL};
  vd_recorder recorder;
  vd_run_report report;
  vd_recorder_init(&recorder, s->metrics || s->directory);
  if (answers)
    vd_response_init(&response, &def->response, def->run.step);
  vd_simulate(def, &options, log, &recorder, &report);
  if (bar.shown)
    fputs("\r\033[K", stderr);

  bool bad = report.status != VD_SIM_OK;
  int status = VD_EXIT_YES;
  if (bad)
    fprintf(stderr, "%s: error: %s%s\n", scenario, report.failure, named ? "; rows up to there are kept" : "");
  if (named) {
    /* an earlier run's results must not pass for this one's */
    vd_job_remove_stale(bad ? n.log : n.incomplete);
    if (bad && s->directory)
      vd_job_remove_stale(n.metrics);
    if (s->directory)
      vd_job_remove_stale(n.response);
  }
  if (log)
    status = vd_job_commit(log, path, bad && named ? n.incomplete : NULL);
  if (named && status == VD_EXIT_YES && vd_job_is_plain(bad ? n.incomplete : n.log))
    status = write_sidecars(s, scenario, &n, resolved, def, &recorder, options.response, &report);
  if (s->metrics && !bad)
    status = write_metrics(s->metrics, s, def, &recorder);
  if (s->response && !bad)
    status = write_response(s->response, s, scenario, &response);
  remark(s, scenario, &recorder, &report);
  vd_recorder_finish(&recorder);
  if (answers)
    vd_response_finish(&response);
  return bad ? VD_EXIT_TROUBLE : status;
}

/* One scenario from file to results. */
static int run_scenario(const vd_settings *s, const char *scenario) {
  vd_arena *arena = vd_arena_create();
  vd_diag *diag = vd_diag_create();
  vd_scenario_def *def = vd_arena_alloc(arena, sizeof *def);
  vd_buf resolved = {0};
  int status = VD_EXIT_TROUBLE, source;

  bool slurped = vd_schema_slurp(scenario, diag, &source);
  enum vd_kind kind = slurped ? vd_kind_of(source, diag) : VD_KIND_VEHICLE;
  if (kind != VD_KIND_VEHICLE) {
    status = kind == VD_KIND_TYRE_RIG ? vd_rig_job_run(s, scenario, source, arena, diag)
                                      : vd_track_job_run(s, scenario, source, arena, diag);
    vd_diag_destroy(diag);
    vd_arena_destroy(arena);
    return status;
  }
  bool read = slurped && vd_scenario_read_source(source, s->set, s->set_count, arena, diag, def);
  vd_diag_print(diag, stderr, isatty(STDERR_FILENO) && !getenv("NO_COLOR"));
  if (read) {
    vd_schema_write(&vd_scenario_schema, def, &resolved);
    bool searches = vd_search_asked(&def->search);
    vd_search_job job = {.settings = s, .scenario = scenario, .def = def, .resolved = &resolved};
    job.source = vd_diag_source_name(diag, source);
    job.length = vd_diag_source_text(diag, source, &job.text);
    if (s->check)
      status = searches ? vd_search_job_check(&job) : VD_EXIT_YES;
    else if (s->resolved)
      status = vd_job_write_text(s->output ? s->output : "-", resolved.text, resolved.length);
    else if (searches)
      status = vd_search_job_run(&job);
    else
      status = simulate(s, scenario, def, &resolved);
  }
  vd_buf_finish(&resolved);
  vd_diag_destroy(diag);
  vd_arena_destroy(arena);
  return status;
}

static int run_nth(void *context, size_t i) {
  const vd_settings *s = context;
  return run_scenario(s, s->scenario[i]);
}

/* -o names a folder if it is one, or if there is no such file and the name does not end in .csv. */
static void classify_output(vd_settings *s) {
  struct stat info;
  if (!s->output || strcmp(s->output, "-") == 0 || s->resolved || *s->output == '\0')
    return;
  size_t length = strlen(s->output);
  bool csv = length > 4 && strcmp(s->output + length - 4, ".csv") == 0;
  s->directory = stat(s->output, &info) == 0 ? S_ISDIR(info.st_mode) : !csv;
}

int main(int argc, char **argv) {
  signal(SIGPIPE, SIG_IGN);
  vd_settings s = {.digits = VD_DIGITS_9, .jobs = 1};
  s.set = allocate((size_t)argc * sizeof *s.set);
  s.owned = allocate((size_t)argc * sizeof *s.owned);
  s.scenario = allocate((size_t)argc * sizeof *s.scenario);
  int status = parse(&s, argc, argv);
  if (status < 0) {
    classify_output(&s);
    status = usage_ok(&s) ? vd_jobs_run(run_nth, &s, s.scenario_count, s.jobs) : VD_EXIT_TROUBLE;
  }
  for (size_t i = 0; i < s.owned_count; i++)
    free(s.owned[i]);
  free(s.owned);
  free(s.set);
  free(s.scenario);
  return status;
}
