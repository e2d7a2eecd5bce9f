#include "sim/event.h"

#include "base/elementary.h"
#include "input/schema.h"

#include <math.h>
#include <string.h>

static const char *const when_names[] = {"time", "distance", "above", "below", "rate_above", "rate_below", NULL};

#define CROSSING                                                                                                       \
  (VD_WHEN(VD_EVENT_ABOVE) | VD_WHEN(VD_EVENT_BELOW) | VD_WHEN(VD_EVENT_RATE_ABOVE) | VD_WHEN(VD_EVENT_RATE_BELOW))

/* clang-format off */
static const vd_field event_fields[] = {
  {VD_F_CHOICE(vd_event_def, when, "when", when_names, NULL,
      "condition: a time, a distance, or a channel, or its rate, that rises above or falls below a level")},
  {VD_F_NUMBER(vd_event_def, time, "time", "s", 0, 1e6, VD_AUTO, NULL,
      "time of the event; auto: found by a rule of the scenario's key `auto`"), .only = VD_WHEN(VD_EVENT_TIME)},
  {VD_F_NUMBER(vd_event_def, distance, "distance", "m", 0, 1e9, VD_ABOVE, NULL, "distance travelled"),
      .only = VD_WHEN(VD_EVENT_DISTANCE)},
  {VD_F_STRING(vd_event_def, channel, "channel", NULL, "name of the channel, as in the log"), .only = CROSSING},
  {VD_F_NUMBER(vd_event_def, level, "level", "1", -1e12, 1e12, 0, NULL,
      "level of the channel, a bare number in its unit; for a rate, in its unit per second"), .only = CROSSING},
  {VD_F_FLAG(vd_event_def, in_turn, "in_turn", "false",
      "the event waits for the one listed before it, and counts time and distance from it")},
  {VD_F_FLAG(vd_event_def, follow_path, "follow_path", "false",
      "steering inputs end, and the driver follows the path")},
  {VD_F_FLAG(vd_event_def, end, "end", "false", "the run ends")},
  VD_F_INPUTS(vd_event_def, inputs)
};
/* clang-format on */

const vd_schema vd_event_schema = {.name = "event", VD_SCHEMA_ROWS(vd_event_def, event_fields), .tag = "when"};

void vd_events_start(vd_events *ev, const vd_structs *def) {
  size_t count;
  const vd_channel *table = vd_channel_table(&count);
  *ev = (vd_events){.def = def->item, .count = (int)def->count};
  for (int i = 0; i < ev->count; i++) {
    if (!vd_event_crosses(ev->def[i].when))
      continue;
    ev->seen_at[i] = -INFINITY;
    ev->seen[i] = NAN;
    for (size_t k = 0; k < count; k++)
      if (strcmp(table[k].name, ev->def[i].channel) == 0)
        ev->channel[i] = &table[k];
  }
}

static bool armed(const vd_events *ev, int i) {
  return !ev->fired[i] && (!ev->def[i].in_turn || i == 0 || ev->fired[i - 1]);
}

/* Returns the time or distance at which an event is due: `value', counted from the instant or place at which the event
 * before it fired, if it waits for that event. */
static double due(const vd_events *ev, int i, double value, const double *fired_at) {
  return value + (ev->def[i].in_turn && i > 0 ? fired_at[i - 1] : 0.0);
}

static double due_time(const vd_events *ev, int i) {
  return due(ev, i, ev->def[i].time, ev->time);
}

double vd_events_next_time(const vd_events *ev, double t) {
  double next = INFINITY;
  for (int i = 0; i < ev->count; i++)
    if (ev->def[i].when == VD_EVENT_TIME && armed(ev, i) && due_time(ev, i) > t)
      next = vd_min(next, due_time(ev, i));
  return next;
}

unsigned vd_events_view(const vd_events *ev) {
  unsigned view = 0;
  for (int i = 0; i < ev->count; i++)
    if (ev->channel[i] && armed(ev, i))
      view |= vd_channel_view(ev->channel[i]);
  return view;
}

/* Returns the mean rate of the channel since the beginning of the step; at the beginning, the rate over the step
 * before. NAN: not yet known. */
static double rate_of(const vd_events *ev, int i, const vd_row *row) {
  double span = row->t - ev->seen_at[i];
  return span > 0.0 ? (vd_channel_value(ev->channel[i], row) - ev->seen[i]) / span : ev->rate[i];
}

static bool by_rate(const vd_events *ev, int i) {
  return ev->def[i].when == VD_EVENT_RATE_ABOVE || ev->def[i].when == VD_EVENT_RATE_BELOW;
}

/* Returns a quantity that is > 0 before an event and 0 at its instant; only its sign and its zero are used. */
static double distance_to(const vd_events *ev, int i, double distance, const vd_row *row) {
  const int when = ev->def[i].when;
  if (!vd_event_crosses(when))
    return when == VD_EVENT_TIME ? INFINITY : due(ev, i, ev->def[i].distance, ev->distance) - distance;
  double value = by_rate(ev, i) ? rate_of(ev, i, row) : vd_channel_value(ev->channel[i], row);
  bool rises = when == VD_EVENT_ABOVE || when == VD_EVENT_RATE_ABOVE;
  return rises ? ev->def[i].level - value : value - ev->def[i].level;
}

double vd_events_guard(const vd_events *ev, double distance, const vd_row *row) {
  double lowest = INFINITY;
  for (int i = 0; i < ev->count; i++)
    if (armed(ev, i) && (!ev->channel[i] || ev->ready[i]))
      lowest = vd_min(lowest, distance_to(ev, i, distance, row));
  return lowest;
}

void vd_events_check(vd_events *ev, const vd_row *row) {
  for (int i = 0; i < ev->count; i++) {
    if (!ev->channel[i] || !armed(ev, i))
      continue;
    if (distance_to(ev, i, 0.0, row) > 0.0) /* false for NAN */
      ev->ready[i] = true;
    if (by_rate(ev, i) && row->t > ev->seen_at[i]) {
      ev->rate[i] = rate_of(ev, i, row);
      ev->seen[i] = vd_channel_value(ev->channel[i], row);
      ev->seen_at[i] = row->t;
    }
  }
}

int vd_events_fire(vd_events *ev, double t, double snap, double distance, const vd_row *row) {
  for (int i = 0; i < ev->count; i++) {
    if (!armed(ev, i))
      continue;
    bool due = ev->def[i].when == VD_EVENT_TIME
                   ? due_time(ev, i) <= t + snap
                   : (!ev->channel[i] || ev->ready[i]) && distance_to(ev, i, distance, row) <= 0.0;
    if (!due)
      continue;
    ev->fired[i] = true;
    ev->time[i] = t;
    ev->distance[i] = distance;
    return i;
  }
  return -1;
}
