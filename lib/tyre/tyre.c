/* Tyres of any model: the only file that asks which model a tyre is. */
#include "tyre/tyre.h"

#include "base/elementary.h"
#include "input/schema.h"
#include "tyre/lugre.h"
#include "tyre/patch.h"
#include "tyre/tyre_impl.h"

static const char *const model_names[] = {"linear", "mf96", "tmeasy", "mf", "fiala", "brush", "pac89", "pac94", NULL};
static const char *const transient_names[] = {"relaxation", "lugre", NULL};

/* Models that read a property file into their keys. */
#define FILED (VD_WHEN(VD_TYRE_FIALA) | VD_WHEN(VD_TYRE_PAC89) | VD_WHEN(VD_TYRE_PAC94))

/* clang-format off */
static const vd_field rows[] = {
  {VD_F_CHOICE(vd_tyre_def, model, "model", model_names, NULL, "tyre model")},
  {VD_F_STRING(vd_tyre_def, name, "name", "\"\"", "name for readers")},
  {VD_F_STRING(vd_tyre_def, source, "source", "\"\"", "source of the parameters")},
  {VD_F_ESTIMATES(vd_tyre_def, estimates)},
  {VD_F_GROUP(&vd_linear_rows)},
  {VD_F_GROUP(&vd_mf96_rows)},
  {VD_F_GROUP(&vd_tmeasy_rows)},
  {VD_F_GROUP(&vd_mf_tyre_rows)},
  {VD_F_GROUP(&vd_fiala_rows)},
  {VD_F_GROUP(&vd_brush_rows)},
  {VD_F_GROUP(&vd_pac_rows)},
  {VD_F_PATH(vd_tyre_def, property.file, "file", "\"\"", VD_TYRE_FILE_HELP), .only = FILED,
   .example = "tyre.tir"},
  {VD_F_NUMBER(vd_tyre_def, property.unloaded_radius, "unloaded_radius", "m", 0, 5, VD_ABOVE | VD_AUTO, "auto", "radius without load, which only a property file needs; auto: that of the file"), .only = FILED},
  {VD_F_NUMBER(vd_tyre_def, common.vertical_damping, "vertical_damping", "N s/m", 0, 1e6, VD_AUTO, "auto", "vertical damping of one tyre, for levels from L3 on; auto: VERTICAL_DAMPING of a property file, else 0")},
  {VD_F_NUMBER(vd_tyre_def, common.relaxation_longitudinal, "relaxation_longitudinal", "m", 0, 5, VD_ABOVE, "0.15 m", "relaxation length of the slip ratio at small slip, for transient slip, where a property file has none; default: typical of a car tyre")},
  {VD_F_NUMBER(vd_tyre_def, common.relaxation_lateral, "relaxation_lateral", "m", 0, 5, VD_ABOVE, "0.6 m", "relaxation length of the slip angle at small slip, for transient slip, where a property file has none; default: typical of a car tyre")},
  {VD_F_CHOICE(vd_tyre_def, common.transient, "transient", transient_names, "relaxation", "model of transient slip: relaxation lengths, or the bristles of LuGre, with the same steady curve")},
  {VD_F_NUMBER(vd_tyre_def, common.bristle_damping, "bristle_damping", "s", 0, 1, VD_AUTO, "auto", "lugre: damping over stiffness of the bristles at standstill (sigma1/sigma0); auto: that of the standstill damper")},
};
/* clang-format on */

const vd_schema vd_tyre_schema = {
    .name = "tyre", .size = sizeof(vd_tyre_def), .field = rows, .count = VD_COUNT(rows), .tag = "model"};

const vd_tyre_traits *vd_tyre_traits_of(enum vd_tyre_model model) {
  switch (model) {
  case VD_TYRE_LINEAR: return &vd_linear_traits;
  case VD_TYRE_MF96: return &vd_mf96_traits;
  case VD_TYRE_TMEASY: return &vd_tmeasy_traits;
  case VD_TYRE_MF: return &vd_mf_tyre_traits;
  case VD_TYRE_FIALA: return &vd_fiala_traits;
  case VD_TYRE_BRUSH: return &vd_brush_traits;
  case VD_TYRE_PAC89:
  case VD_TYRE_PAC94: return &vd_pac_traits;
  }
  return NULL;
}

bool vd_tyre_has_moments(const vd_tyre *tyre) {
  return vd_tyre_traits_of(tyre->model)->moments || vd_patch_overturns(tyre);
}

