/* Hardpoint lists: names and rows, shared by their readers and their writer. */
#ifndef VD_HARDPOINT_IMPL_H
#define VD_HARDPOINT_IMPL_H

#include "input/schema.h"
#include "input/table.h"
#include "input/units.h"
#include "kc/hardpoint_csv.h"

#include <string.h>

/* --- names --- */

enum vd_slot {
  VD_SLOT_WHEEL,
  VD_SLOT_FIRST,
  VD_SLOT_SECOND,
  VD_SLOT_KNUCKLE,
  VD_SLOT_SPRING,
  VD_SLOT_SPRING_TOP,
  VD_SLOT_DAMPER,
  VD_SLOT_DAMPER_TOP,
  VD_SLOT_PUSH_ROD_OUTER, /* outer end of a push or pull rod, at an arm or the knuckle */
  VD_SLOT_PUSH_ROD_INNER, /* inner end of the rod, at the rocker */
  VD_SLOT_PIVOT,          /* two points of the axis of the rocker, to which the damper is then mounted */
  VD_SLOT_AXIS
};

/* A point that a list may contain, and the place in vd_hardpoints that it sets. */
typedef struct vd_role {
  const char *name;
  unsigned types; /* the types that have it, a set of VD_WHEN(type) */
  int member;
  enum vd_slot slot;
} vd_role;

/* A type of suspension that a list can describe. */
typedef struct vd_role_kind {
  enum vd_linkage_type type;
  const char *mark; /* a point whose name identifies the type */
  const char *what; /* the type in words */
  /* enum vd_part that carries spring and damper; the knuckle if the arm is one body with it; -1: lists cannot name this
   * part, and have no spring or damper */
  int holder;
  bool pivots_ahead; /* the pivots at the chassis are ahead of the wheel */
} vd_role_kind;

enum { VD_ROLES = 58, VD_ROLE_KINDS = 9 };

extern const vd_role vd_hardpoint_roles[VD_ROLES];
extern const vd_role_kind vd_hardpoint_kinds[VD_ROLE_KINDS];

/* Prefix of a name, by side. Points in the middle of the car, hps_, belong to no side. */
extern const char *const vd_hardpoint_prefix[];

/* Returns the index of a role by its own name; -1: there is none. */
int vd_hardpoint_role(const char *name);

/* Information in a name besides the role of its point. */
typedef struct vd_hardpoint_name {
  enum vd_list_side side;
  enum vd_list_axle axle;
  bool single;      /* it begins with hps_ */
  bool by_words;    /* no table has the name, and the role follows from its words */
  const char *text; /* the name without prefix and path of its model */
} vd_hardpoint_name;

/* Finds the roles that a name can have, as indices: one in most cases, several if the type of suspension decides
 * (top_mount). Case does not matter; blanks, dots, hyphens and underscores are equal. Side and axle are given by a
 * prefix (._FRONT.ground.hpl_lca_front, FL_...) or by a last word (Tie Rod Inboard FL). Returns the number of roles. */
enum { VD_MEANINGS = 4 };
size_t vd_hardpoint_meanings(const char *name, int *role, vd_hardpoint_name *out);

/* Returns whether a point belongs to a spring or damper. */
static inline bool vd_hardpoint_is_optional(const vd_role *r) {
  return r->slot >= VD_SLOT_SPRING;
}

/* Returns whether a type of suspension has such a point. */
static inline bool vd_hardpoint_belongs(const vd_role *r, enum vd_linkage_type type) {
  return (r->types & VD_WHEN(type)) != 0;
}

/* Returns the three coordinates of a role's point; members are in the order of vd_corner_start. */
double *vd_hardpoint_place(vd_hardpoints *h, const vd_role *r);

/* Returns the arm of a double wishbone on which the damper's push or pull rod is assumed to stand, since lists do not
 * name it: the arm whose ball joint is nearer to the rod's end. A value of enum vd_part. */
int vd_hardpoint_rod_holder(const vd_hardpoints *h);

/* --- rows --- */

typedef struct vd_hardpoint_row {
  const char *name;
  vd_place place;
  enum vd_list_side side; /* from a column of the file; unstated: the name has it */
  bool single;            /* this column gives the point to both sides */
  double at[3];           /* m if the file states its unit */
} vd_hardpoint_row;

/* The content of a file before the role of any point is known. */
typedef struct vd_hardpoint_rows {
  size_t count;
  vd_hardpoint_row *row;
  const vd_unit *unit;    /* in which the file has its lengths; NULL: the file does not state it */
  const char *unit_text;  /* as the file writes it */
  double toe0, camber0;   /* rad; NAN: the file does not give it */
  enum vd_list_axle axle; /* that a description selects */
} vd_hardpoint_rows;

/* Reads a registered source of any form. False after errors. */
bool vd_hardpoint_rows_read(int source, vd_arena *arena, vd_diag *d, vd_hardpoint_rows *out);
/* Reads a file with blocks, as Adams/Car writes it. */
bool vd_hardpoint_adams_read(int source, vd_arena *arena, vd_diag *d, vd_hardpoint_rows *out);

/* Appends a row. */
static inline vd_hardpoint_row *vd_hardpoint_rows_add(vd_hardpoint_rows *rows, vd_arena *arena) {
  if ((rows->count & (rows->count - 1)) == 0) { /* grows to 1, 2, 4 .. rows */
    vd_hardpoint_row *more = vd_arena_alloc(arena, 2 * (rows->count + 1) * sizeof *more);
    if (rows->count > 0)
      memcpy(more, rows->row, rows->count * sizeof *more);
    rows->row = more;
  }
  vd_hardpoint_row *row = &rows->row[rows->count++];
  *row = (vd_hardpoint_row){.name = ""};
  return row;
}

#endif
