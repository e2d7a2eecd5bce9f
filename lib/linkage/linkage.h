/* The links of a wheel: the place of the knuckle for a travel of the wheel and a displacement of the rack.
 *
 * The knuckle (or a rigid axle) is one rigid body with six coordinates. Each member between it and the chassis
 * constrains some of them; together they constrain five coordinates of a corner and four of a rigid axle:
 *
 *   arm      two rods from its chassis points to its ball joint        2
 *   rod      one length                                                1
 *   slider   a line of the knuckle through a point of the chassis      2   (strut)
 *   hinge    an axis                                                   5   (trailing and semi-trailing arm)
 *
 * The travel of the wheel centre, or the two travels of a rigid axle, determine the rest. Members that have no mass and
 * only transmit forces act exactly as these constraints. A rod's inner end is at the chassis, at the steering gear or
 * on an arm (integral link). Points are in the axes of the chassis (ISO 8855) in the design position, in metres; the
 * wheel is the left one, the right corner is its mirror image in y. Inputs:
 *
 *   u[0]   travel: rise of the wheel centre relative to the chassis, m, bump > 0
 *   u[1]   rack: displacement of the rack, or of the middle of a relay rod, towards +y, m; for a rigid axle, and for a
 *          twist beam with VD_EACH, the travel of the right wheel instead
 *
 * A rigid axle that steers is solved in two parts (axle_steer.c): first the axle by its rods as above, then its
 * knuckles about their kingpins. Its travels are those of two points fixed in the axle at the wheel centres' design
 * positions: steering moves the wheels relative to the axle but does not move the axle. Its rack is a third input,
 * vd_pose.gear.
 *
 * Signs of angles: toe-in > 0, camber with the top outward > 0, steer to the left > 0. */
#ifndef VD_LINKAGE_H
#define VD_LINKAGE_H

#include "math/jet.h"

/* Value and name of each type. Files use this name; it is also the name of the type's source file in lib/linkage. */
#define VD_LINKAGE_LIST(X)                                                                                             \
  X(MACPHERSON, macpherson)                                                                                            \
  X(DOUBLE_WISHBONE, double_wishbone)                                                                                  \
  X(TRAILING_ARM, trailing_arm) /* semi-trailing arms too */                                                           \
  X(FIVE_LINK, five_link)                                                                                              \
  X(MULTI_LINK, multi_link) /* two trailing and two lateral links and a toe link */                                    \
  X(TWIST_BEAM, twist_beam)                                                                                            \
  X(FOUR_LINK_AXLE, four_link_axle) /* rigid axle on two lower and two upper rods */                                   \
  X(PANHARD_AXLE, panhard_axle)     /* rigid axle on two lower rods, one upper rod and a Panhard rod */                \
  X(INTEGRAL_LINK, integral_link)   /* an H-arm, an integral link from it to the knuckle, a camber and a toe link */

#define VD_LINKAGE_IN_ENUM(value, name) VD_##value,
enum vd_linkage_type { VD_LINKAGE_LIST(VD_LINKAGE_IN_ENUM) VD_LINKAGE_TYPES };

/* The axis about which a wheel is steered. */
enum vd_steering_axis {
  VD_STEERING_NONE,
  VD_STEERING_BALL_JOINTS, /* the line from the lower arm's ball joint to the upper arm's */
  VD_STEERING_STRUT,       /* the line from the lower arm's ball joint to the strut's top mount */
  VD_STEERING_RODS,        /* the instantaneous axis of rotation if the toe link changes its length */
};

/* Properties of a type that matter to functions that compute with it. */
typedef struct vd_linkage_traits {
  bool axle; /* rigid axle: one body with two travels */
  bool beam; /* a cross beam joins both sides; parallel and opposite travel have linkages of their own */
  enum vd_steering_axis steering;
  const char *drive; /* the member whose joint drives the corner in the reference system; NULL: none */
} vd_linkage_traits;

const vd_linkage_traits *vd_linkage_traits_of(enum vd_linkage_type type);

/* Returns whether a type joins both wheels of its axle. */
static inline bool vd_linkage_joins(enum vd_linkage_type type) {
  const vd_linkage_traits *traits = vd_linkage_traits_of(type);
  return traits->axle || traits->beam;
}

