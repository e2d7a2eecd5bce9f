#include "input/separated.h"

#include "base/base.h"
#include "base/memory.h"

#include <csv.h>
#include <string.h>

/* --- words --- */

bool vd_separated_is_missing(vd_slice f) {
  static const char *const words[] = {"", "nan", "na", "n/a", "#n/a", "notavail", "null"};
  for (size_t i = 0; i < VD_COUNT(words); i++)
    if (vd_slice_is(f, words[i]))
      return true;
  return false;
}

bool vd_separated_number(vd_slice f, bool comma, double *value) {
  return vd_slice_number(f, comma ? "," : "", '.', value);
}

/* Common spellings of units that vd_unit_parse does not read. */
static const struct {
  const char *written, *means;
} spellings[] = {{"-", "1"},           {"--", "1"},          {"none", "1"},      {"sec", "s"},      {"second", "s"},
                 {"seconds", "s"},     {"kmh", "km/h"},      {"km/hr", "km/h"},  {"N-m", "N m"},    {"N.m", "N m"},
                 {"kN-m", "kN m"},     {"degree", "deg"},    {"degrees", "deg"}, {"radian", "rad"}, {"radians", "rad"},
                 {"inch", "in"},       {"newton", "N"},      {"newtons", "N"},   {"meter", "m"},    {"metre", "m"},
                 {"pascal", "Pa"},     {"1/min", "rpm"},     {"rev/min", "rpm"}, {"percent", "%"},  {"m/sec", "m/s"},
                 {"rad/sec", "rad/s"}, {"deg/sec", "deg/s"}, {"degps", "deg/s"}, {"Nmm", "N mm"},   {"Npmm", "N/mm"}};

/* Replaces the signs of degree, square and product by ASCII, and long words by short ones. Returns false if the result
 * is too long for a unit. */
static bool spell_out(vd_slice p, char *out, size_t room) {
  static const struct {
    const char *sign, *word;
  } signs[] = {{"\xc2\xb0", "deg"}, {"\xc2\xba", "deg"}, {"\xb0", "deg"},    {"\xc2\xb2", "2"},
               {"\xb2", "2"},       {"\xc2\xb7", " "},   {"/seconds", "/s"}, {"/second", "/s"},
               {"/sec", "/s"},      {"degrees", "deg"},  {"degree", "deg"}};
  size_t length = 0;
  for (size_t at = 0, k; at < p.length; at += strlen(k < VD_COUNT(signs) ? signs[k].sign : "1")) {
    for (k = 0; k < VD_COUNT(signs); k++)
      if (p.length - at >= strlen(signs[k].sign) && !memcmp(p.text + at, signs[k].sign, strlen(signs[k].sign)))
        break;
    if (length + sizeof "deg" > room)
      return false;
    for (const char *c = k < VD_COUNT(signs) ? signs[k].word : (const char[]){p.text[at], '\0'}; *c; c++)
      out[length++] = *c;
  }
  out[length] = '\0';
  return true;
}

static bool read_unit(vd_slice p, vd_unit *unit) {
  char plain[64];
  for (size_t i = 0; i < VD_COUNT(spellings); i++)
    if (vd_slice_is(p, spellings[i].written))
      return vd_unit_parse(spellings[i].means, strlen(spellings[i].means), unit, NULL, NULL);
  return p.length > 0 && spell_out(p, plain, sizeof plain) && vd_unit_parse(plain, strlen(plain), unit, NULL, NULL);
}

/* Reads a unit. If it is unknown and has only capitals (MM, KM/H), as in files whose words all have only capitals, it
 * is read again in small letters. */
bool vd_separated_unit(const char *text, size_t length, vd_unit *unit) {
  char small[32];
  if (read_unit((vd_slice){text, length}, unit))
    return true;
  for (size_t i = 0; i < length && length <= sizeof small; i++) {
    if (text[i] >= 'a' && text[i] <= 'z')
      return false;
    small[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] - 'A' + 'a' : text[i]);
  }
  return length <= sizeof small && read_unit((vd_slice){small, length}, unit);
}

/* --- fields and rows --- */

static bool is_between(char separator, char c) {
  return c == separator || (separator == ' ' && c == '\t');
}

/* Returns the end of the field that begins at `at`: the offset of the next separator or line break, or of the end of
 * the text. In a quoted field, separators and line breaks within the quotes do not count. */
