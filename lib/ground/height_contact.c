/* The contact point of a wheel's disc with heights. */
#include "ground/ground_impl.h"

#include "base/base.h"
#include "base/elementary.h"
#include "base/vec.h"
#include "base/wide.h"

#include <math.h>

/* An iterate of the search for the contact point: a place of the road, which converges to the point in the disc's plane
 * that is nearest to its centre. */
typedef struct trial {
  double x, y;      /* m, world */
  double normal[3]; /* normal of the road at the contact, world */
  double distance;  /* m, from the tangent plane at the contact to the centre */
  double miss[2];   /* m, from the place to the point on its tangent plane on which the disc stands */
} trial;

/* Trials of four discs side by side. */
typedef struct trials {
  vd_wide x, y;
  vd_wide3 normal;
  vd_wide distance;
  vd_wide away2; /* m2, square of the distance from the centre to the place */
  vd_wide miss[2];
} trials;

/* Centres and axles of discs, world. `sought` marks the lanes that are solved. */
typedef struct four_discs {
  vd_wide3 centre, axle;
  vd_wide_mask sought;
} four_discs;

VD_INLINE void raise_each(const vd_ground *ground, const four_discs *d, vd_wide x, vd_wide y, vd_roads *r) {
  vd_road road[VD_WHEELS] = {{.z = 0.0}};
  for (int i = 0; i < VD_WHEELS; i++)
    if (d->sought[i])
      vd_ground_road(ground, x[i], y[i], &road[i]);
  r->z = (vd_wide){road[0].z, road[1].z, road[2].z, road[3].z};
  r->slope_x = (vd_wide){road[0].slope_x, road[1].slope_x, road[2].slope_x, road[3].slope_x};
  r->slope_y = (vd_wide){road[0].slope_y, road[1].slope_y, road[2].slope_y, road[3].slope_y};
}

VD_INLINE void look_at_four(const vd_ground *ground, const four_discs *d, vd_wide x, vd_wide y, trials *f) {
  vd_roads r = {.z = ground->slope_x * x + ground->slope_y * y,
                .slope_x = vd_wide_of(ground->slope_x),
                .slope_y = vd_wide_of(ground->slope_y)};
  if (ground->raise_four)
    ground->raise_four(ground, &x, &y, &r);
  else
    raise_each(ground, d, x, y, &r);
  vd_wide scale = 1.0 / vd_wide_sqrt(1.0 + r.slope_x * r.slope_x + r.slope_y * r.slope_y);
  vd_wide3 to = {d->centre.x - x, d->centre.y - y, d->centre.z - r.z};
  *f = (trials){.x = x, .y = y, .normal = {-r.slope_x * scale, -r.slope_y * scale, scale}};
  vd_wide lean = vd_wide_dot(f->normal, d->axle), inverse2 = 1.0 / (1.0 - lean * lean);
  f->distance = vd_wide_dot(f->normal, to);
  f->away2 = vd_wide_dot(to, to);
  f->miss[0] = to.x - f->distance * inverse2 * (f->normal.x - lean * d->axle.x);
  f->miss[1] = to.y - f->distance * inverse2 * (f->normal.y - lean * d->axle.y);
}

VD_INLINE void take_trials(vd_wide_mask which, const trials *next, trials *f) {
  f->x = vd_wide_select(which, next->x, f->x);
  f->y = vd_wide_select(which, next->y, f->y);
  f->normal.x = vd_wide_select(which, next->normal.x, f->normal.x);
  f->normal.y = vd_wide_select(which, next->normal.y, f->normal.y);
  f->normal.z = vd_wide_select(which, next->normal.z, f->normal.z);
  f->distance = vd_wide_select(which, next->distance, f->distance);
  f->away2 = vd_wide_select(which, next->away2, f->away2);
  for (int j = 0; j < 2; j++)
    f->miss[j] = vd_wide_select(which, next->miss[j], f->miss[j]);
}

