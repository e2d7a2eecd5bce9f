#include "pictures_impl.h"

#include "tool.h"

#include "base/system.h"
#include "base/base.h"
#include "base/memory.h"
#include "base/wheel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- panels --- */

static vd_building begin(const vd_shown_run *run, size_t runs, vd_shown_how *how, vd_arena *arena, vd_drawing *out) {
  vd_building b = {.run = run, .runs = runs, .how = how, .arena = arena, .out = out, .d = vd_diag_create()};
  *out = (vd_drawing){.columns = 1, .under = ""};
  b.source = vd_diag_add_source(b.d, "pictures", "", 0);
  b.first = vd_arena_alloc(arena, runs * sizeof *b.first);
  b.abscissa = vd_arena_alloc(arena, runs * sizeof *b.abscissa);
  vd_building_derive(&b);
  return b;
}

static bool end(vd_building *b, bool good) {
  vd_diag_destroy(b->d);
  if (!good)
    vd_figure_finish(b->out);
  return good;
}

void vd_figure_finish(vd_drawing *f) {
  for (size_t i = 0; i < f->panels; i++)
    vd_picture_finish(&f->panel[i].picture);
  free(f->panel);
  *f = (vd_drawing){.panels = 0};
}

/* Whether all rules for units were used; false after a message. */
static bool are_used(const vd_unit_habits *units) {
  for (size_t i = 0; i < units->rules; i++)
    if (!units->rule[i].used)
      return vd_tool_error("-u %s=%s: no such channel is drawn", units->rule[i].pattern, units->rule[i].unit);
  return true;
}

static void new_over(vd_building *b, const char *text, const char *name, const char *filter, const char *unit) {
  b->over = (vd_over){text, filter, name, {*unit ? unit : NULL, 1.0}};
  b->overs++;
  memset(b->abscissa, 0, b->runs * sizeof *b->abscissa);
}

static void new_panel(vd_building *b, const char *title, const char *words) {
  vd_drawing *f = b->out;
  const char *as = strstr(words, "as:"), *least = strstr(words, "least:");
  f->panel = vd_reallocate(f->panel, f->panels + 1, sizeof *f->panel);
  b->panel = &f->panel[f->panels++];
  *b->panel = (vd_panel){.over = b->overs,
                         .picture = {.exact = true,
                                     .equal = strstr(words, "equal") != NULL,
                                     .least = least ? strtod(least + 6, NULL) : 0.0}};
  snprintf(b->panel->picture.title, sizeof b->panel->picture.title, "%s", vd_title_of(title, b->arena));
  b->unit = (vd_shown_unit){as ? as + 3 : NULL, 1.0};
  b->any = b->moves = false;
  b->members = 0;
  b->ats = b->areas = 0;
  b->stack = NULL;
  for (size_t i = 0; i < b->runs; i++)
    b->first[i] = SIZE_MAX;
}

static int hue_of(const vd_building *b, size_t run) {
  return b->run[run].hue > 0 ? b->run[run].hue : 1 + (int)run % 6;
}

/* Names the lines, and gives each a colour and dashes. In a panel with several lines, colours show the line and dashes
 * the run; in a panel with one line, colours show the run. */
static void name_lines(vd_building *b) {
  vd_picture *p = &b->panel->picture;
  bool several = b->members > 1, marked = false, found[16] = {false};
  for (size_t k = 0; k < p->count; k++)
    marked |= p->series[k].stroke != VD_STROKE_RUN && *p->series[k].name;
  for (size_t k = 0; k < p->count; k++) {
    vd_picture_series *s = &p->series[k];
    if (s->stroke != VD_STROKE_RUN)
      continue;
    size_t member = (size_t)s->hue, run = (size_t)s->dash;
    s->hue = several ? 1 + (int)member % 6 : hue_of(b, run);
    s->dash = several && b->runs > 1 ? 1 + (int)run % 6 : 0;
    if (!several && b->runs > 1)
      snprintf(s->name, sizeof s->name, "%s", b->named[0] ? "" : b->run[run].label);
    else if (!several && !marked)
      *s->name = '\0';
    else if (several && member < VD_COUNT(found) && found[member])
      *s->name = '\0';
    if (member < VD_COUNT(found))
      found[member] = true;
  }
  for (size_t i = 0; several && b->runs > 1 && !b->named[1] && i < b->runs; i++) {
    vd_picture_series *s = vd_picture_put(p, VD_STROKE_RUN, b->run[i].label, vd_allocate(1, 1), vd_allocate(1, 1), 0);
    s->hue = 7;
    s->dash = 1 + (int)i % 6;
  }
  b->named[several] = !b->how->apart;
}

