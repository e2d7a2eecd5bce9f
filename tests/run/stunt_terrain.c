/* The shipped stunts except coasting loops: each is compared with the requirements of its source (Onlyti/VDSim,
 * Apache-2.0, figures only) and with numbers of mechanics where they are known. */
#include "stunts.h"

static const double g = VD_GRAVITY;

typedef struct car {
  const char *name, *unsprung;
} car;
static const car cars[] = {{"strut", "run.unsprung=strut"}, {"hub", "run.unsprung=hub"}};
enum { CARS = VD_COUNT(cars) };

static scene *stunt(const char *name, const char *setting, const char *more) {
  char text[64];
  snprintf(text, sizeof text, "base: ../stunt/%s.yaml\n", name);
  return scene_make(text, setting, more, NULL);
}

static track run(const char *name, const char *setting, scene **s) {
  *s = stunt(name, setting, NULL);
  track k = follow(*s);
  if (!k.good)
    tap_diag("%s failed: status %d at t = %g s", name, (int)(*s)->sim.status, (*s)->sim.failure_time);
  return k;
}

static void end(track *k, scene *s) {
  free(k->at);
  scene_free(s);
}

static const instant *highest(const track *k) {
  const instant *best = k->at;
  for (size_t i = 0; i < k->count; i++)
    if (k->at[i].cg[2] > best->cg[2])
      best = &k->at[i];
  return best;
}

/* --- flights --- */

/* Returns g by the heights at the beginning, the middle and the end of the flight. */
static double fitted_gravity(const track *k, flight f) {
  size_t half = (f.end - 1 - f.begin) / 2;
  double t = (double)half * k->step;
  const instant *at = &k->at[f.begin];
  return -(at[0].cg[2] - 2.0 * at[half].cg[2] + at[2 * half].cg[2]) / (t * t);
}

/* Checks that a flight is a parabola. A force by rounding, 1e-16 of 1e8 N/m x 100 m, moves 1500 kg in 1 s by less than
 * 1e-9 m. */
static void check_parabola(const char *name, const car *c, const track *k, double shortest) {
  flight f = longest_flight(k);
  double time = (double)(f.end - f.begin) * k->step;
  tap_ok(k->good && time > shortest, "%s, %s: the car is in the air for %.3f s", name, c->name, time);
  tap_near(fitted_gravity(k, f) / g, 1.0, 1e-6, "%s, %s: the centre of all masses falls with g", name, c->name);
  tap_near(off_parabola(k, f), 0.0, 1e-9, "%s, %s: the centre of all masses flies a parabola", name, c->name);
}

static void check_jumps(const car *c) {
  static const struct {
    const char *name;
    double shortest; /* s */
  } jump[] = {{"jump_10", 0.05}, {"jump", 0.2}, {"flight", 0.2}, {"jump_20", 0.2}};
  for (size_t i = 0; i < VD_COUNT(jump); i++) {
    scene *s;
    track k = run(jump[i].name, c->unsprung, &s);
    check_parabola(jump[i].name, c, &k, jump[i].shortest);
    tap_ok(highest(&k)->cg[2] > 0.75, "%s, %s: the car reaches %.3f m", jump[i].name, c->name, highest(&k)->cg[2]);
    end(&k, s);
  }
}

/* Checks that in the end the car drives as on level ground; the slowest of its motions decays with about 3/s, and the
 * last landing was 6 s before. */
static void check_landing(const car *c) {
  scene *s, *level = stunt("landing", c->unsprung, "ground={type: flat}");
  track k = run("landing", c->unsprung, &s), smooth = follow(level);
  double least = INFINITY, ledger, rise;
  for (size_t i = 0; i < k.count; i++)
    if (k.at[i].cg[0] > 26.0)
      least = tap_min(least, k.at[i].cg[2]);
  worst_energies(&k, &ledger, &rise);
  tap_ok(k.good && least > 0.38, "landing, %s: the centre of gravity stays above %.3f m", c->name, least);
  tap_near(last_of(&k)->cg[2], last_of(&smooth)->cg[2], 1e-6, "landing, %s: the car ends at its height of driving",
           c->name);
  tap_near(last_of(&k)->sum / k.weight, 1.0, 1e-6, "landing, %s: the car ends with its weight on the wheels", c->name);
  tap_near(ledger / k.at[0].energy, 0.0, 1e-4, "landing, %s: the ledger closes, to %.3g J", c->name, ledger);
  end(&k, s);
  end(&smooth, level);
}

