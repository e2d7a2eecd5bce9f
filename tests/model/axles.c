/* Rigid axles and twist beams at the hardpoint level, at random states, by laws that are independent of the solution in
 * lib: power and momentum (ride_states.h), and virtual work along the travels. The rigid axle is one body that carries
 * both wheels; the linkage's solver moves it here, never a map. The twist beam has two rotations, which are solved
 * here. Velocities and arms are differences of places.
 *
 * Virtual work, for the travel z_k of each wheel, all other coordinates fixed, sums over both wheels i of its axle:
 *
 *   sum((m - c) a_i . dq_i/dz_k + c a_j . dq_i/dz_k + dH_i/dt . w_i,k)
 *     = sum(F_i . dP_i/dz_k + M_i . w_i,k - spring_i dl_i/dz_k - damper_i dl_i/dz_k) - bar + drive
 *
 * with m the unsprung mass of a wheel, a_i its acceleration minus gravity (a_j: of the other wheel), q_i its place, H_i
 * the wheel's spin momentum, F_i and M_i force and moment of the road at the contact P_i, l_i the length of spring or
 * damper, c = m/2 - J/d^2 the coupling mass of both wheels by the axle's inertia J and track d, w_i,k the rotation of
 * wheel i's part per travel of wheel k. The term `drive' depends on the axle. On an axle that steers it is the moment
 * of the shafts' joints on the knuckles, relative to the axle. On a twist beam it is T_i e_i . w_i,k, T_i the drive
 * torque, as the shaft comes from the body and the part turns about the wheel's axle e_i. A rigid axle carries its
 * final drive, of ratio n, and reacts the drive torques itself; the propeller shaft of an engine along the car turns it
 * by -sum(T)/n about the body's x. A De Dion axle is a rigid axle with the shafts of a twist beam.
 *
 * The axle is behind, or in front and steers: the linkage's solver also turns its knuckles (tests/kc/axle_steer.c
 * checks these rotations). The travels are measured on the axle, at the wheel centres' design positions. The masses
 * stay at the knuckles' places for the middle rack and move with the travels.
 *
 * On nonlinear bushings the discs are displaced from these places as in multibody.c, by the gradient of one energy W of
 * the loads of both wheels; the displacements of the right wheel follow from the left wheel's map with exchanged loads.
 * At constant loads contact and disc then move with the displaced wheel, and the energy V resists. The displaced part
 * belongs to the axle: it turns about the wheel's axle by t_i,k more than the rigid part. The rotation t_i,k adds work
 * of the brake torque and, on a rigid axle, of the torque that reacts on its final drive:
 *
 *   ... + sum((T_brake,i - T_i) t_i,k) - dV/dz_k
 *
 * where T_i of coupled shafts is the drive torque without accelerations of body and travels. The drive of an axle that
 * steers does work on the rotation A of its axle and the angles t_i of its knuckles, T_i (s_i t_i - e_i . (A + k_i
 * t_i)), with s_i the rotation of the shaft's joint per angle about the kingpin k_i. The test replaces the drive by the
 * two smallest moments on the knuckles that do this work (pin_moments).
 *
 * The tolerances are explained in multibody.c. Maps of axles have steps of 7.5 mm, and their arms are 0.45 m or longer,
 * so that f'''' h^3 is as large as there. */
#include "ride_states.h"

#include "compliance/elastic_fit.h"

#include <stdio.h>

enum kind { RIGID, DE_DION, TWIST };

static vd_linkage linkage;
static enum kind kind;
static int end;   /* the axle: VD_FRONT or VD_REAR, */
static int first; /* and its left wheel */
/* m, half the width of a difference. It is small because energies of nonlinear bushings are cubic splines of travels
 * and rack, whose third derivatives jump at knots. The error of a difference across a knot is the jump times the square
 * of the reach. */
static const double reach = 2.5e-4;

/* --- both wheels --- */

typedef struct part {
  vec at;            /* wheel centre, body axes from the centre of gravity */
  vec turn[3];       /* rows of the rotation matrix from the design position to the present one */
  double element[2]; /* m, lengths of spring and damper */
} part;

enum { HOUSING = 2 };

typedef struct both {
  part wheel[3]; /* left wheel, right wheel, and on a rigid axle its body, in the left wheel's frame */
} both;

static vec of3(const double *v) {
  return vec_of(v[0], v[1], v[2]);
}

static vec mirrored(vec v) {
  return vec_of(v.v[0], -v.v[1], v.v[2]);
}

static vec turned(const part *k, vec b) {
  return vec_of(dot(k->turn[0], b), dot(k->turn[1], b), dot(k->turn[2], b));
}

/* Returns b turned about a unit vector, by Rodrigues' formula. */
static vec about(vec axis, double angle, vec b) {
  return add(add(add(vec_of(0, 0, 0), cos(angle), b), sin(angle), cross(axis, b)), (1.0 - cos(angle)) * dot(axis, b),
             axis);
}

/* Rotates a vector with an arm of a twist beam: first about the line to the shear centre by `b', then about y by
 * `a'. */
static vec twisted(double a, double b, vec v) {
  const vd_member *m = &linkage.points.member[0];
  vec diagonal = unit(add(of3(m->chassis[1]), -1.0, of3(m->chassis[0])));
  return about(vec_of(0, 1, 0), a, about(diagonal, b, v));
}

/* Finds the angles of a twist beam at the travels of this wheel and the other one, by the secant method in both
 * angles. */
