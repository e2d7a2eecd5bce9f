/* The links of a wheel: where they put the knuckle for a travel of the wheel and a shift of the rack.
 *
 * The knuckle (or a rigid axle) is one rigid body. Each member between it and the chassis takes scalar constraints off
 * its six coordinates, five for a corner and four for a rigid axle:
 *
 *   arm      two rods from its chassis points to its ball joint        2
 *   rod      one length                                                1
 *   slider   a line of the knuckle through a point of the chassis      2   (strut)
 *   hinge    an axis                                                   5   (trailing and semi-trailing arm)
 *
 * and the travel of the wheel centre, or the two travels of a rigid axle, take the rest. Members without mass that only
 * transmit forces are exactly these constraints. A rod's inner end is at the chassis, at the steering gear or on an arm
 * (integral link). Points are in the axes of the chassis (ISO 8855) at the design
 * position, in metres; the wheel is the left one, the right corner is its mirror image in y. Inputs:
 *
 *   u[0]   travel: rise of the wheel centre against the chassis, m, bump > 0
 *   u[1]   rack: shift of the rack, or of the middle of a relay rod, towards +y, m; of a rigid axle, and of a twist
 *          beam with VD_EACH, the travel of the right wheel
 *
 * A rigid axle that steers is solved in two parts, axle_steer.c: the axle by its rods as above, then its knuckles about
 * their kingpins. Its travels are those of the places of the wheel centres on the axle: steering moves the wheels
 * against the axle, and the axle not at all. Its rack is a third input, vd_pose.gear.
 *
 * Signs of angles are those of toe > 0 toe-in, camber > 0 top outward, steer > 0 to the left. */
#ifndef VD_LINKAGE_H
#define VD_LINKAGE_H

#include "math/jet.h"

/* Value, and the name in files, which is also that of its file in lib/linkage. */
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

/* What a wheel is steered about. */
enum vd_steering_axis {
  VD_STEERING_NONE,
  VD_STEERING_BALL_JOINTS, /* the line from the lower arm's ball joint to the upper arm's */
  VD_STEERING_STRUT,       /* the line from the lower arm's ball joint to the strut's top mount */
  VD_STEERING_RODS,        /* the instantaneous axis when the toe link changes its length */
};

/* Properties of a type that matter to functions that compute with it. */
typedef struct vd_linkage_traits {
  bool axle; /* rigid axle: one body with two travels */
  bool beam; /* a cross beam joins both sides: parallel and opposite travel have linkages of their own */
  enum vd_steering_axis steering;
  const char *drive; /* the member by which the reference system drives a corner; NULL: none */
} vd_linkage_traits;

const vd_linkage_traits *vd_linkage_traits_of(enum vd_linkage_type type);

/* Whether it joins both wheels of its axle. */
static inline bool vd_linkage_joins(enum vd_linkage_type type) {
  const vd_linkage_traits *traits = vd_linkage_traits_of(type);
  return traits->axle || traits->beam;
}

/* The inputs of each second derivative. */
static const int vd_first_input[VD_SECONDS] = {0, 0, 1}, vd_second_input[VD_SECONDS] = {0, 1, 1};

enum vd_member_kind { VD_ARM, VD_ROD, VD_SLIDER, VD_HINGE };

enum { VD_MEMBERS = 5, VD_JOINTS = 6, VD_LANES = 8 };
#define VD_ON_LINE 1e-3 /* m from the line of a rod, within which a point is taken to be on it */

/* What shifts the inner points of steered members: a rack along y, or a relay rod between two arms, pitman and idler.
 * Both arms turn about axes in the direction of `axis', across y; the right one is the mirror image of the left one, or
 * has places of its own, and then left and right wheels steer differently. A rigid axle may also have a pitman arm
 * alone: its rack is the path of the arm's joint on its circle, > 0 in the direction of axis x arm. */
enum vd_gear_kind { VD_GEAR_RACK, VD_GEAR_RELAY, VD_GEAR_PITMAN };

typedef struct vd_gear {
  enum vd_gear_kind kind;
  double pivot[3], joint[3]; /* of the left arm: a point of its axis, and its joint with the relay rod */
  double axis[3];            /* of any length; of a relay rod y = 0 */
  bool lopsided;             /* the right arm is no mirror image: */
  double other_pivot[3], other_joint[3];
  int pitman; /* of a relay rod, the arm that the steering box turns: 0 left, 1 right */
} vd_gear;

/* Steering of a rigid axle: knuckles that turn about kingpins, a tie rod between them, and a drag link from the gear to
 * one of them. */
