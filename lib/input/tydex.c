#include "input/tydex.h"

#include "base/base.h"
#include "base/num.h"
#include "input/measured.h"

#include <math.h>
#include <string.h>

enum {
  MAX_CHANNELS = 1000,
  MAX_ENTRIES = 10000,
  MAX_ERRORS = 20, /* errors in one file after which reading stops */
};

enum section { NOWHERE, HEADER, COMMENTS, CONSTANTS, CHANNELS, DATA, PARAMETERS, COEFFICIENTS, OTHER, END };

static const struct {
  const char *keyword;
  enum section section;
} keywords[] = {{"HEADER", HEADER},
                {"COMMENTS", COMMENTS},
                {"CONSTANTS", CONSTANTS},
                {"MEASURCHANNELS", CHANNELS},
                {"MEASURDATA", DATA},
                {"MODELDEFINITION", OTHER},
                {"MODELPARAMETERS", PARAMETERS},
                {"MODELCOEFFICIENTS", COEFFICIENTS},
                {"MODELCHANNELS", OTHER},
                {"MODELOUTPUTS", OTHER},
                {"MODELEND", OTHER},
                {"END", END}};

typedef struct reader {
  vd_lines in;
  enum section section;
  bool seen[END + 1];
  vd_tydex_entries entries[END]; /* of each section */
  vd_tydex_channel *channel;
  size_t channels;
  double **value;
  size_t *offset;
  size_t rows, filled; /* number of complete rows, and of values read so far of the present row */
} reader;

bool vd_tydex_is(const char *text, size_t length) {
  vd_lines in = {.text = text, .length = length};
  vd_slice line;
  if (!vd_lines_next_text(&in, "!", &line))
    return false;
  line = vd_trimmed(line);
  return line.length >= 2 && memcmp(line.text, "**", 2) == 0;
}

/* --- lines of entries and channels --- */

/* Returns the part of a line from column `from` to before column `to`, counted from 0. */
static vd_slice part(vd_slice line, size_t from, size_t to) {
  if (from >= line.length)
    return (vd_slice){line.text + line.length, 0};
  return vd_trimmed((vd_slice){line.text + from, (to < line.length ? to : line.length) - from});
}

/* True if a word crosses this column, where a field should begin. */
static bool is_split(vd_slice line, size_t border) {
  return border < line.length && !vd_is_blank(line.text[border - 1]) && !vd_is_blank(line.text[border]);
}

/* Takes the next word. */
static bool next_word(vd_slice *rest, vd_slice *word) {
  size_t end = 0;
  *rest = vd_trimmed(*rest);
  while (end < rest->length && !vd_is_blank(rest->text[end]))
    end++;
  if (end > 0)
    *word = (vd_slice){rest->text, end};
  *rest = (vd_slice){rest->text + end, rest->length - end};
  return end > 0;
}

/* Takes the last word. */
static bool last_word(vd_slice *rest, vd_slice *word) {
  *rest = vd_trimmed(*rest);
  size_t length = rest->length;
  while (rest->length > 0 && !vd_is_blank(rest->text[rest->length - 1]))
    rest->length--;
  if (length > 0)
    *word = (vd_slice){rest->text + rest->length, length - rest->length};
  return length > 0;
}

static const char *upper_case(reader *r, vd_slice f) {
  char *key = vd_arena_copy(r->in.arena, f.text, f.length);
  for (size_t i = 0; i < f.length; i++)
    if (key[i] >= 'a' && key[i] <= 'z')
      key[i] = (char)(key[i] - 'a' + 'A');
  return key;
}

