/* libvdsim used inside the source tree: messages as data, runs in pieces, saved states, inputs of every kind, metrics,
 * refusals. */
#include "vdsim.h"
#include "vdsim_impl.h"

#include "run/run.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TESTS = 113, CHANNELS = 512 };

/* Relative names are those of a file in scenarios/iso. */
static const char place[] = "scenarios/iso/test.yaml";

static vd_case *load_with(const char *text, const char *const *settings, size_t count) {
  vd_case *c;
  if (vd_load_text(text, strlen(text), place, settings, count, &c) != VD_OK)
    tap_diag("%s", vd_messages_text(c));
  return c;
}

static vd_case *load(const char *text) {
  return load_with(text, NULL, 0);
}

static vd_run *build(vd_case *c, unsigned flags) {
  vd_run *run;
  if (vd_build(c, flags, &run) != VD_OK)
    tap_diag("no run: %s", vd_run_failure(run));
  return run;
}

/* True if all channels have the same bits. */
static bool equal(const vd_case *c, vd_run *a, vd_run *b) {
  double x[CHANNELS], y[CHANNELS];
  size_t n = vd_channel_count(c);
  bool read = vd_values(a, NULL, n, x) == VD_OK && vd_values(b, NULL, n, y) == VD_OK;
  return read && memcmp(x, y, n * sizeof *x) == 0;
}

static double value(const vd_case *c, vd_run *run, const char *channel) {
  return vd_value(run, vd_channel_find(c, channel));
}

static vd_status set(vd_run *run, const char *input, double x) {
  return vd_set(run, vd_input_find(input), x);
}

/* --- messages */

static void test_messages(void) {
  static const char text[] = "vehicle: {base: ../vehicles/sedan.yaml, mas: 1600}\n"
                             "run: {level: L2, duration: 2 kg}\n";
  vd_case *c;
  vd_message m = {.file = "", .text = ""};
  tap_ok(vd_load_text(text, strlen(text), place, NULL, 0, &c) == VD_BAD_INPUT && c,
         "a bad scenario is a case with messages");
  tap_ok(vd_message_count(c) == 2, "all errors of a bad scenario are reported at once");
  bool read = vd_message_at(c, 0, &m) == VD_OK;
  tap_ok(read && m.kind == VD_MESSAGE_ERROR && m.line == 1 && m.column == 41 && m.length == 3,
         "the first message has its kind, line, column and length (%d:%d, %d)", m.line, m.column, m.length);
  tap_str(m.file, place, "the first message has its file");
  tap_ok(strstr(m.text, "unknown key 'mas'") != NULL, "the first message has its text: %s", m.text);
  tap_ok(vd_message_at(c, 1, &m) == VD_OK && m.line == 2, "the second message follows the first");
  tap_ok(strstr(vd_messages_text(c), "scenarios/iso/test.yaml:1:41: error: unknown key 'mas'") == vd_messages_text(c),
         "the text of all messages begins with the first");
  tap_ok(vd_message_at(c, 2, &m) == VD_BAD_ARGUMENT, "there is no third message");
  vd_run *run;
  tap_ok(vd_build(c, 0, &run) == VD_BAD_INPUT && !run, "a bad case builds no run");
  vd_case_free(c);
  static const char fit[] = "kind: fit\n";
  tap_ok(vd_load_text(fit, strlen(fit), place, NULL, 0, &c) == VD_BAD_INPUT && vd_message_count(c) == 1 &&
             !vd_case_kind(c),
         "a fit is refused by a message");
  vd_case_free(c);
  tap_ok(vd_load_file("nowhere.yaml", NULL, 0, &c) == VD_BAD_INPUT && vd_message_at(c, 0, &m) == VD_OK && m.line == 0,
         "a missing file is a message about the file as a whole");
  vd_case_free(c);
}

/* --- handles and names */

static void test_arguments(void) {
  vd_case *c = NULL;
  size_t count = 7;
  double x;
  tap_ok(vd_load_file(NULL, NULL, 0, &c) == VD_BAD_ARGUMENT &&
             vd_load_text("", 0, NULL, NULL, 1, &c) == VD_BAD_ARGUMENT &&
             vd_load_file("x", NULL, 0, NULL) == VD_BAD_ARGUMENT,
         "NULL names, settings and results are bad arguments");
  tap_ok(vd_message_count(NULL) == 0 && !vd_messages_text(NULL) && !vd_resolved_text(NULL) &&
             isnan(vd_duration(NULL)) && vd_channel_count(NULL) == 0 && vd_channel_find(NULL, "t_s") == VD_NONE,
         "a NULL case has no contents");
  tap_ok(vd_build(NULL, 0, NULL) == VD_BAD_ARGUMENT && vd_restart(NULL) == VD_BAD_ARGUMENT &&
             vd_set(NULL, 0, 0.0) == VD_BAD_ARGUMENT && vd_advance(NULL, 1.0) == VD_BAD_ARGUMENT &&
             vd_values(NULL, NULL, 0, NULL) == VD_BAD_ARGUMENT && vd_state_size(NULL) == 0 &&
             vd_state_save(NULL, &x, sizeof x) == VD_BAD_ARGUMENT &&
             vd_state_restore(NULL, &x, sizeof x) == VD_BAD_ARGUMENT &&
             vd_figures(NULL, NULL, 0, &count) == VD_BAD_ARGUMENT && isnan(vd_time(NULL)) && isnan(vd_value(NULL, 0)) &&
             !vd_run_failure(NULL) && !vd_run_doubt(NULL),
         "a NULL run is a bad argument");
  vd_case_free(NULL);
  vd_run_free(NULL);
  tap_str(vd_version_string(), VDSIM_VERSION, "the version is that of the build");
  tap_ok(vd_abi() == VD_ABI, "the ABI is that of the header");
  bool distinct = true;
  for (int s = VD_OK; s <= VD_NO_MEMORY; s++)
    distinct &= strcmp(vd_status_text((vd_status)s), vd_status_text((vd_status)99)) != 0;
  tap_ok(distinct, "every status has its own text");
  bool named = true;
  for (size_t i = 0; i < vd_input_count(); i++)
    named &= vd_input_find(vd_input_name(i)) == i && vd_input_unit(i) && vd_input_meaning(i);
  tap_ok(named && !vd_input_name(vd_input_count()) && vd_input_find("stere") == VD_NONE,
         "every input has a name, a unit and a meaning; other names are no inputs");
}

