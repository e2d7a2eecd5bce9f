/* vdsim-plot: draws what the other programs write. */
#include "figure.h"
#include "lists.h"
#include "plot_kinds.h"
#include "plot_log.h"
#include "tool.h"

#include "base/system.h"
#include "base/base.h"
#include "base/memory.h"
#include "base/num.h"
#include "run/kind.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { YLIMS = 64 };

typedef struct settings {
  const char *output, *title, *labels, *picture, *tyre, *study;
  bool kc, fit, axes;
  int cars;            /* number of cars in the picture of a stunt; 0: one every five metres, 3 to 12 */
  double frames;       /* s from one picture of a stunt to the next; 0: one picture */
  bool standard, list; /* --manoeuvre, --list */
  double window[2];
  double width, height;
  vd_picture_limits x, y[YLIMS];
  size_t ys;
  vd_shown_how how;
  const char **operand; /* channels and logs */
  size_t operands;
  const char **log, **channel;
  size_t logs, channels;
  vd_arena *arena;
} settings;

enum option {
  OPT_OUTPUT = 1,
  OPT_X,
  OPT_Y,
  OPT_TITLE,
  OPT_LABELS,
  OPT_UNITS,
  OPT_WINDOW,
  OPT_SIZE,
  OPT_ONLY,
  OPT_DIFFERENCE,
  OPT_SI,
  OPT_EQUAL,
  OPT_LOG,
  OPT_XLIM,
  OPT_YLIM,
  OPT_PLAIN,
  OPT_MANOEUVRE,
  OPT_LIST,
  OPT_KC,
  OPT_TYRE,
  OPT_FIT,
  OPT_STUDY,
  OPT_AXES,
  OPT_CARS,
  OPT_FRAMES
};

static const vd_opt table[] = {
    {'o', "output", "FILE", "the picture, .svg, .png or .pdf; default - is SVG on standard output", OPT_OUTPUT},
    {'x', "over", "CHANNEL", "the horizontal axis; default t_s or, without t_s, the first column", OPT_X},
    {'y', "panel", "CHANNELS", "a panel like an argument CHANNELS; names may contain a point or slash", OPT_Y},
    {'t', "title", "TITLE", "printed above instead of manoeuvre, car and level", OPT_TITLE},
    {'l', "labels", "LABEL,...", "names of the logs in the legend, in their order", OPT_LABELS},
    {'u', "units", "CHANNEL=UNIT,...", "another unit, as yaw_rate=rad/s; the channel may be a pattern", OPT_UNITS},
    {'w', "window", "FROM:TO", "this part of the time only, in s; FROM or TO may be left out", OPT_WINDOW},
    {'s', "size", "WIDTH[xHEIGHT]", "in pixels; default 1100, and the height that the panels need", OPT_SIZE},
    {'c', "channel", "OUTPUT", "draw only this output of a frequency response", OPT_ONLY},
    {'d', "difference", NULL, "below each panel, the other logs minus the first log", OPT_DIFFERENCE},
    {0, "si", NULL, "all in SI units and rad", OPT_SI},
    {0, "equal", NULL, "one scale for both axes; y_m over x_m always has one", OPT_EQUAL},
    {0, "log", NULL, "both axes are logarithmic", OPT_LOG},
    {0, "xlim", "FROM:TO", "limits of the horizontal axis, in its units; FROM or TO may be left out", OPT_XLIM},
    {0, "ylim", "FROM:TO,...", "limits of each vertical axis; an empty item leaves a panel as it is", OPT_YLIM},
    {0, "plain", NULL, "nothing is marked", OPT_PLAIN},
    {0, "manoeuvre", "=PICTURE", "a standard picture, by default that of the metric sets; all: all", OPT_MANOEUVRE},
    {0, "list", NULL, "print what the standard pictures show", OPT_LIST},
    {0, "kc", NULL, "sheet of suspensions: curves of vdsim-kc-sweep, or tables of compliance", OPT_KC},
    {0, "tyre", "PICTURE", "picture of a tyre rig: fy, fx, ellipse, mz, gough, transient, time", OPT_TYRE},
    {0, "fit", NULL, "a fit of a tyre or of runs, measured and computed", OPT_FIT},
    {0, "study", "PICTURE", "study: scatter, tornado, histogram or surface, over -x FACTOR,...", OPT_STUDY},
    {0, "axes", NULL, "drawings of the axes and of the positive directions", OPT_AXES},
    {'n', "cars", "NUMBER", "cars in the picture of a stunt; default one every five metres, 3 to 12", OPT_CARS},
    {0, "frames", "STEP", "a picture of a stunt every STEP seconds, in FILE-0001 and so on", OPT_FRAMES},
    VD_OPT_STANDARD,
};

