#include "mf_paper.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
/* A small number that keeps quotients finite (E.16, E.26, E.39, E.6a); MFeval uses 1e-6. */
static const double tiny = 1e-12;

/* ---- coefficients ---- */

/* Returns the index of a coefficient; the count if there is none of this name. */
static size_t place(const struct mf_paper *tyre, const char *name) {
  size_t i = 0;
  while (i < tyre->count && strcmp(tyre->of[i].name, name) != 0)
    i++;
  return i;
}

void mf_paper_set(struct mf_paper *tyre, const char *name, double value) {
  size_t i = place(tyre, name);
  if (i == tyre->count) {
    if (tyre->count == sizeof tyre->of / sizeof tyre->of[0])
      abort();
    snprintf(tyre->of[i].name, sizeof tyre->of[i].name, "%s", name);
    tyre->count++;
  }
  tyre->of[i].value = value;
}

/* Returns whether a coefficient is a scale factor: its name begins with L, and is not in the list. */
static bool scales(const char *name) {
  return name[0] == 'L' && strcmp(name, "LONGVL") != 0 && strcmp(name, "LMUV") != 0 &&
         strcmp(name, "LONGITUDINAL_STIFFNESS") != 0 && strcmp(name, "LATERAL_STIFFNESS") != 0;
}

double mf_paper_get(const struct mf_paper *tyre, const char *name) {
  size_t i = place(tyre, name);
  if (i < tyre->count)
    return tyre->of[i].value;
  if (strcmp(name, "PKY4") == 0)
    return 2.0;
  return scales(name) || strcmp(name, "Q_RE0") == 0 || strcmp(name, "VXLOW") == 0 ? 1.0 : 0.0;
}

bool mf_paper_read(struct mf_paper *tyre, const char *path) {
  FILE *f = fopen(path, "r");
  if (!f)
    return false;
  tyre->count = 0;
  char line[512];
  while (fgets(line, sizeof line, f)) {
    char name[32], number[64], *end;
    if (sscanf(line, " %31[A-Za-z0-9_] = %63s", name, number) != 2)
      continue;
    double value = strtod(number, &end);
    if (end != number && tyre->count < sizeof tyre->of / sizeof tyre->of[0])
      mf_paper_set(tyre, name, value);
  }
  bool whole = feof(f) && tyre->count > 0;
  fclose(f);
  return whole;
}

/* ---- the state of one evaluation ---- */

struct work {
  const struct mf_paper *tyre;
  struct mf_paper_mode mode;
  bool v52;                                     /* MF-Tyre 5.2, PAC2002 */
  double fz, kappa, alpha, gamma, pressure, vx; /* as used */
  double phi_t;                                 /* turn slip as used */
  double fz_moment;                             /* load in the aligning moment */
  double fz_given, kappa_given;
  double as, gs;         /* alpha*, gamma* */
  double dfz, dpi, fz0;  /* fz0: F'z0 */
  double phi, eps_gamma; /* spin and its reduction by camber */
  bool turn;             /* zeta factors apply */
  bool steep;
};

/* C(PCX1): a coefficient of the tyre that is evaluated. */
#define C(name) mf_paper_get(w->tyre, #name)

static double sign(double x) {
  return x < 0.0 ? -1.0 : 1.0;
}

static double clamp(double x, double low, double high) {
  return x < low ? low : x > high ? high : x;
}

/* Limits E to 1, as (E.14) and others require. */
static double curvature_factor(struct work *w, double e) {
  if (e <= 1.0)
    return e;
  w->steep = true;
  return 1.0;
}

/* Returns the angle inside sine and cosine of the formula. */
static double shape(double b_x, double c, double e) {
  return c * atan(b_x - e * (b_x - atan(b_x)));
}

/* Returns cos(atan(x)). */
static double fade(double x) {
  return cos(atan(x));
}

/* ---- pure longitudinal force, E.9 to E.18 ---- */

struct longitudinal {
  double fx0, mu, stiffness;
};

