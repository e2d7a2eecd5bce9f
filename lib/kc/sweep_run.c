/* Functions that all sweeps use: the plan, its values, the wheels and their inputs. */
#include "kc/sweep_impl.h"
#include "linkage/corner_mass.h"

#include <math.h>
#include <string.h>

vd_kc_plan vd_kc_plan_default(void) {
  vd_kc_plan p = {.optional = true, .load = {.fz = 4500.0}, .motion = VD_PARALLEL, .side = VD_KC_LEFT};
  static const vd_kc_range range[VD_KC_SWEEPS] = {
      [VD_KC_TRAVEL] = {-0.1, 0.1, 41},        [VD_KC_RACK] = {-0.04, 0.04, 17}, [VD_KC_FX] = {-4000.0, 4000.0, 9},
      [VD_KC_FY] = {-4000.0, 4000.0, 9},       [VD_KC_MZ] = {-100.0, 100.0, 9},  [VD_KC_FZ] = {0.0, 0.0, 0},
      [VD_KC_FX_CENTRE] = {-4000.0, 4000.0, 9}};
  memcpy(p.range, range, sizeof p.range);
  for (int i = 0; i < VD_KC_SWEEPS; i++)
    p.sweep[i] = i != VD_KC_GRID;
  return p;
}

/* Computes the value from the index, so that a symmetric range contains its middle exactly and is symmetric to the
 * bit. */
double vd_kc_value(const vd_kc_range *range, int i) {
  if (range->points < 2)
    return range->from;
  double share = (double)i / (double)(range->points - 1);
  double value = (1.0 - share) * range->from + share * range->to;
  const double rounding = 1e-15 * (fabs(range->from) + fabs(range->to));
  return fabs(value) <= rounding ? 0.0 : value; /* the design position is exactly 0 */
}

bool vd_kc_build(const vd_hardpoints *points, enum vd_axle_motion motion, vd_linkage *l, vd_kc_report *report) {
  return vd_linkage_build(points, motion, l) ||
         vd_kc_message(report, "at the design position travel and rack do not determine where the wheel is");
}

/* Sets up both wheels. The right corner is the mirror image of the left one: a displacement of the rack to the left
 * becomes one to the right. A rigid axle has both travels as inputs, and so has a twist beam in equilibrium. */
static void make_wheels(vd_kc_run *r) {
  const bool axle = r->linkage.axle;
  const double other = r->plan->motion == VD_OPPOSITE ? -1.0 : 1.0, beam = r->linkage.beam ? 1.0 : 0.0;
  r->wheel[0] = (vd_kc_side_wheel){.corner = r->corner,
                                   .linkage = &r->linkage,
                                   .travel = 1.0,
                                   .rack = 1.0,
                                   .inputs = {1.0, axle ? other : beam * other},
                                   .along = {1.0, axle ? other : 0.0}};
  r->wheel[1] = (vd_kc_side_wheel){.right = true,
                                   .on_axle = axle,
                                   .corner = &r->image,
                                   .linkage = &r->right_linkage,
                                   .travel = other,
                                   .rack = axle ? 1.0 : -1.0,
                                   .inputs = {axle ? 1.0 : other, axle ? other : beam},
                                   .along = {axle ? other : 1.0, axle ? 1.0 : 0.0}};
}

void vd_kc_state_of_wheel(const vd_kc_run *r, const vd_kc_side_wheel *w, const vd_pose *pose, vd_kc_state *state) {
  const vd_wheel_load load = vd_kc_mirrored_load(&r->plan->load, w->right);
  const vd_kc_view view = {
      .right = w->on_axle, .along = {w->along[0], w->along[1]}, .load = r->plan->loaded ? &load : NULL};
  vd_kc_state_in_view(w->corner, w->linkage, pose, &view, state);
}

void vd_kc_inputs(const vd_kc_run *r, const vd_kc_side_wheel *w, double travel, double rack, double *u) {
  for (int i = 0; i < VD_INPUTS; i++)
    u[i] = travel * w->inputs[i];
  if (!vd_linkage_joins(r->linkage.points.type))
    u[1] += rack * w->rack;
}

bool vd_kc_asked(const vd_kc_run *r, const vd_kc_side_wheel *w) {
  return r->plan->side == VD_KC_BOTH || (r->plan->side == VD_KC_RIGHT) == w->right;
}

double *vd_kc_load_part(vd_wheel_load *load, enum vd_kc_sweep sweep) {
  double *const part[VD_KC_SWEEPS] = {[VD_KC_FX] = &load->fx,
                                      [VD_KC_FY] = &load->fy,
                                      [VD_KC_MZ] = &load->mz,
                                      [VD_KC_FZ] = &load->fz,
                                      [VD_KC_FX_CENTRE] = &load->centre[0]};
  return part[sweep];
}

vd_wheel_load vd_kc_mirrored_load(const vd_wheel_load *load, bool right) {
  return right ? vd_mirrored_load(load) : *load;
}

bool vd_kc_message(vd_kc_report *report, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (report->messages.length > 0)
    vd_buf_puts(&report->messages, "\n");
  vd_buf_vprintf(&report->messages, format, args);
  va_end(args);
  return false;
}

vd_compliance *vd_kc_compliance(const vd_kc_run *r, const vd_kc_side_wheel *w, enum vd_hold hold) {
  vd_compliance *c = vd_compliance_create(w->corner, w->linkage, hold);
  if (r->plan->gravity)
    vd_compliance_weigh(c);
  return c;
}

bool vd_kc_start(const vd_corner *corner, const vd_kc_plan *plan, vd_kc_run *r, vd_kc_report *report) {
  *r = (vd_kc_run){.corner = corner, .plan = plan, .report = report};
  *report = (vd_kc_report){.rows = 0};
  if (plan->gravity && !vd_corner_masses_known(corner))
    return vd_kc_message(report, "gravity needs all masses: 'mass' with knuckle and every member");
  if (!vd_kc_build(&corner->points, plan->motion, &r->linkage, report))
    return false;
  r->image = *corner;
  if (!r->linkage.axle)
    vd_hardpoints_mirror(&corner->points, &r->image.points);
  if (!vd_kc_build(&r->image.points, plan->motion, &r->right_linkage, report))
    return false;
  r->steered = vd_kc_steered(&r->linkage);
  make_wheels(r);
  return true;
}

int vd_kc_nearest_to_zero(const vd_kc_range *range) {
  int nearest = 0;
  for (int i = 1; i < range->points; i++)
    if (fabs(vd_kc_value(range, i)) < fabs(vd_kc_value(range, nearest)))
      nearest = i;
  return nearest;
}

int vd_kc_outward(const vd_kc_range *range, int middle, int k, int *before) {
  int i = k < range->points - middle ? middle + k : range->points - 1 - k;
  *before = i == middle ? -1 : i > middle ? i - 1 : i + 1;
  return i;
}

const char *vd_kc_stuck_rocker(const vd_linkage *l, const vd_pose *pose) {
  const vd_element *element[] = {&l->points.spring, &l->points.damper};
  static const char *const name[] = {"the rocker of the spring", "the rocker of the damper"};
  for (size_t i = 0; i < VD_COUNT(element); i++)
    if (element[i]->given && element[i]->rocker && isnan(vd_element_length(l, pose, element[i]).v))
      return name[i];
  return NULL;
}
