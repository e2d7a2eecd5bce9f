/* Rigid axles that steer: compared with Chrono's rig and with closed forms, and their derivatives. */
#include "linkages.h"
#include "base/vec.h"

#include "input/schema.h"
#include "compliance/compliance.h"
#include "kc/tables.h"
#include "linkage/corner_def.h"
#include "linkage/linkage_map.h"
#include "compliance/wheel_tables_def.h"

#include <stdio.h>
#include <unistd.h>

enum { L, R };

/* --- Chrono --- */

/* Front axle of a G500 (Project Chrono, data/vehicle/gclass/suspension/G500_FrontAxle.json, BSD-3-Clause): hardpoints,
 * and places of its wheels from own runs of a rig in that program. Three points of the axle's tube stay in the chassis'
 * y-z plane, and a Panhard rod guides the tube. A drag link holds the left knuckle, a tie rod the right one; the pitman
 * arm is at rest. */
static const vd_hardpoints g500 = {
    .type = VD_PANHARD_AXLE,
    .wheel_center = {0.0, 0.7325, 0.0},
    .spin_axis = {0.0, 1.0, 0.0},
    .static_radius = 0.372,
    .members = 4,
    .member = {{VD_ROD, "lower_left", {{-1.0, 0.5, 0.0}}, {0.0, 0.5, 0.0}, .steered = false},
               {VD_ROD, "lower_right", {{-1.0, -0.5, 0.0}}, {0.0, -0.5, 0.0}, .steered = false},
               {VD_ROD, "upper", {{-1.0, 0.0, 0.5}}, {0.0, 0.0, 0.5}, .steered = false},
               {VD_ROD, "panhard", {{0.1, 0.44, 0.0}}, {0.1, -0.44, 0.0}, .steered = false}},
    .gear = {VD_GEAR_PITMAN, {0.6, 0.5325, 0.4}, {0.6, 0.5325, 0.2}, {0.0, 1.0, 0.0}},
    .steer = {.given = true,
              .kingpin = {{{0.0, 0.672305806756909, -0.1}, {0.0, 0.652694193243091, 0.1}},
                          {{0.0, -0.672305806756909, -0.1}, {0.0, -0.652694193243091, 0.1}}},
              .tie_rod = {{-0.190568826619798, 0.601807971522173, 0.1}, {-0.190568826619798, -0.601807971522173, 0.1}},
              .drag_link = {{0.6, 0.5325, 0.2}, {0.0, 0.5325, 0.2}}}};

/* Builds the linkage of Chrono's axle: three of its points stay in the y-z plane; these three equations replace those
 * of rods. */
static vd_linkage in_plane(void) {
  vd_linkage l = build(&g500, VD_EACH);
  for (int i = 0; i < 3; i++) {
    vd_joint *j = &l.joint[i];
    j->kind = VD_JOINT_PLANE;
    memcpy(j->chassis, l.points.member[i].knuckle, sizeof j->chassis);
    memcpy(j->direction, (const double[3]){1.0, 0.0, 0.0}, sizeof j->direction);
  }
  vd_linkage_spread(&l);
  return l;
}

/* dx, dy in mm, toe-in, camber, kingpin inclination in deg, trail, scrub in mm, of both wheels at travels in mm */
typedef struct rig_row {
  double travel[2], wheel[2][7];
} rig_row;

static const rig_row rig[] = {
    {{-80, -80},
     {{-3.402976236, 3.560418250, -2.786472252, 0.006634044, 5.600418040, 1.773361599, 33.521604019},
      {3.355203196, 3.723640301, 2.747323845, 0.006466422, 5.600400329, -1.748459548, 33.521625182}}},
    {{-40, -40},
     {{-0.846832232, 0.904415731, -0.693158520, 0.000411003, 5.600409323, 0.441292155, 33.522349619},
      {0.843844602, 0.914624667, 0.690712934, 0.000408383, 5.600409046, NAN, NAN}}},
    {{40, 40},
     {{-0.846941939, 0.904459863, -0.693248323, 0.000411109, 5.600409323, 0.441349324, 33.522349606},
      {0.843953536, 0.914671440, 0.690802104, 0.000408489, 5.600409046, NAN, NAN}}},
    {{80, 80},
     {{-3.406550191, 3.561694368, -2.789401040, 0.006647986, 5.600418068, 1.775224151, 33.521602349},
      {3.358677375, 3.725257266, 2.750170775, 0.006479838, 5.600400302, NAN, NAN}}},
    {{-80, 80},
     {{-2.026725766, -5.730452344, -1.669116562, 6.270031068, -0.669905769, -0.128539955, 33.364662942},
      {2.009692514, 3.091511363, 1.655070169, -6.265403940, 11.870724139, -2.198567848, 34.090190456}}},
    {{-40, 40},
     {{-0.507140012, -1.423258419, -0.415723721, 3.130409878, 2.470064520, 0.117455722, 33.393409708},
      {0.506067040, 0.766344659, 0.414844030, -3.130115951, 8.730753849, NAN, NAN}}},
    {{40, -40},
     {{-0.514693705, -1.423303723, -0.421915787, -3.130108383, 8.730754145, 0.415729162, 33.753458963},
      {0.513588566, 0.766409436, 0.421009964, 3.130411843, 2.470064224, NAN, NAN}}},
    {{80, -80},
     {{-2.086709173, -5.731911535, -1.718514249, -6.265039132, 11.870743041, 2.282829271, 34.090093729},
      {2.068656936, 3.093554741, 1.703659213, 6.270038091, -0.669924671, NAN, NAN}}},
};

