/* Pictures of a suspension: its linkage in three views, and a group of panels (a sheet) for each sweep of travel, roll,
 * rack or forces. */
#include "kc_report.h"
#include "plot.h"

#include "base/elementary.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct panel {
  const char *title;
  enum vd_kc_figure y, other; /* a second curve in the panel; `none': there is only one */
  const char *name, *other_name;
} panel;

typedef struct sheet {
  const char *title;
  enum vd_kc_sweep sweep;
  bool opposite;
  enum vd_kc_figure x;
  const char *x_name, *x_unit;
  double scale;
  const panel *panel;
  size_t panels;
} sheet;

static const panel bump[] = {
    {.title = "Toe", .y = VD_FIGURE_TOE},
    {.title = "Camber", .y = VD_FIGURE_CAMBER},
    {"Caster and kingpin", VD_FIGURE_CASTER, VD_FIGURE_KPI, "caster", "kingpin"},
    {.title = "Half track change", .y = VD_FIGURE_HALF_TRACK_CHANGE},
    {.title = "Wheel centre, lengthwise", .y = VD_FIGURE_WHEEL_X},
    {"Scrub radius and trail", VD_FIGURE_SCRUB, VD_FIGURE_TRAIL, "scrub", "trail"},
    {"Roll centre over the road", VD_FIGURE_ROLL_CENTRE_Z, VD_FIGURE_ROLL_CENTRE_PLANES_Z, "by velocity", "by planes"},
    {"Motion ratio", VD_FIGURE_MOTION_RATIO, VD_FIGURE_DAMPER_RATIO, "spring", "damper"},
    {"Wheel rate", VD_FIGURE_WHEEL_RATE, VD_FIGURE_RIDE_RATE, "wheel", "with tyre"},
    {"Anti-dive, anti-lift", VD_FIGURE_ANTI, VD_FIGURE_ANTI_DRIVE, "braking", "drive"},
};
static const panel roll[] = {
    {.title = "Toe", .y = VD_FIGURE_TOE},
    {.title = "Camber to the body", .y = VD_FIGURE_CAMBER},
    {"Steer of both wheels", VD_FIGURE_STEER_LEFT, VD_FIGURE_STEER_RIGHT, "left", "right"},
    {.title = "Track change", .y = VD_FIGURE_TRACK_CHANGE},
    {"Roll centre of the axle", VD_FIGURE_AXLE_ROLL_CENTRE_Z, VD_FIGURE_AXLE_ROLL_CENTRE_PLANES_Z, "by velocity",
     "by planes"},
};
static const panel steer[] = {
    {"Steer of both wheels", VD_FIGURE_STEER_LEFT, VD_FIGURE_STEER_RIGHT, "left", "right"},
    {.title = "Camber", .y = VD_FIGURE_CAMBER},
    {"Caster and kingpin", VD_FIGURE_CASTER, VD_FIGURE_KPI, "caster", "kingpin"},
    {.title = "Half track change", .y = VD_FIGURE_HALF_TRACK_CHANGE},
    {"Scrub radius and trail", VD_FIGURE_SCRUB, VD_FIGURE_TRAIL, "scrub", "trail"},
    {.title = "Ackermann from 3° on", .y = VD_FIGURE_ACKERMANN},
    {.title = "Turning circle", .y = VD_FIGURE_TURNING_CIRCLE},
    {.title = "Steering wheel", .y = VD_FIGURE_STEERING_WHEEL},
};
static const panel force[] = {
    {.title = "Toe", .y = VD_FIGURE_TOE},
    {.title = "Camber", .y = VD_FIGURE_CAMBER},
    {.title = "Caster", .y = VD_FIGURE_CASTER},
    {.title = "Contact point, lengthwise", .y = VD_FIGURE_PATCH_X},
    {.title = "Contact point, sideways", .y = VD_FIGURE_PATCH_Y},
    {.title = "Wheel centre, lengthwise", .y = VD_FIGURE_WHEEL_X},
    {.title = "Half track change", .y = VD_FIGURE_HALF_TRACK_CHANGE},
};
static const panel load[] = {
    {.title = "Travel", .y = VD_FIGURE_TRAVEL},
    {.title = "Toe", .y = VD_FIGURE_TOE},
    {.title = "Camber", .y = VD_FIGURE_CAMBER},
};

