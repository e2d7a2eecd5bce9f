/* Hardpoint lists: their names and how they are written. */
#include "kc/hardpoint_impl.h"

#include "base/num.h"
#include "base/system.h"
#include "base/vec.h"
#include "input/lines.h"
#include "input/schema.h"

#include <assert.h>
#include <string.h>

enum {
  DW = VD_WHEN(VD_DOUBLE_WISHBONE),
  MP = VD_WHEN(VD_MACPHERSON),
  TA = VD_WHEN(VD_TRAILING_ARM),
  FL = VD_WHEN(VD_FIVE_LINK),
  ML = VD_WHEN(VD_MULTI_LINK),
  TB = VD_WHEN(VD_TWIST_BEAM),
  A4 = VD_WHEN(VD_FOUR_LINK_AXLE),
  PA = VD_WHEN(VD_PANHARD_AXLE),
  IL = VD_WHEN(VD_INTEGRAL_LINK),
  SPRUNG = DW | MP | TA | TB | A4 | PA | IL,
};

/* clang-format off */
#define ROD(name, of, member) {name "_inner", of, member, VD_SLOT_FIRST}, {name "_outer", of, member, VD_SLOT_KNUCKLE},
#define ARM_POINTS(name, of, member) \
    {name "_front", of, member, VD_SLOT_FIRST}, {name "_rear", of, member, VD_SLOT_SECOND}, {name "_outer", of, \
        member, VD_SLOT_KNUCKLE},

const vd_role vd_hardpoint_roles[VD_ROLES] = {
    {"wheel_center", ~0u, -1, VD_SLOT_WHEEL},
    ARM_POINTS("lca", DW | MP, 0)
    ARM_POINTS("uca", DW, 1)
    {"strut_top", MP, 1, VD_SLOT_FIRST},
    {"strut_lower", MP, 1, VD_SLOT_KNUCKLE},
    ROD("tierod", DW | MP, 2)
    {"arm_inner", TA, 0, VD_SLOT_FIRST},
    {"arm_outer_pivot", TA, 0, VD_SLOT_SECOND},
    ROD("uf", FL, 0) ROD("ua", FL, 1) ROD("lf", FL, 2) ROD("la", FL, 3) ROD("tl", FL | ML, 4)
    ROD("trailing_upper", ML, 0) ROD("trailing_lower", ML, 1) ROD("lateral_upper", ML, 2) ROD("lateral_lower", ML, 3)
    {"arm_bushing", TB, 0, VD_SLOT_FIRST},
    {"shear_centre", TB, 0, VD_SLOT_SECOND},
    ROD("lower_link", A4 | PA, 0) ROD("upper_link", A4, 2) ROD("upper_rod", PA, 2) ROD("panhard", PA, 3)
    ARM_POINTS("h_arm", IL, 0)
    ROD("integral_link", IL, 1) ROD("camber_link", IL, 2) ROD("toe_link", IL, 3)
    {"spring_lower", SPRUNG, -1, VD_SLOT_SPRING},
    {"spring_upper", SPRUNG, -1, VD_SLOT_SPRING_TOP},
    {"damper_lower", SPRUNG, -1, VD_SLOT_DAMPER},
    {"damper_upper", SPRUNG, -1, VD_SLOT_DAMPER_TOP},
    {"pushrod_outer", DW, -1, VD_SLOT_PUSH_ROD_OUTER},
    {"pushrod_inner", DW, -1, VD_SLOT_PUSH_ROD_INNER},
    {"rocker_pivot", DW, -1, VD_SLOT_PIVOT},
    {"rocker_axis", DW, -1, VD_SLOT_AXIS},
};

