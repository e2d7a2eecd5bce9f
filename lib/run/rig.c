#include "run/rig_impl.h"

#include "input/schema.h"
#include "math/rk4.h"

#include <math.h>
#include <stdio.h>

#define STEADY    VD_WHEN(VD_RIG_STEADY)
#define TRANSIENT VD_WHEN(VD_RIG_TRANSIENT)

/* The column of the table that replaces each axis. */
static const enum vd_point_quantity axis_column[VD_RIG_AXES] = {
    [VD_RIG_LOAD] = VD_POINT_LOAD,   [VD_RIG_PRESSURE] = VD_POINT_PRESSURE,   [VD_RIG_CAMBER] = VD_POINT_CAMBER,
    [VD_RIG_SPEED] = VD_POINT_SPEED, [VD_RIG_CURVATURE] = VD_POINT_CURVATURE, [VD_RIG_KAPPA] = VD_POINT_KAPPA,
    [VD_RIG_ALPHA] = VD_POINT_ALPHA};

typedef struct point {
  double value[VD_RIG_AXES]; /* pressure NAN: the pressure of the tyre */
} point;

static point row_at(const vd_rig_def *def, size_t row) {
  point p = {{0.0}};
  for (int k = 0; k < VD_RIG_AXES; k++) {
    const double *column = def->points.of[axis_column[k]];
    p.value[k] = column                                  ? column[row]
                 : k >= vd_rig_axes(def)                 ? 0.0
                 : vd_rig_axis_count(&def->axis[k]) == 0 ? NAN
                                                         : vd_rig_axis_value(&def->axis[k], 0);
  }
  return p;
}

static point point_at(const vd_rig_def *def, size_t index) {
  point p = {{0.0}};
  if (vd_rig_has_points(def))
    return row_at(def, index);
  for (int k = vd_rig_axes(def) - 1; k >= 0; k--) {
    size_t values = (size_t)vd_rig_axis_count(&def->axis[k]);
    p.value[k] = values > 0 ? vd_rig_axis_value(&def->axis[k], (int)(index % values)) : NAN;
    index /= values > 0 ? values : 1;
  }
  return p;
}

#define BOTH      (STEADY | TRANSIENT)
#define AT(index) ((index) * sizeof(double))
#define TURNS     VD_CHANNEL_TURNS

