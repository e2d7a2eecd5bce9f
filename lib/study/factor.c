/* Factors: the keys that they set, and the values that they take. */
#include "study/study_impl.h"

#include "base/elementary.h"
#include "base/num.h"
#include "input/schema.h"
#include "math/chance.h"

#include <math.h>
#include <string.h>

static vd_place at(const vd_study *s, const char *list, size_t i, const char *key) {
  return vd_tree_place_in(s->root, vd_arena_printf(s->arena, "%s.%zu", list, i), "%s", key);
}

vd_factor_value vd_number_value(double number, vd_arena *arena) {
  char text[VD_NUM_MAX];
  int length = vd_num_print_shortest(number + 0.0, text);
  return (vd_factor_value){.text = vd_arena_copy(arena, text, (size_t)length), .number = number};
}

vd_factor_value vd_word_value(const vd_study *s, const vd_factor *f, const vd_node *node) {
  bool text = node->kind == VD_NODE_SCALAR, listed = text && node->text[0] && strchr("[{", node->text[0]);
  vd_buf yaml = {0};
  for (size_t k = 0; k < f->def->keys.count && listed; k++)
    listed = !vd_schema_takes_text(vd_kinds[s->kind].schema, s->plain, f->def->keys.name[k]);
  if (listed)
    vd_buf_puts(&yaml, node->text);
  else
    vd_tree_write(node, &yaml);
  const char *kept = vd_arena_copy(s->arena, yaml.text, yaml.length);
  vd_buf_finish(&yaml);
  return (vd_factor_value){.text = kept, .number = NAN, .word = text ? node->text : kept};
}

static bool number_of(const char *text, double *value) {
  size_t used;
  return vd_num_parse(text, strlen(text), value, &used) && text[used] == '\0';
}

/* --- names and keys --- */

const char *vd_name_of_key(const char *key, vd_arena *arena) {
  char *name = vd_arena_copy(arena, key, strlen(key));
  for (char *p = name; *p; p++)
    if (*p == '.')
      *p = '_';
  return name;
}

static void read_name(vd_study_reading *r, size_t i) {
  const vd_study *s = r->study;
  vd_factor *f = &s->factor[i];
  static const char *const taken[] = {"case", "status", "g", "pi"};
  bool used = false;
  f->name = *f->def->name ? f->def->name : f->def->keys.count ? vd_name_of_key(f->def->keys.name[0], s->arena) : "";
  vd_place place = at(s, "vary", i, *f->def->name ? "name" : "key");
  for (size_t k = 0; k < i; k++)
    used |= strcmp(s->factor[k].name, f->name) == 0;
  for (size_t k = 0; k < VD_COUNT(taken); k++)
    used |= strcmp(taken[k], f->name) == 0;
  vd_study_check_name(f->name, "a factor", used, place, r->d);
}

/* Finds the schema row of a key that is a number. must: another kind of key is an error. */
static bool find_number(vd_study_reading *r, size_t i, size_t k, bool must, vd_number_row *out) {
  const vd_study *s = r->study;
  vd_diag *dropped = vd_diag_create();
  bool found = vd_schema_find_number(vd_kinds[s->kind].schema, s->plain, s->factor[i].def->keys.name[k],
                                     at(s, "vary", i, "key"), must ? r->d : dropped, out);
  vd_diag_destroy(dropped);
  return found;
}

/* Refuses a second factor with the same key: one of the two factors would have no effect. */
static void check_key(vd_study_reading *r, size_t i, size_t k) {
  const vd_study *s = r->study;
  const char *key = s->factor[i].def->keys.name[k];
  for (size_t j = 0; j <= i; j++)
    for (size_t n = 0; n < (j < i ? s->factor[j].def->keys.count : k); n++)
      if (strcmp(s->factor[j].def->keys.name[n], key) == 0)
        vd_error(r->d, at(s, "vary", i, "key"), "'%s' is varied by '%s' already", key, s->factor[j].name);
}

