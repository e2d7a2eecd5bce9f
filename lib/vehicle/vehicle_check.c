/* Checks across the keys of a vehicle. */
#include "vehicle/vehicle_impl.h"

#include "base/elementary.h"

#include <math.h>

/* True if two values differ by at most 1e-6 of the larger one; a file gives few digits. */
static bool agree(double a, double b) {
  return fabs(a - b) <= 1e-6 * vd_max(fabs(a), fabs(b));
}

/* Compares a spring or damper that both the axle and its linkage describe, by their values at the wheel. */
static void check_linkage(const vd_axle_def *axle, const vd_node *root, const char *key, vd_diag *d) {
  vd_linkage_figures f = vd_linkage_figures_of(axle);
  const vd_damper_def *damper = &axle->suspension.damper;
  if (!isnan(f.stiffness) && !isnan(axle->spring_stiffness) && !agree(f.stiffness, axle->spring_stiffness))
    vd_error(d, vd_tree_place_in(root, key, "spring_stiffness"),
             "the linkage's spring makes %.9g N/m at the wheel, not %.9g N/m; write auto, or omit the linkage's "
             "spring.rate",
             f.stiffness, axle->spring_stiffness);
  if (!isnan(f.damping) && damper->type != VD_DAMPER_LINEAR)
    vd_error(d, vd_tree_place_in(root, key, "damper"),
             "the axle's damper is a curve, and the linkage has a damper.rate; omit one of them");
  else if (!isnan(f.damping) && !agree(f.damping, damper->bump))
    vd_error(d, vd_tree_place_in(root, key, "damper"),
             "the linkage's damper makes %.9g N s/m at the wheel, not %.9g N s/m; write auto, or omit the "
             "linkage's damper.rate",
             f.damping, damper->bump);
}

/* Checks the springs and the anti-roll bar of axle i. key: path of the axle. */
static void check_springs(const vd_vehicle_def *v, int i, const vd_node *root, const char *key, vd_diag *d) {
  const vd_axle_def *axle = &v->axle[i];
  double load = vd_vehicle_spring_load(v, i);
  size_t before = vd_diag_errors(d);
  vd_suspension_check(&axle->suspension, load, root, key, d);
  if (axle->suspension.spring.type == VD_SPRING_LINEAR) {
    if (isnan(axle->spring_stiffness))
      vd_error(d, vd_tree_place_in(root, key, "spring_stiffness"),
               "'auto' takes the stiffness from a curve of the spring, and there is none");
  } else if (vd_diag_errors(d) == before) {
    double slope = vd_suspension_stiffness(&axle->suspension, load);
    if (!isnan(slope) && !agree(slope, axle->spring_stiffness))
      vd_error(d, vd_tree_place_in(root, key, "spring_stiffness"),
               "the spring's curve has %.9g N/m at its static load, not %.9g N/m; write auto, or omit the curve", slope,
               axle->spring_stiffness);
  }
  double rate = 2.0 * axle->antiroll_stiffness / (axle->track * axle->track);
  if (!agree(rate, axle->antiroll_wheel_rate))
    vd_error(d, vd_tree_place_in(root, key, "antiroll_wheel_rate"),
             "antiroll_stiffness makes %.9g N/m at a wheel, not %.9g N/m; give one of the two, or auto", rate,
             axle->antiroll_wheel_rate);
  check_linkage(axle, root, key, d);
}

static void check_axle(const vd_vehicle_def *v, int i, const vd_node *root, const char *path, vd_diag *d) {
  const vd_key_path key = vd_key_path_of(path, "%s", vd_axle_names[i]), right = vd_key_path_of(key.text, "right_tyre");
  check_springs(v, i, root, key.text, d);
  if (isnan(v->axle[i].wheel_radius) && !v->axle[i].tyre.unread)
    vd_error(d, vd_tree_place_in(root, key.text, "wheel_radius"),
             "'auto' takes the radius from a tyre of model mf, and this tyre has another model");
  vd_tyre_check(&v->axle[i].tyre, root, vd_key_path_of(key.text, "tyre").text, d);
  if (v->axle[i].right_tyre.count > 1)
    vd_error(d, vd_tree_place(root, right.text), "an axle has one right tyre");
  else if (v->axle[i].right_tyre.count == 1)
    vd_tyre_check(vd_axle_tyre(&v->axle[i], true), root, right.text, d);
}

/* Refuses a steering angle at which the inner wheel of the Ackermann geometry would turn by 90 deg or more. */
static void check_steering(const vd_vehicle_def *v, const vd_node *root, const char *path, vd_diag *d) {
  double angle[2], slope[2];
  vd_vehicle built;
  vd_vehicle_dimensions(v, &built);
  vd_steering_angles(&built, v->steering.max_angle, angle, slope);
  if (!(angle[0] < 0.5 * VD_PI))
    vd_error(d, vd_tree_place_in(root, path, "steering.max_angle"),
             "max_angle turns the inner wheel to %.0f deg; it must be below 90 deg", angle[0] * 180.0 / VD_PI);
  vd_steering_check(&v->steering, root, vd_key_path_of(path, "steering").text, d);
}

