/* Events happen at the instants of the continuous motion, not on the grid: runs with the steps h and h/2 differ only by
 * the error of the Runge-Kutta method. All scenarios are smooth except for the event. */
#include "input/schema.h"
#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void keep(double *worst, double value) {
  *worst = tap_max(*worst, fabs(value));
}

/* Drives with a constant throttle from 20 m/s; tests add a step of an input, by an event or by the input itself. */
static const char coast[] =
    "vehicle: ../vehicles/sedan.yaml\nrun: {duration: 4 s, level: L2, v_low: 8}\ninitial: {speed: 20 m/s}\n"
    "throttle: 0.3\n";

enum { KEPT = VD_S_SPIN + VD_WHEELS };

/* Runs with the given step; x: the states at `until`, when: the times of the events. */
static void run(const char *text, const char *setting, const char *other, double step, double until, double *x,
                double *when) {
  scene *s = scene_make(text, setting, other, NULL);
  scene_restep(s, step);
  scene_run(s, until);
  memcpy(x, s->sim.state.x, KEPT * sizeof *x);
  if (when)
    memcpy(when, s->sim.events.time, VD_EVENTS * sizeof *when);
  if (s->sim.status != VD_SIM_OK)
    x[VD_S_VX] = NAN;
  scene_free(s);
}

static double apart(const double *a, const double *b) {
  double worst = 0.0;
  for (int i = 0; i < KEPT; i++) {
    bool work = i >= VD_S_WORK_DRIVE && i <= VD_S_WORK_ROLLING;
    keep(&worst, (a[i] - b[i]) / (work ? 1e5 : 1.0));
  }
  return worst;
}

/* Checks that an event at a time gives the same run as a step input at that time, to rounding, also with half the
 * step. */
static void at_time(void) {
  static const char *const inputs[] = {"steer={type: step, start: 0.1234, value: 0.02}",
                                       "throttle={type: step, start: 0.1234, from: 0.3, value: 0.9}"};
  static const char *const events[] = {"events=[{when: time, time: 0.1234, steer: 0.02}]",
                                       "events=[{when: time, time: 0.1234, throttle: 0.9}]"};
  for (int i = 0; i < 2; i++) {
    double input[KEPT], event[2][KEPT], when[VD_EVENTS];
    run(coast, inputs[i], NULL, 1e-3, 1.0, input, NULL);
    run(coast, events[i], NULL, 1e-3, 1.0, event[0], when);
    run(coast, events[i], NULL, 5e-4, 1.0, event[1], NULL);
    tap_near(apart(input, event[0]), 0.0, 1e-11, "%s: an event gives the same run as an input", events[i]);
    tap_near(apart(event[0], event[1]), 0.0, 1e-8, "%s: an event gives the same run with steps of 0.5 ms (%.1e)",
             events[i], apart(event[0], event[1]));
    tap_near(when[0], 0.1234, 1e-15, "%s: an event happens at its time", events[i]);
  }
  /* a sequence: 0.3 s after 0.1234 s; a profile in an event begins with it */
  double event[KEPT], input[KEPT];
  run(coast,
      "events=[{when: time, time: 0.1234, throttle: 0.5}, {when: time, time: 0.3, in_turn: true, steer: {type: step, "
      "start: 0.2, "
      "rise: 0.1, value: 0.02}}]",
      NULL, 1e-3, 1.0, event, NULL);
  run(coast, "throttle={type: step, start: 0.1234, from: 0.3, value: 0.5}",
      "steer={type: step, start: 0.6234, rise: 0.1, value: 0.02}", 1e-3, 1.0, input, NULL);
  tap_near(apart(event, input), 0.0, 1e-11,
           "times of events in a sequence, and of profiles in them, count from the event before");
}

/* Checks events that depend on the state: their instants and the run after them converge as the motion does, with the
 * fourth power of the step. */
