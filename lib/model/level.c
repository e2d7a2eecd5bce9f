#include "model/level.h"

#define NAME(name, model, surface) #name,
const char *const vd_level_names[] = {VD_LEVEL_LIST(NAME) NULL};

#define SURFACE(name, model, surface) surface,
const enum vd_surface vd_level_surfaces[VD_LEVELS] = {VD_LEVEL_LIST(SURFACE)};

enum vd_level vd_level_for(enum vd_surface surface) {
  int level = 0;
  while (vd_level_surfaces[level] < surface)
    level++;
  return (enum vd_level)level;
}