static const char *const air_keys[VD_AIR_MAPS] = {
    [VD_AIR_DRAG] = "drag", [VD_AIR_SIDE] = "side",   [VD_AIR_YAW] = "yaw",
    [VD_AIR_ROLL] = "roll", [VD_AIR_FRONT] = "front", [VD_AIR_REAR] = "rear"};

/* Checks the lists of coefficients over ride heights. */
static void check_heights(const vd_air_heights_def *h, const vd_node *root, const char *path, vd_diag *d) {
  size_t places = h->at[VD_FRONT].count * h->at[VD_REAR].count;
  bool any = h->at[VD_FRONT].count + h->at[VD_REAR].count > 0;
  for (int i = 0; i < VD_AIR_MAPS; i++) {
    any |= h->value[i].count > 0;
    if (h->value[i].count > 0 && h->value[i].count != places)
      vd_error(d,
               vd_tree_place_in(root, path, "aero.heights.%s%s",
                                i == VD_AIR_FRONT || i == VD_AIR_REAR ? "downforce_" : "", air_keys[i]),
               "%zu front and %zu rear heights need %zu values, not %zu", h->at[VD_FRONT].count, h->at[VD_REAR].count,
               places, h->value[i].count);
  }
  for (int a = 0; a < VD_AXLES && any; a++) {
    const vd_numbers *at = &h->at[a];
    vd_place place = vd_tree_place_in(root, path, "aero.heights.%s", vd_axle_names[a]);
    if (at->count < 1 || at->count > VD_AIR_HEIGHTS)
      vd_error(d, at->count ? place : vd_tree_place_in(root, path, "aero.heights"),
               "coefficients over ride heights have 1 to %d %s heights, not %zu", VD_AIR_HEIGHTS, vd_axle_names[a],
               at->count);
    for (size_t k = 1; k < at->count; k++)
      if (!(at->value[k] > at->value[k - 1]))
        vd_error(d, place, "heights must rise: %g m after %g m", at->value[k], at->value[k - 1]);
  }
}

/* Checks the maps over the aerodynamic yaw angle. They begin at 0, air from ahead. Side force, yaw moment and roll
 * moment are odd functions of the angle, so they are 0 there. */
static void check_air(const vd_aero *aero, const vd_node *root, const char *path, vd_diag *d) {
  for (int i = 0; i < VD_AIR_MAPS; i++) {
    const vd_points *map = &aero->map[i];
    bool odd = vd_air_map_is_factor((enum vd_air_map)i);
    if (map->count == 0)
      continue;
    vd_place place = vd_tree_place_in(root, path, "aero.%s_map", air_keys[i]);
    if (map->count < 2 || map->count > VD_CURVE_POINTS)
      vd_error(d, place, "a map has 2 to %d points, not %zu", VD_CURVE_POINTS, map->count);
    else if (map->xy[0] != 0.0 || (odd && map->xy[1] != 0.0))
      vd_error(d, place, "a map begins at an angle of 0%s", odd ? ", with the value 0" : "");
    else if (!(map->xy[2 * map->count - 2] <= VD_PI + 1e-9))
      vd_error(d, place, "a map ends at 180 deg at most; the other side is its mirror image");
  }
}

/* Checks that the force of a road load resists at any speed, and that no other key gives a resistance which the road
 * load already contains. */
static void check_road_load(const vd_vehicle_def *v, const vd_node *root, const char *path, vd_diag *d) {
  const vd_road_load_def *load = &v->road_load;
  if (isnan(load->a)) {
    if (load->b != 0.0 || load->c != 0.0)
      vd_error(d, vd_tree_place_in(root, path, "road_load"), "a road load needs its a, the force at standstill");
    return;
  }
  if (load->b < 0.0 && !(load->b * load->b < 4.0 * load->a * load->c))
    vd_error(d, vd_tree_place_in(root, path, "road_load.b"),
             "the road load is negative at some speeds: b must be above -2 sqrt(a c) = %.4g N s/m",
             -2.0 * sqrt(load->a * load->c));
  if (v->aero.map[VD_AIR_DRAG].count > 0 || v->aero.heights.value[VD_AIR_DRAG].count > 0)
    vd_error(d, vd_tree_place_in(root, path, "road_load"), "a road load and a map of the drag exclude each other");
  for (int i = 0; i < VD_WHEELS; i++) {
    const vd_tyre_def *tyre = vd_axle_tyre(&v->axle[vd_axle_of(i)], vd_is_right(i));
    if (vd_tyre_traits_of((enum vd_tyre_model)tyre->model)->moments) {
      vd_error(d, vd_tree_place_in(root, path, "road_load"),
               "the %s tyres have a rolling resistance of their own, which a road load already contains: use tyres of "
               "another model",
               vd_axle_names[vd_axle_of(i)]);
      return;
    }
  }
}

/* Checks that the share of the full pedal (the pressure) rises from 0 with the pedal force, so that each share belongs
 * to one force. */
