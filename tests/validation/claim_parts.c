/* Claims about tyre rigs, track cars and suspensions: the results of their runs in memory, and figures that such runs
 * do not have. */
#include "base/base.h"
#include "input/schema.h"
#include "validation/judge.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static vd_performed perform(enum vd_kind kind, const char *file, const vd_setting *set, size_t count, bool mirrored) {
  const vd_claim_run run = {.kind = kind, .scenario = file, .set = set, .set_count = count};
  vd_perform_options options = {.mirrored = mirrored};
  vd_performed p;
  memset(options.channels, 1, sizeof options.channels);
  bool ended = vd_perform(&run, &options, &p);
  tap_ok(ended, "%s: %s", file, p.why ? p.why : "runs");
  return p;
}

static const vd_channel *channel(enum vd_kind kind, const char *name) {
  size_t count;
  const vd_channel *table = vd_kind_channels(kind, &count);
  while (strcmp(table->name, name) != 0)
    table++;
  return table;
}

static double figure(const vd_performed *p, const char *name, enum vd_claim_of of, double to, char *why, size_t size) {
  why[0] = '\0';
  return vd_performed_figure(p, channel(p->kind, name), of, 0.0, to, why, size);
}

static void test_steady_rig(void) {
  const vd_setting set[] = {{.text = "load=[3000, 4000]"}, {.text = "slip_angles={from: -0.1, to: 0.1, points: 3}"}};
  vd_performed p = perform(VD_KIND_TYRE_RIG, "scenarios/rig/fy_alpha.yaml", set, VD_COUNT(set), false);
  const char *name, *unit;
  char why[200];
  tap_ok(p.steps == 6 && p.timeless && p.outcome.metrics.count == 0, "a grid has a row for each point, and no metrics");
  tap_near(figure(&p, "fz_N", VD_OF_FIRST, NAN, why, sizeof why), 3000.0, 0.0,
           "the grid of a rig begins with its first load");
  tap_near(figure(&p, "fz_N", VD_OF_FINAL, NAN, why, sizeof why), 4000.0, 0.0,
           "the grid of a rig ends with its last load");
  tap_near(figure(&p, "alpha_rad", VD_OF_MINIMUM, NAN, why, sizeof why), -0.1, 1e-17,
           "extremes of a grid are over all rows");
  tap_ok(isnan(figure(&p, "fy_N", VD_OF_MEAN, NAN, why, sizeof why)), "a grid has no mean over time");
  tap_str(why, "the rows of a steady rig have no time: there is no mean", "the message says that a grid has no mean");
  tap_ok(isnan(figure(&p, "fy_N", VD_OF_FINAL, 1.0, why, sizeof why)), "a grid has no window of time");
  tap_str(why, "the rows of a steady rig have no time, so 'from' and 'to' are not allowed",
          "the message says that a grid has no window of time");
  tap_ok(isnan(figure(&p, "t_s", VD_OF_FINAL, NAN, why, sizeof why)), "a grid has no column of time");
  tap_str(why, "a steady rig has no channel 't_s'", "the message says that a grid has no column of time");
  tap_ok(vd_performed_along(&p, &name, &unit) == p.t && strcmp(name, "row") == 0, "pictures of a grid count rows");
  vd_performed_finish(&p);
  p = perform(VD_KIND_TYRE_RIG, "scenarios/rig/fy_alpha.yaml", &(vd_setting){.text = "load=[3000]"}, 1, false);
  const double *x = vd_performed_along(&p, &name, &unit);
  tap_str(name, "alpha_rad", "a picture of a grid with one axis is drawn over this axis");
  tap_near(x[0], -15.0 * VD_PI / 180.0, 1e-15, "the picture of a grid starts at the first value of the axis");
  vd_performed_finish(&p);
}

static void test_mirrored_rig(void) {
  const vd_setting set[] = {
      {.text = "load=[4000]"}, {.text = "camber=[0.05]"}, {.text = "slip_angles={from: -0.1, to: 0.05, points: 4}"}};
  vd_performed left = perform(VD_KIND_TYRE_RIG, "scenarios/rig/fy_alpha.yaml", set, VD_COUNT(set), false);
  vd_performed right = perform(VD_KIND_TYRE_RIG, "scenarios/rig/fy_alpha.yaml", set, VD_COUNT(set), true);
  char why[200];
  tap_near(figure(&right, "camber_rad", VD_OF_FINAL, NAN, why, sizeof why), -0.05, 0.0,
           "a mirrored rig has the opposite camber");
  tap_near(figure(&right, "alpha_rad", VD_OF_FINAL, NAN, why, sizeof why), -0.05, 1e-17,
           "a mirrored rig slips to the other side");
  double fy = figure(&left, "fy_N", VD_OF_FINAL, NAN, why, sizeof why);
  tap_near(figure(&right, "fy_N", VD_OF_FINAL, NAN, why, sizeof why), -fy, 0.0,
           "a mirrored rig has the mirrored force");
  vd_performed_finish(&left);
  vd_performed_finish(&right);
}

