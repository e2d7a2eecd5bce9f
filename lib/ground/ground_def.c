/* What may be asked of a ground, and checks across it. */
#include "ground/ground_impl.h"

#include "base/base.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#define WHEN VD_WHEN

enum {
  WAVY = WHEN(VD_GROUND_SWEEP) | WHEN(VD_GROUND_WASHBOARD),
  OBSTACLES = WHEN(VD_GROUND_BUMP) | WHEN(VD_GROUND_STEP) | WAVY,
  SLOPING = ((1u << (VD_GROUND_POTHOLES + 1)) - 1u) & ~WHEN(VD_GROUND_FLAT),
  TURNS = WHEN(VD_GROUND_BANKED) | WHEN(VD_GROUND_OVAL),
  SOLIDS = WHEN(VD_GROUND_RAMP) | WHEN(VD_GROUND_CLIFF) | WHEN(VD_GROUND_LOOP),
  BEGINS = WHEN(VD_GROUND_BUMP) | WHEN(VD_GROUND_STEP) | WHEN(VD_GROUND_SWEEP) | WHEN(VD_GROUND_OVAL) | SOLIDS,
  HIGH = WHEN(VD_GROUND_BUMP) | WHEN(VD_GROUND_STEP) | WHEN(VD_GROUND_RAMP),
  WAVES = WHEN(VD_GROUND_ROUGH) | WHEN(VD_GROUND_WASHBOARD),
  LONG = WHEN(VD_GROUND_BUMP) | WHEN(VD_GROUND_SWEEP) | WHEN(VD_GROUND_POTHOLES) | WHEN(VD_GROUND_OVAL) |
         WHEN(VD_GROUND_RAMP),
  WIDE = WHEN(VD_GROUND_POTHOLES) | WHEN(VD_GROUND_OVAL) | WHEN(VD_GROUND_LOOP),
  ROUND = TURNS | WHEN(VD_GROUND_LOOP),
  WAVE_NUMBERS = WHEN(VD_GROUND_ISO8608) | WHEN(VD_GROUND_SWEEP),
  FILED = WHEN(VD_GROUND_HEIGHTMAP) | WHEN(VD_GROUND_MESH),
  EDGED = WHEN(VD_GROUND_STEP) | WHEN(VD_GROUND_POTHOLES) | WAVY,
};

const char *const vd_ground_type_names[] = {"flat", "inclined", "rough",     "iso8608",  "heightmap", "bump",
                                            "step", "sweep",    "washboard", "potholes", "banked",    "oval",
                                            "ramp", "cliff",    "loop",      "none",     "mesh",      NULL};
static const char *const class_names[] = {"A", "B", "C", "D", "E", "F", "G", "H", NULL};
static const char *const coherence_names[] = {"none", "full", "measured", NULL};
static const char *const interpolation_names[] = {"bilinear", "bicubic", NULL};
static const char *const normals_names[] = {"flat", "smooth", NULL};

#define FAR VD_GROUND_FAR

static const vd_schema further_schema;

