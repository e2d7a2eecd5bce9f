/* A functional mock-up unit as a controller: an FMI 2.0 or 3.0 unit for co-simulation that steps once in a period.
 *
 * At a decision the unit gets its inputs and makes a step of one period. Its requests are its outputs at the end of
 * that step. A unit may change the floating-point settings of the processor, such as flushing subnormal numbers to
 * zero; they are restored after each call. */
#include "control/fmu_unit.h"

#include "base/base.h"
#include "base/memory.h"
#include "input/archive.h"
#include "input/file.h"

#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const vd_field rows[] = {
  {VD_F_PATH(vd_controller_def, as.fmu.file, "file", NULL,
      "file of the unit: an archive, or the folder of an unpacked archive"),
   .only = VD_WHEN(VD_CONTROLLER_FMU), .example = "esc.fmu"},
  {VD_F_LIST(vd_controller_def, as.fmu.set, "set", "[]", "parameters of the unit, \"NAME=NUMBER\""),
   .only = VD_WHEN(VD_CONTROLLER_FMU), .example = "[gain=0.5]"},
};
/* clang-format on */

static bool complete(const vd_controller_context *ctx, vd_controller_def *def) {
  def->as.fmu.unit = vd_fmu_unit_read(ctx, def);
  return def->as.fmu.unit != NULL;
}

/* True if a call succeeded; otherwise the reason is added to `why'. */
static bool good(vd_fmu_instance *u, int status, const char *what, vd_buf *why) {
  static const char *const word[] = {"fails", "warns", "discards the step", "reports an error",
                                     "reports a fatal error"};
  if (status == VD_FMI_OK || status == VD_FMI_WARNING)
    return true;
  u->dead |= status == VD_FMI_FATAL;
  vd_buf_printf(why, "its %s %s%s%s", what, word[status > 0 && status < (int)VD_COUNT(word) ? status : 0],
                *u->message ? ": " : "", u->message);
  return false;
}

/* ---- loading ---- */

/* True if the unit needs this entry of its archive on this system. */
static bool is_needed(const vd_fmu_unit *unit, const char *name) {
  const char *slash = strrchr(unit->binary, '/');
  const size_t length = (size_t)(slash - unit->binary) + 1;
  bool below = strncmp(name, "resources/", strlen("resources/")) == 0 || strncmp(name, unit->binary, length) == 0;
  return below && name[strlen(name) - 1] != '/' && !strstr(name, "..") && !strchr(name, '\\');
}

static bool unpack_all(vd_archive *a, vd_fmu_instance *u, vd_buf *why) {
  size_t room = (size_t)1 << 30;
  int error = 0;
  for (size_t i = 0; i < vd_archive_count(a) && error == 0; i++) {
    const char *name = vd_archive_name(a, i);
    vd_buf content = {0};
    if (!is_needed(u->unit, name))
      continue;
    bool read = vd_archive_read(a, i, room, &content);
    if (read)
      error = vd_write_below(u->folder.text, name, content.text, content.length);
    room -= read ? content.length : 0;
    vd_buf_finish(&content);
    if (!read || error != 0) {
      vd_buf_printf(why, "%s cannot be unpacked%s%s", name, read ? ": " : "", read ? vd_file_why(error) : "");
      return false;
    }
  }
  return true;
}

/* Unpacks the archive into a temporary folder. */
static bool unpack(vd_fmu_instance *u, vd_buf *why) {
  vd_diag *d = vd_diag_create();
  vd_file file;
  vd_buf bytes = {0};
  int error = vd_file_open(u->unit->file, VD_FILE_REGULAR, d, &file);
  if (error == 0)
    error = vd_file_read(&file, (size_t)1 << 30, &bytes);
  if (error == 0)
    error = vd_temporary_folder(&u->folder);
  u->temporary = error == 0;
  if (error != 0)
    vd_buf_printf(why, "'%s' cannot be unpacked: %s", u->unit->file, vd_file_why(error));
  vd_archive *a = error == 0 ? vd_archive_open(bytes.text, bytes.length, why) : NULL;
  bool unpacked = a && unpack_all(a, u, why);
  vd_archive_close(a);
  vd_buf_finish(&bytes);
  vd_diag_destroy(d);
  return unpacked;
}

static bool find_functions(vd_fmu_instance *u, vd_buf *why) {
  size_t count = 0;
  while (u->fmi->name[count])
    count++;
  u->function = vd_allocate(count, sizeof *u->function);
  for (size_t i = 0; i < count; i++) {
    bool state = i >= (size_t)u->fmi->state && i < (size_t)u->fmi->state + VD_FMU_STATE_FUNCTIONS;
    u->function[i] = vd_library_function(u->library, u->fmi->name[i]);
    if (u->function[i] || !(i < u->fmi->needed || (state && u->unit->saves)))
      continue;
    vd_buf_printf(why, "%s has no function %s", u->unit->binary, u->fmi->name[i]);
    return false;
  }
  const char *version = u->fmi->get_version(u);
  if (version && strncmp(version, u->fmi->version, strlen(u->fmi->version)) == 0)
    return true;
  vd_buf_printf(why, "%s is of FMI %s, its description of FMI %d", u->unit->binary,
                version ? version : "without a number", u->unit->version);
  return false;
}

