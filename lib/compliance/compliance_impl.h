/* Potential energies and constraints of bodies that turn by any angle, with exact first and second derivatives: the
 * equations of equilibrium that compliance.c solves.
 *
 * The attitude of each body is a unit quaternion q. Its three coordinates are the rotation vector phi of a further
 * rotation about the axes of the chassis, q <- exp(phi/2) q, and derivatives are those at phi = 0. To the second order
 * a vector r of the body then becomes
 *   r + phi x r + phi x (phi x r)/2. */
#ifndef VD_COMPLIANCE_IMPL_H
#define VD_COMPLIANCE_IMPL_H

#include "compliance/compliance.h"
#include "base/vec.h"
#include "math/curve.h"
#include "math/saddle.h"
#include "linkage/corner_mass.h"

#include <string.h>

enum {
  VD_COORDINATES = 6 + 6 * VD_MEMBERS, /* of the knuckle, and offset and rotation of each member */
  VD_ROWS = 3 * VD_MEMBERS + 5,        /* greatest number of constraints, of rods with rigid ball joints */
  VD_UNKNOWNS = VD_COORDINATES + VD_ROWS
};

enum { VD_SHIFT = 0, VD_TURN = 3 }; /* columns of the knuckle */

/* Gradient and Hessian of U - W + sum of multiplier x constraint. The rows after the coordinates are the constraints
 * themselves. */
typedef struct vd_equations {
  int coordinates, rows;
  double value[VD_UNKNOWNS];
  double matrix[VD_UNKNOWNS][VD_UNKNOWNS];
  double multiplier[VD_ROWS];
  double energy; /* J */
} vd_equations;

/* The columns on which a point, or the difference of two points, depends: the knuckle's shift, an offset, vectors that
 * turn with bodies, and a slide along the first of these vectors. A column < 0: the point does not depend on it. */
typedef struct vd_reach {
  int shift, offset, slide;
  double lag; /* this share of the shift is subtracted from the point's motion */
  int turns, turn[3];
  double arm[3][3];
  double along[3];
} vd_reach;

/* Rotates a vector: r = R b. The scalar part of q comes first. */
void vd_turned(const double *q, const double *b, double *r);
/* Rotates further: q <- exp(phi/2) q, of unit length, scalar part >= 0. */
void vd_turn_on(const double *phi, double *q);
/* Sets q to the rotation b followed by the rotation a, of unit length, scalar part >= 0; q may be b. */
void vd_turn_product(const double *a, const double *b, double *q);
/* Computes the rotated vector between two points of a body that are given in the design position, and its change by the
 * rotation. */
void vd_turned_arm(const double *q, const double *from, const double *to, double *arm, double *change);
/* Returns the axis (0 to 2) along which a vector has its largest component. */
int vd_steepest(const double *along);
/* Computes the smallest rotation from direction `from` to direction `to`, both of any length. */
void vd_turn_between(const double *from, const double *to, double *q);
void vd_turn_from_matrix(double turn[3][3], double *q);
void vd_turn_matrix(const double *q, double turn[3][3]);

/* A bushing: its axes and its six forces as functions of displacements. */
typedef struct vd_elastic_bushing {
  double axis[3][3];  /* x, y, z, for its forces */
  double about[3][3]; /* for its moments; in a mirror image the opposite of the mirrored axes */
  bool aligned;       /* all these axes are those of the chassis */
  const vd_bushing *linear;
  const vd_bushing_law *law;
  vd_curve *table; /* six curves, or NULL */
} vd_elastic_bushing;

/* Builds a bushing. The caller must free the tables. */
void vd_bushing_build(const vd_bushing *linear, const vd_bushing_law *law, vd_elastic_bushing *b);
/* Adds the energy of the displacement v of the bushing's point, and the energy of a rotation, t = 2 vec(q). */
void vd_add_displacement(vd_equations *e, const vd_reach *reach, const double *v, const vd_elastic_bushing *b);
void vd_add_turn(vd_equations *e, int turn, const double *q, const vd_elastic_bushing *b);
/* Adds the energy of a tilt, t = n0 x n, of a direction n that turns with the knuckle. */
void vd_add_tilt(vd_equations *e, const double *n0, const double *n, const vd_elastic_bushing *b);
/* Returns the energy of a vector in the axes of the chassis, a displacement of the bushing's point (first 0) or a
 * rotation (first 3), with its gradient and Hessian. The gradient by a displacement is the force of the body on the
 * bushing. */
