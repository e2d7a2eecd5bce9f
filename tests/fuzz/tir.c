/* Fuzzing of the reader of tyre property files: any bytes must lead to messages or to a tyre with finite forces, never
 * to a crash or a hang.
 *
 * With clang -fsanitize=fuzzer this is a libFuzzer target; with -DVD_FUZZ_REPLAY a program that reads the files given
 * as arguments, prints their messages and exits with 2 if one was refused. */
#include "tyre/tir.h"

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

static bool read_text(const char *text, size_t length, vd_mf_def *def) {
  vd_diag *d = vd_diag_create();
  int source = vd_diag_add_bytes(d, "fuzz.tir", text, length);
  bool good = source >= 0 && vd_tir_read_source(source, d, def);
  if (good != (vd_diag_errors(d) == 0))
    abort(); /* refused without an error message, or accepted in spite of one */
  vd_diag_print(d, nowhere(), false);
  vd_diag_destroy(d);
  return good;
}

/* Checks that a written file is read and written again to the same bytes. */
static void check_round_trip(const vd_mf_def *def) {
  vd_buf first = {0}, second = {0};
  vd_mf_def again;
  vd_tir_write(def, &first);
  bool good = read_text(first.text, first.length, &again);
  if (good)
    vd_tir_write(&again, &second);
  if (!good || first.length != second.length || memcmp(first.text, second.text, first.length) != 0) {
    fprintf(stderr, "--- written\n%s--- read back and written again\n%s", first.text, second.text ? second.text : "");
    abort();
  }
  vd_buf_finish(&first);
  vd_buf_finish(&second);
}

static bool is_moderate(const vd_mf_def *def) {
  size_t count;
  const vd_tir_key *key = vd_tir_keys(&count);
  for (size_t i = 0; i < count; i++) {
    double value = fabs(*(const double *)(const void *)((const char *)def + key[i].offset));
    if (value > 1e7 && isfinite(value))
      return false;
  }
  return def->unloaded_radius > 1e-3 && def->fnomin > 1e-3 && def->longvl > 1e-3 && def->lfzo > 1e-3 &&
         (def->nompres <= 0.0 || def->nompres > 1.0);
}

/* Checks that forces are finite if the coefficients have a realistic size. */
static void check_forces(const vd_mf_def *def) {
  vd_mf m;
  vd_mf_output o;
  vd_mf_peaks peaks;
  vd_mf_build(def, VD_MF_RIGHT, &m);
  for (int i = 0; i < 32; i++) {
    vd_mf_input in = {i & 1 ? 4000.0 : 10.0,
                      i & 2 ? 0.1 : -1.0,
                      i & 4 ? 0.1 : -30.0,
                      i & 8 ? 0.05 : 0.0,
                      m.pressure,
                      i & 16 ? 20.0 : -0.01,
                      1.0,
                      0.0,
                      0.0};
    vd_mf_forces(&m, &in, &o);
    if (is_moderate(def) && !isfinite(o.fx + o.fy + o.mx + o.mz))
      abort();
    vd_mf_find_peaks(&m, &in, &peaks);
    vd_mf_vertical v = {50.0, 1000.0, 1000.0, in.gamma, m.pressure};
    vd_mf_deflection(&m, &v, in.load, NULL);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  vd_mf_def def;
  if (read_text((const char *)data, size, &def)) {
    check_round_trip(&def);
    check_forces(&def);
  }
  return 0;
}

#ifdef VD_FUZZ_REPLAY
int main(int argc, char **argv) {
  vd_diag *d = vd_diag_create();
  for (int i = 1; i < argc; i++) {
    vd_mf_def def;
    if (vd_tir_read(argv[i], (vd_place){.source = -1}, d, &def)) {
      check_round_trip(&def);
      check_forces(&def);
    }
  }
  bool good = vd_diag_errors(d) == 0;
  vd_diag_print(d, stderr, false);
  vd_diag_destroy(d);
  return good ? 0 : 2;
}
#endif
