/* Dimensions and masses of a car without loads, at design load and with the loads of the run. */
#include "vehicle/vehicle_def.h"

#include "base/elementary.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static double or_zero(double x) {
  return isnan(x) ? 0.0 : x;
}

/* Sets dimensions and masses without loads. Other members are not changed. */
static void bare_dimensions(const vd_vehicle_def *def, vd_vehicle *v) {
  memset(v, 0, offsetof(vd_vehicle, axle));
  memset(&v->aero, 0, offsetof(vd_vehicle, drivetrain) - offsetof(vd_vehicle, aero));
  v->mass = def->mass;
  v->yaw_inertia = def->yaw_inertia;
  v->roll_inertia = def->roll_inertia;
  v->pitch_inertia = def->pitch_inertia;
  v->wheelbase = def->wheelbase;
  v->cg_to_front = def->cg_to_front;
  v->cg_left = or_zero(def->cg_left);
  v->cg_height = def->cg_height;
  v->width = def->width;
  v->overhang_front = def->overhang_front;
  v->overhang_rear = def->overhang_rear;
  v->aero = def->aero;
  v->brakes = def->brakes;
  vd_steering_build(&def->steering, &v->steering);
  for (int i = 0; i < VD_AXLES; i++) {
    const vd_axle_def *axle = &def->axle[i];
    vd_vehicle_axle *to = &v->axle[i];
    to->track = axle->track;
    to->unsprung_mass = axle->unsprung_mass;
    to->unsprung_height = axle->unsprung_height;
    to->unsprung_roll_inertia = axle->unsprung_roll_inertia;
    to->wheel_radius = axle->wheel_radius;
    to->loaded_radius = vd_axle_loaded_radius(axle);
    to->wheel_inertia = axle->wheel_inertia;
    to->spring_stiffness = axle->spring_stiffness;
    to->antiroll_stiffness = axle->antiroll_stiffness;
    to->roll_centre_height = axle->roll_centre_height;
    to->anti_brake = axle->anti_brake;
    to->anti_drive = axle->anti_drive;
    to->camber_gain = axle->camber_gain;
  }
  for (int k = 0; k < VD_PRODUCTS; k++)
    v->product[k] = or_zero(def->product[k]);
  for (int k = 0; k < 3; k++)
    v->hitch[k] = or_zero(def->hitch.at[k]);
  v->masses = vd_vehicle_masses(v);
}

/* Adds the loads that are in the car at the design position (design), or during the run. False: there are none. */
static bool add_loads(const vd_vehicle_def *def, bool design, vd_vehicle *v) {
  const vd_weight_def *load = def->loads.item;
  vd_inertia sprung = vd_vehicle_sprung(v);
  bool some = false;
  for (size_t i = 0; i < def->loads.count; i++)
    if (design ? load[i].design : load[i].carried) {
      const vd_inertia own = vd_weight_inertia(&load[i]);
      vd_inertia_add(&sprung, &own);
      some = true;
    }
  if (!design && def->hitch.load > 0.0) {
    const double *at = def->hitch.at;
    const vd_inertia own = {.mass = def->hitch.load, .centre = {at[0], at[1], at[2]}};
    vd_inertia_add(&sprung, &own);
    some = true;
  }
  if (some)
    vd_vehicle_set_sprung(v, &sprung);
  return some;
}

void vd_vehicle_dimensions(const vd_vehicle_def *def, vd_vehicle *v) {
  bare_dimensions(def, v);
  add_loads(def, true, v);
  v->design_height = v->cg_height;
  for (int i = 0; i < VD_AXLES; i++)
    v->design_load[i] = 0.5 * v->mass * VD_GRAVITY * v->masses.to_axle[1 - i] / v->wheelbase;
}

void vd_vehicle_laden(const vd_vehicle_def *def, vd_vehicle *v) {
  vd_vehicle design;
  vd_vehicle_dimensions(def, &design);
  bare_dimensions(def, v);
  add_loads(def, false, v);
  v->design_height = design.design_height;
  v->settles = def->loads.count > 0 || def->hitch.load > 0.0 || v->cg_left != 0.0;
  for (int i = 0; i < VD_AXLES; i++) {
    v->design_load[i] = design.design_load[i];
    v->settles |= !isnan(def->axle[i].spring_load);
  }
}

static void set_if_auto(double value, double *own) {
  if (isnan(*own))
    *own = value;
}

/* Computes mass, centre of gravity and inertia of the car from its parts. */
static void build_of_parts(const vd_vehicle_def *def, vd_vehicle *v) {
  const vd_inertia sprung = vd_weights_parts(&def->weights);
  vd_vehicle_dimensions(def, v);
  vd_vehicle_set_sprung(v, &sprung);
}

