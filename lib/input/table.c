#include "input/table.h"

#include "base/memory.h"
#include "base/num.h"
#include "base/system.h"
#include "input/file.h"
#include "input/separated.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- Reading --------------------------------------------------------------------------------- */

enum { MAX_ERRORS = 20 }; /* errors in one table after which reading stops */

typedef struct vd_cells_text {
  vd_diag *d;
  vd_arena *arena;
  int source;
  char separator;
  const vd_slice *name;
  const char *text;
  size_t *offset; /* [rows], bytes before each row */
} places;

/* Checks that every column has a name and no two names are equal. Only the first column may have no name; it then
 * contains the names of the rows. */
static void check_names(vd_separated *s) {
  for (size_t i = 0; i < s->columns && s->in.errors < MAX_ERRORS; i++) {
    if (*s->name[i] == '\0' && (i > 0 || s->columns == 1))
      VD_LINES_ERROR(&s->in, s->name_field[i], "column %zu has no name", i + 1);
    for (size_t k = 0; k < i && *s->name[i]; k++)
      if (strcmp(s->name[k], s->name[i]) == 0) {
        VD_LINES_ERROR(&s->in, s->name_field[i], "two columns are named '%s'",
                       vd_excerpt(s->in.arena, s->name[i], strlen(s->name[i])));
        break;
      }
  }
}

bool vd_cells_read(int source, vd_arena *arena, vd_diag *d, vd_cells *out) {
  static const vd_separated_form form = {.comment = "", .words = true};
  vd_separated s;
  vd_slice row, field[VD_MAX_COLUMNS];
  *out = (vd_cells){.rows = 0};
  if (!vd_separated_open(&form, source, arena, d, &s))
    return false;
  check_names(&s);
  const size_t most = vd_lines_left(&s.in);
  places *where = vd_arena_alloc(arena, sizeof *where);
  const char **text = vd_arena_alloc(arena, most * s.columns * sizeof *text);
  *where = (places){
      d, arena, source, s.separator, s.name_field, s.in.text, vd_arena_alloc(arena, most * sizeof *where->offset)};
  size_t rows = 0;
  while (s.in.errors < MAX_ERRORS && vd_separated_row(&s, &row)) {
    where->offset[rows] = (size_t)(row.text - s.in.text);
    if (vd_separated_split(&s, row, field))
      for (size_t i = 0; i < s.columns; i++)
        text[rows * s.columns + i] = vd_separated_copy(&s, field[i]);
    rows++;
  }
  if (rows == 0 && s.in.errors == 0)
    return vd_error(d, (vd_place){.source = source}, "no rows below the names");
  *out = (vd_cells){s.columns, rows, s.name, s.unit, text, where};
  return s.in.errors == 0;
}

int vd_cells_column(const vd_cells *c, const char *name) {
  for (size_t i = 0; i < c->columns; i++)
    if (strcasecmp(c->name[i], name) == 0)
      return (int)i;
  return -1;
}

void vd_cells_to_si(vd_cells *c) {
  vd_arena *arena = c->where->arena;
  const char **name = vd_arena_alloc(arena, c->columns * sizeof *name);
  const char **text = vd_arena_alloc(arena, c->rows * c->columns * sizeof *text);
  memcpy(name, c->name, c->columns * sizeof *name);
  memcpy(text, c->text, c->rows * c->columns * sizeof *text);
  for (size_t i = 0; i < c->columns; i++) {
    char number[VD_NUM_MAX];
    double value;
    vd_buf si = {0};
    const vd_unit_name *row = vd_unit_si_name(c->name[i], &si);
    bool taken = row && vd_cells_column(c, si.text) < 0;
    if (taken)
      name[i] = vd_arena_copy(arena, si.text, si.length);
    for (size_t k = 0; k < c->rows && taken; k++)
      if (vd_cells_is_number(c, k, i, &value)) {
        vd_num_print_shortest(value * row->numerator / row->denominator, number);
        text[k * c->columns + i] = vd_arena_copy(arena, number, strlen(number));
      }
    vd_buf_finish(&si);
  }
  c->name = name;
  c->text = text;
}

vd_place vd_cells_place(const vd_cells *c, size_t row, size_t column) {
  return vd_separated_place(c->where->d, c->where->source, c->where->separator, c->where->offset[row], column);
}

