/* Magic Formula of 1989 (Bakker, Pacejka, Lidner, SAE 890087; Adams/Tire's PAC89) and of 1994 (Pacejka and Bakker,
 * "The Magic Formula Tyre Model", Vehicle System Dynamics 21 (1993) supplement; PAC94), whose coefficients depend on
 * the load:
 *
 *   y = D sin(C atan(B x - E (B x - atan(B x)))) + Sv,  x = slip + Sh,  B = BCD/(C D)
 *
 * with F the load in kN, slip angle and camber g in degrees, slip ratio in percent, results in N and N m:
 *
 *   Fy  C = a0       D = (a1 F^2 + a2 F)(1 - a15 g^2)      BCD = a3 sin(2 atan(F/a4))(1 - a5 |g|)
 *       E = (a6 F + a7)(1 - (a16 g + a17) sgn x)
 *       Sh = a8 F + a9 + a10 g                             Sv = a11 F + a12 + (a13 F^2 + a14 F) g
 *   Fx  C = b0       D = b1 F^2 + b2 F                     BCD = (b3 F^2 + b4 F) exp(-b5 F)
 *       E = (b6 F^2 + b7 F + b8)(1 - b13 sgn x)            Sh = b9 F + b10        Sv = b11 F + b12
 *   Mz  C = c0       D = (c1 F^2 + c2 F)(1 - c18 g^2)      BCD = (c3 F^2 + c4 F)(1 - c6 |g|) exp(-c5 F)
 *       E = (c7 F^2 + c8 F + c9)(1 - (c19 g + c20) sgn x)/(1 - c10 |g|)
 *       Sh = c11 F + c12 + c13 g                           Sv = c14 F + c15 + (c16 F^2 + c17 F) g
 *
 * These are the indices of 1994. Those of 1989 have the same terms up to a7, b10 and c10, the curvature of Mz times
 * 1 - c10 |g|, and the shifts in another order:
 *
 *   Fy  Sh = a8 g + a9 F + a10     Sv = a11 F g + a12 F + a13
 *   Mz  Sh = c11 g + c12 F + c13   Sv = (c14 F^2 + c15 F) g + c16 F + c17
 *
 * Axes are those of the papers: y to the right, z down, so that Fy, Mz have the other sign here, and camber, top to
 * the right > 0, the same. Data count the slip angle by either of two signs; what a tyre does tells which: side =
 * sgn(BCD of Fy) makes a tyre push against its slip. E is at most 1. The friction of ground and tyre multiplies D, and
 * not the slopes. Loads are at most those where D of a force turns down; from there on the curves stay.
 *
 * Neither paper's data say anything of combined slip. The rule is that of Adams/Tire, the friction ellipse: with
 * p = |kappa + Sh| and q = |tan(alpha + Sh)|, Fx keeps the share 1/sqrt(1 + (Ax q/(p Dy))^2) of its pure value, of
 * which Ax is the part without Sv, and Fy the share 1/sqrt(1 + (Ay p/(q Dx))^2). This is 1 where the other slip is
 * zero, and puts two saturated forces on the ellipse, in the ratio of their slips. Adams/Tire has the angle where its
 * tangent stands here. Far beyond the peak the direction turns into that of the slip vector, as for the other models
 * (tyre.h). Mz keeps the share of Fy. */
#include "tyre/tyre_impl.h"

#include "base/elementary.h"

#define PAC (VD_WHEN(VD_TYRE_PAC89) | VD_WHEN(VD_TYRE_PAC94))

