/* Parts of linkages: relay rods that steer, rods on arms, and springs off a rod's line. References: closed forms,
 * constant lengths, differences, and rigs of Project Chrono (own runs, BSD-3-Clause). */
#include "base/vec.h"
#include "linkages.h"

#include "kc/sweep.h"
#include "linkage/corner_def.h"

#include <math.h>
#include <stdio.h>

/* --- relay rods --- */

static const double upright[3] = {0.0, 0.0, 1.0};

static vd_gear gear_of(const double *pivot, const double *joint, const double *axis) {
  vd_gear g = {.kind = VD_GEAR_RELAY};
  memcpy(g.pivot, pivot, sizeof g.pivot);
  memcpy(g.joint, joint, sizeof g.joint);
  memcpy(g.axis, axis, sizeof g.axis);
  return g;
}

/* Tests parallel arms: all points move on circles of the arms' length R, x = sqrt(R^2 - s^2) - R. */
static void test_parallel(void) {
  const double r = 0.13, design[3] = {-0.31, 0.42, 0.22};
  vd_gear g = gear_of((const double[]){-0.4, 0.3, 0.2}, (const double[]){-0.4 + r, 0.3, 0.24}, upright);
  double off = 0.0;
  for (int i = -5; i <= 5; i++) {
    double s = 0.02 * i, x = sqrt(r * r - s * s);
    vd_jet3 p = vd_gear_point(&g, s, design);
    off = tap_max(off, fabs(p.x.v - (design[0] + x - r)) + fabs(p.y.v - design[1] - s) + fabs(p.z.v - design[2]));
    off = tap_max(off, fabs(p.x.d[1] + s / x) + fabs(p.y.d[1] - 1.0) + fabs(p.z.d[1]));
    off = tap_max(off, fabs(p.x.h[VD_VV] + r * r / (x * x * x)) + fabs(p.y.h[VD_VV]) + fabs(p.x.d[0]));
  }
  tap_near(off, 0.0, 1e-12, "a relay rod on parallel arms moves on a circle, with both derivatives");
  tap_ok(isnan(vd_gear_point(&g, 1.001 * r, design).x.v),
         "a relay rod on parallel arms does not reach beyond its arms' length");
}

static vd_jet turned_angle(const vd_gear *g, double s) {
  vd_jet3 p = vd_gear_point(g, s, g->joint), q = vd_gear_point(g, s, (const double[]){g->joint[0], 0.0, g->joint[2]});
  return vd_jet_atan2(vd_jet_sub(q.x, p.x), vd_jet_sub(p.y, q.y));
}

/* Tests arms that are not parallel, about inclined axes: lengths are constant, and the mirror image moves to the other
 * side. */
static void test_trapezoid(void) {
  const double axis[3] = {0.2, 0.0, 0.9}, far = 1e-5;
  const double point[3] = {-0.30, 0.45, 0.25};
  vd_gear g = gear_of((const double[]){-0.45, 0.30, 0.2}, (const double[]){-0.32, 0.36, 0.17}, axis);
  const double right[3] = {g.joint[0], -g.joint[1], g.joint[2]}, idler[3] = {g.pivot[0], -g.pivot[1], g.pivot[2]};
  const double image[3] = {point[0], -point[1], point[2]};
  double off = 0.0, slope = 0.0, mirror = 0.0, along = 0.0, most = 0.0;
  for (int i = -6; i <= 6; i++) {
    double s = 0.01 * i;
    vd_jet3 a = vd_gear_point(&g, s, g.joint), b = vd_gear_point(&g, s, right), p = vd_gear_point(&g, s, point);
    vd_jet3 q = vd_gear_point(&g, -s, image);
    const double at_a[3] = {a.x.v, a.y.v, a.z.v}, at_b[3] = {b.x.v, b.y.v, b.z.v};
    off = tap_max(off, fabs(vd_distance(at_a, g.pivot) - vd_distance(g.joint, g.pivot)));
    off = tap_max(off, fabs(vd_distance(at_b, idler) - vd_distance(g.joint, g.pivot)));
    off = tap_max(off, fabs(vd_distance(at_a, at_b) - 2.0 * g.joint[1]));
    off = tap_max(off, fabs(0.5 * (at_a[1] + at_b[1]) - s));
    along = tap_max(along, fabs(axis[0] * (at_a[0] - g.joint[0]) + axis[2] * (at_a[2] - g.joint[2])));
    mirror = tap_max(mirror, fabs(p.x.v - q.x.v) + fabs(p.y.v + q.y.v) + fabs(p.z.v - q.z.v));
    vd_jet3 up = vd_gear_point(&g, s + far, point), down = vd_gear_point(&g, s - far, point);
    slope = tap_max(slope, fabs(p.x.d[1] - (up.x.v - down.x.v) / (2.0 * far)));
    slope = tap_max(slope, fabs(p.z.d[1] - (up.z.v - down.z.v) / (2.0 * far)));
    slope = tap_max(slope, fabs(p.y.h[VD_VV] - (up.y.d[1] - down.y.d[1]) / (2.0 * far)));
    slope = tap_max(slope, fabs(p.x.h[VD_VV] - (up.x.d[1] - down.x.d[1]) / (2.0 * far)));
    most = tap_max(most, fabs(turned_angle(&g, s).v));
  }
  tap_near(off, 0.0, 1e-14, "a relay rod between arms at an angle: lengths are constant, its middle is at the rack");
  tap_near(along, 0.0, 1e-15, "a relay rod between arms at an angle stays in the plane across its arms' axes");
  tap_near(mirror, 0.0, 1e-14, "the mirror image of a relay rod has mirrored places at the opposite rack");
  tap_near(slope, 0.0, 1e-5, "a relay rod's derivatives are those of differences");
  tap_ok(most > 0.05, "a relay rod between arms at an angle turns by %.1f deg", degree * most);
}

