/* Sweeps of a corner's kinematics and compliance as CSV, and its gains as a table, as vdsim-kc-sweep writes them.
 *
 * Computation is in SI; tables are in the field's units: mm, deg, N, N m, N/mm. */
#ifndef VD_KC_SWEEP_H
#define VD_KC_SWEEP_H

#include "kc/figures.h"
#include "input/table.h"

enum vd_kc_sweep {
  VD_KC_TRAVEL,
  VD_KC_RACK,
  VD_SWEEPS,              /* number of the sweeps above, which are those that a table of curves can have (kc/table.h) */
  VD_KC_GRID = VD_SWEEPS, /* racks at every travel */
  VD_KC_FX,
  VD_KC_FY,
  VD_KC_MZ,
  VD_KC_FZ,
  VD_KC_FX_CENTRE, /* force at the wheel centre, as of a driven wheel */
  VD_KC_SWEEPS
};

enum vd_kc_side { VD_KC_LEFT, VD_KC_RIGHT, VD_KC_BOTH };

/* Evenly spaced values, including both ends; if there is only one point, it is `from`. */
typedef struct vd_kc_range {
  double from, to;
  int points;
} vd_kc_range;

typedef struct vd_kc_plan {
  bool sweep[VD_KC_SWEEPS];
  /* Sweeps that the corner cannot have are left out without a message: a rack if nothing is steered, forces if nothing
   * is elastic. */
  bool optional;
  /* m, N, N m. The grid uses the ranges of travel and rack. Without points, fz ranges from 0.5 to 1.5 times the wheel's
   * load, or from 500 to 8000 N if that is not known. */
  vd_kc_range range[VD_KC_SWEEPS];
  bool ranged[VD_KC_SWEEPS]; /* the range was given, with several points */
  /* Values that a sweep does not vary: travel and rack, m, and the loads, in the axes of the chassis and equal on both
   * wheels; fz is 4500 N by default. */
  double travel, rack;
  vd_wheel_load load;
  bool loaded;  /* the loads also act in sweeps of travel and rack */
  bool forces;  /* writes the forces in the joints at every point instead of the curves */
  bool gravity; /* weights of knuckle and links act in sweeps of forces */
  /* how the height of the wheel is held under forces; auto: free under fz, otherwise its centre */
  enum vd_hold hold;
  enum vd_axle_motion motion; /* motion of the other wheel */
  enum vd_kc_side side;
  bool partial;                 /* leaves out points that cannot be reached */
  bool unwanted[VD_KC_COLUMNS]; /* columns of the curves that are not written */
  enum vd_digits digits;
  /* Function that receives the numbers [VD_KC_COLUMNS] of each row of the curves; NAN: the column has a word or no
   * number. No text is then written, and `out` may be NULL. If the function is NULL, rows are written as text. */
  void (*take)(void *context, const double *value);
  void *context;
} vd_kc_plan;

extern const char *const vd_kc_sweep_names[]; /* "travel" .., NULL-terminated */
extern const char *const vd_kc_hold_names[];  /* "auto", "free", "centre", "ground", NULL */

/* Returns a plan of all sweeps that the corner can have except the grid, at the design position under 4500 N, parallel
 * motion, left wheel: travels of +-100 mm in 41 points, racks of +-40 mm in 17, forces of +-4000 N and moments of +-100
 * N m in 9. */
vd_kc_plan vd_kc_plan_default(void);

double vd_kc_value(const vd_kc_range *range, int i);

/* Returns whether forces can displace the wheel. */
bool vd_kc_elastic(const vd_corner *corner);

typedef struct vd_kc_report {
  /* mm, N/mm: two neighbouring points of the travel sweep whose wheel rates differ in sign; 0: there are none */
  double sign_change[2][2];
  long rows, missing; /* rows written, and points that could not be reached or have no equilibrium */
  vd_buf messages;    /* one per line, without a final line end: what failed, with the last value that was reached */
} vd_kc_report;

/* Writes the curves with a header, a row per point and wheel; or, if the plan commands forces, a table of them, a row
 * per point, wheel, joint and load. A figure that a linkage does not have is an empty field. False: a point could not
 * be reached or has no equilibrium (see the report), and the rows are usable only if the plan is partial; or the corner
 * cannot have such a sweep. The caller must finish *out and messages. */
bool vd_kc_sweep_write(const vd_corner *corner, const vd_kc_plan *plan, vd_buf *out, vd_kc_report *report);

/* Appends a remark about curves that are complete but unusual, if there is one. */
void vd_kc_remark(const vd_kc_report *report, vd_buf *out);

/* Parts of a corner, in the order in which they influence the metrics: a metric can depend only on its part and on
 * those before it. */
enum vd_kc_part {
  VD_KC_UNLISTED = -1, /* the metric has no sensitivities: a value of the file, or a copy of another metric */
  VD_KC_LINKAGE,
  VD_KC_DAMPER,
  VD_KC_SPRING, /* place and load of the spring */
  VD_KC_RATE,   /* rate of the spring */
  VD_KC_COMPLIANCE
};

enum { VD_KC_METRICS = 72 };

/* Returns the metric at a place of the list of all metrics; NULL: after the last one. */
const vd_kc_figure_info *vd_kc_metric_at(size_t place);

typedef struct vd_kc_metric {
  enum vd_kc_figure figure;
  double value;       /* in the figure's unit; NAN: the metric does not exist */
  const char *reason; /* why it does not exist; empty if it exists */
  enum vd_kc_part part;
} vd_kc_metric;

typedef struct vd_kc_metrics {
  vd_kc_metric metric[VD_KC_METRICS];
  size_t count;
} vd_kc_metrics;

/* Computes the figures and gains in the design position that apply to this suspension. Of the plan it uses the rack's
 * range, at whose farther end Ackermann and turning circle are computed, and for the compliances the vertical load and
 * `hold`. If a figure cannot be computed, it has no value, the report gives the reason, and the result is still true.
 * False: there is no linkage. The caller must finish the report's messages. */
bool vd_kc_metrics_of(const vd_corner *corner, const vd_kc_plan *plan, vd_kc_metrics *out, vd_kc_report *report);

/* Writes the metrics as a table `metric,value,unit` with the plan's digits; a field without a value is empty. */
bool vd_kc_metrics_write(const vd_corner *corner, const vd_kc_plan *plan, vd_buf *out, vd_kc_report *report);

/* Marks in `wanted' the columns that match a name or a pattern with * and ?. Returns the number of matches. */
size_t vd_kc_columns_match(const char *pattern, bool *wanted);

/* Returns the unit of a column; "": the column has words; NULL: there is no such column. */
const char *vd_kc_column_unit(const char *name);
/* Returns the sweep whose independent variable this column is, such as travel_mm; -1: it is not one. */
int vd_kc_sweep_over(const char *name);

/* Writes one line per column: name, unit, meaning, tab-separated. */
void vd_kc_columns_list(vd_buf *out);

#endif
