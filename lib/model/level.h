/* The levels of models. The list below makes the enum, the names, the surfaces and the help of `run.level`. */
#ifndef VD_LEVEL_H
#define VD_LEVEL_H

#include "ground/ground.h"

/* LEVEL(name, model, most demanding surface), the simplest first. */
/* clang-format off */
#define VD_LEVEL_LIST(LEVEL) \
  LEVEL(L0, "kinematic single track", VD_SURFACE_PLANE) \
  LEVEL(L1, "dynamic single track", VD_SURFACE_PLANE) \
  LEVEL(L2, "seven degrees of freedom", VD_SURFACE_PLANE) \
  LEVEL(L3, "fourteen degrees of freedom", VD_SURFACE_HEIGHTS) \
  LEVEL(L4, "hardpoint multibody", VD_SURFACE_HEIGHTS) \
  LEVEL(L5, "a body free in space", VD_SURFACE_OVERHEAD)
/* clang-format on */

#define VD_LEVEL_SYMBOL(name, model, surface) VD_##name,
enum vd_level { VD_LEVEL_LIST(VD_LEVEL_SYMBOL) };
#undef VD_LEVEL_SYMBOL

#define VD_LEVEL_ONE(name, model, surface) +1
enum { VD_LEVELS = 0 VD_LEVEL_LIST(VD_LEVEL_ONE) }; /* not in vd_level: a switch names levels only */
#undef VD_LEVEL_ONE

/* A string literal: "; L0: kinematic single track; L1: ..." */
#define VD_LEVEL_WORDS(name, model, surface) "; " #name ": " model
#define VD_LEVEL_HELP                        VD_LEVEL_LIST(VD_LEVEL_WORDS)

extern const char *const vd_level_names[]; /* NULL-terminated */
/* The most demanding surface that a level can drive on. */
extern const enum vd_surface vd_level_surfaces[VD_LEVELS];

/* Returns the lowest level that can drive on the surface. */
enum vd_level vd_level_for(enum vd_surface surface);

#endif
