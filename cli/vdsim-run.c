/* vdsim-run: runs scenario files and writes time histories, metrics and resolved scenarios. */
#include "fit_job.h"
#include "handling.h"
#include "jobs.h"
#include "report.h"
#include "limits_job.h"
#include "linear_job.h"
#include "results.h"
#include "rig_job.h"
#include "run_settings.h"
#include "study_job.h"
#include "template_job.h"
#include "tool.h"
#include "track_job.h"
#include "vehicle_job.h"

#include "base/cache.h"
#include "base/memory.h"
#include "base/system.h"
#include "input/schema.h"
#include "run/kind.h"
#include "study/fit.h"

#include <stdlib.h>
#include <string.h>

/* Whether this kind of scenario can write its log in the format of the file name. False after a message. */
static bool may_be_written(const vd_settings *s, const char *scenario, enum vd_kind kind) {
  bool tydex = s->output && !s->directory && !s->check && !s->resolved && vd_job_is_tydex(s->output);
  bool mat = s->output && !s->directory && vd_job_is_mat(s->output);
  if (mat && (kind == VD_KIND_STUDY || vd_kind_fits(kind)))
    return vd_tool_error("'-o %s': files of MATLAB are for logs; '%s' is a %s", s->output, scenario,
                         vd_kinds[kind].name);
  return !tydex || kind == VD_KIND_TYRE_RIG ||
         vd_tool_error("'-o %s': TYDEX files are for tyre rigs; '%s' is not a tyre rig", s->output, scenario);
}

/* Whether no option of studies was given for a scenario that is not a study; false after a message. */
static bool may_be_studied(const vd_settings *s, const char *scenario, enum vd_kind kind) {
  const char *option = s->resume && !vd_kind_fits(kind) ? "--resume"
                       : s->only_failed                 ? "--only-failed"
                       : s->shards > 1                  ? "--shard"
                       : s->count                       ? "--count"
                       : s->dry_run                     ? "--dry-run"
                       : s->one_case >= 0               ? "--case"
                                                        : NULL;
  return !option || kind == VD_KIND_STUDY ||
         vd_tool_error("'%s' is for studies; '%s' is not a study", option, scenario);
}

/* Whether the scenario can become a functional mock-up unit, if --fmu was given; false after a message. */
static bool may_be_exported(const vd_settings *s, const char *scenario, enum vd_kind kind) {
  return !s->fmu || kind == VD_KIND_VEHICLE ||
         vd_tool_error("'--fmu' is for vehicles; '%s' is a %s", scenario, vd_kinds[kind].name);
}

typedef int job(const vd_settings *s, const char *scenario, int source, vd_arena *arena, vd_diag *d);

/* The functions that run each kind of scenario, from its registered source to results and messages; they return an exit
 * status. */
static job *const jobs[VD_KINDS] = {[VD_KIND_VEHICLE] = vd_vehicle_job_run, [VD_KIND_TYRE_RIG] = vd_rig_job_run,
                                    [VD_KIND_TRACK_CAR] = vd_track_job_run, [VD_KIND_TYRE_FIT] = vd_fit_job_run,
                                    [VD_KIND_RUN_FIT] = vd_fit_job_run,     [VD_KIND_OPTIMISE] = vd_fit_job_run,
                                    [VD_KIND_STUDY] = vd_study_job_run,     [VD_KIND_ENVELOPE] = vd_limits_job_run,
                                    [VD_KIND_DIAGRAM] = vd_limits_job_run,  [VD_KIND_LAP] = vd_limits_job_run};

/* Runs scenario i from its file to its results; returns an exit status. */
static int run_scenario(void *context, size_t i, vd_buf *result) {
  (void)result; /* there is none: results go to files */
  const vd_settings *s = context;
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  int status = VD_EXIT_TROUBLE, source;
  vd_diag_set_strict(d, s->strict);
  vd_diag_set_quiet(d, s->quiet);
  vd_diag_set_cache(d, s->maps);
  if (s->inputs)
    vd_diag_note_files(d, s->inputs);
  vd_tool_inputs(d);
  if (!vd_schema_slurp(s->scenario[i], d, &source)) {
    vd_tool_print_messages(d);
  } else {
    const enum vd_kind kind = vd_kind_of(source, d);
    if (may_be_written(s, s->scenario[i], kind) && may_be_studied(s, s->scenario[i], kind) &&
        may_be_exported(s, s->scenario[i], kind) && vd_linear_job_may(s, s->scenario[i], kind))
      status = jobs[kind](s, s->scenario[i], source, arena, d);
  }
  vd_tool_inputs(NULL);
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
  return status;
}