/* Ends the panel. An empty panel is left out; needs_motion: also a panel in which nothing changes. */
static void end_panel(vd_building *b, bool needs_motion) {
  if (!b->panel)
    return;
  vd_picture *p = &b->panel->picture;
  if (!b->any || (needs_motion && !b->moves)) {
    vd_picture_finish(p);
    b->out->panels--;
  } else {
    name_lines(b);
    snprintf(p->x_name, sizeof p->x_name, "%s", b->over.name);
    snprintf(p->x_unit, sizeof p->x_unit, "%s", b->over.unit.name ? b->over.unit.name : "1");
    snprintf(p->y_unit, sizeof p->y_unit, "%s", b->unit.name ? b->unit.name : "1");
  }
  b->panel = NULL;
}

/* --- series --- */

vd_picture_series *vd_building_put(vd_building *b, enum vd_stroke stroke, const char *name, size_t run, double *x,
                                   double *y, size_t count) {
  vd_picture_series *s = vd_picture_put(&b->panel->picture, stroke, name, x, y, count);
  if (stroke != VD_STROKE_AREA && b->runs > 1)
    s->hue = hue_of(b, run);
  return s;
}

/* A curve, y over x. Both are expressions, or columns where the expression is NULL; a column's name may be any text. */
typedef struct curve {
  const vd_expression *x, *y, *filter; /* filter NULL: all rows */
  const char *over, *only, *column;    /* text or column of x, text of the filter, column of y */
} curve;

/* Returns the x of a curve in each row of a run: NAN where it is not drawn, INFINITY where it has no value. Lines over
 * the same axis share the result. */
static const vd_abscissa *find_x(vd_building *b, size_t run, const curve *c) {
  const size_t rows = b->run[run].rows;
  vd_abscissa *a = &b->abscissa[run];
  if (a->value && strcmp(a->over, c->over) == 0 && strcmp(a->only, c->only) == 0)
    return a;
  vd_evaluating e = {.b = b, .run = run, .start = SIZE_MAX};
  const double *column = c->x ? NULL : vd_shown_values(&b->run[run], c->over);
  *a = (vd_abscissa){c->over, c->only, vd_arena_alloc(b->arena, (rows + 1) * sizeof *a->value), SIZE_MAX};
  for (e.row = 0; e.row < rows; e.row++) {
    e.calls = 0;
    a->value[e.row] = NAN;
    if (c->filter && !(vd_building_value(&e, c->filter) >= 0.0))
      continue;
    e.start = e.start == SIZE_MAX ? e.row : e.start;
    const double x = (column ? column[e.row] : vd_building_value(&e, c->x)) / b->over.unit.size;
    a->value[e.row] = isfinite(x) ? x : INFINITY;
  }
  a->start = e.start;
  return a;
}

/* Evaluates a curve over the rows of a run, in the units of the panel; gaps are NAN. Returns the number of points. */
static size_t evaluate(vd_building *b, size_t run, const curve *c, vd_shown_unit unit, double *x, double *y) {
  const vd_abscissa *a = find_x(b, run, c);
  vd_evaluating e = {.b = b, .run = run, .start = a->start};
  const double *column = c->y ? NULL : vd_shown_values(&b->run[run], c->column);
  size_t n = 0, good = 0;
  for (e.row = 0; e.row < b->run[run].rows; e.row++) {
    e.calls = 0;
    const double px = a->value[e.row];
    const double py = isnan(px) ? NAN : (column ? column[e.row] : vd_building_value(&e, c->y)) / unit.size;
    const bool drawn = isfinite(px) && isfinite(py);
    if (!drawn && (n == 0 || isnan(y[n - 1])))
      continue;
    x[n] = drawn ? px : NAN;
    y[n++] = drawn ? py : NAN;
    good += drawn;
  }
  return good > 0 ? n : 0;
}

