/* The model as a linear system about a state, its frequency responses, and its modes of ride.
 *
 *   x' = A x + B u + E u',   y = C x + D u + F u'        u: heights of the posts under the wheels (or of the road
 *   there)
 *
 * all as departures from that state. A post is prescribed with its height, so that u' comes with u: at a frequency w
 * the input is B + j w E. Derivatives are central differences of fourth order; where a law has a kink (a damper whose
 * sides differ, at rest) they are the mean of both sides. Modes of couplings and brakes stay as they are. */
#ifndef VD_LINEARISE_H
#define VD_LINEARISE_H

#include "sim/channel.h"

enum { VD_LINEAR_STATES = 60, VD_LINEAR_OUTPUTS = 32 };

typedef struct vd_linear {
  int count;                   /* number of states */
  int state[VD_LINEAR_STATES]; /* which ones, enum vd_state */
  double a[VD_LINEAR_STATES][VD_LINEAR_STATES];
  double b[VD_LINEAR_STATES][VD_WHEELS], e[VD_LINEAR_STATES][VD_WHEELS];
  int outputs;
  double c[VD_LINEAR_OUTPUTS][VD_LINEAR_STATES];
  double d[VD_LINEAR_OUTPUTS][VD_WHEELS], f[VD_LINEAR_OUTPUTS][VD_WHEELS];
} vd_linear;

/* Linearises level L3. Held on posts: the fourteen numbers of heave, roll, pitch and the four travels; free: also
 * place, yaw, their rates, spins, motor, and the treads' deflections. outputs: channels, at most VD_LINEAR_OUTPUTS.
 * False if a value is not finite. */
bool vd_linearise(const vd_model *m, const vd_command *c, const vd_state_vector *s, const vd_channel *const *output,
                  int outputs, vd_linear *l);

/* Responses of the outputs, real and imaginary part, to posts that move by Re(post exp(j w t)), post in m, frequency in
 * Hz. False if the system is undamped and in resonance there. */
bool vd_linear_response(const vd_linear *l, const double *post, double frequency, double (*response)[2]);

enum vd_ride_mode {
  VD_RIDE_HEAVE,
  VD_RIDE_PITCH,
  VD_RIDE_ROLL,
  VD_RIDE_FRONT_HOP,   /* both wheels of the axle in phase */
  VD_RIDE_FRONT_TRAMP, /* in opposite phase */
  VD_RIDE_REAR_HOP,
  VD_RIDE_REAR_TRAMP,
  VD_RIDE_MODES,
};

/* One mode: a pair of eigenvalues s = -z w +- j w sqrt(1 - z^2). */
typedef struct vd_mode_shape {
  double frequency; /* Hz, w/2 pi; NAN: no pair has this shape, for instance if it is overdamped */
  double damping;   /* z */
  double share;     /* of the mode's kinetic energy in the motion that names it */
} vd_mode_shape;

typedef struct vd_modes {
  vd_mode_shape mode[VD_RIDE_MODES];
  /* of the wheel alone, as it is often estimated: sqrt(k_t/m_u)/2 pi (Hz), c/(2 sqrt(k_s m_u)) */
  double tyre_only_frequency[VD_AXLES], spring_only_damping[VD_AXLES];
} vd_modes;

/* False if the eigenvalues could not be found. */
bool vd_linear_modes(const vd_linear *l, const vd_model *m, vd_modes *modes);

#endif
