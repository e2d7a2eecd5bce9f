/* Functions for tyres of any model, which call the functions in the model's row (tyre_impl.h). */
#include "tyre/tyre.h"

#include "base/elementary.h"
#include "input/schema.h"
#include "tyre/lugre.h"
#include "tyre/tyre_impl.h"

#include <string.h>

static const vd_tyre_variant *variant_of(const vd_tyre *tyre) {
  return vd_tyre_variant_of(tyre->model);
}

const vd_tyre_traits *vd_tyre_traits_of(enum vd_tyre_model model) {
  return &vd_tyre_variant_of(model)->traits;
}

bool vd_tyre_has_moments(const vd_tyre *tyre) {
  return variant_of(tyre)->traits.moments || vd_patch_has_moment(tyre);
}

/* Returns whether keys that every model may have make forces depend on camber. */
static bool needs_camber(const vd_tyre *tyre) {
  return tyre->common.camber_stiffness > 0.0 || tyre->common.patch_width > 0.0;
}

bool vd_tyre_depends_on_camber(const vd_tyre *tyre) {
  return variant_of(tyre)->traits.camber || needs_camber(tyre);
}

bool vd_tyre_has_turn_slip(const vd_tyre *tyre) {
  const vd_tyre_variant *variant = variant_of(tyre);
  return variant->has_turn_slip && variant->has_turn_slip(tyre);
}

/* --- from the file to the tyre --- */

/* Returns what is wrong with a load curve of a tyre file; NULL if it is valid. */
static const char *curve_problem(const vd_points *curve) {
  const double *xy = curve->xy;
  if (curve->count == 0)
    return NULL;
  if (curve->count < 2 || curve->count > VD_MF_CURVE)
    return "must have from 2 to 101 points";
  if (xy[0] != 0.0 || xy[1] != 0.0)
    return "must begin at a deflection of 0 and a load of 0";
  for (size_t i = 1; i < curve->count; i++)
    if (!(xy[2 * i + 1] > xy[2 * i - 1] || (xy[2 * i + 1] == 0.0 && xy[2 * i - 1] == 0.0)))
      return "must rise in load from point to point";
  return xy[2 * curve->count - 1] > 0.0 ? NULL : "must end at a load above 0";
}

/* Completes a load curve. The stiffness is the slope at half of the last load, unless the file gives a stiffness. */
static void complete_curve(vd_tyre_def *def, const vd_node *root, const char *path) {
  const vd_points *given = &def->common.load_curve;
  vd_curve curve;
  if (given->count == 0 || curve_problem(given))
    return;
  vd_load_curve_build(*given, &curve);
  def->common.vertical_steepest = vd_curve_steepest(&curve);
  if (!vd_tree_get(*path ? vd_tree_find(root, path) : root, "vertical_stiffness"))
    def->common.vertical_stiffness =
        vd_load_curve_at(&curve, vd_load_curve_deflection(&curve, 0.5 * given->xy[2 * given->count - 1])).slope;
}

void vd_tyre_complete(vd_tyre_def *def, const vd_tyre_def *like, const vd_node *root, const char *path, vd_arena *arena,
                      vd_diag *d) {
  const vd_tyre_variant *variant = vd_tyre_variant_of((enum vd_tyre_model)def->model);
  const vd_tyre_origin from = {root, path, arena, d};
  if (variant->complete)
    variant->complete(def, like && like->model == def->model ? like : NULL, &from);
  complete_curve(def, root, path);
  if (isnan(def->common.vertical_damping))
    def->common.vertical_damping = 0.0;
}

void vd_tyre_check(const vd_tyre_def *def, const vd_node *root, const char *path, vd_diag *d) {
  const vd_tyre_variant *variant = vd_tyre_variant_of((enum vd_tyre_model)def->model);
  const char *problem = curve_problem(&def->common.load_curve);
  if (def->unread)
    return;
  if (problem)
    vd_error(d, vd_tree_place_in(root, path, "load_curve"), "a load curve %s", problem);
  if (variant->check)
    variant->check(def, root, path, d);
}

bool vd_tyre_write_tir(const vd_tyre_def *def, vd_buf *out) {
  const vd_tyre_variant *variant = vd_tyre_variant_of((enum vd_tyre_model)def->model);
  return variant->write_tir && variant->write_tir(def, out);
}

