/* L4, and L5 with rigid links: wheels on bushings, nonlinear (compliance: nonlinear).
 *
 * Coordinates. Each wheel gets five more coordinates: the loads x of its elastic map (compliance/elastic_map.h). The
 * displacement from the rigid linkage's pose is a function of x, travel z and rack r, and so is the energy V(x; z, r) =
 * x . W_x - W of the bushings. Forces of the road, drive and brake give the loads X by virtual work on the
 * displacement. Bushings are rubber, whose loss is proportional to their stiffness: with the flexibility S = W_xx and a
 * time constant T the equation of x,
 *
 *   S (X - x - T x') = 0,   x' = (X - x)/T
 *
 * has the steady solution x = X, which is the equilibrium of the whole corner. Until then it dissipates T x' . S x' >=
 * 0. (The loss factor at a frequency f is 2 pi f T.) The feedback from toe to side force and back to toe thus needs no
 * iteration, because x is a state. The radius of x is at most 1, where the map ends. Greater loads do not increase the
 * displacement, and (X - x) . S x' is still the power that is dissipated.
 *
 * Mass and spin momentum follow the rigid linkage; only the tyre's disc is displaced. With y = S x', the road's forces
 * deliver the power X . y to the displacement. The bushings store x . y of it and dissipate the rest. If the travel
 * changes at constant x, the contact point moves by the derivative of its displaced place, and the energy adds -dV/dz =
 * W_z - x . W_xz to the travel's force. The same holds for the rack. A brake's torque acts between wheel and knuckle:
 * it works on the knuckle's elastic rotation about the axle, not on the wheel's own.
 *
 * Neglected: the slips do not contain the velocities y, which would make the forces decay a little faster (1 mm of
 * displacement in 0.1 s at 20 m/s is a slip of 5e-4), but the works contain them. The masses of links and knuckle do
 * not oscillate on the bushings (above 20 Hz). A locked wheel turns with its rigid knuckle. */
#ifndef VD_ELASTIC_H
#define VD_ELASTIC_H

#include "model/guided_wheels.h"

/* Derivatives by travel and rack, and for joined wheels also by the travel of the other wheel. */
enum { VD_ELASTIC_BY_OTHER = VD_INPUTS, VD_ELASTIC_BY };

/* Values by wheel; vectors in body axes. Each group is written by the function named above it. */
typedef struct vd_elastic_wheels {
  /* vd_elastic_energies */
  /* N or N m, m: units and arm of the maps; side: 1 left, -1 right */
  vd_wide unit[VD_ELASTIC_LOADS], arm, side;
  bool paired;                                               /* the car has joined wheels */
  vd_wide joined;                                            /* 1 for joined wheels, 0 for others */
  vd_wide x[VD_ELASTIC_LOADS];                               /* loads of the wheel itself */
  vd_wide of[VD_ELASTIC_PAIR];                               /* variables of W */
  const vd_elastic_tree *tree;                               /* trees of both axles' maps */
  vd_wide term[VD_ELASTIC_NODES], reverse[VD_ELASTIC_NODES]; /* products of the loads; b of `gradients' */
  vd_wide slope[VD_ELASTIC_BY + 1][VD_ELASTIC_PAIR];         /* [0]: W_x, J; others: derivatives, J/m */
  vd_wide energy;                                            /* J, V; for joined wheels the sum of both */
  vd_wide force[VD_INPUTS];                                  /* N, N: -dV/dz, -dV/dr */
  /* vd_elastic_poses */
  vd_wide3 ahead, aside; /* horizontal unit vectors along the rigid wheel's heading and to its left */
  vd_wide3 gibbs;
  vd_wide inverse;              /* 1/q, q = 1 + g . g/4, with the vector g = `gibbs` */
  vd_wide3 turn[VD_ELASTIC_BY]; /* rad/m, derivatives of the displacement's rotation */
  vd_linkage_poses at;          /* displaced wheels; masses and springs of the rigid linkage */
  /* vd_elastic_loads */
  vd_wide load[VD_ELASTIC_LOADS]; /* X */
  vd_wide brake_torque;           /* N m, of the brake on the knuckle about its axle */
  vd_wide3 drive_couple;          /* N m, of the drive on a live axle, body axes */
} vd_elastic_wheels;

