/* Reads the claims of a validation file, with all checks that are possible without a run. */
#include "validation/claim_impl.h"

#include "base/base.h"
#include "base/memory.h"
#include "base/system.h"
#include "base/text.h"
#include "input/file.h"
#include "input/schema.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- one claim for each value --- */

static const char *replaced(const vd_claim_context *ctx, const char *text, const char *value) {
  static const char mark[] = "$each";
  vd_buf b = {0};
  if (!text || !strstr(text, mark))
    return text;
  for (const char *found; (found = strstr(text, mark)); text = found + sizeof mark - 1) {
    vd_buf_add(&b, text, (size_t)(found - text));
    vd_buf_puts(&b, value);
  }
  vd_buf_puts(&b, text);
  const char *copy = vd_arena_copy(ctx->arena, b.text, b.length);
  vd_buf_finish(&b);
  return copy;
}

/* Replaces $each in all texts of an object, which its schema gives. */
static void replace_all(const vd_claim_context *ctx, const vd_schema *schema, char *object, const char *value) {
  int tag = vd_schema_object_tag(schema, object);
  const vd_field *row;
  vd_schema_walk walk = {.schema = {schema}};
  while ((row = vd_schema_next(&walk))) {
    void *member = object + row->offset;
    if (!vd_schema_applies(row, tag))
      continue;
    if (row->kind == VD_STRING || row->kind == VD_PATH) {
      *(const char **)member = replaced(ctx, *(const char **)member, value);
    } else if (row->kind == VD_STRUCT) {
      replace_all(ctx, row->sub, member, value);
    } else if (row->kind == VD_LIST && ((vd_names *)member)->count > 0) {
      vd_names *list = member;
      const char **copy = vd_arena_alloc(ctx->arena, list->count * sizeof *copy);
      for (size_t k = 0; k < list->count; k++)
        copy[k] = replaced(ctx, list->name[k], value);
      list->name = copy;
    }
  }
}

/* --- definitions --- */

static bool is_name(const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (!((text[i] >= 'a' && text[i] <= 'z') || (text[i] >= 'A' && text[i] <= 'Z') || text[i] == '_' ||
          (i > 0 && text[i] >= '0' && text[i] <= '9')))
      return false;
  return length > 0;
}

/* Returns the place `offset' bytes after the beginning of a scalar. */
static vd_place behind(vd_place p, const char *text, size_t offset) {
  int all = (int)vd_utf8_count(text, strlen(text)), quotes = p.length == all + 2;
  if (p.line == 0 || (p.length != all && !quotes))
    return p;
  p.column += quotes + (int)vd_utf8_count(text, offset);
  p.length = (int)vd_utf8_count(text + offset, strlen(text + offset));
  return p;
}

/* Returns the meaning that a name already has in formulas; NULL: none. */
static const char *reserved(const char *text, size_t length) {
  if ((length == 1 && *text == 'g') || (length == 2 && strncmp(text, "pi", 2) == 0))
    return "constant";
  return vd_expression_function(text, length) ? "function" : NULL;
}

/* Reads a definition, such as "K = m*(b*C2 - a*C1)". from: index of the first definition of the same list; a claim may
 * redefine a name of its file. */
static void read_definition(vd_claim_context *ctx, const char *text, vd_place place, size_t from) {
  size_t equals = strcspn(text, "="), end = equals, start = equals + 1;
  while (end > 0 && text[end - 1] == ' ')
    end--;
  if (text[equals] == '\0' || !is_name(text, end)) {
    vd_error(ctx->d, place, "'where' needs NAME = FORMULA, got '%s'", text);
    return;
  }
  for (size_t i = from; i < ctx->out->where_count; i++)
    if (strlen(ctx->where[i].name) == end && strncmp(ctx->where[i].name, text, end) == 0)
      vd_error(ctx->d, place, "'%s' is defined twice", ctx->where[i].name);
  while (text[start] == ' ')
    start++;
  const char *other = reserved(text, end);
  if (other)
    vd_error(ctx->d, place, "'%.*s' is a %s", (int)end, text, other);
  const vd_expression *e = vd_claim_read_formula(ctx, text + start, behind(place, text, start), ctx->out->where_count);
  ctx->where[ctx->out->where_count++] = (vd_where){vd_arena_copy(ctx->arena, text, end), e};
}

