#include "picture_table.h"

#include "tool.h"

#include "base/system.h"
#include "base/base.h"
#include "base/wheel.h"
#include "input/units.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *const lines[] = {
#include "pictures.inc"
};

static const char *trimmed(const char *text, size_t length, vd_arena *arena) {
  for (; length > 0 && (*text == ' ' || *text == '\n'); length--)
    text++;
  while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\n'))
    length--;
  return vd_arena_copy(arena, text, length);
}

const vd_picture_line *vd_picture_table(size_t *count) {
  static vd_picture_line table[VD_COUNT(lines)];
  static size_t rows;
  static vd_arena *arena; /* lives as long as the program */
  for (size_t i = arena ? VD_COUNT(lines) : 0; i < VD_COUNT(lines); i++) {
    const char *at = lines[i];
    if (*at == '#' || *at == '\n')
      continue;
    arena = arena ? arena : vd_arena_create();
    for (size_t k = 0; k < VD_PICTURE_PARTS; k++) {
      size_t length = strcspn(at, "|");
      table[rows].part[k] = trimmed(at, length, arena);
      at += length + (at[length] == '|');
    }
    rows++;
  }
  *count = rows;
  return table;
}

const vd_picture_line *vd_picture_called(const char *name) {
  size_t count;
  const vd_picture_line *l = vd_picture_table(&count);
  for (const vd_picture_line *end = l + count; l < end; l++)
    if (strcmp(l->part[0], "picture") == 0 && strcmp(l->part[1], name) == 0)
      return l;
  return NULL;
}

const vd_kc_panel *vd_kc_panels(size_t *count) {
  static vd_kc_panel panel[96];
  static size_t panels;
  size_t lines_of;
  const vd_picture_line *l = vd_picture_table(&lines_of), *end = panels > 0 ? l : l + lines_of, *sheet = NULL;
  for (; l < end && strcmp(l->part[0], "picture") != 0; l++)
    if (strcmp(l->part[0], "sheet") == 0)
      sheet = l;
    else if (strcmp(l->part[0], "panel") == 0) {
      assert(panels < VD_COUNT(panel));
      panel[panels++] = (vd_kc_panel){.sheet = sheet,
                                      .panel = l,
                                      .curve = l + 1,
                                      .opposite = strcmp(sheet->part[5], "opposite") == 0,
                                      .brief = strcmp(l->part[2], "brief") == 0};
    } else if (strcmp(l->part[0], "curve") == 0 && panels > 0) {
      panel[panels - 1].curves++;
    }
  *count = panels;
  return panel;
}

/* Returns the first line of a sort whose name fits; NULL: none. */
static const vd_picture_line *line_of(const char *sort, const char *name, bool pattern) {
  size_t count;
  const vd_picture_line *l = vd_picture_table(&count);
  for (const vd_picture_line *end = l + count; l < end; l++)
    if (strcmp(l->part[0], sort) == 0 && (pattern ? fnmatch(l->part[1], name, 0) == 0 : strcmp(l->part[1], name) == 0))
      return l;
  return NULL;
}

/* --- units --- */

/* Returns the unit of a suffix; NULL: it is not the suffix of a unit. */
static const char *unit_of_suffix(const char *suffix) {
  /* further suffixes, which our logs do not use */
  static const char *const more[][2] = {{"mm", "mm"},          {"Nms", "N m s"},  {"W", "W"},   {"Pa", "Pa"},
                                        {"bar", "bar"},        {"kg", "kg"},      {"Hz", "Hz"}, {"K", "K"},
                                        {"Npm", "N/m"},        {"Npmm", "N/mm"},  {"pct", "%"}, {"deg", "deg"},
                                        {"kN", "kN"},          {"cm", "cm"},      {"ms", "ms"}, {"kgm2", "kg m2"},
                                        {"Nmprad", "N m/rad"}, {"Nspm", "N s/m"}, {"g", "g"},   {"100deg", "100 deg"}};
  for (size_t i = 0; i < VD_COUNT(more); i++)
    if (strcmp(suffix, more[i][0]) == 0)
      return more[i][1];
  return vd_unit_of_suffix(suffix);
}

/* Returns the unit of a name like yaw_rate_gain_radps_per_rad, "rad/s per rad"; NULL: the name has no such end. */
static const char *ratio_at_end(const char *name, const char *end, size_t *stem) {
  static vd_arena *kept; /* lives as long as the program */
  const size_t length = (size_t)(end - name);
  if (length < 5 || strncmp(end - 4, "_per", 4) != 0 || !unit_of_suffix(end + 1))
    return NULL;
  kept = kept ? kept : vd_arena_create();
  char *above = vd_arena_copy(kept, name, length - 4), *before = strrchr(above, '_');
  const char *unit = before ? unit_of_suffix(before + 1) : NULL;
  if (!unit)
    return NULL;
  *stem = (size_t)(before - above);
  return vd_arena_printf(kept, "%s per %s", unit, unit_of_suffix(end + 1));
}

