/* Stunt metrics of constructed flights and loops whose results are known in closed form, and of cars that fall. */
#include "histories.h"
#include "scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TESTS = 81 };

static const double step = 1e-3; /* s */
static const double mass = 1500.0;
static const double g = VD_GRAVITY;

/* ---- tools ---- */

/* Sets the row of a constructed run at time t. The row is zero before, except that it has no loop angle. */
typedef void motion(const double *p, double t, vd_row *row);

static const vd_metrics *study(motion *at, const double *p, double duration, enum vd_level level) {
  static vd_metrics out;
  static const vd_metrics_options options = {.steady_window = 0.5, .to_speed = 1.0};
  vd_recorder r;
  vd_recorder_init(&r, true);
  r.keeps = VD_NEEDS_STUNT;
  r.mass = mass;
  for (long i = 0, steps = lround(duration / step); i <= steps; i++) {
    vd_row row = {.t = (double)i * step, .view = VD_VIEW_ALL};
    row.eval.log.loop_angle = NAN;
    at(p, row.t, &row);
    vd_recorder_add(&r, &row, level);
  }
  out.count = 0;
  vd_metrics_compute("stunt", &r, &options, &out);
  vd_recorder_finish(&r);
  return &out;
}

/* Runs a scenario to its end, and returns its metrics. */
static const vd_metrics *run(scene *s, const char *set) {
  static vd_metrics out;
  vd_recorder r;
  vd_recorder_init(&r, true);
  r.keeps = VD_NEEDS_STUNT;
  r.mass = s->model.vehicle.masses.total;
  for (long i = 0, steps = vd_scenario_steps(&s->def); i <= steps; i++) {
    vd_row row;
    vd_sim_row(&s->sim, VD_VIEW_ALL, &row);
    vd_recorder_add(&r, &row, (enum vd_level)s->def.run.level);
    if (i < steps && vd_sim_step(&s->sim) != VD_SIM_OK)
      break;
  }
  out.count = 0;
  vd_metrics_compute(set, &r, &s->def.metrics.options, &out);
  vd_recorder_finish(&r);
  return &out;
}

/* ---- flights ---- */

/* A flight from T0 to T1 at the speed VX, with the vertical speed VZ at the start, 0.2 rad nose up and a pitch rate of
 * 0.5 rad/s. At the landing the loads are a half sine of 0.1 s with a peak of twice the weight, 60 % of it in front,
 * and then decay exponentially. A hop of 50 ms precedes the flight. */
enum { T0, T1, VX, VZ };

static void jump(const double *p, double t, vd_row *row) {
  vd_eval *e = &row->eval;
  double in_air = fmin(fmax(t, p[T0]), p[T1]) - p[T0], sum = mass * g;
  bool flies = t >= p[T0] - 0.1 * step && t <= p[T1] + 0.1 * step, hops = t > 0.1995 && t < 0.2505;
  e->log.cg[0] = p[VX] * t;
  e->log.cg[1] = 0.5 * p[VX] * t;
  e->log.cg[2] = 2.0 + p[VZ] * in_air - 0.5 * g * in_air * in_air;
  e->log.cg_speed[0] = p[VX];
  e->log.cg_speed[1] = 0.5 * p[VX];
  e->log.cg_speed[2] = flies ? p[VZ] - g * in_air : 0.0;
  e->log.pitch = -0.2 + 0.5 * in_air;
  e->log.roll = 0.1 * in_air;
  if (t > p[T1]) {
    double after = t - p[T1];
    sum *= after < 0.1 ? 2.0 * sin(VD_PI * after / 0.1) : 1.0;
    e->log.cg[2] += 0.01 * exp(-after / 0.2) - 0.01;
  }
  for (int i = 0; i < VD_WHEELS; i++)
    e->tyre.load[i] = flies || hops ? 0.0 : sum * (i < 2 ? 0.3 : 0.2);
  e->log.energy = 1000.0 - 10.0 * t + (t < p[T1] ? 30.0 * fmin(fmax(t - p[T0], 0.0), 0.1) : 0.0);
  e->log.ledger = t > 1.0 ? -0.25 : 0.0;
}

