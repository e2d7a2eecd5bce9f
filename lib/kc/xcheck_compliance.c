#include "kc/tables.h"
#include "kc/xcheck.h"

#include "base/elementary.h"
#include "compliance/wheel_compliance_def.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const enum vd_kc_figure figures[VD_DISPLACEMENTS] = {
    [VD_DISPLACEMENT_TOE] = VD_FIGURE_TOE,           [VD_DISPLACEMENT_CAMBER] = VD_FIGURE_CAMBER,
    [VD_DISPLACEMENT_X] = VD_FIGURE_WHEEL_X,         [VD_DISPLACEMENT_Y] = VD_FIGURE_HALF_TRACK_CHANGE,
    [VD_DISPLACEMENT_CONTACT_Y] = VD_FIGURE_PATCH_Y, [VD_DISPLACEMENT_SPIN] = VD_FIGURE_KNUCKLE_SPIN};

const vd_compliance_curve *vd_xcheck_compliance_curve(const vd_wheel_compliance *c, enum vd_kc_figure figure,
                                                      enum vd_rig_load load) {
  for (int q = 0; q < VD_DISPLACEMENTS; q++)
    if (figures[q] == figure && c->of[q][load].count > 0)
      return &c->of[q][load];
  return NULL;
}

/* Computes the compliance of a corner at the travels of a table, with the rows that vdsim-kc-sweep --tables writes. */
static bool of_corner(const vd_corner *corner, const vd_wheel_compliance *like, vd_arena *arena, vd_diag *d,
                      vd_wheel_compliance *out) {
  double height[VD_XCHECK_HEIGHTS] = {0.0};
  size_t heights = 1;
  vd_buf text = {0};
  for (size_t i = 0; i < like->heights && heights < VD_XCHECK_HEIGHTS; i++)
    height[heights++] = like->height[i].travel;
  bool good = vd_kc_tables_compliance(corner, height, heights, VD_DIGITS_EXACT, &text);
  int source = vd_diag_add_source(d, corner->name, text.text ? text.text : "", text.length);
  if (!good)
    vd_error(d, (vd_place){.source = source},
             "'%s' is rigid, or joins its wheels; there is no compliance to compare with a table's", corner->name);
  else
    good = vd_wheel_compliance_read_source(source, arena, d, out);
  vd_buf_finish(&text);
  return good;
}

/* Returns the curves at a travel; NULL: the table has none there. */
static const vd_compliance_curve (*curves_at(const vd_wheel_compliance *c, double travel))[VD_RIG_LOADS] {
  const double same = 1e-6; /* m */
  if (fabs(travel) < same)
    return c->of;
  for (size_t i = 0; i < c->heights; i++)
    if (fabs(c->height[i].travel - travel) < same)
      return c->height[i].of;
  return NULL;
}

/* Compares two curves at those rows of one curve that lie within the range of the other. */
static void compare_curve(const vd_compliance_curve *a, const vd_compliance_curve *b, double scale,
                          vd_xcheck_tolerance tolerance, vd_verdict *v, double *at) {
  const vd_compliance_curve *rows = a->count > 0 ? a : b;
  double span = 0.0, most = -1.0;
  *at = rows->load[rows->count - 1];
  v->reference = v->candidate = NAN;
  for (size_t i = 0; a->count > 0 && b->count > 0 && i < rows->count; i++) {
    double load = rows->load[i], reference = scale * vd_compliance_curve_at(a, load),
           candidate = scale * vd_compliance_curve_at(b, load);
    if (load < b->load[0] || load > b->load[b->count - 1])
      continue;
    span = vd_max(span, fabs(reference));
    if (!(fabs(candidate - reference) <= most)) {
      most = fabs(candidate - reference);
      *at = load;
      v->reference = reference + 0.0;
      v->candidate = candidate + 0.0;
    }
  }
  vd_xcheck_judge((vd_xcheck_tolerance){0.0, vd_max(tolerance.absolute, tolerance.relative * span)}, v);
  if (a->count == 0 || b->count == 0) {
    v->kind = VD_VERDICT_ABSENT;
    v->reference = a->count ? scale * vd_compliance_curve_at(a, *at) : NAN;
    v->candidate = b->count ? scale * vd_compliance_curve_at(b, *at) : NAN;
  }
}

static void compare_height(const vd_wheel_compliance *a, const vd_wheel_compliance *b, double travel,
                           vd_xcheck_tolerance tolerance, vd_verdicts *out) {
  const vd_compliance_curve(*x)[VD_RIG_LOADS] = curves_at(a, travel), (*y)[VD_RIG_LOADS] = curves_at(b, travel);
  for (int q = 0; x && y && q < VD_DISPLACEMENTS; q++)
    for (int j = 0; j < VD_RIG_LOADS; j++) {
      const vd_kc_figure_info *f = &vd_kc_figures[figures[q]];
      const char *name = q == VD_DISPLACEMENT_CONTACT_Y ? "contact_y_mm" : f->column; /* the name that rigs use */
      vd_verdict v = {.unit = f->unit, .gain = -1, .at = NAN};
      double at;
      bool other_place =
          q == VD_DISPLACEMENT_CONTACT_Y && x[q][j].count + y[q][j].count > 0 && x[q][j].count * y[q][j].count == 0;
      if ((x[q][j].count == 0 && y[q][j].count == 0) || other_place)
        continue;
      compare_curve(&x[q][j], &y[q][j], f->scale, tolerance, &v, &at);
      int length = snprintf(v.metric, sizeof v.metric, "%s@%s=%.9g", name, vd_kc_load_columns[j], at);
      if (travel != 0.0)
        snprintf(v.metric + length, sizeof v.metric - (size_t)length, "@travel_mm=%.9g", 1e3 * travel);
      out->row[out->count++] = v;
      out->failed += v.kind != VD_VERDICT_PASS;
    }
}

bool vd_xcheck_compliance(const vd_xcheck_side *reference, const vd_xcheck_side *candidate,
                          vd_xcheck_tolerance tolerance, vd_arena *arena, vd_diag *d, vd_verdicts *out) {
  const vd_xcheck_side *side[2] = {reference, candidate};
  vd_wheel_compliance made[2];
  const vd_wheel_compliance *of[2];
  for (int i = 0; i < 2; i++) {
    const vd_wheel_compliance *like = side[1 - i]->compliance;
    of[i] = side[i]->compliance ? side[i]->compliance : &made[i];
    if (!side[i]->compliance && side[i]->corner && like) {
      if (!of_corner(side[i]->corner, like, arena, d, &made[i]))
        return false;
    } else if (!side[i]->compliance)
      return vd_error(d, (vd_place){.source = -1},
                      "a table of compliance is compared with such a table or with a suspension");
  }
  compare_height(of[0], of[1], 0.0, tolerance, out);
  for (size_t i = 0; i < of[0]->heights && i + 1 < VD_XCHECK_HEIGHTS; i++)
    compare_height(of[0], of[1], of[0]->height[i].travel, tolerance, out);
  return true;
}
