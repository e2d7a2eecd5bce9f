/* Profiles along the road in closed form: rough, bump, step, sweep, washboard, potholes. */
#include "ground/ground_impl.h"

#include "base/base.h"

#include <math.h>

static const double steepest = 1.7320508075688772; /* tan 60 deg */
static const double ramp_slope = 1.875;            /* of vd_ramp at u = 1/2 */

/* 1 from `from` to `to`, with ramps of the width of the edge inside both ends. */
static double between(double from, double to, double edge, double x, double *slope) {
  double rise_slope, fall_slope;
  double rise = vd_ramp((x - from) / edge, &rise_slope), fall = vd_ramp((to - x) / edge, &fall_slope);
  *slope = (rise_slope * fall - rise * fall_slope) / edge;
  return rise * fall;
}

/* A profile z(x) as far as it reaches to the sides, where ramps are centred: a curve across the road of its height. A side
 * left out, NAN, has none. */
static void across(const vd_ground_def *def, double z, double slope, double y, vd_road *road) {
  double left = 1.0, right = 1.0, left_slope = 0.0, right_slope = 0.0;
  if (!isnan(def->y_from))
    right = vd_ramp((y - def->y_from) / def->side_edge + 0.5, &right_slope);
  if (!isnan(def->y_to))
    left = vd_ramp((def->y_to - y) / def->side_edge + 0.5, &left_slope);
  double share = right * left;
  vd_raise(road, z * share, slope * share, 0.0);
  if (right_slope != 0.0 || left_slope != 0.0)
    road->slope_y += z * (right_slope * left - right * left_slope) / def->side_edge;
}

/* --- profiles --- */

/* A [sin(k x) + 1/2 sin(k x/0.37 + 1.3)]: the two never come into step, so no place repeats another. */
void vd_relief_rough(const vd_ground_def *def, double x, vd_road *road) {
  double k = 2.0 * VD_PI / def->wavelength, short_k = k / 0.37;
  double u = k * x, v = short_k * x + 1.3;
  vd_raise(road, def->amplitude * (sin(u) + 0.5 * sin(v)), def->amplitude * (k * cos(u) + 0.5 * short_k * cos(v)), 0.0);
}

/* h/2 (1 - cos(2 pi s/L)): its slope is continuous, its curvature jumps at both ends. */
void vd_relief_bump(const vd_ground_def *def, double x, double y, vd_road *road) {
  double s = x - def->at, k = 2.0 * VD_PI / def->length;
  if (s <= 0.0 || s >= def->length)
    return;
  across(def, 0.5 * def->height * (1.0 - cos(k * s)), 0.5 * def->height * k * sin(k * s), y, road);
}

void vd_relief_step(const vd_ground_def *def, double x, double y, vd_road *road) {
  double slope, z = vd_ramp((x - def->at) / def->edge, &slope);
  across(def, def->height * z, def->height * slope / def->edge, y, road);
}

/* The wave number n(s) and its integral, the phase in cycles, s from the start: linear,
 *   n = a + (b - a) s/L,   a s + (b - a) s^2/(2 L);
 * or with equal lengths for equal ratios, r = b/a,
 *   n = a r^(s/L),   (n - a) L/ln r. */
static double sweep_phase(const vd_ground_def *def, double s, double *n, double *n_slope) {
  double a = def->n_from, b = def->n_to, length = def->length;
  if (def->logarithmic) {
    double rate = log(b / a) / length;
    *n = a * exp(rate * s);
    *n_slope = *n * rate;
    return (*n - a) / rate;
  }
  *n_slope = (b - a) / length;
  *n = a + *n_slope * s;
  return s * (a + 0.5 * *n_slope * s);
}

/* Amplitude, window and sine are each a function of s; with constant slope the amplitude falls as 1/n, so that 2 pi n A
 * stays. */
