/* Makes the matrix of the axle from the equilibria of both wheels. */
#include "kc/matrix.h"
#include "kc/sweep_impl.h"

#include "base/elementary.h"
#include "base/vec.h"

#include <string.h>

enum { HALF = 6, ALL = VD_AXLE_FREEDOMS };

/* --- one wheel --- */

typedef struct equilibrium {
  vd_compliance_state state;
  double flexibility[HALF][HALF];
  enum vd_hold hold;
} equilibrium;

static bool refuse(const vd_kc_run *r, const vd_kc_side_wheel *w, const char *why) {
  return vd_kc_message(r->report, "no compliance of the %s wheel at travel %.9g mm and rack %.9g mm: %s",
                       vd_side_names[w->right], 1e3 * r->plan->travel * w->travel, 1e3 * r->plan->rack, why);
}

/* Solves for the equilibrium. If the wheel is released, a dead force replaces that of the jack. axle: result for joined
 * wheels; NULL for a corner. */
static bool find_equilibrium(const vd_kc_run *r, const vd_kc_side_wheel *w, equilibrium *out,
                             vd_compliance_axle *axle) {
  const vd_corner *corner = w->corner;
  bool sprung = corner->points.spring.given && corner->spring_rate > 0.0 &&
                (isfinite(corner->spring_load) || isfinite(corner->wheel_load));
  bool release = r->plan->hold == VD_HOLD_AUTO && sprung;
  const vd_wheel_load load = vd_kc_mirrored_load(&r->plan->load, w->right);
  double u[VD_INPUTS];
  vd_kc_inputs(r, w, r->plan->travel, r->plan->rack, u);
  vd_linkage_start(w->linkage, &out->state.pose);
  out->state.pose.gear = r->plan->rack * w->rack;
  if (vd_linkage_move(w->linkage, u, &out->state.pose) != VD_LINKAGE_OK ||
      !vd_knuckles_reach(w->linkage, &out->state.pose))
    return refuse(r, w, "the linkage does not reach them");
  if (!sprung && !vd_kc_elastic(corner))
    return refuse(r, w, "nothing is elastic: there are no bushings, no beam, and no spring of known rate and load");
  vd_compliance *c = vd_kc_compliance(r, w, r->plan->hold == VD_HOLD_AUTO ? VD_HOLD_CENTRE : r->plan->hold);
  bool ok = vd_compliance_solve(c, u, &load, &out->state);
  memcpy(out->flexibility, out->state.flexibility, sizeof out->flexibility);
  out->hold = release ? VD_HOLD_FREE : out->state.hold;
  if (ok && axle)
    ok = vd_compliance_of_axle(c, release, axle);
  else if (ok && release)
    ok = vd_compliance_release(c, out->flexibility);
  vd_compliance_destroy(c);
  return ok || refuse(r, w, "there is no equilibrium under the load");
}

/* --- both wheels --- */

static void place_wheel(const vd_kc_run *r, const equilibrium *at, int side, vd_kc_matrix *out) {
  const double turns = side ? -1.0 : 1.0;
  for (int i = 0; i < 3; i++) {
    out->of.contact[side][i] = (i == 1 ? turns : 1.0) * at->state.contact[i];
    out->of.spin[side][i] = (i == 1 ? turns : 1.0) * vd_dot(at->state.pose.turn[i], r->linkage.spin_axis);
  }
}

/* Computes two corners on their own; the right corner is computed as a left one, and its forces and moments are
 * mirrored. */
static bool two_corners(const vd_kc_run *r, vd_kc_matrix *out) {
  static const double mirror[HALF] = {1.0, -1.0, 1.0, -1.0, 1.0, -1.0};
  for (int side = 0; side < VD_AXLE_WHEELS; side++) {
    equilibrium at;
    if (!find_equilibrium(r, &r->wheel[side], &at, NULL))
      return false;
    for (int i = 0; i < HALF; i++)
      for (int j = 0; j < HALF; j++)
        out->of.c[HALF * side + i][HALF * side + j] = (side ? mirror[i] * mirror[j] : 1.0) * at.flexibility[i][j];
    place_wheel(r, &at, side, out);
    out->hold = at.hold;
  }
  return true;
}

/* Computes two wheels in one equilibrium. */
static bool one_axle(const vd_kc_run *r, vd_kc_matrix *out) {
  equilibrium at;
  if (!find_equilibrium(r, &r->wheel[0], &at, &out->of))
    return false;
  out->hold = at.hold;
  return true;
}

/* Adds the anti-roll bar: a spring of the rate k = K/T^2 between the heights of both wheel centres, since a roll angle
 * p of the body makes them differ by T p, and the couple of its forces is K p. With b the difference of these heights,
 * the further stiffness k b b' reduces the matrix C by k (C b)(C b)'/(1 + k b'C b) (Sherman and Morrison). */
