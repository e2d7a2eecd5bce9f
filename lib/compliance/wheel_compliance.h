/* Compliance of a wheel as a rig measures it, one load at a time: how far it gives way over four loads.
 * vd_wheel_compliance_map makes an elastic map of these curves (elastic_map.h), one energy from which all displacements
 * follow, so that the forces of a run do on them the work that the bushings store.
 *
 * Quantities are those of the left wheel, changes from the wheel without load. Loads: fx_drive acts ahead at the
 * centre of a wheel that turns on its bearing, as driven ones do; fx_brake ahead at the contact of a wheel that its
 * knuckle brakes; fy to the left at the contact; mz about the vertical, to the left.
 *
 * Derivation. Conjugate to the loads, by virtual work, are: the wheel centre's x; x - R spin, R the radius and spin
 * the knuckle's turn, of the contact held by the brake (and the share of the turn about the vertical, of a contact
 * beside the centre); y - R camber, the contact's y; and -toe. By Maxwell and Betti's theorem the slope of the
 * displacement k over the load j at rest equals that of j over k: a rig measures it twice. With s_kj the curve of k
 * over j, and c_jk this slope,
 *
 *   W = sum over j of the integral of s_jj + sum over j < k of (x_k s_kj(x_j) + x_j s_jk(x_k) - c_jk x_j x_k)
 *
 * gives each curve back where its load acts alone; where both are known c is their mean, where one is, the other is
 * the line of its slope, and where neither is, the loads do not act on each other. The moment about the heading beside
 * that of fy, which only loads off the contact's middle have, is a fifth load, whose displacement is -camber; a rig
 * does not apply it, and its own flexibility is the least with which the whole is elastic. A displacement that is not
 * known over its own load (x over fx_drive) is likewise the least.
 *
 * That is W at the design position; a rig that measures at other travels, too, gives W at these, and splines W between
 * them. Over travel z and rack r the bushings twist, even without load, by s0(z, r), which
 * the tables have beside the path of rigid links (VD_TABLED_BUSHING_TOE and so on; a path that a rig measured has it in
 * itself): s0 is the gradient of W without loads, so that W(x; z, r) = x . s0(z, r) - energy(z, r) + W(x; z). What is
 * left out is that the flexibility changes over the rack. */
#ifndef VD_WHEEL_COMPLIANCE_H
#define VD_WHEEL_COMPLIANCE_H

#include "compliance/elastic_map.h"
#include "linkage/wheel_tables.h"

/* Load, key, unit, limit of its size, meaning. */
#define VD_RIG_LOAD_LIST(Q)                                                                                            \
  Q(FX_DRIVE, "fx_drive", "N", 1e5, "force ahead at the centre of a wheel that a shaft drives")                        \
  Q(FX_BRAKE, "fx_brake", "N", 1e5, "force ahead at the contact of a wheel that its knuckle brakes; braking is < 0")   \
  Q(FY, "fy", "N", 1e5, "force to the left at the contact of the left wheel")                                          \
  Q(MZ, "mz", "N m", 1e4, "moment about the vertical, to the left, on the left wheel")

/* Quantity, key, SI unit, limit of its change, meaning. */
#define VD_GIVING_LIST(Q)                                                                                              \
  Q(TOE, "toe", "rad", 0.5, "toe-in > 0")                                                                              \
  Q(CAMBER, "camber", "rad", 0.5, "top outward > 0")                                                                   \
  Q(X, "x", "m", 0.2, "wheel centre ahead")                                                                            \
  Q(Y, "y", "m", 0.2, "wheel centre outward")                                                                          \
  Q(CONTACT_Y, "contact_y", "m", 0.2, "contact point outward, where y is not known")                                   \
  Q(SPIN, "spin", "rad", 0.5, "turn of the knuckle about the wheel's axle, as a wheel that rolls ahead")

enum vd_rig_load {
#define VD_ENUM(id, key, unit, most, help) VD_RIG_##id,
  VD_RIG_LOAD_LIST(VD_ENUM)
#undef VD_ENUM
      VD_RIG_LOADS
};

enum vd_giving {
#define VD_ENUM(id, key, unit, most, help) VD_GIVING_##id,
  VD_GIVING_LIST(VD_ENUM)
#undef VD_ENUM
      VD_GIVING
};

/* A quantity over a load alone; beyond its ends straight on along the last secant. */
typedef struct vd_giving_curve {
  size_t count;                       /* 0: not known */
  const double *load, *value, *slope; /* rising; slopes of cubic splines */
  double rest;                        /* value without load */
} vd_giving_curve;

/* At a travel beside the design position; a curve that is not known there is that of the design position. */
typedef struct vd_compliance_height {
  double travel; /* m */
  vd_giving_curve of[VD_GIVING][VD_RIG_LOADS];
} vd_compliance_height;

typedef struct vd_wheel_compliance {
  double radius; /* m, of the rig's wheel; NAN: that of the car's */
  vd_giving_curve of[VD_GIVING][VD_RIG_LOADS];
  size_t heights;
  const vd_compliance_height *height; /* in any order */
} vd_wheel_compliance;

/* Gibbs' vector of the turn between two attitudes, rotation matrices by rows. */
void vd_gibbs_between(const double *from, const double *to, double *g);

/* A curve from points, from two on, in rising order of the loads; of the arena. A coefficient is two points. */
vd_giving_curve vd_giving_curve_make(const double *load, const double *value, size_t count, vd_arena *arena);

/* Change from the wheel without load; its slope at rest. 0 of what is not known. */
double vd_giving_at(const vd_giving_curve *c, double load);
double vd_giving_slope(const vd_giving_curve *c);

bool vd_wheel_compliance_given(const vd_wheel_compliance *c);

/* What of the curves does not suit a body on springs. */
typedef struct vd_compliance_doubt {
  double mismatch; /* of Maxwell and Betti's theorem: difference of two slopes over the mean flexibility, the worst */
  int pair[2];     /* enum vd_rig_load, of which */
  bool unstable;   /* some loads would do negative work */
} vd_compliance_doubt;

/* The wheel: its tables, of which toe and camber of the wheel without load, and the bushings' energy without load are
 * read; the map that was made of them, for its range; its radius, m. force: N, up to which forces displace. */
typedef struct vd_compliant_wheel {
  const vd_wheel_tables *tables;
  const vd_linkage_map *map;
  double radius, force;
} vd_compliant_wheel;

const vd_elastic_map *vd_wheel_compliance_map(const vd_wheel_compliance *c, const vd_compliant_wheel *wheel,
                                              vd_arena *arena, vd_compliance_doubt *doubt);

#endif
