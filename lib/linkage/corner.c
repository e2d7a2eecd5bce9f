/* A suspension file as a corner, and a corner as a file. */
#include "base/base.h"
#include "base/vec.h"
#include "input/schema.h"
#include "math/curve.h"
#include "base/elementary.h"
#include "linkage/corner_impl.h"

#include <math.h>
#include <string.h>

/* --- the wheel --- */

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

/* --- an empty corner --- */

static void start_element(vd_element *e) {
  *e = (vd_element){.given = false};
  vd_forget(e->chassis, 3);
  vd_forget(e->eye, 3);
  vd_forget(e->pivot, 3);
  vd_forget(e->axis, 3);
  vd_forget(e->rod_part, 3);
  vd_forget(e->rod_rocker, 3);
}

void vd_corner_start(enum vd_linkage_type type, vd_corner *corner) {
  const vd_corner_kind *kind = vd_corner_kind_of(type);
  *corner = (vd_corner){.name = "", .source = ""};
  vd_hardpoints *p = &corner->points;
  p->type = type;
  p->members = kind->members;
  vd_forget(p->wheel_center, 3);
  vd_forget(p->spin_axis, 3);
  p->static_radius = NAN;
  for (int i = 0; i < kind->members; i++) {
    const vd_corner_member *m = &kind->member[i];
    p->member[i] = (vd_member){.kind = m->kind, .name = m->name, .steered = m->steered, .base = m->base};
    vd_forget(p->member[i].chassis[0], 6);
    vd_forget(p->member[i].knuckle, 3);
  }
  start_element(&p->spring);
  start_element(&p->damper);
  corner->spring_rate = corner->spring_load = corner->damper_rate = NAN;
  corner->wheel_load = corner->tyre_rate = NAN;
  corner->knuckle_mass = NAN;
  vd_forget(corner->knuckle_inertia, 3);
  vd_forget(corner->member_mass, VD_MEMBERS);
  vd_forget(corner->knuckle_arm, 3);
  for (int i = 0; i < VD_MEMBERS; i++)
    corner->ball_stiffness[i] = INFINITY;
  corner->wheelbase = corner->cg_height = corner->brake_share = corner->drive_share = NAN;
  corner->antiroll_stiffness = corner->c_factor = corner->gear_ratio = NAN;
}

/* --- completing what a file says --- */

typedef struct reading {
  vd_corner_def *def;
  const vd_corner_kind *kind;
  const vd_node *root;
  vd_diag *d;
} reading;

static enum vd_linkage_type type_of(const reading *r) {
  return (enum vd_linkage_type)r->def->type;
}

/* Joints that the block `knuckle` gives by offsets from the wheel centre. */
static void resolve_offsets(const reading *r) {
  const double apart = 1e-6; /* m; a point given in both ways may be rounded in one of them */
  const double *centre = r->def->wheel.center;
  for (int i = 0; i < r->kind->members; i++) {
    const char *key = r->kind->member[i].point[VD_AT_KNUCKLE];
    const double *offset = r->def->knuckle.point[i];
    double *point = r->def->member[i].point[VD_AT_KNUCKLE];
    if (!key || !vd_point_given(offset))
      continue;
    const double there[3] = {centre[0] + offset[0], centre[1] + offset[1], centre[2] + offset[2]};
    bool before = vd_point_given(point);
    for (int k = 0; k < 3; k++)
      if (before && !(fabs(there[k] - point[k]) <= apart)) {
        vd_error(r->d, vd_tree_place(r->root, key),
                 "'%s' is at [%g, %g, %g], but by its offset in knuckle.points at [%g, %g, %g]", key, point[0],
                 point[1], point[2], there[0], there[1], there[2]);
        break;
      }
    if (!before)
      memcpy(point, there, sizeof there);
  }
}

static int find(const vd_corner_kind *kind, const char *name) {
  int i = 0;
  while (strcmp(kind->member[i].name, name) != 0)
    i++;
  return i;
}

void vd_corner_fill_images(vd_corner *corner) {
  const vd_corner_kind *kind = vd_corner_kind_of(corner->points.type);
  for (int i = 0; i < kind->members; i++)
    if (kind->member[i].image) {
      const vd_member *left = &corner->points.member[find(kind, kind->member[i].image)];
      vd_fill_image(left->chassis[0], corner->points.member[i].chassis[0]);
      vd_fill_image(left->knuckle, corner->points.member[i].knuckle);
    }
}

