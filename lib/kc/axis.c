/* Points and members by role, and the steering axis of a wheel. */
#include "kc/kc_impl.h"

#include "base/elementary.h"
#include "base/vec.h"

#include <string.h>

enum { N = 6 };

/* --- points, and members by role --- */

const vd_member *vd_kc_lower_arm(const vd_hardpoints *h) {
  const vd_member *lowest = NULL;
  for (const vd_member *m = h->member; m < h->member + h->members; m++)
    if (m->kind == VD_ARM && (!lowest || m->knuckle[2] < lowest->knuckle[2]))
      lowest = m;
  return lowest;
}

const vd_member *vd_kc_upper_arm(const vd_hardpoints *h) {
  const vd_member *lower = vd_kc_lower_arm(h);
  for (const vd_member *m = h->member; m < h->member + h->members; m++)
    if (m->kind == VD_ARM && m != lower)
      return m;
  return NULL;
}

const vd_member *vd_kc_rod(const vd_hardpoints *h, const char *name) {
  for (const vd_member *m = h->member; m < h->member + h->members; m++)
    if (m->kind == VD_ROD && m->name && strcmp(m->name, name) == 0)
      return m;
  return NULL;
}

size_t vd_kc_places(vd_hardpoints *h, const char *key[VD_KC_PLACES], double *place[VD_KC_PLACES]) {
  size_t count = 1;
  key[0] = "wheel.center";
  place[0] = h->wheel_center;
  for (int i = 0; i < h->members; i++)
    for (enum vd_member_point at = 0; at < VD_MEMBER_POINTS; at++) {
      key[count] = vd_corner_point(h->type, i, at);
      place[count++] = at == VD_AT_KNUCKLE ? h->member[i].knuckle : h->member[i].chassis[at];
    }
  return count;
}

bool vd_kc_steered(const vd_linkage *l) {
  for (int i = 0; i < l->points.members; i++)
    if (l->points.member[i].steered)
      return true;
  return l->points.steer.given;
}

/* Returns the rod that the rack moves; for a wheel that is not steered, the rod called toe link. */
static const vd_member *toe_link(const vd_hardpoints *h) {
  for (const vd_member *m = h->member; m < h->member + h->members; m++)
    if (m->kind == VD_ROD && m->steered)
      return m;
  return vd_kc_rod(h, "toe_link");
}

/* --- instantaneous axis of rods --- */

/* Solves the equations e of a motion of the knuckle by Gaussian elimination with row exchange; e is overwritten. All
 * numbers are jets, since the coefficients change with the linkage and so does the solution. Columns are the wheel
 * centre's velocity, the knuckle's angular velocity and the right side. False: singular. */
static bool solve(vd_jet e[N][N + 1], vd_jet *x) {
  const double degenerate = 1e-9; /* smallest pivot; the rows consist of unit vectors */
  for (int k = 0; k < N; k++) {
    int best = k;
    for (int i = k + 1; i < N; i++)
      if (fabs(e[i][k].v) > fabs(e[best][k].v))
        best = i;
    if (!(fabs(e[best][k].v) > degenerate))
      return false;
    vd_jet pivot[N + 1];
    memcpy(pivot, e[best], sizeof pivot);
    memmove(e[best], e[k], sizeof pivot);
    memcpy(e[k], pivot, sizeof pivot);
    vd_jet inverse = vd_jet_inverse(e[k][k]);
    for (int i = k + 1; i < N; i++) {
      vd_jet share = vd_jet_mul(e[i][k], inverse);
      for (int j = k + 1; j <= N; j++)
        e[i][j] = vd_jet_sub(e[i][j], vd_jet_mul(share, e[k][j]));
    }
  }
  for (int i = N - 1; i >= 0; i--) {
    x[i] = e[i][N];
    for (int j = i + 1; j < N; j++)
      x[i] = vd_jet_sub(x[i], vd_jet_mul(e[i][j], x[j]));
    x[i] = vd_jet_div(x[i], e[i][i]);
  }
  return true;
}

static void set_row(vd_jet *row, vd_jet3 force, vd_jet3 moment) {
  row[0] = force.x;
  row[1] = force.y;
  row[2] = force.z;
  row[3] = moment.x;
  row[4] = moment.y;
  row[5] = moment.z;
}

/* Computes the row of a rod: the change of the distance between a member's base and its joint at the knuckle per unit
 * motion of the knuckle. If the base is on an arm, it moves with the arm's ball joint: by virtual work the unit force
 * along the rod on the arm's point is replaced by an equivalent force on the ball joint. */
