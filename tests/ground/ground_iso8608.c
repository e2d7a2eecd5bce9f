/* Random roads: spectrum compared with the classes of ISO 8608, coherence of the two tracks, repetition, and the same
 * bytes for the same seed.
 *
 * Profiles are sampled through vd_ground_road, between the generator's own samples, and transformed by GSL. A whole
 * period has no leakage, so that line k of the periodogram contains the wave number k/length alone. */
#include "base/base.h"
#include "ground/ground_def.h"
#include "tap.h"

#include <gsl/gsl_fft_complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 1 << 16 };

typedef struct road {
  vd_arena *arena;
  vd_ground_def def;
  vd_ground ground;
} road;

static void make(road *r, int road_class, int seed, int coherence) {
  *r = (road){.arena = vd_arena_create(),
              .def = {.type = VD_GROUND_ISO8608,
                      .friction = 1.0,
                      .iso8608 = {.road_class = road_class,
                                  .roughness = NAN,
                                  .waviness = 2.0,
                                  .n_from = 0.011,
                                  .n_to = 4.0,
                                  .length = 1000.0,
                                  .seed = seed,
                                  .coherence = coherence,
                                  .track = 1.55}}};
}

static void complete(road *r) {
  vd_diag *d = vd_diag_create();
  vd_ground_complete(&r->def, NULL, "", r->arena, d);
  vd_ground_check(&r->def, NULL, "", d);
  if (vd_diag_errors(d) > 0)
    vd_diag_print(d, stderr, false);
  vd_diag_destroy(d);
  vd_ground_build(&r->def, &r->ground);
}

static void finish(road *r) {
  vd_arena_destroy(r->arena);
}

/* Returns the complex amplitudes of a track over one period, [SAMPLES][2]. */
static double *transform(const road *r, double y) {
  double *z = malloc(2 * SAMPLES * sizeof *z);
  if (!z)
    abort();
  for (size_t i = 0; i < SAMPLES; i++) {
    vd_road at;
    vd_ground_road(&r->ground, 0.00371 + r->def.iso8608.length * (double)i / SAMPLES, y, &at);
    z[2 * i] = at.z;
    z[2 * i + 1] = 0.0;
  }
  gsl_fft_complex_radix2_forward(z, 1, SAMPLES);
  for (size_t i = 0; i < 2 * SAMPLES; i++)
    z[i] /= SAMPLES;
  return z;
}

/* Returns the one-sided density of line k: 2 |c|^2 per 1/length. */
static double density(const double *c, size_t k, double length) {
  return 2.0 * (c[2 * k] * c[2 * k] + c[2 * k + 1] * c[2 * k + 1]) * length;
}

/* Returns the mean density over the lines of a band of one octave, relative to the mean of G in the band; dB. */
static double octave_error(const road *r, const double *c, double g0, double w, double n_from) {
  double got = 0.0, expected = 0.0;
  for (size_t k = (size_t)ceil(n_from * r->def.iso8608.length); (double)k < 2.0 * n_from * r->def.iso8608.length; k++) {
    got += density(c, k, r->def.iso8608.length);
    expected += g0 * pow((double)k / r->def.iso8608.length / 0.1, -w);
  }
  return 10.0 * log10(got / expected);
}

/* Returns the greatest error, dB, of the octaves from 0.02 to 2.56 cycles/m, on both tracks. */
static double spectrum_error(const road *r, double g0, double w) {
  double worst = 0.0;
  for (int side = -1; side <= 1; side += 2) {
    double *c = transform(r, side * 0.5 * r->def.iso8608.track);
    for (double n = 0.02; n < 2.0; n *= 2.0) {
      double off = fabs(octave_error(r, c, g0, w, n));
      worst = tap_max(worst, off);
    }
    free(c);
  }
  return worst;
}

