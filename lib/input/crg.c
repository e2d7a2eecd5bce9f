#include "input/crg.h"

#include "base/base.h"
#include "input/lines.h"

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

enum section { NONE, COMMENT, ROAD, DEFINITION, OPTIONS, MODIFIERS, PROJECTION, FILE_NAME, SECTIONS };
enum { MAX_CHANNELS = 10000, MAX_HEIGHTS = 16000000, RECORD = 80, HEADER = 72 };

static const char *const section_names[] = {
    [NONE] = "",
    [COMMENT] = "CT",
    [ROAD] = "ROAD_CRG",
    [DEFINITION] = "KD_DEFINITION",
    [OPTIONS] = "ROAD_CRG_OPTS",
    [MODIFIERS] = "ROAD_CRG_MODS",
    [PROJECTION] = "ROAD_CRG_MPRO",
    [FILE_NAME] = "ROAD_CRG_FILE",
};

static const struct {
  const char *name;
  enum section section;
  enum { USED, UNUSED } use;
  double most;
} keys[] = {
#define ROW(in, use, most, key) {#key, in, use, most},
    VD_CRG_KEYS(ROW)
#undef ROW
};

/* How numbers are written. */
typedef struct format {
  const char *name;
  bool text;
  size_t size; /* characters or bytes of a number */
} format;

static const format formats[] = {{"LRFI", true, 10}, {"LDFI", true, 20}, {"KRBI", false, 4}, {"KDBI", false, 8}};

enum { LONG_SECTION = VD_CRG_CHANNELS };

/* A column of the data. */
typedef struct column {
  int what; /* enum vd_crg_channel, or LONG_SECTION */
  double v; /* m, or the number of the section */
  bool by_place;
  vd_place at;
} column;

typedef struct reader {
  vd_lines in;
  vd_crg_file *out;
  enum section section;
  bool seen[SECTIONS];
  const format *format;
  column *column;
  size_t columns, sections;
} reader;

const char *vd_crg_key_name(enum vd_crg_key key) {
  return keys[key].name;
}

double vd_crg_value(const vd_crg_file *file, enum vd_crg_key key, double otherwise) {
  return isnan(file->value[key]) ? otherwise : file->value[key];
}

/* --- words --- */

#define ERROR(r, slice, ...) VD_LINES_ERROR(&(r)->in, slice, __VA_ARGS__)

/* What counts of a line of the header: 72 characters, up to a comment. */
static vd_slice counted(vd_slice line) {
  line.length = line.length < HEADER ? line.length : HEADER;
  const char *mark = memchr(line.text, '!', line.length);
  if (mark)
    line.length = (size_t)(mark - line.text);
  return vd_trimmed(line);
}

/* Takes a word, in any case of letters, off the front of a slice; a blank stands for any number of them. */
static bool take(vd_slice *p, const char *word) {
  vd_slice rest = *p;
  for (const char *w = word; *w; w++) {
    if (*w == ' ') {
      while (rest.length > 0 && vd_is_blank(*rest.text))
        rest.text++, rest.length--;
    } else if (rest.length > 0 && strncasecmp(rest.text, w, 1) == 0) {
      rest.text++;
      rest.length--;
    } else {
      return false;
    }
  }
  *p = vd_trimmed(rest);
  return true;
}

/* A number as programs write it, also with the D of a double's exponent. False: it is none, or not finite. */
static bool number(vd_slice p, double *value) {
  return vd_slice_number(p, "dD", 'e', value);
}

/* --- header --- */

