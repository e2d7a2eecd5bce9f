/* Fuzzing of measured roads: any bytes must lead to messages, or to a road whose heights are numbers or missing, whose
 * slopes are finite where there is a road, and on which wheels have contacts; never to a crash or a hang.
 *
 * With clang -fsanitize=fuzzer this is a libFuzzer target; with -DVD_FUZZ_REPLAY a program that reads the files given
 * as arguments, prints their messages and exits with 2 if one was refused. */
#include "ground/ground_def.h"
#include "input/measured.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void stand(const vd_ground *ground, double x, double y) {
  vd_road road;
  vd_ground_road(ground, x, y, &road);
  if (isnan(road.z))
    return;
  if (!isfinite(road.z + road.slope_x + road.slope_y))
    abort();
  const vd_disc disc = {.centre = {x, y, road.z + 0.29}, .axle = {0.0, 1.0, 0.0}, .radius = 0.3};
  double friction;
  vd_contact_point contact;
  int hint = -1;
  if (vd_ground_contact(ground, &disc, &hint, &contact, &friction) && !(contact.reach < disc.radius))
    abort();
}

/* Places wheels on the road, at its borders, beside and beyond it. */
static void look(const vd_crg *road, const vd_crg_def *keys) {
  vd_ground_def def = {.type = VD_GROUND_CRG, .friction = 1.0, .crg = *keys};
  vd_ground ground;
  def.crg.road = road;
  vd_ground_build(&def, &ground);
  const vd_crg_line *line = &road->line;
  for (int i = -2; i <= 12; i++)
    for (int k = -1; k <= 5; k++) {
      double u = 0.1 * i * line->pieces, v = line->right + 0.25 * k * (line->left - line->right);
      int at = u < 0.0 ? 0 : u < line->pieces ? (int)u : line->pieces;
      double first[4] = {line->start[0] + u / line->per_u * line->along[0],
                         line->start[1] + u / line->per_u * line->along[1], line->along[0], line->along[1]};
      const double *n = line->straight ? first : line->node[at];
      stand(&ground, n[0] - v * n[3], n[1] + v * n[2]);
    }
}

static bool try(int source, int interpolation, vd_diag *d) {
  const vd_crg_def def = {.file = "", .x = NAN, .y = NAN, .z = NAN, .heading = NAN, .interpolation = interpolation};
  vd_arena *arena = vd_arena_create();
  size_t before = vd_diag_errors(d);
  const vd_crg *road = vd_crg_build(source, &def, arena, d);
  if ((road == NULL) != (vd_diag_errors(d) > before))
    abort(); /* refused without an error message, or accepted in spite of one */
  if (road)
    look(road, &def);
  vd_arena_destroy(arena);
  return road != NULL;
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  vd_diag *d = vd_diag_create();
  int source = vd_diag_add_source(d, "fuzz.crg", (const char *)data, size);
  if (try(source, VD_MAP_BICUBIC, d) && !try(source, VD_MAP_BILINEAR, d))
    abort();
  vd_diag_print(d, nowhere(), false);
  vd_diag_destroy(d);
  return 0;
}
#else
int main(int argc, char **argv) {
  vd_diag *d = vd_diag_create();
  bool good = argc > 1;
  for (int i = 1; i < argc; i++) {
    int source;
    good = vd_measured_load(argv[i], (vd_place){0}, d, &source) && try(source, VD_MAP_BICUBIC, d) && good;
  }
  vd_diag_print(d, stderr, false);
  vd_diag_destroy(d);
  return good ? 0 : 2;
}
#endif