bool vd_hardpoints_mirror(const vd_hardpoints *points, vd_hardpoints *out) {
  const vd_corner_kind *kind = vd_corner_kind_of(points->type);
  *out = *points;
  vd_mirror_relay(&out->gear);
  if (!kind->traits.axle)
    return out->gear.lopsided;
  for (int i = 0; i < kind->members; i++) {
    int from = i;
    for (int k = 0; k < kind->members; k++)
      if (kind->member[k].image && find(kind, kind->member[k].image) == i)
        from = k;
    if (kind->member[i].image)
      from = find(kind, kind->member[i].image);
    vd_member *to = &out->member[i];
    memcpy(to->chassis, points->member[from].chassis, sizeof to->chassis);
    memcpy(to->knuckle, points->member[from].knuckle, sizeof to->knuckle);
    vd_mirror_point(to->chassis[0]);
    vd_mirror_point(to->chassis[1]);
    vd_mirror_point(to->knuckle);
  }
  vd_mirror_axle_steer(out);
  return out->steer.given || out->gear.lopsided || memcmp(out->member, points->member, sizeof out->member) != 0;
}

void vd_corner_forget_images(vd_corner *corner) {
  const vd_corner_kind *kind = vd_corner_kind_of(corner->points.type);
  for (int i = 0; i < kind->members; i++)
    if (kind->member[i].image) {
      vd_forget(corner->points.member[i].chassis[0], 3);
      vd_forget(corner->points.member[i].knuckle, 3);
    }
}

/* The right one of a pair of rods is the left one's mirror image in all that its file does not say. */
static void mirror_pairs(const reading *r) {
  vd_corner_def *def = r->def;
  for (int i = 0; i < r->kind->members; i++) {
    if (!r->kind->member[i].image)
      continue;
    int left = find(r->kind, r->kind->member[i].image);
    vd_fill_image(def->member[left].point[VD_CHASSIS_A], def->member[i].point[VD_CHASSIS_A]);
    vd_fill_image(def->member[left].point[VD_AT_KNUCKLE], def->member[i].point[VD_AT_KNUCKLE]);
    if (!vd_point_given(def->bushings.at[i][0].translation))
      def->bushings.at[i][0] = def->bushings.at[left][0];
    if (isnan(def->ball_joints[i]))
      def->ball_joints[i] = def->ball_joints[left];
    if (isnan(def->mass.member[i]))
      def->mass.member[i] = def->mass.member[left];
  }
}

static void require_points(const reading *r) {
  for (int i = 0; i < r->kind->members; i++) {
    const char *key = r->kind->member[i].point[VD_AT_KNUCKLE];
    if (key && !vd_point_given(r->def->member[i].point[VD_AT_KNUCKLE]))
      vd_error(r->d, vd_tree_place(r->root, key), "missing point '%s'; 'knuckle.points.%s' may give it instead", key,
               r->kind->member[i].name);
  }
}

/* The older key stays in `on`, for messages. */
static void rename_part(const reading *r, const char *path, vd_element_def *e) {
  if (e->on[0] != '\0' && e->part[0] != '\0')
    vd_error(r->d, vd_tree_place_in(r->root, path, "on"), "'on' and 'part' are one key; say it once");
  if (e->on[0] != '\0')
    e->part = e->on;
}

/* Toe and camber are those of either side, so that this comes after the corner was mirrored. */
static void complete_wheel(const reading *r) {
  vd_wheel_def *w = &r->def->wheel;
  bool toe = !isnan(w->toe), camber = !isnan(w->camber), axis = vd_point_given(w->spin_axis);
  if (axis && (toe || camber))
    vd_error(r->d, vd_tree_place_in(r->root, "wheel", toe ? "toe" : "camber"),
             "'spin_axis' has toe and camber already; give it, or 'toe' and 'camber'");
  else if (!axis && !(toe && camber))
    vd_error(r->d, vd_tree_place(r->root, "wheel"), "missing key '%s' in wheel%s",
             toe      ? "camber"
             : camber ? "toe"
                      : "spin_axis",
             toe || camber ? "" : "; 'toe' and 'camber' may give it instead");
  else if (!axis)
    vd_spin_axis_of(w->toe, w->camber, w->spin_axis);
}