/* What every model may have. */
static bool leans(const vd_tyre *tyre) {
  return tyre->common.camber_stiffness > 0.0 || tyre->common.patch_width > 0.0;
}

bool vd_tyre_depends_on_camber(const vd_tyre *tyre) {
  return vd_tyre_traits_of(tyre->model)->camber || leans(tyre);
}

bool vd_tyre_turns(const vd_tyre *tyre) {
  return vd_tyre_traits_of(tyre->model)->file && tyre->as.mf.turns;
}

static bool has_bristles(enum vd_tyre_transient transient) {
  switch (transient) {
  case VD_TYRE_RELAXATION: return false;
  case VD_TYRE_LUGRE: return true;
  }
  return false;
}

/* --- from the file to the tyre --- */

static vd_mf_points curve_points(const vd_points *given) {
  vd_mf_points points = {.count = (int)given->count};
  for (int i = 0; i < points.count; i++) {
    points.deflection[i] = given->xy[2 * i];
    points.load[i] = given->xy[2 * i + 1];
  }
  return points;
}

/* What is wrong with a load curve of a tyre file; NULL: nothing. */
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

/* The stiffness is that in the middle of the curve, unless the file says one. */
static void complete_curve(vd_tyre_def *def, const vd_node *root, const char *path) {
  const vd_points *given = &def->common.load_curve;
  vd_curve curve;
  if (given->count == 0 || curve_problem(given))
    return;
  const vd_mf_points points = curve_points(given);
  vd_load_curve_build(&points, &curve);
  def->common.vertical_steepest = vd_curve_steepest(&curve);
  if (!vd_tree_get(*path ? vd_tree_find(root, path) : root, "vertical_stiffness"))
    def->common.vertical_stiffness =
        vd_load_curve_at(&curve, vd_load_curve_deflection(&curve, 0.5 * given->xy[2 * given->count - 1])).slope;
}

void vd_tyre_complete(vd_tyre_def *def, const vd_tyre_def *like, const vd_node *root, const char *path, vd_arena *arena,
                      vd_diag *d) {
  const vd_tyre_origin from = {root, path, arena, d};
  like = like && like->model == def->model ? like : NULL;
  switch ((enum vd_tyre_model)def->model) {
  case VD_TYRE_LINEAR: vd_linear_complete(def); break;
  case VD_TYRE_MF96: break;
  case VD_TYRE_TMEASY: vd_tmeasy_complete(def); break;
  case VD_TYRE_MF: vd_mf_tyre_complete(def, like, root, path, arena, d); break;
  case VD_TYRE_FIALA: vd_fiala_complete(def, &vd_tyre_schema, like, &from); break;
  case VD_TYRE_BRUSH: break;
  case VD_TYRE_PAC89:
  case VD_TYRE_PAC94: vd_pac_complete(def, &vd_tyre_schema, like, &from); break;
  }
  complete_curve(def, root, path);
  if (isnan(def->common.vertical_damping))
    def->common.vertical_damping = 0.0;
}

void vd_tyre_check(const vd_tyre_def *def, const vd_node *root, const char *path, vd_diag *d) {
  const char *problem = curve_problem(&def->common.load_curve);
  if (def->unread)
    return;
  if (problem)
    vd_error(d, vd_tree_place_in(root, path, "load_curve"), "a load curve %s", problem);
  switch ((enum vd_tyre_model)def->model) {
  case VD_TYRE_LINEAR: vd_linear_check(def, root, path, d); break;
  case VD_TYRE_MF96: vd_mf96_check(def, root, path, d); break;
  case VD_TYRE_TMEASY: vd_tmeasy_check(def, root, path, d); break;
  case VD_TYRE_MF: vd_mf_tyre_check(def, root, path, d); break; /* tir.c has checked its file */
  case VD_TYRE_FIALA: vd_fiala_check(def, root, path, d); break;
  case VD_TYRE_BRUSH: break;
  case VD_TYRE_PAC89:
  case VD_TYRE_PAC94: vd_pac_check(def, root, path, d); break;
  }
}

bool vd_tyre_write_tir(const vd_tyre_def *def, vd_buf *out) {
  switch ((enum vd_tyre_model)def->model) {
  case VD_TYRE_MF: return vd_mf_tyre_write(def, out);
  case VD_TYRE_FIALA: return vd_fiala_write(def, out);
  case VD_TYRE_PAC89:
  case VD_TYRE_PAC94: return vd_pac_write(def, out);
  case VD_TYRE_LINEAR:
  case VD_TYRE_MF96:
  case VD_TYRE_TMEASY:
  case VD_TYRE_BRUSH: break;
  }
  return false;
}

