/* Natural frequencies and damping ratios of the car linearised at the start. */
#include "metrics/metrics_impl.h"

#include <math.h>

static vd_result of_mode(const vd_recorder *r, vd_result possible, double value) {
  if (!vd_metric_good(&possible))
    return possible;
  if (!r->linearised)
    return vd_metric_refused("nothing was linearised");
  return isfinite(value) ? vd_metric_known(value)
                         : vd_metric_refused("no oscillating mode has this shape; the motion may be overdamped");
}

/* clang-format off */
#define FREQUENCY "natural frequency |s|/2 pi of the eigenvalue pair s of the car linearised at the start, "
#define DAMPING   "damping ratio -Re s/|s| of the same eigenvalues"
#define TYRE_ONLY \
  "sqrt(tyre's vertical stiffness/unsprung mass)/2 pi: a rule of thumb; the frequency of wheel hop is higher, " \
  "because the suspension's spring also acts on the wheel"
#define SPRING_ONLY \
  "damper/(2 sqrt(spring x unsprung mass)): a rule of thumb; the damping ratio of wheel hop is lower, " \
  "because the tyre's stiffness, many times the stiffness of the spring, determines the frequency"

static const vd_metric_info metrics[] = {
  {"heave_frequency_Hz", "Hz", FREQUENCY "in which the body moves up and down"},
  {"heave_damping", "1", DAMPING},
  {"pitch_frequency_Hz", "Hz", FREQUENCY "in which the body pitches"},
  {"pitch_damping", "1", DAMPING},
  {"roll_frequency_Hz", "Hz", FREQUENCY "in which the body rolls"},
  {"roll_damping", "1", DAMPING},
  {"front_hop_frequency_Hz", "Hz", FREQUENCY "in which the front wheels move up and down together"},
  {"front_hop_damping", "1", DAMPING},
  {"front_tramp_frequency_Hz", "Hz", FREQUENCY "in which the front wheels move up and down in opposite directions"},
  {"front_tramp_damping", "1", DAMPING},
  {"rear_hop_frequency_Hz", "Hz", FREQUENCY "in which the rear wheels move up and down together"},
  {"rear_hop_damping", "1", DAMPING},
  {"rear_tramp_frequency_Hz", "Hz", FREQUENCY "in which the rear wheels move up and down in opposite directions"},
  {"rear_tramp_damping", "1", DAMPING},
  {"front_tyre_only_frequency_Hz", "Hz", TYRE_ONLY},
  {"front_spring_only_damping", "1", SPRING_ONLY},
  {"rear_tyre_only_frequency_Hz", "Hz", TYRE_ONLY},
  {"rear_spring_only_damping", "1", SPRING_ONLY},
  {"yaw_frequency_Hz", "Hz",
   FREQUENCY "in which side slip and yaw have at least half of the participation; from L1 on"},
  {"yaw_damping", "1", DAMPING},
  {"growth_1ps", "1/s", "greatest real part of all eigenvalues; > 0: the motion at the start is unstable; from L1 on"},
};
/* clang-format on */

static void compute(const vd_recorder *r, vd_metrics *out) {
  static const char *const mode[] = {[VD_RIDE_HEAVE] = "heave",
                                     [VD_RIDE_PITCH] = "pitch",
                                     [VD_RIDE_ROLL] = "roll",
                                     [VD_RIDE_FRONT_HOP] = "front_hop",
                                     [VD_RIDE_FRONT_TRAMP] = "front_tramp",
                                     [VD_RIDE_REAR_HOP] = "rear_hop",
                                     [VD_RIDE_REAR_TRAMP] = "rear_tramp"};
  vd_result possible = vd_metric_from_level(r, VD_L3, "ride modes");
  const vd_modes *m = &r->modes;
  for (int i = 0; i < VD_RIDE_MODES; i++) {
    vd_set_metric_named(out, of_mode(r, possible, m->mode[i].frequency), "%s_frequency_Hz", mode[i]);
    vd_set_metric_named(out, of_mode(r, possible, m->mode[i].damping), "%s_damping", mode[i]);
  }
  for (int a = 0; a < VD_AXLES; a++) {
    vd_set_metric_named(out, of_mode(r, possible, m->tyre_only_frequency[a]), "%s_tyre_only_frequency_Hz",
                        vd_axle_names[a]);
    vd_set_metric_named(out, of_mode(r, possible, m->spring_only_damping[a]), "%s_spring_only_damping",
                        vd_axle_names[a]);
  }
  possible = vd_metric_from_level(r, VD_L1, "modes");
  vd_set_metric(out, "yaw_frequency_Hz", of_mode(r, possible, m->yaw.frequency));
  vd_set_metric(out, "yaw_damping", of_mode(r, possible, m->yaw.damping));
  vd_set_metric(out, "growth_1ps", of_mode(r, possible, m->growth));
}

const vd_metric_set vd_metrics_modes = {VD_METRIC_SET(modes, metrics, compute),
                                        .title = "natural frequencies and damping of the car at the start",
                                        .needs = VD_NEEDS_MODES | VD_NEEDS_NO_ROWS};
