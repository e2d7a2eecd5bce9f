/* LuGre: bristles that bend, break away and are renewed by rolling, for any steady tyre model.
 *
 * Canudas de Wit, Tsiotras, Velenis, Basset, Gissinger, "Dynamic friction models for road/tire longitudinal
 * interaction", Vehicle System Dynamics 39 (2003), averaged lumped form with the rolling term; Deur, Asgari, Hrovat
 * (2004) and Velenis, Tsiotras, Canudas de Wit, Sorine (2005) for both directions. Their form is z' = s - D z, F = K z
 * with a diagonal D whose friction g is fitted. Here D is such that the steady force is the force S of any steady model
 * at the present slip and load. What follows is an own derivation.
 *
 * K = diag(Cx/sigma_x, Cy/sigma_y) has the slopes C of the steady curves at this load and the relaxation lengths sigma.
 * In the roots of energy y = K^1/2 z, f = K^1/2 s and e = K^-1/2 S, where y^2/2 is stored and the power of the force
 * K^1/2 y on the slip velocity s is y f,
 *
 *   y' = f - A y,   A e = f
 *
 * has the steady state e. It stores or loses and creates nothing if A has no negative part: y f - y y' = y A y. The
 * symmetric matrices with A e = f are
 *
 *   A = f f^T/(f e) + c n n^T,   n a unit vector across e,
 *
 * and are positive if c > 0 and f e = S s > 0, that is if the steady force itself dissipates. S of a Magic Formula
 * does not lie along s; with a number R for A, z' = R (e - z), the first term is not s then, and creates energy. c is
 * that of the matrix with A e = f that is next to the rolling term m |V| P, P = diag(1/sigma_x, 1/sigma_y), in the
 * sense of the update of Broyden, Fletcher, Goldfarb and Shanno. m, the ratio of C slip to S, gives both the same power
 * f e = m |V| e P e:
 *
 *   c = m |V| det P e^2/(e P e)
 *
 * At small slip S = C s/|V|, so that f = |V| P e and A is |V| P in every direction: the relaxation lengths. Where the
 * curve bends m grows, and at standstill, where f and e have one direction, A is |s| k/S: Dahl's law. There is no speed
 * to divide by: the steady slip is taken at |V| or a thousandth of |s|, whichever is more, where every curve has long
 * levelled off. sigma2, viscous friction, is part of the steady curve.
 *
 * Shifted curves. Ply steer, conicity and camber give a force S0 without slip, which draws its power from the rolling
 * motion. The bristles follow s + |V| S0/C instead of s: the slip velocity from that of zero force. What they then have
 * beyond F s is F S0/C |V|, nothing at standstill. Where S0 and S nearly cancel, below twice the slip S0/C, the bend of
 * the curve would count for much, and the linear |V| S/C is followed; above four times S0/C no share of it is left.
 *
 * Damper. sigma1 = tau K, F = K (z + tau z'), fades with speed as the standstill damper of the relaxation lengths does.
 * With an eigenvalue a of A the loss y A y + tau y' f is not negative if tau a <= 4 (Barahanov and Ortega 2000 for one
 * direction). With t = tau a <= 1 the force is y + t (e - y) along the eigenvector, between the bristles' and the
 * steady one. So t is held there: sudden reversals of a sliding tyre give no more than friction.
 *
 * Fast sliding. Rates a above one per step, Q, are held there, y' = q a (e - y) with q = Q/a, and the share 1 - q of
 * the force is the steady one. The loss in units of a, F f - y y' = t e^2 + (1 - t - q) y e + q y^2, is not negative if
 * (1 - t - q)^2 <= 4 t q, which holds if t lies between 1 - q and 1.
 *
 * Bound. In one direction bristles stay between the steady forces that they have followed. In two, A turns them, and a
 * load that falls leaves them bent. The force is held within the grip of the tyre at its load, or within S where that
 * is more. Where this takes so much power that the rest would not be paid for, the bristles slip by as much.
 *
 * The proof is for a constant load: as with relaxation lengths the deflection stays when the load changes. */