/* Spring and damper in one unit on the lower arm. */
static void spread_unit(const reading *r) {
  vd_corner_def *def = r->def;
  const double *chassis = def->spring_damper[0], *lca = def->spring_damper[1];
  vd_element_def *each[] = {&def->spring, &def->damper};
  static const char *const key[] = {"spring", "damper"};
  if (!r->kind->unit || (!vd_point_given(chassis) && !vd_point_given(lca)))
    return;
  if (!vd_point_given(chassis) || !vd_point_given(lca)) {
    vd_error(r->d, vd_tree_place(r->root, "spring_damper"), "missing point 'spring_damper.%s'",
             vd_point_given(chassis) ? "lca" : "chassis");
    return;
  }
  for (size_t i = 0; i < VD_COUNT(each); i++) {
    vd_element_def *e = each[i];
    if (vd_point_given(e->chassis) || vd_point_given(e->eye) || vd_point_given(e->rocker.pivot) || e->part[0] != '\0') {
      vd_error(r->d, vd_tree_place(r->root, key[i]), "points are given in 'spring_damper' and in '%s'", key[i]);
      continue;
    }
    memcpy(e->chassis, chassis, sizeof e->chassis);
    memcpy(e->eye, lca, sizeof e->eye);
    e->part = "lca";
  }
}

/* Mirrors the points of a right corner to the left. Directions are mirrored like points; stiffnesses and inertias about
 * the axes do not change. */
static void mirror_all(vd_corner_def *def) {
  vd_element_def *each[] = {&def->spring, &def->damper};
  vd_mirror_point(def->wheel.center);
  vd_mirror_point(def->wheel.spin_axis);
  vd_mirror_point(def->knuckle.arm);
  vd_mirror_point(def->steering.pivot);
  vd_mirror_point(def->steering.joint);
  vd_mirror_point(def->steering.axis);
  vd_mirror_point(def->steering.other_pivot);
  if (vd_point_given(def->steering.other_pivot) || vd_point_given(def->steering.other_joint))
    def->steering.pitman = def->steering.pitman == VD_LEFT ? VD_RIGHT : VD_LEFT;
  vd_mirror_point(def->steering.other_joint);
  for (int i = 0; i < VD_MEMBERS; i++) {
    for (int k = 0; k < VD_MEMBER_POINTS; k++)
      vd_mirror_point(def->member[i].point[k]);
    vd_mirror_point(def->member[i].axis);
    vd_mirror_point(def->member[i].cross);
  }
  for (size_t i = 0; i < VD_COUNT(each); i++) {
    vd_mirror_point(each[i]->chassis);
    vd_mirror_point(each[i]->eye);
    vd_mirror_point(each[i]->rocker.pivot);
    vd_mirror_point(each[i]->rocker.axis);
    vd_mirror_point(each[i]->rocker.rod_part);
    vd_mirror_point(each[i]->rocker.rod_rocker);
  }
}

/* --- elements --- */

/* The part on which an eye is mounted, as enum vd_part; -1 after an error. */
static int part_of(const reading *r, const char *path, const vd_element_def *def) {
  const char *names[VD_MEMBERS + 1] = {"knuckle"};
  size_t count = 1;
  for (int i = 0; i < r->kind->members; i++)
    names[count++] = r->kind->member[i].name;
  if (def->part[0] == '\0') {
    vd_error(r->d, vd_tree_place(r->root, path), "missing key 'part' in %s: what holds its end at the wheel", path);
    return -1;
  }
  for (size_t i = 0; i < count; i++)
    if (strcmp(names[i], def->part) == 0)
      return (int)i + VD_ON_KNUCKLE;
  vd_buf list = {0};
  for (size_t i = 0; i < count; i++)
    vd_buf_printf(&list, "%s%s", i ? ", " : "", names[i]);
  const char *near = vd_suggest(def->part, names, count);
  bool old = def->on[0] != '\0';
  vd_error(r->d, vd_tree_place_in(r->root, path, old ? "on" : "part"), "'%s' must be one of %s; got '%.40s'%s%s%s",
           old ? "on" : "part", list.text, def->part, near ? "; did you mean '" : "", near ? near : "",
           near ? "'?" : "");
  vd_buf_finish(&list);
  return -1;
}

