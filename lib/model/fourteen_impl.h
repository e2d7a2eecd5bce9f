/* Shared by the files of the fourteen-DOF level; see fourteen_dof.c. */
#ifndef VD_FOURTEEN_IMPL_H
#define VD_FOURTEEN_IMPL_H

#include "model/lanes.h"
#include "base/elementary.h"
#include "model/model_impl.h"
#include "model/train.h"
#include "base/vec.h"
#include "base/wide.h"

/* Body axes in the world, and world vectors in the body. */
typedef struct vd_frame {
  double sin_roll, cos_roll, sin_pitch, cos_pitch;
  double to_world[3][3];
  double u[3], w[3];
  double level[3]
              [3]; /* in body axes, of the road's plane without its heights: forward along the body's x, left, normal */
} vd_frame;

/* Where the links hold the wheels of both axles, by wheel. */
typedef struct vd_beams {
  vd_wide sine, cosine; /* of f */
  vd_wide rise, turn;   /* m/s, rad/s: rates of s and f */
  vd_wide centre_z;     /* m, the roll centre's height over O */
} vd_beams;

/* For the log: pose, what gravity does, contact points in the world. centre: of gravity, from O, and its velocity; body axes. */
void vd_free_space_observe(const vd_model *m, const vd_frame *f, const vd_state_vector *s, const double *centre,
                           const double *velocity, vd_eval *e);
/* From ISO 8855's angles, which turn about z, y, x in this order: q = q_yaw q_pitch q_roll. */
void vd_quaternion(double yaw, double pitch, double roll, double *q);
/* Kinetic energy of the sprung mass into e, its mass times its place into first_moment, times its velocity into momentum. */
void vd_sprung_energy(const vd_model *m, const vd_frame *f, vd_eval *e, double *first_moment, double *momentum);

/* Sines and cosines of yaw, pitch and roll, and the sines of the beams' turns, all in one batch. */
VD_INLINE void vd_make_frame(const vd_model *m, const double *x, double *beam_sine, vd_frame *f) {
  const double *over = m->ride.over_track, *s = x + VD_S_TRAVEL;
  double angle[8] = {x[VD_S_YAW],
                     x[VD_S_PITCH],
                     x[VD_S_ROLL],
                     vd_complement(x[VD_S_YAW]),
                     vd_complement(x[VD_S_PITCH]),
                     vd_complement(x[VD_S_ROLL]),
                     (s[VD_FR] - s[VD_FL]) * over[VD_FL],
                     (s[VD_RR] - s[VD_RL]) * over[VD_RL]};
  double sine[8];
  for (int i = 0; i < 8; i++)
    sine[i] = vd_sin(angle[i]);
  double sy = sine[0], sp = f->sin_pitch = sine[1], sr = f->sin_roll = sine[2];
  double cy = sine[3], cp = f->cos_pitch = sine[4], cr = f->cos_roll = sine[5];
  beam_sine[0] = sine[6];
  beam_sine[1] = sine[7];
  f->to_world[0][0] = cy * cp;
  f->to_world[0][1] = cy * sp * sr - sy * cr;
  f->to_world[0][2] = cy * sp * cr + sy * sr;
  f->to_world[1][0] = sy * cp;
  f->to_world[1][1] = sy * sp * sr + cy * cr;
  f->to_world[1][2] = sy * sp * cr - cy * sr;
  f->to_world[2][0] = -sp;
  f->to_world[2][1] = cp * sr;
  f->to_world[2][2] = cp * cr;
  f->u[0] = x[VD_S_VX];
  f->u[1] = x[VD_S_VY];
  f->u[2] = x[VD_S_VZ];
  f->w[0] = x[VD_S_ROLL_RATE];
  f->w[1] = x[VD_S_PITCH_RATE];
  f->w[2] = x[VD_S_YAW_RATE];

  const double *n = m->ground.normal;
  double *up = f->level[2];
  for (int j = 0; j < 3; j++)
    up[j] = n[0] * f->to_world[0][j] + n[1] * f->to_world[1][j] + n[2] * f->to_world[2][j];
  double scale = 1.0 / sqrt(1.0 - up[0] * up[0]);
  f->level[0][0] = (1.0 - up[0] * up[0]) * scale;
  f->level[0][1] = -up[0] * up[1] * scale;
  f->level[0][2] = -up[0] * up[2] * scale;
  vd_cross(up, f->level[0], f->level[1]);
}

/* Vectors from the body's axes into the world's and back, and places from O into the world. */
VD_INLINE vd_wide3 vd_out_of_body(const vd_frame *f, vd_wide3 r) {
  const double(*a)[3] = f->to_world;
  return (vd_wide3){a[0][0] * r.x + a[0][1] * r.y + a[0][2] * r.z, a[1][0] * r.x + a[1][1] * r.y + a[1][2] * r.z,
                    a[2][0] * r.x + a[2][1] * r.y + a[2][2] * r.z};
}

VD_INLINE vd_wide3 vd_into_world(const vd_frame *f, const double *x, vd_wide3 r) {
  vd_wide3 w = vd_out_of_body(f, r);
  return (vd_wide3){x[VD_S_ALONG] + w.x, x[VD_S_ACROSS] + w.y, x[VD_S_HEIGHT] + w.z};
}

VD_INLINE vd_wide3 vd_into_body(const vd_frame *f, vd_wide3 r) {
  const double(*a)[3] = f->to_world;
  return (vd_wide3){a[0][0] * r.x + a[1][0] * r.y + a[2][0] * r.z, a[0][1] * r.x + a[1][1] * r.y + a[2][1] * r.z,
                    a[0][2] * r.x + a[1][2] * r.y + a[2][2] * r.z};
}

/* Of both wheels of an axle the mean of the travels slides the beam, their difference turns it. */
VD_INLINE void vd_make_beams(const vd_model *m, const double *x, const double *beam_sine, vd_beams *b) {
  const double *s = x + VD_S_TRAVEL, *v = x + VD_S_TRAVEL_RATE, *over = m->ride.over_track;
  double mean[VD_AXLES] = {0.5 * (s[VD_FL] + s[VD_FR]), 0.5 * (s[VD_RL] + s[VD_RR])};
  double rise[VD_AXLES] = {0.5 * (v[VD_FL] + v[VD_FR]), 0.5 * (v[VD_RL] + v[VD_RR])};
  double turn[VD_AXLES] = {(v[VD_FR] - v[VD_FL]) * over[VD_FL], (v[VD_RR] - v[VD_RL]) * over[VD_RL]};
  b->sine = vd_wide_axles(beam_sine);
  b->cosine = vd_wide_sqrt(1.0 - b->sine * b->sine);
  b->rise = vd_wide_axles(rise);
  b->turn = vd_wide_axles(turn);
  b->centre_z = vd_wide_load(m->ride.roll_centre_z) + vd_wide_axles(mean);
}

/* Y and Z, from the roll centres, of points that stand left of and above them in the axles' own axes. */
VD_INLINE void vd_on_beams(const vd_beams *b, vd_wide left, vd_wide above, vd_wide *y, vd_wide *z) {
  *y = left * b->cosine + above * b->sine;
  *z = above * b->cosine - left * b->sine;
}

#endif