static void find_angles(double own, double other, double *a, double *b) {
  vec arm = add(of3(linkage.points.wheel_center), -1.0, of3(linkage.points.member[0].chassis[0]));
  *a = *b = 0.0;
  for (int round = 0; round < 40; round++) {
    const double d = 1e-5;
    double at[3][2], z[2] = {own, other};
    for (int k = 0; k < 3; k++)
      for (int i = 0; i < 2; i++)
        at[k][i] = twisted(*a + (k == 1) * d, (i ? -1.0 : 1.0) * (*b + (k == 2) * d), arm).v[2] - arm.v[2];
    double aa = (at[1][0] - at[0][0]) / d, ab = (at[2][0] - at[0][0]) / d, ba = (at[1][1] - at[0][1]) / d,
           bb = (at[2][1] - at[0][1]) / d, det = aa * bb - ab * ba, u = z[0] - at[0][0], v = z[1] - at[0][1];
    *a += (bb * u - ab * v) / det;
    *b += (aa * v - ba * u) / det;
  }
}

/* Returns the distance of a spring's or damper's ends; its eye is on the axle or the arm. */
static double length_of(const vd_element *e, const part *k, vec centre, vec at, double side) {
  vec eye = of3(e->eye), top = of3(e->chassis);
  if (side < 0.0) {
    eye = mirrored(eye);
    top = mirrored(top);
  }
  return norm(add(add(at, 1.0, turned(k, add(eye, -1.0, centre))), -1.0, top));
}

/* Returns both wheels of the axle at their travels and a rack position. */
static both both_at(const scene *s, const double *travel, double rack) {
  const vd_vehicle_def *v = vehicle_of(s);
  const vd_hardpoints *h = &linkage.points;
  both p;
  vd_pose body, knuckle;
  if (kind != TWIST) {
    vd_linkage_start(&linkage, &body);
    p.wheel[HOUSING] = (part){0};
    if (vd_linkage_move_racked(&linkage, travel + first, rack, &body) != VD_LINKAGE_OK)
      body.at[0] = NAN;
    for (int j = 0; j < 3; j++)
      p.wheel[HOUSING].turn[j] = of3(body.turn[j]);
  }
  for (int i = 0; i < 2; i++) {
    part *k = &p.wheel[i];
    double side = i ? -1.0 : 1.0, z = v->axle[end].wheel_radius - v->cg_height;
    vec design = of3(h->wheel_center), at, row[3];
    if (kind != TWIST) {
      part axle;
      vd_knuckle_pose(&linkage, &body, i, &knuckle);
      for (int j = 0; j < 3; j++) {
        axle.turn[j] = of3(body.turn[j]);
        k->turn[j] = of3(knuckle.turn[j]);
      }
      at = add(of3(knuckle.at), 1.0, turned(k, vec_of(0.0, i ? -2.0 * design.v[1] : 0.0, 0.0)));
      vec carrier = add(of3(body.at), 1.0, turned(&axle, vec_of(0.0, i ? -2.0 * design.v[1] : 0.0, 0.0)));
      k->element[0] = length_of(&h->spring, &axle, i ? mirrored(design) : design, carrier, side);
      k->element[1] = length_of(&h->damper, &axle, i ? mirrored(design) : design, carrier, side);
    } else {
      double a, b;
      vec pivot = of3(h->member[0].chassis[0]);
      find_angles(travel[first + i], travel[first + 1 - i], &a, &b);
      at = add(pivot, 1.0, twisted(a, b, add(design, -1.0, pivot)));
      for (int n = 0; n < 3; n++) /* columns */
        row[n] = twisted(a, b, vec_of(n == 0, n == 1, n == 2));
      for (int j = 0; j < 3; j++)
        k->turn[j] = vec_of(row[0].v[j], row[1].v[j], row[2].v[j]);
      if (i) { /* the mirror image */
        at = mirrored(at);
        for (int j = 0; j < 3; j++)
          for (int n = 0; n < 3; n++)
            k->turn[j].v[n] *= (j == 1 ? -1.0 : 1.0) * (n == 1 ? -1.0 : 1.0);
      }
    }
    design = i ? mirrored(design) : design;
    if (kind == TWIST) {
      k->element[0] = length_of(&h->spring, k, design, at, side);
      k->element[1] = length_of(&h->damper, k, design, at, side);
    }
    k->at = add(add(at, -1.0, design), 1.0, vec_of(axle_x(v, end), half(v, first + i), z));
  }
  return p;
}

/* Returns the direction of a wheel's axle, to the left. */
static vec axle_of(const both *p, int i) {
  const double *a = linkage.spin_axis;
  return turned(&p->wheel[i], i ? vec_of(-a[0], a[1], -a[2]) : of3(a));
}

/* --- nonlinear bushings --- */

/* Returns v turned by Gibbs' vector g = 2 tan(angle/2) along the axis. */
static vec turned_about(vec g, vec v) {
  double length = norm(g);
  return length > 0.0 ? about(unit(g), 2.0 * atan(0.5 * length), v) : v;
}

/* Adds the elastic displacement to a part. slope_of: derivatives of W by the wheel's loads; axle: direction of the
 * wheel's axle, to the left. */
