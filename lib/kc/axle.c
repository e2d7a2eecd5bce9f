/* Quantities of an axle with both wheels. */
#include "kc/kc_impl.h"

#include "base/elementary.h"

/* --- roll --- */

/* Over the design road a wheel's line is z = H - s y, where s = dy/dz of its contact point and H its height in the
 * car's middle; of the mirrored right wheel z = H + s y. */
static void cross_lines(const vd_kc_state *left, const vd_kc_state *right, vd_kc_axle *out) {
  const double same = 1e-12, parallel = 1e-9; /* m; difference of slopes */
  double apart = left->roll_centre_z - right->roll_centre_z, slopes = left->roll_slope + right->roll_slope;
  out->cross_y = fabs(slopes) > parallel ? apart / slopes : fabs(apart) <= same ? 0.0 : NAN;
  out->cross_z = left->roll_centre_z - left->roll_slope * out->cross_y;
}

/* --- steering --- */

/* Along the wheel's normal (-sin d, cos d) as far as the other axle's line at x: y there. */
static vd_jet meets(const vd_kc_footing *w, vd_jet axle_x) {
  double t = vd_tan(w->steer.v), square = 1.0 + t * t;
  vd_jet slope = vd_jet_chain(w->steer, t, square, 2.0 * t * square);
  return vd_jet_add(w->y, vd_jet_div(vd_jet_sub(w->x, axle_x), slope));
}

static vd_jet arc_tangent(vd_jet t) {
  double slope = 1.0 / (1.0 + t.v * t.v);
  return vd_jet_chain(t, vd_atan(t.v), slope, -2.0 * t.v * slope * slope);
}

/* Without slip each wheel goes on a circle about a point of its normal. The inner wheel's normal meets the line of the
 * other axle in a point; an outer wheel whose normal goes through that point has 100 % (Reimpell, The Automotive
 * Chassis, chapter 3; Milliken and Milliken, Race Car Vehicle Dynamics, chapter 19: share of the difference of angles).
 * The diameter of the turning circle is that of the outer wheel's contact point about its own normal's point. */
void vd_kc_see_turning(const vd_corner *corner, const vd_kc_footing *left, const vd_kc_footing *right, vd_jet centre_x,
                       vd_jet *ackermann, vd_jet *circle) {
  const double straight = 1e-6, least = 1e-9; /* rad; difference of angles, below which its share is one of rounding */
  vd_jet axle_x = centre_x;
  axle_x.v += (corner->rear ? 1.0 : -1.0) * corner->wheelbase;
  double mean = 0.5 * (left->steer.v + right->steer.v);
  *ackermann = *circle = vd_jet_nan();
  if (!(fabs(mean) > straight))
    return;
  bool to_left = (mean > 0.0) != corner->rear;
  const vd_kc_footing *inner = to_left ? left : right, *outer = to_left ? right : left;
  vd_jet centre = meets(inner, axle_x), ahead = vd_jet_sub(outer->x, axle_x);
  vd_jet most = vd_jet_sub(inner->steer, arc_tangent(vd_jet_div(ahead, vd_jet_sub(centre, outer->y))));
  if (fabs(most.v) > least)
    *ackermann = vd_jet_div(vd_jet_sub(inner->steer, outer->steer), most);
  double sine = vd_sin(outer->steer.v);
  *circle = vd_jet_scale(2.0, vd_jet_div(ahead, vd_jet_chain(outer->steer, sine, vd_cos(outer->steer.v), -sine)));
  if (circle->v < 0.0)
    *circle = vd_jet_scale(-1.0, *circle);
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
                      .hand_wheel = NAN,
                      .hand_wheel_gain = NAN,
                      .steering_ratio = NAN,
                      .hand_wheel_moment = NAN,
                      .turning_circle = NAN};
  cross_lines(left, right, out);
  if (vd_kc_steered(l)) {
    const vd_kc_footing one = {vd_jet_constant(left->patch_x.v), vd_jet_constant(left->patch_y.v),
                               vd_jet_constant(out->steer_left)};
    const vd_kc_footing two = {vd_jet_constant(right->patch_x.v), vd_jet_constant(-right->patch_y.v),
                               vd_jet_constant(out->steer_right)};
    vd_jet ackermann, circle;
    vd_kc_see_turning(corner, &one, &two, vd_jet_constant(h->wheel_center[0]), &ackermann, &circle);
    out->ackermann = ackermann.v;
    out->turning_circle = circle.v;
    vd_kc_see_hand_wheel(corner, left->rack, -0.5 * (left->toe_rack + right->toe_rack), out);
  }
}
