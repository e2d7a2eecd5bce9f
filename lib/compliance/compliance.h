/* Compliance: static equilibrium of knuckle and links on their bushings, springs and joints under the forces of the
 * road.
 *
 * Arms and rods with a bushing are bodies of their own. Bushings connect them to the chassis; ball joints, rigid or
 * elastic, connect them to the knuckle. The forces of a bushing derive from a potential: with v the displacement of its
 * point, q the unit quaternion of its rotation and t = 2 vec(q) (2 sin(angle/2) along the axis), U = v'K v/2 + t'C t/2.
 * Members without bushings and elastic ball joints stay rigid. If only one of two chassis points has a bushing, the
 * other is a ball joint. The bushing of a strut is its top mount, at the end of the strut's rod. The rod slides along
 * the knuckle's line and turns freely about it; the mount resists t = n0 x n, where n is the direction of the line, and
 * n0 that in the design position. A hinge's bushings support the knuckle itself. A bushing of a steered member moves
 * with the rack. A blade is one body in place of two rods, with the bushings and the ball joints of both. A twist beam
 * consists of two bodies, each arm on the bushing of its pivot, and the elastic beam between them (linkage/beam.h);
 * without the figures of the beam it is rigid.
 *
 * The spring is a linear coil between its hardpoints. It acts if its rate and load are known. Its load in the design
 * position is spring_load; if that is unknown, it is the load with which the rigid linkage carries wheel_load. A spring
 * longer than its free length pulls. Its upper end, or its rocker, is mounted on the chassis, not on the strut's mount.
 * Rigid axles and twist beams have the mirror image of their left spring on the right.
 *
 * The wheel is a round disc. The road acts on its lowest point. This point stays below the centre when the knuckle
 * winds up, and moves sideways when the camber changes. Forces are dead: their size and their direction in the chassis
 * are constant. A brake on the knuckle makes wheel and knuckle one body. A wheel that turns on its bearing transmits no
 * moment about its axle except the torque of its brake. The height of the wheel is given in one of these ways:
 *
 *   centre   a jack fixes the wheel centre (for joined wheels both) at the travel; fz acts in addition.
 *   ground   the ground fixes the height of the lowest point, and its force is the result. With a known spring, at
 *            travel 0 and with fz > 0, the ground is at the height where the spring alone carries fz; otherwise it is
 *            where the rigid linkage has the lowest point at the travel.
 *   free     the spring alone balances fz, and the height of the wheel centre is a result: the search only starts at
 *            u[0]. It is not available for joined wheels, whose heights one spring does not determine.
 *   auto     free if the spring is known, at travel 0 under fz > 0; centre in all other cases. */
#ifndef VD_COMPLIANCE_H
#define VD_COMPLIANCE_H

#include "linkage/corner.h"

/* Loads on the wheel, in the axes of the chassis; loads that are not set are 0. */
typedef struct vd_wheel_load {
  double fx, fy, fz; /* N, of the road on the lowest point */
  double mz;         /* N m, of the road */
  double centre[3];  /* N, at the wheel centre */
  double torque;     /* N m, of a brake on the knuckle about the spin axis; > 0 brakes a left wheel that rolls ahead */
  bool rolls; /* the wheel turns on its bearing: a shaft drives it, and only an inboard brake or `torque` brakes it */
  /* N m: P, a moment on the knuckle that does the work P . dg, where g = 2 tan(angle/2) n is Gibbs' vector of the
   * knuckle's rotation relative to `from`, the unit quaternion of a rotation from the design position: P + g x P/2 + (g
   * . P) g/4. from[0] 0: there is no such moment */
  double by_gibbs[3], from[4];
} vd_wheel_load;

/* Converts the load of a right wheel to that of a left wheel: mirrored in y. */
vd_wheel_load vd_mirrored_load(const vd_wheel_load *load);

enum vd_hold { VD_HOLD_AUTO, VD_HOLD_FREE, VD_HOLD_CENTRE, VD_HOLD_GROUND };

typedef struct vd_compliance vd_compliance; /* built for one corner */

/* Creates the solver of a corner. A corner without bushings is not elastic: the results are then those of the linkage.
 * Hardpoints and joints of l are copied. */
vd_compliance *vd_compliance_create(const vd_corner *corner, const vd_linkage *l, enum vd_hold hold);
/* Adds the weights of knuckle and members to a corner that was just created. Members are slender bars
 * (linkage/corner_mass.h); the part of a strut that moves with the knuckle belongs to the knuckle. If the spring's load
 * follows from wheel_load, these weights are subtracted from it. False: a mass is not known, and no weight acts. */
bool vd_compliance_weigh(vd_compliance *c);
void vd_compliance_destroy(vd_compliance *c); /* accepts NULL */

/* Makes the following solutions faster: Newton's method ends with a step of at most 2e-6 m and rad, less than 1e-10 m
 * and rad from the equilibrium, and the flexibility is that before this step. Use it for many equilibria, each of which
 * starts at the pose of a neighbour. */
void vd_compliance_be_quick(vd_compliance *c);

