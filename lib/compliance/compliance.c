/* Builds the equations of a corner and solves them for the equilibrium by Newton's method. The equations of the bodies
 * are in compliance_body.c. */
#include "compliance/compliance_impl.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "math/lu.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static const double closed = 1e-8;         /* m and rad; after a Newton step of this size the error is rounding */
static const double nearly = 2e-6;         /* m and rad; the error after a step of this size is about 2e-11 */
static const double far = 0.05;            /* m and rad, longest step */
static const double singular = 1e-12;      /* smallest pivot divided by the largest at which a body is unsupported */
static const double shortest = 1.0 / 64.0; /* smallest share of the load that is applied at a time */

/* --- building --- */

/* Numbers of points at the chassis, and of joints of the linkage, by enum vd_member_kind. */
static const int points_of[] = {[VD_ARM] = 2, [VD_ROD] = 1, [VD_SLIDER] = 1, [VD_HINGE] = 2};
static const int joints_of[] = {[VD_ARM] = 2, [VD_ROD] = 1, [VD_SLIDER] = 2, [VD_HINGE] = 5};

static bool carries_rod(const vd_compliance *c, int m) {
  for (int i = 0; i < c->corner.points.members; i++)
    if (c->corner.points.member[i].base == VD_ON_MEMBER + m)
      return true;
  return false;
}

static void make_link(vd_compliance *c, int m) {
  const vd_member *member = &c->corner.points.member[m];
  vd_elastic_link *k = &c->link[m];
  k->points = points_of[member->kind];
  k->joints = joints_of[member->kind];
  k->between = member->base >= VD_ON_MEMBER;
  k->elastic = vd_soft_ball(&c->corner, m) || carries_rod(c, m);
  for (int p = 0; p < k->points; p++) {
    const vd_bushing *b = &c->corner.bushing[m][p];
    k->elastic |= b->given;
    k->fixed[p] = !b->given;
    if (b->given)
      vd_bushing_build(b, &c->corner.law[m][p], &k->bushing[p]);
  }
  if (c->linkage.beam)
    k->elastic = c->twists;
  vd_between(member->chassis[0], k->points == 2 ? member->chassis[1] : member->knuckle, k->axis);
  vd_normalise(k->axis, k->axis);
  vd_across(k->axis, k->across[0], k->across[1]);
}

static void number_columns(vd_compliance *c) {
  int joint = 0;
  c->coordinates = 6;
  for (int m = 0; m < c->corner.points.members; m++) {
    vd_elastic_link *k = &c->link[m];
    enum vd_member_kind kind = c->corner.points.member[m].kind;
    make_link(c, m);
    k->joint = joint;
    joint += k->joints;
    k->offset = k->turn = -1;
    k->on_first_rod = c->corner.blade && m == 1;
    if (c->twists) {
      k->offset = c->coordinates;
      k->turn = k->offset + 3;
      c->coordinates += 6;
    }
    if (!k->elastic || kind == VD_HINGE || k->on_first_rod || k->between)
      continue;
    if (vd_soft_ball(&c->corner, m) || kind == VD_SLIDER) {
      k->offset = c->coordinates;
      c->coordinates += kind == VD_SLIDER ? 1 : 3;
    }
    if (kind != VD_SLIDER) {
      k->turn = c->coordinates;
      c->coordinates += 3;
    }
  }
  for (int side = 0; c->steers && side < 2; side++) {
    c->knuckle[side] = c->coordinates;
    c->coordinates += 3;
  }
  c->drivers = joint;
}

/* --- Newton --- */

/* Factorises the matrix. Rows and columns are scaled to similar size: coordinates by their own stiffness, or by 1 N/m
 * and 0.1 N m/rad if they have none, and constraints to unit length. With c->quick the matrix is symmetric, and the
 * equilibrium is nearly always a minimum of the energy. */
