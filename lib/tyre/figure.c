#include "tyre/figure_def.h"

#include "base/base.h"
#include "base/system.h"
#include "input/schema.h"
#include "tyre/tir.h"
#include "tyre/tyre_impl.h"

#include <math.h>
#include <string.h>

#define LATERAL VD_TYRE_LATERAL
#define ALIGN   VD_TYRE_ALIGNING
#define LONG    VD_TYRE_LONGITUDINAL
#define COMB    VD_TYRE_COMBINED
#define TORQUE  VD_TYRE_COMBINED_ALIGNING
#define OVER    VD_TYRE_OVERTURNING
#define ROLL    VD_TYRE_ROLLING

#define NAMED(a, b) a "." b

/* clang-format off */
/* Figures of every model but mf. */
#define BODY \
  {"patch_width", OVER, 0, 1, 0.02, 0.15, 0, 0}, \
  {"lateral_stiffness", OVER, 1e4, 1e7, 3e4, 1.5e5, 0, 0}, \
  {"rolling_resistance", ROLL, 0, 0.2, 0.002, 0.012, 0, 0}
/* Figures of models whose curves do not depend on camber. */
#define CAMBER {"camber_stiffness", LATERAL, 0, 10, 0.2, 0.5, 0, 0}

static const vd_figure_row linear[] = {
  {"cornering_stiffness", LATERAL, 1e2, 1e7, 1e4, 8e4, 0, 0},
  CAMBER,
  {"pneumatic_trail", ALIGN, 0, 0.5, 0.01, 0.03, 0, 0},
  {"longitudinal_stiffness", LONG, 1e2, 1e7, 1e4, 1e5, 0, 0},
  BODY,
};

/* D contains the friction. C above 1 and E below 1 give a curve with a peak and without another extreme before it. */
#define MAGIC(stage, of) \
  {NAMED(of, "d"), stage, 0.1, 4, 0.1, 1, 0, 0}, \
  {NAMED(of, "b"), stage, 0.5, 90, 3, 10, 0, 0}, \
  {NAMED(of, "c"), stage, 1.02, 1.98, 0.1, 1.4, 0, 0}, \
  {NAMED(of, "e"), stage, -10, 0.995, 0.3, -0.5, 0, 0}, \
  {"load_sensitivity", stage, 0, 0.9, 0.05, 0.1, 0, 0}

static const vd_figure_row mf96[] = {
  MAGIC(LATERAL, "lateral"),
  CAMBER,
  {"pneumatic_trail", ALIGN, 0, 0.5, 0.01, 0.03, 0, 0},
  {"trail_falloff", ALIGN, 0.005, 5, 0.05, 0.2, 0, 0},
  MAGIC(LONG, "longitudinal"),
  BODY,
};

/* With df0 s_max/f_max above 1 the curve has no inflection up to its peak; f_slide is below f_max. */
#define SHAPE(stage, of) \
  {NAMED(of, "df0"), stage, 1.02, 60, 0.5, 3, NAMED(of, "f_max"), NAMED(of, "s_max")}, \
  {NAMED(of, "f_slide"), stage, 0.2, 1, 0.1, 0.9, NAMED(of, "f_max"), 0}, \
  {NAMED(of, "s_slide"), stage, 1.1, 20, 1, 3, NAMED(of, "s_max"), 0}

#define CURVES(stage, of) \
  {of ".nominal.f_max", stage, 50, 1e5, 1e3, 3e3, 0, 0}, \
  {of ".nominal.s_max", stage, 0.01, 1, 0.05, 0.15, 0, 0}, \
  SHAPE(stage, of ".nominal"), \
  {of ".double.f_max", stage, 0.9, 3.9, 0.3, 1.8, of ".nominal.f_max", 0}, \
  {of ".double.s_max", stage, 0.5, 1.95, 0.2, 1.1, of ".nominal.s_max", 0}, \
  SHAPE(stage, of ".double")

static const vd_figure_row tmeasy[] = {
  CURVES(LATERAL, "curve_lateral"),
  CAMBER,
  {"pneumatic_trail", ALIGN, 0, 0.5, 0.01, 0.03, 0, 0},
  {"trail_zero", ALIGN, 0.02, 2, 0.05, 0.2, 0, 0},
  {"trail_end", ALIGN, 1.05, 20, 1, 2.5, "trail_zero", 0},
  CURVES(LONG, "curve_longitudinal"),
  BODY,
};

