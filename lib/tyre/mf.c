/* Builds a tyre from its property file, and computes what is needed outside the step: stiffnesses, peaks, radii. */
#include "tyre/mf_impl.h"

#include "base/elementary.h"

#include <string.h>

/* A coefficient that is used unchanged: its offsets in vd_mf_def and in vd_mf. */
typedef struct as_given {
  size_t from, to;
} as_given;

/* clang-format off */
#define FORMULA(name) {offsetof(vd_mf_def, name), offsetof(vd_mf, name)}
#define BODY(name) {offsetof(vd_mf_def, name), offsetof(vd_mf, body.name)}

static const as_given of_all[] = {
  FORMULA(ppx1), FORMULA(ppx2), FORMULA(ppx3), FORMULA(ppx4), FORMULA(pkx3), FORMULA(pex4), FORMULA(rbx2),
  FORMULA(ppy1), FORMULA(ppy2), FORMULA(ppy3), FORMULA(ppy4), FORMULA(pey3), FORMULA(pky2), FORMULA(pky4),
  FORMULA(rby2), FORMULA(rby3), FORMULA(rvy4), FORMULA(rvy5), FORMULA(rvy6), FORMULA(qbz10), FORMULA(qez4),
  FORMULA(ppz1), FORMULA(ppz2),
  FORMULA(qsx5), FORMULA(qsx6), FORMULA(qsx7), FORMULA(qsx8), FORMULA(qsx9), FORMULA(qsx11), FORMULA(ppmx1),
  FORMULA(qsy1), FORMULA(qsy2), FORMULA(qsy3), FORMULA(qsy4),
  BODY(unloaded_radius), BODY(width), BODY(aspect_ratio), BODY(rim_radius), BODY(fnomin), BODY(lfzo), BODY(breff),
  BODY(dreff), BODY(freff), BODY(q_ra1), BODY(q_ra2), BODY(q_rb1), BODY(q_rb2), BODY(q_re0), BODY(q_v1), BODY(q_v2),
  BODY(q_fz2), BODY(q_fz3), BODY(q_fcx), BODY(q_fcy), BODY(q_cam), BODY(pfz1), BODY(bottom_offst), BODY(bottom_stiff),
  BODY(longitudinal_stiffness), BODY(lateral_stiffness), BODY(pcfx1), BODY(pcfx2), BODY(pcfx3),
  BODY(pcfy1), BODY(pcfy2), BODY(pcfy3), BODY(ptx1), BODY(ptx2), BODY(pty1), BODY(pty2), BODY(lsgkp), BODY(lsgal),
};

static const as_given of_62[] = {
  BODY(q_fcy2), BODY(q_cam1), BODY(q_cam2), BODY(q_cam3), BODY(q_fys1), BODY(q_fys2), BODY(q_fys3),
};

static const as_given of_turn_slip[] = {
  FORMULA(pdxp3), FORMULA(pkyp1), FORMULA(pdyp3), FORMULA(pdyp4), FORMULA(qdtp1), FORMULA(qbrp1), FORMULA(qcrp2),
};
/* clang-format on */

static void copy(const as_given *list, size_t count, const vd_mf_def *def, vd_mf *m) {
  for (size_t i = 0; i < count; i++)
    *(double *)(void *)((char *)m + list[i].to) = *(const double *)(const void *)((const char *)def + list[i].from);
}

/* Returns a1 + a2 df as a line in u = df + 1, times a factor. */
static vd_mf_line line(double a1, double a2, double factor) {
  return (vd_mf_line){factor * (a1 - a2), factor * a2};
}

/* Returns a1 + a2 df + a3 df^2 as a polynomial in u = df + 1, times a factor. */
static vd_mf_square square(double a1, double a2, double a3, double factor) {
  return (vd_mf_square){factor * (a1 - a2 + a3), factor * (a2 - 2.0 * a3), factor * a3};
}

/* Checks USE_MODE and the weights. The last digit of USE_MODE selects the forces (0 none, 1 Fx and My, 2 Fy, Mx and Mz,
 * 3 all uncombined, 4 combined, 5 combined with turn slip). Its tens digit selects the dynamics, its hundreds digit the
 * contact. A negative number mirrors the tyre. */
