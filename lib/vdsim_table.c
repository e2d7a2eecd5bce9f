/* The functions of vdsim.h that compute whole tables: logs, metrics, curves of suspensions, rows of studies. Numbers
 * have all their digits. */
#include "vdsim.h"

#include "vdsim_impl.h"

#include "base/memory.h"
#include "base/num.h"
#include "input/data_folder.h"
#include "input/file.h"
#include "kc/plan.h"
#include "run/subject.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct vd_table {
  vd_arena *arena;
  vd_buf text, remark;
  const char **field; /* [rows + 1][columns]; the names come first */
  size_t columns, rows;
};

/* ---- cases of other kinds ---- */

bool vd_case_read_other(vd_case *c) {
  if (vd_kind_fits(c->kind)) {
    vd_error(c->diag, (vd_place){.source = c->source}, "the library solves no fits or optimisations; vdsim-run does");
    return false;
  }
  if (c->kind == VD_KIND_STUDY) {
    vd_study *study = vd_arena_alloc(c->arena, sizeof *study);
    if (!vd_study_read_source(c->source, c->set, c->set_count, c->arena, c->diag, study))
      return false;
    vd_schema_write(&vd_study_schema, &study->def, &c->resolved);
    c->other = study;
    return true;
  }
  c->other = vd_arena_alloc(c->arena, sizeof(vd_subject));
  return vd_subject_read(c->kind, c->source, c->set, c->set_count, c->arena, c->diag, &c->resolved, c->other);
}

static const vd_study *study_of(const vd_case *c) {
  return c && c->good && c->kind == VD_KIND_STUDY ? c->other : NULL;
}

const char *vd_case_kind(const vd_case *c) {
  if (!c || !c->good)
    return NULL;
  return c->def ? vd_scenario_kind_names[c->def->kind] : vd_kinds[c->kind].key;
}

size_t vd_case_count(const vd_case *study) {
  return study_of(study) ? study_of(study)->count : 0;
}

typedef struct choice {
  const vd_study *study;
  size_t index;
  vd_study_walk *walk;
  vd_loading load;
  const char *why;
} choice;

static void choose_work(void *context) {
  choice *k = context;
  k->walk = vd_study_walk_start(k->study);
  k->load.set = vd_study_settings(k->walk, k->index, &k->load.count, &k->why);
}

vd_status vd_case_at(const vd_case *study, size_t index, vd_case **out) {
  if (!study_of(study) || !out || index >= vd_case_count(study))
    return VD_BAD_ARGUMENT;
  const vd_study *s = study_of(study);
  choice k = {.study = s, .index = index, .load = {.name = s->path, .text = s->text, .length = s->length}};
  *out = NULL;
  vd_status status = VD_NO_MEMORY;
  if (vd_memory_try(choose_work, &k))
    status = k.why ? VD_UNAVAILABLE : vd_case_load(&k.load, out);
  vd_study_walk_finish(k.walk);
  return status;
}

/* ---- computing tables ---- */

typedef struct job {
  const vd_case *c;
  vd_table *table;
  vd_kc_plan plan; /* plan of the curves, as the options say */
  const char *const *option;
  size_t options;
  size_t first, count; /* range of cases of a study */
  vd_status status;
} job;

static void say(vd_table *t, const char *text) {
  if (*text)
    vd_buf_printf(&t->remark, "%s%s", t->remark.length ? "\n" : "", text);
}

/* Moves a field of CSV (RFC 4180) to *to without its quotes, and returns where it ends. */
static char *take_field(char *from, char **to) {
  if (*from != '"') {
    while (*from && *from != ',' && *from != '\n')
      *(*to)++ = *from++;
    return from;
  }
  for (from++; *from && (*from != '"' || from[1] == '"'); from++) {
    from += *from == '"';
    *(*to)++ = *from;
  }
  return *from ? from + 1 : from;
}

/* Divides the text into fields; every row has as many as the first. */
static void divide(vd_table *t) {
  size_t fields = 0, room = 1, lines = 0;
  char *copy = vd_arena_copy(t->arena, t->text.text ? t->text.text : "", t->text.length), *from = copy, *to = copy;
  for (const char *p = from; *p; p++)
    room += *p == ',' || *p == '\n';
  t->field = vd_arena_alloc(t->arena, room * sizeof *t->field);
  while (*from) {
    t->field[fields++] = to;
    from = take_field(from, &to);
    lines += *from == '\n';
    from += *from != '\0';
    *to++ = '\0';
  }
  t->columns = lines ? fields / lines : 0;
  t->rows = lines ? lines - 1 : 0;
}

