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
  MAX_ERRORS = 20, /* errors in one table after which reading stops */
};

const char *const vd_separator_names[] = {"auto", "comma", "semicolon", "tab", "blank", NULL};
const char *const vd_decimal_names[] = {"auto", "point", "comma", NULL};
const char *const vd_missing_names[] = {"error", "omit", NULL};

static const vd_field measured_fields[] = {VD_MEASURED_ROWS(vd_measured_def, , 0, "file of measured rows")};

static const vd_field column_fields[] = {
    {VD_F_STRING(vd_column_def, column, "column", "\"\"",
                 "name of the column in the file; empty: its usual name, if there is such a column"),
     .flags = VD_OMIT_DEFAULT, .example = "channel_3"},
    {VD_F_STRING(vd_column_def, unit, "unit", "\"\"",
                 "unit of the column; empty: the unit in the file or in the name of the column, otherwise SI"),
     .flags = VD_OMIT_DEFAULT, .example = "km/h"},
    {VD_F_NUMBER(vd_column_def, scale, "scale", "1", -1e12, 1e12, VD_AUTO | VD_OMIT_DEFAULT, "auto",
                 "factor on the numbers of the column, such as -1; auto: 1"),
     .example = "-1"},
    {VD_F_NUMBER(vd_column_def, offset, "offset", "1", -1e12, 1e12, VD_AUTO | VD_OMIT_DEFAULT, "auto",
                 "number that is added to number times scale, in the unit of the column; auto: 0")},
};

const vd_schema vd_measured_rows = {.field = measured_fields, .count = VD_COUNT(measured_fields)};

const vd_schema vd_column_schema = {
    .name = "column", VD_SCHEMA_ROWS(vd_column_def, column_fields), .shorthand = "column"};

bool vd_column_is_given(const vd_column_def *column_def) {
  return *column_def->column || *column_def->unit || !isnan(column_def->scale) || !isnan(column_def->offset);
}

/* --- units --- */

static bool is_same_unit(vd_unit a, vd_unit b) {
  return a.numerator * b.denominator == b.numerator * a.denominator;
}

/* Reads the unit of a quantity of the given dimension. For an acceleration, g is the standard gravity and not the
 * gram. */
static bool unit_in(const char *text, vd_dimension of, vd_unit *unit) {
  bool gravity = strcmp(text, "g") == 0 && vd_dimension_equal(of, (vd_dimension){.m = 1, .s = -2});
  if (gravity)
    *unit = (vd_unit){.numerator = VD_GRAVITY, .denominator = 1, .dimension = of};
  return gravity || vd_separated_unit(text, strlen(text), unit);
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
             *column_def.text ? "" : "; give it as 'unit'");
    return false;
  }
  if (!vd_dimension_equal(unit->dimension, wanted.dimension)) {
    vd_error(d, from.at, "column '%.60s' is in '%.40s', but the quantity needs %s", name, from.text,
             strcmp(si, "1") == 0 ? "no unit" : si);
    return false;
  }
  if (*column_def.text && *written.text && unit_in(written.text, wanted.dimension, &of_file) &&
      !is_same_unit(of_file, *unit))
    vd_warning(d, column_def.at, "the unit of column '%.60s' is '%.40s' in the file; '%.40s' is used", name,
               written.text, column_def.text);
  return true;
}

typedef struct reader {
  const vd_measured_def *def;
  const vd_node *root;
  const char *path;
  const vd_measured_quantity *want;
  size_t wanted;
  vd_separated s;
  bool comma;
  int *want_of; /* [columns], or -1 */

  double **value;      /* [wanted] */
  const char ***words; /* [wanted] */
  size_t *offset;
  int *field;
  size_t rows, omitted;
} reader;

/* --- columns --- */

static const char *file_name(const reader *r) {
  return vd_diag_source_name(r->s.in.d, r->s.in.source);
}

/* Returns the place of a key of the i-th quantity. */
static vd_place key_place(const reader *r, size_t i, const char *key) {
  vd_buf path = {0};
  vd_buf_printf(&path, "%s%s%s", r->path, *r->path ? "." : "", r->want[i].key);
  vd_place at = vd_tree_place_in(r->root, path.text, "%s", key);
  vd_buf_finish(&path);
  return at;
}

