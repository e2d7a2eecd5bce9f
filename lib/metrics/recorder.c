/* The recorder: stores the quantities of a run that the metrics need, at every step. */
#include "base/elementary.h"
#include "base/memory.h"
#include "metrics/metrics_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const double vd_metric_lowest_speed = 1.0;

vd_metrics_car vd_metrics_car_of(const vd_model *m) {
  const vd_vehicle *v = &m->vehicle;
  return (vd_metrics_car){
      .wheelbase = v->wheelbase,
      .to_front = m->vehicle.masses.to_axle[VD_FRONT],
      .width = v->width,
      .ahead = m->vehicle.masses.to_axle[VD_FRONT] + v->overhang_front,
      .behind = m->vehicle.masses.to_axle[VD_REAR] + v->overhang_rear,
      .track = {v->axle[VD_FRONT].track, v->axle[VD_REAR].track},
      .cg_height = v->cg_height,
      .path = m->options.path,
  };
}

void vd_recorder_init(vd_recorder *r, bool keep) {
  *r = (vd_recorder){.keep = keep, .min_load = INFINITY, .error = {.share = NAN}};
}

void vd_recorder_finish(vd_recorder *r) {
#define FREE(need, member, type) free(r->member);
  unsigned keeps = r->keeps;
  free(r->sample);
  VD_FURTHER_SAMPLES(FREE)
  vd_recorder_init(r, r->keep);
  r->keeps = keeps;
}

void vd_recorder_reserve(vd_recorder *r, size_t capacity) {
  if (capacity <= r->capacity)
    return;
  r->sample = vd_reallocate(r->sample, capacity, sizeof *r->sample);
#define RESERVE(need, member, type)                                                                                    \
  if (r->keeps & (need))                                                                                               \
    r->member = vd_reallocate(r->member, capacity, sizeof(type));
  VD_FURTHER_SAMPLES(RESERVE)
  r->capacity = capacity;
}

/* Stores the understeer budget ten times a second. */
static void keep_budget(vd_recorder *r, const vd_row *row) {
  static const double every = 0.1;
  vd_budget_sample *budget = &r->budget[r->count];
  *budget = (vd_budget_sample){.taken = r->level >= VD_L2 && row->t >= r->budget_due};
  if (!budget->taken)
    return;
  r->budget_due = row->t + every * (1.0 - 1e-6);
  vd_understeer_at(r->model, r->command, &row->state, &row->eval, &budget->understeer);
}

/* The values that are read from every row: member, least change that counts (in the unit of the member), and views. */
static const struct {
  size_t at;
  double floor;
  unsigned view; /* the views in which the value is read */
} reads[] = {
#define READ(member, floor)                                                                                            \
  { offsetof(vd_row, member), floor, ~0u }
#define VIEW(view, member, floor)                                                                                      \
  { offsetof(vd_row, member), floor, view }
    READ(eval.steering.steer, 1e-8),
    READ(eval.steering.steering_wheel, 1e-8),
    VIEW(VD_VIEW_STEERING, eval.steering.steering_torque, 1e-7),
    READ(eval.drive.throttle, 1e-8),
    READ(eval.drive.brake, 1e-8),
    READ(eval.motion.vx, 1e-7),
    READ(eval.motion.vy, 1e-8),
    READ(state.x[VD_S_DISTANCE], 1e-7),
    VIEW(VD_VIEW_PLACE, eval.log.x, 1e-7),
    VIEW(VD_VIEW_PLACE, eval.log.y, 1e-7),
    VIEW(VD_VIEW_PLACE, eval.log.yaw, 1e-8),
    READ(eval.body.ax, 1e-7),
    READ(eval.body.ay, 1e-7),
    READ(eval.motion.yaw_rate, 1e-8),
    READ(eval.log.sideslip, 1e-9),
    VIEW(VD_VIEW_LEAN, eval.log.body_roll, 1e-9),
    VIEW(VD_VIEW_LEAN, eval.log.body_pitch, 1e-9),
    READ(eval.motion.roll_rate, 1e-8),
    READ(eval.log.path_s, 1e-7),
    READ(eval.motion.path_error, 1e-8),
    READ(eval.log.path_heading_error, 1e-9),
    READ(eval.log.tipping, 0.0),
    READ(eval.tyre.load[VD_FL], 1e-4),
    READ(eval.tyre.load[VD_FR], 1e-4),
    READ(eval.tyre.load[VD_RL], 1e-4),
    READ(eval.tyre.load[VD_RR], 1e-4),
};

void vd_recorder_choose(vd_recorder *r) {
  r->reads.count = 0;
  if (r->keeps & ~(unsigned)VD_NEEDS_WHEELS) /* samples of all kinds except `ride` need the whole row */
    return;
  for (size_t i = 0; i < VD_COUNT(reads); i++)
    if (reads[i].view == ~0u || (r->view & reads[i].view))
      vd_reads_add(reads[i].at, reads[i].floor, &r->reads);
  if (!(r->keeps & VD_NEEDS_WHEELS))
    return;
  vd_reads_add(offsetof(vd_row, eval.body.az), 1e-7, &r->reads);
  for (int i = 0; i < VD_WHEELS; i++) {
    vd_reads_add(offsetof(vd_row, eval.motion.travel) + (size_t)i * sizeof(double), 1e-9, &r->reads);
    vd_reads_add(offsetof(vd_row, eval.contact.deflection) + (size_t)i * sizeof(double), 1e-9, &r->reads);
  }
}

