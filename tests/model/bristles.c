/* LuGre's bristles on every steady model: stored energy and losses over random histories of slip, the bound of their
 * force, their steady state and their relaxation lengths in any direction, and cars at rest. */
#include "math/rk4.h"
#include "scene.h"
#include "tap.h"
#include "tyre/relax.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char *const tyres[] = {"scenarios/tyres/linear_80.yaml",           "scenarios/tyres/mf96_touring.yaml",
                                    "scenarios/tyres/tmeasy_touring.yaml",      "scenarios/tyres/mf61_synthetic.yaml",
                                    "validation/data/tyre/pac2002_sample.yaml", "scenarios/tyres/fiala_touring.yaml",
                                    "scenarios/tyres/brush_touring.yaml",       "scenarios/tyres/pac89_touring.yaml",
                                    "scenarios/tyres/pac94_touring.yaml"};

static const char *short_name(const char *file) {
  const char *slash = strrchr(file, '/');
  return slash ? slash + 1 : file;
}

/* Makes the scene of a car on the tyres of a file, with a law of transient slip. */
static scene *car_on(const char *file, const char *transient, const char *yaml, const char *more) {
  char front[128], rear[128], law[2][64];
  snprintf(front, sizeof front, "vehicle.front.tyre=%s", file);
  snprintf(rear, sizeof rear, "vehicle.rear.tyre=%s", file);
  snprintf(law[0], sizeof law[0], "vehicle.front.tyre.transient=%s", transient);
  snprintf(law[1], sizeof law[1], "vehicle.rear.tyre.transient=%s", transient);
  return scene_make(yaml, front, rear, law[0], law[1], more, NULL);
}

/* --- one tyre --- */

/* Motion of the contact, linear within a step. */
typedef struct motion {
  double v, slip_x, slip_y; /* m/s */
} motion;

enum { ALONG, ACROSS, WORK, SHIFTS, STATES };

typedef struct bench {
  const vd_tyre *tyre;
  vd_relax relax;
  double load, camber, step;
  double free_x, free_y; /* slips at which the tyre's force is zero */
  motion from, to;       /* motion at both ends of the present step */
  vd_tyre_answer answer;
  double w[STATES]; /* m, J */
} bench;

static vd_tyre_question question(const bench *b, const motion *at, const double *w) {
  vd_relaxing now = {.vx = at->v, .vy = -at->slip_y, .slip_x = at->slip_x, .slip_y = at->slip_y};
  vd_relax_slip(&b->relax, b->step, &now);
  return (vd_tyre_question){.kappa = now.kappa,
                            .tan_alpha = now.tan_alpha,
                            .vx = at->v,
                            .camber = b->camber,
                            .ground_friction = 1.0,
                            .load = b->load,
                            .radius = 0.32,
                            .moving = true,
                            .slip_x = at->slip_x,
                            .slip_y = at->slip_y,
                            .state_x = w[ALONG],
                            .state_y = w[ACROSS],
                            .damper = now.damper,
                            .fastest = 1.0 / b->step};
}

static void rates(void *context, int stage, const double *w, double *dw) {
  static const double share[] = {0.0, 0.5, 0.5, 1.0};
  bench *b = context;
  double u = share[stage];
  motion at = {b->from.v + u * (b->to.v - b->from.v), b->from.slip_x + u * (b->to.slip_x - b->from.slip_x),
               b->from.slip_y + u * (b->to.slip_y - b->from.slip_y)};
  vd_tyre_question q = question(b, &at, w);
  vd_tyre_ask(b->tyre, &q, &b->answer);
  dw[ALONG] = b->answer.rate_x;
  dw[ACROSS] = b->answer.rate_y;
  dw[WORK] = b->answer.fx * at.slip_x + b->answer.fy * at.slip_y;
  dw[SHIFTS] = fabs(at.v) * (fabs(b->answer.fx * b->free_x) + fabs(b->answer.fy * b->free_y));
}

