/* Lets a driver learn in several laps which share of the car's limits can be used in turns, place by place.
 *
 * After every run, the share of a place changes according to the greatest error at this place and in the second after
 * it, which the speed at the place influences. The error is the greater of two numbers. One is the distance from the
 * path divided by the distance that the driver accepts. The other is the deficit of speed relative to the path's speed,
 * divided by 3 % (a driver lifts where the car turns too little). If the error is below 1 the share grows, by at most
 * 0.02; if the error is above 1 the share falls, by at most 0.04; both changes are 0.02 times the difference from 1. A
 * share that is too high costs more time than a share that is too low, because the driver then lifts through the whole
 * turn. 0.02 and 0.04 were chosen by trials with the racing car of validation/driven_laps.yaml. This is iterative
 * learning (Arimoto, Kawamura and Miyazaki, J. Robotic Systems 1984). The shares of the best run are used;
 * vd_learn_better defines which run is better. */
#include "run/scenario_learn.h"

#include "run/scenario_impl.h"

#include "base/memory.h"
#include "course/path_def.h"
#include "run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double cell = 5.0;      /* m, approximate distance between two shares along the path */
static const double ahead = 1.0;     /* s, time for which the speed at a place has effects */
static const double slower = 0.03;   /* accepted deficit of speed, as a share of the speed */
static const double beside = 1.0;    /* m, distance accepted if the track has no edges */
static const double from_edge = 0.2; /* m, distance kept from the edges */
static const double lowest = 0.15;   /* the least share is the margin minus this value */

typedef struct lesson {
  size_t count;         /* number of shares */
  double *share, *best; /* [count] */
  double *trouble;      /* [count] errors of the last run at the places; < 0: not driven */
  vd_learn_lap lap, best_lap;
} lesson;

/* Returns the distance from the path that the driver accepts to one side, m. */
static double accepted(const vd_scenario_def *def, double s, bool right) {
  double room[2], given = def->path_speed.beside;
  if (!def->track.room)
    return isnan(given) ? beside : given;
  vd_path_room(&def->track, s, room);
  double most = vd_max(room[right] - 0.5 * def->vehicle.width - from_edge, 0.1);
  return isnan(given) ? most : vd_min(given, most);
}

static size_t cell_of(const vd_scenario_def *def, const lesson *l, double s) {
  const vd_path *path = &def->track;
  s -= path->closed ? floor(s / path->length) * path->length : 0.0;
  return vd_learn_place(s / path->length, l->count, path->closed);
}

/* Computes the errors at the places of a run. */
static void look_back(const vd_scenario_def *def, const vd_recorder *r, bool failed, lesson *l) {
  for (size_t i = 0; i < l->count; i++)
    l->trouble[i] = -1.0;
  l->lap.worst = 0.0;
  for (size_t k = 0; k < r->count; k++) {
    const vd_sample *sample = &r->sample[k];
    vd_path_point at;
    vd_path_at(&def->track, sample->path_s, &at);
    double off = fabs(sample->path_error) / accepted(def, sample->path_s, sample->path_error < 0.0);
    double slow = (at.speed - sample->vx) / (slower * at.speed), *here = &l->trouble[cell_of(def, l, at.s)];
    l->lap.worst = vd_max(l->lap.worst, off);
    *here = vd_max(*here, vd_max(off, slow));
  }
  double length = vd_recorder_last(r)->path_s - r->first.path_s;
  l->lap.pace = vd_recorder_last(r)->t > 0.0 ? length / vd_recorder_last(r)->t : 0.0;
  if (failed)
    l->lap.worst = INFINITY;
}

/* Computes the shares for the next run. */
static void change(const vd_scenario_def *def, lesson *l) {
  const double least = vd_max(def->path_speed.margin - lowest, 0.1);
  const double step = def->track.length / (double)(l->count - 1);
  for (size_t i = 0; i < l->count; i++) {
    vd_path_point at;
    vd_path_at(&def->track, (double)i * step, &at);
    size_t far = (size_t)ceil(ahead * at.speed / step);
    double error = vd_learn_error(l->trouble, l->count, def->track.closed, i, far);
    l->share[i] = vd_learn_share(l->share[i], error, least);
  }
  if (def->track.closed)
    l->share[l->count - 1] = l->share[0];
}

