/* Measured tables: the same numbers in many forms, columns and units given by keys, places of errors. */
#include "input/measured.h"
#include "input/schema.h"
#include "input/tree.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A table with three quantities. */
typedef struct def {
  vd_measured_def table;
  vd_column_def time, alpha, load;
} def;

static const vd_field fields[] = {
    {VD_F_GROUP(&vd_measured_rows)},
    {VD_F_STRUCT(def, time, vd_column_def, "time", "s", &vd_column_schema, VD_OMIT_DEFAULT, "{}", "time")},
    {VD_F_STRUCT(def, alpha, vd_column_def, "alpha", "rad", &vd_column_schema, VD_OMIT_DEFAULT, "{}", "slip angle")},
    {VD_F_STRUCT(def, load, vd_column_def, "load", "N", &vd_column_schema, VD_OMIT_DEFAULT, "{}", "load")},
};
static const vd_schema schema = {
    .name = "table", .size = sizeof(def), .field = fields, .count = sizeof fields / sizeof fields[0]};

enum { TIME, ALPHA, LOAD, WANTED };

typedef struct reading {
  vd_diag *d;
  vd_arena *arena;
  vd_measured table;
  bool ok;
} reading;

static int need[WANTED]; /* enum vd_column_need of each quantity */

static reading read_text(const char *keys, const char *text, size_t length) {
  static const char *const time_names[] = {"t_s", NULL}, *const alpha_names[] = {"alpha_rad", NULL},
                           *const load_names[] = {"fz_N", NULL};
  reading r = {.d = vd_diag_create(), .arena = vd_arena_create()};
  def *what = vd_arena_alloc(r.arena, sizeof *what);
  vd_node *root;
  int scenario = vd_diag_add_source(r.d, "keys.yaml", keys, strlen(keys));
  int source = vd_diag_add_source(r.d, "in.csv", text, length);
  r.ok = vd_schema_read_source(&schema, scenario, NULL, 0, r.arena, r.d, what, &root);
  const vd_measured_quantity want[] = {{"time", "s", time_names, &what->time, need[TIME]},
                                       {"alpha", "rad", alpha_names, &what->alpha, need[ALPHA]},
                                       {"load", "N", load_names, &what->load, need[LOAD]}};
  r.ok = r.ok && vd_measured_read_source(&what->table, source, root, "", want, WANTED, r.arena, r.d, &r.table);
  return r;
}

static void finish(reading *r) {
  vd_arena_destroy(r->arena);
  vd_diag_destroy(r->d);
}

/* Returns the first message of a kind, with its place before it. */
static const char *message(const reading *r, enum vd_severity wanted) {
  static char line[512];
  line[0] = '\0';
  for (size_t i = 0; i < vd_diag_count(r->d); i++) {
    enum vd_severity severity;
    vd_place at;
    const char *text;
    vd_diag_message(r->d, i, &severity, &at, &text);
    if (severity != wanted)
      continue;
    snprintf(line, sizeof line, "%s:%d:%d: %s", vd_diag_source_name(r->d, at.source), at.line, at.column, text);
    break;
  }
  return line;
}