static void states_of_both(const vd_corner *c, const vd_linkage *l, const vd_pose *pose, vd_kc_state *s) {
  for (int side = 0; side < 2; side++) {
    const vd_kc_view view = {.right = side == R, .along = {1.0, 1.0}};
    vd_kc_state_in_view(c, l, pose, &view, &s[side]);
  }
}

/* Finds the axle's travels at given heights of the wheel centres, which the rig fixes, by Newton's method with the
 * exact slopes of these heights. */
static bool hold_wheels(const vd_corner *c, const vd_linkage *l, const double *travel, vd_kc_state *s) {
  double u[VD_INPUTS] = {travel[L], travel[R]};
  vd_pose pose;
  vd_linkage_start(l, &pose);
  for (int round = 0; round < 20; round++) {
    if (vd_linkage_move(l, u, &pose) != VD_LINKAGE_OK)
      return false;
    states_of_both(c, l, &pose, s);
    const double miss[2] = {s[L].wheel_z.v - travel[L], s[R].wheel_z.v - travel[R]};
    if (fabs(miss[L]) + fabs(miss[R]) < 1e-14)
      return true;
    const double *a = s[L].wheel_z.d, *b = s[R].wheel_z.d, det = a[0] * b[1] - a[1] * b[0];
    u[0] -= (b[1] * miss[L] - a[1] * miss[R]) / det;
    u[1] -= (a[0] * miss[R] - b[0] * miss[L]) / det;
  }
  return true;
}

static void test_chrono(void) {
  vd_corner c = corner_of(g500);
  vd_linkage l = in_plane();
  double worst[3] = {0.0}; /* mm, deg, mm */
  for (size_t k = 0; k < VD_COUNT(rig); k++) {
    const double travel[2] = {1e-3 * rig[k].travel[L], 1e-3 * rig[k].travel[R]};
    vd_kc_state s[2];
    if (!hold_wheels(&c, &l, travel, s))
      worst[0] = INFINITY;
    for (int side = 0; side < 2; side++) {
      const double *known = rig[k].wheel[side];
      /* the rig's dy is to the car's left for both wheels; both states are those of a left wheel, outward */
      const double dy = s[side].wheel_y.v - 0.7325;
      worst[0] = tap_max(worst[0], fabs(1e3 * s[side].wheel_x.v - known[0]));
      worst[0] = tap_max(worst[0], fabs(1e3 * (side == R ? -dy : dy) - known[1]));
      worst[1] = tap_max(worst[1], fabs(degree * s[side].toe.v - known[2]));
      worst[1] = tap_max(worst[1], fabs(degree * s[side].camber.v - known[3]));
      worst[1] = tap_max(worst[1], fabs(degree * s[side].kpi.v - known[4]));
      if (!isnan(known[5])) {
        worst[2] = tap_max(worst[2], fabs(1e3 * s[side].trail.v - known[5]));
        worst[2] = tap_max(worst[2], fabs(1e3 * s[side].scrub.v - known[6]));
      }
    }
  }
  /* the rig's figures are printed to 1e-9: the allowed error is half of the last digit */
  tap_near(worst[0], 0.0, 5.1e-10, "G500: places of the wheel centres are those of Chrono's rig, mm");
  tap_near(worst[1], 0.0, 5.1e-10, "G500: toe, camber and kingpin inclination are those of Chrono's rig, deg");
  tap_near(worst[2], 0.0, 5.1e-10, "G500: trail and scrub radius are those of Chrono's rig, mm");
}

