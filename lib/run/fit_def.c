#include "run/fit_def.h"

#include "base/base.h"
#include "input/schema.h"
#include "run/kind.h"

#include <math.h>

static const char *const loss_names[] = {"squares", "huber", "cauchy", NULL};

/* Rows of both kinds of fits. */
/* clang-format off */
#define LOSS_ROW(T) {VD_F_CHOICE(T, loss, "loss", loss_names, "squares",                                               \
                                 "what is minimised: squares of the residuals; huber, cauchy: smaller weights of "     \
                                 "large residuals, "                                                                   \
                                 "for data with outliers")}
#define CONFIDENCE_ROW(T) {VD_F_NUMBER(T, confidence, "confidence", "1", 0, 1, VD_ABOVE | VD_BELOW, "0.95",            \
                                       "probability of the intervals of confidence")}
/* clang-format on */

/* --- of a tyre --- */

const char *const vd_fit_stage_names[] = {"lateral",     "aligning", "longitudinal", "combined", "combined_aligning",
                                          "overturning", "rolling",  "all",          NULL};

/* clang-format off */
static const vd_field stage_fields[] = {
  {VD_F_CHOICE(vd_fit_stage_def, stage, "stage", vd_fit_stage_names, NULL,
               "rows and outputs of the stage: lateral: Fy of pure lateral slip; aligning: Mz of pure lateral slip; "
               "longitudinal: Fx of pure longitudinal slip; combined: Fx and Fy of combined slip; combined_aligning: "
               "Mz of combined slip; overturning: Mx; rolling: My; all: all outputs of all rows")},
  {VD_F_LIST(vd_fit_stage_def, free, "free", "[]",
             "figures that are found: keys of the tyre (lateral.b), numbers in lists (a12), coefficients of a "
             "property file (PDY1), or names of stages for their groups; empty: the group of the stage"),
   .flags = VD_OMIT_DEFAULT},
  {VD_F_LIST(vd_fit_stage_def, fixed, "fixed", "[]", "figures of 'free' or of the group that are not fitted"),
   .flags = VD_OMIT_DEFAULT},
};

static const vd_schema stage_schema = {.name = "stage", VD_SCHEMA_ROWS(vd_fit_stage_def, stage_fields),
                                        .shorthand = "stage"};

static const vd_field bound_fields[] = {
  {VD_F_STRING(vd_fit_bound_def, figure, "figure", NULL, "name of a figure")},
  {VD_F_NUMBER(vd_fit_bound_def, low, "low", "1", -INFINITY, INFINITY, VD_AUTO | VD_ANY_UNIT, "auto",
               "lower bound, in SI; auto: none")},
  {VD_F_NUMBER(vd_fit_bound_def, high, "high", "1", -INFINITY, INFINITY, VD_AUTO | VD_ANY_UNIT, "auto",
               "upper bound, in SI; auto: none")},
};

static const vd_schema bound_schema = {.name = "bound", VD_SCHEMA_ROWS(vd_fit_bound_def, bound_fields)};

#define EMPHASIS(id, key) VD_F_NUMBER(vd_tyre_fit_settings, emphasis[VD_FIT_##id], "emphasis_" key, "1", 0, 1e6,       \
                                      VD_ABOVE | VD_OMIT_DEFAULT, "1", \
                                      "factor on the residuals of " key ", which are also divided by the scatter " \
                                      "that the fit estimates, in stages with several outputs")