void vd_tyre_build(const vd_tyre_def *def, bool right, vd_tyre *tyre) {
  *tyre = (vd_tyre){.model = (enum vd_tyre_model)def->model,
                    .common = def->common,
                    .pressure = NAN,
                    .bristles = has_bristles((enum vd_tyre_transient)def->common.transient)};
  switch (tyre->model) {
  case VD_TYRE_LINEAR: tyre->as.linear = def->as.linear; break;
  case VD_TYRE_MF96: vd_mf96_build(&def->as.mf96, tyre); break;
  case VD_TYRE_TMEASY: vd_tmeasy_build(&def->as.tmeasy, tyre); break;
  case VD_TYRE_MF: vd_mf_tyre_build(&def->as.mf, right, tyre); break;
  case VD_TYRE_FIALA: tyre->as.fiala = def->as.fiala; break;
  case VD_TYRE_BRUSH: tyre->as.brush = def->as.brush; break;
  case VD_TYRE_PAC89:
  case VD_TYRE_PAC94: vd_pac_build(def, right, tyre); break;
  }
  if (def->common.load_curve.count > 0) {
    const vd_mf_points points = curve_points(&def->common.load_curve);
    vd_load_curve_build(&points, &tyre->load_curve);
  }
}

/* --- figures of one tyre --- */

void vd_tyre_stiffnesses(const vd_tyre *tyre, double ground_friction, double load, double *slip, double *cornering) {
  *slip = *cornering = NAN;
  switch (tyre->model) {
  case VD_TYRE_LINEAR:
    *slip = tyre->as.linear.longitudinal_stiffness;
    *cornering = tyre->as.linear.cornering_stiffness;
    break;
  case VD_TYRE_MF96: vd_mf96_stiffness(tyre, ground_friction, load, slip, cornering); break;
  case VD_TYRE_TMEASY: vd_tmeasy_stiffness(&tyre->as.tmeasy, load, slip, cornering); break;
  case VD_TYRE_MF: vd_mf_tyre_stiffness(tyre, ground_friction, load, slip, cornering); break;
  case VD_TYRE_FIALA:
    *slip = tyre->as.fiala.longitudinal_stiffness;
    *cornering = tyre->as.fiala.cornering_stiffness;
    break;
  case VD_TYRE_BRUSH: vd_brush_stiffness(&tyre->as.brush, load, slip, cornering); break;
  case VD_TYRE_PAC89:
  case VD_TYRE_PAC94: vd_pac_stiffness(&tyre->as.pac, load, slip, cornering); break;
  }
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
  switch (tyre->model) {
  case VD_TYRE_LINEAR:
  case VD_TYRE_FIALA:
  case VD_TYRE_BRUSH:
  case VD_TYRE_TMEASY: vd_tyre_stiffnesses(tyre, ground_friction, most, slip, cornering); break;
  case VD_TYRE_MF96:
    vd_tyre_stiffnesses(tyre, ground_friction, vd_mf96_stiffest_load(tyre, most), slip, cornering);
    break;
  case VD_TYRE_MF: vd_mf_tyre_stiffest(tyre, ground_friction, most, slip, cornering); break;
  case VD_TYRE_PAC89:
  case VD_TYRE_PAC94: vd_pac_stiffest(&tyre->as.pac, most, slip, cornering); break;
  }
}

void vd_tyre_relaxation_at(const vd_tyre *tyre, double load, double camber, double *longitudinal, double *lateral) {
  *longitudinal = tyre->common.relaxation_longitudinal;
  *lateral = tyre->common.relaxation_lateral;
  switch (tyre->model) {
  case VD_TYRE_LINEAR:
  case VD_TYRE_MF96:
  case VD_TYRE_FIALA:
  case VD_TYRE_BRUSH:
  case VD_TYRE_PAC89:
  case VD_TYRE_PAC94:
  case VD_TYRE_TMEASY: break;
  case VD_TYRE_MF: vd_mf_tyre_relaxation(tyre, load, camber, longitudinal, lateral); break;
  }
}

void vd_tyre_relaxation(const vd_tyre *tyre, double load, double *longitudinal, double *lateral) {
  vd_tyre_relaxation_at(tyre, load, 0.0, longitudinal, lateral);
}