void vd_tyre_build(const vd_tyre_def *def, bool right, vd_tyre *tyre) {
  _Static_assert(sizeof def->as <= sizeof tyre->as, "the parameters of a file fit into a tyre");
  const vd_tyre_variant *variant = vd_tyre_variant_of((enum vd_tyre_model)def->model);
  *tyre = (vd_tyre){.model = (enum vd_tyre_model)def->model,
                    .common = def->common,
                    .pressure = NAN,
                    .firmness = 1.0,
                    .bristles = def->common.transient == VD_TYRE_LUGRE};
  if (variant->build)
    variant->build(def, right, tyre);
  else
    memcpy(&tyre->as, &def->as, sizeof def->as);
  if (def->common.load_curve.count > 0)
    vd_load_curve_build(def->common.load_curve, &tyre->load_curve);
}

/* --- figures of one tyre --- */

void vd_tyre_stiffnesses(const vd_tyre *tyre, double ground_friction, double load, double *slip, double *cornering) {
  variant_of(tyre)->stiffnesses(tyre, ground_friction, load, slip, cornering);
}

double vd_tyre_slip_stiffness(const vd_tyre *tyre, double ground_friction, double load) {
  double slip, cornering;
  vd_tyre_stiffnesses(tyre, ground_friction, load, &slip, &cornering);
  return slip;
}

double vd_tyre_cornering_stiffness(const vd_tyre *tyre, double ground_friction, double load) {
  double slip, cornering;
  vd_tyre_stiffnesses(tyre, ground_friction, load, &slip, &cornering);
  return cornering;
}

void vd_tyre_stiffest(const vd_tyre *tyre, double ground_friction, double most, double *slip, double *cornering) {
  const vd_tyre_variant *variant = variant_of(tyre);
  const int loads = variant->stiffness_loads > 0 ? variant->stiffness_loads : 1;
  *slip = *cornering = 0.0;
  if (variant->stiffest)
    variant->stiffest(tyre, ground_friction, most, slip, cornering);
  for (int i = 1; i <= loads && !variant->stiffest; i++) {
    double slip_at, cornering_at;
    variant->stiffnesses(tyre, ground_friction, most * i / loads, &slip_at, &cornering_at);
    *slip = vd_max(*slip, slip_at);
    *cornering = vd_max(*cornering, cornering_at);
  }
}

void vd_tyre_relaxation_at(const vd_tyre *tyre, double load, double camber, double *longitudinal, double *lateral) {
  const vd_tyre_variant *variant = variant_of(tyre);
  *longitudinal = tyre->common.relaxation_longitudinal;
  *lateral = tyre->common.relaxation_lateral;
  if (variant->relaxation)
    variant->relaxation(tyre, load, camber, longitudinal, lateral);
}

void vd_tyre_relaxation(const vd_tyre *tyre, double load, double *longitudinal, double *lateral) {
  vd_tyre_relaxation_at(tyre, load, 0.0, longitudinal, lateral);
}

void vd_tyre_twisted(const vd_tyre *tyre, double ground_friction, double load, vd_tyre_twist *twist) {
  *twist = (vd_tyre_twist){.length = 1.0};
  if (vd_tyre_has_turn_slip(tyre))
    variant_of(tyre)->twisted(tyre, ground_friction, load, twist);
}

void vd_tyre_peaks(const vd_tyre *tyre, double ground_friction, double load, double *mu, double *kappa, double *alpha) {
  variant_of(tyre)->peaks(tyre, ground_friction, load, mu, kappa, alpha);
}

double vd_tyre_grip(const vd_tyre *tyre, double ground_friction, double load) {
  const vd_tyre_variant *variant = variant_of(tyre);
  double mu, kappa, alpha;
  if (variant->grip)
    return variant->grip(tyre, ground_friction, load);
  variant->peaks(tyre, ground_friction, load, &mu, &kappa, &alpha);
  return mu * load;
}

static void radii(const vd_tyre *tyre, const vd_tyre_question *q, vd_tyre_answer *a) {
  const vd_tyre_variant *variant = variant_of(tyre);
  a->rolling_radius = a->loaded_radius = NAN;
  if (variant->radii)
    variant->radii(tyre, q, a);
}