/* clang-format off */
static const vd_channel columns[] = {
  {"case", "1", "number of the time history, from 0", AT(0), TRANSIENT},
  {"t_s", "s", "time", AT(1), TRANSIENT},
  {"distance_m", "m", "distance rolled", AT(2), TRANSIENT},
  {"slip_x_mps", "m/s", "speed of the tread relative to the road, rearward > 0: R w - Vx", AT(3), TRANSIENT},
  {"slip_y_mps", "m/s", "speed of the tread relative to the road, to the right > 0: -Vy", AT(4), TRANSIENT | TURNS},
  {"kappa_input", "1", "slip ratio by the inputs", AT(5), TRANSIENT},
  {"alpha_input_rad", "rad", "slip angle by the inputs", AT(6), TRANSIENT | TURNS},
  {"fz_N", "N", "load", AT(7), BOTH},
  {"pressure_Pa", "Pa", "inflation pressure", AT(8), BOTH},
  {"camber_rad", "rad", "inclination, top to the right > 0", AT(9), BOTH | TURNS},
  {"vx_mps", "m/s", "speed of the contact point along the wheel", AT(10), BOTH},
  {"curvature_1pm", "1/m", "turn slip: yaw velocity of the wheel divided by its speed, to the left > 0", AT(11),
   BOTH | TURNS},
  {"kappa", "1", "slip ratio at which the force is evaluated", AT(12), BOTH},
  {"alpha_rad", "rad", "slip angle at which the force is evaluated", AT(13), BOTH | TURNS},
  {"fx_N", "N", "force of the road on the tyre, forward > 0", AT(14), BOTH},
  {"fy_N", "N", "force of the road on the tyre, to the left > 0", AT(15), BOTH | TURNS},
  {"mx_Nm", "N m", "overturning couple, left side up > 0", AT(16), BOTH | TURNS},
  {"my_Nm", "N m", "rolling resistance moment, < 0 when the wheel rolls forward", AT(17), BOTH},
  {"mz_Nm", "N m", "aligning moment, to the left > 0", AT(18), BOTH | TURNS},
  {"trail_m", "m", "-Mz/Fy, the residual moment included", AT(19), BOTH},
  {"re_m", "m", "effective rolling radius", AT(20), BOTH},
  {"rl_m", "m", "loaded radius", AT(21), BOTH},
  {"mu_peak", "1", "highest friction coefficient at this load", AT(22), BOTH},
  {"kappa_peak", "1", "slip ratio of the highest pure force; empty if the force rises without end", AT(23), BOTH},
  {"alpha_peak_rad", "rad", "slip angle of the highest pure force; empty if the force rises without end", AT(24), BOTH},
  {"slip_stiffness_N", "N", "slope of Fx over kappa at zero slip", AT(25), BOTH},
  {"cornering_stiffness_Npr", "N/rad", "slope of -Fy over alpha at zero slip", AT(26), BOTH},
  {"sigma_x_m", "m", "relaxation length along the wheel, at this load", AT(27), BOTH},
  {"sigma_y_m", "m", "relaxation length across the wheel, at this load", AT(28), BOTH},
  {"pneumatic_trail_m", "m", "arm of Fy, without the residual moment", AT(29), BOTH},
  {"residual_moment_Nm", "N m", "part of Mz that is not Fy times the pneumatic trail nor Fx times its arm", AT(30),
   BOTH | TURNS},
  {"contact_length_m", "m", "length of the contact patch", AT(31), BOTH},
  {"contact_width_m", "m", "width of the contact patch", AT(32), BOTH},
  {"mu_x", "1", "friction factor of Fx: amplitude of its curve divided by the load, without its offset", AT(33), BOTH},
  {"mu_y", "1", "friction factor of Fy: amplitude of its curve divided by the load, without its offset", AT(34), BOTH},
  {"dfx_dkappa_N", "N", "slope of Fx over kappa at these slips", AT(35), BOTH},
  {"dfy_dalpha_Npr", "N/rad", "slope of Fy over alpha at these slips", AT(36), BOTH},
  {"fz_used_N", "N", "load at which the formula is evaluated; below the least load the forces are scaled", AT(37),
   BOTH},
  {"pressure_used_Pa", "Pa", "pressure at which the formula is evaluated", AT(38), BOTH},
  {"camber_used_rad", "rad", "inclination at which the formula is evaluated", AT(39), BOTH | TURNS},
  {"kappa_used", "1", "slip ratio at which the formula is evaluated", AT(40), BOTH},
  {"alpha_used_rad", "rad", "slip angle at which the formula is evaluated", AT(41), BOTH | TURNS},
  {"held", "1",
   "sum of 1 load, 2 slip ratio, 4 slip angle, 8 camber, 16 pressure, each if the value is held at a limit of the "
   "tyre's file",
   AT(42), BOTH},
};
/* clang-format on */

/* LEAD: number of leading columns that only a time history has */
enum { COLUMNS = VD_COUNT(columns), LEAD = 7 };

const vd_channel *vd_rig_columns(size_t *count) {
  *count = COLUMNS;
  return columns;
}

int vd_rig_swept(const vd_rig_def *def) {
  int found = -1, several = 0;
  for (int k = 0; k < VD_RIG_AXES; k++)
    if (def->points.of[axis_column[k]]) {
      found = LEAD + k;
      several++;
    }
  for (int k = 0; k < vd_rig_axes(def) && !vd_rig_has_points(def); k++)
    if (vd_rig_axis_count(&def->axis[k]) > 1) {
      found = LEAD + k; /* the columns of the grid begin with its axes */
      several++;
    }
  return several == 1 ? found : -1;
}

/* Destination of the rows. */
typedef struct sink {
  const vd_run_options *options;
  vd_output *o; /* or NULL */
  size_t first; /* the column whose value is written first */
  vd_run_report *report;
  vd_rig_tydex tydex; /* for the format TYDEX */
} sink;

static bool has_failed(const sink *k) {
  return k->o && vd_output_error(k->o);
}

static void write_row(const sink *k, const double *value, bool log) {
  if (k->options->values)
    k->options->values(k->options->row_context, value);
  if (!log)
    return;
  if (k->o && k->options->tydex)
    vd_rig_tydex_row(k->o, &k->tydex, value, k->options->digits);
  else if (k->o)
    vd_output_row(k->o, value + k->first, COLUMNS - k->first, k->options->digits);
  k->report->rows++;
}

