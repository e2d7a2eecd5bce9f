/* Stability control: brakes single wheels so that the car turns as its driver steers, as far as friction allows.
 *
 * Reference. The mean road wheel angle d commands the lateral acceleration ay of the steady turn of this car, which
 * solves d = L ay/v^2 + understeer(ay) with the understeer curve of ISO 4138 (vd_steady_turns). On friction lower by
 * the factor f, the forces, ay and the understeer angle are f times as great, and ay is at most f times the limit. The
 * reference of the yaw rate follows ay/v with the time constant of the single track (Mitschke, Dynamik der
 * Kraftfahrzeuge; Tz = m a v/(L Cr) is the lead of its yaw rate):
 *
 *   2 D/w0 - Tz,   w0^2 = Cf Cr L^2/(m Iz v^2) + (b Cr - a Cf)/Iz,
 *   2 D w0 = (Cf + Cr)/(m v) + (a^2 Cf + b^2 Cr)/(Iz v)
 *
 * with the damping ratio D, the yaw inertia Iz, the axles' cornering stiffnesses Cf and Cr, and their distances a and b
 * from the centre of gravity.
 *
 * Estimates. v is the integral of ax, corrected towards the speed of a rim, converted to the middle plane of the car.
 * While |ay| is below its reference, f falls towards the friction that the car uses; otherwise f returns to 1. The side
 * slip beta is the integral of ay/v - r, corrected towards the side slip of the linear single track, so that constant
 * errors of the sensors have a bounded effect. The slip angle of the rear axle is b r/v - beta.
 *
 * Moment. Yaw acceleration = gain (reference minus yaw rate, beyond the tolerance) - slip_gain (slip angle of the rear
 * axle beyond its limit). A moment against the turn (oversteer) brakes the outer front wheel. A moment into the turn
 * (understeer, beyond twice the tolerance) brakes the inner rear wheel. While the driver brakes, the pressure of the
 * other wheel of the axle is reduced by the same amount. The slip of the braked wheel is limited here, and the
 * anti-lock controller does not act on this wheel: from the speeds of the wheels alone it cannot distinguish a car that
 * slides sideways from a car that brakes. */
#include "base/base.h"
#include "base/elementary.h"
#include "control/built_in.h"

#include <math.h>

/* The state consists of numbers only, so that it can be saved as bytes. */
typedef struct state {
  double decisions;        /* 0 or 1: whether a decision was made */
  double v, beta;          /* m/s, rad */
  double friction;         /* -, estimated factor */
  double yaw_rate;         /* rad/s, reference */
  double closed;           /* -, share by which the controller closes the throttle */
  double share[VD_WHEELS]; /* -, share of its pressure that a wheel keeps in spite of its slip */
} state;

static const double speed_leads = 0.1, slip_leads = 1.0; /* s, time constants of the corrections */
static const double falls = 0.2, returns = 4.0;          /* s, time constants of the estimated friction */
static const double lowest_friction = 0.05;
static const double follow_margin = 1.0; /* m/s2; if |ay| is farther below its reference, the friction is low */
static const double share = 0.1;         /* -, additional tolerance per yaw rate of the reference */
static const double least_share = 0.1;   /* -, least share of a pressure that remains */
static const double opens = 2.0;         /* s, in which a closed throttle opens again */
static const double releases = 0.03, regains = 0.15; /* s, in which a full pressure is released, and returns */

/* clang-format off */
#define ONLY .only = VD_WHEN(VD_CONTROLLER_ESC)
static const vd_field rows[] = {
  {VD_F_NUMBER(vd_controller_def, as.esc.limit, "limit", "m/s2", 0, 100, VD_ABOVE | VD_AUTO, "auto",
      "greatest lateral acceleration of the reference, on friction 1; auto: greatest lateral acceleration of the "
      "car's steady turns"), ONLY,
   .example = "8 m/s2"},
  {VD_F_NUMBER(vd_controller_def, as.esc.rear_slip, "rear_slip", "rad", 0, 1, VD_ABOVE | VD_AUTO, "auto",
      "slip angle of the rear axle beyond which the controller acts against it; auto: 1 deg more than at the car's "
      "steady limit"), ONLY,
   .example = "6 deg"},
  {VD_F_NUMBER(vd_controller_def, as.esc.tolerance, "tolerance", "rad/s", 0, 1, 0, "3 deg/s",
      "deviation of the yaw rate within which the controller does not act, plus a tenth of the reference; twice as "
      "much in understeer; the default is an estimate"),
   ONLY},
  {VD_F_NUMBER(vd_controller_def, as.esc.gain, "gain", "1/s", 0, 1e3, 0, "10 1/s",
      "yaw acceleration per deviation of the yaw rate; the default is an estimate"), ONLY},
  {VD_F_NUMBER(vd_controller_def, as.esc.slip_gain, "slip_gain", "1/s2", 0, 1e4, 0, "50 1/s2",
      "yaw acceleration per slip angle of the rear axle beyond rear_slip; the default is an estimate"), ONLY},
  {VD_F_NUMBER(vd_controller_def, as.esc.slip, "slip", "1", 0, 1, VD_ABOVE, "0.3",
      "beyond this slip the pressure of a wheel that the controller brakes is reduced; the default is an estimate"),
   ONLY},
  {VD_F_NUMBER(vd_controller_def, as.esc.minimum_speed, "minimum_speed", "m/s", 0, 20, VD_ABOVE, "5 m/s",
      "estimated speed of the car below which the controller does not act"), ONLY},
  {VD_F_FLAG(vd_controller_def, as.esc.motor, "motor", "true",
      "the controller may close the throttle while it acts"), ONLY},
};
/* clang-format on */