void vd_tyre_radii(const vd_tyre *tyre, double load, double *rolling, double *loaded) {
  const vd_tyre_question q = {.load = load};
  vd_tyre_answer a = {.fx = 0.0};
  radii(tyre, &q, &a);
  *rolling = a.rolling_radius;
  *loaded = a.loaded_radius;
}

bool vd_tyre_curved(const vd_tyre *tyre) {
  return tyre->load_curve.count > 0;
}

vd_load_point vd_tyre_vertical(const vd_tyre *tyre, double deflection) {
  double k = tyre->common.vertical_stiffness, x = vd_max(deflection, 0.0), by = tyre->firmness;
  if (!vd_tyre_curved(tyre))
    return (vd_load_point){k * x, k, 0.5 * k * x * x};
  vd_load_point p = vd_load_curve_at(&tyre->load_curve, deflection);
  return (vd_load_point){by * p.force, by * p.slope, by * p.energy};
}

double vd_tyre_vertical_deflection(const vd_tyre *tyre, double load) {
  return vd_tyre_curved(tyre) ? vd_load_curve_deflection(&tyre->load_curve, load / tyre->firmness)
                              : load / tyre->common.vertical_stiffness;
}

void vd_tyre_inflate(vd_tyre *tyre, double pressure) {
  const vd_tyre_variant *variant = variant_of(tyre);
  if (variant->inflate)
    variant->inflate(tyre, pressure);
}

/* --- tyres together --- */

/* Returns the group of the tyre's model; it is made if there is none yet. */
static vd_tyre_group *group_of(const vd_tyre *tyre, vd_tyre_row *row) {
  int g = 0;
  while (g < row->groups && row->group[g].tyre[0]->model != tyre->model)
    g++;
  if (g == row->groups) { /* the lanes, its largest part, are filled by models that have them */
    memset(&row->group[g], 0, offsetof(vd_tyre_group, lanes));
    row->group[g].variant = variant_of(tyre);
    row->groups++;
  }
  return &row->group[g];
}

/* Ground friction under n tyres and their loads; arrays have n entries. */
typedef struct tyre_load {
  const double *ground_friction, *load; /* N */
} tyre_load;

void vd_tyre_row_build(const vd_tyre *const *tyre, int count, vd_tyre_row *row) {
  memset(row, 0, offsetof(vd_tyre_row, group));
  row->count = count;
  for (int i = 0; i < count; i++) {
    vd_tyre_group *group = group_of(tyre[i], row);
    row->each[i] = tyre[i];
    row->bristles |= tyre[i]->bristles;
    group->has_thrust |= tyre[i]->common.camber_stiffness > 0.0;
    row->needs_camber |= needs_camber(tyre[i]);
    row->has_overturning |= vd_patch_has_moment(tyre[i]);
    row->has_turn_slip |= vd_tyre_has_turn_slip(tyre[i]);
    for (int lane = 0; lane < VD_WHEELS; lane++)
      if (group->count == 0 || lane == i) {
        group->lane[lane] = i;
        group->tyre[lane] = tyre[i];
      }
    group->wheel[group->count++] = i;
  }
  row->forces_only = row->groups == 1 && !row->has_overturning;
  row->at_once =
      row->forces_only && !row->needs_camber && row->group[0].count == VD_WHEELS && row->group[0].variant->at_loads;
  for (int g = 0; g < row->groups; g++)
    if (row->group[g].variant->pack)
      row->group[g].variant->pack(&row->group[g]);
}

static void bend(const vd_contact *contact, int i, vd_slide *slide) {
  const vd_bristle_inputs *bristle_inputs = contact->bristle_inputs;
  slide->sx = bristle_inputs->slip_x[i];
  slide->sy = bristle_inputs->slip_y[i];
  slide->vx = contact->vx[i];
  slide->zx = bristle_inputs->state_x[i];
  slide->zy = bristle_inputs->state_y[i];
  slide->damper = bristle_inputs->damper[i];
  slide->fastest = bristle_inputs->fastest;
}

static void VD_RARE lean(const vd_tyre_row *row, const vd_contact *contact, vd_slide *each) {
  for (int i = 0; i < row->count; i++)
    each[i].camber = contact->camber ? contact->camber[i] : 0.0;
}

