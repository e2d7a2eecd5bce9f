/* The plan of a sweep in words: the options of vdsim-kc-sweep that choose the curves, also for programs that use the
 * library. */
#ifndef VD_KC_PLAN_H
#define VD_KC_PLAN_H

#include "kc/sweep.h"

/* Sets the option `name` (sweep, travel, rack, fx, fy, mz, fz, fx-centre, hold, mode, side, columns; without a text
 * gravity, partial, forces). text: its value, NULL: it has none. False with the reason in `why`: the option is unknown
 * or has a bad value. */
bool vd_kc_plan_set(vd_kc_plan *plan, const char *name, const char *text, vd_buf *why);

/* Returns whether the plan is complete: every range of several points has its sweep. False with the reason in `why`. */
bool vd_kc_plan_check(const vd_kc_plan *plan, vd_buf *why);

/* Reads FROM:TO:N or a single number; `scale` converts to SI. False with the reason in `why`. */
bool vd_kc_range_read(const char *text, double scale, vd_kc_range *range, vd_buf *why);

#endif