static vd_tyre tyre_at(const vd_rig_def *def, const point *p) {
  vd_tyre tyre;
  vd_tyre_build(&def->tyre, def->side == 1, &tyre);
  if (!isnan(p->value[VD_RIG_PRESSURE]))
    vd_tyre_inflate(&tyre, p->value[VD_RIG_PRESSURE]);
  return tyre;
}

static void fill(const vd_rig_def *def, const vd_tyre *tyre, const point *p, const vd_tyre_question *q, double alpha,
                 const vd_tyre_answer *a, double *out) {
  bool alpha_clamped = a->clamped > 0 && (a->clamped & 1 << VD_MF_ALPHA);
  const double value[] = {p->value[VD_RIG_LOAD],
                          tyre->pressure,
                          p->value[VD_RIG_CAMBER],
                          p->value[VD_RIG_SPEED],
                          q->curvature,
                          q->kappa,
                          alpha,
                          a->fx,
                          a->fy,
                          a->mx,
                          a->my,
                          a->mz,
                          a->trail,
                          isnan(a->rolling_radius) ? def->wheel_radius : a->rolling_radius,
                          a->loaded_radius,
                          a->mu_peak,
                          a->kappa_peak,
                          a->alpha_peak,
                          a->slip_stiffness,
                          a->cornering_stiffness,
                          a->sigma_x,
                          a->sigma_y,
                          a->pneumatic_trail,
                          a->residual,
                          a->contact_length,
                          a->contact_width,
                          a->mu_x,
                          a->mu_y,
                          a->fx_by_kappa,
                          a->fy_by_alpha,
                          a->used.load,
                          a->used.pressure,
                          a->used.camber,
                          a->used.kappa,
                          alpha_clamped ? vd_atan(a->used.tan_alpha) : alpha,
                          a->clamped < 0 ? (double)NAN : (double)a->clamped};
  _Static_assert(LEAD + VD_COUNT(value) == COLUMNS, "a value for each column");
  for (size_t i = 0; i < VD_COUNT(value); i++)
    out[i] = isfinite(value[i]) ? value[i] + 0.0 : NAN; /* avoids negative zeros; a peak at infinity has no value */
}

static bool is_finite(const vd_tyre_answer *a) {
  return isfinite(a->fx) && isfinite(a->fy) && isfinite(a->my) && isfinite(a->mz);
}

static void report_failure(const point *p, const char *when, vd_run_report *report) {
  report->status = VD_SIM_BAD_STATE;
  snprintf(report->failure, sizeof report->failure, "no finite force at load %g N, camber %g rad, speed %g m/s%s",
           p->value[VD_RIG_LOAD], p->value[VD_RIG_CAMBER], p->value[VD_RIG_SPEED], when);
}

static void report_progress(const vd_run_options *options, double share) {
  if (options->progress)
    options->progress(options->progress_context, share);
}

static void steady(const vd_rig_def *def, const sink *to) {
  size_t count = (size_t)vd_rig_combinations(def);
  double row[COLUMNS];
  for (size_t i = 0; i < LEAD; i++)
    row[i] = NAN;
  for (size_t i = 0; i < count && !has_failed(to); i++) {
    point p = point_at(def, i);
    vd_tyre tyre = tyre_at(def, &p);
    vd_tyre_answer answer;
    double kappa = p.value[VD_RIG_KAPPA], alpha = p.value[VD_RIG_ALPHA];
    vd_tyre_question question = {.kappa = kappa,
                                 .tan_alpha = vd_tan(alpha),
                                 .vx = p.value[VD_RIG_SPEED],
                                 .camber = p.value[VD_RIG_CAMBER],
                                 .curvature = p.value[VD_RIG_CURVATURE],
                                 .ground_friction = def->friction,
                                 .load = p.value[VD_RIG_LOAD],
                                 .radius = def->wheel_radius};
    vd_tyre_ask(&tyre, &question, &answer);
    if (!is_finite(&answer)) {
      char where[64];
      snprintf(where, sizeof where, ", slip ratio %g, slip angle %g rad", kappa, alpha);
      report_failure(&p, where, to->report);
      return;
    }
    vd_tyre_slopes(&tyre, &question, &answer);
    fill(def, &tyre, &p, &question, alpha, &answer, row + LEAD);
    write_row(to, row, true);
    if (i % 1024 == 0)
      report_progress(to->options, (double)i / (double)count);
  }
}

