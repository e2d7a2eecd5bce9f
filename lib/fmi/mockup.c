#include "fmi/mockup.h"

#include "base/num.h"
#include "base/system.h"
#include "base/text.h"
#include "fmi/lone_controller.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Importers add up their steps, so that a time may differ from an instant of the grid by rounding. A time that differs
 * by less than this share of a step is taken as this instant. */
static const double snap = 1e-6;

/* s: the duration of a run without a stop time, long enough for any number of steps, and the longest duration that a
 * scenario can have. */
static const double endless = 1e5, longest = 1e6;

enum vd_mockup_status vd_mockup_say(vd_mockup *u, enum vd_mockup_status status, const char *format, ...) {
  char text[2000];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (u->log)
    u->log(u->context, status, text);
  return status;
}

const char *const vd_mockup_categories[4] = {[VD_MOCKUP_GOOD] = "logEvents",
                                             [VD_MOCKUP_WARNED] = "logStatusWarning",
                                             [VD_MOCKUP_OVER] = "logStatusDiscard",
                                             [VD_MOCKUP_ERROR] = "logStatusError"};

bool vd_mockup_log_categories(unsigned *set, bool on, size_t count, const char *const *category) {
  bool good = true;
  if (count == 0)
    *set = on ? ~0u : 0u;
  for (size_t i = 0; i < count; i++) {
    unsigned found = category[i] && strcmp(category[i], "logAll") == 0 ? ~0u : 0u;
    for (unsigned k = 0; k < 4; k++)
      found |= category[i] && strcmp(category[i], vd_mockup_categories[k]) == 0 ? 1u << k : 0u;
    *set = on ? *set | found : *set & ~found;
    good &= found != 0u;
  }
  return good;
}

/* ---- resources ---- */

char *vd_mockup_copy(const char *text) {
  char *copy = malloc(strlen(text) + 1);
  return copy ? strcpy(copy, text) : NULL;
}

char *vd_mockup_folder(const char *uri) {
  static const char scheme[] = "file:";
  size_t length = strlen(uri), at = 0, n = 0;
  while (scheme[at] && tolower((unsigned char)uri[at]) == scheme[at])
    at++;
  char *path = scheme[at] ? vd_mockup_copy(uri) : malloc(length + 1);
  if (!path || scheme[at])
    return path;
  if (strncmp(uri + at, "//", 2) == 0) { /* the path follows an authority, which is empty or this machine */
    at += 2;
    at += strncmp(uri + at, "localhost", 9) == 0 ? 9u : 0u;
  }
  while (at < length) {
    unsigned code;
    if (uri[at] == '%' && isxdigit((unsigned char)uri[at + 1]) && isxdigit((unsigned char)uri[at + 2]) &&
        sscanf(uri + at + 1, "%2x", &code) == 1) {
      path[n++] = (char)code;
      at += 3;
    } else {
      path[n++] = uri[at++];
    }
  }
  path[n] = '\0';
  if (n > 0 && vd_path_is_absolute(path + 1)) /* /C:/unit */
    memmove(path, path + 1, n);
  return path;
}

/* Reads a variable from one line of variables.txt; false: the line does not describe a variable, or memory has run
 * out. */
static bool read_variable(const char *line, vd_mockup_variable *v) {
  static const char *const word[] = {[VD_MOCKUP_OUTPUT] = "output",
                                     [VD_MOCKUP_INPUT] = "input",
                                     [VD_MOCKUP_PARAMETER] = "parameter",
                                     [VD_MOCKUP_SENSOR] = "sensor",
                                     [VD_MOCKUP_REQUEST] = "request"};
  char kind[16], name[256], number[64] = "0";
  if (sscanf(line, "%15s %255s %63s", kind, name, number) < 2)
    return false;
  for (enum vd_mockup_kind k = VD_MOCKUP_OUTPUT; k <= VD_MOCKUP_REQUEST; k++)
    if (strcmp(kind, word[k]) == 0)
      v->kind = k;
  size_t used;
  if (!vd_num_parse(number, strlen(number), &v->start, &used)) /* does not depend on the locale of the importer */
    return false;
  v->value = v->start;
  v->name = v->kind != VD_MOCKUP_TIME ? vd_mockup_copy(name) : NULL;
  return v->name;
}