static bool load(vd_fmu_instance *u, vd_buf *why) {
  if (u->unit->archive && !unpack(u, why))
    return false;
  if (!u->unit->archive) {
    vd_arena *arena = vd_arena_create();
    vd_buf_puts(&u->folder, vd_file_full(arena, u->unit->file)); /* the URI of the folder needs an absolute path */
    vd_arena_destroy(arena);
  }
  vd_buf path = {0};
  vd_buf_printf(&path, "%s/%s", u->folder.text, u->unit->binary);
  u->library = vd_library_open(path.text, why);
  vd_buf_finish(&path);
  return u->library && find_functions(u, why);
}

static void close_unit(vd_fmu_instance *u) {
  if (u->component && !u->dead) {
    if (u->initialised)
      u->fmi->terminate(u);
    u->fmi->free_instance(u);
  }
  vd_library_close(u->library);
  if (u->temporary)
    vd_remove_folder(u->folder.text);
  vd_buf_finish(&u->folder);
  free(u->function);
  free(u->callbacks);
  free(u);
}

static void destroy(void *instance) {
  fenv_t environment;
  fegetenv(&environment);
  close_unit(instance);
  fesetenv(&environment);
}

/* ---- values and steps ---- */

static bool set_all(vd_fmu_instance *u, const vd_fmu_variable *v, size_t count, const double *value, vd_buf *why) {
  for (size_t i = 0; i < count; i++)
    if (!good(u, u->fmi->set(u, &v[i], value ? value[i] : v[i].value), "function that sets a variable", why))
      return false;
  return true;
}

static bool get_all(vd_fmu_instance *u, double *value, vd_buf *why) {
  for (size_t i = 0; i < u->unit->requests; i++)
    if (!good(u, u->fmi->get(u, &u->unit->request[i], &value[i]), "function that gets a variable", why))
      return false;
  return true;
}

static bool start(vd_fmu_instance *u, double *request, vd_buf *why) {
  if (!load(u, why))
    return false;
  u->component = u->fmi->instantiate(u);
  if (!u->component) {
    vd_buf_printf(why, "it makes no instance%s%s", *u->message ? ": " : "", u->message);
    return false;
  }
  if (!set_all(u, u->unit->set, u->unit->sets, NULL, why) || !good(u, u->fmi->enter(u), "initialisation", why) ||
      !good(u, u->fmi->leave(u), "initialisation", why))
    return false;
  u->initialised = true;
  return get_all(u, request, why);
}

static void *create(const vd_controller_def *def, const vd_controller_car *car, double *request, vd_buf *why) {
  (void)car;
  vd_fmu_instance *u = vd_allocate(1, sizeof *u);
  fenv_t environment;
  fegetenv(&environment);
  u->unit = def->as.fmu.unit;
  u->period = def->period;
  u->fmi = u->unit->version == 2 ? &vd_fmi2 : &vd_fmi3;
  bool started = start(u, request, why);
  if (!started)
    close_unit(u);
  fesetenv(&environment);
  return started ? u : NULL;
}

static bool decide(void *instance, double t, const double *sensed, double *request, vd_buf *why) {
  vd_fmu_instance *u = instance;
  fenv_t environment;
  fegetenv(&environment);
  u->message[0] = '\0';
  bool done = set_all(u, u->unit->sensor, u->unit->sensors, sensed, why) &&
              good(u, u->fmi->step(u, t, u->period), "step", why) && get_all(u, request, why);
  fesetenv(&environment);
  return done;
}

/* ---- state ---- */

static vd_function *state_function(const vd_fmu_instance *u, enum vd_fmu_state_function f) {
  return u->function[u->fmi->state + (int)f];
}

typedef int with_state(void *, void **);

static int save_state(vd_fmu_instance *u, vd_buf *out) {
  void *state = NULL;
  size_t size = 0;
  int status = ((with_state *)state_function(u, VD_FMU_GET_STATE))(u->component, &state);
  if (status <= VD_FMI_WARNING)
    status = ((int (*)(void *, void *, size_t *))state_function(u, VD_FMU_STATE_SIZE))(u->component, state, &size);
  if (status <= VD_FMI_WARNING) {
    vd_buf_reserve(out, size);
    status = ((int (*)(void *, void *, void *, size_t))state_function(u, VD_FMU_SERIALIZE))(u->component, state,
                                                                                            out->text, size);
    vd_buf_add_length(out, status <= VD_FMI_WARNING ? size : 0);
  }
  if (state)
    ((with_state *)state_function(u, VD_FMU_FREE_STATE))(u->component, &state);
  return status;
}

static int restore_state(vd_fmu_instance *u, const void *bytes, size_t size) {
  void *state = NULL;
  int status = ((int (*)(void *, const void *, size_t, void **))state_function(u, VD_FMU_DESERIALIZE))(
      u->component, bytes, size, &state);
  if (status <= VD_FMI_WARNING)
    status = ((int (*)(void *, void *))state_function(u, VD_FMU_SET_STATE))(u->component, state);
  if (state)
    ((with_state *)state_function(u, VD_FMU_FREE_STATE))(u->component, &state);
  return status;
}

static bool save(void *instance, vd_buf *out) {
  vd_fmu_instance *u = instance;
  return u && u->unit->saves && save_state(u, out) <= VD_FMI_WARNING;
}

static bool restore(void *instance, const void *bytes, size_t size) {
  vd_fmu_instance *u = instance;
  return u && u->unit->saves && restore_state(u, bytes, size) <= VD_FMI_WARNING;
}

const vd_controller_variant vd_fmu_controller = {
    .rows = {.field = rows, .count = VD_COUNT(rows)},
    .outside = true,
    .complete = complete,
    .create = create,
    .destroy = destroy,
    .decide = decide,
    .save = save,
    .restore = restore,
};
