/* A tree of rigid bodies on revolute joints: inverse dynamics and mass matrix.
 *
 * All vectors and tensors are in the axes of the base, in SI. Joint axes, places and inertias of the bodies are given
 * for all joints at 0. Joint i connects body i with its parent and turns body i by q[i] about the axis of the joint,
 * right-handed. A body has a greater index than its parent.
 *
 * Recursive Newton-Euler and composite rigid body algorithms: Featherstone, Rigid Body Dynamics Algorithms, Springer
 * 2008, chapters 5 and 6; here with vectors in base axes, and moments about the joint of each body. */
#ifndef VD_CHAIN_H
#define VD_CHAIN_H

#include "base/base.h"

enum { VD_CHAIN_BASE = -1, VD_CHAIN_BODIES = 16 };

typedef struct vd_inertia {
  double mass;         /* kg */
  double centre[3];    /* m, centre of gravity */
  double tensor[3][3]; /* kg m2, about the centre of gravity */
} vd_inertia;

/* Adds a part to a body; the two are then one rigid body. */
void vd_inertia_add(vd_inertia *whole, const vd_inertia *part);

typedef struct vd_chain_body {
  int parent;      /* one of the bodies before, or VD_CHAIN_BASE */
  double axis[3];  /* axis of its joint, of any length */
  double place[3]; /* m, a point of the axis */
  vd_inertia inertia;
} vd_chain_body;

typedef struct vd_chain {
  int count;
  vd_chain_body body[VD_CHAIN_BODIES]; /* axes of length 1 */
  double gravity[3];                   /* m/s2 */
} vd_chain;

/* Adds a body at the end. Returns false and adds nothing if there is no room or no such parent, the axis has length 0,
 * the mass is negative or any number is not finite. */
bool vd_chain_add(vd_chain *chain, const vd_chain_body *body);

/* Position and motion of one body. */
typedef struct vd_chain_motion {
  double turn[3][3];           /* rotation from the position with all joints at 0 */
  double joint[3], axis[3];    /* of its joint: a point of the axis, m; unit vector */
  double centre[3];            /* m */
  double spin[3], velocity[3]; /* rad/s; m/s, of the centre */
} vd_chain_motion;

/* Computes motion[count] for the joint angles q, rad, and their rates, rad/s. */
void vd_chain_move(const vd_chain *chain, const double *q, const double *rate, vd_chain_motion *motion);

/* A load on a body from outside the tree, in base axes: a moment, N m, and a force, N. `point`: the point of the body
 * at which the force acts, given by its place with all joints at 0, m. */
typedef struct vd_chain_load {
  double force[3], point[3], moment[3];
} vd_chain_load;

/* Computes the torques of the joints, N m, each on its body about its axis, that produce the accelerations `accel`,
 * rad/s2, under gravity and loads[count] (NULL: none). A load that pushes a body in the direction of its joint's
 * rotation lowers the torque. */
void vd_chain_inverse(const vd_chain *chain, const double *q, const double *rate, const double *accel,
                      const vd_chain_load *loads, double *torque);

/* Computes the mass matrix mass[count * count], kg m2: the kinetic energy is rate' mass rate/2. */
void vd_chain_mass(const vd_chain *chain, const double *q, double *mass);

#endif
