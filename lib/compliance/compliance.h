/* Compliance: static equilibrium of knuckle and links on their bushings, springs and joints under the forces of the
 * road.
 *
 * Arms and rods with a bushing are bodies of their own. Bushings connect them to the chassis; ball joints, rigid or
 * elastic, connect them to the knuckle. A bushing's forces derive from a potential: with v the displacement of its
 * point and t = 2 vec(q) of its turn's unit quaternion (2 sin(angle/2) along the axis), U = v'K v/2 + t'C t/2.
 * Members without bushings and elastic ball joints stay rigid. If only one of two chassis points has a bushing, the
 * other is a ball joint. The bushing of a strut is its top mount, at the end of its rod. The rod slides along the
 * knuckle's line and turns about it freely; t = n0 x n of the line's direction. A hinge's bushings support the
 * knuckle itself. A bushing of a steered member moves with the rack. A blade is one body in place of two rods, with
 * the bushings and the ball joints of both. A twist beam is two bodies, each arm on the bushing of its pivot, and
 * the elastic beam between them (linkage/beam.h); without the figures of the beam it is rigid.
 *
 * The spring, a linear coil between its hardpoints, acts wherever its rate and load are known. Its load at the
 * design position is spring_load; if that is unknown, it is the load at which the rigid linkage carries wheel_load.
 * A spring longer than its free length pulls. Its upper end, or its rocker, is mounted on the chassis, not on a
 * mount. Rigid axles and twist beams have the mirror image of their left spring on the right.
 *
 * The wheel is a round disc: the road acts on its lowest point, which stays under the centre when the knuckle winds
 * up and moves aside when the wheel leans. Forces are dead: they keep their size and their direction in the chassis.
 * A brake on the knuckle holds the wheel, which then is one body with the knuckle; a wheel that turns on its bearing
 * transmits no moment about its axle but the torque of its brake. What is given of its height:
 *
 *   centre   a jack fixes the wheel centre (of joined wheels both) at the travel; fz acts besides.
 *   ground   the ground fixes the height of the lowest point; its force is the answer. At the design travel, with a
 *            known spring and fz > 0, the ground is where the spring carries fz alone; else where the rigid linkage has
 *            the lowest point at the travel.
 *   free     the spring alone balances fz, and the height of the wheel centre is a result: u[0] only says where the
 *            search starts. Not for joined wheels, which the spring of one alone does not settle.
 *   auto     free, if the spring is known, at the design travel under fz > 0; centre in all other cases. */
#ifndef VD_COMPLIANCE_H
#define VD_COMPLIANCE_H

#include "linkage/corner.h"

/* What acts on the wheel, in the chassis' axes; what is not set is 0. */
typedef struct vd_wheel_load {
  double fx, fy, fz; /* N, of the road at the lowest point */
  double mz;         /* N m, of the road */
  double centre[3];  /* N, at the wheel centre */
  double torque;     /* N m, of a brake on the knuckle about the spin axis; braking ahead > 0 for a left wheel */
  bool rolls; /* the wheel turns on its bearing: driven by a shaft, braked at its inner end or by `torque` alone */
  /* N m, P of a moment on the knuckle that does the work P . dg on Gibbs' vector g = 2 tan(angle/2) n of its turn from
   * `from`, the unit quaternion of a turn from design: P + g x P/2 + (g . P) g/4. from[0] 0: none */
  double by_gibbs[3], from[4];
} vd_wheel_load;

/* The load of a right wheel as one of a left wheel: mirrored in y. */
vd_wheel_load vd_mirrored_load(const vd_wheel_load *load);

enum vd_hold { VD_HOLD_AUTO, VD_HOLD_FREE, VD_HOLD_CENTRE, VD_HOLD_GROUND };

typedef struct vd_compliance vd_compliance; /* built for one corner */

/* A corner without bushings is not elastic: the results are then those of the linkage.
 * Hardpoints and joints of l are copied. */
vd_compliance *vd_compliance_create(const vd_corner *corner, const vd_linkage *l, enum vd_hold hold);
/* Lets the weights of knuckle and members act on a corner that was just created. Members are bars
 * (linkage/corner_mass.h); a strut's part that moves with the knuckle is part of it. A spring that carries
 * wheel_load carries it less these. False: a mass is not known, and none acts. */
bool vd_compliance_weigh(vd_compliance *c);
void vd_compliance_destroy(vd_compliance *c); /* accepts NULL */

/* The equilibria that are solved next end a step of Newton's method earlier, some 1e-10 m and rad away, and their
 * flexibility is that of the step before: less than 1e-5 m and rad away. For many of them, which start at each other's
 * poses. */
