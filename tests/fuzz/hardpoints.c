/* Fuzzing of the readers of hardpoint lists and of tables of curves: any bytes must lead to messages, to a corner
 * that can be compared and written, or to a table that can be compared, never to a crash or a hang.
 *
 * The input is read as a table if it begins like a table, otherwise as a list; the last byte selects the options of a
 * list. With clang -fsanitize=fuzzer this is a libFuzzer target; with -DVD_FUZZ_REPLAY a program that reads the files
 * given as arguments. */
#include "kc/hardpoint_csv.h"
#include "kc/xcheck.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *nowhere(void) {
  static FILE *f;
  if (!f)
    f = fopen("/dev/null", "w");
  if (!f)
    abort();
  return f;
}

/* Aborts if an input was refused without an error message, or accepted in spite of one. */
static void check_words(vd_diag *d, bool good) {
  if (good != (vd_diag_errors(d) == 0))
    abort();
  vd_diag_print(d, nowhere(), false);
}

/* Aborts if a written list is refused, or read back with another wheel centre, to rounding. */
static void check_round_trip(const vd_corner *corner, vd_arena *arena) {
  vd_diag *d = vd_diag_create();
  vd_buf list = {0}, left_out = {0};
  vd_corner again;
  vd_hardpoint_taken taken;
  const vd_hardpoint_options options = {
      .axes = VD_AXES_ADAMS, .unit = VD_LENGTH_MM, .toe0 = 0.0, .camber0 = 0.0, .static_radius = NAN};
  vd_hardpoint_csv_write(corner, VD_AXES_ADAMS, VD_LENGTH_MM, &list, &left_out);
  int source = vd_diag_add_source(d, "again.csv", list.text, list.length);
  bool good = vd_hardpoint_csv_read(source, &options, arena, d, &again, &taken);
  double half = fabs(corner->points.wheel_center[1]);
  /* between these, the number in mm looks like a half track in m, and the list is refused */
  bool scale = half < 3e-4 || half > 1.5e-3;
  if (!good && scale && fabs(corner->points.wheel_center[1]) > 0.0) {
    vd_diag_print(d, stderr, false);
    abort();
  }
  for (int i = 0; good && i < 3; i++)
    if (!(fabs(again.points.wheel_center[i] - corner->points.wheel_center[i]) <= 1e-13))
      abort();
  vd_buf_finish(&list);
  vd_buf_finish(&left_out);
  vd_diag_destroy(d);
}

static void compare(const vd_xcheck_side *side) {
  static vd_verdicts v;
  static const vd_xcheck_range range[VD_SWEEPS] = {{-20.0, 20.0, 5}, {-10.0, 10.0, 3}};
  const vd_xcheck_tolerance tolerance = {0.0, 1e-6};
  v = (vd_verdicts){.count = 0};
  vd_xcheck_gains(side, side, tolerance, &v);
  vd_xcheck_curves(side, side, (1u << VD_CURVES) - 1u, range, tolerance, &v);
}

static void fuzz_list(const char *text, size_t length, unsigned stated) {
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  vd_corner corner;
  vd_hardpoint_taken taken;
  const vd_hardpoint_options options = {.axes = (enum vd_axes)(stated % 3),
                                        .unit = (enum vd_length_unit)(stated / 3 % 3),
                                        .side = (enum vd_list_side)(stated / 9 % 3),
                                        .toe0 = 0.0,
                                        .camber0 = 0.0,
                                        .static_radius = NAN};
  bool good =
      vd_hardpoint_csv_read(vd_diag_add_source(d, "fuzz.csv", text, length), &options, arena, d, &corner, &taken);
  check_words(d, good);
  if (good) {
    check_round_trip(&corner, arena);
    compare(&(vd_xcheck_side){.corner = &corner});
  }
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
}

static void fuzz_table(const char *text, size_t length) {
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  vd_kc_table table;
  bool good = vd_kc_table_read(vd_diag_add_source(d, "fuzz.csv", text, length), arena, d, &table);
  check_words(d, good);
  if (good)
    compare(&(vd_xcheck_side){.table = &table});
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > 6 && (memcmp(data, "travel", 6) == 0 || memcmp(data, "sweep", 5) == 0))
    fuzz_table((const char *)data, size);
  else
    fuzz_list((const char *)data, size, size > 0 ? data[size - 1] : 0u);
  return 0;
}

#ifdef VD_FUZZ_REPLAY
int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    static uint8_t data[1 << 20];
    FILE *f = fopen(argv[i], "rb");
    if (!f)
      return 2;
    size_t size = fread(data, 1, sizeof data, f);
    fclose(f);
    LLVMFuzzerTestOneInput(data, size);
  }
  return 0;
}
#endif
