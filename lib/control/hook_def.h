/* The keys of controlled dampers. */
#ifndef VD_HOOK_DEF_H
#define VD_HOOK_DEF_H

enum vd_hook_law { VD_HOOK_ACTIVE, VD_HOOK_CONTINUOUS, VD_HOOK_TWO_STATE };

typedef struct vd_hook_def {
  int law;                    /* enum vd_hook_law */
  double skyhook, groundhook; /* N s/m, at the wheel */
  double most;                /* N s/m, greatest coefficient of a damper, beyond that of the vehicle */
  double force;               /* N, greatest */
  double lag;                 /* s, time constant of the force */
} vd_hook_def;

#endif
