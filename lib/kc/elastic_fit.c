#include "kc/elastic_fit.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/vec.h"
#include "math/lu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double left_out = 2.5e-5 * VD_PI / 180.0; /* rad and m, rms, of the terms that a map does without */

static const double smooth = 2e-3 * VD_PI / 180.0; /* rad, what polynomials over travel and rack may miss */

enum { LEAST_SAMPLES = 24, SURVEYED = 36, CHECKS = 128, TAIL_LOADS = 12, MOST_SITES = 33 };
enum { FIRST_TRAVELS = 7, FIRST_RACKS = 9 }; /* sites */

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

/* A vector's parts along the heading's axes. */
static void in_heading(const double *ahead, const double *aside, const double *v, double *part) {
  part[0] = vd_dot(v, ahead);
  part[1] = vd_dot(v, aside);
  part[2] = v[2];
}

/* A knuckle's displacement and what acts on it, and changes of both, all in the heading's axes. */
typedef struct motion {
  double shift[3], gibbs[3], force[3], moment[3];
} motion;

/* The map's loads and the slopes of its energy, linear in a force, in P, a shift and g. */
static void loads_of(const vd_elastic_map *map, const motion *m, double *load, double *slope) {
  const double *f = m->force, *p = m->moment, *s = m->shift, *g = m->gibbs, arm = map->arm;
  const double acts[VD_ELASTIC_LOADS] = {f[0], f[1], p[0] - arm * f[1], p[1], p[2]};
  const double moves[VD_ELASTIC_LOADS] = {s[0], s[1] + arm * g[0], g[0], g[1], g[2]};
  for (int j = 0; j < VD_ELASTIC_LOADS; j++) {
    load[j] = acts[j] / map->unit[j];
    slope[j] = map->unit[j] * moves[j];
  }
}

/* M becomes P = (M - g x M/2)/q. */
static void moment_to_p(motion *m) {
  double across[3], q = 1.0 + 0.25 * vd_dot(m->gibbs, m->gibbs);
  vd_cross(m->gibbs, m->moment, across);
  for (int i = 0; i < 3; i++)
    m->moment[i] = (m->moment[i] - 0.5 * across[i]) / q;
}

/* Of a small motion d from m, whose `gibbs' is a turn w of the knuckle, rad, those of g and P:
 *
 *   g' = w - g x w/2 + (g . w) g/4,   P' = (M' - (g' x M + g x M')/2 - (g . g') P/2)/q */
static void turn_to_gibbs(const motion *m, motion *d) {
  const double *g = m->gibbs, q = 1.0 + 0.25 * vd_dot(g, g), along = 0.25 * vd_dot(g, d->gibbs);
  double across[3], by_g[3], by_m[3];
  motion p = *m;
  moment_to_p(&p);
  vd_cross(g, d->gibbs, across);
  for (int i = 0; i < 3; i++)
    d->gibbs[i] += along * g[i] - 0.5 * across[i];
  vd_cross(d->gibbs, m->moment, by_g);
  vd_cross(g, d->moment, by_m);
  double grows = 0.5 * vd_dot(g, d->gibbs);
  for (int i = 0; i < 3; i++)
    d->moment[i] = (d->moment[i] - 0.5 * (by_g[i] + by_m[i]) - grows * p.moment[i]) / q;
}

