/* vdsim-validate: which claims about the models hold, with figures. */
#include "opt.h"
#include "validate.h"

#include "base/num.h"
#include "input/table.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum option {
  OPT_OUTPUT,
  OPT_TAP,
  OPT_JUNIT,
  OPT_CSV,
  OPT_REPORT,
  OPT_JOBS,
  OPT_FILTER,
  OPT_SCALE,
  OPT_LIST,
  OPT_LIST_KEYS,
  OPT_AGAINST,
  OPT_TOLERANCES,
  OPT_SET,
  OPT_BASELINES,
  OPT_QUIET,
  OPT_VERBOSE,
  OPT_HELP,
  OPT_VERSION,
};

static const vd_opt table[] = {
    {'o', "output", "FILE|-", "where the table, the list or TAP goes (default: standard output)", OPT_OUTPUT},
    {0, "tap", NULL, "Test Anything Protocol instead of the table", OPT_TAP},
    {0, "junit", "FILE|-", "JUnit XML too", OPT_JUNIT},
    {0, "csv", "FILE|-", "all figures as CSV too", OPT_CSV},
    {0, "report", "DIR", "pages with all figures and pictures too: DIR/index.html", OPT_REPORT},
    {'j', "jobs", "N", "runs at a time (default: one per processor); the output is the same for any", OPT_JOBS},
    {0, "filter", "GLOB", "only claims whose \"file/number sentence\" fits", OPT_FILTER},
    {0, "scale", "S", "factor on all tolerances; 0 shows every residual", OPT_SCALE},
    {0, "list", NULL, "print the claims, run nothing", OPT_LIST},
    {0, "list-keys", NULL, "print key, type, unit, range, default and meaning of each key", OPT_LIST_KEYS},
    {0, "against", "REFERENCE.csv", "compare a run of SCENARIO.yaml with a time history (ISO 19364)", OPT_AGAINST},
    {0, "tolerances", "FILE", "tolerances for --against", OPT_TOLERANCES},
    {0, "set", "KEY=VALUE", "override a field of the scenario of --against", OPT_SET},
    {0, "write-baselines", "DIR", "write what baselines would be now into DIR, judge nothing", OPT_BASELINES},
    {'q', "quiet", NULL, "only what fails", OPT_QUIET},
    {'v', "verbose", NULL, "figures of what holds, too", OPT_VERBOSE},
    {'h', "help", NULL, "print this help", OPT_HELP},
    {0, "version", NULL, "print the version", OPT_VERSION},
};

static void help(FILE *to) {
  fputs("vdsim-validate tells which claims about the models hold: claims with their sources stand in validation "
        "files.\n\n"
        "usage: vdsim-validate [options] [FILE|DIR ...]\n"
        "       vdsim-validate --against REFERENCE.csv --tolerances FILE [--set KEY=VALUE] SCENARIO.yaml\n\n"
        "Without a file all *.yaml of validation/ are read.\n\n"
        "  $ vdsim-validate -v --filter 'single_track/*'\n\n",
        to);
  vd_opt_help(to, table, VD_COUNT(table));
  fputs("\nExit status: 0 all claims hold, 1 some fail, 2 trouble. See vdsim-validate(1), vdsim-validation(5).\n", to);
}

static bool complain(const char *option, const char *value, const char *need) {
  fprintf(stderr, "vdsim-validate: error: '%s %s': %s\n", option, value, need);
  return false;
}

static bool parse_jobs(const char *text, int *jobs) {
  char *end;
  long n = strtol(text, &end, 10);
  if (end == text || *end != '\0' || n < 1 || n > 1024)
    return complain("-j", text, "a number from 1 to 1024 is needed");
  *jobs = (int)n;
  return true;
}

static bool parse_scale(const char *text, double *scale) {
  size_t used;
  if (!vd_num_parse(text, strlen(text), scale, &used) || text[used] != '\0' || !(*scale >= 0.0))
    return complain("--scale", text, "a number of at least 0 is needed");
  return true;
}

static int close_stdout(void) {
  if (ferror(stdout) || fflush(stdout) != 0)
    return errno == EPIPE ? VD_EXIT_YES : VD_EXIT_TROUBLE;
  return VD_EXIT_YES;
}

static int list_keys(void) {
  vd_buf text = {0};
  vd_schema_list(&vd_validation_schema, "", &text);
  fwrite(text.text, 1, text.length, stdout);
  vd_buf_finish(&text);
  return close_stdout();
}

