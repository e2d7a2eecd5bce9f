/* vdsim-xcheck: two suspensions, or curves of them, compared; hardpoint lists written and read. */
#include "num.h"
#include "opt.h"
#include "units.h"
#include "xcheck_read.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum option {
  OPT_OUTPUT,
  OPT_CURVES,
  OPT_RTOL,
  OPT_ATOL,
  OPT_TAP,
  OPT_EXACT,
  OPT_FORMAT,
  OPT_AXES,
  OPT_LENGTH_UNIT,
  OPT_SIDE,
  OPT_TOE0,
  OPT_CAMBER0,
  OPT_RADIUS,
  OPT_TRAVEL,
  OPT_RACK,
  OPT_EXPORT,
  OPT_IMPORT,
  OPT_QUIET,
  OPT_VERBOSE,
  OPT_HELP,
  OPT_VERSION,
};

static const vd_opt table[] = {
    {'o', "output", "FILE|-", "write to FILE (default: stdout)", OPT_OUTPUT},
    {0, "curves", "=LIST", "compare whole curves too, all or those of LIST: toe_deg,camber_deg", OPT_CURVES},
    {0, "rtol", "R", "allowed share of the reference (default: 0.05)", OPT_RTOL},
    {0, "atol", "A", "allowed in any case, in the unit of the row (default: 1e-4)", OPT_ATOL},
    {0, "tap", NULL, "Test Anything Protocol instead of CSV", OPT_TAP},
    {0, "exact", NULL, "17 significant digits instead of 9", OPT_EXACT},
    {0, "format", "F[,F]", "what a file is: yaml, hardpoints or curves", OPT_FORMAT},
    {0, "axes", "A[,A]", "axes of hardpoints: iso (x forward, y left) or adams (x rearward, y right)", OPT_AXES},
    {0, "length-unit", "U[,U]", "unit of hardpoints: m or mm", OPT_LENGTH_UNIT},
    {0, "side", "S[,S]", "side of hardpoints to take: left or right", OPT_SIDE},
    {0, "toe0", "DEG[,DEG]", "toe of the wheel of hardpoints", OPT_TOE0},
    {0, "camber0", "DEG[,DEG]", "camber of the wheel of hardpoints", OPT_CAMBER0},
    {0, "radius", "M[,M]", "loaded radius of the wheel of hardpoints", OPT_RADIUS},
    {0, "travel", "FROM:TO:N", "where curves of two corners are compared, mm (default: -100:100:41)", OPT_TRAVEL},
    {0, "rack", "FROM:TO:N", "the same of the rack, mm (default: -40:40:17)", OPT_RACK},
    {0, "export-adams", "FILE|-", "write the hardpoints of SUSPENSION.yaml as a list", OPT_EXPORT},
    {0, "import", "EXPORT.csv", "write a suspension file with the hardpoints of a list", OPT_IMPORT},
    {'q', "quiet", NULL, "no remarks", OPT_QUIET},
    {'v', "verbose", NULL, "say what was compared", OPT_VERBOSE},
    {'h', "help", NULL, "print this help", OPT_HELP},
    {0, "version", NULL, "print the version", OPT_VERSION},
};

typedef struct settings {
  const char *output, *export, *import;
  const char *operand[2];
  size_t operands;
  vd_xcheck_input side[2];
  bool list_said; /* an option of hardpoint lists */
  vd_xcheck_tolerance tolerance;
  vd_xcheck_range range[VD_SWEEPS];
  unsigned curves;
  bool tap, quiet, verbose;
  enum vd_digits digits;
} settings;

static void help(FILE *to) {
  fputs("vdsim-xcheck compares a suspension with a reference: gains at the design position, and whole curves.\n\n"
        "usage: vdsim-xcheck [options] REFERENCE CANDIDATE\n"
        "       vdsim-xcheck --export-adams FILE [--axes A] [--length-unit U] SUSPENSION.yaml\n"
        "       vdsim-xcheck --import EXPORT.csv --toe0 DEG --camber0 DEG --radius M [-o SUSPENSION.yaml]\n\n"
        "REFERENCE and CANDIDATE are suspension files, Adams hardpoint lists (CSV: name,x,y,z) or tables of curves.\n"
        "Two values with a comma between them are for REFERENCE and CANDIDATE, one value is for both.\n\n"
        "  $ vdsim-xcheck --toe0=0 --camber0=0 scenarios/suspensions/dw_front_sports.yaml export.csv\n\n",
        to);
  vd_opt_help(to, table, VD_COUNT(table));
  fputs("\nExit status: 0 all within tolerance, 1 something is not or is absent, 2 trouble. See vdsim-xcheck(1).\n",
        to);
}

