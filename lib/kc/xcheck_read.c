#include "kc/xcheck.h"

#include "base/system.h"
#include "base/text.h"
#include "input/schema.h"
#include "input/separated.h"
#include "compliance/wheel_compliance_def.h"

#include <string.h>

const char *const vd_xcheck_format_names[] = {"", "yaml", "hardpoints", "curves", "compliance", NULL};

/* Returns whether the name of any column begins with one of two words. */
static bool has_column(const vd_separated *table, const char *first, const char *second) {
  for (size_t i = 0; i < table->columns; i++)
    if (strncasecmp(table->name[i], first, strlen(first)) == 0 ||
        strncasecmp(table->name[i], second, strlen(second)) == 0)
      return true;
  return false;
}

static enum vd_xcheck_format find_format(const vd_xcheck_input *in, int source, vd_arena *arena, vd_diag *d) {
  vd_separated table;
  if (in->format != VD_FORMAT_UNSTATED)
    return in->format;
  if (vd_hardpoint_is_list(source, d))
    return VD_FORMAT_HARDPOINTS;
  if (vd_ends_in(in->path, ".yaml") || vd_ends_in(in->path, ".yml") || vd_ends_in(in->path, ".json"))
    return VD_FORMAT_YAML;
  const bool names = vd_separated_look(source, d, arena, &table);
  if (names && has_column(&table, "fx_drive", "fx_brake"))
    return VD_FORMAT_COMPLIANCE;
  if (names && has_column(&table, "travel", "rack"))
    return VD_FORMAT_CURVES;
  vd_error(d, (vd_place){.source = source},
           "neither a suspension (.yaml, .json) nor a hardpoint list (columns name,x,y,z) nor a table of curves "
           "(travel_mm, rack_mm) or compliance (fx_drive_N, fx_brake_N); state the format with --format=yaml, "
           "hardpoints, curves or compliance");
  return VD_FORMAT_UNSTATED;
}

bool vd_xcheck_read(const vd_xcheck_input *in, vd_arena *arena, vd_diag *d, vd_xcheck_side *side,
                    enum vd_xcheck_format *format, vd_buf *remark) {
  int source;
  *side = (vd_xcheck_side){NULL, NULL, NULL};
  if (!vd_schema_slurp(in->path, d, &source))
    return false;
  *format = find_format(in, source, arena, d);
  vd_corner *corner = vd_arena_alloc(arena, sizeof *corner);
  vd_kc_table *table = vd_arena_alloc(arena, sizeof *table);
  vd_wheel_compliance *compliance = vd_arena_alloc(arena, sizeof *compliance);
  vd_hardpoint_taken taken;
  switch (*format) {
  case VD_FORMAT_UNSTATED: return false;
  case VD_FORMAT_YAML: side->corner = corner; return vd_corner_read_source(source, NULL, 0, arena, d, corner, NULL);
  case VD_FORMAT_HARDPOINTS:
    side->corner = corner;
    if (vd_hardpoint_csv_read(source, &in->list, arena, d, corner, &taken)) {
      vd_hardpoint_csv_describe(&taken, remark);
      return true;
    }
    return false;
  case VD_FORMAT_CURVES: side->table = table; return vd_kc_table_read(source, arena, d, table);
  case VD_FORMAT_COMPLIANCE:
    side->compliance = compliance;
    return vd_wheel_compliance_read_source(source, arena, d, compliance);
  }
  return false;
}