/* Lower limit of the slope -d(miss)/d(place), which is 0 if the hollow has the radius of the wheel. */
static const double min_slope = 0.05;

/* Iterates from places of the road to the contact points of the discs. A move to the foot on the tangent plane alone
 * multiplies the miss in each round only by the factor curvature x distance; therefore a move is divided by the slope
 * of the miss along the last move (secant). A move that increases both the miss and the distance from the centre is
 * halved. The contact points must be exact: only then is the deflection a potential whose gradient is the normal;
 * otherwise the tyre would create energy. */
static void find_contacts_by_secant(const vd_ground *ground, const four_discs *discs, trials *f) {
  enum { ROUNDS = 60 };
  const double near = 1e-8; /* m */
  four_discs d = *discs;
  vd_wide slope = vd_wide_of(1.0);
  look_at_four(ground, &d, f->x, f->y, f);
  for (int round = 0; round < ROUNDS; round++) {
    vd_wide miss2 = f->miss[0] * f->miss[0] + f->miss[1] * f->miss[1];
    d.sought &= ~(miss2 < near * near);
    if (!vd_wide_any((vd_wide)d.sought))
      return;
    trials next;
    vd_wide along = f->miss[0] / slope, across = f->miss[1] / slope;
    look_at_four(ground, &d, f->x + along, f->y + across, &next);
    vd_wide_mask worse =
        ~(next.away2 <= f->away2) & (slope < 1e3) & (next.miss[0] * next.miss[0] + next.miss[1] * next.miss[1] > miss2);
    vd_wide secant = -((next.miss[0] - f->miss[0]) * along + (next.miss[1] - f->miss[1]) * across) /
                     (along * along + across * across);
    slope = vd_wide_select(worse, 2.0 * slope, vd_wide_max(secant, vd_wide_of(min_slope)));
    take_trials(d.sought & ~worse, &next, f);
  }
}

/* Places of a road whose bends are known, and the moves from them to the contact points. */
typedef struct bent_places {
  vd_wide x, y;
  vd_roads road;
  vd_wide along, across, miss2; /* m, m, m2 */
} bent_places;

/* Looks at places, and computes the moves from them by Newton's method. For a disc at an angle psi to x on a road with
 * the slope s and the bend b along x, -d(miss)/dx is 1 - k cos^2(psi), and a move along x adds k cos(psi) sin(psi) to
 * the miss across, with k = b h/(1 + s^2), h the height of the centre over the road. k is taken in the middle of the
 * move, where it differs by (h db/dx - 3 s b)/(1 + s^2) times half of the move. */
VD_INLINE void look_along_bend(const vd_ground *ground, const four_discs *d, vd_wide x, vd_wide y, bent_places *p) {
  const vd_wide3 *axle = &d->axle;
  vd_roads *r = &p->road;
  p->x = x;
  p->y = y;
  r->z = ground->slope_x * x + ground->slope_y * y;
  r->slope_x = vd_wide_of(ground->slope_x);
  r->slope_y = vd_wide_of(ground->slope_y);
  ground->raise_four(ground, &x, &y, r);
  vd_wide square = 1.0 / (1.0 + r->slope_x * r->slope_x + r->slope_y * r->slope_y), height = d->centre.z - r->z,
          east = d->centre.x - x, north = d->centre.y - y;
  /* components along the normal times sqrt(1 + slopes^2): of the axle, and of the way to the centre */
  vd_wide lean = axle->z - r->slope_x * axle->x - r->slope_y * axle->y,
          distance = height - r->slope_x * east - r->slope_y * north, share = square / (1.0 - lean * lean * square);
  vd_wide miss_x = east + distance * share * (r->slope_x + lean * axle->x),
          miss_y = north + distance * share * (r->slope_y + lean * axle->y);
  vd_wide least = vd_wide_of(min_slope), ahead2 = share * axle->y * axle->y, turn = height * r->bend,
          turn_rate = 0.5 * height * r->bend_rate - 1.5 * r->slope_x * r->bend;
  p->miss2 = miss_x * miss_x + miss_y * miss_y;
  p->along = miss_x;
  for (int i = 0; i < 2; i++)
    p->along = miss_x / vd_wide_max(1.0 - ahead2 * (turn + turn_rate * p->along), least);
  p->across = miss_y - share * turn * axle->x * axle->y * p->along;
}

