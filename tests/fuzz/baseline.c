/* Fuzzing of baselines: a baseline with any edits must lead to messages or to a verdict. It may hold only if every row
 * and every metric is still there.
 *
 * A libFuzzer target. The first byte selects whether the log or the metrics are edited; if it is odd, the rest of the
 * input replaces the whole file. Run it from the top folder. */
#include "fuzz.h"

#include "validation/judge.h"

#include <math.h>

typedef struct file {
  char *text;
  size_t length;
} file;

static const char claim_text[] = "title: fuzz\nsource: fuzz\nclaims:\n"
                                 "  - claim: nothing has changed\n    kind: baseline\n"
                                 "    scenario: ../scenarios/road/linear_step.yaml\n"
                                 "    set: [run.duration=0.05 s, run.level=L1]\n"
                                 "    baseline: %s\n";

/* Reads the claim about a baseline; no_baseline: its file need not be there. */
static bool read_claim(const char *path, bool no_baseline, vd_arena *arena, vd_diag *d, vd_claims *out) {
  vd_buf text = {0};
  vd_buf_printf(&text, claim_text, path);
  int source = vd_diag_add_source(d, "validation/fuzz.yaml", text.text, text.length);
  vd_buf_finish(&text);
  return vd_claims_read_source(source, no_baseline, arena, d, out);
}

static file take(vd_buf *text) {
  file out = {text->text, text->length};
  *text = (vd_buf){0};
  return out;
}

static void write_good(file *log, file *metrics) {
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  vd_claims claims = {0};
  vd_baseline_text text = {.log = {0}};
  char why[400];
  if (!read_claim("good.csv", true, arena, d, &claims) || !vd_baseline_write(claims.claim, &text, why, sizeof why))
    abort();
  *log = take(&text.log);
  *metrics = take(&text.metrics);
  vd_baseline_text_finish(&text);
  free(claims.claim);
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
}

static size_t lines(const file *f) {
  size_t count = 0;
  for (size_t i = 0; i < f->length; i++)
    count += f->text[i] != '\n' && f->text[i] != '\r' &&
             (i + 1 == f->length || f->text[i + 1] == '\n' || f->text[i + 1] == '\r');
  return count;
}

static void judge(const char *path, bool whole) {
  static const vd_judging how = {.scale = 1.0, .pictures = true};
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  vd_claims claims = {0};
  bool good = read_claim(path, false, arena, d, &claims);
  fuzz_check_messages(d, good);
  if (good) {
    vd_finding f;
    vd_judge(&claims, (const size_t[]){0}, 1, &how, &f);
    if ((!f.evaluated && !*f.reason) || (f.verdict == VD_HOLDS && (!whole || !(f.deviation <= f.allowed))))
      abort();
    vd_finding_finish(&f);
  }
  free(claims.claim);
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static file good[2];
  if (!good[0].text)
    write_good(&good[0], &good[1]);
  if (size == 0)
    return 0;
  file now[2] = {good[0], good[1]}, edited;
  int which = data[0] / 2 % 2;
  if (data[0] % 2) {
    edited = (file){malloc(size), size - 1};
    if (!edited.text)
      abort();
    memcpy(edited.text, data + 1, size - 1);
  } else {
    edited.text = fuzz_edited(good[which].text, good[which].length, data + 1, size - 1, &edited.length);
  }
  now[which] = edited;
  fuzz_file("b.metrics.csv", now[1].text, now[1].length);
  judge(fuzz_file("b.csv", now[0].text, now[0].length),
        lines(&now[0]) >= lines(&good[0]) && lines(&now[1]) >= lines(&good[1]));
  free(edited.text);
  return 0;
}
