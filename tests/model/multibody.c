/* The equations of the hardpoint level at random states, by laws that are independent of their solution in lib: power
 * and momentum (ride_states.h), and virtual work. Places of masses, axles and contacts come from the linkage itself,
 * which is moved here, never from the level's maps; velocities and arms are differences of places.
 *
 * Virtual work, for the travel z of each wheel, all other coordinates fixed, the wheel turning with its knuckle by w_z:
 *
 *   m (a - g) . dq/dz + dH/dt . w_z = F . dP/dz + M . w_z - F_spring dl/dz - F_damper dl/dz - bar + p T_drive
 *
 * with q the place of the unsprung mass, H the spin momentum, P the contact as a point of the knuckle, l the
 * compression of spring and damper, p the component of w_z along the axle. The drive shaft comes from the body, the
 * brake is on the knuckle.
 *
 * With nonlinear bushings the discs are displaced from the linkage's knuckles by the gradient of their energy W
 * (compliance/elastic_map.h), which is evaluated here, and turned by Rodrigues' formula. At constant loads x of the
 * bushings, P and the disc's axle then move with the displaced knuckle, except for its rotation c about the axle, for
 * which only the brake does work. The energy V = x . W_x - W resists: ... + T_brake c - dV/dz.
 *
 * If the linkage is closed at every call, only rounding and the error of the differences remain, 1e-7 as for the
 * fourteen DOF. Maps are cubic splines through poses 5 mm apart. The error of a spline's slope is f'''' h^3/24 (de Boor
 * ch. V), and about ten times as much next to its ends; the error of its second derivative is f'''' h^2/12. Points on
 * arms of R = 0.3 m move along circles with f'''' = 3/R^3 = 1e2/m3: errors are 6e-7 in slopes, 6e-6 at the ends, and
 * 2e-4 m/s2 in z'^2 f'' of about 10 m/s2. Forces are multiplied by the slopes, masses of a tenth of the car by the
 * accelerations: 1e-5. Errors of places are 5/384 f'''' h^4 = 1e-9 m, 1e-8 m at the ends. Tables of the linkages with
 * rows 5 mm apart give the same maps at L3, except for the rotation about the axle, which is the slope of a spline
 * through the rotations; its error is 1e-6 rad/m at the ends. */
#include "ride_states.h"

#include "compliance/elastic_fit.h"
#include "kc/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* --- the knuckles, from the linkages --- */

static vd_linkage linkage[VD_WHEELS]; /* each in the axes of a left wheel */

typedef struct knuckle {
  vec at;            /* wheel centre, body axes from the centre of gravity */
  vec turn[3];       /* rows of the rotation matrix from the design position to the present one */
  double element[2]; /* m, lengths of spring and damper; minus the travel if the wheel has no spring or damper */
} knuckle;

static vec turned(const knuckle *k, vec b) {
  return vec_of(dot(k->turn[0], b), dot(k->turn[1], b), dot(k->turn[2], b));
}

/* Returns the knuckle at a travel and a rack position. A right corner is the mirror image of a left corner at the
 * opposite rack, with pitman and idler arm exchanged if they are unequal. */
static knuckle knuckle_of(const scene *s, int i, double travel, double rack) {
  const vd_vehicle_def *v = vehicle_of(s);
  const vd_linkage *l = &linkage[i];
  double side = vd_side_sign(i);
  const double u[VD_INPUTS] = {travel, i < 2 ? side * rack : 0.0};
  vd_pose p;
  knuckle k;
  vd_linkage_start(l, &p);
  if (vd_linkage_move(l, u, &p) != VD_LINKAGE_OK)
    p.at[0] = NAN;
  const double *from = l->points.wheel_center;
  k.at = vec_of(axle_x(v, vd_axle_of(i)) + p.at[0] - from[0], half(v, i) + side * (p.at[1] - from[1]),
                v->axle[vd_axle_of(i)].wheel_radius - v->cg_height + p.at[2] - from[2]);
  for (int j = 0; j < 3; j++)
    for (int n = 0; n < 3; n++)
      k.turn[j].v[n] = p.turn[j][n] * (j == 1 ? side : 1.0) * (n == 1 ? side : 1.0);
  const vd_element *element[2] = {&l->points.spring, &l->points.damper};
  for (int j = 0; j < 2; j++)
    k.element[j] = element[j]->given ? vd_element_length(l, &p, element[j]).v : -travel;
  return k;
}

