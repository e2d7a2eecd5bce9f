/* The body's axes in the world, from its angles (L3, L4) or its quaternion (L5), and transformations between the two
 * frames. */
#ifndef VD_FRAME_H
#define VD_FRAME_H

#include "model/model.h"
#include "base/wide_elementary.h"
#include "base/vec.h"
#include "base/wide.h"

#include <string.h>

typedef struct vd_frame {
  double sin_roll, cos_roll, sin_pitch, cos_pitch; /* L3, L4 */
  double to_world[3][3];                           /* columns: the body's axes in the world */
  double u[3], w[3];                               /* m/s, of the body's origin O; rad/s, angular velocity */
  /* rows are axes of the ground's plane, without its heights, in body axes: forward along the body's x, left, normal.
   * L5: the body's own axes */
  double plane[3][3];
} vd_frame;

VD_INLINE void vd_find_cambers(vd_eval *restrict e) {
  for (int i = 0; i < VD_WHEELS; i++)
    e->contact.camber[i] = vd_asin(vd_max(-1.0, vd_min(1.0, e->contact.sin_inclination[i])));
}

VD_INLINE void vd_frame_velocities(const double *x, vd_frame *f) {
  f->u[0] = x[VD_S_VX];
  f->u[1] = x[VD_S_VY];
  f->u[2] = x[VD_S_VZ];
  f->w[0] = x[VD_S_ROLL_RATE];
  f->w[1] = x[VD_S_PITCH_RATE];
  f->w[2] = x[VD_S_YAW_RATE];
}

/* Makes the frame from yaw, pitch and roll. more: two other angles, which are replaced by their sines. */
VD_INLINE void vd_frame_from_angles(const vd_model *m, const double *x, double *more, vd_frame *f) {
  double angle[8] = {x[VD_S_YAW],
                     x[VD_S_PITCH],
                     x[VD_S_ROLL],
                     vd_complement(x[VD_S_YAW]),
                     vd_complement(x[VD_S_PITCH]),
                     vd_complement(x[VD_S_ROLL]),
                     more[0],
                     more[1]};
  double sine[8];
  for (int i = 0; i < 8; i++)
    sine[i] = vd_lane_sin(angle[i]);
  double sy = sine[0], sp = f->sin_pitch = sine[1], sr = f->sin_roll = sine[2];
  double cy = sine[3], cp = f->cos_pitch = sine[4], cr = f->cos_roll = sine[5];
  more[0] = sine[6];
  more[1] = sine[7];
  f->to_world[0][0] = cy * cp;
  f->to_world[0][1] = cy * sp * sr - sy * cr;
  f->to_world[0][2] = cy * sp * cr + sy * sr;
  f->to_world[1][0] = sy * cp;
  f->to_world[1][1] = sy * sp * sr + cy * cr;
  f->to_world[1][2] = sy * sp * cr - cy * sr;
  f->to_world[2][0] = -sp;
  f->to_world[2][1] = cp * sr;
  f->to_world[2][2] = cp * cr;
  vd_frame_velocities(x, f);

  const double *n = m->ground.normal;
  double up[3];
  for (int j = 0; j < 3; j++)
    up[j] = n[0] * f->to_world[0][j] + n[1] * f->to_world[1][j] + n[2] * f->to_world[2][j];
  double scale = 1.0 / sqrt(1.0 - up[0] * up[0]);
  f->plane[2][0] = up[0];
  f->plane[2][1] = up[1];
  f->plane[2][2] = up[2];
  f->plane[0][0] = (1.0 - up[0] * up[0]) * scale;
  f->plane[0][1] = -up[0] * up[1] * scale;
  f->plane[0][2] = -up[0] * up[2] * scale;
  vd_cross(up, f->plane[0], f->plane[1]);
}

/* Makes the frame from the quaternion, whose length may depart from 1 within a step. It is normalised here, which does
 * not change the rotation. */
VD_INLINE void vd_frame_from_quaternion(const double *x, vd_frame *f) {
  double w = x[VD_S_QUATERNION], i = x[VD_S_QUATERNION + 1], j = x[VD_S_QUATERNION + 2], k = x[VD_S_QUATERNION + 3];
  double s = 2.0 / (w * w + i * i + j * j + k * k);
  double(*a)[3] = f->to_world;
  a[0][0] = 1.0 - s * (j * j + k * k);
  a[0][1] = s * (i * j - k * w);
  a[0][2] = s * (i * k + j * w);
  a[1][0] = s * (i * j + k * w);
  a[1][1] = 1.0 - s * (i * i + k * k);
  a[1][2] = s * (j * k - i * w);
  a[2][0] = s * (i * k - j * w);
  a[2][1] = s * (j * k + i * w);
  a[2][2] = 1.0 - s * (i * i + j * j);
  vd_frame_velocities(x, f);
  memcpy(f->plane, vd_unit_vectors, sizeof f->plane);
}

/* Transforms vectors from body axes to the world and back, and places relative to O to the world. */
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

/* Computes gravity in body axes, m/s2. */
VD_INLINE void vd_frame_gravity(const vd_frame *f, double *gravity) {
  gravity[0] = -VD_GRAVITY * f->to_world[2][0];
  gravity[1] = -VD_GRAVITY * f->to_world[2][1];
  gravity[2] = -VD_GRAVITY * f->to_world[2][2];
}

#endif