/* Checks the spectra of the classes, whose geometric means are those of Table C.1 of ISO 8608. */
static void check_spectrum(void) {
  static const double g0[] = {16e-6, 64e-6, 256e-6, 1024e-6, 4096e-6, 16384e-6, 65536e-6, 262144e-6};
  static const int seeds[] = {0, 1, 2147483647};
  for (int k = 0; k < 8; k++) {
    double worst = 0.0;
    for (size_t i = 0; i < VD_COUNT(seeds); i++) {
      road r;
      make(&r, k, seeds[i], (int)i);
      complete(&r);
      double off = spectrum_error(&r, g0[k], 2.0);
      worst = tap_max(worst, off);
      finish(&r);
    }
    tap_near(worst, 0.0, 0.1, "class %c: octaves from 0.02 to 2.56 cycles/m within 0.1 dB, three seeds", 'A' + k);
  }
  road r;
  make(&r, 0, 5, VD_COHERENCE_NONE);
  r.def.iso8608.roughness = 100e-6;
  r.def.iso8608.waviness = 2.5;
  complete(&r);
  tap_near(spectrum_error(&r, 100e-6, 2.5), 0.0, 0.1, "the spectrum has a given roughness and waviness, within 0.1 dB");
  double *c = transform(&r, 0.775), outside = 0.0;
  for (size_t k = 0; k < SAMPLES / 2; k++)
    if (k < 11 || (k > 4000 && k < 20000))
      outside = tap_max(outside, density(c, k, 1000.0) / (100e-6 * pow(40.0, -2.5)));
  tap_ok(outside < 1e-9 && density(c, 11, 1000.0) > 0.0 && density(c, 4000, 1000.0) > 0.0,
         "the spectrum has lines from n_from to n_to and no others");
  free(c);
  finish(&r);
}

/* Checks that heights are normal: their variance is the integral of G from n_from to n_to, G0 n0^2 (1/n_from - 1/n_to),
 * the kurtosis is 3. The few longest waves carry most of the variance, so one road's figures scatter; slopes are spread
 * over all lines. Variance of the slope: 4 pi^2 G0 n0^2 (n_to - n_from). */
static void check_distribution(void) {
  road r;
  make(&r, 2, 3, VD_COHERENCE_MEASURED);
  complete(&r);
  double square = 0.0, fourth = 0.0, slopes = 0.0, slope_fourth = 0.0;
  for (int i = 0; i < SAMPLES; i++) {
    vd_road at;
    vd_ground_road(&r.ground, 1000.0 * i / SAMPLES, 0.775, &at);
    square += at.z * at.z / SAMPLES;
    fourth += pow(at.z, 4.0) / SAMPLES;
    slopes += at.slope_x * at.slope_x / SAMPLES;
    slope_fourth += pow(at.slope_x, 4.0) / SAMPLES;
  }
  double sum = 0.0;
  for (int k = 11; k <= 4000; k++)
    sum += 256e-6 * 1e4 / ((double)k * k) / 1000.0;
  tap_near(square / sum, 1.0, 1e-4, "the variance of the heights is the sum of the lines");
  tap_near(slopes / (4.0 * VD_PI * VD_PI * 256e-6 * 0.01 * (4.0 - 0.011)), 1.0, 2e-3,
           "the variance of the slopes is the integral of their spectrum");
  tap_near(slope_fourth / (slopes * slopes), 3.0, 0.1, "slopes are normal: kurtosis 3");
  tap_diag("kurtosis of the heights %.2f", fourth / (square * square));
  finish(&r);
}

/* Returns the squared coherence of the two tracks over the lines from n_from to n_to: |mean of L conj(R)|^2 over the
 * product of the means of |L|^2 and |R|^2, each line divided by its density. For m independent lines without coherence
 * its mean value is 1/m. */
