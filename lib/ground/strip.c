/* Strips: points of their curves, and contact points of wheels. */
#include "ground/strip.h"

#include "base/base.h"
#include "base/elementary.h"
#include "base/num.h"
#include "base/vec.h"

#include <math.h>

static const double near = 1e-8; /* m */
static const double flat =
    1e-4; /* sin^2 of the angle between disc and surface, 0.6 deg; below it the disc lies flat on the surface */

/* --- curves --- */

/* Computes the coordinates of a clothoid at the distance s from its straight end, where it has turned by the angle t.
 * The tangent's angle grows with the square of the distance, so that the integrals of its cosine and sine are
 *   s sum (-1)^n t^(2n)/((4n + 1) (2n)!),   s sum (-1)^n t^(2n + 1)/((4n + 3) (2n + 1)!).
 * Eleven terms are exact to rounding up to t = pi/2. */
void vd_clothoid(double s, double angle, double *ahead, double *aside) {
  enum { LAST = 10 };
  double t2 = angle * angle, x = 0.0, y = 0.0, factorial = 2432902008176640000.0; /* 20! */
  for (int n = LAST; n >= 0; n--) {
    x = 1.0 / ((4.0 * n + 1.0) * factorial) - t2 * x;
    y = 1.0 / ((4.0 * n + 3.0) * (factorial * (2.0 * n + 1.0))) - t2 * y;
    factorial /= n > 0 ? 2.0 * n * (2.0 * n - 1.0) : 1.0;
  }
  *ahead = s * x;
  *aside = s * angle * y;
}

void vd_strip_point_at(const vd_strip_piece *p, double u, vd_strip_point *at) {
  switch ((enum vd_strip_shape)p->shape) {
  case VD_STRIP_LINE:
    *at = (vd_strip_point){{p->start[0] + u * p->cosine, p->start[1] + u * p->sine}, p->cosine, p->sine, 0.0, 1.0};
    return;
  case VD_STRIP_ARC: {
    double angle = p->turned + u / p->radius, c = vd_cos(angle), s = vd_sin(angle);
    *at = (vd_strip_point){{p->start[0] + p->radius * s, p->start[1] - p->radius * c}, c, s, 1.0 / p->radius, 1.0};
    return;
  }
  case VD_STRIP_CLOTHOID_IN: {
    double x, y, bend = u / (p->radius * p->high), angle = 0.5 * u * bend;
    vd_clothoid(u, angle, &x, &y);
    *at = (vd_strip_point){{p->start[0] + x, p->start[1] + y}, vd_cos(angle), vd_sin(angle), bend, 1.0};
    return;
  }
  case VD_STRIP_CLOTHOID_OUT: { /* the mirror image of CLOTHOID_IN, computed from its other end */
    double x, y, left = p->high - u, bend = left / (p->radius * p->high), angle = 0.5 * left * bend;
    vd_clothoid(left, angle, &x, &y);
    *at = (vd_strip_point){{p->start[0] - x, p->start[1] + y}, vd_cos(angle), -vd_sin(angle), bend, 1.0};
    return;
  }
  case VD_STRIP_COSINE: { /* h/2 (1 - cos(k u)) */
    double k = VD_PI / p->high, c = vd_cos(k * u), half = 0.5 * p->height;
    double slope = half * k * vd_sin(k * u), pace = sqrt(1.0 + slope * slope);
    *at = (vd_strip_point){{p->start[0] + u, p->start[1] + half * (1.0 - c)},
                           1.0 / pace,
                           slope / pace,
                           half * k * k * c / (pace * pace * pace),
                           pace};
    return;
  }
  }
}

/* --- contact points --- */

/* The disc in the axes of the strip. */
typedef struct view {
  double c[2], v;       /* m: centre */
  double a[2], across;  /* axle */
  double radius, depth; /* m: greatest distance of the centre in front of a contact point, and behind it */
  bool point;           /* the axle has no length: the contact point is the nearest point in any direction */
} view;

