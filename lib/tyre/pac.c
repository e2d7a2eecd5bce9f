/* Magic Formula of 1989 (Bakker, Pacejka, Lidner, SAE 890087; Adams/Tire's PAC89) and of 1994 (Pacejka and Bakker, "The
 * Magic Formula Tyre Model", Vehicle System Dynamics 21 (1993) supplement; PAC94), whose coefficients depend on the
 * load:
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
 * These are the indices of 1994. The indices of 1989 are the same up to a7, b10 and c10, but E of Mz is multiplied by 1
 * - c10 |g|, and the shifts have another order:
 *
 *   Fy  Sh = a8 g + a9 F + a10     Sv = a11 F g + a12 F + a13
 *   Mz  Sh = c11 g + c12 F + c13   Sv = (c14 F^2 + c15 F) g + c16 F + c17
 *
 * In the papers y points to the right and z down. Fy and Mz therefore have the opposite sign here; camber has the same
 * sign, top to the right > 0. Published data use either sign for the slip angle. The sign follows from the condition
 * that the side force opposes the slip: side = sgn(BCD of Fy). E is at most 1. The friction of ground and tyre is a
 * factor on D, not on the slopes. Curves stay constant beyond the load at which D of a force begins to fall.
 *
 * The coefficients of both papers do not describe combined slip. The rule of Adams/Tire is used, a friction ellipse:
 * with p = |kappa + Sh| and q = |tan(alpha + Sh)|, Fx is its pure value times the share 1/sqrt(1 + (Ax q/(p Dy))^2),
 * where Ax is the pure value without Sv, and Fy its pure value times the share 1/sqrt(1 + (Ay p/(q Dx))^2). A share is
 * 1 if the other slip is zero; two saturated forces lie on the ellipse, in the ratio of their slips. Adams/Tire uses
 * the angle in place of its tangent. Far beyond the peak the direction of the force turns to the direction of the slip
 * vector, as for the other models (tyre.h). Mz has the same share as Fy. */
#include "tyre/tir_own_def.h"

#include "base/elementary.h"
#include "base/wide_elementary.h"
#include "input/schema.h"
#include "tyre/tyre_impl.h"

#include <string.h>

#define PAC (VD_WHEN(VD_TYRE_PAC89) | VD_WHEN(VD_TYRE_PAC94))

/* clang-format off */
static const vd_field rows[] = {
  {VD_F_NUMBERS(vd_tyre_def, as.pac.a, "a", "1", -1e9, 1e9, 0, "[]",
     "coefficients of the side force from a0 on, pac89 to a13, pac94 to a17, for kN, degrees and N; missing ones at "
     "the end are 0"), .only = PAC},
  {VD_F_NUMBERS(vd_tyre_def, as.pac.b, "b", "1", -1e9, 1e9, 0, "[]",
     "coefficients of the longitudinal force from b0 on, pac89 to b10, pac94 to b13, for kN, percent of slip and N"),
   .only = PAC},
  {VD_F_NUMBERS(vd_tyre_def, as.pac.c, "c", "1", -1e9, 1e9, 0, "[]",
     "coefficients of the aligning moment from c0 on, pac89 to c17, pac94 to c20, for kN, degrees and N m; none: no "
     "moment"), .only = PAC},
  {VD_F_CHOICE(vd_tyre_def, side, "side", vd_tyre_side_names, "auto", VD_TYRE_SIDE_HELP), .only = PAC},
  VD_TYRE_BODY_ROWS(VD_WHEN(VD_TYRE_PAC89)),
  VD_TYRE_BODY_ROWS(VD_WHEN(VD_TYRE_PAC94)),
  VD_TYRE_PROPERTY_ROWS(PAC),
};
/* clang-format on */

/* A rule for a single coefficient. If it is broken, the tyre has no force at small loads. */
typedef struct rule {
  char list;
  int at;
  enum { SHAPE, NOT_ZERO, ABOVE_ZERO } what;
  const char *must;
} rule;