/* Pitman and idler arm of any lengths and places: a four-bar linkage. With the arms' lengths a and c, their angles t
 * and u from the line between their pivots, the distance d of these, and the relay rod's length b (Freudenstein, Trans.
 * ASME 77, 1955, p. 853)
 *
 *   K1 cos u - K2 cos t + K3 = cos(t - u),   K1 = d/a, K2 = d/c, K3 = (a^2 - b^2 + c^2 + d^2)/(2 a c)
 *
 * which is a quadratic equation of tan(u/2). */
typedef struct four_bar {
  double pivot[2][2], arm[2], design[2], rod, line, apart; /* angles of arms and of the line from x */
} four_bar;

static four_bar four_bar_of(const double pivot[2][2], const double joint[2][2]) {
  four_bar b = {.rod = hypot(joint[1][0] - joint[0][0], joint[1][1] - joint[0][1])};
  memcpy(b.pivot, pivot, sizeof b.pivot);
  for (int k = 0; k < 2; k++) {
    double x = joint[k][0] - pivot[k][0], y = joint[k][1] - pivot[k][1];
    b.arm[k] = hypot(x, y);
    b.design[k] = atan2(y, x);
  }
  b.apart = hypot(pivot[1][0] - pivot[0][0], pivot[1][1] - pivot[0][1]);
  b.line = atan2(pivot[1][1] - pivot[0][1], pivot[1][0] - pivot[0][0]);
  return b;
}

/* Returns the other arm's angle after the left arm has turned by an angle from design; sign: which of two roots. */
static double four_bar_angle(const four_bar *b, double turn, double sign) {
  const double a = b->arm[0], c = b->arm[1], d = b->apart, t = b->design[0] + turn - b->line;
  const double k1 = d / a, k2 = d / c, k3 = (a * a - b->rod * b->rod + c * c + d * d) / (2.0 * a * c);
  const double p = cos(t) - k1 - k2 * cos(t) + k3, q = -2.0 * sin(t), r = k1 - (k2 + 1.0) * cos(t) + k3;
  return 2.0 * atan2(-q + sign * sqrt(q * q - 4.0 * p * r), 2.0 * p) + b->line;
}

/* Computes the joints after a rotation of the left arm, by the root that gives the design position at zero rotation. */
static void four_bar_at(const four_bar *b, double turn, double joint[2][2]) {
  double sign = fabs(remainder(four_bar_angle(b, 0.0, 1.0) - b->design[1], 2.0 * VD_PI)) < 1e-9 ? 1.0 : -1.0;
  const double angle[2] = {b->design[0] + turn, four_bar_angle(b, turn, sign)};
  for (int k = 0; k < 2; k++) {
    joint[k][0] = b->pivot[k][0] + b->arm[k] * cos(angle[k]);
    joint[k][1] = b->pivot[k][1] + b->arm[k] * sin(angle[k]);
  }
}

