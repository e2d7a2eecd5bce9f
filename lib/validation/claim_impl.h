/* Declarations that all kinds of claims share. */
#ifndef VD_CLAIM_IMPL_H
#define VD_CLAIM_IMPL_H

#include "validation/judge.h"

#include "input/schema.h"

/* A claim while it is read. */
typedef struct vd_claim_context {
  const vd_node *root;
  vd_arena *arena;
  vd_diag *d;
  const vd_validation_def *file;
  const char *folder; /* folder of the file */
  const char *name;   /* name of the file in the names of its claims */
  size_t index;       /* index of the claim in the file */
  vd_claim_def *def;
  vd_claim *out;
  const vd_claims *all; /* claims that were read so far, including the claims of this file in `out' */
  vd_where *where;
  vd_where *numbers; /* definitions from the file's tables of numbers */
  size_t number_count;
  bool no_baselines;
  /* the last scenario whose kind was found, and this kind */
  const char *scenario;
  enum vd_kind kind;
  const vd_claim_run *study; /* study or fit to which the figures belong; NULL: none */
  const vd_metrics *figures;
} vd_claim_context;

/* Writes the path of a key of the claim in the file's tree; key "": the path of the claim. */
void vd_claim_path(const vd_claim_context *ctx, const char *key, char *out, size_t size);
/* Return the place of a key of the claim (key NULL: of its sentence), and of an item of a list. */
vd_place vd_claim_at(const vd_claim_context *ctx, const char *key);
vd_place vd_claim_at_item(const vd_claim_context *ctx, const char *key, size_t item);
/* Reports empty texts, lists and mappings, which a claim must not have. key: the key of the node. */
bool vd_claim_check_filled(const vd_node *node, const char *key, vd_diag *d);
/* Formats a text in the arena. */
const char *vd_claim_format(const vd_claim_context *ctx, const char *text, ...) VD_PRINTF(2, 3);

/* --- metrics and channels by name (claim_names.c) --- */

/* Marks a metric as needed and returns its unit; NULL after an error. */
const char *vd_claim_need_metric(vd_claim_context *ctx, const char *name, vd_place place);
/* Marks a channel as needed; NULL after an error. */
const vd_channel *vd_claim_need_channel(vd_claim_context *ctx, const char *name, vd_place place);
/* Marks in `wanted' the channels that match a name or pattern; false after an error. */
bool vd_claim_match_channels(vd_claim_context *ctx, const char *pattern, vd_place place, bool *wanted);

/* --- functions for several kinds (claim_read.c) --- */

/* True if a number can be compared with a value in a unit. unit NULL: the unit is not known, and any number fits. */
bool vd_claim_fits(const vd_quantity *q, const char *unit);
void vd_claim_tolerance(vd_claim_context *ctx, const vd_names *parts, const char *key, const char *unit,
                        vd_tolerance *out);
/* Reads a formula. known: number of the definitions that it may use. */
const vd_expression *vd_claim_read_formula(vd_claim_context *ctx, const char *text, vd_place place, size_t known);
/* Reads an expected value. unit: unit of the compared figure; NULL: not known. */
void vd_claim_read_expected(vd_claim_context *ctx, const vd_expect_def *def, const char *key, const char *unit,
                            vd_expected *out);
/* Reads a number >= 0 in the dimension of a unit, or a share in per cent; NAN after an error. */
double vd_claim_number(vd_claim_context *ctx, const char *text, const char *key, vd_place place, const char *unit);

/* Find and read files that the claim names; false, or -1, after an error at the place. */
bool vd_claim_file_exists(const vd_claim_context *ctx, const char *path, vd_place place);
bool vd_claim_cells(vd_claim_context *ctx, const char *path, vd_place place, vd_cells *out);
int vd_claim_find_column(vd_claim_context *ctx, const vd_cells *table, const char *name, vd_place place);

/* --- runs (claim.c) --- */

/* Reads the run of a claim. general: settings of the whole file, or NULL. False if the scenario's file does not
 * exist. */
bool vd_claim_read_run(vd_claim_context *ctx, const char *key, const char *scenario, const vd_names *general,
                       const vd_names *own, vd_claim_run *out);
/* Reads the suspension of a claim. Only the claim's settings apply: the settings of the file are for scenarios. */
bool vd_claim_read_suspension(vd_claim_context *ctx, const char *key, const char *file, const vd_names *set,
                              vd_claim_run *out);
