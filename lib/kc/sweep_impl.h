/* Shared by the functions that compute sweeps and those that write them. */
#ifndef VD_KC_SWEEP_IMPL_H
#define VD_KC_SWEEP_IMPL_H

#include "compliance/compliance.h"
#include "kc/sweep.h"

/* One wheel of the axle. */
typedef struct vd_kc_side_wheel {
  bool right;
  bool on_axle;              /* the right one of a rigid axle: the others are left ones or mirrored to such */
  const vd_corner *corner;   /* with its points */
  const vd_linkage *linkage; /* that carries it */
  double travel, rack;       /* its own, per the axle's: of the left wheel 1 */
  double inputs[VD_INPUTS];  /* of its linkage, per the axle's travel */
  double along[VD_INPUTS];   /* the same per its own travel */
} vd_kc_side_wheel;

typedef struct vd_kc_run {
  const vd_corner *corner;
  const vd_kc_plan *plan;
  vd_linkage linkage;
  /* The right wheel: that of an axle is on the left one's, another is seen as a left one, which differs from the left
   * wheel by a steering that is no mirror image. */
  vd_corner image;
  vd_linkage right_linkage;
  bool steered;
  vd_kc_side_wheel wheel[2];
  double before[2]; /* mm, N/mm: the row before of a sweep over the travel, and its wheel rate */
  vd_buf *out;
  vd_kc_report *report;
} vd_kc_run;

/* The linkages and the wheels. False after a message: there is no linkage, or a plan with weights lacks a mass. */
bool vd_kc_start(const vd_corner *corner, const vd_kc_plan *plan, vd_kc_run *r, vd_kc_report *report);
/* The compliance of a wheel, with the weights of the plan; the caller must destroy it. */
vd_compliance *vd_kc_compliance(const vd_kc_run *r, const vd_kc_side_wheel *w, enum vd_hold hold);
/* The figures of a wheel at a pose of its linkage, under the loads if the plan has them act. */
void vd_kc_see(const vd_kc_run *r, const vd_kc_side_wheel *w, const vd_pose *pose, vd_kc_state *state);
/* Inputs of the linkage of a wheel. */
void vd_kc_inputs(const vd_kc_run *r, const vd_kc_side_wheel *w, double travel, double rack, double *u);
/* Whether the rows of a wheel are written; only then its failure counts. */
bool vd_kc_asked(const vd_kc_run *r, const vd_kc_side_wheel *w);
/* What a sweep changes of the loads; NULL: nothing. */
double *vd_kc_load_part(vd_wheel_load *load, enum vd_kc_sweep sweep);
/* The plan's loads as they act on the mirrored left wheel, if the wheel is the right one. */
vd_wheel_load vd_kc_mirrored_load(const vd_wheel_load *load, bool right);
int vd_kc_nearest_to_zero(const vd_kc_range *range);
/* The point that is computed k-th: from the middle, which is nearest to zero, to the upper end, then from there to the
 * lower one. *before: the point on the way before it, from which it is reached; -1: none. */
int vd_kc_outward(const vd_kc_range *range, int middle, int k, int *before);
/* The rocker that does not follow the linkage to a pose; NULL: all do. */
const char *vd_kc_stuck_rocker(const vd_linkage *l, const vd_pose *pose);
/* The sweeps that are equilibria. start: the design position. */
void vd_kc_sweep_loads(vd_kc_run *r, const vd_pose *start, const bool *wanted);

/* One more line of the report. False, for callers that fail by it. */
bool vd_kc_message(vd_kc_report *report, const char *format, ...) VD_PRINTF(2, 3);

/* Builds a linkage; false after a message. */
bool vd_kc_build(const vd_hardpoints *points, enum vd_axle_motion motion, vd_linkage *l, vd_kc_report *report);

/* The columns that the plan wants. */
void vd_kc_header(const vd_kc_plan *plan, vd_buf *out);
void vd_kc_write_row(const vd_kc_row *row, const vd_kc_plan *plan, vd_buf *out);

/* A number as in vd_output_row; NAN is empty. */
void vd_kc_number(double value, enum vd_digits digits, vd_buf *out);
/* A comma and a number. */
void vd_kc_field(double value, enum vd_digits digits, vd_buf *out);

#endif
