/* Where the disc of a wheel stands on heights. */
#include "ground/ground_impl.h"

#include "base/base.h"
#include "base/elementary.h"
#include "base/vec.h"

#include <math.h>

/* Where a disc stands on the road: the point of the road in the disc's plane that is nearest to its centre. */
typedef struct trial {
  double x, y;      /* m, world */
  double normal[3]; /* of the road there, world */
  double distance;  /* m, of the centre from the tangent plane */
  double away2;     /* m2, square of the distance to the place */
  double miss[2];   /* m, from the place to where the disc stands on its tangent plane */
} trial;
/* centre, axle: of the disc, world. */
static void look_at(const vd_ground *ground, const double *centre, const double *axle, double x, double y, trial *f) {
  vd_road road;
  vd_ground_road(ground, x, y, &road);
  double scale = 1.0 / sqrt(1.0 + road.slope_x * road.slope_x + road.slope_y * road.slope_y);
  double to[3] = {centre[0] - x, centre[1] - y, centre[2] - road.z};
  *f = (trial){.x = x, .y = y, .normal = {-road.slope_x * scale, -road.slope_y * scale, scale}};
  double lean = vd_dot(f->normal, axle), inverse2 = 1.0 / (1.0 - lean * lean);
  f->distance = vd_dot(f->normal, to);
  f->away2 = vd_dot(to, to);
  for (int j = 0; j < 2; j++)
    f->miss[j] = to[j] - f->distance * inverse2 * (f->normal[j] - lean * axle[j]);
}

/* From a place of the road to where the disc stands. The miss shrinks by the factor `curvature x distance` from one
 * tangent plane to the next, which its slope along the last move, a secant, makes good; a move that misses by more is
 * halved. Only there is the deflection a potential whose gradient is the normal: at other places the tyre would create
 * energy. */
static void find_foot(const vd_ground *ground, const double *centre, const double *axle, trial *f) {
  enum { ROUNDS = 60 };
  const double near = 1e-8;        /* m */
  const double least_slope = 0.05; /* of -d(miss)/d(place), 0 where the road is as hollow as the wheel is round */
  double slope = 1.0;
  look_at(ground, centre, axle, f->x, f->y, f);
  for (int round = 0; round < ROUNDS; round++) {
    double miss2 = f->miss[0] * f->miss[0] + f->miss[1] * f->miss[1];
    if (miss2 < near * near)
      return;
    trial next;
    double move[2] = {f->miss[0] / slope, f->miss[1] / slope};
    look_at(ground, centre, axle, f->x + move[0], f->y + move[1], &next);
    if (!(next.away2 <= f->away2) && next.miss[0] * next.miss[0] + next.miss[1] * next.miss[1] > miss2 && slope < 1e3) {
      slope *= 2.0;
      continue;
    }
    slope = -((next.miss[0] - f->miss[0]) * move[0] + (next.miss[1] - f->miss[1]) * move[1]) /
            (move[0] * move[0] + move[1] * move[1]);
    slope = vd_max(slope, least_slope);
    *f = next;
  }
}

/* On roads that can be hollower than the wheel is round there are several such places, and the disc stands on the one
 * that it reaches first. Places along the wheel's way within its radius are tried, and each hollow of their distances
 * is followed down. */
static void nearest_foot(const vd_ground *ground, const double *centre, const double *axle, double radius, trial *f) {
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
    trial here = {.x = centre[0] + way * ahead[0], .y = centre[1] + way * ahead[1]};
    find_foot(ground, centre, axle, &here);
    if (here.away2 < least) {
      least = here.away2;
      *f = here;
    }
  }
}

static const double flat =
    1e-4; /* sin^2 of the angle from the disc to the surface below which it lies on it: 0.6 deg */

static void stand(const double *centre, const double *axle, const double *normal, double distance, vd_foot *f) {
  double lean = vd_dot(normal, axle), upright2 = 1.0 - lean * lean, share = distance / upright2;
  *f = (vd_foot){.distance = distance, .reach = distance / sqrt(upright2)};
  for (int j = 0; j < 3; j++) {
    f->normal[j] = normal[j];
    f->at[j] = centre[j] - share * (normal[j] - lean * axle[j]);
  }
}

static void height_foot(const vd_ground *ground, const vd_disc *disc, bool hollow, trial *f) {
  *f = (trial){.x = disc->centre[0], .y = disc->centre[1]};
  if (hollow)
    nearest_foot(ground, disc->centre, disc->axle, disc->radius, f);
  else
    find_foot(ground, disc->centre, disc->axle, f);
}

void vd_ground_height_foot(const vd_ground *ground, const vd_disc *disc, vd_foot *result) {
  trial f;
  height_foot(ground, disc, ground->hollow, &f);
  stand(disc->centre, disc->axle, f.normal, f.distance, result);
}

/* The plane, or heights over it: nothing where a wheel is high above them, whose slope is 60 deg at most, apart from
 * what a bicubic map overshoots. */
bool vd_height_foot_within(const vd_ground *ground, const vd_disc *disc, bool hollow, vd_foot *result) {
  const double far = 4.0; /* radii */
  const double *c = disc->centre;
  if (!ground->raise) {
    double lean = vd_dot(ground->normal, disc->axle);
    if (!(1.0 - lean * lean > flat))
      return false;
    double height = c[2] - ground->slope_x * c[0] - ground->slope_y * c[1];
    stand(c, disc->axle, ground->normal, height * ground->normal[2], result);
  } else {
    vd_road road;
    trial f;
    vd_ground_road(ground, c[0], c[1], &road);
    if (!(c[2] - road.z < far * disc->radius))
      return false;
    height_foot(ground, disc, hollow, &f);
    double lean = vd_dot(f.normal, disc->axle);
    if (!(1.0 - lean * lean > flat && vd_hypot(f.miss[0], f.miss[1]) < disc->radius)) /* far from any foot */
      return false;
    stand(c, disc->axle, f.normal, f.distance, result);
  }
  return result->reach < disc->radius;
}
