/* TMeasy: Rill, Road Vehicle Dynamics (CRC 2011), ch. 3.4-3.5, "TMeasy: the handling tire model for all driving
 * situations" (2013), and Rill and Castro, Road Vehicle Dynamics (2nd ed., CRC 2020). A curve is defined by five
 * numbers: the initial slope dF0, the peak (s_M, F_M) and full sliding (s_S, F_S), each given at the nominal and at
 * twice the nominal load.
 *
 *   0 <= s <= s_M     F = s_M dF0 u/(1 + u (u + dF0 s_M/F_M - 2))              u = s/s_M
 *   s_M <= s <= s_S   F = F_M - (F_M - F_S) u^2 (3 - 2 u)                      u = (s - s_M)/(s_S - s_M)
 *   beyond            F = F_S
 *
 * The second edition replaces the cubic beyond the peak by two parabolas. The first, F_M - a (s - s_M)^2, has the
 * second derivative of the curve below the peak, a = F_M^2/(dF0 s_M^3); the second, F_S + b (s_S - s)^2, ends level.
 * They meet at s* with the same slope, a (s* - s_M) = b (s_S - s*), so that
 *   s* = s_M + (F_M - F_S)/(a (s_S - s_M)).
 * If s* would lie beyond s_S, the cubic is used. With a slope dF0 below 2 F_M/s_M the curve would bend upwards; then
 * s_M is moved to 2 F_M/dF0, and s_S with it. Project Chrono has the same parabolas beyond the peak, but raises dF0
 * instead, and has the trail of the first edition. Both editions define the normalised slips below.
 *
 * Slips are relative to the speed of the tread: s_x = kappa/(1 + kappa), s_y = -tan(alpha)/(1 + kappa) for forward
 * rolling; for a locked wheel s_x would be infinite and is limited to 100, far beyond s_S. In combined slip, s is the
 * magnitude of the vector (s_x/n_x, s_y/n_y), f its angle from the x axis,
 *   n_x = s_Mx/(s_Mx + s_My) + (F_Mx/dF0x)/(F_Mx/dF0x + F_My/dF0y),   n_y likewise,
 * and each of the five numbers of the curve in this direction is sqrt((a cos f)^2 + (b sin f)^2), where a and b are the
 * same number of the two pure curves. As functions of the load, forces and slopes are parabolas through zero, and slips
 * are straight lines. Friction scales forces and slips, but not the slope. */
#include "tyre/tyre_impl.h"

#include "base/elementary.h"
#include "input/schema.h"

#define TMEASY VD_WHEN(VD_TYRE_TMEASY)

static const char *const edition_names[] = {"2011", "2020", "chrono", NULL};

/* clang-format off */
static const vd_field curve_fields[] = {
  {VD_F_NUMBER(vd_tmeasy_curve, df0, "df0", "N", 0, 1e8, VD_ABOVE, NULL, "initial slope of the force over the slip"),
   .example = "90 kN"},
  {VD_F_NUMBER(vd_tmeasy_curve, s_max, "s_max", "1", 0, 5, VD_ABOVE, NULL, "slip of the highest force"),
   .example = "0.1"},
  {VD_F_NUMBER(vd_tmeasy_curve, f_max, "f_max", "N", 0, 1e7, VD_ABOVE, NULL, "highest force"),
   .example = "3.8 kN"},
  {VD_F_NUMBER(vd_tmeasy_curve, s_slide, "s_slide", "1", 0, 50, VD_ABOVE, NULL,
     "slip from which the tyre slides fully"),
   .example = "0.6"},
  {VD_F_NUMBER(vd_tmeasy_curve, f_slide, "f_slide", "N", 0, 1e7, VD_ABOVE, NULL, "force of full sliding"),
   .example = "3.4 kN"},
};

static const vd_schema curve_schema = {.name = "TMeasy curve", VD_SCHEMA_ROWS(vd_tmeasy_curve, curve_fields)};

static const vd_field curves_fields[] = {
  {VD_F_STRUCT(vd_tmeasy_curves, nominal, vd_tmeasy_curve, "nominal", "1", &curve_schema, 0, NULL,
     "at the nominal load")},
  {VD_F_STRUCT(vd_tmeasy_curves, doubled, vd_tmeasy_curve, "double", "1", &curve_schema, 0, NULL,
     "at twice the nominal load")},
};

