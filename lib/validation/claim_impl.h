/* Shared by the files claim*.c that read claims. */
#ifndef VD_CLAIM_IMPL_H
#define VD_CLAIM_IMPL_H

#include "validation/claim.h"

/* A claim as it is read. */
typedef struct vd_claim_context {
  const vd_node *root;
  vd_arena *arena;
  vd_diag *d;
  const vd_validation_def *file;
  const char *folder; /* of the file */
  size_t index;       /* of the claim in it */
  vd_claim_def *def;
  vd_claim *out;
  vd_where *where;
  bool no_baselines;
  /* what was found last */
  const char *scenario;
  enum vd_kind kind;
} vd_claim_context;

/* Where a key of the claim was written; key NULL: the claim's sentence. */
vd_place vd_claim_at(const vd_claim_context *ctx, const char *key);
vd_place vd_claim_at_item(const vd_claim_context *ctx, const char *key, size_t item);
/* A text in the arena. */
const char *vd_claim_format(const vd_claim_context *ctx, const char *text, ...) VD_PRINTF(2, 3);

/* --- what there is, by its name (claim_names.c) --- */

/* Marks a metric as needed; its unit, or NULL after an error. */
const char *vd_claim_need_metric(vd_claim_context *ctx, const char *name, vd_place place);
/* Marks a channel as needed; NULL after an error. */
const vd_channel *vd_claim_need_channel(vd_claim_context *ctx, const char *name, vd_place place);
/* Marks those that fit a name or a glob in `wanted`; false after an error. */
bool vd_claim_match_channels(vd_claim_context *ctx, const char *pattern, vd_place place, bool *wanted);

/* --- what kinds read alike (claim_read.c) --- */

/* Whether a number may be compared with something in a unit; NULL: not known. */
bool vd_claim_fits(const vd_quantity *q, const char *unit);
void vd_claim_tolerance(vd_claim_context *ctx, const vd_names *parts, const char *key, const char *unit,
                        vd_tolerance *out);
/* known: how many of the definitions stand before it. */
const vd_expression *vd_claim_read_formula(vd_claim_context *ctx, const char *text, vd_place place, size_t known);
/* unit: of what it is compared with; NULL: not known. */
void vd_claim_read_expected(vd_claim_context *ctx, const vd_expect_def *def, const char *key, const char *unit,
                            vd_expected *out);
/* A number >= 0 in a given unit's dimension, or a share in per cent; NAN after an error. */
double vd_claim_number(vd_claim_context *ctx, const char *text, const char *key, vd_place place, const char *unit);

/* Files that the claim names; false, or -1, after an error at the place. */
bool vd_claim_is_there(const vd_claim_context *ctx, const char *path, vd_place place);
bool vd_claim_cells(vd_claim_context *ctx, const char *path, vd_place place, vd_cells *out);
int vd_claim_find_column(vd_claim_context *ctx, const vd_cells *table, const char *name, vd_place place);

/* --- claims about references (claim_reference.c) --- */

void vd_claim_table(vd_claim_context *ctx);
void vd_claim_curves(vd_claim_context *ctx);
/* prefix: "curves.2" in its file. */
void vd_claim_curve_of(vd_claim_context *ctx, const vd_cells *table, const vd_claim_curve_def *def, const char *prefix,
                       vd_claim_curve *out);
void vd_claim_baseline(vd_claim_context *ctx);

#endif
