/* Forces and moments: the part of the Magic Formula that runs at every step. Equation numbers are those of Pacejka's book,
 * 3rd ed., ch. 4.3.2; scaling factors are in the coefficients since vd_mf_build.
 *
 * Arc tangents and sines are taken of several numbers at a time, in loops that compilers turn into vector arithmetic: what
 * can be known at one stage is laid side by side first. */
#include "mf_impl.h"

/* The sines and cosines of C atan(B x - E (B x - atan(B x))); Fx and Fy need the first six. */
enum {
  PURE_X,
  PURE_Y,
  WEIGHT_X,  /* Gxa */
  WEIGHT_X0, /* its denominator, at alpha = 0 */
  WEIGHT_Y,  /* Gyk */
  WEIGHT_Y0, /* its denominator, at kappa = 0 */
  PLANE_LANES,
  UPRIGHT_Y = PLANE_LANES, /* Fy0 without camber */
  TRAIL,                   /* t */
  ALL_LANES,
};

typedef struct lanes {
  double bx[ALL_LANES], c[ALL_LANES], e[ALL_LANES];
} lanes;

/* An evaluation under way. Forces are per unit of load until the end. */
typedef struct work {
  vd_mf_pure p;
  vd_mf_curve upright;                 /* Fy without camber */
  double kappa, tangent;               /* mirrored and held in range */
  double fx, fy, fy_trail;             /* fy_trail: Fy' */
  double sign;                         /* of the direction of travel */
  double slope_t, e_t, angle_t, arm_t; /* B_t, E_t, equivalent alpha_t, D_t cos alpha */
  double residual;                     /* Mzr, N m per unit of load */
} work;

static const double least_friction = 1e-6;  /* keeps B finite */
static const double least_stiffness = 1e-3; /* per unit of load; a car tyre has 10 to 40 */
static const double least_scale = 1e-3;     /* of friction, where it divides */

static inline double square(double x) {
  return x * x;
}

/* 4.E14, 4.E24, ...: above 1 the curve would fold back. */
static inline double bounded(double e) {
  return vd_least(e, 1.0);
}

static inline double by_pressure(double linear, double quadratic, double dp) {
  return 1.0 + (linear + quadratic * dp) * dp;
}

/* 4.E1, 4.E2, 4.E4 with everything in range, and friction: 4.E7, 4.E8. */
VD_MF_INLINE void conditions(const vd_mf *m, const vd_mf_input *in, double slip_speed, vd_mf_pure *p) {
  p->load = vd_mf_within(in->load, m->load_floor, m->load_most);
  p->scale = in->load < m->load_floor ? vd_most(in->load, 0.0) / m->load_floor : 1.0;
  p->u = p->load * m->load_unit;
  double pressure = vd_mf_within(in->pressure, m->pressure_least, m->pressure_most);
  p->dp = (pressure - m->pressure_nominal) * m->pressure_unit;
  p->gamma = vd_mf_within(m->mirror * in->gamma, m->gamma_least, m->gamma_most);
  p->gamma_s = m->sine_of_gamma ? vd_mf_sin_core(p->gamma) : p->gamma;
  double friction = in->friction;
  if (m->lambda_speed != 0.0)
    friction /= vd_most(1.0 + m->lambda_speed * slip_speed, least_scale);
  p->lambda_x = m->lambda_x * friction;
  p->lambda_y = m->lambda_y * friction;
  p->lambda_x_shift = p->lambda_x * (1.0 + m->digressive) / (1.0 + m->digressive * p->lambda_x);
  p->lambda_y_shift = p->lambda_y * (1.0 + m->digressive) / (1.0 + m->digressive * p->lambda_y);
}

/* 4.E10-4.E18 */
VD_MF_INLINE void longitudinal(const vd_mf *m, vd_mf_pure *p) {
  vd_mf_curve *x = &p->x;
  double camber = 1.0 - m->pdx3 * square(p->gamma);
  x->mu = vd_mf_at(m->mux, p->u) * by_pressure(m->ppx3, m->ppx4, p->dp) * camber * p->lambda_x;
  x->mu = vd_most(x->mu, least_friction);
  x->k = vd_mf_at(m->kx, p->u) * by_pressure(m->ppx1, m->ppx2, p->dp);
  if (m->pkx3 != 0.0)
    x->k *= exp(vd_mf_within(m->pkx3 * (p->u - 1.0), -50.0, 50.0));
  x->k = vd_most(x->k, least_stiffness);
  x->c = m->cx;
  x->b = x->k / (x->c * x->mu);
  x->sh = vd_mf_at(m->shx, p->u);
  x->sv = vd_mf_at(m->svx, p->u) * p->lambda_x_shift;
  double e = vd_mf_at2(m->ex, p->u);
  x->e[0] = bounded(e * (1.0 + m->pex4));
  x->e[1] = bounded(e * (1.0 - m->pex4));
}