static void read_key(reader *r, vd_slice line) {
  const char *equal = memchr(line.text, '=', line.length);
  if (!equal) {
    ERROR(r, line, "expected KEY = number in $%s, not '%s'", section_names[r->section], vd_lines_excerpt(&r->in, line));
    return;
  }
  vd_slice key = vd_trimmed((vd_slice){line.text, (size_t)(equal - line.text)});
  vd_slice value = vd_trimmed((vd_slice){equal + 1, line.length - (size_t)(equal + 1 - line.text)});
  size_t k = 0;
  double x;
  while (k < VD_COUNT(keys) && !(keys[k].section == r->section && vd_slice_is(key, keys[k].name)))
    k++;
  if (k == VD_COUNT(keys)) {
    ERROR(r, key, "unknown key '%s' in $%s", vd_lines_excerpt(&r->in, key), section_names[r->section]);
  } else if (!number(value, &x)) {
    ERROR(r, value, "%s is no number: '%s'", keys[k].name, vd_lines_excerpt(&r->in, value));
  } else if (!(fabs(x) <= keys[k].most)) {
    ERROR(r, value, "%s must be %g to %g, not %g", keys[k].name, -keys[k].most, keys[k].most, x);
  } else if (!isnan(r->out->value[k])) {
    ERROR(r, key, "%s stands twice in $%s", keys[k].name, section_names[r->section]);
  } else {
    r->out->value[k] = x;
    r->out->at[k] = vd_lines_place(&r->in, value);
    if (keys[k].use == UNUSED)
      vd_remark(r->in.d, vd_lines_place(&r->in, key), "%s is read and not used", keys[k].name);
  }
}

static void read_format(reader *r, vd_slice word) {
  if (r->format) {
    ERROR(r, word, "the format of the data stands twice");
    return;
  }
  r->out->format = vd_lines_place(&r->in, word);
  for (size_t i = 0; i < VD_COUNT(formats); i++)
    if (vd_slice_is(word, formats[i].name))
      r->format = &formats[i];
  if (!r->format)
    ERROR(r, word, "format '%s' is not supported; LRFI, LDFI, KRBI and KDBI are", vd_lines_excerpt(&r->in, word));
}

static bool read_section(vd_slice name, column *c) {
  if (!take(&name, "long section "))
    return false;
  c->what = LONG_SECTION;
  c->by_place = take(&name, "at v = ");
  return number(name, &c->v);
}

static void read_channel(reader *r, vd_slice line) {
  static const char *const lines[] = {[VD_CRG_PHI] = "reference line phi",
                                      [VD_CRG_SLOPE] = "reference line slope",
                                      [VD_CRG_BANKING] = "reference line banking"};
  const char *comma = memchr(line.text, ',', line.length);
  vd_slice name = vd_trimmed((vd_slice){line.text, comma ? (size_t)(comma - line.text) : line.length});
  vd_slice unit = comma ? vd_trimmed((vd_slice){comma + 1, line.length - (size_t)(comma + 1 - line.text)}) : line;
  column c = {.what = LONG_SECTION, .at = vd_lines_place(&r->in, name)};
  vd_slice rest = name;
  while (c.what > 0 && !(take(&rest, lines[c.what - 1]) && rest.length == 0)) {
    rest = name;
    c.what--;
  }
  c.what--;
  if (c.what < 0 && !read_section(name, &c)) {
    ERROR(r, name, "channel '%s' is not supported; 'reference line' phi, slope and banking and 'long section' are",
          vd_lines_excerpt(&r->in, name));
    return;
  }
  const char *wanted = c.what == VD_CRG_PHI ? "rad" : c.what == LONG_SECTION ? "m" : "m/m";
  if (!comma || !vd_slice_is(unit, wanted))
    ERROR(r, unit, "the unit of '%s' must be %s", vd_lines_excerpt(&r->in, name), wanted);
  if (r->columns == MAX_CHANNELS) {
    ERROR(r, name, "more than %d channels", (int)MAX_CHANNELS);
    return;
  }
  for (size_t i = 0; i < r->columns; i++)
    if (c.what != LONG_SECTION && r->column[i].what == c.what)
      ERROR(r, name, "channel '%s' stands twice", vd_lines_excerpt(&r->in, name));
  if (!r->column)
    r->column = vd_arena_alloc(r->in.arena, MAX_CHANNELS * sizeof *r->column);
  r->column[r->columns++] = c;
  r->sections += c.what == LONG_SECTION;
}

static void read_definition(reader *r, vd_slice line) {
  vd_slice rest = line;
  if (take(&rest, "#:"))
    read_format(r, rest);
  else if (take(&rest, "d:"))
    read_channel(r, rest);
  else if (!take(&rest, "u:")) /* derived from the others */
    ERROR(r, line, "expected '#:', 'D:' or 'U:' in $KD_DEFINITION, not '%s'", vd_lines_excerpt(&r->in, line));
}