typedef struct vd_axle_steer {
  bool given;
  double kingpin[2][2][3]; /* of the left and of the right knuckle: a lower and an upper point on the axle */
  double tie_rod[2][3];    /* its joints at the left and at the right knuckle */
  double drag_link[2][3];  /* its joint at the gear and that at the knuckle */
  int driven;              /* the knuckle that it turns: 0 left, 1 right */
  bool carried;            /* the joint of the tie rod on the driven side is on the drag link (Haltenberger) */
  /* N/m along their lines, for the compliance; 0: rigid. The stiffness of the drag link includes the gear */
  double drag_link_stiffness, tie_rod_stiffness;
} vd_axle_steer;

typedef struct vd_member {
  enum vd_member_kind kind;
  const char *name; /* "lca", "tie_rod", "upper_fore", "strut", "arm" */
  /* arm: front and rear; rod: [0]; slider: [0], its top mount; hinge: inboard and outboard, of a twist beam pivot and
   * shear centre */
  double chassis[2][3];
  double knuckle[3]; /* arm, rod: ball joint; slider: a second point of its line; hinge: unused */
  bool steered;      /* its chassis points go with the steering gear */
  int base;          /* of a rod: VD_ON_MEMBER + i, if its inner end is on arm i; 0: on the chassis or the gear */
  /* of a rod, for what is off its line: axes of the universal joint at its inner end, one of the chassis, one of the
   * rod; zero: level and across the rod, across both */
  double axis[3], cross[3];
} vd_member;

/* The part on which a spring's or damper's lower eye or a push rod is mounted: the knuckle, or member i as VD_ON_MEMBER
 * + i. A rod turns about its line as a universal joint at its inner end lets it. */
enum vd_part { VD_ON_KNUCKLE, VD_ON_MEMBER };

/* A spring or damper, from a point of the chassis to a part of the linkage or to a rocker that a rod turns. */
typedef struct vd_element {
  bool given;
  double chassis[3];
  double eye[3]; /* its other end: on the part, or on the rocker */
  int on;        /* enum vd_part: where the eye, or the rod's outer end, is held */
  bool rocker;
  double pivot[3], axis[3]; /* of the rocker; axis of any length */
  double rod_part[3];       /* ends of the push or pull rod: on the part, */
  double rod_rocker[3];     /* and on the rocker */
} vd_element;

/* Hardpoints by role: the suspension as the solvers use it. */
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

/* How both wheels of the axle move; counts for types with a beam only. VD_EACH: u[1] is the travel of the other
 * wheel. */
enum vd_axle_motion { VD_PARALLEL, VD_OPPOSITE, VD_EACH };

enum vd_joint_kind { VD_JOINT_ROD, VD_JOINT_SLIDE, VD_JOINT_PLANE };

/* One scalar constraint. With a the chassis point, moved by the inputs, b the knuckle's point from the wheel centre, p
 * the wheel centre, R the knuckle's turn and d = p + R b - a:
 *   rod    (d . d - L^2)/(2 L) = 0;    slide  (R n) . d = 0, n turning with the knuckle;    plane  n . d = 0
 * A rod on an arm has a = chassis + M (p + R c), c the arm's ball joint: a point of an arm is a linear function of its
 * ball joint's place, for turns of any size. */
typedef struct vd_joint {
  enum vd_joint_kind kind;
  double chassis[3], body[3];
  double direction[3];         /* n */
  double length;               /* L */
  double moves[VD_INPUTS][3];  /* d(a)/d(inputs), of a relay rod at the design position */
  bool geared;                 /* a is a point of the steering gear, at `chassis' at design */
  bool carried;                /* on an arm: */
  double carry[3][3], ball[3]; /* M, c */
} vd_joint;

/* The joints' figures side by side, for the solver; its last two lanes are empty. */
typedef struct vd_joint_lanes {
  double body[3][VD_LANES], chassis[3][VD_LANES], moves[VD_INPUTS][3][VD_LANES];
  double fixed[3][VD_LANES], turning[3][VD_LANES];        /* n of planes; of slides */
  double half_length[VD_LANES], inverse_length[VD_LANES]; /* of rods, else 0 */
  double slide[VD_LANES];                                 /* 1 or 0 */
  double carry[3][3][VD_LANES], ball[3][VD_LANES];
} vd_joint_lanes;

