/* Standard pictures of a report, in the units of the field: deg, km/h, g, kN, mm. */
#include "report.h"

#include "base/elementary.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double deg = 180.0 / VD_PI, kmh = 3.6, g = 1.0 / VD_GRAVITY, kilo = 1e-3, milli = 1e3, percent = 100.0;

/* A panel with a quantity over time, for every run, or for the four wheels of the first run. */
typedef struct panel {
  const char *title, *unit;
  const double *factor; /* conversion to the unit of the panel; NULL: 1 */
  const char *y;        /* channel of a vehicle; "@" stands for the wheel: the panel shows all four */
  const char *track;    /* channel of a track car; NULL: it has none */
  bool brief;           /* shown of brief runs, too */
} panel;

static const panel panels[] = {
    {"Steering wheel angle", "deg", &deg, "steering_wheel_rad", NULL, true},
    {"Steering input", "1", NULL, NULL, "steer", false},
    {"Speed", "km/h", &kmh, "vx_mps", "forward_mps", true},
    {"Lateral acceleration", "g", &g, "ay_mps2", NULL, true},
    {"Yaw rate", "deg/s", &deg, "yaw_rate_radps", NULL, true},
    {"Side slip angle", "deg", &deg, "sideslip_rad", NULL, true},
    {"Longitudinal acceleration", "g", &g, "ax_mps2", NULL, false},
    {"Roll angle to the road", "deg", &deg, "body_roll_rad", NULL, true},
    {"Pitch angle to the road", "deg", &deg, "body_pitch_rad", NULL, false},
    {"Roll angle", "deg", &deg, NULL, "roll_rad", false},
    {"Pitch angle", "deg", &deg, NULL, "pitch_rad", false},
    {"Height", "m", NULL, "z_m", "z_m", false},
    {"Steering wheel torque", "N m", NULL, "steering_torque_Nm", NULL, false},
    {"Throttle pedal", "%", &percent, "throttle", "thrust", false},
    {"Brake pedal", "%", &percent, "brake", NULL, false},
    {"Offset from the path", "m", NULL, "path_error_m", NULL, false},
    {"Wheel loads", "kN", &kilo, "fz_@_N", "force_@_N", false},
    {"Wheel travels", "mm", &milli, "travel_@_m", "spring_@_m", false},
    {"Side forces of the tyres", "kN", &kilo, "fy_@_N", NULL, false},
    {"Longitudinal forces of the tyres", "kN", &kilo, "fx_@_N", NULL, false},
    {"Slip angles", "deg", &deg, "alpha_@_rad", NULL, false},
    {"Slip ratios", "%", &percent, "kappa_@", NULL, false},
};

/* Channels that the pictures below use besides those of the panels. */
static const char *const others[] = {"x_m", "y_m", "distance_m", "steer_actual_rad"};

/* Replaces "@" by the wheel: "fz_@_N" becomes "fz_fl_N". */
static const char *of_wheel(const char *name, int wheel, char text[48]) {
  const char *at = strchr(name, '@');
  if (!at)
    return name;
  snprintf(text, 48, "%.*s%s%s", (int)(at - name), name, vd_wheel_names[wheel], at + 1);
  return text;
}

static void add_channel(vd_report_run *r, size_t *n, const char *name) {
  for (size_t i = 0; i < *n; i++)
    if (strcmp(r->channel[i], name) == 0)
      return;
  if (*n + 1 < VD_REPORT_CHANNELS)
    r->channel[(*n)++] = vd_arena_copy(r->arena, name, strlen(name));
}

void vd_report_choose_channels(vd_report_run *r) {
  size_t n = 0;
  char text[48];
  add_channel(r, &n, "t_s");
  for (size_t i = 0; i < VD_COUNT(others); i++)
    add_channel(r, &n, others[i]);
  for (size_t i = 0; i < VD_COUNT(panels); i++)
    for (int w = 0; w < VD_WHEELS && (panels[i].brief || !r->brief); w++) {
      if (panels[i].y)
        add_channel(r, &n, of_wheel(panels[i].y, w, text));
      if (panels[i].track)
        add_channel(r, &n, of_wheel(panels[i].track, w, text));
    }
}