/* The two inputs by which each second derivative is taken. */
static const int vd_first_input[VD_SECONDS] = {0, 0, 1}, vd_second_input[VD_SECONDS] = {0, 1, 1};

enum vd_member_kind { VD_ARM, VD_ROD, VD_SLIDER, VD_HINGE };

enum { VD_MEMBERS = 5, VD_JOINTS = 6, VD_LANES = 8 };
#define VD_ON_LINE 1e-3 /* m; a point that is closer to the line of a rod is taken to be on it */

/* The steering gear, which moves the inner points of steered members: a rack along y, or a relay rod between two arms,
 * pitman and idler. Both arms turn about axes in the direction of `axis', across y. The right arm is the mirror image
 * of the left one, or has points of its own; then left and right wheels steer differently. The gear of a rigid axle may
 * also be a pitman arm alone: its rack is the distance that the arm's joint moves along its circle, > 0 in the
 * direction of axis x arm. */
enum vd_gear_kind { VD_GEAR_RACK, VD_GEAR_RELAY, VD_GEAR_PITMAN };

typedef struct vd_gear {
  enum vd_gear_kind kind;
  double pivot[3], joint[3]; /* of the left arm: a point of its axis, and its joint with the relay rod */
  double axis[3];            /* of any length; for a relay rod y = 0 */
  bool asymmetric;           /* the right arm is not the mirror image of the left one; its points follow */
  double other_pivot[3], other_joint[3];
  int pitman_side; /* for a relay rod: the arm that the steering box turns, 0 left, 1 right */
} vd_gear;

/* Steering of a rigid axle: knuckles that turn about kingpins, a tie rod between them, and a drag link from the gear to
 * one of them. */
typedef struct vd_axle_steer {
  bool given;
  double kingpin[2][2][3];   /* of the left and the right knuckle: a lower and an upper point on the axle */
  double tie_rod[2][3];      /* its joints at the left and at the right knuckle */
  double drag_link[2][3];    /* its joint at the gear and its joint at the knuckle */
  int driven_side;           /* the knuckle that the drag link turns: 0 left, 1 right */
  bool tie_rod_on_drag_link; /* the joint of the tie rod on the driven side is on the drag link (Haltenberger) */
  /* N/m along their lines, for the compliance; 0: rigid. The stiffness of the drag link includes the gear's. */
  double drag_link_stiffness, tie_rod_stiffness;
} vd_axle_steer;

typedef struct vd_member {
  enum vd_member_kind kind;
  const char *name; /* "lca", "tie_rod", "upper_fore", "strut", "arm" */
  /* arm: front and rear point; rod: [0]; slider: [0], its top mount; hinge: inboard and outboard point, for a twist
   * beam pivot and shear centre */
  double chassis[2][3];
  double knuckle[3]; /* arm, rod: ball joint; slider: a second point of its line; hinge: unused */
  bool steered;      /* its chassis points move with the steering gear */
  int base;          /* for a rod: VD_ON_MEMBER + i if its inner end is on arm i; 0: on the chassis or the gear */
  /* for a rod with elements off its line: axes of the universal joint at its inner end, one fixed in the chassis, one
   * in the rod; zero: the first is level and at right angles to the rod, the second at right angles to both */
  double axis[3], cross[3];
} vd_member;

/* The part that holds the lower eye of a spring or damper, or a push rod: the knuckle, or member i as VD_ON_MEMBER + i.
 * A universal joint at a rod's inner end determines its rotation about its line. */
enum vd_part { VD_ON_KNUCKLE, VD_ON_MEMBER };

/* A spring or damper, from a point of the chassis to a part of the linkage or to a rocker that a rod turns. */
typedef struct vd_element {
  bool given;
  double chassis[3];
  double eye[3]; /* its other end: a point of the part, or of the rocker */
  int on;        /* enum vd_part: the part that holds the eye, or the outer end of the rocker's rod */
  bool rocker;
  double pivot[3], axis[3]; /* of the rocker; axis of any length */
  double rod_part[3];       /* outer end of the push or pull rod, on the part */
  double rod_rocker[3];     /* inner end of the push or pull rod, on the rocker */
} vd_element;