/* Coefficients by the names of property files. A fit leaves out coefficients that have no effect in a version, or that
 * the measured rows do not determine in addition to earlier ones (PDY2 at one load). PKY4 (usually 2), QSX4 to QSX14
 * and QSY3 to QSY8 are in no group; they are fitted only if named. */
#define PRESSURE(name, stage) {name, stage, -5, 5, 0.1, 0, 0, 0}

static const vd_figure_row mf[] = {
  {"PDY1", LATERAL, 0.1, 4, 0.1, 1, 0, 0},
  {"PKY1", LATERAL, -150, -1, 3, -15, 0, 0},
  {"PCY1", LATERAL, 1.02, 1.98, 0.1, 1.3, 0, 0},
  {"PEY1", LATERAL, -20, 0.99, 0.3, -0.5, 0, 0},
  {"PKY2", LATERAL, 0.2, 20, 0.3, 1.7, 0, 0},
  {"PDY2", LATERAL, -1, 1, 0.05, 0, 0, 0},
  {"PEY2", LATERAL, -20, 20, 0.3, 0, 0, 0},
  {"PHY1", LATERAL, -0.1, 0.1, 0.002, 0, 0, 0},
  {"PVY1", LATERAL, -0.3, 0.3, 0.01, 0, 0, 0},
  {"PHY2", LATERAL, -0.1, 0.1, 0.002, 0, 0, 0},
  {"PVY2", LATERAL, -0.3, 0.3, 0.01, 0, 0, 0},
  {"PEY3", LATERAL, -5, 5, 0.1, 0, 0, 0},
  {"PKY6", LATERAL, -10, 10, 0.3, 0, 0, 0},
  {"PKY7", LATERAL, -10, 10, 0.3, 0, 0, 0},
  {"PHY3", LATERAL, -1, 1, 0.02, 0, 0, 0},
  {"PVY3", LATERAL, -5, 5, 0.1, 0, 0, 0},
  {"PVY4", LATERAL, -5, 5, 0.1, 0, 0, 0},
  {"PDY3", LATERAL, -30, 30, 1, 0, 0, 0},
  {"PKY3", LATERAL, -30, 30, 0.3, 0, 0, 0},
  {"PEY4", LATERAL, -50, 50, 1, 0, 0, 0},
  {"PKY5", LATERAL, -500, 500, 10, 0, 0, 0},
  {"PEY5", LATERAL, -500, 500, 10, 0, 0, 0},
  PRESSURE("PPY1", LATERAL), PRESSURE("PPY2", LATERAL), PRESSURE("PPY3", LATERAL), PRESSURE("PPY4", LATERAL),
  PRESSURE("PPY5", LATERAL),

  {"QDZ1", ALIGN, 0, 0.6, 0.01, 0.1, 0, 0},
  {"QBZ1", ALIGN, 0.5, 60, 1, 10, 0, 0},
  {"QCZ1", ALIGN, 0.5, 1.98, 0.1, 1.1, 0, 0},
  {"QEZ1", ALIGN, -30, 0.99, 0.3, -1, 0, 0},
  {"QDZ2", ALIGN, -0.3, 0.3, 0.01, 0, 0, 0},
  {"QBZ2", ALIGN, -30, 30, 1, 0, 0, 0},
  {"QEZ2", ALIGN, -30, 30, 0.3, 0, 0, 0},
  {"QBZ3", ALIGN, -30, 30, 1, 0, 0, 0},
  {"QEZ3", ALIGN, -30, 30, 0.3, 0, 0, 0},
  {"QHZ1", ALIGN, -0.1, 0.1, 0.002, 0, 0, 0},
  {"QHZ2", ALIGN, -0.1, 0.1, 0.002, 0, 0, 0},
  {"QDZ6", ALIGN, -0.1, 0.1, 0.001, 0, 0, 0},
  {"QDZ7", ALIGN, -0.1, 0.1, 0.001, 0, 0, 0},
  {"QBZ10", ALIGN, 0, 20, 0.1, 0.5, 0, 0},
  {"QBZ9", ALIGN, -100, 100, 3, 0, 0, 0},
  {"QEZ4", ALIGN, -5, 5, 0.1, 0, 0, 0},
  {"QDZ3", ALIGN, -10, 10, 0.1, 0, 0, 0},
  {"QDZ4", ALIGN, -50, 50, 1, 0, 0, 0},
  {"QDZ8", ALIGN, -2, 2, 0.02, 0, 0, 0},
  {"QDZ9", ALIGN, -2, 2, 0.02, 0, 0, 0},
  {"QDZ10", ALIGN, -10, 10, 0.1, 0, 0, 0},
  {"QDZ11", ALIGN, -10, 10, 0.1, 0, 0, 0},
  {"QBZ4", ALIGN, -10, 10, 0.1, 0, 0, 0},
  {"QBZ5", ALIGN, -10, 10, 0.1, 0, 0, 0},
  {"QEZ5", ALIGN, -20, 20, 0.3, 0, 0, 0},
  {"QHZ3", ALIGN, -2, 2, 0.02, 0, 0, 0},
  {"QHZ4", ALIGN, -2, 2, 0.02, 0, 0, 0},
  PRESSURE("PPZ1", ALIGN), PRESSURE("PPZ2", ALIGN),

  {"PDX1", LONG, 0.1, 4, 0.1, 1, 0, 0},
  {"PKX1", LONG, 1, 200, 3, 20, 0, 0},
  {"PCX1", LONG, 1.02, 1.98, 0.1, 1.6, 0, 0},
  {"PEX1", LONG, -20, 0.99, 0.3, -0.2, 0, 0},
  {"PDX2", LONG, -1, 1, 0.05, 0, 0, 0},
  {"PKX2", LONG, -100, 100, 3, 0, 0, 0},
  {"PEX2", LONG, -20, 20, 0.3, 0, 0, 0},
  {"PKX3", LONG, -5, 5, 0.1, 0, 0, 0},
  {"PEX3", LONG, -20, 20, 0.3, 0, 0, 0},
  {"PHX1", LONG, -0.1, 0.1, 0.001, 0, 0, 0},
  {"PVX1", LONG, -0.3, 0.3, 0.01, 0, 0, 0},
  {"PHX2", LONG, -0.1, 0.1, 0.001, 0, 0, 0},
  {"PVX2", LONG, -0.3, 0.3, 0.01, 0, 0, 0},
  {"PEX4", LONG, -0.9, 0.9, 0.1, 0, 0, 0},
  {"PDX3", LONG, -50, 50, 1, 0, 0, 0},
  PRESSURE("PPX1", LONG), PRESSURE("PPX2", LONG), PRESSURE("PPX3", LONG), PRESSURE("PPX4", LONG),

  {"RBX1", COMB, 0.5, 80, 3, 10, 0, 0},
  {"RCX1", COMB, 0.3, 1.98, 0.1, 1, 0, 0},
  {"RBX2", COMB, -80, 80, 3, 8, 0, 0},
  {"REX1", COMB, -20, 0.99, 0.3, 0, 0, 0},
  {"RHX1", COMB, -0.2, 0.2, 0.002, 0, 0, 0},
  {"REX2", COMB, -20, 20, 0.3, 0, 0, 0},
  {"RBX3", COMB, -200, 200, 3, 0, 0, 0},
  {"RBY1", COMB, 0.5, 80, 3, 10, 0, 0},
  {"RCY1", COMB, 0.3, 1.98, 0.1, 1, 0, 0},
  {"RBY2", COMB, -80, 80, 3, 8, 0, 0},
  {"RBY3", COMB, -0.5, 0.5, 0.01, 0, 0, 0},
  {"REY1", COMB, -20, 0.99, 0.3, 0, 0, 0},
  {"RHY1", COMB, -0.2, 0.2, 0.002, 0, 0, 0},
  {"RVY1", COMB, -2, 2, 0.02, 0.02, 0, 0},
  {"RVY2", COMB, -2, 2, 0.02, 0, 0, 0},
  {"RVY4", COMB, 0, 200, 3, 10, 0, 0},
  {"RVY5", COMB, 0.5, 3, 0.1, 1.9, 0, 0},
  {"RVY6", COMB, -100, 100, 3, 10, 0, 0},
  {"REY2", COMB, -20, 20, 0.3, 0, 0, 0},
  {"RHY2", COMB, -0.2, 0.2, 0.002, 0, 0, 0},
  {"RVY3", COMB, -50, 50, 0.3, 0, 0, 0},
  {"RBY4", COMB, -200, 200, 3, 0, 0, 0},

  {"SSZ1", TORQUE, -0.5, 0.5, 0.005, 0, 0, 0},
  {"SSZ2", TORQUE, -0.5, 0.5, 0.005, 0, 0, 0},
  {"SSZ3", TORQUE, -5, 5, 0.05, 0, 0, 0},
  {"SSZ4", TORQUE, -5, 5, 0.05, 0, 0, 0},

  {"QSX1", OVER, -1, 1, 0.01, 0, 0, 0},
  {"QSX2", OVER, -10, 10, 0.1, 0, 0, 0},
  {"QSX3", OVER, -1, 1, 0.01, 0, 0, 0},

  {"QSY1", ROLL, -0.5, 0.5, 0.005, 0.01, 0, 0},
  {"QSY2", ROLL, -1, 1, 0.01, 0, 0, 0},
};

