#include "run/track_run.h"

#include "base/elementary.h"
#include "base/system.h"
#include "ground/mesh_def.h"
#include "input/file.h"
#include "input/schema.h"

#include <math.h>

static const double max_rows = 1e8;
static const char *const relaxation_names[] = {"rate", "passes", NULL};

/* Defaults come from the source of the model: a mass of 30 kg, 5 kN/m, five times the critical damping, springs of 1 m,
 * a wheelbase of 4 m, a track of 1.8 m, a quarter of the thrust when coasting, a friction cone of 0.65, ten relaxation
 * passes of a tenth per frame. The source does not state the frame; 1/60 s is assumed. It does not state the speed, the
 * acceleration and the steering rate either; they were chosen for this car. */
/* clang-format off */
static const vd_field car_fields[] = {
  {VD_F_NUMBER(vd_track_car_def, mass, "mass", "kg", 0, 1e6, VD_ABOVE, "30 kg", "mass on each of the four springs")},
  {VD_F_NUMBER(vd_track_car_def, spring_stiffness, "spring_stiffness", "N/m", 0, 1e9, VD_ABOVE, "5000 N/m",
               "stiffness of each spring")},
  {VD_F_NUMBER(vd_track_car_def, damping_ratio, "damping_ratio", "1", 0, 1000, VD_AUTO, "auto",
               "damping ratio of each spring; auto: from spring_damping, or 5 without it")},
  {VD_F_NUMBER(vd_track_car_def, spring_damping, "spring_damping", "N s/m", 0, 1e9, VD_AUTO, "auto",
               "damping of each spring; auto: from damping_ratio")},
  {VD_F_NUMBER(vd_track_car_def, spring_length, "spring_length", "m", 0, 100, VD_ABOVE, "1 m",
               "length of each spring without load: distance of the wheels below the centre")},
  {VD_F_NUMBER(vd_track_car_def, wheel_base, "wheel_base", "m", 0, 100, VD_ABOVE, "4 m", "distance between the axles")},
  {VD_F_NUMBER(vd_track_car_def, track_width, "track_width", "m", 0, 100, VD_ABOVE, "1.8 m",
               "distance between left and right wheels")},
  {VD_F_NUMBER(vd_track_car_def, max_speed, "max_speed", "m/s", 0, 200, VD_ABOVE, "20 m/s",
               "speed at which thrust ends")},
  {VD_F_NUMBER(vd_track_car_def, acceleration, "acceleration", "m/s2", 0, 1000, 0, "10 m/s2",
               "acceleration at full thrust")},
  {VD_F_NUMBER(vd_track_car_def, coasting, "coasting", "m/s2", 0, 1000, VD_AUTO, "auto",
               "deceleration without thrust; auto: a quarter of the acceleration")},
  {VD_F_NUMBER(vd_track_car_def, grip, "grip", "m/s2", 0, 1000, VD_AUTO, "auto",
               "greatest deceleration of the lateral speed; auto: the acceleration")},
  {VD_F_NUMBER(vd_track_car_def, slip_rate, "slip_rate", "1/s", 0, 1000, VD_ABOVE, "60 1/s",
               "rate at which small lateral speeds, speed errors, and errors of the heading's rate decay")},
  {VD_F_NUMBER(vd_track_car_def, steering_rate, "steering_rate", "rad/s", 0, 100, 0, "1 rad/s",
               "rate of the heading at full steering")},
  {VD_F_NUMBER(vd_track_car_def, steering_latency, "steering_latency", "s", 0, 10, VD_OMIT_DEFAULT, "0 s",
               "time from straight ahead to full steering; the way back takes half of this time; 0: the steering "
               "follows at once")},
  {VD_F_NUMBER(vd_track_car_def, cone, "cone", "1", 0, 0.7, VD_ABOVE, "0.65",
               "sine of the greatest angle of the car's front and left axes against the horizon")},
  {VD_F_CHOICE(vd_track_car_def, relaxation, "relaxation", relaxation_names, "rate",
               "rate: the wheel base returns to its shape continuously, at the mean rate of the passes; passes: it "
               "returns at the end of each frame, as in the source of the model, so that results depend on the frames"),
   .flags = VD_OMIT_DEFAULT},
  {VD_F_INTEGER(vd_track_car_def, relaxation_passes, "relaxation_passes", 1, 10000, "10",
                "pairwise relaxation passes of the wheel base per frame")},
  {VD_F_NUMBER(vd_track_car_def, relaxation_share, "relaxation_share", "1", 0, 0.9, VD_ABOVE, "0.1",
               "share of a pair's difference that a pass removes")},
  {VD_F_NUMBER(vd_track_car_def, relaxation_frames, "relaxation_frames", "1/s", 0, 1e4, VD_ABOVE, "60 Hz",
               "frames per second, only for the relaxation; they are not the steps of the run")},
};

