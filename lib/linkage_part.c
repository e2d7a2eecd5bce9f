/* What stands on the links: points of knuckle, arms and rods, springs, dampers, rockers. */
#include "linkage.h"

#include <assert.h>
#include <string.h>

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/* A vector that turns with the knuckle, with its derivatives. */
static void turning(const vd_pose *pose, const double *b, vd_jet *out) {
  static const int first[VD_SECONDS] = {0, 0, 1}, second[VD_SECONDS] = {0, 1, 1};
  double r[3], v[VD_INPUTS][3], a[3], jk[3], kj[3];
  for (int i = 0; i < 3; i++)
    out[i].v = r[i] = dot(pose->turn[i], b);
  for (int k = 0; k < VD_INPUTS; k++) {
    cross(pose->spin[k], r, v[k]);
    for (int i = 0; i < 3; i++)
      out[i].d[k] = v[k][i];
  }
  for (int k = 0; k < VD_SECONDS; k++) {
    cross(pose->angular[k], r, a);
    cross(pose->spin[first[k]], v[second[k]], jk);
    cross(pose->spin[second[k]], v[first[k]], kj);
    for (int i = 0; i < 3; i++)
      out[i].h[k] = a[i] + 0.5 * (jk[i] + kj[i]);
  }
}

vd_jet3 vd_pose_direction(const vd_pose *pose, const double *design) {
  vd_jet out[3];
  turning(pose, design, out);
  return (vd_jet3){out[0], out[1], out[2]};
}

vd_jet3 vd_pose_point(const vd_linkage *l, const vd_pose *pose, const double *design) {
  const double *centre = l->points.wheel_center;
  double b[3] = {design[0] - centre[0], design[1] - centre[1], design[2] - centre[2]};
  vd_jet out[3];
  turning(pose, b, out);
  for (int i = 0; i < 3; i++) {
    out[i].v += pose->at[i];
    for (int k = 0; k < VD_INPUTS; k++)
      out[i].d[k] += pose->velocity[k][i];
    for (int k = 0; k < VD_SECONDS; k++)
      out[i].h[k] += pose->accel[k][i];
  }
  return (vd_jet3){out[0], out[1], out[2]};
}

/* --- bodies that turn about an axis of the chassis --- */

/* A point that turns about the axis through `origin`: along it, and the radius at design and a quarter turn on. */
typedef struct swing {
  double origin[3], ahead[3], aside[3], radius2;
} swing;

static void make_swing(const double *origin, const double *axis, const double *point, swing *s) {
  double length = sqrt(dot(axis, axis)), unit[3], from[3];
  for (int i = 0; i < 3; i++) {
    unit[i] = axis[i] / length;
    from[i] = point[i] - origin[i];
  }
  double along = dot(unit, from);
  for (int i = 0; i < 3; i++) {
    s->ahead[i] = from[i] - along * unit[i];
    s->origin[i] = origin[i] + along * unit[i];
  }
  cross(unit, s->ahead, s->aside);
  s->radius2 = dot(s->ahead, s->ahead);
}

static vd_jet3 swung(const swing *s, vd_jet cosine, vd_jet sine) {
  vd_jet out[3];
  for (int i = 0; i < 3; i++) {
    out[i] = vd_jet_blend(s->ahead[i], cosine, s->aside[i], sine);
    out[i].v += s->origin[i];
  }
  return (vd_jet3){out[0], out[1], out[2]};
}

static vd_jet3 steered(const vd_pose *pose, const vd_member *m, const double *point) {
  vd_jet3 p = vd_jet3_constant(point);
  if (m->steered) {
    p.y.v += pose->u[1];
    p.y.d[1] = 1.0;
  }
  return p;
}

