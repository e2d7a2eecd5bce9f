/* A corner or rigid axle as its file describes it: hardpoints, springs, bushings, masses, and what the car adds.
 *
 * Lengths are in metres in the axes of the chassis (ISO 8855). The wheel is the left one: a file of a right corner is
 * mirrored when it is read. Values that a file does not give are NAN; no value that affects a figure is assumed
 * silently. */
#ifndef VD_CORNER_H
#define VD_CORNER_H

#include "base/list.h"
#include "linkage/beam.h"
#include "linkage/linkage.h"

/* The points that define a member: two on the chassis, one on the knuckle. */
enum vd_member_point { VD_CHASSIS_A, VD_CHASSIS_B, VD_AT_KNUCKLE, VD_MEMBER_POINTS };

/* Elastic joint between a member and the chassis at one of the member's chassis points. Its axes are those of the
 * chassis, unless vd_bushing_law gives others. A stiffness of 0 leaves that direction free. */
typedef struct vd_bushing {
  /* false: the joint is rigid, a ball joint; the two rigid joints of an arm or hinge together form a hinge */
  bool given;
  double stiffness[6]; /* N/m along x, y, z; N m/rad about x, y, z */
} vd_bushing;

/* Properties of a bushing besides its stiffness. x is the displacement along, or the rotation about, one of the
 * bushing's axes; the y axis is the cross product of z axis and x axis. The force that opposes x is
 *    preload + rate x + cubic x^3,   or with a table   preload + table(x) + cubic x^3 */
typedef struct vd_bushing_law {
  double x_axis[3], z_axis[3]; /* of any length; z is made perpendicular to x; zero: the axes of the chassis */
  double preload[6];           /* N, N m */
  double cubic[6];             /* N/m3, N m/rad3 */
  /* m and N, rad and N m; cubics through the points, a straight line beyond them; no points: the rate is used */
  vd_points table[6];
} vd_bushing_law;

typedef struct vd_corner {
  const char *name, *source; /* never NULL */
  vd_names estimates;        /* keys of its file whose values are marked as estimates */
  vd_hardpoints points;
  double spring_rate; /* N/m along the spring */
  /* N, force of the spring in the design position, compression > 0; NAN: the force that carries wheel_load */
  double spring_load;
  double wheel_load;                 /* N on the contact patch at the design position */
  double tyre_rate;                  /* N/m, vertical */
  double damper_rate;                /* N s/m along the damper */
  vd_bushing bushing[VD_MEMBERS][2]; /* at each chassis point of each member */
  vd_bushing_law law[VD_MEMBERS][2];
  vd_beam beam;             /* the cross beam of a twist beam; it may be unknown */
  bool blade;               /* members 0 and 1 are one rigid body in the compliance, two rods in the kinematics */
  bool final_drive_on_body; /* De Dion axle; otherwise a rigid axle carries the final drive */
  /* N/m in all directions, of the member's ball joint at the knuckle; INFINITY: rigid */
  double ball_stiffness[VD_MEMBERS];
  double knuckle_mass; /* kg, knuckle, hub and wheel, or all of a rigid axle; NAN: not known */
  /* kg m2 along x, y, z about its centre of gravity, which is assumed at the wheel centre */
  double knuckle_inertia[3];
  double member_mass[VD_MEMBERS]; /* kg; the mass of a hinge, or of a slider's moving part, moves with the knuckle */
  bool weighed;                   /* its file gives masses other than the default ones of its type */
  double knuckle_arm[3]; /* m from the wheel centre: a named point of the knuckle, for the hardpoint graph only */
  /* the car */
  bool rear;
  double wheelbase, cg_height; /* m */
  double brake_share;          /* share of the car's brake torque that acts on this axle */
  double drive_share;          /* share of the car's drive torque that acts on this axle */
  double antiroll_stiffness;   /* N m/rad of body roll, the axle's anti-roll bar */
  double c_factor;             /* m of rack per turn of the steering wheel; with a steering box, gear_ratio instead: */
  double gear_ratio;           /* turns of the steering wheel per turn of the pitman arm */
  bool inboard_brakes;         /* the chassis carries the reaction to the brake torque */
} vd_corner;

/* Starts an empty corner of a type: its members have kinds and names, and everything else is unknown (NAN, rigid
 * joints, no elements). For corners that are not read from a file: set the points, then call vd_corner_check. */
void vd_corner_start(enum vd_linkage_type type, vd_corner *corner);

/* Converts toe and camber of the left wheel, rad, to the unit vector along its outward spin axis, and back. */
void vd_spin_axis_of(double toe, double camber, double *axis);
void vd_spin_axis_angles(const double *axis, double *toe, double *camber);

/* Sets unknown points of the right rods of a rigid axle to the mirror images of the left rods' points. */
void vd_corner_fill_images(vd_corner *corner);
/* Makes points of right rods that are mirror images unknown again. */
void vd_corner_forget_images(vd_corner *corner);

/* Makes the other side of an axle as a left one, mirrored in y. The rods and the steering of a rigid axle exchange
 * their sides; its spring and damper stay, as files give the left ones only, and the right ones are their mirror
 * images. Other corners differ only by an asymmetric steering gear. Returns whether the sides differ: figures of the
 * right wheel then follow from `out` only. */
bool vd_hardpoints_mirror(const vd_hardpoints *points, vd_hardpoints *out);

/* Returns the wheel rate of the torsion of a twist beam, N/m: the force at either wheel over the difference of both
 * travels. It is C twist^2 with C = vd_beam_torsion and the twist of vd_twist_per_travel. A roll angle p of the body
 * makes the travels differ by track p, so this rate times track^2 is the roll stiffness of the axle, as with an
 * anti-roll bar. 0: the beam has no elasticity. */
double vd_corner_twist_rate(const vd_corner *corner);

/* Returns the sliding member, a strut; NULL: there is none. */
const vd_member *vd_corner_slider(const vd_hardpoints *points);

/* Returns the number of the rod whose inner end a steering gear can move; -1: there is none. steered: whether a gear
 * moves it by default. */
int vd_corner_steerable(enum vd_linkage_type type, bool *steered);

/* Returns the key of a member's point in a suspension file ("lca.chassis_front"); NULL: it has no such point. */
const char *vd_corner_point(enum vd_linkage_type type, int member, enum vd_member_point point);
/* Returns the key of a member's bushing in the block `bushings`, at chassis point 0 or 1; NULL: it has none. */
const char *vd_corner_bushing(enum vd_linkage_type type, int member, int point);

/* Names of the types as files have them: "macpherson" .. */
extern const char *const vd_linkage_type_names[];

#endif
