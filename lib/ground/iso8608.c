/* Random roads after ISO 8608.
 *
 * The displacement spectral density of a profile is G(n) = G(n0) (n/n0)^-w over the wave number n in cycles/m, n0 =
 * 0.1; the standard's classes A to H have G(n0) = 16e-6 x 4^c m3, c = 0 to 7 (geometric means, Table C.1), and w = 2. A
 * profile of period L is the sum over integers k of
 *   sqrt(2 G(n_k)/L) cos(2 pi n_k x + phi_k),   n_k = k/L,
 * with random phases. Every line has exactly the energy of its band of width 1/L, so every realisation has the spectrum
 * of the class. The heights have a normal distribution by the central limit theorem.
 *
 * The left and the right profile differ only by a random angle theta_k in the phases. Their cross spectrum, averaged
 * over a band, is G times the mean of exp(i theta), so theta is drawn from a distribution whose mean exp(i theta) is g,
 * the square root of the desired squared coherence. This is the wrapped Cauchy distribution, exp(i theta) = (U + g)/(1
 * + g U) for U uniform on the unit circle (McCullagh, Moebius transformation and Cauchy parameter estimation, Annals of
 * Statistics 24, 1996).
 *
 * The same seed gives the same bytes on every machine (noise.h); powers are rounded to single precision, so that errors
 * in their last bits have no effect. */
#include "ground/iso8608_def.h"

#include "base/base.h"
#include "base/elementary.h"
#include "ground/ground_impl.h"
#include "input/schema.h"
#include "math/noise.h"

#include <math.h>
#include <stdint.h>

static const char *const class_names[] = {"A", "B", "C", "D", "E", "F", "G", "H", NULL};
static const char *const coherence_names[] = {"none", "full", "measured", NULL};

/* clang-format off */
static const vd_field rows[] = {
  VD_GROUND_SLOPE_ROWS(VD_GROUND_ISO8608),
  VD_GROUND_NUMBER(VD_GROUND_ISO8608, "500 m", iso8608.length, "length", "m", 0, 1e5, VD_ABOVE | VD_AUTO, "auto",
     "length after which the road repeats; auto: 1000 m"),
  {VD_F_CHOICE(vd_ground_def, iso8608.road_class, "class", class_names, "C",
     "class of ISO 8608"), .only = VD_WHEN(VD_GROUND_ISO8608)},
  VD_GROUND_NUMBER(VD_GROUND_ISO8608, "64e-6 m3", iso8608.roughness, "roughness", "m3", 0, 1, VD_ABOVE | VD_AUTO,
     "auto", "displacement spectral density at 0.1 cycles/m; auto: the value of the class"),
  {VD_F_NUMBER(vd_ground_def, iso8608.waviness, "waviness", "1", 1, 4, 0, "2",
     "power by which the density falls over the wave number"), .only = VD_WHEN(VD_GROUND_ISO8608)},
  VD_GROUND_NUMBER(VD_GROUND_ISO8608, "0.02 1/m", iso8608.n_from, "n_from", "1/m", 0, 20, VD_ABOVE | VD_AUTO, "auto",
     "first wave number, cycles; auto: 0.011"),
  VD_GROUND_NUMBER(VD_GROUND_ISO8608, "4 1/m", iso8608.n_to, "n_to", "1/m", 0, 20, VD_ABOVE | VD_AUTO, "auto",
     "last wave number, cycles; auto: 4"),
  {VD_F_INTEGER(vd_ground_def, iso8608.seed, "seed", 0, 2147483647, "1",
     "seed of the random road"), .only = VD_WHEN(VD_GROUND_ISO8608)},
  {VD_F_CHOICE(vd_ground_def, iso8608.coherence, "coherence", coherence_names, "measured",
     "coherence of the left and the right profile: none, full, or falling with the wave number as measured"),
   .only = VD_WHEN(VD_GROUND_ISO8608)},
  {VD_F_NUMBER(vd_ground_def, iso8608.track, "track", "m", 0.1, 10, 0, "1.55",
     "distance of the left and the right profile"), .only = VD_WHEN(VD_GROUND_ISO8608)},
};
/* clang-format on */

