/* Both wheels of a twist beam at two travels.
 *
 * Each arm with its half of the cross beam is one body on a ball joint, the pivot P. The halves meet in the shear
 * centre M in the middle of the car, where they turn relative to each other only about the beam, which is rigid in
 * bending. So each pose consists of two rotations: an angle a of both arms about the line through the pivots, and an
 * angle b of this arm (-b of the other arm) about its line from P to M:
 *
 *   R = Y(a) D(b),   wheel centre = P + R (W - P)
 *
 * M is the same point of both halves in every pose. Since the direction d of D is mirrored on the other side, both
 * rotations b add up to the twist 2 b d_y of the beam. a alone is VD_PARALLEL, b alone VD_OPPOSITE. */
#include "linkage/crank.h"
#include "linkage/linkage.h"
#include "base/elementary.h"
#include "base/vec.h"

#include <math.h>
#include <string.h>

/* angles about the line of the pivots, and about the line from the pivot to the shear centre ("diagonal") */
enum { A, B, ANGLES };

/* Vector from the arm's pivot to its wheel centre, and unit vectors along both axes, in the design position. */
typedef struct arm {
  double pivot[3], wheel[3], diagonal[3];
} arm;

static arm make_arm(const vd_linkage *l) {
  const double(*end)[3] = l->points.member[0].chassis;
  arm m;
  memcpy(m.pivot, end[0], sizeof m.pivot);
  vd_between(end[0], l->points.wheel_center, m.wheel);
  vd_between(end[0], end[1], m.diagonal);
  vd_normalise(m.diagonal, m.diagonal);
  return m;
}

/* Computes the rotation matrix of both angles: first about the diagonal, then about y. */
static void turn_of(const arm *m, double a, double b, double turn[3][3]) {
  double ca = vd_cos(a), sa = vd_sin(a), own[3][3];
  vd_crank_rotation(m->diagonal, vd_cos(b), vd_sin(b), own);
  for (int j = 0; j < 3; j++) {
    turn[0][j] = ca * own[0][j] + sa * own[2][j];
    turn[1][j] = own[1][j];
    turn[2][j] = ca * own[2][j] - sa * own[0][j];
  }
}

static void turned(double (*turn)[3], const double *v, double *out) {
  for (int i = 0; i < 3; i++)
    out[i] = vd_dot(turn[i], v);
}

/* Vector from a pivot to its wheel centre, and its derivatives by the angles. With y and d unit vectors along both
 * axes, of which d turns with a:
 *   d/da = y x r,  d/db = d x r,  d2/da2 = y x (y x r),  d2/da db = y x (d x r),  d2/db2 = d x (d x r) */
typedef struct angled {
  double turn[3][3], axis[ANGLES][3], at[3], by[ANGLES][3], seconds[VD_SECONDS][3];
} angled;

static angled angled_at(const arm *m, double a, double b) {
  angled w = {.axis = {{0.0, 1.0, 0.0}}};
  turn_of(m, a, b, w.turn);
  turned(w.turn, m->wheel, w.at);
  turned(w.turn, m->diagonal, w.axis[B]);
  for (int k = 0; k < ANGLES; k++)
    vd_cross(w.axis[k], w.at, w.by[k]);
  vd_cross(w.axis[A], w.by[A], w.seconds[VD_UU]);
  vd_cross(w.axis[A], w.by[B], w.seconds[VD_UV]);
  vd_cross(w.axis[B], w.by[B], w.seconds[VD_VV]);
  return w;
}

/* Rises of both wheel centres as functions of the angles. The other wheel is the mirror image of this one at -b. */
typedef struct heights {
  double at[VD_INPUTS], by[VD_INPUTS][ANGLES], seconds[VD_INPUTS][VD_SECONDS], determinant;
} heights;

static heights heights_of(const arm *m, const angled *own, const angled *other) {
  heights h;
  const angled *wheel[VD_INPUTS] = {own, other};
  for (int k = 0; k < VD_INPUTS; k++) {
    double sign = k == 0 ? 1.0 : -1.0; /* of the derivative by b */
    h.at[k] = wheel[k]->at[2] - m->wheel[2];
    h.by[k][A] = wheel[k]->by[A][2];
    h.by[k][B] = sign * wheel[k]->by[B][2];
    h.seconds[k][VD_UU] = wheel[k]->seconds[VD_UU][2];
    h.seconds[k][VD_UV] = sign * wheel[k]->seconds[VD_UV][2];
    h.seconds[k][VD_VV] = wheel[k]->seconds[VD_VV][2];
  }
  h.determinant = h.by[0][A] * h.by[1][B] - h.by[0][B] * h.by[1][A];
  return h;
}