enum sensor { OMEGA, WHEEL = OMEGA + VD_WHEELS, YAW_RATE, AX, AY, BRAKE, THROTTLE };
static const char *const sensors[] = {VD_OF_WHEELS("omega_", "_radps"),
                                      "steering_wheel_rad",
                                      "yaw_rate_radps",
                                      "specific_force_x_mps2",
                                      "specific_force_y_mps2",
                                      "brake",
                                      "throttle",
                                      NULL};
enum { MOTOR = VD_WHEELS, REQUESTS };
static const char *const requests[] = {VD_OF_WHEELS("pressure_request_", ""), "throttle_request", NULL};

static void begin(const vd_controller_def *def, const vd_controller_car *car, void *memory, double *request) {
  state *s = memory;
  (void)def, (void)car, (void)request;
  *s = (state){.friction = 1.0};
  for (int i = 0; i < VD_WHEELS; i++)
    s->share[i] = 1.0;
}

/* Returns the side slip angle of the linear single track in a steady turn, rad. */
static double linear_slip(const vd_controller_car *car, double v, double r, double ay) {
  const double base = car->to_axle[VD_FRONT] + car->to_axle[VD_REAR];
  return car->to_axle[VD_REAR] * r / v - car->mass * ay * car->to_axle[VD_FRONT] / (base * car->cornering[VD_REAR]);
}

/* Returns the forward speed v of the car that follows from the rim speed u of a rolling wheel at x, y, by u = (v - y r)
 * cos d + (v beta + x r) sin d. */
static double speed_by_rim(const state *s, const vd_controller_car *car, const double *sensed, int i) {
  const double angle = vd_is_front(i) ? car->road_angle(car->steering, sensed[WHEEL]) : 0.0;
  const double r = sensed[YAW_RATE], aside = s->v * s->beta + car->to_axle[VD_FRONT] * r;
  return (car->radius[i] * sensed[OMEGA + i] - aside * vd_sin(angle)) / vd_cos(angle) +
         vd_side_sign(i) * car->half_track[vd_axle_of(i)] * r;
}

/* Integrates v and beta, and corrects both; v is corrected towards the speed of a rim. While the driver brakes, this is
 * the fastest rim. Under power it is the second slowest rim, because driven wheels may spin and one wheel may be
 * braked. Otherwise it is the mean of the second and third fastest rim. */
static void estimate_motion(state *s, const vd_controller_car *car, const double *sensed, double T) {
  double ahead[VD_WHEELS];
  for (int i = 0; i < VD_WHEELS; i++) {
    const double own = speed_by_rim(s, car, sensed, i);
    int k = i;
    for (; k > 0 && ahead[k - 1] > own; k--)
      ahead[k] = ahead[k - 1];
    ahead[k] = own;
  }
  const double led = sensed[BRAKE] > 0.0      ? ahead[VD_WHEELS - 1]
                     : sensed[THROTTLE] > 0.0 ? ahead[1]
                                              : 0.5 * (ahead[1] + ahead[2]);
  const double r = sensed[YAW_RATE], ay = sensed[AY];
  if (s->decisions == 0.0) {
    s->v = led;
    s->beta = led > 1.0 ? linear_slip(car, led, r, ay) : 0.0;
    return;
  }
  s->v += T * (sensed[AX] + r * s->beta * s->v);
  s->v += T / speed_leads * (led - s->v);
  if (s->v > 1.0)
    s->beta += T * (ay / s->v - r + (linear_slip(car, s->v, r, ay) - s->beta) / slip_leads);
}

/* Returns the lateral acceleration, m/s2, of the steady turn at a mean road wheel angle on the friction f; at most f
 * times `most'. */
static double steady_turn(const vd_controller_car *car, double v, double f, double most, double angle) {
  const vd_steady_turns *t = &car->turns;
  const double base = car->to_axle[VD_FRONT] + car->to_axle[VD_REAR], wanted = fabs(angle);
  double at = 0.0, ay = 0.0;
  for (int k = 1; k < t->count; k++) {
    const double next_ay = f * t->ay[k], next = base * next_ay / (v * v) + f * t->understeer[k];
    if (next >= wanted) {
      ay += (next_ay - ay) * (wanted - at) / (next - at);
      break;
    }
    at = next;
    ay = next_ay;
  }
  return copysign(vd_min(ay, f * most), angle);
}

