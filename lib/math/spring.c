#include "math/spring.h"

#include "base/elementary.h"

#include <math.h>

/* Roots of m r^2 - c r + k = 0 for decays e^(-r t): r = g +- sigma, g = c/2m, w^2 = k/m, sigma^2 = g^2 - w^2. With
 *   f(t) = e^(-g t) sinh(sigma t)/sigma,   h(t) = e^(-g t) cosh(sigma t)
 * the flow is xx = h + g f, xv = f, vx = -w^2 f, vv = h - g f in every regime: sinh and cosh become sin and cos where
 * sigma^2 < 0, and f becomes t e^(-g t) where sigma is 0. Both are even functions of sigma, so they are smooth at
 * critical damping. The forms below neither overflow nor cancel. */
vd_spring_flow vd_spring_over(const vd_spring *s, double t) {
  double g = 0.5 * s->damping / s->mass, w = sqrt(s->stiffness / s->mass);
  double square = (g - w) * (g + w); /* not g^2 - w^2, which has the rounding error of g^2 */
  if (square < 0.0) {
    double nu = sqrt(-square), decay = vd_exp(-g * t), h = decay * vd_cos(nu * t), f = decay * vd_sin(nu * t) / nu;
    return (vd_spring_flow){.xx = h + g * f, .xv = f, .vx = -w * w * f, .vv = h - g * f};
  }
  /* With e^(-slow t) factored out: f = e^(-slow t) phi with phi = (1 - e^(-2 sigma t))/(2 sigma), h = e^(-slow t)(1 -
   * sigma phi). The slow root is w^2, the product of both roots, over the fast root: g - sigma would cancel far above
   * critical damping. */
  double sigma = sqrt(square), fast = g + sigma, slow = fast > 0.0 ? w * w / fast : 0.0;
  double phi = sigma > 0.0 ? -vd_expm1(-2.0 * sigma * t) / (2.0 * sigma) : t;
  double decay = vd_exp(-slow * t);
  return (vd_spring_flow){.xx = decay * (1.0 + slow * phi),
                          .xv = decay * phi,
                          .vx = -w * w * decay * phi,
                          .vv = decay * (1.0 - fast * phi)};
}

double vd_spring_critical(double mass, double stiffness) {
  return 2.0 * sqrt(stiffness * mass);
}