static struct longitudinal pure_x(struct work *w) {
  double zeta1 = 1.0;
  if (w->turn) {
    double b = C(PDXP1) * (1.0 + C(PDXP2) * w->dfz) * fade(C(PDXP3) * w->kappa); /* (4.106) */
    zeta1 = fade(b * C(UNLOADED_RADIUS) * w->phi);                               /* (4.105) */
  }
  double cx = C(PCX1) * C(LCX); /* E.11 */
  double mu = (C(PDX1) + C(PDX2) * w->dfz) * (1.0 + C(PPX3) * w->dpi + C(PPX4) * w->dpi * w->dpi) *
              (1.0 - C(PDX3) * w->gamma * w->gamma) * C(LMUX); /* E.13 */
  double dx = mu * w->fz * zeta1;                              /* E.12 */
  double k = w->fz * (C(PKX1) + C(PKX2) * w->dfz) * exp(C(PKX3) * w->dfz) *
             (1.0 + C(PPX1) * w->dpi + C(PPX2) * w->dpi * w->dpi) * C(LKX);    /* E.15 */
  double bx = k / (cx * dx + tiny * sign(dx));                                 /* E.16 */
  double kx = w->kappa + (C(PHX1) + C(PHX2) * w->dfz) * C(LHX);                /* E.10, E.17 */
  double sv = w->fz * (C(PVX1) + C(PVX2) * w->dfz) * C(LVX) * C(LMUX) * zeta1; /* E.18 */
  double way = kx > 0.0 ? 1.0 : kx < 0.0 ? -1.0 : 0.0;
  double ex = curvature_factor(w, (C(PEX1) + C(PEX2) * w->dfz + C(PEX3) * w->dfz * w->dfz) * (1.0 - C(PEX4) * way) *
                                      C(LEX));                                /* E.14 */
  return (struct longitudinal){dx * sin(shape(bx * kx, cx, ex)) + sv, mu, k}; /* E.9 */
}

/* ---- pure lateral force, E.19 to E.30 ---- */

struct lateral {
  double fy0, mu, stiffness, camber; /* K_y alpha, K_y gamma 0 */
  double by, cy, sh, sv, zeta2;
};

/* Returns K_y alpha without zeta3, E.25. The formula of 5.2 is this one with PKY4 = 2 and PKY5 = PPY1 = PPY2 = 0. */
static double cornering_stiffness(const struct work *w, double gs) {
  double load = w->fz / w->fz0 / ((C(PKY2) + C(PKY5) * gs * gs) * (1.0 + C(PPY2) * w->dpi));
  return C(PKY1) * w->fz0 * (1.0 + C(PPY1) * w->dpi) * (1.0 - C(PKY3) * fabs(gs)) * sin(C(PKY4) * atan(load)) * C(LKY);
}

/* Returns K_y gamma 0, E.30; for 5.2 the slope over gamma of its shifts at alpha = gamma = 0. */
static double camber_stiffness(const struct work *w) {
  if (w->v52)
    return (C(PHY3) * cornering_stiffness(w, 0.0) + w->fz * (C(PVY3) + C(PVY4) * w->dfz) * C(LMUY)) * C(LKYC);
  return w->fz * (C(PKY6) + C(PKY7) * w->dfz) * (1.0 + C(PPY5) * w->dpi) * C(LKYC);
}

/* Returns S_Hy phi, the shift by spin, (4.80) to (4.89). K_y alpha 0 of 5.2 lacks zeta3 (2nd ed. 2006, E.25, E.26,
 * E.30); in 6.x it contains zeta3 (MFeval). */
static double spin_shift(const struct work *w, double camber, double zeta3) {
  double k0 = cornering_stiffness(w, 0.0) * (w->v52 ? 1.0 : zeta3);
  double c = C(PHYP1);                                                         /* (4.85) */
  double d = C(PHYP2) + C(PHYP3) * w->dfz;                                     /* (4.86) */
  double e = fmin(C(PHYP4), 1.0);                                              /* (4.87) */
  double b = camber / (1.0 - w->eps_gamma) / (c * d * (k0 + tiny * sign(k0))); /* (4.88), (4.89) */
  return d * sin(shape(b * C(UNLOADED_RADIUS) * w->phi, c, e));                /* (4.80) */
}