static view view_of(const vd_strip *strip, const vd_disc *disc) {
  double to[2] = {disc->centre[0] - strip->origin[0], disc->centre[1] - strip->origin[1]};
  view w = {
      .c = {vd_dot2(strip->ahead, to), disc->centre[2] - strip->origin[2]},
      .v = vd_dot2(strip->side, to),
      .a = {vd_dot2(strip->ahead, disc->axle), disc->axle[2]},
      .across = vd_dot2(strip->side, disc->axle),
      .radius = disc->radius,
  };
  w.point = w.a[0] == 0.0 && w.a[1] == 0.0 && w.across == 0.0;
  w.depth = (w.point ? 0.5 : 1.0) * disc->radius;
  return w;
}

bool vd_strip_contains(const vd_strip *strip, double v, double s) {
  double across = (v - strip->skew * s) * strip->cosine;
  return across >= strip->right && across <= strip->left;
}

/* Contact of a disc with the tangent plane at a vd_strip_point. r is the vector from this point to the centre, T the
 * tangent, N the normal, a the axle, l = N . a, t = T . a. The centre has the distance d = N . r from the plane, and
 * the disc stands on the point that lies
 *   F = T . r + d l t/(1 - l^2)
 * further along the curve. F is 0 at the contact point. Over the arc length T' = k N, N' = -k T with the curvature k,
 * so
 *   F' = k d - 1 + k [d (l^2 - t^2)/(1 - l^2) - (T . r) l t/(1 - l^2) - 2 d (l t)^2/(1 - l^2)^2]. */
typedef struct stand {
  double distance; /* m: d */
  double lean;     /* l */
  double upright2; /* 1 - l^2 */
  double miss;     /* m: F */
  double slope;    /* F' */
} stand;

static void stand_at(const view *w, const vd_strip_point *at, stand *f) {
  double r[2] = {w->c[0] - at->q[0], w->c[1] - at->q[1]};
  double along = at->cosine * r[0] + at->sine * r[1], d = at->cosine * r[1] - at->sine * r[0];
  double t = at->cosine * w->a[0] + at->sine * w->a[1], l = at->cosine * w->a[1] - at->sine * w->a[0];
  double inverse = 1.0 / (1.0 - l * l), lt = l * t * inverse;
  *f = (stand){d, l, 1.0 - l * l, along + d * lt,
               at->bend * (d + d * (l * l - t * t) * inverse - along * lt - 2.0 * d * lt * lt) - 1.0};
}

/* The nearest contact points found so far. */
typedef struct found {
  double away;         /* m, from the centre; infinite: nothing found */
  double reach;        /* m: < 0: behind */
  double distance;     /* m */
  double normal[2], v; /* in the strip's axes; the normal at an edge has a component v along the generator */
  double at[2], at_v;  /* m */
} found;

/* Takes the contact point at a vd_strip_point if it is the nearest one so far. */
static void take(const vd_strip *strip, const view *w, const vd_strip_point *at, const stand *f, double s,
                 found *best) {
  double share = f->distance / f->upright2, reach = f->distance / sqrt(f->upright2);
  double v = w->v + share * f->lean * w->across;
  if (!(f->upright2 > flat && reach < w->radius && reach >= -w->depth && fabs(reach) < best->away &&
        vd_strip_contains(strip, v, s)))
    return;
  *best = (found){
      .away = fabs(reach),
      .reach = reach,
      .distance = f->distance,
      .normal = {-at->sine, at->cosine},
      .at = {w->c[0] - share * (-at->sine - f->lean * w->a[0]), w->c[1] - share * (at->cosine - f->lean * w->a[1])},
      .at_v = v,
  };
}

/* Finds the contact point on a line, where F is linear. */
static void line_contact(const vd_strip *strip, const view *w, const vd_strip_piece *p, found *best) {
  vd_strip_point at;
  stand f;
  vd_strip_point_at(p, 0.0, &at);
  stand_at(w, &at, &f);
  if (f.miss >= p->low - near && f.miss <= p->high + near)
    take(strip, w, &at, &f, p->from + f.miss, best);
}

/* Solves F = 0 by Newton's method between two bounds, which are narrowed; F falls along the curve. False: the disc
 * stands on no point of the piece. */