/* --- values of options --- */

/* Reads FROM:TO, of which one or both may be left out. */
static bool parse_limits(const char *option, const char *text, size_t length, vd_picture_limits *out) {
  const char *colon = memchr(text, ':', length);
  size_t used[2] = {0, 0},
         size[2] = {colon ? (size_t)(colon - text) : 0, colon ? length - (size_t)(colon + 1 - text) : 0};
  *out = (vd_picture_limits){size[0] > 0, size[1] > 0, 0.0, 0.0};
  bool good = colon && (!out->has_from || vd_num_parse(text, size[0], &out->from, &used[0])) &&
              (!out->has_to || vd_num_parse(colon + 1, size[1], &out->to, &used[1])) && used[0] == size[0] &&
              used[1] == size[1];
  if (!good || !(fabs(out->from) < 1e290 && fabs(out->to) < 1e290))
    return vd_tool_error("%s takes FROM:TO, not '%.*s'", option, (int)length, text);
  double most = fmax(fabs(out->from), fabs(out->to));
  return !out->has_from || !out->has_to || out->to - out->from > 1e-9 * most ||
         vd_tool_error("%s takes FROM:TO with FROM below TO, not '%.*s'", option, (int)length, text);
}

static bool parse_window(const char *text, double window[2]) {
  vd_picture_limits l;
  if (!parse_limits("-w", text, strlen(text), &l))
    return false;
  window[0] = l.has_from ? l.from : NAN;
  window[1] = l.has_to ? l.to : NAN;
  return true;
}

static bool parse_all_limits(const char *text, settings *s) {
  for (bool more = true; more; text++) {
    size_t length = strcspn(text, ",");
    vd_picture_limits none = {false, false, 0.0, 0.0};
    if (s->ys == YLIMS)
      return vd_tool_error("--ylim takes at most %d limits", YLIMS);
    if (length > 0 && !parse_limits("--ylim", text, length, &none))
      return false;
    s->y[s->ys++] = none;
    more = text[length] != '\0';
    text += length;
  }
  return true;
}

static bool parse_size(const char *text, settings *s) {
  char *end;
  long width = strtol(text, &end, 10), height = 0;
  bool given = *end == 'x';
  if (given)
    height = strtol(end + 1, &end, 10);
  s->width = (double)width;
  s->height = (double)height;
  return (*end == '\0' && width >= 100 && width <= 9999 && (!given || (height >= 100 && height <= 9999))) ||
         vd_tool_error("-s takes WIDTH or WIDTHxHEIGHT from 100 to 9999 pixels, not '%s'", text);
}

/* --- the command line --- */

static bool is_kind(const char *word) {
  bool found = false;
  for (const char *const *kind = vd_scenario_kind_names; *kind; kind++)
    found |= strcmp(*kind, word) == 0;
  return found;
}

static int print_list(void) {
  size_t count;
  const vd_picture_line *l = vd_picture_table(&count);
  vd_buf lines = {0};
  for (const vd_picture_line *end = l + count; l < end; l++) {
    const char *sets = l->part[2], *any = *sets == '*' ? "any run" : NULL;
    if (strcmp(l->part[0], "picture") != 0)
      continue;
    const bool kind = is_kind(sets), keys = strcspn(sets, ".=") < strlen(sets);
    if (vd_tool_json())
      vd_buf_printf(&lines, "%s\t%s\t%s\tscenarios/%s.yaml\n", l->part[1], l->part[4], sets, l->part[5]);
    else
      vd_buf_printf(&lines, "%-12s %s\n%-12s   %s%s%s, as in scenarios/%s.yaml\n", l->part[1], l->part[4], "",
                    any    ? any
                    : kind ? "kind: "
                    : keys ? "with "
                           : "metrics: {sets: ",
                    any ? "" : sets, any || kind || keys ? "" : "}", l->part[5]);
  }
  return vd_list_print(&lines, "picture shows sets scenario", "");
}

