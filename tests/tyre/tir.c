/* Reading of tyre property files: permitted forms, defaults, units, and reading of written files. */
#include "tap.h"
#include "tyre_files.h"

#include "base/num.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char synthetic[] = "scenarios/tyres/synthetic_mf61.tir";

/* Reads a text and returns its messages, which belong to the caller. */
static char *read_text(const char *text, size_t length, vd_mf_def *def, bool *good) {
  vd_diag *d = vd_diag_create();
  char *words = NULL;
  size_t size;
  FILE *f = open_memstream(&words, &size);
  if (!f)
    abort();
  *good = vd_tir_read_source(vd_diag_add_source(d, "t.tir", text, length), d, def);
  vd_diag_print(d, f, false);
  vd_diag_destroy(d);
  fclose(f);
  return words;
}

static bool silent(const char *text, vd_mf_def *def) {
  bool good;
  char *words = read_text(text, strlen(text), def, &good);
  bool quiet = good && !strstr(words, ": error: ") && !strstr(words, ": warning: ");
  if (!quiet)
    tap_diag("%s", words);
  free(words);
  return quiet;
}

static bool says(const char *text, const char *expected) {
  vd_mf_def def;
  bool good;
  char *words = read_text(text, strlen(text), &def, &good);
  bool found = strstr(words, expected) != NULL;
  if (!found)
    tap_diag("%s", words);
  free(words);
  return found;
}

#define LEAST                                                                                                          \
  "FITTYP = 61\nUNLOADED_RADIUS = 0.3\nFNOMIN = 4000\nPCX1 = 1.6\nPDX1 = 1\nPKX1 = 20\nPCY1 = 1.3\nPDY1 = 1\n"         \
  "PKY1 = -15\nPKY2 = 2\n"

static void shapes(void) {
  vd_mf_def def;
  tap_ok(silent(LEAST, &def) && def.fittyp == 61.0 && def.pky1 == -15.0,
         "a file with only the keys that every file needs is read");
  tap_ok(silent("\xef\xbb\xbf! x\r\n$ y\r\n[MODEL]   $ z\r\n" LEAST
                "\tpky4\t=\t2.5\t! w\r\n  TyreSide='right'$\r\nLMUX=.9!a=b\r\nPEX1=-1.5E-1",
                &def) &&
             def.pky4 == 2.5 && def.side == VD_MF_RIGHT && def.lmux == 0.9 && def.pex1 == -0.15,
         "a file is read with byte order mark, comments, CRLF, tabs, any case, either quote, no last newline");
  tap_ok(
      silent(
          "[MDI_HEADER]\nFILE_TYPE = 'tir'\n(COMMENTS)\n{comment_string}\n'a tyre = a tyre'\n[SHAPE]\n{radial width}\n "
          "1.0 0.0\n 0.9 1.0\n"
          "[MODEL]\n" LEAST
          "PROPERTY_FILE_FORMAT='USER'\nUSER_SUB_ID = 815\nPDXP1 = 0.4\nFREQ_LAT = 40\n[CONTACT_PATCH]\nNEW_KEY = 3\n",
          &def),
      "headers, tables and keys without effect are skipped without a message");
  tap_ok(silent("FITTYP = 6\nUSE_MODE = 12\nUNLOADED_RADIUS = 0.3\nFNOMIN = 4000\nPCY1 = 1.3\nPDY1 = 1\nPKY1 = "
                "-15\nPKY2 = 2\n",
                &def),
         "a file only for side forces needs no longitudinal coefficients");
  tap_ok(says(LEAST "PKX11 = 1\nPKX11 = 2\n",
              "t.tir:11:1: warning: unknown key 'PKX11' is not used; did you mean 'PKX1'?\n"),
         "an unknown key is reported");
  vd_mf_def other;
  bool good;
  char *words = read_text(LEAST "PKX11 = 1\npkx11 = 2\n", strlen(LEAST "PKX11 = 1\npkx11 = 2\n"), &other, &good);
  tap_ok(good && strstr(words, "t.tir:12") == NULL, "a repeated unknown key is reported once");
  free(words);
  tap_ok(says(LEAST "PHY3 = 0.1\n", "t.tir:11:8: warning: PHY3 has no effect with this FITTYP\n"),
         "a key of another version is reported");
}

