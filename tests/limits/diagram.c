/* Moment diagrams.
 *
 * mmm.csv, mmm_derivatives.csv were computed by another program of the author's, converged to 1e-12, for the
 * double-track car of this folder without longitudinal load transfer. That program uses the slip angle in radians where
 * the Magic Formula of this car uses its tangent, 0.7 % more at 8 deg. Hence the tolerances: 0.003 for Cn, and 0.05
 * m/s2. Derivatives near the limit depend on this difference, and on the air forces. So they are compared on a tyre
 * that uses the angle, with the air forces of the table.
 *
 * At the origin the derivatives follow from the linear system of the car: at constant slip b and steer d the lateral
 * speed v b and the spins do not change, so the yaw rate r and the spins follow from their equations, and Cn from the
 * equation of the yaw rate. */
#include "scene.h"
#include "tap.h"

#include "limits/diagram.h"
#include "math/lu.h"
#include "sim/linearise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double degree = VD_PI / 180.0;

static vd_diagram_plan coasting(double speed) {
  return (vd_diagram_plan){.speed = speed,
                           .hold = VD_HOLD_COAST,
                           .turn_rate = NAN,
                           .bounds = {12.0 * degree, 20.0 * degree, 1.0, false},
                           .gear = 1};
}

/* Makes the reference car. front, rear: settings of the tyres; NULL: none. */
static scene *reference(const char *front, const char *rear) {
  scene *s = scene_make("vehicle: {base: ../../tests/limits/double_track.yaml}\n"
                        "run: {level: L2, duration: 5 s, lean: false}\n",
                        front, rear, NULL);
  vd_model_options options = s->model.options;
  vd_vehicle vehicle = s->model.vehicle;
  vd_ground ground = s->model.ground;
  options.no_pitch = true;
  vd_model_build(&vehicle, &ground, &options, &s->model);
  return s;
}

static void points(const vd_model *m) {
  static vd_diagram d;
  FILE *f = fopen("tests/limits/mmm.csv", "r");
  char line[200];
  double now = NAN, worst[2] = {0.0, 0.0};
  int rows = 0, lost = 0;
  while (f && fgets(line, sizeof line, f)) {
    double v, slip, steer, ay, cn;
    vd_diagram_point p;
    if (sscanf(line, "%lf,%lf,%lf,%lf,%lf", &v, &slip, &steer, &ay, &cn) != 5)
      continue;
    if (v != now) {
      const vd_diagram_plan plan = coasting(now = v);
      vd_diagram_start(m, &plan, &d);
    }
    rows++;
    lost += !vd_diagram_at(&d, slip * degree, steer * degree, &p);
    worst[0] = tap_max(worst[0], fabs(p.ay - ay));
    worst[1] = tap_max(worst[1], fabs(p.cn - cn));
  }
  if (f)
    fclose(f);
  tap_ok(rows == 714 && lost == 0, "mmm.csv has %d points, %d of them without a state", rows, lost);
  tap_near(worst[0], 0.0, 0.05, "mmm.csv: the lateral accelerations agree, m/s2");
  tap_near(worst[1], 0.0, 0.003, "mmm.csv: the coefficients of the yaw moment agree");
}

/* Corrects the air forces of the model. In the table air forces are proportional to the square of the whole speed, in
 * L2 to the square of the speed along the body. */
static void blow(const vd_model *base, double slip, vd_model *m) {
  double share = 1.0 / (cos(slip) * cos(slip));
  m->air.drag = base->air.drag * share;
  for (int i = 0; i < VD_WHEELS; i++)
    m->planar.load_aero[i] = base->planar.load_aero[i] * share;
  for (int a = 0; a < VD_AXLES; a++)
    m->air.downforce[a] = base->air.downforce[a] * share;
}

