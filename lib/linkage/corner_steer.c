/* Steering in suspension files: racks and relay rods of corners, knuckles of rigid axles. */
#include "base/base.h"
#include "linkage/corner_impl.h"

#include <math.h>
#include <string.h>

enum { LEFT, RIGHT };

static void default_upright(double *axis) {
  static const double upright[3] = {0.0, 0.0, 1.0};
  if (!vd_point_given(axis))
    memcpy(axis, upright, sizeof upright);
}

static void complete_corner(const vd_corner_def *def, vd_hardpoints *p) {
  const vd_corner_kind *kind = vd_corner_kind_of(p->type);
  p->gear.kind = def->steers == VD_STEERS_RELAY ? VD_GEAR_RELAY : VD_GEAR_RACK;
  for (int i = 0; i < p->members; i++)
    if (def->steers != VD_STEERS_AUTO && kind->member[i].steerable)
      p->member[i].steered = def->steers != VD_STEERS_NONE;
  if (p->gear.kind != VD_GEAR_RELAY)
    return;
  default_upright(p->gear.axis);
  p->gear.asymmetric = vd_point_given(p->gear.other_pivot) || vd_point_given(p->gear.other_joint);
  if (p->gear.asymmetric) {
    vd_fill_image(p->gear.pivot, p->gear.other_pivot);
    vd_fill_image(p->gear.joint, p->gear.other_joint);
  } else {
    memset(p->gear.other_pivot, 0, sizeof p->gear.other_pivot);
    memset(p->gear.other_joint, 0, sizeof p->gear.other_joint);
  }
}

static void complete_axle(const vd_corner_def *def, const vd_node *root, vd_diag *d, vd_hardpoints *p) {
  vd_axle_steer *s = &p->steer;
  s->given = def->steers != VD_AXLE_STEERS_NONE;
  if (!s->given)
    return;
  for (int k = 0; k < 2; k++)
    vd_fill_image(s->kingpin[LEFT][k], s->kingpin[RIGHT][k]);
  double *const stiffness[] = {&s->drag_link_stiffness, &s->tie_rod_stiffness};
  for (size_t k = 0; k < VD_COUNT(stiffness); k++)
    *stiffness[k] = isnan(*stiffness[k]) ? 0.0 : *stiffness[k];
  s->driven_side = s->drag_link[1][1] < 0.0 ? RIGHT : LEFT;
  s->tie_rod_on_drag_link = def->tie_rod_joins == VD_TIE_ROD_JOINS_DRAG_LINK;
  if (!vd_point_given(s->tie_rod[LEFT]) && !vd_point_given(s->tie_rod[RIGHT]))
    vd_error(d, vd_tree_place(root, "steering.tie_rod"), "the tie rod has no points: 'left' or 'right', or both");
  else if (s->tie_rod_on_drag_link && !(vd_point_given(s->tie_rod[LEFT]) && vd_point_given(s->tie_rod[RIGHT])))
    vd_error(d, vd_tree_place(root, "steering.tie_rod"),
             "a tie rod between drag link and knuckle needs 'left' and 'right': it is not a mirror image of itself");
  vd_fill_image(s->tie_rod[LEFT], s->tie_rod[RIGHT]);
  vd_fill_image(s->tie_rod[RIGHT], s->tie_rod[LEFT]);
  if (def->steers != VD_AXLE_STEERS_PITMAN)
    return;
  p->gear.kind = VD_GEAR_PITMAN;
  memcpy(p->gear.joint, s->drag_link[0], sizeof p->gear.joint);
  default_upright(p->gear.axis);
}

void vd_corner_complete_steering(vd_corner_def *def, const vd_node *root, vd_diag *d) {
  vd_hardpoints *p = &def->corner.points;
  if (vd_corner_kind_of(p->type)->traits.axle)
    complete_axle(def, root, d, p);
  else
    complete_corner(def, p);
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

/* Leaves `type' at auto if auto gives the same steered members. */
static void describe_corner(vd_hardpoints *p, vd_corner_def *def) {
  const vd_corner_kind *kind = vd_corner_kind_of(p->type);
  for (int i = 0; i < p->members; i++)
    if (p->member[i].steered != kind->member[i].steered)
      def->steers = p->member[i].steered ? VD_STEERS_RACK : VD_STEERS_NONE;
  if (p->gear.kind == VD_GEAR_RELAY)
    def->steers = VD_STEERS_RELAY;
  if (!p->gear.asymmetric) {
    vd_forget(p->gear.other_pivot, 3);
    vd_forget(p->gear.other_joint, 3);
  }
}

static void describe_axle(vd_hardpoints *p, vd_corner_def *def) {
  vd_axle_steer *s = &p->steer;
  if (!s->given)
    return;
  def->steers = p->gear.kind == VD_GEAR_PITMAN ? VD_AXLE_STEERS_PITMAN : VD_AXLE_STEERS_RACK;
  def->tie_rod_joins = s->tie_rod_on_drag_link ? VD_TIE_ROD_JOINS_DRAG_LINK : VD_TIE_ROD_JOINS_KNUCKLE;
  s->drag_link_stiffness = s->drag_link_stiffness > 0.0 ? s->drag_link_stiffness : NAN;
  s->tie_rod_stiffness = s->tie_rod_stiffness > 0.0 ? s->tie_rod_stiffness : NAN;
}

void vd_corner_describe_steering(vd_corner_def *def) {
  vd_hardpoints *p = &def->corner.points;
  if (vd_corner_kind_of(p->type)->traits.axle)
    describe_axle(p, def);
  else
    describe_corner(p, def);
}

/* The axis is in the plane y = 0, so it is its own mirror image. */
void vd_mirror_relay(vd_gear *gear) {
  const vd_gear old = *gear;
  gear->pitman_side = gear->kind == VD_GEAR_RELAY && !old.pitman_side;
  if (!gear->asymmetric)
    return;
  memcpy(gear->pivot, old.other_pivot, sizeof gear->pivot);
  memcpy(gear->joint, old.other_joint, sizeof gear->joint);
  memcpy(gear->other_pivot, old.pivot, sizeof gear->other_pivot);
  memcpy(gear->other_joint, old.joint, sizeof gear->other_joint);
  double *const point[] = {gear->pivot, gear->joint, gear->other_pivot, gear->other_joint};
  for (size_t k = 0; k < VD_COUNT(point); k++)
    vd_mirror_point(point[k]);
}

/* The mirror image of a rotation is the opposite rotation about the mirrored axis. The mirror image of a rack
 * displacement to the left is one to the right. */
void vd_mirror_axle_steer(vd_hardpoints *p) {
  vd_axle_steer *s = &p->steer;
  const vd_axle_steer old = *s;
  if (!s->given)
    return;
  s->driven_side = !old.driven_side;
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
