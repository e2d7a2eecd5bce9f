/* Pictures of a suspension: its linkage in three views, and sheets of its curves over travel, roll, rack and forces. */
#include "kc_report.h"
#include "plot.h"

#include "base/elementary.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct panel {
  const char *title, *y, *name, *other, *other_name; /* other: a second column, or NULL */
} panel;

typedef struct sheet {
  const char *title;
  enum vd_kc_sweep sweep;
  bool opposite;
  const char *x, *x_name, *x_unit;
  double scale;
  const panel *panel;
  size_t panels;
} sheet;

static const panel bump[] = {
    {"Toe", "toe_deg", "", NULL, NULL},
    {"Camber", "camber_deg", "", NULL, NULL},
    {"Caster and kingpin", "caster_deg", "caster", "kpi_deg", "kingpin"},
    {"Half track change", "half_track_change_mm", "", NULL, NULL},
    {"Wheel centre, lengthwise", "wheel_x_mm", "", NULL, NULL},
    {"Scrub radius and trail", "scrub_mm", "scrub", "trail_mm", "trail"},
    {"Roll centre over the road", "roll_centre_z_mm", "by velocity", "roll_centre_planes_z_mm", "by planes"},
    {"Motion ratio", "motion_ratio", "spring", "damper_ratio", "damper"},
    {"Wheel rate", "wheel_rate_Npmm", "wheel", "ride_rate_Npmm", "with tyre"},
    {"Anti-dive, anti-lift", "anti_pct", "braking", "anti_drive_pct", "drive"},
};
static const panel roll[] = {
    {"Toe", "toe_deg", "", NULL, NULL},
    {"Camber to the body", "camber_deg", "", NULL, NULL},
    {"Steer of both wheels", "steer_left_deg", "left", "steer_right_deg", "right"},
    {"Track change", "track_change_mm", "", NULL, NULL},
    {"Roll centre of the axle", "axle_roll_centre_z_mm", "by velocity", "axle_roll_centre_planes_z_mm", "by planes"},
};
static const panel steer[] = {
    {"Steer of both wheels", "steer_left_deg", "left", "steer_right_deg", "right"},
    {"Camber", "camber_deg", "", NULL, NULL},
    {"Caster and kingpin", "caster_deg", "caster", "kpi_deg", "kingpin"},
    {"Half track change", "half_track_change_mm", "", NULL, NULL},
    {"Scrub radius and trail", "scrub_mm", "scrub", "trail_mm", "trail"},
    {"Ackermann from 3° on", "ackermann_pct", "", NULL, NULL},
    {"Turning circle", "turning_circle_m", "", NULL, NULL},
    {"Hand wheel", "hand_wheel_deg", "", NULL, NULL},
};
static const panel force[] = {
    {"Toe", "toe_deg", "", NULL, NULL},
    {"Camber", "camber_deg", "", NULL, NULL},
    {"Caster", "caster_deg", "", NULL, NULL},
    {"Contact point, lengthwise", "patch_x_mm", "", NULL, NULL},
    {"Contact point, sideways", "patch_y_mm", "", NULL, NULL},
    {"Wheel centre, lengthwise", "wheel_x_mm", "", NULL, NULL},
    {"Half track change", "half_track_change_mm", "", NULL, NULL},
};
static const panel load[] = {
    {"Travel", "travel_mm", "", NULL, NULL},
    {"Toe", "toe_deg", "", NULL, NULL},
    {"Camber", "camber_deg", "", NULL, NULL},
};

static const sheet sheets[] = {
    {"Bump: both wheels rise", VD_KC_TRAVEL, false, "travel_mm", "travel", "mm", 1.0, bump, VD_COUNT(bump)},
    {"Roll: one wheel rises, the other sinks", VD_KC_TRAVEL, true, "roll_deg", "roll", "deg", 1.0, roll,
     VD_COUNT(roll)},
    {"Steer", VD_KC_RACK, false, "rack_mm", "rack", "mm", 1.0, steer, VD_COUNT(steer)},
    {"Compliance under lateral force", VD_KC_FY, false, "fy_N", "lateral force", "kN", 1e-3, force, VD_COUNT(force)},
    {"Compliance under braking force", VD_KC_FX, false, "fx_N", "force ahead at the contact", "kN", 1e-3, force,
     VD_COUNT(force)},
    {"Compliance under drive force", VD_KC_FX_CENTRE, false, "fx_centre_N", "force ahead at the centre", "kN", 1e-3,
     force, VD_COUNT(force)},
    {"Compliance under aligning moment", VD_KC_MZ, false, "mz_Nm", "moment", "N m", 1.0, force, 2},
    {"Under load", VD_KC_FZ, false, "fz_N", "load", "kN", 1e-3, load, VD_COUNT(load)},
};

