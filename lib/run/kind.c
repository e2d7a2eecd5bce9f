#include "run/kind.h"

#include "base/base.h"
#include "input/file.h"
#include "input/schema.h"
#include "linkage/corner_def.h"
#include "run/fit.h"
#include "run/rig.h"
#include "run/run_fit_def.h"
#include "run/study_def.h"
#include "run/track_run.h"

#include <string.h>
#include <sys/stat.h>

static const vd_metric_set *const of_track_car[] = {&vd_track_metrics}, *const of_rig[] = {&vd_rig_metrics};

const vd_kind_info vd_kinds[VD_KINDS] = {
    [VD_KIND_VEHICLE] = {"vehicle", "vehicle", &vd_scenario_schema, vd_channel_table, vd_metric_sets,
                         VD_METRIC_SET_COUNT},
    [VD_KIND_TYRE_RIG] = {"tyre_rig", "tyre rig", &vd_rig_schema, vd_rig_columns, of_rig, VD_COUNT(of_rig)},
    [VD_KIND_TRACK_CAR] = {"track_car", "track car", &vd_track_schema, vd_track_columns, of_track_car,
                           VD_COUNT(of_track_car)},
    [VD_KIND_FIT] = {"fit", "fit", &vd_fit_schema, NULL, NULL, 0},
    [VD_KIND_RUN_FIT] = {"run_fit", "fit", &vd_run_fit_schema, NULL, NULL, 0},
    [VD_KIND_STUDY] = {"study", "study", &vd_study_schema, NULL, NULL, 0},
    [VD_KIND_SUSPENSION] = {"suspension", "suspension", &vd_corner_schema, NULL, NULL, 0},
};

#define KEY(id, key, kind) key,
const char *const vd_scenario_kind_names[] = {VD_SCENARIO_KINDS(KEY) NULL};

#define KIND(id, key, kind) kind,
const enum vd_kind vd_scenario_kinds[] = {VD_SCENARIO_KINDS(KIND)};

const vd_channel *vd_kind_channels(enum vd_kind kind, size_t *count) {
  *count = 0;
  return vd_kinds[kind].channels ? vd_kinds[kind].channels(count) : NULL;
}

/* A file that another one names, found as its reader finds it; NULL: there is no such regular file. */
static const char *beside(vd_arena *arena, const char *file, const char *name) {
  struct stat info;
  vd_buf text = {0};
  vd_buf_printf(&text, "%s%s", name[0] == '/' ? "" : vd_file_folder(arena, file), name);
  const char *path = vd_arena_copy(arena, text.text, text.length), *shipped;
  vd_buf_finish(&text);
  if (stat(path, &info) != 0 && (shipped = vd_file_in_data(arena, name)))
    path = shipped;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode) ? path : NULL;
}

/* Fits of tyres and of runs have one key `kind`; a tyre's has no free figures beside its stages, and runs nothing. */
static bool fits_runs(const vd_node *root) {
  return vd_tree_get(root, "scenario") || vd_tree_get(root, "suspension") ||
         vd_tree_get(vd_tree_get(root, "fit"), "free");
}

static enum vd_kind kind_called(const char *word, const vd_node *root) {
  for (size_t i = 0; i < VD_COUNT(vd_scenario_kinds); i++)
    if (strcmp(word, vd_scenario_kind_names[i]) == 0)
      return vd_scenario_kinds[i] == VD_KIND_FIT && fits_runs(root) ? VD_KIND_RUN_FIT : vd_scenario_kinds[i];
  return vd_tree_get(root, "tyre") ? VD_KIND_TYRE_RIG : vd_tree_get(root, "mesh") ? VD_KIND_TRACK_CAR : VD_KIND_VEHICLE;
}

/* Reads only as much as it needs; errors in the file are reported by its reader. */
enum vd_kind vd_kind_of(int source, const vd_diag *d) {
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
    bool named = base && base->kind == VD_NODE_SCALAR;
    const char *path = named ? beside(arena, vd_diag_source_name(dropped, at), base->text) : NULL;
    if (!path || !vd_schema_slurp(path, dropped, &at))
      break;
  }
  vd_arena_destroy(arena);
  vd_diag_destroy(dropped);
  return is;
}