/* The ways in which a column can have a name, the best one first. */
enum fit { EXACT, ANY_CASE, WITHOUT_UNIT, IN_OTHER_UNIT };

/* True if a column has this name. WITHOUT_UNIT: the file gives the unit apart from the name, so the unit behind the
 * last underscore of `name` is ignored: "x [mm]" is x_m. IN_OTHER_UNIT: another word, which may be a unit, stands
 * behind the last underscore: speed_kmh. */
static bool is_named(const reader *r, size_t column, const char *name, enum fit fit) {
  const vd_slice whole = r->s.name_field[column], own = {r->s.name[column], strlen(r->s.name[column])};
  const char *unit = strrchr(name, '_');
  switch (fit) {
  case EXACT:
    return strcmp(own.text, name) == 0 || (strlen(name) == whole.length && !memcmp(name, whole.text, whole.length));
  case ANY_CASE: return vd_slice_is(own, name);
  case WITHOUT_UNIT:
    return unit && *r->s.unit[column] && own.length == (size_t)(unit - name) && !memcmp(own.text, name, own.length);
  case IN_OTHER_UNIT:
    return unit && !strncmp(own.text, name, (size_t)(unit - name) + 1) &&
           strrchr(own.text, '_') - own.text == unit - name;
  }
  return false;
}

static int column_named(const reader *r, const char *name, enum fit worst) {
  for (int fit = EXACT; fit <= (int)worst; fit++)
    for (size_t i = 0; i < r->s.columns; i++)
      if (is_named(r, i, name, (enum fit)fit))
        return (int)i;
  return -1;
}

static bool is_alone(reader *r, size_t column) {
  for (size_t i = column + 1; i < r->s.columns; i++)
    if (strcmp(r->s.name[i], r->s.name[column]) == 0) {
      VD_LINES_ERROR(&r->s.in, r->s.name_field[i], "two columns are named '%.60s'", r->s.name[column]);
      return false;
    }
  return true;
}

/* Takes the unit from the end of a column's name, where logs of vdsim-run have it: speed_kmh, steer_deg. The ending
 * counts as the unit of the file if it has the dimension of the quantity and is not an SI unit. Returns false if no
 * unit was taken from the name. */
static bool take_unit_of_name(reader *r, const vd_measured_quantity *w, int column) {
  const char *end = strrchr(r->s.name[column], '_');
  vd_unit unit, wanted;
  if (!end || !w->unit || *w->column_def->unit || *r->s.unit[column] ||
      !vd_unit_parse(w->unit, strlen(w->unit), &wanted, NULL, NULL) || !unit_in(end + 1, wanted.dimension, &unit) ||
      !vd_dimension_equal(unit.dimension, wanted.dimension) || unit.numerator == unit.denominator)
    return false;
  r->s.unit[column] = end + 1;
  return true;
}

/* Returns the column whose name is that of a quantity with another unit at its end, yaw_rate_degps for yaw_rate_radps,
 * or -1. */
static int column_in_other_unit(reader *r, const vd_measured_quantity *w, const char *name) {
  const vd_unit_name *row = w->unit ? vd_unit_name_of(w->unit) : NULL;
  const char *end = strrchr(name, '_');
  for (size_t i = 0; i < r->s.columns && row && end && strcmp(end + 1, row->suffix) == 0; i++)
    if (is_named(r, i, name, IN_OTHER_UNIT) && take_unit_of_name(r, w, (int)i))
      return (int)i;
  return -1;
}

