/* Computes the energies of wheels on bushings, for all four wheels at a time. */
#include "model/elastic.h"

#include "base/elementary.h"
#include "model/model_impl.h"
#include "model/space.h"

#include <math.h>
#include <string.h>

void vd_elastic_build(vd_model *m) {
  vd_ride *ride = &m->ride;
  for (int i = 0; i < VD_WHEELS; i++) {
    ride->inboard[i] = m->vehicle.axle[vd_axle_of(i)].inboard_brakes;
    ride->brakes_inboard |= ride->inboard[i];
    ride->bushing.elastic_map[i] = m->options.compliance == VD_COMPLIANCE_NONLINEAR
                                       ? m->vehicle.axle[vd_axle_of(i)].elastic[vd_is_right(i)]
                                       : NULL;
  }
}

/* Copies numbers of four wheels into lanes. */
VD_INLINE void into_lanes(const double *const *of, int count, vd_wide *lanes) {
  for (int k = 0; k < count; k += 4)
    vd_wide_columns(of[0] + k, of[1] + k, of[2] + k, of[3] + k, lanes + k);
}

/* Coefficients of W in lanes, and their derivatives by the travel, by the second coordinate and, for axles that steer,
 * by the rack. */
enum { VALUE, BY_TRAVEL, BY_SECOND, BY_GEAR, POLYNOMIALS };

/* Finds the coefficients of all wheels. Both wheels of a joined pair have the same W, whose two travels are those of
 * the two wheels. */
VD_INLINE void find_coefficients(const vd_model *m, const double *x, const double *rack,
                                 vd_wide *const lanes[POLYNOMIALS]) {
  static const double none[VD_ELASTIC_NODES];
  vd_elastic_terms_at at[VD_WHEELS];
  const double *of[POLYNOMIALS][VD_WHEELS];
  for (int i = 0; i < VD_WHEELS; i++) {
    const vd_elastic_map *map = m->ride.bushing.elastic_map[i];
    const bool pair = map->loads == VD_ELASTIC_PAIR, second = pair && vd_is_right(i);
    const double *travel = x + VD_S_TRAVEL + i;
    const vd_elastic_terms_at *own = &at[second ? i - 1 : i];
    if (!second)
      vd_elastic_map_at(map, *travel,
                        pair             ? travel[1]
                        : vd_is_right(i) ? -rack[vd_axle_of(i)]
                                         : rack[vd_axle_of(i)],
                        rack[vd_axle_of(i)], &at[i]);
    of[VALUE][i] = own->value;
    of[BY_TRAVEL + second][i] = own->by_travel;
    of[BY_SECOND - second][i] = map->rack.cells ? own->by_rack : none;
    of[BY_GEAR][i] = map->gear.cells > 0 ? own->by_gear : none;
  }
  int nodes = m->ride.bushing.elastic_map[VD_FL]->tree->nodes;
  for (int k = 0; k < POLYNOMIALS && lanes[k]; k++)
    into_lanes(of[k], nodes, lanes[k]);
}

/* Converts the loads of all wheels, or their rates, to the variables of W. These are sums and differences for joined
 * wheels, and the loads themselves for others. */
VD_INLINE void into_sums(const vd_elastic_wheels *w, const vd_wide *own, vd_wide *of) {
  const vd_wide share = w->joined * sqrt(0.5), rest = 1.0 - w->joined;
  for (int j = 0; j < VD_ELASTIC_LOADS; j++) {
    const vd_wide other = vd_wide_swapped(own[j]);
    of[j] = rest * own[j] + share * (own[j] + other);
    of[VD_ELASTIC_LOADS + j] = w->side * share * (own[j] - other);
  }
}

/* Converts slopes by the variables of W to slopes by the wheels' own loads. */
VD_INLINE void out_of_sums(const vd_elastic_wheels *w, vd_wide *slope) {
  const vd_wide share = w->joined * sqrt(0.5), sum = 1.0 - w->joined + share, difference = w->side * share;
  for (int j = 0; j < VD_ELASTIC_LOADS; j++)
    slope[j] = sum * slope[j] + difference * slope[VD_ELASTIC_LOADS + j];
}

