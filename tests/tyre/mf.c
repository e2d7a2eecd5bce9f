/* The Magic Formula: laws that hold for every tyre. */
#include "tap.h"
#include "tyre_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char synthetic[] = "scenarios/tyres/synthetic_mf61.tir";

static bool load(const char *path, vd_mf_def *def) {
  vd_diag *d = vd_diag_create();
  bool good = vd_tir_read(path, (vd_place){0}, d, def);
  size_t words = vd_diag_errors(d) + vd_diag_warnings(d);
  vd_diag_print(d, stderr, false);
  vd_diag_destroy(d);
  return good && words == 0;
}

/* ---- Laws ------------------------------------------------------------------------------------ */

static vd_mf_input random_input(const vd_mf *m) {
  return (vd_mf_input){uniform(0.0, 12000.0),
                       uniform(-1.2, 1.2),
                       tan(uniform(-1.5, 1.5)),
                       uniform(-0.15, 0.15),
                       uniform(0.8, 1.2) * m->pressure,
                       uniform(-40.0, 40.0),
                       uniform(0.2, 1.1),
                       0.0,
                       0.0};
}

static double distance(const vd_mf_output *a, const vd_mf_output *b) {
  double force = fabs(a->fx - b->fx) + fabs(a->fy - b->fy);
  return force + fabs(a->mx - b->mx) + fabs(a->my - b->my) + fabs(a->mz - b->mz);
}

static void slopes(const vd_mf *m, const char *name) {
  double worst = 0.0;
  for (int i = 0; i < 200; i++) {
    vd_mf_input in = {uniform(1000.0, 9000.0), 0.0, 0.0, uniform(-0.05, 0.05), m->pressure, 20.0, 1.0, 0.0, 0.0};
    vd_mf_stiffness s;
    vd_mf_slip slip;
    vd_mf_pure p;
    vd_mf_slopes(m, &in, &s);
    vd_mf_pure_at(m, &in, &slip, &p);
    /* at zero shifted slips, where the weights of combined slip are even functions of their slip only to first order */
    const double h = 1e-5;
    vd_mf only = *m;
    only.rbx1 = only.rbx3 = only.rby1 = only.rby4 = only.rvy3 = only.dvyk.c0 = only.dvyk.c1 = 0.0;
    vd_mf_input more = in, less = in;
    more.kappa = -p.x.sh + h;
    less.kappa = -p.x.sh - h;
    worst = tap_max(worst, fabs((forces_of(&only, more).fx - forces_of(&only, less).fx) / (2.0 * h) / s.slip - 1.0));
    more.kappa = less.kappa = 0.0;
    more.tan_alpha = m->mirror * -p.y.sh + h;
    less.tan_alpha = m->mirror * -p.y.sh - h;
    worst =
        tap_max(worst, fabs(-(forces_of(&only, more).fy - forces_of(&only, less).fy) / (2.0 * h) / s.cornering - 1.0));
  }
  tap_near(worst, 0.0, 1e-4, "%s: slopes at zero shifted slip are Kxk and Kya", name);
}

/* Checks that Fx tends to D sin(C pi/2) + SV as the slip grows (E < 1), and Fy likewise. */
static void asymptotes(void) {
  vd_mf_def def;
  load(synthetic, &def);
  def.use_mode = 3.0;
  vd_mf m;
  vd_mf_build(&def, VD_MF_LEFT, &m);
  vd_mf_input in = {5000.0, 1e6, 1e6, 0.0, m.pressure, 20.0, 1.0, 0.0, 0.0};
  vd_mf_slip slip;
  vd_mf_pure p;
  vd_mf_pure_at(&m, &in, &slip, &p);
  vd_mf_output o = forces_of(&m, in);
  tap_near(o.fx, 5000.0 * (p.x.mu * sin(0.5 * VD_PI * p.x.c) + p.x.sv), 0.01, "Fx tends to D sin(C pi/2)");
  tap_near(o.fy, 5000.0 * (-p.y.mu * sin(0.5 * VD_PI * p.y.c) + p.y.sv), 0.01, "Fy tends to -D sin(C pi/2)");
}

static void mirrored(const char *path, const char *name) {
  const vd_mf left = load_mf(path, VD_MF_LEFT), right = load_mf(path, VD_MF_RIGHT);
  double worst = 0.0;
  tap_ok(left.mirror * right.mirror == -1.0, "%s: the tyre of one side is mirrored", name);
  for (int i = 0; i < 20000; i++) {
    vd_mf_input in = random_input(&left), turned = in;
    turned.tan_alpha = -in.tan_alpha;
    turned.gamma = -in.gamma;
    vd_mf_output a = forces_of(&left, in), b = forces_of(&right, turned);
    b.fy = -b.fy;
    b.mx = -b.mx;
    b.mz = -b.mz;
    worst = tap_max(worst, distance(&a, &b));
  }
  tap_ok(worst == 0.0, "%s: forces of the mirrored tyre are mirrored exactly", name);
}

