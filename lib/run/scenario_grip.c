/* Speeds along a path that are computed from the steady limits of the car, as in a quasi-steady lap. */
#include "run/scenario_impl.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "limits/envelope.h"
#include "limits/lap.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_SPEEDS = 67, DIRECTIONS = 36 }; /* MOST_SPEEDS: from 4 to 200 m/s in steps of 6 % */

static const double slowest = 4.0, fastest = 95.0; /* m/s, least and greatest speed of the table of limits */

/* most_slip: a driver keeps the side slip of the rear axle small, because at larger angles small errors of the brake
 * make the car spin. The body's own slip may be large in a hairpin, where the car rolls round its rear axle.
 * brake_margins: when braking, a driver leaves twice the usual share of the limits unused; this costs a tenth of the
 * time that the same reserve would cost in corners. */
static const double most_slip = 6.0 * VD_PI / 180.0, brake_margins = 2.0;

/* The limits of the car, and the part of these limits that the driver uses. */
struct vd_grip_limits {
  vd_gg whole, used;
  double speed[MOST_SPEEDS], normal;
  vd_gg_section of_whole[MOST_SPEEDS], of_used[MOST_SPEEDS];
};

/* Builds the model of the car on a level plane, with steady slips: L1 for a scenario of L1, L2 for all others. */
static void build_model(const vd_scenario_def *def, vd_model *m) {
  vd_scenario_model(def, false, m);
  const vd_model_options options = {.level = def->run.level == VD_L1 ? VD_L1 : VD_L2,
                                    .step = m->options.step,
                                    .lean = def->run.lean,
                                    .v_low = m->options.v_low,
                                    .v_low_y = m->options.v_low_y};
  vd_scenario_steady_model(&options, m);
}

/* Applies the margin to the driving forces that tyres limit. A limit by power needs no margin. */
static void keep_traction(double margin, vd_limit_point *point) {
  for (int i = 0; i < DIRECTIONS; i++)
    point[i].along *= point[i].along > 0.0 && point[i].limit != VD_LIMIT_POWER ? margin : 1.0;
}

/* Computes the table of the car's limits up to a speed. The speeds are those of the search itself, so that it finds no
 * limit only to drop it. They must be close at low speeds, where the lateral limit bends: as long as the steering angle
 * bounds the turn, it rises with the square of the speed; above some 6 m/s the tyres bound it. Speeds at which a limit
 * was not found are left out: their neighbours are near, and above the last one the car does not drive. Returns the
 * number of speeds that are left out. */
static int tabulate(const vd_model *m, double most, double margin, vd_grip_limits *t) {
  const vd_envelope_plan plan = {.directions = DIRECTIONS,
                                 .bounds = {most_slip, m->vehicle.steering.max_angle, 1.0, true},
                                 .gear = VD_GEAR_AUTOMATIC};
  const int steps = vd_envelope_steps(slowest, most), speeds = steps + 1;
  vd_limit_point *point = vd_allocate((size_t)speeds * DIRECTIONS, sizeof *point);
  size_t n = 0;
  for (int i = 0; i <= steps; i++)
    t->speed[i] = i < steps ? slowest * vd_exp(vd_log(most / slowest) * i / steps) : most;
  vd_envelope_find(m, &plan, t->speed, speeds, point);
  for (int i = 0; i < speeds; i++) {
    vd_limit_point *own = point + (size_t)i * DIRECTIONS;
    if (!vd_envelope_section(own, DIRECTIONS, &t->of_whole[n]))
      continue;
    keep_traction(margin, own);
    vd_envelope_section(own, DIRECTIONS, &t->of_used[n]);
    t->speed[n++] = t->speed[i];
  }
  free(point);
  t->normal = VD_GRAVITY;
  t->whole = t->used = (vd_gg){.speeds = n, .normals = 1, .speed = t->speed, .normal = &t->normal};
  t->whole.section = t->of_whole;
  t->used.section = t->of_used;
  vd_gg_complete(&t->whole);
  vd_gg_complete(&t->used);
  return speeds - (int)n;
}

double vd_scenario_share_at(const vd_path_speed_def *grip, double s, const vd_path *path) {
  const vd_numbers *share = &grip->shares;
  if (share->count < 2)
    return share->count == 1 ? share->value[0] : grip->margin;
  double place = vd_min(vd_max(s / path->length, 0.0), 1.0) * (double)(share->count - 1);
  size_t i = place < (double)(share->count - 2) ? (size_t)place : share->count - 2;
  return share->value[i] + (place - (double)i) * (share->value[i + 1] - share->value[i]);
}

/* Finds the time of the lap at the whole limits, without the margin, but within the limits of speed and acceleration of
 * the scenario. */
static enum vd_lap_trouble run_quickest(const vd_gg *gg, const vd_lap_plan *plan, const vd_lap_place *place,
                                        size_t count, vd_lap_row *row, double *time, size_t *where) {
  vd_lap_place *own = vd_allocate(count, sizeof *own);
  vd_lap_plan whole = *plan;
  whole.brake = 1.0;
  for (size_t i = 0; i < count; i++) {
    own[i] = place[i];
    own[i].unused = 0.0;
  }
  enum vd_lap_trouble trouble = vd_lap_run(gg, &whole, own, count, row, where);
  for (size_t i = 0; i < count && trouble == VD_LAP_FINE; i++)
    time[i] = row[i].t;
  free(own);
  return trouble;
}