static bool choose_column(reader *r, size_t i, int *column) {
  const vd_measured_quantity *w = &r->want[i];
  *column = -1;
  if (*w->column_def->column) {
    *column = column_named(r, w->column_def->column, EXACT);
    if (*column < 0)
      *column = column_in_other_unit(r, w, w->column_def->column);
    if (*column >= 0)
      return true;
    const char *near = vd_suggest(w->column_def->column, r->s.name, r->s.columns);
    vd_error(r->s.in.d, key_place(r, i, "column"), "no column '%s' in '%s'%s%s%s", w->column_def->column, file_name(r),
             near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return false;
  }
  for (size_t k = 0; w->names[k] && *column < 0; k++)
    *column = column_named(r, w->names[k], WITHOUT_UNIT);
  if (*column >= 0)
    take_unit_of_name(r, w, *column);
  for (size_t k = 0; w->names[k] && *column < 0; k++)
    *column = column_in_other_unit(r, w, w->names[k]);
  if (*column < 0 && w->need == VD_COLUMN_OPTIONAL && vd_column_is_given(w->column_def)) {
    vd_error(r->s.in.d, key_place(r, i, "unit"),
             "'%s' does not name its column, and '%s' has no column with a usual name", w->key, file_name(r));
    return false;
  }
  return true;
}

/* Assigns the column to the i-th quantity. */
static bool take_column(reader *r, size_t i, int column, vd_unit *unit) {
  const vd_measured_quantity *w = &r->want[i];
  if (r->want_of[column] >= 0) {
    vd_error(r->s.in.d, key_place(r, i, "column"), "column '%s' is '%s' and '%s' at the same time", r->s.name[column],
             r->want[r->want_of[column]].key, w->key);
    return false;
  }
  r->want_of[column] = (int)i;
  r->field[i] = column;
  if (!is_alone(r, (size_t)column))
    return false;
  if (take_unit_of_name(r, w, column))
    vd_note(r->s.in.d, vd_lines_place(&r->s.in, r->s.name_field[column]),
            "the unit of column '%.60s' is %s, by its name", r->s.name[column], r->s.unit[column]);
  const vd_unit_words column_def = {w->column_def->unit, key_place(r, i, "unit")};
  const vd_unit_words written = {r->s.unit[column], vd_lines_place(&r->s.in, r->s.name_field[column])};
  return !w->unit || vd_measured_factor(r->s.name[column], w->unit, column_def, written, r->s.in.d, unit);
}

/* Checks that every quantity that is needed has a column. */
static bool find_needed(const reader *r) {
  const char **others = vd_arena_alloc(r->s.in.arena, (r->s.columns + 1) * sizeof *others);
  size_t count = 0;
  bool good = true;
  for (size_t column = 0; column < r->s.columns; column++)
    if (r->want_of[column] < 0)
      others[count++] = r->s.name[column];
  for (size_t i = 0; i < r->wanted; i++) {
    const vd_measured_quantity *w = &r->want[i];
    if (w->need != VD_COLUMN_NEEDED || r->field[i] >= 0 || *w->column_def->column)
      continue;
    const char *near = vd_suggest(w->names[0], others, count);
    vd_error(r->s.in.d, vd_tree_place_in(r->root, r->path, "file"),
             "no column '%s' in '%s', and '%s' names no column%s%s%s", w->names[0], file_name(r), w->key,
             near ? "; is it '" : "", near ? near : "", near ? "'?" : "");
    good = false;
  }
  return good;
}

/* Assigns the columns that are left over to the VD_COLUMN_REST quantities that still have no column, in the order of
 * both. */
static bool take_rest(reader *r, vd_unit *unit) {
  size_t open = 0, left = 0, first = 0;
  bool good = true;
  for (size_t i = r->wanted; i-- > 0;)
    if (r->want[i].need == VD_COLUMN_REST && r->field[i] < 0 && !*r->want[i].column_def->column) {
      open++;
      first = i;
    }
  for (size_t column = 0; column < r->s.columns; column++)
    left += r->want_of[column] < 0;
  if (open > 0 && open != left) {
    vd_error(r->s.in.d, vd_tree_place_in(r->root, r->path, "file"), "'%s' has %zu columns; choose one with '%s'",
             file_name(r), r->s.columns, r->want[first].key);
    return false;
  }
  for (size_t i = first, column = 0; open > 0 && column < r->s.columns; column++)
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

/* Drops columns without a value in any row, which some logs contain, if they were chosen only for their usual name. */
static void drop_empty_columns(reader *r) {
  reader ahead = *r;
  vd_slice line, f;
  size_t rows = 0, open = 0;
  bool is_open[VD_MAX_COLUMNS] = {false};
  for (size_t column = 0; column < r->s.columns; column++) {
    int i = r->want_of[column];
    is_open[column] = i >= 0 && r->want[i].unit && r->want[i].need == VD_COLUMN_OPTIONAL &&
                      !vd_column_is_given(r->want[i].column_def);
    open += is_open[column];
  }
  for (; open > 0 && vd_separated_row(&ahead.s, &line); rows++)
    for (size_t column = 0; column < r->s.columns && vd_separated_field(r->s.separator, &line, &f); column++)
      if (is_open[column] && !vd_separated_is_missing(f)) {
        is_open[column] = false;
        open--;
      }
  for (size_t column = 0; column < r->s.columns && rows > 0; column++)
    if (is_open[column]) {
      r->field[r->want_of[column]] = -1;
      r->want_of[column] = -1;
    }
}

/* --- rows --- */

/* True if decimals have commas: the caller says so, or commas do not separate fields and a number in a column that is
 * used contains one. */
static bool has_decimal_comma(const reader *r) {
  reader ahead = *r;
  vd_slice line, f;
  double number;
  if (r->def->decimal != VD_DECIMAL_AUTO)
    return r->def->decimal == VD_DECIMAL_COMMA;
  if (r->s.separator == ',' || r->s.in.at >= r->s.in.length ||
      !memchr(r->s.in.text + r->s.in.at, ',', r->s.in.length - r->s.in.at))
    return false;
  while (vd_separated_row(&ahead.s, &line))
    for (size_t column = 0; column < r->s.columns && vd_separated_field(r->s.separator, &line, &f); column++)
      if (r->want_of[column] >= 0 && r->want[r->want_of[column]].unit && memchr(f.text, ',', f.length) &&
          vd_separated_number(f, true, &number))
        return true;
  return false;
}

static void bad_field(reader *r, size_t column, vd_slice f) {
  double value;
  size_t used = 0;
  bool large = !vd_num_parse(f.text, f.length, &value, &used) && f.length > 0 && used == f.length;
  if (vd_separated_is_missing(f))
    VD_LINES_ERROR(&r->s.in, f, "missing value in column '%.60s'; 'missing: omit' omits such rows", r->s.name[column]);
  else
    VD_LINES_ERROR(&r->s.in, f, "'%s' in column '%.60s' is %s", vd_lines_excerpt(&r->s.in, f), r->s.name[column],
                   large ? "too large for a number" : "not a number");
}

static void read_row(reader *r, vd_slice line, vd_slice *field) {
  bool missing = false;
  if (!vd_separated_split(&r->s, line, field))
    return;
  for (size_t column = 0; column < r->s.columns; column++) {
    const int i = r->want_of[column];
    const vd_slice f = field[column];
    if (i < 0)
      continue;
    if (!r->want[i].unit) {
      r->words[i][r->rows] = vd_separated_copy(&r->s, f);
      continue;
    }
    bool mixed = r->comma && r->def->decimal == VD_DECIMAL_AUTO && memchr(f.text, '.', f.length);
    if (!mixed && vd_separated_number(f, r->comma, &r->value[i][r->rows]))
      continue;
    if (mixed)
      VD_LINES_ERROR(&r->s.in, f, "'%s' has a point where other numbers have commas; choose one with 'decimal'",
                     vd_lines_excerpt(&r->s.in, f));
    else if (r->def->missing == VD_MISSING_OMIT && vd_separated_is_missing(f))
      missing = true;
    else
      bad_field(r, column, f);
  }
  r->omitted += missing;
  if (!missing)
    r->offset[r->rows++] = (size_t)(line.text - r->s.in.text);
}

static bool read_rows(reader *r) {
  size_t most = vd_lines_left(&r->s.in);
  vd_slice line, field[VD_MAX_COLUMNS];
  for (size_t i = 0; i < r->wanted; i++) {
    bool text = !r->want[i].unit, there = r->field[i] >= 0;
    r->value[i] = there && !text ? vd_arena_alloc(r->s.in.arena, most * sizeof *r->value[i]) : NULL;
    r->words[i] = there && text ? vd_arena_alloc(r->s.in.arena, most * sizeof *r->words[i]) : NULL;
  }
  r->offset = vd_arena_alloc(r->s.in.arena, most * sizeof *r->offset);
  while (r->s.in.errors < MAX_ERRORS && vd_separated_row(&r->s, &line))
    read_row(r, line, field);
  if (r->s.in.errors == 0 && r->rows == 0) {
    vd_error(r->s.in.d, (vd_place){.source = r->s.in.source}, "no rows below the names");
    return false;
  }
  return r->s.in.errors == 0;
}

/* Writes one note on everything in which the file differs from a plain CSV in SI. */
static void note_format(const reader *r) {
  vd_buf text = {0};
  const char *between = r->s.separator == ';' ? "semicolons" : r->s.separator == '\t' ? "tabs" : "blanks";
  if (r->def->separator == VD_SEPARATOR_AUTO && r->s.separator != ',' && r->s.columns > 1)
    vd_buf_printf(&text, ", fields between %s", between);
  if (r->def->decimal == VD_DECIMAL_AUTO && r->comma)
    vd_buf_puts(&text, ", decimal commas");
  if (r->s.behind_marker)
    vd_buf_puts(&text, ", names in a line of comment");
  if (r->s.has_units)
    vd_buf_puts(&text, ", units in the line below the names");
  if (r->s.above > 0)
    vd_buf_printf(&text, ", %zu line%s above the names", r->s.above, r->s.above == 1 ? "" : "s");
  if (r->s.in.comments > 0)
    vd_buf_printf(&text, ", %zu line%s of comment", r->s.in.comments, r->s.in.comments == 1 ? "" : "s");
  if (r->omitted > 0)
    vd_buf_printf(&text, ", %zu row%s without a value omitted", r->omitted, r->omitted == 1 ? "" : "s");
  if (text.length > 0)
    vd_note(r->s.in.d, vd_lines_place(&r->s.in, r->s.name_field[0]), "%zu rows%s", r->rows, text.text);
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
  return vd_separated_place(d, m->source, m->separator, m->offset[row], (size_t)m->field[wanted]);
}

bool vd_measured_read_source(const vd_measured_def *def, int source, const vd_node *root, const char *path,
                             const vd_measured_quantity *want, size_t count, vd_arena *arena, vd_diag *d,
                             vd_measured *out) {
  reader r = {.def = def,
              .root = root,
              .path = path,
              .want = want,
              .wanted = count,
              .want_of = vd_arena_alloc(arena, VD_MAX_COLUMNS * sizeof *r.want_of),
              .value = vd_arena_alloc(arena, (count + 1) * sizeof *r.value),
              .words = vd_arena_alloc(arena, (count + 1) * sizeof *r.words),
              .field = vd_arena_alloc(arena, (count + 1) * sizeof *r.field)};
  vd_unit *unit = vd_arena_alloc(arena, (count + 1) * sizeof *unit);
  for (size_t i = 0; i < VD_MAX_COLUMNS; i++)
    r.want_of[i] = -1;
  static const char by_choice[] = {0, ',', ';', '\t', ' '}; /* enum vd_separator */
  const vd_separated_form form = {by_choice[def->separator], def->comment, def->skip, false};
  if (!vd_separated_open(&form, source, arena, d, &r.s) || !choose_columns(&r, unit))
    return false;
  drop_empty_columns(&r);
  r.comma = has_decimal_comma(&r);
  if (!read_rows(&r))
    return false;
  const char **written = vd_arena_alloc(arena, (count + 1) * sizeof *written);
  for (size_t i = 0; i < count; i++) {
    written[i] = *want[i].column_def->unit ? want[i].column_def->unit : r.field[i] < 0 ? "" : r.s.unit[r.field[i]];
    double scale = isnan(want[i].column_def->scale) ? 1.0 : want[i].column_def->scale;
    double offset = isnan(want[i].column_def->offset) ? 0.0 : want[i].column_def->offset;
    for (size_t k = 0; r.value[i] && k < r.rows; k++)
      r.value[i][k] = vd_unit_to_si(unit[i], scale * r.value[i][k] + offset);
  }
  *out = (vd_measured){.rows = r.rows,
                       .count = count,
                       .columns = r.s.columns,
                       .name = r.s.name,
                       .value = r.value,
                       .unit = written,
                       .text = (const char *const *const *)r.words,
                       .source = source,
                       .offset = r.offset,
                       .field = r.field,
                       .separator = r.s.separator};
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
