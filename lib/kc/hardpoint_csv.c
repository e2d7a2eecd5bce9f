/* Hardpoint lists: reads them, determines their axes and unit, and checks them. */
#include "kc/hardpoint_impl.h"

#include "base/elementary.h"
#include "base/system.h"
#include "base/vec.h"

#include <math.h>
#include <string.h>

/* errors of one list after which reading stops; also the number of unknown names that are shown */
enum { MAX_BAD = 20 };

static const double far = 10.0;                 /* m, no hardpoint is farther away */
static const double near_by = 1e-3;             /* m, points that are nearer than this coincide */
static const double mirrored = 1e-6;            /* m, difference of left and right that truncated digits may cause */
static const double half_track[2] = {0.3, 1.5}; /* m, of road vehicles; in millimetres a thousand times that */

/* Pairs of points of which, by their names, one lies ahead of the other, or above it. */
typedef struct pair {
  const char *more, *less;
} pair;

static const pair ahead[] = {{"lca_front", "lca_rear"},
                             {"uca_front", "uca_rear"},
                             {"uf_inner", "ua_inner"},
                             {"lf_inner", "la_inner"},
                             {"trailing_upper_inner", "trailing_upper_outer"},
                             {"arm_bushing", "wheel_center"}};
static const pair above[] = {{"uca_outer", "lca_outer"},
                             {"strut_top", "strut_lower"},
                             {"uf_outer", "lf_outer"},
                             {"ua_outer", "la_outer"},
                             {"trailing_upper_outer", "trailing_lower_outer"},
                             {"lateral_upper_outer", "lateral_lower_outer"},
                             {"upper_link_outer", "lower_link_outer"},
                             {"upper_rod_outer", "lower_link_outer"}};

/* --- reading --- */

typedef struct point {
  bool given, single;
  bool strut; /* its name is that of a strut's mount, which may be the end of a damper */
  vd_place place;
  double at[3];
} point;

/* Points of one side; [VD_LIST_UNSTATED] has those without a prefix, [SINGLE] those that belong to no side. */
enum { SINGLE = VD_LIST_RIGHT + 1, SIDES };

typedef struct list {
  const vd_hardpoint_options *options;
  vd_diag *d;
  vd_hardpoint_rows rows;
  int source;
  double toe, camber; /* rad; NAN: not given */
  point point[SIDES][VD_ROLES];
  const vd_role_kind *kind;
  enum vd_list_axle axle; /* the axle that is read; any: all points are read */
  size_t errors, unknown;
} list;

static vd_place whole_file(const list *l) {
  return (vd_place){.source = l->source};
}

static void unknown_name(list *l, vd_place place, const char *name) {
  const char *names[VD_ROLES];
  for (size_t i = 0; i < VD_ROLES; i++)
    names[i] = vd_hardpoint_roles[i].name;
  if (l->unknown++ >= MAX_BAD)
    return;
  const char *near = vd_suggest(name, names, VD_ROLES);
  vd_warning(l->d, place, "this point is not used%s%s%s", near ? "; did you mean '" : "", near ? near : "",
             near ? "'?" : "");
}

/* Returns the roles that a row's name can have, and its side. */
static size_t meanings(const list *l, size_t row, int *role, vd_hardpoint_name *name, int *side) {
  const vd_hardpoint_row *r = &l->rows.row[row];
  size_t count = vd_hardpoint_meanings(r->name, role, name);
  *side = name->single || r->single ? SINGLE : (int)(r->side != VD_LIST_UNSTATED ? r->side : name->side);
  return count;
}

/* Chooses the axle of a list that has both: the commanded one, otherwise the front one. */
static bool choose_axle(list *l, vd_hardpoint_taken *taken) {
  bool has[VD_LIST_REAR + 1] = {false};
  const enum vd_list_axle asked = l->options->axle ? l->options->axle : l->rows.axle;
  for (size_t row = 0; row < l->rows.count; row++) {
    vd_hardpoint_name name;
    int role[VD_MEANINGS], side;
    if (meanings(l, row, role, &name, &side) > 0)
      has[name.axle] = true;
  }
  const bool front = has[VD_LIST_FRONT], rear = has[VD_LIST_REAR];
  if (asked != VD_LIST_ANY_AXLE && (front || rear) && !has[asked])
    return vd_error(l->d, whole_file(l), "no point of the %s axle", vd_axle_names[asked - VD_LIST_FRONT]);
  l->axle = asked != VD_LIST_ANY_AXLE ? asked : front && rear ? VD_LIST_FRONT : VD_LIST_ANY_AXLE;
  taken->axle = front && rear ? l->axle : VD_LIST_ANY_AXLE;
  return true;
}