/* --- columns --- */

/* Allocates a column of the history times a factor; NULL if the run does not have the channel. */
static double *column(const vd_report_run *r, const char *name, double factor) {
  for (size_t k = 0; name && k < r->history.columns; k++)
    if (strcmp(r->channel[k], name) == 0) {
      double *out = vd_allocate(r->history.count + 1, sizeof *out);
      for (size_t i = 0; i < r->history.count; i++)
        out[i] = factor * vd_rows_at(&r->history, i, k);
      return out;
    }
  return NULL;
}

static bool is_track_car(const vd_report_run *r) {
  return r->mesh != NULL;
}

/* Adds a path in a plane, at evenly spaced points. A path may turn back in x, so that the selection of points by the
 * extremes of y for each x would not show it. */
static void add_course(vd_picture *p, const char *name, int hue, const double *x, const double *y, size_t count) {
  enum { POINTS = 400 };
  double thin[2][POINTS];
  size_t n = count < POINTS ? count : POINTS;
  for (size_t i = 0; i < n; i++) {
    size_t at = n > 1 ? i * (count - 1) / (n - 1) : 0;
    thin[0][i] = x[at];
    thin[1][i] = y[at];
  }
  vd_plot_add(p, VD_STROKE_RUN, name, hue, thin[0], thin[1], n);
}

/* Returns the name of a run in the legend, shortened with dots for what is left out. A single run has no name. */
static const char *name_of(const vd_report_run *r, char text[48]) {
  enum { EXCERPT = 38 };
  const char *name = r->name ? r->name : "";
  size_t n = strlen(name);
  bool whole = n <= EXCERPT;
  if (!whole)
    /* does not cut inside a UTF-8 character */
    for (n = EXCERPT - 1; n > 0 && ((unsigned char)name[n] & 0xC0u) == 0x80u;)
      n--;
  snprintf(text, 48, "%.*s%s", (int)n, name, whole ? "" : "…");
  return text;
}

/* --- over time --- */

static bool changes(const double *y, size_t count) {
  for (size_t i = 1; i < count; i++)
    if (y[i] != y[0])
      return true;
  return false;
}

static void draw_panel(const panel *one, const vd_report_run *run, size_t count, vd_buf *out) {
  const char *channel = is_track_car(run) ? one->track : one->y;
  char text[48], title[96];
  bool any = false, of_first = count > 1 && channel && strchr(channel, '@');
  snprintf(title, sizeof title, "%s%s%s", one->title, of_first ? ": " : "", of_first ? name_of(run, text) : "");
  vd_picture p = vd_plot_begin(title, "time", "s", one->unit);
  p.clock = !run->brief;
  for (size_t i = 0; i < count && p.count < VD_PICTURE_SERIES; i++) {
    const char *y = is_track_car(&run[i]) ? one->track : one->y;
    bool four = y && strchr(y, '@');
    double *t = column(&run[i], "t_s", 1.0);
    for (int w = 0; w < (four ? VD_WHEELS : 1) && y && !(four && i > 0); w++) {
      double *value = column(&run[i], of_wheel(y, w, text), one->factor ? *one->factor : 1.0);
      if (!value)
        continue;
      any |= changes(value, run[i].history.count);
      vd_plot_add(&p, VD_STROKE_RUN, four ? vd_wheel_words[w] : name_of(&run[i], text), four ? w + 1 : run[i].hue, t,
                  value, run[i].history.count);
      free(value);
    }
    free(t);
  }
  if (any)
    vd_plot_end(&p, out);
  else
    vd_picture_finish(&p);
}

void vd_report_histories(const vd_report_run *run, size_t count, vd_buf *out) {
  for (size_t i = 0; i < VD_COUNT(panels); i++)
    if (panels[i].brief || !run->brief)
      draw_panel(&panels[i], run, count, out);
}

