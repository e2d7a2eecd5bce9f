#include "rods.h"

#include <string.h>

size_t vd_rods_of(const vd_linkage *l, const vd_pose *pose, double (*out)[6]) {
  const vd_hardpoints *p = &l->points;
  size_t n = 0;
  for (int m = 0; m < p->members; m++) {
    const vd_member *member = &p->member[m];
    bool hinge = member->kind == VD_HINGE;
    for (int end = 0; end < (hinge || member->kind == VD_ARM ? 2 : 1); end++, n++)
      if (out) {
        vd_jet3_value(hinge ? vd_jet3_constant(member->chassis[end]) : vd_member_base(l, pose, m, end), out[n]);
        vd_jet3_value(vd_pose_point(l, pose, hinge ? p->wheel_center : member->knuckle), out[n] + 3);
      }
  }
  return n;
}

static vd_jet3 part_point(const vd_linkage *l, const vd_pose *pose, int on, const double *design) {
  return on == VD_ON_KNUCKLE ? vd_pose_point(l, pose, design) : vd_member_point(l, pose, on - VD_ON_MEMBER, design);
}

static void put(double (*out)[6], int *kind, size_t *n, enum vd_rod what, const double *from, vd_jet3 to) {
  memcpy(out[*n], from, 3 * sizeof *from);
  vd_jet3_value(to, out[*n] + 3);
  kind[(*n)++] = (int)what;
}

static void put_element(const vd_linkage *l, const vd_pose *pose, const vd_element *e, enum vd_rod what,
                        const vd_element *shown, double (*out)[6], int *kind, size_t *n) {
  double at[3];
  vd_jet3 eye, rod;
  if (!e->given)
    return;
  if (!e->rocker) {
    put(out, kind, n, what, e->chassis, part_point(l, pose, e->on, e->eye));
    return;
  }
  vd_rocker_points(l, pose, e, &eye, &rod);
  put(out, kind, n, what, e->chassis, eye);
  put(out, kind, n, VD_ROD_ROCKER, e->pivot, eye);
  if (shown && shown->rocker && memcmp(shown->pivot, e->pivot, sizeof e->pivot) == 0 &&
      memcmp(shown->rod_part, e->rod_part, sizeof e->rod_part) == 0)
    return;
  vd_jet3_value(part_point(l, pose, e->on, e->rod_part), at);
  put(out, kind, n, VD_ROD_PUSH, at, rod);
  put(out, kind, n, VD_ROD_ROCKER, e->pivot, rod);
  vd_jet3_value(rod, at);
  put(out, kind, n, VD_ROD_ROCKER, at, eye);
}

size_t vd_elements_of(const vd_linkage *l, const vd_pose *pose, double (*out)[6], int *kind) {
  const vd_hardpoints *p = &l->points;
  size_t n = 0;
  put_element(l, pose, &p->spring, VD_ROD_SPRING, NULL, out, kind, &n);
  put_element(l, pose, &p->damper, VD_ROD_DAMPER, p->spring.given ? &p->spring : NULL, out, kind, &n);
  for (size_t i = 0, left = n; l->axle && i < left; i++, n++) {
    memcpy(out[n], out[i], sizeof out[n]);
    out[n][1] *= -1.0;
    out[n][4] *= -1.0;
    kind[n] = kind[i];
  }
  return n;
}
