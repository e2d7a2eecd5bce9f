/* Archives in the ZIP format, in memory. */
#ifndef VD_ARCHIVE_H
#define VD_ARCHIVE_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct vd_archive vd_archive;

/* Opens an archive, whose bytes must outlive it. After an error it adds the reason to `why` and returns NULL. */
vd_archive *vd_archive_open(const void *bytes, size_t length, vd_buf *why);
void vd_archive_close(vd_archive *a); /* accepts NULL */
size_t vd_archive_count(vd_archive *a);
/* Returns the name of entry i, 0 to count - 1. The name of a folder ends in '/'. */
const char *vd_archive_name(vd_archive *a, size_t i);
/* Adds the contents of an entry to `out`. Returns false if the entry cannot be read or has more than `most` bytes. */
bool vd_archive_read(vd_archive *a, size_t i, size_t most, vd_buf *out);

#endif
