/* Test Anything Protocol for C: the plan always comes first, so that a test that dies early does not pass.
 *
 * VD_TOLERANCE_SCALE multiplies every tolerance of tap_near; at 0 each comparison prints its residual. */
#ifndef VD_TAP_H
#define VD_TAP_H

#include <math.h>
#include <stdbool.h>

void tap_plan(int tests);
bool tap_ok(bool passed, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Passes if |got - expected| <= tolerance; NaN fails. */
bool tap_near(double got, double expected, double tolerance, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool tap_str(const char *got, const char *expected, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Return the greater and the smaller value, NaN if one of them is NaN: the worst of many values must not lose a NaN, as
 * it does with fmax, fmin and `if (!(value <= worst)) worst = value'. */
static inline double tap_max(double a, double b) {
  return a > b || isnan(a) ? a : b;
}
static inline double tap_min(double a, double b) {
  return a < b || isnan(a) ? a : b;
}
void tap_diag(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Returns whether a slow test tries the case of this number. It tries one case in `of', different ones for every
 * commit. scripts/test sets VDSIM_SAMPLE from the commit; all cases are tried if it is "all" or not set. */
bool tap_sampled(int number, int of);
/* Returns false if the case is tried; otherwise prints its tests as skipped. */
bool tap_left_out(int tests, int number, int of);
/* Changes to a temporary folder that looks like the top folder, in which the families of inputs of the given folders of
 * tests/ are unpacked (tests/common/cases.py); names are separated by blanks. */
void tap_unpack(const char *folders);
/* Returns the exit status: 0 if the plan was met and everything passed. */
int tap_done(void);

#endif
