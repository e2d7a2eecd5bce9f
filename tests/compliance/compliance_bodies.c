/* Compliance of the shipped suspensions, compared with the second solver, a balance of forces on all bodies. */
#include "balance_corner.h"
#include "input/schema.h"
#include "compliance/compliance.h"
#include "kc/kc.h"
#include "linkage/corner_def.h"
#include "tap.h"

#include <math.h>
#include <string.h>

static const double degree = 180.0 / VD_PI;

enum { FILES = 15, DW_FRONT = 0, MP_FRONT = 5, RELAY = 8, STEERED_AXLE = FILES - 1, AXLES = 4 };

static const char *const files[FILES] = {"dw_front_sedan",
                                         "dw_rear_sports",
                                         "5link_rear_sedan",
                                         "multilink_rear_compact",
                                         "sta_rear_sedan",
                                         "mp_front_compact",
                                         "mp_rear_chapman",
                                         "5link_front_limousine",
                                         "dw_front_offroad",
                                         "multilink_rear_sedan",
                                         "integral_link_rear_limousine",
                                         "twist_beam_rear_compact",
                                         "four_link_rear_suv",
                                         "panhard_rear_coupe",
                                         "panhard_front_offroad"};

/* Bushings with oblique axes, preload, and every kind of curve: on arms, and on a strut's mount. */
static const vd_setting arms[] = {
    {.text = "bushings.lca_rear.x_axis=[0.9, 0.3, 0.1]"},
    {.text = "bushings.lca_rear.z_axis=[-0.2, 0.1, 1]"},
    {.text = "bushings.lca_rear.cubic_translation=[2e11, 1e11, 5e10]"},
    {.text = "bushings.lca_rear.preload_force=[300, -500, 200]"},
    {.text = "bushings.lca_rear.preload_moment=[5, -3, 2]"},
    {.text = "bushings.lca_rear.cubic_rotation=[900, 400, 100]"},
    {.text = "bushings.uca_front.force_y=[[-0.01, -4e4], [0.01, 4.4e4]]"},
    {.text = "bushings.uca_front.moment_x=[[-1, -30], [1, 45]]"},
};
static const vd_setting mount[] = {
    {.text = "bushings.strut_top.x_axis=[1, 0.2, 0]"},
    {.text = "bushings.strut_top.z_axis=[0, -0.2, 1]"},
    {.text = "bushings.strut_top.cubic_translation=[2e10, 1e11, 0]"},
    {.text = "bushings.strut_top.cubic_rotation=[3000, 0, 0]"},
    {.text = "bushings.strut_top.preload_moment=[0, 4, 0]"},
    {.text = "bushings.lca_front.moment_z=[[-0.5, -20], [0.5, 40]]"},
};

/* An idler arm 60 mm shorter than the pitman arm. */
static const vd_setting unequal_arms[] = {
    {.text = "steering.other_pivot=[-0.270, -0.310, 0.430]"},
    {.text = "steering.other_joint=[-0.180, -0.305, 0.380]"},
};

/* An elastic tie rod, and an elastic drag link with its gear; and a Haltenberger linkage, whose tie rod joins the drag
 * link at 60 % of its length. Rods on bushings. */
static const vd_setting soft_steering[] = {
    {.text = "bushings.links.translation=[6 kN/mm, 5 kN/mm, 3 kN/mm]"},
    {.text = "bushings.links.rotation=[60, 50, 40]"},
    {.text = "steering.drag_link.stiffness=6 kN/mm"},
    {.text = "steering.tie_rod.stiffness=20 kN/mm"},
};
static const vd_setting haltenberger[] = {
    {.text = "bushings.links.translation=[6 kN/mm, 5 kN/mm, 3 kN/mm]"},
    {.text = "bushings.links.rotation=[60, 50, 40]"},
    {.text = "steering.drag_link.stiffness=auto"},
    {.text = "steering.tie_rod.joins=drag_link"},
    {.text = "steering.tie_rod.left=[0.160, 0.605, 0.420]"},
    {.text = "steering.tie_rod.right=[0.172, -0.212, 0.459]"},
    {.text = "steering.tie_rod.stiffness=20 kN/mm"},
};

typedef struct load_case {
  const char *what;
  double travel, rack;       /* m; if wheels are joined, `rack' is the travel of the other wheel */
  double gear;               /* m, rack of an axle that steers */
  vd_wheel_load load, right; /* right: load of the other wheel if wheels are joined */
} load_case;

