/* Declarations that the files of the tyre models share. */
#ifndef VD_TYRE_IMPL_H
#define VD_TYRE_IMPL_H

#include "tyre/tyre_def.h"

#include "input/schema.h"

#include <math.h>

/* One model: its keys, traits and functions. Comments on functions that may be NULL say what happens without them. */
struct vd_tyre_variant {
  vd_schema rows; /* its keys, in the order in which they are written; only `field` and `count` are used */
  vd_tyre_traits traits;

  /* Reads a property file and computes values that are auto. like: a completed tyre of the same model, or NULL. NULL:
   * there is nothing to do. */
  void (*complete)(vd_tyre_def *def, const vd_tyre_def *like, const vd_tyre_origin *from);
  void (*check)(const vd_tyre_def *def, const vd_node *root, const char *path, vd_diag *d); /* NULL: all is valid */
  /* like vd_tyre_write_tir; NULL: the model has no property files */
  bool (*write_tir)(const vd_tyre_def *def, vd_buf *out);
  /* own_coefficients: returns the coefficients of the property file, copied so that the caller may change them.
   * take_coefficients: puts the changed coefficients into the definition. NULL: all parameters are keys. */
  vd_mf_def *(*own_coefficients)(vd_tyre_def *def, vd_arena *arena);
  void (*take_coefficients)(vd_tyre_def *def, vd_arena *arena);

  /* Sets the model's part of a zeroed tyre. NULL: it is a copy of def->as. */
  void (*build)(const vd_tyre_def *def, bool right, vd_tyre *tyre);
  void (*inflate)(vd_tyre *tyre, double pressure); /* like vd_tyre_inflate; NULL: the pressure has no effect */

  /* --- tyres of a group --- */

  void (*pack)(vd_tyre_group *group); /* sets group->lanes; NULL: the model has no lanes */
  void (*slide)(const vd_tyre_group *group, const vd_contact *contact, vd_slides *slides);
  void (*force)(const vd_tyre_group *group, vd_slides *slides, const double *ground_friction, const double *load,
                vd_tyre_forces *out);
  /* Corrects moments that depend on the forces, after bristles have changed these. NULL: no such moments. */
  void (*use_forces)(const vd_tyre_group *group, vd_slides *slides, vd_tyre_forces *out);
  /* Changes the results of the last pass to nearby loads, like vd_tyre_shift_loads. NULL: `moments` does not use these
   * results. */
  void (*shift_loads)(const vd_tyre_group *group, vd_slides *slides, const double *load);
  /* Computes aligning moments. NULL: they follow from the side force of slip and slides->each[i].trail. */
  void (*moments)(const vd_tyre_group *group, const vd_slides *slides, const double *load, const double *vx,
                  const double *fy, double *mz);
  /* Computes slides, forces and moments at once, with the same bits, for four tyres without bristles, camber thrust and
   * overturning patches; Mx and My are 0 for models that have none. NULL: the functions above are called instead. */
  void (*at_loads)(const vd_tyre_group *group, const vd_contact *contact, const double *ground_friction,
                   const double *load, const vd_tyre_results *out);

  /* --- quantities of one tyre, each as the function vd_tyre_... of the same name (tyre.h) --- */

