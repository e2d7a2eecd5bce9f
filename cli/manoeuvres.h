/* The manoeuvres that are shipped as scenarios. */
#ifndef VD_MANOEUVRES_H
#define VD_MANOEUVRES_H

#include "base/text.h"

#include <stddef.h>

/* Writes one line for each manoeuvre: name, scenario file below scenarios/, standard ("-": none), meaning; separated by
 * tabs. */
void vd_manoeuvres_list(vd_buf *out);

/* Lists the scenario files of a folder below scenarios/, in the order of the table: file[], at most `most`. Returns
 * their number. */
size_t vd_manoeuvres_in(const char *folder, const char **file, size_t most);

#endif