static void complete_rocker(const reading *r, const char *path, const vd_rocker_def *def, vd_element *e) {
  static const char *const key[] = {"pivot", "axis", "rod_part", "rod_rocker"};
  const double *point[] = {def->pivot, def->axis, def->rod_part, def->rod_rocker};
  double *to[] = {e->pivot, e->axis, e->rod_part, e->rod_rocker};
  for (size_t i = 0; i < VD_COUNT(point); i++)
    e->rocker |= vd_point_given(point[i]);
  for (size_t i = 0; e->rocker && i < VD_COUNT(point); i++) {
    if (!vd_point_given(point[i]))
      vd_error(r->d, vd_tree_place_in(r->root, path, "rocker"), "missing key '%s' in rocker of %s", key[i], path);
    memcpy(to[i], point[i], 3 * sizeof *to[i]);
  }
}

/* A strut is spring and damper in one unless the file says otherwise. True: it was used. */
static bool default_strut(const reading *r, vd_element_def *def) {
  bool bare = !vd_point_given(def->chassis) && !vd_point_given(def->eye) && !vd_point_given(def->rocker.pivot) &&
              def->part[0] == '\0';
  int slider = 0;
  while (slider < r->kind->members && r->kind->member[slider].kind != VD_SLIDER)
    slider++;
  if (slider == r->kind->members || !bare)
    return false;
  memcpy(def->chassis, r->def->member[slider].point[VD_CHASSIS_A], sizeof def->chassis);
  memcpy(def->eye, r->def->member[slider].point[VD_AT_KNUCKLE], sizeof def->eye);
  def->part = "knuckle";
  return true;
}

/* load: whether the element has one; a damper has none. */
static void complete_element(const reading *r, const char *path, vd_element_def *def, bool load, vd_element *e) {
  bool strut = default_strut(r, def); /* whose own points were asked for already */
  start_element(e);
  complete_rocker(r, path, &def->rocker, e);
  bool any = vd_point_given(def->chassis) || vd_point_given(def->eye) || e->rocker || def->part[0] != '\0';
  if (!any && (!isnan(def->rate) || load))
    vd_error(r->d, vd_tree_place(r->root, path), "%s has no points: 'chassis', 'eye' and 'part'", path);
  if (!any)
    return;
  e->given = true;
  if (!vd_point_given(def->chassis) && !strut)
    vd_error(r->d, vd_tree_place(r->root, path), "missing key 'chassis' in %s", path);
  if (!vd_point_given(def->eye) && !strut)
    vd_error(r->d, vd_tree_place(r->root, path), "missing key 'eye' in %s", path);
  memcpy(e->chassis, def->chassis, sizeof e->chassis);
  memcpy(e->eye, def->eye, sizeof e->eye);
  e->on = part_of(r, path, def);
}

/* --- stiffnesses, masses, the car --- */

static void copy_given(const double *from, double *to) {
  for (int i = 0; vd_point_given(from) && i < 3; i++)
    to[i] = from[i];
}

/* Axes, preloads and curves, which would change signs along and about some axes for a mirrored wheel or rod. */
static void complete_law(const reading *r, const vd_bushing_def *def, const char *key, bool mirrored,
                         vd_bushing_law *out) {
  bool any = vd_point_given(def->x_axis) || vd_point_given(def->z_axis) || vd_point_given(def->preload_force) ||
             vd_point_given(def->preload_moment) || vd_point_given(def->cubic_translation) ||
             vd_point_given(def->cubic_rotation);
  *out = (vd_bushing_law){.preload = {0.0}};
  copy_given(def->x_axis, out->x_axis);
  copy_given(def->z_axis, out->z_axis);
  copy_given(def->preload_force, out->preload);
  copy_given(def->preload_moment, out->preload + 3);
  copy_given(def->cubic_translation, out->cubic);
  copy_given(def->cubic_rotation, out->cubic + 3);
  for (int i = 0; i < 6; i++) {
    out->table[i] = def->table[i];
    any |= def->table[i].count > 0;
    if (def->table[i].count == 1 || def->table[i].count > VD_CURVE_POINTS)
      vd_error(r->d, vd_tree_place_in(r->root, "bushings", key), "a table of bushing '%s' has %zu points, not 2 to %d",
               key, def->table[i].count, VD_CURVE_POINTS);
  }
  double across[3];
  vd_cross(out->x_axis, out->z_axis, across);
  if (vd_point_given(def->x_axis) != vd_point_given(def->z_axis) ||
      (vd_point_given(def->x_axis) && !(vd_norm(across) > 0.0)))
    vd_error(r->d, vd_tree_place_in(r->root, "bushings", key),
             "bushing '%s' needs both 'x_axis' and 'z_axis', in different directions", key);
  if (any && !vd_point_given(def->translation))
    vd_error(r->d, vd_tree_place_in(r->root, "bushings", key), "bushing '%s' has no translation", key);
  if (any && mirrored)
    vd_error(r->d, vd_tree_place_in(r->root, "bushings", key),
             "axes, preloads and curves of bushing '%s' are those of a left wheel; 'side: right' does not turn them",
             key);
}

