/* What an output may replace: the one place that decides it for every writer of the four programs. */
#ifndef VD_REPLACE_H
#define VD_REPLACE_H

#include "input/diag.h"

#include <stdbool.h>
#include <stddef.h>

/* What stands at an output's name already, and goes. An empty file always goes; a device or a pipe takes what is
 * written; an input of the run never goes, and --force lets all else go. */
enum vd_replaces {
  VD_REPLACES_NOTHING, /* for files that are made to be edited: templates, imports, property files, resolved files */
  VD_REPLACES_OURS,    /* for results: what begins as a result of these programs does */
  VD_REPLACES_ALL,     /* the caller has found that it is ours, by another file */
};

/* The option --force was given. */
void vd_tool_force(void);

/* No output replaces an input: a file that is noted here, by which name and link ever. NULL: there are none. */
void vd_tool_inputs(const vd_diag *d);
/* Notes those of --set @FILE, which are inputs of every run. */
vd_diag *vd_tool_setting_files(void);

/* Whether an output may go to `path`; false after a message. Ask before the work, whose outcome would be lost; opening
 * asks again. */
bool vd_tool_may_write(const char *path, enum vd_replaces what);
/* As vd_tool_may_write of VD_REPLACES_OURS, for a text that is known already: it also replaces what has its first
 * line. */
bool vd_tool_may_write_text(const char *path, const char *text, size_t length);
/* Whether an output whose name was made, not given, may go to `path`: it replaces only an empty file or one that a tool
 * of ours has written, which is `ours`. */
bool vd_tool_may_replace(const char *path, bool ours);
/* Whether a file begins with these words, as ours do. */
bool vd_tool_begins(const char *path, const char *words);

#endif