/* Takes central differences at the trimmed state of a steer. */
static bool differentiate(const vd_model *base, double steer, vd_model *m, vd_diagram *d, vd_diagram_point *p,
                          double *by) {
  enum { ROUNDS = 4 };
  const double h = 1e-4;
  bool good = true;
  p->side_slip = d->trim.z[VD_TRIM_SIDE_SLIP];
  for (int round = 0; round < ROUNDS && good; round++) {
    blow(base, p->side_slip, m);
    good = vd_diagram_trim(d, steer, p);
  }
  for (int k = 0; k < 2 && good; k++) {
    vd_diagram_point end[2];
    for (int side = 0; side < 2 && good; side++) {
      double change = side == 0 ? h : -h, slip = p->side_slip + (k == 0 ? change : 0.0);
      blow(base, slip, m);
      good = vd_diagram_at(d, slip, steer + (k == 1 ? change : 0.0), &end[side]);
    }
    by[k] = (end[0].cn - end[1].cn) / (2.0 * h);
    by[2 + k] = (end[0].ay - end[1].ay) / (2.0 * h);
  }
  return good;
}

/* Compares row by row. Where a derivative passes through 0, the bound is 2 % of a fiftieth of its largest value. */
static void derivatives(vd_model *m) {
  static const char *const names[] = {"stability", "control", "lateral acceleration by the slip",
                                      "lateral acceleration by the steer"};
  static const double largest[] = {7.46, 4.04, 219.0, 105.0};
  static vd_diagram d;
  static vd_model base;
  FILE *f = fopen("tests/limits/mmm_derivatives.csv", "r");
  char line[200];
  double now = NAN, worst[5] = {0.0};
  int rows = 0;
  base = *m;
  while (f && fgets(line, sizeof line, f)) {
    double v, slip, steer, ay, of[4], got[4];
    vd_diagram_point p;
    if (sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &v, &slip, &steer, &ay, &of[0], &of[1], &of[2], &of[3]) != 8)
      continue;
    if (v != now) {
      const vd_diagram_plan plan = coasting(now = v);
      vd_diagram_start(m, &plan, &d);
    }
    rows += differentiate(&base, steer * degree, m, &d, &p, got);
    for (int i = 0; i < 4; i++)
      worst[i] = tap_max(worst[i], fabs(got[i] - of[i]) / tap_max(fabs(of[i]), 0.02 * largest[i]));
    worst[4] = tap_max(worst[4], fabs(p.ay - ay));
  }
  if (f)
    fclose(f);
  tap_ok(rows == 34, "mmm_derivatives.csv has %d rows with a state", rows);
  for (int i = 0; i < 4; i++)
    tap_near(worst[i], 0.0, 0.02, "trimmed states, row by row: %s agrees", names[i]);
  tap_near(worst[4], 0.0, 0.05, "the lateral accelerations of trimmed states agree, m/s2");
}

static int row_of(const vd_linear *l, int state) {
  for (int i = 0; i < l->count; i++)
    if (l->state[i] == state)
      return i;
  return -1;
}

/* Computes the derivatives of Cn by slip and by steer from the linear system. */
static void from_linear(const scene *s, double v, double *by) {
  enum { MOST = 5 };
  vd_linear *l = calloc(1, sizeof *l);
  const vd_vehicle *car = &s->model.vehicle;
  vd_linearise(&s->model, &s->sim.command, &s->sim.state, NULL, 0, l);
  int vy = row_of(l, VD_S_VY), r = row_of(l, VD_S_YAW_RATE), loose[MOST] = {r}, rows[MOST] = {vy};
  size_t n = 1, order[MOST];
  for (int i = 0; i < s->model.lanes.count; i++, n++)
    loose[n] = rows[n] = row_of(l, VD_S_SPIN + i);
  int wheel = vd_linear_input_called(l, "steering_wheel_rad");
  for (int k = 0; k < 2; k++) {
    double matrix[MOST * MOST], x[MOST], sum = 0.0;
    for (size_t i = 0; i < n; i++) {
      for (size_t j = 0; j < n; j++)
        matrix[i * n + j] = l->a[rows[i]][loose[j]];
      x[i] = -(k == 0 ? v * l->a[rows[i]][vy] : car->steering.ratio * l->b[rows[i]][wheel]);
    }
    vd_lu_factorise(matrix, n, order);
    vd_lu_solve(matrix, order, n, x);
    sum = k == 0 ? v * l->a[r][vy] : car->steering.ratio * l->b[r][wheel];
    for (size_t j = 0; j < n; j++)
      sum += l->a[r][loose[j]] * x[j];
    by[k] = car->yaw_inertia * sum / (car->mass * VD_GRAVITY * car->wheelbase);
  }
  free(l);
}

