/* Fuzzing of formulas: any text must lead to messages, or to a formula that has a finite value or a reason why not,
 * with equal results when it is evaluated again. A libFuzzer target. */
#include "fuzz.h"

#include "input/expression.h"

#include <math.h>

static bool name_of(void *context, const char *name, double *value, const char **why) {
  (void)context;
  *value = name[0] == 'z' ? 0.0 : name[0] == 'n' ? NAN : 1e200;
  *why = name[0] == 'w' ? "a reason" : NULL;
  return !*why && name[0] != 'u';
}

static bool is_function(void *context, const char *name, size_t *arguments, bool *word) {
  (void)context;
  *arguments = strlen(name) % VD_EXPRESSION_ARGUMENTS + 1;
  *word = name[0] == 'w';
  return name[0] == 'f' || *word;
}

static bool call(void *context, const char *name, const char *word, const double *argument, double *value,
                 const char **why) {
  (void)context;
  (void)name;
  *value = word ? (double)strlen(word) : argument[0];
  *why = NULL;
  return true;
}

static void see(void *context, const char *name, vd_place at) {
  size_t *seen = context;
  *seen += strlen(name) + (size_t)at.length;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const vd_expression_world world = {NULL, name_of, is_function, call};
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  const char *text = vd_arena_copy(arena, (const char *)data, size);
  int source = vd_diag_add_source(d, "formula", text, strlen(text));
  vd_expression *e = vd_expression_read(text, vd_diag_place(d, source, 0, strlen(text)), &world, arena, d);
  fuzz_check_messages(d, e != NULL);
  if (e) {
    char why[2][200] = {"", ""};
    size_t seen = 0;
    double value = vd_expression_value(e, &world, why[0], sizeof why[0]);
    double again = vd_expression_value(e, &world, why[1], sizeof why[1]);
    vd_expression_names(e, see, &seen);
    if (isfinite(value) ? value != again : !isnan(value) || !why[0][0] || strcmp(why[0], why[1]) != 0)
      abort();
  }
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
  return 0;
}
