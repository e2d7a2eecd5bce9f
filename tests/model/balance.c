/* Wheel loads compared with the moment balance of the whole car, which is computed from the quantities of the log, not
 * by the code of the loads. At small steering angles the transfers are:
 *
 *   left-right   [m ay h + r sum(I w) + m g e_y]/T
 *   front-rear   [m ax h + sum(I dw/dt) - m g e_x]/L
 *
 * I, w and r are spin inertia and spin of a wheel and the yaw rate; h is the height of the centre of gravity, e its
 * shift, T the track, L the wheelbase. m a is the sum of the forces in the ground plane, so gravity along a slope does
 * not count. Rolling resistance is a forward shift of the wheels' loads by -My/Fz, which e_x (relative to the contact
 * points) contains. */
#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>

typedef struct worst {
  double sum, lateral, longitudinal, brief_lateral, brief_longitudinal, simple_lateral, simple_longitudinal, residual;
  double peak_lateral, peak_longitudinal; /* N, transfers that were reached */
  long rows, lifted, tipping;
} worst;

static void take(double *worst_value, double value) {
  *worst_value = tap_max(*worst_value, value);
}

static void check_row(const scene *s, const vd_row *row, worst *w) {
  const vd_command *c = &s->sim.command;
  const vd_eval *e = &row->eval;
  const vd_vehicle_def *v = &s->def.vehicle;
  const vd_masses m = masses_of(v);
  double track = v->axle[0].track, g = s->model.ground.weight; /* equal tracks in all cars here */
  double expected = m.total * g + e->outside.downforce[0] + e->outside.downforce[1], sum = 0.0;
  double spin = 0.0, spin_rate = 0.0, my = 0.0, roll_spin = 0.0, pitch_spin = 0.0;
  for (int i = 0; i < VD_WHEELS; i++) {
    double inertia = v->axle[vd_axle_of(i)].wheel_inertia;
    sum += e->tyre.load[i];
    spin += inertia * e->motion.omega[i];
    spin_rate += inertia * e->spin.spin_accel[i];
    my += e->tyre.my[i];
    double turning = inertia * e->motion.omega[i] * (e->motion.yaw_rate + c->angle_rate[i]),
           torque = inertia * e->spin.spin_accel[i] - e->tyre.my[i];
    roll_spin += turning * cos(e->steering.angle[i]) + torque * sin(e->steering.angle[i]);
    pitch_spin += torque * cos(e->steering.angle[i]) - turning * sin(e->steering.angle[i]);
  }
  /* from the attitude of the body, with the sprung mass and its height above the roll axis */
  double lean = s->def.run.lean ? m.sprung : 0.0;
  double arm = m.sprung_height - m.sprung_share[0] * v->axle[0].roll_centre_height -
               m.sprung_share[1] * v->axle[1].roll_centre_height;
  double ey = lean * arm * e->log.body_roll / m.total, ex = lean * m.sprung_height * e->log.body_pitch / m.total;
  double ax = e->log.specific_x, ay = e->log.specific_y; /* m/s2: forces in the plane over mass, without gravity */

  double lateral = 0.5 * (e->tyre.load[VD_FR] + e->tyre.load[VD_RR] - e->tyre.load[VD_FL] - e->tyre.load[VD_RL]);
  double full = (m.total * ay * v->cg_height + roll_spin + m.total * g * ey) / track;
  double brief = (m.total * ay * v->cg_height + e->motion.yaw_rate * spin + m.total * g * ey) / track;
  double simple = m.total * ay * v->cg_height / track;
  double static_rear = m.total * g * v->cg_to_front / v->wheelbase + e->outside.downforce[1];
  double rearward = e->tyre.load[VD_RL] + e->tyre.load[VD_RR] - static_rear;
  double full_x = (m.total * ax * v->cg_height + pitch_spin - m.total * g * ex) / v->wheelbase;
  double brief_x = (m.total * ax * v->cg_height + spin_rate - m.total * g * ex - my) / v->wheelbase;
  double simple_x = m.total * ax * v->cg_height / v->wheelbase;

  take(&w->sum, fabs(sum / expected - 1.0));
  take(&w->residual, e->loop.residual / (m.total * VD_GRAVITY));
  if (!(e->log.tipping > 0.0))
    take(&w->lateral, fabs(lateral - full));
  take(&w->longitudinal, fabs(rearward - full_x));
  take(&w->brief_lateral, fabs(lateral - brief));
  take(&w->brief_longitudinal, fabs(rearward - brief_x));
  take(&w->simple_lateral, fabs(lateral - simple));
  take(&w->simple_longitudinal, fabs(rearward - simple_x));
  w->peak_lateral = tap_max(w->peak_lateral, fabs(lateral));
  w->peak_longitudinal = tap_max(w->peak_longitudinal, fabs(rearward));
  w->rows++;
  for (int i = 0; i < VD_WHEELS; i++)
    w->lifted += e->tyre.load[i] == 0.0;
  w->tipping += e->log.tipping > 0.0;
}