void vd_tyre_twisted(const vd_tyre *tyre, double ground_friction, double load, vd_tyre_twist *twist) {
  *twist = (vd_tyre_twist){.length = 1.0};
  if (vd_tyre_turns(tyre))
    vd_mf_tyre_twisted(tyre, ground_friction, load, twist);
}

void vd_tyre_peaks(const vd_tyre *tyre, double ground_friction, double load, double *mu, double *kappa, double *alpha) {
  switch (tyre->model) {
  case VD_TYRE_LINEAR: vd_linear_peaks(tyre, ground_friction, load, mu, kappa, alpha); break;
  case VD_TYRE_MF96: vd_mf96_peaks(tyre, ground_friction, load, mu, kappa, alpha); break;
  case VD_TYRE_TMEASY: vd_tmeasy_peaks(tyre, ground_friction, load, mu, kappa, alpha); break;
  case VD_TYRE_MF: vd_mf_tyre_peaks(tyre, ground_friction, load, mu, kappa, alpha); break;
  case VD_TYRE_FIALA: vd_fiala_peaks(tyre, ground_friction, load, mu, kappa, alpha); break;
  case VD_TYRE_BRUSH: vd_brush_peaks(tyre, ground_friction, mu, kappa, alpha); break;
  case VD_TYRE_PAC89:
  case VD_TYRE_PAC94: vd_pac_peaks(tyre, ground_friction, load, mu, kappa, alpha); break;
  }
}

double vd_tyre_grip(const vd_tyre *tyre, double ground_friction, double load) {
  double mu, kappa, alpha;
  switch (tyre->model) {
  case VD_TYRE_LINEAR:
  case VD_TYRE_MF96:
  case VD_TYRE_TMEASY:
  case VD_TYRE_FIALA:
  case VD_TYRE_BRUSH:
  case VD_TYRE_PAC89:
  case VD_TYRE_PAC94: break;
  case VD_TYRE_MF: return vd_mf_tyre_grip(tyre, ground_friction, load);
  }
  vd_tyre_peaks(tyre, ground_friction, load, &mu, &kappa, &alpha);
  return mu * load;
}

static void radii(const vd_tyre *tyre, const vd_tyre_question *q, vd_tyre_answer *a) {
  a->rolling_radius = a->loaded_radius = NAN;
  switch (tyre->model) {
  case VD_TYRE_LINEAR:
  case VD_TYRE_MF96:
  case VD_TYRE_FIALA:
  case VD_TYRE_BRUSH:
  case VD_TYRE_PAC89:
  case VD_TYRE_PAC94:
  case VD_TYRE_TMEASY: break;
  case VD_TYRE_MF: vd_mf_tyre_radii(tyre, q, a); break;
  }
}

double vd_tyre_rolling_radius(const vd_tyre *tyre, double load) {
  const vd_tyre_question q = {.load = load};
  vd_tyre_answer a = {.fx = 0.0};
  radii(tyre, &q, &a);
  return a.rolling_radius;
}

double vd_tyre_loaded_radius(const vd_tyre *tyre, double load) {
  const vd_tyre_question q = {.load = load};
  vd_tyre_answer a = {.fx = 0.0};
  radii(tyre, &q, &a);
  return a.loaded_radius;
}

/* That of the tyre or of model mf's property file, or NULL. */
static const vd_curve *load_curve(const vd_tyre *tyre) {
  const vd_curve *curve = vd_tyre_traits_of(tyre->model)->pressure ? &tyre->as.mf.curve : &tyre->load_curve;
  return curve->count > 0 ? curve : NULL;
}

bool vd_tyre_curved(const vd_tyre *tyre) {
  return load_curve(tyre);
}

/* A curve is for the nominal pressure, on which its loads depend as stiffnesses do. */
static double firmness(const vd_tyre *tyre) {
  return vd_tyre_traits_of(tyre->model)->pressure ? vd_mf_firmness(&tyre->as.mf, tyre->pressure) : 1.0;
}

vd_load_point vd_tyre_vertical(const vd_tyre *tyre, double deflection) {
  const vd_curve *curve = load_curve(tyre);
  double k = tyre->common.vertical_stiffness, x = vd_max(deflection, 0.0);
  if (!curve)
    return (vd_load_point){k * x, k, 0.5 * k * x * x};
  double by = firmness(tyre);
  vd_load_point p = vd_load_curve_at(curve, deflection);
  return (vd_load_point){by * p.force, by * p.slope, by * p.energy};
}

double vd_tyre_vertical_deflection(const vd_tyre *tyre, double load) {
  const vd_curve *curve = load_curve(tyre);
  return curve ? vd_load_curve_deflection(curve, load / firmness(tyre)) : load / tyre->common.vertical_stiffness;
}

