#include "input/diag.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
  KEPT = 100,        /* greatest number of errors, and of warnings, that are kept until the next print */
  WINDOW = 100,      /* characters of a long line that are shown */
  WINDOW_BEFORE = 40 /* characters of the window that stand before the caret */
};

typedef struct source {
  char *name;
  char *text;
  size_t length;
} source;

typedef struct message {
  enum vd_severity severity;
  vd_place at;
  char *text;
  vd_place order; /* place of this message, or of the message to which a note belongs */
  size_t group;   /* number of the message, shared with its notes */
  size_t number;
} message;

typedef struct read_file {
  char *name;
  vd_file_id id;
} read_file;

struct vd_diag {
  source *sources;
  int source_count;
  read_file *files;
  size_t file_count;
  message *messages;
  size_t count, capacity;
  size_t groups;            /* number of messages so far, without notes */
  size_t total[2], kept[2]; /* number of errors and of warnings: in total, and kept since the last print */
  size_t dropped;           /* number of errors that were not kept since the last print */
  bool mute;                /* the last message was not kept, nor are its notes */
  bool strict, quiet;
  void *reader_state;
  struct vd_cache *cache;
  vd_reader_laps laps;
};

static char *copy(const char *text, size_t length) {
  char *p = vd_reallocate(NULL, length + 1, 1);
  if (length)
    memcpy(p, text, length);
  p[length] = '\0';
  return p;
}

vd_diag *vd_diag_create(void) {
  vd_diag *d = vd_reallocate(NULL, 1, sizeof *d);
  *d = (vd_diag){0};
  return d;
}

static void forget(vd_diag *d) {
  for (size_t i = 0; i < d->count; i++)
    free(d->messages[i].text);
  d->count = d->kept[VD_ERROR] = d->kept[VD_WARNING] = d->dropped = 0;
}

void vd_diag_destroy(vd_diag *d) {
  if (!d)
    return;
  forget(d);
  free(d->messages);
  for (int i = 0; i < d->source_count; i++) {
    free(d->sources[i].name);
    free(d->sources[i].text);
  }
  free(d->sources);
  for (size_t i = 0; i < d->file_count; i++)
    free(d->files[i].name);
  free(d->files);
  free(d);
}

int vd_diag_add_source(vd_diag *d, const char *name, const char *text, size_t length) {
  /* the byte order mark is dropped, as it would shift the columns of the first line */
  if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
    text += 3;
    length -= 3;
  }
  d->sources = vd_reallocate(d->sources, (size_t)d->source_count + 1, sizeof *d->sources);
  d->sources[d->source_count] = (source){copy(name, strlen(name)), copy(text, length), length};
  return d->source_count++;
}

int vd_diag_mark(const vd_diag *d) {
  return d->source_count;
}

void vd_diag_rewind(vd_diag *d, int mark) {
  for (; d->source_count > mark; d->source_count--) {
    free(d->sources[d->source_count - 1].name);
    free(d->sources[d->source_count - 1].text);
  }
  forget(d);
  d->total[VD_ERROR] = d->total[VD_WARNING] = d->groups = 0;
  d->mute = false;
}

void vd_diag_set_reader_state(vd_diag *d, void *kept) {
  d->reader_state = kept;
}

void *vd_diag_reader_state(const vd_diag *d) {
  return d->reader_state;
}

void vd_diag_set_cache(vd_diag *d, struct vd_cache *cache) {
  d->cache = cache;
}

struct vd_cache *vd_diag_cache(const vd_diag *d) {
  return d->cache;
}

void vd_diag_set_laps(vd_diag *d, const vd_reader_laps *laps) {
  d->laps = *laps;
}

const vd_reader_laps *vd_diag_laps(const vd_diag *d) {
  return &d->laps;
}

static const source *find_source(const vd_diag *d, int id) {
  return id >= 0 && id < d->source_count ? &d->sources[id] : NULL;
}

const char *vd_diag_source_name(const vd_diag *d, int id) {
  const source *s = find_source(d, id);
  return s ? s->name : "";
}

size_t vd_diag_source_text(const vd_diag *d, int id, const char **text) {
  const source *s = find_source(d, id);
  *text = s ? s->text : "";
  return s ? s->length : 0;
}

const char *vd_diag_find_file(const vd_diag *d, vd_file_id id) {
  for (size_t i = 0; i < d->file_count; i++)
    if (d->files[i].id.device == id.device && d->files[i].id.inode == id.inode)
      return d->files[i].name;
  return NULL;
}

