#include "kc/variation.h"

#include "base/vec.h"

#include <string.h>

bool vd_vary(vd_variation *v) {
  v->l = v->m->l;
  v->rack = vd_moved_pose(v->m, v->q, v->along, &v->body);
  if (v->l->axle)
    v->rack = (vd_tri){{[VD_TRI_A] = v->gear, [VD_TRI_B] = v->gear}};
  vd_moved_knuckle(v->q, v->l, &v->body, v->rack, false, &v->knuckle);
  v->pose = (vd_pose){.turn = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
  for (int i = 0; i < 3; i++) {
    const double *at = v->knuckle.at.v[i].c, *turn = v->knuckle.turn.v[i].c;
    v->pose.at[i] = at[0];
    v->centre[i] = v->pose.velocity[1][i] = at[VD_TRI_C];
    v->pose.velocity[0][i] = at[VD_TRI_A];
    v->pose.accel[VD_UU][i] = at[VD_TRI_A | VD_TRI_B];
    v->pose.accel[VD_UV][i] = at[VD_TRI_A | VD_TRI_C];
    v->turn[i] = v->pose.spin[0][i] = turn[VD_TRI_A];
    v->pose.angular[VD_UU][i] = turn[VD_TRI_A | VD_TRI_B];
    v->pose.angular[VD_UV][i] = turn[VD_TRI_A | VD_TRI_C];
  }
  return isfinite(v->pose.accel[VD_UV][0]);
}

/* The pose takes a point for one that keeps its place from the wheel centre. */
vd_jet3 vd_varied_knuckle_point(const void *of, const double *design) {
  const vd_variation *v = of;
  double e[3], moving[3];
  vd_jet3 p = vd_pose_point(v->l, &v->pose, design);
  vd_jet *at[] = {&p.x, &p.y, &p.z};
  vd_change_displacement(v->q, design, e);
  for (int i = 0; i < 3; i++)
    e[i] -= v->centre[i];
  vd_cross(v->turn, e, moving);
  for (int i = 0; i < 3; i++) {
    at[i]->d[1] += e[i];
    at[i]->h[VD_UV] += moving[i];
  }
  return p;
}

vd_jet3 vd_varied_chassis_point(const void *of, const double *design) {
  const vd_variation *v = of;
  double e[3];
  vd_change_displacement(v->q, design, e);
  return (vd_jet3){{design[0], {0.0, e[0]}, {0.0}}, {design[1], {0.0, e[1]}, {0.0}}, {design[2], {0.0, e[2]}, {0.0}}};
}

/* By u and q alone, without the second u, b, which is so free for a motion at the pose. */
static vd_tri3 without_second(vd_tri3 x) {
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < VD_TRI_PARTS; k++)
      if (k & VD_TRI_B)
        x.v[i].c[k] = 0.0;
  return x;
}

static vd_jet by_both(const vd_tri *x, int from) {
  return (vd_jet){
      x->c[from], {x->c[from | VD_TRI_A], x->c[from | VD_TRI_C]}, {[VD_UV] = x->c[from | VD_TRI_A | VD_TRI_C]}};
}

/* Of the knuckle at a place: constraints of the links, then the spring's length or, without one, the height of the
 * wheel centre. False: they are not as many as its motions, or there is no toe link. */
static bool find_lengths(const vd_variation *v, const vd_moved_body *knuckle, vd_tri rack, vd_tri *row, int *toe_row) {
  const vd_hardpoints *h = &v->l->points;
  const int toe = vd_kc_toe_link(h);
  int count = 0;
  for (int m = 0; m < h->members; m++) {
    if (m == toe)
      *toe_row = count;
    if (count + (h->member[m].kind == VD_ARM ? 2 : 1) >= VD_KC_MOTIONS)
      return false;
    count += vd_moved_rows(v->q, v->l, m, knuckle, rack, row + count);
  }
  row[count] = h->spring.given ? vd_moved_element(v->q, v->l, &h->spring, knuckle, rack) : knuckle->at.v[2];
  return count == VD_KC_MOTIONS - 1 && toe >= 0;
}