bool vd_building_moves(const double *y, size_t n) {
  for (size_t i = 1; i < n; i++)
    if (fabs(y[i] - y[0]) > 1e-9 * (fabs(y[i]) + fabs(y[0])) + 1e-12)
      return true;
  return false;
}

/* Adds the curve of every run. unit: unit of this curve, which may differ from that of other curves in the panel. */
static void add_curve(vd_building *b, const curve *c, const char *name, vd_shown_unit unit) {
  bool drawn = false;
  for (size_t i = 0; i < b->runs; i++) {
    double *x = vd_allocate(b->run[i].rows + 1, sizeof *x), *y = vd_allocate(b->run[i].rows + 1, sizeof *y);
    size_t n = evaluate(b, i, c, unit, x, y);
    if (n == 0) {
      free(x);
      free(y);
      continue;
    }
    b->first[i] = b->first[i] == SIZE_MAX ? b->panel->picture.count : b->first[i];
    b->moves |= b->runs > 1 || vd_building_moves(y, n);
    vd_picture_series *s = vd_building_put(b, VD_STROKE_RUN, name, i, x, y, n);
    s->hue = (int)b->members;
    s->dash = (int)i;
    drawn = true;
  }
  b->any |= drawn;
  b->members += drawn;
}

/* --- units of expressions --- */

typedef struct search {
  const vd_building *b;
  const vd_shown_column *found;
} search;

static void find_column(void *context, const char *name, vd_place at) {
  search *s = context;
  size_t length = strlen(name);
  (void)at;
  if (length > 6 && strcmp(name + length - 6, ".start") == 0)
    length -= 6;
  for (size_t i = 0; !s->found && i < s->b->lets; i++)
    if (strcmp(name, s->b->let[i].name) == 0)
      vd_expression_names(s->b->let[i].is, find_column, s);
  for (size_t i = 0; !s->found && i < s->b->run[0].columns; i++) {
    const vd_shown_column *c = &s->b->run[0].column[i];
    if (strlen(c->name) == length && strncmp(c->name, name, length) == 0)
      s->found = c;
  }
}

void vd_building_set_unit(vd_building *b, const vd_expression *e, vd_shown_unit *unit) {
  const vd_shown_unit none = {"1", 1.0};
  search s = {b, NULL};
  if (unit->name)
    return;
  vd_expression_names(e, find_column, &s);
  *unit = s.found ? vd_shown_unit_of(s.found->name, s.found->unit, &b->how->units, b->arena) : none;
  if (!unit->name) {
    b->refused = true;
    *unit = none;
  }
}

/* --- the lines of the table --- */

const char *vd_building_of_wheel(const vd_building *b, const char *text, int wheel) {
  vd_buf out = {0};
  for (const char *c = text; *c; c++)
    if (*c == '@')
      vd_buf_puts(&out, vd_wheel_names[wheel]);
    else
      vd_buf_add(&out, c, 1);
  const char *kept = vd_arena_copy(b->arena, out.length ? out.text : "", out.length);
  vd_buf_finish(&out);
  return kept;
}

/* Adds a line of the table, once for each wheel that its expressions name. text: its name in the legend, or the
 * wheels. */
static void add_line(vd_building *b, const char *y, const char *text) {
  const char *x = b->over.text, *filter = b->over.filter;
  bool wheels = strchr(x, '@') || strchr(y, '@') || strchr(filter, '@');
  for (int w = 0; w < (wheels ? VD_WHEELS : 1); w++) {
    const char *one[] = {vd_building_of_wheel(b, x, w), vd_building_of_wheel(b, y, w),
                         vd_building_of_wheel(b, filter, w)};
    if ((wheels && *text && !strstr(text, vd_wheel_names[w])) || !vd_building_knows(b, one[0]) ||
        !vd_building_knows(b, one[1]) || !vd_building_knows(b, one[2]))
      continue;
    const curve c = {vd_building_parse(b, one[0]),
                     vd_building_parse(b, one[1]),
                     *one[2] ? vd_building_parse(b, one[2]) : NULL,
                     one[0],
                     one[2],
                     NULL};
    vd_building_set_unit(b, c.y, &b->unit);
    vd_building_set_unit(b, c.x, &b->over.unit);
    add_curve(b, &c, wheels ? vd_wheel_words[w] : text, b->unit);
  }
}

