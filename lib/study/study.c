#include "study/study_impl.h"

#include "base/memory.h"
#include "base/num.h"
#include "input/file.h"
#include "input/schema.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vd_study_walk {
  const vd_study *study;
  vd_design_walk *design;
  vd_arena *arena; /* memory of the present case */
  bool reads;      /* the walk uses `reader` */
  vd_study_reader reader;
  vd_factor_value *level;
};

/* --- columns --- */

void vd_study_add_unit(const char *unit, vd_buf *out) {
  if (*unit == '\0' || strcmp(unit, "1") == 0)
    return;
  vd_buf_puts(out, "_");
  for (const char *p = unit; *p; p++)
    if (*p == '/')
      vd_buf_puts(out, "p");
    else if (*p != ' ' && *p != '*' && *p != '^' && *p != '(' && *p != ')')
      vd_buf_add(out, p, 1);
}

static void add_column(const vd_factor *f, vd_buf *out) {
  vd_buf_puts(out, f->name);
  vd_study_add_unit(f->unit, out);
}

void vd_study_header(const vd_study *study, bool factors_only, vd_buf *line) {
  vd_buf_puts(line, "case,status");
  for (size_t i = 0; i < study->factors; i++) {
    vd_buf_puts(line, ",");
    add_column(&study->factor[i], line);
  }
  for (size_t i = 0; i < study->metrics && !factors_only; i++)
    vd_buf_printf(line, ",%s", study->metric[i].name);
  vd_buf_puts(line, "\n");
}

/* --- reading --- */

uint64_t vd_study_hash_inputs(int source, const vd_setting *settings, size_t count, vd_diag *d) {
  const char *text;
  size_t length = vd_diag_source_text(d, source, &text);
  uint64_t hash = vd_text_hash(VD_HASH_START, VDSIM_VERSION, sizeof VDSIM_VERSION);
  hash = vd_text_hash(hash, text, length);
  for (size_t i = 0; i < count; i++)
    hash = vd_text_hash(hash, settings[i].text, strlen(settings[i].text) + 1);
  for (size_t i = 0; i < vd_diag_files(d); i++) {
    vd_file_id id;
    vd_file f;
    vd_buf bytes = {0};
    if (vd_file_open(vd_diag_file(d, i, &id), VD_FILE_REGULAR, d, &f) == 0 &&
        vd_file_read(&f, (size_t)1 << 30, &bytes) == 0)
      hash = vd_text_hash(hash, bytes.text ? bytes.text : "", bytes.length);
    vd_buf_finish(&bytes);
  }
  return hash;
}

/* Checks that columns have different names: the name of a factor with its unit may equal the name of another column. */
static void check_columns(vd_study_reading *r) {
  const vd_study *s = r->study;
  vd_buf own = {0}, other = {0};
  for (size_t i = 0; i < s->factors; i++) {
    bool used = false;
    own.length = 0;
    add_column(&s->factor[i], &own);
    for (size_t k = 0; k < i; k++) {
      other.length = 0;
      add_column(&s->factor[k], &other);
      used |= strcmp(own.text, other.text) == 0;
    }
    for (size_t k = 0; k < s->metrics; k++)
      used |= strcmp(own.text, s->metric[k].name) == 0;
    if (used)
      vd_error(
          r->d,
          vd_tree_place_in(s->root, vd_arena_printf(s->arena, "vary.%zu", i), *s->factor[i].def->name ? "name" : "key"),
          "there is another column '%s'; the factor needs another 'name'", own.text);
  }
  vd_buf_finish(&own);
  vd_buf_finish(&other);
}

static void check_histories(vd_study_reading *r) {
  const vd_study *s = r->study;
  bool some = s->def.histories == VD_HISTORIES_SOME, described = s->def.interesting.count > 0;
  if (some != described)
    vd_error(r->d, vd_tree_place(s->root, described ? "interesting" : "histories"),
             "'interesting' describes the cases of 'histories: some', which is not given");
  if (s->def.histories != VD_HISTORIES_NONE && !r->history)
    vd_error(r->d, vd_tree_place(s->root, "histories"), "a %s has no time history",
             s->kind == VD_KIND_VEHICLE ? "search" : vd_kinds[s->kind].name);
}

const char *vd_study_folder(const char **folder_given, const char *path, bool in_full, vd_arena *arena) {
  const char *folder = **folder_given ? vd_arena_printf(arena, "%s/", *folder_given) : vd_file_folder(arena, path);
  if (in_full)
    *folder_given = vd_file_full(arena, *folder ? folder : ".");
  return folder;
}

