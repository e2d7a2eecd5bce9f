/* Shared by the tyre models' own files. */
#ifndef VD_TYRE_IMPL_H
#define VD_TYRE_IMPL_H

#include "tyre/tyre_def.h"

#include "input/schema.h"

#include <math.h>

/* One model: its keys, traits and functions. One that may be NULL says what then holds. */
struct vd_tyre_variant {
  vd_schema rows; /* its keys, in the order in which they are written; only `field` and `count` are read */
  vd_tyre_traits traits;

  /* Reads a property file and computes what is auto. like: a completed tyre of the same model, or NULL.
   * NULL: nothing to do. */
  void (*complete)(vd_tyre_def *def, const vd_tyre_def *like, const vd_tyre_origin *from);
  void (*check)(const vd_tyre_def *def, const vd_node *root, const char *path, vd_diag *d); /* NULL: all is valid */
  bool (*write_tir)(const vd_tyre_def *def, vd_buf *out); /* as vd_tyre_write_tir; NULL: no property files */
  /* Returns coefficients of its property file, by their names there, for a caller who changes them: makes them the
   * definition's own, and takes them over after a change. NULL: its figures are keys. */
  vd_mf_def *(*own_coefficients)(vd_tyre_def *def, vd_arena *arena);
  void (*take_coefficients)(vd_tyre_def *def, vd_arena *arena);

  /* Fills the model's part of a zeroed tyre. NULL: def->as is what forces are computed with. */
  void (*build)(const vd_tyre_def *def, bool right, vd_tyre *tyre);
  void (*inflate)(vd_tyre *tyre, double pressure); /* as vd_tyre_inflate; NULL: the pressure has no effect */

  /* --- tyres of a group --- */

  void (*pack)(vd_tyre_group *group); /* fills group->lanes; NULL: it has none */
  void (*slide)(const vd_tyre_group *group, const vd_contact *contact, vd_slides *slides);
  void (*force)(const vd_tyre_group *group, vd_slides *slides, const double *ground_friction, const double *load,
                vd_tyre_forces *out);
  /* Corrects moments that depend on the forces, after bristles have changed these. NULL: no such moments. */
  void (*follow)(const vd_tyre_group *group, vd_slides *slides, vd_tyre_forces *out);
  /* Moves the last pass to nearby loads, as vd_tyre_shift_loads. NULL: `moments` uses only its slides. */
  void (*move)(const vd_tyre_group *group, vd_slides *slides, const double *load);
  /* Computes aligning moments. NULL: the side force of slip times slides->each[i].trail. */
  void (*moments)(const vd_tyre_group *group, const vd_slides *slides, const double *load, const double *vx,
                  const double *fy, double *mz);
  /* For four tyres without bristles, camber thrust and overturning patches: slides, forces and Mz at once, with the
   * same bits; Mx and My are 0. NULL: they need the passes. */
  void (*at_loads)(const vd_tyre_group *group, const vd_contact *contact, const double *ground_friction,
                   const double *load, const vd_tyre_results *out);

  /* --- figures of one tyre, each as the function vd_tyre_... of its name (tyre.h) --- */

  void (*stiffnesses)(const vd_tyre *tyre, double ground_friction, double load, double *slip, double *cornering);
  void (*peaks)(const vd_tyre *tyre, double ground_friction, double load, double *mu, double *kappa, double *alpha);
  int stiffness_loads; /* the greatest stiffnesses are searched at so many loads; 0: they rise with the load */
  /* Knows them without a search, or NULL. */
  void (*stiffest)(const vd_tyre *tyre, double ground_friction, double most, double *slip, double *cornering);
  double (*grip)(const vd_tyre *tyre, double ground_friction, double load); /* NULL: the friction of the peaks */
  /* Replaces the lengths of the tyre file. NULL: they are constant. */
  void (*relaxation)(const vd_tyre *tyre, double load, double camber, double *longitudinal, double *lateral);
  bool (*has_turn_slip)(const vd_tyre *tyre); /* NULL: no turn slip, and the two below are not called */
  void (*twisted)(const vd_tyre *tyre, double ground_friction, double load, vd_tyre_twist *twist);
  double (*rolling)(const vd_tyre *tyre, const vd_tyre_question *q); /* 1/m, spin over the speed of the contact point */
  /* Rolling and loaded radius, under the forces that the answer holds already. NULL: not known. */
  void (*radii)(const vd_tyre *tyre, const vd_tyre_question *q, vd_tyre_answer *a);
  /* Sets the other members of the answer that belong to one state of motion. NULL: peaks and stiffnesses alone. */
  void (*figures)(const vd_tyre *tyre, const vd_tyre_question *q, vd_tyre_answer *a);
};

