/* The run of a vehicle for the report, frame by frame. */
#include "report.h"

#include "html.h"
#include "rods.h"
#include "tool.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/vec.h"
#include "input/schema.h"
#include "model/space.h"
#include "run/subject.h"
#include "linkage/linkage_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An axle or a wheel whose linkage is drawn. */
typedef struct linked {
  const vd_linkage *linkage;
  const vd_linkage_map *map;
  int wheel; /* index of the wheel; for an axle with both wheels on one body, the left one */
  bool right;
  double from[3]; /* m, added to coordinates in the chassis' axes of the suspension file to get those in body axes */
  vd_pose pose;   /* pose in the previous frame, from which the solver starts */
} linked;

typedef struct capture {
  vd_report_run *run;
  const vd_scenario_def *def;
  const vd_model *model;
  size_t column[VD_REPORT_CHANNELS]; /* rows of the channel table */
  size_t stride, rows;               /* rows from one frame to the next; rows so far */
  size_t kept_stride;                /* rows from one row of the history to the next */
  double rolled[VD_WHEELS], spin[VD_WHEELS], t;
  vd_row last;   /* the latest row */
  double *frame; /* memory of a frame */
  bool kept;     /* `last' has been kept as a frame */
  linked link[VD_WHEELS];
  size_t links;
} capture;

void vd_report_turn(const double *q, const double *v, double *out) {
  double t[3], u[3];
  vd_cross(q + 1, v, t);
  for (int j = 0; j < 3; j++)
    t[j] = 2.0 * t[j];
  vd_cross(q + 1, t, u);
  for (int j = 0; j < 3; j++)
    out[j] = v[j] + q[0] * t[j] + u[j];
}

/* --- rods --- */

/* Returns the number of rods and writes both ends of each, in body axes; out NULL: only counts. */
static size_t rods_of(const linked *k, double (*out)[6]) {
  size_t count = vd_rods_of(k->linkage, &k->pose, out);
  for (size_t n = 0; out && n < count; n++)
    for (int j = 0; j < 6; j++)
      out[n][j] = (k->right && j % 3 == 1 ? -1.0 : 1.0) * (out[n][j] + k->from[j % 3]);
  return count;
}

/* Moves the linkage from its pose in the previous frame. If no pose can be found it keeps the last one: the run uses a
 * map of the linkage, and can go on without a pose. */
static void move_link(linked *k, const vd_eval *e) {
  double rack = e->steering.rack[vd_axle_of(k->wheel)];
  if (k->map->joined) {
    const double travel[2] = {e->motion.travel[k->wheel], e->motion.travel[k->wheel + 1]};
    vd_linkage_move_racked(k->linkage, travel, k->map->knuckle ? rack : 0.0, &k->pose);
  } else {
    const double u[VD_INPUTS] = {e->motion.travel[k->wheel], k->right ? -rack : rack};
    vd_linkage_move(k->linkage, u, &k->pose);
  }
}

static void find_links(capture *c) {
  const vd_model *m = c->model;
  if (!vd_model_linked(m))
    return;
  for (int i = 0; i < VD_WHEELS; i++) {
    const vd_linkage_map *map = m->vehicle.axle[vd_axle_of(i)].map;
    bool right = vd_is_right(i);
    if (right && map)
      map = map->right ? map->right : map;
    if (!map || !map->linkage || (map->joined && right))
      continue;
    linked *k = &c->link[c->links];
    *k = (linked){.linkage = map->linkage, .map = map, .wheel = i, .right = right};
    const double *wheel = map->linkage->points.wheel_center;
    const double at[3] = {m->lanes.x[i], fabs(m->lanes.y[i]), m->ride.wheel_z[i]};
    for (int j = 0; j < 3; j++)
      k->from[j] = at[j] - wheel[j];
    vd_linkage_start(k->linkage, &k->pose);
    vd_report_car *shape = &c->run->shape;
    size_t rods = rods_of(k, NULL);
    if (shape->rods + rods > VD_REPORT_RODS)
      continue;
    for (size_t n = 0; n < rods; n++)
      shape->rod_wheel[shape->rods++] = i;
    c->links++;
  }
}

