/* The equilibrium R(y, s, q) = 0 under a load that grows by s on a linkage that changes by q has the matrix K = R_y. A
 * figure is the rate by s of a function of y, w . y_s with K y_s = -R_s; one more derivative by q gives
 *
 *   w_q . y_s - z . R_sq,   K'z = w
 *
 * where _q follows the equilibrium, y_q = -K^-1 R_q, and R_sq is taken with y = y_s s + y_q q. So one adjoint solution
 * z serves a figure for all changes. z . R of all that has a potential is the derivative of the function in
 * kc/lagrangian.h along z, and its part in a b c is z . R_sq if y = z a + y_s b + y_q c. A force at the wheel centre C
 * has the potential -F . C. The road's moments have none: with T the slope of a turn by its rotation vector, they work
 *
 *   z . R = -M . T z_turn,   T = 1 + turn x /2 + turn x turn x /6 ... */
#include "kc/elastic_change.h"

#include "base/memory.h"
#include "kc/lagrangian.h"
#include "kc/matrix.h"

#include <assert.h>
#include <stdlib.h>

enum load { AT_CONTACT_X, AT_CONTACT_Y, ABOUT_Z, AT_CENTRE_X, LOADS };
enum figure { TOE, CAMBER, WHEEL_X, WHEEL_Y, PATCH_X, PATCH_Y, FIGURES };

static const struct {
  enum load load;
  enum figure figure;
} gains[VD_ELASTIC_GAINS] = {
    [VD_TOE_FX] = {AT_CONTACT_X, TOE},
    [VD_TOE_FY] = {AT_CONTACT_Y, TOE},
    [VD_TOE_MZ] = {ABOUT_Z, TOE},
    [VD_CAMBER_FX] = {AT_CONTACT_X, CAMBER},
    [VD_CAMBER_FY] = {AT_CONTACT_Y, CAMBER},
    [VD_CAMBER_MZ] = {ABOUT_Z, CAMBER},
    [VD_WHEEL_X_FX] = {AT_CONTACT_X, WHEEL_X},
    [VD_WHEEL_Y_FY] = {AT_CONTACT_Y, WHEEL_Y},
    [VD_PATCH_Y_FY] = {AT_CONTACT_Y, PATCH_Y},
    [VD_PATCH_X_FY] = {AT_CONTACT_Y, PATCH_X},
    [VD_PATCH_Y_FX] = {AT_CONTACT_X, PATCH_Y},
    [VD_TOE_FX_CENTRE] = {AT_CENTRE_X, TOE},
    [VD_CAMBER_FX_CENTRE] = {AT_CENTRE_X, CAMBER},
};

