#include "model/understeer.h"

#include "model/l4_compliance.h"
#include "model/table_steer.h"

#include <math.h>
#include <string.h>

/* The quantities that determine the angles of both axles, or the part of them that one cause adds. */
typedef struct axles {
  double force[VD_AXLES];                                                         /* N */
  double offset[VD_WHEELS], load[VD_WHEELS], camber[VD_WHEELS], kappa[VD_WHEELS]; /* rad, N, rad, - */
} axles;

_Static_assert(sizeof(axles) % sizeof(double) == 0, "only doubles, which `add' adds");

typedef struct budget {
  const vd_model *m;
  const vd_eval *e;
  double actual[VD_AXLES]; /* rad, angles of the axles in the run */
  axles of[VD_UNDERSTEER_CAUSES];
} budget;

static void add(const axles *part, double sign, axles *sum) {
  const double *from = (const double *)part;
  double *to = (double *)sum;
  for (size_t i = 0; i < sizeof *sum / sizeof *to; i++)
    to[i] += sign * from[i];
}

/* --- angles for given causes --- */

/* Computes the sum of the side forces of each axle at its angle. */
static void side_forces(const budget *b, const axles *in, const double *angle, double *sum) {
  double tan_alpha[VD_WHEELS], unused[8][VD_WHEELS], fy[VD_WHEELS];
  for (int i = 0; i < VD_WHEELS; i++)
    tan_alpha[i] = -vd_tan(angle[vd_axle_of(i)] + in->offset[i]);
  const vd_contact contact = {.kappa = in->kappa,
                              .tan_alpha = tan_alpha,
                              .vx = b->e->contact.vx_contact,
                              .omega = b->e->motion.omega,
                              .camber = in->camber,
                              .curvature = b->e->slip.turn_slip,
                              .rolling = b->e->slip.spin_per_metre};
  const vd_tyre_results out = {.fx = unused[0],
                               .fy = fy,
                               .mx = unused[1],
                               .my = unused[2],
                               .mz = unused[3],
                               .rate_x = unused[4],
                               .rate_y = unused[5],
                               .damped = unused[6]};
  vd_tyre_at_loads(&b->m->lanes.row, &contact, b->e->contact.friction, in->load, &out);
  for (int a = 0; a < VD_AXLES; a++)
    sum[a] = fy[vd_left_wheel(a)] + fy[vd_right_wheel(a)];
}

/* Finds the angles at which the axles have their forces, by Newton's method; NAN if they are not found. */
static void solve(const budget *b, const axles *in, double *angle) {
  enum { ROUNDS = 40 };
  const double enough = 1e-11, step = 1e-5, most = 0.02; /* rad */
  double worst = INFINITY, here[VD_AXLES], there[VD_AXLES];
  memcpy(angle, b->actual, sizeof b->actual);
  for (int round = 0; round < ROUNDS && worst > enough; round++) {
    const double aside[VD_AXLES] = {angle[VD_FRONT] + step, angle[VD_REAR] + step};
    side_forces(b, in, angle, here);
    side_forces(b, in, aside, there);
    worst = 0.0;
    for (int a = 0; a < VD_AXLES; a++) {
      double change = (in->force[a] - here[a]) * step / (there[a] - here[a]);
      angle[a] += vd_max(-most, vd_min(most, change));
      worst = vd_max(worst, fabs(change));
    }
  }
  if (!(worst <= enough))
    angle[VD_FRONT] = angle[VD_REAR] = NAN;
}

/* --- causes --- */

/* Computes the angle and camber of each wheel by its linkage in the design position at the present rack. */
static void design_angles(const vd_model *m, const vd_command *c, const vd_eval *e, double *angle, double *camber) {
  memcpy(angle, e->steering.angle, VD_WHEELS * sizeof *angle);
  memset(camber, 0, VD_WHEELS * sizeof *camber);
  if (!(vd_model_linked(m) || m->table_steer))
    return;
  double slope, rack[VD_AXLES] = {e->steering.rack[VD_FRONT], e->steering.rack[VD_REAR]};
  if (m->table_steer) {
    rack[VD_FRONT] = vd_linkage_rack(m->vehicle.axle[VD_FRONT].map, e->steering.steer_actual, &slope);
    rack[VD_REAR] = c->rack[VD_REAR];
  }
  for (int i = 0; i < VD_WHEELS; i++)
    angle[i] = vd_table_wheel(m, i, 0.0, rack, m->options.level == VD_L2 ? NULL : &camber[i]);
}

