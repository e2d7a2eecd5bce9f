/* A manoeuvre, with a car made by the template for cars or with the user's own vehicle file. */
#include "run/template_impl.h"

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

static const vd_field fields[] = {
    {VD_F_CHOICE(
        numbers, manoeuvre, "manoeuvre", manoeuvre_names, "step_steer",
        "step steer of ISO 7401, constant radius of ISO 4138, obstacle avoidance of ISO 3888-2, or straight ahead "
        "with full throttle or full brake")},
    {VD_F_CHOICE(numbers, level, "level", vd_level_names, "L3", "level of the model")},
    {VD_F_NUMBER(numbers, speed, "speed", "m/s", 0, 200, VD_ABOVE | VD_AUTO, "auto",
                 "speed at the start; auto: 100 km/h, 40 km/h on the radius, 55 km/h between cones")},
    {VD_F_NUMBER(numbers, lateral, "lateral_acceleration", "m/s2", 0, 20, VD_ABOVE, "4 m/s2",
                 "steady lateral acceleration of the step steer")},
    {VD_F_PATH(numbers, vehicle, "vehicle", "\"\"",
               "a vehicle file; empty: the scenario contains a car of the template")},
    {VD_F_STRUCT(numbers, car, vd_car_numbers, "car", "1", &vd_car_numbers_schema, 0, "{}",
                 "numbers of the car of the template, as for --template car")},
};

const vd_schema vd_scenario_numbers_schema = {.name = "scenario's numbers", VD_SCHEMA_ROWS(numbers, fields)};

typedef struct figures {
  const char *vehicle, *level, *rule, *condition;
  double speed;
} figures;

#define T      figures
#define STEP   VD_WHEN(STEP_STEER)
#define CIRCLE VD_WHEN(CONSTANT_RADIUS)
#define CONES  VD_WHEN(OBSTACLE_AVOIDANCE)
#define FASTER VD_WHEN(ACCELERATE)
#define SLOWER VD_WHEN(BRAKE)