const vd_role_kind vd_hardpoint_kinds[VD_ROLE_KINDS] = {
    {VD_DOUBLE_WISHBONE, "uca_outer", "double wishbone", .holder = VD_ON_MEMBER + 0},
    {VD_MACPHERSON, "strut_top", "MacPherson", .holder = VD_ON_KNUCKLE},
    {VD_FIVE_LINK, "uf_outer", "five links", .holder = -1},
    {VD_TRAILING_ARM, "arm_inner", "trailing arm", .holder = VD_ON_KNUCKLE, .pivots_ahead = true},
    {VD_MULTI_LINK, "trailing_upper_outer", "multi-link", .holder = -1},
    {VD_TWIST_BEAM, "shear_centre", "twist beam", .holder = VD_ON_KNUCKLE},
    {VD_FOUR_LINK_AXLE, "upper_link_outer", "four-link axle", .holder = VD_ON_KNUCKLE},
    {VD_PANHARD_AXLE, "panhard_outer", "Panhard axle", .holder = VD_ON_KNUCKLE},
    {VD_INTEGRAL_LINK, "integral_link_outer", "integral link", .holder = VD_ON_MEMBER + 0},
};

/* Other names of points: those of the templates shipped with Adams/Car (top_mount, lwr_strut_mount, strut_lwr_mount),
 * of Lotus Suspension Analysis (whole words, as in its tables), and abbreviations in use. Some are keys of suspension
 * files. If an alias has several names, the reader uses the first one that the type of suspension has. */
static const struct {
  const char *alias, *name;
} aliases[] = {
    {"wheel_centre", "wheel_center"}, {"wheel_ctr", "wheel_center"}, {"wheel_centre_point", "wheel_center"},
    {"wheel_center_point", "wheel_center"}, {"wc", "wheel_center"},
    {"lower_wishbone_front_pivot", "lca_front"}, {"lower_wishbone_rear_pivot", "lca_rear"}, {"lca_bj", "lca_outer"},
    {"lower_ball_joint", "lca_outer"}, {"lower_wishbone_outer_ball_joint", "lca_outer"},
    {"upper_wishbone_front_pivot", "uca_front"}, {"upper_wishbone_rear_pivot", "uca_rear"}, {"uca_bj", "uca_outer"},
    {"upper_ball_joint", "uca_outer"}, {"upper_wishbone_outer_ball_joint", "uca_outer"},
    {"top_mount", "strut_top"}, {"top_mount", "damper_upper"}, {"strut_top_mount", "strut_top"},
    {"strut_upper", "strut_top"}, {"upr_strut_mount", "strut_top"}, {"upr_strut_mount", "damper_upper"},
    {"strut_top_point", "strut_top"}, {"strut_lwr_mount", "strut_lower"}, {"strut_lwr_mount", "damper_lower"},
    {"lwr_strut_mount", "strut_lower"}, {"lwr_strut_mount", "damper_lower"}, {"strut_bottom", "strut_lower"},
    {"strut_slider_lower_point", "strut_lower"},
    {"tie_rod_inner", "tierod_inner"}, {"tie_rod_rack", "tierod_inner"}, {"inner_track_rod_ball_joint", "tierod_inner"},
    {"tie_rod_inner", "tl_inner"}, {"tierod_inner", "tl_inner"}, {"tie_rod_outer", "tierod_outer"},
    {"tie_rod_knuckle", "tierod_outer"}, {"outer_track_rod_ball_joint", "tierod_outer"}, {"tie_rod_outer", "tl_outer"},
    {"tierod_outer", "tl_outer"},
    {"lca_front", "h_arm_front"}, {"lca_rear", "h_arm_rear"}, {"lca_outer", "h_arm_outer"},
    {"integral_link_arm", "integral_link_inner"}, {"tierod_inner", "toe_link_inner"},
    {"tierod_outer", "toe_link_outer"}, {"toe_link_inner", "tierod_inner"}, {"toe_link_outer", "tierod_outer"},
    {"arm_pivot_chassis_inboard", "arm_inner"}, {"arm_pivot_inner", "arm_inner"}, {"trailing_arm_inner", "arm_inner"},
    {"trailing_arm_inr", "arm_inner"}, {"arm_pivot_chassis_outboard", "arm_outer_pivot"},
    {"arm_pivot_outer", "arm_outer_pivot"}, {"trailing_arm_outer", "arm_outer_pivot"},
    {"trailing_arm_otr", "arm_outer_pivot"}, {"arm_otr", "arm_outer_pivot"}, {"arm_outer", "arm_outer_pivot"},
    {"arm_pivot_bushing", "arm_bushing"}, {"beam_bushing", "arm_bushing"}, {"twist_beam_bushing", "arm_bushing"},
    {"arm_pivot_shear_centre", "shear_centre"}, {"shear_center", "shear_centre"}, {"beam_shear_centre", "shear_centre"},
    {"beam_shear_center", "shear_centre"},
    {"spring_lwr_seat", "spring_lower"}, {"lower_spring_pivot_point", "spring_lower"},
    {"upper_spring_pivot_point", "spring_upper"}, {"spring_chassis", "spring_upper"},
    {"shock_lower", "damper_lower"}, {"lower_shock", "damper_lower"}, {"damper_wishbone_end", "damper_lower"},
    {"shock_to_lca", "damper_lower"}, {"shock_upper", "damper_upper"}, {"upper_shock", "damper_upper"},
    {"damper_body_end", "damper_upper"}, {"damper_chassis", "damper_upper"}, {"shock_to_body", "damper_upper"},
};

