/* A loop of 10 m, coasting without air: the critical speed, the motion below and above it, and the balance of energy.
 *
 * Critical speed. The wheel loads at the apex sum to m (v^2/r - g), so contact ends where v^2 = g r. r is the radius of
 * the path of the centre of gravity, which is smaller than the road's. The path is a helix: v is the speed about the
 * axis, and there is a small speed to the side. At the entry of the loop the car needs
 *
 *   (m + sum I_w/R_w^2) v^2/2 + U + m g z
 *     = m v_top^2/2 + I q^2/2 + sum I_w (q (R - R_w)/R_w)^2/2 + U_top + m g z_top + losses
 *
 * with q = v_round/r the angular velocity of the body and I its pitch inertia. The wheels' centres move on a circle of
 * R - R_w and the wheels roll; the springs' energies U and the losses come from the log. */
#include "stunts.h"

static const double radius = 10.0; /* m */

/* With wheels on hubs, without suspension, the car stands on only two of its wheels on a twisted road and drifts to the
 * right; so it starts to the left of the lane's middle. */
typedef struct car {
  const char *name, *unsprung, *y; /* settings */
} car;
static const car cars[] = {{"strut", "run.unsprung=strut", "initial.y=0"},
                           {"hub", "run.unsprung=hub", "initial.y=1.2"}};
static const char *const shapes[] = {"base: ../stunt/loop.yaml\n", "base: ../stunt/loop_tangent.yaml\n"};
static const char *const shape_names[] = {"with clothoids", "tangent"};

static scene *at_speed(const char *shape, const car *c, double speed) {
  char setting[64];
  snprintf(setting, sizeof setting, "initial.speed=%.17g", speed);
  return scene_make(shape, "run.duration=8", setting, c->unsprung, c->y, NULL);
}

/* --- results of a run --- */

static const double quarter = 0.5 * VD_PI;

/* Returns the first instant at a loop angle or beyond it; count if there is none. */
static size_t reaches(const track *k, double angle) {
  size_t i = 0;
  while (i < k->count && !(k->at[i].angle >= angle))
    i++;
  return i;
}

/* Returns the first instant without load in the upper half; count if there is none. */
static size_t loses(const track *k) {
  for (size_t i = reaches(k, quarter); i < k->count && k->at[i].angle <= 3.0 * quarter; i++)
    if (!(k->at[i].sum > 0.0))
      return i;
  return k->count;
}

static bool keeps_contact(const track *k) {
  return reaches(k, 3.0 * quarter) < k->count && loses(k) == k->count;
}

static bool gets_round(const track *k) {
  return k->good && reaches(k, 4.0 * quarter - 0.01) < k->count && last_of(k)->up > 0.9;
}

static bool has(const char *shape, const car *c, double speed, bool (*what)(const track *k)) {
  scene *s = at_speed(shape, c, speed);
  track k = follow(s);
  bool yes = what(&k);
  free(k.at);
  scene_free(s);
  return yes;
}

/* Returns the lowest speed from which on the condition holds, within 5 mm/s; NaN if both ends agree. */
static double lowest(const char *shape, const car *c, double low, double high, bool (*what)(const track *k)) {
  if (has(shape, c, low, what) || !has(shape, c, high, what))
    return NAN;
  while (high - low > 5e-3) {
    double middle = 0.5 * (low + high);
    if (has(shape, c, middle, what))
      high = middle;
    else
      low = middle;
  }
  return high;
}

/* --- the balance of energy --- */

/* Returns the pitch inertia of everything that does not spin about an axle, about its centre of gravity. */
static double pitch_inertia(const vd_vehicle_def *v) {
  vd_masses m = masses_of(v);
  double sum = v->pitch_inertia, ahead = 0.0, rise = m.sprung_height - v->cg_height;
  for (int axle = 0; axle < VD_AXLES; axle++) {
    double x = axle == VD_FRONT ? m.to_axle[axle] : -m.to_axle[axle], z = v->axle[axle].wheel_radius - v->cg_height;
    sum += m.unsprung[axle] * (x * x + z * z);
    ahead -= m.unsprung[axle] * x / m.sprung;
  }
  return sum + m.sprung * (ahead * ahead + rise * rise);
}

static vd_loop loop_of(const scene *s) {
  vd_loop loop;
  vd_ground_loop(&s->model.ground, &loop);
  return loop;
}

/* Returns the distance of the centre of gravity from the loop's axis, m. */
static double from_axis(const vd_loop *loop, const double *cg) {
  double along = 0.0, square = 0.0;
  for (int j = 0; j < 3; j++)
    along += (cg[j] - loop->centre[j]) * loop->axis[j];
  for (int j = 0; j < 3; j++) {
    double d = cg[j] - loop->centre[j] - along * loop->axis[j];
    square += d * d;
  }
  return sqrt(square);
}

