/* What a file says of a ground of triangles. */
#ifndef VD_MESH_DEF_H
#define VD_MESH_DEF_H

#include "base/arena.h"
#include "ground/mesh.h"
#include "input/diag.h"

typedef struct vd_mesh_def {
  const char *file;    /* OBJ */
  int normals;         /* enum vd_mesh_normals */
  int up;              /* enum vd_mesh_up */
  const vd_mesh *mesh; /* read by vd_ground_complete; no key */
} vd_mesh_def;

/* Which coordinate of the file points upwards: with y x stays, and -z becomes y. */
enum vd_mesh_up { VD_MESH_UP_Z, VD_MESH_UP_Y };
extern const char *const vd_mesh_up_names[];
#define VD_MESH_UP_HELP "which coordinate of the file points upwards; with y its x stays x, and its -z becomes y"

/* Reads a Wavefront OBJ file: `v` and `f` lines (1-based or negative indices, v, v/vt, v//vn, v/vt/vn; polygons as
 * fans); other known statements are passed over. All errors with their places in d: malformed numbers, NaN and
 * infinities, missing or zero indices, faces of fewer than three corners, edges that more than two triangles share,
 * nothing to drive on. Faces without area (lower than 1e-6 of their longest edge) and repeated ones are left out, with
 * a warning; another says that the up of a mesh seems to be y. Triangles are
 * neighbours by the numbers of their vertices: where a vertex is given twice the mesh ends, and goes on; that costs
 * time, and smooth normals bend there, but no foot is lost. NULL after errors; `at` is where the file is named. */
const vd_mesh *vd_mesh_read(const char *path, vd_place at, enum vd_mesh_normals normals, enum vd_mesh_up up,
                            vd_arena *arena, vd_diag *d);
/* As vd_mesh_read, from a registered source (diag.h). */
const vd_mesh *vd_mesh_read_source(int source, enum vd_mesh_normals normals, enum vd_mesh_up up, vd_arena *arena,
                                   vd_diag *d);

#endif
