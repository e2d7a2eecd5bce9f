/* TMeasy: Rill, Road Vehicle Dynamics (CRC 2011), ch. 3.4-3.5, and "TMeasy: the handling tire model for all driving situations"
 * (2013). A curve through five figures: the initial slope dF0, the peak (s_M, F_M) and full sliding (s_S, F_S), each given at the
 * nominal and at twice the nominal load.
 *
 *   0 <= s <= s_M     F = s_M dF0 u/(1 + u (u + dF0 s_M/F_M - 2))              u = s/s_M
 *   s_M <= s <= s_S   F = F_M - (F_M - F_S) u^2 (3 - 2 u)                      u = (s - s_M)/(s_S - s_M)
 *   beyond            F = F_S
 *
 * Slips are related to the speed of the tread: s_x = kappa/(1 + kappa), s_y = -tan(alpha)/(1 + kappa); s_x reaches infinity for a
 * locked wheel, far beyond s_S. Combined slip: s = |(s_x/n_x, s_y/n_y)|, cos f and sin f its direction, with
 *   n_x = s_Mx/(s_Mx + s_My) + (F_Mx/dF0x)/(F_Mx/dF0x + F_My/dF0y),   n_y likewise,
 * and the five figures of the curve in that direction are those of the two pure curves, weighted by cos f and sin f as the sides of
 * a right triangle. Forces and slopes over load are parabolas through zero, slips straight lines. Friction scales forces and slips,
 * not the slope. */
#include "tyre/tyre_impl.h"

static const double least_tread = 0.01; /* of |1 + kappa|: a locked wheel */

/* Parabola through zero and the values at nominal and double load; u = load/nominal. */
static double over_load(double nominal, double doubled, double u) {
  return u * (2.0 * nominal - 0.5 * doubled - (nominal - 0.5 * doubled) * u);
}

/* Load over nominal, no further than where one of the parabolas would turn down: beyond, forces stay. */
static double relative_load(const vd_tyre *tyre, double load) {
  return fmin(load * tyre->inverse_load, tyre->highest_load);
}

static vd_tmeasy_curve curve_at(const vd_tmeasy_def *def, double u, double friction) {
  const vd_tmeasy_curve *a = &def->nominal, *b = &def->doubled;
  return (vd_tmeasy_curve){
      .df0 = over_load(a->df0, b->df0, u),
      .s_max = friction * (a->s_max + (b->s_max - a->s_max) * (u - 1.0)),
      .f_max = friction * over_load(a->f_max, b->f_max, u),
      .s_slide = friction * (a->s_slide + (b->s_slide - a->s_slide) * (u - 1.0)),
      .f_slide = friction * over_load(a->f_slide, b->f_slide, u),
  };
}

static double force(const vd_tmeasy_curve *c, double s) {
  if (s <= c->s_max) {
    double u = s / c->s_max;
    return c->s_max * c->df0 * u / (1.0 + u * (u + c->df0 * c->s_max / c->f_max - 2.0));
  }
  if (s >= c->s_slide)
    return c->f_slide;
  double u = (s - c->s_max) / (c->s_slide - c->s_max);
  return c->f_max - (c->f_max - c->f_slide) * u * u * (3.0 - 2.0 * u);
}

/* Where the parabola of a value turns down: u = (2 a - b/2)/(2 a - b), none if b >= 2 a. */
static double turn(double nominal, double doubled) {
  return doubled < 2.0 * nominal ? (2.0 * nominal - 0.5 * doubled) / (2.0 * nominal - doubled) : INFINITY;
}

void vd_tmeasy_build(vd_tyre *tyre) {
  const vd_tmeasy_def *direction[] = {&tyre->def.tmeasy_longitudinal, &tyre->def.tmeasy_lateral};
  tyre->inverse_load = 1.0 / tyre->def.nominal_load;
  tyre->highest_load = INFINITY;
  for (size_t i = 0; i < VD_COUNT(direction); i++) {
    const vd_tmeasy_curve *a = &direction[i]->nominal, *b = &direction[i]->doubled;
    tyre->highest_load = fmin(tyre->highest_load,
                              fmin(turn(a->df0, b->df0), fmin(turn(a->f_max, b->f_max), turn(a->f_slide, b->f_slide))));
    /* slips that shrink with the load would vanish somewhere: stop half way there */
    if (b->s_max < a->s_max)
      tyre->highest_load = fmin(tyre->highest_load, 1.0 + 0.5 * a->s_max / (a->s_max - b->s_max));
  }
}

void vd_tmeasy_slide(const vd_tyre *tyre, double kappa, double tan_alpha, vd_slide *slide) {
  double tread = fmax(fabs(1.0 + kappa), least_tread);
  (void)tyre;
  slide->last_load = NAN;
  slide->cx = kappa / tread;
  slide->cy = -tan_alpha / tread;
}

