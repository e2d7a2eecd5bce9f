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
}

#define COLUMNS(member, k, to)                                                                                         \
  vd_wide_columns(at[0].member + (k), at[1].member + (k), at[2].member + (k), at[3].member + (k), (to) + (k))

/* Coefficients of all wheels, wheel by wheel into lanes: those of W, of its derivatives by travel and by rack. */
VD_INLINE void find_coefficients(const vd_model *m, const double *x, double rack, vd_wide *value, vd_wide *by_travel,
                                 vd_wide *by_rack) {
  vd_elastic_terms_at at[VD_WHEELS];
  for (int i = 0; i < VD_WHEELS; i++) {
    double own = i < 2 ? i % 2 ? -rack : rack : 0.0;
    vd_elastic_map_at(m->ride.elastic_map[i / 2], x[VD_S_TRAVEL + i], own, &at[i]);
  }
  for (int k = 0; k < VD_ELASTIC_KEPT; k += 4) {
    COLUMNS(value, k, value);
    COLUMNS(by_travel, k, by_travel);
    COLUMNS(by_rack, k, by_rack);
  }
}

VD_INLINE void load_units(const vd_model *m, vd_elastic_wheels *w) {
  const vd_elastic_map *front = m->ride.elastic_map[VD_FRONT], *rear = m->ride.elastic_map[VD_REAR];
  w->side = (vd_wide){1.0, -1.0, 1.0, -1.0};
  w->arm = (vd_wide){front->arm, front->arm, rear->arm, rear->arm};
  for (int j = 0; j < VD_ELASTIC_LOADS; j++)
    w->unit[j] = (vd_wide){front->unit[j], front->unit[j], rear->unit[j], rear->unit[j]};
}

/* What a term and one of its children do backwards: see gradient. */
#define FROM_CHILD(j)                                                                                                  \
  sum += child[j] * x[j];                                                                                              \
  s##j += child[j] * term[i]

/* The children are those by the loads from the term's last one on. */
#define FROM_CHILDREN(last, what)                                                                                      \
  what(4);                                                                                                             \
  if (last < 4) {                                                                                                      \
    what(3);                                                                                                           \
    if (last < 3) {                                                                                                    \
      what(2);                                                                                                         \
      if (last < 2) {                                                                                                  \
        what(1);                                                                                                       \
        if (last < 1) {                                                                                                \
          what(0);                                                                                                     \
        }                                                                                                              \
      }                                                                                                                \
    }                                                                                                                  \
  }

/* Horner's rule on the tree, from the leaves on, with the derivatives by the loads (reverse differentiation): b of a
 * term is its coefficient and the sum of the children's b times their loads; the children's b times the term add up to
 * the derivatives. b holds the coefficients before; b[0] is the value. */
VD_INLINE void gradient(const vd_wide *x, const vd_wide *term, vd_wide *b, vd_wide *slope) {
  vd_wide none = {0.0}, s0 = none, s1 = none, s2 = none, s3 = none, s4 = none;
  for (int i = VD_ELASTIC_LOWER - 1; i >= 0; i--) {
    const int last = vd_elastic_terms.load[i];
    const vd_wide *child = b + vd_elastic_terms.child[i] - last;
    vd_wide sum = b[i];
    FROM_CHILDREN(last, FROM_CHILD)
    b[i] = sum;
  }
  slope[0] = s0;
  slope[1] = s1;
  slope[2] = s2;
  slope[3] = s3;
  slope[4] = s4;
}

