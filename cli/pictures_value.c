/* Evaluates the expressions of pictures, and derives quantities from the rows of a run for them. */
#include "pictures_impl.h"

#include "base/base.h"
#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const double *vd_shown_values(const vd_shown_run *run, const char *name) {
  for (size_t i = 0; i < run->columns; i++)
    if (strcmp(run->column[i].name, name) == 0)
      return run->column[i].value;
  return NULL;
}

double vd_shown_fact(const vd_shown_run *run, const char *name) {
  for (size_t i = 0; i < run->facts; i++)
    if (strcmp(run->fact[i].name, name) == 0)
      return run->fact[i].value;
  return NAN;
}

/* Whether a word is one of several with blanks between them. */
static bool is_among(const char *word, const char *words) {
  for (const char *at = words; word && *at; at += strspn(at, " ")) {
    size_t length = strcspn(at, " ");
    if (strlen(word) == length && strncmp(word, at, length) == 0)
      return true;
    at += length;
  }
  return false;
}

/* Whether a condition KEY=VALUE holds in the resolved scenario: the key has this value, or one of its items has it as
 * its value or as its `kind'. A condition KEY holds if the key exists. */
static bool has_key(const vd_node *resolved, const char *word, size_t length) {
  char path[80];
  snprintf(path, sizeof path, "%.*s", (int)length, word);
  char *value = strchr(path, '=');
  if (value)
    *value++ = '\0';
  const vd_node *n = vd_tree_find(resolved, path);
  bool found = n && (!value || (n->text && strcmp(n->text, value) == 0));
  for (const vd_node *one = n && value ? n->child : NULL; one; one = one->next) {
    const vd_node *kind = vd_tree_get(one, "kind");
    found |= (one->text && strcmp(one->text, value) == 0) || (kind && kind->text && strcmp(kind->text, value) == 0);
  }
  return found;
}

/* Whether all conditions of a word, which are separated by &, hold. */
static bool has_keys(const vd_node *resolved, const char *word, size_t length) {
  bool all = strcspn(word, ".=") < length;
  for (size_t from = 0; all && from < length;) {
    size_t part = strcspn(word + from, "& ");
    all = has_key(resolved, word + from, part);
    from += part + 1;
  }
  return all;
}

bool vd_shown_has_set(const vd_shown_run *run, const char *sets) {
  const vd_node *has = vd_tree_find(run->resolved, "metrics.sets"), *kind = vd_tree_find(run->resolved, "kind");
  bool found = strcmp(sets, "*") == 0 || (kind && is_among(kind->text, sets));
  for (const vd_node *one = has ? has->child : NULL; one; one = one->next)
    found |= is_among(one->text, sets);
  for (const char *at = sets; !found && *at; at += strspn(at, " ")) {
    const size_t length = strcspn(at, " ");
    found = has_keys(run->resolved, at, length);
    at += length;
  }
  return found;
}

/* --- names --- */

static bool is_start(const char *name, char *base, size_t size) {
  size_t length = strlen(name);
  if (length <= 6 || length - 6 >= size || strcmp(name + length - 6, ".start") != 0)
    return false;
  snprintf(base, size, "%.*s", (int)(length - 6), name);
  return true;
}

/* Finds the meaning of a name that is neither a column nor a fact; false: it has none. */
static bool derived_meaning(const vd_building *b, size_t run, const char *name, vd_meaning *out) {
  const vd_derived *d = &b->derived[run];
  const struct {
    const char *name;
    const double *rows;
    double constant;
  } known[] = {{"steady", d->steady, NAN},    {"cycles", d->cycles, NAN},  {"turning", d->turning, NAN},
               {"turn", NULL, d->turn},       {"braked", NULL, d->braked}, {"begun", NULL, d->begun},
               {"end", NULL, b->run[run].end}};
  for (size_t i = 0; i < VD_COUNT(known); i++)
    if (strcmp(name, known[i].name) == 0) {
      out->rows = known[i].rows;
      out->constant = known[i].constant;
      return true;
    }
  return false;
}

static vd_meaning meaning_of(const vd_building *b, size_t run, const char *name) {
  vd_meaning out = {.name = name, .constant = NAN};
  char base[64];
  for (size_t i = 0; i < b->lets; i++)
    if (strcmp(name, b->let[i].name) == 0) {
      out.let = b->let[i].is;
      return out;
    }
  out.start = is_start(name, base, sizeof base);
  out.rows = vd_shown_values(&b->run[run], out.start ? base : name);
  if (out.rows || !derived_meaning(b, run, name, &out))
    out.constant = vd_shown_fact(&b->run[run], name);
  return out;
}

