/* Cross-check of two suspensions: gains and whole curves of a candidate are compared with those of a reference.
 *
 * Each side is a corner, whose gains are exact derivatives, or a table of curves, whose gains are differences of its
 * rows. A figure passes if |candidate - reference| <= max(atol, rtol |reference|) in the units of its row; NaN does not
 * pass. */
#ifndef VD_XCHECK_H
#define VD_XCHECK_H

#include "kc/hardpoint_csv.h"
#include "kc/table.h"
#include "input/table.h"
#include "compliance/wheel_compliance.h"

typedef struct vd_xcheck_side {
  const vd_corner *corner; /* or NULL */
  const vd_kc_table *table;
  const vd_wheel_compliance *compliance; /* of a table of compliance; table is NULL then */
} vd_xcheck_side;

/* Formats of a file of a side: a suspension, a hardpoint list, a table of curves or one of compliance. */
enum vd_xcheck_format {
  VD_FORMAT_UNSTATED,
  VD_FORMAT_YAML,
  VD_FORMAT_HARDPOINTS,
  VD_FORMAT_CURVES,
  VD_FORMAT_COMPLIANCE
};

extern const char *const vd_xcheck_format_names[]; /* "", "yaml" .. */

typedef struct vd_xcheck_input {
  const char *path; /* "-": standard input */
  enum vd_xcheck_format format;
  vd_hardpoint_options list; /* for a hardpoint list */
} vd_xcheck_input;

/* Reads a side. A format that is not stated follows from the file: first a hardpoint list from its columns or keys,
 * then YAML from the ending (.yaml, .yml, .json), then a table from a column that begins with fx_drive_ or fx_brake_
 * (compliance), or with travel_ or rack_ (curves). *format: the format found. remark: how a hardpoint list was
 * interpreted, without a line end; may stay empty. */
bool vd_xcheck_read(const vd_xcheck_input *in, vd_arena *arena, vd_diag *d, vd_xcheck_side *side,
                    enum vd_xcheck_format *format, vd_buf *remark);

typedef struct vd_xcheck_tolerance {
  double relative, absolute;
} vd_xcheck_tolerance;

enum vd_verdict_kind { VD_VERDICT_PASS, VD_VERDICT_FAIL, VD_VERDICT_ABSENT };

typedef struct vd_verdict {
  char metric[64];
  const char *unit;
  double reference, candidate; /* NAN: absent */
  double deviation, allowed;
  enum vd_verdict_kind kind;
  int gain;  /* number of the gain or of the change over a sweep; -1: neither */
  double at; /* mm: place of the change; NAN: a gain */
} vd_verdict;

enum {
  VD_GAINS = 5,
  VD_CHANGES = VD_GAINS + 5, /* the gains, and further quantities */
  VD_XCHECK_HEIGHTS = 8,
  VD_VERDICTS_MAX = VD_GAINS + VD_CHANGES + VD_SWEEPS * VD_CURVES + VD_XCHECK_HEIGHTS * VD_DISPLACEMENTS * VD_RIG_LOADS
};

typedef struct vd_verdicts {
  vd_verdict row[VD_VERDICTS_MAX];
  size_t count, failed; /* failed: absent figures are included */
} vd_verdicts;

/* Sets the deviation, the allowed deviation, and pass or fail. */
void vd_xcheck_judge(vd_xcheck_tolerance tolerance, vd_verdict *v);

/* Compares the five gains: toe_travel, camber_travel (deg/mm), track_travel (mm/mm, of the wheel centre), toe_rack,
 * caster_rack (deg/mm). Gains that neither side has are omitted. */
void vd_xcheck_gains(const vd_xcheck_side *reference, const vd_xcheck_side *candidate, vd_xcheck_tolerance tolerance,
                     vd_verdicts *out);

/* Where curves of two corners are compared: `count' places from `from' to `to', mm. With a table on one side, the rows
 * of the table are used instead; with two tables, the rows of the reference that are within those of the candidate. */
typedef struct vd_xcheck_range {
  double from, to;
  int count;
} vd_xcheck_range;

extern const vd_xcheck_range vd_xcheck_ranges[VD_SWEEPS]; /* as vdsim-kc-sweep: -100:100:41, -40:40:17 */