/* The argument of the arc tangent in Kya, 4.E25 */
static inline double stiffness_argument(const vd_mf *m, const vd_mf_pure *p, double gamma_s) {
  double at = (m->pky2 + m->pky5 * square(gamma_s)) * (1.0 + m->ppy2 * p->dp);
  return p->u / vd_most(at, least_stiffness);
}

/* The parts of the lateral curve that camber leaves alone. Kya per sine, without camber's factor, is left in k. */
VD_MF_INLINE vd_mf_curve lateral_base(const vd_mf *m, const vd_mf_pure *p) {
  vd_mf_curve y = {.c = m->cy};
  y.mu = vd_mf_at(m->muy, p->u) * by_pressure(m->ppy3, m->ppy4, p->dp) * p->lambda_y;
  y.k = m->pky1 * (1.0 + m->ppy1 * p->dp) / p->u;
  y.sh = vd_mf_at(m->shy, p->u);
  y.sv = vd_mf_at(m->svy, p->u) * p->lambda_y_shift;
  y.e[0] = y.e[1] = vd_mf_at(m->ey, p->u);
  return y;
}

/* Kya stays negative: that of a fit may change sign far outside its range. */
static inline double slope(double k) {
  return vd_least(k, -least_stiffness);
}

/* 4.E20-4.E30; sine is the one in Kya. */
VD_MF_INLINE vd_mf_curve lateral(const vd_mf *m, const vd_mf_pure *p, vd_mf_curve y, double sine) {
  double gamma_s = p->gamma_s, gamma2 = square(gamma_s), e = y.e[0];
  y.mu = vd_most(y.mu * (1.0 - m->pdy3 * gamma2), least_friction);
  y.k = slope(y.k * sine * (1.0 - m->pky3 * fabs(gamma_s)));
  y.b = y.k / (y.c * y.mu);
  double camber_force = vd_mf_at(m->kyg, p->u) * (1.0 + m->ppy5 * p->dp);
  double in_shift = camber_force - vd_mf_at(m->shift_svyg, p->u) * p->lambda_y_shift;
  y.sh += (m->phy3 + in_shift / y.k) * gamma_s;
  y.sv += vd_mf_at(m->svyg, p->u) * gamma_s * p->lambda_y_shift;
  double even = 1.0 + m->pey5 * gamma2, odd = m->pey3 + m->pey4 * gamma_s;
  y.e[0] = bounded(e * (even + odd));
  y.e[1] = bounded(e * (even - odd));
  return y;
}

/* The same without camber. */
VD_MF_INLINE vd_mf_curve lateral_upright(const vd_mf *m, vd_mf_curve y, double sine) {
  double e = y.e[0];
  y.mu = vd_most(y.mu, least_friction);
  y.k = slope(y.k * sine);
  y.b = y.k / (y.c * y.mu);
  y.e[0] = bounded(e * (1.0 + m->pey3));
  y.e[1] = bounded(e * (1.0 - m->pey3));
  return y;
}

void vd_mf_pure_at(const vd_mf *m, const vd_mf_input *in, double slip_speed, vd_mf_pure *p) {
  conditions(m, in, slip_speed, p);
  longitudinal(m, p);
  double sine = vd_mf_sin(m->pky4 * vd_mf_atan(stiffness_argument(m, p, p->gamma_s)));
  p->y = lateral(m, p, lateral_base(m, p), sine);
}

static inline void curve_lane(const vd_mf_curve *curve, double slip, lanes *l, int i) {
  double x = slip + curve->sh;
  l->bx[i] = curve->b * x;
  l->c[i] = curve->c;
  l->e[i] = x < 0.0 ? curve->e[0] : curve->e[1];
}

