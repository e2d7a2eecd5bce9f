/* L4 with linear compliance: tyre forces of wheels that steer on their bushings under these forces. */
#ifndef VD_L4_COMPLIANCE_H
#define VD_L4_COMPLIANCE_H

#include "model/tyre_forces.h"

#include <string.h>

/* Sets the compliance of wheel i from that of both wheels of its axle by loads on both. */
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

/* Finds the compliance of the wheels: for single wheels, and for a car in the design position, constants of `ride'; for
 * joined wheels the values at their travels. */
static inline void vd_find_load_compliance(const vd_work *w, vd_load_compliance *y) {
  *y = w->m->ride.bushing.by_load;
  for (int i = 0; i < VD_WHEELS; i++) {
    const vd_compliance_map *map = w->m->vehicle.axle[vd_axle_of(i)].compliance_map;
    vd_compliance_angle of[2][2];
    if (!map)
      continue;
    vd_compliance_map_at(map, w->x + VD_S_TRAVEL + vd_left_wheel(vd_axle_of(i)), of);
    vd_set_load_compliance((const vd_compliance_angle(*)[2])of, i, y);
  }
}

/* Angles by which the wheels turn on their bushings under the forces of e: linear, without delay. */
static inline void vd_compliance_angles(const vd_work *w, const vd_load_compliance *y, double *steer, double *camber) {
  const vd_ride *ride = &w->m->ride;
  const vd_eval *e = w->e;
  double force[VD_WHEELS][VD_COMPLIANCE_LOADS];
  for (int i = 0; i < VD_WHEELS; i++) {
    const double own[VD_COMPLIANCE_LOADS] = {e->tyre.fx[i], e->tyre.fy[i], e->tyre.mz[i], vd_knuckle_brake(w, i)};
    memcpy(force[i], own, sizeof own);
    steer[i] = camber[i] = 0.0;
  }
  for (int other = 0; other < (ride->link.joined ? 2 : 1); other++)
    for (int i = 0; i < VD_WHEELS; i++)
      for (int k = 0; k < VD_COMPLIANCE_LOADS; k++) {
        steer[i] += y->steer[other][k][i] * force[i ^ other][k];
        camber[i] += y->camber[other][k][i] * force[i ^ other][k];
      }
}

/* Search for the angles d = g(d) of wheels that turn under their own forces. */
typedef struct vd_compliance_search {
  vd_load_compliance angle_compliance;
  double vx[VD_WHEELS], vy[VD_WHEELS], camber[VD_WHEELS]; /* m/s, m/s, rad: contacts with rigid bushings */
  double tried[VD_WHEELS], missed[VD_WHEELS];             /* the last angle, and g(d) - d there */
} vd_compliance_search;

/* Contact velocities and cambers of the wheels after turning by the present angles. */
static inline void vd_turn_contacts(const vd_compliance_search *y, vd_eval *restrict e) {
  for (int i = 0; i < VD_WHEELS; i++) {
    double d = e->suspension.compliance_steer[i], c = vd_lane_cos(d), s = vd_lane_sin(d);
    e->contact.vx_contact[i] = c * y->vx[i] + s * y->vy[i];
    e->contact.vy_contact[i] = c * y->vy[i] - s * y->vx[i];
    e->contact.camber[i] = y->camber[i] + e->suspension.compliance_camber[i];
  }
}

/* Computes the next angles by the secant method from the forces at the present angles. Returns the greatest |g(d) - d|
 * of the present ones, rad. */
static inline double vd_next_angles(const vd_work *w, bool first, vd_compliance_search *y) {
  vd_eval *restrict e = w->e;
  double steer[VD_WHEELS], camber[VD_WHEELS], worst = 0.0;
  vd_compliance_angles(w, &y->angle_compliance, steer, camber);
  for (int i = 0; i < VD_WHEELS; i++) {
    double at = e->suspension.compliance_steer[i], miss = steer[i] - at, step = at - y->tried[i];
    double slope = !first && step != 0.0 ? (miss - y->missed[i]) / step : -1.0;
    worst = vd_fast_max(fabs(miss) + fabs(camber[i] - e->suspension.compliance_camber[i]), worst);
    y->tried[i] = at;
    y->missed[i] = miss;
    e->suspension.compliance_steer[i] = at - miss / (slope < -0.1 ? slope : -1.0);
    e->suspension.compliance_camber[i] = camber[i];
  }
  return worst;
}

/* Turns the tyres' axes by the angles about the road's normal. */
VD_INLINE void vd_turn_axes(const double *angle, vd_contacts *k) {
  double cosine[VD_WHEELS], sine[VD_WHEELS];
  for (int i = 0; i < VD_WHEELS; i++) {
    cosine[i] = vd_lane_cos(angle[i]);
    sine[i] = vd_lane_sin(angle[i]);
  }
  vd_wide c = vd_wide_load(cosine), s = vd_wide_load(sine);
  vd_wide3 ahead = k->ahead, aside = k->aside;
  k->ahead = (vd_wide3){c * ahead.x + s * aside.x, c * ahead.y + s * aside.y, c * ahead.z + s * aside.z};
  k->aside = (vd_wide3){c * aside.x - s * ahead.x, c * aside.y - s * ahead.y, c * aside.z - s * ahead.z};
}

/* Finds tyre forces and compliance angles. The discs stay at the places of rigid bushings; only the tyres' axes turn
 * about the road's normal, and the camber changes. Therefore the work of the forces does not change, and the ledger
 * needs no further term. The search for each wheel's angle begins at zero. False: not found. Reads and writes as
 * vd_slips and vd_wheel_tyre_forces; writes axes of the contacts, compliance angles, contact velocities and cambers of
 * e. */
VD_INLINE bool vd_compliant_tyre_forces(vd_work *w) {
  enum { ROUNDS = 200 };       /* most searches take under ten; near its peak of side force a wheel converges slowly */
  const double enough = 1e-13; /* rad */
  vd_compliance_search y = {.tried = {0.0}};
  vd_eval *e = w->e;
  double worst = INFINITY;
  vd_find_load_compliance(w, &y.angle_compliance);
  memcpy(y.vx, e->contact.vx_contact, sizeof y.vx);
  memcpy(y.vy, e->contact.vy_contact, sizeof y.vy);
  memcpy(y.camber, e->contact.camber, sizeof y.camber);
  for (int i = 0; i < VD_WHEELS; i++)
    e->suspension.compliance_steer[i] = e->suspension.compliance_camber[i] = 0.0;
  for (int round = 0; round < ROUNDS && !(worst < enough); round++) {
    vd_turn_contacts(&y, e);
    vd_slips(w);
    vd_wheel_tyre_forces(w);
    worst = vd_next_angles(w, round == 0, &y);
  }
  memcpy(e->suspension.compliance_steer, y.tried, sizeof y.tried);
  vd_turn_axes(y.tried, &w->contact);
  return worst < enough;
}

#endif