VD_INLINE vd_wide away2(const four_discs *d, const bent_places *p) {
  const vd_wide3 to = {d->centre.x - p->x, d->centre.y - p->y, d->centre.z - p->road.z};
  return vd_wide_dot(to, to);
}

VD_INLINE void take_places(vd_wide_mask which, const bent_places *from, bent_places *to) {
  to->x = vd_wide_select(which, from->x, to->x);
  to->y = vd_wide_select(which, from->y, to->y);
  to->road.z = vd_wide_select(which, from->road.z, to->road.z);
  to->road.slope_x = vd_wide_select(which, from->road.slope_x, to->road.slope_x);
  to->road.slope_y = vd_wide_select(which, from->road.slope_y, to->road.slope_y);
  to->road.bend = vd_wide_select(which, from->road.bend, to->road.bend);
  to->road.bend_rate = vd_wide_select(which, from->road.bend_rate, to->road.bend_rate);
  to->road.twist = vd_wide_select(which, from->road.twist, to->road.twist);
  to->along = vd_wide_select(which, from->along, to->along);
  to->across = vd_wide_select(which, from->across, to->across);
  to->miss2 = vd_wide_select(which, from->miss2, to->miss2);
}

/* Moves by so little that the derivatives of the road give its slopes at the contact points. */
VD_INLINE void move_on(const four_discs *d, const bent_places *p, trials *f) {
  const vd_roads *r = &p->road;
  const vd_wide along = p->along, across = p->across,
                slope_x = r->slope_x + along * (r->bend + 0.5 * along * r->bend_rate) + across * r->twist,
                slope_y = r->slope_y + along * r->twist,
                scale = 1.0 / vd_wide_sqrt(1.0 + slope_x * slope_x + slope_y * slope_y);
  f->x = p->x + along;
  f->y = p->y + across;
  const vd_wide3 to = {d->centre.x - f->x, d->centre.y - f->y,
                       d->centre.z - (r->z + along * (r->slope_x + 0.5 * along * r->bend) + across * r->slope_y)};
  f->normal = (vd_wide3){-slope_x * scale, -slope_y * scale, scale};
  f->distance = vd_wide_dot(f->normal, to);
  f->miss[0] = along;
  f->miss[1] = across;
}

/* Does the same on a road whose bends are known. The last moves are so short that the slopes have errors of 1e-8 m
 * times the bend along x, as with the secant, and of at most 1e-7 m times the bend across. `miss' becomes the last
 * move. */
static void find_contacts_by_bend(const vd_ground *ground, const four_discs *discs, trials *f) {
  enum { ROUNDS = 60 };
  const vd_wide near_along = vd_wide_of(1e-5), near_across = vd_wide_of(1e-7); /* m */
  four_discs d = *discs;
  vd_wide part = vd_wide_of(1.0);
  bent_places places[2], *now = &places[0], *next = &places[1];
  look_along_bend(ground, &d, f->x, f->y, now);
  for (int round = 0; round < ROUNDS; round++) {
    d.sought &= ~((vd_wide_abs(now->along) < near_along) & (vd_wide_abs(now->across) < near_across));
    if (!vd_wide_any((vd_wide)d.sought))
      break;
    look_along_bend(ground, &d, now->x + part * now->along, now->y + part * now->across, next);
    vd_wide_mask worse = next->miss2 > now->miss2, stay = ~d.sought;
    if (vd_wide_any((vd_wide)worse))
      worse &= ~(away2(&d, next) <= away2(&d, now)) & (part > 1e-3);
    part = vd_wide_select(worse, 0.5 * part, vd_wide_of(1.0));
    stay |= worse;
    if (vd_wide_any((vd_wide)stay))
      take_places(stay, now, next);
    bent_places *last = now;
    now = next;
    next = last;
  }
  move_on(&d, now, f);
}

