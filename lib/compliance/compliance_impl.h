/* Potential energies and constraints of bodies that turn by any angle, with exact first and second derivatives: the
 * equations of equilibrium that compliance.c solves.
 *
 * Each body's turn is a unit quaternion; its three coordinates are the rotation vector of a further turn about the axes
 * of the chassis, q <- exp(phi/2) q, taken about phi = 0. To the second order a vector r of the body then goes to
 *   r + phi x r + phi x (phi x r)/2. */
#ifndef VD_COMPLIANCE_IMPL_H
#define VD_COMPLIANCE_IMPL_H

#include "compliance/compliance.h"
#include "base/vec.h"
#include "math/curve.h"
#include "linkage/corner_mass.h"

#include <string.h>

enum {
  VD_COORDINATES = 6 + 6 * VD_MEMBERS, /* knuckle, and each member's offset and turn */
  VD_ROWS = 3 * VD_MEMBERS + 5,        /* constraints: most are of rods with balls at both ends */
  VD_UNKNOWNS = VD_COORDINATES + VD_ROWS
};

enum { VD_SHIFT = 0, VD_TURN = 3 }; /* columns of the knuckle */

/* Gradient and Hessian of U - W + sum of multiplier x constraint, and behind the coordinates the constraints
 * themselves. */
typedef struct vd_equations {
  int coordinates, rows;
  double value[VD_UNKNOWNS];
  double matrix[VD_UNKNOWNS][VD_UNKNOWNS];
  double multiplier[VD_ROWS];
  double energy; /* J */
} vd_equations;

/* How a point, or the difference of two, depends on the coordinates: the knuckle's shift, an offset, vectors that turn
 * with bodies, and a slide along a direction of the first of them. A column < 0: it does not depend on this one. */
typedef struct vd_reach {
  int shift, offset, slide;
  double lag; /* share of the shift that it does not follow */
  int turns, turn[3];
  double arm[3][3];
  double along[3];
} vd_reach;

/* R b; q: scalar part first. */
void vd_turned(const double *q, const double *b, double *r);
/* q <- exp(phi/2) q, of unit length, scalar part >= 0. */
void vd_turn_on(const double *phi, double *q);
/* The turn by b and then by a, of unit length, scalar part >= 0; q may be b. */
void vd_turn_product(const double *a, const double *b, double *q);
/* The vector between two points of a body at design, turned, and its change. */
void vd_turned_arm(const double *q, const double *from, const double *to, double *arm, double *change);
/* The direction, of three, in which a vector is longest. */
int vd_steepest(const double *along);
/* The smallest turn that takes direction `from` to direction `to`, of any lengths. */
void vd_turn_between(const double *from, const double *to, double *q);
void vd_turn_from_matrix(double turn[3][3], double *q);
void vd_turn_matrix(const double *q, double turn[3][3]);

/* A bushing by its axes and its six forces over displacements. */
typedef struct vd_elastic_bushing {
  double axis[3][3];  /* x, y, z: of its forces */
  double about[3][3]; /* of its moments: of a mirror image the opposite of the mirrored ones */
  const vd_bushing *linear;
  const vd_bushing_law *law;
  vd_curve *table; /* six, or NULL */
} vd_elastic_bushing;

/* The tables are the caller's to free. */
void vd_bushing_build(const vd_bushing *linear, const vd_bushing_law *law, vd_elastic_bushing *b);
/* Add the energy of the displacement v of its point, and of a turn, t = 2 vec(q). */
void vd_add_displacement(vd_equations *e, const vd_reach *reach, const double *v, const vd_elastic_bushing *b);
void vd_add_turn(vd_equations *e, int turn, const double *q, const vd_elastic_bushing *b);
/* Energy of a tilt, t = n0 x n, of a direction n that turns with the knuckle. */
void vd_add_tilt(vd_equations *e, const double *n0, const double *n, const vd_elastic_bushing *b);
/* Energy of a vector in the axes of the chassis, a displacement of its point (first 0) or a turn (first 3), with its
 * gradient and Hessian. The gradient by a displacement is the force of the body against the bushing. */
double vd_bushing_energy(const vd_elastic_bushing *b, int first, const double *v, double *f, double h[3][3]);
/* Moment over a turn and over a tilt, of the body against the bushing. */
void vd_bushing_moment(const vd_elastic_bushing *b, const double *q, double *moment);
void vd_bushing_tilt_moment(const vd_elastic_bushing *b, const double *n0, const double *n, double *moment);
/* Stiffness at rest of displacements along (first 0), or turns about (first 3), a unit direction. */
double vd_bushing_rate(const vd_elastic_bushing *b, int first, const double *direction);

/* Adds the terms of a quantity that depends on one point, from its gradient f and Hessian k (NULL: zero). */
void vd_add_point(vd_equations *e, const vd_reach *reach, const double *f, double k[3][3]);
/* A new constraint f(point) = value, its Hessian k with its multiplier. Returns its number. */
int vd_add_row(vd_equations *e, const vd_reach *reach, double value, const double *f, double k[3][3]);
/* A further point that the value of a constraint depends on. */
void vd_extend_row(vd_equations *e, int row, const vd_reach *reach, const double *f, double k[3][3]);
/* A new constraint (R n) . (place - a) + n . b = value: m = R n, d = place - a, of the knuckle. */
int vd_add_slide(vd_equations *e, double value, const double *m, const double *d);
/* A rod between two points, d apart: of constant length, as a new constraint, or with the stiffness k along its line, U
 * = k (|d| - length)^2/2; k 0: constant. Returns the constraint's number, or -1. */