static const vd_schema curves_schema = {.name = "TMeasy curves", VD_SCHEMA_ROWS(vd_tmeasy_curves, curves_fields)};

static const vd_field rows[] = {
  {VD_F_CHOICE(vd_tyre_def, as.tmeasy.edition, "edition", edition_names, "2020",
     "edition of Rill's Road Vehicle Dynamics: 2020 has two parabolas beyond the peak and a trail of fourth order, "
     "which shrinks with the friction; 2011 a cubic, and a trail in two parts; chrono, as Project Chrono's program, "
     "the parabolas of 2020 and the trail of 2011, which shrinks with the friction"), .only = TMEASY},
  {VD_F_STRUCT(vd_tyre_def, as.tmeasy.longitudinal, vd_tmeasy_curves, "curve_longitudinal", "1", &curves_schema, 0,
     NULL, "pure Fx over the slip relative to the tread's speed"), .only = TMEASY},
  {VD_F_STRUCT(vd_tyre_def, as.tmeasy.lateral, vd_tmeasy_curves, "curve_lateral", "1", &curves_schema, 0, NULL,
     "pure -Fy over tan(slip angle)"), .only = TMEASY},
  {VD_F_NUMBER(vd_tyre_def, as.tmeasy.nominal_load, "nominal_load", "N", 0, 1e6, VD_ABOVE, "4000",
     "load for which the parameters are given"), .only = TMEASY},
  {VD_F_NUMBER(vd_tyre_def, as.tmeasy.trail_zero, "trail_zero", "1", 0, 5, VD_ABOVE, "0.2",
     "lateral slip at which the trail is first zero"), .only = TMEASY},
  {VD_F_NUMBER(vd_tyre_def, as.tmeasy.trail_end, "trail_end", "1", 0, 10, VD_ABOVE, "0.5",
     "lateral slip from which on the trail is zero"), .only = TMEASY},
  {VD_F_NUMBER(vd_tyre_def, as.tmeasy.trail_double, "pneumatic_trail_double", "m", 0, 2, VD_AUTO, "auto",
     "pneumatic trail at twice the nominal load; auto: sqrt(2) times pneumatic_trail, like the length of "
     "the contact patch"), .only = TMEASY},
  {VD_F_NUMBER(vd_tyre_def, as.tmeasy.trail_zero_double, "trail_zero_double", "1", 0, 5, VD_ABOVE | VD_AUTO, "auto",
     "trail_zero at twice the nominal load; auto: trail_zero"), .only = TMEASY,
   .example = "0.25"},
  {VD_F_NUMBER(vd_tyre_def, as.tmeasy.trail_end_double, "trail_end_double", "1", 0, 10, VD_ABOVE | VD_AUTO, "auto",
     "trail_end at twice the nominal load; auto: trail_end"), .only = TMEASY,
   .example = "0.6"},
  VD_TYRE_PLAIN_ROWS(TMEASY),
  VD_TYRE_ROW_CAMBER(TMEASY),
};
/* clang-format on */

/* --- curves of four tyres side by side --- */

/* The coefficients [term][wheel] of four tyres, or the coefficients of one tyre for all lanes. */
typedef struct terms {
  const double *at;
  bool alone;
} terms;

VD_INLINE vd_wide term(terms m, size_t offset) {
  size_t k = offset / sizeof(double);
  return m.alone ? vd_wide_of(m.at[k]) : vd_wide_load(m.at + VD_WHEELS * k);
}

#define OF(name) term(m, offsetof(vd_tmeasy_terms, name))

VD_INLINE terms of_group(const vd_tyre_group *group) {
  return (terms){group->lanes.tmeasy.term[0], false};
}

VD_INLINE terms of_one(const vd_tmeasy *tyre) {
  return (terms){(const double *)&tyre->terms, true};
}

/* One curve at one load, see vd_tmeasy_curve. */
typedef struct curve {
  vd_wide df0, s_max, f_max, s_slide, f_slide;
} curve;

enum { LONGITUDINAL, LATERAL };