/* --- closed forms --- */

/* Tests bump steer. In heave the tube moves straight up, except for a lateral motion of second order by the Panhard
 * rod. The drag link, level and along x with the length D, pulls its joint back by z^2/(2 D): the knuckle turns by this
 * distance divided by r, the x component of e x arm, with e the kingpin's direction and arm the vector from the kingpin
 * to the joint. */
static void test_bump_steer(void) {
  vd_linkage l = in_plane();
  vd_pose start;
  vd_linkage_start(&l, &start);
  vd_jet turn = vd_knuckle_turn(&l, &start, false);
  double(*pin)[3] = l.points.steer.kingpin[L];
  double e[3], arm[3], across[3], length = vd_distance(pin[0], pin[1]);
  for (int i = 0; i < 3; i++) {
    e[i] = (pin[1][i] - pin[0][i]) / length;
    arm[i] = l.points.steer.drag_link[1][i] - pin[0][i];
  }
  vd_cross(e, arm, across);
  const double heave = turn.h[VD_UU] + 2.0 * turn.h[VD_UV] + turn.h[VD_VV];
  tap_near(turn.d[0] + turn.d[1], 0.0, 1e-12, "a level drag link causes no bump steer at design");
  tap_near(heave, 1.0 / (0.6 * across[0]), 1e-10, "a level drag link of length D turns the knuckle by z^2/(2 D r)");
}

/* Makes a planar four-bar linkage: upright kingpins, arms at an angle behind the axle's line, and a tie rod. When both
 * arms have turned by the angles of their knuckles, the distance of their ends is still the tie rod's length (Reimpell,
 * The Automotive Chassis, 3.7). */
static vd_hardpoints trapezoid(void) {
  vd_hardpoints h = g500;
  vd_axle_steer *s = &h.steer;
  for (int side = 0; side < 2; side++) {
    double y = side ? -0.65 : 0.65;
    memcpy(s->kingpin[side], (const double[2][3]){{0.0, y, -0.1}, {0.0, y, 0.1}}, sizeof s->kingpin[side]);
    memcpy(s->tie_rod[side], (const double[3]){-0.17, 0.93 * y, 0.05}, sizeof s->tie_rod[side]);
  }
  memcpy(s->drag_link, (const double[2][3]){{0.16, 0.1, 0.0}, {0.16, 0.60, 0.0}}, sizeof s->drag_link);
  h.gear = (vd_gear){.kind = VD_GEAR_RACK};
  return h;
}

/* Computes the end of a planar arm from (0, y0) to (x, y) that is turned to the left by t. */
static void turned_end(const double *joint, double y0, double t, double *x, double *y) {
  *x = cos(t) * joint[0] - sin(t) * (joint[1] - y0);
  *y = y0 + sin(t) * joint[0] + cos(t) * (joint[1] - y0);
}

static void test_trapezoid(void) {
  vd_hardpoints h = trapezoid();
  vd_corner c = corner_of(h);
  c.wheelbase = 2.6;
  vd_linkage l = build(&h, VD_PARALLEL);
  double(*tie)[3] = h.steer.tie_rod;
  double length = vd_distance(tie[L], tie[R]), worst = 0.0, worst_drag = 0.0, drag = 0.5;
  static const double still[VD_INPUTS] = {0.0, 0.0};
  for (int k = -8; k <= 8; k++) {
    vd_pose pose;
    vd_linkage_start(&l, &pose);
    if (vd_linkage_move_racked(&l, still, 0.01 * k, &pose) != VD_LINKAGE_OK)
      worst = INFINITY;
    double turn[2] = {vd_knuckle_turn(&l, &pose, false).v, vd_knuckle_turn(&l, &pose, true).v}, at[3][2];
    for (int side = 0; side < 2; side++)
      turned_end(tie[side], side ? -0.65 : 0.65, turn[side], &at[side][0], &at[side][1]);
    worst = tap_max(worst, fabs(hypot(at[L][0] - at[R][0], at[L][1] - at[R][1]) - length));
    turned_end(h.steer.drag_link[1], 0.65, turn[L], &at[2][0], &at[2][1]);
    worst_drag = tap_max(worst_drag, fabs(hypot(at[2][0] - 0.16, at[2][1] - 0.1 - 0.01 * k) - drag));
  }
  tap_near(worst, 0.0, 1e-14, "trapezoid: the tie rod keeps its length, m");
  tap_near(worst_drag, 0.0, 1e-14, "trapezoid: the drag link follows the rack, m");
  /* Ackermann by its definition, from both angles at 60 mm of rack; the wheel centres are 0.0825 m outside the
   * kingpins */
  vd_pose pose;
  vd_kc_state s[2];
  vd_kc_axle axle;
  vd_linkage_start(&l, &pose);
  vd_linkage_move_racked(&l, still, 0.06, &pose);
  states_of_both(&c, &l, &pose, s);
  vd_kc_axle_at(&c, &l, &s[L], &s[R], &axle);
  double a[2] = {vd_knuckle_turn(&l, &pose, false).v, vd_knuckle_turn(&l, &pose, true).v};
  int inner = a[L] > 0.0 ? L : R, outer = !inner;
  double x[2], y[2];
  for (int side = 0; side < 2; side++) {
    double out = side ? -0.0825 : 0.0825;
    x[side] = -sin(a[side]) * out;
    y[side] = (side ? -0.65 : 0.65) + cos(a[side]) * out;
  }
  double centre = y[inner] + (x[inner] + 2.6) / tan(a[inner]);
  double ideal = atan((x[outer] + 2.6) / (centre - y[outer]));
  tap_near(axle.ackermann, (a[inner] - a[outer]) / (a[inner] - ideal), 1e-9,
           "trapezoid: the Ackermann share is that of the definition");
}

