/* Pictures of a suspension: its linkage in three views, and a group of panels (a sheet) for each sweep of travel, roll,
 * rack or forces. */
#include "kc_report.h"
#include "picture_table.h"
#include "plot.h"

#include "base/elementary.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- columns --- */

typedef struct curve {
  double *x, *y;
  size_t count;
  bool some;      /* y has at least one number */
  double allowed; /* for a reference: half the width of the tolerance band; 0: the tolerance depends on the value */
} curve;

/* The abscissa of a panel: its sweep, and the column of x. size: one shown unit in the column's unit. */
typedef struct abscissa {
  enum vd_kc_sweep sweep;
  bool opposite;
  const char *x;
  double size;
} abscissa;

static int column_of(const vd_kc_data *d, const char *name) {
  for (size_t i = 0; i < d->columns; i++)
    if (strcmp(d->name[i], name) == 0)
      return (int)i;
  return -1;
}

/* Whether a value has a meaning. The Ackermann figure has no meaning at small steer angles, where static toe dominates
 * it. */
static bool is_meaningful(const vd_kc_data *d, size_t row, const char *y) {
  int angle = strcmp(y, "ackermann_pct") == 0 ? column_of(d, "steer_deg") : -1;
  return angle < 0 || fabs(d->value[row * d->columns + (size_t)angle]) >= 3.0;
}

static curve curve_of(const vd_kc_data *d, const abscissa *s, const char *name) {
  curve c = {.x = vd_allocate(d->rows + 1, sizeof *c.x), .y = vd_allocate(d->rows + 1, sizeof *c.y)};
  int x = column_of(d, s->x), y = column_of(d, name);
  for (size_t row = 0; x >= 0 && y >= 0 && row < d->rows; row++) {
    if (d->sweep[row] != (int)s->sweep)
      continue;
    c.x[c.count] = d->value[row * d->columns + (size_t)x] / s->size;
    c.y[c.count] = is_meaningful(d, row, name) ? d->value[row * d->columns + (size_t)y] : NAN;
    /* deg or mm: without this the panel would be scaled to the rounding errors of zero */
    if (fabs(c.y[c.count]) < 1e-9)
      c.y[c.count] = 0.0;
    c.some |= isfinite(c.y[c.count++]);
  }
  return c;
}

static void free_curve(curve *c) {
  free(c->x);
  free(c->y);
}

static vd_picture_series *add(vd_picture *p, enum vd_stroke stroke, const char *name, int hue, const curve *c) {
  double *x = vd_allocate(c->count + 1, sizeof *x), *y = vd_allocate(c->count + 1, sizeof *y);
  memcpy(x, c->x, c->count * sizeof *x);
  memcpy(y, c->y, c->count * sizeof *y);
  vd_picture_series *s = vd_picture_put(p, stroke, name, x, y, c->count);
  s->hue = hue;
  return s;
}

/* --- the reference --- */

/* Returns the value of the page's own curve at 0. A table of compliance contains changes, which are added to this
 * value. */
static double datum_of(const vd_kc_page *p, const abscissa *s, const char *y) {
  curve own = curve_of(&p->reference.datum, s, y);
  double value = NAN;
  for (size_t i = 0; i < own.count; i++)
    if (own.x[i] == 0.0)
      value = own.y[i];
  free_curve(&own);
  return value;
}

static curve table_of(size_t count) {
  return (curve){
      .x = vd_allocate(count + 1, sizeof(double)), .y = vd_allocate(count + 1, sizeof(double)), .count = count};
}

static curve of_curves(const vd_kc_page *p, const abscissa *s, const char *y) {
  curve c = {.count = 0};
  const bool tabled = !s->opposite && s->sweep < VD_SWEEPS;
  for (int q = 0; tabled && q < VD_CURVES; q++) {
    const vd_kc_curves *k = &p->reference.side.table->sweep[s->sweep];
    if (strcmp(vd_kc_figures[vd_curve_columns[q].figure].column, y) != 0 || k->count == 0 || !k->value[q])
      continue;
    double shift =
        vd_curve_columns[q].change ? datum_of(p, s, y) - vd_kc_curve_value(k, (enum vd_curve_quantity)q, 0.0) : 0.0;
    c = table_of(k->count);
    for (size_t i = 0; i < k->count; i++) {
      c.x[i] = k->at[i];
      c.y[i] = k->value[q][i] + shift;
      c.some |= isfinite(c.y[i]);
    }
  }
  return c;
}

