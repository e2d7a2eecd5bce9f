/* Steering in suspension files: racks and relay rods of corners, knuckles of rigid axles. */
#include "base/base.h"
#include "linkage/corner_impl.h"

#include <math.h>
#include <string.h>

enum { LEFT, RIGHT };

static const double upright[3] = {0.0, 0.0, 1.0};

static void complete_corner(const vd_steers_def *def, const vd_corner_kind *kind, vd_hardpoints *p) {
  p->gear = (vd_gear){.kind = def->type == VD_STEERS_RELAY ? VD_GEAR_RELAY : VD_GEAR_RACK};
  for (int i = 0; i < p->members; i++)
    if (def->type != VD_STEERS_AUTO && kind->member[i].steerable)
      p->member[i].steered = def->type != VD_STEERS_NONE;
  if (p->gear.kind != VD_GEAR_RELAY)
    return;
  memcpy(p->gear.pivot, def->pivot, sizeof p->gear.pivot);
  memcpy(p->gear.joint, def->joint, sizeof p->gear.joint);
  memcpy(p->gear.axis, vd_point_given(def->axis) ? def->axis : upright, sizeof p->gear.axis);
  p->gear.pitman = def->pitman == VD_RIGHT;
  p->gear.lopsided = vd_point_given(def->other_pivot) || vd_point_given(def->other_joint);
  if (!p->gear.lopsided)
    return;
  memcpy(p->gear.other_pivot, def->other_pivot, sizeof p->gear.other_pivot);
  memcpy(p->gear.other_joint, def->other_joint, sizeof p->gear.other_joint);
  vd_fill_image(p->gear.pivot, p->gear.other_pivot);
  vd_fill_image(p->gear.joint, p->gear.other_joint);
}

static void complete_axle(const vd_axle_steers_def *def, const vd_node *root, vd_diag *d, vd_hardpoints *p) {
  vd_axle_steer *s = &p->steer;
  bool pitman = def->type == VD_AXLE_STEERS_PITMAN;
  p->gear = (vd_gear){.kind = pitman ? VD_GEAR_PITMAN : VD_GEAR_RACK};
  *s = (vd_axle_steer){.given = def->type != VD_AXLE_STEERS_NONE};
  if (!s->given)
    return;
  memcpy(s->kingpin[LEFT], def->kingpin.left, sizeof s->kingpin[LEFT]);
  memcpy(s->kingpin[RIGHT], def->kingpin.right, sizeof s->kingpin[RIGHT]);
  for (int k = 0; k < 2; k++)
    vd_fill_image(s->kingpin[LEFT][k], s->kingpin[RIGHT][k]);
  memcpy(s->drag_link, def->drag_link.at, sizeof s->drag_link);
  memcpy(s->tie_rod, def->tie_rod.at, sizeof s->tie_rod);
  s->drag_link_stiffness = isnan(def->drag_link.stiffness) ? 0.0 : def->drag_link.stiffness;
  s->tie_rod_stiffness = isnan(def->tie_rod.stiffness) ? 0.0 : def->tie_rod.stiffness;
  s->driven = s->drag_link[1][1] < 0.0 ? RIGHT : LEFT;
  s->carried = def->tie_rod.joins == VD_TIE_ROD_JOINS_DRAG_LINK;
  if (!vd_point_given(s->tie_rod[LEFT]) && !vd_point_given(s->tie_rod[RIGHT]))
    vd_error(d, vd_tree_place(root, "steering.tie_rod"), "the tie rod has no points: 'left' or 'right', or both");
  else if (s->carried && !(vd_point_given(s->tie_rod[LEFT]) && vd_point_given(s->tie_rod[RIGHT])))
    vd_error(d, vd_tree_place(root, "steering.tie_rod"),
             "a tie rod between drag link and knuckle needs 'left' and 'right': it is no mirror image of itself");
  vd_fill_image(s->tie_rod[LEFT], s->tie_rod[RIGHT]);
  vd_fill_image(s->tie_rod[RIGHT], s->tie_rod[LEFT]);
  if (!pitman)
    return;
  memcpy(p->gear.pivot, def->pivot, sizeof p->gear.pivot);
  memcpy(p->gear.joint, s->drag_link[0], sizeof p->gear.joint);
  memcpy(p->gear.axis, vd_point_given(def->axis) ? def->axis : upright, sizeof p->gear.axis);
}

void vd_corner_complete_steering(const vd_corner_def *def, const vd_node *root, vd_diag *d, vd_hardpoints *p) {
  const vd_corner_kind *kind = vd_corner_kind_of(p->type);
  if (kind->traits.axle)
    complete_axle(&def->axle_steering, root, d, p);
  else
    complete_corner(&def->steering, kind, p);
}

int vd_corner_steerable(enum vd_linkage_type type, bool *steered) {
  const vd_corner_kind *kind = vd_corner_kind_of(type);
  for (int i = 0; i < VD_MEMBERS; i++)
    if (kind->member[i].steerable) {
      *steered = kind->member[i].steered;
      return i;
    }
  return -1;
}

