#include "rig.h"

#include "rk4.h"

#include <math.h>

static const char *const kind_names[] = {"vehicle", "tyre_rig", NULL};
static const char *const mode_names[] = {"steady", "transient", NULL};

#define STEADY    VD_WHEN(VD_RIG_STEADY)
#define TRANSIENT VD_WHEN(VD_RIG_TRANSIENT)

static const double most_rows = 1e8;

/* clang-format off */
static const vd_field axis_fields[] = {
  {VD_F_NUMBERS(vd_rig_axis, values, "values", "@", -1e9, 1e9, 0, "[]", "the values one by one")},
  {VD_F_NUMBER(vd_rig_axis, from, "from", "@", -1e9, 1e9, 0, "0", "first of evenly spaced values")},
  {VD_F_NUMBER(vd_rig_axis, to, "to", "@", -1e9, 1e9, 0, "0", "last of them")},
  {VD_F_INTEGER(vd_rig_axis, points, "points", 0, 1000000, "0", "how many; 0: the list counts")},
};

static const vd_schema axis_schema = {.name = "axis", .size = sizeof(vd_rig_axis), .field = axis_fields,
    .count = VD_COUNT(axis_fields), .shorthand = "values"};

#define AXIS(index, key, unit, def, text) VD_F_STRUCT(vd_rig_def, axis[index], vd_rig_axis, key, unit, &axis_schema, 0, def, text)

static const vd_field rig_fields[] = {
  {VD_F_CHOICE(vd_rig_def, kind, "kind", kind_names, NULL, "kind of scenario: tyre_rig")},
  {VD_F_STRING(vd_rig_def, title, "title", "\"\"", "one line, for people")},
  {VD_F_CHOICE(vd_rig_def, mode, "mode", mode_names, "steady", "steady: a grid of forces; transient: slips over time at every load, pressure, camber and speed")},
  {VD_F_STRUCT(vd_rig_def, tyre, vd_tyre_def, "tyre", "1", &vd_tyre_schema, VD_FILE, NULL, "the tyre")},
  {VD_F_NUMBER(vd_rig_def, wheel_radius, "wheel_radius", "m", 0, 5, VD_ABOVE, "0.32 m", "rolling radius, for tyres that do not know their own")},
  {VD_F_NUMBER(vd_rig_def, friction, "friction", "1", 0, 5, VD_ABOVE, "1", "of the ground, a factor on the tyre's")},
  {AXIS(VD_RIG_LOAD, "load", "N", "[4000]", "wheel load")},
  {AXIS(VD_RIG_PRESSURE, "pressure", "Pa", "[]", "inflation pressure; empty: the tyre's own")},
  {AXIS(VD_RIG_CAMBER, "camber", "rad", "[0]", "inclination of the wheel, its top to the right > 0 as with a left turn's roll")},
  {AXIS(VD_RIG_SPEED, "speed", "m/s", "[16.7]", "speed of the contact point along the wheel; < 0: backwards")},
  {AXIS(VD_RIG_KAPPA, "slip_ratios", "1", "[0]", "slip ratios"), .only = STEADY},
  {AXIS(VD_RIG_ALPHA, "slip_angles", "rad", "[0]", "slip angles"), .only = STEADY},
  {VD_F_STRUCT(vd_rig_def, slip_ratio, vd_profile, "slip_ratio", "1", &vd_profile_schema, 0, "0", "slip ratio over time"), .only = TRANSIENT},
  {VD_F_STRUCT(vd_rig_def, slip_angle, vd_profile, "slip_angle", "rad", &vd_profile_schema, 0, "0", "slip angle over time"), .only = TRANSIENT},
  {VD_F_NUMBER(vd_rig_def, duration, "duration", "s", 0, 1e6, VD_ABOVE, NULL, "length of each time history"), .only = TRANSIENT},
  {VD_F_NUMBER(vd_rig_def, step, "step", "s", 1e-6, 0.01, 0, "1 ms", "Runge-Kutta step"), .only = TRANSIENT},
  {VD_F_NUMBER(vd_rig_def, rate, "rate", "1/s", 0, 1e6, VD_ABOVE, "100 Hz", "rows per second, a whole fraction of the steps"), .only = TRANSIENT},
};
/* clang-format on */

const vd_schema vd_rig_schema = {
    .name = "tyre rig", .size = sizeof(vd_rig_def), .field = rig_fields, .count = VD_COUNT(rig_fields), .tag = "mode"};

static int axis_count(const vd_rig_axis *a) {
  return a->points > 0 ? a->points : (int)a->values.count;
}

