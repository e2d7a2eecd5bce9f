/* Property files of Adams/Tire for models whose parameters are keys of a tyre file, too: fiala, pac89, pac94.
 *
 * The source file of a model lists the keys of a property file that are read, and the model's own key that corresponds
 * to each. The key `file` of a tyre file names a property file. It gives values to the keys that the tyre file does not
 * give, so that a resolved scenario needs no property file. [UNITS], PROPERTY_FILE_FORMAT, TYRESIDE and
 * [DEFLECTION_LOAD_CURVE] are read as for model mf (tir.h).
 *
 * The coefficients of pac89 and pac94 have the units of their papers, whatever [UNITS] says, as in Adams/Tire. */
#ifndef VD_TIR_OWN_DEF_H
#define VD_TIR_OWN_DEF_H

#include "tyre/tir_impl.h"
#include "tyre/tyre_def.h"

struct vd_schema;

/* A tyre while its property file is read. The keys of the file correspond to members of this struct. */
typedef struct vd_tir_tyre {
  vd_tyre_def def;
  vd_pac_coefficients pac;
  double resistance;       /* ROLLING_RESISTANCE, as defined in the file */
  int side;                /* enum vd_mf_side */
  vd_mf_points load_curve; /* count 0: there is none */
} vd_tir_tyre;

typedef struct vd_tir_own {
  const char *format; /* PROPERTY_FILE_FORMAT */
  const vd_tir_key *key;
  size_t keys;
  const char *const *silent; /* as in vd_tir_kind */
  /* take: converts values of the property file to values of the keys of a tyre file, with messages. give: converts them
   * back. */
  void (*take)(vd_tir_reader *r, vd_tir_tyre *tyre, vd_arena *arena);
  void (*give)(vd_tir_tyre *tyre);
} vd_tir_own;

/* One key; the dimension is last. */
#define VD_TIR_OWN_KEY(section, key, member, value, need, same, ...)                                                   \
  { section, key, offsetof(vd_tir_tyre, member), {__VA_ARGS__}, value, need, same }
/* Keys that every format has; the argument is the dimension of ROLLING_RESISTANCE. */
#define VD_TIR_BODY_KEYS(...)                                                                                          \
  VD_TIR_OWN_KEY("DIMENSION", "UNLOADED_RADIUS", def.property.unloaded_radius, 0, VD_TIR_MUST, "unloaded_radius",      \
                 VD_TIR_OF_LENGTH),                                                                                    \
      VD_TIR_OWN_KEY("PARAMETER", "VERTICAL_STIFFNESS", def.common.vertical_stiffness, 0, VD_TIR_MAY,                  \
                     "vertical_stiffness", VD_TIR_FORCE_OVER_LENGTH),                                                  \
      VD_TIR_OWN_KEY("PARAMETER", "VERTICAL_DAMPING", def.common.vertical_damping, 0, VD_TIR_MAY, "vertical_damping",  \
                     VD_TIR_OF_DAMPING),                                                                               \
      VD_TIR_OWN_KEY("PARAMETER", "ROLLING_RESISTANCE", resistance, 0, VD_TIR_MAY, "rolling_resistance", __VA_ARGS__), \
      VD_TIR_OWN_KEY("PARAMETER", "RELAX_LENGTH_X", def.common.relaxation_longitudinal, 0.15, VD_TIR_MAY,              \
                     "relaxation_longitudinal", VD_TIR_OF_LENGTH),                                                     \
      VD_TIR_OWN_KEY("PARAMETER", "RELAX_LENGTH_Y", def.common.relaxation_lateral, 0.6, VD_TIR_MAY,                    \
                     "relaxation_lateral", VD_TIR_OF_LENGTH)

/* Sets the keys that the tyre file does not give. like: a completed tyre of the same model, or NULL; if both have the
 * same property file, it is read without messages. */
void vd_tir_own_complete(const vd_tir_own *own, vd_tyre_def *def, const vd_tyre_def *like, const vd_tyre_origin *from);
/* Writes a property file. False: the radius is not known. */
bool vd_tir_own_write(const vd_tir_own *own, const vd_tyre_def *def, vd_buf *out);

#endif