static const vd_schema car_schema = {.name = "car", VD_SCHEMA_ROWS(vd_track_car_def, car_fields)};

static const vd_field initial_fields[] = {
  {VD_F_NUMBER(vd_track_initial_def, x, "x", "m", -1e6, 1e6, 0, "0", "initial place of the centre, world")},
  {VD_F_NUMBER(vd_track_initial_def, y, "y", "m", -1e6, 1e6, 0, "0", "initial place of the centre, world")},
  {VD_F_NUMBER(vd_track_initial_def, yaw, "yaw", "rad", -100, 100, 0, "0",
               "initial heading, to the left of world x > 0")},
  {VD_F_NUMBER(vd_track_initial_def, speed, "speed", "m/s", -200, 200, 0, "0", "initial speed along the car's front")},
  {VD_F_NUMBER(vd_track_initial_def, height, "height", "m", 0, 1e4, 0, "0",
               "initial height above the position at rest")},
};

static const vd_schema initial_schema = {.name = "initial", VD_SCHEMA_ROWS(vd_track_initial_def, initial_fields)};

static const vd_field ring_fields[] = {
  {VD_F_NUMBER(vd_track_ring, x, "x", "m", -1e6, 1e6, 0, "0", "centre of the circle, world")},
  {VD_F_NUMBER(vd_track_ring, y, "y", "m", -1e6, 1e6, 0, "0", "centre of the circle, world")},
  {VD_F_NUMBER(vd_track_ring, radius, "radius", "m", -1e6, 1e6, 0, "0",
               "radius of the circle, to the left > 0; 0: no circle")},
  {VD_F_NUMBER(vd_track_ring, ahead, "ahead", "m", 0, 1e4, VD_ABOVE, "8 m",
               "distance over which the car returns to the circle")},
};

static const vd_schema ring_schema = {.name = "ring", VD_SCHEMA_ROWS(vd_track_ring, ring_fields)};

static const vd_field run_fields[] = {
  {VD_F_NUMBER(vd_track_run_def, step, "step", "s", 1e-5, 0.1, 0, "10 ms",
               "time between checks for a fall through the mesh and between the values of metrics, and lower limit of "
               "the row interval; the motion does not depend on this step")},
  {VD_F_NUMBER(vd_track_run_def, duration, "duration", "s", 0, 1e6, VD_ABOVE, NULL,
               "duration of the run; an integer number of steps")},
  {VD_F_NUMBER(vd_track_run_def, substep, "substep", "s", 1e-6, 0.1, 0, "1 ms",
               "longest time between evaluations of the ground; a step is split into equal substeps, and "
               "also where wheels meet or leave triangles")},
};

static const vd_schema run_schema = {.name = "run", VD_SCHEMA_ROWS(vd_track_run_def, run_fields)};

static const vd_field log_fields[] = {
  {VD_F_NUMBER(vd_track_log_def, rate, "rate", "1/s", 0, 1e6, VD_ABOVE, "50 Hz",
               "rows per second, an integer fraction of the step rate")},
};

static const vd_schema log_schema = {.name = "log", VD_SCHEMA_ROWS(vd_track_log_def, log_fields)};

