#include "run/run_fit_def.h"

#include "base/base.h"
#include "input/schema.h"
#include "run/fit.h"
#include "run/kind.h"

#include <math.h>

/* In the order of vd_design_type, from VD_DESIGN_RANDOM on. */
static const char *const start_designs[] = {"random", "latin_hypercube", "sobol", NULL};

/* clang-format off */
#define PLAIN_NUMBER(T, m, key, def, text) {VD_F_NUMBER(T, m, key, "1", -INFINITY, INFINITY, VD_AUTO | VD_OMIT_DEFAULT | VD_ANY_UNIT, def, text)}
#define COLUMN_ROWS(T, m, empty) \
  {VD_F_STRING(T, m.column, "column", "\"\"", "its column in the file; empty: " empty), .flags = VD_OMIT_DEFAULT}, \
  {VD_F_STRING(T, m.unit, "unit", "\"\"", "unit of the column; empty: that of the file, or of the name of the column, or SI"), .flags = VD_OMIT_DEFAULT}, \
  {VD_F_NUMBER(T, m.scale, "scale", "1", -1e12, 1e12, VD_AUTO | VD_OMIT_DEFAULT, "auto", "factor on the numbers of the column, such as -1; auto: 1")}, \
  {VD_F_NUMBER(T, m.offset, "offset", "1", -1e12, 1e12, VD_AUTO | VD_OMIT_DEFAULT, "auto", "what is added after that, in the column's unit; auto: 0")}

static const vd_field free_fields[] = {
  {VD_F_STRING(vd_run_free_def, name, "name", "\"\"", "name of the figure: letters, digits, underscores; empty: the first key, with underscores"), .flags = VD_OMIT_DEFAULT},
  {VD_F_LIST(vd_run_free_def, keys, "key", "[]", "keys of scenarios or suspensions that get the value, as in --set; a scenario without a key is left as it is; none: it serves formulas"), .flags = VD_OMIT_DEFAULT},
  PLAIN_NUMBER(vd_run_free_def, start, "start", "auto", "value from which the search starts; auto: that of the first scenario that has a key"),
  PLAIN_NUMBER(vd_run_free_def, low, "low", "auto", "lower bound; auto: none"),
  PLAIN_NUMBER(vd_run_free_def, high, "high", "auto", "upper bound; auto: none"),
  PLAIN_NUMBER(vd_run_free_def, size, "size", "auto", "a change that matters, where there are not two bounds; auto: a tenth of the start"),
  {VD_F_FLAG(vd_run_free_def, logarithm, "logarithm", "false", "the logarithm is searched: for what is known up to a factor only; its interval is one of factors"), .flags = VD_OMIT_DEFAULT},
  PLAIN_NUMBER(vd_run_free_def, deviation, "deviation", "auto", "the start counts as a measured value with this standard deviation, of the logarithm if that is searched; auto: it does not count"),
};
static const vd_schema free_schema = {.name = "free figure", .size = sizeof(vd_run_free_def), .field = free_fields, .count = VD_COUNT(free_fields), .shorthand = "key"};

static const vd_field formula_fields[] = {
  {VD_F_LIST(vd_run_formula_def, keys, "key", NULL, "keys that get the value of the formula, as in --set")},
  {VD_F_STRING(vd_run_formula_def, formula, "formula", NULL, "formula of free figures, by their names, in SI: 0.4 * total; the numbers of the scenario have their keys as names"),
   .example = "0.4 * total"},
};
static const vd_schema formula_schema = {.name = "formula", .size = sizeof(vd_run_formula_def), .field = formula_fields, .count = VD_COUNT(formula_fields)};