static void defaults(void) {
  vd_mf_def def;
  silent(LEAST "NOMPRES = 200000\n", &def);
  tap_ok(def.inflpres == 2e5 && def.vertical_stiffness == 4000.0 / 0.02 && def.side == VD_MF_LEFT &&
             def.longvl == 16.7 && def.use_mode == 4.0 && def.lmuy == 1.0 && def.lmuv == 0.0 && def.qsy7 == 1.0 &&
             def.pky4 == 2.0 && def.q_re0 == 1.0,
         "missing keys have their defaults");
  tap_ok(def.kpumin == -INFINITY && def.alpmax == INFINITY && def.fzmin == 0.0 && def.presmax == INFINITY,
         "by default there are no limits");
}

/* ---- Units ----------------------------------------------------------------------------------- */

typedef struct unit_set {
  const char *name[5]; /* units of length, force, angle, mass, time */
  double factor[5];
} unit_set;

/* Writes the file of `def` in given units: each value is divided by the factors of its dimension. */
static void write_in(const unit_set *set, const vd_mf_def *def, vd_buf *out) {
  static const char *const names[] = {"LENGTH", "FORCE", "ANGLE", "MASS", "TIME"};
  size_t count;
  const vd_tir_key *key = vd_tir_keys(&count);
  vd_buf_puts(out, "[MODEL]\n");
  for (size_t i = 0; i < count; i++) {
    double value = *(const double *)(const void *)((const char *)def + key[i].offset);
    char number[VD_NUM_MAX];
    for (int u = 0; u < 5; u++)
      value /= pow(set->factor[u], key[i].dimension[u]);
    if (!isfinite(value) || value == key[i].value)
      continue;
    vd_num_print_shortest(value, number);
    vd_buf_printf(out, "%s = %s\n", key[i].key, number);
  }
  vd_buf_puts(out, "[UNITS]\n"); /* the units come last: their place does not matter */
  for (int u = 0; u < 5; u++)
    vd_buf_printf(out, "%s = '%s'\n", names[u], set->name[u]);
}

static vd_mf_def complete(void) {
  vd_mf_def def = load_tir(synthetic);
  def.fittyp = 62.0;
  def.mass = 9.0;
  def.ixx = 0.4;
  def.width = 0.2;
  def.aspect_ratio = 0.5;
  def.rim_radius = 0.19;
  def.vertical_damping = 50.0;
  def.breff = 8.0;
  def.dreff = 0.25;
  def.freff = 0.07;
  def.q_fz2 = 14.0;
  def.q_fcy = 0.2;
  def.q_cam1 = 80.0;
  def.q_cam2 = 250.0;
  def.q_cam3 = 0.5;
  def.q_fys1 = -2000.0;
  def.q_fys3 = 3000.0;
  def.bottom_offst = 0.01;
  def.bottom_stiff = 2e6;
  def.longitudinal_stiffness = 4e5;
  def.lateral_stiffness = 2e5;
  def.presmin = 1e5;
  def.presmax = 4e5;
  def.fzmin = 150.0;
  def.fzmax = 9000.0;
  def.alpmin = -0.5;
  def.alpmax = 0.6;
  def.cammin = -0.15;
  def.cammax = 0.1;
  return def;
}

static double relative(double a, double b, double scale) {
  return fabs(a - b) / fmax(fabs(a), scale);
}