static double axis_value(const vd_rig_axis *a, int i) {
  if (a->points == 0)
    return a->values.value[i];
  if (a->points == 1)
    return a->from;
  /* symmetrical about the middle, so that a sweep through zero meets it */
  double last = a->points - 1;
  return (a->from * (last - i) + a->to * i) / last;
}

/* What the axes may hold. */
static const struct {
  const char *key;
  double lowest, highest;
} axis_limits[VD_RIG_AXES] = {
    {"load", 0.0, 1e6},       {"pressure", 0.0, 1e7},         {"camber", -1.5, 1.5},
    {"speed", -200.0, 200.0}, {"slip_ratios", -100.0, 100.0}, {"slip_angles", -1.5708, 1.5708}};

static void check_axis(const vd_rig_def *def, int k, const vd_node *root, vd_diag *d) {
  const vd_rig_axis *a = &def->axis[k];
  vd_place at = vd_tree_place(root, axis_limits[k].key);
  if (a->points > 0 && a->values.count > 0)
    vd_error(d, at, "'%s' is a list or evenly spaced, not both", axis_limits[k].key);
  if (axis_count(a) == 0 && k != VD_RIG_PRESSURE)
    vd_error(d, at, "'%s' has no values", axis_limits[k].key);
  for (int i = 0; i < axis_count(a); i++) {
    double value = axis_value(a, i);
    if (!(value >= axis_limits[k].lowest && value <= axis_limits[k].highest)) {
      vd_error(d, at, "'%s' holds %.9g; it must stay within %g to %g", axis_limits[k].key, value, axis_limits[k].lowest,
               axis_limits[k].highest);
      return;
    }
  }
}

static void check(const vd_rig_def *def, const vd_node *root, vd_diag *d) {
  bool steady = def->mode == VD_RIG_STEADY;
  if (def->kind != 1)
    vd_error(d, vd_tree_place(root, "kind"), "a tyre rig is of kind tyre_rig");
  vd_tyre_check(&def->tyre, root, "tyre", d);
  for (int k = 0; k < (steady ? VD_RIG_AXES : VD_RIG_KAPPA); k++)
    check_axis(def, k, root, d);
  if (!steady) {
    double steps = def->duration / def->step, stride = 1.0 / (def->rate * def->step);
    if (!(steps >= 0.5) || fabs(steps - round(steps)) > 1e-6)
      vd_error(d, vd_tree_place(root, "duration"), "duration (%g s) is no whole number of steps (%g s)", def->duration,
               def->step);
    if (!(stride >= 0.5) || fabs(stride - round(stride)) > 1e-6)
      vd_error(d, vd_tree_place(root, "rate"), "rate (%g Hz) must be the steps' (%g Hz) or a whole fraction of it",
               def->rate, 1.0 / def->step);
    if (def->slip_ratio.type == VD_PROFILE_TABLE || def->slip_angle.type == VD_PROFILE_TABLE)
      if (*def->slip_ratio.file || *def->slip_angle.file)
        vd_error(d, root ? vd_tree_place(root, "slip_angle") : vd_tree_place(root, ""), "tables of a rig are points");
  }
  if (vd_diag_errors(d) == 0 && !((double)vd_rig_rows(def) <= most_rows))
    vd_error(d, vd_tree_place(root, ""), "the grid has more than %g rows", most_rows);
}

bool vd_rig_read_source(int source, const vd_setting *settings, size_t count, vd_arena *arena, vd_diag *d,
                        vd_rig_def *def) {
  vd_node *root;
  if (!vd_schema_read_source(&vd_rig_schema, source, settings, count, arena, d, def, &root))
    return false;
  vd_tyre_complete(&def->tyre, root, "tyre", arena, d);
  check(def, root, d);
  return vd_diag_errors(d) == 0;
}

static size_t combinations(const vd_rig_def *def) {
  size_t count = 1;
  int axes = def->mode == VD_RIG_STEADY ? VD_RIG_AXES : VD_RIG_KAPPA;
  for (int k = 0; k < axes; k++) {
    int values = axis_count(&def->axis[k]);
    count *= values > 0 ? (size_t)values : 1;
  }
  return count;
}

size_t vd_rig_rows(const vd_rig_def *def) {
  size_t each = def->mode == VD_RIG_STEADY ? 1 : (size_t)floor(def->duration * def->rate + 1e-6) + 1;
  return combinations(def) * each;
}

/* One point of the grid. */
typedef struct point {
  double value[VD_RIG_AXES]; /* pressure NAN: the tyre's own */
} point;

