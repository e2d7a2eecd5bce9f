/* Distributes the claims to processes. Claims that share a run, directly or through other claims, form a group and are
 * judged together, whatever their files. Several groups form a piece of work, which is done in a process of its own,
 * because starting a process for each group would cost as much time as the runs of the group. */
#include "jobs.h"
#include "stop.h"
#include "tool.h"
#include "validate.h"

#include "base/memory.h"
#include "base/system.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct piece {
  size_t *index; /* indices of the claims of the piece */
  size_t count, capacity;
} piece;

typedef struct work {
  const vd_validate_settings *settings;
  const vd_validation *v;
  piece *piece;
  size_t count;
  bool *judged; /* one for each claim: it has been judged */
  bool failed;  /* at least one of the judged claims failed */
} work;

/* A run that a claim needs. */
typedef struct need {
  vd_shared_run run;
  size_t claim;
} need;

static int by_run(const void *a, const void *b) {
  return vd_shared_run_compare(&((const need *)a)->run, &((const need *)b)->run);
}

/* Returns the first claim of the group of claim i. Claims that share a run are linked in a tree whose root is the first
 * claim of the group. */
static size_t root_of(size_t *above, size_t i) {
  while (above[i] != i)
    i = above[i] = above[above[i]];
  return i;
}

static void join(size_t *above, size_t a, size_t b) {
  size_t x = root_of(above, a), y = root_of(above, b);
  above[x > y ? x : y] = x > y ? y : x;
}

static void join_sharers(const vd_claims *c, size_t *above) {
  need *all = vd_allocate(2 * c->count + 1, sizeof *all);
  size_t count = 0;
  for (size_t i = 0; i < c->count; i++) {
    vd_shared_run run[2];
    for (size_t n = vd_claim_runs(&c->claim[i], run), k = 0; k < n; k++)
      all[count++] = (need){run[k], i};
  }
  qsort(all, count, sizeof *all, by_run);
  for (size_t i = 1; i < count; i++)
    if (by_run(&all[i - 1], &all[i]) == 0)
      join(above, all[i - 1].claim, all[i].claim);
  free(all);
}

/* Returns the number of groups in a piece: each process gets many pieces, so that none has to wait long for the last
 * one. */
static size_t groups_of_piece(const vd_validate_settings *s, size_t groups) {
  enum { PIECES = 16, MOST = 6 };
  const size_t share = groups / (PIECES * (size_t)s->jobs);
  if (s->fail_fast || s->baselines || share < 1)
    return 1;
  return share < MOST ? share : MOST;
}

/* Makes the pieces, with their claims in the order of the files. */
static void make_pieces(work *w) {
  const vd_claims *c = &w->v->claims;
  size_t group = 0, groups = 0;
  size_t *above = vd_allocate(c->count + 1, sizeof *above), *piece_of = vd_allocate(c->count + 1, sizeof *piece_of);
  w->piece = vd_allocate(c->count, sizeof *w->piece);
  for (size_t i = 0; i < c->count; i++)
    above[i] = i;
  join_sharers(c, above);
  for (size_t i = 0; i < c->count; i++)
    groups += root_of(above, i) == i;
  const size_t together = groups_of_piece(w->settings, groups);
  for (size_t i = 0; i < c->count; i++) {
    size_t root = root_of(above, i);
    if (root == i) {
      w->count += group++ % together == 0;
      piece_of[i] = w->count - 1;
    }
    piece *p = &w->piece[piece_of[root]];
    if (p->count == p->capacity) {
      p->capacity = 2 * p->capacity + 4;
      p->index = vd_reallocate(p->index, p->capacity, sizeof *p->index);
    }
    p->index[p->count++] = i;
  }
  free(above);
  free(piece_of);
}

/* --- baselines --- */

/* Returns the part of a path after a folder, or NULL if the path is not below it. */
static const char *path_below(const char *path, const char *folder) {
  size_t length = strlen(folder);
  while (length > 1 && folder[length - 1] == '/')
    length--;
  return strncmp(path, folder, length) == 0 && path[length] == '/' ? path + length + 1 : NULL;
}

/* Returns folder and name of a claim's baseline, "iso/step_steer": its path below the folder that baselines are written
 * to, or below `baselines`, or below the folder of the claim's file. */