static bool complain(const char *option, const char *value, const char *need) {
  fprintf(stderr, "vdsim-xcheck: error: '--%s=%s': %s\n", option, value, need);
  return false;
}

/* --- values of options --- */

/* A number with a unit, or in `unit` without one, as SI. */
static bool parse_number(const char *text, size_t length, const char *unit, double *si) {
  size_t used;
  double value;
  vd_unit own, said;
  if (!vd_num_parse(text, length, &value, &used))
    return false;
  bool good = vd_unit_parse(unit, strlen(unit), &own, NULL, NULL);
  while (used < length && text[used] == ' ')
    used++;
  said = own;
  if (used < length)
    good = good && vd_unit_parse(text + used, length - used, &said, NULL, NULL);
  *si = vd_unit_to_si(said, value);
  return good && vd_dimension_equal(own.dimension, said.dimension) && isfinite(*si);
}

/* One of `names`, of which the first is no word; -1: none. */
static int parse_word(const char *text, size_t length, const char *const *names) {
  for (int i = 1; names[i]; i++)
    if (strlen(names[i]) == length && strncmp(names[i], text, length) == 0)
      return i;
  return -1;
}

/* One part of an option's value, for one side. */
static bool set_part(settings *s, enum option id, int side, const char *text, size_t length) {
  static const char *const axes[] = {"", "iso", "adams", NULL};
  static const char *const units[] = {"", "m", "mm", NULL};
  static const char *const sides[] = {"", "left", "right", NULL};
  vd_hardpoint_options *list = &s->side[side].list;
  int word = 0;
  s->list_said |= id != OPT_FORMAT;
  if (id == OPT_FORMAT)
    s->side[side].format = (enum vd_xcheck_format)(word = parse_word(text, length, vd_xcheck_format_names));
  else if (id == OPT_AXES)
    list->axes = (enum vd_axes)(word = parse_word(text, length, axes));
  else if (id == OPT_LENGTH_UNIT)
    list->unit = (enum vd_length_unit)(word = parse_word(text, length, units));
  else if (id == OPT_SIDE)
    list->side = (enum vd_list_side)(word = parse_word(text, length, sides));
  else if (id == OPT_TOE0)
    return parse_number(text, length, "deg", &list->toe0) && fabs(list->toe0) <= VD_PI / 4.0;
  else if (id == OPT_CAMBER0)
    return parse_number(text, length, "deg", &list->camber0) && fabs(list->camber0) <= VD_PI / 4.0;
  else
    return parse_number(text, length, "m", &list->static_radius) && list->static_radius > 0.0 &&
           list->static_radius <= 10.0;
  return word > 0;
}

/* "A" for both sides, "A,B" for reference and candidate; an empty part leaves its side open. */
static bool set_sides(settings *s, enum option id, const char *name, const char *value, const char *need) {
  const char *comma = strchr(value, ',');
  for (int side = 0; side < 2; side++) {
    const char *part = comma && side ? comma + 1 : value;
    size_t length = comma && !side ? (size_t)(comma - value) : strlen(part);
    if (comma && length == 0)
      continue;
    if (!set_part(s, id, side, part, length))
      return complain(name, value, need);
  }
  return true;
}

static bool set_tolerance(const char *name, const char *value, double *to) {
  if (parse_number(value, strlen(value), "1", to) && *to >= 0.0)
    return true;
  return complain(name, value, "a number of at least 0 is needed");
}

static bool set_range(const char *name, const char *value, vd_xcheck_range *range) {
  char *end;
  size_t used = 0, at = 0, length = strlen(value);
  double bound[2];
  for (int i = 0; i < 2; i++) {
    if (!vd_num_parse(value + at, length - at, &bound[i], &used) || value[at + used] != ':')
      return complain(name, value, "FROM:TO:POINTS in mm is needed, such as -100:100:41");
    at += used + 1;
  }
  long count = strtol(value + at, &end, 10);
  if (end == value + at || *end != '\0' || count < 2 || count > 100000 || !(bound[1] > bound[0]))
    return complain(name, value, "FROM:TO:POINTS in mm is needed, such as -100:100:41");
  *range = (vd_xcheck_range){bound[0], bound[1], (int)count};
  return true;
}