const char *vd_unit_at_end(const char *name, size_t *stem) {
  const char *end = strrchr(name, '_'), *unit = end ? ratio_at_end(name, end, stem) : NULL;
  if (unit)
    return unit;
  *stem = end ? (size_t)(end - name) : strlen(name);
  unit = end ? unit_of_suffix(end + 1) : NULL;
  if (!unit)
    *stem = strlen(name);
  return unit ? unit : "1";
}

bool vd_unit_rules_add(const char *text, vd_arena *arena, vd_unit_habits *out) {
  for (const char *at = text; *at;) {
    size_t length = strcspn(at, ",");
    const char *equals = memchr(at, '=', length);
    if (length > 0 && !equals)
      return vd_tool_error("-u takes CHANNEL=UNIT, not '%.*s'", (int)length, at);
    if (length > 0 && out->rules == VD_COUNT(out->rule))
      return vd_tool_error("-u takes at most %d units", (int)VD_COUNT(out->rule));
    if (length > 0)
      out->rule[out->rules++] =
          (vd_unit_rule){vd_arena_copy(arena, at, (size_t)(equals - at)),
                         vd_arena_copy(arena, equals + 1, length - (size_t)(equals + 1 - at)), false};
    at += length + (at[length] == ',');
  }
  return true;
}

/* Returns the SI value of a unit that has the dimension of `own'; 0: it has another dimension. For accelerations, g is
 * the standard gravity. */
static double size_of(const char *unit, const char *own) {
  vd_unit a, b;
  if (strcmp(unit, "g") == 0 && strcmp(own, "m/s2") == 0)
    return VD_GRAVITY;
  if (!vd_unit_parse(own, strlen(own), &b, NULL, NULL) || !vd_unit_parse(unit, strlen(unit), &a, NULL, NULL) ||
      !vd_dimension_equal(a.dimension, b.dimension))
    return 0.0;
  return vd_unit_to_si(a, 1.0);
}

static void refuse(const char *name, const char *own, const char *unit) {
  vd_buf others = {0};
  const vd_unit_name *field = vd_unit_field(own);
  vd_buf_puts(&others, own);
  if (field)
    vd_buf_printf(&others, ", %s", field->field);
  for (const char *const *u = vd_unit_names(); *u; u++)
    if (strcmp(*u, own) != 0 && !(field && strcmp(*u, field->field) == 0) && size_of(*u, own) > 0.0)
      vd_buf_printf(&others, ", %s", *u);
  vd_tool_error("'%s' is in %s, not in '%s'; it can be shown in %s", name, own, unit, others.text);
  vd_buf_finish(&others);
}

vd_shown_unit vd_shown_unit_of(const char *name, const char *own, vd_unit_habits *habits, vd_arena *arena) {
  size_t stem;
  vd_unit_at_end(name, &stem);
  const char *base = vd_arena_copy(arena, name, stem);
  const double whole = size_of(own, own);
  for (size_t i = 0; i < habits->rules; i++) {
    vd_unit_rule *r = &habits->rule[i];
    if (fnmatch(r->pattern, name, FNM_NOESCAPE) != 0 && fnmatch(r->pattern, base, FNM_NOESCAPE) != 0)
      continue;
    double size = size_of(r->unit, own);
    r->used = true;
    if (size > 0.0)
      return (vd_shown_unit){r->unit, size / whole};
    refuse(name, own, r->unit);
    return (vd_shown_unit){NULL, 1.0};
  }
  const vd_picture_line *habit = habits->si ? NULL : line_of("habit", name, true);
  double size = habit ? size_of(habit->part[2], own) : 0.0;
  return size > 0.0 ? (vd_shown_unit){habit->part[2], size / whole} : (vd_shown_unit){own, 1.0};
}

vd_shown_unit vd_kc_unit(const vd_kc_panel *k, vd_arena *arena) {
  size_t stem;
  vd_unit_habits none = {.rules = 0};
  return vd_shown_unit_of(k->sheet->part[2], vd_unit_at_end(k->sheet->part[2], &stem), &none, arena);
}

/* --- words --- */

const char *vd_plain_words(const char *name, vd_arena *arena) {
  size_t stem;
  vd_unit_at_end(name, &stem);
  char *text = vd_arena_copy(arena, name, stem);
  for (char *c = text; *c; c++)
    *c = *c == '_' ? ' ' : *c;
  return text;
}

const char *vd_spoken(const char *name, vd_arena *arena) {
  size_t stem;
  vd_unit_at_end(name, &stem);
  char *base = vd_arena_copy(arena, name, stem);
  const vd_picture_line *line = line_of("name", base, false);
  if (line)
    return line->part[2];
  char *end = strrchr(base, '_');
  for (int w = 0; end && w < VD_WHEELS; w++)
    if (strcmp(end + 1, vd_wheel_names[w]) == 0) {
      *end = '\0';
      line = line_of("name", base, false);
      if (line)
        return vd_arena_printf(arena, "%s %s", line->part[2], end + 1);
      break;
    }
  return vd_plain_words(name, arena);
}

const char *vd_title_of(const char *words, vd_arena *arena) {
  char *c = vd_arena_copy(arena, words, strlen(words));
  /* a single letter, such as the y of an axis, stays as it is */
  *c = c[0] && c[1] && c[1] != ' ' ? (char)toupper((unsigned char)*c) : *c;
  return c;
}
