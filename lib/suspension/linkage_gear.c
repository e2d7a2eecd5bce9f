/* Steering gears: where they put the inner points of steered members. */
#include "suspension/linkage.h"
#include "base/vec.h"

/* A relay rod in the plane that its arms' axes cross at right angles: x ahead of the left pivot, y to the left of the
 * car's middle. Its middle is at (x, rack), and it is turned by an angle from y. The arms' lengths say
 *   left   (x - h sin)^2 + (rack + h cos - p)^2 = R^2,    right   (x + h sin)^2 + (rack - h cos + p)^2 = R^2
 * with h half of the relay rod and p the pivot's distance from the middle. Half of their sum and a quarter of their
 * difference:
 *   x^2 + rack^2 + h^2 + p^2 - 2 h p cos - R^2 = 0,     rack (h cos - p) - x h sin = 0 */
typedef struct relay {
  vd_jet half, pivot, middle, arm2; /* h, p, x at design, R^2 */
  vd_jet3 ahead, axis;              /* unit */
} relay;

static relay make_relay(const double *axis, vd_jet3 pivot, vd_jet3 joint) {
  static const double left[3] = {0.0, 1.0, 0.0};
  double size = vd_norm(axis), up[3], ahead[3];
  for (int i = 0; i < 3; i++)
    up[i] = axis[i] / size;
  vd_cross(left, up, ahead);
  relay r = {.half = joint.y, .pivot = pivot.y, .ahead = vd_jet3_constant(ahead), .axis = vd_jet3_constant(up)};
  r.middle = vd_jet3_dot(vd_jet3_sub(joint, pivot), r.ahead);
  vd_jet aside = vd_jet_sub(r.half, r.pivot);
  r.arm2 = vd_jet_add(vd_jet_mul(r.middle, r.middle), vd_jet_mul(aside, aside));
  return r;
}

static vd_jet plus(vd_jet a, vd_jet b) {
  return vd_jet_add(a, b);
}

static vd_jet times(vd_jet a, vd_jet b) {
  return vd_jet_mul(a, b);
}

/* Newton's steps in jets: once the values stand, every step makes one order of the derivatives right. At a dead centre
 * the matrix is singular. */
static void close_relay(const relay *r, vd_jet rack, vd_jet *x, vd_jet *sine, vd_jet *cosine) {
  enum { STEPS = 40, MORE = 3 };
  const double tiny = 1e-12, far = 0.1; /* m and rad */
  double start = r->middle.v;
  vd_jet h = r->half, p = r->pivot, turn = {.v = 0.0};
  vd_jet fixed = vd_jet_sub(plus(plus(times(rack, rack), times(h, h)), times(p, p)), r->arm2);
  vd_jet both = vd_jet_scale(2.0, times(h, p));
  int more = MORE;
  *x = r->middle;
  for (int i = 0; i < STEPS && more > 0; i++) {
    *sine = vd_jet_chain(turn, vd_sin(turn.v), vd_cos(turn.v), -vd_sin(turn.v));
    *cosine = vd_jet_chain(turn, vd_cos(turn.v), -vd_sin(turn.v), -vd_cos(turn.v));
    vd_jet sum = vd_jet_sub(plus(times(*x, *x), fixed), times(both, *cosine));
    vd_jet difference = vd_jet_sub(times(rack, vd_jet_sub(times(h, *cosine), p)), times(h, times(*x, *sine)));
    /* their derivatives by x: a, c; by the turn: b, d */
    vd_jet a = vd_jet_scale(2.0, *x), b = times(both, *sine), c = vd_jet_scale(-1.0, times(h, *sine));
    vd_jet d = vd_jet_scale(-1.0, times(h, plus(times(rack, *sine), times(*x, *cosine))));
    vd_jet inverse = vd_jet_inverse(vd_jet_sub(times(a, d), times(b, c)));
    vd_jet dx = times(inverse, vd_jet_sub(times(d, sum), times(b, difference)));
    vd_jet dt = times(inverse, vd_jet_sub(times(a, difference), times(c, sum)));
    double worst = vd_max(fabs(dx.v), fabs(dt.v)), share = worst > far ? far / worst : 1.0;
    *x = vd_jet_sub(*x, vd_jet_scale(share, dx));
    turn = vd_jet_sub(turn, vd_jet_scale(share, dt));
    more -= worst <= tiny || more < MORE;
  }
  if (more > 0 || !(x->v * start > 0.0)) /* passed its dead centre, or none at all */
    *x = vd_jet_constant(NAN);
}

vd_jet3 vd_relay_point(const double *axis, vd_jet3 pivot, vd_jet3 joint, vd_jet3 design, double rack) {
  relay r = make_relay(axis, pivot, joint);
  vd_jet shift = {.v = rack, .d = {0.0, 1.0}}, x, sine, cosine;
  close_relay(&r, shift, &x, &sine, &cosine);
  vd_jet3 from = vd_jet3_sub(design, pivot);
  vd_jet ahead = vd_jet_sub(vd_jet3_dot(from, r.ahead), r.middle), up = vd_jet3_dot(from, r.axis);
  vd_jet along = vd_jet_sub(plus(x, times(ahead, cosine)), times(design.y, sine));
  pivot.y = plus(shift, plus(times(ahead, sine), times(design.y, cosine)));
  return vd_jet3_add(pivot, vd_jet3_add(vd_jet3_scale(along, r.ahead), vd_jet3_scale(up, r.axis)));
}

/* On the circle about the arm's axis through the design place: centre + cos x + sin y, turned by rack/radius. */
static vd_jet3 pitman_point(const vd_gear *gear, double rack, const double *design) {
  double size = vd_norm(gear->axis), unit[3], x[3], y[3], along = 0.0;
  for (int i = 0; i < 3; i++) {
    unit[i] = gear->axis[i] / size;
    along += unit[i] * (design[i] - gear->pivot[i]);
  }
  for (int i = 0; i < 3; i++)
    x[i] = design[i] - gear->pivot[i] - along * unit[i];
  vd_cross(unit, x, y);
  double radius = vd_norm(x), sine = vd_sin(rack / radius), cosine = vd_cos(rack / radius);
  vd_jet out[3];
  for (int i = 0; i < 3; i++) {
    double arm = cosine * x[i] + sine * y[i];
    out[i] = (vd_jet){.v = design[i] - x[i] + arm, .d = {0.0, (cosine * y[i] - sine * x[i]) / radius}};
    out[i].h[VD_VV] = -arm / (radius * radius);
  }
  return (vd_jet3){out[0], out[1], out[2]};
}

vd_jet3 vd_gear_point(const vd_gear *gear, double rack, const double *design) {
  vd_jet3 p = vd_jet3_constant(design);
  switch (gear->kind) {
  case VD_GEAR_RELAY:
    return vd_relay_point(gear->axis, vd_jet3_constant(gear->pivot), vd_jet3_constant(gear->joint), p, rack);
  case VD_GEAR_PITMAN: return pitman_point(gear, rack, design);
  case VD_GEAR_RACK: break;
  }
  p.y.v += rack;
  p.y.d[1] = 1.0;
  return p;
}
