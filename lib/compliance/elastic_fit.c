#include "compliance/elastic_fit.h"

#include "compliance/compliance_impl.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "math/chebyshev.h"
#include "math/lu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The places ("sites") at which coefficients are fitted: numbers of travels, of racks or travels of the other wheel,
 * and of racks of an axle that steers. samples: number at each site if only terms up to the second degree are fitted;
 * 0: all terms are fitted. */
typedef struct sites {
  int travel, rack, gear, samples;
} sites;

enum { MOST_STAGES = 4 };

/* Settings of a fit. */
typedef struct fit_settings {
  double left_out; /* rad and m, rms, by which the terms that are left out may change the displacements */
  double edge;     /* radius of the sphere that has three of four samples */
  bool opposite;   /* every second load is the opposite of the load before */
  /* Samples at one site: choice_samples serve to choose the terms. A fit of the chosen terms has one sample for every
   * terms_per_sample terms, but at least min_samples. A sample gives 20 equations, for a pair of wheels 65, so that
   * there are at least three times as many equations as terms: with half of these samples the errors at the edge grow
   * from 0.7e-3 to 2e-3 deg. */
  int min_samples, terms_per_sample, choice_samples;
  /* each stage is fitted to the residual of the stages before it; the last stage gets as many sites as its accuracy
   * needs */
  sites stage[MOST_STAGES];
} fit_settings;

/* Struts that steer need all terms near their lock. Half the sum and half the difference of the equations of opposite
 * loads contain the terms of even or of odd degree only, so that fewer samples determine them. The samples lie at the
 * radius for which the residual, of the sixth degree, is as great at the edge of the ball as within it. An axle that
 * steers has ten times the compliance of other axles. Near its lock a rod is close to its dead point, which a
 * polynomial of the third degree cannot describe up to the edge of the ball. Its map is therefore fitted only up to the
 * static load, the range in which cars are driven. */
static const fit_settings single_wheel = {5e-5 * VD_PI / 180.0, 1.0, false, 24, 5, 36, {{7, 1, 1, 0}}};
static const fit_settings steered_wheel = {5e-5 * VD_PI / 180.0, 0.8, true, 12, 6, 24, {{7, 11, 1, 0}}};
static const fit_settings joined_wheels = {1e-4 * VD_PI / 180.0, 0.9, false, 10, 12, 16, {{3, 3, 1, 0}, {6, 6, 1, 4}}};
static const fit_settings steered_axle = {6e-4 * VD_PI / 180.0, 0.45, false, 8, 16, 16, {{3, 3, 10, 0}, {4, 4, 4, 6}}};

static const double spline_error = 3e-3 * VD_PI / 180.0; /* rad, error of the polynomials over travel and rack */

enum { CHECKS = 48, FIRST_CHECK = 2304, TAIL_LOADS = 12, MOST_GEARS = 21 };

/* --- samples --- */

/* A place: the travel; then the rack, or the travel of the other wheel; then the rack of an axle that steers. */
enum { GEAR = VD_INPUTS, INPUTS };

/* Computes the next point of a sequence that fills the unit ball evenly; a pair of wheels has one ball for each wheel.
 * The coordinates are multiples of the powers of 1/r, r^(n + 1) = r + 1, modulo 1 (Roberts 2018); points outside the
 * balls are left out. */
static void next_point(long *index, int loads, double *x) {
  static const double one[VD_ELASTIC_LOADS] = {0.8812714616335696, 0.7766393890897682, 0.6844301295853426,
                                               0.6031687406857282, 0.5315553977157913};
  static const double pair[VD_ELASTIC_PAIR] = {
      0.9360691110777584, 0.8762253807139049, 0.8202075132286354, 0.7677709178072274, 0.7186866405431661,
      0.672740364756702,  0.6297314752239329, 0.5894721822305524, 0.5517867016256196, 0.516510487295222};
  const double *share = loads == VD_ELASTIC_PAIR ? pair : one;
  bool within;
  do {
    double square[2] = {0.0, 0.0};
    ++*index;
    for (int j = 0; j < loads; j++) {
      double at = (double)*index * share[j];
      x[j] = 2.0 * (at - floor(at)) - 1.0;
      square[j / VD_ELASTIC_LOADS] += x[j] * x[j];
    }
    within = square[0] <= 1.0 && square[1] <= 1.0;
  } while (!within);
}

