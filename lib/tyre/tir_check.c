/* Checks a property file that has been read, and fills in what is missing. */
#include "tyre/tir_impl.h"

#include "base/elementary.h"
#include "base/system.h"

#include <math.h>
#include <string.h>

static vd_place whole(const vd_tir_reader *r) {
  return (vd_place){.source = r->source};
}

vd_place vd_tir_key_place(const vd_tir_reader *r, const char *name) {
  size_t i = vd_tir_index(r, name);
  return i < r->keys && r->given[i].length > 0 ? vd_tir_place(r, r->given[i]) : whole(r);
}

bool vd_tir_is_given(const vd_tir_reader *r, const char *name) {
  return vd_tir_key_place(r, name).line > 0;
}

static bool is_bad(const vd_tir_reader *r, const char *name) {
  size_t i = vd_tir_index(r, name);
  return i < r->keys && r->bad[i];
}

/* --- the version --- */

static unsigned version_of(double fittyp) {
  static const double old[] = {5, 6, 21, 51, 52};
  for (size_t i = 0; i < VD_COUNT(old); i++)
    if (fittyp == old[i])
      return VD_TIR_52;
  return fittyp == 60.0 || fittyp == 61.0 ? VD_TIR_61 : fittyp == 62.0 ? VD_TIR_62 : 0;
}

unsigned vd_tir_version(const vd_mf_def *def) {
  return version_of(def->fittyp);
}

/* Returns whether a key has an effect in the version of the file. A key that no version uses in forces (MASS) counts as
 * a key of all versions. */
bool vd_tir_has_effect(const vd_mf_def *def, const vd_tir_key *key) {
  return vd_mf_reads(def->fittyp, (enum vd_mf_format)def->format, key->offset) ||
         !(vd_mf_reads(6.0, VD_MF_TNO, key->offset) || vd_mf_reads(61.0, VD_MF_TNO, key->offset) ||
           vd_mf_reads(62.0, VD_MF_TNO, key->offset));
}

/* Values of PROPERTY_FILE_FORMAT. In Adams it names the tyre model. For MF-Tyre it concerns only the solver, and FITTYP
 * decides. fittyp: the value that it implies if FITTYP is missing; 0: none. */
static const struct format {
  const char *name;
  double fittyp;
  bool adams;
} formats[] = {{"PAC2002", 6.0, true},  {"MF_05", 5.0, false},     {"MF-05", 5.0, false},    {"MF_52", 51.0, false},
               {"MF_61", 61.0, false},  {"MF_62", 62.0, false},    {"USER", 0.0, false},     {"MF-TYRE", 0.0, false},
               {"MF_TYRE", 0.0, false}, {"MFTYRE", 0.0, false},    {"MF-SWIFT", 0.0, false}, {"MF_SWIFT", 0.0, false},
               {"DELFT", 0.0, false},   {"DELFT_TYRE", 0.0, false}};

/* Reads the format of the file; false after an error. */
static bool read_format(vd_tir_reader *r, const struct format **format) {
  *format = NULL;
  if (r->format.length == 0)
    return true;
  for (size_t i = 0; i < VD_COUNT(formats) && !*format; i++)
    if (vd_tir_named(r, r->format, formats[i].name))
      *format = &formats[i];
  if (!*format)
    vd_error(r->d, vd_tir_place(r, r->format),
             "the file is for another tyre model, '%s'; model mf reads PAC2002, MF_05, and MF-Tyre by its FITTYP%s",
             vd_tir_excerpt_of(r, r->format).text,
             vd_tir_named(r, r->format, "FIALA")   ? "; model fiala reads this file"
             : vd_tir_named(r, r->format, "PAC89") ? "; model pac89 reads this file"
             : vd_tir_named(r, r->format, "PAC94") ? "; model pac94 reads this file"
                                                   : "");
  return *format;
}