VD_WIDE void vd_elastic_energies(const vd_model *m, const double *x, double rack, vd_elastic_wheels *w) {
  vd_wide by_travel[VD_ELASTIC_KEPT], by_rack[VD_ELASTIC_KEPT], none = {0.0};
  find_coefficients(m, x, rack, w->reverse, by_travel, by_rack);
  load_units(m, w);
  for (int j = 0; j < VD_ELASTIC_LOADS; j++)
    w->x[j] = vd_wide_load(x + VD_S_BUSHING + j * VD_WHEELS);
  w->term[0] = none + 1.0;
  for (int i = 0; vd_elastic_terms.child[i] < VD_ELASTIC_LOWER; i++)
    for (int j = vd_elastic_terms.load[i], k = vd_elastic_terms.child[i]; j < VD_ELASTIC_LOADS; j++, k++)
      w->term[k] = w->term[i] * w->x[j];
  gradient(w->x, w->term, w->reverse, w->slope[0]);
  gradient(w->x, w->term, by_travel, w->slope[1]);
  gradient(w->x, w->term, by_rack, w->slope[2]);
  w->energy = -w->reverse[0];
  w->force[0] = by_travel[0];
  w->force[1] = by_rack[0];
  for (int j = 0; j < VD_ELASTIC_LOADS; j++) {
    w->energy += w->x[j] * w->slope[0][j];
    w->force[0] -= w->x[j] * w->slope[1][j];
    w->force[1] -= w->x[j] * w->slope[2][j];
    w->slope[2][j] *= w->side; /* of the rack, not of its mirror image */
  }
  w->force[1] *= w->side;
}

#define RATES_FROM_LEAF(j)                                                                                             \
  sum += child[j] * rate[j];                                                                                           \
  s##j += child[j] * term_rate[i]
#define RATES_FROM_CHILD(j)                                                                                            \
  RATES_FROM_LEAF(j);                                                                                                  \
  sum += child_rate[j] * w->x[j];                                                                                      \
  s##j += child_rate[j] * w->term[i]

/* The rates of the gradient, whose sums are of products of b and terms, both of which have rates; leaves have none. */
VD_WIDE void vd_elastic_velocities(const vd_elastic_wheels *w, const vd_wide *rate, vd_wide *velocity) {
  vd_wide none = {0.0}, s0 = none, s1 = none, s2 = none, s3 = none, s4 = none;
  vd_wide term_rate[VD_ELASTIC_LOWER], b_rate[VD_ELASTIC_LOWER];
  const int inner = 21; /* terms whose children are no leaves */
  term_rate[0] = none;
  for (int i = 0; i < inner; i++)
    for (int j = vd_elastic_terms.load[i], k = vd_elastic_terms.child[i]; j < VD_ELASTIC_LOADS; j++, k++)
      term_rate[k] = term_rate[i] * w->x[j] + w->term[i] * rate[j];
  for (int i = VD_ELASTIC_LOWER - 1; i >= inner; i--) {
    const int last = vd_elastic_terms.load[i];
    const vd_wide *child = w->reverse + vd_elastic_terms.child[i] - last;
    vd_wide sum = none;
    FROM_CHILDREN(last, RATES_FROM_LEAF)
    b_rate[i] = sum;
  }
  for (int i = inner - 1; i >= 0; i--) {
    const int last = vd_elastic_terms.load[i], first = vd_elastic_terms.child[i] - last;
    const vd_wide *child = w->reverse + first, *child_rate = b_rate + first;
    vd_wide sum = none;
    FROM_CHILDREN(last, RATES_FROM_CHILD)
    b_rate[i] = sum;
  }
  velocity[0] = s0;
  velocity[1] = s1;
  velocity[2] = s2;
  velocity[3] = s3;
  velocity[4] = s4;
}

double vd_elastic_observe(const vd_model *m, const double *x, const vd_linkage_poses *h, vd_eval *e) {
  vd_elastic_wheels w;
  vd_elastic_energies(m, x, h->rack, &w);
  vd_elastic_poses(h, &w);
  for (int i = 0; i < VD_WHEELS; i++) {
    e->compliance_steer[i] = vd_atan2(-w.at.axle.x[i], w.at.axle.y[i]) - vd_atan2(-h->axle.x[i], h->axle.y[i]);
    e->compliance_camber[i] = vd_asin(w.at.axle.z[i]) - vd_asin(h->axle.z[i]);
  }
  return vd_wide_sum(w.energy);
}
