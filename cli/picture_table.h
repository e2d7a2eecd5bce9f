/* The table of pictures (pictures.txt), and the words and units in which channels are shown. */
#ifndef VD_PICTURE_TABLE_H
#define VD_PICTURE_TABLE_H

#include "base/arena.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

enum { VD_PICTURE_PARTS = 6 };

/* A line of the table, such as "panel", "Yaw rate"; parts that the line lacks are "". */
typedef struct vd_picture_line {
  const char *part[VD_PICTURE_PARTS];
} vd_picture_line;

/* Returns all lines but comments, in their order. */
const vd_picture_line *vd_picture_table(size_t *count);
/* Returns the line of a picture; NULL: there is none. */
const vd_picture_line *vd_picture_called(const char *name);

/* A panel of a suspension's sheets. */
typedef struct vd_kc_panel {
  const vd_picture_line *sheet, *panel, *curve; /* the lines that describe it */
  size_t curves;                                /* 1 or 2 */
  bool opposite, brief;
} vd_kc_panel;

/* Returns all panels, in the order of the sheets. */
const vd_kc_panel *vd_kc_panels(size_t *count);

/* A unit in which values are shown; size: one of this unit in the column's own unit. */
typedef struct vd_shown_unit {
  const char *name;
  double size;
} vd_shown_unit;

/* A unit that the user chose for the columns with a name or pattern. */
typedef struct vd_unit_rule {
  const char *pattern, *unit;
  bool used;
} vd_unit_rule;

typedef struct vd_unit_habits {
  vd_unit_rule rule[64];
  size_t rules;
  bool si; /* the units of the table are not used */
} vd_unit_habits;

/* Adds rules CHANNEL=UNIT with commas between them; false after a message. */
bool vd_unit_rules_add(const char *text, vd_arena *arena, vd_unit_habits *out);

/* Returns the unit with which the name of a column ends, "rad/s" for yaw_rate_radps; "1": none. *stem: length of the
 * name without this ending. */
const char *vd_unit_at_end(const char *name, size_t *stem);

/* Returns the unit in which a column is shown. own: its own unit. The name is NULL after a message if the user's unit
 * has another dimension. */
vd_shown_unit vd_shown_unit_of(const char *name, const char *own, vd_unit_habits *habits, vd_arena *arena);

/* Returns the unit in which the horizontal axis of a suspension's panel is shown. */
vd_shown_unit vd_kc_unit(const vd_kc_panel *k, vd_arena *arena);

/* Returns the name of a column in the words of the field: "side slip angle" for sideslip_rad. */
const char *vd_spoken(const char *name, vd_arena *arena);
/* Returns words in the form of a panel's title. */
const char *vd_title_of(const char *words, vd_arena *arena);
/* Returns the name without its unit, with blanks for underscores. */
const char *vd_plain_words(const char *name, vd_arena *arena);

#endif