/* Reads variables.txt: the first line has the token and, for a controller without its car, the kind; each further line
 * has one variable. Their references are 1, 2, 3 and so on, in the order of the lines. */
static bool read_variables(vd_mockup *u, FILE *file) {
  char line[512];
  size_t room = 1;
  if (!fgets(line, sizeof line, file) || sscanf(line, "token %32s %31s", u->token, u->kind) < 1)
    return false;
  u->variables = 1; /* the time */
  u->variable = calloc(room, sizeof *u->variable);
  while (u->variable && fgets(line, sizeof line, file)) {
    if (u->variables == room) {
      vd_mockup_variable *more = realloc(u->variable, 2 * (room + 16) * sizeof *more);
      if (!more)
        return false;
      room = 2 * (room + 16);
      u->variable = more;
    }
    vd_mockup_variable *v = &u->variable[u->variables];
    *v = (vd_mockup_variable){.kind = VD_MOCKUP_TIME};
    if (!read_variable(line, v))
      return false;
    u->variables++;
  }
  u->sensed = calloc(u->variables, sizeof *u->sensed);
  return u->variable && u->sensed;
}

static void drop_run(vd_mockup *u) {
  vd_run_free(u->run);
  u->run = NULL;
}

/* Lists the settings of the unit's run: parameters and duration. Further settings remove the metrics, whose record
 * would limit the duration, and the keys that use metrics. Returns the number of settings; each text is allocated. */
static size_t list_settings(const vd_mockup *u, char **setting) {
  size_t count = 0;
  for (size_t i = 1; i < u->variables; i++) {
    const vd_mockup_variable *v = &u->variable[i];
    char number[VD_NUM_MAX];
    size_t size = strlen(v->name ? v->name : "") + 1 + VD_NUM_MAX;
    if (v->kind != VD_MOCKUP_PARAMETER || memcmp(&v->value, &v->start, sizeof v->value) == 0)
      continue;
    vd_num_print_shortest(v->value, number); /* with a decimal point in any locale of the importer */
    setting[count] = malloc(size);
    if (setting[count])
      snprintf(setting[count++], size, "%s=%s", v->name, number);
  }
  static const char *const none[] = {"metrics=[]", "conditions=[]", "search=null", "response=null"};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    setting[count] = vd_mockup_copy(none[i]);
    count += setting[count] != NULL;
  }
  double span = isnan(u->stop) ? endless : u->stop - u->start;
  span = span < longest ? span : longest;
  setting[count] = span > u->duration && u->phase != VD_MOCKUP_INSTANTIATED ? malloc(64) : NULL;
  char number[VD_NUM_MAX];
  vd_num_print_shortest(span, number);
  if (setting[count])
    snprintf(setting[count++], 64, "run.duration=%s", number);
  return count;
}

/* Finds the index of a variable in the library. `sensor' and `request' count the sensors and requests that were found
 * so far. */
static enum vd_mockup_status find_meaning(vd_mockup *u, vd_mockup_variable *v, size_t *sensor, size_t *request) {
  switch (v->kind) {
  case VD_MOCKUP_OUTPUT: v->index = vd_channel_find(u->of, v->name); break;
  case VD_MOCKUP_INPUT: v->index = vd_input_find(v->name); break;
  case VD_MOCKUP_SENSOR: v->index = (*sensor)++; break;
  case VD_MOCKUP_REQUEST: v->index = (*request)++; break;
  case VD_MOCKUP_TIME:
  case VD_MOCKUP_PARAMETER: break;
  }
  if (v->index != VD_NONE)
    return VD_MOCKUP_GOOD;
  return vd_mockup_say(u, VD_MOCKUP_ERROR, "the library has no %s '%s'",
                       v->kind == VD_MOCKUP_OUTPUT ? "channel" : "input", v->name);
}

