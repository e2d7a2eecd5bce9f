/* Reads maps of linkages, which linkage_map.c makes: each step does this for four wheels. */
#include "linkage/linkage_map_impl.h"

#include <math.h>
#include <string.h>

VD_INLINE void path_at(const vd_linkage_map *map, double travel, int cell, const double *b, const double *b1,
                       vd_corner_pose *out) {
  double b2[4];
  vd_wide low = {0.0}, high = {0.0};
  vd_bspline_second_basis(&map->travel, travel, cell, b2);
  for (int i = 0; i < 4; i += 2) {
    vd_wide both = vd_wide_load(map->path + 2 * (cell + i)), one = __builtin_shufflevector(both, both, 0, 1, 0, 1);
    vd_wide other = __builtin_shufflevector(both, both, 2, 3, 2, 3);
    low = low + (vd_wide){b[i], b[i], b1[i], b1[i]} * one;
    low = low + (vd_wide){b[i + 1], b[i + 1], b1[i + 1], b1[i + 1]} * other;
    high = high + (vd_wide){b2[i], b2[i], 0.0, 0.0} * one;
    high = high + (vd_wide){b2[i + 1], b2[i + 1], 0.0, 0.0} * other;
  }
  vd_wide_store(low, out->path);
  vd_wide_store(high, out->path + 4);
}

VD_NOINLINE void joined_at(const vd_linkage_map *map, double travel, double other, vd_corner_pose *out) {
  double bt[4], bt1[4], bt2[4], bo[4], bo1[4], bo2[4];
  int row = vd_bspline_basis(&map->travel, travel, bt, bt1), column = vd_bspline_basis(&map->rack, other, bo, bo1);
  int columns = map->rack.cells + VD_BSPLINE_ENDS;
  vd_bspline_second_basis(&map->travel, travel, row, bt2);
  vd_bspline_second_basis(&map->rack, other, column, bo2);
  const double *from = map->surface + (row * columns + column) * VD_MAPPED;
  vd_bspline_product(from, columns * VD_MAPPED, VD_MAPPED, (vd_bsplines_at){bt, bt1, 1}, (vd_bsplines_at){bo, bo1, 1},
                     out->value, out->by_travel, out->by_rack);
  vd_wide own = {0.0}, mixed = own, twice = own; /* second derivatives; x and y come first */
  for (int i = 0; i < 4; i++) {
    const double *c = from + i * columns * VD_MAPPED;
    vd_wide c0 = vd_wide_load(c), c1 = vd_wide_load(c + VD_MAPPED);
    vd_wide c2 = vd_wide_load(c + 2 * VD_MAPPED), c3 = vd_wide_load(c + 3 * VD_MAPPED);
    own += bt2[i] * (bo[0] * c0 + bo[1] * c1 + bo[2] * c2 + bo[3] * c3);
    mixed += bt1[i] * (bo1[0] * c0 + bo1[1] * c1 + bo1[2] * c2 + bo1[3] * c3);
    twice += bt[i] * (bo2[0] * c0 + bo2[1] * c1 + bo2[2] * c2 + bo2[3] * c3);
  }
  for (int k = 0; k < 2; k++) {
    out->path[k] = out->value[VD_MAP_X + k];
    out->path[2 + k] = out->by_travel[VD_MAP_X + k];
    out->path[4 + k] = own[VD_MAP_X + k];
    out->other_path[k] = out->by_rack[VD_MAP_X + k];
    out->other_path[2 + k] = mixed[VD_MAP_X + k];
    out->other_path[4 + k] = twice[VD_MAP_X + k];
    out->path[6 + k] = out->other_path[6 + k] = 0.0;
  }
}

/* Reads a map over the travel only. `from': coefficients of the first spline of the cell. */
VD_INLINE void along_travel(const double *from, vd_bsplines_at along, double *value, double *by_travel) {
  for (int half = 0; half < VD_MAPPED; half += 4) {
    vd_wide c = vd_wide_load(from + half), sum = along.b[0] * c, slope = along.b1[0] * c;
    for (int i = 1; i < 4; i++) {
      c = vd_wide_load(from + i * VD_MAPPED + half);
      sum += along.b[i * along.apart] * c;
      slope += along.b1[i * along.apart] * c;
    }
    vd_wide_store(sum, value + half);
    vd_wide_store(slope, by_travel + half);
  }
}

