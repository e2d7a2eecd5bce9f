#include "kc/lagrangian.h"

#include <assert.h>

typedef struct sum {
  const vd_lagrangian *l;
  const vd_compliance *c;
  const vd_change *q;
  const vd_tri *y;
  vd_moved_body knuckle, member[VD_MEMBERS]; /* member: arm or rod of its own, at its ball joint; of a twist beam [0] is
                                                the right arm, at its wheel centre */
  vd_tri3 offset[VD_MEMBERS];
  vd_moved_body steered[2]; /* knuckles of an axle that steers, at the lower points of their kingpins */
  int rows;
  vd_tri all;
} sum;

static void add(sum *s, vd_tri term) {
  s->all = vd_tri_add(s->all, term);
}

static void add_row(sum *s, vd_tri value) {
  vd_tri multiplier = s->y[s->c->coordinates + s->rows];
  multiplier.c[0] += s->c->last.multiplier[s->rows++];
  add(s, vd_tri_mul(multiplier, value));
}

static vd_tri3 of_unknowns(const sum *s, int column) {
  return (vd_tri3){{s->y[column], s->y[column + 1], s->y[column + 2]}};
}

/* --- bodies --- */

static void place_knuckle(sum *s) {
  vd_moved_body *b = &s->knuckle;
  b->origin = vd_changed_point(s->q, s->c->corner.points.wheel_center);
  b->at = vd_tri3_add(b->origin, vd_tri3_add(vd_tri3_of(s->c->last.shift), of_unknowns(s, VD_SHIFT)));
  b->turn = of_unknowns(s, VD_TURN);
  vd_turn_matrix(s->c->last.turn, b->base);
}

static void place_member(sum *s, int m) {
  const vd_elastic_link *k = &s->c->link[m];
  vd_moved_body *b = &s->member[m];
  if (k->turn < 0)
    return;
  b->turn = of_unknowns(s, k->turn);
  vd_turn_matrix(s->c->last.member_turn[m], b->base);
  s->offset[m] = vd_tri3_of(s->c->last.offset[m]);
  if (k->offset >= 0)
    s->offset[m] = vd_tri3_add(s->offset[m], of_unknowns(s, k->offset));
  if (s->c->twists) {
    b->origin = vd_tri3_mirrored(s->knuckle.origin);
    b->at = vd_tri3_add(b->origin, s->offset[m]);
    return;
  }
  b->origin = vd_changed_point(s->q, s->c->corner.points.member[m].knuckle);
  b->at = vd_tri3_add(vd_moved_point(s->q, &s->knuckle, s->c->corner.points.member[m].knuckle), s->offset[m]);
}

static void place_steered(sum *s, int side) {
  vd_moved_body *b = &s->steered[side];
  const double *pin = s->c->corner.points.steer.kingpin[side][0];
  b->origin = vd_changed_point(s->q, pin);
  b->at = vd_moved_point(s->q, &s->knuckle, pin);
  b->turn = of_unknowns(s, s->c->knuckle[side]);
  vd_turn_matrix(s->c->last.knuckle_turn[side], b->base);
}

static void place_bodies(sum *s) {
  place_knuckle(s);
  for (int m = 0; m < s->c->corner.points.members; m++)
    place_member(s, m);
  for (int side = 0; s->c->steers && side < 2; side++)
    place_steered(s, side);
}

static const vd_moved_body *body_of(const sum *s, int m) {
  return &s->member[s->c->link[m].carried ? 0 : m];
}

/* --- bushings --- */

/* A stiffness that the change may be of. */
static vd_tri rate_of(const sum *s, enum vd_change_kind kind, int member, double rate) {
  bool changes = s->q->kind == kind && (kind != VD_CHANGE_BALL || s->q->member == member);
  return (vd_tri){{rate, [VD_TRI_C] = changes ? rate : 0.0}};
}

static bool changes_bushing(const sum *s, int m, int p, int direction) {
  const vd_change *q = s->q;
  return q->kind == VD_CHANGE_BUSHING && q->member == m && q->point == p && q->axis == direction;
}