static const rule rules[] = {
    {'a', 0, SHAPE, "above 0 and below 2"}, {'b', 0, SHAPE, "above 0 and below 2"}, {'a', 2, NOT_ZERO, "other than 0"},
    {'a', 3, NOT_ZERO, "other than 0"},     {'a', 4, NOT_ZERO, "other than 0"},     {'b', 2, ABOVE_ZERO, "above 0"},
    {'b', 4, ABOVE_ZERO, "above 0"},
};

/* Returns the first rule that is broken, or NULL. */
static const rule *broken(const double *a, const double *b) {
  for (size_t i = 0; i < VD_COUNT(rules); i++) {
    double value = (rules[i].list == 'a' ? a : b)[rules[i].at];
    bool good = rules[i].what == SHAPE      ? value > 0.0 && value < 2.0
                : rules[i].what == NOT_ZERO ? value != 0.0
                                            : value > 0.0;
    if (!good)
      return &rules[i];
  }
  return NULL;
}

/* ---- its property file ---- */

#define SIDE(name, i, need) VD_TIR_OWN_KEY("LATERAL_COEFFICIENTS", name, pac.a[i], 0, VD_TIR_##need, "a", VD_TIR_NONE)
#define ALONG(name, i, need)                                                                                           \
  VD_TIR_OWN_KEY("LONGITUDINAL_COEFFICIENTS", name, pac.b[i], 0, VD_TIR_##need, "b", VD_TIR_NONE)
#define ALIGN(name, i) VD_TIR_OWN_KEY("ALIGNING_COEFFICIENTS", name, pac.c[i], 0, VD_TIR_MAY, "c", VD_TIR_NONE)

/* ROLLING_RESISTANCE is a ratio: My = -ROLLING_RESISTANCE Fz R. Keys of both models come first, then the keys of 1994
 * alone. */
/* clang-format off */
static const vd_tir_key all_keys[] = {
  VD_TIR_BODY_KEYS(VD_TIR_NONE),
  VD_TIR_OWN_KEY("PARAMETER", "LATERAL_STIFFNESS", def.common.lateral_stiffness, NAN, VD_TIR_MAY,
    "lateral_stiffness", VD_TIR_FORCE_OVER_LENGTH),
  SIDE("A0", 0, MUST), SIDE("A1", 1, MUST), SIDE("A2", 2, MUST), SIDE("A3", 3, MUST), SIDE("A4", 4, MUST),
  SIDE("A5", 5, MAY), SIDE("A6", 6, MAY), SIDE("A7", 7, MAY), SIDE("A8", 8, MAY), SIDE("A9", 9, MAY),
  SIDE("A10", 10, MAY), SIDE("A11", 11, MAY), SIDE("A12", 12, MAY), SIDE("A13", 13, MAY),
  ALONG("B0", 0, MUST), ALONG("B1", 1, MUST), ALONG("B2", 2, MUST), ALONG("B3", 3, MUST), ALONG("B4", 4, MUST),
  ALONG("B5", 5, MAY), ALONG("B6", 6, MAY), ALONG("B7", 7, MAY), ALONG("B8", 8, MAY),
  ALONG("B9", 9, MAY), ALONG("B10", 10, MAY),
  ALIGN("C0", 0), ALIGN("C1", 1), ALIGN("C2", 2), ALIGN("C3", 3), ALIGN("C4", 4), ALIGN("C5", 5),
  ALIGN("C6", 6), ALIGN("C7", 7), ALIGN("C8", 8), ALIGN("C9", 9), ALIGN("C10", 10),
  ALIGN("C11", 11), ALIGN("C12", 12), ALIGN("C13", 13), ALIGN("C14", 14),
  ALIGN("C15", 15), ALIGN("C16", 16), ALIGN("C17", 17),
  SIDE("A14", 14, MAY), SIDE("A15", 15, MAY), SIDE("A16", 16, MAY), SIDE("A17", 17, MAY),
  ALONG("B11", 11, MAY), ALONG("B12", 12, MAY), ALONG("B13", 13, MAY),
  ALIGN("C18", 18), ALIGN("C19", 19), ALIGN("C20", 20),
};
/* clang-format on */

enum { ONLY_1994 = 10 };

/* Makes a list that ends with the last coefficient that is not 0, but has at least `least` entries. */
static vd_numbers list_of(const double *value, size_t count, size_t least, vd_arena *arena) {
  double *copy = vd_arena_alloc(arena, count * sizeof *copy);
  while (count > least && value[count - 1] == 0.0)
    count--;
  memcpy(copy, value, count * sizeof *copy);
  return (vd_numbers){copy, count};
}

/* Moves coefficients of 1989 to their indices of 1994. */
static void renumber(vd_pac_coefficients *k) {
  const vd_pac_coefficients old = *k;
  static const int a[][2] = {{8, 10}, {9, 8}, {10, 9}, {11, 14}, {12, 11}, {13, 12}};
  static const int c[][2] = {{11, 13}, {12, 11}, {13, 12}, {14, 16}, {15, 17}, {16, 14}, {17, 15}};
  k->a[13] = 0.0;
  for (size_t i = 0; i < VD_COUNT(a); i++)
    k->a[a[i][1]] = old.a[a[i][0]];
  for (size_t i = 0; i < VD_COUNT(c); i++)
    k->c[c[i][1]] = old.c[c[i][0]];
}

/* Indices of 1994 of coefficients that change their sign in the mirror image of a tyre, as in Adams/Tire: shifts
 * without camber, and the dependence of E on the sign of the slip. */
static const int sided_a[] = {8, 9, 11, 12, 17}, sided_c[] = {11, 12, 14, 15, 20};

static void turn(vd_pac_coefficients *k, double factor) {
  for (size_t i = 0; i < VD_COUNT(sided_a); i++)
    k->a[sided_a[i]] *= factor;
  for (size_t i = 0; i < VD_COUNT(sided_c); i++)
    k->c[sided_c[i]] *= factor;
}

static bool is_shifted(const vd_pac_coefficients *k) {
  bool any = false;
  for (size_t i = 0; i < VD_COUNT(sided_a); i++)
    any |= k->a[sided_a[i]] != 0.0;
  for (size_t i = 0; i < VD_COUNT(sided_c); i++)
    any |= k->c[sided_c[i]] != 0.0;
  return any;
}

static void take(vd_tir_reader *r, vd_tir_tyre *tyre, vd_arena *arena) {
  const vd_pac_coefficients *k = &tyre->pac;
  bool older = tyre->def.model == VD_TYRE_PAC89;
  tyre->def.common.rolling_resistance = tyre->resistance;
  tyre->def.as.pac = (vd_pac_def){list_of(k->a, older ? 14 : VD_PAC_LATERAL, 5, arena),
                                  list_of(k->b, older ? 11 : VD_PAC_LONGITUDINAL, 5, arena),
                                  list_of(k->c, older ? 18 : VD_PAC_ALIGNING, 0, arena)};
  vd_pac_coefficients ordered = *k;
  if (older)
    renumber(&ordered);
  if (is_shifted(&ordered))
    vd_tir_assume_side(r);
  const rule *bad = broken(k->a, k->b);
  if (bad) {
    const char key[] = {bad->list == 'a' ? 'A' : 'B', (char)('0' + bad->at), '\0'};
    if (vd_tir_is_given(r, key))
      vd_error(r->d, vd_tir_key_place(r, key), "%s must be %s", key, bad->must);
  }
}

static void fill(const vd_numbers *given, double factor, double *out) {
  for (size_t i = 0; i < given->count; i++)
    out[i] = i == 1 || i == 2 ? factor * given->value[i] : given->value[i];
}

/* Multiplies a1, a2, b1, b2, c1 and c2 by the friction of the tyre, because property files have no key for it. */
static void give(vd_tir_tyre *tyre) {
  const vd_pac_def *def = &tyre->def.as.pac;
  double friction = tyre->def.common.friction;
  fill(&def->a, friction, tyre->pac.a);
  fill(&def->b, friction, tyre->pac.b);
  fill(&def->c, friction, tyre->pac.c);
  tyre->resistance = tyre->def.common.rolling_resistance;
}

static const vd_tir_own
    file_89 = {.format = "PAC89", .key = all_keys, .keys = VD_COUNT(all_keys) - ONLY_1994, .take = take, .give = give},
    file_94 = {.format = "PAC94", .key = all_keys, .keys = VD_COUNT(all_keys), .take = take, .give = give};

static const vd_tir_own *file_of(const vd_tyre_def *def) {
  return def->model == VD_TYRE_PAC89 ? &file_89 : &file_94;
}

static bool pac_write_tir(const vd_tyre_def *def, vd_buf *out) {
  return vd_tir_own_write(file_of(def), def, out);
}

static void pac_complete(vd_tyre_def *def, const vd_tyre_def *like, const vd_tyre_origin *from) {
  vd_tir_own_complete(file_of(def), def, like, from);
}

static const double degree = VD_PI / 180.0, percent = 0.01, kilo = 1000.0;

/* --- curves of four tyres side by side --- */

/* A curve at one load and camber. b is the slope at zero divided by c d. */
typedef struct curves {
  vd_wide c, d, e, lean; /* lean: change of e with the sign of x */
  vd_wide slope, sh, sv, b;
} curves;

#define A(i) vd_wide_load(m->term[i])
#define B(i) vd_wide_load(m->term[VD_PAC_LATERAL + (i)])
#define C(i) vd_wide_load(m->term[VD_PAC_LATERAL + VD_PAC_LONGITUDINAL + (i)])

/* Computes B = BCD/(C D); it is 0 if C D is 0. */
VD_INLINE void divide_slope(curves *k) {
  vd_wide by = k->c * k->d;
  k->b = vd_wide_select(by != 0.0, k->slope / by, vd_wide_of(0.0));
}

VD_INLINE vd_wide exp_of(vd_wide x) {
  return vd_wide_exp(vd_wide_clamp(x, vd_wide_of(-700.0), vd_wide_of(700.0)));
}

/* Returns the curve of Fy. friction: factor on d; load: kN; camber: degrees, in the axes of the papers. sin(2 atan u) =
 * 2 u/(1 + u^2). */
VD_INLINE curves lateral(const vd_pac_four *m, vd_wide friction, vd_wide load, vd_wide camber) {
  vd_wide u = load * vd_wide_load(m->inverse_a4);
  curves k = {
      .c = A(0),
      .d = friction * (A(1) * load + A(2)) * load * (1.0 - A(15) * camber * camber),
      .slope = A(3) * (2.0 * u / (1.0 + u * u)) * (1.0 - A(5) * vd_wide_abs(camber)),
      .e = A(6) * load + A(7),
      .lean = A(16) * camber + A(17),
      .sh = A(8) * load + A(9) + A(10) * camber,
      .sv = A(11) * load + A(12) + (A(13) * load + A(14)) * load * camber,
  };
  divide_slope(&k);
  return k;
}

VD_INLINE curves longitudinal(const vd_pac_four *m, vd_wide friction, vd_wide load) {
  curves k = {
      .c = B(0),
      .d = friction * (B(1) * load + B(2)) * load,
      .slope = (B(3) * load + B(4)) * load * exp_of(-B(5) * load),
      .e = (B(6) * load + B(7)) * load + B(8),
      .lean = B(13),
      .sh = B(9) * load + B(10),
      .sv = B(11) * load + B(12),
  };
  divide_slope(&k);
  return k;
}

VD_INLINE curves aligning(const vd_pac_four *m, vd_wide friction, vd_wide load, vd_wide camber) {
  vd_wide size = vd_wide_abs(camber), over = 1.0 - C(10) * size, e = (C(7) * load + C(8)) * load + C(9);
  curves k = {
      .c = C(0),
      .d = friction * (C(1) * load + C(2)) * load * (1.0 - C(18) * camber * camber),
      .slope = (C(3) * load + C(4)) * load * (1.0 - C(6) * size) * exp_of(-C(5) * load),
      .e = m->curvature_over ? vd_wide_select(over > 0.0, e / over, e) : e * over,
      .lean = C(19) * camber + C(20),
      .sh = C(11) * load + C(12) + C(13) * camber,
      .sv = C(14) * load + C(15) + (C(16) * load + C(17)) * load * camber,
  };
  divide_slope(&k);
  return k;
}

VD_INLINE vd_wide curvature(const curves *k, vd_wide x) {
  vd_wide lean = vd_wide_select(x == 0.0, vd_wide_of(0.0), vd_wide_signed(k->lean, x));
  return vd_wide_min(k->e * (1.0 - lean), vd_wide_of(1.0));
}

/* Returns the value of a curve without Sv; x includes Sh. */
VD_INLINE vd_wide value(const curves *k, vd_wide x) {
  vd_wide bx = k->b * x, e = curvature(k, x);
  return k->d * vd_wide_sin(k->c * vd_wide_atan(bx - e * (bx - vd_wide_atan(bx))));
}

/* Returns the load for the curves, kN, limited to the highest load, beyond which they stay constant. */
VD_INLINE vd_wide used_load(const vd_pac_four *m, vd_wide load) {
  return vd_wide_min(load, vd_wide_load(m->highest_load)) / kilo;
}

static void pack_lane(const vd_pac *m, double friction, int lane, vd_pac_four *four) {
  const double *from = (const double *)&m->k;
  for (int k = 0; k < VD_PAC_TERMS; k++)
    four->term[k][lane] = from[k];
  four->inverse_a4[lane] = m->k.a[4] != 0.0 ? 1.0 / m->k.a[4] : 0.0;
  four->friction[lane] = friction;
  four->highest_load[lane] = m->highest_load;
  four->side[lane] = m->side;
  four->curvature_over = m->curvature_over;
}

static void pac_pack(vd_tyre_group *group) {
  for (int i = 0; i < VD_WHEELS; i++)
    pack_lane(&group->tyre[i]->as.pac, group->tyre[i]->common.friction, i, &group->lanes.pac);
}

/* Computes the curves of one upright tyre at one load, in all lanes. */
static void upright(const vd_pac *m, double friction, double load, curves *along, curves *across) {
  vd_pac_four four;
  for (int i = 0; i < VD_WHEELS; i++)
    pack_lane(m, 1.0, i, &four);
  vd_wide kn = used_load(&four, vd_wide_of(load)), f = vd_wide_of(friction);
  *along = longitudinal(&four, f, kn);
  *across = lateral(&four, f, kn, vd_wide_of(0.0));
}

static void pac_check(const vd_tyre_def *def, const vd_node *root, const char *path, vd_diag *d) {
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
      vd_error(d, vd_tree_place_in(root, path, "%s", all[i].key), "'%s' has %zu coefficients; %s has from %zu to %zu",
               all[i].key, count, older ? "pac89" : "pac94", all[i].least, most);
      return;
    }
  }
  const rule *bad = broken(def->as.pac.a.value, def->as.pac.b.value);
  if (bad) {
    const vd_numbers *list = bad->list == 'a' ? &def->as.pac.a : &def->as.pac.b;
    vd_error(d, vd_tree_place_in(root, path, bad->list == 'a' ? "a" : "b"), "%c%d (%g) must be %s", bad->list, bad->at,
             list->value[bad->at], bad->must);
  }
}

