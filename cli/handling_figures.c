/* The figures of the summary, and the ranges that are published for classes of cars. The ranges come from the table
 * that the claims on the shipped cars use, too; its names are CLASS_FIGURE_from and CLASS_FIGURE_to. */
#include "handling.h"
#include "html.h"

#include "tool.h"

#include "input/quantity.h"
#include "input/table.h"

#include <math.h>
#include <string.h>

static const char *const ranges_file = "validation/data/classes/ranges.csv";

/* clang-format off */
static const struct figure {
  const char *name, *metric;
  bool falls;        /* the figure is the metric with the opposite sign */
  const char *range; /* name of the range in the table; NULL: the table has none */
  const char *set;   /* set of metrics that the manoeuvre must have; NULL: any manoeuvre that has the metric */
  double at_most;    /* greatest value that a regulation allows; 0: no limit */
  int course;        /* enum vd_path_type of the manoeuvre; VD_PATH_NONE: any */
} figures[] = {
  {.name = "Understeer gradient", .metric = "understeer_gradient_deg_per_g", .range = "understeer"},
  {.name = "Roll gradient", .metric = "roll_gradient_rad_per_mps2", .range = "roll"},
  {.name = "Side slip gradient, without the part of the geometry", .metric = "sideslip_own_gradient_rad_per_mps2",
    .falls = true, .range = "sideslip"},
  {.name = "Greatest steady lateral acceleration", .metric = "steady_ay_limit_mps2"},
  {.name = "Steering wheel angle at 0.3 g (A)", .metric = "sis_angle_rad"},
  {.name = "Step: yaw rate at 90 % after", .metric = "yaw_rate_response_time_s", .range = "yaw_time"},
  {.name = "Step: lateral acceleration at 90 % after", .metric = "ay_response_time_s", .range = "ay_time"},
  {.name = "Step: overshoot of the yaw rate", .metric = "yaw_rate_overshoot", .range = "overshoot"},
  {.name = "Sine with dwell: yaw rate 1 s after, share of the peak", .metric = "swd_yaw_ratio_100", .at_most = 0.35},
  {.name = "Sine with dwell: yaw rate 1.75 s after, share of the peak",
    .metric = "swd_yaw_ratio_175", .at_most = 0.2},
  {.name = "Sine with dwell: displacement", .metric = "swd_displacement_m", .range = "displacement"},
  {.name = "Frequency at which the yaw rate lags by 45 deg", .metric = "response_45deg_Hz"},
  {.name = "On centre: steering sensitivity", .metric = "weave_sensitivity_g_per_100deg"},
  {.name = "Obstacle avoidance of ISO 3888-2: clean up to an entry speed of", .metric = "passing_speed_mps",
    .range = "avoidance", .course = VD_PATH_ISO3888_2},
  {.name = "Double lane change of ISO 3888-1: clean up to",
    .metric = "passing_speed_mps", .course = VD_PATH_ISO3888_1},
  {.name = "Slalom: clean up to", .metric = "passing_speed_mps", .course = VD_PATH_SLALOM},
  {.name = "Braking in a turn: yaw rate after 1 s, relative to before", .metric = "turn_brake_yaw_ratio_1"},
  {.name = "Power-off in a turn: yaw rate after 1 s, relative to before", .metric = "power_off_yaw_ratio_1"},
  {.name = "Static stability factor", .metric = "static_stability_factor", .range = "stability_factor"},
  {.name = "Heave frequency", .metric = "heave_frequency_Hz", .range = "heave"},
  {.name = "Pitch frequency", .metric = "pitch_frequency_Hz"},
  {.name = "Front hop frequency", .metric = "front_hop_frequency_Hz", .range = "hop"},
  {.name = "Rear hop frequency", .metric = "rear_hop_frequency_Hz", .range = "hop"},
  {.name = "From standstill to the end speed", .metric = "acceleration_time_s", .range = "sprint"},
  {.name = "Stopping distance", .metric = "stopping_distance_m", .range = "stop", .set = "stopping"},
  {.name = "Split friction: steering within 2 s", .metric = "split_wheel_2_rad", .at_most = 120.0 * VD_PI / 180.0},
  {.name = "Drive cycle: energy of the battery", .metric = "cycle_battery_Wh_per_km"},
  {.name = "Drive cycle: range", .metric = "cycle_range_m"},
};
/* clang-format on */