static void displace(const vd_elastic_map *map, const double *slope_of, double side, vec axle, part *k) {
  vec aside = unit(vec_of(axle.v[0], axle.v[1], 0.0)), up = vec_of(0.0, 0.0, 1.0), ahead = cross(aside, up);
  double lean = slope_of[2] / map->unit[2];
  vec shift = add(add(vec_of(0, 0, 0), slope_of[0] / map->unit[0], ahead),
                  side * (slope_of[1] / map->unit[1] - map->arm * lean), aside);
  vec turn = add(add(add(vec_of(0, 0, 0), side * lean, ahead),
                     slope_of[3] / map->unit[3] + slope_of[0] / (map->unit[0] * map->arm), aside),
                 side * slope_of[4] / map->unit[4], up);
  k->at = add(k->at, 1.0, shift);
  for (int n = 0; n < 3; n++) {
    vec column = turned_about(turn, vec_of(k->turn[0].v[n], k->turn[1].v[n], k->turn[2].v[n]));
    for (int j = 0; j < 3; j++)
      k->turn[j].v[n] = column.v[j];
  }
}

/* Returns both wheels, displaced by bushings under their loads in the state; sets the energy of the bushings, J. */
static both displaced_at(const scene *s, const double *x, const double *travel, double rack, double *energy) {
  const vd_elastic_map *map = s->model.ride.bushing.elastic_map[2 * end];
  both p = both_at(s, travel, rack);
  vd_elastic_sample at;
  *energy = 0.0;
  if (!map)
    return p;
  for (int j = 0; j < VD_ELASTIC_PAIR; j++)
    at.load[j] = x[VD_S_BUSHING + j % VD_ELASTIC_LOADS * VD_WHEELS + first + j / VD_ELASTIC_LOADS];
  vd_elastic_sample_of(map, travel[first], travel[first + 1], rack, &at);
  for (int i = 0; i < 2; i++)
    displace(map, at.slope + VD_ELASTIC_LOADS * i, i ? -1.0 : 1.0, axle_of(&p, i), &p.wheel[i]);
  *energy = -at.energy;
  for (int j = 0; j < VD_ELASTIC_PAIR; j++)
    *energy += at.load[j] * at.slope[j];
  return p;
}

/* Both wheels at given travels, that of wheel k changed by + reach, - reach, + reach/2, - reach/2. */
typedef struct along {
  both p[4];
  double energy[4];
} along;

enum { RACK = 2 }; /* in place of a wheel's number: the rack is changed */

/* Returns both wheels at changed travels or racks. x: a state whose bushings displace the wheels, or NULL. */
static along move_on(const scene *s, const double *x, const double *travel, double rack, int k) {
  along a = {.energy = {0.0}};
  for (int t = 0; t < 4; t++) {
    double there[VD_WHEELS], by = (t % 2 == 0 ? 1.0 : -1.0) * (t < 2 ? reach : 0.5 * reach);
    for (int i = 0; i < VD_WHEELS; i++)
      there[i] = travel[i] + (k != RACK && i == first + k ? by : 0.0);
    double racked = k == RACK ? rack + by : rack;
    a.p[t] = x ? displaced_at(s, x, there, racked, &a.energy[t]) : both_at(s, there, racked);
  }
  return a;
}

static along move_along(const scene *s, const double *travel, double rack, int k) {
  return move_on(s, NULL, travel, rack, k);
}

/* Returns the derivative of a point fixed in wheel i's part; `design' is the point's design position from the wheel
 * centre. */
static vec point_slope(const along *a, int i, vec design) {
  vec p[4], r;
  for (int t = 0; t < 4; t++)
    p[t] = add(a->p[t].wheel[i].at, 1.0, turned(&a->p[t].wheel[i], design));
  for (int d = 0; d < 3; d++)
    r.v[d] = slope(p[0].v[d], p[1].v[d], p[2].v[d], p[3].v[d], reach);
  return r;
}

/* Returns the w with dR/dz R' = [w x], R the rotation matrix. */
static vec turn_slope(const along *a, int i, const both *here) {
  vec rate[3];
  for (int j = 0; j < 3; j++)
    for (int d = 0; d < 3; d++)
      rate[j].v[d] = slope(a->p[0].wheel[i].turn[j].v[d], a->p[1].wheel[i].turn[j].v[d], a->p[2].wheel[i].turn[j].v[d],
                           a->p[3].wheel[i].turn[j].v[d], reach);
  const vec *turn = here->wheel[i].turn;
  return vec_of(dot(rate[2], turn[1]), dot(rate[0], turn[2]), dot(rate[1], turn[0]));
}

static double element_slope(const along *a, int i, int j) {
  return slope(a->p[0].wheel[i].element[j], a->p[1].wheel[i].element[j], a->p[2].wheel[i].element[j],
               a->p[3].wheel[i].element[j], reach);
}

/* --- the other wheels, and the functions that ride_states.h needs --- */

/* A wheel on arms is independent of the other one. Steering does not move the unsprung mass; the linkage's solver turns
 * the knuckle. */
static vd_linkage single;

static bool on_axle(int i) {
  return vd_axle_of(i) == end;
}