static int take(void *context, int id, const char *value) {
  settings *s = context;
  bool good = true;
  if (id == VD_OPT_OPERAND) {
    s->operand[s->operands++] = value;
    return -1;
  }
  switch ((enum option)id) {
  case OPT_OUTPUT: s->output = value; break;
  case OPT_X: s->how.x = s->how.x ? vd_arena_printf(s->arena, "%s,%s", s->how.x, value) : value; break;
  case OPT_Y: s->channel[s->channels++] = value; break;
  case OPT_TITLE: s->title = value; break;
  case OPT_LABELS: s->labels = value; break;
  case OPT_UNITS: good = vd_unit_rules_add(value, s->arena, &s->how.units); break;
  case OPT_WINDOW: good = parse_window(value, s->window); break;
  case OPT_SIZE: good = parse_size(value, s); break;
  case OPT_ONLY: s->how.only = value; break;
  case OPT_DIFFERENCE: s->how.difference = true; break;
  case OPT_SI: s->how.units.si = true; break;
  case OPT_EQUAL: s->how.equal = true; break;
  case OPT_LOG: s->how.log = true; break;
  case OPT_XLIM: good = parse_limits("--xlim", value, strlen(value), &s->x); break;
  case OPT_YLIM: good = parse_all_limits(value, s); break;
  case OPT_PLAIN: s->how.plain = true; break;
  case OPT_MANOEUVRE:
    s->standard = true;
    s->picture = value;
    break;
  case OPT_LIST: s->list = true; break;
  case OPT_KC: s->kc = true; break;
  case OPT_TYRE: s->tyre = value; break;
  case OPT_FIT: s->fit = true; break;
  case OPT_STUDY: s->study = value; break;
  case OPT_AXES: s->axes = true; break;
  case OPT_CARS: {
    char *end;
    const long cars = strtol(value, &end, 10);
    s->cars = (int)cars;
    good = (*value && !*end && cars >= 2 && cars <= 9999) ||
           vd_tool_error("-n takes a number from 2 to 9999, not '%s'", value);
    break;
  }
  case OPT_FRAMES: {
    size_t used;
    good = (vd_num_parse(value, strlen(value), &s->frames, &used) && !value[used] && s->frames >= 1e-3) ||
           vd_tool_error("--frames takes seconds from 0.001 on, not '%s'", value);
    break;
  }
  }
  return good ? -1 : VD_EXIT_TROUBLE;
}

static const vd_tool tool = {
    .name = "vdsim-plot",
    .synopsis = "vdsim-plot draws channels of runs over time or over each other, and standard pictures.\n\n"
                "usage: vdsim-plot [options] CHANNELS... LOG.csv...\n"
                "       vdsim-plot [options] --manoeuvre[=PICTURE] LOG.csv...\n"
                "       vdsim-plot [options] --kc CURVES.csv... | --tyre=PICTURE RIG.csv... | --fit FIT.csv\n"
                "       vdsim-plot [options] --study=PICTURE [-x FACTOR,...] METRIC STUDY.csv\n"
                "       vdsim-plot [options] --axes\n\n"
                "Each CHANNELS argument makes one panel: a column, with or without its unit, a quoted pattern\n"
                "with * and ?, or several with commas between. LOG - is standard input. Units are those of the\n"
                "field: deg, km/h, g, kN, mm, %. Metrics and events that `vdsim-run -o FOLDER` leaves beside a\n"
                "log give titles and marks, and choose the standard picture. SVG needs no other program;\n"
                "rsvg-convert makes PNG and PDF.\n\n"
                "  $ vdsim-plot -o step.svg steer yaw_rate 'fz_*_N' out/step_steer.csv\n"
                "  $ vdsim-plot -d -o ay.png ay_mps2 out/soft.csv out/stiff.csv\n"
                "  $ vdsim-plot --manoeuvre -o handling.pdf out/constant_radius_l3.csv\n\n",
    .statuses = "\nExit status: 0 the picture was made, 2 trouble. See vdsim-plot(1).\n",
    .option = table,
    .options = VD_COUNT(table),
    .take = take,
};

