/* A manoeuvre, with a car of the template for cars in it or a vehicle file of one's own. */
#include "run/template_impl.h"

#include "base/base.h"
#include "base/elementary.h"
#include "input/schema.h"
#include "model/level.h"

#include <math.h>

enum { STEP_STEER, CONSTANT_RADIUS, OBSTACLE_AVOIDANCE, ACCELERATE, BRAKE };

static const char *const manoeuvre_names[] = {"step_steer", "constant_radius", "obstacle_avoidance",
                                              "accelerate", "brake",           NULL};

typedef struct numbers {
  int manoeuvre, level;
  double speed, lateral; /* m/s, m/s2 */
  const char *vehicle;
  vd_car_numbers car;
} numbers;

/* clang-format off */
static const vd_field fields[] = {
  {VD_F_CHOICE(numbers, manoeuvre, "manoeuvre", manoeuvre_names, "step_steer",
               "step steer of ISO 7401, constant radius of ISO 4138, obstacle avoidance of ISO 3888-2, or straight on "
               "with full throttle or brake")},
  {VD_F_CHOICE(numbers, level, "level", vd_level_names, "L3", "level of the model")},
  {VD_F_NUMBER(numbers, speed, "speed", "m/s", 0, 200, VD_ABOVE | VD_AUTO, "auto",
               "speed at which it begins; auto: 100 km/h, 40 km/h on the radius, 55 km/h between cones")},
  {VD_F_NUMBER(numbers, lateral, "lateral_acceleration", "m/s2", 0, 20, VD_ABOVE, "4 m/s2",
               "that the step steer aims at")},
  {VD_F_PATH(numbers, vehicle, "vehicle", "\"\"",
             "a vehicle file; empty: a car of the template stands in the scenario")},
  {VD_F_STRUCT(numbers, car, vd_car_numbers, "car", "1", &vd_car_numbers_schema, 0, "{}",
               "numbers of that car, those of --template car")},
};
/* clang-format on */

const vd_schema vd_scenario_numbers_schema = {.name = "scenario's numbers", VD_SCHEMA_ROWS(numbers, fields)};

typedef struct figures {
  const char *vehicle, *level;
  double speed, wheel;
} figures;

#define T     figures
#define START VD_VALUE(T, speed, "initial.speed", NULL, NULL)
#define SPEED VD_VALUE(T, speed, "speed", NULL, NULL)

static const vd_template_line step_steer[] = {
    VD_TEXT_LINE("title", "\"ISO 7401 step steer\""),
    VD_WORD(T, level, "run.level", NULL, NULL),
    VD_TEXT_LINE("run.duration", "6 s"),
    START,
    SPEED,
    VD_TEXT_LINE("steering_wheel.type", "step"),
    VD_TEXT_LINE("steering_wheel.start", "1 s"),
    VD_TEXT_LINE("steering_wheel.rise", "0.1 s"),
    VD_VALUE(T, wheel, "steering_wheel.value", NULL, NULL),
    VD_TEXT_LINE("metrics.sets", "[step_steer, handling]"),
};

static const vd_template_line constant_radius[] = {
    VD_TEXT_LINE("title", "\"ISO 4138 constant radius, 100 m\""),
    VD_WORD(T, level, "run.level", NULL, NULL),
    VD_TEXT_LINE("run.duration", "42 s"),
    START,
    VD_TEXT_LINE("path.type", "circle"),
    VD_TEXT_LINE("path.radius", "100 m"),
    VD_TEXT_LINE("speed.type", "ramp"),
    VD_VALUE(T, speed, "speed.from", NULL, NULL),
    VD_TEXT_LINE("speed.rate", "0.4 m/s2"),
    VD_TEXT_LINE("speed.duration", "42 s"),
    VD_TEXT_LINE("log.rate", "50 Hz"),
    VD_TEXT_LINE("metrics.sets", "[path, steady_circular]"),
    VD_TEXT_LINE("metrics.fit_from", "1.6 m/s2"),
};

