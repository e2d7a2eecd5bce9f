/* Anti-lock control by valves, from wheel speeds alone.
 *
 * The reference speed v rises with the speed of the fastest rim. It falls no faster than the estimated deceleration a
 * of the car plus a reserve. a is the mean deceleration of the fastest rim over some cycles. The reserve grows if no
 * rim reaches v within reach_time although the pressure of the fastest wheel is not released. u = R w are the speeds of
 * the rims, u' their rates over WINDOW periods, and r = u' + a is the rate of a rim relative to the car.
 *
 *   phase       valve             the phase ends
 *   free        1                 if the slip 1 - u/v is above its limit: releases; if r < -deceleration: holds
 *   releases    -opening, then -1 when the rim gains speed, or its slip is small: holds
 *   holds       0                 when the rim keeps its slip: builds; if the slip is too large and grows: releases
 *   builds      opening, then     as in the phase free; after a second: free
 *               build a/typical
 *
 * A wheel that stability or traction control brakes is free here, because that controller limits its slip.
 *
 * If only one of the front wheels is free, its pressure is built up slowly, unless another controller brakes it. The
 * yaw moment on split friction then grows so slowly that a driver can compensate for it.
 *
 * A build-up begins by restoring the share `regain' of the released pressure at once; the rest follows slowly at first,
 * then faster. The build-up waits until the rim no longer gains speed, because until then the wheel does not roll
 * freely. On low friction all four wheels may slip at once, so that a comparison of their speeds does not show the
 * slip. Handbooks describe release, hold and stepwise build-up by slip and acceleration. All thresholds are estimates,
 * tuned on saloon, sedan and compact with their default pressures. */
#include "base/base.h"
#include "base/elementary.h"
#include "base/wheel.h"
#include "control/built_in.h"

#include <math.h>
#include <string.h>

enum { WINDOW = 4 }; /* periods over which the rate of a speed is taken */
enum phase { FREE, RELEASES, HOLDS, BUILDS };

typedef struct wheel {
  double speed[WINDOW];   /* m/s, speed of the rim at the last decisions, the latest first */
  double phase, since;    /* enum phase; s, time since the phase began */
  double released, built; /* s, time of full release and of full build-up in this cycle */
} wheel;

/* A wheel's and a controller's state are numbers only, so that they are saved as bytes. */
typedef struct state {
  double decisions; /* number of decisions so far, up to WINDOW */
  double v, a;      /* m/s, m/s2 */
  double fastest;   /* m/s, speed of the fastest rim at the last decision */
  double unreached; /* s, time since a rim last reached v, or the fastest wheel was last released */
  wheel each[VD_WHEELS];
} state;

static const double first_estimate = 9.0, least = 0.5, greatest = 12.0; /* m/s2 */
/* s, time constant of the estimate a; m/s2, greatest deceleration that enters it */
static const double follow = 0.6, widest = 30.0;
static const double reserve_share = 0.15, reserve = 0.7;    /* share of a; m/s2 */
static const double reach_time = 0.25, reserve_rate = 15.0; /* s; m/s3 */
static const double regain_rate = 2.0;                      /* m/s2: a rim with a greater rate gains speed */
static const double steady_rate = 4.0;    /* m/s2: a rim with a smaller relative rate keeps its slip */
static const double release = 0.3;        /* opening of the valves in release and regain */
static const double typical = 6.0;        /* m/s2, deceleration at which `build' holds */
static const double short_release = 0.04; /* s, time after which a release has the full opening */
static const double small_slip = 0.04;
static const double longest_hold = 0.15, longest_build = 1.0; /* s */