/* Computes the energies and their derivatives. x: the state; rack: m, displacement of each axle's rack. */
void vd_elastic_energies(const vd_model *m, const double *x, const double *rack, vd_elastic_wheels *w);
/* Multiplies W_xx by rates of the loads. velocity has VD_ELASTIC_PAIR numbers. */
void vd_elastic_velocities(const vd_elastic_wheels *w, const vd_wide *rate, vd_wide *velocity);

/* Computes a displacement from slopes of the energy: the shift, m, and the Gibbs vector of the rotation, 2 tan(angle/2)
 * along its axis. */
VD_INLINE void vd_elastic_displacement(const vd_elastic_wheels *w, const vd_wide *slope, vd_wide3 *shift,
                                       vd_wide3 *turn) {
  vd_wide lean = slope[2] / w->unit[2], out = slope[1] / w->unit[1] - w->arm * lean;
  vd_wide s1 = slope[0] / w->unit[0], s2 = w->side * out;
  vd_wide g1 = w->side * lean, g2 = slope[3] / w->unit[3] + s1 / w->arm, g3 = w->side * slope[4] / w->unit[4],
          none = 0.0 * s1;
  *shift = vd_wide_plus(vd_wide_scaled(s1, w->ahead), vd_wide_scaled(s2, w->aside));
  *turn = vd_wide_plus(vd_wide_plus(vd_wide_scaled(g1, w->ahead), vd_wide_scaled(g2, w->aside)),
                       (vd_wide3){none, none, g3});
}

/* Rotates a vector by the displacement: R v = v + (g x v + g x (g x v)/2)/q. */
VD_INLINE vd_wide3 vd_elastic_rotated(const vd_elastic_wheels *w, vd_wide3 v) {
  vd_wide3 once = vd_wide_cross(w->gibbs, v), twice = vd_wide_cross(w->gibbs, once);
  return (vd_wide3){v.x + w->inverse * (once.x + 0.5 * twice.x), v.y + w->inverse * (once.y + 0.5 * twice.y),
                    v.z + w->inverse * (once.z + 0.5 * twice.z)};
}

/* Returns the angular velocity from the rate of g: (g' + g x g'/2)/q. */
VD_INLINE vd_wide3 vd_elastic_turning(const vd_elastic_wheels *w, vd_wide3 rate) {
  vd_wide3 across = vd_wide_cross(w->gibbs, rate);
  return vd_wide_scaled(w->inverse,
                        (vd_wide3){rate.x + 0.5 * across.x, rate.y + 0.5 * across.y, rate.z + 0.5 * across.z});
}

/* Computes the derivative of a displacement by an input that turns the heading: the components change, and their axes
 * turn. */
VD_INLINE void vd_elastic_by_input(const vd_elastic_wheels *w, int input, vd_wide heading, vd_wide3 shift,
                                   vd_wide3 *by_shift, vd_wide3 *by_turn) {
  vd_elastic_displacement(w, w->slope[1 + input], by_shift, by_turn);
  *by_shift = vd_wide_plus(*by_shift, (vd_wide3){-heading * shift.y, heading * shift.x, 0.0 * heading});
  *by_turn = vd_wide_plus(*by_turn, (vd_wide3){-heading * w->gibbs.y, heading * w->gibbs.x, 0.0 * heading});
}

/* Computes the places of the displaced wheels from those of the rigid linkages. Reads the results of
 * vd_elastic_energies. */
VD_INLINE void vd_elastic_poses(const vd_linkage_poses *h, vd_elastic_wheels *w) {
  vd_wide ax = h->axle.x, ay = h->axle.y, none = 0.0 * ax, flat = 1.0 / (ax * ax + ay * ay), by = vd_wide_sqrt(flat);
  vd_wide3 shift, move[VD_ELASTIC_BY], turn;
  const int count = h->joined ? VD_ELASTIC_BY : VD_INPUTS;
  w->ahead = (vd_wide3){by * ay, -(by * ax), none};
  w->aside = (vd_wide3){by * ax, by * ay, none};
  vd_elastic_displacement(w, w->slope[0], &shift, &w->gibbs);
  w->inverse = 1.0 / (1.0 + 0.25 * vd_wide_dot(w->gibbs, w->gibbs));
  w->at = *h;
  w->at.centre = vd_wide_plus(h->centre, shift);
  w->at.axle = vd_elastic_rotated(w, h->axle);
  const vd_wide3 axle[VD_ELASTIC_BY] = {h->axle_travel, h->axle_rack, h->axle_other};
  vd_wide3 *const turned[VD_ELASTIC_BY] = {&w->at.axle_travel, &w->at.axle_rack, &w->at.axle_other};
  for (int k = 0; k < count; k++) { /* the heading is at right angles to the axle: its angle is that of (ay, -ax) */
    vd_elastic_by_input(w, k, flat * (ax * axle[k].y - ay * axle[k].x), shift, &move[k], &turn);
    w->turn[k] = vd_elastic_turning(w, turn);
    *turned[k] = vd_wide_plus(vd_wide_cross(w->turn[k], w->at.axle), vd_elastic_rotated(w, axle[k]));
  }
  w->at.by_travel = vd_wide_plus(h->by_travel, move[0]);
  w->at.by_rack = vd_wide_plus(h->by_rack, move[1]);
  if (h->joined)
    w->at.by_other = vd_wide_plus(h->by_other, move[VD_ELASTIC_BY_OTHER]);
}