/* Adds the rotations of a wheel to a cause. */
static void turn(budget *b, enum vd_understeer_cause cause, int wheel, double steer, double camber) {
  b->of[cause].offset[wheel] += steer;
  b->of[cause].camber[wheel] += camber;
}

/* Adds the rotations of wheels on linear bushings. No brake acts in a steady turn. */
static void linear_compliance(budget *b) {
  static const enum vd_understeer_cause cause[] = {[VD_COMPLIANCE_FX] = VD_UNDERSTEER_DRIVE,
                                                   [VD_COMPLIANCE_FY] = VD_UNDERSTEER_FORCE,
                                                   [VD_COMPLIANCE_MZ] = VD_UNDERSTEER_MOMENT};
  const vd_eval *e = b->e;
  const bool planar = b->m->options.level == VD_L2, pairs = !planar && b->m->ride.link.joined;
  vd_load_compliance y;
  for (int i = 0; i < VD_WHEELS; i++) {
    const vd_vehicle_axle *axle = &b->m->vehicle.axle[vd_axle_of(i)];
    vd_compliance_angle of[2][2];
    memcpy(of, axle->angle_compliance, sizeof of);
    if (axle->compliance_map && !planar)
      vd_compliance_map_at(axle->compliance_map, &e->motion.travel[vd_left_wheel(vd_axle_of(i))], of);
    vd_set_load_compliance((const vd_compliance_angle(*)[2])of, i, &y);
  }
  for (int i = 0; i < VD_WHEELS; i++)
    for (int other = 0; other < (pairs ? 2 : 1); other++) {
      const double force[] = {e->tyre.fx[i ^ other], e->tyre.fy[i ^ other], e->tyre.mz[i ^ other]};
      for (size_t k = 0; k < VD_COUNT(cause); k++)
        turn(b, cause[k], i, y.steer[other][k][i] * force[k], planar ? 0.0 : y.camber[other][k][i] * force[k]);
    }
}

/* Computes the rotations of the wheels by elastic maps if only some of the loads act. loads: bit k is the load with
 * index k in the map. */
static void elastic_angles(const budget *b, const vd_command *c, const vd_state_vector *s, unsigned loads,
                           double (*angle)[VD_WHEELS]) {
  vd_state_vector some = *s;
  vd_eval e = *b->e;
  double dx[VD_STATES];
  for (int k = 0; k < VD_ELASTIC_LOADS * VD_WHEELS; k++)
    if (!(loads & 1u << k / VD_WHEELS))
      some.x[VD_S_BUSHING + k] = 0.0;
  vd_model_rates(b->m, c, some.x, some.mode, &e, dx);
  vd_model_observe(b->m, c, &some, 0.0, VD_VIEW_DETAILS, &e);
  memcpy(angle[0], e.suspension.compliance_steer, sizeof angle[0]);
  memcpy(angle[1], e.suspension.compliance_camber, sizeof angle[1]);
}

/* Adds the rotations of wheels by elastic maps. The contribution of a load is the mean of two changes: by adding this
 * load alone, and by removing it from all loads. Rotations without loads are assigned to the travels; the rest, due to
 * longitudinal forces, to the drive. */