static const sheet sheets[] = {
    {"Bump: both wheels rise", VD_KC_TRAVEL, false, VD_FIGURE_TRAVEL, "travel", "mm", 1.0, bump, VD_COUNT(bump)},
    {"Roll: one wheel rises, the other sinks", VD_KC_TRAVEL, true, VD_FIGURE_ROLL, "roll", "deg", 1.0, roll,
     VD_COUNT(roll)},
    {"Steer", VD_KC_RACK, false, VD_FIGURE_RACK, "rack", "mm", 1.0, steer, VD_COUNT(steer)},
    {"Compliance under lateral force", VD_KC_FY, false, VD_FIGURE_FY, "lateral force", "kN", 1e-3, force,
     VD_COUNT(force)},
    {"Compliance under braking force", VD_KC_FX, false, VD_FIGURE_FX, "force ahead at the contact", "kN", 1e-3, force,
     VD_COUNT(force)},
    {"Compliance under drive force", VD_KC_FX_CENTRE, false, VD_FIGURE_FX_CENTRE, "force ahead at the centre", "kN",
     1e-3, force, VD_COUNT(force)},
    {"Compliance under aligning moment", VD_KC_MZ, false, VD_FIGURE_MZ, "moment", "N m", 1.0, force, 2},
    {"Under load", VD_KC_FZ, false, VD_FIGURE_FZ, "load", "kN", 1e-3, load, VD_COUNT(load)},
};

/* The value of `other' for a panel with one curve. */
static const enum vd_kc_figure none = VD_FIGURE_SWEEP;

/* --- columns --- */

typedef struct curve {
  double *x, *y;
  size_t count;
  bool some;      /* y has at least one number */
  double allowed; /* for a reference: half the width of the tolerance band; 0: the tolerance depends on the value */
} curve;

static int column_of(const vd_kc_data *d, enum vd_kc_figure figure) {
  for (size_t i = 0; figure != none && i < d->columns; i++)
    if (strcmp(d->name[i], vd_kc_figures[figure].column) == 0)
      return (int)i;
  return -1;
}

/* Whether a value has a meaning. The Ackermann figure has none at small steer angles, where static toe dominates it. */
static bool is_meaningful(const vd_kc_data *d, size_t row, enum vd_kc_figure y) {
  int angle = y == VD_FIGURE_ACKERMANN ? column_of(d, VD_FIGURE_STEER) : -1;
  return angle < 0 || fabs(d->value[row * d->columns + (size_t)angle]) >= 3.0;
}

