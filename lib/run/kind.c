#include "run/kind.h"

#include "base/base.h"
#include "base/system.h"
#include "input/file.h"
#include "input/schema.h"
#include "linkage/corner_def.h"
#include "run/fit_def.h"
#include "run/limits_run.h"
#include "run/study_def.h"
#include "run/track_run.h"

#include <string.h>

static const vd_metric_set *const of_track_car[] = {&vd_track_metrics}, *const of_rig[] = {&vd_rig_metrics};
static const vd_metric_set *const of_envelope[] = {&vd_envelope_metrics}, *const of_diagram[] = {&vd_diagram_metrics},
                                  *const of_lap[] = {&vd_lap_metrics};

const vd_kind_info vd_kinds[VD_KINDS] = {
    [VD_KIND_VEHICLE] = {.key = "vehicle",
                         .name = "vehicle",
                         .word = VD_SCENARIO_VEHICLE,
                         .schema = &vd_scenario_schema,
                         .channels = vd_channel_table,
                         .set = vd_metric_sets,
                         .sets = VD_METRIC_SET_COUNT},
    [VD_KIND_TYRE_RIG] = {.key = "tyre_rig",
                          .name = "tyre rig",
                          .word = VD_SCENARIO_TYRE_RIG,
                          .schema = &vd_rig_schema,
                          .channels = vd_rig_columns,
                          .set = of_rig,
                          .sets = VD_COUNT(of_rig)},
    [VD_KIND_TRACK_CAR] = {.key = "track_car",
                           .name = "track car",
                           .word = VD_SCENARIO_TRACK_CAR,
                           .schema = &vd_track_schema,
                           .channels = vd_track_columns,
                           .set = of_track_car,
                           .sets = VD_COUNT(of_track_car)},
    [VD_KIND_TYRE_FIT] = {.key = "fit", .name = "fit", .word = VD_SCENARIO_FIT, .schema = &vd_tyre_fit_schema},
    [VD_KIND_RUN_FIT] = {.key = "run_fit", .name = "fit", .word = VD_SCENARIO_FIT, .schema = &vd_run_fit_schema},
    [VD_KIND_OPTIMISE] = {.key = "optimise",
                          .name = "search for an optimum",
                          .word = VD_SCENARIO_OPTIMISE,
                          .schema = &vd_optimise_schema},
    [VD_KIND_STUDY] = {.key = "study", .name = "study", .word = VD_SCENARIO_STUDY, .schema = &vd_study_schema},
    [VD_KIND_ENVELOPE] = {.key = "envelope",
                          .name = "performance envelope",
                          .word = VD_SCENARIO_ENVELOPE,
                          .schema = &vd_envelope_schema,
                          .channels = vd_envelope_columns,
                          .set = of_envelope,
                          .sets = VD_COUNT(of_envelope)},
    [VD_KIND_DIAGRAM] = {.key = "moment_diagram",
                         .name = "moment diagram",
                         .word = VD_SCENARIO_MOMENT_DIAGRAM,
                         .schema = &vd_diagram_schema,
                         .channels = vd_diagram_columns,
                         .set = of_diagram,
                         .sets = VD_COUNT(of_diagram)},
    [VD_KIND_LAP] = {.key = "lap",
                     .name = "lap",
                     .word = VD_SCENARIO_LAP,
                     .schema = &vd_lap_schema,
                     .channels = vd_lap_columns,
                     .set = of_lap,
                     .sets = VD_COUNT(of_lap)},
    [VD_KIND_SUSPENSION] = {.key = "suspension", .name = "suspension", .word = -1, .schema = &vd_corner_schema},
};

#define KEY(id, key, kind) key,
const char *const vd_scenario_kind_names[] = {VD_SCENARIO_KINDS(KEY) NULL};

#define KIND(id, key, kind) kind,
const enum vd_kind vd_scenario_kinds[] = {VD_SCENARIO_KINDS(KIND)};

bool vd_kind_fits(enum vd_kind kind) {
  return vd_kinds[kind].word == VD_SCENARIO_FIT || vd_kinds[kind].word == VD_SCENARIO_OPTIMISE;
}

const vd_channel *vd_kind_channels(enum vd_kind kind, size_t *count) {
  *count = 0;
  return vd_kinds[kind].channels ? vd_kinds[kind].channels(count) : NULL;
}

/* Returns the path of the file `name', which `file' names, as the reader of `file' finds it; NULL: there is no such
 * regular file. */
static const char *beside(vd_arena *arena, const char *file, const char *name) {
  struct stat info;
  const char *folder = vd_path_is_absolute(name) ? "" : vd_file_folder(arena, file);
  const char *path = vd_arena_printf(arena, "%s%s", folder, name), *shipped;
  if (stat(path, &info) != 0 && (shipped = vd_file_in_data(arena, name)))
    path = shipped;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode) ? path : NULL;
}

/* Finds the kind by the value of a file's key `kind`, and by further keys if two kinds have the same value. */
static enum vd_kind kind_called(const char *word, const vd_node *root) {
  for (size_t i = 0; i < VD_COUNT(vd_scenario_kinds); i++) {
    if (strcmp(word, vd_scenario_kind_names[i]) != 0)
      continue;
    for (size_t k = 0; k < VD_KINDS; k++)
      if (k != vd_scenario_kinds[i] && vd_kinds[k].word == (int)i && vd_schema_identifies(vd_kinds[k].schema, root))
        return (enum vd_kind)k;
    return vd_scenario_kinds[i];
  }
  for (size_t k = 0; k < VD_KINDS; k++) /* the value is misspelt */
    if (vd_kinds[k].channels && vd_schema_identifies(vd_kinds[k].schema, root))
      return (enum vd_kind)k;
  return VD_KIND_VEHICLE;
}

/* Finds the kind, and reads only as much as necessary; the reader of the file reports its errors. parts: the file may
 * also be a suspension. */
static enum vd_kind find_kind(int source, const vd_diag *d, bool parts) {
  enum { FILES = 16 };
  vd_diag *dropped = vd_diag_create();
  vd_arena *arena = vd_arena_create();
  const char *text;
  size_t length = vd_diag_source_text(d, source, &text);
  int at = vd_diag_add_source(dropped, vd_diag_source_name(d, source), text, length);
  enum vd_kind is = VD_KIND_VEHICLE;
  for (int i = 0; i < FILES; i++) {
    const vd_node *root = vd_tree_parse(arena, dropped, at);
    const vd_node *kind = vd_tree_get(root, "kind"), *base = vd_tree_get(root, "base");
    if (kind) {
      if (kind->kind == VD_NODE_SCALAR)
        is = kind_called(kind->text, root);
      break;
    }
    if (parts && vd_schema_identifies(&vd_corner_schema, root)) {
      is = VD_KIND_SUSPENSION;
      break;
    }
    bool named = base && base->kind == VD_NODE_SCALAR;
    const char *path = named ? beside(arena, vd_diag_source_name(dropped, at), base->text) : NULL;
    if (!path || !vd_schema_slurp(path, dropped, &at))
      break;
  }
  vd_arena_destroy(arena);
  vd_diag_destroy(dropped);
  return is;
}

enum vd_kind vd_kind_of(int source, const vd_diag *d) {
  return find_kind(source, d, false);
}

enum vd_kind vd_kind_of_any(int source, const vd_diag *d) {
  return find_kind(source, d, true);
}