/* Finds the controller of a unit that has no car. sensors, requests: their numbers in the description. */
static enum vd_mockup_status find_controller(vd_mockup *u, size_t sensors, size_t requests) {
  u->controller = VD_NONE;
  if (*u->kind)
    u->controller = vd_lone_find(u->of, u->kind);
  const vd_controller_def *def = u->controller != VD_NONE ? vd_lone_def(u->of, u->controller) : NULL;
  if (def ? def->sensors.count == sensors && def->requests.count == requests : !*u->kind && sensors + requests == 0)
    return VD_MOCKUP_GOOD;
  return vd_mockup_say(u, VD_MOCKUP_ERROR, "the scenario has no controller '%s' with %zu sensors and %zu requests",
                       u->kind, sensors, requests);
}

/* Reads the scenario with the present parameters. */
static enum vd_mockup_status load(vd_mockup *u) {
  char **setting = calloc(u->variables + 5, sizeof *setting);
  if (!setting)
    return vd_mockup_say(u, VD_MOCKUP_ERROR, "out of memory");
  vd_case *of;
  size_t count = list_settings(u, setting);
  drop_run(u);
  vd_status status = vd_load_file(u->scenario, (const char *const *)setting, count, &of);
  for (size_t i = 0; i < count; i++)
    free(setting[i]);
  free(setting);
  if (status != VD_OK) { /* the previous case remains, for the ranges of inputs */
    vd_mockup_say(u, VD_MOCKUP_ERROR, "%s", of ? vd_messages_text(of) : vd_status_text(status));
    vd_case_free(of);
    return VD_MOCKUP_ERROR;
  }
  vd_case_free(u->of);
  u->of = of;
  size_t sensors = 0, requests = 0;
  for (size_t i = 1; i < u->variables; i++)
    if (find_meaning(u, &u->variable[i], &sensors, &requests) != VD_MOCKUP_GOOD)
      return VD_MOCKUP_ERROR;
  return find_controller(u, sensors, requests);
}

/* Builds the run at t = 0 with the present parameters, unless the run is built already. */
static enum vd_mockup_status build(vd_mockup *u) {
  if (u->run)
    return VD_MOCKUP_GOOD;
  enum vd_mockup_status loaded = load(u);
  if (loaded != VD_MOCKUP_GOOD)
    return loaded;
  vd_status status = vd_build(u->of, 0, &u->run);
  if (status == VD_FAILED) { /* a run that fails at its start is not kept */
    vd_mockup_say(u, VD_MOCKUP_ERROR, "%s", vd_run_failure(u->run));
    drop_run(u);
    return VD_MOCKUP_ERROR;
  }
  if (status != VD_OK && status != VD_OVER)
    return vd_mockup_say(u, VD_MOCKUP_ERROR, "%s", vd_status_text(status));
  u->time = 0.0;
  if (*u->kind && !vd_lone_start(u->run)) {
    vd_mockup_say(u, VD_MOCKUP_ERROR, "%s", vd_lone_failure(u->run));
    drop_run(u);
    return VD_MOCKUP_ERROR;
  }
  for (size_t i = 1; i < u->variables; i++)
    u->variable[i].pending = u->variable[i].commands;
  u->pending = true;
  return VD_MOCKUP_GOOD;
}