/* A line that begins with $: a new section, or the end of one. */
static void read_section_line(reader *r, vd_slice line) {
  vd_slice name = {line.text + 1, 0}; /* a word; what follows is a comment */
  while (name.length < line.length - 1 && !vd_is_blank(name.text[name.length]))
    name.length++;
  if (name.length == 0) {
    if (r->section == NONE)
      ERROR(r, line, "no section begins before this end");
    r->section = NONE;
    return;
  }
  enum section s = COMMENT;
  while (s < SECTIONS && !vd_slice_is(name, section_names[s]))
    s++;
  if (r->section != NONE)
    ERROR(r, line, "$%s does not end before this section", section_names[r->section]);
  if (s == SECTIONS)
    ERROR(r, name, "section $%s is not supported", vd_lines_excerpt(&r->in, name));
  else if (r->seen[s])
    ERROR(r, name, "section $%s stands twice", section_names[s]);
  else if (s == FILE_NAME)
    ERROR(r, name, "a reference to another file ($ROAD_CRG_FILE) is not supported; name that file");
  else if (s == PROJECTION)
    vd_remark(r->in.d, vd_lines_place(&r->in, name), "the map projection ($ROAD_CRG_MPRO) is not used");
  r->section = s == SECTIONS ? COMMENT : s; /* what it holds is skipped */
  r->seen[r->section] = true;
}

static void read_header_line(reader *r, vd_slice line) {
  if (r->section == COMMENT || r->section == PROJECTION || r->section == FILE_NAME)
    return;
  line = counted(line);
  if (line.length == 0 || *line.text == '*')
    return;
  switch (r->section) {
  case ROAD:
  case OPTIONS:
  case MODIFIERS: read_key(r, line); break;
  case DEFINITION: read_definition(r, line); break;
  case COMMENT:
  case PROJECTION:
  case FILE_NAME:
  case SECTIONS: break;
  case NONE: ERROR(r, line, "'%s' stands outside of all sections", vd_lines_excerpt(&r->in, line)); break;
  }
}

/* Up to the line after $$. */
static bool read_header(reader *r) {
  vd_slice line;
  while (vd_lines_next(&r->in, &line)) {
    if (line.length >= 2 && line.text[0] == '$' && line.text[1] == '$')
      return true;
    if (line.length > 0 && *line.text == '$')
      read_section_line(r, counted(line));
    else
      read_header_line(r, line);
  }
  vd_error(r->in.d, (vd_place){.source = r->in.source},
           "the header does not end: there is no line that begins with $$");
  return false;
}

/* --- long sections --- */

static bool check_header(reader *r) {
  const vd_place whole = {.source = r->in.source};
  bool ended = r->section == NONE, road = r->seen[ROAD], defined = r->seen[DEFINITION], wide = r->sections >= 2;
  if (!ended)
    vd_error(r->in.d, whole, "$%s does not end before the data", section_names[r->section]);
  if (!road)
    vd_error(r->in.d, whole, "there is no section $ROAD_CRG");
  if (!defined)
    vd_error(r->in.d, whole, "there is no section $KD_DEFINITION");
  else if (!wide)
    vd_error(r->in.d, r->out->format, "a road needs 2 or more long sections, not %zu", r->sections);
  return r->in.errors == 0 && ended && road && defined && wide;
}

/* The place of a column among those from right to left. */
static bool order_sections(reader *r, size_t *order) {
  double *v = vd_arena_alloc(r->in.arena, r->sections * sizeof *v);
  const column *first = NULL;
  size_t n = 0;
  for (size_t i = 0; i < r->columns; i++) {
    const column *c = &r->column[i];
    if (c->what != LONG_SECTION)
      continue;
    first = first ? first : c;
    if (c->by_place != first->by_place) {
      vd_error(r->in.d, c->at, "long sections stand either all 'at v =' or all by number");
      return false;
    }
    size_t k = n++;
    for (; k > 0 && v[k - 1] > c->v; k--) {
      v[k] = v[k - 1];
      order[k] = order[k - 1];
    }
    v[k] = c->v;
    order[k] = i;
  }
  for (size_t k = 0; k < n; k++) {
    const column *c = &r->column[order[k]];
    if (c->by_place ? k > 0 && !(v[k] - v[k - 1] >= 1e-6) : v[k] != (double)(k + 1)) {
      vd_error(r->in.d, c->at,
               c->by_place ? "two long sections at v %g m" : "long sections must count from 1, not reach %g", c->v);
      return false;
    }
  }
  r->out->v = first->by_place ? v : NULL;
  return true;
}