#include "tyre/lugre.h"

#include "base/elementary.h"

typedef struct pair {
  double x, y;
} pair;

static double dot(pair a, pair b) {
  return a.x * b.x + a.y * b.y;
}

static double size(pair a) {
  return sqrt(dot(a, a));
}

static pair plus(pair a, double scale, pair b) {
  return (pair){a.x + scale * b.x, a.y + scale * b.y};
}

/* Bristles at a load. */
typedef struct tread {
  pair slope, length; /* N, C; m, sigma */
  pair root;          /* (N/m)^1/2, of the stiffnesses */
} tread;

/* Beyond a slip of one a force that lies across the slip, or along it, is turned against the sliding by as much as
 * leaves a tenth of it there: at standstill nothing else could pay for its work. */
static pair against_sliding(pair steady, pair slip, double rolling) {
  const double least = 0.1;
  double sliding = size(slip), along = dot(steady, slip), needed = least * size(steady) * sliding;
  if (!(sliding > rolling && along < needed))
    return steady;
  double share = rolling > 0.0 ? vd_min(sliding / rolling - 1.0, 1.0) : 1.0;
  return plus(steady, share * (needed - along) / (sliding * sliding), slip);
}

/* What the bristles follow, m/s: the slip velocity from zero force. */
static pair followed(const tread *t, const vd_bristles *b, pair steady, double rolling) {
  const double least = 0.5; /* of the power of the rolling term: as much as half the secant of the curve is needed */
  pair slip = {b->slide->sx, b->slide->sy};
  pair shift = {rolling * b->rolling_x / t->slope.x, rolling * b->rolling_y / t->slope.y};
  pair small = {rolling * steady.x / t->slope.x, rolling * steady.y / t->slope.y};
  pair whole = plus(slip, 1.0, shift);
  double near = 2.0 * size(shift), share = 1.0;
  if (near > 0.0)
    share = vd_min(vd_max(size(slip) / near - 1.0, 0.0), 1.0);
  double power = dot(whole, steady), rolled = dot(small, steady);
  if (power < least * rolled || power < 0.0)
    share = vd_min(share, (1.0 - least) * rolled / (rolled - power));
  return share == 1.0 ? whole : plus(small, share, plus(whole, -1.0, small));
}

/* The symmetric matrix A in the basis of a unit vector and the one to its left. */
typedef struct renewal {
  pair first;
  double along, both, across; /* 1/s */
} renewal;

static renewal renewal_of(const tread *t, pair f, pair e, double rolling) {
  double square = dot(e, e), rate_x = 1.0 / t->length.x, rate_y = 1.0 / t->length.y;
  if (!(square > 1e-200)) /* no force to follow */
    return (renewal){{1.0, 0.0}, rolling * rate_x, 0.0, rolling * rate_y};
  double inverse = 1.0 / sqrt(square);
  pair first = {e.x * inverse, e.y * inverse};
  double along = dot(f, first) * inverse, both = (f.y * first.x - f.x * first.y) * inverse;
  if (!(along > 0.0))
    return (renewal){first, 0.0, 0.0, 0.0};
  double rolls = rate_x * first.x * first.x + rate_y * first.y * first.y;
  return (renewal){first, along, both, both * both / along + along * rate_x * rate_y / (rolls * rolls)};
}

/* g(A) d of the function that has the values g at the eigenvalues of A, the greater one first. */
static pair apply(const renewal *a, const double *eigenvalue, const double *g, pair d) {
  double spread = eigenvalue[0] - eigenvalue[1];
  double scale = spread > 1e-12 * eigenvalue[0] ? (g[0] - g[1]) / spread : 0.0, all = g[0] - scale * eigenvalue[0];
  double u = dot(d, a->first), v = d.y * a->first.x - d.x * a->first.y;
  double gu = all * u + scale * (a->along * u + a->both * v), gv = all * v + scale * (a->both * u + a->across * v);
  return (pair){gu * a->first.x - gv * a->first.y, gu * a->first.y + gv * a->first.x};
}

