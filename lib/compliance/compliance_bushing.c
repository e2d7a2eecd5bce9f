/* Bushings: forces as functions of displacements along their own axes, moments as functions of rotations about them,
 * and their potentials. */
#include "compliance/compliance_impl.h"

#include "base/memory.h"

void vd_bushing_build(const vd_bushing *linear, const vd_bushing_law *law, vd_elastic_bushing *b) {
  *b = (vd_elastic_bushing){.linear = linear, .law = law};
  bool own = vd_norm(law->x_axis) > 0.0, tables = false;
  vd_normalise(own ? law->x_axis : vd_unit_vectors[0], b->axis[0]);
  memcpy(b->axis[2], own ? law->z_axis : vd_unit_vectors[2], sizeof b->axis[2]);
  vd_cross(b->axis[2], b->axis[0], b->axis[1]);
  vd_normalise(b->axis[1], b->axis[1]);
  vd_cross(b->axis[0], b->axis[1], b->axis[2]);
  memcpy(b->about, b->axis, sizeof b->about);
  b->aligned = memcmp(b->axis, vd_unit_vectors, sizeof b->axis) == 0;
  for (int k = 0; k < 6; k++)
    tables |= law->table[k].count > 0;
  b->table = tables ? vd_allocate(6, sizeof *b->table) : NULL;
  for (int k = 0; k < 6; k++)
    if (law->table[k].count > 0)
      vd_curve_build(&law->table[k], &b->table[k]);
}

/* Computes the potential, force and stiffness at x, a displacement along or a rotation about axis `direction' of
 * six. */
static void energy_along(const vd_elastic_bushing *b, int direction, double x, double energy[3]) {
  double preload = b->law->preload[direction], cubic = b->law->cubic[direction], rate = b->linear->stiffness[direction],
         f = rate * x, of_force = 0.5 * rate * x * x;
  if (b->law->table[direction].count > 0) {
    const vd_curve *table = &b->table[direction];
    f = vd_curve_at(table, x, &rate);
    of_force = vd_curve_integral(table, x) - vd_curve_integral(table, 0.0);
  }
  energy[0] = of_force + preload * x + 0.25 * cubic * x * x * x * x;
  energy[1] = preload + f + cubic * x * x * x;
  energy[2] = rate + 3.0 * cubic * x * x;
}

double vd_bushing_energy(const vd_elastic_bushing *b, int first, const double *v, double *f, double h[3][3]) {
  const double(*axes)[3] = first < 3 ? b->axis : b->about;
  double all = 0.0;
  memset(f, 0, 3 * sizeof *f);
  memset(h, 0, 9 * sizeof **h);
  for (int k = 0; k < 3; k++) {
    const double *a = axes[k];
    double energy[3];
    if (b->aligned) {
      energy_along(b, first + k, v[k], energy);
      all += energy[0];
      f[k] = energy[1];
      h[k][k] = energy[2];
      continue;
    }
    energy_along(b, first + k, vd_dot(a, v), energy);
    all += energy[0];
    for (int i = 0; i < 3; i++) {
      f[i] += energy[1] * a[i];
      for (int j = 0; j < 3; j++)
        h[i][j] += energy[2] * a[i] * a[j];
    }
  }
  return all;
}

void vd_add_displacement(vd_equations *e, const vd_reach *reach, const double *v, const vd_elastic_bushing *b) {
  double f[3], h[3][3];
  e->energy += vd_bushing_energy(b, 0, v, f, h);
  vd_add_point(e, reach, f, h);
}

/* To the second order t becomes t + A phi - |phi|^2 t/8 with A phi = q0 phi + phi x q. With g and H the gradient and
 * the Hessian by t, the gradient by phi is A'g and the Hessian is A'H A - (g . t)/4. */
void vd_add_turn(vd_equations *e, int turn, const double *q, const vd_elastic_bushing *b) {
  const double a[3][3] = {{q[0], q[3], -q[2]}, {-q[3], q[0], q[1]}, {q[2], -q[1], q[0]}};
  const double t[3] = {2.0 * q[1], 2.0 * q[2], 2.0 * q[3]};
  double g[3], h[3][3], ha[3][3] = {{0.0}};
  e->energy += vd_bushing_energy(b, 3, t, g, h);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      for (int j = 0; j < 3; j++)
        ha[i][k] += h[i][j] * a[j][k];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      e->value[turn + j] += a[i][j] * g[i];
      for (int k = 0; k < 3; k++)
        e->matrix[turn + j][turn + k] += a[i][j] * ha[i][k];
    }
    e->matrix[turn + i][turn + i] -= 0.25 * vd_dot(g, t);
  }
}

/* t = X n: the gradient by n is X'g, and the Hessian is X'H X. */
void vd_add_tilt(vd_equations *e, const double *n0, const double *n, const vd_elastic_bushing *b) {
  const double x[3][3] = {{0.0, -n0[2], n0[1]}, {n0[2], 0.0, -n0[0]}, {-n0[1], n0[0], 0.0}};
  vd_reach reach = {.shift = -1, .offset = -1, .slide = -1, .turns = 1, .turn = {VD_TURN}};
  double t[3], g[3], h[3][3], f[3] = {0.0}, by[3][3] = {{0.0}};
  memcpy(reach.arm[0], n, sizeof reach.arm[0]);
  vd_cross(n0, n, t);
  e->energy += vd_bushing_energy(b, 3, t, g, h);
  for (int a = 0; a < 3; a++)
    for (int i = 0; i < 3; i++) {
      f[i] += x[a][i] * g[a];
      for (int c = 0; c < 3; c++)
        for (int j = 0; j < 3; j++)
          by[i][j] += x[a][i] * h[a][c] * x[c][j];
    }
  vd_add_point(e, &reach, f, by);
}

/* The gradient is that of vd_add_turn: A'g = q0 g + q x g. */
void vd_bushing_moment(const vd_elastic_bushing *b, const double *q, double *moment) {
  const double t[3] = {2.0 * q[1], 2.0 * q[2], 2.0 * q[3]};
  double g[3], h[3][3];
  vd_bushing_energy(b, 3, t, g, h);
  vd_cross(q + 1, g, moment);
  for (int i = 0; i < 3; i++)
    moment[i] += q[0] * g[i];
}

/* The gradient is that of vd_add_tilt: n x (X'g), X'g = g x n0. */
void vd_bushing_tilt_moment(const vd_elastic_bushing *b, const double *n0, const double *n, double *moment) {
  double t[3], g[3], h[3][3], f[3];
  vd_cross(n0, n, t);
  vd_bushing_energy(b, 3, t, g, h);
  vd_cross(g, n0, f);
  vd_cross(n, f, moment);
}

double vd_bushing_rate(const vd_elastic_bushing *b, int first, const double *direction) {
  const double rest[3] = {0.0, 0.0, 0.0};
  double f[3], h[3][3], all = 0.0;
  vd_bushing_energy(b, first, rest, f, h);
  for (int i = 0; i < 3; i++)
    all += direction[i] * vd_dot(h[i], direction);
  return all;
}
