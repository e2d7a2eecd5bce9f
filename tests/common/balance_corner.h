/* The bodies, joints, bushings and forces of a corner's file, for the second solver. */
#ifndef VD_TEST_BALANCE_CORNER_H
#define VD_TEST_BALANCE_CORNER_H

#include "balance.h"
#include "suspension/corner.h"

typedef struct balance_rig {
  balance scene;
  int knuckle, member[VD_MEMBERS]; /* bodies; a member without one is the knuckle */
  balance_part *wheel, *coil;      /* coil: NULL without spring */
  balance_part *right;             /* wheel of a rigid axle; else NULL */
} balance_rig;

/* rack: m; load: N in the spring at the design position, NAN: no spring. */
void balance_corner(const vd_corner *corner, double rack, double load, balance_rig *rig);

/* N in the spring when rigid links carry a load of the wheel at the design position. */
double balance_spring_load(const vd_corner *corner, double wheel_load);

#endif