/* A time history. The wheel rolls at the speed of the contact point. Slip ratio and slip angle follow the profiles, or
 * the rows of a table; between two rows every quantity is linear in time. */
typedef struct history {
  const vd_rig_def *def;
  vd_tyre tyre;
  vd_relax relax;
  vd_relax_twist twist;
  size_t row; /* row of the table before the present time */
  /* at the start, middle and end of a step: */
  point at[3];
  double slip_x[3], slip_y[3]; /* m/s, of the tread relative to the road */
  double turning[3];           /* rad/s */
  vd_relaxing now;
  vd_tyre_question question;
  vd_tyre_answer answer;
} history;

/* The states: deflections, and the twist of a tyre with turn slip. */
enum { STATE_X, STATE_Y, TWIST, STATES };

static void evaluate(history *h, const point *p, const double *w) {
  h->question = (vd_tyre_question){.kappa = h->now.kappa,
                                   .tan_alpha = h->now.tan_alpha,
                                   .vx = h->now.vx,
                                   .camber = p->value[VD_RIG_CAMBER],
                                   .curvature = vd_relax_twist_slip(&h->twist, w[TWIST]),
                                   .ground_friction = h->def->friction,
                                   .load = p->value[VD_RIG_LOAD],
                                   .radius = h->def->wheel_radius,
                                   .moving = true,
                                   .slip_x = h->now.slip_x,
                                   .slip_y = h->now.slip_y,
                                   .state_x = w[STATE_X],
                                   .state_y = w[STATE_Y],
                                   .damper = h->now.damper,
                                   .fastest = 1.0 / h->def->step};
  vd_tyre_ask(&h->tyre, &h->question, &h->answer);
}

static void set_lengths(const point *p, history *h) {
  vd_tyre_relaxation_at(&h->tyre, p->value[VD_RIG_LOAD], p->value[VD_RIG_CAMBER], &h->relax.length_x,
                        &h->relax.length_y);
}

/* Computes the rates of the deflections. force: the forces are needed; otherwise they are evaluated only if the rates
 * depend on them. */
static void deflection_rates(history *h, int instant, bool force, const double *w, double *rate) {
  const point *p = &h->at[instant];
  double slip_x = h->slip_x[instant], slip_y = h->slip_y[instant];
  if (vd_rig_has_points(h->def)) {
    if (!isnan(p->value[VD_RIG_PRESSURE]))
      vd_tyre_inflate(&h->tyre, p->value[VD_RIG_PRESSURE]);
    if (h->relax.by_load || h->def->points.of[VD_POINT_CAMBER])
      set_lengths(p, h);
  }
  h->now = (vd_relaxing){.vx = p->value[VD_RIG_SPEED],
                         .vy = -slip_y,
                         .slip_x = slip_x,
                         .slip_y = slip_y,
                         .wx = w[STATE_X],
                         .wy = w[STATE_Y]};
  vd_relax_slip(&h->relax, h->def->step, &h->now);
  if (force || h->relax.bristles)
    evaluate(h, p, w);
  rate[STATE_X] = h->relax.bristles ? h->answer.rate_x : h->now.rate_x;
  rate[STATE_Y] = h->relax.bristles ? h->answer.rate_y : h->now.rate_y;
  rate[TWIST] =
      vd_relax_twist_rate(&h->twist, h->def->step, vd_hypot(h->now.vx, h->now.vy), h->turning[instant], w[TWIST]);
}

static void stage_rates(void *context, int stage, const double *w, double *rate) {
  static const int instant[] = {0, 1, 1, 2};
  deflection_rates(context, instant[stage], false, w, rate);
}

/* Returns the values of the table at a time between h->row and the next row. */
static point between_rows(const history *h, double t) {
  const double *time = h->def->points.of[VD_POINT_TIME];
  point a = row_at(h->def, h->row);
  if (h->row + 1 == h->def->points.rows)
    return a;
  point b = row_at(h->def, h->row + 1);
  double share = (t - time[h->row]) / (time[h->row + 1] - time[h->row]);
  for (int k = 0; k < VD_RIG_AXES; k++)
    a.value[k] += share * (b.value[k] - a.value[k]);
  return a;
}