vd_place vd_cells_name_place(const vd_cells *c, size_t column) {
  const vd_slice name = c->where->name[column];
  return vd_diag_place(c->where->d, c->where->source, (size_t)(name.text - c->where->text),
                       name.length > 0 ? name.length : 1);
}

bool vd_cells_is_number(const vd_cells *c, size_t row, size_t column, double *value) {
  const char *text = c->text[row * c->columns + column];
  const vd_slice field = {text, strlen(text)};
  return vd_separated_number(field, false, value) ||
         (c->where->separator != ',' && vd_separated_number(field, true, value));
}

bool vd_cells_number(const vd_cells *c, size_t row, size_t column, double *value) {
  const char *text = c->text[row * c->columns + column];
  const places *w = c->where;
  size_t used = 0, length = strlen(text);
  if (vd_cells_is_number(c, row, column, value))
    return true;
  vd_place at = vd_cells_place(c, row, column);
  const char *name = vd_excerpt(w->arena, c->name[column], strlen(c->name[column]));
  vd_num_parse(text, length, value, &used);
  if (length == 0)
    vd_error(w->d, at, "empty field in column '%s'", name);
  else
    vd_error(w->d, at, "'%s' in column '%s' is %s", vd_excerpt(w->arena, text, length), name,
             used == length ? "too large for a number" : "not a number");
  return false;
}

/* ---- Writing --------------------------------------------------------------------------------- */

enum { BLOCK = 65536, ATTEMPTS = 100 };

struct vd_output {
  int fd;
  vd_buf *text; /* NULL: the output goes to fd */
  int error;
  char *path;      /* path of the file that is replaced; NULL: it is written in place */
  char *temporary; /* NULL: written in place */
  size_t used;
  char block[BLOCK];
};

/* Returns a number that identifies this machine among those that may write to the same folder. */
static unsigned machine(void) {
  char name[256];
  vd_machine_name(name, sizeof name);
  return (unsigned)vd_text_hash(VD_HASH_START, name, strlen(name));
}

/* Makes a name for a temporary file in the folder of `path`. Opening the file with O_EXCL confirms that the name is not
 * in use. */
static char *temporary_name(const char *path, unsigned attempt) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  const char *slash = strrchr(path, '/');
  int folder = slash ? (int)(slash - path) + 1 : 0;
  unsigned long mixed = (unsigned long)now.tv_nsec * 2654435761u ^ (unsigned long)now.tv_sec;
  vd_buf name = {0};
  vd_buf_printf(&name, "%.*s.vdsim-%ld-%08x-%lx-%u.tmp", folder, path, (long)getpid(), machine(), mixed, attempt);
  return name.text;
}

/* Locks a file that was just made, so that no other process takes it for a file that a killed process has left. Returns
 * false if another process has already removed it. */
static bool lock_new(int fd) {
  struct stat s;
  int error = vd_file_hold(fd, true);
  return error != 0 || fstat(fd, &s) != 0 || s.st_nlink > 0;
}

/* Opens a new temporary file, without mkstemp: open applies the umask and default ACLs, and the umask cannot be read
 * without setting it, which would affect other threads. */
static bool open_temporary(vd_output *o) {
  for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
    o->temporary = temporary_name(o->path, attempt);
    o->fd = vd_open(o->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (o->fd >= 0 && lock_new(o->fd))
      return true;
    int error = o->fd >= 0 ? EEXIST : errno;
    if (o->fd >= 0)
      close(o->fd);
    free(o->temporary);
    o->temporary = NULL;
    errno = error;
    if (error != EEXIST)
      break;
  }
  return false;
}

/* True if this is the name of a temporary file that was made on this machine. A lock is only known to be seen by the
 * processes of one machine. */
static bool may_be_left(const char *name) {
  static const char start[] = ".vdsim-";
  unsigned where;
  size_t length = strlen(name);
  if (strncmp(name, start, sizeof start - 1) != 0 || length < 4 || strcmp(name + length - 4, ".tmp") != 0)
    return false;
  const char *process = name + sizeof start - 1, *end = process + strspn(process, "0123456789");
  bool elsewhere = sscanf(end, "-%8x-%*x-%*u.tmp", &where) == 1 && end[9] == '-' && where != machine();
  return end > process && *end == '-' && !elsewhere;
}

