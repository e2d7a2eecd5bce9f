#include "kc/tables.h"

#include "compliance/compliance.h"
#include "kc/kc_impl.h"
#include "kc/sweep_impl.h"
#include "linkage/linkage_map.h"
#include "linkage/wheel_tables.h"

#include <math.h>
#include <string.h>

/* m: range of the travel, its step in tables over the travel alone, and its step in tables over two inputs */
static const double most_travel = 0.12, travel_step = 0.01, grid_step = 0.02;
static const double axle_step = 0.01;                                        /* m, step of the rack of an axle */
static const double most_steer = 0.62, less_steer = 0.05, least_steer = 0.2; /* rad, mean steer angle of both wheels */

static vd_kc_range even(double most, double step) {
  int half = (int)ceil(most / step - 1e-9);
  return (vd_kc_range){-half * step, half * step, 2 * half + 1};
}

/* Returns whether drag link and tie rod reach a rack at the ends of both travels. turn: rad, mean angle of the knuckles
 * about their kingpins at travel 0. */
static bool axle_reaches(const vd_linkage *l, double travel, double rack, double *turn) {
  vd_pose pose;
  for (int corner = 0; corner < 4; corner++) {
    const double u[VD_INPUTS] = {corner & 1 ? -travel : travel, corner & 2 ? -travel : travel};
    vd_linkage_start(l, &pose);
    if (vd_linkage_move_racked(l, u, rack, &pose) != VD_LINKAGE_OK)
      return false;
  }
  vd_linkage_start(l, &pose);
  pose.gear = rack;
  *turn = 0.5 * fabs(vd_knuckle_turn(l, &pose, false).v + vd_knuckle_turn(l, &pose, true).v);
  return true;
}

/* Returns the range of an axle's rack. It is longer to one side than to the other, since it ends at the same mean angle
 * on both sides. Steps are shorter than those of other racks because the rods are close to their dead points. */
static vd_kc_range axle_rack(const vd_linkage *l, double travel) {
  vd_kc_range r = {.points = 1};
  double most = most_steer;
  for (int round = 0; round < 2; round++) {
    double least = most;
    r = (vd_kc_range){.points = 1};
    for (int side = -1; side <= 1; side += 2) {
      double turn = 0.0, *end = side < 0 ? &r.from : &r.to;
      while (turn < most && axle_reaches(l, travel, *end + side * axle_step, &turn)) {
        *end += side * axle_step;
        r.points++;
      }
      least = vd_min(least, turn);
    }
    most = least;
  }
  return r;
}

/* Returns whether the wheel and its rockers reach a travel with every value of the other input. */
static bool reaches(const vd_linkage *l, double travel, const vd_kc_range *second) {
  vd_pose pose;
  for (int j = 0; j < second->points; j++) {
    const double u[VD_INPUTS] = {travel, vd_kc_value(second, j)};
    vd_linkage_start(l, &pose);
    if (vd_linkage_move(l, u, &pose) != VD_LINKAGE_OK || vd_kc_stuck_rocker(l, &pose))
      return false;
  }
  return true;
}

static bool reaches_all(const vd_linkage *l, const vd_kc_range *travel, const vd_kc_range *second) {
  for (int i = 0; i < travel->points; i++)
    if (!reaches(l, vd_kc_value(travel, i), second))
      return false;
  return true;
}

/* Shortens a range to what the wheel reaches: each end separately, or both ends alike for joined wheels. */
static void shorten_travel(const vd_linkage *l, bool joined, double step, vd_kc_range *travel) {
  const vd_kc_range alone = {.points = 1};
  while (joined && travel->to > step && !reaches_all(l, travel, travel))
    *travel = even(travel->to - step, step);
  for (int side = 0; !joined && side < 2; side++) {
    double *end = side ? &travel->to : &travel->from;
    while (fabs(*end) > step && !reaches(l, *end, &alone)) {
      *end -= side ? step : -step;
      travel->points--;
    }
  }
}

