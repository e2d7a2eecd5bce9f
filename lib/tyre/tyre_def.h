/* The keys of a tyre file, and the function that builds a tyre from them. */
#ifndef VD_TYRE_DEF_H
#define VD_TYRE_DEF_H

#include "base/arena.h"
#include "base/list.h"
#include "base/text.h"
#include "input/diag.h"
#include "input/tree.h"
#include "tyre/tyre.h"

/* The property file that sets keys of a model (tir_own_def.h). */
typedef struct vd_tyre_property {
  const char *file;          /* "": there is none, or it has been read */
  double unloaded_radius;    /* m; NAN: not known */
  const char *origin, *kept; /* the file that was read, and the part of its text that is not used; NULL: none */
} vd_tyre_property;

typedef struct vd_tyre_def {
  int model; /* enum vd_tyre_model */
  const char *name;
  const char *source;
  vd_names estimates; /* keys of the tyre whose values are estimates */
  vd_tyre_common common;
  vd_tyre_property property;
  int side;    /* for models whose curves are shifted: 0 auto; otherwise 1 + enum vd_mf_side */
  bool unread; /* its property file could not be read, which has been reported */
  vd_tyre_file_data as;
} vd_tyre_def;

extern const struct vd_schema vd_tyre_schema;

/* Where the definition of a tyre comes from, and where messages go. */
typedef struct vd_tyre_origin {
  const vd_node *root;
  const char *path; /* path of the tyre in the tree */
  vd_arena *arena;
  vd_diag *d;
} vd_tyre_origin;

/* Reads a property file and computes values that are `auto`. `root` gives the places for messages, `path` is the tyre's
 * key in it. like: a completed tyre, or NULL; if both name the same property file, its messages are not repeated. */
void vd_tyre_complete(vd_tyre_def *def, const vd_tyre_def *like, const vd_node *root, const char *path, vd_arena *arena,
                      vd_diag *d);

/* Checks rules across keys. */
void vd_tyre_check(const vd_tyre_def *def, const vd_node *root, const char *path, vd_diag *d);

/* Adds a property file to `out` that reads back as this tyre, with coefficients that are equal to the bit and contain
 * its pressure and friction. False: there are no files for its model, the unloaded_radius is not known, or no file can
 * express its `combined`. */
bool vd_tyre_write_tir(const vd_tyre_def *def, vd_buf *out);

/* Builds a tyre. right: it is mounted on the right side of the car. A tyre that was measured for the other side is
 * mirrored. */
void vd_tyre_build(const vd_tyre_def *def, bool right, vd_tyre *tyre);

/* --- rows that several models share; models: a set of VD_WHEN --- */

/* clang-format off */
#define VD_TYRE_STIFFNESS_ROWS(models, member) \
  {VD_F_NUMBER(vd_tyre_def, member.cornering_stiffness, "cornering_stiffness", "N/rad", 0, 1e7, VD_ABOVE | VD_AUTO, \
     "auto", "slope of -Fy over slip angle, one tyre; auto: from the property file"), .only = (models)}, \
  {VD_F_NUMBER(vd_tyre_def, member.longitudinal_stiffness, "longitudinal_stiffness", "N", 0, 1e7, VD_ABOVE | VD_AUTO, \
     "auto", "slope of Fx over slip ratio, one tyre; auto: from the property file, or " \
     "2/rad x cornering_stiffness"), .only = (models)}

/* The last rows of every model except mf. Model mf has only the friction, since its property file contains the other
 * values. */
#define VD_TYRE_ROW_FRICTION(models) \
  {VD_F_NUMBER(vd_tyre_def, common.friction, "friction", "1", 0, 5, VD_ABOVE, "1", \
     "friction coefficient (at nominal load); a factor on the curves of tmeasy, pac89, pac94 and mf"), .only = (models)}
#define VD_TYRE_ROW_CAMBER(models) \
  {VD_F_NUMBER(vd_tyre_def, common.camber_stiffness, "camber_stiffness", "1/rad", 0, 10, 0, "0", \
     "side force divided by load and camber, towards the side to which the top leans; from L3 on"), .only = (models)}
#define VD_TYRE_BODY_ROWS(models) \
  VD_TYRE_ROW_FRICTION(models), \
  {VD_F_NUMBER(vd_tyre_def, common.rolling_resistance, "rolling_resistance", "1", 0, 1, 0, "0", \
     "rolling resistance torque divided by load x radius"), .only = (models)}, \
  {VD_F_NUMBER(vd_tyre_def, common.rolling_speed, "rolling_speed", "m/s", 0, 1e3, \
     VD_ABOVE | VD_AUTO | VD_OMIT_DEFAULT, "auto", \
     "speed at which the rolling resistance is twice its value at standstill; it grows with the square of the speed; " \
     "auto: it is the same at all speeds"), .example = "50 m/s", .only = (models)}, \
  {VD_F_NUMBER(vd_tyre_def, common.vertical_stiffness, "vertical_stiffness", "N/m", 0, 1e9, VD_ABOVE, "220 kN/m", \
     "vertical stiffness of one tyre; default with a load_curve: slope of the curve at half of its " \
     "last load"), .only = (models)}, \
  {VD_F_POINTS(vd_tyre_def, common.load_curve, "load_curve", "N", 0, 1e7, "[]", \
     "vertical load over deflection, in place of vertical_stiffness: pairs of m and N from [0, 0] on, which rise"), \
   .x_unit = "m", .flags = VD_OMIT_DEFAULT, .only = (models)}, \
  {VD_F_NUMBER(vd_tyre_def, common.patch_width, "patch_width", "m", 0, 2, 0, "0", \
     "width of the contact patch, which gives a leaning wheel an overturning moment; from L3 on"), .only = (models)}, \
  {VD_F_NUMBER(vd_tyre_def, common.lateral_stiffness, "lateral_stiffness", "N/m", 0, 1e9, VD_ABOVE | VD_AUTO, "auto", \
     "lateral stiffness of one tyre: Fy moves the patch, so that the load has an overturning moment and Fx an " \
     "aligning moment; auto: rigid"), .only = (models)}
#define VD_TYRE_PLAIN_ROWS(models) \
  {VD_F_NUMBER(vd_tyre_def, common.pneumatic_trail, "pneumatic_trail", "m", 0, 1, 0, "0", "Mz = -trail x Fy"), \
   .only = (models)}, \
  VD_TYRE_BODY_ROWS(models)

#define VD_TYRE_FILE_HELP \
  "property file (.tir): PAC2002 of Adams, MF-Tyre 5.2, 6.1 or 6.2 for mf; FIALA, PAC89 or PAC94 of Adams for the " \
  "models of these names, whose other keys have precedence"
/* The last rows of models whose keys a property file can set. */
#define VD_TYRE_PROPERTY_ROWS(models) \
  {VD_F_PATH(vd_tyre_def, property.file, "file", "\"\"", VD_TYRE_FILE_HELP), .only = (models)}, \
  {VD_F_NUMBER(vd_tyre_def, property.unloaded_radius, "unloaded_radius", "m", 0, 5, VD_ABOVE | VD_AUTO, "auto", \
     "radius without load, needed only for a property file; auto: from the file"), .only = (models)}

#define VD_TYRE_SIDE_HELP \
  "side on which the tyre was measured; on the other side it is mirrored. auto: TYRESIDE of the file, left if it " \
  "is missing or UNKNOWN; coefficients without a file are not mirrored"
/* clang-format on */
extern const char *const vd_tyre_side_names[]; /* defined in mf_tyre.c */

#endif