static const vd_field tyre_fit_fields[] = {
  {VD_F_STRUCTS(vd_tyre_fit_settings, data, "data", "1", &vd_tyre_points_schema, "[]",
                "files of measured rows; empty: the points of the rig")},
  {VD_F_STRUCTS(vd_tyre_fit_settings, stages, "stages", "1", &stage_schema, "[]",
                "stages, one after the other; empty: all stages that have rows, except `all`, in the order of the "
                "list")},
  {VD_F_NUMBER(vd_tyre_fit_settings, pure_slip_ratio, "pure_slip_ratio", "1", 0, 1, 0, "0.01",
               "greatest magnitude of the slip ratio in rows of pure lateral slip")},
  {VD_F_NUMBER(vd_tyre_fit_settings, pure_slip_angle, "pure_slip_angle", "rad", 0, 1, 0, "0.5 deg",
               "greatest magnitude of the slip angle in rows of pure longitudinal slip")},
  {VD_F_STRUCTS(vd_tyre_fit_settings, bounds, "bounds", "1", &bound_schema, "[]", "bounds in place of the usual ones"),
   .flags = VD_OMIT_DEFAULT},
  LOSS_ROW(vd_tyre_fit_settings),
  {EMPHASIS(FX, "fx")},
  {EMPHASIS(FY, "fy")},
  {EMPHASIS(MX, "mx")},
  {EMPHASIS(MY, "my")},
  {EMPHASIS(MZ, "mz")},
  CONFIDENCE_ROW(vd_tyre_fit_settings),
  {VD_F_INTEGER(vd_tyre_fit_settings, iterations, "iterations", 1, 100000, "500",
                "greatest number of iterations of a stage")},
  {VD_F_INTEGER(vd_tyre_fit_settings, starts, "starts", 1, 1000, "8",
                "number of starts that are tried with a part of the rows, the best of which is used: the tyre's "
                "figures, usual ones, and others around them; 1: the tyre's figures only")},
};

static const vd_schema tyre_settings_schema = {.name = "fit", VD_SCHEMA_ROWS(vd_tyre_fit_settings, tyre_fit_fields)};

static const vd_field tyre_fields[] = {
  {VD_F_GROUP(&vd_rig_schema)},
  {VD_F_STRUCT(vd_tyre_fit_def, fit, vd_tyre_fit_settings, "fit", "1", &tyre_settings_schema, 0, "{}",
               "which figures are fitted, and to which rows")},
};
/* clang-format on */

const vd_schema vd_tyre_fit_schema = {.name = "fit", VD_SCHEMA_ROWS(vd_tyre_fit_def, tyre_fields), .tag = "mode"};

/* --- of runs --- */

/* In the order of vd_design_type, from VD_DESIGN_RANDOM on. */
static const char *const start_designs[] = {"random", "latin_hypercube", "sobol", NULL};

/* clang-format off */
#define COLUMN_ROWS(T, m, empty)                                                                                       \
  {VD_F_STRING(T, m.column, "column", "\"\"", "name of the column in the file; empty: " empty),                        \
   .flags = VD_OMIT_DEFAULT},                                                                                          \
  {VD_F_STRING(T, m.unit, "unit", "\"\"",                                                                              \
               "unit of the column; empty: the unit in the file, or in the name of the column, or SI"),                \
   .flags = VD_OMIT_DEFAULT}, \
  {VD_F_NUMBER(T, m.scale, "scale", "1", -1e12, 1e12, VD_AUTO | VD_OMIT_DEFAULT, "auto", \
               "factor on the numbers of the column, such as -1; auto: 1")},                                           \
  {VD_F_NUMBER(T, m.offset, "offset", "1", -1e12, 1e12, VD_AUTO | VD_OMIT_DEFAULT, "auto", \
               "offset added after the factor was applied, in the column's unit; auto: 0")}

static const vd_field free_fields[] = {
  {VD_F_STRING(vd_run_free_def, name, "name", "\"\"",
               "name of the figure: letters, digits, underscores; empty: the first key, with underscores"),
   .flags = VD_OMIT_DEFAULT},
  {VD_F_LIST(vd_run_free_def, keys, "key", "[]",
             "keys of scenarios or suspensions that get the value, as in --set; a scenario without a key does not "
             "change; none: the figure is used in formulas only"), .flags = VD_OMIT_DEFAULT},
  {VD_F_ANY_NUMBER(vd_run_free_def, start, "start",
                   "value from which the search starts; auto: value of the first scenario that has a key")},
  {VD_F_ANY_NUMBER(vd_run_free_def, low, "low", "lower bound; auto: none")},
  {VD_F_ANY_NUMBER(vd_run_free_def, high, "high", "upper bound; auto: none")},
  {VD_F_ANY_NUMBER(vd_run_free_def, size, "size",
                   "a significant change of the value, used unless there are two bounds; auto: a tenth of the start's "
                   "magnitude")},
  {VD_F_FLAG(vd_run_free_def, logarithm, "logarithm", "false",
             "the logarithm is searched, for a value known only up to a factor; the ends of the interval of confidence "
             "are then the value divided by a factor and multiplied by it"),
   .flags = VD_OMIT_DEFAULT},
  {VD_F_ANY_NUMBER(vd_run_free_def, deviation, "deviation",
                   "the start counts as a measured value with this standard deviation, of the logarithm if "
                   "the logarithm is searched; auto: the start is not measured")},
};
static const vd_schema free_schema = {.name = "free figure", VD_SCHEMA_ROWS(vd_run_free_def, free_fields),
                                        .shorthand = "key"};

