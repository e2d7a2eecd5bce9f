/* Reads points from a TYDEX file: finds channels and constants by their standard names, and transforms forces and
 * moments to the contact frame.
 *
 * Names and signs follow files of test benches and of programs that convert such files: FXH, FYH, FZH, MZH, LONGSLIP in
 * percent, SLIPANGL and INCLANGL in degrees and TRAJVELW in m/s are in the public curves of KIT's inner drum (DOI
 * 10.35097/p0rr2jc5wmf0drf8). There a slip angle > 0 has Fy < 0 and Mz > 0, as here. Converters of other makers write
 * the constants LONGVEL and TRAJVELH and the channels DSTGRWHC, FYW, FZC and TYREDEFW. TRAJVEL. is the speed along the
 * path of the wheel, LONGVEL the speed along its heading. For an upright wheel converters write the loaded radius into
 * DSTGRWHC. For a leaning wheel it is read as the distance from the ground, in agreement with its name.
 *
 * Two signs follow from the axes alone, since no public file shows them. INCLANGL > 0 is the rotation about x from H to
 * C, top to the right, as in MFeval and other programs that use "TYDEX W". MY > 0 is about +y, so that rolling
 * resistance is < 0. */
#include "tyre/points_def.h"

#include "base/base.h"
#include "base/elementary.h"
#include "input/tydex.h"
#include "tyre/tydex_axes.h"

#include <math.h>
#include <string.h>

/* A quantity over the rows: a channel, or a constant. */
typedef struct series {
  bool given;
  int channel;         /* index of the channel, or -1 */
  const double *value; /* SI, [rows]; NULL: the constant */
  double constant;     /* SI; NAN: not given */
} series;

typedef struct reader {
  vd_tydex file;
  const vd_tyre_points_def *def;
  const vd_node *root;
  const char *path;
  const vd_measured_quantity *want;
  vd_arena *arena;
  vd_diag *d;
  int source;
  series of[VD_POINT_QUANTITIES];
  bool bad;
} reader;

static double at(const series *s, size_t row) {
  return s->value ? s->value[row] : s->constant;
}

static double *column(reader *r) {
  return vd_arena_alloc(r->arena, (r->file.rows + 1) * sizeof(double));
}

static series given(const double *value, int channel) {
  return (series){.given = true, .channel = channel, .value = value, .constant = NAN};
}

/* Returns the first of the keys that is a channel or a constant, in SI. */
static series look_up(reader *r, const char *const *keys, const char *si) {
  series s = {.channel = -1, .constant = NAN};
  for (size_t i = 0; keys[i] && !s.given; i++) {
    int channel = vd_tydex_find(&r->file, keys[i]);
    const vd_tydex_entry *constant = channel < 0 ? vd_tydex_constant(&r->file, keys[i]) : NULL;
    if (channel < 0 && (!constant || isnan(constant->value)))
      continue;
    const vd_tydex_channel *c = channel >= 0 ? &r->file.channel[channel] : NULL;
    vd_unit unit;
    if (!vd_measured_factor(keys[i], si, (vd_unit_words){.text = ""},
                            (vd_unit_words){c ? c->unit : constant->unit, c ? c->at : constant->at}, r->d, &unit)) {
      r->bad = true;
      continue;
    }
    s = (series){.given = true, .channel = channel, .constant = c ? NAN : vd_unit_to_si(unit, constant->value)};
    double *value = c ? column(r) : NULL;
    for (size_t row = 0; c && row < r->file.rows; row++)
      value[row] = vd_unit_to_si(unit, r->file.value[channel][row]);
    s.value = value;
  }
  return s;
}

