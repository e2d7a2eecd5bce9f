/* Forces and moments between the bodies of a corner in an equilibrium.
 *
 * All forces on a body are listed: those that other bodies exert on it, and, with the opposite sign, those that it
 * exerts on others; both sums are zero. A slider or a hinge is one body with the knuckle; a blade has the name of its
 * first rod. The other arm of a twist beam is the other knuckle; the beam is cut in the middle, where one knuckle acts
 * on the other. A rigid axle is the knuckle; one that steers is the axle, and both knuckles are bodies on it. Statics
 * does not determine how two ball joints between two bodies (the chassis points of an arm or a hinge without bushings,
 * the outer joints of a blade) share the force along the line through both: each carries half. */
#ifndef VD_JOINT_FORCES_H
#define VD_JOINT_FORCES_H

#include "compliance/compliance.h"

typedef struct vd_joint_force {
  /* a body; "chassis", "rack", "gear", "relay", "pitman", "idler", "spring", "road", "centre", "jack", "ground",
   * "gravity" */
  const char *from;
  /* a member, "knuckle", "other_knuckle", "axle", "drag_link", "tie_rod", "push_rod", "spring_rocker", "pitman",
   * "idler", "relay"; for the spring also "chassis" */
  const char *on;
  const char *point; /* its key in a suspension file, "wheel.contact", or "centre_of_gravity" */
  double at[3];      /* m, point of action, in the axes of the chassis */
  double force[3];   /* N */
  double moment[3];  /* N m, about that point */
  double pull;       /* N, tension > 0, for rods and springs; NAN for others */
} vd_joint_force;

/* At most four for each member; five for a spring with a rocker; for joined wheels two each for springs, jacks, road
 * forces and forces at the wheel centres; for an axle that steers two each for drag link, tie rod and both kingpins,
 * and those of a pitman arm; two for the weights of a twist beam's arms, or one for that of a knuckle. */
enum { VD_JOINT_FORCES = 4 * VD_MEMBERS + 16 };

/* Lists the forces of the last equilibrium. The list is empty without one, and for a twist beam without the figures of
 * its beam. Returns their number. */
size_t vd_compliance_forces(const vd_compliance *c, vd_joint_force *out);

/* Lists the forces on a pitman arm: of its bearings, "chassis", and of the gear, "gear", both on "pitman" at the pivot.
 * The moment of the gear is about the arm's axis, that of the bearings is across it. at, force, moment: place of the
 * arm's joint, and the force and moment on the arm there. Returns their number. */
size_t vd_pitman_forces(const vd_gear *gear, const double *at, const double *force, const double *moment,
                        vd_joint_force *out);

/* Lists the forces on a relay rod, its pitman arm and its idler arm, from the forces of both wheels' members on the
 * rod, in the axes of the car. The joint with the idler arm is a ball joint; that with the pitman arm is a universal
 * joint, whose pins are the arm's axis and the line across axis and rod, so that the rod does not turn about its own
 * line. Returns their number. */
enum { VD_RELAY_FORCES = 5 };
typedef struct vd_wheel_forces {
  size_t count;
  const vd_joint_force *force;
} vd_wheel_forces;

size_t vd_relay_forces(const vd_gear *gear, double rack, const vd_wheel_forces wheel[2], vd_joint_force *out);

#endif