/* Runs the lap at places 1 m apart, and writes its speeds to the nodes. False after an error. */
static bool run_lap(const vd_scenario_context *ctx, const vd_scenario_def *def, const vd_grip_limits *t, double start,
                    vd_path_node *node) {
  const vd_path_speed_def *grip = &def->path_speed;
  const vd_path *path = &def->track;
  size_t parts = (size_t)ceil(path->length), where;
  const double brake = vd_max(1.0 - brake_margins * (1.0 - grip->margin), 0.5 * grip->margin);
  const vd_lap_plan plan = {
      path->closed, start, 1.0, vd_min(brake / grip->margin, 1.0), 1.0, {grip->most[0], grip->most[1], grip->most[2]}};
  vd_lap_place *place = vd_allocate(parts + 1, sizeof *place);
  vd_lap_row *row = vd_allocate(parts + 1, sizeof *row);
  double *time = vd_allocate(parts + 1, sizeof *time);
  for (size_t i = 0; i <= parts; i++) {
    vd_path_point p;
    vd_path_at(path, path->length * (double)i / (double)parts, &p);
    place[i] = (vd_lap_place){.s = p.s, .curvature = p.curvature, .limit = INFINITY};
    place[i].unused = 1.0 - vd_scenario_share_at(grip, p.s, path);
    place[i].limit = p.speed < place[i].limit ? p.speed : place[i].limit;
    place[i].limit = grip->speed < place[i].limit ? grip->speed : place[i].limit;
  }
  enum vd_lap_trouble trouble = run_quickest(&t->whole, &plan, place, parts + 1, row, time, &where);
  if (trouble == VD_LAP_FINE)
    trouble = vd_lap_run(&t->used, &plan, place, parts + 1, row, &where);
  for (size_t i = 0; i < path->count && trouble == VD_LAP_FINE; i++) {
    double at = (double)i / (double)(path->count - 1) * (double)parts;
    size_t k = at < (double)parts ? (size_t)at : parts - 1;
    double side = vd_gg_side(&t->used, row[k].speed, VD_GRAVITY, path->node[i].curvature < 0.0);
    node[i] = path->node[i];
    node[i].grip = (1.0 - place[k].unused) * side;
    node[i].drive = vd_max(vd_gg_end(&t->used, row[k].speed, VD_GRAVITY, 0.0, true), 0.0);
    node[i].speed = row[k].speed + (at - (double)k) * (row[k + 1].speed - row[k].speed);
    node[i].quickest = time[k] + (at - (double)k) * (time[k + 1] - time[k]);
  }
  if (trouble == VD_LAP_TOO_FAST)
    vd_error(ctx->d, vd_tree_place(ctx->root, "initial.speed"),
             "the car starts faster than its limits allow on the path: %.5g m/s, of at most %.5g m/s", start,
             vd_lap_fastest_start(&t->used, &plan, place, parts + 1));
  else if (trouble != VD_LAP_FINE)
    vd_error(ctx->d, vd_tree_place(ctx->root, "path_speed"), "the car's limits allow no speed at %g m along the path",
             place[where].s);
  free(place);
  free(row);
  free(time);
  return trouble == VD_LAP_FINE;
}

vd_grip_limits *vd_scenario_find_limits(const vd_scenario_context *ctx, const vd_scenario_def *def) {
  const vd_path_speed_def *grip = &def->path_speed;
  const vd_place at = vd_tree_place(ctx->root, "path_speed");
  if (grip->limit == VD_PATH_LIMIT_NONE)
    return NULL;
  if (def->run.level < VD_L1 || !vd_ground_is_flat(&def->ground)) {
    vd_error(ctx->d, at, "speeds at the limit need a level of at least L1 and a flat ground");
    return NULL;
  }
  if (isnan(grip->margin)) {
    vd_error(ctx->d, vd_tree_place(ctx->root, "path_speed.margin"),
             "'path_speed.margin' is auto, but no rule of 'auto' finds it");
    return NULL;
  }
  vd_model *m = vd_allocate(1, sizeof *m);
  vd_grip_limits *t = vd_allocate(1, sizeof *t);
  build_model(def, m);
  const double most = isnan(grip->speed) ? fastest : vd_max(grip->speed, 2.0 * slowest);
  const int left_out = tabulate(m, most, grip->margin, t);
  free(m);
  if ((size_t)left_out > t->whole.speeds) {
    vd_error(ctx->d, at, "the car has no steady states at most speeds from %g to %g m/s", slowest, most);
    free(t);
    return NULL;
  }
  if (left_out > 0)
    vd_remark(ctx->d, at,
              "at %d of %d speeds not all limits of the car were found; the table of limits, to %.3g m/s, "
              "is interpolated there",
              left_out, left_out + (int)t->whole.speeds, vd_gg_fastest(&t->whole));
  return t;
}

void vd_scenario_set_speeds(const vd_scenario_context *ctx, const vd_grip_limits *t, vd_scenario_def *def) {
  bool given = vd_tree_find(ctx->root, "initial.speed") != NULL;
  vd_path_node *node = vd_arena_alloc(ctx->arena, def->track.count * sizeof *node);
  if (!run_lap(ctx, def, t, given && !def->track.closed ? def->initial.speed : NAN, node))
    return;
  def->track.node = node;
  def->track.has_speed = true;
  if (!given)
    def->initial.speed = node[0].speed;
}
