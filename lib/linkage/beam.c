#include "linkage/beam.h"

#include "base/base.h"
#include "base/elementary.h"

#include <math.h>

enum { X, Z, BOTH };

/* A strip of the section's middle line: x and z of its ends relative to the centroid, and their sectorial
 * coordinates. */
typedef struct strip {
  double from[BOTH], to[BOTH], sector[2], area;
} strip;

static double length_of(const vd_points *p, size_t i) {
  const double *at = p->xy + 2 * i;
  return vd_hypot(at[2] - at[0], at[3] - at[1]);
}

/* Returns the integral over the strip of the product of two quantities that vary linearly along it; a and b are their
 * values at both ends. */
static double product(const strip *s, const double *a, const double *b) {
  return s->area * (2.0 * a[0] * b[0] + a[0] * b[1] + a[1] * b[0] + 2.0 * a[1] * b[1]) / 6.0;
}

/* Returns strip i of the section. The sectorial coordinate about the centroid grows along the line by x dz - z dx. */
static strip strip_at(const vd_points *p, double thickness, const double *centroid, size_t i, double sector) {
  const double *at = p->xy + 2 * i;
  strip s = {.from = {at[0] - centroid[X], at[1] - centroid[Z]}, .to = {at[2] - centroid[X], at[3] - centroid[Z]}};
  s.area = thickness * length_of(p, i);
  s.sector[0] = sector;
  s.sector[1] = sector + s.from[X] * s.to[Z] - s.from[Z] * s.to[X];
  return s;
}

/* Integrals over the section about its centroid. */
typedef struct sums {
  double xx, zz, xz, wx, wz, w, ww; /* w: the sectorial coordinate */
} sums;

/* Returns the integrals with the sectorial coordinate about a pole: w about the pole = w about the centroid - (pole_x z
 * - pole_z x). */
static sums sum_up(const vd_points *p, double thickness, const double *centroid, const double *pole) {
  sums all = {.xx = 0.0};
  double sector = 0.0;
  for (size_t i = 0; i + 1 < p->count; i++) {
    strip s = strip_at(p, thickness, centroid, i, sector);
    sector = s.sector[1];
    const double x[2] = {s.from[X], s.to[X]}, z[2] = {s.from[Z], s.to[Z]};
    const double w[2] = {s.sector[0] - pole[X] * z[0] + pole[Z] * x[0], s.sector[1] - pole[X] * z[1] + pole[Z] * x[1]};
    all.xx += product(&s, x, x);
    all.zz += product(&s, z, z);
    all.xz += product(&s, x, z);
    all.wx += product(&s, w, x);
    all.wz += product(&s, w, z);
    all.ww += product(&s, w, w);
    all.w += 0.5 * s.area * (w[0] + w[1]);
  }
  return all;
}

/* Finds the shear centre, relative to the centroid. The section shears without twist if the sectorial coordinate about
 * the pole has no moments about x and z:
 *    wx - pole_x xz + pole_z xx = 0,   wz - pole_x zz + pole_z xz = 0 */
static void find_shear_centre(const sums *s, double *pole) {
  double determinant = s->xx * s->zz - s->xz * s->xz;
  pole[X] = (s->wz * s->xx - s->wx * s->xz) / determinant;
  pole[Z] = (s->wz * s->xz - s->wx * s->zz) / determinant;
}

bool vd_section_of(const vd_points *point, double thickness, vd_section *section) {
  const double straight = 1e-9, middle[BOTH] = {0.0, 0.0};
  double pole[BOTH];
  *section = (vd_section){.area = 0.0};
  for (size_t i = 0; i + 1 < point->count; i++) {
    double length = length_of(point, i), area = thickness * length;
    section->area += area;
    section->torsion += length * thickness * thickness * thickness / 3.0;
    for (int k = 0; k < BOTH; k++)
      section->centroid[k] += 0.5 * area * (point->xy[2 * i + (size_t)k] + point->xy[2 * i + 2 + (size_t)k]);
  }
  for (int k = 0; k < BOTH; k++)
    section->centroid[k] /= section->area;
  sums s = sum_up(point, thickness, section->centroid, middle);
  if (!(s.xx * s.zz - s.xz * s.xz > straight * (s.xx + s.zz) * (s.xx + s.zz)))
    return false;
  find_shear_centre(&s, pole);
  for (int k = 0; k < BOTH; k++)
    section->shear_centre[k] = section->centroid[k] + pole[k];
  /* axis 1 points along (cos, -sin) in x and z; with principal axes the product of inertia is zero */
  double mean = 0.5 * (s.xx + s.zz), half = 0.5 * (s.xx - s.zz);
  section->tilt = 0.5 * vd_atan2(-s.xz, fabs(half)) * (half < 0.0 ? -1.0 : 1.0);
  double half_difference = vd_hypot(half, s.xz) * (half < 0.0 ? -1.0 : 1.0);
  section->bending[0] = mean - half_difference; /* integral of the squared distance along axis 3 */
  section->bending[1] = mean + half_difference;
  s = sum_up(point, thickness, section->centroid, pole);
  section->warping = s.ww - s.w * s.w / section->area;
  return true;
}

double vd_beam_torsion(const vd_beam *beam) {
  double stiffness = beam->torsion / beam->length, u = INFINITY;
  if (beam->warping > 0.0)
    u = 0.5 * beam->length * sqrt(beam->torsion / beam->warping);
  return isfinite(u) ? stiffness / (1.0 - vd_tanh(u) / u) : stiffness;
}

void vd_beam_stiffness(const vd_beam *beam, double stiffness[6]) {
  enum { ABOUT_1, ABOUT_3 };
  double l = beam->length;
  for (int k = 0; k < 2; k++) { /* a force along axis 1 bends the beam about axis 3, and vice versa */
    double ei = beam->bending[k == 0 ? ABOUT_3 : ABOUT_1];
    stiffness[2 * k] = 12.0 * ei / (l * (l * l + 12.0 * ei / beam->shear[k]));
    stiffness[3 + 2 * k] = beam->bending[k] / l;
  }
  stiffness[1] = beam->axial / l;
  stiffness[4] = vd_beam_torsion(beam);
}
