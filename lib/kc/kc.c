/* Computes the figures of a pose.
 *
 * Signs and names are those of ISO 8855:2011; formulas are beside the functions. By virtual work a force at a point of
 * the knuckle acts on the travel as force . d(point)/d(travel). Anti-dive, roll centre and motion ratio all follow from
 * this. */
#include "kc/kc_impl.h"
#include "base/elementary.h"
#include "base/vec.h"

#include <string.h>

static vd_jet negative(vd_jet a) {
  return vd_jet_scale(-1.0, a);
}

/* Directions of the inputs of an axle: both wheels rise, or the left one rises and the right one falls. */
static const double heave[VD_INPUTS] = {1.0, 1.0}, roll[VD_INPUTS] = {1.0, -1.0};

/* Returns the rotation of the knuckle about an axis of the chassis along a direction of the inputs, rad/m. */
static double turn_along(const vd_pose *pose, int axis, const double *along) {
  return pose->spin[0][axis] * along[0] + pose->spin[1][axis] * along[1];
}

static double curvature_along(vd_jet a, const double *along) {
  return a.h[VD_UU] * along[0] * along[0] + 2.0 * a.h[VD_UV] * along[0] * along[1] + a.h[VD_VV] * along[1] * along[1];
}

/* Sets all figures to NAN; all members of a state are doubles. */
static void make_unknown(vd_kc_state *s) {
  double *value = (double *)s;
  _Static_assert(sizeof *s % sizeof *value == 0, "doubles only");
  for (size_t i = 0; i < sizeof *s / sizeof *value; i++)
    value[i] = NAN;
}

/* Sets toe and camber of the left wheel, which follow from its outward spin axis s: toe-in turns the front of the wheel
 * to -y, and s then points forward; the top is outward if s points down (ISO 8855). The rotation in side view is that
 * of the knuckle's x axis. */
static void set_wheel(const vd_pose *pose, const vd_wheel_disc *w, vd_kc_state *s) {
  static const double ahead[3] = {1.0, 0.0, 0.0};
  vd_jet flat = vd_jet_add(vd_jet_mul(w->spin.x, w->spin.x), vd_jet_mul(w->spin.y, w->spin.y));
  vd_jet3 k = vd_pose_direction(pose, ahead);
  s->toe = vd_jet_atan2(w->spin.x, w->spin.y);
  s->camber = vd_jet_atan2(negative(w->spin.z), vd_jet_sqrt(flat));
  s->steer = negative(s->toe);
  s->wheel_x = w->centre.x;
  s->wheel_y = w->centre.y;
  s->wheel_z = w->centre.z;
  s->patch_x = w->patch.x;
  s->patch_y = w->patch.y;
  s->patch_z = w->patch.z;
  s->knuckle_spin = w->turn;
  s->wheel_spin = vd_jet_atan2(negative(k.z), k.x);
}

/* --- the steering axis --- */

static vd_jet3 at_height(vd_jet3 point, vd_jet3 direction, vd_jet z) {
  vd_jet share = vd_jet_div(vd_jet_sub(z, point.z), direction.z);
  return vd_jet3_add(point, vd_jet3_scale(share, direction));
}

/* Sets caster, kingpin inclination, and the points where the axis meets the road and the height of the wheel centre,
 * along and across the wheel's heading (ISO 8855; Milliken and Milliken, Race Car Vehicle Dynamics, chapter 19). */
static void set_axis(const vd_wheel_disc *w, vd_jet3 point, vd_jet3 k, vd_kc_state *s) {
  s->caster = vd_jet_atan2(negative(k.x), k.z);
  s->kpi = vd_jet_atan2(negative(k.y), k.z);
  vd_jet3 ground = vd_jet3_sub(at_height(point, k, w->patch.z), w->patch);
  vd_jet3 level = vd_jet3_sub(at_height(point, k, w->centre.z), w->centre);
  s->scrub = negative(vd_jet3_dot(ground, w->outward));
  s->trail = vd_jet3_dot(ground, w->heading);
  s->kingpin_offset = negative(vd_jet3_dot(level, w->outward));
  s->spindle_trail = vd_jet3_dot(level, w->heading);
}

