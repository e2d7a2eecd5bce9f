/* The channels of the log: one table of name, unit, meaning, levels and place. */
#ifndef VD_CHANNEL_H
#define VD_CHANNEL_H

#include "input/schema.h"
#include "model/model.h"

/* One instant of a run, complete. */
typedef struct vd_row {
  double t; /* s */
  vd_state_vector state;
  vd_eval eval;
} vd_row;

typedef struct vd_channel {
  const char *name; /* quantity_unit: a shell, gnuplot and pandas take it unquoted */
  const char *unit;
  const char *help;
  size_t offset;   /* of a double in vd_row */
  unsigned levels; /* set of VD_WHEN(level), and VD_CHANNEL_TURNS */
} vd_channel;

/* Mirrored at the plane between left and right it has the other sign. */
#define VD_CHANNEL_TURNS (1u << 31)

/* All channels in the order of the columns. */
const vd_channel *vd_channel_table(size_t *count);

static inline double vd_channel_value(const vd_channel *channel, const vd_row *row) {
  return *(const double *)(const void *)((const char *)row + channel->offset);
}

/* The channel that shows, in the mirrored motion, what this one shows: of a wheel that of the wheel on the other
 * side. */
const vd_channel *vd_channel_mirror(const vd_channel *channel);

/* How far a value may be from the one of an earlier version, or of another machine, and count as the same: absolute, by
 * the channel's unit, or the share of the value if that is greater. Both are far above what another order of rounding
 * makes, and far below what matters to anybody. */
typedef struct vd_channel_tolerance {
  double absolute, relative;
} vd_channel_tolerance;
vd_channel_tolerance vd_channel_tolerated(const char *unit);

/* Marks in `wanted` (one flag per row of the table) the channels of this level that match a name or a glob
 * (* and ?). Returns how many matched. */
size_t vd_channel_match(const char *pattern, enum vd_level level, bool *wanted);

#endif
