/* Transient slip of one tyre (or of the two of a lane): deflection states that make slips and forces follow, down to
 * standstill and through it.
 *
 * The tread is tied to the wheel by the carcass, so that its deflection u = sigma w takes up the slip velocity
 * s = (R w - Vx, -Vy) until the contact patch has rolled on, or slid, and renewed it:
 *
 *   sigma w' = s - (|Vx| + |s|/K) w,     slip = w/(1 - |w|/K)
 *
 * While rolling, w settles at s/(|Vx| + |s|/K), for which the slip is s/|Vx|: the steady slip, exactly, at any size. At
 * small slip the first equation is the usual relaxation length sigma (Pacejka, Tyre and Vehicle Dynamics, 3rd ed.,
 * 7.2.1); with growing slip the length shrinks to sigma/(1 + |slip|/K), as that of a saturating tyre does, and |w|
 * stays below K. With K the slip at which the initial slope reaches the friction limit, a tyre that slides at
 * standstill stores no more than the deflection at that limit, so that a stopped car does not spring back further than
 * its carcasses do. No speed is divided by: at standstill the tyre is a spring C/sigma that slides at its limit.
 *
 * Rolling damps that spring at |Vx|/sigma; at rest nothing would. The standstill damper adds tau w' to the slip that
 * the force is taken at, with tau fading as 1/(1 + (V/V_f)^2)^2. The force stays within the friction limit, and w' = 0
 * leaves no trace of it.
 *
 * Where sigma depends on the load its value at the present load is used, and w is what stays when the load changes: the
 * slips ask for no load, so the loads can be found before the rates. A load that changes at once therefore changes the
 * force at once; with u for a state it would not, but then a wheel that is relieved fast holds more deflection than any
 * slip, and loads and lengths ask for each other. The stored energy is 1/2 k u^2 with k and sigma of the static load,
 * where k = C/sigma, the carcass, hardly knows the load.
 *
 * Lengths grow where (|Vx| + |s|/K)/sigma would exceed one per step: beyond about 10 m/s of pure sliding at 1 ms.
 *
 * Bristles (tyre/lugre.c) have rates of their own, that come with the forces; their slip is the steady one.
 *
 * Turn slip has an analogous state for the rotation about the vertical. With the yaw velocity r of the wheel and the
 * speed V of the contact point the twist theta = sigma w of the contact follows
 *
 *   sigma w' = r - (V + |r|/K) w,     turn slip = w/(1 - |w|/K)
 *
 * which rolling settles at r/V, and which at standstill makes the contact a spring about the vertical, of the slope of
 * the moment over turn slip divided by sigma, whose moment bends towards that of a full twist and holds when the turn
 * stops. sigma is half the length of the contact patch (vd_tyre_twisted); no source for the MF-Tyre's own is public. */
#ifndef VD_RELAX_H
#define VD_RELAX_H

#include "base/elementary.h"
#include "base/wide.h"
#include "tyre/lugre.h"

#include <math.h>

typedef struct vd_relax {
  double length_x, length_y;       /* m, sigma, at the load of building, later of vd_relax_at_load */
  double span;                     /* K */
  double stiffness_x, stiffness_y; /* N/m of all tyres of the lane, for the stored energy 1/2 k u^2 */
  double unit_x, unit_y; /* m, of the state in the energy: the length at the load of building; bristles: 1 m */
  double damper_time;    /* s: tau at standstill */
  bool bristles;         /* lugre instead of relaxation; they ask for their lengths themselves */
  bool by_load;          /* the lengths depend on the load */
} vd_relax;

/* The twist of the contacts of a lane, for turn slip. */
typedef struct vd_relax_twist {
  double length;    /* m, sigma at the load of building */
  double span;      /* 1/m, K: the turn slip at which the initial slope reaches the whole moment */
  double stiffness; /* N m/rad of all tyres of the lane, for the stored energy 1/2 k theta^2 */
} vd_relax_twist;

/* Four lanes at a time; those that a car does not have are copies. */
typedef struct vd_relax_four {
  double length_x[VD_WHEELS], length_y[VD_WHEELS], span[VD_WHEELS], damper_time[VD_WHEELS];
  double spring_x[VD_WHEELS], spring_y[VD_WHEELS]; /* N m: stiffness times unit squared, energy 1/2 spring w^2 */
  double loss_x[VD_WHEELS], loss_y[VD_WHEELS];     /* m: unit squared over the length */
} vd_relax_four;