static void inputs_at(history *h, int instant, double inside, double t) {
  double kappa, angle, tread, side, yaw_rate, unused;
  if (vd_rig_has_points(h->def))
    h->at[instant] = between_rows(h, t);
  const point *p = &h->at[instant];
  double v = fabs(p->value[VD_RIG_SPEED]);
  vd_profile_at(&h->def->slip_ratio.profile, inside, t, &kappa, &unused);
  vd_profile_at(&h->def->slip_angle.profile, inside, t, &angle, &unused);
  vd_profile_at(&h->def->tread_speed.profile, inside, t, &tread, &unused);
  vd_profile_at(&h->def->side_speed.profile, inside, t, &side, &unused);
  vd_profile_at(&h->def->yaw_rate.profile, inside, t, &yaw_rate, &unused);
  if (h->def->points.of[VD_POINT_KAPPA])
    kappa = p->value[VD_RIG_KAPPA];
  if (h->def->points.of[VD_POINT_ALPHA])
    angle = p->value[VD_RIG_ALPHA];
  h->slip_x[instant] = kappa * v + tread;
  h->slip_y[instant] = -vd_tan(angle) * v - side;
  h->turning[instant] = yaw_rate + p->value[VD_RIG_CURVATURE] * vd_hypot(v, h->slip_y[instant]);
}

/* Returns the end, at most `to', of the interval from `from' on in which no input has a corner. */
static double piece_end(const vd_rig_def *def, double from, double to) {
  const vd_profile_def *all[] = {&def->slip_ratio, &def->slip_angle, &def->tread_speed, &def->side_speed,
                                 &def->yaw_rate};
  double snap = 1e-9 * def->step, end = to;
  for (size_t i = 0; i < VD_COUNT(all); i++)
    end = vd_min(end, vd_profile_next_corner(&all[i]->profile, from + snap));
  return end > to - snap ? to : end;
}

static void advance(history *h, double from, double to, double *w) {
  while (from < to) {
    double end = piece_end(h->def, from, to), inside = 0.5 * (from + end), k1[STATES];
    inputs_at(h, 0, inside, from);
    inputs_at(h, 1, inside, inside);
    inputs_at(h, 2, inside, end);
    deflection_rates(h, 0, false, w, k1);
    vd_rk4(stage_rates, h, end - from, STATES, k1, w);
    from = end;
  }
}

/* Writes a row. It contains the results for the values that the inputs have just after the time t. */
static bool write_moment(history *h, size_t index, double t, double distance, const double *w, bool log,
                         const sink *to) {
  const vd_rig_def *def = h->def;
  double row[COLUMNS], rate[STATES];
  inputs_at(h, 0, 0.5 * (t + piece_end(def, t, t + def->step)), t);
  deflection_rates(h, 0, true, w, rate);
  if (!is_finite(&h->answer))
    return false;
  double v = fabs(h->now.vx);
  const double lead[LEAD] = {(double)index,
                             t,
                             distance,
                             h->slip_x[0],
                             h->slip_y[0],
                             v > 0.0 ? h->slip_x[0] / v : NAN,
                             v > 0.0 ? vd_atan(-h->slip_y[0] / v) : NAN};
  for (size_t c = 0; c < LEAD; c++)
    row[c] = lead[c] + 0.0;
  vd_tyre_slopes(&h->tyre, &h->question, &h->answer);
  fill(def, &h->tyre, &h->at[0], &h->question, vd_atan(h->now.tan_alpha), &h->answer, row + LEAD);
  write_row(to, row, log);
  return true;
}

/* Sets up the deflections for the conditions of p, and the standstill damper for the mass load/g on the tyre's
 * spring. */
static void build_history(const vd_rig_def *def, const point *p, double load, history *h) {
  *h = (history){.def = def, .tyre = tyre_at(def, p), .at = {*p, *p, *p}};
  vd_relax_build(&h->tyre, 1.0, def->friction, load, 0.0, &h->relax);
  double damper = vd_relax_damper(h->relax.stiffness_x, load / VD_GRAVITY, 0.0, def->step);
  vd_relax_build(&h->tyre, 1.0, def->friction, load, damper, &h->relax);
  vd_relax_twist_build(&h->tyre, 1.0, def->friction, load, &h->twist);
  if (p->value[VD_RIG_CAMBER] != 0.0)
    set_lengths(p, h);
}

static void report_failure_at(const history *h, double t, vd_run_report *report) {
  char when[64];
  snprintf(when, sizeof when, ", t = %g s", t);
  report_failure(&h->at[0], when, report);
}

