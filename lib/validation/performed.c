/* Results of a run that was made for claims. */
#include "validation/performed_impl.h"

#include "base/base.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/num.h"
#include "base/system.h"
#include "base/text.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

vd_diag *vd_performed_diag(const vd_claim_run *run) {
  vd_diag *d = vd_diag_create();
  vd_diag_set_strict(d, run->files && vd_diag_strict(run->files));
  return d;
}

void vd_performed_note(const vd_claim_run *run, const vd_diag *d) {
  if (run->files)
    vd_diag_note_files(run->files, d);
}

char *vd_performed_words(vd_diag *d) {
  vd_stream s;
  if (!vd_stream_open(&s))
    vd_memory_out();
  vd_diag_print(d, s.file, false);
  if (!vd_stream_finish(&s))
    vd_memory_out();
  return s.text;
}

/* Keeps the resolved input, whose keys formulas may name, as vdsim-run --resolved prints them. */
void vd_performed_resolve(vd_performed *p, vd_buf *text) {
  p->text = vd_arena_copy(p->arena, text->text ? text->text : "", text->length);
  p->resolved = vd_tree_parse(p->arena, p->d, vd_diag_add_source(p->d, "resolved", p->text, text->length));
  vd_buf_finish(text);
}

double *vd_performed_grown(double *memory, size_t count) {
  double *g = vd_reallocate(memory, count, sizeof *g);
  return g;
}

void vd_performed_finish(vd_performed *p) {
  for (size_t i = 0; i < VD_CLAIM_CHANNELS; i++)
    free(p->value[i]);
  free(p->t);
  free(p->why);
  for (size_t i = 0; p->responds && i < p->response.channels; i++)
    if (p->spectrum[i].lines > 0)
      vd_spectrum_finish(&p->spectrum[i]);
  free(p->spectrum);
  if (p->responds)
    vd_response_finish(&p->response);
  vd_diag_destroy(p->d);
  vd_arena_destroy(p->arena);
  *p = (vd_performed){.read = false};
}

/* --- figures --- */

size_t vd_channel_index(enum vd_kind kind, const vd_channel *channel) {
  size_t count;
  return (size_t)(channel - vd_kind_channels(kind, &count));
}

const double *vd_performed_along(const vd_performed *p, const char **name, const char **unit) {
  size_t count;
  if (p->timeless && p->swept >= 0) {
    const vd_channel *column = vd_kind_channels(p->kind, &count) + p->swept;
    *name = column->name;
    *unit = column->unit;
    return p->value[p->swept];
  }
  *name = vd_performed_order(p, unit);
  return p->t;
}

const char *vd_performed_order(const vd_performed *p, const char **unit) {
  *unit = p->timeless ? "1" : "s";
  return p->timeless ? "row" : "time";
}

const double *vd_performed_channel(const vd_performed *p, const vd_channel *channel, char *why, size_t size) {
  const double *value = p->value[vd_channel_index(p->kind, channel)];
  if (!value && p->kind == VD_KIND_VEHICLE)
    snprintf(why, size, "level %s has no channel '%s'", vd_level_names[p->def->run.level], channel->name);
  else if (!value)
    snprintf(why, size, "a steady rig has no channel '%s'", channel->name);
  return value;
}

/* Finds the rows of the window. Times count as equal if they differ by less than a thousandth of a step. */
bool vd_performed_window(const vd_performed *p, double from, double to, size_t *first, size_t *last, char *why,
                         size_t size) {
  double slack = 1e-3 * p->step;
  if (p->histories > 1) {
    snprintf(why, size, "the rig has %zu time histories, but a figure needs one", p->histories);
    return false;
  }
  if (p->timeless && (from > 0.0 || !isnan(to))) {
    snprintf(why, size, "the rows of a steady rig have no time, so 'from' and 'to' are not allowed");
    return false;
  }
  if (p->steps == 0 || p->t[p->steps - 1] < from - slack ||
      (!isnan(to) && (p->t[p->steps - 1] < to - slack || to < from - slack))) {
    snprintf(why, size, "the run ends at %.9g s, before %.9g s", p->steps ? p->t[p->steps - 1] : 0.0,
             !isnan(to) && !(to < from) ? to : from);
    return false;
  }
  *first = 0;
  *last = p->steps - 1;
  while (p->t[*first] < from - slack)
    ++*first;
  while (!isnan(to) && p->t[*last] > to + slack)
    --*last;
  return true;
}

