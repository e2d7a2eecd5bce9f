/* The compliance matrix of an axle: reciprocity, differences of the second solver, the wheel rate, the anti-roll bar,
 * and the factors built from it. */
#include "balance_corner.h"
#include "input/schema.h"
#include "kc/matrix.h"
#include "linkages.h"
#include "linkage/corner_def.h"

#include <stdio.h>

static bool read_file(const char *name, const vd_setting *set, size_t sets, vd_arena *arena, vd_corner *corner) {
  char path[128];
  vd_diag *d = vd_diag_create();
  snprintf(path, sizeof path, "scenarios/suspensions/%s.yaml", name);
  bool good = vd_corner_read(path, set, sets, arena, d, corner, NULL);
  vd_diag_destroy(d);
  return good;
}

static bool matrix_of(const vd_corner *c, const vd_kc_plan *plan, vd_kc_matrix *m) {
  vd_kc_report report;
  bool good = vd_kc_matrix_of(c, plan, m, &report);
  vd_buf_finish(&report.messages);
  return good;
}

/* --- reciprocity --- */

/* Checks the symmetry of forces with a potential (Maxwell and Betti). Errors in the blocks of lengths, of angles and in
 * mixed ones are relative to their largest entry; the condition number multiplies rounding by 1e4. */
static void test_reciprocity(const char *name) {
  vd_arena *arena = vd_arena_create();
  vd_corner c;
  vd_kc_plan plan = vd_kc_plan_default();
  double worst = 0.0;
  bool good = read_file(name, NULL, 0, arena, &c);
  c.antiroll_stiffness = 12000.0;
  plan.motion = vd_linkage_joins(c.points.type) ? VD_OPPOSITE : VD_PARALLEL;
  plan.travel = 0.025;
  plan.load.centre[0] = 800.0;
  vd_kc_matrix m;
  good = good && matrix_of(&c, &plan, &m);
  double most[2][2] = {{0.0}};
  for (int i = 0; i < VD_AXLE_FREEDOMS && good; i++)
    for (int j = 0; j < VD_AXLE_FREEDOMS; j++)
      most[i % 6 > 2][j % 6 > 2] = tap_max(most[i % 6 > 2][j % 6 > 2], fabs(m.of.c[i][j]));
  for (int i = 0; i < VD_AXLE_FREEDOMS && good; i++)
    for (int j = 0; j < VD_AXLE_FREEDOMS; j++)
      worst = tap_max(worst, fabs(m.of.c[i][j] - m.of.c[j][i]) / most[i % 6 > 2][j % 6 > 2]);
  tap_near(good ? worst : NAN, 0.0, 1e-9, "%s: the matrix is symmetric", name);
  vd_arena_destroy(arena);
}

/* --- the second solver --- */

/* Replaces the jack by a constant force of its size. */
static balance_part *release(balance_rig *r, balance_part *wheel, double jack) {
  wheel->support = SUPPORT_NONE;
  balance_part *load = balance_add(&r->scene, DEAD_LOAD, GROUND, wheel->b, wheel->point);
  load->force[2] = jack;
  return load;
}

/* Finds the place of a wheel, and the directions of three axes fixed in the wheel, from which `moved` finds a small
 * rotation. */
static void place_of(const balance_rig *r, const balance_part *wheel, double *at, double axes[3][3]) {
  balance_place(&r->scene, wheel->b, wheel->point, at);
  for (int k = 0; k < 3; k++) {
    const double axis[3] = {k == 0, k == 1, k == 2};
    balance_turned(&r->scene, wheel->b, axis, axes[k]);
  }
}

/* Computes the displacement of a wheel, and its rotation, half of the sum of the cross products of the axes before and
 * after, exact to the second order. */
static void moved(const balance_rig *r, const balance_part *wheel, double at[3], double axes[3][3], double *motion) {
  double now[3], turned[3][3];
  place_of(r, wheel, now, turned);
  for (int i = 0; i < 3; i++) {
    motion[i] = now[i] - at[i];
    motion[3 + i] = 0.0;
    for (int k = 0; k < 3; k++)
      motion[3 + i] +=
          0.5 * (axes[k][(i + 1) % 3] * turned[k][(i + 2) % 3] - axes[k][(i + 2) % 3] * turned[k][(i + 1) % 3]);
  }
}

/* Compares columns with central differences of 40 N and 10 N m, extrapolated with half of these loads. The error is
 * 1e-6 of a column, as the second solver ends at 1e-11 m, and displacements are about 1e-5 m. */