static bool factorise(vd_compliance *c) {
  int n = c->e.coordinates, size = n + c->e.rows;
  double largest = 0.0, smallest = INFINITY;
  for (int i = 0; i < n; i++)
    c->scale[i] = 1.0 / sqrt(fabs(c->e.matrix[i][i]) + (i < VD_TURN ? 1.0 : 0.1));
  for (int i = n; i < size; i++) {
    double square = 0.0;
    for (int j = 0; j < n; j++)
      square += c->e.matrix[i][j] * c->e.matrix[i][j] * c->scale[j] * c->scale[j];
    c->scale[i] = 1.0 / sqrt(square);
  }
  c->minimum = c->quick && vd_saddle_factorise(c->e.matrix[0], VD_UNKNOWNS, (size_t)n, (size_t)size, c->scale, singular,
                                               c->factors);
  if (c->minimum)
    return true;
  if (!vd_lu_scaled(c->e.matrix[0], VD_UNKNOWNS, (size_t)size, c->scale, c->factors))
    return false;
  vd_lu_factorise(c->factors, (size_t)size, c->order);
  for (int i = 0; i < size; i++) {
    double pivot = fabs(c->factors[i * size + i]);
    largest = vd_max(largest, pivot);
    smallest = vd_min(smallest, pivot);
  }
  return smallest > singular * largest;
}

/* Returns whether the equilibrium is a minimum of the energy. With H the energy's Hessian and A the slopes of the
 * constraints, it is one if H + w A'A is positive definite for a large weight w (Debreu 1952). The matrix is scaled
 * like the factors. Loads that do not derive from an energy make the matrix unsymmetric; then its symmetric part
 * decides. */
static bool is_minimum(const vd_compliance *c) {
  const double weight = 1e6;
  double h[VD_COORDINATES * VD_COORDINATES];
  const int n = c->e.coordinates;
  if (c->minimum)
    return true;
  vd_lu_scaled(c->e.matrix[0], VD_UNKNOWNS, (size_t)n, c->scale, h);
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      h[i * n + j] = 0.5 * (h[i * n + j] + h[j * n + i]);
  for (int r = n; r < n + c->e.rows; r++) { /* each constraint has a few columns only */
    int column[VD_COORDINATES], count = 0;
    double slope[VD_COORDINATES];
    for (int i = 0; i < n; i++)
      if (c->e.matrix[r][i] != 0.0) {
        column[count] = i;
        slope[count++] = c->scale[r] * c->scale[i] * c->e.matrix[r][i];
      }
    for (int i = 0; i < count; i++)
      for (int j = i; j < count; j++)
        h[column[i] * n + column[j]] += weight * slope[i] * slope[j];
  }
  return vd_lu_is_positive(h, (size_t)n);
}

static void resolve_scaled(const vd_compliance *c, double *x) {
  const size_t n = (size_t)c->e.coordinates, size = n + (size_t)c->e.rows;
  if (c->minimum)
    vd_saddle_solve(c->factors, n, size, x);
  else
    vd_lu_solve_one(c->factors, c->order, size, x);
}

/* Solves for one right side, in place. */
static void resolve(const vd_compliance *c, double *x) {
  const int size = c->e.coordinates + c->e.rows;
  for (int i = 0; i < size; i++)
    x[i] *= c->scale[i];
  resolve_scaled(c, x);
  for (int i = 0; i < size; i++)
    x[i] *= c->scale[i];
}

static void move(const vd_compliance *c, const double *x, double share, vd_bodies *at) {
  double by[VD_UNKNOWNS];
  for (int i = 0; i < c->e.coordinates + c->e.rows; i++)
    by[i] = -share * x[i];
  for (int i = 0; i < 3; i++)
    at->shift[i] += by[VD_SHIFT + i];
  vd_turn_on(by + VD_TURN, at->turn);
  for (int m = 0; m < c->corner.points.members; m++) {
    const vd_elastic_link *k = &c->link[m];
    int count = c->corner.points.member[m].kind == VD_SLIDER ? 1 : 3;
    for (int i = 0; k->offset >= 0 && i < count; i++)
      at->offset[m][i] += by[k->offset + i];
    if (k->turn >= 0)
      vd_turn_on(by + k->turn, at->member_turn[m]);
  }
  for (int side = 0; c->steers && side < 2; side++)
    vd_turn_on(by + c->knuckle[side], at->knuckle_turn[side]);
  for (int r = 0; r < c->e.rows; r++)
    at->multiplier[r] += by[c->e.coordinates + r];
}