static void find_contacts(const vd_ground *ground, const four_discs *discs, trials *f) {
  if (ground->raise_four)
    find_contacts_by_bend(ground, discs, f);
  else
    find_contacts_by_secant(ground, discs, f);
}

/* Puts one disc into the first lane. */
static four_discs one_disc(const double *centre, const double *axle) {
  return (four_discs){vd_wide3_repeat(centre), vd_wide3_repeat(axle), {-1, 0, 0, 0}};
}

static trial first_of(const trials *f) {
  return (trial){.x = f->x[0],
                 .y = f->y[0],
                 .normal = {f->normal.x[0], f->normal.y[0], f->normal.z[0]},
                 .distance = f->distance[0],
                 .miss = {f->miss[0][0], f->miss[1][0]}};
}

static void look_at(const vd_ground *ground, const double *centre, const double *axle, double x, double y, trial *f) {
  const four_discs d = one_disc(centre, axle);
  trials all;
  look_at_four(ground, &d, vd_wide_of(x), vd_wide_of(y), &all);
  *f = first_of(&all);
}

static void find_contact(const vd_ground *ground, const double *centre, const double *axle, trial *f) {
  const four_discs d = one_disc(centre, axle);
  trials all = {.x = vd_wide_of(f->x), .y = vd_wide_of(f->y)};
  find_contacts(ground, &d, &all);
  *f = first_of(&all);
}

/* --- several contact points --- */

/* If a hollow of the road has a smaller radius than the wheel, there can be several contact points, and the disc stands
 * on the nearest. In the disc's plane, with s horizontal and w downwards from the centre, the road is a curve w(s). A
 * contact point is a minimum of the squared distance f = s^2 + w^2; half of its slope is F = s + w w'. If the upward
 * curvature of the road is at most k, w'' >= -k, and f''/2 = 1 + w'^2 + w w'' >= 1 - k w. This bound and the values at
 * two places limit f between them:
 *   where k w <= 1, f is convex, and F rises and has one root or none;
 *   elsewhere f + (k w - 1) s^2 is convex and lies above its tangents at both places.
 * A piece of the road that cannot contain a nearer place than the nearest known one is left out. In a convex piece the
 * root of F is found. Any other piece is halved. The distance of the place found exceeds the smallest one by at most
 * `sure`. */
typedef struct search {
  const vd_ground *ground;
  const double *centre;
  double ahead[2]; /* horizontal unit vector in the disc's plane: direction of s */
  double aside[2]; /* horizontal part of the unit vector down the disc's plane: direction of w */
  double down;     /* vertical part of that unit vector, downwards > 0 */
  double reach;    /* m: distance of the nearest place that is known */
  double range;    /* m: greatest s at which a place can be nearer */
} search;

/* A place of the road in the disc's plane. */
typedef struct place {
  double s, w, slope; /* m, m, w' */
  double away2, rise; /* m2: f; m: F */
} place;

static const double sure = 1e-9;   /* m, tolerance of the reach */
static const double exact = 1e-10; /* m, tolerance of the places; less than `sure', to bound the number of pieces */

/* Returns the greatest |w'|: the slope of the road, increased by the lean of the disc. */
static double steep(const search *q) {
  return 4.0 * (q->ground->steepest / VD_GROUND_STEEPEST);
}

/* Finds the place of the road at s; guess: an estimate of w. If the disc is upright, the place on the road does not
 * depend on w. If it leans, w is iterated; its error is the deviation of the road from a straight line between the last
 * guess and the place. */
