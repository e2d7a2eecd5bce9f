/* Summary of a whole study: numbers of cases by their endings, the distribution of each metric, and the factors on
 * which it depends. */
#ifndef VD_SUMMARY_H
#define VD_SUMMARY_H

#include "study/study.h"

/* Values of all metrics in all cases; 8 bytes each. */
typedef struct vd_summary vd_summary;

vd_summary *vd_summary_start(const vd_study *study);
void vd_summary_finish(vd_summary *s); /* accepts NULL */

/* Adds the line of a case; to be called once for each case. */
void vd_summary_add(vd_summary *s, const char *line);

/* Calls `take` for each figure. Names and definitions are valid as long as the summary.
 *
 * cases, excluded, ended, refused, died: counts; failure_rate: sum of ended, refused and died over the number of cases
 * that are not excluded, with Wilson's 95 % interval (E. B. Wilson, JASA 22, 1927, 209). With `stop`: stop_case and,
 * for each numeric factor F, stop_F; NAN if no case stops the series. Cases that ended early may stop it. For each
 * metric M, over the cases that are ok: M_mean, M_deviation (of a sample), M_least, M_p05, M_median, M_p95, M_greatest
 * (quantiles of type 7 of Hyndman and Fan, The American Statistician 50, 1996, 361).
 *
 * With the design saltelli, for each factor F: M_by_F_first and M_by_F_total, Sobol's indices (estimators b and f of
 * Saltelli et al., Computer Physics Communications 181, 2010, 259), each with the half width of its 95 % interval
 * (_first_error, _total_error), which follows from the influence of each base point. With morris: M_by_F_effect (mean
 * magnitude of the elementary effects), _drift (their mean) and _scatter (their standard deviation), per whole range of
 * the factor. */
void vd_summary_figures(vd_summary *s, void (*take)(void *context, const vd_metric *figure), void *context);

/* Collects the summary as metrics, with names in the arena; false: there are more than VD_METRICS_MAX. */
bool vd_summary_collect(vd_summary *s, vd_arena *arena, vd_metrics *out);

#endif
