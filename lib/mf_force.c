/* Forces and moments: the part of the Magic Formula that runs at every step. Equation numbers are those of Pacejka's book,
 * 3rd ed., ch. 4.3.2; scaling factors are in the coefficients since vd_mf_build.
 *
 * Arc tangents and sines are taken of several numbers at a time, in loops that compilers turn into vector arithmetic: what
 * can be known at one stage is laid side by side first. */
#include "mf_impl.h"

/* The sines and cosines of C atan(B x - E (B x - atan(B x))) that Fx and Fy need. */
enum {
  PURE_X,
  PURE_Y,
  WEIGHT_X,  /* Gxa */
  WEIGHT_X0, /* its denominator, at alpha = 0 */
  WEIGHT_Y,  /* Gyk */
  WEIGHT_Y0, /* its denominator, at kappa = 0 */
  LANES,
};
/* Those of the aligning moment. */
enum {
  UPRIGHT_Y, /* Fy0 without camber */
  TRAIL,     /* t */
  MOMENT_LANES,
};

typedef struct lanes {
  double bx[LANES], c[LANES], e[LANES];
} lanes;

/* An evaluation at one load. Forces are per unit of load. */
typedef struct work {
  vd_mf_pure p;
  double ratio, by_load; /* Fz/Fz0, and to the power of QSY7 */
  double fx, fy, weight_y, fy0;
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

/* What multiplies u in the arc tangent of Kya, 4.E25 */
static inline double arc(const vd_mf *m, double dp, double gamma_s) {
  double at = (m->pky2 + m->pky5 * square(gamma_s)) * (1.0 + m->ppy2 * dp);
  return 1.0 / vd_most(at, least_stiffness);
}

static inline double by_pressure(double linear, double quadratic, double dp) {
  return 1.0 + (linear + quadratic * dp) * dp;
}

/* 4.E1, 4.E2, 4.E4 with everything in range, friction 4.E7, 4.E8, and the factors of both pure curves that the load leaves alone.
 * slip_speed: that of LMUV, m/s. */
VD_INLINE void conditions(const vd_mf *m, const vd_mf_input *in, double slip_speed, vd_mf_slip *s) {
  double pressure = vd_mf_within(in->pressure, m->pressure_least, m->pressure_most);
  double dp = (pressure - m->pressure_nominal) * m->pressure_unit;
  double gamma = vd_mf_within(m->mirror * in->gamma, m->gamma_least, m->gamma_most);
  double gamma_s = m->sine_of_gamma ? vd_mf_sin_core(gamma) : gamma, gamma2 = square(gamma_s);
  double friction = in->friction;
  if (m->lambda_speed != 0.0)
    friction /= vd_most(1.0 + m->lambda_speed * slip_speed, least_scale);
  double lambda_x = m->lambda_x * friction, lambda_y = m->lambda_y * friction;
  s->dp = dp;
  s->gamma = gamma;
  s->gamma_s = gamma_s;
  s->lambda_y = lambda_y;
  s->lambda_x_shift = lambda_x * (1.0 + m->digressive) / (1.0 + m->digressive * lambda_x);
  s->lambda_y_shift = lambda_y * (1.0 + m->digressive) / (1.0 + m->digressive * lambda_y);
  s->mux = by_pressure(m->ppx3, m->ppx4, dp) * (1.0 - m->pdx3 * square(gamma)) * lambda_x;
  s->kx = by_pressure(m->ppx1, m->ppx2, dp);
  s->muy = by_pressure(m->ppy3, m->ppy4, dp) * lambda_y;
  s->ky = m->pky1 * (1.0 + m->ppy1 * dp);
  s->kyg = 1.0 + m->ppy5 * dp;
  s->muy_camber = 1.0 - m->pdy3 * gamma2;
  s->ky_camber = 1.0 - m->pky3 * fabs(gamma_s);
  double even = 1.0 + m->pey5 * gamma2, odd = m->pey3 + m->pey4 * gamma_s;
  s->ey_camber[0] = even + odd;
  s->ey_camber[1] = even - odd;
  s->arc = arc(m, dp, gamma_s);
}

VD_INLINE void load_in_range(const vd_mf *m, double load, vd_mf_pure *p) {
  p->load = vd_mf_within(load, m->load_floor, m->load_most);
  p->scale = load < m->load_floor ? vd_most(load, 0.0) / m->load_floor : 1.0;
  p->u = p->load * m->load_unit;
}

/* The exponent of Kxk, 4.E15 */
static inline double exponent(const vd_mf *m, double u) {
  return vd_mf_within(m->pkx3 * (u - 1.0), -50.0, 50.0);
}

/* 4.E10-4.E18; growth: e to the exponent in Kxk */
VD_INLINE void longitudinal(const vd_mf *m, const vd_mf_slip *s, double growth, vd_mf_pure *p) {
  vd_mf_curve *x = &p->x;
  x->mu = vd_most(vd_mf_at(m->mux, p->u) * s->mux, least_friction);
  x->k = vd_most(vd_mf_at(m->kx, p->u) * s->kx * growth, least_stiffness);
  x->c = m->cx;
  x->b = x->k / (x->c * x->mu);
  x->sh = vd_mf_at(m->shx, p->u);
  x->sv = vd_mf_at(m->svx, p->u) * s->lambda_x_shift;
  double e = vd_mf_at2(m->ex, p->u);
  x->e[0] = bounded(e * (1.0 + m->pex4));
  x->e[1] = bounded(e * (1.0 - m->pex4));
}

/* Kya stays negative: that of a fit may change sign far outside its range. */
static inline double slope(double k) {
  return vd_least(k, -least_stiffness);
}

/* 4.E20-4.E30; sine is the one in Kya. */
VD_INLINE void lateral(const vd_mf *m, const vd_mf_slip *s, double sine, vd_mf_pure *p) {
  vd_mf_curve *y = &p->y;
  double u = p->u, e = vd_mf_at(m->ey, u);
  y->c = m->cy;
  y->mu = vd_most(vd_mf_at(m->muy, u) * s->muy * s->muy_camber, least_friction);
  y->k = slope(s->ky / u * sine * s->ky_camber);
  y->b = y->k / (y->c * y->mu);
  double in_shift = vd_mf_at(m->kyg, u) * s->kyg - vd_mf_at(m->shift_svyg, u) * s->lambda_y_shift;
  y->sh = vd_mf_at(m->shy, u) + (m->phy3 + in_shift / y->k) * s->gamma_s;
  y->sv = (vd_mf_at(m->svy, u) + vd_mf_at(m->svyg, u) * s->gamma_s) * s->lambda_y_shift;
  y->e[0] = bounded(e * s->ey_camber[0]);
  y->e[1] = bounded(e * s->ey_camber[1]);
}

/* The same without camber. */
VD_INLINE vd_mf_curve lateral_upright(const vd_mf *m, const vd_mf_slip *s, double sine, double u) {
  vd_mf_curve y = {.c = m->cy};
  double e = vd_mf_at(m->ey, u);
  y.mu = vd_most(vd_mf_at(m->muy, u) * s->muy, least_friction);
  y.k = slope(s->ky / u * sine);
  y.b = y.k / (y.c * y.mu);
  y.sh = vd_mf_at(m->shy, u);
  y.sv = vd_mf_at(m->svy, u) * s->lambda_y_shift;
  y.e[0] = bounded(e * (1.0 + m->pey3));
  y.e[1] = bounded(e * (1.0 - m->pey3));
  return y;
}

void vd_mf_pure_at(const vd_mf *m, const vd_mf_input *in, vd_mf_slip *s, vd_mf_pure *p) {
  conditions(m, in, 0.0, s);
  load_in_range(m, in->load, p);
  longitudinal(m, s, vd_mf_exp(exponent(m, p->u)), p);
  lateral(m, s, vd_mf_sin(m->pky4 * vd_mf_atan(s->arc * p->u)), p);
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
VD_INLINE void weights(const vd_mf *m, const vd_mf_slip *s, double u, lanes *l) {
  weight_lanes(s->bxa, m->rcx1, bounded(vd_mf_at(m->exa, u)), s->tangent, m->shxa, l, WEIGHT_X);
  weight_lanes(s->byk, m->rcy1, bounded(vd_mf_at(m->eyk, u)), s->kappa, vd_mf_at(m->shyk, u), l, WEIGHT_Y);
}

/* |x| <= 3 pi/2 */
VD_INLINE void sines(int n, const double *x, double *sine) {
  for (int i = 0; i < n; i++)
    sine[i] = vd_mf_sin_near(x[i]);
}

VD_INLINE void any_sines(int n, const double *x, double *sine) {
  for (int i = 0; i < n; i++)
    sine[i] = vd_mf_sin(x[i]);
}

/* Pure slip 4.E9 and 4.E19, combined slip 4.E50 and 4.E58. */
VD_INLINE void combine(const vd_mf *m, const vd_mf_slip *s, const double *sine, work *w) {
  const double least_weight = 1e-2; /* of a denominator; it is near 1 */
  const vd_mf_pure *p = &w->p;
  double weight_x = sine[WEIGHT_X] / vd_most(sine[WEIGHT_X0], least_weight);
  w->weight_y = sine[WEIGHT_Y] / vd_most(sine[WEIGHT_Y0], least_weight);
  w->fy0 = w->weight_y * (p->y.mu * sine[PURE_Y] + p->y.sv);
  w->fx = m->with_x * weight_x * (p->x.mu * sine[PURE_X] + p->x.sv);
  w->fy = m->with_y * (w->fy0 + p->y.mu * (vd_mf_at(m->dvyk, p->u) + m->rvy3 * s->gamma_s) * s->vyk);
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

/* 4.E69 with the pressure term of Besselink et al.; per unit of load. product: of its cosine and sine, by_load: its last arc
 * tangent. */
static inline double overturning_with(const vd_mf *m, const vd_mf_slip *s, const work *w, double product,
                                      double by_load) {
  double side = m->qsx3 * w->ratio + m->qsx13 + m->qsx14 * fabs(s->gamma);
  return s->mx + w->fy * side + m->qsx4 * product + m->qsx10 * by_load * s->gamma;
}

/* 4.E70, N m; the sign is that of a torque about +y. In 5.2 without QSY1 and QSY2 the curve's own offset is rolling resistance. */
static inline double rolling(const vd_mf *m, const vd_mf_slip *s, const work *w) {
  const vd_mf_pure *p = &w->p;
  if (m->my_from_shifts)
    return m->my * p->load * (p->x.sv + p->x.k * p->x.sh);
  double share = s->my + (m->qsy2 * s->sign * w->fx + s->my_load) * w->ratio;
  return -s->sign * m->my * m->fz0 * share * w->by_load * s->my_inflation;
}

/* The parts of both that the load leaves alone. */
VD_INLINE void moment_conditions(const vd_mf *m, double vx, vd_mf_slip *s) {
  double gamma = s->gamma, speed = fabs(vx * m->inverse_v0), gamma2 = square(gamma);
  s->mx = m->qsx1 - m->qsx2 * gamma * (1.0 + m->ppmx1 * s->dp) - m->qsx12 * gamma * fabs(gamma);
  s->my = m->qsy1 + m->qsy3 * speed + m->qsy4 * square(square(speed)) + m->qsy5 * gamma2;
  s->my_load = m->qsy6 * gamma2;
  s->my_inflation = m->qsy8 == 0.0 || s->dp == 0.0 ? 1.0 : pow(1.0 + s->dp, m->qsy8);
}

/* The arc tangents and sines of 4.E69 of several tyres; x: of load, of load and side force, of load. */
VD_INLINE void overturning_lanes(int n, const vd_mf *const *m, const vd_mf_slip *const *s, const work *w, double *sine,
                                 double *by_load) {
  double x[3 * VD_WHEELS], angle[2 * VD_WHEELS];
  for (int t = 0; t < n; t++) {
    x[t] = square(m[t]->qsx6 * w[t].ratio);
    x[n + t] = m[t]->qsx9 * w[t].fy * w[t].ratio;
    x[2 * n + t] = m[t]->qsx11 * w[t].ratio;
  }
  for (int i = 0; i < 3 * n; i++)
    x[i] = vd_mf_atan(x[i]);
  for (int t = 0; t < n; t++) {
    angle[t] = vd_mf_turned(m[t]->qsx5 * x[t]);
    angle[n + t] = m[t]->qsx7 * s[t]->gamma + m[t]->qsx8 * x[n + t];
    by_load[t] = x[2 * n + t];
  }
  any_sines(2 * n, angle, sine);
}

/* The rest of an evaluation whose Fx and Fy per unit of load are known. */
VD_INLINE void finish_many(int n, const vd_mf *const *m, const vd_mf_slip *const *s, const work *w, vd_mf_output *out) {
  double sine[2 * VD_WHEELS], by_load[VD_WHEELS];
  overturning_lanes(n, m, s, w, sine, by_load);
  for (int t = 0; t < n; t++) {
    double load = w[t].p.load * w[t].p.scale;
    out[t].fx = load * w[t].fx;
    out[t].fy = load * m[t]->mirror * w[t].fy;
    out[t].mx =
        load * m[t]->mirror * m[t]->with_y * overturning_with(m[t], s[t], &w[t], sine[t] * sine[n + t], by_load[t]);
    out[t].my = w[t].p.scale * m[t]->with_x * rolling(m[t], s[t], &w[t]);
  }
}

/* Slips in range, weights of combined slip and the sine of SVyk. */
VD_INLINE void slip_many(int n, const vd_mf *const *m, const vd_mf_input *in, vd_mf_slip *const *slip) {
  double x[VD_WHEELS], sine[VD_WHEELS];
  for (int t = 0; t < n; t++) {
    vd_mf_slip *s = slip[t];
    double kappa = vd_mf_within(in[t].kappa, m[t]->kappa_least, m[t]->kappa_most);
    double tangent = vd_mf_within(m[t]->mirror * in[t].tan_alpha, m[t]->tangent_least, m[t]->tangent_most);
    double speed = m[t]->lambda_speed != 0.0 ? fabs(in[t].vx) * sqrt(square(kappa) + square(tangent)) : 0.0;
    conditions(m[t], &in[t], speed, s);
    moment_conditions(m[t], in[t].vx, s);
    double gamma2 = square(s->gamma_s);
    s->kappa = kappa;
    s->tangent = tangent;
    s->sign = direction(m[t], in[t].vx);
    s->bxa = (m[t]->rbx1 + m[t]->rbx3 * gamma2) * vd_mf_cos_atan(m[t]->rbx2 * kappa);
    s->byk = (m[t]->rby1 + m[t]->rby4 * gamma2) * vd_mf_cos_atan(m[t]->rby2 * (tangent - m[t]->rby3));
    x[t] = m[t]->rvy6 * kappa;
  }
  for (int t = 0; t < n; t++)
    x[t] = vd_mf_atan(x[t]);
  for (int t = 0; t < n; t++)
    x[t] *= m[t]->rvy5;
  any_sines(n, x, sine);
  for (int t = 0; t < n; t++)
    slip[t]->vyk = sine[t] * vd_mf_cos_atan(m[t]->rvy4 * slip[t]->tangent);
}

/* The sines in Kya, 4.E25, of several tyres; x: the arguments of its arc tangents. */
VD_INLINE void stiffness_sines(int n, const vd_mf *const *m, double *x, double *sine) {
  for (int t = 0; t < n; t++)
    x[t] = vd_mf_atan(x[t]);
  for (int t = 0; t < n; t++)
    x[t] *= m[t]->pky4;
  any_sines(n, x, sine);
}

/* The curves of several tyres, and the power of the load in rolling resistance. */
VD_INLINE void curves_many(int n, const vd_mf *const *m, const vd_mf_slip *const *s, const double *load, work *w) {
  const double most = 700.0; /* of an exponent */
  double ratio[VD_WHEELS], x[VD_WHEELS], power[2 * VD_WHEELS], sine[VD_WHEELS];
  for (int t = 0; t < n; t++) {
    load_in_range(m[t], load[t], &w[t].p);
    x[t] = s[t]->arc * w[t].p.u;
    w[t].ratio = ratio[t] = w[t].p.load * m[t]->inverse_fz0;
  }
  for (int t = 0; t < n; t++)
    ratio[t] = vd_mf_log(ratio[t]);
  for (int t = 0; t < n; t++) {
    power[t] = exponent(m[t], w[t].p.u);
    power[n + t] = vd_mf_within(m[t]->qsy7 * ratio[t], -most, most);
  }
  for (int i = 0; i < 2 * n; i++)
    power[i] = vd_mf_exp(power[i]);
  stiffness_sines(n, m, x, sine);
  for (int t = 0; t < n; t++) {
    longitudinal(m[t], s[t], power[t], &w[t].p);
    lateral(m[t], s[t], sine[t], &w[t].p);
    w[t].by_load = power[n + t];
  }
}

/* What the sines are taken of, the same lane of all tyres side by side. */
VD_INLINE void lanes_of(int n, int t, const vd_mf *m, const vd_mf_slip *s, const work *w, double *bx, double *c,
                        double *e) {
  lanes l;
  curve_lane(&w->p.x, s->kappa, &l, PURE_X);
  curve_lane(&w->p.y, s->tangent, &l, PURE_Y);
  weights(m, s, w->p.u, &l);
  for (int i = 0; i < LANES; i++) {
    bx[i * n + t] = l.bx[i];
    c[i * n + t] = l.c[i];
    e[i * n + t] = l.e[i];
  }
}

/* C atan(B x - E (B x - atan(B x))) */
VD_INLINE void angles(int count, const double *bx, const double *c, const double *e, double *angle) {
  for (int i = 0; i < count; i++)
    angle[i] = c[i] * vd_mf_atan(bx[i] - e[i] * (bx[i] - vd_mf_atan(bx[i])));
}

/* For a fixed number of tyres, so that the loops over all their lanes are unrolled: one tyre's arc tangents and sines wait for each
 * other, those of four do not. */
VD_INLINE void load_many(int n, const vd_mf *const *m, const vd_mf_slip *const *s, const double *load,
                         vd_mf_last *const *last, vd_mf_output *out) {
  enum { MOST = VD_WHEELS * LANES };
  work w[VD_WHEELS];
  double bx[MOST], c[MOST], e[MOST], angle[MOST], sine[MOST];
  curves_many(n, m, s, load, w);
  for (int t = 0; t < n; t++)
    lanes_of(n, t, m[t], s[t], &w[t], bx, c, e);
  angles(n * LANES, bx, c, e, angle);
  for (int i = n * WEIGHT_X; i < n * LANES; i++)
    angle[i] = vd_mf_turned(angle[i]);
  sines(n * LANES, angle, sine);
  for (int t = 0; t < n; t++) {
    double own[LANES];
    for (int i = 0; i < LANES; i++)
      own[i] = sine[i * n + t];
    combine(m[t], s[t], own, &w[t]);
  }
  finish_many(n, m, s, w, out);
  for (int t = 0; t < n; t++) {
    const vd_mf_pure *p = &w[t].p;
    *last[t] = (vd_mf_last){p->load, p->scale, p->u,    p->x.k,  p->y.k,        p->y.b,
                            p->y.sh, p->y.sv,  w[t].fx, w[t].fy, w[t].weight_y, w[t].fy0};
  }
}

/* Parts of the aligning moment. */
typedef struct trail {
  vd_mf_curve upright;         /* Fy without camber */
  double slope, angle, e, arm; /* B_t, equivalent alpha_t, E_t, D_t cos alpha */
  double residual;             /* Mzr, N m per unit of load */
} trail;

/* Pneumatic trail and residual torque: 4.E33-4.E49 at the equivalent slip angles 4.E77, 4.E78. */
VD_INLINE void trail_terms(const vd_mf *m, const vd_mf_slip *s, const vd_mf_last *p, trail *l) {
  double gamma = s->gamma, gamma_s = s->gamma_s, u = p->u, least = vd_most(s->lambda_y, least_scale);
  double at = s->tangent + vd_mf_at(m->sht, u) + vd_mf_at(m->sht_gamma, u) * gamma_s;
  double ar = s->tangent + p->shy + p->svy / p->ky;
  double bt = vd_mf_at2(m->bt, u) * (1.0 + m->qbz4 * gamma + m->qbz5 * fabs(gamma)) / least;
  double held = vd_mf_within(s->tangent, -1.0, 1.0), quarter = 0.5 * VD_PI;
  double x[4] = {vd_mf_within(at, -quarter, quarter), vd_mf_within(ar, -quarter, quarter), vd_mf_turned(held), 0.0};
  double sine[4], angle[4];
  sines(4, x, sine);
  double coupled = square(m->coupling * p->kx / p->ky * s->kappa);
  double y[4] = {sqrt(tangent2(sine[0]) + coupled), sqrt(tangent2(sine[1]) + coupled), bt * m->ct * at, 0.0};
  for (int i = 0; i < 4; i++)
    angle[i] = vd_mf_atan(y[i]);

  l->slope = bt;
  l->angle = angle[0];
  l->e = bounded(vd_mf_at2(m->et, u) * (1.0 + (m->qez4 + m->qez5 * gamma_s) * (2.0 / VD_PI) * angle[2]));
  double dt = vd_mf_at(m->dt, u) * (1.0 - m->ppz1 * s->dp) * (1.0 + (m->qdz3 + m->qdz4 * gamma) * gamma);
  l->arm = p->load * dt * s->sign * vd_mf_cos_atan(s->tangent);
  double br = m->qbz9 / least + m->qbz10 * p->by * m->cy;
  double camber = vd_mf_at(m->dr_gamma, u) * (1.0 + m->ppz2 * s->dp) + vd_mf_at(m->dr_gamma2, u) * fabs(gamma_s);
  double dr = (vd_mf_at(m->dr, u) + camber * gamma_s) * s->lambda_y * s->sign * cos_of_tangent(sine[2], s->tangent);
  l->residual = dr * vd_mf_cos_atan(br * angle[1]);
}

/* 4.E71-4.E76; Fy' is what the trail acts on. */
VD_INLINE void finish_moment(const vd_mf *m, const vd_mf_slip *s, const vd_mf_last *p, const trail *l,
                             const double *sine, vd_mf_output *out) {
  double load = p->load * p->scale, odd = m->mirror * m->with_y;
  double upright = p->weight_y * (l->upright.mu * sine[UPRIGHT_Y] + l->upright.sv);
  double arm = m->ssz1 + m->ssz2 * p->fy * p->u + vd_mf_at(m->s_gamma, p->u) * s->gamma;
  out->trail = l->arm * sine[TRAIL];
  out->residual = load * odd * l->residual;
  out->mz = load * odd * (l->residual - out->trail * (m->sv_in_trail ? p->fy0 : upright) + arm * p->fx);
}

VD_INLINE void moment_many(int n, const vd_mf *const *m, const vd_mf_slip *const *s, const vd_mf_last *const *last,
                           vd_mf_output *out) {
  enum { MOST = VD_WHEELS * MOMENT_LANES };
  trail l[VD_WHEELS];
  double x[VD_WHEELS], bx[MOST], c[MOST], e[MOST], angle[MOST], sine[MOST];
  for (int t = 0; t < n; t++)
    x[t] = last[t]->u * arc(m[t], s[t]->dp, 0.0);
  stiffness_sines(n, m, x, sine);
  for (int t = 0; t < n; t++) {
    l[t].upright = lateral_upright(m[t], s[t], sine[t], last[t]->u);
    trail_terms(m[t], s[t], last[t], &l[t]);
    double shifted = s[t]->tangent + l[t].upright.sh;
    bx[t] = l[t].upright.b * shifted;
    c[t] = l[t].upright.c;
    e[t] = shifted < 0.0 ? l[t].upright.e[0] : l[t].upright.e[1];
    bx[n + t] = l[t].slope * l[t].angle;
    c[n + t] = m[t]->ct;
    e[n + t] = l[t].e;
  }
  angles(n * MOMENT_LANES, bx, c, e, angle);
  for (int i = n * TRAIL; i < n * MOMENT_LANES; i++)
    angle[i] = vd_mf_turned(angle[i]);
  sines(n * MOMENT_LANES, angle, sine);
  for (int t = 0; t < n; t++) {
    const double own[MOMENT_LANES] = {sine[t], sine[n + t]};
    finish_moment(m[t], s[t], last[t], &l[t], own, &out[t]);
  }
}

VD_WIDE void vd_mf_at_slip(int n, const vd_mf *const *m, const vd_mf_input *in, vd_mf_slip *const *slip) {
  switch (n) {
  case 4: slip_many(4, m, in, slip); break;
  case 2: slip_many(2, m, in, slip); break;
  default:
    for (int t = 0; t < n; t++)
      slip_many(1, &m[t], &in[t], &slip[t]);
  }
}

VD_WIDE void vd_mf_at_load(int n, const vd_mf *const *m, const vd_mf_slip *const *slip, const double *load,
                           vd_mf_last *const *last, vd_mf_output *out) {
  switch (n) {
  case 4: load_many(4, m, slip, load, last, out); break;
  case 2: load_many(2, m, slip, load, last, out); break;
  default:
    for (int t = 0; t < n; t++)
      load_many(1, &m[t], &slip[t], &load[t], &last[t], &out[t]);
  }
}

VD_WIDE void vd_mf_aligning(int n, const vd_mf *const *m, const vd_mf_slip *const *slip, const vd_mf_last *const *last,
                            vd_mf_output *out) {
  switch (n) {
  case 4: moment_many(4, m, slip, last, out); break;
  case 2: moment_many(2, m, slip, last, out); break;
  default:
    for (int t = 0; t < n; t++)
      moment_many(1, &m[t], &slip[t], &last[t], &out[t]);
  }
}

static void without_or_with(bool moment, int n, const vd_mf *const *m, const vd_mf_input *in, vd_mf_output *out) {
  vd_mf_slip slip[VD_WHEELS], *slips[VD_WHEELS];
  vd_mf_last last[VD_WHEELS], *lasts[VD_WHEELS];
  double load[VD_WHEELS];
  for (int t = 0; t < n; t++) {
    slips[t] = &slip[t];
    lasts[t] = &last[t];
    load[t] = in[t].load;
  }
  vd_mf_at_slip(n, m, in, slips);
  vd_mf_at_load(n, m, (const vd_mf_slip *const *)slips, load, lasts, out);
  if (moment)
    vd_mf_aligning(n, m, (const vd_mf_slip *const *)slips, (const vd_mf_last *const *)lasts, out);
}

void vd_mf_without_mz(int n, const vd_mf *const *m, const vd_mf_input *in, vd_mf_output *out) {
  without_or_with(false, n, m, in, out);
}

void vd_mf_forces_of(int n, const vd_mf *const *m, const vd_mf_input *in, vd_mf_output *out) {
  without_or_with(true, n, m, in, out);
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