static void flights(void) {
  const char *what = "a jump";
  const double p[] = {[T0] = 0.5, [T1] = 1.3, [VX] = 12.0, [VZ] = 3.0};
  const vd_metrics *m = study(jump, p, 4.0, VD_L3);
  double vh = hypot(12.0, 6.0), air = 0.8;
  is(m, "flights", 2, 0, what);
  /* a flight goes from half a step before its first row to half a step behind its last; the hop is 51 rows */
  is(m, "airtime_longest_s", air + step, 1e-12, what);
  is(m, "airtime_total_s", air + step + 0.051, 1e-12, what);
  is(m, "takeoff_speed_mps", hypot(vh, 3.0), 1e-12, what);
  is(m, "takeoff_pitch_rad", -0.2, 1e-12, what);
  /* the highest row is at most half a step from the apex */
  is(m, "apex_rise_m", 0.5 * 9.0 / g, 0.5 * g * 0.25 * step * step + 1e-12, what);
  is(m, "apex_z_m", 2.0 + 0.5 * 9.0 / g, 0.5 * g * 0.25 * step * step + 1e-12, what);
  is(m, "flight_range_m", vh * (air + step), 1e-9, what);
  is(m, "flight_gravity_mps2", g, 1e-9, what);
  is(m, "flight_speed_drift_mps", 0.0, 1e-12, what);
  is(m, "flight_speed_drift", 0.0, 1e-12, what);
  /* the half sine peaks on a row */
  is(m, "landing_peak_load_N", 2.0 * mass * g, 1e-6, what);
  is(m, "landing_peak_load_weights", 2.0, 1e-9, what);
  is(m, "landing_peak_wheel_load_N", 0.6 * mass * g, 1e-6, what);
  is(m, "landing_peak_wheel_load_weights", 0.6, 1e-9, what);
  is(m, "landing_pitch_rad", -0.2 + 0.4, 1e-9, what);
  is(m, "landing_roll_rad", 0.08, 1e-9, what);
  is(m, "landing_vertical_speed_mps", 3.0 - g * air, 1e-9, what);
  is(m, "settle_drift_m", 0.01 * (exp(-1.7 / 0.2) - exp(-2.7 / 0.2)), 1e-12, what);
  /* a rise by 3 J in 0.1 s, of which 1 J is allowed */
  is(m, "energy_rise_max_J", 2.0, 1e-9, what);
  is(m, "energy_change_J", -40.0, 1e-9, what);
  /* the reference is the greatest energy: 1000 J plus the energy of gravity relative to the lowest place, which is 0.01
   * m below the landing at the end of the run */
  double lowest = 2.0 + 3.0 * air - 0.5 * g * air * air - 0.01 * (1.0 - exp(-2.7 / 0.2));
  is(m, "ledger_share", 0.25 / (1000.0 - mass * g * lowest), 1e-12, what);
  refuses(m, "loop_angle_max_rad", "there is no loop", what);
  refuses(m, "loop_apex_radius_m", "there is no loop", what);
}

static void other_flights(void) {
  const double in_air[] = {[T0] = 0.5, [T1] = 9.0, [VX] = 12.0, [VZ] = 3.0},
               from_start[] = {[T0] = 0.0, [T1] = 0.8, [VX] = 0.0, [VZ] = 0.0},
               row[] = {[T0] = 0.6, [T1] = 0.6, [VX] = 12.0, [VZ] = 0.0},
               never[] = {[T0] = 8.0, [T1] = 9.0, [VX] = 12.0, [VZ] = 0.0};
  const vd_metrics *m = study(jump, in_air, 2.0, VD_L3);
  is(m, "airtime_longest_s", 1.5 + 0.5 * step, 1e-12, "a flight that does not end");
  refuses(m, "landing_peak_load_N", "ends in the air", "a flight that does not end");
  m = study(jump, from_start, 2.0, VD_L3);
  is(m, "airtime_longest_s", 0.8 + 0.5 * step, 1e-12, "a fall from the start");
  is(m, "apex_rise_m", 0.0, 0.0, "a fall from the start");
  refuses(m, "flight_speed_drift", "only 0 m/s", "a fall from the start");
  m = study(jump, row, 0.9, VD_L3);
  is(m, "flights", 1, 0, "one row without load is no flight");
  refuses(m, "settle_drift_m", "shorter than 1 s", "a short run");
  m = study(jump, never, 0.19, VD_L3);
  is(m, "flights", 0, 0, "no flight");
  refuses(m, "airtime_longest_s", "there is no flight", "no flight");
  refuses(m, "landing_pitch_rad", "there is no flight", "no flight");
  m = study(jump, in_air, 2.0, VD_L2);
  refuses(m, "flights", "cannot leave the road", "L2");
  refuses(m, "work_drive_total_J", "cannot leave the road", "L2");
}

/* ---- loops ---- */

/* A drive round a circle of radius R at constant speed, from 0.5 rad before the bottom to END, with the wheel loads of
 * this motion, 60 % of them on the left. */
enum { RADIUS, SPEED, END, ROOF };

