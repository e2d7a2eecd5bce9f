#include "input/crg.h"

#include "base/base.h"
#include "base/system.h"
#include "base/text.h"
#include "input/file.h"
#include "input/lines.h"
#include "input/measured.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum section { NONE, COMMENT, ROAD, DEFINITION, OPTIONS, MODIFIERS, PROJECTION, FILE_NAME, SECTIONS };
enum { MAX_CHANNELS = 10000, MAX_HEIGHTS = 16000000, RECORD = 80, HEADER = 72, MAX_REFERENCES = 8 };

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

/* The format in which numbers are written. */
typedef struct format {
  const char *name;
  bool text;
  size_t size;  /* characters or bytes of a number */
  bool wrapped; /* text: a row continues in the next line after 80 characters */
} format;

static const format formats[] = {{"LRFI", true, 10, true},  {"LDFI", true, 20, true},  {"KRBI", false, 4, false},
                                 {"KDBI", false, 8, false}, {"KRFI", true, 10, false}, {"KDFI", true, 20, false}};

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
  const char *reference; /* name of another file, which contains the road; NULL: none */
  vd_place named_at;     /* place of this name */
  bool fixed[SECTIONS];  /* options and modifiers that an earlier file in the chain of references has given */
  size_t words;          /* number of text fields that are not numbers */
} reader;

const char *vd_crg_key_name(enum vd_crg_key key) {
  return keys[key].name;
}

double vd_crg_value(const vd_crg_file *file, enum vd_crg_key key, double otherwise) {
  return isnan(file->value[key]) ? otherwise : file->value[key];
}

