/* What a tyre file may say, and the checks across it. */
#include "tyre/tir.h"
#include "tyre/tyre_impl.h"

#include <string.h>

#define LINEAR VD_WHEN(VD_TYRE_LINEAR)
#define MF96   VD_WHEN(VD_TYRE_MF96)
#define TMEASY VD_WHEN(VD_TYRE_TMEASY)
#define MF     VD_WHEN(VD_TYRE_MF)

static const char *const model_names[] = {"linear", "mf96", "tmeasy", "mf", NULL};
static const char *const transient_names[] = {"relaxation", "lugre", NULL};

/* clang-format off */
static const vd_field magic_fields[] = {
  {VD_F_NUMBER(vd_magic, b, "b", "1", 0, 100, VD_ABOVE, NULL, "stiffness factor B")},
  {VD_F_NUMBER(vd_magic, c, "c", "1", 0, 2, VD_ABOVE | VD_BELOW, NULL, "shape factor C")},
  {VD_F_NUMBER(vd_magic, d, "d", "1", 0, 5, VD_ABOVE, "1", "peak factor D on friction x load")},
  {VD_F_NUMBER(vd_magic, e, "e", "1", -100, 1, 0, NULL, "curvature factor E")},
};

static const vd_schema magic_schema = {
    .name = "Magic Formula", .size = sizeof(vd_magic), .field = magic_fields, .count = VD_COUNT(magic_fields)};

static const vd_field curve_fields[] = {
  {VD_F_NUMBER(vd_tmeasy_curve, df0, "df0", "N", 0, 1e8, VD_ABOVE, NULL, "initial slope of the force over the slip")},
  {VD_F_NUMBER(vd_tmeasy_curve, s_max, "s_max", "1", 0, 5, VD_ABOVE, NULL, "slip of the highest force")},
  {VD_F_NUMBER(vd_tmeasy_curve, f_max, "f_max", "N", 0, 1e7, VD_ABOVE, NULL, "highest force")},
  {VD_F_NUMBER(vd_tmeasy_curve, s_slide, "s_slide", "1", 0, 50, VD_ABOVE, NULL, "slip from which the tyre slides fully")},
  {VD_F_NUMBER(vd_tmeasy_curve, f_slide, "f_slide", "N", 0, 1e7, VD_ABOVE, NULL, "force when it slides")},
};

static const vd_schema curve_schema = {
    .name = "TMeasy curve", .size = sizeof(vd_tmeasy_curve), .field = curve_fields, .count = VD_COUNT(curve_fields)};

static const vd_field tmeasy_fields[] = {
  {VD_F_STRUCT(vd_tmeasy_def, nominal, vd_tmeasy_curve, "nominal", "1", &curve_schema, 0, NULL, "at the nominal load")},
  {VD_F_STRUCT(vd_tmeasy_def, doubled, vd_tmeasy_curve, "double", "1", &curve_schema, 0, NULL, "at twice the nominal load")},
};

static const vd_schema tmeasy_schema = {
    .name = "TMeasy curves", .size = sizeof(vd_tmeasy_def), .field = tmeasy_fields, .count = VD_COUNT(tmeasy_fields)};

