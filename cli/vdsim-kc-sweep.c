/* vdsim-kc-sweep: suspension files to curves and gains of kinematics and compliance. */
#include "kc/sweep.h"
#include "base/num.h"
#include "opt.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum option {
  OPT_SWEEP,
  OPT_TRAVEL,
  OPT_RACK,
  OPT_FX,
  OPT_FY,
  OPT_MZ,
  OPT_FZ,
  OPT_MODE,
  OPT_SIDE,
  OPT_PARTIAL,
  OPT_METRICS,
  OPT_OUTPUT,
  OPT_EXACT,
  OPT_SET,
  OPT_CHECK,
  OPT_RESOLVED,
  OPT_GRAPH,
  OPT_LIST_COLUMNS,
  OPT_LIST_KEYS,
  OPT_QUIET,
  OPT_VERBOSE,
  OPT_HELP,
  OPT_VERSION,
};

static const vd_opt table[] = {
    {0, "sweep", "LIST", "travel, rack, grid, fx, fy, mz, fz; or all: all but grid (default)", OPT_SWEEP},
    {0, "travel", "FROM:TO:N", "wheel travel in mm (default -100:100:41)", OPT_TRAVEL},
    {0, "rack", "FROM:TO:N", "shift of the rack to the left in mm (default -40:40:17)", OPT_RACK},
    {0, "fx", "FROM:TO:N", "longitudinal force in N (default -4000:4000:9)", OPT_FX},
    {0, "fy", "FROM:TO:N", "lateral force in N (default -4000:4000:9)", OPT_FY},
    {0, "mz", "FROM:TO:N", "moment about the vertical in N m (default -100:100:9)", OPT_MZ},
    {0, "fz", "FZ|FROM:TO:N", "load in N under fx, fy, mz (default 4500), or the loads swept", OPT_FZ},
    {0, "mode", "MODE", "the other wheel's travel: parallel (default) or opposite", OPT_MODE},
    {0, "side", "SIDE", "rows of the left (default) or right wheel, or of both", OPT_SIDE},
    {0, "partial", NULL, "leave out points that cannot be reached, with exit status 1", OPT_PARTIAL},
    {0, "metrics", NULL, "figures and gains at the design position instead of curves", OPT_METRICS},
    {'o', "output", "FILE|-", "where to write (default: standard output)", OPT_OUTPUT},
    {0, "exact", NULL, "17 significant digits instead of 9", OPT_EXACT},
    {0, "set", "KEY=VALUE", "override a field: --set spring.rate='25 N/mm' (repeatable)", OPT_SET},
    {0, "check", NULL, "read and check, sweep nothing", OPT_CHECK},
    {0, "resolved", NULL, "print the complete effective suspension, sweep nothing", OPT_RESOLVED},
    {0, "graph", NULL, "print bodies, joints and points, sweep nothing", OPT_GRAPH},
    {0, "list-columns", NULL, "print name, unit and meaning of every column", OPT_LIST_COLUMNS},
    {0, "list-keys", NULL, "print key, type, unit, range, default and meaning of each key", OPT_LIST_KEYS},
    {'q', "quiet", NULL, "no remarks", OPT_QUIET},
    {'v', "verbose", NULL, "say what was done", OPT_VERBOSE},
    {'h', "help", NULL, "print this help", OPT_HELP},
    {0, "version", NULL, "print the version", OPT_VERSION},
};

typedef struct settings {
  vd_kc_plan plan;
  const char *path, *output;
  vd_setting *set;
  size_t set_count;
  bool metrics, check, resolved, graph, quiet, verbose;
  const char *curves; /* an option that was given and is of curves alone; NULL: none */
} settings;

static void help(FILE *to) {
  fputs("vdsim-kc-sweep writes the kinematics and compliance of a suspension as CSV.\n\n"
        "usage: vdsim-kc-sweep [options] SUSPENSION.yaml\n\n"
        "  $ vdsim-kc-sweep -o curves.csv scenarios/suspensions/dw_front_sports.yaml\n"
        "  $ vdsim-kc-sweep --metrics scenarios/suspensions/mp_front_sedan.yaml\n\n",
        to);
  vd_opt_help(to, table, VD_COUNT(table));
  fputs("\nExit status: 0 done, 1 some points cannot be reached (--partial), 2 trouble. See vdsim-kc-sweep(1).\n", to);
}

