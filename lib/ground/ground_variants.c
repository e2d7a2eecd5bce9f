/* The list of grounds: names, keys, and which variant belongs to a type. */
#include "ground/ground_impl.h"

#include "base/base.h"
#include "input/schema.h"

/* clang-format off */
const char *const vd_ground_type_names[] = {
  [VD_GROUND_FLAT] = "flat",
  [VD_GROUND_INCLINED] = "inclined",
  [VD_GROUND_ROUGH] = "rough",
  [VD_GROUND_ISO8608] = "iso8608",
  [VD_GROUND_HEIGHTMAP] = "heightmap",
  [VD_GROUND_BUMP] = "bump",
  [VD_GROUND_STEP] = "step",
  [VD_GROUND_SWEEP] = "sweep",
  [VD_GROUND_WASHBOARD] = "washboard",
  [VD_GROUND_POTHOLES] = "potholes",
  [VD_GROUND_BANKED] = "banked",
  [VD_GROUND_OVAL] = "oval",
  [VD_GROUND_RAMP] = "ramp",
  [VD_GROUND_CLIFF] = "cliff",
  [VD_GROUND_LOOP] = "loop",
  [VD_GROUND_NONE] = "none",
  [VD_GROUND_MESH] = "mesh",
  [VD_GROUND_CRG] = "crg",
  NULL,
};
/* clang-format on */

static const vd_schema further_schema;

/* clang-format off */
static const vd_field ground_fields[] = {
  {VD_F_CHOICE(vd_ground_def, type, "type", vd_ground_type_names, "flat", "kind of ground")},
  {VD_F_NUMBER(vd_ground_def, friction, "friction", "1", 0, 5, VD_ABOVE, "1", "factor on the tyre's friction coefficient")},
  {VD_F_GROUP(&vd_inclined_variant.rows)},
  {VD_F_GROUP(&vd_rough_variant.rows)},
  {VD_F_GROUP(&vd_iso8608_variant.rows)},
  {VD_F_GROUP(&vd_heightmap_variant.rows)},
  {VD_F_GROUP(&vd_bump_variant.rows)},
  {VD_F_GROUP(&vd_step_variant.rows)},
  {VD_F_GROUP(&vd_wave_sweep_variant.rows)},
  {VD_F_GROUP(&vd_washboard_variant.rows)},
  {VD_F_GROUP(&vd_potholes_variant.rows)},
  {VD_F_GROUP(&vd_banked_variant.rows)},
  {VD_F_GROUP(&vd_oval_variant.rows)},
  {VD_F_GROUP(&vd_ramp_variant.rows)},
  {VD_F_GROUP(&vd_cliff_variant.rows)},
  {VD_F_GROUP(&vd_loop_variant.rows)},
  {VD_F_GROUP(&vd_mesh_variant.rows)},
  {VD_F_GROUP(&vd_crg_variant.rows)},
  {VD_F_STRUCTS(vd_ground_def, patches, "patches", "1", &vd_patch_schema, "[]", "areas of different friction; later ones cover earlier ones")},
  {VD_F_STRUCTS(vd_ground_def, also, "also", "1", &further_schema, "[]", "further grounds, with the same keys but this one; a wheel stands on the nearest"), .flags = VD_FILE,
   .example = "[{type: bump, at: 20 m, height: 8 cm, length: 0.6 m}]"},
};
/* clang-format on */

/* The last row is `also`. */
static const vd_schema further_schema = {
    .name = "ground",
    .size = sizeof(vd_ground_def),
    .field = ground_fields,
    .count = VD_COUNT(ground_fields) - 1,
    .tag = "type",
};

const vd_schema vd_ground_schema = {
    .name = "ground",
    .size = sizeof(vd_ground_def),
    .field = ground_fields,
    .count = VD_COUNT(ground_fields),
    .tag = "type",
};

const vd_ground_variant *vd_ground_variant_of(const vd_ground_def *def) {
  switch ((enum vd_ground_type)def->type) {
  case VD_GROUND_FLAT: return &vd_flat_variant;
  case VD_GROUND_INCLINED: return &vd_inclined_variant;
  case VD_GROUND_ROUGH: return &vd_rough_variant;
  case VD_GROUND_ISO8608: return &vd_iso8608_variant;
  case VD_GROUND_HEIGHTMAP: return &vd_heightmap_variant;
  case VD_GROUND_BUMP: return &vd_bump_variant;
  case VD_GROUND_STEP: return &vd_step_variant;
  case VD_GROUND_SWEEP: return &vd_wave_sweep_variant;
  case VD_GROUND_WASHBOARD: return &vd_washboard_variant;
  case VD_GROUND_POTHOLES: return &vd_potholes_variant;
  case VD_GROUND_BANKED: return &vd_banked_variant;
  case VD_GROUND_OVAL: return &vd_oval_variant;
  case VD_GROUND_RAMP: return &vd_ramp_variant;
  case VD_GROUND_CLIFF: return &vd_cliff_variant;
  case VD_GROUND_LOOP: return &vd_loop_variant;
  case VD_GROUND_NONE: return &vd_none_variant;
  case VD_GROUND_MESH: return &vd_mesh_variant;
  case VD_GROUND_CRG: return &vd_crg_variant;
  }
  return NULL;
}