/* Each load alone, all loads together, and places away from the design position. */
static const load_case cases[] = {
    {.what = "only the wheel load", .load = {.fz = 4500.0}},
    {.what = "a brake force", .load = {.fx = -4000.0, .fz = 4500.0}},
    {.what = "a drive shaft's force", .load = {.fx = 3000.0, .fz = 4500.0, .rolls = true}},
    {.what = "a force at the wheel centre", .load = {.fz = 4500.0, .centre = {3000.0, 200.0, -300.0}}},
    {.what = "a side force", .load = {.fy = 4000.0, .fz = 4500.0}},
    {.what = "a moment", .load = {.fz = 4500.0, .mz = 100.0}},
    {.what = "all at once",
     .load = {.fx = -2000.0, .fy = -3000.0, .fz = 4000.0, .mz = 60.0, .centre = {300.0, 0.0, 0.0}}},
    {.what = "a brake's torque on a wheel that turns",
     .load = {.fx = -2500.0, .fy = 900.0, .fz = 5000.0, .torque = 700.0, .rolls = true}},
    {.what = "all at once in bump", .travel = 0.04, .load = {.fx = -2000.0, .fy = 2500.0, .fz = 5000.0, .mz = -50.0}},
    {.what = "all at once in rebound, steered",
     .travel = -0.03,
     .rack = 0.015,
     .gear = 0.035,
     .load = {.fx = 1500.0, .fy = -2500.0, .fz = 3000.0, .mz = 40.0}},
    {.what = "all at once on both wheels",
     .travel = 0.01,
     .rack = -0.01,
     .gear = -0.02,
     .load = {.fx = -2000.0, .fy = 2500.0, .fz = 4500.0, .mz = -50.0},
     .right = {.fx = -1200.0, .fy = 1800.0, .fz = 3500.0, .mz = -30.0, .centre = {200.0, 100.0, 0.0}}},
    {.what = "a brake's torque on wheels that turn",
     .load = {.fx = -2500.0, .fy = 900.0, .fz = 5000.0, .torque = 700.0, .rolls = true},
     .right = {.fx = -1500.0, .fy = 600.0, .fz = 3000.0, .torque = 400.0, .rolls = true}},
};

/* Compares the right wheel, whose axis in the second solver points to the left: its outward direction, mirrored, is
 * (-x, y, -z). */
static double differ_right(const vd_linkage *l, const vd_compliance *c, const balance_rig *r) {
  vd_pose pose;
  vd_kc_state place;
  double axis[3];
  vd_compliance_right_pose(c, &pose);
  vd_kc_place_at(l, &pose, &place);
  balance_turned(&r->scene, r->right->b, r->right->axis, axis);
  double toe = atan2(-axis[0], axis[1]), camber = atan2(axis[2], hypot(axis[0], axis[1]));
  return degree * (fabs(place.toe.v - toe) + fabs(place.camber.v - camber));
}

/* Returns the largest difference of toe or camber of the wheel or of its support's force, degrees and 1e-7 N, plus
 * those of toe and camber of the right wheel if wheels are joined. */
static double differ(const vd_corner *corner, const vd_linkage *l, enum vd_hold how, bool with_weights,
                     const load_case *k) {
  vd_linkage moved = *l;
  vd_compliance_state state;
  vd_kc_state place;
  balance_rig r;
  const double u[VD_INPUTS] = {k->travel, k->rack};
  double (*spring_load)(const vd_corner *, double) =
      with_weights ? balance_spring_load_with_weights : balance_spring_load;
  double load = corner->points.spring.given ? spring_load(corner, corner->wheel_load) : NAN;
  balance_corner(corner, vd_linkage_joins(corner->points.type) ? k->gear : k->rack, load, &r);
  if (with_weights)
    balance_weigh(corner, &r);
  if (r.right)
    balance_load_wheel(r.right, &k->right);
  double rise[VD_INPUTS];
  balance_rises(corner, u, k->gear, rise);
  bool ok = balance_hold(&r, how, corner->wheel_load, rise, &k->load);
  vd_compliance *c = vd_compliance_create(corner, &moved, how);
  ok = (!with_weights || vd_compliance_weigh(c)) && ok;
  vd_compliance_load_right(c, &k->right);
  vd_linkage_start(&moved, &state.pose);
  vd_linkage_move(&moved, u, &state.pose);
  state.pose.gear = k->gear;
  ok = vd_compliance_solve(c, u, &k->load, &state) && ok;
  double other = ok && r.right ? differ_right(&moved, c, &r) : 0.0;
  vd_compliance_destroy(c);
  if (!ok)
    return INFINITY;
  vd_kc_place_at(&moved, &state.pose, &place);
  double toe = fabs(degree * place.toe.v - balance_toe(&r.scene, r.wheel));
  double camber = fabs(degree * place.camber.v - balance_camber(&r.scene, r.wheel));
  double support = how == VD_HOLD_FREE ? 0.0 : 1e-7 * fabs(state.support - balance_multiplier(&r.scene, r.wheel, 0));
  double own = fmax(fmax(toe, camber), support);
  return own + other == own + other && toe == toe && camber == camber ? fmax(own, other) : INFINITY;
}

