/* Claims that share a run are one piece of work. Pieces are done in processes of their own, and their findings come
 * back in files. */
#include "jobs.h"
#include "tool.h"
#include "validate.h"

#include <errno.h>
#include <fcntl.h>
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
  char folder[1024]; /* of the findings' files */
} work;

static void make_pieces(work *w) {
  const vd_claims *c = &w->v->claims;
  bool *taken = vd_tool_allocate(c->count, sizeof *taken);
  w->piece = vd_tool_allocate(c->count, sizeof *w->piece);
  for (size_t i = 0; i < c->count; i++) {
    if (taken[i])
      continue;
    piece *p = &w->piece[w->count++];
    p->index = vd_tool_allocate(c->count - i, sizeof *p->index);
    for (size_t k = i; k < c->count; k++)
      if (k == i || (!taken[k] && vd_claims_share(&c->claim[i], &c->claim[k]))) {
        taken[k] = true;
        p->index[p->count++] = k;
      }
  }
  free(taken);
}

/* --- one piece --- */

static void piece_path(const work *w, size_t i, char *path, size_t size) {
  snprintf(path, size, "%.900s/%zu", w->folder, i);
}

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

static int do_piece(void *context, size_t i) {
  const work *w = context;
  const piece *p = &w->piece[i];
  vd_judging how = {.scale = w->settings->scale, .pictures = w->settings->report != NULL};
  int status = VD_EXIT_YES;
  char path[1024];
  if (w->settings->baselines) {
    for (size_t k = 0; k < p->count && status == VD_EXIT_YES; k++)
      status = write_baseline(w, &w->v->claims.claim[p->index[k]]);
    return status;
  }
  vd_finding *finding = vd_tool_allocate(p->count, sizeof *finding);
  vd_judge(&w->v->claims, p->index, p->count, &how, finding);
  piece_path(w, i, path, sizeof path);
  FILE *f = fopen(path, "wb");
  bool saved = f && vd_findings_save(f, finding, p->count);
  if ((f && fclose(f) != 0) || !saved) {
    vd_tool_error("cannot write '%s': %s", path, strerror(errno));
    status = VD_EXIT_TROUBLE;
  }
  for (size_t k = 0; k < p->count; k++)
    vd_finding_finish(&finding[k]);
  free(finding);
  return status;
}

static void collect(work *w, vd_validation *v) {
  char path[1024];
  for (size_t i = 0; i < w->count; i++) {
    const piece *p = &w->piece[i];
    vd_finding *finding = vd_tool_allocate(p->count, sizeof *finding);
    piece_path(w, i, path, sizeof path);
    FILE *f = fopen(path, "rb");
    bool whole = f && vd_findings_load(f, finding, p->count);
    for (size_t k = 0; k < p->count; k++) {
      vd_finding *to = &v->finding[p->index[k]];
      *to = whole ? finding[k] : (vd_finding){.verdict = VD_FAILS};
      if (!whole)
        snprintf(to->reason, sizeof to->reason, "the process that judged it has died");
    }
    if (f)
      fclose(f);
    remove(path);
    free(finding);
  }
}

static bool make_folder(work *w) {
  const char *tmp = getenv("TMPDIR");
  snprintf(w->folder, sizeof w->folder, "%.900s/vdsim-validate-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  return mkdtemp(w->folder) || vd_tool_error("cannot make a temporary folder '%s': %s", w->folder, strerror(errno));
}

int vd_validate_work(const vd_validate_settings *s, vd_validation *v) {
  work w = {.settings = s, .v = v};
  if (!make_folder(&w))
    return VD_EXIT_TROUBLE;
  if (s->baselines && !vd_tool_make_folder(s->baselines)) {
    rmdir(w.folder);
    return VD_EXIT_TROUBLE;
  }
  make_pieces(&w);
  bool watch = !s->quiet && isatty(STDERR_FILENO);
  int status =
      vd_jobs_run(&(vd_jobs){.work = do_piece, .context = &w, .count = w.count, .jobs = s->jobs, .watch = watch});
  if (!s->baselines)
    collect(&w, v);
  rmdir(w.folder);
  for (size_t i = 0; i < w.count; i++)
    free(w.piece[i].index);
  free(w.piece);
  return status;
}
