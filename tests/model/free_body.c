/* The equations of the free body at random states, by laws that are independent of their solution in lib.
 *
 * Power: along the motion, the total energy of the log changes by the sum of all work rates. Momentum: the sum over all
 * masses changes by the forces of gravity, air and road; their angular momentum about the world's origin, wheel spins
 * included, by the moments of these forces. Both are differences along the motion, extrapolated to fourth order
 * (ride_states.h).
 *
 * Stiff links across the wheels' paths have only 1e6 N/m here, so that a difference over h = 2e-5 s, with w h = 3e-3 (w
 * = 158 1/s, 1e6 N/m on 40 kg), has an error of (w h)^4/120 = 1e-12. The remainder is rounding: energies of 1e6 J have
 * an error of 1e-10 J, which divided by 2e-5 s is 5e-6 W of some 1e6 W. Masses of links are points of linkages that are
 * closed anew, to 1e-12 m. Velocities are differences over 0.5 mm, and rates over 1e-5 s, which makes 60 kg x 0.8 m x
 * (1e-12 m/0.5 mm) x 1 m/s/1e-5 s = 0.01 N m of some 1e4 N m. Slopes of their maps are off by 6e-6 at the ends
 * (multibody.c): 40 kg x 6e-6 x 1 m/s x 40 m/s = 0.01 J of 1e6 J. */
#include "free_states.h"

#include <stdio.h>
#include <string.h>

static const double reach = 1e-5; /* s, of the differences */

/* --- states --- */

/* Draws a state: any attitude in the air, a small one on the ground; wheels on stiff links are beside their paths and
 * move across them. */
static void free_state(const scene *s, int what, sample *p) {
  const vd_model *m = &s->model;
  random_state(m, &s->sim.command, what, p);
  double *x = p->s.x, *q = x + VD_S_QUATERNION;
  if (uniform(0.0, 1.0) < 0.2)
    x[VD_S_HEIGHT] += 3.0;
  bool flies = x[VD_S_HEIGHT] > 2.0;
  double half_turn = 0.5 * x[VD_S_YAW], tilt = flies ? 1.0 : 0.05;
  double square = 0.0;
  for (int i = 0; i < 4; i++) {
    q[i] = (i == 0 ? cos(half_turn) : i == 3 ? sin(half_turn) : 0.0) + around(tilt);
    square += q[i] * q[i];
  }
  for (int i = 0; i < 4; i++)
    q[i] /= sqrt(square);
  for (int i = 0; i < VD_WHEELS; i++) {
    bool guided = vd_on_rigid_links(&m->options);
    x[VD_S_TRAVEL + i] = guided ? around(0.09) : 0.0;
    x[VD_S_TRAVEL_RATE + i] = guided ? around(1.0) : 0.0;
    if (!vd_on_stiff_links(&m->options))
      continue;
    vec off = vec_of(around(0.003), around(0.003), around(0.09));
    vec at = add(design_place(s, i), 1.0, off);
    vec w = vec_of(x[VD_S_ROLL_RATE], x[VD_S_PITCH_RATE], x[VD_S_YAW_RATE]);
    vec v =
        add(vec_of(x[VD_S_VX] + around(0.1), x[VD_S_VY] + around(0.1), x[VD_S_VZ] + around(1.0)), 1.0, cross(w, at));
    at = world_of(x, at);
    v = turned_by(q, v);
    for (int j = 0; j < 3; j++) {
      x[VD_S_WHEEL_PLACE + VD_WHEELS * j + i] = at.v[j];
      x[VD_S_WHEEL_SPEED + VD_WHEELS * j + i] = v.v[j];
    }
  }
}

static void next_free_sample(const scene *s, int what, sample *p, vd_eval *e, double *dx, nearby *n) {
  static const double step[4] = {1.0, -1.0, 0.5, -0.5};
  double unused[VD_STATES];
  bool bent;
  do {
    bent = false;
    free_state(s, what, p);
    evaluate(&s->model, p, e, dx);
    for (int j = 0; j < 4; j++) {
      n->at[j] = moved(&s->model, p, dx, step[j] * reach);
      evaluate(&s->model, &n->at[j], &n->e[j], unused);
      bent |= bends(e, &n->e[j]);
    }
  } while (bent);
}