/* --- in a plane --- */

static void draw_plane(const char *title, const char *x, const char *y, const char *x_name, const char *unit,
                       double factor, const vd_report_run *run, size_t count, vd_buf *out) {
  vd_picture p = vd_plot_begin(title, x_name, unit, unit);
  char text[48];
  bool any = false;
  p.equal = true;
  for (size_t i = 0; i < count && p.count + 1 < VD_PICTURE_SERIES; i++) {
    double *along = column(&run[i], x, factor), *across = column(&run[i], y, factor);
    if (along && across && (changes(along, run[i].history.count) || changes(across, run[i].history.count))) {
      any = true;
      add_course(&p, name_of(&run[i], text), run[i].hue, along, across, run[i].history.count);
    }
    free(along);
    free(across);
  }
  const vd_rows *cone = &run->cone;
  if (any && cone->count > 0 && strcmp(y, "y_m") == 0) {
    double *at = vd_allocate(2 * cone->count, sizeof *at);
    for (size_t i = 0; i < cone->count; i++) {
      at[i] = vd_rows_at(cone, i, 0);
      at[cone->count + i] = vd_rows_at(cone, i, 1);
    }
    vd_plot_add(&p, VD_STROKE_POINTS, "cones", 6, at, at + cone->count, cone->count < 400 ? cone->count : 400);
    free(at);
  }
  if (any)
    vd_plot_end(&p, out);
}

static bool has_set(const vd_report_run *r, const char *key) {
  for (size_t i = 0; i < r->sets; i++)
    if (r->set[i] && strcmp(r->set[i]->key, key) == 0)
      return true;
  return false;
}

/* Draws the steering wheel angle over lateral acceleration. Rows that are not steady-state are left out: those with |ay
 * - v r|, the rate of change of the lateral velocity, above 0.02 g, as on entering a turn. */
static void draw_handling(const vd_report_run *run, size_t count, vd_buf *out) {
  vd_picture p = vd_plot_begin("Handling diagram: steering wheel angle", "lateral acceleration", "g", "deg");
  char text[48];
  for (size_t i = 0; i < count && p.count < VD_PICTURE_SERIES; i++) {
    double *a = column(&run[i], "ay_mps2", g), *v = column(&run[i], "vx_mps", 1.0);
    double *r = column(&run[i], "yaw_rate_radps", g), *s = column(&run[i], "steering_wheel_rad", deg);
    size_t n = 0;
    for (size_t k = 0; a && v && r && s && k < run[i].history.count; k++)
      if (fabs(a[k] - v[k] * r[k]) < 0.02 && fabs(a[k]) > 0.02) {
        a[n] = fabs(a[k]);
        s[n++] = copysign(s[k], s[k] * r[k]);
      }
    if (n > 1)
      add_course(&p, name_of(&run[i], text), run[i].hue, a, s, n);
    free(a);
    free(v);
    free(r);
    free(s);
  }
  vd_plot_end(&p, out);
}

static double metric_of(const vd_report_run *r, const char *name) {
  const vd_metric *m = vd_metric_called(&r->metrics, name);
  return m ? m->value : NAN;
}

/* The parts of the gradient that have a size, one run below the other. */
void vd_report_budget(const vd_report_run *run, size_t count, vd_buf *out) {
  static const vd_plot_part causes[] = {
#define VD_ROW(id, key, short_name, words) {short_name, 0.0},
      VD_UNDERSTEER_LIST(VD_ROW)
#undef VD_ROW
  };
  static const char *const names[] = {
#define VD_ROW(id, key, short_name, words) "understeer_by_" key "_deg_per_g",
      VD_UNDERSTEER_LIST(VD_ROW)
#undef VD_ROW
  };
  char text[48], title[96];
  for (size_t i = 0; i < count; i++) {
    vd_plot_part part[VD_COUNT(causes) + 1],
        whole = {"understeer gradient", metric_of(&run[i], "budget_gradient_deg_per_g")};
    size_t n = 0;
    for (size_t k = 0; k < VD_COUNT(causes); k++) {
      part[n] = (vd_plot_part){causes[k].name, metric_of(&run[i], names[k])};
      n += fabs(part[n].value) >= 5e-3;
    }
    part[n++] = (vd_plot_part){"rest", metric_of(&run[i], "budget_rest_deg_per_g")};
    snprintf(title, sizeof title, "Understeer budget%s%s", count > 1 ? ": " : "", name_of(&run[i], text));
    if (isfinite(part[n - 1].value))
      vd_plot_parts(title, "deg/g", part, n, &whole, out);
  }
}

