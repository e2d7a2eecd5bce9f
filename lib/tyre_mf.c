/* The Magic Formula of a property file (mf.h) as one of the tyre models. */
#include "tyre_impl.h"

void vd_mf_tyre_build(vd_tyre *tyre, bool right) {
  vd_mf_build(tyre->def.mf, right ? VD_MF_RIGHT : VD_MF_LEFT, &tyre->mf);
  if (!isnan(tyre->def.pressure))
    tyre->mf.pressure = tyre->def.pressure;
}

static vd_mf_input at_rest(const vd_tyre *tyre, double ground_friction, double load) {
  return (vd_mf_input){.load = load, .pressure = tyre->mf.pressure, .friction = ground_friction * tyre->def.friction};
}

/* Neighbouring tyres of this model, so that they are evaluated together. The first pass also does what the loads do not change. */
void vd_mf_tyre_force(const vd_tyre *const *tyre, int n, vd_slide *slide, const double *ground_friction,
                      const double *load, int first, vd_tyre_forces *out) {
  const vd_mf *m[VD_WHEELS] = {NULL};
  vd_mf_slip *slip[VD_WHEELS] = {NULL};
  vd_mf_last *last[VD_WHEELS] = {NULL};
  vd_mf_output answer[VD_WHEELS];
  for (int k = 0; k < n; k++) {
    m[k] = &tyre[first + k]->mf;
    slip[k] = &slide[first + k].mf;
    last[k] = &slide[first + k].mf_last;
  }
  if (isnan(slide[first].last_load)) {
    vd_mf_input in[VD_WHEELS] = {{.load = 0.0}};
    for (int k = 0; k < n; k++) {
      int i = first + k;
      in[k] = at_rest(tyre[i], ground_friction[i], load[i]);
      in[k].kappa = slide[i].cx;
      in[k].tan_alpha = slide[i].cy;
      in[k].gamma = slide[i].camber;
      in[k].vx = slide[i].vx;
    }
    vd_mf_at_slip(n, m, in, slip);
  }
  vd_mf_at_load(n, m, (const vd_mf_slip *const *)slip, &load[first], last, answer);
  for (int k = 0; k < n; k++) {
    int i = first + k;
    out->fx[i] = answer[k].fx;
    out->fy[i] = answer[k].fy;
    out->mx[i] = answer[k].mx;
    out->my[i] = answer[k].my;
    vd_secant(&slide[i], load[i], i, out);
  }
}

/* Bristles give another side force than the steady slip: they keep the steady trail and the residual torque. */
void vd_mf_tyre_moments(const vd_tyre *const *tyre, int n, const vd_slide *slide, const double *fy, int first,
                        double *mz) {
  const vd_mf *m[VD_WHEELS] = {NULL};
  const vd_mf_slip *slip[VD_WHEELS] = {NULL};
  const vd_mf_last *last[VD_WHEELS] = {NULL};
  vd_mf_output answer[VD_WHEELS];
  for (int k = 0; k < n; k++) {
    m[k] = &tyre[first + k]->mf;
    slip[k] = &slide[first + k].mf;
    last[k] = &slide[first + k].mf_last;
  }
  vd_mf_aligning(n, m, slip, last, answer);
  for (int k = 0; k < n; k++) {
    int i = first + k;
    mz[i] = answer[k].mz - (slide[i].bristles ? answer[k].trail * (fy[i] - slide[i].last_fy) : 0.0);
  }
}

double vd_mf_tyre_slope(const vd_tyre *tyre, bool lateral, double ground_friction, double load) {
  vd_mf_input in = at_rest(tyre, ground_friction, load);
  vd_mf_stiffness slope;
  vd_mf_slopes(&tyre->mf, &in, &slope);
  return lateral ? slope.cornering : slope.slip;
}

/* The higher of driving and braking, of left and right, each with the slip of that side. */
void vd_mf_tyre_peaks(const vd_tyre *tyre, double ground_friction, double load, double *mu, double *kappa,
                      double *alpha) {
  vd_mf_input in = at_rest(tyre, ground_friction, load);
  vd_mf_peaks p;
  vd_mf_find_peaks(&tyre->mf, &in, &p);
  *kappa = fabs(p.drive.mu >= p.brake.mu ? p.drive.slip : p.brake.slip);
  *alpha = fabs(p.left.mu >= p.right.mu ? p.left.slip : p.right.slip);
  *mu = fmax(fmax(p.drive.mu, p.brake.mu), fmax(p.left.mu, p.right.mu));
}

void vd_mf_tyre_relaxation(const vd_tyre *tyre, double load, double *longitudinal, double *lateral) {
  vd_mf_input in = at_rest(tyre, 1.0, load);
  double kappa, alpha;
  vd_mf_relaxation(&tyre->mf, &in, &kappa, &alpha);
  if (kappa > 0.0)
    *longitudinal = kappa;
  if (alpha > 0.0)
    *lateral = alpha;
}
