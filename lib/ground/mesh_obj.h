/* Meshes from Wavefront OBJ files. */
#ifndef VD_MESH_OBJ_H
#define VD_MESH_OBJ_H

#include "ground/mesh.h"
#include "base/arena.h"
#include "input/diag.h"

/* Reads `v` and `f` lines (1-based or negative indices, v, v/vt, v//vn, v/vt/vn; polygons as fans); other known
 * statements are passed over. All errors with their places in d: malformed numbers, NaN and infinities, missing or zero
 * indices, faces of fewer than three corners, degenerate faces (lower than 1e-6 of their longest edge), repeated faces,
 * edges that more than two triangles share, nothing to drive on. Triangles are neighbours by the numbers of their
 * vertices: where a vertex is given twice the mesh ends, and goes on; that costs time, and smooth normals bend there,
 * but no foot is lost. NULL after errors. */
const vd_mesh *vd_mesh_read(const char *path, enum vd_mesh_normals normals, vd_arena *arena, vd_diag *d);
/* Reads a mesh as vd_mesh_read does, from a registered source (diag.h). */
const vd_mesh *vd_mesh_read_source(int source, enum vd_mesh_normals normals, vd_arena *arena, vd_diag *d);

#endif
