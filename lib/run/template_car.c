/* A car from the numbers of a data sheet. Other figures are those of usual cars: these ride at about 1.2 Hz, roll by 5
 * or 6 degrees per g, and understeer. Each rule is in the comment of its key, with its source.
 *
 * Toe and camber by links and bushings are not modelled separately: the slip of an axle per g contains them, as
 * Bundorf's cornering compliance does (SAE 760713), and so do the curves of its tyres. */
#include "run/template_impl.h"

#include "base/base.h"
#include "base/elementary.h"
#include "input/schema.h"
#include "vehicle/drivetrain.h"

#include <math.h>

static const char *const drive_names[] = {"front", "rear", "all", NULL};

static const vd_field fields[] = {
    {VD_F_STRING(vd_car_numbers, name, "name", "my car", "name for readers")},
    {VD_F_NUMBER(vd_car_numbers, mass, "mass", "kg", 0, 1e5, VD_ABOVE, "1400 kg",
                 "mass of the car as it is driven, with its driver")},
    {VD_F_NUMBER(vd_car_numbers, wheelbase, "wheelbase", "m", 0, 20, VD_ABOVE, "2.65 m",
                 "distance from the front to the rear axle")},
    {VD_F_NUMBER(vd_car_numbers, track, "track", "m", 0, 10, VD_ABOVE, "1.54 m",
                 "mean distance of the wheels of an axle")},
    {VD_F_NUMBER(vd_car_numbers, front_share, "front_share", "1", 0, 1, VD_ABOVE | VD_BELOW, "0.58",
                 "share of the weight on the front axle")},
    {VD_F_NUMBER(vd_car_numbers, cg_height, "cg_height", "m", 0, 5, VD_ABOVE | VD_AUTO, "auto",
                 "height of the centre of gravity; auto: by the track, as that of the mean passenger car")},
    {VD_F_STRING(vd_car_numbers, tyre, "tyre", "205/55R16", "size of the tyres")},
    {VD_F_CHOICE(vd_car_numbers, drive, "drive", drive_names, "front", "driven axle")},
    {VD_F_NUMBER(vd_car_numbers, power, "power", "W", 0, 1e8, VD_ABOVE, "100 kW", "rated power")},
    {VD_F_NUMBER(vd_car_numbers, width, "width", "m", 0, 10, VD_ABOVE | VD_AUTO, "auto",
                 "width without mirrors; auto: the track and 0.25 m")},
    {VD_F_NUMBER(vd_car_numbers, height, "height", "m", 0, 10, VD_ABOVE, "1.46 m", "height, for the frontal area")},
    {VD_F_NUMBER(vd_car_numbers, drag, "drag", "1", 0, 10, 0, "0.30", "drag coefficient")},
    {VD_F_NUMBER(vd_car_numbers, turning_circle, "turning_circle", "m", 0, 100, VD_ABOVE, "10.8 m",
                 "diameter of the turning circle between kerbs")},
    {VD_F_NUMBER(vd_car_numbers, steering_ratio, "steering_ratio", "1", 0, 100, VD_ABOVE, "15",
                 "steering-wheel angle over road wheel angle")},
    {VD_F_NUMBER(vd_car_numbers, pressure, "tyre_pressure", "Pa", 0, 1e7, VD_ABOVE, "2.3 bar",
                 "pressure of the tyres above that of the air")},
    {VD_F_NUMBER(vd_car_numbers, friction, "friction", "1", 0, 5, VD_ABOVE, "1.1",
                 "friction coefficient of the tyres on a dry road")},
    {VD_F_NUMBER(vd_car_numbers, ride_frequency, "ride_frequency", "Hz", 0, 20, VD_ABOVE, "1.2 Hz",
                 "undamped frequency of the body over the front axle")},
    {VD_F_NUMBER(vd_car_numbers, roll_per_g, "roll_per_g", "rad", 0, 1, VD_ABOVE, "5.5 deg",
                 "roll of the body per g of lateral acceleration")},
    {VD_F_NUMBER(vd_car_numbers, understeer_per_g, "understeer_per_g", "rad", -0.5, 0.5, 0, "2.5 deg",
                 "understeer gradient: slip of the front axle less that of the rear one, per g; aligning moments and "
                 "load transfer add some 0.4 deg")},
    {VD_F_NUMBER(vd_car_numbers, rear_slip_per_g, "rear_slip_per_g", "rad", 0, 0.5, VD_ABOVE, "3.5 deg",
                 "slip of the rear axle per g, with what its links and bushings add")},
};

const vd_schema vd_car_numbers_schema = {.name = "car's numbers", VD_SCHEMA_ROWS(vd_car_numbers, fields)};

