/* The compliance matrix of an axle, and the factors that Adams/Car builds from such a matrix.
 *
 * Displacements (x, y, z) and turns about x, y, z of both wheel centres relative to the chassis, per unit of force and
 * moment on the wheels at their centres: rows and columns 0 to 5 are of the left wheel, 6 to 11 of the right one, all
 * in the axes of the chassis (the form of Adams' static vehicle characteristics; there as here without tyres, bars
 * included). The wheels are one with their knuckles.
 *
 * It is taken at the plan's travel, rack and loads. With a known spring and the plan's hold at auto a dead force holds
 * the wheel at its travel, besides the loads, so that the wheel can move on its spring; without one a jack does, and
 * nothing moves up or down. A plan that names a hold has that: free is where the spring alone carries the loads. */
#ifndef VD_KC_MATRIX_H
#define VD_KC_MATRIX_H

#include "kc/sweep.h"

typedef struct vd_kc_matrix {
  vd_compliance_axle of; /* m, rad; per N, N m */
  enum vd_hold hold;     /* free, centre or ground */
} vd_kc_matrix;

/* False, with a message in the report: a wheel cannot reach the place, nothing is elastic, or there is no equilibrium.
 * The caller must finish the report's messages. */
bool vd_kc_matrix_of(const vd_corner *corner, const vd_kc_plan *plan, vd_kc_matrix *out, vd_kc_report *report);

/* How a wheel yields to a motion of its centre and a turn, f: dx, dy, dz, rx, ry, rz. */
typedef struct vd_kc_displacement {
  double toe, camber;      /* rad */
  double x, y, z;          /* m, wheel centre */
  double patch_x, patch_y; /* m, the point of the knuckle that is the disc's lowest */
} vd_kc_displacement;

/* side: 1 of a left wheel, -1 of a right one. */
vd_kc_displacement vd_kc_displacement_of(const double *spin, const double *contact, double side, const double f[6]);

/* Tables: the matrix with a name for each row and column; the factors, which are derivatives of the left wheel's
 * figures by loads of both wheels in phase and opposed, of the left wheel and of the right wheel alone. trail: m, of
 * the lateral force behind the contact point. */
bool vd_kc_matrix_write(const vd_corner *corner, const vd_kc_plan *plan, vd_buf *out, vd_kc_report *report);
bool vd_kc_factors_write(const vd_corner *corner, const vd_kc_plan *plan, double trail, vd_buf *out,
                         vd_kc_report *report);

#endif
