/* Events: at a time, at a distance, or when a channel or its rate crosses a level, inputs are switched or the run ends.
 *
 * The rate is the mean rate since the present step of the grid began. It serves any channel, also one that follows the
 * forces without a state of its own (the roll of L2), and makes the event late by at most half a step of the grid. */
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
  const char *channel; /* that rises above or falls below the level, or whose rate does */
  double level;        /* in the unit of the channel; per second for a rate */
  bool in_turn;        /* waits for the event before it, and counts time and distance from there; else from the start */
  bool follow_path;    /* lateral inputs end; the path is followed */
  bool end;            /* the run ends */
  vd_inputs_def inputs;
} vd_event_def;

extern const struct vd_schema vd_event_schema;

enum { VD_EVENTS = 32 };

/* The events so far. They are copied with the state. */
typedef struct vd_events {
  const vd_event_def *def;
  int count;
  const vd_channel *channel[VD_EVENTS];
  bool fired[VD_EVENTS];
  bool ready[VD_EVENTS];                       /* the channel has been on the other side since the event was armed */
  double time[VD_EVENTS], distance[VD_EVENTS]; /* s, m: at which it fired */
  double seen[VD_EVENTS], seen_at[VD_EVENTS];  /* channel whose rate counts, and s: at the start of the step */
  double rate[VD_EVENTS];                      /* rate over the step before; NAN at the first look */
} vd_events;

/* The trigger waits for a channel. */
static inline bool vd_event_crosses(int when) {
  return when != VD_EVENT_TIME && when != VD_EVENT_DISTANCE;
}

/* The channels must exist at the level: scenarios check this. */
void vd_events_start(vd_events *ev, const vd_structs *def);

/* Instant of the next event by time after t, or INFINITY. */
double vd_events_next_time(const vd_events *ev, double t);

/* View by which a row must be completed for the channels that armed events wait for, of enum vd_view; 0: none waits. */
unsigned vd_events_view(const vd_events *ev);

/* Positive before the next event by distance or channel, negative after it; INFINITY without one. row may be NULL if no
 * event waits for a channel. */
double vd_events_guard(const vd_events *ev, double distance, const vd_row *row);

/* Marks, at the start of a step and after an event, channels on the far side of their level as ready to cross it, and
 * keeps those whose rates count. */
void vd_events_check(vd_events *ev, const vd_row *row);

/* The index of an event that is due at t, marked as fired; -1: none. snap: s. */
int vd_events_fire(vd_events *ev, double t, double snap, double distance, const vd_row *row);

#endif