static inline void weight_lanes(double b, double c, double e, double slip, double shift, lanes *l, int i) {
  l->bx[i] = b * (slip + shift);
  l->bx[i + 1] = b * shift;
  l->c[i] = l->c[i + 1] = c;
  l->e[i] = l->e[i + 1] = e;
}

/* 4.E51-4.E57 and 4.E59-4.E65 */
VD_MF_INLINE void weights(const vd_mf *m, const work *w, lanes *l) {
  double gamma2 = square(w->p.gamma_s), u = w->p.u;
  double bxa = (m->rbx1 + m->rbx3 * gamma2) * vd_mf_cos_atan(m->rbx2 * w->kappa);
  weight_lanes(bxa, m->rcx1, bounded(vd_mf_at(m->exa, u)), w->tangent, m->shxa, l, WEIGHT_X);
  double byk = (m->rby1 + m->rby4 * gamma2) * vd_mf_cos_atan(m->rby2 * (w->tangent - m->rby3));
  weight_lanes(byk, m->rcy1, bounded(vd_mf_at(m->eyk, u)), w->kappa, vd_mf_at(m->shyk, u), l, WEIGHT_Y);
}

/* |x| <= 3 pi/2 */
VD_MF_INLINE void sines(int n, const double *x, double *sine) {
  for (int i = 0; i < n; i++)
    sine[i] = vd_mf_sin_near(x[i]);
}

VD_MF_INLINE void any_sines(int n, const double *x, double *sine) {
  for (int i = 0; i < n; i++)
    sine[i] = vd_mf_sin(x[i]);
}

/* Pure slip 4.E9 and 4.E19, combined slip 4.E50 and 4.E58. */
VD_MF_INLINE void combine(const vd_mf *m, const double *sine, double side_sine, work *w) {
  const double least_weight = 1e-2; /* of a denominator; it is near 1 */
  const vd_mf_pure *p = &w->p;
  double weight_x = sine[WEIGHT_X] / vd_most(sine[WEIGHT_X0], least_weight);
  double weight_y = sine[WEIGHT_Y] / vd_most(sine[WEIGHT_Y0], least_weight);
  double dvyk = p->y.mu * (vd_mf_at(m->dvyk, p->u) + m->rvy3 * p->gamma_s) * vd_mf_cos_atan(m->rvy4 * w->tangent);
  w->fx = weight_x * (p->x.mu * sine[PURE_X] + p->x.sv);
  double fy0 = weight_y * (p->y.mu * sine[PURE_Y] + p->y.sv);
  w->fy = fy0 + dvyk * side_sine;
  w->fy_trail = m->sv_in_trail ? fy0 : weight_y * (w->upright.mu * sine[UPRIGHT_Y] + w->upright.sv);
}

/* +-1, changing smoothly between. */
static inline double direction(const vd_mf *m, double vx) {
  double x = vd_mf_within(vx * m->inverse_v_low, -1.0, 1.0), z = x * x;
  return x * (1.875 - z * (1.25 - 0.375 * z));
}

/* cos(alpha*) up to 1, from there a hyperbola of the same value and slope. */
static inline double cos_of_tangent(double cosine, double tangent) {
  const double slope = 1.5574077246549022; /* tan 1 */
  return cosine / (1.0 + slope * vd_most(fabs(tangent) - 1.0, 0.0));
}

/* tan^2 of an angle held within 90 deg, from its sine */
static inline double tangent2(double sine) {
  double s2 = sine * sine;
  return s2 / vd_most(1.0 - s2, 1e-20);
}

