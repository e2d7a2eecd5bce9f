/* Metrics of a loop: the angle that the car reaches, its speeds and its loads. */
#include "base/elementary.h"
#include "base/memory.h"
#include "metrics/metrics_impl.h"

#include <math.h>
#include <stdlib.h>

static const double apex_half =
    5.0 * VD_PI / 180.0;                /* rad, half of the range about the apex over which means are taken */
static const double round_short = 0.01; /* rad, a complete loop may be shorter than a full turn by this angle */

/* The angle of the car about the centre of the loop, continuous beyond half a turn. */
typedef struct lap {
  const vd_recorder *r;
  double *angle; /* rad, one per row; the last known angle if a row has no angle */
  vd_result good;
} lap;

static void unwrap(lap *l) {
  const vd_recorder *r = l->r;
  double at = NAN;
  for (size_t i = 0; i < r->count; i++) {
    double raw = r->stunt[i].loop_angle;
    if (!isnan(raw))
      at = isnan(at) ? raw : at + remainder(raw - at, 2.0 * VD_PI);
    l->angle[i] = at;
  }
  if (isnan(at))
    l->good = vd_metric_refused("there is no loop");
}

static vd_result greatest_angle(const lap *l) {
  double most = -INFINITY;
  if (!vd_metric_good(&l->good))
    return l->good;
  for (size_t i = 0; i < l->r->count; i++)
    most = vd_max(most, l->angle[i]);
  return vd_metric_known(most);
}

/* An instant between two rows. */
typedef struct instant {
  size_t row;  /* row at the end of the step that contains the instant */
  double part; /* share of the step before this row */
  vd_result good;
} instant;

/* Returns the first instant from a row on (this row included) at which the angle reaches a value from below. */
static instant reaches(const lap *l, size_t from, double level, const char *what) {
  instant out = {.good = l->good};
  if (!vd_metric_good(&l->good))
    return out;
  for (size_t i = from > 0 ? from : 1; i < l->r->count; i++)
    if (l->angle[i - 1] < level && l->angle[i] >= level) {
      out.row = i;
      out.part = (level - l->angle[i - 1]) / (l->angle[i] - l->angle[i - 1]);
      return out;
    }
  out.good = vd_metric_refused("%s is not reached: the loop angle goes to %.4g rad", what, greatest_angle(l).value);
  return out;
}

static instant enters(const lap *l) {
  if (vd_metric_good(&l->good) && l->angle[0] >= 0.0 && l->angle[0] <= round_short)
    return (instant){.row = 1, .part = 0.0, .good = l->good};
  return reaches(l, 0, 0.0, "the bottom");
}

static vd_result speed_at(const lap *l, const instant *i) {
  if (!vd_metric_good(&i->good))
    return i->good;
  double before = vd_stunt_length(l->r->stunt[i->row - 1].cg_speed),
         after = vd_stunt_length(l->r->stunt[i->row].cg_speed);
  return vd_metric_known(before + i->part * (after - before));
}

/* Returns 1 if the car completes the loop, except for round_short, with the wheels below the body, and 0 otherwise. A
 * car that falls from the loop onto its roof does not complete the loop. */
static vd_result completed(const lap *l) {
  instant end = reaches(l, 0, 2.0 * VD_PI - round_short, "the end");
  if (!vd_metric_good(&l->good) || !vd_metric_good(&end.good))
    return vd_metric_of(l->good, 0.0);
  const vd_stunt_sample *s = &l->r->stunt[end.row];
  return vd_metric_known(vd_cos(s->roll) * vd_cos(s->pitch) > 0.0 ? 1.0 : 0.0);
}

static void least_load(const lap *l, vd_result *load, vd_result *where) {
  instant up = reaches(l, 0, 0.5 * VD_PI, "the side at 90 deg");
  instant down = vd_metric_good(&up.good) ? reaches(l, up.row, 1.5 * VD_PI, "the side at 270 deg") : up;
  if (!vd_metric_good(&down.good)) {
    *load = *where = down.good;
    return;
  }
  size_t at = up.row;
  for (size_t i = up.row; i < down.row; i++)
    if (vd_stunt_load(&l->r->stunt[i]) < vd_stunt_load(&l->r->stunt[at]))
      at = i;
  *load = vd_metric_known(vd_stunt_load(&l->r->stunt[at]));
  *where = vd_metric_known(l->angle[at]);
}

static vd_result least_wheel_at(const lap *l, const instant *i) {
  double least = INFINITY;
  if (!vd_metric_good(&i->good))
    return i->good;
  for (int k = 0; k < VD_WHEELS; k++) {
    double before = l->r->stunt[i->row - 1].load[k], after = l->r->stunt[i->row].load[k];
    least = vd_min(least, before + i->part * (after - before));
  }
  return vd_metric_known(least);
}

