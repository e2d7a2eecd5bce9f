/* vdsim-run: from scenario files to time histories, metrics and resolved scenarios. */
#include "jobs.h"
#include "rig_job.h"
#include "run_settings.h"
#include "tool.h"
#include "track_job.h"
#include "vehicle_job.h"

#include "run/kind.h"

/* Runs the nth scenario, from file to results; an exit status. */
static int run_scenario(void *context, size_t i) {
  const vd_settings *s = context;
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  int status = VD_EXIT_TROUBLE, source;
  if (!vd_schema_slurp(s->scenario[i], d, &source)) {
    vd_tool_print_messages(d);
  } else {
    switch (vd_kind_of(source, d)) {
    case VD_KIND_TYRE_RIG: status = vd_rig_job_run(s, s->scenario[i], source, arena, d); break;
    case VD_KIND_TRACK_CAR: status = vd_track_job_run(s, s->scenario[i], source, arena, d); break;
    case VD_KIND_SUSPENSION:
    case VD_KIND_VEHICLE: status = vd_vehicle_job_run(s, s->scenario[i], source, arena, d); break;
    }
  }
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
  return status;
}

int main(int argc, char **argv) {
  vd_settings s;
  int status = vd_run_settings_parse(&s, argc, argv);
  if (status < 0)
    status = vd_jobs_run(run_scenario, &s, s.scenario_count, s.jobs);
  vd_run_settings_finish(&s);
  return status;
}