static void read_entry(reader *r, vd_slice line) {
  vd_tydex_entries *to = &r->entries[r->section];
  bool has_unit = r->section != HEADER;
  vd_slice rest = line, key, value;
  if (!next_word(&rest, &key))
    return;
  vd_tydex_entry e = {.key = upper_case(r, key), .unit = "", .value = NAN, .at = vd_lines_place(&r->in, key)};
  if (has_unit)
    e.unit = vd_lines_copy(&r->in, part(line, 40, 50));
  value = part(line, 50, line.length);
  /* a line that does not keep to the columns has unit and value in its last words */
  if (line.length <= 50 || is_split(line, 50) || (has_unit && is_split(line, 40))) {
    last_word(&rest, &value);
    if (has_unit && last_word(&rest, &key))
      e.unit = vd_lines_copy(&r->in, key);
  }
  e.text = vd_lines_copy(&r->in, value);
  if (!vd_separated_number(value, false, &e.value))
    e.value = NAN;
  if (to->count == MAX_ENTRIES)
    return;
  if (to->count == to->room) {
    to->room = 2 * to->room + 16;
    vd_tydex_entry *grown = vd_arena_alloc(r->in.arena, to->room * sizeof *grown);
    if (to->count > 0)
      memcpy(grown, to->entry, to->count * sizeof *grown);
    to->entry = grown;
  }
  to->entry[to->count++] = e;
}

/* Reads factor and offsets from their columns; by default they are 1, 0 and 0. Returns false if the line does not keep
 * to the columns. */
static bool numbers_in_columns(vd_slice line, vd_tydex_channel *c) {
  double *number[] = {&c->factor, &c->measured_offset, &c->physical_offset};
  for (size_t i = 0; i < 3; i++) {
    size_t from = 50 + 10 * i;
    vd_slice f = part(line, from, i < 2 ? from + 10 : line.length);
    if (is_split(line, from) || (f.length > 0 && !vd_separated_number(f, false, number[i])))
      return false;
  }
  return line.length > 40;
}

/* Reads the numbers from the last three words, and the unit before them. */
static bool numbers_in_words(reader *r, vd_slice line, vd_tydex_channel *c) {
  double *number[] = {&c->physical_offset, &c->measured_offset, &c->factor};
  vd_slice rest = line, word;
  for (size_t i = 0; i < 3; i++)
    if (!last_word(&rest, &word) || !vd_separated_number(word, false, number[i]))
      return false;
  c->unit = last_word(&rest, &word) && word.text != vd_trimmed(line).text ? vd_lines_copy(&r->in, word) : "";
  return true;
}

static void read_channel(reader *r, vd_slice line) {
  vd_slice rest = line, key;
  if (!next_word(&rest, &key))
    return;
  vd_tydex_channel c = {.key = upper_case(r, key), .factor = 1.0, .at = vd_lines_place(&r->in, key)};
  c.unit = vd_lines_copy(&r->in, part(line, 40, 50));
  if (!numbers_in_columns(line, &c) && !numbers_in_words(r, line, &c)) {
    VD_LINES_ERROR(&r->in, vd_trimmed(line),
                   "channel '%s' has no unit in column 41, or no factor and offsets in columns 51, 61 and 71",
                   vd_lines_excerpt(&r->in, key));
    return;
  }
  for (size_t i = 0; i < r->channels; i++)
    if (strcmp(r->channel[i].key, c.key) == 0) {
      VD_LINES_ERROR(&r->in, key, "two channels are named '%s'", vd_lines_excerpt(&r->in, key));
      return;
    }
  if (r->channels == MAX_CHANNELS) {
    vd_error(r->in.d, c.at, "more than %d channels", MAX_CHANNELS);
    r->in.errors = MAX_ERRORS;
    return;
  }
  r->channel[r->channels++] = c;
}

/* --- data --- */

static void begin_data(reader *r) {
  size_t most = vd_lines_left(&r->in);
  r->value = vd_arena_alloc(r->in.arena, (r->channels + 1) * sizeof *r->value);
  for (size_t i = 0; i < r->channels; i++)
    r->value[i] = vd_arena_alloc(r->in.arena, most * sizeof **r->value);
  r->offset = vd_arena_alloc(r->in.arena, most * sizeof *r->offset);
}

