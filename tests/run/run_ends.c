/* Runs end at their instant, not at the next step of the grid: the end does not depend on the steps and the log, it has
 * a row of the log, and no metric uses values after it. */
#include "run/run.h"
#include "base/base.h"
#include "base/elementary.h"
#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char stop[] =
    "vehicle: ../vehicles/sedan.yaml\nrun: {level: L2, duration: 8 s, stop_below: 0.1 km/h}\n"
    "initial: {speed: 100 km/h}\nbrake: {type: step, start: 1.00037 s, rise: 0.1 s, value: 0.4}\nmetrics: braking\n";

/* A run and its results. */
typedef struct ended {
  vd_run_report report;
  vd_metrics metrics;
  vd_sample last;
  double interval;   /* s, of rows */
  size_t rows, kept; /* read; samples in memory */
  vd_error_share error;
} ended;

static ended run(const char *text, const char *setting, const char *other, const char *third) {
  static const char pad[] = "title=an end"; /* changes nothing */
  scene *s = scene_make(text, setting, other ? other : pad, third ? third : pad, NULL);
  ended e;
  vd_recorder r;
  const vd_run_options options = {.progress = NULL};
  vd_recorder_init(&r, true);
  r.keeps = VD_NEEDS_WHEELS;
  vd_simulate(&s->def, &options, NULL, &r, &e.report);
  vd_run_metrics(&s->def, &r, &e.metrics);
  e.last = *vd_recorder_last(&r);
  e.interval = vd_scenario_row_interval(&s->def);
  e.rows = r.rows;
  e.kept = r.count;
  e.error = r.error;
  vd_recorder_finish(&r);
  scene_free(s);
  return e;
}

static double metric(const ended *e, const char *name) {
  return vd_metric_called(&e->metrics, name)->value;
}

/* Checks a constant force without resistances. v = v0 + a t, which Runge-Kutta steps follow exactly, reaches the lowest
 * speed v_s after (v0 - v_s)/|a|, 13 s. Rounding, 2e-15 m/s in each of 1.3e4 steps, adds up to 2.6e-11 m/s if all of it
 * has one sign, and to 2e-13 m/s if its sign is random. */
static void even_deceleration(void) {
  static const char text[] =
      "vehicle: {base: ../vehicles/sedan.yaml, aero: {drag: 0}, front: &axle {tyre: {base: ../tyres/mf96_touring.yaml, "
      "rolling_resistance: 0}}, rear: *axle}\n"
      "run: {level: L0, duration: 20 s, stop_below: 5 m/s}\ninitial: {speed: 30 m/s}\n"
      "force: -3000\n";
  static const char *const step[] = {"run.step=1 ms", "run.step=4 ms", "run.step=auto"};
  static const char *const rate[] = {"log.rate=10 Hz", "log.rate=250 Hz"};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 2; k++) {
      ended e = run(text, step[i], rate[k], NULL);
      double expected = (30.0 - 5.0) / fabs(e.last.ax);
      tap_near(metric(&e, "duration_s"), expected, 1e-11, "%s, %s: a force stops the run after %.9f s", step[i],
               rate[k], expected);
      tap_near(metric(&e, "final_speed_mps"), 5.0, 1e-11, "%s, %s: the force stops the run at 5 m/s", step[i], rate[k]);
    }
}

/* Checks braking from 100 km/h. The run ends at the scenario's speed, within the accuracy of the bisection of a step:
 * 1e-12 of 10 ms at 10 m/s2. The error of the instant is the error of vx over the deceleration. The error of vx is
 * bounded by ten times integration_error times the change of vx, as that estimate is only an order of magnitude. Runs
 * with the same fixed step are equal to the bit with any log. Above 2 m/s the steps depend on the solver alone. Between
 * 2 m/s and 0.1 km/h the floors of the slips act. Their automatic values depend on the step if it is fixed, but not if
 * it adapts to its error. */