bool vd_mf_lacks_weights(const vd_mf_def *def) {
  return fmod(fabs(def->use_mode), 10.0) >= 4.0 && def->rbx1 == 0.0 && def->rbx3 == 0.0 && def->rby1 == 0.0 &&
         def->rby4 == 0.0;
}

bool vd_mf_has_turn_slip(const vd_mf_def *def) {
  return def->pdxp1 != 0.0 || def->pkyp1 != 0.0 || def->pdyp1 != 0.0 || def->phyp1 != 0.0 || def->qdtp1 != 0.0 ||
         def->qbrp1 != 0.0 || def->qcrp1 != 0.0;
}

static bool has_ellipse(const vd_mf_def *def, bool combined) {
  switch ((enum vd_mf_combined)def->combined) {
  case VD_MF_AUTO: return vd_mf_lacks_weights(def);
  case VD_MF_ELLIPSE: return combined;
  case VD_MF_WEIGHTS:
  case VD_MF_UNCOMBINED: break;
  }
  return false;
}

static void build_mode(const vd_mf_def *def, enum vd_mf_side mounted, vd_mf *m) {
  long mode = lround(fabs(def->use_mode)), forces = mode % 10;
  bool turned =
      (def->side == VD_MF_LEFT && mounted == VD_MF_RIGHT) || (def->side == VD_MF_RIGHT && mounted == VD_MF_LEFT);
  m->mirror = turned != (def->use_mode < 0.0) ? -1.0 : 1.0;
  m->with_x = forces == 0 || forces == 2 ? 0.0 : 1.0;
  m->with_y = forces == 0 || forces == 1 ? 0.0 : 1.0;
  m->coupling = forces >= 4 && def->combined != VD_MF_UNCOMBINED ? 1.0 : 0.0;
  m->has_ellipse = has_ellipse(def, forces >= 4);
  m->ellipse = m->has_ellipse ? 1.0 : 0.0;
}

/* Clamps a shape factor. A curve with a peak has one between 1 and 2; the sines of mf_force.c are valid up to 3. */
static double shape(double c) {
  return vd_within(c, -3.0, 3.0);
}

/* Returns C of a pure curve. Other coefficients are divided by it, so it must not be 0. A file for forces of one
 * direction has no C for the other direction. */
static double pure_shape(double c) {
  return c > 0.0 ? shape(c) : 1.0;
}

static bool is_52(const vd_mf_def *def) {
  return def->fittyp < 60.0;
}

static void build_ranges(const vd_mf_def *def, vd_mf *m) {
  const double max_slip = 1e6; /* a tyre with this slip slides fully, and the square of the slip does not overflow */
  m->kappa_min = vd_max(def->kpumin, -max_slip);
  m->kappa_max = vd_min(def->kpumax, max_slip);
  m->tangent_min = def->alpmin > -0.5 * VD_PI ? vd_max(vd_tan(def->alpmin), -max_slip) : -max_slip;
  m->tangent_max = def->alpmax < 0.5 * VD_PI ? vd_min(vd_tan(def->alpmax), max_slip) : max_slip;
  m->gamma_min = vd_max(def->cammin, -0.5 * VD_PI);
  m->gamma_max = vd_min(def->cammax, 0.5 * VD_PI);
  double nominal = def->fnomin * def->lfzo;
  m->load_unit = 1.0 / nominal;
  m->load_floor = vd_max(def->fzmin, 0.01 * nominal);
  m->load_max = vd_max(def->fzmax < INFINITY ? def->fzmax : 10.0 * nominal, m->load_floor);
  bool inflated = def->nompres > 0.0;
  m->pressure = def->inflpres;
  m->pressure_nominal = def->nompres;
  m->pressure_unit = inflated ? 1.0 / def->nompres : 0.0;
  m->pressure_min = vd_max(def->presmin, 0.01 * def->nompres);
  m->pressure_max = vd_min(def->presmax, inflated ? 100.0 * def->nompres : INFINITY);
}

