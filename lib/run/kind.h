/* The kind of a file, determined before it is read. */
#ifndef VD_KIND_H
#define VD_KIND_H

#include "input/diag.h"
#include "metrics/metrics.h"
#include "sim/channel.h"

/* The kinds of files, by the schemas that they use. */
enum vd_kind {
  VD_KIND_VEHICLE,
  VD_KIND_TYRE_RIG,
  VD_KIND_TRACK_CAR,
  VD_KIND_TYRE_FIT,
  VD_KIND_RUN_FIT, /* fit of scenarios or suspensions */
  VD_KIND_OPTIMISE,
  VD_KIND_STUDY,
  VD_KIND_ENVELOPE,
  VD_KIND_DIAGRAM, /* moment diagram */
  VD_KIND_LAP,
  VD_KIND_SUSPENSION, /* not a scenario */
};
enum { VD_KINDS = VD_KIND_SUSPENSION + 1 };

/* Values of a scenario's key `kind`, with their kinds. On a four-post rig a vehicle is on posts without friction and
 * cannot move horizontally. */
#define VD_SCENARIO_KINDS(X)                                                                                           \
  X(VEHICLE, "vehicle", VD_KIND_VEHICLE)                                                                               \
  X(TYRE_RIG, "tyre_rig", VD_KIND_TYRE_RIG)                                                                            \
  X(FOUR_POST, "four_post", VD_KIND_VEHICLE)                                                                           \
  X(TRACK_CAR, "track_car", VD_KIND_TRACK_CAR)                                                                         \
  X(FIT, "fit", VD_KIND_TYRE_FIT)                                                                                      \
  X(OPTIMISE, "optimise", VD_KIND_OPTIMISE)                                                                            \
  X(STUDY, "study", VD_KIND_STUDY)                                                                                     \
  X(ENVELOPE, "envelope", VD_KIND_ENVELOPE)                                                                            \
  X(MOMENT_DIAGRAM, "moment_diagram", VD_KIND_DIAGRAM)                                                                 \
  X(LAP, "lap", VD_KIND_LAP)

#define VD_ENUM(id, key, kind) VD_SCENARIO_##id,
enum vd_scenario_kind { VD_SCENARIO_KINDS(VD_ENUM) };
#undef VD_ENUM
extern const char *const vd_scenario_kind_names[]; /* NULL-terminated */
extern const enum vd_kind
    vd_scenario_kinds[]; /* the kind of each value, unless a kind with the same value is recognised by VD_IDENTIFIES */

typedef struct vd_kind_info {
  const char *key;  /* name in lists and provenances */
  const char *name; /* name in messages: "tyre rig" */
  /* value of the key `kind`, enum vd_scenario_kind; both fits have VD_SCENARIO_FIT. -1: not a scenario */
  int word;
  const struct vd_schema *schema;
  const vd_channel *(*channels)(size_t *count); /* the columns of the kind's log; NULL: it has no log */
  const vd_metric_set *const *set;              /* sets of the kind's metrics */
  size_t sets;
} vd_kind_info;

extern const vd_kind_info vd_kinds[VD_KINDS];

/* True if a kind is solved as a fit: of a tyre, of runs, or an optimisation. */
bool vd_kind_fits(enum vd_kind kind);

/* Returns the kind of a scenario. It follows from the key `kind` of the registered source, or of a file on which this
 * source is based; if the value is misspelt, from the other keys. */
enum vd_kind vd_kind_of(int source, const vd_diag *d);
/* Returns the kind of a file that may also be a suspension. */
enum vd_kind vd_kind_of_any(int source, const vd_diag *d);

/* Returns the columns of the log of a kind; a suspension has no log. */
const vd_channel *vd_kind_channels(enum vd_kind kind, size_t *count);

#endif