/* Determines the version, on which all other checks depend. 0 after an error. */
static unsigned read_version(vd_tir_reader *r) {
  const struct format *format;
  vd_mf_def *def = r->def;
  bool given = vd_tir_is_given(r, "FITTYP");
  if (!read_format(r, &format) || is_bad(r, "FITTYP"))
    return 0;
  if (format && format->adams)
    def->format = VD_MF_PAC2002;
  bool other = given && format && format->adams && version_of(def->fittyp) != VD_TIR_52;
  if (other)
    vd_tir_assume(r, vd_tir_key_place(r, "FITTYP"), "PAC2002 in spite of FITTYP = %g", def->fittyp);
  if (format && format->fittyp > 0.0 && (!given || other))
    def->fittyp = format->fittyp;
  else if (!given) {
    vd_error(r->d, whole(r), "no FITTYP, and no PROPERTY_FILE_FORMAT that determines the version of the Magic Formula");
    return 0;
  }
  if (def->fittyp == 52.0) { /* 52 is not defined by any tool */
    vd_tir_assume(r, vd_tir_key_place(r, "FITTYP"), "MF 5.2 (FITTYP = 52)");
    def->fittyp = 51.0;
  }
  unsigned version = version_of(def->fittyp);
  if (version == 0)
    vd_error(r->d, vd_tir_key_place(r, "FITTYP"),
             "this FITTYP is not supported; known are 5, 6, 21, 51, 52 (MF 5.2), 60, 61 (MF 6.1) and 62 (MF 6.2)");
  return version;
}

/* --- defaults for missing keys --- */

static bool needed(const vd_mf_def *def, enum vd_tir_need need) {
  int digit = (int)fmod(fabs(def->use_mode), 10.0);
  switch (need) {
  case VD_TIR_MAY: return false;
  case VD_TIR_MUST: return true;
  case VD_TIR_MUST_X: return digit != 0 && digit != 2;
  case VD_TIR_MUST_Y: return digit != 0 && digit != 1;
  }
  return false;
}

/* Reports that a key is missing. */
static void report_missing(const vd_tir_reader *r, size_t i) {
  const vd_tir_key *k = &r->key[i];
  if (r->blank[i].length > 0)
    vd_error(r->d, vd_tir_place(r, r->blank[i]), "no value for %s, and no source gives a default", k->key);
  else
    vd_error(r->d, whole(r), "no %s in [%s], and no source gives a default", k->key, k->section);
}

/* Shape factors that a file may leave out: C of the tyre in the first publication, constant over load and camber. Peaks
 * and slopes have no such typical values. */
static const char shapes_source[] = "Bakker, Nyborg and Pacejka, SAE 870421";
static const struct {
  const char *key;
  double value;
} shapes[] = {{"PCX1", 1.65}, {"PCY1", 1.3}, {"B0", 1.65}, {"A0", 1.3}};

/* Assumes a typical value if the missing key is a shape factor. Returns whether it is one. */
static bool assume_shape(vd_tir_reader *r, size_t i) {
  const vd_tir_key *k = &r->key[i];
  for (size_t s = 0; s < VD_COUNT(shapes); s++)
    if (strcmp(k->key, shapes[s].key) == 0) {
      *vd_tir_member(r->figures, k) = shapes[s].value;
      vd_tir_assume(r, r->blank[i].length > 0 ? vd_tir_place(r, r->blank[i]) : whole(r), "%s = %g (%s)", k->key,
                    shapes[s].value, shapes_source);
      return true;
    }
  return false;
}

void vd_tir_check_keys(vd_tir_reader *r, bool (*lacks)(const vd_tir_reader *r, const vd_tir_key *key)) {
  for (size_t i = 0; i < r->keys; i++) {
    if (r->given[i].length > 0)
      continue;
    if (lacks(r, &r->key[i])) {
      if (!assume_shape(r, i))
        report_missing(r, i);
    } else if (r->blank[i].length > 0) {
      vd_tir_assume(r, vd_tir_place(r, r->blank[i]), "%s = %g (blank)", r->key[i].key, r->key[i].value);
    }
  }
}

/* Returns whether a key is missing that must be given. FITTYP may follow from the format. */
static bool lacks(const vd_tir_reader *r, const vd_tir_key *key) {
  return needed(r->def, key->need) && strcmp(key->key, "FITTYP") != 0;
}

static void check_effects(const vd_tir_reader *r) {
  for (size_t i = 0; i < r->keys; i++) {
    const vd_tir_key *k = &r->key[i];
    if (r->given[i].length > 0 && !vd_tir_has_effect(r->def, k) && vd_tir_value(r->def, k) != k->value)
      vd_warning(r->d, vd_tir_place(r, r->given[i]), "%s has no effect with this FITTYP", k->key);
  }
}

void vd_tir_assume_side(vd_tir_reader *r) {
  bool unknown = vd_tir_named(r, r->side, "UNKNOWN");
  if (!r->side_known && (r->side.length == 0 || unknown))
    vd_tir_assume(r, unknown ? vd_tir_place(r, r->side) : whole(r), "TYRESIDE = 'LEFT' (%s)",
                  unknown ? "it is UNKNOWN" : "not given");
}