/* Hardpoints by their role in the linkage: the suspension as the solvers use it. */
typedef struct vd_hardpoints {
  enum vd_linkage_type type;
  double wheel_center[3];
  double spin_axis[3];  /* of the wheel, outward; of any length */
  double static_radius; /* m, loaded radius: wheel centre to contact patch */
  int members;
  vd_member member[VD_MEMBERS];
  vd_element spring, damper;
  vd_gear gear;
  vd_axle_steer steer;
} vd_hardpoints;

/* Relation of the travels of both wheels of the axle, for types with a beam only. VD_EACH: u[1] is the travel of the
 * other wheel. */
enum vd_axle_motion { VD_PARALLEL, VD_OPPOSITE, VD_EACH };

enum vd_joint_kind { VD_JOINT_ROD, VD_JOINT_SLIDE, VD_JOINT_PLANE };

/* One scalar constraint. With a the chassis point at the inputs, b the vector from the wheel centre to the knuckle's
 * point in the design position, p the wheel centre, R the knuckle's rotation and d = p + R b - a:
 *   rod    (d . d - L^2)/(2 L) = 0;    slide  (R n) . d = 0, n turns with the knuckle;    plane  n . d = 0
 * A rod whose inner end is on an arm has a = chassis + M (p + R c), where c leads to the ball joint of the arm: a point
 * of an arm is a linear function of the place of its ball joint, for rotations of any size. */
typedef struct vd_joint {
  enum vd_joint_kind kind;
  double chassis[3], body[3];
  double direction[3];         /* n */
  double length;               /* L */
  double moves[VD_INPUTS][3];  /* d(a)/d(inputs); for a relay rod in the design position */
  bool geared;                 /* a is a point of the steering gear, which is at `chassis' in the design position */
  bool on_arm;                 /* its inner end is on an arm: */
  double carry[3][3], ball[3]; /* M, c */
} vd_joint;

/* The joints' figures side by side for the solver; the last two lanes are unused. */
typedef struct vd_joint_lanes {
  double body[3][VD_LANES], chassis[3][VD_LANES], moves[VD_INPUTS][3][VD_LANES];
  double fixed[3][VD_LANES], turning[3][VD_LANES];        /* n of planes and of slides, else 0 */
  double half_length[VD_LANES], inverse_length[VD_LANES]; /* of rods, else 0 */
  double slide[VD_LANES];                                 /* 1 or 0 */
  double carry[3][3][VD_LANES], ball[3][VD_LANES];
} vd_joint_lanes;

typedef struct vd_linkage {
  vd_hardpoints points;
  vd_joint joint[VD_JOINTS]; /* drivers last */
  vd_joint_lanes lanes;
  bool slides;         /* some joint is a slide */
  bool has_relay_rod;  /* a relay rod steers */
  bool has_rod_on_arm; /* some rod's inner end is on an arm */
  double spin_axis[3]; /* unit */
  bool axle, beam;     /* the type's traits */
  enum vd_axle_motion motion;
  /* sign of the Jacobian's determinant at the design position; it depends on the assembly of the linkage */
  double side;
} vd_linkage;

/* Place of the knuckle and its derivatives by the inputs. With r = R b, the vector from the wheel centre to a point of
 * the knuckle,
 *   dr/du_j = w_j x r,   d2r/du_j du_k = a_jk x r + (w_j x (w_k x r) + w_k x (w_j x r))/2 */
typedef struct vd_pose {
  double u[VD_INPUTS];
  double at[3];                  /* m, wheel centre */
  double turn[3][3];             /* R, from the design position */
  double velocity[VD_INPUTS][3]; /* of the wheel centre, m/m */
  double spin[VD_INPUTS][3];     /* w: rad/m */
  double accel[VD_SECONDS][3];   /* 1/m */
  double angular[VD_SECONDS][3]; /* a: rad/m2 */
  /* for a rigid axle that steers: its rack, m, which vd_linkage_move does not change, and the rack's derivatives by the
   * inputs */
  double gear, gear_rate[VD_INPUTS];
} vd_pose;

