/* Time per step of every level and tyre on a driving car: sedan at 30 m/s, speed held, sine steering of about 3 m/s2.
 *
 *   bench                 the table: ns per step, real-time factor at 1 ms, passes of the load loop
 *   bench LEVEL TYRE N    only N steps of one level and tyre: for counting instructions under callgrind. L3kc: L3
 *                         with wheels on tables
 *   bench precision LEVEL TYRE STEP [ACCURACY]
 *                         4 s of a sine at 0.4 g with run.step=STEP and run.accuracy=ACCURACY: the error; ns per
 *                         simulated second; this time over the time of L3 on mf96 with 1 ms, whose runs alternate
 *                         with these. The error is the greatest of those of yaw rate, vy and roll: rms of the
 *                         deviation from the run with 0.125 ms, over the rms of the quantity
 *   bench tyre TYRE N     N times the forces and moments of four tyres at combined slip: for counting instructions
 *   bench pose CORNER N   N poses of a corner (0 .. 3 of corners.h) with first and second derivatives, 5 mm of travel
 *                         and 1 mm of rack between two poses
 *   bench corner FILE     a suspension file: processor time, us, of an equilibrium on its bushings, from the
 *                         equilibrium with 500 N more or less side force; time, ms, of all rows of the kinematic
 *                         sweeps and of all rows of all sweeps; best of several rounds
 *   bench corner FILE N   N of these equilibria
 *   bench bushings RUN FILE
 *                         a vehicle file: processor time, ms, of vdsim-run, the program RUN, for 6 s of a sine at L4
 *                         on rigid links and on nonlinear bushings, and the ratio of the second to the first; best of
 *                         several rounds
 *   bench study FILE N    the first N cases of a study: processor time, ns, in which one case is run for its metrics,
 *                         and in which it is read
 *   bench deadline NAME   calls of vd_advance by 1 ms, with steps of 1 ms, on L3, L4kerb or L4bushings: mean, 99.9 %
 *                         quantile and maximum of the processor time, us, then the mean and the greatest number of
 *                         evaluations of the model. A call's time is the least of several runs, so that interruptions
 *                         are excluded
 *   bench deadline NAME N the first N calls, for counting their instructions under callgrind
 *   bench limits LEVEL FILE
 *                         a vehicle file, relative to the folder scenarios/iso: the times of bench/limits.h
 *   bench mesh WAY N      N contact points of a wheel that rolls over a mesh of 5 cm squares, with hints (WAY 1) or
 *                         without (0) */
#include "bench/limits.h"
#include "corners.h"
#include "ground/mesh_def.h"
#include "input/schema.h"
#include "kc/sweep.h"
#include "linkage/corner_def.h"
#include "meshes.h"
#include "scene.h"
#include "study/study_impl.h"

#include "vdsim_impl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *const levels[] = {"L0", "L1", "L2", "L3", "L3kc", "L4", "L5hub", "L5strut", "L5link"};
static const char *const tyres[] = {"linear", "mf96", "tmeasy", "mf61"};
static const char *const tyre_files[] = {"scenarios/tyres/linear_80.yaml", "scenarios/tyres/mf96_touring.yaml",
                                         "scenarios/tyres/tmeasy_touring.yaml", "scenarios/tyres/mf61_synthetic.yaml"};

#define RUN                                                                                                            \
  "run: {duration: 1000 s}\n"                                                                                          \
  "initial: {speed: 30 m/s}\n"                                                                                         \
  "speed: 30 m/s\n"                                                                                                    \
  "steer: {type: sine, amplitude: 1 deg, frequency: 0.5 Hz}\n"