static void build_x(const vd_mf_def *def, vd_mf *m) {
  double combined = m->coupling * def->lxal;
  m->mux = line(def->pdx1, def->pdx2, 1.0);
  m->kx = line(def->pkx1, def->pkx2, def->lkx);
  m->shx = line(def->phx1, def->phx2, def->lhx);
  m->svx = line(def->pvx1, def->pvx2, def->lvx);
  m->ex = square(def->pex1, def->pex2, def->pex3, def->lex);
  m->pdx3 = is_52(def) ? def->pdx3 * def->lgax * def->lgax : def->pdx3;
  m->cx = pure_shape(def->pcx1 * def->lcx);
  m->rbx1 = def->rbx1 * combined;
  m->rbx3 = def->rbx3 * combined;
  m->rcx1 = shape(def->rcx1);
  m->shxa = def->rhx1;
  m->exa = line(def->rex1, def->rex2, 1.0);
}

/* Sets the coefficients of Fy. In 5.2 LGAY scales camber in all equations; in 6.x LKYC scales the force by camber. */
static void build_y(const vd_mf_def *def, vd_mf *m) {
  bool old = is_52(def);
  double lgay = old ? def->lgay : 1.0, lkyc = old ? 1.0 : def->lkyc;
  m->muy = line(def->pdy1, def->pdy2, 1.0);
  m->ey = line(def->pey1, def->pey2, def->ley);
  m->shy = line(def->phy1, def->phy2, def->lhy);
  m->svy = line(def->pvy1, def->pvy2, def->lvy);
  m->svyg = line(def->pvy3, def->pvy4, lgay * lkyc);
  if (!old) {
    m->kyg = line(def->pky6, def->pky7, lkyc);
    m->shift_svyg = line(def->pvy3, def->pvy4, lkyc);
    m->ppy5 = def->ppy5;
  }
  m->phy3 = old ? def->phy3 * lgay : 0.0;
  m->pdy3 = def->pdy3 * lgay * lgay;
  m->cy = pure_shape(def->pcy1 * def->lcy);
  m->pey4 = def->pey4 * lgay;
  m->pey5 = def->pey5 * lgay * lgay;
  m->pky1 = def->pky1 * def->lky;
  m->pky3 = def->pky3 * fabs(lgay);
  m->pky5 = def->pky5 * lgay * lgay;
}

static void build_y_combined(const vd_mf_def *def, vd_mf *m) {
  double combined = m->coupling * def->lyka, induced = m->coupling * (1.0 - m->ellipse) * def->lvyka;
  m->rby1 = def->rby1 * combined;
  m->rby4 = def->rby4 * combined;
  m->rcy1 = shape(def->rcy1);
  m->eyk = line(def->rey1, def->rey2, 1.0);
  m->shyk = line(def->rhy1, def->rhy2, 1.0);
  m->dvyk = line(def->rvy1, def->rvy2, induced);
  m->rvy3 = def->rvy3 * induced;
}

static void build_z(const vd_mf_def *def, vd_mf *m) {
  bool old = is_52(def);
  double lgaz = old ? def->lgaz : 1.0, lkzc = old ? lgaz : def->lkzc, r0 = def->unloaded_radius,
         arm = m->coupling * def->ls * r0;
  m->bt = square(def->qbz1, def->qbz2, def->qbz3, def->lky);
  m->et = square(def->qez1, def->qez2, def->qez3, 1.0);
  m->dt = line(def->qdz1, def->qdz2, r0 * def->ltr * (1.0 / def->fnomin)); /* Fz0, see mf.h */
  m->sht = line(def->qhz1, def->qhz2, 1.0);
  m->sht_gamma = line(def->qhz3, def->qhz4, lgaz);
  m->dr = line(def->qdz6, def->qdz7, r0 * def->lres);
  m->dr_gamma = line(def->qdz8, def->qdz9, r0 * lkzc);
  m->dr_gamma2 = line(def->qdz10, def->qdz11, r0 * lkzc);
  m->s_gamma = line(def->ssz3, def->ssz4, arm);
  m->ssz1 = def->ssz1 * arm;
  m->ssz2 = def->ssz2 * arm;
  m->qbz4 = def->qbz4 * lgaz;
  m->qbz5 = def->qbz5 * fabs(lgaz);
  m->qbz9 = def->qbz9 * def->lky;
  m->ct = shape(def->qcz1);
  m->qdz3 = def->qdz3 * lgaz;
  m->qdz4 = def->qdz4 * lgaz * lgaz;
  m->qez5 = def->qez5 * lgaz;
  m->sv_in_trail = old ? 1.0 : 0.0;
  m->inverse_v_low = 1.0 / vd_max(def->vxlow, 0.01);
}

