/* Fuzzing of the reader of OBJ files: any bytes must lead to messages, or to a mesh on which contacts of wheels and
 * rays can be computed, never to a crash or a hang.
 *
 * With clang -fsanitize=fuzzer this is a libFuzzer target; with -DVD_FUZZ_REPLAY a program that reads the files given
 * as arguments, prints their messages and exits with 2 if one was refused. */
#include "ground/mesh_def.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void check_contact(const vd_mesh *mesh, const vd_disc *disc, int *hint) {
  vd_contact_point contact;
  if (!vd_mesh_contact(mesh, disc, hint, &contact)) {
    if (*hint != -1)
      abort();
    return;
  }
  bool good = *hint >= 0 && (size_t)*hint < vd_mesh_triangles(mesh) && contact.reach >= 0.0 &&
              contact.reach <= disc->radius * (1.0 + 1e-12) && contact.distance >= 0.0 &&
              contact.distance <= contact.reach * (1.0 + 1e-12) &&
              fabs(dot(contact.normal, contact.normal) - 1.0) <= 1e-12 &&
              isfinite(contact.at[0] + contact.at[1] + contact.at[2]);
  if (!good)
    abort();
}

static void check_ray(const vd_mesh *mesh, const double *from, const double *way) {
  double t, normal[3];
  if (!vd_mesh_ray(mesh, from, way, 2.0, &t, normal))
    return;
  if (!(t >= 0.0 && t <= 2.0) || !(dot(normal, way) <= 0.0) || !(fabs(dot(normal, normal) - 1.0) <= 1e-12))
    abort();
}

/* Checks contacts of discs, and rays, from places in and around the mesh's box. */
static void check_contacts_and_rays(const vd_mesh *mesh) {
  static const double axles[][3] = {{0.0, 1.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 0.0, -1.0}, {0.6, 0.64, 0.48}};
  double low[3], high[3];
  int hint = -1;
  vd_mesh_bounds(mesh, low, high);
  for (int i = 0; i < 27; i++) {
    const int share[] = {i % 3, i / 3 % 3, i / 9};
    vd_disc disc = {.body = NULL};
    for (int k = 0; k < 3; k++)
      disc.centre[k] = low[k] + 0.5 * share[k] * (high[k] - low[k]) + 0.1;
    for (size_t a = 0; a < sizeof axles / sizeof *axles; a++) {
      double way[3];
      for (int k = 0; k < 3; k++) {
        disc.axle[k] = axles[a][k];
        way[k] = (high[k] - low[k] + 0.1) * axles[a][k];
      }
      disc.radius = i % 2 ? 0.3 : 1e3;
      check_contact(mesh, &disc, &hint);
      hint = a % 2 ? hint : -1;
      check_ray(mesh, disc.centre, way);
    }
  }
}

#ifndef VD_FUZZ_REPLAY
static bool check_mesh(int source, vd_diag *d, enum vd_mesh_normals normals) {
  vd_arena *arena = vd_arena_create();
  size_t before = vd_diag_errors(d);
  const vd_mesh *mesh = vd_mesh_read_source(source, normals, VD_MESH_UP_Z, arena, d);
  if ((mesh == NULL) != (vd_diag_errors(d) > before))
    abort(); /* refused without an error message, or accepted in spite of one */
  if (mesh)
    check_contacts_and_rays(mesh);
  vd_arena_destroy(arena);
  return mesh != NULL;
}

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
  int source = vd_diag_add_source(d, "fuzz.obj", (const char *)data, size);
  if (check_mesh(source, d, VD_MESH_FLAT) && !check_mesh(source, d, VD_MESH_SMOOTH))
    abort();
  vd_diag_print(d, nowhere(), false);
  vd_diag_destroy(d);
  return 0;
}
#else
int main(int argc, char **argv) {
  vd_diag *d = vd_diag_create();
  for (int i = 1; i < argc; i++) {
    vd_arena *arena = vd_arena_create();
    const vd_mesh *mesh = vd_mesh_read(argv[i], (vd_place){.source = -1}, VD_MESH_FLAT, VD_MESH_UP_Z, arena, d);
    if (mesh)
      check_contacts_and_rays(mesh);
    vd_arena_destroy(arena);
  }
  bool good = argc > 1 && vd_diag_errors(d) == 0;
  vd_diag_print(d, stderr, false);
  vd_diag_destroy(d);
  return good ? 0 : 2;
}
#endif