/* Returns the direction of a wheel's axle, to the left. */
static vec axle_of(int i, const knuckle *k) {
  const double *a = linkage[i].spin_axis;
  return turned(k, vd_is_right(i) ? vec_of(-a[0], a[1], -a[2]) : vec_of(a[0], a[1], a[2]));
}

/* Returns v turned by Gibbs' vector g = 2 tan(angle/2) along the axis. */
static vec turned_about(vec g, vec v) {
  double length = norm(g), angle = 2.0 * atan(0.5 * length);
  if (length == 0.0)
    return v;
  vec n = unit(g);
  return add(add(add(vec_of(0, 0, 0), cos(angle), v), sin(angle), cross(n, v)), (1.0 - cos(angle)) * dot(n, v), n);
}

/* Returns the knuckle, displaced by bushings under their loads in the state; sets the energy of the bushings, J. */
static knuckle displaced_of(const scene *s, const double *x, int i, double travel, double rack, double *energy) {
  const vd_elastic_map *map = s->model.ride.bushing.elastic_map[i];
  knuckle k = knuckle_of(s, i, travel, rack);
  *energy = 0.0;
  if (!map)
    return k;
  double side = vd_side_sign(i);
  vd_elastic_sample at;
  vec axle = axle_of(i, &k), aside = unit(vec_of(axle.v[0], axle.v[1], 0.0)), up = vec_of(0.0, 0.0, 1.0);
  vec ahead = cross(aside, up);
  for (int j = 0; j < VD_ELASTIC_LOADS; j++)
    at.load[j] = x[VD_S_BUSHING + j * VD_WHEELS + i];
  vd_elastic_sample_of(map, travel, i < 2 ? side * rack : 0.0, 0.0, &at);
  double lean = at.slope[2] / map->unit[2];
  vec shift = add(add(vec_of(0, 0, 0), at.slope[0] / map->unit[0], ahead),
                  side * (at.slope[1] / map->unit[1] - map->arm * lean), aside);
  vec turn = add(add(add(vec_of(0, 0, 0), side * lean, ahead),
                     at.slope[3] / map->unit[3] + at.slope[0] / (map->unit[0] * map->arm), aside),
                 side * at.slope[4] / map->unit[4], up);
  k.at = add(k.at, 1.0, shift);
  for (int n = 0; n < 3; n++) {
    vec column = turned_about(turn, vec_of(k.turn[0].v[n], k.turn[1].v[n], k.turn[2].v[n]));
    for (int j = 0; j < 3; j++)
      k.turn[j].v[n] = column.v[j];
  }
  *energy = -at.energy;
  for (int j = 0; j < VD_ELASTIC_LOADS; j++)
    *energy += at.load[j] * at.slope[j];
  return k;
}

static const double reach = 1e-3; /* m */

/* Knuckles at the travels z + reach, - reach, + reach/2, - reach/2. */
typedef struct along {
  knuckle k[4];
  double energy[4];
} along;

static double place_along(double travel, int t) {
  return travel + (t % 2 == 0 ? 1.0 : -1.0) * (t < 2 ? reach : 0.5 * reach);
}

static along move_along(const scene *s, int i, double travel, double rack) {
  along a;
  for (int t = 0; t < 4; t++)
    a.k[t] = knuckle_of(s, i, place_along(travel, t), rack);
  return a;
}

static along displace_along(const scene *s, const double *x, int i, double travel, double rack) {
  along a;
  for (int t = 0; t < 4; t++)
    a.k[t] = displaced_of(s, x, i, place_along(travel, t), rack, &a.energy[t]);
  return a;
}

/* Returns the derivative by travel of a point fixed in the knuckle; `design' is the point's design position from the
 * wheel centre. */
static vec point_slope(const along *a, vec design) {
  vec p[4], r;
  for (int t = 0; t < 4; t++)
    p[t] = add(a->k[t].at, 1.0, turned(&a->k[t], design));
  for (int d = 0; d < 3; d++)
    r.v[d] = slope(p[0].v[d], p[1].v[d], p[2].v[d], p[3].v[d], reach);
  return r;
}