static void stops(void) {
  static const struct {
    const char *until;
    double speed; /* m/s */
    const char *step, *rate;
    enum { FIRST, OTHER, SAME } steps; /* FIRST: reference; SAME: steps as in the run before */
  } all[] = {
      {"run.stop_below=2", 2.0, "run.step=0.25 ms", "log.rate=1000 Hz", FIRST},
      {"run.stop_below=2", 2.0, "run.step=1 ms", "log.rate=1000 Hz", OTHER},
      {"run.stop_below=2", 2.0, "run.step=1 ms", "log.rate=100 Hz", SAME},
      {"run.stop_below=2", 2.0, "run.step=1 ms", "log.rate=10 Hz", SAME},
      {"run.stop_below=2", 2.0, "run.step=4 ms", "log.rate=250 Hz", OTHER},
      {"run.stop_below=2", 2.0, "run.step=4 ms", "log.rate=10 Hz", SAME},
      {"run.stop_below=2", 2.0, "run.step=auto", "log.rate=100 Hz", OTHER},
      {"run.stop_below=0.1 km/h", 0.1 / 3.6, "run.step=auto", "log.rate=1000 Hz", FIRST},
      {"run.stop_below=0.1 km/h", 0.1 / 3.6, "run.step=auto", "log.rate=100 Hz", OTHER},
      {"run.stop_below=0.1 km/h", 0.1 / 3.6, "run.step=auto", "log.rate=10 Hz", SAME},
  };
  ended first = {.rows = 0}, before = {.rows = 0};
  for (size_t i = 0; i < VD_COUNT(all); i++) {
    ended e = run(stop, all[i].until, all[i].step, all[i].rate);
    char what[80];
    snprintf(what, sizeof what, "%s, %s, %s", all[i].until + 4, all[i].step + 4, all[i].rate);
    double end = metric(&e, "duration_s");
    if (all[i].steps == FIRST)
      first = e;
    double change = 100.0 / 3.6, bound = 10.0 * (e.error.share + first.error.share) * change / fabs(e.last.ax);
    double off = end - metric(&first, "duration_s");
    tap_near(metric(&e, "final_speed_mps"), all[i].speed, 1e-12, "%s: the run ends at that speed", what);
    tap_near(metric(&e, "brake_onset_s"), 1.00037, 1e-9, "%s: the brakes begin between two rows", what);
    tap_near(off, 0.0, bound, "%s: the run ends at %.9f s, %.1e s from the reference", what, end, off);
    if (all[i].steps == SAME)
      tap_ok(end == metric(&before, "duration_s") && e.rows == before.rows,
             "%s: the run ends at the same instant, to the bit", what);
    tap_ok(e.report.end_time == end && e.last.t == end && e.rows == (size_t)ceil(end / e.interval) + 1,
           "%s: the log has the last of %zu rows", what, e.rows);
    before = e;
  }
}

/* Checks that an event that ends a run does so at its instant. */
static void event(void) {
  static const char *const step[] = {"run.step=1 ms", "run.step=auto"};
  for (int i = 0; i < 2; i++) {
    ended e = run(stop, "events=[{when: distance, distance: 30.1234, end: true}]", step[i], "log.rate=10 Hz");
    tap_near(metric(&e, "distance_m"), 30.1234, 1e-11,
             "%s: a run that ends at a distance of 30.1234 m has this distance", step[i]);
    tap_ok(e.last.t == e.report.end_time && e.last.distance == metric(&e, "distance_m"),
           "%s: a run that ends at a distance has a last row", step[i]);
  }
  ended timed = run(stop, "events=[{when: time, time: 1.23456, end: true}]", "run.step=auto", "log.rate=10 Hz");
  tap_ok(timed.last.t == 1.23456 && metric(&timed, "duration_s") == 1.23456, "an event at 1.23456 s ends a run there");
}

/* Checks that filters and spectra, which need rows at even intervals, leave out an end between two rows: their results
 * equal those of a run that ends at the row before. */
static void even_rows(void) {
  ended cut = run(stop, "events=[{when: time, time: 2.3456, end: true}]", "metrics=ride", "run.level=L3");
  ended whole = run(stop, "run.duration=2.345 s", "metrics=ride", "run.level=L3");
  bool same = cut.metrics.count == whole.metrics.count;
  size_t compared = 0;
  for (size_t i = vd_metric_set_called("run")->count; i < cut.metrics.count && same; i++) {
    const vd_metric *a = &cut.metrics.metric[i], *b = &whole.metrics.metric[i];
    same = a->value == b->value || (isnan(a->value) && isnan(b->value));
    compared += isnan(a->value) ? 0u : 1u;
  }
  tap_ok(same && compared > 5, "ride metrics of a run of 2.3456 s are those of a run of 2.345 s (%zu metrics)",
         compared);
}

