/* Lists of plain data that are read from files and used by models. The memory of the items belongs to the arena of the
 * reader. The code that owns a list may complete its items after reading. */
#ifndef VD_LIST_H
#define VD_LIST_H

#include <stddef.h>

typedef struct vd_names {
  const char *const *name;
  size_t count;
} vd_names;

typedef struct vd_points {
  const double *xy; /* x0 y0 x1 y1 ... */
  size_t count;     /* pairs */
} vd_points;

typedef struct vd_numbers {
  double *value;
  size_t count;
} vd_numbers;

typedef struct vd_structs {
  void *item; /* count objects of one size, without gaps */
  size_t count;
} vd_structs;

#endif
