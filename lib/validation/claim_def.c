/* The list of kinds of claims, and the keys of a validation file. */
#include "validation/claim_impl.h"

#include "base/base.h"
#include "input/schema.h"

const char *const vd_claim_kind_names[] = {"value", "bound", "formula", "mirror",   "order",    "energy",
                                           "agree", "table", "refused", "boundary", "baseline", NULL};
_Static_assert(VD_COUNT(vd_claim_kind_names) == VD_CLAIM_KINDS + 1, "every kind is named");

const char *const vd_evidence_names[] = {"not_given", "measurement", "program",    "theory",   "law", "standard",
                                         "textbook",  "levels",      "definition", "baseline", NULL};
_Static_assert(VD_COUNT(vd_evidence_names) == VD_EVIDENCES + 1, "every word is named");

const char *const vd_claim_of_names[] = {"final", "first", "maximum", "minimum",   "mean", "peak",
                                         "rms",   "gain",  "phase",   "coherence", NULL};
_Static_assert(VD_COUNT(vd_claim_of_names) == VD_OFS + 1, "every one is named");

/* clang-format off */
static const vd_claim_variant *const variants[VD_CLAIM_KINDS] = {
  [VD_CLAIM_VALUE] = &vd_value_variant,
  [VD_CLAIM_BOUND] = &vd_bound_variant,
  [VD_CLAIM_FORMULA] = &vd_formula_variant,
  [VD_CLAIM_MIRROR] = &vd_mirror_variant,
  [VD_CLAIM_ORDER] = &vd_order_variant,
  [VD_CLAIM_ENERGY] = &vd_energy_variant,
  [VD_CLAIM_AGREE] = &vd_agree_variant,
  [VD_CLAIM_TABLE] = &vd_table_variant,
  [VD_CLAIM_REFUSED] = &vd_refused_variant,
  [VD_CLAIM_BOUNDARY] = &vd_boundary_variant,
  [VD_CLAIM_BASELINE] = &vd_baseline_variant,
};
/* clang-format on */

const vd_claim_variant *vd_claim_variant_of(const vd_claim_def *def) {
  return variants[def->kind];
}

static const char *const yes_no[] = {"yes", "no", NULL}, *const no_yes[] = {"no", "yes", NULL};

/* clang-format off */
static const vd_field expect_fields[] = {
  {VD_F_STRING(vd_expect_def, value, "value", "\"\"", "number with a unit")},
  {VD_F_STRING(vd_expect_def, formula, "formula", "\"\"", "formula in place of the number; its result is in SI")},
};

static const vd_schema expect_schema = {
    .name = "expected value",
    .size = sizeof(vd_expect_def),
    .field = expect_fields,
    .count = VD_COUNT(expect_fields),
    .shorthand = "value"};

#define IN(kind) VD_WHEN(VD_CLAIM_##kind)
#define RUNS (IN(VALUE) | IN(BOUND) | IN(MIRROR) | IN(ORDER) | IN(ENERGY) | IN(AGREE) | IN(BOUNDARY) | IN(BASELINE))
#define FIGURE (IN(VALUE) | IN(BOUND) | IN(ORDER) | IN(AGREE))
#define WINDOW (IN(VALUE) | IN(BOUND) | IN(ORDER) | IN(AGREE) | IN(MIRROR) | IN(BOUNDARY) | IN(FORMULA))