/* Returns whether the wheels of a file are joined. */
static bool is_axle(int file) {
  return file >= FILES - AXLES;
}

/* Compares a file with the second solver, whose steps end at 1e-11 to 1e-13 m and rad, some 1e-9 degrees. */
static void test_file(int file, const vd_setting *settings, size_t count, bool with_weights, const char *own) {
  const char *name = files[file];
  static const char *const hold_names[] = {"", "free wheel", "centre at a given height", "ground at a given height"};
  char path[128];
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  vd_corner corner;
  vd_linkage l;
  snprintf(path, sizeof path, "scenarios/suspensions/%s.yaml", name);
  bool read = vd_corner_read(path, settings, count, arena, d, &corner, NULL);
  read = read && vd_linkage_build(&corner.points, VD_PARALLEL, &l);
  for (int how = VD_HOLD_FREE; how <= VD_HOLD_GROUND; how++) {
    if (is_axle(file) && how != VD_HOLD_CENTRE) /* a load on one wheel has no equilibrium on two springs */
      continue;
    double worst = 0.0;
    const char *where = "";
    for (size_t i = 0; read && i < sizeof cases / sizeof *cases; i++) {
      if (how != VD_HOLD_CENTRE && cases[i].travel != 0.0)
        continue;
      double off = differ(&corner, &l, (enum vd_hold)how, with_weights, &cases[i]);
      if (!(off <= worst)) {
        worst = off;
        where = cases[i].what;
      }
    }
    tap_near(read ? worst : NAN, 0.0, 1e-6, "%s, %s%s: toe and camber are those of a balance of all bodies, deg", name,
             hold_names[how], own);
    if (worst > 1e-6)
      tap_diag("%s: %.3g", where, worst);
  }
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
}

/* Makes Chrono's bushed double wishbone (own runs of Project Chrono, BSD-3-Clause; see force_balance.c): each arm on
 * one bushing at the middle of its hinge, here with x along the hinge, free about it; the spring has only that straight
 * line of its table that these loads reach. */
static vd_corner chrono_corner(void) {
  static const double centre[3] = {-0.04, 0.91, -0.026}, coil[2][3] = {{0.104, 0.51, 0.197}, {0.097, 0.543, -0.047}};
  static const double front[2][3] = {{0.223, 0.307, 0.0}, {-0.048, 0.446, 0.245}};
  static const double rear[2][3] = {{-0.223, 0.307, 0.0}, {-0.268, 0.478, 0.196}};
  static const double ball[2][3] = {{-0.036, 0.787, -0.118}, {-0.053, 0.716, 0.215}};
  static const double rod[2][3] = {{-0.25, 0.448, 0.054}, {-0.176, 0.821, -0.016}};
  vd_corner c;
  vd_corner_start(VD_DOUBLE_WISHBONE, &c);
  memcpy(c.points.wheel_center, centre, sizeof centre);
  memcpy(c.points.spin_axis, (const double[3]){0.0, 1.0, 0.0}, 3 * sizeof(double));
  c.points.static_radius = 0.4699;
  for (int m = 0; m < 2; m++) {
    vd_member *arm = &c.points.member[m];
    for (int i = 0; i < 3; i++) {
      arm->chassis[0][i] = 0.5 * (front[m][i] + rear[m][i]);
      arm->chassis[1][i] = rear[m][i];
      arm->knuckle[i] = ball[m][i];
      c.law[m][0].x_axis[i] = front[m][i] - rear[m][i];
      c.law[m][0].z_axis[i] = ball[m][i] - arm->chassis[0][i];
    }
    c.bushing[m][0] = (vd_bushing){true, {7e7, 7e7, 7e7, 0.0, 1e5, 1e5}};
    c.bushing[m][1].given = true;
  }
  memcpy(c.points.member[2].chassis[0], rod[0], sizeof rod[0]);
  memcpy(c.points.member[2].knuckle, rod[1], sizeof rod[1]);
  c.points.spring.given = true;
  c.points.spring.on = VD_ON_MEMBER;
  memcpy(c.points.spring.chassis, coil[0], sizeof coil[0]);
  memcpy(c.points.spring.eye, coil[1], sizeof coil[1]);
  double length = 0.0;
  for (int i = 0; i < 3; i++)
    length += (coil[1][i] - coil[0][i]) * (coil[1][i] - coil[0][i]);
  c.spring_rate = (52791.592 - 31840.681) / 0.02;
  c.spring_load = 31840.681 + c.spring_rate * (0.339 - 0.08 - sqrt(length));
  return c;
}

