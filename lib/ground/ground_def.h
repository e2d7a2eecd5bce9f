/* The keys of a ground. */
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
  int type;                /* enum vd_ground_type */
  double friction;         /* factor on the tyre's own friction coefficient; 1 is the surface it was measured on */
  double grade;            /* rad: slope of the plane along world x, uphill > 0; 0 for grounds without this key */
  double bank;             /* rad: slope of the plane along world y, left side up > 0; 0 for grounds without this key */
  vd_structs patches;      /* vd_patch_def; later patches cover earlier ones */
  vd_structs also;         /* vd_ground_def, which have no `also` themselves; a wheel stands on the nearest ground */
  const vd_ground *others; /* not a key: made from `also' by vd_ground_complete */
  union {
    vd_ground_shape as; /* parameters of grounds whose keys are at once the data of the model */
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

/* Reads files, computes values that are auto, and draws the random road. It is called once, before the check and before
 * anything is built. */
void vd_ground_complete(vd_ground_def *def, const vd_node *root, const char *path, vd_arena *arena, vd_diag *d);

/* Checks rules across keys: sides and ranges are in order, edges fit, slopes are at most 60 deg, polygons have at least
 * three corners. `root` gives the places for messages, `path` is the ground's key. */
void vd_ground_check(const vd_ground_def *def, const vd_node *root, const char *path, vd_diag *d);

void vd_ground_build(const vd_ground_def *def, vd_ground *ground);

/* Returns the most demanding surface of the ground and its further grounds. *type is the type of the ground that has
 * this surface. */
enum vd_surface vd_ground_surface(const vd_ground_def *def, int *type);

/* Returns the length of the shortest wave (m) of the ground (also = 0) or of its further ground with the index also -
 * 1, and the key that gives it; INFINITY: there are no waves. */
double vd_ground_shortest_wave(const vd_ground_def *def, size_t also, const char **key);

/* True if the ground is level, without heights and further grounds. The friction may differ from place to place. */
bool vd_ground_is_flat(const vd_ground_def *def);

#endif
