#include "run/track_run.h"

#include "base/elementary.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

#define AT(index) ((index) * sizeof(double)), 0
#define OF_WHEEL(wheel, name, words, quantity, suffix, unit, help, first)                                              \
  {quantity name suffix, unit, help words, AT(first + wheel)},
#define POINT(wheel, name, words, first)                                                                               \
  {"wheel_" name "_x_m", "m", "wheel point, world x, " words, AT(first + 3 * wheel)},                                  \
      {"wheel_" name "_y_m", "m", "wheel point, world y, " words, AT(first + 3 * wheel + 1)},                          \
      {"wheel_" name "_z_m", "m", "wheel point, world z, " words, AT(first + 3 * wheel + 2)},

/* clang-format off */
static const vd_channel columns[] = {
  {"t_s", "s", "time", AT(0)},
  {"x_m", "m", "centre, world x", AT(1)},
  {"y_m", "m", "centre, world y", AT(2)},
  {"z_m", "m", "centre, world z", AT(3)},
  {"vx_mps", "m/s", "speed of the centre, world x", AT(4)},
  {"vy_mps", "m/s", "speed of the centre, world y", AT(5)},
  {"vz_mps", "m/s", "speed of the centre, world z", AT(6)},
  {"forward_mps", "m/s", "speed of the centre along the car's front", AT(7)},
  {"left_mps", "m/s", "speed of the centre to the car's left", AT(8)},
  {"yaw_rad", "rad", "heading, left > 0", AT(9)},
  {"pitch_rad", "rad", "pitch angle, nose down > 0", AT(10)},
  {"roll_rad", "rad", "roll angle, left side up > 0", AT(11)},
  {"thrust", "1", "input of thrust, 0 to 1", AT(12)},
  {"steer", "1", "input of steering, -1 to 1, left > 0", AT(13)},
  VD_EACH_WHEEL(OF_WHEEL, "spring_", "_m", "m", "deflection of the spring, compressed > 0, ", 14)
  VD_EACH_WHEEL(OF_WHEEL, "contact_", "", "1", "1 while the wheel is on the ground, ", 18)
  VD_EACH_WHEEL(OF_WHEEL, "force_", "_N", "N", "force of spring and damper, ", 22)
  VD_EACH_WHEEL(POINT, 26)
  {"kinetic_J", "J", "kinetic energy", AT(38)},
  {"gravity_J", "J", "potential energy of the weight", AT(39)},
  {"springs_J", "J", "energy of the springs", AT(40)},
  {"base_J", "J", "energy in the twist of the wheel base", AT(41)},
  {"work_drive_J", "J", "work of thrust and steering", AT(42)},
  {"work_friction_J", "J", "work of coasting and of the lateral grip", AT(43)},
  {"work_dampers_J", "J", "work of the dampers", AT(44)},
  {"work_base_J", "J", "work of the relaxation of the wheel base", AT(45)},
  {"work_jumps_J", "J", "work of the cone, and of springs whose deflection jumps at a step of the mesh", AT(46)},
  {"residual_J", "J", "energy minus energy at the start and all work", AT(47)},
};
/* clang-format on */

enum { COLUMNS = VD_COUNT(columns) };
_Static_assert(COLUMNS == 14 + 6 * VD_WHEELS + 4 + VD_TRACK_WORKS + 1, "as many as a row fills");

const vd_channel *vd_track_columns(size_t *count) {
  *count = COLUMNS;
  return columns;
}

typedef struct record {
  double start_energy, peak_kinetic, residual; /* J; residual: the largest of the run */
  double distance, top_speed, peak_spring, peak_force;
} record;

static double energy_of(const vd_track_view *v) {
  return v->kinetic + v->gravity + v->springs + v->base;
}

static double residual_of(const record *r, const vd_track_state *s, const vd_track_view *v) {
  double work = 0.0;
  for (int i = 0; i < VD_TRACK_WORKS; i++)
    work += s->q[VD_TRACK_WORK + i];
  return energy_of(v) - r->start_energy - work;
}

static void note(record *r, const vd_track_state *s, const vd_track_view *before, const vd_track_view *v) {
  double dx = v->centre[0] - before->centre[0], dy = v->centre[1] - before->centre[1];
  r->distance += vd_hypot(dx, dy);
  r->top_speed = vd_max(r->top_speed, vd_hypot(vd_hypot(v->velocity[0], v->velocity[1]), v->velocity[2]));
  vd_peak_raise(&r->peak_kinetic, v->kinetic);
  vd_peak_raise(&r->residual, residual_of(r, s, v));
  for (int i = 0; i < VD_WHEELS; i++) {
    r->peak_spring = vd_max(r->peak_spring, v->spring[i]);
    r->peak_force = vd_max(r->peak_force, v->force[i]);
  }
}

