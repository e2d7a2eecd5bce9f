/* Triangle meshes as surfaces: Wavefront OBJ files, a uniform grid over their triangles, wheels and rays on them. */
#ifndef VD_MESH_H
#define VD_MESH_H

#include "foot.h"
#include "tree.h"

/* How the direction of the surface goes over a triangle. */
enum vd_mesh_normals {
  VD_MESH_FLAT,   /* of the triangle: exact energy, kinks at the edges */
  VD_MESH_SMOOTH, /* between the corners' own, means over the triangles that meet there */
};

/* Built once, then const. Lives in the arena. */
typedef struct vd_mesh vd_mesh;

/* Reads `v` and `f` lines (1-based or negative indices, v, v/vt, v//vn, v/vt/vn; polygons as fans); other known statements are
 * passed over. All errors with their places in d: malformed numbers, NaN and infinities, missing or zero indices, faces of fewer
 * than three corners, degenerate faces, edges that more than two triangles share, nothing to drive on. NULL after errors. */
const vd_mesh *vd_mesh_read(const char *path, enum vd_mesh_normals normals, vd_arena *arena, vd_diag *d);
/* The same from a registered source (diag.h). */
const vd_mesh *vd_mesh_read_source(int source, enum vd_mesh_normals normals, vd_arena *arena, vd_diag *d);

size_t vd_mesh_triangles(const vd_mesh *mesh);
void vd_mesh_bounds(const vd_mesh *mesh, double *lowest, double *highest); /* m, corners of the box, world */

/* Either side of a triangle may be driven on: the normal is on the disc's. `hint` is the triangle on which a foot was found a
 * moment ago, or -1: the search goes from there over neighbouring triangles and the grid is asked only if that does not end; it is set
 * to the triangle found. False: none within the disc's radius of its centre (hint -1 then). */
bool vd_mesh_foot(const vd_mesh *mesh, const vd_disc *disc, int *hint, vd_foot *foot);

/* The first triangle that a ray meets: from + t way, 0 <= t <= limit, way of any length. The normal faces the ray's origin.
 * False: none. */
bool vd_mesh_ray(const vd_mesh *mesh, const double *from, const double *way, double limit, double *t, double *normal);

#endif
