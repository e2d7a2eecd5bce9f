/* Fuzzing of the loader: any bytes as a scenario must lead to messages or to a run, never to a crash or a hang.
 *
 * First lines that begin with "#!" are settings: "#!run.level=L1" is --set run.level=L1.
 *
 * With clang -fsanitize=fuzzer this is a libFuzzer target; with -DVD_FUZZ_REPLAY a program that runs the files given as
 * arguments. Run it from the top folder: references of the input are relative to scenarios/iso/. */
#include "run/run.h"

#include "input/schema.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 200, SETTINGS = 8 };

static const char source_name[] = "scenarios/iso/fuzz.yaml";

typedef struct settings {
  vd_setting setting[SETTINGS];
  size_t count;
} settings;

/* Finds the settings at the head of the input; their lines remain in the input as comments. */
static void find_settings(const char *text, size_t length, vd_arena *arena, settings *out) {
  out->count = 0;
  while (out->count < SETTINGS && length > 2 && text[0] == '#' && text[1] == '!') {
    const char *end = memchr(text, '\n', length);
    size_t line = end ? (size_t)(end - text) : length;
    out->setting[out->count++] = (vd_setting){.text = vd_arena_copy(arena, text + 2, line - 2)};
    text += line + (end ? 1 : 0);
    length -= line + (end ? 1 : 0);
  }
}

/* Reads the scenario of a text; false if it was refused, with the messages printed to `words`. */
static bool read_text(const char *text, size_t length, const settings *set, vd_arena *arena, FILE *words,
                      vd_scenario_def *def) {
  vd_diag *diag = vd_diag_create();
  int source = vd_diag_add_source(diag, source_name, text, length);
  bool good = vd_scenario_read_source(source, set->setting, set->count, arena, diag, def);
  if (good != (vd_diag_errors(diag) == 0))
    abort(); /* refused without an error message, or accepted in spite of one */
  vd_diag_print(diag, words, false);
  vd_diag_destroy(diag);
  return good;
}

/* Checks that a written scenario is read and written again to the same bytes. */
static void check_round_trip(const vd_scenario_def *def, vd_arena *arena) {
  vd_buf first = {0}, second = {0};
  vd_scenario_def *again = vd_arena_alloc(arena, sizeof *again);
  vd_schema_write(&vd_scenario_schema, def, &first);
  bool good = read_text(first.text, first.length, &(settings){.count = 0}, arena, stderr, again);
  if (good)
    vd_schema_write(&vd_scenario_schema, again, &second);
  if (!good || first.length != second.length || memcmp(first.text, second.text, first.length) != 0) {
    fprintf(stderr, "--- written\n%s--- read back and written again\n%s", first.text, second.text ? second.text : "");
    abort();
  }
  vd_buf_finish(&first);
  vd_buf_finish(&second);
}

static void run_some_steps(vd_scenario_def *def) {
  static vd_metrics metrics;
  vd_run_options options = {.digits = VD_DIGITS_9};
  vd_recorder recorder;
  vd_run_report report;
  if (def->run.duration > STEPS * def->run.step)
    def->run.duration = STEPS * def->run.step;
  vd_recorder_init(&recorder, true);
  vd_simulate(def, &options, NULL, &recorder, &report);
  if (report.status == VD_SIM_OK)
    vd_run_metrics(def, &recorder, &metrics);
  vd_recorder_finish(&recorder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static FILE *nowhere;
  if (!nowhere)
    nowhere = fopen("/dev/null", "w");
  if (!nowhere)
    abort();
  vd_arena *arena = vd_arena_create();
  vd_scenario_def *def = vd_arena_alloc(arena, sizeof *def);
  settings set;
  find_settings((const char *)data, size, arena, &set);
  if (read_text((const char *)data, size, &set, arena, nowhere, def)) {
    check_round_trip(def, arena);
    run_some_steps(def);
  }
  vd_arena_destroy(arena);
  return 0;
}

#ifdef VD_FUZZ_REPLAY
static bool replay(const char *path) {
  vd_buf text = {0};
  char piece[4096];
  FILE *f = fopen(path, "rb");
  if (!f) {
    perror(path);
    return false;
  }
  for (size_t got; (got = fread(piece, 1, sizeof piece, f)) > 0;)
    vd_buf_add(&text, piece, got);
  bool good = !ferror(f);
  fclose(f);
  if (good)
    LLVMFuzzerTestOneInput((const uint8_t *)(text.text ? text.text : ""), text.length);
  vd_buf_finish(&text);
  return good;
}

int main(int argc, char **argv) {
  int read = 0;
  for (int i = 1; i < argc; i++)
    read += replay(argv[i]);
  printf("%d of %d inputs survived\n", read, argc - 1);
  return read == argc - 1 ? 0 : 2;
}
#endif