/* Notes the files that a scenario reads. Messages are left to the run. A source that is not a regular file is skipped,
 * as it can be read only once. */
static void note_inputs(const vd_settings *s, const char *scenario, vd_diag *inputs) {
  struct stat info;
  int source;
  if (stat(scenario, &info) != 0 || !S_ISREG(info.st_mode))
    return;
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  vd_diag_set_cache(d, s->maps);
  vd_diag_set_laps(d, &(vd_reader_laps){.none = true});
  if (vd_schema_slurp(scenario, d, &source)) {
    enum vd_kind kind = vd_kind_of(source, d);
    vd_subject subject;
    if (kind == VD_KIND_STUDY)
      vd_study_read_source(source, s->set, s->set_count, arena, d, vd_arena_alloc(arena, sizeof(vd_study)));
    else if (vd_kind_fits(kind))
      vd_fit_read_source(source, s->set, s->set_count, arena, d, vd_arena_alloc(arena, sizeof(vd_fit)));
    else
      vd_subject_read(kind, source, s->set, s->set_count, arena, d, NULL, &subject);
  }
  vd_diag_note_files(inputs, d);
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
}

/* Whether no result of a scenario is an input of another; to find out, all scenarios are read before the first one
 * runs. False after messages. */
static bool outputs_are_no_inputs(vd_settings *s) {
  bool good = true;
  s->inputs = vd_diag_create();
  for (size_t i = 0; i < s->scenario_count; i++)
    note_inputs(s, s->scenario[i], s->inputs);
  vd_tool_inputs(s->inputs);
  for (size_t i = 0; i < s->scenario_count; i++)
    good &= vd_results_may_write(s, s->scenario[i]);
  return good;
}

/* Returns the reason without the scenario's name, which is printed before it; an error may be in another file, whose
 * name is kept. */
static const char *reason_after(const char *scenario, const char *reason) {
  size_t length = strlen(scenario);
  bool repeats = strncmp(reason, scenario, length) == 0 && strncmp(reason + length, ": error: ", 9) == 0;
  return repeats ? reason + length + 9 : reason;
}

/* If there are several scenarios, prints one line for each that failed. */
static void report_failures(const vd_settings *s, const vd_job_end *end) {
  size_t failed = 0;
  for (size_t i = 0; i < s->scenario_count; i++)
    failed += end[i].status != VD_EXIT_YES;
  if (failed > 0)
    fprintf(stderr, "vdsim-run: %zu of %zu scenarios failed\n", failed, s->scenario_count);
  for (size_t i = 0; i < s->scenario_count && failed > 0; i++)
    if (end[i].status != VD_EXIT_YES)
      fprintf(stderr, "vdsim-run: %s: status %d, %s: %s\n", s->scenario[i], end[i].status, vd_jobs_word(end[i].status),
              reason_after(s->scenario[i], end[i].reason));
}

static int run_scenarios(vd_settings *s) {
  vd_jobs all = {.work = run_scenario, .context = s, .count = s->scenario_count, .jobs = s->jobs, .quiet = s->quiet};
  s->maps = vd_cache_create();
  if (s->scenario_count == 1)
    return vd_jobs_run(&all);
  if (!s->check && !outputs_are_no_inputs(s))
    return VD_EXIT_TROUBLE;
  if (s->directory)
    vd_tool_clear_folder(s->output);
  all.unit = "scenarios";
  all.kept = "their results are kept";
  all.watch = isatty(STDERR_FILENO) && !s->quiet;
  all.end = vd_allocate(s->scenario_count, sizeof *all.end);
  int status = vd_jobs_run(&all);
  if (!s->quiet)
    report_failures(s, all.end);
  free(all.end);
  return status;
}

static int run(int argc, char **argv) {
  vd_settings s;
  int status = vd_run_settings_parse(&s, argc, argv);
  if (status < 0)
    status = s.merge           ? vd_study_job_merge(&s)
             : s.template_kind ? vd_template_job(&s, s.template_kind)
             : s.report        ? vd_report_job(&s)
             : s.handling      ? vd_handling_job(&s)
                               : run_scenarios(&s);
  vd_run_settings_finish(&s);
  return status;
}

int main(int argc, char **argv) {
  return vd_tool_main(run, argc, argv);
}