typedef struct vd_linkage {
  vd_hardpoints points;
  vd_joint joint[VD_JOINTS]; /* drivers last */
  vd_joint_lanes lanes;
  bool slides;         /* some joint is one */
  bool bends, carries; /* a relay rod steers; some rod is on an arm */
  double spin_axis[3]; /* unit */
  bool axle, beam;     /* the type's traits */
  enum vd_axle_motion motion;
  double side; /* sign of the Jacobian's determinant at design: how the linkage is assembled */
} vd_linkage;

/* Place of the knuckle and its derivatives by the inputs. With r = R b the place of a point of the knuckle from the
 * wheel centre,
 *   dr/du_j = w_j x r,   d2r/du_j du_k = a_jk x r + (w_j x (w_k x r) + w_k x (w_j x r))/2 */
typedef struct vd_pose {
  double u[VD_INPUTS];
  double at[3];                  /* m, wheel centre */
  double turn[3][3];             /* R, from the design position */
  double velocity[VD_INPUTS][3]; /* of the wheel centre, m/m */
  double spin[VD_INPUTS][3];     /* w: rad/m */
  double accel[VD_SECONDS][3];   /* 1/m */
  double angular[VD_SECONDS][3]; /* a: rad/m2 */
  /* of a rigid axle that steers: its rack, m, which a move leaves as it is, and its derivatives by the inputs */
  double gear, gear_rate[VD_INPUTS];
} vd_pose;

enum vd_linkage_status {
  VD_LINKAGE_OK,
  VD_LINKAGE_OPEN,   /* no pose close by has this travel and rack */
  VD_LINKAGE_LOCKED, /* at the design position the travel does not determine the pose: degenerate hardpoints */
};

/* False: the constraints are not independent at the design position; the linkage must not be used. */
bool vd_linkage_build(const vd_hardpoints *points, enum vd_axle_motion motion, vd_linkage *l);

/* Copies the joints' figures into the lanes again, after the joints were changed. */
void vd_linkage_spread(vd_linkage *l);

/* The pose at the design position, all derivatives included. */
void vd_linkage_start(const vd_linkage *l, vd_pose *pose);

/* From a pose to that of other inputs, by damped Newton steps: at once over a short distance, else in parts; residuals
 * are <= 1e-12 m. Never passes through a dead point. On VD_LINKAGE_OPEN *pose is the last one that closed on the
 * straight line to the inputs, to 1e-6 of its length, with its own inputs in pose->u. */
enum vd_linkage_status vd_linkage_move(const vd_linkage *l, const double *u, vd_pose *pose);
/* The same, by up to `stride' m of the inputs at once, where what is found is checked to be smooth. */
enum vd_linkage_status vd_linkage_stride(const vd_linkage *l, const double *u, double stride, vd_pose *pose);

/* Newton steps only, from the pose's place and turn at the inputs u: for callers with a close guess. False: it did not
 * close, and *pose is of no use. seconds: second derivatives too. */
bool vd_linkage_close(const vd_linkage *l, const double *u, bool seconds, vd_pose *pose);

/* Largest of the constraints' residuals, m. */
double vd_linkage_residual(const vd_linkage *l, const vd_pose *pose);

/* Motion of the knuckle per unit lengthening of joint `joint` or shift of a slide or plane, inputs held: m/m, rad/m. */
void vd_linkage_release(const vd_linkage *l, const vd_pose *pose, int joint, double *velocity, double *spin);

/* Where a point of the steering gear is at a rack, given at its design place; derivatives by the rack only. Parts are
 * NAN where the relay rod does not reach. */
vd_jet3 vd_gear_point(const vd_gear *gear, double rack, const double *design);

/* The turn of the pitman arm about its axis since design, rad, with its derivatives by the rack; NAN: there is none. */
vd_jet vd_gear_turn(const vd_gear *gear, double rack);

/* The body that carries a wheel: of a rigid axle that steers its knuckle, else that of the pose itself. Its points are
 * those of their design places, by vd_pose_point. Parts are NAN where drag link or tie rod do not reach. *knuckle is
 * another object than *pose. */
void vd_knuckle_pose(const vd_linkage *l, const vd_pose *pose, bool right, vd_pose *knuckle);

/* Angle of a knuckle about its kingpin, upwards, from design, rad. */
vd_jet vd_knuckle_turn(const vd_linkage *l, const vd_pose *pose, bool right);

