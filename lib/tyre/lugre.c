/* LuGre: bristles that bend, break away and are renewed by rolling, for any steady tyre model.
 *
 * Canudas de Wit, Tsiotras, Velenis, Basset, Gissinger, "Dynamic friction models for road/tire longitudinal
 * interaction", Vehicle System Dynamics 39 (2003), averaged lumped form with the rolling term; Deur, Asgari, Hrovat
 * (2004) and Velenis, Tsiotras, Canudas de Wit, Sorine (2005) for both directions. Their form is z' = s - D z, F = K z
 * with a diagonal D whose friction g is fitted. Here D is such that the steady force is the force S of any steady model
 * at the present slip and load. The following derivation is our own.
 *
 * z is the deflection of the bristles, s the slip velocity (each with x and y), V the velocity of the contact along the
 * heading. K = diag(Cx/sigma_x, Cy/sigma_y) has the slopes C of the steady curves at this load and the relaxation
 * lengths sigma. Scaled variables are y = K^1/2 z, f = K^1/2 s and e = K^-1/2 S: y^2/2 is the stored energy, and y f
 * the power of the force F = K^1/2 y on the slip velocity s. In these variables,
 *
 *   y' = f - A y,   A e = f
 *
 * has the steady state e. The loss of power is y f - y y' = y A y, so that no energy is created if A has no negative
 * eigenvalue. The symmetric matrices with A e = f are
 *
 *   A = f f^T/(f e) + c n n^T,   n a unit vector normal to e,
 *
 * and are positive if c > 0 and f e = S s > 0, that is if the steady force itself dissipates. S of a Magic Formula does
 * not have the direction of s. A scalar R in place of A, z' = R (z_e - z) with the steady state z_e, would therefore
 * not have s as its first term, and would create energy. c is chosen so that A is the matrix with A e = f that is
 * closest to the rolling term m |V| P, P = diag(1/sigma_x, 1/sigma_y), in the sense of the update of Broyden, Fletcher,
 * Goldfarb and Shanno. m is such that A and this term have the same power, f e = m |V| e P e; in one direction m is (C
 * s/|V|)/S, the linear force divided by the steady one. The update gives
 *
 *   c = m |V| det P e^2/(e P e)
 *
 * At small slip S = C s/|V|, so that f = |V| P e and A = |V| P: the equation of the relaxation lengths. Where the curve
 * of S bends, m grows. At standstill, where f and e have the same direction, A is |s| K/S: Dahl's law. To avoid a
 * division by zero the steady slip is computed with |V| or a thousandth of |s|, whichever is greater; at such slips
 * every curve is level. sigma2, viscous friction, is part of the steady curve.
 *
 * Shifted curves. Ply steer, conicity and camber give a force S0 without slip, whose power comes from the rolling
 * motion. The bristles follow s + |V| S0/C instead of s: the slip velocity relative to the slip velocity at zero force.
 * The power on the bristles exceeds F s by F S0/C |V|, which is zero at standstill. Where S0 and S nearly cancel, the
 * bend of the curve would have too much influence; therefore below twice the slip S0/C the bristles follow the linear
 * |V| S/C. The share of the linear velocity falls to zero at four times the slip S0/C.
 *
 * Damper. sigma1 = tau K, F = K (z + tau z'), fades with speed as the standstill damper of the relaxation lengths does.
 * With an eigenvalue a of A the loss y A y + tau y' f is not negative if tau a <= 4 (Barahanov and Ortega 2000 for one
 * direction). With t = tau a <= 1 the force along the eigenvector is y + t (e - y), between the bristles' force and the
 * steady force. t is clamped to 1, so that a sudden reversal of a sliding tyre gives no more than friction.
 *
 * Fast sliding. Rates a above Q, the inverse of the step, are clamped: y' = q a (e - y) with q = Q/a, and the share 1 -
 * q of the force is the steady force. The loss in units of a, F f - y y' = t e^2 + (1 - t - q) y e + q y^2, is not
 * negative if (1 - t - q)^2 <= 4 t q, which holds if t lies between 1 - q and 1.
 *
 * Bound. In one direction the force of the bristles stays between the steady forces that they have followed. In two
 * directions it may leave this range, because A turns the bristles, and they stay bent when the load falls. Therefore
 * the force is clamped to the grip limit of the tyre at its load, or to |S| if that is greater. If the loss would then
 * be negative, the deflection falls faster, so that the loss is zero.
 *
 * The proof holds for a constant load: as with relaxation lengths, the deflection does not change when the load
 * does. */