/* Gives the value of a name. Names are looked up once for all rows, by their pointers. */
static bool name_value(void *context, const char *name, double *value, const char **why) {
  vd_evaluating *e = context;
  size_t k = 0;
  (void)why;
  while (k < e->meanings && e->meaning[k].name != name)
    k++;
  if (k == e->meanings) {
    assert(k < VD_MEANINGS);
    e->meaning[e->meanings++] = meaning_of(e->b, e->run, name);
  }
  const vd_meaning *m = &e->meaning[k];
  const size_t row = m->start ? e->start : e->row;
  *value = m->let ? vd_building_value(e, m->let) : m->rows && row != SIZE_MAX ? m->rows[row] : m->constant;
  return true;
}

static bool is_function(void *context, const char *name, size_t *arguments, bool *word) {
  (void)context;
  *arguments = 1;
  *word = false;
  return strcmp(name, "integral") == 0;
}

/* Computes integral(x), the only function: trapezoids over time from the first row on. The calls in a row have the same
 * order as in the row before. */
static bool integral(void *context, const char *name, const char *word, const double *argument, double *value,
                     const char **why) {
  vd_evaluating *e = context;
  const double *t = e->b->derived[e->run].t;
  int k = e->calls++;
  (void)name;
  (void)word;
  (void)why;
  assert(k < VD_INTEGRALS);
  if (!t || e->row == SIZE_MAX)
    return false;
  if (e->row != e->start)
    e->sum[k] += 0.5 * (*argument + e->last[k]) * (t[e->row] - e->time[k]);
  e->last[k] = *argument;
  e->time[k] = t[e->row];
  *value = e->sum[k];
  return true;
}

static vd_expression_world world_of(vd_evaluating *e) {
  return (vd_expression_world){e, name_value, is_function, integral};
}

vd_expression *vd_building_parse(const vd_building *b, const char *text) {
  vd_evaluating none = {.b = b};
  const vd_expression_world world = world_of(&none);
  vd_expression *e = vd_expression_read(text, (vd_place){b->source, 1, 1, 1}, &world, b->arena, b->d);
  assert(e != NULL); /* the table is part of the program */
  return e;
}

double vd_building_value(vd_evaluating *e, const vd_expression *x) {
  const vd_expression_world world = world_of(e);
  char why[200];
  return vd_expression_value(x, &world, why, sizeof why);
}

double vd_building_constant(const vd_building *b, size_t run, const char *text) {
  vd_evaluating e = {.b = b, .run = run, .row = SIZE_MAX, .start = b->run[run].rows > 0 ? 0 : SIZE_MAX};
  return *text ? vd_building_value(&e, vd_building_parse(b, text)) : NAN;
}

const char *vd_building_filled(const vd_building *b, size_t run, const char *text) {
  vd_buf out = {0};
  for (const char *brace; (brace = strchr(text, '{')) != NULL;) {
    const char *close = strchr(brace, '}');
    double value = vd_building_constant(b, run, vd_arena_copy(b->arena, brace + 1, (size_t)(close - brace - 1)));
    if (isnan(value)) {
      vd_buf_finish(&out);
      return NULL;
    }
    vd_buf_add(&out, text, (size_t)(brace - text));
    vd_buf_printf(&out, fabs(value) >= 999.5 ? "%.0f" : "%.3g", value);
    text = close + 1;
  }
  vd_buf_puts(&out, text);
  const char *kept = vd_arena_copy(b->arena, out.text, out.length);
  vd_buf_finish(&out);
  return kept;
}

typedef struct doubt {
  const vd_building *b;
  bool unknown;
} doubt;

static void look_up(void *context, const char *name, vd_place at) {
  doubt *k = context;
  const vd_building *b = k->b;
  char base[64];
  (void)at;
  for (size_t i = 0; i < b->lets; i++)
    if (strcmp(name, b->let[i].name) == 0) {
      vd_expression_names(b->let[i].is, look_up, k);
      return;
    }
  vd_meaning derived;
  bool found = derived_meaning(b, 0, name, &derived), start = is_start(name, base, sizeof base);
  for (size_t l = 0; l < b->runs && !found; l++)
    found = vd_shown_values(&b->run[l], start ? base : name) || isfinite(vd_shown_fact(&b->run[l], name));
  k->unknown |= !found;
}

bool vd_building_knows(const vd_building *b, const char *text) {
  doubt k = {b, false};
  if (*text)
    vd_expression_names(vd_building_parse(b, text), look_up, &k);
  return !k.unknown;
}

/* --- what is derived from rows --- */

/* Marks the entry into the turn, where the car still oscillates, as not steady. The entry ends 0.5 s after the last row
 * of the first half in which ay is not steady or, if ay grows over the run, has fallen within 0.25 s. */
static void leave_out_swing(const double *t, const double *ay, size_t rows, double *steady) {
  const size_t middle = rows / 2;
  const bool grows = fabs(ay[middle]) > fabs(ay[middle / 2]);
  double last = -INFINITY;
  for (size_t r = 0, i = 0; r < middle; r++) {
    while (t[r] - t[i] > 0.25)
      i++;
    if (t[r] - t[0] > 0.26 && (steady[r] < 0.0 || (grows && fabs(ay[r]) < fabs(ay[i]))))
      last = t[r];
  }
  for (size_t r = 0; r < rows && t[r] <= last + 0.5; r++)
    steady[r] = -1.0;
}

