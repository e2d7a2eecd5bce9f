/* Triangle meshes as surfaces: Wavefront OBJ files, a uniform grid over their triangles, wheels and rays on them. */
#ifndef VD_MESH_H
#define VD_MESH_H

#include "ground/foot.h"

#include <stdbool.h>
#include <stddef.h>

/* How the direction of the surface goes over a triangle. The foot is that of the flat triangles either way.
 *
 * FLAT: the normal is that of the triangle; across an edge that stands out it turns with the direction to the centre.
 * The reach is a potential (foot.h), but a car on a coarse curve feels the edges. SMOOTH: the normal lies between those
 * of the corners, which are means over the triangles that meet there; an edge with a bend sharper than 30 deg, or at
 * the end of the mesh, stays an edge. The direction is steady, but no longer the gradient of the reach: with it a
 * spring does work off by up to the angle between the two normals, half the bend of an edge, times force and way along
 * the surface; it changes its sign from one half of a triangle to the other. */
enum vd_mesh_normals {
  VD_MESH_FLAT,
  VD_MESH_SMOOTH,
};

/* Built once (mesh_def.h), then const. Lives in the arena. */
typedef struct vd_mesh vd_mesh;

size_t vd_mesh_triangles(const vd_mesh *mesh);
void vd_mesh_corners(const vd_mesh *mesh, size_t triangle, double corner[3][3]); /* m, world */
void vd_mesh_bounds(const vd_mesh *mesh, double *lowest, double *highest);       /* m, corners of the box, world */

/* Either side of a triangle may be driven on: the normal is on the disc's side, distance and reach are positive. `hint`
 * is the triangle on which a foot was found a moment ago, or -1: the search goes from there along the line in which the
 * disc's plane cuts the mesh, as far as the distance falls and a little beyond (hollow joints of up to 30 deg), and the
 * grid is asked only if that comes to nothing, or to an end of the mesh; it is set to the triangle found. With a hint a
 * nearer part of the mesh that is not joined to that line nearby (the wall before which a car stands) stays unseen: ask
 * with -1 now and then. A triangle in the plane of the disc is not met. With smooth normals distance/reach is not the
 * normal's part in the disc's plane. False: none within the disc's radius of its centre (hint -1 then). */
bool vd_mesh_foot(const vd_mesh *mesh, const vd_disc *disc, int *hint, vd_foot *foot);

/* The first triangle that a ray meets: from + t way, 0 <= t <= limit, way of any length. The normal faces the ray's
 * origin. False: none. */
bool vd_mesh_ray(const vd_mesh *mesh, const double *from, const double *way, double limit, double *t, double *normal);

#endif
