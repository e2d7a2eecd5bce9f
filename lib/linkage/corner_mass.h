/* Inertia of a corner or rigid axle as its linkage's inputs see it, exact, of the closed linkage; and the reference
 * system's approximation of a corner by one lump on one revolute joint.
 *
 * Bodies: the knuckle with knuckle_mass and knuckle_inertia at the wheel centre (of a rigid axle in its middle plane,
 * as high and as far forward as the wheel centre), the wheel not turning in it; arms and rods as slender bars of even
 * thickness between their joints, an arm of two legs. A trailing arm's legs run from its two hinge points to the wheel
 * centre; of a strut the moving part is in the knuckle's mass and member_mass is not asked. What a corner does not say
 * is NAN and makes the figures NAN. */
#ifndef VD_CORNER_MASS_H
#define VD_CORNER_MASS_H

#include "math/chain.h"
#include "linkage/corner.h"

/* Inputs u of the linkage as coordinates:
 *   sum_j mass_ij u_j'' + curve_i,uu u_0'^2 + 2 curve_i,uv u_0' u_1' + curve_i,vv u_1'^2 = weight_i + what else acts
 *   on u_i
 * With the rack held this is M z'' + dM/dz z'^2/2 = Q, where M = mass_00 and dM/dz = 2 curve_0,uu. */
typedef struct vd_corner_mass {
  double mass[VD_INPUTS][VD_INPUTS];   /* kg */
  double curve[VD_INPUTS][VD_SECONDS]; /* kg/m */
  double weight[VD_INPUTS];            /* N, generalised force of gravity along -z of the chassis */
} vd_corner_mass;

/* A slender bar of a member, between two places at design. Two legs of an arm or hinge have the same thickness. */
typedef struct vd_corner_bar {
  double mass;
  double inner[3], outer[3];
  int member, at; /* whose base at this point its inner end is */
} vd_corner_bar;

enum { VD_CORNER_BARS = 2 * VD_MEMBERS };

/* Their number. */
int vd_corner_bars(const vd_corner *corner, vd_corner_bar *out);
/* Whether the file gives the mass of the knuckle and of every member that is a bar. */
bool vd_corner_masses_known(const vd_corner *corner);

/* Inertia of a knuckle with its wheel by a rule of thumb: shares of its mass times the square of the static radius, as
 * of a wheel of that mass whose width is 0.6 of the radius. */
extern const double vd_corner_inertia_shares[3];

/* At a pose with its second derivatives. */
void vd_corner_mass_at(const vd_corner *corner, const vd_linkage *l, const vd_pose *pose, vd_corner_mass *out);

/* Sums over the masses of a corner of which the travel z alone moves: places s from a fixed point, ' the derivative by
 * z. */
typedef struct vd_corner_moments {
  double first[3];     /* kg m: m s */
  double angular[3];   /* kg m: m s x s', with the spins of bodies */
  double mass;         /* kg: m s'.s' */
  double second[3][3]; /* kg m2: m s s'; the tensor of inertia is trace(second) less this */
} vd_corner_moments;

/* At a pose. turning: kg m2 of the knuckle's inertia that do not turn with it about the wheel's axle, the wheel's. */
void vd_corner_moments_at(const vd_corner *corner, const vd_linkage *l, const vd_pose *pose, const double *from,
                          double turning, vd_corner_moments *out);

/* Generalised forces of the spring on the inputs, N, with `load` N in it at the design position, pressed together > 0;
 * 0 without a spring. They derive from the energy load (L0 - L) + spring_rate (L0 - L)^2/2. */
void vd_corner_spring_forces(const vd_corner *corner, const vd_linkage *l, const vd_pose *pose, double load,
                             double *force);

/* m/s2, of the inputs at their rates `rate`, m/s, under `force`, N, beside gravity; of a corner the rack is held, of a
 * rigid axle both travels are free. */
void vd_corner_accel(const vd_corner_mass *m, bool axle, const double *rate, const double *force, double *accel);

/* Turn of the link by which the reference system drives a corner, rad from design: of a lower arm about the line from
 * its front to its rear chassis point, of a trailing arm from its inboard to its outboard one, of five links the lower
 * rear one about +y, seen along y. Parts are NAN for other types. */
vd_jet vd_corner_drive(const vd_corner *corner, const vd_linkage *l, const vd_pose *pose);

/* The reference system's open chain: all bodies of the corner as one lump at their design places, on the joint of that
 * link. Its inertia equals the linkage's if all bodies turn with that link (trailing arm). Otherwise bodies with a
 * smaller or different turn are given that of the link. False: another type, or a mass is not known. */
bool vd_corner_lump(const vd_corner *corner, vd_chain *chain);

#endif
