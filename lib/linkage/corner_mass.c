#include "linkage/corner_mass.h"
#include "base/vec.h"
#include "linkage/crank.h"

#include <math.h>
#include <string.h>

const double vd_corner_inertia_shares[3] = {0.36, 0.5, 0.36};

static const double origin[3];

/* --- bodies --- */

static vd_corner_bar make_bar(const vd_corner *corner, int member, double mass, int at, const double *outer) {
  vd_corner_bar b = {.mass = mass, .member = member, .at = at};
  memcpy(b.inner, corner->points.member[member].chassis[at], sizeof b.inner);
  memcpy(b.outer, outer, sizeof b.outer);
  return b;
}

/* Makes the two legs of an arm or hinge, bars of the same thickness. */
static int make_legs(const vd_corner *corner, int member, const double *outer, vd_corner_bar *out) {
  const vd_member *m = &corner->points.member[member];
  double front = vd_distance(m->chassis[0], outer), rear = vd_distance(m->chassis[1], outer);
  double mass = corner->member_mass[member];
  out[0] = make_bar(corner, member, mass * front / (front + rear), 0, outer);
  out[1] = make_bar(corner, member, mass * rear / (front + rear), 1, outer);
  return 2;
}

static int bars_of(const vd_corner *corner, int member, vd_corner_bar *out) {
  const vd_member *m = &corner->points.member[member];
  switch (m->kind) {
  case VD_ARM: return make_legs(corner, member, m->knuckle, out);
  case VD_HINGE: return make_legs(corner, member, corner->points.wheel_center, out);
  case VD_ROD: out[0] = make_bar(corner, member, corner->member_mass[member], 0, m->knuckle); return 1;
  case VD_SLIDER: break;
  }
  return 0;
}

int vd_corner_bars(const vd_corner *corner, vd_corner_bar *out) {
  int count = 0;
  for (int member = 0; member < corner->points.members; member++)
    count += bars_of(corner, member, out + count);
  return count;
}

bool vd_corner_masses_known(const vd_corner *corner) {
  vd_corner_bar bar[VD_CORNER_BARS];
  const int bars = vd_corner_bars(corner, bar);
  double sum = corner->knuckle_mass;
  for (int k = 0; k < bars; k++)
    sum += bar[k].mass;
  return isfinite(sum);
}

static void knuckle_centre(const vd_corner *corner, bool axle, double *centre) {
  memcpy(centre, corner->points.wheel_center, 3 * sizeof *centre);
  if (axle)
    centre[1] = 0.0;
}

/* --- inertia at the linkage's inputs --- */

/* Place of a point relative to a fixed one, with its derivatives. Each row holds the three components by one input, as
 * vd_dot takes them. */
typedef struct track {
  double at[3], d[VD_INPUTS][3], h[VD_SECONDS][3];
} track;

static track track_of(vd_jet3 p, const double *from) {
  const vd_jet *part[3] = {&p.x, &p.y, &p.z};
  track t;
  vd_jet3_value(p, t.at);
  vd_between(from, t.at, t.at);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < VD_INPUTS; k++)
      t.d[k][i] = part[i]->d[k];
    for (int k = 0; k < VD_SECONDS; k++)
      t.h[k][i] = part[i]->h[k];
  }
  return t;
}

/* Adds the products m a.b of two points a and b of a bar, symmetric; b may be a. With the velocity a_j u_j' and the
 * acceleration a_j u_j'' + a_jk u_j' u_k' of a point, the force of inertia works along u_i by the product of a_i with
 * the acceleration. */
static void add_points(double m, const track *a, const track *b, vd_corner_mass *out) {
  for (int i = 0; i < VD_INPUTS; i++) {
    for (int j = 0; j < VD_INPUTS; j++)
      out->mass[i][j] += 0.5 * m * (vd_dot(a->d[i], b->d[j]) + vd_dot(b->d[i], a->d[j]));
    for (int k = 0; k < VD_SECONDS; k++)
      out->curve[i][k] += 0.5 * m * (vd_dot(a->d[i], b->h[k]) + vd_dot(b->d[i], a->h[k]));
  }
}

static void add_weight(double m, const track *t, vd_corner_mass *out) {
  for (int i = 0; i < VD_INPUTS; i++)
    out->weight[i] -= m * VD_GRAVITY * t->d[i][2];
}

/* Adds a bar. All its points stay on the line between its ends a and b: the integral of v.v along it is (a.a + a.b +
 * b.b)/3. */
static void add_bar(const vd_corner_bar *b, const vd_linkage *l, const vd_pose *pose, vd_corner_mass *out) {
  track a = track_of(vd_member_base(l, pose, b->member, b->at), origin);
  track c = track_of(vd_pose_point(l, pose, b->outer), origin);
  add_points(b->mass / 3.0, &a, &a, out);
  add_points(b->mass / 3.0, &a, &c, out);
  add_points(b->mass / 3.0, &c, &c, out);
  add_weight(0.5 * b->mass, &a, out);
  add_weight(0.5 * b->mass, &c, out);
}