/* Sets the options that the name of the program implies: vdsim-plot-kc is vdsim-plot --kc; vdsim-plot-study and
 * vdsim-plot-tyre take the picture as their first argument. */
static void take_name(const char *called, settings *s) {
  const char *slash = strrchr(called, '/'), *name = slash ? slash + 1 : called;
  name += strncmp(name, "vdsim-plot-", 11) == 0 ? 11 : strlen(name);
  const bool study = strcmp(name, "study") == 0;
  s->kc |= strcmp(name, "kc") == 0;
  s->fit |= strcmp(name, "fit") == 0;
  if (strcmp(name, "stunt") == 0) {
    s->standard = true;
    s->picture = name;
  } else if ((study || strcmp(name, "tyre") == 0) && s->operands > 0) {
    *(study ? &s->study : &s->tyre) = s->operand[0];
    s->operand++;
    s->operands--;
  }
}

/* Divides the operands into logs and channels: names of columns contain neither a point nor a slash, and names of logs
 * nearly always contain one. */
static void sort_operands(settings *s) {
  for (size_t i = 0; i < s->operands; i++) {
    const char *one = s->operand[i];
    if (strcmp(one, "-") == 0 || strpbrk(one, "./") || access(one, F_OK) == 0)
      s->log[s->logs++] = one;
    else
      s->channel[s->channels++] = one;
  }
}

static bool is_response(const char *name) {
  return strcmp(name, "response") == 0;
}

static bool is_stunt(const char *name) {
  return strcmp(name, "stunt") == 0;
}

static bool check(const settings *s) {
  if (s->axes && (s->operands > 0 || s->kc || s->fit || s->standard || s->tyre || s->study))
    return vd_tool_error("--axes takes no logs and excludes other pictures");
  if (s->axes)
    return vd_figure_is_output(s->output);
  const bool of_table = s->kc || s->tyre || s->fit || s->study;
  for (size_t i = 0; i < s->logs; i++)
    if (vd_ends_in(s->log[i], ".png") || vd_ends_in(s->log[i], ".svg") || vd_ends_in(s->log[i], ".pdf"))
      return vd_tool_error("%s is no log but a picture; -o before it makes it the output", s->log[i]);
  if (s->kc + s->fit + s->standard + (s->tyre != NULL) + (s->study != NULL) > 1)
    return vd_tool_error("--manoeuvre, --kc, --tyre, --fit and --study exclude each other");
  if (vd_tool_json())
    return vd_tool_error("--json is for --list");
  if (s->channels == 0 && !s->standard && !of_table)
    return vd_tool_error("no channel given: vdsim-plot CHANNELS... LOG.csv..., or an option as --manoeuvre");
  if (s->channels > 0 && (s->standard || of_table) && !s->study)
    return vd_tool_error("a standard picture takes no channels, but there is '%s'", s->channel[0]);
  if (s->standard && (s->how.x || s->how.difference || s->how.log))
    return vd_tool_error("-x, -d and --log are for channels, not for a standard picture");
  if ((s->cars > 0 || s->frames > 0.0) && !(s->standard && (!s->picture || is_stunt(s->picture))))
    return vd_tool_error("-n and --frames are for the picture stunt");
  if (of_table && ((s->how.x && !s->study) || s->how.difference || s->labels || s->how.log))
    return vd_tool_error("-x, -d, -l and --log are for logs, not for --kc, --tyre, --fit and --study");
  if (s->logs == 0 || ((s->fit || s->study) && s->logs > 1))
    return vd_tool_error(s->logs ? "--fit and --study take one table" : "no log given; see --help");
  if (s->picture && !*s->picture)
    return vd_tool_error("--manoeuvre= lacks the name of a picture; --list prints the names");
  return vd_figure_is_output(s->output);
}

