#include "tyre/tir_impl.h"

#include "base/memory.h"
#include "base/num.h"
#include "base/system.h"
#include "input/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BYTES = 4 << 20, MAX_NUMBER = 64 };

/* ---- Keys and sections that have no effect here ---------------------------------------------- */

/* Keys that do not concern the steady state (solver, contact with short obstacles, rigid ring), and keys that only some
 * kinds of file use. They give no warning; the summary names the unused keys. A star matches any ending. */
/* clang-format off */
static const char *const silent_keys[] = {
  "FUNCTION_NAME", "USER_SUB_ID", "N_TIRE_STATES", "HMAX_LOCAL", "TIME_SWITCH_INTEG", "MESSAGES", "FE_METHOD",
  "MFSAFE*", "TYPE", "ROAD_*", "PLUS", "CONTACT_MODEL", "BELT_*", "MBELT", "GRAVITY", "IZZ", "MC_CONTOUR_*",
  "YAW_STIFFNESS", "FREQ_*", "DAMP_*", "DYNAMIC_STIFFNESS", "DYNAMIC_DAMPING", "BOTTOMING_RADIUS", "Q_BVX", "Q_BVT",
  "PCMZ1", "ELLIPS_*", "ENV_*", "LGYR", "QTZ1", "PTX4", "PTY3", "USE_MODE", "WIDTH", "ASPECT_RATIO", "RIM_RADIUS",
  "RIM_WIDTH", "MASS", "TIRE_MASS", "IXX", "IYY",
};
/* clang-format on */
/* Sections that contain only such keys. */
static const char *const silent_sections[] = {"MDI_HEADER", "SHAPE", "CONTACT_PATCH", "BOTTOMING_CURVE", "THERMAL*"};
/* Sections in which an unknown key gives a warning, in addition to the sections of the table of keys. All other
 * sections belong to a vendor. */
static const char *const known_sections[] = {"UNITS", "MODEL", "TIRE_CONDITIONS", "PARAMETER", "COEFFICIENTS"};

static const char *const curve_names[] = {"DEFLECTION_LOAD_CURVE", "DEFLECTION LOAD CURVE", "LOAD_DEFLECTION_CURVE",
                                          "LOAD DEFLECTION CURVE"};

static const char *const scale_keys[VD_TIR_SCALES] = {"LCZ", "LIP", "LKG"};

/* Returns the index of a key in the table, by its own name or its name in Adams; r->keys: there is none. */
static size_t index_of(const vd_tir_reader *r, vd_tir_span key) {
  size_t i = 0, aliases = 0;
  const vd_tir_alias *alias = r->kind->aliases ? r->kind->aliases(&aliases) : NULL;
  for (size_t k = 0; k < aliases; k++)
    if (vd_tir_named(r, key, alias[k].adams))
      return vd_tir_index(r, alias[k].key);
  while (i < r->keys && !vd_tir_named(r, key, r->key[i].key))
    i++;
  return i;
}

static bool is_foreign(const vd_tir_reader *r, vd_tir_span section) {
  if (section.length == 0 || vd_tir_listed(r, section, known_sections, VD_COUNT(known_sections)) ||
      vd_tir_listed(r, section, silent_sections, VD_COUNT(silent_sections)) ||
      vd_tir_listed(r, section, curve_names, VD_COUNT(curve_names)))
    return false;
  for (size_t i = 0; i < r->keys; i++)
    if (vd_tir_named(r, section, r->key[i].section))
      return false;
  return true;
}

/* ---- Pieces ---------------------------------------------------------------------------------- */

static bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

static bool is_comment(char c) {
  return c == '$' || c == '!' || c == '#';
}

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Returns whether this word was found before. At most VD_TIR_MAX_OTHER different words are distinguished. */
static bool was_met(vd_tir_reader *r, vd_tir_span word) {
  for (size_t i = 0; i < r->others; i++)
    if (r->other[i].length == word.length && strncasecmp(r->text + r->other[i].at, r->text + word.at, word.length) == 0)
      return true;
  if (r->others == VD_TIR_MAX_OTHER)
    return true;
  r->other[r->others++] = word;
  return false;
}