void vd_kc_tables_ranges(const vd_corner *corner, vd_kc_range *travel, vd_kc_range *rack) {
  enum vd_map_status status;
  vd_arena *arena = vd_arena_create();
  const vd_linkage_map *map = NULL;
  vd_linkage l;
  const bool kingpins = corner->points.steer.given, joined = vd_linkage_joins(corner->points.type);
  const bool built = vd_linkage_build(&corner->points, VD_EACH, &l), steered = built && vd_kc_steered(&l);
  const double step = steered || joined ? grid_step : travel_step;
  *travel = even(most_travel, step);
  if (built)
    shorten_travel(&l, joined, step, travel);
  *rack = kingpins ? axle_rack(&l, travel->to) : vd_kc_plan_default().range[VD_KC_RACK];
  for (double most = most_steer; steered && !kingpins && !map && most > least_steer; most -= less_steer)
    map = vd_linkage_map_create(corner, 2.0 * grid_step, most, arena, &status);
  if (map)
    *rack = even(-map->rack.from, grid_step);
  while (steered && !kingpins && rack->to > grid_step && !reaches_all(&l, travel, rack))
    *rack = even(rack->to - grid_step, grid_step);
  vd_arena_destroy(arena);
}

/* The table of one of the wheels, as a left wheel. */
typedef struct table {
  const vd_kc_range *travel, *second, *gear; /* gear: rack of a steered axle; NULL: it has none */
  const char *second_name;                   /* NULL: the table is over the travel alone */
  double side;                               /* factor of the rack: -1 for the mirror image of a right wheel */
  bool joined;
  const vd_corner *corner;
  enum vd_digits digits;
  vd_linkage linkage;
  vd_compliance *elastic; /* NULL: there are no bushings */
  vd_buf *out;
  vd_kc_report *report;
} table;

/* Columns of the tables of both wheels; the knuckle's spin follows them. */
static const enum vd_kc_figure path[] = {VD_FIGURE_TOE, VD_FIGURE_CAMBER, VD_FIGURE_WHEEL_X,
                                         VD_FIGURE_HALF_TRACK_CHANGE};
static const enum vd_kc_figure spin = VD_FIGURE_KNUCKLE_SPIN;

/* Further columns, for people and for vdsim-xcheck, which compares curves over each input. */
static const enum vd_kc_figure more[] = {VD_FIGURE_CASTER,  VD_FIGURE_KPI,          VD_FIGURE_WHEEL_Y,
                                         VD_FIGURE_PATCH_X, VD_FIGURE_PATCH_Y,      VD_FIGURE_SCRUB,
                                         VD_FIGURE_TRAIL,   VD_FIGURE_MOTION_RATIO, VD_FIGURE_ROLL_CENTRE_Z};

static void name_column(enum vd_kc_figure figure, vd_buf *out) {
  vd_buf_printf(out, ",%s", vd_kc_figures[figure].column);
}

static void name_columns(const enum vd_kc_figure *figure, size_t count, vd_buf *out) {
  for (size_t i = 0; i < count; i++)
    name_column(figure[i], out);
}

static void write_values(const enum vd_kc_figure *figure, size_t count, const vd_kc_row *row, enum vd_digits digits,
                         vd_buf *out) {
  for (size_t i = 0; i < count; i++)
    vd_kc_field(row ? vd_kc_figure_value(figure[i], row) : NAN, digits, out);
}

static void header(const table *t) {
  const vd_hardpoints *p = &t->linkage.points;
  vd_buf_puts(t->out, vd_kc_figures[VD_FIGURE_TRAVEL].column);
  if (t->second_name)
    vd_buf_printf(t->out, ",%s", t->second_name);
  if (t->gear)
    name_column(VD_FIGURE_RACK, t->out);
  name_columns(path, VD_COUNT(path), t->out);
  if (t->gear) {
    name_column(VD_FIGURE_WHEEL_Z, t->out);
    vd_buf_puts(t->out, ",kingpin_turn_deg");
  }
  name_column(spin, t->out);
  if (p->spring.given)
    name_column(VD_FIGURE_SPRING_LENGTH, t->out);
  if (p->damper.given)
    name_column(VD_FIGURE_DAMPER_LENGTH, t->out);
  if (t->elastic)
    vd_buf_puts(t->out, ",bushing_energy_J,bushing_toe_deg,bushing_camber_deg,bushing_x_mm,bushing_y_mm,"
                        "bushing_spin_deg");
  name_columns(more, VD_COUNT(more), t->out);
  vd_buf_puts(t->out, "\n");
}