static const struct {
  double force[3], moment[3];
  bool at_contact;
} loads[LOADS] = {
    [AT_CONTACT_X] = {{1.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, true},
    [AT_CONTACT_Y] = {{0.0, 1.0, 0.0}, {0.0, 0.0, 0.0}, true},
    [ABOUT_Z] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, false},
    [AT_CENTRE_X] = {{1.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, false},
};

struct vd_elastic_change {
  vd_compliance *c;
  int size;                             /* unknowns */
  double by_load[LOADS][VD_UNKNOWNS];   /* y_s */
  double adjoint[FIGURES][VD_UNKNOWNS]; /* z */
};

/* --- the wheel --- */

static int turn_column(const vd_elastic_change *e) {
  return vd_wheel_turn_column(e->c, 0);
}

/* The knuckle turned on from the equilibrium. */
static vd_moved_body knuckle_at(const vd_elastic_change *e, vd_tri3 turn) {
  vd_moved_body b = {.turn = turn};
  vd_turn_matrix(vd_wheel_turn(e->c, &e->c->last, 0), b.base);
  return b;
}

static vd_tri3 spin_at(const vd_elastic_change *e, vd_tri3 turn) {
  vd_moved_body b = knuckle_at(e, turn);
  return vd_moved_direction(&b, vd_tri3_of(e->c->linkage.spin_axis));
}

/* The disc's lowest point from its centre: compliance_wheel.c. */
static vd_tri3 lowest_of(const vd_elastic_change *e, vd_tri3 spin) {
  vd_tri flat = vd_tri_add(vd_tri_mul(spin.v[0], spin.v[0]), vd_tri_mul(spin.v[1], spin.v[1]));
  vd_tri3 up = vd_tri3_times(vd_tri_scale(-1.0, spin.v[2]), spin);
  up.v[2].c[0] += 1.0;
  vd_tri scale = vd_tri_scale(-e->c->linkage.points.static_radius, vd_tri_inverse(vd_tri_sqrt(flat)));
  return vd_tri3_times(scale, up);
}

/* vd_kc_yield_of, by a change. */
static void yield_of(vd_tri3 spin, vd_tri3 contact, vd_tri3 shift, vd_tri3 turn, vd_tri out[FIGURES]) {
  vd_tri3 turned = vd_tri3_cross(turn, spin), moved = vd_tri3_cross(turn, contact);
  vd_tri flat = vd_tri_add(vd_tri_mul(spin.v[0], spin.v[0]), vd_tri_mul(spin.v[1], spin.v[1]));
  vd_tri aside = vd_tri_sub(vd_tri_mul(turned.v[0], spin.v[1]), vd_tri_mul(turned.v[1], spin.v[0]));
  out[TOE] = vd_tri_div(aside, flat);
  out[CAMBER] = vd_tri_scale(-1.0, vd_tri_div(turned.v[2], vd_tri_sqrt(flat)));
  out[WHEEL_X] = shift.v[0];
  out[WHEEL_Y] = shift.v[1];
  out[PATCH_X] = vd_tri_add(shift.v[0], moved.v[0]);
  out[PATCH_Y] = vd_tri_add(shift.v[1], moved.v[1]);
}

/* --- building --- */

/* Forces at the wheel centre and moments, each times its share, as those on the unknowns. */
static void add_pushes(const vd_elastic_change *e, const double share[6], double *x) {
  memset(x, 0, (size_t)e->size * sizeof *x);
  for (int axis = 0; axis < 6; axis++) {
    double own[VD_UNKNOWNS];
    vd_wheel_push(e->c, 0, axis, own);
    for (int i = 0; i < e->size; i++)
      x[i] += share[axis] * own[i];
  }
}

static void load_column(const vd_elastic_change *e, enum load load, double *x) {
  const vd_tri3 still = {{{{0.0}}}};
  vd_tri3 contact = lowest_of(e, spin_at(e, still));
  const double arm[3] = {contact.v[0].c[0], contact.v[1].c[0], contact.v[2].c[0]};
  double wrench[6], moment[3] = {0.0, 0.0, 0.0};
  if (loads[load].at_contact)
    vd_cross(arm, loads[load].force, moment);
  for (int i = 0; i < 3; i++) {
    wrench[i] = loads[load].force[i];
    wrench[3 + i] = moment[i] + loads[load].moment[i];
  }
  add_pushes(e, wrench, x);
}

/* The wheel's motion by the unknowns is the transpose of its forces on them. */
static void find_figures(vd_elastic_change *e) {
  const vd_tri3 still = {{{{0.0}}}};
  vd_tri3 spin = spin_at(e, still), contact = lowest_of(e, spin);
  double by[FIGURES][6];
  for (int i = 0; i < 6; i++) {
    vd_tri3 motion[2] = {still, still};
    vd_tri figure[FIGURES];
    motion[i / 3].v[i % 3].c[0] = 1.0;
    yield_of(spin, contact, motion[0], motion[1], figure);
    for (int k = 0; k < FIGURES; k++)
      by[k][i] = figure[k].c[0];
  }
  for (int k = 0; k < FIGURES; k++)
    add_pushes(e, by[k], e->adjoint[k]);
}

vd_elastic_change *vd_elastic_change_create(const vd_corner *corner, const vd_linkage *l, enum vd_hold hold,
                                            double fz) {
  static const double design[VD_INPUTS] = {0.0, 0.0};
  const vd_wheel_load under = {.fz = fz};
  vd_compliance_state state;
  vd_elastic_change *e = vd_allocate(1, sizeof *e);
  assert(hold == VD_HOLD_CENTRE || hold == VD_HOLD_FREE);
  vd_linkage_start(l, &state.pose);
  e->c = vd_compliance_create(corner, l, hold);
  if (!vd_compliance_solve(e->c, design, &under, &state)) {
    vd_elastic_change_destroy(e);
    return NULL;
  }
  e->size = e->c->e.coordinates + e->c->e.rows;
  for (int j = 0; j < LOADS; j++) {
    load_column(e, (enum load)j, e->by_load[j]);
    vd_compliance_resolve(e->c, false, e->by_load[j]);
  }
  find_figures(e);
  for (int k = 0; k < FIGURES; k++)
    vd_compliance_resolve(e->c, true, e->adjoint[k]);
  return e;
}

void vd_elastic_change_destroy(vd_elastic_change *e) {
  if (e)
    vd_compliance_destroy(e->c);
  free(e);
}

/* --- changes --- */

/* The force of the road at the equilibrium. */
static vd_tri potential_of(const vd_elastic_change *e, vd_tri3 centre) {
  const vd_wheel_load *load = &e->c->task.load;
  const double held[3] = {load->fx, load->fy, load->fz};
  return vd_tri_scale(-1.0, vd_tri3_along(held, centre));
}

/* y_q. Two coordinates at a time. */
static void follow(const vd_elastic_change *e, const vd_lagrangian *l, const vd_change *q, double *by) {
  for (int i = 0; i < e->size; i += 2) {
    vd_tri y[VD_UNKNOWNS] = {{{0.0}}};
    y[i].c[VD_TRI_A] = 1.0;
    if (i + 1 < e->size)
      y[i + 1].c[VD_TRI_B] = 1.0;
    vd_tri value = vd_tri_add(vd_lagrangian_at(l, q, y), potential_of(e, vd_lagrangian_centre(l, q, y)));
    by[i] = -value.c[VD_TRI_A | VD_TRI_C];
    if (i + 1 < e->size)
      by[i + 1] = -value.c[VD_TRI_B | VD_TRI_C];
  }
  vd_compliance_resolve(e->c, false, by);
}

static vd_tri3 turn_of(const vd_elastic_change *e, const double *b, const double *c) {
  vd_tri3 turn = {{{{0.0}}}};
  for (int i = 0; i < 3; i++) {
    turn.v[i].c[VD_TRI_B] = b ? b[turn_column(e) + i] : 0.0;
    turn.v[i].c[VD_TRI_C] = c[turn_column(e) + i];
  }
  return turn;
}

/* The wheel centre at y = z a + s b + by c; z, s: NULL, 0. */
static vd_tri3 centre_at(const vd_elastic_change *e, const vd_lagrangian *l, const vd_change *q, const double *z,
                         const double *s, const double *by) {
  vd_tri y[VD_UNKNOWNS] = {{{0.0}}};
  for (int i = 0; i < e->size; i++)
    y[i] = (vd_tri){{[VD_TRI_A] = z ? z[i] : 0.0, [VD_TRI_B] = s ? s[i] : 0.0, [VD_TRI_C] = by[i]}};
  return vd_lagrangian_centre(l, q, y);
}

/* M . T z_turn, with the moment of a force at the lowest point and another one. */
static vd_tri road_work(const vd_elastic_change *e, vd_tri3 turn, const double *force, const double *moment,
                        const double *z) {
  vd_tri3 m = vd_tri3_add(vd_tri3_cross(lowest_of(e, spin_at(e, turn)), vd_tri3_of(force)), vd_tri3_of(moment));
  vd_tri3 along = vd_tri3_of(z + turn_column(e)), once = vd_tri3_cross(turn, along), twice = vd_tri3_cross(turn, once);
  along = vd_tri3_add(along, vd_tri3_add(vd_tri3_scale(0.5, once), vd_tri3_scale(1.0 / 6.0, twice)));
  return vd_tri3_dot(m, along);
}

/* z . R_sq */
static double curvature(const vd_elastic_change *e, const vd_lagrangian *l, const vd_change *q, int g,
                        const double *by) {
  const double *z = e->adjoint[gains[g].figure], *s = e->by_load[gains[g].load];
  const vd_wheel_load *load = &e->c->task.load;
  const double held[3] = {load->fx, load->fy, load->fz}, about[3] = {0.0, 0.0, load->mz}, none[3] = {0.0, 0.0, 0.0};
  vd_tri y[VD_UNKNOWNS] = {{{0.0}}};
  for (int i = 0; i < e->size; i++)
    y[i] = (vd_tri){{[VD_TRI_A] = z[i], [VD_TRI_B] = s[i], [VD_TRI_C] = by[i]}};
  double all = vd_lagrangian_at(l, q, y).c[VD_TRI_A | VD_TRI_B | VD_TRI_C];
  const double *force = loads[gains[g].load].force, *more = loads[gains[g].load].at_contact ? force : none;
  all -= road_work(e, turn_of(e, s, by), held, about, z).c[VD_TRI_B | VD_TRI_C];
  all -= road_work(e, turn_of(e, NULL, by), more, loads[gains[g].load].moment, z).c[VD_TRI_C];
  vd_tri3 centre = centre_at(e, l, q, z, s, by);
  all += potential_of(e, centre).c[VD_TRI_A | VD_TRI_B | VD_TRI_C];
  return all - vd_tri3_along(force, centre).c[VD_TRI_A | VD_TRI_C];
}

/* w_q . y_s: the figures of a knuckle that goes by y_s at its changed place. Its turn about the axes of the chassis is
 * T y_s. */
static double figure_by(const vd_elastic_change *e, const vd_lagrangian *l, const vd_change *q, int g,
                        const double *by) {
  const double *s = e->by_load[gains[g].load];
  vd_tri3 turn = turn_of(e, NULL, by), spin = spin_at(e, turn), rate = vd_tri3_of(s + turn_column(e));
  vd_tri3 centre = centre_at(e, l, q, NULL, s, by), shift = {{{{0.0}}}};
  vd_tri figure[FIGURES];
  rate = vd_tri3_add(rate, vd_tri3_scale(0.5, vd_tri3_cross(turn, rate)));
  for (int i = 0; i < 3; i++) {
    shift.v[i].c[0] = centre.v[i].c[VD_TRI_B];
    shift.v[i].c[VD_TRI_C] = centre.v[i].c[VD_TRI_B | VD_TRI_C];
  }
  yield_of(spin, lowest_of(e, spin), shift, rate, figure);
  return figure[gains[g].figure].c[VD_TRI_C];
}

void vd_elastic_change_by(const vd_elastic_change *e, const vd_change *q, double spring_load,
                          double slope[VD_ELASTIC_GAINS]) {
  vd_lagrangian l = {.c = e->c, .spring_load = vd_tri_of(e->c->spring_load)};
  double by[VD_UNKNOWNS];
  l.spring_load.c[VD_TRI_C] = spring_load;
  follow(e, &l, q, by);
  for (int g = 0; g < VD_ELASTIC_GAINS; g++)
    slope[g] = figure_by(e, &l, q, g, by) - curvature(e, &l, q, g, by);
}
