/* Transient slip of one tyre (or of the two tyres of a lane): deflection states that delay slips and forces, valid down
 * to standstill and through it.
 *
 * The carcass connects the tread with the wheel. Its deflection u = sigma w grows with the slip velocity s = (R omega -
 * Vx, -Vy), and is reduced as the contact patch rolls on or slides:
 *
 *   sigma w' = s - (|Vx| + |s|/K) w,     slip = w/(1 - |w|/K)
 *
 * While rolling, w tends to s/(|Vx| + |s|/K), which gives exactly the steady slip s/|Vx|, however great. At small slip
 * the first equation has the usual relaxation length sigma (Pacejka, Tyre and Vehicle Dynamics, 3rd ed., 7.2.1); with
 * growing slip the length shrinks to sigma/(1 + |slip|/K), as the length of a saturating tyre does, and |w| stays below
 * K. K is the slip at which the initial slope reaches the friction limit. A tyre that slides at standstill thus stores
 * no more than the deflection at that limit, and a car that has stopped does not spring back farther than its carcasses
 * allow. There is no division by speed: at standstill the tyre is a spring C/sigma that slides at its limit.
 *
 * Rolling damps this spring at the rate |Vx|/sigma, but at rest there would be no damping. The standstill damper adds
 * tau w' to the slip from which the force is computed; tau fades as 1/(1 + (V/V_f)^2)^2. The force stays within the
 * friction limit, and the damper has no effect on a steady state, w' = 0.
 *
 * If sigma depends on the load, its value at the present load is used. The state is w and not u, so that slips do not
 * depend on the load, and loads can be computed before the rates. A load that jumps therefore changes the force at
 * once. With u as state the force would not jump; but a wheel whose load falls fast would then keep a greater
 * deflection than any slip gives, and loads and lengths would depend on each other. The stored energy is 1/2 k u^2 with
 * k = C/sigma and sigma at the static load, because the stiffness k of the carcass hardly depends on the load.
 *
 * Lengths are increased so that (|Vx| + |s|/K)/sigma does not exceed one per step, which happens above about 10 m/s of
 * pure sliding for steps of 1 ms.
 *
 * Bristles (tyre/lugre.c) have rates of their own, which are computed with the forces; their slip is the steady slip.
 *
 * Turn slip has an analogous state for the rotation about the vertical. With the yaw velocity r of the wheel and the
 * speed V of the contact point, the twist theta = sigma w of the contact obeys
 *
 *   sigma w' = r - (V + |r|/K) w,     turn slip = w/(1 - |w|/K)
 *
 * While rolling, the turn slip tends to r/V. At standstill the contact is a spring about the vertical, whose stiffness
 * is the slope of the moment over turn slip divided by sigma; its moment saturates at the moment of a full twist, and
 * remains after the wheel has stopped turning. sigma is half the length of the contact patch (vd_tyre_twisted); the
 * value that MF-Tyre uses is not published. */
#ifndef VD_RELAX_H
#define VD_RELAX_H

#include "base/elementary.h"
#include "base/wide.h"
#include "tyre/lugre.h"

#include <math.h>

typedef struct vd_relax {
  double length_x, length_y;       /* m, sigma at the load of vd_relax_build */
  double span;                     /* K */
  double stiffness_x, stiffness_y; /* N/m, sum of all tyres of the lane, for the stored energy 1/2 k u^2 */
  double unit_x, unit_y; /* m, factor u/w in the energy: sigma at the load of vd_relax_build; for bristles 1 m */
  double damper_time;    /* s: tau at standstill */
  bool bristles;         /* bristles (lugre) instead of relaxation, with lengths of their own */
  bool by_load;          /* the lengths depend on the load */
} vd_relax;

/* The twist of the contacts of a lane, for turn slip. */
typedef struct vd_relax_twist {
  double length;    /* m, sigma at the load of vd_relax_twist_build */
  double span;      /* 1/m, K: the turn slip at which the initial slope reaches the greatest moment */
  double stiffness; /* N m/rad, sum of all tyres of the lane, for the stored energy 1/2 k theta^2 */
} vd_relax_twist;

/* Four lanes at a time; if a car has fewer, the rest are copies. */
typedef struct vd_relax_four {
  double length_x[VD_WHEELS], length_y[VD_WHEELS], span[VD_WHEELS], damper_time[VD_WHEELS];
  double spring_x[VD_WHEELS], spring_y[VD_WHEELS]; /* N m: stiffness times unit squared, energy 1/2 spring w^2 */
  double loss_x[VD_WHEELS], loss_y[VD_WHEELS];     /* m: unit squared divided by the length */
} vd_relax_four;

