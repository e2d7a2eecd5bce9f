/* Slopes of the cubics through points that never leave the range of their two points (Steffen 1990). */
#ifndef VD_STEFFEN_H
#define VD_STEFFEN_H

#include "base/list.h"

/* Slope of the line from point i to the next one. */
double vd_secant(const vd_points *points, size_t i);

/* Slope of the curve at point i of two or more. */
double vd_steffen_slope(const vd_points *points, size_t i);

#endif