/* Returns the class in a name CLASS_RANGE_END, with blanks for underscores; NULL: the name has another form. */
static const char *class_of(const char *name, const char *range, const char *end, vd_arena *arena) {
  const char *tail = vd_arena_printf(arena, "_%s_%s", range, end);
  size_t length = strlen(name), of_tail = strlen(tail);
  if (length <= of_tail || strcmp(name + length - of_tail, tail) != 0)
    return NULL;
  char *class = vd_arena_copy(arena, name, length - of_tail);
  for (char *c = class; *c; c++)
    *c = *c == '_' ? ' ' : *c;
  return class;
}

static vd_class_range *range_of(vd_handling_figure *f, const char *class) {
  for (size_t i = 0; i < f->ranges; i++)
    if (strcmp(f->range[i].class, class) == 0)
      return &f->range[i];
  if (f->ranges == VD_CLASSES)
    return NULL;
  f->range[f->ranges] = (vd_class_range){.class = class, .from = -INFINITY, .to = INFINITY};
  return &f->range[f->ranges++];
}

/* Adds the ranges of a figure from the table. */
static void add_ranges(const vd_cells *table, const char *range, vd_handling_figure *f, vd_arena *arena) {
  int name = vd_cells_column(table, "name"), number = vd_cells_column(table, "value");
  int unit = vd_cells_column(table, "unit"), source = vd_cells_column(table, "source");
  for (size_t row = 0; range && row < table->rows && name >= 0 && number >= 0 && unit >= 0 && source >= 0; row++) {
    const char *const *cell = &table->text[row * table->columns];
    const char *lower = class_of(cell[name], range, "from", arena), *upper = class_of(cell[name], range, "to", arena);
    vd_class_range *r = lower || upper ? range_of(f, lower ? lower : upper) : NULL;
    vd_unit in;
    double value;
    if (!r || !vd_cells_number(table, row, (size_t)number, &value) ||
        !vd_quantity_unit(cell[unit], strlen(cell[unit]), &in))
      continue;
    *(lower ? &r->from : &r->to) = vd_unit_to_si(in, value);
    r->source = cell[source];
  }
}

static bool has_set(const vd_report_run *r, const char *key) {
  bool has = !key;
  for (size_t i = 0; key && i < r->sets; i++)
    has |= r->set[i] && strcmp(r->set[i]->key, key) == 0;
  return has;
}

/* Sets the values of a figure from the first manoeuvre that has its metric. False: no manoeuvre has it. */
static bool find_values(const vd_handling *h, const struct figure *wanted, vd_handling_figure *f) {
  bool found = false;
  for (size_t m = 0; m < h->programme.manoeuvres.count && !found; m++)
    for (size_t c = 0; c < h->cars; c++) {
      const vd_report_run *r = vd_handling_run(h, m, c);
      const bool is_of = has_set(r, wanted->set) && (wanted->course == VD_PATH_NONE || wanted->course == r->course);
      const vd_metric *metric = is_of ? vd_report_metric(r, wanted->metric) : NULL;
      vd_unit unit;
      f->value[c] = NAN;
      if (!metric)
        continue;
      f->unit = metric->unit;
      f->value[c] = wanted->falls ? -metric->value : metric->value;
      if (vd_quantity_unit(metric->unit, strlen(metric->unit), &unit))
        f->value[c] = vd_unit_to_si(unit, f->value[c]);
      found |= isfinite(metric->value);
      f->manoeuvre = m;
    }
  return found;
}

double vd_handling_shown(const vd_handling_figure *f, double si, const char **unit) {
  vd_unit in;
  *unit = f->unit;
  bool other = vd_quantity_unit(f->unit, strlen(f->unit), &in) && in.numerator != in.denominator;
  return other ? vd_quantity_in(f->unit, si) : vd_html_customary(si, unit);
}

void vd_handling_find_figures(vd_handling *h) {
  static const char esc[] = "FMVSS 126, for cars with stability control";
  vd_diag *d = vd_diag_create();
  vd_cells table = {0};
  int source;
  const char *file = vd_tool_find(ranges_file);
  if (!vd_schema_slurp(file, d, &source) || !vd_cells_read(source, h->arena, d, &table))
    table.rows = 0;
  for (size_t i = 0; i < VD_COUNT(figures) && h->figures < VD_FIGURES; i++) {
    vd_handling_figure *f = &h->figure[h->figures];
    f->value = vd_arena_alloc(h->arena, h->cars * sizeof *f->value);
    f->name = figures[i].name;
    f->metric = figures[i].metric;
    if (!find_values(h, &figures[i], f))
      continue;
    add_ranges(&table, figures[i].range, f, h->arena);
    if (figures[i].at_most > 0.0)
      *range_of(f, esc) = (vd_class_range){esc, "49 CFR 571.126", -INFINITY, figures[i].at_most};
    h->figures++;
  }
  vd_diag_destroy(d);
}
