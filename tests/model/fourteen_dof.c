/* The equations of the fourteen-DOF level at random states, by three laws that are independent of their solution in
 * lib: power and momentum (ride_states.h), and virtual work. The test computes places of masses and contacts itself,
 * from the vehicle's figures.
 *
 * Virtual work, for each travel s_j, with sums over masses m at places r and over contacts p, and the wheel radius R:
 * sum(m (a - g) . dr/ds_j) = sum(F . dp/ds_j) - spring - damper + drive torque x (slope under drive - slope under
 * braking)/R. Together with the momenta these are all equations of the ten coordinates of body and suspension. */
#include "ride_states.h"

/* Returns the place of a point of the axle's beam, `left` of and `above` the roll centre, in body axes from the centre
 * of gravity. The beam slides by the mean travel and turns by -(s_right - s_left)/track. */
static vec on_beam(const vd_vehicle_def *v, int a, const double *travel, double left, double above) {
  double f = (travel[2 * a + 1] - travel[2 * a]) / v->axle[a].track, c = cos(f), s = sin(f);
  double centre = v->axle[a].roll_centre_height - v->cg_height + 0.5 * (travel[2 * a] + travel[2 * a + 1]);
  return vec_of(axle_x(v, a), left * c + above * s, centre + above * c - left * s);
}

static vec unsprung_place(const scene *s, int i, const double *travel) {
  const vd_vehicle_def *v = vehicle_of(s);
  return on_beam(v, vd_axle_of(i), travel, half(v, i),
                 v->axle[vd_axle_of(i)].unsprung_height - v->axle[vd_axle_of(i)].roll_centre_height);
}

static vec wheel_axle(const scene *s, const sample *p, const vd_eval *e, int i, double *turn) {
  (void)s, (void)p;
  *turn = 0.0;
  return vec_of(-sin(e->steering.angle[i]), cos(e->steering.angle[i]), 0.0);
}

static const geometry own = {unsprung_place, wheel_axle};

/* Returns the slope of the contact's path, forward displacement per bump travel, of a braked or a driven wheel. The
 * links carry `share` of the load transfer F h/L by their force, slope x (part of F). */
static double links_slope(const vd_model *m, int a, bool drive) {
  const vd_vehicle *v = &m->vehicle;
  double share = drive ? v->axle[a].anti_drive : v->axle[a].anti_brake;
  const double *part = drive ? m->lanes.drive_share : m->lanes.brake_share;
  double sum = part[2 * a] + part[2 * a + 1];
  return sum > 0.0 ? (a == VD_FRONT ? 1.0 : -1.0) * share * v->cg_height / (sum * v->wheelbase) : 0.0;
}

static contact contact_of(const scene *s, const sample *p, const pose *o, const vd_eval *e, int i, worst *w) {
  const vd_vehicle_def *v = vehicle_of(s);
  int a = vd_axle_of(i);
  const double *travel = p->s.x + VD_S_TRAVEL;
  double f = (travel[2 * a + 1] - travel[2 * a]) / v->axle[a].track, d = e->steering.angle[i];
  vec axle = to_world(o, vec_of(-sin(d), cos(d) * cos(f), -cos(d) * sin(f)));
  vec centre = on_beam(v, a, travel, half(v, i), v->axle[a].wheel_radius - v->axle[a].roll_centre_height);
  centre.v[0] += links_slope(&s->model, a, false) * travel[i];
  centre = add(o->origin, 1.0, to_world(o, centre));
  return contact_at(s, e, i, o, axle, centre, to_world(o, vec_of(-sin(d), cos(d), 0.0)), w);
}

/* Returns the tolerance for the links of a coupled drivetrain, N m. The test computes the drive torques that the shafts
 * transmit without an angular acceleration of the body. The inertia torques of the wheels, I (w' . e + w . e') with the
 * wheel's axle e, change them by at most their own amount (equal inertias). Zero if no shafts are coupled. */
static double passed_on(const scene *s, const sample *p, const vd_eval *e, const double *dx) {
  double sum = 0.0;
  for (int i = 0; i < VD_WHEELS && s->model.coupled; i++) {
    double c = cos(e->steering.angle[i]), t = sin(e->steering.angle[i]);
    double along = p->s.x[VD_S_ROLL_RATE] * c + p->s.x[VD_S_PITCH_RATE] * t;
    sum += vehicle_of(s)->axle[vd_axle_of(i)].wheel_inertia *
           fabs(dx[VD_S_PITCH_RATE] * c - dx[VD_S_ROLL_RATE] * t - p->c.angle_rate[i] * along);
  }
  return sum;
}

