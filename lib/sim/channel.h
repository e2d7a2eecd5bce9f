/* The channels of the log: one table with name, unit, meaning, levels and place in the row. */
#ifndef VD_CHANNEL_H
#define VD_CHANNEL_H

#include "model/model.h"

#include <stdbool.h>
#include <stddef.h>

/* All quantities of one instant of a run. */
typedef struct vd_row {
  double t;      /* s */
  unsigned view; /* set of enum vd_view: what of eval is complete */
  vd_state_vector state;
  vd_eval eval;
} vd_row;

typedef struct vd_channel {
  const char *name; /* quantity_unit: needs no quotes in a shell, gnuplot and pandas */
  const char *unit;
  const char *help;
  size_t offset;   /* offset of a double in vd_row */
  unsigned levels; /* set of VD_WHEN(level), and of what follows */
} vd_channel;

/* Whether the channel changes its sign in the mirrored motion (left and right exchanged). */
#define VD_CHANNEL_TURNS (1u << 31)
/* Whether it is searched for, as the peaks of tyres are: where nobody reads it, it is left out. */
#define VD_CHANNEL_SEARCHED (1u << 30)

/* Whether it is written only if it is named: by a name or glob that does not begin with * or ?. */
#define VD_CHANNEL_NAMED (1u << 29)

/* Room for a flag of each; there may be fewer. */
enum { VD_CHANNELS = 288 };

/* All channels in the order of the columns. */
const vd_channel *vd_channel_table(size_t *count);

/* View by which an evaluation must be completed for it, a set of enum vd_view. */
static inline unsigned vd_channel_view(const vd_channel *channel) {
  return VD_VIEW_BRIEF | (channel->levels & VD_CHANNEL_SEARCHED ? VD_VIEW_PEAKS : 0u) |
         (channel->levels & VD_CHANNEL_NAMED ? VD_VIEW_WHEELS : 0u);
}

static inline double vd_channel_value(const vd_channel *channel, const vd_row *row) {
  return *(const double *)(const void *)((const char *)row + channel->offset);
}

/* The channel that corresponds to this one in the mirrored motion: a wheel's channel becomes that of the other side's
 * wheel. */
const vd_channel *vd_channel_mirror(const vd_channel *channel);

/* Deviation from the value of an earlier version or of another machine up to which both count as equal: absolute, by
 * the channel's unit, or the share of the value if that is greater. Both are far above the effect of another order of
 * rounding, and far below any effect of practical interest. */
typedef struct vd_channel_tolerance {
  double absolute, relative;
} vd_channel_tolerance;
vd_channel_tolerance vd_channel_tolerated(const char *unit);

/* Marks in `wanted` (one flag per row of the table) the channels of this level that match a name or a glob
 * (* and ?). Returns how many matched. */
size_t vd_channel_match(const char *pattern, enum vd_level level, bool *wanted);

#endif
