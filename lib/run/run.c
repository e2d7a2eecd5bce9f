#include "run/run.h"

#include "base/num.h"
#include "run/instance.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { PROGRESS_STEPS = 1 << 9 };

typedef struct columns {
  const vd_channel *channel[VD_CHANNELS];
  const vd_unit_name *field[VD_CHANNELS]; /* unit in which a column is written; NULL: SI */
  size_t count;
  bool converted; /* some column has a unit of its own */
  unsigned view;  /* set of enum vd_view, needed by any column */
} columns;

void vd_log_columns(const vd_scenario_def *def, bool *wanted) {
  size_t count;
  vd_channel_table(&count);
  assert(count <= VD_CHANNELS);
  for (size_t i = 0; i < count; i++)
    wanted[i] = i == 0; /* the log always has the time */
  for (size_t i = 0; i < def->log.channels.count; i++)
    vd_channel_match(def->log.channels.name[i], (enum vd_level)def->run.level, wanted);
}

static void choose_columns(const vd_scenario_def *def, columns *out) {
  size_t count;
  const vd_channel *table = vd_channel_table(&count);
  bool wanted[VD_CHANNELS];
  vd_log_columns(def, wanted);
  *out = (columns){.count = 0};
  for (size_t i = 0; i < count; i++)
    if (wanted[i]) {
      out->field[out->count] = def->log.units == VD_LOG_FIELD ? vd_unit_field(table[i].unit) : NULL;
      out->converted |= out->field[out->count] != NULL;
      out->channel[out->count++] = &table[i];
      out->view |= vd_channel_view(&table[i]);
    }
}

void vd_log_header(vd_output *log, const vd_channel *column, size_t count) {
  for (size_t i = 0; i < count; i++) {
    vd_output_puts(log, i ? "," : "");
    vd_output_puts(log, column[i].name);
  }
  vd_output_puts(log, "\n");
}

static void write_header(vd_output *log, const columns *cols) {
  for (size_t i = 0; i < cols->count; i++) {
    vd_buf name = {0};
    vd_unit_field_name(cols->channel[i]->name, &name);
    vd_output_puts(log, i ? "," : "");
    vd_output_field(log, cols->field[i] ? name.text : cols->channel[i]->name);
    vd_buf_finish(&name);
  }
  vd_output_puts(log, "\n");
}

static void write_row(vd_output *log, const columns *cols, const vd_row *row, enum vd_digits digits) {
  double value[VD_CHANNELS];
  for (size_t i = 0; i < cols->count; i++)
    value[i] = vd_channel_value(cols->channel[i], row) + 0.0; /* avoids negative zeros */
  for (size_t i = 0; i < cols->count && cols->converted; i++)
    if (cols->field[i])
      value[i] = vd_unit_to_field(cols->field[i], value[i]);
  vd_output_row(log, value, cols->count, digits);
}

/* Readers of the rows of a run, in addition to the log. */
typedef struct reader {
  const vd_scenario_def *def;
  const vd_run_options *options;
  vd_recorder *recorder;
  bool every; /* the readers need all rows */
} reader;

static void read_row(const reader *r, const vd_row *row, bool at_end) {
  if (r->options->response)
    vd_response_add(r->options->response, row);
  if (r->options->row && (at_end || !r->options->grid))
    r->options->row(r->options->row_context, row);
  if (r->recorder)
    vd_recorder_add(r->recorder, row, (enum vd_level)r->def->run.level);
}

/* Returns the set of views that all readers except the log need in every row. */
static unsigned view_of_all(const vd_run_options *options, const vd_recorder *recorder) {
  unsigned view = recorder ? recorder->view : 0;
  for (size_t i = 0; options->response && i < options->response->channels; i++)
    view |= vd_channel_view(options->response->channel[i]);
  return options->row && !options->grid ? view | options->view : view;
}

static void step_on(const reader *r, vd_instance *in, vd_sim_rows *rows) {
  rows->count = 0;
  vd_instance_step(in, r->every && rows->parts > 1 ? rows : NULL);
  for (int k = 0; k < rows->count; k++)
    read_row(r, &rows->row[k], false);
}

