/* Warns of forces that a scenario needs and its tyres do not have: a tyre fitted to cornering tests has no longitudinal
 * force. A missing force of any tyre model is detected by evaluating the tyre at a quarter of the weight. */
#include "run/scenario_impl.h"

#include "base/elementary.h"

#include <math.h>

static const double slip = 0.05, speed = 15.0; /* of the evaluation: slip ratio, or slip angle in rad; m/s */

/* A force below this share of the load counts as zero. */
static const double least = 1e-6;

static vd_tyre_answer answer_at(const vd_tyre *tyre, double load, double kappa, double tan_alpha, double camber) {
  const vd_tyre_question q = {.kappa = kappa,
                              .tan_alpha = tan_alpha,
                              .vx = speed,
                              .camber = camber,
                              .ground_friction = 1.0,
                              .load = load,
                              .radius = 0.3};
  vd_tyre_answer a;
  vd_tyre_ask(tyre, &q, &a);
  return a;
}

static bool commanded(const vd_scenario_def *def, bool lateral) {
  bool any = def->path.type != VD_PATH_NONE && (lateral ? vd_scenario_steers(def) : vd_scenario_path_has_speeds(def));
  for (size_t k = 0; k <= def->events.count; k++)
    for (int i = 0; i < VD_INPUT_KINDS; i++) {
      const vd_profile *p = &vd_scenario_inputs(def, k)->input[i].profile;
      double value;
      bool idle = vd_profile_is_constant(p, &value) && value == 0.0;
      bool of_kind = lateral ? vd_input_table[i].lateral : vd_input_table[i].longitudinal;
      any |= of_kind && vd_profile_is_given(p) && !idle;
    }
  return any;
}

static bool differs(double a, double b, double load) {
  return fabs(a - b) > least * load;
}

/* True if a pressure given by the scenario has no effect on the forces. */
static bool ignores_pressure(const vd_tyre *tyre, double load, const vd_tyre_answer *side) {
  vd_tyre firm = *tyre;
  vd_tyre_inflate(&firm, 1.1 * tyre->pressure);
  return !differs(answer_at(&firm, load, 0.0, slip, 0.0).fy, side->fy, load);
}

static void check_axle(const vd_scenario_context *ctx, const vd_scenario_def *def, const vd_vehicle *v, int a) {
  const vd_tyre *tyre = &v->tyre[vd_left_wheel(a)];
  double load = def->vehicle.mass * VD_GRAVITY / VD_WHEELS;
  vd_place at = vd_tree_place(ctx->root, vd_arena_printf(ctx->arena, "vehicle.%s.tyre", vd_axle_names[a]));
  const char *axle = vd_axle_names[a];
  bool along = commanded(def, false), across = commanded(def, true);
  vd_tyre_answer none = answer_at(tyre, load, 0.0, 0.0, 0.0), side = answer_at(tyre, load, 0.0, slip, 0.0);
  vd_tyre_answer drawn = answer_at(tyre, load, slip, 0.0, 0.0), both = answer_at(tyre, load, slip, slip, 0.0);
  bool has_fx = differs(drawn.fx, none.fx, load), has_fy = differs(side.fy, none.fy, load);
  if (along && !has_fx)
    vd_warning(ctx->d, at, "the %s tyre has no longitudinal force: it can neither drive nor brake", axle);
  if (across && !has_fy)
    vd_warning(ctx->d, at, "the %s tyre has no side force: it cannot steer the car", axle);
  if (along && across && has_fx && has_fy && !differs(both.fy, side.fy, load) && !differs(both.fx, drawn.fx, load))
    vd_remark(ctx->d, at, "the %s tyre has no combined slip: its side force does not decrease under braking", axle);
  const vd_tyre_traits *traits = vd_tyre_traits_of(tyre->model);
  if (!traits->file)
    return;
  if (across && has_fy && !differs(side.mz, none.mz, load))
    vd_remark(ctx->d, at, "the %s tyre has no aligning moment", axle);
  vd_tyre_answer leaning = answer_at(tyre, load, 0.0, 0.0, slip);
  if (across && has_fy && traits->camber && def->run.level >= VD_L3 && !differs(leaning.fy, none.fy, load))
    vd_remark(ctx->d, at, "the %s tyre has no side force by camber", axle);
  const char *pressure = vd_arena_printf(ctx->arena, "vehicle.%s.tyre.pressure", axle);
  if (traits->pressure && has_fy && vd_tree_find(ctx->root, pressure) && ignores_pressure(tyre, load, &side))
    vd_remark(ctx->d, vd_tree_place(ctx->root, pressure), "the %s tyre's side force does not depend on the pressure",
              axle);
}

void vd_scenario_check_tyres(const vd_scenario_context *ctx, const vd_vehicle *vehicle, const vd_scenario_def *def) {
  for (int a = 0; a < VD_AXLES; a++)
    check_axle(ctx, def, vehicle, a);
}