/* The row of a model (tyre_variants.c). */
const vd_tyre_variant *vd_tyre_variant_of(enum vd_tyre_model model);

/* The contact patch of a tyre without an overturning moment of its own, patch_width and lateral_stiffness (patch.c):
 * whether it has one, and mx and the twist of place i by the side force there. */
bool vd_patch_has_moment(const vd_tyre *tyre);
void vd_patch_overturn(const vd_tyre *tyre, double load, int i, vd_slide *slide, vd_tyre_forces *out);

/* Aligning moments of a model without `moments` (tyre.c). */
void vd_trail_moments(const vd_tyre_group *group, const vd_slides *slides, const double *vx, const double *fy,
                      double *mz);

/* Marks functions that most tyres do not need: they stay out of the functions of the step. */
#define VD_RARE __attribute__((noinline, cold))

/* Slips at which the force begins to turn towards the slip vector and has its direction. */
#define VD_TURN_START 0.5
#define VD_TURN_END   1.0

/* Length of the slip vector, its unit vector and the share of the turn: 0 below VD_TURN_START, 1 from VD_TURN_END,
 * the smoothest quintic between, so that forces have continuous second derivatives. */
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

/* Force of combined slip whose direction turns into that of the slip vector. Meanwhile the used share of the friction
 * ellipse with the half axes half_x and half_y stays constant; if they are equal, so does the length. */
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

/* Lays two pure forces at s along the slip vector. */
static inline void vd_combine(const vd_slide *slide, double fx0, double fy0, double half_x, double half_y, double *fx,
                              double *fy) {
  vd_turn_force(slide, fx0 * slide->cx, fy0 * slide->cy, half_x, half_y, fx, fy);
}

/* Adds the side forces of wheels that lean to the forces of slip: -C Fz camber (C: camber_stiffness), towards the side
 * to which its top leans. It acts where the patch adheres, and slip uses up friction. With f the force of slip
 * relative to the friction ellipse, half axes limit_x and limit_y, the share 1 - f^2 is left of it, so that a sliding
 * tyre is pushed against its velocity alone. The full force is at most half the ellipse: f + (1 - f^2)/2 <= 1, so that
 * the sum stays within it. The slopes at zero slip are those without camber. */
void vd_add_thrusts(const vd_tyre_group *group, const vd_wide *limit_x, const vd_wide *limit_y, const double *load,
                    vd_slide *slide, vd_tyre_forces *out);

/* The part 1 - (1 - y)^3 of its friction that a patch with a parabolic pressure has used where it slides over the part
 * y of its length. */
static inline double vd_brush_share(double y) {
  return y < 1.0 ? y * (3.0 + y * (y - 3.0)) : 1.0;
}

/* Direction of a speed (m/s): 1 forwards, -1 backwards, smooth between them within 0.1 m/s. The pneumatic trail lies
 * behind the contact point, whichever way it moves. */
static inline double vd_direction(double speed) {
  double u = 10.0 * speed;
  return u >= 1.0 ? 1.0 : u <= -1.0 ? -1.0 : 0.5 * u * (3.0 - u * u);
}

VD_INLINE vd_wide vd_wide_direction(vd_wide speed) {
  vd_wide one = vd_wide_of(1.0), u = vd_wide_clamp(10.0 * speed, -one, one);
  return 0.5 * u * (3.0 - u * u);
}

/* Stores the moments of four tyres that have a trail, and no overturning or rolling moments. */
VD_INLINE void vd_wide_trail_moments(const double *vx, vd_wide trail, vd_wide fy, const vd_tyre_results *out) {
  vd_wide none = vd_wide_of(0.0);
  vd_wide_store(none, out->mx);
  vd_wide_store(none, out->my);
  vd_wide_store(-vd_wide_direction(vd_wide_load(vx)) * trail * fy, out->mz);
}

/* Speed of the tread over that of the contact point, |R w|/|Vx| = |1 + kappa sgn(Vx)|, by which slips relative to the
 * tread differ from those relative to the contact point; at least 0.01, for a locked wheel. Towards standstill, where
 * kappa is relative to a floor, the sign fades as the direction of the trail does. */
VD_INLINE vd_wide vd_wide_tread_share(vd_wide kappa, vd_wide vx) {
  return vd_wide_max(vd_wide_abs(1.0 + kappa * vd_wide_direction(vx)), vd_wide_of(0.01));
}

/* Copy numbers [n] of a group's tyres to four lanes, and back. */
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