static void transient(const vd_rig_def *def, const sink *to) {
  size_t count = (size_t)vd_rig_combinations(def);
  long steps = lround(def->duration / def->step), stride = vd_log_stride(def->rate, def->step);
  to->report->end_time = def->duration;
  for (size_t i = 0; i < count && !has_failed(to); i++) {
    point p = point_at(def, i);
    history h;
    double w[STATES] = {0.0};
    build_history(def, &p, p.value[VD_RIG_LOAD], &h);
    for (long k = 0; k <= steps && !has_failed(to); k++) {
      double t = (double)k * def->step;
      bool log = k % stride == 0;
      if ((log || to->options->values) && !write_moment(&h, i, t, fabs(p.value[VD_RIG_SPEED]) * t, w, log, to)) {
        report_failure_at(&h, t, to->report);
        return;
      }
      if (k < steps)
        advance(&h, t, (double)(k + 1) * def->step, w);
      if (k % 1024 == 0)
        report_progress(to->options, ((double)i + (double)k / (double)steps) / (double)count);
    }
  }
}

/* Lets the wheel roll before the first row, with the values of this row, for ten relaxation lengths but at most 10 s.
 * The history then begins with the forces of a rolling wheel. At standstill deflections would not settle. */
static void settle(history *h, double *w) {
  const double most = 10.0, lengths = 10.0;
  double v = fabs(h->at[0].value[VD_RIG_SPEED]), k1[STATES], step = h->def->step;
  double time = v > 0.0 ? vd_min(most, lengths * vd_max(h->answer.sigma_x, h->answer.sigma_y) / v) : 0.0;
  for (int i = 0; i < 3; i++) {
    h->at[i] = h->at[0];
    h->slip_x[i] = h->slip_x[0];
    h->slip_y[i] = h->slip_y[0];
    h->turning[i] = h->turning[0];
  }
  for (double t = 0.0; t < time; t += step) {
    deflection_rates(h, 0, false, w, k1);
    vd_rk4(stage_rates, h, step, STATES, k1, w);
  }
}

/* Runs the time history of a table in steps of at most def->step from row to row; the log has the table's rows. */
static void measured_history(const vd_rig_def *def, const sink *to) {
  const double *time = def->points.of[VD_POINT_TIME];
  point p = row_at(def, 0);
  history h;
  double w[STATES] = {0.0}, rate[STATES], distance = 0.0;
  build_history(def, &p, vd_rig_greatest_load(def), &h);
  inputs_at(&h, 0, time[0], time[0]);
  deflection_rates(&h, 0, true, w, rate);
  settle(&h, w);
  for (size_t i = 0; i < def->points.rows && !has_failed(to); i++) {
    h.row = i;
    if (!write_moment(&h, 0, time[i], distance, w, true, to)) {
      report_failure_at(&h, time[i], to->report);
      return;
    }
    to->report->end_time = time[i];
    if (i + 1 < def->points.rows) {
      double span = time[i + 1] - time[i], pieces = vd_max(ceil(span / def->step - 1e-6), 1.0);
      for (double k = 0.0; k < pieces; k += 1.0)
        advance(&h, time[i] + span * (k / pieces), time[i] + span * ((k + 1.0) / pieces), w);
      distance += 0.5 * span * (fabs(p.value[VD_RIG_SPEED]) + fabs(row_at(def, i + 1).value[VD_RIG_SPEED]));
      p = row_at(def, i + 1);
    }
    if (i % 1024 == 0)
      report_progress(to->options, (double)i / (double)def->points.rows);
  }
}

void vd_rig_run(const vd_rig_def *def, const vd_run_options *options, vd_output *o, vd_run_report *report) {
  bool still = def->mode == VD_RIG_STEADY;
  sink to = {.options = options, .o = o, .first = still ? LEAD : 0, .report = report};
  *report = (vd_run_report){.status = VD_SIM_OK};
  if (o && options->tydex)
    vd_rig_tydex_begin(o, def->title, columns, COLUMNS, !still, &to.tydex);
  else if (o)
    vd_log_header(o, columns + to.first, COLUMNS - to.first);
  (still ? steady : vd_rig_has_points(def) ? measured_history : transient)(def, &to);
  if (o && options->tydex && report->status == VD_SIM_OK)
    vd_tydex_write_end(o); /* a file without this line is incomplete */
  report->reader_gone = o && vd_output_error(o) != 0;
}