/* Returns the w with dR/dz R' = [w x], from the rows of the rotation matrix R and of its slope. */
static vec turn_slope(const along *a, const knuckle *here) {
  vec rate[3];
  for (int j = 0; j < 3; j++)
    for (int d = 0; d < 3; d++)
      rate[j].v[d] =
          slope(a->k[0].turn[j].v[d], a->k[1].turn[j].v[d], a->k[2].turn[j].v[d], a->k[3].turn[j].v[d], reach);
  return vec_of(dot(rate[2], here->turn[1]), dot(rate[0], here->turn[2]), dot(rate[1], here->turn[0]));
}

/* Returns the slope of an element's length by travel. */
static double element_slope(const along *a, int j) {
  return slope(a->k[0].element[j], a->k[1].element[j], a->k[2].element[j], a->k[3].element[j], reach);
}

/* Returns the place of an unsprung mass; steering does not move it. */
static vec unsprung_place(const scene *s, int i, const double *travel) {
  vec at = knuckle_of(s, i, travel[i], 0.0).at;
  at.v[2] += vehicle_of(s)->axle[vd_axle_of(i)].unsprung_height - vehicle_of(s)->axle[vd_axle_of(i)].wheel_radius;
  return at;
}

static vec wheel_axle(const scene *s, const sample *p, const vd_eval *e, int i, double *turn) {
  knuckle k = knuckle_of(s, i, p->s.x[VD_S_TRAVEL + i], e->steering.rack[VD_FRONT]);
  along a = move_along(s, i, p->s.x[VD_S_TRAVEL + i], e->steering.rack[VD_FRONT]);
  vec axle = axle_of(i, &k);
  *turn = dot(turn_slope(&a, &k), axle) * p->s.x[VD_S_TRAVEL_RATE + i];
  return axle;
}

static const geometry own = {unsprung_place, wheel_axle};

static contact contact_of(const scene *s, const sample *p, const pose *o, const vd_eval *e, int i, worst *w) {
  double energy;
  vd_eval own_turn = *e;
  knuckle k = displaced_of(s, p->s.x, i, p->s.x[VD_S_TRAVEL + i], e->steering.rack[VD_FRONT], &energy);
  vec axle = to_world(o, axle_of(i, &k));
  if (s->model.ride.bushing.elastic_map[i]) /* the disc itself is turned */
    own_turn.suspension.compliance_steer[i] = 0.0;
  return contact_at(s, &own_turn, i, o, axle, add(o->origin, 1.0, to_world(o, k.at)), axle, w);
}

/* --- virtual work --- */

/* Sets the spin momentum of a wheel, body axes, and returns its whole angular velocity about the axle. */
static double spin_of(const scene *s, const sample *p, const vd_eval *e, int i, vec *momentum) {
  const double *x = p->s.x;
  double turn;
  vec axle = wheel_axle(s, p, e, i, &turn);
  double rate = x[VD_S_SPIN + i] + turn + dot(axle, vec_of(x[VD_S_ROLL_RATE], x[VD_S_PITCH_RATE], x[VD_S_YAW_RATE]));
  *momentum = add(vec_of(0, 0, 0), vehicle_of(s)->axle[vd_axle_of(i)].wheel_inertia * rate, axle);
  return rate;
}

typedef struct turning {
  vec couple[VD_WHEELS];   /* dH/dt, world */
  double extra[VD_WHEELS]; /* rad/s2, of body and travel, besides the spin acceleration relative to the knuckle */
} turning;

static turning turning_of(const scene *s, const nearby *n, double h, const double *dx) {
  turning t;
  for (int i = 0; i < VD_WHEELS; i++) {
    double rate[4];
    vec m[4];
    for (int j = 0; j < 4; j++) {
      pose o = pose_of(n->at[j].s.x);
      rate[j] = spin_of(s, &n->at[j], &n->e[j], i, &m[j]);
      m[j] = to_world(&o, m[j]);
    }
    for (int d = 0; d < 3; d++)
      t.couple[i].v[d] = slope(m[0].v[d], m[1].v[d], m[2].v[d], m[3].v[d], h);
    t.extra[i] = slope(rate[0], rate[1], rate[2], rate[3], h) - dx[VD_S_SPIN + i];
  }
  return t;
}

