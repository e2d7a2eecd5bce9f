/* The keys of dampers that are controlled by sky-hook and ground-hook. */
#ifndef VD_SKYHOOK_DEF_H
#define VD_SKYHOOK_DEF_H

enum vd_skyhook_law { VD_SKYHOOK_ACTIVE, VD_SKYHOOK_CONTINUOUS, VD_SKYHOOK_TWO_STATE };

typedef struct vd_skyhook_def {
  int law;                    /* enum vd_skyhook_law */
  double skyhook, groundhook; /* N s/m, at the wheel */
  double most;                /* N s/m, greatest coefficient of a damper, in addition to the damper of the vehicle */
  double force;               /* N, greatest force */
  double lag;                 /* s, time constant of the force */
} vd_skyhook_def;

#endif