/* Takes the channel that the scenario names for a quantity. */
static void take_given(reader *r, enum vd_point_quantity q) {
  const vd_measured_quantity *w = &r->want[q];
  vd_buf path = {0};
  vd_buf_printf(&path, "%s.%s", r->path, w->key);
  vd_place at_column = vd_tree_place_in(r->root, path.text, "column"),
           at_unit = vd_tree_place_in(r->root, path.text, "unit");
  vd_buf_finish(&path);
  int channel = vd_tydex_find(&r->file, w->column_def->column);
  if (channel < 0) {
    vd_error(r->d, at_column, "no channel '%s' in '%s'", w->column_def->column, vd_diag_source_name(r->d, r->source));
    r->bad = true;
    return;
  }
  const vd_tydex_channel *c = &r->file.channel[channel];
  double scale = isnan(w->column_def->scale) ? 1.0 : w->column_def->scale,
         offset = isnan(w->column_def->offset) ? 0.0 : w->column_def->offset;
  double *value = column(r);
  vd_unit unit;
  if (!vd_measured_factor(c->key, w->unit, (vd_unit_words){w->column_def->unit, at_unit},
                          (vd_unit_words){c->unit, c->at}, r->d, &unit)) {
    r->bad = true;
    return;
  }
  for (size_t row = 0; row < r->file.rows; row++)
    value[row] = vd_unit_to_si(unit, scale * r->file.value[channel][row] + offset);
  r->of[q] = given(value, channel);
}

static bool is_given(const reader *r, enum vd_point_quantity q) {
  return *r->want[q].column_def->column != '\0';
}

/* Takes the quantities that do not depend on an axis system. */
static void take_conditions(reader *r) {
  static const struct {
    enum vd_point_quantity quantity;
    const char *keys[2];
  } plain[] = {{VD_POINT_TIME, {"RUNTIME"}},   {VD_POINT_PRESSURE, {"INFLPRES"}}, {VD_POINT_CAMBER, {"INCLANGL"}},
               {VD_POINT_KAPPA, {"LONGSLIP"}}, {VD_POINT_ALPHA, {"SLIPANGL"}},    {VD_POINT_SPEED, {"LONGVEL"}}};
  for (size_t i = 0; i < VD_COUNT(plain); i++)
    if (!is_given(r, plain[i].quantity))
      r->of[plain[i].quantity] = look_up(r, plain[i].keys, r->want[plain[i].quantity].unit);
  if (!r->of[VD_POINT_SPEED].given) { /* from the speed along the path and the slip angle */
    static const char *const path_speed[] = {"TRAJVELW", "TRAJVELH", NULL};
    series path = look_up(r, path_speed, "m/s"), angle = r->of[VD_POINT_ALPHA];
    double *value = path.given && angle.given ? column(r) : NULL;
    for (size_t row = 0; value && row < r->file.rows; row++)
      value[row] = at(&path, row) * vd_cos(at(&angle, row));
    if (value)
      r->of[VD_POINT_SPEED] = given(value, path.channel);
  }
}

/* The components of forces or moments in one axis system. */
typedef struct components {
  enum vd_tydex_axes axes;
  series of[3];
} components;

/* Returns the components in the first of the systems W, H and C that has the component `needed`, or any component if
 * needed < 0. Forces are equal in H and W. */
static components take_components(reader *r, char letter, int needed, const char *si) {
  static const char system[] = {'W', 'H', 'C'};
  components c = {.axes = VD_TYDEX_W};
  for (size_t a = 0; a < VD_COUNT(system); a++) {
    bool found = false;
    for (int i = 0; i < 3; i++) {
      char key[4] = {letter, (char)('X' + i), system[a], '\0'}, common[3] = {letter, 'X', '\0'};
      char other[4] = {letter, 'Y', a == 0 ? 'H' : 'W', '\0'};
      const char *const keys[] = {key, letter != 'F' ? NULL : i == 0 ? common : i == 1 && a < 2 ? other : NULL, NULL};
      c.of[i] = look_up(r, keys, si);
      found |= c.of[i].given && (needed < 0 || needed == i);
    }
    c.axes = (enum vd_tydex_axes)a;
    if (found)
      return c;
  }
  return c;
}