static struct lateral pure_y(struct work *w) {
  struct lateral y = {.zeta2 = 1.0};
  double gs = w->gs, zeta3 = 1.0, r0_phi = C(UNLOADED_RADIUS) * fabs(w->phi);
  if (w->turn) {
    double b = C(PDYP1) * (1.0 + C(PDYP2) * w->dfz) * fade(C(PDYP3) * tan(w->alpha)); /* (4.78) */
    y.zeta2 = fade(b * (r0_phi + C(PDYP4) * sqrt(r0_phi)));                           /* (4.77) */
    zeta3 = fade(C(PKYP1) * r0_phi * r0_phi);                                         /* (4.79) */
  }
  y.stiffness = cornering_stiffness(w, gs) * zeta3; /* E.25 */
  y.camber = camber_stiffness(w);
  double k1 = y.stiffness + tiny * sign(y.stiffness);                                         /* E.39 */
  double sv_camber = w->fz * (C(PVY3) + C(PVY4) * w->dfz) * gs * C(LKYC) * C(LMUY) * y.zeta2; /* E.28 */
  y.sh = (C(PHY1) + C(PHY2) * w->dfz) * C(LHY);                                               /* E.27 */
  if (w->turn)
    y.sh += spin_shift(w, y.camber, zeta3) - sv_camber / k1; /* zeta4 - 1, (4.84); zeta0 and PHY3's part of 5.2 are 0 */
  else if (w->v52)
    y.sh += C(PHY3) * gs * C(LKYC);
  else
    y.sh += (y.camber * gs - sv_camber) / k1;
  y.sv = w->fz * (C(PVY1) + C(PVY2) * w->dfz) * C(LVY) * C(LMUY) * y.zeta2 + sv_camber; /* E.29 */
  y.cy = C(PCY1) * C(LCY);                                                              /* E.21 */
  y.mu = (C(PDY1) + C(PDY2) * w->dfz) * (1.0 + C(PPY3) * w->dpi + C(PPY4) * w->dpi * w->dpi) *
         (1.0 - C(PDY3) * gs * gs) * C(LMUY); /* E.23 */
  double dy = y.mu * w->fz * y.zeta2;         /* E.22 */
  double ay = w->as + y.sh;                   /* E.20 */
  double ey =
      curvature_factor(w, (C(PEY1) + C(PEY2) * w->dfz) *
                              (1.0 + C(PEY5) * gs * gs - (C(PEY3) + C(PEY4) * gs) * sign(ay)) * C(LEY)); /* E.24 */
  y.by = y.stiffness / (y.cy * dy + tiny * sign(dy));                                                    /* E.26 */
  y.fy0 = dy * sin(shape(y.by * ay, y.cy, ey)) + y.sv;                                                   /* E.19 */
  return y;
}

/* ---- combined slip, E.50 to E.67 ---- */

static double weight_x(struct work *w) {
  double e = curvature_factor(w, C(REX1) + C(REX2) * w->dfz);                          /* E.56 */
  double b = (C(RBX1) + C(RBX3) * w->gs * w->gs) * fade(C(RBX2) * w->kappa) * C(LXAL); /* E.54 */
  double sh = C(RHX1);                                                                 /* E.57 */
  return cos(shape(b * (w->as + sh), C(RCX1), e)) / cos(shape(b * sh, C(RCX1), e));    /* E.51 to E.53 */
}

static double weight_y(struct work *w) {
  double e = curvature_factor(w, C(REY1) + C(REY2) * w->dfz);                                   /* E.64 */
  double b = (C(RBY1) + C(RBY4) * w->gs * w->gs) * fade(C(RBY2) * (w->as - C(RBY3))) * C(LYKA); /* E.62 */
  double sh = C(RHY1) + C(RHY2) * w->dfz;                                                       /* E.65 */
  return cos(shape(b * (w->kappa + sh), C(RCY1), e)) / cos(shape(b * sh, C(RCY1), e));          /* E.59 to E.61 */
}

/* Returns S_Vy kappa, E.66 and E.67. */
static double ply_steer(const struct work *w, double mu, double zeta2) {
  double d = mu * w->fz * (C(RVY1) + C(RVY2) * w->dfz + C(RVY3) * w->gs) * fade(C(RVY4) * w->as) * zeta2;
  return d * sin(C(RVY5) * atan(C(RVY6) * w->kappa)) * C(LVYKA);
}

static double combined_x(struct work *w) {
  return weight_x(w) * pure_x(w).fx0;
}

static double combined_y(struct work *w) {
  struct lateral y = pure_y(w);
  return weight_y(w) * y.fy0 + ply_steer(w, y.mu, y.zeta2);
}

/* ---- moments ---- */