/* --- frames --- */

/* Computes the normal of the road under a wheel, from the tyre's state: n = u d + l a with d the unit vector in the
 * wheel plane from the contact point to the wheel centre, a the axle's unit vector, and l and u the sine and cosine of
 * the inclination angle. */
static void normal_at(const capture *c, const vd_eval *e, int i, const double *down, double *normal) {
  double length = vd_norm(down);
  for (int j = 0; j < 3; j++)
    normal[j] =
        c->model->options.level < VD_L3 || !(length > 0.0)
            ? c->model->ground.normal[j]
            : -e->contact.cos_inclination[i] * down[j] / length + e->contact.sin_inclination[i] * e->log.axle[j][i];
}

static void write_wheel(const capture *c, const vd_eval *e, int i, double *f) {
  double *wheel = f + VD_FRAME_WHEEL + 3 * i, *axle = f + VD_FRAME_AXLE + 3 * i;
  double *contact = f + VD_FRAME_CONTACT + 3 * i, *force = f + VD_FRAME_FORCE + 3 * i;
  double down[3], normal[3], ahead[3], aside[3];
  const double at[3] = {e->contact.contact_x[i], e->contact.contact_y[i], e->contact.contact_z[i]};
  for (int j = 0; j < 3; j++) {
    wheel[j] = e->log.wheel[j][i];
    axle[j] = e->log.axle[j][i];
    contact[j] = c->model->options.level < VD_L3
                     ? wheel[j] - c->model->vehicle.axle[vd_axle_of(i)].loaded_radius * c->model->ground.normal[j]
                     : at[j];
    down[j] = contact[j] - wheel[j];
  }
  normal_at(c, e, i, down, normal);
  vd_cross(axle, normal, ahead);
  double length = vd_norm(ahead);
  for (int j = 0; j < 3; j++)
    ahead[j] = length > 0.0 ? ahead[j] / length : 0.0;
  vd_cross(normal, ahead, aside);
  bool loaded = c->model->options.level != VD_L0 && e->tyre.load[i] > 0.0;
  for (int j = 0; j < 3; j++)
    force[j] = loaded ? e->tyre.fx[i] * ahead[j] + e->tyre.fy[i] * aside[j] + e->tyre.load[i] * normal[j] : 0.0;
  f[VD_FRAME_ROLLED + i] = c->rolled[i];
}

/* Keeps a row as a frame. */
static void add_frame(capture *c, const vd_row *row) {
  const vd_eval *e = &row->eval;
  double *f = c->frame;
  f[VD_FRAME_T] = row->t;
  f[VD_FRAME_PLACE] = e->log.x;
  f[VD_FRAME_PLACE + 1] = e->log.y;
  f[VD_FRAME_PLACE + 2] = e->log.z;
  if (c->model->options.level < VD_L3)
    vd_quaternion(e->log.yaw, e->log.pitch, e->log.roll, f + VD_FRAME_TURN);
  else
    memcpy(f + VD_FRAME_TURN, e->log.quaternion, 4 * sizeof *f);
  for (int i = 0; i < VD_WHEELS; i++)
    write_wheel(c, e, i, f);
  double(*rod)[6] = (double(*)[6])(f + VD_FRAME_RODS);
  for (size_t k = 0; k < c->links; k++) {
    move_link(&c->link[k], e);
    rod += rods_of(&c->link[k], rod);
  }
  memcpy(vd_rows_add(&c->run->frame), f, c->run->frame.columns * sizeof *f);
}

