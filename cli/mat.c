/* MathWorks, "MAT-File Format", level 5: a header of 128 bytes, then for each array an element with flags, dimensions,
 * name and numbers, all padded to 8 bytes. Numbers are in the order of this machine, which the header marks. */
#include "mat.h"

#include "base/memory.h"
#include "base/num.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INT8 = 1, INT32 = 5, UINT32 = 6, DOUBLE = 9, MATRIX = 14, CLASS_DOUBLE = 6 }; /* data types of the format */
enum { NAME = 63 };                                                                  /* longest name of a variable */

static size_t padded(size_t bytes) {
  return (bytes + 7) / 8 * 8;
}

static void add_element(vd_output *o, uint32_t type, const void *data, size_t bytes) {
  static const char zeros[8] = "";
  const uint32_t tag[2] = {type, (uint32_t)bytes};
  vd_output_bytes(o, (const char *)tag, sizeof tag);
  vd_output_bytes(o, data, bytes);
  vd_output_bytes(o, zeros, padded(bytes) - bytes);
}

static void add_vector(vd_output *o, const char *name, size_t length, const double *value, size_t rows) {
  const uint32_t flags[2] = {CLASS_DOUBLE, 0};
  const int32_t dimensions[2] = {(int32_t)rows, 1};
  size_t used = length < NAME ? length : NAME;
  size_t bytes = 4 * 8 + sizeof flags + sizeof dimensions + padded(used) + rows * sizeof *value;
  const uint32_t tag[2] = {MATRIX, (uint32_t)bytes};
  vd_output_bytes(o, (const char *)tag, sizeof tag);
  add_element(o, UINT32, flags, sizeof flags);
  add_element(o, INT32, dimensions, sizeof dimensions);
  add_element(o, INT8, name, used);
  add_element(o, DOUBLE, value, rows * sizeof *value);
}

static void add_header(vd_output *o, const char *title) {
  char text[128];
  const uint16_t version[2] = {0x0100, ('M' << 8) | 'I'};
  int length = snprintf(text, 117, VD_MAT_START ", vdsim-run " VDSIM_VERSION ", %s", title);
  memset(text + (length < 116 ? length : 116), ' ', 116 - (size_t)(length < 116 ? length : 116));
  memset(text + 116, 0, 8); /* there is no subsystem */
  memcpy(text + 124, version, sizeof version);
  vd_output_bytes(o, text, sizeof text);
}

/* Counts the columns of the first line, and the rows behind it. */
static void count(const char *csv, size_t *columns, size_t *rows) {
  const char *line = strchr(csv, '\n');
  *columns = 1;
  *rows = 0;
  for (const char *p = csv; line && p < line; p++)
    *columns += *p == ',';
  for (const char *p = line; p && p[1] != '\0'; p = strchr(p + 1, '\n'))
    ++*rows;
}

void vd_mat_write(const char *csv, const char *title, vd_output *o) {
  size_t columns, rows;
  count(csv, &columns, &rows);
  double *value = vd_allocate(columns * rows, sizeof *value);
  const char *line = strchr(csv, '\n'), *field = line ? line + 1 : csv;
  for (size_t i = 0; i < rows; i++)
    for (size_t k = 0; k < columns; k++) {
      size_t length = strcspn(field, ",\n"), used = 0;
      double *at = &value[k * rows + i];
      if (!vd_num_parse(field, length, at, &used) || used != length)
        *at = NAN;
      field += length + 1;
    }
  add_header(o, title);
  for (size_t k = 0; k < columns && line; k++) {
    size_t length = strcspn(csv, ",\n");
    add_vector(o, csv, length, &value[k * rows], rows);
    csv += length + 1;
  }
  free(value);
}
