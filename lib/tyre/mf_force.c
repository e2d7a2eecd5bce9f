/* Forces and moments: the part of the Magic Formula that runs at every step. Equation numbers refer to Pacejka's book,
 * 3rd ed., ch. 4.3.2; vd_mf_build has multiplied the coefficients by their scaling factors.
 *
 * Every equation is written once, for four tyres side by side. The arc tangents and sines of one tyre depend on each
 * other, so that computing four tyres at once takes no longer than one. A single tyre is put into all four lanes. */
#include "tyre/mf_impl.h"

/* The coefficients [term][wheel] of four tyres, or the coefficients of one tyre for all lanes. */
typedef struct terms {
  const double *at;
  bool single, has_overturning, has_ellipse, my_has_power, has_turn_slip;
} terms;

VD_INLINE vd_wide term(terms m, size_t offset) {
  size_t k = offset / sizeof(double);
  return m.single ? vd_wide_of(m.at[k]) : vd_wide_load(m.at + VD_WHEELS * k);
}

/* Terms of m: a coefficient, a line in u, a parabola in u. */
#define OF(name)        term(m, offsetof(vd_mf, name))
#define LINE(name, u)   (OF(name.c0) + OF(name.c1) * (u))
#define SQUARE(name, u) (OF(name.c0) + (OF(name.c1) + OF(name.c2) * (u)) * (u))

VD_INLINE terms of_four(const vd_mf_four *m) {
  return (terms){m->term[0], false, m->has_overturning, m->has_ellipse, m->my_has_power, m->has_turn_slip};
}

VD_INLINE terms of_one(const vd_mf *m) {
  return (terms){(const double *)m, true, m->has_overturning, m->has_ellipse, m->my_has_power, m->has_turn_slip};
}

/* A pure curve, see vd_mf_curve. E is (even + odd) e for x < 0 and (even - odd) e for x >= 0. */
typedef struct curve {
  vd_wide k, mu, b, c, sh, sv, e, even, odd;
} curve;

/* Both pure curves at a load, see vd_mf_pure. */
typedef struct curves {
  vd_wide load, scale, u;
  curve x, y;
} curves;

static const double min_friction = 1e-6;  /* keeps B finite */
static const double min_stiffness = 1e-3; /* per unit of load; a car tyre has 10 to 40 */
static const double min_scale = 1e-3;     /* lower limit of a friction factor that is a divisor */
static const double min_weight = 1e-2;    /* lower limit of the denominator of a weight, usually near 1 */

VD_INLINE vd_wide square(vd_wide x) {
  return x * x;
}

VD_INLINE vd_wide at_least(vd_wide x, double least) {
  return vd_wide_max(x, vd_wide_of(least));
}

VD_INLINE vd_wide clamp_to(vd_wide x, double limit) {
  return vd_wide_clamp(x, vd_wide_of(-limit), vd_wide_of(limit));
}

/* Limits E to 1 (4.E14, 4.E24, ...): above 1 the force would have a second extremum. */
VD_INLINE vd_wide bounded(vd_wide e) {
  return vd_wide_min(e, vd_wide_of(1.0));
}

/* ---- Quantities that do not depend on the load ----------------------------------------------- */

VD_INLINE vd_wide by_pressure(vd_wide linear, vd_wide quadratic, vd_wide dp) {
  return 1.0 + (linear + quadratic * dp) * dp;
}

/* Returns the factor of u in the arc tangent of Kya, 4.E25. */
VD_INLINE vd_wide arc_factor(terms m, vd_wide dp, vd_wide gamma_s) {
  return 1.0 / at_least((OF(pky2) + OF(pky5) * square(gamma_s)) * (1.0 + OF(ppy2) * dp), min_stiffness);
}

/* Computes the friction, 4.E7; slip_speed: m/s, for LMUV. */
VD_INLINE void friction(terms m, vd_wide road, vd_wide slip_speed, vd_mf_slip *s) {
  vd_wide factor = road / at_least(1.0 + OF(lambda_speed) * slip_speed, min_scale);
  s->lambda_x = OF(lambda_x) * factor;
  s->lambda_y = OF(lambda_y) * factor;
  s->mux = by_pressure(OF(ppx3), OF(ppx4), s->dp) * (1.0 - OF(pdx3) * square(s->gamma)) * s->lambda_x;
  s->muy = by_pressure(OF(ppy3), OF(ppy4), s->dp) * s->lambda_y;
}

/* Returns the sign of vx, +-1, with a smooth transition around 0. */
VD_INLINE vd_wide direction(terms m, vd_wide vx) {
  vd_wide x = clamp_to(vx * OF(inverse_v_low), 1.0), z = x * x;
  return x * (1.875 - z * (1.25 - 0.375 * z));
}