/* Fills in values that every tyre needs and the file does not give. */
static void fill(vd_tir_reader *r) {
  vd_mf_def *f = r->def;
  if (!vd_tir_is_given(r, "USE_MODE"))
    vd_tir_assume(r, whole(r), "USE_MODE = %g", f->use_mode);
  if (!vd_tir_is_given(r, "LONGVL"))
    vd_tir_assume(r, whole(r), "LONGVL = %g m/s", f->longvl);
  if (!vd_tir_is_given(r, "QSY7") && f->format == VD_MF_PAC2002)
    f->qsy7 = 0.0;
  if (!vd_tir_is_given(r, "INFLPRES")) {
    f->inflpres = f->nompres;
    if (vd_tir_is_given(r, "NOMPRES"))
      vd_tir_assume(r, whole(r), "INFLPRES = NOMPRES");
  }
  if (vd_tir_is_given(r, "VERTICAL_STIFFNESS") || f->q_fz1 > 0.0)
    return;
  if (f->load_curve.count > 0) {
    vd_curve curve;
    vd_load_curve_build(vd_mf_points_list(&f->load_curve), &curve);
    f->vertical_stiffness = vd_load_curve_at(&curve, vd_load_curve_deflection(&curve, f->fnomin)).slope;
  } else {
    f->vertical_stiffness = f->fnomin / 0.02;
    vd_tir_assume(r, whole(r), "VERTICAL_STIFFNESS = FNOMIN/20 mm");
  }
}

/* --- signs --- */

static void turn(vd_tir_reader *r, const char *const *names, size_t count) {
  for (size_t k = 0; k < count; k++) {
    double *value = vd_tir_member(r->def, &r->key[vd_tir_index(r, names[k])]);
    if (*value != 0.0)
      *value = -*value;
  }
}

/* The curve D sin(C atan(B x - E (B x - atan B x))) is odd in B, and B is K/(C D), so the curve does not change if D
 * changes its sign. Old fits have D < 0 where the force is negative. The sign of D also appears in SVyk, which is
 * proportional to mu_y, and the sign of B in Br. */
static const char *const peak_signs[] = {"PDY1", "PDY2", "RVY1", "RVY2", "RVY3", "QBZ10"};

/* Pacejka's book has adapted SAE axes: y to the right, z down, and a slip angle with our sign, so that side forces have
 * the opposite sign. In our axes Fy, My and Mz change their sign, but alpha, gamma, Fx and Mx do not. Therefore the
 * coefficients of three groups change their sign: in Kya, SVy, SVyk and Kyg0, in which Fy is odd; in the terms of Mx
 * with Fy; and, as Mz contains -t Fy, in Dr and s except the term with Fy. */
static const char *const book_signs[] = {"PKY1",  "PKY6",  "PKY7",  "PVY1",   "PVY2",   "PVY3",  "PVY4",
                                         "RVY1",  "RVY2",  "RVY3",  "QDZ6",   "QDZ7",   "QDZ8",  "QDZ9",
                                         "QDZ10", "QDZ11", "SSZ1",  "SSZ3",   "SSZ4",   "QSX3",  "QSX9",
                                         "QSX13", "QSX14", "QBZ10", "Q_FYS1", "Q_FYS2", "Q_FYS3"};

static void settle_signs(vd_tir_reader *r) {
  vd_mf_def *f = r->def;
  if (!needed(f, VD_TIR_MUST_Y))
    return;
  if (f->pdy1 < 0.0) {
    vd_place at = vd_tir_key_place(r, "PDY1");
    turn(r, peak_signs, VD_COUNT(peak_signs));
    vd_tir_assume(r, at, "PDY1 < 0 as a convention of sign, the same forces with PDY1 > 0");
  }
  if (f->pky1 > 0.0) {
    vd_place at = vd_tir_key_place(r, "PKY1");
    turn(r, book_signs, VD_COUNT(book_signs));
    vd_tir_assume(r, at, "adapted SAE axes (PKY1 > 0), turned to ISO-W");
  }
}

/* Conditions on the sign of given values. Coefficients of the formulas are judged only if USE_MODE selects their
 * force. */
enum sign { ABOVE_0, FROM_0, NOT_0 };

