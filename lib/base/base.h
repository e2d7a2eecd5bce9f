/* Wheel order, physical constants and marks of functions that everything shares.
 *
 * Axes are ISO 8855, right-handed:      z up
 *                                       |   x forward
 *                                       |  /
 *                              y left --o-'
 *
 * roll > 0 lifts the left side, pitch > 0 lowers the nose, yaw > 0 turns left. Units are SI and radians. A trailing
 * comment or a table column gives the unit where it is not obvious. */
#ifndef VD_BASE_H
#define VD_BASE_H

#include "base/wheel.h"

#include <stdbool.h>
#include <stddef.h>

#define VD_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define VD_GRAVITY 9.80665 /* m/s2, standard gravity (CGPM 1901) */
#define VD_PI      3.14159265358979323846

/* Return the minimum and the maximum without a call, for code that runs at every step. If `a` is NaN the result is b;
 * if `b` is NaN the result is NaN. */
static inline double vd_fast_min(double a, double b) {
  return a < b ? a : b;
}

static inline double vd_fast_max(double a, double b) {
  return a > b ? a : b;
}

/* Marks a function of the step that is always inlined. A call would pass its arguments through memory, although they
 * fit into registers. */
#if defined(__GNUC__)
#define VD_INLINE __attribute__((always_inline)) static inline
#else
#define VD_INLINE static inline
#endif

/* Marks a function of the step that only few cars need. It is never inlined: an inlined copy would take registers from
 * the code that all cars need. */
#if defined(__GNUC__)
#define VD_NOINLINE __attribute__((noinline)) static
#else
#define VD_NOINLINE static
#endif

/* Marks a function that takes much of the time of a run and computes with vectors of four numbers (wide.h). Its file is
 * compiled twice, for any processor and for one whose registers hold four numbers (lib/meson.build,
 * lib/wide_names.awk), and the program chooses when it starts. Both give the same bits, because no operations are
 * contracted or reordered. Such a function is not static, and the mark begins its line. Only files without marks may
 * take its address: in a file with marks its name means the copy of the same compilation. A table row of function
 * pointers in such a file exists twice, too: each row points to the functions of its own compilation. A marked function
 * that returns the row (tyre/tyre_variants.c) thus returns the row for this processor. If the file is compiled only
 * once, the mark has no effect. */
#define VD_WIDE

#endif
