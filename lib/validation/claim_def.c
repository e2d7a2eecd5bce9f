/* The keys of a validation file. */
#include "validation/claim.h"

#include "base/base.h"

const char *const vd_claim_kind_names[] = {"value", "bound", "formula", "mirror",   "order",    "energy",
                                           "agree", "table", "refused", "boundary", "baseline", NULL};
_Static_assert(VD_COUNT(vd_claim_kind_names) == VD_CLAIM_KINDS + 1, "every kind is named");

const char *const vd_claim_of_names[] = {"final", "first", "maximum", "minimum",   "mean", "peak",
                                         "rms",   "gain",  "phase",   "coherence", NULL};
_Static_assert(VD_COUNT(vd_claim_of_names) == VD_OFS + 1, "every one is named");

/* clang-format off */
const vd_claim_quantity_info vd_claim_quantity_table[VD_CLAIM_QUANTITIES] = {
  [VD_Q_LOAD] = {"load", "N", true, true},
  [VD_Q_KAPPA] = {"kappa", "1", true, true},
  [VD_Q_ALPHA] = {"alpha", "rad", true, true},
  [VD_Q_GAMMA] = {"gamma", "rad", true, true},
  [VD_Q_PRESSURE] = {"pressure", "Pa", true, true},
  [VD_Q_SPEED] = {"speed", "m/s", true, true},
  [VD_Q_FX] = {"fx", "N", true, false},
  [VD_Q_FY] = {"fy", "N", true, false},
  [VD_Q_MX] = {"mx", "N m", true, false},
  [VD_Q_MY] = {"my", "N m", true, false},
  [VD_Q_MZ] = {"mz", "N m", true, false},
  [VD_Q_PNEUMATIC_TRAIL] = {"pneumatic_trail", "m", true, false},
  [VD_Q_TRAVEL] = {"travel", "m", false, true},
  [VD_Q_RACK] = {"rack", "m", false, true},
  [VD_Q_TOE] = {"toe", "rad", false, false},
  [VD_Q_CAMBER] = {"camber", "rad", false, false},
  [VD_Q_CASTER] = {"caster", "rad", false, false},
  [VD_Q_KPI] = {"kpi", "rad", false, false},
  [VD_Q_SCRUB] = {"scrub", "m", false, false},
  [VD_Q_TRAIL] = {"trail", "m", false, false},
  [VD_Q_WHEEL_DX] = {"wheel_dx", "m", false, false},
  [VD_Q_WHEEL_DY] = {"wheel_dy", "m", false, false},
  [VD_Q_HALF_TRACK] = {"half_track", "m", false, false},
  [VD_Q_SPIN] = {"spin", "rad", false, false},
  [VD_Q_MOTION_RATIO] = {"motion_ratio", "1", false, false},
  [VD_Q_SPRING_LENGTH] = {"spring_length", "m", false, false},
  [VD_Q_ROLL_CENTRE] = {"roll_centre", "m", false, false},
  [VD_Q_ROLL_CENTRE_PLANES] = {"roll_centre_planes", "m", false, false},
  [VD_Q_TOE_TRAVEL] = {"toe_travel", "rad/m", false, false},
  [VD_Q_CAMBER_TRAVEL] = {"camber_travel", "rad/m", false, false},
  [VD_Q_TRACK_TRAVEL] = {"track_travel", "1", false, false},
  [VD_Q_TOE_RACK] = {"toe_rack", "rad/m", false, false},
  [VD_Q_CASTER_RACK_SEED] = {"caster_rack_seed", "rad/m", false, false},
  [VD_Q_BRAKE_SLOPE] = {"brake_slope", "1", false, false},
  [VD_Q_DRIVE_SLOPE] = {"drive_slope", "1", false, false},
};
/* clang-format on */