/* Returns those terms of a sum that the run has. A difference counts as one term. */
static const char *known_terms(const vd_building *b, const char *text, size_t length) {
  vd_buf out = {0};
  char *all = vd_arena_copy(b->arena, text, length);
  if (strchr(all, '-'))
    return vd_building_knows(b, all) ? all : "";
  for (char *term = all; term;) {
    char *plus = strchr(term, '+');
    if (plus)
      *plus++ = '\0';
    if (vd_building_knows(b, term))
      vd_buf_printf(&out, "%s%s", out.length ? "+" : "", term);
    term = plus;
  }
  const char *kept = vd_arena_copy(b->arena, out.length ? out.text : "", out.length);
  vd_buf_finish(&out);
  return kept;
}

/* Adds an area to the stack: positive values upwards, negative ones downwards. */
static void add_area(vd_building *b, const char *text, const char *name) {
  const size_t rows = b->run[b->of].rows;
  const curve c = {vd_building_parse(b, b->over.text), vd_building_parse(b, text), NULL, b->over.text, "", NULL};
  double *x = vd_allocate(2 * rows + 1, sizeof *x), *y = vd_allocate(2 * rows + 1, sizeof *y);
  vd_building_set_unit(b, c.y, &b->unit);
  vd_building_set_unit(b, c.x, &b->over.unit);
  size_t n = evaluate(b, b->of, &c, b->unit, x, y);
  if (!b->stack)
    b->stack = vd_arena_alloc(b->arena, 2 * rows * sizeof *b->stack);
  for (size_t i = 0; i < n; i++) {
    double *side = &b->stack[2 * i + (y[i] < 0.0)], from = *side;
    *side += isnan(y[i]) ? 0.0 : y[i];
    y[i] = *side;
    x[2 * n - 1 - i] = x[i];
    y[2 * n - 1 - i] = from;
  }
  b->any |= n > 0;
  b->moves |= vd_building_moves(y, n);
  vd_building_put(b, VD_STROKE_AREA, name, 0, x, y, 2 * n)->hue = 1 + b->areas++ % 9;
}

/* Leaves out areas that are too thin to be seen: those whose greatest width is below 1/500 of the panel. */
static void drop_thin_areas(vd_picture *p) {
  double low = 0.0, high = 0.0;
  size_t kept = 0;
  for (size_t k = 0; k < p->count; k++)
    for (size_t i = 0; i < p->series[k].count; i++) {
      low = fmin(low, p->series[k].y[i]);
      high = fmax(high, p->series[k].y[i]);
    }
  for (size_t k = 0; k < p->count; k++) {
    vd_picture_series s = p->series[k];
    double widest = 0.0;
    for (size_t i = 0; 2 * i < s.count; i++)
      widest = fmax(widest, fabs(s.y[i] - s.y[s.count - 1 - i]));
    if (s.stroke == VD_STROKE_AREA && !(500.0 * widest >= high - low && widest > 0.0)) {
      free(s.x);
      free(s.y);
      continue;
    }
    if (s.stroke == VD_STROKE_AREA)
      s.hue = 1 + (int)kept % 9;
    p->series[kept++] = s;
  }
  p->count = kept;
}

static void add_areas(vd_building *b, const char *texts, const char *names) {
  while (*texts) {
    size_t length = strcspn(texts, " "), letters = strcspn(names, ",");
    const char *known = known_terms(b, texts, length);
    if (*known)
      add_area(b, known, vd_arena_copy(b->arena, names, letters));
    texts += length + strspn(texts + length, " ");
    names += letters + strspn(names + letters, ", ");
  }
  drop_thin_areas(&b->panel->picture);
}

static void add_part(vd_building *b, const vd_picture_line *l) {
  const char *what = l->part[0];
  if (strcmp(what, "line") == 0)
    add_line(b, l->part[1], l->part[2]);
  else if (strcmp(what, "family") == 0)
    vd_building_family(b, l);
  else if (strcmp(what, "area") == 0)
    add_areas(b, l->part[1], l->part[2]);
  else if (b->any || strcmp(what, "cars") == 0)
    vd_building_mark(b, l);
}

/* Adds the parts of a panel. Marks need the lines, so they are added after all lines, wherever they stand in the
 * table. */