/* Computes the next point, moved to the sphere of radius `edge'. */
static void next_at_edge(long *index, int loads, double edge, double *x) {
  next_point(index, loads, x);
  for (double *own = x; own < x + loads; own += VD_ELASTIC_LOADS) {
    double square = 0.0;
    for (int j = 0; j < VD_ELASTIC_LOADS; j++)
      square += own[j] * own[j];
    for (int j = 0; j < VD_ELASTIC_LOADS; j++)
      own[j] = edge * (own[j] / sqrt(square));
  }
}

/* Draws loads. Three of four loads are on a sphere: the errors of a fit are largest at the edge, and second derivatives
 * at the edge also determine the interior. */
static void draw_loads(long *index, int count, int loads, const fit_settings *settings, double (*x)[VD_ELASTIC_PAIR]) {
  const int apart = settings->opposite ? 2 : 1;
  for (int i = 0; i < count; i++)
    if (i % apart)
      for (int j = 0; j < loads; j++)
        x[i][j] = -x[i - 1][j];
    else if (i % (4 * apart) == 0)
      next_point(index, loads, x[i]);
    else
      next_at_edge(index, loads, settings->edge, x[i]);
}

/* Orders the loads so that each is close to the one before, at whose equilibrium the search starts. */
static void order_loads(int count, int loads, double (*x)[VD_ELASTIC_PAIR]) {
  for (int i = 1; i < count; i++) {
    int nearest = i;
    double least = INFINITY;
    for (int k = i; k < count; k++) {
      double square = 0.0;
      for (int j = 0; j < loads; j++)
        square += (x[k][j] - x[i - 1][j]) * (x[k][j] - x[i - 1][j]);
      if (square < least) {
        least = square;
        nearest = k;
      }
    }
    double own[VD_ELASTIC_PAIR];
    memcpy(own, x[i], sizeof own);
    memcpy(x[i], x[nearest], sizeof own);
    memcpy(x[nearest], own, sizeof own);
  }
}

static int max_int(int a, int b) {
  return a > b ? a : b;
}

/* The corner that is fitted, and its map. */
typedef struct source {
  const fit_settings *settings;
  const vd_linkage_map *map;
  const vd_linkage *linkage;
  vd_compliance *elastic;
  vd_elastic_map *out;
  double twist; /* N/m, wheel rate of a twist beam's torsion, which the anti-roll bar of the car represents */
} source;

/* Returns the place on an axis at a share: -1 is its lower end, 1 its upper end. */
static double on_axis(const vd_axis *axis, double at) {
  return axis->from + 0.5 * (1.0 + at) * axis->cells * axis->step;
}

/* Computes samples at a place under the loads x[count]. The samples do not contain the energies of the springs of
 * joined wheels, and of the torsion of a beam that the car has as an anti-roll bar, because the run computes these
 * elements itself. W contains stored energies with a minus, so they are added to it. later[count]: see
 * vd_compliance_expect; NULL: none. */
static bool sample_loads(const source *s, const double *u, double (*x)[VD_ELASTIC_PAIR], int count,
                         double (*later)[VD_UNKNOWNS], vd_elastic_sample *sample) {
  const bool joined = s->map->joined;
  vd_compliance_state state;
  vd_pose rigid[2] = {{.gear = u[GEAR]}};
  double springs, across = joined ? u[0] - u[1] : 0.0;
  if (!vd_compliance_rigid(s->elastic, u, rigid, &springs))
    return false;
  state.pose = rigid[0];
  for (int i = 0; i < count; i++) {
    vd_compliance_expect(s->elastic, later ? later[i] : NULL);
    if (!vd_elastic_sample_at(s->out, s->elastic, s->linkage, rigid, x[i], &state, &sample[i]))
      return false;
    sample[i].energy += springs + 0.5 * s->twist * across * across;
    if (joined)
      vd_elastic_sum_sample(&sample[i]);
  }
  return true;
}

