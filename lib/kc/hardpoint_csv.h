/* Hardpoint lists as Adams/Car users exchange them: a point a row, in the simplest form as CSV.
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
 * most forms, its unit of length. The caller states both, or the points of the list prove them; otherwise it is an
 * error. */
#ifndef VD_HARDPOINT_CSV_H
#define VD_HARDPOINT_CSV_H

#include "linkage/corner_def.h"

enum vd_axes {
  VD_AXES_UNSTATED,
  VD_AXES_ISO,   /* x forward, y left, z up */
  VD_AXES_ADAMS, /* x rearward, y right, z up: ISO turned by pi about z */
};

enum vd_length_unit { VD_LENGTH_UNSTATED, VD_LENGTH_M, VD_LENGTH_MM, VD_LENGTH_IN };
extern const char *const vd_length_names[]; /* ends with NULL */
extern const double vd_length_in_m[];

/* What moves the inner end of the tie rod or toe link; unstated: a rack of a tie rod, nothing of a toe link. */
enum vd_list_steering { VD_LIST_STEERING_UNSTATED, VD_LIST_RACK, VD_LIST_NO_RACK };

enum vd_list_side { VD_LIST_UNSTATED, VD_LIST_LEFT, VD_LIST_RIGHT };

/* Statements about a list, and values that no list contains. */
typedef struct vd_hardpoint_options {
  enum vd_axes axes;
  enum vd_length_unit unit;
  enum vd_list_side side; /* of a list of both that are not mirror images */
  enum vd_list_steering steering;
  double toe0, camber0; /* rad, of the wheel at the design position: its spin axis; NAN: the file has them */
  double static_radius; /* m, loaded; NAN: not known */
} vd_hardpoint_options;

/* How a list was interpreted, and why: for a remark. */
typedef struct vd_hardpoint_taken {
  enum vd_axes axes;
  enum vd_length_unit unit;
  enum vd_list_side side;
  bool axes_proven, unit_proven;
  const char *unit_text; /* of the file, if it says its unit; the points then are converted to m */
  bool wheel_by_file;    /* toe or camber of the wheel are those of the file */
  double wheel_y;        /* of the wheel centre, as the list has it */
} vd_hardpoint_taken;

/* Whether a registered source is a list, by its first line or, of YAML and JSON, by its keys. */
bool vd_hardpoint_is_list(int source, const vd_diag *d);

/* Reads a registered source. False after errors, which name the options --axes, --length-unit, --side, --toe0,
 * --camber0 and --steering where these would help. Sets hardpoints, spring and damper of the corner; all else is
 * unknown. */
bool vd_hardpoint_csv_read(int source, const vd_hardpoint_options *options, vd_arena *arena, vd_diag *d,
                           vd_corner *corner, vd_hardpoint_taken *taken);

/* "left corner, adams axes (proven: hpl_wheel_center has y < 0), lengths in mm (proven: ...)" */
void vd_hardpoint_csv_describe(const vd_hardpoint_taken *taken, vd_buf *out);

/* Writes the left corner with as many digits as read back to the same bits, so that the only loss is the rounding of
 * the change of units. left_out: the parts of the corner for which lists have no names, in words; may stay empty. */
void vd_hardpoint_csv_write(const vd_corner *corner, enum vd_axes axes, enum vd_length_unit unit, vd_buf *out,
                            vd_buf *left_out);

#endif
