/* Reads the parts that several kinds of claims have: places, formulas, numbers with their tolerances, files. */
#include "validation/claim_impl.h"

#include "base/base.h"
#include "base/system.h"
#include "base/text.h"
#include "input/schema.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Writes the path of a key of the claim in the file's tree; key "": the path of the claim. */
void vd_claim_path(const vd_claim_context *ctx, const char *key, char *out, size_t size) {
  bool alone = ctx->root && !vd_tree_find(ctx->root, "claims.0"); /* the file is a single claim, not a list */
  char index[32] = "";
  if (!alone)
    snprintf(index, sizeof index, ".%zu", ctx->index);
  snprintf(out, size, "claims%s%s%s", index, *key ? "." : "", key);
}

vd_place vd_claim_at(const vd_claim_context *ctx, const char *key) {
  char path[160];
  vd_claim_path(ctx, key ? key : "claim", path, sizeof path);
  return vd_tree_place(ctx->root, path);
}

vd_place vd_claim_at_item(const vd_claim_context *ctx, const char *key, size_t item) {
  char path[96];
  snprintf(path, sizeof path, "%s.%zu", key, item);
  return vd_claim_at(ctx, path);
}

bool vd_claim_check_filled(const vd_node *node, const char *key, vd_diag *d) {
  bool good = true;
  const char *text = node->kind == VD_NODE_SCALAR ? node->text : "";
  if (!node->child && text[strspn(text, " \t\n")] == '\0') {
    vd_error(d, vd_node_place(node), "'%s' is empty", key);
    return false;
  }
  for (const vd_node *child = node->child; child; child = child->next)
    good &= vd_claim_check_filled(child, child->key ? child->key : key, d);
  return good;
}

const char *vd_claim_format(const vd_claim_context *ctx, const char *text, ...) {
  vd_buf b = {0};
  va_list args;
  va_start(args, text);
  vd_buf_vprintf(&b, text, args);
  va_end(args);
  const char *copy = vd_arena_copy(ctx->arena, b.text ? b.text : "", b.length);
  vd_buf_finish(&b);
  return copy;
}

/* --- formulas --- */

static bool is_function(void *unused, const char *name, size_t *arguments, bool *word) {
  (void)unused;
  *arguments = 2;
  *word = true;
  return strcmp(name, "cornering_stiffness") == 0 || strcmp(name, "slip_stiffness") == 0 || strcmp(name, "trail") == 0;
}

const vd_expression_world vd_claim_functions = {.function = is_function};

typedef struct naming {
  vd_claim_context *ctx;
  size_t known; /* number of definitions before the formula */
} naming;

static bool begins(const char *name, const char *word) {
  size_t length = strlen(word);
  return strncmp(name, word, length) == 0 && name[length] == '.';
}

/* True if a name may be a key of the scenario; a key at the top of its file has no dot. */
static bool is_key(const vd_claim_context *ctx, const char *name) {
  const vd_schema *schema = vd_kinds[ctx->out->run.kind].schema;
  const vd_field *row;
  vd_schema_walk walk = {.schema = {schema}};
  while ((row = vd_schema_next(&walk)) && strcmp(row->key, name) != 0)
    ;
  return row != NULL;
}

/* Checks a name in a formula. Definitions and figures of the run are known already; keys of the scenario are known only
 * after the scenario is read. */
static void check_name(void *context_, const char *name, vd_place place) {
  const naming *n = context_;
  for (size_t i = n->known; i-- > 0;)
    if (strcmp(n->ctx->where[i].name, name) == 0)
      return;
  if (strcmp(name, "frequency") == 0 && !isnan(n->ctx->out->frequency))
    return;
  if (begins(name, "metric")) {
    vd_claim_need_metric(n->ctx, name + strlen("metric."), place);
    return;
  }
  for (int of = 0; of < VD_OF_GAIN; of++)
    if (begins(name, vd_claim_of_names[of])) {
      vd_claim_need_channel(n->ctx, name + strlen(vd_claim_of_names[of]) + 1, place);
      return;
    }
  if (!vd_is_given(n->ctx->out->run.scenario))
    vd_error(n->ctx->d, place, "'%s' is not defined, and there is no scenario that may have this key", name);
  else if (!strchr(name, '.') && !is_key(n->ctx, name))
    vd_error(n->ctx->d, place, "there is no definition of '%s'", name);
}

const vd_expression *vd_claim_read_formula(vd_claim_context *ctx, const char *text, vd_place place, size_t known) {
  const vd_expression *e = vd_expression_read(text, place, &vd_claim_functions, ctx->arena, ctx->d);
  if (e)
    vd_expression_names(e, check_name, &(naming){ctx, known});
  return e;
}

