#include "run/study_def.h"

#include "base/base.h"
#include "input/schema.h"
#include "run/kind.h"

#include <math.h>

static const char *const factor_types[] = {"uniform", "normal", "range", "list", "formula", NULL};
static const char *const design_types[] = {
    "grid", "random", "latin_hypercube", "sobol", "one_at_a_time", "morris", "saltelli", "list", NULL};
static const char *const histories_names[] = {"none", "some", "all", NULL};

#define RANGED (VD_WHEN(VD_FACTOR_UNIFORM) | VD_WHEN(VD_FACTOR_RANGE))
#define NORMAL VD_WHEN(VD_FACTOR_NORMAL)
#define LISTED VD_WHEN(VD_FACTOR_LIST)
#define DRAWN                                                                                                          \
  (VD_WHEN(VD_DESIGN_RANDOM) | VD_WHEN(VD_DESIGN_LATIN) | VD_WHEN(VD_DESIGN_SOBOL) | VD_WHEN(VD_DESIGN_MORRIS) |       \
   VD_WHEN(VD_DESIGN_SALTELLI))

/* clang-format off */
static const vd_field factor_fields[] = {
  {VD_F_STRING(vd_factor_def, name, "name", "\"\"",
               "name of the factor, for its column and for formulas: letters, digits, underscores; empty: the first "
               "key, with "
               "underscores"),
   .flags = VD_OMIT_DEFAULT},
  {VD_F_LIST(vd_factor_def, keys, "key", "[]",
             "keys that get the value, as in --set; none: only formulas and constraints use the factor"),
   .flags = VD_OMIT_DEFAULT},
  {VD_F_CHOICE(vd_factor_def, type, "type", factor_types, NULL,
               "uniform: between two numbers; normal: normally distributed; range: evenly spaced numbers; list: given "
               "values; formula: computed from the other factors")},
  {VD_F_NUMBER(vd_factor_def, from, "from", "1", -INFINITY, INFINITY, VD_ANY_UNIT, NULL,
               "lowest number, in the unit of the key"),
   .only = RANGED},
  {VD_F_NUMBER(vd_factor_def, to, "to", "1", -INFINITY, INFINITY, VD_ANY_UNIT, NULL, "highest number"), .only = RANGED},
  {VD_F_INTEGER(vd_factor_def, points, "points", 2, 1000000, NULL, "number of values, including both ends"),
   .only = VD_WHEN(VD_FACTOR_RANGE)},
  {VD_F_NUMBER(vd_factor_def, mean, "mean", "1", -INFINITY, INFINITY, VD_ANY_UNIT, NULL,
               "mean of the normal distribution"),
   .only = NORMAL},
  {VD_F_NUMBER(vd_factor_def, deviation, "deviation", "1", 0, INFINITY, VD_ABOVE | VD_ANY_UNIT, NULL,
               "standard deviation of the normal distribution"),
   .only = NORMAL},
  {VD_F_ANY_NUMBER(vd_factor_def, low, "low",
                   "the distribution is truncated below this number; auto: no truncation"),
   .only = NORMAL},
  {VD_F_ANY_NUMBER(vd_factor_def, high, "high",
                   "the distribution is truncated above this number; auto: no truncation"),
   .only = NORMAL},
  {VD_F_LIST(vd_factor_def, values, "values", NULL,
             "values: numbers with or without unit, words, names of files, lists and mappings; a text in quotes is "
             "never read as a number"),
   .flags = VD_VALUES, .only = LISTED},
  {VD_F_NUMBERS(vd_factor_def, weights, "weights", "1", 0, 1e9, VD_ABOVE | VD_OMIT_DEFAULT, "[]",
                "relative probability of each value in a random design; empty: all are equal"),
   .only = LISTED},
  {VD_F_STRING(vd_factor_def, formula, "formula", NULL,
               "formula of earlier factors, in SI: 0.4 * mass"),
   .only = VD_WHEN(VD_FACTOR_FORMULA),
   .example = "mass * 9.81"},
};

static const vd_schema factor_schema = {.name = "factor", VD_SCHEMA_ROWS(vd_factor_def, factor_fields), .tag = "type"};

static const vd_field correlation_fields[] = {
  {VD_F_LIST(vd_correlation_def, of, "of", NULL, "names of two factors of type uniform or normal")},
  {VD_F_NUMBER(vd_correlation_def, value, "value", "1", -1, 1, VD_ABOVE | VD_BELOW, NULL,
               "correlation of two normal variables, which are then transformed to the factors' distributions")},
};

static const vd_schema correlation_schema = {.name = "correlation",
                                             VD_SCHEMA_ROWS(vd_correlation_def, correlation_fields)};

static const vd_field constraint_fields[] = {
  {VD_F_STRING(vd_constraint_def, formula, "formula", NULL, "formula of the names of factors, in SI"),
   .example = "mass * 9.81"},
  {VD_F_ANY_NUMBER(vd_constraint_def, above, "above", "the value of the formula must be above this number; auto: no "
    "such bound")},
  {VD_F_ANY_NUMBER(vd_constraint_def, below, "below", "the value of the formula must be below this number; auto: no "
    "such bound")},
};