  void (*stiffnesses)(const vd_tyre *tyre, double ground_friction, double load, double *slip, double *cornering);
  void (*peaks)(const vd_tyre *tyre, double ground_friction, double load, double *mu, double *kappa, double *alpha);
  /* number of loads at which the greatest stiffnesses are searched; 0: stiffnesses rise with the load */
  int stiffness_loads;
  /* Computes the greatest stiffnesses without a search, or NULL. */
  void (*stiffest)(const vd_tyre *tyre, double ground_friction, double most, double *slip, double *cornering);
  double (*grip)(const vd_tyre *tyre, double ground_friction, double load); /* NULL: from the friction of the peaks */
  /* Replaces the relaxation lengths of the tyre file. NULL: these are used, and are constant. */
  void (*relaxation)(const vd_tyre *tyre, double load, double camber, double *longitudinal, double *lateral);
  /* Replaces the lengths for all tyres of a group without camber, with the same bits, like vd_tyre_relaxations. NULL:
   * `relaxation` is called for each tyre. */
  void (*relaxations)(const vd_tyre_group *group, const double *load, double *longitudinal, double *lateral);
  /* NULL: there is no turn slip, and the next two functions are not called */
  bool (*has_turn_slip)(const vd_tyre *tyre);
  void (*twisted)(const vd_tyre *tyre, double ground_friction, double load, vd_tyre_twist *twist);
  /* Returns the spin of the wheel divided by the speed of the contact point, 1/m. */
  double (*rolling)(const vd_tyre *tyre, const vd_tyre_question *q);
  /* Computes rolling and loaded radius for the forces that the answer already contains. NULL: they are not known. */
  void (*radii)(const vd_tyre *tyre, const vd_tyre_question *q, vd_tyre_answer *a);
  /* Sets the other members of the answer. NULL: only peaks and stiffnesses are set. */
  void (*figures)(const vd_tyre *tyre, const vd_tyre_question *q, vd_tyre_answer *a);
};

/* Returns the row of a model (tyre_variants.c). */
const vd_tyre_variant *vd_tyre_variant_of(enum vd_tyre_model model);

/* Computes the moments due to the contact patch (patch_width and lateral_stiffness, patch.c) of a tyre whose model has
 * no overturning moment. The first function returns whether there are any. The second sets mx of tyre i, and its twist,
 * Mz due to the shift by the side force. */
bool vd_patch_has_moment(const vd_tyre *tyre);
void vd_patch_overturn(const vd_tyre *tyre, double load, int i, vd_slide *slide, vd_tyre_forces *out);

/* Computes the aligning moments of a model without `moments` (tyre.c). */
void vd_trail_moments(const vd_tyre_group *group, const vd_slides *slides, const double *vx, const double *fy,
                      double *mz);

/* Marks functions that most tyres do not need. They are not inlined into the functions of the step. */
#define VD_RARE __attribute__((noinline, cold))

/* Lengths of the slip vector at which the force begins to turn towards it, and at which the force has its direction. */
#define VD_TURN_START 0.5
#define VD_TURN_END   1.0

/* Returns the length of the slip vector, and sets its unit vector and the share `turn`: 0 below VD_TURN_START, 1 from
 * VD_TURN_END on, and the smooth-step quintic between, so that forces have continuous second derivatives. */
static inline double vd_slip_vector(double kappa, double tan_alpha, vd_slide *slide) {
  double s = sqrt(kappa * kappa + tan_alpha * tan_alpha);
  double inverse = s > 0.0 ? 1.0 / s : 0.0;
  slide->cx = kappa * inverse;
  slide->cy = -tan_alpha * inverse;
  slide->turn = 0.0;
  if (s > VD_TURN_START) {
    double u = vd_fast_min((s - VD_TURN_START) / (VD_TURN_END - VD_TURN_START), 1.0);
    slide->turn = u * u * u * (10.0 + u * (6.0 * u - 15.0));
  }
  return s;
}

/* Turns the force (x, y) of combined slip to the direction of the slip vector. The used share of the friction ellipse
 * with the half axes half_x and half_y stays constant; if both are equal, so does the length of the force. */
static inline void vd_turn_force(const vd_slide *slide, double x, double y, double half_x, double half_y, double *fx,
                                 double *fy) {
  if (slide->turn > 0.0) {
    double length = sqrt(x * x + y * y);
    double keep = length > 0.0 ? (1.0 - slide->turn) / length : 0.0;
    double dx = keep * x + slide->turn * slide->cx, dy = keep * y + slide->turn * slide->cy;
    double ux = x / half_x, uy = y / half_y, vx = dx / half_x, vy = dy / half_y;
    double turned = vx * vx + vy * vy;
    double scale = turned > 0.0 ? sqrt((ux * ux + uy * uy) / turned) : 0.0;
    x = dx * scale;
    y = dy * scale;
  }
  *fx = x;
  *fy = y;
}

