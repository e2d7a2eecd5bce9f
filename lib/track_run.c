#include "track_run.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

static const char header[] =
    "t_s,x_m,y_m,z_m,vx_mps,vy_mps,vz_mps,forward_mps,left_mps,yaw_rad,pitch_rad,roll_rad,thrust,steer,"
    "spring_fl_m,spring_fr_m,spring_rl_m,spring_rr_m,contact_fl,contact_fr,contact_rl,contact_rr,"
    "force_fl_N,force_fr_N,force_rl_N,force_rr_N,"
    "wheel_fl_x_m,wheel_fl_y_m,wheel_fl_z_m,wheel_fr_x_m,wheel_fr_y_m,wheel_fr_z_m,"
    "wheel_rl_x_m,wheel_rl_y_m,wheel_rl_z_m,wheel_rr_x_m,wheel_rr_y_m,wheel_rr_z_m,"
    "kinetic_J,gravity_J,springs_J,base_J,work_drive_J,work_friction_J,work_dampers_J,work_base_J,work_jumps_J,"
    "residual_J\n";

enum { COLUMNS = 14 + 6 * VD_WHEELS + 4 + VD_TRACK_WORKS + 1 };

/* What the metrics need of a run. */
typedef struct record {
  double start_energy, peak_kinetic, residual; /* J; the residual is the largest */
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
  r->distance += hypot(dx, dy);
  r->top_speed = fmax(r->top_speed, hypot(hypot(v->velocity[0], v->velocity[1]), v->velocity[2]));
  r->peak_kinetic = fmax(r->peak_kinetic, v->kinetic);
  r->residual = fmax(r->residual, fabs(residual_of(r, s, v)));
  for (int i = 0; i < VD_WHEELS; i++) {
    r->peak_spring = fmax(r->peak_spring, v->spring[i]);
    r->peak_force = fmax(r->peak_force, v->force[i]);
  }
}

static void write_row(const vd_track_def *def, double t, const vd_track_state *s, const vd_track_view *v,
                      const record *r, vd_output *o, enum vd_digits digits) {
  double row[COLUMNS], unused, inside = t + 0.5 * def->run.substep;
  inside =
      fmin(inside, 0.5 * (t + fmin(vd_profile_next_corner(&def->thrust, t), vd_profile_next_corner(&def->steer, t))));
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
  vd_profile_at(&def->thrust, inside, t, &row[n++], &unused);
  vd_profile_at(&def->steer, inside, t, &row[n++], &unused);
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
    row[i] += 0.0; /* no minus zeros */
  vd_output_row(o, row, n, digits);
}

static void add(vd_metrics *m, const char *name, const char *unit, double value, const char *definition) {
  m->metric[m->count++] = (vd_metric){.name = name, .unit = unit, .value = value, .definition = definition};
}

/* A metric of the longest flight, which there may not have been. */
static void add_flight(vd_metrics *m, bool flew, const char *name, const char *unit, double value,
                       const char *definition) {
  add(m, name, unit, flew ? value : NAN, definition);
  if (!flew)
    snprintf(m->metric[m->count - 1].reason, sizeof m->metric[0].reason, "no flight came to its end");
}

static void measure(const record *r, const vd_track_events *e, double duration, vd_metrics *m) {
  const vd_track_flight *f = &e->longest;
  bool flew = e->flights > 0;
  m->count = 0;
  add(m, "duration_s", "s", duration, "simulated time");
  add(m, "distance_m", "m", r->distance, "way of the centre over the ground");
  add(m, "top_speed_mps", "m/s", r->top_speed, "highest speed of the centre at a step");
  add(m, "peak_spring_m", "m", r->peak_spring, "highest deflection of a spring at a step");
  add(m, "peak_force_N", "N", r->peak_force, "highest force of a spring at a step");
  add(m, "flights", "1", (double)e->flights, "times without any wheel on the ground that ended");
  add(m, "airtime_s", "s", e->airtime, "their length in all");
  add_flight(m, flew, "flight_s", "s", f->end - f->start, "length of the longest flight");
  add_flight(m, flew, "takeoff_t_s", "s", f->start, "when its last wheel left the ground");
  add_flight(m, flew, "takeoff_x_m", "m", f->from[0], "place of the centre then");
  add_flight(m, flew, "takeoff_y_m", "m", f->from[1], "place of the centre then");
  add_flight(m, flew, "takeoff_z_m", "m", f->from[2], "place of the centre then");
  add_flight(m, flew, "apex_t_s", "s", f->apex_time, "when the centre was highest");
  add_flight(m, flew, "apex_z_m", "m", f->apex, "highest place of the centre");
  add_flight(m, flew, "apex_rise_m", "m", f->apex - f->from[2], "the same over that of the takeoff");
  add_flight(m, flew, "landing_t_s", "s", f->end, "when the first wheel met the ground");
  add_flight(m, flew, "landing_x_m", "m", f->to[0], "place of the centre then");
  add_flight(m, flew, "landing_y_m", "m", f->to[1], "place of the centre then");
  add_flight(m, flew, "landing_z_m", "m", f->to[2], "place of the centre then");
  add_flight(m, flew, "landing_range_m", "m", hypot(f->to[0] - f->from[0], f->to[1] - f->from[1]),
             "way over the ground from takeoff to landing");
  add_flight(m, flew, "landing_fall_mps", "m/s", f->fall, "downward speed of the centre then");
  add_flight(m, flew, "landing_pitch_rad", "rad", f->pitch, "nose down > 0");
  add_flight(m, flew, "landing_roll_rad", "rad", f->roll, "left side up > 0");
  add(m, "ledger_residual", "1", r->peak_kinetic > 0.0 ? r->residual / r->peak_kinetic : 0.0,
      "largest difference of energy and work at a step over the highest kinetic energy");
}

static const char *words_of(enum vd_track_trouble trouble) {
  switch (trouble) {
  case VD_TRACK_FINE: break;
  case VD_TRACK_BAD_NUMBER: return "the state is no number any more";
  case VD_TRACK_BOTTOMED: return "a spring is compressed by more than its length: the car has fallen through";
  case VD_TRACK_THROUGH: return "the car has gone through the mesh";
  case VD_TRACK_OUTSIDE: return "the car has fallen off the mesh";
  }
  return "";
}

void vd_track_run(const vd_track_def *def, const vd_run_options *options, vd_output *log, vd_metrics *metrics,
                  vd_run_report *report) {
  const vd_track_run_def *run = &def->run;
  const vd_track_inputs inputs = {&def->thrust, &def->steer};
  long steps = lround(run->duration / run->step), stride = lround(fmin(1.0 / (def->log.rate * run->step), 1e15));
  vd_track_state s = def->start;
  vd_track_events events = {.flying = false};
  vd_track_view view, before;
  *report = (vd_run_report){.status = VD_SIM_OK};
  vd_track_observe(&def->car, &inputs, 0.0, &s, &view);
  record r = {.start_energy = energy_of(&view)};
  note(&r, &s, &view, &view);
  if (log)
    vd_output_puts(log, header);
  double t = 0.0;
  for (long k = 0;; k++) {
    if (log && k % stride == 0) {
      write_row(def, t, &s, &view, &r, log, options->digits);
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
