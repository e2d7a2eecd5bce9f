#include "sim/known_car.h"

#include "base/elementary.h"
#include "model/table_steer.h"

#include <math.h>
#include <string.h>

const double vd_known_step = 0.005;

/* Computes the cambers of the wheels, and for both axles the mean angle by which the wheels turn to the left. The body
 * leans by an angle; its springs are deflected by the roll angles `spring_roll' at both axles. */
static void stand(const vd_model *m, double lean, const double *spring_roll, double *camber, double *turn) {
  static const double rack[VD_AXLES] = {0.0, 0.0};
  turn[VD_FRONT] = turn[VD_REAR] = 0.0;
  if (!vd_model_linked(m) && !m->table_steer)
    return;
  for (int i = 0; i < VD_WHEELS; i++) {
    double travel = -vd_side_sign(i) * 0.5 * m->vehicle.axle[vd_axle_of(i)].track * spring_roll[vd_axle_of(i)];
    double straight = vd_table_wheel(m, i, 0.0, rack, NULL);
    turn[vd_axle_of(i)] += 0.5 * (vd_table_wheel(m, i, travel, rack, &camber[i]) - straight);
    camber[i] = m->lanes.cambers ? camber[i] + lean : 0.0;
  }
}

/* Computes the mean angles by which the wheels of both axles turn to the left on linear bushings. */
static void yield(const vd_model *m, const double *fy, const double *mz, double *turn) {
  turn[VD_FRONT] = turn[VD_REAR] = 0.0;
  for (int i = 0; i < VD_WHEELS && m->options.compliance == VD_COMPLIANCE_LINEAR; i++) {
    const double *by = m->vehicle.axle[vd_axle_of(i)].angle_compliance[vd_is_right(i)][vd_is_right(i)].steer;
    turn[vd_axle_of(i)] += 0.5 * (by[VD_COMPLIANCE_FY] * fy[i] + by[VD_COMPLIANCE_MZ] * mz[i]);
  }
}

/* A steady turn. */
typedef struct turning {
  double lean;                                    /* rad, roll of the body */
  double force[VD_AXLES], moment[VD_AXLES];       /* N, N m: of the tyres, to the left > 0 */
  double even[VD_AXLES];                          /* N, these forces without load transfer */
  double camber[VD_WHEELS];                       /* rad */
  double roll_turn[VD_AXLES], yielding[VD_AXLES]; /* rad, to the left, of the wheels by roll and on bushings */
} turning;

/* Computes the side forces of both axles at slip angles of their tyres, with the loads of the previous round. */
static void tyre_forces(const vd_model *m, const double *slip, const double *load, turning *t) {
  double speed[VD_WHEELS], kappa[VD_WHEELS] = {0.0}, tan_alpha[VD_WHEELS], friction[VD_WHEELS];
  double out[7][VD_WHEELS] = {{0.0}};
  const vd_contact contact = {.kappa = kappa, .tan_alpha = tan_alpha, .vx = speed, .camber = t->camber};
  const vd_tyre_results results = {out[0], out[1], out[2], out[3], out[4], out[5], out[6], NULL};
  for (int i = 0; i < VD_WHEELS; i++) {
    speed[i] = 20.0;
    tan_alpha[i] = -vd_tan(slip[vd_axle_of(i)]);
    friction[i] = m->ground.friction;
  }
  vd_tyre_at_loads(&m->lanes.row, &contact, friction, load, &results);
  yield(m, out[1], out[4], t->yielding);
  for (int a = 0; a < VD_AXLES; a++) {
    t->force[a] = out[1][vd_left_wheel(a)] + out[1][vd_right_wheel(a)];
    t->moment[a] = out[4][vd_left_wheel(a)] + out[4][vd_right_wheel(a)];
  }
}

/* Finds the steady turn at a slip angle of all tyres, by iteration from the turn at the previous slip angle. */
static void turn_at(const vd_model *m, double slip, turning *t) {
  static const double none[VD_AXLES] = {0.0, 0.0};
  const double slips[VD_AXLES] = {slip, slip};
  double load[VD_WHEELS], level[VD_WHEELS], roll[VD_AXLES];
  vd_lean lean;
  for (int round = 0; round < 6; round++) {
    const double sum[VD_ALL_SUMS] = {[VD_SUM_YF] = t->force[VD_FRONT], [VD_SUM_YR] = t->force[VD_REAR]};
    vd_load_wheels(&m->balance, sum, none, load, &lean);
    vd_load_spring_rolls(&m->balance, sum, roll);
    t->lean = lean.roll;
    stand(m, lean.roll, roll, t->camber, t->roll_turn);
    tyre_forces(m, slips, load, t);
  }
  turning even = *t;
  vd_load_wheels(&m->balance, (double[VD_ALL_SUMS]){0.0}, none, level, NULL);
  tyre_forces(m, slips, level, &even);
  memcpy(t->even, even.force, sizeof t->even);
}

