#include "limits/lap.h"

#include "base/base.h"
#include "base/elementary.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

const char *const vd_lap_hold_names[] = {"corner", "drive", "brake", "speed", NULL};

static const double fastest_squared = 250.0 * 250.0; /* m2/s2, upper bound of u, for a point mass on a straight */

/* A place of the line, with the terms of its forces that do not depend on the speed. */
typedef struct node {
  double curvature_in, curvature_up; /* 1/m: factors of speed squared in the lateral and the normal force */
  double across, normal, along;      /* m/s2: components of gravity */
  double corner;                     /* share of lateral force and braking that is used at this place */
} node;

static node node_of(const vd_lap_place *p) {
  double cs = vd_cos(p->slope), cb = vd_cos(p->bank), sb = vd_sin(p->bank);
  return (node){p->curvature * cb,    p->curvature * sb + p->vertical, -VD_GRAVITY * cs * sb,
                VD_GRAVITY * cs * cb, VD_GRAVITY * vd_sin(p->slope),   1.0 - p->unused};
}

static node middle(const node *a, const node *b) {
  return (node){0.5 * (a->curvature_in + b->curvature_in),
                0.5 * (a->curvature_up + b->curvature_up),
                0.5 * (a->across + b->across),
                0.5 * (a->normal + b->normal),
                0.5 * (a->along + b->along),
                0.5 * (a->corner + b->corner)};
}

static double across_at(const node *n, double u) {
  return u * n->curvature_in + n->across;
}

static double normal_at(const node *n, double u) {
  return n->normal + u * n->curvature_up;
}

typedef struct solver {
  const vd_gg *gg;
  const vd_lap_plan *plan;
} solver;

/* Limits the magnitude of a value; most 0: no limit. */
static double at_most(double value, double most) {
  return most > 0.0 ? vd_min(value, most) : value;
}

/* Returns the greatest (drive) or the least acceleration at u, the square of a speed. */
static double accel_at(const solver *s, const node *n, double u, bool drive) {
  const vd_lap_plan *plan = s->plan;
  double speed = sqrt(vd_max(u, 0.0)), across = across_at(n, u) / (plan->corner * n->corner);
  double end = vd_gg_end(s->gg, speed, normal_at(n, u), across, drive);
  if (drive)
    return at_most((end > 0.0 ? plan->drive : 1.0) * end - n->along, plan->most[0]);
  return -at_most(n->along - (end < 0.0 ? plan->brake * n->corner : 1.0) * end, plan->most[1]);
}

/* --- the greatest speed of a place --- */

/* Returns the lateral force that remains: the greatest force that the driver uses minus the force that the place
 * needs. */
static double spare(const solver *s, const node *n, double u) {
  double across = across_at(n, u), normal = normal_at(n, u), speed = sqrt(u);
  if (!(normal > vd_gg_least_normal(s->gg, speed)))
    return -1.0;
  double side = s->plan->corner * n->corner * vd_gg_side(s->gg, speed, normal, across < 0.0);
  return at_most(side, s->plan->most[2]) - fabs(across);
}

/* Finds the square of the greatest speed near a guess, by secants. The first secant assumes a constant lateral force. A
 * negative result: no speed was found. */
static double greatest_near(const solver *s, const node *n, double most, double guess) {
  enum { ROUNDS = 8 };
  const double near = 1e-6, far = 1.3;
  double a = guess, fa = spare(s, n, a), b = a + fa / fabs(n->curvature_in);
  for (int round = 0; round < ROUNDS; round++) {
    if (!(b > guess / far && b < guess * far && b < most))
      return -1.0;
    double fb = spare(s, n, b), slope = (fb - fa) / (b - a), next = b - fb / slope;
    bool done = fabs(next - b) <= near * b;
    if (!(slope < 0.0) && fb != 0.0)
      return fabs(fb) < 1e-12 * fabs(n->curvature_in) * b ? b : -1.0;
    if (done || fb == 0.0)
      return fb == 0.0 ? b : next;
    a = b;
    fa = fb;
    b = next;
  }
  return -1.0;
}

/* Finds the square of the greatest speed, at most `most', such that all lower speeds down to a low speed are possible,
 * too. A negative result: no speed is possible. guess: a value near the result, or 0. */
