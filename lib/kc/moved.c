#include "kc/moved.h"

#include "base/vec.h"
#include "math/lu.h"

#include <assert.h>
#include <string.h>

enum { N = VD_JOINTS };

static const double same = 1e-9; /* m, nearer than which two points are one */

/* --- points --- */

/* Both points of a twist beam's axis in heave are at the height of the pivot; see moved_end. */
void vd_change_displacement(const vd_change *q, const double *design, double *e) {
  memset(e, 0, 3 * sizeof *e);
  if (q->kind != VD_CHANGE_POINT)
    return;
  const double image[3] = {q->place[0], -q->place[1], q->place[2]};
  if (vd_distance(design, q->place) <= same)
    e[q->axis] = 1.0;
  else if (vd_linkage_traits_of(q->points->type)->axle && vd_distance(design, image) <= same)
    e[q->axis] = q->axis == 1 ? -1.0 : 1.0;
}

vd_tri3 vd_changed_point(const vd_change *q, const double *design) {
  vd_tri3 p = vd_tri3_of(design);
  double e[3];
  vd_change_displacement(q, design, e);
  for (int i = 0; i < 3; i++)
    p.v[i].c[VD_TRI_C] = e[i];
  return p;
}

vd_tri3 vd_turn_after(vd_tri3 a, vd_tri3 b) {
  vd_tri3 across = vd_tri3_cross(a, b), third = vd_tri3_cross(vd_tri3_sub(a, b), across);
  return vd_tri3_add(vd_tri3_add(a, b), vd_tri3_add(vd_tri3_scale(0.5, across), vd_tri3_scale(1.0 / 12.0, third)));
}

/* exp(turn) r to the third order, all that a turn without finite part has. */
vd_tri3 vd_moved_direction(const vd_moved_body *b, vd_tri3 direction) {
  vd_tri3 r, term;
  for (int i = 0; i < 3; i++)
    r.v[i] = vd_tri3_along(b->base[i], direction);
  term = r;
  for (int order = 1; order <= 3; order++) {
    term = vd_tri3_scale(1.0 / order, vd_tri3_cross(b->turn, term));
    r = vd_tri3_add(r, term);
  }
  return r;
}

vd_tri3 vd_moved_place(const vd_moved_body *b, vd_tri3 design) {
  return vd_tri3_add(b->at, vd_moved_direction(b, vd_tri3_sub(design, b->origin)));
}

vd_tri3 vd_moved_point(const vd_change *q, const vd_moved_body *b, const double *design) {
  return vd_moved_place(b, vd_changed_point(q, design));
}

/* --- links --- */

/* The arm's turn about its axis is that of its ball joint. */
static vd_tri3 arm_point(const vd_change *q, const vd_member *arm, vd_tri3 ball, const double *design) {
  vd_tri3 origin = vd_changed_point(q, arm->chassis[1]);
  vd_tri3 e = vd_tri3_unit(vd_tri3_sub(vd_changed_point(q, arm->chassis[0]), origin));
  vd_tri3 before = vd_tri3_across(vd_tri3_sub(vd_changed_point(q, arm->knuckle), origin), e);
  vd_tri3 from = vd_tri3_sub(vd_changed_point(q, design), origin), radius = vd_tri3_across(from, e);
  vd_tri3 now = vd_tri3_sub(ball, origin);
  vd_tri inverse = vd_tri_inverse(vd_tri3_dot(before, before));
  vd_tri cosine = vd_tri_mul(inverse, vd_tri3_dot(now, before));
  vd_tri sine = vd_tri_mul(inverse, vd_tri3_dot(now, vd_tri3_cross(e, before)));
  vd_tri3 out = vd_tri3_add(origin, vd_tri3_sub(from, radius));
  out = vd_tri3_add(out, vd_tri3_times(cosine, radius));
  return vd_tri3_add(out, vd_tri3_times(sine, vd_tri3_cross(e, radius)));
}

/* Where a relay rod takes a point, from jets by the change and the rack: of a rack that moves by one infinitesimal and
 * by two, whose squares are 0. */