static void build_xy_moments(const vd_mf_def *def, vd_mf *m) {
  bool old = is_52(def), adams = def->format == VD_MF_PAC2002, plain = old && !adams;
  double r0 = def->unloaded_radius, mx = r0 * def->lmx;
  m->fz0 = def->fnomin;
  m->inverse_fz0 = 1.0 / def->fnomin;
  m->inverse_v0 = 1.0 / def->longvl;
  m->qsx1 = def->qsx1 * def->lvmx * (old ? r0 : mx);
  m->qsx2 = def->qsx2 * mx;
  m->qsx3 = def->qsx3 * mx;
  m->qsx4 = def->qsx4 * mx;
  m->qsx10 = def->qsx10 * mx;
  m->qsx12 = def->qsx12 * mx;
  m->qsx13 = def->qsx13 * mx;
  m->qsx14 = def->qsx14 * mx;
  m->my = r0 * def->lmy;
  m->my_from_shifts = old && !adams && def->qsy1 == 0.0 && def->qsy2 == 0.0 ? 1.0 : 0.0;
  m->qsy5 = plain ? 0.0 : def->qsy5;
  m->qsy6 = plain ? 0.0 : def->qsy6;
  /* Adams: My ~ Fz (Fz/Fz0)^QSY7, MF-Tyre: My ~ Fz0 (Fz/Fz0)^QSY7, in 5.2 My ~ Fz */
  m->qsy7 = adams ? 1.0 + def->qsy7 : plain ? 1.0 : def->qsy7;
  m->qsy8 = plain || m->pressure_unit <= 0.0 ? 0.0 : def->qsy8;
  m->has_overturning = m->qsx4 != 0.0 || m->qsx10 != 0.0;
  m->my_has_power = m->qsy7 != 0.0;
}

static bool has_turn_slip(const vd_mf_def *def) {
  double digit = fmod(fabs(def->use_mode), 10.0);
  switch ((enum vd_mf_turn_slip)def->turn_slip) {
  case VD_MF_TURN_AUTO: return digit == 5.0 && vd_mf_has_turn_slip(def);
  case VD_MF_TURN_ON: return digit >= 4.0 && vd_mf_has_turn_slip(def);
  case VD_MF_TURN_OFF: break;
  }
  return false;
}

/* Sets the coefficients of turn slip. C of the turning moment is limited so that its curve does not end at zero. */
static void build_turn(const vd_mf_def *def, vd_mf *m) {
  m->has_turn_slip = has_turn_slip(def);
  if (!m->has_turn_slip)
    return;
  copy(of_turn_slip, VD_COUNT(of_turn_slip), def, m);
  m->turn_radius = def->unloaded_radius;
  m->ecp = line(def->pecp1, def->pecp1 * def->pecp2, 1.0);
  m->dxp = line(def->pdxp1, def->pdxp1 * def->pdxp2, 1.0);
  m->dyp = line(def->pdyp1, def->pdyp1 * def->pdyp2, 1.0);
  m->dhyp = line(def->phyp2, def->phyp3, 1.0);
  m->chyp = shape(def->phyp1);
  m->ehyp = def->phyp4;
  m->qcrp1 = fabs(def->qcrp1) * def->lmp * def->unloaded_radius;
  m->cdrp = vd_within(def->qdrp1, 0.0, 1.9);
  m->edrp = def->qdrp2;
  m->turn_shift = def->phyp1 != 0.0 && (def->phyp2 != 0.0 || def->phyp3 != 0.0) ? 1.0 : 0.0;
  m->turn_moment = m->qcrp1 > 0.0 && m->cdrp > 0.0 ? 1.0 : 0.0;
  m->drp_peak = m->turn_moment > 0.0 ? 1.0 / vd_sin(0.5 * VD_PI * m->cdrp) : 0.0;
}