/* Computes the slip angles that have the effect of a small lean of the body, per lean angle. The lean turns and cambers
 * the wheels. */
static void lean_slips(const vd_model *m, double *slip) {
  static const double small = 0.01, none[VD_AXLES] = {0.0, 0.0}, level[VD_ALL_SUMS] = {0.0};
  const double slips[VD_AXLES] = {small, small}, zero[VD_AXLES] = {0.0, 0.0};
  double load[VD_WHEELS], spring[VD_AXLES];
  turning upright = {0}, slipping, leaning;
  vd_load_wheels(&m->balance, level, none, load, NULL);
  for (int a = 0; a < VD_AXLES; a++)
    spring[a] = small * m->balance.roll_series[a] / m->balance.roll_spring[a];
  stand(m, 0.0, none, upright.camber, upright.roll_turn);
  slipping = leaning = upright;
  stand(m, small, spring, leaning.camber, leaning.roll_turn);
  tyre_forces(m, zero, load, &upright);
  tyre_forces(m, slips, load, &slipping);
  tyre_forces(m, zero, load, &leaning);
  for (int a = 0; a < VD_AXLES; a++) {
    double gain = (slipping.force[a] - upright.force[a]) / small;
    slip[a] = (leaning.roll_turn[a] + (leaning.force[a] - upright.force[a]) / gain) / small;
  }
}

/* Finds the motion in roll of a body that turns about its roll axis on springs, bars and tyres. */
static void know_lean(const vd_model *m, vd_known_car *car) {
  const vd_load_balance *b = &m->balance;
  const double mass = m->vehicle.masses.sprung, arm = b->lean_arm;
  double stiffness = b->roll_series[VD_FRONT] + b->roll_series[VD_REAR] - mass * VD_GRAVITY * arm;
  if (m->options.level < VD_L3 || !(stiffness > 0.0))
    return;
  car->lean_arm = arm;
  car->lean_gain = mass * arm * arm / stiffness;
  car->lean_frequency = sqrt(stiffness / (m->vehicle.roll_inertia + mass * arm * arm));
  car->lean_damping = 0.35;
  lean_slips(m, car->lean_slip);
  for (int a = 0; a < VD_AXLES; a++)
    car->lean_slip[a] /= -arm;
}

/* Figures of both axles over the slip angle of all tyres in steady turns. */
typedef struct turns {
  double angle[VD_AXLES][VD_KNOWN_POINTS]; /* rad, S */
  double force[VD_AXLES][VD_KNOWN_POINTS], even[VD_AXLES][VD_KNOWN_POINTS], trail[VD_AXLES][VD_KNOWN_POINTS]; /* N, m */
  double lean[VD_KNOWN_POINTS];                                                                               /* m */
} turns;

/* Computes turns to both sides; their mean does not contain the effects of toe and conicity. */
static void drive_turns(const vd_model *m, const vd_known_car *car, turns *t) {
  static const double reserve = 0.96;
  turning left = {0}, right = {0};
  *t = (turns){0};
  for (int i = 1; i < VD_KNOWN_POINTS; i++) {
    turn_at(m, i * vd_known_step, &left);
    turn_at(m, -i * vd_known_step, &right);
    t->lean[i] = -car->lean_arm * 0.5 * (left.lean - right.lean);
    for (int a = 0; a < VD_AXLES; a++) {
      double turned = 0.5 * (left.yielding[a] - right.yielding[a] + left.roll_turn[a] - right.roll_turn[a]);
      double angle = i * vd_known_step - turned + car->lean_slip[a] * t->lean[i];
      double force = left.force[a] - right.force[a];
      t->angle[a][i] = vd_max(angle, t->angle[a][i - 1] + 0.1 * vd_known_step);
      t->force[a][i] = vd_max(reserve * 0.5 * force, t->force[a][i - 1]);
      t->even[a][i] = vd_max(reserve * 0.5 * (left.even[a] - right.even[a]), t->even[a][i - 1]);
      t->trail[a][i] = (right.moment[a] - left.moment[a]) / force;
    }
  }
}