/* Computes the place at the shares -1 .. 1 of all axes. */
static void place_at(const source *s, const double *share, double *u) {
  u[0] = on_axis(&s->out->travel, share[0]);
  u[1] = on_axis(&s->out->rack, share[1]);
  u[GEAR] = on_axis(&s->out->gear, share[GEAR]);
}

/* --- the map --- */

/* Chooses the terms that are needed in the middle and at the corners of the range of travels and racks. NULL: no
 * equilibrium. */
static const vd_elastic_tree *choose_terms(const source *s, vd_arena *arena, vd_elastic_lost *lost) {
  static const double steered[][INPUTS] = {
      {0.0, 0.0, 0.0}, {-1.0, -1.0, 1.0}, {-1.0, 1.0, -1.0}, {1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}};
  static const double straight[][INPUTS] = {{0.0, 0.0, 0.0}, {-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}};
  const double(*at)[INPUTS] = s->out->rack.cells ? steered : straight;
  int places = s->out->rack.cells ? VD_COUNT(steered) : VD_COUNT(straight), samples = s->settings->choice_samples;
  vd_elastic_sample *sample = vd_allocate((size_t)(places * samples), sizeof *sample);
  double(*x)[VD_ELASTIC_PAIR] = vd_allocate((size_t)samples, sizeof *x);
  vd_elastic_tree *tree = vd_arena_alloc(arena, sizeof *tree);
  bool found = true;
  long index = 0;
  draw_loads(&index, samples, s->out->loads, s->settings, x);
  for (int p = 0; found && p < places; p++) {
    double u[INPUTS];
    place_at(s, at[p], u);
    *lost = (vd_elastic_lost){u[0], u[1]};
    found = sample_loads(s, u, x, samples, NULL, sample + p * samples);
  }
  if (found)
    vd_elastic_choose(s->out->loads, s->out->unit, sample, samples, places, s->settings->left_out, tree);
  free(sample);
  free(x);
  return found ? tree : NULL;
}

/* The coefficients are smooth functions of travel and rack. They are fitted at a few Chebyshev points ("sites"), and
 * the polynomials through these give the values at the nodes of the splines. */

/* Returns whether one side of the axle is the mirror image of the other, and has as many sites along its travel. If so,
 * the energy at exchanged travels is the mirror image, and at equal travels the energy is even in the differences. */
static bool is_mirrored(const source *s, sites n) {
  return s->map->joined && s->linkage->beam && n.travel == n.rack;
}

static void mirror_site(const vd_elastic_tree *tree, const double *from, double *to) {
  for (int k = 0; k < tree->nodes; k++)
    to[k] = vd_elastic_odd(tree->powers[k]) ? -from[k] : from[k];
}

static void make_even(const vd_elastic_tree *tree, double *value) {
  for (int k = 0; k < tree->nodes; k++)
    if (vd_elastic_odd(tree->powers[k]))
      value[k] = 0.0;
}

/* Returns the index of site i among `before' sites, or -1: if the number of sites was doubled, every second site is
 * old. */
static int known_at(int i, int count, int before) {
  if (before == count)
    return i;
  return i % 2 ? -1 : i / 2;
}

/* Returns the place of a site's coefficients among those of `before', [travel][rack][gear]; -1: the site is new. */
static int find_known(sites n, sites before, int row, int column, int layer) {
  const int at[] = {known_at(row, n.travel, before.travel), known_at(column, n.rack, before.rack),
                    known_at(layer, n.gear, before.gear)};
  return at[0] < 0 || at[1] < 0 || at[2] < 0 ? -1 : (at[0] * before.rack + at[1]) * before.gear + at[2];
}

