/* Formulas and quantities: values, precedence, units, refusals and their messages. */
#include "base/base.h"
#include "input/expression.h"
#include "input/quantity.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool name_of(void *context, const char *name, double *value, const char **why) {
  (void)context;
  if (strcmp(name, "vehicle.mass") == 0)
    *value = 1500.0;
  else if (strcmp(name, "nothing") == 0)
    *value = NAN;
  else if (strcmp(name, "reason") == 0)
    *why = "the reason is given";
  else
    return false;
  return !*why;
}

static bool is_function(void *context, const char *name, size_t *arguments, bool *word) {
  (void)context;
  *arguments = 2;
  *word = true;
  return strcmp(name, "of") == 0;
}

static bool call(void *context, const char *name, const char *word, const double *argument, double *value,
                 const char **why) {
  (void)context;
  (void)name;
  *why = "only of the front";
  *value = 2.0 * argument[0];
  return strcmp(word, "front") == 0;
}

static const vd_expression_world world = {NULL, name_of, is_function, call};

/* Returns the value of a formula; NAN with the reason in reason[256]. */
static double value_of(const char *text, char *reason) {
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  int source = vd_diag_add_source(d, "f", text, strlen(text));
  vd_expression *e = vd_expression_read(text, vd_diag_place(d, source, 0, strlen(text)), &world, arena, d);
  double value = NAN;
  if (e) {
    value = vd_expression_value(e, &world, reason, 256);
  } else {
    char *messages = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&messages, &size);
    vd_diag_print(d, f, false);
    fclose(f);
    snprintf(reason, 256, "%.*s", (int)strcspn(messages, "\n"), messages);
    free(messages);
  }
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
  return value;
}

static void test_values(void) {
  static const struct {
    const char *text;
    double value;
  } all[] = {
      {"1 + 2*3", 7.0},
      {"(1 + 2)*3", 9.0},
      {"2^3^2", 512.0},
      {"-2^2", -4.0},
      {"2^-1", 0.5},
      {"- -3", 3.0},
      {"+3 - -3", 6.0},
      {"8/4/2", 1.0},
      {"8 - 4 - 2", 2.0},
      {"7/2*2", 7.0},
      {"1e3 + .5", 1000.5},
      {"36[km/h]", 10.0},
      {"180[deg]/pi", 1.0},
      {"1[g]/g", 1.0},
      {"g", VD_GRAVITY},
      {"sqrt(16)", 4.0},
      {"abs(-3) + min(1, 2) + max(1, 2)", 6.0},
      {"atan2(1, -1)", 0.75 * VD_PI},
      {"exp(log(5))", 5.0},
      {"sin(pi/6) + cos(pi/3) + tan(pi/4)", 2.0},
      {"asin(1) + acos(1) + atan(1)", 0.75 * VD_PI},
      {"2*vehicle.mass", 3000.0},
      {"of(front, 4 + 1)", 10.0},
      {"((((1))))", 1.0},
  };
  char reason[256];
  for (size_t i = 0; i < VD_COUNT(all); i++)
    tap_near(value_of(all[i].text, reason), all[i].value, 4e-16 * fmax(1.0, fabs(all[i].value)), "%s", all[i].text);
}

static void test_refusals(void) {
  static const struct {
    const char *text, *reason;
  } all[] = {
      {"", "f:1:1: error: the formula ends too early"},
      {"1 +", "f:1:4: error: the formula ends too early"},
      {"(1", "f:1:1: error: ')' is missing"},
      {"1)", "f:1:2: error: ')' is not understood here"},
      {"2 * * 3", "f:1:5: error: a number, a name or '(' is needed here"},
      {"squat(1)", "f:1:1: error: there is no function 'squat'"},
      {"sqrt()", "f:1:6: error: a number, a name or '(' is needed here"},
      {"sqrt(1, 2)", "f:1:1: error: 'sqrt' takes 1 argument in parentheses"},
      {"min(1)", "f:1:1: error: 'min' takes 2 arguments in parentheses"},
      {"of(1, 2)", "f:1:4: error: 'of' needs a word first, such as front or rear"},
      {"1[m", "f:1:2: error: ']' is missing"},
      {"1[nautical]", "f:1:3: error: 'nautical' is not a unit"},
      {"1e999", "f:1:1: error: a number is too large"},
      {"\xc3\xa4 + 1", "f:1:1: error: a number, a name or '(' is needed here"},
      {"2 + mass", "column 5: there is no 'mass'"},
      {"2 + nothing", "column 5: there is no 'nothing'"},
      {"2 + reason", "column 5: the reason is given"},
      {"of(rear, 1)", "column 1: only of the front"},
      {"1 + sqrt(-3)", "column 5: 'sqrt' of -3 is not a finite number"},
      {"1/(2 - 2)", "column 2: '/' of 1 and 0 is not a finite number"},
      {"10^400", "column 3: '^' of 10 and 400 is not a finite number"},
      {"log(0)", "column 1: 'log' of 0 is not a finite number"},
  };
  char reason[256];
  for (size_t i = 0; i < VD_COUNT(all); i++) {
    bool none = isnan(value_of(all[i].text, reason));
    tap_ok(none, "'%s' has no value", all[i].text);
    tap_str(reason, all[i].reason, "the reason why a formula has no value is given");
  }
}

