/* TMeasy: Rill, Road Vehicle Dynamics (CRC 2011), ch. 3.4-3.5, "TMeasy: the handling tire model for all driving
 * situations" (2013), and Rill and Castro, Road Vehicle Dynamics (2nd ed., CRC 2020). A curve through five figures:
 * the initial slope dF0, the peak (s_M, F_M) and full sliding (s_S, F_S), each given at the nominal and at twice the
 * nominal load.
 *
 *   0 <= s <= s_M     F = s_M dF0 u/(1 + u (u + dF0 s_M/F_M - 2))              u = s/s_M
 *   s_M <= s <= s_S   F = F_M - (F_M - F_S) u^2 (3 - 2 u)                      u = (s - s_M)/(s_S - s_M)
 *   beyond            F = F_S
 *
 * The second edition replaces the cubic beyond the peak by two parabolas. The first, F_M - a (s - s_M)^2, has the
 * second derivative of the curve below the peak, a = F_M^2/(dF0 s_M^3); the second, F_S + b (s_S - s)^2, ends level.
 * They meet at s* with one slope, a (s* - s_M) = b (s_S - s*), so that
 *   s* = s_M + (F_M - F_S)/(a (s_S - s_M)).
 * Where s* would lie beyond s_S the cubic stays. A slope dF0 below 2 F_M/s_M, for which the curve would bend upwards,
 * moves s_M to 2 F_M/dF0, and s_S with it. Project Chrono has the same parabolas, and raises dF0 instead.
 * The normalised slips below are those of both editions.
 *
 * Slips are related to the speed of the tread: s_x = kappa/(1 + kappa), s_y = -tan(alpha)/(1 + kappa), rolling ahead; s_x reaches
 * infinity for a locked wheel, far beyond s_S. Combined slip: s = |(s_x/n_x, s_y/n_y)|, cos f and sin f its direction,
 *   n_x = s_Mx/(s_Mx + s_My) + (F_Mx/dF0x)/(F_Mx/dF0x + F_My/dF0y),   n_y likewise,
 * and the five figures of the curve in that direction are those of the two pure curves, weighted by cos f and sin f as
 * the sides of a right triangle. Over load, forces and slopes are parabolas through zero and slips straight lines.
 * Friction scales forces and slips, not the slope. */
#include "tyre/tyre_impl.h"

#include "base/elementary.h"

#define TMEASY VD_WHEN(VD_TYRE_TMEASY)

static const char *const edition_names[] = {"2011", "2020", NULL};

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
  {VD_F_CHOICE(vd_tyre_def, as.tmeasy.edition, "edition", edition_names, "2020", "edition of Rill's Road Vehicle Dynamics: 2020 has two parabolas beyond the peak and a trail of fourth order, which shrinks with the friction; 2011 a cubic, and a trail in two parts"), .only = TMEASY},
  {VD_F_STRUCT(vd_tyre_def, as.tmeasy.longitudinal, vd_tmeasy_curves, "curve_longitudinal", "1", &curves_schema, 0, NULL, "pure Fx over the slip relative to the tread's speed"), .only = TMEASY},
  {VD_F_STRUCT(vd_tyre_def, as.tmeasy.lateral, vd_tmeasy_curves, "curve_lateral", "1", &curves_schema, 0, NULL, "pure -Fy over tan(slip angle)"), .only = TMEASY},
  {VD_F_NUMBER(vd_tyre_def, as.tmeasy.nominal_load, "nominal_load", "N", 0, 1e6, VD_ABOVE, "4000", "load for which the parameters are given"), .only = TMEASY},
  {VD_F_NUMBER(vd_tyre_def, as.tmeasy.trail_zero, "trail_zero", "1", 0, 5, VD_ABOVE, "0.2", "lateral slip at which the trail is first zero"), .only = TMEASY},
  {VD_F_NUMBER(vd_tyre_def, as.tmeasy.trail_end, "trail_end", "1", 0, 10, VD_ABOVE, "0.5", "lateral slip from which on the trail is zero"), .only = TMEASY},
  {VD_F_NUMBER(vd_tyre_def, as.tmeasy.trail_double, "pneumatic_trail_double", "m", 0, 2, VD_AUTO, "auto", "pneumatic trail at twice the nominal load; auto: that at the nominal load times sqrt(2), as the length of the contact patch"), .only = TMEASY},
  {VD_F_NUMBER(vd_tyre_def, as.tmeasy.trail_zero_double, "trail_zero_double", "1", 0, 5, VD_ABOVE | VD_AUTO, "auto", "trail_zero at twice the nominal load; auto: the same"), .only = TMEASY},
  {VD_F_NUMBER(vd_tyre_def, as.tmeasy.trail_end_double, "trail_end_double", "1", 0, 10, VD_ABOVE | VD_AUTO, "auto", "trail_end at twice the nominal load; auto: the same"), .only = TMEASY},
  VD_TYRE_PLAIN_ROWS(VD_TYRE_TMEASY),
  VD_TYRE_ROW_CAMBER(VD_TYRE_TMEASY),
};
/* clang-format on */

