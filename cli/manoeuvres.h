/* The manoeuvres that are shipped as scenarios. */
#ifndef VD_MANOEUVRES_H
#define VD_MANOEUVRES_H

#include "base/text.h"

/* Writes one line for each manoeuvre: name, scenario file below scenarios/, standard ("-": none), meaning; separated by
 * tabs. */
void vd_manoeuvres_list(vd_buf *out);

#endif
