#include "tyre/tir_plausible.h"

#include "base/memory.h"
#include "base/num.h"
#include "input/file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
  MAX_BYTES = 4 << 20,
  MAX_ERRORS = 20, /* of lines; then reading stops */
  MAX_KEYS = 256,
  MAX_UNKNOWN = 64, /* different unknown keys that are told apart */
  SHOWN = 40,       /* bytes of the text that a message repeats */
};

/* A piece of the text. */
typedef struct span {
  size_t at, length;
} span;

enum { UNIT_LENGTH, UNIT_FORCE, UNIT_ANGLE, UNIT_MASS, UNIT_TIME, UNITS };

/* A unit as a fraction of exact numbers, as in units.h. */
typedef struct unit {
  const char *name;
  double numerator, denominator;
} unit;

typedef struct reader {
  vd_diag *d;
  int source;
  const char *text;
  size_t length;
  size_t errors;
  vd_mf_def *def;
  const vd_tir_key *key;
  size_t keys;
  span given[MAX_KEYS]; /* the values; length 0: not given */
  bool bad[MAX_KEYS];   /* said to be; not to be judged again */
  span side;            /* of TYRESIDE */
  span unit_text[UNITS];
  const unit *unit[UNITS];
  span unknown[MAX_UNKNOWN];
  size_t unknowns;
  span section;
  bool in_units, in_table, in_header;
} reader;

/* ---- Units ----------------------------------------------------------------------------------- */

static const char *const unit_keys[UNITS] = {"LENGTH", "FORCE", "ANGLE", "MASS", "TIME"};

static const unit lengths[] = {{"meter", 1, 1},         {"metre", 1, 1},         {"m", 1, 1},
                               {"millimeter", 1, 1000}, {"millimetre", 1, 1000}, {"mm", 1, 1000},
                               {"cm", 1, 100},          {"centimeter", 1, 100},  {"km", 1000, 1},
                               {"kilometer", 1000, 1},  {"inch", 127, 5000},     {"in", 127, 5000},
                               {"foot", 381, 1250},     {"ft", 381, 1250},       {NULL, 0, 0}};
static const unit forces[] = {{"newton", 1, 1},
                              {"n", 1, 1},
                              {"kilonewton", 1000, 1},
                              {"knewton", 1000, 1},
                              {"kn", 1000, 1},
                              {"pound_force", 4.4482216152605, 1},
                              {"lbf", 4.4482216152605, 1},
                              {"kilogram_force", 9.80665, 1},
                              {"kg_force", 9.80665, 1},
                              {"kgf", 9.80665, 1},
                              {NULL, 0, 0}};
static const unit angles[] = {{"radians", 1, 1},      {"radian", 1, 1},    {"rad", 1, 1}, {"degrees", VD_PI, 180},
                              {"degree", VD_PI, 180}, {"deg", VD_PI, 180}, {NULL, 0, 0}};
static const unit masses[] = {{"kg", 1, 1},
                              {"kilogram", 1, 1},
                              {"g", 1, 1000},
                              {"gram", 1, 1000},
                              {"lbm", 0.45359237, 1},
                              {"pound", 0.45359237, 1},
                              {"pound_mass", 0.45359237, 1},
                              {NULL, 0, 0}};
static const unit times[] = {{"second", 1, 1},         {"seconds", 1, 1}, {"sec", 1, 1},     {"s", 1, 1},
                             {"millisecond", 1, 1000}, {"ms", 1, 1000},   {"minute", 60, 1}, {"min", 60, 1},
                             {"hour", 3600, 1},        {"h", 3600, 1},    {NULL, 0, 0}};
static const unit *const units[UNITS] = {lengths, forces, angles, masses, times};

/* ---- What real files carry besides ----------------------------------------------------------- */

/* Keys that say nothing about the steady state: solver, contact with short obstacles, rigid ring, turn slip. A star
 * stands for any ending. */