static const double n0 = 0.1;        /* 1/m */
static const double max_waves = 5e4; /* waves in a period: 32 MiB */
enum { PER_BLOCK = 16 };

/* least number of samples in the shortest wave: the root-mean-square error of a cubic spline is then 5e-4 of the wave's
 * amplitude */
static const double per_wave = 8;

/* --- spectrum --- */

static double power(double base, double exponent) {
  return (double)(float)vd_pow(base, exponent);
}

static double density(const vd_iso8608_def *road, double n) {
  double ratio = n0 / n;
  return road->roughness * (road->waviness == 2.0 ? ratio * ratio : power(ratio, road->waviness));
}

/* Returns g, the square root of the squared coherence of two tracks at the distance t. For the measured coherence, g^2
 * is [1 + (2 pi n t^a/p)^w]^-q by Ammon (Problems in road surface modelling, Vehicle System Dynamics 20, 1992), with
 * the figures of a main road of asphalt concrete, a = 0.97, p = 3.3 rad/m, w = 2.2, q = 0.88, as Project Chrono lists
 * them for its random terrain. */
static double coherence(const vd_iso8608_def *road, double n) {
  switch ((enum vd_coherence)road->coherence) {
  case VD_COHERENCE_NONE: return 0.0;
  case VD_COHERENCE_FULL: return 1.0;
  case VD_COHERENCE_MEASURED: break;
  }
  double wide = 2.0 * VD_PI * n * power(road->track, 0.97) / 3.3;
  return power(1.0 + power(wide, 2.2), -0.5 * 0.88);
}

/* Two functions return the indices k of the first and the last line of the spectrum. A line at n_from or n_to is
 * included even if its product with the length is not exactly a whole number because of rounding. */
static double first_line(const vd_iso8608_def *road) {
  return vd_max(ceil(road->n_from * road->length - 1e-9), 1.0);
}

static double last_line(const vd_iso8608_def *road) {
  return floor(road->n_to * road->length + 1e-9);
}

/* --- synthesis --- */

/* Sets the lines of the complex profile left + i right in the frequency domain. Let a and b be the lines of the left
 * and the right profile at a wave number. The complex profile then has the line a + i b at this wave number, and
 * conj(a) + i conj(b) at the negative one. The B-spline coefficients c of a periodic cubic spline through samples z
 * obey (c[j-1] + 4 c[j] + c[j+1])/6 = z[j], which for a wave of the angle 2 pi k/n per sample is a division by (2 +
 * cos)/3. */
static void add_lines(const vd_iso8608_def *road, vd_phasor *x, size_t n, const vd_phasor *w) {
  uint64_t state = (uint64_t)road->seed;
  size_t first = (size_t)first_line(road), last = (size_t)last_line(road);
  /* random numbers are also drawn for lines below the first, so that the phases of the others do not depend on n_from
   * and n_to */
  for (size_t k = 1; k <= last; k++) {
    vd_phasor phase = vd_noise_direction(&state), u = vd_noise_direction(&state);
    double wave = (double)k / road->length, g = k < first ? 0.0 : coherence(road, wave);
    if (k < first)
      continue;
    vd_phasor above = {u.re + g, u.im}, below = {1.0 + g * u.re, g * u.im}, turn = {1.0, 0.0};
    double square = below.re * below.re + below.im * below.im;
    if (g < 1.0)
      turn = (vd_phasor){(above.re * below.re + above.im * below.im) / square,
                         (above.im * below.re - above.re * below.im) / square};
    double size = 0.5 * sqrt(2.0 * density(road, wave) / road->length) * 3.0 / (2.0 + w[k].re);
    vd_phasor a = {size * phase.re, size * phase.im}, b = vd_phasor_times(a, turn);
    x[k] = (vd_phasor){a.re - b.im, a.im + b.re};
    x[n - k] = (vd_phasor){a.re + b.im, b.re - a.im};
  }
}

/* Computes the cubic between two samples from the four B-splines that are not zero there. It writes every second entry
 * of out; the entries between belong to the other track. */
