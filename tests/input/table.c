/* Tables from and to CSV: reading, places of errors, contents of a written file and the instant at which it appears. */
#include "input/diag.h"
#include "base/num.h"
#include "input/table.h"
#include "tap.h"
#include "input/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/vdsim-table-XXXXXX";

static const char *in_folder(const char *name) {
  static char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

/* Returns the whole file, NUL-terminated, or NULL. */
static char *read_file(const char *path) {
  FILE *f = fopen(path, "rb");
  if (!f)
    return NULL;
  char *text = calloc(1, 1 << 22);
  if (!text)
    abort();
  size_t got = fread(text, 1, (1 << 22) - 1, f);
  text[got] = '\0';
  fclose(f);
  return text;
}

/* ---- reading ---- */

typedef struct reading {
  vd_diag *d;
  vd_arena *arena;
  vd_cells cells;
  double *value; /* [rows][columns] */
  bool ok;
} reading;

static reading read_bytes(const char *bytes, size_t length) {
  reading r = {.d = vd_diag_create(), .arena = vd_arena_create()};
  int source = vd_diag_add_source(r.d, in_folder("in.csv"), bytes, length);
  r.ok = vd_cells_read(source, r.arena, r.d, &r.cells);
  size_t columns = r.cells.columns, count = r.ok ? r.cells.rows * columns : 0;
  r.value = vd_arena_alloc(r.arena, (count + 1) * sizeof *r.value);
  for (size_t i = 0; i < count && r.ok; i++)
    r.ok = vd_cells_number(&r.cells, i / columns, i % columns, &r.value[i]);
  return r;
}

static void finish(reading *r) {
  vd_arena_destroy(r->arena);
  vd_diag_destroy(r->d);
}

static void test_reads(const char *what, const char *text) {
  reading r = read_bytes(text, strlen(text));
  const vd_cells *c = &r.cells;
  bool good = r.ok && c->columns == 3 && c->rows == 2 && vd_cells_column(c, "t_s") == 0 &&
              vd_cells_column(c, "y, left") == 1 && vd_cells_column(c, "z\"") == 2 && vd_cells_column(c, "w") == -1 &&
              vd_diag_errors(r.d) == 0;
  static const double expected[] = {0, -1.5, 2e3, 0.25, 3, -4};
  for (size_t i = 0; good && i < 6; i++)
    good = r.value[i] == expected[i];
  tap_ok(good, "read: %s", what);
  finish(&r);
}

static void test_reading(void) {
  test_reads("plain", "t_s,\"y, left\",\"z\"\"\"\n0,-1.5,2e3\n0.25,3,-4\n");
  test_reads("CRLF", "t_s,\"y, left\",\"z\"\"\"\r\n0,-1.5,2e3\r\n0.25,3,-4\r\n");
  test_reads("no newline at the end", "t_s,\"y, left\",\"z\"\"\"\n0,-1.5,2e3\n0.25,3,-4");
  test_reads("byte order mark", "\xef\xbb\xbft_s,\"y, left\",\"z\"\"\"\n0,-1.5,2e3\n0.25,3,-4\n");
  test_reads("blanks and blank lines", "\n t_s , \"y, left\" ,\"z\"\"\"\n\n0, -1.5 ,\t2e3\n  \n 0.25,\" 3 \",-4 \n\n");
  test_reads("quoted numbers", "\"t_s\",\"y, left\",\"z\"\"\"\n\"0\",\"-1.5\",\"2e3\"\n0.25,3,-4\n");
}

/* Returns the first message as printed, without the lines that show the text. */
static const char *first_message(reading *r) {
  static char line[512];
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  vd_diag_print(r->d, f, false);
  fclose(f);
  const char *start = strstr(text, "in.csv:");
  snprintf(line, sizeof line, "%s", start ? start + strlen("in.csv:") : text);
  line[strcspn(line, "\n")] = '\0';
  free(text);
  return line;
}

/* Reads names behind a comment mark, and fields and decimals as spreadsheets of other countries write them. */
static void test_other_forms(void) {
  static const char *const text[] = {"# a note\n# a,b\n1.5,2\n",
                                     "a;b\n1,5;2\n",
                                     "a\tb\n1.5\t2\n",
                                     "#a;b\n1,5;2\n",
                                     "sep=;\na;b;;\n1,5;2;;\n;;;\n",
                                     "// x\na b\n1,5 2\n",
                                     "A title\n\na [mm],b\n1.5,2\n",
                                     "a,b\nmm,-\n1.5,2\n",
                                     "A title,\na,b\nmm,-\n1.5,2\n",
                                     "a\tb\n\"1,5\"\t2\n"};
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
    reading r = read_bytes(text[i], strlen(text[i]));
    tap_ok(r.ok && r.cells.columns == 2 && strcmp(r.cells.name[1], "b") == 0 && r.value[0] == 1.5 && r.value[1] == 2.0,
           "another form of a table is read, %zu", i);
    vd_arena_destroy(r.arena);
    vd_diag_destroy(r.d);
  }
}