static void take_row(void *context, const vd_row *row) {
  capture *c = context;
  size_t count;
  const vd_channel *table = vd_channel_table(&count);
  vd_report_run *r = c->run;
  for (int i = 0; i < VD_WHEELS; i++) {
    if (c->rows > 0)
      c->rolled[i] += 0.5 * (c->spin[i] + row->eval.motion.omega[i]) * (row->t - c->t);
    c->spin[i] = row->eval.motion.omega[i];
  }
  c->t = row->t;
  double *history = c->rows % c->kept_stride == 0 ? vd_rows_add(&r->history) : NULL;
  for (size_t k = 0; history && k < r->history.columns; k++)
    history[k] = vd_channel_value(&table[c->column[k]], row);
  c->kept = c->rows++ % c->stride == 0 || r->brief;
  if (r->brief)
    return;
  if (c->kept)
    add_frame(c, row);
  else
    c->last = *row;
}

/* --- the car --- */

/* Makes a box with the proportions of a saloon car, and the position of the driver's eyes, because the files do not
 * have them. The roof is at 0.53 of the wheelbase above the road, the floor at half a wheel radius; the eyes are at
 * 0.81 of the roof's height, midway between the axles, and a fifth of the width left of the middle. */
static void shape_car(const vd_model *m, vd_report_car *s) {
  const vd_metrics_car car = vd_metrics_car_of(m);
  double roof = 0.53 * car.wheelbase;
  s->ahead = car.ahead;
  s->behind = car.behind;
  s->width = car.width;
  s->over = roof - car.cg_height;
  s->under = 0.5 * m->vehicle.axle[VD_FRONT].loaded_radius - car.cg_height;
  s->seat[0] = car.to_front - 0.5 * car.wheelbase;
  s->seat[1] = 0.2 * car.width;
  s->seat[2] = 0.81 * roof - car.cg_height;
  s->weight = m->vehicle.masses.total * VD_GRAVITY;
  for (int i = 0; i < VD_WHEELS; i++) {
    s->radius[i] = m->options.level < VD_L3 ? m->vehicle.axle[vd_axle_of(i)].loaded_radius : m->ride.free_radius[i];
    s->half_width[i] = 0.33 * s->radius[i];
  }
}

size_t vd_report_channels(const vd_channel *table, size_t count, unsigned level, vd_report_run *r, size_t *index) {
  size_t n = 0;
  for (size_t k = 0; k < VD_REPORT_CHANNELS && r->channel[k]; k++)
    for (size_t i = 0; i < count; i++)
      if (strcmp(table[i].name, r->channel[k]) == 0 && (!table[i].levels || table[i].levels & VD_WHEN(level))) {
        r->channel[n] = table[i].name;
        index[n++] = i;
      }
  r->channel[n < VD_REPORT_CHANNELS ? n : n - 1] = NULL;
  return n;
}

static void add_warnings(const vd_report_run *r, const vd_recorder *recorder, vd_buf *out) {
  if (r->report.status != VD_SIM_OK)
    vd_buf_printf(out, "The run ended early: %s.\n", r->report.failure);
  if (*r->report.doubt)
    vd_buf_printf(out, "%s\n", r->report.doubt);
  if (recorder->tipping_time > 0.0)
    vd_buf_printf(out,
                  "The car would roll over, tip over an axle or take off: for %.3g s no wheel loads balance the "
                  "moments.\n",
                  recorder->tipping_time);
}

static void take_response(void *context, const double *row) {
  vd_rows *rows = context;
  memcpy(vd_rows_add(rows), row, rows->columns * sizeof *row);
}

/* Stores the conditions of the standard, and the values that the run had. */
static void keep_conditions(const vd_scenario_def *def, vd_report_run *r) {
  const vd_condition_def *wanted = def->conditions.item;
  vd_report_condition *kept = vd_arena_alloc(r->arena, def->conditions.count * sizeof *kept);
  for (size_t i = 0; i < def->conditions.count; i++) {
    const vd_metric *m = vd_metric_called(&r->metrics, wanted[i].metric);
    vd_buf miss = {0};
    vd_condition_miss(&wanted[i], &r->metrics, &miss);
    kept[i] = (vd_report_condition){.metric = wanted[i].metric,
                                    .unit = m ? m->unit : "1",
                                    .by = wanted[i].by,
                                    .at_least = wanted[i].at_least,
                                    .at_most = wanted[i].at_most,
                                    .value = m ? m->value : NAN,
                                    .missed = !m || miss.length > 0};
    vd_buf_finish(&miss);
  }
  r->condition = kept;
  r->conditions = def->conditions.count;
}