static point point_at(const vd_rig_def *def, size_t index) {
  point p = {{0.0}};
  int axes = def->mode == VD_RIG_STEADY ? VD_RIG_AXES : VD_RIG_KAPPA;
  for (int k = axes - 1; k >= 0; k--) {
    size_t values = (size_t)axis_count(&def->axis[k]);
    p.value[k] = values > 0 ? axis_value(&def->axis[k], (int)(index % values)) : NAN;
    index /= values > 0 ? values : 1;
  }
  return p;
}

static const char *const columns[] = {
    "fz_N",
    "pressure_Pa",
    "camber_rad",
    "vx_mps",
    "kappa",
    "alpha_rad",
    "fx_N",
    "fy_N",
    "mx_Nm",
    "my_Nm",
    "mz_Nm",
    "trail_m",
    "re_m",
    "rl_m",
    "mu_peak",
    "kappa_peak",
    "alpha_peak_rad",
    "slip_stiffness_N",
    "cornering_stiffness_Npr",
    "sigma_x_m",
    "sigma_y_m",
};

static void write_header(const vd_rig_def *def, vd_output *o) {
  if (def->mode == VD_RIG_TRANSIENT)
    vd_output_puts(o, "case,t_s,distance_m,kappa_input,alpha_input_rad,");
  for (size_t i = 0; i < VD_COUNT(columns); i++) {
    vd_output_puts(o, i ? "," : "");
    vd_output_puts(o, columns[i]);
  }
  vd_output_puts(o, "\n");
}

static vd_tyre tyre_at(const vd_rig_def *def, const point *p) {
  vd_tyre tyre;
  vd_tyre_build(&def->tyre, false, &tyre);
  if (!isnan(p->value[VD_RIG_PRESSURE]))
    vd_tyre_inflate(&tyre, p->value[VD_RIG_PRESSURE]);
  return tyre;
}

static size_t fill(const vd_rig_def *def, const vd_tyre *tyre, const point *p, double kappa, double tan_alpha,
                   const vd_tyre_answer *a, double *out) {
  size_t n = 0;
  const double value[] = {p->value[VD_RIG_LOAD],
                          vd_tyre_pressure(tyre),
                          p->value[VD_RIG_CAMBER],
                          p->value[VD_RIG_SPEED],
                          kappa,
                          atan(tan_alpha),
                          a->fx,
                          a->fy,
                          a->mx,
                          a->my,
                          a->mz,
                          a->trail,
                          isnan(a->rolling_radius) ? def->wheel_radius : a->rolling_radius,
                          a->loaded_radius,
                          a->mu_peak,
                          a->kappa_peak,
                          a->alpha_peak,
                          a->slip_stiffness,
                          a->cornering_stiffness,
                          a->sigma_x,
                          a->sigma_y};
  for (; n < VD_COUNT(value); n++)
    out[n] = value[n] + 0.0; /* no minus zeros */
  return n;
}

static void steady(const vd_rig_def *def, vd_output *o, enum vd_digits digits,
                   void (*progress)(void *context, double share), void *context) {
  size_t count = combinations(def);
  double row[VD_COUNT(columns)];
  for (size_t i = 0; i < count && !vd_output_error(o); i++) {
    point p = point_at(def, i);
    vd_tyre tyre = tyre_at(def, &p);
    vd_tyre_answer answer;
    double tan_alpha = tan(p.value[VD_RIG_ALPHA]);
    vd_tyre_question question = {.kappa = p.value[VD_RIG_KAPPA],
                                 .tan_alpha = tan_alpha,
                                 .vx = p.value[VD_RIG_SPEED],
                                 .camber = p.value[VD_RIG_CAMBER],
                                 .ground_friction = def->friction,
                                 .load = p.value[VD_RIG_LOAD],
                                 .radius = def->wheel_radius};
    vd_tyre_ask(&tyre, &question, &answer);
    vd_output_row(o, row, fill(def, &tyre, &p, p.value[VD_RIG_KAPPA], tan_alpha, &answer, row), digits);
    if (progress && i % 4096 == 0)
      progress(context, (double)i / (double)count);
  }
}

/* A time history: the wheel rolls along at the speed of the contact point and is turned and driven as the profiles say. */
typedef struct history {
  const vd_rig_def *def;
  const vd_tyre *tyre;
  const point *p;
  vd_relax relax;
  double kappa[3], tan_alpha[3]; /* at the start, middle and end of a step */
  vd_relaxing now;
  vd_tyre_answer answer;
} history;