/* Draws a quantity divided by its steady value, from the instant at which half of the steering input is reached, with
 * the response times of the metrics: to 90 % of the steady value, and to the peak. */
static void draw_step(const char *title, const char *channel, const char *stem, const char *unit,
                      const vd_report_run *run, size_t count, vd_buf *out) {
  vd_picture p = vd_plot_begin(title, "time from half the steering", "s", "1");
  char text[48], name[64];
  for (size_t i = 0; i < count && p.count + 2 < VD_PICTURE_SERIES; i++) {
    const vd_report_run *r = &run[i];
    double *t = column(r, "t_s", 1.0), *steer = column(r, "steer_actual_rad", 1.0), *y = column(r, channel, 1.0);
    size_t n = 0, last = r->history.count, half = 0;
    snprintf(name, sizeof name, "%s_steady_%s", stem, unit);
    double steady = metric_of(r, name);
    while (steer && half < last && !(fabs(steer[half]) >= 0.5 * fabs(steer[last - 1])))
      half++;
    double start = t && half < last ? t[half] : NAN;
    for (size_t k = 0; t && y && k < last; k++)
      if (t[k] - start > -0.5 && t[k] - start < 3.0) {
        y[n] = y[k] / steady;
        t[n++] = t[k] - start;
      }
    if (n > 1 && isfinite(steady)) {
      int hue = run[i].hue;
      vd_plot_add(&p, VD_STROKE_RUN, name_of(&run[i], text), hue, t, y, n);
      snprintf(name, sizeof name, "%s_response_time_s", stem);
      double response = metric_of(r, name);
      snprintf(name, sizeof name, "%s_peak_response_time_s", stem);
      double peak = metric_of(r, name);
      snprintf(name, sizeof name, "%s_overshoot", stem);
      const double x[] = {response, peak}, at[] = {0.9, 1.0 + metric_of(r, name)};
      if (isfinite(response))
        vd_plot_add(&p, VD_STROKE_MARKS, count == 1 ? "response times" : "", hue, x, at, isfinite(peak) ? 2 : 1);
    }
    free(t);
    free(steer);
    free(y);
  }
  if (p.count > 0)
    vd_picture_level(&p, VD_STROKE_LIMIT, "90 %", -0.5, 3.0, 0.9);
  vd_plot_end(&p, out);
}

static void draw_over_distance(const vd_report_run *run, size_t count, vd_buf *out) {
  vd_picture p = vd_plot_begin("Speed over distance", "distance", "m", "km/h");
  char text[48];
  for (size_t i = 0; i < count && p.count < VD_PICTURE_SERIES; i++) {
    double *s = column(&run[i], "distance_m", 1.0), *v = column(&run[i], "vx_mps", kmh);
    if (s && v)
      vd_plot_add(&p, VD_STROKE_RUN, name_of(&run[i], text), run[i].hue, s, v, run[i].history.count);
    free(s);
    free(v);
  }
  vd_plot_end(&p, out);
}

static void draw_cross(const vd_report_run *run, size_t count, const char *title, const char *channel, double factor,
                       const char *unit, vd_buf *out) {
  vd_picture p = vd_plot_begin(title, "steering wheel angle", "deg", unit);
  char text[48];
  for (size_t i = 0; i < count && p.count < VD_PICTURE_SERIES; i++) {
    double *s = column(&run[i], "steering_wheel_rad", deg), *y = column(&run[i], channel, factor);
    if (s && y)
      add_course(&p, name_of(&run[i], text), run[i].hue, s, y, run[i].history.count);
    free(s);
    free(y);
  }
  vd_plot_end(&p, out);
}