static part single_at(const scene *s, int i, double travel, double rack) {
  const vd_vehicle_def *v = vehicle_of(s);
  double side = vd_side_sign(i);
  const double u[VD_INPUTS] = {travel, i < 2 ? side * rack : 0.0}, *from = single.points.wheel_center;
  vd_pose p;
  part k;
  vd_linkage_start(&single, &p);
  if (vd_linkage_move(&single, u, &p) != VD_LINKAGE_OK)
    p.at[0] = NAN;
  k.at = vec_of(axle_x(v, vd_axle_of(i)) + p.at[0] - from[0], half(v, i) + side * (p.at[1] - from[1]),
                v->axle[vd_axle_of(i)].wheel_radius - v->cg_height + p.at[2] - from[2]);
  for (int j = 0; j < 3; j++)
    for (int n = 0; n < 3; n++)
      k.turn[j].v[n] = p.turn[j][n] * (j == 1 ? side : 1.0) * (n == 1 ? side : 1.0);
  return k;
}

static vec single_axle(const part *k, int i) {
  const double *a = single.spin_axis;
  return turned(k, vd_is_right(i) ? vec_of(-a[0], a[1], -a[2]) : of3(a));
}

static vec unsprung_place(const scene *s, int i, const double *travel) {
  const vd_vehicle_def *v = vehicle_of(s);
  vec at = on_axle(i) ? both_at(s, travel, 0.0).wheel[i - first].at : single_at(s, i, travel[i], 0.0).at;
  at.v[2] = v->axle[vd_axle_of(i)].unsprung_height - v->cg_height + travel[i];
  return at;
}

static vec wheel_axle(const scene *s, const sample *p, const vd_eval *e, int i, double *turn) {
  const double *travel = p->s.x + VD_S_TRAVEL, *rate = p->s.x + VD_S_TRAVEL_RATE;
  if (!on_axle(i)) {
    part near[4], here = single_at(s, i, travel[i], e->steering.rack[VD_FRONT]);
    vec w[3];
    for (int t = 0; t < 4; t++)
      near[t] = single_at(s, i, travel[i] + (t % 2 == 0 ? 1.0 : -1.0) * (t < 2 ? reach : 0.5 * reach),
                          e->steering.rack[VD_FRONT]);
    for (int j = 0; j < 3; j++)
      for (int d = 0; d < 3; d++)
        w[j].v[d] =
            slope(near[0].turn[j].v[d], near[1].turn[j].v[d], near[2].turn[j].v[d], near[3].turn[j].v[d], reach);
    vec axle = single_axle(&here, i);
    *turn = dot(vec_of(dot(w[2], here.turn[1]), dot(w[0], here.turn[2]), dot(w[1], here.turn[0])), axle) * rate[i];
    return axle;
  }
  both here = both_at(s, travel, e->steering.rack[VD_FRONT]);
  vec axle = axle_of(&here, i - first);
  *turn = 0.0;
  for (int k = 0; k < 2; k++) {
    along a = move_along(s, travel, e->steering.rack[VD_FRONT], k);
    *turn += dot(turn_slope(&a, i - first, &here), axle) * rate[first + k];
  }
  return axle;
}

static const geometry own = {unsprung_place, wheel_axle};

/* Returns a wheel on arms, displaced by its bushings. */
static part single_displaced(const scene *s, const double *x, int i, double rack) {
  const vd_elastic_map *map = s->model.ride.bushing.elastic_map[i];
  double travel = x[VD_S_TRAVEL + i], side = vd_side_sign(i);
  part k = single_at(s, i, travel, rack);
  vd_elastic_sample at;
  if (!map)
    return k;
  for (int j = 0; j < VD_ELASTIC_LOADS; j++)
    at.load[j] = x[VD_S_BUSHING + j * VD_WHEELS + i];
  vd_elastic_sample_of(map, travel, i < 2 ? side * rack : 0.0, 0.0, &at);
  displace(map, at.slope, side, single_axle(&k, i), &k);
  return k;
}

static contact contact_of(const scene *s, const sample *p, const pose *o, const vd_eval *e, int i, worst *w) {
  double energy;
  vd_eval own_turn = *e;
  both pair = displaced_at(s, p->s.x, p->s.x + VD_S_TRAVEL, e->steering.rack[VD_FRONT], &energy);
  part k = on_axle(i) ? pair.wheel[i - first] : single_displaced(s, p->s.x, i, e->steering.rack[VD_FRONT]);
  vec axle = to_world(o, on_axle(i) ? axle_of(&pair, i - first) : single_axle(&k, i));
  if (s->model.ride.bushing.elastic_map[i]) /* the disc itself is turned */
    own_turn.suspension.compliance_steer[i] = 0.0;
  return contact_at(s, &own_turn, i, o, axle, add(o->origin, 1.0, to_world(o, k.at)), axle, w);
}

/* --- virtual work --- */

typedef struct turning {
  vec couple[2]; /* dH/dt, world */
  double passed; /* N m, on coupled shafts: wheel inertia times the spin acceleration due to body and travels */
} turning;

static turning turning_of(const scene *s, const nearby *n, double h, const double *dx) {
  turning t = {.passed = 0.0};
  for (int i = 0; i < VD_WHEELS; i++) {
    const double inertia = vehicle_of(s)->axle[vd_axle_of(i)].wheel_inertia;
    if (!on_axle(i) && !s->model.coupled)
      continue;
    double rate[4];
    vec m[4];
    for (int j = 0; j < 4; j++) {
      const double *x = n->at[j].s.x;
      pose o = pose_of(x);
      double turn;
      vec axle = wheel_axle(s, &n->at[j], &n->e[j], i, &turn);
      rate[j] = x[VD_S_SPIN + i] + turn + dot(axle, vec_of(x[VD_S_ROLL_RATE], x[VD_S_PITCH_RATE], x[VD_S_YAW_RATE]));
      m[j] = to_world(&o, add(vec_of(0, 0, 0), inertia * rate[j], axle));
    }
    for (int d = 0; d < 3 && on_axle(i); d++)
      t.couple[i - first].v[d] = slope(m[0].v[d], m[1].v[d], m[2].v[d], m[3].v[d], h);
    t.passed += inertia * fabs(slope(rate[0], rate[1], rate[2], rate[3], h) - dx[VD_S_SPIN + i]);
  }
  return t;
}