/* Computes turn slip, the spin by camber, and the factors of slips in B_xphi and B_yphi. The weight of the spin by
 * camber depends on the load; it is applied in spin_at. */
VD_INLINE void turn_conditions(terms m, const vd_mf_contact *in, vd_mf_slip *s) {
  s->sign = direction(m, in->vx);
  s->turn = s->tilt = vd_wide_of(0.0);
  if (in->path) {
    s->turn = OF(turn_radius) * OF(mirror) * in->path->curvature;
    s->tilt = OF(turn_radius) * in->path->rolling * s->gamma_s;
  }
  s->bx_turn = vd_wide_cos_atan(OF(pdxp3) * s->kappa);
  s->by_turn = vd_wide_cos_atan(OF(pdyp3) * s->tangent);
}

/* Computes 4.E1, 4.E2, 4.E4 with all inputs clamped to their ranges, and the factors of both pure curves. */
VD_INLINE void conditions(terms m, const vd_mf_contact *in, vd_mf_slip *s) {
  vd_wide pressure = vd_wide_clamp(in->pressure, OF(pressure_min), OF(pressure_max));
  s->dp = (pressure - OF(pressure_nominal)) * OF(pressure_unit);
  s->kappa = vd_wide_clamp(in->kappa, OF(kappa_min), OF(kappa_max));
  s->tangent = vd_wide_clamp(OF(mirror) * in->tan_alpha, OF(tangent_min), OF(tangent_max));
  s->gamma = vd_wide_clamp(OF(mirror) * in->gamma, OF(gamma_min), OF(gamma_max));
  s->gamma_s = vd_wide_sin_core(s->gamma);
  friction(m, in->friction, vd_wide_abs(in->vx) * vd_wide_sqrt(square(s->kappa) + square(s->tangent)), s);
  vd_wide gamma2 = square(s->gamma_s);
  s->kx = by_pressure(OF(ppx1), OF(ppx2), s->dp);
  s->ky = OF(pky1) * (1.0 + OF(ppy1) * s->dp);
  s->kyg = 1.0 + OF(ppy5) * s->dp;
  s->muy_camber = 1.0 - OF(pdy3) * gamma2;
  s->ky_camber = 1.0 - OF(pky3) * vd_wide_abs(s->gamma_s);
  s->ey_even = 1.0 + OF(pey5) * gamma2;
  s->ey_odd = OF(pey3) + OF(pey4) * s->gamma_s;
  s->arc_factor = arc_factor(m, s->dp, s->gamma_s);
  if (m.has_turn_slip)
    turn_conditions(m, in, s);
}

/* Computes B of the weights of combined slip, 4.E53, 4.E61, and the sine of SVyk, 4.E66. */
VD_INLINE void combined(terms m, vd_mf_slip *s) {
  vd_wide gamma2 = square(s->gamma_s);
  s->bxa = (OF(rbx1) + OF(rbx3) * gamma2) * vd_wide_cos_atan(OF(rbx2) * s->kappa);
  s->byk = (OF(rby1) + OF(rby4) * gamma2) * vd_wide_cos_atan(OF(rby2) * (s->tangent - OF(rby3)));
  vd_wide sine = vd_wide_sin(OF(rvy5) * vd_wide_atan(OF(rvy6) * s->kappa));
  s->vyk = sine * vd_wide_cos_atan(OF(rvy4) * s->tangent);
}

/* Computes the parts of Mx and My that do not depend on the load. */
VD_INLINE void moment_conditions(terms m, vd_wide vx, vd_mf_slip *s) {
  vd_wide gamma = s->gamma, speed = vd_wide_abs(vx * OF(inverse_v0)), gamma2 = square(gamma);
  s->sign = direction(m, vx);
  s->mx = OF(qsx1) - OF(qsx2) * gamma * (1.0 + OF(ppmx1) * s->dp) - OF(qsx12) * gamma * vd_wide_abs(gamma);
  s->my = OF(qsy1) + OF(qsy3) * speed + OF(qsy4) * square(square(speed)) + OF(qsy5) * gamma2;
  s->my_load = OF(qsy6) * gamma2;
  s->my_inflation = vd_wide_of(1.0);
  if (vd_wide_any(OF(qsy8) * s->dp))
    s->my_inflation = vd_wide_exp(OF(qsy8) * vd_wide_log(1.0 + s->dp));
}

VD_INLINE void at_slip(terms m, const vd_mf_contact *in, vd_mf_slip *s) {
  conditions(m, in, s);
  combined(m, s);
  moment_conditions(m, in->vx, s);
}

/* ---- At a load ------------------------------------------------------------------------------- */

