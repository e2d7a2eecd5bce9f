/* The rows of all tyre models, and their keys. */
#include "tyre/tyre_impl.h"

#include "input/schema.h"

#define NAME(value, name, ...)                      name,
#define KEYS(value, name, member, ...)              {VD_F_GROUP(&vd_##member##_variant.rows)},
#define ALSO_ROW(value, name, member)               [VD_TYRE_##value] = &vd_##member##_variant,
#define ROW(value, name, member, shape, def, lanes) ALSO_ROW(value, name, member)

static const char *const transient_names[] = {"relaxation", "lugre", NULL};

/* clang-format off */
static const char *const model_names[] = {VD_TYRE_MODELS(NAME, NAME) NULL};

static const vd_field rows[] = {
  {VD_F_CHOICE(vd_tyre_def, model, "model", model_names, NULL, "tyre model")},
  {VD_F_STRING(vd_tyre_def, name, "name", "\"\"", "name for readers")},
  {VD_F_STRING(vd_tyre_def, source, "source", "\"\"", "source of the parameters")},
  {VD_F_ESTIMATES(vd_tyre_def, estimates)},
  VD_TYRE_MODELS(KEYS, VD_TYRE_NOT_IN)
  {VD_F_NUMBER(vd_tyre_def, common.vertical_damping, "vertical_damping", "N s/m", 0, 1e6, VD_AUTO, "auto",
     "vertical damping of one tyre, from L3 on; auto: VERTICAL_DAMPING of a property file, otherwise 0")},
  {VD_F_NUMBER(vd_tyre_def, common.relaxation_longitudinal, "relaxation_longitudinal", "m", 0, 5, VD_ABOVE, "0.15 m",
     "relaxation length of the slip ratio at small slip, for transient slip, if the property file has none; default: "
     "typical of a car tyre")},
  {VD_F_NUMBER(vd_tyre_def, common.relaxation_lateral, "relaxation_lateral", "m", 0, 5, VD_ABOVE, "0.6 m",
     "relaxation length of the slip angle at small slip, for transient slip, if the property file has none; default: "
     "typical of a car tyre")},
  {VD_F_CHOICE(vd_tyre_def, common.transient, "transient", transient_names, "relaxation",
     "model of transient slip: relaxation lengths, or the bristles of LuGre, with the same steady curve")},
  {VD_F_NUMBER(vd_tyre_def, common.bristle_damping, "bristle_damping", "s", 0, 1, VD_AUTO, "auto",
     "lugre: damping of the bristles divided by their stiffness, at standstill (sigma1/sigma0); auto: time of the "
     "standstill damper")},
};

static const vd_tyre_variant *const variants[] = {VD_TYRE_MODELS(ROW, ALSO_ROW)};
/* clang-format on */

const vd_schema vd_tyre_schema = {.name = "tyre", VD_SCHEMA_ROWS(vd_tyre_def, rows), .tag = "model"};

VD_WIDE const vd_tyre_variant *vd_tyre_variant_of(enum vd_tyre_model model) {
  return variants[model];
}
