/* Measured rows of tyres: the parts that stages use, and the forces and moments of a tyre at these rows. */
#include "study/fit_impl.h"

#include "input/schema.h"

#include <math.h>
#include <string.h>

const vd_fit_output_info vd_fit_outputs[VD_FIT_OUTPUTS] = {[VD_FIT_FX] = {"fx", "N", VD_POINT_FX},
                                                           [VD_FIT_FY] = {"fy", "N", VD_POINT_FY},
                                                           [VD_FIT_MX] = {"mx", "N m", VD_POINT_MX},
                                                           [VD_FIT_MY] = {"my", "N m", VD_POINT_MY},
                                                           [VD_FIT_MZ] = {"mz", "N m", VD_POINT_MZ}};

#define OUTPUT(id) VD_WHEN(VD_FIT_##id)

enum slip { LATERAL_SLIP = 1, LONGITUDINAL_SLIP = 2, COMBINED_SLIP = 4, ANY_SLIP = 7 };

/* The outputs that each stage compares, and the slip of its rows. */
static const struct {
  unsigned outputs, slip;
} taken[VD_FIT_STAGES] = {
    [VD_TYRE_LATERAL] = {OUTPUT(FY), LATERAL_SLIP},
    [VD_TYRE_ALIGNING] = {OUTPUT(MZ), LATERAL_SLIP},
    [VD_TYRE_LONGITUDINAL] = {OUTPUT(FX), LONGITUDINAL_SLIP},
    [VD_TYRE_COMBINED] = {OUTPUT(FX) | OUTPUT(FY), COMBINED_SLIP},
    [VD_TYRE_COMBINED_ALIGNING] = {OUTPUT(MZ), COMBINED_SLIP},
    [VD_TYRE_OVERTURNING] = {OUTPUT(MX), ANY_SLIP},
    [VD_TYRE_ROLLING] = {OUTPUT(MY), ANY_SLIP},
    [VD_FIT_ALL] = {OUTPUT(FX) | OUTPUT(FY) | OUTPUT(MX) | OUTPUT(MY) | OUTPUT(MZ), ANY_SLIP},
};

int vd_fit_stage_called(const char *word) {
  int stage = VD_FIT_ALL - 1;
  while (stage >= 0 && strcmp(word, vd_fit_stage_names[stage]) != 0)
    stage--;
  return stage;
}

bool vd_fit_takes(const vd_tyre_fit *fit, int stage, const vd_tyre_fit_row *row, enum vd_fit_output output) {
  bool lateral = fabs(row->kappa) <= fit->def.fit.pure_slip_ratio,
       longitudinal = fabs(row->alpha) <= fit->def.fit.pure_slip_angle;
  unsigned slip = (lateral ? LATERAL_SLIP : 0u) | (longitudinal ? LONGITUDINAL_SLIP : 0u);
  slip = slip ? slip : COMBINED_SLIP;
  return (taken[stage].outputs & VD_WHEN(output)) && (taken[stage].slip & slip);
}

/* Four rows side by side. They share the tyre until one of them has another pressure, because copying a tyre takes as
 * long as computing its forces. */
typedef struct lanes {
  vd_tyre shared, own[VD_WHEELS];
  const vd_tyre *tyre[VD_WHEELS];
  vd_tyre_row row;
  double kappa[VD_WHEELS], tan_alpha[VD_WHEELS], camber[VD_WHEELS], vx[VD_WHEELS], load[VD_WHEELS];
  double friction[VD_WHEELS];
  bool built;
} lanes;

static void load_lane(lanes *l, int lane, const vd_tyre_fit_row *row, double own_pressure) {
  double pressure = isnan(row->pressure) ? own_pressure : row->pressure;
  l->kappa[lane] = row->kappa;
  l->tan_alpha[lane] = row->tan_alpha;
  l->camber[lane] = row->camber;
  l->vx[lane] = row->vx;
  l->load[lane] = row->load;
  if (!isnan(pressure) && l->tyre[lane]->pressure != pressure) {
    if (l->tyre[lane] == &l->shared)
      l->own[lane] = l->shared;
    l->tyre[lane] = &l->own[lane];
    vd_tyre_inflate(&l->own[lane], pressure);
    l->built = false;
  }
}

void vd_fit_evaluate(const vd_rig_def *rig, const vd_tyre_def *tyre, const vd_tyre_fit_row *const *row, size_t count,
                     bool aligning, double *out) {
  const vd_tyre_traits *traits = vd_tyre_traits_of((enum vd_tyre_model)tyre->model);
  lanes l;
  l.built = false;
  vd_tyre_build(tyre, rig->side == 1, &l.shared);
  for (int i = 0; i < VD_WHEELS; i++) {
    l.friction[i] = rig->friction;
    l.tyre[i] = &l.shared;
  }
  vd_slide_row slide;
  vd_tyre_forces force = {.mx = {0.0}}; /* tyres without an overturning moment do not write it */
  const vd_contact contact = {.kappa = l.kappa, .tan_alpha = l.tan_alpha, .vx = l.vx, .camber = l.camber};
  for (size_t first = 0; first < count; first += VD_WHEELS) {
    double mz[VD_WHEELS] = {NAN, NAN, NAN, NAN};
    for (int i = 0; i < VD_WHEELS; i++) /* lanes after the last row repeat the last row */
      load_lane(&l, i, row[first + (size_t)i < count ? first + (size_t)i : count - 1], l.shared.pressure);
    if (!l.built)
      vd_tyre_row_build(l.tyre, VD_WHEELS, &l.row);
    l.built = true;
    vd_tyre_slide(&l.row, &contact, &slide);
    vd_tyre_force(&l.row, &slide, l.friction, l.load, &force);
    if (aligning)
      vd_tyre_moments(&l.row, &slide, l.load, l.vx, force.fy, mz);
    for (int i = 0; i < VD_WHEELS && first + (size_t)i < count; i++) {
      double *to = out + (first + (size_t)i) * VD_FIT_OUTPUTS;
      double growth = vd_tyre_rolling_growth(&tyre->common) * l.vx[i] * l.vx[i];
      double resistance = tyre->common.rolling_resistance * (1.0 + growth) * l.load[i] * rig->wheel_radius;
      to[VD_FIT_FX] = force.fx[i];
      to[VD_FIT_FY] = force.fy[i];
      to[VD_FIT_MX] = force.mx[i];
      to[VD_FIT_MY] = traits->moments ? force.my[i] : l.vx[i] != 0.0 ? -copysign(resistance, l.vx[i]) : 0.0;
      to[VD_FIT_MZ] = mz[i];
    }
  }
}
