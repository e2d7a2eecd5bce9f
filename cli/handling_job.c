/* Makes the runs of --handling. If several processes are allowed, each run has its own, so that a crash of one run does
 * not lose the page. */
#include "handling.h"

#include "jobs.h"
#include "manoeuvres.h"
#include "tool.h"

#include "base/cache.h"
#include "base/memory.h"
#include "base/system.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 4000 }; /* rows of the history of a run: enough for pictures and their details */

/* --- from the process of a run to that of the page --- */

/* A run that one process sends to another. The process of a run is a fork of this one; thus pointers to constants are
 * equal in both. The struct is sent first, then the contents of the run's arena and the memory that the run owns. */
typedef struct parcel {
  vd_buf *out; /* NULL: receiving */
  const char *at;
  vd_arena *arena;
} parcel;

static void carry(parcel *p, void *bytes, size_t size) {
  if (p->out) {
    vd_buf_add(p->out, bytes, size);
  } else {
    memcpy(bytes, p->at, size);
    p->at += size;
  }
}

static void carry_text(parcel *p, const char **text) {
  size_t length = p->out && *text ? strlen(*text) + 1 : 0;
  carry(p, &length, sizeof length);
  if (p->out && length)
    vd_buf_add(p->out, *text, length);
  else if (!p->out)
    *text = length ? vd_arena_copy(p->arena, p->at, length - 1) : NULL;
  p->at += p->out ? 0 : length;
}

static void carry_buf(parcel *p, vd_buf *text) {
  size_t length = text->length;
  carry(p, &length, sizeof length);
  if (p->out) {
    vd_buf_add(p->out, text->text ? text->text : "", length);
    return;
  }
  *text = (vd_buf){0};
  if (length)
    vd_buf_add(text, p->at, length);
  p->at += length;
}

static void carry_rows(parcel *p, vd_rows *rows) {
  size_t count = rows->count * rows->columns;
  if (!p->out) {
    rows->room = rows->count;
    rows->value = vd_allocate(count + 1, sizeof *rows->value);
  }
  if (count)
    carry(p, rows->value, count * sizeof *rows->value);
}

static void carry_response(parcel *p, const vd_response_def **response) {
  bool has = *response != NULL;
  carry(p, &has, sizeof has);
  if (!has)
    return;
  vd_response_def def = {0};
  if (p->out)
    def = **response;
  carry(p, &def, sizeof def);
  carry_text(p, &def.input);
  const char **name = vd_arena_alloc(p->arena, (def.outputs.count + 1) * sizeof *name);
  for (size_t i = 0; i < def.outputs.count; i++) {
    name[i] = p->out ? def.outputs.name[i] : NULL;
    carry_text(p, &name[i]);
  }
  def.outputs.name = name;
  if (!p->out)
    *response = memcpy(vd_arena_alloc(p->arena, sizeof def), &def, sizeof def);
}

static void carry_conditions(parcel *p, vd_report_run *r) {
  size_t size = r->conditions * sizeof *r->condition;
  vd_report_condition *c = vd_arena_alloc(p->arena, size + 1);
  if (p->out && size)
    memcpy(c, r->condition, size);
  if (size)
    carry(p, c, size);
  for (size_t i = 0; i < r->conditions; i++) {
    carry_text(p, &c[i].metric);
    carry_text(p, &c[i].by);
  }
  r->condition = c;
}

/* Sends a run and its status, or receives them. */
static void carry_run(parcel *p, vd_report_run *r, int *status) {
  const char **const text[] = {&r->scenario, &r->title, &r->car, &r->inputs};
  vd_buf *const buf[] = {&r->warnings, &r->remarks, &r->estimates, &r->provenance, &r->resolved};
  carry(p, status, sizeof *status);
  carry(p, r, sizeof *r);
  p->arena = p->out ? r->arena : vd_arena_create();
  r->arena = p->arena;
  r->ground = NULL;
  r->path = NULL;
  r->frame = (vd_rows){0};
  for (size_t i = 0; i < VD_COUNT(text); i++)
    carry_text(p, text[i]);
  for (size_t i = 0; i < VD_COUNT(buf); i++)
    carry_buf(p, buf[i]);
  carry_rows(p, &r->history);
  carry_rows(p, &r->response);
  carry_rows(p, &r->cone);
  carry_response(p, &r->response_def);
  carry_conditions(p, r);
}

/* --- one run --- */

