/* Forces in the joints: every body's balance, the second solver, and a planar suspension by hand. */
#include "balance_corner.h"
#include "kc/forces.h"
#include "linkages.h"
#include "suspension/corner_def.h"

#include <stdio.h>

enum { FILES = 19 };

static const char *const files[FILES] = {
    "dw_front_sedan",        "dw_rear_sports",          "5link_rear_sedan",
    "5link_rear_sports",     "multilink_rear_compact",  "mp_front_compact",
    "mp_front_sedan",        "sta_rear_sedan",          "ta_rear_sedan",
    "pushrod_front_formula", "pushrod_rear_formula",    "four_link_rear_suv",
    "panhard_rear_coupe",    "twist_beam_rear_compact", "5link_front_limousine",
    "dw_front_offroad",      "multilink_rear_sedan",    "integral_link_rear_limousine",
    "panhard_front_offroad"};

static bool read_file(const char *name, vd_arena *arena, vd_corner *corner) {
  char path[128];
  vd_diag *d = vd_diag_create();
  snprintf(path, sizeof path, "scenarios/suspensions/%s.yaml", name);
  bool good = vd_corner_read(path, NULL, 0, arena, d, corner, NULL);
  vd_diag_destroy(d);
  return good;
}

static void stiffen(vd_corner *c) {
  memset(c->bushing, 0, sizeof c->bushing);
  c->blade = false;
  c->points.steer.drag_link_stiffness = c->points.steer.tie_rod_stiffness = 0.0;
  for (int m = 0; m < VD_MEMBERS; m++)
    c->ball_stiffness[m] = INFINITY;
}

static const vd_wheel_load loads[] = {
    {.fz = 4500.0},
    {.fx = -2000.0, .fy = 2500.0, .fz = 5000.0, .mz = -50.0},
    {.fx = 1500.0, .fy = -2500.0, .fz = 3000.0, .mz = 40.0, .centre = {900.0, 100.0, -200.0}},
    {.fx = -1800.0, .fy = 900.0, .fz = 4000.0, .torque = 500.0, .rolls = true},
};
static const double places[][VD_INPUTS] = {{0.0, 0.0}, {0.03, 0.0}, {-0.025, 0.012}, {0.02, -0.01}};