/* Names the types of the inputs and of the path. */
static const char *inputs_of(const vd_scenario_def *def, vd_arena *arena) {
  const char *text = vd_arena_printf(arena, "path %d", def->path.type);
  for (int i = 0; i < VD_INPUT_KINDS; i++)
    if (def->inputs.input[i].profile.type != VD_PROFILE_NONE)
      text = vd_arena_printf(arena, "%s, %s %d", text, vd_input_table[i].key, def->inputs.input[i].profile.type);
  return text;
}

static void keep_cones(const vd_path *path, vd_rows *out) {
  static vd_cone cone[VD_PATH_CONES];
  size_t count = path ? vd_path_cones(path, cone) : 0;
  double c = count ? vd_cos(path->origin_yaw) : 1.0, s = count ? vd_sin(path->origin_yaw) : 0.0;
  out->columns = 2;
  for (size_t i = 0; i < count; i++) {
    double *at = vd_rows_add(out);
    at[0] = path->origin_x + c * cone[i].x - s * cone[i].y;
    at[1] = path->origin_y + s * cone[i].x + c * cone[i].y;
  }
}

static void simulate(const vd_scenario_def *def, capture *c) {
  vd_report_run *r = c->run;
  vd_recorder recorder;
  vd_response response;
  bool asks = vd_response_asked(&def->response);
  const vd_run_options options = {.row = take_row,
                                  .row_context = c,
                                  .view = VD_VIEW_BRIEF | (r->brief ? 0u : VD_VIEW_WHEELS),
                                  .grid = r->brief,
                                  .response = asks ? &response : NULL};
  if (asks)
    vd_response_init(&response, &def->response, vd_scenario_row_interval(def));
  vd_recorder_init(&recorder, true);
  vd_simulate(def, &options, NULL, &recorder, &r->report);
  if (r->report.status == VD_SIM_OK)
    vd_run_metrics(def, &recorder, &r->metrics);
  add_warnings(r, &recorder, &r->warnings);
  r->set[r->sets++] = vd_metric_sets[0];
  for (size_t i = 0; i < def->metrics.sets.count; i++)
    r->set[r->sets++] = vd_metric_set_called(def->metrics.sets.name[i]);
  keep_conditions(def, r);
  vd_recorder_finish(&recorder);
  if (asks) {
    r->response_def = &def->response;
    r->response.columns = 3 * response.channels - 2;
    vd_response_rows(&response, take_response, &r->response);
    vd_response_finish(&response);
  }
  if (!c->kept && c->rows > 0)
    add_frame(c, &c->last);
}

static void keep_texts(const vd_settings *s, const vd_scenario_def *def, vd_report_run *r) {
  size_t estimates = vd_schema_estimates(&vd_scenario_schema, def, "", &r->estimates);
  if (estimates > 0 && !r->brief)
    vd_buf_printf(&r->warnings, "%zu values are estimates by rules of thumb; --check lists them.\n", estimates);
  const vd_origin from = {.tool = "vdsim-run",
                          .scenario = r->scenario,
                          .resolved = r->resolved.text,
                          .length = r->resolved.length,
                          .kind = VD_KIND_VEHICLE,
                          .level = def->run.level};
  vd_job_provenance(s, &from, &r->report, &r->provenance);
}

/* Runs the search, and reads the scenario again with the value that meets the first goal. If there is no such value,
 * the scenario remains unchanged, with a warning. NULL after messages. */
