/* Wheel order, physical constants and marks of functions that everything shares.
 *
 * Axes are ISO 8855, right-handed:      z up
 *                                       |   x forward
 *                                       |  /
 *                              y left --o-'
 *
 * roll > 0 lifts the left side, pitch > 0 lowers the nose, yaw > 0 turns left.
 * Units are SI and radians; a trailing comment or a table column says so where it matters. */
#ifndef VD_BASE_H
#define VD_BASE_H

#include "base/wheel.h"

#include <stdbool.h>
#include <stddef.h>

#define VD_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define VD_GRAVITY 9.80665 /* m/s2, standard gravity (CGPM 1901) */
#define VD_PI      3.14159265358979323846

/* fmin and fmax without a call, for code that runs at every step. If `a` is NaN the result is b; if `b` is NaN it is
 * NaN. */
static inline double vd_fast_min(double a, double b) {
  return a < b ? a : b;
}

static inline double vd_fast_max(double a, double b) {
  return a > b ? a : b;
}

/* Always inlined, for functions that run at every step. A call would pass its arguments through memory, although they
 * fit into registers. */
#if defined(__GNUC__)
#define VD_INLINE __attribute__((always_inline)) static inline
#else
#define VD_INLINE static inline
#endif

/* Not inlined, for what few cars need in a function of the step: it would take registers from all others. */
#if defined(__GNUC__)
#define VD_NOINLINE __attribute__((noinline)) static
#else
#define VD_NOINLINE static
#endif

/* Marks a function for code that spends a run's time in vectors of four numbers (wide.h). Its file is compiled twice,
 * for any processor and for one whose registers hold four numbers (lib/meson.build, lib/wide_names.awk), and the
 * program chooses when it starts. Both give the same bits, because no operations are contracted or reordered. Such a
 * function is not static, the mark begins its line, and its address is taken in files that have no marks: in files that
 * have the mark, the name means the function of the same compilation. A marked row of function pointers holds those of
 * the same compilation, too; a marked function that looks it up in a table gives the row of this processor
 * (tyre/tyre_variants.c). Without this choice the mark means nothing. */
#define VD_WIDE

#endif