/* Computes the compressions of spring and damper of wheel i, divided by the motion ratio of parallel travels at design,
 * and their rates. */
static void compressions(const scene *s, int i, const both *here, const nearby *n, double h, double *ratio,
                         double *shorter, double *rate) {
  const double design[VD_WHEELS] = {0.0};
  both start = both_at(s, design, 0.0), at[4];
  along left = move_along(s, design, 0.0, 0), right = move_along(s, design, 0.0, 1);
  for (int t = 0; t < 4; t++)
    at[t] = both_at(s, n->at[t].s.x + VD_S_TRAVEL, n->e[t].steering.rack[VD_FRONT]);
  for (int j = 0; j < 2; j++) {
    double length[4];
    for (int t = 0; t < 4; t++)
      length[t] = at[t].wheel[i].element[j];
    ratio[j] = -element_slope(&left, i, j) - element_slope(&right, i, j);
    shorter[j] = (start.wheel[i].element[j] - here->wheel[i].element[j]) / ratio[j];
    rate[j] = -slope(length[0], length[1], length[2], length[3], h) / ratio[j];
  }
}

static double final_drive(const scene *s) {
  return s->def.vehicle.drivetrain.type == VD_DRIVETRAIN_ENGINE ? s->def.vehicle.drivetrain.final_drive : INFINITY;
}

/* Returns the moment that a constant-velocity joint transmits from the axle's half of a shaft to the knuckle's half. It
 * points along the sum of both directions, and its component along each direction is the torque (Hunt 1973). */
static vec joint_moment(const both *here, int i, double torque) {
  vec n1 = turned(&here->wheel[HOUSING], vec_of(0, 1, 0)), n2 = axle_of(here, i);
  double size = torque / (1.0 + dot(n1, n2));
  return add(add(vec_of(0, 0, 0), size, n1), size, n2);
}

/* Returns the rotation of a knuckle by its bushings: its whole rotation minus the rotation of the rigid knuckle. */
static vec elastic_turn(const both *here, const both *disc, int i, vec whole, vec rigid) {
  vec design = vec_of(0, 0, 0);
  for (int j = 0; j < 3; j++)
    design = add(design, rigid.v[j], here->wheel[i].turn[j]);
  return add(whole, -1.0, turned(&disc->wheel[i], design));
}

/* Computes the smallest moments m, m' whose sum is M and whose components m . k and m' . k' are given: m = M/2 + c, m'
 * = M/2 - c, c = p k + q k'. */
static void pin_moments(const both *here, const both *disc, const double *torque, vec m[2]) {
  vec k[2], sum = vec_of(0, 0, 0);
  double about[2];
  for (int i = 0; i < 2; i++) {
    double(*pin)[3] = linkage.points.steer.kingpin[i];
    vec rigid = turned(&here->wheel[HOUSING], unit(add(of3(pin[1]), -1.0, of3(pin[0]))));
    vec back = vec_of(0, 0, 0), axle = axle_of(disc, i);
    k[i] = elastic_turn(here, disc, i, back, rigid);
    k[i] = add(back, -1.0, k[i]);
    about[i] = dot(joint_moment(here, i, torque[i]), rigid) - torque[i] * dot(axle, k[i]);
    sum = add(sum, -torque[i], axle);
  }
  double p = about[0] - 0.5 * dot(sum, k[0]), q = 0.5 * dot(sum, k[1]) - about[1], g = dot(k[0], k[1]);
  vec c = add(add(vec_of(0, 0, 0), (p - g * q) / (1.0 - g * g), k[0]), (q - g * p) / (1.0 - g * g), k[1]);
  for (int i = 0; i < 2; i++)
    m[i] = add(add(vec_of(0, 0, 0), 0.5, sum), i ? -1.0 : 1.0, c);
}

/* Checks virtual work along the rack of an axle that steers, with all other coordinates and the wheels' spins fixed. A
 * wheel then turns with its knuckle except about its own axle; there the torques of brake and shaft act on the knuckle.
 * The log has no brake torque of locked wheels. */