/* Progress over several laps, of which `done' are finished. */
typedef struct laps_told {
  const vd_reader_laps *to;
  int done, laps;
} laps_told;

static void tell_laps(void *context, double share) {
  const laps_told *t = context;
  t->to->progress(t->to->context, (t->done + share) / t->laps);
}

/* Drives lap number `lap' of the scenario with the shares. False after an error. */
static bool drive(const vd_scenario_context *ctx, const vd_grip_limits *limits, int lap, vd_scenario_def *def,
                  lesson *l) {
  laps_told told = {vd_diag_laps(ctx->d), lap, def->path_speed.laps};
  const vd_run_options options = {
      .digits = VD_DIGITS_9, .progress = told.to->progress ? tell_laps : NULL, .progress_context = &told};
  const char *read[] = {"path"}; /* a set of metrics that needs the samples */
  vd_arena *scratch = vd_arena_create();
  const vd_scenario_context own = {ctx->root, scratch, ctx->d};
  vd_recorder recorder;
  vd_run_report report;
  size_t errors = vd_diag_errors(ctx->d);
  vd_path_build(&def->path, def->vehicle.width, scratch, &def->track);
  vd_scenario_set_speeds(&own, limits, def);
  bool good = vd_diag_errors(ctx->d) == errors;
  if (good) {
    vd_recorder_init(&recorder, true);
    vd_scenario_def *run = vd_arena_alloc(scratch, sizeof *run);
    *run = *def;
    run->metrics.sets = (vd_names){.name = read, .count = VD_COUNT(read)};
    vd_simulate(run, &options, NULL, &recorder, &report);
    look_back(def, &recorder, report.status != VD_SIM_OK, l);
    vd_recorder_finish(&recorder);
    if (vd_learn_better(l->lap, l->best_lap)) {
      memcpy(l->best, l->share, l->count * sizeof *l->best);
      l->best_lap = l->lap;
    }
    change(def, l);
  }
  vd_arena_destroy(scratch);
  return good;
}

void vd_scenario_learn_shares(const vd_scenario_context *ctx, vd_scenario_def *def) {
  vd_path_speed_def *grip = &def->path_speed;
  lesson l = {.count = (size_t)ceil(def->track.length / cell) + 1, .best_lap = {.worst = INFINITY}};
  l.share = vd_arena_alloc(ctx->arena, 3 * l.count * sizeof *l.share);
  l.best = l.share + l.count;
  l.trouble = l.best + l.count;
  for (size_t i = 0; i < l.count; i++)
    l.share[i] = l.best[i] =
        vd_scenario_share_at(grip, (double)i / (double)(l.count - 1) * def->track.length, &def->track);
  vd_grip_limits *limits = vd_scenario_find_limits(ctx, def);
  bool good = limits != NULL;
  for (int lap = 0; lap < grip->laps && good; lap++) {
    grip->shares = (vd_numbers){l.share, l.count};
    good = drive(ctx, limits, lap, def, &l);
  }
  grip->shares = (vd_numbers){l.best, l.count};
  vd_path_build(&def->path, def->vehicle.width, ctx->arena, &def->track);
  if (limits)
    vd_scenario_set_speeds(ctx, limits, def);
  free(limits);
  if (good && l.best_lap.worst <= 1.0)
    vd_remark(ctx->d, vd_tree_place(ctx->root, "path_speed.laps"),
              "the best of %d laps has %.5g m/s along the path, and its distance from the path is at most %.2g of the "
              "accepted distance",
              grip->laps, l.best_lap.pace, l.best_lap.worst);
  else if (good)
    vd_warning(ctx->d, vd_tree_place(ctx->root, "path_speed.laps"),
               "in %d laps the distance from the path always exceeded the accepted distance, at least by a factor of "
               "%.3g",
               grip->laps, l.best_lap.worst);
  grip->laps = 0;
}
