/* Hardpoint lists as users of Adams/Car exchange them: one point per row, in the simplest form as CSV.
 *
 *   name,x,y,z
 *   hpl_lca_front,-150,-300,80
 *   hpl_lca_rear,180,-300,80
 *   ...
 *
 * Other forms are tables with other separators, mappings in YAML or JSON, subsystem files of Adams/Car, and tables that
 * a YAML file describes.
 *
 * Names of the left corner begin with hpl_, those of the right one with hpr_. A list states neither its axes nor, in
 * most forms, its unit of length. The caller states both, or the points of the list prove them; otherwise reading
 * fails. */
#ifndef VD_HARDPOINT_CSV_H
#define VD_HARDPOINT_CSV_H

#include "linkage/corner_def.h"

enum vd_axes {
  VD_AXES_UNSTATED,
  VD_AXES_ISO,   /* x forward, y left, z up */
  VD_AXES_ADAMS, /* x rearward, y right, z up: ISO axes rotated by pi about z */
};

enum vd_length_unit { VD_LENGTH_UNSTATED, VD_LENGTH_M, VD_LENGTH_MM, VD_LENGTH_IN };
extern const char *const vd_length_names[]; /* ends with NULL */
extern const double vd_length_in_m[];

/* The part that moves the inner end of the tie rod or toe link. Unstated: a rack moves a tie rod, and a toe link is not
 * steered. */
enum vd_list_steering { VD_LIST_STEERING_UNSTATED, VD_LIST_RACK, VD_LIST_NO_RACK };

enum vd_list_side { VD_LIST_UNSTATED, VD_LIST_LEFT, VD_LIST_RIGHT };

enum vd_list_axle { VD_LIST_ANY_AXLE, VD_LIST_FRONT, VD_LIST_REAR };

/* Statements of the caller about a list, and values that no list contains. */
typedef struct vd_hardpoint_options {
  enum vd_axes axes;
  enum vd_length_unit unit;
  enum vd_list_side side; /* for a list with both sides if these are not mirror images */
  enum vd_list_axle axle; /* for a list with both axles; unstated: the front one */
  enum vd_list_steering steering;
  double toe0, camber0; /* rad, angles of the wheel in the design position; NAN: those of the file */
  double static_radius; /* m, loaded; NAN: not known */
} vd_hardpoint_options;

/* The interpretation of a list, and its reasons, for a remark. */
typedef struct vd_hardpoint_taken {
  enum vd_axes axes;
  enum vd_length_unit unit;
  enum vd_list_side side;
  enum vd_list_axle axle; /* the axle, if the list has both axles; otherwise any */
  const char *rod_on;     /* the arm that is assumed to carry the push or pull rod; NULL: there is none */
  bool axis_made;         /* the list has one point of the rocker's axis */
  bool axes_proven, unit_proven;
  const char *unit_text; /* unit that the file states; the points were then converted to m */
  bool wheel_by_file;    /* toe or camber of the wheel come from the file */
  double wheel_y;        /* of the wheel centre, in the axes and unit of the list */
} vd_hardpoint_taken;

/* Returns whether a registered source is a hardpoint list: judged by its first line, or by its keys if it is YAML or
 * JSON. */
bool vd_hardpoint_is_list(int source, const vd_diag *d);

/* Reads a registered source. False after errors, whose messages name the options --axes, --length-unit, --side, --toe0,
 * --camber0 and --steering if these would help. Sets hardpoints, spring and damper of the corner; everything else is
 * unknown. */
bool vd_hardpoint_csv_read(int source, const vd_hardpoint_options *options, vd_arena *arena, vd_diag *d,
                           vd_corner *corner, vd_hardpoint_taken *taken);

/* Describes the interpretation: "left corner, adams axes (proven: hpl_wheel_center has y < 0), lengths in mm (proven:
 * ...)". */
void vd_hardpoint_csv_describe(const vd_hardpoint_taken *taken, vd_buf *out);

/* Writes the left corner with enough digits to read back the same bits, so that the only loss is rounding by the change
 * of units. left_out: describes the parts of the corner for which lists have no names; may stay empty. */
void vd_hardpoint_csv_write(const vd_corner *corner, enum vd_axes axes, enum vd_length_unit unit, vd_buf *out,
                            vd_buf *left_out);

#endif