static vd_tri geared(vd_jet p, vd_tri rack) {
  vd_tri out = vd_tri_chain(rack, p.v, p.d[1], p.h[VD_VV], 0.0);
  vd_tri slope = vd_tri_scale(p.h[VD_UV], rack);
  out.c[VD_TRI_C] += p.d[0];
  for (int i = 1; i < VD_TRI_C; i++)
    out.c[VD_TRI_C + i] += slope.c[i];
  return out;
}

static vd_jet3 changed_jet(const vd_change *q, const double *design) {
  double e[3];
  vd_change_displacement(q, design, e);
  return (vd_jet3){{design[0], {e[0]}, {0.0}}, {design[1], {e[1]}, {0.0}}, {design[2], {e[2]}, {0.0}}};
}

static vd_jet3 changed_joint(const vd_change *q, const double *design) {
  const double image[3] = {design[0], -design[1], design[2]};
  if (!q->mirrored)
    return changed_jet(q, design);
  vd_jet3 at = changed_jet(q, image);
  at.y = vd_jet_scale(-1.0, at.y);
  return at;
}

static vd_relay_arms changed_arms(const vd_change *q, const vd_gear *g) {
  vd_relay_arms arms = {{changed_joint(q, g->pivot), changed_joint(q, g->other_pivot)},
                        {changed_joint(q, g->joint), changed_joint(q, g->other_joint)}};
  if (!g->lopsided)
    vd_relay_arms_mirror(&arms);
  return arms;
}

vd_jet vd_changed_relay_turn(const vd_change *q, const vd_gear *gear, double rack) {
  const vd_relay_arms arms = changed_arms(q, gear);
  return vd_relay_turn(gear, &arms, rack);
}

static vd_tri3 base_point(const vd_change *q, const vd_linkage *l, int member, int point, vd_tri3 ball, vd_tri rack) {
  const vd_hardpoints *h = &l->points;
  const vd_member *m = &h->member[member];
  const double *design = m->chassis[point];
  if (m->base >= VD_ON_MEMBER)
    return arm_point(q, &h->member[m->base - VD_ON_MEMBER], ball, design);
  vd_tri3 p = vd_changed_point(q, design);
  if (!m->steered)
    return p;
  if (h->gear.kind == VD_GEAR_RELAY) {
    const vd_gear *g = &h->gear;
    const vd_relay_arms arms = changed_arms(q, g);
    vd_jet3 at = vd_relay_point(g->axis, &arms, changed_jet(q, design), rack.c[0]);
    return (vd_tri3){{geared(at.x, rack), geared(at.y, rack), geared(at.z, rack)}};
  }
  p.v[1] = vd_tri_add(p.v[1], rack);
  return p;
}

/* A rod that turns about its line as the universal joint at its inner end lets it: cardan in linkage_part.c. */
typedef struct cardan {
  vd_tri3 first;
  vd_tri cosine, share, off[2];
  double side;
} cardan;

static bool make_cardan(const vd_change *q, const vd_member *m, const double *design, cardan *u) {
  static const double up[3] = {0.0, 0.0, 1.0}, ahead[3] = {1.0, 0.0, 0.0};
  double line[3];
  vd_tri3 inner = vd_changed_point(q, m->chassis[0]), n = vd_tri3_sub(vd_changed_point(q, m->knuckle), inner);
  vd_tri3 from = vd_tri3_sub(vd_changed_point(q, design), inner);
  u->share = vd_tri_div(vd_tri3_dot(n, from), vd_tri3_dot(n, n));
  vd_between(m->chassis[0], m->knuckle, line);
  if (!(vd_off_line(m->chassis[0], line, design) > VD_ON_LINE))
    return false;
  n = vd_tri3_unit(n);
  u->first = vd_tri3_of(m->axis);
  if (!(vd_norm(m->axis) > 0.0))
    u->first = vd_tri3_cross(n, vd_tri3_of(fabs(n.v[2].c[0]) < 0.99 ? up : ahead));
  u->first = vd_tri3_unit(u->first);
  vd_tri3 side = vd_tri3_cross(u->first, n), e = vd_norm(m->cross) > 0.0 ? vd_tri3_of(m->cross) : side;
  e = vd_tri3_unit(vd_tri3_across(e, u->first));
  u->cosine = vd_tri3_dot(e, n);
  u->side = vd_tri3_dot(e, side).c[0] < 0.0 ? -1.0 : 1.0;
  e = vd_tri3_unit(vd_tri3_across(e, n));
  u->off[0] = vd_tri3_dot(from, e);
  u->off[1] = vd_tri3_dot(from, vd_tri3_cross(n, e));
  return true;
}

