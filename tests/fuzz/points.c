/* Fuzzing of the readers of measured points, CSV and TYDEX: any bytes must lead to messages, or to rows of finite
 * numbers whose places are in the text, never to a crash or a hang.
 *
 * With clang -fsanitize=fuzzer this is a libFuzzer target; with -DVD_FUZZ_REPLAY a program that reads the files given
 * as arguments, prints their messages and exits with 2 if one was refused. */
#include "fuzz.h"

#include "input/schema.h"
#include "tyre/points_def.h"

#include <math.h>

static bool read_points(int source, const char *keys, vd_arena *arena, vd_diag *d, vd_tyre_points *points) {
  vd_tyre_points_def *def = vd_arena_alloc(arena, sizeof *def);
  vd_node *root;
  int scenario = vd_diag_add_source(d, "points.yaml", keys, strlen(keys));
  return vd_schema_read_source(&vd_tyre_points_schema, scenario, NULL, 0, arena, d, def, &root) &&
         vd_tyre_points_read_source(def, source, root, "", arena, d, points);
}

#ifndef VD_FUZZ_REPLAY
static void check_points(const vd_tyre_points *p, const vd_diag *d) {
  if (p->rows == 0)
    abort();
  for (int q = 0; q < VD_POINT_QUANTITIES; q++)
    for (size_t row = 0; p->of[q] && row < p->rows; row++)
      if (!isfinite(p->of[q][row]))
        abort();
  for (int q = 0; q < VD_POINT_QUANTITIES; q++)
    if (p->of[q] && vd_measured_place(&p->table, d, p->rows - 1, (size_t)q).line < 1)
      abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const keys[] = {"{}", "{missing: omit, columns: {load: {column: FZ, scale: -1}, alpha: SA}}",
                                     "{columns: {fy: FYH}, missing: omit}"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    vd_diag *d = vd_diag_create();
    vd_arena *arena = vd_arena_create();
    vd_tyre_points points;
    bool good = read_points(vd_diag_add_source(d, "fuzz.csv", (const char *)data, size), keys[i], arena, d, &points);
    fuzz_check_messages(d, good);
    if (good)
      check_points(&points, d);
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
    vd_tyre_points points;
    int source;
    if (vd_measured_load(argv[i], (vd_place){.source = -1}, d, &source))
      read_points(source, "{}", arena, d, &points);
  }
  bool good = argc > 1 && vd_diag_errors(d) == 0;
  vd_diag_print(d, stderr, false);
  vd_arena_destroy(arena);
  vd_diag_destroy(d);
  return good ? 0 : 2;
}
#endif