static const vd_field claim_fields[] = {
  {VD_F_STRING(vd_claim_def, claim, "claim", NULL, "the claim in one sentence that can be read alone")},
  {VD_F_STRING(vd_claim_def, source, "source", "\"\"", "source of the expected value; empty: the source of the file")},
  {VD_F_CHOICE(vd_claim_def, evidence, "evidence", vd_evidence_names, "not_given",
               "basis of the expected value; default: the file's 'evidence'")},
  {VD_F_CHOICE(vd_claim_def, verified, "verified", yes_no, "yes",
               "no: the expected value was not read in the primary text; the table marks the claim with *")},
  {VD_F_CHOICE(vd_claim_def, kind, "kind", vd_claim_kind_names, NULL, "kind of claim")},
  {VD_F_CHOICE(vd_claim_def, quick, "quick", no_yes, "no",
               "yes: one of the claims that notice most errors; vdsim-validate --quick judges only these")},
  {VD_F_STRING(vd_claim_def, known_failure, "known_failure", "\"\"",
               "reason why the claim does not hold yet; the claim is run and counted, and is an error if it holds")},
  {VD_F_LIST(vd_claim_def, each, "each", "[]",
      "one claim for each value, which replaces $each in the texts of the claim")},
  {VD_F_PATH(vd_claim_def, scenario, "scenario", "\"\"", "scenario that is run; empty: the scenario of the file"),
   .only = RUNS | IN(FORMULA) | IN(REFUSED)},
  {VD_F_LIST(vd_claim_def, set, "set", "[]",
             "KEY=VALUE settings of the scenario, after the file's settings, or of the tyre or suspension"),
   .only = RUNS | IN(FORMULA) | IN(REFUSED) | IN(TABLE)},
  {VD_F_GROUP(&vd_agree_variant.rows)},
  {VD_F_STRING(vd_claim_def, metric, "metric", "\"\"",
               "metric of the run or the suspension; the scenario need not list the metric's set"),
   .only = IN(VALUE) | IN(BOUND) | IN(AGREE) | IN(ORDER)},
  {VD_F_STRING(vd_claim_def, channel, "channel", "\"\"",
               "channel, in place of a metric; for a tyre rig or a track car one of its columns"),
   .only = FIGURE},
  {VD_F_STRING(vd_claim_def, goal, "goal", "\"\"",
               "goal, in place of a metric: the figure is the value that the scenario's search finds for the goal"),
   .only = IN(VALUE) | IN(BOUND)},
  {VD_F_CHOICE(vd_claim_def, of, "of", vd_claim_of_names, "final",
               "figure of the channel; gain, phase and coherence: from the response of the scenario"),
   .only = FIGURE},
  {VD_F_STRING(vd_claim_def, frequency, "frequency", "\"\"",
               "frequency of gain, phase and coherence; also a name in the formulas of the claim"),
   .only = IN(VALUE) | IN(BOUND)},
  {VD_F_NUMBER(vd_claim_def, from, "from", "s", 0, 1e9, 0, "0",
               "start of the time over which channels are evaluated, also in formulas"),
   .only = WINDOW},
  {VD_F_NUMBER(vd_claim_def, to, "to", "s", 0, 1e9, VD_AUTO, "auto", "end of this time; auto: the end of the run"),
   .only = WINDOW},
  {VD_F_STRUCT(vd_claim_def, expect, vd_expect_def, "expect", "1", &expect_schema, 0, NULL, "expected value"),
   .only = IN(VALUE) | IN(FORMULA)},
  {VD_F_STRUCT(vd_claim_def, above, vd_expect_def, "above", "1", &expect_schema, 0, "{}", "lower bound of the figure"),
   .only = IN(BOUND) | IN(ORDER)},
  {VD_F_STRUCT(vd_claim_def, below, vd_expect_def, "below", "1", &expect_schema, 0, "{}", "upper bound of the figure"),
   .only = IN(BOUND) | IN(ORDER)},
  {VD_F_GROUP(&vd_formula_variant.rows)},
  {VD_F_LIST(vd_claim_def, where, "where", "[]",
             "NAME = FORMULA, for the formulas, after the definitions of the file")},
  {VD_F_LIST(vd_claim_def, tolerance, "tolerance", NULL,
             "allowed deviation: absolute, relative, or both; the greater one is used"),
   .only = IN(VALUE) | IN(FORMULA) | IN(MIRROR) | IN(AGREE) | IN(ENERGY)},
  {VD_F_GROUP(&vd_claim_channel_keys)},
  {VD_F_GROUP(&vd_order_variant.rows)},
  {VD_F_GROUP(&vd_energy_variant.rows)},
  {VD_F_PATH(vd_claim_def, table, "table", NULL, "CSV of the reference"), .only = IN(TABLE) | IN(BOUNDARY)},
  {VD_F_GROUP(&vd_table_variant.rows)},
  {VD_F_PATH(vd_claim_def, suspension, "suspension", "\"\"",
             "suspension file, in place of a tyre; in other kinds of claims in place of a scenario"),
   .only = IN(TABLE) | IN(REFUSED) | IN(VALUE) | IN(BOUND) | IN(FORMULA) | IN(AGREE)},
  {VD_F_GROUP(&vd_claim_column_keys)},
  {VD_F_GROUP(&vd_refused_variant.rows)},
  {VD_F_GROUP(&vd_boundary_variant.rows)},
  {VD_F_GROUP(&vd_baseline_variant.rows)},
};

const vd_schema vd_claim_schema = {
    .name = "claim",
    .size = sizeof(vd_claim_def),
    .field = claim_fields,
    .count = VD_COUNT(claim_fields),
    .tag = "kind"};

static const vd_field validation_fields[] = {
  {VD_F_STRING(vd_validation_def, title, "title", NULL, "subject of the claims")},
  {VD_F_STRING(vd_validation_def, source, "source", "\"\"", "default for claims without one")},
  {VD_F_CHOICE(vd_validation_def, evidence, "evidence", vd_evidence_names, "not_given",
               "default for claims without one; not given: each claim needs its own")},
  {VD_F_PATH(vd_validation_def, scenario, "scenario", "\"\"", "default for claims without one")},
  {VD_F_LIST(vd_validation_def, set, "set", "[]", "KEY=VALUE settings of every scenario of the file")},
  {VD_F_LIST(vd_validation_def, numbers, "numbers", "[]",
             "CSVs of other programs with the columns name, value and unit: numbers for 'where' and all formulas")},
  {VD_F_LIST(vd_validation_def, where, "where", "[]", "NAME = FORMULA, for all formulas of the file")},
  {VD_F_STRUCTS(vd_validation_def, claims, "claims", "1", &vd_claim_schema, NULL, "the claims")},
};

const vd_schema vd_validation_schema = {
    .name = "validation file",
    .size = sizeof(vd_validation_def),
    .field = validation_fields,
    .count = VD_COUNT(validation_fields)};
/* clang-format on */

static const vd_field tolerance_fields[] = {
    {VD_F_STRING(vd_tolerances_def, source, "source", "\"\"", "source of the tolerances")},
    {VD_F_CHOICE(vd_tolerances_def, verified, "verified", yes_no, "yes", "no: they were not read in the primary text")},
    {VD_F_NUMBER(vd_tolerances_def, from, "from", "s", 0, 1e9, 0, "0", "start of the time that is compared")},
    {VD_F_NUMBER(vd_tolerances_def, to, "to", "s", 0, 1e9, VD_AUTO, "auto",
                 "end of this time; auto: the end of the run")},
    {VD_F_STRUCTS(vd_tolerances_def, curves, "curves", "1", &vd_claim_curve_schema, NULL,
                  "curves that are compared, with their tolerances")},
};

const vd_schema vd_tolerances_schema = {.name = "tolerances",
                                        .size = sizeof(vd_tolerances_def),
                                        .field = tolerance_fields,
                                        .count = VD_COUNT(tolerance_fields)};
