/* The columns of the curves: the first figures of the table. */
#include "kc/sweep_impl.h"

#include "base/num.h"
#include "base/system.h"

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
  const char *comma = "";
  for (enum vd_kc_figure i = 0; i < VD_KC_COLUMNS; i++)
    if (!plan->unwanted[i]) {
      vd_buf_printf(out, "%s%s", comma, vd_kc_figures[i].column);
      comma = ",";
    }
  vd_buf_puts(out, "\n");
}

void vd_kc_write_row(const vd_kc_row *row, const vd_kc_plan *plan, vd_buf *out) {
  const char *comma = "";
  if (plan->take) {
    double value[VD_KC_COLUMNS];
    for (enum vd_kc_figure i = 0; i < VD_KC_COLUMNS; i++)
      value[i] = vd_kc_figure_word(i, row) ? NAN : vd_kc_figure_value(i, row) + 0.0;
    plan->take(plan->context, value);
    return;
  }
  for (enum vd_kc_figure i = 0; i < VD_KC_COLUMNS; i++) {
    const char *word = vd_kc_figure_word(i, row);
    if (plan->unwanted[i])
      continue;
    vd_buf_puts(out, comma);
    comma = ",";
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

static const vd_kc_figure_info *column_of(const char *name) {
  for (enum vd_kc_figure i = 0; i < VD_KC_COLUMNS; i++)
    if (strcmp(vd_kc_figures[i].column, name) == 0)
      return &vd_kc_figures[i];
  return NULL;
}

const char *vd_kc_column_unit(const char *name) {
  const vd_kc_figure_info *f = column_of(name);
  return f ? f->unit : NULL;
}

/* Finds the sweep by its name, which is that of the figure that it varies. */
int vd_kc_sweep_over(const char *name) {
  const vd_kc_figure_info *f = column_of(name);
  for (int i = 0; f && i < VD_KC_SWEEPS; i++)
    if (strcmp(vd_kc_sweep_names[i], f->name) == 0)
      return i;
  return -1;
}

void vd_kc_columns_list(vd_buf *out) {
  for (enum vd_kc_figure i = 0; i < VD_KC_COLUMNS; i++)
    vd_buf_printf(out, "%s\t%s\t%s\n", vd_kc_figures[i].column, vd_kc_figures[i].unit, vd_kc_figures[i].help);
}