/* Combines two pure forces, evaluated at s, along the slip vector. */
static inline void vd_combine(const vd_slide *slide, double fx0, double fy0, double half_x, double half_y, double *fx,
                              double *fy) {
  vd_turn_force(slide, fx0 * slide->cx, fy0 * slide->cy, half_x, half_y, fx, fy);
}

/* Adds the side forces of wheels that lean to the forces of slip: -C Fz camber (C: camber_stiffness), towards the side
 * to which the top leans. It acts only where the patch adheres. With f, the force of slip relative to the friction
 * ellipse of half axes limit_x and limit_y, this side force is multiplied by 1 - f^2, so that on a sliding tyre only
 * the force against the velocity remains. Without slip it is limited to half of the ellipse; as f + (1 - f^2)/2 <= 1,
 * the sum stays within the ellipse. Camber does not change the slopes at zero slip. */
void vd_add_thrusts(const vd_tyre_group *group, const vd_wide *limit_x, const vd_wide *limit_y, const double *load,
                    vd_slide *slide, vd_tyre_forces *out);

/* Returns the used share of the friction, 1 - (1 - y)^3, of a patch with parabolic pressure that slides over the share
 * y of its length. */
static inline double vd_brush_share(double y) {
  return y < 1.0 ? y * (3.0 + y * (y - 3.0)) : 1.0;
}

/* Returns the direction of a speed (m/s): 1 forwards, -1 backwards, with a smooth transition within 0.1 m/s. The
 * pneumatic trail is behind the contact point for both directions. */
static inline double vd_direction(double speed) {
  double u = 10.0 * speed;
  return u >= 1.0 ? 1.0 : u <= -1.0 ? -1.0 : 0.5 * u * (3.0 - u * u);
}

VD_INLINE vd_wide vd_wide_direction(vd_wide speed) {
  vd_wide one = vd_wide_of(1.0), u = vd_wide_clamp(10.0 * speed, -one, one);
  return 0.5 * u * (3.0 - u * u);
}

/* Sets the moments of four tyres that have a trail, but no overturning and rolling moments. */
VD_INLINE void vd_wide_trail_moments(const double *vx, vd_wide trail, vd_wide fy, const vd_tyre_results *out) {
  vd_wide none = vd_wide_of(0.0);
  vd_wide_store(none, out->mx);
  vd_wide_store(none, out->my);
  vd_wide_store(-vd_wide_direction(vd_wide_load(vx)) * trail * fy, out->mz);
}

/* Returns the speed of the tread divided by the speed of the contact point, |R omega|/|Vx| = |1 + kappa sgn(Vx)|, at
 * least 0.01 for a locked wheel. It converts slips relative to the contact point into slips relative to the tread. Near
 * standstill, where kappa is relative to a floor, the sign has a smooth transition like the direction of the trail. */
VD_INLINE vd_wide vd_wide_tread_share(vd_wide kappa, vd_wide vx) {
  return vd_wide_max(vd_wide_abs(1.0 + kappa * vd_wide_direction(vx)), vd_wide_of(0.01));
}

/* Copies numbers [n] of a group's tyres to four lanes, and back. */
VD_INLINE vd_wide vd_group_load(const vd_tyre_group *group, const double *v) {
  const int *lane = group->lane;
  return group->count == VD_WHEELS ? vd_wide_load(v) : (vd_wide){v[lane[0]], v[lane[1]], v[lane[2]], v[lane[3]]};
}

/* Copies a member of the tyres' slides to four lanes. */
#define VD_GROUP_SLIDES(group, slide, member)                                                                          \
  ((vd_wide){(slide)[(group)->lane[0]].member, (slide)[(group)->lane[1]].member, (slide)[(group)->lane[2]].member,     \
             (slide)[(group)->lane[3]].member})

VD_INLINE void vd_group_store(const vd_tyre_group *group, vd_wide v, double *out) {
  if (group->count == VD_WHEELS) {
    vd_wide_store(v, out);
    return;
  }
  for (int k = 0; k < group->count; k++)
    out[group->wheel[k]] = v[group->wheel[k]];
}

#endif
