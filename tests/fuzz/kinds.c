/* Fuzzing of scenarios of tyre rigs and track cars: any bytes must lead to messages or to a scenario that reads back as
 * it was written and whose run gives numbers, never to a crash or a hang.
 *
 * A libFuzzer target. Run it from the top folder: references of the input are relative to scenarios/rig/. */
#include "fuzz.h"

#include "input/schema.h"
#include "run/kind.h"
#include "run/rig.h"
#include "run/track_run.h"

#include <math.h>

enum { STEPS = 200, ROWS = 2000 };

static const char source_name[] = "scenarios/rig/fuzz.yaml";

static void check_values(void *context, const double *value) {
  size_t count = *(const size_t *)context;
  for (size_t i = 0; i < count; i++)
    if (isinf(value[i]))
      abort();
}

typedef bool reader(const char *text, size_t length, vd_arena *arena, vd_diag *d, void *def);

static bool read_rig(const char *text, size_t length, vd_arena *arena, vd_diag *d, void *def) {
  return vd_rig_read_source(vd_diag_add_source(d, source_name, text, length), NULL, 0, arena, d, def);
}

static bool read_track(const char *text, size_t length, vd_arena *arena, vd_diag *d, void *def) {
  return vd_track_read_source(vd_diag_add_source(d, source_name, text, length), NULL, 0, arena, d, def);
}

/* Checks that a written scenario is read and written again to the same bytes. */
static void check_round_trip(reader *read, const vd_schema *schema, const void *def, vd_arena *arena) {
  vd_diag *d = vd_diag_create();
  vd_buf first = {0}, second = {0};
  void *again = vd_arena_alloc(arena, schema->size);
  vd_schema_write(schema, def, &first);
  bool good = read(first.text, first.length, arena, d, again);
  if (good)
    vd_schema_write(schema, again, &second);
  if (!good || first.length != second.length || memcmp(first.text, second.text, first.length) != 0) {
    vd_diag_print(d, stderr, false);
    fprintf(stderr, "--- written\n%s--- read back and written again\n%s", first.text, second.text ? second.text : "");
    abort();
  }
  vd_buf_finish(&first);
  vd_buf_finish(&second);
  vd_diag_destroy(d);
}

static void run_rig(vd_rig_def *def) {
  size_t count;
  vd_rig_columns(&count);
  vd_run_options options = {.values = check_values, .row_context = &count};
  vd_run_report report;
  if (def->mode == VD_RIG_TRANSIENT && def->duration > STEPS * def->step)
    def->duration = STEPS * def->step;
  const double *time = def->mode == VD_RIG_TRANSIENT ? def->points.of[VD_POINT_TIME] : NULL;
  if (time && time[def->points.rows - 1] - time[0] > STEPS * def->step)
    return;
  if (vd_rig_rows(def) <= ROWS)
    vd_rig_run(def, &options, NULL, &report);
}

static void run_track(vd_track_def *def) {
  static vd_metrics metrics;
  size_t count;
  vd_track_columns(&count);
  vd_run_options options = {.values = check_values, .row_context = &count};
  vd_run_report report;
  double most = STEPS * fmin(def->run.step, def->run.substep);
  if (def->run.duration > most)
    def->run.duration = most;
  vd_track_run(def, &options, NULL, &metrics, &report);
}

static void fuzz(const char *text, size_t length, vd_arena *arena, vd_diag *d) {
  enum vd_kind kind = vd_kind_of(vd_diag_add_source(d, source_name, text, length), d);
  bool rig = kind == VD_KIND_TYRE_RIG;
  if (!rig && kind != VD_KIND_TRACK_CAR)
    return;
  const vd_schema *schema = vd_kinds[kind].schema;
  reader *read = rig ? read_rig : read_track;
  void *def = vd_arena_alloc(arena, schema->size);
  bool good = read(text, length, arena, d, def);
  fuzz_check_messages(d, good);
  if (!good)
    return;
  check_round_trip(read, schema, def, arena);
  if (rig)
    run_rig(def);
  else
    run_track(def);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  fuzz((const char *)data, size, arena, d);
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
  return 0;
}