static const char *const quantity_names[] = {"load",
                                             "kappa",
                                             "alpha",
                                             "gamma",
                                             "pressure",
                                             "speed",
                                             "fx",
                                             "fy",
                                             "mx",
                                             "my",
                                             "mz",
                                             "pneumatic_trail",
                                             "travel",
                                             "rack",
                                             "toe",
                                             "camber",
                                             "caster",
                                             "kpi",
                                             "scrub",
                                             "trail",
                                             "wheel_dx",
                                             "wheel_dy",
                                             "half_track",
                                             "spin",
                                             "motion_ratio",
                                             "spring_length",
                                             "roll_centre",
                                             "roll_centre_planes",
                                             "toe_travel",
                                             "camber_travel",
                                             "track_travel",
                                             "toe_rack",
                                             "caster_rack_seed",
                                             "brake_slope",
                                             "drive_slope",
                                             NULL};
_Static_assert(VD_COUNT(quantity_names) == VD_CLAIM_QUANTITIES + 1, "every quantity is named");

static const char *const yes_no[] = {"yes", "no", NULL};

/* clang-format off */
static const vd_field expect_fields[] = {
  {VD_F_STRING(vd_expect_def, value, "value", "\"\"", "a number with a unit")},
  {VD_F_STRING(vd_expect_def, formula, "formula", "\"\"", "or a formula; the result is in SI")},
};

static const vd_schema expect_schema = {
    .name = "expected value", .size = sizeof(vd_expect_def), .field = expect_fields, .count = VD_COUNT(expect_fields), .shorthand = "value"};

static const vd_field column_fields[] = {
  {VD_F_CHOICE(vd_claim_column_def, is, "is", quantity_names, NULL, "quantity of the column")},
  {VD_F_STRING(vd_claim_column_def, column, "column", "\"\"", "name of the column in the table")},
  {VD_F_STRING(vd_claim_column_def, formula, "formula", "\"\"", "or a formula of the table's columns, by their names, in their own units")},
  {VD_F_STRING(vd_claim_column_def, unit, "unit", "\"\"", "unit of its numbers; empty: SI")},
  {VD_F_LIST(vd_claim_column_def, tolerance, "tolerance", "[]", "allowed deviation of the column")},
};

static const vd_schema column_schema = {
    .name = "column", .size = sizeof(vd_claim_column_def), .field = column_fields, .count = VD_COUNT(column_fields)};

static const vd_field curve_fields[] = {
  {VD_F_STRING(vd_claim_curve_def, y, "y", NULL, "channel of the y axis")},
  {VD_F_STRING(vd_claim_curve_def, x, "x", "t_s", "channel of the x axis: time, or another one for a cross plot")},
  {VD_F_STRING(vd_claim_curve_def, column_y, "column_y", "\"\"", "column of the reference for y; empty: the same name")},
  {VD_F_STRING(vd_claim_curve_def, column_x, "column_x", "\"\"", "column of the reference for x; empty: the same name")},
  {VD_F_STRING(vd_claim_curve_def, y_offset, "y_offset", "\"0\"", "absolute tolerance of y")},
  {VD_F_STRING(vd_claim_curve_def, y_gain, "y_gain", "\"0 %\"", "and as a share of the value")},
  {VD_F_STRING(vd_claim_curve_def, x_offset, "x_offset", "\"0\"", "absolute tolerance of x")},
  {VD_F_STRING(vd_claim_curve_def, x_gain, "x_gain", "\"0 %\"", "and as a share of the value")},
};

const vd_schema vd_claim_curve_schema = {
    .name = "curve", .size = sizeof(vd_claim_curve_def), .field = curve_fields, .count = VD_COUNT(curve_fields)};

#define IN(kind) VD_WHEN(VD_CLAIM_##kind)
#define RUNS (IN(VALUE) | IN(BOUND) | IN(MIRROR) | IN(ORDER) | IN(ENERGY) | IN(AGREE) | IN(BOUNDARY) | IN(BASELINE))
#define FIGURE (IN(VALUE) | IN(BOUND) | IN(ORDER) | IN(AGREE))
#define WINDOW (IN(VALUE) | IN(BOUND) | IN(ORDER) | IN(AGREE) | IN(MIRROR) | IN(BOUNDARY) | IN(FORMULA))