static void signs(const vd_mf *m, const char *name) {
  bool good = true;
  for (double alpha = 0.02; alpha < 0.1; alpha += 0.01) {
    vd_mf_output o = forces_of(m, (vd_mf_input){5000.0, 0.0, tan(alpha), 0.0, m->pressure, 20.0, 1.0, 0.0, 0.0});
    vd_mf_output back = forces_of(m, (vd_mf_input){5000.0, 0.0, tan(alpha), 0.0, m->pressure, -20.0, 1.0, 0.0, 0.0});
    good = good && o.fy < 0.0 && o.mz > 0.0 && o.my < 0.0 && back.fy == o.fy && back.mz < 0.0 && back.my > 0.0;
  }
  double lean = forces_of(m, (vd_mf_input){5000.0, 0.0, 0.0, 0.08, m->pressure, 20.0, 1.0, 0.0, 0.0}).fy;
  double upright = forces_of(m, (vd_mf_input){5000.0, 0.0, 0.0, 0.0, m->pressure, 20.0, 1.0, 0.0, 0.0}).fy;
  tap_ok(good,
         "%s: the side force opposes sliding, Mz restores, My resists rolling; backwards both moments change sign",
         name);
  tap_ok(lean < upright, "%s: a wheel that leans to the right has a side force to the right", name);
}

/* Checks that the weights of combined slip are exactly 1 where the other slip is zero. */
static void pure_limit(void) {
  vd_mf_def def;
  load(synthetic, &def);
  vd_mf combined, pure;
  vd_mf_build(&def, VD_MF_LEFT, &combined);
  def.use_mode = 3.0;
  vd_mf_build(&def, VD_MF_LEFT, &pure);
  double worst = 0.0;
  for (int i = 0; i < 20000; i++) {
    vd_mf_input in = random_input(&pure);
    in.tan_alpha = 0.0;
    worst = tap_max(worst, fabs(forces_of(&combined, in).fx - forces_of(&pure, in).fx));
    in = random_input(&pure);
    in.kappa = 0.0;
    worst = tap_max(worst, fabs(forces_of(&combined, in).fy - forces_of(&pure, in).fy));
  }
  tap_ok(worst == 0.0, "combined forces equal the pure forces exactly where the other slip is zero");
}

static void modes(void) {
  static const double mode[] = {0, 1, 2, 3, 4, 5, 14, 124, -4};
  vd_mf_def def;
  load(synthetic, &def);
  bool good = true;
  vd_mf_output all[VD_COUNT(mode)];
  vd_mf_input in = {5000.0, 0.05, -0.06, 0.03, def.inflpres, 20.0, 1.0, 0.0, 0.0};
  for (size_t i = 0; i < VD_COUNT(mode); i++) {
    vd_mf m;
    def.use_mode = mode[i];
    vd_mf_build(&def, VD_MF_LEFT, &m);
    all[i] = forces_of(&m, in);
    good = good && (m.mirror < 0.0) == (mode[i] < 0.0);
  }
  tap_ok(all[0].fx == 0.0 && all[0].fy == 0.0 && all[0].mz == 0.0 && all[0].mx == 0.0 && all[0].my == 0.0,
         "USE_MODE 0 gives no forces in the plane");
  tap_ok(all[1].fx == all[3].fx && all[1].my == all[3].my && all[1].fy == 0.0 && all[1].mz == 0.0,
         "USE_MODE 1 gives Fx and My");
  tap_ok(all[2].fy == all[3].fy && all[2].mx == all[3].mx && all[2].fx == 0.0 && all[2].my == 0.0,
         "USE_MODE 2 gives Fy, Mx and Mz");
  tap_ok(distance(&all[4], &all[5]) == 0.0 && distance(&all[4], &all[6]) == 0.0 && distance(&all[4], &all[7]) == 0.0 &&
             distance(&all[4], &all[3]) > 100.0 && good,
         "USE_MODE 4 gives combined forces; 5, tens and hundreds add nothing in the steady state; < 0 mirrors");
}