static const vd_field figure_fields[] = {
  {VD_F_STRING(vd_run_figure_def, metric, "metric", NULL, "name of a metric of the scenario, or of a gain of the suspension"),
   .example = "yaw_rate_gain_1ps"},
  {VD_F_STRING(vd_run_figure_def, value, "value", NULL, "what it is to be; a bare number is in the unit of the metric"),
   .example = "0.25"},
  {VD_F_STRING(vd_run_figure_def, scatter, "scatter", "\"\"", "standard deviation of the value; empty: a share of the value that all such figures have in common, estimated from the residuals"), .flags = VD_OMIT_DEFAULT,
   .example = "0.01"},
  {VD_F_NUMBER(vd_run_figure_def, weight, "weight", "1", 0, 1e9, VD_OMIT_DEFAULT, "1", "factor on the residual; 0: it is compared but takes no part")},
};
static const vd_schema figure_schema = {.name = "figure", .size = sizeof(vd_run_figure_def), .field = figure_fields, .count = VD_COUNT(figure_fields)};

static const vd_field column_fields[] = {
  {VD_F_STRING(vd_run_column_def, channel, "channel", NULL, "channel of the scenario's log, or column of the suspension's sweep, with which the column is compared"),
   .example = "yaw_rate_radps"},
  COLUMN_ROWS(vd_run_column_def, column, "the name of the channel"),
  {VD_F_STRING(vd_run_column_def, scatter, "scatter", "\"\"", "standard deviation of its noise; a bare number is in the unit of the channel; empty: estimated from the residuals"), .flags = VD_OMIT_DEFAULT,
   .example = "0.01"},
  {VD_F_NUMBER(vd_run_column_def, weight, "weight", "1", 0, 1e9, VD_OMIT_DEFAULT, "1", "factor on its residuals; 0: it is compared but takes no part")},
};
static const vd_schema column_schema = {.name = "column", .size = sizeof(vd_run_column_def), .field = column_fields, .count = VD_COUNT(column_fields), .shorthand = "channel"};

static const vd_field over_fields[] = {
  {VD_F_STRING(vd_run_over_def, channel, "channel", "\"\"", "channel over which the rows stand, such as ay_mps2; empty: t_s, or travel_mm of a suspension"), .flags = VD_OMIT_DEFAULT,
   .example = "yaw_rate_radps"},
  COLUMN_ROWS(vd_run_over_def, column, "the name of the channel, or of a usual name of the time"),
  PLAIN_NUMBER(vd_run_over_def, from, "from", "auto", "rows below are left out; auto: none"),
  PLAIN_NUMBER(vd_run_over_def, to, "to", "auto", "rows above are left out; auto: none"),
};
static const vd_schema over_schema = {.name = "over", .size = sizeof(vd_run_over_def), .field = over_fields, .count = VD_COUNT(over_fields), .shorthand = "channel"};

static const vd_field data_fields[] = {
  {VD_F_STRING(vd_run_data_def, name, "name", "\"\"", "name in tables: letters, digits, underscores; empty: data1, data2, ..."), .flags = VD_OMIT_DEFAULT},
  {VD_F_PATH(vd_run_data_def, scenario, "scenario", "\"\"", "scenario in which it was measured; empty: that of the fit"), .flags = VD_OMIT_DEFAULT},
  {VD_F_PATH(vd_run_data_def, suspension, "suspension", "\"\"", "suspension on which it was measured; empty: that of the fit"), .flags = VD_OMIT_DEFAULT},
  {VD_F_LIST(vd_run_data_def, set, "set", "[]", "settings KEY=VALUE of its scenario, after those of the fit"), .flags = VD_OMIT_DEFAULT},
  {VD_F_STRUCTS(vd_run_data_def, figures, "figures", "1", &figure_schema, "[]", "metrics and what they are to be"), .flags = VD_OMIT_DEFAULT},
  {VD_F_GROUP(&vd_measured_rows)},
  {VD_F_STRUCT(vd_run_data_def, over, vd_run_over_def, "over", "1", &over_schema, VD_OMIT_DEFAULT, "{}", "over which channel the rows stand")},
  {VD_F_STRUCTS(vd_run_data_def, columns, "columns", "1", &column_schema, "[]", "which columns of the file are compared with which channels"), .flags = VD_OMIT_DEFAULT},
  {VD_F_STRUCT(vd_run_data_def, row_weight, vd_column_def, "row_weight", "1", &vd_column_schema, VD_OMIT_DEFAULT, "{}", "column of weights of the rows, >= 0; empty: 1")},
};
static const vd_schema data_schema = {.name = "data", .size = sizeof(vd_run_data_def), .field = data_fields, .count = VD_COUNT(data_fields)};