/* Other names of rods, without their ends. */
static const struct {
  const char *alias, *name;
} rods[] = {
    {"upper_fore", "uf"}, {"upper_front_link", "uf"}, {"upper_front", "uf"}, {"upper_aft", "ua"},
    {"upper_rear_link", "ua"}, {"upper_rear", "ua"}, {"lower_fore", "lf"}, {"lower_front_link", "lf"},
    {"lower_front", "lf"}, {"lower_aft", "la"}, {"lower_rear_link", "la"}, {"lower_rear", "la"}, {"toe_link", "tl"},
    {"trailing_link_upper", "trailing_upper"}, {"upper_trailing_link", "trailing_upper"},
    {"trailing_link_lower", "trailing_lower"}, {"lower_trailing_link", "trailing_lower"},
    {"lateral_link_upper", "lateral_upper"}, {"upper_lateral_link", "lateral_upper"}, {"camber_link", "lateral_upper"},
    {"lateral_link_lower", "lateral_lower"}, {"lower_lateral_link", "lateral_lower"}, {"spring_link", "lateral_lower"},
    {"lower_left", "lower_link"}, {"lower_arm", "lower_link"}, {"lower_trailing_arm", "lower_link"},
    {"trailing_arm", "lower_link"},
    {"upper_left", "upper_link"}, {"upper_arm", "upper_link"}, {"upper_trailing_arm", "upper_link"},
    {"upper", "upper_rod"}, {"upper_centre_link", "upper_rod"}, {"upper_center_link", "upper_rod"},
    {"panhard_rod", "panhard"}, {"track_bar", "panhard"}, {"trackbar", "panhard"},
};
/* clang-format on */

/* Other names of the ends of members. */
static const struct {
  const char *alias, *name;
} ends[] = {{"_inner", "_inner"},     {"_inr", "_inner"},           {"_chassis", "_inner"}, {"_body", "_inner"},
            {"_frame", "_inner"},     {"_outer", "_outer"},         {"_otr", "_outer"},     {"_knuckle", "_outer"},
            {"_axle", "_outer"},      {"_upright", "_outer"},       {"_spindle", "_outer"}, {"_inner_front", "_front"},
            {"_inr_front", "_front"}, {"_chassis_front", "_front"}, {"_frt", "_front"},     {"_inner_rear", "_rear"},
            {"_inr_rear", "_rear"},   {"_chassis_rear", "_rear"},   {"_lwr", "_lower"},     {"_eye", "_lower"},
            {"_upr", "_upper"}};

const char *const vd_length_names[] = {"", "m", "mm", "in", NULL};
const double vd_length_in_m[] = {1.0, 1.0, 1e-3, 0.0254};
const char *const vd_hardpoint_prefix[] = {"", "hpl_", "hpr_"};

int vd_hardpoint_role(const char *name) {
  for (int i = 0; i < VD_ROLES; i++)
    if (strcmp(vd_hardpoint_roles[i].name, name) == 0)
      return i;
  return -1;
}

static const char separators[] = " \t.-_"; /* between words of a name; all are equal */

/* Removes the path of the model (._FRONT.ground.) and the prefix from a name. Keys of suspension files contain dots,
 * too, so a path is removed only if a prefix follows it. */