/* Checks that a file for forces of one direction may lack the coefficients of the other direction. */
static void half_files(void) {
  vd_mf_def def, x, y;
  load(synthetic, &def);
  x = y = def;
  x.use_mode = 1.0;
  x.pcy1 = x.pdy1 = x.pky1 = x.pky2 = 0.0;
  y.use_mode = 2.0;
  y.pcx1 = y.pdx1 = y.pkx1 = 0.0;
  vd_mf whole, only_x, only_y;
  def.use_mode = 3.0;
  vd_mf_build(&def, VD_MF_LEFT, &whole);
  vd_mf_build(&x, VD_MF_LEFT, &only_x);
  vd_mf_build(&y, VD_MF_LEFT, &only_y);
  vd_mf_input in = {5000.0, 0.05, -0.06, 0.03, def.inflpres, 20.0, 1.0, 0.0, 0.0};
  vd_mf_output a = forces_of(&whole, in), b = forces_of(&only_x, in), c = forces_of(&only_y, in);
  tap_ok(b.fx == a.fx && b.my == a.my && b.fy == 0.0 && b.mx == 0.0 && b.mz == 0.0,
         "a file without side forces has the other forces");
  tap_ok(c.fy == a.fy && c.mz == a.mz && c.mx == a.mx && c.fx == 0.0 && c.my == 0.0,
         "a file without longitudinal forces has the other forces");
}

/* ---- Limits and continuity ------------------------------------------------------------------- */

static bool finite(const vd_mf_output *o) {
  return isfinite(o->fx + o->fy + o->mx + o->my + o->mz + o->trail + o->residual);
}

static void limits(const vd_mf *m, const char *name) {
  static const double load[] = {-100, 0, 1e-9, 1, 4000, 1e5, 1e9}, speed[] = {-80, -1e-9, 0, 1e-9, 80, 1e4};
  static const double slip[] = {-1e9, -1.5, -1, -1e-9, 0, 1e-9, 1, 10, 1e9}, tangent[] = {-1e16, -1, 0, 1e-9, 14, 1e16};
  static const double gamma[] = {-1.6, 0, 0.1, 1.6}, pressure[] = {0, 2e5, 1e7}, friction[] = {0, 0.05, 1};
  bool good = true, none = true;
  vd_mf_output o;
  for (size_t n = 0; n < 7 * 6 * 9 * 6 * 4 * 3 * 3; n++) {
    size_t i = n;
    vd_mf_input in = {.load = load[i % 7], .vx = speed[i / 7 % 6]};
    i /= 42;
    in.kappa = slip[i % 9];
    in.tan_alpha = tangent[i / 9 % 6];
    i /= 54;
    in.gamma = gamma[i % 4];
    in.pressure = pressure[i / 4 % 3];
    in.friction = friction[i / 12];
    vd_mf_forces(m, &in, &o);
    good = good && finite(&o);
    none = none && (in.load > 0.0 || (o.fx == 0.0 && o.fy == 0.0 && o.mx == 0.0 && o.my == 0.0 && o.mz == 0.0));
  }
  tap_ok(good, "%s: forces are finite at all limits", name);
  tap_ok(none, "%s: forces are zero without load", name);
}

static vd_mf_input between(const vd_mf_input *a, const vd_mf_input *b, double t) {
  return (vd_mf_input){a->load + t * (b->load - a->load),
                       a->kappa + t * (b->kappa - a->kappa),
                       a->tan_alpha + t * (b->tan_alpha - a->tan_alpha),
                       a->gamma + t * (b->gamma - a->gamma),
                       a->pressure + t * (b->pressure - a->pressure),
                       a->vx + t * (b->vx - a->vx),
                       a->friction + t * (b->friction - a->friction),
                       0.0,
                       0.0};
}

/* Halves a step 40 times and keeps the half with the greater difference; the difference that remains, which is
 * returned, is a jump. */
static double jump(const vd_mf *m, vd_mf_input a, vd_mf_input b) {
  vd_mf_output at_a = forces_of(m, a), at_b = forces_of(m, b);
  for (int i = 0; i < 40; i++) {
    vd_mf_input c = between(&a, &b, 0.5);
    vd_mf_output at_c = forces_of(m, c);
    if (distance(&at_a, &at_c) > distance(&at_c, &at_b)) {
      b = c;
      at_b = at_c;
    } else {
      a = c;
      at_a = at_c;
    }
  }
  return distance(&at_a, &at_b);
}

static double walk(double x, double step, double lowest, double highest) {
  x += uniform(-step, step);
  return x < lowest ? 2.0 * lowest - x : x > highest ? 2.0 * highest - x : x;
}

/* Checks continuity in a random walk over all inputs. The difference over each step is bounded by the greatest
 * stiffnesses of a tyre times the step; a step that exceeds this bound is halved repeatedly. */