VD_INLINE void load_in_range(terms m, vd_wide load, curves *p) {
  vd_wide floor = OF(load_floor), one = vd_wide_of(1.0);
  p->load = vd_wide_clamp(load, floor, OF(load_max));
  p->scale = vd_wide_select(load < floor, at_least(load, 0.0) / floor, one);
  p->u = p->load * OF(load_unit);
}

/* Computes the curve of Fx, 4.E10-4.E18. */
VD_INLINE void longitudinal(terms m, const vd_mf_slip *s, vd_wide u, curve *x) {
  vd_wide growth = vd_wide_exp(clamp_to(OF(pkx3) * (u - 1.0), 50.0));
  x->mu = at_least(LINE(mux, u) * s->mux, min_friction);
  x->k = at_least(LINE(kx, u) * s->kx * growth, min_stiffness);
  x->c = OF(cx);
  x->b = x->k / (x->c * x->mu);
  x->sh = LINE(shx, u);
  x->sv = LINE(svx, u) * s->lambda_x;
  x->e = SQUARE(ex, u);
  x->even = vd_wide_of(1.0);
  x->odd = OF(pex4);
}

/* Returns the cornering stiffness, 4.E25. It is kept negative, because coefficients may change its sign far outside
 * their range. */
VD_INLINE vd_wide cornering(terms m, const vd_mf_slip *s, vd_wide by_u, vd_wide camber, vd_wide u) {
  vd_wide k = s->ky / u * vd_wide_sin(OF(pky4) * vd_wide_atan(by_u * u)) * camber;
  return vd_wide_min(k, vd_wide_of(-min_stiffness));
}

/* Computes the curve of Fy, 4.E20-4.E30. */
VD_INLINE void lateral(terms m, const vd_mf_slip *s, vd_wide u, curve *y) {
  y->c = OF(cy);
  y->mu = at_least(LINE(muy, u) * s->muy * s->muy_camber, min_friction);
  y->k = cornering(m, s, s->arc_factor, s->ky_camber, u);
  y->b = y->k / (y->c * y->mu);
  vd_wide in_shift = LINE(kyg, u) * s->kyg - LINE(shift_svyg, u) * s->lambda_y;
  y->sh = LINE(shy, u) + (OF(phy3) + in_shift / y->k) * s->gamma_s;
  y->sv = (LINE(svy, u) + LINE(svyg, u) * s->gamma_s) * s->lambda_y;
  y->e = LINE(ey, u);
  y->even = s->ey_even;
  y->odd = s->ey_odd;
}

/* Computes the curve of the pure side force without camber. */
VD_INLINE void lateral_upright(terms m, const vd_mf_slip *s, vd_wide u, curve *y) {
  vd_wide one = vd_wide_of(1.0);
  y->c = OF(cy);
  y->mu = at_least(LINE(muy, u) * s->muy, min_friction);
  y->k = cornering(m, s, arc_factor(m, s->dp, vd_wide_of(0.0)), one, u);
  y->b = y->k / (y->c * y->mu);
  y->sh = LINE(shy, u);
  y->sv = LINE(svy, u) * s->lambda_y;
  y->e = LINE(ey, u);
  y->even = one;
  y->odd = OF(pey3);
}

/* Computes C atan(B x - E (B x - atan(B x))). */
VD_INLINE vd_wide angle(vd_wide bx, vd_wide c, vd_wide e) {
  return c * vd_wide_atan(bx - e * (bx - vd_wide_atan(bx)));
}

/* Keeps x at least this far from zero, with its sign. */
VD_INLINE vd_wide away_from_zero(vd_wide x, double least) {
  return vd_wide_signed(at_least(vd_wide_abs(x), least), x);
}

/* Returns the turn slip R0 phi, 4.76; share: 1 - eps, 4.90. */
VD_INLINE vd_wide spin_at(terms m, const vd_mf_slip *s, vd_wide u, vd_wide *share) {
  *share = at_least(1.0 - LINE(ecp, u), VD_MF_LEAST_SPIN);
  return s->turn + *share * s->tilt;
}

/* Returns zeta_2, the factor of turn slip on the side force, 4.77, 4.78. */
VD_INLINE vd_wide zeta_2_of(terms m, const vd_mf_slip *s, vd_wide u, vd_wide size) {
  return vd_wide_cos_atan(LINE(dyp, u) * s->by_turn * (size + OF(pdyp4) * vd_wide_sqrt(size)));
}

/* Applies zeta_1 to zeta_4: spin reduces friction and stiffness, and shifts the curve of the side force; this shift
 * contains the shift by camber; 4.77-4.89, 4.105, 4.106. In 6.x the stiffness K_y alpha 0 in the shift contains zeta_3,
 * in 5.2 it does not. */