/* Reads a line of data. A row may take several lines, but a line does not contain values of two rows. */
static void read_data(reader *r, vd_slice line) {
  vd_slice rest = line, word;
  if (r->filled == 0)
    r->offset[r->rows] = (size_t)(line.text - r->in.text);
  while (next_word(&rest, &word)) {
    double measured;
    if (r->filled == r->channels) {
      VD_LINES_ERROR(&r->in, word, "more values than the %zu channels", r->channels);
      break;
    }
    const vd_tydex_channel *c = &r->channel[r->filled];
    if (vd_separated_number(word, false, &measured)) {
      measured = (measured + c->measured_offset) * c->factor + c->physical_offset;
    } else if (vd_separated_is_missing(word)) {
      measured = NAN;
    } else {
      VD_LINES_ERROR(&r->in, word, "'%s' in channel '%s' is not a number", vd_lines_excerpt(&r->in, word), c->key);
    }
    r->value[r->filled++][r->rows] = measured;
  }
  if (r->filled == r->channels) {
    r->filled = 0;
    r->rows++;
  }
}

/* --- sections --- */

static void end_data(reader *r) {
  if (r->section == DATA && r->filled > 0) {
    VD_LINES_ERROR(&r->in, ((vd_slice){r->in.text + r->offset[r->rows], 1}), "row of %zu value%s for %zu channels",
                   r->filled, r->filled == 1 ? "" : "s", r->channels);
    r->filled = 0;
  }
}

static void begin_section(reader *r, vd_slice line) {
  vd_slice word, rest = {line.text + 2, line.length - 2};
  end_data(r);
  r->section = OTHER;
  if (!next_word(&rest, &word)) {
    VD_LINES_ERROR(&r->in, line, "** without a keyword");
    return;
  }
  size_t i = 0;
  while (i < VD_COUNT(keywords) && !vd_slice_is(word, keywords[i].keyword))
    i++;
  if (i == VD_COUNT(keywords)) {
    vd_warning(r->in.d, vd_lines_place(&r->in, line), "section **%s is unknown to TYDEX 1.3; its lines are ignored",
               vd_lines_excerpt(&r->in, word));
    return;
  }
  enum section section = keywords[i].section;
  if (section != OTHER && r->seen[section]) {
    VD_LINES_ERROR(&r->in, line, "section **%s is given twice", keywords[i].keyword);
    return;
  }
  r->seen[section] = true;
  r->section = section;
  if (section != DATA)
    return;
  if (r->in.errors > 0) { /* the rows would not fit the channels that were read without errors */
    r->in.errors = MAX_ERRORS;
    return;
  }
  if (r->channels == 0) {
    VD_LINES_ERROR(&r->in, line, "**MEASURDATA has no channels: **MEASURCHANNELS must stand before it");
    r->in.errors = MAX_ERRORS;
    return;
  }
  begin_data(r);
}

static void read_line(reader *r, vd_slice line) {
  vd_slice inside = vd_trimmed(line);
  if (inside.length >= 2 && memcmp(inside.text, "**", 2) == 0) {
    begin_section(r, inside);
    return;
  }
  if (inside.length == 0 || inside.text[0] == '!')
    return;
  switch (r->section) {
  case NOWHERE:
  case COMMENTS:
  case OTHER:
  case END: break;
  case HEADER:
  case CONSTANTS:
  case PARAMETERS:
  case COEFFICIENTS: read_entry(r, line); break;
  case CHANNELS: read_channel(r, line); break;
  case DATA: read_data(r, line); break;
  }
}

static void check_whole(reader *r) {
  const vd_place whole = {.source = r->in.source};
  if (r->in.errors > 0)
    return;
  if (!r->seen[CHANNELS] || !r->seen[DATA] || r->rows == 0) {
    vd_error(r->in.d, whole,
             !r->seen[CHANNELS] ? "no section **MEASURCHANNELS"
             : !r->seen[DATA]   ? "no section **MEASURDATA"
                                : "no rows in **MEASURDATA");
    r->in.errors++;
    return;
  }
  if (!r->seen[END])
    vd_warning(r->in.d, whole, "the file ends without **END; it may be incomplete");
  for (size_t i = 0; i < r->entries[HEADER].count; i++) {
    const vd_tydex_entry *e = &r->entries[HEADER].entry[i];
    if (strcmp(e->key, "RELEASE") == 0 && strcmp(e->text, "1.3") != 0)
      vd_warning(r->in.d, e->at, "release '%.20s' of TYDEX is read as 1.3", e->text);
  }
}