/* Sets caster as the reference system defines it. For a double wishbone it is atan2(x, z) of the vector from the lower
 * to the upper ball joint: the usual caster with the opposite sign. For a MacPherson strut it is this angle of the
 * strut's line, not of the steering axis, with the usual sign. This follows from the published gains of the system. k:
 * direction of the steering axis. */
static void set_seed_caster(const vd_linkage *l, const vd_pose *pose, vd_jet3 k, vd_kc_state *s) {
  enum vd_steering_axis steering = vd_linkage_traits_of(l->points.type)->steering;
  if (steering == VD_STEERING_BALL_JOINTS)
    s->caster_seed = vd_jet_atan2(k.x, k.z);
  if (steering == VD_STEERING_STRUT) {
    const vd_member *strut = vd_corner_slider(&l->points);
    vd_jet3 line = vd_jet3_sub(vd_jet3_constant(strut->chassis[0]), vd_pose_point(l, pose, strut->knuckle));
    s->caster_seed = vd_jet_atan2(negative(line.x), line.z);
  }
}

/* --- springs --- */

/* Returns the spring force in the design position: the given one, or the force that carries the wheel's load W. With F
 * the spring's compressive force, MR its motion ratio and z the travel, the spring's work is -F dL = F MR dz, so F MR =
 * W d(contact height)/dz. For two joined wheels this is computed in heave, in which both springs carry both loads
 * equally; the result holds for any motion. */
static double design_force(const vd_corner *corner, const vd_linkage *l) {
  static const double travel[VD_INPUTS] = {1.0, 0.0};
  vd_linkage parallel;
  vd_pose start;
  vd_wheel_disc w;
  double rise;
  if (!isnan(corner->spring_load))
    return corner->spring_load;
  if (l->beam && l->motion == VD_OPPOSITE) {
    if (!vd_linkage_build(&l->points, VD_PARALLEL, &parallel))
      return NAN;
    l = &parallel;
  }
  vd_linkage_start(l, &start);
  if (l->axle)
    return corner->wheel_load / vd_axle_spring_ratio(l, &start, &rise);
  vd_wheel_disc_at(l, &start, false, &w);
  double ratio = -vd_jet_along(vd_element_length(l, &start, &l->points.spring), travel);
  return corner->wheel_load * vd_jet_along(w.patch.z, travel) / ratio;
}

/* Returns the spring's length in the design position, as in linkage_part.c: an eye close to a rod's line is taken to be
 * on that line. */
