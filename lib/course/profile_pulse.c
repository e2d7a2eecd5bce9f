/* Pulses: the value leaves `from` and returns to it once. */
#include "course/profile_impl.h"

#include "base/base.h"
#include "base/elementary.h"
#include "input/schema.h"

static const char *const shape_names[] = {"triangle", "half_sine", "rectangle", NULL};

static const vd_field pulse_fields[] = {
    VD_PROFILE_START(pulse, VD_PROFILE_PULSE),
    VD_PROFILE_AMPLITUDE(pulse, VD_PROFILE_PULSE),
    VD_PROFILE_DURATION(pulse, VD_PROFILE_PULSE),
    {VD_F_CHOICE(vd_profile_def, profile.as.pulse.shape, "shape", shape_names, "triangle", "shape of the pulse"),
     .only = VD_WHEN(VD_PROFILE_PULSE)},
};

const vd_schema vd_profile_pulse_rows = {.field = pulse_fields, .count = VD_COUNT(pulse_fields)};

void vd_profile_pulse_at(const vd_profile_pulse *p, double inside, double t, double *value, double *rate) {
  *value = p->from;
  if (inside < p->start || inside >= p->start + p->duration)
    return;
  double s = t - p->start, slope = 2.0 * p->amplitude / p->duration, w = VD_PI / p->duration;
  switch ((enum vd_pulse_shape)p->shape) {
  case VD_PULSE_TRIANGLE:
    if (inside < p->start + 0.5 * p->duration) {
      *value += slope * s;
      *rate = slope;
    } else {
      *value += slope * (p->duration - s);
      *rate = -slope;
    }
    break;
  case VD_PULSE_HALF_SINE:
    *value += p->amplitude * vd_sin(w * s);
    *rate = p->amplitude * w * vd_cos(w * s);
    break;
  case VD_PULSE_RECTANGLE: *value += p->amplitude; break;
  }
}

double vd_profile_pulse_corner(const vd_profile_pulse *p, double t) {
  double peak = p->start + (p->shape == VD_PULSE_TRIANGLE ? 0.5 : 1.0) * p->duration;
  return vd_profile_corner_after(t, (const double[]){p->start, peak, p->start + p->duration}, 3);
}