/* Solves J x = right, where J contains the derivatives of both heights by the angles. */
static void resolve(const heights *h, const double *right, double *x) {
  x[A] = (h->by[1][B] * right[0] - h->by[0][B] * right[1]) / h->determinant;
  x[B] = (h->by[0][A] * right[1] - h->by[1][A] * right[0]) / h->determinant;
}

/* Computes the derivatives of the pose by the travels. q_j and q_jk are the derivatives of the angles, w_p the axes,
 * and a_pq = y x d/2 for p and q different: with this the second derivatives of angled_at have the form of vd_pose, and
 *   w_j = w_p q_p,j,   a_jk = a_pq q_p,j q_q,k + w_p q_p,jk. */
static void differentiate(const heights *h, const angled *w, vd_pose *pose) {
  double q[VD_INPUTS][ANGLES], mixed[3];
  vd_cross(w->axis[A], w->axis[B], mixed);
  for (int k = 0; k < VD_INPUTS; k++) {
    const double unit[VD_INPUTS] = {k == 0, k == 1};
    resolve(h, unit, q[k]);
    for (int i = 0; i < 3; i++) {
      pose->velocity[k][i] = q[k][A] * w->by[A][i] + q[k][B] * w->by[B][i];
      pose->spin[k][i] = q[k][A] * w->axis[A][i] + q[k][B] * w->axis[B][i];
    }
  }
  for (int k = 0; k < VD_SECONDS; k++) {
    const double *j = q[vd_first_input[k]], *n = q[vd_second_input[k]];
    double aa = j[A] * n[A], ab = j[A] * n[B] + j[B] * n[A], bb = j[B] * n[B], right[VD_INPUTS], x[ANGLES];
    for (int i = 0; i < VD_INPUTS; i++)
      right[i] = -(h->seconds[i][VD_UU] * aa + h->seconds[i][VD_UV] * ab + h->seconds[i][VD_VV] * bb);
    resolve(h, right, x);
    for (int i = 0; i < 3; i++) {
      pose->accel[k][i] = w->seconds[VD_UU][i] * aa + w->seconds[VD_UV][i] * ab + w->seconds[VD_VV][i] * bb +
                          x[A] * w->by[A][i] + x[B] * w->by[B][i];
      pose->angular[k][i] = 0.5 * ab * mixed[i] + x[A] * w->axis[A][i] + x[B] * w->axis[B][i];
    }
  }
}

/* Newton's method converges from the design position, because the heights are nearly linear functions of the angles
 * within the range of the arms. */
bool vd_twist_close(const vd_linkage *l, const double *u, vd_pose *pose) {
  enum { ROUNDS = 30 };
  const double closed = 1e-14; /* m */
  arm m = make_arm(l);
  double angle[ANGLES] = {0.0}, side = 0.0, worst = INFINITY;
  for (int round = 0; round < ROUNDS; round++) {
    angled own = angled_at(&m, angle[A], angle[B]), other = angled_at(&m, angle[A], -angle[B]);
    heights h = heights_of(&m, &own, &other);
    side = round == 0 ? h.determinant : side;
    /* close to the pose in which an arm is upright, rates are unusable */
    if (!(h.determinant * side > 1e-4 * side * side))
      return false;
    const double miss[VD_INPUTS] = {u[0] - h.at[0], u[1] - h.at[1]};
    double before = worst, step[ANGLES];
    worst = vd_max(fabs(miss[0]), fabs(miss[1]));
    if (worst <= closed || (worst <= 100.0 * closed && !(worst < before))) {
      for (int i = 0; i < 3; i++)
        pose->at[i] = m.pivot[i] + own.at[i];
      memcpy(pose->turn, own.turn, sizeof pose->turn);
      memcpy(pose->u, u, sizeof pose->u);
      differentiate(&h, &own, pose);
      return true;
    }
    resolve(&h, miss, step);
    for (int k = 0; k < ANGLES; k++)
      angle[k] += vd_max(-0.5, vd_min(0.5, step[k]));
  }
  return false;
}

double vd_twist_per_travel(const vd_linkage *l) {
  arm m = make_arm(l);
  angled own = angled_at(&m, 0.0, 0.0);
  /* for opposite travels z and -z: b = z/(d x r)_z, the twist is 2 b d_y, the difference of the travels 2 z */
  return own.axis[B][1] / own.by[B][2];
}