static double side(double x, double y) {
  return sqrt(x * x + y * y);
}

void vd_tmeasy_force(const vd_tyre *tyre, vd_slide *slide, double ground_friction, double load, int i,
                     vd_tyre_forces *out) {
  double u = relative_load(tyre, load), friction = tyre->def.friction * ground_friction;
  out->fx[i] = out->fy[i] = out->dfx[i] = out->dfy[i] = 0.0;
  if (!(u > 0.0))
    return;
  vd_tmeasy_curve x = curve_at(&tyre->def.tmeasy_longitudinal, u, friction);
  vd_tmeasy_curve y = curve_at(&tyre->def.tmeasy_lateral, u, friction);
  double reach_x = x.f_max / x.df0, reach_y = y.f_max / y.df0;
  double nx = x.s_max / (x.s_max + y.s_max) + reach_x / (reach_x + reach_y);
  double ny = y.s_max / (x.s_max + y.s_max) + reach_y / (reach_x + reach_y);
  double sx = slide->cx / nx, sy = slide->cy / ny, s = side(sx, sy);
  if (s > 0.0) {
    double c = sx / s, d = sy / s;
    vd_tmeasy_curve both = {
        .df0 = side(x.df0 * nx * c, y.df0 * ny * d),
        .s_max = side(x.s_max / nx * c, y.s_max / ny * d),
        .f_max = side(x.f_max * c, y.f_max * d),
        .s_slide = side(x.s_slide / nx * c, y.s_slide / ny * d),
        .f_slide = side(x.f_slide * c, y.f_slide * d),
    };
    double f = force(&both, s);
    out->fx[i] = f * c;
    out->fy[i] = f * d;
  }
  vd_secant(slide, load, i, out);
}

/* Normalised trail n over s_y (Rill 2011, eq. 3.79 f.): from its value at rest to zero at s_0, a little beyond zero, and back at s_E:
 *   |s_y| <= s_0       n/n_0 = (1 - w)(1 - u) + w (1 - (3 - 2 u) u^2)         u = |s_y|/s_0,  w = s_0/s_E
 *   s_0 .. s_E         n/n_0 = -(1 - w) v ((s_E - |s_y|)/(s_E - s_0))^2       v = (|s_y| - s_0)/s_0
 * which meet with one slope. It grows with the length of the contact patch, the root of the load. */
double vd_tmeasy_trail(const vd_tyre *tyre, const vd_slide *slide, double load) {
  double zero = tyre->def.trail_zero, end = tyre->def.trail_end, s = fabs(slide->cy), w = zero / end, share = 0.0;
  if (s <= zero) {
    double u = s / zero;
    share = (1.0 - w) * (1.0 - u) + w * (1.0 - (3.0 - 2.0 * u) * u * u);
  } else if (s < end) {
    double back = (end - s) / (end - zero);
    share = -(1.0 - w) * (s - zero) / zero * back * back;
  }
  return tyre->def.pneumatic_trail * share * sqrt(fmax(load * tyre->inverse_load, 0.0));
}

double vd_tmeasy_slope(const vd_tyre *tyre, bool lateral, double load) {
  double u = relative_load(tyre, load);
  const vd_tmeasy_def *d = lateral ? &tyre->def.tmeasy_lateral : &tyre->def.tmeasy_longitudinal;
  return over_load(d->nominal.df0, d->doubled.df0, u);
}

/* At kappa = 0, s_y = -tan(alpha); for a braked wheel -kappa = s/(1 + s). */
void vd_tmeasy_peaks(const vd_tyre *tyre, double ground_friction, double load, double *mu, double *kappa,
                     double *alpha) {
  double u = relative_load(tyre, load), friction = tyre->def.friction * ground_friction;
  vd_tmeasy_curve x = curve_at(&tyre->def.tmeasy_longitudinal, u, friction);
  vd_tmeasy_curve y = curve_at(&tyre->def.tmeasy_lateral, u, friction);
  const vd_tmeasy_def *dx = &tyre->def.tmeasy_longitudinal, *dy = &tyre->def.tmeasy_lateral;
  /* at no load the limit: the parabolas' slopes */
  double limit_x = 2.0 * dx->nominal.f_max - 0.5 * dx->doubled.f_max;
  double limit_y = 2.0 * dy->nominal.f_max - 0.5 * dy->doubled.f_max;
  *mu = load > 0.0 ? fmax(x.f_max, y.f_max) / load : friction * fmax(limit_x, limit_y) * tyre->inverse_load;
  *kappa = x.s_max / (1.0 + x.s_max);
  *alpha = atan(y.s_max);
}