/* Inputs and results of one evaluation, for one lane; vd_relaxing_four for four. */
typedef struct vd_relaxing {
  double vx, vy;           /* m/s, of the contact point */
  double slip_x, slip_y;   /* m/s, s */
  double wx, wy;           /* states */
  double kappa, tan_alpha; /* slips for the force */
  double rate_x, rate_y;   /* 1/s, rates of the states; not set for bristles */
  double damper;           /* s, tau */
} vd_relaxing;

typedef struct vd_relaxing_four {
  vd_wide vx, vy, slip_x, slip_y, wx, wy, kappa, tan_alpha, rate_x, rate_y, damper;
} vd_relaxing_four;

/* Builds the lane for the load (N) of each of its `wheels` tyres. damper_time: s, for tyres without the key
 * bristle_damping. */
void vd_relax_build(const vd_tyre *tyre, double wheels, double ground_friction, double load, double damper_time,
                    vd_relax *r);

/* Takes the mean of two tyres of the same kind that share one deflection in one lane. */
void vd_relax_mean(const vd_relax *other, vd_relax *r);

void vd_relax_twist_build(const vd_tyre *tyre, double wheels, double ground_friction, double load, vd_relax_twist *t);
void vd_relax_twist_mean(const vd_relax_twist *other, vd_relax_twist *t);

/* Returns the damper time that gives a mass (kg) on springs with the sum `spring` (N/m) 0.7 of critical damping,
 * limited to what is stable for the step. fastest: square of the greatest eigenfrequency of a wheel that turns on its
 * own spring, 1/s2. */
double vd_relax_damper(double spring, double mass, double fastest, double step);

void vd_relax_pack(const vd_relax *lane, int lanes, vd_relax_four *four);

/* Computes slips and rates of one lane. */
void vd_relax_slip(const vd_relax *relax, double step, vd_relaxing *r);

/* Computes only the rates, with the lengths at the present loads; not for bristles. */
VD_INLINE void vd_relax_rates(const vd_relax_four *four, vd_wide length_x, vd_wide length_y, double step,
                              vd_relaxing_four *r) {
  vd_wide slip = vd_wide_sqrt(r->slip_x * r->slip_x + r->slip_y * r->slip_y);
  vd_wide renewal = vd_wide_abs(r->vx) + slip / vd_wide_load(four->span), least = renewal * step;
  r->rate_x = (r->slip_x - renewal * r->wx) / vd_wide_max(length_x, least);
  r->rate_y = (r->slip_y - renewal * r->wy) / vd_wide_max(length_y, least);
}

/* Computes slips and dampers. For bristles only the damper is used. */
VD_INLINE void vd_relax_slips(const vd_relax_four *four, double step, vd_relaxing_four *r) {
  const double damper_speed = 1.0; /* m/s, V_f */
  /* least value of 1 - |w|/K, in case a change of friction or an impact brings w above K */
  const double min_spare = 1e-3;
  vd_wide fade = 1.0 / (1.0 + (r->vx * r->vx + r->vy * r->vy) / (damper_speed * damper_speed));
  r->damper = vd_wide_load(four->damper_time) * fade * fade;
  vd_relax_rates(four, vd_wide_load(four->length_x), vd_wide_load(four->length_y), step, r);
  vd_wide size = vd_wide_sqrt(r->wx * r->wx + r->wy * r->wy);
  vd_wide spare = vd_wide_max(1.0 - size / vd_wide_load(four->span), vd_wide_of(min_spare));
  r->kappa = r->wx / spare + r->damper * r->rate_x;
  r->tan_alpha = -(r->wy / spare + r->damper * r->rate_y);
}

/* Returns the turn slip (1/m) of a state w (1/m). */
static inline double vd_relax_twist_slip(const vd_relax_twist *t, double w) {
  const double min_spare = 1e-3; /* as in vd_relax_slips */
  return w / vd_max(1.0 - fabs(w) / t->span, min_spare);
}

/* Returns the rate of the state, 1/(m s); speed: m/s, turning: rad/s. */
static inline double vd_relax_twist_rate(const vd_relax_twist *t, double step, double speed, double turning, double w) {
  double renewal = speed + fabs(turning) / t->span;
  return (turning - renewal * w) / vd_max(t->length, renewal * step);
}

/* Returns the stored energy, J; the second function returns its rate, W. */
static inline double vd_relax_twist_energy(const vd_relax_twist *t, double w) {
  return 0.5 * t->stiffness * t->length * t->length * w * w;
}

static inline double vd_relax_twist_power(const vd_relax_twist *t, double w, double rate) {
  return t->stiffness * t->length * t->length * w * rate;
}

#endif