static scene *make_run(const char *level, size_t tyre, const char *text, const char *step, const char *accuracy) {
  static const char *const held[] = {"L5hub", "hub", "L5strut", "strut", "L5link", "linkage"};
  char run[32], front[96], rear[96], unsprung[32] = "run.unsprung=hub";
  snprintf(run, sizeof run, "run.level=%.2s", level);
  for (size_t i = 0; i < VD_COUNT(held); i += 2)
    if (strcmp(level, held[i]) == 0)
      snprintf(unsprung, sizeof unsprung, "run.unsprung=%s", held[i + 1]);
  snprintf(front, sizeof front, "vehicle.front.tyre=%s", tyre_files[tyre]);
  snprintf(rear, sizeof rear, "vehicle.rear.tyre=%s", tyre_files[tyre]);
  bool linked = strcmp(level, "L4") == 0 || strcmp(level, "L5link") == 0;
  const char *vehicle = strcmp(level, "L3kc") == 0 ? "vehicle=scenarios/vehicles/sedan_tables.yaml"
                        : linked                   ? "vehicle=scenarios/vehicles/sedan_hardpoints.yaml"
                                                   : "vehicle=scenarios/vehicles/sedan.yaml";
  return scene_make(text, vehicle, run, front, rear, unsprung, step, accuracy, NULL);
}