double vd_performed_figure(const vd_performed *p, const vd_channel *channel, enum vd_claim_of of, double from,
                           double to, char *why, size_t size) {
  size_t first, last;
  const double *v = vd_performed_channel(p, channel, why, size);
  if (!v || !vd_performed_window(p, from, to, &first, &last, why, size))
    return NAN;
  if (p->timeless && (of == VD_OF_MEAN || of == VD_OF_RMS)) {
    snprintf(why, size, "the rows of a steady rig have no time: there is no %s", vd_claim_of_names[of]);
    return NAN;
  }
  double most = v[first], least = v[first], peak = fabs(v[first]), area = 0.0, square = 0.0;
  for (size_t i = first; i <= last; i++) {
    if (!isfinite(v[i])) {
      snprintf(why, size, "'%s' is not a finite number %s %.9g%s", channel->name, p->timeless ? "in row" : "at",
               p->t[i], p->timeless ? "" : " s");
      return NAN;
    }
    most = vd_max(most, v[i]);
    least = vd_min(least, v[i]);
    peak = vd_max(peak, fabs(v[i]));
    if (i > first) { /* trapezoidal rule */
      double dt = p->t[i] - p->t[i - 1];
      area += 0.5 * dt * (v[i] + v[i - 1]);
      square += 0.5 * dt * (v[i] * v[i] + v[i - 1] * v[i - 1]);
    }
  }
  double span = p->t[last] - p->t[first];
  switch (of) {
  case VD_OF_FINAL: return v[last];
  case VD_OF_FIRST: return v[first];
  case VD_OF_MAXIMUM: return most;
  case VD_OF_MINIMUM: return least;
  case VD_OF_MEAN: return span > 0.0 ? area / span : v[first];
  case VD_OF_PEAK: return peak;
  case VD_OF_RMS: return span > 0.0 ? sqrt(square / span) : fabs(v[first]);
  case VD_OF_GAIN:
  case VD_OF_PHASE:
  case VD_OF_COHERENCE:
  case VD_OFS: break;
  }
  return NAN;
}

static double transferred(const vd_transfer *h, enum vd_claim_of of) {
  return of == VD_OF_GAIN ? h->gain : of == VD_OF_PHASE ? h->phase : h->coherence;
}

/* Returns the value between two lines of the spectrum. Exactly at a line only this line is used, because the other line
 * may be empty. */
static double between_lines(const vd_spectrum *s, enum vd_claim_of of, double frequency) {
  double line = frequency / s->spacing;
  size_t k = line >= 1.0 ? (size_t)line : 0;
  if (k < 1 || k + 1 >= s->lines)
    return NAN;
  vd_transfer h[2] = {vd_spectrum_transfer(s, k), vd_spectrum_transfer(s, k + 1)};
  double share = line - (double)k, a = transferred(&h[0], of), b = transferred(&h[1], of);
  if (share < 1e-6 || share > 1.0 - 1e-6)
    return share < 0.5 ? a : b;
  return of == VD_OF_PHASE ? remainder(a + share * remainder(b - a, 2.0 * VD_PI), 2.0 * VD_PI) : a + share * (b - a);
}

/* Returns the spectrum of an output over the input. The spectrum is computed once, for all claims, and has no lines if
 * the run is shorter than a segment. */
static const vd_spectrum *spectrum_of(const vd_performed *p, size_t output) {
  const vd_response *r = &p->response;
  vd_spectrum *s = &p->spectrum[output];
  size_t segment = (size_t)lround(r->def->segment / r->step);
  if (s->lines == 0)
    vd_spectrum_make(r->value[0], r->value[output], r->count, 1.0 / r->step, segment, (enum vd_window)r->def->window,
                     s);
  return s;
}