/* clang-format off */
static const vd_field rows[] = {
  {VD_F_NUMBERS(vd_tyre_def, as.pac.a, "a", "1", -1e9, 1e9, 0, NULL, "coefficients of the side force from a0 on, pac89 to a13, pac94 to a17, for kN, degrees and N; those at the end that are left out are 0"), .only = PAC},
  {VD_F_NUMBERS(vd_tyre_def, as.pac.b, "b", "1", -1e9, 1e9, 0, NULL, "coefficients of the longitudinal force from b0 on, pac89 to b10, pac94 to b13, for kN, percent of slip and N"), .only = PAC},
  {VD_F_NUMBERS(vd_tyre_def, as.pac.c, "c", "1", -1e9, 1e9, 0, "[]", "coefficients of the aligning moment from c0 on, pac89 to c17, pac94 to c20, for kN, degrees and N m; none: no moment"), .only = PAC},
  VD_TYRE_BODY_ROWS(VD_TYRE_PAC89),
  VD_TYRE_BODY_ROWS(VD_TYRE_PAC94),
};
/* clang-format on */

const vd_schema vd_pac_rows = {.field = rows, .count = VD_COUNT(rows)};

const vd_tyre_traits vd_pac_traits = {.camber = true};

static const double degree = VD_PI / 180.0, percent = 0.01, kilo = 1000.0;

/* One curve at one load and camber. b is the slope at zero over C D. */
typedef struct curve {
  double b, c, d, e, lean; /* e, and its change with the sign of x */
  double slope, sh, sv;
} curve;

static curve with_slope(curve k) {
  k.b = k.d != 0.0 && k.c != 0.0 ? k.slope / (k.c * k.d) : 0.0;
  return k;
}

/* friction: on D. load: kN; camber: degrees, in the axes of the papers. */
static curve lateral(const vd_pac *m, double friction, double load, double camber) {
  const double *a = m->a;
  return with_slope((curve){
      .c = a[0],
      .d = friction * (a[1] * load + a[2]) * load * (1.0 - a[15] * camber * camber),
      .slope = a[4] != 0.0 ? a[3] * vd_sin(2.0 * vd_atan(load / a[4])) * (1.0 - a[5] * fabs(camber)) : 0.0,
      .e = a[6] * load + a[7],
      .lean = a[16] * camber + a[17],
      .sh = a[8] * load + a[9] + a[10] * camber,
      .sv = a[11] * load + a[12] + (a[13] * load + a[14]) * load * camber,
  });
}

static curve longitudinal(const vd_pac *m, double friction, double load) {
  const double *b = m->b;
  return with_slope((curve){
      .c = b[0],
      .d = friction * (b[1] * load + b[2]) * load,
      .slope = (b[3] * load + b[4]) * load * vd_exp(-b[5] * load),
      .e = (b[6] * load + b[7]) * load + b[8],
      .lean = b[13],
      .sh = b[9] * load + b[10],
      .sv = b[11] * load + b[12],
  });
}

static curve aligning(const vd_pac *m, double friction, double load, double camber) {
  const double *c = m->c;
  double over = 1.0 - c[10] * fabs(camber), e = (c[7] * load + c[8]) * load + c[9];
  return with_slope((curve){
      .c = c[0],
      .d = friction * (c[1] * load + c[2]) * load * (1.0 - c[18] * camber * camber),
      .slope = (c[3] * load + c[4]) * load * (1.0 - c[6] * fabs(camber)) * vd_exp(-c[5] * load),
      .e = !m->curvature_over ? e * over
           : over > 0.0       ? e / over
                              : e,
      .lean = c[19] * camber + c[20],
      .sh = c[11] * load + c[12] + c[13] * camber,
      .sv = c[14] * load + c[15] + (c[16] * load + c[17]) * load * camber,
  });
}

static double curvature(const curve *k, double x) {
  return vd_least(k->e * (1.0 - (x > 0.0 ? k->lean : x < 0.0 ? -k->lean : 0.0)), 1.0);
}

/* Without Sv; x includes Sh. */
static double value(const curve *k, double x) {
  double bx = k->b * x, e = curvature(k, x);
  return k->d * vd_sin(k->c * vd_atan(bx - e * (bx - vd_atan(bx))));
}