/* Reads one row of the table of numbers; false after errors. */
static bool read_number(vd_claim_context *ctx, const vd_cells *table, size_t row, const int column[3], vd_where *out) {
  const char *const *text = table->text + row * table->columns;
  const char *name = text[column[0]], *value = text[column[1]], *unit = text[column[2]];
  vd_place place = vd_cells_place(table, row, (size_t)column[0]);
  double number;
  if (!is_name(name, strlen(name))) {
    vd_error(ctx->d, place, "'%s' is not a name of a number, which has letters, digits and _ only", name);
    return false;
  }
  const char *other = reserved(name, strlen(name));
  if (other)
    vd_error(ctx->d, place, "'%s' is a %s", name, other);
  for (const vd_where *before = ctx->numbers; before < out; before++)
    if (strcmp(before->name, name) == 0)
      vd_error(ctx->d, place, "'%s' is defined twice", name);
  if (!vd_cells_number(table, row, (size_t)column[1], &number))
    return false;
  const char *formula = vd_is_given(unit) ? vd_claim_format(ctx, "%s[%s]", value, unit) : value;
  place = vd_cells_place(table, row, (size_t)column[1]);
  *out = (vd_where){name, vd_expression_read(formula, place, NULL, ctx->arena, ctx->d)};
  return out->value != NULL;
}

/* Adds the numbers of one table; name: path relative to the folder of the file. */
static void read_numbers_of(vd_claim_context *ctx, const char *name, vd_place place) {
  static const char *const names[] = {"name", "value", "unit"};
  int column[VD_COUNT(names)];
  vd_cells table;
  if (!vd_claim_cells(ctx, vd_path_is_absolute(name) ? name : vd_claim_format(ctx, "%s%s", ctx->folder, name), place,
                      &table))
    return;
  for (size_t i = 0; i < VD_COUNT(names); i++)
    if ((column[i] = vd_claim_find_column(ctx, &table, names[i], place)) < 0)
      return;
  vd_where *all = vd_arena_alloc(ctx->arena, (ctx->number_count + table.rows) * sizeof *all);
  if (ctx->number_count > 0)
    memcpy(all, ctx->numbers, ctx->number_count * sizeof *all);
  ctx->numbers = all;
  for (size_t row = 0; row < table.rows; row++)
    if (read_number(ctx, &table, row, column, &all[ctx->number_count]))
      ctx->number_count++;
}

/* Reads the tables of numbers, once for all claims of the file. */
static void read_numbers(vd_claim_context *ctx) {
  const vd_names *files = &ctx->file->numbers;
  for (size_t i = 0; i < files->count; i++)
    read_numbers_of(ctx, files->name[i],
                    vd_tree_place(ctx->root, files->count > 1 ? vd_claim_format(ctx, "numbers.%zu", i) : "numbers"));
}

static void read_definitions(vd_claim_context *ctx) {
  const vd_names *general = &ctx->file->where, *own = &ctx->def->where;
  size_t count = ctx->number_count + general->count + own->count;
  ctx->out->where = ctx->where = vd_arena_alloc(ctx->arena, (count + 1) * sizeof *ctx->where);
  for (size_t i = 0; i < ctx->number_count; i++)
    ctx->where[ctx->out->where_count++] = ctx->numbers[i];
  for (size_t i = 0; i < general->count; i++) {
    char path[32];
    snprintf(path, sizeof path, "where.%zu", i);
    read_definition(ctx, general->name[i], vd_tree_place(ctx->root, path), 0);
  }
  for (size_t i = 0, from = ctx->out->where_count; i < own->count; i++)
    read_definition(ctx, own->name[i], vd_claim_at_item(ctx, "where", i), from);
}