/* Of a vector of displacement or turn, by the three directions from `first` on. */
static void add_bushing(sum *s, int m, int p, const vd_elastic_bushing *b, int first, vd_tri3 v) {
  const double(*axes)[3] = first < 3 ? b->axis : b->about;
  for (int k = 0; k < 3; k++) {
    vd_tri x = vd_tri3_along(axes[k], v);
    double energy[4];
    vd_bushing_energy(b, first + k, x.c[0], energy);
    vd_tri u = vd_tri_chain(x, energy[0], energy[1], energy[2], energy[3]);
    if (changes_bushing(s, m, p, first + k)) {
      double rate = b->law->table[first + k].count > 0 ? 0.0 : b->linear->stiffness[first + k];
      vd_tri more = vd_tri_scale(0.5 * rate, vd_tri_mul(x, x));
      for (int i = 0; i < VD_TRI_C; i++)
        u.c[VD_TRI_C + i] += more.c[i];
    }
    add(s, u);
  }
}

/* t = 2 vec(exp(turn/2) q), of which exp(turn/2) = (1 - turn^2/8, turn/2 (1 - turn^2/24)). */
static vd_tri3 turn_vector(vd_tri3 turn, const double *q) {
  vd_tri square = vd_tri3_dot(turn, turn), scalar = vd_tri_scale(-0.125, square),
         share = vd_tri_scale(-1.0 / 48.0, square);
  scalar.c[0] += 1.0;
  share.c[0] += 0.5;
  vd_tri3 p = vd_tri3_times(share, turn), old = vd_tri3_of(q + 1);
  vd_tri3 vector = vd_tri3_add(vd_tri3_scale(q[0], p), vd_tri3_times(scalar, old));
  return vd_tri3_scale(2.0, vd_tri3_add(vector, vd_tri3_cross(p, old)));
}

/* --- members --- */

static vd_tri3 slider_axis(const sum *s, const vd_member *m) {
  return vd_tri3_unit(vd_tri3_sub(vd_changed_point(s->q, m->knuckle), vd_changed_point(s->q, m->chassis[0])));
}

/* Where a chassis point of an elastic member is. */
static vd_tri3 chassis_point(const sum *s, int m, int p) {
  const vd_member *member = &s->c->corner.points.member[m];
  const vd_elastic_link *k = &s->c->link[m];
  if (member->kind == VD_ARM || member->kind == VD_ROD)
    return vd_moved_point(s->q, body_of(s, m), member->chassis[p]);
  vd_tri3 at = vd_moved_point(s->q, &s->knuckle, member->chassis[p]);
  if (member->kind == VD_SLIDER) {
    vd_tri slide = s->y[k->offset];
    slide.c[0] += s->c->last.offset[m][0];
    at = vd_tri3_add(at, vd_tri3_times(slide, vd_moved_direction(&s->knuckle, slider_axis(s, member))));
  }
  return at;
}

static void add_fixed(sum *s, int m, int p, vd_tri3 v) {
  const vd_elastic_link *k = &s->c->link[m];
  bool second = p == 1 && k->fixed[0];
  for (int i = 0; i < (second ? 2 : 3); i++)
    add_row(s, second ? vd_tri3_along(k->across[i], v) : v.v[i]);
}

static void add_twist(sum *s, int m, int p) {
  const vd_member *member = &s->c->corner.points.member[m];
  const vd_elastic_bushing *b = &s->c->link[m].bushing[p];
  const int body = s->c->link[m].carried ? 0 : m;
  if (member->kind == VD_SLIDER) {
    vd_tri3 axis = slider_axis(s, member);
    add_bushing(s, m, p, b, 3, vd_tri3_cross(axis, vd_moved_direction(&s->knuckle, axis)));
  } else if (member->kind == VD_HINGE) {
    add_bushing(s, m, p, b, 3, turn_vector(s->knuckle.turn, s->c->last.turn));
  } else {
    add_bushing(s, m, p, b, 3, turn_vector(s->member[body].turn, s->c->last.member_turn[body]));
  }
}

static void add_ball(sum *s, int m, vd_tri3 v) {
  vd_tri rate = rate_of(s, VD_CHANGE_BALL, m, s->c->corner.ball_stiffness[m]);
  add(s, vd_tri_scale(0.5, vd_tri_mul(rate, vd_tri3_dot(v, v))));
}

static void join_blade(sum *s, int m) {
  const vd_hardpoints *h = &s->c->corner.points;
  const double *first = h->member[0].knuckle, *second = h->member[m].knuckle;
  vd_tri3 v = vd_tri3_sub(vd_moved_point(s->q, &s->member[0], second), vd_moved_point(s->q, &s->knuckle, second));
  int steepest = 0;
  for (int i = 1; i < 3; i++)
    if (fabs(second[i] - first[i]) > fabs(second[steepest] - first[steepest]))
      steepest = i;
  for (int i = 0; i < 3 && !vd_soft_ball(&s->c->corner, m); i++)
    if (vd_soft_ball(&s->c->corner, 0) || i != steepest)
      add_row(s, v.v[i]);
  if (vd_soft_ball(&s->c->corner, m))
    add_ball(s, m, v);
}