static void add_parts(vd_building *b, const vd_picture_line *from, const vd_picture_line *to) {
  for (int marks = 0; marks < 2; marks++)
    for (const vd_picture_line *l = from; l < to; l++)
      if ((strcmp(l->part[0], "line") != 0 && strcmp(l->part[0], "area") != 0 && strcmp(l->part[0], "family") != 0) ==
          marks)
        add_part(b, l);
  end_panel(b, true);
}

static bool is_word(const vd_picture_line *l, const char *word) {
  return strcmp(l->part[0], word) == 0;
}

/* Adds a panel of the table. Areas of several runs would hide each other, so each run then has a panel of its own. */
static void add_panel(vd_building *b, const vd_picture_line *l, const vd_picture_line *to) {
  bool areas = false;
  for (const vd_picture_line *one = l + 1; one < to; one++)
    areas |= is_word(one, "area");
  for (b->of = 0; b->of < (areas ? b->runs : 1); b->of++) {
    const char *title = l->part[1];
    if (areas && b->runs > 1)
      title = vd_arena_printf(b->arena, "%s: %s", title, b->run[b->of].label);
    if (*b->each.name)
      title = vd_arena_printf(b->arena, "%s, %s", title, b->each.name);
    new_panel(b, title, l->part[2]);
    add_parts(b, l + 1, to);
  }
  b->of = 0;
}

/* Sets the horizontal axis of a line of the table, and the rows of the value for which its panels are drawn. */
static void add_over(vd_building *b, const vd_picture_line *l) {
  const char *filter = l->part[3];
  if (b->each.filter)
    filter = *filter ? vd_arena_printf(b->arena, "min(%s, %s)", filter, b->each.filter) : b->each.filter;
  new_over(b, l->part[1], l->part[2], filter, l->part[4]);
}

/* Adds what the lines of a picture show, from l to the end of the picture. */
static void add_lines(vd_building *b, const vd_picture_line *l, const vd_picture_line *last) {
  for (; l < last && !is_word(l, "picture"); l++)
    if (is_word(l, "let")) {
      b->let[b->lets].name = l->part[1];
      b->let[b->lets].is = vd_building_parse(b, l->part[2]);
      b->lets++;
    } else if (is_word(l, "over")) {
      add_over(b, l);
    } else if (is_word(l, "panel")) {
      const vd_picture_line *to = l + 1;
      while (to < last && !is_word(to, "panel") && !is_word(to, "over") && !is_word(to, "say") &&
             !is_word(to, "picture"))
        to++;
      add_panel(b, l, to);
    } else if (is_word(l, "say") && b->runs == 1) {
      const char *text = vd_building_filled(b, 0, l->part[1]);
      b->out->under = text ? text : "";
    }
}

bool vd_figure_standard(const vd_shown_run *run, size_t runs, const char *name, vd_shown_how *how, vd_arena *arena,
                        vd_drawing *out) {
  size_t count;
  const vd_picture_line *table = vd_picture_table(&count), *last = table + count, *l = vd_picture_called(name);
  vd_building b = begin(run, runs, how, arena, out);
  vd_each each[VD_NAMED] = {{NULL, ""}};
  out->columns = atoi(l->part[3]);
  l++;
  const size_t times = is_word(l, "each") ? vd_building_each(&b, l, each) : 1;
  for (size_t k = 0; k < times; k++) {
    b.each = each[k];
    add_lines(&b, l, last);
  }
  if (b.refused) {
    how->quiet = false; /* this is an error in any picture */
    return end(&b, false);
  }
  if (!how->quiet && out->panels > 0)
    return end(&b, are_used(&how->units));
  return end(&b, out->panels > 0 ||
                     (!how->quiet &&
                      vd_tool_error("nothing to draw: %s",
                                    run->facts == 0 ? "the metrics of the run are not beside it, which say where this "
                                                      "picture begins; 'vdsim-run -o FOLDER' writes both"
                                                    : "the run has none of the columns of this picture, or nothing "
                                                      "changes in them")));
}

/* --- channels --- */