/* Draws the gain or the phase of an output over frequency, for all runs that have the same outputs. */
static void draw_response(const vd_report_run *run, size_t count, size_t output, bool phase, vd_buf *out) {
  const char *name = run[0].response_def->outputs.name[output], *input = run[0].response_def->input;
  char title[64], under[32], text[48];
  snprintf(title, sizeof title, "%s of %.34s", phase ? "Phase" : "Gain", name);
  snprintf(under, sizeof under, "by %.22s", input);
  vd_picture p = vd_plot_begin(title, under, "Hz", phase ? "deg" : "SI");
  p.log_x = true;
  for (size_t i = 0; i < count && p.count < VD_PICTURE_SERIES; i++) {
    const vd_rows *rows = &run[i].response;
    if (rows->columns != run[0].response.columns || rows->count == 0)
      continue;
    double *f = vd_allocate(2 * rows->count, sizeof *f), *y = f + rows->count;
    for (size_t k = 0; k < rows->count; k++) {
      f[k] = vd_rows_at(rows, k, 0);
      y[k] = vd_rows_at(rows, k, 1 + 3 * output + phase);
    }
    vd_plot_add(&p, VD_STROKE_RUN, name_of(&run[i], text), run[i].hue, f, y, rows->count);
    free(f);
  }
  vd_plot_end(&p, out);
}

/* Draws the path from above, and from the side if it is not level. */
static void draw_paths(const vd_report_run *run, size_t count, vd_buf *out) {
  draw_plane("Path from above: y", "x_m", "y_m", "x", "m", 1.0, run, count, out);
  double *z = column(&run[0], "z_m", 1.0), low = INFINITY, high = -INFINITY;
  for (size_t i = 0; z && i < run[0].history.count; i++) {
    low = vd_min(low, z[i]);
    high = vd_max(high, z[i]);
  }
  free(z);
  if (high - low > 0.5)
    draw_plane("Path from the side: height", "x_m", "z_m", "x", "m", 1.0, run, count, out);
}

void vd_report_pictures(const vd_report_run *run, size_t count, vd_buf *out) {
  bool brief = run->brief;
  if (!brief || has_set(run, "braking_in_turn") || has_set(run, "power_off") || has_set(run, "lane_change"))
    draw_paths(run, count, out);
  if (!brief && !is_track_car(&run[0]))
    draw_plane("Accelerations g-g: lateral", "ax_mps2", "ay_mps2", "longitudinal", "g", g, run, count, out);
  if (has_set(&run[0], "steady_circular") || has_set(&run[0], "slowly_increasing_steer"))
    draw_handling(run, count, out);
  if (!brief && has_set(&run[0], "understeer_budget"))
    vd_report_budget(run, count, out);
  if (has_set(&run[0], "step_steer")) {
    draw_step("Yaw rate over its steady value", "yaw_rate_radps", "yaw_rate", "radps", run, count, out);
    draw_step("Lateral acceleration likewise", "ay_mps2", "ay", "mps2", run, count, out);
  }
  for (size_t k = 0; run[0].response.count > 0 && k < run[0].response_def->outputs.count; k++)
    for (int phase = 0; phase < 2; phase++)
      draw_response(run, count, k, phase, out);
  if (has_set(&run[0], "on_centre") || has_set(&run[0], "sine_with_dwell") || has_set(&run[0], "sine_steer")) {
    draw_cross(run, count, "Cross plot: yaw rate", "yaw_rate_radps", deg, "deg/s", out);
    draw_cross(run, count, "Cross plot: lateral acceleration", "ay_mps2", g, "g", out);
  }
  if (has_set(&run[0], "stopping") || has_set(&run[0], "braking") || has_set(&run[0], "split_friction") ||
      has_set(&run[0], "acceleration"))
    draw_over_distance(run, count, out);
}