static void add_elastic(sum *s, int m) {
  const vd_member *member = &s->c->corner.points.member[m];
  const vd_elastic_link *k = &s->c->link[m];
  for (int p = 0; p < k->points; p++) {
    vd_tri3 v = vd_tri3_sub(chassis_point(s, m, p), vd_changed_point(s->q, member->chassis[p]));
    if (k->fixed[p])
      add_fixed(s, m, p, v);
    else
      add_bushing(s, m, p, &k->bushing[p], 0, v);
  }
  for (int p = 0; p < k->points; p++)
    if (!k->fixed[p])
      add_twist(s, m, p);
  if (k->carried)
    join_blade(s, m);
  else if (vd_soft_ball(&s->c->corner, m))
    add_ball(s, m, s->offset[m]);
}

/* A rod between ball joints that are d apart, at design `before'; rate: along its line, 0: rigid. */
static void add_rod(sum *s, vd_tri3 d, vd_tri3 before, vd_tri rate) {
  vd_tri square = vd_tri3_dot(before, before);
  if (rate.c[0] > 0.0) {
    vd_tri longer = vd_tri_sub(vd_tri3_length(d), vd_tri_sqrt(square));
    add(s, vd_tri_scale(0.5, vd_tri_mul(rate, vd_tri_mul(longer, longer))));
  } else {
    add_row(s, vd_tri_scale(0.5 / sqrt(square.c[0]), vd_tri_sub(vd_tri3_dot(d, d), square)));
  }
}

/* A rod between the knuckle and an arm of its own. */
static void add_between(sum *s, int m) {
  const vd_member *member = &s->c->corner.points.member[m];
  vd_tri3 inner = vd_moved_point(s->q, &s->member[member->base - VD_ON_MEMBER], member->chassis[0]);
  vd_tri3 d = vd_tri3_sub(inner, vd_moved_point(s->q, &s->knuckle, member->knuckle));
  vd_tri3 before = vd_tri3_sub(vd_changed_point(s->q, member->chassis[0]), vd_changed_point(s->q, member->knuckle));
  double rate = vd_soft_ball(&s->c->corner, m) ? s->c->corner.ball_stiffness[m] : 0.0;
  add_rod(s, d, before, rate_of(s, VD_CHANGE_BALL, m, rate));
}

static void add_members(sum *s) {
  for (int m = 0; m < s->c->corner.points.members; m++) {
    const vd_elastic_link *k = &s->c->link[m];
    if (k->between)
      add_between(s, m);
    else if (k->elastic)
      add_elastic(s, m);
    else {
      vd_tri row[VD_JOINTS];
      int count = vd_moved_rows(s->q, &s->c->linkage, m, &s->knuckle, vd_tri_of(0.0), row);
      for (int i = 0; i < count; i++)
        add_row(s, row[i]);
    }
  }
}

/* --- twist beams --- */

/* Where an arm takes a point that is given at its own place at design, and may change. */
static vd_tri3 arm_moves(const sum *s, int side, vd_tri3 point) {
  const vd_moved_body *b = side ? &s->member[0] : &s->knuckle;
  return vd_tri3_sub(vd_moved_place(b, point), point);
}

static void add_pivot(sum *s, int side) {
  const vd_elastic_bushing *b = vd_pivot_bushing(s->c, side);
  vd_tri3 pivot = vd_changed_point(s->q, s->c->corner.points.member[0].chassis[0]);
  vd_tri3 v = arm_moves(s, side, side ? vd_tri3_mirrored(pivot) : pivot);
  if (s->c->link[0].fixed[0]) {
    add_fixed(s, 0, 0, v);
    return;
  }
  add_bushing(s, 0, 0, b, 0, v);
  add_bushing(s, 0, 0, b, 3, turn_vector(side ? s->member[0].turn : s->knuckle.turn, vd_arm_turn(&s->c->last, side)));
}

/* R'v of a body. */
static vd_tri3 turned_back(const vd_moved_body *b, vd_tri3 v) {
  vd_tri3 out;
  for (int i = 0; i < 3; i++) {
    const double axis[3] = {i == 0, i == 1, i == 2};
    out.v[i] = vd_tri3_dot(vd_moved_direction(b, vd_tri3_of(axis)), v);
  }
  return out;
}