/* Returns the column with this name, which may lack the unit; NULL: there is none, or there are several. */
static const vd_shown_column *column_called(const vd_shown_run *run, const char *name) {
  const vd_shown_column *found = NULL;
  size_t many = 0, stem;
  for (size_t i = 0; i < run->columns; i++)
    if (strcmp(run->column[i].name, name) == 0)
      return &run->column[i];
  for (size_t i = 0; i < run->columns; i++) {
    vd_unit_at_end(run->column[i].name, &stem);
    if (stem == strlen(name) && strncmp(run->column[i].name, name, stem) == 0) {
      found = &run->column[i];
      many++;
    }
  }
  return many == 1 ? found : NULL;
}

static bool complain(const vd_shown_run *run, const char *what, const char *name) {
  const char **names = vd_allocate(2 * run->columns, sizeof *names);
  vd_arena *arena = vd_arena_create();
  for (size_t i = 0; i < run->columns; i++) {
    size_t stem;
    vd_unit_at_end(run->column[i].name, &stem);
    names[2 * i] = run->column[i].name;
    names[2 * i + 1] = vd_arena_copy(arena, run->column[i].name, stem);
  }
  const char *near = vd_suggest(name, names, 2 * run->columns);
  vd_tool_error("%s '%s' in %s%s%s%s", what, name, run->file, near ? "; did you mean '" : "", near ? near : "",
                near ? "'?" : "");
  vd_arena_destroy(arena);
  free(names);
  return false;
}

enum { MEMBERS = 300 };

/* Finds the columns of one argument: names and patterns with commas between them. */
static bool take_columns(const vd_building *b, const char *text, const vd_shown_column *member[MEMBERS],
                         size_t *count) {
  const vd_shown_run *run = &b->run[0];
  for (*count = 0; *text;) {
    size_t length = strcspn(text, ","), before = *count;
    const char *word = vd_arena_copy(b->arena, text, length);
    const vd_shown_column *one = column_called(run, word);
    text += length + (text[length] == ',');
    if (one && *count < MEMBERS)
      member[(*count)++] = one;
    else if (*word && !one && !strpbrk(word, "*?["))
      return complain(run, "no column", word);
    for (size_t i = 0; *word && !one && i < run->columns && *count < MEMBERS; i++)
      if (fnmatch(word, run->column[i].name, FNM_NOESCAPE) == 0)
        member[(*count)++] = &run->column[i];
    if (*word && *count == before)
      return complain(run, "no column matches", word);
  }
  return *count > 0 || vd_tool_error("an argument names no channel");
}

/* Returns the words with which the names of all members begin: "wheel load" for fz_fl_N and fz_fr_N. */
static const char *common_name(const vd_building *b, const vd_shown_column *const *member, size_t count) {
  if (count == 1)
    return vd_spoken(member[0]->name, b->arena);
  const char *first = vd_plain_words(member[0]->name, b->arena);
  size_t same = strlen(first);
  for (size_t i = 1; i < count; i++) {
    const char *other = vd_plain_words(member[i]->name, b->arena);
    size_t k = 0;
    while (k < same && first[k] == other[k])
      k++;
    while (k > 0 && !((first[k] == ' ' || !first[k]) && (other[k] == ' ' || !other[k])))
      k--; /* only whole words count */
    same = k;
  }
  char *name = vd_arena_copy(b->arena, first, same);
  for (char *c = name; *c; c++)
    *c = *c == ' ' ? '_' : *c;
  return vd_spoken(name, b->arena);
}

/* --- differences --- */

/* Returns the value of a curve at x, by a straight line between its points, searching from *at on; NAN: x is outside of
 * the curve, or in a gap. */
static double value_at(const vd_picture_series *s, double x, size_t *at) {
  while (*at + 2 < s->count && !(s->x[*at + 1] >= x)) /* a point without x is a gap */
    (*at)++;
  if (s->count < 2 || x < s->x[0] - 1e-12 || x > s->x[s->count - 1] + 1e-12)
    return NAN;
  if (s->x[*at + 1] == x)
    return s->y[*at + 1]; /* also behind a gap */
  double width = s->x[*at + 1] - s->x[*at], share = width > 0.0 ? (x - s->x[*at]) / width : 0.0;
  return s->y[*at] + share * (s->y[*at + 1] - s->y[*at]);
}

