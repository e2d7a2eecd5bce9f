#include "balance_corner.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static void between(const double *from, const double *to, double *out) {
  for (int i = 0; i < 3; i++)
    out[i] = to[i] - from[i];
}

static double length_of(const double *v) {
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static void planes_across(balance *s, int body, const double *point, const double *axis) {
  int least = fabs(axis[0]) < fabs(axis[2]) ? 0 : 2;
  double e[2][3], unit[3] = {least == 0, 0.0, least == 2};
  for (int i = 0; i < 3; i++)
    e[0][i] = axis[(i + 1) % 3] * unit[(i + 2) % 3] - axis[(i + 2) % 3] * unit[(i + 1) % 3];
  for (int i = 0; i < 3; i++)
    e[1][i] = axis[(i + 1) % 3] * e[0][(i + 2) % 3] - axis[(i + 2) % 3] * e[0][(i + 1) % 3];
  for (int k = 0; k < 2; k++)
    memcpy(balance_add(s, ON_PLANE, GROUND, body, point)->axis, e[k], sizeof e[k]);
}

/* Returns the force at the displacement x, on the straight line through the two points of a table. */
static double straight(const void *data, double x) {
  const double *xy = ((const vd_points *)data)->xy;
  return xy[1] + (x - xy[0]) * (xy[3] - xy[1]) / (xy[2] - xy[0]);
}

static balance_part *bush(balance *s, enum balance_kind kind, int body, const double *point, const vd_bushing *b,
                          const vd_bushing_law *law) {
  balance_part *p = balance_add_bushing(s, kind, GROUND, body, point, b->stiffness);
  double size = length_of(law->x_axis), y[3];
  if (size > 0.0) { /* y at right angles to both, z to x and y */
    for (int i = 0; i < 3; i++)
      y[i] = law->z_axis[(i + 1) % 3] * law->x_axis[(i + 2) % 3] - law->z_axis[(i + 2) % 3] * law->x_axis[(i + 1) % 3];
    for (int i = 0; i < 3; i++) {
      p->frame[0][i] = law->x_axis[i] / size;
      p->frame[1][i] = y[i] / length_of(y);
    }
    for (int i = 0; i < 3; i++)
      p->frame[2][i] =
          p->frame[0][(i + 1) % 3] * p->frame[1][(i + 2) % 3] - p->frame[0][(i + 2) % 3] * p->frame[1][(i + 1) % 3];
  }
  for (int i = 0; i < 6; i++) {
    p->law[i].load = law->preload[i];
    p->law[i].cubic = law->cubic[i];
    if (law->table[i].count == 2) {
      p->law[i].curve = straight;
      p->law[i].data = &law->table[i];
    }
  }
  return p;
}

/* Joins an arm or a hinge to the ground at its two points, with bushings or joints. */
static void hang(balance *s, const vd_member *m, const vd_bushing *bushing, const vd_bushing_law *law, int body) {
  for (int p = 0; p < 2; p++)
    if (bushing[p].given)
      bush(s, BUSHING, body, m->chassis[p], &bushing[p], &law[p]);
  if (bushing[0].given && bushing[1].given)
    return;
  balance_add(s, JOIN, GROUND, body, m->chassis[bushing[0].given]);
  if (!bushing[0].given && !bushing[1].given) {
    double axis[3];
    between(m->chassis[0], m->chassis[1], axis);
    planes_across(s, body, m->chassis[1], axis);
  }
}

static void ball(balance *s, double stiffness, int knuckle, int body, const double *point) {
  const double k[6] = {stiffness, stiffness, stiffness};
  if (isinf(stiffness))
    balance_add(s, JOIN, knuckle, body, point);
  else
    balance_add_bushing(s, BUSHING, knuckle, body, point, k);
}

static void stop_spin(balance *s, int body, const double *from, const double *to) {
  double axis[3], size;
  between(from, to, axis);
  size = length_of(axis);
  balance_part *p = balance_add(s, SPIN_STOP, GROUND, body, from);
  for (int i = 0; i < 3; i++)
    p->axis[i] = axis[i] / size;
}

static void across(const double *a, const double *b, double *out) {
  for (int i = 0; i < 3; i++)
    out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* Computes the shift of a point that moves about an axis along an arc as long as the rack displacement: the arc's
 * chord. */
static void pitman_shift(const vd_gear *g, double rack, const double *point, double *shift) {
  double from[3], ahead[3], inward[3], size = length_of(g->axis);
  between(g->pivot, point, from);
  across(g->axis, from, ahead); /* length: radius times that of the axis */
  across(g->axis, ahead, inward);
  double radius = length_of(ahead) / size, half = 0.5 * rack / radius, chord = 2.0 * radius * sin(half);
  for (int i = 0; i < 3; i++)
    shift[i] = chord * (cos(half) * ahead[i] / (size * radius) + sin(half) * inward[i] / (size * size * radius));
}

/* Computes the shift of a steered rod's inner end. For a relay rod Newton's method finds the rotations of both arms
 * from the constant length of the rod and the known position of its middle. */
static void gear_shift(const vd_gear *g, double rack, const double *point, double *shift) {
  memset(shift, 0, 3 * sizeof *shift);
  shift[1] = rack;
  if (g->kind == VD_GEAR_RACK)
    return;
  if (g->kind == VD_GEAR_PITMAN) {
    pitman_shift(g, rack, point, shift);
    return;
  }
  double size = length_of(g->axis), cosine = g->axis[2] / size, sine = g->axis[0] / size; /* axis to z, about y */
  double x[2], y[2], foot[2], ahead[2], middle; /* arms; pivots across and ahead of the left one */
  for (int k = 0; k < 2; k++) {
    const bool own = k == 1 && g->asymmetric;
    const double *pivot = own ? g->other_pivot : g->pivot, *joint = own ? g->other_joint : g->joint;
    double arm[3], from[3], mirror = k == 1 && !own ? -1.0 : 1.0;
    between(pivot, joint, arm);
    between(g->pivot, pivot, from);
    x[k] = cosine * arm[0] - sine * arm[2];
    y[k] = mirror * arm[1];
    foot[k] = mirror * pivot[1];
    ahead[k] = cosine * from[0] - sine * from[2];
  }
  const double rod[2] = {ahead[0] + x[0] - ahead[1] - x[1], foot[0] + y[0] - foot[1] - y[1]};
  middle = 0.5 * (foot[0] + y[0] + foot[1] + y[1]);
  double turn[2] = {0.0, 0.0}, place[2][2];
  for (int step = 0; step < 50; step++) {
    double f[2], j[2][2], by[2][2];
    for (int k = 0; k < 2; k++) {
      double co = cos(turn[k]), si = sin(turn[k]);
      place[k][0] = ahead[k] + co * x[k] - si * y[k];
      place[k][1] = foot[k] + si * x[k] + co * y[k];
      by[k][0] = -si * x[k] - co * y[k];
      by[k][1] = co * x[k] - si * y[k];
    }
    double d[2] = {place[0][0] - place[1][0], place[0][1] - place[1][1]};
    f[0] = 0.5 * (place[0][1] + place[1][1]) - middle - rack;
    f[1] = d[0] * d[0] + d[1] * d[1] - rod[0] * rod[0] - rod[1] * rod[1];
    for (int k = 0; k < 2; k++) {
      j[0][k] = 0.5 * by[k][1];
      j[1][k] = (k ? -2.0 : 2.0) * (d[0] * by[k][0] + d[1] * by[k][1]);
    }
    double det = j[0][0] * j[1][1] - j[0][1] * j[1][0];
    turn[0] -= (f[0] * j[1][1] - f[1] * j[0][1]) / det;
    turn[1] -= (j[0][0] * f[1] - j[1][0] * f[0]) / det;
  }
  /* the point's arm from the left joint turns with the rod */
  double now[2] = {place[0][0] - place[1][0], place[0][1] - place[1][1]}, long2 = rod[0] * rod[0] + rod[1] * rod[1];
  double co = (rod[0] * now[0] + rod[1] * now[1]) / long2, si = (rod[0] * now[1] - rod[1] * now[0]) / long2, from[3];
  between(g->joint, point, from);
  double along = cosine * from[0] - sine * from[2];
  double by_x = place[0][0] - x[0] + co * along - si * from[1] - along;
  shift[1] = place[0][1] - foot[0] - y[0] + si * along + co * from[1] - from[1];
  shift[0] = cosine * by_x;
  shift[2] = -sine * by_x;
}

/* Adds a rod between knuckle and arm, as stiff along its line as its joint. */
static void add_between(balance_rig *r, const vd_corner *c, int i) {
  const vd_member *m = &c->points.member[i];
  bool soft = isfinite(c->ball_stiffness[i]);
  double line[3], k = c->ball_stiffness[i];
  between(m->chassis[0], m->knuckle, line);
  balance_part *p =
      balance_add(&r->scene, soft ? COIL : APART, r->member[m->base - VD_ON_MEMBER], r->knuckle, m->chassis[0]);
  memcpy(p->far, m->knuckle, sizeof p->far);
  if (soft)
    p->law[0] = (balance_law){.rate = k, .load = -k * length_of(line)};
}

static void add_rod(balance_rig *r, const vd_corner *c, int i, double rack) {
  const vd_member *m = &c->points.member[i];
  const vd_bushing *b = &c->bushing[i][0];
  if (m->base >= VD_ON_MEMBER) {
    add_between(r, c, i);
    return;
  }
  bool second = c->blade && i == 1; /* second point of a blade */
  int body = r->member[i] = second ? r->member[0] : balance_add_body(&r->scene, m->chassis[0]);
  balance_part *inner = b->given ? bush(&r->scene, BUSHING, body, m->chassis[0], b, &c->law[i][0])
                                 : balance_add(&r->scene, JOIN, GROUND, body, m->chassis[0]);
  if (m->steered)
    gear_shift(&c->points.gear, rack, m->chassis[0], inner->shift);
  if (second) { /* two joints of one body make a hinge along the line through them */
    const vd_member *first = &c->points.member[0];
    balance_part *hinge = balance_add(&r->scene, ON_LINE, r->knuckle, body, first->knuckle);
    memcpy(hinge->far, m->knuckle, sizeof hinge->far);
    between(first->knuckle, m->knuckle, hinge->axis);
    return;
  }
  if (c->blade && i == 0) {
    ball(&r->scene, c->ball_stiffness[i], r->knuckle, body, m->knuckle);
    return;
  }
  if (!b->given || (b->stiffness[3] == 0.0 && b->stiffness[4] == 0.0 && b->stiffness[5] == 0.0))
    stop_spin(&r->scene, body, m->chassis[0], m->knuckle);
  ball(&r->scene, c->ball_stiffness[i], r->knuckle, body, m->knuckle);
}

/* Adds a strut: the rod of the damper slides in the knuckle and turns about its line; its top is at the mount. */
static void add_strut(balance_rig *r, const vd_corner *c, int i) {
  const vd_member *m = &c->points.member[i];
  const vd_bushing *b = &c->bushing[i][0];
  double axis[3], size;
  int body = balance_add_body(&r->scene, m->chassis[0]);
  between(m->knuckle, m->chassis[0], axis);
  size = length_of(axis);
  for (int k = 0; k < 3; k++)
    axis[k] /= size;
  balance_part *top = b->given ? bush(&r->scene, TOP_MOUNT, body, m->chassis[0], b, &c->law[i][0])
                               : balance_add(&r->scene, JOIN, GROUND, body, m->chassis[0]);
  memcpy(top->axis, axis, sizeof axis);
  balance_part *line = balance_add(&r->scene, ON_LINE, r->knuckle, body, m->knuckle);
  memcpy(line->far, m->chassis[0], sizeof line->far);
  memcpy(line->axis, axis, sizeof axis);
  memcpy(balance_add(&r->scene, PARALLEL, r->knuckle, body, m->knuckle)->axis, axis, sizeof axis);
  stop_spin(&r->scene, body, m->knuckle, m->chassis[0]);
  r->member[i] = r->knuckle;
}

static int holder(const balance_rig *r, const vd_element *e) {
  return e->on == VD_ON_KNUCKLE ? r->knuckle : r->member[e->on - VD_ON_MEMBER];
}

static void add_coil(balance_rig *r, const vd_corner *c, double load) {
  const vd_element *e = &c->points.spring;
  double line[3], length;
  int body = holder(r, e);
  if (e->rocker) {
    int rocker = balance_add_body(&r->scene, e->pivot);
    balance_add(&r->scene, JOIN, GROUND, rocker, e->pivot);
    double second[3];
    for (int i = 0; i < 3; i++)
      second[i] = e->pivot[i] + 0.1 * e->axis[i] / length_of(e->axis);
    planes_across(&r->scene, rocker, second, e->axis);
    memcpy(balance_add(&r->scene, APART, body, rocker, e->rod_part)->far, e->rod_rocker, 3 * sizeof(double));
    body = rocker;
  }
  between(e->chassis, e->eye, line);
  length = length_of(line);
  r->coil = balance_add(&r->scene, COIL, GROUND, body, e->chassis);
  memcpy(r->coil->far, e->eye, sizeof r->coil->far);
  r->coil->law[0] = (balance_law){.rate = c->spring_rate, .load = -load - c->spring_rate * length};
  if (!vd_linkage_joins(c->points.type))
    return;
  balance_part *image = balance_add(&r->scene, COIL, GROUND, r->other == r->knuckle ? body : r->other, e->chassis);
  memcpy(image->far, e->eye, sizeof image->far);
  image->point[1] = -image->point[1];
  image->far[1] = -image->far[1];
  image->law[0] = r->coil->law[0];
}

static balance_part *add_wheel(balance_rig *r, const vd_hardpoints *p, double side) {
  const double centre[3] = {p->wheel_center[0], side * p->wheel_center[1], p->wheel_center[2]};
  const double axis[3] = {side * p->spin_axis[0], p->spin_axis[1], side * p->spin_axis[2]};
  balance_part *w = balance_add(&r->scene, WHEEL, GROUND, r->carrier[side < 0.0], centre);
  memcpy(w->axis, axis, sizeof axis);
  w->radius = p->static_radius;
  return w;
}

/* Joins an arm of an axle to the ground. Bushings must be linear, with the chassis' axes, so that a bushing is its own
 * mirror image. */
static void hang_arm(balance_rig *r, const vd_corner *c, int body, double side) {
  const vd_member *arm = &c->points.member[0];
  const double pivot[3] = {arm->chassis[0][0], side * arm->chassis[0][1], arm->chassis[0][2]};
  if (c->bushing[0][0].given)
    balance_add_bushing(&r->scene, BUSHING, GROUND, body, pivot, c->bushing[0][0].stiffness);
  else
    balance_add(&r->scene, JOIN, GROUND, body, pivot);
}

/* Adds one of the pieces into which the cross beam is divided, as a bushing in its middle (a beam without shear): 12 E
 * I/l^3 across, E A/l along, E I/l and G J/l about its axes, half in the axes of each of its ends. */
static void add_piece(balance_rig *r, const vd_corner *c, int from, int to, double y, double l) {
  const double *m = c->points.member[0].chassis[1], co = cos(c->beam.tilt), si = sin(c->beam.tilt);
  const double middle[3] = {m[0], y, m[2]}, frame[3][3] = {{co, 0.0, -si}, {0.0, 1.0, 0.0}, {si, 0.0, co}};
  const double centroid[3] = {m[0] + c->beam.centroid[0], y, m[2] + c->beam.centroid[1]};
  const double *ei = c->beam.bending;
  const double across[6] = {12.0 * ei[1] / (l * l * l), 0.0,      12.0 * ei[0] / (l * l * l), ei[0] / l,
                            c->beam.torsion / l,        ei[1] / l};
  for (int half = 0; half < 2; half++) {
    int a = half ? to : from, b = half ? from : to;
    balance_part *p = balance_add_bushing(&r->scene, BUSHING, a, b, middle, across);
    memcpy(p->frame, frame, sizeof frame);
    for (int i = 0; i < 6; i++)
      p->law[i].rate *= 0.5;
    const double along[6] = {0.0, 0.5 * c->beam.axial / l, 0.0, 0.0, 0.0, 0.0};
    p = balance_add_bushing(&r->scene, BUSHING, a, b, centroid, along);
    memcpy(p->frame, frame, sizeof frame);
  }
}

/* Adds both arms, and the pieces of the beam between them, from right to left. */
static void add_beam(balance_rig *r, const vd_corner *c, int pieces) {
  const vd_hardpoints *p = &c->points;
  const double right[3] = {p->wheel_center[0], -p->wheel_center[1], p->wheel_center[2]};
  double l = c->beam.length / pieces;
  r->member[0] = r->knuckle;
  r->other = balance_add_body(&r->scene, right);
  hang_arm(r, c, r->knuckle, 1.0);
  hang_arm(r, c, r->other, -1.0);
  for (int i = 0, from = r->other; i < pieces; i++) {
    const double end[3] = {p->member[0].chassis[1][0], -0.5 * c->beam.length + (i + 1) * l, p->member[0].chassis[1][2]};
    int to = i + 1 == pieces ? r->knuckle : balance_add_body(&r->scene, end);
    add_piece(r, c, from, to, -0.5 * c->beam.length + (i + 0.5) * l, l);
    from = to;
  }
}

void balance_twist_beam(const vd_corner *c, double load, int pieces, balance_rig *r) {
  memset(r, 0, sizeof *r);
  r->knuckle = balance_add_body(&r->scene, c->points.wheel_center);
  add_beam(r, c, pieces);
  r->carrier[0] = r->knuckle;
  r->carrier[1] = r->other;
  if (c->points.spring.given && !isnan(load))
    add_coil(r, c, load);
  r->wheel = add_wheel(r, &c->points, 1.0);
  r->right = add_wheel(r, &c->points, -1.0);
}

/* Adds a rod with balls at its ends, or with a stiffness along its line. */
static balance_part *add_link(balance *s, int a, const double *from, int b, const double *to, double stiffness) {
  balance_part *p = balance_add(s, stiffness > 0.0 ? COIL : APART, a, b, from);
  double line[3];
  between(from, to, line);
  memcpy(p->far, to, sizeof p->far);
  p->law[0] = (balance_law){.rate = stiffness, .load = -stiffness * length_of(line)};
  return p;
}

/* Adds knuckles on hinges, drag link and tie rod; a drag link to which a tie rod is joined is a body. */
static void add_steering(balance_rig *r, const vd_corner *c, double rack) {
  const vd_axle_steer *st = &c->points.steer;
  balance *s = &r->scene;
  for (int side = 0; side < 2; side++) {
    const double *lower = st->kingpin[side][0], *upper = st->kingpin[side][1];
    r->carrier[side] = balance_add_body(s, lower);
    balance_add(s, JOIN, r->knuckle, r->carrier[side], lower);
    balance_part *line = balance_add(s, ON_LINE, r->knuckle, r->carrier[side], lower);
    memcpy(line->far, upper, sizeof line->far);
    between(lower, upper, line->axis);
  }
  const int driven = r->carrier[st->driven_side], other = r->carrier[!st->driven_side];
  const double *gear = st->drag_link[0], *joint = st->drag_link[1], *tie = st->tie_rod[st->driven_side];
  balance_part *held;
  int base = driven;
  if (st->tie_rod_on_drag_link) {
    base = balance_add_body(s, gear);
    held = balance_add(s, JOIN, GROUND, base, gear);
    balance_add(s, JOIN, driven, base, joint);
    stop_spin(s, base, gear, joint);
  } else {
    held = add_link(s, GROUND, gear, driven, joint, st->drag_link_stiffness);
  }
  gear_shift(&c->points.gear, rack, gear, held->shift);
  add_link(s, base, tie, other, st->tie_rod[!st->driven_side], st->tie_rod_stiffness);
}

void balance_corner(const vd_corner *c, double rack, double load, balance_rig *r) {
  const vd_hardpoints *p = &c->points;
  if (vd_linkage_traits_of(p->type)->beam) {
    balance_twist_beam(c, load, 1, r);
    return;
  }
  memset(r, 0, sizeof *r);
  r->knuckle = r->other = balance_add_body(&r->scene, p->wheel_center);
  for (int i = 0; i < p->members; i++)
    switch (p->member[i].kind) {
    case VD_ARM:
      r->member[i] = balance_add_body(&r->scene, p->member[i].chassis[0]);
      hang(&r->scene, &p->member[i], c->bushing[i], c->law[i], r->member[i]);
      ball(&r->scene, c->ball_stiffness[i], r->knuckle, r->member[i], p->member[i].knuckle);
      break;
    case VD_ROD: add_rod(r, c, i, rack); break;
    case VD_SLIDER: add_strut(r, c, i); break;
    case VD_HINGE:
      r->member[i] = r->knuckle;
      hang(&r->scene, &p->member[i], c->bushing[i], c->law[i], r->knuckle);
      break;
    }
  if (p->spring.given && !isnan(load))
    add_coil(r, c, load);
  r->carrier[0] = r->knuckle;
  r->carrier[1] = r->other;
  if (p->steer.given)
    add_steering(r, c, rack);
  r->wheel = add_wheel(r, p, 1.0);
  r->right = vd_linkage_traits_of(p->type)->axle ? add_wheel(r, p, -1.0) : NULL;
}

static void weigh(balance_rig *r, int body, const double *at, double mass) {
  balance_add(&r->scene, DEAD_LOAD, GROUND, body, at)->force[2] = -9.80665 * mass;
}

/* Adds the weight of an arm. An arm is a V of two bars of one thickness, whose middles carry its weight; the second leg
 * of a twist beam's arm ends at the shear centre. */
static void weigh_legs(balance_rig *r, const vd_corner *c, int i, int body, double side, const double *outer) {
  const vd_member *m = &c->points.member[i];
  double leg[2][3], size[2], middle[3];
  for (int p = 0; p < 2; p++) {
    between(m->chassis[p], outer, leg[p]);
    size[p] = length_of(leg[p]);
  }
  for (int p = 0; p < 2; p++) {
    for (int k = 0; k < 3; k++)
      middle[k] = outer[k] - 0.5 * leg[p][k];
    middle[1] *= side;
    weigh(r, body, middle, c->member_mass[i] * size[p] / (size[0] + size[1]));
  }
}

/* Adds the weight of a bar at its middle or, if the bar is not a body of the rig, half of it at each end. */
static void weigh_rod(balance_rig *r, const vd_corner *c, int i) {
  const vd_member *m = &c->points.member[i];
  const double mass = c->member_mass[i];
  double middle[3];
  if (m->base >= VD_ON_MEMBER) {
    weigh(r, r->knuckle, m->knuckle, 0.5 * mass);
    weigh(r, r->member[m->base - VD_ON_MEMBER], m->chassis[0], 0.5 * mass);
    return;
  }
  for (int k = 0; k < 3; k++)
    middle[k] = 0.5 * (m->chassis[0][k] + m->knuckle[k]);
  weigh(r, r->member[i], middle, mass);
}

void balance_weigh(const vd_corner *c, balance_rig *r) {
  const vd_hardpoints *p = &c->points;
  const bool axle = vd_linkage_traits_of(p->type)->axle, beam = vd_linkage_traits_of(p->type)->beam;
  const double centre[3] = {p->wheel_center[0], axle ? 0.0 : p->wheel_center[1], p->wheel_center[2]};
  const double right[3] = {centre[0], -centre[1], centre[2]};
  weigh(r, r->knuckle, centre, c->knuckle_mass);
  for (int i = 0; i < p->members; i++)
    switch (p->member[i].kind) {
    case VD_ARM: weigh_legs(r, c, i, r->member[i], 1.0, p->member[i].knuckle); break;
    case VD_HINGE: weigh_legs(r, c, i, r->knuckle, 1.0, centre); break;
    case VD_ROD: weigh_rod(r, c, i); break;
    case VD_SLIDER: break;
    }
  if (!beam || r->other == r->knuckle)
    return;
  weigh(r, r->other, right, c->knuckle_mass);
  weigh_legs(r, c, 0, r->other, -1.0, centre);
}

/* Adds one arm of a rigid twist beam in heave, which turns about the line through both pivots. */
static void heave_arm(const vd_corner *c, balance_rig *r) {
  static const double across[3] = {0.0, 1.0, 0.0};
  const double *pivot = c->points.member[0].chassis[0], second[3] = {pivot[0], pivot[1] - 0.5, pivot[2]};
  memset(r, 0, sizeof *r);
  r->knuckle = r->other = r->member[0] = balance_add_body(&r->scene, c->points.wheel_center);
  balance_add(&r->scene, JOIN, GROUND, r->knuckle, pivot);
  planes_across(&r->scene, r->knuckle, second, across);
  add_coil(r, c, 0.0);
  r->scene.parts--; /* the mirror image */
  r->carrier[0] = r->knuckle;
  r->wheel = add_wheel(r, &c->points, 1.0);
}

/* Returns the force of both jacks, N, under a load of each wheel, if each spring has the force `push`. */
static double jacks(const vd_corner *corner, double push, double wheel_load, bool with_weights) {
  balance_rig r;
  balance_corner(corner, 0.0, push, &r);
  if (with_weights)
    balance_weigh(corner, &r);
  for (balance_part *p = r.scene.part; p < r.scene.part + r.scene.parts; p++)
    if (p->kind == COIL)
      p->law[0] = (balance_law){.load = -push};
  r.wheel->support = r.right->support = SUPPORT_CENTRE;
  r.wheel->force[2] = r.right->force[2] = wheel_load;
  return balance_solve(&r.scene, 1)
             ? balance_multiplier(&r.scene, r.wheel, 0) + balance_multiplier(&r.scene, r.right, 0)
             : NAN;
}

static double spring_load(const vd_corner *corner, double wheel_load, bool with_weights) {
  if (isfinite(corner->spring_load))
    return corner->spring_load;
  vd_corner rigid = *corner;
  balance_rig r;
  memset(rigid.bushing, 0, sizeof rigid.bushing);
  rigid.points.steer.drag_link_stiffness = rigid.points.steer.tie_rod_stiffness = 0.0;
  rigid.blade = false; /* the two points of a blade would make an arm's hinge */
  for (int i = 0; i < VD_MEMBERS; i++)
    rigid.ball_stiffness[i] = INFINITY;
  if (vd_linkage_traits_of(corner->points.type)->axle) { /* linear in the push, since all links are rigid */
    double none = jacks(&rigid, 0.0, wheel_load, with_weights),
           some = jacks(&rigid, wheel_load, wheel_load, with_weights);
    return wheel_load * none / (none - some);
  }
  if (vd_linkage_traits_of(corner->points.type)->beam)
    heave_arm(&rigid, &r);
  else
    balance_corner(&rigid, 0.0, 0.0, &r);
  if (with_weights)
    balance_weigh(&rigid, &r);
  for (balance_part *p = r.scene.part; p < r.scene.part + r.scene.parts; p++)
    if (p->kind == COIL)
      p->kind = APART;
  r.wheel->force[2] = wheel_load;
  return balance_solve(&r.scene, 1) ? balance_multiplier(&r.scene, r.coil, 0) : NAN;
}

double balance_spring_load(const vd_corner *corner, double wheel_load) {
  return spring_load(corner, wheel_load, false);
}

double balance_spring_load_with_weights(const vd_corner *corner, double wheel_load) {
  return spring_load(corner, wheel_load, true);
}

void balance_rises(const vd_corner *corner, const double *u, double rack, double *rise) {
  const double *p = corner->points.wheel_center;
  vd_linkage l;
  vd_pose pose, knuckle;
  rise[0] = u[0];
  rise[1] = u[1];
  if (!corner->points.steer.given)
    return;
  if (!vd_linkage_build(&corner->points, VD_EACH, &l))
    rise[0] = NAN;
  vd_linkage_start(&l, &pose);
  if (vd_linkage_move_racked(&l, u, rack, &pose) != VD_LINKAGE_OK)
    rise[0] = NAN;
  for (int side = 0; side < 2; side++) {
    const double centre[3] = {p[0], side ? -p[1] : p[1], p[2]};
    vd_knuckle_pose(&l, &pose, side, &knuckle);
    rise[side] += vd_pose_point(&l, &knuckle, centre).z.v - centre[2] - u[side];
  }
}

/* --- loads --- */

void balance_load_wheel(balance_part *wheel, const vd_wheel_load *load) {
  const double force[3] = {load->fx, load->fy, load->fz};
  memcpy(wheel->force, force, sizeof force);
  memcpy(wheel->centre_force, load->centre, sizeof load->centre);
  wheel->moment[2] = load->mz;
  wheel->torque = load->torque;
  wheel->free_spin = load->rolls;
}

void balance_set_load(balance_rig *r, const vd_wheel_load *load) {
  balance_load_wheel(r->wheel, load);
}

/* Applies a load in parts, and solves after each part; fz begins at `from', all other loads at 0. */
static bool approach(balance_rig *r, double from, const vd_wheel_load *to) {
  enum { PARTS = 4 };
  bool ok = true;
  for (int i = 1; ok && i <= PARTS; i++) {
    double share = (double)i / PARTS;
    vd_wheel_load part = *to;
    part.fx *= share;
    part.fy *= share;
    part.fz = from + share * (to->fz - from);
    part.mz *= share;
    part.torque *= share;
    for (int k = 0; k < 3; k++)
      part.centre[k] *= share;
    balance_set_load(r, &part);
    ok = balance_solve(&r->scene, 1);
  }
  return ok;
}

static double lowest_z(const balance_rig *r) {
  double axis[3], centre[3], size = 0.0;
  balance_turned(&r->scene, r->carrier[0], r->wheel->axis, axis);
  balance_place(&r->scene, r->carrier[0], r->wheel->point, centre);
  for (int i = 0; i < 3; i++)
    size += axis[i] * axis[i];
  return centre[2] - r->wheel->radius * sqrt(1.0 - axis[2] * axis[2] / size);
}

bool balance_hold(balance_rig *r, enum vd_hold how, double design_load, const double *u, const vd_wheel_load *whole) {
  vd_wheel_load load = *whole;
  double from = load.fz;
  r->wheel->support = SUPPORT_CENTRE;
  r->wheel->lift = u[0];
  if (r->right) {
    r->right->support = SUPPORT_CENTRE;
    r->right->lift = u[1];
  }
  if (how != VD_HOLD_CENTRE) { /* finds the height at which the spring alone carries fz */
    const vd_wheel_load alone = {.fz = whole->fz};
    double design = lowest_z(r);
    r->wheel->support = SUPPORT_NONE;
    if (!approach(r, design_load, &alone))
      return false;
    r->wheel->lift = lowest_z(r) - design;
    r->wheel->support = how == VD_HOLD_GROUND ? SUPPORT_GROUND : SUPPORT_NONE;
  }
  if (how == VD_HOLD_GROUND) /* fz is then the force of the ground itself */
    load.fz = from = 0.0;
  return approach(r, from, &load);
}