/* Returns the compression of an element divided by the motion ratio at design; sets its slope and its rate. */
static double compression(const scene *s, int i, int j, const knuckle *k, const along *a, const nearby *n, double h,
                          double *by_travel, double *rate) {
  knuckle design = knuckle_of(s, i, 0.0, 0.0);
  along start = move_along(s, i, 0.0, 0.0);
  double ratio = -element_slope(&start, j), length[4];
  for (int t = 0; t < 4; t++)
    length[t] = knuckle_of(s, i, n->at[t].s.x[VD_S_TRAVEL + i], n->e[t].steering.rack[VD_FRONT]).element[j];
  *by_travel = -element_slope(a, j) / ratio;
  *rate = -slope(length[0], length[1], length[2], length[3], h) / ratio;
  return (design.element[j] - k->element[j]) / ratio;
}

/* Returns the torque of the brake on the knuckle: the torque of a slipping brake, or the torque that balances drive and
 * tyre of a wheel at rest. */
static double brake_of(const scene *s, const sample *p, const vd_eval *e, int i) {
  double mode = p->s.mode[VD_M_BRAKE + i], drive = s->model.coupled ? 0.0 : e->drive.drive_torque[i];
  return mode != 0.0 ? mode * e->drive.brake_capacity[i]
                     : drive + e->tyre.my[i] - e->tyre.fx[i] * s->model.lanes.radius[i];
}

/* Checks virtual work along each travel. The test computes the drive torque on a locked wheel of a coupled drivetrain
 * without angular accelerations; the inertia torques of the wheels change it by at most their amount (equal
 * inertias). */
static void check_travels(const scene *s, const sample *p, const nearby *n, double h, const vd_eval *e,
                          const double *dx, const contact *touch, const vec *accel, worst *w) {
  const vd_vehicle_def *v = vehicle_of(s);
  const double *x = p->s.x;
  vec gravity = vec_of(0.0, 0.0, -VD_GRAVITY), zero = vec_of(0, 0, 0);
  pose o = pose_of(x);
  turning spins = turning_of(s, n, h, dx);
  double passed = 0.0;
  for (int i = 0; i < VD_WHEELS && s->model.coupled; i++)
    passed += v->axle[vd_axle_of(i)].wheel_inertia * fabs(spins.extra[i]);
  for (int i = 0; i < VD_WHEELS; i++) {
    const vd_axle_def *axle = &v->axle[vd_axle_of(i)];
    const vd_suspension *suspension = &s->model.vehicle.axle[vd_axle_of(i)].suspension;
    double z = x[VD_S_TRAVEL + i], by_travel[2], rate[2], shorter[2];
    knuckle k = knuckle_of(s, i, z, e->steering.rack[VD_FRONT]);
    along a = move_along(s, i, z, e->steering.rack[VD_FRONT]), middle = move_along(s, i, z, 0.0);
    double held;
    knuckle disc = displaced_of(s, x, i, z, e->steering.rack[VD_FRONT], &held);
    along b = displace_along(s, x, i, z, e->steering.rack[VD_FRONT]);
    vec turn = turn_slope(&a, &k), from = add(touch[i].own, -1.0, disc.at), design = zero;
    vec own_turn = turn_slope(&b, &disc), axle_now = axle_of(i, &disc);
    for (int j = 0; j < 3; j++) /* back into the design position */
      design = add(design, from.v[j], disc.turn[j]);
    for (int j = 0; j < 2; j++)
      shorter[j] = compression(s, i, j, &k, &a, n, h, &by_travel[j], &rate[j]);
    double spring = vd_suspension_spring(suspension, shorter[0]) * by_travel[0];
    double damper = vd_suspension_damper(suspension, rate[1]) * by_travel[1];
    double bar = axle->antiroll_stiffness / (axle->track * axle->track) * (z - x[VD_S_TRAVEL + vd_other_side(i)]);
    double drive = dot(turn, axle_of(i, &k)) * e->drive.drive_torque[i];
    double twist = dot(own_turn, axle_now) - dot(turn, axle_of(i, &k));
    own_turn = add(own_turn, -twist, axle_now);
    vec push = to_body(&o, touch[i].force), slip = cross(axle_now, from);
    double road = dot(push, add(point_slope(&b, design), -twist, slip)) + brake_of(s, p, e, i) * twist;
    if (s->model.ride.bushing.elastic_map[i])
      road -= slope(b.energy[0], b.energy[1], b.energy[2], b.energy[3], reach);
    double couples = dot(to_body(&o, touch[i].moment), own_turn), spin = dot(to_body(&o, spins.couple[i]), turn);
    double mass = axle->unsprung_mass * dot(to_body(&o, add(accel[i], -1.0, gravity)), point_slope(&middle, zero));
    double sum = mass + spin - (road + couples - spring - damper - bar + drive);
    double largest = v->mass * VD_GRAVITY + fabs(mass) + fabs(spin) + fabs(road) + fabs(couples) + fabs(spring) +
                     fabs(damper) + fabs(bar) + fabs(drive);
    double missed = p->s.mode[VD_M_BRAKE + i] == 0.0 ? fabs(dot(turn, axle_of(i, &k))) * passed : 0.0;
    if (missed > 0.0) {
      take(&w->passed, sum / missed);
      w->uncertain++;
    } else {
      take(&w->travel, sum / largest);
    }
    take(&w->load, (e->suspension.spring_force[i] - spring - bar) / (v->mass * VD_GRAVITY));
    take(&w->load, (e->suspension.damper_force[i] - damper) / (v->mass * VD_GRAVITY));
  }
}

