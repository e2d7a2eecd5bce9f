#include "metrics/response.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "input/schema.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_OUTPUTS = 64,
  SLOW_PRIME = 100, /* a transform is slow if its length has a greater prime factor */
  FAST_PRIME = 7,
};

static const char *const window_names[] = {"hann", "none", NULL};

/* clang-format off */
static const vd_field response_fields[] = {
  {VD_F_STRING(vd_response_def, input, "input", "\"\"", "input channel; empty: no response is written")},
  {VD_F_LIST(vd_response_def, outputs, "outputs", "[]", "output channels")},
  {VD_F_NUMBER(vd_response_def, segment, "segment", "s", 0, 1e6, VD_ABOVE | VD_AUTO, "auto",
               "length of a segment, the inverse of the spacing of the lines; an integer number of steps; auto: the "
               "whole run without a window, or with a window a quarter of the run or a little less")},
  {VD_F_CHOICE(vd_response_def, window, "window", window_names, "hann",
               "hann: segments overlap by half; none: without overlap, for an input that repeats with the segment "
               "or a run that begins and ends at rest")},
  {VD_F_NUMBER(vd_response_def, from, "from", "1/s", 0, 1e6, VD_ABOVE, "0.1 Hz", "lowest frequency")},
  {VD_F_NUMBER(vd_response_def, to, "to", "1/s", 0, 1e6, VD_ABOVE, "30 Hz",
               "highest frequency, at most half the rate of the steps")},
};
/* clang-format on */

const vd_schema vd_response_schema = {.name = "response", VD_SCHEMA_ROWS(vd_response_def, response_fields)};

/* ---- checks ---- */

void vd_response_complete(vd_response_def *def, double step, long steps) {
  if (!isnan(def->segment) || !vd_response_asked(def) || steps < 1)
    return;
  size_t n = (size_t)steps;
  if (def->window == VD_WINDOW_HANN)
    for (n = n >= 8 ? n / 4 : 2; vd_spectrum_greatest_prime(n) > FAST_PRIME;)
      n--;
  def->segment = (double)n * step;
}

static void check_segment(const vd_response_def *def, double step, long steps, vd_place place, vd_diag *d) {
  double n = round(def->segment / step);
  if (!(n >= 2.0 && fabs(def->segment / step - n) <= 1e-6))
    vd_error(d, place, "the segment (%g s) is not a whole number of steps (%g s)", def->segment, step);
  else if (!(n <= (double)steps))
    vd_error(d, place, "the segment (%g s) is longer than the run (%g s)", def->segment, (double)steps * step);
  else if (vd_spectrum_greatest_prime((size_t)n) > SLOW_PRIME)
    vd_error(d, place, "a segment of %.0f steps is slow to transform: its greatest prime factor, %zu, is above %d", n,
             vd_spectrum_greatest_prime((size_t)n), SLOW_PRIME);
}

static void check_band(const vd_response_def *def, double step, const vd_node *root, const char *path, vd_diag *d) {
  double n = round(def->segment / step), spacing = 1.0 / (n * step);
  if (!(def->from < def->to))
    vd_error(d, vd_tree_place_in(root, path, "from"), "from (%g Hz) must be below to (%g Hz)", def->from, def->to);
  else if (!(def->to <= 0.5 / step * (1.0 + 1e-9)))
    vd_error(d, vd_tree_place_in(root, path, "to"), "to (%g Hz) is above half the rate of the steps (%g Hz)", def->to,
             0.5 / step);
  else if (!(floor(def->to / spacing * (1.0 + 1e-9)) >= vd_max(1.0, ceil(def->from / spacing * (1.0 - 1e-9)))))
    vd_error(d, vd_tree_place_in(root, path, "from"),
             "there is no spectral line from %g Hz to %g Hz: the lines are %g Hz apart, the inverse of the segment",
             def->from, def->to, spacing);
}

void vd_response_check(const vd_response_def *def, double step, long steps, const vd_node *root, const char *path,
                       vd_diag *d) {
  if (!vd_response_asked(def)) {
    if (def->outputs.count > 0)
      vd_error(d, vd_tree_place_in(root, path, "outputs"), "a response needs an input");
    return;
  }
  if (def->outputs.count == 0)
    vd_error(d, vd_tree_place_in(root, path, "input"), "a response needs outputs");
  if (def->outputs.count > MOST_OUTPUTS)
    vd_error(d, vd_tree_place_in(root, path, "outputs"), "%zu outputs; at most %d", def->outputs.count, MOST_OUTPUTS);
  size_t errors = vd_diag_errors(d);
  check_segment(def, step, steps, vd_tree_place_in(root, path, "segment"), d);
  if (vd_diag_errors(d) == errors)
    check_band(def, step, root, path, d);
}