/* --- laws --- */

static double change(const nearby *n, size_t part) {
  double value[4];
  for (int j = 0; j < 4; j++)
    memcpy(&value[j], (const char *)&n->e[j] + part, sizeof value[j]);
  return slope(value[0], value[1], value[2], value[3], reach);
}

static void check_free_power(const nearby *n, const double *dx, worst *w) {
  static const size_t part[] = {offsetof(vd_eval, log.energy_kinetic), offsetof(vd_eval, log.energy_spin),
                                offsetof(vd_eval, log.energy_gravity), offsetof(vd_eval, log.energy_spring),
                                offsetof(vd_eval, log.energy_tyre),    offsetof(vd_eval, log.energy_link),
                                offsetof(vd_eval, log.energy_steering)};
  double magnitude = fabs(dx[VD_S_WORK_LINK]), power = work_rate(dx, &magnitude) + dx[VD_S_WORK_LINK], sum = 0.0;
  for (size_t k = 0; k < VD_COUNT(part); k++) {
    double rate = change(n, part[k]);
    sum += rate;
    magnitude += fabs(rate);
  }
  take(&w->power, (sum - power) / magnitude);
}

/* Adds a force at a place, both in the world. */
static void push(vec at, vec f, vec *force, vec *moment, double *size, double *turning) {
  vec m = cross(at, f);
  *force = add(*force, 1.0, f);
  *moment = add(*moment, 1.0, m);
  *size += norm(f);
  *turning += norm(m);
}

static void check_free_momentum(const scene *s, const sample *p, const vd_eval *e, const nearby *n, worst *w) {
  const vd_vehicle_def *v = vehicle_of(s);
  const vd_aero *air = &v->aero;
  const double *x = p->s.x, *q = x + VD_S_QUATERNION, *g = s->model.ground.normal;
  vec zero = vec_of(0, 0, 0), force = zero, moment = zero, linear, angular, at[4], normal = vec_of(g[0], g[1], g[2]);
  double size = 0.0, turning = 0.0, u = x[VD_S_VX], pressure = 0.5 * air->air_density * air->frontal_area * u * u;
  for (int j = 0; j < 4; j++)
    at[j] = angular_momentum(s, n->at[j].s.x, &n->e[j], zero);
  for (int j = 0; j < 3; j++) {
    linear.v[j] = v->mass * change(n, offsetof(vd_eval, log.cg_speed) + (size_t)j * sizeof(double));
    angular.v[j] = slope(at[0].v[j], at[1].v[j], at[2].v[j], at[3].v[j], reach);
    /* the mass centre moves with the logged speed */
    take(&w->travel, change(n, offsetof(vd_eval, log.cg) + (size_t)j * sizeof(double)) - e->log.cg_speed[j]);
  }
  push(vec_of(e->log.cg[0], e->log.cg[1], e->log.cg[2]), vec_of(0.0, 0.0, -v->mass * VD_GRAVITY), &force, &moment,
       &size, &turning);
  push(world_of(x, vec_of(0.0, 0.0, -v->cg_height)), turned_by(q, vec_of(-sign_of(u) * pressure * air->drag, 0.0, 0.0)),
       &force, &moment, &size, &turning);
  for (int a = 0; a < VD_AXLES; a++)
    push(world_of(x, vec_of(axle_x(v, a), 0.0, -v->cg_height)),
         turned_by(q, vec_of(0.0, 0.0, -pressure * (a == 0 ? air->downforce_front : air->downforce_rear))), &force,
         &moment, &size, &turning);
  for (int i = 0; i < VD_WHEELS; i++) {
    vec axle = turned_by(q, axle_in_body(e, i)), ahead = unit(cross(axle, normal)), aside = cross(normal, ahead);
    vec f = add(add(add(zero, e->tyre.fx[i], ahead), e->tyre.fy[i], aside), e->tyre.load[i], normal);
    vec couple = add(add(add(zero, e->tyre.mx[i], ahead), e->tyre.mz[i], normal), e->tyre.my[i], axle);
    push(vec_of(e->contact.contact_x[i], e->contact.contact_y[i], e->contact.contact_z[i]), f, &force, &moment, &size,
         &turning);
    moment = add(moment, 1.0, couple);
    w->touching += e->tyre.load[i] > 0.0;
    w->airborne += e->tyre.load[i] == 0.0;
  }
  take(&w->linear, norm(add(linear, -1.0, force)) / size);
  take(&w->angular, norm(add(angular, -1.0, moment)) / turning);
}

