/* Envelopes, moment diagrams and laps for the report: pictures instead of a viewer. */
#include "report.h"

#include "tool.h"

#include "base/elementary.h"
#include "run/subject.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double deg = 180.0 / VD_PI, kmh = 3.6, g = 1.0 / VD_GRAVITY;

enum { POINTS = 380 }; /* number of points of a series, which are drawn as they are */

/* Points of a series, in which NAN interrupts the line. */
typedef struct points {
  double x[POINTS], y[POINTS];
  size_t count;
} points;

static void add(points *p, double x, double y) {
  if (p->count == POINTS)
    return;
  p->x[p->count] = x;
  p->y[p->count++] = y;
}

static void draw(vd_picture *p, enum vd_stroke stroke, const char *name, int hue, const points *of) {
  if (of->count > 0)
    vd_plot_add(p, stroke, name, hue, of->x, of->y, of->count);
}

static size_t column(enum vd_kind kind, const char *name) {
  size_t count, i = 0;
  const vd_channel *table = vd_kind_channels(kind, &count);
  while (strcmp(table[i].name, name) != 0)
    i++;
  return i;
}

static double at(const vd_report_run *r, enum vd_kind kind, size_t row, const char *name) {
  return vd_rows_at(&r->history, row, column(kind, name));
}

/* --- envelope --- */

/* Draws the boundaries at up to five speeds of the first road. */
static void draw_gg(const vd_report_run *r, size_t directions, size_t speeds, vd_buf *out) {
  enum { LINES = VD_PICTURE_SERIES };
  vd_picture p = vd_plot_begin("g-g diagram: along over across", "lateral acceleration, left", "g", "g");
  size_t lines = speeds < LINES ? speeds : LINES;
  p.equal = true;
  for (size_t k = 0; k < lines; k++) {
    size_t first = (lines > 1 ? k * (speeds - 1) / (lines - 1) : 0) * directions;
    points of = {.count = 0};
    char name[32];
    for (size_t i = 0; i <= directions; i++)
      add(&of, g * at(r, VD_KIND_ENVELOPE, first + i % directions, "across_mps2"),
          g * at(r, VD_KIND_ENVELOPE, first + i % directions, "along_mps2"));
    snprintf(name, sizeof name, "%.0f km/h", kmh * at(r, VD_KIND_ENVELOPE, first, "speed_mps"));
    draw(&p, VD_STROKE_RUN, name, (int)k + 1, &of);
  }
  vd_plot_end(&p, out);
}

/* Draws a column of three directions over speed. */
static void draw_over_speed(const vd_report_run *r, size_t directions, size_t speeds, vd_buf *out) {
  static const struct {
    const char *name, *column;
    size_t quarter;
    double sign;
  } line[] = {{"lateral", "across_mps2", 1, 1.0}, {"drive", "along_mps2", 0, 1.0}, {"brake", "along_mps2", 2, -1.0}};
  vd_picture p = vd_plot_begin("Limits over speed", "speed", "km/h", "g");
  for (size_t k = 0; k < VD_COUNT(line); k++) {
    points of = {.count = 0};
    for (size_t i = 0; i < speeds; i++) {
      size_t row = i * directions + line[k].quarter * directions / 4;
      add(&of, kmh * at(r, VD_KIND_ENVELOPE, row, "speed_mps"),
          g * line[k].sign * at(r, VD_KIND_ENVELOPE, row, line[k].column));
    }
    draw(&p, VD_STROKE_RUN, line[k].name, (int)k + 1, &of);
  }
  vd_plot_end(&p, out);
  p = vd_plot_begin("At the lateral limit", "speed", "km/h", "deg");
  for (int k = 0; k < 2; k++) {
    points of = {.count = 0};
    for (size_t i = 0; i < speeds; i++)
      add(&of, kmh * at(r, VD_KIND_ENVELOPE, i * directions, "speed_mps"),
          deg * at(r, VD_KIND_ENVELOPE, i * directions + directions / 4, k == 0 ? "side_slip_rad" : "steer_rad"));
    draw(&p, VD_STROKE_RUN, k == 0 ? "side slip" : "steer of the road wheels", k + 1, &of);
  }
  vd_plot_end(&p, out);
}

static void draw_envelope(const vd_limits_def *def, const vd_report_run *r, vd_buf *out) {
  size_t directions = (size_t)def->car.directions, speeds = (size_t)vd_rig_axis_count(&def->car.speeds);
  draw_gg(r, directions, speeds, out);
  if (speeds > 1)
    draw_over_speed(r, directions, speeds, out);
}

/* --- moment diagram --- */

/* Returns the row of a slip and a steer. The rows of successive steers go through the slips in opposite orders. */
static size_t row_of(size_t slips, size_t slip, size_t steer) {
  return steer * slips + (steer % 2 == 0 ? slip : slips - 1 - slip);
}

/* Finds lines of constant steer or slip; if there are many, only some of them. */
static void carpet(const vd_report_run *r, size_t slips, size_t steers, bool by_steer, points *of) {
  size_t lines = by_steer ? steers : slips, along = by_steer ? slips : steers;
  size_t every = 1 + lines * (along + 1) / POINTS;
  for (size_t k = 0; k < lines; k += every) {
    for (size_t i = 0; i < along; i++) {
      size_t row = by_steer ? row_of(slips, i, k) : row_of(slips, k, i);
      add(of, g * at(r, VD_KIND_DIAGRAM, row, "ay_mps2"), at(r, VD_KIND_DIAGRAM, row, "cn"));
    }
    add(of, NAN, NAN);
  }
}

