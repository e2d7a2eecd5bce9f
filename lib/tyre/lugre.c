/* LuGre: bristles that bend, break away and are renewed by rolling, for any steady tyre model.
 *
 * Canudas de Wit, Tsiotras, Velenis, Basset, Gissinger, "Dynamic friction models for road/tire longitudinal
 * interaction", Vehicle System Dynamics 39 (2003), averaged lumped form with the rolling term; Deur, Asgari, Hrovat
 * (2004) for both directions:
 *
 *   z' = s - sigma0 |s|/g(s) z - (rolling term) |V| z,   F = Fz (sigma0 z + sigma1 z')
 *
 * g is not a formula of its own here. It is such that the steady state is the force S of the steady model at the
 * present slip and load: with the stiffness k = Fz sigma0 of the bristles and e = S/k, both terms together must be
 * |s|/|e| z, so
 *
 *   z' = R (e - z),   R = max(|s|/|e|, |V|/sigma),   k = C/sigma
 *
 * where C is the slope of the steady curve at this load and sigma the relaxation length, so that at small slip R =
 * |V|/sigma, the rolling term, and at standstill R = |s| k/(mu Fz), the presliding of Dahl and LuGre. There is no speed
 * to divide by: the steady slip is taken at |V| or a thousandth of |s|, whichever is more, where every curve has long
 * levelled off. For one direction at a time R e is s, so that the work k z s = d(k z^2/2)/dt + k R z^2 stores or loses,
 * and creates nothing. sigma2, viscous friction, is part of the steady curve. sigma1 = tau k fades with speed, as the
 * standstill damper of the relaxation lengths does. */
#include "tyre/lugre.h"

#include "base/elementary.h"

void vd_lugre_force(const vd_tyre *tyre, const vd_slide *slide, double ground_friction, double load, int i,
                    vd_tyre_forces *out) {
  double sigma_x, sigma_y, rolling = fabs(slide->vx);
  vd_tyre_relaxation(tyre, load, &sigma_x, &sigma_y);
  double rate_x = rolling / sigma_x, rate_y = rolling / sigma_y, rest_x = 0.0, rest_y = 0.0;
  double kx = load > 0.0 ? vd_tyre_slip_stiffness(tyre, ground_friction, load) / sigma_x : 0.0;
  double ky = load > 0.0 ? vd_tyre_cornering_stiffness(tyre, ground_friction, load) / sigma_y : 0.0;
  if (kx > 0.0 && ky > 0.0) {
    rest_x = out->fx[i] / kx;
    rest_y = out->fy[i] / ky;
    double far = sqrt(rest_x * rest_x + rest_y * rest_y), slip = sqrt(slide->sx * slide->sx + slide->sy * slide->sy);
    double both = far > 0.0 ? slip / far : 0.0;
    rate_x = vd_max(rate_x, both);
    rate_y = vd_max(rate_y, both);
  }
  out->rate_x[i] = vd_min(rate_x, slide->fastest) * (rest_x - slide->zx);
  out->rate_y[i] = vd_min(rate_y, slide->fastest) * (rest_y - slide->zy);
  out->fx[i] = kx * (slide->zx + slide->damper * out->rate_x[i]);
  out->fy[i] = ky * (slide->zy + slide->damper * out->rate_y[i]);
  out->dfx[i] = load > 0.0 ? out->fx[i] / load : 0.0;
  out->dfy[i] = load > 0.0 ? out->fy[i] / load : 0.0;
}