static vd_scenario_def *find_limit(const vd_settings *s, int source, vd_scenario_def *def, vd_diag *d,
                                   vd_report_run *r) {
  const vd_goal_def *goal = def->search.goals.item;
  const char *text;
  size_t length = vd_diag_source_text(d, source, &text);
  const vd_scenario_text from = {vd_diag_source_name(d, source), text, length, s->set, s->set_count};
  vd_diag *trials = vd_diag_create();
  vd_search search;
  vd_search_answer found = {0};
  vd_buf why = {0};
  vd_diag_set_strict(trials, s->strict);
  vd_diag_set_cache(trials, s->maps);
  bool good = vd_trial_search(&from, &def->search, trials, &search);
  if (!good) {
    vd_tool_print_messages(trials);
    def = NULL;
  } else {
    vd_search_find(&search, 0, &found);
    vd_search_explain(&search, 0, &found, &why);
  }
  if (good && found.outcome == VD_SEARCH_FOUND) {
    const vd_search_def *of = &def->search;
    vd_scenario_def *at = vd_arena_alloc(r->arena, sizeof *at);
    const char *unit = of->unit, *width = of->unit;
    double value = vd_html_customary(found.value, &unit), within = vd_html_customary(of->tolerance, &width);
    vd_buf_printf(&r->remarks, "%s is %.4g %s, the %s value with '%s' to %.2g %s, found by %zu runs\n", of->key, value,
                  unit, goal->side == VD_SEARCH_LOWEST ? "lowest" : "highest", goal->name, within, width, search.count);
    if (found.changes > 1)
      vd_buf_printf(&r->warnings, "'%s' changes %zu times between the ends of the search; the run is at the first\n",
                    goal->name, found.changes);
    def = vd_trial_read(&from, of, found.value, r->arena, d, at) ? at : NULL;
  } else if (good) {
    vd_buf_printf(&r->warnings, "'%s' %s; the run is at the value of the file\n", goal->name, why.text);
  }
  vd_buf_finish(&why);
  vd_search_finish(&search);
  vd_diag_destroy(trials);
  return def;
}

int vd_report_vehicle(const vd_settings *s, int source, size_t frames, vd_diag *d, vd_report_run *r) {
  vd_scenario_def *def = vd_arena_alloc(r->arena, sizeof *def);
  if (!vd_scenario_read_source(source, s->set, s->set_count, r->arena, d, def))
    return def->unreached ? VD_EXIT_NO : VD_EXIT_TROUBLE;
  if (vd_search_asked(&def->search) && r->brief) {
    def = find_limit(s, source, def, d, r);
    if (!def)
      return VD_EXIT_TROUBLE;
  } else if (vd_search_asked(&def->search)) {
    vd_tool_error("'--report' shows one run; '%s' is a search of many runs", r->scenario);
    return VD_EXIT_TROUBLE;
  }
  vd_model *model = vd_arena_alloc(r->arena, sizeof *model);
  vd_scenario_model(def, false, model);
  size_t count;
  const vd_channel *table = vd_channel_table(&count);
  capture c = {.run = r, .def = def, .model = model};
  r->title = def->title;
  r->car = def->vehicle.name;
  r->level = vd_level_names[def->run.level];
  r->ground = &model->ground;
  r->path = model->options.path;
  r->course = r->path ? (int)r->path->type : VD_PATH_NONE;
  r->inputs = inputs_of(def, r->arena);
  keep_cones(r->path, &r->cone);
  shape_car(model, &r->shape);
  find_links(&c);
  r->frame.columns = VD_FRAME_RODS + 6 * r->shape.rods;
  r->history.columns = vd_report_channels(table, count, (unsigned)def->run.level, r, c.column);
  double interval = r->brief ? def->run.step : vd_scenario_row_interval(def), finest = 0.01;
  c.stride = (size_t)vd_max(1.0, ceil(vd_max(finest, def->run.duration / (double)frames) / interval - 1e-9));
  c.kept_stride = r->brief ? c.stride : 1;
  c.frame = vd_allocate(r->frame.columns, sizeof *c.frame);
  vd_schema_write(&vd_scenario_schema, def, &r->resolved);
  simulate(def, &c);
  free(c.frame);
  keep_texts(s, def, r);
  if (r->report.status == VD_SIM_OK)
    return def->unreached ? VD_EXIT_NO : VD_EXIT_YES;
  fprintf(stderr, "%s: error: %s\n", r->scenario, r->report.failure);
  return VD_EXIT_ENDED;
}