/* Finds the steady rows and the side of the turn. In a steady row ay changes by at most 0.25 m/s2 in the 0.25 s
 * before and after it, a mean of 1 m/s3, and the speed is above 1 m/s, as for the metrics of ISO 4138. */
static void derive_steady(const vd_shown_run *run, vd_derived *d) {
  const double *t = vd_shown_values(run, "t_s"), *ay = vd_shown_values(run, "ay_mps2");
  const double *v = vd_shown_values(run, "vx_mps");
  double greatest = 0.0;
  for (size_t r = 0, i = 0, k = 0; r < run->rows; r++) { /* i: the last row 0.25 s before; k: the first one after */
    while (i < r && !(t[r] - t[i + 1] < 0.25 - 1e-9))
      i++;
    k = k < r ? r : k;
    while (k + 1 < run->rows && t[k] - t[r] < 0.25 - 1e-9)
      k++;
    bool steady =
        t[k] - t[i] > 0.49 && fabs(ay[r] - ay[i]) <= 0.25 && fabs(ay[k] - ay[r]) <= 0.25 && (!v || v[r] > 1.0);
    d->steady[r] = steady ? 1.0 : -1.0;
    if (steady && fabs(ay[r]) > greatest) {
      greatest = fabs(ay[r]);
      d->turn = ay[r] < 0.0 ? -1.0 : 1.0;
    }
  }
  leave_out_swing(t, ay, run->rows, d->steady);
}

static void derive_cycles(const double *wheel, size_t rows, vd_derived *d) {
  size_t first = 0, last = 0, passes = 0;
  for (size_t r = 1; r < rows; r++)
    if (wheel[r - 1] < 0.0 && wheel[r] >= 0.0) {
      first = passes == 0 ? r : first;
      last = r;
      passes++;
    }
  for (size_t r = 0; r < rows; r++)
    d->cycles[r] = passes < 2 || (r >= first && r <= last) ? 1.0 : -1.0;
  for (first = 0; first + 1 < rows && fabs(wheel[first]) <= 1e-6;)
    first++;
  for (last = first; last + 1 < rows && fabs(wheel[last + 1]) > fabs(wheel[last]);)
    last++;
  for (size_t r = 0; r < rows; r++)
    d->turning[r] = r >= first && r <= last ? 1.0 : -1.0;
}

/* Returns the last instant at which the speed is at most `from' (within 1e-6 m/s) before it first reaches `to'; for a
 * car that starts faster, the time of the first row. */
static double begin_of(const double *t, const double *v, size_t rows, double from, double to) {
  size_t last = 0, r;
  while (last < rows && !(v[last] >= to))
    last++;
  for (r = last; r > 0 && v[r - 1] > from + 1e-6;)
    r--;
  if (r == 0)
    return t[0];
  r--; /* the last row that is slow enough */
  if (r + 1 >= rows || !(v[r + 1] > v[r]))
    return t[r];
  return t[r] + (from - v[r]) / (v[r + 1] - v[r]) * (t[r + 1] - t[r]);
}

void vd_building_derive(vd_building *b) {
  b->derived = vd_arena_alloc(b->arena, b->runs * sizeof *b->derived);
  for (size_t l = 0; l < b->runs; l++) {
    const vd_shown_run *run = &b->run[l];
    vd_derived *d = &b->derived[l];
    const double *t = vd_shown_values(run, "t_s"), *wheel = vd_shown_values(run, "steering_wheel_rad");
    const double *brake = vd_shown_values(run, "brake"), *v = vd_shown_values(run, "vx_mps");
    const double to = vd_shown_fact(run, "to_speed"), from = vd_shown_fact(run, "from_speed");
    *d = (vd_derived){.t = t, .turn = 1.0, .braked = NAN, .begun = NAN};
    for (int k = 0; k < 3; k++)
      *(k == 0   ? &d->steady
        : k == 1 ? &d->cycles
                 : &d->turning) = (k == 0 ? t && vd_shown_values(run, "ay_mps2") : wheel != NULL)
                                      ? vd_arena_alloc(b->arena, run->rows * sizeof(double))
                                      : NULL;
    if (d->steady)
      derive_steady(run, d);
    if (wheel)
      derive_cycles(wheel, run->rows, d);
    for (size_t r = 0; t && brake && r < run->rows && isnan(d->braked); r++)
      if (brake[r] > 0.0)
        d->braked = t[r > 0 ? r - 1 : r];
    if (t && v && isfinite(to))
      d->begun = begin_of(t, v, run->rows, isfinite(from) ? from : 0.0, to);
  }
}
