#include "input/measured.h"

#include "base/base.h"
#include "base/num.h"
#include "input/file.h"
#include "input/schema.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum {
  MAX_BYTES = 1 << 30,
  MAX_COLUMNS = 4096,
  MAX_ERRORS = 20, /* in one table; after as many errors reading stops */
};

const char *const vd_separator_names[] = {"auto", "comma", "semicolon", "tab", "blank", NULL};
const char *const vd_decimal_names[] = {"auto", "point", "comma", NULL};
const char *const vd_missing_names[] = {"error", "omit", NULL};

static const vd_field measured_fields[] = {VD_MEASURED_ROWS(vd_measured_def, , 0, "file of measured rows")};

static const vd_field column_fields[] = {
    {VD_F_STRING(vd_column_def, column, "column", "\"\"",
                 "name of the column in the file; empty: its usual name, if there is such a column"),
     .flags = VD_OMIT_DEFAULT, .example = "channel_3"},
    {VD_F_STRING(vd_column_def, unit, "unit", "\"\"", "its unit; empty: that of the file, or SI if the file has none"),
     .flags = VD_OMIT_DEFAULT, .example = "km/h"},
    {VD_F_NUMBER(vd_column_def, scale, "scale", "1", -1e12, 1e12, VD_AUTO | VD_OMIT_DEFAULT, "auto",
                 "factor on its numbers, such as -1; auto: 1"),
     .example = "-1"},
    {VD_F_NUMBER(vd_column_def, offset, "offset", "1", -1e12, 1e12, VD_AUTO | VD_OMIT_DEFAULT, "auto",
                 "what is added after that, in its unit; auto: 0")},
};

const vd_schema vd_measured_rows = {.field = measured_fields, .count = VD_COUNT(measured_fields)};

const vd_schema vd_column_schema = {
    .name = "column", VD_SCHEMA_ROWS(vd_column_def, column_fields), .shorthand = "column"};

bool vd_column_is_given(const vd_column_def *column_def) {
  return *column_def->column || *column_def->unit || !isnan(column_def->scale) || !isnan(column_def->offset);
}

/* --- words --- */

bool vd_measured_is_missing(vd_slice p) {
  static const char *const words[] = {"", "nan", "na", "n/a", "notavail"};
  for (size_t i = 0; i < VD_COUNT(words); i++)
    if (vd_slice_is(p, words[i]))
      return true;
  return false;
}

bool vd_measured_number(vd_slice p, bool comma, double *value) {
  return vd_slice_number(p, comma ? "," : "", '.', value);
}

/* Common spellings of units that vd_unit_parse does not know. */
static const struct {
  const char *written, *means;
} spellings[] = {{"-", "1"},           {"--", "1"},          {"none", "1"},      {"sec", "s"},      {"second", "s"},
                 {"seconds", "s"},     {"kmh", "km/h"},      {"km/hr", "km/h"},  {"N-m", "N m"},    {"N.m", "N m"},
                 {"kN-m", "kN m"},     {"degree", "deg"},    {"degrees", "deg"}, {"radian", "rad"}, {"radians", "rad"},
                 {"inch", "in"},       {"newton", "N"},      {"newtons", "N"},   {"meter", "m"},    {"metre", "m"},
                 {"pascal", "Pa"},     {"1/min", "rpm"},     {"rev/min", "rpm"}, {"percent", "%"},  {"m/sec", "m/s"},
                 {"rad/sec", "rad/s"}, {"deg/sec", "deg/s"}, {"degps", "deg/s"}, {"Nmm", "N mm"},   {"Npmm", "N/mm"}};

/* Replaces the signs of degree, square and product by ASCII, and long words by short ones. False if the result is too
 * long for a unit. */
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

bool vd_measured_unit(const char *text, size_t length, vd_unit *unit) {
  char plain[64];
  const vd_slice p = {text, length};
  for (size_t i = 0; i < VD_COUNT(spellings); i++)
    if (vd_slice_is(p, spellings[i].written))
      return vd_unit_parse(spellings[i].means, strlen(spellings[i].means), unit, NULL, NULL);
  return length > 0 && spell_out(p, plain, sizeof plain) && vd_unit_parse(plain, strlen(plain), unit, NULL, NULL);
}

