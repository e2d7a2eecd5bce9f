/* A mesh as a ground. */
#include "ground/mesh_def.h"

#include "base/base.h"
#include "base/vec.h"
#include "ground/ground_impl.h"
#include "input/file.h"
#include "input/schema.h"

#include <math.h>

static const char *const normals_names[] = {"flat", "smooth", NULL};
const char *const vd_mesh_up_names[] = {"z", "y", NULL};

/* clang-format off */
static const vd_field rows[] = {
  {VD_F_PATH(vd_ground_def, mesh.file, "file", "\"\"", "OBJ file of a mesh"), .only = VD_WHEN(VD_GROUND_MESH),
   .example = "terrain.obj"},
  {VD_F_CHOICE(vd_ground_def, mesh.normals, "normals", normals_names, "flat",
     "normals of a mesh: of each triangle, or smooth from corner to corner"), .only = VD_WHEN(VD_GROUND_MESH)},
  {VD_F_CHOICE(vd_ground_def, mesh.up, "up", vd_mesh_up_names, "z", VD_MESH_UP_HELP),
   .flags = VD_OMIT_DEFAULT, .only = VD_WHEN(VD_GROUND_MESH)},
};
/* clang-format on */

static void complete(const vd_ground_context *ctx, vd_ground_def *def, vd_arena *arena) {
  vd_mesh_def *p = &def->mesh;
  vd_place place = vd_ground_place(ctx, "file");
  if (!p->file || !*p->file)
    vd_error(ctx->d, place, "the mesh has no file");
  else
    p->mesh = vd_mesh_read(p->file, place, (enum vd_mesh_normals)p->normals, (enum vd_mesh_up)p->up, arena, ctx->d);
  if (p->mesh)
    p->file = vd_file_full(arena, p->file);
}

static void build(const vd_ground_def *def, vd_ground_shape *shape) {
  shape->mesh = def->mesh.mesh;
}

static bool contact(const vd_ground *ground, const vd_disc *disc, int *hint, vd_contact_point *result) {
  return vd_mesh_contact(ground->as.mesh, disc, hint, result);
}

/* Finds the nearest point by two discs at right angles, in planes that contain `up`, because meshes are searched by
 * discs only. */
static bool nearest(const vd_ground *ground, const double *point, const double *up, double range,
                    vd_contact_point *result) {
  int hint = -1;
  bool any = false;
  double axle[2][3];
  vd_across(up, axle[0], axle[1]);
  for (int k = 0; k < 2; k++) {
    const vd_disc disc = {{point[0], point[1], point[2]}, {axle[k][0], axle[k][1], axle[k][2]}, range, NULL};
    vd_contact_point here;
    if (vd_mesh_contact(ground->as.mesh, &disc, &hint, &here) && !(any && here.reach > result->reach)) {
      *result = here;
      any = true;
    }
  }
  return any;
}

static bool top(const vd_ground *ground, double x, double y, vd_road *road) {
  const vd_mesh *mesh = ground->as.mesh;
  double low[3], high[3], normal[3], t;
  const double over = 1.0, level = 1e-6; /* m; z of a normal, below which the face is vertical */
  vd_mesh_bounds(mesh, low, high);
  double from[3] = {x, y, high[2] + over};
  if (!vd_mesh_ray(mesh, from, (const double[3]){0.0, 0.0, -1.0}, high[2] - low[2] + 2.0 * over, &t, normal) ||
      !(normal[2] > level))
    return false;
  *road = (vd_road){from[2] - t, -normal[0] / normal[2], -normal[1] / normal[2]};
  return true;
}

const vd_ground_variant vd_mesh_variant = {
    .rows = {.field = rows, .count = VD_COUNT(rows)},
    .surface = VD_SURFACE_HEIGHTS,
    .hinted = true,
    .complete = complete,
    .build = build,
    .contact = contact,
    .nearest = nearest,
    .top = top,
};