static void add(const table *t, double value) {
  vd_kc_field(value, t->digits, t->out);
}

/* Adds the effect of the bushings without load: their energy, and the displacement of the wheel from its place on rigid
 * links. False: there is no equilibrium. */
static bool bushings(const table *t, const vd_pose *rigid) {
  static const vd_wheel_load none;
  static const enum vd_kc_figure shift[] = {VD_FIGURE_TOE, VD_FIGURE_CAMBER, VD_FIGURE_WHEEL_X, VD_FIGURE_WHEEL_Y,
                                            VD_FIGURE_KNUCKLE_SPIN};
  vd_compliance_state state = {.pose = *rigid};
  vd_kc_state from, to;
  vd_pose bare;
  double springs;
  if (!vd_compliance_rigid(t->elastic, rigid->u, &bare, &springs) ||
      !vd_compliance_settle(t->elastic, rigid->u, &none, &state))
    return false;
  vd_kc_place_at(&t->linkage, rigid, &from);
  vd_kc_place_at(&t->linkage, &state.pose, &to);
  add(t, state.energy - springs);
  const vd_kc_row before = vd_kc_row_of(&t->linkage, &from), after = vd_kc_row_of(&t->linkage, &to);
  for (size_t i = 0; i < VD_COUNT(shift); i++)
    add(t, vd_kc_figures[shift[i]].scale * (vd_kc_figure_si(shift[i], &after) - vd_kc_figure_si(shift[i], &before)));
  return true;
}

static bool row(const table *t, const double *at, const vd_pose *pose) {
  const vd_hardpoints *p = &t->linkage.points;
  const vd_element *element[] = {&p->spring, &p->damper};
  const double mm = 1e3;
  const double travel = at[VD_TABLE_TRAVEL], second = at[VD_TABLE_SECOND], gear = at[VD_TABLE_GEAR];
  bool along = !t->second_name ||
               (t->joined ? travel == second && (travel == 0.0 || gear == 0.0) : travel == 0.0 || second == 0.0);
  const vd_kc_view parallel = {.along = {1.0, t->joined ? 1.0 : 0.0}};
  vd_kc_state s;
  if (along)
    vd_kc_state_in_view(t->corner, &t->linkage, pose, &parallel, &s);
  else {
    vd_pose knuckle;
    vd_knuckle_pose(&t->linkage, pose, false, &knuckle);
    vd_kc_place_at(&t->linkage, &knuckle, &s);
  }
  if (t->linkage.beam) /* parallel travel has no roll centre */
    s.roll_centre_z = NAN;
  const vd_kc_row r = vd_kc_row_of(&t->linkage, &s);
  vd_kc_number(mm * travel, t->digits, t->out);
  if (t->second_name)
    add(t, mm * (t->joined ? second : t->side * second));
  if (t->gear)
    add(t, mm * t->side * gear);
  write_values(path, VD_COUNT(path), &r, t->digits, t->out);
  if (t->gear) {
    add(t, vd_kc_figure_value(VD_FIGURE_WHEEL_Z, &r));
    add(t, 180.0 / VD_PI * vd_knuckle_turn(&t->linkage, pose, false).v);
  }
  add(t, vd_kc_figure_value(spin, &r));
  for (size_t k = 0; k < VD_COUNT(element); k++) {
    double length = element[k]->given ? vd_element_length(&t->linkage, pose, element[k]).v : 0.0;
    if (isnan(length))
      return false;
    if (element[k]->given)
      add(t, mm * length);
  }
  if (t->elastic && !bushings(t, pose))
    return false;
  write_values(more, VD_COUNT(more), along ? &r : NULL, t->digits, t->out);
  vd_buf_puts(t->out, "\n");
  t->report->rows++;
  return true;
}