static size_t field_end(char separator, vd_slice in, size_t at) {
  while (at < in.length && vd_is_blank(in.text[at]) && !is_between(separator, in.text[at]))
    at++;
  if (at < in.length && in.text[at] == '"')
    for (bool inside = true; ++at < in.length && (inside || in.text[at] == '"');)
      inside ^= in.text[at] == '"';
  while (at < in.length && !is_between(separator, in.text[at]) && !vd_is_break(in.text[at]))
    at++;
  return at;
}

static bool is_quoted(vd_slice f) {
  return f.length >= 2 && f.text[0] == '"' && f.text[f.length - 1] == '"';
}

static vd_slice without_quotes(vd_slice f) {
  return is_quoted(f) ? vd_trimmed((vd_slice){f.text + 1, f.length - 2}) : f;
}

bool vd_separated_field(char separator, vd_slice *rest, vd_slice *field) {
  if (separator == ' ')
    *rest = vd_trimmed(*rest);
  if (separator == ' ' ? rest->length == 0 : !rest->text)
    return false;
  const char *text = rest->text;
  size_t end = field_end(separator, *rest, 0);
  *field = without_quotes(vd_trimmed((vd_slice){text, end}));
  *rest = end < rest->length ? (vd_slice){text + end + 1, rest->length - end - 1} : (vd_slice){NULL, 0};
  return true;
}

/* True if a row has no content. */
static bool is_empty(char separator, vd_slice row) {
  for (size_t i = 0; i < row.length; i++)
    if (row.text[i] != separator && !vd_is_blank(row.text[i]))
      return false;
  return true;
}

/* Extends a row to the first line break that is outside of quotes. */
static void close_quotes(vd_separated *s, vd_slice *row) {
  const size_t start = (size_t)(row->text - s->in.text);
  const vd_slice all = {row->text, s->in.length - start};
  size_t end = field_end(s->separator, all, 0);
  while (end < all.length && !vd_is_break(all.text[end]))
    end = field_end(s->separator, all, end + 1);
  if (end <= row->length)
    return;
  vd_slice rest;
  row->length = end;
  s->in.at = start + end;
  vd_lines_next(&s->in, &rest);
}

bool vd_separated_row(vd_separated *s, vd_slice *row) {
  while (vd_lines_next_text(&s->in, s->comment, row)) {
    if (memchr(row->text, '"', row->length))
      close_quotes(s, row);
    if (!is_empty(s->separator, *row))
      return true;
  }
  return false;
}

typedef struct copying {
  vd_arena *arena;
  const char *text;
} copying;

static void take_copy(void *text, size_t length, void *context) {
  copying *c = context;
  const vd_slice f = vd_trimmed((vd_slice){text ? text : "", length});
  c->text = vd_arena_copy(c->arena, f.text, f.length);
}

/* libcsv reads a field with quotation marks. The quotes around the field, which the slice lacks, are added first. */
const char *vd_separated_copy(vd_separated *s, vd_slice f) {
  if (memchr(f.text, '\0', f.length)) {
    VD_LINES_ERROR(&s->in, f, "zero byte in a field");
    return NULL;
  }
  if (!memchr(f.text, '"', f.length))
    return vd_lines_copy(&s->in, f);
  const bool open = f.text[0] == '"' && (f.length == 1 || f.text[1] != '"');
  copying c = {s->in.arena, NULL};
  struct csv_parser parser;
  if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) != 0)
    vd_memory_out();
  csv_set_delim(&parser, '\n'); /* the field may contain any separator */
  size_t parsed = open || csv_parse(&parser, "\"", 1, take_copy, NULL, &c) == 1 ? 0 : f.length;
  parsed = csv_parse(&parser, f.text, f.length, take_copy, NULL, &c);
  bool closed = parsed == f.length && (open || csv_parse(&parser, "\"", 1, take_copy, NULL, &c) == 1);
  if (parsed < f.length)
    VD_LINES_ERROR(&s->in, ((vd_slice){f.text + parsed - 1, 1}), "quotation mark inside a field");
  else if (!closed || csv_fini(&parser, take_copy, NULL, &c) != 0)
    VD_LINES_ERROR(&s->in, f, "quotation mark is not closed");
  csv_free(&parser);
  return s->in.errors == 0 ? c.text : NULL;
}

