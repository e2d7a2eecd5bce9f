#include "kc/elastic_fit.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double left_out = 3e-5 * VD_PI / 180.0; /* rad and m, rms, of the terms that a map does without */

enum { LEAST_SAMPLES = 40, SURVEYED = 180, CHECKS = 256 };

/* --- samples --- */

/* Horizontal heading of a wheel and its left, from its outward axle. */
static void heading(const double *axle, double *ahead, double *aside) {
  double flat = 1.0 / sqrt(axle[0] * axle[0] + axle[1] * axle[1]);
  ahead[0] = flat * axle[1];
  ahead[1] = -flat * axle[0];
  aside[0] = flat * axle[0];
  aside[1] = flat * axle[1];
  ahead[2] = aside[2] = 0.0;
}

/* Gibbs' vector of the turn between two poses: with trace R = 4/q - 1, R - R' = 2 [g x]/q. */
static void turn_between(const vd_pose *from, const vd_pose *to, double *g) {
  double turn[3][3], trace = 1.0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      turn[i][j] = vd_dot(to->turn[i], from->turn[j]);
  for (int i = 0; i < 3; i++)
    trace += turn[i][i];
  for (int i = 0; i < 3; i++)
    g[i] = 2.0 * (turn[(i + 2) % 3][(i + 1) % 3] - turn[(i + 1) % 3][(i + 2) % 3]) / trace;
}

static void turned(const vd_pose *pose, const double *v, double *out) {
  for (int i = 0; i < 3; i++)
    out[i] = vd_dot(pose->turn[i], v);
}

/* Force and moment on the knuckle about the wheel centre; a wheel that rolls leaves the moment about its axle to the
 * brake. */
static void wrench_of(const vd_wheel_load *load, const vd_compliance_state *state, const double *axle, double *force,
                      double *moment) {
  const double road[3] = {load->fx, load->fy, load->fz};
  vd_cross(state->contact, road, moment);
  moment[2] += load->mz;
  double held = load->torque - (load->rolls ? vd_dot(moment, axle) : 0.0);
  for (int i = 0; i < 3; i++) {
    force[i] = road[i] + load->centre[i];
    moment[i] += held * axle[i];
  }
}

bool vd_elastic_sample_at(const vd_elastic_map *map, vd_compliance *c, const vd_linkage *l, const vd_pose *rigid,
                          const vd_wheel_load *load, vd_compliance_state *state, vd_elastic_sample *sample) {
  double ahead[3], aside[3], axle[3], force[3], moment[3], shift[3], g[3], across[3];
  const double *unit = map->unit;
  if (!vd_compliance_solve(c, rigid->u, load, state))
    return false;
  turned(rigid, l->spin_axis, axle);
  heading(axle, ahead, aside);
  vd_between(rigid->at, state->pose.at, shift);
  turn_between(rigid, &state->pose, g);
  turned(&state->pose, l->spin_axis, axle);
  wrench_of(load, state, axle, force, moment);
  vd_cross(g, moment, across);
  double q = 1.0 + 0.25 * vd_dot(g, g), side = vd_dot(force, aside), lean = vd_dot(g, ahead);
  for (int i = 0; i < 3; i++)
    moment[i] = (moment[i] - 0.5 * across[i]) / q;
  const double acts[VD_ELASTIC_LOADS] = {vd_dot(force, ahead), side, vd_dot(moment, ahead) - map->arm * side,
                                         vd_dot(moment, aside), moment[2]};
  const double moves[VD_ELASTIC_LOADS] = {vd_dot(shift, ahead), vd_dot(shift, aside) + map->arm * lean, lean,
                                          vd_dot(g, aside), g[2]};
  sample->energy = -state->energy;
  for (int j = 0; j < VD_ELASTIC_LOADS; j++) {
    sample->load[j] = acts[j] / unit[j];
    sample->slope[j] = unit[j] * moves[j];
    sample->energy += sample->load[j] * sample->slope[j];
  }
  return true;
}

/* Points that fill the unit ball evenly: multiples of the powers of 1/r, r^6 = r + 1, modulo 1 (Roberts 2018), those in
 * the ball. */