/* Writes the rows at both travels, or at travel and rack; for an axle that steers, the rows of all its racks. */
static bool write_rows(const table *t, double travel, double second) {
  const double u[VD_INPUTS] = {travel, second}, mm = 1e3;
  vd_pose pose;
  vd_linkage_start(&t->linkage, &pose);
  bool good = vd_linkage_move(&t->linkage, u, &pose) == VD_LINKAGE_OK;
  for (int k = 0; good && k < (t->gear ? t->gear->points : 1); k++) {
    pose.gear = t->gear ? t->side * vd_kc_value(t->gear, k) : 0.0;
    const double at[VD_TABLE_COORDINATES] = {travel, second, pose.gear};
    good = vd_knuckles_reach(&t->linkage, &pose) && row(t, at, &pose);
  }
  if (!good && t->gear)
    vd_kc_message(t->report, "drag link and tie rod do not reach travels of %.9g and %.9g mm with %.9g mm of rack",
                  mm * travel, mm * second, mm * t->side * pose.gear);
  else if (!good)
    vd_kc_message(t->report, "the wheel cannot reach travel %.9g mm with %.9g mm of %s; it goes to %.4g mm, %.4g mm",
                  mm * travel, mm * second, t->second_name ? t->second_name : "rack", mm * pose.u[0], mm * pose.u[1]);
  return good;
}

static bool write_table(const table *t) {
  header(t);
  for (int i = 0; i < t->travel->points; i++)
    for (int j = 0; j < (t->second_name ? t->second->points : 1); j++) {
      double second = t->second_name ? vd_kc_value(t->second, j) : 0.0;
      if (!write_rows(t, vd_kc_value(t->travel, i), t->joined ? second : t->side * second))
        return false;
    }
  return true;
}

/* --- compliance --- */

enum { LOAD_POINTS = 17 };

const char *const vd_kc_load_columns[VD_RIG_LOADS] = {"fx_drive_N", "fx_brake_N", "fy_N", "mz_Nm"};
static const enum vd_kc_sweep sweep_of[VD_RIG_LOADS] = {VD_KC_FX_CENTRE, VD_KC_FX, VD_KC_FY, VD_KC_MZ};

static void load_row(const vd_linkage *l, const vd_wheel_load *load, const vd_pose *pose, enum vd_digits digits,
                     vd_buf *out) {
  vd_wheel_load own = *load;
  vd_kc_state s;
  vd_kc_place_at(l, pose, &s);
  const vd_kc_row row = vd_kc_row_of(l, &s);
  vd_kc_number(1e3 * pose->u[0], digits, out);
  for (int k = 0; k < VD_RIG_LOADS; k++)
    vd_kc_field(*vd_kc_load_part(&own, sweep_of[k]), digits, out);
  write_values(path, VD_COUNT(path), &row, digits, out);
  write_values(&spin, 1, &row, digits, out);
  vd_buf_puts(out, "\n");
}

/* Writes the rows of one load as far as there are equilibria. The computation goes from no load to either side, so that
 * each equilibrium starts from its neighbour. */
static void write_load(const vd_linkage *l, vd_compliance *c, double travel, int k, double most, enum vd_digits digits,
                       vd_buf *out) {
  const double u[VD_INPUTS] = {travel, 0.0};
  enum { HALF = LOAD_POINTS / 2 };
  vd_compliance_state at[LOAD_POINTS], state;
  vd_wheel_load load[LOAD_POINTS] = {{.fx = 0.0}};
  bool found[LOAD_POINTS] = {false};
  for (int side = -1; side <= 1; side += 2) {
    vd_linkage_start(l, &state.pose);
    bool there = vd_linkage_move(l, u, &state.pose) == VD_LINKAGE_OK;
    for (int i = 0; there && i <= HALF; i++) {
      int row = HALF + side * i;
      *vd_kc_load_part(&load[row], sweep_of[k]) = side * most * i / HALF;
      if (!vd_compliance_solve(c, u, &load[row], &state))
        break;
      at[row] = state;
      found[row] = true;
    }
  }
  for (int row = 0; row < LOAD_POINTS; row++)
    if (found[row] && (k == 0 || row != HALF)) /* the row without load is written only once */
      load_row(l, &load[row], &at[row].pose, digits, out);
}