vd_mockup *vd_mockup_create(const char *resources, const char *token, vd_mockup_log *log, void *context) {
  vd_mockup *u = calloc(1, sizeof *u);
  size_t size = strlen(resources) + 32;
  char *path = malloc(size);
  bool good = u && path;
  if (!good) {
    free(u);
    free(path);
    return NULL;
  }
  *u = (vd_mockup){.log = log, .context = context, .stop = NAN};
  snprintf(path, size, "%s/variables.txt", resources);
  FILE *file = fopen(path, "r");
  good = file && read_variables(u, file);
  if (file)
    fclose(file);
  snprintf(path, size, "%s/scenario.yaml", resources);
  u->scenario = path;
  if (!good)
    vd_mockup_say(u, VD_MOCKUP_ERROR, "'%s/variables.txt' cannot be read", resources);
  else if (strcmp(token, u->token) != 0)
    vd_mockup_say(u, VD_MOCKUP_ERROR, "the resources belong to another unit: their token is %s, not %s", u->token,
                  token);
  if (good && strcmp(token, u->token) == 0 && load(u) == VD_MOCKUP_GOOD) {
    u->duration = vd_duration(u->of);
    return u;
  }
  vd_mockup_free(u);
  return NULL;
}

void vd_mockup_free(vd_mockup *u) {
  if (!u)
    return;
  drop_run(u);
  vd_case_free(u->of);
  for (size_t i = 0; i < u->variables; i++)
    free(u->variable[i].name);
  free(u->variable);
  free(u->sensed);
  free(u->scenario);
  free(u);
}

/* ---- values ---- */

bool vd_mockup_is_whole(const char *input) {
  return strcmp(input, "gear") == 0;
}

/* Returns the variable of a reference, or NULL after a message. */
static vd_mockup_variable *find(vd_mockup *u, uint32_t reference, bool whole) {
  vd_mockup_variable *v = reference < u->variables ? &u->variable[reference] : NULL;
  bool is_whole = v && v->kind == VD_MOCKUP_INPUT && vd_mockup_is_whole(v->name);
  if (v && is_whole == whole)
    return v;
  if (v)
    vd_mockup_say(u, VD_MOCKUP_ERROR, "variable %s is %s number", v->name ? v->name : "time",
                  whole ? "a real" : "a whole");
  else
    vd_mockup_say(u, VD_MOCKUP_ERROR, "there is no variable with the reference %lu", (unsigned long)reference);
  return NULL;
}

static enum vd_mockup_status set_input(vd_mockup *u, vd_mockup_variable *v, double value) {
  double lowest, highest;
  vd_input_range(u->of, v->index, &lowest, &highest);
  if (!(value >= lowest && value <= highest))
    return vd_mockup_say(u, VD_MOCKUP_ERROR, "input %s: %.9g is not in its range, %.9g to %.9g %s", v->name, value,
                         lowest, highest, vd_input_unit(v->index));
  v->pending |= value != v->value;
  v->commands |= v->pending;
  u->pending |= v->pending;
  v->value = value;
  return VD_MOCKUP_GOOD;
}

enum vd_mockup_status vd_mockup_set(vd_mockup *u, uint32_t reference, bool whole, double value) {
  vd_mockup_variable *v = find(u, reference, whole);
  if (!v)
    return VD_MOCKUP_ERROR;
  if (!isfinite(value))
    return vd_mockup_say(u, VD_MOCKUP_ERROR, "variable %s: a finite number is needed", v->name ? v->name : "time");
  switch (v->kind) {
  case VD_MOCKUP_INPUT: return set_input(u, v, value);
  case VD_MOCKUP_SENSOR: v->value = value; return VD_MOCKUP_GOOD;
  case VD_MOCKUP_PARAMETER:
    if (u->phase == VD_MOCKUP_INSTANTIATED || u->phase == VD_MOCKUP_INITIALISING) {
      if (value != v->value)
        /* the run is built again only after all parameters are set, because single ones may be invalid without the
         * others */
        drop_run(u);
      v->value = value;
      return VD_MOCKUP_GOOD;
    }
    return vd_mockup_say(u, VD_MOCKUP_ERROR, "parameter %s acts at the initialisation and cannot be set later",
                         v->name);
  case VD_MOCKUP_TIME:
  case VD_MOCKUP_REQUEST:
  case VD_MOCKUP_OUTPUT: break;
  }
  return vd_mockup_say(u, VD_MOCKUP_ERROR, "variable %s cannot be set", v->name ? v->name : "time");
}

