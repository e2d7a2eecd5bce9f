/* TMeasy: Rill, Road Vehicle Dynamics (CRC 2011), ch. 3.4-3.5, and "TMeasy: the handling tire model for all driving
 * situations" (2013). A curve through five figures: the initial slope dF0, the peak (s_M, F_M) and full sliding
 * (s_S, F_S), each given at the nominal and at twice the nominal load.
 *
 *   0 <= s <= s_M     F = s_M dF0 u/(1 + u (u + dF0 s_M/F_M - 2))              u = s/s_M
 *   s_M <= s <= s_S   F = F_M - (F_M - F_S) u^2 (3 - 2 u)                      u = (s - s_M)/(s_S - s_M)
 *   beyond            F = F_S
 *
 * Slips are related to the speed of the tread: s_x = kappa/(1 + kappa), s_y = -tan(alpha)/(1 + kappa); s_x reaches
 * infinity for a locked wheel, far beyond s_S. Combined slip: s = |(s_x/n_x, s_y/n_y)|, cos f and sin f its direction,
 *   n_x = s_Mx/(s_Mx + s_My) + (F_Mx/dF0x)/(F_Mx/dF0x + F_My/dF0y),   n_y likewise,
 * and the five figures of the curve in that direction are those of the two pure curves, weighted by cos f and sin f as
 * the sides of a right triangle. Over load, forces and slopes are parabolas through zero and slips straight lines.
 * Friction scales forces and slips, not the slope. */
#include "tyre/tyre_impl.h"

#include "base/elementary.h"

#define TMEASY VD_WHEN(VD_TYRE_TMEASY)

/* clang-format off */
static const vd_field curve_fields[] = {
  {VD_F_NUMBER(vd_tmeasy_curve, df0, "df0", "N", 0, 1e8, VD_ABOVE, NULL, "initial slope of the force over the slip")},
  {VD_F_NUMBER(vd_tmeasy_curve, s_max, "s_max", "1", 0, 5, VD_ABOVE, NULL, "slip of the highest force")},
  {VD_F_NUMBER(vd_tmeasy_curve, f_max, "f_max", "N", 0, 1e7, VD_ABOVE, NULL, "highest force")},
  {VD_F_NUMBER(vd_tmeasy_curve, s_slide, "s_slide", "1", 0, 50, VD_ABOVE, NULL, "slip from which the tyre slides fully")},
  {VD_F_NUMBER(vd_tmeasy_curve, f_slide, "f_slide", "N", 0, 1e7, VD_ABOVE, NULL, "force of full sliding")},
};

static const vd_schema curve_schema = {
    .name = "TMeasy curve", .size = sizeof(vd_tmeasy_curve), .field = curve_fields, .count = VD_COUNT(curve_fields)};

static const vd_field curves_fields[] = {
  {VD_F_STRUCT(vd_tmeasy_curves, nominal, vd_tmeasy_curve, "nominal", "1", &curve_schema, 0, NULL, "at the nominal load")},
  {VD_F_STRUCT(vd_tmeasy_curves, doubled, vd_tmeasy_curve, "double", "1", &curve_schema, 0, NULL, "at twice the nominal load")},
};

static const vd_schema curves_schema = {
    .name = "TMeasy curves", .size = sizeof(vd_tmeasy_curves), .field = curves_fields, .count = VD_COUNT(curves_fields)};

static const vd_field rows[] = {
  {VD_F_STRUCT(vd_tyre_def, as.tmeasy.longitudinal, vd_tmeasy_curves, "curve_longitudinal", "1", &curves_schema, 0, NULL, "pure Fx over the slip relative to the tread's speed"), .only = TMEASY},
  {VD_F_STRUCT(vd_tyre_def, as.tmeasy.lateral, vd_tmeasy_curves, "curve_lateral", "1", &curves_schema, 0, NULL, "pure -Fy over tan(slip angle)"), .only = TMEASY},
  {VD_F_NUMBER(vd_tyre_def, as.tmeasy.nominal_load, "nominal_load", "N", 0, 1e6, VD_ABOVE, "4000", "load for which the parameters are given"), .only = TMEASY},
  {VD_F_NUMBER(vd_tyre_def, as.tmeasy.trail_zero, "trail_zero", "1", 0, 5, VD_ABOVE, "0.2", "lateral slip at which the trail is first zero"), .only = TMEASY},
  {VD_F_NUMBER(vd_tyre_def, as.tmeasy.trail_end, "trail_end", "1", 0, 10, VD_ABOVE, "0.5", "lateral slip from which on the trail is zero"), .only = TMEASY},
  VD_TYRE_PLAIN_ROWS(VD_TYRE_TMEASY),
};
/* clang-format on */