/* Returns the kinetic energy of the body with wheels as points at their design places, plus the additional energy of
 * the links. */
static double kinetic_energy(const scene *s, const double *x) {
  const vd_ride *ride = &s->model.ride;
  vec u = vec_of(x[VD_S_VX], x[VD_S_VY], x[VD_S_VZ]),
      w = vec_of(x[VD_S_ROLL_RATE], x[VD_S_PITCH_RATE], x[VD_S_YAW_RATE]);
  vec v =
      add(u, 1.0, cross(w, vec_of(ride->free.body_centre[0], ride->free.body_centre[1], ride->free.body_centre[2])));
  double sum = 0.5 * ride->free.body_mass * dot(v, v), more;
  for (int j = 0; j < 3; j++)
    for (int k = 0; k < 3; k++)
      sum += 0.5 * w.v[j] * ride->free.body_inertia[j][k] * w.v[k];
  for (int i = 0; i < VD_WHEELS; i++) {
    v = add(u, 1.0, cross(w, design_place(s, i)));
    link_sums(s, x, i, vec_of(0, 0, 0), &more);
    sum += 0.5 * ride->unsprung_mass[i] * dot(v, v) + more;
  }
  return sum;
}

/* --- cases --- */

enum { STATES = 300 };

#define WISHBONES                                                                                                      \
  "vehicle.front.linkage=scenarios/suspensions/dw_front_sports.yaml",                                                  \
      "vehicle.rear.linkage=scenarios/suspensions/5link_rear_sports.yaml"
#define ARMS                                                                                                           \
  "vehicle.front.linkage=scenarios/suspensions/mp_front_sedan.yaml",                                                   \
      "vehicle.rear.linkage=scenarios/suspensions/ta_rear_sedan.yaml"

/* Link masses for the linkages above: arms and rods are as heavy as the knuckles, so that none of their effects is
 * small. */
#define MASSES_OF(axle, file, inertia, members)                                                                        \
  "vehicle." axle ".link_masses=bodies", "vehicle." axle ".linkage={base: scenarios/suspensions/" file                 \
                                         ".yaml, mass: {knuckle: 20, knuckle_inertia: " inertia ", " members "}}"
#define LINK_MASSES                                                                                                    \
  MASSES_OF("front", "mp_front_sedan", "[2.1, 2.9, 1.7]", "lca: 15, tie_rod: 4"),                                      \
      MASSES_OF("rear", "ta_rear_sedan", "[1.9, 3.1, 2.3]", "arm: 25")

/* A steering column with steering axes or racks, and rear wheels that steer. */
#define STEERING                                                                                                       \
  "vehicle.steering={ratio: 15, ackermann: 0.7, trail: 30 mm, scrub: 20 mm, inclination: 11 deg, caster: 5 deg,"       \
  " column: {wheel_friction: 0.3, gear_friction: 0.5}, assist: {speed: 0, torque: [[0, 0], [2, 1], [9, 60]]},"         \
  " rear: {gain: [[0, -0.3], [30, 0.2]]}}"
#define RACKS                                                                                                          \
  "vehicle.front.linkage=scenarios/suspensions/dw_front_sports.yaml",                                                  \
      "vehicle.rear.linkage={base: scenarios/suspensions/5link_rear_sports.yaml, steering: rack}"