/* Sets the inputs that have changed in the run. */
static enum vd_mockup_status command(vd_mockup *u) {
  if (!u->pending)
    return VD_MOCKUP_GOOD;
  u->pending = false;
  for (size_t i = 1; i < u->variables; i++) {
    vd_mockup_variable *v = &u->variable[i];
    if (!v->pending)
      continue;
    vd_status status = vd_set(u->run, v->index, v->value);
    v->pending = false;
    if (status != VD_OK && status != VD_OVER)
      return vd_mockup_say(u, VD_MOCKUP_ERROR, "input %s: %s", v->name, vd_status_text(status));
  }
  return VD_MOCKUP_GOOD;
}

enum vd_mockup_status vd_mockup_get(vd_mockup *u, uint32_t reference, bool whole, double *value) {
  const vd_mockup_variable *v = find(u, reference, whole);
  *value = NAN;
  if (!v)
    return VD_MOCKUP_ERROR;
  if (v->kind == VD_MOCKUP_TIME)
    *value = vd_mockup_time(u);
  else if (v->kind != VD_MOCKUP_OUTPUT && v->kind != VD_MOCKUP_REQUEST)
    *value = v->value;
  if (!isnan(*value))
    return VD_MOCKUP_GOOD;
  if (build(u) != VD_MOCKUP_GOOD || command(u) != VD_MOCKUP_GOOD)
    return VD_MOCKUP_ERROR;
  if (v->kind == VD_MOCKUP_REQUEST)
    *value = vd_lone_request(u->run, u->controller, v->index, u->time);
  else
    *value = vd_value(u->run, v->index);
  return isnan(*value)
             ? vd_mockup_say(u, VD_MOCKUP_ERROR, "output %s has no value: %s", v->name, vd_run_failure(u->run))
             : VD_MOCKUP_GOOD;
}

/* ---- phases and steps ---- */

enum vd_mockup_status vd_mockup_begin(vd_mockup *u, double start, double stop) {
  if (!isfinite(start) || stop < start)
    return vd_mockup_say(u, VD_MOCKUP_ERROR, "the start time %.9g is not finite, or the stop time %.9g is before it",
                         start, stop);
  u->start = start;
  u->stop = isinf(stop) ? (double)NAN : stop;
  u->phase = VD_MOCKUP_INITIALISING;
  drop_run(u); /* the duration changes */
  return build(u);
}

enum vd_mockup_status vd_mockup_start_steps(vd_mockup *u) {
  enum vd_mockup_status status = build(u);
  if (status == VD_MOCKUP_GOOD)
    status = command(u);
  if (status == VD_MOCKUP_GOOD)
    u->phase = VD_MOCKUP_STEPPING;
  if (status == VD_MOCKUP_GOOD && *vd_messages_text(u->of))
    vd_mockup_say(u, VD_MOCKUP_WARNED, "%s", vd_messages_text(u->of));
  return status;
}

enum vd_mockup_status vd_mockup_reset(vd_mockup *u) {
  for (size_t i = 1; i < u->variables; i++) {
    vd_mockup_variable *v = &u->variable[i];
    v->value = v->start;
    v->commands = v->pending = false;
  }
  u->phase = VD_MOCKUP_INSTANTIATED;
  u->start = 0.0;
  u->stop = NAN;
  return load(u);
}

double vd_mockup_time(const vd_mockup *u) {
  return u->start + (*u->kind ? u->time : u->run ? vd_time(u->run) : 0.0);
}

/* Makes a step of a controller without its car. The time is limited, because instants are counted in an integer that
 * may have only 32 bits. */
