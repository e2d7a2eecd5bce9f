/* Two runs, and a run against a reference's curve. */
#include "validation/judge.h"

#include "base/base.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double allowed_in(const vd_tolerance *t, double of, const char *unit) {
  vd_tolerance own = *t;
  own.absolute = vd_quantity_in(unit, t->absolute);
  return vd_tolerance_allowed(&own, of);
}

/* --- two runs --- */

/* What the runs are called in a picture. */
typedef struct run_labels {
  char text[2][48];
  const char *a, *b;
} run_labels;

static void label_runs(const vd_case *c, run_labels *l) {
  const vd_claim_def *def = c->claim->def;
  bool mirror = def->kind == VD_CLAIM_MIRROR;
  l->a = mirror ? "run" : vd_picture_label(&def->set, "this run", l->text[0], sizeof l->text[0]);
  l->b = mirror ? "mirrored" : vd_picture_label(&def->against_set, "the other", l->text[1], sizeof l->text[1]);
  if (strcmp(l->a, l->b) == 0) {
    l->a = "this run";
    l->b = "the other";
  }
}

static void draw_histories(const vd_case *c, const vd_performed *a, const vd_performed *b) {
  size_t index[2], count;
  const vd_channel *table = vd_kind_channels(a->kind, &count);
  const char *along_unit, *along = vd_performed_order(a, &along_unit);
  run_labels l;
  if (!c->how->pictures || a->histories > 1 || b->histories > 1)
    return;
  label_runs(c, &l);
  for (size_t n = vd_picture_channels(c->claim, index), i = 0; i < n; i++) {
    const vd_channel *channel = &table[index[i]];
    const double *v = a->value[index[i]], *w = b->value[index[i]];
    vd_picture *p =
        v && w && a->steps > 1 ? vd_case_picture(c, channel->name, along, along_unit, channel->unit, 0.0) : NULL;
    vd_picture_add(p, VD_STROKE_RUN, l.a, a->t, v, a->steps);
    vd_picture_add(p, VD_STROKE_OTHER, l.b, b->t, w, b->steps);
  }
}

static void compare_figures(const vd_case *c, const vd_performed *a, const vd_performed *b) {
  const vd_claim_def *def = c->claim->def;
  const char *unit = "1";
  char why[320], name[96];
  double x, y;
  if (vd_said(def->metric)) {
    x = vd_performed_metric(a, def->metric, &unit, why, sizeof why);
    y = isnan(x) ? NAN : vd_performed_metric(b, def->metric, NULL, why, sizeof why);
    snprintf(name, sizeof name, "%s", def->metric);
  } else {
    enum vd_claim_of of = (enum vd_claim_of)def->of;
    unit = c->claim->channel->unit;
    x = vd_performed_figure(a, c->claim->channel, of, def->from, def->to, why, sizeof why);
    y = isnan(x) ? NAN : vd_performed_figure(b, c->claim->channel, of, def->from, def->to, why, sizeof why);
    snprintf(name, sizeof name, "%s of %s", vd_claim_of_names[of], c->claim->channel->name);
  }
  if (isnan(x) || isnan(y))
    vd_case_refuse(c, "%s", why);
  else
    vd_case_compare(c, y, x, allowed_in(&c->claim->tolerance, y, unit), unit, name);
  draw_histories(c, a, b);
}

/* The value at a time, on a straight line between steps; on a step exactly its own. Of a steady rig, in a row. */
static double value_at(const vd_performed *p, const double *v, double t) {
  double place = (t - p->t[0]) / p->step, nearest = round(place);
  if (fabs(place - nearest) < 1e-6 && nearest < (double)p->steps)
    return v[(size_t)nearest];
  size_t i = (size_t)place;
  return i + 1 < p->steps ? v[i] + (place - (double)i) * (v[i + 1] - v[i]) : v[p->steps - 1];
}

typedef struct pair {
  const vd_performed *a, *b;
  size_t first, last; /* rows of a */
} pair;