/* 2 vec(q) of a turn R by its matrix: R - R' = 4 q0 [vec x] and trace R = 4 q0^2 - 1. */
static vd_tri3 matrix_turn(vd_tri3 column[3]) {
  vd_tri trace = vd_tri_add(column[0].v[0], vd_tri_add(column[1].v[1], column[2].v[2]));
  trace.c[0] += 1.0;
  vd_tri inverse = vd_tri_inverse(vd_tri_sqrt(trace));
  vd_tri3 t;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    t.v[i] = vd_tri_mul(inverse, vd_tri_sub(column[j].v[k], column[k].v[j]));
  }
  return t;
}

static void add_beam(sum *s) {
  const vd_elastic_beam *b = &s->c->beam;
  vd_tri3 middle = vd_changed_point(s->q, b->shear_centre), centroid = middle, column[3];
  for (int i = 0; i < 3; i++)
    centroid.v[i].c[0] += b->centroid[i] - b->shear_centre[i];
  vd_tri3 across = vd_tri3_sub(arm_moves(s, 0, middle), arm_moves(s, 1, middle));
  vd_tri3 along = vd_tri3_sub(arm_moves(s, 0, centroid), arm_moves(s, 1, centroid));
  for (int side = 0; side < 2; side++) {
    const vd_moved_body *body = side ? &s->member[0] : &s->knuckle;
    for (int k = 0; k < 3; k++) {
      vd_tri x = vd_tri3_dot(vd_moved_direction(body, vd_tri3_of(b->axis[k])), k == 1 ? along : across);
      add(s, vd_tri_scale(0.25 * b->stiffness[k], vd_tri_mul(x, x)));
    }
  }
  for (int i = 0; i < 3; i++) {
    const double axis[3] = {i == 0, i == 1, i == 2};
    column[i] = turned_back(&s->member[0], vd_moved_direction(&s->knuckle, vd_tri3_of(axis)));
  }
  vd_tri3 t = matrix_turn(column);
  for (int k = 0; k < 3; k++) {
    vd_tri x = vd_tri3_along(b->axis[k], t);
    add(s, vd_tri_scale(0.5 * b->stiffness[3 + k], vd_tri_mul(x, x)));
  }
}

/* --- axles that steer: compliance_steer.c --- */

static void add_kingpin(sum *s, int side) {
  const double(*pin)[3] = s->c->corner.points.steer.kingpin[side];
  vd_tri3 apart =
      vd_tri3_sub(vd_moved_point(s->q, &s->steered[side], pin[1]), vd_moved_point(s->q, &s->knuckle, pin[1]));
  int steepest = 0;
  for (int i = 1; i < 3; i++)
    if (fabs(pin[1][i] - pin[0][i]) > fabs(pin[1][steepest] - pin[0][steepest]))
      steepest = i;
  for (int i = 0; i < 3; i++)
    if (i != steepest)
      add_row(s, apart.v[i]);
}

/* The gear stands still. */
static void add_steering(sum *s) {
  const vd_axle_steer *a = &s->c->corner.points.steer;
  vd_tri3 gear = vd_changed_point(s->q, a->drag_link[0]), base;
  vd_tri3 drag = vd_moved_point(s->q, &s->steered[a->driven], a->drag_link[1]);
  add_kingpin(s, 0);
  add_kingpin(s, 1);
  add_rod(s, vd_tri3_sub(drag, gear), vd_tri3_sub(vd_changed_point(s->q, a->drag_link[1]), gear),
          rate_of(s, VD_CHANGE_DRAG_LINK, 0, a->drag_link_stiffness));
  if (a->carried)
    base = vd_changed_on_drag_link(s->q, a, gear, drag);
  else
    base = vd_moved_point(s->q, &s->steered[a->driven], a->tie_rod[a->driven]);
  vd_tri3 end = vd_moved_point(s->q, &s->steered[!a->driven], a->tie_rod[!a->driven]);
  vd_tri3 before = vd_tri3_sub(vd_changed_point(s->q, a->tie_rod[!a->driven]), vd_changed_tie_rod(s->q, a));
  add_rod(s, vd_tri3_sub(end, base), before, rate_of(s, VD_CHANGE_TIE_ROD, 0, a->tie_rod_stiffness));
}

/* --- jacks and springs --- */

/* A wheel centre of an axle that steers. */
static vd_tri3 steered_centre(const sum *s, int side) {
  vd_tri3 centre = vd_changed_point(s->q, s->c->corner.points.wheel_center);
  return vd_moved_place(&s->steered[side], side ? vd_tri3_mirrored(centre) : centre);
}