static double imbalance(const vd_compliance *c, const double *scale) {
  double square = 0.0;
  for (int i = 0; i < c->e.coordinates + c->e.rows; i++)
    square += c->e.value[i] * c->e.value[i] * scale[i] * scale[i];
  return square;
}

static double longest(const double *x, int count) {
  double most = 0.0;
  for (int i = 0; i < count; i++)
    most = vd_max(most, isnan(x[i]) ? INFINITY : fabs(x[i]));
  return most;
}

/* Moves along a Newton step, which is shortened until the imbalance falls. Afterwards the equations are those at the
 * new point. */
static bool search(vd_compliance *c, const vd_load_case *t, const double *x, double share, vd_bodies *at) {
  enum { HALVINGS = 8 };
  double scale[VD_UNKNOWNS], before;
  memcpy(scale, c->scale, sizeof scale);
  before = imbalance(c, scale);
  for (int k = 0; k < HALVINGS; k++, share *= 0.5) {
    vd_bodies next = *at;
    move(c, x, share, &next);
    vd_compliance_evaluate(c, t, &next);
    if (imbalance(c, scale) < (1.0 - 1e-4 * share) * before) {
      *at = next;
      return true;
    }
  }
  return false;
}

/* Takes a step so short that the equations are linear over it, and updates the values and the energy without
 * evaluation. The step dx solves the linear equations of the constraints c, A dx = -c, with their slopes A. The energy
 * U then changes by dU/dx . dx = (dU/dx + multiplier A) . dx + multiplier . c. */
static void take_last_step(vd_compliance *c, const double *x, vd_bodies *at) {
  for (int i = 0; i < c->e.coordinates; i++)
    c->e.energy -= c->unloaded[i] * x[i];
  for (int r = 0; r < c->e.rows; r++)
    c->e.energy += c->e.multiplier[r] * c->e.value[c->e.coordinates + r];
  move(c, x, 1.0, at);
  memset(c->e.value, 0, sizeof c->e.value);
}

static void add_steps(const double *from, int count, double *to) {
  for (int i = 0; i < count; i++)
    to[i] += from[i];
}

/* Solves the equations by Newton's method. On success the equations and their factors are those of the equilibrium;
 * with c->quick, matrix and factors are those before the last step. before: the load case of the equations and factors
 * that exist at the start (NULL: none exist); only its loads differ from *t. */
static bool newton(vd_compliance *c, const vd_load_case *t, const vd_load_case *before, vd_bodies *at) {
  enum { ROUNDS = 30 };
  double later[VD_UNKNOWNS] = {0.0};
  if (before)
    vd_change_wheel_load(c, before, t, at);
  else
    vd_compliance_evaluate(c, t, at);
  for (int round = 0; round < ROUNDS; round++) {
    double x[VD_UNKNOWNS];
    if (!(before && round == 0) && !factorise(c))
      return false;
    memcpy(x, c->e.value, sizeof x);
    resolve(c, x);
    double step = longest(x, c->e.coordinates);
    if (before && round > 0)
      add_steps(x, c->e.coordinates + c->e.rows, later);
    if (c->quick && step <= nearly) {
      take_last_step(c, x, at);
      if (c->later)
        memcpy(c->later, later, sizeof later);
      return is_minimum(c);
    }
    if (before && round == 0 && c->later) {
      memcpy(later, c->later, sizeof later);
      add_steps(later, c->e.coordinates + c->e.rows, x);
    }
    if (step <= closed) {
      move(c, x, 1.0, at);
      vd_compliance_evaluate(c, t, at);
      return factorise(c) && is_minimum(c);
    }
    if (!search(c, t, x, vd_min(1.0, far / step), at))
      return false;
  }
  return false;
}

/* --- the interface --- */