/* Reads the times 0, 0.5, 1 s, the angles 1, -2, 3 deg, and the loads 4000, 4100, 3900 N in all forms of tables. */
static void test_spellings(void) {
  static const char si[] = "file: x",
                    named[] = "time: ET\nalpha: {column: SA, unit: deg}\nload: {column: FZ, unit: kN}",
                    by_file[] = "time: ET\nalpha: SA\nload: FZ",
                    turned[] = "time: ET\nalpha: {column: SA, scale: -1, unit: deg}\nload: {column: FZ, scale: -1}";
  static const struct {
    const char *what, *keys, *text, *note;
  } row[] = {
      {"plain, in SI, usual names", si,
       "t_s,alpha_rad,fz_N\n0,0.017453292519943295,4000\n.5,-0.03490658503988659,4100\n1,0.05235987755982989,3900\n",
       ""},
      {"units by the reader", named, "ET,SA,FZ\n0,1,4\n0.5,-2,4.1\n1,3,3.9\n", ""},
      {"signs by the reader", turned, "ET,SA,FZ\n0,-1,-4000\n0.5,2,-4100\n1,-3,-3900\n", ""},
      {"other columns, any order, texts in them", named,
       "n,FZ,note,SA,ET\n1,4,,1,0\n2,4.1,x y,-2,0.5\n,3.9,\"a,b\",3,1\n", ""},
      {"semicolons and decimal commas", named, "ET;SA;FZ\n0;1;4\n0,5;-2;4,1\n1;3,0;3,9\n",
       "in.csv:1:1: 3 rows, fields between semicolons"},
      {"decimal commas in the first row", named, "ET;SA;FZ\n0,0;1,0;4,0\n0,5;-2;4,1\n1;3,0;3,9\n",
       "in.csv:1:1: 3 rows, fields between semicolons, decimal commas"},
      {"tabs, a line of units", by_file, "ET\tSA\tFZ\nsec\tdeg\tkN\n0\t1\t4\n0.5\t-2\t4.1\n1\t3\t3.9\n",
       "in.csv:1:1: 3 rows, fields between tabs, units in the line below the names"},
      {"blanks", named, "  ET   SA  FZ\n  0 1  4\n 0.5 -2 4.1 \n1\t3 3.9", "in.csv:1:3: 3 rows, fields between blanks"},
      {"units in brackets, behind names and below them", by_file,
       "ET [s],SA (deg),FZ [kN]\n0,1,4\n0.5,-2,4.1\n1,3,3.9\n", ""},
      {"a line of units in brackets", by_file, "ET,SA,FZ\n[s],[degrees],[kN]\n0,1,4\n0.5,-2,4.1\n1,3,3.9\n",
       "in.csv:1:1: 3 rows, units in the line below the names"},
      {"comments, blank lines, CRLF", named,
       "# rig 7\r\n% run 12\r\n\r\nET,SA,FZ\r\n0,1,4\r\n! pause\r\n0.5,-2,4.1\r\n1,3,3.9\r\n",
       "in.csv:4:1: 3 rows, 3 lines of comment"},
      {"CR alone, a byte order mark, quotes", named,
       "\xef\xbb\xbf\"ET\",\"SA\",FZ\r\"0\",1,4\r0.5, -2 ,4.1\r1,3,\"3.9\"", ""},
      {"a separator at the end of each line", named, "ET,SA,FZ,\n0,1,4,\n0.5,-2,4.1,\n1,3,3.9,\n", ""},
      {"lines before the names", "skip: 2\ntime: ET\nalpha: {column: SA, unit: deg}\nload: {column: FZ, unit: kN}",
       "Run 12, on Tuesday\nET,SA\nET,SA,FZ\n0,1,4\n0.5,-2,4.1\n1,3,3.9\n", ""},
      {"an offset in the column's unit",
       "time: {column: ms, unit: ms, offset: -100}\nalpha: {column: SA, unit: deg}\nload: {column: FZ, unit: kN}",
       "ms,SA,FZ\n100,1,4\n600,-2,4.1\n1100,3,3.9\n", ""},
      {"comments behind two slashes, titles above the names, rows of separators alone", by_file,
       "// made by a logger\nRun 12; on Tuesday\nDriver;;\nET [s];SA [deg];FZ "
       "[kN];;\n0;1;4;;\n;;;;\n0,5;-2;4,1;;\n1;3;3,9;;\n",
       "in.csv:4:1: 3 rows, fields between semicolons, decimal commas, 2 lines above the names, 1 line of comment"},
      {"a spreadsheet's separator, units in quotes below the names", by_file,
       "sep=;\r\n\"ET\";\"SA\";\"FZ\"\r\n\"s\";\"\xc2\xb0\";\"kN\"\r\n0;1;4\r\n0.5;-2;4.1\r\n1;3;3.9\r\n",
       "in.csv:2:2: 3 rows, fields between semicolons, units in the line below the names"},
      {"names between blanks in a comment, rows with commas", named, "# ET SA FZ\n0,1,4\n0.5,-2,4.1\n1,3,3.9\n",
       "in.csv:1:3: 3 rows, names in a line of comment"},
      {"quoted decimal commas between commas, as the reader says",
       "decimal: comma\ntime: ET\nalpha: {column: SA, unit: deg}\nload: {column: FZ, unit: kN}",
       "ET,SA,FZ\n0,1,4\n\"0,5\",-2,\"4,1\"\n1,3,\"3,9\"\n", ""},
      {"a line break and a separator within quotes", named,
       "\"note\",ET,SA,FZ\n\"one\ntwo, three\",0,1,4\n\"\"\"x\"\"\",0.5,-2,4.1\n,1,3,3.9\n", ""},
      {"units behind slashes and words, in other brackets", by_file,
       "ET/s,SA in deg,FZ {kN}\n0,1,4\n0.5,-2,4.1\n1,3,3.9\n", ""},
      {"rows that begin with a name, as R writes them", named,
       "\"ET\" \"SA\" \"FZ\"\n\"1\" 0 1 4\n\"2\" 0.5 -2 4.1\n\"3\" 1 3 3.9\n",
       "in.csv:1:1: 3 rows, fields between blanks"},
      {"settings above the names, in quotes, with numbers in them", by_file,
       "\"Format\",\"x\",,\"Book\"\n\"Rate\",\"100.000\",\"Hz\",\"\"\n\n\"ET\",\"SA\",\"FZ\"\n\"s\",\"deg\",\"kN\"\n\n"
       "\"0\",\"1\",\"4\"\n\"0.5\",\"-2\",\"4.1\"\n\"1\",\"3\",\"3.9\"\n",
       "in.csv:4:2: 3 rows, units in the line below the names, 2 lines above the names"},
      {"usual names in another case, and without the unit that the file gives", si,
       "T_S,alpha (deg),fz [kN]\n0,1,4\n0.5,-2,4.1\n1,3,3.9\n", ""},
      {"rows without a value omitted",
       "missing: omit\ntime: ET\nalpha: {column: SA, unit: deg}\nload: {column: FZ, unit: kN}",
       "ET,SA,FZ\n0,1,4\n0.1,NaN,4\n0.5,-2,4.1\n0.6,1,\n1,3,3.9\n",
       "in.csv:1:1: 3 rows, 2 rows without a value omitted"},
  };
  static const double expected[WANTED][3] = {
      {0, 0.5, 1}, {0.017453292519943295, -0.03490658503988659, 0.05235987755982989}, {4000, 4100, 3900}};
  for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
    reading r = read_text(row[i].keys, row[i].text, strlen(row[i].text));
    bool good = r.ok && r.table.rows == 3 && vd_diag_errors(r.d) == 0 && vd_diag_warnings(r.d) == 0;
    for (size_t q = 0; good && q < WANTED; q++)
      for (size_t k = 0; k < 3; k++)
        good &= r.table.value[q] && fabs(r.table.value[q][k] - expected[q][k]) <= 1e-12;
    if (!tap_ok(good, "read: %s", row[i].what))
      tap_diag("%s", message(&r, VD_ERROR));
    const char *note = message(&r, VD_NOTE);
    tap_ok(strncmp(note, row[i].note, strlen(row[i].note)) == 0 && (*row[i].note || !*note), "its note: '%s'", note);
    finish(&r);
  }
}