static const vd_field formula_fields[] = {
  {VD_F_LIST(vd_run_formula_def, keys, "key", NULL, "keys that get the value of the formula, as in --set")},
  {VD_F_STRING(vd_run_formula_def, formula, "formula", NULL,
               "formula of free figures, by their names, in SI: 0.4 * total; the numbers of the scenario have their "
               "keys as names"),
   .example = "0.4 * total"},
};
static const vd_schema formula_schema = {.name = "formula", VD_SCHEMA_ROWS(vd_run_formula_def, formula_fields)};

static const vd_field figure_fields[] = {
  {VD_F_STRING(vd_run_figure_def, metric, "metric", NULL,
               "name of a metric of the scenario, or of a gain of the suspension"),
   .example = "yaw_rate_gain_1ps"},
  {VD_F_STRING(vd_run_figure_def, value, "value", NULL,
               "measured or wanted value; a bare number is in the unit of the metric"),
   .example = "0.25"},
  {VD_F_STRING(vd_run_figure_def, scatter, "scatter", "\"\"",
               "standard deviation of the value; empty: a share of the value, equal for all figures without a scatter, "
               "estimated from the residuals"),
   .flags = VD_OMIT_DEFAULT,
   .example = "0.01"},
  {VD_F_NUMBER(vd_run_figure_def, weight, "weight", "1", 0, 1e9, VD_OMIT_DEFAULT, "1",
               "factor on the residual; 0: the figure is compared but not fitted")},
};
static const vd_schema figure_schema = {.name = "figure", VD_SCHEMA_ROWS(vd_run_figure_def, figure_fields)};

static const vd_field column_fields[] = {
  {VD_F_STRING(vd_run_column_def, channel, "channel", NULL,
               "channel of the scenario's log, or column of the suspension's sweep, with which the column is "
               "compared"),
   .example = "yaw_rate_radps"},
  COLUMN_ROWS(vd_run_column_def, column, "the name of the channel"),
  {VD_F_STRING(vd_run_column_def, scatter, "scatter", "\"\"",
               "standard deviation of the column's noise; a bare number is in the channel's unit; empty: estimated "
               "from the residuals"),
   .flags = VD_OMIT_DEFAULT,
   .example = "0.01"},
  {VD_F_NUMBER(vd_run_column_def, weight, "weight", "1", 0, 1e9, VD_OMIT_DEFAULT, "1",
               "factor on the column's residuals; 0: the column is compared but not fitted")},
};
static const vd_schema column_schema = {.name = "column", VD_SCHEMA_ROWS(vd_run_column_def, column_fields),
                                        .shorthand = "channel"};

static const vd_field over_fields[] = {
  {VD_F_STRING(vd_run_over_def, channel, "channel", "\"\"",
               "channel that is the independent variable of the rows, such as ay_mps2; empty: t_s, or travel_mm "
               "of a suspension"),
   .flags = VD_OMIT_DEFAULT,
   .example = "yaw_rate_radps"},
  COLUMN_ROWS(vd_run_over_def, column, "the name of the channel, or a usual name of the time"),
  {VD_F_ANY_NUMBER(vd_run_over_def, from, "from", "rows below are left out; auto: none")},
  {VD_F_ANY_NUMBER(vd_run_over_def, to, "to", "rows above are left out; auto: none")},
};
static const vd_schema over_schema = {.name = "over", VD_SCHEMA_ROWS(vd_run_over_def, over_fields),
                                        .shorthand = "channel"};