/* Returns the load at which a parabola p F^2 + q F has its maximum, N. */
static double top(double p, double q) {
  return p * q < 0.0 ? -0.5 * q / p * kilo : INFINITY;
}

static void pac_build(const vd_tyre_def *def, bool right, vd_tyre *tyre) {
  vd_pac *m = &tyre->as.pac;
  vd_pac_coefficients k = {.a = {0.0}};
  bool older = def->model == VD_TYRE_PAC89;
  fill(&def->as.pac.a, 1.0, k.a);
  fill(&def->as.pac.b, 1.0, k.b);
  fill(&def->as.pac.c, 1.0, k.c);
  if (older)
    renumber(&k);
  int side = def->side - 1; /* enum vd_mf_side; -1 (auto): the tyre is not mirrored */
  bool shifted = is_shifted(&k), other = side == (right ? VD_MF_LEFT : VD_MF_RIGHT);
  tyre->sided = shifted && (side == VD_MF_LEFT || side == VD_MF_RIGHT);
  if (side >= 0 && (other || side == VD_MF_SYMMETRIC))
    turn(&k, other ? -1.0 : 0.0);
  *m = (vd_pac){.k = k,
                .curvature_over = !older,
                .side = k.a[3] * k.a[4] > 0.0 ? 1.0 : -1.0,
                .highest_load = vd_min(top(k.a[1], k.a[2]), top(k.b[1], k.b[2]))};
}