/* Displaces the wheels. Reads the linkages' places; writes centre and axle, and what vd_elastic_observe reads. */
VD_INLINE void vd_elastic_displace(vd_work *work, const vd_linkage_poses *h, vd_elastic_wheels *w) {
  vd_elastic_energies(work->m, work->x, h->rack, w);
  vd_elastic_poses(h, w);
  work->centre = w->at.centre;
  work->axle = w->at.axle;
  vd_wide3_store(work->centre, work->e->suspension.displaced_centre[0]);
  vd_wide3_store(work->axle, work->e->suspension.displaced_axle[0]);
  vd_wide_store(w->energy, work->e->suspension.bushing_energy);
}

/* Returns the moments by which a live axle that steers loads its knuckles. They do the same work as the drive torques
 * on axle and shafts. A torque T on a wheel about its axle a is transmitted by a joint, which turns by S per angle of
 * the knuckle about its kingpin k. If the axle turns by A and the knuckle by the angle t, T does the work T (S t - a .
 * (A + k t)), apart from the rotation of the wheel itself. The knuckle turns by A + k t. So the sum of the moments m,
 * m' on both knuckles is M, the sum of -T a, and m . k is T (S - a . k). The smallest of all such pairs is m = M/2 + c,
 * m' = M/2 - c, with c in the plane of k and k'. For parallel kingpins c remains finite: they are upright, so that c
 * has no component along k - k'. Reads the displaced axles; own: -T a. */
VD_INLINE vd_wide3 vd_elastic_through_pins(const vd_linkage_poses *h, const vd_elastic_wheels *w, vd_wide torque,
                                           vd_wide3 own) {
  const double parallel = 1e-6;
  vd_wide3 by_rack = vd_wide_plus(vd_wide_cross(h->axle, h->axle_rack), vd_wide_scaled(h->rack_spin, h->axle));
  vd_wide square = vd_wide_dot(by_rack, by_rack), none = 0.0 * square;
  vd_wide_mask steers = square > none;
  vd_wide per = 1.0 / vd_wide_sqrt(vd_wide_select(steers, square, none + 1.0));
  vd_wide3 pin = vd_elastic_rotated(w, vd_wide_scaled(per, by_rack)), other = vd_wide3_swapped(pin);
  vd_wide about = torque * per * (h->shaft[2] + h->rack_spin) + vd_wide_dot(own, pin);
  vd_wide3 half = vd_wide_scaled(none + 0.5, vd_wide_plus(own, vd_wide3_swapped(own)));
  vd_wide rest = about - vd_wide_dot(half, pin), others = vd_wide_swapped(rest);
  vd_wide3 sum = vd_wide_plus(pin, other), apart = vd_wide_plus(pin, vd_wide_scaled(none - 1.0, other));
  vd_wide along = (rest - others) / vd_wide_max(vd_wide_dot(sum, sum), none + parallel);
  vd_wide across = (rest + others) / vd_wide_max(vd_wide_dot(apart, apart), none + parallel);
  vd_wide3 both = vd_wide_plus(half, vd_wide_plus(vd_wide_scaled(along, sum), vd_wide_scaled(across, apart)));
  return (vd_wide3){vd_wide_select(steers, both.x, own.x), vd_wide_select(steers, both.y, own.y),
                    vd_wide_select(steers, both.z, own.z)};
}

