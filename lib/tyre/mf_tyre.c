/* The Magic Formula of a property file (mf.h) as one of the tyre models. */
#include "tyre/tyre_impl.h"

void vd_mf_tyre_build(vd_tyre *tyre, bool right) {
  vd_mf_build(tyre->def.mf, right ? VD_MF_RIGHT : VD_MF_LEFT, &tyre->mf);
  if (!isnan(tyre->def.pressure))
    tyre->mf.pressure = tyre->def.pressure;
}

static vd_mf_input at_rest(const vd_tyre *tyre, double ground_friction, double load) {
  return (vd_mf_input){.load = load, .pressure = tyre->mf.pressure, .friction = ground_friction * tyre->def.friction};
}

/* Lanes of tyres of other models, and of none, hold some tyre of mf. */
void vd_mf_tyre_row_build(vd_tyre_row *row) {
  const vd_mf *m[VD_WHEELS];
  int any = 0;
  while (row->each[any]->def.model != VD_TYRE_MF)
    any++;
  for (int i = 0; i < VD_WHEELS; i++) {
    int from = row->lane[i] = i < row->count && row->each[i]->def.model == VD_TYRE_MF ? i : any;
    m[i] = &row->each[from]->mf;
    row->mf_friction[i] = row->each[from]->def.friction;
    row->mf_pressure[i] = m[i]->pressure;
  }
  vd_mf_pack(m, &row->mf);
}

VD_INLINE vd_wide lanes(const vd_tyre_row *row, const double *v) {
  const int *lane = row->lane;
  return row->all_mf ? vd_wide_load(v) : (vd_wide){v[lane[0]], v[lane[1]], v[lane[2]], v[lane[3]]};
}

VD_INLINE void give(const vd_tyre_row *row, vd_wide v, double *out) {
  for (int i = 0; i < row->count && !row->all_mf; i++)
    if (row->lane[i] == i)
      out[i] = v[i];
  if (row->all_mf)
    vd_wide_store(v, out);
}

VD_WIDE void vd_mf_tyre_slide(const vd_tyre_row *row, const vd_contact *contact, vd_slide_row *slide) {
  slide->mf_load = vd_wide_of(NAN);
  slide->mf_last.fx = slide->mf_last.fy = vd_wide_of(0.0);
  slide->mf_contact = (vd_mf_contact){.kappa = lanes(row, contact->kappa),
                                      .tan_alpha = lanes(row, contact->tan_alpha),
                                      .gamma = contact->camber ? lanes(row, contact->camber) : vd_wide_of(0.0),
                                      .pressure = vd_wide_load(row->mf_pressure),
                                      .vx = lanes(row, contact->vx)};
}

/* What vd_secant does. */
VD_INLINE vd_wide secant(vd_wide load, vd_wide last_load, vd_wide force, vd_wide last_force) {
  vd_wide step = load - last_load, none = vd_wide_of(0.0);
  vd_wide proportional = vd_wide_select(load > none, force / load, none);
  return vd_wide_select(vd_wide_abs(step) > 1e-6 * load, (force - last_force) / step, proportional);
}

/* The first pass also does what the loads do not change. */
VD_WIDE void vd_mf_tyre_force(const vd_tyre_row *row, vd_slide_row *slide, const double *ground_friction,
                              const double *load, vd_tyre_forces *out) {
  vd_mf_last *last = &slide->mf_last;
  vd_wide before = slide->mf_load, fx = last->fx, fy = last->fy, now = lanes(row, load);
  if (isnan(before[0])) {
    slide->mf_contact.friction = lanes(row, ground_friction) * vd_wide_load(row->mf_friction);
    vd_mf_at_slip(&row->mf, &slide->mf_contact, &slide->mf_slip);
  }
  slide->mf_load = now;
  double at[VD_WHEELS];
  vd_wide_store(now, at);
  vd_mf_at_load(&row->mf, &slide->mf_slip, at, last);
  give(row, last->fx, out->fx);
  give(row, last->fy, out->fy);
  give(row, last->mx, out->mx);
  give(row, last->my, out->my);
  give(row, secant(now, before, last->fx, fx), out->dfx);
  give(row, secant(now, before, last->fy, fy), out->dfy);
}

/* Bristles give another side force than the steady slip: they keep the steady trail and the residual torque. */
VD_WIDE void vd_mf_tyre_moments(const vd_tyre_row *row, const vd_slide_row *slide, const double *fy, double *mz) {
  vd_mf_moment moment;
  vd_mf_aligning(&row->mf, &slide->mf_slip, &slide->mf_last, &moment);
  give(row, moment.mz, mz);
  for (int i = 0; i < row->count; i++)
    if (row->lane[i] == i && slide->each[i].bristles)
      mz[i] -= moment.trail[i] * (fy[i] - slide->mf_last.fy[i]);
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