static void fill_row(const vd_track_def *def, double t, const vd_track_state *s, const vd_track_view *v,
                     const record *r, double *row) {
  double unused, inside = t + 0.5 * def->run.substep;
  inside = vd_min(inside, 0.5 * (t + vd_min(vd_profile_next_corner(&def->thrust.profile, t),
                                            vd_profile_next_corner(&def->steer.profile, t))));
  size_t n = 0;
  row[n++] = t;
  for (int i = 0; i < 3; i++)
    row[n++] = v->centre[i];
  for (int i = 0; i < 3; i++)
    row[n++] = v->velocity[i];
  row[n++] = v->forward;
  row[n++] = v->left;
  row[n++] = v->yaw;
  row[n++] = v->pitch;
  row[n++] = v->roll;
  vd_profile_at(&def->thrust.profile, inside, t, &row[n++], &unused);
  vd_profile_at(&def->steer.profile, inside, t, &row[n++], &unused);
  for (int i = 0; i < VD_WHEELS; i++)
    row[n++] = v->spring[i];
  for (int i = 0; i < VD_WHEELS; i++)
    row[n++] = s->down[i];
  for (int i = 0; i < VD_WHEELS; i++)
    row[n++] = v->force[i];
  for (int i = 0; i < VD_WHEELS; i++)
    for (int k = 0; k < 3; k++)
      row[n++] = v->point[i][k];
  row[n++] = v->kinetic;
  row[n++] = v->gravity;
  row[n++] = v->springs;
  row[n++] = v->base;
  for (int i = 0; i < VD_TRACK_WORKS; i++)
    row[n++] = s->q[VD_TRACK_WORK + i];
  row[n++] = residual_of(r, s, v);
  for (size_t i = 0; i < n; i++)
    row[i] += 0.0; /* avoids negative zeros */
}

/* The metrics from flight_s to landing_roll_rad describe the longest flight. */
static const vd_metric_info metrics_of_run[] = {
    {"duration_s", "s", "simulated time"},
    {"distance_m", "m", "distance of the centre along the ground"},
    {"top_speed_mps", "m/s", "highest speed of the centre at a step"},
    {"peak_spring_m", "m", "highest deflection of a spring at a step"},
    {"peak_force_N", "N", "highest force of a spring at a step"},
    {"flights", "1", "number of completed flights: times without any wheel on the ground"},
    {"airtime_s", "s", "total duration of the completed flights"},
    {"flight_s", "s", "duration of the longest flight"},
    {"takeoff_t_s", "s", "instant at which the last wheel left the ground"},
    {"takeoff_x_m", "m", "world x of the centre at the takeoff"},
    {"takeoff_y_m", "m", "world y of the centre at the takeoff"},
    {"takeoff_z_m", "m", "world z of the centre at the takeoff"},
    {"apex_t_s", "s", "instant of the highest place of the centre"},
    {"apex_z_m", "m", "highest place of the centre"},
    {"apex_rise_m", "m", "height of the highest place above the place at the takeoff"},
    {"landing_t_s", "s", "instant at which the first wheel met the ground"},
    {"landing_x_m", "m", "world x of the centre at the landing"},
    {"landing_y_m", "m", "world y of the centre at the landing"},
    {"landing_z_m", "m", "world z of the centre at the landing"},
    {"landing_range_m", "m", "distance along the ground from takeoff to landing"},
    {"landing_fall_mps", "m/s", "downward speed of the centre at the landing"},
    {"landing_pitch_rad", "rad", "pitch at the landing, nose down > 0"},
    {"landing_roll_rad", "rad", "roll at the landing, left side up > 0"},
    {"ledger_residual", "1", "largest difference of energy and work at a step over the highest kinetic energy"},
};

const vd_metric_set vd_track_metrics = {
    .key = "track_car", .title = "every run of a track car", VD_METRIC_ROWS(metrics_of_run)};

static void set_metric(vd_metrics *m, const char *name, double value) {
  vd_metrics_set(m, name, value, "no flight was completed");
}

