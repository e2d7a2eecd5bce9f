/* The model as a linear system about a state, and its frequency responses.
 *
 *   x' = A x + B u,   y = C x + D u        x, u, y: deviations from that state
 *
 * States. All quantities on which the rates depend: place, attitude, velocities, spins, treads, motor, steering;
 * controllers of speed, acceleration and brake pressure, which remain in the loop. Distance, place along a path and
 * works are not included. At L5 three states replace the quaternion: turns about the axes of a frame that points up and
 * along the body's heading; for a level body they are roll, pitch and yaw. A driver is not included, since he decides
 * at instants: the steering wheel is an input. Modes of couplings and brakes are constant. Quantities that a level
 * solves within an evaluation (loads at L1 and L2, linkages, bushings without loss) follow without delay.
 *
 * Inputs. The steering wheel angle or torque; the active longitudinal family; if the model has them
 * (vd_model_options.pushed) wind, forces from outside and drawbar pull; at L3 and L4 the heights of the road under the
 * wheels. If the model depends on the rate of an input separately (steering wheel, road), the rate is an input of its
 * own: at a frequency w it is j w times the input itself.
 *
 * Derivatives are central differences of fourth order over steps of 1e-3 of the states' scales, or of 1e-5 for treads,
 * whose law contains w |w|; at the end of an input's range they are one-sided differences of second order. At a kink (a
 * damper with different slopes on both sides, at rest) they are the mean of both sides. */
#ifndef VD_LINEARISE_H
#define VD_LINEARISE_H

#include "sim/channel.h"
#include "sim/inputs.h"

enum { VD_LINEAR_STATES = 80, VD_LINEAR_INPUTS = 24, VD_LINEAR_OUTPUTS = VD_CHANNELS };

typedef struct vd_linear_input {
  char name[40];    /* "wind_y_mps" */
  const char *unit; /* "m/s" */
  size_t offset;    /* offset of the member of vd_command; for the steering wheel the offset of steer */
  double step;      /* step of differences, in its unit */
  double lowest, highest;
  int rate_of; /* column of the input whose rate this is; -1: not a rate */
} vd_linear_input;

typedef struct vd_linear {
  int count;                   /* number of states */
  int state[VD_LINEAR_STATES]; /* enum vd_state of each; L5: VD_S_ROLL to VD_S_YAW are the turns above */
  int inputs;
  vd_linear_input input[VD_LINEAR_INPUTS];
  int outputs;
  const vd_channel *output[VD_LINEAR_OUTPUTS];
  double rate[VD_LINEAR_STATES]; /* rates of the states at the point of linearisation, 0 in a steady state */
  double now[VD_LINEAR_STATES];  /* values of the states at this point; 0 for turns */
  double a[VD_LINEAR_STATES][VD_LINEAR_STATES], b[VD_LINEAR_STATES][VD_LINEAR_INPUTS];
  double c[VD_LINEAR_OUTPUTS][VD_LINEAR_STATES], d[VD_LINEAR_OUTPUTS][VD_LINEAR_INPUTS];
  /* greatest difference between derivatives over steps and over twice the steps, relative to the greatest entry of
   * their column; entries are divided by the states' scales, and columns with kinks are left out */
  double error;
  /* the rates have a kink over this state, at the point of linearisation or within the steps of the differences */
  bool kink[VD_LINEAR_STATES];
  bool input_kink[VD_LINEAR_INPUTS];
} vd_linear;

/* Linearises the model, from L1 on, but not with stiff links. On posts the body's horizontal motions are not states.
 * outputs: channels, at most VD_LINEAR_OUTPUTS. False if a value is not finite. */
bool vd_linearise(const vd_model *m, const vd_command *c, const vd_state_vector *s, const vd_channel *const *output,
                  int outputs, vd_linear *l);

/* Removes states on which no rate depends beyond the error of the derivatives: place and heading on an even road, parts
 * that this car does not have. It also removes outputs that depend on such states, because the remaining states do not
 * determine these outputs; outputs that depend on no state and no input; and inputs without effect. Sets `left' for
 * removed states that the remaining states change. */
void vd_linear_reduce(vd_linear *l, bool *left);

/* Returns the column of an input; -1: there is no such input. */
int vd_linear_input_called(const vd_linear *l, const char *name);

/* Writes the name of a state as a column: "vy_mps". */
void vd_linear_state_name(int state, char *name, size_t size);

/* Computes the responses of the outputs, real and imaginary part, to inputs Re(amplitude exp(j w t)), one amplitude for
 * each input that is not a rate; the amplitudes of rates follow from these. frequency: Hz. False if the system is
 * undamped and in resonance there. */
bool vd_linear_response(const vd_linear *l, const double *amplitude, double frequency, double (*response)[2]);

#endif
