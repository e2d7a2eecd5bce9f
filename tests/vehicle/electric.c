/* Tables, motors and batteries by their formulas. */
#include "math/multilinear.h"
#include "vehicle/battery.h"
#include "vehicle/motor.h"

#include "tap.h"

#include <math.h>

enum { TESTS = 31 };

/* Returns a + b x + c y + d z + e x y z, which a trilinear table reproduces exactly within its cells. */
static double plane(double x, double y, double z) {
  return 3.0 + 0.5 * x - 2.0 * y + 7.0 * z + 0.25 * x * y * z;
}

static void test_table(void) {
  static const double x[] = {0.0, 1.0, 4.0}, y[] = {-1.0, 2.0}, z[] = {300.0, 350.0, 400.0, 410.0};
  double value[3 * 2 * 4], worst = 0.0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 2; j++)
      for (int k = 0; k < 4; k++)
        value[(i * 2 + j) * 4 + k] = plane(x[i], y[j], z[k]);
  const vd_multilinear g = {{3, 2, 4}, {x, y, z}, value};
  for (int i = 0; i <= 20; i++)
    for (int j = 0; j <= 20; j++) {
      const double at[] = {0.2 * i, -1.0 + 0.15 * j, 300.0 + 5.5 * ((i + j) % 21)};
      worst = tap_max(worst, fabs(vd_multilinear_at(&g, at) - plane(at[0], at[1], at[2])));
    }
  tap_near(worst, 0.0, 1e-11 * 3000.0, "a table reproduces a trilinear function");
  tap_near(vd_multilinear_at(&g, (const double[]){9.0, 5.0, 500.0}), plane(4.0, 2.0, 410.0), 1e-10,
           "a table is constant beyond its last points");
  tap_near(vd_multilinear_at(&g, (const double[]){-9.0, -5.0, 0.0}), plane(0.0, -1.0, 300.0), 1e-10,
           "a table is constant before its first points");
  const double one[] = {0.0}, pair[] = {2.0, 6.0};
  const vd_multilinear line = {{2, 1, 1}, {y, one, one}, pair};
  tap_near(vd_multilinear_at(&line, (const double[]){0.5, 77.0, 88.0}), 4.0, 1e-12,
           "a table of three axes may have one point on two of them");
}

static void test_motor(void) {
  vd_motor m = {.max_torque = 200.0, .max_power = 60e3, .electric = {.voltage = 400.0}};
  tap_near(vd_motor_limit(&m, 299.0, 400.0), 200.0, 1e-12,
           "a motor has its full torque below the base speed of 300 rad/s");
  tap_near(vd_motor_limit(&m, -600.0, 400.0), 100.0, 1e-12,
           "the torque is power divided by speed above the base speed, also backwards");
  tap_near(vd_motor_limit(&m, 600.0, 300.0), 75.0, 1e-12, "the power falls with the voltage");
  tap_near(vd_motor_limit(&m, 224.0, 300.0), 200.0, 1e-12, "the base speed of a motor falls with the voltage");
  m.electric.voltage = NAN;
  tap_near(vd_motor_limit(&m, 600.0, 10.0), 100.0, 1e-12,
           "without a rated voltage the voltage has no effect on the torque");
  m.max_power = NAN;
  tap_near(vd_motor_limit(&m, 1e4, 10.0), 200.0, 1e-12, "without a power limit only the torque limits the motor");
  m.electric = (vd_motor_electric){.constant = 100.0,
                                   .copper = 0.2,
                                   .iron = 0.5,
                                   .windage = 1e-6,
                                   .inverter_constant = 30.0,
                                   .inverter_share = 0.02};
  double inverter, lost = vd_motor_loss(&m, 50.0, 400.0, 0.0, &inverter);
  tap_near(lost, 100.0 + 0.2 * 2500.0 + 0.5 * 400.0 + 64.0, 1e-9, "the loss of the motor is the sum of its parts");
  tap_near(inverter, 30.0 + 0.02 * (50.0 * 400.0 + lost), 1e-9,
           "the loss of the inverter grows with the power through it");
  lost = vd_motor_loss(&m, -50.0, 400.0, 0.0, &inverter);
  tap_near(inverter, 30.0 + 0.02 * (50.0 * 400.0 - lost), 1e-9,
           "the losses of a motor that generates reduce the power through its inverter");
  static const double w[] = {0.0, 1000.0}, both[] = {-100.0, 0.0, 100.0}, half[] = {0.0, 100.0}, v[] = {0.0};
  const double signed_loss[] = {900.0, 10.0, 500.0, 1900.0, 110.0, 1500.0}, same_loss[] = {10.0, 500.0, 110.0, 1500.0};
  const vd_multilinear map = {{2, 3, 1}, {w, both, v}, signed_loss}, same = {{2, 2, 1}, {w, half, v}, same_loss};
  m.electric.loss_map = &map;
  tap_near(vd_motor_loss(&m, -100.0, 500.0, 0.0, &inverter), 1400.0, 1e-9,
           "a loss map of both signs has its own losses for generation");
  tap_near(vd_motor_loss(&m, -100.0, -500.0, 0.0, &inverter), 1000.0, 1e-9,
           "a motor that drives backwards has the losses of driving");
  m.electric.loss_map = &same;
  tap_near(vd_motor_loss(&m, -50.0, 500.0, 0.0, &inverter), 530.0, 1e-9,
           "a loss map of positive torque applies to both directions");
}