double vd_bushing_energy(const vd_elastic_bushing *b, int first, const double *v, double *f, double h[3][3]);
/* Computes the moments of the body on the bushing for a rotation and for a tilt. */
void vd_bushing_moment(const vd_elastic_bushing *b, const double *q, double *moment);
void vd_bushing_tilt_moment(const vd_elastic_bushing *b, const double *n0, const double *n, double *moment);
/* Returns the stiffness without load for displacements along (first 0), or rotations about (first 3), a unit
 * direction. */
double vd_bushing_rate(const vd_elastic_bushing *b, int first, const double *direction);

/* Adds the terms of a quantity that depends on one point, from its gradient f and its Hessian k by the point (NULL:
 * zero). */
void vd_add_point(vd_equations *e, const vd_reach *reach, const double *f, double k[3][3]);
/* Adds a constraint f(point) = value; its Hessian k is multiplied by its multiplier. Returns its number. */
int vd_add_row(vd_equations *e, const vd_reach *reach, double value, const double *f, double k[3][3]);
/* Adds a further point on which a constraint depends. */
void vd_extend_row(vd_equations *e, int row, const vd_reach *reach, const double *f, double k[3][3]);
/* Adds a constraint (R n) . (place - a) + n . b = value on the knuckle, with m = R n, d = place - a. */
int vd_add_slide(vd_equations *e, double value, const double *m, const double *d);
/* Adds a rod between two points, with d the vector between them: a new constraint of constant length if k is 0, else
 * the energy k (|d| - length)^2/2. Returns the constraint's number, or -1. */
int vd_add_rod(vd_equations *e, const vd_reach *reach, const double *d, double length, double k);
/* Adds the energy k v^2/2 of a point's displacement v. */
void vd_add_spring(vd_equations *e, const vd_reach *reach, const double *v, double k);
/* Adds f . (phi x (phi x r))/2 to a Hessian; by_phi: the Hessian's element of the first two angles; pitch: length of
 * its rows. */
void vd_add_bend(double *by_phi, size_t pitch, const double *f, const double *r);

/* --- bodies --- */

/* An arm, rod or strut mount with coordinates of its own, or a hinge, whose points belong to the knuckle. */
typedef struct vd_elastic_link {
  bool elastic;      /* has a bushing or an elastic ball joint */
  bool on_first_rod; /* the second rod of a blade: its points belong to the first rod's body */
  bool between;      /* a rod between the knuckle and an elastic arm */
  bool fixed[2];     /* chassis points without a bushing are ball joints */
  int points;        /* number of chassis points */
  /* columns of the offset at the ball joint (strut: slide at the mount) and of the rotation; -1: none */
  int offset, turn;
  int joint, joints;             /* the first joint of the rigid linkage that it replaces, and their number */
  vd_elastic_bushing bushing[2]; /* at points that have one */
  double axis[3];                /* unit: a rod's line, an arm's hinge, a slider's line, in the design position */
  double across[2][3];           /* unit, at right angles to the axis */
} vd_elastic_link;

/* The beam between both arms of a twist beam, as a joint in the middle of its length. */
typedef struct vd_elastic_beam {
  double shear_centre[3], centroid[3]; /* in the design position */
  vd_bushing linear;                   /* its stiffness (linkage/beam.h) */
  vd_elastic_bushing joint;            /* the stiffness in the axes of the beam */
  vd_elastic_bushing pivot;            /* of the right arm: mirror image of the left one's */
} vd_elastic_beam;

/* Displacements and rotations of all bodies from the design position. */
typedef struct vd_bodies {
  double shift[3], turn[4];
  /* strut: [0] is the slide at its mount; twist beam: displacement of the right wheel centre */
  double offset[VD_MEMBERS][3];
  double member_turn[VD_MEMBERS][4];
  double knuckle_turn[2][4]; /* of an axle that steers */
  double multiplier[VD_ROWS];
} vd_bodies;

/* The load case to solve. Members `right' and [1] are for joined wheels. */
typedef struct vd_load_case {
  double u[VD_INPUTS], gear; /* gear: the rack of an axle that steers */
  enum vd_hold hold;         /* never VD_HOLD_AUTO */
  double height[2];          /* m, rises of the wheel centres that a jack fixes */
  double ground[2];          /* m, heights of the lowest points above the chassis' origin, if the ground fixes them */
  vd_wheel_load load, right;
} vd_load_case;