static void at_state(void) {
  static const struct {
    const char *what, *events;
  } all[] = {
      {"distance", "events=[{when: distance, distance: 7.7777, steer: 0.02}]"},
      {"channel above", "events=[{when: above, channel: vx_mps, level: 20.777, steer: 0.02}]"},
      {"channel below", "events=[{when: below, channel: vx_mps, level: 19.85, steer: 0.02}]"},
      {"distance, in a sequence after a channel",
       "events=[{when: above, channel: distance_m, level: 3.21, throttle: 0.8}, "
       "{when: distance, distance: 4.5, in_turn: true, steer: 0.02}]"},
      {"lateral acceleration", "events=[{when: time, time: 0.2, steer: {type: sine, amplitude: 0.02, frequency: 0.5}}, "
                               "{when: above, channel: ay_mps2, level: 1.5, throttle: 0.9}]"},
  };
  for (size_t i = 0; i < VD_COUNT(all); i++) {
    double x[3][KEPT], when[3][VD_EVENTS], state[2], time[2];
    static const double steps[] = {2e-3, 1e-3, 5e-4};
    for (int k = 0; k < 3; k++)
      run(coast, all[i].events, i == 2 ? "throttle=0" : NULL, steps[k], 1.6, x[k], when[k]);
    int last = i >= 3;
    for (int k = 0; k < 2; k++) {
      state[k] = apart(x[k], x[k + 1]);
      time[k] = fabs(when[k][last] - when[k + 1][last]);
    }
    tap_ok(when[2][last] > 0.1 && when[2][last] < 1.5, "%s: the event happens, at %.6f s", all[i].what, when[2][last]);
    tap_near(time[1], 0.0, 1e-9, "%s: an event has the same instant with steps of 1 and 0.5 ms (%.1e s)", all[i].what,
             time[1]);
    tap_near(state[1], 0.0, 1e-9, "%s: an event gives the same run with steps of 1 and 0.5 ms (%.1e)", all[i].what,
             state[1]);
    /* 16 per halving, reduced by terms of the next order, down to rounding */
    tap_ok(state[1] <= state[0] / 11.0 + 1e-11, "%s: a run with an event converges by %.1f per halving of the step",
           all[i].what, state[0] / state[1]);
  }
}

/* Checks switches of the car's own controllers within a step, at instants that no key gives. Such runs also converge
 * with the fourth power of the step; a missed switch would cause an error proportional to the step. The load loop of L2
 * has an error of 1e-10 of the weight: g times that over a second is 1e-9 m/s in each run. */
static void controllers(void) {
  static const struct {
    const char *what, *text;
    double until; /* s */
  } all[] = {
      {"antilock brakes begin, hold the whole pressure and control",
       "vehicle: ../vehicles/sports.yaml\nrun: {duration: 4 s, level: L2}\ninitial: {speed: 30 m/s}\n"
       "brake: {type: step, start: 0.1 s, rise: 0.2 s, value: 1}\n",
       1.0},
      {"antilock brakes stop acting below their lowest speed",
       "vehicle: ../vehicles/sports.yaml\nrun: {duration: 4 s, level: L2}\ninitial: {speed: 5 m/s}\n"
       "brake: {type: step, start: 0.1 s, rise: 0.05 s, value: 1}\n",
       0.45},
      /* in second gear from 2207 down to 2000 rpm, in first gear from about 3000 rpm: within cells of the map */
      {"L0 shifts a gear down",
       "vehicle: ../vehicles/sedan_automatic.yaml\nrun: {duration: 4 s, level: L0}\ninitial: {speed: 8.8 m/s}\n"
       "brake: 0.15\n",
       0.9},
      {"a held speed falls to zero, and the brakes hold the car",
       "vehicle: ../vehicles/sedan.yaml\nrun: {duration: 4 s, level: L2}\ninitial: {speed: 2 m/s}\n"
       "speed: {type: table, points: [[0, 2], [0.5, 2], [1.5, 0]]}\n",
       1.5},
  };
  for (size_t i = 0; i < VD_COUNT(all); i++) {
    double x[3][KEPT], off[2];
    static const double steps[] = {2e-3, 1e-3, 5e-4};
    for (int k = 0; k < 3; k++)
      run(all[i].text, "run.v_low=0.5", "run.v_low_y=0.5", steps[k], all[i].until, x[k], NULL);
    for (int k = 0; k < 2; k++)
      off[k] = apart(x[k], x[k + 1]);
    tap_ok(off[1] <= off[0] / 11.0 + 2e-9, "%s: the run converges by %.1f per halving (%.1e)", all[i].what,
           off[0] / off[1], off[1]);
  }
}