/* clang-format off */
static const struct {
  const char *key;
  enum sign sign;
} signs[] = {
  {"UNLOADED_RADIUS", ABOVE_0}, {"FNOMIN", ABOVE_0}, {"LONGVL", ABOVE_0}, {"VXLOW", FROM_0},
  {"NOMPRES", ABOVE_0}, {"INFLPRES", ABOVE_0}, {"VERTICAL_STIFFNESS", ABOVE_0}, {"VERTICAL_DAMPING", FROM_0},
  {"Q_RE0", ABOVE_0}, {"LONGITUDINAL_STIFFNESS", FROM_0}, {"LATERAL_STIFFNESS", FROM_0}, {"BOTTOM_STIFF", FROM_0},
  {"LFZO", ABOVE_0}, {"LMUX", FROM_0}, {"LMUY", FROM_0}, {"LMUV", FROM_0},
  {"LCX", ABOVE_0}, {"LCY", ABOVE_0}, {"LKX", FROM_0}, {"LKY", FROM_0},
  {"PCX1", ABOVE_0}, {"PDX1", ABOVE_0}, {"PKX1", ABOVE_0},
  {"PCY1", ABOVE_0}, {"PDY1", NOT_0}, {"PKY1", NOT_0}, {"PKY2", ABOVE_0},
};
/* clang-format on */

static void check_signs(const vd_tir_reader *r) {
  static const char *const says[] = {"above 0", "0 or more", "a number other than 0"};
  for (size_t i = 0; i < VD_COUNT(signs); i++) {
    const vd_tir_key *key = &r->key[vd_tir_index(r, signs[i].key)];
    double value = vd_tir_value(r->def, key);
    bool judged = key->need == VD_TIR_MAY || needed(r->def, key->need);
    bool good = signs[i].sign == FROM_0 ? value >= 0.0 : value > 0.0 || (signs[i].sign == NOT_0 && value < 0.0);
    if (judged && !good && vd_tir_is_given(r, key->key) && !is_bad(r, key->key))
      vd_error(r->d, vd_tir_key_place(r, key->key), "%s must be %s", key->key, says[signs[i].sign]);
  }
}

/* --- ranges --- */

/* Checks a range. One of slip or angle must contain zero; one of load or pressure must not be negative. */
static void check_range(const vd_tir_reader *r, const char *min_key, double least, const char *max_key, double most,
                        bool has_zero) {
  if (least >= most) {
    const char *key = vd_tir_is_given(r, max_key) ? max_key : min_key;
    vd_error(r->d, vd_tir_key_place(r, key), "the range is empty: %s must be below %s", min_key, max_key);
  } else if (has_zero && least > 0.0) {
    vd_error(r->d, vd_tir_key_place(r, min_key), "%s must be 0 or less", min_key);
  } else if (has_zero && most < 0.0) {
    vd_error(r->d, vd_tir_key_place(r, max_key), "%s must be 0 or more", max_key);
  } else if (!has_zero && least < 0.0) {
    vd_error(r->d, vd_tir_key_place(r, min_key), "%s must be 0 or more", min_key);
  }
}

/* Checks a shape factor C. It is between 1 and 2 for a curve with a peak; with C above 3 a force would change its sign
 * at large slip. */
static void check_shape(const vd_tir_reader *r, const char *key, double value) {
  if (fabs(value) > 3.0)
    vd_error(r->d, vd_tir_key_place(r, key), "%s must be at most 3, its scaling factor included", key);
}

static void check_values(const vd_tir_reader *r) {
  const vd_mf_def *f = r->def;
  double mode = fabs(f->use_mode), slope = f->vertical_stiffness * f->unloaded_radius / f->fnomin;
  if (mode != floor(mode) || mode > 999.0 || fmod(mode, 10.0) > 5.0)
    vd_error(r->d, vd_tir_key_place(r, "USE_MODE"),
             "USE_MODE must be a whole number of up to three digits, negative to mirror, the last digit 0 to 5");
  check_signs(r);
  check_range(r, "KPUMIN", f->kpumin, "KPUMAX", f->kpumax, true);
  check_range(r, "ALPMIN", f->alpmin, "ALPMAX", f->alpmax, true);
  check_range(r, "CAMMIN", f->cammin, "CAMMAX", f->cammax, true);
  check_range(r, "FZMIN", f->fzmin, "FZMAX", f->fzmax, false);
  check_range(r, "PRESMIN", f->presmin, "PRESMAX", f->presmax, false);
  check_shape(r, "PCX1", f->pcx1 * f->lcx);
  check_shape(r, "PCY1", f->pcy1 * f->lcy);
  check_shape(r, "RCX1", f->rcx1);
  check_shape(r, "RCY1", f->rcy1);
  check_shape(r, "QCZ1", f->qcz1);
  if (f->rim_radius >= f->unloaded_radius && f->unloaded_radius > 0.0)
    vd_error(r->d, vd_tir_key_place(r, "RIM_RADIUS"), "RIM_RADIUS must be below UNLOADED_RADIUS");
  if (f->q_fz1 <= 0.0 && slope * slope < 4.0 * f->q_fz2 && f->load_curve.count == 0)
    vd_warning(r->d, vd_tir_key_place(r, "Q_FZ2"),
               "Q_FZ2 requires more stiffness at FNOMIN than VERTICAL_STIFFNESS; the tyre is soft at small loads");
}

