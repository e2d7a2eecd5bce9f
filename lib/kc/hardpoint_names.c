/* Hardpoint lists: their names and how they are written. */
#include "kc/hardpoint_impl.h"

#include "base/elementary.h"
#include "base/num.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

enum {
  DW = VD_WHEN(VD_DOUBLE_WISHBONE),
  MP = VD_WHEN(VD_MACPHERSON),
  TA = VD_WHEN(VD_TRAILING_ARM),
  FL = VD_WHEN(VD_FIVE_LINK),
  ALL = DW | MP | TA | FL,
};

const vd_role vd_hardpoint_roles[VD_ROLES] = {
    {"wheel_center", "wheel_centre", ALL, -1, VD_SLOT_WHEEL},
    {"lca_front", "lca_inner_front", DW | MP, 0, VD_SLOT_FIRST},
    {"lca_rear", "lca_inner_rear", DW | MP, 0, VD_SLOT_SECOND},
    {"lca_outer", NULL, DW | MP, 0, VD_SLOT_KNUCKLE},
    {"uca_front", "uca_inner_front", DW, 1, VD_SLOT_FIRST},
    {"uca_rear", "uca_inner_rear", DW, 1, VD_SLOT_SECOND},
    {"uca_outer", NULL, DW, 1, VD_SLOT_KNUCKLE},
    {"strut_top", NULL, MP, 1, VD_SLOT_FIRST},
    {"strut_lower", NULL, MP, 1, VD_SLOT_KNUCKLE},
    {"tierod_inner", NULL, DW | MP, 2, VD_SLOT_FIRST},
    {"tierod_outer", NULL, DW | MP, 2, VD_SLOT_KNUCKLE},
    {"arm_inner", NULL, TA, 0, VD_SLOT_FIRST},
    {"arm_outer_pivot", NULL, TA, 0, VD_SLOT_SECOND},
    {"uf_inner", NULL, FL, 0, VD_SLOT_FIRST},
    {"uf_outer", NULL, FL, 0, VD_SLOT_KNUCKLE},
    {"ua_inner", NULL, FL, 1, VD_SLOT_FIRST},
    {"ua_outer", NULL, FL, 1, VD_SLOT_KNUCKLE},
    {"lf_inner", NULL, FL, 2, VD_SLOT_FIRST},
    {"lf_outer", NULL, FL, 2, VD_SLOT_KNUCKLE},
    {"la_inner", NULL, FL, 3, VD_SLOT_FIRST},
    {"la_outer", NULL, FL, 3, VD_SLOT_KNUCKLE},
    {"tl_inner", NULL, FL, 4, VD_SLOT_FIRST},
    {"tl_outer", NULL, FL, 4, VD_SLOT_KNUCKLE},
    {"spring_lower", NULL, DW | MP | TA, -1, VD_SLOT_SPRING},
    {"spring_upper", NULL, DW | MP | TA, -1, VD_SLOT_SPRING_TOP},
    {"damper_lower", NULL, DW | MP | TA, -1, VD_SLOT_DAMPER},
    {"damper_upper", NULL, DW | MP | TA, -1, VD_SLOT_DAMPER_TOP},
};

const vd_role_kind vd_hardpoint_kinds[VD_ROLE_KINDS] = {
    {VD_DOUBLE_WISHBONE, "uca_outer", .springs = true, .holder = VD_ON_MEMBER + 0},
    {VD_MACPHERSON, "strut_top", .springs = true, .holder = VD_ON_KNUCKLE},
    {VD_FIVE_LINK, "uf_outer", .springs = false},
    {VD_TRAILING_ARM, "arm_inner", .springs = true, .holder = VD_ON_KNUCKLE, .trails = true},
};

const char *const vd_hardpoint_prefix[] = {"", "hpl_", "hpr_"};

int vd_hardpoint_role(const char *name) {
  for (int i = 0; i < VD_ROLES; i++) {
    const vd_role *r = &vd_hardpoint_roles[i];
    if (strcasecmp(r->name, name) == 0 || (r->synonym && strcasecmp(r->synonym, name) == 0))
      return i;
  }
  return -1;
}