static void pac_slide(const vd_tyre_group *group, const vd_contact *contact, vd_slides *row) {
  vd_slide *slide = row->each;
  for (int k = 0; k < group->count; k++) {
    int i = group->wheel[k];
    vd_slip_vector(contact->kappa[i], contact->tan_alpha[i], &slide[i]);
    slide[i].fx = contact->kappa[i];
    slide[i].fy = vd_atan(contact->tan_alpha[i]);
    slide[i].camber = contact->camber ? contact->camber[i] : 0.0;
  }
}

/* Returns the slip angle in degrees, with the sign that the coefficients use. */
VD_INLINE vd_wide slip_angle(const vd_pac_four *m, const vd_tyre_group *group, const vd_slide *slide) {
  return vd_wide_load(m->side) * VD_GROUP_SLIDES(group, slide, fy) / degree;
}

/* Returns |tan y| for y in degrees, which is limited to 89.9. */
VD_INLINE vd_wide tangent(vd_wide y) {
  vd_wide t, clamped = vd_wide_clamp(y, vd_wide_of(-89.9), vd_wide_of(89.9)) * degree;
  for (int i = 0; i < VD_WHEELS; i++)
    t[i] = fabs(vd_tan(clamped[i]));
  return t;
}

/* Computes the shares of both forces in combined slip from the secants of the curves, and at the origin from their
 * slopes. */
