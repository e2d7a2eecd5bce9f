/* Derivation, in road axes under the car, with the weight m g_n along the normal and forces at the contact points. The
 * moment of the contact forces about the centre of gravity equals the change of the wheels' spin momentum (the body
 * itself has no roll or pitch acceleration here):
 *
 *   about y:   X h + sum d(H_y)/dt - sum M_y = L dR        dR = load moved from the front to the rear axle
 *   about x:   Y h + outward spin moment     = M_f + M_r   M  = (right - left load) T/2, per axle
 *
 * Lean adds moments of the weight: the sprung mass shifts by e_x = h_s theta forward and by e_y = (h_s - h_rc) phi
 * outward (below both are multiplied by m_s/m). X and Y are the tyre forces (with drag, which acts in the ground plane
 * by the definition of its coefficients), so they equal m a minus the component of gravity along the slope. The load
 * transfers are then, with the yaw rate r and the spins w of the wheels,
 *   [m ay h + r sum(I w) + m g e_y]/T   and   [m ax h + sum(I dw/dt) - m g e_x]/L
 *
 * Lateral load transfer of each axle. The axle force minus the inertial force of the unsprung mass acts on the body at
 * the roll centre: F = Y_axle - m_u a. The moment F h_rc, which the links transmit, and the moment m_u a h_u of the
 * unsprung mass load the wheels of this axle directly. The remaining moment rolls the body, and the axles share it in
 * proportion to their roll stiffness. The roll of the body relative to the road is its roll on the springs plus the
 * roll of the axle on its tyres, psi. E is the moment of the springs and the bar of an axle, K their roll stiffness,
 * K_t the roll stiffness of the tyres, d the lean arm (h_s above the roll axis):
 *   E = K (phi - psi),  psi = (E + G)/K_t   =>   E = K_s (phi - G/K_t),  K_s = K K_t/(K + K_t),  G = F h_rc + m_u a h_u
 *   E_f + E_r = F_f (h_s - h_rcf) + F_r (h_s - h_rcr) + spin + m_s g d phi
 * An external force P on the body at the height z accelerates the unsprung masses, too: a is the acceleration by all
 * forces, and P (h_s - z) rolls the body. The unsprung masses of both axles are assumed to have the acceleration of the
 * centre of gravity, which means that the product of inertia I_xz of the whole car is zero. The gyroscopic moment of
 * the wheels acts through the knuckles on the body. */
#include "vehicle/loads.h"

#include "base/elementary.h"

#include <math.h>

void vd_load_balance_build(const vd_vehicle *v, double weight_accel, bool lean, vd_load_balance *b) {
  vd_masses m = v->masses;
  *b = (vd_load_balance){
      .height = v->cg_height - v->sink * m.sprung / m.total,
      .wheelbase = v->wheelbase,
      .sprung_weight = lean ? m.sprung * weight_accel : 0.0,
      .mass = m.total,
      .sprung_height = m.sprung_height - v->sink,
      .lean_arm = m.sprung_height - v->sink,
      .offset = m.sprung * weight_accel * m.sprung_left,
      .weight = m.total * weight_accel,
  };
  for (int i = 0; i < VD_AXLES; i++) {
    const vd_vehicle_axle *axle = &v->axle[i];
    double half = 0.5 * axle->track;
    b->static_load[i] = b->weight * m.to_axle[1 - i] / v->wheelbase;
    b->unsprung_share[i] = m.unsprung[i] / m.total;
    b->unsprung_height[i] = axle->unsprung_height;
    b->roll_centre[i] = axle->roll_centre_height;
    b->track[i] = axle->track;
    b->roll_spring[i] = 2.0 * axle->spring_stiffness * half * half + axle->antiroll_stiffness;
    double tyres =
        v->tyre[vd_left_wheel(i)].common.vertical_stiffness + v->tyre[vd_right_wheel(i)].common.vertical_stiffness;
    b->roll_tyre[i] = tyres * half * half;
    b->roll_series[i] = b->roll_spring[i] * b->roll_tyre[i] / (b->roll_spring[i] + b->roll_tyre[i]);
    b->axle_flex[i] = 1.0 / (2.0 * axle->spring_stiffness);
    b->tyre_flex[i] = 1.0 / tyres;
    b->lean_arm -= m.sprung_share[i] * axle->roll_centre_height;
  }
}