/* --- runs --- */

/* Finds the kind of a scenario from its keys alone; the scenario is read completely only when it is run. */
static enum vd_kind kind_of(vd_claim_context *ctx, const char *scenario) {
  int source;
  if (!ctx->scenario || strcmp(ctx->scenario, scenario) != 0) {
    vd_diag *dropped = vd_diag_create();
    ctx->kind = vd_schema_slurp(scenario, dropped, &source) ? vd_kind_of(source, dropped) : VD_KIND_VEHICLE;
    ctx->scenario = scenario;
    vd_diag_note_files(ctx->d, dropped);
    vd_diag_destroy(dropped);
  }
  return ctx->kind;
}

/* Reads the run of a claim. general: settings of the whole file, or NULL. False if the scenario's file does not
 * exist. */
bool vd_claim_read_run(vd_claim_context *ctx, const char *key, const char *scenario, const vd_names *general,
                       const vd_names *own, vd_claim_run *out) {
  size_t before = general ? general->count : 0, count = 0;
  vd_setting *all = vd_arena_alloc(ctx->arena, (before + own->count + 1) * sizeof *all);
  for (size_t i = 0; i < before; i++)
    all[count++] = (vd_setting){.text = general->name[i], .folder = ctx->folder};
  for (size_t i = 0; i < own->count; i++)
    all[count++] = (vd_setting){.text = own->name[i], .folder = ctx->folder};
  *out = (vd_claim_run){.scenario = scenario, .set = all, .set_count = count, .files = ctx->d};
  if (!vd_is_given(scenario) || !vd_claim_file_exists(ctx, scenario, vd_claim_at(ctx, key)))
    return false;
  if (general)
    out->kind = kind_of(ctx, scenario);
  return true;
}

/* Reads the suspension of a claim. Only the claim's settings apply: the settings of the file are for scenarios. */
bool vd_claim_read_suspension(vd_claim_context *ctx, const char *key, const char *file, const vd_names *set,
                              vd_claim_run *out) {
  bool there = vd_claim_read_run(ctx, key, file, NULL, set, out);
  out->kind = VD_KIND_SUSPENSION;
  return there;
}

static void need_scenario(vd_claim_context *ctx) {
  if (!vd_is_given(ctx->out->run.scenario))
    vd_error(ctx->d, vd_claim_at(ctx, NULL), "a claim of kind %s needs a scenario, given by the claim or by the file",
             vd_claim_kind_names[ctx->def->kind]);
}

bool vd_claim_is_vehicle(const vd_claim_context *ctx) {
  return ctx->out->run.kind == VD_KIND_VEHICLE;
}

/* Checks that the run is of a vehicle (or, if or_rig, of a rig). Rigs and track cars have no ledger like a vehicle's,
 * and the mesh of a track car has no mirror image. False after an error. */
bool vd_claim_need_vehicle(vd_claim_context *ctx, bool or_rig) {
  if (vd_claim_is_vehicle(ctx) || (or_rig && ctx->out->run.kind == VD_KIND_TYRE_RIG))
    return true;
  vd_error(ctx->d, vd_claim_at(ctx, "kind"), "a claim of kind %s needs a vehicle%s, not a %s",
           vd_claim_kind_names[ctx->def->kind], or_rig ? " or a tyre rig" : "", vd_kinds[ctx->out->run.kind].name);
  return false;
}

/* --- all keys --- */

/* Reads the scenario of the claim or of the file, or the suspension. Claims about tables and about refused parts read
 * their inputs separately. */