enum vd_linkage_status {
  VD_LINKAGE_OK,
  VD_LINKAGE_OPEN, /* no pose close by has these inputs */
};

/* Builds the linkage. False: the constraints are not independent at the design position, and the linkage must not be
 * used. */
bool vd_linkage_build(const vd_hardpoints *points, enum vd_axle_motion motion, vd_linkage *l);

/* Copies the joints' figures into the lanes again, after the joints were changed. */
void vd_linkage_spread(vd_linkage *l);

/* Computes the pose at the design position, all derivatives included. */
void vd_linkage_start(const vd_linkage *l, vd_pose *pose);

/* Moves from a pose to the pose of other inputs by damped Newton steps: at once over a short distance, otherwise in
 * parts; residuals are <= 1e-12 m. Never passes through a dead point. On VD_LINKAGE_OPEN *pose is the last pose that
 * closed on the straight line to the inputs, found to 1e-6 of the line's length; pose->u are its inputs. */
enum vd_linkage_status vd_linkage_move(const vd_linkage *l, const double *u, vd_pose *pose);
/* Moves as vd_linkage_move does, in parts of up to `stride' m. A part is halved if its pose is not close to the one
 * that the derivatives at its beginning predict. */
enum vd_linkage_status vd_linkage_stride(const vd_linkage *l, const double *u, double stride, vd_pose *pose);

/* Makes Newton steps only, from the pose's place and rotation to the inputs u: for callers with a close guess. False:
 * it did not close, and *pose is unusable. seconds: computes second derivatives too. */
bool vd_linkage_close(const vd_linkage *l, const double *u, bool seconds, vd_pose *pose);

/* Returns the largest of the constraints' residuals, m. */
double vd_linkage_residual(const vd_linkage *l, const vd_pose *pose);

/* Computes the motion of the knuckle per unit lengthening of joint `joint', or per unit displacement of a slide or
 * plane, with the inputs fixed: m/m, rad/m. */
void vd_linkage_release(const vd_linkage *l, const vd_pose *pose, int joint, double *velocity, double *spin);

/* Returns the place of a point of the steering gear at a rack; `design' is its place in the design position.
 * Derivatives are by the rack only. Parts are NAN where the relay rod does not reach. */
vd_jet3 vd_gear_point(const vd_gear *gear, double rack, const double *design);

/* Returns the rotation of the pitman arm about its axis from the design position, rad, with its derivatives by the
 * rack; NAN: there is none. */
vd_jet vd_gear_turn(const vd_gear *gear, double rack);

/* Computes the body that carries a wheel: the knuckle of a rigid axle that steers, otherwise the body of the pose
 * itself. vd_pose_point gives its points from their places in the design position. Parts are NAN where drag link or tie
 * rod do not reach. *knuckle and *pose must be different objects. */
void vd_knuckle_pose(const vd_linkage *l, const vd_pose *pose, bool right, vd_pose *knuckle);

/* Returns the angle of a knuckle about its upward kingpin from the design position, rad. */
vd_jet vd_knuckle_turn(const vd_linkage *l, const vd_pose *pose, bool right);

/* The constant-velocity joint in the drive shaft of a knuckle. The inner half of the shaft is along the y axis of the
 * axle, direction n1; the outer half is along the wheel's axle, direction n2, both to the left. The joint transmits a
 * moment along n1 + n2, and each half has the torque T about itself: M = T (n1 + n2)/(1 + n1 . n2). On a turn about the
 * kingpin e this moment works T g,
 *
 *   g = e . (n1 + n2)/(1 + n1 . n2) = sum/(base + swing cos(turn - straight)),
 *
 * and the speed of the inner half is that of the wheel in its knuckle plus g times the rate of the turn about the
 * kingpin. */
typedef struct vd_shaft_joint {
  double along; /* e . n2: component about the wheel's axle of a unit turn about the kingpin */
  double sum, base, swing, straight;
} vd_shaft_joint;

/* Builds the joint. kingpin: of a left wheel, upward and of any length; wheel: direction of its axle, unit; both in the
 * design position. */
vd_shaft_joint vd_knuckle_shaft(const double *kingpin, const double *wheel);

