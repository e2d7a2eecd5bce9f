#include "bench/limits.h"

#include "scene.h"

#include "base/elementary.h"
#include "limits/diagram.h"
#include "limits/envelope.h"
#include "limits/lap.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

enum { ROUNDS = 5, SPEEDS = 40, DIRECTIONS = 36, SLIPS = 50, STEERS = 40, KNOTS = 19, PLACES = 5001 };

static double processor_time(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e3 * ((double)t.tv_sec + 1e-9 * (double)t.tv_nsec);
}

static vd_envelope_plan plan_of(const vd_model *m) {
  return (vd_envelope_plan){.directions = DIRECTIONS,
                            .bounds = {12.0 * VD_PI / 180.0, m->vehicle.steering.max_angle, 1.0, false},
                            .gear = VD_GEAR_AUTOMATIC};
}

static double envelope_time(const vd_model *m, long *evaluations) {
  const vd_envelope_plan plan = plan_of(m);
  static vd_limit_point point[SPEEDS * DIRECTIONS];
  double best = INFINITY, speed[SPEEDS];
  for (int i = 0; i < SPEEDS; i++)
    speed[i] = 10.0 + 40.0 * i / (SPEEDS - 1);
  for (int round = 0; round < ROUNDS; round++) {
    double start = processor_time();
    *evaluations = vd_envelope_find(m, &plan, speed, SPEEDS, point);
    best = fmin(best, processor_time() - start);
  }
  return best;
}

static double diagram_time(const vd_model *m, long *evaluations) {
  static vd_diagram d;
  const double most = 10.0 * VD_PI / 180.0;
  const vd_diagram_plan plan = {
      .speed = 100.0 / 3.6, .hold = VD_HOLD_COAST, .turn_rate = NAN, .bounds = plan_of(m).bounds, .gear = 1};
  double best = INFINITY;
  for (int round = 0; round < ROUNDS; round++) {
    double start = processor_time();
    vd_diagram_point p;
    vd_diagram_start(m, &plan, &d);
    for (int j = 0; j < STEERS; j++)
      for (int k = 0; k < SLIPS; k++) {
        int i = j % 2 == 0 ? k : SLIPS - 1 - k;
        vd_diagram_at(&d, most * (2.0 * i / (SLIPS - 1) - 1.0), most * (2.0 * j / (STEERS - 1) - 1.0), &p);
      }
    *evaluations = d.trim.evaluations;
    best = fmin(best, processor_time() - start);
  }
  return best;
}

/* Measures the computation of a lap on a closed line of ten bends to each side with radii of at least 33 m. times:
 * processor time, ms, of the lap and of the lap with slopes. False if there is no lap. */
static bool lap_times(const vd_model *m, double *times) {
  static double speed[KNOTS], normal[] = {VD_GRAVITY};
  static vd_gg_section section[KNOTS];
  static vd_lap_place place[PLACES];
  static vd_lap_row row[PLACES];
  static vd_lap_slopes slope[PLACES];
  const vd_envelope_plan plan = plan_of(m);
  const vd_lap_plan lap = {.closed = true, .start = NAN, .drive = 1.0, .brake = 1.0, .corner = 1.0};
  static vd_limit_point point[KNOTS * DIRECTIONS];
  vd_gg gg = {.speeds = KNOTS, .normals = 1, .speed = speed, .normal = normal, .section = section};
  bool good = true;
  for (int i = 0; i < KNOTS; i++)
    speed[i] = 5.0 + 5.0 * i;
  vd_envelope_find(m, &plan, speed, KNOTS, point);
  for (int i = 0; i < KNOTS && good; i++)
    good = vd_envelope_section(point + i * DIRECTIONS, DIRECTIONS, &section[i]);
  if (!good)
    return false;
  vd_gg_complete(&gg);
  for (int i = 0; i < PLACES; i++)
    place[i] = (vd_lap_place){.s = i, .curvature = 0.03 * pow(sin(2.0 * VD_PI * i / 500.0), 5.0), .limit = INFINITY};
  for (int with = 0; with < 2; with++) {
    times[with] = INFINITY;
    for (int round = 0; round < ROUNDS && good; round++) {
      size_t where;
      double start = processor_time();
      good = (with ? vd_lap_run_slopes(&gg, &lap, place, PLACES, row, slope)
                   : vd_lap_run(&gg, &lap, place, PLACES, row, &where)) == VD_LAP_FINE;
      times[with] = fmin(times[with], processor_time() - start);
    }
  }
  return good;
}

int bench_limits(const char *level, const char *vehicle) {
  char text[300];
  long evaluations[2];
  double lap[2];
  snprintf(text, sizeof text, "vehicle: %s\nrun: {level: %s, duration: 5 s}\n", vehicle, level);
  scene *s = scene_make(text, NULL);
  double envelope = envelope_time(&s->model, &evaluations[0]), diagram = diagram_time(&s->model, &evaluations[1]);
  bool good = lap_times(&s->model, lap);
  scene_free(s);
  if (good)
    printf("%.1f %.1f %.2f %.2f %.1f %.1f\n", envelope, diagram, lap[0], lap[1],
           (double)evaluations[0] / (SPEEDS * DIRECTIONS), (double)evaluations[1] / (SLIPS * STEERS));
  return good ? 0 : 2;
}
