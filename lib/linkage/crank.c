#include "linkage/crank.h"
#include "base/vec.h"

static const double dead = 1e-5; /* sine of the angle between rod and crank below which rates are unusable */

vd_crank vd_crank_make(const double *origin, const double *axis, const double *point) {
  vd_crank c;
  vd_normalise(axis, c.axis);
  vd_between(origin, point, c.arm);
  double along = vd_dot(c.axis, c.arm);
  for (int i = 0; i < 3; i++) {
    c.arm[i] -= along * c.axis[i];
    c.foot[i] = origin[i] + along * c.axis[i];
  }
  vd_cross(c.axis, c.arm, c.aside);
  c.radius2 = vd_dot(c.arm, c.arm);
  return c;
}

vd_crank_turn vd_crank_turned(vd_jet angle) {
  double cosine = vd_cos(angle.v), sine = vd_sin(angle.v);
  return (vd_crank_turn){vd_jet_chain(angle, cosine, -sine, -cosine), vd_jet_chain(angle, sine, cosine, -sine)};
}

/* Returns the cosine and sine of the turn, both times the radius squared. */
static vd_crank_turn project(const vd_crank *c, vd_jet3 place) {
  vd_jet3 from = vd_jet3_sub(place, vd_jet3_constant(c->foot));
  return (vd_crank_turn){vd_jet3_dot(from, vd_jet3_constant(c->arm)), vd_jet3_dot(from, vd_jet3_constant(c->aside))};
}

vd_crank_turn vd_crank_turn_to(const vd_crank *c, vd_jet3 place) {
  vd_crank_turn t = project(c, place);
  return (vd_crank_turn){vd_jet_scale(1.0 / c->radius2, t.cosine), vd_jet_scale(1.0 / c->radius2, t.sine)};
}

vd_jet vd_crank_angle(const vd_crank *c, vd_jet3 place) {
  vd_crank_turn t = project(c, place);
  return vd_jet_atan2(t.sine, t.cosine);
}

/* With F the foot, X the arm, Y the vector aside, B the other end of the rod and L its length,
 *
 *   |F + X cos + Y sin - B|^2 = L^2   or   a cos + b sin = c,
 *   a = (F - B) . X,   b = (F - B) . Y,   c = (L^2 - |F - B|^2 - X^2)/2
 *
 * At the angle 0, c = a, and the root sqrt(a^2 + b^2 - c^2) is +b or -b: its sign in the design position determines how
 * the rod is assembled. Beyond a dead centre the root is not real. */
vd_crank_turn vd_crank_close(const vd_crank *c, const double *design, vd_jet3 apart, vd_jet3 arm, vd_jet3 aside) {
  double from[3], length2 = 0.0;
  vd_between(design, c->foot, from);
  for (int i = 0; i < 3; i++)
    length2 += (from[i] + c->arm[i]) * (from[i] + c->arm[i]);
  double side = vd_dot(from, c->aside) < 0.0 ? -1.0 : 1.0;
  vd_jet a = vd_jet3_dot(apart, arm), b = vd_jet3_dot(apart, aside);
  vd_jet right = vd_jet_scale(-0.5, vd_jet3_dot(apart, apart));
  right.v += 0.5 * (length2 - c->radius2);
  vd_jet square = vd_jet_add(vd_jet_mul(a, a), vd_jet_mul(b, b)), inverse = vd_jet_inverse(square);
  vd_jet rest = vd_jet_sub(square, vd_jet_mul(right, right));
  if (!(rest.v > dead * dead * square.v))
    rest.v = NAN;
  vd_jet root = vd_jet_scale(side, vd_jet_sqrt(rest));
  vd_jet cosine = vd_jet_add(vd_jet_mul(a, right), vd_jet_mul(b, root));
  vd_jet sine = vd_jet_sub(vd_jet_mul(b, right), vd_jet_mul(a, root));
  return (vd_crank_turn){vd_jet_mul(cosine, inverse), vd_jet_mul(sine, inverse)};
}

/* Returns the vector origin + arm cosine + aside sine. */
static vd_jet3 place_at(const vd_crank *c, const double *origin, vd_jet cosine, vd_jet sine) {
  vd_jet out[3];
  for (int i = 0; i < 3; i++) {
    out[i] = vd_jet_blend(c->arm[i], cosine, c->aside[i], sine);
    out[i].v += origin[i];
  }
  return (vd_jet3){out[0], out[1], out[2]};
}

vd_jet3 vd_crank_point(const vd_crank *c, const vd_crank_turn *turn) {
  return place_at(c, c->foot, turn->cosine, turn->sine);
}

vd_jet3 vd_crank_rate(const vd_crank *c, const vd_crank_turn *turn) {
  return place_at(c, (const double[3]){0.0}, vd_jet_scale(-1.0, turn->sine), turn->cosine);
}

void vd_crank_rotation(const double *axis, double cosine, double sine, double out[3][3]) {
  double rest = 1.0 - cosine;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    out[i][i] = cosine + rest * axis[i] * axis[i];
    out[i][j] = rest * axis[i] * axis[j] - sine * axis[k];
    out[i][k] = rest * axis[i] * axis[k] + sine * axis[j];
  }
}