static void add_bar(const vd_kc_run *r, vd_kc_matrix *m) {
  const double y = r->linkage.points.wheel_center[1] + m->of.contact[0][1], stiffness = r->corner->antiroll_stiffness;
  double cb[ALL], k = stiffness / (4.0 * y * y);
  if (!(stiffness > 0.0))
    return;
  for (int i = 0; i < ALL; i++)
    cb[i] = m->of.c[i][2] - m->of.c[i][HALF + 2];
  double share = k / (1.0 + k * (cb[2] - cb[HALF + 2]));
  for (int i = 0; i < ALL; i++)
    for (int j = 0; j < ALL; j++)
      m->of.c[i][j] -= share * cb[i] * cb[j];
}

bool vd_kc_matrix_of(const vd_corner *corner, const vd_kc_plan *plan, vd_kc_matrix *out, vd_kc_report *report) {
  vd_kc_run r;
  *out = (vd_kc_matrix){.hold = VD_HOLD_AUTO};
  if (!vd_kc_start(corner, plan, &r, report))
    return false;
  if (r.linkage.beam && !corner->beam.given)
    return vd_kc_message(report,
                         "no compliance of a twist beam without its 'beam': the file does not say how stiff it is");
  if (!(vd_linkage_joins(corner->points.type) ? one_axle(&r, out) : two_corners(&r, out)))
    return false;
  add_bar(&r, out);
  return true;
}

/* --- compliance factors --- */

/* Computes the changes of toe and camber. The spin axis s moves by r x s, where r is the rotation; toe = atan2(s_x,
 * s_y) and camber = atan2(-s_z, hypot(s_x, s_y)) are those of the axis that points outward; for a right wheel s_y is
 * positive to the right. */
vd_kc_displacement vd_kc_displacement_of(const double *spin, const double *contact, double side, const double f[6]) {
  const double *r = f + 3, outward = side * spin[1];
  double turned[3], flat = spin[0] * spin[0] + spin[1] * spin[1], by_turn[3];
  vd_cross(r, spin, turned);
  vd_cross(r, contact, by_turn);
  return (vd_kc_displacement){.toe = (turned[0] * outward - side * turned[1] * spin[0]) / flat,
                              .camber = -turned[2] / sqrt(flat),
                              .x = f[0],
                              .y = f[1],
                              .z = f[2],
                              .patch_x = f[0] + by_turn[0],
                              .patch_y = f[1] + by_turn[1]};
}

/* A load on one wheel: a force at a point, or a moment. */
typedef struct unit_load {
  const char *name, *per;
  double amount; /* N or N m */
  int axis;      /* 0 to 2: force, 3 to 5: moment */
  bool contact;  /* at the contact point, otherwise at the wheel centre */
  bool trailing; /* behind the contact point by the trail */
} unit_load;

enum { FX, FX_CENTRE, FY, FY_TRAIL, MZ, FZ, LOADS };
static const unit_load loads[LOADS] = {
    [FX] = {"fx", "kN", 1e3, 0, true, false},         [FX_CENTRE] = {"fx_centre", "kN", 1e3, 0, false, false},
    [FY] = {"fy", "kN", 1e3, 1, true, false},         [FY_TRAIL] = {"fy_trail", "kN", 1e3, 1, true, true},
    [MZ] = {"mz", "(100 N m)", 1e2, 5, false, false}, [FZ] = {"fz", "kN", 1e3, 2, true, false}};

enum { TOE, CAMBER, X, Y, Z, PATCH_X, PATCH_Y, FIGURES };
static const struct {
  enum vd_kc_figure is;
  size_t offset;
} figures[FIGURES] = {[TOE] = {VD_FIGURE_TOE, offsetof(vd_kc_displacement, toe)},
                      [CAMBER] = {VD_FIGURE_CAMBER, offsetof(vd_kc_displacement, camber)},
                      [X] = {VD_FIGURE_WHEEL_X, offsetof(vd_kc_displacement, x)},
                      [Y] = {VD_FIGURE_WHEEL_Y, offsetof(vd_kc_displacement, y)},
                      [Z] = {VD_FIGURE_WHEEL_Z, offsetof(vd_kc_displacement, z)},
                      [PATCH_X] = {VD_FIGURE_PATCH_X, offsetof(vd_kc_displacement, patch_x)},
                      [PATCH_Y] = {VD_FIGURE_PATCH_Y, offsetof(vd_kc_displacement, patch_y)}};

static const struct {
  const char *name;
  int load, figure;
} stiffnesses[] = {{"stiffness_x_centre", FX_CENTRE, X}, {"stiffness_y_contact", FY, PATCH_Y}, {"wheel_rate", FZ, Z}};

/* Load cases: in phase, opposed, left, right. */
enum { CASES = 4 };
static const double cases[CASES][VD_AXLE_WHEELS] = {{1.0, 1.0}, {1.0, -1.0}, {1.0, 0.0}, {0.0, 1.0}};