static bool complain(const char *option, const char *text, const char *what) {
  fprintf(stderr, "vdsim-kc-sweep: error: '--%s=%s': %s; see --help\n", option, text, what);
  return false;
}

/* "from:to:points", or one value; `scale` to SI. */
static bool parse_range(const char *option, const char *text, double scale, vd_kc_range *range) {
  const char *rest = text;
  double value[3] = {0.0};
  int count = 0;
  for (bool more = true; more && count < 3; count++) {
    size_t used;
    if (!vd_num_parse(rest, strlen(rest), &value[count], &used) || !(fabs(value[count]) < 1e9) ||
        (rest[used] != ':' && rest[used] != '\0'))
      return complain(option, text, "FROM:TO:N or one number is needed");
    more = rest[used] == ':';
    rest += used + more;
  }
  if (count == 1 && *rest == '\0') {
    *range = (vd_kc_range){value[0] * scale, value[0] * scale, 1};
    return true;
  }
  if (count != 3 || *rest != '\0' || value[2] != floor(value[2]) || !(value[2] >= 2.0 && value[2] <= 10001.0))
    return complain(option, text, "FROM:TO:N is needed, N a number from 2 to 10001");
  *range = (vd_kc_range){value[0] * scale, value[1] * scale, (int)value[2]};
  return true;
}

static bool parse_load(const char *text, vd_kc_plan *plan) {
  vd_kc_range range;
  if (!parse_range("fz", text, 1.0, &range))
    return false;
  if (range.points == 1)
    plan->load = range.from;
  else
    plan->range[VD_KC_FZ] = range;
  return true;
}

static bool parse_sweeps(const char *text, vd_kc_plan *plan) {
  memset(plan->sweep, 0, sizeof plan->sweep);
  plan->optional = false;
  for (const char *p = text;; p++) {
    size_t length = strcspn(p, ",");
    int found = -1;
    for (int i = 0; i < VD_KC_SWEEPS; i++)
      if (strlen(vd_kc_sweep_names[i]) == length && strncmp(vd_kc_sweep_names[i], p, length) == 0)
        found = i;
    bool all = length == 3 && strncmp(p, "all", 3) == 0;
    if (found < 0 && !all)
      return complain("sweep", text, "there are travel, rack, grid, fx, fy, mz, fz and all");
    for (int i = 0; i < VD_KC_SWEEPS; i++)
      plan->sweep[i] |= all ? i != VD_KC_GRID : i == found;
    plan->optional |= all;
    p += length;
    if (*p == '\0')
      return true;
  }
}

/* Index of a word; -1 after a message. */
static int parse_word(const char *option, const char *text, const char *const *words, const char *what) {
  for (int i = 0; words[i]; i++)
    if (strcmp(text, words[i]) == 0)
      return i;
  complain(option, text, what);
  return -1;
}

static int close_stdout(int status) {
  if (ferror(stdout) || fflush(stdout) != 0) {
    if (errno != EPIPE)
      fprintf(stderr, "vdsim-kc-sweep: error: cannot write to standard output: %s\n", strerror(errno));
    return errno == EPIPE ? status : VD_EXIT_TROUBLE;
  }
  return status;
}

static int list(void (*lines)(vd_buf *out)) {
  vd_buf text = {0};
  lines(&text);
  fwrite(text.text, 1, text.length, stdout);
  vd_buf_finish(&text);
  return close_stdout(VD_EXIT_YES);
}

static bool set_operand(settings *s, const char *path) {
  if (s->path) {
    fprintf(stderr, "vdsim-kc-sweep: error: one suspension at a time, not '%s' and '%s'; see --help\n", s->path, path);
    return false;
  }
  s->path = path;
  return true;
}

static bool set_mode(const char *text, vd_kc_plan *plan) {
  static const char *const modes[] = {"parallel", "opposite", NULL};
  int word = parse_word("mode", text, modes, "there are parallel and opposite");
  plan->motion = word == 1 ? VD_OPPOSITE : VD_PARALLEL;
  return word >= 0;
}

