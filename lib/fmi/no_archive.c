/* A unit that VDSim has made contains no other unit, so that it needs no library for archives. The functions in this
 * file replace the functions of input/archive.h, and always fail. */
#include "input/archive.h"

#include <stdlib.h>

vd_archive *vd_archive_open(const void *bytes, size_t length, vd_buf *why) {
  (void)bytes, (void)length;
  vd_buf_puts(why, "a unit reads no archives");
  return NULL;
}

void vd_archive_close(vd_archive *a) {
  (void)a;
}

size_t vd_archive_count(vd_archive *a) {
  (void)a;
  abort();
}

const char *vd_archive_name(vd_archive *a, size_t i) {
  (void)a, (void)i;
  abort();
}

bool vd_archive_read(vd_archive *a, size_t i, size_t most, vd_buf *out) {
  (void)a, (void)i, (void)most, (void)out;
  abort();
}