/* Computes the force and moment at the centre of a wheel. */
static void wrench_of(const vd_kc_matrix *m, const unit_load *load, double trail, int side, double *wrench) {
  double arm[3] = {0.0, 0.0, 0.0}, force[3] = {load->axis == 0, load->axis == 1, load->axis == 2};
  const double *s = m->of.spin[side], flat = vd_hypot(s[0], s[1]), ahead = side ? -1.0 : 1.0;
  if (load->contact)
    memcpy(arm, m->of.contact[side], sizeof arm);
  /* the force acts behind the contact point along the wheel's heading, s x z for the left wheel */
  if (load->trailing) {
    arm[0] -= trail * ahead * s[1] / flat;
    arm[1] += trail * ahead * s[0] / flat;
  }
  memcpy(wrench, force, sizeof force);
  vd_cross(arm, force, wrench + 3);
  if (load->axis >= 3)
    wrench[load->axis] = 1.0;
}

static vd_kc_displacement displacement_under(const vd_kc_matrix *m, const unit_load *load, double trail,
                                             const double *share) {
  double motion[HALF] = {0.0};
  for (int side = 0; side < VD_AXLE_WHEELS; side++) {
    double wrench[HALF];
    wrench_of(m, load, trail, side, wrench);
    for (int i = 0; i < HALF; i++)
      for (int j = 0; j < HALF; j++)
        motion[i] += share[side] * load->amount * m->of.c[i][HALF * side + j] * wrench[j];
  }
  return vd_kc_displacement_of(m->of.spin[0], m->of.contact[0], 1.0, motion);
}

static double figure_of(const vd_kc_displacement *displacement, int k) {
  return vd_kc_figures[figures[k].is].scale * *(const double *)((const char *)displacement + figures[k].offset);
}

/* Returns the stiffness, or NAN if the load does not move the wheel by more than rounding errors. */
static double stiffness_of(const vd_kc_displacement *displacement, size_t i, int k) {
  const double rounding = 1e-9;
  double give = figure_of(&displacement[k], stiffnesses[i].figure),
         left = figure_of(&displacement[2], stiffnesses[i].figure);
  return fabs(give) > rounding * fabs(left) ? loads[stiffnesses[i].load].amount / give : NAN;
}

bool vd_kc_factors_write(const vd_corner *corner, const vd_kc_plan *plan, double trail, vd_buf *out,
                         vd_kc_report *report) {
  vd_kc_matrix m;
  vd_kc_displacement displacement[LOADS][CASES];
  if (!vd_kc_matrix_of(corner, plan, &m, report))
    return false;
  vd_buf_puts(out, "factor,in_phase,opposed,left,right,unit,hold\n");
  for (int i = 0; i < LOADS; i++)
    for (int k = 0; k < CASES; k++)
      displacement[i][k] = displacement_under(&m, &loads[i], trail, cases[k]);
  for (int i = 0; i < LOADS; i++)
    for (int j = 0; j < FIGURES; j++) {
      const vd_kc_figure_info *f = &vd_kc_figures[figures[j].is];
      vd_buf_printf(out, "%s_%s", f->name, loads[i].name);
      for (int k = 0; k < CASES; k++)
        vd_kc_field(figure_of(&displacement[i][k], j), plan->digits, out);
      vd_buf_printf(out, ",%s/%s,%s\n", f->unit, loads[i].per, vd_kc_hold_names[m.hold]);
    }
  for (size_t i = 0; i < VD_COUNT(stiffnesses); i++) {
    vd_buf_puts(out, stiffnesses[i].name);
    for (int k = 0; k < CASES; k++)
      vd_kc_field(stiffness_of(displacement[stiffnesses[i].load], i, k), plan->digits, out);
    vd_buf_printf(out, ",N/mm,%s\n", vd_kc_hold_names[m.hold]);
  }
  return true;
}

bool vd_kc_matrix_write(const vd_corner *corner, const vd_kc_plan *plan, vd_buf *out, vd_kc_report *report) {
  static const char *const motion[HALF] = {"x", "y", "z", "turn_x", "turn_y", "turn_z"};
  static const char *const load[HALF] = {"fx", "fy", "fz", "mx", "my", "mz"};
  vd_kc_matrix m;
  if (!vd_kc_matrix_of(corner, plan, &m, report))
    return false;
  vd_buf_puts(out, "motion");
  for (int j = 0; j < ALL; j++)
    vd_buf_printf(out, ",%s_%s_%s", load[j % HALF], vd_side_names[j / HALF], j % HALF < 3 ? "N" : "Nm");
  vd_buf_puts(out, ",hold\n");
  for (int i = 0; i < ALL; i++) {
    vd_buf_printf(out, "%s_%s_%s", motion[i % HALF], vd_side_names[i / HALF], i % HALF < 3 ? "m" : "rad");
    for (int j = 0; j < ALL; j++)
      vd_kc_field(m.of.c[i][j], plan->digits, out);
    vd_buf_printf(out, ",%s\n", vd_kc_hold_names[m.hold]);
  }
  return true;
}