/* Returns Mx by E.69, with QSX12 to QSX14 of MF-Tyre 6.2. Below FZMIN the load is reduced by its square (MFeval). */
static double overturning(const struct work *w, double fy) {
  double fz = w->fz, low = C(FZMIN), fz0 = C(FNOMIN), g = w->gamma;
  if (fz < low)
    fz *= fz / low * (fz / low);
  double load = C(QSX6) * fz / fz0;
  double sum = C(QSX1) * C(LVMX) - C(QSX2) * g * (1.0 + C(PPMX1) * w->dpi) - C(QSX12) * g * fabs(g) +
               C(QSX3) * fy / fz0 +
               C(QSX4) * cos(C(QSX5) * atan(load * load)) * sin(C(QSX7) * g + C(QSX8) * atan(C(QSX9) * fy / fz0)) +
               C(QSX10) * atan(C(QSX11) * fz / fz0) * g;
  return C(UNLOADED_RADIUS) * C(LMX) * (fz * sum + fy * (C(QSX13) + C(QSX14) * fabs(g)));
}

/* Returns My by A.48; in 5.2 it is proportional to the load. It decreases to zero as the wheel locks, and changes its
 * sign with the direction of rotation (MFeval). */
static double rolling_resistance(const struct work *w, double fx) {
  double fz = w->fz_given, low = C(FZMIN), fz0 = C(FNOMIN), v = w->vx / C(LONGVL);
  if (fz < low)
    fz *= fz / low;
  double sum = C(QSY1) + C(QSY2) * fx / fz0 + C(QSY3) * fabs(v) + C(QSY4) * v * v * v * v;
  double my;
  if (w->v52)
    my = -C(UNLOADED_RADIUS) * fz * C(LMY) * sum;
  else
    my = -C(UNLOADED_RADIUS) * fz0 * C(LMY) * (sum + (C(QSY5) + C(QSY6) * fz / fz0) * w->gamma * w->gamma) *
         pow(fz / fz0, C(QSY7)) * pow(w->pressure / C(NOMPRES), C(QSY8));
  if (w->vx <= 0.0)
    return 0.0;
  double nearly = C(VXLOW) / w->vx - 1.0; /* slip at which the tread is as fast as VXLOW */
  double past = -1.0 - C(VXLOW) - nearly;
  if (w->kappa_given < past)
    return -my;
  if (w->kappa_given <= nearly)
    return my * sin(0.5 * pi * (w->kappa_given + 1.0) / (nearly + 1.0));
  return my;
}

/* Returns the largest moment of spin, (4.95). */
static double spin_moment(const struct work *w, double mu_y) {
  return C(QCRP1) * fabs(mu_y) * C(UNLOADED_RADIUS) * w->fz_moment * sqrt(w->fz_moment / w->fz0) * C(LMP);
}

/* Returns D_r phi, the peak of the moment by spin, (4.93) to (4.99). */
static double spin_peak(const struct work *w, double mu_y) {
  double c = C(QDRP1), e = fmin(C(QDRP2), 1.0);        /* (4.96), (4.97) */
  double d = spin_moment(w, mu_y) / sin(0.5 * pi * c); /* (4.94) */
  double k = w->fz_moment * C(UNLOADED_RADIUS) *
             (C(QDZ8) + C(QDZ9) * w->dfz + (C(QDZ10) + C(QDZ11) * w->dfz) * fabs(w->gamma)) * C(LKZC); /* (4.99) */
  if (d == 0.0)
    return 0.0;
  double b = k / (1.0 - w->eps_gamma) / (c * d);                /* (4.98) */
  return d * sin(shape(b * C(UNLOADED_RADIUS) * w->phi, c, e)); /* (4.93) */
}

struct aligning {
  double mz, trail, residual;
};

/* Returns the angle of the trail or of the residual moment, increased by longitudinal slip, A.54 and A.55. */
static double equivalent(double angle, double ratio_kappa) {
  double t = tan(angle);
  return angle == 0.0 ? 0.0 : atan(sqrt(t * t + ratio_kappa * ratio_kappa)) * sign(angle);
}