static void read_row(list *l, size_t row) {
  const vd_place place = l->rows.row[row].place;
  vd_hardpoint_name name;
  int role[VD_MEANINGS], side;
  size_t count = meanings(l, row, role, &name, &side), use = 0;
  if (*name.text == '\0') {
    vd_error(l->d, place, "point without a name");
    l->errors++;
    return;
  }
  if (l->axle != VD_LIST_ANY_AXLE && name.axle != VD_LIST_ANY_AXLE && name.axle != l->axle)
    return;
  if (count == 0) {
    unknown_name(l, place, name.text);
    return;
  }
  while (l->kind && use < count && !vd_hardpoint_belongs(&vd_hardpoint_roles[role[use]], l->kind->type))
    use++;
  int index = role[use < count ? use : 0];
  point *p = &l->point[side][index];
  if (p->given) {
    vd_error(l->d, place, "point '%s%s' is given twice", side == SINGLE ? "hps_" : vd_hardpoint_prefix[side],
             vd_hardpoint_roles[index].name);
    vd_note(l->d, p->place, "here");
    l->errors++;
    return;
  }
  if (name.by_words)
    vd_note(l->d, place, "taken as '%s', by the words of its name", vd_hardpoint_roles[index].name);
  *p = (point){.given = true, .single = side == SINGLE, .strut = count > 1, .place = place};
  memcpy(p->at, l->rows.row[row].at, sizeof p->at);
}

/* Finds the type whose mark the list contains. First it looks for points whose names have this role only, then for
 * points whose names may have it. *other is a second type that is found; NULL: there is none. */
static void find_kind(list *l, const vd_role_kind **other) {
  *other = NULL;
  for (int loose = 0; loose < 2 && !l->kind; loose++)
    for (size_t k = 0; k < VD_ROLE_KINDS; k++)
      for (size_t row = 0; row < l->rows.count; row++) {
        vd_hardpoint_name name;
        int role[VD_MEANINGS], side;
        size_t count = meanings(l, row, role, &name, &side);
        const vd_role_kind *kind = &vd_hardpoint_kinds[k];
        if (count == 0 || (!loose && count > 1) || role[0] != vd_hardpoint_role(kind->mark) || kind == l->kind)
          continue;
        if (l->kind)
          *other = kind;
        else
          l->kind = kind;
      }
}

static bool has_side(const list *l, enum vd_list_side side) {
  for (int i = 0; i < VD_ROLES; i++)
    if (l->point[side][i].given)
      return true;
  return false;
}

/* Copies points in the middle of the car to every side that the list has. */
static void spread_singles(list *l) {
  for (int side = VD_LIST_UNSTATED; side <= VD_LIST_RIGHT; side++)
    for (int i = 0; i < VD_ROLES && has_side(l, (enum vd_list_side)side); i++)
      if (!l->point[side][i].given && l->point[SINGLE][i].given)
        l->point[side][i] = l->point[SINGLE][i];
}

static bool read_points(list *l) {
  for (size_t row = 0; row < l->rows.count && l->errors < MAX_BAD; row++)
    read_row(l, row);
  if (l->unknown > MAX_BAD)
    vd_warning(l->d, whole_file(l), "%zu more points are not used", l->unknown - MAX_BAD);
  spread_singles(l);
  return l->errors == 0;
}

/* Checks which sides the list has. Names with and without prefix must not be mixed: they would be two parts of one
 * corner. */
static bool check_sides(list *l) {
  bool plain = has_side(l, VD_LIST_UNSTATED), left = has_side(l, VD_LIST_LEFT), right = has_side(l, VD_LIST_RIGHT);
  if (!plain && !left && !right)
    return vd_error(l->d, whole_file(l), "no point has a known name; vdsim-xcheck(1) lists them");
  if (plain && (left || right))
    return vd_error(l->d, whole_file(l), "some names begin with %s, others have no prefix", left ? "hpl_" : "hpr_");
  enum vd_list_side asked = l->options->side;
  if (asked != VD_LIST_UNSTATED && !plain && !(asked == VD_LIST_LEFT ? left : right))
    return vd_error(l->d, whole_file(l), "no point of the %s side", vd_side_names[asked == VD_LIST_RIGHT]);
  return true;
}