static vd_tri3 off_line(const cardan *u, vd_tri3 n) {
  vd_tri3 side = vd_tri3_cross(u->first, n);
  vd_tri inverse = vd_tri_inverse(vd_tri3_dot(side, side));
  vd_tri rest = vd_tri_scale(-1.0, vd_tri_mul(vd_tri_mul(u->cosine, u->cosine), inverse));
  rest.c[0] += 1.0;
  vd_tri by_side = vd_tri_scale(u->side, vd_tri_sqrt(vd_tri_mul(rest, inverse)));
  vd_tri3 e = vd_tri3_times(vd_tri_mul(u->cosine, inverse), vd_tri3_across(n, u->first));
  e = vd_tri3_add(e, vd_tri3_times(by_side, side));
  vd_tri3 m = vd_tri3_unit(vd_tri3_sub(e, vd_tri3_times(u->cosine, n)));
  return vd_tri3_add(vd_tri3_times(u->off[0], m), vd_tri3_times(u->off[1], vd_tri3_cross(n, m)));
}

vd_tri3 vd_moved_link_point(const vd_change *q, const vd_linkage *l, int member, vd_tri3 ball, vd_tri rack,
                            const double *design) {
  const vd_member *m = &l->points.member[member];
  if (m->kind == VD_ARM)
    return arm_point(q, m, ball, design);
  cardan u;
  bool off = make_cardan(q, m, design, &u);
  vd_tri3 inner = base_point(q, l, member, 0, ball, rack), along = vd_tri3_sub(ball, inner);
  vd_tri3 point = vd_tri3_add(inner, vd_tri3_times(u.share, along));
  return off ? vd_tri3_add(point, off_line(&u, vd_tri3_unit(along))) : point;
}

vd_tri3 vd_changed_foot(const vd_change *q, const vd_member *rod, const double *eye) {
  vd_tri3 inner = vd_changed_point(q, rod->chassis[0]), along = vd_tri3_sub(vd_changed_point(q, rod->knuckle), inner);
  vd_tri3 from = vd_tri3_sub(vd_changed_point(q, eye), inner);
  return vd_tri3_add(inner, vd_tri3_times(vd_tri_div(vd_tri3_dot(along, from), vd_tri3_dot(along, along)), along));
}

/* --- springs and dampers --- */

/* The eye on a rocker: A cos f + B sin f = C as in linkage_part.c, with r^2 = A^2 + B^2 and S = sqrt(r^2 - C^2)
 *   cos f = (A C +- B S)/r^2,   sin f = (B C -+ A S)/r^2 */