static worst follow(scene *s, double from, double until) {
  worst w = {0};
  scene_run(s, from);
  for (long i = 0; i < lround((until - from) / s->model.options.step); i++) {
    vd_sim_step(&s->sim);
    vd_row row = scene_row(s);
    check_row(s, &row, &w);
  }
  if (s->sim.status != VD_SIM_OK)
    w.sum = NAN;
  return w;
}

static void check_full(const char *what, const char *text, const char *setting, const char *another) {
  scene *s = scene_make(text, setting, another, NULL);
  worst w = follow(s, 0.0, s->def.run.duration);
  tap_near(w.sum, 0.0, 1e-9, "%s: the sum of loads is weight and downforce in every row, within %.1e", what, w.sum);
  tap_near(w.residual, 0.0, 1e-10, "%s: the load loop closes to %.1e m g", what, w.residual);
  tap_near(w.lateral / w.peak_lateral, 0.0, 1e-8, "%s: lateral transfer is the full balance within %.1e of %.0f N",
           what, w.lateral / w.peak_lateral, w.peak_lateral);
  tap_near(w.longitudinal / w.peak_longitudinal, 0.0, 1e-8,
           "%s: longitudinal transfer is the full balance within %.1e of %.0f N", what,
           w.longitudinal / w.peak_longitudinal, w.peak_longitudinal);
  scene_free(s);
}

static const char manoeuvre[] = "vehicle: ../vehicles/sedan.yaml\n"
                                "run: {duration: 7 s, level: L2}\n"
                                "initial: {speed: 30 m/s}\n"
                                "steer: {type: sine, amplitude: 0.04, frequency: 0.3 Hz}\n"
                                "throttle: {type: step, start: 0.5, value: 0.8}\n"
                                "brake: {type: table, points: [[0, 0], [2, 0], [2.3, 0.35], [4, 0.3], [4.1, 0]]}\n";

/* Checks the balance with small steering angles: a step steer to 4 m/s2, and straight acceleration and braking. */
static void check_brief(void) {
  scene *s = scene_make("vehicle: ../vehicles/sedan.yaml\n"
                        "run: {duration: 5 s, level: L2}\n"
                        "initial: {speed: 100 km/h}\n"
                        "speed: 100 km/h\n"
                        "steering_wheel: {type: step, start: 0.5 s, rise: 0.1 s, value: 18 deg}\n",
                        NULL);
  worst w = follow(s, 0.601, 5.0);
  tap_near(w.brief_lateral / w.peak_lateral, 0.0, 1e-3,
           "step steer: lateral transfer is [m ay h + r sum(I w) + m g e_y]/T within %.1e",
           w.brief_lateral / w.peak_lateral);
  scene_free(s);
  s = scene_make(manoeuvre, "steer=0", "run.duration=7 s", NULL);
  w = follow(s, 0.0, 7.0);
  tap_near(w.brief_longitudinal / w.peak_longitudinal, 0.0, 1e-3,
           "straight: longitudinal transfer is [m ax h + sum(I w') - m g e_x]/L within %.1e",
           w.brief_longitudinal / w.peak_longitudinal);
  scene_free(s);
}

/* Checks m ay h/T and m ax h/L without other causes of transfer: wheel inertia 1e-3 of the sedan's (2.048 kg m2), no
 * lean, no rolling resistance. Wheels this light need a step of one microsecond. */
