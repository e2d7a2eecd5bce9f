/* Active-set method. Torques at their bounds are fixed. The free torques are T = s^2 A' z, where A has the rows m and
 * f, and the two multipliers z solve (A s^2 A' + e^2) z = b - A T_fixed. Each iteration fixes the torque that is
 * furthest beyond a bound. If there is none, it frees the fixed torque that would move furthest inwards. */
#include "control/allocation.h"

#include "base/elementary.h"

#include <math.h>

/* Computes the multipliers z that belong to the free wheels. `torque` contains the torques of the fixed wheels. */
static void multipliers(const vd_allocation *a, const int *fixed, const double *torque, double *z) {
  double matrix[2][2] = {{0.0}}, rest[2];
  for (int k = 0; k < 2; k++) {
    rest[k] = a->wanted[k];
    for (int i = 0; i < VD_WHEELS; i++) {
      rest[k] -= fixed[i] ? a->row[k][i] * torque[i] : 0.0;
      for (int l = 0; l < 2; l++)
        matrix[k][l] += fixed[i] ? 0.0 : a->row[k][i] * a->share[i] * a->share[i] * a->row[l][i];
    }
    matrix[k][k] += a->error[k] * a->error[k];
  }
  if (!isfinite(matrix[0][0]) || !isfinite(matrix[1][1])) { /* the moment or the force is not required */
    const int k = isfinite(matrix[0][0]) ? 0 : 1;
    z[1 - k] = 0.0;
    z[k] = isfinite(matrix[k][k]) ? rest[k] / matrix[k][k] : 0.0;
    return;
  }
  const double det = matrix[0][0] * matrix[1][1] - matrix[0][1] * matrix[1][0];
  z[0] = (rest[0] * matrix[1][1] - rest[1] * matrix[0][1]) / det;
  z[1] = (rest[1] * matrix[0][0] - rest[0] * matrix[1][0]) / det;
}

/* Returns the torque of a free wheel, N m. */
static double free_torque(const vd_allocation *a, const double *z, int i) {
  return a->share[i] * a->share[i] * (a->row[0][i] * z[0] + a->row[1][i] * z[1]);
}

void vd_allocation_solve(const vd_allocation *a, double *torque) {
  enum { SETS = 81 };
  int fixed[VD_WHEELS];
  for (int i = 0; i < VD_WHEELS; i++) {
    fixed[i] = !(a->share[i] > 0.0);
    torque[i] = 0.0;
  }
  for (int set = 0; set < SETS; set++) {
    double z[2], most = 0.0;
    int change = VD_WHEELS;
    multipliers(a, fixed, torque, z);
    for (int i = 0; i < VD_WHEELS; i++) {
      const double whole = fixed[i] ? torque[i] : free_torque(a, z, i);
      const double beyond = vd_max(whole - a->high[i], a->low[i] - whole);
      if (!fixed[i])
        torque[i] = whole;
      if (!fixed[i] && beyond > most) {
        most = beyond;
        change = i;
      }
    }
    if (change < VD_WHEELS) {
      torque[change] = torque[change] > a->high[change] ? a->high[change] : a->low[change];
      fixed[change] = 1;
      continue;
    }
    for (int i = 0; i < VD_WHEELS; i++) {
      const double inward = fixed[i] && a->share[i] > 0.0 ? free_torque(a, z, i) - torque[i] : 0.0;
      const double gain = torque[i] >= a->high[i] ? -inward : inward;
      if (gain > most) {
        most = gain;
        change = i;
      }
    }
    if (change == VD_WHEELS)
      return;
    fixed[change] = 0;
  }
}