/* Both, the other one with its sign, and what is allowed about it where it is compared. */
static void draw_pair(const vd_case *c, const pair *two, const vd_channel *channel, const double *w, double sign,
                      double allowed, double worst) {
  const vd_performed *a = two->a, *b = two->b;
  const char *along_unit, *along = vd_performed_order(a, &along_unit);
  vd_picture *p = a->steps < 2 ? NULL
                               : vd_case_picture(c, channel->name, along, along_unit, channel->unit,
                                                 allowed > 0.0 ? worst / allowed : worst);
  if (!p)
    return;
  run_labels l;
  size_t rows = two->last - two->first + 1;
  double *other = malloc((b->steps + 1) * sizeof *other), *there = malloc((rows + 1) * sizeof *there);
  if (!other || !there)
    abort();
  for (size_t i = 0; i < b->steps; i++)
    other[i] = sign * w[i];
  for (size_t i = 0; i < rows; i++)
    there[i] = value_at(b, other, a->t[two->first + i]);
  label_runs(c, &l);
  vd_picture_add(p, VD_STROKE_RUN, l.a, a->t, a->value[vd_channel_index(a->kind, channel)], a->steps);
  vd_picture_add(p, VD_STROKE_OTHER, l.b, b->t, other, b->steps);
  vd_picture_band(p, a->t + two->first, there, rows, allowed);
  free(other);
  free(there);
}

/* Of a rig: what the model of the tyre does not say. */
static bool is_unsaid(const vd_performed *p, double value) {
  return p->kind == VD_KIND_TYRE_RIG && isnan(value);
}

static bool says_nothing(const vd_performed *p, const vd_channel *channel) {
  const double *v = p->value[vd_channel_index(p->kind, channel)];
  for (size_t i = 0; i < p->steps; i++)
    if (!is_unsaid(p, v[i]))
      return false;
  return true;
}

/* Every row of a; the tolerance is of the greatest magnitude of either in the window. */
static void compare_channel(const vd_case *c, const pair *two, const vd_channel *channel) {
  const vd_channel *other = c->claim->def->kind == VD_CLAIM_MIRROR ? vd_channel_mirror(channel) : channel;
  bool turns = c->claim->def->kind == VD_CLAIM_MIRROR && (channel->levels & VD_CHANNEL_TURNS);
  const double *v = two->a->value[vd_channel_index(two->a->kind, channel)],
               *w = two->b->value[vd_channel_index(two->b->kind, other)];
  double peak = 0.0, worst = -1.0, got = NAN, expected = NAN, when = 0.0;
  char name[96];
  for (size_t i = two->first; i <= two->last; i++) {
    double there = value_at(two->b, w, two->a->t[i]), sign = turns ? -1.0 : 1.0, d = fabs(v[i] - sign * there);
    if (is_unsaid(two->a, v[i]) && is_unsaid(two->b, there))
      continue;
    peak = fmax(peak, fmax(fabs(v[i]), fabs(there)));
    if (d > worst || isnan(d)) {
      worst = isnan(d) ? INFINITY : d;
      got = v[i];
      expected = sign * there;
      when = two->a->t[i];
    }
  }
  double allowed = allowed_in(&c->claim->tolerance, peak, channel->unit);
  if (c->claim->def->kind == VD_CLAIM_MIRROR) /* the sum of numbers that cancel is not zero to the last bit */
    allowed += 1e-7 * vd_channel_tolerated(channel->unit).absolute;
  snprintf(name, sizeof name, "%s %s %.6g%s", channel->name, two->a->timeless ? "in row" : "at", when,
           two->a->timeless ? "" : " s");
  vd_case_compare(c, expected, got, allowed, channel->unit, name);
  draw_pair(c, two, channel, w, turns ? -1.0 : 1.0, c->how->scale * allowed, worst);
}

static bool ends_alike(const vd_case *c, const vd_performed *a, const vd_performed *b) {
  double x = a->t[a->steps - 1], y = b->t[b->steps - 1];
  return !isnan(c->claim->def->to) || fabs(x - y) <= 1e-3 * fmin(a->step, b->step) ||
         vd_case_refuse(c,
                        a->timeless
                            ? "one rig has %.9g rows, the other %.9g"
                            : "one run ends at %.9g s, the other at %.9g s: say how far they are compared with 'to'",
                        x, y);
}

