/* The keys of torque vectoring. */
#ifndef VD_VECTORING_DEF_H
#define VD_VECTORING_DEF_H

enum vd_vectoring_by { VD_VECTORING_MOTORS, VD_VECTORING_BRAKES };
enum vd_vectoring_wheels { VD_VECTORING_FRONT, VD_VECTORING_REAR, VD_VECTORING_ALL };

typedef struct vd_vectoring_def {
  double understeer;    /* rad s2/m, wanted change of the understeer gradient */
  double damping;       /* 1/s, yaw acceleration per deviation of the yaw rate from ay/v */
  int by, wheels;       /* enum vd_vectoring_by, vd_vectoring_wheels */
  double torque;        /* N m, greatest torque of a wheel */
  double power;         /* W, greatest sum of the driving powers; auto (NAN): not limited */
  double friction;      /* -, greatest longitudinal force over the load of a wheel */
  double minimum_speed; /* m/s, speed below which the controller does not act */
} vd_vectoring_def;

#endif