static void test_differences(const char *name, double travel, double rack) {
  vd_arena *arena = vd_arena_create();
  vd_corner c;
  vd_kc_matrix m;
  vd_kc_plan plan = vd_kc_plan_default();
  bool good = read_file(name, NULL, 0, arena, &c), axle = vd_linkage_joins(c.points.type);
  plan.travel = travel;
  plan.rack = rack;
  plan.load = (vd_wheel_load){.fx = -900.0, .fy = 1200.0, .fz = 4200.0, .mz = 30.0};
  good = good && matrix_of(&c, &plan, &m) && m.hold == VD_HOLD_FREE;
  const double u[VD_INPUTS] = {travel, axle ? travel : rack};
  balance_rig r;
  balance_corner(&c, rack, balance_spring_load(&c, c.wheel_load), &r);
  double rise[VD_INPUTS];
  balance_rises(&c, u, rack, rise);
  good = good && balance_hold(&r, VD_HOLD_CENTRE, c.wheel_load, rise, &plan.load);
  const double jack[2] = {balance_multiplier(&r.scene, r.wheel, 0),
                          axle ? balance_multiplier(&r.scene, r.right, 0) : 0.0};
  balance_part *const dead[2] = {release(&r, r.wheel, jack[0]), axle ? release(&r, r.right, jack[1]) : NULL};
  int wheels = axle ? 2 : 1;
  double worst = 0.0;
  for (int j = 0; j < 6 * wheels && good; j++) {
    double column[2][12], motion[2][12], most[2] = {0.0, 0.0}, start[2][3], axes[2][3][3];
    good = balance_solve(&r.scene, 1);
    place_of(&r, r.wheel, start[0], axes[0]);
    if (axle)
      place_of(&r, r.right, start[1], axes[1]);
    for (int half = 0; half < 2; half++) {
      double size = (j % 6 < 3 ? 40.0 : 10.0) / (1 + half);
      for (int sign = 0; sign < 2; sign++) {
        double *part = j % 6 < 3 ? &dead[j / 6]->force[j % 6] : &dead[j / 6]->moment[j % 6 - 3];
        double before = *part;
        *part += sign ? -size : size;
        good = good && balance_solve(&r.scene, 1);
        for (int k = 0; k < wheels; k++)
          moved(&r, k ? r.right : r.wheel, start[k], axes[k], &motion[sign][6 * k]);
        *part = before;
      }
      for (int i = 0; i < 6 * wheels; i++)
        column[half][i] = (motion[0][i] - motion[1][i]) / (2.0 * size);
    }
    for (int i = 0; i < 6 * wheels; i++)
      most[i % 6 > 2] = tap_max(most[i % 6 > 2], fabs(m.of.c[i][j]));
    for (int i = 0; i < 6 * wheels; i++)
      worst = tap_max(worst, fabs((4.0 * column[1][i] - column[0][i]) / 3.0 - m.of.c[i][j]) / most[i % 6 > 2]);
  }
  tap_near(good ? worst : NAN, 0.0, 1e-6, "%s at travel %g mm, rack %g mm: every column is the second solver's", name,
           1e3 * travel, 1e3 * rack);
  vd_arena_destroy(arena);
}

/* --- springs --- */

static vd_corner sprung(void) {
  vd_corner c = corner_of(corner_points[DW_FRONT_SPORTS]);
  c.spring_rate = 9e4;
  c.spring_load = 7600.0;
  return c;
}

/* Tests the matrix of rigid links, in which only the travel remains: its stiffness is the wheel rate k MR^2 + F dMR/dz
 * by kinematics, with the spring's rate k and force F, and the motion ratio MR, spring per travel z, since a constant
 * vertical force at the wheel centre adds no stiffness. The matrix has rank one. */
static void test_wheel_rate(double travel) {
  vd_corner c = sprung();
  vd_kc_plan plan = vd_kc_plan_default();
  vd_kc_matrix m;
  plan.load.fz = 0.0;
  plan.travel = travel;
  bool good = matrix_of(&c, &plan, &m);
  vd_linkage l = build(&c.points, VD_PARALLEL);
  vd_kc_state s = state_at(&c, &l, travel, 0.0);
  tap_near(good ? 1.0 / m.of.c[2][2] / s.wheel_rate : NAN, 1.0, 1e-9,
           "travel %g mm: the wheel rate is that of kinematics", 1e3 * travel);
  double motion[6];
  for (int i = 0; i < 6; i++)
    motion[i] = m.of.c[i][2] / m.of.c[2][2];
  const vd_kc_displacement yield = vd_kc_displacement_of(m.of.spin[0], m.of.contact[0], 1.0, motion);
  tap_near(yield.camber, s.camber.d[0], 1e-9,
           "travel %g mm: the camber change under a vertical load is that of the travel", 1e3 * travel);
  tap_near(yield.toe, s.toe.d[0], 1e-9, "travel %g mm: the toe change under a vertical load is that of the travel",
           1e3 * travel);
  tap_near(m.of.c[0][2] / m.of.c[2][2], s.wheel_x.d[0], 1e-9,
           "travel %g mm: the wheel centre moves ahead under a vertical load as by the travel", 1e3 * travel);
  tap_near(m.of.c[8][8], m.of.c[2][2], 1e-15, "travel %g mm: the right wheel has the flexibility of the left wheel",
           1e3 * travel);
  tap_ok(m.of.c[7][8] == -m.of.c[1][2] && m.of.c[9][8] == -m.of.c[3][2] && m.of.c[10][8] == m.of.c[4][2] &&
             m.of.c[11][8] == -m.of.c[5][2] && m.of.c[0][8] == 0.0,
         "travel %g mm: the right wheel is mirrored, and independent of the left one", 1e3 * travel);
}