bool vd_claim_is_vehicle(const vd_claim_context *ctx);
/* Checks that the run is of a vehicle (or, if or_rig, of a rig). Rigs and track cars have no ledger like a vehicle's,
 * and the mesh of a track car has no mirror image. False after an error. */
bool vd_claim_need_vehicle(vd_claim_context *ctx, bool or_rig);
/* Appends a claim with all members zero. */
vd_claim *vd_claims_add(vd_claims *out);

/* --- figures and bounds (claim_figure.c) --- */

/* Reads a metric, a channel or a goal, and returns its unit; NULL: the unit is not known. may_respond: gain, phase and
 * coherence are also allowed. */
const char *vd_claim_read_figure(vd_claim_context *ctx, bool may_respond);
void vd_claim_read_bounds(vd_claim_context *ctx, const char *unit);

typedef struct vd_claim_figure {
  double value; /* in `unit' */
  char unit[24], name[96];
} vd_claim_figure;

/* Computes the figure of a claim; false after a refusal. */
bool vd_figure_of(const vd_claim_case *c, const vd_performed *run, vd_claim_figure *f);
/* Returns the expected value in SI; NAN after a refusal. */
double vd_claim_expected(const vd_claim_case *c, const vd_expected *e, const vd_performed *run);
/* Returns the allowed deviation of a value in this unit. */
double vd_claim_allowed_in(const vd_tolerance *t, double expected, const char *unit);
void vd_judge_bounds(const vd_claim_case *c, const vd_performed *run, const vd_claim_figure *f);

/* --- kinds --- */

/* The part of a run that must exist before the claim can be judged. */
enum vd_enough {
  VD_ENOUGH_END,      /* the run has reached its end */
  VD_ENOUGH_STEPS,    /* the run has some steps, and may have failed later */
  VD_ENOUGH_SCENARIO, /* only the scenario is needed, unless metrics or channels are requested */
};

/* One kind of claim: its keys, traits and functions. A function that is not needed is NULL; `read` and `judge` are
 * never NULL. */
struct vd_claim_variant {
  vd_schema rows;      /* keys that only this kind has; only `field` and `count` are read */
  bool needs_scenario; /* needs a scenario, or a suspension in its place */
  bool part;           /* the kind reads a tyre or a suspension itself, without a run */
  bool shares_run;     /* is judged by a run that other claims may share; otherwise it makes its own run */
  bool compares;       /* compares this run with another one: `against`, or the mirrored run */
  enum vd_enough enough;

  /* Called before definitions and formulas are read. */
  void (*read_other_run)(vd_claim_context *ctx);
  void (*read)(vd_claim_context *ctx);
  /* Marks channels that the run must record in addition to the channels of the claim. */
  void (*need)(enum vd_kind kind, bool *channels);
  /* Finds the channels of the claim's pictures, and returns their number; NULL: the picture shows the channel of the
   * claim or of its metric. */
  size_t (*pictured)(const vd_claim *claim, size_t index[2]);
  /* run: NULL if the kind shares no run; other: the run for comparison, or NULL. */
  void (*judge)(const vd_claim_case *c, const vd_performed *run, const vd_performed *other);
};

extern const vd_claim_variant vd_value_variant, vd_bound_variant, vd_formula_variant, vd_mirror_variant,
    vd_order_variant, vd_energy_variant, vd_agree_variant, vd_table_variant, vd_refused_variant, vd_boundary_variant,
    vd_baseline_variant;

/* Returns the text of the provenance beside a baseline; empty: there is none. */
const char *vd_baseline_provenance(vd_claim_context *ctx, const char *path);
/* True if a provenance has the line KEY VALUE; key includes the text before the value. */
bool vd_baseline_says(const char *provenance, const char *key, const char *value);
/* Returns the resolved scenario beside a baseline; NULL: there is none. */
const vd_node *vd_baseline_input(vd_claim_context *ctx, const char *path);
/* Adds to a reason the keys whose values differ between the inputs `was' (of the baseline) and `is'. */
void vd_baseline_input_changes(const vd_node *was, const vd_node *is, char *reason, size_t size);

/* Keys that are listed at another place than the other keys of their kind. */
extern const vd_schema vd_claim_channel_keys, vd_claim_column_keys;

#endif
