/* Eigenvalues of a linear system, and the motions of the car that participate in them. */
#ifndef VD_MODES_H
#define VD_MODES_H

#include "sim/linearise.h"

/* Motions, each with its states: coordinate and velocity if it has both. */
enum vd_motion {
  VD_MOTION_LONGITUDINAL,
  VD_MOTION_SIDE_SLIP,
  VD_MOTION_YAW,
  VD_MOTION_HEAVE,
  VD_MOTION_ROLL,
  VD_MOTION_PITCH,
  VD_MOTION_FRONT_HOP, /* both wheels of the axle in phase, in space */
  VD_MOTION_FRONT_TRAMP,
  VD_MOTION_REAR_HOP,
  VD_MOTION_REAR_TRAMP,
  VD_MOTION_SPIN,     /* spins of the wheels, and of motor or engine */
  VD_MOTION_TREAD,    /* transient slip */
  VD_MOTION_STEERING, /* lag, column, rear steering */
  VD_MOTION_BUSHINGS,
  VD_MOTION_CONTROL, /* controllers of speed, acceleration and brake pressure */
  VD_MOTIONS,
};
extern const char *const vd_motion_names[VD_MOTIONS];

/* An eigenvalue s, or a pair s, s*, which is one entry.
 *
 * Shares are participation factors (Perez-Arriaga, Verghese, Schweppe, IEEE Trans. PAS-101 (1982) 3117). State k has
 * the factor w_k v_k, with right and left eigenvectors v and w, w v = 1. The share of a motion is the magnitude of the
 * sum of its states' factors, divided by the total over all motions. Shares do not depend on units. Wheels are
 * represented by their heights in space. If the eigenvectors are linearly dependent, the factor of state k is |v_k|^2
 * instead, with v in the states' scales. */
typedef struct vd_eigen {
  double real, imaginary;   /* 1/s; imaginary >= 0 */
  double frequency;         /* Hz, |s|/2 pi */
  double damping;           /* -Re s/|s|; 0 for s = 0 */
  double share[VD_MOTIONS]; /* sum 1 */
} vd_eigen;

/* Finds the eigenvalues in ascending order of |s|. Returns their number, or -1 if they could not be found. */
int vd_linear_eigen(const vd_linear *l, const vd_model *m, vd_eigen *eigen);

/* Returns the motion with the greatest share. */
enum vd_motion vd_eigen_motion(const vd_eigen *e);

enum vd_ride_mode {
  VD_RIDE_HEAVE,
  VD_RIDE_PITCH,
  VD_RIDE_ROLL,
  VD_RIDE_FRONT_HOP,   /* both wheels of the axle in phase */
  VD_RIDE_FRONT_TRAMP, /* both wheels of the axle in opposite phase */
  VD_RIDE_REAR_HOP,
  VD_RIDE_REAR_TRAMP,
  VD_RIDE_MODES,
};

/* One mode: a pair of eigenvalues s = -z w +- j w sqrt(1 - z^2). */
typedef struct vd_mode_shape {
  double frequency; /* Hz, w/2 pi; NAN: no pair has this shape, for example because the motion is overdamped */
  double damping;   /* z */
  double share;     /* share of the mode's kinetic energy in the motion after which it is named; yaw: participation */
} vd_mode_shape;

typedef struct vd_modes {
  vd_mode_shape mode[VD_RIDE_MODES]; /* from L3 on */
  /* the pair in which side slip and yaw have their greatest share; the share must be at least half */
  vd_mode_shape yaw;
  double growth; /* 1/s, greatest real part of all eigenvalues; > 0: the motion is unstable */
  /* a single wheel, as in common estimates: sqrt(k_t/m_u)/2 pi (Hz), c/(2 sqrt(k_s m_u)) */
  double tyre_only_frequency[VD_AXLES], spring_only_damping[VD_AXLES];
} vd_modes;

/* Finds the modes of the car in a state. False if values are not finite, no eigenvalues could be found, or the level
 * has none: L0, stiff links. */
bool vd_modes_at(const vd_model *m, const vd_command *c, const vd_state_vector *s, vd_modes *modes);

#endif
