#include "model/road_planes.h"

#include <math.h>

/* The contact of a wheel that has no road within reach; its distance is set later. */
static const vd_contact_point nowhere = {.normal = {0.0, 0.0, 1.0}};

static void set_plane(const vd_contact_point *contact, int wheel, vd_planes *planes) {
  planes->distance[wheel] = contact->distance;
  planes->normal.x[wheel] = contact->normal[0];
  planes->normal.y[wheel] = contact->normal[1];
  planes->normal.z[wheel] = contact->normal[2];
}

void vd_road_planes(const vd_model *m, const vd_command *c, const vd_discs *discs, double *friction,
                    vd_planes *planes) {
  const vd_ground *ground = &m->ground;
  const double *free_radius = m->ride.free_radius;
  const vd_wide3 *axle = &discs->axle;
  vd_wide3 centre = discs->centre;
  centre.z -= vd_wide_load(c->post);
  if (vd_ground_heights(ground)) {
    vd_ground_height_planes(ground, &centre, axle, free_radius, &planes->normal, &planes->distance);
    return;
  }
  for (int i = 0; i < VD_WHEELS; i++) {
    const double above = centre.z[i] + free_radius[i]; /* m, height of the wheel's top if the car stays upright */
    const double body[2][3] = {{centre.x[i], centre.y[i], above}, {centre.x[i], centre.y[i], above}};
    const vd_disc disc = {.centre = {centre.x[i], centre.y[i], centre.z[i]},
                          .axle = {axle->x[i], axle->y[i], axle->z[i]},
                          .radius = free_radius[i],
                          .body = body};
    vd_contact_point here = nowhere;
    int hint = -1;
    if (!vd_ground_contact(ground, &disc, &hint, &here, &friction[i])) {
      here.distance = 2.0 * disc.radius;
      friction[i] = ground->friction;
    }
    set_plane(&here, i, planes);
  }
}

void vd_commanded_planes(const vd_model *m, const vd_command *c, const vd_discs *discs, vd_planes *planes) {
  vd_wide none = 0.0 * discs->centre.z, slope_x = none + m->ground.slope_x, slope_y = none + m->ground.slope_y;
  if (c->tilted) {
    slope_x += vd_wide_load(c->road_slope[0]);
    slope_y += vd_wide_load(c->road_slope[1]);
  }
  vd_wide up = 1.0 / vd_wide_sqrt(1.0 + slope_x * slope_x + slope_y * slope_y);
  vd_wide height = vd_wide_load(c->post) + slope_x * discs->centre.x + slope_y * discs->centre.y;
  planes->normal = (vd_wide3){-up * slope_x, -up * slope_y, up};
  planes->distance = up * (discs->centre.z - height);
}

/* --- L5 --- */

/* Sets the contact of a wheel without a surface within reach: a plane far below, perpendicular to the disc, so that all
 * results are finite and the tyre has no load. */
static void nothing_below(const double *x, const double *axle, vd_contact_point *contact) {
  static const double far = 1e3; /* m */
  double along = 0.0, square = 0.0, *normal = contact->normal;
  vd_frame f;
  vd_frame_from_quaternion(x, &f);
  for (int axis = 2; axis >= 1 && !(square > 0.1); axis--) { /* the body's z, or its y for a wheel on its side */
    along = square = 0.0;
    for (int j = 0; j < 3; j++)
      along += f.to_world[j][axis] * axle[j];
    for (int j = 0; j < 3; j++) {
      normal[j] = f.to_world[j][axis] - along * axle[j];
      square += normal[j] * normal[j];
    }
  }
  for (int j = 0; j < 3; j++)
    normal[j] /= sqrt(square);
  contact->distance = far;
}

void vd_find_surface_contact(const vd_model *m, const double *x, const vd_discs *discs, int wheel, double *hint,
                             vd_surface_contact *contact) {
  const double *q = x + VD_S_QUATERNION, radius = m->ride.free_radius[wheel];
  const vd_wide3 *centre = &discs->centre, *axle = &discs->axle;
  const double body[2][3] = {{centre->x[wheel] + 2.0 * radius * (q[1] * q[3] + q[0] * q[2]),
                              centre->y[wheel] + 2.0 * radius * (q[2] * q[3] - q[0] * q[1]),
                              centre->z[wheel] + radius * (1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2]))},
                             {x[VD_S_ALONG], x[VD_S_ACROSS], x[VD_S_HEIGHT]}};
  vd_disc disc = {{centre->x[wheel], centre->y[wheel], centre->z[wheel]},
                  {axle->x[wheel], axle->y[wheel], axle->z[wheel]},
                  radius,
                  body};
  int face = (int)*hint;
  if (!vd_ground_contact(&m->ground, &disc, &face, &contact->at, &contact->friction)) {
    nothing_below(x, disc.axle, &contact->at);
    contact->friction = m->ground.friction;
  }
  *hint = face;
}

void vd_surface_planes(const vd_model *m, const double *x, const vd_discs *discs, double *hint, double *friction,
                       vd_planes *planes) {
  for (int i = 0; i < VD_WHEELS; i++) {
    vd_surface_contact contact;
    vd_find_surface_contact(m, x, discs, i, &hint[i], &contact);
    friction[i] = contact.friction;
    set_plane(&contact.at, i, planes);
  }
}
