/* A random road after ISO 8608, drawn before the run (iso8608_def.h). */
#ifndef VD_ISO8608_H
#define VD_ISO8608_H

/* Profiles of the left and the right track: between two samples a cubic a + u (b + u (c + u d)), u from 0 to 1. */
typedef struct vd_iso8608 {
  const double *piece; /* m, [samples + 1][8]: a left, a right, b left, ...; the last piece is the first again */
  double samples;      /* in one period */
  double per_length;   /* 1/m: one over the period */
  double per_track;    /* 1/m: one over the track */
  double rate;         /* 1/m: samples per metre */
  const double *bend;  /* 1/m, [blocks][2], left and right: the sharpest upward bend of 16 pieces, 0 or above */
  double blocks;
  double apart, apart_slope; /* m, 1: bounds of |left less right| and of its slope along x */
} vd_iso8608;

#endif