/* Returns whether stiffnesses and constraints support all bodies in the design position without loads. */
static bool is_supported(vd_compliance *c) {
  vd_load_case t = {.hold = c->hold == VD_HOLD_FREE ? VD_HOLD_FREE : VD_HOLD_CENTRE};
  double load = c->spring_load;
  vd_bodies at;
  c->spring_load = 0.0;
  vd_compliance_start(c, &t, &c->rigid, &at);
  vd_compliance_evaluate(c, &t, &at);
  c->spring_load = load;
  return factorise(c);
}

vd_compliance *vd_compliance_create(const vd_corner *corner, const vd_linkage *l, enum vd_hold hold) {
  vd_compliance *c = vd_allocate(1, sizeof *c);
  c->corner = *corner;
  c->linkage = c->shifted = *l;
  c->hold = hold;
  for (int m = 0; m < l->points.members; m++)
    c->shifted.points.member[m].steered = false;
  c->twists = l->beam && corner->beam.given;
  c->steers = l->points.steer.given;
  c->joined = l->axle || c->twists;
  if (c->twists) {
    bool built = vd_linkage_build(&l->points, VD_EACH, &c->linkage);
    assert(built);
  }
  vd_linkage_start(&c->linkage, &c->rigid);
  c->rigid_right = c->rigid;
  number_columns(c);
  if (c->twists)
    vd_beam_build(c);
  vd_compliance_load_spring(c);
  c->supported = (hold != VD_HOLD_FREE || (c->sprung && !c->joined)) && is_supported(c);
  return c;
}

void vd_compliance_destroy(vd_compliance *c) {
  for (int m = 0; c && m < VD_MEMBERS; m++)
    for (int p = 0; p < 2; p++)
      free(c->link[m].bushing[p].table);
  free(c);
}

void vd_compliance_expect(vd_compliance *c, double *later) {
  c->later = later;
}

void vd_compliance_be_quick(vd_compliance *c) {
  c->quick = true;
}

void vd_compliance_load_right(vd_compliance *c, const vd_wheel_load *load) {
  c->right = *load;
}

static bool move_pose(const vd_linkage *l, const double *u, vd_pose *pose) {
  if (pose->u[0] == u[0] && pose->u[1] == u[1])
    return true;
  if (vd_linkage_move(l, u, pose) == VD_LINKAGE_OK)
    return true;
  vd_linkage_start(l, pose);
  return vd_linkage_move(l, u, pose) == VD_LINKAGE_OK;
}

/* Moves the rigid linkage to the inputs u. gear: the rack of an axle that steers. */
static bool move_rigid(vd_compliance *c, const double *u, double gear) {
  const double swapped[VD_INPUTS] = {u[1], u[0]};
  if (!move_pose(&c->linkage, u, &c->rigid) || (c->twists && !move_pose(&c->linkage, swapped, &c->rigid_right)))
    return false;
  c->rigid.gear = c->steers ? gear : 0.0;
  return vd_knuckles_reach(&c->linkage, &c->rigid);
}

/* Returns whether the spring determines the height of the wheel. */
static bool spring_sets_height(const vd_compliance *c, const double *u, const vd_wheel_load *load) {
  return c->sprung && u[0] == 0.0 && load->fz > 0.0;
}

/* Finds the rises of the wheel centres with the rigid linkage. */
static void find_heights(const vd_compliance *c, vd_load_case *t) {
  vd_bodies at;
  vd_reach reach;
  double displaced[3];
  vd_compliance_start(c, t, &c->rigid, &at);
  for (int side = 0; side < 2; side++) {
    vd_wheel_point(c, &at, side, &reach, displaced);
    t->height[side] = displaced[2];
  }
}

static void set_task(vd_compliance *c, const double *u, const vd_wheel_load *load, vd_load_case *t) {
  enum vd_hold hold = c->hold;
  if (hold == VD_HOLD_AUTO)
    hold = spring_sets_height(c, u, load) && !c->joined ? VD_HOLD_FREE : VD_HOLD_CENTRE;
  *t = (vd_load_case){
      .u = {u[0], u[1]}, .gear = c->rigid.gear, .height = {u[0], u[1]}, .hold = hold, .load = *load, .right = c->right};
  for (int m = 0; m < c->corner.points.members; m++)
    if (c->corner.points.member[m].steered) {
      const double *point = c->corner.points.member[m].chassis[0];
      vd_jet3_value(vd_gear_point(&c->corner.points.gear, u[1], point), c->shifted.points.member[m].chassis[0]);
    }
  if (c->steers) {
    const double *joint = c->corner.points.steer.drag_link[0];
    vd_jet3_value(vd_gear_point(&c->corner.points.gear, c->rigid.gear, joint), c->shifted.points.steer.drag_link[0]);
    find_heights(c, t);
  }
}