vd_place vd_separated_place(const vd_diag *d, int source, char separator, size_t offset, size_t column) {
  vd_slice all, f = {NULL, 0};
  all.length = vd_diag_source_text(d, source, &all.text);
  const char *start = all.text;
  for (all = (vd_slice){start + offset, all.length - offset}; vd_separated_field(separator, &all, &f) && column > 0;)
    column--;
  return vd_diag_place(d, source, (size_t)(f.text - start), f.length > 0 ? f.length : 1);
}

/* --- names --- */

/* Returns the first of tab, semicolon and comma that separates fields of the line, else a blank. */
static char separator_of(const vd_separated_form *form, vd_slice line) {
  static const char order[] = {'\t', ';', ','};
  if (form->separator)
    return form->separator;
  for (size_t i = 0; i < sizeof order; i++) {
    const size_t end = field_end(order[i], line, 0);
    if (end < line.length && line.text[end] == order[i])
      return order[i];
  }
  return ' ';
}

static const char opening[] = "[({<", closing[] = "])}>";

static vd_slice inside_brackets(vd_slice f) {
  const char *open = f.length > 2 ? strchr(opening, f.text[0]) : NULL;
  bool both = open && *open && f.text[f.length - 1] == closing[open - opening];
  return both ? vd_trimmed((vd_slice){f.text + 1, f.length - 2}) : f;
}

static bool is_unit(vd_slice f) {
  vd_unit unit;
  return vd_separated_unit(f.text, f.length, &unit);
}

/* True if a text may be a name that is followed by its unit. False if the text is itself a unit, like km in km/h, or
 * ends with one, like toe_deg in toe_deg/kN. "t" is the time, not the tonne. */
static bool lacks_unit(vd_slice name) {
  size_t end = name.length;
  while (end > 0 && name.text[end - 1] != '_')
    end--;
  return vd_slice_is(name, "t") || !is_unit((vd_slice){name.text + end, name.length - end});
}

/* Splits "SA [deg]" into name and unit, and also "SA / deg" and "SA in deg". */
static void split_unit(vd_slice *name, vd_slice *unit) {
  *unit = (vd_slice){"", 0};
  for (int i = 0; opening[i] && name->length > 0; i++) {
    const char *from = memchr(name->text, opening[i], name->length);
    if (!from || from == name->text || name->text[name->length - 1] != closing[i])
      continue;
    *unit = vd_trimmed((vd_slice){from + 1, name->length - (size_t)(from - name->text) - 2});
    *name = vd_trimmed((vd_slice){name->text, (size_t)(from - name->text)});
  }
  for (size_t i = 1; i + 1 < name->length && unit->length == 0; i++) {
    const size_t sign = name->text[i] == '/' ? 1 : i + 4 < name->length && !memcmp(name->text + i, " in ", 4) ? 4 : 0;
    const vd_slice head = vd_trimmed((vd_slice){name->text, i}),
                   tail = vd_trimmed((vd_slice){name->text + i + sign, name->length - i - sign});
    if (sign && is_unit(tail) && lacks_unit(head)) {
      *name = head;
      *unit = tail;
    }
  }
}

/* Counts of the fields of a line. */
typedef struct tally {
  size_t fields, numbers, units, missing, last; /* last: number of fields up to the last that is not empty */
} tally;

static tally count(char separator, vd_slice line) {
  tally t = {0};
  bool word = false;
  for (vd_slice f; vd_separated_field(separator, &line, &f); t.fields++) {
    const vd_slice inside = inside_brackets(f);
    const bool bracketed = inside.text > f.text;
    double number;
    t.numbers += !bracketed && vd_separated_number(f, separator != ',', &number);
    t.missing += vd_separated_is_missing(f);
    t.units += is_unit(inside);
    t.fields -= separator == ' ' && bracketed && word; /* this field is the unit of the last name */
    word = !bracketed;
    t.last = f.length > 0 ? t.fields + 1 : t.last;
  }
  return t;
}

/* Returns the separator of a row below a line of names; 0: names and row differ in their number of fields. Names
 * separated by blanks may stand above rows with another separator, as numpy.savetxt writes them. */
static char separator_below(const vd_separated_form *form, vd_slice names, vd_slice row) {
  const char own = separator_of(form, row), above = separator_of(form, names);
  const tally n = count(above, names), t = count(above, row);
  const size_t fields = n.fields;
  if (t.fields == fields && t.last <= n.last && (above != ' ' || own == ' ' || (fields > 1 && t.numbers > 0)))
    return above;
  return fields > 1 && own != above && count(own, row).fields == fields ? own : 0;
}