/* --- columns --- */

typedef struct curve {
  double *x, *y;
  size_t count;
  bool some;      /* there is a number in y */
  double allowed; /* for a reference: half of the tolerance band; 0: the tolerance depends on the value */
} curve;

static int column_of(const vd_kc_data *d, const char *name) {
  for (size_t i = 0; i < d->columns; i++)
    if (strcmp(d->name[i], name) == 0)
      return (int)i;
  return -1;
}

/* At small angles static toe is most of the Ackermann figure. */
static bool is_meaningful(const vd_kc_data *d, size_t row, const char *y) {
  int angle = strcmp(y, "ackermann_pct") == 0 ? column_of(d, "steer_deg") : -1;
  return angle < 0 || fabs(d->value[row * d->columns + (size_t)angle]) >= 3.0;
}

static curve curve_of(const vd_kc_data *d, const sheet *s, const char *y_name) {
  curve c = {.x = vd_allocate(d->rows + 1, sizeof *c.x), .y = vd_allocate(d->rows + 1, sizeof *c.y)};
  int x = column_of(d, s->x), y = column_of(d, y_name);
  for (size_t row = 0; x >= 0 && y >= 0 && row < d->rows; row++) {
    if (d->sweep[row] != (int)s->sweep)
      continue;
    c.x[c.count] = s->scale * d->value[row * d->columns + (size_t)x];
    c.y[c.count] = is_meaningful(d, row, y_name) ? d->value[row * d->columns + (size_t)y] : NAN;
    if (fabs(c.y[c.count]) < 1e-9) /* deg, mm: rounding of what is zero would fill its picture */
      c.y[c.count] = 0.0;
    c.some |= isfinite(c.y[c.count++]);
  }
  return c;
}

static void drop(curve *c) {
  free(c->x);
  free(c->y);
}

static void add(vd_picture *p, enum vd_stroke stroke, const char *name, int hue, const curve *c) {
  size_t before = p->count;
  vd_picture_add(p, stroke, name, c->x, c->y, c->count);
  if (p->count > before)
    p->series[before].hue = hue;
}

/* --- what it is compared with --- */

/* What the suspension's own curve has at its place 0, where a table's changes are counted from. */
static double datum_of(const vd_kc_page *p, const sheet *s, const char *y) {
  curve own = curve_of(&p->reference.datum, s, y);
  double value = NAN;
  for (size_t i = 0; i < own.count; i++)
    if (own.x[i] == 0.0)
      value = own.y[i];
  drop(&own);
  return value;
}

static curve table_of(size_t count) {
  return (curve){
      .x = vd_allocate(count + 1, sizeof(double)), .y = vd_allocate(count + 1, sizeof(double)), .count = count};
}

