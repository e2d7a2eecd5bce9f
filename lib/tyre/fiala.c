/* Fiala's tyre, Fiala, "Seitenkraefte am rollenden Luftreifen", VDI-Zeitschrift 96 (1954), in the form of Adams/Tire.
 * Its property files have the parameters CSLIP, CALPHA, UMAX, UMIN and WIDTH. The friction U falls as the slip s grows,
 * the length of (kappa, tan alpha):
 *
 *   U = UMAX - (UMAX - UMIN) min(s, 1)
 *
 *   |Fx| = CSLIP |kappa|                                  up to |kappa| = U Fz/(2 CSLIP), and beyond it
 *        = U Fz - (U Fz)^2/(4 |kappa| CSLIP)
 *   |Fy| = U Fz (1 - H^3),  H = 1 - CALPHA |tan alpha|/(3 U Fz)    up to H = 0, then U Fz
 *   |Mz| = U Fz WIDTH (1 - H) H^3, so that the trail is WIDTH (1 - H) H^3/(1 - H^3), a third of WIDTH at zero slip
 *
 * In Adams/Tire each force is computed from its own slip, so that the force of a wheel that slides in both directions
 * is sqrt(2) times its friction. Here both curves are computed at s and combined along the slip vector by the rule of
 * tyre.h. The result is the same if one of the slips is zero, and never exceeds the circle U Fz. */
#include "tyre/tir_own_def.h"

#include "base/elementary.h"
#include "input/schema.h"
#include "tyre/tyre_impl.h"

#define FIALA VD_WHEN(VD_TYRE_FIALA)

/* clang-format off */
static const vd_field rows[] = {
  VD_TYRE_STIFFNESS_ROWS(FIALA, as.fiala),
  {VD_F_NUMBER(vd_tyre_def, as.fiala.sliding_friction, "sliding_friction", "1", 0, 5, VD_ABOVE | VD_AUTO, "auto",
     "UMIN of a property file: friction coefficient at slips of 1 and more; below 1 it falls from friction (UMAX) "
     "in proportion to the slip; auto: friction"), .only = FIALA,
   .example = "0.8"},
  {VD_F_NUMBER(vd_tyre_def, as.fiala.width, "width", "m", 0, 2, 0, "0",
     "WIDTH of a property file, which scales the aligning moment: the trail at zero slip is a third of it"),
   .only = FIALA,
   .example = "0.2 m"},
  VD_TYRE_BODY_ROWS(FIALA),
  VD_TYRE_ROW_CAMBER(FIALA),
  VD_TYRE_PROPERTY_ROWS(FIALA),
};
/* clang-format on */

/* ---- its property file ---- */

/* Slopes are per the unit that the file's key ANGLE names. */
/* clang-format off */
static const vd_tir_key keys[] = {
  VD_TIR_BODY_KEYS(VD_TIR_OF_LENGTH),
  VD_TIR_OWN_KEY("DIMENSION", "WIDTH", def.as.fiala.width, 0, VD_TIR_MUST,
    "width", VD_TIR_OF_LENGTH),
  VD_TIR_OWN_KEY("PARAMETER", "CSLIP", def.as.fiala.longitudinal_stiffness, 0, VD_TIR_MUST,
    "longitudinal_stiffness", VD_TIR_OF_FORCE),
  VD_TIR_OWN_KEY("PARAMETER", "CALPHA", def.as.fiala.cornering_stiffness, 0, VD_TIR_MUST,
    "cornering_stiffness", VD_TIR_FORCE_OVER_ANGLE),
  VD_TIR_OWN_KEY("PARAMETER", "UMIN", def.as.fiala.sliding_friction, 0, VD_TIR_MUST,
    "sliding_friction", VD_TIR_NONE),
  VD_TIR_OWN_KEY("PARAMETER", "UMAX", def.common.friction, 0, VD_TIR_MUST,
    "friction", VD_TIR_NONE),
};
/* clang-format on */

static const char *const silent[] = {"CGAMMA", NULL};

/* Converts ROLLING_RESISTANCE, the distance by which the load acts ahead of the wheel centre (My = -ROLLING_RESISTANCE
 * Fz), to a coefficient. */
static void take(vd_tir_reader *r, vd_tir_tyre *tyre, vd_arena *arena) {
  (void)arena;
  tyre->def.common.rolling_resistance = tyre->resistance / tyre->def.property.unloaded_radius;
  if (vd_tir_is_given(r, "UMIN") && vd_tir_is_given(r, "UMAX") &&
      !(tyre->def.as.fiala.sliding_friction <= tyre->def.common.friction))
    vd_error(r->d, vd_tir_key_place(r, "UMIN"), "UMIN must not exceed UMAX");
}

/* Reverses `take': computes the length whose quotient by the radius is exactly the coefficient, if such a length
 * exists. */
static void give(vd_tir_tyre *tyre) {
  double radius = tyre->def.property.unloaded_radius, ratio = tyre->def.common.rolling_resistance;
  const double near = ratio * radius, all[] = {near, nextafter(near, 0.0), nextafter(near, INFINITY)};
  tyre->resistance = near;
  for (size_t i = VD_COUNT(all); i-- > 0;)
    if (all[i] / radius == ratio)
      tyre->resistance = all[i];
}

static const vd_tir_own file = {
    .format = "FIALA", .key = keys, .keys = VD_COUNT(keys), .silent = silent, .take = take, .give = give};

static bool fiala_write_tir(const vd_tyre_def *def, vd_buf *out) {
  return vd_tir_own_write(&file, def, out);
}