typedef struct axle_figures {
  double track, unsprung, wheel_inertia, spring, bar, bump, rebound, roll_centre, anti_brake, anti_drive;
  double sprung; /* kg, sprung mass on one spring */
  vd_tyre_figures tyre;
} axle_figures;

typedef struct figures {
  const char *name, *drive;
  double mass, wheelbase, cg_to_front, cg_height, width;
  double yaw_inertia, roll_inertia, pitch_inertia;
  axle_figures front, rear;
  double drag, area, torque, power, torque_share, ratio;
  double brake_torque, brake_share, handbrake;
  double steering_ratio, steer, ackermann;
} figures;

/* --- rules --- */

static const double damping_ratio = 0.3, rebound_share = 2.0 / 3.0;

static void set_masses(const vd_car_numbers *n, figures *f) {
  double a = (1.0 - n->front_share) * n->wheelbase, b = n->front_share * n->wheelbase;
  f->mass = n->mass;
  f->wheelbase = n->wheelbase;
  f->cg_to_front = a;
  f->cg_height = isnan(n->cg_height) ? n->track / (2.0 * 1.41) : n->cg_height;
  f->width = isnan(n->width) ? n->track + 0.25 : n->width;
  f->front.track = f->rear.track = n->track;
  f->front.unsprung = f->rear.unsprung = 0.028 * n->mass;
  f->front.sprung = 0.5 * n->front_share * n->mass - f->front.unsprung;
  f->rear.sprung = 0.5 * (1.0 - n->front_share) * n->mass - f->rear.unsprung;
  double sprung = n->mass - 4.0 * f->front.unsprung;
  f->yaw_inertia = n->mass * a * b;
  f->roll_inertia = sprung * (0.43 * n->track) * (0.43 * n->track);
  f->pitch_inertia = 0.95 * sprung * a * b;
}

/* Sets the spring that gives the frequency in series with the tyre, and the damper of a quarter car. */
static void set_ride(double frequency, axle_figures *axle) {
  double w = 2.0 * VD_PI * frequency, ride = axle->sprung * w * w, tyre = axle->tyre.vertical_stiffness;
  axle->spring = ride / (1.0 - ride / tyre);
  double damping = 2.0 * damping_ratio * sqrt(axle->spring * axle->sprung);
  axle->rebound = 2.0 * rebound_share * damping;
  axle->bump = 2.0 * damping - axle->rebound;
}

/* Sets the bars for the roll per g, p in rad s2/m. The car rolls on its tyres by m h ay over their stiffness, (k_t
 * T^2/2) of both axles, and on springs and bars by m_s h' (ay + g p ay) over theirs, with h' the height of the sprung
 * mass above the roll axis: the moment of its weight grows with the lean. The front axle gets a share of the stiffness
 * that is 5 % above its share of the weight. */
static bool set_roll(const vd_car_numbers *n, const vd_template_page *page, figures *f) {
  double per_track = 0.5 * n->track * n->track, p = n->roll_per_g / VD_GRAVITY;
  double unsprung =
      2.0 * (f->front.unsprung * f->front.tyre.loaded_radius + f->rear.unsprung * f->rear.tyre.loaded_radius);
  double sprung = 2.0 * (f->front.sprung + f->rear.sprung), height = (n->mass * f->cg_height - unsprung) / sprung;
  double axis = n->front_share * f->front.roll_centre + (1.0 - n->front_share) * f->rear.roll_centre;
  double of_tyres = n->mass * f->cg_height * (1.0 + VD_GRAVITY * p) /
                    (per_track * (f->front.tyre.vertical_stiffness + f->rear.tyre.vertical_stiffness));
  if (!(p > of_tyres))
    return vd_page_refuse(page, "roll_per_g", "the tyres alone let this car roll by %.2g deg per g",
                          of_tyres * VD_GRAVITY * 180.0 / VD_PI);
  double all = sprung * (height - axis) * (1.0 + VD_GRAVITY * p) / (p - of_tyres);
  double springs[2] = {per_track * f->front.spring, per_track * f->rear.spring};
  double front = vd_min(n->front_share + 0.05, 1.0) * all;
  f->front.bar = vd_max(front - springs[0], 0.0);
  f->rear.bar = vd_max(all - springs[0] - springs[1] - f->front.bar, 0.0);
  f->front.bar = vd_max(all - springs[0] - springs[1] - f->rear.bar, 0.0);
  return true;
}

/* Sets the torque at the wheels: a force of half the weight, but at most nine tenths of the grip of the driven axle. */
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
  f->drag = n->drag;
  f->area = 0.81 * f->width * n->height;
}