/* Makes the curve of a rig's table of compliance. Each row of the table contains one load, and the changes under this
 * load. The tolerance is a share of the largest change, as in vdsim-xcheck. */
static curve of_compliance(const vd_kc_page *p, const abscissa *s, const char *y) {
  static const int rig[VD_KC_SWEEPS] = {[VD_KC_FX_CENTRE] = 1 + VD_RIG_FX_DRIVE,
                                        [VD_KC_FX] = 1 + VD_RIG_FX_BRAKE,
                                        [VD_KC_FY] = 1 + VD_RIG_FY,
                                        [VD_KC_MZ] = 1 + VD_RIG_MZ};
  const vd_xcheck_tolerance *t = &p->reference.tolerance;
  enum vd_kc_figure figure = VD_FIGURES;
  for (int i = 0; i < VD_FIGURES; i++)
    figure = strcmp(vd_kc_figures[i].column, y) == 0 ? (enum vd_kc_figure)i : figure;
  const vd_compliance_curve *k =
      rig[s->sweep] == 0 || figure == VD_FIGURES
          ? NULL
          : vd_xcheck_compliance_curve(p->reference.side.compliance, figure, (enum vd_rig_load)(rig[s->sweep] - 1));
  double most = 0.0, from = datum_of(p, s, y);
  if (!k)
    return (curve){.count = 0};
  curve c = table_of(k->count);
  for (size_t i = 0; i < k->count; i++) {
    double change = vd_kc_figures[figure].scale * vd_compliance_curve_at(k, k->load[i]);
    c.x[i] = k->load[i] / s->size;
    c.y[i] = from + change;
    c.some |= isfinite(c.y[i]);
    most = vd_max(most, fabs(change));
  }
  c.allowed = vd_max(t->absolute, t->relative * most);
  return c;
}

/* Makes the curve of a reference. If the reference is a table of changes, these are added to the value of the page's
 * own curve at 0. */
static curve reference_of(const vd_kc_page *p, const abscissa *s, const char *y) {
  const vd_kc_reference *r = &p->reference;
  if (r->side.corner)
    return curve_of(s->opposite ? &r->opposite : &r->parallel, s, y);
  return r->side.table ? of_curves(p, s, y) : r->side.compliance ? of_compliance(p, s, y) : (curve){.count = 0};
}

/* Returns half the width of the tolerance band of vdsim-xcheck at a point of the reference. */
static double allowed_at(const vd_kc_page *p, const curve *c, size_t i) {
  const vd_xcheck_tolerance *t = &p->reference.tolerance;
  return c->allowed > 0.0 ? c->allowed : vd_max(t->absolute, t->relative * fabs(c->y[i]));
}

/* Draws the tolerance about a reference. A band that would leave less than a quarter of the panel to the curves is not
 * drawn but stated in the legend. */
static void add_tolerance(const vd_kc_page *p, const curve *c, bool named, const char *unit, vd_picture *picture) {
  curve edge = {.x = c->x, .y = vd_allocate(c->count + 1, sizeof *edge.y), .count = c->count};
  double low = INFINITY, high = -INFINITY, most = 0.0;
  char name[64];
  for (size_t k = 0; k < picture->count; k++)
    for (size_t i = 0; i < picture->series[k].count; i++) {
      low = fmin(low, picture->series[k].y[i]);
      high = fmax(high, picture->series[k].y[i]);
    }
  for (size_t i = 0; i < c->count; i++)
    most = fmax(most, isfinite(c->y[i]) ? allowed_at(p, c, i) : 0.0);
  const bool wide = 2.0 * most > 4.0 * (high - low) && high > low;
  snprintf(name, sizeof name, wide ? "tolerance \u00b1%.3g%s%s" : "tolerance", most, *unit == '1' ? "" : " ",
           *unit == '1' ? "" : unit);
  for (int side = 1; side >= -1; side -= 2) {
    for (size_t i = 0; i < c->count; i++)
      edge.y[i] = c->y[i] + side * allowed_at(p, c, i);
    edge.count = wide ? 0 : c->count;
    add(picture, side > 0 ? VD_STROKE_UPPER : VD_STROKE_LOWER, named ? name : "", 0, &edge);
  }
  free(edge.y);
}

/* Draws the references of those curves of a panel that have one. If the panel has two curves, each reference has the
 * colour of its curve, with dashes. */