static enum vd_mockup_status step_controller(vd_mockup *u, double to) {
  const double count = 2e9 * vd_step_size(u->of), last = count < longest ? count : longest;
  if (to > last)
    return vd_mockup_say(u, VD_MOCKUP_ERROR, "a controller decides up to t = %.9g s", u->start + last);
  for (size_t i = 1; i < u->variables; i++)
    if (u->variable[i].kind == VD_MOCKUP_SENSOR)
      u->sensed[u->variable[i].index] = u->variable[i].value;
  if (!vd_lone_decide(u->run, u->controller, u->time, to, u->sensed))
    return vd_mockup_say(u, VD_MOCKUP_ERROR, "%s", vd_lone_failure(u->run));
  u->time = to;
  return VD_MOCKUP_GOOD;
}

enum vd_mockup_status vd_mockup_step(vd_mockup *u, double from, double step) {
  double now = vd_mockup_time(u), h = vd_step_size(u->of), to = from + step - u->start, grid = round(to / h);
  if (!isfinite(from) || !isfinite(step) || !(step > 0.0))
    return vd_mockup_say(u, VD_MOCKUP_ERROR, "a step of %.9g s at t = %.9g s is not possible", step, from);
  if (!(fabs(from - now) <= 1e-3 * h + 1e-12 * fabs(now)))
    return vd_mockup_say(u, VD_MOCKUP_ERROR, "the step begins at t = %.12g s, but the unit is at t = %.12g s", from,
                         now);
  if (command(u) != VD_MOCKUP_GOOD)
    return VD_MOCKUP_ERROR;
  to = fabs(to / h - grid) < snap ? grid * h : to;
  if (*u->kind)
    return step_controller(u, to);
  vd_status status = vd_advance(u->run, to);
  const char *doubt = status == VD_OK || status == VD_OVER ? vd_run_doubt(u->run) : "";
  if (status == VD_OVER && vd_time(u->run) < to - snap * h)
    return vd_mockup_say(u, VD_MOCKUP_OVER, "the run has ended at t = %.9g s", vd_mockup_time(u));
  if (status != VD_OK && status != VD_OVER)
    return vd_mockup_say(u, VD_MOCKUP_ERROR, "%s",
                         status == VD_FAILED ? vd_run_failure(u->run) : vd_status_text(status));
  return *doubt ? vd_mockup_say(u, VD_MOCKUP_WARNED, "%s", doubt) : VD_MOCKUP_GOOD;
}

/* ---- state ---- */

/* Header of a state as bytes. The values of the variables follow, then the state of the run. */
typedef struct header {
  char token[40];
  /* bytes of the whole state; number of variables; bytes of the run, 0: the run is not built */
  uint64_t size, variables, run;
  uint64_t sum; /* checksum of all that follows the header */
  double start, stop, time;
  uint64_t phase;
} header;

typedef struct saved_variable {
  double value;
  uint64_t flags; /* 1: commands; 2: pending */
} saved_variable;

static uint64_t checksum(const unsigned char *bytes, size_t size) {
  return vd_text_hash(VD_HASH_START, (const char *)bytes, size);
}

static size_t run_size(vd_mockup *u) {
  return u->run ? vd_state_size(u->run) : 0;
}

/* Allocates room for `size` bytes in *state; false after a message. */
static bool make_room(vd_mockup *u, vd_mockup_state **state, size_t size) {
  vd_mockup_state *s = realloc(*state, sizeof *s + size);
  if (!s) {
    vd_mockup_say(u, VD_MOCKUP_ERROR, "out of memory");
    return false;
  }
  s->size = size;
  *state = s;
  return true;
}