/* The outer front wheel follows the kerb; the mean angle is that of a wheel in the middle. */
static bool set_steering(const vd_car_numbers *n, const vd_template_page *page, figures *f) {
  double outer = 0.5 * n->turning_circle, square = outer * outer - n->wheelbase * n->wheelbase;
  double middle = square > 0.0 ? sqrt(square) - 0.5 * n->track : 0.0;
  f->steering_ratio = n->steering_ratio;
  f->ackermann = 0.6;
  f->steer = vd_atan2(n->wheelbase, middle);
  return middle > 0.6 * n->wheelbase ||
         vd_page_refuse(page, "turning_circle", "a turning circle of %.6g m is too narrow for a wheelbase of %.6g m",
                        n->turning_circle, n->wheelbase);
}

static bool set_axle(const vd_car_numbers *n, bool front, const vd_template_page *page, axle_figures *axle) {
  double share = front ? n->front_share : 1.0 - n->front_share;
  vd_tyre_numbers tyre = {.size = n->tyre,
                          .load = 0.5 * share * n->mass * VD_GRAVITY,
                          .pressure = n->pressure,
                          .friction = n->friction,
                          .slip_per_g = n->rear_slip_per_g + (front ? n->understeer_per_g : 0.0)};
  if (!(tyre.slip_per_g > 0.0))
    return vd_page_refuse(page, "understeer_per_g", "the front axle would have no slip");
  if (!vd_tyre_figures_of(&tyre, "tyre", page, &axle->tyre))
    return false;
  if (!(axle->sprung > 0.0))
    return vd_page_refuse(page, "front_share", "no weight is left for the springs of the %s axle",
                          front ? "front" : "rear");
  double radius = axle->tyre.rolling_radius;
  axle->wheel_inertia = 0.32 * axle->unsprung * radius * radius;
  axle->roll_centre = front ? 0.06 : 0.10;
  axle->anti_brake = front ? 0.20 : 0.30;
  axle->anti_drive = front ? 0.0 : 0.20;
  set_ride(front ? n->ride_frequency : 1.15 * n->ride_frequency, axle);
  return axle->spring > 0.0 ||
         vd_page_refuse(page, "ride_frequency", "the tyres are too soft for a body at %.3g Hz", n->ride_frequency);
}

/* --- lines --- */

#define T       figures
#define DEFAULT "that of the template, as no other was given"
#define GARROTT "Garrott, Monk and Chrstos, SAE 881767"

static const vd_template_line lines[] = {
    VD_WORD(T, name, "name", NULL, NULL),
    VD_TEXT_LINE("source", "\"numbers of a data sheet, and rules of thumb\""),
    VD_ESTIMATES_LINE("estimates"),
    VD_VALUE(T, mass, "mass", "mass", DEFAULT),
    VD_VALUE(T, yaw_inertia, "yaw_inertia", NULL,
             "mass times the distances of both axles from the centre of gravity, a dynamic index of 1: " GARROTT),
    VD_VALUE(T, roll_inertia, "roll_inertia", NULL,
             "radius of gyration 0.43 track: 0.6 m to 0.75 m of passenger cars, Reimpell, The Automotive Chassis, 6"),
    VD_VALUE(T, pitch_inertia, "pitch_inertia", NULL,
             "0.95 of what the rule of the yaw inertia makes of the body: " GARROTT),
    VD_VALUE(T, wheelbase, "wheelbase", "wheelbase", DEFAULT),
    VD_VALUE(T, cg_to_front, "cg_to_front", "front_share", "58 % of the weight in front"),
    VD_VALUE(T, cg_height, "cg_height", "cg_height",
             "static stability factor 1.41, the mean of passenger cars of 2003: NHTSA, DOT HS 809 868"),
    VD_VALUE(T, width, "width", "width", "track and 0.25 m"),
};