/* Returns the time by which the yaw rate of the single track lags behind the steering, s. */
static double yaw_lag(const vd_controller_car *car, double v) {
  const double a = car->to_axle[VD_FRONT], b = car->to_axle[VD_REAR], front = car->cornering[VD_FRONT];
  const double rear = car->cornering[VD_REAR], m = car->mass, inertia = car->yaw_inertia, base = a + b;
  const double damping = (front + rear) / (m * v) + (a * a * front + b * b * rear) / (inertia * v);
  const double stiffness = front * rear * base * base / (m * inertia * v * v) + (b * rear - a * front) / inertia;
  return stiffness > 0.0 ? vd_min(vd_max(damping / stiffness - m * a * v / (base * rear), 0.0), 0.5) : 0.0;
}

/* Updates the reference of the yaw rate. Updates the estimated friction by the difference between the lateral
 * accelerations of car and reference. */
static void update_reference(state *s, const vd_stability_def *def, const vd_controller_car *car, const double *sensed,
                             double T) {
  const double angle = car->road_angle(car->steering, sensed[WHEEL]), v = s->v, ay = sensed[AY];
  const double most = isnan(def->limit) ? car->turns.ay[car->turns.count - 1] : def->limit;
  const double steady = steady_turn(car, v, s->friction, most, angle) / v;
  s->yaw_rate = s->decisions == 0.0 ? steady : s->yaw_rate + T / (yaw_lag(car, v) + T) * (steady - s->yaw_rate);
  const double used = vd_hypot(sensed[AX], ay) / most, behind = v * s->yaw_rate;
  if (fabs(behind) > fabs(ay) + follow_margin && behind * ay >= 0.0)
    s->friction += T / falls * vd_min(used - s->friction, 0.0);
  else
    s->friction += T / returns * (1.0 - s->friction);
  s->friction = vd_min(vd_max(vd_max(s->friction, used), lowest_friction), 1.0);
}

static double beyond(double value, double tolerance) {
  return copysign(vd_max(fabs(value) - tolerance, 0.0), value);
}

/* Returns the wanted yaw moment, N m, to the left > 0. */
static double moment(const state *s, const vd_stability_def *def, const vd_controller_car *car, double r) {
  const double deviation = s->yaw_rate - r, tolerance = def->tolerance + share * fabs(s->yaw_rate);
  const double rear = car->to_axle[VD_REAR] * r / s->v - s->beta;
  const double most = isnan(def->rear_slip) ? car->turns.rear_slip + VD_PI / 180.0 : def->rear_slip;
  const bool understeers = deviation * r > 0.0;
  return car->yaw_inertia * (def->gain * beyond(deviation, understeers ? 2.0 * tolerance : tolerance) -
                             def->slip_gain * beyond(rear, most));
}

/* Requests the pressure of the wheel that makes the moment m, reduced while its slip is too large. */
static void brake(state *s, const vd_stability_def *def, const vd_controller_car *car, const double *sensed, double m,
                  double T, double *request) {
  const double r = sensed[YAW_RATE];
  const int axle = m * r > 0.0 ? VD_REAR : VD_FRONT, braked = vd_wheel_at(axle, m < 0.0);
  for (int i = 0; i < VD_WHEELS; i++) {
    const double slip = 1.0 - speed_by_rim(s, car, sensed, i) / s->v;
    const double change = slip > def->slip && i == braked ? -T / releases : T / regains;
    s->share[i] = vd_min(vd_max(s->share[i] + change, least_share), 1.0);
  }
  if (m == 0.0 || !(car->brake_torque[braked] > 0.0))
    return;
  const double arm = car->half_track[axle] / car->radius[braked], pedal = sensed[BRAKE];
  const double pressure = vd_min(fabs(m) / (arm * car->brake_torque[braked]), 1.0);
  request[braked] = s->share[braked] * vd_min(pedal + pressure, 1.0) - pedal;
  request[vd_other_side(braked)] = -vd_min(pressure, pedal);
  request[REQUESTS + braked] = 1.0;
}

static void law(const vd_controller_def *def, const vd_controller_car *car, void *memory, const double *sensed,
                double *request) {
  const vd_stability_def *own = &def->as.esc;
  state *s = memory;
  estimate_motion(s, car, sensed, def->period);
  if (s->v > own->minimum_speed) {
    update_reference(s, own, car, sensed, def->period);
    const double m = moment(s, own, car, sensed[YAW_RATE]);
    brake(s, own, car, sensed, m, def->period, request);
    const double whole = car->yaw_inertia * own->gain * own->tolerance;
    s->closed = vd_max(s->closed - def->period / opens, whole > 0.0 ? vd_min(fabs(m) / whole, 1.0) : 0.0);
    if (own->motor)
      request[MOTOR] = -sensed[THROTTLE] * s->closed;
  }
  s->decisions = s->v > own->minimum_speed;
}

const vd_controller_variant vd_esc_controller = {
    VD_BUILT_IN, .two_tracks = true, .turns = true, .memory = sizeof(state), .begin = begin,
};