static const char *const silent_keys[] = {
    "PROPERTY_FILE_FORMAT",
    "FUNCTION_NAME",
    "USER_SUB_ID",
    "N_TIRE_STATES",
    "HMAX_LOCAL",
    "TIME_SWITCH_INTEG",
    "ROAD_*",
    "PLUS",
    "CONTACT_MODEL",
    "BELT_*",
    "MBELT",
    "GRAVITY",
    "IZZ",
    "MC_CONTOUR_*",
    "YAW_STIFFNESS",
    "FREQ_*",
    "DAMP_*",
    "Q_BVX",
    "Q_BVT",
    "PCMZ1",
    "ELLIPS_*",
    "ENV_*",
    "LMP",
    "LGYR",
    "LIP",
    "QTZ1",
    "PDXP*",
    "PKYP*",
    "PDYP*",
    "PHYP*",
    "PECP*",
    "QDTP*",
    "QCRP*",
    "QBRP*",
    "QDRP*",
};
/* Sections of nothing else. */
static const char *const silent_sections[] = {"MDI_HEADER", "SHAPE", "CONTACT_PATCH", "TURNSLIP_COEFFICIENTS",
                                              "THERMAL*"};

static bool named(const reader *r, span s, const char *pattern) {
  size_t length = strlen(pattern);
  if (length > 0 && pattern[length - 1] == '*')
    return s.length >= length - 1 && strncasecmp(r->text + s.at, pattern, length - 1) == 0;
  return s.length == length && strncasecmp(r->text + s.at, pattern, length) == 0;
}

static bool listed(const reader *r, span s, const char *const *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (named(r, s, list[i]))
      return true;
  return false;
}