static vd_tri3 rocker_eye(const vd_change *q, const vd_element *element, vd_tri3 end) {
  vd_tri3 pivot = vd_changed_point(q, element->pivot), e = vd_tri3_unit(vd_tri3_of(element->axis));
  vd_tri3 rod = vd_tri3_sub(vd_changed_point(q, element->rod_rocker), pivot), ahead = vd_tri3_across(rod, e);
  vd_tri3 aside = vd_tri3_cross(e, ahead), foot = vd_tri3_add(pivot, vd_tri3_sub(rod, ahead));
  vd_tri3 before = vd_tri3_sub(vd_changed_point(q, element->rod_part), vd_changed_point(q, element->rod_rocker));
  vd_tri3 y = vd_tri3_sub(end, foot);
  vd_tri a = vd_tri3_dot(y, ahead), b = vd_tri3_dot(y, aside);
  vd_tri c = vd_tri_sub(vd_tri_add(vd_tri3_dot(y, y), vd_tri3_dot(ahead, ahead)), vd_tri3_dot(before, before));
  c = vd_tri_scale(0.5, c);
  vd_tri square = vd_tri_add(vd_tri_mul(a, a), vd_tri_mul(b, b)), inverse = vd_tri_inverse(square);
  vd_tri s = vd_tri_sqrt(vd_tri_sub(square, vd_tri_mul(c, c)));
  double start = 0.0;
  for (int i = 0; i < 3; i++)
    start += (element->rod_part[i] - foot.v[i].c[0]) * aside.v[i].c[0];
  s = vd_tri_scale(start > 0.0 ? 1.0 : -1.0, s);
  vd_tri cosine = vd_tri_mul(inverse, vd_tri_add(vd_tri_mul(a, c), vd_tri_mul(b, s)));
  vd_tri sine = vd_tri_mul(inverse, vd_tri_sub(vd_tri_mul(b, c), vd_tri_mul(a, s)));
  vd_tri3 eye = vd_tri3_sub(vd_changed_point(q, element->eye), pivot), radius = vd_tri3_across(eye, e);
  vd_tri3 out = vd_tri3_add(pivot, vd_tri3_sub(eye, radius));
  out = vd_tri3_add(out, vd_tri3_times(cosine, radius));
  return vd_tri3_add(out, vd_tri3_times(sine, vd_tri3_cross(e, radius)));
}

vd_tri vd_moved_length(const vd_change *q, const vd_element *element, vd_tri3 end) {
  vd_tri3 eye = element->rocker ? rocker_eye(q, element, end) : end;
  return vd_tri3_length(vd_tri3_sub(eye, vd_changed_point(q, element->chassis)));
}

vd_tri vd_moved_element(const vd_change *q, const vd_linkage *l, const vd_element *element,
                        const vd_moved_body *knuckle, vd_tri rack) {
  const double *design = element->rocker ? element->rod_part : element->eye;
  int member = element->on - VD_ON_MEMBER;
  const vd_member *m = &l->points.member[member < 0 ? 0 : member];
  if (element->on == VD_ON_KNUCKLE || m->kind == VD_SLIDER || m->kind == VD_HINGE)
    return vd_moved_length(q, element, vd_moved_point(q, knuckle, design));
  vd_tri3 ball = vd_moved_point(q, knuckle, m->knuckle);
  return vd_moved_length(q, element, vd_moved_link_point(q, l, member, ball, rack, design));
}

/* --- constraints --- */

/* (d . d - L^2)/(2 L0): of constant length. */
static vd_tri rod_row(const vd_change *q, const vd_linkage *l, int member, int point, const vd_moved_body *knuckle,
                      vd_tri rack) {
  const vd_member *m = &l->points.member[member];
  vd_tri3 ball = vd_moved_point(q, knuckle, m->knuckle), on = ball;
  if (m->base >= VD_ON_MEMBER)
    on = vd_moved_point(q, knuckle, l->points.member[m->base - VD_ON_MEMBER].knuckle);
  vd_tri3 now = vd_tri3_sub(ball, base_point(q, l, member, point, on, rack));
  vd_tri3 before = vd_tri3_sub(vd_changed_point(q, m->knuckle), vd_changed_point(q, m->chassis[point]));
  vd_tri square = vd_tri3_dot(before, before);
  return vd_tri_scale(0.5 / sqrt(square.c[0]), vd_tri_sub(vd_tri3_dot(now, now), square));
}

/* n stays across the strut's line A: n_q = -(n . A_q) A/A^2. */
static vd_tri slide_row(const vd_change *q, const vd_member *strut, const double *n, const vd_moved_body *knuckle) {
  vd_tri3 top = vd_changed_point(q, strut->chassis[0]), normal = vd_tri3_of(n);
  vd_tri3 line = vd_tri3_sub(top, vd_changed_point(q, strut->knuckle));
  double share = 0.0, square = 0.0;
  for (int i = 0; i < 3; i++) {
    share -= n[i] * line.v[i].c[VD_TRI_C];
    square += line.v[i].c[0] * line.v[i].c[0];
  }
  for (int i = 0; i < 3; i++)
    normal.v[i].c[VD_TRI_C] = share / square * line.v[i].c[0];
  vd_tri3 d = vd_tri3_sub(vd_moved_point(q, knuckle, strut->chassis[0]), top);
  return vd_tri3_dot(vd_moved_direction(knuckle, normal), d);
}