static void test_four_bar(void) {
  static const double pivot[2][2] = {{-0.40, 0.33}, {-0.37, -0.31}}, joint[2][2] = {{-0.22, 0.30}, {-0.25, -0.27}};
  const double tie[3] = {-0.235, 0.24, 0.21}, far = 1e-5; /* inner end of a tie rod, on the relay rod */
  vd_hardpoints h = {.type = VD_DOUBLE_WISHBONE}, image;
  vd_gear *g = &h.gear;
  *g = gear_of((const double[]){pivot[0][0], pivot[0][1], 0.3}, (const double[]){joint[0][0], joint[0][1], 0.2},
               upright);
  g->asymmetric = true;
  memcpy(g->other_pivot, (const double[]){pivot[1][0], pivot[1][1], 0.28}, sizeof g->other_pivot);
  memcpy(g->other_joint, (const double[]){joint[1][0], joint[1][1], 0.21}, sizeof g->other_joint);
  vd_hardpoints_mirror(&h, &image);
  const four_bar b = four_bar_of(pivot, joint);
  const double line = atan2(joint[0][0] - joint[1][0], joint[0][1] - joint[1][1]); /* angle of the rod, from y to x */
  double off = 0.0, mirror = 0.0, slope = 0.0, apart = 0.0, height = 0.0;
  for (int i = -6; i <= 3; i++) { /* at 0.39 rad the idler arm and the rod are in line */
    double at[2][2];
    four_bar_at(&b, 0.1 * i, at);
    const double shift = 0.5 * (at[0][1] + at[1][1] - joint[0][1] - joint[1][1]);
    const double turn = line - atan2(at[0][0] - at[1][0], at[0][1] - at[1][1]); /* to the left */
    const double x = tie[0] - joint[0][0], y = tie[1] - joint[0][1];
    vd_jet3 left = vd_gear_point(g, shift, g->joint), right = vd_gear_point(g, shift, g->other_joint);
    vd_jet3 p = vd_gear_point(g, shift, tie), up = vd_gear_point(g, shift + far, tie);
    vd_jet3 down = vd_gear_point(g, shift - far, tie);
    vd_jet3 q = vd_gear_point(&image.gear, -shift, (const double[]){tie[0], -tie[1], tie[2]});
    off = tap_max(off, fabs(left.x.v - at[0][0]) + fabs(left.y.v - at[0][1]));
    off = tap_max(off, fabs(right.x.v - at[1][0]) + fabs(right.y.v - at[1][1]));
    off = tap_max(off, fabs(p.x.v - (at[0][0] + cos(turn) * x - sin(turn) * y)));
    off = tap_max(off, fabs(p.y.v - (at[0][1] + sin(turn) * x + cos(turn) * y)));
    height = tap_max(height, fabs(left.z.v - 0.2) + fabs(right.z.v - 0.21) + fabs(p.z.v - tie[2]));
    mirror = tap_max(mirror, fabs(p.x.v - q.x.v) + fabs(p.y.v + q.y.v) + fabs(p.z.v - q.z.v));
    slope = tap_max(slope, fabs(p.x.d[1] - (up.x.v - down.x.v) / (2.0 * far)));
    slope = tap_max(slope, fabs(p.y.d[1] - (up.y.v - down.y.v) / (2.0 * far)));
    slope = tap_max(slope, fabs(p.x.h[VD_VV] - (up.x.d[1] - down.x.d[1]) / (2.0 * far)));
    slope = tap_max(slope, fabs(p.y.h[VD_VV] - (up.y.d[1] - down.y.d[1]) / (2.0 * far)));
    apart = tap_max(apart, fabs(turn));
  }
  tap_near(off, 0.0, 1e-12, "pitman and idler arm of different lengths: places are those of Freudenstein's equation");
  tap_near(height, 0.0, 1e-15, "joints of arms of different heights keep their heights");
  tap_near(mirror, 0.0, 1e-13, "the gear with its arms exchanged is its mirror image at the opposite rack");
  tap_near(slope, 0.0, 1e-4, "derivatives of a gear with unequal arms are those of differences");
  tap_ok(apart > 0.03, "a relay rod on unequal arms turns by %.1f deg", degree * apart);
  tap_ok(isnan(vd_gear_point(g, 0.3, tie).x.v) && isnan(vd_gear_point(g, -0.3, tie).x.v),
         "a relay rod on unequal arms does not pass its dead centres");
}

/* Reads the off-road car's corner, whose relay rod has mirrored arms. */
static vd_corner offroad(vd_arena *arena) {
  static vd_corner c;
  vd_diag *d = vd_diag_create();
  if (!vd_corner_read("scenarios/suspensions/dw_front_offroad.yaml", NULL, 0, arena, d, &c, NULL))
    abort();
  vd_diag_destroy(d);
  return c;
}

static vd_buf curves_of(const vd_corner *c, enum vd_kc_side side) {
  vd_kc_plan plan = vd_kc_plan_default();
  vd_buf out = {0};
  vd_kc_report report;
  plan.side = side;
  plan.digits = VD_DIGITS_EXACT;
  if (!vd_kc_sweep_write(c, &plan, &out, &report))
    abort();
  vd_buf_finish(&report.messages);
  return out;
}