/* ---- recording ---- */

static const vd_channel *find_channel(const char *name) {
  size_t count;
  const vd_channel *channel = vd_channel_table(&count);
  for (size_t i = 0; i < count; i++)
    if (strcmp(channel[i].name, name) == 0)
      return &channel[i];
  return NULL;
}

void vd_response_init(vd_response *r, const vd_response_def *def, double step) {
  *r = (vd_response){.def = def, .step = step, .channels = 1 + def->outputs.count};
  r->channel = vd_reallocate(NULL, r->channels, sizeof *r->channel);
  r->value = vd_reallocate(NULL, r->channels, sizeof *r->value);
  for (size_t i = 0; i < r->channels; i++) {
    r->channel[i] = find_channel(i ? def->outputs.name[i - 1] : def->input);
    r->value[i] = NULL;
  }
}

void vd_response_finish(vd_response *r) {
  for (size_t i = 0; i < r->channels; i++)
    free(r->value[i]);
  free(r->value);
  free(r->channel);
  *r = (vd_response){0};
}

void vd_response_add(vd_response *r, const vd_row *row) {
  if (row->t < ((double)r->count - 1e-6) * r->step)
    return;
  if (r->count == r->capacity) {
    r->capacity = r->capacity ? 2 * r->capacity : 4096;
    for (size_t i = 0; i < r->channels; i++)
      r->value[i] = vd_reallocate(r->value[i], r->capacity, sizeof **r->value);
  }
  for (size_t i = 0; i < r->channels; i++)
    r->value[i][r->count] = vd_channel_value(r->channel[i], row);
  r->count++;
}

/* ---- writing ---- */

static void write_header(const vd_response *r, vd_output *o) {
  static const char *const part[] = {"_gain", "_phase_deg", "_coherence"};
  vd_output_puts(o, "frequency_Hz");
  for (size_t i = 1; i < r->channels; i++)
    for (size_t k = 0; k < VD_COUNT(part); k++) {
      vd_output_puts(o, ",");
      vd_output_puts(o, r->channel[i]->name);
      vd_output_puts(o, part[k]);
    }
  vd_output_puts(o, "\n");
}

double vd_response_unwrapped(double angle, double before) {
  return isnan(before) ? angle : angle - 2.0 * VD_PI * round((angle - before) / (2.0 * VD_PI));
}

bool vd_response_rows(const vd_response *r, void (*take)(void *context, const double *row), void *context) {
  size_t outputs = r->channels - 1, segment = (size_t)round(r->def->segment / r->step);
  if (r->count < segment)
    return false;
  vd_spectrum *s = vd_reallocate(NULL, outputs, sizeof *s);
  double *phase = vd_reallocate(NULL, outputs, sizeof *phase), *row = vd_reallocate(NULL, 1 + 3 * outputs, sizeof *row);
  for (size_t i = 0; i < outputs; i++) {
    vd_spectrum_make(r->value[0], r->value[1 + i], r->count, 1.0 / r->step, segment, (enum vd_window)r->def->window,
                     &s[i]);
    phase[i] = NAN;
  }
  for (size_t k = 1; k < s[0].lines; k++) {
    row[0] = (double)k * s[0].spacing;
    if (row[0] < r->def->from * (1.0 - 1e-9) || row[0] > r->def->to * (1.0 + 1e-9))
      continue;
    for (size_t i = 0; i < outputs; i++) {
      vd_transfer h = vd_spectrum_transfer(&s[i], k);
      double angle = vd_response_unwrapped(h.phase, phase[i]);
      phase[i] = isnan(angle) ? phase[i] : angle;
      row[1 + 3 * i] = h.gain;
      row[2 + 3 * i] = angle * (180.0 / VD_PI);
      row[3 + 3 * i] = h.coherence;
    }
    take(context, row);
  }
  for (size_t i = 0; i < outputs; i++)
    vd_spectrum_finish(&s[i]);
  free(s);
  free(phase);
  free(row);
  return true;
}

typedef struct writing {
  const vd_response *response;
  vd_output *output;
  enum vd_digits digits;
} writing;

static void write_row(void *context, const double *row) {
  const writing *w = context;
  vd_output_row(w->output, row, 3 * w->response->channels - 2, w->digits);
}

bool vd_response_write(const vd_response *r, vd_output *o, enum vd_digits digits) {
  writing w = {r, o, digits};
  if (r->count < (size_t)round(r->def->segment / r->step))
    return false;
  write_header(r, o);
  return vd_response_rows(r, write_row, &w);
}