/* --- shipped file, and others made from it --- */

static vd_corner shipped(void) {
  static vd_corner c;
  vd_arena *arena = vd_arena_create(); /* freed at the end of the program */
  vd_diag *d = vd_diag_create();
  if (!vd_corner_read("scenarios/suspensions/panhard_front_offroad.yaml", NULL, 0, arena, d, &c, NULL))
    abort();
  return c;
}

/* Tests the trapezoid on a rigid axle, straight ahead, with a tie rod of stiffness k1 and a drag link of k2. A force fx
 * at a wheel centre has the arm s about its kingpin. The arm of the right wheel, a = 0.17 m, is connected to the tie
 * rod only: a force on this wheel turns it by s fx/(a^2 k1) relative to the left one. The drag link, with its arm d =
 * 0.16 m, reacts the moment of a force on any wheel, and both wheels turn by s fx/(d^2 k2), to the right under a force
 * on the left wheel. */
static void test_soft_rods(void) {
  const double k1 = 2e7, k2 = 3e6, s = 0.7325 - 0.65, tie = s / (0.17 * 0.17 * k1), drag = s / (0.16 * 0.16 * k2);
  static const double still[VD_INPUTS] = {0.0, 0.0};
  static const vd_wheel_load none;
  enum { FX = 0, TURN = 5, RIGHT = 6 };
  vd_hardpoints h = trapezoid();
  h.steer.tie_rod_stiffness = k1;
  h.steer.drag_link_stiffness = k2;
  vd_corner c = corner_of(h);
  vd_linkage l = build(&h, VD_EACH);
  vd_compliance_state state;
  vd_compliance_axle both;
  vd_compliance *solver = vd_compliance_create(&c, &l, VD_HOLD_CENTRE);
  vd_linkage_start(&l, &state.pose);
  bool ok = vd_compliance_solve(solver, still, &none, &state) && vd_compliance_of_axle(solver, false, &both);
  vd_compliance_destroy(solver);
  tap_near(ok ? both.c[TURN][FX] / -drag : NAN, 1.0, 1e-9,
           "soft drag link: the left wheel turns under a force on the left wheel");
  tap_near(both.c[RIGHT + TURN][FX] / -drag, 1.0, 1e-9, "soft drag link: the tie rod turns the right wheel as much");
  tap_near(both.c[TURN][RIGHT + FX] / drag, 1.0, 1e-9,
           "soft drag link: the left wheel turns under a force on the right wheel");
  tap_near(both.c[RIGHT + TURN][RIGHT + FX] / (drag + tie), 1.0, 1e-9,
           "soft tie rod: the right wheel turns under a force on the right wheel");
}

enum variant { PITMAN, RACK, HALTENBERGER, VARIANTS };
static const char *const variant_name[] = {"pitman arm", "rack", "Haltenberger linkage"};

static vd_corner variant_of(enum variant v) {
  vd_corner c = shipped();
  vd_hardpoints *h = &c.points;
  if (v == RACK)
    h->gear.kind = VD_GEAR_RACK;
  if (v == HALTENBERGER) {
    vd_axle_steer *s = &h->steer;
    s->tie_rod_on_drag_link = true;
    for (int i = 0; i < 3; i++)
      s->tie_rod[R][i] = 0.4 * s->drag_link[0][i] + 0.6 * s->drag_link[1][i];
    memcpy(s->tie_rod[L], (const double[3]){0.160, 0.620, 0.420}, sizeof s->tie_rod[L]);
  }
  return c;
}

