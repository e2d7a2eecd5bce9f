/* Magic Formula in its 1996 form with fixed B, C, E: Bakker, Pacejka, Lidner, "A new tire model with an application in
 * vehicle dynamics studies", SAE 890087, equation of the sine version. The load enters through
 *   mu(Fz) = mu_n max(0.3, 1 - k (Fz/Fz_n - 1)),   F = mu(Fz) Fz D sin(C atan(...))
 * so that F is exactly the product of mu(Fz) Fz and a function of slip. */
#include "base/elementary.h"
#include "base/wide_elementary.h"
#include "input/schema.h"
#include "tyre/tyre_impl.h"

/* Below this share of the nominal friction the load sensitivity ends. */
#define FRICTION_FLOOR 0.3

#define MF96 VD_WHEN(VD_TYRE_MF96)

/* clang-format off */
static const vd_field magic_fields[] = {
  {VD_F_NUMBER(vd_magic, b, "b", "1", 0, 100, VD_ABOVE, NULL, "stiffness factor B"),
   .example = "10"},
  {VD_F_NUMBER(vd_magic, c, "c", "1", 0, 2, VD_ABOVE | VD_BELOW, NULL, "shape factor C"),
   .example = "1.6"},
  {VD_F_NUMBER(vd_magic, d, "d", "1", 0, 5, VD_ABOVE, "1", "peak factor D on friction x load")},
  {VD_F_NUMBER(vd_magic, e, "e", "1", -100, 1, 0, NULL, "curvature factor E")},
};

static const vd_schema magic_schema = {.name = "Magic Formula", VD_SCHEMA_ROWS(vd_magic, magic_fields)};

static const vd_field rows[] = {
  {VD_F_STRUCT(vd_tyre_def, as.mf96.longitudinal, vd_magic, "longitudinal", "1", &magic_schema, 0, NULL,
     "pure Fx over slip ratio"), .only = MF96},
  {VD_F_STRUCT(vd_tyre_def, as.mf96.lateral, vd_magic, "lateral", "1", &magic_schema, 0, NULL,
     "pure -Fy over slip angle in rad"), .only = MF96},
  {VD_F_NUMBER(vd_tyre_def, as.mf96.nominal_load, "nominal_load", "N", 0, 1e6, VD_ABOVE, "4000",
     "load for which the parameters are given"), .only = MF96},
  {VD_F_NUMBER(vd_tyre_def, as.mf96.load_sensitivity, "load_sensitivity", "1", 0, 1, 0, "0",
     "share by which the friction falls when the load rises from nominal to twice nominal"), .only = MF96,
   .example = "0.1"},
  {VD_F_NUMBER(vd_tyre_def, as.mf96.trail_falloff, "trail_falloff", "rad", 0, 10, VD_ABOVE, "0.2",
     "slip angle at which the trail has fallen to 1/sqrt(2) of its value"), .only = MF96},
  {VD_F_NUMBER(vd_tyre_def, as.mf96.trail_growth, "trail_growth", "1", 0, 1, 0, "0",
     "share by which the trail grows when the load rises from nominal to twice nominal"), .only = MF96,
   .example = "0.3"},
  VD_TYRE_PLAIN_ROWS(MF96),
  VD_TYRE_ROW_CAMBER(MF96),
};
/* clang-format on */

/* Returns the slip of the peak: C atan(y) = pi/2 with y = x - E (x - atan x), x = B slip. y rises with x for E <= 1, so
 * that there is at most one root; it is found by Newton's method within a bracket. There is no peak for C <= 1, nor for
 * E = 1 if y stays below tan(pi/(2 C)). */