static void cubic(double c0, double c1, double c2, double c3, double *out) {
  out[0] = (c0 + 4.0 * c1 + c2) / 6.0;
  out[2] = 0.5 * (c2 - c0);
  out[4] = 0.5 * (c0 - 2.0 * c1 + c2);
  out[6] = (c3 - 3.0 * c2 + 3.0 * c1 - c0) / 6.0;
}

/* Computes the greatest upward curvature of each block; the second derivative of a cubic is greatest at one of its
 * ends. Also bounds the difference of the two tracks. The cubics are functions of u, in units of a piece. */
static void bound_curvature(vd_iso8608 *road, size_t n, vd_arena *arena) {
  size_t blocks = (n + PER_BLOCK - 1) / PER_BLOCK;
  double *bend = vd_arena_alloc(arena, 2 * blocks * sizeof *bend);
  for (size_t i = 0; i < 2 * blocks; i++)
    bend[i] = 0.0;
  for (size_t i = 0; i < n; i++) {
    const double *c = road->piece + 8 * i, *next = c + 8;
    for (int side = 0; side < 2; side++) {
      double *sharpest = &bend[2 * (i / PER_BLOCK) + (size_t)side],
             samples_per_m2 = road->samples_per_m * road->samples_per_m;
      *sharpest =
          vd_fast_max(*sharpest, 2.0 * samples_per_m2 * vd_fast_max(c[4 + side], c[4 + side] + 3.0 * c[6 + side]));
    }
    /* bounds of the difference of both tracks and of its slope, by the Bernstein coefficients of a cubic and of its
     * derivative */
    double a = c[0] - c[1], b = c[2] - c[3], d = next[0] - next[1], e = next[2] - next[3];
    road->apart = vd_fast_max(
        road->apart, vd_fast_max(vd_fast_max(fabs(a), fabs(d)), vd_fast_max(fabs(a + b / 3.0), fabs(d - e / 3.0))));
    double middle = b + c[4] - c[5];
    road->apart_slope =
        vd_fast_max(road->apart_slope, road->samples_per_m * vd_fast_max(vd_fast_max(fabs(b), fabs(e)), fabs(middle)));
  }
  road->bend = bend;
  road->blocks = (double)blocks;
}

static bool sound(const vd_iso8608_def *road) {
  return road->n_from < road->n_to && road->n_to * road->length <= max_waves && first_line(road) <= last_line(road);
}

static void complete(const vd_ground_context *ctx, vd_ground_def *def, vd_arena *arena) {
  vd_iso8608_def *road = &def->iso8608;
  (void)ctx;
  road->length = isnan(road->length) ? 1000.0 : road->length;
  road->n_from = isnan(road->n_from) ? 0.011 : road->n_from;
  road->n_to = isnan(road->n_to) ? 4.0 : road->n_to;
  if (isnan(road->roughness))
    road->roughness = 16e-6 * (double)(1 << (2 * road->road_class));
  if (!sound(road))
    return;
  size_t n = 8;
  while ((double)n < per_wave * last_line(road))
    n *= 2;
  vd_arena *scratch = vd_arena_create();
  const vd_phasor *w = vd_noise_roots(n, scratch);
  vd_phasor *c = vd_arena_alloc(scratch, n * sizeof *c);
  double *piece = vd_arena_alloc(arena, (n + 1) * 8 * sizeof *piece);
  add_lines(road, c, n, w);
  vd_noise_transform(c, n, w);
  for (size_t i = 0; i <= n; i++) {
    const vd_phasor *before = &c[(i + n - 1) % n], *here = &c[i % n], *next = &c[(i + 1) % n], *last = &c[(i + 2) % n];
    cubic(before->re, here->re, next->re, last->re, piece + 8 * i);
    cubic(before->im, here->im, next->im, last->im, piece + 8 * i + 1);
  }
  vd_arena_destroy(scratch);
  road->road = (vd_iso8608){
      .piece = piece,
      .samples = (double)n,
      .inverse_length = 1.0 / road->length,
      .inverse_track = 1.0 / road->track,
      .samples_per_m = (double)n / road->length,
  };
  bound_curvature(&road->road, n, arena);
}