static void ask(history *h, double kappa, double tan_alpha, const double *w, double *rate) {
  double v = h->p->value[VD_RIG_SPEED];
  h->now = (vd_relaxing){.vx = v,
                         .vy = fabs(v) * tan_alpha,
                         .slip_x = kappa * fabs(v),
                         .slip_y = -fabs(v) * tan_alpha,
                         .wx = w[0],
                         .wy = w[1]};
  vd_relax_slip(&h->relax, h->def->step, &h->now);
  vd_tyre_question question = {.kappa = h->now.kappa,
                               .tan_alpha = h->now.tan_alpha,
                               .vx = v,
                               .camber = h->p->value[VD_RIG_CAMBER],
                               .ground_friction = h->def->friction,
                               .load = h->p->value[VD_RIG_LOAD],
                               .radius = h->def->wheel_radius,
                               .moving = true,
                               .slip_x = h->now.slip_x,
                               .slip_y = h->now.slip_y,
                               .state_x = w[0],
                               .state_y = w[1],
                               .damper = h->now.damper,
                               .fastest = 1.0 / h->def->step};
  vd_tyre_ask(h->tyre, &question, &h->answer);
  rate[0] = h->relax.bristles ? h->answer.rate_x : h->now.rate_x;
  rate[1] = h->relax.bristles ? h->answer.rate_y : h->now.rate_y;
}

static void stage_rates(void *context, int stage, const double *w, double *rate) {
  static const int instant[] = {0, 1, 1, 2};
  history *h = context;
  ask(h, h->kappa[instant[stage]], h->tan_alpha[instant[stage]], w, rate);
}

static void inputs_at(history *h, int instant, double inside, double t) {
  double unused, angle;
  vd_profile_at(&h->def->slip_ratio, inside, t, &h->kappa[instant], &unused);
  vd_profile_at(&h->def->slip_angle, inside, t, &angle, &unused);
  h->tan_alpha[instant] = tan(angle);
}

/* From `from` to `to`, split at the corners of the profiles. */
static void advance(history *h, double from, double to, double *w) {
  while (from < to) {
    double snap = 1e-9 * h->def->step, end = to, k1[2];
    end = fmin(end, vd_profile_next_corner(&h->def->slip_ratio, from + snap));
    end = fmin(end, vd_profile_next_corner(&h->def->slip_angle, from + snap));
    if (end > to - snap)
      end = to;
    double inside = 0.5 * (from + end);
    inputs_at(h, 0, inside, from);
    inputs_at(h, 1, inside, inside);
    inputs_at(h, 2, inside, end);
    ask(h, h->kappa[0], h->tan_alpha[0], w, k1);
    vd_rk4(stage_rates, h, end - from, 2, k1, w);
    from = end;
  }
}

static void transient(const vd_rig_def *def, vd_output *o, enum vd_digits digits,
                      void (*progress)(void *context, double share), void *context) {
  size_t count = combinations(def);
  long steps = lround(def->duration / def->step), stride = lround(1.0 / (def->rate * def->step));
  double row[VD_COUNT(columns) + 5], damper;
  for (size_t i = 0; i < count && !vd_output_error(o); i++) {
    point p = point_at(def, i);
    vd_tyre tyre = tyre_at(def, &p);
    history h = {.def = def, .tyre = &tyre, .p = &p};
    double w[2] = {0.0}, rate[2];
    vd_relax_build(&tyre, 1.0, def->friction, p.value[VD_RIG_LOAD], 0.0, &h.relax);
    /* the tyre carries its own load as a mass */
    damper = vd_relax_damper(h.relax.stiffness_x, fmax(p.value[VD_RIG_LOAD], 1.0) / VD_GRAVITY, 0.0, def->step);
    vd_relax_build(&tyre, 1.0, def->friction, p.value[VD_RIG_LOAD], damper, &h.relax);
    for (long k = 0; k <= steps && !vd_output_error(o); k++) {
      double t = (double)k * def->step;
      if (k % stride == 0) {
        inputs_at(&h, 0, t + 0.5 * def->step, t);
        ask(&h, h.kappa[0], h.tan_alpha[0], w, rate);
        const double lead[] = {(double)i, t, fabs(p.value[VD_RIG_SPEED]) * t, h.kappa[0], atan(h.tan_alpha[0])};
        for (size_t c = 0; c < VD_COUNT(lead); c++)
          row[c] = lead[c] + 0.0;
        size_t n = fill(def, &tyre, &p, h.now.kappa, h.now.tan_alpha, &h.answer, row + VD_COUNT(lead));
        vd_output_row(o, row, n + VD_COUNT(lead), digits);
      }
      if (k < steps)
        advance(&h, t, t + def->step, w);
    }
    if (progress)
      progress(context, (double)i / (double)count);
  }
}

void vd_rig_run(const vd_rig_def *def, vd_output *o, enum vd_digits digits,
                void (*progress)(void *context, double share), void *context) {
  write_header(def, o);
  if (def->mode == VD_RIG_STEADY)
    steady(def, o, digits, progress, context);
  else
    transient(def, o, digits, progress, context);
}