static void check_cliff(const car *c) {
  scene *s;
  track k = run("cliff", c->unsprung, &s);
  check_parabola("cliff", c, &k, 0.2);
  flight f = longest_flight(&k);
  double least = INFINITY;
  for (size_t i = 0; i < k.count; i++)
    least = tap_min(least, k.at[i].cg[2]);
  tap_ok(k.at[f.end < k.count ? f.end : f.begin].cg[2] < -0.3 && least < -0.65 && last_of(&k)->cg[2] < -0.3,
         "cliff, %s: the car lands on the lower level and stays there", c->name);
  double sum = 0.0;
  for (size_t i = f.end; i < k.count; i++)
    sum = tap_max(sum, k.at[i].sum);
  tap_ok(sum > 0.2 * k.weight, "cliff, %s: the wheels carry the car again, with up to %.1f of its weight", c->name,
         sum / k.weight);
  end(&k, s);
}

/* --- level ground --- */

static void check_level(const car *c) {
  scene *s, *s2;
  track k = run("coast", c->unsprung, &s), map = run("map_flat", c->unsprung, &s2);
  double drift = 0.0, least = INFINITY, aside = 0.0, apart = 0.0;
  for (size_t i = 0; i < k.count; i++) {
    if (k.at[i].t >= 2.5)
      drift = tap_max(drift, fabs(k.at[i].cg[2] - last_of(&k)->cg[2]));
    least = tap_min(least, k.at[i].cg[2]);
    aside = tap_max(aside, fabs(k.at[i].cg[1]));
  }
  for (size_t i = 0; i < map.count; i++)
    for (int j = 0; j < 3; j++)
      apart = tap_max(apart, fabs(k.at[i].cg[j] - map.at[i].cg[j]));
  tap_near(drift, 0.0, 1e-6, "coast, %s: from 2.5 s on the car neither sinks nor rises", c->name);
  tap_near(least, s->def.vehicle.cg_height, 1e-4, "coast, %s: before 2.5 s the car hardly sinks or rises", c->name);
  tap_near(aside, 0.0, 1e-9, "coast, %s: the car drives straight on", c->name);
  tap_ok(map.good, "map_flat, %s: the car drives over the edge of its map", c->name);
  tap_near(apart, 0.0, 1e-9, "map_flat, %s: a level height map acts like the level ground", c->name);
  end(&k, s);
  end(&map, s2);
  k = run("rest", c->unsprung, &s);
  drift = apart = 0.0;
  for (size_t i = 0; i < k.count; i++) {
    for (int j = 0; j < 3; j++)
      drift = tap_max(drift, fabs(k.at[i].cg[j] - k.at[0].cg[j]));
    apart = tap_max(apart, fabs(k.at[i].sum / k.weight - 1.0));
  }
  tap_near(drift, 0.0, 1e-9, "rest, %s: the car stays in place", c->name);
  tap_near(apart, 0.0, 1e-9, "rest, %s: the wheels carry the weight", c->name);
  double load = k.at[0].load[VD_FL], press = load / s->model.ride.tyre_stiffness[VD_FL];
  tap_ok(press > 0.0 && press <= 0.02, "rest, %s: the tyre is deflected by %.4f m", c->name, press);
  end(&k, s);
}

/* Returns the speed after a time, with rolling resistance f times the load and a mass that includes the spins of the
 * wheels. */
static double slowed(const scene *s, double speed, double grade, double t) {
  const vd_vehicle_def *v = &s->def.vehicle;
  double mass = v->mass, f = v->axle[VD_FRONT].tyre.common.rolling_resistance;
  for (int i = 0; i < VD_WHEELS; i++)
    mass += s->model.lanes.inertia[i] / (v->axle[vd_axle_of(i)].wheel_radius * v->axle[vd_axle_of(i)].wheel_radius);
  return speed - v->mass * g * (sin(grade) + f * cos(grade)) / mass * t;
}