static void check(const vd_ground_context *ctx, const vd_ground_def *def) {
  const vd_iso8608_def *road = &def->iso8608;
  bool written = vd_tree_get(vd_tree_find(ctx->root, ctx->path), "n_to") != NULL;
  vd_place at = vd_ground_place(ctx, written ? "n_to" : "length");
  if (!(road->n_from < road->n_to))
    vd_error(ctx->d, vd_ground_place(ctx, written ? "n_to" : "n_from"), "n_to (%g 1/m) must lie above n_from (%g 1/m)",
             road->n_to, road->n_from);
  else if (!(road->n_to * road->length <= max_waves))
    vd_error(ctx->d, at, "n_to makes %g waves in the length (%g m); at most %g", road->n_to * road->length,
             road->length, max_waves);
  else if (!sound(road))
    vd_error(ctx->d, at, "no wave that fits the length (%g m) a whole number of times lies between n_from and n_to",
             road->length);
}

/* --- surface --- */

/* Adds the left profile for y >= track/2, the right one for y <= -track/2, and between them a smooth step from one to
 * the other, so that the road has no slope across it under the wheels. */
static void raise(const vd_ground *ground, double x, double y, vd_road *road) {
  const vd_iso8608 *p = &ground->as.iso8608;
  double turn = x * p->inverse_length, share_slope, share = vd_smooth_step(y * p->inverse_track + 0.5, &share_slope);
  double s = (turn - floor(turn)) * p->samples; /* up to `samples` itself, by rounding */
  if (!(s >= 0.0))                              /* x is NAN: z of the plane is NAN already */
    return;
  int i = (int)s;
  double u = s - (double)i;
  const double *c = p->piece + (ptrdiff_t)8 * i;
  double left = c[0] + u * (c[2] + u * (c[4] + u * c[6]));
  double right = c[1] + u * (c[3] + u * (c[5] + u * c[7]));
  double left_slope = c[2] + u * (2.0 * c[4] + u * (3.0 * c[6]));
  double right_slope = c[3] + u * (2.0 * c[5] + u * (3.0 * c[7]));
  vd_raise(road, right + share * (left - right), (right_slope + share * (left_slope - right_slope)) * p->samples_per_m,
           share_slope * p->inverse_track * (left - right));
}

/* Computes bounds of the second derivatives. Between the two profiles, d2z/dx2 lies between the values of both. */
static void curvature(const vd_ground *ground, const vd_box *box, vd_curvature_bounds *b) {
  const vd_iso8608 *p = &ground->as.iso8608;
  double per_block = 1.0 / PER_BLOCK, first = floor(box->x.low * p->samples_per_m * per_block);
  double count = floor(box->x.high * p->samples_per_m * per_block) - first + 1.0;
  count = count < p->blocks ? count : p->blocks;
  first = isfinite(first) ? first - p->blocks * floor(first / p->blocks) : 0.0;
  vd_span left = vd_span_rise(vd_span_line(box->y, -0.5 / p->inverse_track, p->inverse_track));
  size_t block = (size_t)first, last = (size_t)p->blocks;
  for (double i = 0.0; i < count; i += 1.0) {
    const double *bend = p->bend + 2 * (block < last ? block : 0);
    block = block + 1 < last ? block + 1 : 0;
    b->xx = vd_fast_max(b->xx, left.value.high > 0.0 ? bend[0] : 0.0);
    b->xx = vd_fast_max(b->xx, left.value.low < 1.0 ? bend[1] : 0.0);
  }
  b->yy = vd_range_size(left.bend) * p->apart;
  b->xy = vd_range_size(left.slope) * p->apart_slope;
}

static void build(const vd_ground_def *def, vd_ground_shape *shape) {
  shape->iso8608 = def->iso8608.road;
}

const vd_ground_variant vd_iso8608_variant = {
    .rows = {.field = rows, .count = VD_COUNT(rows)},
    .surface = VD_SURFACE_HEIGHTS,
    .complete = complete,
    .check = check,
    .build = build,
    .waves = {"n_to", offsetof(vd_ground_def, iso8608.n_to), 0.0},
    .raise = raise,
    .raise_four = vd_iso8608_raise_four,
    .curvature = curvature,
};