/* Evaluates a vd_tmeasy_line at u = load/nominal, as a parabola through zero or as a straight line. */
VD_INLINE vd_wide parabola_at(terms m, size_t line, vd_wide u) {
  return u * (term(m, line) - term(m, line + sizeof(double)) * u);
}

VD_INLINE vd_wide line_at(terms m, size_t line, vd_wide u) {
  return term(m, line) + term(m, line + sizeof(double)) * (u - 1.0);
}

#define LINE_OF(k, name)                                                                                               \
  (offsetof(vd_tmeasy_terms, curve) + (k) * sizeof(vd_tmeasy_lines) + offsetof(vd_tmeasy_lines, name))

VD_INLINE curve curve_at(terms m, size_t k, vd_wide u, vd_wide friction) {
  return (curve){.df0 = parabola_at(m, LINE_OF(k, df0), u),
                 .s_max = friction * line_at(m, LINE_OF(k, s_max), u),
                 .f_max = friction * parabola_at(m, LINE_OF(k, f_max), u),
                 .s_slide = friction * line_at(m, LINE_OF(k, s_slide), u),
                 .f_slide = friction * parabola_at(m, LINE_OF(k, f_slide), u)};
}

/* Returns the load divided by the nominal load, limited to the highest load of the curves (tmeasy_build), beyond which
 * forces stay constant. */
VD_INLINE vd_wide relative_load(terms m, vd_wide load) {
  return vd_wide_min(OF(highest_load), load * OF(inverse_load));
}

/* Moves the peak, or raises the slope, so that the curve does not bend upwards. */
VD_INLINE void straighten(terms m, curve *c) {
  vd_wide least = 2.0 * c->f_max / c->df0;
  vd_wide_mask bends = (OF(parabolas) > 0.0) & (c->s_max < least), steeper = bends & (OF(fourth_order) == 0.0);
  c->df0 = vd_wide_select(steeper, 2.0 * c->f_max / c->s_max, c->df0);
  bends = bends & (OF(fourth_order) > 0.0);
  c->s_slide = vd_wide_select(bends, c->s_slide + (least - c->s_max), c->s_slide);
  c->s_max = vd_wide_select(bends, least, c->s_max);
}

/* Returns the force beyond the peak, s > s_M. */
VD_INLINE vd_wide falling_force(terms m, const curve *c, vd_wide s) {
  vd_wide drop = c->f_max - c->f_slide, width = c->s_slide - c->s_max, u = (s - c->s_max) / width;
  vd_wide a = c->f_max * c->f_max / (c->df0 * c->s_max * c->s_max * c->s_max);
  vd_wide first = drop / (a * width), rest = width - first; /* widths of both parabolas */
  vd_wide past = s - c->s_max, left = c->s_slide - s;
  vd_wide parabolas =
      vd_wide_select(past <= first, c->f_max - a * past * past, c->f_slide + a * first / rest * left * left);
  vd_wide cubic = c->f_max - drop * u * u * (3.0 - 2.0 * u);
  vd_wide between = vd_wide_select((OF(parabolas) > 0.0) & (rest > 0.0), parabolas, cubic);
  return vd_wide_select(s >= c->s_slide, c->f_slide, between);
}

VD_INLINE vd_wide force(terms m, const curve *c, vd_wide s) {
  vd_wide u = s / c->s_max;
  vd_wide rising = c->s_max * c->df0 * u / (1.0 + u * (u + c->df0 * c->s_max / c->f_max - 2.0));
  vd_wide_mask falls = s > c->s_max;
  return vd_wide_any((vd_wide)falls) ? vd_wide_select(falls, falling_force(m, c, s), rising) : rising;
}

/* Returns the u at which the parabola of a value begins to fall: u = (2 a - b/2)/(2 a - b), with the values a at
 * nominal and b at double load; INFINITY if b >= 2 a. */
static double turn(double nominal, double doubled) {
  return doubled < 2.0 * nominal ? (2.0 * nominal - 0.5 * doubled) / (2.0 * nominal - doubled) : INFINITY;
}