/* Leaves the type at auto where that gives the same steered members. */
static void describe_corner(const vd_hardpoints *p, vd_steers_def *def) {
  const vd_corner_kind *kind = vd_corner_kind_of(p->type);
  for (int i = 0; i < p->members; i++)
    if (p->member[i].steered != kind->member[i].steered)
      def->type = p->member[i].steered ? VD_STEERS_RACK : VD_STEERS_NONE;
  if (p->gear.kind != VD_GEAR_RELAY)
    return;
  def->type = VD_STEERS_RELAY;
  memcpy(def->pivot, p->gear.pivot, sizeof def->pivot);
  memcpy(def->joint, p->gear.joint, sizeof def->joint);
  memcpy(def->axis, p->gear.axis, sizeof def->axis);
  def->pitman = p->gear.pitman ? VD_RIGHT : VD_LEFT;
  if (!p->gear.lopsided)
    return;
  memcpy(def->other_pivot, p->gear.other_pivot, sizeof def->other_pivot);
  memcpy(def->other_joint, p->gear.other_joint, sizeof def->other_joint);
}

static void describe_axle(const vd_hardpoints *p, vd_axle_steers_def *def) {
  const vd_axle_steer *s = &p->steer;
  if (!s->given)
    return;
  def->type = p->gear.kind == VD_GEAR_PITMAN ? VD_AXLE_STEERS_PITMAN : VD_AXLE_STEERS_RACK;
  memcpy(def->kingpin.left, s->kingpin[LEFT], sizeof def->kingpin.left);
  memcpy(def->kingpin.right, s->kingpin[RIGHT], sizeof def->kingpin.right);
  memcpy(def->drag_link.at, s->drag_link, sizeof def->drag_link.at);
  memcpy(def->tie_rod.at, s->tie_rod, sizeof def->tie_rod.at);
  def->drag_link.stiffness = s->drag_link_stiffness > 0.0 ? s->drag_link_stiffness : NAN;
  def->tie_rod.stiffness = s->tie_rod_stiffness > 0.0 ? s->tie_rod_stiffness : NAN;
  def->tie_rod.joins = s->carried ? VD_TIE_ROD_JOINS_DRAG_LINK : VD_TIE_ROD_JOINS_KNUCKLE;
  memcpy(def->pivot, p->gear.pivot, sizeof def->pivot);
  memcpy(def->axis, p->gear.axis, sizeof def->axis);
}

void vd_corner_describe_steering(const vd_hardpoints *p, vd_corner_def *def) {
  vd_axle_steers_def *axle = &def->axle_steering;
  def->steering = (vd_steers_def){.type = VD_STEERS_AUTO};
  vd_forget(def->steering.pivot, 3);
  vd_forget(def->steering.joint, 3);
  vd_forget(def->steering.axis, 3);
  vd_forget(def->steering.other_pivot, 3);
  vd_forget(def->steering.other_joint, 3);
  *axle = (vd_axle_steers_def){.type = VD_AXLE_STEERS_NONE};
  vd_forget(axle->pivot, 3);
  vd_forget(axle->axis, 3);
  vd_forget(axle->kingpin.left[0], 6);
  vd_forget(axle->kingpin.right[0], 6);
  vd_forget(axle->drag_link.at[0], 6);
  vd_forget(axle->tie_rod.at[0], 6);
  axle->drag_link.stiffness = axle->tie_rod.stiffness = NAN;
  if (vd_corner_kind_of(p->type)->traits.axle)
    describe_axle(p, axle);
  else
    describe_corner(p, &def->steering);
}

/* The axis is in the plane y = 0, so it is its own mirror image. */
void vd_mirror_relay(vd_gear *gear) {
  const vd_gear old = *gear;
  gear->pitman = gear->kind == VD_GEAR_RELAY && !old.pitman;
  if (!gear->lopsided)
    return;
  memcpy(gear->pivot, old.other_pivot, sizeof gear->pivot);
  memcpy(gear->joint, old.other_joint, sizeof gear->joint);
  memcpy(gear->other_pivot, old.pivot, sizeof gear->other_pivot);
  memcpy(gear->other_joint, old.joint, sizeof gear->other_joint);
  double *const point[] = {gear->pivot, gear->joint, gear->other_pivot, gear->other_joint};
  for (size_t k = 0; k < VD_COUNT(point); k++)
    vd_mirror_point(point[k]);
}

/* Mirrored, a rotation about an axis is the opposite rotation about the mirrored axis, as a rack's displacement to the
 * left is one to the right. */
void vd_mirror_axle_steer(vd_hardpoints *p) {
  vd_axle_steer *s = &p->steer;
  const vd_axle_steer old = *s;
  if (!s->given)
    return;
  s->driven = !old.driven;
  for (int side = 0; side < 2; side++) {
    memcpy(s->kingpin[side], old.kingpin[!side], sizeof s->kingpin[side]);
    memcpy(s->tie_rod[side], old.tie_rod[!side], sizeof s->tie_rod[side]);
    vd_mirror_point(s->kingpin[side][0]);
    vd_mirror_point(s->kingpin[side][1]);
    vd_mirror_point(s->tie_rod[side]);
    vd_mirror_point(s->drag_link[side]);
  }
  vd_mirror_point(p->gear.pivot);
  vd_mirror_point(p->gear.joint);
  vd_mirror_point(p->gear.axis);
}
