/* Drives a unit of FMI 2.0 through its binary alone, as an importer on any system does, and prints its outputs.
 * Usage: drive BINARY RESOURCES GUID STEP STEPS REFERENCE... */
#include "base/system.h"

#include <stdarg.h>
#include <stdlib.h>

static void say(void *environment, const char *name, int status, const char *category, const char *text, ...) {
  va_list arguments;
  (void)environment, (void)status;
  fprintf(stderr, "%s: %s: ", name, category);
  va_start(arguments, text);
  vfprintf(stderr, text, arguments);
  va_end(arguments);
  fputs("\n", stderr);
}

static vd_function *find(void *library, const char *name) {
  vd_function *f = vd_library_function(library, name);
  if (!f)
    fprintf(stderr, "no function %s\n", name);
  return f;
}

static int drive(void *library, char **argument, int outputs) {
  const struct {
    void (*log)(void *, const char *, int, const char *, const char *, ...);
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void *finished, *environment;
  } callbacks = {say, calloc, free, NULL, NULL};
  void *(*instantiate)(const char *, int, const char *, const char *, const void *, int, int) =
      (void *(*)(const char *, int, const char *, const char *, const void *, int, int))find(library,
                                                                                             "fmi2Instantiate");
  int (*setup)(void *, int, double, double, int, double) =
      (int (*)(void *, int, double, double, int, double))find(library, "fmi2SetupExperiment");
  int (*enter)(void *) = (int (*)(void *))find(library, "fmi2EnterInitializationMode");
  int (*leave)(void *) = (int (*)(void *))find(library, "fmi2ExitInitializationMode");
  int (*step)(void *, double, double, int) = (int (*)(void *, double, double, int))find(library, "fmi2DoStep");
  int (*get)(void *, const unsigned *, size_t, double *) =
      (int (*)(void *, const unsigned *, size_t, double *))find(library, "fmi2GetReal");
  void (*release)(void *) = (void (*)(void *))find(library, "fmi2FreeInstance");
  if (!instantiate || !setup || !enter || !leave || !step || !get || !release)
    return 1;
  void *unit = instantiate("car", 1, argument[1], argument[0], &callbacks, 0, 0);
  int status = unit ? setup(unit, 0, 0.0, 0.0, 0, 0.0) | enter(unit) | leave(unit) : 1;
  double h = strtod(argument[2], NULL);
  for (long k = 0, steps = strtol(argument[3], NULL, 10); k < steps && status == 0; k++) {
    status |= step(unit, (double)k * h, h, 1);
    for (int i = 0; i < outputs; i++) {
      unsigned reference = (unsigned)strtoul(argument[4 + i], NULL, 10);
      double value = 0.0;
      status |= get(unit, &reference, 1, &value);
      printf("%a%c", value, i + 1 < outputs ? ' ' : '\n');
    }
  }
  if (unit)
    release(unit);
  return status;
}

int main(int argc, char **argv) {
  vd_buf why = {0};
  void *library = argc > 6 && vd_system_start(0, NULL) ? vd_library_open(argv[1], &why) : NULL;
  if (!library)
    fprintf(stderr, "%s\n", why.text ? why.text : "usage: drive BINARY RESOURCES GUID STEP STEPS REFERENCE...");
  return library ? drive(library, argv + 2, argc - 6) : 2;
}