/* The arm's turn is that of its ball joint. */
static vd_jet3 arm_point(const vd_linkage *l, const vd_pose *pose, const vd_member *m, const double *design) {
  double axis[3] = {m->chassis[0][0] - m->chassis[1][0], m->chassis[0][1] - m->chassis[1][1],
                    m->chassis[0][2] - m->chassis[1][2]};
  swing ball, point;
  make_swing(m->chassis[1], axis, m->knuckle, &ball);
  make_swing(m->chassis[1], axis, design, &point);
  vd_jet3 from = vd_jet3_sub(vd_pose_point(l, pose, m->knuckle), vd_jet3_constant(ball.origin));
  vd_jet cosine = vd_jet_scale(1.0 / ball.radius2, vd_jet3_dot(from, vd_jet3_constant(ball.ahead)));
  vd_jet sine = vd_jet_scale(1.0 / ball.radius2, vd_jet3_dot(from, vd_jet3_constant(ball.aside)));
  return swung(&point, cosine, sine);
}

vd_jet3 vd_member_point(const vd_linkage *l, const vd_pose *pose, int member, const double *design) {
  const vd_member *m = &l->points.member[member];
  switch (m->kind) {
  case VD_ARM: return arm_point(l, pose, m, design);
  case VD_ROD: {
    double rod[3], from[3];
    for (int i = 0; i < 3; i++) {
      rod[i] = m->knuckle[i] - m->chassis[0][i];
      from[i] = design[i] - m->chassis[0][i];
    }
    vd_jet3 inner = steered(pose, m, m->chassis[0]), along = vd_jet3_sub(vd_pose_point(l, pose, m->knuckle), inner);
    return vd_jet3_add(inner, vd_jet3_scale(vd_jet_constant(dot(rod, from) / dot(rod, rod)), along));
  }
  case VD_SLIDER:
  case VD_HINGE: break;
  }
  return vd_pose_point(l, pose, design);
}

static vd_jet3 part_point(const vd_linkage *l, const vd_pose *pose, int on, const double *design) {
  if (on == VD_ON_KNUCKLE)
    return vd_pose_point(l, pose, design);
  return vd_member_point(l, pose, on - VD_ON_MEMBER, design);
}

/* --- rockers --- */

/* The rocker turns by f until its rod fits: |c + e1 cos f + e2 sin f - x| = L, that is A cos f + B sin f = C with y = x - c,
 * A = y . e1, B = y . e2, C = (y^2 + e1^2 - L^2)/2; of the two answers the one that is 0 at design. */
static vd_jet3 rocker_point(const vd_linkage *l, const vd_pose *pose, const vd_element *e) {
  swing rod, eye;
  double length2 = 0.0;
  make_swing(e->pivot, e->axis, e->rod_rocker, &rod);
  make_swing(e->pivot, e->axis, e->eye, &eye);
  double b0 = 0.0;
  for (int i = 0; i < 3; i++) {
    double d = e->rod_part[i] - e->rod_rocker[i];
    length2 += d * d;
    b0 += (e->rod_part[i] - rod.origin[i]) * rod.aside[i];
  }
  vd_jet3 y = vd_jet3_sub(part_point(l, pose, e->on, e->rod_part), vd_jet3_constant(rod.origin));
  vd_jet a = vd_jet3_dot(y, vd_jet3_constant(rod.ahead)), b = vd_jet3_dot(y, vd_jet3_constant(rod.aside));
  vd_jet c = vd_jet_scale(0.5, vd_jet3_dot(y, y));
  c.v += 0.5 * (rod.radius2 - length2);
  vd_jet square = vd_jet_sub(vd_jet_add(vd_jet_mul(a, a), vd_jet_mul(b, b)), vd_jet_mul(c, c));
  vd_jet off = vd_jet_atan2(vd_jet_sqrt(square), c), angle = vd_jet_atan2(b, a);
  angle = b0 > 0.0 ? vd_jet_sub(angle, off) : vd_jet_add(angle, off);
  double cosine = cos(angle.v), sine = sin(angle.v);
  return swung(&eye, vd_jet_chain(angle, cosine, -sine, -cosine), vd_jet_chain(angle, sine, cosine, -sine));
}

vd_jet vd_element_length(const vd_linkage *l, const vd_pose *pose, const vd_element *element) {
  assert(element->given);
  vd_jet3 eye = element->rocker ? rocker_point(l, pose, element) : part_point(l, pose, element->on, element->eye);
  return vd_jet3_length(vd_jet3_sub(eye, vd_jet3_constant(element->chassis)));
}