void vd_pac_check(const vd_tyre_def *def, const vd_node *root, const char *path, vd_diag *d) {
  bool older = def->model == VD_TYRE_PAC89;
  const struct {
    const char *key;
    const vd_numbers *given;
    size_t least, most, most_older;
  } all[] = {{"a", &def->as.pac.a, 5, VD_PAC_LATERAL, 14},
             {"b", &def->as.pac.b, 5, VD_PAC_LONGITUDINAL, 11},
             {"c", &def->as.pac.c, 0, VD_PAC_ALIGNING, 18}};
  for (size_t i = 0; i < VD_COUNT(all); i++) {
    size_t most = older ? all[i].most_older : all[i].most, count = all[i].given->count;
    if (count < all[i].least || count > most) {
      vd_error(d, vd_tree_place_in(root, path, all[i].key), "'%s' has %zu coefficients; %s has from %zu to %zu",
               all[i].key, count, older ? "pac89" : "pac94", all[i].least, most);
      return;
    }
  }
  const double *a = def->as.pac.a.value, *b = def->as.pac.b.value;
  if (!(a[0] > 0.0 && a[0] < 2.0) || !(b[0] > 0.0 && b[0] < 2.0))
    vd_error(d, vd_tree_place_in(root, path, a[0] > 0.0 && a[0] < 2.0 ? "b" : "a"),
             "the shape factors a0 (%g) and b0 (%g) must be above 0 and below 2", a[0], b[0]);
  if (a[3] == 0.0 || a[4] == 0.0 || !(a[2] != 0.0 && b[2] > 0.0))
    vd_error(d, vd_tree_place_in(root, path, ""),
             "a2, a3 and a4 must not be 0, and b2 must be above 0, or the tyre "
             "has no force at small loads");
  if (!(b[4] > 0.0))
    vd_error(d, vd_tree_place_in(root, path, "b"), "b4 (%g) must be above 0, or the slip stiffness is not", b[4]);
}

/* Where a parabola p F^2 + q F turns down, in N. */
static double top(double p, double q) {
  return p * q < 0.0 ? -0.5 * q / p * kilo : INFINITY;
}

static void fill(const vd_numbers *given, double *out) {
  for (size_t i = 0; i < given->count; i++)
    out[i] = given->value[i];
}

/* Coefficients of 1989 in the places of 1994. */
static void renumber(vd_pac *m) {
  const vd_pac old = *m;
  const int a[][2] = {{8, 10}, {9, 8}, {10, 9}, {11, 14}, {12, 11}, {13, 12}};
  const int c[][2] = {{11, 13}, {12, 11}, {13, 12}, {14, 16}, {15, 17}, {16, 14}, {17, 15}};
  m->a[13] = 0.0;
  for (size_t i = 0; i < VD_COUNT(a); i++)
    m->a[a[i][1]] = old.a[a[i][0]];
  for (size_t i = 0; i < VD_COUNT(c); i++)
    m->c[c[i][1]] = old.c[c[i][0]];
}

void vd_pac_build(const vd_pac_def *given, bool older, vd_tyre *tyre) {
  vd_pac *m = &tyre->as.pac;
  *m = (vd_pac){.curvature_over = !older};
  fill(&given->a, m->a);
  fill(&given->b, m->b);
  fill(&given->c, m->c);
  if (older)
    renumber(m);
  m->side = m->a[3] * m->a[4] > 0.0 ? 1.0 : -1.0;
  m->highest_load = vd_min(top(m->a[1], m->a[2]), top(m->b[1], m->b[2]));
}

void vd_pac_slide(const vd_tyre_group *group, const vd_contact *contact, vd_slide *slide) {
  for (int k = 0; k < group->count; k++) {
    int i = group->wheel[k];
    vd_slip_vector(contact->kappa[i], contact->tan_alpha[i], &slide[i]);
    slide[i].fx = contact->kappa[i];
    slide[i].fy = contact->tan_alpha[i];
    slide[i].camber = contact->camber ? contact->camber[i] : 0.0;
  }
}

