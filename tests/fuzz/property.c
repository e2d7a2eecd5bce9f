/* Fuzzing of the property files that models read into their keys (tyre/tir_own_def.h): any bytes must lead to messages
 * or to a tyre with finite forces, never to a crash or a hang; a written file must be read and written again to the
 * same bytes.
 *
 * With clang -fsanitize=fuzzer this is a libFuzzer target; with -DVD_FUZZ_REPLAY a program that reads the files given
 * as arguments, each as the model with which its name begins, prints their messages and exits with 2 if one was
 * refused. */
#include "fuzz.h"

#include "input/schema.h"
#include "tyre/tyre_def.h"

#include <math.h>

static const char *const models[] = {"fiala", "pac89", "pac94"};

static bool read_tyre(const char *model, const char *file, vd_arena *arena, vd_diag *d, vd_tyre_def *def) {
  vd_node *root;
  vd_buf text = {0};
  vd_buf_printf(&text, "{model: %s, file: \"%s\"}\n", model, file);
  int source = vd_diag_add_source(d, "tyre.yaml", text.text, text.length);
  vd_buf_finish(&text);
  if (!vd_schema_read_source(&vd_tyre_schema, source, NULL, 0, arena, d, def, &root))
    return false;
  vd_tyre_complete(def, NULL, root, "", arena, d);
  vd_tyre_check(def, root, "", d);
  return vd_diag_errors(d) == 0;
}

/* Checks that a written file is read and written again to the same text, without assumptions. */
static void check_round_trip(const char *model, const vd_tyre_def *def) {
  vd_buf first = {0}, second = {0};
  vd_tyre_def again;
  vd_diag *d = vd_diag_create();
  vd_arena *arena = vd_arena_create();
  vd_diag_set_strict(d, true);
  if (!vd_tyre_write_tir(def, &first))
    abort();
  bool good = read_tyre(model, fuzz_file("written.tir", first.text, first.length), arena, d, &again);
  again.property.origin = def->property.origin; /* the only difference */
  good = good && vd_tyre_write_tir(&again, &second);
  if (!good || first.length != second.length || memcmp(first.text, second.text, first.length) != 0) {
    vd_diag_print(d, stderr, false);
    fprintf(stderr, "--- written\n%s--- read back and written again\n%s", first.text, second.text ? second.text : "");
    abort();
  }
  vd_buf_finish(&first);
  vd_buf_finish(&second);
  vd_arena_destroy(arena);
  vd_diag_destroy(d);
}

static void check_forces(const vd_tyre_def *def) {
  vd_tyre tyre;
  vd_tyre_build(def, true, &tyre);
  for (int i = 0; i < 16; i++) {
    vd_tyre_answer a;
    const vd_tyre_question q = {.kappa = i & 1 ? 0.1 : -1.0,
                                .tan_alpha = i & 2 ? 0.1 : -30.0,
                                .camber = i & 4 ? 0.05 : 0.0,
                                .vx = 20.0,
                                .ground_friction = 1.0,
                                .load = i & 8 ? 4000.0 : 10.0,
                                .radius = 0.3};
    vd_tyre_ask(&tyre, &q, &a);
    if (!isfinite(a.fx + a.fy + a.mz))
      abort();
    vd_tyre_vertical(&tyre, vd_tyre_vertical_deflection(&tyre, q.load));
  }
}

#ifndef VD_FUZZ_REPLAY
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *path = fuzz_file("fuzz.tir", (const char *)data, size);
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    vd_diag *d = vd_diag_create();
    vd_arena *arena = vd_arena_create();
    vd_tyre_def def;
    bool good = read_tyre(models[i], path, arena, d, &def);
    fuzz_check_messages(d, good);
    if (good) {
      check_round_trip(models[i], &def);
      check_forces(&def);
    }
    vd_arena_destroy(arena);
    vd_diag_destroy(d);
  }
  return 0;
}
#else
int main(int argc, char **argv) {
  vd_diag *d = vd_diag_create();
  vd_arena *arena = vd_arena_create();
  for (int i = 1; i < argc; i++) {
    const char *slash = strrchr(argv[i], '/'), *name = slash ? slash + 1 : argv[i];
    vd_tyre_def def;
    for (size_t k = 0; k < sizeof models / sizeof *models; k++)
      if (strncmp(name, models[k], strlen(models[k])) == 0 && read_tyre(models[k], argv[i], arena, d, &def)) {
        check_round_trip(models[k], &def);
        check_forces(&def);
      }
  }
  bool good = argc > 1 && vd_diag_errors(d) == 0;
  vd_diag_print(d, stderr, false);
  vd_arena_destroy(arena);
  vd_diag_destroy(d);
  return good ? 0 : 2;
}
#endif