static void check_grade(const char *name, const char *setting, const char *what, double share) {
  scene *s;
  track k = run(name, setting, &s);
  double t = last_of(&k)->t, v0 = s->def.initial.speed, grade = s->def.ground.grade;
  double expected = slowed(s, v0, grade, t), level = slowed(s, v0, 0.0, t);
  /* wheels slip in proportion to their tyre forces, about 1e-3 of the change of the speed */
  tap_near((v0 - last_of(&k)->vx) / (v0 - expected), 1.0, 3e-3, "%s, %s: the car is slowed down to %.3f m/s", name,
           what, last_of(&k)->vx);
  tap_ok(last_of(&k)->vx < share * level, "%s, %s: this is far below the speed on the level, %.3f m/s", name, what,
         level);
  end(&k, s);
}

/* --- slopes --- */

static double hill_height(double x) {
  return 1.5 * exp(-(x - 30.0) * (x - 30.0) / 128.0);
}

static void check_hill(const car *c) {
  scene *s;
  track k = run("hill", c->unsprung, &s);
  double aside = 0.0, ledger, rise, h = s->def.vehicle.cg_height, half = 0.5 * s->def.vehicle.wheelbase;
  for (size_t i = 0; i < k.count; i++)
    aside = tap_max(aside, fabs(k.at[i].cg[1]));
  worst_energies(&k, &ledger, &rise);
  tap_ok(k.good && last_of(&k)->cg[0] > 25.0, "hill, %s: the car crosses the hill", c->name);
  /* the axles are on both sides of the crest; unloaded springs can lift the body by their static compression of 0.1 m,
   * the tyres by 0.02 m */
  double high = highest(&k)->cg[2];
  tap_ok(high > h + hill_height(30.0 + half) && high < h + hill_height(30.0) + 0.12,
         "hill, %s: the car is at %.3f m at the top", c->name, high);
  tap_near(aside, 0.0, 1e-6, "hill, %s: the car drives straight on", c->name);
  tap_near(last_of(&k)->cg[2], s->def.vehicle.cg_height, 2e-3, "hill, %s: the car returns to its first height",
           c->name);
  tap_near(ledger / last_of(&k)->energy, 0.0, 1e-4, "hill, %s: the ledger closes, to %.3g J", c->name, ledger);
  end(&k, s);
}

/* Checks a car that rolls back freely: there is no load transfer, the body is parallel to the line of its axles, and
 * the potential energy minus the work of rolling resistance becomes the kinetic energy of mass and spins. */
static void check_flank(const car *c) {
  scene *s;
  track k = run("hill_flank", c->unsprung, &s);
  const vd_vehicle_def *v = &s->def.vehicle;
  const instant *now = last_of(&k);
  double x = now->cg[0], chord = hill_height(x + v->cg_to_front) - hill_height(x + v->cg_to_front - v->wheelbase);
  double slope = atan(chord / v->wheelbase), sum = 0.0;
  size_t from = k.count / 3;
  for (size_t i = from; i < k.count; i++)
    sum += k.at[i].sum / (double)(k.count - from);
  double drop = k.at[0].cg[2] - now->cg[2], way = (k.at[0].cg[0] - x) / cos(slope), mass = v->mass;
  for (int i = 0; i < VD_WHEELS; i++)
    mass += s->model.lanes.inertia[i] / (v->axle[vd_axle_of(i)].wheel_radius * v->axle[vd_axle_of(i)].wheel_radius);
  double f = v->axle[VD_FRONT].tyre.common.rolling_resistance;
  double kinetic = k.weight * (drop - f * cos(slope) * way), speed = sqrt(2.0 * kinetic / mass);
  tap_near(now->pitch, -slope, 0.005, "hill_flank, %s: the car is parallel to the slope of %.4f rad", c->name, slope);
  tap_near(sum / (k.weight * cos(slope)), 1.0, 0.01, "hill_flank, %s: the wheels carry the normal part of the weight",
           c->name);
  tap_near(-now->vx / speed, 1.0, 0.02, "hill_flank, %s: the car rolls back at %.3f m/s", c->name, -now->vx);
  end(&k, s);
}