static void compare_channels(const vd_case *c, const vd_performed *a, const vd_performed *b) {
  const vd_claim_def *def = c->claim->def;
  size_t count, compared = 0, first, last;
  const vd_channel *table = vd_kind_channels(a->kind, &count);
  pair two = {.a = a, .b = b};
  char why[200];
  if (!ends_alike(c, a, b))
    return;
  if (!vd_performed_window(b, def->from, def->to, &first, &last, why, sizeof why) ||
      !vd_performed_window(a, def->from, def->to, &two.first, &two.last, why, sizeof why)) {
    vd_case_refuse(c, "%s", why);
    return;
  }
  /* one that is called by its name must be there, of those that fit a glob whatever both have */
  for (size_t i = 0; i < def->channels.count; i++)
    for (size_t k = 0; k < count; k++) {
      if (strcmp(table[k].name, def->channels.name[i]) != 0)
        continue;
      if (!vd_performed_channel(a, &table[k], why, sizeof why) ||
          !vd_performed_channel(b, &table[k], why, sizeof why)) {
        vd_case_refuse(c, "%s", why);
        return;
      }
      if (says_nothing(a, &table[k]) && says_nothing(b, &table[k])) {
        vd_case_refuse(c, "the tyre's model says nothing of '%s'", table[k].name);
        return;
      }
    }
  for (size_t k = 0; k < count; k++)
    if (c->claim->channels[k] && a->value[k] && b->value[k] &&
        !(says_nothing(a, &table[k]) && says_nothing(b, &table[k]))) {
      compare_channel(c, &two, &table[k]);
      compared++;
    }
  if (compared == 0)
    vd_case_refuse(c, "the two runs have none of the channels in common");
}

void vd_judge_agreement(const vd_case *c, const vd_performed *a, const vd_performed *b) {
  if (vd_said(c->claim->def->metric) || vd_said(c->claim->def->channel))
    compare_figures(c, a, b);
  else
    compare_channels(c, a, b);
}

/* --- boundaries: ISO 19364 and ISO 19365 ---
 *
 * An ellipse with the half axes e_x = offset + gain |x| and e_y likewise is swept along the curve of the run; a point
 * of the reference is inside if some ellipse covers it. So its distance from the curve, where lengths along x count in
 * e_x and along y in e_y, is at most 1. */

typedef struct curve {
  const vd_claim_curve *def;
  const double *x, *y;
  size_t count;
  double scale; /* of the tolerances */
} curve;

static double half_axis(double offset, double gain, double value) {
  return offset + gain * fabs(value);
}

/* Distance of a point from a piece of the curve, in tolerances. Without a tolerance along x it is taken upwards. */
static double distance(const curve *c, size_t i, double px, double py) {
  double x0 = c->x[i], y0 = c->y[i], dx = c->x[i + 1] - x0, dy = c->y[i + 1] - y0;
  double ex = half_axis(c->def->x_offset, c->def->x_gain, x0 + 0.5 * dx);
  double ey = half_axis(c->def->y_offset, c->def->y_gain, y0 + 0.5 * dy);
  if (!(ex > 0.0)) {
    double slack = 1e-9 * (fabs(x0) + fabs(dx));
    if (px < fmin(x0, x0 + dx) - slack || px > fmax(x0, x0 + dx) + slack)
      return INFINITY;
    double at = dx != 0.0 ? y0 + dy * (px - x0) / dx : y0, off = fabs(py - at);
    return off == 0.0 ? 0.0 : off / ey;
  }
  if (!(ey > 0.0))
    return INFINITY;
  double ux = dx / ex, uy = dy / ey, rx = (px - x0) / ex, ry = (py - y0) / ey, length = ux * ux + uy * uy;
  double share = length > 0.0 ? fmin(fmax((rx * ux + ry * uy) / length, 0.0), 1.0) : 0.0;
  return hypot(rx - share * ux, ry - share * uy);
}

