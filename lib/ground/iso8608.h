/* A random road after ISO 8608, drawn before the run (iso8608_def.h). */
#ifndef VD_ISO8608_H
#define VD_ISO8608_H

/* Profiles of the left and the right track. Between two samples each is a cubic a + u (b + u (c + u d)), u from 0 to
 * 1. */
typedef struct vd_iso8608 {
  const double *piece;   /* m, [samples + 1][8]: a left, a right, b left, ...; the last piece repeats the first */
  double samples;        /* number of samples in one period */
  double inverse_length; /* 1/m: inverse of the period */
  double inverse_track;  /* 1/m: inverse of the track */
  double samples_per_m;  /* 1/m: samples per metre */
  const double *bend;    /* 1/m, [blocks][2], left and right: greatest upward curvature within 16 pieces, at least 0 */
  double blocks;
  double apart, apart_slope; /* bounds of the difference of left and right, m, and of its slope along x */
} vd_iso8608;

#endif