/* Both directions have the same friction, which the first fitted stage determines. */
#define GRIP(stage) \
  {"friction", stage, 0.1, 4, 0.1, 1, 0, 0}, \
  {"sliding_friction", stage, 0.2, 1, 0.1, 0.9, "friction", 0}

static const vd_figure_row fiala[] = {
  {"cornering_stiffness", LATERAL, 1e2, 1e7, 1e4, 8e4, 0, 0},
  GRIP(LATERAL),
  CAMBER,
  {"width", ALIGN, 0, 1, 0.02, 0.15, 0, 0},
  {"longitudinal_stiffness", LONG, 1e2, 1e7, 1e4, 1e5, 0, 0},
  GRIP(LONG),
  BODY,
};

/* All stiffnesses depend on the length of the patch, and so does the trail. The stage `all' therefore fits the length
 * to all measurements together. */
static const vd_figure_row brush[] = {
  {"friction", LATERAL, 0.1, 4, 0.1, 1, 0, 0},
  {"tread_stiffness", LATERAL, 1e4, 1e9, 1e6, 5e6, 0, 0},
  CAMBER,
  {"friction", LONG, 0.1, 4, 0.1, 1, 0, 0},
  {"tread_stiffness", LONG, 1e4, 1e9, 1e6, 5e6, 0, 0},
  BODY,
};