VD_INLINE void share(const curves *along, const curves *across, vd_wide x, vd_wide y, vd_wide ax, vd_wide ay,
                     vd_wide *share_x, vd_wide *share_y) {
  vd_wide p = vd_wide_abs(x) * percent, q = tangent(y);
  vd_wide secant_x = vd_wide_select(p > 1e-9, vd_wide_abs(ax) / p, vd_wide_abs(along->slope) / percent);
  vd_wide secant_y = vd_wide_select(q > 1e-9, vd_wide_abs(ay) / q, vd_wide_abs(across->slope) / degree);
  vd_wide rx = secant_x * q / vd_wide_abs(across->d), ry = secant_y * p / vd_wide_abs(along->d);
  *share_x = 1.0 / vd_wide_sqrt(1.0 + rx * rx);
  *share_y = 1.0 / vd_wide_sqrt(1.0 + ry * ry);
}

/* Computes the forces. They go to zero with the load, because the slopes of their curves do. */
static void pac_force(const vd_tyre_group *group, vd_slides *row, const double *ground_friction, const double *load,
                      vd_tyre_forces *out) {
  const vd_pac_four *m = &group->lanes.pac;
  vd_slide *slide = row->each;
  vd_wide friction = vd_wide_load(m->friction) * vd_group_load(group, ground_friction);
  vd_wide force = vd_group_load(group, load), kn = used_load(m, force), share_x, share_y;
  vd_wide camber = VD_GROUP_SLIDES(group, slide, camber) / degree;
  curves along = longitudinal(m, friction, kn), across = lateral(m, friction, kn, camber);
  vd_wide x = VD_GROUP_SLIDES(group, slide, fx) / percent + along.sh, y = slip_angle(m, group, slide) + across.sh;
  vd_wide ax = value(&along, x), ay = value(&across, y);
  share(&along, &across, x, y, ax, ay, &share_x, &share_y);
  vd_wide fx = (ax + along.sv) * share_x, fy = -(ay + across.sv) * share_y;
  for (int k = 0; k < group->count; k++) {
    int i = group->wheel[k];
    bool pressed = force[i] > 0.0 && friction[i] > 0.0;
    out->fx[i] = out->fy[i] = slide[i].share = 0.0;
    slide[i].friction = friction[i];
    if (!pressed)
      continue;
    slide[i].share = share_y[i];
    vd_turn_force(&slide[i], fx[i], fy[i], fabs(along.d[i]), fabs(across.d[i]), &out->fx[i], &out->fy[i]);
  }
}