double vd_magic_peak(const vd_magic *m) {
  if (m->c <= 1.0)
    return INFINITY;
  double y = vd_tan(VD_PI / (2.0 * m->c));
  double low = 0.0, high = 1.0;
  while (high - m->e * (high - vd_atan(high)) < y) {
    high *= 2.0;
    if (high > 1e9)
      return INFINITY;
  }
  double x = 0.5 * (low + high);
  for (int i = 0; i < 200 && high - low > 1e-15 * high; i++) {
    double residual = x - m->e * (x - vd_atan(x)) - y;
    if (residual > 0.0)
      high = x;
    else
      low = x;
    double slope = 1.0 - m->e * (1.0 - 1.0 / (1.0 + x * x));
    double next = x - residual / slope;
    x = next > low && next < high ? next : 0.5 * (low + high);
  }
  return x / m->b;
}

static void mf96_check(const vd_tyre_def *def, const vd_node *root, const char *path, vd_diag *d) {
  const struct {
    const char *key;
    const vd_magic *curve;
  } all[] = {{"longitudinal", &def->as.mf96.longitudinal}, {"lateral", &def->as.mf96.lateral}};
  for (size_t k = 0; k < VD_COUNT(all); k++)
    if (!isfinite(vd_magic_peak(all[k].curve)))
      vd_error(d, vd_tree_place_in(root, path, "%s", all[k].key),
               "the %s curve has no peak: c must be > 1, and e below 1 or c > 1.56", all[k].key);
}

static void mf96_build(const vd_tyre_def *def, bool right, vd_tyre *tyre) {
  vd_mf96 *m = &tyre->as.mf96;
  (void)right;
  *m = def->as.mf96;
  m->inverse_load = 1.0 / m->nominal_load;
  m->kappa_peak = vd_magic_peak(&m->longitudinal);
  m->alpha_peak = vd_magic_peak(&m->lateral);
}

/* Returns the friction coefficient at a load, on a ground with friction 1. */
static double friction_at(const vd_tyre *tyre, double load) {
  const vd_mf96 *m = &tyre->as.mf96;
  double share = 1.0 + m->load_sensitivity - m->load_sensitivity * m->inverse_load * load;
  return tyre->common.friction * vd_max(FRICTION_FLOOR, share);
}

static double initial_slope(const vd_magic *m) {
  return m->b * m->c * m->d;
}

static void mf96_stiffnesses(const vd_tyre *tyre, double ground_friction, double load, double *slip,
                             double *cornering) {
  double scale = ground_friction * friction_at(tyre, load) * load;
  *slip = scale * initial_slope(&tyre->as.mf96.longitudinal);
  *cornering = scale * initial_slope(&tyre->as.mf96.lateral);
}

/* Returns the load up to `most` at which the stiffnesses are greatest. They are proportional to mu(F) F, which above
 * the friction floor is a parabola with its top at F = F_n (1 + k)/(2 k). */
static double stiffest_load(const vd_tyre *tyre, double most) {
  double k = tyre->as.mf96.load_sensitivity;
  double top = k > 0.0 ? tyre->as.mf96.nominal_load * (1.0 + k) / (2.0 * k) : INFINITY;
  return top < most && friction_at(tyre, top) * top > friction_at(tyre, most) * most ? top : most;
}

static void mf96_stiffest(const vd_tyre *tyre, double ground_friction, double most, double *slip, double *cornering) {
  mf96_stiffnesses(tyre, ground_friction, stiffest_load(tyre, most), slip, cornering);
}

static void mf96_peaks(const vd_tyre *tyre, double ground_friction, double load, double *mu, double *kappa,
                       double *alpha) {
  const vd_mf96 *m = &tyre->as.mf96;
  *mu = ground_friction * friction_at(tyre, load) * vd_max(m->longitudinal.d, m->lateral.d);
  *kappa = m->kappa_peak;
  *alpha = m->alpha_peak;
}

/* --- four tyres side by side --- */

