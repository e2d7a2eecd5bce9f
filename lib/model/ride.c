/* L3, L4 and L5: constants of the parts between body and road, and the start on the road. */
#include "model/model_impl.h"
#include "base/elementary.h"
#include "base/vec.h"

/* Returns the slope of the contact's path at which the links carry `share' of the load transfer caused by a torque.
 * part: share of this torque on the axle. */
static double anti_slope(const vd_model *m, int axle, double share, double part) {
  double slope = part > 0.0 ? share * m->vehicle.design_height / (part * m->vehicle.wheelbase) : 0.0;
  return axle == VD_FRONT ? slope : -slope;
}

static void build_axle(vd_model *m, int a) {
  vd_ride *ride = &m->ride;
  const vd_vehicle_axle *axle = &m->vehicle.axle[a];
  const vd_lanes *lanes = &m->lanes;
  double height = m->vehicle.cg_height, load = m->vehicle.design_load[a];
  ride->bar[a] = axle->antiroll_stiffness / (axle->track * axle->track);
  ride->beam.camber_gain[a] = axle->camber_gain;
  double braking =
      anti_slope(m, a, axle->anti_brake, lanes->brake_share[vd_left_wheel(a)] + lanes->brake_share[vd_right_wheel(a)]);
  double driving =
      anti_slope(m, a, axle->anti_drive, lanes->drive_share[vd_left_wheel(a)] + lanes->drive_share[vd_right_wheel(a)]);
  for (int i = vd_left_wheel(a); i <= vd_right_wheel(a); i++) {
    const vd_tyre *whole = &m->vehicle.tyre[i];
    const vd_tyre_common *tyre = &whole->common;
    ride->unsprung_mass[i] = axle->unsprung_mass;
    ride->unsprung_sum += axle->unsprung_mass;
    ride->beam.roll_centre_z[i] = axle->roll_centre_height - height;
    ride->beam.wheel_above[i] = axle->loaded_radius - axle->roll_centre_height;
    ride->beam.half_track[i] = 0.5 * axle->track;
    ride->beam.inverse_track[i] = 1.0 / axle->track;
    ride->beam.mass_above[i] = axle->unsprung_height - axle->roll_centre_height;
    ride->beam.brake_slope[i] = braking;
    ride->beam.drive_slope[i] = (driving - braking) / axle->wheel_radius;
    ride->tyre_stiffness[i] = tyre->vertical_stiffness;
    ride->tyre_damping[i] = tyre->vertical_damping;
    ride->damped |= tyre->vertical_damping > 0.0;
    ride->free_radius[i] = axle->loaded_radius + vd_tyre_vertical_deflection(whole, load);
    if (vd_tyre_curved(whole)) {
      ride->curved = true;
      ride->tyre_stiffness[i] = vd_tyre_vertical(whole, ride->free_radius[i] - axle->loaded_radius).slope;
    }
  }
}

double vd_ride_tyre_load(const vd_model *m, int i, double deflection) {
  return m->ride.curved ? vd_tyre_vertical(&m->vehicle.tyre[i], deflection).force
                        : m->ride.tyre_stiffness[i] * deflection;
}

void vd_ride_tyre_forces(const vd_model *m, const double *deflection, double *force) {
  for (int i = 0; i < VD_WHEELS; i++)
    force[i] = vd_tyre_vertical(&m->vehicle.tyre[i], deflection[i]).force;
}

double vd_ride_tyre_energy(const vd_model *m, int i, double deflection) {
  return m->ride.curved ? vd_tyre_vertical(&m->vehicle.tyre[i], deflection).energy
                        : 0.5 * m->ride.tyre_stiffness[i] * deflection * deflection;
}

