/* Wheel loads of a car without a vertical degree of freedom, by a quasi-static balance.
 *
 * Loads depend on the tyre forces and the tyre forces on the loads. Every evaluation solves for both together, because
 * a lag of one behind the other would change the result. The loads depend on five sums over the wheels only (enum
 * vd_load_sum). While no wheel lifts they are an affine function of these sums, whose matrix is computed once per
 * run. */
#ifndef VD_LOADS_H
#define VD_LOADS_H

#include "vehicle/vehicle.h"

/* Sums over the tyres in body axes. */
enum vd_load_sum {
  VD_SUM_X, /* N: sum of all longitudinal forces on the car in the ground plane, drag included */
  /* N m: moment of the wheels that transfers load to the rear: sum of dH/dt of their spin and rolling resistance about
   * y */
  VD_SUM_PITCH,
  VD_SUM_YF,    /* N: lateral force of the front axle */
  VD_SUM_YR,    /* N: lateral force of the rear axle */
  VD_SUM_ROLL,  /* N m: outward moment about x due to the spin of the wheels, mostly gyroscopic */
  VD_LOAD_SUMS, /* number of sums that depend on the loads */
  /* N: external lateral force on the body; VD_SUM_ROLL contains its moment about the centre of the sprung mass */
  VD_SUM_OUTSIDE = VD_LOAD_SUMS,
  VD_ALL_SUMS,
};

/* Attitude of the body, for the log. */
typedef struct vd_lean {
  double roll;   /* rad, > 0 left side up */
  double pitch;  /* rad, > 0 nose down */
  double ey, ex; /* m: shift of the centre of gravity outward (to the right > 0) and forward */
  bool tipping;  /* no loads balance the moments: the car would roll over, tip over an axle or take off */
} vd_lean;

/* Constants of the balance; per axle [front, rear]. */
typedef struct vd_load_balance {
  double static_load[VD_AXLES];    /* N */
  double height, wheelbase;        /* m */
  double sprung_weight;            /* N: m_s g_n; 0 if lean is off */
  double mass;                     /* kg */
  double sprung_height;            /* m */
  double unsprung_share[VD_AXLES]; /* unsprung mass of the axle divided by the mass of the car */
  double unsprung_height[VD_AXLES];
  double roll_centre[VD_AXLES];
  double track[VD_AXLES];
  double roll_spring[VD_AXLES]; /* N m/rad: springs and bar */
  double roll_tyre[VD_AXLES];   /* N m/rad: the two tyres */
  double roll_series[VD_AXLES]; /* N m/rad: springs and tyres in series */
  double axle_flex[VD_AXLES];   /* m/N: compliance of the springs of the axle in heave */
  double tyre_flex[VD_AXLES];   /* m/N: compliance of its tyres */
  double lean_arm;              /* m: height of the sprung centre of gravity above the roll axis */
  double offset;                /* N m: weight of the sprung mass times its distance to the left of the middle plane */
  double weight;                /* N: m g_n */
} vd_load_balance;

/* Greatest change of the loads, divided by the weight, after which the tyre forces are not computed again. */
static const double vd_load_last_move = 1e-7;

/* Computes the constants. weight_accel: component of gravity into the road, m/s2. lean: include the moment of the
 * weight of the leaning body. */
void vd_load_balance_build(const vd_vehicle *v, double weight_accel, bool lean, vd_load_balance *b);

/* True if the car is stable on its springs: false if sprung weight times arm exceeds the stiffness. */
bool vd_load_balance_stable(const vd_load_balance *b);

/* Computes the loads of both axles (N) for given sums and downforce per axle (N). No load is negative; the total is
 * weight + downforce, or zero if this sum is negative. lean may be NULL. */
void vd_load_axles(const vd_load_balance *b, const double *sum, const double *downforce, double *load, vd_lean *lean);

/* Computes the loads of the four wheels (N) for given sums and downforce per axle (N). Wheels may lift: no load is
 * negative, the other axle carries the moment that one axle cannot carry, and the total is weight + downforce, or zero
 * if this sum is negative. lean may be NULL. */
void vd_load_wheels(const vd_load_balance *b, const double *sum, const double *downforce, double *load, vd_lean *lean);

/* Like vd_load_axles and vd_load_wheels, but without the limits at zero: affine functions of sum and downforce. */
void vd_load_axles_affine(const vd_load_balance *b, const double *sum, const double *downforce, double *load);
void vd_load_wheels_affine(const vd_load_balance *b, const double *sum, const double *downforce, double *load);

/* Two functions convert between wheel loads and the modes as which they are stored: for each axle half its load and
 * half the difference of its wheels (load = half -+ across). In a mirrored run halves are equal and differences change
 * their sign, without rounding errors, so that mirrored runs agree to the last bit. Modes of a double-track model: half
 * front, half rear, across front, across rear; of a single-track model: the axle loads. */
static inline void vd_wheels_from_modes(int n, const double *mode, double *load) {
  if (n != 4) {
    load[0] = mode[0];
    load[1] = mode[1];
    return;
  }
  for (int a = 0; a < VD_AXLES; a++) {
    load[vd_left_wheel(a)] = mode[a] - mode[2 + a];
    load[vd_right_wheel(a)] = mode[a] + mode[2 + a];
  }
}

static inline void vd_modes_from_wheels(int n, const double *load, double *mode) {
  if (n != 4) {
    mode[0] = load[0];
    mode[1] = load[1];
    return;
  }
  for (int a = 0; a < VD_AXLES; a++) {
    mode[a] = 0.5 * (load[vd_right_wheel(a)] + load[vd_left_wheel(a)]);
    mode[2 + a] = 0.5 * (load[vd_right_wheel(a)] - load[vd_left_wheel(a)]);
  }
}

/* Computes the roll angles of the body relative to its axles, on the springs, rad, left side up > 0, while no wheel is
 * lifted. */
void vd_load_spring_rolls(const vd_load_balance *b, const double *sum, double *roll);

#endif