static double greatest(const solver *s, const node *n, double most, double guess) {
  enum { ROUNDS = 60 };
  double low = 0.0, high = most,
         quick = guess > 1.0 && n->curvature_in != 0.0 ? greatest_near(s, n, most, guess) : -1.0;
  if (quick > 0.0)
    return quick;
  if (n->curvature_in != 0.0 && n->across * n->curvature_in < 0.0)
    low = vd_min(-n->across / n->curvature_in, most); /* at this speed the place needs no lateral force */
  double at_low = spare(s, n, low);
  if (!(at_low >= 0.0))
    return -1.0;
  if (n->curvature_in == 0.0 && n->curvature_up == 0.0 && spare(s, n, most) >= 0.0)
    return most;
  if (0.9 * guess > low && 0.9 * guess < most && spare(s, n, 0.9 * guess) > 0.0)
    low = 0.9 * guess;
  for (double u = vd_max(1.05 * low, 1.0);; u *= 1.3) {
    high = vd_min(u, most);
    double at = spare(s, n, high);
    if (!(at >= 0.0))
      break;
    low = high;
    if (high >= most)
      return most;
  }
  double a = spare(s, n, low), b = spare(s, n, high);
  for (int round = 0; round < ROUNDS && high - low > 1e-12 * high; round++) { /* regula falsi, Illinois rule */
    double u = isfinite(b) && b < 0.0 ? (low * b - high * a) / (b - a) : 0.5 * (low + high);
    if (!(u > low && u < high))
      u = 0.5 * (low + high);
    double at = spare(s, n, u);
    if (at >= 0.0) {
      low = u;
      a = at;
      b *= 0.5;
    } else {
      high = u;
      b = at;
      a *= 0.5;
    }
  }
  return low;
}

/* --- steps --- */

/* Results of the last step of a sweep, from which the next step starts. */
typedef struct sweep {
  bool drive;
  double accel, slope; /* accel: m/s2, in the middle of the step; slope: d(residual)/d(u at the end) */
} sweep;

static double residual(const solver *s, const node *n, double u0, double ds, double u1, sweep *w) {
  w->accel = accel_at(s, n, 0.5 * (u0 + u1), w->drive);
  return u1 - u0 - 2.0 * ds * w->accel;
}

/* Returns the square of the speed at the end of a step of `ds' (< 0: backwards), at most `most': the root u1 of u1 - u0
 * - 2 ds a((u0 + u1)/2). The residual rises with u1, so that the root is below `most' if the residual at `most' is
 * positive. */
static double step(const solver *s, const node *n, double u0, double ds, double most, sweep *w) {
  enum { ROUNDS = 30 };
  const double near = 1e-6;
  double guess = u0 + 2.0 * ds * w->accel, a = vd_min(vd_max(guess, 0.0), most), fa = residual(s, n, u0, ds, a, w);
  if (a == most && fa <= 0.0)
    return most;
  double b = vd_min(vd_max(a - fa / w->slope, 0.0), most);
  for (int round = 0; round < ROUNDS && b != a; round++) {
    double fb = residual(s, n, u0, ds, b, w);
    if (b == most && fb <= 0.0)
      return most;
    if (fb == fa)
      break;
    double slope = (fb - fa) / (b - a), next = vd_min(vd_max(b - fb / slope, 0.0), most);
    w->slope = slope > 0.2 && slope < 5.0 ? slope : 1.0;
    /* the error after a secant step is about the product of the last two errors; if both are below `near', the new
     * error is rounding */
    bool done = fabs(next - b) <= near * (b + 1.0);
    a = b;
    fa = fb;
    b = next;
    if (done)
      break;
  }
  return b;
}

/* What determines the speed of a place: the limit of this place, the place before it, or the place after it. */
enum found { BY_CAP, BY_DRIVE, BY_BRAKE };

typedef struct lap {
  solver s;
  const vd_lap_place *place;
  size_t count;
  node *node;
  double *cap, *u; /* squares of speeds */
  enum found *by;  /* by place */
} lap;

static bool find_caps(lap *l, size_t *where) {
  double fastest = vd_gg_fastest(l->s.gg), guess = 0.0;
  for (size_t i = 0; i < l->count; i++) {
    double limit = vd_min(fastest, l->place[i].limit), most = vd_min(limit * limit, fastest_squared);
    l->node[i] = node_of(&l->place[i]);
    l->cap[i] = greatest(&l->s, &l->node[i], most, guess);
    guess = l->cap[i];
    *where = i;
    if (l->cap[i] < 0.0)
      return false;
  }
  *where = 0;
  return true;
}

static void forward(lap *l, size_t i, size_t next, sweep *w) {
  double ds = l->place[next].s - l->place[i].s;
  node n = middle(&l->node[i], &l->node[next]);
  double u = ds > 0.0 ? step(&l->s, &n, l->u[i], ds, l->cap[next], w) : l->u[i];
  l->u[next] = vd_min(l->cap[next], u);
  l->by[next] = u < l->cap[next] ? BY_DRIVE : BY_CAP;
}