/* Reads the toe over the rack, in the order of the rows of the sweep. */
static int toe_by_rack(const vd_corner *c, enum vd_kc_side side, double *rack, double *toe) {
  vd_buf text = curves_of(c, side);
  int rows = 0;
  for (const char *line = strstr(text.text, "\nrack,"); line; line = strstr(line + 1, "\nrack,"))
    if (sscanf(line, "\nrack,%*[^,],%lf,%*[^,],%*[^,],%*[^,],%*[^,],%lf", &rack[rows], &toe[rows]) == 2 ||
        sscanf(line, "\nrack,%*[^,],%lf,,,,,%lf", &rack[rows], &toe[rows]) == 2)
      rows++;
  vd_buf_finish(&text);
  return rows;
}

/* Tests sweeps of a car whose idler arm is shorter, and of its mirror image: the left wheel of one moves like the right
 * wheel of the other at the opposite rack. An explicit idler arm that is the mirror image of the pitman arm changes
 * nothing. */
static void test_asymmetric_sweeps(void) {
  enum { MOST = 100 };
  vd_arena *arena = vd_arena_create();
  vd_corner c = offroad(arena);
  vd_gear *g = &c.points.gear;
  const vd_gear old = *g;
  const double image[2][3] = {{old.pivot[0], -old.pivot[1], old.pivot[2]}, {old.joint[0], -old.joint[1], old.joint[2]}};
  vd_buf plain = curves_of(&c, VD_KC_BOTH);
  g->asymmetric = true;
  memcpy(g->other_pivot, image[0], sizeof image[0]);
  memcpy(g->other_joint, image[1], sizeof image[1]);
  vd_buf same = curves_of(&c, VD_KC_BOTH);
  tap_ok(strcmp(plain.text, same.text) == 0, "an explicit mirror image as idler arm gives the same bytes");
  g->other_pivot[0] += 0.03;
  double rack[3][MOST], toe[3][MOST], mirror = 0.0, apart = 0.0;
  int rows = toe_by_rack(&c, VD_KC_LEFT, rack[0], toe[0]);
  bool all = rows > 10 && toe_by_rack(&c, VD_KC_RIGHT, rack[2], toe[2]) == rows;
  const vd_gear asymmetric = *g;
  for (int k = 0; k < 3; k++) {
    const double sign = k == 1 ? -1.0 : 1.0;
    g->pivot[k] = sign * asymmetric.other_pivot[k];
    g->joint[k] = sign * asymmetric.other_joint[k];
    g->other_pivot[k] = sign * asymmetric.pivot[k];
    g->other_joint[k] = sign * asymmetric.joint[k];
  }
  all &= toe_by_rack(&c, VD_KC_RIGHT, rack[1], toe[1]) == rows;
  for (int i = 0; all && i < rows; i++) {
    mirror = tap_max(mirror, fabs(rack[0][i] + rack[1][rows - 1 - i]) + fabs(toe[0][i] - toe[1][rows - 1 - i]));
    apart = tap_max(apart, fabs(toe[0][i] - toe[2][rows - 1 - i]));
  }
  tap_near(all ? mirror : NAN, 0.0, 1e-9, "a shorter idler arm: sweeps of the mirrored car are mirrored");
  tap_ok(apart > 0.1, "a shorter idler arm makes left and right wheel differ by %.2f deg", apart);
  vd_buf_finish(&plain);
  vd_buf_finish(&same);
  vd_arena_destroy(arena);
}

/* Compares a HMMWV front axle with a pitman arm with Chrono: hardpoints in the suspension's frame, which is 1.688965 m
 * ahead; the steering's frame is turned by its quaternion about y. Chrono builds its linkage from a rounded quaternion,
 * which steers its design position by 2e-6 deg (printed to 1e-6). At full lock the
 * wheels' angles change 1.2 times as fast with the place of the arm's joint. Input +1 is 30 deg of the arm, to the
 * right (-y). */