void vd_vehicle_weigh(vd_vehicle_def *def) {
  vd_vehicle v;
  switch ((enum vd_weights_from)def->weights.from) {
  case VD_WEIGHTS_NONE: break;
  case VD_WEIGHTS_PARTS:
    build_of_parts(def, &v);
    set_if_auto(v.mass, &def->mass);
    set_if_auto(v.cg_to_front, &def->cg_to_front);
    set_if_auto(v.cg_left, &def->cg_left);
    break;
  case VD_WEIGHTS_SCALES: {
    const vd_numbers *level = &def->weights.as.scales.level;
    if (level->count != VD_WHEELS)
      break;
    const double *w = level->value, front = w[VD_FL] + w[VD_FR], rear = w[VD_RL] + w[VD_RR], sum = front + rear;
    double aside = 0.5 * def->axle[VD_FRONT].track * (w[VD_FL] - w[VD_FR]) +
                   0.5 * def->axle[VD_REAR].track * (w[VD_RL] - w[VD_RR]);
    set_if_auto(sum, &def->mass);
    set_if_auto(def->wheelbase * rear / sum, &def->cg_to_front);
    set_if_auto(aside / sum, &def->cg_left);
    break;
  }
  }
}

/* Means of ratios in NHTSA's inertia database (149 of its cars of 1971 to 1998; Heydinger et al., SAE 1999-01-1336).
 * yaw: inertia of the car / (mass of the car x product of the axles' distances from its centre of gravity); pitch: the
 * same ratio with inertia and mass of the body; roll: radius of gyration of the body / track. The body is the car
 * without an unsprung mass of 11.2 % at the wheel centres. */
static const struct body_ratios {
  double yaw, pitch, roll;
} body_ratios[VD_BODY_TYPES] = {
    [VD_BODY_CAR] = {1.10, 1.04, 0.39},
    [VD_BODY_SUV] = {1.05, 1.03, 0.395},
    [VD_BODY_VAN] = {0.99, 0.96, 0.42},
    [VD_BODY_PICKUP] = {0.96, 0.94, 0.375},
};

/* Sets the moments of inertia that are auto, if the file says that they are estimates, by the ratios of the body. */
static void estimate_inertias(vd_vehicle_def *def) {
  const struct body_ratios *ratio = &body_ratios[def->body_type];
  size_t follows = 0;
  double product = def->cg_to_front * (def->wheelbase - def->cg_to_front), sprung = def->mass;
  double gyration = ratio->roll * 0.5 * (def->axle[VD_FRONT].track + def->axle[VD_REAR].track);
  for (int a = 0; a < VD_AXLES; a++)
    sprung -= 2.0 * def->axle[a].unsprung_mass;
  struct {
    const char *key;
    double value, *own;
  } const rule[] = {
      {"yaw_inertia", ratio->yaw * def->mass * product, &def->yaw_inertia},
      {"roll_inertia", sprung * gyration * gyration, &def->roll_inertia},
      {"pitch_inertia", ratio->pitch * sprung * product, &def->pitch_inertia},
  };
  _Static_assert(VD_COUNT(rule) == VD_COUNT(def->follows), "room for all");
  for (size_t k = 0; k < VD_COUNT(rule); k++)
    for (size_t i = 0; isnan(*rule[k].own) && i < def->estimates.count; i++)
      if (strcmp(def->estimates.name[i], rule[k].key) == 0) {
        *rule[k].own = rule[k].value;
        def->follows[follows++] = rule[k].key;
      }
}

void vd_vehicle_weigh_heights(vd_vehicle_def *def) {
  vd_vehicle v;
  switch ((enum vd_weights_from)def->weights.from) {
  case VD_WEIGHTS_NONE: break;
  case VD_WEIGHTS_PARTS:
    build_of_parts(def, &v);
    set_if_auto(v.cg_height, &def->cg_height);
    set_if_auto(v.yaw_inertia, &def->yaw_inertia);
    set_if_auto(v.roll_inertia, &def->roll_inertia);
    set_if_auto(v.pitch_inertia, &def->pitch_inertia);
    for (int k = 0; k < VD_PRODUCTS; k++)
      set_if_auto(v.product[k], &def->product[k]);
    break;
  case VD_WEIGHTS_SCALES: {
    const vd_numbers *level = &def->weights.as.scales.level, *lifted = &def->weights.as.scales.lifted;
    int up = def->weights.as.scales.raised, down = 1 - up;
    if (level->count != VD_WHEELS || lifted->count != 2 || !(def->weights.as.scales.lift > 0.0))
      break;
    const double *w = level->value;
    double sum = w[VD_FL] + w[VD_FR] + w[VD_RL] + w[VD_RR];
    double behind = def->wheelbase * (w[2 * up] + w[2 * up + 1]) / sum;
    double share = (lifted->value[0] + lifted->value[1]) / sum;
    set_if_auto(vd_weights_height(def->wheelbase, vd_axle_loaded_radius(&def->axle[down]),
                                  vd_axle_loaded_radius(&def->axle[up]), behind, def->weights.as.scales.lift, share),
                &def->cg_height);
    break;
  }
  }
  estimate_inertias(def);
}