bool vd_kc_tables_compliance(const vd_corner *corner, const double *height, size_t heights, enum vd_digits digits,
                             vd_buf *out) {
  static const double arm = 0.025; /* m, moment divided by force */
  double most = isnan(corner->wheel_load) ? 8000.0 : 2.0 * corner->wheel_load;
  vd_linkage linkage;
  if (vd_linkage_joins(corner->points.type) || !vd_kc_elastic(corner) ||
      !vd_linkage_build(&corner->points, VD_EACH, &linkage))
    return false;
  vd_compliance *elastic = vd_compliance_create(corner, &linkage, VD_HOLD_CENTRE);
  vd_buf_puts(out, vd_kc_figures[VD_FIGURE_TRAVEL].column);
  for (int k = 0; k < VD_RIG_LOADS; k++)
    vd_buf_printf(out, ",%s", vd_kc_load_columns[k]);
  name_columns(path, VD_COUNT(path), out);
  name_column(spin, out);
  vd_buf_puts(out, "\n");
  for (size_t i = 0; i < heights; i++)
    for (int k = 0; k < VD_RIG_LOADS; k++)
      write_load(&linkage, elastic, height[i], k, k != VD_RIG_MZ ? most : arm * most, digits, out);
  vd_compliance_destroy(elastic);
  return true;
}

/* Writes the left wheel's table, and its compliance. */
static bool write_left(table *t, vd_kc_tables *out) {
  if (t->joined || !vd_kc_elastic(t->corner))
    return write_table(t);
  t->elastic = vd_compliance_create(t->corner, &t->linkage, VD_HOLD_CENTRE);
  static const double height[] = {0.0, -0.05, 0.05};
  bool far = t->travel->from <= height[1] && t->travel->to >= height[2], good = write_table(t);
  if (good)
    vd_kc_tables_compliance(t->corner, height, far ? VD_COUNT(height) : 1, t->digits, &out->compliance);
  vd_compliance_destroy(t->elastic);
  t->elastic = NULL;
  return good;
}

bool vd_kc_tables_write(const vd_corner *corner, const vd_kc_range *travel, const vd_kc_range *rack,
                        enum vd_digits digits, vd_kc_tables *out, vd_kc_report *report) {
  vd_hardpoints other;
  *out = (vd_kc_tables){.left = {0}};
  *report = (vd_kc_report){.rows = 0};
  table t = {.travel = travel,
             .second = rack,
             .digits = digits,
             .corner = corner,
             .side = 1.0,
             .out = &out->left,
             .report = report};
  if (!vd_kc_build(&corner->points, VD_EACH, &t.linkage, report))
    return false;
  if (vd_linkage_joins(corner->points.type)) {
    t.second = travel;
    t.second_name = "other_travel_mm";
    t.gear = corner->points.steer.given ? rack : NULL;
    t.joined = true;
  } else if (vd_kc_steered(&t.linkage)) {
    t.second_name = vd_kc_figures[VD_FIGURE_RACK].column;
  }
  if (!write_left(&t, out))
    return false;
  if (!vd_hardpoints_mirror(&corner->points, &other))
    return true;
  t.out = &out->right;
  t.side = -1.0;
  return vd_linkage_build(&other, VD_EACH, &t.linkage) && write_table(&t);
}

void vd_kc_tables_yaml(const vd_corner *corner, const char *name, bool compliance, vd_buf *out) {
  vd_buf_printf(out, VD_KC_TABLES_START "'%s', for the key `kc` of an axle.\n", corner->name);
  vd_buf_printf(out, "tables: %s.csv\n", name);
  if (vd_linkage_traits_of(corner->points.type)->axle && !corner->final_drive_on_body)
    vd_buf_puts(out, "live: true\n");
  if (compliance)
    vd_buf_printf(out, "compliance: {tables: %s_compliance.csv, radius: %.9g mm}\n", name,
                  1e3 * corner->points.static_radius);
}