void vd_tyre_inflate(vd_tyre *tyre, double pressure) {
  if (vd_tyre_traits_of(tyre->model)->pressure)
    tyre->pressure = pressure;
}

/* --- tyres together --- */

/* The group of the tyre's model, a new one if there is none yet. */
static vd_tyre_group *group_of(const vd_tyre *tyre, vd_tyre_row *row) {
  int g = 0;
  while (g < row->groups && row->group[g].tyre[0]->model != tyre->model)
    g++;
  if (g == row->groups)
    row->groups++;
  return &row->group[g];
}

/* Under what tyres stand, arrays [n]. */
typedef struct tyre_load {
  const double *ground_friction, *load; /* N */
} tyre_load;

/* Numbers of four tyres side by side, for models that compute in lanes. */
static void pack(const vd_tyre_group *group, vd_tyre_row *row) {
  switch (group->tyre[0]->model) {
  case VD_TYRE_FIALA:
  case VD_TYRE_BRUSH: break;
  case VD_TYRE_PAC89: vd_pac_pack(group, &row->pac[0]); break;
  case VD_TYRE_PAC94: vd_pac_pack(group, &row->pac[1]); break;
  case VD_TYRE_LINEAR: vd_linear_pack(group, &row->linear); break;
  case VD_TYRE_TMEASY: vd_tmeasy_pack(group, &row->tmeasy); break;
  case VD_TYRE_MF96: vd_mf96_pack(group, &row->mf96); break;
  case VD_TYRE_MF: vd_mf_tyre_pack(group, &row->mf); break;
  }
}

void vd_tyre_row_build(const vd_tyre *const *tyre, int count, vd_tyre_row *row) {
  *row = (vd_tyre_row){.count = count};
  for (int i = 0; i < count; i++) {
    vd_tyre_group *group = group_of(tyre[i], row);
    row->each[i] = tyre[i];
    row->bristles |= tyre[i]->bristles;
    group->thrusts |= tyre[i]->common.camber_stiffness > 0.0;
    row->leans |= leans(tyre[i]);
    row->overturns |= vd_patch_overturns(tyre[i]);
    row->turns |= vd_tyre_turns(tyre[i]);
    for (int lane = 0; lane < VD_WHEELS; lane++)
      if (group->count == 0 || lane == i) {
        group->lane[lane] = i;
        group->tyre[lane] = tyre[i];
      }
    group->wheel[group->count++] = i;
  }
  row->forces_alone = row->groups == 1 && !row->overturns;
  for (int g = 0; g < row->groups; g++)
    pack(&row->group[g], row);
}

static void bend(const vd_contact *contact, int i, vd_slide *slide) {
  const vd_bending *bending = contact->bending;
  slide->sx = bending->slip_x[i];
  slide->sy = bending->slip_y[i];
  slide->vx = contact->vx[i];
  slide->zx = bending->state_x[i];
  slide->zy = bending->state_y[i];
  slide->damper = bending->damper[i];
  slide->fastest = bending->fastest;
}

static void VD_RARE lean(const vd_tyre_row *row, const vd_contact *contact, vd_slide *each) {
  for (int i = 0; i < row->count; i++)
    each[i].camber = contact->camber ? contact->camber[i] : 0.0;
}

VD_INLINE void slides(const vd_tyre_row *row, const vd_contact *contact, vd_slide *each, vd_mf_slide *mf) {
  for (int g = 0; g < row->groups; g++) {
    const vd_tyre_group *group = &row->group[g];
    switch (group->tyre[0]->model) {
    case VD_TYRE_LINEAR: vd_linear_slide(&row->linear, group, contact, each); break;
    case VD_TYRE_MF96: vd_mf96_slide(&row->mf96, group, contact, each); break;
    case VD_TYRE_TMEASY: vd_tmeasy_slide(group, contact, each); break;
    case VD_TYRE_MF: vd_mf_tyre_slide(&row->mf, group, contact, mf); break;
    case VD_TYRE_FIALA: vd_fiala_slide(group, contact, each); break;
    case VD_TYRE_BRUSH: vd_brush_slide(group, contact, each); break;
    case VD_TYRE_PAC89:
    case VD_TYRE_PAC94: vd_pac_slide(group, contact, each); break;
    }
  }
  if (row->leans)
    lean(row, contact, each);
}