static void check_travels(const scene *s, const sample *p, const nearby *n, double h, const vd_eval *e,
                          const double *dx, const contact *k, const vec *accel, worst *w) {
  (void)n; /* the derivatives of the travels themselves are known */
  (void)h;
  const vd_vehicle_def *v = vehicle_of(s);
  vec gravity = vec_of(0.0, 0.0, -VD_GRAVITY);
  pose o = pose_of(p->s.x);
  for (int j = 0; j < VD_WHEELS; j++) {
    int a = j / 2;
    const double reach = 1e-3;
    double travel[4][VD_WHEELS], sum = 0.0, largest = v->mass * VD_GRAVITY;
    for (int t = 0; t < 4; t++) {
      memcpy(travel[t], p->s.x + VD_S_TRAVEL, sizeof travel[t]);
      travel[t][j] += (t % 2 == 0 ? 1.0 : -1.0) * (t < 2 ? reach : 0.5 * reach);
    }
    for (int i = 2 * a; i < 2 * a + 2; i++) {
      /* the contact as a point of the beam: from the roll centre, in the beam's axes */
      vec centre = on_beam(v, a, p->s.x + VD_S_TRAVEL, 0.0, 0.0), r = add(k[i].own, -1.0, centre), arm, path;
      double f = (p->s.x[VD_S_TRAVEL + 2 * a + 1] - p->s.x[VD_S_TRAVEL + 2 * a]) / v->axle[a].track;
      double left = r.v[1] * cos(f) - r.v[2] * sin(f), above = r.v[1] * sin(f) + r.v[2] * cos(f);
      vec m[4], c[4];
      for (int t = 0; t < 4; t++) {
        m[t] = unsprung_place(s, i, travel[t]);
        c[t] = on_beam(v, a, travel[t], left, above);
      }
      for (int d = 0; d < 3; d++) {
        arm.v[d] = slope(m[0].v[d], m[1].v[d], m[2].v[d], m[3].v[d], reach);
        path.v[d] = slope(c[0].v[d], c[1].v[d], c[2].v[d], c[3].v[d], reach);
      }
      if (i == j)
        path.v[0] += links_slope(&s->model, a, false);
      double given = dot(to_body(&o, k[i].force), path);
      double taken = mass_of(v, i) * dot(to_body(&o, add(accel[i], -1.0, gravity)), arm);
      sum += given - taken;
      largest += fabs(given) + fabs(taken);
    }
    double links = (links_slope(&s->model, a, true) - links_slope(&s->model, a, false)) / v->axle[a].wheel_radius;
    sum += links * e->drive.drive_torque[j] - e->suspension.spring_force[j] - e->suspension.damper_force[j];
    largest += fabs(e->suspension.spring_force[j]) + fabs(e->suspension.damper_force[j]);
    double missed = fabs(links) * passed_on(s, p, e, dx);
    if (missed > 0.0) {
      take(&w->passed, sum / missed);
      w->uncertain++;
    } else {
      take(&w->travel, sum / largest);
    }
  }
}

enum { STATES = 400 };

static const suspension_laws laws = {contact_of, NULL, check_travels, &own};

static void check_case(size_t number) {
  const car *c = &cases[number].car;
  scene *s = scene_make(cases[number].text, c->setting[0], c->setting[1], c->setting[2], c->setting[3], NULL);
  seed = 1000 + number;
  const worst w = check_states(&laws, s, c->what, STATES);
  report_states(&w, c->name, 1e-7, 1e-12);
  bool moved = false;
  for (int a = 0; a < VD_AXLES; a++)
    moved |= s->model.coupled && links_slope(&s->model, a, true) != links_slope(&s->model, a, false);
  report_passed(&w, moved, c->name, "links that a coupled drivetrain moves");
  tap_near(w.load, 0.0, 1e-12, "%s: loads without damping are forces of springs that cannot pull, within %.1e m g",
           c->name, w.load);
  scene_free(s);
}

/* Checks that the quaternion turns the body's axes to the directions given by ISO 8855's angles: x to (cos yaw cos
 * pitch, sin yaw cos pitch, -sin pitch), and the heights of y and z are cos pitch sin roll and cos pitch cos roll. */
static void check_quaternion(void) {
  scene *s = scene_make("vehicle: ../vehicles/sedan.yaml\nrun: {duration: 1 s, level: L3}\n", NULL);
  double off = 0.0;
  for (int k = 0; k < 200; k++) {
    double yaw = s->sim.state.x[VD_S_YAW] = uniform(-4.0, 4.0), pitch = s->sim.state.x[VD_S_PITCH] = uniform(-1.0, 1.0);
    double roll = s->sim.state.x[VD_S_ROLL] = uniform(-3.0, 3.0);
    vd_row row = scene_row(s);
    const double *q = row.eval.log.quaternion;
    double w = q[0], x = q[1], y = q[2], z = q[3];
    const double is[] = {w * w + x * x + y * y + z * z, 1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z),
                         2.0 * (x * z - w * y),         2.0 * (y * z + w * x),       1.0 - 2.0 * (x * x + y * y)};
    const double due[] = {1.0,         cos(yaw) * cos(pitch),  sin(yaw) * cos(pitch),
                          -sin(pitch), cos(pitch) * sin(roll), cos(pitch) * cos(roll)};
    for (size_t i = 0; i < VD_COUNT(is); i++)
      off = tap_max(off, fabs(is[i] - due[i]));
  }
  tap_near(off, 0.0, 1e-14, "the quaternion agrees with yaw, pitch and roll (%.1e)", off);
  scene_free(s);
}

int main(void) {
  tap_plan(7 * (int)VD_COUNT(cases) + 1);
  for (size_t k = 0; k < VD_COUNT(cases); k++)
    check_case(k);
  check_quaternion();
  return tap_done();
}