static void test_depth(void) {
  char text[1000] = "", reason[256];
  memset(text, '(', 90);
  strcat(text, "1");
  memset(text + 91, ')', 90);
  tap_near(value_of(text, reason), 1.0, 0.0, "a formula in ninety parentheses is read");
  memset(text, '-', 300);
  text[300] = '1';
  text[301] = '\0';
  value_of(text, reason);
  tap_str(reason, "f:1:101: error: the formula is nested too deeply", "a formula with three hundred signs is refused");
}

/* --- quantities --- */

static void test_quantities(void) {
  static const struct {
    const char *text;
    double si;
  } all[] = {
      {"5", 5.0},
      {"80 km/h", 80.0 / 3.6},
      {"0.4 g", 0.4 * VD_GRAVITY},
      {"0.3 mrad/g", 0.3e-3 / VD_GRAVITY},
      {"1 deg/g", VD_PI / 180.0 / VD_GRAVITY},
      {"2 m/(s2 rad)", 2.0},
      {"1 %", 0.01},
      {"3 kg", 3.0},
      {"-1e-3 mm", -1e-6},
      {"9 deg/(100 N m)", 9.0 * VD_PI / 180.0 / 100.0},
  };
  vd_diag *d = vd_diag_create();
  for (size_t i = 0; i < VD_COUNT(all); i++) {
    vd_quantity q;
    bool good = vd_quantity_read(all[i].text, "expect", (vd_place){0}, d, &q);
    tap_near(good ? q.value : NAN, all[i].si, 1e-15 * fabs(all[i].si), "%s", all[i].text);
  }
  tap_ok(vd_diag_errors(d) == 0, "valid quantities cause no messages");
  static const char *const bad[] = {"",    "fast",    "1 furlong", "1 /g",    "1 m/(s",
                                    "nan", "1e999 m", "1 m/(0 s)", "1 m/(2 )"};
  for (size_t i = 0; i < VD_COUNT(bad); i++) {
    vd_quantity q;
    tap_ok(!vd_quantity_read(bad[i], "expect", (vd_place){0}, d, &q), "'%s' is not a quantity", bad[i]);
  }
  vd_diag_destroy(d);
}

static void test_tolerances(void) {
  vd_diag *d = vd_diag_create();
  vd_tolerance t = {.bare = true};
  bool good = vd_tolerance_read("1 %", (vd_place){0}, d, &t) && vd_tolerance_read("0.1 mm", (vd_place){0}, d, &t);
  tap_ok(good, "a tolerance may have a share and an absolute value");
  tap_near(vd_tolerance_allowed(&t, -0.02), 2e-4, 1e-19, "of 20 mm the share is the greater tolerance");
  tap_near(vd_tolerance_allowed(&t, 0.002), 1e-4, 1e-19, "of 2 mm the absolute value is the greater tolerance");
  tap_near(vd_tolerance_allowed(&t, 0.0), 1e-4, 1e-19, "of 0 the absolute value is the tolerance");
  tap_ok(!vd_tolerance_read("2 %", (vd_place){0}, d, &t), "a second share is refused");
  tap_ok(!vd_tolerance_read("-1 m", (vd_place){0}, d, &t), "a negative tolerance is refused");
  vd_diag_destroy(d);
}

int main(void) {
  tap_plan(24 + 2 * 22 + 2 + 10 + 1 + 9 + 6);
  test_values();
  test_refusals();
  test_depth();
  test_quantities();
  test_tolerances();
  return tap_done();
}
