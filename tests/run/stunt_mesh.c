/* Stunts on triangle meshes compared with the same stunts on the surfaces from which the meshes are made.
 *
 *   stunt_mesh             the test
 *   stunt_mesh TRIANGLES   prints the time to read a mesh of the loop with so many triangles, and the times of a step
 *                          on it and on the surface
 *
 * The meshes are made here from the definitions of the curves, the loop by quadrature, independently of the library. */
#include "meshes.h"
#include "stunts.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

/* --- curves --- */

enum { MOST_POINTS = 40001 };

/* A curve in a vertical plane, with the arc length at each point. */
typedef struct profile {
  size_t count;
  double q[MOST_POINTS][2], s[MOST_POINTS]; /* m */
  /* m; cos, sin and tan of psi (ground/loop.h); m, half the width across the plane of the curve */
  double at, cosine, sine, skew, half;
} profile;

static profile curve;

static void add_point(double ahead, double up) {
  size_t n = curve.count++;
  double back = n > 0 ? hypot(ahead - curve.q[n - 1][0], up - curve.q[n - 1][1]) : 0.0;
  curve.q[n][0] = ahead;
  curve.q[n][1] = up;
  curve.s[n] = n > 0 ? curve.s[n - 1] + back : 0.0;
}

static void make_ramp(double at, double length, double height, double lip, size_t pieces) {
  curve = (profile){.at = at, .cosine = 1.0, .half = 4.0};
  for (size_t i = 0; i <= pieces; i++) {
    double x = length * (double)i / (double)pieces;
    add_point(x, 0.5 * height * (1.0 - cos(VD_PI * x / length)));
  }
  add_point(length + lip, height);
  add_point(length + lip, 0.0);
}

/* Returns the slope angle of a loop at the arc length s, rad. */
static double loop_angle(double radius, double entry, double length, double s) {
  double end = length - s;
  if (s < entry)
    return s * s / (2.0 * radius * entry);
  if (end < entry)
    return 2.0 * VD_PI - end * end / (2.0 * radius * entry);
  return (s - 0.5 * entry) / radius;
}

static void make_loop(double at, double radius, double entry, double width, double offset, size_t pieces) {
  enum { FINE = 64 }; /* midpoints of the quadrature in each piece */
  double length = 2.0 * VD_PI * radius + entry, q[2] = {0.0, 0.0};
  curve = (profile){.at = at};
  add_point(0.0, 0.0);
  for (size_t i = 0; i < pieces; i++) {
    for (int k = 0; k < FINE; k++) {
      double h = length / (double)(pieces * FINE), s = ((double)(i * FINE + (size_t)k) + 0.5) * h;
      double angle = loop_angle(radius, entry, length, s);
      q[0] += h * cos(angle);
      q[1] += h * sin(angle);
    }
    add_point(q[0], q[1]);
    curve.s[i + 1] = length * (double)(i + 1) / (double)pieces;
  }
  curve.sine = offset / (length - q[0]);
  curve.cosine = sqrt(1.0 - curve.sine * curve.sine);
  curve.skew = curve.sine / curve.cosine;
  curve.half = 0.5 * width / curve.cosine;
}

static void on_curve(const sheet *s, double u, double v, double *p) {
  size_t i = (size_t)lround(u * (double)(curve.count - 1));
  double along = curve.q[i][0], aside = curve.skew * curve.s[i] + curve.half * (2.0 * v - 1.0);
  (void)s;
  p[0] = curve.at + curve.cosine * along + curve.sine * aside;
  p[1] = -curve.sine * along + curve.cosine * aside;
  p[2] = curve.q[i][1];
}

/* Computes a point of a plane that rises by tan(angle) to the left; its length begins at -10 m. */
static void on_bank(const sheet *s, double u, double v, double *p) {
  p[0] = s->length * u - 10.0;
  p[1] = s->width * (v - 0.5);
  p[2] = tan(s->angle) * p[1];
}

/* --- files --- */

static char folder[] = "/tmp/vdsim-stunt-XXXXXX", file[64];

static void write_mesh(const sheet *s, size_t nu, size_t nv) {
  vd_buf text = {0};
  sheet_write(s, nu, nv, 0, false, &text);
  FILE *f = fopen(file, "w");
  if (!f || fwrite(text.text, 1, text.length, f) != text.length || fclose(f) != 0) {
    printf("Bail out! %s: %s\n", file, strerror(errno));
    exit(2);
  }
  vd_buf_finish(&text);
}

static const sheet sweep = {.place = on_curve};

/* --- runs on meshes and on surfaces --- */

static const char *const normals[] = {"flat", "smooth"};

static scene *on_mesh(const char *text, const char *form, const char *unsprung, const char *direction) {
  char setting[160];
  snprintf(setting, sizeof setting, form, file, direction);
  return scene_make(text, "run.duration=6", unsprung, setting, NULL);
}