static void read_subject(vd_claim_context *ctx) {
  const vd_claim_def *def = ctx->def;
  vd_claim_run *run = &ctx->out->run;
  const vd_claim_variant *variant = vd_claim_variant_of(def);
  bool part = variant->part && (vd_is_given(def->suspension) || !variant->needs_scenario);
  if (vd_is_given(def->suspension) && vd_is_given(def->scenario))
    vd_error(ctx->d, vd_claim_at(ctx, "suspension"), "a claim needs either a scenario or a suspension");
  if (part) {
    vd_claim_read_run(ctx, NULL, "", NULL, &def->set, run);
  } else if (vd_is_given(def->suspension)) {
    vd_claim_read_suspension(ctx, "suspension", def->suspension, &def->set, run);
  } else {
    bool own = vd_is_given(def->scenario);
    vd_claim_read_run(ctx, own ? "scenario" : NULL, own ? def->scenario : ctx->file->scenario, &ctx->file->set,
                      &def->set, run);
    if (variant->needs_scenario)
      need_scenario(ctx);
  }
}

/* Reads the frequency before the formulas, which may use it. */
static void read_frequency(vd_claim_context *ctx) {
  ctx->out->frequency = NAN;
  if (vd_is_given(ctx->def->frequency))
    ctx->out->frequency = vd_claim_number(ctx, ctx->def->frequency, "frequency", vd_claim_at(ctx, "frequency"), "Hz");
}

vd_claim *vd_claims_add(vd_claims *out) {
  if (out->count == out->capacity) {
    out->capacity = out->capacity ? 2 * out->capacity : 64;
    out->claim = vd_reallocate(out->claim, out->capacity, sizeof *out->claim);
  }
  vd_claim *c = &out->claim[out->count++];
  *c = (vd_claim){.number = 0};
  return c;
}

/* Reads the evidence of the claim or of the file. Only claims of kind baseline have the evidence `baseline`. */
static void read_evidence(vd_claim_context *ctx) {
  vd_claim *c = ctx->out;
  int own = ctx->def->kind == VD_CLAIM_BASELINE ? VD_EVIDENCE_BASELINE : ctx->def->evidence;
  c->evidence = own != VD_EVIDENCE_NOT_GIVEN ? own : ctx->file->evidence;
  if (c->evidence == VD_EVIDENCE_NOT_GIVEN) {
    vd_buf words = {0};
    for (int k = VD_EVIDENCE_NOT_GIVEN + 1; k < VD_EVIDENCE_BASELINE; k++)
      vd_buf_printf(&words, "%s%s", k > VD_EVIDENCE_NOT_GIVEN + 1 ? ", " : "", vd_evidence_names[k]);
    vd_error(ctx->d, c->place, "the claim has no 'evidence', given by the claim or by the file: one of %s", words.text);
    vd_buf_finish(&words);
  }
  if (c->evidence == VD_EVIDENCE_BASELINE && ctx->def->kind != VD_CLAIM_BASELINE)
    vd_error(ctx->d, own != VD_EVIDENCE_NOT_GIVEN ? vd_claim_at(ctx, "evidence") : c->place,
             "'evidence: baseline' is only for claims of kind baseline; this one is of kind %s",
             vd_claim_kind_names[ctx->def->kind]);
}

static void read_claim(vd_claim_context *ctx, const char *each, const char *path, int number, vd_claims *out) {
  const vd_claim_def *written = (const vd_claim_def *)ctx->file->claims.item + ctx->index;
  ctx->def = vd_arena_alloc(ctx->arena, sizeof *ctx->def);
  *ctx->def = *written;
  if (each)
    replace_all(ctx, &vd_claim_schema, (char *)ctx->def, each);
  vd_claim_def *def = ctx->def;
  vd_claim *c = ctx->out = vd_claims_add(out);
  ctx->all = out;
  c->name = vd_claim_format(ctx, "%s/%d", ctx->name, number);
  c->file = path;
  c->run.files = ctx->d;
  c->title = ctx->file->title;
  c->file_where = &ctx->file->where;
  c->place = vd_claim_at(ctx, NULL);
  c->number = number;
  c->statement = (int)ctx->index + 1;
  c->sentence = written->claim;
  c->each = each;
  c->def = def;
  c->source = vd_is_given(def->source) ? def->source : ctx->file->source;
  if (!vd_is_given(c->source))
    vd_error(ctx->d, c->place, "the claim has no source, given by the claim or by the file");
  read_evidence(ctx);
  read_subject(ctx);
  const vd_claim_variant *variant = vd_claim_variant_of(def);
  if (variant->read_other_run)
    variant->read_other_run(ctx);
  read_frequency(ctx);
  read_definitions(ctx);
  variant->read(ctx);
}

