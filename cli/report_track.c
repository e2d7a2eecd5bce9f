/* A track car for the report. */
#include "report.h"

#include "tool.h"

#include "base/elementary.h"
#include "input/schema.h"
#include "model/space.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LOG_COLUMNS = 64 };

typedef struct capture {
  vd_report_run *run;
  const vd_track_def *def;
  size_t column[VD_REPORT_CHANNELS];
  size_t stride, rows;
  double rolled, speed, t;
  double last[LOG_COLUMNS];
  size_t columns;
  bool kept;
} capture;

static double value(const capture *c, const char *name) {
  size_t count, i = 0;
  const vd_channel *table = vd_track_columns(&count);
  while (i + 1 < count && strcmp(table[i].name, name) != 0)
    i++;
  return c->last[i];
}

/* Writes the wheels. The car's wheel points are its contact points; each is connected to a corner of the car by a
 * spring. */
static void write_wheels(const capture *c, double *f) {
  const double *turn = f + VD_FRAME_TURN, back[4] = {turn[0], -turn[1], -turn[2], -turn[3]};
  const double up[3] = {0.0, 0.0, 1.0}, left[3] = {0.0, 1.0, 0.0};
  const vd_track_car *car = &c->def->car;
  double axis[3];
  vd_report_turn(turn, up, axis);
  for (int i = 0; i < VD_WHEELS; i++) {
    double *at = f + VD_FRAME_WHEEL + 3 * i, *rod = f + VD_FRAME_RODS + 6 * i, from[3];
    char name[32];
    for (int j = 0; j < 3; j++) {
      snprintf(name, sizeof name, "wheel_%s_%c_m", vd_wheel_names[i], "xyz"[j]);
      at[j] = f[VD_FRAME_CONTACT + 3 * i + j] = value(c, name);
      from[j] = at[j] - f[VD_FRAME_PLACE + j];
    }
    snprintf(name, sizeof name, "force_%s_N", vd_wheel_names[i]);
    for (int j = 0; j < 3; j++)
      f[VD_FRAME_FORCE + 3 * i + j] = value(c, name) * axis[j];
    vd_report_turn(turn, left, f + VD_FRAME_AXLE + 3 * i);
    f[VD_FRAME_ROLLED + i] = c->rolled;
    rod[0] = vd_is_front(i) ? 0.5 * car->base : -0.5 * car->base;
    rod[1] = 0.5 * vd_side_sign(i) * car->track;
    rod[2] = 0.0;
    vd_report_turn(back, from, rod + 3);
  }
}

static void add_frame(capture *c) {
  double *f = vd_rows_add(&c->run->frame);
  f[VD_FRAME_T] = value(c, "t_s");
  f[VD_FRAME_PLACE] = value(c, "x_m");
  f[VD_FRAME_PLACE + 1] = value(c, "y_m");
  f[VD_FRAME_PLACE + 2] = value(c, "z_m");
  vd_quaternion(value(c, "yaw_rad"), value(c, "pitch_rad"), value(c, "roll_rad"), f + VD_FRAME_TURN);
  write_wheels(c, f);
}

static void take_row(void *context, const double *row) {
  capture *c = context;
  memcpy(c->last, row, c->columns * sizeof *row);
  double t = value(c, "t_s"), speed = value(c, "forward_mps");
  if (c->rows > 0)
    c->rolled += 0.5 * (speed + c->speed) * (t - c->t) / c->run->shape.radius[0];
  c->speed = speed;
  c->t = t;
  double *history = vd_rows_add(&c->run->history);
  for (size_t k = 0; k < c->run->history.columns; k++)
    history[k] = row[c->column[k]];
  c->kept = c->rows++ % c->stride == 0;
  if (c->kept)
    add_frame(c);
}

/* The model has neither a body nor wheel radii: the car is drawn as a flat box over the wheelbase, with small
 * wheels. */
static void shape_car(const vd_track_car *car, vd_report_car *s) {
  s->ahead = s->behind = 0.65 * car->base;
  s->width = 1.1 * car->track;
  s->under = 0.0;
  s->over = 0.6 * car->length;
  s->seat[2] = 1.2 * car->length;
  s->weight = VD_WHEELS * car->spring.mass * VD_GRAVITY;
  s->rods = VD_WHEELS;
  for (int i = 0; i < VD_WHEELS; i++) {
    s->rod_wheel[i] = i;
    s->radius[i] = 0.25 * car->length;
    s->half_width[i] = 0.1 * car->length;
  }
}

int vd_report_track(const vd_settings *s, int source, size_t frames, vd_diag *d, vd_report_run *r) {
  vd_track_def *def = vd_arena_alloc(r->arena, sizeof *def);
  if (!vd_track_read_source(source, s->set, s->set_count, r->arena, d, def))
    return VD_EXIT_TROUBLE;
  static capture c;
  c = (capture){.run = r, .def = def};
  const vd_channel *table = vd_track_columns(&c.columns);
  r->title = def->title;
  r->car = r->level = r->inputs = "track car";
  r->mesh = def->mesh;
  r->floor = def->floor;
  shape_car(&def->car, &r->shape);
  r->frame.columns = VD_FRAME_RODS + 6 * r->shape.rods;
  r->history.columns = vd_report_channels(table, c.columns, 0, r, c.column);
  c.stride = (size_t)vd_max(1.0, ceil(vd_max(0.01, def->run.duration / (double)frames) / def->run.step - 1e-9));
  const vd_run_options options = {.values = take_row, .row_context = &c};
  vd_schema_write(&vd_track_schema, def, &r->resolved);
  vd_track_run(def, &options, NULL, &r->metrics, &r->report);
  if (!c.kept)
    add_frame(&c);
  r->set[r->sets++] = &vd_track_metrics;
  if (r->report.status != VD_SIM_OK)
    vd_buf_printf(&r->warnings, "The run ended early: %s.\n", r->report.failure);
  if (r->report.unsettled > 0)
    vd_buf_printf(&r->warnings, "In %ld substeps the wheels met and left the ground more often than can be followed.\n",
                  r->report.unsettled);
  const vd_origin from = {.tool = "vdsim-run",
                          .scenario = r->scenario,
                          .resolved = r->resolved.text,
                          .length = r->resolved.length,
                          .kind = VD_KIND_TRACK_CAR};
  vd_job_provenance(s, &from, &r->report, &r->provenance);
  if (r->report.status == VD_SIM_OK)
    return VD_EXIT_YES;
  fprintf(stderr, "%s: error: %s\n", r->scenario, r->report.failure);
  return VD_EXIT_ENDED;
}