/* Returns a comment's text behind its mark. */
static vd_slice behind_marker(const vd_separated *s, vd_slice line) {
  line = vd_trimmed(line);
  for (size_t mark; (mark = vd_comment_mark(line, s->comment)) > 0;)
    line = vd_trimmed((vd_slice){line.text + mark, line.length - mark});
  return line;
}

/* Finds the names in a comment above the first row: the last comment that has no number and as many fields as the row.
 * A comment with units may stand between it and the row. Reading continues behind the names. */
static bool find_in_comments(vd_separated *s, const vd_separated_form *form, vd_lines from, vd_slice *line) {
  const vd_slice row = *line;
  vd_lines behind = s->in;
  bool found = false;
  for (vd_slice c; vd_lines_next(&from, &c) && c.text < row.text;) {
    c = behind_marker(s, c);
    const tally t = count(separator_of(form, c), c);
    if (c.length == 0 || t.numbers > 0 || !separator_below(form, c, row) || (found && t.units + t.missing == t.fields))
      continue;
    found = true;
    *line = c;
    behind = from;
  }
  s->in = behind;
  return found;
}

/* Skips lines above the names: titles, or settings of an instrument. The line of names is the first that has as many
 * fields as every line below it, up to the first row that is mostly numbers. If there is no such line, the names are in
 * the first line. */
static void pass_titles(vd_separated *s, const vd_separated_form *form, vd_slice *line) {
  enum { FARTHEST = 200 };
  const vd_lines first = s->in;
  vd_lines behind = first;
  vd_slice names = *line, row;
  size_t above = 0;
  for (size_t i = 1; i < FARTHEST && vd_separated_row(s, &row); i++) {
    const char separator = separator_of(form, names);
    const tally t = count(separator, names);
    const bool may = above == 0 || (t.numbers == 0 && t.fields > 1),
               fits = may && separator_below(form, names, row) == separator;
    const tally r = count(separator, row);
    if (fits && r.numbers > 0 && 2 * r.numbers >= r.last) {
      *line = names;
      s->above = above;
      s->in = behind;
      return;
    }
    if (!fits) {
      names = row;
      above = i;
      behind = s->in;
    }
  }
  s->in = first;
}

/* True if each row begins with a quoted name, to which no field in the line of names belongs, as R writes tables. */
static bool has_row_names(char separator, vd_slice names, vd_slice row) {
  return vd_trimmed(row).length > 0 && *vd_trimmed(row).text == '"' &&
         count(separator, row).fields == count(separator, names).fields + 1;
}

/* Finds the line of names, and the separators of names and rows. */
static bool find_names(vd_separated *s, const vd_separated_form *form, vd_slice *line, char *separator) {
  const vd_lines from = s->in;
  vd_slice row;
  do {
    if (!vd_lines_next_text(&s->in, s->comment, line))
      return vd_error(s->in.d, (vd_place){.source = s->in.source}, "no line of names: the file is empty");
    s->separator = separator_of(form, *line);
    close_quotes(s, line);
  } while (is_empty(s->separator, *line));
  const tally t = count(s->separator, *line);
  s->behind_marker = t.numbers > 0 && find_in_comments(s, form, from, line);
  if (!s->behind_marker && t.numbers == t.fields) {
    VD_LINES_ERROR(&s->in, *line,
                   "the first line must name the columns, but holds numbers; write their names above it");
    return false;
  }
  if (!s->behind_marker)
    pass_titles(s, form, line);
  *separator = separator_of(form, *line);
  vd_lines ahead = s->in;
  const char below = vd_lines_next_text(&ahead, s->comment, &row) ? separator_below(form, *line, row) : 0;
  s->separator = below ? below : *separator;
  s->columns = !below && ahead.at > s->in.at && has_row_names(*separator, *line, row);
  return true;
}

/* Reads the names. A column of row names is already there, with an empty name. */
static bool read_names(vd_separated *s, char separator, vd_slice line) {
  vd_slice f;
  for (size_t i = 0; i < s->columns; i++) {
    s->name_field[i] = (vd_slice){line.text, 0};
    s->name[i] = s->unit[i] = "";
  }
  for (bool word = false; vd_separated_field(separator, &line, &f);) {
    vd_slice unit;
    if (s->columns == VD_MAX_COLUMNS) {
      VD_LINES_ERROR(&s->in, f, "more than %d columns", VD_MAX_COLUMNS);
      return false;
    }
    if (separator == ' ' && word && inside_brackets(f).text > f.text) { /* "SA [deg]" */
      s->unit[s->columns - 1] = vd_lines_copy(&s->in, inside_brackets(f));
      word = false;
      continue;
    }
    word = true;
    s->name_field[s->columns] = f;
    split_unit(&f, &unit);
    s->name[s->columns] = vd_separated_copy(s, f);
    s->unit[s->columns++] = vd_lines_copy(&s->in, unit);
  }
  while (s->columns > 1 && s->name_field[s->columns - 1].length == 0) /* separators at the end of each line */
    s->columns--;
  return s->in.errors == 0;
}