/* For a pair of wheels the terms of the third degree are many but small, and they change little with the travels. A
 * rack changes all terms in nearly the same way at all travels. So the terms are fitted in stages, each to the residual
 * of the stages before it. Let the interpolation P have few travels and many racks, and P' more travels and few racks.
 * Then the error of P f + P'(f - P f) is the product of P's error along the travels and of the error of P' along the
 * rack (Boolean sums: Gordon, Numer. Math. 17, 1971). Terms up to the second degree are fitted to few samples, from
 * which the known terms of the third degree are subtracted. */
typedef struct fitted_stages {
  int stages;
  sites n[MOST_STAGES];
  double *value[MOST_STAGES]; /* [travel][rack][gear][tree->nodes] */
} fitted_stages;

/* Computes the sum of all stages so far at a place, given by shares -1 .. 1. */
static void known_terms(const vd_elastic_tree *tree, const fitted_stages *known, const double *at, double *out) {
  memset(out, 0, (size_t)tree->nodes * sizeof *out);
  for (int k = 0; k < known->stages; k++) {
    const sites n = known->n[k];
    double travel[VD_MOST_SITES], other[VD_MOST_SITES], gear[VD_MOST_SITES];
    vd_chebyshev_shares(at[0], n.travel, travel);
    vd_chebyshev_shares(at[1], n.rack, other);
    vd_chebyshev_shares(at[GEAR], n.gear, gear);
    for (int i = 0; i < n.travel * n.rack * n.gear; i++) {
      const double share = travel[i / (n.rack * n.gear)] * other[i / n.gear % n.rack] * gear[i % n.gear];
      if (share != 0.0)
        vd_row_less(-share, known->value[k] + i * tree->nodes, (size_t)tree->nodes, out);
    }
  }
}

/* Working memory for the sites of one stage. */
typedef struct stage_work {
  const fitted_stages *known;
  int samples;
  double (*x)[VD_ELASTIC_PAIR];
  vd_elastic_sample *sample;
  vd_elastic_fit *fit;
  double (*later)[VD_UNKNOWNS]; /* [travel][rack][gear][sample]: Newton steps after the first */
  bool *solved;                 /* [travel][rack][gear]: these are known */
} stage_work;

static void start_stage(const source *s, const fitted_stages *known, sites n, stage_work *w) {
  const int below = n.samples > 0 ? VD_ELASTIC_PAIR_DEGREE : VD_ELASTIC_DEGREE + 1, loads = s->out->loads;
  long index = 0;
  *w = (stage_work){.known = known, .samples = n.samples};
  if (n.samples == 0)
    w->samples = max_int(s->out->tree->nodes / s->settings->terms_per_sample, s->settings->min_samples);
  w->samples += s->settings->opposite ? w->samples % 2 : 0;
  w->x = vd_allocate((size_t)w->samples, sizeof *w->x);
  w->sample = vd_allocate((size_t)w->samples, sizeof *w->sample);
  double(*of)[VD_ELASTIC_PAIR] = vd_allocate((size_t)w->samples, sizeof *of);
  draw_loads(&index, w->samples, loads, s->settings, w->x);
  order_loads(w->samples, loads, w->x);
  for (int k = 0; k < w->samples; k++) {
    memcpy(of[k], w->x[k], sizeof of[k]);
    if (s->map->joined)
      vd_elastic_sums(of[k]);
  }
  w->fit = vd_elastic_fit_create(s->out->tree, below, loads, s->out->unit, of, w->samples);
  free(of);
}

/* Computes the weights of the `count' sites before site i, the nearest first, for the value at site i of the polynomial
 * through them. weight[0], of site i itself, is -1. */
static void extrapolation(int i, int n, int count, double *weight) {
  const double at = vd_chebyshev_site(i, n);
  weight[0] = -1.0;
  for (int p = 1; p <= count; p++) {
    weight[p] = 1.0;
    for (int q = 1; q <= count; q++)
      if (q != p)
        weight[p] *= (at - vd_chebyshev_site(i - q, n)) / (vd_chebyshev_site(i - p, n) - vd_chebyshev_site(i - q, n));
  }
}