/* --- cases --- */

enum { STATES = 40 };

static const struct {
  const char *name, *front, *rear;
} pairs[] = {
    {"double wishbones, five links", "vehicle.front.linkage=scenarios/suspensions/dw_front_sports.yaml",
     "vehicle.rear.linkage=scenarios/suspensions/5link_rear_sports.yaml"},
    {"struts, trailing arms", "vehicle.front.linkage=scenarios/suspensions/mp_front_sedan.yaml",
     "vehicle.rear.linkage=scenarios/suspensions/ta_rear_sedan.yaml"},
    {"unequal pitman and idler arms, trailing arms",
     "vehicle.front.linkage={base: scenarios/suspensions/dw_front_sports.yaml, steering: {type: relay, "
     "axis: [0.1, 0, 1], pivot: [-0.60, 0.345, 0.20], joint: [-0.30, 0.33, 0.185], "
     "other_pivot: [-0.57, -0.345, 0.20]}}",
     "vehicle.rear.linkage=scenarios/suspensions/ta_rear_sedan.yaml"},
};
enum { UNEQUAL = 2 };

enum form { EXACT, MAPS, TABLES };

static const char *const form_names[] = {"exact", "maps", "tables"};

/* Writes tables of the linkages into files of the folder, and sets the settings with which the wheels follow them. */
static void write_tables(const scene *s, const char *folder, char (*setting)[192]) {
  static const char *const axle_name[] = {"front", "rear"};
  const double step = 0.005; /* m */
  for (int a = 0; a < VD_AXLES; a++) {
    vd_kc_tables tables;
    vd_kc_report report;
    char path[64], giving[64];
    snprintf(path, sizeof path, "%s/%s.csv", folder, axle_name[a]);
    snprintf(giving, sizeof giving, "%s/%s_giving.csv", folder, axle_name[a]);
    FILE *file = fopen(path, "w"), *other = fopen(giving, "w");
    const vd_corner *corner = s->def.vehicle.axle[a].corner;
    vd_kc_range travel, rack;
    vd_kc_tables_ranges(corner, &travel, &rack);
    travel.points = 1 + (int)lround((travel.to - travel.from) / step);
    rack.points = 1 + (int)lround((rack.to - rack.from) / step);
    bool whole = vd_kc_tables_write(corner, &travel, &rack, VD_DIGITS_EXACT, &tables, &report);
    if (!whole || !file || !other)
      tap_diag("no table: %s", report.messages.text ? report.messages.text : path);
    if (whole && file)
      fputs(tables.left.text, file);
    if (whole && other)
      fputs(tables.compliance.text, other);
    if (file)
      fclose(file);
    if (other)
      fclose(other);
    snprintf(setting[a], sizeof setting[a], "vehicle.%s.kc={tables: %s, compliance: %s}", axle_name[a], path, giving);
    vd_buf_finish(&tables.compliance);
    vd_buf_finish(&tables.left);
    vd_buf_finish(&tables.right);
    vd_buf_finish(&report.messages);
  }
}