/* Returns the trail, E.33 to E.35, E.40 to E.44, E.73. */
static double trail(struct work *w, double ratio_kappa, double cos_alpha) {
  double zeta5 = w->turn ? fade(C(QDTP1) * C(UNLOADED_RADIUS) * w->phi) : 1.0; /* (4.91) */
  double g = w->gamma, dfz = w->dfz;
  double at = w->as + C(QHZ1) + C(QHZ2) * dfz + (C(QHZ3) + C(QHZ4) * dfz) * w->gs;
  double bt = (C(QBZ1) + C(QBZ2) * dfz + C(QBZ3) * dfz * dfz) * (1.0 + C(QBZ4) * g + C(QBZ5) * fabs(g)) * C(LKY) /
              C(LMUY); /* A.58 */
  double ct = C(QCZ1);
  double dt = w->fz_moment * C(UNLOADED_RADIUS) / w->fz0 * (C(QDZ1) + C(QDZ2) * dfz) * (1.0 - C(PPZ1) * w->dpi) *
              (1.0 + C(QDZ3) * g + C(QDZ4) * g * g) * C(LTR) * zeta5; /* A.60 */
  double et = curvature_factor(w, (C(QEZ1) + C(QEZ2) * dfz + C(QEZ3) * dfz * dfz) *
                                      (1.0 + (C(QEZ4) + C(QEZ5) * w->gs) * 2.0 / pi * atan(bt * ct * at)));
  double x = bt * equivalent(at, ratio_kappa);
  return dt * cos(shape(x, ct, et)) * cos_alpha * C(LFZO); /* LFZO: MFeval */
}

/* Returns the residual moment, E.36 to E.39, E.45 to E.47, E.75. */
static double residual(struct work *w, const struct lateral *y, double ratio_kappa) {
  double zeta0 = 1.0, zeta6 = 1.0, zeta7 = 1.0, drphi = 0.0, gs = w->gs, dfz = w->dfz;
  if (w->turn) {
    double all = spin_moment(w, y->mu);
    zeta0 = 0.0;
    zeta6 = fade(C(QBRP1) * C(UNLOADED_RADIUS) * w->phi); /* (4.102) */
    drphi = spin_peak(w, y->mu);                          /* zeta8 - 1, (4.92) */
    double at90 = all * 2.0 / pi * atan(C(QCRP2) * C(UNLOADED_RADIUS) * fabs(w->phi_t)) * weight_y(w); /* (4.103) */
    zeta7 = 2.0 / pi * acos(clamp(at90 / (fabs(drphi) + tiny), -1.0, 1.0));                            /* (4.104) */
  }
  double k1 = y->stiffness + tiny * sign(y->stiffness);
  double ar = w->as + y->sh + y->sv / k1; /* E.37, E.38 */
  double by_camber =
      ((C(QDZ8) + C(QDZ9) * dfz) * (1.0 + C(PPZ2) * w->dpi) + (C(QDZ10) + C(QDZ11) * dfz) * fabs(gs)) * gs * C(LKZC);
  double dr = w->fz_moment * C(UNLOADED_RADIUS) * ((C(QDZ6) + C(QDZ7) * dfz) * C(LRES) * y->zeta2 + by_camber * zeta0) *
                  C(LMUY) * cos(w->as) +
              drphi;                                                           /* E.47 */
  double br = (C(QBZ9) * C(LKY) / C(LMUY) + C(QBZ10) * y->by * y->cy) * zeta6; /* E.45 */
  return dr * cos(zeta7 * atan(br * equivalent(ar, ratio_kappa)));             /* E.75 */
}

/* Computes the aligning moment, E.71 to E.78. */
static struct aligning align(struct work *w, const struct lateral *y, double kx, double fx, double fy) {
  double k1 = y->stiffness + tiny * sign(y->stiffness);
  double ratio_kappa = kx / k1 * w->kappa;
  double vc = w->vx * sqrt(1.0 + tan(w->alpha) * tan(w->alpha));
  double cos_alpha = w->vx / (vc + tiny); /* E.6 */
  struct aligning m = {.trail = trail(w, ratio_kappa, cos_alpha), .residual = residual(w, y, ratio_kappa)};
  double s = C(UNLOADED_RADIUS) * (C(SSZ1) + C(SSZ2) * fy / C(FNOMIN) + (C(SSZ3) + C(SSZ4) * w->dfz) * w->gamma) *
             C(LS); /* A.56 */
  double force;
  if (w->v52)
    force = fy - ply_steer(w, y->mu, y->zeta2);
  else { /* E.74: F_y0 without camber and spin, weighed with camber (MFeval) */
    struct work upright = *w;
    upright.gamma = upright.gs = upright.phi = 0.0;
    upright.turn = false;
    force = weight_y(w) * pure_y(&upright).fy0;
    w->steep |= upright.steep;
  }
  m.mz = -m.trail * force + m.residual + s * fx;
  return m;
}

