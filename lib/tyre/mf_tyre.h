/* The Magic Formula of a property file (mf.h) as one of the tyre models. */
#ifndef VD_MF_TYRE_H
#define VD_MF_TYRE_H

#include "tyre/mf.h"
#include "tyre/tyre_model.h"

/* How the formula treats values beyond the file's ranges of load, slip, camber and pressure: it uses the end of the
 * range (HOLD) or the actual value (IGNORE). */
enum vd_mf_limits { VD_MF_HOLD, VD_MF_IGNORE };

/* The keys of this model in a tyre file. */
typedef struct vd_mf_tyre_def {
  const char *file;       /* .tir; empty after reading, when `properties` has its coefficients */
  const char *properties; /* text of a .tir */
  int combined;           /* enum vd_mf_combined */
  int turn_slip;          /* enum vd_mf_turn_slip */
  int limits;             /* enum vd_mf_limits */
  double pressure;        /* Pa; auto: the pressure of the file */
  int side;               /* 0 auto: TYRESIDE; otherwise 1 + enum vd_mf_side */
  /* not keys: set when the definition is completed */
  const char *origin;       /* the file name or the text that was given */
  const char *kept;         /* the lines of the file that are not understood (vd_tir_keep) */
  const vd_mf_def *figures; /* coefficients of the file, in the arena; NULL: it could not be read */
} vd_mf_tyre_def;

/* Coefficients of the tyres of a group in four lanes. */
typedef struct vd_mf_row {
  vd_mf_four four;
  double friction[VD_WHEELS]; /* factor on LMUX and LMUY */
  double pressure[VD_WHEELS]; /* Pa */
  double radius[VD_WHEELS];   /* m, unloaded */
} vd_mf_row;

/* Intermediate results of the tyres of a group. */
typedef struct vd_mf_slide {
  vd_mf_contact contact; /* its friction is set in the first pass */
  vd_mf_path path;       /* set with turn slip */
  vd_wide turning;       /* direction of the spin, +1 forwards, -1 backwards, smooth between them */
  bool rolls;            /* `turning` is set */
  vd_mf_slip slip;
  bool has_slip;         /* `slip` and the friction of `contact` are set */
  vd_mf_load_state last; /* state of the last pass */
} vd_mf_slide;

extern const vd_tyre_variant vd_mf_variant;

#endif