static void complete_bushing(const reading *r, const vd_bushing_def *def, const char *key, vd_bushing *out) {
  *out = (vd_bushing){.given = vd_point_given(def->translation)};
  if (!out->given && vd_point_given(def->rotation))
    vd_error(r->d, vd_tree_place_in(r->root, "bushings", key), "bushing '%s' has a rotation but no translation", key);
  for (int i = 0; out->given && i < 3; i++) {
    out->stiffness[i] = def->translation[i];
    out->stiffness[3 + i] = vd_point_given(def->rotation) ? def->rotation[i] : 0.0;
  }
}

static void fill(double *to, const double *from) {
  if (!vd_point_given(to))
    memcpy(to, from, 3 * sizeof *to);
}

/* Known figures for the bushings that are not given; false: there are none. */
static bool default_bushings(const reading *r) {
  for (int i = 0; i < r->kind->members; i++)
    for (int k = 0; k < 2; k++) {
      const double *known = r->kind->default_bushing[i][k];
      vd_bushing_def *b = &r->def->bushings.at[i][k];
      if (!known || vd_point_given(b->translation))
        continue;
      fill(b->translation, known);
      fill(b->rotation, known + 3);
    }
  return r->kind->default_bushing[0][0] != NULL;
}

static void complete_joint(const reading *r, int member, int point, vd_corner *corner) {
  const vd_bushing_def *def = &r->def->bushings.at[member][point];
  const vd_corner_member *m = &r->kind->member[member];
  const vd_bushing_def *left = m->image ? &r->def->bushings.at[find(r->kind, m->image)][point] : NULL;
  bool copied = left && memcmp(def, left, sizeof *def) == 0;
  complete_bushing(r, def, m->bushing[point], &corner->bushing[member][point]);
  complete_law(r, def, m->bushing[point], copied || r->def->side == VD_RIGHT, &corner->law[member][point]);
}

static void complete_bushings(const reading *r, vd_corner *corner) {
  vd_bushings_def *def = &r->def->bushings;
  for (int i = 0; i < r->kind->members; i++)
    for (int k = 0; k < 2; k++)
      if (r->kind->each_bushing && r->kind->member[i].bushing[k] && !vd_point_given(def->at[i][k].translation))
        def->at[i][k] = def->each;
  if (def->set == VD_SET_DEFAULT && !default_bushings(r))
    vd_error(r->d, vd_tree_place(r->root, "bushings"), "there are no default bushings of a %s",
             vd_linkage_type_names[type_of(r)]);
  for (int i = 0; i < r->kind->members; i++)
    for (int k = 0; k < 2; k++)
      if (r->kind->member[i].bushing[k])
        complete_joint(r, i, k, corner);
}

static bool default_mass(const reading *r) {
  const double *known = r->kind->default_mass;
  vd_mass_def *mass = &r->def->mass;
  if (!known)
    return false;
  if (isnan(mass->knuckle))
    mass->knuckle = known[0];
  for (int i = 0; i < r->kind->members; i++)
    if (isnan(mass->member[i]))
      mass->member[i] = known[1 + i];
  return true;
}