static void continuity(const vd_mf *m, const char *name) {
  enum { STEPS = 1000000 };
  vd_mf_input in = {4000.0, 0.0, 0.0, 0.0, m->pressure, 1.0, 1.0, 0.0, 0.0};
  vd_mf_output last = forces_of(m, in);
  double worst = 0.0;
  int narrowed = 0;
  bool all_finite = true;
  for (int i = 0; i < STEPS; i++) {
    vd_mf_input next = in;
    double angle = atan(in.tan_alpha);
    next.load = walk(in.load, 20.0, -50.0, 15000.0);
    next.kappa = walk(in.kappa, 0.004, -1.6, 1.6);
    next.tan_alpha = tan(walk(angle, 0.004, -1.57, 1.57));
    next.gamma = walk(in.gamma, 0.001, -0.3, 0.3);
    next.pressure = walk(in.pressure, 0.002 * m->pressure, 0.5 * m->pressure, 1.5 * m->pressure);
    next.vx = walk(in.vx, 0.02, -5.0, 5.0);
    next.friction = walk(in.friction, 0.004, 0.0, 1.2);
    vd_mf_output now = forces_of(m, next);
    all_finite = all_finite && finite(&now);
    if (distance(&last, &now) > 60.0) {
      narrowed++;
      worst = tap_max(worst, jump(m, in, next));
    }
    in = next;
    last = now;
  }
  tap_ok(all_finite && worst < 1e-6, "%s: no jump in a walk of 1e6 steps (%d steps halved, greatest jump %.1e N)", name,
         narrowed, worst);
}

static void small_loads(const vd_mf *m, const char *name) {
  double worst = 0.0;
  for (int i = 0; i < 2000; i++) {
    vd_mf_input in = random_input(m);
    in.load = m->load_floor;
    vd_mf_output full = forces_of(m, in);
    in.load *= 0.25;
    vd_mf_output part = forces_of(m, in);
    part.fx *= 4.0;
    part.fy *= 4.0;
    part.mx *= 4.0;
    part.my *= 4.0;
    part.mz *= 4.0;
    worst = tap_max(worst, distance(&full, &part));
  }
  tap_near(worst, 0.0, 1e-11, "%s: below the floor of the load forces are proportional to the load", name);
}

/* ---- Side by side ---------------------------------------------------------------------------- */

static vd_mf_contact contact_of(const vd_mf_input *in) {
  vd_mf_contact c;
  for (int i = 0; i < VD_WHEELS; i++) {
    c.kappa[i] = in[i].kappa;
    c.tan_alpha[i] = in[i].tan_alpha;
    c.gamma[i] = in[i].gamma;
    c.pressure[i] = in[i].pressure;
    c.vx[i] = in[i].vx;
    c.friction[i] = in[i].friction;
  }
  return c;
}

/* Returns the number of tyres out of four whose bits differ from those of the tyre evaluated alone. */
static int unlike(const vd_mf *const *m, const vd_mf_four *four, const vd_mf_input *in) {
  const vd_mf_contact contact = contact_of(in);
  vd_mf_slip slip;
  vd_mf_load_state last;
  vd_mf_moment moment;
  double load[VD_WHEELS];
  int different = 0;
  for (int i = 0; i < VD_WHEELS; i++)
    load[i] = in[i].load;
  vd_mf_at_slip(four, &contact, &slip);
  vd_mf_at_load(four, &slip, load, &last);
  vd_mf_aligning(four, &slip, &last, &moment);
  for (int i = 0; i < VD_WHEELS; i++) {
    vd_mf_output o = forces_of(m[i], in[i]);
    different += o.fx != last.fx[i] || o.fy != last.fy[i] || o.mx != last.mx[i] || o.my != last.my[i] ||
                 o.mz != moment.mz[i] || o.trail != moment.trail[i] || o.residual != moment.residual[i];
  }
  return different;
}

/* Compares four tyres that differ in their equations, sides and terms. */
static void side_by_side(void) {
  vd_mf_def def;
  vd_mf plain;
  load(synthetic, &def);
  def.use_mode = 3.0;
  def.qsx4 = def.qsx10 = def.qsy7 = def.qsy8 = 0.0;
  def.lmuv = 0.3;
  vd_mf_build(&def, VD_MF_LEFT, &plain);
  const vd_mf left = load_mf(synthetic, VD_MF_LEFT), right = load_mf(synthetic, VD_MF_RIGHT);
  const vd_mf old = load_mf("validation/data/tyre/pac2002_sample.tir", VD_MF_RIGHT);
  const vd_mf *m[] = {&left, &old, &plain, &right};
  vd_mf_four four;
  int different = 0;
  vd_mf_pack(m, &four);
  for (int k = 0; k < 5000; k++) {
    vd_mf_input in[VD_WHEELS];
    for (int i = 0; i < VD_WHEELS; i++) {
      in[i] = random_input(m[i]);
      in[i].gamma *= (k + i) % 3 ? 1.0 : 0.0;
      in[i].pressure = (k + i) % 2 ? in[i].pressure : m[i]->pressure;
    }
    different += unlike(m, &four, in);
  }
  tap_ok(different == 0,
         "forces of four different files computed at once equal those of one file alone to the last bit (%d of 20000 "
         "differ)",
         different);
}

