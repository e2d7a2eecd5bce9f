#include "rods.h"

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
