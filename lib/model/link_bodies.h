/* Wheels whose linkages have masses of their own (link_masses: bodies; L4, L5 with rigid links): the parts that
 * knuckles, arms and rods add to the point masses at the wheels.
 *
 * Moments of the bodies about O in body axes are functions of the travel z only: S = sum m p, N = sum m p x p' plus
 * spins, M = sum m p'.p', J = sum m p p', T = trace(J) - J. Their kinetic energy is
 *
 *   u.S' z. + u.(w x S) + (w.T w)/2 + w.N z. + M z.^2/2
 *
 * in addition to the energy of their mass at O. By Lagrange's equations, with A the acceleration of O less gravity:
 *
 *   z    S'.A + N.alpha + M z.. - w.T' w/2 + M' z.^2/2
 *   u    alpha x S + S' z.. + w x (w x S) + 2 w x S' z. + S'' z.^2
 *   w    S x A + T alpha + N z.. + w x T w + T' w z. + w x N z. + N' z.^2
 *
 * Here S and J are differences from their values in the design position, for which the vehicle file gives the mass
 * properties of the whole car. The moments of the point masses are subtracted from all moments. */
#ifndef VD_LINK_BODIES_H
#define VD_LINK_BODIES_H

#include "model/linkage_poses.h"
#include "model/space.h"
#include "model/work.h"
#include "linkage/inertia_map.h"

/* A symmetric tensor of each wheel. */
typedef struct vd_wide_tensor {
  vd_wide xx, yy, zz, xy, xz, yz;
} vd_wide_tensor;

typedef struct vd_link_moments {
  vd_wide3 first, first1, first2; /* kg m, kg, kg/m: S, S', S'' */
  vd_wide mass, mass1;            /* kg, kg/m */
  vd_wide3 angular, angular1;     /* kg m, kg */
  vd_wide_tensor second, second1; /* kg m2, kg m: J, J' */
} vd_link_moments;

/* Parts of the linkages' bodies in the equations. */
typedef struct vd_link_bodies {
  vd_wide3 first;         /* kg m */
  vd_wide3 push, turn;    /* kg, kg m: S', N */
  vd_wide mass, known;    /* kg, N: M, and the terms of the travel's equation without accelerations */
  vd_wide_tensor tensor;  /* kg m2: T */
  vd_wide3 force, moment; /* N, N m: to be added to the body's equations */
} vd_link_bodies;

/* Computes T v from J. */
VD_INLINE vd_wide3 vd_tensor_of_second(const vd_wide_tensor *j, vd_wide3 v) {
  vd_wide trace = j->xx + j->yy + j->zz;
  return (vd_wide3){(trace - j->xx) * v.x - j->xy * v.y - j->xz * v.z,
                    (trace - j->yy) * v.y - j->xy * v.x - j->yz * v.z,
                    (trace - j->zz) * v.z - j->xz * v.x - j->yz * v.y};
}

/* Adds a b' + b a'. */
VD_INLINE void vd_add_products(vd_wide3 a, vd_wide3 b, vd_wide_tensor *j) {
  j->xx += 2.0 * a.x * b.x;
  j->yy += 2.0 * a.y * b.y;
  j->zz += 2.0 * a.z * b.z;
  j->xy += a.x * b.y + a.y * b.x;
  j->xz += a.x * b.z + a.z * b.x;
  j->yz += a.y * b.z + a.z * b.y;
}

/* Separates the columns of the maps into moments, and mirrors those of right wheels: the maps are for left wheels. */
VD_INLINE void vd_split_moments(const vd_wide *column, vd_wide3 *first, vd_wide *mass, vd_wide3 *angular,
                                vd_wide_tensor *second) {
  const vd_wide side = {1.0, -1.0, 1.0, -1.0};
  const vd_wide *n = column + VD_INERTIA_ANGULAR, *j = column + VD_INERTIA_SECOND;
  *first = (vd_wide3){column[0], side * column[1], column[2]};
  *mass = column[VD_INERTIA_MASS];
  *angular = (vd_wide3){side * n[0], n[1], side * n[2]};
  *second = (vd_wide_tensor){j[0], j[1], j[2], side * j[3], j[4], side * j[5]};
}

/* Computes the moments of the linkages' bodies; all are 0 for wheels without such masses. Reads places and travels of
 * `h`. */