static const struct {
  const char *name, *setting[5];
  bool steered; /* true: only every third case is run */
} kinds[] = {
    {"hub", {"run.unsprung=hub", "run.step=0.5 ms", NULL}, false},
    {"strut", {"run.unsprung=strut", "run.step=0.5 ms", NULL}, false},
    {"strut, stiff links", {"run.unsprung=strut", "run.step=0.5 ms", NULL}, false},
    {"double wishbones, five links", {"run.unsprung=linkage", WISHBONES}, false},
    {"double wishbones, five links, stiff", {"run.unsprung=linkage", WISHBONES}, false},
    {"struts, trailing arms", {"run.unsprung=linkage", ARMS}, false},
    {"struts, trailing arms, stiff", {"run.unsprung=linkage", ARMS}, false},
    {"struts, trailing arms with masses", {"run.unsprung=linkage", LINK_MASSES}, false},
    {"hub, column, rear steering", {"run.unsprung=hub", "run.step=0.5 ms", STEERING}, true},
    {"strut, column, rear steering", {"run.unsprung=strut", "run.step=0.5 ms", STEERING}, true},
    {"strut, stiff links, column, rear steering", {"run.unsprung=strut", "run.step=0.5 ms", STEERING}, true},
    {"racks, column, rear steering", {"run.unsprung=linkage", RACKS, STEERING}, true},
    {"racks, stiff, column, rear steering", {"run.unsprung=linkage", RACKS, STEERING}, true},
};

static void check_free_case(size_t number, size_t kind) {
  const car *c = &cases[number].car;
  const char *setting[4], *const *own = kinds[kind].setting;
  bool stiff = strstr(kinds[kind].name, "stiff");
  for (size_t k = 0; k < VD_COUNT(setting); k++)
    setting[k] = c->setting[k] ? c->setting[k] : "run.level=L5";
  scene *s =
      scene_make(cases[number].text, setting[0], setting[1], setting[2], setting[3], "run.level=L5", "run.lean=true",
                 stiff ? "run.links=stiff" : "run.links=rigid", stiff ? "run.link_stiffness=1e6" : "run.links=rigid",
                 own[0], own[1], own[2], own[3], own[4], NULL);
  worst w = {0};
  seed = 9000 + 100 * kind + number;
  for (; w.states < STATES; w.states++) {
    sample p;
    nearby n;
    vd_eval e;
    double dx[VD_STATES];
    next_free_sample(s, c->what, &p, &e, dx, &n);
    check_free_power(&n, dx, &w);
    check_free_momentum(s, &p, &e, &n, &w);
    if (s->model.ride.link.has_link_bodies)
      take(&w.load, e.log.energy_kinetic / kinetic_energy(s, p.s.x) - 1.0);
  }
  tap_diag("%s, %s: %ld wheels in the air, %ld on the road", kinds[kind].name, c->name, w.airborne, w.touching);
  tap_near(w.power, 0.0, 1e-7, "%s, %s: energy changes by the work done, within %.1e of all powers", kinds[kind].name,
           c->name, w.power);
  tap_near(w.linear, 0.0, 1e-7, "%s, %s: linear momentum changes by the forces, within %.1e of all forces",
           kinds[kind].name, c->name, w.linear);
  tap_near(w.angular, 0.0, s->model.ride.link.has_link_bodies ? 1e-5 : 1e-7,
           "%s, %s: angular momentum changes by the moments, within %.1e of all moments", kinds[kind].name, c->name,
           w.angular);
  if (s->model.ride.link.has_link_bodies)
    tap_near(w.load, 0.0, 1e-8, "%s, %s: kinetic energy is the sum over all masses, within %.1e", kinds[kind].name,
             c->name, w.load);
  tap_near(w.travel, 0.0, 1e-7, "%s, %s: the mass centre moves at its computed speed (%.1e m/s)", kinds[kind].name,
           c->name, w.travel);
  scene_free(s);
}

int main(void) {
  enum { STEERED = 5, THIRD = (VD_COUNT(cases) + 2) / 3, ONE_OF = 3 };
  int number = 0;
  tap_plan(4 * (int)(VD_COUNT(cases) * (VD_COUNT(kinds) - STEERED) + STEERED * THIRD) + (int)VD_COUNT(cases));
  for (size_t k = 0; k < VD_COUNT(cases); k++)
    for (size_t kind = 0; kind < VD_COUNT(kinds); kind++)
      if (!kinds[kind].steered || k % 3 == 0) {
        const bool masses = strstr(kinds[kind].name, "masses");
        if (!tap_left_out(4 + masses, number++, ONE_OF))
          check_free_case(k, kind);
      }
  return tap_done();
}