static const vd_field data_fields[] = {
  {VD_F_STRING(vd_run_data_def, name, "name", "\"\"",
               "name in tables: letters, digits, underscores; empty: data1, data2, ..."),
   .flags = VD_OMIT_DEFAULT},
  {VD_F_PATH(vd_run_data_def, scenario, "scenario", "\"\"",
             "scenario of the measurement; empty: the scenario of the fit"), .flags = VD_OMIT_DEFAULT},
  {VD_F_PATH(vd_run_data_def, suspension, "suspension", "\"\"",
             "suspension of the measurement; empty: the suspension of the fit"), .flags = VD_OMIT_DEFAULT},
  {VD_F_LIST(vd_run_data_def, set, "set", "[]",
             "settings KEY=VALUE of this scenario, after the settings of the fit"), .flags = VD_OMIT_DEFAULT},
  {VD_F_STRUCTS(vd_run_data_def, figures, "figures", "1", &figure_schema, "[]",
   "metrics and their measured or wanted values"),
   .flags = VD_OMIT_DEFAULT},
  {VD_F_GROUP(&vd_measured_rows)},
  {VD_F_STRUCT(vd_run_data_def, over, vd_run_over_def, "over", "1", &over_schema, VD_OMIT_DEFAULT, "{}",
               "independent variable of the rows")},
  {VD_F_STRUCTS(vd_run_data_def, columns, "columns", "1", &column_schema, "[]",
                "columns of the file and the channels with which they are compared"), .flags = VD_OMIT_DEFAULT},
  {VD_F_STRUCT(vd_run_data_def, row_weight, vd_column_def, "row_weight", "1", &vd_column_schema, VD_OMIT_DEFAULT, "{}",
               "column of weights of the rows, >= 0; empty: 1")},
};
static const vd_schema data_schema = {.name = "data", VD_SCHEMA_ROWS(vd_run_data_def, data_fields)};

static const vd_field starts_fields[] = {
  {VD_F_INTEGER(vd_run_starts_def, count, "count", 1, 10000, "1",
                "number of starts that are tried, the best of which is used; the first start consists of the "
                "starts of the free figures")},
  {VD_F_CHOICE(vd_run_starts_def, design, "design", start_designs, "sobol",
               "distribution of the other starts between the bounds, as the design of a study")},
  {VD_F_INTEGER(vd_run_starts_def, seed, "seed", 0, 2147483647, "0", "seed of this design, as in a study")},
};
static const vd_schema starts_schema = {.name = "starts", VD_SCHEMA_ROWS(vd_run_starts_def, starts_fields),
                                        .shorthand = "count"};

static const vd_field run_fit_fields[] = {
  {VD_F_STRUCTS(vd_run_fit_settings, free, "free", "1", &free_schema, NULL, "figures that are fitted"),
   .flags = VD_IDENTIFIES},
  {VD_F_STRUCTS(vd_run_fit_settings, formulas, "formulas", "1", &formula_schema, "[]",
   "keys that are computed from the figures"),
   .flags = VD_OMIT_DEFAULT},
  {VD_F_STRUCTS(vd_run_fit_settings, data, "data", "1", &data_schema, NULL,
                "measured or wanted results, one item for each run")},
  LOSS_ROW(vd_run_fit_settings),
  CONFIDENCE_ROW(vd_run_fit_settings),
  {VD_F_INTEGER(vd_run_fit_settings, iterations, "iterations", 1, 100000, "100",
                "greatest number of iterations for each estimate of the scatters")},
  {VD_F_STRUCT(vd_run_fit_settings, starts, vd_run_starts_def, "starts", "1", &starts_schema, 0, "{}",
               "several starts, for data with several local minima")},
  {VD_F_INTEGER(vd_run_fit_settings, profile, "profile", 0, 1000, "0",
                "number of values on each side of every figure's result at which this figure is fixed and the others "
                "are fitted again: the profile of the sum of squares"), .flags = VD_OMIT_DEFAULT},
  {VD_F_INTEGER(vd_run_fit_settings, resamples, "resamples", 0, 100000, "0",
                "number of further fits, each to runs drawn with replacement, as many as the data have: a bootstrap "
                "over manoeuvres"), .flags = VD_OMIT_DEFAULT},
};
static const vd_schema run_settings_schema = {.name = "fit", VD_SCHEMA_ROWS(vd_run_fit_settings, run_fit_fields)};