static bool check_kind(list *l, const vd_role_kind *other) {
  if (other)
    vd_error(l->d, whole_file(l), "cannot tell the type: both '%s' and '%s' are given", l->kind->mark, other->mark);
  if (l->kind)
    return !other;
  vd_buf marks = {0};
  for (size_t i = 0; i < VD_ROLE_KINDS; i++)
    vd_buf_printf(&marks, "%s'%s' (%s)",
                  i == 0                  ? ""
                  : i + 1 < VD_ROLE_KINDS ? ", "
                                          : " or ",
                  vd_hardpoint_kinds[i].mark, vd_hardpoint_kinds[i].what);
  vd_error(l->d, whole_file(l), "cannot tell the type: there is none of %s", marks.text);
  vd_buf_finish(&marks);
  return false;
}

static bool belongs(const list *l, const vd_role *r) {
  return vd_hardpoint_belongs(r, l->kind->type);
}

/* Returns whether a side has all points that its type needs. report: missing points are errors. */
static bool is_complete(list *l, enum vd_list_side side, bool report) {
  bool complete = true;
  for (int i = 0; i < VD_ROLES; i++) {
    const vd_role *r = &vd_hardpoint_roles[i];
    if (!belongs(l, r) || vd_hardpoint_is_optional(r) || l->point[side][i].given)
      continue;
    complete = false;
    if (report)
      vd_error(l->d, whole_file(l), "no point '%s%s'", vd_hardpoint_prefix[side], r->name);
  }
  return complete;
}

/* Finds the mount of a strut that carries a spring whose upper end is not given: the mount is then this end. The strut
 * guides the wheel or stands on an arm. NULL: there is no such mount, or the spring's upper end is given. */
static const point *mount_of_seat(const list *l, enum vd_list_side side) {
  const char *const name = l->kind->type == VD_MACPHERSON ? "strut_top" : "damper_upper";
  const point *mount = &l->point[side][vd_hardpoint_role(name)];
  bool own = l->point[side][vd_hardpoint_role("spring_upper")].given;
  return mount->given && mount->strut && !own ? mount : NULL;
}

/* Returns whether the points of a rocker and its rod are all there, except perhaps for the second point of its axis.
 * *lacks: the first that is missing; NULL: there is no point of a rocker. */
static bool has_rocker(const list *l, enum vd_list_side side, const vd_role **lacks) {
  bool some = false;
  *lacks = NULL;
  for (int i = 0; i < VD_ROLES; i++) {
    const vd_role *r = &vd_hardpoint_roles[i];
    if (r->slot < VD_SLOT_DAMPER || !belongs(l, r))
      continue;
    some |= r->slot >= VD_SLOT_PUSH_ROD_OUTER && l->point[side][i].given;
    if (!l->point[side][i].given && r->slot != VD_SLOT_AXIS && !*lacks)
      *lacks = r;
  }
  const bool complete = some && !*lacks;
  if (!some)
    *lacks = NULL;
  return complete;
}

/* Checks springs and dampers, which need two ends. An element is ignored if it is on a link that the list does not
 * name, or on a rocker that lacks a point. */
static bool check_optional(list *l, enum vd_list_side side) {
  const vd_role *lacks;
  has_rocker(l, side, &lacks);
  bool good = true;
  for (int i = 0; i < VD_ROLES; i++) {
    const vd_role *r = &vd_hardpoint_roles[i];
    point *p = &l->point[side][i];
    /* the other end of the element */
    const int other = r->slot == VD_SLOT_SPRING || r->slot == VD_SLOT_DAMPER ? i + 1 : i - 1;
    if (!p->given)
      continue;
    if (vd_hardpoint_is_optional(r) && l->kind->holder < 0) {
      vd_warning(l->d, p->place, "this point is not used: the list does not name the link that carries it");
    } else if (!belongs(l, r)) {
      vd_warning(l->d, p->place, "this point is not used: a suspension with '%s' has no such point", l->kind->mark);
    } else if (vd_hardpoint_is_optional(r) && lacks) {
      vd_warning(l->d, p->place, "'%s' is not used: the rocker lacks '%s'", r->name, lacks->name);
      p->given = false;
    } else if (vd_hardpoint_is_optional(r) && r->slot < VD_SLOT_PUSH_ROD_OUTER && !l->point[side][other].given &&
               !(r->slot == VD_SLOT_SPRING && mount_of_seat(l, side)))
      good = vd_error(l->d, p->place, "'%s' is given without '%s'", r->name, vd_hardpoint_roles[other].name);
  }
  return good;
}