static place look_along(const search *q, double s, double guess) {
  enum { ROUNDS = 20 };
  const double sharp =
      /* 1/m: curvature of the road for which the error of w is still below `exact` */
      isinf(q->ground->curvature.xx + q->ground->curvature.yy) ? 1e12 : 1e2;
  double lean2 = q->aside[0] * q->aside[0] + q->aside[1] * q->aside[1], w = guess, slope = 0.0;
  for (int round = 0; round < ROUNDS; round++) {
    vd_road road;
    vd_ground_road(q->ground, q->centre[0] + s * q->ahead[0] + w * q->aside[0],
                   q->centre[1] + s * q->ahead[1] + w * q->aside[1], &road);
    double fall = vd_fast_max(q->down + road.slope_x * q->aside[0] + road.slope_y * q->aside[1], 0.1);
    double move = (q->centre[2] - q->down * w - road.z) / fall;
    w += move;
    slope = -(road.slope_x * q->ahead[0] + road.slope_y * q->ahead[1]) / fall;
    if (!(0.5 * sharp * lean2 * move * move > exact))
      break;
  }
  return (place){s, w, slope, s * s + w * w, s + w * slope};
}

static void place_of(const search *q, double s, double w, double *x, double *y) {
  *x = q->centre[0] + s * q->ahead[0] + w * q->aside[0];
  *y = q->centre[1] + s * q->ahead[1] + w * q->aside[1];
}

/* Returns the greatest upward curvature k of the curve w(s) for these bounds of the road. The plane of a standing wheel
 * is within 60 deg of the road's normal, so `fall' is at least 0.5. */
static double sharpest(const search *q, const vd_curvature_bounds *b) {
  const double steepest = q->ground->steepest, least = 0.5;
  double lean = fabs(q->aside[0]) + fabs(q->aside[1]), fall = vd_fast_max(q->down - steepest * lean, least);
  double along = fabs(q->ahead[0]) + steepest / fall * fabs(q->aside[0]);
  double across = fabs(q->ahead[1]) + steepest / fall * fabs(q->aside[1]);
  double bend = vd_range_part(along * along, b->xx) + vd_range_part(across * across, b->yy) +
                2.0 * vd_range_part(along * across, b->xy);
  return bend / fall;
}

/* Returns the greatest upward curvature k between two s, if w is in the range `depth`. */
static double sharpest_between(const search *q, double from, double to, vd_range depth) {
  const double *c = q->centre;
  vd_range s = {from, to};
  vd_range x = vd_range_plus(vd_range_scaled(s, q->ahead[0]), vd_range_scaled(depth, q->aside[0]));
  vd_range y = vd_range_plus(vd_range_scaled(s, q->ahead[1]), vd_range_scaled(depth, q->aside[1]));
  const vd_box box = {{c[0] + x.low, c[0] + x.high}, {c[1] + y.low, c[1] + y.high}};
  vd_curvature_bounds b = {0.0, 0.0, 0.0};
  q->ground->variant->curvature(q->ground, &box, &b);
  return sharpest(q, &b);
}

/* Returns a lower bound of f between two places; most: k w - 1. */
static double least_between(const search *q, const place *a, const place *b, double most) {
  double length = b->s - a->s, c = vd_fast_max(most, 0.0);
  if (!(c < 1e6)) { /* the slope jumps: the bound follows from the greatest slope of the curve */
    double w = 0.5 * (a->w + b->w - steep(q) * length);
    return (a->s * b->s > 0.0 ? vd_fast_min(a->s * a->s, b->s * b->s) : 0.0) + (w > 0.0 ? w * w : 0.0);
  }
  double rise = 2.0 * (b->rise - a->rise + c * length); /* difference of the slopes of f + c s^2 at both places */
  double ends = vd_fast_min(a->away2, b->away2);
  if (!(rise > 0.0))
    return ends;
  double end = b->away2 + c * length * length - 2.0 * (b->rise + c * length) * length;
  double s = vd_fast_min(vd_fast_max((a->away2 - end) / rise, 0.0), length);
  return vd_fast_min(ends, a->away2 + 2.0 * a->rise * s - c * s * s);
}