static void next_point(long *index, double *x) {
  static const double share[VD_ELASTIC_LOADS] = {0.8812714616335696, 0.7766393890897682, 0.6844301295853426,
                                                 0.6031687406857282, 0.5315553977157913};
  double square;
  do {
    ++*index;
    square = 0.0;
    for (int j = 0; j < VD_ELASTIC_LOADS; j++) {
      double at = (double)*index * share[j];
      x[j] = 2.0 * (at - floor(at)) - 1.0;
      square += x[j] * x[j];
    }
  } while (square > 1.0);
}

/* Every second point goes out to the sphere: without points there the fit's errors are largest at the edge. */
static void next_sample(long *index, int i, double *x) {
  double square = 0.0;
  next_point(index, x);
  for (int j = 0; j < VD_ELASTIC_LOADS; j++)
    square += x[j] * x[j];
  for (int j = 0; i % 2 == 1 && j < VD_ELASTIC_LOADS; j++)
    x[j] /= sqrt(square);
}

/* What brings about these loads, but for what the displacement changes: forces of the road at the contact, of a shaft
 * at the wheel centre, the brake's torque. */
static vd_wheel_load load_of(const vd_elastic_map *map, const double *x, const double *axle) {
  double ahead[3], aside[3], contact = map->unit[1] * x[1] + map->unit[2] * x[2] / map->arm;
  heading(axle, ahead, aside);
  vd_wheel_load load = {.fx = contact * aside[0],
                        .fy = contact * aside[1],
                        .mz = map->unit[4] * x[4],
                        .torque = map->unit[3] * x[3],
                        .rolls = true};
  double centre = map->unit[1] * x[1] - contact;
  for (int i = 0; i < 2; i++)
    load.centre[i] = map->unit[0] * x[0] * ahead[i] + centre * aside[i];
  return load;
}

/* A corner on its bushings and the same one without: whose energy is that of its spring. */
typedef struct source {
  const vd_linkage_map *map;
  vd_linkage linkage;
  vd_compliance *elastic, *rigid;
  vd_elastic_map *out;
} source;

/* `count` samples at a travel and rack, from the index on. */
static bool take(const source *s, const double *u, long *index, int count, vd_elastic_sample *sample) {
  static const vd_wheel_load none;
  vd_compliance_state state, bare;
  vd_pose rigid;
  double axle[3];
  vd_linkage_start(&s->linkage, &rigid);
  if (vd_linkage_move(&s->linkage, u, &rigid) != VD_LINKAGE_OK)
    return false;
  bare.pose = state.pose = rigid;
  if (!vd_compliance_solve(s->rigid, u, &none, &bare))
    return false;
  turned(&rigid, s->linkage.spin_axis, axle);
  for (int i = 0; i < count; i++) {
    double x[VD_ELASTIC_LOADS];
    next_sample(index, i, x);
    const vd_wheel_load load = load_of(s->out, x, axle);
    if (!vd_elastic_sample_at(s->out, s->elastic, &s->linkage, &rigid, &load, &state, &sample[i]))
      return false;
    sample[i].energy += bare.energy;
  }
  return true;
}

/* --- the map --- */

/* The terms that are needed at the design position, or nearest to it, and at the ends of travel and rack. NULL: no
 * equilibrium. */
static const vd_elastic_tree *choose_terms(const source *s, vd_arena *arena, vd_elastic_lost *lost) {
  const vd_axis *travel = &s->out->travel, *rack = &s->out->rack;
  static const int third[] = {1, 0, 2};
  int places = rack->cells ? 9 : 3;
  vd_elastic_sample *sample = vd_allocate((size_t)(places * SURVEYED), sizeof *sample);
  vd_elastic_tree *tree = vd_arena_alloc(arena, sizeof *tree);
  bool found = true;
  for (int p = 0; found && p < places; p++) {
    const double u[VD_INPUTS] = {travel->from + 0.5 * third[p % 3] * travel->cells * travel->step,
                                 rack->from + 0.5 * third[p / 3] * rack->cells * rack->step};
    long index = 0;
    *lost = (vd_elastic_lost){u[0], u[1]};
    found = take(s, u, &index, SURVEYED, sample + p * SURVEYED);
  }
  if (found)
    vd_elastic_choose(s->out->unit, sample, SURVEYED, places, left_out, tree);
  free(sample);
  return found ? tree : NULL;
}