void vd_tyre_slide(const vd_tyre_row *row, const vd_contact *contact, vd_slide_row *slide) {
  slides(row, contact, slide->each, &slide->mf);
  slide->bristles = row->bristles && contact->bending;
  if (!slide->bristles)
    return;
  static const double none[VD_WHEELS];
  vd_contact rolling = *contact;
  rolling.kappa = rolling.tan_alpha = none;
  slides(row, &rolling, slide->rolling, &slide->rolling_mf);
  for (int i = 0; i < row->count; i++) {
    slide->each[i].bristles = row->each[i]->bristles;
    if (slide->each[i].bristles)
      bend(contact, i, &slide->each[i]);
  }
}

VD_INLINE void group_force(const vd_tyre_row *row, const vd_tyre_group *group, vd_slide *each, vd_mf_slide *mf,
                           const tyre_load *at, vd_tyre_forces *out) {
  switch (group->tyre[0]->model) {
  case VD_TYRE_LINEAR: vd_linear_force(&row->linear, group, each, at->ground_friction, at->load, out); break;
  case VD_TYRE_MF96: vd_mf96_force(&row->mf96, group, each, at->ground_friction, at->load, out); break;
  case VD_TYRE_TMEASY: vd_tmeasy_force(&row->tmeasy, group, each, at->ground_friction, at->load, out); break;
  case VD_TYRE_MF: vd_mf_tyre_force(&row->mf, group, mf, at->ground_friction, at->load, out); break;
  case VD_TYRE_FIALA: vd_fiala_force(group, each, at->ground_friction, at->load, out); break;
  case VD_TYRE_BRUSH: vd_brush_force(group, each, at->ground_friction, at->load, out); break;
  case VD_TYRE_PAC89: vd_pac_force(&row->pac[0], group, each, at->ground_friction, at->load, out); break;
  case VD_TYRE_PAC94: vd_pac_force(&row->pac[1], group, each, at->ground_friction, at->load, out); break;
  }
}

/* The moments that depend on the forces, after bristles have changed these. */
static void follow_forces(const vd_tyre_row *row, const vd_tyre_group *group, vd_slide_row *slide,
                          vd_tyre_forces *out) {
  switch (group->tyre[0]->model) {
  case VD_TYRE_LINEAR:
  case VD_TYRE_MF96:
  case VD_TYRE_FIALA:
  case VD_TYRE_BRUSH:
  case VD_TYRE_PAC89:
  case VD_TYRE_PAC94:
  case VD_TYRE_TMEASY: break;
  case VD_TYRE_MF: vd_mf_tyre_follow(&row->mf, group, &slide->mf, out); break;
  }
}

static void bristle_forces(const vd_tyre_row *row, vd_slide_row *slide, const tyre_load *at, vd_tyre_forces *out) {
  vd_tyre_forces rolling = {.mx = {0.0}};
  for (int g = 0; g < row->groups; g++)
    group_force(row, &row->group[g], slide->rolling, &slide->rolling_mf, at, &rolling);
  const vd_bristles bristles = {.count = row->count,
                                .tyre = row->each,
                                .slide = slide->each,
                                .ground_friction = at->ground_friction,
                                .load = at->load,
                                .rolling = &rolling};
  vd_lugre_forces(&bristles, out);
  for (int g = 0; g < row->groups; g++)
    follow_forces(row, &row->group[g], slide, out);
}

static void all_forces(const vd_tyre_row *row, vd_slide_row *slide, const tyre_load *at, vd_tyre_forces *out) {
  for (int g = 0; g < row->groups; g++)
    group_force(row, &row->group[g], slide->each, &slide->mf, at, out);
  if (slide->bristles)
    bristle_forces(row, slide, at, out);
  for (int i = 0; i < row->count && row->overturns; i++)
    if (vd_patch_overturns(row->each[i]))
      vd_patch_overturn(row->each[i], at->load[i], i, &slide->each[i], out);
}

/* Every pass of a load loop calls this; the usual case is one group of forces alone, which then is one jump. */
void vd_tyre_force(const vd_tyre_row *row, vd_slide_row *slide, const double *ground_friction, const double *load,
                   vd_tyre_forces *out) {
  const tyre_load at = {ground_friction, load};
  if (row->forces_alone && !slide->bristles)
    group_force(row, &row->group[0], slide->each, &slide->mf, &at, out);
  else
    all_forces(row, slide, &at, out);
}