static void tmeasy_check(const vd_tyre_def *def, const vd_node *root, const char *path, vd_diag *d) {
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
    vd_place at = vd_tree_place_in(root, path, "%s", all[i].key);
    if (!(c->s_slide > c->s_max))
      vd_error(d, at, "s_slide (%g) must be above s_max (%g)", c->s_slide, c->s_max);
    if (!(c->f_slide <= c->f_max))
      vd_error(d, at, "f_slide (%g N) must not exceed f_max (%g N)", c->f_slide, c->f_max);
    if (!(c->df0 * c->s_max >= c->f_max))
      vd_error(d, at, "df0 x s_max (%g N) must reach f_max (%g N), or the curve starts below the line to its peak",
               c->df0 * c->s_max, c->f_max);
    /* below the nominal load slips follow a straight line and forces a parabola */
    bool nominal = i % 2 == 0;
    const vd_tmeasy_curve *b = nominal ? all[i + 1].curve : c;
    if (nominal && !(2.0 * c->s_max > b->s_max && 2.0 * c->s_slide > b->s_slide && 4.0 * c->df0 > b->df0 &&
                     4.0 * c->f_max > b->f_max && 4.0 * c->f_slide > b->f_slide))
      vd_error(
          d, at,
          "the curve vanishes at a load above 0: slips at double load must be below twice, forces below four times "
          "the values at the nominal load");
  }
  if (!(m->trail_end > m->trail_zero))
    vd_error(d, vd_tree_place_in(root, path, "trail_end"), "trail_end (%g) must be above trail_zero (%g)", m->trail_end,
             m->trail_zero);
  else if (!(m->trail_end_double > m->trail_zero_double &&
             2.0 * m->trail_end - m->trail_end_double > 2.0 * m->trail_zero - m->trail_zero_double &&
             2.0 * m->trail_zero > m->trail_zero_double))
    vd_error(
        d, vd_tree_place_in(root, path, "trail_zero_double"),
        "trail_end must be above trail_zero, and trail_zero above 0, at every load; at twice the nominal load they "
        "are %g and %g, without load they tend to %g and %g",
        m->trail_end_double, m->trail_zero_double, 2.0 * m->trail_end - m->trail_end_double,
        2.0 * m->trail_zero - m->trail_zero_double);
}

static void tmeasy_complete(vd_tyre_def *def, const vd_tyre_def *like, const vd_tyre_origin *from) {
  vd_tmeasy *m = &def->as.tmeasy;
  (void)like;
  (void)from;
  if (isnan(m->trail_double))
    m->trail_double = sqrt(2.0) * def->common.pneumatic_trail;
  if (isnan(m->trail_zero_double))
    m->trail_zero_double = m->trail_zero;
  if (isnan(m->trail_end_double))
    m->trail_end_double = m->trail_end;
}

/* Returns the parabola through zero and the values at nominal and double load: u (c0 - c1 u). */
static vd_tmeasy_line parabola(double nominal, double doubled) {
  return (vd_tmeasy_line){2.0 * nominal - 0.5 * doubled, nominal - 0.5 * doubled};
}

/* Returns the straight line through both values: c0 + c1 (u - 1). */
static vd_tmeasy_line line(double nominal, double doubled) {
  return (vd_tmeasy_line){nominal, doubled - nominal};
}

/* Returns the greatest u at which a line is evaluated. For a value that shrinks with the load, this u is half way from
 * u = 1 to the u at which the value would be zero; otherwise INFINITY. */
static double shrinking(double nominal, double doubled) {
  return doubled < nominal ? 1.0 + 0.5 * nominal / (nominal - doubled) : INFINITY;
}

static double highest_of_trail(vd_tmeasy_line share, const vd_tmeasy *m) {
  double gap = m->trail_end - m->trail_zero, gap_double = m->trail_end_double - m->trail_zero_double;
  return vd_min(vd_min(shrinking(share.c0, share.c0 + share.c1), shrinking(gap, gap_double)),
                shrinking(m->trail_zero, m->trail_zero_double));
}