VD_INLINE void load_units(const vd_model *m, vd_elastic_wheels *w) {
  const vd_elastic_map *front = m->ride.bushing.elastic_map[VD_FL], *rear = m->ride.bushing.elastic_map[VD_RL];
  w->tree = front->tree;
  w->side = (vd_wide){1.0, -1.0, 1.0, -1.0};
  w->paired = m->ride.link.joined;
  w->joined = vd_wide_load(m->ride.link.is_joined);
  w->arm = (vd_wide){front->arm, front->arm, rear->arm, rear->arm};
  for (int j = 0; j < VD_ELASTIC_LOADS; j++)
    w->unit[j] = (vd_wide){front->unit[j], front->unit[j], rear->unit[j], rear->unit[j]};
}

/* Evaluates three polynomials and their derivatives by the loads, from the leaves of the tree to its root (Horner's
 * rule, reverse differentiation). b of a term is its coefficient plus the sum of its children's b times their loads; a
 * derivative by a load is the sum of b times the parent's term over the terms with this last load. b, by_travel and
 * by_rack contain the coefficients before the call; afterwards their first numbers are the values. */
VD_INLINE void gradients(vd_elastic_wheels *w, vd_wide *restrict by_travel, vd_wide *restrict by_rack) {
  const vd_elastic_tree *t = w->tree;
  const vd_wide *restrict term = w->term;
  vd_wide *restrict b = w->reverse;
  for (int j = 0; j < VD_ELASTIC_PAIR; j++)
    w->slope[0][j] = w->slope[1][j] = w->slope[2][j] = (vd_wide){0.0};
  for (int r = t->runs - 1; r >= 0; r--) {
    const int load = t->run[r].load;
    const vd_wide x = w->of[load];
    vd_wide own = w->slope[0][load], travel = w->slope[1][load], rack = w->slope[2][load];
    for (int i = t->run[r].to - 1; i >= t->run[r].from; i--) {
      const int parent = t->parent[i];
      b[parent] += x * b[i];
      by_travel[parent] += x * by_travel[i];
      by_rack[parent] += x * by_rack[i];
      own += b[i] * term[parent];
      travel += by_travel[i] * term[parent];
      rack += by_rack[i] * term[parent];
    }
    w->slope[0][load] = own;
    w->slope[1][load] = travel;
    w->slope[2][load] = rack;
  }
}

/* Assigns the derivatives by the second coordinate: for joined wheels it is the travel of the other wheel, for single
 * wheels the rack (mirrored for right ones). */
VD_INLINE void split_second(vd_elastic_wheels *w) {
  const vd_wide single = 1.0 - w->joined;
  for (int k = 0; k <= VD_INPUTS; k++)
    out_of_sums(w, w->slope[k]);
  for (int j = 0; j < VD_ELASTIC_LOADS; j++) {
    w->slope[1 + VD_ELASTIC_BY_OTHER][j] = w->joined * w->slope[2][j];
    w->slope[2][j] *= single;
  }
  w->force[1] *= single;
}

/* Adds the derivatives by the rack of an axle that steers, half to each wheel, as in `gradients'. */
VD_INLINE void add_gear(vd_elastic_wheels *w, vd_wide *restrict by_gear) {
  const vd_elastic_tree *t = w->tree;
  vd_wide slope[VD_ELASTIC_PAIR];
  for (int j = 0; j < VD_ELASTIC_PAIR; j++)
    slope[j] = (vd_wide){0.0};
  for (int r = t->runs - 1; r >= 0; r--) {
    const int load = t->run[r].load;
    for (int i = t->run[r].to - 1; i >= t->run[r].from; i--) {
      by_gear[t->parent[i]] += w->of[load] * by_gear[i];
      slope[load] += by_gear[i] * w->term[t->parent[i]];
    }
  }
  vd_wide force = by_gear[0];
  for (int j = 0; j < VD_ELASTIC_PAIR; j++)
    force -= w->of[j] * slope[j];
  w->force[1] += 0.5 * force;
  out_of_sums(w, slope);
  for (int j = 0; j < VD_ELASTIC_LOADS; j++)
    w->slope[2][j] += w->joined * slope[j];
}

/* Computes W of each wheel and its gradient, and from these the energy V and the forces on travel and rack. The first
 * coefficients are the values without loads. */
VD_INLINE void find_energies(vd_elastic_wheels *w, vd_wide *by_travel, vd_wide *by_second) {
  gradients(w, by_travel, by_second);
  w->energy = -w->reverse[0];
  w->force[0] = by_travel[0];
  w->force[1] = by_second[0];
  for (int j = 0; j < (w->paired ? VD_ELASTIC_PAIR : VD_ELASTIC_LOADS); j++) {
    w->energy += w->of[j] * w->slope[0][j];
    w->force[0] -= w->of[j] * w->slope[1][j];
    w->force[1] -= w->of[j] * w->slope[2][j];
  }
  if (w->paired)
    split_second(w);
  w->force[1] *= w->side;
  for (int j = 0; j < VD_ELASTIC_LOADS; j++)
    w->slope[2][j] *= w->side;
}