static const vd_field claim_fields[] = {
  {VD_F_STRING(vd_claim_def, claim, "claim", NULL, "the claim in one sentence that can be read alone")},
  {VD_F_STRING(vd_claim_def, source, "source", "\"\"", "source of the expected value; empty: that of the file")},
  {VD_F_CHOICE(vd_claim_def, verified, "verified", yes_no, "yes", "no: the limit was not read in the primary text")},
  {VD_F_CHOICE(vd_claim_def, kind, "kind", vd_claim_kind_names, NULL, "kind of claim")},
  {VD_F_STRING(vd_claim_def, known_failure, "known_failure", "\"\"", "reason why the claim does not hold yet; the claim is run and counted, and is an error if it holds")},
  {VD_F_LIST(vd_claim_def, each, "each", "[]", "one claim for each value, which replaces $each in its texts")},
  {VD_F_PATH(vd_claim_def, scenario, "scenario", "\"\"", "scenario that is run; empty: that of the file"), .only = RUNS | IN(FORMULA) | IN(REFUSED)},
  {VD_F_LIST(vd_claim_def, set, "set", "[]", "KEY=VALUE settings of the scenario, after those of the file, or of the tyre or suspension"), .only = RUNS | IN(FORMULA) | IN(REFUSED) | IN(TABLE)},
  {VD_F_PATH(vd_claim_def, against, "against", "\"\"", "the other run, or suspension; empty: the same"), .only = IN(AGREE) | IN(MIRROR)},
  {VD_F_LIST(vd_claim_def, against_set, "against_set", "[]", "KEY=VALUE settings of the other run, after those of the file"), .only = IN(AGREE) | IN(MIRROR)},
  {VD_F_STRING(vd_claim_def, metric, "metric", "\"\"", "metric of the run or the suspension; the scenario need not name its set"), .only = IN(VALUE) | IN(BOUND) | IN(AGREE) | IN(ORDER)},
  {VD_F_STRING(vd_claim_def, channel, "channel", "\"\"", "or a channel; for a tyre rig or a track car one of its columns"), .only = FIGURE},
  {VD_F_STRING(vd_claim_def, goal, "goal", "\"\"", "or the value that the scenario's search finds for a goal, in the unit of its key"), .only = IN(VALUE) | IN(BOUND)},
  {VD_F_CHOICE(vd_claim_def, of, "of", vd_claim_of_names, "final", "figure of the channel; gain, phase and coherence: from the response of the scenario"), .only = FIGURE},
  {VD_F_STRING(vd_claim_def, frequency, "frequency", "\"\"", "frequency of gain, phase and coherence; also a name in the formulas of the claim"), .only = IN(VALUE) | IN(BOUND)},
  {VD_F_NUMBER(vd_claim_def, from, "from", "s", 0, 1e9, 0, "0", "start of the time in which channels count, also in formulas"), .only = WINDOW},
  {VD_F_NUMBER(vd_claim_def, to, "to", "s", 0, 1e9, VD_AUTO, "auto", "end of this time; auto: the end of the run"), .only = WINDOW},
  {VD_F_STRUCT(vd_claim_def, expect, vd_expect_def, "expect", "1", &expect_schema, 0, NULL, "expected value"), .only = IN(VALUE) | IN(FORMULA)},
  {VD_F_STRUCT(vd_claim_def, above, vd_expect_def, "above", "1", &expect_schema, 0, "{}", "lower bound of the figure"), .only = IN(BOUND) | IN(ORDER)},
  {VD_F_STRUCT(vd_claim_def, below, vd_expect_def, "below", "1", &expect_schema, 0, "{}", "upper bound of the figure"), .only = IN(BOUND) | IN(ORDER)},
  {VD_F_STRING(vd_claim_def, formula, "formula", NULL, "formula that is compared"), .only = IN(FORMULA)},
  {VD_F_LIST(vd_claim_def, where, "where", "[]", "NAME = FORMULA, for the formulas, after those of the file")},
  {VD_F_LIST(vd_claim_def, tolerance, "tolerance", NULL, "allowed deviation: absolute, a share, or both; the greater counts"), .only = IN(VALUE) | IN(FORMULA) | IN(MIRROR) | IN(AGREE) | IN(ENERGY)},
  {VD_F_LIST(vd_claim_def, channels, "channels", "[]", "channels or globs that are compared over time; shares are of the peak"), .only = IN(AGREE) | IN(MIRROR)},
  {VD_F_NUMBER(vd_claim_def, step, "step", "s", 1e-6, 0.01, 0, NULL, "coarsest of the three steps; the others are half and a quarter of it"), .only = IN(ORDER)},
  {VD_F_FLAG(vd_claim_def, never_rises, "never_rises", "false", "the energy never rises by more than the tolerance either"), .only = IN(ENERGY)},
  {VD_F_PATH(vd_claim_def, table, "table", NULL, "CSV of the reference"), .only = IN(TABLE) | IN(BOUNDARY)},
  {VD_F_PATH(vd_claim_def, tyre, "tyre", "\"\"", "tyre file that must reproduce it"), .only = IN(TABLE)},
  {VD_F_PATH(vd_claim_def, suspension, "suspension", "\"\"", "or suspension file; in other kinds of claims in place of a scenario"), .only = IN(TABLE) | IN(REFUSED) | IN(VALUE) | IN(BOUND) | IN(FORMULA) | IN(AGREE)},
  {VD_F_LIST(vd_claim_def, only, "only", "[]", "COLUMN=TEXT: only these rows of the table"), .only = IN(TABLE)},
  {VD_F_STRUCTS(vd_claim_def, columns, "columns", "1", &column_schema, NULL, "columns of the table"), .only = IN(TABLE)},
  {VD_F_STRING(vd_claim_def, words, "words", NULL, "words in the message of the refusal, or in that which ended the run"), .only = IN(REFUSED)},
  {VD_F_STRUCTS(vd_claim_def, curves, "curves", "1", &vd_claim_curve_schema, NULL, "curves of the reference, with their tolerances"), .only = IN(BOUNDARY)},
  {VD_F_PATH(vd_claim_def, baseline, "baseline", NULL, "CSV of an earlier run; the file of its metrics is beside it"), .only = IN(BASELINE)},
};