struct vd_compliance {
  vd_corner corner;
  /* shifted: its points of the gear are at the present rack, for elements on steered members */
  vd_linkage linkage, shifted;
  enum vd_hold hold;
  vd_wheel_load right; /* of joined wheels */
  /* all bodies are supported in the design position; the spring's load is known */
  bool supported, sprung;
  double spring_load;      /* N, in the design position */
  double equilibrium_load; /* N, wheel load in equilibrium with spring_load */
  /* N, m, m: a wheel load, the rack, and the height of the lowest point at which the spring alone carries this load;
   * NAN: not yet computed */
  double settled_load, settled_rack, settled;
  double spring_length;                      /* m, in the design position */
  bool has_weights;                          /* knuckle and members have weights */
  double knuckle_weight, weight[VD_MEMBERS]; /* N; a slider's weight is part of the knuckle's */
  double middle[VD_MEMBERS][3];              /* m, centres of gravity of the members in the design position */
  vd_elastic_link link[VD_MEMBERS];
  bool joined; /* the equations are those of both wheels of an axle */
  bool steers; /* a rigid axle whose knuckles are bodies of their own */
  /* for an axle that steers: columns of the knuckles' rotations; rows of constraints, -1: none */
  int knuckle[2], pin[2], drag_link, tie_rod;
  bool twists; /* a twist beam; its right arm has the columns of the member's offset and rotation */
  vd_elastic_beam beam;
  int drivers; /* number of the first driver among the joints of the linkage */
  int coordinates;
  vd_pose rigid;       /* the rigid linkage's pose at the last inputs */
  vd_pose rigid_right; /* of a twist beam: pose of the right arm, mirrored */
  vd_equations e;
  int jack;            /* row of the constraint that fixes the wheel centre, or -1 */
  int row[VD_MEMBERS]; /* first constraint of each member */
  double factors[VD_UNKNOWNS * VD_SADDLE_PITCH(VD_UNKNOWNS)];
  bool minimum; /* the factors are those of a minimum (math/saddle.h); otherwise those of elimination (math/lu.h) */
  size_t order[VD_UNKNOWNS];
  double scale[VD_UNKNOWNS];
  double unloaded[VD_UNKNOWNS]; /* with `quick': values of the equations without the wheels' loads */
  bool quick;                   /* loads derive from an energy; Newton's method ends one or two steps earlier */
  double *later;                /* see vd_compliance_expect; NULL: nothing is expected */
  bool solved;                  /* there is a last equilibrium, and the equations are those of it */
  bool ready;                   /* the factors are those of the last equilibrium */
  vd_load_case task;
  vd_bodies last;
};

/* Sets the expected sum of all Newton steps after the first, later[VD_UNKNOWNS], for solutions with `quick'; NULL:
 * none. A solution uses it if its first step has the factors of the last equilibrium. The solution then writes the true
 * sum to `later', or zeros if it had no such factors. */
void vd_compliance_expect(vd_compliance *c, double *later);

/* Computes the load of the spring in the design position. */
void vd_compliance_load_spring(vd_compliance *c);

/* Copies a point of the left side (side 0), or mirrors it to the right side (side 1). */
static inline void vd_at_side(const double *left, int side, double *point) {
  point[0] = left[0];
  point[1] = side ? -left[1] : left[1];
  point[2] = left[2];
}

/* --- twist beams: side 0 is the left arm, 1 the right one --- */

void vd_beam_build(vd_compliance *c);
/* Adds pivots and beam. */
void vd_add_beam(vd_compliance *c, const vd_bodies *at);
/* Starts the right arm at the rigid linkage's pose. */
void vd_beam_start(const vd_compliance *c, vd_bodies *at);
/* Computes a point of a body, at b from the centre of its wheel in the design position, and its displacement. The
 * columns of the reach must be set. */
void vd_body_point(const double *turn, const double *shift, const double *b, vd_reach *reach, double *displaced);
/* Computes a point of the knuckle, at b from the wheel centre in the design position. */
void vd_knuckle_point(const vd_bodies *at, const double *b, vd_reach *reach, double *displaced);
/* Computes a point of an arm, whose place in the design position is given, and its displacement. */
void vd_arm_point(const vd_compliance *c, const vd_bodies *at, int side, const double *point, vd_reach *reach,
                  double *displaced);
