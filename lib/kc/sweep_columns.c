/* The columns of the curves: the first figures of the table. */
#include "kc/sweep_impl.h"

#include "base/num.h"

#include <fnmatch.h>
#include <string.h>

const char *const vd_kc_sweep_names[] = {"travel", "rack", "grid", "fx", "fy", "mz", "fz", "fx_centre", NULL};
const char *const vd_kc_hold_names[] = {"auto", "free", "centre", "ground", NULL};

void vd_kc_number(double value, enum vd_digits digits, vd_buf *out) {
  char text[VD_NUM_MAX];
  if (isnan(value))
    return;
  int length = digits == VD_DIGITS_EXACT ? vd_num_print_shortest(value + 0.0, text) : vd_num_print9(value + 0.0, text);
  vd_buf_add(out, text, (size_t)length);
}

void vd_kc_field(double value, enum vd_digits digits, vd_buf *out) {
  vd_buf_puts(out, ",");
  vd_kc_number(value, digits, out);
}

void vd_kc_header(const vd_kc_plan *plan, vd_buf *out) {
  bool begun = false;
  for (enum vd_kc_figure i = 0; i < VD_KC_COLUMNS; i++) {
    if (plan->unwanted[i])
      continue;
    vd_buf_printf(out, begun ? ",%s" : "%s", vd_kc_figures[i].column);
    begun = true;
  }
  vd_buf_puts(out, "\n");
}

void vd_kc_write_row(const vd_kc_row *row, const vd_kc_plan *plan, vd_buf *out) {
  bool begun = false;
  if (plan->take) {
    double value[VD_KC_COLUMNS];
    for (enum vd_kc_figure i = 0; i < VD_KC_COLUMNS; i++)
      value[i] = vd_kc_figure_word(i, row) ? NAN : vd_kc_figure_value(i, row) + 0.0;
    plan->take(plan->context, value);
    return;
  }
  for (enum vd_kc_figure i = 0; i < VD_KC_COLUMNS; i++) {
    if (plan->unwanted[i])
      continue;
    if (begun)
      vd_buf_puts(out, ",");
    begun = true;
    const char *word = vd_kc_figure_word(i, row);
    if (word)
      vd_buf_puts(out, word);
    else
      vd_kc_number(vd_kc_figure_value(i, row), plan->digits, out);
  }
  vd_buf_puts(out, "\n");
}

size_t vd_kc_columns_match(const char *pattern, bool *wanted) {
  size_t found = 0;
  for (enum vd_kc_figure i = 0; i < VD_KC_COLUMNS; i++)
    if (fnmatch(pattern, vd_kc_figures[i].column, 0) == 0) {
      wanted[i] = true;
      found++;
    }
  return found;
}

const char *vd_kc_column_unit(const char *name) {
  for (enum vd_kc_figure i = 0; i < VD_KC_COLUMNS; i++)
    if (strcmp(vd_kc_figures[i].column, name) == 0)
      return vd_kc_figures[i].unit;
  return NULL;
}

int vd_kc_sweep_over(const char *name) {
  static const enum vd_kc_figure over[VD_KC_SWEEPS] = {[VD_KC_TRAVEL] = VD_FIGURE_TRAVEL,
                                                       [VD_KC_RACK] = VD_FIGURE_RACK,
                                                       [VD_KC_FX] = VD_FIGURE_FX,
                                                       [VD_KC_FY] = VD_FIGURE_FY,
                                                       [VD_KC_MZ] = VD_FIGURE_MZ,
                                                       [VD_KC_FZ] = VD_FIGURE_FZ,
                                                       [VD_KC_FX_CENTRE] = VD_FIGURE_FX_CENTRE};
  for (int i = 0; i < VD_KC_SWEEPS; i++)
    if (i != VD_KC_GRID && strcmp(vd_kc_figures[over[i]].column, name) == 0)
      return i;
  return -1;
}

void vd_kc_columns_list(vd_buf *out) {
  for (enum vd_kc_figure i = 0; i < VD_KC_COLUMNS; i++)
    vd_buf_printf(out, "%s\t%s\t%s\n", vd_kc_figures[i].column, vd_kc_figures[i].unit, vd_kc_figures[i].help);
}