/* Extrapolates the Newton steps of the equilibria at a site from its neighbours along the travel and along the rack:
 * the error is the product of the errors of both (a Boolean sum, as above). Most equilibria then need one evaluation
 * instead of two. */
static void expect_steps(const source *s, sites n, int row, int column, int layer, stage_work *w) {
  enum { MOST = 2 };
  const size_t used = (size_t)(s->elastic->e.coordinates + s->elastic->e.rows);
  const int inner = n.gear > 1 ? n.gear : n.rack, along = n.gear > 1 ? layer : column, apart = n.gear > 1 ? 1 : n.gear;
  const int across = n.rack * n.gear, own = (row * n.rack + column) * n.gear + layer;
  double by_travel[MOST + 1], by_rack[MOST + 1];
  int travels = 0, racks = 0;
  while (travels < MOST && travels < row && w->solved[own - (travels + 1) * across])
    travels++;
  while (racks < MOST && racks < along && w->solved[own - (racks + 1) * apart])
    racks++;
  extrapolation(row, n.travel, travels, by_travel);
  extrapolation(along, inner, racks, by_rack);
  memset(w->later[own * w->samples], 0, (size_t)w->samples * sizeof *w->later);
  for (int i = 0; i <= travels; i++)
    for (int j = 0; j <= racks; j++) {
      const int from = own - i * across - j * apart;
      for (int k = 0; from != own && w->solved[from] && k < w->samples; k++)
        vd_row_less(by_travel[i] * by_rack[j], w->later[from * w->samples + k], used, w->later[own * w->samples + k]);
    }
  w->solved[own] = true;
}

/* Fits the coefficients at one site. False: no equilibrium. */
static bool fit_site(const source *s, sites n, int row, int column, int layer, stage_work *w, double *to,
                     vd_elastic_lost *lost) {
  const double share[INPUTS] = {vd_chebyshev_site(row, n.travel), vd_chebyshev_site(column, n.rack),
                                vd_chebyshev_site(layer, n.gear)};
  double u[INPUTS], known[VD_ELASTIC_NODES];
  place_at(s, share, u);
  *lost = (vd_elastic_lost){u[0], u[1]};
  expect_steps(s, n, row, column, layer, w);
  if (!sample_loads(s, u, w->x, w->samples, w->later + ((row * n.rack + column) * n.gear + layer) * w->samples,
                    w->sample))
    return false;
  known_terms(s->out->tree, w->known, share, known);
  vd_elastic_fit_solve(w->fit, w->known->stages > 0 ? known : NULL, w->sample, to);
  if (is_mirrored(s, n) && column == row)
    make_even(s->out->tree, to);
  return true;
}

/* Fits the coefficients at all sites, [travel][rack][gear][tree->nodes]. known: coefficients at the sites `before',
 * which are copied (NULL: there are none). Returns NULL if there is no equilibrium. */
static double *fit_sites(const source *s, stage_work *w, sites n, sites before, const double *known,
                         vd_elastic_lost *lost) {
  const vd_elastic_tree *tree = s->out->tree;
  const int width = tree->nodes, count = n.travel * n.rack * n.gear;
  double *value = vd_allocate((size_t)(count * width), sizeof *value);
  bool found = true;
  w->later = vd_allocate((size_t)(count * w->samples), sizeof *w->later);
  w->solved = vd_allocate((size_t)count, sizeof *w->solved);
  for (int i = 0; found && i < count; i++) {
    const int row = i / (n.rack * n.gear), column = i / n.gear % n.rack, layer = i % n.gear;
    const int old = known ? find_known(n, before, row, column, layer) : -1;
    double *to = value + i * width;
    if (old >= 0)
      memcpy(to, known + old * width, (size_t)width * sizeof *to);
    else if (is_mirrored(s, n) && column < row)
      mirror_site(tree, value + (column * n.rack + row) * width, to);
    else
      found = fit_site(s, n, row, column, layer, w, to, lost);
  }
  free(w->later);
  free(w->solved);
  if (found)
    return value;
  free(value);
  return NULL;
}

