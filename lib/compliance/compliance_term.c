/* Terms of the equilibrium: rotations, points, constraints. */
#include "compliance/compliance_impl.h"

#include "base/elementary.h"

#include <assert.h>

/* --- turns --- */

/* Computes the change R b - b of a vector by a rotation, with full relative precision for any angle: 2 q0 q x b + 2 q x
 * (q x b). */
static void turn_change(const double *q, const double *b, double *change) {
  double once[3], twice[3];
  vd_cross(q + 1, b, once);
  vd_cross(q + 1, once, twice);
  for (int i = 0; i < 3; i++)
    change[i] = 2.0 * (q[0] * once[i] + twice[i]);
}

void vd_turned(const double *q, const double *b, double *r) {
  double change[3];
  turn_change(q, b, change);
  for (int i = 0; i < 3; i++)
    r[i] = b[i] + change[i];
}

void vd_turned_arm(const double *q, const double *from, const double *to, double *arm, double *change) {
  double b[3];
  vd_between(from, to, b);
  turn_change(q, b, change);
  for (int i = 0; i < 3; i++)
    arm[i] = b[i] + change[i];
}

int vd_steepest(const double *along) {
  int most = 0;
  for (int i = 1; i < 3; i++)
    if (fabs(along[i]) > fabs(along[most]))
      most = i;
  return most;
}

static void unit(double *q) {
  double length = sqrt(q[0] * q[0] + vd_dot(q + 1, q + 1)), scale = q[0] < 0.0 ? -1.0 / length : 1.0 / length;
  for (int i = 0; i < 4; i++)
    q[i] *= scale;
}

void vd_turn_product(const double *a, const double *b, double *q) {
  const double scalar = b[0], vector[3] = {b[1], b[2], b[3]};
  double across[3];
  vd_cross(a + 1, vector, across);
  q[0] = a[0] * scalar - vd_dot(a + 1, vector);
  for (int i = 0; i < 3; i++)
    q[1 + i] = a[0] * vector[i] + scalar * a[1 + i] + across[i];
  unit(q);
}

void vd_turn_on(const double *phi, double *q) {
  double half = 0.5 * vd_norm(phi), share = half > 0.0 ? 0.5 * vd_sin(half) / half : 0.5;
  vd_turn_product((const double[]){vd_cos(half), share * phi[0], share * phi[1], share * phi[2]}, q, q);
}

/* Uses (1 + cos, sin) = 2 cos(half) (cos(half), sin(half)). */
void vd_turn_between(const double *from, const double *to, double *q) {
  vd_cross(from, to, q + 1);
  q[0] = sqrt(vd_dot(from, from) * vd_dot(to, to)) + vd_dot(from, to);
  unit(q);
}

/* The rotation must be less than 180 degrees: R - R' = 4 q0 [q x] and trace R = 4 q0^2 - 1. */
void vd_turn_from_matrix(double turn[3][3], double *q) {
  q[0] = 0.5 * sqrt(1.0 + turn[0][0] + turn[1][1] + turn[2][2]);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    q[1 + i] = (turn[k][j] - turn[j][k]) / (4.0 * q[0]);
  }
  unit(q);
}

void vd_turn_matrix(const double *q, double turn[3][3]) {
  for (int column = 0; column < 3; column++) {
    double r[3];
    vd_turned(q, vd_unit_vectors[column], r);
    for (int i = 0; i < 3; i++)
      turn[i][column] = r[i];
  }
}

/* --- points --- */

/* The coordinates on which a point depends, in blocks of three. A displacement moves the point by `share' times its
 * vector, a rotation by the cross product of its vector with `arm'. The slide is no block. */
typedef struct block {
  int column;
  double share;
  const double *arm; /* NULL: no rotation */
} block;

enum { MOST_BLOCKS = 5 }; /* shift, offset, three rotations */

static int find_blocks(const vd_reach *r, block *b) {
  int count = 0;
  if (r->shift >= 0)
    b[count++] = (block){r->shift, 1.0 - r->lag, NULL};
  if (r->offset >= 0)
    b[count++] = (block){r->offset, 1.0, NULL};
  for (int t = 0; t < r->turns; t++)
    b[count++] = (block){r->turn[t], 0.0, r->arm[t]};
  return count;
}

