#include "progress.h"

#include <stdio.h>

void vd_line_start(vd_progress_line *l) {
  *l = (vd_progress_line){.done = 0};
  clock_gettime(CLOCK_MONOTONIC, &l->start);
}

void vd_line_erase(vd_progress_line *l) {
  if (l->shown)
    fputs("\r\033[K", stderr);
  l->shown = false;
}

/* Draws the line. The time left is estimated by the mean time of the pieces that are done. */
void vd_line_draw(vd_progress_line *l, size_t count) {
  struct timespec now;
  char bar[41], failed[32] = "", rate[40] = "";
  clock_gettime(CLOCK_MONOTONIC, &now);
  double elapsed = (double)(now.tv_sec - l->start.tv_sec) + 1e-9 * (double)(now.tv_nsec - l->start.tv_nsec);
  double left = elapsed * (double)(count - l->done) / (double)(l->done > 0 ? l->done : 1);
  double each = (double)l->done / elapsed;
  for (size_t i = 0; i < 40; i++)
    bar[i] = i * count < 40 * l->done ? '#' : '.';
  bar[40] = '\0';
  if (l->failed > 0)
    snprintf(failed, sizeof failed, ", %zu failed", l->failed);
  if (each >= 10.0)
    snprintf(rate, sizeof rate, ", %.0f/s", each);
  vd_line_erase(l);
  fprintf(stderr, "[%s] %zu of %zu done%s, %.0f %s left%s", bar, l->done, count, failed,
          left < 100.0 ? left : left / 60.0, left < 100.0 ? "s" : "min", rate);
  l->shown = true;
}
