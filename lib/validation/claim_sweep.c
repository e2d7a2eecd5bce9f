#include "validation/claim_sweep.h"

#include "base/num.h"
#include "kc/sweep.h"

#include <math.h>
#include <string.h>

/* Returns a field of a line of CSV without quotes; NAN: the field is empty. */
static double field_of(const char *line, size_t index) {
  double value = NAN;
  size_t used;
  while (index-- > 0)
    line += strcspn(line, ",\n") + 1;
  size_t length = strcspn(line, ",\n");
  return length > 0 && vd_num_parse(line, length, &value, &used) ? value : NAN;
}

static size_t index_in_header(const char *header, const char *name) {
  size_t index = 0, length = strlen(name);
  while (strncmp(header, name, length) != 0 || !strchr(",\n", header[length])) {
    header += strcspn(header, ",") + 1;
    index++;
  }
  return index;
}

/* Reads the requested columns from a row of the sweep. */
static bool take_fields(const vd_claim *claim, const char *header, const char *row, double *got) {
  const vd_claim_column_def *def = claim->def->as.table.columns.item;
  for (size_t i = 0; i < claim->as.table.column_count; i++)
    if (claim->as.table.columns[i].is == VD_Q_SWEPT) {
      const char *name = def[i].column, *unit = vd_kc_column_unit(name);
      vd_unit own;
      if (!vd_quantity_unit(unit, strlen(unit), &own))
        return false;
      got[i] = vd_unit_to_si(own, field_of(row, index_in_header(header, name)));
    }
  return true;
}

static void choose(vd_kc_plan *plan, enum vd_kc_sweep sweep) {
  memset(plan->sweep, 0, sizeof plan->sweep);
  plan->sweep[sweep] = true;
  plan->optional = false;
  plan->digits = VD_DIGITS_EXACT;
}

bool vd_claim_sweep_point(const vd_corner *corner, const vd_claim *claim, const double *input, bool loaded,
                          double *got) {
  vd_kc_plan plan = vd_kc_plan_default();
  bool elastic = vd_kc_elastic(corner) && loaded;
  enum vd_kc_sweep sweep = elastic ? VD_KC_FX : VD_KC_TRAVEL;
  double at = elastic ? input[VD_Q_LOAD_FX] : input[VD_Q_TRAVEL];
  vd_buf text = {0};
  vd_kc_report report = {0};
  choose(&plan, sweep);
  plan.range[sweep] = (vd_kc_range){at, at, 1};
  plan.travel = input[VD_Q_TRAVEL];
  plan.rack = input[VD_Q_RACK];
  plan.loaded = loaded;
  plan.load = (vd_wheel_load){.fx = input[VD_Q_LOAD_FX],
                              .fy = input[VD_Q_LOAD_FY],
                              .fz = input[VD_Q_LOAD_FZ],
                              .mz = input[VD_Q_LOAD_MZ],
                              .centre = {input[VD_Q_LOAD_FX_CENTRE]}};
  bool good = vd_kc_sweep_write(corner, &plan, &text, &report) &&
              take_fields(claim, text.text, strchr(text.text, '\n') + 1, got);
  vd_buf_finish(&report.messages);
  vd_buf_finish(&text);
  return good;
}

long vd_claim_sweep_all(const vd_corner *corner, const vd_claim *claim, double *got) {
  vd_kc_plan plan = vd_kc_plan_default();
  vd_buf text = {0};
  vd_kc_report report = {0};
  long rows = 0;
  choose(&plan, (enum vd_kc_sweep)(claim->def->as.table.sweep - 1));
  bool good = vd_kc_sweep_write(corner, &plan, &text, &report);
  const char *row = good ? strchr(text.text, '\n') + 1 : "";
  for (; *row != '\0' && good; row = strchr(row, '\n') + 1, rows++)
    if (rows < (long)claim->as.table.rows)
      good = take_fields(claim, text.text, row, got + (size_t)rows * claim->as.table.column_count);
  vd_buf_finish(&report.messages);
  vd_buf_finish(&text);
  return good ? rows : -1;
}
