#include "run/run.h"

#include "base/num.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MAX_COLUMNS = 256, PROGRESS_STEPS = 1 << 12 };

/* The chosen columns of the log. */
typedef struct columns {
  const vd_channel *channel[MAX_COLUMNS];
  size_t count;
} columns;

static void choose_columns(const vd_scenario_def *def, columns *out) {
  size_t count;
  const vd_channel *table = vd_channel_table(&count);
  bool wanted[MAX_COLUMNS] = {true}; /* time always */
  for (size_t i = 0; i < def->log.channels.count; i++)
    vd_channel_match(def->log.channels.name[i], (enum vd_level)def->run.level, wanted);
  out->count = 0;
  for (size_t i = 0; i < count; i++)
    if (wanted[i])
      out->channel[out->count++] = &table[i];
}

static void write_header(vd_output *log, const columns *cols) {
  for (size_t i = 0; i < cols->count; i++) {
    vd_output_puts(log, i ? "," : "");
    vd_output_field(log, cols->channel[i]->name);
  }
  vd_output_puts(log, "\n");
}

static void write_row(vd_output *log, const columns *cols, const vd_row *row, enum vd_digits digits) {
  double value[MAX_COLUMNS];
  for (size_t i = 0; i < cols->count; i++)
    value[i] = vd_channel_value(cols->channel[i], row) + 0.0; /* no minus zeros */
  vd_output_row(log, value, cols->count, digits);
}

static void describe_failure(const vd_sim *sim, vd_run_report *report) {
  switch (sim->status) {
  case VD_SIM_OK: break;
  case VD_SIM_BAD_STATE:
    snprintf(report->failure, sizeof report->failure, "state %s [%s] is no longer finite at t = %.9g s (step %ld)",
             vd_state_table[sim->bad_state].name, vd_state_table[sim->bad_state].unit, sim->bad_time, sim->step);
    break;
  case VD_SIM_OVERTURNED:
    snprintf(report->failure, sizeof report->failure,
             "the car has overturned at t = %.9g s, and no more than its tyres can touch the road; rows up to there "
             "are kept",
             sim->bad_time);
    break;
  case VD_SIM_STRUCK:
    snprintf(
        report->failure, sizeof report->failure,
        "the body has struck the ground at t = %.9g s, and no more than its tyres can roll on it; rows up to there "
        "are kept",
        sim->bad_time);
    break;
  case VD_SIM_OUT_OF_REACH: {
    const vd_axis *axis = &sim->model->ride.map[sim->bad_state / 2]->travel;
    static const char *const wheel[VD_WHEELS] = {"front left", "front right", "rear left", "rear right"};
    snprintf(report->failure, sizeof report->failure,
             "the %s wheel has left the travel of %.3g to %.3g m that its linkage reaches, at t = %.9g s",
             wheel[sim->bad_state], axis->from, axis->from + axis->cells * axis->step, sim->bad_time);
    break;
  }
  case VD_SIM_NO_LOADS:
    if (vd_model_linked(sim->model)) {
      snprintf(report->failure, sizeof report->failure,
               "a linkage, or a wheel in its bushings, found no position at t = %.9g s (step %ld)", sim->bad_time,
               sim->step);
      break;
    }
    snprintf(report->failure, sizeof report->failure,
             "wheel loads and tyre forces found no balance at t = %.9g s (step %ld); the car is about to tip",
             sim->bad_time, sim->step);
    break;
  }
}

/* Of all sets that are asked for, VD_NEEDS_*. */
static unsigned needs(const vd_scenario_def *def) {
  unsigned all = 0;
  for (size_t i = 0; i < def->metrics.sets.count; i++)
    all |= vd_metric_set_called(def->metrics.sets.name[i])->needs;
  return all;
}

/* What the set `modes` is about: the car as it stands or drives at the start. */
static void find_modes(const vd_scenario_def *def, const vd_model *model, const vd_sim *sim, vd_recorder *recorder) {
  vd_linear linear;
  recorder->linearised = (needs(def) & VD_NEEDS_MODES) && recorder->keep && def->run.level >= VD_L3 &&
                         def->run.level <= VD_L4 && sim->status == VD_SIM_OK &&
                         vd_linearise(model, &sim->command, &sim->state, NULL, 0, &linear) &&
                         vd_linear_modes(&linear, model, &recorder->modes);
}

