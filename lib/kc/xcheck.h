/* Cross-check of two suspensions: gains and whole curves of a candidate against those of a reference.
 *
 * Either side is a corner, whose gains are exact derivatives, or a table of curves, whose gains are differences of its
 * rows. A figure passes if |candidate - reference| <= max(atol, rtol |reference|) in the units of its row; NaN does
 * not. */
#ifndef VD_XCHECK_H
#define VD_XCHECK_H

#include "kc/hardpoint_csv.h"
#include "kc/table.h"
#include "input/table.h"
#include "compliance/wheel_compliance.h"

typedef struct vd_xcheck_side {
  const vd_corner *corner; /* or NULL */
  const vd_kc_table *table;
  const vd_wheel_compliance *compliance; /* of a table of such; table is NULL then */
} vd_xcheck_side;

/* A side from a file: a suspension, a hardpoint list, a table of curves or one of compliance. */
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
  vd_hardpoint_options list; /* of a hardpoint list */
} vd_xcheck_input;

/* Reads a side. Its format is the stated one, else a hardpoint list by its columns or keys, else YAML by the ending
 * (.yaml, .yml, .json), else by a column that begins with fx_drive_ or fx_brake_, or with travel_ or rack_. *format:
 * the format found. remark: how a hardpoint list was interpreted, without a line end; may stay empty. */
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
  int gain;  /* of a gain, or of a change over a sweep: its number; -1: of neither */
  double at; /* mm: place of that change; NAN: of a gain */
} vd_verdict;

enum {
  VD_GAINS = 5,
  VD_CHANGES = VD_GAINS + 5, /* those of the gains, and more */
  VD_XCHECK_HEIGHTS = 8,
  VD_VERDICTS_MAX = VD_GAINS + VD_CHANGES + VD_SWEEPS * VD_CURVES + VD_XCHECK_HEIGHTS * VD_GIVING * VD_RIG_LOADS
};

typedef struct vd_verdicts {
  vd_verdict row[VD_VERDICTS_MAX];
  size_t count, failed; /* absent ones are failed */
} vd_verdicts;

/* Sets the deviation, the allowed deviation, and pass or fail. */
void vd_xcheck_judge(vd_xcheck_tolerance tolerance, vd_verdict *v);

/* The five gains: toe_travel, camber_travel (deg/mm), track_travel (mm/mm, of the wheel centre), toe_rack, caster_rack
 * (deg/mm). Gains that neither side has are omitted. */
void vd_xcheck_gains(const vd_xcheck_side *reference, const vd_xcheck_side *candidate, vd_xcheck_tolerance tolerance,
                     vd_verdicts *out);

/* Where curves of two corners are compared: `count` places from `from` to `to`, mm. With a table on one side it is at
 * its rows instead, with two at the rows of the reference that the candidate's enclose. */
typedef struct vd_xcheck_range {
  double from, to;
  int count;
} vd_xcheck_range;

extern const vd_xcheck_range vd_xcheck_ranges[VD_SWEEPS]; /* as vdsim-kc-sweep: -100:100:41, -40:40:17 */

/* What the five gains cannot see, such as a joint that slid along its rod or a rod whose ends are exchanged: changes
 * of toe, camber and track from the design position over the travel, and of toe and caster over the rack; of the wheel
 * centre's place along the car and of the knuckle's turn in side view over the travel, which trailing links decide; and
 * of wheels that an axle or a beam joins, which hardly steer in heave, of toe, of the track and of the wheel centre
 * along the car over opposite travels. Each is at the place of the largest deviation. That is held against the largest
 * change of the reference, so that a curve may pass zero. The metric is "toe_travel@travel_mm=-35". Only what both
 * sides have is compared, where both are reached. */
void vd_xcheck_changes(const vd_xcheck_side *reference, const vd_xcheck_side *candidate,
                       const vd_xcheck_range range[VD_SWEEPS], vd_xcheck_tolerance tolerance, vd_verdicts *out);

/* A gain, or a change at `at` if that is a number; NAN: the corner has none, or does not reach it. */
double vd_xcheck_figure(const vd_corner *corner, int gain, double at);

/* The worst place of each curve in `wanted` (set of 1u << quantity): the one where the deviation is the largest share
 * of what is allowed; its metric is "toe_deg@travel_mm=-35". Places that neither side reaches are left out. */
void vd_xcheck_curves(const vd_xcheck_side *reference, const vd_xcheck_side *candidate, unsigned wanted,
                      const vd_xcheck_range range[VD_SWEEPS], vd_xcheck_tolerance tolerance, vd_verdicts *out);

/* Compliance: how far the wheel gives way under one load at a time, at each travel that a table has, up to
 * VD_XCHECK_HEIGHTS of them: each quantity over each load at the row of the largest deviation, held against the largest
 * change of the reference; the metric is "toe_deg@fy_N=4000". A corner's are equilibria on its bushings. False after an
 * error: neither side is a table of compliance, or a corner has none. */
bool vd_xcheck_compliance(const vd_xcheck_side *reference, const vd_xcheck_side *candidate,
                          vd_xcheck_tolerance tolerance, vd_arena *arena, vd_diag *d, vd_verdicts *out);

/* How a figure changes over one load at the design position by a table of compliance, in SI units. NULL: the table
 * does not have it. */
const vd_giving_curve *vd_xcheck_giving(const vd_wheel_compliance *c, enum vd_kc_figure figure, enum vd_rig_load load);

/* Finds a side whose corner lacks the loaded radius for a curve in `wanted` that the other side has: 0 reference, 1
 * candidate, -1 none; *quantity (may be NULL) is the curve. */
int vd_xcheck_lacks_radius(const vd_xcheck_side *reference, const vd_xcheck_side *candidate, unsigned wanted,
                           enum vd_curve_quantity *quantity);

/* A hardpoint of which both sides have different places, or two that are exchanged. */
typedef struct vd_cause {
  const char *point, *other; /* keys in a suspension file; other: the one it is exchanged with, or NULL */
  double distance;           /* m, between both sides */
  double share;              /* of the deviation */
} vd_cause;

enum { VD_CAUSES = 3 * VD_MEMBERS + 1 };

/* The share of each hardpoint in the deviation of a figure that did not pass: the figure of the reference with the
 * candidate's place of this one point, less that of the reference, by the deviation. It is no derivative, so that it
 * holds for points that are far apart; of several points the shares need not add up to 1. The largest come first.
 * Returns how many there are; 0 where the figure is no gain or change, or the sides are not two corners of one type.
 * Points nearer than 1 um are the same. */
size_t vd_xcheck_causes(const vd_xcheck_side *reference, const vd_xcheck_side *candidate, const vd_verdict *v,
                        vd_cause *cause);

/* Points that are further apart than `least`, m, whatever they change; two that are exchanged as one, without shares.
 */
size_t vd_xcheck_apart(const vd_xcheck_side *reference, const vd_xcheck_side *candidate, double least, vd_cause *cause);

void vd_xcheck_write(const vd_verdicts *v, vd_output *o, enum vd_digits digits);
void vd_xcheck_write_tap(const vd_verdicts *v, vd_output *o);

#endif