static double worst_difference(const vd_mf_def *a_def, const vd_mf_def *b_def) {
  vd_mf a, b;
  double worst = 0.0;
  vd_mf_build(a_def, VD_MF_LEFT, &a);
  vd_mf_build(b_def, VD_MF_LEFT, &b);
  for (int i = 0; i < 2000; i++) {
    vd_mf_input in = {uniform(0.0, 10000.0),
                      uniform(-1.0, 1.0),
                      uniform(-1.0, 1.0),
                      uniform(-0.2, 0.2),
                      uniform(9e4, 5e5),
                      uniform(-30.0, 30.0),
                      1.0,
                      uniform(-3.0, 3.0),
                      uniform(0.0, 4.0)};
    vd_mf_output x, y;
    vd_mf_forces(&a, &in, &x);
    vd_mf_forces(&b, &in, &y);
    worst = tap_max(worst, relative(x.fx, y.fx, 10.0));
    worst = tap_max(worst, relative(x.fy, y.fy, 10.0));
    worst = tap_max(worst, relative(x.mx, y.mx, 10.0));
    worst = tap_max(worst, relative(x.my, y.my, 10.0));
    worst = tap_max(worst, relative(x.mz, y.mz, 10.0));
    vd_mf_vertical v = {50.0, x.fx, x.fy, in.gamma, in.pressure};
    double z = uniform(0.0, 0.06);
    worst = tap_max(worst, relative(vd_mf_load(&a, &v, z), vd_mf_load(&b, &v, z), 10.0));
    worst = tap_max(worst, relative(vd_mf_rolling_radius(&a, in.load, 50.0, in.pressure),
                                    vd_mf_rolling_radius(&b, in.load, 50.0, in.pressure), 0.1));
  }
  worst = tap_max(worst, relative(a_def->ixx, b_def->ixx, 1e-3));
  return fmax(worst, relative(a_def->vertical_damping, b_def->vertical_damping, 1e-3));
}

static void units(void) {
  static const double deg = 0.017453292519943295;
  static const unit_set sets[] = {
      {{"mm", "kN", "deg", "g", "ms"}, {1e-3, 1e3, 1.0, 1e-3, 1e-3}},
      {{"inch", "lbf", "degrees", "lbm", "minute"}, {0.0254, 4.4482216152605, 1.0, 0.45359237, 60.0}},
      {{"Foot", "KGF", "radian", "kilogram", "hour"}, {0.3048, 9.80665, 1.0, 1.0, 3600.0}},
      {{"km", "newton", "rad", "kg", "s"}, {1e3, 1.0, 1.0, 1.0, 1.0}},
  };
  const vd_mf_def def = complete();
  for (size_t i = 0; i < VD_COUNT(sets); i++) {
    unit_set set = sets[i];
    vd_buf text = {0};
    vd_mf_def back;
    if (strncmp(set.name[2], "deg", 3) == 0)
      set.factor[2] = deg;
    write_in(&set, &def, &text);
    bool good = silent(text.text, &back);
    double worst = good ? worst_difference(&def, &back) : INFINITY;
    tap_near(worst, 0.0, 1e-12, "a tyre is the same in %s, %s, %s, %s, %s, relative", set.name[0], set.name[1],
             set.name[2], set.name[3], set.name[4]);
    vd_buf_finish(&text);
  }
}

/* Real tyres of all sizes: radius, load, vertical stiffness, mass and pressure; rounded figures of makers. */
static const struct size {
  const char *name;
  double radius, load, stiffness, mass, pressure;
} sizes[] = {
    {"model car 1:10", 0.0325, 5.0, 8e3, 0.04, 1.2e4},  {"kart", 0.127, 500.0, 1e5, 1.9, 8e4},
    {"bicycle 28 in", 0.34, 400.0, 1e5, 0.9, 6e5},      {"motorcycle 120/70 R17", 0.299, 1500.0, 1.6e5, 5.0, 2.5e5},
    {"car 205/55 R16", 0.316, 4000.0, 2e5, 9.3, 2.2e5}, {"lorry 315/80 R22.5", 0.54, 3.4e4, 1e6, 65.0, 8.5e5},
    {"tractor 710/70 R42", 1.03, 4e4, 4e5, 300.0, 8e4}, {"aircraft H49x19-22", 0.62, 2.5e5, 2.5e6, 110.0, 1.4e6},
    {"forklift, solid", 0.33, 3e4, 3e6, 50.0, 1e6},     {"mining 59/80 R63", 2.0, 1e6, 5e6, 5300.0, 7e5},
};

static void write_size(const struct size *s, vd_buf *out) {
  vd_buf_printf(out,
                "FITTYP = 61\nUNLOADED_RADIUS = %g\nFNOMIN = %g\nVERTICAL_STIFFNESS = %g\nMASS = %g\nNOMPRES = %g\n"
                "PCX1 = 1.6\nPDX1 = 1\nPKX1 = 20\nPCY1 = 1.3\nPDY1 = 1\nPKY1 = -15\nPKY2 = 2\n",
                s->radius, s->load, s->stiffness, s->mass, s->pressure);
}

