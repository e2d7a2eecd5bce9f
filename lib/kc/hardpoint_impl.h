/* Names of hardpoint lists: what their reader and their writer share. */
#ifndef VD_HARDPOINT_IMPL_H
#define VD_HARDPOINT_IMPL_H

#include "kc/hardpoint_csv.h"

enum vd_slot {
  VD_SLOT_WHEEL,
  VD_SLOT_FIRST,
  VD_SLOT_SECOND,
  VD_SLOT_KNUCKLE,
  VD_SLOT_SPRING,
  VD_SLOT_SPRING_TOP,
  VD_SLOT_DAMPER,
  VD_SLOT_DAMPER_TOP
};

/* A point that a list may hold, and where it goes. */
typedef struct vd_role {
  const char *name, *synonym;
  unsigned types; /* set of VD_WHEN(type) */
  int member;
  enum vd_slot slot;
} vd_role;

/* A type that a list can hold. */
typedef struct vd_role_kind {
  enum vd_linkage_type type;
  const char *mark; /* the point by which the type is recognised */
  bool springs;     /* spring and damper may be listed; */
  int holder;       /* enum vd_part: what they are mounted on; the knuckle for an arm that is one body with it */
  bool trails;      /* the pivots lie ahead of the wheel */
} vd_role_kind;

enum { VD_ROLES = 27, VD_ROLE_KINDS = 4 };

extern const vd_role vd_hardpoint_roles[VD_ROLES];
extern const vd_role_kind vd_hardpoint_kinds[VD_ROLE_KINDS];

/* Prefix of a name, by side. */
extern const char *const vd_hardpoint_prefix[];

/* Index of a role by its name or synonym, without prefix, or -1. */
int vd_hardpoint_role(const char *name);

/* Springs and dampers. */
static inline bool vd_hardpoint_is_optional(const vd_role *r) {
  return r->slot >= VD_SLOT_SPRING;
}

/* Whether a type has such a point. */
static inline bool vd_hardpoint_belongs(const vd_role *r, enum vd_linkage_type type) {
  return (r->types & VD_WHEN(type)) != 0;
}

/* The three coordinates; members stand in the order of vd_corner_start. */
double *vd_hardpoint_place(vd_hardpoints *h, const vd_role *r);

#endif
