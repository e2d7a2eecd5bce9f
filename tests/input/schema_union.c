/* A tagged union in YAML: each variant has a table of rows that fill members of a union. */
#include "base/base.h"
#include "input/schema.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum shape { BALL, BRICK, ROD };

typedef struct solid {
  int shape;
  double density;
  union {
    struct {
      double radius;
    } ball;
    struct {
      double length, width;
      const char *stamp;
    } brick;
    struct {
      double length;
    } rod;
  } as;
  double price;
} solid;

static const char *const shapes[] = {"ball", "brick", "rod", NULL};

static const vd_field ball_rows[] = {
    {VD_F_NUMBER(solid, as.ball.radius, "radius", "m", 0, 1, VD_ABOVE, NULL, "radius"), .only = VD_WHEN(BALL)},
};
static const vd_schema ball = {.field = ball_rows, .count = VD_COUNT(ball_rows)};

#define LENGTH(variant, value)                                                                                         \
  { VD_F_NUMBER(solid, as.variant.length, "length", "m", 0, 9, VD_ABOVE, NULL, "length"), .only = VD_WHEN(value) }

static const vd_field brick_rows[] = {
    LENGTH(brick, BRICK),
    {VD_F_NUMBER(solid, as.brick.width, "width", "m", 0, 9, VD_ABOVE, "0.1", "width"), .only = VD_WHEN(BRICK)},
    {VD_F_STRING(solid, as.brick.stamp, "stamp", "\"\"", "maker"), .only = VD_WHEN(BRICK)},
};
static const vd_schema brick = {.field = brick_rows, .count = VD_COUNT(brick_rows)};

static const vd_field rod_rows[] = {LENGTH(rod, ROD)};
static const vd_schema rod = {.field = rod_rows, .count = VD_COUNT(rod_rows)};

static const vd_field solid_rows[] = {
    {VD_F_CHOICE(solid, shape, "shape", shapes, "ball", "shape")},
    {VD_F_NUMBER(solid, density, "density", "kg/m3", 0, 1e5, VD_ABOVE, "1000", "density")},
    {VD_F_GROUP(&ball)},
    {VD_F_GROUP(&brick)},
    {VD_F_GROUP(&rod)},
    {VD_F_NUMBER(solid, price, "price", "1", 0, 1e6, 0, "0", "price")},
};
static const vd_schema solid_schema = {
    .name = "solid", .size = sizeof(solid), .field = solid_rows, .count = VD_COUNT(solid_rows), .tag = "shape"};

static vd_arena *arena;
static vd_diag *diag;

/* Reads a solid. Returns the first message, or "" if there is none. */
static const char *read_solid(const char *text, solid *out) {
  static char message[1000];
  char *all = NULL;
  size_t size;
  vd_arena_destroy(arena);
  vd_diag_destroy(diag);
  arena = vd_arena_create();
  diag = vd_diag_create();
  int source = vd_diag_add_source(diag, "t.yaml", text, strlen(text));
  vd_schema_read_source(&solid_schema, source, NULL, 0, arena, diag, out, NULL);
  FILE *f = open_memstream(&all, &size);
  if (!f)
    abort();
  vd_diag_print(diag, f, false);
  fclose(f);
  snprintf(message, sizeof message, "%.*s", (int)strcspn(all, "\n"), all);
  free(all);
  return message;
}

static void test_reading(void) {
  solid s;
  tap_str(read_solid("{radius: 20 mm, price: 3}\n", &s), "", "the default variant needs no tag");
  tap_near(s.as.ball.radius, 0.02, 0.0, "the row of the default variant fills its member of the union");
  tap_near(s.price, 3.0, 0.0, "rows behind the groups of variants are read");
  read_solid("{shape: brick, length: 0.25, stamp: A}\n", &s);
  tap_near(s.as.brick.length, 0.25, 0.0, "the row of another variant fills its own member");
  tap_near(s.as.brick.width, 0.1, 0.0, "the default of a row applies to its variant");
  tap_str(s.as.brick.stamp, "A", "texts are read into the union");
}

static void test_refusals(void) {
  solid s;
  tap_str(read_solid("{shape: brick, radius: 1, length: 1}\n", &s),
          "t.yaml:1:16: error: key 'radius' does not apply to solid shape 'brick'",
          "a key of another variant is refused by name");
  tap_str(read_solid("{shape: rod}\n", &s), "t.yaml:1:1: error: missing key 'length' in solid",
          "a missing key of the variant is named");
  tap_str(read_solid("{radius: 0.1, lenght: 1}\n", &s), "t.yaml:1:15: error: unknown key 'lenght' in solid",
          "keys of other variants are not suggested");
  tap_str(read_solid("{shape: brick, length: 1, widht: 1}\n", &s),
          "t.yaml:1:27: error: unknown key 'widht' in solid; did you mean 'width'?",
          "keys of the same variant are suggested");
}

static void test_writing(void) {
  solid s;
  vd_buf out = {0};
  read_solid("{shape: brick, length: 0.25}\n", &s);
  vd_schema_write(&solid_schema, &s, &out);
  tap_str(out.text, "shape: brick\ndensity: 1000  # kg/m3\nlength: 0.25  # m\nwidth: 0.1  # m\nstamp: \"\"\nprice: 0\n",
          "the rows of the variant are written, in the order of the tables");
  vd_buf_finish(&out);
  vd_buf list = {0};
  vd_schema_list(&solid_schema, NULL, &list);
  const char *line = strstr(list.text, "length\t");
  tap_ok(line && strstr(line, "\tshape=brick|rod\t0.3 m\n") && !strstr(line + 1, "\nlength\t"),
         "equal rows of two variants are one line of the list");
  tap_ok(strstr(list.text, "radius\tnumber\tm\t> 0 and <= 1\trequired\tradius\tshape=ball\t0.3 m\n") != NULL,
         "the list names the variant of a key");
  vd_buf_finish(&list);
  tap_ok(vd_schema_object_tag(&solid_schema, &s) == BRICK, "the tag of an object is read back");
}

int main(void) {
  tap_plan(14);
  test_reading();
  test_refusals();
  test_writing();
  vd_arena_destroy(arena);
  vd_diag_destroy(diag);
  return tap_done();
}