/* Reads the keys of a factor. All keys take the same value, so they must have the same unit. number: the row of each
 * key. */
static void read_keys(vd_study_reading *r, size_t i, vd_number_row *number) {
  const vd_study *s = r->study;
  vd_factor *f = &s->factor[i];
  const vd_names *keys = &f->def->keys;
  bool words = f->def->type == VD_FACTOR_LIST;
  f->numeric = true;
  f->unit = "";
  f->base = (vd_factor_value){.number = NAN};
  for (size_t k = 0; k < keys->count; k++)
    check_key(r, i, k);
  for (size_t k = 0; k < keys->count; k++) {
    if (!find_number(r, i, k, !words, &number[k])) {
      f->numeric = false;
      f->unit = "";
      return;
    }
    if (k == 0)
      f->unit = number[k].unit;
    else if (strcmp(f->unit, number[k].unit) != 0)
      vd_error(r->d, at(s, "vary", i, "key"),
               "'%s' is in %s and '%s' in %s; the keys of a factor must have the same unit", keys->name[0], f->unit,
               keys->name[k], number[k].unit);
  }
  double value;
  if (keys->count > 0 && vd_study_number(s, keys->name[0], &value))
    f->base.number = value;
}

/* --- numbers and values --- */

/* True if a number of the factor has the dimension of all keys of the factor and, if `range', is within their
 * ranges. */
static bool fits(vd_study_reading *r, size_t i, const char *key, const vd_node *node, bool range,
                 const vd_number_row *number, double *value) {
  const vd_study *s = r->study;
  bool good = true;
  for (size_t k = 0; k < s->factor[i].def->keys.count && good && node; k++)
    good = vd_schema_number_fits(&number[k], key, node, range, s->arena, r->d, value);
  return good;
}

static const vd_node *node_of(const vd_study *s, size_t i, const char *key) {
  const vd_node *vary = vd_tree_get(s->root, "vary"), *item = vd_tree_item(vary, i);
  return vd_tree_get(item ? item : vary, key);
}

static void check_numbers(vd_study_reading *r, size_t i, const vd_number_row *number) {
  static const char *const keys[] = {"from", "to", "mean", "deviation", "low", "high"};
  const vd_study *s = r->study;
  const vd_factor_def *def = s->factor[i].def;
  bool normal = def->type == VD_FACTOR_NORMAL, good = true;
  for (size_t k = normal ? 2 : 0; k < (normal ? 6u : 2u); k++) {
    const vd_node *node = node_of(s, i, keys[k]);
    if (node && node->kind == VD_NODE_SCALAR && strcmp(node->text, "auto") != 0)
      good &= fits(r, i, keys[k], node, k != 3, number, NULL);
  }
  if (good && !normal && !(def->from < def->to))
    vd_error(r->d, at(s, "vary", i, "from"), "from (%.9g) must be below to (%.9g)", def->from, def->to);
  if (good && normal && !isnan(def->low) && !isnan(def->high) && !(def->low < def->high))
    vd_error(r->d, at(s, "vary", i, "low"), "low (%.9g) must be below high (%.9g)", def->low, def->high);
}

static void truncate_normal(vd_study_reading *r, size_t i) {
  vd_factor *f = &r->study->factor[i];
  const vd_factor_def *def = f->def;
  f->low = !isnan(def->low) ? vd_normal_probability((def->low - def->mean) / def->deviation) : 0.0;
  f->high = !isnan(def->high) ? vd_normal_probability((def->high - def->mean) / def->deviation) : 1.0;
  if (!(f->high - f->low > 1e-12))
    vd_error(r->d, at(r->study, "vary", i, "mean"), "the distribution has no probability between low and high");
}