static bool is_silent(const reader *r, span key) {
  return listed(r, key, silent_keys, VD_COUNT(silent_keys)) ||
         listed(r, r->section, silent_sections, VD_COUNT(silent_sections));
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

static bool is_comment(char c) {
  return c == '$' || c == '!';
}

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static vd_place place_of(const reader *r, span s) {
  return vd_diag_place(r->d, r->source, s.at, s.length > 0 ? s.length : 1);
}

typedef struct shown_text {
  char text[SHOWN + 4];
} shown_text;

/* A piece as a message can repeat it: short, printable. */
static shown_text shown(const reader *r, span s) {
  shown_text out = {{0}};
  size_t length = s.length < SHOWN ? s.length : SHOWN;
  for (size_t i = 0; i < length; i++) {
    char c = r->text[s.at + i];
    out.text[i] = c >= ' ' && c < 0x7f ? c : '?';
  }
  if (s.length > SHOWN)
    memcpy(out.text + length, "...", 3);
  return out;
}

static size_t skip_blanks(const reader *r, size_t at, size_t end) {
  while (at < end && is_blank(r->text[at]))
    at++;
  return at;
}

/* Whether nothing but a comment follows; else says so. */
static bool ends_here(reader *r, size_t at, size_t end, const char *after) {
  at = skip_blanks(r, at, end);
  if (at == end || is_comment(r->text[at]))
    return true;
  span rest = {at, end - at};
  vd_error(r->d, place_of(r, rest), "text after %s; a comment begins with '$' or '!'", after);
  r->errors++;
  return false;
}

static void on_section(reader *r, size_t at, size_t end) {
  const char *close = memchr(r->text + at, ']', end - at);
  if (!close) {
    vd_error(r->d, place_of(r, (span){at, end - at}), "section is not closed by ']'");
    r->errors++;
    return;
  }
  size_t stop = (size_t)(close - r->text);
  r->section = (span){skip_blanks(r, at + 1, stop), 0};
  r->section.length = stop - r->section.at;
  while (r->section.length > 0 && is_blank(r->text[r->section.at + r->section.length - 1]))
    r->section.length--;
  r->in_units = named(r, r->section, "UNITS");
  r->in_header = named(r, r->section, "MDI_HEADER");
  r->in_table = false;
  ends_here(r, stop + 1, end, "a section");
}

/* The value at `at`; quotes are left out. False after an error. */
static bool read_value(reader *r, span key, size_t at, size_t end, span *value, bool *quoted) {
  *quoted = at < end && (r->text[at] == '\'' || r->text[at] == '"');
  size_t stop = at;
  if (*quoted) {
    const char *close = memchr(r->text + at + 1, r->text[at], end - at - 1);
    if (!close) {
      vd_error(r->d, place_of(r, (span){at, end - at}), "quotation mark is not closed");
      r->errors++;
      return false;
    }
    stop = (size_t)(close - r->text);
    *value = (span){at + 1, stop - at - 1};
    return ends_here(r, stop + 1, end, "a value");
  }
  while (stop < end && !is_blank(r->text[stop]) && !is_comment(r->text[stop]))
    stop++;
  *value = (span){at, stop - at};
  if (stop == at) {
    vd_error(r->d, place_of(r, key), "no value for '%s'", shown(r, key).text);
    r->errors++;
    return false;
  }
  return ends_here(r, stop, end, "a value");
}

/* Notes where a value stands; false if there is one already. */
static bool note_value(reader *r, span key, span value, span *given) {
  if (given->length > 0) {
    vd_error(r->d, place_of(r, key), "'%s' stands here a second time", shown(r, key).text);
    vd_note(r->d, place_of(r, *given), "the first is here");
    r->errors++;
    return false;
  }
  *given = value;
  return true;
}

static void on_unit(reader *r, span key, span value) {
  int kind = 0;
  while (kind < UNITS && !named(r, key, unit_keys[kind]))
    kind++;
  if (kind == UNITS) {
    vd_warning(r->d, place_of(r, key), "unknown key '%s' in [UNITS]; known are LENGTH, FORCE, ANGLE, MASS, TIME",
               shown(r, key).text);
    return;
  }
  if (!note_value(r, key, value, &r->unit_text[kind]))
    return;
  const unit *u = units[kind];
  while (u->name && !named(r, value, u->name))
    u++;
  if (u->name) {
    r->unit[kind] = u;
    return;
  }
  vd_buf known = {0};
  for (u = units[kind]; u->name; u++)
    vd_buf_printf(&known, "%s%s", u == units[kind] ? "" : ", ", u->name);
  vd_error(r->d, place_of(r, value), "'%s' is no unit of %s; known are %s", shown(r, value).text, unit_keys[kind],
           known.text);
  vd_buf_finish(&known);
  r->errors++;
}

static void on_side(reader *r, span key, span value) {
  if (!note_value(r, key, value, &r->side))
    return;
  if (named(r, value, "LEFT"))
    r->def->side = VD_MF_LEFT;
  else if (named(r, value, "RIGHT"))
    r->def->side = VD_MF_RIGHT;
  else if (named(r, value, "SYMMETRIC"))
    r->def->side = VD_MF_SYMMETRIC;
  else {
    vd_error(r->d, place_of(r, value), "TYRESIDE is '%s'; it can be LEFT, RIGHT or SYMMETRIC", shown(r, value).text);
    r->errors++;
  }
}

static double *member(vd_mf_def *def, const vd_tir_key *key) {
  return (double *)(void *)((char *)def + key->offset);
}

static double member_value(const vd_mf_def *def, const vd_tir_key *key) {
  return *(const double *)(const void *)((const char *)def + key->offset);
}

static void on_number(reader *r, size_t index, span key, span value, bool quoted) {
  double number = 0.0;
  size_t used = 0;
  if (!note_value(r, key, value, &r->given[index]))
    return;
  bool ok = vd_num_parse(r->text + value.at, value.length, &number, &used);
  bool whole = used == value.length;
  if (ok && whole && !quoted) {
    *member(r->def, &r->key[index]) = number;
    return;
  }
  r->bad[index] = true;
  r->errors++;
  const char *problem = quoted         ? "'%s' is in quotes, but %s is a number"
                        : whole && !ok ? "'%s' is too large for a number, in %s"
                                       : "'%s' is not a number, in %s";
  vd_error(r->d, place_of(r, value), problem, shown(r, value).text, r->key[index].key);
}

static void on_unknown(reader *r, span key) {
  for (size_t i = 0; i < r->unknowns; i++)
    if (r->unknown[i].length == key.length &&
        strncasecmp(r->text + r->unknown[i].at, r->text + key.at, key.length) == 0)
      return;
  if (r->unknowns == MAX_UNKNOWN)
    return;
  r->unknown[r->unknowns++] = key;
  const char *names[MAX_KEYS];
  for (size_t i = 0; i < r->keys; i++)
    names[i] = r->key[i].key;
  shown_text word = shown(r, key);
  const char *meant = vd_suggest(word.text, names, r->keys);
  vd_warning(r->d, place_of(r, key), "unknown key '%s' is not used%s%s%s", word.text, meant ? "; did you mean '" : "",
             meant ? meant : "", meant ? "'?" : "");
}

static void on_key(reader *r, span key, size_t at, size_t end) {
  span value;
  bool quoted;
  size_t index = 0;
  while (index < r->keys && !named(r, key, r->key[index].key))
    index++;
  bool side = named(r, key, "TYRESIDE");
  if (!r->in_units && index == r->keys && !side) {
    if (!is_silent(r, key))
      on_unknown(r, key);
    return;
  }
  if (!read_value(r, key, at, end, &value, &quoted))
    return;
  if (value.length == 0) {
    vd_error(r->d, place_of(r, key), "no value for '%s'", shown(r, key).text);
    r->errors++;
  } else if (r->in_units)
    on_unit(r, key, value);
  else if (side)
    on_side(r, key, value);
  else
    on_number(r, index, key, value, quoted);
}

/* One line, without its break. */
static void on_line(reader *r, size_t at, size_t end) {
  while (end > at && (is_blank(r->text[end - 1]) || r->text[end - 1] == '\r'))
    end--;
  at = skip_blanks(r, at, end);
  if (at == end || is_comment(r->text[at]))
    return;
  if (r->text[at] == '[') {
    on_section(r, at, end);
    return;
  }
  if (r->in_header)
    return;
  if (r->text[at] == '{' || r->text[at] == '(') { /* (COMMENTS) heads a table too */
    r->in_table = true;
    return;
  }
  size_t stop = at;
  while (stop < end && is_word(r->text[stop]))
    stop++;
  size_t equals = skip_blanks(r, stop, end);
  if (stop > at && equals < end && r->text[equals] == '=') {
    on_key(r, (span){at, stop - at}, skip_blanks(r, equals + 1, end), end);
  } else if (!r->in_table && !listed(r, r->section, silent_sections, VD_COUNT(silent_sections))) {
    vd_error(r->d, place_of(r, (span){at, end - at}), "expected 'KEY = value', a [SECTION] or a comment");
    r->errors++;
  }
}

static void read_lines(reader *r) {
  size_t at = 0;
  while (at < r->length && r->errors < MAX_ERRORS) {
    const char *break_at = memchr(r->text + at, '\n', r->length - at);
    size_t end = break_at ? (size_t)(break_at - r->text) : r->length;
    on_line(r, at, end);
    at = end + 1;
  }
}

/* ---- The file as a whole --------------------------------------------------------------------- */

/* Where to point a message about a key: at its value, else at the file. */
static vd_place key_place(const reader *r, const char *name) {
  for (size_t i = 0; i < r->keys; i++)
    if (strcmp(r->key[i].key, name) == 0 && r->given[i].length > 0)
      return place_of(r, r->given[i]);
  return (vd_place){.source = r->source};
}

static bool is_given(const reader *r, const char *name) {
  return key_place(r, name).line > 0;
}

static bool is_bad(const reader *r, const char *name) {
  for (size_t i = 0; i < r->keys; i++)
    if (strcmp(r->key[i].key, name) == 0)
      return r->bad[i];
  return false;
}

static void apply(double *value, const unit *u, int exponent) {
  for (; exponent > 0; exponent--)
    *value = *value * u->numerator / u->denominator;
  for (; exponent < 0; exponent++)
    *value = *value * u->denominator / u->numerator;
}

static void convert(reader *r) {
  for (size_t i = 0; i < r->keys; i++) {
    if (r->given[i].length == 0)
      continue;
    double *value = member(r->def, &r->key[i]);
    vd_tir_dimension d = r->key[i].dimension;
    const int exponent[UNITS] = {d.length, d.force, d.angle, d.mass, d.time};
    for (int u = 0; u < UNITS; u++)
      if (r->unit[u])
        apply(value, r->unit[u], exponent[u]);
    if (!isfinite(*value)) {
      vd_error(r->d, place_of(r, r->given[i]), "%s is too large in SI units", r->key[i].key);
      *value = r->key[i].value;
      r->bad[i] = true;
      r->errors++;
    }
  }
}

static unsigned version_of(double fittyp) {
  static const double old[] = {5, 6, 21, 51};
  for (size_t i = 0; i < VD_COUNT(old); i++)
    if (fittyp == old[i])
      return VD_TIR_52;
  return fittyp == 60.0 || fittyp == 61.0 ? VD_TIR_61 : fittyp == 62.0 ? VD_TIR_62 : 0;
}

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

/* FITTYP first: without it nothing else can be judged. */
static bool check_version(reader *r, unsigned *version) {
  *version = version_of(r->def->fittyp);
  if (!is_given(r, "FITTYP"))
    vd_error(r->d, (vd_place){.source = r->source}, "no FITTYP, so the version of the Magic Formula is unknown");
  else if (*version == 0 && !is_bad(r, "FITTYP"))
    vd_error(r->d, key_place(r, "FITTYP"),
             "this FITTYP is not supported; known are 5, 6, 21, 51 (MF 5.2), 60, 61 (MF 6.1) and 62 (MF 6.2)");
  return *version != 0;
}

/* Whether the Magic Formula reads this key in other versions, but not in this. */
static bool is_idle(double fittyp, size_t offset) {
  return !vd_mf_reads(fittyp, offset) &&
         (vd_mf_reads(6.0, offset) || vd_mf_reads(61.0, offset) || vd_mf_reads(62.0, offset));
}

static void check_keys(const reader *r) {
  for (size_t i = 0; i < r->keys; i++) {
    const vd_tir_key *k = &r->key[i];
    bool given = r->given[i].length > 0;
    if (!given && needed(r->def, k->need))
      vd_error(r->d, (vd_place){.source = r->source}, "no %s in [%s]", k->key, k->section);
    if (given && member_value(r->def, k) != k->value && is_idle(r->def->fittyp, k->offset))
      vd_warning(r->d, place_of(r, r->given[i]), "%s has no effect with this FITTYP", k->key);
  }
}

static void check_sign(const reader *r, const char *key, double value, enum vd_tir_need need, int sign,
                       const char *must) {
  bool good = sign > 0 ? value > 0.0 : sign < 0 ? value < 0.0 : value >= 0.0;
  if (!good && needed(r->def, need) && is_given(r, key) && !is_bad(r, key))
    vd_error(r->d, key_place(r, key), "%s must be %s", key, must);
}

static void check_signs(const reader *r) {
  const vd_mf_def *f = r->def;
  check_sign(r, "UNLOADED_RADIUS", f->unloaded_radius, VD_TIR_MUST, 1, "above 0");
  check_sign(r, "FNOMIN", f->fnomin, VD_TIR_MUST, 1, "above 0");
  check_sign(r, "LONGVL", f->longvl, VD_TIR_MUST, 1, "above 0");
  check_sign(r, "VXLOW", f->vxlow, VD_TIR_MUST, 0, "0 or more");
  check_sign(r, "NOMPRES", f->nompres, VD_TIR_MUST, 1, "above 0");
  check_sign(r, "INFLPRES", f->inflpres, VD_TIR_MUST, 1, "above 0");
  check_sign(r, "VERTICAL_STIFFNESS", f->vertical_stiffness, VD_TIR_MUST, 1, "above 0");
  check_sign(r, "VERTICAL_DAMPING", f->vertical_damping, VD_TIR_MUST, 0, "0 or more");
  check_sign(r, "Q_RE0", f->q_re0, VD_TIR_MUST, 1, "above 0");
  check_sign(r, "LONGITUDINAL_STIFFNESS", f->longitudinal_stiffness, VD_TIR_MUST, 0, "0 or more");
  check_sign(r, "LATERAL_STIFFNESS", f->lateral_stiffness, VD_TIR_MUST, 0, "0 or more");
  check_sign(r, "BOTTOM_STIFF", f->bottom_stiff, VD_TIR_MUST, 0, "0 or more");
  check_sign(r, "LFZO", f->lfzo, VD_TIR_MUST, 1, "above 0");
  check_sign(r, "LMUX", f->lmux, VD_TIR_MUST, 0, "0 or more");
  check_sign(r, "LMUY", f->lmuy, VD_TIR_MUST, 0, "0 or more");
  check_sign(r, "LMUV", f->lmuv, VD_TIR_MUST, 0, "0 or more");
  check_sign(r, "LCX", f->lcx, VD_TIR_MUST, 1, "above 0");
  check_sign(r, "LCY", f->lcy, VD_TIR_MUST, 1, "above 0");
  check_sign(r, "LKX", f->lkx, VD_TIR_MUST, 0, "0 or more");
  check_sign(r, "LKY", f->lky, VD_TIR_MUST, 0, "0 or more");
  check_sign(r, "PCX1", f->pcx1, VD_TIR_MUST_X, 1, "above 0");
  check_sign(r, "PDX1", f->pdx1, VD_TIR_MUST_X, 1, "above 0");
  check_sign(r, "PKX1", f->pkx1, VD_TIR_MUST_X, 1, "above 0");
  check_sign(r, "PCY1", f->pcy1, VD_TIR_MUST_Y, 1, "above 0");
  check_sign(r, "PDY1", f->pdy1, VD_TIR_MUST_Y, 1, "above 0");
  check_sign(r, "PKY1", f->pky1, VD_TIR_MUST_Y, -1,
             "below 0: in ISO-W axes a positive slip angle makes a negative side force");
  check_sign(r, "PKY2", f->pky2, VD_TIR_MUST_Y, 1, "above 0");
}

/* A range of slip or angle contains zero, one of a load or a pressure is of what is there. */
static void check_range(const reader *r, const char *least_key, double least, const char *most_key, double most,
                        bool has_zero) {
  if (least >= most) {
    const char *key = is_given(r, most_key) ? most_key : least_key;
    vd_error(r->d, key_place(r, key), "the range is empty: %s must be below %s", least_key, most_key);
  } else if (has_zero && least > 0.0) {
    vd_error(r->d, key_place(r, least_key), "%s must be 0 or less", least_key);
  } else if (has_zero && most < 0.0) {
    vd_error(r->d, key_place(r, most_key), "%s must be 0 or more", most_key);
  } else if (!has_zero && least < 0.0) {
    vd_error(r->d, key_place(r, least_key), "%s must be 0 or more", least_key);
  }
}

/* A peak wants C between 1 and 2; with C above 3 a force would change its sign at large slip. */
static void check_shape(const reader *r, const char *key, double value) {
  if (fabs(value) > 3.0)
    vd_error(r->d, key_place(r, key), "%s must be at most 3, its scaling factor included", key);
}

static void check_values(const reader *r) {
  const vd_mf_def *f = r->def;
  double mode = fabs(f->use_mode), slope = f->vertical_stiffness * f->unloaded_radius / f->fnomin;
  if (mode != floor(mode) || mode > 999.0 || fmod(mode, 10.0) > 5.0)
    vd_error(r->d, key_place(r, "USE_MODE"),
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
    vd_error(r->d, key_place(r, "RIM_RADIUS"), "RIM_RADIUS must be below UNLOADED_RADIUS");
  if (f->q_fz1 <= 0.0 && slope * slope < 4.0 * f->q_fz2)
    vd_warning(r->d, key_place(r, "Q_FZ2"),
               "Q_FZ2 asks for more stiffness at FNOMIN than VERTICAL_STIFFNESS; the tyre is soft at small loads");
}

static void check_plausible(const reader *r, unsigned version) {
  vd_tir_units said = {{"m", "N", "rad", "kg", "s"}, {1.0, 1.0, 1.0, 1.0, 1.0}};
  vd_place place[MAX_KEYS] = {{0}};
  shown_text name[UNITS];
  for (int u = 0; u < UNITS; u++)
    if (r->unit[u]) {
      name[u] = shown(r, r->unit_text[u]);
      said.name[u] = name[u].text;
      said.size[u] = r->unit[u]->numerator / r->unit[u]->denominator;
    }
  for (size_t i = 0; i < r->keys; i++)
    if (r->given[i].length > 0)
      place[i] = place_of(r, r->given[i]);
  vd_tir_check_plausible(r->def, version, &said, place, r->d);
}

static void fill_dependent(const reader *r) {
  vd_mf_def *f = r->def;
  if (!is_given(r, "INFLPRES"))
    f->inflpres = f->nompres;
  if (!is_given(r, "VERTICAL_STIFFNESS") && f->q_fz1 <= 0.0)
    f->vertical_stiffness = f->fnomin / 0.02;
}

bool vd_tir_read_source(int source, vd_diag *d, vd_mf_def *out) {
  size_t before = vd_diag_errors(d);
  unsigned version;
  *out = (vd_mf_def){.side = VD_MF_LEFT};
  reader r = {.d = d, .source = source, .def = out};
  r.key = vd_tir_keys(&r.keys);
  r.length = vd_diag_source_text(d, source, &r.text);
  for (size_t i = 0; i < r.keys; i++)
    *member(out, &r.key[i]) = r.key[i].value;
  read_lines(&r);
  convert(&r);
  if (r.errors < MAX_ERRORS && check_version(&r, &version)) {
    fill_dependent(&r);
    check_keys(&r);
    check_values(&r);
    if (vd_diag_errors(d) == before)
      check_plausible(&r, version);
  }
  return vd_diag_errors(d) == before;
}

/* ---- Files ----------------------------------------------------------------------------------- */

bool vd_tir_read(const char *path, vd_place at, vd_diag *d, vd_mf_def *out) {
  vd_file file;
  vd_buf text = {0};
  int error = vd_file_open(path, VD_FILE_REGULAR, d, &file), source = 0;
  if (error == 0)
    error = vd_file_read(&file, MAX_BYTES, &text);
  if (error == EFBIG)
    vd_error(d, at, "'%s' is larger than %d MiB", path, MAX_BYTES >> 20);
  else if (error != 0)
    vd_error(d, at, "cannot read '%s': %s", path, vd_file_why(error));
  else
    source = vd_diag_add_source(d, path, text.text ? text.text : "", text.length);
  vd_buf_finish(&text);
  return error == 0 && vd_tir_read_source(source, d, out);
}

/* ---- Listing --------------------------------------------------------------------------------- */

void vd_tir_write(const vd_mf_def *def, vd_buf *out) {
  static const char *const sides[] = {"LEFT", "RIGHT", "SYMMETRIC"};
  size_t count;
  const vd_tir_key *key = vd_tir_keys(&count);
  const char *section = "";
  unsigned version = version_of(def->fittyp);
  vd_buf_puts(out, "[UNITS]\nLENGTH = 'meter'\nFORCE = 'newton'\nANGLE = 'radians'\nMASS = 'kg'\nTIME = 'second'\n");
  for (size_t i = 0; i < count; i++) {
    double value = member_value(def, &key[i]);
    char number[VD_NUM_MAX];
    bool absent = key[i].value == 0.0 && value == 0.0; /* also those whose zero means none */
    bool idle = value != key[i].value ? is_idle(def->fittyp, key[i].offset) : !(key[i].versions & version);
    if (idle || !isfinite(value) || (absent && key[i].need == VD_TIR_MAY && key[i].dimension.length))
      continue;
    if (strcmp(section, key[i].section) != 0) {
      section = key[i].section;
      vd_buf_printf(out, "[%s]\n", section);
      if (strcmp(section, "MODEL") == 0)
        vd_buf_printf(out, "TYRESIDE = '%s'\n", sides[def->side]);
    }
    vd_num_print_shortest(value, number);
    vd_buf_printf(out, "%s = %s\n", key[i].key, number);
  }
}