static void build_terms(const vd_tyre_common *common, double highest, vd_tmeasy *m) {
  const vd_tmeasy_curves *direction[] = {&m->longitudinal, &m->lateral};
  vd_tmeasy_terms *t = &m->terms;
  double slope = m->trail_double / sqrt(2.0) - common->pneumatic_trail;
  *t = (vd_tmeasy_terms){.inverse_load = 1.0 / m->nominal_load,
                         .highest_load = highest,
                         .friction = common->friction,
                         .parabolas = m->edition == VD_TMEASY_2011 ? 0.0 : 1.0,
                         .fourth_order = m->edition == VD_TMEASY_2020 ? 1.0 : 0.0,
                         .trail = {common->pneumatic_trail, slope},
                         .trail_zero = line(m->trail_zero, m->trail_zero_double),
                         .trail_end = line(m->trail_end, m->trail_end_double)};
  if (fabs(slope) <= 1e-12 * common->pneumatic_trail)
    t->trail.c1 = 0.0; /* a rounding error */
  t->highest_trail = vd_min(highest, highest_of_trail(t->trail, m));
  for (size_t k = 0; k < VD_COUNT(direction); k++) {
    const vd_tmeasy_curve *a = &direction[k]->nominal, *b = &direction[k]->doubled;
    t->curve[k] = (vd_tmeasy_lines){.df0 = parabola(a->df0, b->df0),
                                    .f_max = parabola(a->f_max, b->f_max),
                                    .f_slide = parabola(a->f_slide, b->f_slide),
                                    .s_max = line(a->s_max, b->s_max),
                                    .s_slide = line(a->s_slide, b->s_slide)};
  }
}

static void tmeasy_build(const vd_tyre_def *def, bool right, vd_tyre *tyre) {
  vd_tmeasy *m = &tyre->as.tmeasy;
  (void)right;
  *m = def->as.tmeasy;
  const vd_tmeasy_curves *direction[] = {&m->longitudinal, &m->lateral};
  double highest = INFINITY;
  for (size_t i = 0; i < VD_COUNT(direction); i++) {
    const vd_tmeasy_curve *a = &direction[i]->nominal, *b = &direction[i]->doubled;
    highest =
        vd_min(highest, vd_min(turn(a->df0, b->df0), vd_min(turn(a->f_max, b->f_max), turn(a->f_slide, b->f_slide))));
    highest = vd_min(highest, shrinking(a->s_max, b->s_max));
  }
  build_terms(&tyre->common, highest, m);
}

static void tmeasy_pack(vd_tyre_group *group) {
  for (int i = 0; i < VD_WHEELS; i++) {
    const double *from = (const double *)&group->tyre[i]->as.tmeasy.terms;
    for (int k = 0; k < VD_TMEASY_TERMS; k++)
      group->lanes.tmeasy.term[k][i] = from[k];
  }
}

/* --- forces and moments --- */

/* Slips relative to the speed of the tread. */
typedef struct slips {
  vd_wide x, y;
} slips;

VD_INLINE slips slips_of(vd_wide kappa, vd_wide tan_alpha, vd_wide vx) {
  vd_wide tread = vd_wide_tread_share(kappa, vx);
  return (slips){kappa / tread, -tan_alpha / tread};
}

static void tmeasy_slide(const vd_tyre_group *group, const vd_contact *contact, vd_slides *row) {
  slips both = slips_of(vd_group_load(group, contact->kappa), vd_group_load(group, contact->tan_alpha),
                        vd_group_load(group, contact->vx));
  for (int k = 0; k < group->count; k++) {
    int i = group->wheel[k];
    row->each[i].cx = both.x[i];
    row->each[i].cy = both.y[i];
  }
}

VD_INLINE vd_wide side(vd_wide x, vd_wide y) {
  return vd_wide_sqrt(x * x + y * y);
}

typedef struct forces {
  vd_wide x, y, limit_x, limit_y, friction;
} forces;