static const char driving[] = "vehicle: ../vehicles/sedan_automatic.yaml\n"
                              "run: {level: L3, duration: 3 s}\n"
                              "initial: {speed: 20}\n"
                              "metrics: [handling, braking]\n"
                              "log: {channels: [\"ay*\", vx_mps]}\n";

static void test_case(void) {
  static const char *const settings[] = {"run.duration=2 s", "title=set"};
  vd_case *c = load_with(driving, settings, 2);
  size_t vx = vd_channel_find(c, "vx_mps");
  tap_ok(vd_duration(c) == 2.0 && vd_step_size(c) == 0.01 && vd_log_interval(c) == 0.01 &&
             vd_log_time(c, 3) == 3 * 0.01,
         "a setting is applied; a case has times of step, run and log");
  tap_str(vd_title(c), "set", "a case has its title");
  tap_ok(strstr(vd_resolved_text(c), "duration: 2") != NULL, "a case has its resolved text");
  tap_ok(strcmp(vd_channel_name(c, 0), "t_s") == 0 && vx != VD_NONE && strcmp(vd_channel_unit(c, vx), "m/s") == 0 &&
             *vd_channel_meaning(c, vx) && vd_channel_logged(c, vx) && vd_channel_logged(c, 0) &&
             !vd_channel_logged(c, vd_channel_find(c, "yaw_rate_radps")),
         "channels have names, units, meanings, and are logged or not");
  tap_ok(vd_channel_find(c, "vx") == VD_NONE && !vd_channel_name(c, vd_channel_count(c)),
         "an unknown channel is not found");
  vd_run *run = build(c, 0);
  tap_ok(isnan(vd_value(run, VD_NONE)) &&
             vd_values(run, (const size_t[]){0, VD_NONE}, 2, (double[2]){0}) == VD_BAD_ARGUMENT,
         "an unknown channel has no value");
  vd_case_free(c); /* the run keeps it */
  tap_ok(vd_advance(run, 0.5) == VD_OK && vd_time(run) == 0.5,
         "a run remains valid after the caller has freed its case");
  tap_ok(vd_advance(run, 0.4) == VD_BAD_ARGUMENT && vd_advance(run, NAN) == VD_BAD_ARGUMENT && vd_time(run) == 0.5,
         "the time of a run does not go back");
  tap_ok(vd_advance(run, 5.0) == VD_OVER && vd_time(run) == 2.0 && vd_advance(run, 5.0) == VD_OVER &&
             set(run, "brake", 1.0) == VD_OVER,
         "a run ends at its duration");
  vd_run_free(run);
}

/* --- pieces */

/* Drives, brakes until wheels lock, and turns, with decisions at uneven times. */
static vd_status drive(vd_run *run, double to) {
  static const struct {
    double t;
    const char *input;
    double value;
  } plan[] = {{0.0, "throttle", 0.5},           {0.3333, "steering_wheel", 0.4},
              {0.3333, "throttle", 0.0},        {0.35, "brake", 1.0},
              {0.9001, "steering_wheel", -0.8}, {1.7, "brake", 0.2},
              {1.70001, "handbrake", 1.0},      {2.1, "gear", 2.0}};
  double from = vd_time(run);
  vd_status status = VD_OK;
  for (size_t i = 0; i < sizeof plan / sizeof *plan; i++) {
    if (plan[i].t < from || plan[i].t >= to || (from > 0.0 && plan[i].t <= from))
      continue;
    status = vd_advance(run, plan[i].t);
    if (set(run, plan[i].input, plan[i].value) != VD_OK)
      tap_diag("%s cannot be %g", plan[i].input, plan[i].value);
  }
  return status == VD_OK ? vd_advance(run, to) : status;
}

