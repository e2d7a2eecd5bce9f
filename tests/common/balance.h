/* Balance of forces of rigid bodies on joints, bushings and springs: a second solver for the tests of compliance.
 *
 * It shares no code with the code under test. Every body has a position and a rotation; every joint is a set of
 * equations whose multipliers are its forces; every force follows from the places of its two ends. The matrix of
 * Newton's method is computed by differences. Points and directions are given at the design position, in metres in the
 * axes of the ground. */
#ifndef VD_TEST_BALANCE_H
#define VD_TEST_BALANCE_H

#include <stdbool.h>

enum { BALANCE_BODIES = 8, BALANCE_PARTS = 64, GROUND = -1 };

/* Force of a bushing or spring over its displacement: F(x), opposite to the displacement. The load and the cubic term
 * are added to it. */
typedef double (*balance_curve)(const void *data, double x);

typedef struct balance_law {
  balance_curve curve; /* NULL: rate x + load */
  const void *data;
  double rate, load, cubic;
} balance_law;

enum balance_kind {
  JOIN, /* points of a and b coincide: 3 multipliers */
  /* the point of b is on the line through the point of a along `axis`, which turns with a: 2 multipliers */
  ON_LINE,
  PARALLEL,  /* `axis` of b stays parallel to `axis` of a: 2 multipliers */
  ON_PLANE,  /* the point of b stays in the plane of the ground across `axis`: 1 multiplier */
  APART,     /* the distance of `point` (of a) from `far` (of b) is constant: 1 multiplier */
  BUSHING,   /* bushing between a and b, at one point; force on b, axes of a */
  TOP_MOUNT, /* bushing of a rod: its rotation is that of the direction of `axis` */
  COIL,      /* spring between `point` (of a) and `far` (of b): law[0] over the length, pull > 0 */
  DEAD_LOAD, /* force and moment on b at point, in the axes of the ground */
  SPIN_STOP, /* keeps a rod from turning about its own axis; has no moment in equilibrium */
  /* a disc on b with centre `point`, spin axis `axis` and `radius`: forces at its lowest point and its centre */
  WHEEL
};

/* What determines the height of a wheel. */
enum balance_support { SUPPORT_NONE, SUPPORT_CENTRE, SUPPORT_GROUND };

typedef struct balance_part {
  enum balance_kind kind;
  int a, b;
  double point[3], far[3], axis[3];
  double shift[3];    /* shift of the point of a, if a is the ground */
  double frame[3][3]; /* bushing: its three axes as rows, at design */
  balance_law law[6]; /* laws along and about these axes */
  double force[3], moment[3];
  double centre_force[3]; /* force at the centre of a wheel */
  double radius, lift;    /* radius of a wheel; rise of the supported point from the design position */
  double torque;          /* torque about the wheel's spin axis, on b */
  bool free_spin;         /* the contact force has no moment about the spin axis: a shaft carries it */
  enum balance_support support;
} balance_part;

typedef struct balance_body {
  double design[3], at[3], turn[3][3];
} balance_body;

typedef struct balance {
  int bodies, parts;
  balance_body body[BALANCE_BODIES];
  balance_part part[BALANCE_PARTS];
  int multipliers;
  double multiplier[BALANCE_PARTS * 3];
  double residual; /* N, N m, m: residual of the last solution */
} balance;

int balance_add_body(balance *s, const double *point);
balance_part *balance_add(balance *s, enum balance_kind kind, int a, int b, const double *point);
/* Adds a bushing with linear stiffnesses along and about the axes of the ground: x, y, z, about x, y, z. */
balance_part *balance_add_bushing(balance *s, enum balance_kind kind, int a, int b, const double *point,
                                  const double *stiffness);

/* Solves from the present places. Loads are applied in `steps` equal parts. */
bool balance_solve(balance *s, int steps);

void balance_place(const balance *s, int body, const double *design, double *at);
void balance_turned(const balance *s, int body, const double *design, double *direction);
/* Returns a multiplier of a part; the only one of a wheel is the force of its support. */
double balance_multiplier(const balance *s, const balance_part *part, int which);

/* Return toe and camber of a left wheel, degrees. */
double balance_toe(const balance *s, const balance_part *wheel);
double balance_camber(const balance *s, const balance_part *wheel);

#endif