/* Chooses the side to read: the commanded one, otherwise the left one if it is complete. */
static bool choose_side(list *l, enum vd_list_side *side) {
  bool left = has_side(l, VD_LIST_LEFT), right = has_side(l, VD_LIST_RIGHT);
  *side = left ? VD_LIST_LEFT : right ? VD_LIST_RIGHT : VD_LIST_UNSTATED;
  if (l->options->side != VD_LIST_UNSTATED && *side != VD_LIST_UNSTATED)
    *side = l->options->side;
  else if (left && right && !is_complete(l, VD_LIST_LEFT, false) && is_complete(l, VD_LIST_RIGHT, false))
    *side = VD_LIST_RIGHT;
  bool complete = is_complete(l, *side, true);
  return check_optional(l, *side) && complete;
}

/* --- unit and axes --- */

static bool between(double value, double scale) {
  return value >= scale * half_track[0] && value <= scale * half_track[1];
}

static bool find_unit(list *l, const point *points, vd_hardpoint_taken *taken) {
  const point *wheel = &points[vd_hardpoint_role("wheel_center")];
  double half = fabs(wheel->at[1]);
  bool metres = between(half, 1.0), millimetres = between(half, 1000.0);
  taken->unit = l->options->unit;
  if (l->rows.unit) {
    double metres_in = vd_unit_to_si(*l->rows.unit, 1.0), by_name = vd_length_in_m[taken->unit];
    if (taken->unit != VD_LENGTH_UNSTATED && metres_in != by_name)
      return vd_error(l->d, wheel->place, "lengths are said to be in %s, but the file says %s",
                      vd_length_names[taken->unit], l->rows.unit_text);
    taken->unit = VD_LENGTH_M; /* the rows are already in metres */
    taken->unit_text = l->rows.unit_text;
    return true;
  }
  taken->unit_proven = taken->unit == VD_LENGTH_UNSTATED;
  if (taken->unit_proven && !metres && !millimetres)
    return vd_error(l->d, wheel->place,
                    "cannot tell metres from millimetres by a half track of %.9g; say which with --length-unit=m, "
                    "--length-unit=mm or --length-unit=in",
                    half);
  if (taken->unit_proven)
    taken->unit = metres ? VD_LENGTH_M : VD_LENGTH_MM;
  if (taken->unit == VD_LENGTH_IN && !between(half, 1.0 / vd_length_in_m[VD_LENGTH_IN]))
    return vd_error(l->d, wheel->place, "lengths are said to be in inches, but a half track of %.9g is not", half);
  if ((taken->unit == VD_LENGTH_M && millimetres) || (taken->unit == VD_LENGTH_MM && metres))
    return vd_error(l->d, wheel->place, "lengths are said to be in %s, but a half track of %.9g is in %s",
                    metres ? "mm" : "m", half, metres ? "m" : "mm");
  return true;
}

static double difference(const point *points, const pair *p, int axis) {
  const point *more = &points[vd_hardpoint_role(p->more)], *less = &points[vd_hardpoint_role(p->less)];
  return more->given && less->given ? more->at[axis] - less->at[axis] : 0.0;
}

/* Returns the direction of an axis, 1 or -1, by the names of all pairs. *which is the first pair that determines it. 0:
 * no pair does, or pairs contradict each other. */
static int direction_by_names(const point *points, const pair *pairs, size_t count, int axis, const pair **which) {
  int vote = 0;
  for (size_t i = 0; i < count; i++) {
    double d = difference(points, &pairs[i], axis);
    int one = (d > 0.0) - (d < 0.0);
    if (one * vote < 0)
      return 0;
    if (one != 0 && vote == 0)
      *which = &pairs[i];
    vote = one != 0 ? one : vote;
  }
  return vote;
}

/* Checks which axis points up: in drawings it may be y or x; an upper ball joint or mount is then above the lower one
 * along that axis. */