/* Means about the apex, from 5 degrees before to 5 degrees after it. */
typedef struct apex {
  vd_result radius;  /* m, radius of the path of the centre of all masses */
  vd_result load;    /* N, mean over time of the sum of loads */
  vd_result balance; /* N, sum of loads that the path requires: m (v^2/radius - g) */
} apex;

static double turned(const double *a, const double *b) {
  double cross[] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  return vd_atan2(vd_stunt_length(cross), a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
}

/* Computes the means about the apex. The radius is the length of an arc divided by the angle by which the velocity
 * turns on this arc. Estimates of the curvature are weighted means over the arc; x from -1 to 1 is the place on the arc
 * in units of its half length s. A ripple d cos(k x s) of the path has the curvature d k^2; each estimate contains a
 * different share of this curvature:
 *   v^2/|a_n| at the apex           one point             1, with the phase at the apex
 *   a circle through the places     15/16 (1 - x^2)^2     15 j2(ks)/(ks)^2, with j2 the spherical Bessel function
 *   the turn of the velocity        1/2                   sin(ks)/(ks)
 * The circle is the smoothest estimate, but is sensitive to errors of positions relative to the small height of the
 * arc, s^2/(2 radius) = 36 mm in a loop of 10 m. The turn of the velocity is sensitive only to errors of directions. By
 * the law of momentum the unweighted mean of the curvature corresponds to the unweighted mean of the loads, so that
 * effects of wheel hop cancel when the two are compared. */
static apex study_apex(const lap *l) {
  const vd_recorder *r = l->r;
  instant in = reaches(l, 0, VD_PI - apex_half, "5 deg before the apex");
  instant end = vd_metric_good(&in.good) ? reaches(l, in.row, VD_PI + apex_half, "5 deg after the apex") : in;
  if (vd_metric_good(&end.good) && end.row < in.row + 3)
    end.good = vd_metric_refused("too few steps about the apex");
  if (!vd_metric_good(&end.good))
    return (apex){end.good, end.good, end.good};
  size_t a = in.row, b = end.row - 1;
  double arc = 0.0, load = 0.0, square = 0.0, time = r->sample[b].t - r->sample[a].t;
  for (size_t i = a; i < b; i++) {
    const vd_stunt_sample *from = &r->stunt[i], *to = &r->stunt[i + 1];
    double step[3], dt = r->sample[i + 1].t - r->sample[i].t, v0 = vd_stunt_length(from->cg_speed),
                    v1 = vd_stunt_length(to->cg_speed);
    for (int k = 0; k < 3; k++)
      step[k] = to->cg[k] - from->cg[k];
    arc += vd_stunt_length(step);
    load += 0.5 * dt * (vd_stunt_load(from) + vd_stunt_load(to));
    square += 0.5 * dt * (v0 * v0 + v1 * v1);
  }
  apex out = {.load = vd_metric_known(load / time)};
  out.radius =
      vd_metric_divide(vd_metric_known(arc), vd_metric_known(turned(r->stunt[a].cg_speed, r->stunt[b].cg_speed)));
  out.balance = !vd_metric_good(&out.radius) ? out.radius
                : r->mass > 0.0 ? vd_metric_known(r->mass * (square / time / out.radius.value - VD_GRAVITY))
                                : vd_metric_refused("the mass is not known");
  return out;
}

void vd_stunt_set_loop(const vd_recorder *r, vd_result good, vd_metrics *out) {
  lap l = {.r = r, .good = good};
  l.angle = vd_reallocate(NULL, r->count + 1, sizeof *l.angle);
  if (vd_metric_good(&good))
    unwrap(&l);
  instant bottom = enters(&l), top = reaches(&l, 0, VD_PI, "the apex");
  vd_result load, where;
  least_load(&l, &load, &where);
  apex a = study_apex(&l);
  vd_set_metric(out, "loop_angle_max_rad", greatest_angle(&l));
  vd_set_metric(out, "loop_completed", completed(&l));
  vd_set_metric(out, "loop_entry_speed_mps", speed_at(&l, &bottom));
  vd_set_metric(out, "loop_apex_speed_mps", speed_at(&l, &top));
  vd_set_metric(out, "loop_least_load_N", load);
  vd_set_metric(out, "loop_least_load_angle_rad", where);
  vd_set_metric(out, "loop_apex_least_wheel_load_N", least_wheel_at(&l, &top));
  vd_set_metric(out, "loop_apex_radius_m", a.radius);
  vd_set_metric(out, "loop_apex_load_N", a.load);
  vd_set_metric(out, "loop_apex_balance_N", a.balance);
  free(l.angle);
}