/* Finds the root of F between two places with F < 0 and F > 0 by the Illinois method: the secant method, in which the
 * value at an end that was kept twice in succession is halved. */
static place bottom(const search *q, place a, place b) {
  enum { ROUNDS = 100 };
  const double near = 1e-9; /* m */
  double low = a.rise, high = b.rise;
  place c = a;
  int last = 0;
  for (int round = 0; round < ROUNDS && b.s - a.s > 1e-11; round++) {
    double share = low / (low - high), s = a.s + share * (b.s - a.s);
    c = look_along(q, s, a.w + share * (b.w - a.w));
    if (fabs(c.rise) < near)
      break;
    if (c.rise < 0.0) {
      a = c;
      low = c.rise;
      high *= last < 0 ? 0.5 : 1.0;
      last = -1;
    } else {
      b = c;
      high = c.rise;
      low *= last > 0 ? 0.5 : 1.0;
      last = 1;
    }
  }
  return c;
}

/* A piece of the road from a to b that is still to be searched. */
typedef struct piece {
  place a, b;
} piece;

/* Leaves a piece out, or finds its minimum. False: neither is possible, and the piece must be halved. */
static bool settled(const search *q, const piece *p, place *best) {
  double length = p->b.s - p->a.s, beyond = 0.5 * steep(q) * length;
  double deepest = vd_fast_max(p->a.w, p->b.w) + beyond;
  const vd_range depth = {vd_fast_min(p->a.w, p->b.w) - beyond, deepest};
  double limit = vd_fast_min(best->away2, q->reach * q->reach) - 2.0 * q->reach * sure;
  double k = sharpest_between(q, p->a.s, p->b.s, depth), turn = vd_range_part(k, length);
  double slope = vd_fast_max(0.0, vd_fast_max(p->a.slope - turn, -p->b.slope - turn)); /* lower bound of |w'| */
  double most = vd_range_part(k, deepest) - 1.0 - slope * slope;
  if (least_between(q, &p->a, &p->b, most) - 2.0 * exact * q->reach > limit)
    return true;
  if (most > 0.0)
    return length < 1e-9;
  if (p->a.rise < 0.0 && p->b.rise > 0.0) {
    place c = bottom(q, p->a, p->b);
    *best = c.away2 < best->away2 ? c : *best;
  }
  return true;
}

/* Searches from the place below the centre to both sides. */
static place nearest(const search *q, const place *below) {
  enum { MOST = 128 };
  piece left[MOST];
  int count = 0;
  place best = *below;
  place behind = look_along(q, -q->range, below->w), ahead = look_along(q, q->range, below->w);
  left[count++] = (piece){behind, *below};
  left[count++] = (piece){*below, ahead};
  while (count > 0) {
    piece p = left[--count];
    best = p.a.away2 < best.away2 ? p.a : best;
    best = p.b.away2 < best.away2 ? p.b : best;
    if (settled(q, &p, &best) || count + 2 > MOST)
      continue;
    place c = look_along(q, 0.5 * (p.a.s + p.b.s), 0.5 * (p.a.w + p.b.w));
    bool later = c.s > 0.0; /* the half nearer to s = 0 is searched next */
    left[count++] = later ? (piece){c, p.b} : (piece){p.a, c};
    left[count++] = later ? (piece){p.a, c} : (piece){c, p.b};
  }
  return best;
}

/* Finds the normal at a convex edge (contact_point.h): it lies between the normals before and behind the edge. False:
 * there is no edge. */