void vd_relief_sweep(const vd_ground_def *def, double x, double y, vd_road *road) {
  double s = x - def->at, n, n_slope, share_slope;
  if (s <= 0.0 || s >= def->length)
    return;
  double phase = 2.0 * VD_PI * sweep_phase(def, s, &n, &n_slope);
  double share = between(0.0, def->length, def->edge, s, &share_slope);
  double a = def->amplitude, a_slope = 0.0;
  if (def->constant_slope) {
    a *= def->n_from / n;
    a_slope = -a * n_slope / n;
  }
  double sine = sin(phase), sine_slope = 2.0 * VD_PI * n * cos(phase);
  across(def, a * share * sine, (a_slope * share + a * share_slope) * sine + a * share * sine_slope, y, road);
}

void vd_relief_washboard(const vd_ground_def *def, double x, double y, vd_road *road) {
  double k = 2.0 * VD_PI / def->wavelength, share_slope;
  if (x <= def->x_from || x >= def->x_to)
    return;
  double u = k * (x - def->x_from), share = between(def->x_from, def->x_to, def->edge, x, &share_slope);
  across(def, def->amplitude * share * sin(u), def->amplitude * (share_slope * sin(u) + share * k * cos(u)), y, road);
}

/* No two overlap, so the first that holds the place is the only one. */
void vd_relief_potholes(const vd_ground_def *def, double x, double y, vd_road *road) {
  double half_x = 0.5 * def->length, half_y = 0.5 * def->width;
  for (size_t i = 0; i < def->places.count; i++) {
    double dx = x - def->places.xy[2 * i], dy = y - def->places.xy[2 * i + 1], along_slope, across_slope;
    if (!(fabs(dx) < half_x && fabs(dy) < half_y))
      continue;
    double along = between(-half_x, half_x, def->edge, dx, &along_slope);
    double wide = between(-half_y, half_y, def->edge, dy, &across_slope);
    vd_raise(road, -def->depth * along * wide, -def->depth * along_slope * wide, -def->depth * along * across_slope);
    return;
  }
}

/* --- what is auto --- */

/* A kerb that a tyre rolls over lifts the wheel over a length of some 0.2 m, not at once; a wave sets in over its first
 * period. */
void vd_relief_complete(vd_ground_def *def) {
  static const double kerb = 0.2; /* m */
  if (!isnan(def->edge))
    return;
  switch ((enum vd_ground_type)def->type) {
  case VD_GROUND_STEP: def->edge = kerb; break;
  case VD_GROUND_SWEEP: def->edge = fmin(1.0 / def->n_from, 0.5 * def->length); break;
  case VD_GROUND_WASHBOARD: def->edge = fmin(def->wavelength, fabs(0.5 * (def->x_to - def->x_from))); break;
  case VD_GROUND_POTHOLES: def->edge = fmin(kerb, 0.5 * fmin(def->length, def->width)); break;
  case VD_GROUND_FLAT:
  case VD_GROUND_INCLINED:
  case VD_GROUND_ROUGH:
  case VD_GROUND_ISO8608:
  case VD_GROUND_HEIGHTMAP:
  case VD_GROUND_BUMP:
  case VD_GROUND_BANKED:
  case VD_GROUND_OVAL:
  case VD_GROUND_RAMP:
  case VD_GROUND_CLIFF:
  case VD_GROUND_LOOP:
  case VD_GROUND_MESH:
  case VD_GROUND_NONE: break;
  }
}

/* --- checks --- */

static vd_place at_key(const vd_ground_context *ctx, const char *key) {
  return vd_tree_place_in(ctx->root, ctx->path, key);
}

static void check_slope(const vd_ground_context *ctx, const char *key, double slope) {
  if (!(fabs(slope) <= steepest))
    vd_error(ctx->d, at_key(ctx, key), "%s makes a slope of %.1f deg; at most 60 deg", key,
             atan(fabs(slope)) * 180.0 / VD_PI);
}

static void check_edge(const vd_ground_context *ctx, const vd_ground_def *def, double length, const char *name) {
  if (!(2.0 * def->edge <= length))
    vd_error(ctx->d, at_key(ctx, "edge"), "edge (%g m) must be at most half the %s (%g m)", def->edge, name, length);
}