void vd_ride_build(vd_model *m) {
  vd_ride *ride = &m->ride;
  const vd_vehicle *v = &m->vehicle;
  double first = 0.0;
  *ride = (vd_ride){.sprung_mass = m->vehicle.masses.sprung, .on_posts = m->options.on_posts};
  ride->plane = vd_ground_plane(&m->ground);
  for (int i = 0; i < VD_WHEELS; i++)
    first += v->axle[vd_axle_of(i)].unsprung_mass * m->lanes.x[i];
  ride->sprung_x = -first / ride->sprung_mass;
  ride->sprung_y = m->vehicle.masses.sprung_left;
  ride->sprung_z = m->vehicle.masses.sprung_height - v->cg_height;
  ride->inertia_x = v->roll_inertia;
  ride->inertia_y = v->pitch_inertia;
  ride->inertia_z = vd_vehicle_sprung_yaw_inertia(v);
  for (int k = 0; k < VD_PRODUCTS; k++)
    ride->product[k] = v->product[k];
  ride->asymmetric = ride->sprung_y != 0.0 || v->product[0] != 0.0 || v->product[1] != 0.0 || v->product[2] != 0.0;
  for (int a = 0; a < VD_AXLES; a++)
    build_axle(m, a);
  if (!m->options.lean) {
    double weight = m->vehicle.masses.sprung * VD_GRAVITY, radius = 0.0, arm = 0.0;
    for (int a = 0; a < VD_AXLES; a++) {
      radius += m->vehicle.masses.sprung_share[a] * v->axle[a].loaded_radius;
      arm += m->vehicle.masses.sprung_share[a] * v->axle[a].roll_centre_height;
    }
    ride->lean_roll = weight * (m->vehicle.masses.sprung_height - arm);
    ride->lean_pitch = weight * (m->vehicle.masses.sprung_height - radius);
  }
}

/* Returns the moment about x of the propeller shaft over the drive torque. If the car drives ahead, the shaft turns to
 * the left seen from behind, as with nearly all longitudinal engines. The torque on the pinion is the wheel torque over
 * the final drive ratio. It acts on the axle in the same sense and presses its left wheel down. */
static double shaft_of(const vd_model *m, const vd_vehicle_axle *axle) {
  double ratio = m->vehicle.drivetrain.final_drive;
  return axle->live && ratio > 0.0 ? -0.5 / ratio : 0.0;
}

/* Returns c, the mass by which the acceleration of one end of an axle loads the other end. The axle has the mass 2 m
 * and the inertia J about its middle, equal about x and z. With the accelerations a_l and a_r of its ends, the middle
 * has the mean acceleration, and the angular acceleration is their difference divided by the track T. The forces of
 * inertia at the ends are (m - c) a_l + c a_r at the left end and (m - c) a_r + c a_l at the right end, where (m - 2 c)
 * T^2/2 = J. Masses at the wheels have c = 0. */
static double shared_mass(const vd_vehicle_axle *axle) {
  return 0.5 * axle->unsprung_mass - axle->unsprung_roll_inertia / (axle->track * axle->track);
}

static void link_shaft(vd_ride *ride, int i, bool kingpin) {
  const vd_shaft_joint straight = {.base = 1.0}, joint = kingpin ? ride->link.map[i]->shaft : straight;
  ride->link.pin_along[i] = joint.along;
  ride->link.joint_sum[i] = joint.sum;
  ride->link.joint_base[i] = joint.base;
  ride->link.joint_amplitude[i] = joint.swing;
  ride->link.joint_straight[i] = joint.straight;
}

void vd_ride_link(vd_model *m) {
  vd_ride *ride = &m->ride;
  ride->link.exact = m->options.exact_linkage;
  for (int i = 0; i < VD_WHEELS; i++) {
    const vd_vehicle_axle *axle = &m->vehicle.axle[vd_axle_of(i)];
    ride->link.map[i] = vd_is_right(i) && axle->map ? axle->map->right : axle->map;
    bool joined = vd_model_linked(m) && axle->map->joined;
    ride->link.joined |= joined;
    ride->link.inertia[i] = axle->inertia;
    ride->link.has_link_bodies |= axle->inertia != NULL;
    ride->link.kingpins |= joined && axle->map->knuckle;
    link_shaft(ride, i, joined && axle->map->knuckle);
    ride->link.is_joined[i] = joined ? 1.0 : 0.0;
    ride->link.on_live_axle[i] = joined && axle->live ? 1.0 : 0.0;
    ride->link.shaft[i] = joined ? shaft_of(m, axle) : 0.0;
    ride->link.shared_mass[i] = joined ? shared_mass(axle) : 0.0;
    /* the body takes the inertia about z that the axle lacks compared with masses at its wheels, so that the inertia of
     * the whole car does not change */
    ride->inertia_z += 0.5 * ride->link.shared_mass[i] * axle->track * axle->track;
  }
  if (vd_model_linked(m) && !ride->link.joined)
    vd_linkage_maps_make(ride->link.map, &ride->link.maps);
}