/* Adds curves to the panel: those of the other runs in the panel `of' minus the curve of the first run. */
static void add_differences(vd_building *b, const vd_picture *of, size_t members) {
  for (size_t k = 0; k < of->count; k++) {
    /* hue and dash still are the numbers of the member and of the run */
    const vd_picture_series *s = &of->series[k], *base = of->series;
    while (base < of->series + of->count && !(base->stroke == VD_STROKE_RUN && base->hue == s->hue && base->dash == 0))
      base++;
    if (s->stroke != VD_STROKE_RUN || s->dash == 0 || base == of->series + of->count)
      continue;
    double *x = vd_allocate(s->count, sizeof *x), *y = vd_allocate(s->count, sizeof *y);
    for (size_t i = 0, at = 0; i < s->count; i++) {
      x[i] = s->x[i];
      y[i] = s->y[i] - value_at(base, s->x[i], &at);
    }
    vd_picture_series *added =
        vd_building_put(b, VD_STROKE_RUN, members > 1 ? base->name : "", (size_t)s->dash, x, y, s->count);
    added->hue = s->hue;
    added->dash = s->dash;
    b->any = b->moves = true;
  }
  b->members = members;
}

/* --- figures of channels --- */

static bool is_place(const char *name) {
  return strlen(name) == 3 && strchr("xyz", name[0]) && strcmp(name + 1, "_m") == 0;
}

static bool same_unit(const vd_shown_unit *a, const vd_shown_unit *b) {
  return strcmp(a->name, b->name) == 0;
}

static bool add_channels(vd_building *b, const vd_shown_column *x, const char *text) {
  const vd_shown_column *member[MEMBERS];
  vd_shown_unit unit[MEMBERS];
  size_t count;
  bool mixed = false, with_instants = strcmp(x->name, "t_s") == 0 && b->runs == 1 && !b->how->plain;
  if (!take_columns(b, text, member, &count))
    return false;
  for (size_t i = 0; i < count; i++) {
    for (size_t l = 1; l < b->runs; l++)
      if (!vd_shown_values(&b->run[l], member[i]->name))
        return complain(&b->run[l], "no column", member[i]->name);
    unit[i] = vd_shown_unit_of(member[i]->name, member[i]->unit, &b->how->units, b->arena);
    if (!unit[i].name)
      return false;
    mixed |= !same_unit(&unit[i], &unit[0]);
  }
  const char *name = common_name(b, member, count);
  new_panel(b, name, b->how->equal || (is_place(x->name) && is_place(member[0]->name)) ? "equal" : "");
  b->panel->picture.log_x = b->panel->picture.log_y = b->how->log;
  b->unit = mixed ? (vd_shown_unit){"1", 1.0} : unit[0];
  for (size_t i = 0; i < count; i++) {
    const curve c = {.over = x->name, .only = "", .column = member[i]->name};
    add_curve(b, &c, count > 1 ? vd_plain_words(member[i]->name, b->arena) : "", unit[i]);
  }
  size_t at = b->out->panels - 1, members = b->members;
  if (with_instants && b->any)
    vd_building_instants(b, at == 0);
  if (!b->how->difference || b->runs == 1) {
    end_panel(b, false);
    return true;
  }
  /* the differences are taken while the lines have the names of their members */
  const char *title = vd_arena_printf(b->arena, "%s minus that of %s", name, b->run[0].label);
  const vd_shown_unit kept = b->unit;
  vd_picture *of = vd_arena_alloc(b->arena, sizeof *of);
  *of = b->panel->picture;
  of->series = vd_arena_alloc(b->arena, (of->count + 1) * sizeof *of->series);
  memcpy(of->series, b->panel->picture.series, of->count * sizeof *of->series);
  end_panel(b, false);
  new_panel(b, title, "");
  b->unit = kept;
  add_differences(b, of, members);
  end_panel(b, false);
  return true;
}

