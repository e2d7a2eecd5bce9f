/* The energies of wheels on bushings, for all four at a time. */
#include "model/elastic.h"

#include "base/elementary.h"
#include "model/model_impl.h"

void vd_elastic_build(vd_model *m) {
  vd_ride *ride = &m->ride;
  for (int i = 0; i < VD_WHEELS; i++) {
    ride->inboard[i] = m->vehicle.axle[i / 2].inboard_brakes;
    ride->brakes_inboard |= ride->inboard[i];
  }
  for (int a = 0; a < VD_AXLES; a++)
    ride->elastic_map[a] = m->options.compliance == VD_YIELDING_NONLINEAR ? m->vehicle.axle[a].elastic : NULL;
  vd_elastic_terms_make(&ride->elastic_terms);
}

/* Coefficients of all wheels, wheel by wheel into lanes. */
typedef struct coefficients {
  vd_wide of[VD_INPUTS][VD_ELASTIC_KEPT]; /* by travel, by rack */
} coefficients;

#define COLUMNS(member, k, to)                                                                                         \
  vd_wide_columns(at[0].member + (k), at[1].member + (k), at[2].member + (k), at[3].member + (k), (to) + (k))

VD_INLINE void find_coefficients(const vd_model *m, const double *x, double rack, vd_elastic_wheels *w,
                                 coefficients *by) {
  vd_elastic_terms_at at[VD_WHEELS];
  for (int i = 0; i < VD_WHEELS; i++) {
    double own = i < 2 ? i % 2 ? -rack : rack : 0.0;
    vd_elastic_map_at(m->ride.elastic_map[i / 2], x[VD_S_TRAVEL + i], own, &at[i]);
  }
  for (int k = 0; k < VD_ELASTIC_KEPT; k += 4) {
    COLUMNS(value, k, w->coefficient);
    COLUMNS(by_travel, k, by->of[0]);
    COLUMNS(by_rack, k, by->of[1]);
  }
}

VD_INLINE void load_units(const vd_model *m, vd_elastic_wheels *w) {
  const vd_elastic_map *front = m->ride.elastic_map[VD_FRONT], *rear = m->ride.elastic_map[VD_REAR];
  w->side = (vd_wide){1.0, -1.0, 1.0, -1.0};
  w->arm = (vd_wide){front->arm, front->arm, rear->arm, rear->arm};
  for (int j = 0; j < VD_ELASTIC_LOADS; j++)
    w->unit[j] = (vd_wide){front->unit[j], front->unit[j], rear->unit[j], rear->unit[j]};
}

VD_WIDE void vd_elastic_energies(const vd_model *m, const double *x, double rack, vd_elastic_wheels *w) {
  const vd_elastic_terms *t = &m->ride.elastic_terms;
  coefficients by;
  vd_wide none = {0.0}, kept = none, slope[VD_INPUTS] = {none, none}, term[VD_ELASTIC_TERMS];
  find_coefficients(m, x, rack, w, &by);
  load_units(m, w);
  for (int j = 0; j < VD_ELASTIC_LOADS; j++) {
    w->x[j] = vd_wide_load(x + VD_S_BUSHING + j * VD_WHEELS);
    w->slope[0][j] = w->slope[1][j] = w->slope[2][j] = none;
  }
  term[0] = none + 1.0;
  for (int i = 1; i < VD_ELASTIC_TERMS; i++)
    term[i] = term[t->down[i]] * w->x[t->load[i]] * t->share[i];
  for (int i = 0; i < VD_ELASTIC_TERMS; i++) {
    kept += w->coefficient[i] * term[i];
    slope[0] += by.of[0][i] * term[i];
    slope[1] += by.of[1][i] * term[i];
  }
  for (int i = 0; i < VD_ELASTIC_LOWER; i++) {
    w->term[i] = term[i];
    for (int j = 0; j < VD_ELASTIC_LOADS; j++) {
      int up = t->up[i][j];
      w->slope[0][j] += w->coefficient[up] * term[i];
      w->slope[1][j] += by.of[0][up] * term[i];
      w->slope[2][j] += by.of[1][up] * term[i];
    }
  }
  w->energy = -kept;
  for (int j = 0; j < VD_ELASTIC_LOADS; j++) {
    w->energy += w->x[j] * w->slope[0][j];
    slope[0] -= w->x[j] * w->slope[1][j];
    slope[1] -= w->x[j] * w->slope[2][j];
    w->slope[2][j] *= w->side; /* of the rack, not of its mirror image */
  }
  w->force[0] = slope[0];
  w->force[1] = w->side * slope[1];
}

/* The gradient's change along the rates: terms change by lower ones times rates. */
VD_WIDE void vd_elastic_velocities(const vd_model *m, const vd_elastic_wheels *w, const vd_wide *rate,
                                   vd_wide *velocity) {
  enum { LOWEST = 21 }; /* terms up to the second degree */
  const vd_elastic_terms *t = &m->ride.elastic_terms;
  vd_wide none = {0.0}, change[VD_ELASTIC_LOWER];
  for (int i = 0; i < VD_ELASTIC_LOWER; i++)
    change[i] = none;
  for (int i = 0; i < LOWEST; i++)
    for (int j = 0; j < VD_ELASTIC_LOADS; j++)
      change[t->up[i][j]] += w->term[i] * rate[j];
  for (int j = 0; j < VD_ELASTIC_LOADS; j++)
    velocity[j] = none;
  for (int i = 1; i < VD_ELASTIC_LOWER; i++)
    for (int j = 0; j < VD_ELASTIC_LOADS; j++)
      velocity[j] += w->coefficient[t->up[i][j]] * change[i];
}

void vd_elastic_observe(const vd_model *m, const double *x, const vd_linkage_poses *h, vd_eval *e) {
  vd_elastic_wheels w;
  vd_elastic_energies(m, x, h->rack, &w);
  vd_elastic_poses(h, &w);
  e->energy_bushing = vd_wide_sum(w.energy);
  for (int i = 0; i < VD_WHEELS; i++) {
    e->compliance_steer[i] = vd_atan2(-w.at.axle.x[i], w.at.axle.y[i]) - vd_atan2(-h->axle.x[i], h->axle.y[i]);
    e->compliance_camber[i] = vd_asin(w.at.axle.z[i]) - vd_asin(h->axle.z[i]);
  }
}