/* Checks that the file gives all required values that do not follow from weights. */
static bool check_given(const vd_vehicle_def *v, const vd_node *root, const char *path, vd_diag *d) {
  const struct {
    const char *key;
    double value;
  } needed[] = {
      {"mass", v->mass}, {"yaw_inertia", v->yaw_inertia}, {"cg_to_front", v->cg_to_front}, {"cg_height", v->cg_height}};
  static const char *const advice[] = {[VD_WEIGHTS_NONE] = "; auto needs weights",
                                       [VD_WEIGHTS_PARTS] = "; it does not follow from the parts",
                                       [VD_WEIGHTS_SCALES] = "; it does not follow from these readings of scales"};
  size_t before = vd_diag_errors(d);
  for (size_t i = 0; i < VD_COUNT(needed); i++)
    if (isnan(needed[i].value))
      vd_error(d, vd_tree_place_in(root, path, "%s", needed[i].key), "the vehicle lacks its %s%s", needed[i].key,
               advice[v->weights.from]);
  return vd_diag_errors(d) == before;
}

static void check_weights(const vd_vehicle_def *v, const vd_node *root, const char *path, vd_diag *d) {
  const vd_numbers *level = &v->weights.as.scales.level, *lifted = &v->weights.as.scales.lifted;
  if (v->weights.from != VD_WEIGHTS_SCALES)
    return;
  if (level->count != VD_WHEELS)
    vd_error(d, vd_tree_place_in(root, path, "weights.level"), "four wheels have four readings, not %zu", level->count);
  if (lifted->count != 0 && lifted->count != 2)
    vd_error(d, vd_tree_place_in(root, path, "weights.lifted"),
             "the two wheels that stay down have two readings, not %zu", lifted->count);
  else if (lifted->count == 2 && !(v->weights.as.scales.lift > 0.0))
    vd_error(d, vd_tree_place_in(root, path, "weights.lift"), "a raised axle needs its lift");
  else if (lifted->count == 2 && !(v->weights.as.scales.lift < 0.5 * v->wheelbase))
    vd_error(d, vd_tree_place_in(root, path, "weights.lift"), "lift (%g m) must be below half the wheelbase (%g m)",
             v->weights.as.scales.lift, v->wheelbase);
}

/* Checks the car at design load or, if `laden`, with the loads of the run. */
typedef void check(const vd_vehicle *v, bool laden, const vd_node *root, const char *path, vd_diag *d);

static void check_both(const vd_vehicle_def *v, check *each, const vd_node *root, const char *path, vd_diag *d) {
  vd_vehicle design, laden;
  size_t before = vd_diag_errors(d);
  vd_vehicle_dimensions(v, &design);
  vd_vehicle_laden(v, &laden);
  each(&design, false, root, path, d);
  if (laden.settles && vd_diag_errors(d) == before)
    each(&laden, true, root, path, d);
}

static void check_centre(const vd_vehicle *v, bool laden, const vd_node *root, const char *path, vd_diag *d) {
  vd_masses m = v->masses;
  const char *with = laden ? ", with the loads of the run" : "";
  if (!(v->cg_to_front > 0.0 && v->cg_to_front < v->wheelbase)) {
    vd_error(d, vd_tree_place_in(root, path, laden ? "loads" : "cg_to_front"),
             "cg_to_front (%g m%s) must lie within the wheelbase (%g m)", v->cg_to_front, with, v->wheelbase);
    return;
  }
  if (!(m.sprung > 0.0)) {
    vd_error(d, vd_tree_place_in(root, path, laden ? "loads" : "mass"),
             "mass (%g kg%s) must exceed the four unsprung masses (%g kg)", m.total, with,
             m.unsprung[VD_FRONT] + m.unsprung[VD_REAR]);
    return;
  }
  for (int i = 0; i < VD_AXLES; i++)
    if (!(m.sprung_share[i] > 0.0))
      vd_error(d,
               laden ? vd_tree_place_in(root, path, "loads")
                     : vd_tree_place_in(root, path, "%s.unsprung_mass", vd_axle_names[i]),
               "the %s unsprung mass exceeds the static load of its axle%s", vd_axle_names[i], with);
  if (!(m.sprung_height > 0.0))
    vd_error(d, vd_tree_place_in(root, path, laden ? "loads" : "cg_height"),
             "cg_height puts the sprung mass below the ground (%.3g m%s)", m.sprung_height, with);
}

