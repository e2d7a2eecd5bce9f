/* Drawings of axes and of the positive directions, for readers of the manual. */
#include "plot_kinds.h"

#include "base/base.h"
#include "base/elementary.h"

#include <math.h>
#include <string.h>

/* Strokes of a drawing. */
enum kind {
  VIEW,   /* a drawing begins; text: what is seen from where */
  LINE,   /* from (a, b) to (c, d) */
  AXIS,   /* arrow of an axis from (a, b) to (c, d), its name beyond the tip */
  FORCE,  /* arrow of a force, velocity or distance from (a, b) to (c, d), its name beyond the tip */
  ANGLE,  /* arc around (a, b) with radius c from d to e degrees, an arrow at its end */
  BOX,    /* sides c and d around (a, b), turned by e degrees */
  CIRCLE, /* around (a, b) with radius c */
  WORDS   /* around (a, b) */
};

typedef struct item {
  enum kind kind;
  const char *text;
  double a, b, c, d, e;
} item;

/* A drawing is 2.8 wide and 2 high, with the origin in its middle. The comments give the axes that point to the right,
 * upwards and to the reader; they are those of the car unless another body is named. */
static const item items[] = {
    {VIEW, "Car from above", 0, 0, 0, 0, 0}, /* x, y, z */
    {BOX, "", 0, 0, 1.5, 0.6, 0},
    {BOX, "", 0.5, 0.36, 0.28, 0.1, 18},
    {BOX, "", 0.5, -0.36, 0.28, 0.1, 18},
    {BOX, "", -0.5, 0.36, 0.28, 0.1, 0},
    {BOX, "", -0.5, -0.36, 0.28, 0.1, 0},
    {AXIS, "x", 0, 0, 1.15, 0, 0},
    {AXIS, "y", 0, 0, 0, 0.82, 0},
    {FORCE, "V", 0, 0, 1.05, 0.34, 0},
    {ANGLE, "β", 0, 0, 0.85, 0, 18},
    {LINE, "", 0.5, -0.36, 0.95, -0.36, 0},
    {ANGLE, "δ", 0.5, -0.36, 0.38, 0, 18},
    {ANGLE, "ψ, r", 0, 0, 0.55, 105, 150},
    {WORDS, "to the left > 0", 0, -0.8, 0, 0, 0},

    {VIEW, "Car from behind", 0, 0, 0, 0, 0}, /* -y, z, -x */
    {LINE, "", -1.1, -0.7, 1.1, -0.7, 0},
    {BOX, "", 0, 0, 1.1, 0.55, -8},
    {BOX, "", -0.5, -0.5, 0.15, 0.4, 0},
    {BOX, "", 0.5, -0.5, 0.15, 0.4, 0},
    {AXIS, "y", 0, 0, -1.1, 0, 0},
    {AXIS, "z", 0, 0, 0, 0.8, 0},
    {ANGLE, "φ, p", 0, 0, 0.62, 75, 30},
    {WORDS, "left side up > 0", 0, -0.87, 0, 0, 0},

    {VIEW, "Car from the right", 0, 0, 0, 0, 0}, /* x, z, -y */
    {LINE, "", -1.2, -0.67, 1.2, -0.67, 0},
    {BOX, "", 0, 0, 1.6, 0.45, -6},
    {CIRCLE, "", 0.5, -0.45, 0.22, 0, 0},
    {CIRCLE, "", -0.5, -0.45, 0.22, 0, 0},
    {AXIS, "x", 0, 0, 1.15, 0, 0},
    {AXIS, "z", 0, 0, 0, 0.8, 0},
    {ANGLE, "θ, q", 0, 0, 0.55, 75, 30},
    {WORDS, "nose down > 0", 0, -0.85, 0, 0, 0},

    {VIEW, "Tyre from above", 0, 0, 0, 0, 0}, /* x, y, z of the wheel */
    {BOX, "", 0, 0, 0.9, 0.28, 0},
    {AXIS, "x", 0, 0, 1.15, 0, 0},
    {AXIS, "y", 0, 0, 0, 0.82, 0},
    {FORCE, "V", 0, 0, 1.05, 0.38, 0},
    {ANGLE, "α", 0, 0, 0.85, 0, 20},
    {FORCE, "", -0.1, 0, -0.1, -0.62, 0},
    {WORDS, "F_y < 0 where α > 0", 0, -0.78, 0, 0, 0},
    {ANGLE, "ψ, M_z", 0, 0, 0.6, 105, 150},

    {VIEW, "Tyre from behind", 0, 0, 0, 0, 0}, /* -y, z, -x of the wheel */
    {LINE, "", -1.1, -0.45, 1.1, -0.45, 0},
    {BOX, "", 0.105, 0.045, 0.24, 0.98, -12},
    {LINE, "", 0, -0.45, 0, 0.6, 0},
    {ANGLE, "γ", 0, -0.45, 1.15, 90, 78},
    {FORCE, "", 0, -0.92, 0, -0.48, 0},
    {WORDS, "F_z", 0.2, -0.75, 0, 0, 0},
    {FORCE, "", 0, -0.45, -0.75, -0.45, 0},
    {WORDS, "F_y", -0.75, -0.6, 0, 0, 0},
    {ANGLE, "M_x", 0, -0.45, 0.5, 160, 115},

    {VIEW, "Left wheel from behind", 0, 0, 0, 0, 0}, /* -y, z, -x */
    {LINE, "", -1.2, -0.45, 0.9, -0.45, 0},
    {BOX, "", -0.55, 0.04, 0.24, 0.98, 6},
    {LINE, "", -0.5, -0.45, -0.5, 0.62, 0},
    {ANGLE, "", -0.5, -0.45, 1.1, 90, 100},
    {WORDS, "camber", -0.75, 0.82, 0, 0, 0},
    {LINE, "", -0.3, -0.45, 0, 0.75, 0},
    {LINE, "", -0.3, -0.45, -0.3, 0.62, 0},
    {ANGLE, "", -0.3, -0.45, 1.05, 90, 76},
    {WORDS, "kingpin inclination", 0.55, 0.55, 0, 0, 0},
    {FORCE, "scrub radius", -0.5, -0.62, -0.3, -0.62, 0},
    {FORCE, "travel", -1.1, -0.2, -1.1, 0.25, 0},

    {VIEW, "Wheel from the right", 0, 0, 0, 0, 0}, /* x, z, -y */
    {LINE, "", -1.1, -0.45, 1.1, -0.45, 0},
    {CIRCLE, "", 0, 0.05, 0.5, 0, 0},
    {LINE, "", 0.22, -0.45, 0.22, 0.75, 0},
    {LINE, "", 0.22, -0.45, -0.1, 0.75, 0},
    {ANGLE, "", 0.22, -0.45, 1.1, 90, 105},
    {WORDS, "caster", -0.4, 0.72, 0, 0, 0},
    {FORCE, "trail", 0, -0.62, 0.22, -0.62, 0},
    {AXIS, "x", 0.65, -0.2, 1.1, -0.2, 0},

    {VIEW, "Front wheels from above", 0, 0, 0, 0, 0}, /* -y, x, z */
    {BOX, "", -0.7, 0, 0.16, 0.55, -12},
    {LINE, "", -0.7, 0, -0.7, 0.6, 0},
    {ANGLE, "", -0.7, 0, 0.5, 90, 78},
    {WORDS, "toe", -0.4, 0.5, 0, 0, 0},
    {BOX, "", 0.7, 0, 0.16, 0.55, 12},
    {LINE, "", 0.7, 0, 0.7, 0.6, 0},
    {ANGLE, "", 0.7, 0, 0.5, 90, 102},
    {WORDS, "toe", 0.4, 0.5, 0, 0, 0},
    {AXIS, "x", 0, -0.2, 0, 0.6, 0},
    {FORCE, "rack", 0.4, -0.6, -0.4, -0.6, 0},
    {WORDS, "toe-in > 0", 0, -0.85, 0, 0, 0},

    {VIEW, "Steering wheel from the seat", 0, 0, 0, 0, 0}, /* -y, z, -x */
    {CIRCLE, "", 0, 0, 0.5, 0, 0},
    {CIRCLE, "", 0, 0, 0.12, 0, 0},
    {LINE, "", -0.5, 0, -0.12, 0, 0},
    {LINE, "", 0.12, 0, 0.5, 0, 0},
    {ANGLE, "w, T", 0, 0, 0.65, 60, 120},
    {WORDS, "to the left > 0", 0, -0.8, 0, 0, 0},

    {VIEW, "Road from the right", 0, 0, 0, 0, 0}, /* x, z, -y of the world */
    {LINE, "", -0.9, -0.4, 0.9, -0.4, 0},
    {LINE, "", -0.9, -0.4, 0.85, 0.15, 0},
    {ANGLE, "grade", -0.9, -0.4, 1.3, 0, 17.5},
    {AXIS, "x", -0.9, -0.75, -0.3, -0.75, 0},
    {WORDS, "uphill > 0", 0.4, -0.75, 0, 0, 0},

    {VIEW, "Road from behind", 0, 0, 0, 0, 0}, /* -y, z, -x of the world */
    {LINE, "", -0.9, -0.4, 0.9, -0.4, 0},
    {LINE, "", 0.9, -0.4, -0.85, 0.15, 0},
    {ANGLE, "bank", 0.9, -0.4, 1.3, 180, 162.5},
    {AXIS, "y", 0.9, -0.75, 0.3, -0.75, 0},
    {WORDS, "left side up > 0", -0.5, -0.75, 0, 0, 0},

    {VIEW, "Body in space, L5", 0, 0, 0, 0, 0}, /* oblique */
    {AXIS, "X", -1, -0.7, -0.3, -0.85, 0},
    {AXIS, "Y", -1, -0.7, -0.55, -0.35, 0},
    {AXIS, "Z", -1, -0.7, -1, 0.1, 0},
    {FORCE, "", -1, -0.7, 0.3, 0.1, 0},
    {WORDS, "place of O", 0.05, -0.3, 0, 0, 0},
    {AXIS, "x", 0.3, 0.1, 1.0, 0.25, 0},
    {AXIS, "y", 0.3, 0.1, 0.55, 0.62, 0},
    {AXIS, "z", 0.3, 0.1, 0.08, 0.78, 0},
    {WORDS, "turned by a quaternion", 0.6, -0.58, 0, 0, 0},
};

