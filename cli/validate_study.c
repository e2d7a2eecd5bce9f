/* Runs the cases of a study that claims are about in several processes: the claims on a study are one piece of work,
 * but its many cases can run at the same time. */
#include "pool.h"
#include "validate.h"

#include "study/study.h"

typedef struct cases {
  const vd_study *study;
  vd_buf *line;
  size_t next;
  vd_study_walk *died; /* makes the lines of cases whose process has died; NULL: none has died */
} cases;

static bool next(void *context, size_t *i) {
  cases *c = context;
  *i = c->next;
  return c->next++ < c->study->count;
}

static void *begin(void *context) {
  const cases *c = context;
  return vd_study_walk_start(c->study);
}

static bool work(void *own, size_t i, vd_buf *result) {
  const vd_case_options how = {.digits = VD_DIGITS_EXACT};
  vd_study_case(own, i, &how, result);
  return true;
}

static bool take(void *context, size_t i, double seconds, const vd_buf *result, const char *how) {
  cases *c = context;
  (void)seconds;
  if (how) {
    vd_buf status = {0};
    vd_buf_printf(&status, "died: %s", how);
    c->died = c->died ? c->died : vd_study_walk_start(c->study);
    vd_study_died(c->died, i, status.text, VD_DIGITS_EXACT, &c->line[i]);
    vd_buf_finish(&status);
  } else {
    vd_buf_add(&c->line[i], result->text, result->length);
  }
  return true;
}

static bool tick(void *context) {
  (void)context;
  return true;
}

bool vd_validate_cases(const void *context, const vd_study *study, vd_buf *line) {
  const vd_validate_settings *s = context;
  cases c = {.study = study, .line = line};
  const vd_pool pool = {.context = &c,
                        .jobs = s->jobs,
                        .count = study->count,
                        .follows = true,
                        .quiet = s->quiet,
                        .next = next,
                        .begin = begin,
                        .work = work,
                        .take = take,
                        .tick = tick};
  const bool good = vd_pool_run(&pool);
  vd_study_walk_finish(c.died);
  return good;
}