static void test_pieces(vd_case *c) {
  vd_run *whole = build(c, VD_KEEP_METRICS), *pieces = build(c, VD_KEEP_METRICS);
  drive(whole, 2.5);
  for (int i = 0; i < 2500; i++) {
    double to = 0.001 * i + 0.0005 * sin(7.0 * i);
    drive(pieces, fmax(to, vd_time(pieces)));
    if (i % 10 == 0)
      value(c, pieces, "ay_mps2"); /* reading a value changes nothing */
  }
  drive(pieces, 2.5);
  tap_ok(equal(c, whole, pieces),
         "uneven pieces and reading of values give the same bits as one call for each decision");
  tap_ok(vd_restart(pieces) == VD_OK && vd_time(pieces) == 0.0 && drive(pieces, 2.5) == VD_OK &&
             equal(c, whole, pieces),
         "restarted and run again, a run has the same bits");
  vd_run *plain = build(c, 0);
  drive(plain, 2.5);
  tap_ok(equal(c, whole, plain), "a run that keeps no metrics has the same bits");
  tap_ok(vd_figures(plain, NULL, 0, NULL) == VD_UNAVAILABLE, "a run that keeps no metrics has none");
  vd_run_free(whole);
  vd_run_free(pieces);
  vd_run_free(plain);
}

/* --- state */

static void test_state_at(vd_case *c, double t, const char *where) {
  vd_run *run = build(c, VD_KEEP_METRICS), *other = build(c, VD_KEEP_METRICS);
  drive(run, t);
  size_t size = vd_state_size(run), n, m;
  void *bytes = malloc(size), *again = malloc(size);
  bool saved = vd_state_save(run, bytes, size) == VD_OK;
  drive(run, 3.0);
  tap_ok(saved && vd_state_restore(other, bytes, size) == VD_OK && vd_time(other) == t, "a state is saved %s", where);
  tap_ok(vd_state_size(other) == size && vd_state_save(other, again, size) == VD_OK && memcmp(bytes, again, size) == 0,
         "a state that is restored and saved again has the same bytes");
  drive(other, 3.0);
  tap_ok(equal(c, run, other), "a run continues from a restored state to the same bits");
  vd_figure a[128], b[128];
  bool same = vd_figures(run, a, 128, &n) == VD_OK && vd_figures(other, b, 128, &m) == VD_OK && n == m && n > 10;
  for (size_t i = 0; i < n && same; i++)
    same = memcmp(&a[i].value, &b[i].value, sizeof a[i].value) == 0;
  tap_ok(same, "a run continues from a restored state to the same metrics");
  free(bytes);
  free(again);
  vd_run_free(run);
  vd_run_free(other);
}

/* A car on nonlinear bushings, whose loads are additional states, that steers, drives and brakes. States are saved as
 * bytes and restored in another run. */
static const char yielding[] = "vehicle: ../vehicles/sedan_hardpoints.yaml\n"
                               "run: {level: L4, duration: 3 s, compliance: nonlinear}\n"
                               "initial: {speed: 20}\n"
                               "metrics: [handling, braking]\n"
                               "log: {channels: [\"ay*\", vx_mps]}\n";

static void test_state_on_bushings(void) {
  static const char *const free_body[] = {"run.level=L5", "run.unsprung=linkage"};
  vd_case *c = load(yielding);
  test_state_at(c, 0.6, "on bushings, while the car brakes");
  test_state_at(c, 0.90005, "on bushings, between two steps");
  vd_case_free(c);
  c = load_with(yielding, free_body, 2);
  test_state_at(c, 0.6, "on bushings at L5");
  vd_case_free(c);
}

/* Continues a run from its state at 1.5 s to 2.5 s in another run, also with steps that are split. watched: channels
 * that depend on the saved memory and must be above 0.1 at some time, ended by NULL. */
static void test_memory_of(const char *who, const char *text, const char *const *watched) {
  vd_case *c = load(text);
  vd_run *run = build(c, 0), *other = build(c, 0), *cut = build(c, 0);
  double greatest[8] = {0.0};
  bool good = vd_advance(run, 1.5) == VD_OK;
  size_t size = vd_state_size(run);
  void *bytes = malloc(size);
  good &= vd_state_save(run, bytes, size) == VD_OK && vd_advance(run, 2.5) == VD_OK;
  good &= vd_state_restore(other, bytes, size) == VD_OK && vd_advance(other, 2.5) == VD_OK;
  tap_ok(good && equal(c, run, other), "%s continues from a saved state to the same bits", who);
  for (int k = 1; k < 343; k++) {
    good &= vd_advance(cut, 0.0073 * k) == VD_OK;
    for (int w = 0; watched[w]; w++)
      greatest[w] = tap_max(greatest[w], fabs(value(c, cut, watched[w])));
  }
  for (int w = 0; watched[w]; w++)
    if (!(greatest[w] > 0.1)) {
      tap_diag("%s is at most %g", watched[w], greatest[w]);
      good = false;
    }
  tap_ok(good && vd_advance(cut, 2.5) == VD_OK && equal(c, run, cut),
         "a run over steps that are cut has the same bits");
  free(bytes);
  vd_run_free(run);
  vd_run_free(other);
  vd_run_free(cut);
  vd_case_free(c);
}

/* Checks drivers and controllers that store data. A planning driver stores a plan and an estimate of the tyres; without
 * these the driver would plan anew. Controllers store the states of filters, phases, and the random numbers of their
 * sensors. */