static void rod_row(const vd_linkage *l, const vd_pose *pose, int member, int point, vd_jet *row) {
  const vd_member *m = &l->points.member[member];
  const double *centre = l->points.wheel_center;
  double arm[3];
  vd_between(centre, m->knuckle, arm);
  vd_jet3 along = vd_jet3_sub(vd_pose_point(l, pose, m->knuckle), vd_member_base(l, pose, member, point));
  along = vd_jet3_scale(vd_jet_inverse(vd_jet3_length(along)), along);
  vd_jet3 moment = vd_jet3_cross(vd_pose_direction(pose, arm), along);
  if (m->base >= VD_ON_MEMBER) {
    vd_jet3 handed, turning;
    vd_member_pull(l, pose, m->base, m->chassis[point], along, &handed, &turning);
    along = vd_jet3_sub(along, handed);
    moment = vd_jet3_sub(moment, turning);
  }
  set_row(row, along, moment);
}

/* Computes the rows of all members: one for each rod, two for an arm. Returns their number; 0: a member is neither a
 * rod nor an arm. */
static int member_rows(const vd_linkage *l, const vd_pose *pose, const vd_member *toe, int *toe_row,
                       vd_jet e[N][N + 1]) {
  int rows = 0;
  for (int i = 0; i < l->points.members; i++) {
    enum vd_member_kind kind = l->points.member[i].kind;
    int points = kind == VD_ARM ? 2 : 1;
    if ((kind != VD_ARM && kind != VD_ROD) || rows + points > N - 1)
      return 0;
    if (&l->points.member[i] == toe)
      *toe_row = rows;
    for (int p = 0; p < points; p++)
      rod_row(l, pose, i, p, e[rows++]);
  }
  return rows;
}

/* Finds a point and the upward direction of the axis of the screw motion that solves the equations e, which are
 * overwritten. Any motion is a screw (Chasles), with its axis in the direction of w through centre + w x v/w^2. */
static bool screw(vd_jet e[N][N + 1], vd_jet3 centre, vd_jet3 *point, vd_jet3 *direction) {
  vd_jet x[N];
  if (!solve(e, x))
    return false;
  vd_jet3 v = {x[0], x[1], x[2]}, w = {x[3], x[4], x[5]}, none = {.x = {.v = 0.0}};
  vd_jet square = vd_jet3_dot(w, w);
  if (!(square.v > 0.0))
    return false;
  *point = vd_jet3_add(centre, vd_jet3_scale(vd_jet_inverse(square), vd_jet3_cross(w, v)));
  *direction = w.z.v < 0.0 ? vd_jet3_sub(none, w) : w;
  return true;
}

/* Finds the axis of the knuckle's motion when only the toe link changes its length. The other five lengths and that
 * of the spring (without a spring, the height of the wheel centre) are as many equations as the knuckle has
 * coordinates. */
static bool released(const vd_linkage *l, const vd_pose *pose, vd_jet3 *point, vd_jet3 *direction) {
  const vd_member *toe = toe_link(&l->points);
  int toe_row = 0;
  vd_jet e[N][N + 1] = {{{.v = 0.0}}};
  if (!toe || member_rows(l, pose, toe, &toe_row, e) != N - 1)
    return false;
  if (l->points.spring.given) {
    vd_jet3 force, moment;
    vd_element_gradient(l, pose, &l->points.spring, &force, &moment);
    set_row(e[N - 1], force, moment);
  } else {
    e[N - 1][2].v = 1.0;
  }
  e[toe_row][N].v = 1.0;
  return screw(e, vd_pose_point(l, pose, l->points.wheel_center), point, direction);
}

/* --- the axis --- */

/* The steering axis of a double wishbone is the line from the lower to the upper ball joint, that of a MacPherson strut
 * the line from the lower ball joint to the top mount (Reimpell, The Automotive Chassis, chapter 3; Dixon, Suspension
 * Geometry and Computation). For wheels on rods it is the instantaneous axis about which the toe link steers them at
 * constant length of the spring. For a rigid axle it is the kingpin. */
bool vd_kc_steering_axis(const vd_linkage *l, const vd_pose *pose, bool right, vd_jet3 *point, vd_jet3 *direction) {
  const vd_hardpoints *h = &l->points;
  if (h->steer.given) {
    const double(*pin)[3] = h->steer.kingpin[right];
    *point = vd_pose_point(l, pose, pin[0]);
    *direction = vd_jet3_sub(vd_pose_point(l, pose, pin[1]), *point);
    if (right) {
      *point = vd_jet3_mirror(*point);
      *direction = vd_jet3_mirror(*direction);
    }
    return true;
  }
  switch (vd_linkage_traits_of(h->type)->steering) {
  case VD_STEERING_BALL_JOINTS:
    *point = vd_pose_point(l, pose, vd_kc_lower_arm(h)->knuckle);
    *direction = vd_jet3_sub(vd_pose_point(l, pose, vd_kc_upper_arm(h)->knuckle), *point);
    return true;
  case VD_STEERING_STRUT:
    *point = vd_pose_point(l, pose, vd_kc_lower_arm(h)->knuckle);
    *direction = vd_jet3_sub(vd_jet3_constant(vd_corner_slider(h)->chassis[0]), *point);
    return true;
  case VD_STEERING_RODS: return released(l, pose, point, direction);
  case VD_STEERING_NONE: break;
  }
  return false;
}