static bool check_vertical(list *l, const point *points) {
  static const char axes[] = "xy";
  for (size_t i = 0; i < 2; i++) /* pairs of the double wishbone and of the strut */
    for (int k = 0; k < 2; k++) {
      const double along = difference(points, &above[i], k), up = difference(points, &above[i], 2);
      if (fabs(along) > 2.0 * fabs(up))
        return vd_error(l->d, points[vd_hardpoint_role(above[i].more)].place,
                        "z is not up: '%s' and '%s' are apart along %c; a list with a description names the columns of "
                        "x, y and z and their signs",
                        above[i].more, above[i].less, axes[k]);
    }
  return true;
}

static bool check_up(list *l, const point *points) {
  const pair *which = NULL;
  if (direction_by_names(points, above, VD_COUNT(above), 2, &which) >= 0)
    return true;
  return vd_error(l->d, points[vd_hardpoint_role(which->more)].place, "z does not point up: '%s' lies below '%s'",
                  which->more, which->less);
}

/* Checks the direction of x. If the names of the arms show that x points forward, y must point to the left; if x points
 * rearward, y must point to the right. Otherwise the list is a mirror image and not a rotation about z. */
static bool check_forward(list *l, const point *points, const vd_hardpoint_taken *taken) {
  const pair *which = NULL;
  int vote = direction_by_names(points, ahead, VD_COUNT(ahead), 0, &which);
  bool iso = taken->axes == VD_AXES_ISO;
  if (vote != 0 && iso != (vote > 0))
    return vd_error(l->d, points[vd_hardpoint_role(which->more)].place,
                    "'%s' would lie behind '%s' in %s axes: the list is a mirror image, or its names are exchanged",
                    which->more, which->less, iso ? "iso" : "adams");
  if (!l->kind->pivots_ahead || !taken->axes_proven)
    return true;
  const point *wheel = &points[vd_hardpoint_role("wheel_center")];
  double pivot =
      0.5 * (points[vd_hardpoint_role("arm_inner")].at[0] + points[vd_hardpoint_role("arm_outer_pivot")].at[0]);
  if (iso ? pivot > wheel->at[0] : pivot < wheel->at[0])
    return true;
  return vd_error(
      l->d, wheel->place,
      "the arm would lead its wheel in %s axes, so that the list may be a mirror image; say which with --axes=iso or "
      "--axes=adams",
      iso ? "iso" : "adams");
}

/* Compares the side in the names with the sign of y. This proves the axes if they are not stated; stated axes must
 * agree. */
static bool check_side(list *l, enum vd_list_side side, vd_hardpoint_taken *taken) {
  const point *wheel = &l->point[side][vd_hardpoint_role("wheel_center")];
  if (!wheel->given)
    return true;
  enum vd_axes by_name = (side == VD_LIST_LEFT) == (wheel->at[1] > 0.0) ? VD_AXES_ISO : VD_AXES_ADAMS;
  if (taken->axes == VD_AXES_UNSTATED) {
    taken->axes = by_name;
    taken->axes_proven = true;
  }
  if (by_name == taken->axes)
    return true;
  bool proven = taken->axes_proven, iso = taken->axes == VD_AXES_ISO;
  return vd_error(l->d, wheel->place,
                  proven ? "'%swheel_center' lies at y = %.9g, on the same side as 'hpl_wheel_center'"
                         : "'%swheel_center' at y = %.9g would lie on the %s in %s axes, as --axes says",
                  vd_hardpoint_prefix[side], wheel->at[1], vd_side_names[side == VD_LIST_LEFT], iso ? "iso" : "adams");
}