const vd_schema vd_claim_schema = {
    .name = "claim", .size = sizeof(vd_claim_def), .field = claim_fields, .count = VD_COUNT(claim_fields), .tag = "kind"};

static const vd_field validation_fields[] = {
  {VD_F_STRING(vd_validation_def, title, "title", NULL, "subject of the claims")},
  {VD_F_STRING(vd_validation_def, source, "source", "\"\"", "default for claims without one")},
  {VD_F_PATH(vd_validation_def, scenario, "scenario", "\"\"", "default for claims without one")},
  {VD_F_LIST(vd_validation_def, set, "set", "[]", "KEY=VALUE settings of every scenario of the file")},
  {VD_F_LIST(vd_validation_def, where, "where", "[]", "NAME = FORMULA, for all formulas of the file")},
  {VD_F_STRUCTS(vd_validation_def, claims, "claims", "1", &vd_claim_schema, NULL, "the claims")},
};

const vd_schema vd_validation_schema = {
    .name = "validation file", .size = sizeof(vd_validation_def), .field = validation_fields, .count = VD_COUNT(validation_fields)};
/* clang-format on */

static const vd_field tolerance_fields[] = {
    {VD_F_STRING(vd_tolerances_def, source, "source", "\"\"", "where the tolerances are from")},
    {VD_F_CHOICE(vd_tolerances_def, verified, "verified", yes_no, "yes", "no: they were not read in the primary text")},
    {VD_F_NUMBER(vd_tolerances_def, from, "from", "s", 0, 1e9, 0, "0", "the run counts from this time")},
    {VD_F_NUMBER(vd_tolerances_def, to, "to", "s", 0, 1e9, VD_AUTO, "auto",
                 "end of this time; auto: the end of the run")},
    {VD_F_STRUCTS(vd_tolerances_def, curves, "curves", "1", &vd_claim_curve_schema, NULL,
                  "curves that are compared, with their tolerances")},
};

const vd_schema vd_tolerances_schema = {.name = "tolerances",
                                        .size = sizeof(vd_tolerances_def),
                                        .field = tolerance_fields,
                                        .count = VD_COUNT(tolerance_fields)};