/* Coefficients of the lists a, b and c, if the tyre has them, for kN, degrees, percent, N and N m. */
#define PAC_SIDE \
  {"a2", LATERAL, 100, 4000, 100, 1000, 0, 0}, \
  {"a3", LATERAL, 10, 5e4, 200, 1500, 0, 0}, \
  {"a0", LATERAL, 1.02, 1.98, 0.1, 1.4, 0, 0}, \
  {"a7", LATERAL, -20, 5, 0.3, -0.5, 0, 0}, \
  {"a4", LATERAL, 0.3, 100, 1, 6, 0, 0}, \
  {"a1", LATERAL, -300, 300, 10, 0, 0, 0}, \
  {"a6", LATERAL, -5, 5, 0.1, 0, 0, 0}, \
  {"a5", LATERAL, -0.2, 0.2, 0.005, 0, 0, 0}
#define PAC_LONG \
  {"b2", LONG, 100, 4000, 100, 1100, 0, 0}, \
  {"b4", LONG, 5, 5000, 50, 250, 0, 0}, \
  {"b0", LONG, 1.02, 1.98, 0.1, 1.6, 0, 0}, \
  {"b8", LONG, -20, 5, 0.3, 0.3, 0, 0}, \
  {"b1", LONG, -300, 300, 10, 0, 0, 0}, \
  {"b3", LONG, -500, 500, 10, 0, 0, 0}, \
  {"b5", LONG, -0.5, 0.5, 0.02, 0, 0, 0}, \
  {"b7", LONG, -5, 5, 0.05, 0, 0, 0}, \
  {"b6", LONG, -1, 1, 0.01, 0, 0, 0}, \
  {"b10", LONG, -3, 3, 0.05, 0, 0, 0}, \
  {"b9", LONG, -1, 1, 0.02, 0, 0, 0}