static void add_references(const vd_kc_page *p, const abscissa *s, const vd_kc_panel *k, const curve *own, bool two,
                           vd_picture *picture) {
  curve c[2] = {{0}};
  size_t last = 0;
  for (size_t i = 0; i < k->curves; i++) {
    char name[48];
    c[i] = own[i].some ? reference_of(p, s, k->curve[i].part[1]) : c[i];
    snprintf(name, sizeof name, "reference%s%s", two ? ": " : "", two ? k->curve[i].part[2] : "");
    if (c[i].some && two)
      add(picture, VD_STROKE_RUN, name, i == 1 ? 3 : 1, &c[i])->dash = i == 1 ? 4 : 2;
    else if (c[i].some)
      add(picture, VD_STROKE_OTHER, name, 0, &c[i]);
    last = c[i].some ? i : last;
  }
  for (size_t i = 0; i < k->curves; i++) {
    if (c[i].some)
      add_tolerance(p, &c[i], i == last, picture->y_unit, picture);
    free_curve(&c[i]);
  }
}

/* --- panels of a sweep --- */

static bool draw_panel(const vd_kc_page *p, const vd_kc_panel *k, vd_arena *arena, vd_buf *out) {
  const vd_shown_unit x = vd_kc_unit(k, arena);
  abscissa s = {.opposite = k->opposite, .x = k->sheet->part[2], .size = x.size};
  while (strcmp(vd_kc_sweep_names[s.sweep], k->sheet->part[1]) != 0)
    s.sweep++;
  const vd_kc_data *d = s.opposite ? &p->opposite : &p->parallel;
  size_t stem, some = 0;
  curve c[2] = {{0}};
  vd_picture picture =
      vd_plot_begin(k->panel->part[1], k->sheet->part[3], x.name, vd_unit_at_end(k->curve->part[1], &stem));
  picture.whole = true;
  picture.clock = !s.opposite && (s.sweep == VD_KC_TRAVEL || (s.sweep == VD_KC_RACK && p->motion[1].frames > 0));
  picture.motion = s.sweep == VD_KC_RACK;
  for (size_t i = 0; i < k->curves; i++) {
    c[i] = curve_of(d, &s, k->curve[i].part[1]);
    some += c[i].some;
  }
  for (size_t i = 0; i < k->curves; i++) {
    const char *name = k->curve[i].part[2];
    if (c[i].some)
      add(&picture, VD_STROKE_RUN,
          some > 1 || (p->reference.path && *name) ? name
          : p->reference.path                      ? "this"
                                                   : "",
          some > 1 && i == 1 ? 3 : 1, &c[i]);
  }
  add_references(p, &s, k, c, some > 1, &picture);
  vd_plot_end(&picture, out);
  for (size_t i = 0; i < k->curves; i++)
    free_curve(&c[i]);
  return some > 0;
}

void vd_kc_sheets(const vd_kc_page *p, vd_arena *arena, vd_buf *out) {
  size_t count;
  const vd_kc_panel *k = vd_kc_panels(&count);
  for (const vd_kc_panel *end = k + count, *next = k; k < end; k = next) {
    vd_buf panels = {0};
    bool some = false;
    for (; next < end && next->sheet == k->sheet; next++)
      some |= draw_panel(p, next, arena, &panels);
    if (some)
      vd_buf_printf(out, "<h2>%s</h2>\n<div class=\"pictures\">\n%s</div>\n", k->sheet->part[4], panels.text);
    vd_buf_finish(&panels);
  }
}

/* --- views --- */

enum { LINES = 512, SIDES = 32 };

typedef struct lines {
  double x[LINES], y[LINES];
  size_t count;
  int along, up; /* vehicle axes of the view; mirrored: the first one is drawn with its sign changed */
  bool mirrored;
} lines;

static void add_point(lines *l, const double *at) {
  if (l->count < LINES) {
    l->x[l->count] = at ? (l->mirrored ? -1e3 : 1e3) * at[l->along] : NAN;
    l->y[l->count++] = at ? 1e3 * at[l->up] : NAN;
  }
}

/* Draws the wheel as the circle of its loaded radius, which is an ellipse in a view that is not along its axle. */
static void write_wheel(lines *l, const double *centre, const double *axle, double radius) {
  const double top[3] = {-axle[0] * axle[2], -axle[1] * axle[2], 1.0 - axle[2] * axle[2]};
  double length = sqrt(top[0] * top[0] + top[1] * top[1] + top[2] * top[2]), ahead[3];
  for (int j = 0; j < 3; j++)
    ahead[j] = (axle[(j + 1) % 3] * top[(j + 2) % 3] - axle[(j + 2) % 3] * top[(j + 1) % 3]) / length;
  for (int i = 0; i <= SIDES; i++) {
    double a = 2.0 * VD_PI * i / SIDES, at[3];
    for (int j = 0; j < 3; j++)
      at[j] = centre[j] + radius * (vd_cos(a) * top[j] / length + vd_sin(a) * ahead[j]);
    add_point(l, at);
  }
  add_point(l, NULL);
}