void vd_vehicle_check_masses(const vd_vehicle_def *v, const vd_node *root, const char *path, vd_diag *d) {
  for (int i = 0; i < VD_AXLES; i++)
    if (isnan(v->axle[i].unsprung_mass)) {
      vd_error(d, vd_tree_place_in(root, path, "%s.unsprung_mass", vd_axle_names[i]),
               "'auto' takes the unsprung mass from a linkage that gives its masses and the knuckle's inertia");
      return;
    }
  check_weights(v, root, path, d);
  if (!check_given(v, root, path, d))
    return;
  if (v->hitch.load > 0.0 && isnan(v->hitch.at[0])) {
    vd_error(d, vd_tree_place_in(root, path, "hitch.load"), "a load on the hitch needs its place, hitch.at");
    return;
  }
  check_both(v, check_centre, root, path, d);
}

/* Checks the three moments of inertia of one body: none exceeds the sum of the other two (for a flat body one moment
 * equals this sum). With products of inertia, tr(I)/2 E - I must have no negative principal minor; its diagonal is half
 * of (the sum of two moments minus the third moment). */
static void check_tensor(const vd_vehicle *v, double yaw, bool laden, const vd_node *root, const char *path,
                         vd_diag *d) {
  const double moment[] = {v->roll_inertia, v->pitch_inertia, yaw};
  static const char *const key[] = {"roll_inertia", "pitch_inertia", "yaw_inertia"};
  const char *with = laden ? ", with the loads of the run" : "";
  double spread[3], p[] = {v->product[VD_PRODUCT_YZ], v->product[VD_PRODUCT_XZ], v->product[VD_PRODUCT_XY]};
  bool good = true;
  for (int i = 0; i < 3; i++) {
    spread[i] = 0.5 * (moment[(i + 1) % 3] + moment[(i + 2) % 3] - moment[i]);
    if (moment[i] > moment[(i + 1) % 3] + moment[(i + 2) % 3]) {
      good = false;
      vd_error(d, vd_tree_place_in(root, path, "%s", laden ? "loads" : key[i]),
               "no body has these moments of inertia: roll %.6g, pitch %.6g, yaw %.6g kg m2 of the sprung mass "
               "alone%s; %s exceeds the sum of the others",
               moment[0], moment[1], moment[2], with, key[i]);
    }
  }
  double det = spread[0] * spread[1] * spread[2] + 2.0 * p[0] * p[1] * p[2];
  bool possible = true;
  for (int i = 0; i < 3; i++) {
    possible = possible && p[i] * p[i] <= spread[(i + 1) % 3] * spread[(i + 2) % 3];
    det -= spread[i] * p[i] * p[i];
  }
  bool known = !isnan(moment[0] + moment[1] + moment[2]); /* unknown moments are reported by another check */
  if (known && good && !(possible && det >= 0.0))
    vd_error(d, vd_tree_place_in(root, path, laden ? "loads" : "product_xz"),
             "no body has these products of inertia: xy %.6g, xz %.6g, yz %.6g kg m2 with the moments %.6g, %.6g, %.6g "
             "kg m2%s",
             p[2], p[1], p[0], moment[0], moment[1], moment[2], with);
}

static void check_inertia(const vd_vehicle *v, bool laden, const vd_node *root, const char *path, vd_diag *d) {
  double yaw = vd_vehicle_sprung_yaw_inertia(v);
  if (!(yaw > 0.0))
    vd_error(d, vd_tree_place_in(root, path, laden ? "loads" : "yaw_inertia"),
             "yaw_inertia (%g kg m2) leaves nothing to the sprung mass: the wheels alone have %g kg m2", v->yaw_inertia,
             v->yaw_inertia - yaw);
  else
    check_tensor(v, yaw, laden, root, path, d);
}

void vd_vehicle_check_inertia(const vd_vehicle_def *v, const vd_node *root, const char *path, vd_diag *d) {
  check_both(v, check_inertia, root, path, d);
}