static const vd_field run_fields[] = {
  {VD_F_CHOICE(vd_run_fit_def, kind, "kind", vd_scenario_kind_names, NULL, "kind of the file: fit")},
  {VD_F_STRING(vd_run_fit_def, title, "title", "\"\"", "one line of text for readers")},
  {VD_F_PATH(vd_run_fit_def, scenario, "scenario", "\"\"",
             "scenario of a vehicle or a track car, for data that do not name one"),
   .flags = VD_OMIT_DEFAULT | VD_IDENTIFIES},
  {VD_F_PATH(vd_run_fit_def, suspension, "suspension", "\"\"",
             "suspension that is swept, instead of a scenario"), .flags = VD_OMIT_DEFAULT | VD_IDENTIFIES},
  {VD_F_PATH(vd_run_fit_def, folder, "folder", "\"\"",
             "folder from which names of files in settings start; empty: the folder of this file"),
   .flags = VD_OMIT_DEFAULT},
  {VD_F_LIST(vd_run_fit_def, set, "set", "[]", "settings KEY=VALUE of all scenarios"), .flags = VD_OMIT_DEFAULT},
  {VD_F_STRUCT(vd_run_fit_def, fit, vd_run_fit_settings, "fit", "1", &run_settings_schema, 0, NULL,
               "which figures are fitted, and to which data")},
};
/* clang-format on */

const vd_schema vd_run_fit_schema = {.name = "fit", VD_SCHEMA_ROWS(vd_run_fit_def, run_fields)};

/* --- optimisations --- */

static const char *const aim_names[] = {"none", "least", "most", NULL};

/* clang-format off */
static const vd_field parameter_fields[] = {
  {VD_F_STRING(vd_run_free_def, name, "name", "\"\"",
               "name of the number: letters, digits, underscores; empty: the first key, with underscores"),
   .flags = VD_OMIT_DEFAULT},
  {VD_F_LIST(vd_run_free_def, keys, "key", "[]",
             "keys of scenarios or suspensions that get the value, as in --set; a scenario without a key is left as it "
             "is; none: formulas use the number"), .flags = VD_OMIT_DEFAULT},
  {VD_F_ANY_NUMBER(vd_run_free_def, start, "start",
                   "value from which the search starts; auto: value of the first scenario that has a key")},
  {VD_F_ANY_NUMBER(vd_run_free_def, low, "low", "lower bound"), .example = "1"},
  {VD_F_ANY_NUMBER(vd_run_free_def, high, "high", "upper bound"), .example = "9"},
  {VD_F_FLAG(vd_run_free_def, logarithm, "logarithm", "false",
             "the logarithm is searched: for bounds that are far apart"), .flags = VD_OMIT_DEFAULT},
};
static const vd_schema parameter_schema = {.name = "free number", VD_SCHEMA_ROWS(vd_run_free_def, parameter_fields)};

static const vd_field goal_fields[] = {
  {VD_F_STRING(vd_run_figure_def, metric, "metric", NULL,
               "name of a metric of the scenario, or of a gain of the suspension"),
   .example = "yaw_rate_gain_1ps"},
  {VD_F_STRING(vd_run_figure_def, value, "value", "\"\"",
               "target value; a bare number is in the unit of the metric; empty: no target"),
   .flags = VD_OMIT_DEFAULT, .example = "0.25"},
  {VD_F_STRING(vd_run_figure_def, above, "above", "\"\"", "lower limit of the metric; empty: no such limit"),
   .flags = VD_OMIT_DEFAULT, .example = "0.1"},
  {VD_F_STRING(vd_run_figure_def, below, "below", "\"\"", "upper limit of the metric; empty: no such limit"),
   .flags = VD_OMIT_DEFAULT, .example = "0.5"},
  {VD_F_CHOICE(vd_run_figure_def, aim, "aim", aim_names, "none",
               "least, most: the metric is minimised or maximised within the limits; if two goals have an aim, the "
               "result is a Pareto front"),
   .flags = VD_OMIT_DEFAULT},
  {VD_F_STRING(vd_run_figure_def, tolerance, "tolerance", "\"\"",
               "allowed deviation from a target or limit; goals that cannot all be met are weighed by it; empty: "
               "a thousandth of the target or limit"),
   .flags = VD_OMIT_DEFAULT, .example = "0.001"},
};
static const vd_schema goal_schema = {.name = "goal", VD_SCHEMA_ROWS(vd_run_figure_def, goal_fields)};