static void check_rack(const scene *s, const nearby *n, double h, const sample *p, const vd_eval *e, const double *dx,
                       const contact *touch, worst *w) {
  const double *travel = p->s.x + VD_S_TRAVEL;
  pose o = pose_of(p->s.x);
  double stored;
  both here = both_at(s, travel, e->steering.rack[VD_FRONT]),
       disc = displaced_at(s, p->s.x, travel, e->steering.rack[VD_FRONT], &stored);
  along a = move_along(s, travel, e->steering.rack[VD_FRONT], RACK),
        b = move_on(s, p->s.x, travel, e->steering.rack[VD_FRONT], RACK);
  turning spins = turning_of(s, n, h, dx);
  double sum = -slope(b.energy[0], b.energy[1], b.energy[2], b.energy[3], reach);
  double largest = vehicle_of(s)->mass * VD_GRAVITY + fabs(sum);
  vec pushed[2];
  pin_moments(&here, &disc, e->drive.drive_torque + first, pushed);
  for (int i = 0; i < 2; i++) {
    vec axle = axle_of(&here, i), knuckle = turn_slope(&a, i, &here), zero = vec_of(0, 0, 0);
    vec axle_now = axle_of(&disc, i), whole = turn_slope(&b, i, &disc);
    vec rigid = add(knuckle, -dot(knuckle, axle), axle), wheel = add(whole, -dot(whole, axle_now), axle_now);
    vec from = add(touch[first + i].own, -1.0, disc.wheel[i].at);
    vec at = add(point_slope(&b, i, zero), 1.0, cross(wheel, from));
    double road = dot(to_body(&o, touch[first + i].force), at) + dot(to_body(&o, touch[first + i].moment), wheel);
    double brake = p->s.mode[VD_M_BRAKE + first + i] * e->drive.brake_capacity[first + i];
    vec drive = add(joint_moment(&here, i, e->drive.drive_torque[first + i]), -e->drive.drive_torque[first + i], axle);
    double held = dot(drive, knuckle) + brake * dot(axle_now, whole);
    held += dot(pushed[i], elastic_turn(&here, &disc, i, whole, knuckle));
    sum += road + held - dot(to_body(&o, spins.couple[i]), rigid);
    largest += fabs(road) + fabs(held);
  }
  take(&w->travel, (e->steering.rack_force[VD_FRONT] - sum) / largest);
}

/* Returns the torque on the part that carries a wheel, without the torque of shafts from the body. It is the torque of
 * a slipping brake, or the torque that balances drive and tyre of a wheel at rest, plus the torque of a final drive on
 * the axle. */
static double held_by(const scene *s, const sample *p, const vd_eval *e, int i) {
  double mode = p->s.mode[VD_M_BRAKE + i], drive = s->model.coupled ? 0.0 : e->drive.drive_torque[i];
  double brake = mode != 0.0 ? mode * e->drive.brake_capacity[i]
                             : drive + e->tyre.my[i] - e->tyre.fx[i] * s->model.lanes.radius[i];
  return brake - (kind == RIGID ? e->drive.drive_torque[i] : 0.0);
}

/* Checks virtual work along both travels. The drive torque on a locked wheel of coupled shafts is uncertain by at most
 * the sum of the wheels' inertia torques (multibody.c). It acts through the shafts on the travels of a twist beam or a
 * De Dion axle, and through the propeller shaft on those of a rigid axle. */
static void check_travels(const scene *s, const sample *p, const nearby *n, double h, const vd_eval *e,
                          const double *dx, const contact *touch, const vec *accel, worst *w) {
  const vd_vehicle_def *v = vehicle_of(s);
  const vd_axle_def *axle = &v->axle[end];
  const vd_suspension *suspension = &s->model.vehicle.axle[end].suspension;
  const double *travel = p->s.x + VD_S_TRAVEL;
  vec gravity = vec_of(0.0, 0.0, -VD_GRAVITY), zero = vec_of(0, 0, 0);
  pose o = pose_of(p->s.x);
  double stored;
  both here = both_at(s, travel, e->steering.rack[VD_FRONT]);
  both disc = displaced_at(s, p->s.x, travel, e->steering.rack[VD_FRONT], &stored);
  turning spins = turning_of(s, n, h, dx);
  double shared = 0.5 * axle->unsprung_mass - axle->unsprung_roll_inertia / (axle->track * axle->track);
  double eye[2], damper[2], ratio[2][2], sum_drive = e->drive.drive_torque[first] + e->drive.drive_torque[first + 1];
  const bool pins = linkage.points.steer.given;
  vec pushed[2];
  bool locked = false;
  if (pins)
    pin_moments(&here, &disc, e->drive.drive_torque + first, pushed);
  for (int i = 0; i < 2; i++) {
    double shorter[2], rate[2];
    compressions(s, i, &here, n, h, ratio[i], shorter, rate);
    eye[i] = vd_suspension_spring(suspension, shorter[0]);
    damper[i] = vd_suspension_damper(suspension, rate[1]);
    if (s->model.coupled && p->s.mode[VD_M_BRAKE + first + i] == 0.0)
      locked = true;
  }
  for (int k = 0; k < 2; k++) {
    along a = move_along(s, travel, e->steering.rack[VD_FRONT], k), middle = move_along(s, travel, 0.0, k);
    along b = move_on(s, p->s.x, travel, e->steering.rack[VD_FRONT], k);
    double across = travel[first + k] - travel[first + 1 - k];
    double bar = axle->antiroll_stiffness / (axle->track * axle->track) * across;
    double energy = slope(b.energy[0], b.energy[1], b.energy[2], b.energy[3], reach);
    double sum = bar + energy, largest = v->mass * VD_GRAVITY + fabs(bar) + fabs(energy);
    double spring = 0.0, damping = 0.0, arm = 0.0, elastic = 0.0;
    vec roll = zero;
    for (int i = 0; i < 2; i++) {
      const part *wheel = &disc.wheel[i];
      const contact *c = &touch[first + i];
      vec turn = turn_slope(&a, i, &here), from = add(c->own, -1.0, wheel->at), design = zero;
      vec own_turn = turn_slope(&b, i, &disc), axle_now = axle_of(&disc, i);
      double twist = dot(own_turn, axle_now) - dot(turn, axle_of(&here, i));
      vec yields = elastic_turn(&here, &disc, i, own_turn, turn);
      own_turn = add(own_turn, -twist, axle_now);
      for (int j = 0; j < 3; j++) /* back into the design position */
        design = add(design, from.v[j], wheel->turn[j]);
      vec less = add(accel[first + i], -1.0, gravity), other = add(accel[first + 1 - i], -1.0, gravity);
      vec inertia = add(add(zero, axle->unsprung_mass - shared, less), shared, other);
      vec path = point_slope(&middle, i, zero);
      path.v[2] = i == k;
      double mass = dot(to_body(&o, inertia), path);
      double spin = dot(to_body(&o, spins.couple[i]), turn);
      vec with_disc = add(point_slope(&b, i, design), -twist, cross(axle_now, from));
      double road = dot(to_body(&o, c->force), with_disc) + dot(to_body(&o, c->moment), own_turn);
      road += held_by(s, p, e, first + i) * twist;
      if (pins)
        road += dot(pushed[i], yields) + e->drive.drive_torque[first + i] * twist;
      if (kind == RIGID && s->model.coupled && s->model.ride.bushing.elastic_map[2 * end])
        elastic += pins ? norm(yields) : fabs(twist);
      double shaft = kind != RIGID ? dot(turn, axle_of(&here, i)) * e->drive.drive_torque[first + i] : 0.0;
      if (kind == RIGID)
        shaft = dot(add(turn, -1.0, turn_slope(&a, HOUSING, &here)),
                    joint_moment(&here, i, e->drive.drive_torque[first + i]));
      double elements[2] = {-eye[i] * element_slope(&a, i, 0) / ratio[i][0],
                            -damper[i] * element_slope(&a, i, 1) / ratio[i][1]};
      sum += mass + spin - road - shaft + elements[0] + elements[1];
      largest += fabs(mass) + fabs(spin) + fabs(road) + fabs(shaft) + fabs(elements[0]) + fabs(elements[1]);
      spring += elements[0];
      damping += elements[1];
      roll = add(roll, 0.5, turn);
      arm += kind != RIGID ? fabs(dot(turn, axle_of(&here, i))) : 0.0;
    }
    if (kind == RIGID) {
      sum += sum_drive / final_drive(s) * roll.v[0];
      arm = 2.0 * fabs(roll.v[0]) / final_drive(s);
    }
    arm = (locked ? arm : 0.0) + elastic;
    if (arm > 0.0) {
      take(&w->passed, sum / (arm * spins.passed));
      w->uncertain++;
    } else {
      take(&w->travel, sum / largest);
    }
    take(&w->load, (e->suspension.spring_force[first + k] - spring - bar) / (v->mass * VD_GRAVITY));
    take(&w->load, (e->suspension.damper_force[first + k] - damping) / (v->mass * VD_GRAVITY));
  }
}

