/* Turn slip of the Magic Formula in its limits; mf_second.c compares it with the second implementation. */
#include "tap.h"
#include "tyre_files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char parking[] = "scenarios/tyres/parking_mf61.tir";
static const char paper[] = "validation/data/tyre/paper_mf62.tir";
static const char without[] = "scenarios/tyres/synthetic_mf61.tir";

static vd_mf built(const vd_mf_def *def, int turn_slip, enum vd_mf_side side) {
  vd_mf_def own = *def;
  vd_mf m;
  own.turn_slip = turn_slip;
  vd_mf_build(&own, side, &m);
  return m;
}

static bool same(const vd_mf_output *a, const vd_mf_output *b) {
  return memcmp(a, b, sizeof *a) == 0;
}

static vd_mf_input any(double pressure) {
  double size = pow(10.0, uniform(-3.0, 3.0));
  return (vd_mf_input){.load = uniform(500.0, 9000.0),
                       .kappa = uniform(-0.5, 0.5),
                       .tan_alpha = uniform(-0.6, 0.6),
                       .gamma = uniform(-0.15, 0.15),
                       .pressure = pressure,
                       .vx = uniform(-20.0, 20.0),
                       .friction = uniform(0.3, 1.1),
                       .curvature = uniform(-1.0, 1.0) * size,
                       .rolling = uniform(2.8, 3.2)};
}

static void neutral(void) {
  vd_mf_def def = load_tir(without), turning = load_tir(paper);
  def.use_mode = 5.0;
  vd_mf plain = built(&def, VD_MF_TURN_AUTO, VD_MF_LEFT), off = built(&turning, VD_MF_TURN_OFF, VD_MF_LEFT),
        on = built(&turning, VD_MF_TURN_ON, VD_MF_LEFT);
  int unlike = 0, straight = 0, changed = 0;
  srand(1);
  for (int i = 0; i < 1000; i++) {
    vd_mf_input in = any(on.pressure), still = in;
    still.curvature = still.rolling = 0.0;
    vd_mf_output a = forces_of(&plain, in), b = forces_of(&plain, still);
    unlike += !same(&a, &b);
    changed += forces_of(&on, in).fy != forces_of(&off, in).fy;
    in.curvature = in.gamma = 0.0;
    a = forces_of(&on, in);
    b = forces_of(&off, in);
    straight += !same(&a, &b);
  }
  tap_ok(!plain.has_turn_slip && unlike == 0,
         "without coefficients turn slip changes no bit, also in USE_MODE 5: %d of 1000 forces differ", unlike);
  tap_ok(straight == 0,
         "an upright wheel on a straight path has the same bits as a wheel without turn slip: %d of 1000 differ",
         straight);
  tap_ok(changed == 1000, "on a curved path or with a leaning wheel turn slip changes the side force: %d of 1000",
         changed);
  turning.use_mode = 4.0;
  tap_ok(!built(&turning, VD_MF_TURN_AUTO, VD_MF_LEFT).has_turn_slip &&
             built(&turning, VD_MF_TURN_ON, VD_MF_LEFT).has_turn_slip,
         "USE_MODE 4 omits turn slip, and 'on' includes it");
  turning.use_mode = 3.0;
  tap_ok(!built(&turning, VD_MF_TURN_ON, VD_MF_LEFT).has_turn_slip, "uncombined forces have no turn slip");
}

static void mirror(void) {
  vd_mf_def def = load_tir(paper);
  def.side = VD_MF_LEFT;
  vd_mf left = built(&def, VD_MF_TURN_ON, VD_MF_LEFT), right = built(&def, VD_MF_TURN_ON, VD_MF_RIGHT);
  int unlike = 0;
  srand(2);
  for (int i = 0; i < 1000; i++) {
    vd_mf_input in = any(left.pressure), turned = in;
    turned.tan_alpha = -in.tan_alpha;
    turned.gamma = -in.gamma;
    turned.curvature = -in.curvature;
    vd_mf_output a = forces_of(&left, in), b = forces_of(&right, turned);
    unlike += a.fx != b.fx || a.fy != -b.fy || a.mx != -b.mx || a.my != b.my || a.mz != -b.mz;
  }
  tap_ok(unlike == 0, "the forces of turn slip on the other side are the mirror image: %d of 1000 differ", unlike);
}

/* Checks the mirror image, across the axle, of an upright wheel without slip: it rolls backwards and turns in the other
 * direction. */
