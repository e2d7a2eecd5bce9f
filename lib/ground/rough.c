#include "ground/rough.h"

#include "base/base.h"
#include "base/elementary.h"
#include "ground/ground_impl.h"
#include "input/schema.h"

/* clang-format off */
static const vd_field rows[] = {
  VD_GROUND_SLOPE_ROWS(VD_GROUND_ROUGH),
  VD_GROUND_AMPLITUDE_ROW(VD_GROUND_ROUGH, as.rough.amplitude),
  VD_GROUND_NUMBER(VD_GROUND_ROUGH, "12 m", as.rough.wavelength, "wavelength", "m", 0, 1e4, VD_ABOVE, NULL,
     "length of the longer wave; the shorter wave has 0.37 times this length and half the amplitude"),
};
/* clang-format on */

#define SHORTER 0.37 /* length of the shorter wave in wavelengths */

/* Adds z = A [sin(k x) + 1/2 sin(k x/0.37 + 1.3)]. With this ratio of the lengths the profile does not repeat within a
 * short distance. */
static void raise(const vd_ground *ground, double x, double y, vd_road *road) {
  const vd_rough *p = &ground->as.rough;
  double k = 2.0 * VD_PI / p->wavelength, short_k = k / SHORTER;
  double u = k * x, v = short_k * x + 1.3;
  (void)y;
  vd_raise(road, p->amplitude * (vd_sin(u) + 0.5 * vd_sin(v)),
           p->amplitude * (k * vd_cos(u) + 0.5 * short_k * vd_cos(v)), 0.0);
}

static vd_span wave(vd_range x, double k, double ahead) {
  vd_span turn = vd_span_line(x, -ahead / k, k);
  return vd_span_of(vd_span_sine(turn.value), turn);
}

static void curvature(const vd_ground *ground, const vd_box *box, vd_curvature_bounds *b) {
  const vd_rough *p = &ground->as.rough;
  double k = 2.0 * VD_PI / p->wavelength;
  vd_span both = vd_span_plus(wave(box->x, k, 0.0), vd_span_scaled(wave(box->x, k / SHORTER, 1.3), 0.5));
  *b = vd_curvature_of_product(vd_span_scaled(both, p->amplitude), vd_span_constant(1.0));
}

static void check(const vd_ground_context *ctx, const vd_ground_def *def) {
  const vd_rough *p = &def->as.rough;
  vd_ground_check_slope(ctx, "amplitude", 2.0 * VD_PI * p->amplitude / p->wavelength * (1.0 + 0.5 / SHORTER));
}

const vd_ground_variant vd_rough_variant = {
    .rows = {.field = rows, .count = VD_COUNT(rows)},
    .surface = VD_SURFACE_HEIGHTS,
    .check = check,
    .waves = {"wavelength", offsetof(vd_ground_def, as.rough.wavelength), SHORTER},
    .raise = raise,
    .curvature = curvature,
};