VD_WIDE void vd_linkage_map_at(const vd_linkage_map *map, double travel, double rack, vd_corner_pose *out) {
  double bt[4], bt1[4], br[4], br1[4];
  if (map->joined) {
    joined_at(map, travel, rack, out);
    return;
  }
  int row = vd_bspline_basis(&map->travel, travel, bt, bt1),
      columns = map->rack.cells ? map->rack.cells + VD_BSPLINE_ENDS : 1;
  path_at(map, travel, row, bt, bt1, out);
  const double *from = map->surface + row * columns * VD_MAPPED;
  const vd_bsplines_at along = {bt, bt1, 1};
  if (!map->rack.cells) {
    along_travel(from, along, out->value, out->by_travel);
    for (int k = 0; k < VD_MAPPED; k++)
      out->by_rack[k] = 0.0;
    return;
  }
  int column = vd_bspline_basis(&map->rack, rack, br, br1);
  vd_bspline_product(from + column * VD_MAPPED, columns * VD_MAPPED, VD_MAPPED, along, (vd_bsplines_at){br, br1, 1},
                     out->value, out->by_travel, out->by_rack);
}

/* --- four wheels at a time --- */

void vd_linkage_maps_make(const vd_linkage_map *const *of, vd_linkage_maps *maps) {
  *maps = (vd_linkage_maps){.surface = {NULL}};
  for (int i = 0; i < 4; i++) {
    const vd_axis *axis[VD_INPUTS] = {&of[i]->travel, &of[i]->rack};
    int columns = axis[1]->cells ? axis[1]->cells + VD_BSPLINE_ENDS : 1;
    maps->surface[i] = of[i]->surface;
    maps->path[i] = of[i]->path;
    maps->row[i] = axis[1]->cells ? columns * VD_MAPPED : 0;
    maps->at_cell[0][i] = columns * VD_MAPPED;
    maps->at_cell[1][i] = VD_MAPPED;
    for (int k = 0; k < VD_INPUTS; k++)
      if (axis[k]->cells) {
        maps->from[k][i] = axis[k]->from;
        maps->per_step[k][i] = axis[k]->per_step;
        maps->last[k][i] = axis[k]->cells - 1;
      }
  }
}

typedef int four __attribute__((vector_size(4 * sizeof(int))));

/* vd_bspline_basis of each wheel, one wheel per lane. */
typedef struct bases {
  double b[16], b1[16]; /* [spline][wheel] */
  vd_wide t, per_step;
  four cell;
} bases;

VD_INLINE void bases_at(const vd_linkage_maps *maps, int input, const double *at, bases *out) {
  vd_wide per_step = vd_wide_load(maps->per_step[input]), last = vd_wide_load(maps->last[input]);
  vd_wide u = (vd_wide_load(at) - vd_wide_load(maps->from[input])) * per_step;
  vd_wide within = vd_wide_min(vd_wide_max(u, 0.0 * last), last);
  out->cell = __builtin_convertvector(within, four);
  vd_wide t = u - __builtin_convertvector(out->cell, vd_wide), s = 1.0 - t, t2 = t * t, s2 = s * s;
  out->t = t;
  out->per_step = per_step;
  vd_wide_store(s2 * s * (1.0 / 6.0), out->b);
  vd_wide_store((3.0 * t2 * t - 6.0 * t2 + 4.0) * (1.0 / 6.0), out->b + 4);
  vd_wide_store((3.0 * s2 * s - 6.0 * s2 + 4.0) * (1.0 / 6.0), out->b + 8);
  vd_wide_store(t2 * t * (1.0 / 6.0), out->b + 12);
  vd_wide_store(-0.5 * s2 * per_step, out->b1);
  vd_wide_store((1.5 * t2 - 2.0 * t) * per_step, out->b1 + 4);
  vd_wide_store((2.0 * s - 1.5 * s2) * per_step, out->b1 + 8);
  vd_wide_store(0.5 * t2 * per_step, out->b1 + 12);
}

