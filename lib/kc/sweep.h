/* Sweeps of a corner's kinematics and compliance as CSV, and its gains as a table: what vdsim-kc-sweep writes.
 *
 * Inside SI; the tables are in the field's units: mm, deg, N, N m, N/mm. */
#ifndef VD_KC_SWEEP_H
#define VD_KC_SWEEP_H

#include "kc/figures.h"
#include "input/table.h"

enum vd_kc_sweep {
  VD_KC_TRAVEL,
  VD_KC_RACK,
  VD_SWEEPS,              /* of a table of curves: the two above */
  VD_KC_GRID = VD_SWEEPS, /* rack within travel */
  VD_KC_FX,
  VD_KC_FY,
  VD_KC_MZ,
  VD_KC_FZ,
  VD_KC_FX_CENTRE, /* at the wheel centre: of a driven wheel */
  VD_KC_SWEEPS
};

enum vd_kc_side { VD_KC_LEFT, VD_KC_RIGHT, VD_KC_BOTH };

/* Evenly spaced values, both ends included; one point is `from`. */
typedef struct vd_kc_range {
  double from, to;
  int points;
} vd_kc_range;

typedef struct vd_kc_plan {
  bool sweep[VD_KC_SWEEPS];
  /* Omits silently what the corner lacks: a rack where nothing is steered, forces where nothing is elastic. */
  bool optional;
  /* m, N, N m. The grid has no range of its own but those of travel and rack. If fz has no points it goes from 0.5 to
   * 1.5 times the wheel's load, or from 500 to 8000 N if that is not known. */
  vd_kc_range range[VD_KC_SWEEPS];
  /* What a sweep does not change: travel and rack, m, and the loads, in chassis axes and the same on both wheels; fz is
   * 4500 N. */
  double travel, rack;
  vd_wheel_load load;
  bool loaded;                /* the loads act in sweeps of travel and rack, too */
  bool forces;                /* the forces in the joints of every point instead of its curves */
  bool heavy;                 /* weights of knuckle and links act under forces */
  enum vd_hold hold;          /* of the wheel under forces; auto: free under fz, else its centre */
  enum vd_axle_motion motion; /* of the other wheel */
  enum vd_kc_side side;
  bool partial;                 /* leave out what cannot be reached */
  bool unwanted[VD_KC_COLUMNS]; /* columns of the curves that are not written */
  enum vd_digits digits;
  /* Takes the numbers [VD_KC_COLUMNS] of each row of the curves; NAN: a word, or there is none. Without text, `out` may
   * be NULL. NULL: rows are written. */
  void (*take)(void *context, const double *value);
  void *context;
} vd_kc_plan;

extern const char *const vd_kc_sweep_names[]; /* "travel" .., NULL-terminated */
extern const char *const vd_kc_hold_names[];  /* "auto", "free", "centre", "ground", NULL */

/* All sweeps that the corner has but the grid, at the design position under 4500 N, parallel, left: travels of +-100 mm
 * in 41 points, racks of +-40 mm in 17, forces of +-4000 N and moments of +-100 N m in 9. */
vd_kc_plan vd_kc_plan_default(void);

double vd_kc_value(const vd_kc_range *range, int i);

/* Whether forces move anything. */
bool vd_kc_elastic(const vd_corner *corner);

typedef struct vd_kc_report {
  double turned[2][2]; /* mm, N/mm: two neighbours of the travel sweep whose wheel rates differ in sign; 0: none do */
  long rows, missing;  /* points written, points that could not be reached */
  vd_buf messages;     /* one line each without its end: what failed, with the last value that was reached */
} vd_kc_report;

/* Writes the curves, a row per point and wheel, or if the plan asks for forces a table of them, a row per point, wheel,
 * joint and load; with a header. A quantity that a linkage does not have is empty. False: a point could not be reached
 * or does not balance (see the report), and the rows are then of use only if the plan is partial; or the corner does
 * not have such a sweep. The caller must finish *out and messages. */
bool vd_kc_sweep_write(const vd_corner *corner, const vd_kc_plan *plan, vd_buf *out, vd_kc_report *report);

/* Adds what is odd about curves that are complete; nothing: there is nothing odd. */
void vd_kc_remark(const vd_kc_report *report, vd_buf *out);

/* Parts of a corner. A metric depends on one of them and on those before it. */
enum vd_kc_part {
  VD_KC_UNLISTED = -1, /* it has no sensitivities: the file gives it, or another metric says the same */
  VD_KC_LINKAGE,
  VD_KC_DAMPER,
  VD_KC_SPRING, /* its place and its load */
  VD_KC_RATE,   /* of the spring */
  VD_KC_COMPLIANCE
};

enum { VD_KC_METRICS = 72 };

/* The metrics that any corner or axle has, by their place in the list; NULL: after the last one. */
const vd_kc_figure_info *vd_kc_metric_at(size_t place);

typedef struct vd_kc_metric {
  enum vd_kc_figure figure;
  double value;       /* in the figure's unit; NAN: there is none */
  const char *reason; /* why not; empty if there is one */
  enum vd_kc_part part;
} vd_kc_metric;

typedef struct vd_kc_metrics {
  vd_kc_metric metric[VD_KC_METRICS];
  size_t count;
} vd_kc_metrics;

/* The figures and gains at the design position that apply to this suspension. The plan's rack range is used (Ackermann
 * and turning circle are taken at its farther end), and its vertical load. A figure that cannot be computed has no
 * value; the report says why, and the result is still true. False: there is no linkage. The caller must finish the
 * report's messages. */
bool vd_kc_metrics_of(const vd_corner *corner, const vd_kc_plan *plan, vd_kc_metrics *out, vd_kc_report *report);

/* Writes them as a table `metric,value,unit`, in the plan's digits; without a value the field is empty. */
bool vd_kc_metrics_write(const vd_corner *corner, const vd_kc_plan *plan, vd_buf *out, vd_kc_report *report);

/* Marks in `wanted` the columns that match a name or a glob (* and ?). Returns how many matched. */
size_t vd_kc_columns_match(const char *pattern, bool *wanted);

/* The unit of a column; "": it has words; NULL: there is no such column. */
const char *vd_kc_column_unit(const char *name);
/* The sweep whose own column this is, such as travel_mm, over which the others are curves; -1: it is none's. */
int vd_kc_sweep_over(const char *name);

/* One line per column: name, unit, meaning, tab-separated. */
void vd_kc_columns_list(vd_buf *out);

#endif