/* ---- radii, contact, relaxation ---- */

/* Returns the effective radius (A.1, A.7); the speed of rotation at the given slip is found by fixed-point steps. */
static double free_radius(const struct work *w, double omega) {
  double u = omega * C(UNLOADED_RADIUS) / C(LONGVL);
  return C(UNLOADED_RADIUS) * (C(Q_RE0) + C(Q_V1) * u * u);
}

static double effective_radius(const struct work *w, double *omega) {
  double load = w->fz_given / C(FNOMIN);
  double lost = C(FNOMIN) / (C(VERTICAL_STIFFNESS) * (1.0 + C(PFZ1) * w->dpi)) *
                (C(DREFF) * atan(C(BREFF) * load) + C(FREFF) * load);
  double re = C(UNLOADED_RADIUS);
  for (int i = 0; i < 200; i++) {
    *omega = (1.0 + w->kappa_given) * w->vx / re;
    re = free_radius(w, *omega) - lost;
  }
  return re;
}

/* Returns the load of the tyre at a loaded radius, (A3.3) and the manual of 6.2; *rho: its deflection. */
static double carried(const struct work *w, double radius, double omega, double fx, double fy, double *rho) {
  double r0 = C(UNLOADED_RADIUS), fz0 = C(FNOMIN), free = free_radius(w, omega), shift = 0.0, with = 1.0;
  *rho = free - radius;
  if (mf_paper_get(w->tyre, "FITTYP") == 62.0) {
    double ratio = radius / free, g = w->gamma;
    double tread = (1.075 - 0.5 * C(ASPECT_RATIO)) * C(WIDTH);
    double lever = (C(Q_CAM1) * free + C(Q_CAM2) * free * free);
    shift = (C(Q_FYS1) + C(Q_FYS2) * ratio + C(Q_FYS3) * ratio * ratio) * g;
    if (lever != 0.0 && g != 0.0) {
      double part = (C(Q_CAM1) * radius + C(Q_CAM2) * radius * radius) / lever;
      *rho += part * part * tread / 8.0 * fabs(tan(g)) - C(Q_CAM3) * *rho * fabs(g);
    }
    with = pow(fmax(*rho, 0.0) / r0, C(Q_FCY2));
  }
  double x = fmax(*rho, 0.0) / r0;
  double linear = C(Q_FZ1) != 0.0 ? C(Q_FZ1) : sqrt(pow(C(VERTICAL_STIFFNESS) * r0 / fz0, 2.0) - 4.0 * C(Q_FZ2));
  double by_x = C(Q_FCX) * fx / fz0, by_y = with * C(Q_FCY) * (fy - shift) / fz0;
  double factor = 1.0 + C(Q_V2) * r0 / C(LONGVL) * fabs(omega) - by_x * by_x - by_y * by_y;
  return factor * (1.0 + C(PFZ1) * w->dpi) * (linear * x + C(Q_FZ2) * x * x) * fz0;
}

/* Returns the loaded radius by bisection between the free radius and half of it. */
static double loaded_radius(const struct work *w, double fz, double omega, double fx, double fy, double *rho) {
  double high = free_radius(w, omega), low = 0.5 * high;
  *rho = NAN;
  if (carried(w, high * (1.0 - 1e-12), omega, fx, fy, rho) > fz || carried(w, low, omega, fx, fy, rho) < fz) {
    *rho = NAN;
    return NAN;
  }
  for (int i = 0; i < 100; i++) {
    double middle = 0.5 * (low + high);
    if (carried(w, middle, omega, fx, fy, rho) > fz)
      low = middle;
    else
      high = middle;
  }
  carried(w, 0.5 * (low + high), omega, fx, fy, rho);
  return 0.5 * (low + high);
}

/* Computes the contact patch by A.9 and A.10; for 5.2 by the manual, with MFeval's values if Q_A1 and Q_A2 are missing.
 * The contact patch of a bottomed tyre stops growing (MFeval). */
