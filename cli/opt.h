/* Command line options by one table: letters, names, arguments and help from the same row. */
#ifndef VD_OPT_H
#define VD_OPT_H

#include <stdbool.h>
#include <stdio.h>

typedef struct vd_opt {
  char letter;      /* 0: none */
  const char *name; /* long name without dashes */
  const char
      *argument; /* name of its argument in the help; NULL: a flag; "=NAME": may be left out, and comes behind \'=\' */
  const char *help;
  int id; /* what vd_opt_next returns */
} vd_opt;

typedef struct vd_opt_state {
  int argc;
  char **argv;
  int next;            /* next argv entry */
  const char *cluster; /* rest of a "-qv" cluster */
  bool only_operands;  /* after -- */
  const char *value;   /* argument of the option just returned, NULL if left out, or the operand */
} vd_opt_state;

enum { VD_OPT_END = -1, VD_OPT_OPERAND = -2, VD_OPT_ERROR = -3 };

void vd_opt_start(vd_opt_state *s, int argc, char **argv);

/* Next option's id, VD_OPT_OPERAND, VD_OPT_END, or VD_OPT_ERROR after a message to stderr. "-" is an operand;
 * options and operands may mix. */
int vd_opt_next(vd_opt_state *s, const vd_opt *table, size_t count);

/* The aligned list of options. */
void vd_opt_help(FILE *to, const vd_opt *table, size_t count);

#endif