#define PAC_ALIGN \
  {"c2", ALIGN, -100, 100, 1, -2.5, 0, 0}, \
  {"c4", ALIGN, -100, 100, 1, -3, 0, 0}, \
  {"c0", ALIGN, 1.1, 2.95, 0.1, 2.4, 0, 0}, \
  {"c9", ALIGN, -30, 10, 0.5, -3, 0, 0}, \
  {"c1", ALIGN, -50, 50, 0.5, 0, 0, 0}, \
  {"c3", ALIGN, -50, 50, 0.5, 0, 0, 0}, \
  {"c5", ALIGN, -0.5, 0.5, 0.02, 0, 0, 0}, \
  {"c8", ALIGN, -10, 10, 0.1, 0, 0, 0}, \
  {"c7", ALIGN, -2, 2, 0.02, 0, 0, 0}, \
  {"c6", ALIGN, -0.2, 0.2, 0.005, 0, 0, 0}, \
  {"c10", ALIGN, -0.3, 0.3, 0.01, 0, 0, 0}

/* Shifts of slip and force: constant, by load, and by camber. The papers number these coefficients differently. */
#define SIDE_SHIFTS(slip, force, slip_load, force_load, slip_camber, force_camber) \
  {slip, LATERAL, -3, 3, 0.05, 0, 0, 0}, \
  {force, LATERAL, -500, 500, 20, 0, 0, 0}, \
  {slip_load, LATERAL, -1, 1, 0.02, 0, 0, 0}, \
  {force_load, LATERAL, -100, 100, 5, 0, 0, 0}, \
  {slip_camber, LATERAL, -1, 1, 0.02, 0, 0, 0}, \
  {force_camber, LATERAL, -100, 100, 3, 0, 0, 0}
#define ALIGN_SHIFTS(slip, moment, slip_load, moment_load, slip_camber, moment_camber, square_camber) \
  {slip, ALIGN, -3, 3, 0.05, 0, 0, 0}, \
  {moment, ALIGN, -50, 50, 1, 0, 0, 0}, \
  {slip_load, ALIGN, -1, 1, 0.02, 0, 0, 0}, \
  {moment_load, ALIGN, -20, 20, 0.5, 0, 0, 0}, \
  {slip_camber, ALIGN, -1, 1, 0.02, 0, 0, 0}, \
  {moment_camber, ALIGN, -20, 20, 0.2, 0, 0, 0}, \
  {square_camber, ALIGN, -5, 5, 0.05, 0, 0, 0}

static const vd_figure_row pac89[] = {
  PAC_SIDE,
  SIDE_SHIFTS("a10", "a13", "a9", "a12", "a8", "a11"),
  PAC_ALIGN,
  ALIGN_SHIFTS("c13", "c17", "c12", "c16", "c11", "c15", "c14"),
  PAC_LONG,
  BODY,
};

static const vd_figure_row pac94[] = {
  PAC_SIDE,
  SIDE_SHIFTS("a9", "a12", "a8", "a11", "a10", "a14"),
  {"a13", LATERAL, -20, 20, 0.5, 0, 0, 0},
  {"a15", LATERAL, -0.01, 0.01, 3e-4, 0, 0, 0},
  {"a17", LATERAL, -0.9, 0.9, 0.05, 0, 0, 0},
  {"a16", LATERAL, -0.3, 0.3, 0.01, 0, 0, 0},
  PAC_ALIGN,
  ALIGN_SHIFTS("c12", "c15", "c11", "c14", "c13", "c17", "c16"),
  {"c18", ALIGN, -0.01, 0.01, 3e-4, 0, 0, 0},
  {"c20", ALIGN, -0.9, 0.9, 0.05, 0, 0, 0},
  {"c19", ALIGN, -0.3, 0.3, 0.01, 0, 0, 0},
  PAC_LONG,
  {"b12", LONG, -500, 500, 20, 0, 0, 0},
  {"b11", LONG, -100, 100, 5, 0, 0, 0},
  {"b13", LONG, -0.9, 0.9, 0.05, 0, 0, 0},
  BODY,
};
/* clang-format on */

static const struct {
  const vd_figure_row *row;
  size_t count;
} groups[] = {
    [VD_TYRE_LINEAR] = {linear, VD_COUNT(linear)}, [VD_TYRE_MF96] = {mf96, VD_COUNT(mf96)},
    [VD_TYRE_TMEASY] = {tmeasy, VD_COUNT(tmeasy)}, [VD_TYRE_MF] = {mf, VD_COUNT(mf)},
    [VD_TYRE_FIALA] = {fiala, VD_COUNT(fiala)},    [VD_TYRE_BRUSH] = {brush, VD_COUNT(brush)},
    [VD_TYRE_PAC89] = {pac89, VD_COUNT(pac89)},    [VD_TYRE_PAC94] = {pac94, VD_COUNT(pac94)},
};