/* The joint of constant velocity in the drive shaft of a knuckle, between a half along the axle's y and one along the
 * wheel's axle. It transmits a moment along the sum of both directions, to the left, n1 + n2, and either half has T
 * along itself: M = T (n1 + n2)/(1 + n1 . n2). Its work on the turn about the kingpin e is T g,
 *
 *   g = e . (n1 + n2)/(1 + n1 . n2) = sum/(base + swing cos(turn - straight)),
 *
 * and the half in the axle turns faster than the wheel in its knuckle by g times the rate of the turn. */
typedef struct vd_shaft_joint {
  double along; /* e . n2: of a turn about the kingpin what is one about the wheel's axle */
  double sum, base, swing, straight;
} vd_shaft_joint;

/* kingpin: of a left wheel, upwards and of any length; wheel: its axle, unit; both at design. */
vd_shaft_joint vd_knuckle_shaft(const double *kingpin, const double *wheel);

/* Where along the drag link, from the gear, the tie rod joins it; and the joint on the tie rod's driven side at design,
 * which on a drag link is in its line. */
double vd_tie_rod_share(const vd_axle_steer *s);
void vd_tie_rod_joint(const vd_axle_steer *s, double *joint);

/* Whether drag link and tie rod reach the knuckles at a pose, if there are such. */
bool vd_knuckles_reach(const vd_linkage *l, const vd_pose *pose);

/* As vd_linkage_move to travels, the second of which is that of an axle's other wheel, and a rack. If the knuckles of
 * an axle do not reach it, the status is VD_LINKAGE_OPEN, and *pose is at it. */
enum vd_linkage_status vd_linkage_move_racked(const vd_linkage *l, const double *travel, double rack, vd_pose *pose);

/* A rigid axle's pose with other inputs: the first is a direction of both travels, the second the rack. */
vd_pose vd_pose_by_rack(const vd_pose *pose, const double *along);

/* Pivots and joints of a relay rod's left and right arm. */
typedef struct vd_relay_arms {
  vd_jet3 pivot[2], joint[2];
} vd_relay_arms;

vd_relay_arms vd_relay_arms_of(const vd_gear *gear);

/* Where a member's point at the chassis, the gear or another member is. */
vd_jet3 vd_member_base(const vd_linkage *l, const vd_pose *pose, int member, int point);

/* Where a point of the knuckle is, given at its design place; and a direction fixed in the knuckle. */
vd_jet3 vd_pose_point(const vd_linkage *l, const vd_pose *pose, const double *design);
vd_jet3 vd_pose_direction(const vd_pose *pose, const double *design);

/* Where a point of a member is: of an arm, which turns about its chassis points, or of a rod on its universal joint. */
vd_jet3 vd_member_point(const vd_linkage *l, const vd_pose *pose, int member, const double *design);

/* False: at the design position the point is on the line of the rod. share: from the rod's inner end to the point along
 * that line, as a share of the rod's length. */
bool vd_rod_carries_off_line(const vd_member *rod, const double *point, double *share);

/* A force on a point of a part (enum vd_part), given at its design place, as the force and the moment about the wheel
 * centre on the knuckle that work the same. */
void vd_member_pull(const vd_linkage *l, const vd_pose *pose, int on, const double *design, vd_jet3 pull,
                    vd_jet3 *force, vd_jet3 *moment);

/* Places on the rocker of an element: its eye, and the end of the rod that turns it. */
void vd_rocker_points(const vd_linkage *l, const vd_pose *pose, const vd_element *element, vd_jet3 *eye, vd_jet3 *rod);

/* Length of a spring or damper that is given, m. All parts are NAN where a rocker's rod is at its dead centre or too
 * short to reach. */
vd_jet vd_element_length(const vd_linkage *l, const vd_pose *pose, const vd_element *element);

/* Change of that length by any motion of the knuckle, also one that the links prevent: it grows by force . v + moment .
 * w, where v is the velocity of the wheel centre and w the knuckle's angular velocity. With the opposite sign these are
 * also force and moment about the wheel centre that the element exerts on the knuckle per newton of pull towards its
 * far end. */
void vd_element_gradient(const vd_linkage *l, const vd_pose *pose, const vd_element *element, vd_jet3 *force,
                         vd_jet3 *moment);

/* The pose of a twist beam (twist_pose.c) at travels u[0] of this wheel and u[1] of the other one, by Newton's method
 * from the design position. False: a dead point lies between, or nothing closes; *pose is then unchanged. */
bool vd_twist_close(const vd_linkage *l, const double *u, vd_pose *pose);
/* rad per m of difference of the travels, at design: how far parallel and opposite wheels twist the beam. */
double vd_twist_per_travel(const vd_linkage *l);

#endif
