/* The cross beam of a twist beam as an elastic member between both arms.
 *
 * A beam of constant section between two rigid bodies has six stiffnesses. About the middle of its length they are
 * apart: with v the displacement of the left body's point there relative to that of the right body, and t their turn,
 *
 *   along the beam   E A/L        about it   G J/L, more if its ends cannot warp
 *   across           12 E I/L^3   about      E I/L      (a shear force S bends it by the moment S y, which has no mean)
 *
 * These are all of the 12 x 12 stiffness of a beam element: the rest is statics. With a shear stiffness (Timoshenko)
 * 12 E I/(L^3 + 12 E I L/(k G A)). Forces across and twist act at the shear centre, force along at the centroid. */
#ifndef VD_BEAM_H
#define VD_BEAM_H

#include "base/list.h"

#include <stdbool.h>

/* Axes of the section: 1 and 3, principal, and 2 along the beam. Without tilt they are x, z and y of the chassis. */
typedef struct vd_beam {
  bool given;
  double length;      /* m, between the arms */
  double torsion;     /* N m2, G J */
  double warping;     /* N m4, E Cw, if the arms keep the ends from warping; 0: they do not */
  double bending[2];  /* N m2, E I about axes 1 and 3 */
  double tilt;        /* rad, of axis 1 from x, about y: nose down > 0 */
  double axial;       /* N, E A */
  double shear[2];    /* N, k G A along axes 1 and 3; INFINITY: it does not shear */
  double centroid[2]; /* m, x and z from the shear centre */
} vd_beam;

/* Figures of an open section of thin walls, without its material. The wall is a chain of flat strips of one thickness
 * (Vlasov, Thin-Walled Elastic Beams, 1961; Young and Budynas, Roark's Formulas, chapter 10). */
typedef struct vd_section {
  double area;        /* m2 */
  double torsion;     /* m4, J = sum l t^3/3 */
  double bending[2];  /* m4, principal, about axes 1 and 3 */
  double tilt;        /* rad; 1 is the principal axis that is closer to x */
  double centroid[2]; /* m, x and z, as the points are given */
  double shear_centre[2];
  double warping; /* m6, Cw about the shear centre */
} vd_section;

/* point: x and z of the strips' middle line. False: it has no area, or is straight, so that its shear centre is that of
 * a strip which the formulas do not give. */
bool vd_section_of(const vd_points *point, double thickness, vd_section *section);

/* N m/rad. Ends that cannot warp: G J/L/(1 - tanh(u)/u), u = L/2 sqrt(G J/(E Cw)) (Vlasov). */
double vd_beam_torsion(const vd_beam *beam);

/* Stiffnesses of v along and t about the axes 1, 2, 3: N/m and N m/rad. */
void vd_beam_stiffness(const vd_beam *beam, double stiffness[6]);

#endif
