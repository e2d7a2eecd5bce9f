#include "xcheck_settings.h"

#include "tool.h"

#include "base/num.h"
#include "input/units.h"

#include <math.h>
#include <string.h>

enum option {
  OPT_OUTPUT,
  OPT_CURVES,
  OPT_GAINS,
  OPT_RTOL,
  OPT_ATOL,
  OPT_TAP,
  OPT_EXACT,
  OPT_FORMAT,
  OPT_AXES,
  OPT_LENGTH_UNIT,
  OPT_AXLE,
  OPT_SIDE,
  OPT_TOE0,
  OPT_CAMBER0,
  OPT_RADIUS,
  OPT_STEERING,
  OPT_TRAVEL,
  OPT_RACK,
  OPT_EXPORT,
  OPT_IMPORT,
  OPT_QUIET,
  OPT_VERBOSE,
};

static const vd_opt table[] = {
    {'o', "output", "FILE|-", "write to FILE (default: stdout)", OPT_OUTPUT},
    {0, "curves", "=LIST", "also compare whole curves, all or those of LIST: toe_deg,camber_deg", OPT_CURVES},
    {0, "gains", NULL, "compare the gains only, not the changes over travel and rack", OPT_GAINS},
    {0, "rtol", "R", "allowed share of the reference (default: 0.05)", OPT_RTOL},
    {0, "atol", "A", "least allowed deviation, in the unit of the row (default: 1e-4)", OPT_ATOL},
    {0, "tap", NULL, "Test Anything Protocol instead of CSV", OPT_TAP},
    {0, "exact", NULL, VD_OPT_EXACT_HELP, OPT_EXACT},
    {0, "format", "F[,F]", "what a file is: yaml, hardpoints, curves or compliance", OPT_FORMAT},
    {0, "axes", "A[,A]", "axes of points: iso (x forward, y left), adams (x rearward, y right)", OPT_AXES},
    {0, "length-unit", "U[,U]", "unit of hardpoints: m, mm or in", OPT_LENGTH_UNIT},
    {0, "axle", "A[,A]", "axle of hardpoints to take: front or rear; by default front", OPT_AXLE},
    {0, "side", "S[,S]", "side of hardpoints to take: left or right", OPT_SIDE},
    {0, "toe0", "DEG[,DEG]", "toe of the wheel of hardpoints", OPT_TOE0},
    {0, "camber0", "DEG[,DEG]", "camber of the wheel of hardpoints", OPT_CAMBER0},
    {0, "radius", "M[,M]", "loaded radius of the wheel of hardpoints", OPT_RADIUS},
    {0, "steering", "S[,S]", "what moves the tie rod or toe link of hardpoints: rack or none", OPT_STEERING},
    {0, "travel", "FROM:TO:N", "where curves of two corners are compared, mm (default: -100:100:41)", OPT_TRAVEL},
    {0, "rack", "FROM:TO:N", "rack displacements where curves are compared, mm (default: -40:40:17)", OPT_RACK},
    {0, "export-adams", "FILE|-", "write the hardpoints of SUSPENSION.yaml as a list", OPT_EXPORT},
    {0, "import", "EXPORT.csv", "write a suspension file with the hardpoints of a list", OPT_IMPORT},
    {'q', "quiet", NULL, "no remarks", OPT_QUIET},
    {'v', "verbose", NULL, "say what was compared", OPT_VERBOSE},
    VD_OPT_STANDARD,
};

static bool complain(const char *option, const char *value, const char *need) {
  return vd_tool_error("'--%s=%s': %s", option, value, need);
}

/* --- values of options --- */

/* Reads a number with a unit, or without one if it is in `unit`, and converts it to SI. */
static bool parse_number(const char *text, size_t length, const char *unit, double *si) {
  size_t used;
  double value;
  vd_unit own, written;
  if (!vd_num_parse(text, length, &value, &used))
    return false;
  bool good = vd_unit_parse(unit, strlen(unit), &own, NULL, NULL);
  while (used < length && text[used] == ' ')
    used++;
  written = own;
  if (used < length)
    good = good && vd_unit_parse(text + used, length - used, &written, NULL, NULL);
  *si = vd_unit_to_si(written, value);
  return good && vd_dimension_equal(own.dimension, written.dimension) && isfinite(*si);
}