static double coherence(const road *r, double n_from, double n_to, int *lines) {
  double *a = transform(r, 0.5 * r->def.iso8608.track), *b = transform(r, -0.5 * r->def.iso8608.track);
  double re = 0.0, im = 0.0, aa = 0.0, bb = 0.0;
  *lines = 0;
  for (size_t k = (size_t)ceil(n_from * r->def.iso8608.length); (double)k < n_to * r->def.iso8608.length;
       k++, ++*lines) {
    double weight = (double)k * (double)k;
    re += weight * (a[2 * k] * b[2 * k] + a[2 * k + 1] * b[2 * k + 1]);
    im += weight * (a[2 * k + 1] * b[2 * k] - a[2 * k] * b[2 * k + 1]);
    aa += weight * (a[2 * k] * a[2 * k] + a[2 * k + 1] * a[2 * k + 1]);
    bb += weight * (b[2 * k] * b[2 * k] + b[2 * k + 1] * b[2 * k + 1]);
  }
  free(a);
  free(b);
  return (re * re + im * im) / (aa * bb);
}

/* Returns Ammon's coherence with the figures of the manual. */
static double ammon(double n, double track) {
  return pow(1.0 + pow(2.0 * VD_PI * n * pow(track, 0.97) / 3.3, 2.2), -0.88);
}

static void check_coherence(void) {
  static const double bands[] = {0.02, 0.1, 0.3, 0.6, 1.2, 3.9};
  for (int wanted = VD_COHERENCE_NONE; wanted <= VD_COHERENCE_MEASURED; wanted++) {
    road r;
    make(&r, 2, 11, wanted);
    if (wanted == VD_COHERENCE_MEASURED) {
      r.def.iso8608.length = 4000.0;
      r.def.iso8608.n_to = 4.0;
    }
    complete(&r);
    for (size_t i = 0; i + 1 < VD_COUNT(bands); i++) {
      int lines;
      double got = coherence(&r, bands[i], bands[i + 1], &lines), root = 0.0;
      if (wanted == VD_COHERENCE_NONE) {
        /* the distribution is exponential with mean 1/m, above 7/m once in a thousand */
        tap_ok(got < 7.0 / lines, "without coherence: the tracks have %.4f from %g to %g cycles/m, by %d lines", got,
               bands[i], bands[i + 1], lines);
      } else if (wanted == VD_COHERENCE_FULL) {
        tap_near(got, 1.0, 1e-12, "full: the coherence from %g to %g cycles/m is 1", bands[i], bands[i + 1]);
      } else {
        for (int k = 0; k < lines; k++)
          root += sqrt(ammon(bands[i] + (bands[i + 1] - bands[i]) * (k + 0.5) / lines, 1.55)) / lines;
        /* the mean of m values cos(theta) with mean g has the variance (1 - g^2)/(2 m); the bound is three standard
         * deviations */
        tap_near(sqrt(got), root, 3.0 * sqrt((1.0 - root * root) / (2.0 * lines)),
                 "measured: the root of the coherence is %.3f from %g to %g cycles/m", root, bands[i], bands[i + 1]);
      }
    }
    finish(&r);
  }
}

static size_t bytes(const road *r) {
  return ((size_t)r->ground.as.iso8608.samples + 1) * 8 * sizeof(double);
}

static bool same_bytes(const road *a, const road *b) {
  return bytes(a) == bytes(b) && memcmp(a->ground.as.iso8608.piece, b->ground.as.iso8608.piece, bytes(a)) == 0;
}

/* Returns FNV-1a of all cubics: 64 bits that must be the same with any compiler, libm or machine. */
static unsigned long long digest(const road *r) {
  const unsigned char *byte = (const unsigned char *)r->ground.as.iso8608.piece;
  unsigned long long hash = 14695981039346656037u;
  for (size_t i = 0; i < bytes(r); i++)
    hash = (hash ^ byte[i]) * 1099511628211u;
  return hash;
}