static const vd_template_line obstacle_avoidance[] = {
    VD_TEXT_LINE("title", "\"ISO 3888-2 obstacle avoidance\""),
    VD_WORD(T, level, "run.level", NULL, NULL),
    VD_TEXT_LINE("run.duration", "8 s"),
    START,
    SPEED,
    VD_TEXT_LINE("path.type", "iso3888_2"),
    VD_TEXT_LINE("path.approach", "30 m"),
    VD_TEXT_LINE("path.blend", "3 m"),
    VD_TEXT_LINE("driver.bandwidth", "4 rad/s"),
    VD_TEXT_LINE("metrics.sets", "[path, lane_change]"),
};

static const vd_template_line accelerate[] = {
    VD_TEXT_LINE("title", "\"full throttle from rest\""),
    VD_WORD(T, level, "run.level", NULL, NULL),
    VD_TEXT_LINE("run.duration", "20 s"),
    VD_TEXT_LINE("throttle", "1"),
    VD_TEXT_LINE("metrics.sets", "[acceleration]"),
    VD_TEXT_LINE("metrics.to_speed", "100 km/h"),
};

static const vd_template_line brake[] = {
    VD_TEXT_LINE("title", "\"full brake\""),
    VD_WORD(T, level, "run.level", NULL, NULL),
    VD_TEXT_LINE("run.duration", "10 s"),
    VD_TEXT_LINE("run.stop_below", "0.1 km/h"),
    START,
    VD_TEXT_LINE("brake.type", "step"),
    VD_TEXT_LINE("brake.start", "1 s"),
    VD_TEXT_LINE("brake.rise", "0.1 s"),
    VD_TEXT_LINE("brake.value", "1"),
    VD_TEXT_LINE("metrics.sets", "[braking]"),
};

static const struct {
  const vd_template_line *line;
  size_t count;
  double speed; /* km/h */
} manoeuvre[] = {
    [STEP_STEER] = {step_steer, VD_COUNT(step_steer), 100.0},
    [CONSTANT_RADIUS] = {constant_radius, VD_COUNT(constant_radius), 40.0},
    [OBSTACLE_AVOIDANCE] = {obstacle_avoidance, VD_COUNT(obstacle_avoidance), 55.0},
    [ACCELERATE] = {accelerate, VD_COUNT(accelerate), 0.0},
    [BRAKE] = {brake, VD_COUNT(brake), 100.0},
};

static const vd_template_line own_vehicle[] = {VD_WORD(T, vehicle, "vehicle", NULL, NULL)};

/* The steering wheel of a single track: ratio (L/v^2 + K) ay, K the understeer gradient. */
static double steering_wheel(const vd_car_numbers *car, double speed, double lateral) {
  return car->steering_ratio * (car->wheelbase / (speed * speed) + car->understeer_per_g / VD_GRAVITY) * lateral;
}

bool vd_template_of_scenario(const void *given, vd_template_page *page) {
  const numbers *n = given;
  figures *f = vd_arena_alloc(page->arena, sizeof *f);
  const vd_node *car = vd_tree_get(page->given, "car");
  f->vehicle = n->vehicle;
  f->level = vd_level_names[n->level];
  f->speed = isnan(n->speed) ? manoeuvre[n->manoeuvre].speed / 3.6 : n->speed;
  f->wheel = steering_wheel(&n->car, f->speed, n->lateral);
  vd_page_add(page, "", manoeuvre[n->manoeuvre].line, manoeuvre[n->manoeuvre].count, f);
  if (*n->vehicle && car)
    vd_error(page->d, vd_node_place(car), "a scenario has a vehicle file or numbers of a car, not both");
  if (*n->vehicle) {
    vd_page_add(page, "", own_vehicle, VD_COUNT(own_vehicle), f);
    return !car;
  }
  page->given = car ? car : page->given;
  return vd_car_lines("vehicle.", &n->car, page);
}