/* Compares the positions of the two centres of gravity at equal times, relative to the greatest extent of the path. */
static void compare(const char *what, const track *on, const track *reference) {
  double worst = 0.0, extent = 0.0, ledger, of_surface, rise;
  for (int j = 0; j < 3; j++) {
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < reference->count; i++) {
      low = tap_min(low, reference->at[i].cg[j]);
      high = tap_max(high, reference->at[i].cg[j]);
    }
    extent = tap_max(extent, high - low);
  }
  for (size_t i = 0; i < reference->count && i < on->count; i++) {
    double square = 0.0;
    for (int j = 0; j < 3; j++) {
      double d = on->at[i].cg[j] - reference->at[i].cg[j];
      square += d * d;
    }
    worst = tap_max(worst, sqrt(square));
  }
  worst_energies(on, &ledger, &rise);
  worst_energies(reference, &of_surface, &rise);
  bool whole = on->good && reference->good && on->count == reference->count;
  tap_near(whole ? worst / extent : NAN, 0.0, 0.01,
           "%s: the car is at most %.3g m from where it is on the surface at the same time; the path extends %.1f m",
           what, worst, extent);
  tap_diag("greatest ledger residual %.3g J, on the surface %.3g J", ledger, of_surface);
}

static void check(const char *what, const char *text, const char *form) {
  static const char *const unsprung[] = {"strut", "hub"};
  for (size_t u = 0; u < VD_COUNT(unsprung); u++) {
    char hung[32], title[96];
    snprintf(hung, sizeof hung, "run.unsprung=%s", unsprung[u]);
    scene *s = scene_make(text, "run.duration=6", hung, NULL);
    track reference = follow(s);
    for (size_t i = 0; i < VD_COUNT(normals); i++) {
      scene *s2 = on_mesh(text, form, hung, normals[i]);
      track on = follow(s2);
      snprintf(title, sizeof title, "%s, %s, %s normals", what, unsprung[u], normals[i]);
      compare(title, &on, &reference);
      free(on.at);
      scene_free(s2);
    }
    free(reference.at);
    scene_free(s);
  }
}

/* --- time --- */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Returns the time of a step, s: the best of several runs. */
static double time_of(const char *form, double *reading) {
  enum { ROUNDS = 5 };
  double best = INFINITY;
  *reading = INFINITY;
  for (int round = 0; round < ROUNDS; round++) {
    double begin = now();
    scene *s = form ? on_mesh("base: ../stunt/loop.yaml\n", form, "run.unsprung=strut", "flat")
                    : scene_make("base: ../stunt/loop.yaml\n", NULL);
    double ready = now();
    long steps = 0;
    while (steps < vd_scenario_steps(&s->def) && vd_sim_step(&s->sim) == VD_SIM_OK)
      steps++;
    best = tap_min(best, (now() - ready) / (double)steps);
    *reading = tap_min(*reading, ready - begin);
    scene_free(s);
  }
  return best;
}

static const char on_flat[] = "ground={type: flat, also: [{type: mesh, file: %s, normals: %s}]}";

static void time_mesh(size_t triangles) {
  size_t across = 100, along = triangles / (2 * across);
  double reading, none;
  make_loop(20.0, 10.0, 8.0, 6.0, 6.0, along < MOST_POINTS - 1 ? along : MOST_POINTS - 1);
  write_mesh(&sweep, curve.count - 1, across);
  double mesh = time_of(on_flat, &reading), surface = time_of(NULL, &none);
  printf("%zu triangles: read in %.2f s; a step takes %.0f ns, on the surface %.0f ns: %.2f\n",
         2 * across * (curve.count - 1), reading, 1e9 * mesh, 1e9 * surface, mesh / surface);
}

int main(int argc, char **argv) {
  if (!mkdtemp(folder)) {
    printf("Bail out! no temporary folder: %s\n", strerror(errno));
    return 2;
  }
  snprintf(file, sizeof file, "%s/mesh.obj", folder);
  int status = 0;
  if (argc == 2) {
    time_mesh((size_t)strtoul(argv[1], NULL, 10));
  } else {
    tap_plan(4 * 4);
    make_ramp(20.0, 4.0, 0.6, 0.4, 80);
    write_mesh(&sweep, curve.count - 1, 8);
    check("ramp", "base: ../stunt/flight.yaml\n", on_flat);
    write_mesh(&(sheet){.place = on_bank, .length = 80.0, .width = 40.0, .angle = 0.12}, 160, 80);
    check("bank", "base: ../stunt/bank.yaml\n", "ground={type: mesh, file: %s, normals: %s}");
    make_ramp(20.0, 4.0, 0.15, 6.0, 80);
    write_mesh(&sweep, curve.count - 1, 8);
    check("slowly over an edge",
          "base: ../stunt/flight.yaml\ninitial: {x: 26, speed: 4}\n"
          "ground: {type: flat, also: [{type: ramp, at: 20, length: 4, height: 0.15, lip: 6}]}\n",
          on_flat);
    make_loop(20.0, 10.0, 8.0, 6.0, 6.0, 1600);
    write_mesh(&sweep, curve.count - 1, 12);
    check("loop", "base: ../stunt/loop.yaml\ninitial: {speed: 25, y: 1.2}\n", on_flat);
    status = tap_done();
  }
  unlink(file);
  rmdir(folder);
  return status;
}
