/* Units and sources of the figures, and how a figure is read. */
#include "kc/figures.h"

#include "base/vec.h"

#define DEGREES          (180.0 / VD_PI)
#define WORDS(n)         .name = n, .column = n, .unit = ""
#define DEG(n)           .name = n, .column = n "_deg", .unit = "deg", .si = "rad", .scale = DEGREES
#define MM(n)            .name = n, .column = n "_mm", .unit = "mm", .si = "m", .scale = 1e3
#define METRE(n)         .name = n, .column = n "_m", .unit = "m", .si = "m", .scale = 1.0
#define NEWTON(n)        .name = n, .column = n "_N", .unit = "N", .si = "N", .scale = 1.0
#define NEWTON_METRE(n)  .name = n, .column = n "_Nm", .unit = "N m", .si = "N m", .scale = 1.0
#define NEWTON_PER_MM(n) .name = n, .column = n "_Npmm", .unit = "N/mm", .si = "N/m", .scale = 1e-3
#define DEG_PER_MM(n)    .name = n, .column = n "_degpmm", .unit = "deg/mm", .si = "rad/m", .scale = 0.18 / VD_PI
#define PERCENT(n)       .name = n, .column = n "_pct", .unit = "%", .si = "1", .scale = 100.0
#define RATIO(n)         .name = n, .column = n, .unit = "1", .si = "1", .scale = 1.0
#define SLOPE(n)         .name = n, .column = n, .unit = "mm/mm", .si = "1", .scale = 1.0
#define OTHER(n, u, s)   .name = n, .column = n, .unit = u, .scale = s
/* figures computed in these units; compliances are computed per N and N m */
#define COMPUTED_PERCENT(n) OTHER(n, "%", 1.0)
#define DEG_PER_DEG(n)      OTHER(n, "deg/deg", 1.0)
#define NM_PER_DEG(n)       OTHER(n, "N m/deg", 1.0)
#define DEG_PER_KN(n)       OTHER(n, "deg/kN", 1e3 * DEGREES)
#define DEG_PER_100_NM(n)   OTHER(n, "deg/(100 N m)", 1e2 * DEGREES)
#define MM_PER_KN(n)        OTHER(n, "mm/kN", 1e6)

#define WORD(m)  .source = VD_FROM_WORD, .offset = offsetof(vd_kc_row, m)
#define INPUT(m) .source = VD_FROM_ROW, .offset = offsetof(vd_kc_row, m)
#define JET(m)   .source = VD_FROM_JET, .offset = offsetof(vd_kc_state, m)
#define RATE(m)  .source = VD_FROM_RATE, .offset = offsetof(vd_kc_state, m)
#define STATE(m) .source = VD_FROM_STATE, .offset = offsetof(vd_kc_state, m)
#define AXLE(m)  .source = VD_FROM_AXLE, .offset = offsetof(vd_kc_axle, m)

#define COMPUTED .source = VD_FROM_METRICS
#define MIRRORED .mirrored = true,
#define OUTWARD  .outward = true,

#define INFO(id, label, from, text) [VD_FIGURE_##id] = {label, from, .help = text},
const vd_kc_figure_info vd_kc_figures[VD_FIGURES] = {VD_KC_COLUMN_ROWS(INFO) VD_KC_METRIC_ROWS(INFO)};

vd_kc_row vd_kc_row_of(const vd_linkage *l, const vd_kc_state *s) {
  return (vd_kc_row){.along = {1.0, l->axle ? 1.0 : 0.0}, .design_y = l->points.wheel_center[1], .state = s};
}

static const void *member(const vd_kc_figure_info *f, const void *object) {
  return (const char *)object + f->offset;
}

double vd_kc_figure_si(enum vd_kc_figure figure, const vd_kc_row *row) {
  const vd_kc_figure_info *f = &vd_kc_figures[figure];
  const double origin = f->outward ? row->design_y : 0.0;
  switch (f->source) {
  case VD_FROM_METRICS:
  case VD_FROM_WORD: break;
  case VD_FROM_ROW: return *(const double *)member(f, row);
  case VD_FROM_JET: return ((const vd_jet *)member(f, row->state))->v - origin;
  case VD_FROM_RATE: return vd_jet_along(*(const vd_jet *)member(f, row->state), row->along);
  case VD_FROM_STATE: return *(const double *)member(f, row->state);
  case VD_FROM_AXLE: return row->axle ? *(const double *)member(f, row->axle) : NAN;
  }
  return NAN;
}

double vd_kc_figure_value(enum vd_kc_figure figure, const vd_kc_row *row) {
  const vd_kc_figure_info *f = &vd_kc_figures[figure];
  return (f->mirrored && row->right ? -f->scale : f->scale) * vd_kc_figure_si(figure, row);
}

const char *vd_kc_figure_word(enum vd_kc_figure figure, const vd_kc_row *row) {
  const vd_kc_figure_info *f = &vd_kc_figures[figure];
  return f->source == VD_FROM_WORD ? *(const char *const *)member(f, row) : NULL;
}
