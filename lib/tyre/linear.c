/* Linear tyre: constant stiffnesses up to the friction circle, independent of load below it.
 * Fx = C_kappa kappa, Fy = -C_alpha alpha, |F| <= mu Fz. */
#include "tyre/tyre_impl.h"

#include "base/elementary.h"

/* clang-format off */
static const vd_field rows[] = {
  {VD_TYRE_F_CORNERING(as.linear.cornering_stiffness), .only = VD_WHEN(VD_TYRE_LINEAR)},
  {VD_F_NUMBER(vd_tyre_def, as.linear.longitudinal_stiffness, "longitudinal_stiffness", "N", 0, 1e7, VD_ABOVE | VD_AUTO, "auto", "slope of Fx over slip ratio, one tyre; auto: 2/rad x cornering_stiffness"), .only = VD_WHEN(VD_TYRE_LINEAR)},
  VD_TYRE_PLAIN_ROWS(VD_TYRE_LINEAR),
  VD_TYRE_ROW_CAMBER(VD_TYRE_LINEAR),
};
/* clang-format on */

const vd_schema vd_linear_rows = {.field = rows, .count = VD_COUNT(rows)};

const vd_tyre_traits vd_linear_traits = {0};

void vd_linear_check(const vd_tyre_def *def, const vd_node *root, const char *path, vd_diag *d) {
  if (isnan(def->as.linear.cornering_stiffness))
    vd_error(d, vd_tree_place_in(root, path, ""), "missing key 'cornering_stiffness' in tyre");
}

void vd_linear_complete(vd_tyre_def *def) {
  vd_linear_tyre *linear = &def->as.linear;
  if (isnan(linear->longitudinal_stiffness))
    linear->longitudinal_stiffness = 2.0 * linear->cornering_stiffness;
}

void vd_linear_slide(const vd_tyre_group *group, const vd_contact *contact, vd_slide *slide) {
  for (int k = 0; k < group->count; k++) {
    int i = group->wheel[k];
    const vd_linear_tyre *linear = &group->tyre[i]->as.linear;
    double s = vd_slip_vector(contact->kappa[i], contact->tan_alpha[i], &slide[i]);
    slide[i].fx = linear->longitudinal_stiffness * s;
    slide[i].fy = linear->cornering_stiffness * vd_atan(s);
    slide[i].trail = group->tyre[i]->common.pneumatic_trail;
  }
}

static void VD_RARE add_thrusts(const vd_tyre_group *group, vd_slide *slide, const double *ground_friction,
                                const double *load, vd_tyre_forces *out) {
  for (int k = 0; k < group->count; k++) {
    int i = group->wheel[k];
    double limit = group->tyre[i]->common.friction * ground_friction[i] * load[i];
    vd_add_thrust(group->tyre[i], limit, limit, load[i], i, &slide[i], out);
  }
}

void vd_linear_force(const vd_tyre_group *group, vd_slide *slide, const double *ground_friction, const double *load,
                     vd_tyre_forces *out) {
  for (int k = 0; k < group->count; k++) {
    int i = group->wheel[k];
    const vd_slide *own = &slide[i];
    double per_load = group->tyre[i]->common.friction * ground_friction[i], limit = per_load * load[i];
    vd_combine(own, vd_least(own->fx, limit), vd_least(own->fy, limit), 1.0, 1.0, &out->fx[i], &out->fy[i]);
    out->dfx[i] = own->fx > limit ? per_load * own->cx : 0.0;
    out->dfy[i] = own->fy > limit ? per_load * own->cy : 0.0;
  }
  if (group->thrusts)
    add_thrusts(group, slide, ground_friction, load, out);
}

void vd_linear_peaks(const vd_tyre *tyre, double ground_friction, double load, double *mu, double *kappa,
                     double *alpha) {
  *mu = ground_friction * tyre->common.friction;
  *kappa = *mu * load / tyre->as.linear.longitudinal_stiffness;
  *alpha = *mu * load / tyre->as.linear.cornering_stiffness;
}