static vd_pose pose_at(const vd_linkage *l, double left, double right, double rack) {
  const double travel[VD_INPUTS] = {left, right};
  vd_pose pose;
  vd_linkage_start(l, &pose);
  if (vd_linkage_move_racked(l, travel, rack, &pose) != VD_LINKAGE_OK) {
    tap_diag("travels %g %g, rack %g: open", left, right, rack);
    abort();
  }
  return pose;
}

/* Tests that a tie rod's joint that is less than a millimetre off the line of its drag link is moved into the line; the
 * poses of the knuckles at design are those of the file. */
static void test_joint_beside_line(void) {
  vd_corner c = variant_of(HALTENBERGER);
  c.points.steer.tie_rod[R][2] += 0.9e-3;
  vd_linkage l = build(&c.points, VD_EACH);
  vd_pose pose = pose_at(&l, 0.0, 0.0, 0.0);
  double turned = tap_max(fabs(vd_knuckle_turn(&l, &pose, false).v), fabs(vd_knuckle_turn(&l, &pose, true).v));
  tap_near(turned, 0.0, 1e-14, "a joint 0.9 mm beside the drag link turns no knuckle at design, rad");
}

static void value_of(vd_jet3 p, double *out) {
  out[0] = p.x.v;
  out[1] = p.y.v;
  out[2] = p.z.v;
}

/* Checks by the poses of the knuckles that both rods keep their lengths, and that the kingpins stay in their places on
 * the axle. */
static void test_lengths(enum variant v) {
  vd_corner c = variant_of(v);
  vd_linkage l = build(&c.points, VD_EACH);
  const vd_axle_steer *s = &c.points.steer;
  double worst_rod = 0.0, worst_pin = 0.0, at[4][3];
  for (int k = 0; k < 60; k++) {
    vd_pose pose = pose_at(&l, 0.08 * sin(k), 0.08 * cos(3.0 * k), 0.05 * sin(7.0 * k)), knuckle[2];
    for (int side = 0; side < 2; side++) {
      vd_knuckle_pose(&l, &pose, side, &knuckle[side]);
      for (int i = 0; i < 2; i++) {
        value_of(vd_pose_point(&l, &knuckle[side], s->kingpin[side][i]), at[0]);
        value_of(vd_pose_point(&l, &pose, s->kingpin[side][i]), at[1]);
        worst_pin = tap_max(worst_pin, vd_distance(at[0], at[1]));
      }
    }
    value_of(vd_gear_point(&c.points.gear, pose.gear, s->drag_link[0]), at[0]);
    value_of(vd_pose_point(&l, &knuckle[s->driven_side], s->drag_link[1]), at[1]);
    value_of(vd_pose_point(&l, &knuckle[!s->driven_side], s->tie_rod[!s->driven_side]), at[2]);
    value_of(vd_pose_point(&l, &knuckle[s->driven_side], s->tie_rod[s->driven_side]), at[3]);
    for (int i = 0; i < 3 && s->tie_rod_on_drag_link; i++)
      at[3][i] = 0.4 * at[0][i] + 0.6 * at[1][i];
    worst_rod = tap_max(worst_rod, fabs(vd_distance(at[0], at[1]) - vd_distance(s->drag_link[0], s->drag_link[1])));
    worst_rod = tap_max(worst_rod, fabs(vd_distance(at[2], at[3]) - vd_distance(s->tie_rod[0], s->tie_rod[1])));
  }
  tap_near(worst_rod, 0.0, 1e-14, "%s: rods keep their lengths, m", variant_name[v]);
  tap_near(worst_pin, 0.0, 1e-14, "%s: knuckles turn about their kingpins, m", variant_name[v]);
}

/* Computes the six coordinates of two points of a knuckle at a state of three inputs. */
static void knuckle_points(const vd_linkage *l, const double *q, bool right, vd_jet *out) {
  static const double point[2][3] = {{0.3, 0.9, 0.1}, {-0.2, 0.4, 0.8}};
  vd_pose pose = pose_at(l, q[0], q[1], q[2]), knuckle;
  vd_knuckle_pose(l, &pose, right, &knuckle);
  for (int k = 0; k < 2; k++) {
    vd_jet3 p = vd_pose_point(l, &knuckle, point[k]);
    out[3 * k] = p.x;
    out[3 * k + 1] = p.y;
    out[3 * k + 2] = p.z;
  }
}