static void test_absent(void) {
  reading r = read_text("file: x", "alpha_rad,other\n0.1,7\n", 22);
  tap_ok(r.ok && r.table.value[ALPHA] && r.table.value[ALPHA][0] == 0.1 && !r.table.value[TIME] && !r.table.value[LOAD],
         "a quantity that the file lacks and no key names is missing");
  finish(&r);
  const char *log = "t_s,alpha_rad,fz_N\n0,0.1,\n1,0.2,nan\n";
  r = read_text("file: x", log, strlen(log));
  tap_ok(r.ok && r.table.rows == 2 && r.table.value[ALPHA] && r.table.value[ALPHA][1] == 0.2 && !r.table.value[LOAD],
         "a column without any value that was found by its usual name is missing");
  finish(&r);
  log = "t_s,alpha_rad,fz_N\n0,0.1,\n1,0.2,4\n";
  r = read_text("file: x", log, strlen(log));
  tap_ok(!r.ok, "a column with a value in some row is not missing");
  finish(&r);
  log = "t_s,alpha_rad,fz_N\n0,0.1,\n1,0.2,\n";
  r = read_text("load: fz_N", log, strlen(log));
  tap_ok(!r.ok, "a named column is not missing, even without values");
  finish(&r);
  r = read_text("alpha: {column: SA, unit: mrad}", "SA [deg]\n100\n", 13);
  tap_ok(r.ok && fabs(r.table.value[ALPHA][0] - 0.1) <= 1e-15, "the unit given by the keys is used");
  tap_str(message(&r, VD_WARNING), "keys.yaml:1:27: the unit of column 'SA' is 'deg' in the file; 'mrad' is used",
          "a unit of the file that differs from that of the keys causes a warning");
  finish(&r);
  r = read_text("alpha: a\nload: b", "a;b;c\n1;2;x\n3;4;y\n", 18);
  vd_place at = vd_measured_place(&r.table, r.d, 1, LOAD);
  tap_ok(r.ok && at.line == 3 && at.column == 3, "the place of a value is found again");
  finish(&r);
}