/* Adds an unused key, or a section with its brackets, to the summary. */
static void note_unused(vd_tir_reader *r, vd_tir_span word, bool section) {
  if (word.length == 0 || was_met(r, word))
    return;
  if (r->unused_count++ < VD_TIR_LISTED)
    vd_buf_printf(&r->unused, "%s%s%s%s", r->unused.length > 0 ? ", " : "", section ? "[" : "",
                  vd_tir_excerpt_of(r, word).text, section ? "]" : "");
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static size_t skip_blanks(const vd_tir_reader *r, size_t at, size_t end) {
  while (at < end && is_blank(r->text[at]))
    at++;
  return at;
}

/* Returns whether nothing but a comment follows; otherwise reports an error. */
static bool ends_here(vd_tir_reader *r, size_t at, size_t end, const char *after) {
  at = skip_blanks(r, at, end);
  if (at == end || is_comment(r->text[at]))
    return true;
  vd_tir_fail(r, (vd_tir_span){at, end - at}, "text after %s; a comment begins with '$', '!' or '#'", after);
  return false;
}

/* Reads the name between `at` and the closing bracket; false after an error. */
static bool bracketed(vd_tir_reader *r, size_t at, size_t end, char bracket, vd_tir_span *name) {
  const char *close = memchr(r->text + at, bracket, end - at);
  if (!close) {
    vd_tir_fail(r, (vd_tir_span){at, end - at}, "section is not closed by '%c'", bracket);
    return false;
  }
  size_t stop = (size_t)(close - r->text);
  *name = (vd_tir_span){skip_blanks(r, at + 1, stop), 0};
  name->length = stop - name->at;
  while (name->length > 0 && is_blank(r->text[name->at + name->length - 1]))
    name->length--;
  return true;
}

static void on_section(vd_tir_reader *r, size_t at, size_t end) {
  vd_tir_span name;
  if (!bracketed(r, at, end, ']', &name))
    return;
  r->section = name;
  r->in_units = vd_tir_named(r, name, "UNITS");
  r->units |= r->in_units;
  r->in_header = vd_tir_named(r, name, "MDI_HEADER");
  r->in_curve = vd_tir_listed(r, name, curve_names, VD_COUNT(curve_names));
  r->is_foreign = is_foreign(r, name);
  r->in_table = false;
  r->heading = (vd_tir_span){0};
  size_t stop = name.at + name.length;
  ends_here(r, skip_blanks(r, stop, end) + 1, end, "a section");
}

/* Reads the value at `at`, without quotes. False after an error. An empty value has length 0. */
static bool read_value(vd_tir_reader *r, size_t at, size_t end, vd_tir_span *value, bool *quoted) {
  *quoted = at < end && (r->text[at] == '\'' || r->text[at] == '"');
  size_t stop = at;
  if (*quoted) {
    const char *close = memchr(r->text + at + 1, r->text[at], end - at - 1);
    if (!close) {
      vd_tir_fail(r, (vd_tir_span){at, end - at}, "quotation mark is not closed");
      return false;
    }
    stop = (size_t)(close - r->text);
    *value = (vd_tir_span){at + 1, stop - at - 1};
    return ends_here(r, stop + 1, end, "a value");
  }
  while (stop < end && !is_blank(r->text[stop]) && !is_comment(r->text[stop]))
    stop++;
  *value = (vd_tir_span){at, stop - at};
  return ends_here(r, stop, end, "a value");
}

static void on_side(vd_tir_reader *r, vd_tir_span key, vd_tir_span value) {
  if (!vd_tir_note(r, key, value, &r->side))
    return;
  if (vd_tir_named(r, value, "LEFT"))
    *r->measured_side = VD_MF_LEFT;
  else if (vd_tir_named(r, value, "RIGHT"))
    *r->measured_side = VD_MF_RIGHT;
  else if (vd_tir_named(r, value, "SYMMETRIC"))
    *r->measured_side = VD_MF_SYMMETRIC;
  else if (!vd_tir_named(r, value, "UNKNOWN"))
    vd_tir_fail(r, value, "TYRESIDE is '%s'; it can be LEFT, RIGHT, SYMMETRIC or UNKNOWN",
                vd_tir_excerpt_of(r, value).text);
}

/* Parses a number like vd_num_parse, but also reads the exponent of Fortran: 1.5D-3. Only such numbers are copied. */
static bool parse_number(const vd_tir_reader *r, vd_tir_span s, double *number, size_t *used) {
  const char *text = r->text + s.at;
  bool ok = vd_num_parse(text, s.length, number, used);
  char copy[MAX_NUMBER];
  if (*used == 0 || *used >= s.length || s.length > MAX_NUMBER || (text[*used] != 'D' && text[*used] != 'd'))
    return ok;
  memcpy(copy, text, s.length);
  copy[*used] = 'e';
  return vd_num_parse(copy, s.length, number, used);
}

static bool is_number(vd_tir_reader *r, vd_tir_span value, const char *of, double *number) {
  size_t used = 0;
  bool ok = parse_number(r, value, number, &used), whole = used == value.length;
  if (ok && whole)
    return true;
  bool comma = used > 0 && used < value.length && r->text[value.at + used] == ',';
  vd_tir_fail(r, value,
              whole && !ok ? "'%s' is too large for a number, in %s"
              : comma      ? "'%s' is not a number, in %s; the decimal sign is a point"
                           : "'%s' is not a number, in %s",
              vd_tir_excerpt_of(r, value).text, of);
  return false;
}

/* Reads the number of a key of the table. In a section of a vendor it is used only if the rest of the file does not
 * contain the key. */
static void on_number(vd_tir_reader *r, size_t index, vd_tir_span key, vd_tir_span value, bool quoted) {
  double number = 0.0;
  vd_tir_span *given = &r->given[index];
  const char *name = r->key[index].key;
  size_t used;
  if (r->is_foreign &&
      (given->length > 0 || quoted || !parse_number(r, value, &number, &used) || used < value.length)) {
    note_unused(r, r->section, true);
    return;
  }
  if (r->foreign[index])
    *given = (vd_tir_span){0};
  r->foreign[index] = r->is_foreign;
  if (!vd_tir_note(r, key, value, given))
    return;
  if (quoted)
    vd_tir_fail(r, value, "'%s' is in quotes, but %s is a number", vd_tir_excerpt_of(r, value).text, name);
  if (quoted || !is_number(r, value, name, &number))
    r->bad[index] = true;
  else
    *vd_tir_member(r->figures, &r->key[index]) = number;
}

static void on_scale(vd_tir_reader *r, int scale, vd_tir_span key, vd_tir_span value) {
  double number;
  if (!vd_tir_note(r, key, value, &r->scale_at[scale]) || !is_number(r, value, scale_keys[scale], &number))
    return;
  r->scale[scale] = number;
  if (!(number > 0.0))
    vd_tir_fail(r, value, "%s must be above 0", scale_keys[scale]);
}

static bool is_silent(const vd_tir_reader *r, vd_tir_span key) {
  const char *const *own = r->kind->silent;
  while (own && *own && !vd_tir_named(r, key, *own))
    own++;
  return (own && *own) || vd_tir_listed(r, key, silent_keys, VD_COUNT(silent_keys));
}

static void on_unknown(vd_tir_reader *r, vd_tir_span key) {
  if (r->is_foreign || vd_tir_listed(r, r->section, silent_sections, VD_COUNT(silent_sections))) {
    note_unused(r, r->section, true);
    return;
  }
  if (is_silent(r, key)) {
    note_unused(r, key, false);
    return;
  }
  if (was_met(r, key))
    return;
  const char *names[VD_TIR_MAX_KEYS];
  for (size_t i = 0; i < r->keys; i++)
    names[i] = r->key[i].key;
  vd_tir_excerpt word = vd_tir_excerpt_of(r, key);
  const char *meant = vd_suggest(word.text, names, r->keys);
  vd_warning(r->d, vd_tir_place(r, key), "unknown key '%s' is not used%s%s%s", word.text,
             meant ? "; did you mean '" : "", meant ? meant : "", meant ? "'?" : "");
}

/* The kind of a line's key, and its index. */
typedef struct meaning {
  enum { UNIT, SIDE, FORMAT, SCALE, NUMBER, OTHER } kind;
  size_t index; /* index of the scale or of the number */
} meaning;

static meaning meaning_of(const vd_tir_reader *r, vd_tir_span key) {
  if (r->in_units)
    return (meaning){UNIT, 0};
  if (vd_tir_named(r, key, "TYRESIDE"))
    return (meaning){SIDE, 0};
  if (vd_tir_named(r, key, "PROPERTY_FILE_FORMAT"))
    return (meaning){FORMAT, 0};
  for (size_t i = 0; i < VD_TIR_SCALES && r->kind->scales; i++)
    if (vd_tir_named(r, key, scale_keys[i]))
      return (meaning){SCALE, i};
  size_t index = index_of(r, key);
  return (meaning){index < r->keys ? NUMBER : OTHER, index};
}

static void on_key(vd_tir_reader *r, meaning what, vd_tir_span key, size_t at, size_t end) {
  vd_tir_span value;
  bool quoted;
  if (what.kind == OTHER) {
    on_unknown(r, key);
    return;
  }
  if (!read_value(r, at, end, &value, &quoted))
    return;
  if (value.length == 0) {
    if (what.kind == UNIT)
      vd_tir_fail(r, key, "no value for '%s'", vd_tir_excerpt_of(r, key).text);
    else if (what.kind == NUMBER)
      r->blank[what.index] = key;
    return;
  }
  switch (what.kind) {
  case UNIT: vd_tir_on_unit(r, key, value); break;
  case SIDE: on_side(r, key, value); break;
  case FORMAT: vd_tir_note(r, key, value, &r->format); break;
  case SCALE: on_scale(r, (int)what.index, key, value); break;
  case NUMBER: on_number(r, what.index, key, value, quoted); break;
  case OTHER: break;
  }
}

/* Reads a row of the load curve: deflection and load, in the opposite order if the heading says so. */
static void on_row(vd_tir_reader *r, size_t at, size_t end) {
  vd_mf_points *curve = r->curve;
  vd_tir_span column[2];
  double value[2];
  for (int k = 0; k < 2; k++) {
    column[k] = (vd_tir_span){at, 0};
    while (at < end && !is_blank(r->text[at]) && !is_comment(r->text[at]))
      at++;
    column[k].length = at - column[k].at;
    if (column[k].length == 0) {
      vd_tir_fail(r, column[0], "a row of the load curve is a deflection and a load");
      return;
    }
    if (!is_number(r, column[k], "the load curve", &value[k]))
      return;
    at = skip_blanks(r, at, end);
  }
  if (!ends_here(r, at, end, "a row"))
    return;
  if (curve->count == VD_MF_CURVE) {
    vd_tir_fail(r, column[0], "a load curve has at most %d points", VD_MF_CURVE);
    return;
  }
  if (curve->count == 0)
    r->curve_at = column[0];
  bool turned = vd_tir_named(r, r->heading, "f*") || vd_tir_named(r, r->heading, "load*");
  curve->xy[2 * curve->count] = value[turned];
  curve->xy[2 * curve->count++ + 1] = value[!turned];
}

/* Adds a line that is not understood to the list `kept', under the heading of its section, for writing the file
 * again. */
static void keep_line(vd_tir_reader *r, size_t at, size_t end) {
  if (r->section.at != r->kept_section.at && r->section.length > 0)
    vd_buf_printf(r->kept, "[%.*s]\n", (int)r->section.length, r->text + r->section.at);
  r->kept_section = r->section;
  vd_buf_add(r->kept, r->text + at, end - at);
  vd_buf_puts(r->kept, "\n");
}

/* Reads a line that is neither a section nor a pair of key and value. */
static void on_text(vd_tir_reader *r, size_t at, size_t end) {
  bool heading = r->text[at] == '{' || r->text[at] == '('; /* (COMMENTS) is the heading of a table, too */
  if (heading) {
    vd_tir_span name = {at, 0};
    if (r->text[at] == '(' && bracketed(r, at, end, ')', &name))
      r->in_curve = vd_tir_listed(r, name, curve_names, VD_COUNT(curve_names));
    else if (r->in_curve && bracketed(r, at, end, '}', &name))
      r->heading = name;
    r->in_table = true;
    if (r->in_curve)
      return;
  }
  if (r->in_curve) {
    on_row(r, at, end);
    return;
  }
  bool silent =
      r->in_table || r->is_foreign || vd_tir_listed(r, r->section, silent_sections, VD_COUNT(silent_sections));
  if (r->keeps) {
    keep_line(r, at, end);
  } else if (silent) {
    note_unused(r, r->section, true);
  } else {
    vd_tir_fail(r, (vd_tir_span){at, end - at}, "expected 'KEY = value', a [SECTION] or a comment");
  }
}

/* Reads one line, without its line break. */
static void on_line(vd_tir_reader *r, size_t at, size_t end) {
  while (end > at && is_blank(r->text[end - 1]))
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
  size_t stop = at;
  while (stop < end && is_word(r->text[stop]))
    stop++;
  size_t equals = skip_blanks(r, stop, end);
  if (stop == at || equals >= end || r->text[equals] != '=') {
    on_text(r, at, end);
    return;
  }
  vd_tir_span key = {at, stop - at};
  meaning what = meaning_of(r, key);
  if (r->keeps && what.kind == OTHER)
    keep_line(r, at, end);
  on_key(r, what, key, skip_blanks(r, equals + 1, end), end);
}

/* Reads all lines, which end with LF, CR or both. */
static void read_lines(vd_tir_reader *r) {
  size_t at = 0;
  while (at < r->length && r->errors < VD_TIR_MAX_ERRORS) {
    size_t end = at;
    while (end < r->length && r->text[end] != '\n' && r->text[end] != '\r')
      end++;
    on_line(r, at, end);
    at = end + 1;
  }
}

/* ---- The file as a whole --------------------------------------------------------------------- */

static void begin(vd_tir_reader *r, int source) {
  r->source = source;
  r->length = vd_diag_source_text(r->d, source, &r->text);
  *r->measured_side = VD_MF_LEFT;
  for (size_t i = 0; i < r->keys; i++)
    *vd_tir_member(r->figures, &r->key[i]) = r->key[i].value;
  for (int i = 0; i < VD_TIR_SCALES; i++)
    r->scale[i] = 1.0;
}

/* Writes one remark on what was assumed and what in the file is not used. */
static void summarise(const vd_tir_reader *r) {
  if (r->assumed.length == 0 && r->unused_count == 0)
    return;
  size_t read = 0;
  for (size_t i = 0; i < r->keys; i++)
    read += r->given[i].length > 0;
  vd_buf line = {0};
  vd_buf_printf(&line, "read as %s, %zu figures", r->kind->name(r), read);
  if (r->curve->count > 0)
    vd_buf_printf(&line, " and a load curve of %zu points", r->curve->count);
  if (r->assumed.length > 0)
    vd_buf_printf(&line, "; assumed: %s", r->assumed.text);
  if (r->unused_count > 0)
    vd_buf_printf(&line, "; not used: %s", r->unused.text);
  if (r->unused_count > VD_TIR_LISTED)
    vd_buf_printf(&line, " and %zu more", r->unused_count - VD_TIR_LISTED);
  vd_remark(r->d, (vd_place){.source = r->source}, "%s", line.text);
  vd_buf_finish(&line);
}

bool vd_tir_read_kind(vd_tir_reader *r, int source) {
  size_t before = vd_diag_errors(r->d);
  begin(r, source);
  read_lines(r);
  vd_tir_convert(r);
  if (r->errors < VD_TIR_MAX_ERRORS)
    r->kind->complete(r);
  bool good = vd_diag_errors(r->d) == before;
  if (good)
    summarise(r);
  vd_buf_finish(&r->assumed);
  vd_buf_finish(&r->unused);
  return good;
}

static void reads_mf(vd_tir_reader *r, vd_diag *d, vd_mf_def *def) {
  *def = (vd_mf_def){.side = VD_MF_LEFT};
  *r = (vd_tir_reader){
      .d = d, .kind = &vd_tir_mf, .figures = def, .curve = &def->load_curve, .measured_side = &def->side, .def = def};
  r->key = vd_tir_keys(&r->keys);
}

bool vd_tir_read_sided(int source, int side, vd_diag *d, vd_mf_def *out) {
  vd_tir_reader *r = vd_allocate(1, sizeof *r);
  reads_mf(r, d, out);
  r->side_known = side >= 0;
  bool good = vd_tir_read_kind(r, source);
  if (r->side_known)
    out->side = side;
  free(r);
  return good;
}

bool vd_tir_read_source(int source, vd_diag *d, vd_mf_def *out) {
  return vd_tir_read_sided(source, -1, d, out);
}

void vd_tir_keep_kind(vd_tir_reader *r, int source, vd_buf *kept) {
  const char *text;
  vd_diag *dropped = vd_diag_create();
  size_t length = vd_diag_source_text(r->d, source, &text);
  r->d = dropped;
  r->keeps = true;
  r->kept = kept;
  begin(r, vd_diag_add_source(dropped, "", text, length));
  read_lines(r);
  vd_buf_finish(&r->assumed);
  vd_buf_finish(&r->unused);
  vd_diag_destroy(dropped);
}

void vd_tir_keep(int source, vd_diag *d, vd_buf *kept) {
  vd_mf_def def;
  vd_tir_reader *r = vd_allocate(1, sizeof *r);
  reads_mf(r, d, &def);
  vd_tir_keep_kind(r, source, kept);
  free(r);
}

/* ---- Files ----------------------------------------------------------------------------------- */

int vd_tir_open(const char *path, vd_place at, vd_diag *d) {
  vd_file file;
  vd_buf text = {0};
  int error = vd_file_open(path, VD_FILE_REGULAR, d, &file), source = -1;
  if (error == 0)
    error = vd_file_read(&file, MAX_BYTES, &text);
  if (error == EFBIG)
    vd_error(d, at, "'%s' is larger than %d MiB", path, MAX_BYTES >> 20);
  else if (error != 0)
    vd_error(d, at, "cannot read '%s': %s", path, vd_file_why(error));
  else
    source = vd_diag_add_bytes(d, path, text.text ? text.text : "", text.length);
  vd_buf_finish(&text);
  return source;
}

bool vd_tir_read(const char *path, vd_place at, vd_diag *d, vd_mf_def *out) {
  int source = vd_tir_open(path, at, d);
  return source >= 0 && vd_tir_read_source(source, d, out);
}