const vd_figure_row *vd_tyre_figure_rows(enum vd_tyre_model model, size_t *count) {
  *count = (size_t)model < VD_COUNT(groups) ? groups[model].count : 0;
  return *count > 0 ? groups[model].row : NULL;
}

/* Returns the next row that is a list of numbers. */
static const vd_field *next_list(vd_schema_walk *walk, const vd_tyre_def *def) {
  const vd_field *row;
  while ((row = vd_schema_next(walk)))
    if (row->kind == VD_NUMBERS && vd_schema_applies(row, def->model))
      break;
  return row;
}

static vd_numbers *list_at(vd_tyre_def *def, const vd_field *row) {
  return (vd_numbers *)(void *)((char *)def + row->offset);
}

/* Copies the lists, so that changes do not affect the original definition. */
static void own_lists(vd_tyre_def *def, vd_arena *arena) {
  vd_schema_walk walk = {.schema = {&vd_tyre_schema}};
  const vd_field *row;
  while ((row = next_list(&walk, def))) {
    vd_numbers *list = list_at(def, row);
    double *own = vd_arena_alloc(arena, (list->count + 1) * sizeof *own);
    if (list->count > 0)
      memcpy(own, list->value, list->count * sizeof *own);
    list->value = own;
  }
}

/* Finds a number of a list by the list's name and its index: a12. */
static double *listed(vd_figures *f, const char *name, const vd_field **out) {
  vd_schema_walk walk = {.schema = {&vd_tyre_schema}};
  const vd_field *row;
  while ((row = next_list(&walk, &f->def))) {
    size_t length = strlen(row->key), index;
    const vd_numbers *list = list_at(&f->def, row);
    if (strncasecmp(name, row->key, length) != 0 || !vd_tree_index(name + length, strlen(name + length), &index) ||
        index >= list->count)
      continue;
    *out = row;
    return &list->value[index];
  }
  return NULL;
}

void vd_figures_init(const vd_tyre_def *def, vd_arena *arena, vd_figures *f) {
  *f = (vd_figures){.def = *def};
  own_lists(&f->def, arena);
  const vd_tyre_variant *variant = vd_tyre_variant_of((enum vd_tyre_model)def->model);
  if (variant->own_coefficients)
    f->file = variant->own_coefficients(&f->def, arena);
}

static const vd_tir_key *file_key(const char *name) {
  size_t count;
  const vd_tir_key *key = vd_tir_keys(&count);
  for (size_t i = 0; i < count; i++)
    if (strcasecmp(key[i].key, name) == 0)
      return &key[i];
  return NULL;
}

bool vd_figures_find(vd_figures *f, const char *name, vd_tyre_figure *out) {
  const vd_field *row;
  double *value = vd_schema_number_at(&vd_tyre_schema, &f->def, name, &row);
  if (!value)
    value = listed(f, name, &row);
  const vd_tir_key *key = f->file ? file_key(name) : NULL;
  if (value)
    *out = (vd_tyre_figure){value, row->unit, row->lo, row->hi};
  else if (key)
    *out = (vd_tyre_figure){(double *)(void *)((char *)f->file + key->offset), "1", -INFINITY, INFINITY};
  return value || key;
}

const char *vd_figures_suggest(vd_figures *f, const char *name, vd_arena *arena) {
  enum { NAMES = 512 };
  const char **names = vd_arena_alloc(arena, NAMES * sizeof *names);
  size_t keys, count = vd_schema_number_names(&vd_tyre_schema, &f->def, "", arena, NAMES, names);
  const vd_tir_key *key = vd_tir_keys(&keys);
  for (size_t i = 0; i < keys && f->file && count < NAMES; i++)
    names[count++] = key[i].key;
  return vd_suggest(name, names, count);
}

void vd_figures_finish(vd_figures *f, vd_arena *arena) {
  if (f->file)
    vd_tyre_variant_of((enum vd_tyre_model)f->def.model)->take_coefficients(&f->def, arena);
}