static void pac_moments(const vd_tyre_group *group, const vd_slides *row, const double *load, const double *vx,
                        const double *fy, double *mz) {
  const vd_pac_four *m = &group->lanes.pac;
  const vd_slide *slide = row->each;
  (void)fy;
  vd_wide kn = used_load(m, vd_group_load(group, load)), camber = VD_GROUP_SLIDES(group, slide, camber) / degree;
  vd_wide part = VD_GROUP_SLIDES(group, slide, share);
  curves k = aligning(m, VD_GROUP_SLIDES(group, slide, friction), kn, camber);
  vd_wide moment = -part * (value(&k, slip_angle(m, group, slide) + k.sh) + k.sv);
  moment *= vd_wide_direction(vd_group_load(group, vx));
  vd_group_store(group, vd_wide_select(part > 0.0, moment, vd_wide_of(0.0)), mz);
}

/* Computes the slopes BCD of an upright tyre, which do not depend on the friction. */
static void pac_stiffnesses(const vd_tyre *tyre, double ground_friction, double load, double *slip, double *cornering) {
  const vd_pac *m = &tyre->as.pac;
  curves along, across;
  (void)ground_friction;
  upright(m, 1.0, load, &along, &across);
  *slip = along.slope[0] / percent;
  *cornering = m->side * across.slope[0] / degree;
}