static void check_simple(void) {
  scene *s = scene_make("vehicle: ../vehicles/sedan.yaml\n"
                        "run: {duration: 1 s, level: L2, lean: false, step: 1e-6}\n"
                        "log: {rate: 1e6}\n"
                        "initial: {speed: 25 m/s}\n"
                        "steer: {type: step, start: 0, rise: 0.05, value: 0.03}\n"
                        "throttle: {type: step, start: 0.1, value: 0.9}\n",
                        "vehicle.front.wheel_inertia=0.002048", "vehicle.rear.wheel_inertia=0.002048",
                        "vehicle.front.tyre.rolling_resistance=0", "vehicle.rear.tyre.rolling_resistance=0", NULL);
  worst w = follow(s, 0.25, 0.28);
  tap_near(w.simple_lateral / w.peak_lateral, 0.0, 1e-3,
           "light wheels, no lean: lateral transfer is m ay h/T within %.1e of %.0f N",
           w.simple_lateral / w.peak_lateral, w.peak_lateral);
  tap_near(w.simple_longitudinal / w.peak_longitudinal, 0.0, 1e-3,
           "light wheels, no lean: longitudinal transfer is m ax h/L within %.1e of %.0f N",
           w.simple_longitudinal / w.peak_longitudinal, w.peak_longitudinal);
  scene_free(s);
}

static const char tall[] = "vehicle: ../vehicles/sedan.yaml\n"
                           "run: {duration: 4 s, level: L2}\n"
                           "initial: {speed: 25 m/s}\n"
                           "speed: 25 m/s\n"
                           "steer: {type: step, start: 0.2, rise: 0.3, value: 0.05}\n";

static void check_lift(void) {
  /* on a stiff front axle the inner wheel lifts first, and the rear axle carries any further transfer */
  scene *s =
      scene_make(tall, "vehicle.cg_height=0.80 m", "vehicle.front.antiroll_stiffness=150 kN m/rad", "steer.value=0.08",
                 "vehicle.front.roll_centre_height=0.05", "vehicle.rear.roll_centre_height=0.12", NULL);
  worst w = follow(s, 0.0, 4.0);
  tap_ok(w.lifted > 500 && w.tipping == 0,
         "tall car: an inner wheel is off the ground for %ld wheel rows, the car stands", w.lifted);
  tap_near(w.sum, 0.0, 1e-9, "tall car: sum of loads is the weight in every row, within %.1e", w.sum);
  tap_near(w.residual, 0.0, 1e-10, "tall car: the load loop closes to %.1e m g", w.residual);
  tap_near(w.lateral / w.peak_lateral, 0.0, 1e-3,
           "tall car: lateral transfer is the full balance within %.1e, with and without a lifted wheel",
           w.lateral / w.peak_lateral);
  scene_free(s);

  s = scene_make(tall, "vehicle.cg_height=1.1 m", "vehicle.front.spring_stiffness=90 kN/m",
                 "vehicle.rear.spring_stiffness=90 kN/m", NULL);
  w = follow(s, 0.0, 4.0);
  tap_ok(w.tipping > 0 && w.lifted > 0, "very tall car: tipping is detected (%ld rows)", w.tipping);
  tap_near(w.sum, 0.0, 1e-9, "very tall car: the loads still carry the weight, within %.1e", w.sum);
  scene_free(s);
}

/* Steady roll angle by hand: K phi = m_s ay h_s + r sum(I w) + m_s g h_s phi for roll centres on the ground, with K of
 * the springs in series with the tyres. The axle's roll on its tyres under the unsprung masses is added. */
static void check_roll(void) {
  scene *s = scene_make(tall, "vehicle.cg_height=0.55 m", NULL);
  scene_run(s, 4.0);
  vd_row row = scene_row(s);
  const double ks = 2.0 * 30e3 * 0.775 * 0.775, kt = 2.0 * 220e3 * 0.775 * 0.775, series = 2.0 * ks * kt / (ks + kt);
  const double ms = 1340.0, hs = (1500.0 * 0.55 - 160.0 * 0.32) / 1340.0;
  double spin = 0.0;
  for (int i = 0; i < 4; i++)
    spin += 0.5 * 40.0 * 0.32 * 0.32 * row.eval.motion.omega[i];
  double unsprung = 160.0 * row.eval.body.ay * 0.32 * ks / (ks + kt);
  double moment = ms * row.eval.body.ay * hs + row.eval.motion.yaw_rate * spin;
  double phi = (moment + unsprung) / (series - ms * VD_GRAVITY * hs);
  tap_near(row.eval.log.body_roll / phi, 1.0, 1e-3, "the steady roll angle is %.4f rad at %.2f m/s2, as by hand", phi,
           row.eval.body.ay);
  scene_free(s);
}