/* Computes the slopes by a block's coordinates of a quantity with the gradient f by the point. For a rotation they are
 * f . (e x arm) = (arm x f) . e. */
VD_INLINE void slopes_by(const block *b, const double *f, double *slope) {
  if (b->arm)
    vd_cross(b->arm, f, slope);
  else
    for (int i = 0; i < 3; i++)
      slope[i] = b->share * f[i];
}

/* Adds the slope by each coordinate of a quantity with the gradient f by the point. */
static void add_slopes(const vd_reach *r, const block *b, int count, const double *f, double *to) {
  for (int p = 0; p < count; p++) {
    double slope[3], *own = to + b[p].column;
    slopes_by(&b[p], f, slope);
    own[0] += slope[0];
    own[1] += slope[1];
    own[2] += slope[2];
  }
  if (r->slide >= 0)
    to[r->slide] += vd_dot(f, r->along);
}

/* f . (phi x (phi x r))/2 has the Hessian (f r' + r f')/2 - (f . r). */
void vd_add_bend(double *by_phi, size_t pitch, const double *f, const double *r) {
  double fr = vd_dot(f, r);
  for (size_t i = 0; i < 3; i++) {
    for (size_t j = 0; j < 3; j++)
      by_phi[i * pitch + j] += 0.5 * (f[i] * r[j] + r[i] * f[j]);
    by_phi[i * pitch + i] -= fr;
  }
}

/* Adds a number to the elements (i, j) and (j, i) of the matrix. */
VD_INLINE void add_pair(vd_equations *e, int i, int j, double number) {
  e->matrix[i][j] += number;
  e->matrix[j][i] += number;
}

/* Adds the part of the Hessian that follows from k and the slopes. k: symmetric. */
static void add_stiffness(vd_equations *e, const vd_reach *r, const block *b, int count, double k[3][3]) {
  for (int p = 0; p < count; p++) {
    const int own = b[p].column;
    double by[3][3], force[3][3], slope[3][3]; /* force: k times the point's motion by each coordinate */
    for (int a = 0; a < 3; a++)
      slopes_by(&b[p], k[a], by[a]);
    for (int i = 0; i < 3; i++)
      for (int a = 0; a < 3; a++)
        force[i][a] = by[a][i];
    for (int q = 0; q < p; q++) {
      for (int i = 0; i < 3; i++)
        slopes_by(&b[q], force[i], slope[i]);
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          add_pair(e, own + i, b[q].column + j, slope[i][j]);
    }
    for (int i = 0; i < 3; i++)
      slopes_by(&b[p], force[i], slope[i]);
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < i; j++)
        add_pair(e, own + i, own + j, slope[i][j]);
      e->matrix[own + i][own + i] += slope[i][i];
    }
  }
  if (r->slide >= 0) {
    double force[3];
    for (int a = 0; a < 3; a++)
      force[a] = vd_dot(k[a], r->along);
    for (int q = 0; q < count; q++) {
      double slope[3];
      slopes_by(&b[q], force, slope);
      for (int j = 0; j < 3; j++)
        add_pair(e, r->slide, b[q].column + j, slope[j]);
    }
    e->matrix[r->slide][r->slide] += vd_dot(force, r->along);
  }
}

static void add_curvature(vd_equations *e, const vd_reach *reach, const double *f) {
  for (int t = 0; t < reach->turns; t++)
    vd_add_bend(&e->matrix[reach->turn[t]][reach->turn[t]], VD_UNKNOWNS, f, reach->arm[t]);
  if (reach->slide >= 0) { /* f . (phi x along) = phi . (along x f) */
    double turn[3];
    vd_cross(reach->along, f, turn);
    for (int i = 0; i < 3; i++) {
      e->matrix[reach->turn[0] + i][reach->slide] += turn[i];
      e->matrix[reach->slide][reach->turn[0] + i] += turn[i];
    }
  }
}

void vd_add_point(vd_equations *e, const vd_reach *reach, const double *f, double k[3][3]) {
  block b[MOST_BLOCKS];
  const int count = find_blocks(reach, b);
  add_slopes(reach, b, count, f, e->value);
  if (k)
    add_stiffness(e, reach, b, count, k);
  add_curvature(e, reach, f);
}