/* --- data --- */

/* Numbers in the order of the file; NAN: missing. */
typedef struct numbers {
  double *value;
  vd_place *row; /* place of the first number in each row */
  size_t rows;
} numbers;

/* Fields of a fixed width; a short last one is what an editor left of it. False after an error. */
static bool read_field(reader *r, vd_slice field, double *value) {
  vd_slice p = vd_trimmed(field);
  *value = NAN;
  if (p.length > 0 && (*p.text == '*' || vd_slice_is(p, "nan")))
    return true;
  if (number(p, value))
    return true;
  ERROR(r, p.length > 0 ? p : field, "expected a number of %zu characters, not '%s'", r->format->size,
        vd_lines_excerpt(&r->in, field));
  return false;
}

/* A row of text: lines of up to 80 characters, the first of which is given. */
static bool read_text_row(reader *r, vd_slice line, double *value) {
  size_t width = r->format->size, each = RECORD / width;
  for (size_t i = 0; i < r->columns; i++) {
    size_t at = i % each * width;
    if (i > 0 && at == 0 && !vd_lines_next(&r->in, &line)) {
      vd_error(r->in.d, r->out->format, "the last row of the data is cut off after %zu of %zu numbers", i, r->columns);
      return false;
    }
    if (at >= line.length) {
      ERROR(r, line, "the line ends after %zu of %zu numbers of the row", i, r->columns);
      return false;
    }
    size_t left = line.length - at;
    if (!read_field(r, (vd_slice){line.text + at, left < width ? left : width}, &value[i]))
      return false;
    if ((i + 1 == r->columns || i % each + 1 == each) && left > width &&
        vd_trimmed((vd_slice){line.text + at + width, left - width}).length > 0) {
      ERROR(r, ((vd_slice){line.text + at + width, left - width}), "more than %zu numbers of the row", i + 1);
      return false;
    }
  }
  return true;
}

static bool read_text(reader *r, numbers *n) {
  size_t lines = vd_lines_left(&r->in), most = MAX_HEIGHTS / r->columns;
  most = lines < most ? lines : most;
  n->value = vd_arena_alloc(r->in.arena, (most + 1) * r->columns * sizeof *n->value);
  n->row = vd_arena_alloc(r->in.arena, (most + 1) * sizeof *n->row);
  vd_slice line;
  size_t row = 0;
  while (vd_lines_next(&r->in, &line)) {
    if (vd_trimmed(line).length == 0)
      continue;
    if (row == most) {
      vd_error(r->in.d, r->out->format, "more than %d numbers", (int)MAX_HEIGHTS);
      return false;
    }
    n->row[row] = vd_lines_place(&r->in, line);
    if (!read_text_row(r, line, n->value + row++ * r->columns))
      return false;
  }
  n->rows = row;
  return true;
}

