#include "replace.h"

#include "html.h"
#include "tool.h"

#include "base/base.h"
#include "base/system.h"

#include <stdio.h>
#include <string.h>

enum { START = 4096 }; /* number of bytes at the beginning of a file that are compared with the patterns */

static bool force;
static const vd_diag *inputs;
static vd_diag *setting_files; /* files read by --set @FILE; NULL: none */

void vd_tool_force(void) {
  force = true;
}

void vd_tool_inputs(const vd_diag *d) {
  inputs = d;
}

vd_diag *vd_tool_setting_files(void) {
  setting_files = setting_files ? setting_files : vd_diag_create();
  return setting_files;
}

/* --- the first lines of results --- */

/* Patterns of the beginning of a result; any text may follow. A log is recognised by the first channels of a log
 * without chosen channels, or by the provenance beside it. A file of a user's measurements may begin with single
 * columns of the same names. */
static const char *const starts[] = {
    "t_s,x_m,y_m,z_m,roll_rad,pitch_rad,yaw_rad,vx_mps,",      /* logs of vehicles */
    "t_s,x_m,y_m,z_m,vx_mps,vy_mps,vz_mps,forward_mps,",       /* logs of track cars */
    "fz_N,pressure_Pa,camber_rad,vx_mps,curvature_1pm,kappa,", /* logs of tyre rigs */
    "case,status,",                                            /* tables of studies */
    "case,time_s\n",                                           /* computing times of studies */
    "metric,value,unit",                                       /* metrics */
    "frequency_Hz,*_gain,*_phase_deg",                         /* frequency responses */
    "part,row,column,value\n",                                 /* linear models */
    "level: L[0-9]\nt: *\nstates:",                            /* linear models in YAML */
    "{\"provenance\": {\"tool\": \"vdsim-",                    /* results as JSON */
    VD_HTML_START,                                             /* pages */
    "sweep,travel_mm,rack_mm,fx_N,fy_N,fz_N,mz_Nm,",           /* curves and forces of suspensions */
    "metric,point,axis,derivative,unit\n",                     /* sensitivities of suspensions */
    /* compliance matrices of suspensions */
    "motion,fx_left_N,fy_left_N,fz_left_N,",
    /* compliance factors of suspensions */
    "factor,in_phase,opposed,left,right,unit,hold\n",
    /* inverse dynamics of suspensions */
    "t_s,travel_mm,rack_mm,travel_rate_mps,rack_rate_mps,travel_accel_mps2",
    "type: *\nbodies:",                                                            /* graphs of suspensions */
    "metric,reference,candidate,deviation,allowed,unit,verdict\n",                 /* comparisons */
    "1..[0-9]*\n*ok 1 - *, reference *, deviation ",                               /* comparisons as TAP */
    "name,x,y,z\nhp[lrs]_",                                                        /* hardpoint lists */
    "1..[0-9]*\n*ok 1 - */[0-9]",                                                  /* verdicts as TAP */
    "*.yaml: *\n  ok    ",                                                         /* verdicts as text */
    "*.yaml: *\n  FAIL  ", "*.yaml: *\n  known ", "claim,file,line,kind,verdict,", /* verdicts as CSV */
    "<[?]xml version=\"1.0\" encoding=\"UTF-8\"[?]>\n<testsuites name=\"vdsim-",   /* verdicts as JUnit */
    "*/[0-9]*\t*\t*\t*:[0-9]*\t",                                                  /* lists of claims */
    "[[]\n  {\"name\": \"*/[0-9]*\", \"kind\": \"*\", \"evidence\": ",             /* lists of claims as JSON */
};

/* Reads the first bytes of a file, and adds a NUL. */
static size_t read_start(const char *path, char start[START + 1]) {
  size_t got = 0;
  FILE *f = fopen(path, "rb");
  if (f) {
    got = fread(start, 1, START, f);
    fclose(f);
  }
  start[got] = '\0';
  return got;
}

static bool is_result(const char *start) {
  bool known = false;
  for (size_t i = 0; i < VD_COUNT(starts) && !known; i++) {
    char pattern[256];
    snprintf(pattern, sizeof pattern, "%s*", starts[i]);
    known = fnmatch(pattern, start, 0) == 0;
  }
  return known;
}

bool vd_tool_begins(const char *path, const char *words) {
  char start[START + 1];
  read_start(path, start);
  return strncmp(start, words, strlen(words)) == 0;
}

/* --- may a file be replaced --- */

/* Whether the path names a regular file that is not empty. */
static bool has_content(const char *path) {
  struct stat s;
  return !vd_tool_is_stdout(path) && stat(path, &s) == 0 && S_ISREG(s.st_mode) && s.st_size > 0;
}

/* Whether a file is not a noted input; false after a message. */
static bool is_no_input(const char *path) {
  struct stat s;
  bool found = vd_tool_is_stdout(path) ? fstat(STDOUT_FILENO, &s) == 0 : stat(path, &s) == 0;
  if (!found || !S_ISREG(s.st_mode))
    return true;
  const vd_file_id id = {(unsigned long long)s.st_dev, (unsigned long long)s.st_ino};
  const char *input = inputs ? vd_diag_find_file(inputs, id) : NULL;
  const char *name = vd_tool_is_stdout(path) ? "<stdout>" : path;
  if (!input && setting_files)
    input = vd_diag_find_file(setting_files, id);
  if (input && strcmp(input, name) == 0)
    return vd_tool_error("'%s' is an input of this run: no output may replace it", name);
  return !input || vd_tool_error("'%s' is the file '%s', an input of this run: no output may replace it", name, input);
}

bool vd_tool_may_replace(const char *path, bool ours) {
  if (!is_no_input(path))
    return false;
  return ours || force || !has_content(path) ||
         vd_tool_error(
             "'%s' is not a file of these programs and is not replaced: move it, name another output, or use --force",
             path);
}

bool vd_tool_may_write(const char *path, enum vd_replaces what) {
  char start[START + 1];
  if (what == VD_REPLACES_OURS && !force && has_content(path)) {
    read_start(path, start);
    return vd_tool_may_replace(path, is_result(start));
  }
  if (!is_no_input(path))
    return false;
  return what != VD_REPLACES_NOTHING || force || !has_content(path) ||
         vd_tool_error("'%s' exists already and may contain manual entries: --force replaces it", path);
}

bool vd_tool_may_write_text(const char *path, const char *text, size_t length) {
  char start[START + 1];
  const char *end = length > 0 ? memchr(text, '\n', length) : NULL;
  size_t line = end ? (size_t)(end - text) + 1 : 0;
  if (line == 0 || line > START || !has_content(path))
    return vd_tool_may_write(path, VD_REPLACES_OURS);
  bool same = read_start(path, start) >= line && memcmp(start, text, line) == 0;
  return vd_tool_may_write(path, same ? VD_REPLACES_ALL : VD_REPLACES_OURS);
}