bool vd_figure_channels(const vd_shown_run *run, size_t runs, vd_shown_how *how, vd_arena *arena, vd_drawing *out) {
  vd_building b = begin(run, runs, how, arena, out);
  const vd_shown_column *x = column_called(&run[0], how->x ? how->x : "t_s");
  if (!x && how->x)
    return end(&b, complain(&run[0], "no column", how->x));
  x = x ? x : &run[0].column[0];
  for (size_t i = 1; i < runs; i++)
    if (!vd_shown_values(&run[i], x->name))
      return end(&b, complain(&run[i], "no column", x->name));
  new_over(&b, x->name, strcmp(x->name, "t_s") == 0 ? "time" : vd_spoken(x->name, arena), "", "");
  b.over.unit = vd_shown_unit_of(x->name, x->unit, &how->units, arena);
  bool good = b.over.unit.name != NULL;
  for (size_t i = 0; i < how->channels && good; i++)
    good = add_channels(&b, x, how->channel[i]);
  return end(&b, good && are_used(&how->units) &&
                     (out->panels > 0 || vd_tool_error("nothing to draw: the channels have no values")));
}

/* --- frequency responses --- */

static bool ends_with(const char *text, const char *ending, size_t *length) {
  size_t all = strlen(text), part = strlen(ending);
  *length = all > part ? all - part : 0;
  return all > part && strcmp(text + *length, ending) == 0;
}

/* Returns the unit of a gain: unit of the output per unit of the input, "g per 100 deg". */
static vd_shown_unit gain_unit(vd_building *b, const char *output, const char *input) {
  size_t stem;
  if (!*input)
    return (vd_shown_unit){"1", 1.0};
  vd_shown_unit over = vd_shown_unit_of(input, vd_unit_at_end(input, &stem), &b->how->units, b->arena);
  vd_shown_unit of = vd_shown_unit_of(output, vd_unit_at_end(output, &stem), &b->how->units, b->arena);
  bool hundred = of.name && over.name && strcmp(of.name, "g") == 0 && strcmp(over.name, "deg") == 0;
  of.size /= hundred ? 100.0 * over.size : over.size;
  if (of.name)
    of.name = vd_arena_printf(b->arena, "%s per %s%s", of.name, hundred ? "100 " : "", over.name);
  return of;
}

bool vd_figure_response(const vd_shown_run *run, size_t runs, vd_shown_how *how, vd_arena *arena, vd_drawing *out) {
  static const char *const part[] = {"_gain", "_phase_rad", "_coherence"};
  vd_building b = begin(run, runs, how, arena, out);
  const vd_node *node = vd_tree_find(run[0].resolved, "response.input");
  const char *input = node && node->text ? node->text : "";
  size_t outputs = 0, length;
  if (!vd_shown_values(&run[0], "frequency_Hz"))
    return end(&b, vd_tool_error("no column 'frequency_Hz' in %s: is it a frequency response?", run[0].file));
  new_over(&b, "frequency_Hz", "frequency", "", "Hz");
  for (int kind = 0; kind < 3; kind++)
    for (size_t i = 0; i < run[0].columns; i++) {
      const char *gain = run[0].column[i].name;
      if (!ends_with(gain, "_gain", &length))
        continue;
      const char *output = vd_arena_copy(arena, gain, length);
      const char *column = vd_arena_printf(arena, "%s%s", output, part[kind]);
      if ((how->only && strcmp(how->only, output) != 0) || (kind == 2 && !vd_shown_values(&run[0], column)))
        continue;
      outputs += kind == 0;
      for (size_t l = 0; l < runs; l++)
        if (!vd_shown_values(&run[l], column))
          return end(&b, complain(&run[l], "no column", column));
      new_panel(&b, vd_arena_printf(arena, "%s %s", vd_spoken(output, arena), &part[kind][1]), "");
      char *word = strstr(b.panel->picture.title, "phase_rad");
      if (word)
        word[5] = '\0';
      b.unit = kind == 0 ? gain_unit(&b, output, input)
                         : vd_shown_unit_of(column, kind == 1 ? "rad" : "1", &how->units, arena);
      if (!b.unit.name)
        return end(&b, false);
      const curve c = {.over = "frequency_Hz", .only = "", .column = column};
      b.panel->picture.log_x = true;
      b.panel->picture.y_limits.has_from = kind != 1;
      add_curve(&b, &c, "", b.unit);
      end_panel(&b, false);
    }
  if (outputs == 0)
    return end(&b, vd_tool_error("no output%s%s%s in %s", how->only ? " '" : "", how->only ? how->only : "",
                                 how->only ? "'" : "", run[0].file));
  out->columns = (int)outputs;
  out->under = *input ? vd_arena_printf(arena, "over %s", vd_spoken(input, arena)) : "";
  return end(&b, true);
}