static double big_endian(const unsigned char *p, size_t size) {
  uint64_t bits = 0;
  for (size_t i = 0; i < size; i++)
    bits = bits << 8 | p[i];
  if (size == sizeof(float)) {
    uint32_t short_bits = (uint32_t)bits;
    float f;
    memcpy(&f, &short_bits, sizeof f);
    return (double)f;
  }
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* Numbers without gaps; the last 80 bytes are filled up with what is not a number, so that whole rows of these are none
 * of the road. */
static bool read_binary(reader *r, numbers *n) {
  size_t size = r->format->size, start = r->in.at < r->in.length ? r->in.at : r->in.length;
  size_t count = (r->in.length - start) / size, padded = 0;
  const unsigned char *bytes = (const unsigned char *)r->in.text + start;
  if (count > MAX_HEIGHTS) {
    vd_error(r->in.d, r->out->format, "more than %d numbers", (int)MAX_HEIGHTS);
    return false;
  }
  n->value = vd_arena_alloc(r->in.arena, (count + 1) * sizeof *n->value);
  for (size_t i = 0; i < count; i++) {
    n->value[i] = big_endian(bytes + i * size, size);
    if (isinf(n->value[i])) {
      vd_error(r->in.d, r->out->format, "number %zu of the data is infinite", i + 1);
      return false;
    }
  }
  while (padded < count && padded + 1 < RECORD / size && isnan(n->value[count - 1 - padded]))
    padded++;
  n->rows = (count - padded + r->columns - 1) / r->columns; /* the last heights may be missing */
  if (n->rows * r->columns > count || count - n->rows * r->columns >= RECORD / size) {
    vd_error(r->in.d, r->out->format, "the data has %zu numbers, which are no rows of %zu in blocks of 80 bytes", count,
             r->columns);
    return false;
  }
  n->row = vd_arena_alloc(r->in.arena, (n->rows + 1) * sizeof *n->row);
  for (size_t i = 0; i < n->rows; i++)
    n->row[i] = r->out->format;
  return true;
}

static bool check_row(reader *r, const numbers *n, size_t row, const double *z) {
  size_t first = 0, last = r->sections;
  while (first < r->sections && isnan(z[first]))
    first++;
  while (last > first && isnan(z[last - 1]))
    last--;
  if (first == last) {
    vd_error(r->in.d, n->row[row], "cross section %zu has no height", row + 1);
    return false;
  }
  for (size_t k = first; k < last; k++)
    if (isnan(z[k])) {
      vd_error(r->in.d, n->row[row], "cross section %zu lacks height %zu from the right, between others", row + 1,
               k + 1);
      return false;
    }
  return true;
}

/* Rows of numbers to channels. The first angle and slope of a line have no meaning, as they are those from a point to
 * the next; the first banking may be "unused", which is 0. */
static bool sort_out(reader *r, const numbers *n, const size_t *order) {
  static const char *const names[] = {"phi", "slope", "banking"};
  double *line[VD_CRG_CHANNELS] = {NULL}, *z = vd_arena_alloc(r->in.arena, n->rows * r->sections * sizeof *z);
  for (size_t i = 0; i < n->rows; i++) {
    const double *value = n->value + i * r->columns;
    for (size_t k = 0; k < r->sections; k++)
      z[i * r->sections + k] = value[order[k]];
    if (!check_row(r, n, i, z + i * r->sections))
      return false;
    for (size_t c = 0; c < r->columns; c++) {
      int what = r->column[c].what;
      if (what == LONG_SECTION)
        continue;
      if (!line[what])
        line[what] = vd_arena_alloc(r->in.arena, n->rows * sizeof *line[what]);
      line[what][i] = i == 0 && isnan(value[c]) ? 0.0 : value[c];
      if (isnan(line[what][i])) {
        vd_error(r->in.d, n->row[i], "cross section %zu lacks the %s of the reference line", i + 1, names[what]);
        return false;
      }
    }
  }
  for (int k = 0; k < VD_CRG_CHANNELS; k++)
    r->out->line[k] = line[k];
  r->out->z = z;
  return true;
}

static bool read_data(reader *r) {
  numbers n = {.rows = 0};
  size_t *order = vd_arena_alloc(r->in.arena, r->sections * sizeof *order);
  if (!order_sections(r, order) || !(r->format->text ? read_text(r, &n) : read_binary(r, &n)))
    return false;
  r->out->rows = n.rows;
  r->out->sections = r->sections;
  r->out->row = n.row;
  if (n.rows < 2) {
    vd_error(r->in.d, r->out->format, "a road needs 2 or more cross sections, not %zu", n.rows);
    return false;
  }
  return sort_out(r, &n, order);
}

bool vd_crg_read(int source, vd_arena *arena, vd_diag *d, vd_crg_file *out) {
  reader r = {.in = vd_lines_of(source, arena, d), .out = out};
  *out = (vd_crg_file){.format = {.source = source}};
  for (size_t k = 0; k < VD_CRG_KEY_COUNT; k++)
    out->value[k] = NAN;
  if (!read_header(&r) || !check_header(&r))
    return false;
  if (!r.format)
    r.format = &formats[2]; /* the standard's default */
  for (size_t k = 0; k < VD_CRG_KEY_COUNT; k++)
    if (isnan(out->value[k]))
      out->at[k] = out->format;
  return read_data(&r);
}
