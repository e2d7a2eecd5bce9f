/* The keys of a ground of triangles. */
#ifndef VD_MESH_DEF_H
#define VD_MESH_DEF_H

#include "base/arena.h"
#include "ground/mesh.h"
#include "input/diag.h"

typedef struct vd_mesh_def {
  const char *file;    /* OBJ */
  int normals;         /* enum vd_mesh_normals */
  int up;              /* enum vd_mesh_up */
  const vd_mesh *mesh; /* not a key: read by vd_ground_complete */
} vd_mesh_def;

/* Coordinate of the file that points upwards. With y, x of the file remains x, and -z of the file becomes y. */
enum vd_mesh_up { VD_MESH_UP_Z, VD_MESH_UP_Y };
extern const char *const vd_mesh_up_names[];
#define VD_MESH_UP_HELP "which coordinate of the file points upwards; with y its x stays x, and its -z becomes y"

/* Reads a Wavefront OBJ file: `v` and `f` lines (1-based or negative indices, v, v/vt, v//vn, v/vt/vn; polygons as
 * fans); other known statements are ignored. Errors: malformed numbers, NaN and infinities, missing or zero indices,
 * faces with fewer than three corners, edges that more than two triangles share, no face with an area. Faces without
 * area (height below 1e-6 of the longest edge) and repeated faces are left out, with a warning. Another warning says
 * that the upward axis seems to be the other one. Triangles are neighbours if they have the same vertex numbers. Where
 * a vertex is given twice, the mesh has two borders: this costs time and smooth normals are not continuous there, but
 * every contact is found. NULL after errors; `at`: place of the file's name. */
const vd_mesh *vd_mesh_read(const char *path, vd_place at, enum vd_mesh_normals normals, enum vd_mesh_up up,
                            vd_arena *arena, vd_diag *d);
/* Like vd_mesh_read, from a registered source (diag.h). */
const vd_mesh *vd_mesh_read_source(int source, enum vd_mesh_normals normals, enum vd_mesh_up up, vd_arena *arena,
                                   vd_diag *d);

#endif