/* Checks the roll on a bank. The weight along the bank rolls the body on its springs and the whole car on its tyres,
 * and the lean adds a moment of the weight:
 *   K_s phi_s = m_s g h_s (sin b + phi),   K_t phi_t = m g h sin b + m_s g h_s phi,   phi = phi_s + phi_t. */
static void check_bank(const car *c, bool hub) {
  scene *s;
  track k = run("bank", c->unsprung, &s);
  const vd_vehicle_def *v = &s->def.vehicle;
  vd_masses m = masses_of(v);
  double springs = 0.0, tyres = 0.0, bank = 0.12, mean = 0.0;
  for (int axle = 0; axle < VD_AXLES; axle++) {
    double track2 = v->axle[axle].track * v->axle[axle].track;
    springs += 0.5 * v->axle[axle].spring_stiffness * track2;
    tyres += 0.5 * s->model.ride.tyre_stiffness[2 * axle] * track2;
  }
  double sprung = m.sprung * g * m.sprung_height, whole = k.weight * v->cg_height, more = hub ? whole : sprung;
  double a = (hub ? 0.0 : sprung / springs),
         lean = (a * sin(bank) + whole / tyres * sin(bank)) / (1.0 - a - more / tyres);
  size_t from = k.count / 2;
  for (size_t i = from; i < k.count; i++)
    mean += k.at[i].roll / (double)(k.count - from);
  tap_near((mean - bank) / lean, 1.0, 0.1, "bank, %s: the car rolls with the bank and leans by %.4f rad more", c->name,
           mean - bank);
  tap_near(last_of(&k)->sum / (k.weight * cos(bank)), 1.0, 0.005,
           "bank, %s: the wheels carry the normal part of the weight", c->name);
  end(&k, s);
}

/* Checks that at v^2 = g R tan(bank) almost no force acts along the body's y; a small force follows from the actual
 * speed and radius. */
static void check_banked_turn(const car *c) {
  scene *s;
  track k = run("banked_turn", c->unsprung, &s);
  const double bank = 0.2;
  double nearest = INFINITY, farthest = 0.0, off = 0.0, roll = 0.0;
  for (size_t i = 0; i < k.count; i++) {
    const instant *now = &k.at[i];
    double rho = hypot(now->cg[0], now->cg[1]), v2 = now->speed[0] * now->speed[0] + now->speed[1] * now->speed[1];
    nearest = tap_min(nearest, rho);
    farthest = tap_max(farthest, rho);
    if (now->t < 1.5)
      continue; /* the car starts upright on a cone, and settles */
    off = tap_max(off, fabs(now->side - (v2 / rho * cos(bank) - g * sin(bank))));
    roll = tap_max(roll, fabs(now->roll + bank));
  }
  tap_ok(k.good && last_of(&k)->yaw > 0.3, "banked_turn, %s: the car turns by %.3f rad", c->name, last_of(&k)->yaw);
  tap_near(0.5 * (nearest + farthest), 40.0, 0.5 * (farthest - nearest) + 0.3,
           "banked_turn, %s: the radius is between %.2f m and %.2f m", c->name, nearest, farthest);
  tap_ok(farthest - nearest < 1.0, "banked_turn, %s: the car keeps its radius within 1 m", c->name);
  tap_near(off, 0.0, 0.05, "banked_turn, %s: the specific lateral force is v^2/r cos b - g sin b", c->name);
  tap_near(roll, 0.0, 0.005, "banked_turn, %s: the car leans neither in nor out", c->name);
  end(&k, s);
}

/* --- driving --- */

static void check_turn(const car *c) {
  scene *s, *s2;
  track k = run("steady_turn", c->unsprung, &s), plane = run("steady_turn", "run.level=L2", &s2);
  double rate = last_of(&k)->yaw_rate, reference = last_of(&plane)->yaw_rate;
  tap_near(rate / reference, 1.0, 0.03, "steady_turn, %s: the yaw rate, %.5f rad/s, is that at L2", c->name, rate);
  tap_near(rate * last_of(&k)->vx / (reference * last_of(&plane)->vx), 1.0, 0.03,
           "steady_turn, %s: the lateral acceleration is that at L2", c->name);
  end(&k, s);
  end(&plane, s2);
}