/* Builds the vertical spring. VERTICAL_STIFFNESS is the slope of 4.E68 at the nominal load: Cz = Fz0/R0 sqrt(Q_FZ1^2 +
 * 4 Q_FZ2). Either it or Q_FZ1 may be missing; the missing one follows from the other. */
static void build_vertical(const vd_mf_def *def, vd_mf *m) {
  double unit = def->fnomin / def->unloaded_radius, slope = def->vertical_stiffness / unit;
  m->q_fz1 = def->q_fz1 > 0.0 ? def->q_fz1 : sqrt(vd_max(slope * slope - 4.0 * def->q_fz2, 0.0));
  m->cz = def->vertical_stiffness > 0.0 ? def->vertical_stiffness
                                        : unit * sqrt(vd_max(m->q_fz1 * m->q_fz1 + 4.0 * def->q_fz2, 0.0));
}

/* Converts half the contact length of 5.2, a = R0 (Q_A1 sqrt(Fz/Fz0) + Q_A2 Fz/Fz0), to the coefficients of 6.x, which
 * have Fz/(Cz R0) instead of Fz/Fz0. If a file has neither, MF-Tyre computes Q_A1 from the vertical stiffness by a
 * cubic in y = lg(R0 Cz/Fz0), and Q_A2 = 1.693 Q_A1^2 (as in MFeval). */
static void build_old_patch(const vd_mf_def *def, double cz, vd_mf_body *body) {
  double share = cz * def->unloaded_radius / def->fnomin, a1 = def->q_a1, a2 = def->q_a2;
  if (a1 == 0.0 && a2 == 0.0 && share > 0.0) {
    double y = vd_log10(share);
    a1 = 0.6279 - (0.6283 - (0.2509 - 0.0388 * y) * y) * y;
    a2 = 1.693 * a1 * a1;
  }
  body->q_ra1 = a1 * sqrt(vd_max(share, 0.0));
  body->q_ra2 = a2 * share;
  body->q_rb1 = body->q_rb2 = 0.0;
}

static void build_body(const vd_mf_def *def, double cz, vd_mf_body *body) {
  /* exp(PTX3 df) as in the manual of Adams; for MF-Tyre exp(-PTX3 df) as in MFeval */
  body->ptx3 = def->format == VD_MF_PAC2002 ? def->ptx3 : -def->ptx3;
  if (is_52(def))
    build_old_patch(def, cz, body);
}

void vd_mf_build(const vd_mf_def *def, enum vd_mf_side mounted, vd_mf *m) {
  *m = (vd_mf){.old = is_52(def)};
  copy(of_all, VD_COUNT(of_all), def, m);
  if (def->fittyp >= 62.0)
    copy(of_62, VD_COUNT(of_62), def, m);
  build_mode(def, mounted, m);
  build_ranges(def, m);
  m->lambda_x = def->lmux;
  m->lambda_y = def->lmuy;
  m->lambda_speed = def->lmuv / def->longvl;
  build_x(def, m);
  build_y(def, m);
  build_y_combined(def, m);
  build_z(def, m);
  build_xy_moments(def, m);
  build_turn(def, m);
  build_vertical(def, m);
  build_body(def, m->cz, &m->body);
  vd_load_curve_build(vd_mf_points_list(&def->load_curve), &m->curve);
}

vd_mf_def vd_mf_unlimited(const vd_mf_def *def) {
  vd_mf_def free = *def;
  free.presmin = free.fzmin = 0.0;
  free.presmax = free.fzmax = free.kpumax = free.alpmax = free.cammax = INFINITY;
  free.kpumin = free.alpmin = free.cammin = -INFINITY;
  return free;
}

/* Builds tyres from two files that differ in this key alone. All their other keys are not zero, because a factor of
 * zero could hide the effect of this key. */
