#include "tyre/tyre.h"

#include "tyre/tyre_impl.h"

void vd_tyre_build(const vd_tyre_def *def, bool right, vd_tyre *tyre) {
  *tyre = (vd_tyre){.def = *def, .kappa_peak = INFINITY, .alpha_peak = INFINITY};
  switch ((enum vd_tyre_model)def->model) {
  case VD_TYRE_LINEAR: break;
  case VD_TYRE_MF96: vd_mf96_build(tyre); break;
  case VD_TYRE_TMEASY: vd_tmeasy_build(tyre); break;
  case VD_TYRE_MF: vd_mf_tyre_build(tyre, right); break;
  }
}

bool vd_tyre_sided(const vd_tyre *tyre) {
  return tyre->def.model == VD_TYRE_MF && tyre->def.mf->side != VD_MF_SYMMETRIC;
}

static double initial_slope(const vd_magic *m) {
  return m->b * m->c * m->d;
}

double vd_tyre_slip_stiffness(const vd_tyre *tyre, double ground_friction, double load) {
  switch ((enum vd_tyre_model)tyre->def.model) {
  case VD_TYRE_LINEAR: return tyre->def.longitudinal_stiffness;
  case VD_TYRE_MF96:
    return ground_friction * vd_mf96_friction(tyre, load) * load * initial_slope(&tyre->def.longitudinal);
  case VD_TYRE_TMEASY: return vd_tmeasy_slope(tyre, false, load);
  case VD_TYRE_MF: return vd_mf_tyre_slope(tyre, false, ground_friction, load);
  }
  return NAN;
}

double vd_tyre_cornering_stiffness(const vd_tyre *tyre, double ground_friction, double load) {
  switch ((enum vd_tyre_model)tyre->def.model) {
  case VD_TYRE_LINEAR: return tyre->def.cornering_stiffness;
  case VD_TYRE_MF96: return ground_friction * vd_mf96_friction(tyre, load) * load * initial_slope(&tyre->def.lateral);
  case VD_TYRE_TMEASY: return vd_tmeasy_slope(tyre, true, load);
  case VD_TYRE_MF: return vd_mf_tyre_slope(tyre, true, ground_friction, load);
  }
  return NAN;
}

void vd_tyre_relaxation(const vd_tyre *tyre, double load, double *longitudinal, double *lateral) {
  *longitudinal = tyre->def.relaxation_longitudinal;
  *lateral = tyre->def.relaxation_lateral;
  if (tyre->def.model == VD_TYRE_MF)
    vd_mf_tyre_relaxation(tyre, load, longitudinal, lateral);
}

/* mf96 stiffnesses follow mu(F) F, a parabola with its top at F = F_n (1 + k)/(2 k); tmeasy's are parabolas up to their top; the
 * linear tyre's are constant and reach the circle sooner or later. */
void vd_tyre_stiffest(const vd_tyre *tyre, double ground_friction, double most, double *slip, double *cornering) {
  double k = tyre->def.load_sensitivity, load = most;
  if (tyre->def.model == VD_TYRE_MF96) {
    double top = k > 0.0 ? tyre->def.nominal_load * (1.0 + k) / (2.0 * k) : INFINITY;
    if (top < most && vd_tyre_slip_stiffness(tyre, 1.0, top) > vd_tyre_slip_stiffness(tyre, 1.0, most))
      load = top;
  }
  *slip = vd_tyre_slip_stiffness(tyre, ground_friction, load);
  *cornering = vd_tyre_cornering_stiffness(tyre, ground_friction, load);
  for (int i = 1; i < 32 && tyre->def.model == VD_TYRE_MF; i++) { /* smooth over the load, with one top */
    *slip = fmax(*slip, vd_tyre_slip_stiffness(tyre, ground_friction, most * i / 32.0));
    *cornering = fmax(*cornering, vd_tyre_cornering_stiffness(tyre, ground_friction, most * i / 32.0));
  }
}

static void add_bristles(const vd_contact *contact, int i, vd_slide *slide) {
  const vd_bending *bending = contact->bending;
  slide->sx = bending->slip_x[i];
  slide->sy = bending->slip_y[i];
  slide->vx = contact->vx[i];
  slide->zx = bending->state_x[i];
  slide->zy = bending->state_y[i];
  slide->damper = bending->damper[i];
  slide->fastest = bending->fastest;
}