/* Returns the couple of the drive torques on a live axle, without the part that depends on the accelerations. */
VD_INLINE vd_wide3 vd_elastic_drive(const vd_work *work, const vd_linkage_poses *h, const vd_axle_spins *s,
                                    const vd_elastic_wheels *w) {
  vd_wide torque = vd_wide_load(work->m->ride.link.on_live_axle) * vd_l4_known_drive(work, s);
  vd_wide3 own = vd_wide_scaled(-torque, w->at.axle);
  return work->m->ride.link.kingpins ? vd_elastic_through_pins(h, w, torque, own) : own;
}

/* Computes the loads of road and brakes, and rates of the bushings' loads. A live axle also carries its drive torque.
 * Reads contacts with their forces, torques of e; writes dx. */
VD_INLINE void vd_elastic_loads(const vd_work *work, const vd_linkage_poses *h, const vd_axle_spins *s,
                                vd_elastic_wheels *w) {
  const vd_contacts *k = &work->contact;
  double knuckle_torque[VD_WHEELS];
  for (int i = 0; i < VD_WHEELS; i++)
    knuckle_torque[i] = vd_knuckle_brake(work, i);
  w->brake_torque = vd_wide_load(knuckle_torque);
  vd_wide3 force = k->force, axle = w->at.axle;
  vd_wide3 moment = vd_wide_plus(vd_wide_cross(k->down, force), k->couple);
  moment = vd_wide_plus(moment, vd_wide_scaled(w->brake_torque - vd_wide_dot(moment, axle), axle));
  if (h->joined) {
    w->drive_couple = vd_elastic_drive(work, h, s, w);
    moment = vd_wide_plus(moment, w->drive_couple);
  }
  vd_wide3 across = vd_wide_cross(w->gibbs, moment);
  moment = vd_wide_scaled(w->inverse,
                          (vd_wide3){moment.x - 0.5 * across.x, moment.y - 0.5 * across.y, moment.z - 0.5 * across.z});
  vd_wide out = w->side * vd_wide_dot(force, w->aside), none = 0.0 * out;
  vd_wide wind = vd_wide_dot(moment, w->aside);
  w->load[0] = (vd_wide_dot(force, w->ahead) + wind / w->arm) / w->unit[0];
  w->load[1] = out / w->unit[1];
  w->load[2] = (w->side * vd_wide_dot(moment, w->ahead) - w->arm * out) / w->unit[2];
  w->load[3] = wind / w->unit[3];
  w->load[4] = w->side * moment.z / w->unit[4];
  vd_wide square = none;
  for (int j = 0; j < VD_ELASTIC_LOADS; j++)
    square += w->load[j] * w->load[j];
  vd_wide radius = vd_wide_sqrt(square), within = 1.0 / vd_wide_max(radius, none + 1.0);
  double per_second = 1.0 / work->m->options.bushing_time;
  for (int j = 0; j < VD_ELASTIC_LOADS; j++)
    vd_wide_store(per_second * (w->load[j] * within - w->x[j]), work->dx + VD_S_BUSHING + j * VD_WHEELS);
}

/* Computes the loads of the bushings and adds their part to the travels' forces. The spins' reactions act on the rigid
 * knuckles. Reads w, h of the rigid linkages, and s; adds to t, whose arms are those of the displaced wheels. */
VD_INLINE void vd_elastic_forces(const vd_work *work, const vd_linkage_poses *h, const vd_axle_spins *s,
                                 vd_elastic_wheels *w, vd_travels *t) {
  vd_elastic_loads(work, h, s, w);
  vd_wide3 rigid = vd_wide_plus(vd_wide_cross(h->axle, h->axle_travel), vd_wide_scaled(h->spin, h->axle));
  vd_wide reaction = s->momentum * (vd_wide_dot(s->turning, t->turn) - vd_wide_dot(s->turning, rigid));
  t->force += w->force[0] + w->brake_torque * vd_wide_dot(w->at.axle, w->turn[0]) + reaction;
  if (!h->joined)
    return;
  t->force += vd_wide_dot(w->drive_couple, w->turn[0]);
  rigid = vd_wide_plus(vd_wide_cross(h->axle, h->axle_other), vd_wide_scaled(h->other_spin, h->axle));
  reaction = s->momentum * (vd_wide_dot(s->turning, t->other_turn) - vd_wide_dot(s->turning, rigid));
  reaction += w->brake_torque * vd_wide_dot(w->at.axle, w->turn[VD_ELASTIC_BY_OTHER]);
  t->force += vd_wide_swapped(reaction + vd_wide_dot(w->drive_couple, w->turn[VD_ELASTIC_BY_OTHER]));
}

