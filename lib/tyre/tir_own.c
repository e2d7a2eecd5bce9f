#include "tyre/tir_own_def.h"

#include "base/memory.h"
#include "base/num.h"
#include "input/schema.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Context of the reader in addition to vd_tir_kind. */
typedef struct job {
  const vd_tir_own *own;
  const vd_tyre_origin *from;
  vd_tir_tyre *tyre;
} job;

/* Returns whether the mapping of the tyre file gives this key. */
static bool gives(const vd_tyre_origin *from, const char *key) {
  const vd_node *tyre = *from->path ? vd_tree_find(from->root, from->path) : from->root, *node = vd_tree_get(tyre, key);
  return node && !(node->kind == VD_NODE_SCALAR && !node->quoted && strcmp(node->text, "auto") == 0);
}

static const vd_field *row_of(const job *j, const char *key) {
  vd_schema_walk walk = {.schema = {&vd_tyre_schema}};
  const vd_field *row;
  while ((row = vd_schema_next(&walk)))
    if (strcmp(row->key, key) == 0 && vd_schema_applies(row, j->tyre->def.model))
      break;
  return row;
}

static void *member(void *object, size_t offset) {
  return (char *)object + offset;
}

/* ---- Checks ---------------------------------------------------------------------------------- */

static bool check_format(vd_tir_reader *r, const vd_tir_own *own) {
  if (r->format.length == 0)
    vd_tir_assume(r, (vd_place){.source = r->source}, "PROPERTY_FILE_FORMAT = '%s' (not given)", own->format);
  else if (!vd_tir_named(r, r->format, own->format))
    vd_error(r->d, vd_tir_place(r, r->format), "the file is for another tyre model, '%s'; this one reads %s",
             vd_tir_excerpt_of(r, r->format).text, own->format);
  return r->format.length == 0 || vd_tir_named(r, r->format, own->format);
}

/* Returns whether a key is missing. A key that the tyre file gives need not be in the property file, and a load curve
 * replaces a stiffness. */
static bool lacks(const vd_tir_reader *r, const vd_tir_key *key) {
  const job *j = r->context;
  bool stiffness = strcmp(key->same, "vertical_stiffness") == 0;
  return (key->need == VD_TIR_MUST || (stiffness && r->curve->count == 0)) && !gives(j->from, key->same);
}

/* Checks that a value is in the range of the corresponding key of a tyre file. */
static void check_range(const vd_tir_reader *r, const vd_field *row, size_t i) {
  const job *j = r->context;
  double value =
      row->kind == VD_NUMBER ? *(double *)member(&j->tyre->def, row->offset) : vd_tir_value(j->tyre, &r->key[i]);
  bool low = row->flags & VD_ABOVE ? value > row->lo : value >= row->lo;
  if (!(low && value <= row->hi) && !r->bad[i])
    vd_error(r->d, vd_tir_place(r, r->given[i]), "%s must be %s %g and at most %g%s%s", r->key[i].key,
             row->flags & VD_ABOVE ? "above" : "at least", row->lo, row->hi, strcmp(row->unit, "1") == 0 ? "" : " ",
             strcmp(row->unit, "1") == 0 ? "" : row->unit);
}

static double stiffness_of(const vd_tir_tyre *tyre) {
  vd_curve curve;
  if (tyre->load_curve.count == 0)
    return tyre->def.common.vertical_stiffness;
  vd_load_curve_build(vd_mf_points_list(&tyre->load_curve), &curve);
  return vd_curve_steepest(&curve);
}

