/* Fuzzing of the reader of validation files: any bytes must lead to messages or to claims whose formulas have values or
 * reasons, never to a crash or a hang. Nothing is run.
 *
 * With clang -fsanitize=fuzzer this is a libFuzzer target; with -DVD_FUZZ_REPLAY a program that reads the files given
 * as arguments, prints their messages and exits with 2 if one was refused. */
#include "validation/judge.h"

#include "input/schema.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Evaluates formulas that need no run. */
static void judge(const vd_claims *claims) {
  const vd_judging how = {.scale = 1.0};
  for (size_t i = 0; i < claims->count; i++) {
    const vd_claim *c = &claims->claim[i];
    if (c->def->kind != VD_CLAIM_FORMULA || (c->run.scenario && *c->run.scenario))
      continue;
    vd_finding f;
    vd_judge(claims, &i, 1, &how, &f);
    if (!f.evaluated && !*f.reason)
      abort(); /* refused without an error message */
    if (f.verdict == VD_HOLDS && !(f.deviation <= f.allowed))
      abort();
    vd_finding_finish(&f);
  }
}

/* Reads the text in the folder of the shipped files, so that its references exist. */
static bool read_text(const char *text, size_t length, FILE *to) {
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  vd_claims claims = {0};
  int source = vd_diag_add_source(d, "validation/fuzz.yaml", text, length);
  bool good = vd_claims_read_source(source, false, arena, d, &claims);
  if (good != (vd_diag_errors(d) == 0))
    abort(); /* refused without an error message, or accepted in spite of one */
  vd_diag_print(d, to, false);
  if (good)
    judge(&claims);
  free(claims.claim);
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
  return good;
}

#ifdef VD_FUZZ_REPLAY

int main(int argc, char **argv) {
  int status = 0;
  for (int i = 1; i < argc; i++) {
    vd_diag *d = vd_diag_create();
    int source;
    const char *text;
    if (!vd_schema_slurp(argv[i], d, &source))
      return 2;
    size_t length = vd_diag_source_text(d, source, &text);
    status = read_text(text, length, stderr) ? status : 2;
    vd_diag_destroy(d);
  }
  return status;
}

#else

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static FILE *nowhere;
  if (!nowhere)
    nowhere = fopen("/dev/null", "w");
  if (!nowhere)
    abort();
  read_text((const char *)data, size, nowhere);
  return 0;
}

#endif