/* Without load the slopes over the load vanish with it: no force. */
static void force_of(const vd_tyre *tyre, double friction, double load, vd_slide *slide, double *fx, double *fy) {
  const vd_pac *m = &tyre->as.pac;
  double kn = vd_min(load, m->highest_load) / kilo, camber = slide->camber / degree;
  if (!(load > 0.0 && friction > 0.0))
    return;
  curve along = longitudinal(m, friction, kn), across = lateral(m, friction, kn, camber);
  double alpha = vd_atan(slide->fy);
  double x = slide->fx / percent + along.sh, y = m->side * alpha / degree + across.sh;
  double ax = value(&along, x), ay = value(&across, y);
  double p = fabs(x) * percent, q = fabs(vd_tan(vd_most(vd_least(y, 89.9), -89.9) * degree));
  double dx = fabs(along.d), dy = fabs(across.d);
  /* secants per unit of slip; at the origin the slopes */
  double secant_x = p > 1e-9 ? fabs(ax) / p : fabs(along.slope) / percent;
  double secant_y = q > 1e-9 ? fabs(ay) / q : fabs(across.slope) / degree;
  double rx = secant_x * q / dy, ry = secant_y * p / dx;
  double share_x = 1.0 / sqrt(1.0 + rx * rx), share_y = 1.0 / sqrt(1.0 + ry * ry);
  vd_turn(slide, (ax + along.sv) * share_x, -(ay + across.sv) * share_y, dx, dy, fx, fy);
  curve turning = aligning(m, friction, kn, camber);
  slide->moment = -share_y * (value(&turning, m->side * alpha / degree + turning.sh) + turning.sv);
}

void vd_pac_force(const vd_tyre_group *group, vd_slide *slide, const double *ground_friction, const double *load,
                  vd_tyre_forces *out) {
  for (int k = 0; k < group->count; k++) {
    int i = group->wheel[k];
    const vd_tyre *tyre = group->tyre[i];
    out->fx[i] = out->fy[i] = slide[i].moment = 0.0;
    force_of(tyre, tyre->common.friction * ground_friction[i], load[i], &slide[i], &out->fx[i], &out->fy[i]);
  }
}

void vd_pac_moments(const vd_tyre_group *group, const vd_slide *slide, const double *vx, double *mz) {
  for (int k = 0; k < group->count; k++) {
    int i = group->wheel[k];
    mz[i] = vd_trail_side(vx[i]) * slide[i].moment;
  }
}

/* Upright; BCD, whatever the friction. */
void vd_pac_stiffness(const vd_pac *m, double load, double *slip, double *cornering) {
  double kn = vd_min(load, m->highest_load) / kilo;
  *slip = longitudinal(m, 1.0, kn).slope / percent;
  *cornering = m->side * lateral(m, 1.0, kn, 0.0).slope / degree;
}

/* Both slopes have one maximum over the load; between 64 loads they rise by less than a thousandth of it. */
void vd_pac_stiffest(const vd_pac *m, double most, double *slip, double *cornering) {
  *slip = *cornering = 0.0;
  for (int i = 1; i <= 64; i++) {
    double x, y;
    vd_pac_stiffness(m, most * i / 64.0, &x, &y);
    *slip = vd_max(*slip, x);
    *cornering = vd_max(*cornering, y);
  }
}

static double peak_slip(const curve *k, double unit) {
  const vd_magic magic = {.b = fabs(k->b), .c = k->c, .d = 1.0, .e = curvature(k, 1.0)};
  return vd_magic_peak(&magic) * unit;
}

/* Upright, without the shifts. */
void vd_pac_peaks(const vd_tyre *tyre, double ground_friction, double load, double *mu, double *kappa, double *alpha) {
  const vd_pac *m = &tyre->as.pac;
  const double least = 1.0; /* N: the limit without load */
  double used = vd_max(load, least), kn = vd_min(used, m->highest_load) / kilo;
  double friction = ground_friction * tyre->common.friction;
  if (!(friction > 0.0)) {
    *mu = *kappa = *alpha = 0.0;
    return;
  }
  curve along = longitudinal(m, friction, kn), across = lateral(m, friction, kn, 0.0);
  *mu = vd_max(fabs(along.d), fabs(across.d)) / used;
  *kappa = peak_slip(&along, percent);
  *alpha = peak_slip(&across, degree);
}