/* How many tyres of the same model follow each other from i on. */
static int neighbours(const vd_tyre *const *tyre, int n, int i) {
  int count = 1;
  while (i + count < n && tyre[i + count]->def.model == tyre[i]->def.model)
    count++;
  return count;
}

void vd_tyre_row_build(const vd_tyre *const *tyre, int count, vd_tyre_row *row) {
  *row = (vd_tyre_row){.count = count, .all_mf = count == VD_WHEELS};
  for (int i = 0; i < count; i++) {
    row->each[i] = tyre[i];
    row->some_mf |= tyre[i]->def.model == VD_TYRE_MF;
    row->all_mf &= tyre[i]->def.model == VD_TYRE_MF;
  }
  if (row->some_mf)
    vd_mf_tyre_row_build(row);
}

void vd_tyre_slide(const vd_tyre_row *row, const vd_contact *contact, vd_slide_row *slide) {
  const vd_tyre *const *tyre = row->each;
  int n = row->count;
  for (int i = 0; i < n; i++) {
    double kappa = contact->kappa[i], tan_alpha = contact->tan_alpha[i];
    switch ((enum vd_tyre_model)tyre[i]->def.model) {
    case VD_TYRE_LINEAR: vd_linear_slide(tyre[i], kappa, tan_alpha, &slide->each[i]); break;
    case VD_TYRE_MF96: /* all that follow each other at once */
      if (i == 0 || tyre[i - 1]->def.model != VD_TYRE_MF96)
        vd_mf96_slide(tyre + i, neighbours(tyre, n, i), contact->kappa + i, contact->tan_alpha + i, slide->each + i);
      break;
    case VD_TYRE_TMEASY: vd_tmeasy_slide(tyre[i], kappa, tan_alpha, &slide->each[i]); break;
    case VD_TYRE_MF: break;
    }
    slide->each[i].bristles = contact->bending && tyre[i]->def.transient == VD_TYRE_LUGRE;
    if (slide->each[i].bristles)
      add_bristles(contact, i, &slide->each[i]);
  }
  if (row->some_mf)
    vd_mf_tyre_slide(row, contact, slide);
}

void vd_tyre_force(const vd_tyre_row *row, vd_slide_row *slide, const double *ground_friction, const double *load,
                   vd_tyre_forces *out) {
  bool bristles = false;
  for (int i = 0; i < row->count; i++) {
    const vd_tyre *tyre = row->each[i];
    vd_slide *own = &slide->each[i];
    switch ((enum vd_tyre_model)tyre->def.model) {
    case VD_TYRE_LINEAR: vd_linear_force(tyre, own, ground_friction[i], load[i], i, out); break;
    case VD_TYRE_MF96: vd_mf96_force(tyre, own, ground_friction[i], load[i], i, out); break;
    case VD_TYRE_TMEASY: vd_tmeasy_force(tyre, own, ground_friction[i], load[i], i, out); break;
    case VD_TYRE_MF: break;
    }
    bristles |= own->bristles;
  }
  if (row->some_mf)
    vd_mf_tyre_force(row, slide, ground_friction, load, out);
  for (int i = 0; i < row->count && bristles; i++)
    if (slide->each[i].bristles)
      vd_lugre_force(row->each[i], &slide->each[i], ground_friction[i], load[i], i, out);
}

bool vd_tyre_learns(const vd_tyre *tyre) {
  return tyre->def.model == VD_TYRE_TMEASY || tyre->def.model == VD_TYRE_MF;
}

void vd_tyre_moments(const vd_tyre_row *row, const vd_slide_row *slide, const double *load, const double *vx,
                     const double *fy, double *mz) {
  for (int i = 0; i < row->count; i++) {
    const vd_slide *own = &slide->each[i];
    switch ((enum vd_tyre_model)row->each[i]->def.model) {
    case VD_TYRE_LINEAR:
    case VD_TYRE_MF96: mz[i] = -vd_trail_side(vx[i]) * own->trail * fy[i]; break;
    case VD_TYRE_TMEASY: mz[i] = -vd_trail_side(vx[i]) * vd_tmeasy_trail(row->each[i], own, load[i]) * fy[i]; break;
    case VD_TYRE_MF: break;
    }
  }
  if (row->some_mf)
    vd_mf_tyre_moments(row, slide, fy, mz);
}

void vd_tyre_inflate(vd_tyre *tyre, double pressure) {
  if (tyre->def.model == VD_TYRE_MF)
    tyre->mf.pressure = pressure;
}

double vd_tyre_pressure(const vd_tyre *tyre) {
  return tyre->def.model == VD_TYRE_MF ? tyre->mf.pressure : NAN;
}

