/* Slopes of cubics through points (Steffen 1990). Between two points a cubic never leaves the range of their values. */
#ifndef VD_STEFFEN_H
#define VD_STEFFEN_H

#include "base/list.h"

/* Returns the slope of the line from point i to the next one. */
double vd_secant(const vd_points *points, size_t i);

/* Returns the slope of the curve at point i; there are at least two points. */
double vd_steffen_slope(const vd_points *points, size_t i);

#endif
