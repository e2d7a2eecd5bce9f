/* Shared by the files of the fourteen-DOF level; see fourteen_dof.c. */
#ifndef VD_FOURTEEN_IMPL_H
#define VD_FOURTEEN_IMPL_H

#include "lanes.h"
#include "model_impl.h"
#include "train.h"

#include <math.h>

static inline double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void cross(const double *a, const double *b, double *out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Body axes in the world, and world vectors in the body. */
typedef struct frame {
  double sin_roll, cos_roll, sin_pitch, cos_pitch;
  double to_world[3][3];
  double u[3], w[3];
  double level
      [3][3]; /* in body axes: of the road's plane without its heights, forward along the body's x; left; its normal */
} frame;

/* Where the links hold the wheels of an axle. */
typedef struct beam {
  double sine, cosine; /* of f */
  double rise, turn;   /* m/s, rad/s: rates of s and f */
  double centre_z;     /* m, the roll centre's height over O */
} beam;

/* What the wheels know about the road, all vectors in body axes. */
typedef struct contacts {
  double at[VD_WHEELS][3];     /* m, contact points from O */
  double normal[VD_WHEELS][3]; /* of the road */
  double ahead[VD_WHEELS][3];  /* contact axes in the road plane */
  double aside[VD_WHEELS][3];
  double cosine[VD_WHEELS];    /* of the angle between disc and normal */
  double v[VD_WHEELS][3];      /* m/s, of the contact points, as points of the knuckle */
  double swept[VD_WHEELS][3];  /* m, by which they move over the steering angle */
  double rate[VD_WHEELS];      /* m/s, of the tyre's deflection */
  double elastic[VD_WHEELS];   /* N, k d */
  double post_lift[VD_WHEELS]; /* normal's share along the world's z */
  double force[VD_WHEELS][3];  /* N, of the road on the tyre */
  double mean_normal[3];
} contacts;

static inline void make_frame(const vd_model *m, const double *x, frame *f) {
  double sy = sin(x[VD_S_YAW]), cy = cos(x[VD_S_YAW]);
  double sp = f->sin_pitch = sin(x[VD_S_PITCH]), cp = f->cos_pitch = cos(x[VD_S_PITCH]);
  double sr = f->sin_roll = sin(x[VD_S_ROLL]), cr = f->cos_roll = cos(x[VD_S_ROLL]);
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
  cross(up, f->level[0], f->level[1]);
}

static inline void into_world(const frame *f, const double *x, const double *r, double *out) {
  out[0] = x[VD_S_ALONG] + dot(f->to_world[0], r);
  out[1] = x[VD_S_ACROSS] + dot(f->to_world[1], r);
  out[2] = x[VD_S_HEIGHT] + dot(f->to_world[2], r);
}

static inline void make_beams(const vd_model *m, const vd_eval *restrict e, beam *beams) {
  for (int a = 0; a < VD_AXLES; a++) {
    int left = 2 * a, right = 2 * a + 1;
    double over = m->ride.over_track[a];
    beams[a].sine = sin((e->travel[right] - e->travel[left]) * over);
    beams[a].cosine = sqrt(1.0 - beams[a].sine * beams[a].sine);
    beams[a].rise = 0.5 * (e->travel_rate[left] + e->travel_rate[right]);
    beams[a].turn = (e->travel_rate[right] - e->travel_rate[left]) * over;
    beams[a].centre_z = m->ride.roll_centre_z[a] + 0.5 * (e->travel[left] + e->travel[right]);
  }
}

/* Y and Z of a point that stands left of and above the roll centre in the axle's own axes. */
static inline void on_beam(const beam *b, double left, double above, double *yz) {
  yz[0] = left * b->cosine + above * b->sine;
  yz[1] = above * b->cosine - left * b->sine;
}

#endif