void vd_simulate(const vd_scenario_def *def, const vd_run_options *options, vd_output *log, vd_recorder *recorder,
                 vd_run_report *report) {
  static const vd_row blank;
  vd_instance in;
  vd_row row = blank;
  vd_sim_rows rows;
  columns cols;
  long steps = vd_scenario_steps(def), stride = vd_scenario_log_stride(def);
  /* if no metrics are computed, the logged rows are enough for what the recorder reports */
  reader reads = {def, options, recorder, (recorder && recorder->keep) || options->response || options->row};

  *report = (vd_run_report){.status = VD_SIM_OK};
  choose_columns(def, &cols);
  vd_instance_start(&in, def, false);
  if (recorder)
    vd_instance_prepare(&in, recorder);
  if (log)
    write_header(log, &cols);
  memset(&rows, 0, offsetof(vd_sim_rows, row));
  rows.parts = vd_scenario_parts(def);
  memset(rows.row, 0, (size_t)(rows.parts - 1) * sizeof *rows.row);
  rows.view = rows.end_view = view_of_all(options, recorder);
  if (recorder && recorder->keep && !recorder->unread)
    vd_recorder_reserve(recorder, (size_t)(steps * rows.parts + 1));
  if (recorder && recorder->reads.count && !options->response && (!options->row || options->grid))
    rows.reads = &recorder->reads;
  const bool alone = rows.reads && !options->row && !log; /* only the recorder reads rows */
  if (alone)
    rows.end_view |= VD_VIEW_BRIEF;

  while (in.sim.status == VD_SIM_OK) {
    long i = in.sim.step;
    bool due = log && (i % stride == 0 || in.sim.ended); /* the end of the run has a row even within a step */
    if (due || reads.every) {
      const vd_row *known = alone ? vd_sim_end_row(&in.sim, &rows) : NULL;
      unsigned view = rows.view | VD_VIEW_BRIEF | (due ? cols.view : 0);
      if (!known)
        vd_instance_row(&in, view | (options->row ? options->view : 0), &row);
      read_row(&reads, known ? known : &row, true);
    }
    if (due) {
      write_row(log, &cols, &row, options->digits);
      report->rows++;
      report->reader_gone = vd_output_error(log) == EPIPE;
      if (vd_output_error(log))
        break;
    }
    report->end_time = in.sim.t;
    if (vd_instance_has_ended(&in))
      break;
    if (options->progress && i % PROGRESS_STEPS == 0)
      options->progress(options->progress_context, (double)i / (double)steps);
    step_on(&reads, &in, &rows);
  }
  report->status = in.sim.status;
  report->parts = in.sim.parts;
  report->splits = in.sim.splits;
  report->unsettled = in.sim.unsettled;
  vd_instance_failure(&in, report->failure, sizeof report->failure);
  vd_instance_doubt(&in, recorder, report->doubt, sizeof report->doubt);
  if (recorder)
    recorder->error = vd_sim_error(&in.sim);
  vd_instance_finish(&in);
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
  vd_conditions_note(&def->conditions, out);
}

void vd_write_metrics_head(vd_output *o) {
  vd_output_puts(o, "metric,value,unit,definition,note\n");
}

void vd_write_metric(vd_output *o, const vd_metric *m, enum vd_digits digits) {
  const char *const text[] = {m->unit, m->definition, m->reason};
  vd_output_field(o, m->name);
  vd_output_puts(o, ",");
  vd_output_numbers(o, &m->value, 1, digits);
  for (size_t k = 0; k < VD_COUNT(text); k++) {
    vd_output_field(o, text[k]);
    vd_output_puts(o, k + 1 < VD_COUNT(text) ? "," : "\n");
  }
}

void vd_write_metrics(vd_output *o, const vd_metrics *metrics, enum vd_digits digits) {
  vd_write_metrics_head(o);
  for (size_t i = 0; i < metrics->count; i++)
    vd_write_metric(o, &metrics->metric[i], digits);
}

/* Returns the hash of a resolved text. Its file names contain folders, which are left out of the hash, so that one run
 * has the same hash on every machine. */
static uint64_t hash_resolved(const char *text, size_t length) {
  uint64_t hash = VD_HASH_START;
  const char *from = text, *end = text + length;
  for (const char *at = text; at < end; at++) {
    bool quoted = at > text && (at[-1] == '"' || at[-1] == '\'');
    if (*at != '/' || at == text || !(quoted || strchr(" [,", at[-1])))
      continue;
    const char *name = at, *past = at + strcspn(at, !quoted ? "\n ,]" : at[-1] == '"' ? "\"" : "'");
    hash = vd_text_hash(hash, from, (size_t)(at - from));
    for (; at < past; at++)
      if (*at == '/')
        name = at + 1;
    from = name;
  }
  return vd_text_hash(hash, from, (size_t)(end - from));
}

void vd_write_provenance(vd_buf *out, const vd_origin *from, const vd_run_report *report) {
  char time[VD_NUM_MAX];
  vd_num_print_shortest(report->end_time, time);
  bool complete = report->status == VD_SIM_OK && !report->reader_gone;
  vd_buf_printf(out, "tool: %s\nversion: %s\n", from->tool, VDSIM_VERSION);
  vd_buf_puts(out, "scenario: \"");
  vd_buf_quote(out, from->scenario, strlen(from->scenario));
  vd_buf_puts(out, "\"\n");
  vd_buf_printf(out, "resolved_fnv1a64: \"%016" PRIx64 "\"\n", hash_resolved(from->resolved, from->length));
  if (from->kind == VD_KIND_VEHICLE)
    vd_buf_printf(out, "level: L%d\n", from->level);
  else
    vd_buf_printf(out, "kind: %s\n", vd_kinds[from->kind].key);
  vd_buf_printf(out, "rows: %ld\nend_time: %s\ncomplete: %s\n", report->rows, time, complete ? "true" : "false");
  if (*report->failure) {
    vd_buf_puts(out, "failure: \"");
    vd_buf_quote(out, report->failure, strlen(report->failure));
    vd_buf_puts(out, "\"\n");
  }
}
