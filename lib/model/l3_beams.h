/* L3: places of the wheels. Relative to the body the two wheels of an axle move as if a beam connected them; see
 * l3_fourteen_dof.c. */
#ifndef VD_L3_BEAMS_H
#define VD_L3_BEAMS_H

#include "model/frame.h"

/* Values by wheel; left and right are equal. s is the mean travel of an axle, f the angle of its beam. */
typedef struct vd_beams {
  vd_wide sine, cosine; /* sine and cosine of f */
  vd_wide rise, turn;   /* m/s, rad/s: rates of s and f */
  vd_wide centre_z;     /* m, height of the roll centre above O */
} vd_beams;

/* Computes the poses of the beams, and the body's frame. The mean travel of an axle shifts its beam, and the difference
 * of its travels turns the beam. */
VD_INLINE void vd_beam_poses(const vd_model *m, const double *x, vd_frame *f, vd_beams *b) {
  const double *s = x + VD_S_TRAVEL, *v = x + VD_S_TRAVEL_RATE, *over = m->ride.beam.inverse_track;
  double turned[VD_AXLES] = {(s[VD_FR] - s[VD_FL]) * over[VD_FL], (s[VD_RR] - s[VD_RL]) * over[VD_RL]};
  vd_frame_from_angles(m, x, turned, f);
  double mean[VD_AXLES] = {0.5 * (s[VD_FL] + s[VD_FR]), 0.5 * (s[VD_RL] + s[VD_RR])};
  double rise[VD_AXLES] = {0.5 * (v[VD_FL] + v[VD_FR]), 0.5 * (v[VD_RL] + v[VD_RR])};
  double turn[VD_AXLES] = {(v[VD_FR] - v[VD_FL]) * over[VD_FL], (v[VD_RR] - v[VD_RL]) * over[VD_RL]};
  b->sine = vd_wide_axles(turned);
  b->cosine = vd_wide_sqrt(1.0 - b->sine * b->sine);
  b->rise = vd_wide_axles(rise);
  b->turn = vd_wide_axles(turn);
  b->centre_z = vd_wide_load(m->ride.beam.roll_centre_z) + vd_wide_axles(mean);
}

/* Adds the camber due to the rotation of the beam. */
VD_INLINE void vd_beam_cambers(const vd_model *m, const vd_beams *b, vd_eval *restrict e) {
  double turned[VD_WHEELS];
  vd_wide_store(b->sine, turned);
  for (int i = 0; i < VD_WHEELS; i++)
    e->contact.camber[i] += m->ride.beam.camber_gain[vd_axle_of(i)] * vd_asin(turned[i]);
}

/* Computes Y and Z, in body axes from the roll centres, of points that are `left` of and `above` the roll centres in
 * the axes of the beams. */
VD_INLINE void vd_on_beams(const vd_beams *b, vd_wide left, vd_wide above, vd_wide *y, vd_wide *z) {
  *y = left * b->cosine + above * b->sine;
  *z = above * b->cosine - left * b->sine;
}

#endif
