/* Makes a ground from the keys of a file: completes and checks them, and builds the ground. */
#include "ground/ground_impl.h"

#include "base/base.h"
#include "base/elementary.h"

#include <math.h>

static const char *path_of(const char *path, size_t index, vd_buf *text) {
  vd_buf_printf(text, "%s%salso.%zu", path, *path ? "." : "", index);
  return text->text;
}

static void complete(const vd_ground_context *ctx, vd_ground_def *def, vd_arena *arena) {
  const vd_ground_variant *variant = vd_ground_variant_of(def);
  if (variant->complete)
    variant->complete(ctx, def, arena);
}

void vd_ground_complete(vd_ground_def *def, const vd_node *root, const char *path, vd_arena *arena, vd_diag *d) {
  enum { MOST = 100 };
  const vd_ground_context ctx = {root, path, d};
  if (def->also.count > MOST) {
    vd_error(d, vd_ground_place(&ctx, "also"), "%zu further grounds; at most %d", def->also.count, (int)MOST);
    def->also.count = 0;
  }
  vd_ground_def *also = def->also.item;
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

static void check(const vd_ground_context *ctx, const vd_ground_def *def) {
  const vd_ground_variant *variant = vd_ground_variant_of(def);
  if (variant->check)
    variant->check(ctx, def);
  vd_patch_check(ctx, def);
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

/* Builds the plane and its heights. A slope of 0 gives exact axes, so that a straight run on level ground stays on the
 * x axis to the last bit. */
void vd_ground_build(const vd_ground_def *def, vd_ground *ground) {
  static const vd_box everywhere = {{-INFINITY, INFINITY}, {-INFINITY, INFINITY}};
  const vd_ground_variant *variant = vd_ground_variant_of(def);
  double p = vd_tan(def->grade), q = vd_tan(def->bank);
  double n = sqrt(1.0 + p * p + q * q), a = sqrt(1.0 + p * p);

  *ground = (vd_ground){
      .along = {1.0 / a, 0.0, p / a},
      .normal = {-p / n, -q / n, 1.0 / n},
      /* cross product of normal and along */
      .across = {-q * p / (n * a), (1.0 + p * p) / (n * a), q / (n * a)},
      .weight = VD_GRAVITY / n,
      .slope_x = p,
      .slope_y = q,
      .friction = def->friction,
      .patch = def->patches.item,
      .patches = def->patches.count,
      .raise = variant->raise,
      .raise_four = variant->raise_four,
      .solid = variant->contact != NULL,
      .other = def->others,
      .others = def->also.count,
      .variant = variant,
      .type = (enum vd_ground_type)def->type,
  };
  ground->pull_along = -VD_GRAVITY * ground->along[2];
  ground->pull_across = -VD_GRAVITY * ground->across[2];
  if (variant->build)
    variant->build(def, &ground->as);
  else
    ground->as = def->as;
  ground->steepest = variant->steepest ? variant->steepest(ground) : VD_GROUND_STEEPEST;
  if (variant->curvature)
    variant->curvature(ground, &everywhere, &ground->curvature);
}

double vd_ground_shortest_wave(const vd_ground_def *def, size_t also, const char **key) {
  const vd_ground_def *one = also == 0 ? def : (const vd_ground_def *)def->also.item + also - 1;
  const vd_ground_variant *variant = vd_ground_variant_of(one);
  *key = variant->waves.key ? variant->waves.key : "type";
  if (!variant->waves.key)
    return INFINITY;
  double value = *(const double *)(const void *)((const char *)one + variant->waves.offset);
  return variant->waves.share > 0.0 ? variant->waves.share * value : 1.0 / value;
}

enum vd_surface vd_ground_surface(const vd_ground_def *def, int *type) {
  const vd_ground_def *also = def->also.item;
  enum vd_surface most = vd_ground_variant_of(def)->surface;
  *type = def->type;
  if (def->also.count > 0 && most < VD_SURFACE_HEIGHTS)
    most = VD_SURFACE_HEIGHTS; /* a wheel stands on the nearest of several surfaces, which together are no plane */
  for (size_t i = 0; i < def->also.count; i++)
    if (vd_ground_variant_of(&also[i])->surface > most) {
      most = vd_ground_variant_of(&also[i])->surface;
      *type = also[i].type;
    }
  return most;
}
