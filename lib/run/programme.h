/* A programme: manoeuvres that all given cars drive, for a page that shows the cars side by side. */
#ifndef VD_PROGRAMME_H
#define VD_PROGRAMME_H

#include "base/arena.h"
#include "base/list.h"
#include "input/diag.h"

typedef struct vd_programme {
  const char *title;
  vd_names manoeuvres; /* scenario files */
} vd_programme;

extern const struct vd_schema vd_programme_schema;

/* Reads a file that lists the manoeuvres of a programme. Their file names are relative to the folder of this file, or
 * to the data folder. False after errors. Everything belongs to the arena. */
bool vd_programme_read(const char *path, vd_arena *arena, vd_diag *d, vd_programme *out);

#endif