/* Exit status, or -1 to go on. */
static int parse(vd_validate_settings *s, int argc, char **argv) {
  vd_opt_state state;
  int id;
  vd_opt_start(&state, argc, argv);
  while ((id = vd_opt_next(&state, table, VD_COUNT(table))) != VD_OPT_END) {
    bool good = true;
    const char *value = state.value;
    if (id == VD_OPT_ERROR)
      return VD_EXIT_TROUBLE;
    if (id == VD_OPT_OPERAND) {
      s->operand[s->operands++] = argv[state.next - 1];
      continue;
    }
    switch ((enum option)id) {
    case OPT_OUTPUT: s->output = value; break;
    case OPT_TAP: s->tap = true; break;
    case OPT_JUNIT: s->junit = value; break;
    case OPT_CSV: s->csv = value; break;
    case OPT_REPORT: s->report = value; break;
    case OPT_JOBS: good = parse_jobs(value, &s->jobs); break;
    case OPT_FILTER: s->filter = value; break;
    case OPT_SCALE: good = parse_scale(value, &s->scale); break;
    case OPT_LIST: s->list = true; break;
    case OPT_LIST_KEYS: return list_keys();
    case OPT_AGAINST: s->against = value; break;
    case OPT_TOLERANCES: s->tolerances = value; break;
    case OPT_SET: s->set[s->set_count++].text = value; break;
    case OPT_BASELINES: s->baselines = value; break;
    case OPT_QUIET: s->quiet = true; break;
    case OPT_VERBOSE: s->verbose = true; break;
    case OPT_HELP: help(stdout); return close_stdout();
    case OPT_VERSION: puts("vdsim-validate " VDSIM_VERSION); return close_stdout();
    }
    if (!good)
      return VD_EXIT_TROUBLE;
  }
  return -1;
}

static bool is_stdout(const char *path) {
  return path && strcmp(path, "-") == 0;
}

static const char *main_output(const vd_validate_settings *s) {
  return s->output ? s->output : "-";
}

static bool usage_ok(const vd_validate_settings *s) {
  const char *problem = NULL;
  if (s->against && !s->tolerances)
    problem = "--against needs --tolerances";
  else if (s->against && s->operands != 1)
    problem = "--against needs one scenario";
  else if (!s->against && (s->tolerances || s->set_count > 0))
    problem = "--tolerances and --set are for --against";
  else if (s->against && s->baselines)
    problem = "--against and --write-baselines exclude each other";
  else if (s->report && s->baselines)
    problem = "--report and --write-baselines exclude each other";
  else if ((s->tap && is_stdout(main_output(s))) + is_stdout(s->junit) + is_stdout(s->csv) > 1)
    problem = "only one of --tap, --junit - and --csv - can go to standard output";
  else if (s->output && s->baselines)
    problem = "--output and --write-baselines exclude each other";
  if (problem)
    fprintf(stderr, "vdsim-validate: error: %s; see --help\n", problem);
  return !problem;
}

/* --- files --- */

static int is_yaml(const struct dirent *e) {
  size_t length = strlen(e->d_name);
  return e->d_name[0] != '.' && length > 5 && strcmp(e->d_name + length - 5, ".yaml") == 0;
}