#include "tyre/lugre.h"

#include "base/elementary.h"

/* Four tyres side by side. */
typedef struct wide2 {
  vd_wide x, y;
} wide2;

VD_INLINE vd_wide dot(wide2 a, wide2 b) {
  return a.x * b.x + a.y * b.y;
}

VD_INLINE vd_wide size(wide2 a) {
  return vd_wide_sqrt(dot(a, a));
}

VD_INLINE wide2 plus(wide2 a, vd_wide scale, wide2 b) {
  return (wide2){a.x + scale * b.x, a.y + scale * b.y};
}

VD_INLINE wide2 wide2_select(vd_wide_mask mask, wide2 yes, wide2 no) {
  return (wide2){vd_wide_select(mask, yes.x, no.x), vd_wide_select(mask, yes.y, no.y)};
}

/* State and coefficients of the bristles at the present loads. */
typedef struct tread {
  wide2 slope, length;           /* N, C; m, sigma */
  wide2 root;                    /* (N/m)^1/2, square roots of the stiffnesses */
  wide2 slip, state;             /* m/s, m */
  wide2 zero_slip_force;         /* N, steady forces at zero slip */
  vd_wide rolling, damper, load; /* m/s, |V|; s; N */
  vd_wide fastest;               /* 1/s, greatest rate */
} tread;

static void read_tyres(const vd_bristles *b, tread *t) {
  *t = (tread){.zero_slip_force = {vd_wide_load(b->rolling->fx), vd_wide_load(b->rolling->fy)}};
  for (int i = 0; i < b->count; i++) {
    const vd_slide *slide = &b->slide[i];
    double slope[2], length[2];
    if (!slide->bristles)
      continue;
    vd_tyre_relaxation(b->tyre[i], b->load[i], &length[0], &length[1]);
    vd_tyre_stiffnesses(b->tyre[i], b->ground_friction[i], b->load[i], &slope[0], &slope[1]);
    t->length.x[i] = length[0];
    t->length.y[i] = length[1];
    t->slope.x[i] = slope[0];
    t->slope.y[i] = slope[1];
    t->slip.x[i] = slide->sx;
    t->slip.y[i] = slide->sy;
    t->state.x[i] = slide->zx;
    t->state.y[i] = slide->zy;
    t->rolling[i] = fabs(slide->vx);
    t->damper[i] = slide->damper;
    t->fastest[i] = slide->fastest;
    t->load[i] = b->load[i];
  }
}

/* Ensures that the steady force dissipates at slips above one. If its component along the slip velocity is less than a
 * tenth of the force, it is raised to a tenth: wholly at slips above two and at standstill, in part at slips from one
 * to two. Only a rolling motion could supply the power of another force. */
VD_INLINE wide2 against_sliding(const tread *t, wide2 steady) {
  const double least = 0.1;
  const vd_wide one = vd_wide_of(1.0), none = vd_wide_of(0.0);
  vd_wide sliding = size(t->slip), along = dot(steady, t->slip), needed = least * size(steady) * sliding;
  vd_wide share = vd_wide_select(t->rolling > none, vd_wide_min(sliding / t->rolling - 1.0, one), one);
  wide2 turned = plus(steady, share * (needed - along) / (sliding * sliding), t->slip);
  return wide2_select((sliding > t->rolling) & (along < needed), turned, steady);
}

