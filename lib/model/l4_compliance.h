/* L4 with linear compliance: tyre forces of wheels that steer on their bushings under these forces. */
#ifndef VD_L4_COMPLIANCE_H
#define VD_L4_COMPLIANCE_H

#include "base/wide_elementary.h"
#include "model/tyre_forces.h"

#include <string.h>

/* Sets the compliance of wheel i, by loads on this wheel and on the other wheel, from the angles `of` its axle. */
static inline void vd_set_load_compliance(const vd_compliance_angle (*of)[2], int i, vd_load_compliance *y) {
  for (int other = 0; other < 2; other++)
    for (int k = 0; k < VD_COMPLIANCE_LOADS; k++) {
      y->steer[other][k][i] = of[vd_is_right(i)][(i + other) % 2].steer[k];
      y->camber[other][k][i] = of[vd_is_right(i)][(i + other) % 2].camber[k];
    }
}

_Static_assert(sizeof(vd_compliance_angle[2][2]) == VD_COMPLIANCE_MAPPED * sizeof(double),
               "the map's numbers in its order");

static inline void vd_compliance_map_at(const vd_compliance_map *map, const double *travel,
                                        vd_compliance_angle of[2][2]) {
  const int columns = map->travel.cells + VD_BSPLINE_ENDS;
  double b[2][4], unused[4], *value = (double *)of;
  int row = vd_bspline_basis(&map->travel, travel[0], b[0], unused);
  int column = vd_bspline_basis(&map->travel, travel[1], b[1], unused);
  for (int k = 0; k < VD_COMPLIANCE_MAPPED; k++)
    value[k] = 0.0;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      const double *c = map->surface + ((row + i) * columns + column + j) * VD_COMPLIANCE_MAPPED,
                   share = b[0][i] * b[1][j];
      for (int k = 0; k < VD_COMPLIANCE_MAPPED; k++)
        value[k] += share * c[k];
    }
}

/* Finds the compliance of the wheels: constants of `ride'; for joined wheels whose axle has a map, the values at their
 * travels, in `own'. */
static inline const vd_load_compliance *vd_find_load_compliance(const vd_work *w, vd_load_compliance *own) {
  if (!w->m->ride.link.joined)
    return &w->m->ride.bushing.by_load;
  *own = w->m->ride.bushing.by_load;
  for (int i = 0; i < VD_WHEELS; i++) {
    const vd_compliance_map *map = w->m->vehicle.axle[vd_axle_of(i)].compliance_map;
    vd_compliance_angle of[2][2];
    if (!map)
      continue;
    vd_compliance_map_at(map, w->x + VD_S_TRAVEL + vd_left_wheel(vd_axle_of(i)), of);
    vd_set_load_compliance((const vd_compliance_angle(*)[2])of, i, own);
  }
  return own;
}

/* The search for the wheels' angles d on their bushings. They follow from the tyre forces, which depend on them: d =
 * g(F(d)), with a linear g without delay. Each wheel has two angles, and Newton's method needs the slopes dF/dd, which
 * Broyden's update finds: after a step, they change by the least that gives the observed change of the forces.
 *
 * The search starts from the angles of the previous evaluation, extrapolated by their rates, and from its slopes, which
 * are modes of the run (VD_M_COMPLIANCE) as those of the load loop are (load_loop.h). The last step is made along the
 * slopes, without an evaluation of the tyres, once the step times the error of the slopes, which the last update
 * showed, is below vd_turn_tolerance. Smooth driving takes two evaluations, or one if the state is close to that of the
 * previous search, as at the end of a step. */
enum vd_turn_force { VD_TURN_FX, VD_TURN_FY, VD_TURN_MX, VD_TURN_MY, VD_TURN_MZ };

typedef struct vd_turns {
  vd_wide steer, camber; /* rad */
} vd_turns;

typedef struct vd_compliance_search {
  const vd_load_compliance *compliance;
  bool joined;
  vd_wide vx, vy, camber;        /* m/s, m/s, rad: contacts with rigid bushings */
  vd_wide brake, locked, radius; /* N m, -, m: torque of the knuckle's brake = brake + locked (my - radius fx) */
  vd_turns at, step;             /* present angles; step from the previous angles to these, or to the next */
  vd_wide sine, cosine;          /* of at.steer */
  vd_wide force[VD_TURN_FORCES], slope[VD_TURN_ANGLES][VD_TURN_FORCES];
  vd_wide error, seen; /* estimated error of d(g(F))/dd, and the error that updates showed; seen 0: no update yet */
} vd_compliance_search;