static void test_errors(void) {
  static const struct {
    const char *text;
    const char *message;
  } row[] = {
      {"", " error: no line of names: the file is empty"},
      {"\n \n", " error: no line of names: the file is empty"},
      {"a,b\n", " error: no rows below the names"},
      {"1,2\n3,4\n", "1:1: error: the first line must name the columns, but holds numbers; write their names above it"},
      {",b\n1,x\n", "2:3: error: 'x' in column 'b' is not a number"},
      {"a,,c\n1,2,3\n", "1:3: error: column 2 has no name"},
      {"a,b,a\n1,2,3\n", "1:5: error: two columns are named 'a'"},
      {"a,b\n1,2\n3\n", "3:1: error: row of 1 field below 2 names"},
      {"a,b\n1,2,3\n", "2:1: error: row of 3 fields below 2 names"},
      {"a,b\n1,2,,3\n", "2:1: error: row of 4 fields below 2 names"},
      {"a,b\n1,\n", "2:3: error: empty field in column 'b'"},
      {"a,b\n\n1,2\n 3 , x \n", "4:6: error: 'x' in column 'b' is not a number"},
      {"a,\"b\nc\"\n1,2\n3,4 m\n", "4:3: error: '4 m' in column 'b?c' is not a number"},
      {"a,b\n1,nan\n", "2:3: error: 'nan' in column 'b' is not a number"},
      {"a,b\n-inf,1\n", "2:1: error: '-inf' in column 'a' is not a number"},
      {"a,b\n1,0x10\n", "2:3: error: '0x10' in column 'b' is not a number"},
      {"a,b\n1,2e999\n", "2:3: error: '2e999' in column 'b' is too large for a number"},
      {"a,b\n1,2\"3\n", "2:4: error: quotation mark inside a field"},
      {"a,b\n\"1\"2,3\n", "2:3: error: quotation mark inside a field"},
      {"a,b\n1,\"2\n", "2:3: error: quotation mark is not closed"},
      {"\xc3\xa4,b\n1,2\n\xc3\xb6,3\n", "3:1: error: '\xc3\xb6' in column '\xc3\xa4' is not a number"},
      {"\xef\xbb\xbf"
       "a,b\nx,1\n",
       "2:1: error: 'x' in column 'a' is not a number"},
  };
  for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
    reading r = read_bytes(row[i].text, strlen(row[i].text));
    tap_str(first_message(&r), row[i].message, "error: %s", row[i].message);
    if (r.ok)
      tap_ok(false, "an error is reported, but the table is read: %s", row[i].message);
    finish(&r);
  }
}

static void test_limits(void) {
  reading r = read_bytes("a,b\n1,2\0\n", 9);
  tap_ok(!r.ok && vd_diag_errors(r.d) == 1, "error: a zero byte is refused in a text");
  finish(&r);

  enum { LINES = 100000 };
  char *text = malloc(4 + 4 * LINES);
  if (!text)
    abort();
  memcpy(text, "a,b\n", 4);
  for (size_t i = 1; i <= LINES; i++)
    memcpy(text + 4 * i, "1\n\n\n", 4);
  r = read_bytes(text, 4 + 4 * LINES);
  tap_ok(!r.ok && vd_diag_errors(r.d) >= 10 && vd_diag_errors(r.d) <= 20, "error: reading stops after some errors");
  finish(&r);
  for (size_t i = 1; i <= LINES; i++)
    memcpy(text + 4 * i, "1,2\n", 4);
  r = read_bytes(text, 4 + 4 * LINES);
  tap_ok(r.ok && r.cells.rows == LINES && r.value[2 * LINES - 1] == 2, "read: many rows are read");
  finish(&r);
  free(text);
}

/* ---- writing ---- */

/* Spreadsheets take some texts as formulas (OWASP, CSV Injection): fields that begin with = + - @, a tabulator, a line
 * break, or a wide form of these characters. Such characters inside a text, and a leading apostrophe, do not matter. */