double vd_tyre_rolling_radius(const vd_tyre *tyre, double load, double omega) {
  return tyre->def.model == VD_TYRE_MF ? vd_mf_rolling_radius(&tyre->mf, load, omega, tyre->mf.pressure) : NAN;
}

/* Loaded radius: free radius of the turning wheel less its deflection. */
static double loaded_radius(const vd_tyre *tyre, const vd_tyre_question *q, double omega, const vd_tyre_answer *a) {
  if (tyre->def.model != VD_TYRE_MF)
    return NAN;
  const vd_mf_vertical v = {
      .omega = omega, .fx = a->fx, .fy = a->fy, .gamma = q->camber, .pressure = tyre->mf.pressure};
  return vd_mf_free_radius(&tyre->mf, omega) - vd_mf_deflection(&tyre->mf, &v, q->load, NULL);
}

void vd_tyre_ask(const vd_tyre *tyre, const vd_tyre_question *q, vd_tyre_answer *a) {
  const vd_bending bending = {.slip_x = &q->slip_x,
                              .slip_y = &q->slip_y,
                              .state_x = &q->state_x,
                              .state_y = &q->state_y,
                              .damper = &q->damper,
                              .fastest = q->fastest};
  const vd_contact contact = {.kappa = &q->kappa,
                              .tan_alpha = &q->tan_alpha,
                              .vx = &q->vx,
                              .camber = &q->camber,
                              .bending = q->moving ? &bending : NULL};
  vd_tyre_row row;
  vd_slide_row slide;
  vd_tyre_forces forces;
  *a = (vd_tyre_answer){.mx = NAN, .rolling_radius = NAN, .loaded_radius = NAN};
  vd_tyre_row_build(&tyre, 1, &row);
  vd_tyre_slide(&row, &contact, &slide);
  vd_tyre_force(&row, &slide, &q->ground_friction, &q->load, &forces);
  a->fx = forces.fx[0];
  a->fy = forces.fy[0];
  if (slide.each[0].bristles) {
    a->rate_x = forces.rate_x[0];
    a->rate_y = forces.rate_y[0];
  }
  vd_tyre_moments(&row, &slide, &q->load, &q->vx, &a->fy, &a->mz);
  a->trail = a->fy != 0.0 ? -a->mz / a->fy : NAN;
  if (q->vx != 0.0)
    a->my = -copysign(tyre->def.rolling_resistance * q->load * q->radius, q->vx);
  if (tyre->def.model == VD_TYRE_MF) {
    double radius = vd_tyre_rolling_radius(tyre, q->load, q->vx / tyre->def.mf->unloaded_radius);
    a->rolling_radius = vd_tyre_rolling_radius(tyre, q->load, q->vx * (1.0 + q->kappa) / radius);
    a->loaded_radius = loaded_radius(tyre, q, q->vx * (1.0 + q->kappa) / radius, a);
    a->mx = forces.mx[0];
    a->my = forces.my[0];
  }
  vd_tyre_peaks(tyre, q->ground_friction, q->load, &a->mu_peak, &a->kappa_peak, &a->alpha_peak);
  a->slip_stiffness = vd_tyre_slip_stiffness(tyre, q->ground_friction, q->load);
  a->cornering_stiffness = vd_tyre_cornering_stiffness(tyre, q->ground_friction, q->load);
  vd_tyre_relaxation(tyre, q->load, &a->sigma_x, &a->sigma_y);
}

void vd_tyre_peaks(const vd_tyre *tyre, double ground_friction, double load, double *mu, double *kappa, double *alpha) {
  const vd_tyre_def *def = &tyre->def;
  switch ((enum vd_tyre_model)def->model) {
  case VD_TYRE_LINEAR:
    *mu = ground_friction * def->friction;
    *kappa = *mu * load / def->longitudinal_stiffness;
    *alpha = *mu * load / def->cornering_stiffness;
    break;
  case VD_TYRE_MF96:
    *mu = ground_friction * vd_mf96_friction(tyre, load) * fmax(def->longitudinal.d, def->lateral.d);
    *kappa = tyre->kappa_peak;
    *alpha = tyre->alpha_peak;
    break;
  case VD_TYRE_TMEASY: vd_tmeasy_peaks(tyre, ground_friction, load, mu, kappa, alpha); break;
  case VD_TYRE_MF: vd_mf_tyre_peaks(tyre, ground_friction, load, mu, kappa, alpha); break;
  }
}