/* --- momentum of an axle whose inertia is less than that of masses at its wheels --- */

/* Returns the correction of the test's angular momentum, which is computed with masses at the wheels: -c (q_l - q_r) x
 * (v_l - v_r). The car's yaw inertia does not change, so the sprung mass has c T^2 more. */
static vec lacking(const scene *s, const sample *p, const vd_eval *e) {
  const vd_axle_def *axle = &vehicle_of(s)->axle[end];
  double shared = 0.5 * axle->unsprung_mass - axle->unsprung_roll_inertia / (axle->track * axle->track);
  momenta q = momenta_of(&own, s, p, e);
  pose o = pose_of(p->s.x);
  vec apart = add(q.place[first], -1.0, q.place[first + 1]), fast = add(q.velocity[first], -1.0, q.velocity[first + 1]);
  vec more = add(vec_of(0, 0, 0), -shared, cross(apart, fast));
  return add(more, shared * axle->track * axle->track * p->s.x[VD_S_YAW_RATE], o.z);
}

/* Checks momentum as check_momentum does, with the correction that lacking() returns. */
static void check_axle_momentum(const scene *s, const sample *p, const nearby *n, double h, const vd_eval *e,
                                contact *touch, vec *accel, worst *w) {
  vec at[4];
  contact felt[VD_WHEELS];
  memcpy(felt, touch, sizeof felt);
  for (int j = 0; j < 4; j++)
    at[j] = lacking(s, &n->at[j], &n->e[j]);
  for (int d = 0; d < 3; d++)
    felt[first].moment.v[d] -= slope(at[0].v[d], at[1].v[d], at[2].v[d], at[3].v[d], h);
  check_momentum(&own, s, p, n, h, e, felt, accel, w);
}

/* --- cases --- */

enum { STATES = 15 };

#define ARMS_IN_FRONT "vehicle.front.linkage=scenarios/suspensions/dw_front_sports.yaml"
#define ARMS_BEHIND   "vehicle.rear.linkage=scenarios/suspensions/ta_rear_sedan.yaml"
#define OFF_ROAD      "scenarios/suspensions/panhard_front_offroad.yaml"