VD_INLINE forces combined_force(terms m, slips slip, vd_wide ground_friction, vd_wide load) {
  vd_wide u = relative_load(m, load), friction = OF(friction) * ground_friction, none = vd_wide_of(0.0);
  curve x = curve_at(m, LONGITUDINAL, u, friction), y = curve_at(m, LATERAL, u, friction);
  vd_wide reach_x = x.f_max / x.df0, reach_y = y.f_max / y.df0;
  vd_wide nx = x.s_max / (x.s_max + y.s_max) + reach_x / (reach_x + reach_y);
  vd_wide ny = y.s_max / (x.s_max + y.s_max) + reach_y / (reach_x + reach_y);
  vd_wide sx = slip.x / nx, sy = slip.y / ny, s = side(sx, sy), c = sx / s, d = sy / s;
  curve both = {
      .df0 = side(x.df0 * nx * c, y.df0 * ny * d),
      .s_max = side(x.s_max / nx * c, y.s_max / ny * d),
      .f_max = side(x.f_max * c, y.f_max * d),
      .s_slide = side(x.s_slide / nx * c, y.s_slide / ny * d),
      .f_slide = side(x.f_slide * c, y.f_slide * d),
  };
  straighten(m, &both);
  vd_wide f = force(m, &both, s);
  vd_wide_mask still = (u <= none) | (s == none);
  return (forces){vd_wide_select(still, none, f * c), vd_wide_select(still, none, f * d), x.f_max, y.f_max, friction};
}

static void tmeasy_force(const vd_tyre_group *group, vd_slides *row, const double *ground_friction, const double *load,
                         vd_tyre_forces *out) {
  vd_slide *slide = row->each;
  slips slip = {VD_GROUP_SLIDES(group, slide, cx), VD_GROUP_SLIDES(group, slide, cy)};
  forces f = combined_force(of_group(group), slip, vd_group_load(group, ground_friction), vd_group_load(group, load));
  vd_group_store(group, f.x, out->fx);
  vd_group_store(group, f.y, out->fy);
  for (int k = 0; k < group->count; k++)
    slide[group->wheel[k]].friction = f.friction[group->wheel[k]];
  if (group->has_thrust)
    vd_add_thrusts(group, &f.limit_x, &f.limit_y, load, slide, out);
}

/* Return the trail n at the lateral slip s_y, divided by the trail n_0 at zero slip. It is zero at s_0, negative beyond
 * it, and zero again from s_E on.
 *
 * 2011, eq. 3.79 f., in two parts with the same slope at s_0:
 *   |s_y| <= s_0       n/n_0 = (1 - w)(1 - u) + w (1 - (3 - 2 u) u^2)         u = |s_y|/s_0,  w = s_0/s_E
 *   s_0 .. s_E         n/n_0 = -(1 - w) v ((s_E - |s_y|)/(s_E - s_0))^2       v = (|s_y| - s_0)/s_0
 * 2020, the polynomial of fourth order that is 1 and level at s_y = 0, 0 at s_0, and 0 and level at s_E:
 *   |s_y| <= s_E       n/n_0 = 1 + (s_y/(s_0 s_E))^2 (a + |s_y| (b + |s_y| c))
 *   a = -(2 s_0^2 + (s_0 + s_E)^2),  b = 2 (s_0 + s_E)^2/s_E,  c = -(2 s_0 + s_E)/s_E
 * In 2020 the slips s_0 and s_E are also proportional to the friction, as the other slips are; in Chrono this holds for
 * the trail of 2011, too. */
VD_INLINE vd_wide trail_of_2020(vd_wide zero, vd_wide end, vd_wide s) {
  vd_wide both = (zero + end) * (zero + end), r = s / (zero * end);
  vd_wide a = -(2.0 * zero * zero + both), b = 2.0 * both / end, c = -(2.0 * zero + end) / end;
  return 1.0 + r * r * (a + s * (b + s * c));
}

VD_INLINE vd_wide trail_of_2011(vd_wide zero, vd_wide end, vd_wide s) {
  vd_wide w = zero / end, u = s / zero, back = (end - s) / (end - zero);
  vd_wide near = (1.0 - w) * (1.0 - u) + w * (1.0 - (3.0 - 2.0 * u) * u * u);
  return vd_wide_select(s <= zero, near, -(1.0 - w) * (s - zero) / zero * back * back);
}

/* Returns the trail, m. At zero slip it is the length of the contact patch, which grows with the square root of the
 * load as for a round wheel, times a factor. This factor, s_0 and s_E are linear functions of the load, also beyond
 * twice the nominal load; they are constant from the load highest_trail on. */