static curve curve_of(const vd_kc_data *d, const sheet *s, enum vd_kc_figure figure) {
  curve c = {.x = vd_allocate(d->rows + 1, sizeof *c.x), .y = vd_allocate(d->rows + 1, sizeof *c.y)};
  int x = column_of(d, s->x), y = column_of(d, figure);
  for (size_t row = 0; x >= 0 && y >= 0 && row < d->rows; row++) {
    if (d->sweep[row] != (int)s->sweep)
      continue;
    c.x[c.count] = s->scale * d->value[row * d->columns + (size_t)x];
    c.y[c.count] = is_meaningful(d, row, figure) ? d->value[row * d->columns + (size_t)y] : NAN;
    /* deg or mm: the rounding error of a value that is zero would otherwise be scaled up to fill the panel */
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

static void add(vd_picture *p, enum vd_stroke stroke, const char *name, int hue, const curve *c) {
  vd_plot_add(p, stroke, name, hue, c->x, c->y, c->count);
}

/* --- the reference --- */

/* The value of the page's own curve at 0: a table of compliance holds changes, which are added to it. */
static double datum_of(const vd_kc_page *p, const sheet *s, enum vd_kc_figure y) {
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

static curve of_curves(const vd_kc_page *p, const sheet *s, enum vd_kc_figure y) {
  curve c = {.count = 0};
  const bool tabled = !s->opposite && s->sweep < VD_SWEEPS;
  for (int q = 0; tabled && q < VD_CURVES; q++) {
    const vd_kc_curves *k = &p->reference.side.table->sweep[s->sweep];
    if (vd_curve_columns[q].figure != y || k->count == 0 || !k->value[q])
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

/* Makes the curve from a rig's table of compliance, whose rows have one load at a time, from the changes under that
 * load. The tolerance is a share of the largest change, as in vdsim-xcheck. */
static curve of_compliance(const vd_kc_page *p, const sheet *s, enum vd_kc_figure y) {
  static const int rig[VD_KC_SWEEPS] = {[VD_KC_FX_CENTRE] = 1 + VD_RIG_FX_DRIVE,
                                        [VD_KC_FX] = 1 + VD_RIG_FX_BRAKE,
                                        [VD_KC_FY] = 1 + VD_RIG_FY,
                                        [VD_KC_MZ] = 1 + VD_RIG_MZ};
  const vd_xcheck_tolerance *t = &p->reference.tolerance;
  double scale = vd_kc_figures[y].scale, most = 0.0, from = datum_of(p, s, y);
  const vd_compliance_curve *k = rig[s->sweep] == 0 ? NULL
                                                    : vd_xcheck_compliance_curve(p->reference.side.compliance, y,
                                                                                 (enum vd_rig_load)(rig[s->sweep] - 1));
  if (!k)
    return (curve){.count = 0};
  curve c = table_of(k->count);
  for (size_t i = 0; i < k->count; i++) {
    double change = scale * vd_compliance_curve_at(k, k->load[i]);
    c.x[i] = s->scale * k->load[i];
    c.y[i] = from + change;
    c.some |= isfinite(c.y[i]);
    most = vd_max(most, fabs(change));
  }
  c.allowed = vd_max(t->absolute, t->relative * most);
  return c;
}

/* Makes the curve of a reference. If the reference is a table of changes, they are added to the page's own value at
 * 0. */
static curve reference_of(const vd_kc_page *p, const sheet *s, enum vd_kc_figure y) {
  const vd_kc_reference *r = &p->reference;
  if (r->side.corner)
    return curve_of(s->opposite ? &r->opposite : &r->parallel, s, y);
  return r->side.table ? of_curves(p, s, y) : r->side.compliance ? of_compliance(p, s, y) : (curve){.count = 0};
}

/* Draws the reference with the tolerance band of vdsim-xcheck. */
static void add_reference(const vd_kc_page *p, const sheet *s, enum vd_kc_figure y, vd_picture *picture) {
  const vd_xcheck_tolerance *t = &p->reference.tolerance;
  curve c = reference_of(p, s, y);
  curve edge = {.x = c.x, .y = vd_allocate(c.count + 1, sizeof *edge.y), .count = c.count};
  if (c.some) {
    add(picture, VD_STROKE_OTHER, "reference", 0, &c);
    for (int side = 1; side >= -1; side -= 2) {
      for (size_t i = 0; i < c.count; i++)
        edge.y[i] = c.y[i] + side * (c.allowed > 0.0 ? c.allowed : vd_max(t->absolute, t->relative * fabs(c.y[i])));
      add(picture, side > 0 ? VD_STROKE_UPPER : VD_STROKE_LOWER, "tolerance", 0, &edge);
    }
  }
  free(edge.y);
  free_curve(&c);
}

/* --- panels of a sweep --- */

static bool draw_panel(const vd_kc_page *p, const sheet *s, const panel *k, vd_buf *out) {
  const vd_kc_data *d = s->opposite ? &p->opposite : &p->parallel;
  curve one = curve_of(d, s, k->y), two = curve_of(d, s, k->other);
  bool both = one.some && two.some, any = one.some || two.some;
  vd_picture picture = vd_plot_begin(k->title, s->x_name, s->x_unit, vd_kc_figures[k->y].unit);
  picture.clock = s == &sheets[0];
  const char *name = both || p->reference.path ? (k->name ? k->name : "this") : "";
  if (one.some)
    add(&picture, VD_STROKE_RUN, name, 1, &one);
  if (two.some)
    add(&picture, VD_STROKE_RUN, k->other_name, both ? 3 : 1, &two);
  if (any)
    add_reference(p, s, k->y, &picture);
  vd_plot_end(&picture, out);
  free_curve(&one);
  free_curve(&two);
  return any;
}

void vd_kc_sheets(const vd_kc_page *p, vd_buf *out) {
  for (size_t i = 0; i < VD_COUNT(sheets); i++) {
    vd_buf panels = {0};
    bool some = false;
    for (size_t k = 0; k < sheets[i].panels; k++)
      some |= draw_panel(p, &sheets[i], &sheets[i].panel[k], &panels);
    if (some)
      vd_buf_printf(out, "<h2>%s</h2>\n<div class=\"pictures\">\n%s</div>\n", sheets[i].title, panels.text);
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

static void write_frame(lines *l, const vd_kc_frame *f, double radius) {
  l->count = 0;
  for (size_t i = 0; i < f->rods; i++) {
    add_point(l, f->rod[i]);
    add_point(l, f->rod[i] + 3);
    add_point(l, NULL);
  }
  for (int w = 0; w < f->wheels; w++)
    write_wheel(l, f->centre[w], f->axle[w], radius);
}

/* Draws the linkage at the design position and at both ends of its travel. */
void vd_kc_views(const vd_kc_page *p, vd_buf *out) {
  static const struct {
    const char *title, *x;
    int along, up;
    bool mirrored;
  } view[] = {{"From the side", "x, ahead", 0, 2, false},
              {"From behind", "y, to the left", 1, 2, true},
              {"From above", "x, ahead", 0, 1, false}};
  double radius = p->corner->points.static_radius;
  for (size_t k = 0; k < VD_COUNT(view) && p->frames > 0; k++) {
    const vd_kc_frame *at[] = {&p->design, &p->frame[p->frames - 1], &p->frame[0]};
    vd_picture picture = vd_plot_begin(view[k].title, view[k].mirrored ? "to the right" : view[k].x, "mm", "mm");
    picture.equal = true;
    for (size_t i = 0; i < VD_COUNT(at); i++) {
      lines l = {.along = view[k].along, .up = view[k].up, .mirrored = view[k].mirrored};
      char name[32];
      if (i > 0 && (fabs(at[i]->travel) < 1e-9 || (i == 2 && p->frames == 1)))
        continue;
      write_frame(&l, at[i], radius);
      snprintf(name, sizeof name, "%+.0f mm", 1e3 * at[i]->travel);
      add(&picture, VD_STROKE_RUN, i == 0 ? "design" : name, (int)i + 1,
          &(curve){.x = l.x, .y = l.y, .count = l.count});
    }
    vd_plot_end(&picture, out);
  }
}
