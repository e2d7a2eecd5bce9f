/* A corner on its bushings, solved from the rigid linkage's pose, and small vector algebra, for the tests of
 * compliance. */
#ifndef VD_TEST_BUSHED_H
#define VD_TEST_BUSHED_H

#include "compliance/compliance.h"
#include "tap.h"

#include <string.h>

typedef struct rig {
  vd_corner corner;
  vd_linkage linkage;
  vd_compliance *compliance;
} rig;

static inline void set_up(rig *r, const vd_corner *corner, enum vd_hold hold) {
  r->corner = *corner;
  bool built = vd_linkage_build(&corner->points, VD_PARALLEL, &r->linkage);
  r->compliance = built ? vd_compliance_create(corner, &r->linkage, hold) : NULL;
}

static inline void tear_down(rig *r) {
  vd_compliance_destroy(r->compliance);
}

static inline void rigid_pose(const rig *r, double travel, double rack, vd_pose *pose) {
  const double u[VD_INPUTS] = {travel, rack};
  vd_linkage_start(&r->linkage, pose);
  if (vd_linkage_move(&r->linkage, u, pose) != VD_LINKAGE_OK)
    pose->at[0] = NAN;
}

/* Solves from the pose of the rigid linkage. */
static inline bool solve(const rig *r, double travel, double rack, vd_wheel_load load, vd_compliance_state *s) {
  const double u[VD_INPUTS] = {travel, rack};
  memset(s, 0xff, sizeof *s);
  rigid_pose(r, travel, rack, &s->pose);
  return vd_compliance_solve(r->compliance, u, &load, s);
}

static inline double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void cross(const double *a, const double *b, double *out) {
  for (int i = 0; i < 3; i++)
    out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static inline void turn(const vd_pose *pose, const double *b, double *r) {
  for (int i = 0; i < 3; i++)
    r[i] = dot(pose->turn[i], b);
}

/* Returns the largest difference of any coordinate (m) or any element of the rotation matrix (-) of two poses. */
static inline double apart(const vd_pose *a, const vd_pose *b) {
  double worst = 0.0;
  for (int i = 0; i < 3; i++) {
    worst = tap_max(worst, fabs(a->at[i] - b->at[i]));
    for (int j = 0; j < 3; j++)
      worst = tap_max(worst, fabs(a->turn[i][j] - b->turn[i][j]));
  }
  return worst;
}

/* Computes the lowest point of the disc, relative to the wheel centre. */
static inline void lowest_of(const rig *r, const vd_pose *pose, double *lowest) {
  double s[3], length;
  turn(pose, r->linkage.spin_axis, s);
  for (int i = 0; i < 3; i++)
    lowest[i] = s[2] * s[i] - (i == 2);
  length = sqrt(dot(lowest, lowest));
  for (int i = 0; i < 3; i++)
    lowest[i] *= r->corner.points.static_radius / length;
}

static inline void without_bushings(vd_corner *c) {
  memset(c->bushing, 0, sizeof c->bushing);
}

static const vd_wheel_load braking = {.fx = -2500.0, .fy = 1800.0, .fz = 4500.0, .mz = 60.0};
static const vd_wheel_load forces = {.fx = -2500.0, .fy = 1800.0, .fz = 4500.0};
static const vd_wheel_load none;

#endif