static void backward(lap *l, size_t i, size_t before, sweep *w) {
  double ds = l->place[i].s - l->place[before].s;
  node n = middle(&l->node[i], &l->node[before]);
  double u = ds > 0.0 ? step(&l->s, &n, l->u[i], -ds, l->u[before], w) : l->u[i];
  if (u < l->u[before]) {
    l->u[before] = u;
    l->by[before] = BY_BRAKE;
  }
}

/* Goes once round a closed line with the greatest acceleration. `again': it stops where the speed is that of the round
 * before. False: it went round to the end. */
static bool go_round(lap *l, size_t from, bool again, sweep *drive) {
  for (size_t k = 0, n = l->count; k < n; k++) {
    size_t i = (from + k) % n, next = i + 1 < n ? i + 1 : 0;
    double before = l->u[next];
    if (next > 0)
      forward(l, i, next, drive);
    else {
      l->u[0] = vd_min(l->cap[0], l->u[i]);
      l->by[0] = l->u[i] < l->cap[0] ? BY_DRIVE : BY_CAP;
    }
    if (again && l->u[next] == before)
      return true;
  }
  return false;
}

/* Finds the speed that a round ends with as it began, if the drive limits the speed at every place: the car would slow
 * down round by round. The speed at the end rises with the speed at the start, and less than it, so that secants
 * converge. */
static void repeat_round(lap *l, size_t from, sweep *drive) {
  enum { ROUNDS = 40 };
  const double near = 1e-10;
  double start = l->u[from], before = NAN, gain_before = NAN;
  for (int round = 0; round < ROUNDS; round++) {
    go_round(l, from, false, drive);
    double end = l->u[from], gain = end - start, slope = (gain - gain_before) / (start - before);
    if (fabs(gain) <= near * end)
      return;
    before = start;
    gain_before = gain;
    start = slope < 0.0 ? vd_min(vd_max(start - gain / slope, 0.0), l->cap[from]) : end;
    l->u[from] = start;
  }
}

/* Computes the speeds of a closed line. The computation starts at the slowest place, and goes round twice if the speed
 * at this place falls. */
static void run_closed(lap *l) {
  sweep drive = {true, 0.0, 1.0}, brake = {false, 0.0, 1.0};
  size_t n = l->count, slowest = 0;
  for (size_t i = 0; i < n; i++)
    if (l->cap[i] < l->cap[slowest])
      slowest = i;
  l->u[slowest] = l->cap[slowest];
  go_round(l, slowest, false, &drive);
  if (!go_round(l, slowest, true, &drive))
    repeat_round(l, slowest, &drive);
  for (size_t k = 0; k < 2 * n; k++) {
    size_t i = (slowest + 2 * n - k) % n, to = i > 0 ? i - 1 : n - 1;
    double before = l->u[to];
    if (i > 0)
      backward(l, i, to, &brake);
    else if (l->u[0] < l->u[to]) {
      l->u[to] = l->u[0];
      l->by[to] = BY_BRAKE;
    }
    if (k >= n && l->u[to] == before)
      break;
  }
}

static void run_open(lap *l) {
  sweep drive = {true, 0.0, 1.0}, brake = {false, 0.0, 1.0};
  double start = l->s.plan->start;
  l->u[0] = isnan(start) ? l->cap[0] : start * start;
  for (size_t i = 0; i + 1 < l->count; i++)
    forward(l, i, i + 1, &drive);
  for (size_t i = l->count - 1; i > 0; i--)
    backward(l, i, i - 1, &brake);
}

static void fill_rows(const lap *l, vd_lap_row *row) {
  const double near = 0.99; /* share of the square of the greatest speed */
  double t = 0.0;
  for (size_t i = 0; i < l->count; i++) {
    size_t next = i + 1 < l->count ? i + 1 : i, from = next == i ? i - 1 : i;
    double speed = sqrt(l->u[i]), ds = l->place[next].s - l->place[i].s;
    row[i] = (vd_lap_row){.t = t, .speed = speed, .corner = sqrt(l->cap[i])};
    row[i].across = across_at(&l->node[i], l->u[i]);
    row[i].normal = normal_at(&l->node[i], l->u[i]);
    double span = l->place[from + 1].s - l->place[from].s;
    row[i].along = span > 0.0 ? (l->u[from + 1] - l->u[from]) / (2.0 * span) : i > 0 ? row[i - 1].along : 0.0;
    bool capped = l->u[i] >= l->cap[i] * near; /* drag keeps the speed slightly below the greatest speed */
    bool limited = l->place[i].limit <= row[i].speed * (1.0 + 1e-9);
    row[i].hold = capped ? limited ? VD_LAP_SPEED : VD_LAP_CORNER : l->by[i] == BY_BRAKE ? VD_LAP_BRAKE : VD_LAP_DRIVE;
    if (ds > 0.0)
      t += 2.0 * ds / vd_max(speed + sqrt(l->u[next]), 1e-300);
  }
}

