/* Steps of a run: the grid of steps and rows, the step that `auto' chooses, and the floors of steady slips that this
 * step needs. Checks refuse steps that are too long for the stiff parts. */
#include "run/scenario_impl.h"

#include "base/elementary.h"
#include "run/step_limit.h"

#include <math.h>

double vd_run_stable_step(const vd_run_def *run) {
  return run->accuracy > 0.0 ? vd_min(run->step, vd_step_longest) : run->step;
}

int vd_scenario_parts(const vd_scenario_def *def) {
  return (int)vd_max(ceil(def->run.step * def->run.metrics_rate - 1e-6), 1.0);
}

double vd_scenario_row_interval(const vd_scenario_def *def) {
  return def->run.step / vd_scenario_parts(def);
}

long vd_scenario_steps(const vd_scenario_def *def) {
  return lround(def->run.duration / def->run.step);
}

long vd_scenario_log_stride(const vd_scenario_def *def) {
  return vd_log_stride(def->log.rate, def->run.step);
}

bool vd_scenario_is_integer(double value) {
  return fabs(value - round(value)) <= 1e-6;
}

bool vd_check_duration(double duration, double step, vd_place at, vd_diag *d) {
  bool whole = duration / step >= 0.5 && vd_scenario_is_integer(duration / step);
  if (!whole)
    vd_error(d, at, "duration (%g s) is not a whole number of steps (%g s)", duration, step);
  return whole;
}

void vd_check_log_rate(const char *name, double rate, double step, vd_place at, vd_diag *d) {
  double stride = 1.0 / (rate * step);
  if (!(stride >= 0.5 && vd_scenario_is_integer(stride)))
    vd_error(d, at, "%s (%g Hz) must be the rate of the steps (%g Hz) or an integer fraction of it", name, rate,
             1.0 / step);
}

long vd_log_stride(double rate, double step) {
  return lround(vd_min(1.0 / (rate * step), 1e15)); /* longer than any run: only the first row is written */
}

const char *vd_scenario_lateral_key(const vd_inputs_def *in) {
  for (int i = 0; i < VD_INPUT_KINDS; i++)
    if (vd_input_table[i].lateral && vd_profile_is_given(&in->input[i].profile))
      return vd_input_table[i].key;
  return NULL;
}

bool vd_scenario_steers(const vd_scenario_def *def) {
  bool yes = def->path.type != VD_PATH_NONE;
  for (size_t k = 0; k <= def->events.count; k++)
    for (int i = VD_IN_CURVATURE; i <= VD_IN_LATERAL_ACCELERATION; i++)
      yes |= vd_profile_is_given(&vd_scenario_inputs(def, k)->input[i].profile);
  return yes;
}

bool vd_scenario_controllers_fit(const vd_scenario_def *def, double step) {
  const vd_controller_def *c = def->all_controllers.item;
  bool fit = true;
  for (size_t i = 0; i < def->all_controllers.count; i++)
    fit &= vd_scenario_is_integer(c[i].period / step) && vd_scenario_is_integer(c[i].delay / step);
  return fit;
}

bool vd_scenario_has_stiff_links(const vd_scenario_def *def) {
  return def->run.level == VD_L5 && def->run.unsprung != VD_UNSPRUNG_HUB && def->run.links == VD_LINKS_STIFF;
}

/* --- choice of the step --- */

static double highest_friction(const vd_scenario_def *def) {
  vd_ground ground;
  double lowest, highest;
  vd_ground_build(&def->ground, &ground);
  vd_ground_friction_range(&ground, &lowest, &highest);
  return highest;
}

/* Greatest floor that is chosen automatically, m/s. Floors above walking pace reduce the tyre forces at speeds of
 * normal driving, so that only a file may set such floors. */
static const double highest_floor = 1.0;

/* Computes the lowest floors of the slips, m/s, for which the motion is stable at a step. */
static void lowest_floors(const vd_scenario_def *def, const vd_vehicle *vehicle, double step, double *angle,
                          double *ratio) {
  const vd_run_def *run = &def->run;
  double friction = highest_friction(def);
  const vd_model_options options = {.level = (enum vd_level)run->level,
                                    .step = step,
                                    .unsprung = (enum vd_unsprung)run->unsprung,
                                    .links = (enum vd_links)run->links,
                                    .link_stiffness = run->link_stiffness};
  *angle = vd_slip_angle_floor(&def->vehicle, vehicle, &options, friction);
  *ratio = vd_slip_ratio_floor(&def->vehicle, vehicle, &options, friction);
}