/* Reads names in a comment, as numpy.savetxt and the racetrack database write them, and units with degree signs. */
static void test_names_behind_marker(void) {
  static const char *const text[] = {
      "# t_s,alpha_rad,fz_N\n0,0.1,2\n1,0.2,3\n",
      "# made by x\n#t_s; alpha_rad; fz_N\n0;0.1;2\n1;0.2;3\n",
      "# t_s alpha_rad fz_N\n0.0e+00 1e-1 2\n1 0.2 3\n",
      "% t_s\talpha_rad\tfz_N\n% s\trad\tN\n0\t0.1\t2\n1\t0.2\t3\n",
      "skipped, too, here\n# t_s,alpha_rad,fz_N\n0,0.1,2\n1,0.2,3\n",
  };
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
    reading r = read_text(i == 4 ? "skip: 1" : "file: x", text[i], strlen(text[i]));
    tap_ok(r.ok && r.table.rows == 2 && r.table.value[ALPHA] && r.table.value[LOAD] &&
               fabs(r.table.value[ALPHA][1] - 0.2) < 1e-15 && r.table.value[LOAD][1] == 3.0,
           "names in a comment are read, %zu", i);
    finish(&r);
  }
  static const struct {
    const char *text;
    double si;
  } unit[] = {{"\xc2\xb0/s", 0.017453292519943295},
              {"\xb0/s", 0.017453292519943295},
              {"\xc2\xb0/sec", 0.017453292519943295},
              {"\xc2\xba/s", 0.017453292519943295},
              {"m/s\xc2\xb2", 1.0},
              {"\xc2\xb0/s\xc2\xb2", 0.017453292519943295},
              {"degrees/s", 0.017453292519943295}};
  for (size_t i = 0; i < sizeof unit / sizeof *unit; i++) {
    vd_unit u;
    tap_ok(vd_separated_unit(unit[i].text, strlen(unit[i].text), &u) &&
               fabs(vd_unit_to_si(u, 1.0) - unit[i].si) < 1e-15,
           "unit %zu is read as files write it", i);
  }
}