static bool find_axes(list *l, enum vd_list_side side, vd_hardpoint_taken *taken) {
  const point *points = l->point[side], *wheel = &points[vd_hardpoint_role("wheel_center")];
  taken->axes = l->options->axes;
  taken->wheel_y = wheel->at[1];
  if (!(fabs(wheel->at[1]) > 0.0))
    return vd_error(l->d, wheel->place, "the wheel lies in the middle of the car");
  if (side == VD_LIST_UNSTATED && taken->axes == VD_AXES_UNSTATED)
    return vd_error(
        l->d, whole_file(l),
        "cannot tell the axes of names without hpl_ or hpr_; say which with --axes=iso (x forward, y left) or "
        "--axes=adams (x rearward, y right)");
  if (side == VD_LIST_UNSTATED) {
    taken->side = (wheel->at[1] > 0.0) == (taken->axes == VD_AXES_ISO) ? VD_LIST_LEFT : VD_LIST_RIGHT;
    if (l->options->side != VD_LIST_UNSTATED && l->options->side != taken->side)
      return vd_error(l->d, wheel->place, "the points are those of the %s side",
                      vd_side_names[taken->side == VD_LIST_RIGHT]);
  } else {
    taken->side = side;
    if (!check_side(l, VD_LIST_LEFT, taken) || !check_side(l, VD_LIST_RIGHT, taken))
      return false;
  }
  return check_up(l, points) && check_forward(l, points, taken);
}

/* --- conversion to a corner --- */

/* Converts a point to metres and ISO axes, as a point of the left wheel. */
static void convert(const vd_hardpoint_taken *taken, enum vd_list_side side, const double *in, double *out) {
  double scale = taken->unit == VD_LENGTH_MM ? 1000.0 : 1.0;
  for (int i = 0; i < 3; i++)
    out[i] = taken->unit == VD_LENGTH_IN ? in[i] * vd_length_in_m[VD_LENGTH_IN] : in[i] / scale;
  if (taken->axes == VD_AXES_ADAMS) {
    out[0] = 0.0 - out[0];
    out[1] = 0.0 - out[1];
  }
  if (side == VD_LIST_RIGHT)
    out[1] = 0.0 - out[1];
}

static bool compare_sides(list *l, const vd_hardpoint_taken *taken) {
  bool good = true;
  for (int i = 0; i < VD_ROLES; i++) {
    const point *left = &l->point[VD_LIST_LEFT][i], *right = &l->point[VD_LIST_RIGHT][i];
    double a[3], b[3];
    if (!left->given || !right->given || left->single || right->single || !belongs(l, &vd_hardpoint_roles[i]))
      continue;
    convert(taken, VD_LIST_LEFT, left->at, a);
    convert(taken, VD_LIST_RIGHT, right->at, b);
    if (vd_distance(a, b) <= mirrored)
      continue;
    good =
        vd_error(l->d, right->place,
                 "'hpr_%s' is %.3g mm away from the mirror image of 'hpl_%s'; choose with --side=left or --side=right",
                 vd_hardpoint_roles[i].name, 1e3 * vd_distance(a, b), vd_hardpoint_roles[i].name);
  }
  return good;
}

/* Mounts damper and spring, which are one unit unless the list separates them, on the rocker. If the list has only one
 * point of the rocker's axis, the axis is perpendicular to the plane through pivot, rod and damper, in which a flat
 * rocker lies. */
static bool place_rocker(const list *l, enum vd_list_side side, vd_hardpoint_taken *taken, vd_hardpoints *h) {
  const point *second = &l->point[side][vd_hardpoint_role("rocker_axis")];
  const vd_element spring = h->spring;
  vd_element *e = &h->damper;
  double rod[3], eye[3];
  e->rocker = true;
  e->on = vd_hardpoint_rod_holder(h);
  taken->rod_on = h->member[e->on - VD_ON_MEMBER].name;
  taken->axis_made = !second->given;
  vd_between(e->pivot, e->rod_rocker, rod);
  vd_between(e->pivot, e->eye, eye);
  if (second->given)
    vd_between(e->pivot, e->axis, e->axis);
  else
    vd_cross(rod, eye, e->axis);
  h->spring = *e;
  if (spring.given) {
    memcpy(h->spring.eye, spring.eye, sizeof spring.eye);
    memcpy(h->spring.chassis, spring.chassis, sizeof spring.chassis);
  }
  return vd_norm(e->axis) > (second->given ? near_by : near_by * near_by) ||
         vd_error(l->d, l->point[side][vd_hardpoint_role("rocker_pivot")].place,
                  second->given ? "'rocker_axis' is the same point"
                                : "pivot, rod and damper are on a line, so that the "
                                  "rocker needs 'rocker_axis'");
}