/* Pneumatic trail and residual torque: 4.E33-4.E49 at the equivalent slip angles 4.E77, 4.E78. */
VD_MF_INLINE void trail_terms(const vd_mf *m, work *w) {
  const vd_mf_pure *p = &w->p;
  double gamma = p->gamma, gamma_s = p->gamma_s, u = p->u, least = vd_most(p->lambda_y, least_scale);
  double at = w->tangent + vd_mf_at(m->sht, u) + vd_mf_at(m->sht_gamma, u) * gamma_s;
  double ar = w->tangent + p->y.sh + p->y.sv / p->y.k;
  double bt = vd_mf_at2(m->bt, u) * (1.0 + m->qbz4 * gamma + m->qbz5 * fabs(gamma)) / least;
  double held = vd_mf_within(w->tangent, -1.0, 1.0), quarter = 0.5 * VD_PI;
  double x[4] = {vd_mf_within(at, -quarter, quarter), vd_mf_within(ar, -quarter, quarter), vd_mf_turned(held), 0.0};
  double sine[4], angle[4];
  sines(4, x, sine);
  double coupled = square(m->coupling * p->x.k / p->y.k * w->kappa);
  double y[4] = {sqrt(tangent2(sine[0]) + coupled), sqrt(tangent2(sine[1]) + coupled), bt * m->ct * at, 0.0};
  for (int i = 0; i < 4; i++)
    angle[i] = vd_mf_atan(y[i]);

  w->slope_t = bt;
  w->angle_t = angle[0];
  w->e_t = bounded(vd_mf_at2(m->et, u) * (1.0 + (m->qez4 + m->qez5 * gamma_s) * (2.0 / VD_PI) * angle[2]));
  double dt = vd_mf_at(m->dt, u) * (1.0 - m->ppz1 * p->dp) * (1.0 + (m->qdz3 + m->qdz4 * gamma) * gamma);
  w->arm_t = p->load * dt * w->sign * vd_mf_cos_atan(w->tangent);
  double br = m->qbz9 / least + m->qbz10 * p->y.b * p->y.c;
  double camber = vd_mf_at(m->dr_gamma, u) * (1.0 + m->ppz2 * p->dp) + vd_mf_at(m->dr_gamma2, u) * fabs(gamma_s);
  double dr = (vd_mf_at(m->dr, u) + camber * gamma_s) * p->lambda_y * w->sign * cos_of_tangent(sine[2], w->tangent);
  w->residual = dr * vd_mf_cos_atan(br * angle[1]);
}

/* 4.E69 with the pressure term of Besselink et al.; per unit of load. product: of its cosine and sine, by_load: its last arc
 * tangent. */
static inline double overturning_with(const vd_mf *m, const vd_mf_pure *p, double fy, double product, double by_load) {
  double gamma = p->gamma, ratio = p->load * m->inverse_fz0;
  double mx = m->qsx1 - m->qsx2 * gamma * (1.0 + m->ppmx1 * p->dp) + m->qsx3 * (fy * ratio);
  mx += m->qsx4 * product + m->qsx10 * by_load * gamma;
  return mx + fy * (m->qsx13 + m->qsx14 * fabs(gamma)) - m->qsx12 * gamma * fabs(gamma);
}

/* 4.E70, N m; the sign is that of a torque about +y. In 5.2 without QSY1 and QSY2 the curve's own offset is rolling resistance. */
VD_MF_INLINE double rolling(const vd_mf *m, const work *w, double vx) {
  const vd_mf_pure *p = &w->p;
  if (m->my_from_shifts)
    return m->my * p->load * (p->x.sv + p->x.k * p->x.sh);
  double ratio = p->load * m->inverse_fz0, speed = fabs(vx * m->inverse_v0), gamma2 = square(p->gamma);
  double share = m->qsy1 + m->qsy2 * w->sign * w->fx * ratio + m->qsy3 * speed + m->qsy4 * square(square(speed)) +
                 (m->qsy5 + m->qsy6 * ratio) * gamma2;
  double by_load = m->qsy7 == 1.0 ? ratio : pow(ratio, m->qsy7);
  double by_inflation = m->qsy8 == 0.0 || p->dp == 0.0 ? 1.0 : pow(1.0 + p->dp, m->qsy8);
  return -w->sign * m->my * m->fz0 * share * by_load * by_inflation;
}

/* The arc tangents and sines of 4.E69 of several tyres; x: of load, of load and side force, of load. */
VD_MF_INLINE void overturning_lanes(int n, const vd_mf *const *m, const work *w, double *sine, double *by_load) {
  double x[3 * VD_WHEELS], angle[2 * VD_WHEELS];
  for (int t = 0; t < n; t++) {
    double ratio = w[t].p.load * m[t]->inverse_fz0;
    x[t] = square(m[t]->qsx6 * ratio);
    x[n + t] = m[t]->qsx9 * w[t].fy * ratio;
    x[2 * n + t] = m[t]->qsx11 * ratio;
  }
  for (int i = 0; i < 3 * n; i++)
    x[i] = vd_mf_atan(x[i]);
  for (int t = 0; t < n; t++) {
    angle[t] = vd_mf_turned(m[t]->qsx5 * x[t]);
    angle[n + t] = m[t]->qsx7 * w[t].p.gamma + m[t]->qsx8 * x[n + t];
    by_load[t] = x[2 * n + t];
  }
  any_sines(2 * n, angle, sine);
}