/* --- the work --- */

static void set_labels(const settings *s, vd_shown_run *run) {
  const char *at = s->labels ? s->labels : "";
  for (size_t i = 0; i < s->logs; i++) {
    size_t length = strcspn(at, ",");
    for (size_t k = 0; k < s->logs; k++) /* files of one name in several folders */
      if (k != i && strcmp(vd_plot_stem(s->log[k], s->arena), vd_plot_stem(s->log[i], s->arena)) == 0)
        run[i].label = s->log[i];
    if (length > 0)
      run[i].label = vd_arena_copy(s->arena, at, length);
    at += length + (at[length] == ',');
  }
}

static const char *common(const vd_shown_run *run, size_t runs, size_t member) {
  const char *first = *(const char *const *)(const void *)((const char *)&run[0] + member);
  for (size_t i = 1; i < runs; i++)
    if (strcmp(*(const char *const *)(const void *)((const char *)&run[i] + member), first) != 0)
      return "";
  return first;
}

/* Sets the heading: manoeuvre, car and level if they are the same in all runs; for a single run without a title its
 * name. */
static void set_heading(const settings *s, const vd_shown_run *run, const vd_drawing *f, vd_figure_page *page) {
  const char *title = common(run, s->logs, offsetof(vd_shown_run, title));
  const char *car = common(run, s->logs, offsetof(vd_shown_run, car));
  const char *level = common(run, s->logs, offsetof(vd_shown_run, level));
  const char *under = vd_arena_printf(s->arena, "%s%s%s", car, *car && *level ? ", " : "", level);
  if (!*title && s->logs == 1)
    title = run[0].label;
  if (s->title) {
    title = s->title;
    under = "";
  }
  if (*f->under)
    under = vd_arena_printf(s->arena, "%s%s%s", under, *under ? ": " : "", f->under);
  page->title = *title ? title : under;
  page->under = *title ? under : "";
}

static int write_figure(vd_drawing *f, const vd_figure_page *page, const char *output) {
  vd_buf svg = {0};
  int status = vd_figure_draw(f, page, &svg) ? vd_figure_write(output, &svg) : VD_EXIT_TROUBLE;
  vd_buf_finish(&svg);
  vd_figure_finish(f);
  return status;
}

static int draw(const settings *s, const vd_shown_run *run, vd_drawing *f, const char *output) {
  vd_figure_page page = {
      .width = s->width > 0.0 ? s->width : 1100.0, .height = s->height, .x = s->x, .y = s->y, .ys = s->ys};
  set_heading(s, run, f, &page);
  return write_figure(f, &page, output);
}

static bool read_all(const settings *s, bool responses, vd_diag *d, vd_shown_run *run) {
  bool good = true;
  for (size_t i = 0; i < s->logs && good; i++) {
    const char *response, *log = s->log[i];
    if (responses && vd_plot_has_response(log, s->arena, &response))
      log = response;
    good = vd_plot_read(log, s->window, s->arena, d, &run[i]);
  }
  vd_tool_print_messages(d);
  vd_tool_inputs(d);
  if (good)
    set_labels(s, run);
  return good;
}

/* Draws a stunt up to each of several instants with even steps, each picture in a file of its own. */
static int draw_frames(settings *s, const vd_shown_run *run, const char *output) {
  const char *ending = strrchr(output ? output : "", '.'), *title = s->title;
  const double *t = vd_shown_values(run, "t_s");
  int status = ending && t ? VD_EXIT_YES : VD_EXIT_TROUBLE;
  if (status == VD_EXIT_TROUBLE)
    vd_tool_error("--frames needs -o FILE, which becomes FILE-0001, and a column t_s");
  const double end = t ? t[run->rows - 1] : NAN;
  for (int i = 0; status == VD_EXIT_YES && t[0] + i * s->frames < end + s->frames - 1e-6; i++) {
    const double until = fmin(t[0] + i * s->frames, end);
    vd_drawing f;
    s->title =
        vd_arena_printf(s->arena, "%s%s%.2f s", title ? title : run->title, title || *run->title ? ", " : "", until);
    status =
        vd_figure_stunt(run, s->logs, s->cars, until, s->arena, &f)
            ? draw(s, run, &f, vd_arena_printf(s->arena, "%.*s-%04d%s", (int)(ending - output), output, i + 1, ending))
            : VD_EXIT_TROUBLE;
  }
  return status;
}