static void mf96_pack(vd_tyre_group *group) {
  vd_mf96_four *four = &group->lanes.mf96;
  four->grows = false;
  for (int i = 0; i < VD_WHEELS; i++) {
    const vd_tyre_common *common = &group->tyre[i]->common;
    const vd_mf96 *own = &group->tyre[i]->as.mf96;
    const vd_magic *m[] = {&own->longitudinal, &own->lateral};
    for (int k = 0; k < 2; k++) {
      four->b[k][i] = m[k]->b;
      four->c[k][i] = m[k]->c;
      four->d[k][i] = m[k]->d;
      four->e[k][i] = m[k]->e;
    }
    four->falloff[i] = own->trail_falloff;
    four->trail[i] = common->pneumatic_trail;
    four->grows |= own->trail_growth > 0.0;
    four->friction[i] = common->friction;
    four->share[i] = 1.0 + own->load_sensitivity;
    four->fall[i] = own->load_sensitivity * own->inverse_load;
  }
}

/* Quantities of four tyres that depend on slip alone. */
typedef struct slides {
  double fx[VD_WHEELS], fy[VD_WHEELS]; /* force over friction x load */
  double trail[VD_WHEELS];             /* m */
} slides;

/* Evaluates one curve of each tyre. The sine's argument stays below C pi/2 < pi. */
VD_INLINE vd_wide magic(const vd_mf96_four *m, int k, vd_wide slip) {
  vd_wide x = vd_wide_load(m->b[k]) * slip;
  vd_wide y = vd_wide_atan(x - vd_wide_load(m->e[k]) * (x - vd_wide_atan(x)));
  return vd_wide_load(m->d[k]) * vd_wide_sin_near(vd_wide_load(m->c[k]) * y);
}

/* Computes the forces if the slip of some tyre is so great that its force turns towards the slip vector. */
static void turn_forces(const vd_mf96_four *m, const double *curve_x, const double *curve_y, const double *kappa,
                        const double *tan_alpha, slides *out) {
  for (int i = 0; i < VD_WHEELS; i++) {
    vd_slide slide;
    vd_slip_vector(kappa[i], tan_alpha[i], &slide);
    vd_combine(&slide, curve_x[i], curve_y[i], m->d[0][i], m->d[1][i], &out->fx[i], &out->fy[i]);
  }
}

VD_INLINE void slide_four(const vd_mf96_four *m, const double *kappa, const double *tan_alpha, slides *out) {
  vd_wide k = vd_wide_load(kappa), t = vd_wide_load(tan_alpha), none = 0.0 * k;
  vd_wide s = vd_wide_sqrt(k * k + t * t), alpha = vd_wide_atan(s);
  vd_wide inverse = vd_wide_select(s > none, 1.0 / s, none);
  vd_wide x = magic(m, 0, s), y = magic(m, 1, alpha);
  vd_wide_store(x * (k * inverse), out->fx);
  vd_wide_store(y * (-t * inverse), out->fy);
  /* the trail falls with the length of the slip vector, which is the slip angle if there is no slip ratio */
  vd_wide u = alpha / vd_wide_load(m->falloff);
  vd_wide_store(vd_wide_load(m->trail) / vd_wide_sqrt(1.0 + u * u), out->trail);
  if (s[0] > VD_TURN_START || s[1] > VD_TURN_START || s[2] > VD_TURN_START || s[3] > VD_TURN_START) {
    double curve_x[VD_WHEELS], curve_y[VD_WHEELS];
    vd_wide_store(x, curve_x);
    vd_wide_store(y, curve_y);
    turn_forces(m, curve_x, curve_y, kappa, tan_alpha, out);
  }
}

static void mf96_slide(const vd_tyre_group *group, const vd_contact *contact, vd_slides *row) {
  vd_slide *slide = row->each;
  double kappa[VD_WHEELS], tan_alpha[VD_WHEELS];
  slides all;
  vd_wide_store(vd_group_load(group, contact->kappa), kappa);
  vd_wide_store(vd_group_load(group, contact->tan_alpha), tan_alpha);
  slide_four(&group->lanes.mf96, kappa, tan_alpha, &all);
  for (int k = 0; k < group->count; k++) {
    int i = group->wheel[k];
    slide[i].fx = all.fx[i];
    slide[i].fy = all.fy[i];
    slide[i].trail = all.trail[i];
  }
}