static void backwards(void) {
  vd_mf_def def = load_tir(parking);
  vd_mf m = built(&def, VD_MF_TURN_AUTO, VD_MF_LEFT);
  double worst = 0.0;
  for (double phi = 0.01; phi < 1000.0; phi *= 1.5) {
    const vd_mf_input in = {.load = 4000.0, .pressure = m.pressure, .vx = 5.0, .friction = 1.0, .curvature = phi};
    vd_mf_input back = in;
    back.vx = -5.0;
    vd_mf_output a = forces_of(&m, in), b = forces_of(&m, back);
    worst = tap_max(worst, fabs(a.fy + b.fy) + fabs(a.mz - b.mz));
    worst = a.fy < 0.0 && a.mz < 0.0 ? worst : NAN;
  }
  tap_near(worst, 0.0, 1e-9, "backwards, turn slip causes a force of opposite sign and an equal moment");
}

/* Checks 4.93 with C = 1 and E = 0, and at no slip: Mz = -M x/sqrt(1 + x^2), x = k phi/M, by hand. */
static void closed_form(void) {
  const double fz = 4600.0, r0 = 0.33, ratio = fz / 4000.0, mu = 1.0 - 0.1 * (ratio - 1.0);
  const double most = 0.1362 * mu * r0 * fz * sqrt(ratio);
  const double slope = fz * r0 * r0 * (0.15 - 0.05 * (ratio - 1.0)) / 0.5;
  vd_mf_def def = load_tir(parking);
  vd_mf m = built(&def, VD_MF_TURN_AUTO, VD_MF_LEFT);
  double worst = 0.0;
  for (double phi = 1e-3; phi < 1e5; phi *= 1.7)
    for (int side = -1; side <= 1; side += 2) {
      double x = slope * phi / most, expected = -side * most * x / sqrt(1.0 + x * x);
      double got =
          forces_of(&m, (vd_mf_input){.load = fz, .pressure = m.pressure, .friction = 1.0, .curvature = side * phi}).mz;
      worst = tap_max(worst, fabs(got / expected - 1.0));
    }
  tap_near(worst, 0.0, 1e-12, "the moment of turn slip follows the formula up to that of the standing wheel, %.6g N m",
           most);
  vd_mf_turning turning;
  vd_mf_turn(&m, &(vd_mf_input){.load = fz, .pressure = m.pressure, .friction = 1.0}, &turning);
  tap_near(turning.slope / slope, 1.0, 1e-12,
           "the slope of the moment of turn slip of the standing wheel is %.6g N m2 by hand", slope);
  tap_near(turning.most / most, 1.0, 1e-12, "the limit of the moment of turn slip is the moment of the standing wheel");
  vd_mf_turn(&m, &(vd_mf_input){.load = fz, .pressure = m.pressure, .friction = 0.4}, &turning);
  tap_near(turning.most / most, 0.4, 1e-12,
           "the limit of the moment of turn slip is proportional to the friction of the ground");
}

/* Checks 4.89: the derivative of the side force by turn slip is that by camber times R0/(1 - eps). */
static void camber(void) {
  vd_mf_def def = load_tir(parking);
  vd_mf m = built(&def, VD_MF_TURN_AUTO, VD_MF_LEFT);
  vd_mf_input in = {.load = 4000.0, .pressure = m.pressure, .vx = 10.0, .friction = 1.0, .curvature = 1e-6};
  vd_mf_stiffness slope;
  vd_mf_slopes(&m, &in, &slope);
  tap_near(forces_of(&m, in).fy / in.curvature / slope.camber, 0.33 / 0.5, 1e-6, "turn slip acts like camber");
  vd_mf off = built(&def, VD_MF_TURN_OFF, VD_MF_LEFT);
  in.curvature = 0.0;
  in.gamma = 1e-5;
  in.rolling = 1.0 / 0.33;
  tap_near(forces_of(&m, in).fy / forces_of(&off, in).fy, 1.0, 1e-6, "a rolling wheel that leans has its camber force");
  in.rolling = 0.0;
  tap_near(forces_of(&m, in).fy / forces_of(&off, in).fy, 0.0, 1e-6, "a standing wheel that leans has no camber force");
}

/* Checks that turn slip dissipates energy, alone and together with longitudinal slip. The side force of turn slip does
 * no work if the contact does not slide sideways; otherwise the rolling motion supplies the work, as for camber. */