/* Returns the distance of the tie rod's joint on the drag link from the gear, as a share of the link's length.
 * vd_tie_rod_joint computes the tie rod's joint on the driven side in the design position; on a drag link it is on the
 * link's line. */
double vd_tie_rod_share(const vd_axle_steer *s);
void vd_tie_rod_joint(const vd_axle_steer *s, double *joint);

/* Returns whether drag link and tie rod reach the knuckles at a pose; true without them. */
bool vd_knuckles_reach(const vd_linkage *l, const vd_pose *pose);

/* Moves the linkage like vd_linkage_move, to two travels and a rack. The second travel is that of an axle's other
 * wheel. If the drag link or tie rod of an axle does not reach its knuckle, the status is VD_LINKAGE_OPEN, and *pose is
 * the pose at these inputs. */
enum vd_linkage_status vd_linkage_move_racked(const vd_linkage *l, const double *travel, double rack, vd_pose *pose);

/* Returns a rigid axle's pose referred to other inputs: the first is a direction of both travels, the second is the
 * rack. */
vd_pose vd_pose_by_rack(const vd_pose *pose, const double *along);

/* Pivots and joints of the left and the right arm of a relay rod. */
typedef struct vd_relay_arms {
  vd_jet3 pivot[2], joint[2];
} vd_relay_arms;

vd_relay_arms vd_relay_arms_of(const vd_gear *gear);

/* Returns the place of a member's inner point, which is on the chassis, the gear or another member. */
vd_jet3 vd_member_base(const vd_linkage *l, const vd_pose *pose, int member, int point);

/* Returns the place of a point of the knuckle whose place in the design position is given; the second function returns
 * a direction fixed in the knuckle. */
vd_jet3 vd_pose_point(const vd_linkage *l, const vd_pose *pose, const double *design);
vd_jet3 vd_pose_direction(const vd_pose *pose, const double *design);

/* Returns the place of a point of a member: of an arm, which turns about its chassis points, or of a rod on its
 * universal joint. */
vd_jet3 vd_member_point(const vd_linkage *l, const vd_pose *pose, int member, const double *design);

/* Returns whether the point is off the line of the rod in the design position. share: distance from the rod's inner end
 * to the point along that line, as a share of the rod's length. */
bool vd_rod_carries_off_line(const vd_member *rod, const double *point, double *share);

/* Replaces a force on a point of a part (enum vd_part), whose place in the design position is given, by the force on
 * the knuckle and the moment about the wheel centre that do the same work. */
void vd_member_pull(const vd_linkage *l, const vd_pose *pose, int on, const double *design, vd_jet3 pull,
                    vd_jet3 *force, vd_jet3 *moment);

/* Computes the places of two points of an element's rocker: its eye, and the end of the rod that turns it. */
void vd_rocker_points(const vd_linkage *l, const vd_pose *pose, const vd_element *element, vd_jet3 *eye, vd_jet3 *rod);

/* Returns the length of a spring or damper, m, which must be given. All parts are NAN where a rocker's rod is at its
 * dead centre or too short to reach. */
vd_jet vd_element_length(const vd_linkage *l, const vd_pose *pose, const vd_element *element);

/* Computes the gradient of the element's length for any motion of the knuckle, including motions that the links
 * prevent: the length grows at force . v + moment . w, where v is the velocity of the wheel centre and w the knuckle's
 * angular velocity. The element exerts the opposite force and the opposite moment about the wheel centre on the
 * knuckle, per newton of tension. */
void vd_element_gradient(const vd_linkage *l, const vd_pose *pose, const vd_element *element, vd_jet3 *force,
                         vd_jet3 *moment);

/* Finds the pose of a twist beam (twist_pose.c) at the travels u[0] of this wheel and u[1] of the other one, by
 * Newton's method from the design position. False: a dead point lies between, or the method did not converge; *pose is
 * then unchanged. */
bool vd_twist_close(const vd_linkage *l, const double *u, vd_pose *pose);
/* Returns the twist of the beam per difference of the travels of both wheels, rad/m, in the design position. */
double vd_twist_per_travel(const vd_linkage *l);

#endif
