/* Speeds along a path that follow from the steady limits of the car: those of a quasi-steady lap. */
#include "run/scenario_impl.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "limits/envelope.h"
#include "limits/lap.h"

#include <math.h>
#include <stdlib.h>

enum { SPEEDS = 16, DIRECTIONS = 36 };

static const double slowest = 4.0, fastest = 95.0; /* m/s, of the table of limits */

/* A driver keeps the body's slip small, because beyond it small errors of the brake make the car spin; and he brakes
 * with twice the margin, which costs him a tenth of what it would cost in the corners. */
static const double most_slip = 6.0 * VD_PI / 180.0, brake_margins = 2.0;

typedef struct table {
  vd_gg gg;
  double speed[SPEEDS], normal;
  vd_gg_section section[SPEEDS];
} table;

/* The model of the car on a level plane, with steady slips: L1 for L1, else L2. */
static void build_model(const vd_scenario_def *def, vd_model *m) {
  vd_scenario_model(def, false, m);
  const vd_model_options options = {.level = def->run.level == VD_L1 ? VD_L1 : VD_L2,
                                    .step = m->options.step,
                                    .lean = def->run.lean,
                                    .v_low = m->options.v_low,
                                    .v_low_y = m->options.v_low_y};
  vd_scenario_steady_model(&options, m);
}

/* The margin of tyres that drive. Power needs none. */
static void keep_traction(double margin, vd_limit_point *point) {
  for (int i = 0; i < DIRECTIONS; i++)
    point[i].along *= point[i].along > 0.0 && point[i].limit != VD_LIMIT_POWER ? margin : 1.0;
}

/* The table of the car's limits up to a speed. False: it has no steady state straight ahead at one of the speeds. */
static bool tabulate(const vd_model *m, double most, double margin, table *t) {
  const vd_envelope_plan plan = {
      .directions = DIRECTIONS, .bounds = {most_slip, m->vehicle.steering.max_angle, 1.0}, .gear = VD_GEAR_AUTOMATIC};
  vd_limit_point point[DIRECTIONS];
  bool good = true;
  vd_envelope *e = vd_envelope_create(m, &plan);
  t->normal = VD_GRAVITY;
  t->gg = (vd_gg){.speeds = SPEEDS, .normals = 1, .speed = t->speed, .normal = &t->normal, .section = t->section};
  for (size_t i = 0; i < SPEEDS && good; i++) {
    t->speed[i] = slowest + (most - slowest) * (double)i / (SPEEDS - 1);
    good = vd_envelope_at(e, t->speed[i], point);
    keep_traction(margin, point);
    good = good && vd_envelope_section(point, DIRECTIONS, &t->section[i]);
  }
  vd_envelope_free(e);
  if (good)
    vd_gg_complete(&t->gg);
  return good;
}

/* Runs the lap at places 1 m apart, and writes its speeds to the nodes. False after an error. */
static bool run_lap(const vd_scenario_context *ctx, const vd_scenario_def *def, const vd_gg *gg, double start,
                    vd_path_node *node) {
  const vd_path_speed_def *grip = &def->path_speed;
  const vd_path *path = &def->track;
  size_t parts = (size_t)ceil(path->length), where;
  const double brake = vd_max(1.0 - brake_margins * (1.0 - grip->margin), 0.5 * grip->margin);
  const vd_lap_plan plan = {path->closed, start, 1.0, brake, grip->margin, {grip->most[0], grip->most[1], grip->most[2]}};
  vd_lap_place *place = vd_allocate(parts + 1, sizeof *place);
  vd_lap_row *row = vd_allocate(parts + 1, sizeof *row);
  for (size_t i = 0; i <= parts; i++) {
    vd_path_point p;
    vd_path_at(path, path->length * (double)i / (double)parts, &p);
    place[i] = (vd_lap_place){.s = p.s, .curvature = p.curvature, .limit = INFINITY};
    place[i].limit = p.speed < place[i].limit ? p.speed : place[i].limit;
    place[i].limit = grip->speed < place[i].limit ? grip->speed : place[i].limit;
  }
  enum vd_lap_trouble trouble = vd_lap_run(gg, &plan, place, parts + 1, row, &where);
  for (size_t i = 0; i < path->count && trouble == VD_LAP_FINE; i++) {
    double at = (double)i / (double)(path->count - 1) * (double)parts;
    size_t k = at < (double)parts ? (size_t)at : parts - 1;
    node[i] = path->node[i];
    node[i].grip = grip->margin * vd_gg_side(gg, row[k].speed, VD_GRAVITY, path->node[i].curvature < 0.0);
    node[i].drive = vd_max(vd_gg_end(gg, row[k].speed, VD_GRAVITY, 0.0, true), 0.0);
    node[i].speed = row[k].speed + (at - (double)k) * (row[k + 1].speed - row[k].speed);
  }
  if (trouble != VD_LAP_FINE)
    vd_error(ctx->d, vd_tree_place(ctx->root, trouble == VD_LAP_TOO_FAST ? "initial.speed" : "path_speed"),
             trouble == VD_LAP_TOO_FAST ? "the car starts faster than its limits allow on the path"
                                        : "the car's limits allow no speed at %g m along the path",
             place[where].s);
  free(place);
  free(row);
  return trouble == VD_LAP_FINE;
}

void vd_scenario_limit_speeds(const vd_scenario_context *ctx, vd_scenario_def *def) {
  const vd_path_speed_def *grip = &def->path_speed;
  const vd_place at = vd_tree_place(ctx->root, "path_speed");
  if (grip->limit == VD_PATH_LIMIT_NONE)
    return;
  if (def->run.level < VD_L1 || !vd_ground_is_flat(&def->ground)) {
    vd_error(ctx->d, at, "speeds at the limit need a level of at least L1 and a flat ground");
    return;
  }
  if (isnan(grip->margin)) {
    vd_error(ctx->d, vd_tree_place(ctx->root, "path_speed.margin"),
             "'path_speed.margin' is auto, but no rule of 'auto' finds it");
    return;
  }
  bool given = vd_tree_find(ctx->root, "initial.speed") != NULL;
  vd_model *m = vd_allocate(1, sizeof *m);
  table *t = vd_allocate(1, sizeof *t);
  vd_path_node *node = vd_arena_alloc(ctx->arena, def->track.count * sizeof *node);
  build_model(def, m);
  if (!tabulate(m, isnan(grip->speed) ? fastest : vd_max(grip->speed, 2.0 * slowest), grip->margin, t)) {
    vd_error(ctx->d, at, "the car has no steady state straight ahead at some speed up to %g m/s", t->speed[SPEEDS - 1]);
  } else if (run_lap(ctx, def, &t->gg, given && !def->track.closed ? def->initial.speed : NAN, node)) {
    def->track.node = node;
    def->track.has_speed = true;
    if (!given)
      def->initial.speed = node[0].speed;
  }
  free(t);
  free(m);
}
