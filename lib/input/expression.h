/* Formulas written as in a textbook: "V/(L + K*V^2)".
 *
 *   sum      = product { ("+" | "-") product }
 *   product  = sign { ("*" | "/") sign }
 *   sign     = ("-" | "+") sign | power
 *   power    = operand ["^" sign]                         right to left; -2^2 is -4
 *   operand  = number ["[" unit "]"] | name | function "(" sum { "," sum } ")" | "(" sum ")"
 *   name     = letter { letter | digit | "_" | "." }      "vehicle.mass", "metric.ay_steady_mps2"
 *
 * A number with a unit is converted to SI: 80[km/h]. Constants: pi, g (standard gravity). Functions: sqrt sin cos tan
 * asin acos atan atan2 exp log abs min max. The caller may add names and functions. Dimensions are not checked; all
 * numbers are in SI. */
#ifndef VD_EXPRESSION_H
#define VD_EXPRESSION_H

#include "input/tree.h"

typedef struct vd_expression vd_expression;

enum { VD_EXPRESSION_ARGUMENTS = 4, VD_EXPRESSION_DEPTH = 100 };

/* The names and functions that the caller adds; pointers may be NULL. */
typedef struct vd_expression_world {
  void *context;
  /* Sets *value to the value of a name. Returns false if the name has no value; *why may then be set to the reason, in
   * memory of the callee. */
  bool (*name)(void *context, const char *name, double *value, const char **why);
  /* True if there is a function of this name. *arguments: the number of its arguments; *word: true if the first
   * argument is a word, such as an axle, and not a number. */
  bool (*function)(void *context, const char *name, size_t *arguments, bool *word);
  /* Sets *value to the value of a function. `word` is NULL if the function takes no word. After a failure returns false
   * and sets *why to the reason. */
  bool (*call)(void *context, const char *name, const char *word, const double *argument, double *value,
               const char **why);
} vd_expression_world;

/* Reads a formula that was written at `at` (a scalar of a registered source); errors point at their column. `world` may
 * be NULL; its function `name` is not called. Returns NULL after errors. */
vd_expression *vd_expression_read(const char *text, vd_place at, const vd_expression_world *world, vd_arena *arena,
                                  vd_diag *d);

/* True if the language has a function of this name. */
bool vd_expression_function(const char *name, size_t length);

/* Evaluates the formula. If there is no value, or it is not finite, the result is NAN and a message stands in
 * why[size]: "column 1: there is no 'vehicle.mas'", "column 12: 'sqrt' of -3 is not a finite number". */
double vd_expression_value(const vd_expression *e, const vd_expression_world *world, char *why, size_t size);

/* Calls `visit` for each name in the formula that is not a constant, from left to right, with the place of the name. */
void vd_expression_names(const vd_expression *e, void (*visit)(void *context, const char *name, vd_place at),
                         void *context);

#endif