static void racked_points(const vd_linkage *l, const double *q, const double *along, bool right, vd_jet *out) {
  static const double point[2][3] = {{0.3, 0.9, 0.1}, {-0.2, 0.4, 0.8}};
  vd_pose pose = pose_at(l, q[0], q[1], q[2]), racked = vd_pose_by_rack(&pose, along), knuckle;
  vd_knuckle_pose(l, &racked, right, &knuckle);
  for (int k = 0; k < 2; k++) {
    vd_jet3 p = vd_pose_point(l, &knuckle, point[k]);
    out[3 * k] = p.x;
    out[3 * k + 1] = p.y;
    out[3 * k + 2] = p.z;
  }
}

/* Compares derivatives with central differences of two steps, extrapolated, whose error grows with the fourth power of
 * the step: steps four times as long have errors of 4e-7 and 6e-5. */
static void test_derivatives(enum variant v) {
  static const double h[2] = {2.5e-4, 5e-4};
  static const double along[VD_INPUTS] = {0.7, -0.4};
  vd_corner c = variant_of(v);
  vd_linkage l = build(&c.points, VD_EACH);
  double worst[2] = {0.0};
  for (int k = 0; k < 12; k++) {
    const double q[3] = {0.06 * sin(k), 0.06 * cos(3.0 * k), 0.04 * sin(7.0 * k)};
    vd_jet exact[6], racked[6], side[2][2][6];
    bool right = k % 2;
    knuckle_points(&l, q, right, exact);
    racked_points(&l, q, along, right, racked);
    for (int j = 0; j < 4; j++) { /* travels; along both; the rack */
      const double direction[4][3] = {{1, 0, 0}, {0, 1, 0}, {along[0], along[1], 0}, {0, 0, 1}}, *d = direction[j];
      for (int m = 0; m < 2; m++)
        for (int sign = 0; sign < 2; sign++) {
          double by = sign ? -h[m] : h[m], at[3] = {q[0] + by * d[0], q[1] + by * d[1], q[2] + by * d[2]};
          if (j < 2)
            knuckle_points(&l, at, right, side[m][sign]);
          else
            racked_points(&l, at, along, right, side[m][sign]);
        }
      const vd_jet *of = j < 2 ? exact : racked;
      for (int i = 0; i < 6; i++) {
        double value[2], slope[2][2];
        for (int m = 0; m < 2; m++) {
          value[m] = (side[m][0][i].v - side[m][1][i].v) / (2.0 * h[m]);
          for (int n = 0; n < 2; n++)
            slope[m][n] = (side[m][0][i].d[n] - side[m][1][i].d[n]) / (2.0 * h[m]);
        }
        worst[0] = tap_max(worst[0], fabs((4.0 * value[0] - value[1]) / 3.0 - of[i].d[j % 2]));
        for (int n = 0; n < 2; n++)
          worst[1] = tap_max(worst[1], fabs((4.0 * slope[0][n] - slope[1][n]) / 3.0 - of[i].h[j % 2 + n]));
      }
    }
  }
  tap_near(worst[0], 0.0, 1e-8, "%s: rates of a knuckle are those of its places, m/m", variant_name[v]);
  tap_near(worst[1], 0.0, 1e-6, "%s: second derivatives are those of the rates, 1/m", variant_name[v]);
}

/* Checks that the mirror image turns its knuckles the other way at the opposite rack. */
static void test_mirror(enum variant v) {
  vd_corner c = variant_of(v);
  vd_hardpoints other;
  vd_hardpoints_mirror(&c.points, &other);
  vd_linkage l = build(&c.points, VD_EACH), m = build(&other, VD_EACH);
  double worst = 0.0;
  for (int k = 0; k < 30; k++) {
    double a = 0.07 * sin(k), b = 0.07 * cos(3.0 * k), rack = 0.05 * sin(7.0 * k);
    vd_pose pose = pose_at(&l, a, b, rack), image = pose_at(&m, b, a, -rack);
    for (int side = 0; side < 2; side++)
      worst = tap_max(worst, fabs(vd_knuckle_turn(&l, &pose, side).v + vd_knuckle_turn(&m, &image, !side).v));
  }
  tap_near(worst, 0.0, 1e-13, "%s: the mirror image turns its knuckles the other way, rad", variant_name[v]);
}

/* Compares the rack force with the work of the forces on both wheels, at points of their knuckles, as the rack
 * moves. */