vd_place vd_crg_row_place(const vd_crg_file *file, const vd_diag *d, size_t row) {
  const char *text;
  if (!file->row)
    return file->format;
  vd_diag_source_text(d, file->format.source, &text);
  return vd_diag_place(d, file->format.source, (size_t)(file->row[row].text - text), file->row[row].length);
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

static double number_of(const vd_crg_file *file, size_t i) {
  return file->bytes ? big_endian(file->bytes + i * file->size, file->size) : file->number[i];
}

void vd_crg_heights(const vd_crg_file *file, size_t row, double *z) {
  for (size_t k = 0; k < file->sections; k++)
    z[k] = number_of(file, row * file->columns + file->order[k]);
}

/* --- words --- */

#define ERROR(r, slice, ...)   VD_LINES_ERROR(&(r)->in, slice, __VA_ARGS__)
#define WARNING(r, slice, ...) vd_warning((r)->in.d, vd_lines_place(&(r)->in, slice), __VA_ARGS__)

/* Returns the part of a header line that is read: at most 72 characters, up to a comment. */
static vd_slice header_text(vd_slice line) {
  line.length = line.length < HEADER ? line.length : HEADER;
  const char *mark = memchr(line.text, '!', line.length);
  if (mark)
    line.length = (size_t)(mark - line.text);
  return vd_trimmed(line);
}

/* Removes a word from the front of a slice if it is there. Upper and lower case are equal; a blank in the word matches
 * any number of blanks. */
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

/* Reads a number as programs write it, also with D for the exponent of a double. Returns false if it is not a finite
 * number. */
static bool number(vd_slice p, double *value) {
  return vd_slice_number(p, "dD", 'e', value);
}

/* --- header --- */

/* Reads the number at the start of a text and ignores what follows it, as the readers published with the standard
 * do. */
static bool leading_number(reader *r, vd_slice p, const char *name, double *value) {
  if (number(p, value))
    return true;
  for (size_t length = p.length; length-- > 1;)
    if (number((vd_slice){p.text, length}, value)) {
      WARNING(r, p, "%s: '%s' is read as %g", name, vd_lines_excerpt(&r->in, p), *value);
      return true;
    }
  ERROR(r, p, "%s is not a number: '%s'", name, vd_lines_excerpt(&r->in, p));
  return false;
}

static void set_key(reader *r, size_t k, vd_slice key, vd_slice value) {
  double x, before = r->out->value[k];
  if (!leading_number(r, value, keys[k].name, &x))
    return;
  if (!(fabs(x) <= keys[k].most)) {
    ERROR(r, value, "%s must be %g to %g, not %g", keys[k].name, -keys[k].most, keys[k].most, x);
    return;
  }
  if (x == before)
    vd_remark(r->in.d, vd_lines_place(&r->in, key), "%s is given twice in $%s", keys[k].name,
              section_names[r->section]);
  else if (!isnan(before))
    WARNING(r, key, "%s is given twice in $%s: the last value is used, %g, not %g", keys[k].name,
            section_names[r->section], x, before);
  else if (keys[k].use == UNUSED)
    vd_remark(r->in.d, vd_lines_place(&r->in, key), "%s is read and not used", keys[k].name);
  r->out->value[k] = x;
  r->out->at[k] = vd_lines_place(&r->in, value);
}

static const char *similar_key(const reader *r, vd_slice key) {
  const char *names[VD_COUNT(keys)];
  size_t count = 0;
  for (size_t k = 0; k < VD_COUNT(keys); k++)
    if (keys[k].section == r->section)
      names[count++] = keys[k].name;
  return vd_suggest(vd_lines_copy(&r->in, key), names, count);
}

static void read_key(reader *r, vd_slice line) {
  const char *equal = memchr(line.text, '=', line.length);
  if (!equal) {
    WARNING(r, line, "expected KEY = number in $%s; '%s' is not used", section_names[r->section],
            vd_lines_excerpt(&r->in, line));
    return;
  }
  vd_slice key = vd_trimmed((vd_slice){line.text, (size_t)(equal - line.text)});
  vd_slice value = vd_trimmed((vd_slice){equal + 1, line.length - (size_t)(equal + 1 - line.text)});
  size_t k = 0;
  while (k < VD_COUNT(keys) && !(keys[k].section == r->section && vd_slice_is(key, keys[k].name)))
    k++;
  if (k < VD_COUNT(keys)) {
    set_key(r, k, key, value);
    return;
  }
  const char *meant = similar_key(r, key);
  WARNING(r, key, "unknown key '%s' in $%s is not used%s%s%s", vd_lines_excerpt(&r->in, key), section_names[r->section],
          meant ? "; did you mean '" : "", meant ? meant : "", meant ? "'?" : "");
}

static void read_format(reader *r, vd_slice word) {
  if (r->format) {
    ERROR(r, word, "the format of the data is given twice");
    return;
  }
  r->out->format = vd_lines_place(&r->in, word);
  for (size_t i = 0; i < VD_COUNT(formats); i++)
    if (vd_slice_is(word, formats[i].name))
      r->format = &formats[i];
  if (!r->format)
    ERROR(r, word, "format '%s' is not supported; LRFI, LDFI, KRBI, KDBI, KRFI and KDFI are",
          vd_lines_excerpt(&r->in, word));
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
      ERROR(r, name, "channel '%s' is given twice", vd_lines_excerpt(&r->in, name));
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
  else if (!take(&rest, "u:")) /* what U: lines state follows from other lines */
    ERROR(r, line, "expected '#:', 'D:' or 'U:' in $KD_DEFINITION, not '%s'", vd_lines_excerpt(&r->in, line));
}

static void forget_section(reader *r, enum section s) {
  r->seen[s] = false;
  for (size_t k = 0; k < VD_COUNT(keys); k++)
    r->out->value[k] = keys[k].section == s ? NAN : r->out->value[k];
}

static void begin_section(reader *r, enum section s, vd_slice name) {
  if (r->seen[s] && s != COMMENT) {
    if (s == DEFINITION || s == FILE_NAME)
      ERROR(r, name, "section $%s is given twice", section_names[s]);
    else
      WARNING(r, name, "section $%s is given twice: the last one is used", section_names[s]);
  }
  if (s == OPTIONS || s == MODIFIERS)
    forget_section(r, s); /* only the last block counts; the values of earlier ones are dropped */
  if (s == PROJECTION)
    vd_remark(r->in.d, vd_lines_place(&r->in, name), "the map projection ($ROAD_CRG_MPRO) is not used");
  r->seen[s] = true;
}

/* Reads a line that begins with $: it begins or ends a section. */
static void read_section_line(reader *r, vd_slice line) {
  vd_slice name = {line.text + 1, 0}; /* the name is one word; what follows is a comment */
  while (name.length < line.length - 1 && !vd_is_blank(name.text[name.length]))
    name.length++;
  bool named = name.length > 0 && (*name.text | 0x20) >= 'a' && (*name.text | 0x20) <= 'z';
  if (named && r->section != NONE)
    WARNING(r, line, "$%s does not end before this section", section_names[r->section]);
  r->section = NONE;
  if (!named)
    return;
  r->section = COMMENT;
  while (r->section < SECTIONS && !vd_slice_is(name, section_names[r->section]))
    r->section++;
  if (r->section == SECTIONS)
    WARNING(r, name, "section $%s is not used", vd_lines_excerpt(&r->in, name));
  else if (!r->fixed[r->section])
    begin_section(r, r->section, name);
  if (r->section == SECTIONS || r->fixed[r->section])
    r->section = COMMENT; /* its lines are skipped */
}

/* Reads the name of another file. It may be split over lines, and begin with an environment variable: $NAME/... */
static void read_reference(reader *r, vd_slice line) {
  size_t word = 0;
  if (line.length > 2 && (*line.text == '\'' || *line.text == '"') && line.text[line.length - 1] == *line.text)
    line = (vd_slice){line.text + 1, line.length - 2};
  while (*line.text == '$' && word < line.length && line.text[word] != '/')
    word++;
  const char *value = word > 0 ? getenv(vd_lines_copy(&r->in, (vd_slice){line.text + 1, word - 1})) : NULL;
  if (value)
    line = (vd_slice){line.text + word, line.length - word};
  if (!r->reference)
    r->named_at = vd_lines_place(&r->in, line);
  r->reference = vd_arena_printf(r->in.arena, "%s%s%s", r->reference ? r->reference : "", value ? value : "",
                                 vd_lines_copy(&r->in, line));
}

static void read_header_line(reader *r, vd_slice line) {
  line = header_text(line);
  if (r->section == COMMENT || r->section == PROJECTION || line.length == 0 || *line.text == '*')
    return;
  switch (r->section) {
  case ROAD:
  case OPTIONS:
  case MODIFIERS: read_key(r, line); break;
  case DEFINITION: read_definition(r, line); break;
  case FILE_NAME: read_reference(r, line); break;
  case COMMENT:
  case PROJECTION:
  case SECTIONS: break;
  case NONE:
    WARNING(r, line, "'%s' stands outside of all sections, and is not used", vd_lines_excerpt(&r->in, line));
    break;
  }
}

/* True if a line is the first row of the data, although no line $$ ends the header. */
static bool begins_data(const reader *r, vd_slice line) {
  static const char *const missing[] = {"**unused**", "*missing*"};
  bool row = *line.text != '*' && *line.text != '$' && header_text(line).length > 0 && *header_text(line).text != '*';
  for (size_t i = 0; i < VD_COUNT(missing); i++)
    row |= take(&(vd_slice){vd_trimmed(line).text, vd_trimmed(line).length}, missing[i]);
  return row && r->section == NONE && r->seen[DEFINITION] && r->format && r->format->text;
}

/* Reads the header, up to and including the line that begins with $$. Returns false if there is no data. */
static bool read_header(reader *r) {
  vd_slice line;
  for (size_t start = r->in.at; vd_lines_next(&r->in, &line); start = r->in.at) {
    if (line.length >= 2 && line.text[0] == '$' && line.text[1] == '$')
      return true;
    if (line.length > 0 && begins_data(r, line)) {
      WARNING(r, line, "the data begins here, without a line that begins with $$");
      r->in.at = start;
      return true;
    }
    if (line.length > 0 && *line.text == '$')
      read_section_line(r, header_text(line));
    else
      read_header_line(r, line);
  }
  return false;
}

/* --- long sections --- */

static bool check_header(reader *r) {
  const vd_place whole = {.source = r->in.source};
  bool road = r->seen[ROAD], defined = r->seen[DEFINITION], wide = r->sections >= 2;
  if (r->section != NONE)
    vd_warning(r->in.d, whole, "$%s does not end before the data", section_names[r->section]);
  if (!road)
    vd_error(r->in.d, whole, "there is no section $ROAD_CRG");
  if (!defined)
    vd_error(r->in.d, whole, "there is no section $KD_DEFINITION");
  else if (!wide)
    vd_error(r->in.d, r->out->format, "a road needs 2 or more long sections, not %zu", r->sections);
  return r->in.errors == 0 && road && defined && wide;
}

/* Writes the indices of the columns of the long sections, in the order of the sections from right to left. */
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

/* Reads a field of fixed width. The last field of a line may be shorter, as editors remove blanks there. Returns false
 * after an error. */
static bool read_field(reader *r, vd_slice field, double *value) {
  vd_slice p = vd_trimmed(field);
  *value = NAN;
  if (p.length > 0 && (*p.text == '*' || vd_slice_is(p, "nan")))
    return true;
  if (number(p, value))
    return true;
  for (size_t i = 0; i < p.length; i++)
    if (!strchr("0123456789+-.eEdD ", p.text[i])) { /* the standard's own reader treats any word as missing */
      if (r->words++ == 0)
        WARNING(r, p, "'%s' is not a number, and taken as missing, as are all such fields",
                vd_lines_excerpt(&r->in, field));
      *value = NAN;
      return true;
    }
  ERROR(r, p.length > 0 ? p : field, "expected a number of %zu characters, not '%s'", r->format->size,
        vd_lines_excerpt(&r->in, field));
  return false;
}

/* Reads a row of text that begins with `line`. It takes one line, or, if the format is wrapped, several lines of up to
 * 80 characters. */
static bool read_text_row(reader *r, vd_slice line, double *value) {
  size_t width = r->format->size, each = r->format->wrapped ? RECORD / width : r->columns;
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

static bool read_text(reader *r) {
  size_t lines = vd_lines_left(&r->in), most = MAX_HEIGHTS / r->columns, row = 0;
  most = lines < most ? lines : most;
  double *number = vd_arena_alloc(r->in.arena, (most + 1) * r->columns * sizeof *number);
  vd_slice line, *first = vd_arena_alloc(r->in.arena, (most + 1) * sizeof *first);
  while (vd_lines_next(&r->in, &line)) {
    if (vd_trimmed(line).length == 0)
      continue;
    if (row == most) {
      vd_error(r->in.d, r->out->format, "more than %d numbers", (int)MAX_HEIGHTS);
      return false;
    }
    first[row] = line;
    if (!read_text_row(r, line, number + row++ * r->columns))
      return false;
  }
  r->out->number = number;
  r->out->row = first;
  r->out->rows = row;
  return true;
}

/* Reads binary numbers, which follow each other without gaps. NaNs fill up the last block of 80 bytes; rows of nothing
 * but these NaNs do not belong to the road. */
static bool read_binary(reader *r) {
  vd_crg_file *out = r->out;
  size_t size = r->format->size, start = r->in.at < r->in.length ? r->in.at : r->in.length;
  size_t count = (r->in.length - start) / size, padded = 0;
  if (count > MAX_HEIGHTS) {
    vd_error(r->in.d, out->format, "more than %d numbers", (int)MAX_HEIGHTS);
    return false;
  }
  out->bytes = (const unsigned char *)r->in.text + start;
  out->size = size;
  for (size_t i = 0; i < count; i++)
    if (isinf(number_of(out, i))) {
      vd_error(r->in.d, out->format, "number %zu of the data is infinite", i + 1);
      return false;
    }
  while (padded < count && padded + 1 < RECORD / size && isnan(number_of(out, count - 1 - padded)))
    padded++;
  out->rows = (count - padded + r->columns - 1) / r->columns; /* the last heights may be missing */
  if (out->rows * r->columns > count || count - out->rows * r->columns >= RECORD / size) {
    vd_error(r->in.d, out->format, "the data has %zu numbers, which do not form rows of %zu in blocks of 80 bytes",
             count, r->columns);
    return false;
  }
  return true;
}

static bool check_row(reader *r, size_t row, const double *z) {
  size_t first = 0, last = r->sections;
  while (first < r->sections && isnan(z[first]))
    first++;
  while (last > first && isnan(z[last - 1]))
    last--;
  if (first == last) {
    vd_error(r->in.d, vd_crg_row_place(r->out, r->in.d, row), "cross section %zu has no height", row + 1);
    return false;
  }
  for (size_t k = first; k < last; k++)
    if (isnan(z[k])) {
      vd_error(r->in.d, vd_crg_row_place(r->out, r->in.d, row),
               "cross section %zu lacks height %zu from the right, between others", row + 1, k + 1);
      return false;
    }
  return true;
}

/* Copies the channels of the line from all rows, and checks the heights. The first angle and slope of the line have no
 * meaning, because each belongs to the segment before its point. The first banking may be "unused", which means 0. */
static bool distribute(reader *r) {
  static const char *const names[] = {"phi", "slope", "banking"};
  const size_t rows = r->out->rows;
  double *line[VD_CRG_CHANNELS] = {NULL}, *z = vd_arena_alloc(r->in.arena, r->sections * sizeof *z);
  for (size_t i = 0; i < rows; i++) {
    vd_crg_heights(r->out, i, z);
    if (!check_row(r, i, z))
      return false;
    for (size_t c = 0; c < r->columns; c++) {
      int what = r->column[c].what;
      if (what == LONG_SECTION)
        continue;
      if (!line[what])
        line[what] = vd_arena_alloc(r->in.arena, rows * sizeof *line[what]);
      double value = number_of(r->out, i * r->columns + c);
      line[what][i] = i == 0 && isnan(value) ? 0.0 : value;
      if (isnan(line[what][i])) {
        vd_error(r->in.d, vd_crg_row_place(r->out, r->in.d, i), "cross section %zu lacks the %s of the reference line",
                 i + 1, names[what]);
        return false;
      }
    }
  }
  for (int k = 0; k < VD_CRG_CHANNELS; k++)
    r->out->line[k] = line[k];
  return true;
}

static bool read_data(reader *r) {
  vd_crg_file *out = r->out;
  size_t *order = vd_arena_alloc(r->in.arena, r->sections * sizeof *order);
  out->columns = r->columns;
  out->sections = r->sections;
  out->order = order;
  if (!order_sections(r, order) || !(r->format->text ? read_text(r) : read_binary(r)))
    return false;
  if (out->rows < 2) {
    vd_error(r->in.d, out->format, "a road needs 2 or more cross sections, not %zu", out->rows);
    return false;
  }
  return distribute(r);
}

/* Continues with the file that contains the road. Options and modifiers are taken from the first file that gives them,
 * all else from the last file. Returns false after an error. */
static bool follow(reader *r, int depth) {
  vd_arena *arena = r->in.arena;
  const char *folder = vd_file_folder(arena, vd_diag_source_name(r->in.d, r->in.source));
  const char *name = r->reference,
             *path = vd_path_is_absolute(name) ? name : vd_arena_printf(arena, "%s%s", folder, name);
  int source;
  if (depth == MAX_REFERENCES)
    return vd_error(r->in.d, r->named_at, "more than %d references from file to file", (int)MAX_REFERENCES);
  if (r->seen[ROAD] || r->seen[DEFINITION])
    vd_warning(r->in.d, r->named_at, "the road is that of '%s'; other keys of a road in this file are not used", name);
  if (!vd_measured_load(access(path, R_OK) != 0 && access(name, R_OK) == 0 ? name : path, r->named_at, r->in.d,
                        &source))
    return false;
  r->fixed[OPTIONS] |= r->seen[OPTIONS];
  r->fixed[MODIFIERS] |= r->seen[MODIFIERS];
  for (enum section s = NONE; s < SECTIONS; s++)
    if (!r->fixed[s])
      forget_section(r, s);
  r->in = vd_lines_of(source, arena, r->in.d);
  r->section = NONE;
  r->reference = NULL;
  r->format = NULL;
  r->columns = r->sections = 0;
  r->out->format = (vd_place){.source = source};
  return true;
}

bool vd_crg_read(int source, vd_arena *arena, vd_diag *d, vd_crg_file *out) {
  reader r = {.in = vd_lines_of(source, arena, d), .out = out};
  *out = (vd_crg_file){.format = {.source = source}};
  for (size_t k = 0; k < VD_CRG_KEY_COUNT; k++)
    out->value[k] = NAN;
  bool data = read_header(&r);
  for (int depth = 0; r.in.errors == 0 && r.reference; depth++) {
    if (!follow(&r, depth))
      return false;
    data = read_header(&r);
  }
  if (!data)
    vd_error(d, (vd_place){.source = r.in.source}, "the header does not end: there is no line that begins with $$");
  if (!data || !check_header(&r))
    return false;
  if (!r.format)
    r.format = &formats[2]; /* the standard's default */
  for (size_t k = 0; k < VD_CRG_KEY_COUNT; k++)
    if (isnan(out->value[k]))
      out->at[k] = out->format;
  return read_data(&r);
}
