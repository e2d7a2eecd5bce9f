/* The keys of rear steering by control. */
#ifndef VD_REAR_STEER_DEF_H
#define VD_REAR_STEER_DEF_H

typedef struct vd_rear_steer_def {
  double share;    /* -, share of the angle at which the car turns without side slip */
  double yaw_gain; /* s, rear wheel angle per yaw rate; > 0: to the same side */
  double most;     /* rad, greatest angle */
} vd_rear_steer_def;

#endif
