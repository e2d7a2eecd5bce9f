/* The cross beam of a twist beam as an elastic member between both arms.
 *
 * A beam of constant section between two rigid bodies has six stiffnesses. They are independent of each other if both
 * ends are referred to the middle of the beam. There v is the displacement of the left body relative to the right body,
 * and t is their relative rotation. Axis 2 is along the beam, axes 1 and 3 are across.
 *
 *   along 2          E A/L        about 2          G J/L, more if its ends cannot warp
 *   along 1, 3       12 E I/L^3   about 1, 3       E I/L
 *
 * A shear force S bends the beam by the moment S y, whose mean along the beam is zero. The 12 x 12 stiffness matrix of
 * a beam element contains no other stiffnesses; its other entries follow from statics. With a shear stiffness
 * (Timoshenko), 12 E I/L^3 becomes 12 E I/(L^3 + 12 E I L/(k G A)). Shear forces and torsion act at the shear centre,
 * the axial force at the centroid. */
#ifndef VD_BEAM_H
#define VD_BEAM_H

#include "base/list.h"

#include <stdbool.h>

/* Axes of the section: 1 and 3 are its principal axes, 2 points along the beam. Without tilt, 1, 2 and 3 are x, y and z
 * of the chassis. */
typedef struct vd_beam {
  bool given;
  double length;      /* m, between the arms */
  double torsion;     /* N m2, G J */
  double warping;     /* N m4, E Cw, if the arms prevent warping of the ends; 0: the ends warp freely */
  double bending[2];  /* N m2, E I about axes 1 and 3 */
  double tilt;        /* rad, from x to axis 1, about y: nose down > 0 */
  double axial;       /* N, E A */
  double shear[2];    /* N, k G A along axes 1 and 3; INFINITY: no shear deformation */
  double centroid[2]; /* m, x and z from the shear centre */
} vd_beam;

/* Figures of an open section of thin walls, without its material. The wall is a chain of flat strips of one thickness
 * (Vlasov, Thin-Walled Elastic Beams, 1961; Young and Budynas, Roark's Formulas, chapter 10). */
typedef struct vd_section {
  double area;        /* m2 */
  double torsion;     /* m4, J = sum l t^3/3 */
  double bending[2];  /* m4, principal, about axes 1 and 3 */
  double tilt;        /* rad, as in vd_beam; axis 1 is the principal axis that is closer to x */
  double centroid[2]; /* m, x and z in the coordinates of the given points */
  double shear_centre[2];
  double warping; /* m6, Cw about the shear centre */
} vd_section;

/* Computes the figures of a section. point: x and z of the strips' middle line. False: the section has no area, or its
 * points are on one line, for which the formulas give no shear centre. */
bool vd_section_of(const vd_points *point, double thickness, vd_section *section);

/* Returns the torsional stiffness, N m/rad. If the ends cannot warp it is G J/L/(1 - tanh(u)/u), u = L/2 sqrt(G J/(E
 * Cw)) (Vlasov). */
double vd_beam_torsion(const vd_beam *beam);

/* Computes the stiffnesses of v along and t about the axes 1, 2, 3: N/m and N m/rad. */
void vd_beam_stiffness(const vd_beam *beam, double stiffness[6]);

#endif