enum vd_mockup_status vd_mockup_state_take(vd_mockup *u, vd_mockup_state **state) {
  size_t values = u->variables * sizeof(saved_variable), run = run_size(u);
  header h = {.size = sizeof h + values + run, .variables = u->variables, .run = run, .start = u->start};
  if (!make_room(u, state, (size_t)h.size))
    return VD_MOCKUP_ERROR;
  unsigned char *at = (*state)->bytes + sizeof h;
  for (size_t i = 0; i < u->variables; i++) {
    const vd_mockup_variable *v = &u->variable[i];
    const saved_variable saved = {v->value, (v->commands ? 1u : 0u) | (v->pending ? 2u : 0u)};
    memcpy(at + i * sizeof saved, &saved, sizeof saved);
  }
  if (run > 0 && vd_state_save(u->run, at + values, run) != VD_OK)
    return vd_mockup_say(u, VD_MOCKUP_ERROR, "the state of the run cannot be saved");
  memcpy(h.token, u->token, sizeof u->token);
  h.stop = u->stop;
  h.time = u->time;
  h.phase = (uint64_t)u->phase;
  h.sum = checksum(at, values + run);
  memcpy((*state)->bytes, &h, sizeof h);
  return VD_MOCKUP_GOOD;
}

/* True if the bytes begin with the header of a state of this unit. */
static bool is_state(const vd_mockup *u, const void *bytes, size_t size, header *h) {
  size_t values = u->variables * sizeof(saved_variable);
  if (size < sizeof *h + values)
    return false;
  memcpy(h, bytes, sizeof *h);
  return h->size == size && h->variables == u->variables && h->run == size - sizeof *h - values &&
         h->phase <= VD_MOCKUP_TERMINATED && memcmp(h->token, u->token, sizeof u->token) == 0;
}

static void restore_flags(vd_mockup *u, const unsigned char *at) {
  for (size_t i = 0; i < u->variables; i++) {
    saved_variable saved;
    memcpy(&saved, at + i * sizeof saved, sizeof saved);
    u->variable[i].commands = saved.flags & 1u;
    u->variable[i].pending = saved.flags & 2u;
  }
  u->pending = true;
}

enum vd_mockup_status vd_mockup_state_read(vd_mockup *u, const void *bytes, size_t size, vd_mockup_state **state) {
  header h;
  if (!is_state(u, bytes, size, &h) || h.sum != checksum((const unsigned char *)bytes + sizeof h, size - sizeof h))
    return vd_mockup_say(u, VD_MOCKUP_ERROR, "these bytes are not a state of this unit");
  if (!make_room(u, state, size))
    return VD_MOCKUP_ERROR;
  memcpy((*state)->bytes, bytes, size);
  return VD_MOCKUP_GOOD;
}

enum vd_mockup_status vd_mockup_state_return(vd_mockup *u, const vd_mockup_state *state) {
  const unsigned char *at = state->bytes + sizeof(header);
  header h;
  bool same = u->run;
  if (!is_state(u, state->bytes, state->size, &h))
    return vd_mockup_say(u, VD_MOCKUP_ERROR, "this is not a state of this unit");
  same &= memcmp(&h.start, &u->start, sizeof h.start) == 0 && memcmp(&h.stop, &u->stop, sizeof h.stop) == 0;
  for (size_t i = 0; i < u->variables; i++) {
    vd_mockup_variable *v = &u->variable[i];
    saved_variable saved;
    memcpy(&saved, at + i * sizeof saved, sizeof saved);
    same &= v->kind != VD_MOCKUP_PARAMETER || v->value == saved.value;
    v->value = saved.value;
  }
  restore_flags(u, at);
  u->start = h.start;
  u->stop = h.stop;
  u->phase = (enum vd_mockup_phase)h.phase;
  if (!same || h.run == 0)
    drop_run(u);
  if (h.run == 0)
    return VD_MOCKUP_GOOD;
  if (build(u) != VD_MOCKUP_GOOD ||
      vd_state_restore(u->run, at + u->variables * sizeof(saved_variable), (size_t)h.run) != VD_OK)
    return vd_mockup_say(u, VD_MOCKUP_ERROR, "the state of the run does not fit");
  restore_flags(u, at);
  u->time = h.time;
  return VD_MOCKUP_GOOD;
}