/* True if settings or values may name files. */
static bool has_texts(const vd_study_def *def) {
  bool any = def->set.count > 0;
  for (size_t i = 0; i < def->vary.count; i++)
    any |= ((const vd_factor_def *)def->vary.item + i)->type == VD_FACTOR_LIST;
  return any;
}

bool vd_study_read_source(int source, const vd_setting *settings, size_t count, vd_arena *arena, vd_diag *d,
                          vd_study *out) {
  vd_node *root;
  size_t errors = vd_diag_errors(d);
  *out = (vd_study){.arena = arena, .maps = vd_diag_cache(d)};
  if (!vd_schema_read_source(&vd_study_schema, source, settings, count, arena, d, &out->def, &root))
    return false;
  out->root = root;
  out->folder = vd_study_folder(&out->def.folder, vd_diag_source_name(d, source), has_texts(&out->def), arena);
  vd_study_reading r = {.study = out, .d = d};
  if (out->def.kind != VD_SCENARIO_STUDY)
    vd_error(d, vd_tree_place(root, "kind"), "a study is of kind study");
  else if (vd_study_read_base(&r) && vd_study_read_factors(&r) && vd_study_read_design(&r)) {
    check_columns(&r);
    check_histories(&r);
  }
  if (vd_diag_errors(d) > errors)
    return false;
  out->hash = vd_study_hash_inputs(source, settings, count, d);
  return true;
}

/* --- lines --- */

static void add_number(double value, enum vd_digits digits, vd_buf *line) {
  char text[VD_NUM_MAX] = "";
  if (!isnan(value))
    (digits == VD_DIGITS_EXACT ? vd_num_print_shortest : vd_num_print9)(value + 0.0, text);
  vd_buf_puts(line, text);
}

/* Adds a field without line ends: a case has one line in the table and in the journal. */
static void add_word(const char *word, vd_buf *line) {
  size_t from = line->length;
  vd_csv_text(word, line);
  for (size_t i = from; i < line->length; i++)
    if (line->text[i] == '\n' || line->text[i] == '\r')
      line->text[i] = ' ';
}

static void add_case(const vd_study_walk *w, size_t i, const char *status, enum vd_digits digits, vd_buf *line) {
  vd_buf_printf(line, "%zu,", i);
  add_word(status, line);
  for (size_t f = 0; f < w->study->factors; f++) {
    const vd_factor_value *level = &w->level[f];
    vd_buf_puts(line, ",");
    if (!isnan(level->number))
      add_number(level->number, digits, line);
    else if (level->text)
      add_word(level->word ? level->word : level->text, line);
  }
}

static void add_metrics(const vd_study *s, const vd_metrics *metrics, enum vd_digits digits, vd_buf *line) {
  for (size_t k = 0; k < s->metrics; k++) {
    const vd_metric *m = metrics ? vd_metric_called(metrics, s->metric[k].name) : NULL;
    vd_buf_puts(line, ",");
    if (m)
      add_number(m->value, digits, line);
  }
  vd_buf_puts(line, "\n");
}

enum vd_ending vd_ending_of(const char *line) {
  static const char *const word[VD_ENDINGS] = {"ok", "excluded", "no answer", "ended", "refused", "died"};
  const char *status = strchr(line, ',');
  int i = 0;
  if (!status)
    return VD_CASE_DIED;
  status += status[1] == '"' ? 2 : 1;
  while (i + 1 < VD_ENDINGS && strncmp(status, word[i], strlen(word[i])) != 0)
    i++;
  return (enum vd_ending)i;
}

/* --- cases --- */

vd_study_walk *vd_study_walk_start(const vd_study *study) {
  vd_study_walk *w = vd_allocate(1, sizeof *w);
  w->study = study;
  w->design = vd_design_start(study);
  w->level = vd_allocate(study->factors, sizeof *w->level);
  return w;
}

void vd_study_walk_finish(vd_study_walk *w) {
  if (!w)
    return;
  if (w->reads)
    vd_study_reader_finish(&w->reader);
  vd_design_finish(w->design);
  vd_arena_destroy(w->arena);
  free(w->level);
  free(w);
}