/* Checks that no combination of units and no size of a tyre is refused. */
static void plausible(void) {
  static const struct {
    const char *name;
    double factor;
  } length[] = {{"m", 1.0}, {"mm", 1e-3}, {"cm", 1e-2}, {"inch", 0.0254}, {"ft", 0.3048}, {"km", 1e3}},
    force[] = {{"N", 1.0}, {"kN", 1e3}, {"lbf", 4.4482216152605}, {"kgf", 9.80665}},
    mass[] = {{"kg", 1.0}, {"g", 1e-3}, {"lbm", 0.45359237}}, time[] = {{"s", 1.0}, {"ms", 1e-3}, {"min", 60.0}};
  const vd_mf_def def = complete();
  int read = 0, all = 0;
  for (size_t l = 0; l < VD_COUNT(length); l++)
    for (size_t f = 0; f < VD_COUNT(force); f++)
      for (size_t m = 0; m < VD_COUNT(mass); m++)
        for (size_t t = 0; t < VD_COUNT(time); t++, all++) {
          const unit_set set = {{length[l].name, force[f].name, "rad", mass[m].name, time[t].name},
                                {length[l].factor, force[f].factor, 1.0, mass[m].factor, time[t].factor}};
          vd_mf_def back;
          vd_buf text = {0};
          write_in(&set, &def, &text);
          read += silent(text.text, &back) && relative(back.fnomin, def.fnomin, 1.0) < 1e-12;
          vd_buf_finish(&text);
        }
  tap_ok(read == all && all == 216, "the tyre is read in any combination of units (%d of %d)", read, all);
  read = 0;
  for (size_t i = 0; i < VD_COUNT(sizes); i++) {
    vd_mf_def back;
    vd_buf text = {0};
    write_size(&sizes[i], &text);
    read += silent(text.text, &back);
    vd_buf_finish(&text);
  }
  vd_mf_def limitless;
  tap_ok(silent(LEAST "FZMAX = 1e10\nBOTTOM_STIFF = 1e12\nPRESMIN = 1\nPRESMAX = 1e9\n", &limitless),
         "large numbers that mean no limit are read");
  tap_ok(read == (int)VD_COUNT(sizes), "tyres from a model car's to a mining truck's are read (%d)", read);
}

/* Checks each of these tyres with the usual wrong units, which are wrong by a factor of 1000: a radius in m instead of
 * mm or in mm instead of m, and a load in N instead of kN or in kN instead of N. */
static void wrong_units(void) {
  static const struct {
    const char *units;
    double radius, load;
  } mistakes[] = {
      {"LENGTH = 'mm'", 1.0, 1.0},
      {"LENGTH = 'm'", 1e3, 1.0},
      {"FORCE = 'kN'", 1.0, 1.0},
      {"FORCE = 'N'", 1.0, 1e-3},
  };
  for (size_t k = 0; k < VD_COUNT(mistakes); k++) {
    size_t reported = 0;
    for (size_t i = 0; i < VD_COUNT(sizes); i++) {
      struct size s = sizes[i];
      vd_buf text = {0};
      s.radius *= mistakes[k].radius;
      s.load *= mistakes[k].load;
      vd_buf_printf(&text, "[UNITS]\n%s\n[MODEL]\n", mistakes[k].units);
      write_size(&s, &text);
      reported += says(text.text, " is not a tyre's ");
      vd_buf_finish(&text);
    }
    tap_ok(reported == VD_COUNT(sizes), "'%s' on figures of other units is reported for %zu of %zu tyres",
           mistakes[k].units, reported, VD_COUNT(sizes));
  }
  static const char *const words[][2] = {
      {"[UNITS]\nLENGTH = mm\n[MODEL]\n" LEAST,
       "t.tir:5:19: error: UNLOADED_RADIUS = 0.3 mm is not a tyre's radius; if "
       "it is 0.3 m, write LENGTH = 'm' in [UNITS]"},
      {LEAST "VERTICAL_STIFFNESS = 200\n", "t.tir:11:22: error: VERTICAL_STIFFNESS = 200 N/m is not a tyre's stiffness "
                                           "at this load and radius; if it is 200 "
                                           "N/mm, write 200000"},
      {LEAST "NOMPRES = 2.2\n", "NOMPRES = 2.2 N/m2 is not a tyre's pressure; if it is 2.2 bar, write 220000"},
      {LEAST "NOMPRES = 32\n", "if it is 32 psi, write 220632"},
      {LEAST "NOMPRES = 220\n", "if it is 220 kPa, write 220000"},
      {LEAST "MASS = 9300\n", "MASS = 9300 kg is not a tyre's mass at this radius; if it is 9300 g, write MASS = 'g' "},
      {LEAST "WIDTH = 205\n", "WIDTH = 205 m is not a tyre's width at this radius; if it is 205 mm, write 0.205"},
      {LEAST "FZMAX = 9\n", "if it is 9 kN, write 9000"},
      {"[UNITS]\nTIME = ms\n[MODEL]\n" LEAST "LONGVL = 16.7\n",
       "LONGVL = 16.7 m/ms is not a tyre's speed of a test; if it is 16.7 m/s, write 0.0167"},
      {LEAST "LATERAL_STIFFNESS = 100\n", "if it is 100 N/mm, write 100000"},
      {LEAST "VERTICAL_DAMPING = 1e6\n", "the range is 0 to 1e+04 N s/m"},
  };
  for (size_t i = 0; i < VD_COUNT(words); i++)
    tap_ok(says(words[i][0], words[i][1]), "%s", words[i][1]);
}

