/* Shared by the functions that compute sweeps and those that write them. */
#ifndef VD_KC_SWEEP_IMPL_H
#define VD_KC_SWEEP_IMPL_H

#include "kc/sweep.h"

/* One row: its inputs and the results. */
typedef struct vd_kc_row {
  enum vd_kc_sweep sweep;
  double travel, rack; /* m, of this wheel; rack towards +y */
  vd_wheel_load load;  /* in chassis axes; NAN: no forces */
  const char *hold;    /* how the wheel is held under them; NULL: no forces */
  bool right, steered;
  double along[VD_INPUTS]; /* of its rates */
  double design_y;         /* m, wheel centre's, outward */
  const vd_kc_state *state;
  const vd_kc_axle *axle;
} vd_kc_row;

/* One more line of the report. */
void vd_kc_message(vd_kc_report *report, const char *format, ...) VD_PRINTF(2, 3);

/* Of a linkage that cannot be built. */
extern const char *const vd_kc_loose;

/* Whether forces move anything. */
bool vd_kc_elastic(const vd_corner *corner);

void vd_kc_header(vd_buf *out);
void vd_kc_write_row(const vd_kc_row *row, enum vd_digits digits, vd_buf *out);

/* A number as in vd_output_row; NAN is empty. */
void vd_kc_number(double value, enum vd_digits digits, vd_buf *out);

#endif
