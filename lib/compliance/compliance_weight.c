/* The spring's load in the design position, and the weights of knuckle and members. */
#include "compliance/compliance_impl.h"
#include "linkage/wheel_disc.h"

static const double upright[4] = {1.0, 0.0, 0.0, 0.0};

/* Returns the derivative of a height by the travel of the wheel; for joined wheels by the travel of both. */
static double in_heave(const vd_compliance *c, vd_jet height) {
  return height.d[0] + (c->joined ? height.d[1] : 0.0);
}

/* Returns the work per travel, N, that lifts the weights of the rigid linkage in the design position: of one wheel or,
 * for a rigid axle, of the axle with both wheels. The middle of a member moves by the mean of its ends. */
static double lifted_weight(const vd_compliance *c) {
  const vd_hardpoints *p = &c->corner.points;
  double sum = 0.0, centre[3];
  if (!c->has_weights)
    return 0.0;
  memcpy(centre, p->wheel_center, sizeof centre);
  if (c->linkage.axle)
    centre[1] = 0.0;
  sum += c->knuckle_weight * in_heave(c, vd_pose_point(&c->linkage, &c->rigid, centre).z);
  for (int m = 0; m < p->members; m++) {
    const vd_member *member = &p->member[m];
    if (member->kind == VD_HINGE) {
      sum += c->weight[m] * in_heave(c, vd_pose_point(&c->linkage, &c->rigid, c->middle[m]).z);
      continue;
    }
    double ends = in_heave(c, vd_pose_point(&c->linkage, &c->rigid, member->knuckle).z) +
                  in_heave(c, vd_member_base(&c->linkage, &c->rigid, m, 0).z);
    sum += 0.5 * c->weight[m] * ends;
  }
  return sum;
}

/* Computes the spring's load and the wheel load in the design position, each from the other, by virtual work on the
 * rigid linkage: load . d(contact)/d(travel) - weights . d(places)/d(travel) = -force . d(length)/d(travel). For joined
 * wheels the travel is that of both wheels; for a rigid axle both sides of the equation contain both wheels. The right
 * spring of joined wheels is the mirror image of the left one only if that stands on the body that carries the wheel,
 * without a rocker; otherwise nothing is computed. */
void vd_compliance_load_spring(vd_compliance *c) {
  const vd_corner *corner = &c->corner;
  const vd_element *spring = &corner->points.spring;
  bool mirrors = !c->joined || ((spring->on == VD_ON_KNUCKLE || c->twists) && !spring->rocker);
  c->settled = c->settled_load = c->settled_rack = NAN;
  c->sprung = spring->given && mirrors && corner->spring_rate > 0.0 && isfinite(corner->spring_rate) &&
              (isfinite(corner->spring_load) || isfinite(corner->wheel_load));
  if (!c->sprung)
    return;
  double patch[3], ratio, rise;
  vd_jet length = vd_element_length(&c->linkage, &c->rigid, spring);
  if (c->linkage.axle) {
    ratio = vd_axle_spring_ratio(&c->linkage, &c->rigid, &rise);
  } else {
    vd_lowest_point(c, 0, upright, patch, NULL);
    for (int i = 0; i < 3; i++)
      patch[i] += c->linkage.points.wheel_center[i];
    rise = in_heave(c, vd_pose_point(&c->linkage, &c->rigid, patch).z);
    ratio = -in_heave(c, length) / rise;
  }
  double unsprung = lifted_weight(c) / rise; /* N, at the contact point */
  c->spring_length = length.v;
  c->spring_load = isfinite(corner->spring_load) ? corner->spring_load : (corner->wheel_load - unsprung) / ratio;
  c->equilibrium_load = c->spring_load * ratio + unsprung;
}

bool vd_compliance_weigh(vd_compliance *c) {
  vd_corner_bar bar[VD_CORNER_BARS];
  double part[VD_MEMBERS] = {0.0};
  const int bars = vd_corner_bars(&c->corner, bar);
  c->has_weights = vd_corner_masses_known(&c->corner);
  if (!c->has_weights)
    return false;
  c->knuckle_weight = VD_GRAVITY * c->corner.knuckle_mass;
  memset(c->weight, 0, sizeof c->weight);
  memset(c->middle, 0, sizeof c->middle);
  for (int k = 0; k < bars; k++) {
    const int m = bar[k].member;
    part[m] += bar[k].mass;
    c->weight[m] += VD_GRAVITY * bar[k].mass;
    for (int i = 0; i < 3; i++)
      c->middle[m][i] += 0.5 * bar[k].mass * (bar[k].inner[i] + bar[k].outer[i]);
  }
  for (int m = 0; m < c->corner.points.members; m++)
    for (int i = 0; part[m] > 0.0 && i < 3; i++)
      c->middle[m][i] /= part[m];
  vd_compliance_load_spring(c);
  return true;
}
