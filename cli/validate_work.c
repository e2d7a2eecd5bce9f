/* Claims that share a run are one piece of work. Pieces are done in processes of their own, which send their findings. */
#include "jobs.h"
#include "tool.h"
#include "validate.h"

#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct piece {
  size_t *index; /* of its claims */
  size_t count;
} piece;

typedef struct work {
  const vd_validate_settings *settings;
  const vd_validation *v;
  piece *piece;
  size_t count;
} work;

static void make_pieces(work *w) {
  const vd_claims *c = &w->v->claims;
  bool *taken = vd_allocate(c->count, sizeof *taken);
  w->piece = vd_allocate(c->count, sizeof *w->piece);
  for (size_t i = 0; i < c->count; i++) {
    if (taken[i])
      continue;
    piece *p = &w->piece[w->count++];
    p->index = vd_allocate(c->count - i, sizeof *p->index);
    for (size_t k = i; k < c->count; k++)
      if (k == i || (!taken[k] && vd_claims_share(&c->claim[i], &c->claim[k]))) {
        taken[k] = true;
        p->index[p->count++] = k;
      }
  }
  free(taken);
}

/* --- one piece --- */

/* The folder and name of a baseline in the tree of baselines: "iso/step_steer". */
static const char *baseline_name(const char *path) {
  const char *found = strstr(path, "baselines/");
  return found ? found + strlen("baselines/") : path;
}

static int write_baseline(const work *w, const vd_claim *claim) {
  char stem[2048], why[400] = "";
  const char *name = baseline_name(vd_claim_baseline_path(claim)), *slash = strrchr(name, '/');
  snprintf(stem, sizeof stem, "%s/%.*s", w->settings->baselines, slash ? (int)(slash - name) : 0, name);
  if (slash && mkdir(stem, 0777) != 0 && errno != EEXIST)
    snprintf(why, sizeof why, "cannot make folder '%.300s'", stem);
  snprintf(stem, sizeof stem, "%s/%.*s", w->settings->baselines, (int)strlen(name) - 4, name);
  if (*why == '\0' && vd_baseline_write(claim, stem, why, sizeof why))
    return VD_EXIT_YES;
  fprintf(stderr, "%s: error: %s\n", claim->run.scenario, why);
  return VD_EXIT_TROUBLE;
}

static int write_baselines(const work *w, const piece *p) {
  int status = VD_EXIT_YES;
  for (size_t k = 0; k < p->count && status == VD_EXIT_YES; k++)
    status = write_baseline(w, &w->v->claims.claim[p->index[k]]);
  return status;
}

static void save(const vd_finding *finding, size_t count, vd_buf *result) {
  char *bytes = NULL;
  size_t length = 0;
  FILE *f = open_memstream(&bytes, &length);
  bool good = f && vd_findings_save(f, finding, count);
  if (!f || fclose(f) != 0 || !good)
    vd_memory_out();
  vd_buf_add(result, bytes, length);
  free(bytes);
}

static int do_piece(void *context, size_t i, vd_buf *result) {
  const work *w = context;
  const piece *p = &w->piece[i];
  vd_judging how = {.scale = w->settings->scale, .pictures = w->settings->report != NULL};
  if (w->settings->baselines)
    return write_baselines(w, p);
  vd_finding *finding = vd_allocate(p->count, sizeof *finding);
  vd_judge(&w->v->claims, p->index, p->count, &how, finding);
  save(finding, p->count, result);
  for (size_t k = 0; k < p->count; k++)
    vd_finding_finish(&finding[k]);
  free(finding);
  return VD_EXIT_YES;
}

static void take_findings(void *context, size_t i, const vd_buf *result) {
  const work *w = context;
  const piece *p = &w->piece[i];
  if (w->settings->baselines)
    return;
  vd_finding *finding = vd_allocate(p->count, sizeof *finding);
  FILE *f = result->length > 0 ? fmemopen(result->text, result->length, "rb") : NULL;
  bool whole = f && vd_findings_load(f, finding, p->count);
  for (size_t k = 0; k < p->count; k++) {
    vd_finding *to = &w->v->finding[p->index[k]];
    *to = whole ? finding[k] : (vd_finding){.verdict = VD_FAILS};
    if (!whole)
      snprintf(to->reason, sizeof to->reason, "the process that judged it has died");
  }
  if (f)
    fclose(f);
  free(finding);
}

int vd_validate_work(const vd_validate_settings *s, vd_validation *v) {
  work w = {.settings = s, .v = v};
  if (s->baselines && !vd_tool_make_folder(s->baselines))
    return VD_EXIT_TROUBLE;
  make_pieces(&w);
  int status = vd_jobs_run(&(vd_jobs){
      .work = do_piece,
      .take = take_findings,
      .context = &w,
      .count = w.count,
      .jobs = s->jobs,
      .watch = !s->quiet && isatty(STDERR_FILENO),
      .unit = "runs",
      .kept = s->baselines ? "their baselines are kept" : "nothing is kept",
  });
  for (size_t i = 0; i < w.count; i++)
    free(w.piece[i].index);
  free(w.piece);
  return status;
}
