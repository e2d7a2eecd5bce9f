/* Steady states at and below the limit.
 *
 * limits.csv, gg.csv were computed by another program of the author's (SLSQP from many starts) for a double-track car
 * with the tyre law of this car. A row is a lower bound of the true maximum: results may be up to 1 % greater and 0.5 %
 * smaller. Accelerations are in body axes. Rows that the program marks as doubtful, at a bound of the side slip or with
 * a second branch, are left out.
 *
 * Laws: a car and its mirror image have mirrored limits; a stable steady state with constant speed remains in a run
 * with its inputs; the limit at constant speed is the greatest trimmed lateral acceleration of the moment diagram. */
#include "scene.h"
#include "tap.h"

#include "base/elementary.h"
#include "limits/diagram.h"
#include "limits/envelope.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { DIRECTIONS = 36 };

static const double degree = VD_PI / 180.0;
static const char reference_car[] = "vehicle: ../../tests/limits/double_track.yaml\n"
                                    "run: {level: L2, duration: 5 s, lean: false}\n";
static vd_limit_point point[DIRECTIONS];

static bool envelope(const vd_model *m, double speed, bool body) {
  const vd_envelope_plan plan = {.directions = DIRECTIONS,
                                 .bounds = {12.0 * degree, 20.0 * degree, 1.0, false},
                                 .gear = VD_GEAR_AUTOMATIC,
                                 .body_axes = body};
  vd_envelope_find(m, &plan, &speed, 1, point);
  return !isnan(point[0].along);
}

/* --- another program's tables --- */

static double reach(double direction) {
  const vd_limit_point *p = &point[(int)lround(direction / 10.0)];
  return hypot(p->along, p->across);
}

static void table_of_directions(const vd_model *m) {
  FILE *f = fopen("tests/limits/gg.csv", "r");
  char line[200];
  double now = NAN, low = 0.0, high = 0.0;
  int rows = 0;
  while (f && fgets(line, sizeof line, f)) {
    double v, direction, ax, ay, unused;
    int trusted;
    if (sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%d", &v, &direction, &ax, &ay, &unused, &unused, &unused, &trusted) !=
        8)
      continue;
    if (v != now)
      envelope(m, now = v, true);
    double share = reach(direction) / hypot(ax, ay) - 1.0;
    if (!trusted)
      continue;
    rows++;
    low = tap_min(low, share);
    high = tap_max(high, share);
    if (!(share > -0.005 && share < 0.01))
      tap_diag("%g m/s, %g deg: %+.2f %%", v, direction, 100.0 * share);
  }
  if (f)
    fclose(f);
  tap_ok(rows == 35 && low > -0.005 && high < 0.01, "gg.csv: %d rows, from %+.2f to %+.2f %%", rows, 100.0 * low,
         100.0 * high);
}

/* Compares limits.csv. The air forces of L2 are proportional to the square of the forward speed, those of the table to
 * the square of the whole speed: at a side slip b the downforce is smaller by the share sin^2 b. The relative change of
 * the tyre force is 0.6 of the relative change of the load, because the tyres' friction falls with the load. */
static void table_of_speeds(const vd_model *m) {
  FILE *f = fopen("tests/limits/limits.csv", "r");
  char line[200];
  double worst = 0.0, lateral = 0.0;
  int rows = 0;
  while (f && fgets(line, sizeof line, f)) {
    double v, ay, most, least;
    if (sscanf(line, "%lf,%lf,%lf,%lf", &v, &ay, &most, &least) != 4)
      continue;
    envelope(m, v, true);
    rows++;
    double slip = point[9].side_slip, missing = 0.5 * 1.2 * 2.1 * v * v * sin(slip) * sin(slip) / (1200.0 * VD_GRAVITY);
    lateral = tap_max(lateral, fabs(reach(90.0) / ay - 1.0 + 0.6 * missing));
    worst = tap_max(worst, fabs(reach(0.0) / most - 1.0));
    worst = tap_max(worst, fabs(reach(180.0) / -least - 1.0));
  }
  if (f)
    fclose(f);
  tap_ok(rows == 8, "limits.csv: %d rows", rows);
  tap_near(worst, 0.0, 0.005, "limits.csv: limits of drive and brake");
  tap_near(lateral, 0.0, 0.005, "limits.csv: lateral limit");
}

/* --- laws --- */

/* Checks that every state of an envelope is a steady state of the model. */
static void states_of(const char *car, const char *level, double speed) {
  char text[200];
  snprintf(text, sizeof text, "vehicle: ../vehicles/%s.yaml\nrun: {level: %s, duration: 5 s}\n", car, level);
  scene *s = scene_make(text, NULL);
  double worst = 0.0;
  int lost = 0, outside = 0;
  tap_ok(envelope(&s->model, speed, false), "%s, %s: drives straight ahead at %g m/s", car, level, speed);
  for (int i = 0; i < DIRECTIONS; i++) {
    worst = tap_max(worst, point[i].error);
    lost += point[i].limit == VD_LIMIT_LOST;
    outside += !(fabs(point[i].side_slip) <= 12.0 * degree * (1.0 + 1e-6) &&
                 fabs(point[i].steer) <= 20.0 * degree * (1.0 + 1e-6) && point[i].throttle <= 1.0 + 1e-6 &&
                 point[i].brake <= 1.0 + 1e-6);
  }
  tap_near(worst, 0.0, 1e-9, "%s, %s: rates at the limits", car, level);
  tap_ok(lost == 0, "%s, %s: %d directions have no limit", car, level, lost);
  tap_ok(outside == 0, "%s, %s: %d states are beyond a bound", car, level, outside);
  scene_free(s);
}