static void test_errors(void) {
  static const struct {
    const char *keys, *text, *message;
  } row[] = {
      {"file: x", "", "in.csv:0:0: no line of names: the file is empty"},
      {"file: x", "\n# only this\n", "in.csv:0:0: no line of names: the file is empty"},
      {"file: x", "1,2\n3,4\n",
       "in.csv:1:1: the first line must name the columns, but holds numbers; write their names above it"},
      {"alpha: a", "a,b\n", "in.csv:0:0: no rows below the names"},
      {"alpha: SAA", "SA,FZ\n1,2\n", "keys.yaml:1:8: no column 'SAA' in 'in.csv'; did you mean 'SA'?"},
      {"alpha: {unit: deg}", "SA,FZ\n1,2\n",
       "keys.yaml:1:15: 'alpha' does not name its column, and 'in.csv' has no column with a usual name"},
      {"alpha: {column: SA, unit: furlong}", "SA,FZ\n1,2\n",
       "keys.yaml:1:27: unit 'furlong' of column 'SA' is unknown"},
      {"alpha: SA", "SA,FZ\nfurlong,N\n1,2\n",
       "in.csv:1:1: unit 'furlong' of column 'SA' is unknown; give it as 'unit'"},
      {"alpha: {column: SA, unit: kN}", "SA,FZ\n1,2\n",
       "keys.yaml:1:27: column 'SA' is in 'kN', but the quantity needs rad"},
      {"alpha: SA\nload: SA", "SA,FZ\n1,2\n", "keys.yaml:2:7: column 'SA' is 'alpha' and 'load' at the same time"},
      {"alpha: SA", "SA,FZ,SA\n1,2,3\n", "in.csv:1:7: two columns are named 'SA'"},
      {"alpha: SA", "SA,FZ\n1,2\n1\n", "in.csv:3:1: row of 1 field below 2 names"},
      {"alpha: SA", "SA,FZ\n1,2\n1,2,3\n", "in.csv:3:1: row of 3 fields below 2 names"},
      {"alpha: SA", "SA,FZ\n1,2\n x,3\n", "in.csv:3:2: 'x' in column 'SA' is not a number"},
      {"alpha: SA", "FZ;SA\n1;2,5\n3;2.5.1\n",
       "in.csv:3:3: '2.5.1' has a point where other numbers have commas; choose one with 'decimal'"},
      {"alpha: SA", "SA,FZ\n1,2\ninf,3\n", "in.csv:3:1: 'inf' in column 'SA' is not a number"},
      {"alpha: SA", "FZ,SA\n1,2\n1,\n", "in.csv:3:3: missing value in column 'SA'; 'missing: omit' omits such rows"},
      {"alpha: SA\ndecimal: point", "SA;FZ\n1,5;2\n", "in.csv:2:1: '1,5' in column 'SA' is not a number"},
  };
  for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
    reading r = read_text(row[i].keys, row[i].text, strlen(row[i].text));
    tap_str(message(&r, VD_ERROR), row[i].message, "error: %s", row[i].message);
    tap_ok(!r.ok, "a bad table is not read");
    finish(&r);
  }
}

/* Checks quantities that need a column, and quantities that get the remaining columns. */
static void test_needs(void) {
  static const struct {
    const char *what, *keys, *text, *message; /* NULL: alpha is 0.1, load is 7 */
    int alpha, load;
  } row[] = {
      {"two columns are left for two quantities", "file: x", "a,t_s,b\n0.1,0,7\n", NULL, VD_COLUMN_REST,
       VD_COLUMN_REST},
      {"one column is named, the other is left", "load: a", "a,t_s,b\n7,0,0.1\n", NULL, VD_COLUMN_REST, VD_COLUMN_REST},
      {"the remaining column has the given unit", "alpha: {scale: 1e-3}", "a,t_s,fz_N\n100,0,7\n", NULL, VD_COLUMN_REST,
       VD_COLUMN_NEEDED},
      {"three columns are left for two quantities", "file: x", "a,t_s,b,c\n0,0,0,0\n",
       "keys.yaml:1:7: 'in.csv' has 4 columns; choose one with 'alpha'", VD_COLUMN_REST, VD_COLUMN_REST},
      {"one column is left for two quantities", "file: x", "a,t_s\n0,0\n",
       "keys.yaml:1:7: 'in.csv' has 2 columns; choose one with 'alpha'", VD_COLUMN_REST, VD_COLUMN_REST},
      {"needed, misspelt", "file: x", "alpha_rad,fzN\n0,0\n",
       "keys.yaml:1:7: no column 'fz_N' in 'in.csv', and 'load' names no column; is it 'fzN'?", VD_COLUMN_NEEDED,
       VD_COLUMN_NEEDED},
  };
  for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
    need[ALPHA] = row[i].alpha;
    need[LOAD] = row[i].load;
    reading r = read_text(row[i].keys, row[i].text, strlen(row[i].text));
    const char *expected = row[i].message ? row[i].message : "";
    bool good = r.ok == !row[i].message && strcmp(message(&r, VD_ERROR), expected) == 0;
    if (good && r.ok)
      good = fabs(r.table.value[ALPHA][0] - 0.1) <= 1e-15 && r.table.value[LOAD][0] == 7.0;
    if (!tap_ok(good, "needs: %s", row[i].what))
      tap_diag("%s", message(&r, VD_ERROR));
    finish(&r);
  }
  memset(need, 0, sizeof need);
}