/* Checks mirrored inputs: inputs of single wheels change places, and inputs that turn the car change their sign. */
static void test_mirrored_inputs(void) {
  const vd_setting set[] = {{.text = "run.duration=1 s"},
                            {.text = "run.stop_below=0"},
                            {.text = "vehicle.brakes.pressure=hydraulic"},
                            {.text = "vehicle.steering.rear={gain: [[0, 0], [100 m/s, 0]]}"},
                            {.text = "brake=0.2"},
                            {.text = "brake_valve_fl=0.3"},
                            {.text = "pressure_request_rl=0.05"},
                            {.text = "drive_request_fr=100"},
                            {.text = "friction_rr=0.9"},
                            {.text = "rear_steer_request=0.3 deg"}};
  vd_performed run = perform(VD_KIND_VEHICLE, "scenarios/road/coast_down.yaml", set, VD_COUNT(set), false);
  vd_performed other = perform(VD_KIND_VEHICLE, "scenarios/road/coast_down.yaml", set, VD_COUNT(set), true);
  char why[200];
  double rate = figure(&run, "yaw_rate_radps", VD_OF_FINAL, NAN, why, sizeof why);
  tap_near(figure(&other, "yaw_rate_radps", VD_OF_FINAL, NAN, why, sizeof why), -rate, 1e-12,
           "a mirrored car turns to the other side (%g rad/s)", rate);
  tap_near(figure(&other, "brake_torque_fr_Nm", VD_OF_FINAL, NAN, why, sizeof why),
           figure(&run, "brake_torque_fl_Nm", VD_OF_FINAL, NAN, why, sizeof why), 1e-9,
           "the valve of a mirrored car acts on the right");
  vd_performed_finish(&run);
  vd_performed_finish(&other);
}

static void test_rig_over_time(void) {
  const vd_setting one = {.text = "speed=[10]"};
  vd_performed three = perform(VD_KIND_TYRE_RIG, "scenarios/rig/step_angle.yaml", NULL, 0, false);
  vd_performed p = perform(VD_KIND_TYRE_RIG, "scenarios/rig/step_angle.yaml", &one, 1, false);
  char why[200];
  tap_ok(three.histories == 3 && isnan(figure(&three, "fy_N", VD_OF_FINAL, NAN, why, sizeof why)),
         "three time histories of a rig give no figure");
  tap_str(why, "the rig has 3 time histories, but a figure needs one",
          "the message says that there are three time histories");
  tap_ok(p.histories == 1 && p.steps == 3001,
         "a time history has a row for each step, not only for each row of the log");
  tap_near(figure(&p, "distance_m", VD_OF_FINAL, 0.5, why, sizeof why), 5.0, 1e-12,
           "a time history has a window of time");
  vd_performed_finish(&three);
  vd_performed_finish(&p);
}

static void test_track_car(void) {
  vd_performed p = perform(VD_KIND_TRACK_CAR, "scenarios/track/ramp_jump.yaml", NULL, 0, false);
  const char *unit = "";
  char why[200];
  double apex = vd_performed_metric(&p, "apex_z_m", &unit, why, sizeof why);
  tap_str(unit, "m", "a metric has its unit");
  tap_near(figure(&p, "z_m", VD_OF_MAXIMUM, NAN, why, sizeof why), apex, 0.05,
           "a metric agrees with the figure of its channel");
  tap_ok(vd_tree_find(p.resolved, "car.mass") != NULL, "keys of the scenario have values in formulas");
  vd_performed_finish(&p);
}

static void test_suspension(void) {
  vd_performed p = perform(VD_KIND_SUSPENSION, "scenarios/suspensions/mp_front_sedan.yaml",
                           &(vd_setting){.text = "bushings=default"}, 1, false);
  const char *unit = "";
  char why[200];
  tap_near(vd_performed_metric(&p, "toe_fy", &unit, why, sizeof why), -0.133, 5e-4,
           "the toe by side force of the strut is found");
  tap_str(unit, "deg/kN", "the toe by side force is in the unit of the table");
  tap_ok(isnan(vd_performed_metric(&p, "anti_dive_inboard", NULL, why, sizeof why)),
         "without the car's data there is no anti-dive");
  tap_str(
      why,
      "'anti_dive_inboard' has no value: the file does not give the car's wheelbase, centre of gravity and shares of "
      "brake and drive",
      "the message says which data of the car are missing");
  tap_ok(isnan(vd_performed_metric(&p, "anti_squat_inboard", NULL, why, sizeof why)), "a front axle has no anti-squat");
  tap_str(why, "the run has no metric 'anti_squat_inboard'", "the message says that the front axle has no anti-squat");
  vd_performed_finish(&p);
}

/* Checks the columns of a baseline. */
static void test_baselines(void) {
  size_t index[VD_CLAIM_CHANNELS], steady = vd_baseline_channels(VD_KIND_TYRE_RIG, 0, index, VD_CLAIM_CHANNELS);
  const vd_channel *table = vd_kind_channels(VD_KIND_TYRE_RIG, &(size_t){0});
  tap_str(table[index[0]].name, "fz_N", "the table of a steady rig begins with the load");
  tap_ok(vd_baseline_channels(VD_KIND_TYRE_RIG, 1, index, VD_CLAIM_CHANNELS) == steady + 7,
         "the table of a time history has seven more columns");
  tap_ok(vd_baseline_channels(VD_KIND_TRACK_CAR, 0, index, VD_CLAIM_CHANNELS) == 48,
         "the table of a track car has all its columns");
}

int main(void) {
  tap_plan(1 + 14 + 2 + 3 + 4 + 2 + 4 + 1 + 3 + 1 + 6 + 3);
  test_steady_rig();
  test_mirrored_rig();
  test_mirrored_inputs();
  test_rig_over_time();
  test_track_car();
  test_suspension();
  test_baselines();
  return tap_done();
}