static curve of_curves(const vd_kc_page *p, const sheet *s, const char *y) {
  curve c = {.count = 0};
  int sweep = s->opposite                ? -1
              : s->sweep == VD_KC_TRAVEL ? VD_SWEEP_TRAVEL
              : s->sweep == VD_KC_RACK   ? VD_SWEEP_RACK
                                         : -1;
  for (int q = 0; sweep >= 0 && q < VD_CURVES; q++) {
    const vd_kc_curves *k = &p->reference.side.table->sweep[sweep];
    if (strcmp(vd_curve_columns[q].name, y) != 0 || k->count == 0 || !k->value[q])
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

/* Makes the curve of a rig's table from its changes under one load at a time. The tolerance is a share of the largest
 * change, as in vdsim-xcheck. */
static curve of_compliance(const vd_kc_page *p, const sheet *s, const char *y) {
  static const int rig[VD_KC_SWEEPS] = {[VD_KC_FX_CENTRE] = 1 + VD_RIG_FX_DRIVE,
                                        [VD_KC_FX] = 1 + VD_RIG_FX_BRAKE,
                                        [VD_KC_FY] = 1 + VD_RIG_FY,
                                        [VD_KC_MZ] = 1 + VD_RIG_MZ};
  const vd_xcheck_tolerance *t = &p->reference.tolerance;
  const char *column = strcmp(y, "patch_y_mm") == 0 ? "contact_y_mm" : y; /* as rigs call it */
  double scale = 1.0, most = 0.0, from = datum_of(p, s, y);
  const vd_giving_curve *k = rig[s->sweep] == 0 ? NULL
                                                : vd_xcheck_giving(p->reference.side.compliance, column,
                                                                   (enum vd_rig_load)(rig[s->sweep] - 1), &scale);
  if (!k)
    return (curve){.count = 0};
  curve c = table_of(k->count);
  for (size_t i = 0; i < k->count; i++) {
    double change = scale * vd_giving_at(k, k->load[i]);
    c.x[i] = s->scale * k->load[i];
    c.y[i] = from + change;
    c.some |= isfinite(c.y[i]);
    most = vd_max(most, fabs(change));
  }
  c.allowed = vd_max(t->absolute, t->relative * most);
  return c;
}

/* Makes the curve of a reference. For a table, changes of the same column are counted from our own value at 0. */
static curve reference_of(const vd_kc_page *p, const sheet *s, const char *y) {
  const vd_kc_reference *r = &p->reference;
  if (r->side.corner)
    return curve_of(s->opposite ? &r->opposite : &r->parallel, s, y);
  return r->side.table ? of_curves(p, s, y) : r->side.compliance ? of_compliance(p, s, y) : (curve){.count = 0};
}

/* Draws the reference with the tolerance band of vdsim-xcheck. */
static void add_reference(const vd_kc_page *p, const sheet *s, const char *y, vd_picture *picture) {
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
  drop(&c);
}

/* --- sheets --- */

static void finish(vd_picture *p, vd_buf *out) {
  if (p->count > 0)
    vd_plot_picture(p, out);
  vd_picture_finish(p);
}

static bool draw_panel(const vd_kc_page *p, const sheet *s, const panel *k, vd_buf *out) {
  const vd_kc_data *d = s->opposite ? &p->opposite : &p->parallel;
  curve one = curve_of(d, s, k->y), two = curve_of(d, s, k->other ? k->other : "");
  const char *unit = vd_kc_column_unit(k->y);
  bool both = one.some && two.some, any = one.some || two.some;
  vd_picture picture = {.clock = s == &sheets[0]};
  snprintf(picture.title, sizeof picture.title, "%s", k->title);
  snprintf(picture.x_name, sizeof picture.x_name, "%s", s->x_name);
  snprintf(picture.x_unit, sizeof picture.x_unit, "%s", s->x_unit);
  snprintf(picture.y_unit, sizeof picture.y_unit, "%s", unit ? unit : "");
  const char *name = both || p->reference.path ? (*k->name ? k->name : "this") : "";
  if (one.some)
    add(&picture, VD_STROKE_RUN, name, 1, &one);
  if (two.some)
    add(&picture, VD_STROKE_RUN, k->other_name, both ? 3 : 1, &two);
  if (any)
    add_reference(p, s, k->y, &picture);
  finish(&picture, out);
  drop(&one);
  drop(&two);
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
  int along, up; /* axes of the view; mirrored: the first one is turned round */
  bool mirrored;
} lines;

static void put(lines *l, const double *at) {
  if (l->count < LINES) {
    l->x[l->count] = at ? (l->mirrored ? -1e3 : 1e3) * at[l->along] : NAN;
    l->y[l->count++] = at ? 1e3 * at[l->up] : NAN;
  }
}

/* The wheel as the circle of its loaded radius: an ellipse in views along its plane. */
static void write_wheel(lines *l, const double *centre, const double *axle, double radius) {
  const double top[3] = {-axle[0] * axle[2], -axle[1] * axle[2], 1.0 - axle[2] * axle[2]};
  double length = sqrt(top[0] * top[0] + top[1] * top[1] + top[2] * top[2]), ahead[3];
  for (int j = 0; j < 3; j++)
    ahead[j] = (axle[(j + 1) % 3] * top[(j + 2) % 3] - axle[(j + 2) % 3] * top[(j + 1) % 3]) / length;
  for (int i = 0; i <= SIDES; i++) {
    double a = 2.0 * VD_PI * i / SIDES, at[3];
    for (int j = 0; j < 3; j++)
      at[j] = centre[j] + radius * (vd_cos(a) * top[j] / length + vd_sin(a) * ahead[j]);
    put(l, at);
  }
  put(l, NULL);
}

static void write_frame(lines *l, const vd_kc_frame *f, double radius) {
  l->count = 0;
  for (size_t i = 0; i < f->rods; i++) {
    put(l, f->rod[i]);
    put(l, f->rod[i] + 3);
    put(l, NULL);
  }
  for (int w = 0; w < f->wheels; w++)
    write_wheel(l, f->centre[w], f->axle[w], radius);
}

/* The linkage at design and at both ends of its travel. */
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
    vd_picture picture = {.equal = true};
    snprintf(picture.title, sizeof picture.title, "%s", view[k].title);
    snprintf(picture.x_name, sizeof picture.x_name, "%s", view[k].mirrored ? "to the right" : view[k].x);
    snprintf(picture.x_unit, sizeof picture.x_unit, "mm");
    snprintf(picture.y_unit, sizeof picture.y_unit, "mm");
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
    finish(&picture, out);
  }
}