static const char *baseline_name(const vd_validate_settings *s, const vd_claim *claim) {
  const char *path = vd_claim_baseline_path(claim), *file = claim->file, *slash = strrchr(file, '/');
  const char *found = strstr(path, "baselines/"), *name = path_below(path, s->baselines);
  if (name)
    return name;
  if (found)
    return found + strlen("baselines/");
  size_t folder = slash ? (size_t)(slash - file) + 1 : 0;
  return path + (strncmp(path, file, folder) == 0 ? folder : 0);
}

/* Makes the path of a baseline without its extension: DIR/iso/step_steer. */
static void baseline_stem(const vd_validate_settings *s, const vd_claim *claim, vd_buf *stem) {
  const char *name = baseline_name(s, claim);
  vd_buf_printf(stem, "%s/%.*s", s->baselines, (int)(strlen(name) - strlen(".csv")), name);
}

static int write_part(const char *stem, const char *ending, const vd_buf *text) {
  vd_buf path = {0};
  vd_buf_printf(&path, "%s%s", stem, ending);
  int status = vd_tool_write_text(path.text, VD_REPLACES_ALL, text->text, text->length);
  vd_buf_finish(&path);
  return status;
}

/* Writes the files of a baseline. The provenance is first: it marks the others as results of these programs. */
static int write_parts(const char *stem, const vd_baseline_text *text) {
  int turn = vd_tool_await_turn(stem);
  vd_stop_block();
  int status = write_part(stem, ".provenance.yaml", &text->provenance);
  if (status == VD_EXIT_YES)
    status = write_part(stem, ".resolved.yaml", &text->resolved);
  if (status == VD_EXIT_YES)
    status = write_part(stem, ".csv", &text->log);
  if (status == VD_EXIT_YES && text->metrics.length > 0)
    status = write_part(stem, ".metrics.csv", &text->metrics);
  vd_tool_end_turn(turn);
  vd_stop_unblock();
  return status;
}

static int write_baseline(const work *w, const vd_claim *claim) {
  vd_baseline_text text = {.log = {0}};
  vd_buf stem = {0};
  char why[400];
  int status = VD_EXIT_TROUBLE;
  baseline_stem(w->settings, claim, &stem);
  char *slash = strrchr(stem.text, '/');
  *slash = '\0';
  bool there = vd_tool_make_folder(stem.text);
  *slash = '/';
  if (!there)
    ;
  else if (vd_baseline_write(claim, &text, why, sizeof why))
    status = write_parts(stem.text, &text);
  else
    fprintf(stderr, "%s: error: %s\n", claim->run.scenario, why);
  vd_baseline_text_finish(&text);
  vd_buf_finish(&stem);
  return status;
}

static int write_baselines(const work *w, const piece *p) {
  int status = VD_EXIT_YES;
  for (size_t k = 0; k < p->count && status == VD_EXIT_YES; k++)
    status = write_baseline(w, &w->v->claims.claim[p->index[k]]);
  return status;
}

/* Whether a relative name stays below the folder that it is relative to. */
static bool is_inside(const char *name) {
  bool inside = !vd_path_is_absolute(name);
  for (const char *part = name; inside && part; part = strchr(part, '/')) {
    part += *part == '/';
    inside = strncmp(part, "../", 3) != 0;
  }
  return inside;
}

bool vd_validate_may_write_baselines(const vd_validate_settings *s, const vd_validation *v) {
  static const char *const ending[] = {".provenance.yaml", ".resolved.yaml", ".csv", ".metrics.csv"};
  bool good = true;
  for (size_t i = 0; i < v->claims.count; i++) {
    const char *path = vd_claim_baseline_path(&v->claims.claim[i]);
    vd_buf name = {0};
    baseline_stem(s, &v->claims.claim[i], &name);
    size_t stem = name.length;
    /* waits while another process may be writing the provenance of the same baseline */
    int turn = vd_tool_await_turn(name.text);
    bool inside = is_inside(baseline_name(s, &v->claims.claim[i])), ours = false;
    if (!inside)
      good = vd_tool_error("the baseline '%s' would be written outside of '%s': it must be in this folder, in "
                           "'baselines/' or in the folder of its claim",
                           path, s->baselines);
    for (size_t k = 0; k < VD_COUNT(ending) && inside; k++) {
      name.length = stem;
      vd_buf_puts(&name, ending[k]);
      ours = k == 0 ? vd_tool_begins(name.text, "tool: vdsim-") : ours;
      good &= vd_tool_may_replace(name.text, ours);
    }
    vd_tool_end_turn(turn);
    vd_buf_finish(&name);
  }
  return good;
}

/* --- judging one piece --- */

/* Appends the names of the files that were read to a result, after the findings; the length of the findings comes
 * first. */