void vd_diag_note_file(vd_diag *d, const char *name, vd_file_id id) {
  if (vd_diag_find_file(d, id))
    return;
  d->files = vd_reallocate(d->files, d->file_count + 1, sizeof *d->files);
  d->files[d->file_count] = (read_file){copy(name, strlen(name)), id};
  d->file_count++; /* counted only now, because memory may run out above */
}

void vd_diag_note_files(vd_diag *d, const vd_diag *from) {
  for (size_t i = 0; i < from->file_count; i++)
    vd_diag_note_file(d, from->files[i].name, from->files[i].id);
}

size_t vd_diag_files(const vd_diag *d) {
  return d->file_count;
}

const char *vd_diag_file(const vd_diag *d, size_t i, vd_file_id *id) {
  *id = d->files[i].id;
  return d->files[i].name;
}

/* Returns the number of bytes of the line break at `at`, 0 if there is none. YAML 1.1 also counts U+0085, U+2028 and
 * U+2029 as line breaks. */
static size_t line_break(const source *s, size_t at) {
  const char *t = s->text + at;
  size_t rest = s->length - at;
  if (rest == 0)
    return 0;
  if (t[0] == '\n')
    return 1;
  if (t[0] == '\r')
    return rest > 1 && t[1] == '\n' ? 2 : 1;
  if (rest > 1 && memcmp(t, "\xc2\x85", 2) == 0)
    return 2;
  if (rest > 2 && (memcmp(t, "\xe2\x80\xa8", 3) == 0 || memcmp(t, "\xe2\x80\xa9", 3) == 0))
    return 3;
  return 0;
}

/* Returns the end of the line. Bytes that cannot begin a line break are skipped at once, because lines may be long. */
static size_t line_end(const source *s, size_t at) {
  for (; at < s->length; at++) {
    unsigned char c = (unsigned char)s->text[at];
    if ((c == '\n' || c == '\r' || c == 0xc2 || c == 0xe2) && line_break(s, at) > 0)
      break;
  }
  return at;
}

vd_place vd_diag_place(const vd_diag *d, int id, size_t offset, size_t length) {
  const source *s = find_source(d, id);
  if (!s || offset > s->length)
    return (vd_place){.source = id};
  int line = 1;
  size_t start = 0, end = line_end(s, 0);
  while (end < offset && end + line_break(s, end) <= offset) {
    start = end + line_break(s, end);
    end = line_end(s, start);
    line++;
  }
  if (length > s->length - offset)
    length = s->length - offset;
  return (vd_place){.source = id,
                    .line = line,
                    .column = (int)vd_utf8_count(s->text + start, offset - start) + 1,
                    .length = (int)vd_utf8_count(s->text + offset, length)};
}

static bool is_kept(const vd_diag *d, enum vd_severity severity, vd_place at, const char *text) {
  for (size_t i = 0; i < d->count; i++) {
    const message *m = &d->messages[i];
    if (m->severity == severity && m->at.source == at.source && m->at.line == at.line && m->at.column == at.column &&
        strcmp(m->text, text) == 0)
      return true;
  }
  return false;
}

static void keep(vd_diag *d, enum vd_severity severity, vd_place at, char *text) {
  vd_place order = at;
  if (severity != VD_NOTE)
    d->groups++;
  else if (d->count)
    order = d->messages[d->count - 1].order;
  if (d->count == d->capacity) {
    d->capacity = d->capacity ? 2 * d->capacity : 16;
    d->messages = vd_reallocate(d->messages, d->capacity, sizeof *d->messages);
  }
  d->messages[d->count] = (message){severity, at, text, order, d->groups, d->count};
  d->count++;
}

static void add(vd_diag *d, enum vd_severity severity, vd_place at, const char *format, va_list args) {
  if (severity == VD_NOTE && d->mute)
    return;
  vd_buf b = {0};
  vd_buf_vprintf(&b, format, args);
  bool repeated = severity != VD_NOTE && is_kept(d, severity, at, b.text);
  bool counted = severity == VD_ERROR || severity == VD_WARNING, full = severity == VD_REMARK && d->quiet;
  if (counted && !repeated) {
    d->total[severity]++;
    full = d->kept[severity] == KEPT;
    d->kept[severity] += !full;
    d->dropped += full && severity == VD_ERROR;
  }
  if (severity != VD_NOTE)
    d->mute = repeated || full;
  if (d->mute)
    vd_buf_finish(&b);
  else
    keep(d, severity, at, b.text);
}

