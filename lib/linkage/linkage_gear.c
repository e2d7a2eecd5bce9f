/* Steering gears: places of the inner points of steered members. */
#include "linkage/crank.h"
#include "linkage/linkage.h"
#include "base/vec.h"

/* A relay rod in the plane normal to the axes of its arms: x ahead, y to the left, from its middle in the design
 * position, where its joints are at h and -h. Its middle moves to (x, rack), and the rod turns by an angle, which turns
 * h to a. The arms lead from their pivots p and q and keep their lengths R and S:
 *   left   |(x, rack) + a - p|^2 = R^2,    right   |(x, rack) - a - q|^2 = S^2
 * These are two equations for x and the angle of a four-bar linkage that is driven by the displacement of its coupler's
 * middle. */
enum { AHEAD, ASIDE, FLAT };

typedef struct relay {
  vd_jet half[FLAT], pivot[2][FLAT], arm2[2]; /* h; p and q; R^2 and S^2 */
  vd_jet3 middle;                             /* in the design position */
  vd_jet3 ahead, axis;                        /* unit */
} relay;

static vd_jet dot_flat(const vd_jet *a, const vd_jet *b) {
  return vd_jet_add(vd_jet_mul(a[AHEAD], b[AHEAD]), vd_jet_mul(a[ASIDE], b[ASIDE]));
}

static void flatten(const relay *r, vd_jet3 from, vd_jet *out) {
  out[AHEAD] = vd_jet3_dot(from, r->ahead);
  out[ASIDE] = from.y;
}

static void turn_flat(const vd_crank_turn *turn, const vd_jet *from, vd_jet *out) {
  out[AHEAD] = vd_jet_sub(vd_jet_mul(from[AHEAD], turn->cosine), vd_jet_mul(from[ASIDE], turn->sine));
  out[ASIDE] = vd_jet_add(vd_jet_mul(from[AHEAD], turn->sine), vd_jet_mul(from[ASIDE], turn->cosine));
}

/* Computes the vectors of both arms from their pivots to their joints. */
static void arms_at(const relay *r, vd_jet x, vd_jet rack, const vd_jet *half, vd_jet arm[2][FLAT]) {
  for (int side = 0; side < 2; side++) {
    double sign = side ? -1.0 : 1.0;
    arm[side][AHEAD] = vd_jet_sub(vd_jet_add(x, vd_jet_scale(sign, half[AHEAD])), r->pivot[side][AHEAD]);
    arm[side][ASIDE] = vd_jet_sub(vd_jet_add(rack, vd_jet_scale(sign, half[ASIDE])), r->pivot[side][ASIDE]);
  }
}

vd_relay_arms vd_relay_arms_of(const vd_gear *gear) {
  vd_relay_arms a = {{vd_jet3_constant(gear->pivot)}, {vd_jet3_constant(gear->joint)}};
  if (gear->asymmetric) {
    a.pivot[1] = vd_jet3_constant(gear->other_pivot);
    a.joint[1] = vd_jet3_constant(gear->other_joint);
  } else {
    a.pivot[1] = vd_jet3_mirror(a.pivot[0]);
    a.joint[1] = vd_jet3_mirror(a.joint[0]);
  }
  return a;
}

static relay make_relay(const vd_gear *gear) {
  const vd_relay_arms arms = vd_relay_arms_of(gear);
  const vd_jet zero = vd_jet_constant(0.0);
  double up[3], ahead[3];
  vd_normalise(gear->axis, up);
  vd_cross(vd_unit_vectors[1], up, ahead);
  relay r = {.ahead = vd_jet3_constant(ahead), .axis = vd_jet3_constant(up)};
  r.middle = vd_jet3_scale(vd_jet_constant(0.5), vd_jet3_add(arms.joint[0], arms.joint[1]));
  flatten(&r, vd_jet3_sub(arms.joint[0], r.middle), r.half);
  vd_jet arm[2][FLAT];
  for (int side = 0; side < 2; side++)
    flatten(&r, vd_jet3_sub(arms.pivot[side], r.middle), r.pivot[side]);
  arms_at(&r, zero, zero, r.half, arm);
  for (int side = 0; side < 2; side++)
    r.arm2[side] = dot_flat(arm[side], arm[side]);
  return r;
}

/* A trial of x and the angle. miss: half the residuals of both equations; by: their derivatives by x and by the
 * angle. */
typedef struct closure {
  vd_jet x, miss[2], by[2][2], determinant;
  vd_crank_turn turn;
  double ahead[2]; /* x of the arms' vectors */
} closure;

