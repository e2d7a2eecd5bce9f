/* The keys of rear steering by control. */
#ifndef VD_REAR_STEER_DEF_H
#define VD_REAR_STEER_DEF_H

typedef struct vd_rear_steer_def {
  double share;    /* -, of the angle at which the car turns without side slip */
  double yaw_gain; /* s, angle per yaw rate, in phase > 0 */
  double most;     /* rad, greatest angle */
} vd_rear_steer_def;

#endif