/* Adds, after vd_guided_power, the works on the displacements, and the forces of the displaced wheels on the rack.
 * Reads all its arguments; adds to dx, and to rack_force of e. */
VD_INLINE void vd_elastic_power(const vd_work *work, const vd_linkage_poses *h, const vd_axle_spins *s,
                                const vd_travels *t, const vd_elastic_wheels *w) {
  const vd_contacts *k = &work->contact;
  vd_eval *e = work->e;
  double *dx = work->dx;
  vd_wide rate[VD_ELASTIC_LOADS], velocity[VD_ELASTIC_PAIR], lost = 0.0 * w->arm;
  vd_wide3 move, turn;
  for (int j = 0; j < VD_ELASTIC_LOADS; j++)
    rate[j] = vd_wide_load(dx + VD_S_BUSHING + j * VD_WHEELS);
  vd_elastic_velocities(w, rate, velocity);
  vd_elastic_displacement(w, velocity, &move, &turn);
  turn = vd_elastic_turning(w, turn);
  vd_wide about = vd_wide_dot(turn, w->at.axle);
  vd_wide3 tilt = vd_wide_plus(turn, vd_wide_scaled(-about, w->at.axle));
  vd_wide3 contact = vd_wide_plus(move, vd_wide_cross(tilt, k->down));
  vd_wide fx = vd_wide_load(e->tyre.fx), fy = vd_wide_load(e->tyre.fy), load = vd_wide_load(e->tyre.load);
  vd_wide mx = vd_wide_load(e->tyre.mx), my = vd_wide_load(e->tyre.my), mz = vd_wide_load(e->tyre.mz);
  vd_wide tyre = fx * vd_wide_dot(k->ahead, contact) + fy * vd_wide_dot(k->aside, contact) +
                 mx * vd_wide_dot(k->ahead, tilt) + mz * vd_wide_dot(k->normal, tilt);
  vd_wide vertical = (load * k->cosine - k->elastic) * vd_wide_dot(k->normal, contact) / k->cosine;
  for (int j = 0; j < VD_ELASTIC_LOADS; j++)
    lost += (w->load[j] - w->x[j]) * velocity[j];
  vd_wide wind = vd_wide_dot(w->at.axle, w->turn[0]) * h->rate + vd_wide_dot(w->at.axle, w->turn[1]) * h->rack_rate;
  if (h->joined)
    wind += vd_wide_dot(w->at.axle, w->turn[VD_ELASTIC_BY_OTHER]) * h->other_rate;
  vd_wide brake = w->brake_torque * (about + wind);
  vd_wide3 off = {w->at.axle.x - h->axle.x, w->at.axle.y - h->axle.y, w->at.axle.z - h->axle.z};
  vd_wide rolling = my * vd_wide_dot(vd_wide3_repeat(work->frame.w), off);
  vd_wide reaction = s->momentum * (vd_wide_dot(s->turning, t->rack_turn) -
                                    vd_wide_dot(s->turning, vd_wide_cross(h->axle, h->axle_rack)));
  vd_wide rack = w->force[1] + w->brake_torque * vd_wide_dot(w->at.axle, w->turn[1]) + reaction;
  if (h->joined) {
    turn = vd_wide_plus(turn, vd_linkage_rates(w->turn[0], w->turn[1], &w->turn[VD_ELASTIC_BY_OTHER], h));
    dx[VD_S_WORK_DRIVE] += vd_wide_sum(vd_wide_dot(w->drive_couple, turn));
    rack += vd_wide_dot(w->drive_couple, w->turn[1]);
  }
  vd_wide sums = vd_wide_sums(tyre, vertical, brake, rolling);
  dx[VD_S_WORK_TYRE] += sums[0];
  dx[VD_S_WORK_TYRE_VERTICAL] += sums[1];
  dx[VD_S_WORK_BRAKE] += sums[2];
  dx[VD_S_WORK_ROLLING] += sums[3];
  dx[VD_S_WORK_SUSPENSION] -= vd_wide_sum(lost);
  vd_add_to_racks(work, h->rack_rate, rack);
}

/* Writes, for the log after an evaluation, the wheels' places and their turns on the bushings; h: the rigid linkages.
 * Returns the energy of the bushings, J. */
double vd_elastic_observe(const vd_model *m, const vd_linkage_poses *h, vd_eval *e);

#endif