static int by_name(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

/* All *.yaml of a folder, by name; false after a message. */
static bool read_folder(const vd_validate_settings *s, const char *folder, vd_arena *arena, vd_diag *d,
                        vd_claims *out) {
  struct dirent **entry;
  int count = scandir(folder, &entry, is_yaml, by_name);
  size_t length = strlen(folder);
  if (count <= 0)
    fprintf(stderr, "vdsim-validate: error: %s '%s'%s%s\n", count < 0 ? "cannot read folder" : "no validation files in",
            folder, count < 0 ? ": " : "", count < 0 ? strerror(errno) : "");
  bool good = count > 0;
  for (int i = 0; i < count; i++) {
    vd_buf path = {0};
    vd_buf_printf(&path, "%s%s%s", folder, length > 0 && folder[length - 1] == '/' ? "" : "/", entry[i]->d_name);
    good &= vd_claims_read(path.text, s->baselines != NULL, arena, d, out);
    vd_buf_finish(&path);
    free(entry[i]);
  }
  if (count >= 0)
    free(entry);
  return good;
}

static bool read_all(const vd_validate_settings *s, vd_arena *arena, vd_diag *d, vd_claims *out) {
  char standard[] = "validation", *fallback[] = {standard};
  char **operand = s->operands > 0 ? s->operand : fallback;
  size_t count = s->operands > 0 ? s->operands : 1;
  bool good = true;
  if (s->against)
    return vd_claims_against(s->against, s->operand[0], s->set, s->set_count, s->tolerances, arena, d, out);
  for (size_t i = 0; i < count; i++) {
    struct stat info;
    if (stat(operand[i], &info) == 0 && S_ISDIR(info.st_mode))
      good &= read_folder(s, operand[i], arena, d, out);
    else
      good &= vd_claims_read(operand[i], s->baselines != NULL, arena, d, out);
  }
  return good;
}

static bool is_meant(const vd_validate_settings *s, const vd_claim *c) {
  if (s->baselines && c->def->kind != VD_CLAIM_BASELINE)
    return false;
  if (!s->filter)
    return true;
  vd_buf text = {0};
  vd_buf_printf(&text, "%s %s", c->name, c->def->claim);
  bool fits = fnmatch(s->filter, text.text, 0) == 0 || fnmatch(s->filter, c->name, 0) == 0;
  vd_buf_finish(&text);
  return fits;
}

static bool choose(const vd_validate_settings *s, vd_claims *claims) {
  size_t kept = 0;
  for (size_t i = 0; i < claims->count; i++)
    if (is_meant(s, &claims->claim[i]))
      claims->claim[kept++] = claims->claim[i];
  claims->count = kept;
  if (kept > 0)
    return true;
  if (s->filter)
    fprintf(stderr, "vdsim-validate: error: no claim fits '%s'\n", s->filter);
  else
    fputs("vdsim-validate: error: there is no claim\n", stderr);
  return false;
}

/* --- output --- */

static int write_text(const char *path, const vd_buf *text) {
  vd_output *o = vd_output_open(path);
  int error = errno;
  if (o) {
    vd_output_bytes(o, text->text, text->length);
    error = vd_output_commit(o, NULL);
  }
  if (!o || (error && error != EPIPE)) {
    fprintf(stderr, "vdsim-validate: error: cannot write '%s': %s\n", path, strerror(error));
    return VD_EXIT_TROUBLE;
  }
  return VD_EXIT_YES;
}

/* For people: in colours on a terminal, into a file as it is. */
static int write_words(const vd_validate_settings *s, const vd_validation *v) {
  bool to_stdout = is_stdout(main_output(s));
  vd_buf text = {0};
  FILE *to = to_stdout ? stdout : open_memstream(&text.text, &text.length);
  if (!to)
    abort();
  if (s->list)
    vd_validate_list(v, to);
  else
    vd_validate_table(v, s, to_stdout && isatty(STDOUT_FILENO) && !getenv("NO_COLOR"), to);
  if (to_stdout)
    return close_stdout();
  fclose(to);
  int status = write_text(s->output, &text);
  free(text.text);
  return status;
}

static int report(const vd_validate_settings *s, const vd_validation *v) {
  static const struct {
    void (*make)(const vd_validation *v, vd_buf *out);
  } maker[] = {{vd_validate_tap}, {vd_validate_junit}, {vd_validate_csv}};
  const char *const path[] = {s->tap ? main_output(s) : NULL, s->junit, s->csv};
  int status = VD_EXIT_YES;
  bool taken = s->tap;
  for (size_t i = 0; i < VD_COUNT(maker); i++) {
    vd_buf text = {0};
    if (!path[i])
      continue;
    taken |= is_stdout(path[i]) && is_stdout(main_output(s));
    maker[i].make(v, &text);
    if (write_text(path[i], &text) != VD_EXIT_YES)
      status = VD_EXIT_TROUBLE;
    vd_buf_finish(&text);
  }
  if (s->report && !vd_validate_html(v, s))
    status = VD_EXIT_TROUBLE;
  if (!taken && write_words(s, v) != VD_EXIT_YES)
    status = VD_EXIT_TROUBLE;
  return status;
}

static int judge(const vd_validate_settings *s, vd_validation *v) {
  v->finding = calloc(v->claims.count, sizeof *v->finding);
  if (!v->finding)
    abort();
  int status = vd_validate_work(s, v);
  if (!s->baselines) {
    vd_validate_counts n = vd_validate_count(v);
    int told = report(s, v);
    status = told > status ? told : status;
    if (status == VD_EXIT_YES && n.of[VD_FAILS] + n.of[VD_SURPRISE] > 0)
      status = VD_EXIT_NO;
  }
  for (size_t i = 0; i < v->claims.count; i++)
    vd_finding_finish(&v->finding[i]);
  free(v->finding);
  return status;
}

static int validate(const vd_validate_settings *s) {
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  vd_validation v = {.d = d};
  bool good = read_all(s, arena, d, &v.claims);
  vd_diag_print(d, stderr, isatty(STDERR_FILENO) && !getenv("NO_COLOR"));
  int status = VD_EXIT_TROUBLE;
  if (good && choose(s, &v.claims)) {
    if (s->list) {
      status = write_words(s, &v);
    } else if (!s->report || vd_validate_html_prepare(s->report)) {
      status = judge(s, &v);
    }
  }
  free(v.claims.claim);
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
  return status;
}

int main(int argc, char **argv) {
  signal(SIGPIPE, SIG_IGN);
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  vd_validate_settings s = {.scale = 1.0, .jobs = processors > 1 ? (int)processors : 1};
  s.operand = calloc((size_t)argc + 1, sizeof *s.operand);
  s.set = calloc((size_t)argc + 1, sizeof *s.set);
  if (!s.operand || !s.set)
    abort();
  int status = parse(&s, argc, argv);
  if (status < 0)
    status = usage_ok(&s) ? validate(&s) : VD_EXIT_TROUBLE;
  free(s.operand);
  free(s.set);
  return status;
}