static void split_prefix(vd_hardpoint_name *n) {
  static const char *const prefix[] = {"hps", "hpl", "hpr"};
  for (const char *at = n->text; at; at = strchr(at, '.')) {
    at += *at == '.';
    for (int i = 0; i < 3; i++)
      if (strncasecmp(at, prefix[i], 3) == 0 && at[3] != '\0' && strchr(separators, at[3])) {
        n->text = at + 4;
        n->single = i == 0;
        n->side = i == 0 ? VD_LIST_UNSTATED : i == 1 ? VD_LIST_LEFT : VD_LIST_RIGHT;
        return;
      }
  }
}

/* Words for a corner. `front' and `rear' also distinguish points of an arm: they mean the axle only at the beginning of
 * a name. */
static const struct {
  const char *word;
  enum vd_list_side side;
  enum vd_list_axle axle;
} corners[] = {{"FL", VD_LIST_LEFT, VD_LIST_FRONT},        {"FR", VD_LIST_RIGHT, VD_LIST_FRONT},
               {"RL", VD_LIST_LEFT, VD_LIST_REAR},         {"RR", VD_LIST_RIGHT, VD_LIST_REAR},
               {"LF", VD_LIST_LEFT, VD_LIST_FRONT},        {"RF", VD_LIST_RIGHT, VD_LIST_FRONT},
               {"LR", VD_LIST_LEFT, VD_LIST_REAR},         {"LH", VD_LIST_LEFT, VD_LIST_ANY_AXLE},
               {"RH", VD_LIST_RIGHT, VD_LIST_ANY_AXLE},    {"L", VD_LIST_LEFT, VD_LIST_ANY_AXLE},
               {"R", VD_LIST_RIGHT, VD_LIST_ANY_AXLE},     {"left", VD_LIST_LEFT, VD_LIST_ANY_AXLE},
               {"right", VD_LIST_RIGHT, VD_LIST_ANY_AXLE}, {"front", VD_LIST_UNSTATED, VD_LIST_FRONT},
               {"rear", VD_LIST_UNSTATED, VD_LIST_REAR}};

/* Takes a word for a corner from the beginning or the end of a name; false: there is none, or the name has no other
 * word. */
static bool take_corner(vd_slice *name, bool at_end, vd_hardpoint_name *out) {
  static const char between[] = " \t.-_()[]";
  const char *text = name->text;
  size_t from = 0, to = name->length;
  while (at_end && to > 0 && strchr(between, text[to - 1]))
    to--;
  for (from = at_end ? to : 0; at_end && from > 0 && !strchr(between, text[from - 1]);)
    from--;
  for (to = at_end ? to : 0; !at_end && to < name->length && !strchr(between, text[to]);)
    to++;
  for (size_t i = 0; i < VD_COUNT(corners) && to - from < name->length; i++) {
    if (!vd_slice_is((vd_slice){text + from, to - from}, corners[i].word) || (at_end && !corners[i].side))
      continue;
    out->side = corners[i].side ? corners[i].side : out->side;
    out->axle = corners[i].axle ? corners[i].axle : out->axle;
    while (!at_end && to < name->length && strchr(between, text[to]))
      to++;
    while (at_end && from > 0 && strchr(between, text[from - 1]))
      from--;
    *name = at_end ? (vd_slice){text, from} : (vd_slice){text + to, name->length - to};
    return name->length > 0;
  }
  return false;
}

enum { NAME_MAX_LENGTH = 64 };

/* Converts a name to lower case, with '_' for blanks, dots and hyphens, and before a capital that follows a small
 * letter; false: it is too long. */
static bool simplify(vd_slice name, char *out) {
  size_t length = 0;
  for (size_t i = 0; i < name.length; i++) {
    const char c = name.text[i];
    const bool gap = strchr(separators, c), capital = c >= 'A' && c <= 'Z';
    const bool word = capital && i > 0 && name.text[i - 1] >= 'a' && name.text[i - 1] <= 'z';
    if (length + 2 >= NAME_MAX_LENGTH)
      return false;
    if ((gap || word) && length > 0 && out[length - 1] != '_')
      out[length++] = '_';
    if (!gap)
      out[length++] = (char)(capital ? c - 'A' + 'a' : c);
  }
  while (length > 0 && out[length - 1] == '_')
    length--;
  out[length] = '\0';
  return true;
}