VD_WIDE void vd_elastic_energies(const vd_model *m, const double *x, const double *rack, vd_elastic_wheels *w) {
  vd_wide by_travel[VD_ELASTIC_NODES], by_second[VD_ELASTIC_NODES], by_gear[VD_ELASTIC_NODES], none = {0.0};
  const bool geared = m->ride.link.kingpins;
  vd_wide *const lanes[POLYNOMIALS] = {w->reverse, by_travel, by_second, geared ? by_gear : NULL};
  find_coefficients(m, x, rack, lanes);
  load_units(m, w);
  for (int j = 0; j < VD_ELASTIC_LOADS; j++)
    w->x[j] = w->of[j] = vd_wide_load(x + VD_S_BUSHING + j * VD_WHEELS);
  if (w->paired)
    into_sums(w, w->x, w->of);
  const vd_elastic_tree *t = w->tree;
  w->term[0] = none + 1.0;
  for (int r = 0; r < t->runs; r++)
    for (int i = t->run[r].from; i < t->run[r].leaves; i++)
      w->term[i] = w->term[t->parent[i]] * w->of[t->run[r].load];
  find_energies(w, by_travel, by_second);
  if (geared)
    add_gear(w, by_gear);
}

/* Computes the rates of the gradient, which is a sum of products of b and terms. Both factors have rates, except b of a
 * leaf. */
VD_WIDE void vd_elastic_velocities(const vd_elastic_wheels *w, const vd_wide *own_rate, vd_wide *velocity) {
  vd_wide term_rate[VD_ELASTIC_NODES], b_rate[VD_ELASTIC_NODES], of_rate[VD_ELASTIC_PAIR], none = {0.0};
  const vd_wide *rate = w->paired ? of_rate : own_rate;
  const vd_elastic_tree *t = w->tree;
  if (w->paired)
    into_sums(w, own_rate, of_rate);
  term_rate[0] = b_rate[0] = none;
  for (int j = 0; j < VD_ELASTIC_PAIR; j++)
    velocity[j] = none;
  for (int r = 0; r < t->runs; r++) {
    const vd_elastic_run *run = &t->run[r];
    const vd_wide x = w->of[run->load], x_rate = rate[run->load];
    for (int i = run->from; i < run->leaves; i++) {
      const int parent = t->parent[i];
      term_rate[i] = term_rate[parent] * x + w->term[parent] * x_rate;
      b_rate[i] = none;
    }
  }
  for (int r = t->runs - 1; r >= 0; r--) {
    const vd_elastic_run *run = &t->run[r];
    const vd_wide x = w->of[run->load], x_rate = rate[run->load];
    vd_wide sum = velocity[run->load];
    for (int i = run->to - 1; i >= run->leaves; i--) {
      const int parent = t->parent[i];
      const vd_wide b = w->reverse[i];
      b_rate[parent] += b * x_rate;
      sum += b * term_rate[parent];
    }
    for (int i = run->leaves - 1; i >= run->from; i--) {
      const int parent = t->parent[i];
      const vd_wide b = w->reverse[i], own = b_rate[i];
      b_rate[parent] += own * x + b * x_rate;
      sum += own * w->term[parent] + b * term_rate[parent];
    }
    velocity[run->load] = sum;
  }
  if (w->paired)
    out_of_sums(w, velocity);
}

double vd_elastic_observe(const vd_model *m, const vd_linkage_poses *h, vd_eval *e) {
  double(*axle)[VD_WHEELS] = e->suspension.displaced_axle;
  double energy = 0.0;
  for (int i = 0; i < VD_WHEELS; i++) {
    e->suspension.compliance_steer[i] = vd_atan2(-axle[0][i], axle[1][i]) - vd_atan2(-h->axle.x[i], h->axle.y[i]);
    e->suspension.compliance_camber[i] = vd_asin(axle[2][i]) - vd_asin(h->axle.z[i]);
    energy += (m->ride.link.is_joined[i] > 0.0 ? 0.5 : 1.0) * e->suspension.bushing_energy[i];
  }
  memcpy(e->log.wheel, e->suspension.displaced_centre, sizeof e->log.wheel);
  memcpy(e->log.axle, e->suspension.displaced_axle, sizeof e->log.axle);
  return energy;
}
