/* What a file says of a ground. */
#ifndef VD_GROUND_DEF_H
#define VD_GROUND_DEF_H

#include "ground/crg_def.h"
#include "ground/ground.h"
#include "ground/heightmap_def.h"
#include "ground/iso8608_def.h"
#include "ground/mesh_def.h"
#include "ground/strip_def.h"
#include "base/arena.h"
#include "base/list.h"
#include "input/diag.h"
#include "input/tree.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct vd_ground_def {
  int type;           /* enum vd_ground_type */
  double friction;    /* factor on the tyre's own friction coefficient; 1 is the surface it was measured on */
  double grade;       /* rad: slope of the plane along world x, rising for > 0; 0 of grounds without this key */
  double bank;        /* rad: slope of the plane along world y, left side up for > 0; 0 of grounds without this key */
  vd_structs patches; /* vd_patch_def; later ones lie on top */
  vd_structs also;    /* vd_ground_def, themselves without; one that lies nearer to a wheel bears it */
  const vd_ground *others; /* built of `also` by vd_ground_complete; no key */
  union {
    vd_ground_shape as; /* grounds whose keys are the very parameters that a model computes with */
    vd_iso8608_def iso8608;
    vd_heightmap_def heightmap;
    vd_ramp_def ramp;
    vd_cliff_def cliff;
    vd_loop_def loop;
    vd_mesh_def mesh;
    vd_crg_def crg;
  };
} vd_ground_def;

/* Names of the types, NULL-terminated. */
extern const char *const vd_ground_type_names[];

extern const struct vd_schema vd_ground_schema;

/* Reads files, computes what is auto, draws the random road: once, before the check and before anything is built. */
void vd_ground_complete(vd_ground_def *def, const vd_node *root, const char *path, vd_arena *arena, vd_diag *d);

/* Checks across fields: sides and ranges in order, edges that fit, slopes up to 60 deg, polygons of three corners or
 * more. `root` gives the places, `path` is the ground's key. */
void vd_ground_check(const vd_ground_def *def, const vd_node *root, const char *path, vd_diag *d);

void vd_ground_build(const vd_ground_def *def, vd_ground *ground);

/* The most demanding surface of the ground and its further grounds. *type is that of the ground which has it. */
enum vd_surface vd_ground_surface(const vd_ground_def *def, int *type);

/* The length of the shortest wave (m) of the ground (also 0) or of its further ground also - 1, and the key that gives
 * it; INFINITY: it has no waves. */
double vd_ground_shortest_wave(const vd_ground_def *def, size_t also, const char **key);

/* Level ground without heights, and no further grounds. The friction may differ from place to place. */
bool vd_ground_is_flat(const vd_ground_def *def);

#endif
