/* What a file says of a ground of triangles. */
#ifndef VD_MESH_DEF_H
#define VD_MESH_DEF_H

#include "ground/mesh.h"
#include "ground/road.h"

typedef struct vd_mesh_def {
  const char *file;    /* OBJ */
  int normals;         /* enum vd_mesh_normals */
  const vd_mesh *mesh; /* read by vd_ground_complete; no key */
} vd_mesh_def;

extern const vd_ground_variant vd_mesh_variant;

#endif