static void contact(const struct work *w, struct mf_paper_figures *f) {
  double r0 = C(UNLOADED_RADIUS), k = C(VERTICAL_STIFFNESS) * (1.0 + C(PFZ1) * w->dpi);
  double fz = fmin(w->fz_given, (r0 - C(RIM_RADIUS) - C(BOTTOM_OFFST)) * k), fz0 = C(FNOMIN);
  if (w->v52) {
    double q1 = C(Q_A1), q2 = C(Q_A2);
    if (q1 == 0.0 && q2 == 0.0) {
      double y = log10(r0 * C(VERTICAL_STIFFNESS) / fz0);
      q1 = 0.6279 + y * (-0.6283 + y * (0.2509 - 0.0388 * y));
      q2 = 1.693 * q1 * q1;
    }
    f->contact_length = 2.0 * r0 * (q2 * fz / fz0 + q1 * sqrt(fz / fz0));
    f->contact_width = C(WIDTH);
  } else {
    double x = fz / (k * r0);
    f->contact_length = 2.0 * r0 * (C(Q_RA2) * x + C(Q_RA1) * sqrt(x));
    f->contact_width = 2.0 * C(WIDTH) * (C(Q_RB2) * x + C(Q_RB1) * cbrt(x));
  }
}

static void relaxation(const struct work *w, struct mf_paper_figures *f) {
  double dfz = w->dfz, r0 = C(UNLOADED_RADIUS);
  f->stiffness_x =
      C(LONGITUDINAL_STIFFNESS) * (1.0 + C(PCFX1) * dfz + C(PCFX2) * dfz * dfz) * (1.0 + C(PCFX3) * w->dpi); /* A.17 */
  f->stiffness_y =
      C(LATERAL_STIFFNESS) * (1.0 + C(PCFY1) * dfz + C(PCFY2) * dfz * dfz) * (1.0 + C(PCFY3) * w->dpi); /* A.18 */
  if (w->v52) {
    f->sigma_x = (C(PTX1) + C(PTX2) * dfz) * exp(-C(PTX3) * dfz) * C(LSGKP) * r0 * w->fz / C(FNOMIN);
    f->sigma_y = C(PTY1) * sin(2.0 * atan(w->fz / (C(PTY2) * w->fz0))) * (1.0 - C(PKY3) * fabs(w->gamma)) * r0 *
                 C(LFZO) * C(LSGAL);
  } else { /* A.19 */
    f->sigma_x = fabs(f->slip_stiffness / f->stiffness_x);
    f->sigma_y = fabs(f->cornering / f->stiffness_y);
  }
}

/* ---- one point ---- */

/* Clamps one input to the named ends of its range, if the file has them and they are in order. */
static double within(const struct work *w, double x, const char *low, const char *high) {
  size_t a = place(w->tyre, low), b = place(w->tyre, high), none = w->tyre->count;
  if (!w->mode.limits || a == none || b == none || w->tyre->of[a].value >= w->tyre->of[b].value)
    return x;
  return clamp(x, w->tyre->of[a].value, w->tyre->of[b].value);
}

static struct work prepare(const struct mf_paper *tyre, struct mf_paper_mode mode, const struct mf_paper_point *at) {
  struct work all = {.tyre = tyre, .mode = mode, .turn = mode.turn_slip}, *w = &all;
  w->v52 = C(FITTYP) < 60.0;
  w->vx = at->vx;
  w->fz_given = fmax(at->fz, 0.0);
  w->kappa_given = at->kappa;
  double pressure = at->pressure > 0.0 ? at->pressure : C(INFLPRES) > 0.0 ? C(INFLPRES) : C(NOMPRES);
  w->kappa = within(w, at->kappa, "KPUMIN", "KPUMAX");
  w->alpha = within(w, at->alpha, "ALPMIN", "ALPMAX");
  w->gamma = within(w, at->gamma, "CAMMIN", "CAMMAX");
  w->pressure = within(w, pressure, "PRESMIN", "PRESMAX");
  double in_range = within(w, w->fz_given, "FZMIN", "FZMAX");
  w->fz = fmin(w->fz_given, in_range); /* forces are not raised to those of FZMIN */
  w->fz_moment = w->fz > 0.0 ? in_range : 0.0;
  w->phi_t = at->curvature * (mode.limits ? cos(at->alpha) : 1.0);           /* MFeval */
  w->as = mode.plain_angles ? w->alpha : tan(w->alpha);                      /* E.3 */
  w->gs = mode.plain_angles ? w->gamma : sin(w->gamma);                      /* E.4 */
  w->fz0 = C(LFZO) * C(FNOMIN);                                              /* E.1 */
  w->dfz = (w->fz - w->fz0) / w->fz0;                                        /* E.2a */
  w->dpi = C(NOMPRES) > 0.0 ? (w->pressure - C(NOMPRES)) / C(NOMPRES) : 0.0; /* E.2b */
  w->eps_gamma = C(PECP1) * (1.0 + C(PECP2) * w->dfz);                       /* (4.90) */
  return all;
}