static void test_formulas(void) {
  static const char *const texts[] = {"=1+1",          "+1",        "-1",  "@SUM(A1)", "\tx", "\r=1", "\n=\"\"",
                                      "\xef\xbc\x9dx", "a=1, b=-2", "'=1", "1-2",      ""};
  vd_buf row = {0};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    vd_csv_text(texts[i], &row);
    vd_buf_puts(&row, ",");
  }
  tap_str(row.text,
          "\"'=1+1\",\"'+1\",\"'-1\",\"'@SUM(A1)\",\"'\tx\",\"'\r=1\",\"'\n=\"\"\"\"\",\"'\xef\xbc\x9dx\",\"a=1, "
          "b=-2\",'=1,1-2,,",
          "write: a text that is like a formula is written as text");
  vd_buf_finish(&row);
}

static void test_file(void) {
  char path[256];
  strcpy(path, in_folder("out.csv"));
  umask(027);
  vd_output *o = vd_output_open(path);
  vd_output_field(o, "t_s");
  vd_output_puts(o, ",");
  vd_output_field(o, "a \"b\", c");
  vd_output_puts(o, ",");
  vd_output_field(o, " d");
  vd_output_puts(o, "\n");
  vd_output_row(o, (const double[]){0.1, -0.0, 1e-7}, 3, VD_DIGITS_9);
  vd_output_row(o, (const double[]){0.1, 1.0 / 3, 3}, 3, VD_DIGITS_EXACT);
  vd_output_flush(o);
  tap_ok(access(path, F_OK) != 0, "write: no file of the final name exists before the commit");
  tap_ok(vd_output_error(o) == 0 && vd_output_commit(o, NULL) == 0, "write: commit succeeds");
  char *text = read_file(path);
  tap_str(text,
          "t_s,\"a \"\"b\"\", c\",\" d\"\n0.1,-0,1e-07\n"
          "0.1,0.3333333333333333,3\n",
          "write: fields and rows are as written");
  free(text);
  struct stat s;
  tap_ok(stat(path, &s) == 0 && (s.st_mode & 0777) == 0640, "write: permissions follow the umask");

  o = vd_output_open(path);
  vd_output_puts(o, "other");
  vd_output_flush(o);
  vd_output_discard(o);
  text = read_file(path);
  tap_ok(text && strncmp(text, "t_s", 3) == 0, "write: discard keeps the old file");
  free(text);

  o = vd_output_open(path);
  vd_output_puts(o, "part\n");
  tap_ok(vd_output_commit(o, in_folder("part.csv")) == 0 && access(in_folder("part.csv"), F_OK) == 0,
         "write: the commit may choose another name");
  unlink(in_folder("part.csv"));
}

static void test_links(void) {
  char path[256];
  strcpy(path, in_folder("link.csv"));
  if (symlink("out.csv", path) != 0)
    abort();
  vd_output *o = vd_output_open(path);
  vd_output_puts(o, "through\n");
  int error = vd_output_commit(o, NULL);
  char *text = read_file(in_folder("out.csv"));
  struct stat s;
  tap_ok(error == 0 && text && strcmp(text, "through\n") == 0 && lstat(path, &s) == 0 && S_ISLNK(s.st_mode),
         "write: a symbolic link is followed, not replaced");
  free(text);
  unlink(path);
}

/* Checks many blocks of output, with rows across their ends. */
static void test_blocks(void) {
  enum { ROWS = 3000, COLUMNS = 90 };
  double value[COLUMNS];
  char path[256], field[VD_NUM_MAX];
  strcpy(path, in_folder("big.csv"));
  vd_buf expected = {0};
  vd_output *o = vd_output_open(path);
  for (int i = 0; i < ROWS; i++) {
    for (int k = 0; k < COLUMNS; k++) {
      value[k] = sin(i * 0.37 + k);
      vd_num_print9(value[k], field);
      vd_buf_printf(&expected, "%s%c", field, k + 1 < COLUMNS ? ',' : '\n');
    }
    vd_output_row(o, value, COLUMNS, VD_DIGITS_9);
  }
  vd_buf_add(&expected, expected.text, 200000); /* more than a block at once */
  vd_output_bytes(o, expected.text, 200000);
  int error = vd_output_commit(o, NULL);
  char *text = read_file(path);
  tap_ok(error == 0 && text && strcmp(text, expected.text) == 0, "write: many blocks are written");
  free(text);
  vd_buf_finish(&expected);
  unlink(path);
}

/* rename, before which another run that writes to the folder removes what killed runs have left. */
static bool cleared_before_rename;
int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to) {
  if (cleared_before_rename)
    vd_output_clear(folder);
  return __real_rename(from, to);
}

/* Makes a file that no process has locked; returns its name. */
static const char *leave(const char *name) {
  FILE *f = fopen(in_folder(name), "w");
  if (!f || fclose(f) != 0)
    abort();
  return in_folder(name);
}

