#include "ground/sweep.h"

#include "base/base.h"
#include "base/elementary.h"
#include "ground/ground_impl.h"
#include "input/schema.h"

#include <math.h>

/* clang-format off */
static const vd_field rows[] = {
  VD_GROUND_SLOPE_ROWS(VD_GROUND_SWEEP),
  VD_GROUND_AT_ROW(VD_GROUND_SWEEP, as.sweep.at),
  VD_GROUND_AMPLITUDE_ROW(VD_GROUND_SWEEP, as.sweep.amplitude),
  VD_GROUND_LENGTH_ROW(VD_GROUND_SWEEP, as.sweep.length),
  VD_GROUND_WAVES_EDGE_ROW(VD_GROUND_SWEEP, as.sweep.edge),
  VD_GROUND_SIDE_ROWS(VD_GROUND_SWEEP, as.sweep.sides),
  VD_GROUND_SIDE_EDGE_ROW(VD_GROUND_SWEEP, as.sweep.sides.edge),
  VD_GROUND_NUMBER(VD_GROUND_SWEEP, "0.1 1/m", as.sweep.n_from, "n_from", "1/m", 0, 20, VD_ABOVE, NULL,
     "first wave number, cycles"),
  VD_GROUND_NUMBER(VD_GROUND_SWEEP, "1 1/m", as.sweep.n_to, "n_to", "1/m", 0, 20, VD_ABOVE, NULL,
     "last wave number, cycles"),
  {VD_F_FLAG(vd_ground_def, as.sweep.logarithmic, "logarithmic", "false",
     "the wave number grows exponentially instead of linearly"), .only = VD_WHEN(VD_GROUND_SWEEP)},
  {VD_F_FLAG(vd_ground_def, as.sweep.constant_slope, "constant_slope", "false",
     "the amplitude belongs to the first wave, and falls as the wave number rises"), .only = VD_WHEN(VD_GROUND_SWEEP)},
};
/* clang-format on */

/* Computes the wave number n(s), its slope, and its integral, the phase in cycles; s counts from the start.
 *   linear:        n = a + (b - a) s/L,   phase = a s + (b - a) s^2/(2 L)
 *   logarithmic:   n = a r^(s/L),         phase = (n - a) L/ln r,   with r = b/a
 * A logarithmic sweep has equal lengths for equal ratios of n. */
static double phase_at(const vd_wave_sweep *p, double s, double *n, double *n_slope) {
  double a = p->n_from, b = p->n_to, length = p->length;
  if (p->logarithmic) {
    double rate = vd_log(b / a) / length;
    *n = a * vd_exp(rate * s);
    *n_slope = *n * rate;
    return (*n - a) / rate;
  }
  *n_slope = (b - a) / length;
  *n = a + *n_slope * s;
  return s * (a + 0.5 * *n_slope * s);
}

/* Adds the product of amplitude, window and sine, which are functions of s. If constant_slope is set, the amplitude
 * falls as 1/n, so that 2 pi n A is constant. */
static void raise(const vd_ground *ground, double x, double y, vd_road *road) {
  const vd_wave_sweep *p = &ground->as.sweep;
  double s = x - p->at, n, n_slope, share_slope;
  if (s <= 0.0 || s >= p->length)
    return;
  double phase = 2.0 * VD_PI * phase_at(p, s, &n, &n_slope);
  double share = vd_window(0.0, p->length, p->edge, s, &share_slope);
  double a = p->amplitude, a_slope = 0.0;
  if (p->constant_slope) {
    a *= p->n_from / n;
    a_slope = -a * n_slope / n;
  }
  double sine = vd_sin(phase), sine_slope = 2.0 * VD_PI * n * vd_cos(phase);
  double slope = (a_slope * share + a * share_slope) * sine + a * share * sine_slope;
  vd_raise_between(&p->sides, a * share * sine, slope, y, road);
}

/* Bounds the second derivatives. The phase, n and the amplitude are monotone functions of s, so that the values at both
 * ends bound them. */
static void curvature(const vd_ground *ground, const vd_box *box, vd_curvature_bounds *b) {
  const vd_wave_sweep *p = &ground->as.sweep;
  vd_range s = {box->x.low - p->at, box->x.high - p->at};
  if (!vd_range_overlaps(s, 0.0, p->length))
    return;
  s = vd_range_clamped(s, 0.0, p->length);
  double n[2], n_slope[2], turn = 2.0 * VD_PI;
  vd_range cycles = {phase_at(p, s.low, &n[0], &n_slope[0]), phase_at(p, s.high, &n[1], &n_slope[1])};
  vd_span phase = {vd_range_scaled(cycles, turn), {turn * n[0], turn * n[1]}, {turn * n_slope[0], turn * n_slope[1]}};
  vd_span waves = vd_span_of(vd_span_sine(phase.value), phase), a = vd_span_constant(p->amplitude);
  if (p->constant_slope) { /* 1/n and its derivatives -n'/n^2 and 2 n'^2/n^3 - n''/n^2, with n'' = 0 or n'^2/n */
    double first = n_slope[1] / (n[0] * n[0]), second = 2.0 * n_slope[1] * n_slope[1] / (n[0] * n[0] * n[0]);
    a = vd_span_scaled((vd_span){{1.0 / n[1], 1.0 / n[0]}, {-first, 0.0}, {0.0, second}}, p->amplitude * p->n_from);
  }
  vd_span share = vd_span_window(0.0, p->length, p->edge, s);
  *b = vd_curvature_between(&p->sides, vd_span_times(vd_span_times(a, share), waves), box->y);
}

static void complete(const vd_ground_context *ctx, vd_ground_def *def, vd_arena *arena) {
  vd_wave_sweep *p = &def->as.sweep;
  (void)ctx, (void)arena;
  if (isnan(p->edge))
    p->edge = vd_min(1.0 / p->n_from, 0.5 * p->length);
}

static void check(const vd_ground_context *ctx, const vd_ground_def *def) {
  const vd_wave_sweep *p = &def->as.sweep;
  if (!(p->n_from < p->n_to)) {
    vd_error(ctx->d, vd_ground_place(ctx, "n_to"), "n_to (%g 1/m) must lie above n_from (%g 1/m)", p->n_to, p->n_from);
    return;
  }
  vd_ground_check_edge(ctx, p->edge, p->length, "length");
  vd_ground_check_slope(ctx, "amplitude", 2.0 * VD_PI * p->amplitude * (p->constant_slope ? p->n_from : p->n_to));
  vd_ground_check_sides(ctx, &p->sides, p->amplitude);
}

const vd_ground_variant vd_sweep_variant = {
    .rows = {.field = rows, .count = VD_COUNT(rows)},
    .surface = VD_SURFACE_HEIGHTS,
    .complete = complete,
    .check = check,
    .waves = {"n_to", offsetof(vd_ground_def, as.sweep.n_to), 0.0},
    .raise = raise,
    .curvature = curvature,
};