/* Computes the angular momentum R I R' v of a body that turns at v; `inertia' is I about the body's own axes. */
static void momentum(const vd_pose *pose, const double *inertia, const double *v, double *out) {
  double own[3];
  for (int i = 0; i < 3; i++)
    own[i] = inertia[i] * (pose->turn[0][i] * v[0] + pose->turn[1][i] * v[1] + pose->turn[2][i] * v[2]);
  for (int i = 0; i < 3; i++)
    out[i] = vd_dot(pose->turn[i], own);
}

/* Adds a rotation by Euler's equation: with the spin w_j u_j' and its rate w_j u_j'' + a_jk u_j' u_k' the moment is I a
 * + w x I w; along u_i it works by its product with w_i. */
static void add_turning(const double *inertia, const vd_pose *pose, vd_corner_mass *out) {
  double iw[VD_INPUTS][3];
  for (int j = 0; j < VD_INPUTS; j++)
    momentum(pose, inertia, pose->spin[j], iw[j]);
  for (int i = 0; i < VD_INPUTS; i++) {
    const double *w = pose->spin[i];
    for (int j = 0; j < VD_INPUTS; j++)
      out->mass[i][j] += vd_dot(w, iw[j]);
    for (int k = 0; k < VD_SECONDS; k++) {
      double gyro[3], other[3];
      vd_cross(pose->spin[vd_first_input[k]], iw[vd_second_input[k]], gyro);
      vd_cross(pose->spin[vd_second_input[k]], iw[vd_first_input[k]], other);
      out->curve[i][k] += vd_dot(iw[i], pose->angular[k]) + 0.5 * (vd_dot(w, gyro) + vd_dot(w, other));
    }
  }
}

void vd_corner_mass_at(const vd_corner *corner, const vd_linkage *l, const vd_pose *pose, vd_corner_mass *out) {
  double centre[3];
  *out = (vd_corner_mass){.weight = {0.0}};
  knuckle_centre(corner, l->axle, centre);
  track knuckle = track_of(vd_pose_point(l, pose, centre), origin);
  add_points(corner->knuckle_mass, &knuckle, &knuckle, out);
  add_weight(corner->knuckle_mass, &knuckle, out);
  add_turning(corner->knuckle_inertia, pose, out);
  vd_corner_bar bar[VD_CORNER_BARS];
  int bars = vd_corner_bars(corner, bar);
  for (int k = 0; k < bars; k++)
    add_bar(&bar[k], l, pose, out);
}

/* --- moments --- */

/* Adds the moments m a b of two points a and b of a bar, symmetric; b may be a. */
static void add_moments(double m, const track *a, const track *b, vd_corner_moments *out) {
  double turn[3], back[3];
  vd_cross(a->at, b->d[0], turn);
  vd_cross(b->at, a->d[0], back);
  out->mass += m * vd_dot(a->d[0], b->d[0]);
  for (int i = 0; i < 3; i++) {
    out->angular[i] += 0.5 * m * (turn[i] + back[i]);
    for (int j = 0; j < 3; j++)
      out->second[i][j] += 0.5 * m * (a->at[i] * b->at[j] + b->at[i] * a->at[j]);
  }
}

/* Adds the knuckle's own tensor of inertia I, in the axes of the chassis, without the part `turning' about the wheel's
 * axle, which does not turn with the knuckle. With the rotation w per travel its angular momentum per travel is I w;
 * its second moments about its centre are trace(I)/2 1 - I, with the unit matrix 1. */
static void add_knuckle_turn(const vd_corner *corner, const vd_linkage *l, const vd_pose *pose, double turning,
                             vd_corner_moments *out) {
  const double *inertia = corner->knuckle_inertia, *w = pose->spin[0];
  double own[3][3], half = 0.5 * (inertia[0] + inertia[1] + inertia[2] - turning);
  const double *axle = l->spin_axis;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      own[i][j] = (i == j ? inertia[i] : 0.0) - turning * axle[i] * axle[j];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double sum = 0.0;
      for (int k = 0; k < 3; k++)
        sum += pose->turn[i][k] * vd_dot(own[k], pose->turn[j]);
      out->second[i][j] += (i == j ? half : 0.0) - sum;
      out->angular[i] += sum * w[j];
      out->mass += w[i] * sum * w[j];
    }
}

void vd_corner_moments_at(const vd_corner *corner, const vd_linkage *l, const vd_pose *pose, const double *from,
                          double turning, vd_corner_moments *out) {
  double centre[3];
  *out = (vd_corner_moments){.mass = 0.0};
  knuckle_centre(corner, l->axle, centre);
  track knuckle = track_of(vd_pose_point(l, pose, centre), from);
  add_moments(corner->knuckle_mass, &knuckle, &knuckle, out);
  for (int i = 0; i < 3; i++)
    out->first[i] += corner->knuckle_mass * knuckle.at[i];
  add_knuckle_turn(corner, l, pose, turning, out);
  vd_corner_bar b[VD_CORNER_BARS];
  int bars = vd_corner_bars(corner, b);
  for (int k = 0; k < bars; k++) {
    track a = track_of(vd_member_base(l, pose, b[k].member, b[k].at), from);
    track c = track_of(vd_pose_point(l, pose, b[k].outer), from);
    add_moments(b[k].mass / 3.0, &a, &a, out);
    add_moments(b[k].mass / 3.0, &a, &c, out);
    add_moments(b[k].mass / 3.0, &c, &c, out);
    for (int i = 0; i < 3; i++)
      out->first[i] += 0.5 * b[k].mass * (a.at[i] + c.at[i]);
  }
}

