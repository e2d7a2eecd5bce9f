/* Formulas as a textbook writes them: "V/(L + K*V^2)".
 *
 *   sum      = product { ("+" | "-") product }
 *   product  = sign { ("*" | "/") sign }
 *   sign     = ["-" | "+"] power
 *   power    = operand ["^" sign]                         right to left; -2^2 is -4
 *   operand  = number ["[" unit "]"] | name | function "(" sum { "," sum } ")" | "(" sum ")"
 *   name     = letter { letter | digit | "_" | "." }      "vehicle.mass", "metric.ay_steady_mps2"
 *
 * A number with a unit is taken in SI: 80[km/h]. Constants: pi, g (standard gravity). Functions: sqrt sin cos tan asin
 * acos atan atan2 exp log abs min max. Whoever evaluates may add names and functions. There are no dimensions: numbers
 * are SI. */
#ifndef VD_EXPRESSION_H
#define VD_EXPRESSION_H

#include "input/tree.h"

typedef struct vd_expression vd_expression;

enum { VD_EXPRESSION_ARGUMENTS = 4, VD_EXPRESSION_DEPTH = 100 };

/* What the caller adds; either may be NULL. */
typedef struct vd_expression_world {
  void *context;
  /* The value of a name; false if there is none: *why may then say more (kept by the callee). */
  bool (*name)(void *context, const char *name, double *value, const char **why);
  /* Whether there is such a function, and with how many arguments; `words`: its first argument is a word (an axle) and
   * not a number. */
  bool (*function)(void *context, const char *name, size_t *arguments, bool *word);
  /* The value of a function; word is NULL unless asked for. False: *why. */
  bool (*call)(void *context, const char *name, const char *word, const double *argument, double *value,
               const char **why);
} vd_expression_world;

/* Reads a formula that was written at `at` (a scalar of a registered source); errors point at their column. world: for
 * its functions; may be NULL. NULL after errors. */
vd_expression *vd_expression_read(const char *text, vd_place at, const vd_expression_world *world, vd_arena *arena,
                                  vd_diag *d);

/* Whether the language has a function of this name. */
bool vd_expression_function(const char *name, size_t length);

/* The value; NAN with a message in why[size] ("there is no 'vehicle.mas'", "column 12: sqrt of -3") if it cannot be had
 * or is not finite. */
double vd_expression_value(const vd_expression *e, const vd_expression_world *world, char *why, size_t size);

/* Calls visit for each name in it that is no constant, in their order, with its place. */
void vd_expression_names(const vd_expression *e, void (*visit)(void *context, const char *name, vd_place at),
                         void *context);

#endif