static void check_seeds(void) {
  road a, b, c;
  make(&a, 2, 42, VD_COHERENCE_MEASURED);
  make(&b, 2, 42, VD_COHERENCE_MEASURED);
  make(&c, 2, 43, VD_COHERENCE_MEASURED);
  complete(&a);
  complete(&b);
  complete(&c);
  tap_ok(same_bytes(&a, &b), "the same seed gives the same road to the last bit");
  tap_ok(!same_bytes(&a, &c), "another seed gives another road");
  char text[32];
  snprintf(text, sizeof text, "%016llx", digest(&a));
  tap_str(text, "bf54a2881d1f22d3", "seed 42 gives the known road, on every machine");
  finish(&b);
  finish(&c);

  /* a road without the lines from 0.5 to 4 cycles/m has its remaining lines with the same amplitudes and phases */
  make(&b, 2, 42, VD_COHERENCE_MEASURED);
  b.def.iso8608.n_to = 0.5;
  complete(&b);
  double *x = transform(&a, 0.775), *y = transform(&b, 0.775), off = 0.0;
  for (size_t k = 11; k < 500; k++)
    off = tap_max(off, hypot(x[2 * k] - y[2 * k], x[2 * k + 1] - y[2 * k + 1]) / hypot(x[2 * k], x[2 * k + 1]));
  tap_ok(off < 2e-3, "another n_to does not change the other waves, except for the spline's error, %.1e", off);
  free(x);
  free(y);
  finish(&a);
  finish(&b);
}

static void check_surface(void) {
  road r;
  make(&r, 3, 8, VD_COHERENCE_NONE);
  complete(&r);
  double worst = 0.0, beyond = 0.0, middle = 0.0, seam = 0.0;
  for (int i = 0; i < 1000; i++) {
    vd_road here, later, before, left, right, centre;
    double x = 0.917 * i;
    vd_ground_road(&r.ground, x, 0.3, &here);
    vd_ground_road(&r.ground, x + 3000.0, 0.3, &later);
    vd_ground_road(&r.ground, x - 2000.0, 0.3, &before);
    worst = tap_max(worst, tap_max(fabs(here.z - later.z), fabs(here.z - before.z)));
    vd_ground_road(&r.ground, x, 0.775, &left);
    vd_ground_road(&r.ground, x, 5.0, &later);
    beyond = tap_max(beyond, fabs(left.z - later.z) + fabs(left.slope_y) + fabs(later.slope_y));
    vd_ground_road(&r.ground, x, -0.775, &right);
    vd_ground_road(&r.ground, x, 0.0, &centre);
    /* the smooth step has in the middle the value 1/2 and the slope 1.875/track */
    middle = tap_max(middle, fabs(centre.z - 0.5 * (left.z + right.z)) +
                                 fabs(centre.slope_y - 1.875 / 1.55 * (left.z - right.z)));
  }
  tap_near(worst, 0.0, 1e-11, "the road repeats with its length, to both sides");
  tap_near(beyond, 0.0, 1e-15, "the road is level across from a track outwards");
  tap_near(middle, 0.0, 1e-14, "the height in the middle is the mean of both tracks");
  for (int i = -3; i <= 3; i++) {
    vd_road a, b;
    vd_ground_road(&r.ground, 1000.0 * i, 0.775, &a);
    vd_ground_road(&r.ground, nextafter(1000.0 * i, -1e9), 0.775, &b);
    seam = tap_max(seam, fabs(a.z - b.z) + fabs(a.slope_x - b.slope_x));
  }
  vd_road nowhere;
  vd_ground_road(&r.ground, NAN, NAN, &nowhere);
  tap_ok(isnan(nowhere.z), "a place that is not a number has no height");
  tap_near(seam, 0.0, 1e-9, "the road has no seam between two periods");
  finish(&r);
}

/* Checks that four places at a time give the same bits as one at a time: at the seam of the period, within and beyond
 * the tracks, far away. */