VD_INLINE void vd_link_moments_at(const vd_model *m, const vd_linkage_poses *h, const double *travel,
                                  vd_link_moments *b) {
  const vd_ride *ride = &m->ride;
  vd_inertia_at at[VD_WHEELS] = {{{0.0}, {0.0}, {0.0}}};
  double mass[VD_WHEELS] = {0.0};
  for (int i = 0; i < VD_WHEELS; i++)
    if (ride->link.inertia[i]) {
      vd_inertia_map_at(ride->link.inertia[i], travel[i], &at[i]);
      mass[i] = ride->unsprung_mass[i];
    }
  vd_wide value[VD_INERTIA_FIGURES], slope[VD_INERTIA_FIGURES], bend[4];
  for (int k = 0; k < VD_INERTIA_FIGURES; k += 4) {
    vd_wide_columns(at[0].value + k, at[1].value + k, at[2].value + k, at[3].value + k, value + k);
    vd_wide_columns(at[0].by_travel + k, at[1].by_travel + k, at[2].by_travel + k, at[3].by_travel + k, slope + k);
  }
  vd_wide_columns(at[0].second, at[1].second, at[2].second, at[3].second, bend);
  vd_split_moments(value, &b->first, &b->mass, &b->angular, &b->second);
  vd_split_moments(slope, &b->first1, &b->mass1, &b->angular1, &b->second1);
  const vd_wide side = {1.0, -1.0, 1.0, -1.0};
  b->first2 = (vd_wide3){bend[0], side * bend[1], bend[2]};

  /* vector from O to the wheel centres in the design position */
  vd_wide3 centre = {vd_wide_load(m->lanes.x), vd_wide_load(m->lanes.y), vd_wide_load(ride->wheel_z)};
  b->angular = vd_wide_plus(b->angular, vd_wide_cross(centre, b->first1));
  b->angular1 = vd_wide_plus(b->angular1, vd_wide_cross(centre, b->first2));
  vd_add_products(centre, b->first, &b->second);
  vd_add_products(centre, b->first1, &b->second1);

  /* subtracts the point masses: m (r r' - r0 r0') = m (d (r + r0)' + (r + r0) d')/2 with d = r - r0 */
  vd_wide less = -vd_wide_load(mass);
  vd_wide3 at_design = {centre.x, centre.y, vd_wide_load(ride->unsprung_z)}, r = h->mass, r1 = h->mass_travel;
  vd_wide3 displaced = {r.x - at_design.x, r.y - at_design.y, r.z - at_design.z}, both = vd_wide_plus(r, at_design);
  b->first = vd_wide_plus(b->first, vd_wide_scaled(less, displaced));
  b->first1 = vd_wide_plus(b->first1, vd_wide_scaled(less, r1));
  b->first2 = vd_wide_plus(b->first2, vd_wide_scaled(less, h->mass_travel2));
  b->mass += less * vd_wide_dot(r1, r1);
  b->mass1 += 2.0 * less * vd_wide_dot(r1, h->mass_travel2);
  b->angular = vd_wide_plus(b->angular, vd_wide_scaled(less, vd_wide_cross(r, r1)));
  b->angular1 = vd_wide_plus(b->angular1, vd_wide_scaled(less, vd_wide_cross(r, h->mass_travel2)));
  vd_add_products(vd_wide_scaled(0.5 * less, displaced), both, &b->second);
  vd_add_products(vd_wide_scaled(less, r1), r, &b->second1);
}

VD_INLINE void vd_link_bodies_at(const vd_work *w, const vd_linkage_poses *h, vd_link_bodies *out) {
  vd_link_moments b;
  vd_link_moments_at(w->m, h, w->x + VD_S_TRAVEL, &b);
  vd_wide3 turning = vd_wide3_repeat(w->frame.w), spread = vd_tensor_of_second(&b.second1, turning);
  vd_wide rate = h->rate, square = rate * rate, trace = b.second.xx + b.second.yy + b.second.zz;
  out->first = b.first;
  out->push = b.first1;
  out->turn = b.angular;
  out->mass = b.mass;
  out->known = 0.5 * (b.mass1 * square - vd_wide_dot(turning, spread));
  out->tensor = (vd_wide_tensor){trace - b.second.xx, trace - b.second.yy, trace - b.second.zz,
                                 -b.second.xy,        -b.second.xz,        -b.second.yz};
  vd_wide3 swing = vd_wide_plus(vd_wide_cross(turning, b.first), vd_wide_scaled(2.0 * rate, b.first1));
  out->force = vd_wide_plus(vd_wide_cross(turning, swing), vd_wide_scaled(square, b.first2));
  vd_wide3 spin = vd_wide_plus(vd_tensor_of_second(&b.second, turning), vd_wide_scaled(rate, b.angular));
  out->moment = vd_wide_plus(vd_wide_cross(turning, spin),
                             vd_wide_plus(vd_wide_scaled(rate, spread), vd_wide_scaled(square, b.angular1)));
}

/* Adds the kinetic energy to e, and the masses to the sums. */
void vd_link_bodies_observe(const vd_model *m, const vd_frame *f, const vd_linkage_poses *h, const double *travel,
                            vd_eval *e, vd_mass_sums *sums);

#endif