static void loop(const double *p, double t, vd_row *row) {
  vd_eval *e = &row->eval;
  double rate = p[SPEED] / p[RADIUS], angle = fmin(-0.5 + rate * t, p[END]), moving = angle < p[END] ? 1.0 : 0.0;
  e->log.cg[0] = p[RADIUS] * sin(angle);
  e->log.cg[2] = 10.0 - p[RADIUS] * cos(angle);
  e->log.cg_speed[0] = moving * p[SPEED] * cos(angle);
  e->log.cg_speed[2] = moving * p[SPEED] * sin(angle);
  e->log.loop_angle = remainder(angle, 2.0 * VD_PI);
  e->log.pitch = asin(-sin(angle) * (1.0 - 1e-12));
  e->log.roll = cos(angle) < 0.0 || p[ROOF] > 0.0 ? VD_PI : 0.0;
  for (int i = 0; i < VD_WHEELS; i++)
    e->tyre.load[i] = (vd_is_right(i) ? 0.2 : 0.3) * mass * (p[SPEED] * p[SPEED] / p[RADIUS] + g * cos(angle));
}

static void loops(void) {
  const char *what = "a loop";
  const double p[] = {[RADIUS] = 9.45, [SPEED] = 12.0, [END] = 7.0, [ROOF] = 0.0};
  const vd_metrics *m = study(loop, p, 7.5 * 9.45 / 12.0 + 0.5, VD_L3);
  double turn = 12.0 / 9.45 * step, top = mass * (144.0 / 9.45 - g), half = 5.0 * VD_PI / 180.0;
  is(m, "loop_angle_max_rad", 7.0, 1e-9, what);
  is(m, "loop_completed", 1, 0, what);
  is(m, "loop_entry_speed_mps", 12.0, 1e-9, what);
  is(m, "loop_apex_speed_mps", 12.0, 1e-9, what);
  /* the row nearest to the apex is half a step from it at most */
  is(m, "loop_least_load_N", top, mass * g * 0.5 * 0.25 * turn * turn + 1e-9, what);
  is(m, "loop_least_load_angle_rad", VD_PI, 0.5 * turn + 1e-9, what);
  is(m, "loop_apex_least_wheel_load_N", 0.2 * top, 0.2 * mass * g * 0.5 * turn * turn + 1e-9, what);
  /* rows cut the arc into chords, while the velocity turns by the same angle as the place */
  is(m, "loop_apex_radius_m", 9.45 * sin(0.5 * turn) / (0.5 * turn), 1e-9, what);
  is(m, "loop_apex_balance_N", mass * (144.0 / 9.45 - g), mass * 16.0 * turn * turn / 24.0 + 1e-6, what);
  /* the load is the mean over 5 degrees to both sides of the apex; its rows may end one step earlier */
  is(m, "loop_apex_load_N", mass * (144.0 / 9.45 - g * sin(half) / half), mass * g * half * turn / 3.0 * 2.0, what);

  const double halfway[] = {[RADIUS] = 9.45, [SPEED] = 12.0, [END] = 2.0, [ROOF] = 0.0},
               fallen[] = {[RADIUS] = 9.45, [SPEED] = 12.0, [END] = 7.0, [ROOF] = 1.0};
  m = study(loop, halfway, 3.0, VD_L3);
  is(m, "loop_angle_max_rad", 2.0, 1e-9, "half a loop");
  is(m, "loop_completed", 0, 0, "half a loop");
  refuses(m, "loop_least_load_N", "270 deg is not reached: the loop angle goes to 2 rad", "half a loop");
  refuses(m, "loop_apex_speed_mps", "apex is not reached", "half a loop");
  m = study(loop, fallen, 7.5 * 9.45 / 12.0 + 0.5, VD_L3);
  is(m, "loop_completed", 0, 0, "round on its roof");
}

/* ---- cars ---- */

/* Checks that for any motion of wheels relative to the body the centre of all masses falls along a parabola with
 * constant horizontal speed, and that the energy rises only by errors of the integration, a share of 1e-6. */
static void falls(const char *vehicle, const char *level) {
  char yaml[256], what[64];
  snprintf(yaml, sizeof yaml,
           "vehicle: ../vehicles/%s\nrun: {level: %s, duration: 2 s}\ninitial: {lift: 0.8, speed: 15}", vehicle, level);
  snprintf(what, sizeof what, "a falling car at %s", level);
  scene *s =
      scene_make(yaml, "vehicle.aero.drag=0", "vehicle.aero.downforce_front=0", "vehicle.aero.downforce_rear=0", NULL);
  vd_row first = scene_row(s);
  const vd_metrics *m = run(s, "stunt");
  double air = history_find(m, "airtime_longest_s")->value - 0.5 * s->def.run.step;
  is(m, "flight_gravity_mps2", g, 1e-9 * g, what);
  is(m, "flight_speed_drift_mps", 0.0, 1e-9 * 15.0, what);
  is(m, "flight_range_m", 15.0 * (air + 0.5 * s->def.run.step), 1e-8, what);
  is(m, "landing_vertical_speed_mps", -g * air, 1e-8, what);
  is(m, "apex_z_m", first.eval.log.cg[2], 1e-9, what);
  is(m, "energy_rise_max_J", 0.0, 1e-6 * first.eval.log.energy, what);
  scene_free(s);
}