/* Returns the index of a word in `names`, whose first entry is skipped; -1: unknown. */
static int parse_word(const char *text, size_t length, const char *const *names) {
  for (int i = 1; names[i]; i++)
    if (strlen(names[i]) == length && strncmp(names[i], text, length) == 0)
      return i;
  return -1;
}

/* Sets an option's value for one side. */
static bool set_part(vd_xcheck_settings *s, enum option id, int side, const char *text, size_t length) {
  static const char *const axes[] = {"", "iso", "adams", NULL};
  static const char *const sides[] = {"", "left", "right", NULL};
  static const char *const axles[] = {"", "front", "rear", NULL};
  static const char *const steering[] = {"", "rack", "none", NULL};
  vd_hardpoint_options *list = &s->side[side].list;
  int word = 0;
  s->list_option_given |= id != OPT_FORMAT;
  if (id == OPT_FORMAT)
    s->side[side].format = (enum vd_xcheck_format)(word = parse_word(text, length, vd_xcheck_format_names));
  else if (id == OPT_AXES)
    list->axes = (enum vd_axes)(word = parse_word(text, length, axes));
  else if (id == OPT_LENGTH_UNIT)
    list->unit = (enum vd_length_unit)(word = parse_word(text, length, vd_length_names));
  else if (id == OPT_SIDE)
    list->side = (enum vd_list_side)(word = parse_word(text, length, sides));
  else if (id == OPT_AXLE)
    list->axle = (enum vd_list_axle)(word = parse_word(text, length, axles));
  else if (id == OPT_STEERING)
    list->steering = (enum vd_list_steering)(word = parse_word(text, length, steering));
  else if (id == OPT_TOE0)
    return parse_number(text, length, "deg", &list->toe0) && fabs(list->toe0) <= VD_PI / 4.0;
  else if (id == OPT_CAMBER0)
    return parse_number(text, length, "deg", &list->camber0) && fabs(list->camber0) <= VD_PI / 4.0;
  else
    return parse_number(text, length, "m", &list->static_radius) && list->static_radius > 0.0 &&
           list->static_radius <= 10.0;
  return word > 0;
}

/* Sets an option for both sides from "A", or for reference and candidate from "A,B"; an empty part leaves its side
 * unchanged. */
static bool set_sides(vd_xcheck_settings *s, enum option id, const char *name, const char *value, const char *need) {
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
  double number[3];
  if (vd_num_parse_range(value, number) != 3 || number[2] != floor(number[2]) ||
      !(number[2] >= 2.0 && number[2] <= 100000.0) || !(number[1] > number[0]))
    return complain(name, value, "FROM:TO:POINTS in mm is needed, such as -100:100:41");
  *range = (vd_xcheck_range){number[0], number[1], (int)number[2]};
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
      names[q] = vd_curve_figure((int)q)->column;
      found |= strcmp(names[q], word) == 0 ? 1u << q : 0u;
    }
    if (!found) {
      const char *near = vd_suggest(word, names, VD_CURVES);
      return vd_tool_error("'--curves': there is no curve '%s'%s%s%s", word, near ? "; did you mean '" : "",
                           near ? near : "", near ? "'?" : "");
    }
    *curves |= found;
    p += length;
    if (*p == '\0')
      return true;
  }
}

/* --- the command line --- */

