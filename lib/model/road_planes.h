/* The planes under the wheels: tangent planes of roads and surfaces at the contact points of the wheels' discs. */
#ifndef VD_ROAD_PLANES_H
#define VD_ROAD_PLANES_H

#include "model/frame.h"

/* Values by wheel; all vectors here in world axes. */
typedef struct vd_discs {
  vd_wide3 centre, axle; /* m; unit, to the left */
} vd_discs;

typedef struct vd_planes {
  vd_wide distance; /* m, of the wheel centres from the planes */
  vd_wide3 normal;
} vd_planes;

/* Computes the planes of the roads under the wheels at L3 and L4, moved by posts as commanded. A wheel without a road
 * within reach gets a plane two wheel radii below it. friction: of the surfaces under the wheels, if the ground is
 * solid; otherwise it is not changed (vd_ground_friction computes it). */
void vd_road_planes(const vd_model *m, const vd_command *c, const vd_discs *discs, double *friction, vd_planes *planes);

/* Computes the commanded planes under the wheels, from L3 on, if the command has `roads`; the ground is a plane. */
void vd_commanded_planes(const vd_model *m, const vd_command *c, const vd_discs *discs, vd_planes *planes);

/* A contact point on a surface, and the friction of the surface there. */
typedef struct vd_surface_contact {
  vd_contact_point at;
  double friction;
} vd_surface_contact;
/* Searches the contact point of one wheel on surfaces on any side of the body, at L5; x: the state. Without a surface
 * within reach, the point is on a plane far below. hint: the last triangle of the wheel on a mesh, VD_M_FACE, which is
 * updated. */
void vd_find_surface_contact(const vd_model *m, const double *x, const vd_discs *discs, int wheel, double *hint,
                             vd_surface_contact *contact);
/* Finds the contact points of all wheels. */
void vd_surface_planes(const vd_model *m, const double *x, const vd_discs *discs, double *hint, double *friction,
                       vd_planes *planes);

#endif