static vd_wheel_load part_of(const vd_wheel_load *load, double from, double share) {
  vd_wheel_load part = {.rolls = load->rolls};
  memcpy(part.from, load->from, sizeof part.from);
  vd_add_load(load, share, &part);
  part.fz = from + share * (load->fz - from);
  return part;
}

/* Starts at the rigid linkage's pose with the load that is in equilibrium there, and applies the difference to the
 * whole load in parts. */
static bool load_slowly(vd_compliance *c, const vd_load_case *whole, vd_bodies *at) {
  double done = 0.0, part = 0.25, from = whole->hold == VD_HOLD_FREE ? c->equilibrium_load : 0.0;
  vd_load_case t = *whole;
  vd_compliance_start(c, whole, &c->rigid, at);
  while (done < 1.0) {
    double next = vd_min(1.0, done + part);
    vd_bodies there = *at;
    t.load = part_of(&whole->load, from, next);
    t.right = part_of(&whole->right, from, next);
    if (newton(c, &t, NULL, &there)) {
      *at = there;
      done = next;
    } else {
      part *= 0.5;
      if (!(part >= shortest))
        return false;
    }
  }
  return true;
}

/* The columns on which the motion of a wheel depends. */
typedef struct wheel_motion {
  vd_reach centre;
  int turn;
} wheel_motion;

static wheel_motion motion_of(const vd_compliance *c, int side) {
  wheel_motion w = {.turn = vd_wheel_turn_column(c, side)};
  double displaced[3];
  vd_wheel_point(c, &c->last, side, &w.centre, displaced);
  return w;
}

/* Right sides or solutions of the scaled equations, the columns of number[unknowns][pitch]. */
typedef struct scaled_columns {
  const double *scale; /* of each unknown */
  size_t pitch;
  double *number;
} scaled_columns;

VD_INLINE double *number_at(const scaled_columns *s, int unknown, int column) {
  return &s->number[(size_t)unknown * s->pitch + (size_t)column];
}

/* Converts a force at the wheel centre, or a moment, along `axis' to generalised forces on the coordinates, in a column
 * that is zero. The same weights give the wheel's displacement or rotation from changes of the coordinates. */
static void unit_load(const wheel_motion *w, int axis, const scaled_columns *to, int column) {
  const int own = axis < 3 ? w->centre.shift + axis : w->turn + axis - 3;
  *number_at(to, own, column) = to->scale[own];
  for (int t = 0; axis < 3 && t < w->centre.turns; t++) {
    double moment[3];
    vd_cross(w->centre.arm[t], vd_unit_vectors[axis], moment);
    for (int i = 0, k = w->centre.turn[t]; i < 3; i++, k++)
      *number_at(to, k, column) = to->scale[k] * moment[i];
  }
}

static double shift_of(const wheel_motion *w, int axis, const scaled_columns *of, int column) {
  const int own = axis < 3 ? w->centre.shift + axis : w->turn + axis - 3;
  double shift = of->scale[own] * *number_at(of, own, column);
  for (int t = 0; axis < 3 && t < w->centre.turns; t++) {
    double turn[3], by[3];
    for (int i = 0, k = w->centre.turn[t]; i < 3; i++, k++)
      turn[i] = of->scale[k] * *number_at(of, k, column);
    vd_cross(turn, w->centre.arm[t], by);
    shift += by[axis];
  }
  return shift;
}

/* Computes the motions of the first `wheels' wheels under unit loads on them. The columns are filled up to a multiple
 * of four, so that the processor computes all of them in parallel. With symmetric factors each flexibility is a product
 * of two columns, and the second half of the elimination is not needed. */