/* Whether the file gives masses of its own, other than the default figures of the type. */
static bool weighed(const reading *r) {
  const vd_mass_def *mass = &r->def->mass;
  const double *known = r->kind->default_mass;
  bool own = vd_point_given(mass->knuckle_inertia) || (!isnan(mass->knuckle) && !(known && mass->knuckle == known[0]));
  for (int i = 0; i < r->kind->members; i++)
    own |= !isnan(mass->member[i]) && !(known && mass->member[i] == known[1 + i]);
  return own;
}

static void complete_masses(const reading *r, vd_corner *corner) {
  vd_mass_def *def = &r->def->mass;
  for (int i = 0; i < r->kind->members; i++)
    if (r->kind->each_mass && isnan(def->member[i]))
      def->member[i] = def->each;
  if (def->set == VD_SET_DEFAULT && !default_mass(r))
    vd_error(r->d, vd_tree_place(r->root, "mass"), "there are no default masses of a %s",
             vd_linkage_type_names[type_of(r)]);
  corner->weighed = weighed(r);
  corner->knuckle_mass = def->knuckle;
  memcpy(corner->knuckle_inertia, def->knuckle_inertia, sizeof corner->knuckle_inertia);
  for (int i = 0; i < r->kind->members; i++)
    corner->member_mass[i] = def->member[i];
}

static bool has_ball(const vd_corner_member *m) {
  return m->kind == VD_ARM || m->kind == VD_ROD;
}

static void complete_car(const reading *r, vd_corner *corner) {
  const vd_car_def *car = &r->def->car;
  bool any = !isnan(car->wheelbase) || !isnan(car->cg_height) || !isnan(car->brake_share) || !isnan(car->drive_share) ||
             !isnan(car->antiroll_stiffness) || !isnan(car->c_factor) || !isnan(car->gear_ratio) || car->inboard_brakes;
  if (any && car->axle == VD_CORNER_AXLE_AUTO)
    vd_error(r->d, vd_tree_place(r->root, "car"), "missing key 'axle' in car: front or rear");
  corner->rear = car->axle == VD_CORNER_REAR;
  corner->wheelbase = car->wheelbase;
  corner->cg_height = car->cg_height;
  corner->brake_share = car->brake_share;
  corner->drive_share = car->drive_share;
  corner->antiroll_stiffness = car->antiroll_stiffness;
  corner->c_factor = car->c_factor;
  corner->gear_ratio = car->gear_ratio;
  corner->inboard_brakes = car->inboard_brakes;
}

/* Zero stands for what is not given. */
static void copy_axis(const double *from, double *to) {
  for (int i = 0; i < 3; i++)
    to[i] = vd_point_given(from) ? from[i] : 0.0;
}

static void complete_points(const reading *r, vd_hardpoints *p) {
  memcpy(p->wheel_center, r->def->wheel.center, sizeof p->wheel_center);
  memcpy(p->spin_axis, r->def->wheel.spin_axis, sizeof p->spin_axis);
  p->static_radius = r->def->wheel.static_radius;
  for (int i = 0; i < p->members; i++) {
    double *const to[] = {p->member[i].chassis[0], p->member[i].chassis[1], p->member[i].knuckle};
    for (int k = 0; k < VD_MEMBER_POINTS; k++)
      if (r->kind->member[i].point[k])
        memcpy(to[k], r->def->member[i].point[k], 3 * sizeof *to[k]);
    copy_axis(r->def->member[i].axis, p->member[i].axis);
    copy_axis(r->def->member[i].cross, p->member[i].cross);
  }
  vd_corner_complete_steering(r->def, r->root, r->d, p);
}

