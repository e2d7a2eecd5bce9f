#include "vehicle/air_heights.h"

#include "base/elementary.h"
#include "math/cubic.h"

enum { VALUE, BY_FRONT, BY_REAR, BY_BOTH };

void vd_air_heights_build(const vd_air_heights_def *def, vd_air_heights *h) {
  /* strides in the array between neighbouring front heights, and between neighbouring rear heights */
  const size_t along = VD_AIR_HEIGHTS * 4, across = 4;
  *h = (vd_air_heights){.count = {def->at[VD_FRONT].count, def->at[VD_REAR].count}};
  for (int a = 0; a < VD_AXLES; a++)
    for (size_t k = 0; k < h->count[a]; k++)
      h->at[a][k] = def->at[a].value[k];
  for (int i = 0; i < VD_AIR_MAPS; i++) {
    h->given[i] = def->value[i].count > 0;
    if (!h->given[i])
      continue;
    double(*node)[VD_AIR_HEIGHTS][4] = h->node[i];
    for (size_t f = 0; f < h->count[VD_FRONT]; f++)
      for (size_t r = 0; r < h->count[VD_REAR]; r++)
        node[f][r][VALUE] = def->value[i].value[f * h->count[VD_REAR] + r];
    for (size_t r = 0; r < h->count[VD_REAR]; r++)
      vd_cubic_slopes(h->at[VD_FRONT], h->count[VD_FRONT], &node[0][r][VALUE], along, &node[0][r][BY_FRONT]);
    for (size_t f = 0; f < h->count[VD_FRONT]; f++) {
      vd_cubic_slopes(h->at[VD_REAR], h->count[VD_REAR], &node[f][0][VALUE], across, &node[f][0][BY_REAR]);
      vd_cubic_slopes(h->at[VD_REAR], h->count[VD_REAR], &node[f][0][BY_FRONT], across, &node[f][0][BY_BOTH]);
    }
  }
}

void vd_air_heights_at(const vd_air_heights *h, const double *rise, double *change) {
  vd_cubic_place place[VD_AXLES];
  for (int a = 0; a < VD_AXLES; a++) {
    const double *at = h->at[a];
    place[a] = vd_cubic_find(at, h->count[a], vd_min(vd_max(rise[a], at[0]), at[h->count[a] - 1]));
  }
  const vd_cubic_place *front = &place[VD_FRONT], *rear = &place[VD_REAR];
  for (int i = 0; i < VD_AIR_MAPS; i++) {
    change[i] = vd_air_map_is_factor((enum vd_air_map)i) ? 1.0 : 0.0;
    if (!h->given[i])
      continue;
    change[i] = 0.0;
    for (int f = 0; f < 2; f++)
      for (int r = 0; r < 2; r++) {
        const double *node = h->node[i][front->point[f]][rear->point[r]];
        change[i] += front->value[f] * (rear->value[r] * node[VALUE] + rear->slope[r] * node[BY_REAR]) +
                     front->slope[f] * (rear->value[r] * node[BY_FRONT] + rear->slope[r] * node[BY_BOTH]);
      }
  }
}