/* A knuckle that also moves by b along one of its motions. */
static vd_moved_body moving(const vd_moved_body *at, int motion) {
  vd_moved_body moved = *at;
  vd_tri3 turn = {{{{0.0}}}};
  if (motion < 3) {
    moved.at.v[motion].c[VD_TRI_B] = 1.0;
    return moved;
  }
  turn.v[motion - 3].c[VD_TRI_B] = 1.0;
  moved.turn = vd_turn_after(turn, at->turn);
  return moved;
}

/* The virtual axis: `released' in axis.c, whose rows are what a motion by b changes of the lengths. A row's scale does
 * not matter. */
static bool find_screw(const vd_variation *v, vd_jet3 *point, vd_jet3 *direction) {
  vd_moved_body at = v->body;
  vd_kc_equations e = {.right = {{.v = 0.0}}};
  at.at = without_second(at.at);
  at.turn = without_second(at.turn);
  const vd_tri3 rack = without_second((vd_tri3){{v->rack}});
  int toe = 0;
  for (int j = 0; j < VD_KC_MOTIONS; j++) {
    const vd_moved_body moved = moving(&at, j);
    vd_tri row[VD_JOINTS];
    if (!find_lengths(v, &moved, rack.v[0], row, &toe))
      return false;
    for (int i = 0; i < VD_KC_MOTIONS; i++)
      e.a[i][j] = by_both(&row[i], VD_TRI_B);
  }
  e.right[toe].v = 1.0;
  const vd_jet3 centre = {by_both(&at.at.v[0], 0), by_both(&at.at.v[1], 0), by_both(&at.at.v[2], 0)};
  return vd_kc_screw(&e, centre, point, direction);
}

static void see_axis(const vd_variation *v, const vd_kc_wheel *w, vd_kc_state *s) {
  const vd_hardpoints *h = &v->l->points;
  const double(*pin)[3] = h->steer.kingpin[0];
  int lower = vd_kc_lower_arm(h), upper = vd_kc_upper_arm(h), strut = vd_kc_strut(h);
  if (h->steer.given) {
    vd_jet3 low = vd_varied_knuckle_point(v, pin[0]);
    vd_kc_see_axis(w, low, vd_jet3_sub(vd_varied_knuckle_point(v, pin[1]), low), s);
    return;
  }
  if (vd_linkage_traits_of(h->type)->steering == VD_STEERING_RODS) {
    vd_jet3 on, along;
    if (find_screw(v, &on, &along))
      vd_kc_see_axis(w, on, along, s);
    return;
  }
  if (lower < 0 || (upper < 0 && strut < 0))
    return;
  vd_jet3 point = vd_varied_knuckle_point(v, h->member[lower].knuckle);
  vd_jet3 end = strut >= 0 ? vd_varied_chassis_point(v, h->member[strut].chassis[0])
                           : vd_varied_knuckle_point(v, h->member[upper].knuckle);
  vd_kc_see_axis(w, point, vd_jet3_sub(end, point), s);
}

void vd_varied_state(const vd_variation *v, vd_kc_wheel *w, vd_kc_state *s) {
  const vd_jet none = vd_jet_nan();
  *s = (vd_kc_state){
      .caster = none, .kpi = none, .scrub = none, .trail = none, .kingpin_offset = none, .spindle_trail = none};
  vd_kc_place_wheel(v->l, &v->pose, false, w);
  vd_jet flat = vd_jet_add(vd_jet_mul(w->spin.x, w->spin.x), vd_jet_mul(w->spin.y, w->spin.y));
  s->toe = vd_jet_atan2(w->spin.x, w->spin.y);
  s->camber = vd_jet_atan2(vd_jet_scale(-1.0, w->spin.z), vd_jet_sqrt(flat));
  see_axis(v, w, s);
}