static void test_chrono(void) {
  static const struct {
    const char *what;
    vd_wheel_load load; /* for toe and camber per kN or 100 N m, each way */
    double toe, camber; /* NAN: on the rig this force turns with the wheel */
  } rows[] = {{"brake force at the contact", {.fx = 1000.0}, -0.532, -0.0337},
              {"force at the wheel centre", {.centre = {1000.0, 0.0, 0.0}}, -0.0912, -0.0410},
              {"moment about z", {.mz = 100.0}, -0.0510, -0.00300},
              {"side force (figure of the second solver)", {.fy = 1000.0}, -0.031, NAN}};
  const double within = 0.02;
  vd_corner corner = chrono_corner();
  vd_linkage l;
  vd_compliance_state s;
  vd_kc_state place;
  const double u[VD_INPUTS] = {0.0, 0.0};
  bool ok = vd_linkage_build(&corner.points, VD_PARALLEL, &l);
  vd_compliance *c = vd_compliance_create(&corner, &l, VD_HOLD_CENTRE);
  const vd_wheel_load none = {.fz = 0.0};
  vd_linkage_start(&l, &s.pose);
  ok = vd_compliance_solve(c, u, &none, &s) && ok;
  vd_kc_place_at(&l, &s.pose, &place);
  tap_near(ok ? degree * place.toe.v : NAN, 0.944, 0.004,
           "Chrono's bushed double wishbone has Chrono's toe at 17.69 kN, deg");
  tap_near(1e-3 * s.support, 17.69, 0.01, "Chrono's bushed double wishbone needs the force of Chrono's jack, kN");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    double toe[2], camber[2];
    for (int k = 0; k < 2; k++) {
      vd_wheel_load load = rows[i].load;
      double sign = k ? 1.0 : -1.0;
      load.fx *= sign;
      load.fy *= sign;
      load.mz *= sign;
      load.centre[0] *= sign;
      ok = vd_compliance_solve(c, u, &load, &s) && ok;
      vd_kc_place_at(&l, &s.pose, &place);
      toe[k] = degree * place.toe.v;
      camber[k] = degree * place.camber.v;
    }
    tap_near(ok ? 0.5 * (toe[1] - toe[0]) / rows[i].toe : NAN, 1.0, within,
             "Chrono's bushed double wishbone has the expected toe by %s", rows[i].what);
    if (!isnan(rows[i].camber))
      tap_near(0.5 * (camber[1] - camber[0]) / rows[i].camber, 1.0, within,
               "Chrono's bushed double wishbone has Chrono's camber by %s", rows[i].what);
  }
  vd_compliance_destroy(c);
}

int main(void) {
  tap_plan(2 * (3 * FILES - 2 * AXLES) + 3 * 3 + 2 + 9);
  for (int i = 0; i < FILES; i++)
    for (int with_weights = 0; with_weights < 2; with_weights++)
      test_file(i, NULL, 0, with_weights, with_weights ? ", with weights" : "");
  test_file(DW_FRONT, arms, sizeof arms / sizeof *arms, false, ", bushings with axes and curves");
  test_file(MP_FRONT, mount, sizeof mount / sizeof *mount, false, ", bushings with axes and curves");
  test_file(RELAY, unequal_arms, sizeof unequal_arms / sizeof *unequal_arms, false, ", arms of different lengths");
  test_file(STEERED_AXLE, soft_steering, sizeof soft_steering / sizeof *soft_steering, false, ", soft steering");
  test_file(STEERED_AXLE, haltenberger, sizeof haltenberger / sizeof *haltenberger, true, ", Haltenberger");
  test_chrono();
  return tap_done();
}