/* Returns the speed at `from` with which v^2 = g r at `top`, m/s. */
static double balanced_speed(const scene *s, const instant *from, const instant *top) {
  const vd_vehicle_def *v = &s->def.vehicle;
  vd_loop loop = loop_of(s);
  double r = from_axis(&loop, top->cg), m = v->mass, round2 = VD_GRAVITY * r, q2 = round2 / (r * r);
  double aside = tan(loop.skew) * radius / r, rolling = 0.0, spins = 0.0;
  for (int i = 0; i < VD_WHEELS; i++) {
    double wheel = s->model.lanes.inertia[i], wheel_radius = v->axle[vd_axle_of(i)].wheel_radius;
    double turns = (radius - wheel_radius) / wheel_radius;
    rolling += wheel / (wheel_radius * wheel_radius);
    spins += wheel * turns * turns;
  }
  double top_energy = 0.5 * m * round2 * (1.0 + aside * aside) + 0.5 * (pitch_inertia(v) + spins) * q2 +
                      m * VD_GRAVITY * (top->cg[2] - from->cg[2]) + top->elastic - from->elastic;
  return sqrt((top_energy + from->lost - top->lost) / (0.5 * (m + rolling)));
}

static void check_critical(const char *shape, const char *name, const car *c, double *critical) {
  double v = lowest(shape, c, 20.0, 25.0, keeps_contact), round = lowest(shape, c, 17.0, v, gets_round);
  scene *s = at_speed(shape, c, v);
  track k = follow(s);
  vd_loop loop = loop_of(s);
  size_t start = 0, top = reaches(&k, VD_PI);
  while (start < k.count && !(k.at[start].cg[0] >= loop.enter[0] - 2.0))
    start++;
  double got = NAN, expected = NAN, r = NAN;
  if (top < k.count) {
    got = speed_of(&k.at[start]);
    expected = balanced_speed(s, &k.at[start], &k.at[top]);
    r = from_axis(&loop, k.at[top].cg);
  }
  tap_near(got / expected, 1.0, 0.03,
           "%s, %s: the critical speed, %.3f m/s, agrees with the balance of energy, %.3f m/s", name, c->name, got,
           expected);
  tap_diag("at the start of the run %.3f m/s; gets round from %.3f m/s on; on its radius of %.3f m sqrt(5 g r) = %.3f "
           "m/s, of the road "
           "sqrt(5 g R) = %.3f m/s",
           v, round, r, sqrt(5.0 * VD_GRAVITY * r), sqrt(5.0 * VD_GRAVITY * radius));
  tap_ok(round < v, "%s, %s: a little below the critical speed the car flies across the top and still gets round", name,
         c->name);
  free(k.at);
  scene_free(s);
  *critical = v;
}

/* --- below and above --- */

static void check_below(const char *shape, const char *name, const car *c, double speed) {
  scene *s = at_speed(shape, c, speed);
  track k = follow(s);
  size_t lost = loses(&k), end = lost;
  while (end < k.count && k.at[end].sum == 0.0)
    end++;
  bool flew = lost < k.count && k.at[lost].angle < VD_PI;
  tap_ok(flew && (double)(end - lost) * k.step > 0.2, "%s, %s at %.2f m/s: contact is lost before the apex", name,
         c->name, speed);
  /* rounding of the forces, 1e-16 of 100 kN, moves 1500 kg by less than 1e-10 m in 1 s */
  tap_near(flew ? off_parabola(&k, (flight){lost, end}) : NAN, 0.0, 1e-9,
           "%s, %s at %.2f m/s: the centre of gravity flies a parabola for %.3f s, until it hits", name, c->name, speed,
           (double)(end - lost) * k.step);
  tap_diag("lost at %.1f deg, hits at %.1f deg", k.at[lost < k.count ? lost : 0].angle * 180.0 / VD_PI,
           k.at[end < k.count ? end : k.count - 1].angle * 180.0 / VD_PI);
  free(k.at);
  scene_free(s);
}

/* Checks the loads at the apex. The curvature of the path is taken over +-5 deg of the loop: the angle by which the
 * velocity turns in the plane across the loop's axis, divided by the distance. */