static size_t add_meaning(const char *name, size_t count, int *role) {
  int index = vd_hardpoint_role(name);
  for (size_t i = 0; i < count; i++)
    if (role[i] == index)
      index = -1;
  if (index < 0 || count == VD_MEANINGS)
    return count;
  role[count] = index;
  return count + 1;
}

/* Adds the role whose name is the member's name followed by the name of an end. */
static size_t add_end(const char *member, size_t length, const char *end, size_t count, int *role) {
  for (int i = 0; i < VD_ROLES; i++) {
    const char *name = vd_hardpoint_roles[i].name;
    if (strncmp(name, member, length) == 0 && strcmp(name + length, end) == 0)
      return add_meaning(name, count, role);
  }
  return count;
}

/* Adds the roles of a name that consists of a member's name and an end, which may have one of the other names in
 * `ends'. */
static size_t add_member(const char *name, size_t count, int *role) {
  for (size_t e = 0; e < VD_COUNT(ends); e++) {
    size_t length = strlen(name), end = strlen(ends[e].alias), rod = length - end;
    if (length <= end || strcmp(name + rod, ends[e].alias) != 0)
      continue;
    count = add_end(name, rod, ends[e].name, count, role);
    for (size_t i = 0; i < VD_COUNT(rods); i++)
      if (strlen(rods[i].alias) == rod && strncmp(rods[i].alias, name, rod) == 0)
        count = add_end(rods[i].name, strlen(rods[i].name), ends[e].name, count, role);
  }
  return count;
}

/* Meanings of words in names. A name that no table has is interpreted by its words. */
enum {
  UPPER = 1,
  LOWER = 2,
  ARM = 4,
  FRONT = 8,
  REAR = 16,
  OUTER = 32,
  INNER = 64,
  TIE = 128,
  WHEEL = 256,
  PUSH = 512,
  ROCKER = 1024,
  DAMPER = 2048,
  SPRING = 4096,
  AXIS = 8192,
  SECOND = 16384,
  OTHER = 32768,
  ENDS = UPPER | LOWER | OUTER | INNER | ARM
};
/* clang-format off */
static const struct {
  const char *word;
  unsigned meaning;
} words[] = {
    {"upper", UPPER}, {"upr", UPPER}, {"top", UPPER}, {"lower", LOWER}, {"lwr", LOWER}, {"bottom", LOWER},
    {"wishbone", ARM}, {"arm", ARM}, {"aarm", ARM}, {"a", ARM}, {"control", ARM}, {"uca", UPPER | ARM},
    {"lca", LOWER | ARM}, {"front", FRONT}, {"fore", FRONT}, {"fwd", FRONT}, {"forward", FRONT}, {"frt", FRONT},
    {"rear", REAR}, {"aft", REAR}, {"rearward", REAR}, {"ball", OUTER}, {"outer", OUTER}, {"outboard", OUTER},
    {"outbd", OUTER}, {"otr", OUTER}, {"upright", OUTER}, {"knuckle", OUTER}, {"ubj", UPPER | OUTER},
    {"lbj", LOWER | OUTER}, {"inner", INNER}, {"inboard", INNER}, {"inbd", INNER}, {"inr", INNER}, {"chassis", INNER},
    {"body", INNER}, {"pivot", INNER}, {"rack", INNER}, {"tie", TIE}, {"tierod", TIE}, {"track", TIE},
    {"trackrod", TIE}, {"steering", TIE}, {"wheel", WHEEL}, {"center", 0}, {"centre", 0}, {"joint", 0}, {"rod", 0},
    {"point", 0}, {"pickup", 0}, {"mount", 0}, {"to", 0}, {"end", 0}, {"attachment", 0}, {"in", INNER},
    {"out", OUTER}, {"frame", INNER}, {"uaa", UPPER | ARM}, {"laa", LOWER | ARM}, {"prod", PUSH}, {"push", PUSH},
    {"pushrod", PUSH}, {"pull", PUSH}, {"pullrod", PUSH}, {"rocker", ROCKER}, {"bellcrank", ROCKER},
    {"crank", ROCKER}, {"bell", ROCKER}, {"damper", DAMPER}, {"shock", DAMPER}, {"coilover", DAMPER},
    {"spring", SPRING}, {"axis", AXIS}, {"orient", AXIS}, {"orientation", AXIS}, {"1st", 0}, {"2nd", SECOND},
    {"first", 0}, {"second", SECOND}, {"1", 0}, {"2", SECOND}, {"b", SECOND}, {"ib", INNER}, {"ob", OUTER},
    {"toe", TIE}, {"link", 0}, {"ucaf", UPPER | ARM | FRONT}, {"ucar", UPPER | ARM | REAR},
    {"lcaf", LOWER | ARM | FRONT}, {"lcar", LOWER | ARM | REAR},
};
/* clang-format on */