const double *vd_arm_turn(const vd_bodies *at, int side);
const vd_elastic_bushing *vd_pivot_bushing(const vd_compliance *c, int side);
/* Computes the force and moment of the beam on the left arm, at the present place of the arm's shear centre in the
 * middle of the car. The right arm receives the opposite. */
void vd_beam_force(const vd_compliance *c, const vd_bodies *at, double *place, double *force, double *moment);

/* --- rigid axles that steer (compliance_steer.c) --- */

/* Computes a point of a knuckle, whose place in the design position is given, and its displacement. */
void vd_steered_point(const vd_compliance *c, const vd_bodies *at, int side, const double *point, vd_reach *reach,
                      double *displaced);
/* Adds kingpins, drag link and tie rod. */
void vd_add_steering(vd_compliance *c, const vd_bodies *at);
/* Starts the knuckles at the rigid linkage's pose. */
void vd_steering_start(const vd_compliance *c, vd_bodies *at);
/* A rod: its ends and its tension. */
typedef struct vd_rod_force {
  double from[3], to[3], pull;
} vd_rod_force;
void vd_steering_forces(const vd_compliance *c, const vd_bodies *at, vd_rod_force *drag_link, vd_rod_force *tie_rod);
/* Computes the force of the upper point of a kingpin on the knuckle, without its component along the pin. */
void vd_kingpin_force(const vd_compliance *c, const vd_bodies *at, int side, double *force);

/* --- wheels: side 0 is the left wheel, 1 the right one of joined wheels --- */

/* Computes the centre of a wheel. The functions below return the rotation of the body that carries the wheel, and the
 * column of this rotation. */
void vd_wheel_point(const vd_compliance *c, const vd_bodies *at, int side, vd_reach *reach, double *displaced);
const double *vd_wheel_turn(const vd_compliance *c, const vd_bodies *at, int side);
int vd_wheel_turn_column(const vd_compliance *c, int side);
/* Computes the axle's direction in the design position, outward for a left wheel and inward for a right one. */
void vd_wheel_axle(const vd_compliance *c, int side, double *axle);
/* Computes the vector from the centre of a wheel to its disc's lowest point; slope[j] is its derivative by the rotation
 * about axis j of the chassis, and may be NULL. */
void vd_lowest_point(const vd_compliance *c, int side, const double *turn, double *point, double slope[3][3]);
/* Adds a share of a load to another load of the same kind. */
void vd_add_load(const vd_wheel_load *load, double share, vd_wheel_load *to);
/* Adds the forces and moments on wheel and knuckle. */
void vd_add_wheel_load(vd_compliance *c, const vd_load_case *t, const vd_bodies *at);
/* Adds the effect of a change of the loads to equations that were computed at the same bodies' positions. */
void vd_change_wheel_load(vd_compliance *c, const vd_load_case *before, const vd_load_case *now, const vd_bodies *at);
/* Adds the constraint of the ground under the wheel, or of the jack at its centre; for joined wheels one for each
 * wheel. Returns the row of the left wheel. */
int vd_add_holds(vd_compliance *c, const vd_load_case *t, const vd_bodies *at);
/* Returns whether a member's ball joint at the knuckle is elastic. */
bool vd_soft_ball(const vd_corner *corner, int m);
/* Computes the force of the spring, compression > 0. displaced: displacement of its outer end from the design position;
 * f, h: first and second derivatives of its length by this end. If the spring stands on a rigid member, this end is the
 * member's ball joint, and the force times f acts on it with the same work. */
double vd_coil_force(const vd_compliance *c, const vd_element *spring, const double *displaced, double *f,
                     double h[3][3]);
void vd_coil_at_ball(const vd_compliance *c, const vd_bodies *at, double *force);
/* Returns the energy of all springs, J. Overwrites the equations. */
double vd_coil_energies(vd_compliance *c, const vd_bodies *at);
/* Computes the equations at a place, in c->e. */
void vd_compliance_evaluate(vd_compliance *c, const vd_load_case *t, const vd_bodies *at);
/* Starts the bodies at a knuckle's pose: members point to their ball joints, and the end of the strut's rod is where
 * the rod's line passes the mount. */
void vd_compliance_start(const vd_compliance *c, const vd_load_case *t, const vd_pose *pose, vd_bodies *at);

#endif