bool vd_mf_reads(double fittyp, enum vd_mf_format format, size_t offset) {
  vd_mf_def def = {.side = VD_MF_SYMMETRIC, .format = (int)format};
  vd_mf with, without;
  const size_t first = offsetof(vd_mf_def, fittyp);
  if (offset == first)
    return true;
  for (size_t at = first; at < offsetof(vd_mf_def, load_curve); at += sizeof(double))
    *(double *)(void *)((char *)&def + at) = 0.5 + 1e-3 * (double)(at % 97);
  def.fittyp = fittyp;
  def.use_mode = 5.0;
  vd_mf_build(&def, VD_MF_LEFT, &without);
  *(double *)(void *)((char *)&def + offset) *= 0.75;
  vd_mf_build(&def, VD_MF_LEFT, &with);
  return memcmp(&with, &without, offsetof(vd_mf, has_overturning)) != 0 ||
         memcmp(&with.body, &without.body, sizeof with.body) != 0 || with.cz != without.cz ||
         with.q_fz1 != without.q_fz1 || with.pressure != without.pressure;
}

static double at(vd_mf_line line, double u) {
  return line.c0 + line.c1 * u;
}

/* ---- Stiffnesses ----------------------------------------------------------------------------- */

unsigned vd_mf_clamp_input(const vd_mf *m, const vd_mf_input *in, vd_mf_input *used) {
  double tangent = m->mirror * in->tan_alpha, gamma = m->mirror * in->gamma;
  *used = *in;
  used->load = vd_within(in->load, m->load_floor, m->load_max);
  used->kappa = vd_within(in->kappa, m->kappa_min, m->kappa_max);
  used->tan_alpha = m->mirror * vd_within(tangent, m->tangent_min, m->tangent_max);
  used->gamma = m->mirror * vd_within(gamma, m->gamma_min, m->gamma_max);
  used->pressure = m->pressure_unit > 0.0 ? vd_within(in->pressure, m->pressure_min, m->pressure_max) : in->pressure;
  return (used->load != in->load ? 1U << VD_MF_LOAD : 0U) | (used->kappa != in->kappa ? 1U << VD_MF_KAPPA : 0U) |
         (used->tan_alpha != in->tan_alpha ? 1U << VD_MF_ALPHA : 0U) |
         (used->gamma != in->gamma ? 1U << VD_MF_GAMMA : 0U) |
         (used->pressure != in->pressure ? 1U << VD_MF_PRESSURE : 0U);
}

void vd_mf_slopes(const vd_mf *m, const vd_mf_input *in, vd_mf_stiffness *out) {
  vd_mf_slip s;
  vd_mf_pure p;
  vd_mf_pure_at(m, in, &s, &p);
  double load = p.load * p.scale;
  *out = (vd_mf_stiffness){
      .slip = load * p.x.k,
      .cornering = -load * p.y.k,
      .camber = m->old ? load * (p.y.k * m->phy3 + at(m->svyg, p.u) * s.lambda_y[0])
                       : load * at(m->kyg, p.u) * s.kyg[0], /* 4.E30 */
      .mu_x = p.x.mu,
      .mu_y = p.y.mu,
  };
}

void vd_mf_carcass(const vd_mf *m, double load, double pressure, double *longitudinal, double *lateral) {
  const vd_mf_body *body = &m->body;
  double clamped = vd_within(load, 0.0, m->load_max), df = clamped * m->load_unit - 1.0;
  double dp = (vd_within(pressure, m->pressure_min, m->pressure_max) - m->pressure_nominal) * m->pressure_unit;
  double x = (1.0 + (body->pcfx1 + body->pcfx2 * df) * df) * (1.0 + body->pcfx3 * dp);
  double y = (1.0 + (body->pcfy1 + body->pcfy2 * df) * df) * (1.0 + body->pcfy3 * dp);
  *longitudinal = body->longitudinal_stiffness * vd_max(x, 0.1);
  *lateral = body->lateral_stiffness * vd_max(y, 0.1);
}

/* Computes the lengths SigKap0 and SigAlp0 of the manual of MF 5.2, m; SigKap0 is 0 without PTX1, SigAlp0 without
 * PTY1. */