void vd_tyre_move(const vd_tyre_row *row, vd_slide_row *slide, const double *load) {
  for (int g = 0; g < row->groups; g++)
    switch (row->group[g].tyre[0]->model) {
    case VD_TYRE_LINEAR:
    case VD_TYRE_MF96:
    case VD_TYRE_FIALA:
    case VD_TYRE_BRUSH:
    case VD_TYRE_PAC89:
    case VD_TYRE_PAC94:
    case VD_TYRE_TMEASY: break; /* their moments are given the loads */
    case VD_TYRE_MF: vd_mf_tyre_move(&row->mf, &row->group[g], &slide->mf, load); break;
    }
}

/* A trail that the slip alone decides. */
static void trail_moments(const vd_tyre_group *group, const vd_slide *slide, const double *vx, const double *fy,
                          double *mz) {
  for (int k = 0; k < group->count; k++) {
    int i = group->wheel[k];
    mz[i] = -vd_trail_side(vx[i]) * slide[i].trail * fy[i];
  }
}

/* The camber thrust has none. */
static void VD_RARE leaning_trail_moments(const vd_tyre_group *group, const vd_slide *slide, const double *vx,
                                          const double *fy, double *mz) {
  double of_slip[VD_WHEELS];
  for (int k = 0; k < group->count; k++)
    of_slip[group->wheel[k]] = fy[group->wheel[k]] - slide[group->wheel[k]].thrust;
  trail_moments(group, slide, vx, of_slip, mz);
}

VD_INLINE void slip_moments(const vd_tyre_group *group, const vd_slide *slide, const double *vx, const double *fy,
                            double *mz) {
  if (group->thrusts)
    leaning_trail_moments(group, slide, vx, fy, mz);
  else
    trail_moments(group, slide, vx, fy, mz);
}

/* One that grows with the load, too. */
static void VD_RARE growing_trail_moments(const vd_tyre_group *group, const vd_slide *slide, const double *load,
                                          const double *vx, const double *fy, double *mz) {
  slip_moments(group, slide, vx, fy, mz);
  for (int k = 0; k < group->count; k++)
    mz[group->wheel[k]] *= vd_mf96_trail_share(group->tyre[group->wheel[k]], load[group->wheel[k]]);
}

static void VD_RARE add_twists(const vd_tyre_row *row, const vd_slide_row *slide, double *mz) {
  for (int i = 0; i < row->count; i++)
    if (vd_patch_overturns(row->each[i]))
      mz[i] += slide->each[i].twist;
}

void vd_tyre_moments(const vd_tyre_row *row, const vd_slide_row *slide, const double *load, const double *vx,
                     const double *fy, double *mz) {
  for (int g = 0; g < row->groups; g++) {
    const vd_tyre_group *group = &row->group[g];
    switch (group->tyre[0]->model) {
    case VD_TYRE_LINEAR:
    case VD_TYRE_FIALA: slip_moments(group, slide->each, vx, fy, mz); break;
    case VD_TYRE_MF96:
      if (row->mf96.grows)
        growing_trail_moments(group, slide->each, load, vx, fy, mz);
      else
        slip_moments(group, slide->each, vx, fy, mz);
      break;
    case VD_TYRE_TMEASY: vd_tmeasy_moments(&row->tmeasy, group, slide->each, load, vx, fy, mz); break;
    case VD_TYRE_BRUSH: vd_brush_moments(group, slide->each, load, vx, fy, mz); break;
    case VD_TYRE_PAC89: vd_pac_moments(&row->pac[0], group, slide->each, load, vx, mz); break;
    case VD_TYRE_PAC94: vd_pac_moments(&row->pac[1], group, slide->each, load, vx, mz); break;
    case VD_TYRE_MF:
      vd_mf_tyre_moments(&row->mf, group, slide->bristles ? slide->each : NULL, &slide->mf, fy, mz);
      break;
    }
  }
  if (row->overturns)
    add_twists(row, slide, mz);
}

static void at_loads_in_passes(const vd_tyre_row *row, const vd_contact *contact, const double *ground_friction,
                               const double *load, const vd_tyre_results *out) {
  vd_slide_row slide;
  vd_tyre_forces f = {.mx = {0.0}}; /* models without moments of their own leave them */
  vd_tyre_slide(row, contact, &slide);
  vd_tyre_force(row, &slide, ground_friction, load, &f);
  vd_tyre_moments(row, &slide, load, contact->vx, f.fy, out->mz);
  for (int i = 0; i < row->count; i++) {
    out->fx[i] = f.fx[i];
    out->fy[i] = f.fy[i];
    out->mx[i] = f.mx[i];
    out->my[i] = f.my[i];
    if (slide.bristles && slide.each[i].bristles) {
      out->rate_x[i] = f.rate_x[i];
      out->rate_y[i] = f.rate_y[i];
      out->damped[i] = f.damped[i];
    }
  }
}