static const double vd_turn_tolerance = 1e-13; /* rad */
static const double vd_turn_last_step = 1e-7;  /* rad, greatest step along the slopes */

/* Adds the angles by which forces on the wheels, or on the other wheels of their axles, turn the wheels. base: N m, the
 * part of the brake torque that does not depend on these forces. */
VD_INLINE void vd_add_turns(const vd_compliance_search *y, bool other, const vd_wide *force, vd_wide base,
                            vd_turns *sum) {
  const vd_wide load[VD_COMPLIANCE_LOADS] = {
      [VD_COMPLIANCE_FX] = force[VD_TURN_FX],
      [VD_COMPLIANCE_FY] = force[VD_TURN_FY],
      [VD_COMPLIANCE_MZ] = force[VD_TURN_MZ],
      [VD_COMPLIANCE_BRAKE] = base + y->locked * (force[VD_TURN_MY] - y->radius * force[VD_TURN_FX])};
  for (int k = 0; k < VD_COMPLIANCE_LOADS; k++) {
    vd_wide by = other ? vd_wide_swapped(load[k]) : load[k];
    sum->steer += vd_wide_load(y->compliance->steer[other][k]) * by;
    sum->camber += vd_wide_load(y->compliance->camber[other][k]) * by;
  }
}

/* Returns the angles by which forces turn all wheels. */
VD_INLINE vd_turns vd_turns_by(const vd_compliance_search *y, const vd_wide *force, vd_wide base) {
  vd_turns t = {vd_wide_of(0.0), vd_wide_of(0.0)};
  vd_add_turns(y, false, force, base, &t);
  if (y->joined)
    vd_add_turns(y, true, force, base, &t);
  return t;
}

/* Computes the change of the forces along the slopes. */
VD_INLINE void vd_along_slopes(const vd_compliance_search *y, vd_turns by, vd_wide *change) {
  for (int k = 0; k < VD_TURN_FORCES; k++)
    change[k] = y->slope[0][k] * by.steer + y->slope[1][k] * by.camber;
}

VD_INLINE void vd_start_search(const vd_work *w, vd_load_compliance *own, vd_compliance_search *y) {
  const vd_ride *ride = &w->m->ride;
  const vd_eval *e = w->e;
  const double *kept = w->mode + VD_M_COMPLIANCE, *rate = w->mode + VD_M_COMPLIANCE_RATE;
  const double since = w->c->t - w->mode[VD_M_COMPLIANCE_TIME];
  vd_wide none = vd_wide_of(0.0), modes = vd_wide_load(w->mode), drive = vd_wide_load(e->drive.drive_torque);
  vd_wide outboard = {!ride->inboard[VD_FL], !ride->inboard[VD_FR], !ride->inboard[VD_RL], !ride->inboard[VD_RR]};
  y->compliance = vd_find_load_compliance(w, own);
  y->joined = ride->link.joined;
  y->step.steer = y->step.camber = none;
  y->vx = vd_wide_load(e->contact.vx_contact);
  y->vy = vd_wide_load(e->contact.vy_contact);
  y->camber = vd_wide_load(e->contact.camber);
  y->locked = vd_wide_select(modes == 0.0, outboard, none);
  y->radius = vd_wide_load(w->m->lanes.radius);
  y->brake = outboard *
             vd_wide_select(modes == 0.0, w->m->coupled ? none : drive, modes * vd_wide_load(e->drive.brake_capacity));
  y->at.steer = vd_wide_load(kept) + since * vd_wide_load(rate);
  y->at.camber = vd_wide_load(kept + VD_WHEELS) + since * vd_wide_load(rate + VD_WHEELS);
  y->error = vd_wide_load(w->mode + VD_M_COMPLIANCE_ERROR);
  y->error = vd_wide_select(y->error > 0.0, y->error, vd_wide_of(1.0));
  y->seen = none;
  for (int k = 0; k < VD_TURN_ANGLES * VD_TURN_FORCES; k++)
    y->slope[k / VD_TURN_FORCES][k % VD_TURN_FORCES] = vd_wide_load(w->mode + VD_M_COMPLIANCE_SLOPE + k * VD_WHEELS);
}