/* Coefficients of the nodes, [travel.cells + 1][rack.cells + 1][tree->nodes]; NULL: no equilibrium. */
static double *survey(const source *s, vd_elastic_lost *lost) {
  const vd_axis *travel = &s->out->travel, *rack = &s->out->rack;
  size_t columns = (size_t)rack->cells + 1, nodes = ((size_t)travel->cells + 1) * columns;
  size_t width = (size_t)s->out->tree->nodes;
  int terms = s->out->tree->nodes; /* a sample has 6 equations; a steered map has many nodes */
  int samples = rack->cells ? terms : 2 * terms;
  samples = samples > LEAST_SAMPLES ? samples : LEAST_SAMPLES;
  double *value = vd_allocate(nodes * width, sizeof *value);
  vd_elastic_sample *sample = vd_allocate((size_t)samples, sizeof *sample);
  vd_elastic_normal *n = vd_allocate(1, sizeof *n);
  bool found = true;
  for (size_t i = 0; found && i < nodes; i++) {
    const double u[VD_INPUTS] = {vd_axis_node(travel, (int)(i / columns)),
                                 rack->cells ? vd_axis_node(rack, (int)(i % columns)) : 0.0};
    long index = 0;
    *lost = (vd_elastic_lost){u[0], u[1]};
    found = take(s, u, &index, samples, sample);
    if (found)
      vd_elastic_solve(s->out->tree, s->out->unit, sample, samples, n, value + i * width);
  }
  free(sample);
  free(n);
  if (found)
    return value;
  free(value);
  return NULL;
}

void vd_elastic_sample_of(const vd_elastic_map *map, double travel, double rack, vd_elastic_sample *sample) {
  vd_elastic_terms_at c;
  vd_elastic_map_at(map, travel, rack, &c);
  vd_elastic_sum(map->tree, c.value, sample);
}

/* The largest error of a turn, rad, at loads, travels and racks between those of the fit. */
static double find_error(const source *s) {
  const vd_elastic_map *map = s->out;
  double worst = 0.0;
  long index = SURVEYED * 64;
  for (int k = 0; k < CHECKS; k++) {
    double place[VD_ELASTIC_LOADS], u[VD_INPUTS] = {0.0};
    vd_elastic_sample truth, own;
    next_point(&index, place);
    u[0] = map->travel.from + 0.5 * (1.0 + place[0]) * map->travel.cells * map->travel.step;
    if (map->rack.cells)
      u[1] = map->rack.from + 0.5 * (1.0 + place[1]) * map->rack.cells * map->rack.step;
    if (!take(s, u, &index, 1, &truth))
      return INFINITY;
    own = truth;
    vd_elastic_sample_of(map, u[0], u[1], &own);
    for (int j = 2; j < VD_ELASTIC_LOADS; j++)
      worst = vd_max(worst, fabs(own.slope[j] - truth.slope[j]) / map->unit[j]);
  }
  return worst;
}

const vd_elastic_map *vd_elastic_map_create(const vd_corner *corner, const vd_linkage_map *map, double force,
                                            vd_arena *arena, vd_elastic_lost *lost) {
  vd_elastic_map *out = vd_arena_alloc(arena, sizeof *out);
  double arm = map->linkage->points.static_radius;
  *out = (vd_elastic_map){.travel = vd_axis_coarse(&map->travel, VD_ELASTIC_TRAVEL_STEP),
                          .unit = {force, force, VD_ELASTIC_REST * force, force * arm, VD_ELASTIC_TWIST * force},
                          .arm = arm};
  if (map->rack.cells)
    out->rack = vd_axis_coarse(&map->rack, VD_ELASTIC_RACK_STEP);
  source s = {.map = map, .linkage = *map->linkage, .out = out};
  s.elastic = vd_compliance_create(corner, &s.linkage, VD_HOLD_CENTRE);
  s.rigid = vd_compliance_create_rigid(corner, &s.linkage, VD_HOLD_CENTRE);
  out->tree = choose_terms(&s, arena, lost);
  double *value = out->tree ? survey(&s, lost) : NULL;
  if (value) {
    out->surface = vd_elastic_surface(out, value, arena);
    out->part[0] = (vd_elastic_part){0, out->tree->nodes};
    out->part[1] = (vd_elastic_part){out->tree->nodes, out->tree->nodes};
    out->error = find_error(&s);
  }
  free(value);
  vd_compliance_destroy(s.elastic);
  vd_compliance_destroy(s.rigid);
  return value ? out : NULL;
}