static void slides_of(const vd_tyre_row *row, const vd_contact *contact, vd_slides *slides) {
  for (int g = 0; g < row->groups; g++)
    row->group[g].variant->slide(&row->group[g], contact, slides);
  if (row->needs_camber)
    lean(row, contact, slides->each);
}

void vd_tyre_slide(const vd_tyre_row *row, const vd_contact *contact, vd_slide_row *slide) {
  slides_of(row, contact, &slide->now);
  slide->now.bristles = row->bristles && contact->bristle_inputs;
  if (!slide->now.bristles)
    return;
  static const double none[VD_WHEELS];
  vd_contact rolling = *contact;
  rolling.kappa = rolling.tan_alpha = none;
  slides_of(row, &rolling, &slide->rolling);
  for (int i = 0; i < row->count; i++) {
    vd_slide *each = &slide->now.each[i];
    each->bristles = row->each[i]->bristles;
    if (each->bristles)
      bend(contact, i, each);
  }
}

VD_INLINE void forces_of(const vd_tyre_row *row, vd_slides *slides, const tyre_load *at, vd_tyre_forces *out) {
  for (int g = 0; g < row->groups; g++)
    row->group[g].variant->force(&row->group[g], slides, at->ground_friction, at->load, out);
}

static void bristle_forces(const vd_tyre_row *row, vd_slide_row *slide, const tyre_load *at, vd_tyre_forces *out) {
  vd_tyre_forces rolling = {.mx = {0.0}};
  forces_of(row, &slide->rolling, at, &rolling);
  const vd_bristles bristles = {.count = row->count,
                                .tyre = row->each,
                                .slide = slide->now.each,
                                .ground_friction = at->ground_friction,
                                .load = at->load,
                                .rolling = &rolling};
  vd_lugre_forces(&bristles, out);
  for (int g = 0; g < row->groups; g++)
    if (row->group[g].variant->use_forces)
      row->group[g].variant->use_forces(&row->group[g], &slide->now, out);
}

static void all_forces(const vd_tyre_row *row, vd_slide_row *slide, const tyre_load *at, vd_tyre_forces *out) {
  forces_of(row, &slide->now, at, out);
  if (slide->now.bristles)
    bristle_forces(row, slide, at, out);
  for (int i = 0; i < row->count && row->has_overturning; i++)
    if (vd_patch_has_moment(row->each[i]))
      vd_patch_overturn(row->each[i], at->load[i], i, &slide->now.each[i], out);
}

/* Computes the forces of all groups; every pass of a load loop calls this function. Usually there is one group with
 * forces only, which takes a single call. */
void vd_tyre_force(const vd_tyre_row *row, vd_slide_row *slide, const double *ground_friction, const double *load,
                   vd_tyre_forces *out) {
  const tyre_load at = {ground_friction, load};
  if (row->forces_only && !slide->now.bristles)
    row->group[0].variant->force(&row->group[0], &slide->now, ground_friction, load, out);
  else
    all_forces(row, slide, &at, out);
}

void vd_tyre_relaxations(const vd_tyre_row *row, const double *load, double *longitudinal, double *lateral) {
  for (int i = 0; i < row->count; i++) {
    longitudinal[i] = row->each[i]->common.relaxation_longitudinal;
    lateral[i] = row->each[i]->common.relaxation_lateral;
  }
  for (int g = 0; g < row->groups; g++) {
    const vd_tyre_group *group = &row->group[g];
    if (group->variant->relaxations)
      group->variant->relaxations(group, load, longitudinal, lateral);
    else if (group->variant->relaxation)
      for (int k = 0; k < group->count; k++) {
        int i = group->wheel[k];
        group->variant->relaxation(group->tyre[i], load[i], 0.0, &longitudinal[i], &lateral[i]);
      }
  }
}

void vd_tyre_shift_loads(const vd_tyre_row *row, vd_slide_row *slide, const double *load) {
  for (int g = 0; g < row->groups; g++)
    if (row->group[g].variant->shift_loads)
      row->group[g].variant->shift_loads(&row->group[g], &slide->now, load);
}