/* Checks that the end of a name is the unit of its column if this unit fits the quantity. */
static void test_unit_of_name(void) {
  const char *text = "ET_ms,steer_deg,push_kN\n500,-2,4.1\n";
  reading r = read_text("time: ET_ms\nalpha: steer_deg\nload: push_kN", text, strlen(text));
  tap_ok(r.ok && r.table.value[TIME][0] == 0.5 && fabs(r.table.value[ALPHA][0] + 0.03490658503988659) <= 1e-15 &&
             fabs(r.table.value[LOAD][0] - 4100.0) <= 1e-9,
         "units at the end of names are used");
  tap_str(message(&r, VD_NOTE), "in.csv:1:1: the unit of column 'ET_ms' is ms, by its name",
          "a note names the unit that a name gave");
  finish(&r);
  text = "t_kN,steer_deg\n500,-2\n";
  r = read_text("time: t_kN\nalpha: {column: steer_deg, unit: rad}", text, strlen(text));
  tap_ok(r.ok && r.table.value[TIME][0] == 500.0 && r.table.value[ALPHA][0] == -2.0 && !*message(&r, VD_NOTE),
         "a unit at the end of a name does not count if its dimension differs or the reader gives a unit");
  finish(&r);
  text = "t_ms,alpha_deg,fz_kN\n500,-2,4.1\n";
  r = read_text("{}", text, strlen(text));
  tap_ok(r.ok && r.table.value[TIME][0] == 0.5 && fabs(r.table.value[ALPHA][0] + 0.03490658503988659) <= 1e-15 &&
             fabs(r.table.value[LOAD][0] - 4100.0) <= 1e-9,
         "a usual name with another unit of the dimension is found");
  finish(&r);
  text = "t_s,alpha_g,fz_N\n500,-2,4.1\n";
  r = read_text("{}", text, strlen(text));
  tap_ok(!r.ok || !r.table.value[ALPHA], "a usual name with a unit of another dimension is not found");
  finish(&r);
}

static void test_rises(void) {
  const char *text = "t_s\n0\n1\n1\n";
  reading r = read_text("file: x", text, strlen(text));
  tap_ok(r.ok && !vd_measured_rises(&r.table, TIME, "time", "s", r.d), "equal values do not rise");
  tap_str(message(&r, VD_ERROR), "in.csv:4:1: time 1 s does not rise from the row before (1 s)",
          "the message shows the row");
  finish(&r);
}

/* Checks that a named file that cannot be read is an error at the place of its name. */
static void test_files(void) {
  reading r = read_text("file: x", "t_s\n0\n", 6);
  vd_place at = {.source = 0, .line = 1, .column = 7, .length = 1};
  int source;
  tap_ok(!vd_measured_load("/nowhere/none.csv", at, r.d, &source), "a missing file is not read");
  tap_str(message(&r, VD_ERROR), "keys.yaml:1:7: cannot read '/nowhere/none.csv': No such file or directory",
          "a missing file is reported at the key that names it");
  tap_ok(!vd_measured_load("/tmp", at, r.d, &source) && !vd_measured_load("/dev/null", at, r.d, &source),
         "folders and devices are not read");
  finish(&r);
}

int main(void) {
  tap_plan(3 + 50 + 4 + 36 + 6 + 5 + 2 + 3 + 12);
  test_needs();
  test_unit_of_name();
  test_rises();
  test_files();
  test_spellings();
  test_absent();
  test_names_behind_marker();
  test_errors();
  return tap_done();
}