static void complete(vd_tir_reader *r) {
  const job *j = r->context;
  vd_tir_tyre *tyre = j->tyre;
  size_t before = vd_diag_errors(r->d);
  if (!check_format(r, j->own))
    return;
  vd_tir_check_curve(r);
  vd_tir_check_keys(r, lacks);
  const vd_tir_basis basis = {tyre->def.property.unloaded_radius, NAN, stiffness_of(tyre)};
  if (vd_diag_errors(r->d) == before && r->errors == 0)
    vd_tir_judge(r, &basis);
  if (vd_diag_errors(r->d) > before || r->errors > 0)
    return;
  j->own->take(r, tyre, j->from->arena);
  for (size_t i = 0; i < r->keys; i++)
    if (r->given[i].length > 0)
      check_range(r, row_of(j, r->key[i].same), i);
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* Copies a load curve into the list of points of a tyre definition. */
static vd_points points_of(const vd_mf_points *curve, vd_arena *arena) {
  double *xy = vd_arena_alloc(arena, 2 * curve->count * sizeof *xy);
  memcpy(xy, curve->xy, 2 * curve->count * sizeof *xy);
  return (vd_points){xy, curve->count};
}

/* Fills the keys that the tyre file does not give from the property file. */
static void fill_from_file(const vd_tir_reader *r, vd_tyre_def *def) {
  const job *j = r->context;
  for (size_t i = 0; i < r->keys; i++) {
    const vd_tir_key *key = &r->key[i];
    const vd_field *row = row_of(j, key->same);
    size_t size = row->kind == VD_NUMBER ? sizeof(double) : sizeof(vd_numbers);
    if (r->given[i].length > 0 && !gives(j->from, key->same))
      memcpy(member(def, row->offset), member(&j->tyre->def, row->offset), size);
  }
  if (r->curve->count > 0 && !gives(j->from, "load_curve"))
    def->common.load_curve = points_of(r->curve, j->from->arena);
  if (row_of(j, "side") && !gives(j->from, "side"))
    def->side = 1 + j->tyre->side;
}

static const char *name(const vd_tir_reader *r) {
  const job *j = r->context;
  return j->own->format;
}

static vd_tir_reader *reader_of(const job *j, const vd_tir_kind *kind, vd_tir_tyre *tyre) {
  vd_tir_reader *r = vd_allocate(1, sizeof *r);
  *r = (vd_tir_reader){.d = j->from->d,
                       .kind = kind,
                       .figures = tyre,
                       .curve = &tyre->load_curve,
                       .measured_side = &tyre->side,
                       .context = j,
                       .key = j->own->key,
                       .keys = j->own->keys,
                       .side_known = gives(j->from, "side")};
  return r;
}

static bool read_source(const job *j, int source, bool aloud, vd_tyre_def *def) {
  const vd_tir_kind kind = {.silent = j->own->silent, .complete = complete, .name = name};
  vd_tir_tyre other = *j->tyre;
  vd_tir_reader *r = reader_of(j, &kind, j->tyre), *again = reader_of(j, &kind, &other);
  vd_diag *dropped = aloud ? NULL : vd_diag_create();
  if (!aloud) {
    const char *text;
    size_t length = vd_diag_source_text(j->from->d, source, &text);
    r->d = again->d = dropped;
    source = vd_diag_add_source(dropped, "", text, length);
  }
  bool good = vd_tir_read_kind(r, source);
  if (good)
    fill_from_file(r, def);
  vd_buf kept = {0};
  vd_tir_keep_kind(again, source, &kept);
  def->property.kept = vd_arena_copy(j->from->arena, kept.text ? kept.text : "", kept.length);
  vd_buf_finish(&kept);
  free(again);
  free(r);
  if (dropped)
    vd_diag_destroy(dropped);
  return good;
}

void vd_tir_own_complete(const vd_tir_own *own, vd_tyre_def *def, const vd_tyre_def *like, const vd_tyre_origin *from) {
  vd_tyre_property *property = &def->property;
  if (!property->file || !*property->file)
    return;
  bool aloud = !(like && like->property.origin && strcmp(like->property.origin, property->file) == 0);
  vd_tir_tyre *tyre = vd_allocate(1, sizeof *tyre);
  *tyre = (vd_tir_tyre){.def = *def};
  const job j = {own, from, tyre};
  int source = vd_tir_open(property->file, vd_tree_place_in(from->root, from->path, "file"), from->d);
  def->unread = source < 0 || !read_source(&j, source, aloud, def);
  property->origin = property->file;
  property->file = "";
  free(tyre);
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* Lists, in comments, the parameters for which a property file has no key. */
static void write_left_out(const vd_tyre_def *def, vd_buf *out) {
  const vd_tyre_common *c = &def->common;
  if (c->camber_stiffness > 0.0)
    vd_buf_printf(out, "$ Not in this format: camber_stiffness = %g /rad\n", c->camber_stiffness);
  if (c->patch_width > 0.0)
    vd_buf_printf(out, "$ Not in this format: patch_width = %g m\n", c->patch_width);
  if (c->rolling_speed > 0.0)
    vd_buf_printf(out, "$ Not in this format: rolling_speed = %g m/s\n", c->rolling_speed);
}

/* Writes all keys of a section if the key `first` is the section's first one. */
static void write_section(const vd_tir_key *key, size_t first, size_t count, const vd_tir_tyre *tyre, vd_buf *out) {
  for (size_t i = 0; i < first; i++)
    if (strcmp(key[i].section, key[first].section) == 0)
      return;
  vd_buf_printf(out, "[%s]\n", key[first].section);
  for (size_t i = first; i < count; i++) {
    char number[VD_NUM_MAX];
    double value = vd_tir_value(tyre, &key[i]);
    if (!isfinite(value) || strcmp(key[i].section, key[first].section) != 0)
      continue;
    vd_num_print_shortest(value, number);
    vd_buf_printf(out, "%s = %s\n", key[i].key, number);
  }
}

bool vd_tir_own_write(const vd_tir_own *own, const vd_tyre_def *def, vd_buf *out) {
  if (!(def->property.unloaded_radius > 0.0))
    return false;
  vd_tir_tyre *tyre = vd_allocate(1, sizeof *tyre);
  *tyre = (vd_tir_tyre){.def = *def};
  own->give(tyre);
  vd_tir_write_head(def->property.origin ? def->property.origin : "a tyre file", out);
  write_left_out(def, out);
  vd_tir_write_units(out);
  vd_buf_printf(out, "[MODEL]\nPROPERTY_FILE_FORMAT = '%s'\n", own->format);
  if (def->side > 0)
    vd_buf_printf(out, "TYRESIDE = '%s'\n", vd_tir_side_names[def->side - 1]);
  for (size_t i = 0; i < own->keys; i++)
    write_section(own->key, i, own->keys, tyre, out);
  vd_tir_write_curve(def->common.load_curve, out);
  vd_tir_write_kept(def->property.kept ? def->property.kept : "", out);
  free(tyre);
  return true;
}
