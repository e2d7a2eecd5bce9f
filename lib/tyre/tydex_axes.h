/* The axis systems of TYDEX (manual of release 1.3, 2.6). x is the same in all three: in the wheel plane and parallel
 * to the road, forwards.
 *   C  at the wheel centre, y along the spin axis to the left, z in the wheel plane
 *   H  at the wheel centre, y parallel to the road, z along its normal
 *   W like H, but at the contact point: the contact frame of tyre_model.h
 * The C system is the H system turned about x by the inclination, top to the right > 0. */
#ifndef VD_TYDEX_AXES_H
#define VD_TYDEX_AXES_H

enum vd_tydex_axes { VD_TYDEX_W, VD_TYDEX_H, VD_TYDEX_C };

/* Force (N) of the road on the tyre and its moment (N m) about the origin of an axis system, in its axes. */
typedef struct vd_wrench {
  double force[3], moment[3];
} vd_wrench;

/* Converts force and moment to other axes. radius: m, from the wheel centre to the contact point, in the wheel plane;
 * NAN: not known. Components that depend on a NAN are NAN. */
vd_wrench vd_tydex_in_axes(vd_wrench w, enum vd_tydex_axes from, enum vd_tydex_axes to, double inclination,
                           double radius);

#endif