static void add_files(const vd_diag *d, size_t from, vd_buf *result) {
  for (size_t i = from; i < vd_diag_files(d); i++) {
    vd_file_id id;
    const char *name = vd_diag_file(d, i, &id);
    vd_buf_add(result, (const char *)&id, sizeof id);
    vd_buf_add(result, name, strlen(name) + 1);
  }
}

static void take_files(const char *at, const char *end, vd_diag *d) {
  while (at < end) {
    vd_file_id id;
    memcpy(&id, at, sizeof id);
    vd_diag_note_file(d, at + sizeof id, id);
    at += sizeof id + strlen(at + sizeof id) + 1;
  }
}

static void save(const vd_finding *finding, size_t count, vd_buf *result) {
  vd_stream s;
  bool open = vd_stream_open(&s), good = open && vd_findings_save(s.file, finding, count);
  if (!open || !vd_stream_finish(&s) || !good)
    vd_memory_out();
  vd_buf_add(result, (const char *)&s.length, sizeof s.length);
  vd_buf_add(result, s.text, s.length);
  free(s.text);
}

static int do_piece(void *context, size_t i, vd_buf *result) {
  const work *w = context;
  const piece *p = &w->piece[i];
  vd_judging how = {.scale = w->settings->scale, .pictures = w->settings->report != NULL};
  if (w->settings->jobs > 1)
    how.cases = (vd_case_runner){vd_validate_cases, w->settings};
  if (w->settings->baselines)
    return write_baselines(w, p);
  size_t files = vd_diag_files(w->v->d);
  vd_finding *finding = vd_allocate(p->count, sizeof *finding);
  vd_judge(&w->v->claims, p->index, p->count, &how, finding);
  save(finding, p->count, result);
  add_files(w->v->d, files, result);
  for (size_t k = 0; k < p->count; k++)
    vd_finding_finish(&finding[k]);
  free(finding);
  return VD_EXIT_YES;
}

static void take_findings(void *context, size_t i, const vd_buf *result) {
  work *w = context;
  const piece *p = &w->piece[i];
  if (w->settings->baselines)
    return;
  vd_finding *finding = vd_allocate(p->count, sizeof *finding);
  size_t length = 0;
  if (result->length > 0)
    memcpy(&length, result->text, sizeof length);
  FILE *f = length > 0 ? vd_stream_of(result->text + sizeof length, length) : NULL;
  bool whole = f && vd_findings_load(f, finding, p->count);
  for (size_t k = 0; k < p->count; k++) {
    vd_finding *to = &w->v->finding[p->index[k]];
    *to = whole ? finding[k] : (vd_finding){.verdict = VD_FAILS};
    if (!whole)
      snprintf(to->reason, sizeof to->reason, "the process that judged this claim has died");
    w->judged[p->index[k]] = true;
    w->failed |= to->verdict == VD_FAILS || to->verdict == VD_SURPRISE;
  }
  if (f) {
    fclose(f);
    take_files(result->text + sizeof length + length, result->text + result->length, w->v->d);
  }
  free(finding);
}

/* Leaves out the claims that were not judged. */
static void keep_judged(const bool *judged, vd_validation *v) {
  vd_claims *c = &v->claims;
  size_t kept = 0;
  for (size_t i = 0; i < c->count; i++)
    if (judged[i]) {
      c->claim[kept] = c->claim[i];
      v->finding[kept++] = v->finding[i];
    }
  c->count = kept;
}

int vd_validate_work(const vd_validate_settings *s, vd_validation *v) {
  work w = {.settings = s, .v = v};
  if (s->baselines && !vd_tool_make_folder(s->baselines))
    return VD_EXIT_TROUBLE;
  make_pieces(&w);
  w.judged = vd_allocate(v->claims.count, sizeof *w.judged);
  int status = vd_jobs_run(&(vd_jobs){
      .work = do_piece,
      .take = take_findings,
      .context = &w,
      .count = w.count,
      .jobs = s->jobs,
      .quiet = s->quiet,
      .watch = !s->quiet && isatty(STDERR_FILENO),
      .unit = "parts",
      .enough = s->fail_fast ? &w.failed : NULL,
      .kept = s->baselines ? "their baselines are kept" : "nothing is kept",
  });
  for (size_t i = 0; i < w.count; i++)
    free(w.piece[i].index);
  free(w.piece);
  if (s->fail_fast && !s->baselines)
    keep_judged(w.judged, v);
  free(w.judged);
  return status;
}