static void test_pitman(void) {
  static const struct {
    double input, left, right, x, y, z; /* deg; mm */
  } row[] = {{1.0, 28.060025211, 24.906729181, -16.389617445, -64.500006544, 5.483889051},
             {0.5, 13.955088063, 13.419946217, -4.168422079, -33.387662602, 1.394734458}};
  vd_hardpoints h = {.type = VD_DOUBLE_WISHBONE,
                     .wheel_center = {-0.04, 0.91, -0.026},
                     .spin_axis = {0.0, 1.0, 0.0},
                     .static_radius = 0.4699};
  add_arm(&h, "lca", (const double[]){0.223, 0.307, 0.0}, (const double[]){-0.223, 0.307, 0.0},
          (const double[]){-0.036, 0.787, -0.118});
  add_arm(&h, "uca", (const double[]){-0.048, 0.446, 0.245}, (const double[]){-0.268, 0.478, 0.196},
          (const double[]){-0.053, 0.716, 0.215});
  add_rod(&h, "tie_rod", (const double[]){-0.25, 0.448, 0.054}, (const double[]){-0.176, 0.821, -0.016});
  h.member[2].steered = true;
  const double w = 0.98699637, y = 0.16074256, arm = 0.129, size = w * w + y * y;
  const double ahead[3] = {(w * w - y * y) / size, 0.0, -2.0 * w * y / size}, up[3] = {-ahead[2], 0.0, ahead[0]};
  const double pivot[3] = {1.24498 - 1.688965, 0.249, 0.101322};
  const double joint[3] = {pivot[0] + arm * ahead[0], pivot[1], pivot[2] + arm * ahead[2]};
  h.gear = gear_of(pivot, joint, up);
  vd_corner c = corner_of(h);
  vd_linkage l = build(&h, VD_PARALLEL);
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    double s = arm * sin(row[i].input * VD_PI / 6.0);
    vd_jet3 link = vd_gear_point(&h.gear, -s, joint);
    double moved = fabs(1e3 * (link.x.v - joint[0]) - row[i].x) + fabs(1e3 * (link.y.v - joint[1]) - row[i].y) +
                   fabs(1e3 * (link.z.v - joint[2]) - row[i].z);
    vd_kc_state left = state_at(&c, &l, 0.0, -s), right = state_at(&c, &l, 0.0, s);
    tap_near(moved, 0.0, 3e-5, "Chrono's Pitman arm at %g: the relay rod's joint is where Chrono has it, mm",
             row[i].input);
    tap_near(degree * left.steer.v, row[i].left, 3e-6,
             "Chrono's Pitman arm at %g: the left wheel has Chrono's angle, deg", row[i].input);
    tap_near(-degree * right.steer.v, row[i].right, 3e-6,
             "Chrono's Pitman arm at %g: the right wheel has Chrono's angle, deg", row[i].input);
  }
  /* derivatives at a place away from design */
  vd_pose at, up_pose, down;
  const double far = 1e-5;
  reach(&l, 0.02, 0.04, &at);
  reach(&l, 0.02, 0.04 + far, &up_pose);
  reach(&l, 0.02, 0.04 - far, &down);
  double first = 0.0, second = 0.0;
  for (int i = 0; i < 3; i++) {
    first = tap_max(first, fabs(at.velocity[1][i] - (up_pose.at[i] - down.at[i]) / (2.0 * far)));
    second = tap_max(second, fabs(at.accel[VD_VV][i] - (up_pose.velocity[1][i] - down.velocity[1][i]) / (2.0 * far)));
    second = tap_max(second, fabs(at.accel[VD_UV][i] - (up_pose.velocity[0][i] - down.velocity[0][i]) / (2.0 * far)));
  }
  tap_near(first, 0.0, 1e-8, "a wheel steered by a relay rod: velocity by the rack is that of differences");
  tap_near(second, 0.0, 1e-7,
           "a wheel steered by a relay rod: second derivatives by the rack are those of differences");
}

/* --- rods that steer, and springs on rods --- */

/* Makes Chrono's generic multi-link (hardpoints in its own frame): an upper arm, a lateral and a trailing link and a
 * tie rod on a rack. Its spring stands on the trailing link, beside the line of this link, and a universal joint keeps
 * the link from turning about its line. The joint's first axis, upright, is fixed to the chassis (Chrono's file
 * exchanges the names of both axes). Chrono makes a rotation of these axes, although one of them has the length
 * 0.99971, so that left and right spring lengths are off by 0.03 to 0.05 mm in opposite directions. The mean may be off
 * by 1 - 0.99971 = 2.9e-4 of the change of length; the bounds here are 2.8e-4 of it. */