static bool set_curves(const char *list, unsigned *curves) {
  if (!list) {
    *curves = (1u << VD_CURVES) - 1u;
    return true;
  }
  for (const char *p = list;; p++) {
    const char *names[VD_CURVES];
    char word[64];
    size_t length = strcspn(p, ",");
    unsigned found = 0;
    snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), p);
    for (unsigned q = 0; q < VD_CURVES; q++) {
      names[q] = vd_curve_columns[q].name;
      found |= strcmp(names[q], word) == 0 ? 1u << q : 0u;
    }
    if (!found) {
      const char *near = vd_suggest(word, names, VD_CURVES);
      fprintf(stderr, "vdsim-xcheck: error: '--curves': there is no curve '%s'%s%s%s\n", word,
              near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
      return false;
    }
    *curves |= found;
    p += length;
    if (*p == '\0')
      return true;
  }
}

static int close_stdout(void) {
  if (ferror(stdout) || fflush(stdout) != 0)
    return errno == EPIPE ? VD_EXIT_YES : VD_EXIT_TROUBLE;
  return VD_EXIT_YES;
}

/* Exit status, or -1 to go on. */
static int parse(settings *s, int argc, char **argv) {
  vd_opt_state state;
  int id;
  vd_opt_start(&state, argc, argv);
  while ((id = vd_opt_next(&state, table, VD_COUNT(table))) != VD_OPT_END) {
    bool good = true;
    const char *value = state.value;
    if (id == VD_OPT_ERROR)
      return VD_EXIT_TROUBLE;
    if (id == VD_OPT_OPERAND) {
      if (s->operands < 2)
        s->operand[s->operands] = value;
      s->operands++;
      continue;
    }
    switch ((enum option)id) {
    case OPT_OUTPUT: s->output = value; break;
    case OPT_CURVES: good = set_curves(value, &s->curves); break;
    case OPT_RTOL: good = set_tolerance("rtol", value, &s->tolerance.relative); break;
    case OPT_ATOL: good = set_tolerance("atol", value, &s->tolerance.absolute); break;
    case OPT_TAP: s->tap = true; break;
    case OPT_EXACT: s->digits = VD_DIGITS_17; break;
    case OPT_FORMAT: good = set_sides(s, OPT_FORMAT, "format", value, "yaml, hardpoints or curves are needed"); break;
    case OPT_AXES: good = set_sides(s, OPT_AXES, "axes", value, "iso or adams is needed"); break;
    case OPT_LENGTH_UNIT: good = set_sides(s, OPT_LENGTH_UNIT, "length-unit", value, "m or mm is needed"); break;
    case OPT_SIDE: good = set_sides(s, OPT_SIDE, "side", value, "left or right is needed"); break;
    case OPT_TOE0: good = set_sides(s, OPT_TOE0, "toe0", value, "an angle of at most 45 degrees is needed"); break;
    case OPT_CAMBER0:
      good = set_sides(s, OPT_CAMBER0, "camber0", value, "an angle of at most 45 degrees is needed");
      break;
    case OPT_RADIUS: good = set_sides(s, OPT_RADIUS, "radius", value, "a length of up to 10 m is needed"); break;
    case OPT_TRAVEL: good = set_range("travel", value, &s->range[VD_SWEEP_TRAVEL]); break;
    case OPT_RACK: good = set_range("rack", value, &s->range[VD_SWEEP_RACK]); break;
    case OPT_EXPORT: s->export = value; break;
    case OPT_IMPORT: s->import = value; break;
    case OPT_QUIET: s->quiet = true; break;
    case OPT_VERBOSE: s->verbose = true; break;
    case OPT_HELP: help(stdout); return close_stdout();
    case OPT_VERSION: puts("vdsim-xcheck " VDSIM_VERSION); return close_stdout();
    }
    if (!good)
      return VD_EXIT_TROUBLE;
  }
  return -1;
}