/* Returns the pitch stiffness minus the moment of the leaning weight, scaled so that a moment divided by the result is
 * a load transfer. The result has the unit m. */
static double pitch_stiffness(const vd_load_balance *b) {
  double flex = b->axle_flex[VD_FRONT] + b->axle_flex[VD_REAR] + b->tyre_flex[VD_FRONT] + b->tyre_flex[VD_REAR];
  return b->wheelbase - b->sprung_weight * b->sprung_height / b->wheelbase * flex;
}

bool vd_load_balance_stable(const vd_load_balance *b) {
  double roll = b->roll_series[VD_FRONT] + b->roll_series[VD_REAR] - b->sprung_weight * b->lean_arm;
  return pitch_stiffness(b) > 0.0 && roll > 0.0;
}

/* Returns the load transfer to the rear axle, N, and the pitch of the body (nose down > 0). Tyres carry the whole load
 * transfer; springs carry all except the part due to the inertia of the unsprung masses. Downforce compresses both. */
static double rearward_transfer(const vd_load_balance *b, const double *sum, const double *downforce, double *pitch) {
  const double *fs = b->axle_flex, *ft = b->tyre_flex;
  double springs = fs[VD_FRONT] + fs[VD_REAR], tyres = ft[VD_FRONT] + ft[VD_REAR];
  double direct = sum[VD_SUM_X] *
                  (b->unsprung_share[VD_FRONT] * b->unsprung_height[VD_FRONT] +
                   b->unsprung_share[VD_REAR] * b->unsprung_height[VD_REAR]) /
                  b->wheelbase;
  double squat = downforce[VD_REAR] * (fs[VD_REAR] + ft[VD_REAR]) - downforce[VD_FRONT] * (fs[VD_FRONT] + ft[VD_FRONT]);
  double moment = sum[VD_SUM_X] * b->height + sum[VD_SUM_PITCH];
  double lean = b->sprung_weight * b->sprung_height / b->wheelbase;

  double transferred = (moment + lean * (squat - direct * springs)) / pitch_stiffness(b);
  *pitch = -((transferred - direct) * springs + transferred * tyres + squat) / b->wheelbase;
  return transferred;
}

static void axle_loads(const vd_load_balance *b, const double *sum, const double *downforce, double *load,
                       double *pitch) {
  double transferred = rearward_transfer(b, sum, downforce, pitch);
  load[VD_FRONT] = b->static_load[VD_FRONT] + downforce[VD_FRONT] - transferred;
  load[VD_REAR] = b->static_load[VD_REAR] + downforce[VD_REAR] + transferred;
}

/* Moments of the lateral forces on each axle and on the body. */
typedef struct roll_input {
  double geometric[VD_AXLES]; /* N m, on the wheels by links and unsprung mass; it does not roll the body */
  double body;                /* N m, moment that springs and lean must balance */
} roll_input;

static roll_input roll_moments(const vd_load_balance *b, const double *sum) {
  const double axle_force[VD_AXLES] = {sum[VD_SUM_YF], sum[VD_SUM_YR]};
  double total = axle_force[VD_FRONT] + axle_force[VD_REAR] + sum[VD_SUM_OUTSIDE];
  roll_input in = {.body = sum[VD_SUM_ROLL] - b->offset};
  for (int i = 0; i < VD_AXLES; i++) {
    double unsprung = b->unsprung_share[i] * total;
    double link = axle_force[i] - unsprung;
    in.geometric[i] = link * b->roll_centre[i] + unsprung * b->unsprung_height[i];
    in.body += link * (b->sprung_height - b->roll_centre[i]);
  }
  return in;
}

/* Returns the roll angle, rad, while no wheel is lifted. */
static double roll_angle(const vd_load_balance *b, const roll_input *in) {
  double moment = in->body, stiffness = -b->sprung_weight * b->lean_arm;
  for (int i = 0; i < VD_AXLES; i++) {
    moment += b->roll_series[i] * in->geometric[i] / b->roll_tyre[i];
    stiffness += b->roll_series[i];
  }
  return moment / stiffness;
}

static double axle_moment(const vd_load_balance *b, const roll_input *in, int i, double roll) {
  return in->geometric[i] + b->roll_series[i] * (roll - in->geometric[i] / b->roll_tyre[i]);
}