/* How much the right wheel centre has risen. */
static vd_tri right_rise(const sum *s) {
  vd_tri3 centre = vd_tri3_mirrored(vd_changed_point(s->q, s->c->corner.points.wheel_center));
  if (s->c->twists)
    return arm_moves(s, 1, centre).v[2];
  return vd_tri_sub(vd_moved_place(&s->knuckle, centre).v[2], centre.v[2]);
}

static void add_jacks(sum *s) {
  for (int side = 1; s->c->steers && side >= 0; side--)
    add_row(s, vd_tri_sub(steered_centre(s, side).v[2], s->knuckle.origin.v[2]));
  if (s->c->steers)
    return;
  if (s->c->joined)
    add_row(s, right_rise(s));
  add_row(s, vd_tri_sub(s->knuckle.at.v[2], s->knuckle.origin.v[2]));
}

/* Length of the coil, of the right one of joined wheels as a mirror image. */
static vd_tri coil_length(const sum *s, bool right) {
  const vd_hardpoints *h = &s->c->corner.points;
  const vd_element *spring = &h->spring;
  const double *design = spring->rocker ? spring->rod_part : spring->eye;
  const int m = spring->on - VD_ON_MEMBER;
  if (s->c->joined) { /* it is on what carries the wheel, without rocker */
    vd_tri3 eye = vd_changed_point(s->q, design), there = right ? vd_tri3_mirrored(eye) : eye;
    const vd_moved_body *b = s->c->twists && right ? &s->member[0] : &s->knuckle;
    vd_tri3 now = vd_moved_place(b, there);
    return vd_moved_length(s->q, spring, right ? vd_tri3_mirrored(now) : now);
  }
  bool on_member = spring->on != VD_ON_KNUCKLE && (h->member[m].kind == VD_ARM || h->member[m].kind == VD_ROD);
  if (!on_member)
    return vd_moved_length(s->q, spring, vd_moved_point(s->q, &s->knuckle, design));
  if (!s->c->link[m].elastic) {
    vd_tri3 ball = vd_moved_point(s->q, &s->knuckle, h->member[m].knuckle);
    return vd_moved_length(s->q, spring, vd_moved_link_point(s->q, &s->c->linkage, m, ball, vd_tri_of(0.0), design));
  }
  const vd_moved_body *b = body_of(s, m);
  double line[3];
  vd_between(h->member[m].chassis[0], h->member[m].knuckle, line);
  bool near = h->member[m].kind == VD_ROD && !(vd_off_line(h->member[m].chassis[0], line, design) > VD_ON_LINE);
  vd_tri3 foot = near ? vd_changed_foot(s->q, &h->member[m], design) : vd_changed_point(s->q, design);
  return vd_moved_length(s->q, spring, vd_moved_place(b, foot));
}

/* F^2/(2 k) with F = F0 + k (L0 - L); without what is constant F0 x + k x^2/2, x = L0 - L. */
static void add_coil(sum *s, bool right) {
  vd_tri rate = rate_of(s, VD_CHANGE_SPRING, 0, s->c->corner.spring_rate);
  vd_moved_body design = {.base = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
  design.at = design.origin = s->knuckle.origin;
  const vd_element *spring = &s->c->corner.points.spring;
  vd_tri before = vd_moved_element(s->q, &s->c->linkage, spring, &design, vd_tri_of(0.0));
  vd_tri x = vd_tri_sub(before, coil_length(s, right));
  vd_tri half = vd_tri_scale(0.5, vd_tri_mul(rate, x));
  add(s, vd_tri_mul(vd_tri_add(s->l->spring_load, half), x));
}

vd_tri vd_lagrangian_at(const vd_lagrangian *l, const vd_change *q, const vd_tri *y) {
  sum s = {.l = l, .c = l->c, .q = q, .y = y};
  place_bodies(&s);
  if (l->c->twists) {
    add_pivot(&s, 0);
    add_pivot(&s, 1);
    add_beam(&s);
  } else {
    add_members(&s);
  }
  if (l->c->steers)
    add_steering(&s);
  if (l->c->task.hold == VD_HOLD_CENTRE)
    add_jacks(&s);
  assert(s.rows == l->c->e.rows);
  for (int right = 0; l->c->sprung && right <= (int)l->c->joined; right++)
    add_coil(&s, right);
  return s.all;
}

vd_tri3 vd_lagrangian_centre(const vd_lagrangian *l, const vd_change *q, const vd_tri *y) {
  sum s = {.l = l, .c = l->c, .q = q, .y = y};
  place_bodies(&s);
  return l->c->steers ? steered_centre(&s, 0) : s.knuckle.at;
}
