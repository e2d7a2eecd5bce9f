/* No ground at all: an abyss. */
#ifndef VD_NONE_H
#define VD_NONE_H

#include "ground/road.h"

extern const vd_ground_variant vd_none_variant;

#endif