void vd_run(const vd_scenario_def *def, const vd_run_options *options, vd_output *log, vd_recorder *recorder,
            vd_run_report *report) {
  static const vd_row blank;
  vd_model model;
  vd_sim sim;
  vd_row row = blank;
  columns cols;
  long steps = vd_scenario_steps(def), stride = vd_scenario_log_stride(def);
  double step = def->run.step;
  bool moved = false; /* has been at the speed below which the run stops */

  *report = (vd_run_report){.status = VD_SIM_OK};
  choose_columns(def, &cols);
  if (recorder && recorder->keep) {
    recorder->keep_ride |= (needs(def) & VD_NEEDS_WHEELS) != 0;
    recorder->keep_stunt |= (needs(def) & VD_NEEDS_STUNT) != 0;
  }
  vd_scenario_build(def, &model, &sim);
  if (recorder) {
    recorder->mass = model.vehicle.masses.total;
    recorder->car = vd_metrics_car_of(&model);
    find_modes(def, &model, &sim, recorder);
  }
  if (log)
    write_header(log, &cols);

  for (long i = 0; i <= steps && sim.status == VD_SIM_OK; i++) {
    bool due = log && i % stride == 0, kept = recorder && recorder->keep;
    if (due || kept || options->response || options->row)
      vd_sim_row(&sim, &row);
    if (options->response)
      vd_response_add(options->response, &row);
    if (options->row)
      options->row(options->row_context, &row);
    /* without metrics to compute, the logged rows are enough for the recorder's few words */
    if (recorder && (due || kept))
      vd_recorder_add(recorder, &row, (enum vd_level)def->run.level,
                      i < steps ? (kept ? step : step * (double)stride) : 0.0);
    if (due) {
      write_row(log, &cols, &row, options->digits);
      report->rows++;
      report->reader_gone = vd_output_error(log) == EPIPE;
      if (vd_output_error(log))
        break;
    }
    report->end_time = (double)i * step;
    bool above = !(fabs(sim.eval.vx) < def->run.stop_below); /* a speed gone bad is none */
    if (i == steps || (moved && !above) || sim.ended)
      break;
    moved |= above;
    if (options->progress && i % PROGRESS_STEPS == 0)
      options->progress(options->progress_context, (double)i / (double)steps);
    vd_sim_step(&sim);
  }
  report->status = sim.status;
  report->splits = sim.splits;
  report->unsettled = sim.unsettled;
  describe_failure(&sim, report);
}

void vd_run_metrics(const vd_scenario_def *def, const vd_recorder *recorder, vd_metrics *out) {
  vd_metrics_options options = def->metrics.options;
  options.segment = vd_response_asked(&def->response) ? def->response.segment : 0.0;
  options.window = (enum vd_window)def->response.window;
  out->count = 0;
  vd_metrics_compute("run", recorder, &options, out);
  for (size_t i = 0; i < def->metrics.sets.count; i++)
    if (strcmp(def->metrics.sets.name[i], "run") != 0)
      vd_metrics_compute(def->metrics.sets.name[i], recorder, &options, out);
}

void vd_write_metrics(vd_output *o, const vd_metrics *metrics, enum vd_digits digits) {
  vd_output_puts(o, "metric,value,unit,definition,note\n");
  for (size_t i = 0; i < metrics->count; i++) {
    const vd_metric *m = &metrics->metric[i];
    char value[VD_NUM_MAX] = "";
    if (!isnan(m->value))
      (digits == VD_DIGITS_17 ? vd_num_print17 : vd_num_print9)(m->value, value);
    const char *const field[] = {m->name, value, m->unit, m->definition, m->reason};
    for (size_t k = 0; k < VD_COUNT(field); k++) {
      vd_output_puts(o, k ? "," : "");
      vd_output_field(o, field[k]);
    }
    vd_output_puts(o, "\n");
  }
}

/* FNV-1a by Fowler, Noll and Vo: not for secrets, enough to see that two inputs differ. */
static uint64_t fnv1a(const char *text, size_t length) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
  return hash;
}

void vd_write_provenance(vd_output *o, const char *tool, const char *scenario, const char *resolved, size_t length,
                         int level, const vd_run_report *report) {
  vd_buf text = {0};
  char time[VD_NUM_MAX];
  vd_num_print_shortest(report->end_time, time);
  bool complete = report->status == VD_SIM_OK && !report->reader_gone;
  vd_buf_printf(&text, "tool: %s\nversion: %s\n", tool, VDSIM_VERSION);
  vd_buf_puts(&text, "scenario: \"");
  vd_buf_quote(&text, scenario, strlen(scenario));
  vd_buf_puts(&text, "\"\n");
  vd_buf_printf(&text, "resolved_fnv1a64: \"%016" PRIx64 "\"\n", fnv1a(resolved, length));
  if (level >= 0)
    vd_buf_printf(&text, "level: L%d\n", level);
  else
    vd_buf_printf(&text, "kind: %s\n", level == VD_LEVEL_TYRE_RIG ? "tyre_rig" : "track_car");
  vd_buf_printf(&text, "rows: %ld\nend_time: %s\ncomplete: %s\n", report->rows, time, complete ? "true" : "false");
  if (*report->failure) {
    vd_buf_puts(&text, "failure: \"");
    vd_buf_quote(&text, report->failure, strlen(report->failure));
    vd_buf_puts(&text, "\"\n");
  }
  vd_output_bytes(o, text.text, text.length);
  vd_buf_finish(&text);
}
