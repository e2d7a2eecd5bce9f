/* Heights of a random road after ISO 8608 under four wheels. */
#include "ground/ground_impl.h"

/* Raises four places as `raise' of iso8608.c does, lane by lane. For a place that is NAN the first piece is used; z of
 * the plane is NAN there already. */
VD_WIDE void vd_iso8608_raise_four(const vd_ground *ground, const vd_wide *x, const vd_wide *y, vd_roads *roads) {
  const vd_iso8608 *p = &ground->as.iso8608;
  const double *piece[VD_WHEELS];
  vd_wide turn = *x * p->inverse_length, zero = vd_wide_of(0.0), all = vd_wide_of(p->samples);
  vd_wide s = vd_wide_clamp((turn - vd_wide_floor(turn)) * p->samples, zero, all);
  vd_wide at = vd_wide_floor(s), u = s - at, first[4], second[4];
  for (int k = 0; k < VD_WHEELS; k++)
    piece[k] = p->piece + (ptrdiff_t)8 * (int)at[k];
  vd_wide_columns(piece[0], piece[1], piece[2], piece[3], first);
  vd_wide_columns(piece[0] + 4, piece[1] + 4, piece[2] + 4, piece[3] + 4, second);
  vd_wide left = first[0] + u * (first[2] + u * (second[0] + u * second[2]));
  vd_wide right = first[1] + u * (first[3] + u * (second[1] + u * second[3]));
  vd_wide left_slope = first[2] + u * (2.0 * second[0] + u * (3.0 * second[2]));
  vd_wide right_slope = first[3] + u * (2.0 * second[1] + u * (3.0 * second[3]));
  vd_wide left_bend = 2.0 * second[0] + u * (6.0 * second[2]), right_bend = 2.0 * second[1] + u * (6.0 * second[3]);
  vd_wide share_slope, share = vd_smooth_steps(*y * p->inverse_track + 0.5, &share_slope);
  roads->z += right + share * (left - right);
  roads->slope_x += (right_slope + share * (left_slope - right_slope)) * p->samples_per_m;
  roads->slope_y += share_slope * p->inverse_track * (left - right);
  const double square = p->samples_per_m * p->samples_per_m, cube = square * p->samples_per_m;
  roads->bend = (right_bend + share * (left_bend - right_bend)) * square;
  roads->bend_rate = (second[3] + share * (second[2] - second[3])) * (6.0 * cube);
  roads->twist = share_slope * p->inverse_track * (left_slope - right_slope) * p->samples_per_m;
}
