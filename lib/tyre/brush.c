/* Brush tyre: Pacejka, Tire and Vehicle Dynamics (3rd ed., 2012), ch. 3, eq. 3.46 f., the isotropic model of combined
 * slip. Bristles of the stiffness c_p cover a patch of the length 2a, in which the pressure is a parabola that is zero
 * at both ends. They enter the patch upright and bend with the slip velocity of the tread until their force reaches
 * friction times pressure. From there on they slide, all in one direction, and their force is opposite to the sliding.
 * kappa is the slip ratio, alpha the slip angle, mu the friction, Fz the load, t the pneumatic trail. With the slip
 * sigma relative to the tread's own speed,
 *
 *   sigma = (kappa, -tan alpha)/|1 + kappa sgn Vx|,   C = 2 c_p a^2,   y = C |sigma|/(3 mu Fz)
 *
 * the rear share y of the patch slides; for y >= 1 the whole patch slides:
 *
 *   F  = mu Fz (1 - (1 - y)^3) sigma/|sigma|      up to y = 1, mu Fz beyond
 *   t  = a/3 (1 - y)^3/(1 - y + y^2/3),  Mz = -t Fy
 *
 * At zero slip C is the slope of both curves (dFx/dkappa and -dFy/dtan alpha), and a/3 is the trail. The length of the
 * patch grows with the square root of the load, as for a round wheel on a linear spring. C and the force are therefore
 * proportional to the load, and y does not depend on the load. */
#include "tyre/tyre_impl.h"

#include "base/elementary.h"
#include "input/schema.h"

#define BRUSH VD_WHEN(VD_TYRE_BRUSH)

/* clang-format off */
static const vd_field rows[] = {
  {VD_F_NUMBER(vd_tyre_def, as.brush.tread_stiffness, "tread_stiffness", "N/m^2", 0, 1e12, VD_ABOVE, NULL,
     "stiffness of the tread per length of the contact patch; at the nominal load half of it times patch_length^2 is "
     "the cornering stiffness and the slip stiffness"), .only = BRUSH,
   .example = "8e6 N/m^2"},
  {VD_F_NUMBER(vd_tyre_def, as.brush.patch_length, "patch_length", "m", 0, 2, VD_ABOVE, NULL,
     "length of the contact patch at the nominal load; the trail at zero slip is a sixth of it"), .only = BRUSH,
   .example = "0.12 m"},
  {VD_F_NUMBER(vd_tyre_def, as.brush.nominal_load, "nominal_load", "N", 0, 1e6, VD_ABOVE, "4000",
     "load for which the parameters are given"), .only = BRUSH},
  VD_TYRE_BODY_ROWS(BRUSH),
  VD_TYRE_ROW_CAMBER(BRUSH),
};
/* clang-format on */

/* Returns C/Fz. */
static double stiffness_over_load(const vd_brush *brush) {
  return 0.5 * brush->tread_stiffness * brush->patch_length * brush->patch_length / brush->nominal_load;
}

/* Returns the slip from which the whole patch slides. */
static double sliding_slip(const vd_tyre *tyre, double ground_friction) {
  return 3.0 * ground_friction * tyre->common.friction / stiffness_over_load(&tyre->as.brush);
}

static void brush_slide(const vd_tyre_group *group, const vd_contact *contact, vd_slides *row) {
  vd_slide *slide = row->each;
  vd_wide tread = vd_wide_tread_share(vd_group_load(group, contact->kappa), vd_group_load(group, contact->vx));
  for (int k = 0; k < group->count; k++) {
    int i = group->wheel[k];
    slide[i].fx = vd_slip_vector(contact->kappa[i], contact->tan_alpha[i], &slide[i]) / tread[i]; /* |sigma| */
  }
}

static void brush_force(const vd_tyre_group *group, vd_slides *row, const double *ground_friction, const double *load,
                        vd_tyre_forces *out) {
  vd_slide *slide = row->each;
  vd_wide limit = vd_wide_of(0.0);
  for (int k = 0; k < group->count; k++) {
    int i = group->wheel[k];
    const vd_tyre *tyre = group->tyre[i];
    double mu = tyre->common.friction * ground_friction[i];
    double y = mu > 0.0 ? slide[i].fx / sliding_slip(tyre, ground_friction[i]) : 1.0, used = vd_brush_share(y);
    limit[i] = mu * load[i];
    slide[i].trail = y; /* holds y until the load is known, from which the trail follows */
    out->fx[i] = limit[i] * used * slide[i].cx;
    out->fy[i] = limit[i] * used * slide[i].cy;
  }
  if (group->has_thrust)
    vd_add_thrusts(group, &limit, &limit, load, slide, out);
}

static double trail(const vd_brush *brush, double y, double load) {
  double rest = vd_max(1.0 - y, 0.0), a = 0.5 * brush->patch_length * sqrt(vd_max(load / brush->nominal_load, 0.0));
  return rest > 0.0 ? a / 3.0 * rest * rest * rest / (rest + y * y / 3.0) : 0.0;
}

static void brush_moments(const vd_tyre_group *group, const vd_slides *row, const double *load, const double *vx,
                          const double *fy, double *mz) {
  const vd_slide *slide = row->each;
  vd_wide direction = vd_wide_direction(vd_group_load(group, vx));
  for (int k = 0; k < group->count; k++) {
    int i = group->wheel[k];
    const vd_tyre *tyre = group->tyre[i];
    double side = group->has_thrust ? fy[i] - slide[i].thrust : fy[i];
    mz[i] = -direction[i] * trail(&tyre->as.brush, slide[i].trail, load[i]) * side;
  }
}

static void brush_stiffnesses(const vd_tyre *tyre, double ground_friction, double load, double *slip,
                              double *cornering) {
  (void)ground_friction;
  *slip = *cornering = stiffness_over_load(&tyre->as.brush) * load;
}

/* Computes the friction, and the slips from which the whole patch slides; for a braked wheel -kappa = sigma/(1 +
 * sigma). */
static void brush_peaks(const vd_tyre *tyre, double ground_friction, double load, double *mu, double *kappa,
                        double *alpha) {
  double slides = sliding_slip(tyre, ground_friction);
  (void)load;
  *mu = ground_friction * tyre->common.friction;
  *kappa = slides / (1.0 + slides);
  *alpha = vd_atan(slides);
}

const vd_tyre_variant vd_brush_variant = {
    .rows = {.field = rows, .count = VD_COUNT(rows)},
    .slide = brush_slide,
    .force = brush_force,
    .moments = brush_moments,
    .stiffnesses = brush_stiffnesses,
    .peaks = brush_peaks,
};
