/* libvdsim when memory runs out: each allocation of the core fails once, and the caller gets a status. */
#include "vdsim.h"

#include "tap.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Declares `__real', the functions of the C library. The linker (tests/meson.build) lets the core call the __wrap
 * functions instead; GSL and libyaml still call the C library. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

/* Sets options of the address sanitizer, if there is one: memory that a failed allocation leaves is no defect
 * (base/memory.h). */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
  return "detect_leaks=0";
}

static long left = -1; /* allocations until one fails; < 0: no allocation fails */
static long failed;    /* number of allocations that failed */

static bool fails(void) {
  if (left < 0 || left-- > 0)
    return false;
  failed++;
  return true;
}

void *__wrap_malloc(size_t size) {
  return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
  return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size) {
  return fails() ? NULL : __real_realloc(memory, size);
}

static const char text[] =
    "vehicle: scenarios/vehicles/sedan.yaml\nrun: {level: L2, duration: 0.1 s}\nmetrics: [handling]\n";
static const char bad[] = "vehicle: {mas: 1}\nrun: {level: L9}\n";

/* Does everything from text to metrics. Returns the first unexpected status. */
static vd_status whole(void) {
  vd_case *c;
  vd_run *run = NULL;
  size_t count;
  vd_status status = vd_load_text(bad, strlen(bad), "bad.yaml", NULL, 0, &c);
  vd_case_free(c);
  if (status != VD_BAD_INPUT)
    return status;
  status = vd_load_text(text, strlen(text), "car.yaml", NULL, 0, &c);
  if (status == VD_OK)
    status = vd_build(c, VD_KEEP_METRICS, &run);
  if (status == VD_OK)
    status = vd_set(run, vd_input_find("throttle"), 0.5);
  if (status == VD_OK)
    status = vd_advance(run, 0.1);
  if (status == VD_OVER)
    status = vd_figures(run, NULL, 0, &count);
  vd_run_free(run);
  vd_case_free(c);
  return status;
}

int main(void) {
  tap_plan(3);
  tap_ok(whole() == VD_OK, "with enough memory no function fails");
  long tries = 0, reported = 0;
  vd_status status = VD_NO_MEMORY;
  for (; status == VD_NO_MEMORY && tries < 100000; tries++) {
    left = tries;
    failed = 0;
    status = whole();
    reported += status == VD_NO_MEMORY && failed > 0;
  }
  tap_ok(status == VD_OK && failed == 0, "a function succeeds if the failing allocation is after its last one");
  tap_ok(tries > 50 && reported == tries - 1, "each of %ld failing allocations gives a status (%ld)", tries - 1,
         reported);
  return tap_done();
}