static void check_driving(const car *c) {
  scene *s;
  track k = run("drive_accelerate", c->unsprung, &s);
  tap_ok(last_of(&k)->vx > k.at[0].vx + 2.0, "drive_accelerate, %s: the car gains %.2f m/s", c->name,
         last_of(&k)->vx - k.at[0].vx);
  end(&k, s);

  k = run("drive_brake", c->unsprung, &s);
  const vd_vehicle_def *v = &s->def.vehicle;
  double mass = v->mass, force = 0.85 * v->brakes.max_torque / v->axle[VD_FRONT].wheel_radius;
  for (int i = 0; i < VD_WHEELS; i++)
    mass += s->model.lanes.inertia[i] / (v->axle[vd_axle_of(i)].wheel_radius * v->axle[vd_axle_of(i)].wheel_radius);
  force += v->axle[VD_FRONT].tyre.common.rolling_resistance * k.weight;
  double t = last_of(&k)->t, lost = k.at[0].vx - last_of(&k)->vx;
  /* `mass' assumes rolling without slip; with a slip of 2 % the wheels' part, 4 x 2 kg m2/R^2 = 80 kg of 1500 kg, has
   * an error of 2 %: 0.1 % of the whole */
  tap_near(lost / (force / mass * t), 1.0, 0.01,
           "drive_brake, %s: the car loses %.2f m/s, as the brakes' torque requires", c->name, lost);
  tap_ok(last_of(&k)->vx < 0.75 * k.at[0].vx, "drive_brake, %s: the car loses more than a quarter of its speed",
         c->name);
  end(&k, s);

  k = run("drive_steer", c->unsprung, &s);
  double tilt = 0.0, aside = 0.0, spin = 0.0;
  for (size_t i = 0; i < k.count; i++) {
    tilt = tap_max(tilt, tap_max(fabs(k.at[i].roll), fabs(k.at[i].pitch)));
    aside = tap_max(aside, fabs(k.at[i].vy));
    spin = tap_max(spin, fabs(k.at[i].yaw_rate));
  }
  tap_ok(k.good && tilt < 0.12 && spin < 2.0, "drive_steer, %s: the car tilts by %.4f rad at most", c->name, tilt);
  tap_ok(last_of(&k)->yaw > 0.08 && aside > 0.10, "drive_steer, %s: the car turns by %.3f rad, and slides at %.3f m/s",
         c->name, last_of(&k)->yaw, aside);
  end(&k, s);

  k = run("drive_lugre", c->unsprung, &s);
  tap_ok(last_of(&k)->vx > 8.5, "drive_lugre, %s: the car gains speed, to %.2f m/s", c->name, last_of(&k)->vx);
  tap_near(last_of(&k)->cg[2], 0.55, 0.01, "drive_lugre, %s: the car is at its height of rest", c->name);
  end(&k, s);
}

/* Compares each wheel's camber with the camber of the linkage, closed at the wheel's travel. */
static void check_linkages(void) {
  scene *s;
  track k = run("brake_linkages", "run.duration=1.2", &s);
  vd_row row = scene_row(s);
  double off = 0.0, most = 0.0;
  for (int i = 0; i < VD_WHEELS; i++) {
    vd_corner_pose pose;
    const vd_linkage_map *map = s->def.vehicle.axle[vd_axle_of(i)].map;
    if (!vd_linkage_exact_at(map, row.eval.motion.travel[i], 0.0, 0.0, &pose))
      off = NAN;
    /* top outward for an outward axle that points down */
    off = tap_max(off, fabs(row.eval.log.linkage_camber[i] - asin(-pose.value[VD_MAP_AXLE_Z])));
    most = tap_max(most, fabs(row.eval.motion.travel[i]));
  }
  tap_ok(k.good && most > 0.002, "brake_linkages: wheels travel by up to %.2f mm", 1e3 * most);
  tap_near(off, 0.0, 1e-6, "brake_linkages: camber agrees with the linkage at each wheel's travel");
  end(&k, s);
}

/* --- loops under power --- */

static double greatest_angle(const track *k) {
  double greatest = 0.0;
  for (size_t i = 0; i < k->count; i++)
    greatest = tap_max(greatest, k->at[i].angle);
  return greatest;
}