typedef double two __attribute__((vector_size(2 * sizeof(double))));

/* Computes x and y of all wheels, and their derivatives, in the order of vd_mapped_wheels. A front wheel's lane is
 * beside that of the rear wheel on the same side, so that unpacking gives the order of the wheels. */
VD_INLINE void paths_at(const vd_linkage_maps *maps, const bases *along, vd_wide *path) {
  const vd_wide t = along->t, scale = along->per_step * along->per_step;
  const vd_wide b2[4] = {(1.0 - t) * scale, (3.0 * t - 2.0) * scale, (1.0 - 3.0 * t) * scale, t * scale};
  const four place = 2 * along->cell;
  vd_wide x[4], y[4];
  for (int i = 0; i < 4; i++) {
    two c[4];
    for (int k = 0; k < 4; k++)
      memcpy(&c[k], maps->path[k] + place[k] + 2 * i, sizeof c[k]);
    vd_wide left = __builtin_shufflevector(c[0], c[2], 0, 1, 2, 3);
    vd_wide right = __builtin_shufflevector(c[1], c[3], 0, 1, 2, 3);
    x[i] = __builtin_shufflevector(left, right, 0, 4, 2, 6);
    y[i] = __builtin_shufflevector(left, right, 1, 5, 3, 7);
  }
  for (int d = 0; d < 3; d++) {
    vd_wide b[4];
    for (int i = 0; i < 4; i++)
      b[i] = d == 0 ? vd_wide_load(along->b + 4 * i) : d == 1 ? vd_wide_load(along->b1 + 4 * i) : b2[i];
    path[2 * d] = b[0] * x[0] + b[1] * x[1] + b[2] * x[2] + b[3] * x[3];
    path[2 * d + 1] = b[0] * y[0] + b[1] * y[1] + b[2] * y[2] + b[3] * y[3];
  }
}

VD_WIDE void vd_linkage_maps_at(const vd_linkage_maps *maps, const double *travel, const double *rack,
                                vd_mapped_wheels *out) {
  bases along, across;
  double value[4][VD_MAPPED], by_travel[4][VD_MAPPED], by_rack[4][VD_MAPPED];
  four steps[VD_INPUTS];
  bases_at(maps, 0, travel, &along);
  bases_at(maps, 1, rack, &across);
  paths_at(maps, &along, out->path);
  memcpy(steps, maps->at_cell, sizeof steps);
  const four place = along.cell * steps[0] + across.cell * steps[1];
  /* two loops instead of one need fewer registers */
  for (int i = 0; i < 4; i++)
    if (maps->row[i])
      vd_bspline_product(maps->surface[i] + place[i], maps->row[i], VD_MAPPED,
                         (vd_bsplines_at){along.b + i, along.b1 + i, 4},
                         (vd_bsplines_at){across.b + i, across.b1 + i, 4}, value[i], by_travel[i], by_rack[i]);
  for (int i = 0; i < 4; i++)
    if (!maps->row[i]) {
      along_travel(maps->surface[i] + place[i], (vd_bsplines_at){along.b + i, along.b1 + i, 4}, value[i], by_travel[i]);
      memset(by_rack[i], 0, sizeof by_rack[i]);
    }
  for (int k = 0; k < VD_MAPPED; k += 4) {
    vd_wide_columns(value[0] + k, value[1] + k, value[2] + k, value[3] + k, out->value + k);
    vd_wide_columns(by_travel[0] + k, by_travel[1] + k, by_travel[2] + k, by_travel[3] + k, out->by_travel + k);
    vd_wide_columns(by_rack[0] + k, by_rack[1] + k, by_rack[2] + k, by_rack[3] + k, out->by_rack + k);
  }
}