static void old_relaxation(const vd_mf *m, double load, double gamma, double *kappa, double *alpha) {
  const vd_mf_body *body = &m->body;
  double u = load * m->load_unit, df = u - 1.0;
  double x = u / vd_max(body->pty2, 1e-3), sine = 2.0 * x / (1.0 + x * x); /* sin(2 atan x) */
  *kappa = *alpha = 0.0;
  if (body->ptx1 > 0.0)
    *kappa = load * (body->ptx1 + body->ptx2 * df) * vd_exp(vd_within(body->ptx3 * df, -50.0, 50.0)) *
             body->unloaded_radius * m->inverse_fz0;
  if (body->pty1 > 0.0)
    *alpha = body->pty1 * sine * (1.0 - m->pky3 * fabs(gamma)) * body->unloaded_radius * body->lfzo;
}

/* The quantities from which the relaxation lengths of a file are computed. */
typedef struct relaxing {
  double cx, cy;       /* N/m, stiffnesses of the carcass */
  double old_x, old_y; /* m, the formulas of MF 5.2 */
  bool formula_x, formula_y;
} relaxing;

/* Computes these quantities. load and gamma must be within the file's ranges. */
static relaxing relaxing_at(const vd_mf *m, double load, double gamma, double pressure) {
  relaxing r;
  vd_mf_carcass(m, load, pressure, &r.cx, &r.cy);
  old_relaxation(m, load, gamma, &r.old_x, &r.old_y);
  r.formula_x = m->body.ptx1 > 0.0 && (m->old || r.cx <= 0.0);
  r.formula_y = m->body.pty1 > 0.0 && (m->old || r.cy <= 0.0);
  return r;
}

static void lengths_of(const vd_mf *m, const relaxing *r, double slip, double cornering, double *kappa, double *alpha) {
  const double least = 1e-3; /* m: the polynomials may be negative at loads outside the measured range */
  const vd_mf_body *body = &m->body;
  *kappa = body->lsgkp * (r->formula_x ? r->old_x : r->cx > 0.0 ? slip / r->cx : 0.0);
  *alpha = body->lsgal * (r->formula_y ? r->old_y : r->cy > 0.0 ? cornering / r->cy : 0.0);
  if ((r->formula_x || r->cx > 0.0) && body->lsgkp > 0.0)
    *kappa = vd_max(*kappa, least);
  if ((r->formula_y || r->cy > 0.0) && body->lsgal > 0.0)
    *alpha = vd_max(*alpha, least);
}

void vd_mf_relaxation(const vd_mf *m, const vd_mf_input *in, double *kappa, double *alpha) {
  vd_mf_input clamped;
  vd_mf_stiffness slope = {.slip = 0.0};
  vd_mf_clamp_input(m, in, &clamped);
  relaxing r = relaxing_at(m, clamped.load, clamped.gamma, in->pressure);
  if ((!r.formula_x && r.cx > 0.0) || (!r.formula_y && r.cy > 0.0))
    vd_mf_slopes(m, &clamped, &slope);
  lengths_of(m, &r, slope.slip, slope.cornering, kappa, alpha);
}

void vd_mf_relaxation_by(const vd_mf *m, double load, double pressure, double slip, double cornering, double *kappa,
                         double *alpha) {
  double upright = vd_within(0.0, m->gamma_min, m->gamma_max);
  relaxing r = relaxing_at(m, vd_within(load, m->load_floor, m->load_max), upright, pressure);
  lengths_of(m, &r, slip, cornering, kappa, alpha);
}

void vd_mf_turn(const vd_mf *m, const vd_mf_input *in, vd_mf_turning *out) {
  vd_mf_input still = *in;
  vd_mf_slip s;
  vd_mf_pure p;
  *out = (vd_mf_turning){0.0, 0.0};
  if (!(m->turn_moment > 0.0))
    return;
  still.curvature = still.rolling = 0.0; /* turn slip would reduce friction */
  vd_mf_pure_at(m, &still, &s, &p);
  double left = vd_max(1.0 - at(m->ecp, p.u), VD_MF_LEAST_SPIN), load = p.load * p.scale;
  double slope = at(m->dr_gamma, p.u) + at(m->dr_gamma2, p.u) * fabs(s.gamma[0]);
  *out = (vd_mf_turning){.slope = load * m->turn_radius * vd_max(-slope, 0.0) / left,
                         .most = load * m->qcrp1 * p.y.mu * sqrt(p.u)};
}