static bool is_same_unit(vd_unit a, vd_unit b) {
  return a.numerator * b.denominator == b.numerator * a.denominator;
}

/* Reads the unit of a quantity of the given dimension. For an acceleration, g is the standard gravity and not the
 * gram. */
static bool unit_in(const char *text, vd_dimension of, vd_unit *unit) {
  bool gravity = strcmp(text, "g") == 0 && vd_dimension_equal(of, (vd_dimension){.m = 1, .s = -2});
  if (gravity)
    *unit = (vd_unit){.numerator = VD_GRAVITY, .denominator = 1, .dimension = of};
  return gravity || vd_measured_unit(text, strlen(text), unit);
}

bool vd_measured_factor(const char *name, const char *si, vd_unit_words column_def, vd_unit_words written, vd_diag *d,
                        vd_unit *unit) {
  vd_unit wanted = {.numerator = 1, .denominator = 1}, of_file;
  vd_unit_parse(si, strlen(si), &wanted, NULL, NULL);
  *unit = wanted;
  unit->numerator = unit->denominator = 1;
  vd_unit_words from = *column_def.text ? column_def : written;
  if (!*from.text)
    return true;
  if (!unit_in(from.text, wanted.dimension, unit)) {
    vd_error(d, from.at, "unit '%.40s' of column '%.60s' is unknown%s", from.text, name,
             *column_def.text ? "" : "; say it with 'unit'");
    return false;
  }
  if (!vd_dimension_equal(unit->dimension, wanted.dimension)) {
    vd_error(d, from.at, "column '%.60s' is in '%.40s', but what is wanted is in %s", name, from.text,
             strcmp(si, "1") == 0 ? "no unit" : si);
    return false;
  }
  if (*column_def.text && *written.text && unit_in(written.text, wanted.dimension, &of_file) &&
      !is_same_unit(of_file, *unit))
    vd_warning(d, column_def.at, "column '%.60s' is in '%.40s' by the file; '%.40s' is taken", name, written.text,
               column_def.text);
  return true;
}

/* --- lines --- */

typedef struct reader {
  const vd_measured_def *def;
  const vd_node *root;
  const char *path;
  const vd_measured_quantity *want;
  size_t wanted;
  vd_lines in;
  char separator;
  bool comma;

  const char **name, **unit; /* [columns], without the brackets of units; "": the file says none */
  vd_slice *name_field;      /* [columns] */
  size_t columns;
  int *want_of; /* [columns], or -1 */

  double **value;      /* [wanted] */
  const char ***words; /* [wanted] */
  size_t *offset;
  int *field;
  size_t rows, omitted;
  bool units;         /* there is a line of units */
  bool behind_marker; /* the names stand in a line of comment */
} reader;

static const char *comments_of(const reader *r) {
  return *r->def->comment ? r->def->comment : "#%!";
}

/* Gives the next line that is neither blank nor a comment; false at the end. */
static bool next_line(reader *r, vd_slice *line) {
  return vd_lines_next_text(&r->in, comments_of(r), line);
}

/* Takes the next field from the line, without quotes around it; false if there is none. */
static bool next_field(char separator, vd_slice *line, vd_slice *out) {
  if (separator == ' ') {
    *line = vd_trimmed(*line);
    if (line->length == 0)
      return false;
  } else if (!line->text) {
    return false;
  }
  const char *text = line->text;
  size_t end = 0;
  bool quoted = false;
  for (; end < line->length; end++) {
    quoted ^= text[end] == '"';
    if (!quoted && (text[end] == separator || (separator == ' ' && text[end] == '\t')))
      break;
  }
  *out = vd_trimmed((vd_slice){text, end});
  if (out->length >= 2 && out->text[0] == '"' && out->text[out->length - 1] == '"')
    *out = vd_trimmed((vd_slice){out->text + 1, out->length - 2});
  *line = end < line->length ? (vd_slice){text + end + 1, line->length - end - 1} : (vd_slice){NULL, 0};
  return true;
}

/* --- the line of names --- */