static bool in_loop(const instant *now) {
  return now->angle > 0.4 && now->angle < 2.0 * VD_PI - 0.4;
}

static void check_loops(void) {
  static const double radius = 10.0;
  scene *s;
  track k = run("loop_drive", "run.duration=6", &s);
  size_t inside = 0, pressed = 0;
  for (size_t i = 0; i < k.count; i++) {
    inside += in_loop(&k.at[i]);
    pressed += in_loop(&k.at[i]) && k.at[i].sum > 500.0;
  }
  double fast = greatest_angle(&k);
  tap_ok(k.good && fast > 2.0 * VD_PI && last_of(&k)->up > 0.99,
         "loop_drive: the car drives through the loop and leaves it on its wheels");
  tap_ok(inside > 1000 && pressed == inside, "loop_drive: the wheels carry at least 500 N");
  tap_ok(highest(&k)->cg[2] > 2.0 * radius - 1.0, "loop_drive: the car crosses the top at %.2f m", highest(&k)->cg[2]);
  end(&k, s);

  k = run("loop_slow", "run.duration=3.8", &s);
  double slow = greatest_angle(&k);
  tap_ok(k.good && slow < VD_PI && slow < fast - 0.5, "loop_slow: the car reaches %.2f rad", slow);
  check_parabola("loop_slow", &cars[0], &k, 0.2);
  end(&k, s);

  /* a wheel that rolls at radius R has the speed of the road under it, v R/(R - h) */
  k = run("loop_spin", "run.duration=6", &s);
  double spin = 0.0, speed = 0.0;
  for (size_t i = 0; i < k.count; i++) {
    spin = tap_max(spin, k.at[i].fastest_spin);
    speed = tap_max(speed, speed_of(&k.at[i]));
  }
  const vd_vehicle_def *v = &s->def.vehicle;
  double rolling = speed * radius / (radius - v->cg_height - 0.2) / v->axle[VD_FRONT].wheel_radius;
  tap_ok(k.good && greatest_angle(&k) > 2.0 * VD_PI, "loop_spin: the car drives through the loop");
  tap_ok(spin < 1.2 * rolling, "loop_spin: no wheel spins; the fastest has %.1f rad/s", spin);
  end(&k, s);

  k = run("loop_steer", "run.duration=6", &s);
  double front = 0.0, rear = 0.0;
  size_t samples = 0;
  for (size_t i = 0; i < k.count; i++) {
    const instant *now = &k.at[i];
    if (!(in_loop(now) && now->sum > 400.0))
      continue;
    samples++;
    front = tap_max(front, tap_max(fabs(now->alpha[VD_FL]), fabs(now->alpha[VD_FR])));
    rear = tap_max(rear, tap_max(fabs(now->alpha[VD_RL]), fabs(now->alpha[VD_RR])));
  }
  tap_ok(k.good && samples > 80 && greatest_angle(&k) > 2.0 * VD_PI, "loop_steer: the car drives through the loop");
  tap_ok(front > 0.02 && rear >= 0.25 * front, "loop_steer: slip angles reach %.3f rad in front, %.3f rad behind",
         front, rear);
  end(&k, s);
}

int main(void) {
  enum { OF_JUMPS = 16, OF_LANDING = 4, OF_CLIFF = 5, OF_LEVEL = 8, OF_SLOPES = 2 + 5 + 3 + 2 + 5, OF_DRIVING = 2 + 7 };
  tap_plan(CARS * (OF_JUMPS + OF_LANDING + OF_CLIFF + OF_LEVEL + OF_SLOPES + OF_DRIVING) + 2 + 2 + 11);
  check_grade("grade_coast", "run.level=L2", "L2", 0.95);
  for (int i = 0; i < CARS; i++) {
    const car *c = &cars[i];
    check_jumps(c);
    check_landing(c);
    check_cliff(c);
    check_level(c);
    check_grade("uphill", c->unsprung, c->name, 0.92);
    check_hill(c);
    check_flank(c);
    check_bank(c, i == 1);
    check_banked_turn(c);
    check_turn(c);
    check_driving(c);
  }
  check_linkages();
  check_loops();
  return tap_done();
}