/* Tests that a bar of stiffness K adds 2 K/T^2 to the rate of each wheel in opposite travel, and nothing in parallel
 * travel. T is the distance of the contact points. */
static void test_bar(void) {
  vd_corner c = sprung(), barred = c;
  vd_kc_plan plan = vd_kc_plan_default();
  vd_kc_matrix without, with;
  barred.antiroll_stiffness = 15000.0;
  bool good = matrix_of(&c, &plan, &without) && matrix_of(&barred, &plan, &with);
  double track = 2.0 * c.points.wheel_center[1];
  double parallel = with.of.c[2][2] + with.of.c[2][8], opposed = with.of.c[2][2] - with.of.c[2][8];
  tap_near(good ? parallel / without.of.c[2][2] : NAN, 1.0, 1e-12, "an anti-roll bar does nothing in phase");
  tap_near(1.0 / opposed - 1.0 / without.of.c[2][2], 2.0 * 15000.0 / (track * track), 1e-6,
           "an anti-roll bar adds 2 K/T^2 at each wheel in opposed motion, N/m");
  vd_kc_metrics metrics;
  vd_kc_report report;
  double rate[2] = {NAN, NAN};
  for (int k = 0; k < 2; k++) {
    vd_kc_metrics_of(k ? &barred : &c, &plan, &metrics, &report);
    for (size_t i = 0; i < metrics.count; i++)
      if (metrics.metric[i].figure == VD_FIGURE_ROLL_RATE)
        rate[k] = metrics.metric[i].value;
    vd_buf_finish(&report.messages);
  }
  tap_near(rate[1] - rate[0], 15000.0 / degree, 1e-9,
           "an anti-roll bar adds its whole stiffness to the roll rate, N m/deg");
  /* the springs of wheels at a track T give k T^2/2, with k the rate per rise of the contact point */
  vd_linkage l = build(&c.points, VD_PARALLEL);
  vd_kc_state s = state_at(&c, &l, 0.0, 0.0);
  double by_contact = s.wheel_rate / (s.patch_z.d[0] * s.patch_z.d[0]);
  tap_near(rate[0], 0.5 * by_contact * track * track / degree, 1e-9, "the roll rate contains the springs' k T^2/2");
}

/* --- factors --- */

static double factor(const vd_buf *text, const char *name, int which) {
  char start[64];
  double value[4];
  snprintf(start, sizeof start, "\n%s,", name);
  const char *row = strstr(text->text, start);
  if (!row || sscanf(row + strlen(start), "%lf,%lf,%lf,%lf", &value[0], &value[1], &value[2], &value[3]) != 4)
    return NAN;
  return value[which];
}

/* Compares factors with solutions under each load, in both directions: a side force at the contact and 30 mm behind it
 * (the same force F with the moment -30 mm x F about the vertical), both longitudinal forces, and a moment about the
 * vertical. */
