#include "feet.h"

#include <math.h>

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Where a disc stands on the road: the point of the road in the disc's plane that is nearest to its centre. */
typedef struct foot {
  double x, y;      /* m, world */
  double normal[3]; /* of the road there, world */
  double distance;  /* m, of the centre from the tangent plane */
  double away2;     /* m2, square of the distance to the place */
  double miss[2];   /* m, from the place to where the disc stands on its tangent plane */
} foot;

/* centre, axle: of the disc, world. */
static void look_at(const vd_ground *ground, const double *centre, const double *axle, double x, double y, foot *f) {
  vd_road road;
  vd_ground_road(ground, x, y, &road);
  double scale = 1.0 / sqrt(1.0 + road.slope_x * road.slope_x + road.slope_y * road.slope_y);
  double to[3] = {centre[0] - x, centre[1] - y, centre[2] - road.z};
  *f = (foot){.x = x, .y = y, .normal = {-road.slope_x * scale, -road.slope_y * scale, scale}};
  double lean = dot(f->normal, axle), inverse2 = 1.0 / (1.0 - lean * lean);
  f->distance = dot(f->normal, to);
  f->away2 = dot(to, to);
  for (int j = 0; j < 2; j++)
    f->miss[j] = to[j] - f->distance * inverse2 * (f->normal[j] - lean * axle[j]);
}

/* From a place of the road to where the disc stands. The miss shrinks by the factor `curvature x distance` from one tangent plane to
 * the next, which its slope along the last move, a secant, makes good; a move that misses by more is halved. Only there is the
 * deflection a potential whose gradient is the normal: at other places the tyre would create energy. */
static void find_foot(const vd_ground *ground, const double *centre, const double *axle, foot *f) {
  enum { ROUNDS = 60 };
  const double near = 1e-8;        /* m */
  const double least_slope = 0.05; /* of -d(miss)/d(place), 0 where the road is as hollow as the wheel is round */
  double slope = 1.0;
  look_at(ground, centre, axle, f->x, f->y, f);
  for (int round = 0; round < ROUNDS; round++) {
    double miss2 = f->miss[0] * f->miss[0] + f->miss[1] * f->miss[1];
    if (miss2 < near * near)
      return;
    foot next;
    double move[2] = {f->miss[0] / slope, f->miss[1] / slope};
    look_at(ground, centre, axle, f->x + move[0], f->y + move[1], &next);
    if (!(next.away2 <= f->away2) && next.miss[0] * next.miss[0] + next.miss[1] * next.miss[1] > miss2 && slope < 1e3) {
      slope *= 2.0;
      continue;
    }
    slope = -((next.miss[0] - f->miss[0]) * move[0] + (next.miss[1] - f->miss[1]) * move[1]) /
            (move[0] * move[0] + move[1] * move[1]);
    slope = fmax(slope, least_slope);
    *f = next;
  }
}

/* On roads that can be hollower than the wheel is round there are several such places, and the disc stands on the one that it
 * reaches first. Places along the wheel's way within its radius are tried, and each hollow of their distances is followed down. */
static void nearest_foot(const vd_ground *ground, const double *centre, const double *axle, double radius, foot *f) {
  enum { SIDE = 10, PLACES = 2 * SIDE + 1 };
  double distance[PLACES + 2], length = sqrt(axle[0] * axle[0] + axle[1] * axle[1]);
  double ahead[2] = {axle[1] / length, -axle[0] / length};
  distance[0] = distance[PLACES + 1] = INFINITY;
  for (int i = 0; i < PLACES; i++) {
    vd_road road;
    double way = radius * (i - SIDE) / SIDE;
    vd_ground_road(ground, centre[0] + way * ahead[0], centre[1] + way * ahead[1], &road);
    distance[i + 1] = way * way + (centre[2] - road.z) * (centre[2] - road.z);
  }
  double least = INFINITY;
  f->distance = NAN; /* of a centre that is nowhere */
  for (int i = 1; i <= PLACES; i++) {
    if (!(distance[i] <= distance[i - 1] && distance[i] < distance[i + 1]))
      continue;
    double way = radius * (i - 1 - SIDE) / SIDE;
    foot here = {.x = centre[0] + way * ahead[0], .y = centre[1] + way * ahead[1]};
    find_foot(ground, centre, axle, &here);
    if (here.away2 < least) {
      least = here.away2;
      *f = here;
    }
  }
}

void vd_feet(const vd_model *m, const vd_command *c, const vd_wide3 *centre, const vd_wide3 *axle, vd_wide *distance,
             vd_wide3 *normal) {
  for (int i = 0; i < VD_WHEELS; i++) {
    double at[3] = {centre->x[i], centre->y[i], centre->z[i] - c->post[i]};
    double along[3] = {axle->x[i], axle->y[i], axle->z[i]};
    foot here = {.x = at[0], .y = at[1]};
    if (m->ride.sharp)
      nearest_foot(&m->ground, at, along, m->ride.free_radius[i], &here);
    else
      find_foot(&m->ground, at, along, &here);
    (*distance)[i] = here.distance;
    normal->x[i] = here.normal[0];
    normal->y[i] = here.normal[1];
    normal->z[i] = here.normal[2];
  }
}