bool vd_tydex_read(int source, vd_arena *arena, vd_diag *d, vd_tydex *out) {
  reader r = {.in = vd_lines_of(source, arena, d)};
  vd_slice line;
  r.channel = vd_arena_alloc(arena, MAX_CHANNELS * sizeof *r.channel);
  while (r.section != END && r.in.errors < MAX_ERRORS && vd_lines_next(&r.in, &line))
    read_line(&r, line);
  end_data(&r);
  check_whole(&r);
  *out = (vd_tydex){.header = r.entries[HEADER],
                    .constants = r.entries[CONSTANTS],
                    .model_parameters = r.entries[PARAMETERS],
                    .model_coefficients = r.entries[COEFFICIENTS],
                    .channel = r.channel,
                    .channels = r.channels,
                    .rows = r.rows,
                    .value = r.value,
                    .offset = r.offset};
  return r.in.errors == 0;
}

int vd_tydex_find(const vd_tydex *t, const char *key) {
  for (size_t i = 0; i < t->channels; i++)
    if (strcmp(t->channel[i].key, key) == 0)
      return (int)i;
  return -1;
}

const vd_tydex_entry *vd_tydex_constant(const vd_tydex *t, const char *key) {
  for (size_t i = 0; i < t->constants.count; i++)
    if (strcmp(t->constants.entry[i].key, key) == 0)
      return &t->constants.entry[i];
  return NULL;
}

/* --- writing --- */

/* Writes a text in a line of its own. It must not begin a section or a comment, or contain a line break. */
static void write_text(vd_output *o, const char *text) {
  for (; *text; text++)
    vd_output_bytes(o, (unsigned char)*text < ' ' || *text == '*' || *text == '!' ? " " : text, 1);
  vd_output_puts(o, "\n");
}

void vd_tydex_write_head(vd_output *o, const char *supplier, const char *title, const vd_tydex_written *channel,
                         size_t channels) {
  vd_buf text = {0};
  vd_output_puts(o, "**HEADER\nRELEASE   Release of the format                       1.3\n");
  vd_output_puts(o, "SUPPLIER  Supplier of the data                        ");
  write_text(o, supplier);
  vd_output_puts(o, "**COMMENTS\n");
  if (*title)
    write_text(o, title);
  vd_output_puts(o, "**CONSTANTS\n**MEASURCHANNELS\n");
  for (size_t i = 0; i < channels; i++)
    vd_buf_printf(&text, "%-10s%-30s%-10s%-10s%-10s0\n", channel[i].key, channel[i].comment, channel[i].unit, "1", "0");
  vd_buf_puts(&text, "**MEASURDATA\n");
  vd_output_bytes(o, text.text, text.length);
  vd_buf_finish(&text);
}

void vd_tydex_write_row(vd_output *o, const double *value, size_t channels, enum vd_digits digits) {
  char number[VD_NUM_MAX];
  for (size_t i = 0; i < channels; i++) {
    int length = isnan(value[i])             ? 0
                 : digits == VD_DIGITS_EXACT ? vd_num_print_shortest(value[i], number)
                                             : vd_num_print9(value[i], number);
    if (i > 0)
      vd_output_bytes(o, " ", 1);
    if (length > 0)
      vd_output_bytes(o, number, (size_t)length);
    else
      vd_output_puts(o, "NOTAVAIL");
  }
  vd_output_puts(o, "\n");
}

void vd_tydex_write_end(vd_output *o) {
  vd_output_puts(o, "**END\n");
}