static char separator_of(const reader *r, vd_slice line) {
  static const char by_choice[] = {0, ',', ';', '\t', ' '};
  static const char in_order[] = {'\t', ';', ','};
  if (r->def->separator != VD_SEPARATOR_AUTO)
    return by_choice[r->def->separator];
  for (size_t i = 0; i < sizeof in_order; i++)
    if (memchr(line.text, in_order[i], line.length))
      return in_order[i];
  return ' ';
}

static vd_slice inside_brackets(vd_slice f) {
  bool both = f.length > 2 &&
              ((f.text[0] == '[' && f.text[f.length - 1] == ']') || (f.text[0] == '(' && f.text[f.length - 1] == ')'));
  return both ? vd_trimmed((vd_slice){f.text + 1, f.length - 2}) : f;
}

/* Splits "SA [deg]" into name and unit. */
static void split_unit(vd_slice *name, vd_slice *unit) {
  static const char open[] = "[(", close[] = "])";
  *unit = (vd_slice){"", 0};
  for (int i = 0; i < 2 && name->length > 0; i++) {
    const char *from = memchr(name->text, open[i], name->length);
    if (!from || from == name->text || name->text[name->length - 1] != close[i])
      continue;
    *unit = vd_trimmed((vd_slice){from + 1, name->length - (size_t)(from - name->text) - 2});
    *name = vd_trimmed((vd_slice){name->text, (size_t)(from - name->text)});
  }
}

/* Counts the fields of a line, and those that are numbers and those that are units. */
static size_t count_fields(char separator, vd_slice line, size_t *numbers, size_t *units) {
  size_t count = 0;
  vd_slice f;
  *numbers = *units = 0;
  for (; next_field(separator, &line, &f); count++) {
    double number;
    vd_unit unit;
    f = inside_brackets(f);
    *numbers += vd_measured_number(f, separator != ',', &number);
    *units += vd_measured_is_missing(f) || vd_measured_unit(f.text, f.length, &unit);
  }
  return count;
}

/* Returns the text of a comment line behind its comment characters. */
static vd_slice behind_marker(const reader *r, vd_slice line) {
  const char *comment = comments_of(r);
  line = vd_trimmed(line);
  while (line.length > 0 && line.text[0] != '\0' && strchr(comment, line.text[0]))
    line = vd_trimmed((vd_slice){line.text + 1, line.length - 1});
  return line;
}

/* Finds column names in a comment, as numpy.savetxt and others write them: the last comment above the first line of
 * numbers that has as many fields and no number. A comment that is a line of units may stand between. Reading continues
 * behind the line of names. */
static bool find_names_behind_marker(reader *r, vd_lines from, vd_slice row, vd_slice *names) {
  vd_lines first = r->in;
  vd_slice line;
  size_t number, unit;
  const size_t columns = count_fields(separator_of(r, row), row, &number, &unit);
  bool found = false;
  while (vd_lines_next(&from, &line) && line.text < row.text) {
    line = behind_marker(r, line);
    size_t count = count_fields(separator_of(r, line), line, &number, &unit);
    if (line.length == 0 || number > 0 || count != columns || (found && unit == count))
      continue;
    found = true;
    *names = line;
    first = from;
  }
  if (found)
    r->in = first;
  return found;
}

/* Finds the line of names, and from it the separator. */
static bool find_names(reader *r, vd_slice *line) {
  size_t numbers, units;
  for (int i = 0; i < r->def->skip && vd_lines_next(&r->in, line); i++) {
  }
  const vd_lines from = r->in;
  if (!next_line(r, line))
    return vd_error(r->in.d, (vd_place){.source = r->in.source}, "no line of names: the file is empty");
  r->separator = separator_of(r, *line);
  size_t count = count_fields(r->separator, *line, &numbers, &units);
  r->behind_marker = numbers > 0 && find_names_behind_marker(r, from, *line, line);
  if (r->behind_marker)
    r->separator = separator_of(r, *line);
  else if (numbers == count)
    VD_LINES_ERROR(&r->in, *line,
                   "the first line must name the columns, but holds numbers; write their names above it");
  return r->behind_marker || numbers < count;
}