static double design_length(const vd_linkage *l, const vd_element *spring) {
  vd_pose design = {.turn = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
  memcpy(design.at, l->points.wheel_center, sizeof design.at);
  return vd_element_length(l, &design, spring).v;
}

/* Sets the spring's figures. W = F MR is the wheel load that the spring carries: dF/dz = k MR, so dW/dz = k MR^2 + F
 * d(MR)/dz with d(MR)/dz = -L''. (Milliken and Milliken, chapter 16; the second term is due to the change of the motion
 * ratio.) Rates are per travel of the wheel centre; tyre and linkage are springs in series. */
static void set_springs(const vd_corner *corner, const vd_linkage *l, const vd_pose *pose, const double *along,
                        vd_kc_state *s) {
  const vd_element *spring = &l->points.spring, *damper = &l->points.damper;
  if (damper->given) {
    s->damper_length = vd_element_length(l, pose, damper);
    s->damper_ratio = -vd_jet_along(s->damper_length, along);
  }
  if (!spring->given)
    return;
  s->spring_length = vd_element_length(l, pose, spring);
  s->motion_ratio = -vd_jet_along(s->spring_length, along);
  s->spring_force = design_force(corner, l) + corner->spring_rate * (design_length(l, spring) - s->spring_length.v);
  s->wheel_rate = corner->spring_rate * s->motion_ratio * s->motion_ratio -
                  s->spring_force * curvature_along(s->spring_length, along);
  s->ride_rate = s->wheel_rate * corner->tyre_rate / (s->wheel_rate + corner->tyre_rate);
}

/* --- side view --- */

/* Sets the slopes of the two points at which a longitudinal force can act. A brake on the knuckle makes wheel and
 * knuckle one body, so the force acts at the contact point as a point of the knuckle; if the chassis carries the
 * torque, the force acts at the wheel centre. A rigid axle moves in heave, since braking pitches the car. */
static void set_slopes(const vd_linkage *l, const vd_pose *pose, const vd_wheel_disc *w, const vd_kc_view *view,
                       vd_kc_state *s) {
  const double *along = l->axle ? heave : view->along;
  double rise = vd_jet_along(w->centre.z, along);
  double turn = turn_along(pose, 1, along), yaw = turn_along(pose, 2, along);
  double y = w->patch.y.v - w->centre.y.v, z = w->patch.z.v - w->centre.z.v;
  double centre = vd_jet_along(w->centre.x, along);
  s->drive_slope = centre / rise;
  s->brake_slope = (centre + turn * z - (view->right ? -1.0 : 1.0) * yaw * y) / rise;
}

/* Sets the anti figures. Braking at a deceleration a is a force share m a on this axle and transfers the load m a h/L
 * to the front, one half to each wheel. On a front wheel the links carry -Fx dx/dz of it, with Fx = -share m a, so the
 * share of the load transfer that the springs do not carry is share (dx/dz) L/h; at the rear the load decreases and the
 * sign is opposite (Milliken and Milliken, chapter 17, who use the tangent of the angle of the line from the contact
 * point to the side-view instant centre for dx/dz). Driving reverses force and load transfer. The reaction of an
 * independent wheel's drive shaft acts on the chassis; a live axle carries its own, a De Dion axle does not. A twist
 * beam in roll does not have these figures, since braking pitches the car. */
static void set_antis(const vd_corner *corner, const vd_linkage *l, vd_kc_state *s) {
  if (l->beam && l->motion == VD_OPPOSITE)
    return;
  double lever = (corner->rear ? -1.0 : 1.0) * corner->wheelbase / corner->cg_height;
  s->anti = corner->brake_share * lever * (corner->inboard_brakes ? s->drive_slope : s->brake_slope);
  bool live = l->axle && !corner->final_drive_on_body;
  s->anti_drive = corner->drive_share * lever * (live ? s->brake_slope : s->drive_slope);
}

/* --- front view --- */

static double design_road(const vd_linkage *l) {
  return l->points.wheel_center[2] - l->points.static_radius * vd_hypot(l->spin_axis[0], l->spin_axis[1]);
}

/* Sets the roll centre. A lateral force Fy at the contact point acts on the travel like a vertical force Fy dy/dz,
 * whose moment about the car's middle is Fy times the height y dy/dz. The line through the contact point at right
 * angles to its velocity meets the middle at this height above the road (Dixon, Suspension Geometry and Computation;
 * Milliken and Milliken, chapter 17, for links that lie in a plane). The wheel turns freely, so that the contact point
 * is always the disc's lowest point and no fixed point of the knuckle. The roll centre of a rigid axle follows from its
 * motion in roll; a twist beam in heave does not have one. */
static void set_roll_centre(const vd_linkage *l, const vd_wheel_disc *w, const vd_kc_view *view, vd_kc_state *s) {
  const double *along = l->axle ? roll : view->along;
  if (l->beam && l->motion == VD_PARALLEL)
    return;
  double y = vd_jet_along(w->patch.y, along), z = vd_jet_along(w->patch.z, along);
  double turning = (curvature_along(w->patch.y, along) - curvature_along(w->patch.z, along) * y / z) / z;
  s->roll_slope = y / z;
  s->roll_centre_height = w->patch.y.v * s->roll_slope;
  s->roll_centre_z = s->roll_centre_height + w->patch.z.v - design_road(l);
  s->roll_centre_migration = y * s->roll_slope + w->patch.y.v * turning + z;
}

/* Computes the line a y + b z + c = 0, as (a, b, c), in which a plane through a point with a given normal meets the
 * transverse plane at x. */
static vd_jet3 cut(vd_jet3 normal, vd_jet3 from, vd_jet x) {
  vd_jet level = vd_jet_mul(normal.x, vd_jet_sub(x, from.x));
  level = vd_jet_sub(level, vd_jet_add(vd_jet_mul(normal.y, from.y), vd_jet_mul(normal.z, from.z)));
  return (vd_jet3){normal.y, normal.z, level};
}

static vd_jet3 arm_line(const vd_linkage *l, const vd_pose *pose, const vd_member *arm, vd_jet x) {
  vd_jet3 first = vd_jet3_constant(arm->chassis[0]);
  vd_jet3 axis = vd_jet3_sub(vd_jet3_constant(arm->chassis[1]), first);
  return cut(vd_jet3_cross(axis, vd_jet3_sub(vd_pose_point(l, pose, arm->knuckle), first)), first, x);
}

static vd_jet3 strut_line(const vd_linkage *l, const vd_pose *pose, const vd_member *strut, vd_jet x) {
  vd_jet3 top = vd_jet3_constant(strut->chassis[0]);
  return cut(vd_jet3_sub(top, vd_pose_point(l, pose, strut->knuckle)), top, x);
}

/* Returns the height of the roll centre from the planes of the arms. These planes (for a strut the plane across its
 * line at its top) cut the transverse plane of the wheel centre in two lines. These meet in the instant centre, and the
 * line from there through the contact point meets the car's middle in the roll centre (Reimpell, The Automotive
 * Chassis, chapter 3; Milliken and Milliken, chapter 17). This construction neglects the tie rod. Points are (y, z, 1)
 * and lines (a, b, c); the cross product of two lines is their intersection, that of two points the line through both,
 * so that parallel arms need no special treatment. */
static vd_jet planes_height(const vd_linkage *l, const vd_pose *pose, const vd_wheel_disc *w) {
  const vd_hardpoints *h = &l->points;
  const vd_member *lower = vd_kc_lower_arm(h), *upper = vd_kc_upper_arm(h), *strut = vd_corner_slider(h);
  if (!lower || (!upper && !strut))
    return (vd_jet){NAN, {NAN, NAN}, {NAN, NAN, NAN}};
  vd_jet3 one = arm_line(l, pose, lower, w->centre.x);
  vd_jet3 two = upper ? arm_line(l, pose, upper, w->centre.x) : strut_line(l, pose, strut, w->centre.x);
  vd_jet3 patch = {w->patch.y, w->patch.z, vd_jet_constant(1.0)};
  vd_jet3 line = vd_jet3_cross(vd_jet3_cross(one, two), patch);
  return vd_jet_div(line.z, negative(line.y));
}

static void set_planes(const vd_linkage *l, const vd_pose *pose, const vd_wheel_disc *w, const double *along,
                       vd_kc_state *s) {
  vd_jet height = planes_height(l, pose, w);
  s->roll_centre_planes_z = height.v - design_road(l);
  s->planes_migration = vd_jet_along(height, along);
}

/* --- instant centres --- */

static const double min_turn = 1e-9; /* rad/m; smaller rotations are rounding errors */

/* Sets the instant centre of the side view; set_front_arm sets that of the front view. It is the point of the view's
 * plane that is at rest while the body moves by v, the motion of the wheel centre, and turns by w. In side view v_x +
 * w_y (z - z_c) = 0 and v_z - w_y (x - x_c) = 0, in front view v_y - w_x (z - z_c) = 0 and v_z + w_x (y - y_c) = 0.
 * (Milliken and Milliken, chapter 17; the length of a swing arm is here horizontal and from the wheel centre, so that
 * in front view it is travel per camber.) Angles are those of the line from the contact point to the centre; they exist
 * also if the body does not turn. A rigid axle moves in heave in side view, since braking pitches the car, and in roll
 * in front view. */
static void set_side_arm(const vd_linkage *l, const vd_pose *pose, const vd_wheel_disc *w, const double *along,
                         vd_kc_state *s) {
  if (l->beam && l->motion == VD_OPPOSITE)
    return;
  double rise = vd_jet_along(w->centre.z, along), ahead = vd_jet_along(w->centre.x, along);
  double turn = turn_along(pose, 1, along);
  double x = w->patch.x.v - w->centre.x.v, z = w->patch.z.v - w->centre.z.v;
  s->side_angle = vd_atan((ahead + turn * z) / (rise - turn * x));
  if (!(fabs(turn) > min_turn))
    return;
  s->side_arm = rise / turn;
  s->side_centre_x = w->centre.x.v + s->side_arm;
  s->side_centre_z = w->centre.z.v - ahead / turn;
}

static void set_front_arm(const vd_linkage *l, const vd_pose *pose, const vd_wheel_disc *w, const double *along,
                          bool right, vd_kc_state *s) {
  if (l->beam && l->motion == VD_PARALLEL)
    return;
  double rise = vd_jet_along(w->centre.z, along), outward = vd_jet_along(w->centre.y, along);
  double turn = (right ? -1.0 : 1.0) * turn_along(pose, 0, along);
  double y = w->patch.y.v - w->centre.y.v, z = w->patch.z.v - w->centre.z.v;
  s->front_angle = vd_atan((outward - turn * z) / (rise + turn * y));
  if (!(fabs(turn) > min_turn))
    return;
  s->front_arm = rise / turn;
  s->front_centre_y = w->centre.y.v - s->front_arm;
  s->front_centre_z = w->centre.z.v + outward / turn;
}

/* --- angles of the driving links --- */

/* Returns the rotation of a point about the axis through two points of the chassis from its place in the design
 * position; > 0 if the point rises. */
static double turn_about(const double *a, const double *b, const double *design, vd_jet3 now) {
  double axis[3], from[3], to[3] = {now.x.v - a[0], now.y.v - a[1], now.z.v - a[2]}, up[3], across[3];
  vd_between(a, b, axis);
  vd_between(a, design, from);
  vd_add_share(-(vd_dot(axis, from) / vd_dot(axis, axis)), axis, from);
  vd_cross(axis, from, up);
  vd_cross(from, to, across);
  return (up[2] < 0.0 ? -1.0 : 1.0) * vd_atan2(vd_dot(axis, across) / vd_norm(axis), vd_dot(from, to));
}

static double arm_angle(const vd_linkage *l, const vd_pose *pose, const vd_member *arm) {
  return turn_about(arm->chassis[0], arm->chassis[1], arm->knuckle, vd_pose_point(l, pose, arm->knuckle));
}

static double rod_angle(const vd_linkage *l, const vd_pose *pose, const vd_member *rod) {
  vd_jet3 end = vd_pose_point(l, pose, rod->knuckle);
  const double *a = rod->chassis[0], *b = rod->knuckle;
  return vd_atan2(end.z.v - a[2], vd_hypot(end.x.v - a[0], end.y.v - a[1])) -
         vd_atan2(b[2] - a[2], vd_hypot(b[0] - a[0], b[1] - a[1]));
}

static void set_angles(const vd_linkage *l, const vd_pose *pose, vd_kc_state *s) {
  const vd_hardpoints *h = &l->points;
  const vd_member *lower = vd_kc_lower_arm(h), *upper = vd_kc_upper_arm(h), *aft = vd_kc_rod(h, "lower_aft");
  if (lower)
    s->angle_lower = arm_angle(l, pose, lower);
  else if (aft)
    s->angle_lower = rod_angle(l, pose, aft);
  if (upper)
    s->angle_upper = arm_angle(l, pose, upper);
  if (h->member[0].kind == VD_HINGE) {
    /* the hinge axis of the linkage: that of a twist beam depends on the motion of both wheels */
    const vd_joint *pivot = &l->joint[0], *second = &l->joint[3];
    s->angle_lower =
        turn_about(pivot->chassis, second->chassis, h->wheel_center, vd_pose_point(l, pose, h->wheel_center));
  }
}

/* Sets the derivatives by the rack. The inputs of a rigid axle are its travels, so derivatives by its rack are computed
 * separately; its kingpins do not move with the rack. */
static void set_rack_gains(const vd_linkage *l, const vd_pose *pose, const vd_kc_view *view, vd_kc_state *s) {
  if (!vd_kc_steered(l))
    return;
  if (!l->points.steer.given) {
    s->toe_rack = s->toe.d[1];
    s->caster_rack = s->caster.d[1];
    s->caster_rack_seed = s->caster_seed.d[1];
    return;
  }
  vd_pose racked = vd_pose_by_rack(pose, view->along), knuckle;
  vd_wheel_disc w;
  vd_knuckle_pose(l, &racked, view->right, &knuckle);
  vd_wheel_disc_at(l, &knuckle, view->right, &w);
  s->toe_rack = (view->right ? -1.0 : 1.0) * vd_jet_atan2(w.spin.x, w.spin.y).d[1];
  s->caster_rack = 0.0;
}

/* --- all figures --- */

void vd_kc_state_in_view(const vd_corner *corner, const vd_linkage *l, const vd_pose *pose, const vd_kc_view *view,
                         vd_kc_state *out) {
  vd_wheel_disc w;
  vd_pose knuckle;
  vd_jet3 point, direction;
  make_unknown(out);
  out->rack = l->points.steer.given ? pose->gear : vd_kc_steered(l) ? pose->u[1] : NAN;
  vd_knuckle_pose(l, pose, view->right, &knuckle);
  vd_wheel_disc_at(l, &knuckle, view->right, &w);
  set_wheel(&knuckle, &w, out);
  set_slopes(l, &knuckle, &w, view, out);
  set_antis(corner, l, out);
  set_roll_centre(l, &w, view, out);
  set_side_arm(l, &knuckle, &w, l->axle ? heave : view->along, out);
  set_front_arm(l, &knuckle, &w, l->axle ? roll : view->along, view->right, out);
  if (view->load)
    vd_kc_set_load_figures(l, pose, &w, view, out);
  if ((!view->right || l->points.steer.given) && vd_kc_steering_axis(l, pose, view->right, &point, &direction)) {
    set_axis(&w, point, direction, out);
    set_seed_caster(l, pose, direction, out);
  }
  set_rack_gains(l, pose, view, out);
  if (view->right)
    return;
  set_springs(corner, l, pose, view->along, out);
  set_planes(l, pose, &w, view->along, out);
  set_angles(l, pose, out);
}

void vd_kc_state_at(const vd_corner *corner, const vd_linkage *l, const vd_pose *pose, vd_kc_state *out) {
  const vd_kc_view view = {.along = {1.0, l->axle ? 1.0 : 0.0}};
  vd_kc_state_in_view(corner, l, pose, &view, out);
}

void vd_kc_place_at(const vd_linkage *l, const vd_pose *pose, vd_kc_state *out) {
  vd_pose still = {.u = {pose->u[0], pose->u[1]}};
  vd_wheel_disc w;
  memcpy(still.at, pose->at, sizeof still.at);
  memcpy(still.turn, pose->turn, sizeof still.turn);
  make_unknown(out);
  vd_wheel_disc_at(l, &still, false, &w);
  set_wheel(&still, &w, out);
}