/* Computes the moments of the side forces minus the thrust by camber, which has no trail. */
void vd_trail_moments(const vd_tyre_group *group, const vd_slides *slides, const double *vx, const double *fy,
                      double *mz) {
  for (int k = 0; k < group->count; k++) {
    int i = group->wheel[k];
    const vd_slide *slide = &slides->each[i];
    mz[i] = -vd_direction(vx[i]) * slide->trail * (group->has_thrust ? fy[i] - slide->thrust : fy[i]);
  }
}

void VD_RARE vd_add_thrusts(const vd_tyre_group *group, const vd_wide *limit_x, const vd_wide *limit_y,
                            const double *load, vd_slide *slide, vd_tyre_forces *out) {
  for (int k = 0; k < group->count; k++) {
    int i = group->wheel[k];
    double x = (*limit_x)[i], y = (*limit_y)[i], most = 0.5 * y;
    slide[i].thrust = 0.0;
    if (!(x > 0.0 && y > 0.0))
      continue;
    double ux = out->fx[i] / x, uy = out->fy[i] / y, left = vd_fast_max(1.0 - ux * ux - uy * uy, 0.0);
    double full = -group->tyre[i]->common.camber_stiffness * load[i] * slide[i].camber;
    slide[i].thrust = left * vd_fast_min(vd_fast_max(full, -most), most);
    out->fy[i] += slide[i].thrust;
  }
}

static void VD_RARE add_twists(const vd_tyre_row *row, const vd_slide_row *slide, double *mz) {
  for (int i = 0; i < row->count; i++)
    if (vd_patch_has_moment(row->each[i]))
      mz[i] += slide->now.each[i].twist;
}

void vd_tyre_moments(const vd_tyre_row *row, const vd_slide_row *slide, const double *load, const double *vx,
                     const double *fy, double *mz) {
  for (int g = 0; g < row->groups; g++) {
    const vd_tyre_group *group = &row->group[g];
    if (group->variant->moments)
      group->variant->moments(group, &slide->now, load, vx, fy, mz);
    else
      vd_trail_moments(group, &slide->now, vx, fy, mz);
  }
  if (row->has_overturning)
    add_twists(row, slide, mz);
}

static void VD_RARE at_loads_in_passes(const vd_tyre_row *row, const vd_contact *contact, const double *ground_friction,
                                       const double *load, const vd_tyre_results *out) {
  vd_slide_row slide;
  vd_tyre_forces f = {.mx = {0.0}}; /* models without moments of their own do not set them */
  vd_tyre_slide(row, contact, &slide);
  vd_tyre_force(row, &slide, ground_friction, load, &f);
  vd_tyre_moments(row, &slide, load, contact->vx, f.fy, out->mz);
  for (int i = 0; i < row->count; i++) {
    out->fx[i] = f.fx[i];
    out->fy[i] = f.fy[i];
    out->mx[i] = f.mx[i];
    out->my[i] = f.my[i];
    if (slide.now.bristles && slide.now.each[i].bristles) {
      out->rate_x[i] = f.rate_x[i];
      out->rate_y[i] = f.rate_y[i];
      out->damped[i] = f.damped[i];
    }
  }
}

void vd_tyre_at_loads(const vd_tyre_row *row, const vd_contact *contact, const double *ground_friction,
                      const double *load, const vd_tyre_results *out) {
  if (row->at_once && !(row->bristles && contact->bristle_inputs))
    row->group[0].variant->at_loads(&row->group[0], contact, ground_friction, load, out);
  else
    at_loads_in_passes(row, contact, ground_friction, load, out);
}

/* Sets stiffnesses, peaks, lengths and the figures that only some models have, in one state of motion. */
static void figures(const vd_tyre *tyre, const vd_tyre_question *q, vd_tyre_answer *a) {
  const vd_tyre_variant *variant = variant_of(tyre);
  a->pneumatic_trail = a->trail;
  a->residual = 0.0;
  a->contact_length = a->contact_width = a->mu_x = a->mu_y = NAN;
  a->clamped = -1;
  a->used = (vd_tyre_used){q->load, tyre->pressure, q->camber, q->kappa, q->tan_alpha};
  a->sigma_x = tyre->common.relaxation_longitudinal;
  a->sigma_y = tyre->common.relaxation_lateral;
  if (variant->figures) {
    variant->figures(tyre, q, a);
    return;
  }
  variant->peaks(tyre, q->ground_friction, q->load, &a->mu_peak, &a->kappa_peak, &a->alpha_peak);
  variant->stiffnesses(tyre, q->ground_friction, q->load, &a->slip_stiffness, &a->cornering_stiffness);
}