static void test_memories(void) {
  static const char planner[] = "vehicle: ../vehicles/saloon.yaml\n"
                                "run: {level: L2, duration: 3 s, step: 5 ms, slip: transient}\n"
                                "initial: {speed: 60 km/h}\n"
                                "path: {type: iso3888_2}\n"
                                "driver: {type: planner, period: 20 ms, delay: 0.1 s}\n";
  static const char systems[] = "vehicle: {base: ../vehicles/saloon.yaml, brakes: {abs: none, pressure: hydraulic},\n"
                                "          steering: {rear: {gain: [[0, 0], [100 m/s, 0]], lag: 20 ms}}}\n"
                                "run: {level: L3, duration: 3 s, slip: transient}\n"
                                "initial: {speed: 40 km/h}\n"
                                "ground: {friction: 0.3}\n"
                                "steering_wheel: {type: sine, amplitude: 150 deg, frequency: 0.7 Hz}\n"
                                "throttle: {type: table, points: [[0, 0], [0.01, 1], [0.8, 1], [0.81, 0]]}\n"
                                "brake: {type: table, points: [[0, 0], [1.2, 0], [1.3, 1], [2, 1]]}\n"
                                "controllers: [abs, tcs, damper, {kind: rear_steer, delay: 10 ms, share: 0.2},\n"
                                "  {kind: torque_vectoring, damping: 5}, {kind: esc, sensors: [{channel: "
                                "yaw_rate_radps, noise: 0.01, lag: 20 ms}]}]\n";
  static const char *const steered[] = {"steering_wheel_rad", NULL};
  static const char *const acted[] = {"abs_mode_fl",
                                      "throttle_request",
                                      "esc_mode_fl",
                                      "damper_request_fl_N",
                                      "torque_vectoring_mode_rl",
                                      "rear_steer_mode_rl",
                                      NULL};
  test_memory_of("a planner", planner, steered);
  test_memory_of("a car with all systems", systems, acted);
}

static void test_state_refused(vd_case *c) {
  static const char *const heavier[] = {"vehicle.mass=1700 kg"};
  vd_case *another = load_with(driving, heavier, 1);
  vd_run *run = build(c, 0), *foreign = build(another, 0);
  size_t size = vd_state_size(run);
  unsigned char *bytes = malloc(size);
  vd_advance(run, 0.1);
  size = vd_state_size(run);
  bytes = realloc(bytes, size);
  tap_ok(vd_state_save(run, bytes, size - 1) == VD_BAD_ARGUMENT && vd_state_save(run, bytes, size) == VD_OK,
         "a state needs its size");
  tap_ok(vd_state_restore(foreign, bytes, size) == VD_MISMATCH, "a state of another vehicle is refused");
  tap_ok(vd_state_restore(run, bytes, size - 1) == VD_MISMATCH && vd_state_restore(run, bytes, 3) == VD_MISMATCH,
         "a short state is refused");
  bytes[size / 2] ^= 1;
  tap_ok(vd_state_restore(run, bytes, size) == VD_MISMATCH && vd_time(run) == 0.1 && vd_advance(run, 0.2) == VD_OK,
         "a damaged state is refused and does not change the run");
  free(bytes);
  vd_run_free(run);
  vd_run_free(foreign);
  vd_case_free(another);
}

/* --- inputs */

/* True if half a second with an input differs from half a second without it. */
static bool acts(vd_case *c, const char *input, double x) {
  vd_run *with = build(c, 0), *without = build(c, 0);
  bool done = vd_advance(with, 0.1) == VD_OK && set(with, input, x) == VD_OK && vd_advance(with, 0.6) == VD_OK;
  done &= vd_advance(without, 0.6) == VD_OK;
  bool differ =
      done && !equal(c, with, without) && value(c, with, "energy_kinetic_J") != value(c, without, "energy_kinetic_J");
  if (!differ)
    tap_diag("the input %s = %g has no effect", input, x);
  vd_run_free(with);
  vd_run_free(without);
  return differ;
}

static void test_inputs(vd_case *c) {
  static const struct {
    const char *input;
    double value;
  } given[] = {{"steer", 0.05},
               {"steering_wheel", -0.5},
               {"curvature", 0.01},
               {"yaw_rate", 0.1},
               {"lateral_acceleration", 2.0},
               {"throttle", 1.0},
               {"brake", 0.3},
               {"handbrake", 0.5},
               {"gear", 1.0},
               {"friction", 0.3},
               {"speed", 25.0},
               {"force", 1000.0},
               {"drive_torque_front", 500.0},
               {"drive_torque_rear", 500.0},
               {"brake_torque_front", 500.0},
               {"brake_torque_rear", 500.0},
               {"drive_torque_fl", 300.0},
               {"drive_torque_fr", 300.0},
               {"drive_torque_rl", 300.0},
               {"drive_torque_rr", 300.0},
               {"brake_torque_fl", 300.0},
               {"brake_torque_fr", 300.0},
               {"brake_torque_rl", 300.0},
               {"brake_torque_rr", 300.0}};
  bool all = true;
  for (size_t i = 0; i < sizeof given / sizeof *given; i++)
    all &= acts(c, given[i].input, given[i].value);
  tap_ok(all, "every input acts when it is set during the run");
  vd_run *run = build(c, 0);
  double low, high;
  tap_ok(vd_input_range(c, vd_input_find("gear"), &low, &high) == VD_OK && low == -1.0 && high >= 4.0 &&
             vd_input_range(c, vd_input_find("steer"), NULL, &high) == VD_OK && high > 0.3 && high < 1.5 &&
             vd_input_range(c, VD_NONE, NULL, NULL) == VD_BAD_ARGUMENT,
         "inputs have ranges that depend on the vehicle");
  tap_ok(set(run, "throttle", 1.1) == VD_BAD_VALUE && set(run, "gear", 1.5) == VD_BAD_VALUE &&
             set(run, "throttle", NAN) == VD_BAD_ARGUMENT && vd_set(run, VD_NONE, 0.0) == VD_BAD_ARGUMENT,
         "values out of range, gears that are not whole and NaN are refused");
  tap_ok(set(run, "post_fl", 0.01) == VD_UNAVAILABLE, "a car on a road has no posts");
  vd_advance(run, 0.1);
  tap_ok(set(run, "acceleration", 1.0) == VD_UNAVAILABLE, "an acceleration cannot begin during the run");
  tap_ok(vd_restart(run) == VD_OK && set(run, "acceleration", 1.0) == VD_OK && vd_advance(run, 1.0) == VD_OK &&
             fabs(value(c, run, "ax_mps2") - 1.0) < 0.1,
         "an acceleration can begin at the start (%.3f m/s2)", value(c, run, "ax_mps2"));
  vd_restart(run);
  set(run, "steer", 0.02);
  set(run, "steering_wheel", 0.0);
  tap_ok(value(c, run, "steer_rad") == 0.0 && set(run, "steer", 0.03) == VD_OK && value(c, run, "steer_rad") == 0.03,
         "of inputs that exclude each other the last one acts, from its instant on");
  vd_run_free(run);
}