static bool find_edge(const search *q, const double *axle, const place *at, trial *f) {
  const double beside = 1e-7; /* m */
  trial side[2];
  double to[3], across[3], part[2], *n = f->normal;
  for (int i = 0; i < 2; i++) {
    double x, y, s = at->s + (i == 0 ? -beside : beside);
    place_of(q, s, at->w + (s - at->s) * at->slope, &x, &y);
    look_at(q->ground, q->centre, axle, x, y, &side[i]);
  }
  for (int j = 0; j < 3; j++)
    to[j] = at->w * (j < 2 ? -q->aside[j] : q->down) - (j < 2 ? at->s * q->ahead[j] : 0.0);
  vd_cross(axle, to, across);
  for (int i = 0; i < 2; i++)
    part[i] = vd_dot(side[i].normal, across);
  if (!(part[0] * part[1] < 0.0))
    return false;
  for (int j = 0; j < 3; j++)
    n[j] = fabs(part[1]) * side[0].normal[j] + fabs(part[0]) * side[1].normal[j];
  double scale = 1.0 / sqrt(vd_dot(n, n));
  for (int j = 0; j < 3; j++)
    n[j] *= scale;
  f->distance = vd_dot(n, to);
  f->miss[0] = f->miss[1] = 0.0;
  return true;
}

/* True if the disc has only one contact point: all hollows within reach have a greater radius than the disc. */
static bool one_contact(const search *q, double reach) {
  return sharpest(q, &q->ground->curvature) * reach <= 1.0 ||
         sharpest_between(q, -reach, reach, (vd_range){0.0, reach}) * reach <= 1.0;
}

/* False if the disc has only one contact point, lies nearly flat, or has a centre that is not finite. */
static bool may_have_several(const vd_ground *ground, const vd_disc *disc, search *q) {
  const double flat_on = 0.1;
  const double *c = disc->centre, *axle = disc->axle;
  double level = sqrt(axle[0] * axle[0] + axle[1] * axle[1]), inverse = 1.0 / level, share = axle[2] * inverse;
  *q = (search){.ground = ground,
                .centre = c,
                .ahead = {axle[1] * inverse, -axle[0] * inverse},
                .aside = {share * axle[0], share * axle[1]},
                .down = level};
  return level > flat_on && isfinite(c[0] + c[1]) && !one_contact(q, disc->radius);
}

/* Finds the nearest contact point. False if the centre is below the road: find_contact must then be called for f. */
static bool found_nearest(search *q, const vd_disc *disc, trial *f) {
  const double *axle = disc->axle;
  place below = look_along(q, 0.0, 0.0);
  q->reach = q->range = vd_fast_min(disc->radius, below.w);
  if (!(below.w > 0.0))
    return false;
  place best = nearest(q, &below);
  place_of(q, best.s, best.w, &f->x, &f->y);
  if (fabs(best.rise) > 1e-7 && find_edge(q, axle, &best, f))
    return true;
  find_contact(q->ground, q->centre, axle, f);
  /* no place is near enough, but at a kink find_contact may have found one */
  if (!(best.away2 < disc->radius * disc->radius)) {
    double lean = vd_dot(f->normal, axle);
    f->distance = vd_fast_max(f->distance, (1.0 + sure) * disc->radius * sqrt(vd_fast_max(0.0, 1.0 - lean * lean)));
  }
  return true;
}

static const double flat =
    1e-4; /* sin^2 of the angle between disc and surface, 0.6 deg; below it the disc lies flat on the surface */

static void stand(const double *centre, const double *axle, const double *normal, double distance,
                  vd_contact_point *f) {
  double lean = vd_dot(normal, axle), upright2 = 1.0 - lean * lean, share = distance / upright2;
  *f = (vd_contact_point){.distance = distance, .reach = distance / sqrt(upright2)};
  for (int j = 0; j < 3; j++) {
    f->normal[j] = normal[j];
    f->at[j] = centre[j] - share * (normal[j] - lean * axle[j]);
  }
}

/* True for a wheel if every hollow has a greater radius than the wheel, so that the wheel has only one contact point.
 * The factor, which depends on the axle's component along world z, is an upper bound of the effect of the wheel's lean
 * in `sharpest'. */