/* clang-format off */
#define ONLY .only = VD_WHEN(VD_CONTROLLER_ABS)
static const vd_field rows[] = {
  {VD_F_NUMBER(vd_controller_def, as.abs.slip, "slip", "1", 0, 1, VD_ABOVE, "0.12",
      "estimated slip above which the pressure of a wheel is released; the default is an estimate"), ONLY},
  {VD_F_NUMBER(vd_controller_def, as.abs.deceleration, "deceleration", "m/s2", 0, 1e3, VD_ABOVE, "15 m/s2",
      "deceleration of a rim relative to the car above which the pressure of the wheel is held; the default is an "
      "estimate"), ONLY},
  {VD_F_NUMBER(vd_controller_def, as.abs.regain, "regain", "1", 0, 1, 0, "0.6",
      "share of the released pressure that is built up again at once; the default is an estimate"), ONLY},
  {VD_F_NUMBER(vd_controller_def, as.abs.build, "build", "1", 0, 1, VD_ABOVE, "0.08",
      "opening of a valve in the slow build-up of pressure; the default is an estimate"), ONLY},
  {VD_F_NUMBER(vd_controller_def, as.abs.minimum_speed, "minimum_speed", "m/s", 0, 20, VD_ABOVE, "2 m/s",
      "estimated speed of the car below which wheels may lock"), ONLY},
  {VD_F_NUMBER(vd_controller_def, as.abs.yaw_build, "yaw_build", "1", 0, 1, VD_ABOVE, "0.07",
      "opening of the valve of a free front wheel while the other one is controlled, so that the yaw moment of split "
      "friction grows slowly; 1: not limited; the default is an estimate"), ONLY},
  {VD_F_FLAG(vd_controller_def, as.abs.select_low, "select_low", "true",
      "both rear valves have the lower request of the two"), ONLY},
};
/* clang-format on */

enum sensor { OMEGA, STABILITY = OMEGA + VD_WHEELS, TRACTION = STABILITY + VD_WHEELS };
static const char *const sensors[] = {VD_OF_WHEELS("omega_", "_radps"), VD_OF_WHEELS("esc_mode_", ""),
                                      VD_OF_WHEELS("tcs_mode_", ""), NULL};
static const char *const requests[] = {VD_OF_WHEELS("brake_valve_", ""), NULL};

static void begin(const vd_controller_def *def, const vd_controller_car *car, void *memory, double *request) {
  state *s = memory;
  (void)def, (void)car;
  *s = (state){.a = first_estimate};
  for (int i = 0; i < VD_WHEELS; i++) {
    request[i] = 1.0;
    request[VD_WHEELS + i] = FREE;
  }
}

static bool is_active(const state *s) {
  bool yes = false;
  for (int i = 0; i < VD_WHEELS; i++)
    yes |= s->each[i].phase != FREE;
  return yes;
}

/* Updates the reference speed at a decision, one period T after the last one, from the speeds u of the rims. */
static void update_reference(state *s, const double *u, double T) {
  int leader = 0;
  for (int i = 1; i < VD_WHEELS; i++)
    leader = u[i] > u[leader] ? i : leader;
  const double deceleration = s->decisions > 0.0 ? vd_min(vd_max((s->fastest - u[leader]) / T, -widest), widest) : 0.0;
  s->fastest = u[leader];
  if (!is_active(s)) {
    s->v = s->decisions > 0.0 ? vd_max(s->fastest, s->v - greatest * T) : s->fastest;
    s->unreached = 0.0;
    s->a = first_estimate;
    return;
  }
  s->a = vd_min(vd_max(s->a + T / follow * (deceleration - s->a), least), greatest);
  s->unreached = s->each[leader].phase == RELEASES ? 0.0 : s->unreached + T;
  const double falls = (1.0 + reserve_share) * s->a + reserve + reserve_rate * vd_max(s->unreached - reach_time, 0.0);
  s->v = vd_max(s->v - falls * T, 0.0);
  if (s->fastest < s->v)
    return;
  s->v = s->fastest;
  s->unreached = 0.0;
}

static void enter(wheel *w, enum phase phase) {
  w->phase = phase;
  w->since = 0.0;
  if (phase == RELEASES)
    w->released = 0.0;
  if (phase == BUILDS)
    w->built = 0.0;
}

/* Chooses the phase of a wheel by its slip and by `rim', the acceleration of its rim, m/s2. a: deceleration of the car,
 * m/s2. */