static const vd_field track_fields[] = {
  {VD_F_CHOICE(vd_track_def, kind, "kind", vd_scenario_kind_names, NULL, "kind of scenario: track_car")},
  {VD_F_STRING(vd_track_def, title, "title", "\"\"", "one line of text for readers")},
  {VD_F_PATH(vd_track_def, mesh_file, "mesh", NULL,
             "the track, a Wavefront OBJ file: triangles in m"),
   .flags = VD_IDENTIFIES},
  {VD_F_CHOICE(vd_track_def, mesh_up, "up", vd_mesh_up_names, "z", VD_MESH_UP_HELP), .flags = VD_OMIT_DEFAULT},
  {VD_F_NUMBER(vd_track_def, floor, "floor", "m", -1e6, 1e6, VD_AUTO | VD_OMIT_DEFAULT, "auto",
               "height of a level floor, which is used where no mesh is above it; auto: there is no floor, and a car "
               "that leaves the mesh falls")},
  {VD_F_STRUCT(vd_track_def, car_def, vd_track_car_def, "car", "1", &car_schema, VD_FILE, "{}", "the car")},
  {VD_F_STRUCT(vd_track_def, initial, vd_track_initial_def, "initial", "1", &initial_schema, 0, "{}",
               "initial position and speed: at rest on the mesh, or above it")},
  {VD_F_STRUCT(vd_track_def, thrust, vd_profile_def, "thrust", "1", &vd_profile_schema, 0, "0",
               "thrust over time, 0 to 1; acts while a front wheel is down")},
  {VD_F_STRUCT(vd_track_def, steer, vd_profile_def, "steer", "1", &vd_profile_schema, 0, "0",
               "steering over time, -1 to 1, to the left > 0; acts while a front wheel is down")},
  {VD_F_STRUCT(vd_track_def, ring, vd_track_ring, "ring", "1", &ring_schema, 0, "{}",
               "circle that the car follows, in place of steer")},
  {VD_F_STRUCT(vd_track_def, run, vd_track_run_def, "run", "1", &run_schema, 0, NULL, "step and duration")},
  {VD_F_STRUCT(vd_track_def, log, vd_track_log_def, "log", "1", &log_schema, 0, "{}", "the log")},
};
/* clang-format on */

const vd_schema vd_track_schema = {.name = "track car", VD_SCHEMA_ROWS(vd_track_def, track_fields)};

static void complete(vd_track_car_def *car, const vd_node *root, vd_diag *d) {
  double critical = vd_spring_critical(car->mass, car->spring_stiffness);
  if (!isnan(car->damping_ratio) && !isnan(car->spring_damping))
    vd_error(d, vd_tree_place(root, "car.damping_ratio"),
             "'damping_ratio' and 'spring_damping' both give the damping; omit one of them");
  else if (isnan(car->spring_damping)) {
    car->damping_ratio = isnan(car->damping_ratio) ? 5.0 : car->damping_ratio;
    car->spring_damping = car->damping_ratio * critical;
  }
  /* only one of the two is kept, so that the resolved scenario can be read again */
  car->damping_ratio = NAN;
  if (isnan(car->coasting))
    car->coasting = 0.25 * car->acceleration;
  if (isnan(car->grip))
    car->grip = car->acceleration;
}

static void build(const vd_track_def *def, vd_track_car *car) {
  const vd_track_car_def *c = &def->car_def;
  const bool passes = c->relaxation == VD_TRACK_BY_PASSES;
  *car = (vd_track_car){
      .spring = {.mass = c->mass, .stiffness = c->spring_stiffness, .damping = c->spring_damping},
      .length = c->spring_length,
      .base = c->wheel_base,
      .track = c->track_width,
      .top_speed = c->max_speed,
      .acceleration = c->acceleration,
      .coasting = c->coasting,
      .grip = c->grip,
      .slip_rate = c->slip_rate,
      .steering_rate = c->steering_rate,
      .steering_latency = c->steering_latency,
      .floor = def->floor,
      .base_rate = passes ? 0.0 : vd_track_base_rate(c->relaxation_passes, c->relaxation_share, c->relaxation_frames),
      .passes = {passes ? c->relaxation_passes : 0, c->relaxation_share, c->relaxation_frames},
      .cone = c->cone,
      .substep = def->run.substep,
      .ring = def->ring};
}