/* Points by the meanings of the words in their names: a name must have all `needed' meanings and may have `allowed'
 * ones, but no others. The first row that fits is used. */
static const struct {
  unsigned needed, allowed;
  const char *name;
} word_rules[] = {{WHEEL, 0, "wheel_center"},
                  {TIE | INNER, ARM, "tierod_inner"},
                  {TIE | OUTER, ARM, "tierod_outer"},
                  {UPPER | OUTER, ARM, "uca_outer"},
                  {LOWER | OUTER, ARM, "lca_outer"},
                  {UPPER | ARM | FRONT, INNER, "uca_front"},
                  {UPPER | ARM | REAR, INNER, "uca_rear"},
                  {LOWER | ARM | FRONT, INNER, "lca_front"},
                  {LOWER | ARM | REAR, INNER, "lca_rear"},
                  {PUSH | ROCKER, INNER, "pushrod_inner"},
                  {PUSH | INNER, 0, "pushrod_inner"},
                  {PUSH | OUTER, ENDS & ~(unsigned)INNER, "pushrod_outer"},
                  {PUSH | ARM, ENDS & ~(unsigned)INNER, "pushrod_outer"},
                  {ROCKER | AXIS | SECOND, INNER, "rocker_axis"},
                  {ROCKER | AXIS | REAR, INNER, "rocker_axis"},
                  {ROCKER | AXIS | FRONT, INNER, "rocker_pivot"},
                  {ROCKER | AXIS | INNER, 0, "rocker_axis"},
                  {ROCKER | AXIS, ARM, "rocker_pivot"},
                  {ROCKER | INNER, 0, "rocker_pivot"},
                  {DAMPER | ROCKER, 0, "damper_lower"},
                  {DAMPER | INNER, 0, "damper_upper"},
                  {DAMPER | UPPER, INNER, "damper_upper"},
                  {DAMPER | LOWER, OUTER | ARM, "damper_lower"},
                  {DAMPER | OUTER, ARM, "damper_lower"},
                  {SPRING | ROCKER, 0, "spring_lower"},
                  {SPRING | INNER, 0, "spring_upper"},
                  {SPRING | UPPER, INNER, "spring_upper"},
                  {SPRING | LOWER, OUTER | ARM, "spring_lower"}};

static size_t add_by_words(char *simple, int *role) {
  unsigned meaning = 0;
  char *rest;
  for (char *word = strtok_r(simple, "_", &rest); word; word = strtok_r(NULL, "_", &rest)) {
    size_t i = 0;
    while (i < VD_COUNT(words) && strcmp(words[i].word, word) != 0)
      i++;
    meaning |= i < VD_COUNT(words) ? words[i].meaning : OTHER;
  }
  for (size_t i = 0; i < VD_COUNT(word_rules); i++)
    if ((meaning & word_rules[i].needed) == word_rules[i].needed &&
        !(meaning & ~(word_rules[i].needed | word_rules[i].allowed)))
      return add_meaning(word_rules[i].name, 0, role);
  return 0;
}

/* Returns the roles of a name without prefix and without words for a corner. Suspension files have the points of links
 * below the key `links'. */
static size_t roles_of(vd_slice name, int *role, bool *by_words) {
  char simple[NAME_MAX_LENGTH];
  *by_words = false;
  if (!simplify(name, simple))
    return 0;
  char *short_name = strncmp(simple, "links_", 6) == 0 ? simple + 6 : simple;
  size_t count = add_meaning(short_name, 0, role);
  for (size_t i = 0; i < VD_COUNT(aliases); i++)
    if (strcmp(aliases[i].alias, short_name) == 0)
      count = add_meaning(aliases[i].name, count, role);
  count = add_member(short_name, count, role);
  *by_words = count == 0;
  return count > 0 ? count : add_by_words(short_name, role);
}