int vd_add_rod(vd_equations *e, const vd_reach *reach, const double *d, double length, double k);
/* Energy k v^2/2 of a point's displacement v. */
void vd_add_spring(vd_equations *e, const vd_reach *reach, const double *v, double k);
/* Adds f . (phi x (phi x r))/2 to a Hessian whose rows are `pitch' numbers long, from its first number by phi on. */
void vd_add_bend(double *by_phi, size_t pitch, const double *f, const double *r);

/* --- bodies --- */

/* Arm, rod or strut mount of its own coordinates, or a hinge, whose points are the knuckle's. */
typedef struct vd_elastic_link {
  bool elastic;      /* a bushing or an elastic ball joint */
  bool carried;      /* the second rod of a blade: its points are those of the first one's body */
  bool between;      /* a rod between the knuckle and an arm, which then is elastic */
  bool fixed[2];     /* its chassis points without a bushing: ball joints */
  int points;        /* chassis points */
  int offset, turn;  /* columns: of the ball joint's offset or the strut mount's slide, of the turn; -1: none */
  int joint, joints; /* the joints of the rigid linkage that it stands for */
  vd_elastic_bushing bushing[2]; /* of points that have one */
  double axis[3];                /* unit: rod's, arm's hinge, slider's line, at design */
  double across[2][3];           /* unit, across the axis */
} vd_elastic_link;

/* The beam between both arms of a twist beam, as a joint at the middle of its length. */
typedef struct vd_elastic_beam {
  double shear_centre[3], centroid[3]; /* at design */
  vd_bushing linear;                   /* its stiffness (linkage/beam.h) */
  vd_elastic_bushing joint;            /* the same in its axes */
  vd_elastic_bushing pivot;            /* of the right arm: mirror image of the left one */
} vd_elastic_beam;

/* Where all bodies are: changes from design. */
typedef struct vd_bodies {
  double shift[3], turn[4];
  double offset[VD_MEMBERS][3]; /* [0] of a strut mount: slide; of a twist beam: shift of the right wheel centre */
  double member_turn[VD_MEMBERS][4];
  double knuckle_turn[2][4]; /* of an axle that steers */
  double multiplier[VD_ROWS];
} vd_bodies;

/* The load case to solve. */
typedef struct vd_load_case {
  double u[VD_INPUTS], gear; /* gear: the rack of an axle that steers */
  enum vd_hold hold;         /* never auto */
  double height[2];          /* m, of joined wheels: what a jack lifts the wheel centres by */
  double ground[2];          /* m, height of the lowest points above the chassis' origin, if the ground holds them */
  vd_wheel_load load, right; /* right: of joined wheels */
} vd_load_case;

struct vd_compliance {
  vd_corner corner;
  vd_linkage linkage, shifted; /* shifted: the gear's shift is in its points, for elements on them */
  enum vd_hold hold;
  vd_wheel_load right;                        /* of joined wheels */
  bool supported, sprung;                     /* at design all bodies are held; the spring's load is known */
  double spring_load;                         /* N, at design */
  double carried;                             /* N, wheel load that balances it */
  double settled_load, settled_rack, settled; /* N, m, m: height of the lowest point on the spring, NAN: none yet */
  double spring_length;                       /* m, at design */
  bool heavy;                                 /* knuckle and members have weights: */
  double knuckle_weight, weight[VD_MEMBERS];  /* N; a slider's is the knuckle's */
  double middle[VD_MEMBERS][3];               /* m, their centres of gravity at design */
  vd_elastic_link link[VD_MEMBERS];
  bool joined;                                /* the equations are those of both wheels */
  bool steers;                                /* a rigid axle with knuckles of their own */
  int knuckle[2], pin[2], drag_link, tie_rod; /* then: columns of their turns; constraints, -1: none */
  bool twists; /* a twist beam, whose right arm has the columns of the member's offset and turn */
  vd_elastic_beam beam;
  int drivers; /* joint of the linkage with the first */
  int coordinates;
  vd_pose rigid;       /* the linkage's own at the last inputs */
  vd_pose rigid_right; /* of a twist beam the right arm's, mirrored */
  vd_equations e;
  int jack;            /* row of the constraint that fixes the wheel centre, or -1 */
  int row[VD_MEMBERS]; /* first constraint of each member */
  double factors[VD_UNKNOWNS * VD_UNKNOWNS];
  size_t order[VD_UNKNOWNS];
  double scale[VD_UNKNOWNS];
  bool quick;  /* Newton's method ends a step earlier */
  bool solved; /* there is a last equilibrium, of which the equations are, too */
  bool ready;  /* and factors of all of them */
  vd_load_case task;
  vd_bodies last;
};