static void check_above(const char *shape, const char *name, const car *c, double speed) {
  const double half = 5.0 * VD_PI / 180.0;
  scene *s = at_speed(shape, c, speed);
  track k = follow(s);
  vd_loop loop = loop_of(s);
  size_t from = reaches(&k, VD_PI - half), to = reaches(&k, VD_PI + half);
  double least = INFINITY, sum = 0.0, square = 0.0, way = 0.0, heading[2] = {0.0, 0.0};
  for (size_t i = from; i < to && to < k.count; i++) {
    const instant *now = &k.at[i];
    double along = 0.0, ahead = loop.axis[1] * now->speed[0] - loop.axis[0] * now->speed[1];
    for (int j = 0; j < 3; j++)
      along += now->speed[j] * loop.axis[j];
    double round2 = speed_of(now) * speed_of(now) - along * along;
    for (int w = 0; w < VD_WHEELS; w++)
      least = tap_min(least, now->load[w]);
    sum += now->sum;
    square += round2;
    way += i > from ? sqrt(round2) * k.step : 0.0; /* between the first and the last heading */
    heading[i > from] = atan2(now->speed[2], ahead);
  }
  double count = (double)(to - from), r = way / fabs(remainder(heading[1] - heading[0], 2.0 * VD_PI));
  double balance = k.mass * (square / count / r - VD_GRAVITY);
  tap_ok(gets_round(&k) && keeps_contact(&k), "%s, %s at %.2f m/s: the car gets round and never loses contact", name,
         c->name, speed);
  tap_ok(least > 0.0, "%s, %s at %.2f m/s: every wheel presses at the apex, with %.0f N or more", name, c->name, speed,
         least);
  tap_near(sum / count / balance, 1.0, 0.03,
           "%s, %s at %.2f m/s: %.0f N press at the apex, as m (v^2/r - g) with the centre of gravity's r of %.2f m",
           name, c->name, speed, sum / count, r);
  free(k.at);
  scene_free(s);
}

/* --- energy --- */

static void check_energy(const char *shape, const char *name, const car *c) {
  double ledger, rise;
  scene *s = at_speed(shape, c, 25.0);
  track k = follow(s);
  worst_energies(&k, &ledger, &rise);
  double start = 0.5 * k.mass * 25.0 * 25.0;
  tap_near(ledger / start, 0.0, 1e-4, "%s, %s: the ledger of a coast round the loop closes, to %.3g J of %.0f J", name,
           c->name, ledger, start);
  /* rounding may add 1e-12 to sums of 5e5 J */
  tap_near(rise / start, 0.0, 1e-12, "%s, %s: the energy never rises from one step to the next, by %.2g J at most",
           name, c->name, rise);
  free(k.at);
  scene_free(s);
}

/* A contact that is found once a step is a plane from which the wheel's centre, on its circle of radius r = R - R_w,
 * departs by (v h)^2/(2 r) within the step. At the next step the tyre is compressed by this distance in addition: an
 * error of the energy of F (v h)^2/(2 r), which is F q^2 r h/2 per time. With a contact at every stage there is no such
 * error. */
static void check_frozen(const car *c, double step) {
  char setting[64];
  snprintf(setting, sizeof setting, "run.step=%g", step);
  scene *s =
      scene_make(shapes[1], "run.contact=step", "run.duration=6", "initial.speed=25", c->unsprung, c->y, setting, NULL);
  double gained = 0.0, r = radius - s->def.vehicle.axle[VD_FRONT].wheel_radius;
  track k = follow(s);
  for (size_t i = 1; i < k.count; i++) {
    double turn = k.at[i].angle - k.at[i - 1].angle;
    if (k.at[i].angle > 0.0 && k.at[i].angle < 4.0 * quarter)
      gained += k.at[i].sum * turn * turn * 0.5 * r;
  }
  tap_near(last_of(&k)->ledger / gained, 1.0, 0.05,
           "%s, contact found once per step of %g ms: the energy error of %.1f J follows from the road's curvature",
           c->name, 1e3 * step, last_of(&k)->ledger);
  free(k.at);
  scene_free(s);
}

int main(void) {
  tap_plan(4 * 9 + 4);
  for (size_t shape = 0; shape < VD_COUNT(shapes); shape++)
    for (size_t i = 0; i < VD_COUNT(cars); i++) {
      double critical;
      if (tap_left_out(9, (int)(shape + i), 2)) /* each commit tries two cases, of both shapes and both cars */
        continue;
      check_critical(shapes[shape], shape_names[shape], &cars[i], &critical);
      check_below(shapes[shape], shape_names[shape], &cars[i], 0.9 * critical);
      check_above(shapes[shape], shape_names[shape], &cars[i], 1.1 * critical);
      check_energy(shapes[shape], shape_names[shape], &cars[i]);
    }
  check_frozen(&cars[0], 0.25e-3);
  check_frozen(&cars[0], 0.125e-3);
  check_frozen(&cars[1], 1e-3);
  check_frozen(&cars[1], 0.5e-3);
  return tap_done();
}
