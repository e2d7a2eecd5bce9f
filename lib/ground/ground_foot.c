/* Where the discs of wheels stand: on heights, and on the nearest of several grounds. */
#include "ground/ground_impl.h"

#include "base/base.h"
#include "base/vec.h"

#include <limits.h>
#include <math.h>

/* --- on heights --- */

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

/* From a place of the road to where the disc stands. The miss shrinks by the factor `curvature x distance` from one tangent plane to
 * the next, which its slope along the last move, a secant, makes good; a move that misses by more is halved. Only there is the
 * deflection a potential whose gradient is the normal: at other places the tyre would create energy. */
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
    slope = fmax(slope, least_slope);
    *f = next;
  }
}

/* On roads that can be hollower than the wheel is round there are several such places, and the disc stands on the one that it
 * reaches first. Places along the wheel's way within its radius are tried, and each hollow of their distances is followed down. */
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

static void height_foot(const vd_ground *ground, const vd_disc *disc, bool sharp, trial *f) {
  *f = (trial){.x = disc->centre[0], .y = disc->centre[1]};
  if (sharp)
    nearest_foot(ground, disc->centre, disc->axle, disc->radius, f);
  else
    find_foot(ground, disc->centre, disc->axle, f);
}

void vd_ground_height_foot(const vd_ground *ground, const vd_disc *disc, vd_foot *result) {
  trial f;
  height_foot(ground, disc, ground->sharp, &f);
  stand(disc->centre, disc->axle, f.normal, f.distance, result);
}

/* The plane, or heights over it: nothing where a wheel is high above them, whose slope is 60 deg at most, apart from what a bicubic
 * map overshoots. */
static bool on_heights(const vd_ground *ground, const vd_disc *disc, bool sharp, vd_foot *result) {
  const double far = 4.0; /* radii */
  const double *c = disc->centre;
  if (!ground->relief) {
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
    height_foot(ground, disc, sharp, &f);
    double lean = vd_dot(f.normal, disc->axle);
    if (!(1.0 - lean * lean > flat && hypot(f.miss[0], f.miss[1]) < disc->radius)) /* far from any foot */
      return false;
    stand(c, disc->axle, f.normal, f.distance, result);
  }
  return result->reach < disc->radius;
}

/* --- on any ground --- */

/* *hint is of this ground. */
static bool on_ground(const vd_ground *ground, const vd_disc *disc, bool sharp, int *hint, vd_foot *foot) {
  if (!ground->solid)
    return on_heights(ground, disc, sharp, foot);
  if (ground->solid->type == VD_GROUND_MESH)
    return vd_mesh_foot(ground->solid->mesh, disc, hint, foot);
  return vd_strip_foot(&ground->solid->strip, disc, foot);
}

/* What a wheel remembers of several meshes is which one bore it last, and where: triangle x meshes + mesh. */
typedef struct memory {
  int meshes, last, triangle;
} memory;

static bool is_mesh(const vd_ground *ground) {
  return ground->solid && ground->solid->type == VD_GROUND_MESH;
}

static memory recall(const vd_ground *ground, int hint) {
  memory m = {.meshes = is_mesh(ground), .last = -1, .triangle = -1};
  for (size_t i = 0; i < ground->others; i++)
    m.meshes += is_mesh(&ground->other[i]);
  if (hint >= 0 && m.meshes > 0) {
    m.last = hint % m.meshes;
    m.triangle = hint / m.meshes;
  }
  return m;
}

static int remember(const memory *m, int mesh, int triangle) {
  bool fits = mesh >= 0 && triangle >= 0 && triangle <= (INT_MAX - mesh) / m->meshes;
  return fits ? triangle * m->meshes + mesh : -1;
}