double *vd_hardpoint_place(vd_hardpoints *h, const vd_role *r) {
  vd_member *m = &h->member[r->member < 0 ? 0 : r->member];
  switch (r->slot) {
  case VD_SLOT_WHEEL: return h->wheel_center;
  case VD_SLOT_FIRST: return m->chassis[0];
  case VD_SLOT_SECOND: return m->chassis[1];
  case VD_SLOT_KNUCKLE: return m->knuckle;
  case VD_SLOT_SPRING: return h->spring.eye;
  case VD_SLOT_SPRING_TOP: return h->spring.chassis;
  case VD_SLOT_DAMPER: return h->damper.eye;
  case VD_SLOT_DAMPER_TOP: return h->damper.chassis;
  }
  return NULL;
}

/* toe = atan2(x, y), camber = atan2(-z, hypot(x, y)) of the outward axis of the left wheel */
void vd_spin_axis_angles(const double *axis, double *toe, double *camber) {
  *toe = vd_atan2(axis[0], axis[1]);
  *camber = vd_atan2(0.0 - axis[2], vd_hypot(axis[0], axis[1]));
}

void vd_spin_axis_of(double toe, double camber, double *axis) {
  axis[0] = vd_cos(camber) * vd_sin(toe);
  axis[1] = vd_cos(camber) * vd_cos(toe);
  axis[2] = 0.0 - vd_sin(camber); /* no -0 */
}

static void write_point(const char *name, const double *at, enum vd_axes axes, enum vd_length_unit unit, vd_buf *out) {
  double scale = unit == VD_LENGTH_MM ? 1000.0 : 1.0, turn = axes == VD_AXES_ADAMS ? -scale : scale;
  const double factor[3] = {turn, turn, scale};
  vd_buf_printf(out, "hpl_%s", name);
  for (int i = 0; i < 3; i++) {
    char text[VD_NUM_MAX];
    vd_num_print_shortest(0.0 + factor[i] * at[i], text); /* no -0 */
    vd_buf_printf(out, ",%s", text);
  }
  vd_buf_puts(out, "\n");
}

static const vd_role_kind *kind_of(enum vd_linkage_type type) {
  for (int i = 0; i < VD_ROLE_KINDS; i++)
    if (vd_hardpoint_kinds[i].type == type)
      return &vd_hardpoint_kinds[i];
  return NULL;
}

/* Why an element cannot be listed, or NULL. */
static const char *unlisted(const vd_corner *corner, const vd_element *e) {
  const vd_role_kind *kind = kind_of(corner->points.type);
  bool hinge = e->on >= VD_ON_MEMBER && corner->points.member[e->on - VD_ON_MEMBER].kind == VD_HINGE;
  int holder = hinge ? VD_ON_KNUCKLE : e->on;
  if (e->rocker)
    return "on a rocker";
  return kind->springs && holder == kind->holder ? NULL : "on a link that the list cannot name";
}

static void leave_out(vd_buf *left_out, const char *what, const char *why) {
  vd_buf_printf(left_out, "%s%s %s", left_out->length ? ", " : "", what, why);
}

bool vd_hardpoint_csv_write(const vd_corner *corner, enum vd_axes axes, enum vd_length_unit unit, vd_buf *out,
                            vd_buf *left_out) {
  assert(axes != VD_AXES_UNSTATED && unit != VD_LENGTH_UNSTATED);
  vd_hardpoints points = corner->points;
  if (!kind_of(points.type))
    return false;
  const char *spring = points.spring.given ? unlisted(corner, &points.spring) : NULL;
  const char *damper = points.damper.given ? unlisted(corner, &points.damper) : NULL;
  if (spring)
    leave_out(left_out, "the spring", spring);
  if (damper)
    leave_out(left_out, "the damper", damper);
  vd_buf_puts(out, "name,x,y,z\n");
  for (int i = 0; i < VD_ROLES; i++) {
    const vd_role *r = &vd_hardpoint_roles[i];
    bool of_spring = r->slot == VD_SLOT_SPRING || r->slot == VD_SLOT_SPRING_TOP;
    bool given = of_spring ? points.spring.given && !spring : points.damper.given && !damper;
    if (!vd_hardpoint_belongs(r, points.type) || (vd_hardpoint_is_optional(r) && !given))
      continue;
    write_point(r->name, vd_hardpoint_place(&points, r), axes, unit, out);
  }
  return true;
}