/* The second point of a hinge. That of both arms of a twist beam in heave is beside the pivot. */
static vd_tri3 hinge_end(const vd_change *q, const vd_linkage *l, const vd_member *hinge) {
  vd_tri3 end = vd_changed_point(q, hinge->chassis[1]), pivot = vd_changed_point(q, hinge->chassis[0]);
  if (l->beam && l->motion == VD_PARALLEL) {
    end.v[0] = pivot.v[0];
    end.v[2] = pivot.v[2];
  }
  return end;
}

/* Both points are one at design, so that the directions of the planes may stay. */
static void hinge_rows(const vd_change *q, const vd_linkage *l, const vd_member *hinge, const vd_joint *joint,
                       const vd_moved_body *knuckle, vd_tri *row) {
  enum { PLANES = 5, OF_PIVOT = 3 };
  vd_tri3 end = hinge_end(q, l, hinge);
  vd_tri3 pivot = vd_changed_point(q, hinge->chassis[0]);
  const vd_tri3 moved[2] = {vd_tri3_sub(vd_moved_place(knuckle, pivot), pivot),
                            vd_tri3_sub(vd_moved_place(knuckle, end), end)};
  for (int i = 0; i < PLANES; i++)
    row[i] = vd_tri3_along(joint[i].direction, moved[i >= OF_PIVOT]);
}

static int first_joint(const vd_hardpoints *h, int member) {
  static const int joints[] = {[VD_ARM] = 2, [VD_ROD] = 1, [VD_SLIDER] = 2, [VD_HINGE] = 5};
  int first = 0;
  for (int i = 0; i < member; i++)
    first += joints[h->member[i].kind];
  return first;
}

int vd_moved_rows(const vd_change *q, const vd_linkage *l, int member, const vd_moved_body *knuckle, vd_tri rack,
                  vd_tri *row) {
  const vd_member *m = &l->points.member[member];
  const vd_joint *joint = &l->joint[first_joint(&l->points, member)];
  switch (m->kind) {
  case VD_ARM:
    row[0] = rod_row(q, l, member, 0, knuckle, rack);
    row[1] = rod_row(q, l, member, 1, knuckle, rack);
    return 2;
  case VD_ROD: row[0] = rod_row(q, l, member, 0, knuckle, rack); return 1;
  case VD_SLIDER:
    row[0] = slide_row(q, m, joint[0].direction, knuckle);
    row[1] = slide_row(q, m, joint[1].direction, knuckle);
    return 2;
  case VD_HINGE: hinge_rows(q, l, m, joint, knuckle, row); return 5;
  }
  return 0;
}

/* --- motion --- */

static void all_rows(const vd_change *q, const vd_linkage *l, const vd_moved_body *knuckle, const vd_tri *u,
                     vd_tri *row) {
  const double *centre = l->points.wheel_center, right[3] = {centre[0], -centre[1], centre[2]};
  int count = 0;
  for (int m = 0; m < l->points.members; m++)
    count += vd_moved_rows(q, l, m, knuckle, l->axle ? vd_tri_of(0.0) : u[1], row + count);
  row[count++] = vd_tri_sub(vd_tri_sub(knuckle->at.v[2], knuckle->origin.v[2]), u[0]);
  if (l->axle) {
    vd_tri rise = vd_tri_sub(vd_moved_point(q, knuckle, right).v[2], vd_changed_point(q, right).v[2]);
    row[count++] = vd_tri_sub(rise, u[1]);
  }
  assert(count == N);
}

