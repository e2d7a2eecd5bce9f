#include "tap.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int planned, run, failed;

void tap_plan(int tests) {
  planned = tests;
  setenv("VDSIM_DATA", "", 1); /* messages name no folder of this machine */
  setvbuf(stdout, NULL, _IOLBF, 0);
  printf("1..%d\n", tests);
}

static bool report(bool passed, const char *format, va_list args) {
  run++;
  failed += !passed;
  printf("%s %d - ", passed ? "ok" : "not ok", run);
  vprintf(format, args);
  putchar('\n');
  return passed;
}

bool tap_ok(bool passed, const char *format, ...) {
  va_list args;
  va_start(args, format);
  report(passed, format, args);
  va_end(args);
  return passed;
}

bool tap_sampled(int number, int of) {
  const char *sample = getenv("VDSIM_SAMPLE");
  unsigned first = 2166136261u; /* FNV-1a */
  if (!sample || !*sample || strcmp(sample, "all") == 0)
    return true;
  for (; *sample; sample++)
    first = (first ^ (unsigned char)*sample) * 16777619u;
  return ((first >> 8) + (unsigned)number) % (unsigned)of == 0;
}

bool tap_left_out(int tests, int number, int of) {
  if (tap_sampled(number, of))
    return false;
  for (int i = 0; i < tests; i++)
    tap_ok(true, "# SKIP not of this commit");
  return true;
}

static double tolerance_scale(void) {
  const char *text = getenv("VD_TOLERANCE_SCALE");
  return text ? strtod(text, NULL) : 1.0;
}

bool tap_near(double got, double expected, double tolerance, const char *format, ...) {
  double deviation = fabs(got - expected);
  bool passed = deviation <= tolerance * tolerance_scale(); /* false for NaN */
  va_list args;
  va_start(args, format);
  report(passed, format, args);
  va_end(args);
  if (!passed)
    tap_diag("got %.12g, expected %.12g, deviation %.3g, allowed %.3g", got, expected, deviation,
             tolerance * tolerance_scale());
  return passed;
}

bool tap_str(const char *got, const char *expected, const char *format, ...) {
  bool passed = got && expected && strcmp(got, expected) == 0;
  va_list args;
  va_start(args, format);
  report(passed, format, args);
  va_end(args);
  if (!passed)
    tap_diag("got \"%s\", expected \"%s\"", got ? got : "(null)", expected ? expected : "(null)");
  return passed;
}

void tap_diag(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fputs("# ", stdout);
  vprintf(format, args);
  putchar('\n');
  va_end(args);
}

static char unpacked[] = "/tmp/vdsim-test-XXXXXX";

static void remove_unpacked(void) {
  char command[sizeof unpacked + 16];
  snprintf(command, sizeof command, "rm -rf %s", unpacked);
  if (chdir("/") != 0 || system(command) != 0)
    fprintf(stderr, "cannot remove %s\n", unpacked);
}

void tap_unpack(const char *folders) {
  char command[512];
  if (!mkdtemp(unpacked) || atexit(remove_unpacked) != 0)
    abort();
  snprintf(command, sizeof command, "python3 -B tests/common/cases.py %s/tree %s", unpacked, folders);
  if (system(command) != 0 || chdir(unpacked) != 0 || chdir("tree") != 0)
    exit(2);
}

int tap_done(void) {
  if (run != planned)
    tap_diag("planned %d tests, ran %d", planned, run);
  return run == planned && failed == 0 ? 0 : 1;
}