static bool read_names(reader *r) {
  vd_slice line, f;
  if (!find_names(r, &line))
    return false;
  while (next_field(r->separator, &line, &f)) {
    vd_slice unit;
    if (r->columns == MAX_COLUMNS) {
      VD_LINES_ERROR(&r->in, f, "more than %d columns", MAX_COLUMNS);
      return false;
    }
    if (r->separator == ' ' && r->columns > 0 && (f.text[0] == '[' || f.text[0] == '(')) { /* "SA [deg]" */
      r->unit[r->columns - 1] = vd_lines_copy(&r->in, inside_brackets(f));
      continue;
    }
    r->name_field[r->columns] = f;
    split_unit(&f, &unit);
    r->name[r->columns] = vd_lines_copy(&r->in, f);
    r->unit[r->columns++] = vd_lines_copy(&r->in, unit);
  }
  if (r->columns > 1 && r->name[r->columns - 1][0] == '\0') /* a separator at the end of each line */
    r->columns--;
  return true;
}

/* Gives the line that may contain units: the next line, or, if the names stand in a comment, the next comment. */
static bool next_units(reader *r, vd_slice *line) {
  if (!r->behind_marker)
    return next_line(r, line);
  bool there = vd_lines_next(&r->in, line);
  *line = there ? behind_marker(r, *line) : *line;
  return there;
}

/* Reads the units, if the line below the names contains no number. */
static void read_units(reader *r) {
  const vd_lines before = r->in;
  size_t columns = 0, words = 0;
  vd_slice line, rest, f;
  double number;
  if (!next_units(r, &line))
    return;
  for (rest = line; next_field(r->separator, &rest, &f); columns++) {
    if (vd_measured_number(f, r->separator != ',', &number))
      break;
    words += !vd_measured_is_missing(f);
  }
  if (!rest.text && words > 0 && columns >= r->columns) {
    r->units = true;
    for (size_t i = 0; i < r->columns && next_field(r->separator, &line, &f); i++) {
      if (r->unit[i][0] == '\0')
        r->unit[i] = vd_lines_copy(&r->in, inside_brackets(f));
    }
    return;
  }
  r->in = before;
}

/* --- columns --- */

static const char *file_name(const reader *r) {
  return vd_diag_source_name(r->in.d, r->in.source);
}

/* Place of a key of the i-th quantity. */
static vd_place key_place(const reader *r, size_t i, const char *key) {
  vd_buf path = {0};
  vd_buf_printf(&path, "%s%s%s", r->path, *r->path ? "." : "", r->want[i].key);
  vd_place at = vd_tree_place_in(r->root, path.text, "%s", key);
  vd_buf_finish(&path);
  return at;
}

static bool is_named(const reader *r, size_t column, const char *name) {
  vd_slice whole = r->name_field[column]; /* the name together with its unit */
  return strcmp(r->name[column], name) == 0 ||
         (strlen(name) == whole.length && memcmp(name, whole.text, whole.length) == 0);
}

static int column_named(const reader *r, const char *name) {
  for (size_t i = 0; i < r->columns; i++)
    if (is_named(r, i, name))
      return (int)i;
  return -1;
}

static bool is_alone(reader *r, size_t column) {
  for (size_t i = column + 1; i < r->columns; i++)
    if (strcmp(r->name[i], r->name[column]) == 0) {
      VD_LINES_ERROR(&r->in, r->name_field[i], "two columns are named '%.60s'", r->name[column]);
      return false;
    }
  return true;
}

/* A name may end with the unit, as in our own logs: speed_kmh, steer_deg. This ending counts as the unit of the file if
 * it has the dimension of the quantity and is no SI unit. Returns false if no unit was taken from the name. */
static bool take_unit_of_name(reader *r, const vd_measured_quantity *w, int column) {
  const char *end = strrchr(r->name[column], '_');
  vd_unit unit, wanted;
  if (!end || !w->unit || *w->column_def->unit || *r->unit[column] ||
      !vd_unit_parse(w->unit, strlen(w->unit), &wanted, NULL, NULL) || !unit_in(end + 1, wanted.dimension, &unit) ||
      !vd_dimension_equal(unit.dimension, wanted.dimension) || unit.numerator == unit.denominator)
    return false;
  r->unit[column] = end + 1;
  return true;
}