static void test_rack_force(enum variant v) {
  vd_corner c = variant_of(v);
  vd_linkage l = build(&c.points, VD_EACH);
  const double h = 1e-4, q[3] = {0.03, -0.02, 0.015};
  vd_wheel_load load = {.fx = -900.0, .fy = 1500.0, .fz = 5000.0, .mz = -60.0};
  vd_pose pose = pose_at(&l, q[0], q[1], q[2]);
  vd_kc_state s[2];
  double work = 0.0;
  for (int side = 0; side < 2; side++) {
    vd_wheel_load own = load; /* load of the mirrored wheel */
    own.fy *= side ? -1.0 : 1.0;
    own.mz *= side ? -1.0 : 1.0;
    const vd_kc_view view = {.right = side == R, .along = {1.0, 1.0}, .load = &own};
    vd_kc_state_in_view(&c, &l, &pose, &view, &s[side]);
    double at[2][3], patch[3] = {s[side].patch_x.v, (side ? -1.0 : 1.0) * s[side].patch_y.v, s[side].patch_z.v};
    vd_pose knuckle[3];
    vd_knuckle_pose(&l, &pose, side, &knuckle[2]);
    double design[3] = {0.0}; /* design place of the point of the knuckle that is at the patch */
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++)
        design[i] += knuckle[2].turn[j][i] * (patch[j] - knuckle[2].at[j]);
      design[i] += l.points.wheel_center[i];
    }
    for (int k = 0; k < 2; k++) {
      vd_pose beside = pose_at(&l, q[0], q[1], q[2] + (k ? -h : h));
      vd_knuckle_pose(&l, &beside, side, &knuckle[k]);
      value_of(vd_pose_point(&l, &knuckle[k], design), at[k]);
    }
    const double force[3] = {load.fx, load.fy, load.fz};
    for (int i = 0; i < 3; i++)
      work += force[i] * (at[0][i] - at[1][i]) / (2.0 * h);
    /* w_z of the rotation between both poses */
    double spin = 0.0;
    for (int j = 0; j < 3; j++)
      spin += (knuckle[0].turn[1][j] - knuckle[1].turn[1][j]) * knuckle[2].turn[0][j] / (2.0 * h);
    work += load.mz * spin;
  }
  vd_kc_axle axle;
  vd_kc_axle_at(&c, &l, &s[L], &s[R], &axle);
  tap_near(axle.rack_force, -work, 1e-5 * fabs(work), "%s: the force on the rack is that of virtual work, N",
           variant_name[v]);
}

/* --- tables --- */

static vd_wheel_tables read_tables(const vd_buf *text, bool right, vd_arena *arena, vd_diag *d) {
  char path[] = "/tmp/vdsim-table-XXXXXX", yaml[80];
  int file = mkstemp(path);
  vd_wheel_tables out = {.joined = false};
  vd_kc_def def;
  vd_node *root = NULL;
  snprintf(yaml, sizeof yaml, "{tables: %s}", path);
  if (file < 0 || write(file, text->text, text->length) != (ssize_t)text->length ||
      !vd_schema_read_source(&vd_kc_schema, vd_diag_add_source(d, "test.yaml", yaml, strlen(yaml)), NULL, 0, arena, d,
                             &def, &root) ||
      !vd_kc_read(&def, NAN, NAN, right, root, "", arena, d, &out))
    abort();
  close(file);
  unlink(path);
  return out;
}

static void keep(double *worst, double value) {
  *worst = tap_max(*worst, fabs(value));
}

/* Compares the values and slopes of two poses, and keeps the largest differences. */
static void compare_poses(const vd_corner_pose *a, const vd_corner_pose *b, double *place, double *slope) {
  for (int q = 0; q < VD_MAPPED; q++) {
    bool value = q != VD_MAP_SPIN && q != VD_MAP_OTHER_SPIN; /* these two are slopes themselves */
    keep(value ? place : slope, a->value[q] - b->value[q]);
    if (value) {
      keep(slope, a->by_travel[q] - b->by_travel[q]);
      keep(slope, a->by_rack[q] - b->by_rack[q]);
      keep(slope, a->by_gear[q] - b->by_gear[q]);
    }
  }
  keep(place, a->lift[0] - b->lift[0]);
  keep(place, a->turn[0] - b->turn[0]);
  for (int k = 1; k < 4; k++) {
    keep(slope, a->lift[k] - b->lift[k]);
    keep(slope, a->turn[k] - b->turn[k]);
  }
}