static double peak_slip(const curves *k, double unit) {
  const vd_magic magic = {.b = fabs(k->b[0]), .c = k->c[0], .d = 1.0, .e = curvature(k, vd_wide_of(1.0))[0]};
  return vd_magic_peak(&magic) * unit;
}

/* Computes the peaks of an upright tyre, without the shifts. */
static void pac_peaks(const vd_tyre *tyre, double ground_friction, double load, double *mu, double *kappa,
                      double *alpha) {
  const vd_pac *m = &tyre->as.pac;
  const double least = 1.0; /* N: at a smaller load the peaks of this load are used */
  double used = vd_max(load, least);
  double friction = ground_friction * tyre->common.friction;
  if (!(friction > 0.0)) {
    *mu = *kappa = *alpha = 0.0;
    return;
  }
  curves along, across;
  upright(m, friction, used, &along, &across);
  *mu = vd_max(fabs(along.d[0]), fabs(across.d[0])) / used;
  *kappa = peak_slip(&along, percent);
  *alpha = peak_slip(&across, degree);
}

VD_WIDE const vd_tyre_variant vd_pac_variant = {
    .rows = {.field = rows, .count = VD_COUNT(rows)},
    .traits = {.file = true, .camber = true},
    .complete = pac_complete,
    .check = pac_check,
    .write_tir = pac_write_tir,
    .build = pac_build,
    .pack = pac_pack,
    .slide = pac_slide,
    .force = pac_force,
    .moments = pac_moments,
    .stiffnesses = pac_stiffnesses,
    /* each stiffness has one maximum, and the error of the maximum with so many loads is below a thousandth */
    .stiffness_loads = 64,
    .peaks = pac_peaks,
};