bool vd_error(vd_diag *d, vd_place at, const char *format, ...) {
  va_list args;
  va_start(args, format);
  add(d, VD_ERROR, at, format, args);
  va_end(args);
  return false;
}

#define MESSAGE(name, severity)                                                                                        \
  void name(vd_diag *d, vd_place at, const char *format, ...) {                                                        \
    va_list args;                                                                                                      \
    va_start(args, format);                                                                                            \
    add(d, severity, at, format, args);                                                                                \
    va_end(args);                                                                                                      \
  }
MESSAGE(vd_warning, VD_WARNING)
MESSAGE(vd_note, VD_NOTE)
MESSAGE(vd_remark, VD_REMARK)

void vd_diag_set_strict(vd_diag *d, bool strict) {
  d->strict = strict;
}

bool vd_diag_strict(const vd_diag *d) {
  return d->strict;
}

void vd_diag_set_quiet(vd_diag *d, bool quiet) {
  d->quiet = quiet;
}

size_t vd_diag_errors(const vd_diag *d) {
  return d->total[VD_ERROR];
}

size_t vd_diag_warnings(const vd_diag *d) {
  return d->total[VD_WARNING];
}

static int compare(const void *a, const void *b) {
  const message *x = a, *y = b;
  if (x->order.source != y->order.source)
    return x->order.source < y->order.source ? -1 : 1;
  if (x->order.line != y->order.line)
    return x->order.line < y->order.line ? -1 : 1;
  if (x->order.column != y->order.column)
    return x->order.column < y->order.column ? -1 : 1;
  if (x->group != y->group)
    return x->group < y->group ? -1 : 1;
  return x->number < y->number ? -1 : 1;
}

/* The line that was found last. Messages are sorted, so the search for the next line goes on from here. */
typedef struct cursor {
  int source;
  int line;
  size_t start;
} cursor;

/* Finds the start of a line. Returns false if the source has fewer lines. */
static bool find_line(const source *s, int id, int line, cursor *c) {
  if (c->source != id || line < c->line)
    *c = (cursor){.source = id, .line = 1, .start = 0};
  while (c->line < line) {
    size_t end = line_end(s, c->start);
    if (end == s->length)
      return false;
    c->start = end + line_break(s, end);
    c->line++;
  }
  return true;
}

/* Returns the number of columns of a character on a terminal, by the common ranges and not by the locale. */
static size_t width(unsigned code) {
  if (code >= 0x300 && code <= 0x36f)
    return 0;
  bool wide = (code >= 0x1100 && code <= 0x115f) || (code >= 0x2e80 && code <= 0xa4cf) ||
              (code >= 0xac00 && code <= 0xd7a3) || (code >= 0xf900 && code <= 0xfaff) ||
              (code >= 0xfe30 && code <= 0xfe6f) || (code >= 0xff00 && code <= 0xff60) ||
              (code >= 0x1f300 && code <= 0x1faff);
  return wide ? 2 : 1;
}

/* Adds the character at text[0..length) so that it cannot control a terminal. Returns the number of bytes read. */
static size_t add_printable(vd_buf *b, const char *text, size_t length, unsigned *code) {
  size_t size = vd_utf8(text, length, code);
  if (size == 0)
    *code = '?';
  bool control = *code < 0x20 || (*code >= 0x7f && *code < 0xa0);
  if (size && (!control || *code == '\t'))
    vd_buf_add(b, text, size);
  else
    vd_buf_add(b, "?", 1);
  return size ? size : 1;
}

static void repeat(vd_buf *b, char c, size_t count) {
  while (count--)
    vd_buf_add(b, &c, 1);
}

