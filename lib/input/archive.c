#include "input/archive.h"

#include <zip.h>

vd_archive *vd_archive_open(const void *bytes, size_t length, vd_buf *why) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t *source = zip_source_buffer_create(bytes, length, 0, &error);
  zip_t *zip = source ? zip_open_from_source(source, ZIP_RDONLY, &error) : NULL;
  if (!zip) {
    vd_buf_puts(why, zip_error_strerror(&error));
    if (source)
      zip_source_free(source);
  }
  zip_error_fini(&error);
  return (vd_archive *)(void *)zip;
}

void vd_archive_close(vd_archive *a) {
  if (a)
    zip_discard((zip_t *)(void *)a);
}

size_t vd_archive_count(vd_archive *a) {
  zip_int64_t count = zip_get_num_entries((zip_t *)(void *)a, 0);
  return count > 0 ? (size_t)count : 0;
}

const char *vd_archive_name(vd_archive *a, size_t i) {
  const char *name = zip_get_name((zip_t *)(void *)a, i, 0);
  return name ? name : "";
}

bool vd_archive_read(vd_archive *a, size_t i, size_t most, vd_buf *out) {
  zip_stat_t info;
  zip_t *zip = (zip_t *)(void *)a;
  if (zip_stat_index(zip, i, 0, &info) != 0 || !(info.valid & ZIP_STAT_SIZE) || info.size > most)
    return false;
  zip_file_t *file = zip_fopen_index(zip, i, 0);
  if (!file)
    return false;
  vd_buf_reserve(out, (size_t)info.size + 1);
  zip_int64_t got = zip_fread(file, out->text + out->length, info.size);
  zip_fclose(file);
  if (got < 0 || (zip_uint64_t)got != info.size)
    return false;
  vd_buf_add_length(out, (size_t)got);
  return true;
}
