/* Decides which existing files an output may replace, for all writers of the programs. */
#ifndef VD_REPLACE_H
#define VD_REPLACE_H

#include "input/diag.h"

#include <stdbool.h>
#include <stddef.h>

/* Which existing file an output may replace. An empty file may always be replaced; a device or a pipe receives the
 * output. An input of the run is never replaced; --force allows to replace any other file. */
enum vd_replaces {
  /* only an empty file: for templates, imports, property files and resolved files, which users edit */
  VD_REPLACES_NOTHING,
  VD_REPLACES_OURS, /* a file that begins like a result of these programs: for results */
  /* any file: the caller knows from another file that this one is a result of these programs */
  VD_REPLACES_ALL,
};

/* Records that the option --force was given. */
void vd_tool_force(void);

/* Notes the files that were read, so that no output replaces them, under any name or link. NULL: there are none. */
void vd_tool_inputs(const vd_diag *d);
/* The diag that notes the files of --set @FILE, which are inputs of every run. */
vd_diag *vd_tool_setting_files(void);

/* Whether an output may be written to `path`; false after a message. It is called before the work, whose results would
 * otherwise be lost; opening the output checks it again. */
bool vd_tool_may_write(const char *path, enum vd_replaces what);
/* Like vd_tool_may_write with VD_REPLACES_OURS, for a known text: a file whose first line equals that of the text may
 * be replaced, too. */
bool vd_tool_may_write_text(const char *path, const char *text, size_t length);
/* Whether an output whose name the program chose may be written to `path`. It replaces only an empty file, or a file
 * that these programs have written. ours: whether they have. */
bool vd_tool_may_replace(const char *path, bool ours);
/* Whether a file begins with these words, which mark a file of these programs. */
bool vd_tool_begins(const char *path, const char *words);

#endif
