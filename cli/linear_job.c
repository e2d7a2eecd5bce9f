#include "linear_job.h"

#include "tool.h"

#include "base/memory.h"
#include "run/linear.h"

#include <stdlib.h>

bool vd_linear_job_may(const vd_settings *s, const char *scenario, enum vd_kind kind) {
  static const char *const reason[VD_KINDS] = {
      [VD_KIND_TYRE_RIG] = "the motion of a tyre on a rig is prescribed",
      [VD_KIND_TRACK_CAR] = "the track car's springs are solved in closed form, and its steering has no forces",
      [VD_KIND_TYRE_FIT] = "a fit has no motion",
      [VD_KIND_RUN_FIT] = "a fit has no motion of its own",
      [VD_KIND_OPTIMISE] = "it consists of many runs",
      [VD_KIND_STUDY] =
          "for a study use 'metrics: modes' in its scenario; --case I --resolved prints the scenario of a case",
      [VD_KIND_SUSPENSION] = "a suspension has no car's mass",
  };
  return !s->linear || kind == VD_KIND_VEHICLE ||
         vd_tool_error("'--linear' is for vehicles; '%s' is a %s: %s", scenario, vd_kinds[kind].name, reason[kind]);
}

static int write_file(const vd_settings *s, const vd_linear_analysis *a) {
  vd_output *o = vd_tool_open_output(s->linear_file, VD_REPLACES_OURS);
  if (!o)
    return VD_EXIT_TROUBLE;
  if (vd_ends_in(s->linear_file, ".yaml"))
    vd_linear_write_yaml(a, s->digits, o);
  else
    vd_linear_write_csv(a, s->digits, o);
  return vd_tool_commit(o, s->linear_file, NULL);
}

static int print(const vd_linear_analysis *a) {
  vd_buf text = {0};
  vd_linear_print(a, &text);
  int status = vd_tool_write_text("-", VD_REPLACES_OURS, text.text, text.length);
  vd_buf_finish(&text);
  return status;
}

int vd_linear_job_run(const vd_settings *s, const char *scenario, const vd_scenario_def *def) {
  char text[300];
  bool ended;
  if (s->linear_file && !vd_tool_may_write(s->linear_file, VD_REPLACES_OURS))
    return VD_EXIT_TROUBLE;
  vd_linear_analysis *a = vd_allocate(1, sizeof *a);
  const char *why = vd_linear_of(def, s->at, a, &ended, text, sizeof text);
  int status = ended ? VD_EXIT_ENDED : VD_EXIT_TROUBLE;
  if (why) {
    fprintf(stderr, "%s: error: %s\n", scenario, why);
  } else {
    status = s->linear_file ? write_file(s, a) : VD_EXIT_YES;
    if (status == VD_EXIT_YES && !(s->linear_file && vd_tool_is_stdout(s->linear_file)))
      status = print(a);
  }
  free(a);
  return status;
}