static void test_battery(void) {
  static double open[] = {0.0, 300.0, 1.0, 400.0}, ohm[] = {0.0, 0.3, 1.0, 0.1};
  vd_battery b = {
      .given = true, .capacity = 3600.0, .max_discharge = INFINITY, .max_charge = INFINITY, .max_voltage = INFINITY};
  vd_curve_build(&(vd_points){.xy = open, .count = 2}, &b.open_voltage);
  vd_curve_build(&(vd_points){.xy = ohm, .count = 2}, &b.resistance);
  double worst = 0.0;
  for (int i = -18; i <= 18; i++)
    for (int k = 0; k <= 4; k++) {
      const double charge = 0.25 * k, power = 4e3 * i, u = 300.0 + 100.0 * charge, r = 0.3 - 0.2 * charge;
      const double current = vd_battery_current(&b, charge, power), v = vd_battery_voltage(&b, charge, current);
      worst = tap_max(worst, tap_max(fabs(v * current - power) / 8e4, fabs(v - (u - r * current)) / u));
    }
  tap_near(worst, 0.0, 1e-14, "the battery's power is V I, with the voltage V = U - R I");
  tap_near(vd_battery_current(&b, 0.5, 1e9), 350.0 / 0.4, 1e-9,
           "beyond the power U^2/(4 R) the current is that at this power");
  tap_near(vd_battery_most(&b, 0.5), 350.0 * 350.0 / 0.8, 1e-6,
           "the greatest power without a limit of current is U^2/(4 R)");
  b.max_discharge = 200.0;
  b.max_charge = 100.0;
  tap_near(vd_battery_most(&b, 0.5), 200.0 * (350.0 - 0.2 * 200.0), 1e-9,
           "the greatest power with a limit of the current");
  tap_near(vd_battery_least(&b, 0.5), -100.0 * (350.0 + 0.2 * 100.0), 1e-9,
           "the greatest charging power with a limit of the current");
  tap_near(vd_battery_most(&b, 0.01), 0.5 * 200.0 * (301.0 - 0.298 * 200.0), 1e-9,
           "at 1 %% of charge the greatest power is halved");
  tap_near(vd_battery_least(&b, 0.99), -0.5 * 100.0 * (399.0 + 0.102 * 100.0), 1e-9,
           "at 99 %% of charge the greatest charging power is halved");
  tap_near(vd_battery_most(&b, 0.0), 0.0, 0.0, "an empty battery delivers no power");
  tap_near(vd_battery_least(&b, 1.0), 0.0, 0.0, "a full battery accepts no power");
  tap_near(vd_battery_energy(&b, 0.6), 3600.0 * (300.0 * 0.6 + 50.0 * 0.36), 1e-7,
           "the energy is the integral of U by the charge");
  b.max_charge = INFINITY;
  tap_ok(isinf(vd_battery_least(&b, 0.5)) && vd_battery_least(&b, 0.5) < 0.0,
         "without a limit the charging power is infinite");
  /* at half charge U = 350 V, R = 0.2 ohm */
  b.max_discharge = INFINITY;
  b.min_voltage = 310.0;
  b.max_voltage = 364.0;
  tap_near(vd_battery_most(&b, 0.5), 310.0 * 200.0, 1e-7, "the least voltage limits the current to 40 V/0.2 ohm");
  tap_near(vd_battery_least(&b, 0.5), -364.0 * 70.0, 1e-7,
           "the greatest voltage limits the charging current to 14 V/0.2 ohm");
  b.min_voltage = 351.0;
  b.max_voltage = 349.0;
  tap_near(vd_battery_most(&b, 0.5), 0.0, 0.0, "a battery below its least voltage delivers no power");
  tap_near(vd_battery_least(&b, 0.5), 0.0, 0.0, "a battery above its greatest voltage accepts no power");
}

int main(void) {
  tap_plan(TESTS);
  test_table();
  test_motor();
  test_battery();
  return tap_done();
}