void vd_load_axles_affine(const vd_load_balance *b, const double *sum, const double *downforce, double *load) {
  double pitch;
  axle_loads(b, sum, downforce, load, &pitch);
}

void vd_load_wheels_affine(const vd_load_balance *b, const double *sum, const double *downforce, double *load) {
  double axle[VD_AXLES];
  vd_load_axles_affine(b, sum, downforce, axle);
  roll_input in = roll_moments(b, sum);
  double roll = roll_angle(b, &in);
  for (int i = 0; i < VD_AXLES; i++) {
    double across = axle_moment(b, &in, i, roll) / b->track[i];
    load[vd_left_wheel(i)] = 0.5 * axle[i] - across;
    load[vd_right_wheel(i)] = 0.5 * axle[i] + across;
  }
}

/* Finds the axle moments if the inner wheel of axle i is lifted: the moment of axle i stays at its limit, and the body
 * rolls further on the other axle. False if a wheel of the other axle is lifted, too, so that there is no balance. */
static bool roll_on_other_axle(const vd_load_balance *b, const roll_input *in, int i, const double *limit, double *roll,
                               double *moment) {
  int other = 1 - i;
  moment[i] = copysign(limit[i], moment[i]);
  double stiffness = b->roll_series[other] - b->sprung_weight * b->lean_arm;
  if (stiffness > 0.0) {
    *roll = (in->body - (moment[i] - in->geometric[i]) +
             b->roll_series[other] * in->geometric[other] / b->roll_tyre[other]) /
            stiffness;
    moment[other] = axle_moment(b, in, other, *roll);
    if (fabs(moment[other]) <= limit[other])
      return true;
  }
  moment[other] = copysign(limit[other], moment[i]);
  return false;
}

void vd_load_axles(const vd_load_balance *b, const double *sum, const double *downforce, double *load, vd_lean *lean) {
  double pitch;
  axle_loads(b, sum, downforce, load, &pitch);
  /* if an axle is lifted, the other axle carries the whole load, and the pitch moment is not balanced */
  double whole = vd_max(load[VD_FRONT] + load[VD_REAR], 0.0);
  bool tipping = false;
  for (int i = 0; i < VD_AXLES; i++) {
    tipping |= !(load[i] >= 0.0);
    load[i] = vd_min(vd_max(load[i], 0.0), whole);
  }
  if (lean) {
    *lean = (vd_lean){.pitch = pitch, .tipping = tipping};
    lean->ex = b->sprung_weight / b->weight * b->sprung_height * pitch;
  }
}

void vd_load_wheels(const vd_load_balance *b, const double *sum, const double *downforce, double *load, vd_lean *lean) {
  double axle[VD_AXLES], limit[VD_AXLES], moment[VD_AXLES];
  vd_load_axles(b, sum, downforce, axle, lean);
  roll_input in = roll_moments(b, sum);
  double roll = roll_angle(b, &in);
  for (int i = 0; i < VD_AXLES; i++) {
    moment[i] = axle_moment(b, &in, i, roll);
    limit[i] = 0.5 * axle[i] * b->track[i];
  }
  bool tipping = false;
  for (int i = 0; i < VD_AXLES; i++)
    if (fabs(moment[i]) > limit[i]) {
      tipping = !roll_on_other_axle(b, &in, i, limit, &roll, moment);
      break;
    }

  for (int i = 0; i < VD_AXLES; i++) {
    double across = moment[i] / b->track[i];
    load[vd_left_wheel(i)] = vd_max(0.5 * axle[i] - across, 0.0);
    load[vd_right_wheel(i)] = vd_max(0.5 * axle[i] + across, 0.0);
  }
  if (lean) {
    lean->roll = roll;
    lean->ey = b->sprung_weight / b->weight * b->lean_arm * roll;
    lean->tipping |= tipping;
  }
}

void vd_load_spring_rolls(const vd_load_balance *b, const double *sum, double *roll) {
  roll_input in = roll_moments(b, sum);
  double angle = roll_angle(b, &in);
  for (int i = 0; i < VD_AXLES; i++)
    roll[i] = (axle_moment(b, &in, i, angle) - in.geometric[i]) / b->roll_spring[i];
}