static void test_posts(void) {
  static const char rig[] =
      "kind: four_post\nvehicle: ../vehicles/sedan.yaml\n"
      "run: {level: L3, duration: 1 s}\npost_fl: 0\npost_rr: {type: sine, amplitude: 1 mm, frequency: 1}\n";
  vd_case *c = load(rig);
  vd_run *run = build(c, 0);
  tap_ok(set(run, "post_fl", 0.01) == VD_OK && set(run, "throttle", 0.1) == VD_UNAVAILABLE &&
             vd_advance(run, 0.9) == VD_OK && fabs(value(c, run, "travel_fl_m")) > 1e-4,
         "on a four-post rig only posts can be set");
  vd_run_free(run);
  vd_case_free(c);
}

/* --- ends */

/* Checks that a run ends at the same instant with the same metrics for any division of its time into calls. */
static void same_end(vd_run *whole, vd_case *c, double piece, double end, const char *what) {
  vd_run *run = build(c, VD_KEEP_METRICS);
  vd_figure a[64], b[64];
  size_t count = 0, other = 0;
  vd_status status = VD_OK;
  for (int k = 1; k < 100000 && status == VD_OK; k++) {
    status = vd_advance(run, piece * k);
    if (k % 3 == 0)
      vd_figures(run, a, 64, &count);
  }
  bool same = vd_figures(run, a, 64, &count) == VD_OK && vd_figures(whole, b, 64, &other) == VD_OK && count == other;
  for (size_t i = 0; i < count && same; i++)
    same = memcmp(&a[i].value, &b[i].value, sizeof a[i].value) == 0 && strcmp(a[i].reason, b[i].reason) == 0;
  tap_ok(status == VD_OVER && vd_time(run) == end && same, "%s end at the same instant with the same bits", what);
  vd_run_free(run);
}

static void test_ends(void) {
  static const char tall[] = "vehicle: ../vehicles/sedan.yaml\n"
                             "run: {level: L3, duration: 10 s}\ninitial: {speed: 40}\n";
  static const char *const settings[] = {"vehicle.cg_height=1.6", NULL};
  vd_case *c = load_with(tall, settings, 1);
  vd_run *run = build(c, 0);
  set(run, "steer", 0.3);
  tap_ok(vd_advance(run, 10.0) == VD_FAILED && vd_run_status(run) == VD_FAILED && vd_time(run) < 10.0,
         "a car that falls over fails");
  tap_ok(strstr(vd_run_failure(run), "overturned at t = ") != NULL && isnan(vd_value(run, 0)) &&
             set(run, "steer", 0.0) == VD_FAILED,
         "the failure has its reason and time; there are no values: %s", vd_run_failure(run));
  tap_ok(vd_restart(run) == VD_OK && *vd_run_failure(run) == '\0' && vd_advance(run, 1.0) == VD_OK,
         "a run that failed can start again");
  vd_run_free(run);
  vd_case_free(c);
  c = load_with(tall, (const char *const[]){"run.ledger_limit=1e-15", "throttle=0.5"}, 2);
  run = build(c, 0);
  tap_ok(vd_advance(run, 10.0) == VD_FAILED && vd_time(run) < 10.0 &&
             strstr(vd_run_failure(run), "above run.ledger_limit (1e-15)") != NULL,
         "a ledger that does not close fails: %s", vd_run_failure(run));
  vd_run_free(run);
  vd_case_free(c);
  c = load(tall);
  run = build(c, 0);
  bool sure = vd_advance(run, 1.0) == VD_OK && *vd_run_doubt(run) == '\0';
  run->instance.sim.ledger.share = 2e-3; /* simulates an error of this size */
  tap_ok(sure && strstr(vd_run_doubt(run), ": 0.002 of the energy that passed through the run") != NULL,
         "a ledger that hardly closes gives a warning: %s", vd_run_doubt(run));
  vd_run_free(run);
  vd_case_free(c);
  static const char ending[] = "vehicle: ../vehicles/sedan.yaml\n"
                               "run: {level: L1, duration: 10 s}\ninitial: {speed: 20}\n"
                               "events: [{when: distance, distance: 30 m, end: true}]\n";
  c = load(ending);
  run = build(c, VD_KEEP_METRICS);
  size_t far = vd_channel_find(c, "distance_m");
  vd_status over = vd_advance(run, 10.0);
  double end = vd_time(run);
  tap_ok(over == VD_OVER && fabs(end - 1.5) < 0.05 && fabs(vd_value(run, far) - 30.0) < 1e-9,
         "an event ends a run at its instant, %.9g s", end);
  same_end(run, c, 0.0037, end, "calls of 3.7 ms");
  same_end(run, c, end, end, "a call to the end itself");
  same_end(run, c, end - 1e-4, end, "calls to just before the end");
  same_end(run, c, end + 1e-4, end, "a call to just behind the end");
  vd_run_free(run);
  vd_case_free(c);
}