void vd_tyre_at_loads(const vd_tyre_row *row, const vd_contact *contact, const double *ground_friction,
                      const double *load, const vd_tyre_results *out) {
  bool four =
      row->group[0].count == VD_WHEELS && row->forces_alone && !(row->bristles && contact->bending) && !row->leans;
  switch (row->each[0]->model) {
  case VD_TYRE_FIALA:
  case VD_TYRE_BRUSH:
  case VD_TYRE_PAC89:
  case VD_TYRE_PAC94:
  case VD_TYRE_MF: break;
  case VD_TYRE_LINEAR:
    if (four) {
      vd_linear_at_loads(&row->linear, contact, ground_friction, load, out);
      return;
    }
    break;
  case VD_TYRE_TMEASY:
    if (four) {
      vd_tmeasy_at_loads(&row->tmeasy, contact, ground_friction, load, out);
      return;
    }
    break;
  case VD_TYRE_MF96:
    if (four && !row->mf96.grows) {
      vd_mf96_at_loads(&row->mf96, contact, ground_friction, load, out);
      return;
    }
    break;
  }
  at_loads_in_passes(row, contact, ground_friction, load, out);
}

/* Stiffnesses, peaks, lengths and what only some models know, in one state of motion. */
static void figures(const vd_tyre *tyre, const vd_tyre_question *q, vd_tyre_answer *a) {
  a->pneumatic_trail = a->trail;
  a->residual = 0.0;
  a->contact_length = a->contact_width = a->mu_x = a->mu_y = NAN;
  a->clamped = -1;
  a->used = (vd_tyre_used){q->load, tyre->pressure, q->camber, q->kappa, q->tan_alpha};
  a->sigma_x = tyre->common.relaxation_longitudinal;
  a->sigma_y = tyre->common.relaxation_lateral;
  switch (tyre->model) {
  case VD_TYRE_LINEAR:
  case VD_TYRE_MF96:
  case VD_TYRE_TMEASY:
  case VD_TYRE_FIALA:
  case VD_TYRE_BRUSH:
  case VD_TYRE_PAC89:
  case VD_TYRE_PAC94:
    vd_tyre_peaks(tyre, q->ground_friction, q->load, &a->mu_peak, &a->kappa_peak, &a->alpha_peak);
    vd_tyre_stiffnesses(tyre, q->ground_friction, q->load, &a->slip_stiffness, &a->cornering_stiffness);
    break;
  case VD_TYRE_MF: vd_mf_tyre_figures(tyre, q, a); break;
  }
}

void vd_tyre_ask(const vd_tyre *tyre, const vd_tyre_question *q, vd_tyre_answer *a) {
  const vd_bending bending = {.slip_x = &q->slip_x,
                              .slip_y = &q->slip_y,
                              .state_x = &q->state_x,
                              .state_y = &q->state_y,
                              .damper = &q->damper,
                              .fastest = q->fastest};
  const double rolling = vd_tyre_turns(tyre) ? vd_mf_tyre_rolling(tyre, q) : 0.0;
  const vd_contact contact = {.kappa = &q->kappa,
                              .tan_alpha = &q->tan_alpha,
                              .vx = &q->vx,
                              .camber = &q->camber,
                              .curvature = &q->curvature,
                              .rolling = &rolling,
                              .bending = q->moving ? &bending : NULL};
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
  if (!vd_tyre_traits_of(tyre->model)->moments)
    a->my = q->vx != 0.0 ? -copysign(tyre->common.rolling_resistance * q->load * q->radius, q->vx) : 0.0;
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
      rolling[i] = vd_tyre_turns(tyre) ? vd_mf_tyre_rolling(tyre, q) : 0.0; /* spin stays as it is */
    }
    const vd_contact contact = {
        .kappa = kappa, .tan_alpha = tan_alpha, .vx = vx, .camber = camber, .curvature = curvature, .rolling = rolling};
    const vd_tyre_results out = {.fx = f[0], .fy = f[1], .mx = f[2], .my = f[3], .mz = f[4]};
    vd_tyre_at_loads(&row, &contact, ground, load, &out);
    *slope[way] = (8.0 * (f[way][2] - f[way][1]) - (f[way][3] - f[way][0])) / (12.0 * h);
  }
}
