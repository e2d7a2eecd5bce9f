/* Triangle meshes as surfaces: Wavefront OBJ files, a uniform grid over their triangles, wheels and rays on them. */
#ifndef VD_MESH_H
#define VD_MESH_H

#include "ground/contact_point.h"

#include <stdbool.h>
#include <stddef.h>

/* Variation of the surface's normal over a triangle. In both cases the contact point lies on the flat triangles.
 *
 * FLAT: the normal of the triangle is used. At a convex edge the normal is the direction to the centre, so that it
 * turns as the wheel passes. The reach is a potential (contact_point.h), but the edges of a coarsely divided curve
 * shake a car. SMOOTH: the normal is interpolated between normals of the corners, which are means over the triangles
 * that meet there. An edge with a fold sharper than 30 deg, or at the end of the mesh, remains an edge. The normal is
 * continuous, but no longer the gradient of the reach: the work of a tyre spring has an error of up to force times
 * displacement along the surface times the angle between the two normals, half the fold of an edge. The error changes
 * its sign from one half of a triangle to the other. */
enum vd_mesh_normals {
  VD_MESH_FLAT,
  VD_MESH_SMOOTH,
};

/* A mesh is built once (mesh_def.h), then const. It belongs to the arena. */
typedef struct vd_mesh vd_mesh;

size_t vd_mesh_triangles(const vd_mesh *mesh);
void vd_mesh_corners(const vd_mesh *mesh, size_t triangle, double corner[3][3]); /* m, world */
void vd_mesh_bounds(const vd_mesh *mesh, double *lowest, double *highest);       /* m, corners of the box, world */

/* Finds the contact point of a disc. Both sides of a triangle may be driven on: the normal is on the disc's side,
 * distance and reach are positive. *hint is the triangle of the last contact point, or -1. The search starts there and
 * follows the line in which the disc's plane cuts the mesh, as long as the distance falls. It continues a little
 * farther, to find a nearer piece beyond a hollow joint of up to 30 deg. Only if this search finds no contact point, or
 * reaches an end of the mesh, all triangles nearby are searched by the grid. *hint becomes the triangle found. With a
 * hint, a nearer part of the mesh that is not connected with this line nearby (such as a wall in front of the car) is
 * not found; therefore pass -1 from time to time. A triangle in the plane of the disc is ignored. With smooth normals
 * distance/reach is not the component of the normal in the disc's plane. False: no contact point within the disc's
 * radius of its centre; *hint is then -1. */
bool vd_mesh_contact(const vd_mesh *mesh, const vd_disc *disc, int *hint, vd_contact_point *contact);

/* Finds the first triangle on a ray from + t direction, 0 <= t <= limit; direction may have any length. The normal
 * points to the side from which the ray comes. False: there is none. */
bool vd_mesh_ray(const vd_mesh *mesh, const double *from, const double *direction, double limit, double *t,
                 double *normal);

#endif
