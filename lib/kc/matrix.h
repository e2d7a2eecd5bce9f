/* The compliance matrix of an axle, and the factors that Adams/Car computes from such a matrix.
 *
 * It contains displacements (x, y, z) and rotations about x, y, z of both wheel centres relative to the chassis, per
 * unit of force and moment on the wheels at their centres. Rows and columns 0 to 5 are those of the left wheel, 6 to 11
 * those of the right wheel, all in the axes of the chassis. This is the form of the static vehicle characteristics of
 * Adams; here as there, tyres are excluded and anti-roll bars included. Each wheel is one body with its knuckle.
 *
 * The matrix holds at the plan's travel, rack and loads. If the plan's hold is auto and the spring is known, a dead
 * force keeps the wheel at its travel, so that the wheel can move on its spring. If the spring is not known, a jack
 * fixes the wheel centre, and no wheel moves vertically. A plan may name another hold; with `free' the spring alone
 * carries the loads. */
#ifndef VD_KC_MATRIX_H
#define VD_KC_MATRIX_H

#include "kc/sweep.h"

typedef struct vd_kc_matrix {
  vd_compliance_axle of; /* m and rad, per N and N m */
  enum vd_hold hold;     /* free, centre or ground */
} vd_kc_matrix;

/* Computes the matrix. False, with a message in the report: a wheel cannot reach the travel or rack, nothing is
 * elastic, or there is no equilibrium. The caller must finish the report's messages. */
bool vd_kc_matrix_of(const vd_corner *corner, const vd_kc_plan *plan, vd_kc_matrix *out, vd_kc_report *report);

/* Changes of a wheel's figures by a displacement of its centre and a rotation, f: dx, dy, dz, rx, ry, rz. */
typedef struct vd_kc_displacement {
  double toe, camber;      /* rad */
  double x, y, z;          /* m, wheel centre */
  double patch_x, patch_y; /* m, of the point of the knuckle at the disc's lowest point */
} vd_kc_displacement;

/* Returns the changes of a wheel's figures by f. spin: its spin axis, outward for both wheels; contact: m, from the
 * wheel centre to the contact point; side: 1 for a left wheel, -1 for a right one. */
vd_kc_displacement vd_kc_displacement_of(const double *spin, const double *contact, double side, const double f[6]);

/* Writes tables: the matrix with a name for each row and column, and the factors. These are derivatives of the left
 * wheel's figures by loads on both wheels in phase and opposed, on the left wheel alone and on the right wheel alone.
 * trail: m, distance of the lateral force behind the contact point. */
bool vd_kc_matrix_write(const vd_corner *corner, const vd_kc_plan *plan, vd_buf *out, vd_kc_report *report);
bool vd_kc_factors_write(const vd_corner *corner, const vd_kc_plan *plan, double trail, vd_buf *out,
                         vd_kc_report *report);

#endif