static void find_columns(vd_compliance *c, int wheels, double *flexibility) {
  const wheel_motion w[VD_AXLE_WHEELS] = {motion_of(c, 0), motion_of(c, wheels - 1)};
  const int count = 6 * wheels;
  const size_t pitch = ((size_t)count + 3) / 4 * 4, size = (size_t)(c->e.coordinates + c->e.rows);
  double number[VD_UNKNOWNS * VD_AXLE_FREEDOMS];
  const scaled_columns all = {c->scale, pitch, number};
  memset(number, 0, size * pitch * sizeof *number);
  for (int j = 0; j < count; j++)
    unit_load(&w[j / 6], j % 6, &all, j);
  if (c->minimum) {
    double product[VD_AXLE_FREEDOMS * VD_AXLE_FREEDOMS];
    vd_saddle_product(c->factors, size, pitch, number, product);
    for (int i = 0; i < count; i++)
      memcpy(flexibility + count * i, product + (size_t)i * pitch, (size_t)count * sizeof *flexibility);
    return;
  }
  vd_lu_solve_all(c->factors, c->order, size, pitch, pitch, number);
  for (int j = 0; j < count; j++)
    for (int i = 0; i < count; i++)
      flexibility[count * i + j] = shift_of(&w[i / 6], i % 6, &all, j);
}

void vd_compliance_at_contact(const vd_compliance_state *state, int axis, double column[6]) {
  double unit_force[3] = {axis == 0, axis == 1, axis == 2}, moment[3];
  vd_cross(state->contact, unit_force, moment);
  for (int i = 0; i < 6; i++)
    column[i] = state->flexibility[i][axis] + vd_dot(state->flexibility[i] + 3, moment);
}

/* Computes the pose of the body that carries a wheel. */
static void place(const vd_compliance *c, const vd_bodies *at, int side, vd_pose *pose) {
  vd_reach reach;
  double displaced[3];
  vd_at_side(c->corner.points.wheel_center, side, pose->at);
  vd_wheel_point(c, at, side, &reach, displaced);
  for (int i = 0; i < 3; i++)
    pose->at[i] += displaced[i];
  vd_turn_matrix(vd_wheel_turn(c, at, side), pose->turn);
}

static void place_right(const vd_compliance *c, const vd_bodies *at, vd_pose *pose) {
  place(c, at, 1, pose);
  pose->at[1] = -pose->at[1];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      pose->turn[i][j] *= (i == 1) != (j == 1) ? -1.0 : 1.0;
}

void vd_compliance_right_pose(const vd_compliance *c, vd_pose *pose) {
  place_right(c, &c->last, pose);
}

/* Returns whether a pose is that of the last equilibrium. */
static bool is_last(const vd_compliance *c, const vd_pose *pose) {
  vd_pose last;
  if (!c->solved)
    return false;
  place(c, &c->last, 0, &last);
  return memcmp(pose->at, last.at, sizeof last.at) == 0 && memcmp(pose->turn, last.turn, sizeof last.turn) == 0;
}

static bool acts_alike(const vd_wheel_load *a, const vd_wheel_load *b) {
  return a->rolls == b->rolls && memcmp(a->from, b->from, sizeof a->from) == 0;
}

/* Returns whether two load cases differ only in the size of their loads, in which the equations are linear. */
static bool only_loads_differ(const vd_load_case *a, const vd_load_case *b) {
  return a->hold == b->hold && memcmp(a->u, b->u, sizeof a->u) == 0 && a->gear == b->gear &&
         memcmp(a->height, b->height, sizeof a->height) == 0 && memcmp(a->ground, b->ground, sizeof a->ground) == 0 &&
         acts_alike(&a->load, &b->load) && acts_alike(&a->right, &b->right);
}

/* Finds an equilibrium by Newton's method from a pose. For an axle that steers it starts at the rigid linkage's pose,
 * since the pose of a knuckle does not determine that of the axle. If the pose is that of the last equilibrium and
 * `hold` is unchanged, the links and multipliers are known, too. ready: the factors of the last equilibrium exist. */