double vd_linkage_rack(const vd_linkage_map *map, double steer, double *slope) {
  double b[4], b1[4], rack = 0.0;
  int cell = vd_bspline_basis(&map->steer_axis, steer, b, b1);
  *slope = 0.0;
  for (int i = 0; i < 4; i++) {
    rack += b[i] * map->steer[cell + i];
    *slope += b1[i] * map->steer[cell + i];
  }
  return rack;
}

/* Returns the inverse of the steering curve: the angle for a rack, rad, and its slope, rad/m, by Newton's method on the
 * spline, which rises or falls monotonically. */
static double steer_of(const vd_linkage_map *map, double rack, double *slope) {
  enum { ROUNDS = 30 };
  const double same = 1e-16; /* m */
  double steer = 0.0, by;
  for (int round = 0; round < ROUNDS; round++) {
    double miss = rack - vd_linkage_rack(map, steer, &by);
    steer += miss / by;
    if (!(fabs(miss) > same))
      break;
  }
  *slope = 1.0 / by;
  return steer;
}

VD_WIDE void vd_knuckle_map_at(const vd_linkage_map *map, double travel, double other, double rack,
                               vd_corner_pose *out) {
  const vd_axis *of_travel = &map->knuckle_travel;
  double bt[4], bt1[4], bo[4], bo1[4], br[4], br1[4];
  double value[VD_MAPPED], by_travel[VD_MAPPED], by_other[VD_MAPPED];
  int row = vd_bspline_basis(of_travel, travel, bt, bt1), column = vd_bspline_basis(of_travel, other, bo, bo1);
  double per_rack = 1.0, place = map->steer ? steer_of(map, rack, &per_rack) : rack;
  int layer = vd_bspline_basis(&map->gear, place, br, br1);
  int columns = of_travel->cells + VD_BSPLINE_ENDS, layers = map->gear.cells + VD_BSPLINE_ENDS;
  vd_wide none = {0.0};
  for (int half = 0; half < VD_MAPPED; half += 4) {
    vd_wide at = none, own = none, others = none, racks = none;
    for (int i = 0; i < 4; i++) {
      vd_wide sum = none, slope = none, aside = none;
      for (int j = 0; j < 4; j++) {
        const double *c = map->knuckle + (((row + i) * columns + column + j) * layers + layer) * VD_MAPPED + half;
        vd_wide c0 = vd_wide_load(c), c1 = vd_wide_load(c + VD_MAPPED);
        vd_wide c2 = vd_wide_load(c + 2 * VD_MAPPED), c3 = vd_wide_load(c + 3 * VD_MAPPED);
        vd_wide along = br[0] * c0 + br[1] * c1 + br[2] * c2 + br[3] * c3;
        sum += bo[j] * along;
        aside += bo1[j] * along;
        slope += bo[j] * (br1[0] * c0 + br1[1] * c1 + br1[2] * c2 + br1[3] * c3);
      }
      at += bt[i] * sum;
      own += bt1[i] * sum;
      others += bt[i] * aside;
      racks += bt[i] * slope;
    }
    vd_wide_store(at, value + half);
    vd_wide_store(own, by_travel + half);
    vd_wide_store(others, by_other + half);
    vd_wide_store(per_rack * racks, out->by_gear + half);
  }
  const double lift[4] = {value[VD_MAP_LIFT], by_travel[VD_MAP_LIFT], by_other[VD_MAP_LIFT], out->by_gear[VD_MAP_LIFT]};
  memcpy(out->lift, lift, sizeof lift);
  const double turn[4] = {value[VD_MAP_TURN], by_travel[VD_MAP_TURN], by_other[VD_MAP_TURN], out->by_gear[VD_MAP_TURN]};
  memcpy(out->turn, turn, sizeof turn);
  for (int k = 0; k < VD_MAPPED; k++) {
    if (k == VD_MAP_SPRING || k == VD_MAP_DAMPER)
      continue;
    out->value[k] = value[k];
    out->by_travel[k] = by_travel[k];
    out->by_rack[k] = by_other[k];
  }
  out->by_gear[VD_MAP_SPRING] = out->by_gear[VD_MAP_DAMPER] = 0.0;
}