void vd_compliance_be_quick(vd_compliance *c);

/* The knuckle's turns, rad per N and N m, under a longitudinal force of the road, a lateral one, a moment about the
 * vertical, and the torque of a brake on the knuckle, braking ahead > 0: of a wheel that turns on its bearing, so that
 * drive torque comes through a shaft and the longitudinal force acts at its centre, in the design position with the
 * centre's height held. */
enum { VD_TURN_LOADS = 4 };
typedef struct vd_compliance_turns {
  double about_x[VD_TURN_LOADS], about_z[VD_TURN_LOADS];
} vd_compliance_turns;

/* l: of the corner, with the wheel's loaded radius. False: nothing holds the wheel. */
bool vd_compliance_turns_of(const vd_corner *corner, const vd_linkage *l, vd_compliance_turns *out);

/* What acts on the right one of joined wheels in the equilibria that are solved next; nothing at first. */
void vd_compliance_load_right(vd_compliance *c, const vd_wheel_load *load);

typedef struct vd_compliance_state {
  vd_pose pose;      /* at and turn of what carries the left wheel, u the rise of the wheel centre; no derivatives */
  enum vd_hold hold; /* how the wheel was held: never auto */
  double energy;     /* J in bushings, elastic ball joints and spring */
  double support;    /* N, of the jack at the wheel centre, or of the ground */
  double contact[3]; /* m, from the wheel centre: the lowest point */
  double residual;   /* N and N m, largest imbalance of any body */
  /* Motion of the knuckle's wheel centre (m, m, m) and turn (rad) per unit of force at the wheel centre and of moment
   * on the knuckle: rows dx, dy, dz, rx, ry, rz; columns fx, fy, fz, mx, my, mz (1/N, 1/(N m)). A force at the contact
   * of a braked wheel is that force at the centre and its moment about it. */
  double flexibility[6][6];
} vd_compliance_state;

/* Equilibrium at the travel and rack u, of joined wheels the travels of both, under a load. Newton's method starts
 * at the pose in *state, which must be set (from the linkage or from a neighbouring equilibrium); if that fails, it
 * starts at the rigid linkage's pose and applies the load in parts. False, and *state unchanged, if there is no
 * equilibrium: the linkage does not reach u, nothing supports a body, the spring is needed and its load is not
 * known, or the links turn over under the load. The rack of a rigid axle that steers is that of the pose in *state. */
bool vd_compliance_solve(vd_compliance *c, const double *u, const vd_wheel_load *load, vd_compliance_state *state);
/* Solves for the equilibrium as vd_compliance_solve does, without its flexibility. */
bool vd_compliance_settle(vd_compliance *c, const double *u, const vd_wheel_load *load, vd_compliance_state *state);

/* Where the right one of joined wheels and what carries it are then, mirrored in y: as a left wheel. */
void vd_compliance_right_pose(const vd_compliance *c, vd_pose *pose);

/* The flexibility of the equilibrium that was solved last if nothing holds the wheel's height any more: dead forces
 * take the place of the jack's or the ground's. False: only they held it. */
bool vd_compliance_release(vd_compliance *c, double flexibility[6][6]);

/* The rigid linkage at travel and rack u, of joined wheels at both travels, and at the rack of pose[0] if it is an axle
 * that steers: the pose, of joined wheels both, the right one's mirrored, without derivatives; and the energy of the
 * springs, J. False: the linkage does not reach them. The last equilibrium is forgotten. */
bool vd_compliance_rigid(vd_compliance *c, const double *u, vd_pose *pose, double *springs);

enum { VD_AXLE_FREEDOMS = 12, VD_AXLE_WHEELS = 2 };

/* Both wheels of a rigid axle or twist beam at the equilibrium that was solved last, all in the axes of the chassis. */
typedef struct vd_compliance_axle {
  double c[VD_AXLE_FREEDOMS][VD_AXLE_FREEDOMS]; /* as a state's flexibility, left and right: 1/N, 1/(N m) */
  double contact[VD_AXLE_WHEELS][3];            /* m, from the wheel centre: the lowest point */
  double spin[VD_AXLE_WHEELS][3];               /* unit, outward */
  double housing[VD_AXLE_FREEDOMS]; /* by a moment on the axle itself about its y axis; not of twist beams */
} vd_compliance_axle;

/* release: as vd_compliance_release, false if that is; housing is not written then. */
bool vd_compliance_of_axle(vd_compliance *c, bool release, vd_compliance_axle *out);

/* Column of the flexibility for a force at the contact of a braked wheel: axis 0 x, 1 y, 2 z. */
void vd_compliance_at_contact(const vd_compliance_state *state, int axis, double column[6]);

#endif