static int take(void *settings, int id, const char *value) {
  vd_xcheck_settings *s = settings;
  bool good = true;
  if (id == VD_OPT_OPERAND) {
    if (s->operands < 2)
      s->operand[s->operands] = vd_tool_find(value);
    s->operands++;
    return -1;
  }
  switch ((enum option)id) {
  case OPT_OUTPUT: s->output = value; break;
  case OPT_CURVES: good = set_curves(value, &s->curves); break;
  case OPT_GAINS: s->gains = true; break;
  case OPT_RTOL: good = set_tolerance("rtol", value, &s->tolerance.relative); break;
  case OPT_ATOL: good = set_tolerance("atol", value, &s->tolerance.absolute); break;
  case OPT_TAP: s->tap = true; break;
  case OPT_EXACT: s->digits = VD_DIGITS_EXACT; break;
  case OPT_FORMAT:
    good = set_sides(s, OPT_FORMAT, "format", value, "yaml, hardpoints, curves or compliance are needed");
    break;
  case OPT_AXES: good = set_sides(s, OPT_AXES, "axes", value, "iso or adams is needed"); break;
  case OPT_LENGTH_UNIT: good = set_sides(s, OPT_LENGTH_UNIT, "length-unit", value, "m, mm or in is needed"); break;
  case OPT_AXLE: good = set_sides(s, OPT_AXLE, "axle", value, "front or rear is needed"); break;
  case OPT_SIDE: good = set_sides(s, OPT_SIDE, "side", value, "left or right is needed"); break;
  case OPT_TOE0: good = set_sides(s, OPT_TOE0, "toe0", value, "an angle of at most 45 degrees is needed"); break;
  case OPT_CAMBER0:
    good = set_sides(s, OPT_CAMBER0, "camber0", value, "an angle of at most 45 degrees is needed");
    break;
  case OPT_RADIUS: good = set_sides(s, OPT_RADIUS, "radius", value, "a length of up to 10 m is needed"); break;
  case OPT_STEERING: good = set_sides(s, OPT_STEERING, "steering", value, "rack or none is needed"); break;
  case OPT_TRAVEL: good = set_range("travel", value, &s->range[VD_KC_TRAVEL]); break;
  case OPT_RACK: good = set_range("rack", value, &s->range[VD_KC_RACK]); break;
  case OPT_EXPORT: s->export = value; break;
  case OPT_IMPORT: s->import = vd_tool_find(value); break;
  case OPT_QUIET: s->quiet = true; break;
  case OPT_VERBOSE: s->verbose = true; break;
  }
  return good ? -1 : VD_EXIT_TROUBLE;
}

static const vd_tool tool = {
    .name = "vdsim-xcheck",
    .synopsis =
        "vdsim-xcheck compares a suspension with a reference: gains at the design position, and whole curves.\n\n"
        "usage: vdsim-xcheck [options] REFERENCE CANDIDATE\n"
        "       vdsim-xcheck --export-adams FILE [--axes A] [--length-unit U] SUSPENSION.yaml\n"
        "       vdsim-xcheck --import EXPORT.csv --toe0 DEG --camber0 DEG --radius M [-o SUSPENSION.yaml]\n\n"
        "REFERENCE and CANDIDATE are suspension files, Adams hardpoint lists (CSV: name,x,y,z) or tables of\ncurves.\n"
        "Two values with a comma between them are for REFERENCE and CANDIDATE, one value is for both.\n\n"
        "  $ vdsim-xcheck --toe0=0 --camber0=0 scenarios/suspensions/dw_front_sports.yaml export.csv\n\n",
    .statuses =
        "\nExit status: 0 all within tolerance, 1 something is not or is absent, 2 trouble.\nSee vdsim-xcheck(1).\n",
    .option = table,
    .options = VD_COUNT(table),
    .take = take,
};

static bool usage_ok(const vd_xcheck_settings *s) {
  const char *problem = NULL;
  if (s->export && s->import)
    problem = "--export-adams and --import exclude each other";
  else if (s->export && s->output)
    problem = "--export-adams names its output itself";
  else if (s->export && s->operands != 1)
    problem = "--export-adams needs one suspension file";
  else if (s->import && s->operands != 0)
    problem = "--import takes no other file";
  else if ((s->export || s->import) && (s->curves || s->gains || s->tap || vd_tool_json()))
    problem = "--curves, --gains, --tap and --json are for a comparison";
  else if (s->tap && vd_tool_json())
    problem = "--tap and --json exclude each other";
  else if (!s->export && !s->import && s->operands != 2)
    problem = "a reference and a candidate are needed";
  else if (s->operands == 2 && strcmp(s->operand[0], "-") == 0 && strcmp(s->operand[1], "-") == 0)
    problem = "standard input cannot be both sides";
  if (problem)
    return vd_tool_error("%s; see --help", problem);
  return vd_tool_names_text("--export-adams", s->export) && (s->import || vd_tool_names_text("-o", s->output));
}

int vd_xcheck_parse(vd_xcheck_settings *s, int argc, char **argv) {
  *s = (vd_xcheck_settings){.digits = VD_DIGITS_9, .tolerance = {0.05, 1e-4}};
  memcpy(s->range, vd_xcheck_ranges, sizeof s->range);
  for (int i = 0; i < 2; i++)
    s->side[i].list.toe0 = s->side[i].list.camber0 = s->side[i].list.static_radius = NAN;
  int status = vd_tool_start(&tool, s, argc, argv);
  return status >= 0 || usage_ok(s) ? status : VD_EXIT_TROUBLE;
}