static double radius_at(const series *height, double camber, size_t row) {
  return height->given ? at(height, row) / vd_cos(camber) : NAN;
}

/* Transforms forces and moments to the contact frame. DSTGRWHC is the height of the wheel centre above the road. */
static void take_wrenches(reader *r, components *force, components *moment) {
  static const enum vd_point_quantity to[] = {VD_POINT_FX, VD_POINT_FY, VD_POINT_LOAD,
                                              VD_POINT_MX, VD_POINT_MY, VD_POINT_MZ};
  static const char *const height_keys[] = {"DSTGRWHC", NULL};
  *force = take_components(r, 'F', 2, "N");
  *moment = take_components(r, 'M', -1, "N m");
  series height = look_up(r, height_keys, "m");
  const series *camber = &r->of[VD_POINT_CAMBER];
  double *value[6], *radius = column(r);
  for (int i = 0; i < 6; i++)
    value[i] = column(r);
  for (size_t row = 0; row < r->file.rows; row++) {
    vd_wrench f = {.moment = {0.0}}, m;
    double angle = camber->given ? at(camber, row) : 0.0;
    radius[row] = radius_at(&height, angle, row);
    for (int i = 0; i < 3; i++)
      f.force[i] = at(&force->of[i], row);
    f = vd_tydex_in_axes(f, force->axes, VD_TYDEX_H, angle, 0.0);
    m = vd_tydex_in_axes(f, VD_TYDEX_H, moment->axes == VD_TYDEX_C ? VD_TYDEX_C : VD_TYDEX_H, angle, 0.0);
    for (int i = 0; i < 3; i++)
      m.moment[i] = at(&moment->of[i], row);
    m = vd_tydex_in_axes(m, moment->axes, VD_TYDEX_W, angle, radius[row]);
    for (int i = 0; i < 3; i++) {
      value[i][row] = f.force[i];
      value[3 + i][row] = m.moment[i];
    }
  }
  for (int i = 0; i < 6; i++) {
    const components *from = i < 3 ? force : moment;
    if (!is_given(r, to[i]))
      r->of[to[i]] = given(value[i], from->of[i % 3].channel);
  }
  if (!is_given(r, VD_POINT_LOADED_RADIUS) && height.given)
    r->of[VD_POINT_LOADED_RADIUS] = given(radius, height.channel);
  bool any = moment->of[0].given || moment->of[1].given || moment->of[2].given;
  if (any && moment->axes != VD_TYDEX_W && !height.given)
    vd_warning(
        r->d, (vd_place){.source = r->source},
        "moments about the wheel centre are not converted to the contact point where this needs the height of the "
        "wheel centre, DSTGRWHC, which the file does not have");
}

/* Returns whether a quantity has any value; otherwise it counts as absent. */
static bool has_values(const reader *r, const series *s) {
  bool any = s->given && !s->value && !isnan(s->constant);
  for (size_t row = 0; s->given && s->value && row < r->file.rows && !any; row++)
    any = !isnan(s->value[row]);
  return any;
}

static bool is_whole(reader *r, size_t row) {
  for (int q = 0; q < VD_POINT_QUANTITIES; q++)
    if (r->of[q].given && fabs(at(&r->of[q], row)) > VD_MEASURED_MAX) {
      vd_error(r->d, vd_diag_place(r->d, r->source, r->file.offset[row], 1),
               "'%s' of the row is above %g in SI, which is not a measured value", vd_point_keys[q], VD_MEASURED_MAX);
      r->bad = true;
      return false;
    }
  for (int q = 0; q < VD_POINT_QUANTITIES; q++)
    if (r->of[q].given && isnan(at(&r->of[q], row))) {
      if (r->def->table.missing == VD_MISSING_ERROR) {
        vd_error(r->d, vd_diag_place(r->d, r->source, r->file.offset[row], 1),
                 "the row does not give '%s'; 'missing: omit' omits such rows", vd_point_keys[q]);
        r->bad = true;
      }
      return false;
    }
  return true;
}