/* Returns the velocity that the bristles follow, m/s: the slip velocity relative to the slip velocity at zero force. */
VD_INLINE wide2 followed_velocity(const tread *t, wide2 steady) {
  /* least power as a share of the power with the velocity |V| S/C: at least half the secant of the curve */
  const double least = 0.5;
  const vd_wide one = vd_wide_of(1.0), none = vd_wide_of(0.0);
  wide2 shift = {t->rolling * t->zero_slip_force.x / t->slope.x, t->rolling * t->zero_slip_force.y / t->slope.y};
  wide2 linear = {t->rolling * steady.x / t->slope.x, t->rolling * steady.y / t->slope.y};
  wide2 whole = plus(t->slip, one, shift);
  vd_wide near = 2.0 * size(shift);
  vd_wide share = vd_wide_min(vd_wide_max(size(t->slip) / near - 1.0, none), one);
  share = vd_wide_select(near > none, share, one);
  vd_wide power = dot(whole, steady), of_linear = dot(linear, steady);
  vd_wide clamped = vd_wide_min(share, (1.0 - least) * of_linear / (of_linear - power));
  share = vd_wide_select((power < least * of_linear) | (power < none), clamped, share);
  return wide2_select(share == one, whole, plus(linear, share, plus(whole, -one, linear)));
}

/* The symmetric matrix A in the basis of the unit vector `first` and the vector to its left. */
typedef struct rate_matrix {
  wide2 first;
  vd_wide along, coupling, across; /* 1/s */
} rate_matrix;

VD_INLINE rate_matrix rate_matrix_of(const tread *t, wide2 f, wide2 e) {
  const vd_wide one = vd_wide_of(1.0), none = vd_wide_of(0.0);
  vd_wide square = dot(e, e), rate_x = 1.0 / t->length.x, rate_y = 1.0 / t->length.y;
  vd_wide inverse = 1.0 / vd_wide_sqrt(square);
  wide2 first = {e.x * inverse, e.y * inverse};
  vd_wide along = dot(f, first) * inverse, coupling = (f.y * first.x - f.x * first.y) * inverse;
  vd_wide rolls = rate_x * first.x * first.x + rate_y * first.y * first.y;
  vd_wide across = coupling * coupling / along + along * rate_x * rate_y / (rolls * rolls);
  /* forced: there is a steady force to follow */
  vd_wide_mask forced = square > 1e-200, dissipates = along > none;
  return (rate_matrix){wide2_select(forced, first, (wide2){one, none}),
                       vd_wide_select(forced, vd_wide_select(dissipates, along, none), t->rolling * rate_x),
                       vd_wide_select(forced & dissipates, coupling, none),
                       vd_wide_select(forced, vd_wide_select(dissipates, across, none), t->rolling * rate_y)};
}

/* Returns the product g(A) d, where the matrix function g(A) has the values g at the eigenvalues of A, the greater one
 * first. */
VD_INLINE wide2 apply(const rate_matrix *a, const vd_wide *eigenvalue, const vd_wide *g, wide2 d) {
  vd_wide spread = eigenvalue[0] - eigenvalue[1], none = vd_wide_of(0.0);
  vd_wide scale = vd_wide_select(spread > 1e-12 * eigenvalue[0], (g[0] - g[1]) / spread, none);
  vd_wide all = g[0] - scale * eigenvalue[0];
  vd_wide u = dot(d, a->first), v = d.y * a->first.x - d.x * a->first.y;
  vd_wide gu = all * u + scale * (a->along * u + a->coupling * v),
          gv = all * v + scale * (a->coupling * u + a->across * v);
  return (wide2){gu * a->first.x - gv * a->first.y, gu * a->first.y + gv * a->first.x};
}