static void power(void) {
  vd_mf_def def = load_tir(parking), odd = def;
  odd.qdz8 = 0.2;
  odd.qdz9 = 0.0;
  vd_mf m = built(&def, VD_MF_TURN_AUTO, VD_MF_LEFT), driven = built(&odd, VD_MF_TURN_AUTO, VD_MF_LEFT);
  double worst = -INFINITY, creates = 0.0;
  srand(4);
  for (int i = 0; i < 20000; i++) {
    vd_mf_input in = any(m.pressure);
    in.gamma = in.tan_alpha = 0.0;
    vd_mf_output o = forces_of(&m, in);
    double v = fabs(in.vx), work = -o.fx * in.kappa * v + o.mz * in.curvature * v;
    worst = tap_max(worst, work / (in.load * v * (fabs(in.kappa) + fabs(0.33 * in.curvature))));
    in.kappa = 0.0;
    creates = tap_max(creates, forces_of(&driven, in).mz * in.curvature);
  }
  tap_ok(worst <= 0.0, "turn slip dissipates with and without longitudinal slip: at least %.3g of load and slip",
         worst);
  tap_ok(creates <= 0.0, "coefficients whose moment would drive turn slip give no driving moment: %.3g", creates);
}

/* Checks that forces whose coefficients of turn slip are missing have their values without turn slip. */
static void parts(void) {
  vd_mf_def def = load_tir(parking);
  def.pdxp1 = def.pkyp1 = def.pdyp1 = def.phyp1 = 0.0;
  vd_mf m = built(&def, VD_MF_TURN_AUTO, VD_MF_LEFT), off = built(&def, VD_MF_TURN_OFF, VD_MF_LEFT);
  def = load_tir(parking);
  def.pdxp1 = def.pkyp1 = def.pdyp1 = def.qdtp1 = def.qbrp1 = def.qcrp1 = 0.0;
  vd_mf shifted = built(&def, VD_MF_TURN_AUTO, VD_MF_LEFT);
  int forces_differ = 0, moments_same = 0, camber_lost = 0;
  srand(5);
  for (int i = 0; i < 500; i++) {
    vd_mf_input in = any(m.pressure);
    vd_mf_output a = forces_of(&m, in), b = forces_of(&off, in);
    forces_differ += a.fx != b.fx || a.fy != b.fy || a.mx != b.mx;
    moments_same += a.mz == b.mz;
    in = (vd_mf_input){.load = 4000.0, .pressure = m.pressure, .vx = 10.0, .friction = 1.0, .gamma = 0.05};
    camber_lost += fabs(forces_of(&shifted, in).mz) < 1.0;
  }
  tap_ok(forces_differ == 0 && moments_same == 0,
         "turn slip with only coefficients of the moment does not change the forces: %d, %d", forces_differ,
         moments_same);
  tap_ok(camber_lost == 0, "without coefficients of the moment of turn slip the moment by camber does not change");
}

/* Checks tyres with and without turn slip that are computed four at a time. */
static void beside(void) {
  vd_mf_def a_def = load_tir(parking), b_def = load_tir(without);
  vd_mf a = built(&a_def, VD_MF_TURN_AUTO, VD_MF_LEFT), b = built(&b_def, VD_MF_TURN_AUTO, VD_MF_LEFT);
  const vd_mf *both[VD_WHEELS] = {&a, &b, &b, &a};
  vd_mf_four four;
  int unlike = 0;
  vd_mf_pack(both, &four);
  srand(6);
  for (int i = 0; i < 500; i++) {
    vd_mf_input in[VD_WHEELS];
    vd_mf_contact contact;
    vd_mf_path path;
    vd_mf_slip slip;
    vd_mf_load_state last;
    vd_mf_moment moment;
    double loads[VD_WHEELS];
    for (int k = 0; k < VD_WHEELS; k++) {
      in[k] = any(both[k]->pressure);
      contact.kappa[k] = in[k].kappa;
      contact.tan_alpha[k] = in[k].tan_alpha;
      contact.gamma[k] = in[k].gamma;
      contact.pressure[k] = in[k].pressure;
      contact.vx[k] = in[k].vx;
      contact.friction[k] = in[k].friction;
      path.curvature[k] = in[k].curvature;
      path.rolling[k] = in[k].rolling;
      loads[k] = in[k].load;
    }
    contact.path = &path;
    vd_mf_at_slip(&four, &contact, &slip);
    vd_mf_at_load(&four, &slip, loads, &last);
    vd_mf_aligning(&four, &slip, &last, &moment);
    for (int k = 0; k < VD_WHEELS; k++) {
      vd_mf_output o = forces_of(both[k], in[k]);
      unlike += o.fx != last.fx[k] || o.fy != last.fy[k] || o.mz != moment.mz[k] || o.mx != last.mx[k];
    }
  }
  tap_ok(four.has_turn_slip && unlike == 0,
         "tyres with and without turn slip, computed at once, have the same bits as each alone: %d differ", unlike);
}

int main(void) {
  tap_plan(19);
  neutral();
  mirror();
  backwards();
  closed_form();
  camber();
  power();
  parts();
  beside();
  return tap_done();
}