void vd_tir_check_curve(vd_tir_reader *r) {
  vd_mf_points *c = r->curve;
  vd_place at = vd_tir_place(r, r->curve_at);
  const char *problem = NULL;
  if (c->count == 0)
    return;
  double *xy = c->xy;
  if (xy[0] < 0.0 || xy[1] < 0.0 || (xy[0] == 0.0 && xy[1] > 0.0))
    problem = "must begin at a deflection of 0 and a load of 0";
  for (const double *p = xy; p < xy + 2 * (c->count - 1); p += 2)
    if (!(p[2] > p[0]) || !(p[3] > p[1] || (p[3] == 0.0 && p[1] == 0.0)))
      problem = "must rise in deflection and in load from point to point";
  const double *last = xy + 2 * (c->count - 1);
  if (!problem && !(last[1] > 0.0 && isfinite(last[1] + last[0])))
    problem = "must end at a load above 0";
  if (!problem && xy[0] > 0.0) {
    if (c->count == VD_MF_CURVE) {
      vd_error(r->d, at, "a load curve has at most %d points", VD_MF_CURVE - 1);
      return;
    }
    memmove(xy + 2, xy, 2 * c->count++ * sizeof *xy);
    xy[0] = xy[1] = 0.0;
    vd_tir_assume(r, at, "zero load at zero deflection (the load curve begins later)");
  } else if (!problem && c->count < 2) {
    problem = "must have two points or more";
  }
  if (!problem)
    return;
  vd_error(r->d, at, "a load curve %s", problem);
  c->count = 0;
}

/* Multiplies coefficients by the factors LCZ, LIP and LKG of the file. */
static void apply_scales(vd_tir_reader *r) {
  vd_mf_def *f = r->def;
  double stiffness = r->scale[VD_TIR_LCZ], camber = r->scale[VD_TIR_LKG];
  f->inflpres *= r->scale[VD_TIR_LIP];
  /* Q_FZ1 must be found before the stiffness from which it follows is scaled */
  if (stiffness != 1.0 && f->q_fz1 <= 0.0 && f->q_fz2 != 0.0) {
    double slope = f->vertical_stiffness * f->unloaded_radius / f->fnomin;
    f->q_fz1 = sqrt(vd_max(slope * slope - 4.0 * f->q_fz2, 0.0));
  }
  f->vertical_stiffness *= stiffness;
  f->q_fz1 *= stiffness;
  f->q_fz2 *= stiffness;
  f->q_fz3 *= stiffness;
  for (size_t i = 0; i < f->load_curve.count; i++)
    f->load_curve.xy[2 * i + 1] *= stiffness;
  f->phy3 *= camber;
  f->pvy3 *= camber;
  f->pvy4 *= camber;
}

static void complete(vd_tir_reader *r) {
  size_t before = vd_diag_errors(r->d);
  unsigned version = read_version(r);
  if (version == 0)
    return;
  vd_tir_check_curve(r);
  vd_tir_check_keys(r, lacks);
  check_effects(r);
  vd_tir_assume_side(r);
  fill(r);
  settle_signs(r);
  check_values(r);
  const vd_tir_basis basis = {r->def->unloaded_radius, r->def->fnomin, r->def->vertical_stiffness};
  if (vd_diag_errors(r->d) == before && r->errors == 0)
    vd_tir_judge(r, &basis);
  if (vd_diag_errors(r->d) == before)
    apply_scales(r);
}

static const char *name(const vd_tir_reader *r) {
  if (r->def->format == VD_MF_PAC2002)
    return "PAC2002";
  unsigned version = vd_tir_version(r->def);
  return version == VD_TIR_62 ? "MF-Tyre 6.2" : version == VD_TIR_61 ? "MF-Tyre 6.1" : "MF-Tyre 5.2";
}

const vd_tir_kind vd_tir_mf = {.aliases = vd_tir_aliases, .scales = true, .complete = complete, .name = name};