const vd_schema vd_tmeasy_rows = {.field = rows, .count = VD_COUNT(rows)};

const vd_tyre_traits vd_tmeasy_traits = {.secant_slope = true};

static const double least_tread = 0.01; /* of |1 + kappa|: a locked wheel */

/* Parabola through zero and the values at nominal and double load; u = load/nominal. */
static double over_load(double nominal, double doubled, double u) {
  return u * (2.0 * nominal - 0.5 * doubled - (nominal - 0.5 * doubled) * u);
}

/* Load over nominal, at most where one of the parabolas would turn down: beyond it forces stay. */
static double relative_load(const vd_tmeasy *m, double load) {
  return vd_min(load * m->inverse_load, m->highest_load);
}

static vd_tmeasy_curve curve_at(const vd_tmeasy_curves *def, double u, double friction) {
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

void vd_tmeasy_check(const vd_tyre_def *def, const vd_node *root, const char *path, vd_diag *d) {
  const vd_tmeasy *m = &def->as.tmeasy;
  const struct {
    const char *key;
    const vd_tmeasy_curve *curve;
  } all[] = {{"curve_longitudinal.nominal", &m->longitudinal.nominal},
             {"curve_longitudinal.double", &m->longitudinal.doubled},
             {"curve_lateral.nominal", &m->lateral.nominal},
             {"curve_lateral.double", &m->lateral.doubled}};
  for (size_t i = 0; i < VD_COUNT(all); i++) {
    const vd_tmeasy_curve *c = all[i].curve;
    if (!(c->s_slide > c->s_max))
      vd_error(d, vd_tree_place_in(root, path, all[i].key), "s_slide (%g) must be above s_max (%g)", c->s_slide,
               c->s_max);
    if (!(c->f_slide <= c->f_max))
      vd_error(d, vd_tree_place_in(root, path, all[i].key), "f_slide (%g N) must not exceed f_max (%g N)", c->f_slide,
               c->f_max);
    if (!(c->df0 * c->s_max >= c->f_max))
      vd_error(d, vd_tree_place_in(root, path, all[i].key),
               "df0 x s_max (%g N) must reach f_max (%g N), or the curve bends upwards", c->df0 * c->s_max, c->f_max);
    /* below the nominal load slips follow their straight line and forces their parabola */
    bool nominal = i % 2 == 0;
    const vd_tmeasy_curve *b = nominal ? all[i + 1].curve : c;
    if (nominal && !(2.0 * c->s_max > b->s_max && 2.0 * c->s_slide > b->s_slide && 4.0 * c->df0 > b->df0 &&
                     4.0 * c->f_max > b->f_max && 4.0 * c->f_slide > b->f_slide))
      vd_error(d, vd_tree_place_in(root, path, all[i].key),
               "towards no load the curve vanishes: slips at double load must be below twice, forces below four times "
               "those at the nominal load");
  }
  if (!(m->trail_end > m->trail_zero))
    vd_error(d, vd_tree_place_in(root, path, "trail_end"), "trail_end (%g) must be above trail_zero (%g)", m->trail_end,
             m->trail_zero);
}

void vd_tmeasy_build(const vd_tmeasy *given, vd_tyre *tyre) {
  vd_tmeasy *m = &tyre->as.tmeasy;
  *m = *given;
  const vd_tmeasy_curves *direction[] = {&m->longitudinal, &m->lateral};
  m->inverse_load = 1.0 / m->nominal_load;
  m->highest_load = INFINITY;
  for (size_t i = 0; i < VD_COUNT(direction); i++) {
    const vd_tmeasy_curve *a = &direction[i]->nominal, *b = &direction[i]->doubled;
    m->highest_load = vd_min(
        m->highest_load, vd_min(turn(a->df0, b->df0), vd_min(turn(a->f_max, b->f_max), turn(a->f_slide, b->f_slide))));
    /* slips that shrink with the load would reach zero at some load: the limit is half way there */
    if (b->s_max < a->s_max)
      m->highest_load = vd_min(m->highest_load, 1.0 + 0.5 * a->s_max / (a->s_max - b->s_max));
  }
}

void vd_tmeasy_slide(const vd_tyre_group *group, const vd_contact *contact, vd_slide *slide) {
  for (int k = 0; k < group->count; k++) {
    int i = group->wheel[k];
    double kappa = contact->kappa[i], tread = vd_max(fabs(1.0 + kappa), least_tread);
    slide[i].last_load = NAN;
    slide[i].cx = kappa / tread;
    slide[i].cy = -contact->tan_alpha[i] / tread;
  }
}

static double side(double x, double y) {
  return sqrt(x * x + y * y);
}

/* The force of one tyre at a relative load u > 0. */
static void combined_force(const vd_tmeasy *m, const vd_slide *slide, double u, double friction, double *fx,
                           double *fy) {
  vd_tmeasy_curve x = curve_at(&m->longitudinal, u, friction), y = curve_at(&m->lateral, u, friction);
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
    *fx = f * c;
    *fy = f * d;
  }
}