static void measure(const record *r, const vd_track_events *e, double duration, vd_metrics *m) {
  const vd_track_flight *f = &e->longest;
  bool flew = e->flights > 0;
  m->count = 0;
  vd_metrics_add_rows(&vd_track_metrics, m);
  set_metric(m, "duration_s", duration);
  set_metric(m, "distance_m", r->distance);
  set_metric(m, "top_speed_mps", r->top_speed);
  set_metric(m, "peak_spring_m", r->peak_spring);
  set_metric(m, "peak_force_N", r->peak_force);
  set_metric(m, "flights", (double)e->flights);
  set_metric(m, "airtime_s", e->airtime);
  set_metric(m, "flight_s", flew ? f->end - f->start : NAN);
  set_metric(m, "takeoff_t_s", flew ? f->start : NAN);
  set_metric(m, "takeoff_x_m", flew ? f->from[0] : NAN);
  set_metric(m, "takeoff_y_m", flew ? f->from[1] : NAN);
  set_metric(m, "takeoff_z_m", flew ? f->from[2] : NAN);
  set_metric(m, "apex_t_s", flew ? f->apex_time : NAN);
  set_metric(m, "apex_z_m", flew ? f->apex : NAN);
  set_metric(m, "apex_rise_m", flew ? f->apex - f->from[2] : NAN);
  set_metric(m, "landing_t_s", flew ? f->end : NAN);
  set_metric(m, "landing_x_m", flew ? f->to[0] : NAN);
  set_metric(m, "landing_y_m", flew ? f->to[1] : NAN);
  set_metric(m, "landing_z_m", flew ? f->to[2] : NAN);
  set_metric(m, "landing_range_m", flew ? vd_hypot(f->to[0] - f->from[0], f->to[1] - f->from[1]) : NAN);
  set_metric(m, "landing_fall_mps", flew ? f->fall : NAN);
  set_metric(m, "landing_pitch_rad", flew ? f->pitch : NAN);
  set_metric(m, "landing_roll_rad", flew ? f->roll : NAN);
  set_metric(m, "ledger_residual", r->residual == 0.0 ? 0.0 : r->residual / r->peak_kinetic);
}

static const char *words_of(enum vd_track_trouble trouble) {
  switch (trouble) {
  case VD_TRACK_FINE: break;
  case VD_TRACK_BAD_NUMBER: return "a number of the state is no longer finite";
  case VD_TRACK_BOTTOMED: return "a spring is compressed by more than its length: the car has fallen through";
  case VD_TRACK_THROUGH: return "the car has gone through the mesh";
  case VD_TRACK_OUTSIDE: return "the car has fallen off the mesh";
  }
  return "";
}

void vd_track_run(const vd_track_def *def, const vd_run_options *options, vd_output *log, vd_metrics *metrics,
                  vd_run_report *report) {
  const vd_track_run_def *run = &def->run;
  const vd_track_inputs inputs = {&def->thrust.profile, &def->steer.profile};
  long steps = lround(run->duration / run->step), stride = vd_log_stride(def->log.rate, run->step);
  vd_track_state s = def->start;
  vd_track_events events = {.flying = false};
  vd_track_view view, before;
  *report = (vd_run_report){.status = VD_SIM_OK};
  vd_track_observe(&def->car, &inputs, 0.0, &s, &view);
  record r = {.start_energy = energy_of(&view)};
  note(&r, &s, &view, &view);
  if (log)
    vd_log_header(log, columns, COLUMNS);
  double t = 0.0, row[COLUMNS];
  for (long k = 0;; k++) {
    bool due = log && k % stride == 0;
    if (due || options->values)
      fill_row(def, t, &s, &view, &r, row);
    if (options->values)
      options->values(options->row_context, row);
    if (due) {
      vd_output_row(log, row, COLUMNS, options->digits);
      report->rows++;
    }
    if (k == steps || (log && vd_output_error(log)))
      break;
    double next = (double)(k + 1) * run->step;
    vd_track_advance(&def->car, def->mesh, &inputs, t, next, &s, &events);
    before = view;
    vd_track_observe(&def->car, &inputs, next, &s, &view);
    enum vd_track_trouble trouble = vd_track_trouble_of(&def->car, def->mesh, &before, &view);
    t = next;
    if (trouble != VD_TRACK_FINE) {
      report->status = VD_SIM_BAD_STATE;
      snprintf(report->failure, sizeof report->failure, "%.80s, at t = %g s, x %g m, y %g m", words_of(trouble), t,
               view.centre[0], view.centre[1]);
      break;
    }
    note(&r, &s, &before, &view);
    if (options->progress && k % 256 == 0)
      options->progress(options->progress_context, (double)k / (double)steps);
  }
  report->end_time = t;
  report->splits = events.contacts;
  report->unsettled = events.unsettled;
  report->reader_gone = log && vd_output_error(log) == EPIPE;
  if (metrics)
    measure(&r, &events, t, metrics);
}
