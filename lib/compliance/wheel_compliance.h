/* Compliance of a wheel as a rig measures it, with one load at a time: displacements under four loads.
 * vd_wheel_compliance_map makes an elastic map of these curves (elastic_map.h): one energy from which all displacements
 * follow, so that the work of a run's forces on them equals the energy stored in the bushings.
 *
 * Quantities are changes of the left wheel from its position without load. Loads: fx_drive acts forward at the centre
 * of a wheel that turns on its bearing, as driven wheels do; fx_brake acts forward at the contact of a wheel that is
 * braked on its knuckle; fy acts to the left at the contact; mz acts about the vertical, to the left.
 *
 * Derivation. By virtual work these displacements are conjugate to the loads: x of the wheel centre to fx_drive; x - R
 * spin to fx_brake; y - R camber, the y of the contact, to fy; and -toe to mz. x - R spin is the displacement of the
 * braked contact, where R is the radius and spin the knuckle's rotation about the axle; if the contact is beside the
 * centre, a part of the rotation about the vertical is added. By Maxwell and Betti's theorem the derivative of
 * displacement k by load j at zero load equals that of displacement j by load k: a rig measures this slope twice. With
 * x_j a load, s_kj displacement k as a function of load j alone, and c_jk this slope,
 *
 *   W = sum over j of the integral of s_jj + sum over j < k of (x_k s_kj(x_j) + x_j s_jk(x_k) - c_jk x_j x_k)
 *
 * reproduces each curve where its load acts alone. If both curves are known, c_jk is the mean of their slopes; if only
 * one is known, the other is the line with its slope; if neither is known, the loads do not interact. Loads that act
 * beside the middle of the contact have a moment about the heading in addition to that of fy. This moment is a fifth
 * load, whose displacement is -camber. A rig does not apply it. Its flexibility is set to the least value for which no
 * load does negative work. The same rule sets the flexibility of a displacement that is not known as a function of its
 * own load (x under fx_drive).
 *
 * These equations give W in the design position. Measurements at other travels give W at these travels, and splines
 * interpolate between them. Over travel z and rack r the bushings are twisted without load too, by s0(z, r), which the
 * tables have in addition to the path of rigid links (VD_TABLED_BUSHING_TOE and so on; a path that a rig measured
 * includes it): s0 is the gradient of W without loads, so that W(x; z, r) = x . s0(z, r) - energy(z, r) + W(x; z). The
 * change of flexibility over the rack is neglected. */
#ifndef VD_WHEEL_COMPLIANCE_H
#define VD_WHEEL_COMPLIANCE_H

#include "compliance/elastic_map.h"
#include "linkage/wheel_tables.h"

/* Load, key, unit, greatest plausible size, meaning. */
#define VD_RIG_LOAD_LIST(Q)                                                                                            \
  Q(FX_DRIVE, "fx_drive", "N", 1e5, "force ahead at the centre of a wheel that a shaft drives")                        \
  Q(FX_BRAKE, "fx_brake", "N", 1e5, "force ahead at the contact of a wheel that its knuckle brakes; braking is < 0")   \
  Q(FY, "fy", "N", 1e5, "force to the left at the contact of the left wheel")                                          \
  Q(MZ, "mz", "N m", 1e4, "moment about the vertical, to the left, on the left wheel")

/* Quantity, key, SI unit, greatest plausible change, meaning. */
#define VD_DISPLACEMENT_LIST(Q)                                                                                        \
  Q(TOE, "toe", "rad", 0.5, "toe-in > 0")                                                                              \
  Q(CAMBER, "camber", "rad", 0.5, "top outward > 0")                                                                   \
  Q(X, "x", "m", 0.2, "wheel centre ahead")                                                                            \
  Q(Y, "y", "m", 0.2, "wheel centre outward")                                                                          \
  Q(CONTACT_Y, "contact_y", "m", 0.2, "contact point outward, where y is not known")                                   \
  Q(SPIN, "spin", "rad", 0.5, "rotation of the knuckle about the wheel's axle, > 0 as a wheel rolls ahead")

enum vd_rig_load {
#define VD_ENUM(id, key, unit, most, help) VD_RIG_##id,
  VD_RIG_LOAD_LIST(VD_ENUM)
#undef VD_ENUM
      VD_RIG_LOADS
};

enum vd_displacement {
#define VD_ENUM(id, key, unit, most, help) VD_DISPLACEMENT_##id,
  VD_DISPLACEMENT_LIST(VD_ENUM)
#undef VD_ENUM
      VD_DISPLACEMENTS
};

/* A quantity as a function of one load; beyond its ends it continues with the slope of the last secant. */
typedef struct vd_compliance_curve {
  size_t count;                       /* 0: not known */
  const double *load, *value, *slope; /* load rises; slopes are those of cubic splines */
  double rest;                        /* value without load */
} vd_compliance_curve;

/* Curves at a travel other than 0; an unknown curve is replaced by that of the design position. */
typedef struct vd_compliance_height {
  double travel; /* m */
  vd_compliance_curve of[VD_DISPLACEMENTS][VD_RIG_LOADS];
} vd_compliance_height;

typedef struct vd_wheel_compliance {
  double radius; /* m, of the rig's wheel; NAN: the radius of the car's wheel */
  vd_compliance_curve of[VD_DISPLACEMENTS][VD_RIG_LOADS];
  size_t heights;
  const vd_compliance_height *height; /* in any order */
} vd_wheel_compliance;

/* Computes Gibbs' vector of the rotation between two attitudes, which are rotation matrices by rows. */
void vd_gibbs_between(const double *from, const double *to, double *g);

/* Makes a curve from at least two points with rising loads; the arena owns it. A coefficient becomes two points. */
vd_compliance_curve vd_compliance_curve_make(const double *load, const double *value, size_t count, vd_arena *arena);

/* Returns the change of the curve's quantity from its value without load; the second function returns its slope at zero
 * load. Both are 0 for unknown curves. */
double vd_compliance_curve_at(const vd_compliance_curve *c, double load);
double vd_compliance_curve_slope(const vd_compliance_curve *c);

bool vd_wheel_compliance_given(const vd_wheel_compliance *c);

/* Contradictions between the curves and an elastic body. */
typedef struct vd_compliance_doubt {
  /* worst violation of Maxwell and Betti's theorem: difference of two slopes divided by the mean flexibility */
  double mismatch;
  int pair[2];   /* the two loads with the worst mismatch, enum vd_rig_load */
  bool unstable; /* some combination of loads would do negative work */
} vd_compliance_doubt;

/* A wheel with compliance. tables: toe and camber of the wheel without load, and the energy of the bushings without
 * load. map: made from these tables; its range is used. radius: m; force: N, up to which the curves are used. */
typedef struct vd_compliant_wheel {
  const vd_wheel_tables *tables;
  const vd_linkage_map *map;
  double radius, force;
} vd_compliant_wheel;

const vd_elastic_map *vd_wheel_compliance_map(const vd_wheel_compliance *c, const vd_compliant_wheel *wheel,
                                              vd_arena *arena, vd_compliance_doubt *doubt);

#endif