/* Returns the settings of a run: the car, then the settings of the command line. */
static vd_settings settings_of(const vd_settings *s, const char *car, vd_arena *arena) {
  vd_settings one = *s;
  vd_setting *set = vd_arena_alloc(arena, (s->set_count + 1) * sizeof *set);
  vd_buf text = {0};
  vd_buf_puts(&text, "vehicle=\"");
  vd_buf_quote(&text, car, strlen(car));
  vd_buf_puts(&text, "\"");
  set[0] = (vd_setting){.text = vd_arena_copy(arena, text.text, text.length)};
  for (size_t i = 0; i < s->set_count; i++)
    set[i + 1] = s->set[i];
  one.set = set;
  one.set_count++;
  vd_buf_finish(&text);
  return one;
}

/* Prints a note if the run does not meet the conditions of its standard. The page contains this note, too. */
static void tell_misses(const vd_report_run *r) {
  for (size_t i = 0; i < r->conditions; i++)
    if (r->condition[i].missed) {
      const vd_metric *m = vd_report_metric(r, r->condition[i].metric);
      fprintf(stderr, "%s: warning: %s: %s: %s\n", r->scenario, r->car, r->condition[i].metric,
              m && *m->reason ? m->reason : "outside of the condition");
    }
}

static int drive(void *context, size_t i, vd_buf *result) {
  const vd_handling *h = context;
  vd_report_run r = {.brief = true};
  vd_arena *arena = vd_arena_create();
  const vd_settings one = settings_of(h->settings, h->car[i % h->cars], arena);
  int status = vd_report_run_one(&one, h->programme.manoeuvres.name[i / h->cars], ROWS, &r);
  if (!h->settings->quiet)
    tell_misses(&r);
  parcel p = {.out = result};
  carry_run(&p, &r, &status);
  vd_report_run_finish(&r);
  vd_arena_destroy(arena);
  return status;
}

static void take(void *context, size_t i, const vd_buf *result) {
  vd_handling *h = context;
  parcel p = {.at = result->text};
  if (result->length > 0) {
    carry_run(&p, &h->run[i], &h->status[i]);
  } else {
    h->run[i] = (vd_report_run){.scenario = h->programme.manoeuvres.name[i / h->cars], .arena = vd_arena_create()};
    vd_buf_puts(&h->run[i].warnings, "The process of this run died.\n");
    h->status[i] = VD_EXIT_TROUBLE;
  }
  h->run[i].hue = (int)(i % h->cars % VD_REPORT_HUES) + 1;
  h->run[i].brief = true;
}

/* --- the cars --- */

/* Whether a file is a car that can be driven; false after messages. It is called once for all manoeuvres, and also
 * fills the cache that the processes of the runs inherit. */
static bool car_ok(const vd_settings *s, const char *car, vd_diag *inputs) {
  static const char text[] = "run: {level: L3, duration: 1 s}\ninitial: {speed: 20 m/s}\n";
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create(), *other = vd_diag_create();
  int source;
  bool good = vd_schema_slurp(car, other, &source);
  const vd_node *root = good ? vd_tree_parse(arena, other, source) : NULL;
  if (root && vd_tree_get(root, "vehicle") && !vd_tree_get(root, "front")) {
    good = vd_tool_error("'%s' is a scenario; --handling drives cars, files as '--template car' writes them", car);
  } else if (good) {
    vd_settings one = settings_of(s, car, arena), *all = &one;
    size_t count = 1;
    for (size_t i = 1; i < all->set_count; i++) /* the other settings may set keys that only manoeuvres have */
      if (strncmp(all->set[i].text, "vehicle", 7) == 0)
        all->set[count++] = all->set[i];
    vd_diag_set_cache(d, s->maps);
    vd_diag_set_strict(d, s->strict);
    vd_diag_set_quiet(d, s->quiet);
    vd_scenario_def *def = vd_arena_alloc(arena, sizeof *def);
    source = vd_diag_add_source(d, "the programme", text, sizeof text - 1);
    good = vd_scenario_read_source(source, all->set, count, arena, d, def);
    vd_diag_note_files(inputs, d);
    vd_tool_print_messages(d);
  } else {
    vd_tool_print_messages(other);
  }
  vd_diag_destroy(other);
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
  return good;
}

const vd_report_run *vd_handling_of_car(const vd_handling *h, size_t car) {
  for (size_t m = 0; m < h->programme.manoeuvres.count; m++)
    if (vd_handling_run(h, m, car)->inputs)
      return vd_handling_run(h, m, car);
  return NULL;
}

const char *vd_handling_car(const vd_handling *h, size_t car) {
  const vd_report_run *r = vd_handling_of_car(h, car);
  return h->run[car].name ? h->run[car].name : r && *r->car ? r->car : h->car[car];
}

