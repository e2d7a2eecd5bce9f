/* Declarations that the kinds of profile share: their functions, which profile.c calls, and rows that several kinds
 * have.
 *
 * Each kind has rows of keys, a function like vd_profile_at for value and rate, and a function that finds the next
 * corner, the next instant at which the profile is not smooth. */
#ifndef VD_PROFILE_IMPL_H
#define VD_PROFILE_IMPL_H

#include "course/profile_def.h"

#include <math.h>

/* Rows of a member of the union, for one kind. */
#define VD_PROFILE_NUMBER(member, type, key, unit, lo, hi, flags, def, text)                                           \
  { VD_F_NUMBER(vd_profile_def, profile.as.member, key, unit, lo, hi, flags, def, text), .only = VD_WHEN(type) }
#define VD_PROFILE_VALUE(kind, type)                                                                                   \
  VD_PROFILE_NUMBER(kind.value, type, "value", "@", -1e12, 1e12, VD_AUTO, NULL,                                        \
                    "value of a constant, or after a step; auto: found by a rule of the scenario's key `auto`")
#define VD_PROFILE_START(kind, type)                                                                                   \
  VD_PROFILE_NUMBER(                                                                                                   \
      kind.from, type, "from", "@", -1e12, 1e12, VD_AUTO, "0",                                                         \
      "value before the start, and after a pulse or a chirp; mean value of waves and noise; auto: as for "             \
      "`value`"),                                                                                                      \
      VD_PROFILE_NUMBER(kind.start, type, "start", "s", 0, 1e6, 0, "0", "start time")
#define VD_PROFILE_AMPLITUDE(kind, type)                                                                               \
  VD_PROFILE_NUMBER(kind.amplitude, type, "amplitude", "@", -1e12, 1e12, VD_AUTO, NULL,                                \
                    "peak above `from`; for a wave, half of the peak-to-peak value; auto: found by a rule of the "     \
                    "scenario's key `auto`")
#define VD_PROFILE_FREQUENCY(kind, type)                                                                               \
  VD_PROFILE_NUMBER(kind.frequency, type, "frequency", "1/s", 0, 1e3, VD_ABOVE, NULL,                                  \
                    "frequency; first frequency of a chirp, lowest frequency of noise")
#define VD_PROFILE_END_FREQUENCY(kind, type)                                                                           \
  VD_PROFILE_NUMBER(kind.end_frequency, type, "end_frequency", "1/s", 0, 1e3, VD_ABOVE, NULL,                          \
                    "last frequency of a chirp, highest frequency of noise")
#define VD_PROFILE_DURATION(kind, type)                                                                                \
  VD_PROFILE_NUMBER(kind.duration, type, "duration", "s", 0, 1e6, VD_ABOVE, NULL,                                      \
                    "time from start to end, at which a chirp and a pulse fall back to `from`")

/* Returns the first corner after t, or INFINITY; corners are in rising order. */
static inline double vd_profile_corner_after(double t, const double *corner, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (corner[i] > t)
      return corner[i];
  return INFINITY;
}

/* The kinds of profile that are not constant: enum value and name. Each has its functions in its own file. */
#define VD_PROFILE_KINDS(KIND)                                                                                         \
  KIND(STEP, step)                                                                                                     \
  KIND(RAMP, ramp)                                                                                                     \
  KIND(SINE, sine)                                                                                                     \
  KIND(CHIRP, chirp)                                                                                                   \
  KIND(TABLE, table)                                                                                                   \
  KIND(DWELL, dwell)                                                                                                   \
  KIND(PULSE, pulse)                                                                                                   \
  KIND(RANDOM, random)

#define VD_PROFILE_DECLARED(type, kind)                                                                                \
  extern const struct vd_schema vd_profile_##kind##_rows;                                                              \
  void vd_profile_##kind##_at(const vd_profile_##kind *p, double inside, double t, double *value, double *rate);       \
  double vd_profile_##kind##_corner(const vd_profile_##kind *p, double t);
VD_PROFILE_KINDS(VD_PROFILE_DECLARED)
extern const struct vd_schema vd_profile_constant_rows;

void vd_profile_random_check(vd_profile_random *p, const char *key, const vd_node *root, vd_arena *arena, vd_diag *d);

double vd_profile_table_second_derivative(const vd_profile_table *p, double inside, double t);
void vd_profile_table_range(const vd_profile_table *p, double *a, double *b);
bool vd_profile_table_is_integer(const vd_profile_table *p);
void vd_profile_table_negate(vd_profile_table *p, vd_arena *arena);
/* Checks a table. False if it has no points afterwards. */
bool vd_profile_table_check(vd_profile_def *def, const char *key, const char *unit, const vd_node *root,
                            vd_arena *arena, vd_diag *d);

#endif