static vd_hardpoints multilink(void) {
  vd_hardpoints h = {
      .type = VD_FIVE_LINK, .wheel_center = {0.0, 0.95, 0.0}, .spin_axis = {0.0, 1.0, 0.0}, .static_radius = 0.4699};
  add_arm(&h, "upper", (const double[]){0.06, 0.547, 0.082}, (const double[]){-0.157, 0.508, 0.062},
          (const double[]){0.056, 0.864, 0.151});
  add_rod(&h, "lateral", (const double[]){0.036, 0.338, -0.133}, (const double[]){0.029, 0.842, -0.093});
  add_rod(&h, "trailing", (const double[]){0.723, 0.599, -0.072}, (const double[]){0.0, 0.864, -0.156});
  add_rod(&h, "toe_link", (const double[]){-0.257, 0.32, -0.116}, (const double[]){-0.144, 0.862, -0.056});
  h.member[3].steered = true;
  const double axis[3] = {0.0, 0.0, 1.0}, cross[3] = {-0.272, 0.962, 0.0};
  memcpy(h.member[2].axis, axis, sizeof axis);
  memcpy(h.member[2].cross, cross, sizeof cross);
  h.spring = (vd_element){
      .given = true, .chassis = {0.181, 0.641, 0.11}, .eye = {0.181, 0.669, -0.164}, .on = VD_ON_MEMBER + 2};
  return h;
}

static void test_multilink(void) {
  /* travel and displacement of the left wheel, mm; steer and camber, deg; spring lengths, mm */
  static const struct {
    double travel, rack, x, y, steer, camber, left, right;
  } row[] = {
      {-50, 52.359877560, 31.903015272, 10.392766353, -16.843219660, 2.892586858, 312.375704543, 312.310505},
      {0, 52.359877560, 27.015228800, 6.507272322, -17.014774588, 1.974074849, 273.398146725, 273.332185512},
      {0, 26.179938780, 13.346039015, 4.426779933, -8.463465915, 0.934884457, 274.535960292, 274.470104787},
      {0, 0.0, 0.0, 0.0, 0.0, 0.0, 275.459796702, 275.394084716},
      {0, -26.179938780, -12.991474131, -6.746808000, 8.563905010, -0.886890389, 276.261053354, 276.195525911},
      {0, -52.359877560, -25.598761851, -15.979176043, 17.458170253, -1.795019862, 277.035000203, 276.969705658},
      {50, -52.359877560, -28.885493100, -24.498568271, 17.263560757, -3.726558526, 238.748869210, 238.683},
  };
  vd_hardpoints h = multilink();
  vd_corner c = corner_of(h);
  vd_linkage l = build(&h, VD_PARALLEL);
  double place = 0.0, angle = 0.0, spring = 0.0;
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    vd_kc_state s = state_at(&c, &l, 1e-3 * row[i].travel, 1e-3 * row[i].rack);
    place = tap_max(place, fabs(1e3 * (s.wheel_x.v - h.wheel_center[0]) - row[i].x));
    place = tap_max(place, fabs(1e3 * (s.wheel_y.v - h.wheel_center[1]) - row[i].y));
    angle = tap_max(angle, fabs(degree * s.steer.v - row[i].steer) + fabs(degree * s.camber.v - row[i].camber));
    if (row[i].travel == 0.0) /* in the design position both sides are known */
      spring = tap_max(spring, fabs(1e3 * s.spring_length.v - 0.5 * (row[i].left + row[i].right)));
  }
  tap_near(place, 0.0, 2e-9, "Chrono's steered multi-link: the wheel is where Chrono has it in seven rows, mm");
  tap_near(angle, 0.0, 2e-9, "Chrono's steered multi-link: the wheel has Chrono's steer and camber, deg");
  tap_near(spring, 0.0, 2.8e-4 * 2.0,
           "Chrono's steered multi-link: a spring off its link's line has Chrono's length, mm");
}

/* Compares the sedan's rear axle at several travels: means of both sides' spring lengths, mm. */
static void test_spring_on_link(void) {
  static const double row[][3] = {{-80, 334.118706650, 334.029300621},
                                  {-40, 308.285413896, 308.197098798},
                                  {0, 283.345516212, 283.258399664},
                                  {40, 259.363964695, 259.278321764},
                                  {80, 236.480629033, 236.396972552}};
  vd_hardpoints h = {
      .type = VD_FIVE_LINK, .wheel_center = {0.0, 0.8, 0.0}, .spin_axis = {0.0, 1.0, 0.0}, .static_radius = 0.344};
  add_arm(&h, "upper", (const double[]){0.06, 0.397, 0.082}, (const double[]){-0.157, 0.358, 0.062},
          (const double[]){0.056, 0.714, 0.151});
  add_rod(&h, "lateral", (const double[]){0.036, 0.188, -0.133}, (const double[]){0.029, 0.692, -0.093});
  add_rod(&h, "trailing", (const double[]){0.723, 0.449, -0.072}, (const double[]){0.0, 0.714, -0.156});
  add_rod(&h, "toe_link", (const double[]){-0.257, 0.17, -0.116}, (const double[]){-0.144, 0.712, -0.056});
  const double axis[3] = {0.0, 0.0, 1.0}, cross[3] = {0.272, 0.962, 0.0};
  memcpy(h.member[2].axis, axis, sizeof axis);
  memcpy(h.member[2].cross, cross, sizeof cross);
  h.spring = (vd_element){
      .given = true, .chassis = {0.181, 0.491, 0.11}, .eye = {0.181, 0.419, -0.164}, .on = VD_ON_MEMBER + 2};
  vd_corner c = corner_of(h);
  vd_linkage l = build(&h, VD_PARALLEL);
  double off = 0.0;
  for (size_t i = 0; i < sizeof row / sizeof *row; i++)
    off = tap_max(off,
                  fabs(1e3 * state_at(&c, &l, 1e-3 * row[i][0], 0.0).spring_length.v - 0.5 * (row[i][1] + row[i][2])));
  tap_near(off, 0.0, 2.8e-4 * 50.0,
           "Chrono's sedan: a spring on the trailing link, off its line, has Chrono's length at five travels, mm");
}