static const vd_template_choice lines[] = {
    {STEP, VD_TEXT_LINE("title", "\"ISO 7401 step steer, {car}, {level}\"")},
    {CIRCLE, VD_TEXT_LINE("title", "\"ISO 4138 constant radius, 100 m, {car}, {level}\"")},
    {CONES, VD_TEXT_LINE("title", "\"ISO 3888-2 obstacle avoidance, {car}, {level}\"")},
    {FASTER, VD_TEXT_LINE("title", "\"full throttle from rest, {car}, {level}\"")},
    {SLOWER, VD_TEXT_LINE("title", "\"full brake, {car}, {level}\"")},
    {0, VD_WORD(T, level, "run.level", NULL, NULL)},
    {STEP, VD_TEXT_LINE("run.duration", "6 s")},
    {CIRCLE, VD_TEXT_LINE("run.duration", "42 s")},
    {CONES, VD_TEXT_LINE("run.duration", "8 s")},
    {FASTER, VD_TEXT_LINE("run.duration", "20 s")},
    {SLOWER, VD_TEXT_LINE("run.duration", "10 s")},
    {SLOWER, VD_TEXT_LINE("run.stop_below", "0.1 km/h")},
    {STEP | CIRCLE | CONES | SLOWER, VD_VALUE(T, speed, "initial.speed", NULL, NULL)},
    {STEP | CONES, VD_VALUE(T, speed, "speed", NULL, NULL)},
    {STEP, VD_TEXT_LINE("steering_wheel.type", "step")},
    {STEP, VD_TEXT_LINE("steering_wheel.start", "1 s")},
    {STEP, VD_TEXT_LINE("steering_wheel.rise", "0.1 s")},
    {STEP, VD_TEXT_LINE("steering_wheel.value", "auto")},
    {CIRCLE, VD_TEXT_LINE("path.type", "circle")},
    {CIRCLE, VD_TEXT_LINE("path.radius", "100 m")},
    {CIRCLE, VD_TEXT_LINE("speed.type", "ramp")},
    {CIRCLE, VD_VALUE(T, speed, "speed.from", NULL, NULL)},
    {CIRCLE, VD_TEXT_LINE("speed.rate", "0.4 m/s2")},
    {CIRCLE, VD_TEXT_LINE("speed.duration", "42 s")},
    {CIRCLE, VD_TEXT_LINE("log.rate", "50 Hz")},
    {CONES, VD_TEXT_LINE("path.type", "iso3888_2")},
    {CONES, VD_TEXT_LINE("path.approach", "30 m")},
    {CONES, VD_TEXT_LINE("path.blend", "3 m")},
    {CONES, VD_TEXT_LINE("driver.bandwidth", "4 rad/s")},
    {FASTER, VD_TEXT_LINE("throttle", "1")},
    {SLOWER, VD_TEXT_LINE("brake.type", "step")},
    {SLOWER, VD_TEXT_LINE("brake.start", "1 s")},
    {SLOWER, VD_TEXT_LINE("brake.rise", "0.1 s")},
    {SLOWER, VD_TEXT_LINE("brake.value", "1")},
    {STEP, VD_TEXT_LINE("metrics.sets", "[step_steer, handling]")},
    {CIRCLE, VD_TEXT_LINE("metrics.sets", "[path, steady_circular, understeer_budget]")},
    {CIRCLE, VD_TEXT_LINE("metrics.fit_from", "1.6 m/s2")},
    {CONES, VD_TEXT_LINE("metrics.sets", "[path, lane_change]")},
    {FASTER, VD_TEXT_LINE("metrics.sets", "[acceleration]")},
    {FASTER, VD_TEXT_LINE("metrics.to_speed", "100 km/h")},
    {SLOWER, VD_TEXT_LINE("metrics.sets", "[braking]")},
    {STEP, VD_YAML_LINE(T, rule, "auto")},
    {STEP, VD_YAML_LINE(T, condition, "conditions")},
};

/* Usual speeds of the manoeuvres, km/h. */
static const double usual_speed[] = {
    [STEP_STEER] = 100.0, [CONSTANT_RADIUS] = 40.0, [OBSTACLE_AVOIDANCE] = 55.0, [ACCELERATE] = 0.0, [BRAKE] = 100.0};

static const vd_template_line own_vehicle[] = {VD_WORD(T, vehicle, "vehicle", NULL, NULL)};

bool vd_template_of_scenario(const void *given, vd_template_page *page) {
  const numbers *n = given;
  figures *f = vd_arena_alloc(page->arena, sizeof *f);
  const vd_node *car = vd_tree_get(page->given, "car");
  f->vehicle = n->vehicle;
  f->level = vd_level_names[n->level];
  f->speed = isnan(n->speed) ? usual_speed[n->manoeuvre] / 3.6 : n->speed;
  f->rule = vd_arena_printf(
      page->arena, "{key: steering_wheel.value, metric: ay_steady_mps2, target: %.9g m/s2, from: 2 deg, to: 360 deg}",
      n->lateral);
  f->condition = vd_arena_printf(
      page->arena, "{metric: ay_steady_mps2, at_least: %.9g m/s2, at_most: %.9g m/s2, by: ISO 7401 at %.9g m/s2}",
      0.98 * n->lateral, 1.02 * n->lateral, n->lateral);
  vd_page_add_type(page, n->manoeuvre, lines, VD_COUNT(lines), f);
  if (*n->vehicle && car)
    vd_error(page->d, vd_node_place(car), "a scenario has a vehicle file or numbers of a car, not both");
  if (*n->vehicle) {
    vd_page_add(page, "", own_vehicle, VD_COUNT(own_vehicle), f);
    return !car;
  }
  page->given = car ? car : page->given;
  return vd_car_lines("vehicle.", &n->car, page);
}