static void check(vd_track_def *def, const vd_node *root, vd_arena *arena, vd_diag *d) {
  const vd_track_run_def *run = &def->run;
  if (def->kind != VD_SCENARIO_TRACK_CAR)
    vd_error(d, vd_tree_place(root, "kind"), "a track car is of kind track_car");
  vd_check_duration(run->duration, run->step, vd_tree_place(root, "run.duration"), d);
  vd_check_log_rate("rate", def->log.rate, run->step, vd_tree_place(root, "log.rate"), d);
  if (!(run->duration * def->log.rate <= max_rows))
    vd_error(d, vd_tree_place(root, "log.rate"), "the log would have %g rows; %g are allowed",
             run->duration * def->log.rate, max_rows);
  vd_track_car car;
  build(def, &car);
  double fastest = vd_max(vd_max(car.slip_rate, car.base_rate),
                          vd_max(car.spring.damping / car.spring.mass, sqrt(car.spring.stiffness / car.spring.mass)));
  if (!(fastest * run->substep <= 1.0))
    vd_error(d, vd_tree_place(root, "run.substep"),
             "substep (%g s) is too long for springs, relaxation and grip: the fastest of them has the rate %g 1/s and "
             "needs at most %g s",
             run->substep, fastest, 1.0 / fastest);
  double sag = def->car_def.mass * VD_GRAVITY / def->car_def.spring_stiffness;
  if (!(sag < def->car_def.spring_length))
    vd_error(d, vd_tree_place(root, "car.spring_stiffness"),
             "the car's weight compresses its springs by %g m, but they are %g m long", sag,
             def->car_def.spring_length);
  vd_profile_check(&def->thrust, "thrust", (vd_profile_bounds){0.0, 1.0, "1", ""}, root, arena, d);
  double least, most;
  vd_profile_check(&def->steer, "steer", (vd_profile_bounds){-1.0, 1.0, "1", ""}, root, arena, d);
  vd_profile_range(&def->steer.profile, &least, &most);
  if (def->ring.radius != 0.0 && (least != 0.0 || most != 0.0))
    vd_error(d, vd_tree_place(root, "steer"), "'ring' steers the car; omit 'steer'");
}

bool vd_track_read_source(int source, const vd_setting *settings, size_t count, vd_arena *arena, vd_diag *d,
                          vd_track_def *def) {
  vd_node *root;
  if (!vd_schema_read_source(&vd_track_schema, source, settings, count, arena, d, def, &root))
    return false;
  complete(&def->car_def, root, d);
  check(def, root, arena, d);
  struct stat status;
  if (stat(def->mesh_file, &status) != 0 || !S_ISREG(status.st_mode)) { /* reading a pipe could block for ever */
    vd_error(d, vd_tree_place(root, "mesh"), "cannot open '%s': no regular file", def->mesh_file);
    return false;
  }
  /* VD_MESH_FLAT: the slope of the height determines the direction of the force */
  def->mesh =
      vd_mesh_read(def->mesh_file, vd_tree_place(root, "mesh"), VD_MESH_FLAT, (enum vd_mesh_up)def->mesh_up, arena, d);
  if (!def->mesh || vd_diag_errors(d) > 0)
    return false;
  /* the mesh is too large for the resolved scenario, which contains only the name of the file */
  def->mesh_file = vd_file_full(arena, def->mesh_file);
  int wheel;
  const double place[] = {def->initial.x, def->initial.y};
  build(def, &def->car);
  if (!vd_track_start(&def->car, def->mesh, place, def->initial.yaw, def->initial.speed, def->initial.height,
                      &def->start, &wheel)) {
    vd_error(d, vd_tree_place(root, "initial"),
             "the car cannot start at x %g m, y %g m: no ground under its %s wheel, or the ground is too steep",
             def->initial.x, def->initial.y, vd_wheel_words[wheel]);
    return false;
  }
  return true;
}