static bool place_points(list *l, enum vd_list_side side, vd_hardpoint_taken *taken, vd_hardpoints *h) {
  const vd_role *lacks;
  bool good = true;
  for (int i = 0; i < VD_ROLES; i++) {
    const point *p = &l->point[side][i];
    if (!p->given || !belongs(l, &vd_hardpoint_roles[i]))
      continue;
    double *at = vd_hardpoint_place(h, &vd_hardpoint_roles[i]);
    convert(taken, taken->side, p->at, at);
    if (!(vd_max(fabs(at[0]), vd_max(fabs(at[1]), fabs(at[2]))) <= far))
      good = vd_error(l->d, p->place, "this point lies more than %g m away", far);
    h->spring.given |= vd_hardpoint_roles[i].slot == VD_SLOT_SPRING;
    h->damper.given |= vd_hardpoint_roles[i].slot == VD_SLOT_DAMPER;
  }
  const point *mount = &l->point[side][vd_hardpoint_role("damper_upper")];
  if (h->damper.given && !h->spring.given && mount->strut) /* on an arm, a strut is spring and damper in one unit */
    h->spring = h->damper;
  else if (h->spring.given && mount_of_seat(l, side))
    convert(taken, taken->side, mount_of_seat(l, side)->at, h->spring.chassis);
  h->spring.on = h->damper.on = l->kind->holder < 0 ? VD_ON_KNUCKLE : l->kind->holder;
  return (!has_rocker(l, side, &lacks) || place_rocker(l, side, taken, h)) && good;
}

static const point *point_of(const list *l, enum vd_list_side side, int member, enum vd_slot slot) {
  for (int i = 0; i < VD_ROLES; i++)
    if (belongs(l, &vd_hardpoint_roles[i]) && vd_hardpoint_roles[i].member == member &&
        vd_hardpoint_roles[i].slot == slot)
      return &l->point[side][i];
  return NULL;
}

static bool check_member(list *l, enum vd_list_side side, const vd_member *m, int index) {
  bool two = m->kind == VD_ARM || m->kind == VD_HINGE, ball = m->kind != VD_HINGE;
  const char *problem = NULL;
  double axis[3];
  vd_between(m->chassis[0], m->chassis[1], axis);
  if (two && !(vd_distance(m->chassis[0], m->chassis[1]) > near_by))
    problem = "its two points on the chassis coincide";
  else if (ball && !(vd_distance(m->chassis[0], m->knuckle) > near_by))
    problem = "it has no length";
  else if (m->kind == VD_ARM && !(vd_off_line(m->chassis[0], axis, m->knuckle) > near_by))
    problem = "its ball joint lies on the axis through its points on the chassis";
  const point *first = point_of(l, side, index, VD_SLOT_FIRST);
  if (problem && first)
    vd_error(l->d, first->place, "%s: %s", m->name, problem);
  return !problem;
}

static bool check_element(list *l, enum vd_list_side side, const vd_element *e, enum vd_slot slot, const char *name) {
  if (!e->given || vd_distance(e->eye, e->chassis) > near_by)
    return true;
  return vd_error(l->d, point_of(l, side, -1, slot)->place, "%s: it has no length", name);
}

/* Checks the members as far as messages can name points of the list; vd_corner_check does the rest. */
static bool check_members(list *l, enum vd_list_side side, const vd_hardpoints *h) {
  bool good = true;
  for (int i = 0; i < h->members; i++)
    good &= check_member(l, side, &h->member[i], i);
  good &= check_element(l, side, &h->spring, VD_SLOT_SPRING, "spring");
  good &= check_element(l, side, &h->damper, VD_SLOT_DAMPER, "damper");
  return good;
}

/* Finds toe, camber and radius of the wheel. Options have precedence over the file. */
static bool find_wheel(list *l) {
  const vd_hardpoint_options *o = l->options;
  l->toe = isnan(o->toe0) ? l->rows.toe0 : o->toe0;
  l->camber = isnan(o->camber0) ? l->rows.camber0 : o->camber0;
  bool toe = isnan(l->toe), camber = isnan(l->camber);
  if (!toe && !camber)
    return true;
  return vd_error(l->d, whole_file(l),
                  "a hardpoint list does not contain the wheel's %s at the design position; give it with %s%s%s",
                  toe && camber ? "toe and camber"
                  : toe         ? "toe"
                                : "camber",
                  toe ? "--toe0" : "", toe && camber ? " and " : "", camber ? "--camber0" : "");
}

