/* Four corners for tests: hardpoints and bushings of the shipped suspensions of Onlyti/VDSim (Apache-2.0), metres and
 * SI in the axes of the car (ISO 8855), left wheels. Their files contain no masses, rates or loads, so there are none
 * here. */
#ifndef VD_TEST_CORNERS_H
#define VD_TEST_CORNERS_H

#include "linkage/corner.h"

#include <string.h>

enum corner_of { MP_FRONT_SEDAN, DW_FRONT_SPORTS, TA_REAR_SEDAN, FIVE_LINK_REAR_SPORTS, CORNERS_OF };

static const char *const corner_names[CORNERS_OF] = {"mp_front_sedan", "dw_front_sports", "ta_rear_sedan",
                                                     "5link_rear_sports"};

/* clang-format off */
static const vd_hardpoints corner_points[CORNERS_OF] = {
  {.type = VD_MACPHERSON, .wheel_center = {0, 0.775, 0.305}, .spin_axis = {0, 1, 0}, .static_radius = 0.305,
      .members = 3,
   .member = {{VD_ARM, "lca", {{0.1, 0.32, 0.18}, {-0.2, 0.32, 0.18}}, {-0.02, 0.74, 0.2}, .steered = false},
              {VD_SLIDER, "strut", {{-0.04, 0.6, 0.65}}, {-0.04, 0.72, 0.31}, .steered = false},
              {VD_ROD, "tie_rod", {{-0.3, 0.4, 0.22}}, {-0.3, 0.73, 0.25}, .steered = true}},
   .spring = {.given = true, .chassis = {-0.04, 0.6, 0.65}, .eye = {-0.04, 0.72, 0.31}, .on = VD_ON_KNUCKLE}},
  {.type = VD_DOUBLE_WISHBONE, .wheel_center = {0, 0.79, 0.33}, .spin_axis = {0, 1, 0}, .static_radius = 0.33,
      .members = 3,
   .member = {{VD_ARM, "lca", {{0.15, 0.3, 0.08}, {-0.18, 0.3, 0.08}}, {-0.02, 0.75, 0.15}, .steered = false},
              {VD_ARM, "uca", {{0.08, 0.45, 0.32}, {-0.22, 0.45, 0.32}}, {-0.01, 0.7, 0.55}, .steered = false},
              {VD_ROD, "tie_rod", {{-0.3, 0.35, 0.18}}, {-0.3, 0.74, 0.21}, .steered = true}},
   .spring = {.given = true, .chassis = {-0.05, 0.45, 0.5}, .eye = {-0.05, 0.55, 0.13}, .on = VD_ON_MEMBER + 0}},
  {.type = VD_TRAILING_ARM, .wheel_center = {-1.35, 0.78, 0.305}, .spin_axis = {0, 1, 0}, .static_radius = 0.305,
      .members = 1,
   .member = {{VD_HINGE, "arm", {{-0.8, 0.42, 0.22}, {-0.75, 0.62, 0.2}}, {0, 0, 0}, .steered = false}}},
  {.type = VD_FIVE_LINK, .wheel_center = {-1.35, 0.78, 0.305}, .spin_axis = {0, 1, 0}, .static_radius = 0.305,
      .members = 5,
   .member = {{VD_ROD, "upper_fore", {{-1.1, 0.42, 0.5}}, {-1.3, 0.72, 0.48}, .steered = false},
              {VD_ROD, "upper_aft", {{-1.6, 0.42, 0.5}}, {-1.4, 0.72, 0.48}, .steered = false},
              {VD_ROD, "lower_fore", {{-1.1, 0.42, 0.15}}, {-1.3, 0.74, 0.16}, .steered = false},
              {VD_ROD, "lower_aft", {{-1.6, 0.42, 0.15}}, {-1.4, 0.74, 0.16}, .steered = false},
              {VD_ROD, "toe_link", {{-1.55, 0.42, 0.32}}, {-1.42, 0.74, 0.32}, .steered = false}}},
};