VD_INLINE void apply_turn_slip(terms m, const vd_mf_slip *s, vd_wide u, curve *x, curve *y) {
  vd_wide share, spin = spin_at(m, s, u, &share), size = vd_wide_abs(spin);
  vd_wide factor_x = vd_wide_cos_atan(LINE(dxp, u) * s->bx_turn * spin), factor_y = zeta_2_of(m, s, u, size);
  vd_wide stiff = vd_wide_cos_atan(OF(pkyp1) * square(spin));
  x->mu *= factor_x;
  x->sv *= factor_x;
  x->b = x->k / (x->c * x->mu);
  y->mu *= factor_y;
  y->sv *= factor_y;
  y->k *= stiff;
  y->b = y->k / (y->c * y->mu);
  vd_wide upright = cornering(m, s, arc_factor(m, s->dp, vd_wide_of(0.0)), vd_wide_of(1.0), u);
  upright = vd_wide_select(OF(sv_in_trail) > 0.0, upright, stiff * upright);
  vd_wide of_sv = LINE(svyg, u) * s->lambda_y, c = OF(chyp), d = away_from_zero(LINE(dhyp, u), 1e-9);
  vd_wide camber = LINE(kyg, u) * s->kyg + OF(phy3) * upright + OF(sv_in_trail) * of_sv;
  vd_wide b = camber / (share * away_from_zero(c * d * upright, 1e-12));
  vd_wide shift = s->sign * d * vd_wide_sin_near(angle(b * spin, c, bounded(OF(ehyp))));
  vd_wide shifted = LINE(shy, u) + shift - factor_y * of_sv * s->gamma_s / y->k;
  y->sh = vd_wide_select(OF(turn_shift) > 0.0, shifted, y->sh);
}

VD_INLINE void at_load(terms m, const vd_mf_slip *s, vd_wide load, curves *p) {
  load_in_range(m, load, p);
  longitudinal(m, s, p->u, &p->x);
  lateral(m, s, p->u, &p->y);
  if (m.has_turn_slip)
    apply_turn_slip(m, s, p->u, &p->x, &p->y);
}

/* Returns the force of pure slip, 4.E9 and 4.E19, per unit of load. */
VD_INLINE vd_wide pure(const curve *p, vd_wide slip) {
  vd_wide x = slip + p->sh, odd = vd_wide_select(x < 0.0, p->odd, -p->odd);
  return p->mu * vd_wide_sin_near(angle(p->b * x, p->c, bounded(p->e * (p->even + odd)))) + p->sv;
}

/* Returns a weight, Gxa (4.E50) or Gyk (4.E58). */
VD_INLINE vd_wide weight(vd_wide b, vd_wide c, vd_wide e, vd_wide slip, vd_wide shift) {
  vd_wide at = vd_wide_sin_near(vd_wide_complement(angle(b * (slip + shift), c, e)));
  vd_wide at_none = vd_wide_sin_near(vd_wide_complement(angle(b * shift, c, e)));
  return at / at_least(at_none, min_weight);
}

/* Computes the weights of the friction ellipse (mf.h) from the pure forces fx0 and fy0, without their vertical shifts
 * and per unit of load: mu_x/mux0 = |kc|/sqrt(kc^2 + (fx0 sc/muy)^2), mu_y/muy0 = |sc|/sqrt(sc^2 + (fy0 kc/mux)^2). */
VD_INLINE void ellipse(const vd_mf_slip *s, const curves *p, vd_wide fx0, vd_wide fy0, vd_wide *x, vd_wide *y) {
  const double none = 1e-20; /* squared slips below which the weights are 1 */
  vd_wide tangent = s->tangent + p->y.sh + p->y.sv / p->y.k, kappa = s->kappa + p->x.sh + p->x.sv / p->x.k;
  vd_wide along = square(kappa) + none, t2 = square(tangent), across = t2 / (1.0 + t2) + none;
  *x = vd_wide_sqrt(along / (along + square(fx0 / p->y.mu) * across));
  *y = vd_wide_sqrt(across / (across + square(fy0 / p->x.mu) * along));
}

/* Returns the overturning moment, 4.E69 with the pressure term of Besselink et al., per unit of load; ratio: Fz/Fz0. */
VD_INLINE vd_wide overturning(terms m, const vd_mf_slip *s, vd_wide ratio, vd_wide fy) {
  vd_wide gamma = s->gamma, side = OF(qsx3) * ratio + OF(qsx13) + OF(qsx14) * vd_wide_abs(gamma);
  vd_wide moment = s->mx + fy * side;
  if (!m.has_overturning)
    return moment;
  vd_wide cosine = vd_wide_sin(vd_wide_complement(OF(qsx5) * vd_wide_atan(square(OF(qsx6) * ratio))));
  vd_wide sine = vd_wide_sin(OF(qsx7) * gamma + OF(qsx8) * vd_wide_atan(OF(qsx9) * fy * ratio));
  return moment + OF(qsx4) * (cosine * sine) + OF(qsx10) * vd_wide_atan(OF(qsx11) * ratio) * gamma;
}