/* Sets the names of the cars in all their runs; cars of the same name are named by their files. */
static void name_cars(vd_handling *h) {
  vd_report_run *one = vd_arena_alloc(h->arena, h->cars * sizeof *one);
  for (size_t c = 0; c < h->cars; c++) {
    const vd_report_run *r = vd_handling_of_car(h, c);
    one[c] = (vd_report_run){.scenario = h->car[c], .level = "", .arena = h->arena};
    one[c].title = one[c].car = r ? r->car : h->car[c];
  }
  vd_report_name_runs(one, h->cars);
  for (size_t i = 0; i < h->programme.manoeuvres.count * h->cars; i++)
    h->run[i].name = one[i % h->cars].name;
}

/* Finds the keys of the cars that differ, if all cars could be read. */
static void find_keys(vd_handling *h) {
  vd_report_run *one = vd_arena_alloc(h->arena, h->cars * sizeof *one);
  for (size_t c = 0; c < h->cars; c++) {
    const vd_report_run *r = vd_handling_of_car(h, c);
    if (!r)
      return;
    one[c] = *r;
  }
  h->keys = vd_report_differences(one, h->cars, "vehicle", h->arena, &h->key);
}

/* --- the programme --- */

static bool read_programme(vd_handling *h, vd_diag *inputs) {
  enum { MOST = 64 };
  const vd_settings *s = h->settings;
  char stem[256] = "handling";
  bool good = true;
  if (s->programme) {
    vd_diag *d = vd_diag_create();
    const char *file = vd_tool_find(s->programme);
    good = vd_programme_read(file, h->arena, d, &h->programme);
    vd_diag_note_files(inputs, d);
    vd_tool_print_messages(d);
    vd_diag_destroy(d);
    vd_job_stem(file, stem, sizeof stem);
  } else {
    const char **file = vd_arena_alloc(h->arena, MOST * sizeof *file);
    h->programme.title = "Handling";
    h->programme.manoeuvres.count = vd_manoeuvres_in("handling/", file, MOST);
    for (size_t i = 0; i < h->programme.manoeuvres.count; i++)
      file[i] = vd_tool_find(file[i]);
    h->programme.manoeuvres.name = file;
  }
  h->stem = vd_arena_copy(h->arena, stem, strlen(stem));
  return good;
}

static int write_results(vd_handling *h) {
  vd_buf page = {0};
  name_cars(h);
  find_keys(h);
  vd_handling_find_figures(h);
  vd_handling_page(h, &page);
  int status = vd_tool_write_text(vd_handling_file(h, ".html"), VD_REPLACES_OURS, page.text, page.length);
  vd_buf_finish(&page);
  return status == VD_EXIT_YES && h->settings->directory ? vd_handling_tables(h) : status;
}

/* Runs the programme and writes the results; returns an exit status. */
static int work(vd_handling *h) {
  const vd_settings *s = h->settings;
  size_t count = h->programme.manoeuvres.count * h->cars;
  h->run = vd_allocate(count, sizeof *h->run);
  h->status = vd_allocate(count, sizeof *h->status);
  const vd_jobs all = {.work = drive,
                       .take = take,
                       .context = h,
                       .count = count,
                       .jobs = s->jobs,
                       .quiet = s->quiet,
                       .watch = isatty(STDERR_FILENO) && !s->quiet,
                       .unit = "runs",
                       .kept = "nothing is kept"};
  int status = vd_jobs_run(&all), written = write_results(h);
  for (size_t i = 0; i < count; i++)
    vd_report_run_finish(&h->run[i]);
  free(h->run);
  free(h->status);
  return written == VD_EXIT_YES ? status : written;
}

int vd_handling_job(const vd_settings *s) {
  vd_settings own = *s;
  vd_handling h = {.settings = &own, .car = s->scenario, .cars = s->scenario_count, .arena = vd_arena_create()};
  vd_diag *inputs = vd_diag_create();
  own.maps = vd_cache_create();
  bool good = read_programme(&h, inputs);
  for (size_t c = 0; c < h.cars; c++)
    good &= car_ok(&own, h.car[c], inputs);
  vd_tool_inputs(inputs);
  good = good && (!s->directory || vd_tool_make_folder(s->output)) && vd_handling_may_write(&h);
  int status = good ? work(&h) : VD_EXIT_TROUBLE;
  vd_tool_inputs(NULL);
  vd_diag_destroy(inputs);
  vd_cache_destroy(own.maps);
  vd_arena_destroy(h.arena);
  return status;
}