/* Checks that a car that starts below the end speed must exceed it before the run can end. */
static void starts_slow(void) {
  ended e =
      run("vehicle: ../vehicles/sedan.yaml\nrun: {level: L1, duration: 9 s, stop_below: 2 m/s}\n"
          "throttle: {type: step, start: 2 s, from: 0.5, value: 0}\nbrake: {type: step, start: 2 s, value: 0.3}\n",
          "run.step=auto", NULL, NULL);
  tap_ok(metric(&e, "duration_s") > 2.0 && metric(&e, "duration_s") < 9.0,
         "a car that starts at rest ends after %.3f s", metric(&e, "duration_s"));
  tap_near(metric(&e, "final_speed_mps"), 2.0, 1e-12, "a car that starts at rest ends at 2 m/s");
}

/* Greatest yaw rates of the samples every 1 ms, 2 ms and 10 ms. */
typedef struct peaks {
  double of[3];
} peaks;

static const int every[] = {1, 2, 10};

static void watch_yaw_rate(void *context, const vd_row *row) {
  peaks *p = context;
  for (size_t i = 0; i < VD_COUNT(every); i++)
    if (lround(row->t * 1000.0) % every[i] == 0)
      p->of[i] = tap_max(p->of[i], fabs(row->eval.motion.yaw_rate));
}

/* Checks that the rate of metrics changes no step of a run, and that a peak is the greatest value at the rate's
 * instants. Here a function reads all rows, so that each row is evaluated. Rows that only metrics read may be
 * interpolated within smooth steps, with an error of 1e-7 of the value (sim/smooth.h). */
static void looks(void) {
  static const char sine[] =
      "vehicle: ../vehicles/sedan.yaml\nrun: {level: L1, duration: 5 s}\ninitial: {speed: 20 m/s}\n"
      "speed: 20 m/s\nsteer: {type: sine, frequency: 1.1 Hz, amplitude: 0.02}\n";
  scene *s = scene_make(sine, "run.metrics_rate=1000", "run.step=auto", "title=looks", NULL);
  peaks expected = {0};
  vd_run_report report;
  const vd_run_options options = {.row = watch_yaw_rate, .row_context = &expected};
  vd_simulate(&s->def, &options, NULL, NULL, &report);
  scene_free(s);
  tap_ok(expected.of[0] > expected.of[2], "the peak of 5 s lies between rows of 100 Hz");
  ended first = run(stop, "run.metrics_rate=1000", "run.step=auto", NULL);
  for (size_t i = 0; i < VD_COUNT(every); i++) {
    char rate[40];
    snprintf(rate, sizeof rate, "run.metrics_rate=%d", 1000 / every[i]);
    ended other = run(stop, rate, "run.step=auto", NULL), e = run(sine, rate, "run.step=auto", NULL);
    tap_ok(other.report.end_time == first.report.end_time && other.report.parts == first.report.parts &&
               other.error.share == first.error.share,
           "%s: the steps do not depend on a thousand reads between them", rate);
    tap_near(metric(&e, "peak_yaw_rate_radps"), expected.of[i], every[i] < 10 ? 1e-7 * expected.of[i] : 1e-14,
             "%s: the peak is the greatest value at the instants of this rate", rate);
  }
}

/* Checks that only sets which read the samples of a run need memory that grows with the run. */
static void memory(void) {
  ended brief = run(stop, "metrics=[run, statics]", "run.step=auto", NULL),
        whole = run(stop, "metrics=[braking]", "run.step=auto", NULL);
  tap_ok(brief.kept == 0 && whole.kept == whole.rows && whole.rows > 1000, "running figures need no samples");
  tap_ok(metric(&brief, "peak_ay_mps2") == metric(&whole, "peak_ay_mps2") &&
             metric(&brief, "least_wheel_load_N") == metric(&whole, "least_wheel_load_N"),
         "running figures are the same without samples");
}