/* Returns the largest rotation, rad, that the last Chebyshev coefficients along one axis (travel, rack or gear) cause
 * in any row of sites. */
static double worst_tail(const source *s, const double *value, int all, int count, int stride) {
  const vd_elastic_tree *tree = s->out->tree;
  const int width = tree->nodes, rows = count > 1 ? 2 * all / count : 0;
  double *tail = vd_allocate((size_t)(rows * width), sizeof *tail), worst = 0.0, *to = tail;
  long index = 0;
  for (int i = 0; count > 1 && i < all; i++)
    if (i / stride % count == 0) {
      vd_chebyshev_tails(value + i * width, count, stride, width, to);
      to += 2 * width;
    }
  for (int n = 0; n < TAIL_LOADS; n++) {
    double load[VD_ELASTIC_PAIR];
    next_at_edge(&index, s->out->loads, s->settings->edge, load);
    if (s->map->joined)
      vd_elastic_sums(load);
    worst = vd_max(worst, vd_elastic_largest_turn(tree, s->out->loads, s->out->unit, load, tail, rows));
  }
  free(tail);
  return worst;
}

/* Doubles the sites until the error of a rotation is below spline_error; NULL: no equilibrium. */
static double *refine(const source *s, stage_work *w, sites *n, vd_elastic_lost *lost) {
  double *value = NULL, *next;
  sites more = *n, before = more;
  for (;;) {
    next = fit_sites(s, w, more, before, value, lost);
    free(value);
    value = next;
    *n = before = more;
    if (!value)
      return NULL;
    const int all = n->travel * n->rack * n->gear;
    more.travel += worst_tail(s, value, all, n->travel, n->rack * n->gear) > spline_error ? more.travel - 1 : 0;
    more.rack += worst_tail(s, value, all, n->rack, n->gear) > spline_error ? more.rack - 1 : 0;
    more.gear += worst_tail(s, value, all, n->gear, 1) > spline_error ? more.gear - 1 : 0;
    bool enough = more.travel == n->travel && more.rack == n->rack && more.gear == n->gear;
    if (enough || more.travel > VD_MOST_SITES || more.rack > VD_MOST_SITES || more.gear > MOST_GEARS)
      return value;
  }
}

static bool fit_stages(const source *s, fitted_stages *out, vd_elastic_lost *lost) {
  for (int k = 0; k < MOST_STAGES && s->settings->stage[k].travel > 0; k++) {
    const bool last = k + 1 == MOST_STAGES || s->settings->stage[k + 1].travel == 0;
    sites n = s->settings->stage[k];
    stage_work w;
    start_stage(s, out, n, &w);
    double *value = last ? refine(s, &w, &n, lost) : fit_sites(s, &w, n, n, NULL, lost);
    free(w.x);
    free(w.sample);
    vd_elastic_fit_destroy(w.fit);
    if (!value)
      return false;
    out->n[k] = n;
    out->value[k] = value;
    out->stages++;
  }
  return true;
}

/* Interpolates to other numbers of sites, or to as many nodes of the splines, [travel][rack][gear][tree->nodes], by the
 * polynomials through the sites. */
static double *values_at(const vd_elastic_tree *tree, sites n, const double *value, sites to, bool nodes) {
  const int width = tree->nodes * to.gear;
  double *layers = vd_allocate((size_t)(n.travel * n.rack * width), sizeof *layers);
  double *half = vd_allocate((size_t)(n.travel * to.rack * width), sizeof *half);
  double *whole = vd_allocate((size_t)(to.travel * to.rack * width), sizeof *whole);
  vd_chebyshev_spread(n.gear, (vd_chebyshev_to){to.gear, nodes}, n.travel * n.rack, tree->nodes, value, layers);
  vd_chebyshev_spread(n.rack, (vd_chebyshev_to){to.rack, nodes}, n.travel, width, layers, half);
  vd_chebyshev_spread(n.travel, (vd_chebyshev_to){to.travel, nodes}, 1, to.rack * width, half, whole);
  free(layers);
  free(half);
  return whole;
}