static void choose_phase(const vd_antilock_def *def, double slip, double rim, double a, wheel *w) {
  const double rate = rim + a;                                            /* m/s2, relative to the car */
  const bool nearly_locked = slip > 3.0 * def->slip && rim < regain_rate; /* with a rim that does not gain speed */
  const bool decelerates = rate < -def->deceleration && slip > 0.3 * def->slip;
  const bool locks = slip > def->slip || (rate < -2.0 * def->deceleration && slip > 0.6 * def->slip);
  switch ((enum phase)w->phase) {
  case FREE:
  case BUILDS:
    if (locks)
      enter(w, RELEASES);
    else if (decelerates)
      enter(w, HOLDS);
    else if (w->phase == BUILDS && w->since > longest_build)
      enter(w, FREE);
    break;
  case RELEASES:
    if ((rate > regain_rate && !nearly_locked) || slip < small_slip)
      enter(w, HOLDS);
    break;
  case HOLDS:
    if (slip > def->slip && (rate < -regain_rate || nearly_locked || w->since > longest_hold))
      enter(w, RELEASES);
    else if (rate < steady_rate && (slip < small_slip || (slip < def->slip && rate > -steady_rate)))
      enter(w, BUILDS);
    break;
  }
}

/* Returns the request for the valve of a wheel, for one period T, s. */
static double valve(const vd_antilock_def *def, double a, double T, wheel *w) {
  double opening = 1.0;
  w->since += T;
  switch ((enum phase)w->phase) {
  case FREE: break;
  case RELEASES:
    w->released += w->since > short_release ? T / release : T;
    opening = w->since > short_release ? -1.0 : -release;
    break;
  case HOLDS: opening = 0.0; break;
  case BUILDS:
    if (w->built + T <= def->regain * w->released) {
      w->built += T;
      opening = release;
      break;
    }
    opening = vd_min(def->build * a / typical * (1.0 + w->since * w->since / 0.04), 1.0);
    break;
  }
  return opening;
}

static void law(const vd_controller_def *def, const vd_controller_car *car, void *memory, const double *sensed,
                double *request) {
  state *s = memory;
  const double T = def->period;
  double u[VD_WHEELS], rate[VD_WHEELS];
  bool others[VD_WHEELS]; /* another controller brakes the wheel */
  for (int i = 0; i < VD_WHEELS; i++) {
    wheel *w = &s->each[i];
    others[i] = sensed[STABILITY + i] != 0.0 || sensed[TRACTION + i] != 0.0;
    u[i] = car->radius[i] * fabs(sensed[OMEGA + i]);
    rate[i] = s->decisions < WINDOW ? 0.0 : (u[i] - w->speed[WINDOW - 1]) / (WINDOW * T);
    memmove(w->speed + 1, w->speed, sizeof w->speed - sizeof *w->speed);
    w->speed[0] = u[i];
  }
  update_reference(s, u, T);
  for (int i = 0; i < VD_WHEELS; i++) {
    wheel *w = &s->each[i];
    if (s->v < def->as.abs.minimum_speed || others[i])
      enter(w, FREE);
    else
      choose_phase(&def->as.abs, 1.0 - u[i] / s->v, rate[i], s->a, w);
    request[i] = valve(&def->as.abs, s->a, T, w);
    request[VD_WHEELS + i] = w->phase;
  }
  for (int i = VD_FL; i <= VD_FR; i++)
    if (s->each[i].phase == FREE && !others[i] && s->each[vd_other_side(i)].phase != FREE)
      request[i] = vd_min(request[i], def->as.abs.yaw_build);
  if (def->as.abs.select_low)
    request[VD_RL] = request[VD_RR] = vd_min(request[VD_RL], request[VD_RR]);
  s->decisions = vd_min(s->decisions + 1.0, WINDOW);
}

const vd_controller_variant vd_abs_controller = {
    VD_BUILT_IN,
    .memory = sizeof(state),
    .begin = begin,
};