/* Makes a strut, by default, spring and damper in one unit, as in a suspension file. */
static void default_strut(vd_hardpoints *h) {
  const vd_member *strut = vd_corner_slider(h);
  for (int k = 0; strut && k < 2; k++) {
    vd_element *e = k ? &h->damper : &h->spring;
    if (e->given)
      continue;
    e->given = true;
    memcpy(e->chassis, strut->chassis[0], sizeof e->chassis);
    memcpy(e->eye, strut->knuckle, sizeof e->eye);
  }
}

static bool steer(const list *l, vd_hardpoints *h) {
  bool usual;
  int rod = vd_corner_steerable(h->type, &usual);
  if (l->options->steering == VD_LIST_STEERING_UNSTATED)
    return true;
  if (rod < 0)
    return vd_error(l->d, whole_file(l), "a %s has no rod that a rack moves; omit --steering", l->kind->what);
  h->member[rod].steered = l->options->steering == VD_LIST_RACK;
  return true;
}

static bool read_list(list *l, vd_corner *corner, vd_hardpoint_taken *taken) {
  enum vd_list_side side;
  const vd_role_kind *other;
  find_kind(l, &other);
  if (!choose_axle(l, taken) || !read_points(l) || !check_sides(l) || !check_kind(l, other) || !choose_side(l, &side))
    return false;
  const point *points = l->point[side];
  if (!check_vertical(l, points) || !find_unit(l, points, taken) || !find_axes(l, side, taken))
    return false;
  if (l->options->side == VD_LIST_UNSTATED && !compare_sides(l, taken))
    return false;
  vd_corner_start(l->kind->type, corner);
  vd_hardpoints *h = &corner->points;
  h->static_radius = l->options->static_radius;
  bool good = find_wheel(l);
  vd_spin_axis_of(l->toe, l->camber, h->spin_axis);
  taken->wheel_by_file = isnan(l->options->toe0) || isnan(l->options->camber0);
  good &= place_points(l, side, taken, h);
  vd_corner_fill_images(corner);
  good &= steer(l, h);
  good = good && check_members(l, side, h);
  if (good)
    default_strut(h);
  return good && vd_corner_check(corner, NULL, l->source, l->d);
}

bool vd_hardpoint_csv_read(int source, const vd_hardpoint_options *options, vd_arena *arena, vd_diag *d,
                           vd_corner *corner, vd_hardpoint_taken *taken) {
  list *l = vd_arena_alloc(arena, sizeof *l);
  *l = (list){.options = options, .d = d, .source = source};
  *taken = (vd_hardpoint_taken){.axes = VD_AXES_UNSTATED};
  return vd_hardpoint_rows_read(source, arena, d, &l->rows) && read_list(l, corner, taken);
}

void vd_hardpoint_csv_describe(const vd_hardpoint_taken *taken, vd_buf *out) {
  if (taken->axle != VD_LIST_ANY_AXLE)
    vd_buf_printf(out, "%s axle (the list has both, --axle=%s takes the other); ",
                  vd_axle_names[taken->axle - VD_LIST_FRONT], vd_axle_names[taken->axle == VD_LIST_FRONT]);
  vd_buf_printf(out, "%s corner; axes: %s, ", vd_side_names[taken->side == VD_LIST_RIGHT],
                taken->axes == VD_AXES_ISO ? "iso (x forward, y left)" : "adams (x rearward, y right)");
  if (taken->axes_proven)
    vd_buf_printf(out, "proven by '%swheel_center' at y = %.9g", vd_hardpoint_prefix[taken->side], taken->wheel_y);
  else
    vd_buf_puts(out, "as stated");
  vd_buf_printf(out, "; lengths in %s, ", taken->unit_text ? taken->unit_text : vd_length_names[taken->unit]);
  if (taken->unit_text)
    vd_buf_puts(out, "as the file says");
  else if (taken->unit_proven)
    vd_buf_printf(out, "proven by a half track of %.9g", fabs(taken->wheel_y));
  else
    vd_buf_puts(out, "as stated");
  if (taken->wheel_by_file)
    vd_buf_puts(out, "; toe and camber as the file says");
  if (taken->rod_on)
    vd_buf_printf(out, "; spring and damper on a rocker, its rod on %s, whose ball joint is nearest", taken->rod_on);
  if (taken->axis_made)
    vd_buf_puts(out, "; the rocker's axis is perpendicular to its points");
}
