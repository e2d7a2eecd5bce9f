/* Shared by the tyre models' own files. */
#ifndef VD_TYRE_IMPL_H
#define VD_TYRE_IMPL_H

#include "tyre/tyre.h"

#include <math.h>

/* Slip at which the direction of the force starts and ends to turn into that of the slip vector. */
#define VD_TURN_START 0.5
#define VD_TURN_END   1.0
/* mf96: below this share of the nominal friction the load sensitivity stops */
#define VD_MF96_FRICTION_FLOOR 0.3

/* Length of the slip vector, its unit vector and the share of the turn: 0 below VD_TURN_START, 1 from VD_TURN_END,
 * the smoothest quintic between, so that forces have continuous second derivatives. */
static inline double vd_slip_vector(double kappa, double tan_alpha, vd_slide *slide) {
  double s = sqrt(kappa * kappa + tan_alpha * tan_alpha);
  double inverse = s > 0.0 ? 1.0 / s : 0.0;
  slide->cx = kappa * inverse;
  slide->cy = -tan_alpha * inverse;
  slide->turn = 0.0;
  if (s > VD_TURN_START) {
    double u = vd_least((s - VD_TURN_START) / (VD_TURN_END - VD_TURN_START), 1.0);
    slide->turn = u * u * u * (10.0 + u * (6.0 * u - 15.0));
  }
  return s;
}

/* Two pure forces at s laid along the slip vector. As the direction turns, the share of the friction ellipse with the half
 * axes half_x and half_y that is used stays the same: the length, if they are equal. */
static inline void vd_combine(const vd_slide *slide, double fx0, double fy0, double half_x, double half_y, double *fx,
                              double *fy) {
  double x = fx0 * slide->cx, y = fy0 * slide->cy;
  if (slide->turn > 0.0) {
    double length = sqrt(x * x + y * y);
    double keep = length > 0.0 ? (1.0 - slide->turn) / length : 0.0;
    double dx = keep * x + slide->turn * slide->cx, dy = keep * y + slide->turn * slide->cy;
    double ux = x / half_x, uy = y / half_y, vx = dx / half_x, vy = dy / half_y;
    double turned = vx * vx + vy * vy;
    double scale = turned > 0.0 ? sqrt((ux * ux + uy * uy) / turned) : 0.0;
    x = dx * scale;
    y = dy * scale;
  }
  *fx = x;
  *fy = y;
}

void vd_linear_slide(const vd_tyre *tyre, double kappa, double tan_alpha, vd_slide *slide);

void vd_mf96_build(vd_tyre *tyre);
/* Of n <= VD_WHEELS tyres. */
void vd_mf96_slide(const vd_tyre *const *tyre, int n, const double *kappa, const double *tan_alpha, vd_slide *slide);
void vd_tmeasy_build(vd_tyre *tyre);
void vd_tmeasy_slide(const vd_tyre *tyre, double kappa, double tan_alpha, vd_slide *slide);
void vd_tmeasy_force(const vd_tyre *tyre, vd_slide *slide, double ground_friction, double load, int i,
                     vd_tyre_forces *out);
double vd_tmeasy_trail(const vd_tyre *tyre, const vd_slide *slide, double load);
double vd_tmeasy_slope(const vd_tyre *tyre, bool lateral, double load);
void vd_tmeasy_peaks(const vd_tyre *tyre, double ground_friction, double load, double *mu, double *kappa,
                     double *alpha);

void vd_mf_tyre_build(vd_tyre *tyre, bool right);
/* Those of mf in a row that has some. */
void vd_mf_tyre_row_build(vd_tyre_row *row);
void vd_mf_tyre_slide(const vd_tyre_row *row, const vd_contact *contact, vd_slide_row *slide);
void vd_mf_tyre_force(const vd_tyre_row *row, vd_slide_row *slide, const double *ground_friction, const double *load,
                      vd_tyre_forces *out);
void vd_mf_tyre_moments(const vd_tyre_row *row, const vd_slide_row *slide, const double *fy, double *mz);
double vd_mf_tyre_slope(const vd_tyre *tyre, bool lateral, double ground_friction, double load);
void vd_mf_tyre_peaks(const vd_tyre *tyre, double ground_friction, double load, double *mu, double *kappa,
                      double *alpha);
void vd_mf_tyre_relaxation(const vd_tyre *tyre, double load, double *longitudinal, double *lateral);

/* Derivatives by load from this pass and the last; in the first one the forces are taken as proportional to the load. */
static inline void vd_secant(vd_slide *slide, double load, int i, vd_tyre_forces *out) {
  double step = load - slide->last_load, fx = out->fx[i], fy = out->fy[i];
  bool far = fabs(step) > 1e-6 * load; /* nearer, rounding would speak; false for NAN */
  out->dfx[i] = far ? (fx - slide->last_fx) / step : load > 0.0 ? fx / load : 0.0;
  out->dfy[i] = far ? (fy - slide->last_fy) / step : load > 0.0 ? fy / load : 0.0;
  slide->last_load = load;
  slide->last_fx = fx;
  slide->last_fy = fy;
}

/* The forces of the usual tyres, inline because every pass of the load loop takes them of every wheel. */
static inline void vd_linear_force(const vd_tyre *tyre, const vd_slide *slide, double ground_friction, double load,
                                   int i, vd_tyre_forces *out) {
  double limit = tyre->def.friction * ground_friction * load;
  double fx0 = vd_least(slide->fx, limit), fy0 = vd_least(slide->fy, limit);
  vd_combine(slide, fx0, fy0, 1.0, 1.0, &out->fx[i], &out->fy[i]);
  double per_load = tyre->def.friction * ground_friction;
  out->dfx[i] = slide->fx > limit ? per_load * slide->cx : 0.0;
  out->dfy[i] = slide->fy > limit ? per_load * slide->cy : 0.0;
}

/* With u = Fz/Fz_n:  mu = mu_n (1 + k - k u),  d(mu Fz)/dFz = mu_n (1 + k - 2 k u),  above the floor. */
static inline void vd_mf96_force(const vd_tyre *tyre, const vd_slide *slide, double ground_friction, double load, int i,
                                 vd_tyre_forces *out) {
  double nominal = ground_friction * tyre->def.friction;
  double fall = tyre->def.load_sensitivity * tyre->inverse_load * load;
  double share = 1.0 + tyre->def.load_sensitivity - fall, slope = share - fall;
  if (share < VD_MF96_FRICTION_FLOOR)
    share = slope = VD_MF96_FRICTION_FLOOR;
  double force = nominal * share * load;
  out->fx[i] = force * slide->fx;
  out->fy[i] = force * slide->fy;
  out->dfx[i] = nominal * slope * slide->fx;
  out->dfy[i] = nominal * slope * slide->fy;
}

/* Turns the steady forces out->fx[i], fy[i] into those of bristles, and adds their rates. */
void vd_lugre_force(const vd_tyre *tyre, const vd_slide *slide, double ground_friction, double load, int i,
                    vd_tyre_forces *out);

/* Friction coefficient at a load, on ground of friction 1. */
double vd_mf96_friction(const vd_tyre *tyre, double load);

#endif