static void elastic_compliance(const vd_command *c, const vd_state_vector *s, budget *b) {
  enum { LATERAL = 1u << 1, TURNING = 1u << 4, ALL = (1u << VD_ELASTIC_LOADS) - 1 };
  static const unsigned acts[] = {0, ALL, LATERAL, ALL & ~LATERAL, TURNING, ALL & ~TURNING};
  double at[VD_COUNT(acts)][2][VD_WHEELS];
  for (size_t k = 0; k < VD_COUNT(acts); k++)
    elastic_angles(b, c, s, acts[k], at[k]);
  for (int i = 0; i < VD_WHEELS; i++) {
    double none[2], force[2], moment[2], rest[2];
    for (int k = 0; k < 2; k++) {
      none[k] = at[0][k][i];
      force[k] = 0.5 * (at[2][k][i] - none[k] + at[1][k][i] - at[3][k][i]);
      moment[k] = 0.5 * (at[4][k][i] - none[k] + at[1][k][i] - at[5][k][i]);
      rest[k] = at[1][k][i] - none[k] - force[k] - moment[k];
    }
    turn(b, VD_UNDERSTEER_ROLL_STEER, i, none[0], 0.0);
    turn(b, VD_UNDERSTEER_CAMBER, i, 0.0, none[1]);
    turn(b, VD_UNDERSTEER_FORCE, i, force[0], force[1]);
    turn(b, VD_UNDERSTEER_MOMENT, i, moment[0], moment[1]);
    turn(b, VD_UNDERSTEER_DRIVE, i, rest[0], rest[1]);
  }
}

/* Computes the rotations of the wheels relative to the body. */
static void wheel_angles(const vd_command *c, const vd_state_vector *s, budget *b) {
  const vd_model *m = b->m;
  double design[VD_WHEELS], camber[VD_WHEELS];
  design_angles(m, c, b->e, design, camber);
  if (m->options.compliance == VD_COMPLIANCE_LINEAR && (vd_model_linked(m) || m->table_steer))
    linear_compliance(b);
  else if (m->options.level >= VD_L3 && m->ride.bushing.elastic_map[VD_FL])
    elastic_compliance(c, s, b);
  for (int i = 0; i < VD_WHEELS; i++) {
    const int rear = vd_axle_of(i) == VD_REAR;
    turn(b, VD_UNDERSTEER_ROLL_STEER, i, b->e->steering.angle[i] - design[i], 0.0);
    turn(b, VD_UNDERSTEER_SETTINGS, i, 0.0, camber[i]);
    turn(b, VD_UNDERSTEER_STEERING, i,
         rear ? 0.5 * (design[VD_RL] + design[VD_RR]) : b->e->steering.steer_actual - b->e->steering.steer, 0.0);
  }
}

/* Computes the side forces of the axles, from the balances of force and of moment about the vertical, in the axes of
 * the tyres. Unequal side forces of steered wheels, as in a turn, also have a moment about the vertical. */
static void axle_forces(budget *b) {
  const vd_eval *e = b->e;
  const vd_masses *masses = &b->m->vehicle.masses;
  const double length = masses->to_axle[VD_FRONT] + masses->to_axle[VD_REAR], side[VD_AXLES] = {1.0, -1.0};
  double moment = 0.0, ahead = -e->outside.drag, drive = 0.0, unequal = 0.0;
  for (int i = 0; i < VD_WHEELS; i++) {
    double angle = e->steering.angle[i] + e->suspension.compliance_steer[i], y = b->m->lanes.y[i];
    moment += e->tyre.mz[i];
    ahead += e->tyre.fx[i];
    drive += y * e->tyre.fx[i];
    unequal -= y * e->tyre.fy[i] * vd_sin(angle);
    b->of[VD_UNDERSTEER_DRIVE].force[vd_axle_of(i)] -= e->tyre.fx[i] * vd_sin(angle);
  }
  if (b->m->options.level >= VD_L3) /* planar levels do not move the centre of gravity of a leaning body */
    drive += ahead * e->log.ey;
  for (int a = 0; a < VD_AXLES; a++) {
    b->of[VD_UNDERSTEER_TYRES].force[a] = masses->total * e->body.ay * masses->to_axle[1 - a] / length;
    b->of[VD_UNDERSTEER_RIGID].force[a] = -side[a] * moment / length;
    b->of[VD_UNDERSTEER_DRIVE].force[a] += side[a] * drive / length;
    b->of[VD_UNDERSTEER_TRANSFER].force[a] = side[a] * unequal / length;
  }
}