static bool uses_each(const vd_node *node) {
  bool found = node->kind == VD_NODE_SCALAR && strstr(node->text, "$each");
  for (const vd_node *child = node->child; child && !found; child = child->next)
    found = uses_each(child);
  return found;
}

/* Checks `each': every value makes a separate claim. */
static void check_each(vd_claim_context *ctx, const vd_names *each, const vd_node *claim) {
  for (size_t k = 0; k < each->count; k++)
    for (size_t i = 0; i < k; i++)
      if (strcmp(each->name[i], each->name[k]) == 0)
        vd_error(ctx->d, vd_claim_at_item(ctx, "each", k), "'%s' is listed twice in 'each'", each->name[k]);
  if (each->count > 0 && !uses_each(claim))
    vd_error(ctx->d, vd_claim_at(ctx, "each"), "no text of the claim contains '$each'");
}

static void read_claims(vd_claim_context *ctx, const vd_node *claim, const char *path, int *number, vd_claims *out) {
  const vd_names *each = &((const vd_claim_def *)ctx->file->claims.item + ctx->index)->each;
  if (!vd_claim_check_filled(claim, "claim", ctx->d))
    return;
  check_each(ctx, each, claim);
  for (size_t k = 0; k < (each->count > 0 ? each->count : 1); k++)
    read_claim(ctx, each->count > 0 ? each->name[k] : NULL, path, ++*number, out);
}

static bool read_file(int source, const char *stem, bool no_baselines, vd_arena *arena, vd_diag *d, vd_claims *out) {
  vd_validation_def *file = vd_arena_alloc(arena, sizeof *file);
  vd_node *root;
  size_t errors = vd_diag_errors(d);
  int number = 0;
  if (!vd_schema_read_source(&vd_validation_schema, source, NULL, 0, arena, d, file, &root))
    return false;
  const char *name = vd_diag_source_name(d, source), *path = vd_arena_copy(arena, name, strlen(name));
  vd_claim_context ctx = {.root = root,
                          .arena = arena,
                          .d = d,
                          .file = file,
                          .folder = vd_file_folder(arena, path),
                          .name = stem,
                          .no_baselines = no_baselines};
  if (file->claims.count == 0)
    vd_error(d, vd_tree_place(root, "claims"), "the file has no claims");
  for (const vd_node *key = root->child; key; key = key->next)
    if (strcmp(key->key, "claims") != 0)
      vd_claim_check_filled(key, key->key, d);
  size_t before = vd_diag_errors(d);
  read_numbers(&ctx);
  /* otherwise the claims would also report the numbers that are missing after an error */
  if (vd_diag_errors(d) > before)
    return false;
  const vd_node *claims = vd_tree_get(root, "claims");
  for (ctx.index = 0; ctx.index < file->claims.count; ctx.index++) {
    const vd_node *item = vd_tree_item(claims, ctx.index);
    read_claims(&ctx, item ? item : claims, path, &number, out);
  }
  return vd_diag_errors(d) == errors;
}

bool vd_claims_read_source(int source, bool no_baselines, vd_arena *arena, vd_diag *d, vd_claims *out) {
  return read_file(source, vd_diag_source_name(d, source), no_baselines, arena, d, out);
}

bool vd_claims_read(const char *path, const char *name, bool no_baselines, vd_arena *arena, vd_diag *d,
                    vd_claims *out) {
  int source;
  return vd_schema_slurp(path, d, &source) && read_file(source, name, no_baselines, arena, d, out);
}