void vd_output_clear(const char *folder) {
  const struct dirent *entry;
  DIR *d = opendir(folder);
  vd_buf path = {0};
  while (d && (entry = readdir(d))) {
    struct stat s;
    if (!may_be_left(entry->d_name))
      continue;
    path.length = 0;
    vd_buf_printf(&path, "%s/%s", folder, entry->d_name);
    int fd = vd_open(path.text, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
    if (fd >= 0 && fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && vd_file_hold(fd, false) == 0)
      unlink(path.text);
    if (fd >= 0)
      close(fd);
  }
  vd_buf_finish(&path);
  if (d)
    closedir(d);
}

/* Returns the name at the end of a chain of symbolic links, whose file need not exist. After an error it sets errno and
 * returns NULL. */
static char *end_of_links(const char *path) {
  enum { LINKS = 40, LONGEST = 4096 };
  vd_buf name = {0};
  vd_buf_puts(&name, path);
  for (int i = 0; i < LINKS; i++) {
    char to[LONGEST];
    ssize_t length = vd_link_target(name.text, to, sizeof to);
    if (length < 0 || length == LONGEST)
      return name.text; /* no link */
    const char *slash = strrchr(name.text, '/');
    name.length = slash && to[0] != '/' ? (size_t)(slash - name.text) + 1 : 0;
    vd_buf_add(&name, to, (size_t)length);
  }
  vd_buf_finish(&name);
  errno = ELOOP;
  return NULL;
}

/* Opens the file to which the path leads. After an error it sets errno and returns false. */
static bool open_path(vd_output *o, const char *path) {
  struct stat s;
  if (strcmp(path, "-") == 0) {
    o->fd = dup(STDOUT_FILENO); /* so that close can report a late error and fd 1 stays open */
    return o->fd >= 0;
  }
  bool exists = stat(path, &s) == 0;
  if (exists && !S_ISREG(s.st_mode)) {
    o->fd = vd_open(path, O_WRONLY | O_CLOEXEC, 0);
    return o->fd >= 0;
  }
  if (exists && access(path, W_OK) != 0) /* a rename would replace a file that must not be written */
    return false;
  if (*path == '\0') {
    errno = ENOENT;
    return false;
  }
  o->path = end_of_links(path); /* the file to which a symbolic link leads is replaced, not the link */
  if (!o->path || !open_temporary(o))
    return false;
  if (exists)
    vd_keep_mode(o->fd, &s);
  return true;
}

static void release(vd_output *o) {
  free(o->path);
  free(o->temporary);
  free(o);
}

vd_output *vd_output_open(const char *path) {
  vd_output *o = calloc(1, sizeof *o);
  if (!o)
    return NULL;
  if (!open_path(o, path)) {
    int error = errno;
    release(o);
    errno = error;
    return NULL;
  }
  return o;
}

vd_output *vd_output_to(vd_buf *text) {
  vd_output *o = vd_allocate(1, sizeof *o);
  o->fd = -1;
  o->text = text;
  return o;
}

const char *vd_output_temporary(const vd_output *o) {
  return o->temporary;
}

static void write_all(vd_output *o, const char *bytes, size_t length) {
  if (o->text && length > 0)
    vd_buf_add(o->text, bytes, length);
  if (o->text)
    return;
  if (o->error == 0 && !vd_write_all(o->fd, bytes, length))
    o->error = errno; /* later output is dropped */
}

void vd_output_flush(vd_output *o) {
  write_all(o, o->block, o->used);
  o->used = 0;
}

void vd_output_bytes(vd_output *o, const char *bytes, size_t length) {
  if (length > BLOCK - o->used)
    vd_output_flush(o);
  if (length > BLOCK) {
    write_all(o, bytes, length);
  } else if (length > 0) {
    memcpy(o->block + o->used, bytes, length);
    o->used += length;
  }
}

void vd_output_puts(vd_output *o, const char *text) {
  vd_output_bytes(o, text, strlen(text));
}

/* Writes numbers with commas between them and `end` behind the last. */
static void write_numbers(vd_output *o, const double *value, size_t count, enum vd_digits digits, char end) {
  assert(count > 0);
  for (size_t i = 0; i < count; i++) {
    if (BLOCK - o->used < VD_NUM_MAX + 1)
      vd_output_flush(o);
    char *at = o->block + o->used;
    int length = isnan(value[i])             ? 0
                 : digits == VD_DIGITS_EXACT ? vd_num_print_shortest(value[i], at)
                                             : vd_num_print9(value[i], at);
    at[length] = i + 1 < count ? ',' : end;
    o->used += (size_t)length + 1;
  }
}

void vd_output_row(vd_output *o, const double *value, size_t count, enum vd_digits digits) {
  write_numbers(o, value, count, digits, '\n');
}

void vd_output_numbers(vd_output *o, const double *value, size_t count, enum vd_digits digits) {
  write_numbers(o, value, count, digits, ',');
}

/* True if a spreadsheet would compute this text as a formula. Japanese spreadsheets also read the full-width forms of
 * the signs. */
static bool is_like_formula(const char *text) {
  static const char *const sign[] = {
      "=", "+", "-", "@", "\t", "\r", "\n", "\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d", "\xef\xbc\xa0"};
  for (size_t i = 0; i < sizeof sign / sizeof *sign; i++)
    if (strncmp(text, sign[i], strlen(sign[i])) == 0)
      return true;
  return false;
}

static bool needs_quotes(const char *text) {
  size_t length = strlen(text);
  return strpbrk(text, ",\"\r\n") || (length > 0 && (vd_is_blank(text[0]) || vd_is_blank(text[length - 1])));
}

void vd_csv_text(const char *text, vd_buf *out) {
  bool formula = is_like_formula(text);
  if (!formula && !needs_quotes(text)) {
    vd_buf_puts(out, text);
    return;
  }
  vd_buf_puts(out, formula ? "\"'" : "\"");
  for (const char *end; (end = strchr(text, '"')); text = end + 1) {
    vd_buf_add(out, text, (size_t)(end - text));
    vd_buf_puts(out, "\"\"");
  }
  vd_buf_puts(out, text);
  vd_buf_puts(out, "\"");
}

void vd_output_field(vd_output *o, const char *text) {
  vd_buf field = {0};
  vd_csv_text(text, &field);
  vd_output_bytes(o, field.text ? field.text : "", field.length);
  vd_buf_finish(&field);
}

int vd_output_error(const vd_output *o) {
  return o->error;
}

/* Copies the temporary file to another file system, to which it cannot be renamed. Returns 0 or an errno. */
static int copy_to(const vd_output *o, const char *path) {
  char bytes[1 << 14];
  int from = vd_open(o->temporary, O_RDONLY | O_CLOEXEC, 0);
  vd_output *to = from >= 0 ? vd_output_open(path) : NULL;
  int error = to ? 0 : errno;
  for (ssize_t got = 1; to && error == 0 && got != 0;) {
    got = read(from, bytes, sizeof bytes);
    if (got > 0)
      vd_output_bytes(to, bytes, (size_t)got);
    else if (got < 0 && errno != EINTR)
      error = errno;
  }
  if (from >= 0)
    close(from);
  if (to && error == 0)
    error = vd_output_commit(to, NULL);
  else
    vd_output_discard(to);
  if (error == 0)
    unlink(o->temporary);
  return error;
}

static int move_to(const vd_output *o, const char *path) {
  if (rename(o->temporary, path) == 0)
    return 0;
  return errno == EXDEV ? copy_to(o, path) : errno;
}

int vd_output_commit(vd_output *o, const char *final_name) {
  vd_output_flush(o);
  int lock = o->temporary ? dup(o->fd) : -1; /* keeps the file locked until it is renamed; close reports late errors */
  if (!o->text && close(o->fd) != 0 && o->error == 0)
    o->error = errno;
  int error = o->error;
  if (o->temporary) {
    if (error == 0)
      error = move_to(o, final_name ? final_name : o->path);
    if (error != 0)
      unlink(o->temporary);
  }
  if (lock >= 0)
    close(lock);
  release(o);
  return error;
}

void vd_output_discard(vd_output *o) {
  if (!o)
    return;
  if (!o->text)
    close(o->fd);
  if (o->temporary)
    unlink(o->temporary);
  release(o);
}