static void wheel_loads(budget *b) {
  const vd_masses *masses = &b->m->vehicle.masses;
  const double length = masses->to_axle[VD_FRONT] + masses->to_axle[VD_REAR];
  const double *load = b->e->tyre.load;
  for (int i = 0; i < VD_WHEELS; i++) {
    const int a = vd_axle_of(i);
    double mean = 0.5 * (load[vd_left_wheel(a)] + load[vd_right_wheel(a)]), air = 0.5 * b->e->outside.downforce[a];
    b->of[VD_UNDERSTEER_TYRES].load[i] = 0.5 * masses->total * VD_GRAVITY * masses->to_axle[1 - a] / length;
    b->of[VD_UNDERSTEER_TRANSFER].load[i] = load[i] - mean;
    b->of[VD_UNDERSTEER_AIR].load[i] = air;
    b->of[VD_UNDERSTEER_DRIVE].load[i] = mean - air - b->of[VD_UNDERSTEER_TYRES].load[i];
    b->of[VD_UNDERSTEER_DRIVE].kappa[i] = b->e->slip.kappa[i];
  }
}

/* Computes the rest of the wheels' slip angles, cambers and forces in the run after all other causes. Camber that comes
 * neither from the bushings nor from the design position counts as roll camber. */
static void leftovers(budget *b) {
  axles known = {.force = {0.0}};
  for (int k = 0; k < VD_UNDERSTEER_CAUSES; k++)
    add(&b->of[k], 1.0, &known);
  for (int i = 0; i < VD_WHEELS; i++) {
    double angle = -vd_atan(b->e->slip.tan_alpha[i]) - b->actual[vd_axle_of(i)];
    turn(b, VD_UNDERSTEER_SETTINGS, i, angle - known.offset[i], 0.0);
    turn(b, VD_UNDERSTEER_CAMBER, i, 0.0, b->e->contact.camber[i] - known.camber[i]);
    b->of[VD_UNDERSTEER_OTHER].force[vd_axle_of(i)] += b->e->tyre.fy[i];
  }
  for (int a = 0; a < VD_AXLES; a++)
    b->of[VD_UNDERSTEER_OTHER].force[a] -= known.force[a];
}

void vd_understeer_at(const vd_model *m, const vd_command *c, const vd_state_vector *s, const vd_eval *e,
                      vd_understeer *out) {
  budget b = {.m = m, .e = e};
  axles all = {.force = {0.0}};
  double bare[VD_AXLES], whole[VD_AXLES], with[VD_AXLES], without[VD_AXLES];
  for (int a = 0; a < VD_AXLES; a++) {
    double ahead = a == VD_FRONT ? m->vehicle.masses.to_axle[VD_FRONT] : -m->vehicle.masses.to_axle[VD_REAR];
    b.actual[a] =
        (a == VD_FRONT ? e->steering.steer : 0.0) - vd_atan2(e->motion.vy + ahead * e->motion.yaw_rate, e->motion.vx);
  }
  wheel_angles(c, s, &b);
  axle_forces(&b);
  wheel_loads(&b);
  leftovers(&b);
  for (int k = 0; k < VD_UNDERSTEER_CAUSES; k++)
    add(&b.of[k], 1.0, &all);
  solve(&b, &b.of[VD_UNDERSTEER_TYRES], bare);
  solve(&b, &all, whole);
  for (int k = 0; k < VD_UNDERSTEER_CAUSES; k++) {
    axles one = b.of[VD_UNDERSTEER_TYRES], others = all;
    add(&b.of[k], k == VD_UNDERSTEER_TYRES ? 0.0 : 1.0, &one);
    add(&b.of[k], -1.0, &others);
    if (k != VD_UNDERSTEER_TYRES) {
      solve(&b, &one, with);
      solve(&b, &others, without);
    }
    for (int a = 0; a < VD_AXLES; a++)
      out->part[k][a] = k == VD_UNDERSTEER_TYRES ? bare[a] : 0.5 * (with[a] - bare[a] + whole[a] - without[a]);
  }
}