/* Tests any point of a rod: its distances to both ends are constant, and the rotation about its line is that of the
 * universal joint. Motion ratio and gradient agree by virtual work. */
static void test_off_line(void) {
  const double eye[3] = {0.15, 0.75, -0.18}, up[3] = {0.0, 0.0, 1.0};
  double lengths = 0.0, work = 0.0, level = 0.0;
  vd_hardpoints h = multilink();
  memset(h.member[2].axis, 0, sizeof h.member[2].axis);
  memset(h.member[2].cross, 0, sizeof h.member[2].cross);
  memcpy(h.spring.eye, eye, sizeof eye);
  const vd_member *m = &h.member[2];
  vd_linkage l = build(&h, VD_PARALLEL);
  double rod[3], across[3], side[3];
  vd_between(m->chassis[0], m->knuckle, rod);
  vd_cross(up, rod, across); /* across the rod and level: the chassis' axis */
  vd_cross(across, rod, side);
  for (int i = -4; i <= 4; i++) {
    vd_pose pose;
    reach(&l, 0.02 * i, -0.01 * i, &pose);
    vd_jet3 p = vd_member_point(&l, &pose, 2, eye), q = vd_pose_point(&l, &pose, m->knuckle);
    /* the joint's second axis, at right angles to the rod and to the chassis' axis */
    double second[3] = {m->chassis[0][0] + side[0], m->chassis[0][1] + side[1], m->chassis[0][2] + side[2]};
    vd_jet3 e = vd_member_point(&l, &pose, 2, second);
    const double at[3] = {p.x.v, p.y.v, p.z.v}, ball[3] = {q.x.v, q.y.v, q.z.v};
    const double arm[3] = {e.x.v - m->chassis[0][0], e.y.v - m->chassis[0][1], e.z.v - m->chassis[0][2]};
    lengths = tap_max(lengths, fabs(vd_distance(at, ball) - vd_distance(eye, m->knuckle)));
    lengths = tap_max(lengths, fabs(vd_distance(at, m->chassis[0]) - vd_distance(eye, m->chassis[0])));
    level = tap_max(level, fabs(vd_dot(arm, across)) + fabs(vd_norm(arm) - vd_norm(side)));
    vd_jet length = vd_element_length(&l, &pose, &h.spring);
    vd_jet3 force, moment;
    vd_element_gradient(&l, &pose, &h.spring, &force, &moment);
    for (int k = 0; k < VD_INPUTS; k++) {
      const double *v = pose.velocity[k], *w = pose.spin[k];
      double by = force.x.v * v[0] + force.y.v * v[1] + force.z.v * v[2] + moment.x.v * w[0] + moment.y.v * w[1] +
                  moment.z.v * w[2];
      work = tap_max(work, fabs(by - length.d[k]));
    }
  }
  tap_near(lengths, 0.0, 1e-14, "a point off a rod's line keeps its distances from both ends");
  tap_near(level, 0.0, 1e-14, "the rod turns about its line only by its universal joint");
  tap_near(work, 0.0, 1e-13, "motion ratio and force of a spring off the line agree by virtual work");
}

/* --- rods on arms --- */