/* Draws one standard picture of runs that were read; VD_EXIT_NO: a picture that shows nothing, if it is one of
 * several. */
static int draw_standard(settings *s, const char *name, const vd_shown_run *run, const char *output) {
  vd_drawing f;
  if (is_stunt(name) && s->frames > 0.0)
    return draw_frames(s, run, output);
  bool good = is_response(name) ? vd_figure_response(run, s->logs, &s->how, s->arena, &f)
              : is_stunt(name)  ? vd_figure_stunt(run, s->logs, s->cars, NAN, s->arena, &f)
                                : vd_figure_standard(run, s->logs, name, &s->how, s->arena, &f);
  return good ? draw(s, run, &f, output) : s->how.quiet ? VD_EXIT_NO : VD_EXIT_TROUBLE;
}

/* Reads the runs and draws the standard picture of this name. */
static int draw_named(settings *s, const char *name, const char *output, vd_diag *d) {
  vd_shown_run *run = vd_arena_alloc(s->arena, s->logs * sizeof *run);
  if (!vd_picture_called(name)) {
    const char *names[64];
    size_t count, n = 0;
    const vd_picture_line *l = vd_picture_table(&count);
    for (size_t i = 0; i < count; i++)
      if (strcmp(l[i].part[0], "picture") == 0 && n < VD_COUNT(names))
        names[n++] = l[i].part[1];
    const char *near = vd_suggest(name, names, n);
    vd_tool_error("no picture '%s'%s%s%s; --list prints all", name, near ? "; did you mean '" : "", near ? near : "",
                  near ? "'?" : "");
    return VD_EXIT_TROUBLE;
  }
  return read_all(s, is_response(name), d, run) ? draw_standard(s, name, run, output) : VD_EXIT_TROUBLE;
}

/* Draws a picture that was chosen for the runs. The rows of a frequency response are read from a table of their own. */
static int draw_own(settings *s, const char *name, const vd_shown_run *run, const char *output, vd_diag *d) {
  return is_response(name) ? draw_named(s, name, output, d) : draw_standard(s, name, run, output);
}

/* Finds the pictures that fit the sets of metrics of the run, the one of its manoeuvre first; returns their number.
 * all: also finds further pictures, including those that fit any run. */
static size_t choose(const settings *s, const vd_shown_run *run, bool all, const char **name, size_t most) {
  size_t count, n = 0;
  const vd_picture_line *l = vd_picture_table(&count);
  if (vd_ends_in(s->log[0], ".response.csv")) {
    name[0] = "response";
    return 1;
  }
  for (const vd_picture_line *end = l + count; l < end && n < (all ? most : 1); l++)
    if (strcmp(l->part[0], "picture") == 0 && vd_shown_has_set(run, l->part[2]))
      name[n++] = l->part[1];
  return n;
}

