/* The model as a linear system about a state, and its frequency responses.
 *
 *   x' = A x + B u,   y = C x + D u        as departures from that state
 *
 * States. All that the rates depend on: place, attitude, velocities, spins, treads, motor, steering; controllers of
 * speed, acceleration and brake pressure, which stay in the loop. Distance, place along a path and works are none. At
 * L5 the attitude has three states in place of the quaternion: turns about the axes of a frame that points up and along
 * the body's heading; for a level body they are roll, pitch and yaw. A driver is none: he decides at instants, so that
 * the steering wheel is an input. Modes of couplings and brakes stay as they are. What a level solves within an
 * evaluation (loads at L1 and L2, linkages, bushings without loss) follows at once.
 *
 * Inputs. The angle of the steering wheel, or its torque; those of the longitudinal family in force; where the model
 * has them (vd_model_options.pushed) wind, forces from outside and drawbar; at L3 and L4 the heights of the road under
 * the wheels. Where the model sees the rate of an input by itself, of the steering wheel or of the road, that is an
 * input of its own: at a frequency w it is j w times the other.
 *
 * Derivatives are central differences of fourth order, over steps of 1e-3 of the states' scales, of 1e-5 for treads,
 * whose law bends as w |w|; at the end of an input's range one-sided ones of second order. Where a law has a kink (a
 * damper whose sides differ, at rest) they are the mean of both sides. */
#ifndef VD_LINEARISE_H
#define VD_LINEARISE_H

#include "sim/channel.h"
#include "sim/inputs.h"

enum { VD_LINEAR_STATES = 80, VD_LINEAR_INPUTS = 24, VD_LINEAR_OUTPUTS = VD_CHANNELS };

typedef struct vd_linear_input {
  char name[40];    /* "wind_y_mps" */
  const char *unit; /* "m/s" */
  size_t offset;    /* offset of the number in vd_command; steer: for the steering wheel */
  double step;      /* step of differences, in its unit */
  double lowest, highest;
  int rate_of; /* column of the input whose rate it is; -1: none */
} vd_linear_input;

typedef struct vd_linear {
  int count;                   /* number of states */
  int state[VD_LINEAR_STATES]; /* which ones, enum vd_state; L5: VD_S_ROLL to VD_S_YAW are the turns above */
  int inputs;
  vd_linear_input input[VD_LINEAR_INPUTS];
  int outputs;
  const vd_channel *output[VD_LINEAR_OUTPUTS];
  double rate[VD_LINEAR_STATES]; /* rates of the states where the system is taken, 0 in a steady state */
  double now[VD_LINEAR_STATES];  /* the states there; 0 for turns */
  double a[VD_LINEAR_STATES][VD_LINEAR_STATES], b[VD_LINEAR_STATES][VD_LINEAR_INPUTS];
  double c[VD_LINEAR_OUTPUTS][VD_LINEAR_STATES], d[VD_LINEAR_OUTPUTS][VD_LINEAR_INPUTS];
  /* greatest difference between derivatives over steps and over twice the steps, of the greatest entry of their column;
   * entries by the states' scales, columns without kinks alone */
  double error;
  bool kink[VD_LINEAR_STATES]; /* the rates have a kink over this state, here or within some steps */
  bool input_kink[VD_LINEAR_INPUTS];
} vd_linear;

/* Linearises from L1 on, not on stiff links. On posts the body's motions in the plane are no states. outputs:
 * channels, at most VD_LINEAR_OUTPUTS. False if a value is not finite. */
bool vd_linearise(const vd_model *m, const vd_command *c, const vd_state_vector *s, const vd_channel *const *output,
                  int outputs, vd_linear *l);

/* Leaves out states on which no rate depends, beyond the error of the derivatives: place and heading on an even road,
 * what this car does not have. It also leaves out outputs that depend on such states, which the others do not
 * determine, and those that depend on nothing; and inputs without effect. Sets `left` of states that were left out
 * although the rest moves them. */
void vd_linear_reduce(vd_linear *l, bool *left);

/* The column of an input; -1: there is none. */
int vd_linear_input_called(const vd_linear *l, const char *name);

/* Name of a state as a column: "vy_mps". */
void vd_linear_state_name(int state, char *name, size_t size);

/* Responses of the outputs, real and imaginary part, to inputs that move by Re(amplitude exp(j w t)): one number for
 * each input that is no rate, which follow from these; frequency in Hz. False if the system is undamped and in
 * resonance there. */
bool vd_linear_response(const vd_linear *l, const double *amplitude, double frequency, double (*response)[2]);

#endif