/* --- slopes --- */

/* Derivatives of the speed at the end of a step, u1 = u0 + 2 ds a((u0 + u1)/2, curvature); ds < 0: backwards. */
typedef struct step_slopes {
  double u, curvature, length; /* derivatives of u1 by u0, by the mean curvature, and by the length |ds| */
} step_slopes;

static step_slopes slopes_of(const lap *l, size_t from, size_t to) {
  const double share = 1e-5, bend = 1e-7; /* 1/m */
  bool drive = to > from;
  double ds = l->place[to].s - l->place[from].s, u = 0.5 * (l->u[from] + l->u[to]), h = share * (u + 1.0);
  node n = middle(&l->node[from], &l->node[to]), less = n, more = n;
  less.curvature_in -= bend;
  more.curvature_in += bend;
  double by_u = (accel_at(&l->s, &n, u + h, drive) - accel_at(&l->s, &n, u - h, drive)) / (2.0 * h);
  double by_bend = (accel_at(&l->s, &more, u, drive) - accel_at(&l->s, &less, u, drive)) / (2.0 * bend);
  double divisor = 1.0 - ds * by_u, sign = drive ? 1.0 : -1.0;
  return (step_slopes){(1.0 + ds * by_u) / divisor, 2.0 * ds * by_bend / divisor,
                       2.0 * sign * accel_at(&l->s, &n, u, drive) / divisor};
}

/* Returns d(square of the greatest speed)/d(curvature) of a place. */
static double cap_slope(const lap *l, size_t i) {
  const double share = 1e-5;
  double u = l->cap[i], bend = share * fabs(l->node[i].curvature_in);
  node less = l->node[i], more = less;
  less.curvature_in -= bend;
  more.curvature_in += bend;
  /* true if a speed limit or the start determines the speed */
  bool fixed = spare(&l->s, &l->node[i], u) > 1e-6 || l->u[i] < u * (1.0 - 1e-9);
  if (!(bend > 0.0) || fixed)
    return 0.0;
  double by_u =
      (spare(&l->s, &l->node[i], u * (1.0 + share)) - spare(&l->s, &l->node[i], u * (1.0 - share))) / (2.0 * share * u);
  return -(spare(&l->s, &more, u) - spare(&l->s, &less, u)) / (2.0 * bend * by_u);
}

/* Adds the weight of the speed of place i to the weight of the place `from' that determines this speed. */
static void carry(const lap *l, size_t i, size_t from, double *weight, vd_lap_slopes *slope) {
  if (l->place[i].s == l->place[from].s || (i > from ? i - from : from - i) > 1) {
    weight[from] += weight[i];
    return;
  }
  step_slopes k = slopes_of(l, from, i);
  weight[from] += weight[i] * k.u;
  slope[i].curvature += 0.5 * weight[i] * k.curvature;
  slope[from].curvature += 0.5 * weight[i] * k.curvature;
  slope[i < from ? i : from].length += weight[i] * k.length;
}

/* Computes the slopes of the time, in the reverse of the order in which the speeds were found (adjoint): first for
 * places whose speed the next place determines, then for places whose speed the place before determines, then for
 * places with a speed limit of their own. */
static void find_slopes(const lap *l, vd_lap_slopes *slope) {
  size_t n = l->count, begin = 0;
  double *weight = vd_allocate(n, sizeof *weight);
  for (size_t i = 0; i < n; i++) {
    slope[i] = (vd_lap_slopes){0.0, 0.0};
    if (l->by[i] == BY_CAP)
      begin = i;
  }
  for (size_t i = 0; i + 1 < n; i++) {
    double a = sqrt(l->u[i]), b = sqrt(l->u[i + 1]), ds = l->place[i + 1].s - l->place[i].s, sum = vd_max(a + b, 1e-9);
    slope[i].length += 2.0 / sum;
    weight[i] -= ds / (sum * sum * vd_max(a, 1e-9));
    weight[i + 1] -= ds / (sum * sum * vd_max(b, 1e-9));
  }
  for (size_t k = 0; k < n; k++) {
    size_t i = (begin + k) % n;
    if (l->by[i] == BY_BRAKE)
      carry(l, i, i + 1 < n ? i + 1 : 0, weight, slope);
  }
  for (size_t k = 0; k < n; k++) {
    size_t i = (begin + n - k) % n;
    if (l->by[i] == BY_DRIVE)
      carry(l, i, i > 0 ? i - 1 : n - 1, weight, slope);
  }
  for (size_t i = 0; i < n; i++)
    if (l->by[i] == BY_CAP)
      slope[i].curvature += weight[i] * cap_slope(l, i);
  free(weight);
}