static bool settle(const view *w, const vd_strip_piece *p, double u, vd_strip_point *at, stand *f, double *s) {
  enum { ROUNDS = 60 };
  /* limit of F', which is 0 where the radius of the hollow equals the radius of the wheel */
  const double steepest = -0.05;
  double low = p->low, high = p->high;
  bool seen_low = false, seen_high = false;
  for (int round = 0; round < ROUNDS; round++) {
    vd_strip_point_at(p, u, at);
    stand_at(w, at, f);
    if (fabs(f->miss) < near) {
      *s = p->from + u;
      return true;
    }
    if (!(f->upright2 > flat) || (f->miss > 0.0 ? u >= p->high : u <= p->low))
      return false;
    if (f->miss > 0.0) {
      low = u;
      seen_low = true;
    } else {
      high = u;
      seen_high = true;
    }
    u -= f->miss / (vd_fast_min(f->slope, steepest) * at->pace);
    if (u >= high)
      u = seen_high ? 0.5 * (low + high) : high;
    else if (!(u > low))
      u = seen_low ? 0.5 * (low + high) : low;
  }
  return false;
}

static void curve_contact(const vd_strip *strip, const view *w, const vd_strip_piece *p, double u, found *best) {
  vd_strip_point at;
  stand f;
  double s;
  if (settle(w, p, vd_fast_min(vd_fast_max(u, p->low), p->high), &at, &f, &s))
    take(strip, w, &at, &f, s, best);
}

/* Finds the contact point on an arc. For an upright wheel in the plane of the curve it is the point of the arc on the
 * radius through the centre of the wheel; this is the first guess. The angle is counted from the middle of the gap
 * between the ends. In a full circle, which has no gap, a wheel near one end may stand on the other end. */
static void arc_contact(const vd_strip *strip, const view *w, const vd_strip_piece *p, found *best) {
  const double seam = 0.1; /* rad */
  double r[2] = {w->c[0] - p->start[0], w->c[1] - p->start[1]}, away = sqrt(vd_dot2(r, r));
  if (!(p->radius - away < w->radius && away - p->radius <= w->depth))
    return;
  double turn = vd_atan2(r[0], -r[1]) - p->turned, middle = 0.5 * p->high / p->radius;
  turn -= 2.0 * VD_PI * floor((turn - middle) / (2.0 * VD_PI) + 0.5);
  double u = turn * p->radius;
  if (u > -w->radius && u < p->high + w->radius)
    curve_contact(strip, w, p, u, best);
  if (VD_PI - middle < seam && VD_PI - fabs(turn - middle) < seam)
    curve_contact(strip, w, p, turn > middle ? p->low : p->high, best);
}

static void boxed_contact(const vd_strip *strip, const view *w, const vd_strip_piece *p, found *best) {
  for (int j = 0; j < 2; j++)
    if (!(w->c[j] >= p->box[j] - w->radius && w->c[j] <= p->end[j] + w->radius))
      return;
  curve_contact(strip, w, p, p->high * (w->c[0] - p->box[0]) / (p->end[0] - p->box[0]), best);
}

/* Returns F times 1 - l^2 for a straight line through an edge along `direction'; r: from the edge to the centre. */
static double beyond(const view *w, const double *direction, const double *r) {
  double t = vd_dot2(direction, w->a), l = direction[0] * w->a[1] - direction[1] * w->a[0];
  return vd_dot2(direction, r) * (1.0 - l * l) + (direction[0] * r[1] - direction[1] * r[0]) * l * t;
}

/* Takes the point of an edge in the disc's plane as contact point, if the disc stands neither on the piece before the
 * edge nor on the piece after the edge. If the corner is hollow, the disc is behind the strip. */