static scene *make(const char *level, size_t tyre) {
  return make_run(level, tyre, RUN, NULL, NULL);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Returns the processor time of this process alone, s. */
static double processor_time(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Returns the time of a step, s; the best of several rounds. */
static double time_steps(scene *s, long *passes, long *evaluations) {
  enum { ROUNDS = 7, STEPS = 40000 };
  double best = 1e9;
  *passes = *evaluations = 0;
  for (int round = 0; round < ROUNDS; round++) {
    double start = now();
    for (int i = 0; i < STEPS; i++)
      vd_sim_step(&s->sim);
    double each = (now() - start) / STEPS;
    best = each < best ? each : best;
  }
  for (int i = 0; i < 1000; i++) {
    vd_sim_step(&s->sim);
    *passes += s->sim.eval.loop.passes;
    ++*evaluations;
  }
  return best;
}

/* --- work and precision --- */

enum { SAMPLES = 250, SHOWN = 3 };
static const double sample_interval = 0.016; /* s */

/* Records quantities over 4 s. Returns the time that this took, s. */
static double take_samples(const char *level, size_t tyre, const char *step, const char *accuracy,
                           double (*sample)[SHOWN]) {
  scene *s = make_run(level, tyre,
                      "run: {duration: 4 s}\n"
                      "log: {rate: 62.5}\n"
                      "initial: {speed: 25 m/s}\n"
                      "speed: 25 m/s\n"
                      "steer: {type: sine, amplitude: 1.6 deg, frequency: 0.5 Hz}\n",
                      step, accuracy);
  double spent = 0.0;
  for (int i = 0; i < SAMPLES; i++) {
    double start = processor_time();
    scene_run(s, sample_interval * (i + 1));
    spent += processor_time() - start;
    vd_row row = scene_row(s);
    sample[i][0] = row.eval.motion.yaw_rate;
    sample[i][1] = row.eval.motion.vy;
    sample[i][2] = row.eval.log.body_roll;
  }
  bool ok = s->sim.status == VD_SIM_OK;
  scene_free(s);
  return ok ? spent : NAN;
}

static double worst_error(double (*sample)[SHOWN], double (*exact)[SHOWN]) {
  double worst = 0.0;
  for (int k = 0; k < SHOWN; k++) {
    double square = 0.0, whole = 0.0;
    for (int i = 0; i < SAMPLES; i++) {
      double difference = sample[i][k] - exact[i][k];
      square += difference * difference;
      whole += exact[i][k] * exact[i][k];
    }
    if (whole > 0.0 && !(sqrt(square / whole) <= worst)) /* a level without roll has no roll to compare */
      worst = sqrt(square / whole);
  }
  return worst;
}

/* Returns the median of the rounds. */
static double median(double *value, int count) {
  for (int i = 1; i < count; i++)
    for (int k = i; k > 0 && value[k - 1] > value[k]; k--) {
      double x = value[k];
      value[k] = value[k - 1];
      value[k - 1] = x;
    }
  return 0.5 * (value[(count - 1) / 2] + value[count / 2]);
}

static int precision(const char *level, const char *tyre, const char *step, const char *accuracy) {
  enum { ROUNDS = 7, MF96 = 1 };
  static double exact[SAMPLES][SHOWN], sample[SAMPLES][SHOWN], other[SAMPLES][SHOWN];
  char setting[64], accurate[64];
  double ratio[ROUNDS], best = INFINITY;
  size_t i = 0;
  while (i < VD_COUNT(tyres) && strcmp(tyre, tyres[i]) != 0)
    i++;
  if (i == VD_COUNT(tyres))
    return 2;
  snprintf(setting, sizeof setting, "run.step=%s", step);
  snprintf(accurate, sizeof accurate, "run.accuracy=%s", accuracy);
  for (int round = 0; round < ROUNDS; round++) {
    double reference = take_samples("L3", MF96, "run.step=1 ms", NULL, other);
    double spent = take_samples(level, i, setting, accurate, sample);
    ratio[round] = spent / reference;
    best = fmin(best, spent);
  }
  take_samples(level, i, "run.step=0.125 ms", NULL, exact);
  double error = worst_error(sample, exact);
  printf("%.3e %.0f %.4f\n", error, 1e9 * best / (SAMPLES * sample_interval), median(ratio, ROUNDS));
  return isfinite(error) && isfinite(best) ? 0 : 1;
}

/* Evaluates slip, forces and moments of four tyres, each time at other slips and loads. */
static void evaluate(const scene *s, long count) {
  const vd_tyre_row *row = &s->model.lanes.row;
  double kappa[VD_WHEELS], tan_alpha[VD_WHEELS], vx[VD_WHEELS], friction[VD_WHEELS], load[VD_WHEELS], mz[VD_WHEELS];
  const vd_contact contact = {.kappa = kappa, .tan_alpha = tan_alpha, .vx = vx};
  for (long k = 0; k < count; k++) {
    vd_slide_row slide;
    vd_tyre_forces f;
    for (int i = 0; i < VD_WHEELS; i++) {
      double share = (double)((k + 250 * i) % 1000) / 1000.0;
      kappa[i] = 0.1 * (share - 0.5);
      tan_alpha[i] = 0.1 * (0.7 - share);
      vx[i] = 30.0;
      friction[i] = 1.0;
      load[i] = 2000.0 + 4000.0 * share;
    }
    vd_tyre_slide(row, &contact, &slide);
    vd_tyre_force(row, &slide, friction, load, &f);
    vd_tyre_moments(row, &slide, load, vx, f.fy, mz);
  }
}

static int once(const char *level, const char *tyre, long steps) {
  for (size_t i = 0; i < VD_COUNT(tyres); i++)
    if (strcmp(tyre, tyres[i]) == 0) {
      bool tyre_alone = strcmp(level, "tyre") == 0;
      scene *s = make(tyre_alone ? "L2" : level, i);
      if (tyre_alone)
        evaluate(s, steps);
      for (long k = 0; k < steps && !tyre_alone; k++)
        vd_sim_step(&s->sim);
      bool ok = s->sim.status == VD_SIM_OK;
      scene_free(s);
      return ok ? 0 : 1;
    }
  return 2;
}

/* Computes poses up and down over +-100 mm of travel; each pose starts from the one before. */
static int poses(long corner, long count) {
  vd_linkage l;
  vd_pose pose;
  if (corner < 0 || corner >= CORNERS_OF || !vd_linkage_build(&corner_points[corner], VD_PARALLEL, &l))
    return 2;
  vd_linkage_start(&l, &pose);
  for (long k = 0; k < count; k++) {
    long turn = k % 80, place = turn < 20 ? turn : turn < 60 ? 40 - turn : turn - 80;
    const double u[VD_INPUTS] = {5e-3 * (double)place, 1e-3 * (double)place};
    if (vd_linkage_move(&l, u, &pose) != VD_LINKAGE_OK)
      return 1;
  }
  return 0;
}

/* Computes a point of a surface with waves along x of amplitude `height' and length 2 pi m. */
static void wave_place(const sheet *s, double u, double v, double *p) {
  p[0] = s->length * u;
  p[1] = s->width * (v - 0.5);
  p[2] = s->height * sin(p[0]);
}

static int contacts(long hinted, long count) {
  enum { PLACES = 640 };
  vd_buf text = {0};
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  const sheet s = {.place = wave_place, .length = 20.0, .width = 5.0, .height = 0.2};
  sheet_write(&s, 400, 100, 0, false, &text);
  const vd_mesh *mesh = vd_mesh_read_source(vd_diag_add_source(d, "waves.obj", text.text, text.length), VD_MESH_FLAT,
                                            VD_MESH_UP_Z, arena, d);
  int hint = -1, lost = mesh ? 0 : 1;
  for (long k = 0; mesh && k < count; k++) {
    vd_contact_point contact;
    double x = 0.4 + 0.03 * (double)(k % PLACES), slope = 0.2 * cos(x), scale = 0.31 / sqrt(1.0 + slope * slope);
    const vd_disc disc = {.centre = {x - scale * slope, 0.333, 0.2 * sin(x) + scale},
                          .axle = {-sin(0.05), cos(0.05), 0.0},
                          .radius = 0.35};
    hint = hinted && k % PLACES > 0 ? hint : -1;
    lost += !vd_mesh_contact(mesh, &disc, &hint, &contact);
  }
  vd_buf_finish(&text);
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
  return lost ? 1 : 0;
}

/* Solves equilibria from -4 to 4 kN of side force and back by 500 N, with 4500 N of load and a jack at the wheel
 * centre. */
static bool equilibria(const vd_corner *corner, const vd_linkage *l, long count) {
  vd_compliance *c = vd_compliance_create(corner, l, VD_HOLD_CENTRE);
  vd_compliance_state state;
  const double u[VD_INPUTS] = {0.0, 0.0};
  bool good = true;
  vd_linkage_start(l, &state.pose);
  for (long k = 0; k < count && good; k++) {
    long turn = k % 32, place = turn < 8 ? turn : turn < 24 ? 16 - turn : turn - 32;
    const vd_wheel_load load = {.fy = 500.0 * (double)place, .fz = 4500.0};
    good = vd_compliance_solve(c, u, &load, &state);
  }
  vd_compliance_destroy(c);
  return good;
}

static double sweep_time(const vd_corner *corner, bool kinematic) {
  vd_kc_plan plan = vd_kc_plan_default();
  vd_kc_report report;
  vd_buf out = {0};
  for (int i = 0; i < VD_KC_SWEEPS && kinematic; i++)
    plan.sweep[i] = i == VD_KC_TRAVEL || i == VD_KC_RACK;
  double start = processor_time();
  bool good = vd_kc_sweep_write(corner, &plan, &out, &report) || report.rows > 0;
  double spent = processor_time() - start;
  vd_buf_finish(&out);
  vd_buf_finish(&report.messages);
  return good ? spent : NAN;
}

static int corner_times(const char *path, long count) {
  enum { ROUNDS = 9, EACH = 640 };
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  vd_corner corner;
  vd_linkage l;
  bool good = vd_corner_read(path, NULL, 0, arena, d, &corner, NULL) && vd_kc_elastic(&corner) &&
              vd_linkage_build(&corner.points, VD_PARALLEL, &l);
  double best[3] = {INFINITY, INFINITY, INFINITY};
  if (good && count > 0)
    good = equilibria(&corner, &l, count);
  for (int round = 0; round < ROUNDS && good && count == 0; round++) {
    double start = processor_time();
    good = equilibria(&corner, &l, EACH);
    best[0] = fmin(best[0], 1e6 / EACH * (processor_time() - start));
    for (int k = 0; k < 2; k++)
      best[1 + k] = fmin(best[1 + k], 1e3 * sweep_time(&corner, k == 0));
  }
  if (good && count == 0)
    printf("%.2f %.3f %.3f\n", best[0], best[1], best[2]);
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
  return good ? 0 : 1;
}

/* Returns the processor time of vdsim-run for 6 s of a sine at L4, s; NAN if the vehicle is refused. */
static double manoeuvre_time(const char *run, const char *path, const char *compliance) {
  char vehicle[256], links[64];
  struct rusage before, after;
  int status;
  snprintf(vehicle, sizeof vehicle, "vehicle=%s", path);
  snprintf(links, sizeof links, "run.compliance=%s", compliance);
  getrusage(RUSAGE_CHILDREN, &before);
  pid_t child = fork();
  if (child == 0) {
    execl(run, run, "-q", "-o", "/dev/null", "--set", vehicle, "--set", links, "--set", "run.level=L4",
          "scenarios/iso/sine_steer.yaml", (char *)NULL);
    _exit(127);
  }
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
    return NAN;
  getrusage(RUSAGE_CHILDREN, &after);
  const struct timeval *from[] = {&before.ru_utime, &before.ru_stime}, *to[] = {&after.ru_utime, &after.ru_stime};
  double spent = 0.0;
  for (int i = 0; i < 2; i++)
    spent += (double)(to[i]->tv_sec - from[i]->tv_sec) + 1e-6 * (double)(to[i]->tv_usec - from[i]->tv_usec);
  return spent;
}

static int bushing_times(const char *run, const char *path) {
  enum { ROUNDS = 7 };
  double best[2] = {INFINITY, INFINITY};
  for (int round = 0; round < ROUNDS; round++)
    for (int k = 0; k < 2; k++) {
      double spent = 1e3 * manoeuvre_time(run, path, k == 0 ? "none" : "nonlinear");
      if (isnan(spent))
        return 1;
      best[k] = fmin(best[k], spent);
    }
  printf("%.1f %.1f %.2f\n", best[0], best[1], best[1] / best[0]);
  return 0;
}

/* Runs cases of a study without the pool, their lines and their journal. */
static int cases(const char *path, long count) {
  vd_arena *arena = vd_arena_create(), *passing;
  vd_diag *d = vd_diag_create();
  vd_study study;
  vd_study_reader reader;
  int source;
  double reading = 0.0, running = 0.0;
  bool good = vd_schema_slurp(path, d, &source) && vd_study_read_source(source, NULL, 0, arena, d, &study);
  if (good) {
    vd_study_walk *walk = vd_study_walk_start(&study);
    vd_study_reader_start(&study, &reader);
    for (long i = 0; i < count && good; i++) {
      size_t settings;
      const char *why;
      vd_subject is;
      vd_case_outcome out = {.refused = false};
      double start = processor_time();
      passing = vd_arena_create();
      const vd_setting *set = vd_study_settings(walk, (size_t)i % study.count, &settings, &why);
      good = !why && vd_study_read_case(&study, &reader, set, settings, false, passing, &is);
      double read = processor_time();
      if (good)
        vd_study_run(&study, &reader, &is, set, settings, VD_DIGITS_9, NULL, passing, &out);
      running += processor_time() - read;
      vd_arena_destroy(passing);
      reading += read - start;
    }
    vd_study_reader_finish(&reader);
    vd_study_walk_finish(walk);
  }
  if (good)
    printf("%.0f %.0f\n", 1e9 * running / (double)count, 1e9 * reading / (double)count);
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
  return good ? 0 : 1;
}

/* --- deadlines --- */

static const struct {
  const char *name, *file, *setting;
} loops[] = {{"L3", "scenarios/iso/sine_steer_l3.yaml", "run.level=L3"},
             {"L4kerb", "scenarios/hardpoints/kerb_strike.yaml", "run.compliance=none"},
             {"L4bushings", "scenarios/hardpoints/kerb_strike.yaml", "run.compliance=nonlinear"}};

static int ascending(const void *a, const void *b) {
  const double *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

static int deadlines(const char *name, long count) {
  enum { ROUNDS = 5, CALLS = 3000 };
  static double best[CALLS];
  size_t i = 0;
  while (i < VD_COUNT(loops) && strcmp(name, loops[i].name) != 0)
    i++;
  if (i == VD_COUNT(loops))
    return 2;
  const char *const settings[] = {"run.step=1 ms", loops[i].setting};
  vd_case *c;
  vd_run *run;
  if (vd_load_file(loops[i].file, settings, 2, &c) != VD_OK || vd_build(c, 0, &run) != VD_OK)
    return 1;
  int calls = count > 0 && count < CALLS ? (int)count : CALLS;
  const vd_sim *sim = &run->instance.sim;
  long most = 0, all = 0; /* evaluations */
  for (int round = 0; round < (count > 0 ? 1 : ROUNDS); round++) {
    vd_restart(run);
    all = 0;
    for (int k = 0; k < calls; k++) {
      const long before = 4 * sim->parts + sim->sought;
      double start = processor_time();
      if (vd_advance(run, 1e-3 * (k + 1)) != VD_OK)
        return 1;
      double spent = 1e6 * (processor_time() - start);
      best[k] = round == 0 ? spent : fmin(best[k], spent);
      const long made = 4 * sim->parts + sim->sought - before;
      all += made;
      most = made > most ? made : most;
    }
  }
  double sum = 0.0;
  for (int k = 0; k < calls; k++)
    sum += best[k];
  qsort(best, (size_t)calls, sizeof *best, ascending);
  if (count == 0)
    printf("%.2f %.2f %.2f %.2f %ld\n", sum / calls, best[calls - 1 - calls / 1000], best[calls - 1],
           (double)all / calls, most);
  vd_run_free(run);
  vd_case_free(c);
  return 0;
}

int main(int argc, char **argv) {
  if (argc >= 3 && argc <= 4 && strcmp(argv[1], "deadline") == 0)
    return deadlines(argv[2], argc == 4 ? strtol(argv[3], NULL, 10) : 0);
  if (argc >= 5 && argc <= 6 && strcmp(argv[1], "precision") == 0)
    return precision(argv[2], argv[3], argv[4], argc == 6 ? argv[5] : "auto");
  if (argc >= 3 && argc <= 4 && strcmp(argv[1], "corner") == 0)
    return corner_times(argv[2], argc == 4 ? strtol(argv[3], NULL, 10) : 0);
  if (argc == 4 && strcmp(argv[1], "limits") == 0)
    return bench_limits(argv[2], argv[3]);
  if (argc == 4 && strcmp(argv[1], "bushings") == 0)
    return bushing_times(argv[2], argv[3]);
  if (argc == 4 && strcmp(argv[1], "study") == 0)
    return cases(argv[2], strtol(argv[3], NULL, 10));
  if (argc == 4 && strcmp(argv[1], "mesh") == 0)
    return contacts(strtol(argv[2], NULL, 10), strtol(argv[3], NULL, 10));
  if (argc == 4 && strcmp(argv[1], "pose") == 0)
    return poses(strtol(argv[2], NULL, 10), strtol(argv[3], NULL, 10));
  if (argc == 4)
    return once(argv[1], argv[2], strtol(argv[3], NULL, 10));
  printf("%-8s %-8s %12s %14s %12s\n", "level", "tyre", "ns/step", "x real time", "load passes");
  for (size_t level = 0; level < VD_COUNT(levels); level++)
    for (size_t tyre = 0; tyre < VD_COUNT(tyres); tyre++) {
      if (level == 0 && tyre > 0)
        continue;
      long passes, evaluations;
      scene *s = make(levels[level], tyre);
      double each = time_steps(s, &passes, &evaluations);
      printf("%-8s %-8s %12.0f %14.0f %12.2f\n", levels[level], level == 0 ? "-" : tyres[tyre], 1e9 * each,
             s->model.options.step / each, (double)passes / (double)evaluations);
      scene_free(s);
    }
  return 0;
}