/* Checks that a direction whose search ends on a lower branch is improved from its neighbours. Without this, the
 * formula car at 15 m/s would reach 9.6 m/s2 at 100 deg, between neighbours with 11.5 and 11.2 m/s2. At straight
 * braking the true envelope is concave: with a lateral force, steered tyres also brake by their side forces. */
static void no_dents(void) {
  scene *s = scene_make("vehicle: ../vehicles/fsk_formula.yaml\nrun: {level: L2, duration: 5 s}\n", NULL);
  double least = INFINITY;
  envelope(&s->model, 15.0, false);
  for (int i = 1; i < DIRECTIONS / 2; i++) {
    double before = reach(10.0 * (i - 1)), after = reach(10.0 * (i + 1));
    double chord = 2.0 * before * after * cos(10.0 * degree) / (before + after);
    least = tap_min(least, reach(10.0 * i) / chord);
  }
  tap_ok(least > 0.95, "no limit is far inside the chord between its neighbours: at least %.3f of it", least);
  scene_free(s);
}

/* Checks limits to the left and right, which are searched independently: the mirror image of a state is a state, to
 * rounding of the wheel loads. */
static void mirrored(const char *car, const char *level) {
  char text[200];
  const char form[] = "vehicle: {base: ../vehicles/%s.yaml}\nrun: {level: %s, duration: 5 s}\n";
  snprintf(text, sizeof text, form, car, level);
  scene *s = scene_make(text, NULL);
  double end[2] = {0.0, 0.0};
  for (int right = 0; right < 2; right++) {
    static vd_trim t;
    static const int held[] = {VD_TRIM_SIDE_SLIP, VD_TRIM_STEER, VD_TRIM_PEDAL, VD_TRIM_REACH};
    const vd_limit_bounds bounds = {12.0 * degree, 20.0 * degree, 1.0, false};
    vd_trim_start(&s->model, 25.0, 1, &t);
    vd_trim_choose(&t, held, 3, false);
    vd_trim_solve(&t, vd_trim_exact);
    t.ray[0] = 0.0;
    t.ray[1] = right ? -1.0 : 1.0;
    vd_trim_choose(&t, held, 4, true);
    vd_limit_find(&t, VD_TRIM_REACH, &bounds, VD_LIMIT_FIRST, NULL);
    end[right] = t.z[VD_TRIM_REACH];
    tap_ok(vd_trim_mirror(&t) && vd_trim_error(&t) <= 3e-8,
           "%s, %s: the mirror image of a steady state is a steady state", car, level);
  }
  tap_near(end[0] / end[1], 1.0, 1e-10, "%s, %s: limits to the left and right are equal", car, level);
  scene_free(s);
}

/* Checks that a run from a steady state at constant speed, with its inputs, keeps all velocities and the attitude for 5
 * s. */
static void stays(const char *level, double share) {
  char text[300], steer[64], throttle[64];
  snprintf(text, sizeof text,
           "vehicle: ../vehicles/sedan.yaml\nrun: {level: %s, duration: 5 s}\ninitial: {speed: 25}\n", level);
  scene *s = scene_make(text, NULL);
  static vd_trim t;
  static const int held[] = {VD_TRIM_SIDE_SLIP, VD_TRIM_STEER, VD_TRIM_PEDAL};
  envelope(&s->model, 25.0, false);
  vd_trim_start(&s->model, 25.0, 1, &t);
  vd_trim_choose(&t, held, 3, false);
  bool good = true;
  for (double part = 0.25; part <= 1.0 && good; part += 0.25) {
    t.z[VD_TRIM_ACROSS] = part * share * point[DIRECTIONS / 4].across;
    good = vd_trim_solve(&t, vd_trim_exact);
  }
  snprintf(steer, sizeof steer, "steer=%.17g", t.c.steer);
  snprintf(throttle, sizeof throttle, "throttle=%.17g", t.c.throttle);
  scene_free(s);
  s = scene_make(text, steer, throttle, NULL);
  vd_state_vector start = s->sim.state = t.s;
  scene_restart(s);
  scene_run(s, 5.0);
  static const int kept[] = {VD_S_VX, VD_S_VY, VD_S_YAW_RATE, VD_S_SPIN, VD_S_SPIN_LAST, VD_S_ROLL, VD_S_PITCH};
  double worst = 0.0;
  for (size_t i = 0; i < VD_COUNT(kept); i++)
    worst = tap_max(worst, fabs(s->sim.state.x[kept[i]] - start.x[kept[i]]) / vd_state_table[kept[i]].scale);
  tap_ok(good, "%s: there is a state at %g of the limit", level, share);
  tap_near(worst, 0.0, 1e-6, "%s: a run from a steady state keeps it for 5 s", level);
  scene_free(s);
}

