/* The hardpoint graph: bodies, the joints between them, and the points that define both. */
#include "base/base.h"
#include "linkage/corner_impl.h"
#include "base/num.h"

#include <math.h>

static void write_point(const char *name, const char *suffix, const double *at, const char *body, vd_buf *out) {
  vd_buf_printf(out, "  %s%s: {at: [", name, suffix);
  for (int i = 0; i < 3; i++) {
    char text[VD_NUM_MAX];
    vd_num_print_shortest(at[i], text);
    vd_buf_printf(out, "%s%s", i ? ", " : "", text);
  }
  vd_buf_printf(out, "], body: %s}\n", body);
}

/* Returns whether a member is a body of its own: sliders and hinges are one body with the knuckle. */
static bool own_body(const vd_member *m) {
  return m->kind == VD_ARM || m->kind == VD_ROD;
}

static const char *body_of(const vd_member *m) {
  return own_body(m) ? m->name : "knuckle";
}

static const char *holder(const vd_corner *corner, const vd_element *e) {
  return e->on == VD_ON_KNUCKLE ? "knuckle" : body_of(&corner->points.member[e->on - VD_ON_MEMBER]);
}

static void write_joint(const char *name, const char *kind, const char *from, const char *to, const char *at,
                        vd_buf *out) {
  vd_buf_printf(out, "  - {name: %s, kind: %s, between: [%s, %s], at: %s}\n", name, kind, from, to, at);
}

/* Returns the kind of a member's joint without bushings, according to the constraints of the solver. */
static const char *chassis_joint(const vd_member *m) {
  switch (m->kind) {
  case VD_ARM:
  case VD_HINGE: return "hinge";
  case VD_ROD: return "ball";
  case VD_SLIDER: return "slider";
  }
  return "";
}

/* Returns the body at which a member's inner end is. */
static const char *base_of(const vd_corner *corner, const vd_member *m) {
  if (m->base >= VD_ON_MEMBER)
    return corner->points.member[m->base - VD_ON_MEMBER].name;
  return !m->steered ? "chassis" : corner->points.gear.kind == VD_GEAR_RELAY ? "relay" : "rack";
}

static void member_joints(const vd_corner *corner, int i, vd_buf *out) {
  const vd_member *m = &corner->points.member[i];
  const vd_corner_member *keys = &vd_corner_kind_of(corner->points.type)->member[i];
  for (int k = 0; k < 2; k++)
    if (keys->point[k])
      write_joint(keys->point[k],
                  k == 1 && !keys->bushing[1]   ? "beam" /* the shear centre, common to both sides */
                  : corner->bushing[i][k].given ? "bushing"
                                                : chassis_joint(m),
                  base_of(corner, m), body_of(m), keys->point[k], out);
  if (own_body(m))
    write_joint(keys->point[VD_AT_KNUCKLE], isinf(corner->ball_stiffness[i]) ? "ball" : "elastic_ball", m->name,
                "knuckle", keys->point[VD_AT_KNUCKLE], out);
}

static void element_joints(const vd_corner *corner, const char *name, const vd_element *e, vd_buf *out) {
  if (!e->given)
    return;
  const char *outer = holder(corner, e);
  vd_buf_printf(out, "  - {name: %s, kind: %s, between: [chassis, %s%s], at: [%s.chassis, %s.eye]}\n", name, name,
                e->rocker ? name : outer, e->rocker ? "_rocker" : "", name, name);
  if (e->rocker)
    vd_buf_printf(out,
                  "  - {name: %s.rocker.pivot, kind: hinge, between: [chassis, %s_rocker], at: %s.rocker.pivot}\n"
                  "  - {name: %s.rocker.rod, kind: rod, between: [%s, %s_rocker], at: [%s.rocker.rod_part, "
                  "%s.rocker.rod_rocker]}\n",
                  name, name, name, name, outer, name, name, name);
}

static void element_points(const vd_corner *corner, const char *name, const vd_element *e, vd_buf *out) {
  if (!e->given)
    return;
  vd_buf rocker = {0};
  vd_buf_printf(&rocker, "%s_rocker", name);
  write_point(name, ".chassis", e->chassis, "chassis", out);
  write_point(name, ".eye", e->eye, e->rocker ? rocker.text : holder(corner, e), out);
  if (e->rocker) {
    write_point(name, ".rocker.pivot", e->pivot, rocker.text, out);
    write_point(name, ".rocker.rod_part", e->rod_part, holder(corner, e), out);
    write_point(name, ".rocker.rod_rocker", e->rod_rocker, rocker.text, out);
  }
  vd_buf_finish(&rocker);
}

void vd_corner_graph(const vd_corner *corner, vd_buf *out) {
  const vd_hardpoints *p = &corner->points;
  const vd_corner_kind *kind = vd_corner_kind_of(p->type);
  bool rack = false, relay = p->gear.kind == VD_GEAR_RELAY;
  vd_buf_printf(out, "type: %s\nbodies:\n  - chassis\n  - knuckle\n", vd_linkage_type_names[p->type]);
  for (int i = 0; i < p->members; i++) {
    rack |= p->member[i].steered && !relay;
    if (own_body(&p->member[i]))
      vd_buf_printf(out, "  - %s\n", p->member[i].name);
  }
  if (rack || relay)
    vd_buf_puts(out, rack ? "  - rack\n" : "  - relay\n  - pitman\n");
  vd_buf_printf(out, "%s%s", p->spring.given && p->spring.rocker ? "  - spring_rocker\n" : "",
                p->damper.given && p->damper.rocker ? "  - damper_rocker\n" : "");
  vd_buf_puts(out, "joints:\n");
  for (int i = 0; i < p->members; i++)
    member_joints(corner, i, out);
  element_joints(corner, "spring", &p->spring, out);
  element_joints(corner, "damper", &p->damper, out);
  if (rack)
    vd_buf_puts(out, "  - {name: rack, kind: slider, between: [chassis, rack], along: y}\n");
  if (relay) {
    write_joint("steering.pivot", "hinge", "chassis", "pitman", "steering.pivot", out);
    write_joint("steering.joint", "ball", "pitman", "relay", "steering.joint", out);
  }
  vd_buf_puts(out, "points:\n");
  write_point("wheel", ".center", p->wheel_center, "knuckle", out);
  for (int i = 0; i < p->members; i++) {
    const vd_member *m = &p->member[i];
    const char *fixed = base_of(corner, m);
    const double *const at[] = {m->chassis[0], m->chassis[1], m->knuckle};
    for (int k = 0; k < VD_MEMBER_POINTS; k++)
      if (kind->member[i].point[k])
        write_point(kind->member[i].point[k], "", at[k], k == VD_AT_KNUCKLE ? "knuckle" : fixed, out);
  }
  if (relay) {
    write_point("steering", ".pivot", p->gear.pivot, "pitman", out);
    write_point("steering", ".joint", p->gear.joint, "relay", out);
  }
  if (!isnan(corner->knuckle_arm[0])) {
    double arm[3];
    for (int i = 0; i < 3; i++)
      arm[i] = p->wheel_center[i] + corner->knuckle_arm[i];
    write_point("knuckle", ".arm", arm, "knuckle", out);
  }
  element_points(corner, "spring", &p->spring, out);
  element_points(corner, "damper", &p->damper, out);
}