/* False: what is missing or said twice was reported. */
static bool complete(vd_corner_def *def, const vd_node *root, vd_diag *d, vd_corner *corner) {
  const reading r = {def, vd_corner_kind_of((enum vd_linkage_type)def->type), root, d};
  size_t before = vd_diag_errors(d);
  vd_corner_start(type_of(&r), corner);
  resolve_offsets(&r);
  mirror_pairs(&r);
  require_points(&r);
  rename_part(&r, "spring", &def->spring);
  rename_part(&r, "damper", &def->damper);
  spread_unit(&r);
  if (def->side == VD_RIGHT)
    mirror_all(def);
  complete_wheel(&r);
  complete_points(&r, &corner->points);
  complete_element(&r, "spring", &def->spring, !isnan(def->spring.load), &corner->points.spring);
  complete_element(&r, "damper", &def->damper, false, &corner->points.damper);
  complete_bushings(&r, corner);
  if (r.kind->traits.beam)
    vd_corner_complete_beam(&def->beam, root, d, &corner->beam);
  complete_masses(&r, corner);
  complete_car(&r, corner);
  for (int i = 0; i < r.kind->members; i++)
    if (has_ball(&r.kind->member[i]) && !isnan(def->ball_joints[i]))
      corner->ball_stiffness[i] = def->ball_joints[i];
  corner->name = def->name;
  corner->source = def->source;
  corner->estimates = def->estimates;
  corner->spring_rate = def->spring.rate;
  corner->spring_load = def->spring.load;
  corner->damper_rate = def->damper.rate;
  corner->wheel_load = def->wheel_load;
  corner->tyre_rate = def->tyre_rate;
  corner->blade = def->trailing == VD_TRAILING_BLADE;
  corner->final_drive_on_body = def->final_drive == VD_FINAL_DRIVE_BODY;
  memcpy(corner->knuckle_arm, def->knuckle.arm, sizeof corner->knuckle_arm);
  return vd_diag_errors(d) == before;
}

bool vd_corner_read_source(int source, const vd_setting *settings, size_t count, vd_arena *arena, vd_diag *d,
                           vd_corner *corner, vd_buf *effective) {
  vd_corner_def def;
  vd_node *root;
  if (!vd_schema_read_source(&vd_corner_schema, source, settings, count, arena, d, &def, &root) ||
      !complete(&def, root, d, corner) || !vd_corner_check(corner, root, source, d))
    return false;
  if (effective)
    vd_corner_write(corner, effective);
  return true;
}

bool vd_corner_read(const char *path, const vd_setting *settings, size_t count, vd_arena *arena, vd_diag *d,
                    vd_corner *corner, vd_buf *effective) {
  int source;
  return vd_schema_slurp(path, d, &source) &&
         vd_corner_read_source(source, settings, count, arena, d, corner, effective);
}

/* --- a corner as a file --- */

static void write_element(const vd_corner *corner, const vd_element *e, double rate, vd_element_def *def) {
  memcpy(def->chassis, e->chassis, sizeof def->chassis);
  memcpy(def->eye, e->eye, sizeof def->eye);
  memcpy(def->rocker.pivot, e->pivot, sizeof def->rocker.pivot);
  memcpy(def->rocker.axis, e->axis, sizeof def->rocker.axis);
  memcpy(def->rocker.rod_part, e->rod_part, sizeof def->rocker.rod_part);
  memcpy(def->rocker.rod_rocker, e->rod_rocker, sizeof def->rocker.rod_rocker);
  def->rate = rate;
  def->on = "";
  def->part = !e->given ? "" : e->on == VD_ON_KNUCKLE ? "knuckle" : corner->points.member[e->on - VD_ON_MEMBER].name;
}

/* Zeros are what is not given. */
static void write_given(const double *from, double *to) {
  memcpy(to, from, 3 * sizeof *to);
  if (from[0] == 0.0 && from[1] == 0.0 && from[2] == 0.0)
    vd_forget(to, 3);
}

static void write_law(const vd_bushing_law *law, vd_bushing_def *def) {
  write_given(law->x_axis, def->x_axis);
  write_given(law->z_axis, def->z_axis);
  write_given(law->preload, def->preload_force);
  write_given(law->preload + 3, def->preload_moment);
  write_given(law->cubic, def->cubic_translation);
  write_given(law->cubic + 3, def->cubic_rotation);
  memcpy(def->table, law->table, sizeof def->table);
}