/* --- metrics */

static void test_figures(vd_case *c) {
  vd_arena *arena = vd_arena_create();
  vd_diag *diag = vd_diag_create();
  vd_scenario_def def;
  vd_recorder recorder;
  vd_run_report report;
  vd_run_options options = {.progress = NULL};
  vd_metrics *metrics = vd_arena_alloc(arena, sizeof *metrics);
  int source = vd_diag_add_source(diag, place, driving, strlen(driving));
  bool read = vd_scenario_read_source(source, NULL, 0, arena, diag, &def);
  vd_recorder_init(&recorder, true);
  vd_simulate(&def, &options, NULL, &recorder, &report);
  vd_run_metrics(&def, &recorder, metrics);
  vd_run *run = build(c, VD_KEEP_METRICS);
  vd_figure figure[128];
  size_t count = 0, some;
  vd_advance(run, 1.0);
  tap_ok(vd_figures(run, figure, 2, &some) == VD_OK && some > 2 && strcmp(figure[0].name, "duration_s") == 0 &&
             figure[0].value == 1.0,
         "metrics cover the run until now");
  vd_advance(run, 10.0);
  bool same = read && vd_figures(run, figure, 128, &count) == VD_OK && count == metrics->count;
  for (size_t i = 0; i < count && same; i++) {
    const vd_metric *m = &metrics->metric[i];
    same = strcmp(figure[i].name, m->name) == 0 && strcmp(figure[i].unit, m->unit) == 0 &&
           strcmp(figure[i].definition, m->definition) == 0 && strcmp(figure[i].reason, m->reason) == 0 &&
           memcmp(&figure[i].value, &m->value, sizeof m->value) == 0;
  }
  tap_ok(same, "the %zu metrics are those of vdsim-run", count);
  vd_run_free(run);
  vd_recorder_finish(&recorder);
  vd_diag_destroy(diag);
  vd_arena_destroy(arena);
}

/* Checks that a name without a file of its own means a shipped file, also in a build that is not installed. */
static void test_shipped(void) {
  vd_case *c;
  unsetenv("VDSIM_DATA");
  tap_ok(vd_load_file("iso/step_steer.yaml", NULL, 0, &c) == VD_OK, "a shipped scenario is loaded by its name");
  vd_case_free(c);
  vd_status status = vd_load_file("iso/no_such.yaml", NULL, 0, &c);
  tap_ok(status == VD_BAD_INPUT && strstr(vd_messages_text(c), "No such file or directory; nor is it in '"),
         "the message of an unknown name contains the folders that were searched");
  vd_case_free(c);
  setenv("VDSIM_DATA", "", 1);
  tap_ok(vd_load_file("iso/step_steer.yaml", NULL, 0, &c) == VD_BAD_INPUT,
         "with an empty VDSIM_DATA there is no data folder");
  vd_case_free(c);
}

/* --- cases made from others, and tables */

static double cell(const vd_table *t, size_t row, const char *column) {
  return vd_table_value(t, row, vd_table_find(t, column));
}

/* Checks that settings after loading make another case, and leave the first one unchanged. */
static void test_set(void) {
  static const char *const heavy[] = {"vehicle.mass=2 t"}, *const wrong[] = {"vehicle.mas=2 t"};
  static const char *const lighter[] = {"vehicle.mass=1700", "run.duration=1 s"};
  vd_case *c = load("vehicle: ../vehicles/sedan.yaml\nrun: {level: L2, duration: 2 s}\n"), *two, *three, *bad, *again;
  vd_status status = vd_case_set(c, heavy, 1, &two);
  tap_ok(status == VD_OK && strstr(vd_resolved_text(two), "mass: 2000") && !strstr(vd_resolved_text(c), "mass: 2000"),
         "a setting after loading makes another case");
  vd_case_free(c);
  status = vd_case_set(two, lighter, 2, &three);
  tap_ok(status == VD_OK && strstr(vd_resolved_text(three), "mass: 1700") && vd_duration(three) == 1.0 &&
             vd_duration(two) == 2.0,
         "settings come after those of the case, which may have been freed");
  vd_message m;
  status = vd_case_set(two, wrong, 1, &bad);
  tap_ok(status == VD_BAD_INPUT && vd_message_at(bad, 0, &m) == VD_OK && strcmp(m.file, "--set vehicle.mas") == 0,
         "an unknown key is a message");
  tap_ok(vd_case_set(bad, lighter, 2, &again) == VD_BAD_INPUT && vd_message_count(again) == vd_message_count(bad),
         "a case that is made from a case with an unknown key has the message, too");
  vd_case_free(again);
  vd_case_free(bad);
  tap_ok(vd_load_file("nowhere.yaml", NULL, 0, &again) == VD_BAD_INPUT &&
             vd_case_set(again, heavy, 1, &bad) == VD_UNAVAILABLE,
         "a case whose file could not be read takes no settings");
  vd_case_free(again);
  vd_case_free(bad);
  vd_case_free(three);
  vd_case_free(two);
}

