#include "kc/plan.h"

#include "base/num.h"

#include <math.h>
#include <string.h>

static bool complain(vd_buf *why, const char *what) {
  vd_buf_puts(why, what);
  return false;
}

bool vd_kc_range_read(const char *text, double scale, vd_kc_range *range, vd_buf *why) {
  double value[3];
  int count = vd_num_parse_range(text, value);
  for (int i = 0; i < count; i++)
    if (!(fabs(value[i]) < 1e9))
      count = 0;
  if (count == 0)
    return complain(why, "FROM:TO:N or one number is needed");
  if (count == 1) {
    *range = (vd_kc_range){value[0] * scale, value[0] * scale, 1};
    return true;
  }
  if (count != 3 || value[2] != floor(value[2]) || !(value[2] >= 2.0 && value[2] <= 10001.0))
    return complain(why, "FROM:TO:N is needed, N a number from 2 to 10001");
  *range = (vd_kc_range){value[0] * scale, value[1] * scale, (int)value[2]};
  return true;
}

/* Takes a range of a load or motion. A single number is the constant value in all other sweeps. A single vertical load
 * does not change the range of the sweep of vertical loads. */
static bool take_range(vd_kc_plan *plan, int sweep, const char *text, vd_buf *why) {
  double *const fixed[VD_KC_SWEEPS] = {[VD_KC_TRAVEL] = &plan->travel,
                                       [VD_KC_RACK] = &plan->rack,
                                       [VD_KC_FX] = &plan->load.fx,
                                       [VD_KC_FY] = &plan->load.fy,
                                       [VD_KC_MZ] = &plan->load.mz,
                                       [VD_KC_FZ] = &plan->load.fz,
                                       [VD_KC_FX_CENTRE] = &plan->load.centre[0]};
  bool length = sweep == VD_KC_TRAVEL || sweep == VD_KC_RACK;
  vd_kc_range range = {0.0, 0.0, 0};
  if (!vd_kc_range_read(text, length ? 1e-3 : 1.0, &range, why))
    return false;
  plan->ranged[sweep] = range.points > 1;
  if (range.points > 1 || sweep != VD_KC_FZ)
    plan->range[sweep] = range;
  if (range.points == 1) {
    *fixed[sweep] = range.from;
    plan->loaded |= !length;
  }
  return true;
}

static bool take_sweeps(vd_kc_plan *plan, const char *text, vd_buf *why) {
  memset(plan->sweep, 0, sizeof plan->sweep);
  plan->optional = false;
  for (const char *p = text;; p++) {
    size_t length = strcspn(p, ",");
    int found = -1;
    for (int i = 0; i < VD_KC_SWEEPS; i++)
      if (strlen(vd_kc_sweep_names[i]) == length && strncmp(vd_kc_sweep_names[i], p, length) == 0)
        found = i;
    bool all = length == 3 && strncmp(p, "all", 3) == 0;
    if (found < 0 && !all)
      return complain(why, "travel, rack, grid, fx, fy, mz, fz, fx_centre or all is needed");
    for (int i = 0; i < VD_KC_SWEEPS; i++)
      plan->sweep[i] |= all ? i != VD_KC_GRID : i == found;
    plan->optional |= all;
    p += length;
    if (*p == '\0')
      return true;
  }
}

/* Selects columns; they are written in the order of the table of columns. */
static bool take_columns(vd_kc_plan *plan, const char *text, vd_buf *why) {
  bool wanted[VD_KC_COLUMNS] = {false};
  for (const char *p = text;; p++) {
    char pattern[64] = "";
    size_t length = strcspn(p, ",");
    if (length == 0)
      return complain(why, "a list of names or globs is needed");
    memcpy(pattern, p, length < sizeof pattern ? length : sizeof pattern - 1);
    if (length >= sizeof pattern || vd_kc_columns_match(pattern, wanted) == 0) {
      vd_buf_printf(why, "there is no column '%s'", pattern);
      return false;
    }
    p += length;
    if (*p == '\0')
      break;
  }
  for (int i = 0; i < VD_KC_COLUMNS; i++)
    plan->unwanted[i] = !wanted[i];
  return true;
}

/* Returns the index of a word; -1 with the reason in `why` if it is unknown. */
static int word_of(const char *text, const char *const *words, const char *what, vd_buf *why) {
  for (int i = 0; words[i]; i++)
    if (strcmp(text, words[i]) == 0)
      return i;
  complain(why, what);
  return -1;
}

static bool take_hold(vd_kc_plan *plan, const char *text, vd_buf *why) {
  int word = word_of(text, vd_kc_hold_names, "centre, ground, free or auto is needed", why);
  plan->hold = word >= 0 ? (enum vd_hold)word : VD_HOLD_AUTO;
  return word >= 0;
}

static bool take_mode(vd_kc_plan *plan, const char *text, vd_buf *why) {
  static const char *const modes[] = {"parallel", "opposite", NULL};
  int word = word_of(text, modes, "parallel or opposite is needed", why);
  plan->motion = word == 1 ? VD_OPPOSITE : VD_PARALLEL;
  return word >= 0;
}

static bool take_side(vd_kc_plan *plan, const char *text, vd_buf *why) {
  static const char *const sides[] = {"left", "right", "both", NULL};
  int word = word_of(text, sides, "left, right or both is needed", why);
  plan->side = word == 1 ? VD_KC_RIGHT : word == 2 ? VD_KC_BOTH : VD_KC_LEFT;
  return word >= 0;
}

/* Returns the sweep whose range an option gives: the name of the sweep with - for _. -1: it is not such an option. */
static int sweep_called(const char *name) {
  for (int i = 0; i < VD_KC_SWEEPS; i++)
    if (i != VD_KC_GRID && strcmp(i == VD_KC_FX_CENTRE ? "fx-centre" : vd_kc_sweep_names[i], name) == 0)
      return i;
  return -1;
}

bool vd_kc_plan_set(vd_kc_plan *plan, const char *name, const char *text, vd_buf *why) {
  static const struct {
    const char *name;
    bool (*take)(vd_kc_plan *plan, const char *text, vd_buf *why);
  } taken[] = {
      {"sweep", take_sweeps}, {"columns", take_columns}, {"hold", take_hold}, {"mode", take_mode}, {"side", take_side}};
  const struct {
    const char *name;
    bool *flag;
  } flags[] = {{"gravity", &plan->gravity}, {"partial", &plan->partial}, {"forces", &plan->forces}};
  for (size_t i = 0; i < VD_COUNT(flags); i++)
    if (strcmp(flags[i].name, name) == 0)
      return text ? complain(why, "the option has no value") : (*flags[i].flag = true);
  int sweep = sweep_called(name);
  for (size_t i = 0; i < VD_COUNT(taken); i++)
    if (strcmp(taken[i].name, name) == 0)
      return text ? taken[i].take(plan, text, why) : complain(why, "the option needs a value");
  if (sweep < 0)
    return complain(why, "there is no such option of a sweep");
  return text ? take_range(plan, sweep, text, why) : complain(why, "the option needs a value");
}

bool vd_kc_plan_check(const vd_kc_plan *plan, vd_buf *why) {
  for (int i = 0; i < VD_KC_SWEEPS; i++) {
    bool swept = plan->sweep[i] || (plan->sweep[VD_KC_GRID] && (i == VD_KC_TRAVEL || i == VD_KC_RACK));
    if (plan->ranged[i] && !swept) {
      vd_buf_printf(why, "%s has several points but no sweep; a single number is used in all sweeps",
                    vd_kc_sweep_names[i]);
      return false;
    }
  }
  return true;
}
