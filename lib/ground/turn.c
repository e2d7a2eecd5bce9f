/* Banked roads in closed form: turn and oval. */
#include "ground/ground_impl.h"

#include "base/base.h"

#include <math.h>

static const double steepest = 1.7320508075688772; /* tan 60 deg */
static const double ramp_slope = 1.875;            /* of vd_ramp at u = 1/2 */

/* The integral of vd_ramp from 0: u^4 (5/2 - 3 u + u^2), and u - 1/2 beyond 1. */
static double ramp_sum(double u) {
  if (u <= 0.0)
    return 0.0;
  return u < 1.0 ? u * u * u * u * (2.5 + u * (u - 3.0)) : u - 0.5;
}

/* n between the sides, held beyond them: a slope of 1 that comes and goes over edges centred on the sides, which do not meet. A
 * side that is NAN is none. */
static double held(double n, double from, double to, double edge, double *slope) {
  double value = n, unused;
  *slope = 1.0;
  if (!isnan(from)) {
    double u = (n - from) / edge + 0.5;
    value += from + edge * ramp_sum(u) - n;
    *slope *= vd_ramp(u, &unused);
  }
  if (!isnan(to)) {
    double u = (to - n) / edge + 0.5;
    value += to - edge * ramp_sum(u) - n;
    *slope *= vd_ramp(u, &unused);
  }
  return value;
}

/* tan(bank) (rho - R) with rho held between the radii. A cone where nothing holds it: in its tip, the middle, it has no slope. */
void vd_turn_relief(const vd_ground_def *def, double x, double y, vd_road *road) {
  double dx = x - def->x, dy = y - def->y, rho = sqrt(dx * dx + dy * dy), slope, rise = tan(def->bank);
  double z = rise * (held(rho, def->inner, def->outer, def->side_edge, &slope) - def->radius);
  slope *= rho > 0.0 ? rise / rho : 0.0;
  vd_raise(road, z, slope * dx, slope * dy);
}

/* tan(bank) B n with n the way outwards from the road's middle, held at the sides of the road, and B from 1 in the half circles to 0 and
 * back along the straights. B has no slope where a straight meets a half circle, so it does not matter that there the way along
 * the road changes from x to an angle. */
void vd_oval_relief(const vd_ground_def *def, double x, double y, vd_road *road) {
  double dx = x - def->at, dy = y - def->y - def->radius, half = 0.5 * def->width, rise = tan(def->bank);
  double slope, share = 1.0, share_slope = 0.0;
  if (dx > def->length) {
    dx -= def->length;
  } else if (dx > 0.0) {
    double left_slope, right_slope, per = 1.0 / def->transition;
    share -= vd_ramp(dx * per, &left_slope) * vd_ramp((def->length - dx) * per, &right_slope);
    share_slope = (right_slope - left_slope) * per; /* one of them is 0 */
    dx = 0.0;
  }
  double rho = sqrt(dx * dx + dy * dy);
  double n = held(rho - def->radius, -half, half, def->side_edge, &slope);
  slope *= rho > 0.0 ? rise * share / rho : 0.0;
  vd_raise(road, rise * share * n, rise * share_slope * n + slope * dx, slope * dy);
}

/* --- checks --- */

static vd_place at_key(const vd_ground_context *ctx, const char *key) {
  return vd_tree_place_in(ctx->root, ctx->path, key);
}

void vd_turn_check(const vd_ground_context *ctx, const vd_ground_def *def) {
  /* a comparison with an unbounded side, NAN, is false */
  if (def->inner >= def->outer)
    vd_error(ctx->d, at_key(ctx, "outer"), "outer (%g m) must lie beyond inner (%g m)", def->outer, def->inner);
  else if (def->side_edge > def->outer - def->inner)
    vd_error(ctx->d, at_key(ctx, "side_edge"), "side_edge (%g m) must be at most outer - inner (%g m)", def->side_edge,
             def->outer - def->inner);
  if (def->inner < 0.5 * def->side_edge)
    vd_error(ctx->d, at_key(ctx, "inner"), "inner (%g m) must be at least half the side_edge (%g m)", def->inner,
             def->side_edge);
}

/* The slope across is greatest where that along is, in the middle of a transition at half the bank; their bound is that of both at
 * their greatest. */
void vd_oval_check(const vd_ground_context *ctx, const vd_ground_def *def) {
  double across = tan(def->bank), along = ramp_slope * across * 0.5 * def->width / def->transition;
  double slope = sqrt(across * across + along * along);
  if (!(2.0 * def->transition <= def->length))
    vd_error(ctx->d, at_key(ctx, "transition"), "transition (%g m) must be at most half the length (%g m)",
             def->transition, def->length);
  if (!(slope <= steepest))
    vd_error(ctx->d, at_key(ctx, "transition"), "transition makes a slope of %.1f deg; at most 60 deg",
             atan(slope) * 180.0 / VD_PI);
  if (!(0.5 * (def->width + def->side_edge) <= def->radius))
    vd_error(ctx->d, at_key(ctx, "radius"), "radius (%g m) must be at least half of width + side_edge (%g m)",
             def->radius, 0.5 * (def->width + def->side_edge));
  if (!(def->side_edge <= def->width))
    vd_error(ctx->d, at_key(ctx, "side_edge"), "side_edge (%g m) must be at most the width (%g m)", def->side_edge,
             def->width);
}
