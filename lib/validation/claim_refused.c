/* Claims that a bad input, a scenario or a suspension, is refused with certain words. */
#include "validation/claim_impl.h"

#include "base/base.h"
#include "input/schema.h"
#include "linkage/corner_def.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const vd_field keys[] = {
  {VD_F_STRING(vd_claim_def, as.refused.words, "words", NULL,
               "words in the message of the refusal, or of the end of the run"),
   .only = VD_WHEN(VD_CLAIM_REFUSED)},
};
/* clang-format on */

static void read(vd_claim_context *ctx) {
  if (vd_is_given(ctx->def->suspension))
    vd_claim_file_exists(ctx, ctx->def->suspension, vd_claim_at(ctx, "suspension"));
}

/* Judges the words of a refusal: they must be in the messages or, if the scenario is accepted, in the message that
 * ended its run. */
static void judge_words(const vd_claim_case *c, const char *text) {
  const char *words = c->claim->def->as.refused.words;
  c->out->exact = c->out->evaluated = true;
  snprintf(c->out->quantity, sizeof c->out->quantity, "message");
  if (!text) {
    c->out->verdict = VD_FAILS;
    snprintf(c->out->reason, sizeof c->out->reason, "the input is not refused; expected: %s", words);
  } else if (!strstr(text, words)) {
    c->out->verdict = VD_FAILS;
    snprintf(c->out->reason, sizeof c->out->reason, "the input is refused with another message: %.*s",
             (int)strcspn(text, "\n"), text);
  }
}

static void judge(const vd_claim_case *c, const vd_performed *unused, const vd_performed *other) {
  (void)unused;
  (void)other;
  if (vd_is_given(c->claim->def->suspension)) {
    vd_arena *arena = vd_arena_create();
    vd_diag *d = vd_diag_create();
    vd_corner corner;
    bool read =
        vd_corner_read(c->claim->def->suspension, c->claim->run.set, c->claim->run.set_count, arena, d, &corner, NULL);
    char *text = read ? NULL : vd_performed_words(d);
    judge_words(c, text);
    free(text);
    vd_performed_note(&c->claim->run, d);
    vd_diag_destroy(d);
    vd_arena_destroy(arena);
  } else {
    vd_perform_options o = {.sets = 0};
    vd_performed run;
    judge_words(c, vd_perform(&c->claim->run, &o, &run) ? NULL : run.why);
    vd_performed_finish(&run);
  }
}

const vd_claim_variant vd_refused_variant = {.rows = {.field = keys, .count = VD_COUNT(keys)},
                                             .needs_scenario = true,
                                             .part = true,
                                             .read = read,
                                             .judge = judge};

const char *vd_claim_words(const vd_claim *claim) {
  return claim->def->kind == VD_CLAIM_REFUSED ? claim->def->as.refused.words : NULL;
}
