/* What a file is about, before it is read. */
#ifndef VD_KIND_H
#define VD_KIND_H

#include "input/schema.h"
#include "metrics/metrics.h"
#include "sim/channel.h"

/* Whose tables a file goes by. */
enum vd_kind {
  VD_KIND_VEHICLE,
  VD_KIND_TYRE_RIG,
  VD_KIND_TRACK_CAR,
  VD_KIND_SUSPENSION, /* which no scenario is */
};
enum { VD_KINDS = VD_KIND_SUSPENSION + 1 };

typedef struct vd_kind_info {
  const char *key;  /* of a scenario: what its key `kind` says */
  const char *name; /* for people: "tyre rig" */
  const vd_schema *schema;
  const vd_channel *(*channels)(size_t *count); /* the columns of its log; NULL: it has none */
  const vd_metric_set *const *set;              /* of its metrics */
  size_t sets;
} vd_kind_info;

extern const vd_kind_info vd_kinds[VD_KINDS];

/* What a scenario's key `kind` may say, with the kind that it is. On a four-post rig a vehicle stands on posts without
 * friction, held in the plane. */
#define VD_SCENARIO_KINDS(X)                                                                                           \
  X(VEHICLE, "vehicle", VD_KIND_VEHICLE)                                                                               \
  X(TYRE_RIG, "tyre_rig", VD_KIND_TYRE_RIG)                                                                            \
  X(FOUR_POST, "four_post", VD_KIND_VEHICLE)                                                                           \
  X(TRACK_CAR, "track_car", VD_KIND_TRACK_CAR)

#define VD_ENUM(id, key, kind) VD_SCENARIO_##id,
enum vd_scenario_kind { VD_SCENARIO_KINDS(VD_ENUM) };
#undef VD_ENUM
extern const char *const vd_scenario_kind_names[]; /* NULL-terminated */

/* Of a scenario: by the key `kind` of the registered source, or of a file that it is based on; where that is misspelt,
 * by the other keys. */
enum vd_kind vd_kind_of(int source, const vd_diag *d);

/* The columns of its log; of a suspension there are none. */
const vd_channel *vd_kind_channels(enum vd_kind kind, size_t *count);

#endif