/* Returns the rolling moment, 4.E70, N m, a torque about +y. In a file of MF-Tyre 5.2 without QSY1 and QSY2 the rolling
 * resistance is the offset of the curve of Fx. */
VD_INLINE vd_wide rolling(terms m, const vd_mf_slip *s, const curves *p, vd_wide ratio, vd_wide fx) {
  vd_wide share = s->my + (OF(qsy2) * s->sign * fx + s->my_load) * ratio;
  vd_wide moment = -s->sign * OF(my) * OF(fz0) * share;
  if (m.my_has_power)
    moment *= vd_wide_exp(clamp_to(OF(qsy7) * vd_wide_log(ratio), 700.0));
  vd_wide from_shifts = OF(my) * p->load * (p->x.sv + p->x.k * p->x.sh);
  return vd_wide_select(OF(my_from_shifts) > 0.0, from_shifts, moment * s->my_inflation);
}

/* Computes forces and moments, except the aligning moment. */
VD_INLINE void forces(terms m, const vd_mf_slip *s, vd_wide load, vd_mf_load_state *out) {
  curves p;
  at_load(m, s, load, &p);
  vd_wide u = p.u, ratio = p.load * OF(inverse_fz0), clamped = p.load * p.scale, mirror = OF(mirror);
  vd_wide weight_x = weight(s->bxa, OF(rcx1), bounded(LINE(exa, u)), s->tangent, OF(shxa));
  vd_wide weight_y = weight(s->byk, OF(rcy1), bounded(LINE(eyk, u)), s->kappa, LINE(shyk, u));
  vd_wide pure_x = pure(&p.x, s->kappa), pure_y = pure(&p.y, s->tangent);
  if (m.has_ellipse) {
    vd_wide x, y;
    ellipse(s, &p, pure_x - p.x.sv, pure_y - p.y.sv, &x, &y);
    weight_x = vd_wide_select(OF(ellipse) > 0.0, x, weight_x);
    weight_y = vd_wide_select(OF(ellipse) > 0.0, y, weight_y);
  }
  vd_wide fy0 = weight_y * pure_y;
  vd_wide fx = OF(with_x) * weight_x * pure_x;
  vd_wide fy = OF(with_y) * (fy0 + p.y.mu * (LINE(dvyk, u) + OF(rvy3) * s->gamma_s) * s->vyk);
  *out = (vd_mf_load_state){.load = p.load,
                            .scale = p.scale,
                            .u = u,
                            .kx = p.x.k,
                            .ky = p.y.k,
                            .by = p.y.b,
                            .shy = p.y.sh,
                            .svy = p.y.sv,
                            .share_x = fx,
                            .share_y = fy,
                            .weight_y = weight_y,
                            .fy0 = fy0,
                            .fx = clamped * fx,
                            .fy = clamped * mirror * fy,
                            .mx = clamped * mirror * OF(with_y) * overturning(m, s, ratio, fy),
                            .my = p.scale * OF(with_x) * rolling(m, s, &p, ratio, fx)};
}

/* ---- The aligning moment --------------------------------------------------------------------- */

/* Returns cos(alpha*) for alpha* up to 1, and from there a hyperbola that continues with the same value and slope. */
VD_INLINE vd_wide cos_of_tangent(vd_wide tangent) {
  const double slope = 1.5574077246549022; /* tan 1 */
  return vd_wide_sin_near(vd_wide_complement(clamp_to(tangent, 1.0))) /
         (1.0 + slope * at_least(vd_wide_abs(tangent) - 1.0, 0.0));
}

/* Combines a slip angle, clamped to 90 deg, with the longitudinal slip, 4.E77, 4.E78. coupled: (Kx kappa/Ky)^2. */
VD_INLINE vd_wide equivalent(vd_wide alpha, vd_wide coupled) {
  vd_wide sine2 = square(vd_wide_sin_near(clamp_to(alpha, 0.5 * VD_PI)));
  return vd_wide_atan(vd_wide_sqrt(sine2 / at_least(1.0 - sine2, 1e-20) + coupled));
}