static bool set_side(const char *text, vd_kc_plan *plan) {
  static const char *const sides[] = {"left", "right", "both", NULL};
  int word = parse_word("side", text, sides, "there are left, right and both");
  plan->side = word == 1 ? VD_KC_RIGHT : word == 2 ? VD_KC_BOTH : VD_KC_LEFT;
  return word >= 0;
}

/* At the design position, left, parallel: metrics take the rack's range and the load alone. */
static bool of_curves_alone(const settings *s, enum option id) {
  switch (id) {
  case OPT_SWEEP:
  case OPT_TRAVEL:
  case OPT_FX:
  case OPT_FY:
  case OPT_MZ:
  case OPT_MODE:
  case OPT_SIDE:
  case OPT_PARTIAL: return true;
  case OPT_FZ: return s->plan.range[VD_KC_FZ].points > 0; /* loads swept */
  case OPT_RACK:
  case OPT_METRICS:
  case OPT_OUTPUT:
  case OPT_EXACT:
  case OPT_SET:
  case OPT_CHECK:
  case OPT_RESOLVED:
  case OPT_GRAPH:
  case OPT_LIST_COLUMNS:
  case OPT_LIST_KEYS:
  case OPT_QUIET:
  case OPT_VERBOSE:
  case OPT_HELP:
  case OPT_VERSION: break;
  }
  return false;
}

static void note_curves(settings *s, enum option id) {
  for (size_t i = 0; i < VD_COUNT(table) && of_curves_alone(s, id); i++)
    if (table[i].id == (int)id)
      s->curves = table[i].name;
}

/* Exit status, or -1 to go on. */
static int parse(settings *s, int argc, char **argv) {
  vd_kc_plan *plan = &s->plan;
  vd_opt_state state;
  bool ok = true;
  int id;
  vd_opt_start(&state, argc, argv);
  while (ok && (id = vd_opt_next(&state, table, VD_COUNT(table))) != VD_OPT_END) {
    if (id == VD_OPT_ERROR)
      return VD_EXIT_TROUBLE;
    if (id == VD_OPT_OPERAND) {
      ok = set_operand(s, state.value);
      continue;
    }
    switch ((enum option)id) {
    case OPT_SWEEP: ok = parse_sweeps(state.value, plan); break;
    case OPT_TRAVEL: ok = parse_range("travel", state.value, 1e-3, &plan->range[VD_KC_TRAVEL]); break;
    case OPT_RACK: ok = parse_range("rack", state.value, 1e-3, &plan->range[VD_KC_RACK]); break;
    case OPT_FX: ok = parse_range("fx", state.value, 1.0, &plan->range[VD_KC_FX]); break;
    case OPT_FY: ok = parse_range("fy", state.value, 1.0, &plan->range[VD_KC_FY]); break;
    case OPT_MZ: ok = parse_range("mz", state.value, 1.0, &plan->range[VD_KC_MZ]); break;
    case OPT_FZ: ok = parse_load(state.value, plan); break;
    case OPT_MODE: ok = set_mode(state.value, plan); break;
    case OPT_SIDE: ok = set_side(state.value, plan); break;
    case OPT_PARTIAL: plan->partial = true; break;
    case OPT_METRICS: s->metrics = true; break;
    case OPT_OUTPUT: s->output = state.value; break;
    case OPT_EXACT: plan->digits = VD_DIGITS_17; break;
    case OPT_SET: s->set[s->set_count++] = (vd_setting){.text = state.value}; break;
    case OPT_CHECK: s->check = true; break;
    case OPT_RESOLVED: s->resolved = true; break;
    case OPT_GRAPH: s->graph = true; break;
    case OPT_LIST_COLUMNS: return list(vd_kc_columns_list);
    case OPT_LIST_KEYS: return list(vd_corner_list);
    case OPT_QUIET: s->quiet = true; break;
    case OPT_VERBOSE: s->verbose = true; break;
    case OPT_HELP: help(stdout); return close_stdout(VD_EXIT_YES);
    case OPT_VERSION: puts("vdsim-kc-sweep " VDSIM_VERSION); return close_stdout(VD_EXIT_YES);
    }
    note_curves(s, (enum option)id);
  }
  return ok ? -1 : VD_EXIT_TROUBLE;
}