/* The rest of an evaluation whose Fx and Fy per unit of load are known. */
VD_MF_INLINE void finish_many(int n, const vd_mf *const *m, const vd_mf_input *in, work *w, vd_mf_output *out) {
  double sine[2 * VD_WHEELS], by_load[VD_WHEELS];
  for (int t = 0; t < n; t++) {
    w[t].fx *= m[t]->with_x;
    w[t].fy *= m[t]->with_y;
  }
  overturning_lanes(n, m, w, sine, by_load);
  for (int t = 0; t < n; t++) {
    double load = w[t].p.load * w[t].p.scale;
    out[t].fx = load * w[t].fx;
    out[t].fy = load * m[t]->mirror * w[t].fy;
    out[t].mx = load * m[t]->mirror * m[t]->with_y *
                overturning_with(m[t], &w[t].p, w[t].fy, sine[t] * sine[n + t], by_load[t]);
    out[t].my = w[t].p.scale * m[t]->with_x * rolling(m[t], &w[t], in[t].vx);
  }
}

/* 4.E71-4.E76 */
VD_MF_INLINE void finish_moment(const vd_mf *m, const work *w, double cosine, vd_mf_output *out) {
  double load = w->p.load * w->p.scale, odd = m->mirror * m->with_y;
  double arm = m->ssz1 + m->ssz2 * w->fy * w->p.u + vd_mf_at(m->s_gamma, w->p.u) * w->p.gamma;
  out->trail = w->arm_t * cosine;
  out->residual = load * odd * w->residual;
  out->mz = load * odd * (w->residual - out->trail * w->fy_trail + arm * w->fx);
}

/* Slips in range and the two curves of several tyres, with the moments also Fy without camber; the sines of SVyk. */
VD_MF_INLINE void prepare_many(int n, bool moments, const vd_mf *const *m, const vd_mf_input *in, work *w,
                               double *side_sine) {
  double x[3 * VD_WHEELS], sine[3 * VD_WHEELS];
  int count = (moments ? 3 : 2) * n;
  for (int t = 0; t < n; t++) {
    w[t].kappa = vd_mf_within(in[t].kappa, m[t]->kappa_least, m[t]->kappa_most);
    w[t].tangent = vd_mf_within(m[t]->mirror * in[t].tan_alpha, m[t]->tangent_least, m[t]->tangent_most);
    double speed = m[t]->lambda_speed != 0.0 ? fabs(in[t].vx) * sqrt(square(w[t].kappa) + square(w[t].tangent)) : 0.0;
    conditions(m[t], &in[t], speed, &w[t].p);
    longitudinal(m[t], &w[t].p);
    x[t] = stiffness_argument(m[t], &w[t].p, w[t].p.gamma_s);
    x[n + t] = m[t]->rvy6 * w[t].kappa;
    if (moments)
      x[2 * n + t] = stiffness_argument(m[t], &w[t].p, 0.0);
  }
  for (int i = 0; i < count; i++)
    x[i] = vd_mf_atan(x[i]);
  for (int t = 0; t < n; t++) {
    x[t] *= m[t]->pky4;
    x[n + t] *= m[t]->rvy5;
    if (moments)
      x[2 * n + t] *= m[t]->pky4;
  }
  any_sines(count, x, sine);
  for (int t = 0; t < n; t++) {
    vd_mf_curve base = lateral_base(m[t], &w[t].p);
    w[t].p.y = lateral(m[t], &w[t].p, base, sine[t]);
    side_sine[t] = sine[n + t];
    w[t].upright.mu = w[t].upright.sv = 0.0;
    if (moments)
      w[t].upright = lateral_upright(m[t], base, sine[2 * n + t]);
  }
}

