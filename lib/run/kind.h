/* What a file is about, before it is read. */
#ifndef VD_KIND_H
#define VD_KIND_H

#include "sim/channel.h"
#include "input/diag.h"
#include "input/schema.h"

/* Whose tables of keys it goes by. */
enum vd_kind {
  VD_KIND_VEHICLE,
  VD_KIND_TYRE_RIG,
  VD_KIND_TRACK_CAR,
  VD_KIND_SUSPENSION, /* which no scenario is */
};

/* For people: "tyre rig". */
extern const char *const vd_kind_names[];

/* Of a scenario: by the key `kind` of the registered source, or of a file that it is based on; where that is misspelt, by the other
 * keys. */
enum vd_kind vd_kind_of(int source, const vd_diag *d);

const vd_schema *vd_kind_schema(enum vd_kind kind);

/* The columns of its log; of a suspension there are none. */
const vd_channel *vd_kind_channels(enum vd_kind kind, size_t *count);

#endif