static void run_work(job *k, bool metrics) {
  vd_table *t = k->table;
  const vd_run_options options = {.digits = VD_DIGITS_EXACT};
  vd_subject is = {.kind = k->c->kind, .as.vehicle = k->c->def};
  vd_outcome *done = vd_arena_alloc(t->arena, sizeof *done);
  vd_output *o = vd_output_to(&t->text);
  if (k->c->other)
    is = *(const vd_subject *)k->c->other;
  bool good = vd_subject_run(&is, &options, metrics ? NULL : o, t->arena, done);
  say(t, good ? done->report.doubt : done->failure);
  if (metrics)
    vd_write_metrics(o, &done->metrics, VD_DIGITS_EXACT);
  vd_output_commit(o, NULL);
  k->status = good ? VD_OK : VD_FAILED;
}

static void log_work(void *context) {
  run_work(context, false);
}

static void metrics_work(void *context) {
  run_work(context, true);
}

/* Writes the curves of a suspension, or its figures. */
static void curves(job *k, bool (*write)(const vd_corner *, const vd_kc_plan *, vd_buf *, vd_kc_report *)) {
  const vd_subject *is = k->c->other;
  vd_kc_report report;
  bool whole = write(is->as.corner, &k->plan, &k->table->text, &report);
  say(k->table, report.messages.text ? report.messages.text : "");
  vd_buf_finish(&report.messages);
  if (whole)
    vd_kc_remark(&report, &k->table->remark);
  k->status = whole || (k->plan.partial && report.missing > 0) ? VD_OK : VD_FAILED;
}

/* Reads an option NAME or NAME=VALUE of a sweep. */
static bool take_option(job *k, const char *text) {
  const char *equals = strchr(text, '=');
  size_t length = equals ? (size_t)(equals - text) : strlen(text);
  const char *name = vd_arena_copy(k->table->arena, text, length);
  vd_buf why = {0};
  bool good = vd_kc_plan_set(&k->plan, name, equals ? equals + 1 : NULL, &why);
  if (!good)
    vd_buf_printf(&k->table->remark, "'%s': %s", text, why.text);
  vd_buf_finish(&why);
  return good;
}

static void sweep_work(void *context) {
  job *k = context;
  bool good = true;
  for (size_t i = 0; i < k->options && good; i++)
    good = take_option(k, k->option[i]);
  if (good && vd_kc_plan_check(&k->plan, &k->table->remark))
    curves(k, vd_kc_sweep_write);
  else
    k->status = VD_BAD_VALUE;
}

static void figures_work(void *context) {
  curves(context, vd_kc_metrics_write);
}

static void cases_work(void *context) {
  job *k = context;
  const vd_study *study = study_of(k->c);
  const vd_case_options options = {.digits = VD_DIGITS_EXACT};
  vd_study_walk *walk = vd_study_walk_start(study);
  vd_study_header(study, false, &k->table->text);
  for (size_t i = 0; i < k->count; i++)
    vd_study_case(walk, k->first + i, &options, &k->table->text);
  vd_study_walk_finish(walk);
}

static void make_table(void *context) {
  vd_table *t = context;
  t->arena = vd_arena_create();
}

static void finish_table(void *context) {
  divide(((job *)context)->table);
}

/* Calls `work` and divides the text that it writes into fields. */
static vd_status compute(job *k, void (*work)(void *), vd_table **out) {
  vd_table *t = k->table = calloc(1, sizeof *t);
  if (!t)
    return VD_NO_MEMORY;
  k->status = VD_OK;
  if (!vd_memory_try(make_table, t) || !vd_memory_try(work, k) || !vd_memory_try(finish_table, k)) {
    vd_table_free(t);
    return VD_NO_MEMORY;
  }
  *out = t;
  return k->status;
}

/* Returns whether a table can be made: VD_OK, or the reason why not. */
static vd_status asks(const vd_case *c, vd_table **out, bool has) {
  if (!c || !out)
    return VD_BAD_ARGUMENT;
  *out = NULL;
  return !c->good ? VD_BAD_INPUT : has ? VD_OK : VD_UNAVAILABLE;
}