/* What the sines are taken of, the same lane of all tyres side by side. */
VD_MF_INLINE void lanes_of(int n, int t, bool moments, const vd_mf *m, work *w, double *bx, double *c, double *e) {
  lanes l;
  curve_lane(&w->p.x, w->kappa, &l, PURE_X);
  curve_lane(&w->p.y, w->tangent, &l, PURE_Y);
  weights(m, w, &l);
  if (moments) {
    trail_terms(m, w);
    curve_lane(&w->upright, w->tangent, &l, UPRIGHT_Y);
    l.bx[TRAIL] = w->slope_t * w->angle_t;
    l.c[TRAIL] = m->ct;
    l.e[TRAIL] = w->e_t;
  }
  for (int i = 0; i < (moments ? ALL_LANES : PLANE_LANES); i++) {
    bx[i * n + t] = l.bx[i];
    c[i * n + t] = l.c[i];
    e[i * n + t] = l.e[i];
  }
}

/* For a fixed number of tyres, so that the loops over all their lanes are unrolled: one tyre's arc tangents and sines wait for each
 * other, those of four do not. */
VD_MF_INLINE void several(int n, bool moments, const vd_mf *const *m, const vd_mf_input *in, vd_mf_output *out) {
  enum { MOST = VD_WHEELS * ALL_LANES };
  work w[VD_WHEELS];
  double side_sine[VD_WHEELS], bx[MOST], c[MOST], e[MOST], angle[MOST], sine[MOST];
  int count = n * (moments ? ALL_LANES : PLANE_LANES);
  prepare_many(n, moments, m, in, w, side_sine);
  for (int t = 0; t < n; t++) {
    w[t].sign = direction(m[t], in[t].vx);
    lanes_of(n, t, moments, m[t], &w[t], bx, c, e);
  }
  for (int i = 0; i < count; i++)
    angle[i] = c[i] * vd_mf_atan(bx[i] - e[i] * (bx[i] - vd_mf_atan(bx[i])));
  for (int i = n * WEIGHT_X; i < n * PLANE_LANES; i++)
    angle[i] = vd_mf_turned(angle[i]);
  for (int i = n * TRAIL; i < count; i++)
    angle[i] = vd_mf_turned(angle[i]);
  sines(count, angle, sine);
  double trail_cosine[VD_WHEELS] = {0.0};
  for (int t = 0; t < n; t++) {
    double own[ALL_LANES] = {0.0};
    for (int i = 0; i < count / n; i++)
      own[i] = sine[i * n + t];
    trail_cosine[t] = own[TRAIL];
    combine(m[t], own, side_sine[t], &w[t]);
  }
  finish_many(n, m, in, w, out);
  for (int t = 0; t < n && moments; t++)
    finish_moment(m[t], &w[t], trail_cosine[t], &out[t]);
}

VD_MF_WIDE void vd_mf_without_mz(int n, const vd_mf *const *m, const vd_mf_input *in, vd_mf_output *out) {
  switch (n) {
  case 4: several(4, false, m, in, out); break;
  case 2: several(2, false, m, in, out); break;
  default:
    for (int t = 0; t < n; t++)
      several(1, false, &m[t], &in[t], &out[t]);
  }
}

VD_MF_WIDE void vd_mf_forces_of(int n, const vd_mf *const *m, const vd_mf_input *in, vd_mf_output *out) {
  switch (n) {
  case 4: several(4, true, m, in, out); break;
  case 2: several(2, true, m, in, out); break;
  default:
    for (int t = 0; t < n; t++)
      several(1, true, &m[t], &in[t], &out[t]);
  }
}

void vd_mf_forces(const vd_mf *m, const vd_mf_input *in, vd_mf_output *out) {
  vd_mf_forces_of(1, &m, in, out);
}

void vd_mf_plane(const vd_mf *m, const vd_mf_input *in, double *fx, double *fy) {
  vd_mf_output out;
  vd_mf_without_mz(1, &m, in, &out);
  *fx = out.fx;
  *fy = out.fy;
}

void vd_mf_plane_slopes(const vd_mf *m, const vd_mf_input *in, double *fx, double *fy, double *dfx, double *dfy) {
  double step = 1e-5 / m->load_unit;
  vd_mf_input more = *in;
  more.load += step;
  vd_mf_plane(m, in, fx, fy);
  vd_mf_plane(m, &more, dfx, dfy);
  *dfx = (*dfx - *fx) / step;
  *dfy = (*dfy - *fy) / step;
}