static void VD_RARE add_thrusts(const vd_tyre_group *group, vd_slide *slide, const double *ground_friction,
                                const double *load, vd_tyre_forces *out) {
  vd_wide x = vd_wide_of(0.0), y = x;
  for (int k = 0; k < group->count; k++) {
    int i = group->wheel[k];
    const vd_mf96 *m = &group->tyre[i]->as.mf96;
    double force = ground_friction[i] * friction_at(group->tyre[i], load[i]) * load[i];
    x[i] = force * m->longitudinal.d;
    y[i] = force * m->lateral.d;
  }
  vd_add_thrusts(group, &x, &y, load, slide, out);
}

/* Returns friction x load. */
VD_INLINE vd_wide grip(const vd_mf96_four *m, vd_wide ground_friction, vd_wide load) {
  vd_wide share = vd_wide_load(m->share) - vd_wide_load(m->fall) * load;
  return ground_friction * vd_wide_load(m->friction) * vd_wide_max(share, vd_wide_of(FRICTION_FLOOR)) * load;
}

static void mf96_force(const vd_tyre_group *group, vd_slides *row, const double *ground_friction, const double *load,
                       vd_tyre_forces *out) {
  vd_slide *slide = row->each;
  vd_wide force = grip(&group->lanes.mf96, vd_group_load(group, ground_friction), vd_group_load(group, load));
  vd_group_store(group, force * VD_GROUP_SLIDES(group, slide, fx), out->fx);
  vd_group_store(group, force * VD_GROUP_SLIDES(group, slide, fy), out->fy);
  if (group->has_thrust)
    add_thrusts(group, slide, ground_friction, load, out);
}

/* Changes the moments of trails that grow with the load. */
static void VD_RARE grow_moments(const vd_tyre_group *group, const double *load, double *mz) {
  for (int k = 0; k < group->count; k++) {
    int i = group->wheel[k];
    const vd_mf96 *m = &group->tyre[i]->as.mf96;
    mz[i] *= 1.0 + m->trail_growth * (load[i] * m->inverse_load - 1.0);
  }
}

static void mf96_moments(const vd_tyre_group *group, const vd_slides *row, const double *load, const double *vx,
                         const double *fy, double *mz) {
  vd_trail_moments(group, row, vx, fy, mz);
  if (group->lanes.mf96.grows)
    grow_moments(group, load, mz);
}

static void mf96_at_loads(const vd_tyre_group *group, const vd_contact *contact, const double *ground_friction,
                          const double *load, const vd_tyre_results *out) {
  const vd_mf96_four *m = &group->lanes.mf96;
  slides all;
  slide_four(m, contact->kappa, contact->tan_alpha, &all);
  vd_wide force = grip(m, vd_wide_load(ground_friction), vd_wide_load(load)), y = force * vd_wide_load(all.fy);
  vd_wide_store(force * vd_wide_load(all.fx), out->fx);
  vd_wide_store(y, out->fy);
  vd_wide_trail_moments(contact->vx, vd_wide_load(all.trail), y, out);
  if (m->grows)
    grow_moments(group, load, out->mz);
}

VD_WIDE const vd_tyre_variant vd_mf96_variant = {
    .rows = {.field = rows, .count = VD_COUNT(rows)},
    .check = mf96_check,
    .build = mf96_build,
    .pack = mf96_pack,
    .slide = mf96_slide,
    .force = mf96_force,
    .moments = mf96_moments,
    .at_loads = mf96_at_loads,
    .stiffnesses = mf96_stiffnesses,
    .stiffest = mf96_stiffest,
    .peaks = mf96_peaks,
};