static const vd_schema constraint_schema = {.name = "constraint", VD_SCHEMA_ROWS(vd_constraint_def, constraint_fields)};

static const vd_field design_fields[] = {
  {VD_F_CHOICE(vd_design_def, type, "type", design_types, "grid",
               "grid: all combinations of the values of the factors, with the last factor changing fastest; random: "
               "independent points; latin_hypercube: one point in each of `count` equally likely parts of every "
               "factor; sobol: quasi-random points (at most 40 factors); one_at_a_time: first the scenario without "
               "changes, then every value of the first factor, of the second, and so on; morris: `count` trajectories "
               "for elementary effects; "
               "saltelli: count (factors + 2) points, for first-order and total indices; list: rows "
               "of a CSV file")},
  {VD_F_INTEGER(vd_design_def, count, "count", 1, 100000000, NULL,
                "number of points, of trajectories (morris) or of base points (saltelli)"),
   .only = DRAWN,
   .example = "200"},
  {VD_F_INTEGER(vd_design_def, seed, "seed", 0, 2147483647, "0",
                "seed of the random numbers; sobol and saltelli: with 0 the sequence is not shifted, with other seeds "
                "it is shifted by a random vector modulo 1"),
   .only = DRAWN},
  {VD_F_INTEGER(vd_design_def, levels, "levels", 2, 1000, "4",
                "number of levels of each factor on the grid of the trajectories; even"),
   .only = VD_WHEN(VD_DESIGN_MORRIS)},
  {VD_F_PATH(vd_design_def, file, "file", NULL,
             "CSV file with a column for each factor, which has the factor's name; a number is in the unit of its "
             "column, or, if the column has none, in the unit of the factor's key"),
   .only = VD_WHEN(VD_DESIGN_TABLE),
   .example = "cases.csv"},
};

static const vd_schema design_schema = {.name = "design", VD_SCHEMA_ROWS(vd_design_def, design_fields),
                                        .tag = "type", .shorthand = "type"};

static const vd_field study_fields[] = {
  {VD_F_CHOICE(vd_study_def, kind, "kind", vd_scenario_kind_names, NULL, "kind of the file: study")},
  {VD_F_STRING(vd_study_def, title, "title", "\"\"", "one line of text for readers")},
  {VD_F_PATH(vd_study_def, scenario, "scenario", "\"\"",
             "scenario that is varied: a vehicle, also one with a search, a tyre rig or a track car"),
   .flags = VD_OMIT_DEFAULT},
  {VD_F_PATH(vd_study_def, suspension, "suspension", "\"\"",
             "suspension that is varied, in place of a scenario; the metrics are the gains of the suspension"),
   .flags = VD_OMIT_DEFAULT},
  {VD_F_PATH(vd_study_def, folder, "folder", "\"\"",
             "folder from which names of files in settings and values start; empty: the folder of this file"),
   .flags = VD_OMIT_DEFAULT},
  {VD_F_LIST(vd_study_def, set, "set", "[]",
      "settings KEY=VALUE of the scenario, in all cases"), .flags = VD_OMIT_DEFAULT},
  {VD_F_STRUCTS(vd_study_def, vary, "vary", "1", &factor_schema, NULL, "factors, which differ from case to case")},
  {VD_F_STRUCTS(vd_study_def, correlations, "correlations", "1", &correlation_schema, "[]",
                "pairs of correlated factors, in random designs"),
   .flags = VD_OMIT_DEFAULT},
  {VD_F_STRUCTS(vd_study_def, constraints, "constraints", "1", &constraint_schema, "[]",
                "conditions on the factors; a case that violates one of them is marked as excluded and not run"),
   .flags = VD_OMIT_DEFAULT},
  {VD_F_STRUCT(vd_study_def, design, vd_design_def, "design", "1", &design_schema, 0, "grid",
               "combinations of values that are run"),
   .example = "{type: latin_hypercube, count: 200}"},
  {VD_F_LIST(vd_study_def, metrics, "metrics", "[\"*\"]", "names or globs of the metrics that become columns")},
  {VD_F_CHOICE(vd_study_def, histories, "histories", histories_names, "none",
               "cases whose time history is kept, with -o DIR: none, the cases that `interesting` describes, or all")},
  {VD_F_STRUCTS(vd_study_def, interesting, "interesting", "1", &constraint_schema, "[]",
                "with `histories: some`: conditions on factors and metrics (metric.NAME); a condition without a value "
                "counts as true"),
   .flags = VD_OMIT_DEFAULT},
  {VD_F_STRUCTS(vd_study_def, stop, "stop", "1", &constraint_schema, "[]",
                "conditions on factors and metrics (metric.NAME, a column) that end a series of tests; figures "
                "stop_case and stop_FACTOR describe the first case that meets all conditions; a condition without a "
                "value counts as false"),
   .flags = VD_OMIT_DEFAULT},
};
/* clang-format on */

const vd_schema vd_study_schema = {.name = "study", VD_SCHEMA_ROWS(vd_study_def, study_fields)};
