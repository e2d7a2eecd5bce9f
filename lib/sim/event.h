/* Events: at a time, at a distance, or when a channel or its rate crosses a level, inputs are switched or the run ends.
 *
 * The rate is the mean rate since the beginning of the present step of the grid. It exists for any channel, also for
 * channels that are functions of the forces and have no state of their own (the roll of L2). The mean delays the event
 * by at most half a step of the grid. */
#ifndef VD_EVENT_H
#define VD_EVENT_H

#include "sim/channel.h"
#include "sim/inputs.h"

enum vd_event_trigger {
  VD_EVENT_TIME,
  VD_EVENT_DISTANCE,
  VD_EVENT_ABOVE,
  VD_EVENT_BELOW,
  VD_EVENT_RATE_ABOVE,
  VD_EVENT_RATE_BELOW
};

typedef struct vd_event_def {
  int when;            /* enum vd_event_trigger */
  double time;         /* s */
  double distance;     /* m travelled */
  const char *channel; /* channel that rises above or falls below the level, or whose rate does */
  double level;        /* in the unit of the channel; per second for a rate */
  /* waits for the event before it, and counts time and distance from there; otherwise from the start */
  bool in_turn;
  bool follow_path; /* lateral inputs end, and the driver follows the path */
  bool end;         /* the run ends */
  vd_inputs_def inputs;
} vd_event_def;

extern const struct vd_schema vd_event_schema;

enum { VD_EVENTS = 32 };

/* The state of the events, which is copied with the state of the run. */
typedef struct vd_events {
  const vd_event_def *def;
  int count;
  const vd_channel *channel[VD_EVENTS];
  bool fired[VD_EVENTS];
  /* the channel was on the other side of the level since the event was armed */
  bool ready[VD_EVENTS];
  double time[VD_EVENTS], distance[VD_EVENTS]; /* s, m: when and where it fired */
  /* at the start of the step: value of a channel whose rate is needed, and the time, s */
  double seen[VD_EVENTS], seen_at[VD_EVENTS];
  double rate[VD_EVENTS]; /* rate over the step before; NAN at first */
} vd_events;

/* Returns whether the trigger waits for a channel. */
static inline bool vd_event_crosses(int when) {
  return when != VD_EVENT_TIME && when != VD_EVENT_DISTANCE;
}

/* Starts the events. Their channels must exist at the level, which is checked with the scenario. */
void vd_events_start(vd_events *ev, const vd_structs *def);

/* Returns the instant of the next event by time after t, or INFINITY. */
double vd_events_next_time(const vd_events *ev, double t);

/* Returns the parts of a row that must be complete for the channels of armed events, a set of enum vd_view; 0: none. */
unsigned vd_events_view(const vd_events *ev);

/* Returns a number that is positive before the next event by distance or channel, and negative after it; INFINITY:
 * there is no such event. row may be NULL if no event waits for a channel. */
double vd_events_guard(const vd_events *ev, double distance, const vd_row *row);

/* Marks channels on the far side of their level as ready to cross it, and stores the values of channels whose rates are
 * needed; to be called at the start of a step and after an event. */
void vd_events_check(vd_events *ev, const vd_row *row);

/* Marks an event that is due at t as fired and returns its index; -1: none. snap: s, tolerance of the time. */
int vd_events_fire(vd_events *ev, double t, double snap, double distance, const vd_row *row);

#endif