/* Reads the units, if the line below the names contains no number and at least one word. */
static void read_units(vd_separated *s, const vd_separated_form *form) {
  const vd_lines before = s->in;
  vd_slice line, next, f;
  bool there = s->behind_marker ? vd_lines_next(&s->in, &line) : vd_separated_row(s, &line);
  if (!there)
    return;
  const vd_slice rest = s->behind_marker ? behind_marker(s, line) : line;
  const char separator = s->behind_marker ? separator_of(form, rest) : s->separator;
  const tally t = count(separator, rest);
  const vd_lines behind = s->in;
  s->has_units = t.numbers == 0 && t.missing < t.fields && t.fields >= s->columns;
  if (form->words)
    s->has_units &=
        t.units + t.missing >= t.fields && vd_separated_row(s, &next) && count(s->separator, next).numbers > 0;
  s->in = s->has_units ? behind : before;
  line = rest;
  for (size_t i = 0; s->has_units && i < s->columns && vd_separated_field(separator, &line, &f); i++)
    if (s->unit[i][0] == '\0')
      s->unit[i] = vd_lines_copy(&s->in, inside_brackets(f));
}

/* Reads a first line like sep=; with any separator. It counts as one of the lines that `skip` skips. */
static void read_sep(vd_separated *s, vd_separated_form *form) {
  vd_lines in = s->in;
  vd_slice line;
  if (!vd_lines_next(&in, &line) || line.length < 5 || !vd_slice_is((vd_slice){line.text, 4}, "sep="))
    return;
  if (!form->separator)
    form->separator = line.text[4];
  if (form->skip == 0)
    s->in = in;
}

bool vd_separated_open(const vd_separated_form *given, int source, vd_arena *arena, vd_diag *d, vd_separated *out) {
  vd_separated_form form = *given;
  vd_slice line;
  char separator = 0;
  *out = (vd_separated){.in = vd_lines_of(source, arena, d),
                        .comment = *form.comment ? form.comment : "#%!",
                        .name = vd_arena_alloc(arena, VD_MAX_COLUMNS * sizeof *out->name),
                        .unit = vd_arena_alloc(arena, VD_MAX_COLUMNS * sizeof *out->unit),
                        .name_field = vd_arena_alloc(arena, VD_MAX_COLUMNS * sizeof *out->name_field)};
  read_sep(out, &form);
  for (int i = 0; i < form.skip && vd_lines_next(&out->in, &line); i++) {
  }
  if (!find_names(out, &form, &line, &separator) || !read_names(out, separator, line))
    return false;
  read_units(out, &form);
  return true;
}

bool vd_separated_look(int source, const vd_diag *d, vd_arena *arena, vd_separated *out) {
  const vd_separated_form form = {.comment = ""};
  const char *text;
  size_t length = vd_diag_source_text(d, source, &text);
  vd_diag *quiet = vd_diag_create();
  bool good = vd_separated_open(&form, vd_diag_add_source(quiet, "", text, length), arena, quiet, out);
  vd_diag_destroy(quiet);
  return good;
}

bool vd_separated_split(vd_separated *s, vd_slice row, vd_slice *field) {
  size_t count = 0;
  vd_slice rest = row, f = row;
  for (; vd_separated_field(s->separator, &rest, &f); count++) {
    if (count < s->columns)
      field[count] = f;
    else if (f.length == 0 && is_empty(s->separator, rest))
      break;
  }
  if (count != s->columns && f.length > 0 && *f.text == '"')
    VD_LINES_ERROR(&s->in, f, "quotation mark is not closed");
  else if (count != s->columns)
    VD_LINES_ERROR(&s->in, vd_trimmed(row), "row of %zu field%s below %zu name%s", count, count == 1 ? "" : "s",
                   s->columns, s->columns == 1 ? "" : "s");
  return count == s->columns;
}