static bench bench_make(const vd_tyre *tyre, double load, double camber, double damper) {
  bench b = {.tyre = tyre, .load = load, .camber = camber, .step = 2e-4};
  vd_relax_build(tyre, 1.0, 1.0, load, damper, &b.relax);
  vd_tyre_question q = {.vx = 10.0, .camber = camber, .ground_friction = 1.0, .load = load, .radius = 0.32};
  vd_tyre_answer a;
  vd_tyre_ask(tyre, &q, &a);
  double along, across; /* -, slips of the upright wheel, as in runs */
  vd_tyre_stiffnesses(tyre, 1.0, load, &along, &across);
  b.free_x = a.fx / along;
  b.free_y = a.fy / across;
  return b;
}

static void step_to(bench *b, const motion *to) {
  double k1[STATES];
  b->to = *to;
  rates(b, 0, b->w, k1);
  vd_rk4(rates, b, b->step, STATES, k1, b->w);
  b->from = *to;
}

static double stored(const bench *b) {
  return 0.5 * (b->relax.stiffness_x * b->w[ALONG] * b->w[ALONG] + b->relax.stiffness_y * b->w[ACROSS] * b->w[ACROSS]);
}

/* Returns a random number, uniform in 0..1 (splitmix64). */
static double draw(uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* Returns zero one time in eight, otherwise a number of either sign and of any size from 10^low to 10^high. */
static double any_size(uint64_t *state, double low, double high) {
  double exponent = low + (high - low) * draw(state), sign = draw(state) < 0.5 ? -1.0 : 1.0;
  return draw(state) < 0.125 ? 0.0 : sign * pow(10.0, exponent);
}

typedef struct found {
  double least_loss; /* smallest loss of a step, divided by the energy that a tyre can store */
  double most_force; /* largest force, divided by its bound */
} found;

static void walk(bench *b, uint64_t *seed, bool standing, found *f) {
  double store = 0.5 * b->load * b->load / fmin(b->relax.stiffness_x, b->relax.stiffness_y); /* J */
  for (int stretch = 0; stretch < 12; stretch++) {
    motion start = b->from,
           end = {standing ? 0.0 : any_size(seed, -2.0, 1.5), any_size(seed, -3.0, 1.0), any_size(seed, -3.0, 1.0)};
    int steps = 1 + (int)(250.0 * draw(seed));
    bool jump = draw(seed) < 0.3;
    if (jump)
      b->from = end;
    for (int i = 1; i <= steps; i++) {
      double u = jump ? 1.0 : (double)i / steps, before = stored(b), work = b->w[WORK] + 2.0 * b->w[SHIFTS];
      motion to = {start.v + u * (end.v - start.v), start.slip_x + u * (end.slip_x - start.slip_x),
                   start.slip_y + u * (end.slip_y - start.slip_y)};
      step_to(b, &to);
      double loss = b->w[WORK] + 2.0 * b->w[SHIFTS] - work - (stored(b) - before);
      f->least_loss = tap_min(f->least_loss, loss / store);
      vd_tyre_question q = question(b, &b->from, b->w);
      vd_tyre_answer steady;
      vd_tyre_ask(b->tyre, &q, &b->answer);
      q.moving = false;
      vd_tyre_ask(b->tyre, &q, &steady);
      double most = fmax(steady.mu_peak * b->load, hypot(steady.fx, steady.fy));
      double used = hypot(b->answer.fx, b->answer.fy) / most;
      f->most_force = tap_max(f->most_force, used);
    }
  }
}

/* The second law: over any history the tyre delivers no more energy than it received. The loss of a step is work minus
 * stored energy. At standstill it is not negative with any model. While the tyre rolls, ply steer and camber may add a
 * power of |V| F times the slip of their force; the test allows twice that, as the characteristic is curved. Symmetric
 * tyres have no such term. The force stays below the peak force, or below the steady force where this is greater. */
static void histories(const char *name, const vd_tyre *tyre, bool standing) {
  static const double loads[] = {1500.0, 6000.0}, cambers[] = {0.0, 0.06}, dampers[] = {0.0, 0.04};
  const char *state = standing ? "standing" : "rolling";
  bool cambered = vd_tyre_traits_of(tyre->model)->camber;
  found f = {INFINITY, 0.0};
  uint64_t seed = standing ? 11 : 12;
  for (size_t i = 0; i < VD_COUNT(loads); i++)
    for (size_t c = 0; c < (cambered ? VD_COUNT(cambers) : 1); c++)
      for (size_t d = 0; d < VD_COUNT(dampers); d++) {
        bench b = bench_make(tyre, loads[i], cambers[c], dampers[d]);
        walk(&b, &seed, standing, &f);
      }
  /* rounding of the stored energy and of the work */
  tap_ok(f.least_loss > -1e-12, "%s, %s: no step of a random history creates energy (%.1e of what a tyre can store)",
         name, state, f.least_loss);
  tap_ok(f.most_force <= 1.0 + 1e-9, "%s, %s: the force of a random history is at most %.6f of the grip", name, state,
         f.most_force);
}

/* Checks slips of 1 m/s that reverse in one step, standing and rolling: the force stays within the highest friction.
 * The damper alone, with its time tau and a stiffness C/sigma (C slip stiffness, sigma relaxation length), has the
 * force tau C/sigma 2 s at a slip velocity s, several times the friction. */
static void reversal(const char *name, const vd_tyre *tyre) {
  static const double rolling[] = {0.0, 0.2, 1.0, 5.0};
  double most = 0.0;
  for (size_t k = 0; k < VD_COUNT(rolling); k++)
    for (int across = 0; across < 2; across++) {
      bench b = bench_make(tyre, 4000.0, 0.0, 0.04);
      for (int i = 0; i < 3000; i++) {
        double s = (i / 750) % 2 ? -1.0 : 1.0;
        motion to = {rolling[k], across ? 0.0 : s, across ? s : 0.0};
        if (i % 750 == 0)
          b.from = to;
        step_to(&b, &to);
        vd_tyre_question q = question(&b, &to, b.w);
        vd_tyre_ask(tyre, &q, &b.answer);
        double used = hypot(b.answer.fx, b.answer.fy) / (b.answer.mu_peak * b.load);
        most = tap_max(most, used);
      }
    }
  tap_ok(most > 0.5 && most <= 1.0, "%s: a slip that reverses causes at most %.4f of the friction force", name, most);
}

static void settle(bench *b, const motion *at, double lengths) {
  double sigma = fmax(b->relax.length_x, b->relax.length_y);
  b->from = *at;
  long steps = lround(lengths * sigma / fabs(at->v) / b->step);
  for (long i = 0; i < steps; i++)
    step_to(b, at);
}

/* Checks combined slip, with shifts of the curves and camber, forwards and backwards. After 60 relaxation lengths the
 * deviation is exp(-60), or a millionth where the lateral rate is a quarter of the longitudinal one. */
static void steady_state(const char *name, const vd_tyre *tyre) {
  static const double slips[][2] = {{0.0, 0.0},  {0.0, 0.02},  {0.01, -0.004}, {-0.05, 0.05}, {0.1, 0.3},
                                    {-0.8, 0.2}, {-0.02, 1.2}, {0.003, 0.001}, {-1.0, -0.5}};
  double worst = 0.0;
  for (size_t k = 0; k < VD_COUNT(slips); k++)
    for (int way = 0; way < 2; way++) {
      bench b = bench_make(tyre, 4000.0, 0.05, 0.02);
      double v = way ? -30.0 : 30.0;
      motion at = {v, slips[k][0] * fabs(v), -slips[k][1] * fabs(v)};
      b.step = 1e-3;
      settle(&b, &at, 60.0);
      vd_tyre_question q = question(&b, &at, b.w);
      vd_tyre_answer steady;
      vd_tyre_ask(tyre, &q, &b.answer);
      q.moving = false;
      vd_tyre_ask(tyre, &q, &steady);
      double off = hypot(b.answer.fx - steady.fx, b.answer.fy - steady.fy) / b.load;
      worst = tap_max(worst, off);
    }
  tap_near(worst, 0.0, 1e-8, "%s: settles at the steady force of combined slip with camber", name);
}

/* True if small slips in both directions together cause the sum of their separate forces. */
static bool adds_up(const vd_tyre *tyre, double slip) {
  vd_tyre_question q = {.vx = 10.0, .ground_friction = 1.0, .load = 4000.0, .radius = 0.32};
  vd_tyre_answer none, along, across, both;
  vd_tyre_ask(tyre, &q, &none);
  q.kappa = slip;
  vd_tyre_ask(tyre, &q, &along);
  q.tan_alpha = slip;
  vd_tyre_ask(tyre, &q, &both);
  q.kappa = 0.0;
  vd_tyre_ask(tyre, &q, &across);
  return hypot(both.fx - along.fx - across.fx + none.fx, both.fy - along.fy - across.fy + none.fy) <
         2e-3 * hypot(both.fx - none.fx, both.fy - none.fy);
}

/* A small step of both slips, from straight rolling and from the slip at which camber and ply steer have no force: each
 * force responds with its own relaxation length, 1 - exp(-x/sigma). Slips of 2e-4 change the slopes of the curves by
 * about 1e-3. At combined slip the model tmeasy has one slope, along the slip vector, not two slopes along the axes. */
static void lengths(const char *name, const vd_tyre *tyre) {
  static const double steps[][2] = {{2e-4, 0.0}, {0.0, 2e-4}, {2e-4, 2e-4}, {-2e-4, 1e-4}};
  const double v = 10.0;
  double worst = 0.0;
  for (size_t k = 0; k < (adds_up(tyre, 2e-4) ? VD_COUNT(steps) : 2); k++)
    for (int c = 0; c < 3; c++) {
      bench b = bench_make(tyre, 4000.0, c ? 0.03 : 0.0, 0.0), end;
      double shifted = c == 2 ? 1.0 : 0.0;
      motion straight = {v, -shifted * v * b.free_x, -shifted * v * b.free_y};
      motion at = {v, straight.slip_x + steps[k][0] * v, straight.slip_y - steps[k][1] * v};
      b.step = 1e-3;
      settle(&b, &straight, 30.0);
      double x0 = b.w[ALONG], y0 = b.w[ACROSS];
      end = b;
      settle(&end, &at, 30.0);
      settle(&b, &at, 0.5);
      double gone = v * b.step * (double)lround(0.5 * fmax(b.relax.length_x, b.relax.length_y) / v / b.step);
      double size = hypot(end.w[ALONG] - x0, end.w[ACROSS] - y0);
      double along = x0 + (end.w[ALONG] - x0) * (1.0 - exp(-gone / b.relax.length_x));
      double across = y0 + (end.w[ACROSS] - y0) * (1.0 - exp(-gone / b.relax.length_y));
      double off = hypot(b.w[ALONG] - along, b.w[ACROSS] - across) / size;
      worst = tap_max(worst, off);
    }
  tap_near(worst, 0.0, 0.01, "%s: small slips in both directions have their relaxation lengths", name);
}

/* Bristles without deflection follow the road: their rate is the slip velocity minus the slip velocity without
 * force. */
static void first_bend(const char *name, const vd_tyre *tyre) {
  bench b = bench_make(tyre, 4000.0, 0.03, 0.0);
  motion at = {10.0, 0.4, -1.5};
  const double straight[STATES] = {0.0};
  vd_tyre_question q = question(&b, &at, straight);
  vd_tyre_ask(tyre, &q, &b.answer);
  double x = b.answer.rate_x - (at.slip_x + at.v * b.free_x), y = b.answer.rate_y - (at.slip_y + at.v * b.free_y);
  tap_near(hypot(x, y), 0.0, 1e-12, "%s: the rate of unbent bristles is the slip velocity minus that without force",
           name);
}

/* --- any steady force --- */

typedef struct sample {
  double slip[2], force[2], state[2], stiffness[2]; /* m/s, N, m, N/m */
  double speed;                                     /* m/s */
  vd_tyre_forces out;
} sample;

/* Draws slips, steady forces up to twice the load in any direction, and deflections up to three times that of the grip
 * limit. They do not come from a tyre model. In one case of four the slip is almost perpendicular to the force, and the
 * deflection almost parallel to the slip. */
static sample sample_draw(const vd_tyre *tyre, double load, uint64_t *seed) {
  sample p = {.speed = fabs(any_size(seed, -3.0, 1.5))};
  double direction = 2.0 * VD_PI * draw(seed), bent = 2.0 * VD_PI * draw(seed);
  double size = load * pow(10.0, -3.0 + 3.3 * draw(seed)), far = 3.0 * load * draw(seed);
  p.slip[0] = any_size(seed, -4.0, 1.0);
  p.slip[1] = any_size(seed, -4.0, 1.0);
  if (draw(seed) < 0.25) {
    double slip = hypot(p.slip[0], p.slip[1]),
           across = direction + (draw(seed) < 0.5 ? 1.46 : -1.46) * sqrt(draw(seed));
    p.slip[0] = slip * cos(across);
    p.slip[1] = slip * sin(across);
    bent = direction + 0.4 * (draw(seed) - 0.5);
  }
  p.force[0] = size * cos(direction);
  p.force[1] = size * sin(direction);
  p.stiffness[0] = tyre->as.linear.longitudinal_stiffness / tyre->common.relaxation_longitudinal;
  p.stiffness[1] = tyre->as.linear.cornering_stiffness / tyre->common.relaxation_lateral;
  p.state[0] = far * cos(bent) / p.stiffness[0];
  p.state[1] = far * sin(bent) / p.stiffness[1];
  const vd_slide slide = {.bristles = true,
                          .sx = p.slip[0],
                          .sy = p.slip[1],
                          .vx = p.speed,
                          .zx = p.state[0],
                          .zy = p.state[1],
                          .damper = fabs(any_size(seed, -4.0, -1.0)),
                          .fastest = pow(10.0, 1.0 + 3.0 * draw(seed))};
  const vd_tyre_forces none = {.fx = {0.0}};
  const double friction = 1.0;
  const vd_bristles b = {
      .count = 1, .tyre = &tyre, .slide = &slide, .ground_friction = &friction, .load = &load, .rolling = &none};
  p.out.fx[0] = p.force[0];
  p.out.fy[0] = p.force[1];
  vd_lugre_forces(&b, &p.out);
  return p;
}

/* Checks the inequality of the second law at an instant, F s >= K z z': F force, s slip velocity, K stiffness, z
 * deflection. It holds wherever the steady force dissipates at least half as much as its slope would, S s >= |V| S^2/(2
 * C) with the slope C, and beyond a slip of two with any steady force S. The deflections tend to the steady deflections
 * e, (e - z) K z' > 0, up to the grip limit. */
static void any_steady_force(const char *name, const vd_tyre *tyre) {
  const double load = 4000.0;
  double least_loss = INFINITY, least_return = INFINITY;
  int lawful = 0, returning = 0;
  uint64_t seed = 21;
  for (int i = 0; i < 120000; i++) {
    sample p = sample_draw(tyre, load, &seed);
    const double force[] = {p.out.fx[0], p.out.fy[0]}, rate[] = {p.out.rate_x[0], p.out.rate_y[0]};
    double power = 0.0, kept = 0.0, steady = 0.0, rolled = 0.0, tends = 0.0, scale = 0.0, off = 0.0, quick = 0.0;
    for (int k = 0; k < 2; k++) {
      double d = p.force[k] - p.stiffness[k] * p.state[k];
      power += force[k] * p.slip[k];
      kept += p.stiffness[k] * p.state[k] * rate[k];
      scale += fabs(force[k] * p.slip[k]) + fabs(p.stiffness[k] * p.state[k] * rate[k]);
      steady += p.force[k] * p.slip[k];
      rolled += p.speed * p.force[k] * p.force[k] /
                (k ? tyre->as.linear.cornering_stiffness : tyre->as.linear.longitudinal_stiffness);
      tends += d * rate[k];
      off += d * d;
      quick += rate[k] * rate[k];
    }
    double slip = hypot(p.slip[0], p.slip[1]), size = hypot(p.force[0], p.force[1]);
    if (slip > 0.0 && (slip >= 2.0 * p.speed || steady >= 0.5 * rolled)) {
      double loss = (power - kept) / scale;
      least_loss = tap_min(least_loss, loss);
      lawful++;
    }
    bool held = hypot(p.stiffness[0] * p.state[0], p.stiffness[1] * p.state[1]) < 0.5 * load && size < 0.5 * load;
    if (held && (slip <= p.speed || steady > 0.1 * size * slip) && p.speed > 0.0) {
      double share = tends / sqrt(off * quick);
      least_return = tap_min(least_return, share);
      returning++;
    }
  }
  tap_ok(lawful > 30000 && least_loss > -1e-12, "%s, any steady force: no energy is created at any instant (%.1e)",
         name, least_loss);
  tap_ok(returning > 5000 && least_return > 0.0, "%s, any steady force: the bristles tend to the steady force (%.1e)",
         name, least_return);
}

/* --- cars --- */

/* Checks L3 with locked wheels and an initial speed, on level ground and across and along a slope: the car comes to
 * rest, and without drive its energy only falls. */
static void at_rest(const char *file, const char *law) {
  static const char *const grounds[] = {"ground={type: flat}", "ground={type: inclined, grade: 5 deg}",
                                        "ground={type: inclined, grade: 4 deg, bank: -4 deg}"};
  double speed = 0.0, rise = 0.0, crept = 0.0;
  for (size_t k = 0; k < VD_COUNT(grounds); k++) {
    scene *s = car_on(file, law,
                      "vehicle: ../vehicles/sedan.yaml\nrun: {level: L3, duration: 20 s, slip: transient}\n"
                      "initial: {vy: 0.02, yaw_rate: 0.05}\nbrake: 1\n",
                      grounds[k]);
    double least = INFINITY, place[2] = {0.0, 0.0};
    for (int i = 0; i < 6000; i++) {
      vd_sim_step(&s->sim);
      if (i % 10 == 0) {
        vd_row row = scene_row(s);
        least = tap_min(least, row.eval.log.energy);
        rise = tap_max(rise, row.eval.log.energy - least);
      }
      if (i == 5000) {
        place[0] = s->sim.state.x[VD_S_ALONG];
        place[1] = s->sim.state.x[VD_S_ACROSS];
      }
      if (i > 5000) {
        double v = hypot(s->sim.state.x[VD_S_VX], s->sim.state.x[VD_S_VY]);
        speed = tap_max(speed, v);
      }
    }
    if (s->sim.status != VD_SIM_OK)
      speed = NAN;
    crept = tap_max(crept, hypot(s->sim.state.x[VD_S_ALONG] - place[0], s->sim.state.x[VD_S_ACROSS] - place[1]));
    scene_free(s);
  }
  /* at first the motion has 3 J (2500 kg m2 at 0.05 rad/s) and the springs 10 J */
  tap_ok(rise <= 2e-3, "%s, %s: no force drives the car: its energy rises by at most %.1e J", short_name(file), law,
         rise);
  tap_near(speed, 0.0, 1e-5, "%s, %s: a braked car comes to rest, %.1e m/s", short_name(file), law, speed);
  tap_near(crept, 0.0, 1e-6, "%s, %s: a car at rest does not creep", short_name(file), law);
}

int main(void) {
  enum { ONE_OF = 3 };
  int chosen = 0;
  for (int k = 0; k < (int)VD_COUNT(tyres); k++)
    chosen += tap_sampled(k, ONE_OF);
  tap_plan(chosen * (2 * 2 + 4 + 2 * 3) + 4 * tap_sampled(0, ONE_OF));
  for (size_t k = 0; k < VD_COUNT(tyres); k++) {
    if (!tap_sampled((int)k, ONE_OF))
      continue;
    const char *name = short_name(tyres[k]);
    scene *s = car_on(tyres[k], "lugre", "vehicle: ../vehicles/sedan.yaml\nrun: {duration: 1 s}\n", NULL);
    vd_tyre tyre = s->model.vehicle.tyre[0];
    histories(name, &tyre, true);
    histories(name, &tyre, false);
    reversal(name, &tyre);
    steady_state(name, &tyre);
    lengths(name, &tyre);
    first_bend(name, &tyre);
    if (k == 0) {
      any_steady_force("like lengths", &tyre);
      tyre.common.relaxation_lateral = 3.0;
      tyre.as.linear.cornering_stiffness = 300e3;
      any_steady_force("unlike lengths", &tyre);
    }
    scene_free(s);
    at_rest(tyres[k], "relaxation");
    at_rest(tyres[k], "lugre");
  }
  return tap_done();
}