/* Compares maps from tables of both wheels with the closed linkages at other travels and racks. A rod's shift s turns
 * an arm of length r by the angle f(s) with f' = 1/(r cos f), so that f'''' is at most 15/(r^4 cos^7 f), where 15/r^4 =
 * 2.3e4 1/m4 for arms of 0.16 m. With rows every h = 10 mm the errors are 5/384 h^4 f'''' = 3e-6 rad in f and h^3/24
 * f'''' = 1e-3 1/m in f', and twice as great for two rods in series. The arms are up to 35 degrees from their rods'
 * normals at a mean angle of 0.3 rad, and up to 55 degrees at the lock: there cos^-7 makes the errors 4 and 49 times as
 * great. */
static void test_tables(void) {
  static const struct {
    double steer, grows;
    const char *how;
  } range[] = {{0.3, 4.0, "in driving"}, {0.45, 49.0, "to the lock"}};
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  const vd_corner c = shipped();
  vd_kc_range travel, rack;
  vd_kc_tables text;
  vd_kc_report report;
  enum vd_map_status status = VD_MAP_OK;
  const double most = 0.46, way = 0.09;
  vd_kc_tables_ranges(&c, &travel, &rack);
  bool wrote = vd_kc_tables_write(&c, &travel, &rack, VD_DIGITS_EXACT, &text, &report);
  tap_ok(wrote && text.right.length > 0, "an axle that steers has tables of both wheels, with %ld rows", report.rows);
  if (!wrote)
    abort();
  const vd_wheel_tables tables[2] = {read_tables(&text.left, false, arena, d),
                                     read_tables(&text.right, true, arena, d)};
  const vd_linkage_map *tabled = vd_wheel_tables_map(&tables[L], &tables[R], way, most, arena, &status);
  const vd_linkage_map *linked = vd_linkage_map_create(&c, way, most, arena, &status);
  tap_ok(tabled && linked && tabled->right != tabled,
         "the tables of an axle that steers reach the steering angles that the car needs");
  double shaft = 0.0, unused;
  for (size_t i = 0; tabled && linked && i < VD_COUNT(range); i++) {
    double place = 0.0, slope = 0.0;
    for (int k = 0; k < 300; k++) {
      const vd_linkage_map *of[2] = {k % 2 ? tabled->right : tabled, k % 2 ? linked->right : linked};
      const double z = way * sin(k), other = way * sin(3.0 * k + 1.0), mean = range[i].steer * sin(7.0 * k);
      const double gear = (k % 2 ? -1.0 : 1.0) * vd_linkage_rack(linked, mean, &unused);
      vd_corner_pose a, b;
      vd_linkage_map_at(of[0], z, other, &a);
      vd_knuckle_map_at(of[0], z, other, gear, &a);
      if (!vd_linkage_exact_at(of[1], z, other, gear, &b))
        abort();
      compare_poses(&a, &b, &place, &slope);
    }
    tap_near(place, 0.0, 6e-6 * range[i].grows, "%s, wheels from tables are where the linkage has them (%.1e)",
             range[i].how, place);
    tap_near(slope, 0.0, 2e-3 * range[i].grows,
             "%s, the slopes by both travels and the rack are those of the linkage (%.1e)", range[i].how, slope);
  }
  for (int side = 0; tabled && linked && side < 2; side++) {
    const vd_shaft_joint *a = side ? &tabled->right->shaft : &tabled->shaft,
                         *b = side ? &linked->right->shaft : &linked->shaft;
    const double apart[] = {a->along - b->along, a->sum - b->sum, a->base - b->base, a->swing - b->swing,
                            a->straight - b->straight};
    for (size_t k = 0; k < VD_COUNT(apart); k++)
      keep(&shaft, apart[k]);
  }
  tap_near(shaft, 0.0, 1e-4, "the joint of the drive shaft from tables is that of the hardpoints (%.1e)", shaft);
  vd_buf_finish(&text.left);
  vd_buf_finish(&text.right);
  vd_buf_finish(&text.compliance);
  vd_buf_finish(&report.messages);
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
}

int main(void) {
  tap_plan(7 + 3 + 2 + 3 + 4 + 1 + VARIANTS * 6);
  test_chrono();
  test_bump_steer();
  test_trapezoid();
  test_soft_rods();
  test_joint_beside_line();
  test_tables();
  for (int v = 0; v < VARIANTS; v++) {
    test_lengths((enum variant)v);
    test_derivatives((enum variant)v);
    test_mirror((enum variant)v);
    test_rack_force((enum variant)v);
  }
  return tap_done();
}