/* Reads a value of a list: a number in SI, or a word. */
static void read_value(vd_study_reading *r, size_t i, size_t k, const vd_number_row *number, vd_factor_value *out) {
  const vd_study *s = r->study;
  const vd_factor *f = &s->factor[i];
  const vd_node *values = node_of(s, i, "values"), *item = vd_tree_item(values, k), *node = item ? item : values;
  double value = NAN;
  *out = vd_word_value(s, f, node);
  if (!f->numeric || strcmp(out->text, "auto") == 0)
    return;
  if (f->def->keys.count > 0) {
    if (fits(r, i, "values", node, true, number, &value))
      *out = vd_number_value(value, s->arena);
    return;
  }
  if (number_of(out->text, &value))
    *out = vd_number_value(value, s->arena);
  else
    vd_error(r->d, vd_node_place(node), "the values of a factor without key are bare numbers, in SI, not '%s'",
             out->word);
}

/* Tries the words of a factor. At least one word must be valid by itself; other words may need a certain value of
 * another factor. */
static void try_words(vd_study_reading *r, size_t i) {
  const vd_study *s = r->study;
  const vd_factor_def *def = s->factor[i].def;
  for (size_t n = 0; n < def->keys.count; n++) {
    const char *why, *first = NULL;
    bool any = false;
    for (size_t k = 0; k < def->values.count; k++) {
      any |= vd_study_try(r, def->keys.name[n], s->factor[i].level[k].text, &why);
      first = first ? first : why;
    }
    if (!any)
      vd_error(r->d, at(s, "vary", i, "key"), "'%s' accepts none of the values: %s", def->keys.name[n], first);
  }
}

static void read_list(vd_study_reading *r, size_t i, const vd_number_row *number) {
  const vd_study *s = r->study;
  vd_factor *f = &s->factor[i];
  const vd_factor_def *def = f->def;
  double sum = 0.0;
  f->levels = def->values.count;
  if (f->levels == 0) {
    vd_error(r->d, at(s, "vary", i, "values"), "the list is empty");
    return;
  }
  if (def->weights.count > 0 && def->weights.count != f->levels) {
    vd_error(r->d, at(s, "vary", i, "weights"), "%zu weights for %zu values", def->weights.count, f->levels);
    return;
  }
  f->level = vd_arena_alloc(s->arena, f->levels * sizeof *f->level);
  f->share = vd_arena_alloc(s->arena, f->levels * sizeof *f->share);
  for (size_t k = 0; k < f->levels; k++) {
    read_value(r, i, k, number, &f->level[k]);
    sum += def->weights.count ? def->weights.value[k] : 1.0;
    f->share[k] = sum;
  }
  for (size_t k = 0; k < f->levels; k++)
    f->share[k] /= sum;
  if (!f->numeric)
    try_words(r, i);
}

static void read_range(const vd_study *s, vd_factor *f) {
  const vd_factor_def *def = f->def;
  f->levels = (size_t)def->points;
  f->level = vd_arena_alloc(s->arena, f->levels * sizeof *f->level);
  for (size_t k = 0; k < f->levels; k++) {
    double share = (double)k / (double)(f->levels - 1);
    f->level[k] = vd_number_value((1.0 - share) * def->from + share * def->to, s->arena);
  }
}

/* --- formulas --- */

bool vd_study_number(const vd_study *s, const char *key, double *value) {
  const vd_node *node = vd_tree_find(s->plain, key);
  return node && node->kind == VD_NODE_SCALAR && !node->quoted && number_of(node->text, value);
}

/* Returns the index of the factor with this name or key; -1: none of the first `count' has it. */
static int factor_called(const vd_study *s, const char *name, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (vd_study_is_called(name, s->factor[i].name, &s->factor[i].def->keys))
      return (int)i;
  return -1;
}

typedef struct naming {
  vd_study_reading *r;
  size_t known; /* number of factors that the formula may name: all before it */
  bool metrics;
} naming;

/* True if one of the factors from `first` on has this key. The names of these factors have not been read yet. */
static bool varied_later(const vd_study *s, const char *key, size_t first) {
  bool varied = false;
  for (size_t i = first; i < s->factors; i++)
    varied |= vd_study_is_called(key, "", &s->factor[i].def->keys);
  return varied;
}