static double nearest(const curve *c, double px, double py) {
  double best = INFINITY;
  for (size_t i = 0; i + 1 < c->count; i++) {
    double d = distance(c, i, px, py);
    best = d < best ? d : best;
  }
  return best;
}

/* The boundaries as lines, for pictures: the envelope of the ellipses, at (-dy e_x^2, dx e_y^2)/sqrt((dx e_y)^2 + (dy
 * e_x)^2) from the curve on either side. */
static void draw_boundaries(vd_picture *p, const curve *k) {
  double *x = malloc(k->count * sizeof *x), *y = malloc(k->count * sizeof *y);
  if (!x || !y)
    abort();
  for (int side = 1; side >= -1; side -= 2) {
    for (size_t i = 0; i < k->count; i++) {
      size_t from = i > 0 ? i - 1 : 0, to = i + 1 < k->count ? i + 1 : i;
      double dx = k->x[to] - k->x[from], dy = k->y[to] - k->y[from];
      double ex = k->scale * half_axis(k->def->x_offset, k->def->x_gain, k->x[i]),
             ey = k->scale * half_axis(k->def->y_offset, k->def->y_gain, k->y[i]);
      double d = hypot(dx * ey, dy * ex);
      x[i] = k->x[i] + (d > 0.0 ? -side * dy * ex * ex / d : 0.0);
      y[i] = k->y[i] + (d > 0.0 ? side * dx * ey * ey / d : side * ey);
    }
    vd_picture_add(p, side > 0 ? VD_STROKE_UPPER : VD_STROKE_LOWER, "boundaries", x, y, k->count);
  }
  free(x);
  free(y);
}

static void judge_curve(const vd_case *c, const vd_claim_curve *def, const vd_performed *run, size_t first,
                        size_t last) {
  char why[200], name[96];
  const double *x = vd_performed_channel(run, def->x, why, sizeof why), *y = NULL;
  if (x)
    y = vd_performed_channel(run, def->y, why, sizeof why);
  if (!x || !y) {
    vd_case_refuse(c, "%s", why);
    return;
  }
  curve k = {def, x + first, y + first, last - first + 1, c->how->scale};
  size_t inside = 0, counted = 0;
  double worst = -1.0, where = NAN;
  bool timed = strcmp(def->x->name, "t_s") == 0;
  for (size_t i = 0; i < def->count; i++) {
    double px = def->reference_x[i], py = def->reference_y[i];
    if (timed && (px < c->claim->def->from || px > c->claim->def->to)) /* of NAN neither */
      continue;
    double d = nearest(&k, px, py);
    counted++;
    inside += d <= k.scale;
    if (!(d <= worst)) {
      worst = d;
      where = px;
    }
  }
  if (counted == 0) {
    vd_case_refuse(c, "the reference has no row between the times");
    return;
  }
  snprintf(name, sizeof name, "%.30s, worst at %.20s = %.6g, %.1f %% inside", def->y->name, def->x->name, where,
           100.0 * (double)inside / (double)counted);
  vd_case_compare(c, 0.0, worst, 1.0, "tolerances", name);
  double share = k.scale > 0.0 ? worst / k.scale : worst;
  vd_picture *p = vd_case_picture(c, def->y->name, timed ? "time" : def->x->name, def->x->unit, def->y->unit, share);
  if (!p)
    return;
  vd_picture_add(p, VD_STROKE_RUN, "run", k.x, k.y, k.count);
  vd_picture_add(p, def->count > 60 ? VD_STROKE_OTHER : VD_STROKE_POINTS, "reference", def->reference_x,
                 def->reference_y, def->count);
  draw_boundaries(p, &k);
}

void vd_judge_boundary(const vd_case *c, const vd_performed *run) {
  size_t first, last;
  char why[200];
  if (!vd_performed_window(run, c->claim->def->from, c->claim->def->to, &first, &last, why, sizeof why)) {
    vd_case_refuse(c, "%s", why);
    return;
  }
  for (size_t i = 0; i < c->claim->curve_count && c->out->reason[0] == '\0'; i++)
    judge_curve(c, &c->claim->curves[i], run, first, last);
}