/* Computes the contact velocities and cambers of the wheels after turning by the present angles. */
VD_INLINE void vd_turn_contacts(const vd_compliance_search *y, vd_eval *restrict e) {
  vd_wide_store(y->cosine * y->vx + y->sine * y->vy, e->contact.vx_contact);
  vd_wide_store(y->cosine * y->vy - y->sine * y->vx, e->contact.vy_contact);
  vd_wide_store(y->camber + y->at.camber, e->contact.camber);
}

/* Stores the forces at the present angles and, after a step, updates the slopes. */
VD_INLINE void vd_take_forces(const vd_eval *e, bool stepped, vd_compliance_search *y) {
  const double least = 1e-12; /* rad: the change of the forces by a shorter step is lost in their rounding */
  const vd_wide now[VD_TURN_FORCES] = {vd_wide_load(e->tyre.fx), vd_wide_load(e->tyre.fy), vd_wide_load(e->tyre.mx),
                                       vd_wide_load(e->tyre.my), vd_wide_load(e->tyre.mz)};
  vd_wide change[VD_TURN_FORCES], none = vd_wide_of(0.0);
  if (stepped) {
    vd_wide square = y->step.steer * y->step.steer + y->step.camber * y->step.camber;
    vd_wide inverse = vd_wide_select(square > least * least, 1.0 / square, none);
    vd_along_slopes(y, y->step, change);
    for (int k = 0; k < VD_TURN_FORCES; k++) {
      change[k] = now[k] - y->force[k] - change[k];
      y->slope[0][k] += change[k] * y->step.steer * inverse;
      y->slope[1][k] += change[k] * y->step.camber * inverse;
    }
    vd_turns missed = vd_turns_by(y, change, none);
    y->seen = vd_wide_max((vd_wide_abs(missed.steer) + vd_wide_abs(missed.camber)) * vd_wide_sqrt(inverse), y->seen);
  }
  for (int k = 0; k < VD_TURN_FORCES; k++)
    y->force[k] = now[k];
}

/* Computes Newton's step from the forces at the present angles. If its matrix is nearly singular, as for a wheel whose
 * slopes are not yet known well, the step goes to g(F(d)). Each of two joined wheels also turns by the step of the
 * other. */
VD_INLINE void vd_next_step(vd_compliance_search *y) {
  enum { SWEEPS = 8 };
  const double least = 0.1;
  const vd_wide none = vd_wide_of(0.0), one = vd_wide_of(1.0);
  vd_turns goal = vd_turns_by(y, y->force, y->brake), by[VD_TURN_ANGLES] = {{none, none}, {none, none}};
  for (int j = 0; j < VD_TURN_ANGLES; j++)
    vd_add_turns(y, false, y->slope[j], none, &by[j]);
  vd_wide a = 1.0 - by[0].steer, b = by[1].steer, c = by[0].camber, d = 1.0 - by[1].camber, det = a * d - b * c;
  vd_wide_mask sound = det > least;
  vd_wide inverse = 1.0 / vd_wide_select(sound, det, one);
  a = vd_wide_select(sound, a * inverse, one);
  b = vd_wide_select(sound, b * inverse, none);
  c = vd_wide_select(sound, c * inverse, none);
  d = vd_wide_select(sound, d * inverse, one);
  vd_turns miss = {goal.steer - y->at.steer, goal.camber - y->at.camber};
  y->step = (vd_turns){d * miss.steer + b * miss.camber, a * miss.camber + c * miss.steer};
  for (int sweep = 1; y->joined && sweep < SWEEPS; sweep++) {
    vd_wide change[VD_TURN_FORCES];
    vd_turns rest = miss;
    vd_along_slopes(y, y->step, change);
    vd_add_turns(y, true, change, none, &rest);
    y->step = (vd_turns){d * rest.steer + b * rest.camber, a * rest.camber + c * rest.steer};
  }
}

/* True if the step may be made along the slopes. Bristles, whose rates depend on the angles, too, do not follow such a
 * step. */
