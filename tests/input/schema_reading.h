/* Functions of tests that read one text at a time by a schema, and keep its messages. Files are in a folder of the
 * test. */
#ifndef VD_TEST_SCHEMA_READING_H
#define VD_TEST_SCHEMA_READING_H

#include "base/base.h"
#include "input/diag.h"
#include "input/schema.h"
#include "tap.h"
#include "input/tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- mappings that several schemas have --- */

enum kind { NONE, STEP, RAMP };
static const char *const kinds[] = {"none", "step", "ramp", NULL};

typedef struct profile {
  int type;
  double value, start, rate;
} profile;

typedef struct tyre {
  int model;
  double c, b_lat;
} tyre;

static const vd_field profile_rows[] = {
    {VD_F_CHOICE(profile, type, "type", kinds, "step", "shape")},
    {VD_F_NUMBER(profile, value, "value", "@", -INFINITY, INFINITY, 0, "0", "height"),
     .only = VD_WHEN(STEP) | VD_WHEN(RAMP)},
    {VD_F_NUMBER(profile, start, "start", "s", 0, INFINITY, 0, "0", "start"), .only = VD_WHEN(STEP) | VD_WHEN(RAMP)},
    {VD_F_NUMBER(profile, rate, "rate", "1", 0, 10, VD_ABOVE, NULL, "slope"), .only = VD_WHEN(RAMP)},
};
static const vd_schema profile_schema = {"profile", sizeof(profile), profile_rows, VD_COUNT(profile_rows),
                                         "type",    "value"};

static const char *const models[] = {"linear", "magic", NULL};
static const vd_field tyre_rows[] = {
    {VD_F_CHOICE(tyre, model, "model", models, "linear", "model")},
    {VD_F_NUMBER(tyre, c, "c", "N/rad", 0, INFINITY, VD_ABOVE, NULL, "stiffness")},
    {VD_F_NUMBER(tyre, b_lat, "b_lat", "1", 0, INFINITY, 0, NULL, "b"), .only = VD_WHEN(1)},
};
static const vd_schema tyre_schema = {"tyre", sizeof(tyre), tyre_rows, VD_COUNT(tyre_rows), "model", NULL};

/* --- one reading at a time; its memory is freed by the next --- */

static vd_arena *arena;
static vd_diag *diag;
static vd_node *root;
static bool good;
static char *messages; /* all messages as printed */

static inline void begin(void) {
  vd_arena_destroy(arena);
  vd_diag_destroy(diag);
  arena = vd_arena_create();
  diag = vd_diag_create();
}

static inline void end(void) {
  free(messages);
  messages = NULL;
  size_t size;
  FILE *f = open_memstream(&messages, &size);
  if (!f)
    abort();
  vd_diag_print(diag, f, false);
  fclose(f);
}

static inline void finish(void) {
  vd_arena_destroy(arena);
  vd_diag_destroy(diag);
  free(messages);
}

static inline void read_as(const vd_schema *schema, void *out, const char *text, const vd_setting *settings,
                           size_t count) {
  begin();
  int source = vd_diag_add_source(diag, "t.yaml", text, strlen(text));
  good = vd_schema_read_source(schema, source, settings, count, arena, diag, out, &root);
  end();
}

static char *made[64]; /* files to remove at the end */
static size_t made_count;

static inline void put(const char *path, const char *text) {
  if (made_count == VD_COUNT(made) || !(made[made_count++] = strdup(path)))
    abort();
  FILE *f = fopen(path, "wb");
  if (!f || fputs(text, f) < 0 || fclose(f) != 0)
    abort();
}

typedef struct refusal {
  const char *text;
  const char *message;
} refusal;

static inline void check_refusal(const refusal *one, size_t i) {
  bool expected = one->message ? strcmp(messages, one->message) == 0 : messages[0] != '\0';
  tap_ok(!good && expected, "refused %zu: %.*s", i, (int)strcspn(messages, "\n"), messages);
  if (!expected)
    tap_diag("got\n%s", messages);
}

static inline void clean(const char *folder) {
  for (size_t i = 0; i < made_count; i++) {
    unlink(made[i]);
    free(made[i]);
  }
  rmdir("v/t");
  rmdir("v");
  if (chdir("/") == 0)
    rmdir(folder);
}

#endif