static void check_name(void *context, const char *name, vd_place place) {
  const naming *n = context;
  const vd_study *s = n->r->study;
  double value;
  int i = factor_called(s, name, n->known);
  if (n->metrics && strncmp(name, "metric.", 7) == 0) {
    for (size_t k = 0; k < s->metrics; k++)
      if (strcmp(s->metric[k].name, name + 7) == 0)
        return;
    vd_error(n->r->d, place, "'%s' is not a metric of the study", name + 7);
  } else if (i >= 0 && !s->factor[i].numeric) {
    vd_error(n->r->d, place, "the values of '%s' are words", name);
  } else if (i < 0 && n->known < s->factors && varied_later(s, name, n->known + 1)) {
    vd_error(n->r->d, place, "'%s' is varied by a later factor; a formula can use only earlier ones", name);
  } else if (i < 0 && !vd_study_number(s, name, &value)) {
    const char *names[VD_STUDY_FACTORS];
    for (size_t k = 0; k < n->known; k++)
      names[k] = s->factor[k].name;
    vd_error(n->r->d, place, "'%s' is neither an earlier factor nor a number of the scenario%s", name,
             vd_did_you_mean(s->arena, vd_suggest(name, names, n->known)));
  }
}

static const vd_expression *read_formula(vd_study_reading *r, const char *text, vd_place place, size_t known,
                                         bool metrics) {
  const vd_expression *e = vd_expression_read(text, place, NULL, r->study->arena, r->d);
  if (e)
    vd_expression_names(e, check_name, &(naming){r, known, metrics});
  return e;
}

typedef struct world {
  const vd_study *study;
  size_t known; /* as in `naming'; in a formula, the key of the formula's own factor means the number of the scenario */
  const vd_factor_value *level;
  const vd_metrics *metrics;
} world;

static bool value_of(void *context, const char *name, double *value, const char **why) {
  const world *w = context;
  int i = factor_called(w->study, name, w->known);
  *why = NULL;
  if (w->metrics && strncmp(name, "metric.", 7) == 0) {
    const vd_metric *m = vd_metric_called(w->metrics, name + 7);
    *value = m ? m->value : NAN;
    return true;
  }
  if (i < 0)
    return vd_study_number(w->study, name, value);
  *value = w->level[i].number;
  *why = "has no number in this case";
  return !isnan(*value);
}

bool vd_study_formulas(const vd_study *study, vd_factor_value *level, vd_arena *arena, char *why, size_t size) {
  for (size_t i = 0; i < study->factors; i++)
    if (study->factor[i].formula) {
      const vd_expression_world w = {.context = &(world){study, i, level, NULL}, .name = value_of};
      double value = vd_expression_value(study->factor[i].formula, &w, why, size);
      if (isnan(value))
        return false;
      level[i] = vd_number_value(value, arena);
    }
  return true;
}

bool vd_study_holds(const vd_study *study, const vd_constraint *all, size_t count, const vd_factor_value *level,
                    const vd_metrics *metrics, bool unknown) {
  const vd_expression_world w = {.context = &(world){study, study->factors, level, metrics}, .name = value_of};
  bool holds = true;
  for (size_t i = 0; i < count; i++) {
    char why[120];
    double value = vd_expression_value(all[i].formula, &w, why, sizeof why);
    if (isnan(value))
      holds &= unknown;
    else
      holds &= (isnan(all[i].def->above) || value > all[i].def->above) &&
               (isnan(all[i].def->below) || value < all[i].def->below);
  }
  return holds;
}