/* Load of the spring at the design position. */
void vd_compliance_load_spring(vd_compliance *c);

/* A point of the left side, or its mirror image on the right side. */
static inline void vd_at_side(const double *left, int side, double *point) {
  point[0] = left[0];
  point[1] = side ? -left[1] : left[1];
  point[2] = left[2];
}

/* --- twist beams: side 0 is the left arm, 1 the right one --- */

void vd_beam_build(vd_compliance *c);
/* Pivots and beam. */
void vd_add_beam(vd_compliance *c, const vd_bodies *at);
/* The right arm at the rigid linkage's pose. */
void vd_beam_start(const vd_compliance *c, vd_bodies *at);
/* A point of a body, b away from the centre of its wheel at design, and its displacement. The reach has the columns. */
void vd_body_point(const double *turn, const double *shift, const double *b, vd_reach *reach, double *displaced);
/* A point of the knuckle, b away from the wheel centre at design. */
void vd_knuckle_point(const vd_bodies *at, const double *b, vd_reach *reach, double *displaced);
/* A point of an arm, at its own place at design, and its displacement. */
void vd_arm_point(const vd_compliance *c, const vd_bodies *at, int side, const double *point, vd_reach *reach,
                  double *displaced);
const double *vd_arm_turn(const vd_bodies *at, int side);
const vd_elastic_bushing *vd_pivot_bushing(const vd_compliance *c, int side);
/* What the beam exerts on the left arm, at the left arm's place of the shear centre in the middle; and with the
 * opposite sign on the right one. */
void vd_beam_force(const vd_compliance *c, const vd_bodies *at, double *place, double *force, double *moment);

/* --- rigid axles that steer (compliance_steer.c) --- */

/* A point of a knuckle, at its own place at design, and its displacement. */
void vd_steered_point(const vd_compliance *c, const vd_bodies *at, int side, const double *point, vd_reach *reach,
                      double *displaced);
/* Kingpins, drag link and tie rod. */
void vd_add_steering(vd_compliance *c, const vd_bodies *at);
/* The knuckles at the rigid linkage's pose. */
void vd_steering_start(const vd_compliance *c, vd_bodies *at);
/* A rod by its ends, and its tension. */
typedef struct vd_rod_force {
  double from[3], to[3], pull;
} vd_rod_force;
void vd_steering_forces(const vd_compliance *c, const vd_bodies *at, vd_rod_force *drag_link, vd_rod_force *tie_rod);
/* What the upper point of a kingpin exerts on the knuckle, but for a share along the pin. */
void vd_kingpin_force(const vd_compliance *c, const vd_bodies *at, int side, double *force);

/* --- wheels: side 0 is the left one, 1 the right one of joined wheels --- */

/* Their centres, which move with `reach', and the turns of the bodies that carry them. */
void vd_wheel_point(const vd_compliance *c, const vd_bodies *at, int side, vd_reach *reach, double *displaced);
const double *vd_wheel_turn(const vd_compliance *c, const vd_bodies *at, int side);
int vd_wheel_turn_column(const vd_compliance *c, int side);
/* Its axis at design, outward of a left wheel and inward of a right one. */
void vd_wheel_axle(const vd_compliance *c, int side, double *axle);
/* Lowest point of a wheel's disc from its centre; slope[j] is its derivative by the turn about axis j of the chassis,
 * and may be NULL. */
void vd_lowest_point(const vd_compliance *c, int side, const double *turn, double *point, double slope[3][3]);
/* Adds a share of a load to one that acts in the same way. */
void vd_add_load(const vd_wheel_load *load, double share, vd_wheel_load *to);
/* Forces and moments on wheel and knuckle. */
void vd_add_wheel_load(vd_compliance *c, const vd_load_case *t, const vd_bodies *at);
/* Adds to the equations of a place what a change of the loads alone changes. */
void vd_change_wheel_load(vd_compliance *c, const vd_load_case *before, const vd_load_case *now, const vd_bodies *at);
/* The ground under the wheel, or the jack at its centre, of joined wheels under both: the row of the left one. */
int vd_add_holds(vd_compliance *c, const vd_load_case *t, const vd_bodies *at);
/* Whether a member's ball joint at the knuckle is elastic. */
bool vd_soft_ball(const vd_corner *corner, int m);
/* Force of the spring, pressed together > 0, and the slopes and curvatures of its length by its outer end, which has
 * moved from its place at design; and the force on a rigid member's ball joint that does the same work. */
double vd_coil_force(const vd_compliance *c, const vd_element *spring, const double *displaced, double *f,
                     double h[3][3]);
void vd_coil_at_ball(const vd_compliance *c, const vd_bodies *at, double *force);
/* Energy of all springs, J; the equations are lost. */
double vd_coil_energies(vd_compliance *c, const vd_bodies *at);
/* The equations at a place, in c->e. */
void vd_compliance_evaluate(vd_compliance *c, const vd_load_case *t, const vd_bodies *at);
/* The bodies at a knuckle's pose: members in line, the strut's rod end where its line passes the mount. */
void vd_compliance_start(const vd_compliance *c, const vd_load_case *t, const vd_pose *pose, vd_bodies *at);

#endif