static double rolling_of(const vd_tyre *tyre, const vd_tyre_question *q) {
  return vd_tyre_has_turn_slip(tyre) ? variant_of(tyre)->rolling(tyre, q) : 0.0;
}

void vd_tyre_ask(const vd_tyre *tyre, const vd_tyre_question *q, vd_tyre_answer *a) {
  const vd_bristle_inputs bristle_inputs = {.slip_x = &q->slip_x,
                                            .slip_y = &q->slip_y,
                                            .state_x = &q->state_x,
                                            .state_y = &q->state_y,
                                            .damper = &q->damper,
                                            .fastest = q->fastest};
  const double rolling = rolling_of(tyre, q);
  const vd_contact contact = {.kappa = &q->kappa,
                              .tan_alpha = &q->tan_alpha,
                              .vx = &q->vx,
                              .camber = &q->camber,
                              .curvature = &q->curvature,
                              .rolling = &rolling,
                              .bristle_inputs = q->moving ? &bristle_inputs : NULL};
  const vd_tyre_results out = {.fx = &a->fx,
                               .fy = &a->fy,
                               .mx = &a->mx,
                               .my = &a->my,
                               .mz = &a->mz,
                               .rate_x = &a->rate_x,
                               .rate_y = &a->rate_y,
                               .damped = &a->damped};
  vd_tyre_row row;
  *a = (vd_tyre_answer){.fx = 0.0};
  vd_tyre_row_build(&tyre, 1, &row);
  vd_tyre_at_loads(&row, &contact, &q->ground_friction, &q->load, &out);
  a->trail = a->fy != 0.0 ? -a->mz / a->fy : NAN;
  if (!vd_tyre_has_moments(tyre))
    a->mx = NAN;
  if (!variant_of(tyre)->traits.moments)
    a->my = q->vx != 0.0
                ? -copysign(tyre->common.rolling_resistance *
                                (1.0 + vd_tyre_rolling_growth(&tyre->common) * q->vx * q->vx) * q->load * q->radius,
                            q->vx)
                : 0.0;
  radii(tyre, q, a);
  figures(tyre, q, a);
}

void vd_tyre_slopes(const vd_tyre *tyre, const vd_tyre_question *q, vd_tyre_answer *a) {
  const vd_tyre *all[VD_WHEELS] = {tyre, tyre, tyre, tyre};
  const double h = 1e-3, step[VD_WHEELS] = {-2.0 * h, -h, h, 2.0 * h}, alpha = vd_atan(q->tan_alpha);
  double kappa[VD_WHEELS], tan_alpha[VD_WHEELS], vx[VD_WHEELS], camber[VD_WHEELS], ground[VD_WHEELS], load[VD_WHEELS];
  double curvature[VD_WHEELS], rolling[VD_WHEELS], f[5][VD_WHEELS], *slope[2] = {&a->fx_by_kappa, &a->fy_by_alpha};
  vd_tyre_row row;
  vd_tyre_row_build(all, VD_WHEELS, &row);
  for (int way = 0; way < 2; way++) {
    for (int i = 0; i < VD_WHEELS; i++) {
      kappa[i] = q->kappa + (way == 0 ? step[i] : 0.0);
      tan_alpha[i] = way == 0 ? q->tan_alpha : vd_tan(alpha + step[i]);
      vx[i] = q->vx;
      camber[i] = q->camber;
      ground[i] = q->ground_friction;
      load[i] = q->load;
      curvature[i] = q->curvature;
      rolling[i] = rolling_of(tyre, q); /* the spin of the wheel is not changed */
    }
    const vd_contact contact = {
        .kappa = kappa, .tan_alpha = tan_alpha, .vx = vx, .camber = camber, .curvature = curvature, .rolling = rolling};
    const vd_tyre_results out = {.fx = f[0], .fy = f[1], .mx = f[2], .my = f[3], .mz = f[4]};
    vd_tyre_at_loads(&row, &contact, ground, load, &out);
    *slope[way] = (8.0 * (f[way][2] - f[way][1]) - (f[way][3] - f[way][0])) / (12.0 * h);
  }
}