/* ---- Peaks ----------------------------------------------------------------------------------- */

static void peaks(const vd_mf *m, const char *name) {
  vd_mf pure = *m;
  pure.rbx1 = pure.rbx3 = pure.rby1 = pure.rby4 = pure.rvy3 = pure.dvyk.c0 = pure.dvyk.c1 = 0.0;
  double excess = -1e9, short_of = 0.0;
  for (int i = 0; i < 40; i++) {
    vd_mf_input in = {uniform(1000.0, 9000.0), 0.0, 0.0, uniform(-0.05, 0.05), m->pressure, 20.0,
                      uniform(0.3, 1.0),       0.0, 0.0};
    vd_mf_peaks p;
    vd_mf_find_peaks(m, &in, &p);
    double best[4] = {0}, slip;
    for (slip = 0.0; slip < 1.2; slip += 1e-3) {
      vd_mf_input x = in, y = in;
      for (int side = 0; side < 2; side++) {
        x.kappa = side ? -slip : slip;
        y.tan_alpha = tan(x.kappa);
        best[side] = tap_max(best[side], (side ? -1.0 : 1.0) * forces_of(&pure, x).fx / in.load);
        best[2 + side] = tap_max(best[2 + side], (side ? 1.0 : -1.0) * forces_of(&pure, y).fy / in.load);
      }
    }
    const vd_mf_peak *found[] = {&p.drive, &p.brake, &p.left, &p.right};
    for (int k = 0; k < 4; k++) {
      vd_mf_input at = in;
      if (fabs(found[k]->slip) < 1.2) {
        excess = tap_max(excess, best[k] - found[k]->mu);
        *(k < 2 ? &at.kappa : &at.tan_alpha) = k < 2 ? found[k]->slip : tan(found[k]->slip);
        vd_mf_output o = forces_of(&pure, at);
        short_of = tap_max(short_of, fabs(fabs(k < 2 ? o.fx : o.fy) / in.load - found[k]->mu));
      }
    }
  }
  tap_ok(excess < 1e-9, "%s: no sampled force is above the peak (%.1e)", name, excess);
  tap_near(short_of, 0.0, 1e-12, "%s: the force at the slip of the peak is the peak force", name);
}

/* Returns B x, where x > 0 is the slip at which C atan(B x - E (B x - atan(B x))) = pi/2, by bisection with libm
 * alone. */
static double halved(double c, double e) {
  double low = 0.0, high = 1.0, y = tan(VD_PI / (2.0 * c));
  while (high - e * (high - atan(high)) < y && high < 1e9)
    high *= 2.0;
  for (int i = 0; i < 200; i++) {
    double x = 0.5 * (low + high);
    *(x - e * (x - atan(x)) < y ? &low : &high) = x;
  }
  return 0.5 * (low + high);
}

/* Compares peaks with bisection, from a light wheel to twice the nominal load, on ice and asphalt, at low and high
 * pressure, for every curvature that a file may have. */
static void peaks_found(void) {
  vd_mf_def def;
  load(synthetic, &def);
  double worst = 0.0;
  for (int i = 0; i < 4000; i++) {
    def.pex1 = i % 4 ? 1.0 - pow(10.0, uniform(-4.0, 2.0)) : 0.3;
    def.pcx1 = uniform(1.05, 1.9);
    vd_mf m;
    vd_mf_build(&def, VD_MF_LEFT, &m);
    vd_mf_input in = {uniform(100.0, 9000.0), 0.0, 0.0, 0.0, uniform(1.5e5, 3.0e5), 0.0, uniform(0.05, 1.2), 0.0, 0.0};
    vd_mf_peaks p;
    vd_mf_slip slip;
    vd_mf_pure pure;
    vd_mf_find_peaks(&m, &in, &p);
    vd_mf_pure_at(&m, &in, &slip, &pure);
    double drive = halved(pure.x.c, pure.x.e[1]) / pure.x.b - pure.x.sh;
    double brake = -halved(pure.x.c, pure.x.e[0]) / pure.x.b - pure.x.sh;
    double left = halved(pure.y.c, pure.y.e[1]) / -pure.y.b - pure.y.sh;
    worst = tap_max(worst, fabs(drive < m.kappa_max ? p.drive.slip / drive - 1.0 : 0.0));
    worst = tap_max(worst, fabs(brake > m.kappa_min ? p.brake.slip / brake - 1.0 : 0.0));
    worst = tap_max(worst, fabs(left < m.tangent_max ? tan(p.left.slip) / left - 1.0 : 0.0));
    if (drive < m.kappa_max)
      worst = tap_max(worst, fabs(p.drive.mu / (pure.x.mu + pure.x.sv) - 1.0));
  }
  tap_near(worst, 0.0, 1e-9, "peaks are at the places found by bisection (%.1e)", worst);
}

