/* Reads a suspension file into a corner, and writes a corner as a file. */
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
  axis[2] = 0.0 - vd_sin(camber); /* avoids -0 */
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

/* Sets kinds, names and gears of the members. Points that a kind of member does not have become NAN. */
static void start_members(vd_hardpoints *p) {
  const vd_corner_kind *kind = vd_corner_kind_of(p->type);
  p->members = kind->members;
  for (int i = 0; i < kind->members; i++) {
    const vd_corner_member *m = &kind->member[i];
    vd_member *to = &p->member[i];
    to->kind = m->kind;
    to->name = m->name;
    to->steered = m->steered;
    to->base = m->base;
    for (int k = 0; k < VD_MEMBER_POINTS; k++)
      if (!m->point[k])
        vd_forget(k == VD_AT_KNUCKLE ? to->knuckle : to->chassis[k], 3);
  }
}

void vd_corner_start(enum vd_linkage_type type, vd_corner *corner) {
  *corner = (vd_corner){.name = "", .source = ""};
  vd_hardpoints *p = &corner->points;
  p->type = type;
  vd_forget(p->wheel_center, 3);
  vd_forget(p->spin_axis, 3);
  p->static_radius = NAN;
  start_members(p);
  for (int i = 0; i < p->members; i++) {
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
  vd_hardpoints *points; /* of def->corner */
  const vd_corner_kind *kind;
  const vd_node *root;
  vd_diag *d;
} reading;

/* Adds the wheel centre to the joints that the block `knuckle` gives as offsets from it. */
static void resolve_offsets(const reading *r) {
  const double apart = 1e-6; /* m; a point given in both ways may be rounded in one of them */
  const double *centre = r->points->wheel_center;
  for (int i = 0; i < r->kind->members; i++) {
    const char *key = r->kind->member[i].point[VD_AT_KNUCKLE];
    const double *offset = r->def->offset[i];
    double *point = r->points->member[i].knuckle;
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

void vd_corner_fill_images(vd_corner *corner) {
  const vd_corner_kind *kind = vd_corner_kind_of(corner->points.type);
  for (int i = 0; i < kind->members; i++)
    if (kind->member[i].image) {
      const vd_member *left = &corner->points.member[kind->member[i].image - 1];
      vd_fill_image(left->chassis[0], corner->points.member[i].chassis[0]);
      vd_fill_image(left->knuckle, corner->points.member[i].knuckle);
    }
}

static void mirror_member(vd_member *m) {
  vd_mirror_point(m->chassis[0]);
  vd_mirror_point(m->chassis[1]);
  vd_mirror_point(m->knuckle);
}

bool vd_hardpoints_mirror(const vd_hardpoints *points, vd_hardpoints *out) {
  const vd_corner_kind *kind = vd_corner_kind_of(points->type);
  *out = *points;
  vd_mirror_relay(&out->gear);
  if (!kind->traits.axle)
    return out->gear.asymmetric;
  for (int i = 0; i < kind->members; i++) {
    int from = i;
    for (int k = 0; k < kind->members; k++)
      if (kind->member[k].image == 1 + i)
        from = k;
    if (kind->member[i].image)
      from = kind->member[i].image - 1;
    vd_member *to = &out->member[i];
    memcpy(to->chassis, points->member[from].chassis, sizeof to->chassis);
    memcpy(to->knuckle, points->member[from].knuckle, sizeof to->knuckle);
    mirror_member(to);
  }
  vd_mirror_axle_steer(out);
  return out->steer.given || out->gear.asymmetric || memcmp(out->member, points->member, sizeof out->member) != 0;
}

void vd_corner_forget_images(vd_corner *corner) {
  const vd_corner_kind *kind = vd_corner_kind_of(corner->points.type);
  for (int i = 0; i < kind->members; i++)
    if (kind->member[i].image) {
      vd_forget(corner->points.member[i].chassis[0], 3);
      vd_forget(corner->points.member[i].knuckle, 3);
    }
}

/* Completes the right rods of pairs: what their file does not give is taken from the mirror image of the left rod. */
static void mirror_pairs(const reading *r) {
  vd_corner_def *def = r->def;
  vd_corner_fill_images(&def->corner);
  for (int i = 0; i < r->kind->members; i++) {
    const int left = r->kind->member[i].image - 1;
    if (left < 0)
      continue;
    if (!vd_point_given(def->bushing[i][0].linear.stiffness))
      def->bushing[i][0] = def->bushing[left][0];
    if (isnan(def->corner.ball_stiffness[i]))
      def->corner.ball_stiffness[i] = def->corner.ball_stiffness[left];
    if (isnan(def->corner.member_mass[i]))
      def->corner.member_mass[i] = def->corner.member_mass[left];
  }
}

static void require_points(const reading *r) {
  for (int i = 0; i < r->kind->members; i++) {
    const char *key = r->kind->member[i].point[VD_AT_KNUCKLE];
    if (key && !vd_point_given(r->points->member[i].knuckle))
      vd_error(r->d, vd_tree_place(r->root, key), "missing point '%s'; 'knuckle.points.%s' may give it instead", key,
               r->kind->member[i].name);
  }
}

/* Copies the older key `on` to `part'; `on` keeps its value, so that messages name the key that the file gives. */
static void rename_part(const reading *r, const char *path, vd_element_def *e) {
  if (e->on[0] != '\0' && e->part[0] != '\0')
    vd_error(r->d, vd_tree_place_in(r->root, path, "on"), "'on' is the older name of 'part'; give only one of the two");
  if (e->on[0] != '\0')
    e->part = e->on;
}

/* Completes the wheel's spin axis. The corner must be mirrored before: toe and camber have the same sign on both sides,
 * spin_axis does not. */
static void complete_wheel(const reading *r) {
  double *spin = r->points->spin_axis;
  bool toe = !isnan(r->def->toe), camber = !isnan(r->def->camber), axis = vd_point_given(spin);
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
    vd_spin_axis_of(r->def->toe, r->def->camber, spin);
}

/* Returns whether a file gives any point of an element, or its part. */
static bool is_placed(const vd_element *e, const vd_element_def *def) {
  return vd_point_given(e->chassis) || vd_point_given(e->eye) || vd_point_given(e->pivot) || def->part[0] != '\0';
}

/* Gives spring and damper the points of `spring_damper`, one unit on the lower arm. */
static void spread_unit(const reading *r) {
  const double *chassis = r->def->spring_damper[0], *lca = r->def->spring_damper[1];
  vd_element *const each[] = {&r->points->spring, &r->points->damper};
  vd_element_def *const def[] = {&r->def->spring, &r->def->damper};
  static const char *const key[] = {"spring", "damper"};
  if (!r->kind->unit || (!vd_point_given(chassis) && !vd_point_given(lca)))
    return;
  if (!vd_point_given(chassis) || !vd_point_given(lca)) {
    vd_error(r->d, vd_tree_place(r->root, "spring_damper"), "missing point 'spring_damper.%s'",
             vd_point_given(chassis) ? "lca" : "chassis");
    return;
  }
  for (size_t i = 0; i < VD_COUNT(each); i++) {
    if (is_placed(each[i], def[i])) {
      vd_error(r->d, vd_tree_place(r->root, key[i]), "points are given in 'spring_damper' and in '%s'", key[i]);
      continue;
    }
    memcpy(each[i]->chassis, chassis, sizeof each[i]->chassis);
    memcpy(each[i]->eye, lca, sizeof each[i]->eye);
    def[i]->part = "lca";
  }
}

static void mirror_element(vd_element *e) {
  double *const point[] = {e->chassis, e->eye, e->pivot, e->axis, e->rod_part, e->rod_rocker};
  for (size_t i = 0; i < VD_COUNT(point); i++)
    vd_mirror_point(point[i]);
}

/* Mirrors the points of a right corner to the left. Directions are mirrored like points; stiffnesses and inertias about
 * the axes do not change. */
static void mirror_all(vd_corner *corner) {
  vd_hardpoints *p = &corner->points;
  double *const point[] = {p->wheel_center, p->spin_axis, corner->knuckle_arm, p->gear.pivot,
                           p->gear.joint,   p->gear.axis, p->gear.other_pivot, p->gear.other_joint};
  for (size_t i = 0; i < VD_COUNT(point); i++)
    vd_mirror_point(point[i]);
  if (vd_point_given(p->gear.other_pivot) || vd_point_given(p->gear.other_joint))
    p->gear.pitman_side = p->gear.pitman_side == VD_LEFT ? VD_RIGHT : VD_LEFT;
  for (int i = 0; i < p->members; i++) {
    mirror_member(&p->member[i]);
    vd_mirror_point(p->member[i].axis);
    vd_mirror_point(p->member[i].cross);
  }
  mirror_element(&p->spring);
  mirror_element(&p->damper);
}

/* --- elements --- */

/* Returns the part on which an eye is mounted, as enum vd_part; -1 after an error. */
static int part_of(const reading *r, const char *path, const vd_element_def *def) {
  const char *names[VD_MEMBERS + 1] = {"knuckle"};
  size_t count = 1;
  for (int i = 0; i < r->kind->members; i++)
    names[count++] = r->kind->member[i].name;
  if (def->part[0] == '\0') {
    vd_error(r->d, vd_tree_place(r->root, path), "missing key 'part' in %s: the part that holds its end at the wheel",
             path);
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

static void complete_rocker(const reading *r, const char *path, vd_element *e) {
  static const char *const key[] = {"pivot", "axis", "rod_part", "rod_rocker"};
  const double *const point[] = {e->pivot, e->axis, e->rod_part, e->rod_rocker};
  for (size_t i = 0; i < VD_COUNT(point); i++)
    e->rocker |= vd_point_given(point[i]);
  for (size_t i = 0; e->rocker && i < VD_COUNT(point); i++)
    if (!vd_point_given(point[i]))
      vd_error(r->d, vd_tree_place_in(r->root, path, "rocker"), "missing key '%s' in rocker of %s", key[i], path);
}

/* Gives a spring or damper the points of the strut by default. Returns whether this default is used. */
static bool default_strut(const reading *r, vd_element *e, vd_element_def *def) {
  const vd_member *slider = vd_corner_slider(r->points);
  if (!slider || is_placed(e, def))
    return false;
  memcpy(e->chassis, slider->chassis[0], sizeof e->chassis);
  memcpy(e->eye, slider->knuckle, sizeof e->eye);
  def->part = "knuckle";
  return true;
}

/* Completes a spring or damper. numbers: whether the file gives a rate or a load, which needs the points of the
 * element. */
static void complete_element(const reading *r, const char *path, bool numbers, vd_element_def *def, vd_element *e) {
  bool strut = default_strut(r, e, def); /* missing points of a strut are reported where its own keys are read */
  complete_rocker(r, path, e);
  e->given = e->rocker || is_placed(e, def);
  if (!e->given && numbers)
    vd_error(r->d, vd_tree_place(r->root, path), "%s has no points: 'chassis', 'eye' and 'part'", path);
  if (!e->given)
    return;
  if (!vd_point_given(e->chassis) && !strut)
    vd_error(r->d, vd_tree_place(r->root, path), "missing key 'chassis' in %s", path);
  if (!vd_point_given(e->eye) && !strut)
    vd_error(r->d, vd_tree_place(r->root, path), "missing key 'eye' in %s", path);
  e->on = part_of(r, path, def);
}

/* --- stiffnesses, masses, the car --- */

/* Sets three numbers that are not given to zero. */
static void zero_missing(double *v) {
  if (!vd_point_given(v))
    memset(v, 0, 3 * sizeof *v);
}

enum { LAW_VECTORS = 6 };

static void list_vectors(vd_bushing_law *law, double *vector[LAW_VECTORS]) {
  double *const all[LAW_VECTORS] = {law->x_axis,      law->z_axis, law->preload,
                                    law->preload + 3, law->cubic,  law->cubic + 3};
  memcpy(vector, all, sizeof all);
}

/* Completes axes, preloads and curves of a bushing. A mirrored wheel or rod must not have them, since some of them
 * would change signs. */
static void complete_law(const reading *r, const vd_bushing_def *def, const char *key, bool mirrored,
                         vd_bushing_law *out) {
  const vd_place place = vd_tree_place_in(r->root, "bushings", "%s", key);
  const bool x = vd_point_given(def->law.x_axis), z = vd_point_given(def->law.z_axis);
  double *vector[LAW_VECTORS], across[3];
  bool any = false;
  *out = def->law;
  list_vectors(out, vector);
  for (int i = 0; i < LAW_VECTORS; i++) {
    any |= vd_point_given(vector[i]);
    zero_missing(vector[i]);
  }
  for (int i = 0; i < 6; i++) {
    size_t count = out->table[i].count;
    any |= count > 0;
    if (count == 1 || count > VD_CURVE_POINTS)
      vd_error(r->d, place, "a table of bushing '%s' has %zu points, not 2 to %d", key, count, VD_CURVE_POINTS);
  }
  vd_cross(out->x_axis, out->z_axis, across);
  if (x != z || (x && !(vd_norm(across) > 0.0)))
    vd_error(r->d, place, "bushing '%s' needs both 'x_axis' and 'z_axis', in different directions", key);
  if (any && !vd_point_given(def->linear.stiffness))
    vd_error(r->d, place, "bushing '%s' has no translation", key);
  if (any && mirrored)
    vd_error(r->d, place,
             "axes, preloads and curves of bushing '%s' are those of a left wheel; 'side: right' does not turn them",
             key);
}

static void complete_bushing(const reading *r, const vd_bushing *def, const char *key, vd_bushing *out) {
  *out = *def;
  out->given = vd_point_given(def->stiffness);
  if (!out->given && vd_point_given(def->stiffness + 3))
    vd_error(r->d, vd_tree_place_in(r->root, "bushings", "%s", key), "bushing '%s' has a rotation but no translation",
             key);
  zero_missing(out->stiffness);
  zero_missing(out->stiffness + 3);
}

/* Sets bushings that are not given to the default figures of the type; false: the type has none. */
static bool default_bushings(const reading *r) {
  for (int i = 0; i < r->kind->members; i++)
    for (int k = 0; k < 2; k++) {
      const double *known = r->kind->default_bushing[i][k];
      double *stiffness = r->def->bushing[i][k].linear.stiffness;
      if (!known || vd_point_given(stiffness))
        continue;
      for (int j = 0; j < 6; j++)
        stiffness[j] = j < 3 || isnan(stiffness[j]) ? known[j] : stiffness[j];
    }
  return r->kind->default_bushing[0][0] != NULL;
}

static void complete_joint(const reading *r, int member, int point) {
  const vd_bushing_def *def = &r->def->bushing[member][point];
  const vd_corner_member *m = &r->kind->member[member];
  const vd_bushing_def *left = m->image ? &r->def->bushing[m->image - 1][point] : NULL;
  bool copied = left && memcmp(def, left, sizeof *def) == 0;
  complete_bushing(r, &def->linear, m->bushing[point], &r->def->corner.bushing[member][point]);
  complete_law(r, def, m->bushing[point], copied || r->def->side == VD_RIGHT, &r->def->corner.law[member][point]);
}

static void complete_bushings(const reading *r) {
  vd_corner_def *def = r->def;
  for (int i = 0; i < r->kind->members; i++)
    for (int k = 0; k < 2; k++)
      if (r->kind->each_bushing && r->kind->member[i].bushing[k] &&
          !vd_point_given(def->bushing[i][k].linear.stiffness))
        def->bushing[i][k] = def->each_bushing;
  if (def->bushing_set == VD_SET_DEFAULT && !default_bushings(r))
    vd_error(r->d, vd_tree_place(r->root, "bushings"), "there are no default bushings of a %s",
             vd_linkage_type_names[def->type]);
  for (int i = 0; i < r->kind->members; i++)
    for (int k = 0; k < 2; k++)
      if (r->kind->member[i].bushing[k])
        complete_joint(r, i, k);
}

/* Sets masses that are not given to the default figures of the type; false: the type has none. */
static bool default_mass(const reading *r) {
  const double *known = r->kind->default_mass;
  vd_corner *corner = &r->def->corner;
  if (!known)
    return false;
  if (isnan(corner->knuckle_mass))
    corner->knuckle_mass = known[0];
  for (int i = 0; i < r->kind->members; i++)
    if (isnan(corner->member_mass[i]))
      corner->member_mass[i] = known[1 + i];
  return true;
}

/* Returns whether the file gives masses of its own, other than the default figures of the type. */
static bool weighed(const vd_corner *corner, const vd_corner_kind *kind) {
  const double *known = kind->default_mass;
  bool own = vd_point_given(corner->knuckle_inertia) ||
             (!isnan(corner->knuckle_mass) && !(known && corner->knuckle_mass == known[0]));
  for (int i = 0; i < kind->members; i++)
    own |= !isnan(corner->member_mass[i]) && !(known && corner->member_mass[i] == known[1 + i]);
  return own;
}

static void complete_masses(const reading *r) {
  vd_corner *corner = &r->def->corner;
  for (int i = 0; i < r->kind->members; i++)
    if (r->kind->each_mass && isnan(corner->member_mass[i]))
      corner->member_mass[i] = r->def->each_mass;
  vd_forget(corner->member_mass + r->kind->members, (size_t)(VD_MEMBERS - r->kind->members));
  if (r->def->mass_set == VD_SET_DEFAULT && !default_mass(r))
    vd_error(r->d, vd_tree_place(r->root, "mass"), "there are no default masses of a %s",
             vd_linkage_type_names[r->def->type]);
  corner->weighed = weighed(corner, r->kind);
}

/* Returns whether the file gives any figure of the car. */
static bool has_car(const vd_corner *c) {
  const double figure[] = {c->wheelbase,          c->cg_height, c->brake_share, c->drive_share,
                           c->antiroll_stiffness, c->c_factor,  c->gear_ratio};
  bool any = c->inboard_brakes;
  for (size_t i = 0; i < VD_COUNT(figure); i++)
    any |= !isnan(figure[i]);
  return any;
}

/* Completes and checks a file. False: keys are missing or contradict each other; all such errors were reported. */
static bool complete(vd_corner_def *def, const vd_node *root, vd_diag *d) {
  vd_corner *corner = &def->corner;
  vd_hardpoints *p = &corner->points;
  const reading r = {def, p, vd_corner_kind_of((enum vd_linkage_type)def->type), root, d};
  size_t before = vd_diag_errors(d);
  p->type = (enum vd_linkage_type)def->type;
  start_members(p);
  resolve_offsets(&r);
  mirror_pairs(&r);
  require_points(&r);
  rename_part(&r, "spring", &def->spring);
  rename_part(&r, "damper", &def->damper);
  spread_unit(&r);
  if (def->side == VD_RIGHT)
    mirror_all(corner);
  complete_wheel(&r);
  for (int i = 0; i < p->members; i++) {
    zero_missing(p->member[i].axis);
    zero_missing(p->member[i].cross);
  }
  vd_corner_complete_steering(def, root, d);
  complete_element(&r, "spring", !isnan(corner->spring_rate) || !isnan(corner->spring_load), &def->spring, &p->spring);
  complete_element(&r, "damper", !isnan(corner->damper_rate), &def->damper, &p->damper);
  complete_bushings(&r);
  if (r.kind->traits.beam)
    vd_corner_complete_beam(def, root, d);
  complete_masses(&r);
  for (int i = 0; i < VD_MEMBERS; i++)
    if (!(corner->ball_stiffness[i] > 0.0)) /* not given */
      corner->ball_stiffness[i] = INFINITY;
  if (has_car(corner) && def->axle == VD_CORNER_AXLE_AUTO)
    vd_error(d, vd_tree_place(root, "car"), "missing key 'axle' in car: front or rear");
  corner->rear = def->axle == VD_CORNER_REAR;
  corner->blade = def->trailing == VD_TRAILING_BLADE;
  corner->final_drive_on_body = def->final_drive == VD_FINAL_DRIVE_BODY;
  return vd_diag_errors(d) == before;
}

bool vd_corner_read_source(int source, const vd_setting *settings, size_t count, vd_arena *arena, vd_diag *d,
                           vd_corner *corner, vd_buf *effective) {
  vd_corner_def def;
  vd_node *root;
  if (!vd_schema_read_source(&vd_corner_schema, source, settings, count, arena, d, &def, &root) ||
      !complete(&def, root, d) || !vd_corner_check(&def.corner, root, source, d))
    return false;
  *corner = def.corner;
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

static vd_element_def describe_element(const vd_hardpoints *p, const vd_element *e) {
  const char *part = e->on == VD_ON_KNUCKLE ? "knuckle" : p->member[e->on - VD_ON_MEMBER].name;
  return (vd_element_def){.part = e->given ? part : "", .on = ""};
}

/* Reverses zero_missing: three zeros become NAN, which stands for "not given". */
static void forget_zeros(double *v) {
  if (v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0)
    vd_forget(v, 3);
}

static vd_bushing_def describe_bushing(const vd_bushing *linear, const vd_bushing_law *law) {
  vd_bushing_def def = {*linear, *law};
  double *vector[LAW_VECTORS];
  list_vectors(&def.law, vector);
  for (int i = 0; i < LAW_VECTORS; i++)
    forget_zeros(vector[i]);
  if (!linear->given)
    vd_forget(def.linear.stiffness, 6);
  return def;
}

/* Returns a definition with every value of the corner. */
static vd_corner_def describe(const vd_corner *corner) {
  static const vd_bushing rigid;
  static const vd_bushing_law no_law;
  vd_corner_def def = {
      .type = (int)corner->points.type, .corner = *corner, .toe = NAN, .camber = NAN, .each_mass = NAN};
  vd_hardpoints *p = &def.corner.points;
  def.trailing = corner->blade ? VD_TRAILING_BLADE : VD_TRAILING_RODS;
  def.final_drive = corner->final_drive_on_body ? VD_FINAL_DRIVE_BODY : VD_FINAL_DRIVE_AXLE;
  def.axle = corner->rear ? VD_CORNER_REAR : has_car(corner) ? VD_CORNER_FRONT : VD_CORNER_AXLE_AUTO;
  vd_corner_describe_steering(&def);
  vd_corner_describe_beam(&def);
  vd_forget(def.spring_damper[0], 6);
  vd_forget(def.offset[0], VD_COUNT(def.offset) * 3);
  def.each_bushing = describe_bushing(&rigid, &no_law);
  for (int i = 0; i < p->members; i++) {
    forget_zeros(p->member[i].axis);
    forget_zeros(p->member[i].cross);
    if (isinf(corner->ball_stiffness[i]))
      def.corner.ball_stiffness[i] = NAN;
    for (int k = 0; k < 2; k++)
      def.bushing[i][k] = describe_bushing(&corner->bushing[i][k], &corner->law[i][k]);
  }
  def.spring = describe_element(p, &p->spring);
  def.damper = describe_element(p, &p->damper);
  return def;
}

void vd_corner_write(const vd_corner *corner, vd_buf *out) {
  vd_corner_def def = describe(corner);
  vd_schema_write(&vd_corner_schema, &def, out);
}

bool vd_corner_complete(void *def, const vd_node *root, vd_diag *d, vd_corner *corner) {
  vd_corner_def *own = def;
  if (!complete(own, root, d) || !vd_corner_check(&own->corner, root, root->place.source, d))
    return false;
  *corner = own->corner;
  *own = describe(corner);
  return true;
}