/* Returns the pneumatic trail, m, 4.E33, 4.E35, 4.E40-4.E44. */
VD_INLINE vd_wide trail_of(terms m, const vd_mf_slip *s, const vd_mf_load_state *p, vd_wide coupled, vd_wide scale) {
  vd_wide gamma = s->gamma, gamma_s = s->gamma_s, u = p->u;
  vd_wide alpha = s->tangent + LINE(sht, u) + LINE(sht_gamma, u) * gamma_s, c = OF(ct);
  vd_wide b = SQUARE(bt, u) * (1.0 + OF(qbz4) * gamma + OF(qbz5) * vd_wide_abs(gamma)) / scale;
  vd_wide by_sign = (OF(qez4) + OF(qez5) * gamma_s) * (2.0 / VD_PI) * vd_wide_atan(b * c * alpha);
  vd_wide e = bounded(SQUARE(et, u) * (1.0 + by_sign));
  vd_wide d = LINE(dt, u) * (1.0 - OF(ppz1) * s->dp) * (1.0 + (OF(qdz3) + OF(qdz4) * gamma) * gamma);
  vd_wide cosine = vd_wide_sin_near(vd_wide_complement(angle(b * equivalent(alpha, coupled), c, e)));
  return p->load * d * s->sign * vd_wide_cos_atan(s->tangent) * cosine;
}

/* Effects of turn slip on the moments; neutral values without it. */
typedef struct turning {
  vd_wide zeta_0, zeta_2, zeta_5, zeta_6, zeta_7;
  vd_wide peak; /* zeta_8 - 1 per unit of load */
} turning;

/* Computes the effects of turn slip on the moments, 4.91-4.104. zeta_7 makes the moment smaller if the wheel also
 * slides. */
VD_INLINE void find_turn_effects(terms m, const vd_mf_slip *s, const vd_mf_load_state *p, turning *t) {
  const double least = 1e-15; /* m, moment per unit of load */
  vd_wide u = p->u, share, spin = spin_at(m, s, u, &share);
  vd_wide friction = at_least(LINE(muy, u) * s->muy * s->muy_camber, min_friction);
  vd_wide whole = OF(qcrp1) * friction * vd_wide_sqrt(u), c = OF(cdrp), d = whole * OF(drp_peak);
  vd_wide slope = vd_wide_min(LINE(dr_gamma, u) + LINE(dr_gamma2, u) * vd_wide_abs(s->gamma), vd_wide_of(0.0));
  vd_wide b = slope / (share * at_least(c * d, least));
  vd_wide peak = d * vd_wide_sin_near(angle(b * spin, c, bounded(OF(edrp))));
  vd_wide across = whole * (2.0 / VD_PI) * vd_wide_atan(OF(qcrp2) * vd_wide_abs(s->turn)) * p->weight_y;
  vd_wide ratio = clamp_to(across / at_least(vd_wide_abs(peak), least), 1.0);
  vd_wide arcsine = vd_wide_atan(ratio / vd_wide_sqrt(at_least(1.0 - square(ratio), 1e-30)));
  vd_wide_mask has = OF(turn_moment) > 0.0;
  vd_wide none = vd_wide_of(0.0), one = vd_wide_of(1.0);
  t->zeta_5 = vd_wide_cos_atan(OF(qdtp1) * spin);
  t->zeta_2 = zeta_2_of(m, s, u, vd_wide_abs(spin));
  t->zeta_6 = vd_wide_cos_atan(OF(qbrp1) * spin);
  t->zeta_0 = vd_wide_select(has, none, one);
  t->peak = vd_wide_select(has, peak, none);
  t->zeta_7 = vd_wide_select(has, 1.0 - (2.0 / VD_PI) * arcsine, one);
}

/* Returns the residual torque per unit of load, 4.E34, 4.E36-4.E39, 4.E45-4.E49. */
VD_INLINE vd_wide residual_of(terms m, const vd_mf_slip *s, const vd_mf_load_state *p, vd_wide coupled, vd_wide scale,
                              const turning *t) {
  vd_wide gamma_s = s->gamma_s, u = p->u;
  vd_wide b = OF(qbz9) / scale + OF(qbz10) * p->by * OF(cy), level = LINE(dr, u);
  vd_wide camber = LINE(dr_gamma, u) * (1.0 + OF(ppz2) * s->dp) + LINE(dr_gamma2, u) * vd_wide_abs(gamma_s);
  vd_wide alpha = equivalent(s->tangent + p->shy + p->svy / p->ky, coupled);
  if (m.has_turn_slip) {
    level *= t->zeta_2;
    camber *= t->zeta_0;
    b *= t->zeta_6;
  }
  vd_wide d = (level + camber * gamma_s) * s->lambda_y * s->sign * cos_of_tangent(s->tangent);
  vd_wide cosine = vd_wide_cos_atan(b * alpha);
  if (m.has_turn_slip) {
    d += t->peak;
    vd_wide with_spin = vd_wide_sin_near(vd_wide_complement(t->zeta_7 * vd_wide_atan(b * alpha)));
    cosine = vd_wide_select(t->zeta_7 < 1.0, with_spin, cosine);
  }
  return d * cosine;
}

