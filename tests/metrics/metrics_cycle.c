/* A drive cycle that is followed with known errors: the tolerance of UN GTR 15, and works over the distance. */
#include "histories.h"

enum { TESTS = 15 };

enum { RISE, LATE, OFFSET, FROM, TO };

/* Returns the commanded speed, which rises evenly from 2 s to 6 s. The car's speed follows with a delay, and has an
 * offset for some time. */
static double command(const double *p, double t) {
  return 10.0 + p[RISE] * fmin(fmax(t - 2.0, 0.0), 4.0);
}

static void follow(const double *p, double t, vd_row *row) {
  const bool off = t > p[FROM] + 1e-9 && t < p[TO] + 1e-9;
  row->eval.motion.vx = command(p, t - p[LATE]) + (off ? p[OFFSET] : 0.0);
  row->eval.log.speed_error = command(p, t) - row->eval.motion.vx;
  row->state.x[VD_S_DISTANCE] = 100.0 * t;
  row->state.x[VD_S_WORK_DRIVE] = 7200.0 * t;
  row->state.x[VD_S_WORK_BRAKE] = -360.0 * t;
  row->state.x[VD_S_WORK_AERO] = -720.0 * t;
  row->state.x[VD_S_WORK_ROLLING] = -1080.0 * t;
  row->state.x[VD_S_WORK_TYRE] = -36.0 * t;
}

static const vd_metrics *run(const double *p) {
  vd_recorder r = {0};
  vd_recorder_init(&r, true);
  r.keeps = VD_NEEDS_CYCLE;
  for (long i = 0; i <= 800; i++) { /* a row each 10 ms */
    vd_row row = {.t = 0.01 * (double)i, .view = VD_VIEW_ALL};
    follow(p, row.t, &row);
    vd_recorder_add(&r, &row, VD_L0);
  }
  return history_metrics("cycle", &r, &history_options);
}

int main(void) {
  tap_plan(TESTS);
  /* 2 km/h = 0.5556 m/s: an offset of 0.6 m/s is outside for 1.5 s, an offset of 0.5 m/s is not outside */
  const vd_metrics *m = run((const double[]){0.0, 0.0, 0.6, 3.0, 4.5});
  is(m, "cycle_outside_s", 1.5, 1e-9, "an offset of 0.6 m/s");
  is(m, "cycle_longest_outside_s", 1.5, 1e-9, "an offset of 0.6 m/s");
  is(m, "cycle_speed_deviation_mps", 0.6, 1e-12, "an offset of 0.6 m/s");
  is(m, "cycle_distance_deviation_m", 720.0, 1e-9, "800 m at 10 m/s commanded for 8 s");
  m = run((const double[]){0.0, 0.0, -0.5, 3.0, 4.5});
  is(m, "cycle_outside_s", 0.0, 0.0, "an offset of -0.5 m/s");
  is(m, "cycle_speed_deviation_mps", 0.5, 1e-12, "an offset of -0.5 m/s");
  /* on a ramp of 2 m/s2 the band reaches to the command of one second ago, and 2 km/h further, 0.278 s */
  m = run((const double[]){2.0, 1.2, 0.0, 0.0, 0.0});
  is(m, "cycle_outside_s", 0.0, 0.0, "1.2 s late");
  is(m, "cycle_speed_deviation_mps", 2.4, 1e-9, "1.2 s late");
  /* outside from 2 + 1 + 0.278 s until the car, at the end of the ramp, comes within 2 km/h of its end */
  m = run((const double[]){2.0, 1.4, 0.0, 0.0, 0.0});
  is(m, "cycle_outside_s", (6.0 + 1.4 - 0.2778) - 3.2778, 0.011, "1.4 s late");
  /* J/m = N: 72 N are 20 W h/km */
  is(m, "cycle_drive_Wh_per_km", 20.0, 1e-9, "72 N");
  is(m, "cycle_brake_Wh_per_km", 1.0, 1e-9, "3.6 N");
  is(m, "cycle_road_load_Wh_per_km", 5.0, 1e-9, "18 N");
  is(m, "cycle_slip_Wh_per_km", 0.1, 1e-9, "0.36 N");
  m = run((const double[]){0.0, 0.0, 0.6, 3.0, 3.5});
  is(m, "cycle_longest_outside_s", 0.5, 1e-9, "half a second");
  vd_recorder still = {0};
  vd_recorder_init(&still, true);
  still.keeps = VD_NEEDS_CYCLE;
  vd_recorder_add(&still, &(vd_row){.view = VD_VIEW_ALL}, VD_L0);
  vd_recorder_add(&still, &(vd_row){.t = 1.0, .view = VD_VIEW_ALL}, VD_L0);
  refuses(history_metrics("cycle", &still, &history_options), "cycle_drive_Wh_per_km", "does not move", "at rest");
  return tap_done();
}