void vd_tmeasy_force(const vd_tyre_group *group, vd_slide *slide, const double *ground_friction, const double *load,
                     vd_tyre_forces *out) {
  for (int k = 0; k < group->count; k++) {
    int i = group->wheel[k];
    const vd_tmeasy *m = &group->tyre[i]->as.tmeasy;
    double u = relative_load(m, load[i]), friction = group->tyre[i]->common.friction * ground_friction[i];
    out->fx[i] = out->fy[i] = out->dfx[i] = out->dfy[i] = 0.0;
    if (!(u > 0.0))
      continue;
    combined_force(m, &slide[i], u, friction, &out->fx[i], &out->fy[i]);
    vd_secant(&slide[i], load[i], i, out);
  }
}

/* Normalised trail n over s_y (Rill 2011, eq. 3.79 f.): from its value at rest to zero at s_0, to a minimum beyond it,
 * and back to zero at s_E:
 *   |s_y| <= s_0       n/n_0 = (1 - w)(1 - u) + w (1 - (3 - 2 u) u^2)         u = |s_y|/s_0,  w = s_0/s_E
 *   s_0 .. s_E         n/n_0 = -(1 - w) v ((s_E - |s_y|)/(s_E - s_0))^2       v = (|s_y| - s_0)/s_0
 * with one slope at s_0. It grows with the length of the contact patch, the square root of the load. */
static double trail(const vd_tyre *tyre, double sy, double load) {
  const vd_tmeasy *m = &tyre->as.tmeasy;
  double zero = m->trail_zero, end = m->trail_end, s = fabs(sy), w = zero / end, share = 0.0;
  if (s <= zero) {
    double u = s / zero;
    share = (1.0 - w) * (1.0 - u) + w * (1.0 - (3.0 - 2.0 * u) * u * u);
  } else if (s < end) {
    double back = (end - s) / (end - zero);
    share = -(1.0 - w) * (s - zero) / zero * back * back;
  }
  return tyre->common.pneumatic_trail * share * sqrt(vd_max(load * m->inverse_load, 0.0));
}

void vd_tmeasy_moments(const vd_tyre_group *group, const vd_slide *slide, const double *load, const double *vx,
                       const double *fy, double *mz) {
  for (int k = 0; k < group->count; k++) {
    int i = group->wheel[k];
    mz[i] = -vd_trail_side(vx[i]) * trail(group->tyre[i], slide[i].cy, load[i]) * fy[i];
  }
}

void vd_tmeasy_stiffness(const vd_tmeasy *tyre, double load, double *slip, double *cornering) {
  double u = relative_load(tyre, load);
  *slip = over_load(tyre->longitudinal.nominal.df0, tyre->longitudinal.doubled.df0, u);
  *cornering = over_load(tyre->lateral.nominal.df0, tyre->lateral.doubled.df0, u);
}

/* At kappa = 0, s_y = -tan(alpha); for a braked wheel -kappa = s/(1 + s). */
void vd_tmeasy_peaks(const vd_tyre *tyre, double ground_friction, double load, double *mu, double *kappa,
                     double *alpha) {
  const vd_tmeasy *m = &tyre->as.tmeasy;
  double u = relative_load(m, load), friction = tyre->common.friction * ground_friction;
  vd_tmeasy_curve x = curve_at(&m->longitudinal, u, friction), y = curve_at(&m->lateral, u, friction);
  /* without load the limit: the slopes of the parabolas */
  double limit_x = 2.0 * m->longitudinal.nominal.f_max - 0.5 * m->longitudinal.doubled.f_max;
  double limit_y = 2.0 * m->lateral.nominal.f_max - 0.5 * m->lateral.doubled.f_max;
  *mu = load > 0.0 ? vd_max(x.f_max, y.f_max) / load : friction * vd_max(limit_x, limit_y) * m->inverse_load;
  *kappa = x.s_max / (1.0 + x.s_max);
  *alpha = vd_atan(y.s_max);
}
