/* The longest integration step that the stiff parts of a vehicle allow. */
#ifndef VD_STEP_LIMIT_H
#define VD_STEP_LIMIT_H

#include "vehicle/vehicle_def.h"

/* s, of all levels without stiff links. */
extern const double vd_step_longest;

/* The longest step, s, for unsprung masses on their springs, dampers and stops, and on tyres (L3 and above). */
double vd_step_on_springs(const vd_vehicle_def *v);

/* The longest one, s, for wheels that links of a stiffness in N/m hold across their paths (L5). */
double vd_step_on_links(const vd_vehicle_def *v, double stiffness);

/* A step for such wheels, s: a fraction of vd_step_longest that keeps log rates whole. */
double vd_step_chosen(const vd_vehicle_def *v, double stiffness);

#endif