/* Checks a car that stands beside a straight path, or with another heading, for 5 s. The car has lost the path if its
 * driver follows the path and the car is more than 20 m off or turned by more than 90 degrees. */
static void loses_its_path(void) {
  static const char beside[] = "vehicle: ../vehicles/sedan.yaml\nrun: {level: L2, duration: 7 s}\npath: {type: "
                               "straight, length: 100 m}\nevents: [{when: time, time: 4 s, steer: 0}]\n";
  static const struct {
    const char *start, *events, *lost_after;
    double lost; /* s; NAN: never */
  } all[] = {
      {"initial.y=20.01", "events=[]", NULL, 5.0},
      {"initial.y=-20.01", "events=[]", "run.lost_after=1.5 s", 1.5},
      {"initial.y=19.99", "events=[]", NULL, NAN},
      {"initial.yaw=90.1 deg", "events=[]", NULL, 5.0},
      {"initial.yaw=-90.1 deg", "events=[]", NULL, 5.0},
      {"initial.yaw=89.9 deg", "events=[]", NULL, NAN},
      {"initial.y=30", "events=[]", "run.lost_after=0", NAN},
      {"initial.y=30", NULL, NULL, NAN}, /* from 4 s on no driver follows the path */
      {"initial.y=30", "events=[{when: time, time: 1 s, steer: 0}, {when: time, time: 2 s, follow_path: true}]",
       "run.lost_after=3", 5.0},
  };
  for (size_t i = 0; i < VD_COUNT(all); i++) {
    ended e = run(beside, all[i].start, all[i].events, all[i].lost_after);
    double expected = isnan(all[i].lost) ? 7.0 : all[i].lost;
    tap_ok((e.report.status == VD_SIM_LOST) == isfinite(all[i].lost), "%s: the run ends with status %d", all[i].start,
           e.report.status);
    tap_near(e.last.t, expected, 1.001e-3 + e.interval, "%s: the last row is at %.9g s", all[i].start, expected);
  }
  ended e = run(beside, "initial.y=30", "initial.x=12", "events=[]");
  tap_ok(strstr(e.report.failure, "from t = 0 s on") && strstr(e.report.failure, "x = 12 m, y = 30 m, 30 m beside it"),
         "the message says since when and where the car has lost its path: %s", e.report.failure);
}

/* Checks that at all levels a car starts at the first point of its path, heading along it. The path runs at 2 rad from
 * (10, -5), on a slope up along x; in the plane of the slope its direction is different. */
static void starts_on_path(void) {
  static const char *const level[] = {"run.level=L0", "run.level=L1", "run.level=L2",
                                      "run.level=L3", "run.level=L4", "run.level=L5"};
  static const char *const ground[] = {"ground={type: flat}", "ground={type: inclined, grade: 10 deg, bank: 5 deg}"};
  for (size_t i = 0; i < 2 * VD_COUNT(level); i++) {
    scene *s = scene_make("vehicle: ../vehicles/sedan_hardpoints.yaml\nrun: {duration: 1 s}\ninitial: {start: "
                          "on_path}\npath: {type: straight, x: 10 m, y: -5 m, yaw: 2 rad, length: 50 m}\n",
                          level[i / 2], ground[i % 2], NULL);
    vd_row row = scene_row(s);
    /* up to L2 the car's point is below the centre of gravity, some dm along the normal of the slope */
    bool below = i % 2 == 1 && i / 2 < 3;
    tap_near(row.eval.motion.path_error, 0.0, below ? 0.12 : 1e-12, "%s, %s: a car that starts on its path is on it",
             level[i / 2], ground[i % 2]);
    tap_near(row.eval.log.path_heading_error, 0.0, 1e-9, "a car that starts on its path points along it");
    tap_near(vd_hypot(s->def.initial.x - 10.0, s->def.initial.y + 5.0), 0.0, 1e-12,
             "a car that starts on its path is at its first point");
    scene_free(s);
  }
}

int main(void) {
  tap_plan(9 * 2 + 1 + 12 * 3 + 12 + 10 * 4 + 4 + 5 + 1 + 2 + 7 + 2);
  looks();
  memory();
  even_deceleration();
  stops();
  event();
  even_rows();
  starts_slow();
  loses_its_path();
  starts_on_path();
  return tap_done();
}