static void remove_tables(const char *folder) {
  static const char *const name[] = {"front.csv", "rear.csv", "front_giving.csv", "rear_giving.csv"};
  char path[64];
  for (size_t a = 0; a < VD_COUNT(name); a++) {
    snprintf(path, sizeof path, "%s/%s", folder, name[a]);
    unlink(path);
  }
  rmdir(folder);
}

/* Makes the scene of a case with the given form of its linkages. */
static scene *make_case(size_t number, size_t pair, enum form form, const char *compliance) {
  const car *c = &cases[number].car;
  const char *setting[4];
  for (size_t k = 0; k < VD_COUNT(setting); k++)
    setting[k] = c->setting[k] ? c->setting[k] : "run.level=L4";
  scene *s = scene_make(cases[number].text, setting[0], setting[1], setting[2], setting[3], "run.level=L4",
                        form == EXACT ? "run.linkage=exact" : "run.linkage=maps", compliance, pairs[pair].front,
                        pairs[pair].rear, NULL);
  if (form != TABLES)
    return s;
  char folder[] = "/tmp/vdsim-tables-XXXXXX", table[VD_AXLES][192];
  if (!mkdtemp(folder))
    tap_diag("no folder for tables");
  write_tables(s, folder, table);
  scene_free(s);
  s = scene_make(cases[number].text, setting[0], setting[1], setting[2], setting[3], pairs[pair].front,
                 pairs[pair].rear, "run.level=L3", compliance, table[VD_FRONT], table[VD_REAR], NULL);
  remove_tables(folder);
  return s;
}

static const suspension_laws laws = {contact_of, NULL, check_travels, &own};

static const int one_of = 8; /* one case in so many is tried at a commit */
static int blocks;           /* number of cases so far */

static void check_case(size_t number, size_t pair, enum form form, const char *compliance) {
  if (!tap_sampled(blocks++, one_of))
    return;
  const car *c = &cases[number].car;
  scene *s = make_case(number, pair, form, compliance);
  for (int i = 0; i < VD_WHEELS; i++) {
    const vd_hardpoints *left = &vehicle_of(s)->axle[vd_axle_of(i)].corner->points;
    vd_hardpoints right;
    vd_hardpoints_mirror(left, &right);
    vd_linkage_build(vd_is_right(i) ? &right : left, VD_PARALLEL, &linkage[i]);
  }
  seed = 5000 + 100 * pair + number;
  const worst w = check_states(&laws, s, c->what, STATES);
  char what[160];
  snprintf(what, sizeof what, "%s, %s, %s, %s", c->name, pairs[pair].name, form_names[form], compliance + 4);
  double law = form == EXACT ? 1e-7 : 1e-5, place = form == EXACT ? 1e-10 : 1e-7;
  report_states(&w, what, law, place);
  report_passed(&w, s->model.coupled && (c->what & LOCKED), what, "locked wheels on coupled shafts");
  tap_near(w.load, 0.0, law, "%s: loads and forces of springs and dampers agree with the log within %.1e m g", what,
           w.load);
  scene_free(s);
}

int main(void) {
  int chosen = 0;
  for (int k = 0; k < 11 * (int)VD_COUNT(cases); k++)
    chosen += tap_sampled(k, one_of);
  tap_plan(7 * chosen);
  for (size_t k = 0; k < VD_COUNT(cases); k++) {
    for (size_t pair = 0; pair < UNEQUAL; pair++) {
      check_case(k, pair, EXACT, "run.compliance=none");
      check_case(k, pair, MAPS, "run.compliance=none");
      check_case(k, pair, EXACT, "run.compliance=linear");
    }
    check_case(k, 1 - k % 2, TABLES, "run.compliance=none");
    check_case(k, k % 2, EXACT, "run.compliance=nonlinear");
    check_case(k, k % 2, TABLES, "run.compliance=nonlinear");
    check_case(k, UNEQUAL, EXACT, "run.compliance=none");
    check_case(k, UNEQUAL, EXACT, "run.compliance=nonlinear");
  }
  return tap_done();
}