static bool choose_column(reader *r, size_t i, int *column) {
  const vd_measured_quantity *w = &r->want[i];
  *column = -1;
  if (*w->column_def->column) {
    *column = column_named(r, w->column_def->column);
    if (*column >= 0)
      return true;
    const char *near = vd_suggest(w->column_def->column, r->name, r->columns);
    vd_error(r->in.d, key_place(r, i, "column"), "no column '%s' in '%s'%s%s%s", w->column_def->column, file_name(r),
             near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return false;
  }
  for (size_t k = 0; w->names[k] && *column < 0; k++)
    *column = column_named(r, w->names[k]);
  if (*column >= 0)
    take_unit_of_name(r, w, *column);
  if (*column < 0 && w->need == VD_COLUMN_OPTIONAL && vd_column_is_given(w->column_def)) {
    vd_error(r->in.d, key_place(r, i, "unit"), "'%s' does not say its column, and '%s' has none of a usual name",
             w->key, file_name(r));
    return false;
  }
  return true;
}

/* Assigns the column to the i-th quantity. */
static bool take_column(reader *r, size_t i, int column, vd_unit *unit) {
  const vd_measured_quantity *w = &r->want[i];
  if (r->want_of[column] >= 0) {
    vd_error(r->in.d, key_place(r, i, "column"), "column '%s' is '%s' and '%s' at the same time", r->name[column],
             r->want[r->want_of[column]].key, w->key);
    return false;
  }
  r->want_of[column] = (int)i;
  r->field[i] = column;
  if (!is_alone(r, (size_t)column))
    return false;
  if (take_unit_of_name(r, w, column))
    vd_note(r->in.d, vd_lines_place(&r->in, r->name_field[column]), "column '%.60s' is taken in %s, by its name",
            r->name[column], r->unit[column]);
  const vd_unit_words column_def = {w->column_def->unit, key_place(r, i, "unit")};
  const vd_unit_words written = {r->unit[column], vd_lines_place(&r->in, r->name_field[column])};
  return !w->unit || vd_measured_factor(r->name[column], w->unit, column_def, written, r->in.d, unit);
}

/* Checks that every quantity that is needed has a column. */
static bool find_needed(const reader *r) {
  const char **others = vd_arena_alloc(r->in.arena, (r->columns + 1) * sizeof *others);
  size_t count = 0;
  bool good = true;
  for (size_t column = 0; column < r->columns; column++)
    if (r->want_of[column] < 0)
      others[count++] = r->name[column];
  for (size_t i = 0; i < r->wanted; i++) {
    const vd_measured_quantity *w = &r->want[i];
    if (w->need != VD_COLUMN_NEEDED || r->field[i] >= 0 || *w->column_def->column)
      continue;
    const char *near = vd_suggest(w->names[0], others, count);
    vd_error(r->in.d, vd_tree_place_in(r->root, r->path, "file"), "no column '%s' in '%s', and '%s' names none%s%s%s",
             w->names[0], file_name(r), w->key, near ? "; is it '" : "", near ? near : "", near ? "'?" : "");
    good = false;
  }
  return good;
}

/* Assigns the columns that are left to the quantities of VD_COLUMN_REST without a column, in the order of both. */
static bool take_rest(reader *r, vd_unit *unit) {
  size_t open = 0, left = 0, first = 0;
  bool good = true;
  for (size_t i = r->wanted; i-- > 0;)
    if (r->want[i].need == VD_COLUMN_REST && r->field[i] < 0 && !*r->want[i].column_def->column) {
      open++;
      first = i;
    }
  for (size_t column = 0; column < r->columns; column++)
    left += r->want_of[column] < 0;
  if (open > 0 && open != left) {
    vd_error(r->in.d, vd_tree_place_in(r->root, r->path, "file"), "'%s' has %zu columns; say which with '%s'",
             file_name(r), r->columns, r->want[first].key);
    return false;
  }
  for (size_t i = first, column = 0; open > 0 && column < r->columns; column++)
    if (r->want_of[column] < 0) {
      while (r->want[i].need != VD_COLUMN_REST || r->field[i] >= 0)
        i++;
      good &= take_column(r, i, (int)column, &unit[i]);
    }
  return good;
}

/* Finds the column and the unit of every quantity. */
static bool choose_columns(reader *r, vd_unit *unit) {
  bool good = true;
  for (size_t i = 0; i < r->wanted; i++) {
    int column;
    r->field[i] = -1;
    if (!choose_column(r, i, &column)) {
      good = false;
      continue;
    }
    if (column >= 0)
      good &= take_column(r, i, column, &unit[i]);
  }
  return good && find_needed(r) && take_rest(r, unit);
}

/* Drops columns that have no value in any row, as logs contain them, if they were chosen only because of their usual
 * name. */
static void drop_empty_columns(reader *r) {
  reader ahead = *r;
  vd_slice line, f;
  size_t rows = 0, open = 0;
  bool is_open[MAX_COLUMNS] = {false};
  for (size_t column = 0; column < r->columns; column++) {
    int i = r->want_of[column];
    is_open[column] = i >= 0 && r->want[i].unit && r->want[i].need == VD_COLUMN_OPTIONAL &&
                      !vd_column_is_given(r->want[i].column_def);
    open += is_open[column];
  }
  for (; open > 0 && next_line(&ahead, &line); rows++)
    for (size_t column = 0; column < r->columns && next_field(r->separator, &line, &f); column++)
      if (is_open[column] && !vd_measured_is_missing(f)) {
        is_open[column] = false;
        open--;
      }
  for (size_t column = 0; column < r->columns && rows > 0; column++)
    if (is_open[column]) {
      r->field[r->want_of[column]] = -1;
      r->want_of[column] = -1;
    }
}

/* --- rows --- */

/* Whether decimals have commas: commas do not separate fields, and a number in a column that is used contains one. */
static bool has_decimal_comma(const reader *r) {
  reader ahead = *r;
  vd_slice line, f;
  double number;
  if (r->separator == ',' || r->in.at >= r->in.length || !memchr(r->in.text + r->in.at, ',', r->in.length - r->in.at))
    return false;
  if (r->def->decimal != VD_DECIMAL_AUTO)
    return r->def->decimal == VD_DECIMAL_COMMA;
  while (next_line(&ahead, &line))
    for (size_t column = 0; column < r->columns && next_field(r->separator, &line, &f); column++)
      if (r->want_of[column] >= 0 && r->want[r->want_of[column]].unit && memchr(f.text, ',', f.length) &&
          vd_measured_number(f, true, &number))
        return true;
  return false;
}

static void bad_field(reader *r, size_t column, vd_slice f) {
  double value;
  size_t used = 0;
  bool large = !vd_num_parse(f.text, f.length, &value, &used) && f.length > 0 && used == f.length;
  if (vd_measured_is_missing(f))
    VD_LINES_ERROR(&r->in, f, "missing value in column '%.60s'; 'missing: omit' omits such rows", r->name[column]);
  else
    VD_LINES_ERROR(&r->in, f, "'%s' in column '%.60s' is %s", vd_lines_excerpt(&r->in, f), r->name[column],
                   large ? "too large for a number" : "not a number");
}

/* Reads one row. Behind the columns that have names only one empty field may follow. */
static void read_row(reader *r, vd_slice line) {
  vd_slice rest = line, f;
  size_t column = 0;
  bool missing = false;
  for (; next_field(r->separator, &rest, &f); column++) {
    int i = column < r->columns ? r->want_of[column] : -1;
    if (i < 0) {
      column -= column == r->columns && f.length == 0 && !rest.text;
      continue;
    }
    if (!r->want[i].unit) {
      r->words[i][r->rows] = vd_lines_copy(&r->in, f);
      continue;
    }
    bool mixed = r->comma && r->def->decimal == VD_DECIMAL_AUTO && memchr(f.text, '.', f.length);
    if (!mixed && vd_measured_number(f, r->comma, &r->value[i][r->rows]))
      continue;
    if (mixed)
      VD_LINES_ERROR(&r->in, f, "'%s' has a point where other numbers have commas; say which with 'decimal'",
                     vd_lines_excerpt(&r->in, f));
    else if (r->def->missing == VD_MISSING_OMIT && vd_measured_is_missing(f))
      missing = true;
    else
      bad_field(r, column, f);
  }
  if (column != r->columns)
    VD_LINES_ERROR(&r->in, vd_trimmed(line), "row of %zu field%s below %zu name%s", column, column == 1 ? "" : "s",
                   r->columns, r->columns == 1 ? "" : "s");
  r->omitted += missing;
  if (!missing)
    r->offset[r->rows++] = (size_t)(line.text - r->in.text);
}

static bool read_rows(reader *r) {
  size_t most = vd_lines_left(&r->in);
  vd_slice line;
  for (size_t i = 0; i < r->wanted; i++) {
    bool text = !r->want[i].unit, there = r->field[i] >= 0;
    r->value[i] = there && !text ? vd_arena_alloc(r->in.arena, most * sizeof *r->value[i]) : NULL;
    r->words[i] = there && text ? vd_arena_alloc(r->in.arena, most * sizeof *r->words[i]) : NULL;
  }
  r->offset = vd_arena_alloc(r->in.arena, most * sizeof *r->offset);
  while (r->in.errors < MAX_ERRORS && next_line(r, &line))
    read_row(r, line);
  if (r->in.errors == 0 && r->rows == 0) {
    vd_error(r->in.d, (vd_place){.source = r->in.source}, "no rows below the names");
    return false;
  }
  return r->in.errors == 0;
}

/* Writes one note on everything in which the file differs from a plain CSV in SI. */
static void note_format(const reader *r) {
  vd_buf text = {0};
  const char *between = r->separator == ';' ? "semicolons" : r->separator == '\t' ? "tabs" : "blanks";
  if (r->def->separator == VD_SEPARATOR_AUTO && r->separator != ',' && r->columns > 1)
    vd_buf_printf(&text, ", fields between %s", between);
  if (r->def->decimal == VD_DECIMAL_AUTO && r->comma)
    vd_buf_puts(&text, ", decimal commas");
  if (r->behind_marker)
    vd_buf_puts(&text, ", names in a line of comment");
  if (r->units)
    vd_buf_puts(&text, ", units in the line below the names");
  if (r->in.comments > 0)
    vd_buf_printf(&text, ", %zu line%s of comment", r->in.comments, r->in.comments == 1 ? "" : "s");
  if (r->omitted > 0)
    vd_buf_printf(&text, ", %zu row%s without a value omitted", r->omitted, r->omitted == 1 ? "" : "s");
  if (text.length > 0)
    vd_note(r->in.d, vd_lines_place(&r->in, r->name_field[0]), "%zu rows%s", r->rows, text.text);
  vd_buf_finish(&text);
}

bool vd_measured_load(const char *path, vd_place at, vd_diag *d, int *source) {
  vd_file file;
  vd_buf text = {0};
  int error = vd_file_open(path, VD_FILE_REGULAR, d, &file);
  if (error == 0)
    error = vd_file_read(&file, MAX_BYTES, &text);
  if (error == EFBIG)
    vd_error(d, at, "'%s' is larger than %d MiB", path, MAX_BYTES >> 20);
  else if (error != 0)
    vd_error(d, at, "cannot %s '%s': %s", error == ENODEV ? "open" : "read", path, vd_file_why(error));
  else
    *source = vd_diag_add_bytes(d, path, text.text ? text.text : "", text.length);
  vd_buf_finish(&text);
  return error == 0 && *source >= 0;
}

vd_place vd_measured_place(const vd_measured *m, const vd_diag *d, size_t row, size_t wanted) {
  vd_lines in = {.at = m->offset[row]};
  vd_slice line, f;
  in.length = vd_diag_source_text(d, m->source, &in.text);
  vd_lines_next(&in, &line);
  f = line;
  for (int i = 0; i <= m->field[wanted] && next_field(m->separator, &line, &f); i++) {
  }
  return vd_diag_place(d, m->source, (size_t)(f.text - in.text), f.length > 0 ? f.length : 1);
}

bool vd_measured_read_source(const vd_measured_def *def, int source, const vd_node *root, const char *path,
                             const vd_measured_quantity *want, size_t count, vd_arena *arena, vd_diag *d,
                             vd_measured *out) {
  reader r = {.def = def,
              .root = root,
              .path = path,
              .want = want,
              .wanted = count,
              .in = vd_lines_of(source, arena, d),
              .name = vd_arena_alloc(arena, MAX_COLUMNS * sizeof *r.name),
              .unit = vd_arena_alloc(arena, MAX_COLUMNS * sizeof *r.unit),
              .name_field = vd_arena_alloc(arena, MAX_COLUMNS * sizeof *r.name_field),
              .want_of = vd_arena_alloc(arena, MAX_COLUMNS * sizeof *r.want_of),
              .value = vd_arena_alloc(arena, (count + 1) * sizeof *r.value),
              .words = vd_arena_alloc(arena, (count + 1) * sizeof *r.words),
              .field = vd_arena_alloc(arena, (count + 1) * sizeof *r.field)};
  vd_unit *unit = vd_arena_alloc(arena, (count + 1) * sizeof *unit);
  for (size_t i = 0; i < MAX_COLUMNS; i++)
    r.want_of[i] = -1;
  if (!read_names(&r))
    return false;
  read_units(&r);
  if (!choose_columns(&r, unit))
    return false;
  drop_empty_columns(&r);
  r.comma = has_decimal_comma(&r);
  if (!read_rows(&r))
    return false;
  bool *stated = vd_arena_alloc(arena, (count + 1) * sizeof *stated);
  for (size_t i = 0; i < count; i++) {
    stated[i] = *want[i].column_def->unit != '\0' || (r.field[i] >= 0 && *r.unit[r.field[i]] != '\0');
    double scale = isnan(want[i].column_def->scale) ? 1.0 : want[i].column_def->scale;
    double offset = isnan(want[i].column_def->offset) ? 0.0 : want[i].column_def->offset;
    for (size_t k = 0; r.value[i] && k < r.rows; k++)
      r.value[i][k] = vd_unit_to_si(unit[i], scale * r.value[i][k] + offset);
  }
  *out = (vd_measured){.rows = r.rows,
                       .count = count,
                       .columns = r.columns,
                       .value = r.value,
                       .stated = stated,
                       .text = (const char *const *const *)r.words,
                       .source = source,
                       .offset = r.offset,
                       .field = r.field,
                       .separator = r.separator};
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; r.value[i] && k < r.rows; k++)
      if (!(fabs(r.value[i][k]) <= VD_MEASURED_MAX)) {
        vd_error(d, vd_measured_place(out, d, k, i), "the value is above %g in SI, which is not a measured value",
                 VD_MEASURED_MAX);
        return false;
      }
  note_format(&r);
  return true;
}