/* The knuckle's rotations, rad per N and N m, under four loads: a longitudinal force, a lateral force, a moment about
 * the vertical, and the torque of a brake on the knuckle, > 0 as it brakes a wheel that rolls ahead. The wheel turns on
 * its bearing, so that drive torque comes through a shaft and the longitudinal force acts at the wheel centre. The
 * rotations are those in the design position, with the height of the wheel centre fixed. */
enum { VD_TURN_LOADS = 4 };
typedef struct vd_compliance_turns {
  double about_x[VD_TURN_LOADS], about_z[VD_TURN_LOADS];
} vd_compliance_turns;

/* Computes these rotations. l: linkage of the corner, which needs the wheel's loaded radius. False: a body is
 * unsupported. */
bool vd_compliance_turns_of(const vd_corner *corner, const vd_linkage *l, vd_compliance_turns *out);

/* Sets the loads on the right wheel of joined wheels for the following equilibria; by default it has none. */
void vd_compliance_load_right(vd_compliance *c, const vd_wheel_load *load);

typedef struct vd_compliance_state {
  /* place and rotation of the body that carries the left wheel, without derivatives; u[0] is the rise of the wheel
   * centre */
  vd_pose pose;
  enum vd_hold hold; /* how the wheel was held; never VD_HOLD_AUTO */
  double energy;     /* J in bushings, elastic ball joints and spring */
  double support;    /* N, of the jack at the wheel centre, or of the ground */
  double contact[3]; /* m, from the wheel centre to the lowest point */
  double residual;   /* N and N m, largest imbalance of any body */
  /* Displacement of the wheel centre (m) and rotation of the knuckle (rad) per unit of force at the wheel centre and of
   * moment on the knuckle: rows dx, dy, dz, rx, ry, rz; columns fx, fy, fz, mx, my, mz (1/N, 1/(N m)). A force at the
   * contact of a braked wheel is equivalent to that force at the centre and its moment about the centre. */
  double flexibility[6][6];
} vd_compliance_state;

/* Solves for the equilibrium at the travel and rack u (for joined wheels both travels) under a load. Newton's method
 * starts at the pose in *state, which must be set (from the linkage or from a neighbouring equilibrium); if that fails,
 * it starts at the rigid linkage's pose and applies the load in parts. False, with *state unchanged, if there is no
 * equilibrium: the linkage does not reach u, a body is unsupported, the spring is needed but its load is not known, or
 * the links turn over under the load. The rack of a rigid axle that steers is that of the pose in *state. */
bool vd_compliance_solve(vd_compliance *c, const double *u, const vd_wheel_load *load, vd_compliance_state *state);
/* Solves for the equilibrium as vd_compliance_solve does, without its flexibility. */
bool vd_compliance_settle(vd_compliance *c, const double *u, const vd_wheel_load *load, vd_compliance_state *state);

/* Computes the pose of the body that carries the right wheel of joined wheels in the last equilibrium, mirrored in y as
 * a left wheel. */
void vd_compliance_right_pose(const vd_compliance *c, vd_pose *pose);

/* Returns the flexibility of the last equilibrium with the height of the wheel released: dead forces replace those of
 * the jack or the ground. False: without the jack or ground the wheel is unsupported. */
bool vd_compliance_release(vd_compliance *c, double flexibility[6][6]);

/* Solves the rigid linkage at travel and rack u. For joined wheels u are both travels, and the rack of an axle that
 * steers is that of pose[0]. pose: without derivatives; for joined wheels two poses, the right one mirrored. springs:
 * energy of the springs, J. False: the linkage does not reach these inputs. The last equilibrium is lost. */
bool vd_compliance_rigid(vd_compliance *c, const double *u, vd_pose *pose, double *springs);

enum { VD_AXLE_FREEDOMS = 12, VD_AXLE_WHEELS = 2 };

/* Both wheels of a rigid axle or twist beam in the last equilibrium, all in the axes of the chassis. */
typedef struct vd_compliance_axle {
  /* like flexibility of vd_compliance_state, left and right: 1/N, 1/(N m) */
  double c[VD_AXLE_FREEDOMS][VD_AXLE_FREEDOMS];
  double contact[VD_AXLE_WHEELS][3]; /* m, from the wheel centre to the lowest point */
  double spin[VD_AXLE_WHEELS][3];    /* unit, outward */
  double housing[VD_AXLE_FREEDOMS];  /* displacements by a moment on the axle about its y axis; not for twist beams */
} vd_compliance_axle;

/* Computes the flexibility of both wheels. release: releases the height of the wheels as vd_compliance_release does;
 * housing is then not written. False: there is no last equilibrium of joined wheels, or without jack or ground they are
 * unsupported. */
bool vd_compliance_of_axle(vd_compliance *c, bool release, vd_compliance_axle *out);

/* Computes the column of the flexibility for a force at the contact of a braked wheel; axis: 0 x, 1 y, 2 z. */
void vd_compliance_at_contact(const vd_compliance_state *state, int axis, double column[6]);

#endif