void vd_add_spring(vd_equations *e, const vd_reach *reach, const double *v, double k) {
  double f[3] = {k * v[0], k * v[1], k * v[2]}, full[3][3] = {{k, 0.0, 0.0}, {0.0, k, 0.0}, {0.0, 0.0, k}};
  vd_add_point(e, reach, f, full);
  e->energy += 0.5 * vd_dot(f, v);
}

void vd_body_point(const double *turn, const double *shift, const double *b, vd_reach *reach, double *displaced) {
  turn_change(turn, b, displaced);
  for (int i = 0; i < 3; i++) {
    reach->arm[0][i] = b[i] + displaced[i];
    displaced[i] += shift[i];
  }
}

void vd_knuckle_point(const vd_bodies *at, const double *b, vd_reach *reach, double *displaced) {
  reach->shift = VD_SHIFT; /* the arms that are not used need no zeros */
  reach->offset = reach->slide = -1;
  reach->lag = 0.0;
  reach->turns = 1;
  reach->turn[0] = VD_TURN;
  vd_body_point(at->turn, at->shift, b, reach, displaced);
}

/* --- constraints --- */

static int next_row(vd_equations *e, double value) {
  assert(e->rows < VD_ROWS);
  e->value[e->coordinates + e->rows] = value;
  return e->rows++;
}

static void set_slope(vd_equations *e, int row, int column, double slope) {
  add_pair(e, e->coordinates + row, column, slope);
  e->value[column] += e->multiplier[row] * slope;
}

void vd_extend_row(vd_equations *e, int row, const vd_reach *reach, const double *f, double k[3][3]) {
  double force = e->multiplier[row], along[3] = {force * f[0], force * f[1], force * f[2]}, slope[3];
  block b[MOST_BLOCKS];
  const int count = find_blocks(reach, b);
  for (int p = 0; p < count; p++) {
    slopes_by(&b[p], f, slope);
    for (int i = 0; i < 3; i++)
      set_slope(e, row, b[p].column + i, slope[i]);
  }
  if (reach->slide >= 0)
    set_slope(e, row, reach->slide, vd_dot(f, reach->along));
  if (k) {
    double scaled[3][3];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        scaled[i][j] = force * k[i][j];
    add_stiffness(e, reach, b, count, scaled);
  }
  add_curvature(e, reach, along);
}

int vd_add_row(vd_equations *e, const vd_reach *reach, double value, const double *f, double k[3][3]) {
  int row = next_row(e, value);
  vd_extend_row(e, row, reach, f, k);
  return row;
}

int vd_add_rod(vd_equations *e, const vd_reach *reach, const double *d, double length, double k) {
  double now = vd_norm(d), pull = k * (now - length), f[3], h[3][3];
  bool soft = k > 0.0;
  for (int i = 0; i < 3; i++) {
    f[i] = soft ? pull * d[i] / now : d[i] / length;
    for (int j = 0; j < 3; j++) {
      double same = i == j, both = d[i] * d[j] / (now * now);
      h[i][j] = soft ? k * both + pull / now * (same - both) : same / length;
    }
  }
  if (!soft)
    return vd_add_row(e, reach, 0.5 * (vd_dot(d, d) - length * length) * (1.0 / length), f, h);
  vd_add_point(e, reach, f, h);
  e->energy += 0.5 * pull * (now - length);
  return -1;
}

/* To the second order the value is (m + phi x m + phi x (phi x m)/2) . (d + shift): slopes m and m x d, mixed term phi
 * . (m x shift). */
int vd_add_slide(vd_equations *e, double value, const double *m, const double *d) {
  int row = next_row(e, value);
  double force = e->multiplier[row], fd[3], moment[3];
  vd_cross(m, d, moment);
  for (int i = 0; i < 3; i++) {
    fd[i] = force * d[i];
    set_slope(e, row, VD_SHIFT + i, m[i]);
    set_slope(e, row, VD_TURN + i, moment[i]);
    const int next = (i + 1) % 3, last = (i + 2) % 3; /* m x e_i = m_last e_next - m_next e_last */
    add_pair(e, VD_TURN + next, VD_SHIFT + i, force * m[last]);
    add_pair(e, VD_TURN + last, VD_SHIFT + i, -(force * m[next]));
  }
  vd_add_bend(&e->matrix[VD_TURN][VD_TURN], VD_UNKNOWNS, fd, m);
  return row;
}