/* Rate of the bristles and the damper's part of the force, both in roots of energy. */
static void follow(const renewal *a, const vd_slide *slide, pair d, pair *rate, pair *damper) {
  double middle = 0.5 * (a->along + a->across), difference = 0.5 * (a->along - a->across);
  double half = sqrt(difference * difference + a->both * a->both);
  const double eigenvalue[] = {middle + half, vd_max(middle - half, 0.0)};
  double held[2], part[2];
  for (int k = 0; k < 2; k++) {
    held[k] = vd_min(eigenvalue[k], slide->fastest);
    double steady = eigenvalue[k] > slide->fastest ? 1.0 - slide->fastest / eigenvalue[k] : 0.0;
    part[k] = vd_max(steady, vd_min(slide->damper * eigenvalue[k], 1.0));
  }
  *rate = apply(a, eigenvalue, held, d);
  *damper = apply(a, eigenvalue, part, d);
}

/* What keeps the force F = K^1/2 v within the grip: the share of v that is left. */
static double within_grip(const vd_bristles *b, const tread *t, pair v, pair steady) {
  pair force = {t->root.x * v.x, t->root.y * v.y};
  double most = size(steady), whole = size(force);
  if (!(whole > most))
    return 1.0;
  most = vd_max(most, vd_tyre_grip(b->tyre, b->ground_friction, b->load));
  return whole > most ? most / whole : 1.0;
}

static void without_load(const tread *t, const vd_slide *slide, int i, vd_tyre_forces *out) {
  double rolling = fabs(slide->vx);
  out->rate_x[i] = -vd_min(rolling / t->length.x, slide->fastest) * slide->zx;
  out->rate_y[i] = -vd_min(rolling / t->length.y, slide->fastest) * slide->zy;
  out->fx[i] = out->fy[i] = out->damped[i] = 0.0;
}

void vd_lugre_force(const vd_bristles *b, int i, vd_tyre_forces *out) {
  const vd_slide *slide = b->slide;
  double rolling = fabs(slide->vx);
  tread t;
  vd_tyre_relaxation(b->tyre, b->load, &t.length.x, &t.length.y);
  vd_tyre_stiffnesses(b->tyre, b->ground_friction, b->load, &t.slope.x, &t.slope.y);
  if (!(b->load > 0.0 && t.slope.x > 0.0 && t.slope.y > 0.0)) {
    without_load(&t, slide, i, out);
    return;
  }
  t.root = (pair){sqrt(t.slope.x / t.length.x), sqrt(t.slope.y / t.length.y)};
  pair steady = against_sliding((pair){out->fx[i], out->fy[i]}, (pair){slide->sx, slide->sy}, rolling);
  pair slip = followed(&t, b, steady, rolling);
  pair f = {t.root.x * slip.x, t.root.y * slip.y}, e = {steady.x / t.root.x, steady.y / t.root.y};
  pair y = {t.root.x * slide->zx, t.root.y * slide->zy}, d = plus(e, -1.0, y), rate, damper;
  renewal a = renewal_of(&t, f, e, rolling);
  follow(&a, slide, d, &rate, &damper);
  pair v = plus(y, 1.0, damper);
  double left = within_grip(b, &t, v, steady), created = dot(y, rate) - left * dot(v, f);
  out->damped[i] = dot(damper, rate);
  if (left < 1.0 && created > 0.0)
    rate = plus(rate, -created / dot(y, y), y);
  out->rate_x[i] = rate.x / t.root.x;
  out->rate_y[i] = rate.y / t.root.y;
  out->fx[i] = left * t.root.x * v.x;
  out->fy[i] = left * t.root.y * v.y;
}