/* Sets the walk to the values of a case. Returns NULL, or the reason why the case is not run. */
static const char *go_to(vd_study_walk *w, size_t i) {
  const vd_study *s = w->study;
  char why[200] = "";
  vd_arena_destroy(w->arena);
  w->arena = vd_arena_create();
  for (size_t f = 0; f < s->factors; f++)
    w->level[f] = (vd_factor_value){.number = NAN};
  vd_design_levels(w->design, i, w->arena, w->level);
  if (!vd_study_formulas(s, w->level, w->arena, why, sizeof why))
    return vd_arena_printf(w->arena, "refused: %s", why);
  return vd_study_holds(s, s->constraint, s->def.constraints.count, w->level, NULL, false) ? NULL : "excluded";
}

bool vd_study_levels(vd_study_walk *walk, size_t i, vd_factor_value *level) {
  bool runs = go_to(walk, i) == NULL;
  memcpy(level, walk->level, walk->study->factors * sizeof *level);
  return runs;
}

/* Returns the settings of the present case: the settings of the study, then one for each key of each factor that has a
 * value. */
static const vd_setting *settings_of(const vd_study_walk *w, size_t *count) {
  const vd_study *s = w->study;
  size_t more = 0;
  for (size_t f = 0; f < s->factors; f++)
    more += s->factor[f].def->keys.count;
  vd_setting *set = vd_study_settings_of(s, more, w->arena);
  *count = s->def.set.count;
  for (size_t f = 0; f < s->factors; f++)
    for (size_t k = 0; k < s->factor[f].def->keys.count && w->level[f].text; k++) {
      const char *text = vd_arena_printf(w->arena, "%s=%s", s->factor[f].def->keys.name[k], w->level[f].text);
      set[(*count)++] = (vd_setting){.text = text, .folder = s->folder};
    }
  return set;
}

/* Runs a case that was read; logged: keeps its time history. False: the history could not be opened. */
static bool run_case(vd_study_walk *w, size_t i, const vd_subject *is, const vd_setting *set, size_t count, bool logged,
                     const vd_case_options *options, vd_case_outcome *out) {
  vd_output *log = logged ? options->open(options->context, i) : NULL;
  bool good = log || !logged;
  if (good)
    vd_study_run(w->study, &w->reader, is, set, count, options->digits, log, w->arena, out);
  if (logged)
    options->close(options->context, i, log, good && strcmp(out->status, "ok") == 0);
  return good;
}

/* Reads and runs a case. If its time history is kept only for certain results, the run is made again with a log once
 * the results are known. */
static void read_and_run(vd_study_walk *w, size_t i, const vd_case_options *options, vd_case_outcome *out) {
  const vd_study *s = w->study;
  bool logs = options->open && s->def.histories != VD_HISTORIES_NONE;
  bool all = logs && s->def.histories == VD_HISTORIES_ALL;
  size_t count;
  vd_subject is;
  const vd_setting *set = settings_of(w, &count);
  if (!vd_study_read_case(s, &w->reader, set, count, options->strict, w->arena, &is)) {
    vd_study_refuse(&w->reader, out);
    return;
  }
  if (run_case(w, i, &is, set, count, all, options, out) && logs && !all &&
      vd_study_holds(s, s->interesting, s->def.interesting.count, w->level, &out->run.metrics,
                     true)) /* the history is kept if the constraint has no value */
    run_case(w, i, &is, set, count, true, options, out);
}

void vd_study_case(vd_study_walk *w, size_t i, const vd_case_options *options, vd_buf *line) {
  const vd_study *s = w->study;
  const char *why = go_to(w, i);
  if (why) {
    add_case(w, i, why, options->digits, line);
    add_metrics(s, NULL, options->digits, line);
    return;
  }
  vd_case_outcome *out = vd_arena_alloc(w->arena, sizeof *out);
  if (!w->reads)
    vd_study_reader_start(s, &w->reader);
  w->reads = true;
  read_and_run(w, i, options, out);
  add_case(w, i, out->status, options->digits, line);
  add_metrics(s, !out->refused ? &out->run.metrics : NULL, options->digits, line);
}

void vd_study_died(vd_study_walk *w, size_t i, const char *how, enum vd_digits digits, vd_buf *line) {
  go_to(w, i);
  add_case(w, i, how, digits, line);
  add_metrics(w->study, NULL, digits, line);
}

void vd_study_plan(vd_study_walk *w, size_t i, enum vd_digits digits, vd_buf *line) {
  const char *why = go_to(w, i);
  add_case(w, i, why ? why : "", digits, line);
  vd_buf_puts(line, "\n");
}

const vd_setting *vd_study_settings(vd_study_walk *w, size_t i, size_t *count, const char **why) {
  *why = go_to(w, i);
  return settings_of(w, count);
}