static vd_hardpoints integral(void) {
  vd_hardpoints h = {
      .type = VD_INTEGRAL_LINK, .wheel_center = {0.0, 0.8, 0.34}, .spin_axis = {0.0, 1.0, 0.0}, .static_radius = 0.34};
  add_arm(&h, "h_arm", (const double[]){0.3, 0.33, 0.28}, (const double[]){-0.15, 0.25, 0.25},
          (const double[]){-0.04, 0.73, 0.225});
  add_rod(&h, "integral_link", (const double[]){0.17, 0.66, 0.245}, (const double[]){0.15, 0.69, 0.37});
  add_rod(&h, "upper_link", (const double[]){0.04, 0.4, 0.48}, (const double[]){0.01, 0.69, 0.52});
  add_rod(&h, "toe_link", (const double[]){-0.19, 0.29, 0.3}, (const double[]){-0.165, 0.715, 0.29});
  h.member[1].base = VD_ON_MEMBER + 0;
  return h;
}

/* Tests that the arm is a rigid body, so that the distances of its outer point from three others are constant; so is
 * the link's length. */
static void test_integral(void) {
  const double far = 1e-5;
  vd_hardpoints h = integral();
  const vd_member *arm = &h.member[0], *rod = &h.member[1];
  vd_linkage l = build(&h, VD_PARALLEL);
  double lengths = 0.0, first = 0.0, second = 0.0;
  for (int i = -4; i <= 4; i++) {
    vd_pose pose, up, down;
    reach(&l, 0.02 * i, 0.0, &pose);
    reach(&l, 0.02 * i + far, 0.0, &up);
    reach(&l, 0.02 * i - far, 0.0, &down);
    vd_jet3 x = vd_member_base(&l, &pose, 1, 0), q = vd_pose_point(&l, &pose, arm->knuckle);
    vd_jet3 b = vd_pose_point(&l, &pose, rod->knuckle);
    const double at_x[3] = {x.x.v, x.y.v, x.z.v}, at_q[3] = {q.x.v, q.y.v, q.z.v}, at_b[3] = {b.x.v, b.y.v, b.z.v};
    lengths = tap_max(lengths, fabs(vd_distance(at_x, at_b) - vd_distance(rod->chassis[0], rod->knuckle)));
    lengths = tap_max(lengths, fabs(vd_distance(at_x, at_q) - vd_distance(rod->chassis[0], arm->knuckle)));
    for (int k = 0; k < 2; k++) {
      lengths =
          tap_max(lengths, fabs(vd_distance(at_x, arm->chassis[k]) - vd_distance(rod->chassis[0], arm->chassis[k])));
      lengths = tap_max(lengths, fabs(vd_distance(at_q, arm->chassis[k]) - vd_distance(arm->knuckle, arm->chassis[k])));
    }
    for (int k = 0; k < 3; k++) {
      first = tap_max(first, fabs(pose.velocity[0][k] - (up.at[k] - down.at[k]) / (2.0 * far)));
      second = tap_max(second, fabs(pose.accel[VD_UU][k] - (up.velocity[0][k] - down.velocity[0][k]) / (2.0 * far)));
      second = tap_max(second, fabs(pose.angular[VD_UU][k] - (up.spin[0][k] - down.spin[0][k]) / (2.0 * far)));
    }
  }
  tap_near(lengths, 0.0, 1e-13, "an integral link and its arm keep all lengths over 160 mm of travel");
  tap_near(first, 0.0, 1e-8, "velocities of an integral link are those of differences");
  tap_near(second, 0.0, 1e-7, "second derivatives of an integral link are those of differences");
}

/* Tests that a link whose inner end is on the axis of its arm moves like a rod at the chassis, because this end is at
 * rest. */
static void test_on_axis(void) {
  vd_hardpoints h = integral(), plain;
  for (int i = 0; i < 3; i++)
    h.member[1].chassis[0][i] = 2.0 * h.member[0].chassis[0][i] - h.member[0].chassis[1][i];
  plain = h;
  plain.member[1].base = 0;
  vd_linkage l = build(&h, VD_PARALLEL), other = build(&plain, VD_PARALLEL);
  double off = 0.0;
  bool ok = true;
  for (int i = -3; i <= 3; i++) {
    vd_pose a, b;
    ok &= reach(&l, 0.02 * i, 0.0, &a) && reach(&other, 0.02 * i, 0.0, &b);
    for (int k = 0; k < 3; k++)
      off = tap_max(off, fabs(a.at[k] - b.at[k]) + fabs(a.spin[0][k] - b.spin[0][k]) +
                             1e-3 * fabs(a.angular[0][k] - b.angular[0][k]));
  }
  tap_near(ok ? off : NAN, 0.0, 1e-11, "an integral link on its arm's axis is a rod at the chassis");
}

int main(void) {
  tap_plan(6 + 3 + 26);
  test_parallel();
  test_trapezoid();
  test_four_bar();
  test_asymmetric_sweeps();
  test_pitman();
  test_multilink();
  test_spring_on_link();
  test_off_line();
  test_integral();
  test_on_axis();
  return tap_done();
}