static bool usage_ok(const settings *s) {
  const char *problem = NULL;
  if (!s->path)
    problem = "no suspension given";
  else if (s->check + s->resolved + s->graph + s->metrics > 1)
    problem = "--check, --resolved, --graph and --metrics exclude each other";
  if (problem)
    fprintf(stderr, "vdsim-kc-sweep: error: %s; see --help\n", problem);
  else if (s->metrics && s->curves)
    fprintf(stderr,
            "vdsim-kc-sweep: error: '--%s' is for curves; --metrics takes --rack and one load as --fz; see --help\n",
            s->curves);
  return !problem && !(s->metrics && s->curves);
}

static int write_text(const char *path, const vd_buf *text) {
  vd_output *o = vd_output_open(path);
  int error = o ? 0 : errno;
  if (o) {
    vd_output_bytes(o, text->text, text->length);
    error = vd_output_commit(o, NULL);
  }
  if (error == 0 || error == EPIPE)
    return VD_EXIT_YES;
  fprintf(stderr, "vdsim-kc-sweep: error: cannot write '%s': %s\n", path, strerror(error));
  return VD_EXIT_TROUBLE;
}

static const char *name_of(const char *path) {
  return strcmp(path, "-") == 0 ? "<stdin>" : path;
}

/* One line of the report after the other. */
static void say(const char *path, const char *severity, const vd_buf *messages) {
  for (const char *p = messages->text; p && *p; p += strspn(p, "\n")) {
    int length = (int)strcspn(p, "\n");
    fprintf(stderr, "%s: %s: %.*s\n", name_of(path), severity, length, p);
    p += length;
  }
}

static int sweep(const settings *s, const vd_corner *corner) {
  vd_buf out = {0};
  vd_kc_report report;
  bool complete = s->metrics ? vd_kc_metrics_write(corner, &s->plan, &out, &report)
                             : vd_kc_sweep_write(corner, &s->plan, &out, &report);
  bool kept = complete || (s->plan.partial && report.missing > 0);
  if (!kept || !s->quiet)
    say(s->path, kept ? "warning" : "error", &report.messages);
  int status = kept ? write_text(s->output ? s->output : "-", &out) : VD_EXIT_TROUBLE;
  if (status == VD_EXIT_YES && !complete)
    status = VD_EXIT_NO;
  if (s->verbose && kept && !s->metrics)
    fprintf(stderr, "%s: %ld rows, %ld left out\n", name_of(s->path), report.rows, report.missing);
  vd_buf_finish(&report.messages);
  vd_buf_finish(&out);
  return status;
}

static int run(const settings *s) {
  vd_arena *arena = vd_arena_create();
  vd_diag *diag = vd_diag_create();
  vd_buf text = {0};
  vd_corner corner;
  int status = VD_EXIT_TROUBLE;
  bool read = vd_corner_read(s->path, s->set, s->set_count, arena, diag, &corner, s->resolved ? &text : NULL);
  vd_diag_print(diag, stderr, isatty(STDERR_FILENO) && !getenv("NO_COLOR"));
  if (read && s->graph)
    vd_corner_graph(&corner, &text);
  if (read && s->check)
    status = VD_EXIT_YES;
  else if (read && (s->resolved || s->graph))
    status = write_text(s->output ? s->output : "-", &text);
  else if (read)
    status = sweep(s, &corner);
  vd_buf_finish(&text);
  vd_diag_destroy(diag);
  vd_arena_destroy(arena);
  return status;
}

int main(int argc, char **argv) {
  signal(SIGPIPE, SIG_IGN);
  settings s = {.plan = vd_kc_plan_default(), .set = calloc((size_t)argc + 1, sizeof *s.set)};
  if (!s.set)
    abort();
  int status = parse(&s, argc, argv);
  if (status < 0)
    status = usage_ok(&s) ? run(&s) : VD_EXIT_TROUBLE;
  free(s.set);
  return status;
}