static bool usage_ok(const settings *s) {
  const char *problem = NULL;
  if (s->export && s->import)
    problem = "--export-adams and --import exclude each other";
  else if (s->export && s->output)
    problem = "--export-adams names its output itself";
  else if (s->export && s->operands != 1)
    problem = "--export-adams needs one suspension file";
  else if (s->import && s->operands != 0)
    problem = "--import takes no other file";
  else if (!s->export && !s->import && s->operands != 2)
    problem = "a reference and a candidate are needed";
  else if (s->operands == 2 && strcmp(s->operand[0], "-") == 0 && strcmp(s->operand[1], "-") == 0)
    problem = "standard input cannot be both sides";
  if (problem)
    fprintf(stderr, "vdsim-xcheck: error: %s; see --help\n", problem);
  return !problem;
}

/* --- doing it --- */

static int write_failed(const char *path, int error) {
  if (error == EPIPE)
    return VD_EXIT_YES;
  fprintf(stderr, "vdsim-xcheck: error: cannot write '%s': %s\n", path, strerror(error));
  return VD_EXIT_TROUBLE;
}

static int write_text(const char *path, const vd_buf *text) {
  vd_output *o = vd_output_open(path);
  if (!o)
    return write_failed(path, errno);
  vd_output_bytes(o, text->text, text->length);
  int error = vd_output_commit(o, NULL);
  return error ? write_failed(path, error) : VD_EXIT_YES;
}

static const char *name_of(const char *path) {
  return strcmp(path, "-") == 0 ? "<stdin>" : path;
}

static void remark(const settings *s, const char *path, const vd_buf *text) {
  if (!s->quiet && text->length > 0)
    fprintf(stderr, "%s: note: %s\n", name_of(path), text->text);
}

/* Degrees for people; shortest digits, so that they can be given back to --toe0 and --camber0. */
static void describe_wheel(const vd_corner *corner, vd_buf *out) {
  double toe, camber;
  char text[2][VD_NUM_MAX];
  vd_spin_axis_angles(corner->points.spin_axis, &toe, &camber);
  vd_num_print_shortest(180.0 / VD_PI * toe, text[0]);
  vd_num_print_shortest(180.0 / VD_PI * camber, text[1]);
  vd_buf_printf(out, "not in the list: --toe0=%s --camber0=%s --radius=%.9g", text[0], text[1],
                corner->points.static_radius);
}

static int export(const settings *s, vd_arena *arena, vd_diag *d) {
  const char *path = s->operand[0];
  enum vd_axes axes = s->side[0].list.axes == VD_AXES_UNSTATED ? VD_AXES_ADAMS : s->side[0].list.axes;
  enum vd_length_unit unit = s->side[0].list.unit == VD_LENGTH_UNSTATED ? VD_LENGTH_MM : s->side[0].list.unit;
  vd_corner corner;
  vd_buf text = {0}, left_out = {0}, note = {0};
  int status = VD_EXIT_TROUBLE;
  if (!vd_corner_read(path, NULL, 0, arena, d, &corner, NULL))
    return VD_EXIT_TROUBLE;
  if (vd_hardpoint_csv_write(&corner, axes, unit, &text, &left_out)) {
    vd_buf_printf(&note, "written in %s axes and %s; ", axes == VD_AXES_ISO ? "iso" : "adams",
                  unit == VD_LENGTH_MM ? "mm" : "m");
    describe_wheel(&corner, &note);
    if (left_out.length > 0)
      vd_buf_printf(&note, ", %s", left_out.text);
    remark(s, path, &note);
    status = write_text(s->export, &text);
  } else {
    fprintf(stderr, "%s: error: hardpoint lists have no names for a %s\n", name_of(path),
            vd_linkage_type_names[corner.points.type]);
  }
  vd_buf_finish(&text);
  vd_buf_finish(&left_out);
  vd_buf_finish(&note);
  return status;
}

static int import(const settings *s, vd_arena *arena, vd_diag *d) {
  int source;
  vd_corner corner;
  vd_hardpoint_taken taken;
  vd_buf text = {0}, note = {0};
  if (!vd_schema_slurp(s->import, d, &source) ||
      !vd_hardpoint_csv_read(source, &s->side[0].list, arena, d, &corner, &taken))
    return VD_EXIT_TROUBLE;
  if (isnan(corner.points.static_radius)) {
    vd_error(d, (vd_place){.source = source},
             "a hardpoint list does not hold the wheel's loaded radius; say it with --radius");
    return VD_EXIT_TROUBLE;
  }
  const char *slash = strrchr(s->import, '/');
  corner.source = slash ? slash + 1 : s->import;
  vd_hardpoint_csv_describe(&taken, &note);
  remark(s, s->import, &note);
  vd_corner_write(&corner, &text);
  int status = write_text(s->output ? s->output : "-", &text);
  vd_buf_finish(&text);
  vd_buf_finish(&note);
  return status;
}

