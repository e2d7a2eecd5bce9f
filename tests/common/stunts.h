/* Runs of shipped stunts for tests: records of every step, flights, and their deviations from parabolas. */
#ifndef VD_STUNTS_H
#define VD_STUNTS_H

#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct instant {
  double t, cg[3], speed[3];       /* s; m, m/s, world: place and velocity of the centre of all masses */
  double load[VD_WHEELS], sum;     /* N */
  double angle;                    /* rad: angle in a loop, which grows beyond half a turn */
  double energy, ledger, elastic;  /* J; elastic: energy of springs, tyres and links */
  double lost;                     /* J: sum of all works except that of the engine; dissipation < 0 */
  double roll, pitch, yaw, up;     /* rad; up: z component of the body's z axis, world */
  double vx, vy, yaw_rate, side;   /* m/s, rad/s; m/s2: specific force along the body's y */
  double fastest_spin;             /* rad/s, greatest of the wheels */
  double alpha[VD_WHEELS], travel; /* rad; m: greatest of the wheels */
} instant;

typedef struct track {
  instant *at; /* the start, then every step */
  size_t count;
  bool good;           /* the run reached its end */
  double mass, weight; /* kg, N */
  double step;         /* s */
} track;

static inline instant look_at(scene *s, double angle) {
  vd_row row = scene_row(s);
  const vd_eval *e = &row.eval;
  const double *q = e->log.quaternion;
  instant now = {.t = row.t,
                 .energy = e->log.energy,
                 .ledger = e->log.ledger,
                 .elastic = e->log.energy_spring + e->log.energy_tyre + e->log.energy_link,
                 .lost = e->log.work - row.state.x[VD_S_WORK_DRIVE],
                 .roll = e->log.roll,
                 .pitch = e->log.pitch,
                 .yaw = e->log.yaw,
                 .up = q[0] * q[0] - q[1] * q[1] - q[2] * q[2] + q[3] * q[3],
                 .vx = e->motion.vx,
                 .vy = e->motion.vy,
                 .yaw_rate = e->motion.yaw_rate,
                 .side = e->log.specific_y};
  for (int j = 0; j < 3; j++) {
    now.cg[j] = e->log.cg[j];
    now.speed[j] = e->log.cg_speed[j];
  }
  for (int i = 0; i < VD_WHEELS; i++) {
    now.load[i] = e->tyre.load[i];
    now.sum += e->tyre.load[i];
    now.alpha[i] = e->log.alpha[i];
    now.fastest_spin = tap_max(now.fastest_spin, fabs(e->motion.omega[i]));
    now.travel = tap_max(now.travel, fabs(e->motion.travel[i]));
  }
  now.angle = angle + remainder(e->log.loop_angle - angle, 2.0 * VD_PI);
  return now;
}

/* Records the whole run, or a run until its failure. */
static inline track follow(scene *s) {
  size_t steps = (size_t)vd_scenario_steps(&s->def);
  track k = {.mass = s->def.vehicle.mass, .step = s->model.options.step};
  k.weight = k.mass * VD_GRAVITY;
  k.at = calloc(steps + 1, sizeof *k.at);
  k.at[k.count++] = look_at(s, 0.0);
  while (k.count <= steps && vd_sim_step(&s->sim) == VD_SIM_OK) {
    k.at[k.count] = look_at(s, k.at[k.count - 1].angle);
    k.count++;
  }
  k.good = s->sim.status == VD_SIM_OK;
  return k;
}

static inline const instant *last_of(const track *k) {
  return &k->at[k->count - 1];
}

static inline double speed_of(const instant *i) {
  return sqrt(i->speed[0] * i->speed[0] + i->speed[1] * i->speed[1] + i->speed[2] * i->speed[2]);
}

/* An interval without any wheel load: from row `begin' to the row before `end'. */
typedef struct flight {
  size_t begin, end;
} flight;

static inline flight longest_flight(const track *k) {
  flight best = {0, 0};
  for (size_t i = 0; i < k->count; i++) {
    size_t begin = i;
    while (i < k->count && k->at[i].sum == 0.0)
      i++;
    if (i - begin > best.end - best.begin)
      best = (flight){begin, i};
  }
  return best;
}

/* Returns the greatest distance from the parabola with the position and velocity at the start of the flight, m. */
static inline double off_parabola(const track *k, flight f) {
  double worst = 0.0;
  const instant *from = &k->at[f.begin];
  for (size_t i = f.begin; i < f.end; i++) {
    const instant *now = &k->at[i];
    double t = now->t - from->t, square = 0.0;
    for (int j = 0; j < 3; j++) {
      double fall = j == 2 ? 0.5 * VD_GRAVITY * t * t : 0.0, d = now->cg[j] - (from->cg[j] + from->speed[j] * t - fall);
      square += d * d;
    }
    worst = tap_max(worst, sqrt(square));
  }
  return worst;
}

/* Finds the greatest |ledger|, and the greatest rise of the energy over a step, J. */
static inline void worst_energies(const track *k, double *ledger, double *rise) {
  *ledger = *rise = 0.0;
  for (size_t i = 0; i < k->count; i++) {
    *ledger = tap_max(*ledger, fabs(k->at[i].ledger));
    if (i > 0)
      *rise = tap_max(*rise, k->at[i].energy - k->at[i - 1].energy);
  }
}

#endif
