/* Judges claims by their runs. */
#ifndef VD_JUDGE_H
#define VD_JUDGE_H

#include "validation/finding.h"

/* Judges `count` claims, claims[index[i]], and writes a finding for each. A run that several claims share is made
 * once. */
void vd_judge(const vd_claims *claims, const size_t *index, size_t count, const vd_judging *how, vd_finding *out);

/* A run that claims may share. */
typedef struct vd_shared_run {
  const vd_claim_run *of;
  bool mirrored;
} vd_shared_run;

/* Lists the runs of a claim that other claims may share: its own, and the one with which it is compared. Returns their
 * number, 0 to 2. */
size_t vd_claim_runs(const vd_claim *claim, vd_shared_run run[2]);
/* Compares two runs for sorting; 0: they are the same. */
int vd_shared_run_compare(const vd_shared_run *a, const vd_shared_run *b);

/* --- kinds of claims (claim_impl.h) --- */

typedef struct vd_claim_variant vd_claim_variant;
const vd_claim_variant *vd_claim_variant_of(const vd_claim_def *def);

/* Return a text that only one kind of claim has, as its file gives it; NULL: another kind. */
const char *vd_claim_tyre(const vd_claim *claim);          /* tyre file of a table claim; may be empty */
const char *vd_claim_words(const vd_claim *claim);         /* expected words of the message */
const char *vd_claim_baseline_path(const vd_claim *claim); /* path of a baseline */

/* --- baselines --- */

/* Lists the channels of a baseline as indices into vd_kind_channels(kind). level: of the vehicle, or of the rig
 * (steady, transient). Returns their number. */
size_t vd_baseline_channels(enum vd_kind kind, int level, size_t *index, size_t size);
/* Chooses the steps of a run that are rows of a baseline: evenly spaced steps and the last one. Returns their
 * number. */
size_t vd_baseline_rows(size_t steps, size_t *row, size_t size);

/* The files of a baseline: NAME.csv, NAME.metrics.csv (empty: there is none), NAME.provenance.yaml and
 * NAME.resolved.yaml. */
typedef struct vd_baseline_text {
  vd_buf log, metrics, provenance, resolved;
} vd_baseline_text;

void vd_baseline_text_finish(vd_baseline_text *text);
/* Runs the scenario and appends the files of a new baseline to the texts; false with the reason. */
bool vd_baseline_write(const vd_claim *claim, vd_baseline_text *out, char *why, size_t size);

#endif