/* In one line what did not pass. */
static void sum_up(const settings *s, const vd_verdicts *v) {
  if (v->failed > 0 && !s->quiet) {
    fprintf(stderr, "vdsim-xcheck: %zu of %zu figures differ:", v->failed, v->count);
    const char *before = " ";
    for (size_t i = 0; i < v->count; i++)
      if (v->row[i].kind != VD_VERDICT_PASS) {
        fprintf(stderr, "%s%s", before, v->row[i].metric);
        before = ", ";
      }
    fputs("\n", stderr);
  } else if (s->verbose) {
    fprintf(stderr, "vdsim-xcheck: %zu figures agree\n", v->count);
  }
}

static int report(const settings *s, const vd_verdicts *v) {
  const char *path = s->output ? s->output : "-";
  vd_output *o = vd_output_open(path);
  if (!o)
    return write_failed(path, errno);
  if (s->tap)
    vd_xcheck_write_tap(v, o);
  else
    vd_xcheck_write(v, o, s->digits);
  int error = vd_output_commit(o, NULL);
  int status = error ? write_failed(path, error) : VD_EXIT_YES;
  sum_up(s, v);
  return status == VD_EXIT_YES && v->failed > 0 ? VD_EXIT_NO : status;
}

static bool load(settings *s, vd_arena *arena, vd_diag *d, vd_xcheck_side *side) {
  bool good = true, lists = false;
  for (int i = 0; i < 2; i++) {
    vd_buf note = {0};
    enum vd_xcheck_format format = VD_FORMAT_UNSTATED;
    s->side[i].path = s->operand[i];
    bool read = vd_xcheck_read(&s->side[i], arena, d, &side[i], &format, &note);
    if (read)
      remark(s, s->operand[i], &note);
    lists |= format == VD_FORMAT_HARDPOINTS;
    good &= read;
    vd_buf_finish(&note);
  }
  if (good && s->list_said && !lists) {
    fputs("vdsim-xcheck: error: neither file is a hardpoint list: --axes, --length-unit, --side, --toe0, --camber0 and "
          "--radius are for these\n",
          stderr);
    return false;
  }
  return good;
}

static int compare(settings *s, vd_arena *arena, vd_diag *d) {
  vd_xcheck_side side[2];
  vd_verdicts *v = vd_arena_alloc(arena, sizeof *v);
  enum vd_curve_quantity q;
  if (!load(s, arena, d, side))
    return VD_EXIT_TROUBLE;
  int lacks = vd_xcheck_lacks_radius(&side[0], &side[1], s->curves, &q);
  if (lacks >= 0) {
    fprintf(stderr, "%s: error: '%s' needs the wheel's loaded radius; say it with --radius\n",
            name_of(s->operand[lacks]), vd_curve_columns[q].name);
    return VD_EXIT_TROUBLE;
  }
  vd_xcheck_gains(&side[0], &side[1], s->tolerance, v);
  if (!vd_xcheck_curves(&side[0], &side[1], s->curves, s->range, s->tolerance, v))
    abort(); /* out of memory */
  if (v->count == 0) {
    fputs("vdsim-xcheck: error: there is nothing to compare\n", stderr);
    return VD_EXIT_TROUBLE;
  }
  return report(s, v);
}

int main(int argc, char **argv) {
  signal(SIGPIPE, SIG_IGN);
  settings s = {.digits = VD_DIGITS_9, .tolerance = {0.05, 1e-4}};
  memcpy(s.range, vd_xcheck_ranges, sizeof s.range);
  for (int i = 0; i < 2; i++)
    s.side[i].list.toe0 = s.side[i].list.camber0 = s.side[i].list.static_radius = NAN;
  int status = parse(&s, argc, argv);
  if (status >= 0)
    return status;
  if (!usage_ok(&s))
    return VD_EXIT_TROUBLE;
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  status = s.export ? export(&s, arena, d) : s.import ? import(&s, arena, d) : compare(&s, arena, d);
  vd_diag_print(d, stderr, isatty(STDERR_FILENO) && !getenv("NO_COLOR"));
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
  return status;
}