static const vd_field tyre_fields[] = {
  {VD_F_CHOICE(vd_tyre_def, model, "model", model_names, NULL, "tyre model")},
  {VD_F_STRING(vd_tyre_def, name, "name", "\"\"", "name, for people")},
  {VD_F_STRING(vd_tyre_def, source, "source", "\"\"", "where the figures are from")},
  {VD_F_NUMBER(vd_tyre_def, cornering_stiffness, "cornering_stiffness", "N/rad", 0, 1e7, VD_ABOVE, NULL, "slope of -Fy over slip angle, one tyre"), .only = LINEAR},
  {VD_F_NUMBER(vd_tyre_def, longitudinal_stiffness, "longitudinal_stiffness", "N", 0, 1e7, VD_ABOVE | VD_AUTO, "auto", "slope of Fx over slip ratio, one tyre; auto: 2/rad x cornering_stiffness"), .only = LINEAR},
  {VD_F_STRUCT(vd_tyre_def, longitudinal, vd_magic, "longitudinal", "1", &magic_schema, 0, NULL, "pure Fx over slip ratio"), .only = MF96},
  {VD_F_STRUCT(vd_tyre_def, lateral, vd_magic, "lateral", "1", &magic_schema, 0, NULL, "pure -Fy over slip angle in rad"), .only = MF96},
  {VD_F_STRUCT(vd_tyre_def, tmeasy_longitudinal, vd_tmeasy_def, "curve_longitudinal", "1", &tmeasy_schema, 0, NULL, "pure Fx over the slip against the tread's speed"), .only = TMEASY},
  {VD_F_STRUCT(vd_tyre_def, tmeasy_lateral, vd_tmeasy_def, "curve_lateral", "1", &tmeasy_schema, 0, NULL, "pure -Fy over tan(slip angle)"), .only = TMEASY},
  {VD_F_NUMBER(vd_tyre_def, nominal_load, "nominal_load", "N", 0, 1e6, VD_ABOVE, "4000", "load of the given figures"), .only = MF96 | TMEASY},
  {VD_F_NUMBER(vd_tyre_def, load_sensitivity, "load_sensitivity", "1", 0, 1, 0, "0", "share of friction lost when the load rises from nominal to twice that"), .only = MF96},
  {VD_F_NUMBER(vd_tyre_def, trail_falloff, "trail_falloff", "rad", 0, 10, VD_ABOVE, "0.2", "slip angle at which the trail is down to 1/sqrt(2)"), .only = MF96},
  {VD_F_NUMBER(vd_tyre_def, trail_zero, "trail_zero", "1", 0, 5, VD_ABOVE, "0.2", "lateral slip at which the trail is first zero"), .only = TMEASY},
  {VD_F_NUMBER(vd_tyre_def, trail_end, "trail_end", "1", 0, 10, VD_ABOVE, "0.5", "lateral slip from which there is no trail"), .only = TMEASY},
  {VD_F_PATH(vd_tyre_def, file, "file", "\"\"", "property file (.tir), FITTYP 5, 6, 21, 51, 60, 61 or 62"), .only = MF},
  {VD_F_STRING(vd_tyre_def, properties, "properties", "\"\"", "instead of file: its text, as a resolved scenario has it"), .only = MF},
  {VD_F_NUMBER(vd_tyre_def, pressure, "pressure", "Pa", 0, 1e7, VD_ABOVE | VD_AUTO, "auto", "inflation pressure; auto: the file's"), .only = MF},
  {VD_F_NUMBER(vd_tyre_def, friction, "friction", "1", 0, 5, VD_ABOVE, "1", "friction coefficient (at nominal load); a factor on the curves of tmeasy and mf")},
  {VD_F_NUMBER(vd_tyre_def, pneumatic_trail, "pneumatic_trail", "m", 0, 1, 0, "0", "Mz = -trail x Fy"), .only = LINEAR | MF96 | TMEASY},
  {VD_F_NUMBER(vd_tyre_def, rolling_resistance, "rolling_resistance", "1", 0, 1, 0, "0", "rolling resistance torque over load x radius"), .only = LINEAR | MF96 | TMEASY},
  {VD_F_NUMBER(vd_tyre_def, vertical_stiffness, "vertical_stiffness", "N/m", 0, 1e9, VD_ABOVE, "220 kN/m", "vertical stiffness of one tyre"), .only = LINEAR | MF96 | TMEASY},
  {VD_F_NUMBER(vd_tyre_def, vertical_damping, "vertical_damping", "N s/m", 0, 1e6, VD_AUTO, "auto", "vertical damping of one tyre, for levels from L3 on; auto: VERTICAL_DAMPING of a property file, else 0")},
  {VD_F_NUMBER(vd_tyre_def, relaxation_longitudinal, "relaxation_longitudinal", "m", 0, 5, VD_ABOVE, "0.15 m", "relaxation length of the slip ratio at small slip, for transient slip, where a property file has none; default: typical of a car tyre")},
  {VD_F_NUMBER(vd_tyre_def, relaxation_lateral, "relaxation_lateral", "m", 0, 5, VD_ABOVE, "0.6 m", "relaxation length of the slip angle at small slip, for transient slip, where a property file has none; default: typical of a car tyre")},
  {VD_F_CHOICE(vd_tyre_def, transient, "transient", transient_names, "relaxation", "what transient slip is: relaxation lengths, or the bristles of LuGre, with the same steady curve")},
  {VD_F_NUMBER(vd_tyre_def, bristle_damping, "bristle_damping", "s", 0, 1, VD_AUTO, "auto", "lugre: damping over stiffness of the bristles at standstill (sigma1/sigma0); auto: that of the standstill damper")},
};
/* clang-format on */

const vd_schema vd_tyre_schema = {
    .name = "tyre",
    .size = sizeof(vd_tyre_def),
    .field = tyre_fields,
    .count = VD_COUNT(tyre_fields),
    .tag = "model",
};

const char *vd_tyre_origin(const vd_tyre_def *def) {
  return def->origin ? def->origin : *def->file ? def->file : def->properties;
}