static void no_peak(void) {
  vd_mf_def def;
  load(synthetic, &def);
  def.pcx1 = 0.9;
  vd_mf m;
  vd_mf_build(&def, VD_MF_LEFT, &m);
  vd_mf_input in = {5000.0, 0.0, 0.0, 0.0, m.pressure, 20.0, 1.0, 0.0, 0.0};
  vd_mf_peaks p;
  vd_mf_find_peaks(&m, &in, &p);
  vd_mf_slip slip;
  vd_mf_pure pure;
  vd_mf_pure_at(&m, &in, &slip, &pure);
  tap_ok(p.drive.slip == INFINITY && p.brake.slip == -INFINITY, "a curve of C < 1 has no peak");
  tap_near(p.drive.mu, pure.x.mu * sin(0.45 * VD_PI) + pure.x.sv, 1e-5,
           "the greatest force of a curve of C < 1 is its asymptote");
}

/* ---- Vertical -------------------------------------------------------------------------------- */

static void vertical(const vd_mf *m, const char *name) {
  bool rises = true, falls = true;
  double worst = 0.0;
  for (int i = 0; i < 300; i++) {
    vd_mf_vertical v = {uniform(0.0, 150.0), uniform(-4000.0, 4000.0), uniform(-4000.0, 4000.0), uniform(-0.1, 0.1),
                        m->pressure};
    double last = -1.0, radius = INFINITY;
    for (double z = -0.01; z < 0.08; z += 5e-4) {
      double now = vd_mf_load(m, &v, z);
      rises = rises && (now > last || (now == 0.0 && last <= 0.0));
      last = now;
    }
    for (double load = 0.0; load < 10000.0; load += 100.0) {
      double now = vd_mf_rolling_radius(m, load, v.omega, m->pressure);
      falls = falls && now <= radius;
      radius = now;
    }
    double load = uniform(200.0, 9000.0), stiffness, z = vd_mf_deflection(m, &v, load, &stiffness);
    worst = tap_max(worst, fabs(vd_mf_load(m, &v, z) - load));
    rises = rises && stiffness > 0.0;
  }
  tap_ok(rises, "%s: the load rises with the deflection", name);
  tap_ok(falls, "%s: the rolling radius falls with the load", name);
  tap_near(worst, 0.0, 1e-6, "%s: deflection is the inverse of load, N", name);
  vd_mf_vertical still = {.pressure = m->pressure};
  double stiffness;
  vd_mf_deflection(m, &still, m->fz0, &stiffness);
  tap_near(stiffness / m->cz, 1.0, 1e-6, "%s: VERTICAL_STIFFNESS is the slope at the nominal load", name);
}

/* Returns the load by the formula of MF-Swift 6.2 for the loaded radius, as in MathWorks' Vehicle Dynamics Blockset:
 * the side force with the power QFCY2 of the deflection, camber terms with the loaded radius divided by the free radius
 * of the turning wheel. */
static double load_of_blockset(const vd_mf_def *f, const vd_mf_vertical *v, double deflection) {
  double r0 = f->unloaded_radius, w = v->omega * r0 / f->longvl, free = r0 * (f->q_re0 + f->q_v1 * w * w);
  double rl = free - deflection, s = rl / free, g = v->gamma;
  double up = (f->q_cam1 * rl + f->q_cam2 * rl * rl) / (f->q_cam1 * free + f->q_cam2 * free * free);
  double tilt = (1.075 - 0.5 * f->aspect_ratio) * f->width / 8.0 * up * up * fabs(tan(g));
  double x = (deflection + tilt - f->q_cam3 * deflection * fabs(g)) / r0;
  double side = (f->q_fys1 + f->q_fys2 * s + f->q_fys3 * s * s) * g;
  double a = f->q_fcx * v->fx / f->fnomin, b = pow(x, f->q_fcy2) * f->q_fcy * (v->fy - side) / f->fnomin;
  double k = f->vertical_stiffness * r0 / f->fnomin, q1 = sqrt(k * k - 4.0 * f->q_fz2);
  double corrected = 1.0 + f->q_v2 * fabs(w) - a * a - b * b;
  return corrected > 0.1 ? corrected * (q1 + f->q_fz2 * x) * x * f->fnomin : NAN; /* the floor is not in the Blockset */
}