/* clang-format off */
static const vd_field ground_fields[] = {
  {VD_F_CHOICE(vd_ground_def, type, "type", vd_ground_type_names, "flat", "kind of ground")},
  {VD_F_NUMBER(vd_ground_def, friction, "friction", "1", 0, 5, VD_ABOVE, "1", "factor on the tyre's friction coefficient")},
  {VD_F_NUMBER(vd_ground_def, grade, "grade", "rad", -1, 1, 0, "0", "slope along world x, uphill > 0"), .only = SLOPING},
  {VD_F_NUMBER(vd_ground_def, bank, "bank", "rad", -1, 1, 0, "0", "slope along world y, left side up > 0; of a turn or oval outside up > 0"), .only = SLOPING | TURNS},
  {VD_F_NUMBER(vd_ground_def, at, "at", "m", -FAR, FAR, 0, NULL, "world x at which it begins"), .only = BEGINS},
  {VD_F_NUMBER(vd_ground_def, x_from, "x_from", "m", -FAR, FAR, 0, NULL, "world x at which it begins"), .only = WHEN(VD_GROUND_WASHBOARD)},
  {VD_F_NUMBER(vd_ground_def, x_to, "x_to", "m", -FAR, FAR, 0, NULL, "world x at which it ends"), .only = WHEN(VD_GROUND_WASHBOARD)},
  {VD_F_CORNERS(vd_ground_def, places, "places", "m", -FAR, FAR, NULL, "middles [x, y] of the potholes, world; they must not overlap"), .only = WHEN(VD_GROUND_POTHOLES)},
  {VD_F_NUMBER(vd_ground_def, height, "height", "m", -20, 20, 0, NULL, "height; < 0: a dip, a drop, but of a ramp"), .only = HIGH},
  {VD_F_NUMBER(vd_ground_def, depth, "depth", "m", 0, 1, VD_ABOVE, NULL, "depth of a pothole"), .only = WHEN(VD_GROUND_POTHOLES)},
  {VD_F_NUMBER(vd_ground_def, amplitude, "amplitude", "m", 0, 10, VD_ABOVE, NULL, "peak over the plane; half of peak to peak"), .only = WAVES | WHEN(VD_GROUND_SWEEP)},
  {VD_F_NUMBER(vd_ground_def, wavelength, "wavelength", "m", 0, 1e4, VD_ABOVE, NULL, "length of a wave; of rough the longer one, the other has 0.37 of it and half the height"), .only = WAVES},
  {VD_F_NUMBER(vd_ground_def, length, "length", "m", 0, 1e5, VD_ABOVE | VD_AUTO, "auto", "length along x; of an oval's straights; of a random road after which it repeats, auto: 1000 m; the others need it"), .only = LONG | WHEN(VD_GROUND_ISO8608)},
  {VD_F_NUMBER(vd_ground_def, width, "width", "m", 0, 100, VD_ABOVE, NULL, "width across the road"), .only = WIDE},
  {VD_F_NUMBER(vd_ground_def, edge, "edge", "m", 0, 1e3, VD_ABOVE | VD_AUTO, "auto", "length over which a step rises, or a pothole (to the sides too) or wave sets in; auto: 0.2 m, of a wave one period, where there is room"), .only = EDGED},
  {VD_F_NUMBER(vd_ground_def, y_from, "y_from", "m", -FAR, FAR, VD_AUTO, "auto", "right side, world y; auto: unbounded"), .only = OBSTACLES | WHEN(VD_GROUND_RAMP)},
  {VD_F_NUMBER(vd_ground_def, y_to, "y_to", "m", -FAR, FAR, VD_AUTO, "auto", "left side, world y; auto: unbounded"), .only = OBSTACLES | WHEN(VD_GROUND_RAMP)},
  {VD_F_NUMBER(vd_ground_def, side_edge, "side_edge", "m", 0, 1e3, VD_ABOVE, "0.2", "width over which it ends at a side, centred on it"), .only = OBSTACLES | TURNS},
  {VD_F_CHOICE(vd_ground_def, road_class, "class", class_names, "C", "class of ISO 8608"), .only = WHEN(VD_GROUND_ISO8608)},
  {VD_F_NUMBER(vd_ground_def, roughness, "roughness", "m3", 0, 1, VD_ABOVE | VD_AUTO, "auto", "displacement spectral density at 0.1 cycles/m; auto: of the class"), .only = WHEN(VD_GROUND_ISO8608)},
  {VD_F_NUMBER(vd_ground_def, waviness, "waviness", "1", 1, 4, 0, "2", "power by which the density falls over the wave number"), .only = WHEN(VD_GROUND_ISO8608)},
  {VD_F_NUMBER(vd_ground_def, n_from, "n_from", "1/m", 0, 20, VD_ABOVE | VD_AUTO, "auto", "first wave number, cycles; auto: 0.011, a sweep needs it"), .only = WAVE_NUMBERS},
  {VD_F_NUMBER(vd_ground_def, n_to, "n_to", "1/m", 0, 20, VD_ABOVE | VD_AUTO, "auto", "last wave number, cycles; auto: 4, a sweep needs it"), .only = WAVE_NUMBERS},
  {VD_F_FLAG(vd_ground_def, logarithmic, "logarithmic", "false", "the wave number grows exponentially instead of linearly"), .only = WHEN(VD_GROUND_SWEEP)},
  {VD_F_FLAG(vd_ground_def, constant_slope, "constant_slope", "false", "the amplitude is that of the first wave and falls as the wave number rises"), .only = WHEN(VD_GROUND_SWEEP)},
  {VD_F_INTEGER(vd_ground_def, seed, "seed", 0, 2147483647, "1", "number that the road is drawn from"), .only = WHEN(VD_GROUND_ISO8608)},
  {VD_F_CHOICE(vd_ground_def, coherence, "coherence", coherence_names, "measured", "of the left and the right profile: independent, equal, or falling over the wave number as measured"), .only = WHEN(VD_GROUND_ISO8608)},
  {VD_F_NUMBER(vd_ground_def, track, "track", "m", 0.1, 10, 0, "1.55", "distance of the left and the right profile"), .only = WHEN(VD_GROUND_ISO8608)},
  {VD_F_PATH(vd_ground_def, file, "file", "\"\"", "CSV file of heights: columns x_m, y_m and z_m, a row for each place of an even grid; OBJ file of a mesh"), .only = FILED},
  {VD_F_NUMBERS(vd_ground_def, x_values, "x_values", "m", -FAR, FAR, 0, "[]", "x of the grid instead of a file, evenly rising"), .only = WHEN(VD_GROUND_HEIGHTMAP)},
  {VD_F_NUMBERS(vd_ground_def, y_values, "y_values", "m", -FAR, FAR, 0, "[]", "y of the grid, evenly rising"), .only = WHEN(VD_GROUND_HEIGHTMAP)},
  {VD_F_NUMBERS(vd_ground_def, heights, "heights", "m", -1e4, 1e4, 0, "[]", "heights, all of the first y_values before those of the second"), .only = WHEN(VD_GROUND_HEIGHTMAP)},
  {VD_F_CHOICE(vd_ground_def, interpolation, "interpolation", interpolation_names, "bicubic", "between the heights; bilinear has kinks"), .only = WHEN(VD_GROUND_HEIGHTMAP)},
  {VD_F_NUMBER(vd_ground_def, x, "x", "m", -FAR, FAR, 0, NULL, "middle of the turn, world"), .only = WHEN(VD_GROUND_BANKED)},
  {VD_F_NUMBER(vd_ground_def, y, "y", "m", -FAR, FAR, 0, NULL, "middle of the turn; of the lane into the loop; of the oval's first straight, the others to its left; world"), .only = ROUND},
  {VD_F_NUMBER(vd_ground_def, z, "z", "m", -1e4, 1e4, 0, "0", "height where it begins, world"), .only = SOLIDS},
  {VD_F_NUMBER(vd_ground_def, radius, "radius", "m", 2, 1e5, 0, NULL, "radius, of the middle of the road"), .only = ROUND},
  {VD_F_NUMBER(vd_ground_def, inner, "inner", "m", 0, 1e5, VD_AUTO, "auto", "radius inside which the turn is level; auto: a cone down to the middle"), .only = WHEN(VD_GROUND_BANKED)},
  {VD_F_NUMBER(vd_ground_def, outer, "outer", "m", 0, 1e5, VD_AUTO, "auto", "radius outside which the turn is level; auto: unbounded"), .only = WHEN(VD_GROUND_BANKED)},
  {VD_F_NUMBER(vd_ground_def, transition, "transition", "m", 0, 1e4, VD_ABOVE, NULL, "length over which the bank sets in at the end of a straight"), .only = WHEN(VD_GROUND_OVAL)},
  {VD_F_NUMBER(vd_ground_def, lip, "lip", "m", 0, 1e4, 0, "0", "level length behind the rise"), .only = WHEN(VD_GROUND_RAMP)},
  {VD_F_NUMBER(vd_ground_def, drop, "drop", "m", 0, 1e3, VD_ABOVE, NULL, "depth of the cliff"), .only = WHEN(VD_GROUND_CLIFF)},
  {VD_F_NUMBER(vd_ground_def, entry, "entry", "m", 0, 1e3, 0, "0", "length of the clothoids at both ends of a loop; 0: a circle"), .only = WHEN(VD_GROUND_LOOP)},
  {VD_F_NUMBER(vd_ground_def, offset, "offset", "m", -1e3, 1e3, 0, NULL, "from the lane into the loop to the lane out of it, to the left > 0"), .only = WHEN(VD_GROUND_LOOP)},
  {VD_F_CHOICE(vd_ground_def, normals, "normals", normals_names, "flat", "direction of a mesh: of each triangle, or smooth from corner to corner"), .only = WHEN(VD_GROUND_MESH)},
  {VD_F_STRUCTS(vd_ground_def, patches, "patches", "1", &vd_patch_schema, "[]", "areas of other friction, later ones on top")},
  {VD_F_STRUCTS(vd_ground_def, also, "also", "1", &further_schema, "[]", "further grounds, with the same keys but this one; a wheel stands on the nearest"), .flags = VD_FILE},
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

bool vd_ground_sloping(int type) {
  return (SLOPING & WHEN(type)) != 0;
}

static void read_mesh(const vd_ground_context *ctx, vd_ground_def *def, vd_arena *arena) {
  vd_place place = vd_tree_place_in(ctx->root, ctx->path, "file");
  struct stat status;
  if (!def->file || !*def->file)
    vd_error(ctx->d, place, "the mesh has no file");
  else if (stat(def->file, &status) != 0)
    vd_error(ctx->d, place, "cannot read '%s': %s", def->file, strerror(errno));
  else if (!S_ISREG(status.st_mode)) /* it could keep us waiting for ever */
    vd_error(ctx->d, place, "cannot read '%s': not a regular file", def->file);
  else
    def->mesh = vd_mesh_read(def->file, (enum vd_mesh_normals)def->normals, arena, ctx->d);
}

static void complete(const vd_ground_context *ctx, vd_ground_def *def, vd_arena *arena) {
  vd_relief_complete(def);
  vd_strip_complete(def);
  if (def->type == VD_GROUND_ISO8608)
    vd_iso8608_complete(def, arena);
  else if (def->type == VD_GROUND_HEIGHTMAP)
    vd_map_complete(ctx, def, arena);
  else if (def->type == VD_GROUND_MESH)
    read_mesh(ctx, def, arena);
}

static const char *path_of(const char *path, size_t index, vd_buf *text) {
  vd_buf_printf(text, "%s%salso.%zu", path, *path ? "." : "", index);
  return text->text;
}

/* The list was read into the arena. */
void vd_ground_complete(vd_ground_def *def, const vd_node *root, const char *path, vd_arena *arena, vd_diag *d) {
  enum { MOST = 100 };
  const vd_ground_context ctx = {root, path, d};
  if (def->also.count > MOST) {
    vd_error(d, vd_tree_place_in(root, path, "also"), "%zu further grounds; at most %d", def->also.count, (int)MOST);
    def->also.count = 0;
  }
  vd_ground_def *also = (vd_ground_def *)(uintptr_t)def->also.item;
  vd_ground *others = def->also.count > 0 ? vd_arena_alloc(arena, def->also.count * sizeof *others) : NULL;
  complete(&ctx, def, arena);
  for (size_t i = 0; i < def->also.count; i++) {
    vd_buf text = {0};
    const vd_ground_context own = {root, path_of(path, i, &text), d};
    complete(&own, &also[i], arena);
    vd_ground_build(&also[i], &others[i]);
    vd_buf_finish(&text);
  }
  def->others = others;
}

/* What is auto for a random road only. */
static bool check_given(const vd_ground_context *ctx, const vd_ground_def *def) {
  const struct {
    const char *key;
    double value;
    unsigned types;
  } needed[] = {
      {"length", def->length, LONG},
      {"n_from", def->n_from, VD_WHEN(VD_GROUND_SWEEP)},
      {"n_to", def->n_to, VD_WHEN(VD_GROUND_SWEEP)},
  };
  bool given = true;
  for (size_t i = 0; i < VD_COUNT(needed); i++)
    if ((needed[i].types & VD_WHEN(def->type)) && isnan(needed[i].value)) {
      vd_error(ctx->d, vd_tree_place_in(ctx->root, ctx->path, needed[i].key), "ground '%s' needs '%s'",
               vd_ground_type_names[def->type], needed[i].key);
      given = false;
    }
  return given;
}

static void check(const vd_ground_context *ctx, const vd_ground_def *def) {
  if (def->type == VD_GROUND_ISO8608)
    vd_iso8608_check(ctx, def);
  else if (check_given(ctx, def))
    vd_relief_check(ctx, def);
  vd_patch_check(def, ctx->root, ctx->path, ctx->d);
}

void vd_ground_check(const vd_ground_def *def, const vd_node *root, const char *path, vd_diag *d) {
  const vd_ground_context ctx = {root, path, d};
  const vd_ground_def *also = def->also.item;
  check(&ctx, def);
  for (size_t i = 0; i < def->also.count; i++) {
    vd_buf text = {0};
    const vd_ground_context own = {root, path_of(path, i, &text), d};
    check(&own, &also[i]);
    vd_buf_finish(&text);
  }
}