static void test_log_table(void) {
  vd_case *c = load("vehicle: ../vehicles/sedan.yaml\nrun: {level: L2, duration: 0.1 s}\ninitial: {speed: 20}\n"
                    "steer: 0.02\nlog: {channels: [yaw_rate_radps, 'v*_mps']}\n");
  vd_run *run = build(c, VD_KEEP_METRICS);
  vd_table *log, *metrics;
  size_t count;
  vd_figure figure[128];
  tap_ok(strcmp(vd_case_kind(c), "vehicle") == 0 && vd_table_log(c, &log) == VD_OK && !*vd_table_remark(log),
         "the log of a run is a table");
  bool same = true;
  for (size_t i = 0; i < vd_table_rows(log); i++) {
    vd_advance(run, vd_log_time(c, i));
    same &= cell(log, i, "t_s") == vd_time(run) && cell(log, i, "vx_mps") == value(c, run, "vx_mps") &&
            cell(log, i, "yaw_rate_radps") == value(c, run, "yaw_rate_radps");
  }
  tap_ok(same && vd_table_rows(log) == 11 && vd_table_find(log, "ay_mps2") == VD_NONE,
         "the table of a log has the rows and channels of the log, and the bits of a run step by step");
  tap_ok(vd_table_metrics(c, &metrics) == VD_OK && vd_figures(run, figure, 128, &count) == VD_OK &&
             vd_table_rows(metrics) == count && strcmp(vd_table_name(metrics, 0), "metric") == 0,
         "the metrics are a table with a row for each");
  for (size_t i = 0; i < count; i++)
    same &=
        strcmp(vd_table_word(metrics, i, 0), figure[i].name) == 0 &&
        (cell(metrics, i, "value") == figure[i].value || (isnan(figure[i].value) && !*vd_table_word(metrics, i, 1)));
  tap_ok(same, "the table of metrics has the bits of vd_figures");
  tap_ok(strncmp(vd_table_text(log), "t_s,", 4) == 0 && isnan(vd_table_value(metrics, 0, 0)) &&
             !vd_table_word(log, 11, 0) && !vd_table_name(log, VD_NONE) && isnan(vd_table_value(NULL, 0, 0)),
         "a word has no number, and fields that do not exist have no value");
  vd_table_free(log);
  vd_table_free(metrics);
  vd_table_free(NULL);
  vd_run_free(run);
  vd_case_free(c);
}

/* Checks the log of a car whose centre of gravity is above its track: it overturns, and its log ends early. */
static void test_failed_table(void) {
  static const char *const settings[] = {"vehicle.cg_height=1.2", "ground.friction=3", "steering_wheel=6",
                                         "run.level=L3"};
  vd_table *log = NULL;
  vd_case *c = NULL;
  vd_status status = vd_load_file("iso/step_steer.yaml", settings, 4, &c);
  if (status != VD_OK)
    tap_diag("%s", vd_messages_text(c));
  status = status == VD_OK ? vd_table_log(c, &log) : status;
  tap_ok(status == VD_FAILED && strstr(vd_table_remark(log), "overturned") && vd_table_rows(log) > 2,
         "the table of a run that fails has its rows and the reason of the failure: %s",
         log ? vd_table_remark(log) : "nothing");
  vd_table_free(log);
  vd_case_free(c);
}

/* Checks the table of a linear tyre: Fy = C alpha up to the limit of friction. */
static void test_rig_table(void) {
  vd_case *c = load("kind: tyre_rig\ntyre: {model: linear, cornering_stiffness: 80000, longitudinal_stiffness: 1e5, "
                    "friction: 1,\n  vertical_stiffness: 220 kN/m}\n"
                    "load: [4000]\nslip_angles: [0, 0.01]\n");
  vd_table *t = NULL, *none = NULL;
  vd_run *run;
  tap_ok(strcmp(vd_case_kind(c), "tyre_rig") == 0 && vd_channel_count(c) == 0 && isnan(vd_duration(c)) &&
             vd_build(c, 0, &run) == VD_UNAVAILABLE && !run,
         "a tyre rig has neither channels nor a run");
  tap_ok(vd_table_log(c, &t) == VD_OK && vd_table_rows(t) == 2, "a tyre rig has a table");
  tap_near(fabs(cell(t, 1, "fy_N")), 800.0, 1e-9, "the table of a rig has the forces of the tyre");
  tap_ok(vd_table_sweep(c, NULL, 0, &none) == VD_UNAVAILABLE && vd_table_cases(c, 0, 0, &none) == VD_UNAVAILABLE &&
             !none,
         "a rig has neither sweeps nor cases");
  vd_table_free(t);
  vd_case_free(c);
}

