/* Static metrics: masses and inertias of the car with its loads, and its position at rest on its wheels. */
#include "metrics/metrics_impl.h"

#include <math.h>

/* clang-format off */
#define WHOLE "of the whole car with its loads, "
#define INERTIA "moment of inertia " WHOLE "about its centre of gravity, "
#define PRODUCT "product of inertia " WHOLE "about its centre of gravity, the integral of "
#define REST ", at rest on the road"
#define LOAD(wheel, name, words, ...) {"rest_load_" name "_N", "N", "load of the " words " wheel" REST},

static const vd_metric_info metrics[] = {
  {"mass_kg", "kg", "mass " WHOLE "in the run"},
  {"cg_to_front_m", "m", "distance of the front axle from the centre of gravity " WHOLE "in the design position"},
  {"cg_left_m", "m", "distance of the centre of gravity of the whole car to the left of the middle plane"},
  {"cg_height_m", "m", "height of the centre of gravity of the whole car above the road" REST},
  {"roll_inertia_kgm2", "kg m2", INERTIA "axis along the car"},
  {"pitch_inertia_kgm2", "kg m2", INERTIA "axis across the car"},
  {"yaw_inertia_kgm2", "kg m2", INERTIA "upright axis"},
  {"product_xy_kgm2", "kg m2", PRODUCT "x y"},
  {"product_xz_kgm2", "kg m2", PRODUCT "x z"},
  {"product_yz_kgm2", "kg m2", PRODUCT "y z"},
  {"front_axle_load_N", "N", "load of both front wheels" REST},
  {"rear_axle_load_N", "N", "load of both rear wheels" REST},
  VD_EACH_WHEEL(LOAD, )
  {"rest_travel_fl_m", "m", "travel of the front left wheel from the design position, bump > 0" REST},
  {"rest_travel_fr_m", "m", "travel of the front right wheel from the design position, bump > 0" REST},
  {"rest_travel_rl_m", "m", "travel of the rear left wheel from the design position, bump > 0" REST},
  {"rest_travel_rr_m", "m", "travel of the rear right wheel from the design position, bump > 0" REST},
  {"rest_rise_front_m", "m", "change of the body's height over the front axle from the design position" REST},
  {"rest_rise_rear_m", "m", "change of the body's height over the rear axle from the design position" REST},
  {"rest_pitch_rad", "rad", "pitch of the body from the design position, nose down > 0" REST},
  {"rest_roll_rad", "rad", "roll of the body from the design position, left side up > 0" REST},
};
/* clang-format on */

static vd_result at_rest(const vd_recorder *r, double value) {
  if (!r->stands)
    return vd_metric_refused("the car has no position of rest on its wheels");
  return isfinite(value) ? vd_metric_known(value) : vd_metric_refused("the vehicle has no moments of inertia");
}

static vd_result sprung(const vd_recorder *r, double value) {
  vd_result body = vd_metric_from_level(r, VD_L3, "a body on springs");
  return r->stands && !vd_metric_good(&body) ? body : at_rest(r, value);
}

static void compute(const vd_recorder *r, vd_metrics *out) {
  const vd_statics *s = &r->statics;
  const double(*t)[3] = s->whole.tensor;
  const double *load = s->load, *travel = s->travel;
  vd_set_metric(out, "mass_kg", at_rest(r, s->whole.mass));
  vd_set_metric(out, "cg_to_front_m", at_rest(r, -s->whole.centre[0]));
  vd_set_metric(out, "cg_left_m", at_rest(r, s->whole.centre[1]));
  vd_set_metric(out, "cg_height_m", at_rest(r, s->cg_height));
  vd_set_metric(out, "roll_inertia_kgm2", at_rest(r, t[0][0]));
  vd_set_metric(out, "pitch_inertia_kgm2", at_rest(r, t[1][1]));
  vd_set_metric(out, "yaw_inertia_kgm2", at_rest(r, t[2][2]));
  vd_set_metric(out, "product_xy_kgm2", at_rest(r, -t[0][1]));
  vd_set_metric(out, "product_xz_kgm2", at_rest(r, -t[0][2]));
  vd_set_metric(out, "product_yz_kgm2", at_rest(r, -t[1][2]));
  vd_set_metric(out, "front_axle_load_N", at_rest(r, load[VD_FL] + load[VD_FR]));
  vd_set_metric(out, "rear_axle_load_N", at_rest(r, load[VD_RL] + load[VD_RR]));
  for (int w = 0; w < VD_WHEELS; w++) {
    vd_set_metric_named(out, at_rest(r, load[w]), "rest_load_%s_N", vd_wheel_names[w]);
    vd_set_metric_named(out, sprung(r, travel[w]), "rest_travel_%s_m", vd_wheel_names[w]);
  }
  vd_set_metric(out, "rest_rise_front_m", sprung(r, s->rise[VD_FRONT]));
  vd_set_metric(out, "rest_rise_rear_m", sprung(r, s->rise[VD_REAR]));
  vd_set_metric(out, "rest_pitch_rad", sprung(r, s->pitch));
  vd_set_metric(out, "rest_roll_rad", sprung(r, s->roll));
}

const vd_metric_set vd_metrics_statics = {
    VD_METRIC_SET(statics, metrics, compute),
    .title = "masses of the car with its loads, and its position at rest on its wheels",
    .needs = VD_NEEDS_STATICS | VD_NEEDS_NO_ROWS};
