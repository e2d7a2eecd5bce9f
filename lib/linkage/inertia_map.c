#include "linkage/inertia_map.h"
#include "base/memory.h"
#include "linkage/corner_mass.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static void keep(const vd_corner_moments *m, const vd_corner_moments *design, double *out) {
  static const int row[] = {0, 1, 2, 0, 0, 1}, column[] = {0, 1, 2, 1, 2, 2};
  for (int i = 0; i < 3; i++) {
    out[VD_INERTIA_FIRST + i] = m->first[i] - design->first[i];
    out[VD_INERTIA_ANGULAR + i] = m->angular[i];
  }
  out[VD_INERTIA_MASS] = m->mass;
  out[VD_INERTIA_ANGULAR + 3] = 0.0;
  for (int k = 0; k < 6; k++)
    out[VD_INERTIA_SECOND + k] = m->second[row[k]][column[k]] - design->second[row[k]][column[k]];
  out[VD_INERTIA_SECOND + 6] = out[VD_INERTIA_SECOND + 7] = 0.0;
}

const vd_inertia_map *vd_inertia_map_create(const vd_corner *corner, const vd_linkage_map *map, double turning,
                                            vd_arena *arena) {
  const vd_linkage *l = map->linkage;
  const double *from = l->points.wheel_center;
  vd_corner_moments design, moments;
  vd_pose pose;
  vd_linkage_start(l, &pose);
  vd_corner_moments_at(corner, l, &pose, from, turning, &design);
  if (!isfinite(design.mass) || !isfinite(design.second[0][0]))
    return NULL;
  size_t nodes = (size_t)map->travel.cells + 1;
  vd_inertia_map *out = vd_arena_alloc(arena, sizeof *out);
  double *value = vd_allocate(nodes * VD_INERTIA_FIGURES, sizeof *value);
  double *coefficient = vd_arena_alloc(arena, (nodes + 2) * VD_INERTIA_FIGURES * sizeof *coefficient);
  for (size_t i = 0; i < nodes; i++) {
    const double u[VD_INPUTS] = {vd_axis_node(&map->travel, (int)i), 0.0};
    enum vd_linkage_status status = vd_linkage_move(l, u, &pose);
    assert(status == VD_LINKAGE_OK);
    vd_corner_moments_at(corner, l, &pose, from, turning, &moments);
    keep(&moments, &design, value + i * VD_INERTIA_FIGURES);
  }
  vd_bspline_fit_product(&map->travel, &(vd_axis){.cells = 0}, VD_INERTIA_FIGURES, value, VD_INERTIA_FIGURES,
                         coefficient);
  free(value);
  *out = (vd_inertia_map){.travel = map->travel, .coefficient = coefficient, .mass = design.mass};
  vd_inertia_at at;
  vd_inertia_map_at(out, 0.0, &at);
  out->hanging = at.by_travel[VD_INERTIA_FIRST + 2];
  return out;
}