static vd_constraint *read_constraints(vd_study_reading *r, const char *key, const vd_structs *defs, bool metrics) {
  const vd_study *s = r->study;
  const vd_constraint_def *def = defs->item;
  vd_constraint *all = vd_arena_alloc(s->arena, (defs->count + 1) * sizeof *all);
  for (size_t i = 0; i < defs->count; i++) {
    all[i] = (vd_constraint){&def[i], read_formula(r, def[i].formula, at(s, key, i, "formula"), s->factors, metrics)};
    if (isnan(def[i].above) && isnan(def[i].below))
      vd_error(r->d, at(s, key, i, "formula"), "the constraint needs a bound: above or below");
  }
  return all;
}

/* --- all factors --- */

static void read_factor(vd_study_reading *r, size_t i) {
  const vd_study *s = r->study;
  vd_factor *f = &s->factor[i];
  size_t errors = vd_diag_errors(r->d);
  vd_number_row *number = vd_arena_alloc(s->arena, (f->def->keys.count + 1) * sizeof *number);
  f->dimension = -1;
  read_name(r, i);
  read_keys(r, i, number);
  if (vd_diag_errors(r->d) > errors)
    return;
  switch ((enum vd_factor_type)f->def->type) {
  case VD_FACTOR_LIST: read_list(r, i, number); break;
  case VD_FACTOR_RANGE: check_numbers(r, i, number); break;
  case VD_FACTOR_UNIFORM: check_numbers(r, i, number); break;
  case VD_FACTOR_NORMAL: check_numbers(r, i, number); break;
  case VD_FACTOR_FORMULA: f->formula = read_formula(r, f->def->formula, at(s, "vary", i, "formula"), i, false); break;
  }
  if (vd_diag_errors(r->d) > errors)
    return;
  if (f->def->type == VD_FACTOR_RANGE)
    read_range(s, f);
  if (f->def->type == VD_FACTOR_NORMAL)
    truncate_normal(r, i);
}

bool vd_study_read_factors(vd_study_reading *r) {
  vd_study *s = r->study;
  const vd_factor_def *def = s->def.vary.item;
  size_t errors = vd_diag_errors(r->d);
  s->factors = s->def.vary.count;
  if (s->factors == 0 || s->factors > VD_STUDY_FACTORS) {
    vd_error(r->d, vd_tree_place(s->root, "vary"), "a study varies 1 to %d factors, not %zu", (int)VD_STUDY_FACTORS,
             s->factors);
    return false;
  }
  s->factor = vd_arena_alloc(s->arena, s->factors * sizeof *s->factor);
  for (size_t i = 0; i < s->factors; i++)
    s->factor[i].def = &def[i];
  for (size_t i = 0; i < s->factors; i++)
    read_factor(r, i);
  if (vd_diag_errors(r->d) > errors)
    return false;
  s->constraint = read_constraints(r, "constraints", &s->def.constraints, false);
  s->interesting = read_constraints(r, "interesting", &s->def.interesting, true);
  s->stop = read_constraints(r, "stop", &s->def.stop, true);
  return vd_diag_errors(r->d) == errors;
}

size_t vd_factor_level(const vd_factor *f, double u) {
  size_t k = 0;
  if (!f->share)
    return (size_t)vd_min(u * (double)f->levels, (double)(f->levels - 1));
  while (k + 1 < f->levels && !(u < f->share[k]))
    k++;
  return k;
}

vd_factor_value vd_factor_at(const vd_factor *f, double u, vd_arena *arena) {
  const vd_factor_def *def = f->def;
  switch ((enum vd_factor_type)def->type) {
  case VD_FACTOR_UNIFORM: return vd_number_value((1.0 - u) * def->from + u * def->to, arena);
  case VD_FACTOR_NORMAL: {
    double p = vd_min(vd_max(f->low + u * (f->high - f->low), 1e-300), 1.0 - 0x1p-53);
    return vd_number_value(def->mean + def->deviation * vd_normal_quantile(p), arena);
  }
  case VD_FACTOR_RANGE:
  case VD_FACTOR_LIST: return f->level[vd_factor_level(f, u)];
  case VD_FACTOR_FORMULA: break;
  }
  return (vd_factor_value){.number = NAN};
}