/* Finds the forces of an axle over its slip angle S. */
static void know_axle(const turns *t, int a, vd_known_car *car) {
  static const double enough = 0.99;
  for (int i = 1, j = 0; i < VD_KNOWN_POINTS; i++) {
    while (j < VD_KNOWN_POINTS - 2 && t->angle[a][j + 1] < i * vd_known_step)
      j++;
    double share = vd_min((i * vd_known_step - t->angle[a][j]) / (t->angle[a][j + 1] - t->angle[a][j]), 1.0);
    car->force[a][i] = t->force[a][j] + share * (t->force[a][j + 1] - t->force[a][j]);
    car->even[a][i] = t->even[a][j] + share * (t->even[a][j + 1] - t->even[a][j]);
    car->lean[a][i] = t->lean[j] + share * (t->lean[j + 1] - t->lean[j]);
  }
  for (int i = 1; i < VD_KNOWN_POINTS && car->force[a][i - 1] < enough * car->force[a][VD_KNOWN_POINTS - 1]; i++)
    car->peak[a] = i * vd_known_step;
  double trail = t->trail[a][1 + (int)(0.5 * car->peak[a] / vd_known_step)];
  car->arm[a] = car->to_axle[a] + (a == VD_FRONT ? -trail : trail);
}

void vd_known_car_build(const vd_model *m, vd_known_car *car) {
  const vd_vehicle *v = &m->vehicle;
  turns t;
  *car = (vd_known_car){
      .mass = v->mass,
      .inertia = v->yaw_inertia,
      .to_axle = {v->masses.to_axle[VD_FRONT], v->masses.to_axle[VD_REAR]},
      .half_width = 0.5 * v->width,
      .ahead = v->masses.to_axle[VD_FRONT] + v->overhang_front,
      .behind = v->masses.to_axle[VD_REAR] + v->overhang_rear,
  };
  know_lean(m, car);
  drive_turns(m, car, &t);
  for (int a = 0; a < VD_AXLES; a++) {
    know_axle(&t, a, car);
    if (m->transient) { /* a compliant axle responds sooner, as its wheels turn with the forces */
      const vd_relax *relax = &m->slip.relax[vd_left_wheel(a)];
      car->length[a] = relax->length_y * car->force[a][1] / t.force[a][1];
      car->span[a] = relax->span;
    }
  }
}

/* Returns exp(-z), z >= 0, and its slope, as a quotient of polynomials that costs less: its error is below 6e-4 for z <
 * 1 and 0.025 for any z (Pade approximant of orders 1 and 3). */
static double decay(double z, double *slope) {
  double below = 1.0 + z * (0.75 + z * (0.25 + z / 24.0)), value = (1.0 - 0.25 * z) / below;
  *slope = (-0.25 - value * (0.75 + z * (0.5 + 0.125 * z))) / below;
  return value;
}

double vd_known_slip(const vd_known_car *car, int axle, double vx, double time, double axle_slip, double slip,
                     double slope[2]) {
  double span = car->span[axle], far = 1.0 + fabs(axle_slip) / span, near = 1.0 + fabs(slip) / span;
  if (!(car->length[axle] > 0.0)) {
    slope[0] = 1.0;
    slope[1] = 0.0;
    return axle_slip;
  }
  double lengths = time * vx / car->length[axle], falling, share = 1.0 - decay(lengths * far, &falling);
  double gap = axle_slip / far - slip / near;
  double deflection = slip / near + share * gap, left = 1.0 - fabs(deflection) / span;
  double faster = -falling * lengths / span * (axle_slip < 0.0 ? -gap : gap); /* the relaxation length shrinks */
  slope[0] = (share / (far * far) + faster) / (left * left);
  slope[1] = (1.0 - share) / (near * near * left * left);
  return deflection / left;
}

double vd_known_force(const vd_known_car *car, int axle, double slip, double lean, double *slope) {
  const double *force = car->force[axle], *even = car->even[axle], *leans = car->lean[axle];
  double place = fabs(slip) / vd_known_step;
  int i = place < VD_KNOWN_POINTS - 2 ? (int)place : VD_KNOWN_POINTS - 2;
  double share = vd_min(place - i, 1.0), rise = force[i + 1] - force[i], even_rise = even[i + 1] - even[i];
  double steady = leans[i] + share * (leans[i + 1] - leans[i]), part = 1.0;
  if (steady < 0.0)
    part = vd_min(vd_max(copysign(1.0, slip) * lean / steady, 0.0), 1.0);
  double lost = part * part;
  *slope = (even_rise + lost * (rise - even_rise)) / vd_known_step;
  return copysign(even[i] + share * even_rise + lost * (force[i] + share * rise - even[i] - share * even_rise), slip);
}