static void fiala_complete(vd_tyre_def *def, const vd_tyre_def *like, const vd_tyre_origin *from) {
  vd_fiala *fiala = &def->as.fiala;
  vd_tir_own_complete(&file, def, like, from);
  if (isnan(fiala->longitudinal_stiffness))
    fiala->longitudinal_stiffness = 2.0 * fiala->cornering_stiffness;
  if (isnan(fiala->sliding_friction))
    fiala->sliding_friction = def->common.friction;
}

static void fiala_check(const vd_tyre_def *def, const vd_node *root, const char *path, vd_diag *d) {
  if (isnan(def->as.fiala.cornering_stiffness))
    vd_error(d, vd_tree_place_in(root, path, "%s", ""),
             "missing key 'cornering_stiffness' in tyre, or a property 'file'");
  if (!(def->as.fiala.sliding_friction <= def->common.friction))
    vd_error(d, vd_tree_place_in(root, path, "sliding_friction"), "sliding_friction (%g) must not exceed friction (%g)",
             def->as.fiala.sliding_friction, def->common.friction);
}

static void fiala_slide(const vd_tyre_group *group, const vd_contact *contact, vd_slides *row) {
  vd_slide *slide = row->each;
  for (int k = 0; k < group->count; k++) {
    int i = group->wheel[k];
    slide[i].fx = vd_slip_vector(contact->kappa[i], contact->tan_alpha[i], &slide[i]); /* s */
  }
}

/* Returns the friction U at a slip, on a ground with friction 1. */
static double friction_at(const vd_tyre *tyre, double s) {
  double most = tyre->common.friction;
  return most - (most - tyre->as.fiala.sliding_friction) * vd_fast_min(s, 1.0);
}

static void fiala_force(const vd_tyre_group *group, vd_slides *row, const double *ground_friction, const double *load,
                        vd_tyre_forces *out) {
  vd_slide *slide = row->each;
  vd_wide limits = vd_wide_of(0.0);
  for (int k = 0; k < group->count; k++) {
    int i = group->wheel[k];
    const vd_tyre *tyre = group->tyre[i];
    const vd_fiala *fiala = &tyre->as.fiala;
    double s = slide[i].fx, limit = ground_friction[i] * friction_at(tyre, s) * load[i];
    limits[i] = limit;
    out->fx[i] = out->fy[i] = slide[i].trail = 0.0;
    if (!(limit > 0.0))
      continue;
    double x = fiala->longitudinal_stiffness * s, y = fiala->cornering_stiffness * s / (3.0 * limit);
    double fx = x < 0.5 * limit ? x : limit - limit * limit / (4.0 * x);
    double rest = vd_fast_max(1.0 - y, 0.0), used = vd_brush_share(y);
    slide[i].trail = rest > 0.0 ? fiala->width * rest * rest * rest / (3.0 + y * (y - 3.0)) : 0.0;
    vd_combine(&slide[i], fx, limit * used, 1.0, 1.0, &out->fx[i], &out->fy[i]);
  }
  if (group->has_thrust)
    vd_add_thrusts(group, &limits, &limits, load, slide, out);
}

static void fiala_stiffnesses(const vd_tyre *tyre, double ground_friction, double load, double *slip,
                              double *cornering) {
  (void)ground_friction;
  (void)load;
  *slip = tyre->as.fiala.longitudinal_stiffness;
  *cornering = tyre->as.fiala.cornering_stiffness;
}

/* Computes the peak of Fx, with U = u - d s and c = CSLIP/Fz: d(U - U^2/(4 s c))/ds = 0 at s = u/sqrt(d^2 + 4 c d);
 * there is no peak for d = 0, or if this s is beyond 1, where friction no longer falls. The peak of Fy: with y = q s/U
 * and q = CALPHA/(3 Fz), the slope of U (1 - (1 - y)^3) is 3 q (1 - y)^2 u/U - d (1 - (1 - y)^3). It falls from 3 q to
 * -d, its value at y = 1, s = u/(q + d). If this s is beyond 1, the force rises up to y = 1. */
static void fiala_peaks(const vd_tyre *tyre, double ground_friction, double load, double *mu, double *kappa,
                        double *alpha) {
  const vd_fiala *fiala = &tyre->as.fiala;
  double u = ground_friction * tyre->common.friction, d = u - ground_friction * fiala->sliding_friction;
  *mu = u;
  if (!(load > 0.0)) {
    *kappa = *alpha = 0.0;
    return;
  }
  double c = fiala->longitudinal_stiffness / load, q = fiala->cornering_stiffness / (3.0 * load);
  double along = d > 0.0 ? u / sqrt(d * d + 4.0 * c * d) : INFINITY;
  *kappa = along <= 1.0 ? along : INFINITY;
  double low = 0.0, high = u / (q + d);
  bool within = high <= 1.0;
  if (!within)
    high = (u - d) / q;
  for (int i = 0; i < 60 && d > 0.0 && within; i++) {
    double s = 0.5 * (low + high), friction = u - d * s, y = q * s / friction, rest = 1.0 - y;
    if (3.0 * q * rest * rest * u / friction > d * vd_brush_share(y))
      low = s;
    else
      high = s;
  }
  *alpha = vd_atan(high);
}

const vd_tyre_variant vd_fiala_variant = {
    .rows = {.field = rows, .count = VD_COUNT(rows)},
    .traits = {.file = true},
    .complete = fiala_complete,
    .check = fiala_check,
    .write_tir = fiala_write_tir,
    .slide = fiala_slide,
    .force = fiala_force,
    .stiffnesses = fiala_stiffnesses,
    .peaks = fiala_peaks,
};