void vd_corner_spring_forces(const vd_corner *corner, const vd_linkage *l, const vd_pose *pose, double load,
                             double *force) {
  const vd_element *spring = &corner->points.spring;
  vd_pose design;
  force[0] = force[1] = 0.0;
  if (!spring->given)
    return;
  vd_linkage_start(l, &design);
  vd_jet length = vd_element_length(l, pose, spring);
  double push = load + corner->spring_rate * (vd_element_length(l, &design, spring).v - length.v);
  for (int i = 0; i < VD_INPUTS; i++)
    force[i] = push * length.d[i];
}

void vd_corner_accel(const vd_corner_mass *m, bool axle, const double *rate, const double *force, double *accel) {
  double right[VD_INPUTS];
  for (int i = 0; i < VD_INPUTS; i++)
    right[i] = force[i] + m->weight[i] - m->curve[i][VD_UU] * rate[0] * rate[0] -
               2.0 * m->curve[i][VD_UV] * rate[0] * rate[1] - m->curve[i][VD_VV] * rate[1] * rate[1];
  if (!axle) {
    accel[0] = right[0] / m->mass[0][0];
    accel[1] = 0.0;
    return;
  }
  double determinant = m->mass[0][0] * m->mass[1][1] - m->mass[0][1] * m->mass[1][0];
  accel[0] = (m->mass[1][1] * right[0] - m->mass[0][1] * right[1]) / determinant;
  accel[1] = (m->mass[0][0] * right[1] - m->mass[1][0] * right[0]) / determinant;
}

/* --- the open chain of the reference system --- */

/* The joint of the link that drives the corner in the reference system, and a point of that link from which its turn is
 * computed. */
typedef struct drive {
  double place[3], axis[3], point[3];
} drive;

static bool find_drive(const vd_corner *corner, drive *out) {
  const char *name = vd_linkage_traits_of(corner->points.type)->drive;
  const vd_member *m = corner->points.member;
  if (!name)
    return false;
  while (strcmp(m->name, name) != 0)
    m++;
  *out = (drive){.axis = {0.0, 1.0, 0.0}};
  memcpy(out->place, m->chassis[0], sizeof out->place);
  memcpy(out->point, m->kind == VD_HINGE ? corner->points.wheel_center : m->knuckle, sizeof out->point);
  if (m->kind == VD_ROD)
    return true;
  vd_between(m->chassis[0], m->chassis[1], out->axis);
  vd_normalise(out->axis, out->axis);
  return true;
}

vd_jet vd_corner_drive(const vd_corner *corner, const vd_linkage *l, const vd_pose *pose) {
  drive d;
  if (!find_drive(corner, &d))
    return (vd_jet){NAN, {NAN, NAN}, {NAN, NAN, NAN}};
  const vd_crank arm = vd_crank_make(d.place, d.axis, d.point);
  return vd_crank_angle(&arm, vd_pose_point(l, pose, d.point));
}

/* Returns the inertia of a bar about its middle, m/12 (d.d - d d'). */
static vd_inertia bar_inertia(const vd_corner_bar *b) {
  vd_inertia out = {.mass = b->mass};
  double d[3];
  for (int i = 0; i < 3; i++) {
    d[i] = b->outer[i] - b->inner[i];
    out.centre[i] = b->inner[i] + 0.5 * d[i];
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out.tensor[i][j] = b->mass / 12.0 * ((i == j ? vd_dot(d, d) : 0.0) - d[i] * d[j]);
  return out;
}

bool vd_corner_lump(const vd_corner *corner, vd_chain *chain) {
  drive d;
  if (!find_drive(corner, &d))
    return false;
  vd_chain_body lump = {.parent = VD_CHAIN_BASE, .inertia.mass = corner->knuckle_mass};
  memcpy(lump.axis, d.axis, sizeof lump.axis);
  memcpy(lump.place, d.place, sizeof lump.place);
  knuckle_centre(corner, false, lump.inertia.centre);
  for (int i = 0; i < 3; i++)
    lump.inertia.tensor[i][i] = corner->knuckle_inertia[i];
  vd_corner_bar bar[VD_CORNER_BARS];
  int bars = vd_corner_bars(corner, bar);
  for (int k = 0; k < bars; k++) {
    vd_inertia part = bar_inertia(&bar[k]);
    vd_inertia_add(&lump.inertia, &part);
  }
  *chain = (vd_chain){.gravity = {0.0, 0.0, -VD_GRAVITY}};
  return vd_chain_add(chain, &lump);
}