/* Checks that the lateral limit at constant speed along the path is the greatest lateral acceleration without yaw
 * moment. */
static void trimmed(void) {
  scene *s = scene_make(reference_car, NULL);
  static vd_diagram d;
  vd_diagram_point p;
  const vd_diagram_plan plan = {.speed = 30.0,
                                .hold = VD_HOLD_SPEED,
                                .turn_rate = NAN,
                                .bounds = {12.0 * degree, 20.0 * degree, 1.0, false},
                                .gear = 1};
  envelope(&s->model, 30.0, false);
  vd_diagram_start(&s->model, &plan, &d);
  vd_diagram_trimmed_limit(&d, &p);
  tap_near(p.across / point[DIRECTIONS / 4].across, 1.0, 1e-6, "the trimmed limit of the moment diagram is %g m/s2",
           p.across);
  scene_free(s);
}

/* Checks that a car whose front tyres saturate reaches its lateral limit while its steering wheel is turned slowly, by
 * 2.5 deg/s at a constant 80 km/h. The car is always within 0.1 % of a steady state. */
static void slowly_steered(void) {
  scene *s = scene_make("vehicle: ../vehicles/compact.yaml\n"
                        "run: {level: L2, duration: 60 s}\n"
                        "initial: {speed: 80 km/h}\n"
                        "speed: 80 km/h\n"
                        "steering_wheel: {type: ramp, start: 1 s, rate: 2.5 deg/s, duration: 58 s}\n",
                        NULL);
  double most = 0.0;
  envelope(&s->model, 80.0 / 3.6, false);
  for (double t = 30.0; t <= 55.0; t += 0.5) {
    scene_run(s, t);
    const double *x = s->sim.state.x;
    most = tap_max(most, hypot(x[VD_S_VX], x[VD_S_VY]) * x[VD_S_YAW_RATE]);
  }
  tap_ok(point[DIRECTIONS / 4].limit == VD_LIMIT_FRONT, "the compact car understeers at its limit");
  tap_near(most / point[DIRECTIONS / 4].across, 1.0, 0.01, "steered slowly, the compact car reaches %g m/s2",
           point[DIRECTIONS / 4].across);
  scene_free(s);
}

/* Tests the lateral limit of a single track at constant speed, on level ground, over a crest and in a dip. Its front
 * tyres slide: F = mu (b n + h ac sin B)/L per mass with the normal acceleration n of the road, the acceleration ac of
 * the turn and the slip B of the body, because -ac sin B ahead moves load to the rear. Without yaw moment ac cos B = F
 * cos D L/b with the steer D. The tyres' friction is 1 at any load. */
static void on_crest(double normal) {
  scene *s = scene_make("vehicle: ../vehicles/textbook_linear.yaml\n"
                        "run: {level: L1, duration: 5 s}\n",
                        NULL);
  vd_model_options options = s->model.options;
  vd_vehicle car = s->model.vehicle;
  vd_ground ground = s->model.ground;
  ground.weight = normal;
  vd_model_build(&car, &ground, &options, &s->model);
  envelope(&s->model, 30.0, false);
  const vd_limit_point *p = &point[DIRECTIONS / 4];
  double front = cos(p->steer), arm = car.cg_height / (car.wheelbase - car.cg_to_front);
  tap_near(p->across / (normal * front / (cos(p->side_slip) - front * sin(p->side_slip) * arm)), 1.0, 5e-4,
           "on a road that carries the car with %g m/s2 the single track reaches %g m/s2", normal, p->across);
  scene_free(s);
}

int main(void) {
  scene *s = scene_make(reference_car, NULL);
  tap_plan(4 + 5 * 4 + 5 * 3 + 4 * 2 + 1 + 1 + 2 + 3);
  table_of_directions(&s->model);
  table_of_speeds(&s->model);
  scene_free(s);
  states_of("sedan", "L1", 25.0);
  states_of("sedan", "L2", 25.0);
  states_of("sedan", "L3", 25.0);
  states_of("gt_race", "L2", 40.0);
  states_of("sedan_automatic", "L2", 25.0);
  mirrored("sedan", "L1");
  mirrored("sedan", "L2");
  mirrored("sedan", "L3");
  mirrored("gt_race", "L2");
  mirrored("compact", "L2"); /* its tyres are symmetric: the files have no lateral offset in Mz due to Fx */
  stays("L2", 0.5);
  stays("L2", 0.9);
  stays("L3", 0.5);
  stays("L3", 0.9);
  no_dents();
  trimmed();
  slowly_steered();
  on_crest(6.0);
  on_crest(VD_GRAVITY);
  on_crest(14.0);
  return tap_done();
}