static void add_line(vd_picture *p, enum vd_stroke stroke, int hue, const double *x, const double *y, size_t count) {
  vd_picture_series *s = vd_kind_series(p, stroke, "", count);
  for (size_t i = 0; i < count; i++)
    vd_kind_point(s, x[i], y[i]);
  s->hue = hue;
  s->dash = hue > 0 ? 1 : 0;
}

static void add_words(vd_picture *p, const char *words, double x, double y) {
  if (*words)
    vd_kind_point(vd_kind_series(p, VD_STROKE_WORDS, words, 1), x, y);
}

/* Adds the head of an arrow at (x, y) that points in the direction of an angle. */
static void add_head(vd_picture *p, int hue, double x, double y, double angle) {
  const double size = 0.09, half = 0.4;
  add_line(p, VD_STROKE_RUN, hue, (double[]){x - size * vd_cos(angle + half), x, x - size * vd_cos(angle - half)},
           (double[]){y - size * vd_sin(angle + half), y, y - size * vd_sin(angle - half)}, 3);
}

static void add_arrow(vd_picture *p, int hue, const item *i) {
  const double angle = vd_atan2(i->d - i->b, i->c - i->a), beyond = 0.1 + 0.035 * (double)(strlen(i->text) - 1);
  const double along = fabs(vd_cos(angle)) > 0.7 ? beyond : 0.13;
  add_line(p, VD_STROKE_RUN, hue, (double[]){i->a, i->c}, (double[]){i->b, i->d}, 2);
  add_head(p, hue, i->c, i->d, angle);
  add_words(p, i->text, i->c + along * vd_cos(angle), i->d + along * vd_sin(angle));
}