static bool find(vd_compliance *c, const vd_load_case *t, const vd_pose *from, bool ready, vd_bodies *at) {
  const bool last = c->task.hold == t->hold && is_last(c, from);
  if (last)
    *at = c->last;
  else
    vd_compliance_start(c, t, c->steers ? &c->rigid : from, at);
  const bool known = last && ready && c->quick && only_loads_differ(&c->task, t);
  return newton(c, t, known ? &c->task : NULL, at) || load_slowly(c, t, at);
}

/* Finds the height of the ground under the lowest point: the height of that point with the rigid linkage, or the height
 * at which the spring alone carries the wheel's load. */
static bool find_ground(vd_compliance *c, const vd_pose *from, vd_load_case *t) {
  double lowest[3], displaced[3];
  if (!spring_sets_height(c, t->u, &t->load) || c->joined) {
    vd_bodies rigid;
    vd_compliance_start(c, t, &c->rigid, &rigid);
    for (int side = 0; side < (c->joined ? 2 : 1); side++) {
      vd_reach reach;
      vd_wheel_point(c, &rigid, side, &reach, displaced);
      vd_lowest_point(c, side, vd_wheel_turn(c, &rigid, side), lowest, NULL);
      t->ground[side] = c->corner.points.wheel_center[2] + displaced[2] + lowest[2];
    }
    return true;
  }
  if (!(c->settled_load == t->load.fz && c->settled_rack == t->u[1])) {
    const vd_load_case alone = {.u = {t->u[0], t->u[1]}, .hold = VD_HOLD_FREE, .load = {.fz = t->load.fz}};
    vd_bodies at;
    if (!find(c, &alone, from, false, &at))
      return false;
    vd_lowest_point(c, 0, at.turn, lowest, NULL);
    c->settled_load = t->load.fz;
    c->settled_rack = t->u[1];
    c->settled = c->corner.points.wheel_center[2] + at.shift[2] + lowest[2];
  }
  t->ground[0] = c->settled;
  return true;
}

bool vd_compliance_settle(vd_compliance *c, const double *u, const vd_wheel_load *load, vd_compliance_state *state) {
  vd_load_case t;
  vd_bodies at;
  if (!c->supported || !move_rigid(c, u, state->pose.gear))
    return false;
  const bool ready = c->ready;
  c->ready = false;
  set_task(c, u, load, &t);
  if (t.hold == VD_HOLD_GROUND) {
    if (!find_ground(c, &state->pose, &t))
      return false;
    t.load.fz = t.right.fz = 0.0; /* the ground's own force is the result */
  }
  bool found = find(c, &t, &state->pose, ready, &at);
  c->solved = c->ready = found;
  if (!found)
    return false;
  state->hold = t.hold;
  state->energy = c->e.energy;
  state->support = c->jack >= 0 ? -at.multiplier[c->jack] : 0.0;
  state->residual = longest(c->e.value, c->e.coordinates);
  c->task = t;
  c->last = at;
  vd_lowest_point(c, 0, vd_wheel_turn(c, &at, 0), state->contact, NULL);
  place(c, &at, 0, &state->pose);
  state->pose.u[0] = t.hold == VD_HOLD_CENTRE ? u[0] : at.shift[2];
  state->pose.u[1] = u[1];
  return true;
}

bool vd_compliance_solve(vd_compliance *c, const double *u, const vd_wheel_load *load, vd_compliance_state *state) {
  if (!vd_compliance_settle(c, u, load, state))
    return false;
  find_columns(c, 1, state->flexibility[0]);
  return true;
}

bool vd_compliance_rigid(vd_compliance *c, const double *u, vd_pose *pose, double *springs) {
  static const vd_wheel_load none;
  vd_load_case t;
  vd_bodies at;
  if (!move_rigid(c, u, pose[0].gear))
    return false;
  set_task(c, u, &none, &t);
  vd_compliance_start(c, &t, &c->rigid, &at);
  memcpy(pose[0].u, u, sizeof pose->u);
  place(c, &at, 0, &pose[0]);
  if (c->joined) {
    memcpy(pose[1].u, (const double[]){u[1], u[0]}, sizeof pose->u);
    place_right(c, &at, &pose[1]);
  }
  *springs = vd_coil_energies(c, &at);
  c->solved = c->ready = false;
  return true;
}