bool vd_measured_read(const vd_measured_def *def, const vd_node *root, const char *path,
                      const vd_measured_quantity *want, size_t count, vd_arena *arena, vd_diag *d, vd_measured *out) {
  int source;
  return vd_measured_load(def->file, vd_tree_place_in(root, path, "file"), d, &source) &&
         vd_measured_read_source(def, source, root, path, want, count, arena, d, out);
}

bool vd_measured_rises(const vd_measured *m, size_t wanted, const char *what, const char *unit, vd_diag *d) {
  const double *value = m->value[wanted];
  for (size_t k = 1; k < m->rows; k++)
    if (!(value[k] > value[k - 1])) {
      vd_error(d, vd_measured_place(m, d, k, wanted), "%s %.9g %s does not rise from the row before (%.9g %s)", what,
               value[k], unit, value[k - 1], unit);
      return false;
    }
  return true;
}

vd_points vd_measured_points(const vd_measured *m, size_t x, size_t y, vd_arena *arena) {
  double *xy = vd_arena_alloc(arena, 2 * m->rows * sizeof *xy);
  for (size_t k = 0; k < m->rows; k++) {
    xy[2 * k] = m->value[x][k];
    xy[2 * k + 1] = m->value[y][k];
  }
  return (vd_points){xy, m->rows};
}