/* Returns whether a name has the words front or rear more than once. Then the word at the beginning means the axle, and
 * the other one distinguishes points of an arm. */
static bool has_two_axles(vd_slice name) {
  int count = 0;
  for (size_t i = 0; i + 4 <= name.length; i++)
    count += strncasecmp(name.text + i, "front", 5) == 0 || strncasecmp(name.text + i, "rear", 4) == 0;
  return count > 1;
}

size_t vd_hardpoint_meanings(const char *name, int *role, vd_hardpoint_name *out) {
  *out = (vd_hardpoint_name){.text = name};
  split_prefix(out);
  const vd_slice whole = {out->text, strlen(out->text)};
  const vd_hardpoint_name plain = *out;
  size_t count = roles_of(whole, role, &out->by_words);
  if (count > 0 && !out->by_words) /* a table has the whole name: none of its words means a corner */
    return count;
  vd_slice rest = whole;
  while (plain.side == VD_LIST_UNSTATED && !plain.single && take_corner(&rest, true, out)) {
  }
  const vd_slice tail = rest;
  const vd_hardpoint_name by_tail = *out;
  while (take_corner(&rest, false, out)) {
  }
  out->side = plain.side ? plain.side : out->side;
  /* front or rear at the beginning can mean a point of an arm, unless a side or another such word is there, too */
  const bool is_axle = out->side != by_tail.side || has_two_axles(whole);
  if (rest.length < tail.length && !is_axle && (count = roles_of(tail, role, &out->by_words)) > 0) {
    *out = (vd_hardpoint_name){by_tail.side, by_tail.axle, plain.single, out->by_words, plain.text};
    return count;
  }
  count = roles_of(rest, role, &out->by_words);
  if (count == 0 && rest.length < tail.length) {
    *out = by_tail;
    count = roles_of(tail, role, &out->by_words);
  }
  if (count == 0) {
    *out = plain;
    count = roles_of(whole, role, &out->by_words);
  }
  return count;
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
  case VD_SLOT_PUSH_ROD_OUTER: return h->damper.rod_part;
  case VD_SLOT_PUSH_ROD_INNER: return h->damper.rod_rocker;
  case VD_SLOT_PIVOT: return h->damper.pivot;
  case VD_SLOT_AXIS: return h->damper.axis; /* the second point, until it becomes a direction */
  }
  return NULL;
}

/* Returns whether a point is in the middle of the car and belongs to no side: the shear centre of a twist beam, and the
 * points that only a Panhard axle has. */
static bool is_single(const vd_role *r) {
  return r->slot == VD_SLOT_SECOND ? r->types == TB : r->types == PA;
}

static void write_point(const vd_role *r, const double *at, enum vd_axes axes, enum vd_length_unit unit, vd_buf *out) {
  double scale = unit == VD_LENGTH_MM ? 1000.0 : 1.0 / vd_length_in_m[unit],
         horizontal = axes == VD_AXES_ADAMS ? -scale : scale; /* Adams: x rearward, y right */
  const double factor[3] = {horizontal, horizontal, scale};
  vd_buf_printf(out, "%s%s", is_single(r) ? "hps_" : "hpl_", r->name);
  for (int i = 0; i < 3; i++) {
    char text[VD_NUM_MAX];
    vd_num_print_shortest(0.0 + factor[i] * at[i], text); /* avoids -0 */
    vd_buf_printf(out, ",%s", text);
  }
  vd_buf_puts(out, "\n");
}

static const vd_role_kind *kind_of(enum vd_linkage_type type) {
  int i = 0;
  while (vd_hardpoint_kinds[i].type != type)
    i++;
  return &vd_hardpoint_kinds[i];
}

int vd_hardpoint_rod_holder(const vd_hardpoints *h) {
  const double *rod = h->damper.rod_part;
  return VD_ON_MEMBER + (vd_distance(rod, h->member[1].knuckle) < vd_distance(rod, h->member[0].knuckle));
}

