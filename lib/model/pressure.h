/* Pressures at the wheels as states of the lanes. A pressure p is a share of the pressure at full pedal.
 *
 *   demand     d = pedal + request, within 0 and 1; if the pedal is at rest, the pads return to clearance, p = -c
 *   approach   p' = (d - p)/lag, at most valve times build rate, or pump rate above the pressure of the pedal, and at
 *              least minus release rate
 *   valve      1 open; 0 holds: p only falls with the demand, through the check valve; below 0 p falls at this share of
 *              the release rate; between 0 and 1 the mean of a valve that pulses
 *
 * While p < 0 the pads do not touch and there is no torque. After a step to full pedal p reaches 0 after c over the
 * build rate, the dead time. */
#ifndef VD_PRESSURE_H
#define VD_PRESSURE_H

#include "base/elementary.h"
#include "model/model.h"

/* Share of the full pressure below which pads begin to go back. */
static const double vd_pad_contact = 0.01;

/* Returns the pressure at which a lane comes to rest under a demand. */
static inline double vd_pressure_at_rest(const vd_model *m, double demand) {
  return demand - m->control.pressure.clearance * vd_max(1.0 - demand / vd_pad_contact, 0.0);
}

/* Returns the rate of the pressure p at a wheel, 1/s; pedal: share of the full pressure in the master cylinder. */
static inline double vd_pressure_rate(const vd_model *m, double pedal, double request, double valve, double p) {
  const double demand = vd_min(vd_max(pedal + request, 0.0), 1.0), follow = m->control.pressure.follow;
  const bool driven = p < vd_pressure_at_rest(m, pedal);
  const double most = vd_max(valve, 0.0) * (driven ? m->control.pressure.build : m->control.pressure.pump);
  double rate = vd_min(vd_max((vd_pressure_at_rest(m, demand) - p) * follow, -m->control.pressure.release), most);
  if (valve < 0.0)
    rate = vd_min(rate, vd_max(-vd_max(p, 0.0) * follow, valve * m->control.pressure.release));
  return rate;
}

/* Computes the rates of the lanes' pressures, after vd_pedals; a lane has the mean of its wheels' requests and
 * valves. */
static inline void vd_lane_pressures(int n, const vd_model *m, const vd_command *c, const double *x, const vd_eval *e,
                                     double *dx) {
  const bool asked = m->options.requests;
  for (int i = 0; i < n; i++) {
    const int left = n == 2 ? vd_left_wheel(i) : i, right = n == 2 ? vd_right_wheel(i) : i;
    double request = asked ? 0.5 * (c->pressure_request[left] + c->pressure_request[right]) : 0.0;
    double valve = asked ? 0.5 * (c->brake_valve[left] + c->brake_valve[right]) : 1.0;
    dx[VD_S_PRESSURE + i] = vd_pressure_rate(m, e->drive.brake, request, valve, x[VD_S_PRESSURE + i]);
  }
}

#endif