static void write_member(const vd_corner *corner, int i, vd_corner_def *def) {
  const vd_member *m = &corner->points.member[i];
  memcpy(def->member[i].point[VD_CHASSIS_A], m->chassis[0], sizeof m->chassis[0]);
  memcpy(def->member[i].point[VD_CHASSIS_B], m->chassis[1], sizeof m->chassis[1]);
  memcpy(def->member[i].point[VD_AT_KNUCKLE], m->knuckle, sizeof m->knuckle);
  write_given(m->axis, def->member[i].axis);
  write_given(m->cross, def->member[i].cross);
  def->ball_joints[i] = isinf(corner->ball_stiffness[i]) ? NAN : corner->ball_stiffness[i];
  def->mass.member[i] = corner->member_mass[i];
  for (int k = 0; k < 2; k++) {
    const vd_bushing *b = &corner->bushing[i][k];
    memcpy(def->bushings.at[i][k].translation, b->stiffness, sizeof def->bushings.at[i][k].translation);
    memcpy(def->bushings.at[i][k].rotation, b->stiffness + 3, sizeof def->bushings.at[i][k].rotation);
    if (!b->given) {
      vd_forget(def->bushings.at[i][k].translation, 3);
      vd_forget(def->bushings.at[i][k].rotation, 3);
    }
    write_law(&corner->law[i][k], &def->bushings.at[i][k]);
  }
}

/* A definition with every value of the corner. */
static vd_corner_def describe(const vd_corner *corner) {
  const vd_hardpoints *p = &corner->points;
  vd_corner_def def = {
      .type = (int)p->type, .name = corner->name, .source = corner->source, .estimates = corner->estimates};
  def.trailing = corner->blade ? VD_TRAILING_BLADE : VD_TRAILING_RODS;
  memcpy(def.wheel.center, p->wheel_center, sizeof def.wheel.center);
  memcpy(def.wheel.spin_axis, p->spin_axis, sizeof def.wheel.spin_axis);
  def.wheel.toe = def.wheel.camber = NAN;
  def.wheel.static_radius = p->static_radius;
  vd_corner_describe_steering(p, &def);
  def.final_drive = corner->final_drive_on_body ? VD_FINAL_DRIVE_BODY : VD_FINAL_DRIVE_AXLE;
  vd_forget(def.spring_damper[0], 6);
  vd_forget(def.knuckle.point[0], VD_COUNT(def.knuckle.point) * 3);
  memcpy(def.knuckle.arm, corner->knuckle_arm, sizeof def.knuckle.arm);
  vd_forget(def.bushings.each.translation, 3);
  vd_forget(def.bushings.each.rotation, 3);
  write_law(&(vd_bushing_law){.preload = {0.0}}, &def.bushings.each);
  vd_corner_describe_beam(&corner->beam, &def.beam);
  def.mass.each = NAN;
  for (int i = 0; i < p->members; i++)
    write_member(corner, i, &def);
  write_element(corner, &p->spring, corner->spring_rate, &def.spring);
  write_element(corner, &p->damper, corner->damper_rate, &def.damper);
  def.spring.load = corner->spring_load;
  def.wheel_load = corner->wheel_load;
  def.tyre_rate = corner->tyre_rate;
  def.mass.knuckle = corner->knuckle_mass;
  memcpy(def.mass.knuckle_inertia, corner->knuckle_inertia, sizeof def.mass.knuckle_inertia);
  def.car = (vd_car_def){.wheelbase = corner->wheelbase,
                         .cg_height = corner->cg_height,
                         .brake_share = corner->brake_share,
                         .drive_share = corner->drive_share,
                         .antiroll_stiffness = corner->antiroll_stiffness,
                         .c_factor = corner->c_factor,
                         .gear_ratio = corner->gear_ratio,
                         .inboard_brakes = corner->inboard_brakes};
  bool car = !isnan(corner->wheelbase) || !isnan(corner->cg_height) || !isnan(corner->brake_share) ||
             !isnan(corner->drive_share) || !isnan(corner->antiroll_stiffness) || !isnan(corner->c_factor) ||
             !isnan(corner->gear_ratio) || corner->inboard_brakes;
  def.car.axle = corner->rear ? VD_CORNER_REAR : car ? VD_CORNER_FRONT : VD_CORNER_AXLE_AUTO;
  return def;
}

void vd_corner_write(const vd_corner *corner, vd_buf *out) {
  vd_corner_def def = describe(corner);
  vd_schema_write(&vd_corner_schema, &def, out);
}

bool vd_corner_complete(void *def, const vd_node *root, vd_diag *d, vd_corner *corner) {
  if (!complete(def, root, d, corner) || !vd_corner_check(corner, root, root->place.source, d))
    return false;
  *(vd_corner_def *)def = describe(corner);
  return true;
}