/* Inputs and results of one evaluation; of one lane, and of four. */
typedef struct vd_relaxing {
  double vx, vy;           /* m/s, of the contact point */
  double slip_x, slip_y;   /* m/s, s */
  double wx, wy;           /* states */
  double kappa, tan_alpha; /* slips for the force */
  double rate_x, rate_y;   /* 1/s, of the states; not of bristles */
  double damper;           /* s, tau */
} vd_relaxing;

typedef struct vd_relaxing_four {
  vd_wide vx, vy, slip_x, slip_y, wx, wy, kappa, tan_alpha, rate_x, rate_y, damper;
} vd_relaxing_four;

/* At a load (N) of each of `wheels` tyres. damper_time: of tyres without a bristle_damping. */
void vd_relax_build(const vd_tyre *tyre, double wheels, double ground_friction, double load, double damper_time,
                    vd_relax *r);

/* Lengths at another load; finite at zero load, see vd_tyre_relaxation. */
void vd_relax_at_load(const vd_tyre *tyre, double load, vd_relax *r);

/* Two tyres of the same kind in one lane that share one deflection: the mean of both. */
void vd_relax_mean(const vd_relax *other, vd_relax *r);

void vd_relax_twist_build(const vd_tyre *tyre, double wheels, double ground_friction, double load, vd_relax_twist *t);
void vd_relax_twist_mean(const vd_relax_twist *other, vd_relax_twist *t);

/* The damper time that gives 0.7 of critical damping to a mass (kg) on springs that add up to `spring` (N/m), or as
 * much as one explicit step (s) can integrate. fastest: greatest squared angular frequency (1/s2) of any wheel on its
 * own longitudinal tyre spring. */
double vd_relax_damper(double spring, double mass, double fastest, double step);

void vd_relax_pack(const vd_relax *lane, int lanes, vd_relax_four *four);

/* Computes slips and rates of one lane. */
void vd_relax_slip(const vd_relax *relax, double step, vd_relaxing *r);

/* Computes the rates alone, at lengths of the present loads; not for bristles. */
VD_INLINE void vd_relax_rates(const vd_relax_four *four, vd_wide length_x, vd_wide length_y, double step,
                              vd_relaxing_four *r) {
  vd_wide slip = vd_wide_sqrt(r->slip_x * r->slip_x + r->slip_y * r->slip_y);
  vd_wide renewal = vd_wide_abs(r->vx) + slip / vd_wide_load(four->span), least = renewal * step;
  r->rate_x = (r->slip_x - renewal * r->wx) / vd_wide_max(length_x, least);
  r->rate_y = (r->slip_y - renewal * r->wy) / vd_wide_max(length_y, least);
}

/* Not for bristles, but for their damper. */
VD_INLINE void vd_relax_slips(const vd_relax_four *four, double step, vd_relaxing_four *r) {
  const double damper_speed = 1.0; /* m/s, V_f */
  const double min_spare = 1e-3;   /* least 1 - |w|/K, if friction or an impact throws w beyond K */
  vd_wide fade = 1.0 / (1.0 + (r->vx * r->vx + r->vy * r->vy) / (damper_speed * damper_speed));
  r->damper = vd_wide_load(four->damper_time) * fade * fade;
  vd_relax_rates(four, vd_wide_load(four->length_x), vd_wide_load(four->length_y), step, r);
  vd_wide size = vd_wide_sqrt(r->wx * r->wx + r->wy * r->wy);
  vd_wide spare = vd_wide_max(1.0 - size / vd_wide_load(four->span), vd_wide_of(min_spare));
  r->kappa = r->wx / spare + r->damper * r->rate_x;
  r->tan_alpha = -(r->wy / spare + r->damper * r->rate_y);
}

/* Turn slip (1/m) of a state w (1/m). */
static inline double vd_relax_twist_slip(const vd_relax_twist *t, double w) {
  const double min_spare = 1e-3; /* as in vd_relax_slips */
  return w / vd_max(1.0 - fabs(w) / t->span, min_spare);
}

/* Rate of the state, 1/(m s); speed: m/s, turning: rad/s. */
static inline double vd_relax_twist_rate(const vd_relax_twist *t, double step, double speed, double turning, double w) {
  double renewal = speed + fabs(turning) / t->span;
  return (turning - renewal * w) / vd_max(t->length, renewal * step);
}

/* Stored energy, J, and its rate, W. */
static inline double vd_relax_twist_energy(const vd_relax_twist *t, double w) {
  return 0.5 * t->stiffness * t->length * t->length * w * w;
}

static inline double vd_relax_twist_power(const vd_relax_twist *t, double w, double rate) {
  return t->stiffness * t->length * t->length * w * rate;
}

#endif
