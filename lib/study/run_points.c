/* Makes the runs of all experiments at several points, in this process or in others. */
#include "study/fit_impl.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double vd_run_to_search(const vd_run_free *f, double value) {
  return f->def->logarithm ? vd_log(value) : value;
}

double vd_run_from_search(const vd_run_free *f, double x) {
  return f->def->logarithm ? vd_exp(x) : x;
}

typedef struct batch {
  vd_run_points *r;
  const double *figure;
  double *value;
  bool *lacks; /* [points] */
} batch;

static bool is_of(const vd_run_fit *f, const vd_run_target *t, size_t experiment) {
  return f->data[t->data].experiment == experiment;
}

/* Computes the values of one experiment at one point. The result is one line: "ok" and the values of its targets with
 * all digits, or the reason why there are none. */
static void work(void *task, size_t i, vd_buf *result) {
  const batch *b = task;
  const vd_run_fit *f = b->r->fit;
  size_t experiment = i % f->experiments;
  double *value = vd_allocate(f->values, sizeof *value);
  char why[sizeof b->r->why] = "", number[VD_NUM_MAX];
  bool good =
      vd_run_model_values(b->r->model, experiment, b->figure + i / f->experiments * f->frees, value, why, sizeof why);
  vd_buf_puts(result, good ? "ok" : "ended: ");
  for (size_t t = 0; t < f->targets && good; t++)
    for (size_t k = 0; k < f->target[t].rows && is_of(f, &f->target[t], experiment); k++) {
      vd_num_print_shortest(value[f->target[t].first + k], number);
      vd_buf_printf(result, ",%s", number);
    }
  for (const char *p = why; *p && !good; p++)
    vd_buf_add(result, *p == '\n' ? " " : p, 1);
  free(value);
}

/* Reads the values of a line; false: the line does not have as many values as the experiment's targets. */
static bool read_line(const vd_run_fit *f, size_t experiment, const char *at, size_t length, double *value) {
  bool good = length >= 2 && strncmp(at, "ok", 2) == 0;
  const char *end = at + length;
  at += 2;
  for (size_t t = 0; t < f->targets && good; t++)
    for (size_t k = 0; k < f->target[t].rows && good && is_of(f, &f->target[t], experiment); k++) {
      size_t used = 0;
      good =
          at < end && *at == ',' && vd_num_parse(at + 1, (size_t)(end - at - 1), value + f->target[t].first + k, &used);
      at += 1 + used;
    }
  return good && at == end;
}

static void take(void *task, size_t i, const vd_buf *result) {
  batch *b = task;
  vd_run_points *r = b->r;
  const vd_run_fit *f = r->fit;
  static const char ended[] = "ended: ";
  double *value = b->value + i / f->experiments * f->values;
  const char *text = result ? result->text : "ended: its process died";
  size_t length = result ? result->length : strlen(text), skipped = sizeof ended - 1;
  r->runs++;
  if (read_line(f, i % f->experiments, text, length, value))
    return;
  bool has_reason = length >= skipped && strncmp(text, ended, skipped) == 0;
  if (has_reason)
    snprintf(r->why, sizeof r->why, "%.*s", (int)(length - skipped), text + skipped);
  else
    snprintf(r->why, sizeof r->why, "it has no finite values");
  b->lacks[i / f->experiments] = true;
}

void vd_run_points_values(vd_run_points *r, size_t count, const double *figure, double *value) {
  const vd_run_fit *f = r->fit;
  batch b = {r, figure, value, vd_allocate(count, sizeof *b.lacks)};
  size_t pieces = count * f->experiments;
  bool spread = r->options->each != NULL;
  bool done = !spread || r->options->each(r->options->context, pieces, work, take, &b);
  for (size_t i = 0; i < pieces && !spread; i++) {
    vd_buf result = {0};
    work(&b, i, &result);
    take(&b, i, &result);
    vd_buf_finish(&result);
  }
  for (size_t i = 0; i < count * f->values; i++)
    value[i] = done && !b.lacks[i / f->values] ? value[i] : NAN;
  free(b.lacks);
}

void vd_run_starts_begin(const vd_run_fit *fit, vd_arena *arena, vd_run_starts *out) {
  const vd_run_starts_def *def = &fit->def.fit.starts;
  out->design = (vd_study){.arena = arena, .dimensions = fit->frees, .count = (size_t)def->count - 1};
  out->design.def.design =
      (vd_design_def){.type = VD_DESIGN_RANDOM + def->design, .count = def->count - 1, .seed = def->seed};
  if (out->design.def.design.type == VD_DESIGN_LATIN)
    vd_design_order(&out->design);
  out->walk = vd_design_start(&out->design);
}