static void check_booster(const vd_points *p, const vd_node *root, const char *path, vd_diag *d) {
  const vd_place at = vd_tree_place_in(root, path, "brakes.booster");
  if (p->count == 1 || p->count > VD_CURVE_POINTS)
    vd_error(d, at, "booster needs 2 to %d pairs, not %zu", (int)VD_CURVE_POINTS, p->count);
  if (p->count > 0 && (p->xy[0] != 0.0 || p->xy[1] != 0.0))
    vd_error(d, at, "without force there is no pressure: the first pair is [0, 0]");
  for (size_t i = 1; i < p->count; i++)
    if (!(p->xy[2 * i + 1] > p->xy[2 * i - 1])) {
      vd_error(d, at, "the pressure must rise with the force: %g after %g", p->xy[2 * i + 1], p->xy[2 * i - 1]);
      return;
    }
}

/* Checks that a battery has motors, that motors beside an engine have a battery, and that recuperation has a
 * battery. */
static void check_electric(const vd_vehicle_def *v, const vd_node *root, const char *path, vd_diag *d) {
  const vd_recuperation *r = &v->brakes.recuperation;
  const bool battery = v->battery.type != VD_BATTERY_NONE;
  vd_battery_check(&v->battery, root, vd_key_path_of(path, "battery").text, d);
  const bool engine = v->drivetrain.type == VD_DRIVETRAIN_ENGINE, hybrid = engine && v->drivetrain.motors.count > 0;
  if (battery && engine && !hybrid)
    vd_error(d, vd_tree_place_in(root, path, "battery"), "a battery needs a drivetrain with electric motors");
  if (hybrid && !battery)
    vd_error(d, vd_tree_place_in(root, path, "drivetrain.motors"), "motors beside an engine need a battery");
  if (r->type == VD_RECUPERATION_NONE)
    return;
  if (!battery)
    vd_error(d, vd_tree_place_in(root, path, "brakes.recuperation"), "recuperation needs a battery");
  if (!(r->full_speed > r->slow))
    vd_error(d, vd_tree_place_in(root, path, "brakes.recuperation.full_speed"),
             "full_speed (%.4g m/s) must be above slow (%.4g m/s)", r->full_speed, r->slow);
}

void vd_vehicle_check(const vd_vehicle_def *v, const vd_node *root, const char *path, vd_diag *d) {
  vd_vehicle_check_masses(v, root, path, d);
  for (int i = 0; i < VD_AXLES; i++)
    check_axle(v, i, root, path, d);
  check_steering(v, root, path, d);
  if (v->brakes.abs.type != VD_ABS_NONE && v->brakes.pressure.type != VD_PRESSURE_IDEAL)
    vd_error(d, vd_tree_place_in(root, path, "brakes.abs"),
             "an ideal anti-lock system acts on ideal pressures; with hydraulic ones write 'abs: none' and add "
             "'controllers: [abs]'");
  if (v->brakes.load_dependent && v->brakes.failed_circuit != VD_CIRCUITS_WORK)
    vd_error(d, vd_tree_place_in(root, path, "brakes.failed_circuit"),
             "brakes whose torque is shared by the loads have no circuits");
  const double left = v->brakes.failed_circuit == VD_CIRCUIT_FRONT  ? 1.0 - v->brakes.front_share
                      : v->brakes.failed_circuit == VD_CIRCUIT_REAR ? v->brakes.front_share
                                                                    : 1.0;
  if (left == 0.0)
    vd_error(d, vd_tree_place_in(root, path, "brakes.failed_circuit"),
             "no brake is left: front_share is %g, and the other circuit has failed", v->brakes.front_share);
  check_booster(&v->brakes.booster, root, path, d);
  vd_brake_heat_check(&v->brakes.heat, root, vd_key_path_of(path, "brakes.heat").text, d);
  check_air(&v->aero, root, path, d);
  check_road_load(v, root, path, d);
  check_heights(&v->aero.heights, root, path, d);
  vd_drivetrain_check(&v->drivetrain, root, vd_key_path_of(path, "drivetrain").text, d);
  check_electric(v, root, path, d);
}

void vd_vehicle_check_ride(const vd_vehicle_def *v, const vd_node *root, const char *path, vd_diag *d) {
  for (int i = 0; i < VD_AXLES; i++)
    if (v->axle[i].suspension.damper.type == VD_DAMPER_LINEAR && isnan(v->axle[i].suspension.damper.bump))
      vd_error(d, vd_tree_place_in(root, path, "%s.damper", vd_axle_names[i]),
               "levels from L3 on need the damper of the %s axle", vd_axle_names[i]);
  if (isnan(v->roll_inertia))
    vd_error(d, vd_tree_place_in(root, path, "roll_inertia"), "levels from L3 on need the vehicle's roll_inertia");
  if (isnan(v->pitch_inertia))
    vd_error(d, vd_tree_place_in(root, path, "pitch_inertia"), "levels from L3 on need the vehicle's pitch_inertia");
  vd_vehicle_check_inertia(v, root, path, d);
}