void vd_performed_response(const vd_performed *p, const vd_channel *channel, enum vd_claim_of of,
                           const double *frequency, size_t count, double *value, char *why, size_t size) {
  size_t output = 1;
  for (size_t i = 0; i < count; i++)
    value[i] = NAN;
  if (!p->responds) {
    snprintf(why, size, "the scenario has no frequency response");
    return;
  }
  while (output < p->response.channels && p->response.channel[output] != channel)
    output++;
  if (output == p->response.channels) {
    snprintf(why, size, "'%s' is not an output of the scenario's response", channel->name);
    return;
  }
  const vd_spectrum *s = spectrum_of(p, output);
  if (s->lines == 0) {
    snprintf(why, size, "the run has ended before one segment of the response was full");
    return;
  }
  for (size_t i = 0; i < count; i++) {
    value[i] = between_lines(s, of, frequency[i]);
    if (isnan(value[i]) && of == VD_OF_COHERENCE && s->segments < 2)
      snprintf(why, size, "a coherence needs more than one segment");
    else if (isnan(value[i]))
      snprintf(why, size, "the response has no value at %.9g Hz", frequency[i]);
  }
}

static double metric_of(const vd_metrics *all, const char *name, const char **unit, char *why, size_t size) {
  for (size_t i = 0; i < all->count; i++) {
    const vd_metric *m = &all->metric[i];
    if (strcmp(m->name, name) != 0)
      continue;
    if (unit)
      *unit = m->unit;
    if (!isfinite(m->value))
      snprintf(why, size, "'%s' has no value: %s", name, *m->reason ? m->reason : "the number is not finite");
    return isfinite(m->value) ? m->value : NAN;
  }
  snprintf(why, size, "the run has no metric '%s'", name);
  return NAN;
}

double vd_performed_goal(const vd_performed *p, const char *name, const char **unit, char *why, size_t size) {
  if (p->searched)
    return metric_of(&p->found, name, unit, why, size);
  snprintf(why, size, "the scenario has no search");
  return NAN;
}

double vd_performed_metric(const vd_performed *p, const char *name, const char **unit, char *why, size_t size) {
  return metric_of(&p->outcome.metrics, name, unit, why, size);
}
/* --- formulas --- */

typedef struct claim_world {
  const vd_claim *claim;
  const vd_performed *run; /* NULL: there is no run */
  size_t known;            /* number of definitions that may be used here: the earlier definitions */
  double *memo;            /* values of the definitions; NAN: not yet known */
  char why[256];
} claim_world;

static vd_expression_world world_of(claim_world *context);

/* Converts a value of a metric or channel to SI. */
static double in_si(double value, const char *unit) {
  vd_unit u;
  return vd_quantity_unit(unit, strlen(unit), &u) ? vd_unit_to_si(u, value) : value;
}

/* Evaluates a definition, once. A definition may use the definitions before it. */
static bool find_definition(claim_world *w, const char *name, double *value, const char **why, bool *found) {
  *found = false;
  for (size_t i = w->known; i-- > 0 && !*found;) {
    if (strcmp(w->claim->where[i].name, name) != 0)
      continue;
    *found = true;
    claim_world inner = {.claim = w->claim, .run = w->run, .known = i, .memo = w->memo};
    vd_expression_world world = world_of(&inner);
    char message[200] = "";
    if (isnan(w->memo[i]))
      w->memo[i] = vd_expression_value(w->claim->where[i].value, &world, message, sizeof message);
    *value = w->memo[i];
    if (isnan(*value)) {
      snprintf(w->why, sizeof w->why, "in '%s': %s", name, message);
      *why = w->why;
    }
  }
  return *found && !isnan(*value);
}

static bool find_figure(claim_world *w, const char *name, double *value, bool *found) {
  const char *dot = strchr(name, '.'), *unit = "1";
  size_t count, length = dot ? (size_t)(dot - name) : 0;
  const vd_channel *table = vd_kind_channels(w->run->kind, &count);
  *found = false;
  if (dot && length == strlen("metric") && strncmp(name, "metric", length) == 0) {
    *found = true;
    *value = vd_performed_metric(w->run, dot + 1, &unit, w->why, sizeof w->why);
    *value = in_si(*value, unit);
    return !isnan(*value);
  }
  for (int of = 0; dot && of < VD_OF_GAIN; of++)
    if (strlen(vd_claim_of_names[of]) == length && strncmp(name, vd_claim_of_names[of], length) == 0)
      for (size_t i = 0; i < count; i++)
        if (strcmp(table[i].name, dot + 1) == 0) {
          *found = true;
          *value = vd_performed_figure(w->run, &table[i], (enum vd_claim_of)of, w->claim->def->from, w->claim->def->to,
                                       w->why, sizeof w->why);
          *value = in_si(*value, table[i].unit);
          return !isnan(*value);
        }
  return false;
}