/* W_xx = (d slope)(d load)^-1 over small motions by five further forces and moments. */
static void find_bends(const vd_elastic_map *map, const vd_compliance_state *state, double axes[2][3],
                       double by_turn[3][3], const motion *m, vd_elastic_sample *sample) {
  enum { N = VD_ELASTIC_LOADS };
  double by_load[N * N], right[N][N]; /* [load of the map][further one], [slope][further one] */
  size_t order[N];
  for (int k = 0; k < N; k++) {
    double push[6] = {0.0}, move[6], moment[3], load[N], slope[N];
    motion d;
    for (int i = 0; i < 3; i++)
      push[k < 2 ? i : 3 + i] = k < 2 ? axes[k][i] : map->arm * (i == k - 2);
    for (int i = 0; i < 6; i++)
      move[i] = vd_dot(state->flexibility[i], push) + vd_dot(state->flexibility[i] + 3, push + 3);
    for (int i = 0; i < 3; i++)
      moment[i] = push[3 + i] + move[3] * by_turn[0][i] + move[4] * by_turn[1][i] + move[5] * by_turn[2][i];
    in_heading(axes[0], axes[1], move, d.shift);
    in_heading(axes[0], axes[1], move + 3, d.gibbs);
    in_heading(axes[0], axes[1], push, d.force);
    in_heading(axes[0], axes[1], moment, d.moment);
    turn_to_gibbs(m, &d);
    loads_of(map, &d, load, slope);
    for (int j = 0; j < N; j++) {
      by_load[N * k + j] = load[j]; /* the transposed matrix */
      right[j][k] = slope[j];
    }
  }
  vd_lu_factorise(by_load, N, order);
  for (int j = 0; j < N; j++)
    vd_lu_solve(by_load, order, N, right[j]);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      sample->bend[i][j] = 0.5 * (right[i][j] + right[j][i]);
}