static void edge_contact(const vd_strip *strip, const view *w, const vd_strip_edge *e, found *best) {
  double r[2] = {w->c[0] - e->at[0], w->c[1] - e->at[1]};
  /* m, from the contact point to the centre, along the edge */
  double aside = w->point ? 0.0 : -vd_dot2(r, w->a) / w->across;
  double reach = sqrt(vd_dot2(r, r) + aside * aside);
  if (!(reach < w->radius && reach < best->away && reach > near && vd_strip_contains(strip, w->v - aside, e->s)))
    return;
  if (beyond(w, e->before, r) < 0.0 || beyond(w, e->after, r) > 0.0)
    return;
  double side = e->before[0] * e->after[1] > e->before[1] * e->after[0] ? -1.0 : 1.0;
  *best = (found){
      .away = reach,
      .reach = side * reach,
      .distance = side * reach,
      .normal = {side * (r[0] / reach), side * (r[1] / reach)},
      .v = side * (aside / reach),
      .at = {e->at[0], e->at[1]},
      .at_v = w->v - aside,
  };
}

static bool before(const vd_contact_point *contact, const double *place) {
  return vd_dot(contact->normal, place) > vd_dot(contact->normal, contact->at);
}

/* Finds the nearest of all contact points, in front of the strip and behind it, so that the distance is continuous as
 * the centre moves. A wheel whose centre is in front of the strip stands on the strip, for any place of the body. If
 * the centre is behind and both known places of the body are behind, too, the wheel touches the back of the strip;
 * otherwise it was pushed through, and the reach is < 0. */
bool vd_strip_contact(const vd_strip *strip, const vd_disc *disc, vd_contact_point *contact) {
  const view w = view_of(strip, disc);
  found best = {.away = INFINITY};
  for (size_t i = 0; i < strip->pieces; i++) {
    const vd_strip_piece *p = &strip->piece[i];
    if (!(w.v > p->right - w.radius && w.v < p->left + w.radius))
      continue;
    switch ((enum vd_strip_shape)p->shape) {
    case VD_STRIP_LINE: line_contact(strip, &w, p, &best); break;
    case VD_STRIP_ARC: arc_contact(strip, &w, p, &best); break;
    case VD_STRIP_CLOTHOID_IN:
    case VD_STRIP_CLOTHOID_OUT:
    case VD_STRIP_COSINE: boxed_contact(strip, &w, p, &best); break;
    }
  }
  for (size_t i = 0; i < strip->edges; i++)
    edge_contact(strip, &w, &strip->edge[i], &best);
  if (!(best.away < disc->radius))
    return false;
  *contact = (vd_contact_point){.reach = best.reach, .distance = best.distance};
  for (int j = 0; j < 2; j++) {
    contact->at[j] = strip->origin[j] + best.at[0] * strip->ahead[j] + best.at_v * strip->side[j];
    contact->normal[j] = best.normal[0] * strip->ahead[j] + best.v * strip->side[j];
  }
  contact->at[2] = strip->origin[2] + best.at[1];
  contact->normal[2] = best.normal[1];
  if (best.reach < 0.0 && disc->body && !before(contact, disc->body[0]) && !before(contact, disc->body[1]))
    vd_contact_point_reverse(contact);
  return true;
}

/* --- building --- */

vd_strip vd_strip_along_x(double at, double z, double right, double left) {
  return (vd_strip){.origin = {at, 0.0, z},
                    .ahead = {1.0, 0.0},
                    .side = {0.0, 1.0},
                    .cosine = 1.0,
                    .right = isnan(right) ? -INFINITY : right,
                    .left = isnan(left) ? INFINITY : left};
}

/* Adds a piece and computes its sides. If the middle of the strip lies in the plane of the curve, the sides and the
 * ends of lines may be at infinity. */
void vd_strip_add_piece(vd_strip *strip, vd_strip_piece piece) {
  piece.right = strip->right / strip->cosine;
  piece.left = strip->left / strip->cosine;
  if (strip->skew != 0.0) {
    double low = strip->skew * (piece.from + piece.low), high = strip->skew * (piece.from + piece.high);
    piece.right += vd_min(low, high);
    piece.left += vd_max(low, high);
  }
  strip->piece[strip->pieces++] = piece;
}

void vd_strip_add_edge(vd_strip *strip, vd_strip_edge edge) {
  strip->edge[strip->edges++] = edge;
}