/* Bushings by member and chassis point: stiffnesses along x, y, z, N/m; about x, y, z, N m/rad. The trailing arm's file
 * has one bushing for the arm: it is used at each of its two points. */
static const vd_bushing corner_bushings[CORNERS_OF][VD_MEMBERS][2] = {
  {{{true, {1.2e6, 1.2e6, 6.0e5, 2.5e4, 1.2e4, 4.0e4}}, {true, {1.0e6, 1.0e6, 5.0e5, 2.0e4, 1.0e4, 3.5e4}}},
   {{false, {0}}},
   {{true, {5.0e5, 5.0e5, 3.0e5, 8.0e3, 6.0e3, 1.2e4}}}},
  {{{true, {1.2e6, 1.2e6, 6.0e5, 2.5e4, 1.2e4, 4.0e4}}, {true, {1.0e6, 1.0e6, 5.0e5, 2.0e4, 1.0e4, 3.5e4}}},
   {{true, {1.0e6, 1.0e6, 5.0e5, 1.8e4, 1.0e4, 2.5e4}}, {true, {9.0e5, 9.0e5, 4.5e5, 1.6e4, 9.0e3, 2.2e4}}},
   {{true, {5.0e5, 5.0e5, 3.0e5, 8.0e3, 6.0e3, 1.2e4}}}},
  {{{true, {8.0e5, 8.0e5, 4.0e5, 1.5e4, 2.0e4, 3.0e4}}, {true, {8.0e5, 8.0e5, 4.0e5, 1.5e4, 2.0e4, 3.0e4}}}},
  {{{true, {7.0e5, 7.0e5, 3.5e5, 1.2e4, 1.0e4, 2.0e4}}},
   {{true, {7.0e5, 7.0e5, 3.5e5, 1.2e4, 1.0e4, 2.0e4}}},
   {{true, {7.0e5, 7.0e5, 3.5e5, 1.2e4, 1.0e4, 2.0e4}}},
   {{true, {7.0e5, 7.0e5, 3.5e5, 1.2e4, 1.0e4, 2.0e4}}},
   {{true, {7.0e5, 7.0e5, 3.5e5, 1.2e4, 1.0e4, 2.0e4}}}},
};
/* clang-format on */

/* Makes a corner with its bushings, rigid ball joints, and nothing else. */
static inline vd_corner corner_with_bushings(enum corner_of which) {
  vd_corner c = {.name = corner_names[which],
                 .source = "",
                 .points = corner_points[which],
                 .spring_rate = NAN,
                 .spring_load = NAN,
                 .wheel_load = NAN,
                 .tyre_rate = NAN,
                 .damper_rate = NAN,
                 .knuckle_mass = NAN,
                 .knuckle_inertia = {NAN, NAN, NAN},
                 .rear = which == TA_REAR_SEDAN || which == FIVE_LINK_REAR_SPORTS,
                 .wheelbase = NAN,
                 .cg_height = NAN,
                 .brake_share = NAN,
                 .drive_share = NAN,
                 .antiroll_stiffness = NAN,
                 .c_factor = NAN};
  for (int m = 0; m < VD_MEMBERS; m++) {
    c.ball_stiffness[m] = INFINITY;
    c.member_mass[m] = NAN;
    for (int k = 0; k < 2; k++)
      c.bushing[m][k] = corner_bushings[which][m][k];
  }
  return c;
}

/* Makes such a corner with masses of knuckle and members, kg. The knuckle's moments of inertia about x, y and z are
 * `inertia`, 0.1 and 0.2 more, kg m2. */
static inline vd_corner corner_with_masses(enum corner_of which, const double *knuckle,
                                           const double (*member)[VD_MEMBERS], double inertia) {
  vd_corner c = corner_with_bushings(which);
  c.knuckle_mass = knuckle[which];
  memcpy(c.member_mass, member[which], sizeof c.member_mass);
  for (int i = 0; i < 3; i++)
    c.knuckle_inertia[i] = inertia + 0.1 * i;
  return c;
}

#endif