static void check_four(void) {
  enum { ROUNDS = 5000 };
  road r;
  make(&r, 2, 3, VD_COHERENCE_MEASURED);
  r.def.grade = 0.03;
  r.def.bank = -0.02;
  complete(&r);
  int different = 0;
  for (int k = 0; k < ROUNDS; k++) {
    double a = 0.731 * k, b = 1000.0 - 1e-13 * k;
    vd_wide x = {a, -a, b, 1e7 + a}, y = {0.775, 0.0007 * k - 1.2, -0.775, 2.0};
    vd_roads four = {.z = r.ground.slope_x * x + r.ground.slope_y * y,
                     .slope_x = vd_wide_of(r.ground.slope_x),
                     .slope_y = vd_wide_of(r.ground.slope_y)};
    r.ground.raise_four(&r.ground, &x, &y, &four);
    for (int i = 0; i < VD_WHEELS; i++) {
      vd_road one;
      vd_ground_road(&r.ground, x[i], y[i], &one);
      const double got[] = {four.z[i], four.slope_x[i], four.slope_y[i]};
      different += memcmp(got, (const double[]){one.z, one.slope_x, one.slope_y}, sizeof got) != 0;
    }
  }
  tap_ok(different == 0, "%d of %d places differ in their bits if computed four at a time", different,
         ROUNDS * VD_WHEELS);
  /* In a run that fails a wheel may be at any x. Beyond 1000 m x 2^51, rounding of four places at a time may select a
   * neighbouring piece, but none outside of the road, whose heights are below 1 m. */
  int outside = 0;
  for (int k = 0; k < ROUNDS; k++) {
    vd_wide x = {3e18 + 1536.0 * k, -1.3e19 - 2048.0 * k, 1.3e19 + 2048.0 * k, 1e300 * k}, y = vd_wide_of(0.775);
    vd_roads four = {.z = vd_wide_of(0.0)};
    r.ground.raise_four(&r.ground, &x, &y, &four);
    for (int i = 0; i < VD_WHEELS; i++)
      outside += !(fabs(four.z[i]) < 1.0);
  }
  tap_ok(outside == 0, "%d of %d places far away are not on the road", outside, ROUNDS * VD_WHEELS);
  finish(&r);
}

/* Checks the derivatives of the slope along x by differences within a piece of the profile, 1000 m/32768 long. */
static void check_bends(void) {
  enum { ROUNDS = 2000 };
  const double beside = 1e-4; /* m */
  double bend = 0.0, bend_rate = 0.0, twist = 0.0, largest = 0.0, largest_rate = 0.0;
  road r;
  make(&r, 3, 4, VD_COHERENCE_MEASURED);
  complete(&r);
  for (int k = 0; k < ROUNDS; k++) {
    const double at = 1000.0 / 32768.0 * (5.0 * k + 0.3 + 0.0002 * k), across = 0.0009 * k - 0.9;
    vd_wide x = {at, at - beside, at + beside, at}, y = {across, across, across, across + beside};
    vd_roads four = {.z = vd_wide_of(0.0)};
    r.ground.raise_four(&r.ground, &x, &y, &four);
    largest = tap_max(largest, fabs(four.bend[0]));
    largest_rate = tap_max(largest_rate, fabs(four.bend_rate[0]));
    bend = tap_max(bend, fabs((four.slope_x[2] - four.slope_x[1]) / (2.0 * beside) - four.bend[0]));
    bend_rate = tap_max(bend_rate, fabs((four.bend[2] - four.bend[1]) / (2.0 * beside) - four.bend_rate[0]));
    twist = tap_max(twist, fabs((four.slope_x[3] - four.slope_x[0]) / beside - 0.5 * (four.twist[0] + four.twist[3])));
  }
  /* Within a piece the differences along x are exact but for rounding of the place: up to 2^-53 of the whole road. The
   * mean of two twists differs by 1/12 beside^2 60/track^3 times a difference of slopes below 0.3. */
  const double share = 1000.0 * ldexp(1.0, -53) / beside;
  tap_near(bend, 0.0, 2.0 * share * largest, "the second derivative of the heights, up to %.2f 1/m", largest);
  tap_near(bend_rate, 0.0, 2.0 * share * largest_rate, "their third derivative, up to %.1f 1/m2", largest_rate);
  tap_near(twist, 0.0, 1e-8, "their mixed derivative, 1/m");
  finish(&r);
}

int main(void) {
  tap_plan(10 + 3 + 15 + 4 + 5 + 2 + 3);
  check_spectrum();
  check_distribution();
  check_coherence();
  check_seeds();
  check_surface();
  check_four();
  check_bends();
  return tap_done();
}
