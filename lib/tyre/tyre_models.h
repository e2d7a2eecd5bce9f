/* The list of tyre models. It makes the values of the enum, the names in files, the members of the unions, the groups
 * of keys and the table of rows (tyre_variants.c). */
#ifndef VD_TYRE_MODELS_H
#define VD_TYRE_MODELS_H

#include "tyre/brush.h"
#include "tyre/fiala.h"
#include "tyre/linear.h"
#include "tyre/mf96.h"
#include "tyre/mf_tyre.h"
#include "tyre/pac.h"
#include "tyre/tmeasy.h"

/* MODEL: enum value; name in files, of the union members and of the row; type of the parameters of a tyre; type of the
 * keys in a tyre file; type of the numbers of a group's tyres side by side. ALSO: enum value and name of a further
 * model, which uses the row and the members of the MODEL before it. */
/* clang-format off */
#define VD_TYRE_MODELS(MODEL, ALSO)                                              \
  MODEL(LINEAR, "linear", linear, vd_linear_tyre, vd_linear_tyre, vd_linear_four) \
  MODEL(MF96, "mf96", mf96, vd_mf96, vd_mf96, vd_mf96_four)                      \
  MODEL(TMEASY, "tmeasy", tmeasy, vd_tmeasy, vd_tmeasy, vd_tmeasy_four)          \
  MODEL(MF, "mf", mf, vd_mf, vd_mf_tyre_def, vd_mf_row)                          \
  MODEL(FIALA, "fiala", fiala, vd_fiala, vd_fiala, vd_no_lanes)                  \
  MODEL(BRUSH, "brush", brush, vd_brush, vd_brush, vd_no_lanes)                  \
  MODEL(PAC89, "pac89", pac, vd_pac, vd_pac_def, vd_pac_four)                    \
  ALSO(PAC94, "pac94", pac)

#define VD_TYRE_IN_ENUM(value, ...)                                VD_TYRE_##value,
#define VD_TYRE_IN_SHAPE(value, name, member, shape, def, lanes)  shape member;
#define VD_TYRE_IN_DEF(value, name, member, shape, def, lanes)   def member;
#define VD_TYRE_IN_LANES(value, name, member, shape, def, lanes)  lanes member;
#define VD_TYRE_NOT_IN(...)

enum vd_tyre_model { VD_TYRE_MODELS(VD_TYRE_IN_ENUM, VD_TYRE_IN_ENUM) };

/* Parameters with which a tyre computes its forces. */
typedef union vd_tyre_shape { VD_TYRE_MODELS(VD_TYRE_IN_SHAPE, VD_TYRE_NOT_IN) } vd_tyre_shape;

/* Contents of a tyre file. */
typedef union vd_tyre_file_data { VD_TYRE_MODELS(VD_TYRE_IN_DEF, VD_TYRE_NOT_IN) } vd_tyre_file_data;

/* Numbers of a group's tyres side by side. */
typedef union vd_tyre_lanes { VD_TYRE_MODELS(VD_TYRE_IN_LANES, VD_TYRE_NOT_IN) } vd_tyre_lanes;
/* clang-format on */

#endif