static void draw_diagram(const vd_limits_def *def, const vd_report_run *r, vd_buf *out) {
  size_t slips = (size_t)vd_rig_axis_count(&def->slip), steers = (size_t)vd_rig_axis_count(&def->steer);
  char title[64];
  snprintf(title, sizeof title, "Moment diagram at %.0f km/h: Cn", kmh * def->speed);
  vd_picture p = vd_plot_begin(title, "lateral acceleration, left", "g", "1");
  points of = {.count = 0}, other = {.count = 0}, limit = {.count = 0};
  carpet(r, slips, steers, true, &of);
  carpet(r, slips, steers, false, &other);
  draw(&p, VD_STROKE_RUN, "constant steer", 1, &of);
  draw(&p, VD_STROKE_RUN, "constant side slip", 2, &other);
  const vd_metric *trimmed = vd_metric_called(&r->metrics, "trim_ay_max_mps2");
  for (int side = -1; side <= 1 && trimmed && isfinite(trimmed->value); side += 2)
    add(&limit, g * side * trimmed->value, 0.0);
  draw(&p, VD_STROKE_MARKS, "trimmed limits", 3, &limit);
  vd_plot_picture(&p, out);
  vd_picture_finish(&p);
}

/* --- lap --- */

/* Draws the edges of the track, one after the other. */
static void draw_edges(const vd_limits_def *def, vd_picture *p) {
  enum { EACH = POINTS / 2 - 1 };
  points edges = {.count = 0};
  double room[2];
  for (int side = 0; side < 2 && vd_racing_room(def, 0.0, room); side++) {
    for (int i = 0; i < EACH; i++) {
      vd_path_point at;
      vd_path_at(&def->track, def->track.length * i / (EACH - 1), &at);
      vd_racing_room(def, at.s, room);
      double aside = side == 0 ? room[0] : -room[1];
      add(&edges, at.x - aside * vd_sin(at.heading), at.y + aside * vd_cos(at.heading));
    }
    add(&edges, NAN, NAN);
  }
  draw(p, VD_STROKE_RUN, "edges of the track", 6, &edges);
}

/* Draws the line between the edges of the track. What limits the speed is in another picture, that of the table. */
static void draw_map(const vd_limits_def *def, const vd_report_run *r, vd_buf *out) {
  vd_picture p = vd_plot_begin("The line within the edges of the track", "x", "m", "m");
  points line = {.count = 0};
  double room[2];
  if (!vd_racing_room(def, 0.0, room))
    return;
  p.equal = true;
  draw_edges(def, &p);
  const size_t rows = r->history.count, every = 1 + rows / POINTS;
  for (size_t i = 0; i < rows; i += every)
    add(&line, at(r, VD_KIND_LAP, i, "x_m"), at(r, VD_KIND_LAP, i, "y_m"));
  draw(&p, VD_STROKE_RUN, "line", 1, &line);
  vd_plot_end(&p, out);
}

/* --- the job --- */

static void take_row(void *context, const double *value) {
  vd_report_run *r = context;
  memcpy(vd_rows_add(&r->history), value, r->history.columns * sizeof *value);
}

int vd_report_limits(const vd_settings *s, enum vd_kind kind, int source, vd_diag *d, vd_report_run *r) {
  vd_subject subject;
  static vd_outcome outcome;
  if (!vd_subject_read(kind, source, s->set, s->set_count, r->arena, d, &r->resolved, &subject))
    return VD_EXIT_TROUBLE;
  const vd_limits_def *def = subject.as.limits;
  r->title = def->title;
  r->inputs = vd_kinds[kind].name;
  r->car = def->scenario && *def->scenario->vehicle.name ? def->scenario->vehicle.name : vd_kinds[kind].name;
  r->level = def->scenario ? vd_level_names[def->car.level] : r->car;
  r->inputs = vd_kinds[kind].name;
  const vd_channel *channel = vd_kind_channels(kind, &r->history.columns);
  for (size_t i = 0; i < r->history.columns; i++)
    r->channel[i] = channel[i].name;
  const vd_run_options options = {.values = take_row, .row_context = r};
  bool good = vd_subject_run(&subject, &options, NULL, r->arena, &outcome);
  r->metrics = outcome.metrics;
  r->report = outcome.report;
  r->set[r->sets++] = vd_kinds[kind].set[0];
  if (good && kind == VD_KIND_ENVELOPE)
    draw_envelope(def, r, &r->drawn);
  else if (good && kind == VD_KIND_DIAGRAM)
    draw_diagram(def, r, &r->drawn);
  else if (good)
    draw_map(def, r, &r->drawn);
  else
    vd_buf_printf(&r->warnings, "There is no result: %s.\n", outcome.failure);
  const vd_origin from = {.tool = "vdsim-run",
                          .scenario = r->scenario,
                          .resolved = r->resolved.text,
                          .length = r->resolved.length,
                          .kind = kind};
  vd_job_provenance(s, &from, &r->report, &r->provenance);
  if (good)
    return VD_EXIT_YES;
  fprintf(stderr, "%s: error: %s\n", r->scenario, outcome.failure);
  return VD_EXIT_ENDED;
}
