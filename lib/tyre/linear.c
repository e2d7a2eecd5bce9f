/* Linear tyre: constant stiffnesses up to the friction circle, independent of load below it.
 * Fx = C_kappa kappa, Fy = -C_alpha alpha, |F| <= mu Fz. */
#include "tyre/tyre_impl.h"

#include "base/elementary.h"
#include "base/wide.h"
#include "input/schema.h"

#define LINEAR VD_WHEN(VD_TYRE_LINEAR)

/* clang-format off */
static const vd_field rows[] = {
  VD_TYRE_STIFFNESS_ROWS(LINEAR, as.linear),
  VD_TYRE_PLAIN_ROWS(LINEAR),
  VD_TYRE_ROW_CAMBER(LINEAR),
};
/* clang-format on */

static void linear_check(const vd_tyre_def *def, const vd_node *root, const char *path, vd_diag *d) {
  if (isnan(def->as.linear.cornering_stiffness))
    vd_error(d, vd_tree_place_in(root, path, "%s", ""), "missing key 'cornering_stiffness' in tyre");
}

static void linear_complete(vd_tyre_def *def, const vd_tyre_def *like, const vd_tyre_origin *from) {
  vd_linear_tyre *linear = &def->as.linear;
  (void)like;
  (void)from;
  if (isnan(linear->longitudinal_stiffness))
    linear->longitudinal_stiffness = 2.0 * linear->cornering_stiffness;
}

static void linear_pack(vd_tyre_group *group) {
  vd_linear_four *four = &group->lanes.linear;
  for (int i = 0; i < VD_WHEELS; i++) {
    const vd_linear_tyre *linear = &group->tyre[i]->as.linear;
    four->longitudinal[i] = linear->longitudinal_stiffness;
    four->cornering[i] = linear->cornering_stiffness;
    four->friction[i] = group->tyre[i]->common.friction;
    four->trail[i] = group->tyre[i]->common.pneumatic_trail;
  }
}

/* Quantities of four tyres that depend on slip alone. */
typedef struct slides {
  vd_wide cx, cy, fx, fy; /* cx, cy: unit vector of the slips; fx, fy: pure forces at the length of this vector */
  bool turn;              /* some slip is so great that the force turns towards the slip vector */
} slides;

VD_INLINE slides slide_four(const vd_linear_four *m, vd_wide kappa, vd_wide tan_alpha) {
  vd_wide none = vd_wide_of(0.0), s = vd_wide_sqrt(kappa * kappa + tan_alpha * tan_alpha);
  vd_wide inverse = vd_wide_select(s > none, 1.0 / s, none);
  vd_wide alpha = {vd_atan(s[0]), vd_atan(s[1]), vd_atan(s[2]), vd_atan(s[3])};
  return (slides){.cx = kappa * inverse,
                  .cy = -tan_alpha * inverse,
                  .fx = vd_wide_load(m->longitudinal) * s,
                  .fy = vd_wide_load(m->cornering) * alpha,
                  .turn = vd_wide_any((vd_wide)(s > VD_TURN_START))};
}

static void linear_slide(const vd_tyre_group *group, const vd_contact *contact, vd_slides *row) {
  const vd_linear_four *four = &group->lanes.linear;
  vd_slide *slide = row->each;
  slides all = slide_four(four, vd_group_load(group, contact->kappa), vd_group_load(group, contact->tan_alpha));
  for (int k = 0; k < group->count; k++) {
    int i = group->wheel[k];
    slide[i].cx = all.cx[i];
    slide[i].cy = all.cy[i];
    slide[i].fx = all.fx[i];
    slide[i].fy = all.fy[i];
    slide[i].trail = four->trail[i];
    slide[i].turn = 0.0;
    if (all.turn)
      vd_slip_vector(contact->kappa[i], contact->tan_alpha[i], &slide[i]);
  }
}

static void linear_force(const vd_tyre_group *group, vd_slides *row, const double *ground_friction, const double *load,
                         vd_tyre_forces *out) {
  const vd_linear_four *four = &group->lanes.linear;
  vd_slide *slide = row->each;
  vd_wide limit = vd_wide_load(four->friction) * vd_group_load(group, ground_friction) * vd_group_load(group, load);
  vd_wide x = vd_wide_min(VD_GROUP_SLIDES(group, slide, fx), limit);
  vd_wide y = vd_wide_min(VD_GROUP_SLIDES(group, slide, fy), limit);
  vd_group_store(group, x * VD_GROUP_SLIDES(group, slide, cx), out->fx);
  vd_group_store(group, y * VD_GROUP_SLIDES(group, slide, cy), out->fy);
  if (vd_wide_any(VD_GROUP_SLIDES(group, slide, turn)))
    for (int k = 0; k < group->count; k++) {
      int i = group->wheel[k];
      vd_combine(&slide[i], x[i], y[i], 1.0, 1.0, &out->fx[i], &out->fy[i]);
    }
  if (group->has_thrust)
    vd_add_thrusts(group, &limit, &limit, load, slide, out);
}

static void linear_at_loads(const vd_tyre_group *group, const vd_contact *contact, const double *ground_friction,
                            const double *load, const vd_tyre_results *out) {
  const vd_linear_four *m = &group->lanes.linear;
  slides all = slide_four(m, vd_wide_load(contact->kappa), vd_wide_load(contact->tan_alpha));
  vd_wide limit = vd_wide_load(m->friction) * vd_wide_load(ground_friction) * vd_wide_load(load);
  vd_wide x = vd_wide_min(all.fx, limit), y = vd_wide_min(all.fy, limit);
  vd_wide_store(x * all.cx, out->fx);
  vd_wide_store(y * all.cy, out->fy);
  for (int i = 0; i < VD_WHEELS && all.turn; i++) {
    vd_slide slide;
    vd_slip_vector(contact->kappa[i], contact->tan_alpha[i], &slide);
    vd_combine(&slide, x[i], y[i], 1.0, 1.0, &out->fx[i], &out->fy[i]);
  }
  vd_wide_trail_moments(contact->vx, vd_wide_load(m->trail), vd_wide_load(out->fy), out);
}

static void linear_stiffnesses(const vd_tyre *tyre, double ground_friction, double load, double *slip,
                               double *cornering) {
  (void)ground_friction;
  (void)load;
  *slip = tyre->as.linear.longitudinal_stiffness;
  *cornering = tyre->as.linear.cornering_stiffness;
}

static void linear_peaks(const vd_tyre *tyre, double ground_friction, double load, double *mu, double *kappa,
                         double *alpha) {
  *mu = ground_friction * tyre->common.friction;
  *kappa = *mu * load / tyre->as.linear.longitudinal_stiffness;
  *alpha = *mu * load / tyre->as.linear.cornering_stiffness;
}

VD_WIDE const vd_tyre_variant vd_linear_variant = {
    .rows = {.field = rows, .count = VD_COUNT(rows)},
    .complete = linear_complete,
    .check = linear_check,
    .pack = linear_pack,
    .slide = linear_slide,
    .force = linear_force,
    .at_loads = linear_at_loads,
    .stiffnesses = linear_stiffnesses,
    .peaks = linear_peaks,
};
