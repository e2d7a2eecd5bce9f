/* Names, table rows and keys of all grounds. */
#include "ground/ground_impl.h"

#include "base/base.h"
#include "input/schema.h"

#define NAME_OF(value, name)     #name,
#define NAME(value, name, shape) #name,
#define KEYS_OF(value, name)     {VD_F_GROUP(&vd_##name##_variant.rows)},
#define KEYS(value, name, shape) KEYS_OF(value, name)
#define ROW_OF(value, name)      [VD_GROUND_##value] = &vd_##name##_variant,
#define ROW(value, name, shape)  ROW_OF(value, name)

static const vd_schema further_schema;

/* clang-format off */
const char *const vd_ground_type_names[] = {VD_GROUND_TYPES(NAME, NAME_OF) NULL};

static const vd_field ground_fields[] = {
  {VD_F_CHOICE(vd_ground_def, type, "type", vd_ground_type_names, "flat", "kind of ground")},
  {VD_F_NUMBER(vd_ground_def, friction, "friction", "1", 0, 5, VD_ABOVE, "1",
     "factor on the tyre's friction coefficient")},
  VD_GROUND_TYPES(KEYS, KEYS_OF)
  {VD_F_STRUCTS(vd_ground_def, patches, "patches", "1", &vd_patch_schema, "[]",
     "areas of different friction; later ones cover earlier ones")},
  {VD_F_STRUCTS(vd_ground_def, also, "also", "1", &further_schema, "[]",
     "further grounds, with the same keys except `also`; a wheel stands on the nearest one"),
   .flags = VD_FILE,
   .example = "[{type: bump, at: 20 m, height: 8 cm, length: 0.6 m}]"},
};

static const vd_ground_variant *const variants[] = {VD_GROUND_TYPES(ROW, ROW_OF)};
/* clang-format on */

/* The rows of ground_fields without the last, `also`. */
static const vd_schema further_schema = {
    .name = "ground",
    .size = sizeof(vd_ground_def),
    .field = ground_fields,
    .count = VD_COUNT(ground_fields) - 1,
    .tag = "type",
};

const vd_schema vd_ground_schema = {.name = "ground", VD_SCHEMA_ROWS(vd_ground_def, ground_fields), .tag = "type"};

const vd_ground_variant *vd_ground_variant_of(const vd_ground_def *def) {
  return variants[def->type];
}
