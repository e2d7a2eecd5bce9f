/* A car from the numbers of a data sheet. Other figures are usual ones: a ride frequency of about 1.2 Hz, a roll angle
 * of 5 or 6 degrees per g, and understeer. The comment of each key states the rule and its source.
 *
 * The understeer is a budget (Bundorf and Leffert, SAE 760713). Per g of lateral acceleration the angle of an axle is a
 * sum of parts: the slip of its tyres, the angle by which the aligning moments turn the car, and steer angles of its
 * wheels, out of the turn > 0. Roll causes a steer angle, and so do side forces and aligning moments on the bushings.
 * The slip angle of the tyres per g, at 0.3 g, is s; their trail is t, the weights on the axles W_f and W_r. The
 * aligning moments per g are M = sum t W. With the wheelbase L the angles of the axles per g are
 *
 *   front  s_f (1 + M/(L W_f)) + sum of parts,   rear  s_r (1 - M/(L W_r)) + sum of parts.
 *
 * The parts by roll and compliance are written as figures of kinematics and compliance (`kc'), so that other tyres
 * change only the part of the tyres. */
#include "run/template_impl.h"

#include "base/base.h"
#include "base/elementary.h"
#include "input/schema.h"
#include "tyre/tyre.h"
#include "tyre/tyre_def.h"
#include "vehicle/drivetrain.h"
#include "vehicle/vehicle_def.h"

#include <math.h>
#include <string.h>

static const char *const drive_names[] = {"front", "rear", "all", NULL};