static void add_arc(vd_picture *p, enum vd_stroke stroke, int hue, const item *i, double from, double to) {
  enum { POINTS = 49 };
  double x[POINTS], y[POINTS];
  for (int k = 0; k < POINTS; k++) {
    const double angle = from + (to - from) * k / (POINTS - 1);
    x[k] = i->a + i->c * vd_cos(angle);
    y[k] = i->b + i->c * vd_sin(angle);
  }
  add_line(p, stroke, hue, x, y, POINTS);
}

static void add_angle(vd_picture *p, int hue, const item *i) {
  const double degree = VD_PI / 180.0, from = i->d * degree, to = i->e * degree, middle = 0.5 * (from + to);
  const double out = i->c + 0.1 + 0.04 * (double)(vd_utf8_count(i->text, strlen(i->text)) - 1) * fabs(vd_cos(middle));
  add_arc(p, VD_STROKE_RUN, hue, i, from, to);
  add_head(p, hue, i->a + i->c * vd_cos(to), i->b + i->c * vd_sin(to), to + (to > from ? 0.5 : -0.5) * VD_PI);
  add_words(p, i->text, i->a + out * vd_cos(middle), i->b + out * vd_sin(middle));
}

static void add_box(vd_picture *p, const item *i) {
  const double angle = i->e * VD_PI / 180.0, c = vd_cos(angle), s = vd_sin(angle);
  static const double corner[5][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}, {-0.5, -0.5}};
  double x[5], y[5];
  for (int k = 0; k < 5; k++) {
    const double u = corner[k][0] * i->c, v = corner[k][1] * i->d;
    x[k] = i->a + u * c - v * s;
    y[k] = i->b + u * s + v * c;
  }
  add_line(p, VD_STROKE_SHAPE, 0, x, y, 5);
}

void vd_figure_axes(vd_drawing *out) {
  enum { OF_AXES = 1, OF_FORCES, OF_ANGLES };
  vd_picture *p = NULL;
  *out = (vd_drawing){.columns = 3, .under = ""};
  for (const item *i = items; i < items + VD_COUNT(items); i++)
    switch (i->kind) {
    case VIEW:
      p = vd_kind_panel(out, (int)out->panels, i->text, "", "", "");
      p->bare = p->equal = true;
      p->x_limits = (vd_picture_limits){true, true, -1.4, 1.4};
      p->y_limits = (vd_picture_limits){true, true, -1.0, 1.0};
      break;
    case LINE: add_line(p, VD_STROKE_SHAPE, 0, (double[]){i->a, i->c}, (double[]){i->b, i->d}, 2); break;
    case AXIS: add_arrow(p, OF_AXES, i); break;
    case FORCE: add_arrow(p, OF_FORCES, i); break;
    case ANGLE: add_angle(p, OF_ANGLES, i); break;
    case BOX: add_box(p, i); break;
    case CIRCLE: add_arc(p, VD_STROKE_SHAPE, 0, i, 0.0, 2.0 * VD_PI); break;
    case WORDS: add_words(p, i->text, i->a, i->b); break;
    }
}