#define AXLE(ax, AX)                                                                                                   \
  VD_VALUE(T, ax.track, AX ".track", "track", DEFAULT),                                                                \
      VD_VALUE(T, ax.unsprung, AX ".unsprung_mass", NULL, "2.8 % of the car: a ninth in all, Gillespie, 5"),           \
      VD_VALUE(T, ax.tyre.rolling_radius, AX ".wheel_radius", NULL,                                                    \
               "rolling circumference 3.05 diameters: Reimpell, The Automotive Chassis, 2"),                           \
      VD_VALUE(T, ax.tyre.loaded_radius, AX ".loaded_radius", NULL, "radius less load over the tyre's stiffness"),     \
      VD_VALUE(T, ax.wheel_inertia, AX ".wheel_inertia", NULL,                                                         \
               "half of the unsprung mass turns, with a radius of gyration of 0.8 radii"),                             \
      VD_VALUE(T, ax.spring, AX ".spring_stiffness", NULL, RIDE_##ax),                                                 \
      VD_VALUE(T, ax.bump, AX ".damper.bump", NULL, DAMPER "a third in bump"),                                         \
      VD_VALUE(T, ax.rebound, AX ".damper.rebound", NULL, DAMPER "two thirds in rebound"),                             \
      VD_VALUE(                                                                                                        \
          T, ax.bar, AX ".antiroll_stiffness", NULL,                                                                   \
          "for the roll per g; front share of the roll stiffness 5 % above that of the weight: OptimumG, Springs "     \
          "and Dampers, 3"),                                                                                           \
      VD_VALUE(T, ax.roll_centre, AX ".roll_centre_height", NULL, "of independent wheels: Reimpell, 3"),               \
      VD_VALUE(T, ax.anti_brake, AX ".anti_brake", NULL, "of usual links: Gillespie, 7"),                              \
      VD_VALUE(T, ax.anti_drive, AX ".anti_drive", NULL, "of usual links: Gillespie, 7")

#define RIDE_front "body at 1.2 Hz on springs and tyres in series, if nothing else was given: Gillespie, 5"
#define RIDE_rear                                                                                                      \
  "15 % above the frequency in front, so that bumps make the body rise more than pitch: Olley in Gillespie, 5"
#define DAMPER "damping ratio 0.3, from 0.2 to 0.4 of cars: Gillespie, 5; of the sum "

static const vd_template_line front_lines[] = {AXLE(front, "front")};
static const vd_template_line rear_lines[] = {AXLE(rear, "rear")};

static const vd_template_line other_lines[] = {
    VD_VALUE(T, drag, "aero.drag", "drag", "of a car of its time: Hucho, Aerodynamics of Road Vehicles, 4"),
    VD_VALUE(T, area, "aero.frontal_area", NULL, "0.81 of width times height: Hucho, Aerodynamics of Road Vehicles, 4"),
    VD_VALUE(T, brake_torque, "brakes.max_torque", NULL, "locks all wheels with 30 % to spare"),
    VD_VALUE(T, brake_share, "brakes.front_share", NULL,
             "both axles would lock at 0.8 g, the rear one never first below: UN Regulation 13-H"),
    VD_VALUE(T, handbrake, "brakes.handbrake_torque", NULL, "0.3 of the weight"),
    VD_TEXT_LINE("brakes.abs.type", "slip"),
    VD_VALUE(T, steering_ratio, "steering.ratio", "steering_ratio",
             "from 14 to 18 of passenger cars: Pfeffer and Harrer, Steering Handbook"),
    VD_VALUE(T, steer, "steering.max_angle", "turning_circle",
             "by the turning circle, whose outer wheel follows the kerb"),
    VD_VALUE(T, ackermann, "steering.ackermann", NULL, "between parallel and full: Reimpell, 3"),
    VD_TEXT_LINE("drivetrain.type", "motor"),
    VD_WORD(T, drive, "drivetrain.drive", "drive", DEFAULT),
    VD_VALUE(T, torque, "drivetrain.max_torque", NULL,
             "half of the weight as force, at most 0.9 of what the tyres hold"),
    VD_VALUE(T, power, "drivetrain.max_power", NULL,
             "0.8 of the rated power: steps between gears, losses; of an electric car say what reaches the wheels"),
    VD_VALUE(T, ratio, "drivetrain.ratio", NULL, "of an electric car with one gear"),
};

static const vd_template_line share_line[] = {
    VD_VALUE(T, torque_share, "drivetrain.front_share", NULL, "that of the weight")};

bool vd_car_lines(const char *prefix, const vd_car_numbers *n, vd_template_page *page) {
  figures *f = vd_arena_alloc(page->arena, sizeof *f);
  f->name = n->name;
  set_masses(n, f);
  if (!set_axle(n, true, page, &f->front) || !set_axle(n, false, page, &f->rear) || !set_roll(n, page, f) ||
      !set_steering(n, page, f))
    return false;
  set_drive(n, f);
  vd_page_add(page, prefix, lines, VD_COUNT(lines), f);
  vd_page_add(page, prefix, front_lines, VD_COUNT(front_lines), f);
  vd_tyre_lines(vd_arena_printf(page->arena, "%sfront.tyre.", prefix), &f->front.tyre, page);
  vd_page_add(page, prefix, rear_lines, VD_COUNT(rear_lines), f);
  vd_tyre_lines(vd_arena_printf(page->arena, "%srear.tyre.", prefix), &f->rear.tyre, page);
  vd_page_add(page, prefix, other_lines, VD_COUNT(other_lines), f);
  if (n->drive == VD_DRIVE_ALL)
    vd_page_add(page, prefix, share_line, VD_COUNT(share_line), f);
  return true;
}

bool vd_template_of_car(const void *numbers, vd_template_page *page) {
  return vd_car_lines("", numbers, page);
}
