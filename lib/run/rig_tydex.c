#include "run/rig_impl.h"

#include "base/base.h"

#include <assert.h>
#include <string.h>

/* TYDEX channels and the columns of the log from which they are written; if two columns are named, the first is for a
 * time history. */
static const struct {
  vd_tydex_written written;
  const char *column[2];
  bool history; /* only in time histories */
} channels[] = {
    {{"MEASNUMB", "Number of the measurement", "-"}, {"case", NULL}, true},
    {{"RUNTIME", "Time", "s"}, {"t_s", NULL}, true},
    {{"LONGVEL", "Longitudinal velocity", "m/s"}, {"vx_mps", NULL}, false},
    {{"LONGSLIP", "Longitudinal slip", "-"}, {"kappa_input", "kappa"}, false},
    {{"SLIPANGL", "Slip angle", "rad"}, {"alpha_input_rad", "alpha_rad"}, false},
    {{"INCLANGL", "Inclination angle", "rad"}, {"camber_rad", NULL}, false},
    {{"INFLPRES", "Inflation pressure", "Pa"}, {"pressure_Pa", NULL}, false},
    {{"FX", "Longitudinal force", "N"}, {"fx_N", NULL}, false},
    {{"FYW", "Lateral force", "N"}, {"fy_N", NULL}, false},
    {{"FZW", "Vertical force", "N"}, {"fz_N", NULL}, false},
    {{"MXW", "Overturning moment", "Nm"}, {"mx_Nm", NULL}, false},
    {{"MYW", "Rolling resistance moment", "Nm"}, {"my_Nm", NULL}, false},
    {{"MZW", "Aligning moment", "Nm"}, {"mz_Nm", NULL}, false},
    {{"DSTGRWHC", "Height of the wheel centre", "m"}, {"rl_m", NULL}, false},
};
_Static_assert(VD_COUNT(channels) == VD_RIG_TYDEX_CHANNELS, "all channels");

static int column_named(const vd_channel *columns, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(columns[i].name, name) == 0)
      return (int)i;
  assert(false && "a column of the log");
  return 0;
}

void vd_rig_tydex_begin(vd_output *o, const char *title, const vd_channel *columns, size_t count, bool history,
                        vd_rig_tydex *t) {
  vd_tydex_written written[VD_RIG_TYDEX_CHANNELS];
  *t = (vd_rig_tydex){.camber = column_named(columns, count, "camber_rad")};
  for (size_t i = 0; i < VD_COUNT(channels); i++) {
    if (channels[i].history && !history)
      continue;
    const char *name = channels[i].column[!history && channels[i].column[1] ? 1 : 0];
    t->column[t->count] = column_named(columns, count, name);
    t->height[t->count] = strcmp(name, "rl_m") == 0;
    written[t->count++] = channels[i].written;
  }
  vd_tydex_write_head(o, "vdsim-run " VDSIM_VERSION, title, written, t->count);
}

void vd_rig_tydex_row(vd_output *o, const vd_rig_tydex *t, const double *value, enum vd_digits digits) {
  double row[VD_RIG_TYDEX_CHANNELS];
  for (size_t i = 0; i < t->count; i++)
    row[i] = t->height[i] ? value[t->column[i]] * vd_cos(value[t->camber]) : value[t->column[i]];
  vd_tydex_write_row(o, row, t->count, digits);
}
