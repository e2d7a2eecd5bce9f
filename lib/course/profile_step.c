/* Constant, step and ramp: at most one change along a straight line. */
#include "course/profile_impl.h"

#include "base/base.h"
#include "input/schema.h"

static const vd_field constant_fields[] = {
    VD_PROFILE_VALUE(constant, VD_PROFILE_CONSTANT),
};
static const vd_field step_fields[] = {
    VD_PROFILE_VALUE(step, VD_PROFILE_STEP),
    VD_PROFILE_START(step, VD_PROFILE_STEP),
    VD_PROFILE_NUMBER(step.rise, VD_PROFILE_STEP, "rise", "s", 0, 1e6, VD_AUTO, "0",
                      "time of the linear rise from 0 to 100 %; 0: at once; auto: as for `value`"),
};
static const vd_field ramp_fields[] = {
    VD_PROFILE_START(ramp, VD_PROFILE_RAMP),
    VD_PROFILE_NUMBER(ramp.rate, VD_PROFILE_RAMP, "rate", "@/s", -1e12, 1e12, VD_AUTO, NULL,
                      "slope; auto: found by a rule of the scenario's key `auto`"),
    VD_PROFILE_NUMBER(ramp.duration, VD_PROFILE_RAMP, "duration", "s", 0, 1e6, VD_ABOVE | VD_AUTO, NULL,
                      "time from start to end; the value at the end is kept; auto: until the bound of the input, such "
                      "as the steering's lock"),
};

const vd_schema vd_profile_constant_rows = {.field = constant_fields, .count = VD_COUNT(constant_fields)};
const vd_schema vd_profile_step_rows = {.field = step_fields, .count = VD_COUNT(step_fields)};
const vd_schema vd_profile_ramp_rows = {.field = ramp_fields, .count = VD_COUNT(ramp_fields)};

void vd_profile_step_at(const vd_profile_step *p, double inside, double t, double *value, double *rate) {
  *value = p->from;
  if (inside >= p->start + p->rise) {
    *value = p->value;
  } else if (inside > p->start) {
    *rate = (p->value - p->from) / p->rise;
    *value = p->from + *rate * (t - p->start);
  }
}

double vd_profile_step_corner(const vd_profile_step *p, double t) {
  return vd_profile_corner_after(t, (const double[]){p->start, p->start + p->rise}, 2);
}

void vd_profile_ramp_at(const vd_profile_ramp *p, double inside, double t, double *value, double *rate) {
  *value = p->from;
  if (inside >= p->start + p->duration) {
    *value = p->from + p->rate * p->duration;
  } else if (inside > p->start) {
    *value = p->from + p->rate * (t - p->start);
    *rate = p->rate;
  }
}

double vd_profile_ramp_corner(const vd_profile_ramp *p, double t) {
  return vd_profile_corner_after(t, (const double[]){p->start, p->start + p->duration}, 2);
}
