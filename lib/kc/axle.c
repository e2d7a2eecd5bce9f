/* Quantities of an axle with both wheels. */
#include "kc/kc_impl.h"

#include "base/elementary.h"

/* Computes the point where the lines of both wheels through their roll centres cross. In heights above the design road
 * the left wheel's line through the roll centre is z = H - s y, where s is dy/dz of its contact point and H the line's
 * height in the car's middle. The line of the mirrored right wheel is z = H + s y. */
static void cross_lines(const vd_kc_state *left, const vd_kc_state *right, vd_kc_axle *out) {
  const double same = 1e-12, parallel = 1e-9; /* m; difference of slopes */
  double apart = left->roll_centre_z - right->roll_centre_z, slopes = left->roll_slope + right->roll_slope;
  out->cross_y = fabs(slopes) > parallel ? apart / slopes : fabs(apart) <= same ? 0.0 : NAN;
  out->cross_z = left->roll_centre_z - left->roll_slope * out->cross_y;
}

/* A wheel of the car: its contact point, m, in the axes of the chassis, and its steer angle, rad, to the left. */
typedef struct road_wheel {
  double x, y, steer;
} road_wheel;

/* Returns y of the point in which the normal of a wheel, (-sin d, cos d), meets the line of the other axle, whose x is
 * given. */
static double normal_at(const road_wheel *w, double axle_x) {
  return w->y + (w->x - axle_x) * (1.0 / vd_tan(w->steer));
}

/* Sets the figures of a turn. Without slip each wheel moves on a circle about a point of its normal. The inner wheel's
 * normal meets the line of the other axle in a point; Ackermann is 100 % if the outer wheel's normal passes through the
 * same point (Reimpell, The Automotive Chassis, chapter 3; Milliken and Milliken, Race Car Vehicle Dynamics, chapter
 * 19: share of the difference of angles). The turning circle is the path of the outer wheel's contact point about the
 * point where this wheel's normal meets the line of the other axle. */
static void set_turning(const vd_corner *corner, const road_wheel *left, const road_wheel *right, double centre_x,
                        vd_kc_axle *out) {
  const double straight = 1e-6, least = 1e-9; /* rad; below `least' the difference of angles is a rounding error */
  double axle_x = centre_x + (corner->rear ? 1.0 : -1.0) * corner->wheelbase;
  double mean = 0.5 * (left->steer + right->steer);
  if (!(fabs(mean) > straight))
    return;
  bool to_left = (mean > 0.0) != corner->rear;
  const road_wheel *inner = to_left ? left : right, *outer = to_left ? right : left;
  double ahead = outer->x - axle_x;
  double most = inner->steer - vd_atan(ahead * (1.0 / (normal_at(inner, axle_x) - outer->y)));
  if (fabs(most) > least)
    out->ackermann = (inner->steer - outer->steer) * (1.0 / most);
  out->turning_circle = fabs(2.0 * (ahead * (1.0 / vd_sin(outer->steer))));
}

/* Computes the angle and moment at the steering wheel, which turns to the side to which the wheels steer, wherever the
 * gear is mounted. steer: mean steer angle of both wheels, to the left, per m of rack. A steering box turns its pitman
 * arm in proportion to the steering wheel, so that the rack displacement per turn depends on the arm's angle. The
 * moment has the power of the rack force. */
static void set_steering_wheel(const vd_corner *corner, double rack, double steer, vd_kc_axle *out) {
  const double side = steer < 0.0 ? -1.0 : 1.0;
  if (!(corner->gear_ratio > 0.0)) {
    out->steering_wheel_gain = side * 2.0 * VD_PI / corner->c_factor;
    out->steering_wheel = out->steering_wheel_gain * rack;
  } else {
    vd_jet arm = vd_gear_turn(&corner->points.gear, rack);
    double turns = arm.d[1] < 0.0 ? -side * corner->gear_ratio : side * corner->gear_ratio;
    out->steering_wheel_gain = turns * arm.d[1];
    out->steering_wheel = turns * arm.v;
  }
  out->steering_ratio = out->steering_wheel_gain / steer;
  out->steering_wheel_moment = out->rack_force / out->steering_wheel_gain;
}

void vd_kc_axle_at(const vd_corner *corner, const vd_linkage *l, const vd_kc_state *left, const vd_kc_state *right,
                   vd_kc_axle *out) {
  const vd_hardpoints *h = &l->points;
  double tilt = vd_hypot(l->spin_axis[0], l->spin_axis[1]);
  double design = h->wheel_center[1] + h->static_radius * l->spin_axis[1] * l->spin_axis[2] / tilt;
  double track = left->patch_y.v + right->patch_y.v;
  *out = (vd_kc_axle){.track_change = track - 2.0 * design,
                      .roll = vd_atan2(right->patch_z.v - left->patch_z.v, track),
                      .roll_centre_z = 0.5 * (left->roll_centre_z + right->roll_centre_z),
                      .roll_centre_planes_z = 0.5 * (left->roll_centre_planes_z + right->roll_centre_planes_z),
                      .steer_left = left->steer.v,
                      .steer_right = -right->steer.v,
                      .ackermann = NAN,
                      .rack_force = left->rack_force - right->rack_force,
                      .steering_wheel = NAN,
                      .steering_wheel_gain = NAN,
                      .steering_ratio = NAN,
                      .steering_wheel_moment = NAN,
                      .turning_circle = NAN};
  cross_lines(left, right, out);
  if (vd_kc_steered(l)) {
    const road_wheel one = {left->patch_x.v, left->patch_y.v, out->steer_left};
    const road_wheel two = {right->patch_x.v, -right->patch_y.v, out->steer_right};
    set_turning(corner, &one, &two, h->wheel_center[0], out);
    set_steering_wheel(corner, left->rack, -0.5 * (left->toe_rack + right->toe_rack), out);
  }
}
