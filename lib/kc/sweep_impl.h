/* Shared by the functions that compute sweeps and those that write them. */
#ifndef VD_KC_SWEEP_IMPL_H
#define VD_KC_SWEEP_IMPL_H

#include "compliance/compliance.h"
#include "kc/sweep.h"

/* One wheel of the axle. */
typedef struct vd_kc_side_wheel {
  bool right;
  bool on_axle;              /* the right wheel of a rigid axle; all others are left wheels or mirrored right ones */
  const vd_corner *corner;   /* corner with the points of this wheel */
  const vd_linkage *linkage; /* linkage of this wheel */
  double travel, rack;       /* this wheel's travel and rack per travel and rack of the axle; 1 for the left wheel */
  double inputs[VD_INPUTS];  /* of its linkage, per travel of the axle */
  double along[VD_INPUTS];   /* of its linkage, per its own travel */
} vd_kc_side_wheel;

typedef struct vd_kc_run {
  const vd_corner *corner;
  const vd_kc_plan *plan;
  vd_linkage linkage;
  /* Corner and linkage of a right wheel that is not on a rigid axle, mirrored to a left one. It differs from the left
   * wheel only if the steering is asymmetric. */
  vd_corner image;
  vd_linkage right_linkage;
  bool steered;
  vd_kc_side_wheel wheel[2];
  double before[2]; /* mm, N/mm: travel and wheel rate of the row before, in a sweep of the travel */
  vd_buf *out;
  vd_kc_report *report;
} vd_kc_run;

/* Builds linkages and wheels. False after a message: there is no linkage, or the plan applies weights and a mass is
 * missing. */
bool vd_kc_start(const vd_corner *corner, const vd_kc_plan *plan, vd_kc_run *r, vd_kc_report *report);
/* Creates the compliance of a wheel, with the weights if the plan has them; the caller must destroy it. */
vd_compliance *vd_kc_compliance(const vd_kc_run *r, const vd_kc_side_wheel *w, enum vd_hold hold);
/* Computes the figures of a wheel at a pose of its linkage, under the loads if the plan applies them. */
void vd_kc_state_of_wheel(const vd_kc_run *r, const vd_kc_side_wheel *w, const vd_pose *pose, vd_kc_state *state);
/* Computes the inputs of a wheel's linkage. */
void vd_kc_inputs(const vd_kc_run *r, const vd_kc_side_wheel *w, double travel, double rack, double *u);
/* Returns whether the rows of a wheel are written; if not, its failures are ignored. */
bool vd_kc_asked(const vd_kc_run *r, const vd_kc_side_wheel *w);
/* Returns the load that a sweep varies; NULL: it varies none. */
double *vd_kc_load_part(vd_wheel_load *load, enum vd_kc_sweep sweep);
/* Returns the plan's loads, mirrored if the wheel is the right one. */
vd_wheel_load vd_kc_mirrored_load(const vd_wheel_load *load, bool right);
int vd_kc_nearest_to_zero(const vd_kc_range *range);
/* Returns the point that is computed as the k-th: first from the middle, which is nearest to zero, to the upper end,
 * then from the middle to the lower end. *before: the neighbour from which it is reached; -1: there is none. */
int vd_kc_outward(const vd_kc_range *range, int middle, int k, int *before);
/* Returns the rocker that cannot follow the linkage to a pose; NULL: all can. */
const char *vd_kc_stuck_rocker(const vd_linkage *l, const vd_pose *pose);
/* Computes the sweeps of forces. start: the pose in the design position. */
void vd_kc_sweep_loads(vd_kc_run *r, const vd_pose *start, const bool *wanted);

/* Appends a line to the report. Returns false, which callers can return. */
bool vd_kc_message(vd_kc_report *report, const char *format, ...) VD_PRINTF(2, 3);

/* Builds a linkage; false after a message. */
bool vd_kc_build(const vd_hardpoints *points, enum vd_axle_motion motion, vd_linkage *l, vd_kc_report *report);

/* Writes the header with the columns that the plan wants. */
void vd_kc_header(const vd_kc_plan *plan, vd_buf *out);
void vd_kc_write_row(const vd_kc_row *row, const vd_kc_plan *plan, vd_buf *out);

/* Appends a number as vd_output_row does; NAN is empty. */
void vd_kc_number(double value, enum vd_digits digits, vd_buf *out);
/* Appends a comma and a number. */
void vd_kc_field(double value, enum vd_digits digits, vd_buf *out);

#endif
