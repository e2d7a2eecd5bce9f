/* The understeer budget: the contributions to the slip angles of the axles in a steady turn.
 *
 * With the mean road wheel angle d that the steering wheel commands and the direction of motion p of the middle of an
 * axle, both to the left, the angle of an axle is S = d - p in front and S = -p at the rear: d - L/R = S_f - S_r. S
 * per lateral acceleration is Bundorf's cornering compliance (SAE 760713): it is not the slip of the tyres alone, but
 * also contains every angle by which the wheels turn relative to the steering wheel and to the body.
 *
 * In a state of a run, S is the solution of sum of Fy(S + o_i, load_i, camber_i, kappa_i) = F, over both wheels of the
 * axle, with the tyres' own steady forces Fy, the angles o_i of the wheels relative to S, and the force F of the
 * balances of force and moment. A cause is a contribution to o, load, camber, kappa and F. Without any cause upright
 * wheels carry equal loads and the share of m ay that follows from the centre of gravity; S is then the part of the
 * tyres. The part of another cause is the mean of two changes of S: when the cause is added to the bare axle, and when
 * it is removed from the axle with all causes. Effects of two causes together are thus divided equally between them,
 * and the parts add up to S except for effects of three or more causes. */
#ifndef VD_UNDERSTEER_H
#define VD_UNDERSTEER_H

#include "model/model.h"

/* Cause, key, name in pictures, words. */
/* clang-format off */
#define VD_UNDERSTEER_LIST(Q)                                                                                          \
  Q(TYRES, "tyres", "tyres and weight",                                                                                \
    "cornering stiffness of the tyres and distribution of the weight")                                                 \
  Q(TRANSFER, "load_transfer", "lateral load transfer",                                                                \
    "lateral load transfer: 0 at small ay, by the curvature of the stiffness over the load")                \
  Q(ROLL_STEER, "roll_steer", "roll steer", "steer of the wheels by their travels in roll")                            \
  Q(CAMBER, "roll_camber", "roll camber", "camber of the wheels relative to the road by roll")                         \
  Q(FORCE, "side_force_compliance", "compliance, side force",                                                          \
    "steer and camber of the wheels on their bushings by side forces")                                                 \
  Q(MOMENT, "aligning_compliance", "compliance, aligning",                                                             \
    "steer and camber of the wheels on their bushings by aligning moments")                                            \
  Q(RIGID, "aligning_moment", "aligning moment, rigid",                                                                \
    "aligning moments on the car as a rigid body, which side forces balance")                                          \
  Q(STEERING, "steering_system", "steering system", "steering column and lag in front, steering of the rear wheels")   \
  Q(AIR, "air", "air", "change of the axle loads by the air")                                                          \
  Q(DRIVE, "drive", "drive forces",                                                                                    \
    "longitudinal forces: their direction and moments, slip ratios, bushings and axle loads")                          \
  Q(SETTINGS, "wheel_settings", "toe, camber, Ackermann",                                                              \
    "toe, camber and Ackermann geometry in the design position")                                                       \
  Q(OTHER, "other_forces", "other forces",                                                                             \
    "other side forces: the rate of the yaw rate in a nearly steady run, cosines of steering angles, wind")
/* clang-format on */

enum vd_understeer_cause {
#define VD_ENUM(id, key, name, words) VD_UNDERSTEER_##id,
  VD_UNDERSTEER_LIST(VD_ENUM)
#undef VD_ENUM
      VD_UNDERSTEER_CAUSES
};

/* The parts of the axles' angles, rad, to the left; NAN: there is no steady state with this part alone. */
typedef struct vd_understeer {
  double part[VD_UNDERSTEER_CAUSES][VD_AXLES];
} vd_understeer;

/* Computes the parts for a nearly steady state whose evaluation is complete (vd_model_observe); from L2 on. */
void vd_understeer_at(const vd_model *m, const vd_command *c, const vd_state_vector *s, const vd_eval *e,
                      vd_understeer *out);

#endif
