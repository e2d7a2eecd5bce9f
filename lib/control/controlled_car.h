/* Data of the car for controllers. A manufacturer stores such data in the control unit; the controller does not measure
 * them in the run. */
#ifndef VD_CONTROLLED_CAR_H
#define VD_CONTROLLED_CAR_H

#include "base/wheel.h"

enum { VD_TURN_POINTS = 24 };

/* Steady turns to the left at one speed v on friction 1, from straight ahead to the limit. The mean road wheel angle is
 * L ay/v^2 + understeer. The understeer angle never falls with ay, so that the reference car is stable even if the real
 * car is not. */
typedef struct vd_steady_turns {
  int count;                                             /* 0: not known */
  double ay[VD_TURN_POINTS], understeer[VD_TURN_POINTS]; /* m/s2, rising from 0; rad */
  double rear_slip;                                      /* rad, > 0: slip angle of the rear axle at the limit */
} vd_steady_turns;

typedef struct vd_controller_car {
  double mass, yaw_inertia;       /* kg, kg m2 */
  double to_axle[VD_AXLES];       /* m, from the centre of gravity, both > 0 */
  double height;                  /* m, of the centre of gravity */
  double half_track[VD_AXLES];    /* m */
  double cornering[VD_AXLES];     /* N/rad, cornering stiffness of an axle at static load on friction 1 */
  double radius[VD_WHEELS];       /* m, rolling */
  double brake_torque[VD_WHEELS]; /* N m, of the full pedal */
  double drive_share[VD_WHEELS];  /* -, of the drivetrain's torque; sum 1 */
  /* Returns the mean angle of the front wheels, rad, at an angle of the steering wheel, rad; both > 0 to the left. */
  double (*road_angle)(const void *steering, double wheel);
  const void *steering;
  vd_steady_turns turns; /* set only for kinds that need them */
} vd_controller_car;

#endif