/* Checks that the channel has the level at the instant of the event, in a run that an event ends within a step. */
static void level_is_met(void) {
  scene *s = scene_make(
      coast,
      "events=[{when: above, channel: vx_mps, level: 20.4321, brake: 1}, {when: distance, distance: 30, throttle: 0, "
      "end: true}]",
      NULL);
  double before = 0.0, from = 0.0, top = 0.0;
  while (!s->sim.events.fired[0] && s->sim.step < 4000) {
    before = s->sim.eval.motion.vx;
    from = s->sim.eval.body.ax;
    vd_sim_step(&s->sim);
    top = tap_max(top, s->sim.eval.motion.vx);
  }
  double t = s->sim.events.time[0] - (double)(s->sim.step - 1) * 1e-3;
  /* the acceleration changes by about 1e-2 m/s3, so that the error is 1e-2 (1e-3)^2/2 */
  tap_near(before + from * t, 20.4321, 1e-8, "an event occurs where the speed rises above 20.4321 m/s");
  while (!s->sim.ended && s->sim.step < 4000)
    vd_sim_step(&s->sim);
  tap_near(s->sim.events.distance[1], 30.0, 1e-9, "an event occurs at 30 m");
  tap_ok(s->sim.ended, "an event at 30 m ends the run");
  scene_free(s);
  /* a channel that starts above the level must first fall below it */
  s = scene_make(coast, "events=[{when: above, channel: vx_mps, level: 19.9, steer: 0.05}]", NULL);
  scene_run(s, 1.0);
  tap_ok(!s->sim.events.fired[0], "a channel that starts above a level does not rise above it");
  scene_free(s);
  s = scene_make(coast, "throttle={type: table, points: [[0, 0], [0.5, 0], [0.6, 1]]}",
                 "events=[{when: above, channel: vx_mps, level: 19.97, steer: 0.05}]", NULL);
  double lowest = 20.0;
  while (!s->sim.events.fired[0] && s->sim.step < 4000) {
    vd_sim_step(&s->sim);
    lowest = tap_min(lowest, s->sim.eval.motion.vx);
  }
  tap_ok(s->sim.events.fired[0] && lowest < 19.96 && s->sim.events.time[0] > 0.5,
         "a channel that starts above a level and falls below rises above it at %.4f s", s->sim.events.time[0]);
  scene_free(s);
  /* a rate, which is unknown before the first step, must also return first */
  s = scene_make(coast, "throttle=0",
                 "events=[{when: rate_below, channel: vx_mps, level: -0.1, steer: 0.05}, "
                 "{when: rate_above, channel: distance_m, level: 15, steer: 0.05}]",
                 NULL);
  scene_run(s, 1.0);
  tap_ok(scene_row(s).eval.body.ax < -0.1 && !s->sim.events.fired[0] && !s->sim.events.fired[1],
         "a rate that begins beyond its level does not cross it");
  scene_free(s);
  s = scene_make(coast, "throttle={type: table, points: [[0, 0.6], [0.5, 0.6], [0.6, 0]]}",
                 "events=[{when: rate_below, channel: vx_mps, level: -0.1, steer: 0.05}]", NULL);
  scene_run(s, 1.0);
  tap_ok(s->sim.events.fired[0] && s->sim.events.time[0] > 0.5 && s->sim.events.time[0] < 0.61,
         "a rate that has returned from beyond its level crosses it at %.4f s", s->sim.events.time[0]);
  scene_free(s);
}

/* Checks that an event that changes the longitudinal or the lateral input leaves the other one unchanged, and that a
 * driver starts from the present steering wheel angle. */