static void test_factors(void) {
  static const struct {
    const char *name;
    vd_wheel_load by;
    bool camber;
  } rows[] = {{"toe_fy", {.fy = 50.0}, false},
              {"camber_fy", {.fy = 50.0}, true},
              {"toe_fy_trail", {.fy = 50.0, .mz = -1.5}, false},
              {"toe_fx", {.fx = 50.0}, false},
              {"toe_fx_centre", {.centre = {50.0, 0.0, 0.0}}, false},
              {"toe_mz", {.mz = 5.0}, false}};
  vd_arena *arena = vd_arena_create();
  vd_corner c;
  vd_kc_plan plan = vd_kc_plan_default();
  vd_kc_report report;
  vd_buf text = {0};
  plan.hold = VD_HOLD_CENTRE;
  plan.travel = 0.02;
  plan.digits = VD_DIGITS_EXACT;
  bool good = read_file("dw_front_sedan", NULL, 0, arena, &c) && vd_kc_factors_write(&c, &plan, 0.03, &text, &report);
  vd_buf_finish(&report.messages);
  vd_linkage l = build(&c.points, VD_PARALLEL);
  vd_compliance *solver = vd_compliance_create(&c, &l, VD_HOLD_CENTRE);
  for (size_t i = 0; i < VD_COUNT(rows); i++) {
    double angle[2]; /* angles at 50 N or 5 N m each way; factors are per kN and per 100 N m */
    const double u[VD_INPUTS] = {plan.travel, 0.0};
    for (int k = 0; k < 2; k++) {
      double sign = k ? -1.0 : 1.0;
      const vd_wheel_load by = rows[i].by;
      const vd_wheel_load load = {
          .fx = sign * by.fx, .fy = sign * by.fy, .fz = 4500.0, .mz = sign * by.mz, .centre = {sign * by.centre[0]}};
      vd_compliance_state s;
      vd_kc_state place;
      good = good && reach(&l, plan.travel, 0.0, &s.pose) && vd_compliance_solve(solver, u, &load, &s);
      vd_kc_place_at(&l, &s.pose, &place);
      angle[k] = degree * (rows[i].camber ? place.camber.v : place.toe.v);
    }
    tap_near(good ? factor(&text, rows[i].name, 2) : NAN, 20.0 * 0.5 * (angle[0] - angle[1]), 1e-6,
             "%s is that of two equilibria", rows[i].name);
  }
  tap_ok(factor(&text, "toe_fy", 0) == factor(&text, "toe_fy", 2) && factor(&text, "toe_fy", 3) == 0.0,
         "independent wheels respond in phase as alone, and not to each other's loads");
  vd_compliance_destroy(solver);
  vd_buf_finish(&text);
  vd_arena_destroy(arena);
}

/* Tests that `in phase' and `opposed' are the sum and the difference of left and right; on a rigid axle they differ,
 * and opposed side forces do not move it sideways. */
static void test_axle_factors(void) {
  vd_arena *arena = vd_arena_create();
  vd_corner c;
  vd_kc_plan plan = vd_kc_plan_default();
  vd_kc_report report;
  vd_buf text = {0};
  plan.digits = VD_DIGITS_EXACT;
  bool good =
      read_file("four_link_rear_suv", NULL, 0, arena, &c) && vd_kc_factors_write(&c, &plan, 0.03, &text, &report);
  vd_buf_finish(&report.messages);
  double worst = 0.0;
  static const char *const names[] = {"toe_fx", "toe_fy", "wheel_z_fz", "patch_y_fy", "wheel_x_fx_centre"};
  for (size_t i = 0; i < VD_COUNT(names); i++) {
    double left = factor(&text, names[i], 2), right = factor(&text, names[i], 3);
    worst = tap_max(worst, fabs(factor(&text, names[i], 0) - (left + right)));
    worst = tap_max(worst, fabs(factor(&text, names[i], 1) - (left - right)));
  }
  tap_near(good ? worst : NAN, 0.0, 1e-12, "a rigid axle: in phase is left plus right, opposed is left minus right");
  tap_near(factor(&text, "patch_y_fy", 1), 0.0, 1e-12, "a rigid axle: opposed side forces do not move it");
  tap_ok(fabs(factor(&text, "toe_fx", 1)) > 1e-3 && fabs(factor(&text, "toe_fx", 0)) < 1e-9,
         "a rigid axle: it steers under opposed brake forces, not under equal ones");
  vd_buf_finish(&text);
  vd_arena_destroy(arena);
}

int main(void) {
  static const char *const symmetric[] = {"dw_front_sedan",        "5link_rear_sedan",   "multilink_rear_compact",
                                          "mp_front_compact",      "sta_rear_sedan",     "four_link_rear_suv",
                                          "pushrod_front_formula", "panhard_rear_coupe", "twist_beam_rear_compact",
                                          "panhard_front_offroad"};
  tap_plan((int)VD_COUNT(symmetric) + 11 + 3 * 6 + 4 + 7 + 3);
  for (size_t i = 0; i < VD_COUNT(symmetric); i++)
    test_reciprocity(symmetric[i]);
  test_differences("dw_front_sedan", 0.0, 0.0);
  test_differences("dw_front_sedan", -0.03, 0.012);
  test_differences("multilink_rear_compact", 0.02, 0.0);
  test_differences("mp_front_compact", 0.015, -0.01);
  test_differences("sta_rear_sedan", -0.02, 0.0);
  test_differences("four_link_rear_suv", 0.02, 0.0);
  test_differences("panhard_rear_coupe", -0.02, 0.0);
  test_differences("twist_beam_rear_compact", 0.0, 0.0);
  test_differences("twist_beam_rear_compact", 0.03, 0.0);
  test_differences("panhard_front_offroad", 0.0, 0.0);
  test_differences("panhard_front_offroad", -0.03, 0.04);
  test_wheel_rate(0.0);
  test_wheel_rate(0.05);
  test_wheel_rate(-0.04);
  test_bar();
  test_factors();
  test_axle_factors();
  return tap_done();
}