/* Checks a rigid car on its tyres, which falls from `lift` minus their static deflection; the axle with the greater
 * static deflection meets the road first. For the time after contact two facts are known: the peak loads are above the
 * static ones, and the car comes to rest. */
static void rigid(void) {
  const char *what = "a falling rigid car";
  scene *s = scene_make("vehicle: ../vehicles/sedan_seed.yaml\nrun: {level: L5, unsprung: hub, duration: 6 s}\n"
                        "initial: {lift: 1 m, speed: 10}",
                        "vehicle.aero.drag=0", "vehicle.aero.downforce_front=0", "vehicle.aero.downforce_rear=0", NULL);
  double deflection = 0.0, step_of_run = s->def.run.step;
  for (int i = 0; i < VD_AXLES; i++)
    deflection = tap_max(deflection, 0.5 * s->model.vehicle.masses.total * g * s->model.vehicle.masses.to_axle[1 - i] /
                                         s->def.vehicle.wheelbase / s->model.ride.tyre_stiffness[2 * i]);
  double fall = 1.0 - deflection, air = sqrt(2.0 * fall / g);
  const vd_metrics *m = run(s, "stunt");
  /* the flight is taken to end in the middle of a step, an error of at most half a step */
  is(m, "airtime_longest_s", air, 0.5 * step_of_run + 1e-9, what);
  is(m, "flight_range_m", 10.0 * air, 10.0 * 0.5 * step_of_run + 1e-8, what);
  /* the last row in the air is up to a step before */
  is(m, "landing_vertical_speed_mps", -sqrt(2.0 * g * fall), g * step_of_run, what);
  is(m, "flight_gravity_mps2", g, 1e-9 * g, what);
  is(m, "apex_rise_m", 0.0, 0.0, what);
  tap_ok(history_find(m, "landing_peak_load_weights")->value > 2.0,
         "%s: the landing load of a falling car is above twice its weight", what);
  scene_free(s);
}

/* Compares the velocity of the centre of all masses with the difference of its places over two steps, up a kerb, where
 * all masses move. At the kerb's face the force on a wheel, up to five times its static load, changes its direction,
 * and the acceleration jumps. The error of the difference is a quarter of the jump times a step. If a wheel were
 * omitted, the error would be its share of the mass, 3 %, times its speed, about 1 m/s. */
static void moves(const char *vehicle, const char *level) {
  char yaml[256];
  snprintf(yaml, sizeof yaml,
           "vehicle: ../vehicles/%s\nground: ../grounds/kerb_left.yaml\nrun: {level: %s, duration: 2 s}\n"
           "initial: {x: 12 m, speed: 20 km/h}",
           vehicle, level);
  scene *s = scene_make(yaml, NULL);
  double h = s->def.run.step, worst = 0.0, fastest = 0.0;
  vd_row a = scene_row(s), b = a, c;
  for (long i = 1; i <= vd_scenario_steps(&s->def) && vd_sim_step(&s->sim) == VD_SIM_OK; i++) {
    vd_sim_row(&s->sim, VD_VIEW_ALL, &c);
    for (int k = 0; k < 3 && i > 1; k++)
      worst = tap_max(worst, fabs((c.eval.log.cg[k] - a.eval.log.cg[k]) / (2.0 * h) - b.eval.log.cg_speed[k]));
    fastest = tap_max(fastest, fabs(c.eval.log.cg_speed[2]));
    a = b;
    b = c;
  }
  tap_near(worst, 0.0, 0.25 * h * 5.0 * g / 4.0,
           "%s: the velocity of the centre of all masses is the rate of its position", level);
  tap_ok(fastest > 0.1, "%s: the centre of all masses moves", level);
  scene_free(s);
}

int main(void) {
  tap_plan(TESTS);
  flights();
  other_flights();
  loops();
  falls("sedan_seed.yaml", "L3");
  falls("sedan_hardpoints.yaml", "L4");
  falls("sedan_seed.yaml", "L5");
  rigid();
  moves("sedan_seed.yaml", "L3");
  moves("sedan_hardpoints.yaml", "L4");
  moves("sedan_seed.yaml", "L5");
  return tap_done();
}
