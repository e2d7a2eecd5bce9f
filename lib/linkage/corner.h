/* A corner or rigid axle as its file describes it: hardpoints, springs, bushings, masses, and what the car adds.
 *
 * Lengths are in metres in the axes of the chassis (ISO 8855). The wheel is the left one: a file of a right corner is
 * mirrored when it is read. What a file does not say is NAN; no value that affects a figure is assumed silently. */
#ifndef VD_CORNER_H
#define VD_CORNER_H

#include "base/list.h"
#include "linkage/beam.h"
#include "linkage/linkage.h"

/* Points of a member by which it is defined: two of the chassis, one of the knuckle. */
enum vd_member_point { VD_CHASSIS_A, VD_CHASSIS_B, VD_AT_KNUCKLE, VD_MEMBER_POINTS };

/* Elastic joint between a member and the chassis at one of its chassis points, in the chassis' axes. A stiffness of 0
 * leaves that direction free. */
typedef struct vd_bushing {
  bool given;          /* else rigid: a ball joint, or of an arm's and hinge's two points together a hinge */
  double stiffness[6]; /* N/m along x, y, z; N m/rad about x, y, z */
} vd_bushing;

/* What a bushing is besides its stiffness. With x the displacement along or the turn about one of its axes, of which
 * y = z x x, its force against it is
 *   preload + rate x + cubic x^3,   or with a table   preload + table(x) + cubic x^3 */
typedef struct vd_bushing_law {
  double x_axis[3], z_axis[3]; /* of any length, z is made perpendicular to x; zero: the chassis' axes */
  double preload[6];           /* N, N m */
  double cubic[6];             /* N/m3, N m/rad3 */
  vd_points table[6]; /* m and N, rad and N m; cubics through the points, straight on beyond them; none: rate */
} vd_bushing_law;

typedef struct vd_corner {
  const char *name, *source; /* never NULL */
  vd_names estimates;        /* keys of its file */
  vd_hardpoints points;
  double spring_rate; /* N/m along the spring */
  double spring_load; /* N in the spring at the design position, pressed together > 0; NAN: what carries wheel_load */
  double wheel_load;  /* N on the contact patch at the design position */
  double tyre_rate;   /* N/m, vertical */
  double damper_rate; /* N s/m along the damper */
  vd_bushing bushing[VD_MEMBERS][2]; /* per chassis point of each member */
  vd_bushing_law law[VD_MEMBERS][2];
  vd_beam beam;             /* the cross beam of a twist beam; not given: it is not known how it yields */
  bool blade;               /* members 0 and 1 are one rigid body for the compliance; rods for the kinematics */
  bool final_drive_on_body; /* of a rigid axle: De Dion; else it holds its own drive torque */
  double ball_stiffness[VD_MEMBERS]; /* N/m in all directions, of the member's joint at the knuckle; INFINITY: rigid */
  double knuckle_mass;               /* kg, knuckle, hub and wheel, or all of a rigid axle; NAN: not known */
  double knuckle_inertia[3];         /* kg m2 about its centre of gravity, taken at the wheel centre, along x, y, z */
  double member_mass[VD_MEMBERS];    /* kg; that of a slider (its moving part) and of a hinge moves with the knuckle */
  bool weighed;                      /* its file gives masses other than the default ones of its type */
  double knuckle_arm[3];             /* m from the wheel centre: a named point of the knuckle, for the graph only */
  /* the car */
  bool rear;
  double wheelbase, cg_height; /* m */
  double brake_share;          /* of the whole brake torque on this axle */
  double drive_share;          /* of the whole drive torque on this axle */
  double antiroll_stiffness;   /* N m/rad of body roll, the axle's anti-roll bar */
  double c_factor;             /* m of rack per turn of the hand wheel; of a steering box instead of it: */
  double gear_ratio;           /* turns of the hand wheel per turn of the pitman arm */
  bool inboard_brakes;         /* their torque is held by the chassis */
} vd_corner;

/* An empty corner of a type: members with their kinds and names, everything else unknown (NAN, rigid, no elements). For
 * corners that are not read from a file: set the points, then call vd_corner_check. */
void vd_corner_start(enum vd_linkage_type type, vd_corner *corner);

/* The outward spin axis of the left wheel, unit, from its toe and camber, rad; and back. */
void vd_spin_axis_of(double toe, double camber, double *axis);
void vd_spin_axis_angles(const double *axis, double *toe, double *camber);

/* The right rods of a rigid axle become the mirror images of the left ones in what is not known of them. */
void vd_corner_fill_images(vd_corner *corner);
/* They are known no more. */
void vd_corner_forget_images(vd_corner *corner);

/* The other side as a left one: mirrored in y. The rods of a rigid axle change their sides; spring and damper of the
 * file have mirror images there. All others are their own mirror images. Returns whether the other side is none: what
 * holds of the left wheel then holds of the right one only by `out`. */
bool vd_hardpoints_mirror(const vd_hardpoints *points, vd_hardpoints *out);

/* N/m, force at either wheel over the difference of their travels by which the torsion of a twist beam resists: with
 * C = vd_beam_torsion and the twist of vd_twist_per_travel, C twist^2. The body's roll by p makes them differ by
 * track p, so that the axle has the roll stiffness track^2 of that, as with an anti-roll bar. 0: no elastic beam. */
double vd_corner_twist_rate(const vd_corner *corner);

/* The member that slides, a strut; NULL: there is none. */
const vd_member *vd_corner_slider(const vd_hardpoints *points);

/* The rod that a steering gear can move, and whether one does where a file says nothing; -1: there is none. */
int vd_corner_steerable(enum vd_linkage_type type, bool *steered);

/* Key of a member's point in a suspension file ("lca.chassis_front"); NULL: it has no such point. */
const char *vd_corner_point(enum vd_linkage_type type, int member, enum vd_member_point point);
/* Key in `bushings` of that at a chassis point; NULL: none. */
const char *vd_corner_bushing(enum vd_linkage_type type, int member, int point);

/* Names of the types in files: "macpherson" .. */
extern const char *const vd_linkage_type_names[];

#endif
