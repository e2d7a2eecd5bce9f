/* Rows within a smooth step, without an evaluation for each: the values that are read are interpolated between five
 * places. As many of these places as possible are in the previous step, where the values are known. */
#ifndef VD_SMOOTH_H
#define VD_SMOOTH_H

#include "sim/channel.h"

enum { VD_READS = 40 };

/* The values of rows that are read. */
typedef struct vd_reads {
  int count;
  size_t at[VD_READS];    /* offset of a double in vd_row */
  double floor[VD_READS]; /* smaller changes count as none; unit of the value */
} vd_reads;

void vd_reads_add(size_t at, double floor, vd_reads *reads);

/* Reads the values from a row; elements after the last value are 0. */
void vd_reads_take(const vd_reads *reads, const vd_row *row, double *value);

/* The places: the start and the end of a step, one place at which it is evaluated, and two others. */
enum vd_smooth_place { VD_SMOOTH_START, VD_SMOOTH_INNER, VD_SMOOTH_END, VD_SMOOTH_MORE, VD_SMOOTH_CHECK };
enum { VD_SMOOTH_PLACES = VD_SMOOTH_CHECK + 1, VD_SMOOTH_PAST = VD_SMOOTH_END + 1 };

typedef struct vd_smooth {
  double at[VD_SMOOTH_PLACES]; /* share of the step; < 0: in the step before */
  double value[VD_SMOOTH_PLACES][VD_READS];
  double term[VD_SMOOTH_PLACES][VD_READS]; /* divided differences of the values; by vd_smooth_fit */
} vd_smooth;

/* The first three places of the step before. */
typedef struct vd_smooth_past {
  double end, h; /* s */
  double value[VD_SMOOTH_PAST][VD_READS];
} vd_smooth_past;

/* Fits polynomials of fourth order to the values, in Newton's form. Returns whether they can replace evaluations: the
 * value at VD_SMOOTH_CHECK must change the cubics through the other places by at most 1e-7 of the value plus its floor.
 * The error of the polynomial of fourth order is smaller. A value that is exactly 0 at only some of the places has a
 * kink between them, for example because a wheel lifts or a pedal is released. */
bool vd_smooth_fit(const vd_reads *reads, vd_smooth *smooth);

/* Writes the values at a share of the step into a row. Values that do not change keep their bits. */
void vd_smooth_give(const vd_reads *reads, const vd_smooth *smooth, double share, vd_row *row);

#endif