static void handing_over(void) {
  scene *s = scene_make(
      "vehicle: ../vehicles/sedan.yaml\nrun: {duration: 9 s, level: L2}\ninitial: {speed: 20 m/s}\nspeed: 20 m/s\n"
      "steer: 0.02\npath: {type: straight, length: 10 m}\n",
      "events=[{when: time, time: 2.0005, curvature: -0.005}, {when: time, time: 4, throttle: 0.1}, {when: time, time: "
      "6, "
      "follow_path: true}]",
      NULL);
  double jump = 0.0, last = 0.02;
  scene_run(s, 1.9);
  for (int i = 0; i < 200; i++) {
    vd_sim_step(&s->sim);
    keep(&jump, s->sim.command.steer - last);
    last = s->sim.command.steer;
  }
  /* 0.02 to -0.02 rad within a driver's 10 ms: 4 mrad a step */
  tap_near(jump, 0.0, 5e-3, "the driver starts from the present steering wheel angle");
  scene_run(s, 3.9);
  tap_ok(s->sim.inputs.longitudinal == VD_LON_SPEED && s->sim.inputs.lateral == VD_LAT_CURVATURE,
         "the speed is still commanded after the first event");
  tap_near(s->sim.eval.motion.yaw_rate / s->sim.eval.motion.vx, -0.005, 1e-4,
           "the curvature is still followed after the first event");
  scene_run(s, 5.0);
  tap_ok(s->sim.inputs.longitudinal == VD_LON_PEDALS && s->sim.inputs.lateral == VD_LAT_CURVATURE &&
             s->sim.eval.drive.throttle == 0.1,
         "pedals replace the speed as an input, not the curvature");
  scene_run(s, 7.0);
  tap_ok(s->sim.inputs.lateral == VD_LAT_PATH && s->sim.eval.drive.throttle == 0.1,
         "after the last event the path is followed");
  scene_free(s);
}

/* Checks that brief rows contain all channels except those that need a search and those that are only written on
 * request. */
static void brief_rows(void) {
  size_t count, differ = 0, searched = 0, found = 0;
  const vd_channel *channel = vd_channel_table(&count);
  static const char *const levels[] = {"run.level=L1", "run.level=L2", "run.level=L3"};
  for (size_t k = 0; k < VD_COUNT(levels); k++) {
    scene *s = scene_make(coast, levels[k], NULL);
    vd_row brief;
    scene_run(s, 0.5);
    vd_row whole = scene_row(s);
    vd_sim_row(&s->sim, VD_VIEW_BRIEF, &brief);
    for (size_t i = 0; i < count; i++) {
      double a = vd_channel_value(&channel[i], &whole), b = vd_channel_value(&channel[i], &brief);
      if (channel[i].levels & (VD_CHANNEL_SEARCHED | VD_CHANNEL_NAMED)) {
        searched++;
        found += b != 0.0;
      } else if (channel[i].levels & VD_WHEN(s->def.run.level)) {
        differ += memcmp(&a, &b, sizeof a) != 0;
      }
    }
    scene_free(s);
  }
  tap_ok(differ == 0, "a brief row has the other channels to the bit, L1 to L3: %zu differ", differ);
  tap_ok(searched == 3 * (12 + 24 + 18 + 10 + 24 + 4 + 20) && found == 0,
         "a brief row has none of %zu channels of tyre peaks, wheel centres, axles, requests, brakes, modes and "
         "electric cars: "
         "%zu",
         searched, found);
}

/* Checks that the input of an event begins at the event's instant, within a step of 8 ms, and may have corners within
 * this step, in `fast' after 2 ms. The yaw rate of L0 depends on the steering angle alone, so that a delay would show,
 * but not errors of the integration. */