bool vd_elastic_sample_at(const vd_elastic_map *map, vd_compliance *c, const vd_linkage *l, const vd_pose *rigid,
                          const vd_wheel_load *load, vd_compliance_state *state, vd_elastic_sample *sample) {
  double axes[2][3], axle[3], force[3], moment[3], by_turn[3][3], shift[3], g[3];
  motion m;
  if (!vd_compliance_solve(c, rigid->u, load, state))
    return false;
  turned(rigid, l->spin_axis, axle);
  heading(axle, axes[0], axes[1]);
  vd_between(rigid->at, state->pose.at, shift);
  turn_between(rigid, &state->pose, g);
  vd_compliance_wrench(c, 0, force, moment, by_turn);
  in_heading(axes[0], axes[1], shift, m.shift);
  in_heading(axes[0], axes[1], g, m.gibbs);
  in_heading(axes[0], axes[1], force, m.force);
  in_heading(axes[0], axes[1], moment, m.moment);
  find_bends(map, state, axes, by_turn, &m, sample);
  moment_to_p(&m);
  loads_of(map, &m, sample->load, sample->slope);
  sample->energy = -state->energy;
  for (int j = 0; j < VD_ELASTIC_LOADS; j++)
    sample->energy += sample->load[j] * sample->slope[j];
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

/* Three of four points go out to the sphere: the fit's errors are largest at the edge, and second derivatives there
 * reach inwards. */
static void next_sample(long *index, int i, double *x) {
  double square = 0.0;
  next_point(index, x);
  for (int j = 0; j < VD_ELASTIC_LOADS; j++)
    square += x[j] * x[j];
  for (int j = 0; i % 4 > 0 && j < VD_ELASTIC_LOADS; j++)
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

/* -1 .. 1 from end to end */
static double on_axis(const vd_axis *axis, double at) {
  return axis->from + 0.5 * (1.0 + at) * axis->cells * axis->step;
}

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

/* The terms that are needed in the middle of travel and rack and at their ends. NULL: no equilibrium. */
static const vd_elastic_tree *choose_terms(const source *s, vd_arena *arena, vd_elastic_lost *lost) {
  static const double steered[][VD_INPUTS] = {{0.0, 0.0}, {-1.0, -1.0}, {-1.0, 1.0}, {1.0, -1.0}, {1.0, 1.0}};
  static const double straight[][VD_INPUTS] = {{0.0, 0.0}, {-1.0, 0.0}, {1.0, 0.0}};
  const vd_axis *travel = &s->out->travel, *rack = &s->out->rack;
  const double(*at)[VD_INPUTS] = rack->cells ? steered : straight;
  int places = rack->cells ? VD_COUNT(steered) : VD_COUNT(straight);
  vd_elastic_sample *sample = vd_allocate((size_t)(places * SURVEYED), sizeof *sample);
  vd_elastic_tree *tree = vd_arena_alloc(arena, sizeof *tree);
  bool found = true;
  for (int p = 0; found && p < places; p++) {
    const double u[VD_INPUTS] = {on_axis(travel, at[p][0]), on_axis(rack, at[p][1])};
    long index = 0;
    *lost = (vd_elastic_lost){u[0], u[1]};
    found = take(s, u, &index, SURVEYED, sample + p * SURVEYED);
  }
  if (found)
    vd_elastic_choose(s->out->unit, sample, SURVEYED, places, left_out, tree);
  free(sample);
  return found ? tree : NULL;
}

/* The coefficients are smooth functions of travel and rack: so they are fitted at few Chebyshev points ("sites"), and
 * the polynomials through these give the splines' nodes (Trefethen, Approximation Theory and Approximation Practice,
 * ch. 2 to 8). */
typedef struct sites {
  int travel, rack; /* odd numbers, or 1 */
} sites;

/* -1 .. 1 */
static double site(int i, int count) {
  return count > 1 ? -vd_cos(VD_PI * i / (count - 1)) : 0.0;
}

/* Weights of the barycentric formula. */
static double weight(int i, int count) {
  double size = i == 0 || i == count - 1 ? 0.5 : 1.0;
  return i % 2 ? -size : size;
}

/* Shares of the sites in the value at a place. */
static void shares_at(double at, int count, double *share) {
  double sum = 0.0;
  for (int i = 0; i < count; i++) {
    double off = at - site(i, count);
    if (count == 1 || fabs(off) < 1e-12) {
      memset(share, 0, (size_t)count * sizeof *share);
      share[i] = 1.0;
      return;
    }
    share[i] = weight(i, count) / off;
    sum += share[i];
  }
  for (int i = 0; i < count; i++)
    share[i] /= sum;
}

/* Coefficients at the sites, [travel][rack][tree->nodes], those of `before' from there (none: NULL); NULL: no
 * equilibrium. */
static double *survey(const source *s, sites n, sites before, const double *known, vd_elastic_lost *lost) {
  const vd_elastic_tree *tree = s->out->tree;
  const int width = tree->nodes, samples = width / 4 > LEAST_SAMPLES ? width / 4 : LEAST_SAMPLES;
  double *value = vd_allocate((size_t)(n.travel * n.rack * width), sizeof *value);
  vd_elastic_sample *sample = vd_allocate((size_t)samples, sizeof *sample);
  vd_elastic_normal *normal = vd_allocate(1, sizeof *normal);
  const int ratio[2] = {known ? (n.travel - 1) / (before.travel - 1) : 1,
                        known && n.rack > 1 ? (n.rack - 1) / (before.rack - 1) : 1};
  bool found = true;
  for (int i = 0; found && i < n.travel * n.rack; i++) {
    const int row = i / n.rack, column = i % n.rack;
    double *to = value + i * width;
    if (known && row % ratio[0] == 0 && column % ratio[1] == 0) {
      memcpy(to, known + (row / ratio[0] * before.rack + column / ratio[1]) * width, (size_t)width * sizeof *to);
      continue;
    }
    const double u[VD_INPUTS] = {on_axis(&s->out->travel, site(row, n.travel)),
                                 on_axis(&s->out->rack, site(column, n.rack))};
    long index = 0;
    *lost = (vd_elastic_lost){u[0], u[1]};
    found = take(s, u, &index, samples, sample);
    if (found)
      vd_elastic_solve(tree, s->out->unit, sample, samples, normal, to);
  }
  free(sample);
  free(normal);
  if (found)
    return value;
  free(value);
  return NULL;
}

/* The largest turn, rad, by the last two Chebyshev coefficients of a row of sites: about what the next ones do. */
static double tail_of(const source *s, const double *value, int count, int apart) {
  const vd_elastic_tree *tree = s->out->tree;
  double tail[2][VD_ELASTIC_NODES] = {{0.0}}, worst = 0.0;
  vd_elastic_sample at;
  long index = 0;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < tree->nodes; k++) {
      double part = weight(i, count) * value[i * apart + k] / (count - 1);
      tail[0][k] += part;
      tail[1][k] += 2.0 * site(i, count) * part;
    }
  for (int n = 0; n < TAIL_LOADS; n++) {
    next_sample(&index, 1, at.load);
    for (int t = 0; t < 2; t++) {
      vd_elastic_sum(tree, tail[t], &at);
      for (int j = 2; j < VD_ELASTIC_LOADS; j++)
        worst = vd_max(worst, fabs(at.slope[j]) / s->out->unit[j]);
    }
  }
  return worst;
}

/* Sites enough for a turn's error of `smooth'; NULL: no equilibrium. */
static double *survey_finely(const source *s, sites *n, vd_elastic_lost *lost) {
  double *value = NULL, *next;
  sites more = {FIRST_TRAVELS, s->out->rack.cells ? FIRST_RACKS : 1}, before = more;
  const int width = s->out->tree->nodes;
  for (;;) {
    double tail[2] = {0.0, 0.0};
    next = survey(s, more, before, value, lost);
    free(value);
    value = next;
    *n = before = more;
    for (int j = 0; value && j < n->rack; j++)
      tail[0] = vd_max(tail[0], tail_of(s, value + j * width, n->travel, n->rack * width));
    for (int i = 0; value && n->rack > 1 && i < n->travel; i++)
      tail[1] = vd_max(tail[1], tail_of(s, value + i * n->rack * width, n->rack, width));
    more.travel += tail[0] > smooth ? more.travel - 1 : 0;
    more.rack += tail[1] > smooth ? more.rack - 1 : 0;
    bool enough = more.travel == n->travel && more.rack == n->rack;
    if (!value || enough || more.travel > MOST_SITES || more.rack > MOST_SITES)
      return value;
  }
}

/* Values along one axis at the nodes of the splines from those at the sites: `rows` rows of `width` numbers each. */
static void spread(const vd_axis *axis, int count, int rows, int width, const double *value, double *out) {
  int nodes = axis->cells + 1;
  for (int i = 0; i < nodes; i++) {
    double share[MOST_SITES];
    shares_at(axis->cells ? 2.0 * i / axis->cells - 1.0 : 0.0, count, share);
    for (int r = 0; r < rows; r++)
      for (int k = 0; k < width; k++) {
        double sum = 0.0;
        for (int j = 0; j < count; j++)
          sum += share[j] * value[(r * count + j) * width + k];
        out[(r * nodes + i) * width + k] = sum;
      }
  }
}

/* The splines' surface through the polynomials of the sites. */
static const double *surface_of(const source *s, sites n, const double *value, vd_arena *arena) {
  const vd_axis *travel = &s->out->travel, *rack = &s->out->rack;
  const int width = s->out->tree->nodes, columns = rack->cells + 1;
  double *half = vd_allocate((size_t)(n.travel * columns * width), sizeof *half);
  double *whole = vd_allocate((size_t)((travel->cells + 1) * columns * width), sizeof *whole);
  spread(rack, n.rack, n.travel, width, value, half);
  spread(travel, n.travel, 1, columns * width, half, whole);
  const double *surface = vd_elastic_surface(s->out, whole, arena);
  free(half);
  free(whole);
  return surface;
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
    double place[VD_ELASTIC_LOADS], u[VD_INPUTS];
    vd_elastic_sample truth, own;
    next_point(&index, place);
    for (int i = 0; i < VD_INPUTS; i++)
      u[i] = on_axis(i ? &map->rack : &map->travel, place[i]);
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
  sites n;
  double *value = out->tree ? survey_finely(&s, &n, lost) : NULL;
  if (value) {
    out->surface = surface_of(&s, n, value, arena);
    out->part[0] = (vd_elastic_part){0, out->tree->nodes};
    out->part[1] = (vd_elastic_part){out->tree->nodes, out->tree->nodes};
    out->error = find_error(&s);
  }
  free(value);
  vd_compliance_destroy(s.elastic);
  vd_compliance_destroy(s.rigid);
  return value ? out : NULL;
}
