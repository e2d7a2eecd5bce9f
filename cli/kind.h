/* What a scenario is about, before it is read. */
#ifndef VD_KIND_H
#define VD_KIND_H

#include "diag.h"

/* Whose tables of keys a scenario goes by. */
enum vd_kind { VD_KIND_VEHICLE, VD_KIND_TYRE_RIG, VD_KIND_TRACK_CAR };

/* By the key `kind` of the registered source, or of a file that it is based on; where that is misspelt, by the other keys. */
enum vd_kind vd_kind_of(int source, const vd_diag *d);

#endif