/* Returns the longest step that samples all periodic inputs of the scenario well, s. */
static double sampled_well(const vd_scenario_def *def) {
  const double samples = 10.0; /* per period, as vd_profile_check_sampling requires */
  double highest = 0.0;
  const char *key;
  for (size_t k = 0; k <= def->events.count; k++)
    for (int i = 0; i < VD_INPUT_KINDS; i++)
      highest = vd_max(highest, vd_profile_highest_frequency(&vd_scenario_inputs(def, k)->input[i].profile, &key));
  return 1.0 / (samples * highest);
}

/* Returns half the shortest wave on the road, m, but at most 0.125 m, which suits the default edge of a kerb; INFINITY
 * on a plane of uniform friction. The middle and the ends of steps then sample each wave at four places. Features
 * without a length, such as a sharp edge of friction, are detected only by their effects. */
double vd_scenario_step_distance(const vd_scenario_def *def) {
  double shortest = 0.25;
  const char *key;
  int type;
  if (vd_ground_surface(&def->ground, &type) == VD_SURFACE_PLANE && def->ground.patches.count == 0)
    return INFINITY;
  for (size_t i = 0; i <= def->ground.also.count; i++)
    shortest = vd_min(shortest, vd_ground_shortest_wave(&def->ground, i, &key));
  return 0.5 * shortest;
}

/* Returns the longest adaptive step, s. Its grid contains all rows of the log, the driver's decisions and the end of
 * the run. The error estimate does not detect what happens between the stages of a step. Therefore steps are short if
 * posts move the wheels, inputs are fast or contacts are found once per step, and their length on roads is limited
 * (vd_scenario_step_distance). */
static double followed_step(const vd_scenario_def *def) {
  const double followed = (def->run.accuracy >= vd_step_rough ? 2.0 : 1.0) * vd_step_longest_followed,
               rows = (VD_SIM_ROWS + 1) / def->run.metrics_rate;
  double interval = 1.0 / def->log.rate, longest = vd_min(vd_min(followed, sampled_well(def)), rows);
  if (def->kind == VD_SCENARIO_FOUR_POST || def->run.contact == VD_CONTACT_STEP || !(def->run.accuracy > 0.0))
    longest = vd_step_longest;
  for (double parts = ceil(interval / longest - 1e-6); interval / parts > vd_step_longest * (1.0 + 1e-6); parts++) {
    double step = interval / parts;
    if (vd_scenario_is_integer(def->run.duration / step) &&
        (!vd_scenario_steers(def) || vd_scenario_is_integer(def->driver.period / step)) &&
        vd_scenario_controllers_fit(def, step))
      return step;
  }
  return vd_step_longest;
}

/* The longest steps for the stiff parts, s: wheels that spin on the springs of their tyres (steady slips have floors
 * instead), unsprung masses on springs and dampers, and wheels on stiff links. */
typedef struct vd_stiff_parts {
  double treads, springs, links;
} vd_stiff_parts;

static vd_stiff_parts stiff_parts(const vd_scenario_def *def, const vd_vehicle *vehicle) {
  const vd_run_def *run = &def->run;
  bool hub = run->level == VD_L5 && run->unsprung == VD_UNSPRUNG_HUB;
  bool treads = run->level != VD_L0 && run->slip == VD_SLIP_TRANSIENT;
  return (vd_stiff_parts){
      .treads = treads ? vd_step_on_treads(vehicle, highest_friction(def)) : INFINITY,
      .springs = run->level >= VD_L3 && !hub ? vd_step_on_springs(&def->vehicle) : INFINITY,
      .links = vd_scenario_has_stiff_links(def) ? vd_step_on_links(&def->vehicle, run->link_stiffness) : INFINITY,
  };
}

/* True if the stiff parts are stable at a step, with low floors of the steady slips, unless the file sets the
 * floors. */
static bool is_stable(const vd_scenario_def *def, const vd_vehicle *vehicle, double step) {
  const vd_run_def *run = &def->run;
  vd_stiff_parts stiff = stiff_parts(def, vehicle);
  if (!(step < stiff.treads && step < stiff.springs && step < stiff.links))
    return false;
  if (run->level == VD_L0 || run->slip == VD_SLIP_TRANSIENT)
    return true;
  double angle, ratio;
  lowest_floors(def, vehicle, step, &angle, &ratio);
  return (angle <= highest_floor || !isnan(run->v_low_y)) && (ratio <= highest_floor || !isnan(run->v_low));
}

double vd_scenario_chosen_step(const vd_scenario_def *def, const vd_vehicle *vehicle) {
  enum { HALVINGS = 4 };
  double step =
      vd_scenario_has_stiff_links(def) ? vd_step_chosen(&def->vehicle, def->run.link_stiffness) : followed_step(def);
  double slow = step / vd_max(ceil(step / vd_step_longest - 1e-6), 1.0);
  for (int i = 0; i < HALVINGS && vehicle && !is_stable(def, vehicle, slow); i++)
    step = slow *= 0.5;
  return step;
}