/* Checks coefficients of a car tyre's size; QFYS1 to 3 nearly cancel at Rl = Rw, as in fits. */
static void loaded_radius_62(void) {
  vd_mf_def def;
  load(synthetic, &def);
  def.fittyp = 62.0;
  def.width = 0.22;
  def.aspect_ratio = 0.5;
  def.q_v1 = 7e-4;
  def.q_v2 = 0.04;
  def.q_fz2 = 14.0;
  def.q_fcx = 0.1;
  def.q_fcy = 0.05;
  def.q_fcy2 = -0.5;
  def.q_cam1 = 90.0;
  def.q_cam2 = 240.0;
  def.q_cam3 = 0.5;
  def.q_fys1 = -20e3;
  def.q_fys2 = -58e3;
  def.q_fys3 = 85e3;
  vd_mf m;
  vd_mf_build(&def, VD_MF_LEFT, &m);
  double worst = 0.0;
  int count = 0;
  for (int i = 0; i < 5000; i++) {
    const vd_mf_vertical v = {.omega = uniform(0.0, 150.0),
                              .fx = uniform(-4000.0, 4000.0),
                              .fy = uniform(-5000.0, 5000.0),
                              .gamma = uniform(-0.1, 0.1),
                              .pressure = m.pressure_nominal};
    double z = uniform(0.005, 0.05), expected = load_of_blockset(&def, &v, z);
    if (isnan(expected))
      continue;
    double d = fabs(vd_mf_load(&m, &v, z) / expected - 1.0);
    worst = tap_max(worst, d);
    count++;
  }
  tap_ok(worst <= 1e-12 && count > 4000,
         "6.2: the load as a function of the loaded radius agrees with the Blockset (%.1e, %d states)", worst, count);
}

/* Checks the loaded radius of 6.2: the edge of a tilted tread touches the road before the middle of the tread. */
static void camber_62(void) {
  vd_mf_def def;
  load(synthetic, &def);
  def.fittyp = 62.0;
  def.width = 0.2;
  def.aspect_ratio = 0.55;
  def.q_fz2 = 12.0;
  def.q_fcy = 0.25;
  def.q_fcy2 = -0.4;
  def.q_fys1 = -2000.0;
  def.q_fys3 = 3000.0;
  vd_mf upright, m;
  vd_mf_build(&def, VD_MF_LEFT, &upright);
  def.q_cam1 = 80.0;
  def.q_cam2 = 250.0;
  def.q_cam3 = 0.5;
  vd_mf_build(&def, VD_MF_LEFT, &m);
  vd_mf_vertical v = {.gamma = 0.08, .pressure = m.pressure};
  double drop = 0.5 * (1.075 - 0.275) * 0.2 * tan(0.08), step = 1e-9;
  tap_ok(vd_mf_load(&m, &v, -1.001 * drop) == 0.0 && vd_mf_load(&m, &v, -0.9 * drop) > 0.0 &&
             vd_mf_load(&upright, &v, 0.0) == 0.0,
         "6.2: the edge of a tilted tread touches first");
  tap_near(vd_mf_load(&m, &v, step) - vd_mf_load(&m, &v, -step), 0.0, 0.01,
           "6.2: the load has no jump where the middle touches");
  /* by hand at z = 0, where the deflection is a quarter of the drop; q1 from VERTICAL_STIFFNESS = FNOMIN/20 mm */
  double q1 = sqrt(16.0 * 16.0 - 48.0), x = 0.25 * drop / 0.32;
  double side = 0.25 * (2000.0 - 3000.0) * 0.08 / 4500.0 * pow(x, -0.4);
  tap_near(vd_mf_load(&m, &v, 0.0), 4500.0 * (1.0 - side * side) * (q1 + 12.0 * x) * x, 1e-8,
           "6.2: the load at the loaded radius is that by hand, N");
  vertical(&m, "6.2");
  loaded_radius_62();
}

static void new_in_62(void) {
  vd_mf_def def;
  load(synthetic, &def);
  def.q_fz2 = 12.0;
  def.q_fcy = 0.3;
  def.q_v2 = 0.03;
  vd_mf old, young;
  vd_mf_build(&def, VD_MF_LEFT, &old);
  def.fittyp = 62.0;
  vd_mf_build(&def, VD_MF_LEFT, &young);
  double worst = 0.0;
  for (int i = 0; i < 5000; i++) {
    vd_mf_input in = random_input(&old);
    vd_mf_output a = forces_of(&old, in), b = forces_of(&young, in);
    vd_mf_vertical v = {40.0, a.fx, a.fy, in.gamma, in.pressure};
    double z = uniform(0.0, 0.05);
    worst = tap_max(worst, distance(&a, &b) + fabs(vd_mf_load(&old, &v, z) - vd_mf_load(&young, &v, z)));
  }
  tap_ok(worst == 0.0, "6.2 without its new coefficients is 6.1");
}