static void test_sweep_table(void) {
  static const char *const options[] = {"sweep=travel", "travel=-60:60:7", "columns=travel_mm,camber_deg"};
  static const char *const bad[] = {"sweep=travel", "travle=3"}, *const lonely[] = {"sweep=rack", "travel=0:1:2"};
  vd_case *c;
  vd_table *t;
  vd_status status = vd_load_file("suspensions/dw_front_sports.yaml", NULL, 0, &c);
  tap_ok(status == VD_OK && strcmp(vd_case_kind(c), "suspension") == 0 && vd_table_log(c, &t) == VD_UNAVAILABLE,
         "a suspension has no log");
  bool good = vd_table_sweep(c, options, 3, &t) == VD_OK && vd_table_rows(t) == 7 && vd_table_columns(t) == 2;
  for (size_t i = 0; i < 7; i++)
    good &= fabs(cell(t, i, "travel_mm") - (-60.0 + 20.0 * (double)i)) < 1e-9;
  tap_ok(good, "a suspension has curves with the rows and columns of the options");
  vd_table_free(t);
  tap_ok(vd_table_sweep(c, bad, 2, &t) == VD_BAD_VALUE, "an unknown option is refused");
  tap_str(vd_table_remark(t), "'travle=3': there is no such option of a sweep", "an unknown option is named");
  vd_table_free(t);
  tap_ok(vd_table_sweep(c, lonely, 2, &t) == VD_BAD_VALUE && strstr(vd_table_remark(t), "travel has several points"),
         "a range with several points without its sweep is refused");
  vd_table_free(t);
  tap_ok(vd_table_metrics(c, &t) == VD_OK && vd_table_rows(t) > 20, "the figures of a suspension are metrics");
  vd_table_free(t);
  vd_case_free(c);
}

static void test_study(void) {
  static const char text[] = "kind: study\nscenario: step_steer.yaml\nset: [run.duration=1 s]\n"
                             "vary: [{name: mass, key: vehicle.mass, type: list, values: [1500, 1600, 1700]}]\n"
                             "constraints: [{formula: mass, below: 1650}]\nmetrics: [duration_s, peak_ay_mps2]\n";
  vd_case *c = load(text), *one, *none;
  vd_table *all, *part, *metrics;
  tap_ok(vd_case_count(c) == 3 && strcmp(vd_case_kind(c), "study") == 0, "a study has its cases");
  tap_ok(vd_table_cases(c, 0, 3, &all) == VD_OK && vd_table_rows(all) == 3 && cell(all, 1, "mass_kg") == 1600.0 &&
             strcmp(vd_table_word(all, 2, 1), "excluded") == 0,
         "the table of a study has a row for each case");
  tap_ok(vd_table_cases(c, 1, 1, &part) == VD_OK && vd_table_rows(part) == 1 &&
             cell(part, 0, "peak_ay_mps2") == cell(all, 1, "peak_ay_mps2") &&
             vd_table_cases(c, 2, 2, &metrics) == VD_BAD_ARGUMENT,
         "a part of the table has the same bits");
  vd_table_free(part);
  bool good = vd_case_at(c, 1, &one) == VD_OK && strstr(vd_resolved_text(one), "mass: 1600") &&
              vd_duration(one) == 1.0 && vd_table_metrics(one, &metrics) == VD_OK;
  bool found = false;
  for (size_t i = 0; good && i < vd_table_rows(metrics); i++)
    if (strcmp(vd_table_word(metrics, i, 0), "peak_ay_mps2") == 0)
      found = cell(metrics, i, "value") == cell(all, 1, "peak_ay_mps2");
  tap_ok(good && found, "a case of a study is a scenario with its values, whose metrics are those of its row");
  tap_ok(vd_case_at(c, 2, &none) == VD_UNAVAILABLE && !none && vd_case_at(c, 3, &none) == VD_BAD_ARGUMENT &&
             vd_table_log(c, &part) == VD_UNAVAILABLE,
         "an excluded case is not available, and other cases do not exist");
  vd_table_free(metrics);
  vd_table_free(all);
  vd_case_free(one);
  vd_case_free(c);
}

static void test_data(void) {
  char path[4096], small[4];
  tap_ok(vd_data_file("iso/step_steer.yaml", path, sizeof path) == VD_OK &&
             strstr(path, "scenarios/iso/step_steer.yaml") &&
             vd_data_file("iso/no_such.yaml", path, sizeof path) == VD_UNAVAILABLE &&
             vd_data_file("", path, sizeof path) == VD_OK && *path &&
             vd_data_file("iso/step_steer.yaml", small, sizeof small) == VD_BAD_ARGUMENT,
         "a shipped file is found by its name");
}

int main(void) {
  tap_plan(TESTS);
  test_messages();
  test_shipped();
  test_arguments();
  test_case();
  vd_case *c = load(driving);
  test_pieces(c);
  test_state_at(c, 0.6, "while the wheels are locked");
  test_state_at(c, 0.90005, "between two steps");
  test_state_at(c, 0.0, "at the start");
  test_state_on_bushings();
  test_memories();
  test_state_refused(c);
  test_inputs(c);
  test_figures(c);
  vd_case_free(c);
  test_posts();
  test_ends();
  unsetenv("VDSIM_DATA");
  test_set();
  test_log_table();
  test_failed_table();
  test_rig_table();
  test_sweep_table();
  test_study();
  test_data();
  return tap_done();
}
