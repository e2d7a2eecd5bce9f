/* Parts that the tools share: options in one table, error messages, standard output and files, job counts, signals. */
#ifndef VD_TOOL_H
#define VD_TOOL_H

#include "replace.h"

#include "base/text.h"
#include "input/diag.h"
#include "input/schema.h"
#include "input/table.h"

/* Exit status of every tool. ENDED: a run failed before its end; what it had written until then is kept. TROUBLE: an
 * error that says nothing about the model: in usage, input or files. */
enum vd_exit { VD_EXIT_YES = 0, VD_EXIT_NO = 1, VD_EXIT_TROUBLE = 2, VD_EXIT_ENDED = 3 };

/* An option with its letter, names and help. */
typedef struct vd_opt {
  char letter;      /* 0: none */
  const char *name; /* long name without dashes */
  /* name of the argument in the help; NULL: no argument; "=NAME": the argument is optional, and given after '=' */
  const char *argument;
  const char *help;
  int id; /* passed to vd_tool.take */
} vd_opt;

/* Ids that the tools' own options must not use. */
enum { VD_OPT_OPERAND = -1, VD_OPT_HELP = -2, VD_OPT_VERSION = -3, VD_OPT_JSON = -6, VD_OPT_FORCE = -7 };

/* The help of --exact, which several tools have. */
#define VD_OPT_EXACT_HELP "enough digits to read back the same bits, instead of 9"

/* The last rows of every tool's table of options. */
/* clang-format off */
#define VD_OPT_STANDARD \
  {0, "force", NULL, "also replace files that are not results of these programs", VD_OPT_FORCE}, \
  {0, "json", NULL, "metrics, verdicts and lists as JSON", VD_OPT_JSON}, \
  {'h', "help", NULL, "print this help", VD_OPT_HELP}, \
  {0, "version", NULL, "print version, commit, compiler, options and data folder", VD_OPT_VERSION}
/* clang-format on */

typedef struct vd_tool {
  const char *name;     /* in messages: "vdsim-run" */
  const char *synopsis; /* synopsis in the help, above the options */
  const char *statuses; /* text below the options: the exit statuses */
  const vd_opt *option;
  size_t options;
  /* Stores one option or operand in the settings. Returns -1 to go on, or the exit status after a message or a list. */
  int (*take)(void *settings, int id, const char *value);
} vd_tool;

/* Runs a tool: calls work(argc, argv) and returns its exit status. If memory runs out it returns VD_EXIT_TROUBLE after
 * a message. */
int vd_tool_main(int (*work)(int argc, char **argv), int argc, char **argv);

/* Sets up messages and signals, then reads the command line. "-" is an operand; options and operands may come in any
 * order. Returns -1 to go on, or the exit status after a message, the help, the version or a list. */
int vd_tool_start(const vd_tool *tool, void *settings, int argc, char **argv);

/* Whether --json was given, anywhere on the command line. */
bool vd_tool_json(void);

/* Prints "NAME: error: ..." as a line on stderr with the name of the tool. Returns false. */
bool vd_tool_error(const char *format, ...) VD_PRINTF(1, 2);
/* Prints "NAME: note: ..." as a line on stderr. */
void vd_tool_note(const char *format, ...) VD_PRINTF(1, 2);
/* Prints the messages about an input, in colours on a terminal. */
void vd_tool_print_messages(vd_diag *d);

/* Flushes standard output and returns `status`, or VD_EXIT_TROUBLE after a message. */
int vd_tool_close_stdout(int status);

/* Prints how many values of an input are estimates, and their keys, which are one per line in `names`; prints nothing
 * if there are none. */
void vd_tool_report_estimates(const char *path, size_t count, const vd_buf *names);
/* Adds each of the lines, with `before' in front of it. */
void vd_tool_add_lines(const char *before, const vd_buf *lines, vd_buf *out);

/* Whether an output is standard output; NULL, no option given, is standard output, too. */
bool vd_tool_is_stdout(const char *path);
/* Returns the name of an input for messages. */
const char *vd_tool_input_name(const char *path);

/* Returns the file or folder `path`, or if it does not exist, the file of this name in the data folder (see
 * vd_file_in_data). */
const char *vd_tool_find(const char *path);

/* Whether the argument of an option is a suitable name for CSV or text; false after a message if it looks like the name
 * of an input. */
bool vd_tool_names_text(const char *option, const char *path);

/* Opens an output that may go to `path`; NULL after a message. */
vd_output *vd_tool_open_output(const char *path, enum vd_replaces what);
/* Closes an output, and renames it if `final_name` is not NULL. Returns an exit status, as vd_tool_written does. */
int vd_tool_commit(vd_output *o, const char *path, const char *final_name);
/* Returns an exit status for the errno of an output, after a message; a closed pipe is not an error. */
int vd_tool_written(const char *path, int error);
/* Removes an output; o may be NULL. */
void vd_tool_discard(vd_output *o);
/* Writes a text to an output. With VD_REPLACES_OURS a file with the same first line may be replaced, too. */
int vd_tool_write_text(const char *path, enum vd_replaces what, const char *text, size_t length);
/* Removes the temporary files that killed processes have left in a folder; opening the first output in it does this,
 * too. */
void vd_tool_clear_folder(const char *folder);
/* Waits until this process may rename several files of one stem, BASE.csv and others. Only one process at a time may do
 * so, so that all these files come from one run. Returns a number for vd_tool_end_turn. In a folder that does not allow
 * locks the call does not wait. */
int vd_tool_await_turn(const char *base);
void vd_tool_end_turn(int turn);
/* Makes a folder; succeeds if it exists already. False after a message. */
bool vd_tool_make_folder(const char *path);

/* Takes the argument of --set: KEY=VALUE, or @FILE with one setting per line; blank lines and lines that begin with '#'
 * are skipped, and file names in FILE are relative to the folder of FILE. The list must have room for as many settings
 * as there are arguments, and this function keeps that room. False after a message. */
bool vd_tool_add_settings(const char *text, vd_setting **set, size_t *count);

/* vd_tool_add_yaml_text adds the text in quotes behind `before`; vd_tool_add_settings_given adds the settings that were
 * given, if any. Both are lines of a provenance. */
void vd_tool_add_yaml_text(const char *before, const char *text, vd_buf *out);
void vd_tool_add_settings_given(const vd_setting *set, size_t count, vd_buf *out);

/* Parses the argument of -j; false after a message. */
bool vd_tool_parse_jobs(const char *text, int *jobs);

#endif