static void write_line(lines *l, const double *rod) {
  add_point(l, rod);
  add_point(l, rod + 3);
  add_point(l, NULL);
}

static void write_frame(lines *l, const vd_kc_frame *f, double radius) {
  l->count = 0;
  for (size_t i = 0; i < f->rods; i++)
    if (f->kind[i] == VD_ROD_LINK)
      write_line(l, f->rod[i]);
  for (int w = 0; w < f->wheels; w++)
    write_wheel(l, f->centre[w], f->axle[w], radius);
}

/* Draws a spring as a zigzag across its line in the view. */
static void write_spring(lines *l, const double *rod) {
  enum { TURNS = 8 };
  const double way[2] = {rod[3 + l->along] - rod[l->along], rod[3 + l->up] - rod[l->up]};
  const double length = sqrt(way[0] * way[0] + way[1] * way[1]), half = 0.035;
  add_point(l, rod);
  for (int i = 0; i <= 2 * TURNS && length > half; i++) {
    const double share = 0.15 + 0.7 * i / (2 * TURNS), aside = (i % 2 ? half : -half) / length;
    double at[3] = {0.0};
    at[l->along] = rod[l->along] + share * way[0] - aside * way[1];
    at[l->up] = rod[l->up] + share * way[1] + aside * way[0];
    add_point(l, at);
  }
  add_point(l, rod + 3);
  add_point(l, NULL);
}

/* Adds springs, dampers, or push rods with rockers at the design position. */
static void add_elements(const vd_kc_frame *f, enum vd_rod from, enum vd_rod to, const char *name, int hue, lines *l,
                         vd_picture *picture) {
  l->count = 0;
  for (size_t i = 0; i < f->rods; i++)
    if (f->kind[i] == VD_ROD_SPRING && from == VD_ROD_SPRING)
      write_spring(l, f->rod[i]);
    else if (f->kind[i] >= (int)from && f->kind[i] <= (int)to)
      write_line(l, f->rod[i]);
  if (l->count > 0)
    add(picture, VD_STROKE_RUN, name, hue, &(curve){.x = l->x, .y = l->y, .count = l->count})->dash = 1;
}

/* Draws the linkage at the design position and at both ends of a motion. */
void vd_kc_views(const vd_kc_page *p, const vd_kc_poses *m, vd_buf *out) {
  static const struct {
    const char *title, *x;
    int along, up;
    bool mirrored;
  } view[] = {{"From the side", "x, ahead", 0, 2, false},
              {"From behind", "y, to the left", 1, 2, true},
              {"From above", "x, ahead", 0, 1, false}};
  double radius = p->corner->points.static_radius;
  for (size_t k = 0; k < VD_COUNT(view); k++) {
    const vd_kc_frame *at[] = {&p->design, &m->frame[m->frames - 1][0], &m->frame[0][0]};
    vd_picture picture = vd_plot_begin(view[k].title, view[k].mirrored ? "to the right" : view[k].x, "mm", "mm");
    lines l = {.along = view[k].along, .up = view[k].up, .mirrored = view[k].mirrored};
    picture.equal = true;
    for (size_t i = 0; i < VD_COUNT(at); i++) {
      char name[32];
      if (i > 0 && (fabs(at[i]->at) < 1e-9 || (i == 2 && m->frames == 1)))
        continue;
      write_frame(&l, at[i], radius);
      snprintf(name, sizeof name, "%s%.0f mm", at[i]->at < 0.0 ? "\u2212" : "+", 1e3 * fabs(at[i]->at));
      add(&picture, VD_STROKE_RUN, i == 0 ? "design" : name, (int)i + 1,
          &(curve){.x = l.x, .y = l.y, .count = l.count});
    }
    add_elements(&p->design, VD_ROD_SPRING, VD_ROD_SPRING, "spring", 6, &l, &picture);
    add_elements(&p->design, VD_ROD_DAMPER, VD_ROD_DAMPER, "damper", 3, &l, &picture);
    add_elements(&p->design, VD_ROD_PUSH, VD_ROD_ROCKER, "push rod and rocker", 4, &l, &picture);
    vd_plot_end(&picture, out);
  }
}