VD_INLINE vd_wide_mask are_round(const vd_ground *ground, vd_wide axle_z, vd_wide radius) {
  const vd_curvature_bounds *b = &ground->curvature;
  vd_wide lean = vd_wide_abs(axle_z), factor = 1.0 + lean * (12.0 + 60.0 * lean);
  return (vd_fast_max(b->xx, b->yy) + b->xy) * radius * factor <= 1.0;
}

/* Finds the tangent planes at the contact points of four discs: together, in lanes, for discs that have only one
 * contact point, and one by one for the others. */
VD_WIDE void vd_ground_height_planes(const vd_ground *ground, const vd_wide3 *centre, const vd_wide3 *axle,
                                     const double *radius, vd_wide3 *normal, vd_wide *distance) {
  four_discs d = {*centre, *axle, {-1, -1, -1, -1}};
  vd_disc disc[VD_WHEELS];
  search q[VD_WHEELS];
  const vd_wide_mask round = are_round(ground, axle->z, vd_wide_load(radius));
  const bool all_round = !vd_wide_any((vd_wide)~round);
  for (int i = 0; i < VD_WHEELS && !all_round; i++) {
    if (round[i])
      continue;
    disc[i] = (vd_disc){.centre = {centre->x[i], centre->y[i], centre->z[i]},
                        .axle = {axle->x[i], axle->y[i], axle->z[i]},
                        .radius = radius[i]};
    d.sought[i] = may_have_several(ground, &disc[i], &q[i]) ? 0 : -1;
  }
  if (vd_wide_any((vd_wide)d.sought)) {
    trials f;
    f.x = centre->x;
    f.y = centre->y;
    find_contacts(ground, &d, &f);
    *normal = f.normal;
    *distance = f.distance;
  }
  for (int i = 0; i < VD_WHEELS && !all_round; i++) {
    if (d.sought[i])
      continue;
    trial one = {.x = disc[i].centre[0], .y = disc[i].centre[1]};
    if (!found_nearest(&q[i], &disc[i], &one))
      find_contact(ground, disc[i].centre, disc[i].axle, &one);
    normal->x[i] = one.normal[0];
    normal->y[i] = one.normal[1];
    normal->z[i] = one.normal[2];
    (*distance)[i] = one.distance;
  }
}

/* Searches only for a wheel that is near the road. A wheel that touches the steepest slope has its centre at most
 * sqrt(1 + slope^2) radii above the road. A wheel higher than twice this has no contact point; the factor allows for
 * the overshoot of a bicubic map. */
VD_WIDE bool vd_height_contact(const vd_ground *ground, const vd_disc *disc, bool several, vd_contact_point *result) {
  const double far = 2.0 * sqrt(1.0 + ground->steepest * ground->steepest); /* radii */
  const double *c = disc->centre;
  if (!ground->raise) {
    double lean = vd_dot(ground->normal, disc->axle);
    if (!(1.0 - lean * lean > flat))
      return false;
    double height = c[2] - ground->slope_x * c[0] - ground->slope_y * c[1];
    stand(c, disc->axle, ground->normal, height * ground->normal[2], result);
  } else {
    vd_road road;
    search q;
    trial f = {.x = c[0], .y = c[1]};
    vd_ground_road(ground, c[0], c[1], &road);
    if (!(c[2] - road.z < far * disc->radius))
      return false;
    bool one = are_round(ground, vd_wide_of(disc->axle[2]), vd_wide_of(disc->radius))[0] || !several ||
               !may_have_several(ground, disc, &q);
    if (one || !found_nearest(&q, disc, &f))
      find_contact(ground, c, disc->axle, &f);
    double lean = vd_dot(f.normal, disc->axle);
    /* the disc lies flat, or the search has not reached a contact point */
    if (!(1.0 - lean * lean > flat && vd_hypot(f.miss[0], f.miss[1]) < disc->radius))
      return false;
    stand(c, disc->axle, f.normal, f.distance, result);
  }
  return result->reach < disc->radius;
}