/* Checks derivatives at the origin. A car without drag and rolling resistance coasts at constant speed, so that driving
 * straight ahead is a state of the run. */
static void at_origin(const char *level) {
  char set[40];
  snprintf(set, sizeof set, "run.level=%s", level);
  scene *s = scene_make("vehicle: ../vehicles/textbook_linear.yaml\n"
                        "run: {level: L1, duration: 5 s}\ninitial: {speed: 30}\n",
                        set, NULL);
  static vd_diagram d;
  vd_diagram_point p;
  vd_diagram_slopes k = {NAN, NAN, NAN, NAN};
  double by[2];
  const vd_diagram_plan plan = coasting(30.0);
  if (vd_diagram_start(&s->model, &plan, &d) && vd_diagram_at(&d, 0.0, 0.0, &p))
    vd_diagram_slopes_at(&d, &p, &k);
  from_linear(s, 30.0, by);
  tap_near(k.cn_slip / by[0], 1.0, 1e-4, "%s: the stability straight ahead is %g, that of the linearised model", level,
           by[0]);
  tap_near(k.cn_steer / by[1], 1.0, 1e-4, "%s: the control straight ahead is %g, that of the linearised model", level,
           by[1]);
  scene_free(s);
}

/* Tests the moments on a given radius R, on which a single track with linear tyres and no slip of the body has the slip
 * angles -a/R and b/R in front and behind: Fy = (b Cr - a Cf)/R and N = -(a^2 Cf + b^2 Cr)/R at any speed. Slips are at
 * most 0.008 rad, where angle and tangent differ by 2e-5. */
static void on_radius(double speed) {
  const double radius = 200.0;
  scene *s = scene_make("vehicle: ../vehicles/textbook_linear.yaml\n"
                        "run: {level: L1, duration: 5 s}\ninitial: {speed: 30}\n",
                        NULL);
  static vd_diagram d;
  vd_diagram_point p = {.cn = NAN, .ay = NAN};
  vd_diagram_plan plan = coasting(speed);
  plan.turn_rate = speed / radius;
  const vd_vehicle *car = &s->model.vehicle;
  const double front = 160e3, rear = 160e3, a = car->cg_to_front, b = car->wheelbase - a; /* N/rad, both wheels; m */
  if (vd_diagram_start(&s->model, &plan, &d))
    vd_diagram_at(&d, 0.0, 0.0, &p);
  double cn = -(a * a * front + b * b * rear) / radius / (car->mass * VD_GRAVITY * car->wheelbase);
  tap_near(p.cn / cn, 1.0, 1e-4, "on a radius of 200 m, %g m/s: Cn is %g without slip and steer", speed, cn);
  tap_near(p.ay, (b * rear - a * front) / radius / car->mass, 1e-4,
           "on a radius of 200 m, %g m/s: ay is the single track's", speed);
  scene_free(s);
}

/* The table's tyre, a function of the angle itself, in the coefficients of 1989 for kN and degrees: D = (1720 - 34.29
 * F) F, B C D = 22 3500 pi/180 sin(2 atan(F/5.6)). */
#define BY_ANGLE                                                                                                       \
  "tyre={model: pac89, unloaded_radius: 0.33 m, a: [1.4, -34.28571428571429, 1720, 1343.903524035634, 5.6, 0, 0, "     \
  "-0.5], b: [1.65, -28.57, 1750, 0, 300], vertical_stiffness: 2000 kN/m}"

int main(void) {
  scene *s = reference(NULL, NULL);
  tap_plan(3 + 6 + 4 + 4);
  points(&s->model);
  scene_free(s);
  s = reference("vehicle.front." BY_ANGLE, "vehicle.rear." BY_ANGLE);
  derivatives(&s->model);
  scene_free(s);
  at_origin("L1");
  at_origin("L2");
  on_radius(15.0);
  on_radius(30.0);
  return tap_done();
}