/* ---- Peaks ----------------------------------------------------------------------------------- */

/* Returns the argument of the outer arc tangent of a pure curve. */
static double inner_argument(double x, double e) {
  return x - e * (x - vd_lane_atan(x));
}

/* Solves x - E (x - atan x) = y for x > 0. The left side rises with x for E <= 1; INFINITY if it never reaches y (E =
 * 1, y >= pi/2). For E > 0 the curve is concave, and the root lies above y and above the root of the line that has pi/2
 * in place of atan x; for E < 0 it is convex, and the root lies below both. Newton's method starts from the nearer of
 * these two, and all its steps then have the same direction. A step by the share s of x leaves a relative error below
 * s^2, because |x f''/(2 f')| < 1 everywhere. */
static double solve_inner_argument(double y, double e) {
  double line = e < 1.0 ? (y - 0.5 * VD_PI * e) / (1.0 - e) : y;
  double x = e > 0.0 ? vd_max(y, line) : vd_min(y, line), step = x;
  for (int i = 0; i < 200 && fabs(step) > 1e-7 * x; i++) {
    double square = x * x;
    step = (inner_argument(x, e) - y) * (1.0 + square) / (1.0 + (1.0 - e) * square);
    x -= step;
    if (!(x < 1e12))
      return INFINITY;
  }
  return x;
}

/* Returns the magnitude of the curve at a slip on one side. */
static double height(const vd_mf_curve *curve, double slip) {
  double x = slip + curve->sh, e = curve->e[x < 0.0 ? 0 : 1];
  return fabs(curve->mu * vd_lane_sin_near(curve->c * vd_lane_atan(inner_argument(curve->b * x, e))) + curve->sv);
}

/* Returns the peak where the shifted slip has the sign `side`; `limit` is the end of the range of slip on that side. A
 * curve with C > 1 is highest where C atan(...) = pi/2. */
static vd_mf_peak find_peak(const vd_mf_curve *curve, double side, double limit) {
  double e = curve->e[side < 0.0 ? 0 : 1], slip = side * INFINITY;
  if (curve->c > 1.0)
    slip = side * solve_inner_argument(vd_tan(VD_PI / (2.0 * curve->c)), e) / fabs(curve->b) - curve->sh;
  bool reached = side * slip < side * limit;
  vd_mf_peak peak = {slip, height(curve, reached ? slip : limit)};
  if (!reached && curve->c > 1.0 && fabs(limit) < 1e5)
    peak.slip = limit; /* the force is constant from there on */
  else if (!reached)
    peak.slip = side * INFINITY;
  return peak;
}

double vd_mf_grip(const vd_mf *m, const vd_mf_input *in) {
  vd_mf_slip s;
  vd_mf_pure p;
  vd_mf_pure_at(m, in, &s, &p);
  return p.load * p.scale * vd_max(p.x.mu + fabs(p.x.sv), p.y.mu + fabs(p.y.sv));
}

void vd_mf_find_peaks(const vd_mf *m, const vd_mf_input *in, vd_mf_peaks *out) {
  vd_mf_slip s;
  vd_mf_pure p;
  vd_mf_pure_at(m, in, &s, &p);
  out->drive = find_peak(&p.x, 1.0, m->kappa_max);
  out->brake = find_peak(&p.x, -1.0, m->kappa_min);
  vd_mf_peak up = find_peak(&p.y, 1.0, m->tangent_max), down = find_peak(&p.y, -1.0, m->tangent_min);
  bool turned = m->mirror < 0.0;
  out->left = turned ? down : up;
  out->right = turned ? up : down;
  out->left.slip = vd_atan(m->mirror * out->left.slip);
  out->right.slip = vd_atan(m->mirror * out->right.slip);
  if (fabs(out->left.slip) >= 0.5 * VD_PI)
    out->left.slip = INFINITY;
  if (fabs(out->right.slip) >= 0.5 * VD_PI)
    out->right.slip = -INFINITY;
}