/* Returns the side force that the trail multiplies, per unit of load: in 5.2 Fy minus SVyk, in 6.x Gyk Fy0 without
 * camber and spin. Both are equal without camber and spin. */
VD_INLINE vd_wide on_trail(terms m, const vd_mf_slip *s, const vd_mf_load_state *p) {
  if (!m.has_turn_slip && !vd_wide_any(s->gamma_s))
    return p->fy0;
  curve upright;
  lateral_upright(m, s, p->u, &upright);
  return vd_wide_select(OF(sv_in_trail) > 0.0, p->fy0, p->weight_y * pure(&upright, s->tangent));
}

/* Computes the aligning moment, 4.E71-4.E76. */
VD_INLINE void moment(terms m, const vd_mf_slip *s, const vd_mf_load_state *p, vd_mf_moment *out) {
  vd_wide odd = p->load * p->scale * OF(mirror) * OF(with_y), scale = at_least(s->lambda_y, min_scale);
  vd_wide coupled = square(OF(coupling) * p->kx / p->ky * s->kappa);
  vd_wide arm = OF(ssz1) + OF(ssz2) * p->share_y * (p->load * OF(inverse_fz0)) + LINE(s_gamma, p->u) * s->gamma;
  const vd_wide one = vd_wide_of(1.0);
  turning t = {one, one, one, one, one, vd_wide_of(0.0)};
  if (m.has_turn_slip)
    find_turn_effects(m, s, p, &t);
  vd_wide residual = residual_of(m, s, p, coupled, scale, &t);
  out->trail = trail_of(m, s, p, coupled, scale);
  if (m.has_turn_slip)
    out->trail *= t.zeta_5;
  out->residual = odd * residual;
  out->mz = odd * (residual - out->trail * on_trail(m, s, p) + arm * p->share_x);
}

/* ---- Four tyres, and one ---------------------------------------------------------------------- */

void vd_mf_pack(const vd_mf *const *m, vd_mf_four *four) {
  four->has_overturning = four->has_ellipse = four->my_has_power = four->has_turn_slip = false;
  for (int i = 0; i < VD_WHEELS; i++) {
    const double *from = (const double *)m[i];
    for (int k = 0; k < VD_MF_TERMS; k++)
      four->term[k][i] = from[k];
    four->has_overturning |= m[i]->has_overturning;
    four->has_ellipse |= m[i]->has_ellipse;
    four->my_has_power |= m[i]->my_has_power;
    four->has_turn_slip |= m[i]->has_turn_slip;
  }
}

/* Returns a copy without turn slip: functions are compiled with and without it, so that usual tyres are faster. */
VD_INLINE terms straight(terms m) {
  m.has_turn_slip = false;
  return m;
}

VD_NOINLINE void turning_at_slip(const vd_mf_four *m, const vd_mf_contact *in, vd_mf_slip *slip) {
  at_slip(of_four(m), in, slip);
}

VD_NOINLINE void turning_at_load(const vd_mf_four *m, const vd_mf_slip *slip, const double *load,
                                 vd_mf_load_state *last) {
  forces(of_four(m), slip, vd_wide_load(load), last);
}

VD_NOINLINE void turning_aligning(const vd_mf_four *m, const vd_mf_slip *slip, const vd_mf_load_state *last,
                                  vd_mf_moment *out) {
  moment(of_four(m), slip, last, out);
}

VD_WIDE void vd_mf_at_slip(const vd_mf_four *m, const vd_mf_contact *in, vd_mf_slip *slip) {
  if (m->has_turn_slip)
    turning_at_slip(m, in, slip);
  else
    at_slip(straight(of_four(m)), in, slip);
}

VD_WIDE void vd_mf_at_load(const vd_mf_four *m, const vd_mf_slip *slip, const double *load, vd_mf_load_state *last) {
  if (m->has_turn_slip)
    turning_at_load(m, slip, load, last);
  else
    forces(straight(of_four(m)), slip, vd_wide_load(load), last);
}

VD_WIDE void vd_mf_aligning(const vd_mf_four *m, const vd_mf_slip *slip, const vd_mf_load_state *last,
                            vd_mf_moment *out) {
  if (m->has_turn_slip)
    turning_aligning(m, slip, last, out);
  else
    moment(straight(of_four(m)), slip, last, out);
}