static const vd_field starts_fields[] = {
  {VD_F_INTEGER(vd_run_starts_def, count, "count", 1, 10000, "1", "starts that are tried, of which the best is taken; the first is that of the free figures")},
  {VD_F_CHOICE(vd_run_starts_def, design, "design", start_designs, "sobol", "how the others lie between the bounds, as the design of a study")},
  {VD_F_INTEGER(vd_run_starts_def, seed, "seed", 0, 2147483647, "0", "of the design, as of a study")},
};
static const vd_schema starts_schema = {.name = "starts", .size = sizeof(vd_run_starts_def), .field = starts_fields, .count = VD_COUNT(starts_fields), .shorthand = "count"};

static const vd_field fit_fields[] = {
  {VD_F_STRUCTS(vd_run_fit_settings, free, "free", "1", &free_schema, NULL, "figures that are found")},
  {VD_F_STRUCTS(vd_run_fit_settings, formulas, "formulas", "1", &formula_schema, "[]", "keys that follow from them"), .flags = VD_OMIT_DEFAULT},
  {VD_F_STRUCTS(vd_run_fit_settings, data, "data", "1", &data_schema, NULL, "what was measured, or is wanted, one item a run")},
  {VD_F_CHOICE(vd_run_fit_settings, loss, "loss", vd_fit_loss_names, "squares", "what is minimised: squares of the residuals; huber, cauchy: less of rows far off, for data with outliers")},
  {VD_F_NUMBER(vd_run_fit_settings, confidence, "confidence", "1", 0, 1, VD_ABOVE | VD_BELOW, "0.95", "probability of the intervals of confidence")},
  {VD_F_INTEGER(vd_run_fit_settings, iterations, "iterations", 1, 100000, "100", "most iterations, for each estimate of the scatters")},
  {VD_F_STRUCT(vd_run_fit_settings, starts, vd_run_starts_def, "starts", "1", &starts_schema, 0, "{}", "several starts, for data that have several answers nearby")},
};
static const vd_schema settings_schema = {.name = "fit", .size = sizeof(vd_run_fit_settings), .field = fit_fields, .count = VD_COUNT(fit_fields)};

static const vd_field fields[] = {
  {VD_F_CHOICE(vd_run_fit_def, kind, "kind", vd_scenario_kind_names, NULL, "kind of the file: fit")},
  {VD_F_STRING(vd_run_fit_def, title, "title", "\"\"", "one line of text for readers")},
  {VD_F_PATH(vd_run_fit_def, scenario, "scenario", "\"\"", "scenario that is run, of a vehicle or a track car, where the data name none"), .flags = VD_OMIT_DEFAULT},
  {VD_F_PATH(vd_run_fit_def, suspension, "suspension", "\"\"", "suspension that is swept, in place of a scenario"), .flags = VD_OMIT_DEFAULT},
  {VD_F_PATH(vd_run_fit_def, folder, "folder", "\"\"", "folder from which names of files in settings start; empty: that of this file"), .flags = VD_OMIT_DEFAULT},
  {VD_F_LIST(vd_run_fit_def, set, "set", "[]", "settings KEY=VALUE of all scenarios"), .flags = VD_OMIT_DEFAULT},
  {VD_F_STRUCT(vd_run_fit_def, fit, vd_run_fit_settings, "fit", "1", &settings_schema, 0, NULL, "what is found from which data")},
};
/* clang-format on */

const vd_schema vd_run_fit_schema = {
    .name = "fit", .size = sizeof(vd_run_fit_def), .field = fields, .count = VD_COUNT(fields)};
