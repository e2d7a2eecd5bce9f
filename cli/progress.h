/* The progress line of many pieces of work, on a terminal. */
#ifndef VD_PROGRESS_H
#define VD_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

typedef struct vd_progress_line {
  struct timespec start;
  size_t done, failed;
  bool shown;
} vd_progress_line;

void vd_line_start(vd_progress_line *l);
void vd_line_erase(vd_progress_line *l);
/* Draws the line. count: number of all pieces. */
void vd_line_draw(vd_progress_line *l, size_t count);

#endif