const vd_schema vd_tmeasy_rows = {.field = rows, .count = VD_COUNT(rows)};

const vd_tyre_traits vd_tmeasy_traits = {.secant_slope = true};

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

/* A curve that would bend upwards gets the least slip of its peak with which it does not. */
static void straighten(enum vd_tmeasy_edition edition, vd_tmeasy_curve *c) {
  double least = 2.0 * c->f_max / c->df0;
  if (edition == VD_TMEASY_2020 && c->s_max < least) {
    c->s_slide += least - c->s_max;
    c->s_max = least;
  }
}

/* From the peak to full sliding: s > s_M. */
static double falling_force(const vd_tmeasy_curve *c, enum vd_tmeasy_edition edition, double s) {
  double drop = c->f_max - c->f_slide, width = c->s_slide - c->s_max, u = (s - c->s_max) / width;
  if (s >= c->s_slide)
    return c->f_slide;
  if (edition == VD_TMEASY_2020) {
    double a = c->f_max * c->f_max / (c->df0 * c->s_max * c->s_max * c->s_max);
    double first = drop / (a * width), rest = width - first; /* widths of both parabolas */
    if (rest > 0.0) {
      double past = s - c->s_max, left = c->s_slide - s;
      return past <= first ? c->f_max - a * past * past : c->f_slide + a * first / rest * left * left;
    }
  }
  return c->f_max - drop * u * u * (3.0 - 2.0 * u);
}

static double force(const vd_tmeasy_curve *c, enum vd_tmeasy_edition edition, double s) {
  if (s <= c->s_max) {
    double u = s / c->s_max;
    return c->s_max * c->df0 * u / (1.0 + u * (u + c->df0 * c->s_max / c->f_max - 2.0));
  }
  return falling_force(c, edition, s);
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
  else if (!(m->trail_end_double > m->trail_zero_double &&
             2.0 * m->trail_end - m->trail_end_double > 2.0 * m->trail_zero - m->trail_zero_double &&
             2.0 * m->trail_zero > m->trail_zero_double))
    vd_error(d, vd_tree_place_in(root, path, "trail_zero_double"),
             "trail_end must be above trail_zero, and that above 0, at every load; at twice the nominal load they are "
             "%g and %g, without load they tend to %g and %g",
             m->trail_end_double, m->trail_zero_double, 2.0 * m->trail_end - m->trail_end_double,
             2.0 * m->trail_zero - m->trail_zero_double);
}

void vd_tmeasy_complete(vd_tyre_def *def) {
  vd_tmeasy *m = &def->as.tmeasy;
  if (isnan(m->trail_double))
    m->trail_double = sqrt(2.0) * def->common.pneumatic_trail;
  if (isnan(m->trail_zero_double))
    m->trail_zero_double = m->trail_zero;
  if (isnan(m->trail_end_double))
    m->trail_end_double = m->trail_end;
}

void vd_tmeasy_build(const vd_tmeasy *given, vd_tyre *tyre) {
  vd_tmeasy *m = &tyre->as.tmeasy;
  *m = *given;
  m->trail_slope = m->trail_double / sqrt(2.0) - tyre->common.pneumatic_trail;
  if (fabs(m->trail_slope) <= 1e-12 * tyre->common.pneumatic_trail)
    m->trail_slope = 0.0; /* rounding */
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
    double kappa = contact->kappa[i], tread = vd_tread_share(kappa, contact->vx, i);
    slide[i].last_load = NAN;
    slide[i].cx = kappa / tread;
    slide[i].cy = -contact->tan_alpha[i] / tread;
  }
}

static double side(double x, double y) {
  return sqrt(x * x + y * y);
}