VD_WIDE void vd_mf_shift_loads(const vd_mf_four *four, const double *load, vd_mf_load_state *last) {
  const terms m = of_four(four);
  curves p;
  load_in_range(m, vd_wide_load(load), &p);
  last->load = p.load;
  last->scale = p.scale;
  last->u = p.u;
}

/* Returns the force per unit of load. If the force equals the steady force, the result is exactly the steady share. */
VD_INLINE vd_wide share_of(vd_wide force, vd_wide steady, vd_wide clamped, vd_wide before) {
  vd_wide share = vd_wide_select(clamped > 0.0, force / clamped, vd_wide_of(0.0));
  return vd_wide_select(force == steady, before, share);
}

VD_WIDE void vd_mf_use_forces(const vd_mf_four *four, const vd_mf_slip *s, const double *fx, const double *fy,
                              vd_mf_load_state *p) {
  const terms m = of_four(four);
  vd_wide clamped = p->load * p->scale, mirror = OF(mirror), ratio = p->load * OF(inverse_fz0);
  p->share_x = share_of(vd_wide_load(fx), p->fx, clamped, p->share_x);
  p->share_y = share_of(mirror * vd_wide_load(fy), mirror * p->fy, clamped, p->share_y);
  p->mx = clamped * mirror * OF(with_y) * overturning(m, s, ratio, p->share_y);
}

/* Spreads the input to four lanes; *path is set to curvature and rolling. */
VD_INLINE vd_mf_contact contact_of(const vd_mf_input *in, vd_mf_path *path) {
  *path = (vd_mf_path){vd_wide_of(in->curvature), vd_wide_of(in->rolling)};
  return (vd_mf_contact){.kappa = vd_wide_of(in->kappa),
                         .tan_alpha = vd_wide_of(in->tan_alpha),
                         .gamma = vd_wide_of(in->gamma),
                         .pressure = vd_wide_of(in->pressure),
                         .vx = vd_wide_of(in->vx),
                         .friction = vd_wide_of(in->friction),
                         .path = path};
}

VD_WIDE void vd_mf_forces(const vd_mf *m, const vd_mf_input *in, vd_mf_output *out) {
  vd_mf_path path;
  vd_mf_contact contact = contact_of(in, &path);
  vd_mf_slip slip;
  vd_mf_load_state last;
  vd_mf_moment aligning;
  slip.turn = slip.tilt = slip.bx_turn = slip.by_turn = vd_wide_of(0.0); /* used with turn slip only */
  at_slip(of_one(m), &contact, &slip);
  forces(of_one(m), &slip, vd_wide_of(in->load), &last);
  moment(of_one(m), &slip, &last, &aligning);
  *out = (vd_mf_output){.fx = last.fx[0],
                        .fy = last.fy[0],
                        .mx = last.mx[0],
                        .my = last.my[0],
                        .mz = aligning.mz[0],
                        .trail = aligning.trail[0],
                        .residual = aligning.residual[0]};
}

VD_INLINE vd_mf_curve curve_of_first(const curve *p) {
  vd_wide before = bounded(p->e * (p->even + p->odd)), behind = bounded(p->e * (p->even - p->odd));
  return (vd_mf_curve){p->k[0], p->mu[0], p->b[0], p->c[0], p->sh[0], p->sv[0], {before[0], behind[0]}};
}

VD_WIDE void vd_mf_pure_at(const vd_mf *m, const vd_mf_input *in, vd_mf_slip *s, vd_mf_pure *p) {
  vd_mf_path path;
  vd_mf_contact contact = contact_of(in, &path);
  curves both;
  contact.kappa = contact.tan_alpha = contact.vx = vd_wide_of(0.0);
  conditions(of_one(m), &contact, s);
  at_load(of_one(m), s, vd_wide_of(in->load), &both);
  *p = (vd_mf_pure){both.load[0], both.scale[0], both.u[0], curve_of_first(&both.x), curve_of_first(&both.y)};
}

VD_WIDE void vd_mf_slopes_of_four(const vd_mf_four *four, const double *pressure, const double *load, double *slip,
                                  double *cornering) {
  const terms m = straight(of_four(four));
  const vd_wide none = vd_wide_of(0.0);
  const vd_mf_contact contact = {.kappa = none,
                                 .tan_alpha = none,
                                 .gamma = none,
                                 .pressure = vd_wide_load(pressure),
                                 .vx = none,
                                 .friction = vd_wide_of(1.0)};
  vd_mf_slip s;
  curves p;
  conditions(m, &contact, &s);
  at_load(m, &s, vd_wide_load(load), &p);
  vd_wide_store(p.load * p.x.k, slip);
  vd_wide_store(-p.load * p.y.k, cornering);
}