/* ---- Listing --------------------------------------------------------------------------------- */

static void round_trip(void) {
  static const double types[] = {6, 61, 62};
  for (size_t i = 0; i < VD_COUNT(types); i++) {
    vd_mf_def def = complete(), back;
    vd_buf first = {0}, second = {0};
    def.fittyp = types[i];
    vd_tir_write(&def, &first);
    bool good = silent(first.text, &back);
    vd_tir_write(&back, &second);
    tap_ok(good && strcmp(first.text, second.text) == 0,
           "FITTYP %g: a written file is read and written again to the same text", types[i]);
    vd_buf_finish(&first);
    vd_buf_finish(&second);
  }
}

static void table(void) {
  size_t count;
  const vd_tir_key *key = vd_tir_keys(&count);
  bool once = true;
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < i; k++)
      once = once && strcmp(key[i].key, key[k].key) != 0 && key[i].offset != key[k].offset;
  /* every member between side and format, and the load curve, is a double with a key */
  size_t members = (offsetof(vd_mf_def, load_curve) - offsetof(vd_mf_def, fittyp)) / sizeof(double);
  tap_ok(once && count == members, "each of %zu members has one key, each of %zu keys one member", members, count);
}

/* ---- Files ----------------------------------------------------------------------------------- */

static bool refused(const char *path, const char *expected) {
  vd_mf_def def;
  vd_diag *d = vd_diag_create();
  char *words = NULL;
  size_t size;
  FILE *f = open_memstream(&words, &size);
  if (!f)
    abort();
  bool good = vd_tir_read(path, (vd_place){.source = -1}, d, &def);
  vd_diag_print(d, f, false);
  fclose(f);
  bool found = !good && strstr(words, expected) != NULL;
  if (!found)
    tap_diag("%s", words);
  free(words);
  vd_diag_destroy(d);
  return found;
}

static void files(void) {
  char folder[] = "/tmp/vdsim-tir-XXXXXX", pipe[64], large[64];
  if (!mkdtemp(folder))
    abort();
  snprintf(pipe, sizeof pipe, "%s/pipe", folder);
  snprintf(large, sizeof large, "%s/large", folder);
  FILE *f = fopen(large, "w");
  if (mkfifo(pipe, 0600) != 0 || !f || ftruncate(fileno(f), (4 << 20) + 1) != 0)
    abort();
  fclose(f);
  tap_ok(refused("no/such.tir", "cannot read 'no/such.tir': No such file"), "a missing file is refused");
  tap_ok(refused(folder, "Is a directory"), "a folder is refused");
  tap_ok(refused(pipe, "not a regular file"), "a named pipe is refused, without waiting for a writer");
  tap_ok(refused(large, "is larger than 4 MiB"), "a file larger than 4 MiB is refused");
  unlink(pipe);
  unlink(large);
  rmdir(folder);
}

int main(void) {
  srand(1);
  tap_plan(7 + 2 + 4 + 3 + 4 + 11 + 3 + 1 + 4);
  shapes();
  defaults();
  units();
  plausible();
  wrong_units();
  round_trip();
  table();
  files();
  return tap_done();
}