/* Returns the sum of all stages, at the largest number of sites that any stage has along each axis. */
static double *sum_stages(const vd_elastic_tree *tree, const fitted_stages *from, sites *n) {
  *n = from->n[0];
  for (int k = 1; k < from->stages; k++) {
    n->travel = max_int(n->travel, from->n[k].travel);
    n->rack = max_int(n->rack, from->n[k].rack);
    n->gear = max_int(n->gear, from->n[k].gear);
  }
  double *sum = values_at(tree, from->n[0], from->value[0], *n, false);
  for (int k = 1; k < from->stages; k++) {
    double *own = values_at(tree, from->n[k], from->value[k], *n, false);
    vd_row_less(-1.0, own, (size_t)(n->travel * n->rack * n->gear * tree->nodes), sum);
    free(own);
  }
  return sum;
}

/* Reduces an axis with at most four sites to three cells: four sites determine a cubic. */
static void reduce_to_cubic(vd_axis *axis, int count) {
  enum { CELLS = 3 };
  if (count > CELLS + 1 || axis->cells <= CELLS)
    return;
  const double step = axis->cells * axis->step / CELLS;
  *axis = (vd_axis){axis->from, step, 1.0 / step, CELLS};
}

/* Makes the surface of splines from the sites. */
static void make_surface(const source *s, const fitted_stages *from, vd_arena *arena) {
  vd_elastic_map *m = s->out;
  sites n;
  double *sum = sum_stages(m->tree, from, &n);
  reduce_to_cubic(&m->travel, n.travel);
  if (m->rack.cells)
    reduce_to_cubic(&m->rack, n.rack);
  double *whole =
      values_at(m->tree, n, sum, (sites){m->travel.cells + 1, m->rack.cells + 1, m->gear.cells + 1, 0}, true);
  m->part[0] = (vd_elastic_part){0, m->tree->nodes};
  m->part[1] = (vd_elastic_part){m->tree->nodes, m->tree->nodes};
  m->surface = vd_elastic_surface(m, whole, arena);
  free(sum);
  free(whole);
}

void vd_elastic_sample_of(const vd_elastic_map *map, double travel, double rack, double gear,
                          vd_elastic_sample *sample) {
  vd_elastic_terms_at c;
  vd_elastic_map_at(map, travel, rack, gear, &c);
  /* the tree contains terms of a pair's loads if it is joined with the tree of a pair */
  for (int j = map->loads; j < VD_ELASTIC_PAIR; j++)
    sample->load[j] = 0.0;
  const bool pair = map->loads == VD_ELASTIC_PAIR;
  if (pair)
    vd_elastic_sums(sample->load);
  vd_elastic_sum(map->tree, VD_ELASTIC_PAIR, c.value, sample);
  if (pair) {
    vd_elastic_sums(sample->load);
    vd_elastic_sums(sample->slope);
  }
}

/* Returns the largest error of a rotation, rad, at loads, travels and racks between those of the fit. */
static double find_error(const source *s) {
  const vd_elastic_map *map = s->out;
  double worst = 0.0;
  long index = FIRST_CHECK;
  for (int k = 0; k < CHECKS; k++) {
    double place[VD_ELASTIC_PAIR], load[1][VD_ELASTIC_PAIR], u[INPUTS];
    vd_elastic_sample truth, own;
    next_point(&index, s->out->loads, place);
    next_point(&index, s->out->loads, load[0]);
    place_at(s, place, u);
    if (!sample_loads(s, u, load, 1, NULL, &truth))
      return INFINITY;
    if (s->map->joined)
      vd_elastic_sum_sample(&truth);
    own = truth;
    vd_elastic_sample_of(map, u[0], u[1], u[GEAR], &own);
    for (int j = 0; j < s->out->loads; j++)
      if (vd_elastic_is_turn(j))
        worst = vd_max(worst, fabs(own.slope[j] - truth.slope[j]) / map->unit[j % VD_ELASTIC_LOADS]);
  }
  return worst;
}