/* Temporary files belong to a run as long as it has locked them, whatever process has the number in their names. */
static void test_clearing(void) {
  char number[64];
  snprintf(number, sizeof number, ".vdsim-%ld-1-0.tmp", (long)getpid());
  leave(number);
  leave(".vdsim-1-1-0.tmp");
  vd_output_clear(folder);
  tap_ok(access(in_folder(number), F_OK) != 0 && access(in_folder(".vdsim-1-1-0.tmp"), F_OK) != 0,
         "clear: files without a lock are removed, also if their numbers are those of running processes");
  static const char *const kept[] = {".vdsim-notes.tmp", ".vdsim-1-1-0.csv", ".vdsim--1-0.tmp", "1-1-0.tmp"};
  bool all = true;
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    leave(kept[i]);
  vd_output_clear(folder);
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    all = unlink(in_folder(kept[i])) == 0 && all;
  tap_ok(all, "clear: files with other names stay");

  vd_output *o = vd_output_open(in_folder("out.csv"));
  vd_output_clear(folder);
  tap_ok(o && access(vd_output_temporary(o), F_OK) == 0, "clear: the file of an open output stays");
  char elsewhere[256];
  snprintf(elsewhere, sizeof elsewhere, "%s", vd_output_temporary(o));
  char *machine = strchr(strstr(elsewhere, ".vdsim-") + 7, '-') + 1; /* .vdsim-PROCESS-MACHINE-TIME-ATTEMPT.tmp */
  *machine = *machine == '0' ? '1' : '0';
  leave(strrchr(elsewhere, '/') + 1);
  vd_output_clear(folder);
  tap_ok(unlink(elsewhere) == 0, "clear: a file of another machine, whose locks may not be seen here, stays");
  vd_output_puts(o, "all of it\n");
  cleared_before_rename = true;
  int error = vd_output_commit(o, NULL);
  cleared_before_rename = false;
  char *text = read_file(in_folder("out.csv"));
  tap_ok(error == 0 && text && strcmp(text, "all of it\n") == 0,
         "clear: a file that is closed stays until it is renamed");
  free(text);
}

static void test_trouble(void) {
  vd_output *o = vd_output_open(in_folder("no/such/out.csv"));
  tap_ok(!o && errno == ENOENT, "trouble: a missing folder");
  o = vd_output_open(folder);
  tap_ok(!o && errno == EISDIR, "trouble: a folder");
  o = vd_output_open("");
  tap_ok(!o && errno == ENOENT, "trouble: an empty name");

  o = vd_output_open("/dev/full");
  for (int i = 0; o && i < 20000; i++)
    vd_output_puts(o, "0123456789\n");
  tap_ok(o && vd_output_error(o) == ENOSPC, "trouble: a full disk shows while writing");
  tap_ok(o && vd_output_commit(o, NULL) == ENOSPC, "trouble: a full disk fails the commit");
  o = vd_output_open("/dev/full");
  vd_output_puts(o, "x");
  tap_ok(vd_output_commit(o, NULL) == ENOSPC, "trouble: a full disk fails the commit of a single byte");

  int end[2], old = dup(STDOUT_FILENO);
  fflush(stdout);
  if (pipe(end) != 0 || old < 0)
    abort();
  dup2(end[1], STDOUT_FILENO);
  o = vd_output_open("-");
  dup2(old, STDOUT_FILENO);
  close(end[1]);
  close(old);
  vd_output_puts(o, "one\n");
  vd_output_flush(o);
  char got[8] = "";
  bool arrived = read(end[0], got, sizeof got - 1) == 4 && strcmp(got, "one\n") == 0;
  tap_ok(arrived && vd_output_error(o) == 0, "pipe: flush sends the row");
  close(end[0]);
  vd_output_puts(o, "two\n");
  vd_output_flush(o);
  tap_ok(vd_output_error(o) == EPIPE && vd_output_commit(o, NULL) == EPIPE,
         "pipe: a closed reader is reported as EPIPE");
  vd_output_discard(NULL);
}

int main(void) {
  tap_plan(6 + 22 + 3 + 1 + 12 + 1 + 1 + 5 + 8 + 1 + 4);
  signal(SIGPIPE, SIG_IGN);
  if (!mkdtemp(folder))
    return 2;
  test_reading();
  test_other_forms();
  test_errors();
  test_limits();
  test_formulas();
  test_file();
  test_links();
  test_blocks();
  test_clearing();
  test_trouble();
  unlink(in_folder("in.csv"));
  unlink(in_folder("out.csv"));
  tap_ok(rmdir(folder) == 0, "write: no temporary file is left");
  return tap_done();
}