static const vd_field optimised_fields[] = {
  {VD_F_STRING(vd_run_data_def, name, "name", "\"\"",
               "name in tables: letters, digits, underscores; empty: run1, run2, ..."),
   .flags = VD_OMIT_DEFAULT},
  {VD_F_PATH(vd_run_data_def, scenario, "scenario", "\"\"", "scenario that is run; empty: the scenario of the file"),
   .flags = VD_OMIT_DEFAULT},
  {VD_F_PATH(vd_run_data_def, suspension, "suspension", "\"\"", "suspension that is swept; empty: the suspension of "
    "the file"),
   .flags = VD_OMIT_DEFAULT},
  {VD_F_LIST(vd_run_data_def, set, "set", "[]",
             "settings KEY=VALUE of this scenario, after the settings of the file"), .flags = VD_OMIT_DEFAULT},
  {VD_F_STRUCTS(vd_run_data_def, figures, "goals", "1", &goal_schema, NULL, "metrics with their targets, limits and "
    "aims")},
};
static const vd_schema optimised_schema = {.name = "run", VD_SCHEMA_ROWS(vd_run_data_def, optimised_fields)};

static const vd_field optimise_settings_fields[] = {
  {VD_F_STRUCTS(vd_run_fit_settings, free, "free", "1", &parameter_schema, NULL, "numbers that are found")},
  {VD_F_STRUCTS(vd_run_fit_settings, formulas, "formulas", "1", &formula_schema, "[]", "keys that are computed from "
    "these numbers"),
   .flags = VD_OMIT_DEFAULT},
  {VD_F_STRUCTS(vd_run_fit_settings, data, "runs", "1", &optimised_schema, NULL, "runs with goals for their metrics")},
  {VD_F_INTEGER(vd_run_fit_settings, points, "points", 3, 1000, "9",
                "number of points of the front, if two goals have an aim")},
  {VD_F_NUMBER(vd_run_fit_settings, settled, "settled", "1", 1e-6, 0.1, 0, "1e-4",
               "the search ends if all numbers change by less than this share of the range between their bounds")},
  {VD_F_INTEGER(vd_run_fit_settings, iterations, "iterations", 1, 100000, "50",
                "greatest number of iterations for each point")},
  {VD_F_STRUCT(vd_run_fit_settings, starts, vd_run_starts_def, "starts", "1", &starts_schema, 0, "{}",
               "several starts of searches, for metrics with several optima")},
};
static const vd_schema optimise_settings_schema = {.name = "optimise",
                                                   VD_SCHEMA_ROWS(vd_run_fit_settings, optimise_settings_fields)};

static const vd_field optimise_fields[] = {
  {VD_F_CHOICE(vd_run_fit_def, kind, "kind", vd_scenario_kind_names, NULL, "kind of the file: optimise")},
  {VD_F_STRING(vd_run_fit_def, title, "title", "\"\"", "one line of text for readers")},
  {VD_F_PATH(vd_run_fit_def, scenario, "scenario", "\"\"", "scenario that is run, if a run names none"),
   .flags = VD_OMIT_DEFAULT},
  {VD_F_PATH(vd_run_fit_def, suspension, "suspension", "\"\"",
             "suspension that is swept, in place of a scenario"), .flags = VD_OMIT_DEFAULT},
  {VD_F_PATH(vd_run_fit_def, folder, "folder", "\"\"",
             "folder from which names of files in settings start; empty: the folder of this file"),
   .flags = VD_OMIT_DEFAULT},
  {VD_F_LIST(vd_run_fit_def, set, "set", "[]", "settings KEY=VALUE of all scenarios"), .flags = VD_OMIT_DEFAULT},
  {VD_F_STRUCT(vd_run_fit_def, fit, vd_run_fit_settings, "optimise", "1", &optimise_settings_schema, 0, NULL,
               "numbers that are found, and their goals")},
};
/* clang-format on */

const vd_schema vd_optimise_schema = {.name = "optimise", VD_SCHEMA_ROWS(vd_run_fit_def, optimise_fields)};
