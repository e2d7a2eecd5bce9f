/* Hardpoint lists: their names and rows, which their readers and their writer share. */
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
  VD_SLOT_DAMPER_TOP
};

/* A point that a list may hold, and where it goes. */
typedef struct vd_role {
  const char *name;
  unsigned types; /* set of VD_WHEN(type) */
  int member;
  enum vd_slot slot;
} vd_role;

/* A type that a list can hold. */
typedef struct vd_role_kind {
  enum vd_linkage_type type;
  const char *mark; /* the point by which the type is recognised */
  const char *what; /* the type in words */
  int holder;       /* enum vd_part: what spring and damper are mounted on, the knuckle for an arm that is one body with
                     * it; -1: lists do not say it and have none */
  bool trails;      /* the pivots lie ahead of the wheel */
} vd_role_kind;

enum { VD_ROLES = 54, VD_ROLE_KINDS = 9 };

extern const vd_role vd_hardpoint_roles[VD_ROLES];
extern const vd_role_kind vd_hardpoint_kinds[VD_ROLE_KINDS];

/* Prefix of a name, by side; points in the middle of the car, hps_, belong to no side. */
extern const char *const vd_hardpoint_prefix[];

/* Index of a role by its own name, -1: there is none. */
int vd_hardpoint_role(const char *name);

/* The roles that a name of a file can mean, as indices: one in most cases, several where the type of suspension decides
 * (top_mount). The name is taken without its side's prefix and without the path of its model; upper and lower case are
 * equal, and so are blanks, dots, hyphens and underscores. by_words: no table has the name, but its words say it.
 * Returns how many. */
enum { VD_MEANINGS = 4 };
size_t vd_hardpoint_meanings(const char *name, size_t length, int *role, bool *by_words);

/* The side that a name ends with, such as FL, and the length of what stands before it. */
enum vd_list_side vd_hardpoint_suffix(const char *name, size_t *length);

/* The side that a name begins with, and the rest behind the prefix: of "._FRONT.ground.hpl_lca_front" the left one and
 * lca_front. single: it begins with hps_. */
enum vd_list_side vd_hardpoint_split(const char **name, bool *single);

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

/* --- rows --- */

typedef struct vd_hardpoint_row {
  const char *name;
  vd_place place;
  enum vd_list_side side; /* by a column of the file; unstated: the name has it */
  bool single;            /* by that column: it belongs to both sides */
  double at[3];           /* unless the list has cells */
} vd_hardpoint_row;

/* What a file says before anybody knows which point is which. */
typedef struct vd_hardpoint_rows {
  size_t count;
  vd_hardpoint_row *row;
  const vd_unit *unit;   /* of its lengths; NULL: the file does not say */
  const char *unit_text; /* as the file writes it */
  double toe0, camber0;  /* rad; NAN: the file does not say */
  vd_cells cells;        /* of a CSV, whose numbers are read when they are used; rows 0: none */
  int column[4];         /* name, x, y, z of the cells */
} vd_hardpoint_rows;

/* Reads a registered source of any form. False after errors. */
bool vd_hardpoint_rows_read(int source, vd_arena *arena, vd_diag *d, vd_hardpoint_rows *out);
/* Reads a file with blocks, as Adams/Car writes it. */
bool vd_hardpoint_adams_read(int source, vd_arena *arena, vd_diag *d, vd_hardpoint_rows *out);

/* The coordinates of a row; false after an error. */
bool vd_hardpoint_row_at(const vd_hardpoint_rows *rows, size_t row, double *at);

/* One more row. */
static inline vd_hardpoint_row *vd_hardpoint_rows_add(vd_hardpoint_rows *rows, vd_arena *arena) {
  if ((rows->count & (rows->count - 1)) == 0) { /* room for 1, 2, 4 .. */
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
