/* Spring, damper and stops of an axle as a file gives them. */
#ifndef VD_SUSPENSION_DEF_H
#define VD_SUSPENSION_DEF_H

#include "input/measured.h"
#include "base/arena.h"
#include "base/list.h"
#include "input/diag.h"
#include "input/tree.h"
#include "linkage/suspension.h"

/* Points [x, y], x rising, from a file or from the scenario itself. Between them are cubics with a continuous slope
 * that stay between the values of their two points (Steffen 1990); beyond them the curve continues with the slope at
 * its last point. */
typedef struct vd_curve_def {
  vd_measured_def table;            /* a file; vd_suspension_complete reads it into `points' and then clears this */
  vd_column_def x_column, y_column; /* of the file; empty: its first and its second column, of two */
  vd_points points;
} vd_curve_def;

/* Where the curves of an axle's springs and dampers are given: at the wheel, or along the spring or damper of the
 * linkage. */
enum vd_taken { VD_AT_WHEEL, VD_AT_ELEMENT };

enum vd_damper_type { VD_DAMPER_LINEAR, VD_DAMPER_CURVE };

typedef struct vd_damper_def {
  int type;             /* enum vd_damper_type */
  int at;               /* enum vd_taken; VD_AT_WHEEL after vd_suspension_to_wheel */
  double bump, rebound; /* N s/m, >= 0; bump auto, stored as NAN: not known; rebound auto: same as bump */
  vd_curve_def curve;   /* rate (m/s, bump > 0) -> force (N); through (0, 0), nowhere falling */
} vd_damper_def;

enum vd_spring_type { VD_SPRING_LINEAR, VD_SPRING_CURVE };

typedef struct vd_spring_def {
  int type;           /* enum vd_spring_type; linear: the axle's spring_stiffness */
  int at;             /* enum vd_taken, for a curve */
  vd_curve_def curve; /* compression from the free length (m) -> force (N), rising; from (0, 0) */
} vd_spring_def;

typedef struct vd_suspension_def {
  vd_spring_def spring;
  vd_damper_def damper;
  vd_stop bump_stop, rebound_stop;
} vd_suspension_def;

/* Fields of a suspension for the schema of an axle: spring, damper, bump_stop, rebound_stop. */
extern const struct vd_schema vd_spring_schema, vd_damper_schema, vd_stop_schema;

/* Reads files and replaces the values that were `auto`. root gives the places for messages; path is the axle's key in
 * it. */
void vd_suspension_complete(vd_suspension_def *def, const vd_node *root, const char *path, vd_arena *arena, vd_diag *d);
/* Converts curves along the linkage's elements to curves at the wheel: F_wheel(x) = ratio F(ratio x), where the ratio
 * is the compression of the element per travel in the design position. Levels with a linkage map apply the wheel's
 * curve at the element's real length. It is an error if a ratio is needed and not known (NAN). */
void vd_suspension_to_wheel(vd_suspension_def *def, double spring_ratio, double damper_ratio, const vd_node *root,
                            const char *path, vd_arena *arena, vd_diag *d);
/* Checks that curves pass through zero and rise. static_load: load of the spring in the design position, N, which must
 * be within the spring's curve. */
void vd_suspension_check(const vd_suspension_def *def, double static_load, const vd_node *root, const char *path,
                         vd_diag *d);
/* Returns the slope of a spring's curve at the static load, N/m; NAN: the spring has no curve. */
double vd_suspension_stiffness(const vd_suspension_def *def, double static_load);
/* Builds a suspension. stiffness: that of a linear spring, N/m at the wheel. */
void vd_suspension_build(const vd_suspension_def *def, double stiffness, double static_load, vd_suspension *s);

#endif