static int draw_chosen(settings *s, vd_diag *d) {
  enum { MOST = 64 };
  const char *name[MOST];
  bool all = s->picture != NULL, drawn = false;
  vd_shown_run *run = vd_arena_alloc(s->arena, s->logs * sizeof *run);
  if (!read_all(s, false, d, run))
    return VD_EXIT_TROUBLE;
  size_t n = choose(s, run, all, name, MOST);
  if (!all) {
    if (!run->resolved && !is_response(name[0]))
      vd_tool_note("%s: the resolved scenario, which names the manoeuvre, is not beside it; 'vdsim-run -o FOLDER' "
                   "writes both",
                   s->log[0]);
    return draw_own(s, name[0], run, s->output, d);
  }
  if (vd_tool_is_stdout(s->output)) {
    vd_tool_error("--manoeuvre=all needs -o FILE, which becomes FILE-PICTURE");
    return VD_EXIT_TROUBLE;
  }
  s->how.quiet = true;
  const char *ending = strrchr(s->output, '.');
  for (size_t i = 0; i < n; i++) {
    const char *output = vd_arena_printf(s->arena, "%.*s-%s%s", (int)(ending - s->output), s->output, name[i], ending);
    int status = draw_own(s, name[i], run, output, d);
    if (status == VD_EXIT_TROUBLE)
      return status;
    drawn |= status == VD_EXIT_YES;
  }
  if (!drawn)
    vd_tool_error("no picture drawn: nothing to draw, or nothing changes in %s", s->log[0]);
  return drawn ? VD_EXIT_YES : VD_EXIT_TROUBLE;
}

static int draw_channels(settings *s, vd_diag *d) {
  vd_shown_run *run = vd_arena_alloc(s->arena, s->logs * sizeof *run);
  vd_drawing f;
  s->how.channel = s->channel;
  s->how.channels = s->channels;
  if (!read_all(s, false, d, run) || !vd_figure_channels(run, s->logs, &s->how, s->arena, &f))
    return VD_EXIT_TROUBLE;
  return draw(s, run, &f, s->output);
}

static int draw_table(settings *s, vd_diag *d) {
  vd_drawing f;
  bool good = s->kc      ? vd_figure_kc(s->log, s->logs, s->arena, d, &f)
              : s->tyre  ? vd_figure_tyre(s->tyre, s->log, s->logs, s->arena, d, &f)
              : s->study ? vd_figure_study(s->study, s->log[0], s->channel, s->channels, s->how.x, &s->how.units,
                                           s->arena, d, &f)
                         : vd_figure_fit(s->log[0], &s->how.units, s->arena, d, &f);
  vd_tool_print_messages(d);
  vd_tool_inputs(d);
  if (!good)
    return VD_EXIT_TROUBLE;
  const double usual = s->kc ? 1500.0 : s->tyre ? 900.0 : f.columns > 1 ? 1200.0 : 700.0;
  const vd_figure_page page = {
      s->title ? s->title : "", f.under, s->width > 0.0 ? s->width : usual, s->height, s->x, s->y, s->ys};
  return write_figure(&f, &page, s->output);
}

static int draw_axes(const settings *s) {
  vd_drawing f;
  vd_figure_axes(&f);
  const vd_figure_page page = {.title = s->title ? s->title : "Axes and signs (ISO 8855)",
                               .under =
                                   "blue: axes; orange: velocities, forces and distances; green: angles and moments",
                               .width = s->width > 0.0 ? s->width : 1100.0,
                               .height = s->height};
  return write_figure(&f, &page, s->output);
}

static int work(int argc, char **argv) {
  settings s = {.window = {NAN, NAN}, .arena = vd_arena_create()};
  vd_diag *d = vd_diag_create();
  s.operand = vd_arena_alloc(s.arena, (size_t)argc * sizeof *s.operand);
  s.log = vd_arena_alloc(s.arena, (size_t)argc * sizeof *s.log);
  s.channel = vd_arena_alloc(s.arena, (size_t)argc * sizeof *s.channel);
  int status = vd_tool_start(&tool, &s, argc, argv);
  if (status < 0 && s.list) {
    status = print_list();
  } else if (status < 0) {
    take_name(argv[0], &s);
    sort_operands(&s);
    bool named = s.picture && strcmp(s.picture, "all") != 0;
    status = !check(&s)                           ? VD_EXIT_TROUBLE
             : s.axes                             ? draw_axes(&s)
             : s.kc || s.tyre || s.fit || s.study ? draw_table(&s, d)
             : !s.standard                        ? draw_channels(&s, d)
             : named                              ? draw_named(&s, s.picture, s.output, d)
                                                  : draw_chosen(&s, d);
  }
  vd_diag_destroy(d);
  vd_arena_destroy(s.arena);
  return status;
}

int main(int argc, char **argv) {
  return vd_tool_main(work, argc, argv);
}