void vd_ride_tensor(const vd_ride *ride, double (*t)[3]) {
  const double *p = ride->product;
  t[0][0] = ride->inertia_x;
  t[1][1] = ride->inertia_y;
  t[2][2] = ride->inertia_z;
  t[0][1] = t[1][0] = 0.0 - p[VD_PRODUCT_XY];
  t[0][2] = t[2][0] = 0.0 - p[VD_PRODUCT_XZ];
  t[1][2] = t[2][1] = 0.0 - p[VD_PRODUCT_YZ];
}

/* Computes the matrix of forces and moments at O due to the acceleration of O and the angular acceleration: m A + m
 * (alpha x s) and I alpha + m (s x A) + m (s x (alpha x s)). */
void vd_ride_body_matrix(vd_ride *ride) {
  double ms = ride->sprung_mass, s[3] = {ride->sprung_x, ride->sprung_y, ride->sprung_z}, (*a)[8] = ride->body_matrix;
  double inertia[3][3];
  vd_ride_tensor(ride, inertia);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      a[i][j] = i == j ? ms : 0.0;
      a[3 + i][3 + j] = (i == j ? inertia[i][j] + ms * vd_dot(s, s) : inertia[i][j]) - ms * s[i] * s[j];
      a[i][3 + j] = a[3 + i][j] = 0.0;
    }
  a[0][4] = a[4][0] = ms * s[2];
  a[2][4] = a[4][2] = -ms * s[0];
  a[1][3] = a[3][1] = -ms * s[2];
  a[1][5] = a[5][1] = ms * s[0];
  a[0][5] = a[5][0] = -ms * s[1];
  a[2][3] = a[3][2] = ms * s[1];
}

/* Starts in the design position above the plane through the road under the four wheels. Pitch and roll follow from the
 * heading `yaw` and the slopes of this plane. */
void vd_ride_start(const vd_model *m, const vd_command *c, double x, double y, double yaw, vd_state_vector *s) {
  vd_road road;
  double z[VD_WHEELS], cy = vd_cos(yaw), sy = vd_sin(yaw), front = m->vehicle.masses.to_axle[VD_FRONT];
  for (int i = 0; i < VD_WHEELS; i++) {
    double at_x = x + cy * m->lanes.x[i] - sy * m->lanes.y[i], at_y = y + sy * m->lanes.x[i] + cy * m->lanes.y[i];
    vd_ground_top(&m->ground, at_x, at_y, &road);
    z[i] = road.z + (c->roads ? c->post[i] : 0.0);
    z[i] += c->tilted ? c->road_slope[0][i] * at_x + c->road_slope[1][i] * at_y : 0.0;
  }
  double ahead = 0.5 * (z[VD_FL] + z[VD_FR] - z[VD_RL] - z[VD_RR]) / m->vehicle.wheelbase;
  double aside = 0.5 * ((z[VD_FL] - z[VD_FR]) * m->ride.beam.inverse_track[VD_FL] +
                        (z[VD_RL] - z[VD_RR]) * m->ride.beam.inverse_track[VD_RL]);
  double below = 0.5 * (z[VD_FL] + z[VD_FR]) - front * ahead;
  /* in axes that are turned by yaw the normal is (-ahead, -aside, 1) n */
  double n = 1.0 / sqrt(1.0 + ahead * ahead + aside * aside);
  s->x[VD_S_ALONG] = x;
  s->x[VD_S_ACROSS] = y;
  s->x[VD_S_HEIGHT] = below + m->vehicle.cg_height / n;
  s->x[VD_S_PITCH] = -vd_atan(ahead);
  s->x[VD_S_ROLL] = vd_atan2(aside, sqrt(1.0 + ahead * ahead));
}