/* Finds the flexibility without the constraints of the jack or ground, which are the last rows: two for joined wheels.
 * The second derivatives of these constraints remain in the equations, since dead forces of the same size at the same
 * points add the same terms. */
static bool find_released(vd_compliance *c, int wheels, double *flexibility) {
  if (!c->solved)
    return false;
  int along_axle = c->jack < 0 ? 0 : c->joined ? 2 : 1;
  c->ready = false;
  c->e.rows -= along_axle;
  bool stands = factorise(c);
  if (stands)
    find_columns(c, wheels, flexibility);
  c->e.rows += along_axle;
  return stands;
}

bool vd_compliance_release(vd_compliance *c, double flexibility[6][6]) {
  return find_released(c, 1, flexibility[0]);
}

/* --- both wheels --- */

static void place_wheel(const vd_compliance *c, int side, vd_compliance_axle *out) {
  const double *turn = vd_wheel_turn(c, &c->last, side), outward = side ? -1.0 : 1.0;
  double axle[3], spin[3];
  vd_wheel_axle(c, side, axle);
  vd_turned(turn, axle, spin);
  vd_lowest_point(c, side, turn, out->contact[side], NULL);
  for (int i = 0; i < 3; i++)
    out->spin[side][i] = outward * spin[i];
}

static void find_housing(vd_compliance *c, double *housing) {
  static const double left[3] = {0.0, 1.0, 0.0};
  double number[VD_UNKNOWNS] = {0.0}, axle[3];
  const scaled_columns motion = {c->scale, 1, number};
  vd_turned(c->last.turn, left, axle);
  for (int i = 0, k = VD_TURN; i < 3; i++, k++)
    *number_at(&motion, k, 0) = c->scale[k] * axle[i];
  resolve_scaled(c, number);
  for (int side = 0; side < VD_AXLE_WHEELS; side++) {
    const wheel_motion w = motion_of(c, side);
    for (int i = 0; i < 6; i++)
      housing[6 * side + i] = shift_of(&w, i, &motion, 0);
  }
}

bool vd_compliance_of_axle(vd_compliance *c, bool release, vd_compliance_axle *out) {
  *out = (vd_compliance_axle){.c = {{0.0}}};
  if (!c->joined || !c->solved || (release && !find_released(c, VD_AXLE_WHEELS, out->c[0])))
    return false;
  if (!release) {
    find_columns(c, VD_AXLE_WHEELS, out->c[0]);
    if (!c->twists)
      find_housing(c, out->housing);
  }
  for (int side = 0; side < VD_AXLE_WHEELS; side++)
    place_wheel(c, side, out);
  return true;
}

bool vd_compliance_turns_of(const vd_corner *corner, const vd_linkage *l, vd_compliance_turns *out) {
  static const double design[VD_INPUTS] = {0.0, 0.0};
  static const int about[2] = {3, 5};
  enum { FX, FY, MZ, BRAKE };
  double *const to[2] = {out->about_x, out->about_z};
  vd_compliance_state state;
  const vd_wheel_load load = {.fz = isnan(corner->wheel_load) ? 0.0 : corner->wheel_load};
  double lateral[6];
  vd_compliance *c = vd_compliance_create(corner, l, VD_HOLD_CENTRE);
  vd_linkage_start(l, &state.pose);
  bool found = vd_compliance_solve(c, design, &load, &state);
  if (found) {
    vd_compliance_at_contact(&state, 1, lateral);
    for (int k = 0; k < 2; k++) {
      const double *turn = state.flexibility[about[k]];
      to[k][FX] = turn[0];
      to[k][FY] = lateral[about[k]];
      to[k][MZ] = turn[5];
      to[k][BRAKE] = vd_dot(turn + 3, l->spin_axis);
    }
  }
  vd_compliance_destroy(c);
  return found;
}
