/* Suspension files: what they contain, their checks, and a corner written as a file. */
#ifndef VD_CORNER_DEF_H
#define VD_CORNER_DEF_H

#include "base/arena.h"
#include "base/text.h"
#include "input/diag.h"
#include "input/tree.h"
#include "linkage/corner.h"

#include <stdbool.h>
#include <stddef.h>

struct vd_setting; /* input/schema.h */

/* Reads a suspension file ("-": standard input), merges settings into it, completes and checks it; d receives every
 * error of the file. effective (may be NULL): the complete file with all defaults, as YAML that reads back to the same
 * corner and the same bytes. */
bool vd_corner_read(const char *path, const struct vd_setting *settings, size_t count, vd_arena *arena, vd_diag *d,
                    vd_corner *corner, vd_buf *effective);
bool vd_corner_read_source(int source, const struct vd_setting *settings, size_t count, vd_arena *arena, vd_diag *d,
                           vd_corner *corner, vd_buf *effective);

/* For files that contain a suspension among other things: the schema of the suspension, and the function that completes
 * what was read and makes a corner of it. root: the suspension's node. False after errors. */
extern const struct vd_schema vd_corner_schema;
bool vd_corner_complete(void *def, const vd_node *root, vd_diag *d, vd_corner *corner);

/* Writes a corner as a suspension file, shortest digits that read back to the same numbers. */
void vd_corner_write(const vd_corner *corner, vd_buf *out);

/* Checks of a corner's geometry; messages name points by their keys in a suspension file. root gives the places; if it
 * is NULL, the place is the whole source. */
bool vd_corner_check(const vd_corner *corner, const vd_node *root, int source, vd_diag *d);

/* Writes the hardpoint graph: bodies, joints and points as YAML (a listing, for people and other tools). */
void vd_corner_graph(const vd_corner *corner, vd_buf *out);

#endif