bool vd_ground_foot(const vd_ground *ground, const vd_disc *disc, int *hint, vd_foot *foot, double *friction) {
  const memory past = recall(ground, *hint);
  const vd_ground *bearer = NULL;
  int mesh = 0;
  *hint = -1;
  for (size_t i = 0; i <= ground->others; i++) {
    const vd_ground *g = i == 0 ? ground : &ground->other[i - 1];
    int own = is_mesh(g) && mesh == past.last ? past.triangle : -1;
    vd_foot here;
    if (on_ground(g, disc, g->sharp, &own, &here) && !(bearer && here.reach > foot->reach)) {
      *foot = here;
      *hint = is_mesh(g) ? remember(&past, mesh, own) : -1;
      bearer = g;
    }
    mesh += is_mesh(g);
  }
  if (bearer)
    *friction = vd_ground_friction(bearer, foot->at[0], foot->at[1]);
  return bearer != NULL;
}

/* In two planes through `up` that are at right angles. */
static bool over_mesh(const vd_mesh *mesh, const double *point, const double *up, double range, vd_foot *nearest) {
  int least = 0, hint = -1;
  bool any = false;
  for (int j = 1; j < 3; j++)
    if (fabs(up[j]) < fabs(up[least]))
      least = j;
  int b = (least + 1) % 3, c = (least + 2) % 3;
  double length = sqrt(up[b] * up[b] + up[c] * up[c]), first[3], second[3];
  first[least] = 0.0;
  first[b] = -up[c] / length;
  first[c] = up[b] / length;
  for (int j = 0; j < 3; j++)
    second[j] = up[(j + 1) % 3] * first[(j + 2) % 3] - up[(j + 2) % 3] * first[(j + 1) % 3];
  for (int k = 0; k < 2; k++) {
    const double *axle = k == 0 ? first : second;
    vd_disc disc = {{point[0], point[1], point[2]}, {axle[0], axle[1], axle[2]}, range, NULL};
    vd_foot here;
    if (vd_mesh_foot(mesh, &disc, &hint, &here) && !(any && here.reach > nearest->reach)) {
      *nearest = here;
      any = true;
    }
  }
  return any;
}

/* A disc without an axle has no plane: its foot is the nearest point in space. */
bool vd_ground_clearance(const vd_ground *ground, const double *point, const double *up, double range,
                         double *clearance, double *normal) {
  const vd_disc ball = {.centre = {point[0], point[1], point[2]}, .radius = range};
  bool any = false;
  for (size_t i = 0; i <= ground->others; i++) {
    const vd_ground *g = i == 0 ? ground : &ground->other[i - 1];
    int none = -1;
    vd_foot here;
    bool near =
        is_mesh(g) ? over_mesh(g->solid->mesh, point, up, range, &here) : on_ground(g, &ball, false, &none, &here);
    if (!near || (any && here.distance > *clearance))
      continue;
    any = true;
    *clearance = here.distance;
    for (int j = 0; j < 3; j++)
      normal[j] = here.normal[j];
  }
  return any;
}

/* --- from above --- */

static bool mesh_top(const vd_mesh *mesh, double x, double y, vd_road *road) {
  double low[3], high[3], normal[3], t;
  const double over = 1.0, level = 1e-6; /* m; of a normal: the face is upright */
  vd_mesh_bounds(mesh, low, high);
  double from[3] = {x, y, high[2] + over};
  if (!vd_mesh_ray(mesh, from, (const double[3]){0.0, 0.0, -1.0}, high[2] - low[2] + 2.0 * over, &t, normal) ||
      !(normal[2] > level))
    return false;
  *road = (vd_road){from[2] - t, -normal[0] / normal[2], -normal[1] / normal[2]};
  return true;
}

static bool own_top(const vd_ground *ground, double x, double y, vd_road *road) {
  if (!ground->solid) {
    vd_ground_road(ground, x, y, road);
    return true;
  }
  return is_mesh(ground) ? mesh_top(ground->solid->mesh, x, y, road) : vd_strip_top(ground->solid, x, y, road);
}

bool vd_ground_top(const vd_ground *ground, double x, double y, vd_road *road) {
  bool any = own_top(ground, x, y, road);
  for (size_t i = 0; i < ground->others; i++) {
    vd_road here;
    if (own_top(&ground->other[i], x, y, &here) && !(any && here.z < road->z)) {
      *road = here;
      any = true;
    }
  }
  if (!any)
    *road = (vd_road){0.0, 0.0, 0.0};
  return any;
}