/* Returns the terms of two trees, as one group. */
static const vd_elastic_tree *both_trees(const vd_elastic_tree *one, const vd_elastic_tree *other, vd_arena *arena) {
  vd_elastic_tree *tree = vd_arena_alloc(arena, sizeof *tree);
  unsigned powers[VD_ELASTIC_NODES];
  int count = 0;
  for (int i = 0; i < one->nodes; i++)
    if (one->powers[i] != VD_ELASTIC_NO_TERM)
      powers[count++] = one->powers[i];
  for (int i = 0, own = count; i < other->nodes; i++) {
    int k = 0;
    while (k < own && powers[k] != other->powers[i])
      k++;
    if (k == own && other->powers[i] != VD_ELASTIC_NO_TERM)
      powers[count++] = other->powers[i];
  }
  vd_elastic_tree_make(powers, NULL, count, tree);
  return tree;
}

/* Sets the axis over the rack of an axle that steers, as in the linkage's map. */
static void find_rack(const vd_linkage_map *map, vd_elastic_map *out) {
  double from = map->gear.from, to = from + map->gear.cells * map->gear.step, slope;
  if (map->steer) {
    from = vd_linkage_rack(map, from, &slope);
    to = vd_linkage_rack(map, to, &slope);
  }
  const double step = fabs(to - from) / VD_ELASTIC_GEAR_CELLS;
  if (step > 0.0)
    out->gear = (vd_axis){vd_min(from, to), step, 1.0 / step, VD_ELASTIC_GEAR_CELLS};
}

static const fit_settings *settings_of(const vd_elastic_map *map) {
  if (map->loads == VD_ELASTIC_PAIR)
    return map->gear.cells ? &steered_axle : &joined_wheels;
  return map->rack.cells ? &steered_wheel : &single_wheel;
}

const vd_elastic_map *vd_elastic_map_create(const vd_corner *corner, const vd_linkage_map *map, double force,
                                            const vd_elastic_map *like, vd_arena *arena, vd_elastic_lost *lost) {
  vd_elastic_map *out = vd_arena_alloc(arena, sizeof *out);
  *out = (vd_elastic_map){.travel = vd_axis_coarse(&map->travel, VD_ELASTIC_TRAVEL_STEP),
                          .loads = map->joined ? VD_ELASTIC_PAIR : VD_ELASTIC_LOADS};
  vd_elastic_map_scale(out, force, map->linkage->points.static_radius);
  if (map->rack.cells)
    out->rack = vd_axis_coarse(&map->rack, map->joined ? VD_ELASTIC_TRAVEL_STEP : VD_ELASTIC_RACK_STEP);
  if (map->knuckle)
    find_rack(map, out);
  source s = {.settings = settings_of(out),
              .map = map,
              .linkage = map->linkage,
              .out = out,
              .twist = vd_corner_twist_rate(corner)};
  s.elastic = vd_compliance_create(corner, s.linkage, VD_HOLD_CENTRE);
  vd_compliance_be_quick(s.elastic);
  fitted_stages at = {.stages = 0};
  bool found = map->joined && s.linkage->beam && !corner->beam.given;
  if (found) {
    static const unsigned constant[] = {0};
    vd_elastic_tree *tree = vd_arena_alloc(arena, sizeof *tree);
    vd_elastic_tree_make(constant, NULL, 1, tree);
    out->tree = tree;
    at = (fitted_stages){1, {{1, 1, 1, 0}}, {vd_allocate((size_t)out->tree->nodes, sizeof *at.value[0])}};
    make_surface(&s, &at, arena);
  } else {
    out->tree = choose_terms(&s, arena, lost);
    if (like && out->tree)
      out->tree = both_trees(out->tree, like->tree, arena);
    found = out->tree && fit_stages(&s, &at, lost);
    if (found) {
      make_surface(&s, &at, arena);
      out->error = find_error(&s);
    }
  }
  for (int k = 0; k < at.stages; k++)
    free(at.value[k]);
  vd_compliance_destroy(s.elastic);
  return found ? out : NULL;
}