/* The force of one tyre at a relative load u > 0. */
static void combined_force(const vd_tmeasy *m, const vd_slide *slide, double u, double friction, double *fx, double *fy,
                           double *limit_x, double *limit_y) {
  enum vd_tmeasy_edition edition = (enum vd_tmeasy_edition)m->edition;
  vd_tmeasy_curve x = curve_at(&m->longitudinal, u, friction), y = curve_at(&m->lateral, u, friction);
  *limit_x = x.f_max;
  *limit_y = y.f_max;
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
    straighten(edition, &both);
    double f = force(&both, edition, s);
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
    double limit_x, limit_y;
    combined_force(m, &slide[i], u, friction, &out->fx[i], &out->fy[i], &limit_x, &limit_y);
    slide[i].friction = friction;
    if (group->thrusts)
      vd_add_thrust(group->tyre[i], limit_x, limit_y, load[i], i, &slide[i], out);
    vd_secant(&slide[i], load[i], i, out);
  }
}

/* Trail n over s_y, relative to that at rest: zero at s_0, negative beyond it, and zero again from s_E on.
 *
 * 2011, eq. 3.79 f., in two parts with one slope at s_0:
 *   |s_y| <= s_0       n/n_0 = (1 - w)(1 - u) + w (1 - (3 - 2 u) u^2)         u = |s_y|/s_0,  w = s_0/s_E
 *   s_0 .. s_E         n/n_0 = -(1 - w) v ((s_E - |s_y|)/(s_E - s_0))^2       v = (|s_y| - s_0)/s_0
 * 2020, the polynomial of fourth order that is 1 and level at rest, 0 at s_0, 0 and level at s_E:
 *   |s_y| <= s_E       n/n_0 = 1 + (s_y/(s_0 s_E))^2 (a + |s_y| (b + |s_y| c))
 *   a = -(2 s_0^2 + (s_0 + s_E)^2),  b = 2 (s_0 + s_E)^2/s_E,  c = -(2 s_0 + s_E)/s_E
 * It then also shrinks with the friction, as the other slips do. */
static double trail_share(enum vd_tmeasy_edition edition, double zero, double end, double s) {
  if (!(s < end))
    return 0.0;
  if (edition == VD_TMEASY_2020) {
    double both = (zero + end) * (zero + end), r = s / (zero * end);
    double a = -(2.0 * zero * zero + both), b = 2.0 * both / end, c = -(2.0 * zero + end) / end;
    return 1.0 + r * r * (a + s * (b + s * c));
  }
  double w = zero / end;
  if (s <= zero) {
    double u = s / zero;
    return (1.0 - w) * (1.0 - u) + w * (1.0 - (3.0 - 2.0 * u) * u * u);
  }
  double back = (end - s) / (end - zero);
  return -(1.0 - w) * (s - zero) / zero * back * back;
}

/* The trail at rest is the length of the contact patch, which grows with the square root of the load as that of a
 * round wheel does, times a share that is linear over the load, as are s_0 and s_E; these three stay from twice the
 * nominal load on. */
static double trail(const vd_tyre *tyre, const vd_slide *slide, double load) {
  const vd_tmeasy *m = &tyre->as.tmeasy;
  double u = vd_max(load * m->inverse_load, 0.0), more = vd_min(u, 2.0) - 1.0;
  double scale = m->edition == VD_TMEASY_2020 ? slide->friction : 1.0;
  double zero = scale * (m->trail_zero + (m->trail_zero_double - m->trail_zero) * more);
  double end = scale * (m->trail_end + (m->trail_end_double - m->trail_end) * more);
  double share = trail_share((enum vd_tmeasy_edition)m->edition, zero, end, fabs(slide->cy));
  return (tyre->common.pneumatic_trail + m->trail_slope * more) * share * sqrt(u);
}

void vd_tmeasy_moments(const vd_tyre_group *group, const vd_slide *slide, const double *load, const double *vx,
                       const double *fy, double *mz) {
  for (int k = 0; k < group->count; k++) {
    int i = group->wheel[k];
    const vd_tyre *tyre = group->tyre[i];
    double side = group->thrusts ? fy[i] - slide[i].thrust : fy[i];
    mz[i] = -vd_trail_side(vx[i]) * trail(tyre, &slide[i], load[i]) * side;
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
  straighten((enum vd_tmeasy_edition)m->edition, &x);
  straighten((enum vd_tmeasy_edition)m->edition, &y);
  /* without load the limit: the slopes of the parabolas */
  double limit_x = 2.0 * m->longitudinal.nominal.f_max - 0.5 * m->longitudinal.doubled.f_max;
  double limit_y = 2.0 * m->lateral.nominal.f_max - 0.5 * m->lateral.doubled.f_max;
  *mu = load > 0.0 ? vd_max(x.f_max, y.f_max) / load : friction * vd_max(limit_x, limit_y) * m->inverse_load;
  *kappa = x.s_max / (1.0 + x.s_max);
  *alpha = vd_atan(y.s_max);
}