/* Returns whether an element is on the one rocker that a list can contain: the damper's, with its rod on the arm that a
 * reader chooses (vd_hardpoint_rod_holder). */
static bool has_listed_rocker(const vd_hardpoints *h, const vd_element *e) {
  const vd_element *d = &h->damper;
  return h->type == VD_DOUBLE_WISHBONE && d->given && d->rocker && e->rocker && e->on == vd_hardpoint_rod_holder(h) &&
         d->on == e->on && !memcmp(e->pivot, d->pivot, sizeof e->pivot) && !memcmp(e->axis, d->axis, sizeof e->axis) &&
         !memcmp(e->rod_part, d->rod_part, sizeof e->rod_part) &&
         !memcmp(e->rod_rocker, d->rod_rocker, sizeof e->rod_rocker);
}

/* Returns the reason why an element cannot be listed; NULL: it can. If a list has a rocker, a reader mounts spring and
 * damper on it. */
static const char *unlisted(const vd_corner *corner, const vd_element *e) {
  const vd_role_kind *kind = kind_of(corner->points.type);
  bool hinge = e->on >= VD_ON_MEMBER && corner->points.member[e->on - VD_ON_MEMBER].kind == VD_HINGE;
  int holder = hinge ? VD_ON_KNUCKLE : e->on;
  if (has_listed_rocker(&corner->points, e))
    return NULL;
  if (e->rocker)
    return "on a rocker of its own";
  if (has_listed_rocker(&corner->points, &corner->points.damper))
    return "beside a rocker";
  return holder == kind->holder ? NULL : "on a link that the list cannot name";
}

static void leave_out(vd_buf *left_out, const char *what, const char *why) {
  vd_buf_printf(left_out, "%s%s %s", left_out->length ? ", " : "", what, why);
}

/* Returns whether the right rods equal the mirror images of the left ones, which a reader makes. */
static bool has_images(const vd_corner *corner) {
  vd_corner image = *corner;
  bool same = true;
  vd_corner_forget_images(&image);
  vd_corner_fill_images(&image);
  for (int i = 0; i < corner->points.members; i++) {
    const vd_member *a = &corner->points.member[i], *b = &image.points.member[i];
    same &= !memcmp(a->chassis[0], b->chassis[0], sizeof a->chassis[0]) &&
            !memcmp(a->knuckle, b->knuckle, sizeof a->knuckle);
  }
  return same;
}

void vd_hardpoint_csv_write(const vd_corner *corner, enum vd_axes axes, enum vd_length_unit unit, vd_buf *out,
                            vd_buf *left_out) {
  assert(axes != VD_AXES_UNSTATED && unit != VD_LENGTH_UNSTATED);
  vd_hardpoints points = corner->points;
  const char *spring = points.spring.given ? unlisted(corner, &points.spring) : NULL;
  const char *damper = points.damper.given ? unlisted(corner, &points.damper) : NULL;
  if (spring)
    leave_out(left_out, "the spring", spring);
  if (damper)
    leave_out(left_out, "the damper", damper);
  if (!has_images(corner))
    leave_out(left_out, "the right rods", "that are not mirror images of the left ones");
  if (points.gear.kind == VD_GEAR_RELAY)
    leave_out(left_out, "the relay rod", "that steers");
  if (points.steer.given)
    leave_out(left_out, "the kingpins and rods", "that steer the axle");
  vd_buf_puts(out, "name,x,y,z\n");
  const bool rocker = points.damper.given && !damper && points.damper.rocker;
  for (int k = 0; rocker && k < 3; k++)
    points.damper.axis[k] += points.damper.pivot[k];
  for (int i = 0; i < VD_ROLES; i++) {
    const vd_role *r = &vd_hardpoint_roles[i];
    bool of_spring = r->slot == VD_SLOT_SPRING || r->slot == VD_SLOT_SPRING_TOP;
    bool given = of_spring ? points.spring.given && !spring : points.damper.given && !damper;
    given &= r->slot < VD_SLOT_PUSH_ROD_OUTER || rocker;
    if (vd_hardpoint_belongs(r, points.type) && (given || !vd_hardpoint_is_optional(r)))
      write_point(r, vd_hardpoint_place(&points, r), axes, unit, out);
  }
}