/* Returns the slope of a combined force by one variable: sixth order, exact to about 1e-11 of the stiffness. */
static double slope(const struct work *w, double (*force)(struct work *), char by) {
  static const double weights[3] = {45.0, -9.0, 1.0};
  double h = 2e-4, sum = 0.0;
  for (int i = 1; i <= 3; i++)
    for (int side = -1; side <= 1; side += 2) {
      struct work moved = *w;
      double d = side * i * h;
      moved.kappa += by == 'k' ? d : 0.0;
      moved.alpha += by == 'a' ? d : 0.0;
      moved.gamma += by == 'g' ? d : 0.0;
      moved.as = w->mode.plain_angles ? moved.alpha : tan(moved.alpha);
      moved.gs = w->mode.plain_angles ? moved.gamma : sin(moved.gamma);
      sum += side * weights[i - 1] * force(&moved);
    }
  return sum / (60.0 * h);
}

struct mf_paper_figures mf_paper_compute(const struct mf_paper *tyre, struct mf_paper_mode mode,
                                         const struct mf_paper_point *at) {
  struct work all = prepare(tyre, mode, at), *w = &all;
  struct mf_paper_figures f = {.fz = w->fz,
                               .kappa = w->kappa,
                               .alpha = w->alpha,
                               .gamma = w->gamma,
                               .pressure = w->pressure,
                               .curvature = w->phi_t};
  f.clamped = w->fz_moment != w->fz_given || w->kappa != at->kappa || w->alpha != at->alpha || w->gamma != at->gamma ||
              (at->pressure > 0.0 && w->pressure != at->pressure);
  f.re = effective_radius(w, &f.omega);
  double v = fmax(w->vx / cos(w->alpha), C(VXLOW));                      /* |V'c| of (4.75) */
  f.phi = w->phi_t + (1.0 - w->eps_gamma) * f.omega / v * sin(w->gamma); /* (4.76) in ISO axes */
  w->phi = mode.turn_slip ? f.phi : 0.0;
  struct longitudinal x = pure_x(w);
  struct lateral y = pure_y(w);
  f.mu_x = x.mu;
  f.mu_y = fabs(y.mu);
  f.slip_stiffness = x.stiffness;
  f.cornering = y.stiffness;
  f.camber = y.camber;
  f.fx = combined_x(w);
  f.fy = combined_y(w);
  f.mx = overturning(w, f.fy);
  f.my = rolling_resistance(w, f.fx);
  struct aligning m = align(w, &y, x.stiffness, f.fx, f.fy);
  f.mz = m.mz;
  f.trail = m.trail;
  f.residual = m.residual;
  f.spin_moment = spin_moment(w, y.mu);
  f.dfx_dkappa = slope(w, combined_x, 'k');
  f.dfy_dalpha = slope(w, combined_y, 'a');
  f.dfy_dgamma = slope(w, combined_y, 'g');
  relaxation(w, &f);
  f.loaded_radius = loaded_radius(w, C(FITTYP) == 62.0 ? w->fz : w->fz_moment, f.omega, f.fx, f.fy, &f.deflection);
  f.stiffness_z = (C(FITTYP) == 62.0 ? w->fz : w->fz_moment) / f.deflection;
  contact(w, &f);
  f.steep = w->steep;
  return f;
}

void mf_paper_spread(unsigned i, unsigned n, double *out) {
  double g = 1.5; /* g^(n + 1) = g + 1 */
  for (int k = 0; k < 100; k++)
    g = pow(1.0 + g, 1.0 / (n + 1.0));
  for (unsigned d = 0; d < n; d++) {
    double x = 0.5 + (i + 1.0) * pow(g, -(d + 1.0));
    out[d] = x - floor(x);
  }
}
