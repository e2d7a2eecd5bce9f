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

static vd_mf_input input(const vd_tyre *tyre, const vd_slide *slide, double ground_friction, double load) {
  vd_mf_input in = at_rest(tyre, ground_friction, load);
  in.kappa = slide->cx;
  in.tan_alpha = slide->cy;
  in.gamma = slide->camber;
  in.vx = slide->vx;
  return in;
}

void vd_mf_tyre_force(const vd_tyre *tyre, vd_slide *slide, double ground_friction, double load, int i,
                      vd_tyre_forces *out) {
  vd_mf_input in = input(tyre, slide, ground_friction, load);
  vd_mf_output answer;
  vd_mf_without_mz(&tyre->mf, &in, &answer);
  out->fx[i] = answer.fx;
  out->fy[i] = answer.fy;
  out->mx[i] = answer.mx;
  out->my[i] = answer.my;
  vd_secant(slide, load, i, out);
}

void vd_mf_tyre_all(const vd_tyre *tyre, const vd_slide *slide, double ground_friction, double load,
                    vd_mf_output *out) {
  vd_mf_input in = input(tyre, slide, ground_friction, load);
  vd_mf_forces(&tyre->mf, &in, out);
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