static void cross3(const double *a, const double *b, double *out) {
  for (int i = 0; i < 3; i++)
    out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* --- every body's own balance --- */

/* What is left of the forces on a body, and of their moments about the origin, over the largest force. */
static double left_over(const vd_joint_force *f, size_t count, const char *body) {
  double sum[6] = {0.0}, most = 1.0, worst = 0.0;
  for (size_t k = 0; k < count; k++) {
    double turning[3], sign = (strcmp(f[k].on, body) == 0) - (strcmp(f[k].from, body) == 0);
    cross3(f[k].at, f[k].force, turning);
    for (int i = 0; i < 3; i++) {
      sum[i] += sign * f[k].force[i];
      sum[3 + i] += sign * (turning[i] + f[k].moment[i]);
      most = fmax(most, fabs(f[k].force[i]));
    }
  }
  for (int i = 0; i < 6; i++)
    worst = worse(worst, fabs(sum[i]) / most);
  return worst;
}

/* Of arms without bushings: how far from equal the parts along the hinge are that its two points carry. */
static double unequal(const vd_corner *c, const vd_joint_force *f, size_t count) {
  double worst = 0.0;
  for (int m = 0; m < c->points.members; m++) {
    const vd_joint_force *end[2] = {NULL, NULL};
    for (size_t k = 0; k < count && c->points.member[m].kind == VD_ARM; k++)
      for (int p = 0; p < 2; p++)
        if (strcmp(f[k].point, vd_corner_point(c->points.type, m, (enum vd_member_point)p)) == 0)
          end[p] = &f[k];
    double along[2] = {0.0, 0.0}, length = 0.0;
    for (int i = 0; i < 3 && end[0] && end[1]; i++) {
      double line = end[1]->at[i] - end[0]->at[i];
      length += line * line;
      along[0] += line * end[0]->force[i];
      along[1] += line * end[1]->force[i];
    }
    worst = length > 0.0 ? worse(worst, fabs(along[0] - along[1]) / sqrt(length)) : worst;
  }
  return worst;
}

static const char *const bodies[] = {"knuckle", "other_knuckle", "axle", "drag_link", "tie_rod"};

/* Newton's last step leaves 1e-10 m on joints of some 1e7 N/m: 1e-3 N of 1e4. */
static void test_balance(const char *name, bool rigid, enum vd_hold hold) {
  vd_arena *arena = vd_arena_create();
  vd_corner c;
  double worst = 0.0;
  int solved = 0;
  bool good = read_file(name, arena, &c);
  if (good && rigid)
    stiffen(&c);
  vd_linkage l = build(&c.points, VD_PARALLEL);
  vd_compliance *solver = vd_compliance_create(&c, &l, hold);
  for (size_t k = 0; good && k < VD_COUNT(loads); k++) {
    double u[VD_INPUTS] = {places[k][0], vd_linkage_joins(c.points.type) || vd_kc_steered(&l) ? places[k][1] : 0.0};
    vd_joint_force force[VD_JOINT_FORCES];
    vd_compliance_state s;
    if (!reach(&l, u[0], u[1], &s.pose) || !vd_compliance_solve(solver, u, &loads[k], &s))
      continue;
    size_t count = vd_compliance_forces(solver, force);
    solved += count > 0 && count <= VD_JOINT_FORCES;
    for (size_t b = 0; b < VD_COUNT(bodies); b++)
      worst = worse(worst, left_over(force, count, bodies[b]));
    if (rigid)
      worst = worse(worst, 1e-3 * unequal(&c, force, count));
    for (int m = 0; m < c.points.members; m++)
      worst = worse(worst, left_over(force, count, c.points.member[m].name));
  }
  /* the ground of 4500 N at design is out of reach of a formula car's spring */
  tap_ok(solved >= (hold == VD_HOLD_GROUND ? 3 : 4), "%s%s, %s held: %d equilibria", name, rigid ? ", rigid" : "",
         hold == VD_HOLD_CENTRE ? "centre" : "ground", solved);
  tap_near(worst, 0.0, 1e-7, "%s%s: forces and moments on every body add up to nothing%s", name, rigid ? ", rigid" : "",
           rigid ? ", and hinges share them" : "");
  vd_compliance_destroy(solver);
  vd_arena_destroy(arena);
}

/* --- the second solver --- */

/* The force of a member on the knuckle at its ball joint; NAN: the second solver has no such joint. */
static void by_balance(const balance_rig *r, const vd_member *m, int member, double *force) {
  force[0] = force[1] = force[2] = NAN;
  for (const balance_part *p = r->scene.part; p < r->scene.part + r->scene.parts; p++)
    if (p->kind == JOIN && p->a == r->knuckle && p->b == r->member[member] &&
        memcmp(p->point, m->knuckle, sizeof p->point) == 0)
      for (int i = 0; i < 3; i++)
        force[i] = -balance_multiplier(&r->scene, p, i);
}

/* Joints with multipliers are compared; by the bodies' balance those fix the bushings' forces, too. Both solvers end at
 * steps of 1e-11 m. */
static void test_second_solver(const char *name) {
  vd_arena *arena = vd_arena_create();
  vd_corner c;
  double worst = 0.0;
  int compared = 0;
  bool good = read_file(name, arena, &c);
  vd_linkage l = build(&c.points, VD_PARALLEL);
  vd_compliance *solver = vd_compliance_create(&c, &l, VD_HOLD_CENTRE);
  double spring = c.points.spring.given ? balance_spring_load(&c, c.wheel_load) : NAN;
  for (size_t k = 0; good && k < VD_COUNT(loads); k++) {
    double u[VD_INPUTS] = {places[k][0], vd_linkage_joins(c.points.type) || vd_kc_steered(&l) ? places[k][1] : 0.0};
    vd_joint_force force[VD_JOINT_FORCES];
    vd_compliance_state s;
    balance_rig r;
    balance_corner(&c, l.axle ? 0.0 : u[1], spring, &r);
    double rise[VD_INPUTS];
    balance_rises(&c, u, 0.0, rise);
    good = balance_hold(&r, VD_HOLD_CENTRE, c.wheel_load, rise, &loads[k]) && reach(&l, u[0], u[1], &s.pose) &&
           vd_compliance_solve(solver, u, &loads[k], &s);
    size_t count = good ? vd_compliance_forces(solver, force) : 0;
    for (int m = 0; m < c.points.members; m++) {
      double expected[3];
      const char *key = vd_corner_point(c.points.type, m, VD_AT_KNUCKLE);
      by_balance(&r, &c.points.member[m], m, expected);
      for (size_t j = 0; j < count && key && !isnan(expected[0]) && !(c.blade && m <= 1); j++)
        if (strcmp(force[j].point, key) == 0 &&
            (strcmp(force[j].on, "knuckle") == 0 || strcmp(force[j].on, "axle") == 0)) {
          compared++;
          for (int i = 0; i < 3; i++)
            worst = worse(worst, fabs(force[j].force[i] - expected[i]));
        }
    }
    for (size_t j = 0; j < count; j++)
      if (strcmp(force[j].from, "jack") == 0) {
        const balance_part *wheel = force[j].at[1] < 0.0 ? r.right : r.wheel;
        worst = worse(worst, fabs(force[j].force[2] - balance_multiplier(&r.scene, wheel, 0)));
        compared++;
      }
  }
  tap_ok(good && compared >= (int)VD_COUNT(loads), "%s: %d joints compared", name, compared);
  tap_near(worst, 0.0, 2e-3, "%s: ball joints and jack have the forces of the second solver, N", name);
  vd_compliance_destroy(solver);
  vd_arena_destroy(arena);
}

/* --- by hand --- */

/* A double wishbone in the plane x = 0: arms of two hinges each, symmetric about it, are struts in front view, and the
 * tie rod in the same plane carries nothing. Three forces hold the knuckle: along the lower arm, along the upper arm,
 * and the jack's upwards at the wheel centre. Moments about the point where the lines of two of them meet give the
 * third. */
static void test_planar(void) {
  static const double lower[2] = {0.35, 0.16}, upper[2] = {0.42, 0.48}; /* hinges: y, z */
  static const double low[2] = {0.74, 0.19}, high[2] = {0.70, 0.53}, centre[2] = {0.78, 0.33};
  const double radius = 0.31, fy = 2600.0, fz = 4100.0;
  vd_hardpoints h = {.type = VD_DOUBLE_WISHBONE,
                     .wheel_center = {0.0, centre[0], centre[1]},
                     .spin_axis = {0.0, 1.0, 0.0},
                     .static_radius = radius};
  add_arm(&h, "lca", (const double[3]){0.15, lower[0], lower[1]}, (const double[3]){-0.15, lower[0], lower[1]},
          (const double[3]){0.0, low[0], low[1]});
  add_arm(&h, "uca", (const double[3]){0.1, upper[0], upper[1]}, (const double[3]){-0.1, upper[0], upper[1]},
          (const double[3]){0.0, high[0], high[1]});
  add_rod(&h, "tie_rod", (const double[3]){-0.1, 0.36, 0.2}, (const double[3]){-0.1, 0.73, 0.22});
  h.member[2].steered = true;
  vd_corner c = corner_of(h);
  vd_linkage l = build(&c.points, VD_PARALLEL);
  vd_compliance *solver = vd_compliance_create(&c, &l, VD_HOLD_CENTRE);
  const vd_wheel_load load = {.fy = fy, .fz = fz};
  const double u[VD_INPUTS] = {0.0, 0.0};
  vd_joint_force force[VD_JOINT_FORCES];
  vd_compliance_state s;
  bool ok = reach(&l, 0.0, 0.0, &s.pose) && vd_compliance_solve(solver, u, &load, &s);
  size_t count = ok ? vd_compliance_forces(solver, force) : 0;
  /* heights at y = centre of both arms' lines, where the jack's line meets them; and where the arms meet */
  double sl = (low[1] - lower[1]) / (low[0] - lower[0]), su = (high[1] - upper[1]) / (high[0] - upper[0]);
  double y = ((upper[1] - su * upper[0]) - (lower[1] - sl * lower[0])) / (sl - su), z = lower[1] + sl * (y - lower[0]);
  double road = centre[1] - radius;
  /* about the arms' meeting point, x = (y - y0) f_z - (z - z0) f_y: of the road, and of the jack */
  double jack = -((centre[0] - y) * fz - (road - z) * fy) / (centre[0] - y);
  /* the rest of both axes: S along the lower arm outward, T along the upper */
  double nl = sqrt(1.0 + sl * sl), nu = sqrt(1.0 + su * su);
  double up = -(fz + jack), t = (up + sl * fy) / (su - sl) * nu, along = (-fy - t / nu) * nl;
  for (size_t k = 0; k < count; k++) {
    const vd_joint_force *f = &force[k];
    if (strcmp(f->point, "lca.knuckle") == 0) {
      tap_near(f->force[1], along / nl, 1e-6, "by hand: the lower arm's force across the car, N");
      tap_near(f->force[2], along * sl / nl, 1e-6, "by hand: and upwards");
    }
    if (strcmp(f->point, "uca.knuckle") == 0)
      tap_near(f->force[1], t / nu, 1e-6, "by hand: the upper arm's force across the car, N");
    if (strcmp(f->point, "uca.chassis_front") == 0)
      tap_near(f->force[1], 0.5 * t / nu, 1e-6, "by hand: one half of it at each hinge");
    if (strcmp(f->from, "jack") == 0)
      tap_near(f->force[2], jack, 1e-6, "by hand: the jack, by moments about the instant centre, N");
    if (strcmp(f->point, "tie_rod.knuckle") == 0)
      tap_near(sqrt(f->force[0] * f->force[0] + f->force[1] * f->force[1] + f->force[2] * f->force[2]), 0.0, 1e-6,
               "by hand: nothing in the tie rod");
  }
  vd_compliance_destroy(solver);
}

/* A spring of 6 kN upright on the middle of an arm without mass from its hinge to the ball joint: each end carries
 * half; and on a rod the same, with the pull of neither. */
static void test_spring_on_arm(void) {
  vd_hardpoints h = {
      .type = VD_DOUBLE_WISHBONE, .wheel_center = {0.0, 0.8, 0.3}, .spin_axis = {0.0, 1.0, 0.0}, .static_radius = 0.3};
  add_arm(&h, "lca", (const double[3]){0.2, 0.4, 0.2}, (const double[3]){-0.1, 0.4, 0.2},
          (const double[3]){0.05, 0.8, 0.2});
  add_arm(&h, "uca", (const double[3]){0.1, 0.4, 0.5}, (const double[3]){-0.1, 0.4, 0.5},
          (const double[3]){0.0, 0.8, 0.5});
  add_rod(&h, "tie_rod", (const double[3]){-0.1, 0.4, 0.3}, (const double[3]){-0.1, 0.8, 0.3});
  h.spring = (vd_element){.given = true, .chassis = {0.05, 0.6, 0.6}, .eye = {0.05, 0.6, 0.2}, .on = VD_ON_MEMBER};
  vd_corner c = corner_of(h);
  c.spring_rate = 3e4;
  c.spring_load = 6000.0;
  vd_linkage l = build(&c.points, VD_PARALLEL);
  vd_compliance *solver = vd_compliance_create(&c, &l, VD_HOLD_CENTRE);
  const vd_wheel_load load = {.fz = 3000.0};
  const double u[VD_INPUTS] = {0.0, 0.0};
  vd_joint_force force[VD_JOINT_FORCES];
  vd_compliance_state s;
  bool ok = reach(&l, 0.0, 0.0, &s.pose) && vd_compliance_solve(solver, u, &load, &s);
  size_t count = ok ? vd_compliance_forces(solver, force) : 0;
  for (size_t k = 0; k < count; k++) {
    const vd_joint_force *f = &force[k];
    if (strcmp(f->point, "lca.knuckle") == 0)
      tap_near(f->force[2], -3000.0, 1e-6, "half of a spring in the middle of an arm at its ball joint, N");
    if (strcmp(f->point, "lca.chassis_front") == 0) /* the eye is at the middle of both hinges in x */
      tap_near(f->force[2], 1500.0, 1e-6, "a quarter at each of its hinges");
    if (strcmp(f->point, "lca.chassis_rear") == 0)
      tap_near(f->force[2], 1500.0, 1e-6, "and at the other");
    if (strcmp(f->from, "spring") == 0)
      tap_near(f->pull, -6000.0, 1e-6, "the spring pushes");
    if (strcmp(f->from, "jack") == 0)
      tap_near(f->force[2], 0.0, 1e-6, "and carries the load: a motion ratio of one half");
  }
  vd_compliance_destroy(solver);
}

int main(void) {
  tap_plan(FILES * 6 + 10 * 2 + 6 + 5);
  for (int i = 0; i < FILES; i++) {
    test_balance(files[i], false, VD_HOLD_CENTRE);
    test_balance(files[i], true, VD_HOLD_CENTRE);
    test_balance(files[i], false, VD_HOLD_GROUND);
  }
  static const char *const balanced[] = {
      "dw_front_sedan",  "dw_rear_sports", "5link_rear_sedan",   "multilink_rear_compact", "mp_front_compact",
      "mp_rear_chapman", "sta_rear_sedan", "four_link_rear_suv", "panhard_rear_coupe",     "panhard_front_offroad"};
  for (size_t i = 0; i < VD_COUNT(balanced); i++)
    test_second_solver(balanced[i]);
  test_planar();
  test_spring_on_arm();
  return tap_done();
}