/* Stores the further samples of a row, for which there must be memory. */
static void keep_further(vd_recorder *r, const vd_row *row) {
  const vd_eval *e = &row->eval;
  if (r->keeps & VD_NEEDS_WHEELS) {
    vd_ride_sample *ride = &r->ride[r->count];
    ride->az = e->body.az;
    memcpy(ride->load, e->tyre.load, sizeof ride->load);
    memcpy(ride->travel, e->motion.travel, sizeof ride->travel);
    memcpy(ride->deflection, e->contact.deflection, sizeof ride->deflection);
  }
  if (r->keeps & VD_NEEDS_STUNT) {
    vd_stunt_sample *stunt = &r->stunt[r->count];
    *stunt = (vd_stunt_sample){.roll = e->log.roll,
                               .pitch = e->log.pitch,
                               .loop_angle = e->log.loop_angle,
                               .energy = e->log.energy,
                               .ledger = e->log.ledger};
    memcpy(stunt->cg, e->log.cg, sizeof stunt->cg);
    memcpy(stunt->cg_speed, e->log.cg_speed, sizeof stunt->cg_speed);
    memcpy(stunt->load, e->tyre.load, sizeof stunt->load);
  }
  if (r->keeps & VD_NEEDS_BUDGET)
    keep_budget(r, row);
  if (r->keeps & VD_NEEDS_CYCLE)
    r->cycle[r->count] = (vd_cycle_sample){e->motion.vx + e->log.speed_error};
}

void vd_peak_raise(double *peak, double value) {
  if (!isnan(*peak) && !(fabs(value) <= *peak))
    *peak = fabs(value);
}

static void add_extremes(vd_recorder *r, const vd_eval *e) {
  vd_peak_raise(&r->peak_ay, e->body.ay);
  vd_peak_raise(&r->peak_yaw_rate, e->motion.yaw_rate);
  if (fabs(e->motion.vx) >= vd_metric_lowest_speed ||
      !(vd_hypot(e->motion.vx, e->motion.vy) < vd_metric_lowest_speed)) {
    r->moved = true;
    vd_peak_raise(&r->peak_sideslip, e->log.sideslip);
  }
  if (r->level != VD_L0)
    for (int i = 0; i < VD_WHEELS; i++)
      if (!isnan(r->min_load) && !(e->tyre.load[i] >= r->min_load))
        r->min_load = e->tyre.load[i];
}

/* Adds the time since the row before to the time during which the car tips. Tipping is assumed to begin and end in the
 * middle between two rows. span: s, time since the row before. */
static void add_tipping(vd_recorder *r, const vd_eval *e, double span) {
  bool tipping = r->level != VD_L0 && r->level <= VD_L2 && !(e->log.tipping <= 0.0);
  r->tipping_time += 0.5 * span * ((tipping ? 1.0 : 0.0) + (r->tipping ? 1.0 : 0.0));
  r->tipping = tipping;
}

/* Makes the sample of a row directly in its place, because a copy would be slower: it would wait until all members are
 * stored. */
static void make_sample(const vd_row *row, vd_sample *sample) {
  const vd_eval *e = &row->eval;
  const bool place = row->view & VD_VIEW_PLACE, lean = row->view & VD_VIEW_LEAN;
  sample->t = row->t;
  sample->steer = e->steering.steer;
  sample->steering_wheel = e->steering.steering_wheel;
  sample->torque = row->view & VD_VIEW_STEERING ? e->steering.steering_torque : NAN;
  sample->throttle = e->drive.throttle;
  sample->brake = e->drive.brake;
  sample->vx = e->motion.vx;
  sample->vy = e->motion.vy;
  sample->distance = row->state.x[VD_S_DISTANCE];
  sample->x = place ? e->log.x : NAN;
  sample->y = place ? e->log.y : NAN;
  sample->yaw = place ? e->log.yaw : NAN;
  sample->ax = e->body.ax;
  sample->ay = e->body.ay;
  sample->yaw_rate = e->motion.yaw_rate;
  sample->sideslip = e->log.sideslip;
  sample->roll = lean ? e->log.body_roll : NAN;
  sample->pitch = lean ? e->log.body_pitch : NAN;
  sample->roll_rate = e->motion.roll_rate;
  sample->path_s = e->log.path_s;
  sample->path_error = e->motion.path_error;
  sample->path_heading_error = e->log.path_heading_error;
}

void vd_recorder_add(vd_recorder *r, const vd_row *row, enum vd_level level) {
  const vd_eval *e = &row->eval;
  const bool kept = r->keep && !r->unread;
  const double before = r->rows++ > 0 ? vd_recorder_last(r)->t : row->t;
  if (kept && r->count == r->capacity)
    vd_recorder_reserve(r, r->capacity ? 2 * r->capacity : 4096);
  vd_sample *sample = kept ? &r->sample[r->count] : &r->last;
  make_sample(row, sample);
  r->level = level;
  r->path |= e->log.path_s != 0.0 || e->motion.path_error != 0.0 || e->log.path_heading_error != 0.0;
  if (r->rows == 1)
    r->first = *sample;
  add_tipping(r, e, row->t - before);
  if (row->view & VD_VIEW_DETAILS) {
    vd_ledger_share_add(e, row->t, &r->ledger);
    vd_peak_raise(&r->peak_kinetic, e->log.energy_kinetic + e->log.energy_spin);
    vd_peak_raise(&r->peak_ledger, e->log.ledger);
  }
  add_extremes(r, e);
  if (r->keep && (r->keeps & (VD_NEEDS_STUNT | VD_NEEDS_CYCLE))) {
    if (r->rows == 1)
      r->first_row = *row;
    r->last_row = *row;
  }
  if (kept) {
    keep_further(r, row);
    r->count++;
  }
}