/* Checks MF 5.2: SigKap0 = Fz (PTX1 + PTX2 df) exp(-PTX3 df) R0/Fz0, SigAlp0 = PTY1 R0 sin(2 atan(Fz/(PTY2 Fz0))) */
static void relaxation(void) {
  vd_mf_def def;
  load("validation/data/tyre/pac2002_sample.tir", &def);
  def.ptx1 = 1.9;
  def.ptx2 = -0.1;
  def.ptx3 = -0.3;
  def.pty1 = 2.1;
  def.pty2 = 2.0;
  vd_mf m;
  vd_mf_build(&def, VD_MF_LEFT, &m);
  vd_mf_input in = {6000.0, 0.0, 0.0, 0.0, m.pressure, 20.0, 1.0, 0.0, 0.0};
  double kappa, alpha;
  vd_mf_relaxation(&m, &in, &kappa, &alpha);
  tap_near(kappa, 1.5 * (1.9 - 0.05) * exp(0.15) * 0.31, 1e-12,
           "the relaxation length of kappa follows from PTX1 to 3");
  tap_near(alpha, 2.1 * 0.31 * sin(2.0 * atan(0.75)), 1e-12, "the relaxation length of alpha follows from PTY1 and 2");
  def.ptx1 = def.pty1 = 0.0;
  def.longitudinal_stiffness = 4e5;
  def.lateral_stiffness = 2e5;
  vd_mf_build(&def, VD_MF_LEFT, &m);
  vd_mf_stiffness s;
  vd_mf_slopes(&m, &in, &s);
  vd_mf_relaxation(&m, &in, &kappa, &alpha);
  tap_ok(kappa == s.slip / 4e5 && alpha == s.cornering / 2e5,
         "without PTX1 and PTY1 a relaxation length is slip stiffness divided by carcass stiffness");
}

/* Checks friction that falls with slip speed, 4.E7. */
static void slip_speed(void) {
  vd_mf_def def;
  load(synthetic, &def);
  vd_mf base, worn;
  vd_mf_build(&def, VD_MF_LEFT, &base);
  def.lmuv = 0.5;
  vd_mf_build(&def, VD_MF_LEFT, &worn);
  vd_mf_input in = {5000.0, 0.1, 0.1, 0.0, base.pressure, 16.7, 1.0, 0.0, 0.0};
  vd_mf_output a = forces_of(&worn, in);
  in.friction = 1.0 / (1.0 + 0.5 * sqrt(0.02));
  vd_mf_output b = forces_of(&base, in);
  tap_near(distance(&a, &b), 0.0, 1e-9, "LMUV divides the friction by 1 + LMUV Vs/V0");
}

/* ---- Files that cannot be shipped ------------------------------------------------------------ */

static const char *const others[] = {"MagicFormula52_Parameters.tir", "MagicFormula61_Parameters.tir",
                                     "MagicFormula62_Parameters.tir"};
enum { LAWS = 2 + 2 + 2 + 1 + 1 + 2 + 4 + 1 };

static void laws(const char *path, const char *name) {
  const vd_mf m = load_mf(path, VD_MF_LEFT), right = load_mf(path, VD_MF_RIGHT);
  mirrored(path, name);
  signs(m.mirror > 0.0 ? &m : &right, name);
  limits(&m, name);
  continuity(&m, name);
  small_loads(&m, name);
  peaks(&m, name);
  vertical(&m, name);
  slopes(&m, name);
}

static void given_files(void) {
  const char *folder = getenv("VDSIM_TYRE_DATA");
  for (size_t i = 0; i < VD_COUNT(others); i++) {
    char path[1024];
    vd_mf_def def;
    if (folder) {
      snprintf(path, sizeof path, "%s/%s", folder, others[i]);
      if (tap_ok(load(path, &def), "%s: the reader reports nothing", others[i])) {
        laws(path, others[i]);
        continue;
      }
    }
    for (int k = folder ? 1 : 0; k < 1 + LAWS; k++)
      tap_ok(true, "%s # SKIP VDSIM_TYRE_DATA names no folder", others[i]);
  }
}

int main(void) {
  srand(1);
  tap_plan(LAWS + 1 + 2 + 1 + 4 + 2 + 1 + 2 + 8 + 1 + 3 + 1 + 3 * (1 + LAWS));
  laws(synthetic, "6.1");
  side_by_side();
  asymptotes();
  pure_limit();
  modes();
  half_files();
  peaks_found();
  no_peak();
  camber_62();
  new_in_62();
  relaxation();
  slip_speed();
  given_files();
  return tap_done();
}