static bool find_key(claim_world *w, const char *name, double *value) {
  const vd_node *n = vd_tree_find(w->run->resolved, name);
  size_t used;
  if (!n || n->kind != VD_NODE_SCALAR)
    return false;
  if (!n->quoted && vd_num_parse(n->text, strlen(n->text), value, &used) && n->text[used] == '\0')
    return true;
  snprintf(w->why, sizeof w->why, "'%s' is not a number: it is '%s'", name, n->text);
  return false;
}

static bool find_name(void *context, const char *name, double *value, const char **why) {
  claim_world *w = context;
  bool found;
  if (find_definition(w, name, value, why, &found) || found)
    return !isnan(*value);
  if (strcmp(name, "frequency") == 0 && !isnan(w->claim->frequency)) {
    *value = w->claim->frequency;
    return true;
  }
  if (!w->run)
    return false;
  w->why[0] = '\0';
  if (find_figure(w, name, value, &found))
    return true;
  if (!found && find_key(w, name, value))
    return true;
  *why = w->why[0] ? w->why : NULL;
  return false;
}

/* Returns the pneumatic trail at small slip angles, m: -Mz/Fy at 1e-6 rad, at the run's initial speed if it has one. */
static double small_trail(const vd_tyre *tyre, const vd_scenario_def *def, const vd_axle_def *axle, double load) {
  vd_tyre_answer plus, minus;
  vd_tyre_question q = {.tan_alpha = 1e-6,
                        .vx = def->initial.speed > 1.0 ? def->initial.speed : 1.0,
                        .ground_friction = def->ground.friction,
                        .load = load,
                        .radius = axle->wheel_radius};
  vd_tyre_ask(tyre, &q, &plus);
  q.tan_alpha = -q.tan_alpha;
  vd_tyre_ask(tyre, &q, &minus);
  return -(plus.mz - minus.mz) / (plus.fy - minus.fy);
}

static bool call(void *context, const char *name, const char *word, const double *argument, double *value,
                 const char **why) {
  claim_world *w = context;
  bool rear = strcmp(word, "rear") == 0;
  if (!w->run || (!rear && strcmp(word, "front") != 0)) {
    snprintf(w->why, sizeof w->why,
             w->run ? "the argument of '%s' must be front or rear, not '%s'" : "'%s' needs a scenario", name, word);
    *why = w->why;
    return false;
  }
  if (w->run->kind != VD_KIND_VEHICLE) {
    snprintf(w->why, sizeof w->why, "'%s' needs the axle of a vehicle, not a %s", name, vd_kinds[w->run->kind].name);
    *why = w->why;
    return false;
  }
  const vd_scenario_def *def = w->run->def;
  const vd_axle_def *axle = &def->vehicle.axle[rear ? VD_REAR : VD_FRONT];
  vd_tyre tyre;
  vd_tyre_build(&axle->tyre, false, &tyre);
  if (strcmp(name, "trail") == 0)
    *value = small_trail(&tyre, def, axle, argument[0]);
  else
    *value =
        (*name == 'c' ? vd_tyre_cornering_stiffness : vd_tyre_slip_stiffness)(&tyre, def->ground.friction, argument[0]);
  return true;
}

static vd_expression_world world_of(claim_world *context) {
  return (vd_expression_world){context, find_name, vd_claim_functions.function, call};
}

double vd_performed_formula(const vd_performed *p, const vd_claim *claim, const vd_expression *formula, char *why,
                            size_t size) {
  claim_world w = {.claim = claim, .run = p, .known = claim->where_count};
  vd_expression_world world = world_of(&w);
  w.memo = vd_performed_grown(NULL, claim->where_count + 1);
  for (size_t i = 0; i < claim->where_count; i++)
    w.memo[i] = NAN;
  double value = vd_expression_value(formula, &world, why, size);
  free(w.memo);
  return value;
}