static void try_relay(const relay *r, vd_jet x, vd_jet rack, vd_jet turn, closure *c) {
  const vd_jet *h = r->half;
  vd_jet arm[2][FLAT];
  c->x = x;
  c->turn = vd_crank_turned(turn);
  vd_jet half[FLAT];
  turn_flat(&c->turn, h, half);
  const vd_jet turned[FLAT] = {vd_jet_scale(-1.0, half[ASIDE]), half[AHEAD]};
  arms_at(r, x, rack, half, arm);
  for (int side = 0; side < 2; side++) {
    c->miss[side] = vd_jet_scale(0.5, vd_jet_sub(dot_flat(arm[side], arm[side]), r->arm2[side]));
    c->by[side][0] = arm[side][AHEAD];
    c->by[side][1] = vd_jet_scale(side ? -1.0 : 1.0, dot_flat(arm[side], turned));
    c->ahead[side] = arm[side][AHEAD].v;
  }
  c->determinant = vd_jet_sub(vd_jet_mul(c->by[0][0], c->by[1][1]), vd_jet_mul(c->by[0][1], c->by[1][0]));
}

/* Solves both equations by Newton's steps in jets. Once the values have converged, each step makes the next order of
 * derivatives exact. At a dead centre the determinant is 0. Beyond it the determinant has changed its sign or, if the
 * arms are mirror images, both arms have changed the sign of their x. */
static closure close_relay(const relay *r, vd_jet rack) {
  enum { STEPS = 40, MORE = 3 };
  const double tiny = 1e-12, far = 0.1; /* m and rad */
  const vd_jet zero = vd_jet_constant(0.0);
  vd_jet x = zero, turn = zero;
  closure start, c;
  int more = MORE;
  try_relay(r, zero, zero, zero, &start);
  for (int i = 0; i < STEPS && more > 0; i++) {
    try_relay(r, x, rack, turn, &c);
    vd_jet inverse = vd_jet_inverse(c.determinant);
    vd_jet dx = vd_jet_mul(inverse, vd_jet_sub(vd_jet_mul(c.by[1][1], c.miss[0]), vd_jet_mul(c.by[0][1], c.miss[1])));
    vd_jet dt = vd_jet_mul(inverse, vd_jet_sub(vd_jet_mul(c.by[0][0], c.miss[1]), vd_jet_mul(c.by[1][0], c.miss[0])));
    double worst = vd_max(fabs(dx.v), fabs(dt.v)), share = worst > far ? far / worst : 1.0;
    x = vd_jet_sub(x, vd_jet_scale(share, dx));
    turn = vd_jet_sub(turn, vd_jet_scale(share, dt));
    more -= worst <= tiny || more < MORE;
  }
  try_relay(r, x, rack, turn, &c);
  bool crossed = !(c.ahead[0] * start.ahead[0] > 0.0) && !(c.ahead[1] * start.ahead[1] > 0.0);
  /* no solution, or one beyond a dead centre */
  if (more > 0 || crossed || !(c.determinant.v * start.determinant.v > 0.0))
    c.x = vd_jet_constant(NAN);
  return c;
}

static vd_jet3 relay_point(const vd_gear *gear, vd_jet3 design, double rack) {
  const relay r = make_relay(gear);
  const vd_jet shift = {.v = rack, .d = {0.0, 1.0}};
  const closure c = close_relay(&r, shift);
  vd_jet from[FLAT], now[FLAT];
  flatten(&r, vd_jet3_sub(design, r.middle), from);
  turn_flat(&c.turn, from, now);
  vd_jet ahead = vd_jet_add(vd_jet3_dot(r.middle, r.ahead), vd_jet_add(c.x, now[AHEAD]));
  vd_jet3 out = vd_jet3_add(vd_jet3_scale(ahead, r.ahead), vd_jet3_scale(vd_jet3_dot(design, r.axis), r.axis));
  out.y = vd_jet_add(r.middle.y, vd_jet_add(shift, now[ASIDE]));
  return out;
}

/* Returns the place of the pitman arm's joint, which the rack moves along its circle: the arm turns by rack/radius. */
static vd_jet3 pitman_point(const vd_gear *gear, double rack, const double *design) {
  const vd_crank c = vd_crank_make(gear->pivot, gear->axis, design);
  double radius = sqrt(c.radius2);
  const vd_crank_turn turn = vd_crank_turned((vd_jet){.v = rack / radius, .d = {0.0, 1.0 / radius}});
  return vd_crank_point(&c, &turn);
}

vd_jet3 vd_gear_point(const vd_gear *gear, double rack, const double *design) {
  vd_jet3 p = vd_jet3_constant(design);
  switch (gear->kind) {
  case VD_GEAR_RELAY: return relay_point(gear, p, rack);
  case VD_GEAR_PITMAN: return pitman_point(gear, rack, design);
  case VD_GEAR_RACK: break;
  }
  p.y.v += rack;
  p.y.d[1] = 1.0;
  return p;
}

vd_jet vd_gear_turn(const vd_gear *gear, double rack) {
  if (gear->kind == VD_GEAR_RACK)
    return vd_jet_constant(NAN);
  bool right = gear->kind == VD_GEAR_RELAY && gear->pitman_side;
  const vd_relay_arms arms = vd_relay_arms_of(gear);
  double pivot[3], joint[3];
  vd_jet3_value(arms.pivot[right], pivot);
  vd_jet3_value(arms.joint[right], joint);
  const vd_crank arm = vd_crank_make(pivot, gear->axis, joint);
  return vd_crank_angle(&arm, vd_gear_point(gear, rack, joint));
}
