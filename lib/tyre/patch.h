/* The contact patch of a tyre without an overturning moment of its own: patch_width and lateral_stiffness. */
#ifndef VD_PATCH_H
#define VD_PATCH_H

#include "tyre/tyre.h"

bool vd_patch_has_moment(const vd_tyre *tyre);

/* Sets mx and the twist of place i, by the side force there. */
void vd_patch_overturn(const vd_tyre *tyre, double load, int i, vd_slide *slide, vd_tyre_forces *out);

#endif
