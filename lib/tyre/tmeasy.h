/* TMeasy: curves that are defined by five numbers at two loads; see tmeasy.c. */
#ifndef VD_TMEASY_H
#define VD_TMEASY_H

#include "tyre/tyre_model.h"

/* One curve at one load. */
typedef struct vd_tmeasy_curve {
  double df0;     /* N, initial slope */
  double s_max;   /* -, slip of the peak */
  double f_max;   /* N */
  double s_slide; /* -, slip of full sliding */
  double f_slide; /* N */
} vd_tmeasy_curve;

typedef struct vd_tmeasy_curves {
  vd_tmeasy_curve nominal, doubled; /* at nominal_load and at twice this load */
} vd_tmeasy_curves;

/* A value as a function of the load: c0 u - c1 u^2, or c0 + c1 (u - 1), see tmeasy.c. */
typedef struct vd_tmeasy_line {
  double c0, c1;
} vd_tmeasy_line;

typedef struct vd_tmeasy_lines {
  vd_tmeasy_line df0, s_max, f_max, s_slide, f_slide;
} vd_tmeasy_lines;

/* Numbers from which forces are computed; all are doubles. */
typedef struct vd_tmeasy_terms {
  vd_tmeasy_lines curve[2];          /* longitudinal, lateral */
  double inverse_load, highest_load; /* 1/N; multiple of nominal_load beyond which forces are constant */
  double friction;
  double highest_trail;                 /* like highest_load, for the three lines of the trail */
  double parabolas, fourth_order;       /* 1 or 0: parabolas beyond the peak; a trail of fourth order */
  vd_tmeasy_line trail;                 /* m, factor of (patch length)/(patch length at the nominal load) */
  vd_tmeasy_line trail_zero, trail_end; /* slips */
} vd_tmeasy_terms;

enum { VD_TMEASY_TERMS = sizeof(vd_tmeasy_terms) / sizeof(double) };

/* Four tyres side by side. */
typedef struct vd_tmeasy_four {
  double term[VD_TMEASY_TERMS][VD_WHEELS];
} vd_tmeasy_four;

enum vd_tmeasy_edition { VD_TMEASY_2011, VD_TMEASY_2020, VD_TMEASY_CHRONO };

typedef struct vd_tmeasy {
  int edition; /* enum vd_tmeasy_edition */
  vd_tmeasy_curves longitudinal, lateral;
  double nominal_load;                        /* N */
  double trail_zero, trail_end;               /* lateral slips at which the trail is first zero and ends */
  double trail_double;                        /* m, at twice the nominal load */
  double trail_zero_double, trail_end_double; /* slips at twice the nominal load */
  vd_tmeasy_terms terms;                      /* computed from the keys */
} vd_tmeasy;

extern const vd_tyre_variant vd_tmeasy_variant;

#endif
