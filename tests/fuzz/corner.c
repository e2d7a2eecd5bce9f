/* Fuzzing of the reader of suspension files: any bytes must lead to messages or to a corner that can be written, read
 * again and moved, never to a crash or a hang.
 *
 * First lines that begin with "#!" are settings: "#!wheel.center.2=0.3" is --set wheel.center.2=0.3.
 *
 * With clang -fsanitize=fuzzer this is a libFuzzer target; with -DVD_FUZZ_REPLAY a program that reads one suspension
 * file, prints its messages and exits with 2 if it was refused:
 *   read-suspension [--resolved | --graph] FILE [KEY=VALUE ...] */
#include "linkage/corner_def.h"

#include "input/schema.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETTINGS = 8 };

typedef struct settings {
  vd_setting setting[SETTINGS];
  size_t count;
} settings;

static bool read_text(const char *text, size_t length, const settings *set, vd_arena *arena, FILE *words,
                      vd_corner *corner, vd_buf *effective) {
  vd_diag *d = vd_diag_create();
  int source = vd_diag_add_source(d, "scenarios/suspensions/fuzz.yaml", text, length);
  bool good = vd_corner_read_source(source, set->setting, set->count, arena, d, corner, effective);
  if (good != (vd_diag_errors(d) == 0))
    abort(); /* refused without an error message, or accepted in spite of one */
  vd_diag_print(d, words, false);
  vd_diag_destroy(d);
  return good;
}

/* Checks that a written file is read and written again to the same bytes. */
static void check_round_trip(const vd_buf *first, vd_arena *arena) {
  vd_corner again;
  vd_buf second = {0};
  bool good = read_text(first->text, first->length, &(settings){.count = 0}, arena, stderr, &again, &second);
  if (!good || first->length != second.length || memcmp(first->text, second.text, second.length) != 0) {
    fprintf(stderr, "--- written\n%s--- read back and written again\n%s", first->text, second.text ? second.text : "");
    abort();
  }
  vd_buf_finish(&second);
}

/* Calls all functions of an accepted corner; a length that is not a number shows that a check is missing. */
static void check_motion(const vd_corner *corner) {
  vd_linkage l;
  vd_pose pose;
  vd_buf graph = {0};
  vd_corner_graph(corner, &graph);
  vd_buf_finish(&graph);
  if (!vd_linkage_build(&corner->points, VD_PARALLEL, &l))
    abort();
  vd_linkage_start(&l, &pose);
  const vd_element *element[] = {&corner->points.spring, &corner->points.damper};
  for (size_t i = 0; i < VD_COUNT(element); i++)
    if (element[i]->given && !isfinite(vd_element_length(&l, &pose, element[i]).v))
      abort();
  static const double ways[][2] = {{0.03, 0.0}, {-0.03, 0.0}, {0.0, 0.01}};
  for (size_t i = 0; i < VD_COUNT(ways); i++) {
    vd_linkage_start(&l, &pose);
    vd_linkage_move(&l, ways[i], &pose);
    if (!(vd_linkage_residual(&l, &pose) <= 1e-9))
      abort();
  }
}

#ifndef VD_FUZZ_REPLAY
static FILE *nowhere(void) {
  static FILE *f;
  if (!f)
    f = fopen("/dev/null", "w");
  if (!f)
    abort();
  return f;
}

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  vd_arena *arena = vd_arena_create();
  vd_corner corner;
  vd_buf effective = {0};
  settings set;
  find_settings((const char *)data, size, arena, &set);
  if (read_text((const char *)data, size, &set, arena, nowhere(), &corner, &effective)) {
    check_round_trip(&effective, arena);
    check_motion(&corner);
  }
  vd_buf_finish(&effective);
  vd_arena_destroy(arena);
  return 0;
}
#else
int main(int argc, char **argv) {
  int first = 1;
  bool resolved = argc > 1 && strcmp(argv[1], "--resolved") == 0, graph = argc > 1 && strcmp(argv[1], "--graph") == 0;
  first += resolved || graph;
  if (first >= argc)
    return 2;
  settings set = {.count = 0};
  for (int i = first + 1; i < argc && set.count < SETTINGS; i++)
    set.setting[set.count++] = (vd_setting){.text = argv[i]};
  vd_diag *d = vd_diag_create();
  vd_arena *arena = vd_arena_create();
  vd_corner corner;
  vd_buf effective = {0};
  bool good = vd_corner_read(argv[first], set.setting, set.count, arena, d, &corner, &effective);
  vd_diag_print(d, stderr, false);
  if (good) {
    check_round_trip(&effective, arena);
    check_motion(&corner);
    if (graph) {
      effective.length = 0;
      vd_corner_graph(&corner, &effective);
    }
    if (resolved || graph)
      fwrite(effective.text, 1, effective.length, stdout);
  }
  vd_buf_finish(&effective);
  vd_arena_destroy(arena);
  vd_diag_destroy(d);
  return good ? 0 : 2;
}
#endif
