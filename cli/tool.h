/* Parts that the tools share: options in one table, error messages, standard output and files, job counts, signals. */
#ifndef VD_TOOL_H
#define VD_TOOL_H

#include "replace.h"

#include "base/text.h"
#include "input/diag.h"
#include "input/schema.h"
#include "input/table.h"

/* Exit status of every tool. ENDED: a run could not go on to its end; what it had written is kept. TROUBLE: anything
 * that says nothing about a run: usage, input, files. */
enum vd_exit { VD_EXIT_YES = 0, VD_EXIT_NO = 1, VD_EXIT_TROUBLE = 2, VD_EXIT_ENDED = 3 };

/* An option: letter, names and help are in the same row. */
typedef struct vd_opt {
  char letter;          /* 0: none */
  const char *name;     /* long name without dashes */
  const char *argument; /* its name in the help; NULL: a flag; "=NAME": optional, and given after '=' */
  const char *help;
  int id; /* passed to vd_tool.take */
} vd_opt;

/* Ids that the tools' own rows must not use. */
enum { VD_OPT_OPERAND = -1, VD_OPT_HELP = -2, VD_OPT_VERSION = -3, VD_OPT_JSON = -6, VD_OPT_FORCE = -7 };

/* The last rows of every table. */
/* clang-format off */
#define VD_OPT_STANDARD \
  {0, "force", NULL, "replace files that are no results of these programs", VD_OPT_FORCE}, \
  {0, "json", NULL, "metrics, verdicts and lists as JSON", VD_OPT_JSON}, \
  {'h', "help", NULL, "print this help", VD_OPT_HELP}, \
  {0, "version", NULL, "print version, commit, compiler, options and data folder", VD_OPT_VERSION}
/* clang-format on */

typedef struct vd_tool {
  const char *name;     /* in messages: "vdsim-run" */
  const char *synopsis; /* synopsis in the help, above the options */
  const char *statuses; /* below them */
  const vd_opt *option;
  size_t options;
  /* Stores one option or operand in the settings; -1 to go on, or the exit status after a message or a list. */
  int (*take)(void *settings, int id, const char *value);
} vd_tool;

/* The whole of a tool: calls work(argc, argv) and returns its exit status. Memory that runs out is trouble, after a
 * message. */
int vd_tool_main(int (*work)(int argc, char **argv), int argc, char **argv);

/* Sets up messages and signals, then reads the command line; "-" is an operand, options and operands may mix. -1 to
 * go on, or the exit status after a message, the help, the version or a list. */
int vd_tool_start(const vd_tool *tool, void *settings, int argc, char **argv);

/* Whether --json was given, anywhere on the command line. */
bool vd_tool_json(void);

/* "NAME: error: ..." as a line on stderr; the name is that of the tool started. Returns false. */
bool vd_tool_error(const char *format, ...) VD_PRINTF(1, 2);
/* "NAME: note: ..." as a line on stderr. */
void vd_tool_note(const char *format, ...) VD_PRINTF(1, 2);
/* The messages about an input, in colours on a terminal. */
void vd_tool_print_messages(vd_diag *d);

/* Flushes standard output and returns `status`, or VD_EXIT_TROUBLE after a message. */
int vd_tool_close_stdout(int status);

/* Prints how many values of an input are estimates, and which, one a line in `names`; nothing if there are none. */
void vd_tool_report_estimates(const char *path, size_t count, const vd_buf *names);
/* Adds each line with something before it. */
void vd_tool_add_lines(const char *before, const vd_buf *lines, vd_buf *out);

/* Whether an output is standard output, which is also the default, NULL. */
bool vd_tool_is_stdout(const char *path);
/* The name of an input in messages. */
const char *vd_tool_input_name(const char *path);

/* A file or folder that is given: `path`, or where there is none the one of this name in the data folder (see
 * vd_file_in_data). */
const char *vd_tool_find(const char *path);

/* Whether CSV or text may go by this name, the argument of an option: not where it looks like that of an input; false
 * after a message. */
bool vd_tool_names_text(const char *option, const char *path);

/* Opens an output that may go to `path`; NULL after a message. */
vd_output *vd_tool_open_output(const char *path, enum vd_replaces what);
/* Closes an output, and renames it if `final_name` is not NULL. Returns an exit status, as of vd_tool_written. */
int vd_tool_commit(vd_output *o, const char *path, const char *final_name);
/* An exit status for the errno of an output, after a message; a closed pipe is no error. */
int vd_tool_written(const char *path, int error);
/* Removes an output; accepts NULL. */
void vd_tool_discard(vd_output *o);
/* A result also replaces what has the first line of the text. */
int vd_tool_write_text(const char *path, enum vd_replaces what, const char *text, size_t length);
/* Removes the temporary files that killed processes have left in a folder; opening an output does it, too, once. */
void vd_tool_clear_folder(const char *folder);
/* Several files of one stem, BASE.csv and others, that appear together: one process after the other gives them their
 * names, so that all are of one run. Returns a number for vd_tool_end_turn; a folder without locks does without. */
int vd_tool_await_turn(const char *base);
void vd_tool_end_turn(int turn);
/* Makes a folder. Succeeds if it exists already; false after a message. */
bool vd_tool_make_folder(const char *path);

/* The argument of --set: KEY=VALUE, or @FILE with one in each line, blank lines and those that begin with '#' apart;
 * names of files in it start from its folder. The list has had room for as many as there are arguments, and keeps it.
 * False after a message. */
bool vd_tool_add_settings(const char *text, vd_setting **set, size_t *count);

/* Lines of a provenance: the text in quotes behind `before`, and the settings that were given, if there are any. */
void vd_tool_add_yaml_text(const char *before, const char *text, vd_buf *out);
void vd_tool_add_settings_given(const vd_setting *set, size_t count, vd_buf *out);

/* The argument of -j; false after a message. */
bool vd_tool_parse_jobs(const char *text, int *jobs);
/* Up to three numbers with ':' between them; returns how many, or 0 if the text has another form. */
int vd_tool_parse_range(const char *text, double number[3]);

#endif
