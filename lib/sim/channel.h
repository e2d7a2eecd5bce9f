/* The channels of the log: one table with name, unit, meaning, levels and place in the row. */
#ifndef VD_CHANNEL_H
#define VD_CHANNEL_H

#include "control/controller_def.h"
#include "model/model.h"

#include <stdbool.h>
#include <stddef.h>

/* All quantities of a run at one instant. */
typedef struct vd_row {
  double t;      /* s */
  unsigned view; /* set of enum vd_view: the parts of eval that are complete */
  vd_state_vector state;
  vd_eval eval;
  double control_mode[VD_CONTROLLER_KIND_COUNT][VD_WHEELS]; /* 0 without such a controller */
} vd_row;

typedef struct vd_channel {
  const char *name; /* quantity_unit: needs no quotes in a shell and pandas */
  const char *unit;
  const char *help;
  size_t offset;   /* offset of a double in vd_row */
  unsigned levels; /* set of VD_WHEN(level), and of the flags below */
} vd_channel;

/* Flag: the channel changes its sign in the mirrored motion (left and right exchanged). */
#define VD_CHANNEL_TURNS (1u << 31)
/* Flag: the channel is found by a search, like the peaks of tyres: it is computed only if it is read. */
#define VD_CHANNEL_SEARCHED (1u << 30)

/* Flag: the channel is written only if it is selected by its name, or by a pattern that does not begin with * or ?. */
#define VD_CHANNEL_NAMED (1u << 29)

/* Upper limit of the number of channels. */
enum { VD_CHANNELS = 384 };

/* Returns all channels in the order of the columns. */
const vd_channel *vd_channel_table(size_t *count);

/* Returns the parts of an evaluation that must be complete for the channel, a set of enum vd_view. */
static inline unsigned vd_channel_view(const vd_channel *channel) {
  return VD_VIEW_BRIEF | (channel->levels & VD_CHANNEL_SEARCHED ? VD_VIEW_PEAKS : 0u) |
         (channel->levels & VD_CHANNEL_NAMED ? VD_VIEW_WHEELS : 0u);
}

static inline double vd_channel_value(const vd_channel *channel, const vd_row *row) {
  return *(const double *)(const void *)((const char *)row + channel->offset);
}

/* Returns the channel that corresponds to this one in the mirrored motion: for a channel of a wheel, the channel of the
 * wheel on the other side. */
const vd_channel *vd_channel_mirror(const vd_channel *channel);

/* Two values of a channel, from two versions or two machines, count as equal if they differ by at most this: an
 * absolute deviation, which depends on the channel's unit, or a share of the value, whichever is greater. Both are far
 * above the effect of rounding in another order, and far below any effect of practical interest. */
typedef struct vd_channel_tolerance {
  double absolute, relative;
} vd_channel_tolerance;
vd_channel_tolerance vd_channel_tolerated(const char *unit);

/* Marks in `wanted` (one flag per row of the table) the channels of this level that match a name or a pattern with *
 * and ?. Returns the number of matches. */
size_t vd_channel_match(const char *pattern, enum vd_level level, bool *wanted);

#endif