/* Compares quantities in which differences appear that the five gains do not show, such as a joint that slid along its
 * rod or a rod whose ends are exchanged. They are the changes from the design position of toe, camber and track over
 * the travel, of toe and caster over the rack, and of the wheel centre's x and the knuckle's rotation about the wheel's
 * axle over the travel, which trailing links determine. Wheels that an axle or a beam joins hardly steer in heave, so
 * toe, track and the wheel centre's x are also compared over opposite travels. Each verdict is at the place of the
 * largest deviation, which is related to the largest change of the reference, so that a curve may pass through zero.
 * The metric is "toe_travel@travel_mm=-35". Only quantities that both sides have are compared, where both are
 * reached. */
void vd_xcheck_changes(const vd_xcheck_side *reference, const vd_xcheck_side *candidate,
                       const vd_xcheck_range range[VD_SWEEPS], vd_xcheck_tolerance tolerance, vd_verdicts *out);

/* Returns the value of a gain, or of a change if `at' is a number; NAN: the corner does not have it or does not reach
 * the place. */
double vd_xcheck_figure(const vd_corner *corner, int gain, double at);

/* Compares each curve in `wanted' (set of 1u << quantity) at its worst place, where the deviation is the largest share
 * of what is allowed; its metric is "toe_deg@travel_mm=-35". Places that neither side reaches are left out. */
void vd_xcheck_curves(const vd_xcheck_side *reference, const vd_xcheck_side *candidate, unsigned wanted,
                      const vd_xcheck_range range[VD_SWEEPS], vd_xcheck_tolerance tolerance, vd_verdicts *out);

/* Compares compliances: displacements under one load at a time, at each travel that a table has, up to
 * VD_XCHECK_HEIGHTS of them. Each quantity over each load is compared at the row of the largest deviation, which is
 * related to the largest change of the reference; the metric is "toe_deg@fy_N=4000". The values of a corner are
 * equilibria on its bushings. False after an error: neither side is a table of compliance, or a corner has no
 * compliance. */
bool vd_xcheck_compliance(const vd_xcheck_side *reference, const vd_xcheck_side *candidate,
                          vd_xcheck_tolerance tolerance, vd_arena *arena, vd_diag *d, vd_verdicts *out);

/* Returns the curve of a figure over one load in the design position in a table of compliance, in SI units. NULL: the
 * table does not have it. */
const vd_compliance_curve *vd_xcheck_compliance_curve(const vd_wheel_compliance *c, enum vd_kc_figure figure,
                                                      enum vd_rig_load load);

/* Returns the side whose corner lacks the loaded radius for a curve in `wanted' that the other side has: 0 for the
 * reference, 1 for the candidate, -1 for neither. *quantity (may be NULL) is the curve. */
int vd_xcheck_lacks_radius(const vd_xcheck_side *reference, const vd_xcheck_side *candidate, unsigned wanted,
                           enum vd_curve_quantity *quantity);

/* A hardpoint whose places differ between both sides, or two hardpoints that are exchanged. */
typedef struct vd_cause {
  const char *point, *other; /* keys in a suspension file; other: the hardpoint with which it is exchanged, or NULL */
  double distance;           /* m, between both sides */
  double share;              /* part of the deviation that it explains */
} vd_cause;

enum { VD_CAUSES = 3 * VD_MEMBERS + 1 };

/* Lists the share of each hardpoint in the deviation of a figure that did not pass: the figure of the reference with
 * this one point at the candidate's place, minus the figure of the reference, over the deviation. It is not a
 * derivative, so it also holds for points that are far apart; the shares of several points need not add up to 1. The
 * largest come first. Returns the number of hardpoints; 0 if the figure is neither a gain nor a change, or the sides
 * are not two corners of one type. Points nearer than 1 um are the same. */
size_t vd_xcheck_causes(const vd_xcheck_side *reference, const vd_xcheck_side *candidate, const vd_verdict *v,
                        vd_cause *cause);

/* Lists hardpoints that are farther apart than `least', m, whatever their effect; two exchanged hardpoints are one
 * entry. Shares are not computed. */
size_t vd_xcheck_distant_points(const vd_xcheck_side *reference, const vd_xcheck_side *candidate, double least,
                                vd_cause *cause);

void vd_xcheck_write(const vd_verdicts *v, vd_output *o, enum vd_digits digits);
void vd_xcheck_write_tap(const vd_verdicts *v, vd_output *o);

#endif