vd_status vd_table_log(const vd_case *c, vd_table **out) {
  vd_status status = asks(c, out, c && c->kind != VD_KIND_STUDY && c->kind != VD_KIND_SUSPENSION);
  return status == VD_OK ? compute(&(job){.c = c}, log_work, out) : status;
}

vd_status vd_table_metrics(const vd_case *c, vd_table **out) {
  vd_status status = asks(c, out, c && c->kind != VD_KIND_STUDY);
  if (status != VD_OK)
    return status;
  job k = {.c = c, .plan = vd_kc_plan_default()};
  k.plan.digits = VD_DIGITS_EXACT;
  return compute(&k, c->kind == VD_KIND_SUSPENSION ? figures_work : metrics_work, out);
}

vd_status vd_table_sweep(const vd_case *c, const char *const *options, size_t count, vd_table **out) {
  vd_status status = asks(c, out, c && c->kind == VD_KIND_SUSPENSION);
  job k = {.c = c, .plan = vd_kc_plan_default(), .option = options, .options = count};
  k.plan.digits = VD_DIGITS_EXACT;
  for (size_t i = 0; status == VD_OK && i < count; i++)
    if (!options || !options[i])
      status = VD_BAD_ARGUMENT;
  return status == VD_OK ? compute(&k, sweep_work, out) : status;
}

vd_status vd_table_cases(const vd_case *study, size_t first, size_t count, vd_table **out) {
  vd_status status = asks(study, out, study_of(study) != NULL);
  if (status == VD_OK && (first > vd_case_count(study) || count > vd_case_count(study) - first))
    status = VD_BAD_ARGUMENT;
  return status == VD_OK ? compute(&(job){.c = study, .first = first, .count = count}, cases_work, out) : status;
}

/* ---- reading tables ---- */

void vd_table_free(vd_table *t) {
  if (!t)
    return;
  vd_buf_finish(&t->text);
  vd_buf_finish(&t->remark);
  vd_arena_destroy(t->arena);
  free(t);
}

size_t vd_table_columns(const vd_table *t) {
  return t ? t->columns : 0;
}

size_t vd_table_rows(const vd_table *t) {
  return t ? t->rows : 0;
}

const char *vd_table_name(const vd_table *t, size_t column) {
  return column < vd_table_columns(t) ? t->field[column] : NULL;
}

size_t vd_table_find(const vd_table *t, const char *name) {
  for (size_t i = 0; name && i < vd_table_columns(t); i++)
    if (strcmp(t->field[i], name) == 0)
      return i;
  return VD_NONE;
}

const char *vd_table_word(const vd_table *t, size_t row, size_t column) {
  return row < vd_table_rows(t) && column < t->columns ? t->field[(row + 1) * t->columns + column] : NULL;
}

double vd_table_value(const vd_table *t, size_t row, size_t column) {
  const char *word = vd_table_word(t, row, column);
  double value;
  size_t used;
  return word && vd_num_parse(word, strlen(word), &value, &used) && word[used] == '\0' ? value : NAN;
}

const char *vd_table_text(const vd_table *t) {
  return !t ? NULL : t->text.text ? t->text.text : "";
}

const char *vd_table_remark(const vd_table *t) {
  return !t ? NULL : t->remark.text ? t->remark.text : "";
}

/* ---- shipped files ---- */

typedef struct look {
  const char *name, *found;
  vd_arena *arena;
} look;

static void look_work(void *context) {
  look *k = context;
  k->arena = vd_arena_create();
  k->found = *k->name ? vd_file_in_data(k->arena, k->name) : vd_data_folder(k->arena);
}

vd_status vd_data_file(const char *name, char *path, size_t size) {
  if (!name || !path)
    return VD_BAD_ARGUMENT;
  look k = {.name = name};
  vd_status status = !vd_memory_try(look_work, &k) ? VD_NO_MEMORY : k.found ? VD_OK : VD_UNAVAILABLE;
  if (status == VD_OK && strlen(k.found) >= size)
    status = VD_BAD_ARGUMENT;
  if (status == VD_OK)
    memcpy(path, k.found, strlen(k.found) + 1);
  vd_arena_destroy(k.arena);
  return status;
}
