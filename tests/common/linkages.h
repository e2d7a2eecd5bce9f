/* Linkages for tests, and the figures of their poses. */
#ifndef VD_TEST_LINKAGES_H
#define VD_TEST_LINKAGES_H

#include "corners.h"
#include "kc/kc.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

static const double degree = 180.0 / VD_PI;

/* Makes a corner from hardpoints alone. */
static inline vd_corner corner_of(vd_hardpoints points) {
  vd_corner c = corner_with_bushings(MP_FRONT_SEDAN);
  memset(c.bushing, 0, sizeof c.bushing);
  c.points = points;
  c.rear = false;
  return c;
}

static inline vd_linkage build(const vd_hardpoints *points, enum vd_axle_motion motion) {
  vd_linkage l;
  if (!vd_linkage_build(points, motion, &l)) {
    tap_diag("degenerate hardpoints");
    abort();
  }
  return l;
}

static inline bool reach(const vd_linkage *l, double travel, double rack, vd_pose *pose) {
  const double u[VD_INPUTS] = {travel, rack};
  vd_linkage_start(l, pose);
  return vd_linkage_move(l, u, pose) == VD_LINKAGE_OK;
}

static inline vd_kc_state state_at(const vd_corner *c, const vd_linkage *l, double travel, double rack) {
  vd_kc_state s;
  vd_pose pose;
  if (!reach(l, travel, rack, &pose))
    tap_diag("travel %g, rack %g: open", travel, rack);
  vd_kc_state_at(c, l, &pose, &s);
  return s;
}

/* Adds a member at the end of the list. */
static inline vd_member *add(vd_hardpoints *h, enum vd_member_kind kind, const char *name) {
  vd_member *m = &h->member[h->members++];
  *m = (vd_member){.kind = kind, .name = name};
  return m;
}

static inline void add_rod(vd_hardpoints *h, const char *name, const double *chassis, const double *knuckle) {
  vd_member *m = add(h, VD_ROD, name);
  memcpy(m->chassis[0], chassis, sizeof m->chassis[0]);
  memcpy(m->knuckle, knuckle, sizeof m->knuckle);
}

static inline void add_arm(vd_hardpoints *h, const char *name, const double *front, const double *rear,
                           const double *knuckle) {
  vd_member *m = add(h, VD_ARM, name);
  memcpy(m->chassis[0], front, sizeof m->chassis[0]);
  memcpy(m->chassis[1], rear, sizeof m->chassis[1]);
  memcpy(m->knuckle, knuckle, sizeof m->knuckle);
}

#endif