VD_INLINE bool vd_is_last_step(const vd_compliance_search *y, bool bristles) {
  vd_wide step = vd_wide_abs(y->step.steer) + vd_wide_abs(y->step.camber);
  vd_wide error = bristles ? vd_wide_of(1.0) : vd_wide_select(y->seen > 0.0, y->seen, y->error);
  vd_wide near = vd_wide_select(step < vd_turn_last_step, step * error, vd_wide_of(1.0));
  return !vd_wide_any(vd_wide_select(near < vd_turn_tolerance, vd_wide_of(0.0), vd_wide_of(1.0)));
}

/* Makes the last step of the forces, and stores angles, slopes and the error of the slopes for the next evaluation. If
 * no update has shown the error, it is taken as greater than before. */
VD_INLINE void vd_make_last_step(vd_compliance_search *y, vd_eval *restrict e) {
  const double ageing = 1.5, least = 1e-9;
  double *const to[VD_TURN_FORCES] = {e->tyre.fx, e->tyre.fy, e->tyre.mx, e->tyre.my, e->tyre.mz};
  vd_wide change[VD_TURN_FORCES];
  vd_along_slopes(y, y->step, change);
  vd_wide sine = y->sine + y->step.steer * y->cosine; /* exact to first order in the step */
  y->cosine -= y->step.steer * y->sine;
  y->sine = sine;
  for (int k = 0; k < VD_TURN_FORCES; k++) {
    vd_wide_store(y->force[k] + change[k], to[k]);
    vd_wide_store(y->slope[0][k], e->suspension.compliance_slope + k * VD_WHEELS);
    vd_wide_store(y->slope[1][k], e->suspension.compliance_slope + (VD_TURN_FORCES + k) * VD_WHEELS);
  }
  vd_wide error = vd_wide_select(y->seen > 0.0, y->seen, ageing * y->error);
  vd_wide_store(vd_wide_clamp(error, vd_wide_of(least), vd_wide_of(1.0)),
                e->suspension.compliance_slope + (VD_M_COMPLIANCE_ERROR - VD_M_COMPLIANCE_SLOPE));
  vd_wide_store(y->at.steer, e->suspension.compliance_steer);
  vd_wide_store(y->at.camber, e->suspension.compliance_camber);
}

/* Turns the tyres' axes by the angles about the road's normal. */
VD_INLINE void vd_turn_axes(vd_wide c, vd_wide s, vd_contacts *k) {
  vd_wide3 ahead = k->ahead, aside = k->aside;
  k->ahead = (vd_wide3){c * ahead.x + s * aside.x, c * ahead.y + s * aside.y, c * ahead.z + s * aside.z};
  k->aside = (vd_wide3){c * aside.x - s * ahead.x, c * aside.y - s * ahead.y, c * aside.z - s * ahead.z};
}

/* Finds tyre forces and compliance angles. The discs stay at the places of rigid bushings; only the tyres' axes turn
 * about the road's normal, and the camber changes. Therefore the work of the forces does not change, and the ledger
 * needs no further term. Returns false if they are not found. Reads and writes as vd_slips and vd_wheel_tyre_forces;
 * writes axes of the contacts, compliance angles and slopes, contact velocities and cambers of e. */
VD_INLINE bool vd_compliant_tyre_forces(vd_work *w) {
  enum { ROUNDS = 200 };
  const bool bristles = w->m->transient && w->m->lanes.row.bristles;
  vd_load_compliance own;
  vd_compliance_search y;
  bool found = false;
  int round = 0;
  vd_start_search(w, &own, &y);
  for (; round < ROUNDS && !found; round++) {
    y.sine = vd_wide_sin(y.at.steer);
    y.cosine = vd_wide_sin(vd_wide_complement(y.at.steer));
    vd_turn_contacts(&y, w->e);
    vd_slips(w);
    vd_forces_at_slips(w);
    vd_take_forces(w->e, round > 0, &y);
    vd_next_step(&y);
    found = vd_is_last_step(&y, bristles);
    y.at.steer += y.step.steer;
    y.at.camber += y.step.camber;
  }
  vd_make_last_step(&y, w->e);
  w->e->suspension.compliance_rounds = round;
  if (!bristles) {
    vd_turn_contacts(&y, w->e);
    vd_slips(w);
  }
  if (w->m->lengths_by_load)
    vd_lane_rates_at_loads(VD_WHEELS, w->m, w->x, w->e);
  vd_turn_axes(y.cosine, y.sine, &w->contact);
  return found;
}

#endif