static enum vd_lap_trouble run(const vd_gg *gg, const vd_lap_plan *plan, const vd_lap_place *place, size_t count,
                               vd_lap_row *row, size_t *where, vd_lap_slopes *slope) {
  lap l = {.s = {gg, plan}, .place = place, .count = count};
  enum vd_lap_trouble trouble = VD_LAP_FINE;
  l.node = vd_allocate(count, sizeof *l.node);
  l.cap = vd_allocate(2 * count, sizeof *l.cap);
  l.u = l.cap + count;
  l.by = vd_allocate(count, sizeof *l.by);
  *where = 0;
  if (!find_caps(&l, where))
    trouble = VD_LAP_NO_SPEED;
  else if (!plan->closed && plan->start * plan->start > l.cap[0] * (1.0 + 1e-9))
    trouble = VD_LAP_TOO_FAST;
  if (trouble == VD_LAP_FINE) {
    if (plan->closed)
      run_closed(&l);
    else
      run_open(&l);
    if (!plan->closed && l.u[0] < plan->start * plan->start * (1.0 - 1e-9))
      trouble = VD_LAP_TOO_FAST; /* too fast for the brakes */
    fill_rows(&l, row);
    for (size_t i = 1; i < count && trouble == VD_LAP_FINE; i++)
      if (!(l.u[i] > 0.0) && place[i].s > place[0].s) {
        trouble = VD_LAP_STOPS;
        *where = i;
      }
  }
  if (trouble == VD_LAP_FINE && slope)
    find_slopes(&l, slope);
  free(l.node);
  free(l.cap);
  free(l.by);
  return trouble;
}

enum vd_lap_trouble vd_lap_run(const vd_gg *gg, const vd_lap_plan *plan, const vd_lap_place *place, size_t count,
                               vd_lap_row *row, size_t *where) {
  return run(gg, plan, place, count, row, where, NULL);
}

double vd_lap_fastest_start(const vd_gg *gg, const vd_lap_plan *plan, const vd_lap_place *place, size_t count) {
  vd_lap_plan any = *plan;
  vd_lap_row *row = vd_allocate(count, sizeof *row);
  size_t where;
  any.start = NAN;
  double speed = vd_lap_run(gg, &any, place, count, row, &where) == VD_LAP_FINE ? row[0].speed : NAN;
  free(row);
  return speed;
}

enum vd_lap_trouble vd_lap_run_slopes(const vd_gg *gg, const vd_lap_plan *plan, const vd_lap_place *place, size_t count,
                                      vd_lap_row *row, vd_lap_slopes *slope) {
  size_t where;
  return run(gg, plan, place, count, row, &where, slope);
}

size_t vd_lap_refine(const vd_lap_place *place, size_t count, double longest, vd_lap_place *out) {
  size_t n = 0;
  for (size_t i = 0; i < count; i++) {
    const vd_lap_place *a = &place[i], *b = i + 1 < count ? &place[i + 1] : a;
    size_t parts = b->s > a->s ? (size_t)ceil((b->s - a->s) / longest - 1e-9) : 1;
    parts = parts > 0 ? parts : 1;
    for (size_t k = 0; k < parts; k++, n++) {
      double u = (double)k / (double)parts;
      if (out)
        out[n] = (vd_lap_place){a->s + u * (b->s - a->s),
                                a->curvature + u * (b->curvature - a->curvature),
                                a->slope + u * (b->slope - a->slope),
                                a->bank + u * (b->bank - a->bank),
                                a->vertical + u * (b->vertical - a->vertical),
                                a->limit,
                                0.0,
                                0.0,
                                a->unused + u * (b->unused - a->unused)};
    }
  }
  return n;
}

void vd_lap_draw(vd_lap_place *place, size_t count) {
  double heading = 0.0;
  place[0].x = place[0].y = 0.0;
  for (size_t i = 1; i < count; i++) {
    const vd_lap_place *a = &place[i - 1];
    double ds = place[i].s - a->s, turn = 0.5 * ds * (a->curvature + place[i].curvature);
    place[i].x = a->x + ds * vd_cos(heading + 0.5 * turn);
    place[i].y = a->y + ds * vd_sin(heading + 0.5 * turn);
    heading += turn;
  }
}