/* y: from where it is without a change, as far as the wheel centre moves at design. */
static void place_body(const vd_change *q, const vd_moved_linkage *m, const vd_tri *y, vd_moved_body *knuckle) {
  *knuckle = (vd_moved_body){.origin = vd_changed_point(q, m->l->points.wheel_center)};
  memcpy(knuckle->base, m->turn, sizeof m->turn);
  for (int i = 0; i < 3; i++) {
    knuckle->at.v[i] = vd_tri_add(knuckle->origin.v[i], y[i]);
    knuckle->at.v[i].c[0] = m->at[i];
    knuckle->turn.v[i] = y[3 + i];
  }
}

void vd_moved_linkage_build(const vd_linkage *l, vd_moved_linkage *out) {
  vd_pose start;
  vd_linkage_start(l, &start);
  vd_moved_linkage_build_at(l, &start, 0.0, out);
}

void vd_moved_linkage_build_at(const vd_linkage *l, const vd_pose *pose, double rack, vd_moved_linkage *out) {
  const vd_change none = {.points = &l->points};
  const vd_tri still[VD_INPUTS] = {vd_tri_of(0.0), vd_tri_of(rack)};
  out->l = l;
  out->rack = rack;
  memcpy(out->at, pose->at, sizeof out->at);
  memcpy(out->turn, pose->turn, sizeof out->turn);
  for (int j = 0; j < N; j++) {
    vd_tri y[N] = {{{0.0}}}, row[N];
    vd_moved_body knuckle;
    y[j].c[VD_TRI_A] = 1.0;
    place_body(&none, out, y, &knuckle);
    all_rows(&none, l, &knuckle, still, row);
    for (int i = 0; i < N; i++)
      out->factors[i * N + j] = row[i].c[VD_TRI_A];
  }
  vd_lu_factorise(out->factors, N, out->order);
}

/* Newton's steps with the matrix of the pose: each makes one more order right. */
vd_tri vd_moved_pose(const vd_moved_linkage *m, const vd_change *q, const double *along, vd_moved_body *knuckle) {
  vd_tri y[N] = {{{0.0}}}, row[N], u[VD_INPUTS];
  for (int i = 0; i < VD_INPUTS; i++)
    u[i] = (vd_tri){{i == 1 ? m->rack : 0.0, [VD_TRI_A] = along[i], [VD_TRI_B] = along[i]}};
  for (int order = 1; order <= 3; order++) {
    place_body(q, m, y, knuckle);
    all_rows(q, m->l, knuckle, u, row);
    for (int k = 1; k < VD_TRI_PARTS; k++) {
      double x[N];
      for (int i = 0; i < N; i++)
        x[i] = row[i].c[k];
      vd_lu_solve(m->factors, m->order, N, x);
      for (int i = 0; i < N; i++)
        y[i].c[k] -= x[i];
    }
  }
  place_body(q, m, y, knuckle);
  return m->l->axle ? vd_tri_of(0.0) : u[1];
}

vd_tri3 vd_moved_lowest_point(const vd_change *q, const vd_linkage *l, const vd_moved_body *knuckle, bool right) {
  const double *s = l->spin_axis, side = right ? -1.0 : 1.0, axis[3] = {s[0], side * s[1], s[2]};
  vd_tri3 centre = vd_changed_point(q, l->points.wheel_center);
  vd_tri3 spin = vd_moved_direction(knuckle, vd_tri3_of(axis));
  vd_tri flat = vd_tri_add(vd_tri_mul(spin.v[0], spin.v[0]), vd_tri_mul(spin.v[1], spin.v[1]));
  vd_tri across = vd_tri_sqrt(flat), lean = vd_tri_scale(l->points.static_radius, vd_tri_div(spin.v[2], across));
  vd_tri3 at = vd_moved_place(knuckle, right ? vd_tri3_mirrored(centre) : centre);
  for (int i = 0; i < 2; i++)
    at.v[i] = vd_tri_add(at.v[i], vd_tri_mul(lean, spin.v[i]));
  at.v[2] = vd_tri_sub(at.v[2], vd_tri_scale(l->points.static_radius, across));
  return at;
}