/* What the other parts ask of every tyre comes from the file: vertical stiffness at the nominal load. */
static void complete_mf(vd_tyre_def *def, const vd_node *root, const char *path, vd_arena *arena, vd_diag *d) {
  vd_mf_def *mf = vd_arena_alloc(arena, sizeof *mf);
  bool named = *def->file != '\0', given = *def->properties != '\0';
  def->origin = vd_tyre_origin(def);
  if (named == given) {
    vd_error(d, vd_tree_place_in(root, path, named ? "properties" : ""),
             "a tyre of model mf needs a 'file' or its text in 'properties'%s", named ? ", not both" : "");
    return;
  }
  if (named ? !vd_tir_read(def->file, vd_tree_place_in(root, path, "file"), d, mf)
            : !vd_tir_read_source(
                  vd_diag_add_source(d, "properties of a tyre", def->properties, strlen(def->properties)), d, mf))
    return;
  vd_buf text = {0};
  vd_tir_write(mf, &text);
  def->file = "";
  def->properties = vd_arena_copy(arena, text.text, text.length);
  vd_buf_finish(&text);
  vd_mf built;
  vd_mf_build(mf, VD_MF_LEFT, &built);
  def->mf = mf;
  if (isnan(def->pressure))
    def->pressure = built.pressure;
  if (isnan(def->vertical_damping))
    def->vertical_damping = mf->vertical_damping;
  const vd_mf_vertical still = {.pressure = def->pressure};
  vd_mf_deflection(&built, &still, mf->fnomin, &def->vertical_stiffness);
}

void vd_tyre_complete(vd_tyre_def *def, const vd_node *root, const char *path, vd_arena *arena, vd_diag *d) {
  if (def->model == VD_TYRE_LINEAR && isnan(def->longitudinal_stiffness))
    def->longitudinal_stiffness = 2.0 * def->cornering_stiffness;
  if (def->model == VD_TYRE_MF && !def->mf)
    complete_mf(def, root, path, arena, d);
  if (def->model != VD_TYRE_MF && isnan(def->vertical_damping))
    def->vertical_damping = 0.0;
}

static void check_mf96(const vd_tyre_def *def, const vd_node *root, const char *path, vd_diag *d) {
  vd_tyre tyre;
  vd_tyre_build(def, false, &tyre);
  const struct {
    const char *key;
    double peak;
  } curve[] = {{"longitudinal", tyre.kappa_peak}, {"lateral", tyre.alpha_peak}};
  for (size_t k = 0; k < VD_COUNT(curve); k++)
    if (!isfinite(curve[k].peak))
      vd_error(d, vd_tree_place_in(root, path, curve[k].key),
               "the %s curve has no peak: c must be > 1, and e below 1 or c > 1.56", curve[k].key);
}

static void check_tmeasy(const vd_tyre_def *def, const vd_node *root, const char *path, vd_diag *d) {
  const struct {
    const char *key;
    const vd_tmeasy_curve *curve;
  } all[] = {{"curve_longitudinal.nominal", &def->tmeasy_longitudinal.nominal},
             {"curve_longitudinal.double", &def->tmeasy_longitudinal.doubled},
             {"curve_lateral.nominal", &def->tmeasy_lateral.nominal},
             {"curve_lateral.double", &def->tmeasy_lateral.doubled}};
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
    /* at a light load slips go on along their line, forces along their parabola */
    bool nominal = i % 2 == 0;
    const vd_tmeasy_curve *b = nominal ? all[i + 1].curve : c;
    if (nominal && !(2.0 * c->s_max > b->s_max && 2.0 * c->s_slide > b->s_slide && 4.0 * c->df0 > b->df0 &&
                     4.0 * c->f_max > b->f_max && 4.0 * c->f_slide > b->f_slide))
      vd_error(d, vd_tree_place_in(root, path, all[i].key),
               "towards no load the curve vanishes: slips at double load must be below twice, forces below four times "
               "those at the nominal load");
  }
  if (!(def->trail_end > def->trail_zero))
    vd_error(d, vd_tree_place_in(root, path, "trail_end"), "trail_end (%g) must be above trail_zero (%g)",
             def->trail_end, def->trail_zero);
}

void vd_tyre_check(const vd_tyre_def *def, const vd_node *root, const char *path, vd_diag *d) {
  switch ((enum vd_tyre_model)def->model) {
  case VD_TYRE_LINEAR: break;
  case VD_TYRE_MF96: check_mf96(def, root, path, d); break;
  case VD_TYRE_TMEASY: check_tmeasy(def, root, path, d); break;
  case VD_TYRE_MF: break; /* by its reader */
  }
}