/* The loop starts from the loads of the last evaluation, extrapolated by their rates; at the end of a step these are
 * the loads at its beginning. The error is h^2 L''/2 of a load L at steps h, plus h^2 L''/2 because the rate is one
 * step old: 2e-5 of m g with an amplitude of 0.3 m g at 0.5 Hz and steps of 2.5 ms. A Newton step whose slopes are
 * accurate to 1e-3 reduces it to 1e-8, and the secant through both points gives the forces. So two passes suffice. From
 * static loads, which deviate by far more, the secant method needs more passes. Both results are within the bound of
 * the residual, 1e-10 m g, except where the tyre's curve has kinks. */
static void check_loop(void) {
  static const char *const tyres[] = {"linear_80", "mf96_touring", "tmeasy_touring", "mf61_synthetic"};
  double passes = 0.0, apart = 0.0;
  for (size_t k = 0; k < 2 * VD_COUNT(tyres); k++) {
    enum { STEPS = 400 };
    char level[32], front[64], rear[64];
    snprintf(level, sizeof level, "run.level=L%d", k % 2 ? 2 : 1);
    snprintf(front, sizeof front, "vehicle.front.tyre=scenarios/tyres/%s.yaml", tyres[k / 2]);
    snprintf(rear, sizeof rear, "vehicle.rear.tyre=scenarios/tyres/%s.yaml", tyres[k / 2]);
    scene *s = scene_make("vehicle: ../vehicles/sedan.yaml\n"
                          "run: {duration: 10 s, step: 2.5 ms}\n"
                          "initial: {speed: 30 m/s}\n"
                          "speed: 30 m/s\n"
                          "steer: {type: sine, amplitude: 1 deg, frequency: 0.5 Hz}\n",
                          level, front, rear, NULL);
    double sum = 0.0;
    for (int i = 0; i < STEPS; i++) {
      vd_state_vector scratch = s->sim.state, before = s->sim.state;
      vd_eval e;
      double rates[VD_STATES];
      for (int j = VD_M_LOAD; j < VD_LOAD_MODES; j++)
        scratch.mode[j] = 0.0;
      vd_model_rates(&s->model, &s->sim.command, scratch.x, scratch.mode, &e, rates);
      for (int j = 0; j < s->model.lanes.count; j++)
        take(&apart, fabs(e.tyre.load[j] - s->sim.eval.tyre.load[j]) / s->model.balance.weight);
      vd_sim_step(&s->sim);
      vd_model_rates(&s->model, &s->sim.command, s->sim.state.x, before.mode, &e, rates);
      sum += e.loop.passes;
    }
    take(&passes, sum / STEPS);
    scene_free(s);
  }
  tap_ok(passes <= 2.1, "the load loop needs two passes a stage on a driving car, L1 and L2 with any tyre: %.3f",
         passes);
  tap_ok(apart <= 1e-10, "the load loop ends at the loads that it finds from static loads: %.1e m g apart", apart);
}

int main(void) {
  tap_plan(4 * 4 + 2 + 2 + 6 + 1 + 2);
  check_full("sedan, everything at once", manoeuvre, "vehicle.aero.downforce_rear=0.6", "ground.friction=1");
  check_full("roll centres and bar", manoeuvre, "vehicle.front.roll_centre_height=0.06",
             "vehicle.rear.roll_centre_height=0.12");
  check_full("on a slope", manoeuvre, "ground={type: inclined, grade: 0.1, bank: 0.08}",
             "vehicle.front.antiroll_stiffness=20 kN m/rad");
  check_full("all-wheel drive, 80 % front", manoeuvre, "vehicle.drivetrain.drive=all",
             "vehicle.drivetrain.front_share=0.8");
  check_brief();
  check_simple();
  check_lift();
  check_roll();
  check_loop();
  return tap_done();
}
