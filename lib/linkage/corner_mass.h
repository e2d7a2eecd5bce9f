/* Inertia of a corner or rigid axle referred to the inputs of its linkage, exact for the closed linkage; and the
 * reference system's approximation of a corner by one lump on one revolute joint.
 *
 * The bodies are: the knuckle with knuckle_mass and knuckle_inertia at the wheel centre (the middle of a rigid axle, at
 * the height and x of its wheel centres), without rotation of the wheel in it; arms and rods as slender bars of
 * constant thickness between their joints, where an arm has two legs. The legs of a trailing arm run from its two hinge
 * points to the wheel centre. The moving part of a strut belongs to the knuckle's mass, and member_mass of a strut is
 * not used. Masses that a corner does not give are NAN and make the figures NAN. */
#ifndef VD_CORNER_MASS_H
#define VD_CORNER_MASS_H

#include "math/chain.h"
#include "linkage/corner.h"

/* Equations of motion with the inputs u of the linkage as coordinates:
 *   sum_j mass_ij u_j'' + curve_i,uu u_0'^2 + 2 curve_i,uv u_0' u_1' + curve_i,vv u_1'^2
 *     = weight_i + other generalised forces on u_i
 * With the rack fixed this is M z'' + dM/dz z'^2/2 = Q, where M = mass_00 and dM/dz = 2 curve_0,uu. */
typedef struct vd_corner_mass {
  double mass[VD_INPUTS][VD_INPUTS];   /* kg */
  double curve[VD_INPUTS][VD_SECONDS]; /* kg/m */
  double weight[VD_INPUTS];            /* N, generalised force of gravity, which acts along -z of the chassis */
} vd_corner_mass;

/* A slender bar of a member, between two places in the design position. The two legs of an arm or hinge have the same
 * thickness. */
typedef struct vd_corner_bar {
  double mass;
  double inner[3], outer[3];
  int member, at; /* its inner end is chassis point `at' of the member */
} vd_corner_bar;

enum { VD_CORNER_BARS = 2 * VD_MEMBERS };

/* Lists the bars of a corner and returns their number. */
int vd_corner_bars(const vd_corner *corner, vd_corner_bar *out);
/* Returns whether the file gives the mass of the knuckle and of every member that is a bar. */
bool vd_corner_masses_known(const vd_corner *corner);

/* Inertia of a knuckle with its wheel by a rule of thumb: each moment of inertia is a share of the mass times the
 * square of the static radius. The shares are those of a solid cylinder whose width is 1.15 of its radius, 1/4 +
 * 1.15^2/12 = 0.36 across its axis. */
extern const double vd_corner_inertia_shares[3];

/* Computes the inertia at a pose with its second derivatives. */
void vd_corner_mass_at(const vd_corner *corner, const vd_linkage *l, const vd_pose *pose, vd_corner_mass *out);

/* Sums over the masses of a corner whose only coordinate is the travel z; s is the place of a mass relative to a fixed
 * point, ' the derivative by z. */
typedef struct vd_corner_moments {
  double first[3];     /* kg m: m s */
  double angular[3];   /* kg m: m s x s', plus the angular momentum of bodies about their centres */
  double mass;         /* kg: m s'.s' */
  double second[3][3]; /* kg m2: m s s'; tensor of inertia: trace(second) 1 - second */
} vd_corner_moments;

/* Computes these sums at a pose. turning: kg m2, the wheel's inertia about its axle: the part of the knuckle's inertia
 * that does not turn with the knuckle. */
void vd_corner_moments_at(const vd_corner *corner, const vd_linkage *l, const vd_pose *pose, const double *from,
                          double turning, vd_corner_moments *out);

/* Computes the generalised forces of the spring on the inputs, N. `load` is its force at the design position, N,
 * compression > 0. They derive from the energy load (L0 - L) + spring_rate (L0 - L)^2/2, and are 0 without a spring. */
void vd_corner_spring_forces(const vd_corner *corner, const vd_linkage *l, const vd_pose *pose, double load,
                             double *force);

/* Computes the accelerations of the inputs, m/s2, at their rates `rate`, m/s, under `force`, N, and gravity. The rack
 * of a corner is fixed; both travels of a rigid axle are free. */
void vd_corner_accel(const vd_corner_mass *m, bool axle, const double *rate, const double *force, double *accel);

/* Returns the turn of the link that drives a corner in the reference system, rad from the design position: a lower arm
 * turns about the line from its front to its rear chassis point, a trailing arm about the line from its inboard to its
 * outboard point, and the lower rear of five links about +y, in side view. Parts are NAN for other types. */
vd_jet vd_corner_drive(const vd_corner *corner, const vd_linkage *l, const vd_pose *pose);

/* Builds the reference system's open chain: all bodies of the corner form one lump at their design places, on the joint
 * of the link that drives the corner. If all bodies turn with the link (trailing arm), its inertia equals that of the
 * linkage. Otherwise it is wrong, because the lump turns as one body. False: the type has no such link, or a mass is
 * not known. */
bool vd_corner_lump(const vd_corner *corner, vd_chain *chain);

#endif