#define PART(ax, cause, k, value, words)                                                                               \
  {                                                                                                                    \
    VD_F_NUMBER(vd_car_numbers, steer[VD_##ax][VD_STEER_##cause], k, "rad", -0.2, 0.2, 0, value,                       \
                "steer per g of the " words)                                                                           \
  }

static const vd_field fields[] = {
    {VD_F_STRING(vd_car_numbers, name, "name", "my car", "name for readers")},
    {VD_F_CHOICE(vd_car_numbers, body_type, "body_type", vd_body_type_names, "car",
                 "kind of body, which changes estimates of inertia, height of the centre of gravity and drag")},
    {VD_F_NUMBER(vd_car_numbers, mass, "mass", "kg", 0, 1e5, VD_ABOVE, "1400 kg",
                 "mass of the car as it is driven, with its driver")},
    {VD_F_NUMBER(vd_car_numbers, wheelbase, "wheelbase", "m", 0, 20, VD_ABOVE, "2.65 m",
                 "distance from the front to the rear axle")},
    {VD_F_NUMBER(vd_car_numbers, track, "track", "m", 0, 10, VD_ABOVE, "1.54 m",
                 "distance between the wheels of an axle")},
    {VD_F_NUMBER(vd_car_numbers, axle_track[VD_FRONT], "track_front", "m", 0, 10, VD_ABOVE | VD_AUTO, "auto",
                 "track in front; auto: track")},
    {VD_F_NUMBER(vd_car_numbers, axle_track[VD_REAR], "track_rear", "m", 0, 10, VD_ABOVE | VD_AUTO, "auto",
                 "track at the rear; auto: track")},
    {VD_F_NUMBER(vd_car_numbers, front_share, "front_share", "1", 0, 1, VD_ABOVE | VD_BELOW, "0.58",
                 "share of the weight on the front axle")},
    {VD_F_NUMBER(vd_car_numbers, cg_height, "cg_height", "m", 0, 5, VD_ABOVE | VD_AUTO, "auto",
                 "height of the centre of gravity; auto: 0.38 of the height of the car, for an suv 0.39")},
    {VD_F_STRING(vd_car_numbers, tyre, "tyre", "205/55R16", "size of the tyres")},
    {VD_F_STRING(vd_car_numbers, axle_tyre[VD_FRONT], "tyre_front", "", "size of the front tyres, if they differ")},
    {VD_F_STRING(vd_car_numbers, axle_tyre[VD_REAR], "tyre_rear", "", "size of the rear tyres, if they differ")},
    {VD_F_PATH(vd_car_numbers, tyre_file, "tyre_file", "",
               "file of the tyres, a property file of model mf (.tir) or a tyre; empty: tyres are made from their "
               "size")},
    {VD_F_PATH(vd_car_numbers, axle_file[VD_FRONT], "tyre_file_front", "", "file of the front tyres, if it differs")},
    {VD_F_PATH(vd_car_numbers, axle_file[VD_REAR], "tyre_file_rear", "", "file of the rear tyres, if it differs")},
    {VD_F_CHOICE(vd_car_numbers, drive, "drive", drive_names, "front", "driven axle")},
    {VD_F_NUMBER(vd_car_numbers, power, "power", "W", 0, 1e8, VD_ABOVE, "100 kW", "rated power")},
    {VD_F_NUMBER(vd_car_numbers, width, "width", "m", 0, 10, VD_ABOVE | VD_AUTO, "auto",
                 "width without mirrors; auto: the greater track plus 0.25 m")},
    {VD_F_NUMBER(vd_car_numbers, height, "height", "m", 0, 10, VD_ABOVE | VD_AUTO, "auto",
                 "height of the roof, for the centre of gravity and the frontal area; auto: mean of its body_type")},
    {VD_F_NUMBER(vd_car_numbers, drag, "drag", "1", 0, 10, VD_AUTO, "auto",
                 "drag coefficient; auto: the mean of its body_type")},
    {VD_F_NUMBER(vd_car_numbers, turning_circle, "turning_circle", "m", 0, 100, VD_ABOVE, "10.8 m",
                 "diameter of the turning circle between kerbs")},
    {VD_F_NUMBER(vd_car_numbers, steering_ratio, "steering_ratio", "1", 0, 100, VD_ABOVE, "15",
                 "steering-wheel angle over road wheel angle")},
    {VD_F_NUMBER(vd_car_numbers, pressure, "tyre_pressure", "Pa", 0, 1e7, VD_ABOVE, "2.3 bar",
                 "pressure of the tyres above the ambient pressure")},
    {VD_F_NUMBER(vd_car_numbers, friction, "friction", "1", 0, 5, VD_ABOVE, "1.1",
                 "friction coefficient of the tyres on a dry road")},
    {VD_F_NUMBER(vd_car_numbers, ride_frequency, "ride_frequency", "Hz", 0, 20, VD_ABOVE, "1.2 Hz",
                 "undamped frequency of the body over the front axle")},
    {VD_F_NUMBER(vd_car_numbers, rear_ride_frequency, "ride_frequency_rear", "Hz", 0, 20, VD_ABOVE | VD_AUTO, "auto",
                 "undamped frequency of the body over the rear axle; auto: 1.15 times the frequency in front")},
    {VD_F_NUMBER(vd_car_numbers, wheel_rate[VD_FRONT], "wheel_rate_front", "N/m", 0, 1e7, VD_ABOVE | VD_AUTO, "auto",
                 "stiffness of a front spring at its wheel, without the tyre; auto: by the ride frequency")},
    {VD_F_NUMBER(vd_car_numbers, wheel_rate[VD_REAR], "wheel_rate_rear", "N/m", 0, 1e7, VD_ABOVE | VD_AUTO, "auto",
                 "stiffness of a rear spring at its wheel, without the tyre; auto: by the ride frequency")},
    {VD_F_NUMBER(vd_car_numbers, roll_per_g, "roll_per_g", "rad", 0, 1, VD_ABOVE, "5.5 deg",
                 "roll of the body per g of lateral acceleration")},
    {VD_F_NUMBER(
        vd_car_numbers, understeer_per_g, "understeer_per_g", "rad", -0.5, 0.5, 0, "2.5 deg",
        "understeer gradient: angle of the front axle minus angle of the rear axle, per g; load transfer and drive "
        "forces add to this gradient")},
    {VD_F_NUMBER(vd_car_numbers, rear_slip_per_g, "rear_slip_per_g", "rad", 0, 0.5, VD_ABOVE, "3.5 deg",
                 "angle of the rear axle per g, including the effects of its links and bushings; not used for tyres "
                 "from a file")},
    PART(FRONT, ROLL, "roll_steer_front", "0.6 deg", "front wheels by their travels in roll, out of the turn > 0"),
    PART(FRONT, SIDE, "side_force_steer_front", "0.3 deg", "front wheels by side forces on bushings"),
    {VD_F_NUMBER(vd_car_numbers, steer[VD_FRONT][VD_STEER_ALIGNING], "aligning_steer_front", "rad", -0.2, 0.2, VD_AUTO,
                 "auto",
                 "steer per g of the front wheels by aligning moments on bushings and steering; auto: the "
                 "rest of the understeer gradient")},
    PART(REAR, ROLL, "roll_steer_rear", "-0.4 deg", "rear wheels by their travels in roll"),
    PART(REAR, SIDE, "side_force_steer_rear", "-0.1 deg", "rear wheels by side forces on bushings"),
    PART(REAR, ALIGNING, "aligning_steer_rear", "0.1 deg", "rear wheels by aligning moments on bushings"),
};

const vd_schema vd_car_numbers_schema = {.name = "car's numbers", VD_SCHEMA_ROWS(vd_car_numbers, fields)};

typedef struct axle_figures {
  double track, unsprung, wheel_inertia, spring, bar, bump, rebound, roll_centre, anti_brake, anti_drive;
  double sprung; /* kg, sprung mass on one spring */
  double load;   /* N, of one wheel */
  const char *file;
  vd_tyre_figures tyre;
  double steer[VD_STEERS]; /* rad per g */
  /* kinematics per m of travel; compliance, rad/N and rad/(N m) */
  double toe, camber, x, y, spin, by_force, by_moment;
} axle_figures;

typedef struct figures {
  const char *name, *body_type, *drive;
  double mass, wheelbase, cg_to_front, cg_height, width;
  union {
    axle_figures axle[VD_AXLES];
    struct {
      axle_figures front, rear;
    };
  };
  double drag, area, torque, power, torque_share, ratio;
  double brake_torque, brake_share, handbrake;
  double steering_ratio, steer, ackermann;
  double spring_roll; /* rad per g, roll of the body on springs and bars */
} figures;

/* --- rules --- */

static const double damping_ratio = 0.3, rebound_share = 2.0 / 3.0;

/* Figures of the bodies. Means of NHTSA's cars of 1971 to 2020 (SAE 1999-01-1336 and NCAP rollover ratings): height of
 * the centre of gravity divided by height of the roof (342 cars, 374 SUVs, 89 vans, 138 pickups), height of the roof.
 * Means of EPA's 638 different coast-downs of 2022: rolling resistance, which includes bearings, brakes and drivetrain
 * in neutral, and drag coefficient. The rolling resistance is assumed to grow by 0.4 s2/km2, as the rolling resistance
 * of tyres does. */
static const struct body_figures {
  double cg_height, height, rolling_resistance, drag;
} body_figures[VD_BODY_TYPES] = {
    [VD_BODY_CAR] = {0.379, 1.46, 0.0108, 0.31},
    [VD_BODY_SUV] = {0.390, 1.70, 0.0097, 0.345},
    [VD_BODY_VAN] = {0.377, 1.80, 0.0095, 0.37},
    [VD_BODY_PICKUP] = {0.383, 1.80, 0.0095, 0.405},
};

static double height_of(const vd_car_numbers *n) {
  return isnan(n->height) ? body_figures[n->body_type].height : n->height;
}

static void set_masses(const vd_car_numbers *n, figures *f) {
  double a = (1.0 - n->front_share) * n->wheelbase;
  f->mass = n->mass;
  f->wheelbase = n->wheelbase;
  f->cg_to_front = a;
  f->front.track = isnan(n->axle_track[VD_FRONT]) ? n->track : n->axle_track[VD_FRONT];
  f->rear.track = isnan(n->axle_track[VD_REAR]) ? n->track : n->axle_track[VD_REAR];
  f->cg_height = isnan(n->cg_height) ? body_figures[n->body_type].cg_height * height_of(n) : n->cg_height;
  f->width = isnan(n->width) ? vd_max(f->front.track, f->rear.track) + 0.25 : n->width;
  f->front.unsprung = f->rear.unsprung = 0.028 * n->mass;
  f->front.sprung = 0.5 * n->front_share * n->mass - f->front.unsprung;
  f->rear.sprung = 0.5 * (1.0 - n->front_share) * n->mass - f->rear.unsprung;
  f->front.load = 0.5 * n->front_share * n->mass * VD_GRAVITY;
  f->rear.load = 0.5 * (1.0 - n->front_share) * n->mass * VD_GRAVITY;
}

/* Sets the given spring rate, or, if it is NAN, the rate that in series with the tyre gives the frequency. Sets the
 * damper of this quarter car. */
static void set_ride(double frequency, double rate, axle_figures *axle) {
  double w = 2.0 * VD_PI * frequency, ride = axle->sprung * w * w, tyre = axle->tyre.vertical_stiffness;
  axle->spring = isnan(rate) ? ride / (1.0 - ride / tyre) : rate;
  double damping = 2.0 * damping_ratio * sqrt(axle->spring * axle->sprung);
  axle->rebound = 2.0 * rebound_share * damping;
  axle->bump = 2.0 * damping - axle->rebound;
}

/* Sets the anti-roll bars for the roll per acceleration p, rad s2/m. The car rolls on its tyres by m h ay (1 + g p)
 * divided by the roll stiffness of the tyres, the sum of k_t T^2/2 of both axles. The body rolls on springs and bars by
 * m_s h' ay (1 + g p) divided by their roll stiffness, where h' is the height of the sprung mass above the roll axis.
 * The term g p is the effect of the weight of the leaning body. The front axle gets a share of the stiffness of springs
 * and bars that is 0.05 above its share of the weight. */
static bool set_roll(const vd_car_numbers *n, const vd_template_page *page, figures *f) {
  double front_track = 0.5 * f->front.track * f->front.track, rear_track = 0.5 * f->rear.track * f->rear.track;
  double p = n->roll_per_g / VD_GRAVITY;
  double unsprung =
      2.0 * (f->front.unsprung * f->front.tyre.loaded_radius + f->rear.unsprung * f->rear.tyre.loaded_radius);
  double sprung = 2.0 * (f->front.sprung + f->rear.sprung), height = (n->mass * f->cg_height - unsprung) / sprung;
  double axis = n->front_share * f->front.roll_centre + (1.0 - n->front_share) * f->rear.roll_centre;
  double of_tyres = n->mass * f->cg_height * (1.0 + VD_GRAVITY * p) /
                    (front_track * f->front.tyre.vertical_stiffness + rear_track * f->rear.tyre.vertical_stiffness);
  if (!(p > of_tyres))
    return vd_page_refuse(page, "roll_per_g", "the tyres alone let this car roll by %.2g deg per g",
                          of_tyres * VD_GRAVITY * 180.0 / VD_PI);
  double all = sprung * (height - axis) * (1.0 + VD_GRAVITY * p) / (p - of_tyres);
  double springs[2] = {front_track * f->front.spring, rear_track * f->rear.spring};
  double front = vd_min(n->front_share + 0.05, 1.0) * all;
  f->front.bar = vd_max(front - springs[0], 0.0);
  f->rear.bar = vd_max(all - springs[0] - springs[1] - f->front.bar, 0.0);
  f->front.bar = vd_max(all - springs[0] - springs[1] - f->rear.bar, 0.0);
  f->spring_roll = (p - of_tyres) * VD_GRAVITY;
  return true;
}

/* Sets the torque at the motor for a force at the wheels: a force of half the weight, but at most nine tenths of the
 * grip of the driven axle. */
static void set_drive(const vd_car_numbers *n, figures *f) {
  double weight = n->mass * VD_GRAVITY, shift = n->friction * f->cg_height / n->wheelbase;
  double front = n->front_share * weight / (1.0 + shift), rear = (1.0 - n->front_share) * weight / (1.0 - shift);
  double driven_load = n->drive == VD_DRIVE_FRONT ? front : n->drive == VD_DRIVE_REAR ? rear : weight;
  double radius = n->drive == VD_DRIVE_FRONT ? f->front.tyre.rolling_radius : f->rear.tyre.rolling_radius;
  f->drive = drive_names[n->drive];
  f->ratio = 9.0;
  f->torque = vd_min(0.9 * n->friction * driven_load, 0.5 * weight) * radius / f->ratio;
  f->power = 0.8 * n->power;
  f->torque_share = n->front_share;
  f->brake_torque = 1.3 * n->friction * weight * f->front.tyre.rolling_radius;
  f->brake_share = vd_min(n->front_share + 0.8 * f->cg_height / n->wheelbase, 0.95);
  f->handbrake = 0.3 * weight * f->rear.tyre.rolling_radius;
  f->drag = isnan(n->drag) ? body_figures[n->body_type].drag : n->drag;
  f->area = 0.81 * f->width * height_of(n);
}

/* Sets the greatest angle of the steering. The outer front wheel follows the turning circle; the mean road wheel angle
 * is the angle of a wheel in the middle. */
static bool set_steering(const vd_car_numbers *n, const vd_template_page *page, figures *f) {
  double outer = 0.5 * n->turning_circle, square = outer * outer - n->wheelbase * n->wheelbase;
  double middle = square > 0.0 ? sqrt(square) - 0.5 * f->front.track : 0.0;
  f->steering_ratio = n->steering_ratio;
  f->ackermann = 0.6;
  f->steer = vd_atan2(n->wheelbase, middle);
  return middle > 0.6 * n->wheelbase ||
         vd_page_refuse(page, "turning_circle", "a turning circle of %.6g m is too narrow for a wheelbase of %.6g m",
                        n->turning_circle, n->wheelbase);
}

static bool is_property(const char *file) {
  const size_t length = strlen(file);
  return length > 4 && strcmp(file + length - 4, ".tir") == 0;
}

/* Computes the side force to the left and the aligning moment of a tyre at a slip angle to the right. They are means of
 * the tyre and its mirror image, so that conicity and ply steer have no effect. */
static void side_force(const vd_tyre *tyre, const vd_tyre_question *at, double slip, double *fy, double *mz) {
  vd_tyre_question q = *at;
  vd_tyre_answer left, right;
  q.tan_alpha = -slip;
  vd_tyre_ask(tyre, &q, &left);
  q.tan_alpha = slip;
  vd_tyre_ask(tyre, &q, &right);
  *fy = 0.5 * (left.fy - right.fy);
  *mz = 0.5 * (left.mz - right.mz);
}

/* Computes the slip angle per g of a tyre, by the slope of its side force at 0.3 g, and the trail of the tyre. */
static void measure_tyre(const vd_tyre *tyre, double load, vd_tyre_figures *f) {
  const double lateral = 0.3, part = 0.05;
  const vd_tyre_question q = {.vx = 20.0, .ground_friction = 1.0, .load = load, .radius = f->rolling_radius};
  double slip = lateral * load / vd_tyre_cornering_stiffness(tyre, 1.0, load), fy[2], mz[2];
  for (int round = 0; round < 20; round++) {
    side_force(tyre, &q, slip, &fy[0], &mz[0]);
    slip *= lateral * load / fy[0];
  }
  side_force(tyre, &q, (1.0 - part) * slip, &fy[0], &mz[0]);
  side_force(tyre, &q, (1.0 + part) * slip, &fy[1], &mz[1]);
  f->slip = 2.0 * part * slip * load / (fy[1] - fy[0]);
  f->trail = -(mz[0] + mz[1]) / (fy[0] + fy[1]);
}

/* Reads the file of a tyre, and computes its radii, stiffness, slip per g and trail under the load of its axle. */
static bool read_tyre(const axle_figures *axle, const char *number, const vd_template_page *page, vd_tyre_figures *f) {
  const char *text = vd_arena_printf(
      page->arena, is_property(axle->file) ? "model: mf\nfile: \"%s\"\n" : "base: \"%s\"\n", axle->file);
  vd_tyre_def *def = vd_arena_alloc(page->arena, sizeof *def);
  vd_node *root;
  vd_tyre tyre;
  int source = vd_diag_add_source(page->d, number, text, strlen(text));
  if (!vd_schema_read_source(&vd_tyre_schema, source, NULL, 0, page->arena, page->d, def, &root))
    return false;
  vd_tyre_complete(def, NULL, root, "", page->arena, page->d);
  if (vd_diag_errors(page->d) == 0)
    vd_tyre_check(def, root, "", page->d);
  if (vd_diag_errors(page->d) > 0)
    return false;
  vd_tyre_build(def, false, &tyre);
  double rolling, loaded, depth = vd_tyre_vertical_deflection(&tyre, axle->load);
  vd_tyre_radii(&tyre, axle->load, &rolling, &loaded);
  f->rolling_radius = isnan(rolling) ? f->rolling_radius : rolling;
  f->loaded_radius = isnan(loaded) ? f->unloaded_radius - depth : loaded;
  f->vertical_stiffness = vd_tyre_vertical(&tyre, depth).slope;
  measure_tyre(&tyre, axle->load, f);
  return (f->slip > 0.0 && isfinite(f->slip) && isfinite(f->trail)) ||
         vd_page_refuse(page, number, "this tyre has no side force of 0.3 of a load of %.6g N", axle->load);
}

/* Sets a tyre by its size, with a slip angle per g under the load of its axle. A tyre of both axles is described at the
 * mean load of the axles. Relative to q = 1, its initial slope at q times this load is 1.285 q - 0.285 q^2, which is 1
 * at q = 1 and 1.43 at q = 2. */
static bool set_tyre(const vd_car_numbers *n, const axle_figures *both, int a, double slip,
                     const vd_template_page *page, vd_tyre_figures *f) {
  const char *own = n->axle_tyre[a], *size = *own ? own : n->tyre;
  const bool alike = !*n->axle_tyre[VD_FRONT] && !*n->axle_tyre[VD_REAR];
  double load = alike ? 0.5 * (both[VD_FRONT].load + both[VD_REAR].load) : both[a].load;
  vd_tyre_numbers tyre = {.size = size,
                          .load = load,
                          .pressure = n->pressure,
                          .friction = n->friction,
                          .rolling_resistance = body_figures[n->body_type].rolling_resistance,
                          .slip_per_g = slip * (1.285 - 0.285 * both[a].load / load)};
  const char *number = !*own ? "tyre" : a == VD_FRONT ? "tyre_front" : "tyre_rear";
  if (!vd_tyre_figures_of(&tyre, number, page, f))
    return false;
  f->loaded_radius = f->unloaded_radius - both[a].load / f->vertical_stiffness;
  f->slip = slip;
  return true;
}

/* Returns the sum of the known parts of an axle's angle. */
static double parts_of(const double *steer) {
  double sum = 0.0;
  for (int k = 0; k < VD_STEERS; k++)
    sum += isnan(steer[k]) ? 0.0 : steer[k];
  return sum;
}

/* Sets the tyres of both axles. Rear tyres without a file get the slip angle that remains of the angle of their axle.
 * Front tyres without a file get the same slip angle, changed only by the load if both axles have tyres of one size. */
static bool set_tyres(const vd_car_numbers *n, const vd_template_page *page, axle_figures *both, double wheelbase) {
  static const char *const number[] = {"tyre_file_front", "tyre_file_rear"};
  for (int a = 0; a < VD_AXLES; a++) {
    both[a].file = *n->axle_file[a] ? n->axle_file[a] : n->tyre_file;
    if (!set_tyre(n, both, a, 1.0, page, &both[a].tyre)) /* of this tyre only the radii and the trail are used */
      return false;
    if (*both[a].file && !read_tyre(&both[a], *n->axle_file[a] ? number[a] : "tyre_file", page, &both[a].tyre))
      return false;
  }
  const axle_figures *front = &both[VD_FRONT], *rear = &both[VD_REAR];
  double moment = (front->tyre.trail * front->load + rear->tyre.trail * rear->load) / (wheelbase * rear->load);
  double slip = *rear->file ? rear->tyre.slip : (n->rear_slip_per_g - parts_of(rear->steer)) / (1.0 - moment);
  if (!(slip > 0.0))
    return vd_page_refuse(page, "rear_slip_per_g", "the parts of the rear axle leave no slip for its tyres");
  bool alike = !*n->axle_tyre[VD_FRONT] && !*n->axle_tyre[VD_REAR];
  double load = 0.5 * (front->load + rear->load), ratio = 1.0;
  if (alike)
    ratio = (1.285 - 0.285 * rear->load / load) / (1.285 - 0.285 * front->load / load);
  return (*rear->file || set_tyre(n, both, VD_REAR, slip, page, &both[VD_REAR].tyre)) &&
         (*front->file || set_tyre(n, both, VD_FRONT, slip * ratio, page, &both[VD_FRONT].tyre));
}

static bool set_axle(const vd_car_numbers *n, bool front, const vd_template_page *page, axle_figures *axle) {
  if (!(axle->sprung > 0.0))
    return vd_page_refuse(page, "front_share", "no weight is left for the springs of the %s axle",
                          front ? "front" : "rear");
  double radius = axle->tyre.rolling_radius;
  axle->wheel_inertia = 0.32 * axle->unsprung * radius * radius;
  axle->roll_centre = front ? 0.06 : 0.10;
  axle->anti_brake = front ? 0.20 : 0.30;
  axle->anti_drive = front ? 0.0 : 0.20;
  double rear = isnan(n->rear_ride_frequency) ? 1.15 * n->ride_frequency : n->rear_ride_frequency;
  set_ride(front ? n->ride_frequency : rear, n->wheel_rate[front ? VD_FRONT : VD_REAR], axle);
  return axle->spring > 0.0 ||
         vd_page_refuse(page, front || isnan(n->rear_ride_frequency) ? "ride_frequency" : "ride_frequency_rear",
                        "the tyres are too soft for a body at %.3g Hz", front ? n->ride_frequency : rear);
}

/* --- the balance --- */

/* Sets the slopes of a wheel's path over the travel. The longitudinal slopes make the links carry the axle's shares of
 * the load transfers. The lateral slope makes the side force act at the roll centre; it includes the displacement of
 * the contact point by camber. drive: share of the drive torque on the axle. */
static void set_path(const figures *f, double sign, double brake, double drive, axle_figures *axle) {
  double driving = drive > 0.0 ? sign * axle->anti_drive * f->cg_height / (drive * f->wheelbase) : 0.0;
  double braking = sign * axle->anti_brake * f->cg_height / (brake * f->wheelbase);
  axle->x = driving;
  axle->spin = (driving - braking) / axle->tyre.rolling_radius;
  axle->camber = -25.0 * VD_PI / 180.0;
  axle->y = axle->roll_centre / (0.5 * axle->track) + axle->tyre.loaded_radius * axle->camber;
}

/* Sets the toe angles by travel and by compliance. In a left turn the right wheel travels up and the left wheel down,
 * by the roll angle on springs and bars times half of the track. Each wheel has half of the axle's side force, and this
 * force times the trail as aligning moment. */
static void set_steers(const figures *f, axle_figures *axle) {
  axle->toe = -axle->steer[VD_STEER_ROLL] / (f->spring_roll * 0.5 * axle->track);
  axle->by_force = axle->steer[VD_STEER_SIDE] / axle->load;
  axle->by_moment = axle->tyre.trail > 0.0 ? -axle->steer[VD_STEER_ALIGNING] / (axle->tyre.trail * axle->load) : 0.0;
}

static const double degrees = 180.0 / VD_PI;

/* Completes the budget, and writes it as a comment. If the tyres and the other parts give too much understeer, the side
 * forces on the bushings of the front axle steer the wheels into the turn. Aligning moments can only steer wheels out
 * of the turn. */
static void set_balance(const vd_car_numbers *n, vd_template_page *page, axle_figures *front, axle_figures *rear) {
  double moment = 2.0 * (front->tyre.trail * front->load + rear->tyre.trail * rear->load) / n->wheelbase;
  double turned[] = {0.5 * front->tyre.slip * moment / front->load, -0.5 * rear->tyre.slip * moment / rear->load};
  double behind = rear->tyre.slip + turned[VD_REAR] + parts_of(rear->steer);
  double missing = n->understeer_per_g + behind - front->tyre.slip - turned[VD_FRONT] - parts_of(front->steer);
  if (isnan(front->steer[VD_STEER_ALIGNING])) {
    front->steer[VD_STEER_ALIGNING] = vd_max(missing, 0.0);
    front->steer[VD_STEER_SIDE] += vd_min(missing, 0.0);
    missing = 0.0;
  }
  vd_buf text = {0};
  vd_buf_printf(&text, "Understeer budget, deg per g in front and at the rear, without load transfer and drive forces; "
                       "measured by the metrics understeer_budget:\n");
  const double row[][VD_AXLES] = {
      {front->tyre.slip, rear->tyre.slip},
      {turned[VD_FRONT], turned[VD_REAR]},
      {front->steer[VD_STEER_ROLL], rear->steer[VD_STEER_ROLL]},
      {front->steer[VD_STEER_SIDE], rear->steer[VD_STEER_SIDE]},
      {front->steer[VD_STEER_ALIGNING], rear->steer[VD_STEER_ALIGNING]},
  };
  static const char *const words[] = {"tyres", "aligning moment on the car", "roll steer", "compliance, side force",
                                      "compliance, aligning moment"};
  for (size_t i = 0; i < VD_COUNT(row); i++)
    vd_buf_printf(&text, "- %s: %.2f and %.2f\n", words[i], degrees * row[i][0], degrees * row[i][1]);
  vd_buf_printf(&text, "- sum: %.2f and %.2f, understeer %.2f", degrees * (behind + n->understeer_per_g - missing),
                degrees * behind, degrees * (n->understeer_per_g - missing));
  if (fabs(missing) * degrees > 0.005)
    vd_buf_printf(&text, "; the required understeer is %.2f", degrees * n->understeer_per_g);
  page->remark = vd_arena_copy(page->arena, text.text, text.length);
  vd_buf_finish(&text);
}

static void set_links(const vd_car_numbers *n, figures *f) {
  double front = n->drive == VD_DRIVE_FRONT ? 1.0 : n->drive == VD_DRIVE_REAR ? 0.0 : f->torque_share;
  set_path(f, 1.0, f->brake_share, front, &f->front);
  set_path(f, -1.0, 1.0 - f->brake_share, 1.0 - front, &f->rear);
  set_steers(f, &f->front);
  set_steers(f, &f->rear);
}

/* Warns of a budget that is unusual for a car. */
static void judge_balance(const vd_car_numbers *n, const vd_template_page *page, const axle_figures *front) {
  const double most = 2.0, least = -0.5; /* deg per g; the parts in Bundorf's examples are below 1 */
  double side = degrees * front->steer[VD_STEER_SIDE], aligning = degrees * front->steer[VD_STEER_ALIGNING];
  if (aligning > most || side < least)
    vd_warning(
        page->d, vd_tree_place(page->given, *front->file ? "tyre_file" : "understeer_per_g"),
        "with these tyres an understeer of %.3g deg per g needs a steer of the front wheels by their bushings of "
        "%.3g deg per g, which usual cars do not have",
        degrees * n->understeer_per_g, aligning > most ? aligning : side);
}

/* --- lines --- */

#define T       figures
#define DEFAULT "default of the template, because no value was given"
#define NHTSA   "NHTSA's inertia database, SAE 1999-01-1336"
#define EPA     "EPA's coast-downs of 2022"

/* An estimate that is computed when the vehicle is read, so that in a study it changes with the values on which it
 * depends. */
#define FOLLOWS(k, why)                                                                                                \
  { .key = (k), .kind = VD_LINE_TEXT, .text = "auto", .rule = (why) }

static const vd_template_line lines[] = {
    VD_WORD(T, name, "name", NULL, NULL),
    VD_TEXT_LINE("source", "\"numbers of a data sheet, and rules of thumb\""),
    VD_ESTIMATES_LINE("estimates"),
    VD_WORD(T, body_type, "body_type", NULL, NULL),
    VD_VALUE(T, mass, "mass", "mass", DEFAULT),
    FOLLOWS("yaw_inertia",
            "by mass and axle distances, the mean dynamic index of its body_type: " NHTSA "; changes with these"),
    FOLLOWS("roll_inertia", "0.38 to 0.42 of the track as radius of gyration, the mean of its body_type: " NHTSA
                            "; changes with mass and track"),
    FOLLOWS("pitch_inertia", "by mass and axle distances, the mean of its body_type: " NHTSA "; changes with these"),
    VD_VALUE(T, wheelbase, "wheelbase", "wheelbase", DEFAULT),
    VD_VALUE(T, cg_to_front, "cg_to_front", "front_share", "58 % of the weight in front"),
    VD_VALUE(T, cg_height, "cg_height", "cg_height",
             "0.38 of the height of the roof, for an suv 0.39: NHTSA's rollover ratings, 945 cars"),
    VD_VALUE(T, width, "width", "width", "track and 0.25 m"),
    VD_TEXT_LINE("compliance", "linear"),
};

#define AXLE(ax, AX)                                                                                                   \
  VD_VALUE(T, ax.track, AX ".track", "track track_" AX, DEFAULT),                                                      \
      VD_VALUE(T, ax.unsprung, AX ".unsprung_mass", NULL,                                                              \
               "2.8 % of the car's mass for each wheel, a ninth for all: Gillespie, 5"),                               \
      VD_VALUE(T, ax.tyre.rolling_radius, AX ".wheel_radius", "tyre_file tyre_file_" AX,                               \
               "rolling circumference 3.05 diameters: Reimpell, The Automotive Chassis, 2"),                           \
      VD_VALUE(T, ax.tyre.loaded_radius, AX ".loaded_radius", "tyre_file tyre_file_" AX,                               \
               "unloaded radius minus load over the tyre's stiffness"),                                                \
      VD_VALUE(T, ax.wheel_inertia, AX ".wheel_inertia", NULL,                                                         \
               "half of the unsprung mass rotates, with a radius of gyration of 0.8 radii"),                           \
      VD_VALUE(T, ax.spring, AX ".spring_stiffness", "wheel_rate_" AX, RIDE_##ax),                                     \
      VD_VALUE(T, ax.bump, AX ".damper.bump", NULL, DAMPER "a third in bump"),                                         \
      VD_VALUE(T, ax.rebound, AX ".damper.rebound", NULL, DAMPER "two thirds in rebound"),                             \
      VD_VALUE(T, ax.bar, AX ".antiroll_stiffness", NULL,                                                              \
               "for the roll per g; front share of the roll stiffness 5 % above the share of the weight: OptimumG, "   \
               "Springs and Dampers, 3"),                                                                              \
      VD_SLOPE(T, ax.toe, AX ".kc.toe", "deg", "roll_steer_" AX,                                                       \
               "roll steer per g " BUDGET ", over the travel in roll"),                                                \
      VD_SLOPE(T, ax.camber, AX ".kc.camber", "deg", NULL, "compensates a third of the roll: Reimpell, 3"),            \
      VD_SLOPE(T, ax.x, AX ".kc.x", "mm", NULL, DRIVES_##ax "of a torque by shafts: Gillespie, 7"),                    \
      VD_SLOPE(T, ax.y, AX ".kc.y", "mm", NULL, "roll centre of independent wheels at " CENTRE_##ax ": Reimpell, 3"),  \
      VD_SLOPE(T, ax.spin, AX ".kc.spin", "deg", NULL, BRAKES_##ax "of a brake torque: Gillespie, 7"),                 \
      VD_VALUE(T, ax.by_force, AX ".kc.compliance.toe.fy", "side_force_steer_" AX, "side force steer per g " BUDGET),  \
      VD_VALUE(T, ax.by_moment, AX ".kc.compliance.toe.mz", "aligning_steer_" AX, MOMENT_##ax)

#define BUDGET       "of the example of a Bundorf analysis in Wikipedia"
#define MOMENT_front "with the compliance of the steering: the rest of the understeer gradient"
#define MOMENT_rear  "0.5 to 1.5 deg/kNm of production cars: race.software, tyre torque compliance"
#define CENTRE_front "60 mm"
#define CENTRE_rear  "100 mm"
#define DRIVES_front "links carry none of the load transfer "
#define DRIVES_rear  "links carry 20 % of the load transfer "
#define BRAKES_front "links carry 20 % of the load transfer "
#define BRAKES_rear  "links carry 30 % of the load transfer "

#define RIDE_front "body at 1.2 Hz on springs and tyres in series, unless another frequency was given: Gillespie, 5"
#define RIDE_rear                                                                                                      \
  "15 % above the frequency in front, so that bumps make the body rise more than pitch: Olley in Gillespie, 5"
#define DAMPER "damping ratio 0.3, from 0.2 to 0.4 of cars: Gillespie, 5; of the sum "

static const vd_template_line front_lines[] = {AXLE(front, "front")};
static const vd_template_line rear_lines[] = {AXLE(rear, "rear")};
static const vd_template_line file_lines[] = {VD_WORD(axle_figures, file, "tyre", NULL, NULL)};
static const vd_template_line property_lines[] = {VD_TEXT_LINE("tyre.model", "mf"),
                                                  VD_WORD(axle_figures, file, "tyre.file", NULL, NULL)};

static void add_tyre(const char *prefix, const char *axle, const axle_figures *of, vd_template_page *page) {
  const char *at = vd_arena_printf(page->arena, "%s%s.", prefix, axle);
  if (!*of->file)
    vd_tyre_lines(vd_arena_printf(page->arena, "%styre.", at), &of->tyre, page);
  else if (is_property(of->file))
    vd_page_add(page, at, property_lines, VD_COUNT(property_lines), of);
  else
    vd_page_add(page, at, file_lines, VD_COUNT(file_lines), of);
}

static const vd_template_line other_lines[] = {
    VD_VALUE(T, drag, "aero.drag", "drag", "mean of its body_type: " EPA),
    VD_VALUE(T, area, "aero.frontal_area", NULL, "0.81 of width times height: Hucho, Aerodynamics of Road Vehicles, 4"),
    VD_VALUE(T, brake_torque, "brakes.max_torque", NULL, "locks all wheels, with a reserve of 30 %"),
    VD_VALUE(T, brake_share, "brakes.front_share", NULL,
             "both axles lock at 0.8 g, below 0.8 g the front axle first: UN Regulation 13-H"),
    VD_VALUE(T, handbrake, "brakes.handbrake_torque", NULL, "0.3 of the weight"),
    VD_TEXT_LINE("brakes.abs.type", "slip"),
    VD_VALUE(T, steering_ratio, "steering.ratio", "steering_ratio",
             "from 14 to 18 of passenger cars: Pfeffer and Harrer, Steering Handbook"),
    VD_VALUE(T, steer, "steering.max_angle", "turning_circle", "by the turning circle, which the outer wheel follows"),
    VD_VALUE(T, ackermann, "steering.ackermann", NULL, "between parallel and full: Reimpell, 3"),
    VD_TEXT_LINE("drivetrain.type", "motor"),
    VD_WORD(T, drive, "drivetrain.drive", "drive", DEFAULT),
    VD_VALUE(T, torque, "drivetrain.max_torque", NULL,
             "a force of half of the weight, but at most 0.9 of the grip of "
             "the driven tyres"),
    VD_VALUE(T, power, "drivetrain.max_power", NULL,
             "0.8 of the rated power: steps between gears, losses; for an electric car give the power at the wheels"),
    VD_VALUE(T, ratio, "drivetrain.ratio", NULL, "typical of an electric car with one gear"),
};

static const vd_template_line share_line[] = {
    VD_VALUE(T, torque_share, "drivetrain.front_share", NULL, "share of the weight")};

bool vd_car_lines(const char *prefix, const vd_car_numbers *n, vd_template_page *page) {
  figures *f = vd_arena_alloc(page->arena, sizeof *f);
  f->name = n->name;
  f->body_type = vd_body_type_names[n->body_type];
  set_masses(n, f);
  memcpy(f->axle[VD_FRONT].steer, n->steer[VD_FRONT], sizeof n->steer[VD_FRONT]);
  memcpy(f->axle[VD_REAR].steer, n->steer[VD_REAR], sizeof n->steer[VD_REAR]);
  if (!set_tyres(n, page, f->axle, n->wheelbase) || !set_axle(n, true, page, &f->front) ||
      !set_axle(n, false, page, &f->rear) || !set_roll(n, page, f) || !set_steering(n, page, f))
    return false;
  set_drive(n, f);
  set_balance(n, page, &f->front, &f->rear);
  judge_balance(n, page, &f->front);
  set_links(n, f);
  vd_page_add(page, prefix, lines, VD_COUNT(lines), f);
  vd_page_add(page, prefix, front_lines, VD_COUNT(front_lines), f);
  add_tyre(prefix, "front", &f->front, page);
  vd_page_add(page, prefix, rear_lines, VD_COUNT(rear_lines), f);
  add_tyre(prefix, "rear", &f->rear, page);
  vd_page_add(page, prefix, other_lines, VD_COUNT(other_lines), f);
  if (n->drive == VD_DRIVE_ALL)
    vd_page_add(page, prefix, share_line, VD_COUNT(share_line), f);
  return true;
}

bool vd_template_of_car(const void *numbers, vd_template_page *page) {
  return vd_car_lines("", numbers, page);
}