/* Writes the part of text[0..length) around the caret, and the line with the caret. */
static void excerpt(const char *text, size_t length, vd_place at, vd_buf *shown, vd_buf *marks) {
  size_t count = vd_utf8_count(text, length);
  size_t caret = at.column > 0 ? (size_t)at.column - 1 : 0;
  if (caret > count)
    caret = count;
  size_t first = 0, last = count;
  if (count > WINDOW) {
    first = caret > WINDOW_BEFORE ? caret - WINDOW_BEFORE : 0;
    if (first > count - WINDOW)
      first = count - WINDOW;
    last = first + WINDOW;
  }
  size_t caret_end = caret + (at.length > 1 ? (size_t)at.length : 1);

  if (first > 0) {
    vd_buf_puts(shown, "...");
    vd_buf_puts(marks, "   ");
  }
  size_t i = 0;
  for (size_t k = 0; k < last; k++) {
    unsigned code = 0;
    if (k < first) {
      size_t size = vd_utf8(text + i, length - i, NULL);
      i += size ? size : 1;
      continue;
    }
    i += add_printable(shown, text + i, length - i, &code);
    if (k < caret)
      repeat(marks, code == '\t' ? '\t' : ' ', width(code));
    else if (k < caret_end)
      repeat(marks, '^', width(code));
  }
  if (caret == last)
    vd_buf_puts(marks, "^");
  if (last < count)
    vd_buf_puts(shown, "...");
}

static void add_excerpt(const vd_diag *d, vd_place at, cursor *c, bool colour, vd_buf *out) {
  const source *s = find_source(d, at.source);
  if (!s || !find_line(s, at.source, at.line, c))
    return;
  vd_buf shown = {0}, marks = {0};
  excerpt(s->text + c->start, line_end(s, c->start) - c->start, at, &shown, &marks);
  int margin = snprintf(NULL, 0, "%5d", at.line);
  vd_buf_printf(out, "%5d | %s\n", at.line, shown.text ? shown.text : "");
  vd_buf_printf(out, "%*s | %s%s%s\n", margin, "", colour ? "\033[1;32m" : "", marks.text ? marks.text : "",
                colour ? "\033[0m" : "");
  vd_buf_finish(&shown);
  vd_buf_finish(&marks);
}

static void add_message(const vd_diag *d, const message *m, cursor *c, bool colour, vd_buf *out) {
  static const char *const word[] = {"error", "warning", "note", "remark"};
  static const char *const paint[] = {"\033[1;31m", "\033[1;35m", "\033[1;36m", "\033[1;36m"};
  const char *bold = colour ? "\033[1m" : "", *plain = colour ? "\033[0m" : "";

  vd_buf line = {0};
  const source *s = find_source(d, m->at.source);
  unsigned code;
  if (s) {
    for (size_t i = 0, n = strlen(s->name); i < n;)
      i += add_printable(&line, s->name + i, n - i, &code);
    if (m->at.line > 0)
      vd_buf_printf(&line, ":%d:%d", m->at.line, m->at.column);
    vd_buf_puts(&line, ": ");
  }
  vd_buf_printf(out, "%s%s%s", bold, line.text ? line.text : "", plain);
  vd_buf_printf(out, "%s%s:%s ", colour ? paint[m->severity] : "", word[m->severity], plain);

  line.length = 0;
  for (size_t i = 0, n = strlen(m->text); i < n;)
    i += add_printable(&line, m->text + i, n - i, &code);
  vd_buf_add(&line, "\n", 1);
  vd_buf_add(out, line.text, line.length);
  vd_buf_finish(&line);
  if (m->at.line > 0)
    add_excerpt(d, m->at, c, colour, out);
}

void vd_diag_sort(vd_diag *d) {
  if (d->count)
    qsort(d->messages, d->count, sizeof *d->messages, compare);
}

size_t vd_diag_count(const vd_diag *d) {
  return d->count;
}

void vd_diag_message(const vd_diag *d, size_t i, enum vd_severity *severity, vd_place *at, const char **text) {
  const message *m = &d->messages[i];
  *severity = m->severity;
  *at = m->at;
  *text = m->text;
}

const char *vd_diag_first_error(const vd_diag *d) {
  for (size_t i = 0; i < d->count; i++)
    if (d->messages[i].severity == VD_ERROR)
      return d->messages[i].text;
  return "";
}

void vd_diag_write(vd_diag *d, bool colour, vd_buf *out) {
  vd_diag_sort(d);
  cursor c = {.source = -1};
  for (size_t i = 0; i < d->count; i++)
    add_message(d, &d->messages[i], &c, colour, out);
  if (d->dropped)
    vd_buf_printf(out, "%zu more error%s\n", d->dropped, d->dropped == 1 ? "" : "s");
}

void vd_diag_print(vd_diag *d, FILE *to, bool colour) {
  vd_buf text = {0};
  vd_diag_write(d, colour, &text);
  if (text.length)
    fwrite(text.text, 1, text.length, to);
  vd_buf_finish(&text);
  forget(d);
}