/* --- numbers --- */

bool vd_claim_fits(const vd_quantity *q, const char *unit) {
  vd_unit of;
  return q->bare || !unit || !vd_quantity_unit(unit, strlen(unit), &of) ||
         vd_dimension_equal(q->unit.dimension, of.dimension);
}

/* Reads an expected value. unit: unit of the compared figure; NULL: not known. */
void vd_claim_read_expected(vd_claim_context *ctx, const vd_expect_def *def, const char *key, const char *unit,
                            vd_expected *out) {
  *out = (vd_expected){.given = vd_is_given(def->value) || vd_is_given(def->formula),
                       .text = vd_is_given(def->value) ? def->value : def->formula};
  if (vd_is_given(def->value) && vd_is_given(def->formula)) {
    vd_error(ctx->d, vd_claim_at(ctx, key), "'%s' must be either a number or a formula", key);
  } else if (vd_is_given(def->value)) {
    if (vd_quantity_read(def->value, key, vd_claim_at(ctx, key), ctx->d, &out->quantity) &&
        !vd_claim_fits(&out->quantity, unit))
      vd_error(ctx->d, vd_claim_at(ctx, key), "'%s' is compared with a quantity in %s", key, unit);
  } else if (vd_is_given(def->formula)) {
    out->formula = vd_claim_read_formula(ctx, def->formula, vd_claim_at(ctx, vd_claim_format(ctx, "%s.formula", key)),
                                         ctx->out->where_count);
  }
}

void vd_claim_tolerance(vd_claim_context *ctx, const vd_names *parts, const char *key, const char *unit,
                        vd_tolerance *out) {
  *out = (vd_tolerance){.bare = true};
  for (size_t i = 0; i < parts->count; i++) {
    vd_place place = vd_claim_at(ctx, parts->count > 1 ? vd_claim_format(ctx, "%s.%zu", key, i) : key);
    if (!vd_tolerance_read(parts->name[i], place, ctx->d, out))
      return;
    if (out->has_absolute && !out->bare && !vd_claim_fits(&(vd_quantity){.unit = out->unit}, unit))
      vd_error(ctx->d, place, "the tolerance is for a quantity %s%s", strcmp(unit, "1") == 0 ? "without a unit" : "in ",
               strcmp(unit, "1") == 0 ? "" : unit);
  }
  if (parts->count == 0)
    vd_error(ctx->d, vd_claim_at(ctx, key), "a tolerance is needed");
}

/* Reads a number in the dimension of a unit, or a share in per cent. */
double vd_claim_number(vd_claim_context *ctx, const char *text, const char *key, vd_place place, const char *unit) {
  vd_quantity q;
  if (!vd_quantity_read(text, key, place, ctx->d, &q))
    return NAN;
  if (!vd_claim_fits(&q, unit))
    vd_error(ctx->d, place, "'%s' needs a value in %s", key, unit);
  if (!(q.value >= 0.0))
    vd_error(ctx->d, place, "'%s' must not be negative", key);
  return q.value;
}

/* --- files --- */

bool vd_claim_file_exists(const vd_claim_context *ctx, const char *path, vd_place place) {
  struct stat info;
  if (stat(path, &info) == 0 && S_ISREG(info.st_mode))
    return true;
  int error = errno;
  bool there = stat(path, &info) == 0;
  vd_error(ctx->d, place, "cannot open '%s': %s", path, there ? "not a regular file" : strerror(error));
  return false;
}

bool vd_claim_cells(vd_claim_context *ctx, const char *path, vd_place place, vd_cells *out) {
  int source;
  if (!vd_claim_file_exists(ctx, path, place) || !vd_schema_slurp(path, ctx->d, &source) ||
      !vd_cells_read(source, ctx->arena, ctx->d, out))
    return false;
  for (size_t i = 0; i < out->columns; i++)
    if (*out->unit[i])
      return vd_error(ctx->d, vd_cells_name_place(out, i),
                      "claims read plain numbers, so '%s' cannot be in '%s'; use the name %s_%s", out->name[i],
                      out->unit[i], out->name[i], out->unit[i]);
  return true;
}

int vd_claim_find_column(vd_claim_context *ctx, const vd_cells *table, const char *name, vd_place place) {
  int column = vd_cells_column(table, name);
  if (column < 0)
    vd_error(ctx->d, place, "the table has no column '%s'%s%s%s", name,
             vd_suggest(name, table->name, table->columns) ? "; did you mean '" : "",
             vd_suggest(name, table->name, table->columns) ? vd_suggest(name, table->name, table->columns) : "",
             vd_suggest(name, table->name, table->columns) ? "'?" : "");
  return column;
}