static void within_a_step(void) {
  static const char glide[] = "vehicle: ../vehicles/sedan.yaml\nrun: {duration: 4 s, level: L0}\nlog: {rate: 125}\n"
                              "initial: {speed: 20 m/s}\n";
  static const char *const slow =
                               "events=[{when: above, channel: x_m, level: 7.75, steer: {type: step, rise: 0.1, value: "
                               "0.02}}]",
                           *const fast = "events=[{when: above, channel: x_m, level: 7.75, steer: {type: step, rise: 2 "
                                         "ms, value: 0.02}}]";
  scene *s = scene_make(glide, slow, "run.step=8 ms", NULL);
  do
    vd_sim_step(&s->sim);
  while (s->sim.step < 400 && !s->sim.events.fired[0]);
  double since = s->sim.t - s->sim.events.time[0];
  tap_ok(since > 1e-3 && since < 7e-3, "an event happens %.3g ms before the end of a step of 8 ms", 1e3 * since);
  tap_near(scene_row(s).eval.steering.steer, 0.02 * since / 0.1, 1e-15,
           "the input of an event within a step depends on the time since the event");
  scene_free(s);
  double x[2][KEPT], when[2][VD_EVENTS];
  run(glide, fast, NULL, 8e-3, 1.6, x[0], when[0]);
  run(glide, fast, NULL, 1e-3, 1.6, x[1], when[1]);
  tap_near(when[0][0] - when[1][0], 0.0, 1e-9, "steps of 8 ms find the same instant as steps of 1 ms");
  tap_near(apart(x[0], x[1]), 0.0, 1e-7, "after an event steps of 8 ms give the run of steps of 1 ms (%.1e)",
           apart(x[0], x[1]));
}

/* Checks rates with commands in memory that was not cleared: the rates must not depend on its previous contents. */
static void poisoned_memory(void) {
  static const char *const levels[] = {"run.level=L0", "run.level=L1", "run.level=L2",
                                       "run.level=L3", "run.level=L4", "run.level=L5"},
                           *const inputs[] = {"throttle=0.3", "speed=20 m/s"};
  const size_t count = VD_COUNT(levels);
  for (size_t k = 0; k < 2 * count; k++) {
    scene *s = scene_make("vehicle: ../vehicles/sedan_hardpoints.yaml\nrun: {duration: 4 s}\n"
                          "initial: {speed: 20 m/s}\n",
                          levels[k % count], inputs[k / count], NULL);
    double dx[2][VD_STATES];
    scene_run(s, 0.1);
    for (int i = 0; i < 2; i++) {
      vd_command c;
      vd_eval e = s->sim.eval;
      memset(&c, i == 0 ? 0 : 0x41, sizeof c);
      vd_inputs_at(&s->sim.inputs, s->sim.t, s->sim.t, &c);
      vd_command_set_angles(&s->model, &c);
      memset(dx[i], 0, sizeof dx[i]);
      vd_model_rates(&s->model, &c, s->sim.state.x, s->sim.state.mode, &e, dx[i]);
    }
    tap_ok(memcmp(dx[0], dx[1], sizeof dx[0]) == 0,
           "%s, %s: rates do not depend on the previous contents of the command's memory", levels[k % count],
           inputs[k / count]);
    scene_free(s);
  }
}

/* Checks vd_command_pass, by which a step passes its command on. It omits the last members unless `more' is set: the
 * member of any given input must arrive. */
static void passed_commands(void) {
  scene *s = scene_make(coast, NULL, NULL, NULL);
  const vd_inputs none = s->sim.inputs;
  int arrived = 0;
  for (int i = 0; i < VD_INPUT_KINDS; i++) {
    const size_t at = vd_input_table[i].offset;
    vd_inputs in = none;
    vd_command from, to;
    vd_inputs_give(&in, (enum vd_input)i);
    in.written[i].from = 0.5;
    memset(&from, 0, sizeof from);
    memset(&to, 0x41, sizeof to);
    vd_inputs_at(&in, 1.0, 1.0, &from);
    vd_command_pass(&from, &to);
    const size_t size = i == VD_IN_GEAR ? sizeof(int) : sizeof(double);
    const bool good = memcmp((const char *)&from + at, (const char *)&to + at, size) == 0;
    if (!good)
      tap_diag("%s does not arrive", vd_input_table[i].key);
    arrived += good;
  }
  tap_ok(arrived == VD_INPUT_KINDS, "the member of every input arrives in the command of the next step");
  tap_ok(!none.more, "a car without such inputs passes only the first members of its command");
  scene_free(s);
}

int main(void) {
  tap_plan(7 + 20 + 4 + 7 + 5 + 2 + 4 + 12 + 2);
  at_time();
  at_state();
  controllers();
  level_is_met();
  handing_over();
  brief_rows();
  within_a_step();
  poisoned_memory();
  passed_commands();
  return tap_done();
}