/* Copies the rows that have every quantity. */
static bool take_rows(reader *r, vd_measured *out) {
  double **value = vd_arena_alloc(r->arena, VD_POINT_QUANTITIES * sizeof *value);
  size_t *offset = vd_arena_alloc(r->arena, (r->file.rows + 1) * sizeof *offset), rows = 0;
  int *field = vd_arena_alloc(r->arena, VD_POINT_QUANTITIES * sizeof *field);
  for (int q = 0; q < VD_POINT_QUANTITIES; q++) {
    r->of[q].given = has_values(r, &r->of[q]);
    value[q] = r->of[q].given ? column(r) : NULL;
    field[q] = r->of[q].channel;
  }
  for (size_t row = 0; row < r->file.rows && !r->bad; row++) {
    if (!is_whole(r, row))
      continue;
    for (int q = 0; q < VD_POINT_QUANTITIES; q++)
      if (value[q])
        value[q][rows] = at(&r->of[q], row);
    offset[rows++] = r->file.offset[row];
  }
  if (!r->bad && rows == 0) {
    vd_error(r->d, (vd_place){.source = r->source}, "no row gives all its quantities");
    r->bad = true;
  }
  *out = (vd_measured){.rows = rows,
                       .count = VD_POINT_QUANTITIES,
                       .value = value,
                       .source = r->source,
                       .offset = offset,
                       .field = field,
                       .separator = ' '};
  return !r->bad;
}

/* Returns whether INCLANGL is not 0 in some row. */
static bool leans(const reader *r) {
  const series *camber = &r->of[VD_POINT_CAMBER];
  bool some = false;
  for (size_t row = 0; camber->given && !is_given(r, VD_POINT_CAMBER) && row < r->file.rows && !some; row++)
    some = fabs(at(camber, row)) > 0.0;
  return some;
}

static void note_format(const reader *r, size_t rows, const components *force, const components *moment) {
  static const char *const system[] = {"W", "H", "C"};
  vd_buf text = {0};
  vd_buf_printf(&text, "%zu rows of TYDEX, forces in %s axes", rows, system[force->axes]);
  if (r->of[VD_POINT_MX].given || r->of[VD_POINT_MY].given || r->of[VD_POINT_MZ].given)
    vd_buf_printf(&text, ", moments in %s axes", system[moment->axes]);
  if (leans(r))
    vd_buf_puts(&text, ", INCLANGL > 0 taken for a top to the right");
  if (rows < r->file.rows)
    vd_buf_printf(&text, ", %zu rows without a value omitted", r->file.rows - rows);
  if (r->file.model_coefficients.count > 0)
    vd_buf_printf(&text, ", %zu coefficients of a model not used", r->file.model_coefficients.count);
  vd_note(r->d, (vd_place){.source = r->source}, "%s", text.text);
  vd_buf_finish(&text);
}

bool vd_points_read_tydex(const vd_tyre_points_def *def, int source, const vd_node *root, const char *path,
                          const vd_measured_quantity *want, vd_arena *arena, vd_diag *d, vd_measured *out) {
  reader *r = vd_arena_alloc(arena, sizeof *r);
  components force, moment;
  *r = (reader){.def = def, .root = root, .path = path, .want = want, .arena = arena, .d = d, .source = source};
  for (int q = 0; q < VD_POINT_QUANTITIES; q++)
    r->of[q] = (series){.channel = -1, .constant = NAN};
  if (!vd_tydex_read(source, arena, d, &r->file))
    return false;
  for (int q = 0; q < VD_POINT_QUANTITIES; q++)
    if (is_given(r, (enum vd_point_quantity)q))
      take_given(r, (enum vd_point_quantity)q);
  take_conditions(r);
  take_wrenches(r, &force, &moment);
  if (r->bad || !take_rows(r, out))
    return false;
  note_format(r, out->rows, &force, &moment);
  return true;
}
