/* Forces and moments between the bodies of a corner in an equilibrium.
 *
 * All that acts on a body is listed: what the others exert on it, and with the opposite sign what it exerts on others;
 * both add up to nothing. A slider and a hinge are one body with the knuckle, a blade is one with the name of its first
 * rod. The other arm of a twist beam is the other knuckle; its beam is cut in the middle, where one knuckle acts on the
 * other. A rigid axle is the knuckle; one that steers is the axle, and both knuckles are bodies on it. Statics leaves
 * open how two ball joints of two bodies share the force along the line through both (the chassis points of an arm or a
 * hinge without bushings, the outer joints of a blade): each takes half. */
#ifndef VD_FORCES_H
#define VD_FORCES_H

#include "compliance/compliance.h"

typedef struct vd_joint_force {
  /* a body; "chassis", "rack", "gear", "relay", "pitman", "idler", "spring", "road", "centre", "jack", "ground",
   * "gravity" */
  const char *from;
  /* a member, "knuckle", "other_knuckle", "axle", "drag_link", "tie_rod", "push_rod", "spring_rocker", "pitman",
   * "idler", "relay"; of the spring "chassis" */
  const char *on;
  const char *point; /* its key in a suspension file, "wheel.contact", or "centre_of_gravity" */
  double at[3];      /* m, where it acts, chassis axes */
  double force[3];   /* N */
  double moment[3];  /* N m, about that point */
  double pull;       /* N, of rods and springs: tension > 0; NAN: of others */
} vd_joint_force;

/* At most four of a member; five of a spring with a rocker; two of springs, jack, road and force at the centre of both
 * sides of joined wheels, and the steering of an axle, which has two of each of four rods, and a pitman arm; the
 * weights of both arms of a twist beam, or of one knuckle. */
enum { VD_JOINT_FORCES = 4 * VD_MEMBERS + 16 };

/* Lists the forces of the equilibrium that was solved last. Without one, and for a twist beam without the figures of
 * its beam, there are none. Returns how many. */
size_t vd_compliance_forces(const vd_compliance *c, vd_joint_force *out);

/* A pitman arm on a shaft that its bearings hold and the gear turns: "chassis" and "gear" on "pitman", at the pivot.
 * The moment of the gear is about the arm's axis, that of the bearings is across it. at, force, moment: its joint, and
 * what it exerts there. Returns how many. */
size_t vd_pitman_forces(const vd_gear *gear, const double *at, const double *force, const double *moment,
                        vd_joint_force *out);

/* A relay rod, its pitman and its idler arm, under what it exerts on the members of both wheels, by those wheels' own
 * forces in the axes of the car. Its joint with the idler arm is a ball; that with the pitman arm is a universal joint,
 * whose pins are the arm's axis and the line across axis and rod, so that the rod does not turn about its own line.
 * Returns how many. */
enum { VD_RELAY_FORCES = 5 };
typedef struct vd_wheel_forces {
  size_t count;
  const vd_joint_force *force;
} vd_wheel_forces;

size_t vd_relay_forces(const vd_gear *gear, double rack, const vd_wheel_forces wheel[2], vd_joint_force *out);

#endif
