/* The bodies, joints, bushings and forces of a corner's file, for the second solver. */
#ifndef VD_TEST_BALANCE_CORNER_H
#define VD_TEST_BALANCE_CORNER_H

#include "balance.h"
#include "compliance/compliance.h"

typedef struct balance_rig {
  balance scene;
  int knuckle, member[VD_MEMBERS]; /* bodies; a member without a body of its own has that of the knuckle */
  balance_part *wheel, *coil;      /* coil: NULL without spring */
  int other;                       /* body of the right wheel: on a rigid axle also the body of the left wheel */
  /* the bodies on which the wheels turn: the knuckles of an axle that steers, otherwise the bodies above */
  int carrier[2];
  balance_part *right; /* right wheel of a rigid axle or twist beam; otherwise NULL */
} balance_rig;

/* Makes the rig of a corner. rack: displacement of the rack or, for an axle that steers, of its gear, m; load: force of
 * the spring at the design position, N; NAN: no spring. */
void balance_corner(const vd_corner *corner, double rack, double load, balance_rig *rig);

/* Makes a twist beam whose cross beam is divided into pieces, each a beam between rigid sections. */
void balance_twist_beam(const vd_corner *corner, double load, int pieces, balance_rig *rig);

/* Adds the weights of knuckle, arms and links as constant forces to a new rig. */
void balance_weigh(const vd_corner *corner, balance_rig *rig);

/* Returns the force of the spring at the design position, N: that of the file or, if the file has none, the force that
 * carries a load of the wheel on rigid links. */
double balance_spring_load(const vd_corner *corner, double wheel_load);
/* Returns the force of the spring that also carries the weights of knuckle, arms and links, N. */
double balance_spring_load_with_weights(const vd_corner *corner, double wheel_load);

/* Computes the rises of both wheel centres, m, of an axle that steers, on rigid links at the travels u and a rack
 * displacement. For other corners the rises are the travels. */
void balance_rises(const vd_corner *corner, const double *u, double rack, double *rise);

void balance_load_wheel(balance_part *wheel, const vd_wheel_load *load);
void balance_set_load(balance_rig *rig, const vd_wheel_load *load);
/* Supports the wheel as in the result that is compared, under a load. u: rise of the wheel centre, on a rigid axle also
 * of the other wheel, m; design_load: N that the spring carries at the design position. */
bool balance_hold(balance_rig *rig, enum vd_hold how, double design_load, const double *u, const vd_wheel_load *load);

#endif
