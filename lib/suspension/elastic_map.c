#include "suspension/elastic_map.h"

#include "base/elementary.h"

/* The degrees begin at terms 0, 1, 6, 21 and 56. */
const vd_elastic_tree vd_elastic_terms = {
    .load = {0, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 1, 2, 3, 4, 2, 3, 4, 3, 4, 4, 0, 1, 2, 3, 4, 1, 2,
             3, 4, 2, 3, 4, 3, 4, 4, 1, 2, 3, 4, 2, 3, 4, 3, 4, 4, 2, 3, 4, 3, 4, 4, 3, 4, 4, 4},
    .child = {1,  6,   11,  15,  18,  20,  21,  26,  30,  33,  35,  36,  40,  43,  45,  46,  49,  51, 52,
              54, 55,  56,  61,  65,  68,  70,  71,  75,  78,  80,  81,  84,  86,  87,  89,  90,  91, 95,
              98, 100, 101, 104, 106, 107, 109, 110, 111, 114, 116, 117, 119, 120, 121, 123, 124, 125}};

/* The splines at a place; beyond the ends those there, with no slope. */
VD_INLINE int basis_within(const vd_axis *a, double at, double *b, double *b1) {
  double from = a->from, to = a->from + a->cells * a->step, within = vd_least(vd_most(at, from), to);
  int cell = vd_bspline_basis(a, within, b, b1);
  for (int i = 0; within != at && i < 4; i++)
    b1[i] = 0.0;
  return cell;
}

VD_INLINE void along_travel(const double *from, const double *b, const double *b1, vd_elastic_terms_at *out) {
  for (int k = 0; k < VD_ELASTIC_KEPT; k += 4) {
    vd_wide value = {0.0}, slope = {0.0};
    for (int i = 0; i < 4; i++) {
      vd_wide c = vd_wide_load(from + i * VD_ELASTIC_KEPT + k);
      value += b[i] * c;
      slope += b1[i] * c;
    }
    vd_wide_store(value, out->value + k);
    vd_wide_store(slope, out->by_travel + k);
  }
  memset(out->by_rack, 0, sizeof out->by_rack);
}

VD_WIDE void vd_elastic_map_at(const vd_elastic_map *map, double travel, double rack, vd_elastic_terms_at *out) {
  double bt[4], bt1[4], br[4], br1[4];
  int row = basis_within(&map->travel, travel, bt, bt1);
  if (!map->rack.cells) {
    along_travel(map->surface + row * VD_ELASTIC_KEPT, bt, bt1, out);
    return;
  }
  int columns = map->rack.cells + VD_BSPLINE_ENDS, column = basis_within(&map->rack, rack, br, br1);
  vd_bspline_product(map->surface + (row * columns + column) * VD_ELASTIC_KEPT, columns, VD_ELASTIC_KEPT, bt, bt1, br,
                     br1, out->value, out->by_travel, out->by_rack);
}