static const struct {
  const char *name;
  enum kind kind;
  int end;
  const char *front, *rear, *inertia, *spring, *damper;
} axles[] = {
    {"Panhard axle", RIGID, VD_REAR, ARMS_IN_FRONT,
     "vehicle.rear.linkage=scenarios/suspensions/panhard_rear_coupe.yaml", "vehicle.rear.unsprung_roll_inertia=35",
     "vehicle.rear.spring_stiffness=auto", "vehicle.rear.damper={bump: auto}"},
    {"four-link axle", RIGID, VD_REAR, ARMS_IN_FRONT,
     "vehicle.rear.linkage=scenarios/suspensions/four_link_rear_suv.yaml", "vehicle.rear.unsprung_roll_inertia=60",
     "vehicle.rear.spring_stiffness=auto", "vehicle.rear.damper={bump: auto}"},
    {"De Dion axle", DE_DION, VD_REAR, ARMS_IN_FRONT,
     "vehicle.rear.linkage={base: scenarios/suspensions/panhard_rear_coupe.yaml, final_drive: body}",
     "vehicle.rear.unsprung_roll_inertia=35", "vehicle.rear.spring_stiffness=auto", "vehicle.rear.damper={bump: auto}"},
    {"twist beam", TWIST, VD_REAR, ARMS_IN_FRONT,
     "vehicle.rear.linkage=scenarios/suspensions/twist_beam_rear_compact.yaml", "vehicle.rear.unsprung_roll_inertia=30",
     "vehicle.rear.spring_stiffness=auto", "vehicle.rear.damper={bump: auto}"},
    {"steered axle", RIGID, VD_FRONT, "vehicle.front.linkage=" OFF_ROAD, ARMS_BEHIND,
     "vehicle.front.unsprung_roll_inertia=40", "vehicle.front.spring_stiffness=auto",
     "vehicle.front.damper={bump: auto}"},
    {"Haltenberger linkage", RIGID, VD_FRONT,
     "vehicle.front.linkage={base: " OFF_ROAD ", steering: {tie_rod: {joins: drag_link, left: [0.16, 0.62, 0.42], "
     "right: [0.172, -0.212, 0.459]}}}",
     ARMS_BEHIND, "vehicle.front.unsprung_roll_inertia=40", "vehicle.front.spring_stiffness=auto",
     "vehicle.front.damper={bump: auto}"},
};

static void check_work(const scene *s, const sample *p, const nearby *n, double h, const vd_eval *e, const double *dx,
                       const contact *touch, const vec *accel, worst *w) {
  check_travels(s, p, n, h, e, dx, touch, accel, w);
  const bool known = !s->model.coupled || !s->model.ride.bushing.elastic_map[2 * end]; /* no torque displaces */
  if (end == VD_FRONT && known && p->s.mode[VD_M_BRAKE + first] != 0.0 && p->s.mode[VD_M_BRAKE + first + 1] != 0.0)
    check_rack(s, n, h, p, e, dx, touch, w);
}

static const suspension_laws laws = {contact_of, check_axle_momentum, check_work, NULL};

static const int one_of = 8; /* one case in so many is tried at a commit */
static int blocks;           /* number of cases so far */

static void check_case(size_t number, size_t axle, bool exact, const char *compliance) {
  if (!tap_sampled(blocks++, one_of))
    return;
  const car *c = &cases[number].car;
  const char *setting[4];
  for (size_t k = 0; k < VD_COUNT(setting); k++)
    setting[k] = c->setting[k] ? c->setting[k] : "run.level=L4";
  scene *s = scene_make(cases[number].text, setting[0], setting[1], setting[2], setting[3], "run.level=L4",
                        exact ? "run.linkage=exact" : "run.linkage=maps", axles[axle].front, axles[axle].rear,
                        axles[axle].inertia, axles[axle].spring, axles[axle].damper, "vehicle.steering.max_angle=0.4",
                        compliance, NULL);
  kind = axles[axle].kind;
  end = axles[axle].end;
  first = 2 * end;
  vd_linkage_build(&vehicle_of(s)->axle[end].corner->points, VD_PARALLEL, &linkage);
  vd_linkage_build(&vehicle_of(s)->axle[!end].corner->points, VD_PARALLEL, &single);
  seed = 9000 + 100 * axle + number;
  const worst w = check_states(&laws, s, c->what, STATES);
  char what[160];
  snprintf(what, sizeof what, "%s, %s, %s, %s", c->name, axles[axle].name, exact ? "exact" : "maps", compliance + 4);
  double law = exact ? 1e-7 : 1e-5, place = exact ? 1e-10 : 1e-7;
  report_states(&w, what, law, place);
  /* on a rigid axle without bushings only the propeller shaft's torque does work along the travels, and it is known */
  bool passes = kind != RIGID || s->model.ride.bushing.elastic_map[2 * end];
  report_passed(&w, passes && s->model.coupled && (c->what & LOCKED), what, "locked wheels on coupled shafts");
  tap_near(w.load, 0.0, law, "%s: loads and forces of springs and dampers agree with the log within %.1e m g", what,
           w.load);
  scene_free(s);
}

int main(void) {
  enum { UNSTEERED = 4 };
  int chosen = 0;
  for (int k = 0; k < (2 * (int)VD_COUNT(axles) + 1) * (int)VD_COUNT(cases) + ((int)VD_COUNT(cases) + 2) / 3; k++)
    chosen += tap_sampled(k, one_of);
  tap_plan(7 * chosen);
  for (size_t k = 0; k < VD_COUNT(cases); k++) {
    for (size_t axle = 0; axle < VD_COUNT(axles); axle++) {
      check_case(k, axle, true, "run.compliance=none");
      check_case(k, axle, false, "run.compliance=none");
    }
    check_case(k, k % UNSTEERED, true, "run.compliance=nonlinear");
    if (k % 3 == 0)
      check_case(k, UNSTEERED, true, "run.compliance=nonlinear");
  }
  return tap_done();
}