static void check_sides(const vd_ground_context *ctx, const vd_ground_def *def, double height) {
  if (isnan(def->y_from) && isnan(def->y_to))
    return;
  if (def->y_from >= def->y_to)
    vd_error(ctx->d, at_key(ctx, "y_to"), "y_to (%g m) must lie above y_from (%g m)", def->y_to, def->y_from);
  else if (def->side_edge > def->y_to - def->y_from)
    vd_error(ctx->d, at_key(ctx, "side_edge"), "side_edge (%g m) must be at most y_to - y_from (%g m)", def->side_edge,
             def->y_to - def->y_from);
  else
    check_slope(ctx, "side_edge", ramp_slope * height / def->side_edge);
}

static void check_sweep(const vd_ground_context *ctx, const vd_ground_def *def) {
  if (!(def->n_from < def->n_to)) {
    vd_error(ctx->d, at_key(ctx, "n_to"), "n_to (%g 1/m) must lie above n_from (%g 1/m)", def->n_to, def->n_from);
    return;
  }
  check_edge(ctx, def, def->length, "length");
  check_slope(ctx, "amplitude", 2.0 * VD_PI * def->amplitude * (def->constant_slope ? def->n_from : def->n_to));
  check_sides(ctx, def, def->amplitude);
}

static void check_washboard(const vd_ground_context *ctx, const vd_ground_def *def) {
  if (!(def->x_from < def->x_to)) {
    vd_error(ctx->d, at_key(ctx, "x_to"), "x_to (%g m) must lie above x_from (%g m)", def->x_to, def->x_from);
    return;
  }
  check_edge(ctx, def, def->x_to - def->x_from, "length");
  check_slope(ctx, "amplitude", 2.0 * VD_PI * def->amplitude / def->wavelength);
  check_sides(ctx, def, def->amplitude);
}

static void check_apart(const vd_ground_context *ctx, const vd_ground_def *def) {
  const double *xy = def->places.xy;
  for (size_t i = 1; i < def->places.count; i++)
    for (size_t k = 0; k < i; k++)
      if (fabs(xy[2 * i] - xy[2 * k]) < def->length && fabs(xy[2 * i + 1] - xy[2 * k + 1]) < def->width) {
        vd_error(ctx->d, at_key(ctx, "places"), "the potholes at (%g, %g) m and (%g, %g) m overlap", xy[2 * k],
                 xy[2 * k + 1], xy[2 * i], xy[2 * i + 1]);
        return;
      }
}

static void check_potholes(const vd_ground_context *ctx, const vd_ground_def *def) {
  enum { MOST = 200 };
  if (def->places.count > MOST)
    vd_error(ctx->d, at_key(ctx, "places"), "%zu potholes; at most %d", def->places.count, (int)MOST);
  else
    check_apart(ctx, def);
  check_edge(ctx, def, def->length, "length");
  check_edge(ctx, def, def->width, "width");
  check_slope(ctx, "depth", ramp_slope * def->depth / def->edge);
}

void vd_relief_check(const vd_ground_context *ctx, const vd_ground_def *def) {
  switch ((enum vd_ground_type)def->type) {
  case VD_GROUND_ROUGH:
    check_slope(ctx, "amplitude", 2.0 * VD_PI * def->amplitude / def->wavelength * (1.0 + 0.5 / 0.37));
    break;
  case VD_GROUND_BUMP:
    check_slope(ctx, "height", VD_PI * def->height / def->length);
    check_sides(ctx, def, def->height);
    break;
  case VD_GROUND_STEP:
    check_slope(ctx, "height", ramp_slope * def->height / def->edge);
    check_sides(ctx, def, def->height);
    break;
  case VD_GROUND_SWEEP: check_sweep(ctx, def); break;
  case VD_GROUND_WASHBOARD: check_washboard(ctx, def); break;
  case VD_GROUND_POTHOLES: check_potholes(ctx, def); break;
  case VD_GROUND_BANKED: vd_turn_check(ctx, def); break;
  case VD_GROUND_OVAL: vd_oval_check(ctx, def); break;
  case VD_GROUND_RAMP:
  case VD_GROUND_CLIFF:
  case VD_GROUND_LOOP: vd_strip_check(ctx, def); break;
  case VD_GROUND_FLAT:
  case VD_GROUND_INCLINED:
  case VD_GROUND_ISO8608:
  case VD_GROUND_HEIGHTMAP:
  case VD_GROUND_MESH:
  case VD_GROUND_NONE: break;
  }
}