/* --- checks --- */

/* Checks or sets a floor. L0 has no slips, and transient slips need no floors; for both, the floors are set only so
 * that the resolved scenario can be read again. */
static void check_floor(const vd_scenario_context *ctx, const vd_run_def *run, const char *key, double least,
                        double *value) {
  bool named = !isnan(*value);
  if (run->level == VD_L0 || run->slip == VD_SLIP_TRANSIENT) {
    *value = named ? *value : vd_min(least, 100.0);
  } else if (named && !(*value >= least * (1.0 - 1e-12))) {
    vd_error(ctx->d, vd_tree_place_in(ctx->root, "run", "%s", key),
             "%s must be at least %.4g m/s for stable motion at this step", key, least);
  } else if (!named && !(least <= highest_floor)) {
    vd_error(ctx->d, vd_tree_place(ctx->root, "run.step"),
             "the step is too long for steady slips of these tyres: they need %s = %.3g m/s, and only the file can "
             "set a floor above %g m/s",
             key, least, highest_floor);
  }
  if (isnan(*value))
    *value = least;
}

/* Checks or sets the floors of both slips. By default they are equal, so that the force on a sliding tyre is opposite
 * to its motion. */
static void check_floors(const vd_scenario_context *ctx, const vd_vehicle *vehicle, vd_scenario_def *def) {
  vd_run_def *run = &def->run;
  double angle, ratio;
  lowest_floors(def, vehicle, vd_run_stable_step(run), &angle, &ratio);
  bool named = !isnan(run->v_low);
  check_floor(ctx, run, "v_low_y", angle, &run->v_low_y);
  check_floor(ctx, run, "v_low", ratio, &run->v_low);
  if (!named)
    run->v_low = vd_max(run->v_low, run->v_low_y);
}

static void check_stiff_parts(const vd_scenario_context *ctx, const vd_vehicle *vehicle, const vd_scenario_def *def) {
  vd_stiff_parts stiff = stiff_parts(def, vehicle);
  double step = vd_run_stable_step(&def->run);
  vd_place place = vd_tree_place(ctx->root, "run.step");
  if (!(step < stiff.treads))
    vd_error(ctx->d, place,
             "the step is too long for the wheels on the springs of their tyres (transient slip): at most %.3g s",
             stiff.treads);
  if (!(step < stiff.links))
    vd_error(ctx->d, place, "the step is too long for the stiff links of the wheels (link_stiffness): at most %.3g s",
             stiff.links);
  if (!(step < stiff.springs))
    vd_error(ctx->d, place, "the step is too long for the unsprung masses on their springs and dampers: at most %.3g s",
             stiff.springs);
}

/* Checks the memory for rows that metrics need, which grows with the duration. */
static void check_record(const vd_scenario_context *ctx, const vd_scenario_def *def) {
  static const double most = 2e9, mega = 1e6; /* bytes */
  const vd_names *sets = &def->metrics.sets;
  double rows = def->run.duration / vd_scenario_row_interval(def),
         size = rows * (double)vd_metrics_row_size(sets->name, sets->count);
  if (size > most)
    vd_error(
        ctx->d, vd_tree_place(ctx->root, "run.duration"),
        "metrics would store %.4g rows, %.0f MB, of at most %.0f MB: shorten the run to %.4g s, %s, or request fewer "
        "sets of metrics",
        rows, size / mega, most / mega, def->run.duration * most / size,
        vd_scenario_parts(def) > 1 ? "lower run.metrics_rate" : "lengthen run.step");
}

void vd_scenario_check_steps(const vd_scenario_context *ctx, const vd_vehicle *vehicle, vd_scenario_def *def) {
  vd_run_def *run = &def->run;
  if (vehicle) {
    check_stiff_parts(ctx, vehicle, def);
    check_floors(ctx, vehicle, def);
  }
  vd_place place = vd_tree_place(ctx->root, "run.duration");
  if (vd_check_duration(run->duration, run->step, place, ctx->d) && !(run->duration / run->step <= 1e9))
    vd_error(ctx->d, place, "the duration takes more than 1e9 steps");
  check_record(ctx, def);
  place = vd_tree_place(ctx->root, vd_tree_find(ctx->root, "log.rate") ? "log.rate" : "run.step");
  vd_check_log_rate("log rate", def->log.rate, run->step, place, ctx->d);
  if (!(vd_scenario_parts(def) <= VD_SIM_ROWS + 1))
    vd_error(ctx->d, vd_tree_place(ctx->root, "run.metrics_rate"),
             "the rate of the metrics (%g Hz) is more than %d times the rate of the steps (%g Hz)", run->metrics_rate,
             VD_SIM_ROWS + 1, 1.0 / run->step);
}