/* Computes the rate of the bristles and the damper's part of the force, both in the scaled variables. */
VD_INLINE void find_rates(const tread *t, const rate_matrix *a, wide2 d, wide2 *rate, wide2 *damper) {
  const vd_wide one = vd_wide_of(1.0), none = vd_wide_of(0.0);
  vd_wide middle = 0.5 * (a->along + a->across), difference = 0.5 * (a->along - a->across);
  vd_wide half = vd_wide_sqrt(difference * difference + a->coupling * a->coupling);
  const vd_wide eigenvalue[] = {middle + half, vd_wide_max(middle - half, none)};
  vd_wide clamped[2], part[2];
  for (int k = 0; k < 2; k++) {
    clamped[k] = vd_wide_min(eigenvalue[k], t->fastest);
    vd_wide steady = vd_wide_select(eigenvalue[k] > t->fastest, 1.0 - t->fastest / eigenvalue[k], none);
    part[k] = vd_wide_max(steady, vd_wide_min(t->damper * eigenvalue[k], one));
  }
  *rate = apply(a, eigenvalue, clamped, d);
  *damper = apply(a, eigenvalue, part, d);
}

/* Returns the factor on v that clamps the force F = K^1/2 v to the grip limit. */
VD_INLINE vd_wide grip_factor(const vd_bristles *b, const tread *t, wide2 v, wide2 steady) {
  const vd_wide one = vd_wide_of(1.0);
  wide2 force = {t->root.x * v.x, t->root.y * v.y};
  vd_wide most = size(steady), whole = size(force);
  vd_wide_mask above = whole > most;
  if (!vd_wide_any(vd_wide_select(above, one, one - one)))
    return one;
  for (int i = 0; i < b->count; i++)
    if (above[i])
      most[i] = vd_max(most[i], vd_tyre_grip(b->tyre[i], b->ground_friction[i], b->load[i]));
  return vd_wide_select(whole > most, most / whole, one);
}

VD_WIDE void vd_lugre_forces(const vd_bristles *b, vd_tyre_forces *out) {
  const vd_wide none = vd_wide_of(0.0), one = vd_wide_of(1.0);
  tread t;
  read_tyres(b, &t);
  vd_wide_mask loaded = (t.load > none) & (t.slope.x > none) & (t.slope.y > none);
  t.root = (wide2){vd_wide_sqrt(t.slope.x / t.length.x), vd_wide_sqrt(t.slope.y / t.length.y)};
  wide2 steady = against_sliding(&t, (wide2){vd_wide_load(out->fx), vd_wide_load(out->fy)});
  wide2 slip = followed_velocity(&t, steady);
  wide2 f = {t.root.x * slip.x, t.root.y * slip.y}, e = {steady.x / t.root.x, steady.y / t.root.y};
  wide2 y = {t.root.x * t.state.x, t.root.y * t.state.y}, d = plus(e, -one, y), rate, damper;
  rate_matrix a = rate_matrix_of(&t, f, e);
  find_rates(&t, &a, d, &rate, &damper);
  wide2 v = plus(y, one, damper);
  vd_wide grip = grip_factor(b, &t, v, steady), created = dot(y, rate) - grip * dot(v, f);
  vd_wide damped = dot(damper, rate);
  rate = wide2_select((grip < one) & (created > none), plus(rate, -created / dot(y, y), y), rate);
  wide2 unloaded = {-vd_wide_min(t.rolling / t.length.x, t.fastest) * t.state.x,
                    -vd_wide_min(t.rolling / t.length.y, t.fastest) * t.state.y};
  rate = wide2_select(loaded, (wide2){rate.x / t.root.x, rate.y / t.root.y}, unloaded);
  wide2 force = wide2_select(loaded, (wide2){grip * t.root.x * v.x, grip * t.root.y * v.y}, (wide2){none, none});
  damped = vd_wide_select(loaded, damped, none);
  for (int i = 0; i < b->count; i++)
    if (b->slide[i].bristles) {
      out->rate_x[i] = rate.x[i];
      out->rate_y[i] = rate.y[i];
      out->fx[i] = force.x[i];
      out->fy[i] = force.y[i];
      out->damped[i] = damped[i];
    }
}