VD_INLINE vd_wide trail(terms m, vd_wide slip, vd_wide friction, vd_wide load) {
  vd_wide none = vd_wide_of(0.0), s = vd_wide_abs(slip);
  vd_wide u = vd_wide_max(load * OF(inverse_load), none), more = vd_wide_min(u, OF(highest_trail)) - 1.0;
  vd_wide scale = vd_wide_select(OF(parabolas) > 0.0, friction, vd_wide_of(1.0));
  vd_wide zero = scale * (OF(trail_zero.c0) + OF(trail_zero.c1) * more);
  vd_wide end = scale * (OF(trail_end.c0) + OF(trail_end.c1) * more);
  vd_wide share = vd_wide_select(OF(fourth_order) > 0.0, trail_of_2020(zero, end, s), trail_of_2011(zero, end, s));
  return (OF(trail.c0) + OF(trail.c1) * more) * vd_wide_select(s < end, share, none) * vd_wide_sqrt(u);
}

static void tmeasy_moments(const vd_tyre_group *group, const vd_slides *row, const double *load, const double *vx,
                           const double *fy, double *mz) {
  const vd_slide *slide = row->each;
  vd_wide of_slip = vd_group_load(group, fy);
  if (group->has_thrust)
    of_slip -= VD_GROUP_SLIDES(group, slide, thrust);
  vd_wide arm = trail(of_group(group), VD_GROUP_SLIDES(group, slide, cy), VD_GROUP_SLIDES(group, slide, friction),
                      vd_group_load(group, load));
  vd_group_store(group, -vd_wide_direction(vd_group_load(group, vx)) * arm * of_slip, mz);
}

static void tmeasy_at_loads(const vd_tyre_group *group, const vd_contact *contact, const double *ground_friction,
                            const double *load, const vd_tyre_results *out) {
  terms m = of_group(group);
  slips slip = slips_of(vd_wide_load(contact->kappa), vd_wide_load(contact->tan_alpha), vd_wide_load(contact->vx));
  vd_wide fz = vd_wide_load(load);
  forces f = combined_force(m, slip, vd_wide_load(ground_friction), fz);
  vd_wide_store(f.x, out->fx);
  vd_wide_store(f.y, out->fy);
  vd_wide_trail_moments(contact->vx, trail(m, slip.y, f.friction, fz), f.y, out);
}

/* --- one tyre --- */

static void tmeasy_stiffnesses(const vd_tyre *tyre, double ground_friction, double load, double *slip,
                               double *cornering) {
  terms m = of_one(&tyre->as.tmeasy);
  (void)ground_friction;
  vd_wide u = relative_load(m, vd_wide_of(load));
  *slip = parabola_at(m, LINE_OF(LONGITUDINAL, df0), u)[0];
  *cornering = parabola_at(m, LINE_OF(LATERAL, df0), u)[0];
}

/* Computes the peaks. At kappa = 0, s_y = -tan(alpha); for a braked wheel -kappa = s/(1 + s). At zero load the friction
 * is the limit of force over load, which is the slope of the parabolas. */
static void tmeasy_peaks(const vd_tyre *tyre, double ground_friction, double load, double *mu, double *kappa,
                         double *alpha) {
  terms m = of_one(&tyre->as.tmeasy);
  vd_wide u = relative_load(m, vd_wide_of(load)), friction = OF(friction) * ground_friction;
  curve x = curve_at(m, LONGITUDINAL, u, friction), y = curve_at(m, LATERAL, u, friction);
  straighten(m, &x);
  straighten(m, &y);
  vd_wide limit = vd_wide_max(OF(curve[LONGITUDINAL].f_max.c0), OF(curve[LATERAL].f_max.c0)) * OF(inverse_load);
  *mu = load > 0.0 ? vd_max(x.f_max[0], y.f_max[0]) / load : friction[0] * limit[0];
  *kappa = x.s_max[0] / (1.0 + x.s_max[0]);
  *alpha = vd_atan(y.s_max[0]);
}

VD_WIDE const vd_tyre_variant vd_tmeasy_variant = {
    .rows = {.field = rows, .count = VD_COUNT(rows)},
    .complete = tmeasy_complete,
    .check = tmeasy_check,
    .build = tmeasy_build,
    .pack = tmeasy_pack,
    .slide = tmeasy_slide,
    .force = tmeasy_force,
    .moments = tmeasy_moments,
    .at_loads = tmeasy_at_loads,
    .stiffnesses = tmeasy_stiffnesses,
    .peaks = tmeasy_peaks,
};
