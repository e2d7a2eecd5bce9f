/* Measured roads. Files are written by scripts/make-crg from formulas of u and v, so that every height is known: at the
 * cross sections exactly, between them within the error of the interpolation. The test itself computes the line's
 * points from the headings. */
#include "ground/ground_impl.h"
#include "surfaces.h"
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char file_name[64]; /* file of the road under test */

typedef struct road {
  world w;
  bool good;
} road;

/* Reads the road of the file, with further keys of the ground. */
static road read_road(const char *keys) {
  char text[200];
  road r = {.good = false};
  snprintf(text, sizeof text, "{type: crg, file: %s%s}", file_name, keys);
  r.good = make(&r.w, text);
  return r;
}

/* Writes a road by make-crg with these arguments, and reads it. */
static road write_road(const char *arguments, const char *keys) {
  char text[1024];
  snprintf(text, sizeof text, "sh scripts/make-crg %s >%s", arguments, file_name);
  if (system(text) != 0)
    tap_diag("%s failed", text);
  return read_road(keys);
}

static void forget(road *r) {
  finish(&r->w);
}

static vd_road at(const road *r, double x, double y) {
  vd_road here = {NAN, NAN, NAN};
  if (r->good)
    vd_ground_road(&r->w.ground, x, y, &here);
  return here;
}

/* --- lines by hand --- */

enum { MOST_ROWS = 500 };

/* Points of a line whose pieces of the length `step` have given headings, and the bisectors at the points. */
typedef struct line {
  double x[MOST_ROWS], y[MOST_ROWS], phi[MOST_ROWS];
  int rows;
} line;

static line line_of(double (*heading)(double), double step, int rows, double x, double y) {
  line l = {.rows = rows, .x = {x}, .y = {y}};
  for (int i = 1; i < rows; i++) {
    double phi = heading((i - 0.5) * step);
    l.x[i] = l.x[i - 1] + step * cos(phi);
    l.y[i] = l.y[i - 1] + step * sin(phi);
    double next = i + 1 < rows ? heading((i + 0.5) * step) : phi;
    l.phi[i] = 0.5 * (phi + next);
  }
  l.phi[0] = heading(0.5 * step);
  return l;
}

static vd_road on(const road *r, const line *l, int row, double v) {
  return at(r, l->x[row] - v * sin(l->phi[row]), l->y[row] + v * cos(l->phi[row]));
}

/* --- formats --- */

/* Checks heights of up to 0.05 m: the error is 5e-8 m for text with seven decimals, 5e-15 m for text with 14 digits,
 * 2^-24 of the height for floats, and rounding for doubles. */
static void check_formats(void) {
  static const struct {
    const char *name;
    double off;
  } format[] = {{"LRFI", 5.1e-8}, {"LDFI", 5e-15}, {"KRBI", 0.05 / (1 << 24)}, {"KDBI", 1e-16}};
  static const double v[] = {-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5};
  for (size_t f = 0; f < VD_COUNT(format); f++) {
    char text[200];
    double worst = 0.0;
    snprintf(text, sizeof text, "-f %s -l 11.5 '0.03*sin(u)+0.01*v*cos(3*u)'", format[f].name);
    road r = write_road(text, "");
    for (int i = 0; i < 24; i++)
      for (size_t k = 0; k < VD_COUNT(v); k++) {
        double u = 0.5 * i, z = 0.03 * sin(u) + 0.01 * v[k] * cos(3.0 * u);
        worst = tap_max(worst, fabs(at(&r, u, v[k]).z - z));
      }
    tap_near(worst, 0.0, format[f].off, "%s: the heights at all 24 x 7 places are those of the formula",
             format[f].name);
    forget(&r);
  }
}

/* Checks a file by hand with the conventions of the standard: numbers that touch each other, a first angle that is
 * unused, a row over two lines, CR LF, comments, capital and small letters. With bilinear interpolation z(0.25, 0.5) is
 * the mean of four heights. */
static void check_text(void) {
  static const char text[] = "$CT     ! a comment\r\nany = thing $\r\n$!*****\r\n"
                             "$road_crg    ! parameters\r\n* a comment\r\nreference_line_increment = 5.0D-1 ! m\r\n"
                             "Long_Section_V_Right = -1.5\r\nLONG_SECTION_V_INCREMENT = 0.5\r\n$!****\r\n"
                             "$KD_Definition\r\n#:lrfi   ! text\r\nU:reference line u,m,0,0.5\r\n"
                             "D:long section 3,m\r\nD:long section 2,m\r\nD:long section 1,m\r\n"
                             "D:Reference line phi,rad\r\nD:long section 4,m\r\nD:long section 5,m\r\n"
                             "D:long section 6,m\r\nD:long section 7,m\r\nD:reference line banking,m/m\r\n$\r\n"
                             "$$$*******10\r\n"
                             "-0.0300000-0.0200000-0.0100000**unused**-0.0400000-0.0500000-0.0600000-0.0700000\r\n"
                             "**unused**\r\n"
                             "-0.0310000-0.0210000-0.0110000 0.0000000-0.0410000-0.0510000-0.0610000-0.0710000\r\n"
                             " 0.0200000\r\n";
  FILE *f = fopen(file_name, "w");
  fputs(text, f);
  fclose(f);
  road r = read_road(", interpolation: bilinear");
  tap_near(at(&r, 0.0, -1.5).z, -0.01, 1e-15, "text: section 1 is the right border, whatever its column");
  tap_near(at(&r, 0.5, 1.5).z, -0.071 + 0.02 * 1.5, 1e-15, "text: section 7 is the left border, with banking");
  tap_near(at(&r, 0.25, -1.25).z, 0.25 * (-0.01 - 0.02 - 0.011 - 0.021) + 0.5 * 0.02 * -1.25, 1e-15,
           "text: between four heights the height is bilinear");
  forget(&r);
}

/* --- interpolation --- */

/* Checks Keys' cubic with slopes by differences: its error is at most h^3 M3/24 + h^4 M4/384, Mn a bound of the n-th
 * derivative (the error of the slopes is h^2 M3/6, and their weights sum to h/4 at most); the error of straight lines
 * is h^2 M2/8. Here the height is A sin(k u), A = 0.05 m and k = 1 1/m, h = 0.5 m, and the road is turned by 0.7
 * rad. */
static void check_interpolation(void) {
  const double c = cos(0.7), s = sin(0.7), a = 0.05, h = 0.5, decimals = 1e-7;
  const char *const mode[] = {"bicubic", "bilinear"};
  const double bound[] = {a * (h * h * h / 24.0 + h * h * h * h / 384.0), a * h * h / 8.0};
  for (int k = 0; k < 2; k++) {
    char keys[100];
    double worst = 0.0;
    snprintf(keys, sizeof keys, ", heading: 0.7, interpolation: %s", mode[k]);
    road r = write_road("-l 20 '0.05*sin(u)'", keys);
    for (int i = 0; i < 20000; i++) {
      double u = between(1.0, 19.0), v = between(-1.4, 1.4);
      worst = tap_max(worst, fabs(at(&r, c * u - s * v, s * u + c * v).z - a * sin(u)));
    }
    tap_ok(worst <= bound[k] + decimals && worst > 0.1 * bound[k],
           "%s: the height is within the bound %.3g m of a sine, off by %.3g m", mode[k], bound[k], worst);
    forget(&r);
  }
}

/* Checks bilinear interpolation of long sections at uneven v: between them the height is linear. */
static void check_uneven(void) {
  static const double v[] = {-1.5, -1.25, -1.0, 0.0, 1.0, 1.25, 1.5};
  road r = write_road("-f KDBI -v '-1.5 -1.25 -1 0 1 1.25 1.5' '0.03*v*v*v+0.01*u*v'", ", interpolation: bilinear");
  double worst = 0.0;
  for (int i = 0; i < 2000; i++) {
    double u = between(0.0, 20.0), y = between(-1.5, 1.5);
    size_t k = 0;
    while (y > v[k + 1])
      k++;
    double part = (y - v[k]) / (v[k + 1] - v[k]), a = v[k] * v[k] * v[k], b = v[k + 1] * v[k + 1] * v[k + 1];
    worst = tap_max(worst, fabs(at(&r, u, y).z - 0.03 * (a + part * (b - a)) - 0.01 * u * y));
  }
  tap_near(worst, 0.0, 1e-14, "uneven long sections: the height between them is linear");
  forget(&r);
}

/* Checks roads of few long sections. With two, 8 m apart, and banking, the cross section is a straight line up to 0.2 m
 * from the borders. With four, 2 m apart, on a parabola, Keys' cubic reproduces the parabola between the inner two; at
 * the sides it continues the line of the last two sections. */
static void check_coarse(void) {
  road r = write_road("-f KDBI -i 1 -l 20 -v '-4 4' -b 0.05 '0.01*v+0.3'", "");
  double worst = 0.0, slope = 0.0;
  for (int i = 0; i < 2000; i++) {
    double u = between(0.0, 20.0), v = between(-3.8, 3.8);
    vd_road here = at(&r, u, v);
    worst = tap_max(worst, fabs(here.z - 0.3 - 0.06 * v));
    slope = tap_max(slope, fabs(here.slope_y - 0.06));
  }
  tap_near(worst, 0.0, 1e-14, "two long sections: the height between them has the banking once");
  tap_near(slope, 0.0, 1e-13, "two long sections: the slope is the banking's and the section's");
  forget(&r);
  r = write_road("-f KDBI -i 1 -l 20 -v '-3 -1 1 3' '0.04*v*v'", "");
  double inner = 0.0;
  for (int k = -5; k <= 5; k++)
    inner = tap_max(inner, fabs(at(&r, 10.0, 0.2 * k).z - 0.04 * 0.04 * k * k));
  tap_near(inner, 0.0, 1e-14, "four long sections: the parabola is reproduced between the inner two");
  /* heights outside 0.36 m, inside 0.04 m twice, and 0.68 m by extrapolation of the line; Keys' weights in the middle
   * are 9/16 and -1/16 */
  tap_near(at(&r, 10.0, 2.0).z, (9.0 * (0.36 + 0.04) - 0.68 - 0.04) / 16.0, 1e-14,
           "four long sections: at the sides the cubic continues a straight line");
  forget(&r);
}

/* --- lines --- */

static double of_circle(double u) {
  return u / 25.0;
}

static double of_right_turn(double u) {
  return 0.3 - u / 25.0;
}

static double of_clothoid(double u) {
  return u * u / 1200.0;
}

static double of_chicane(double u) {
  return 0.5 * sin(u / 8.0);
}

/* Returns a heading that changes by 0.3 rad from one piece to the next; the bounds of such pieces are found part by
 * part. */
static double of_corner(double u) {
  return u < 15.0 ? 0.0 : 0.3;
}

static const struct {
  const char *name, *formula;
  double (*heading)(double);
} turns[] = {{"circle", "u/25", of_circle},
             {"right turn", "0.3-u/25", of_right_turn},
             {"clothoid", "u*u/1200", of_clothoid},
             {"chicane", "0.5*sin(u/8)", of_chicane},
             {"corner", "u<15?0:0.3", of_corner}};

/* The height is quadratic in v, which Keys' cubics reproduce except in the two columns at the borders. Slope and
 * banking: the line climbs by the sum of the slopes times the step. */
static void check_turns(void) {
  for (size_t k = 0; k < VD_COUNT(turns); k++) {
    char text[300];
    snprintf(text, sizeof text,
             "-f KDBI -l 40 -p '%s' -s '0.05+0.002*u' -b '0.03*sin(u/9)' -k 'REFERENCE_LINE_START_X = 3' "
             "-k 'REFERENCE_LINE_START_Y = -7' -k 'REFERENCE_LINE_START_Z = 2' '0.01*v*v+0.02*cos(u)'",
             turns[k].formula);
    road r = write_road(text, "");
    line l = line_of(turns[k].heading, 0.5, 81, 3.0, -7.0);
    double worst = 0.0, level = 2.0;
    for (int i = 0; i < l.rows; i++) {
      double u = 0.5 * i;
      level += i > 0 ? 0.5 * (0.05 + 0.002 * (u - 0.25)) : 0.0;
      for (double v = -1.0; v <= 1.0; v += 0.25) {
        double z = 0.01 * v * v + 0.02 * cos(u) + level + v * 0.03 * sin(u / 9.0);
        worst = tap_max(worst, fabs(on(&r, &l, i, v).z - z));
      }
    }
    tap_near(worst, 0.0, 1e-12, "%s: the heights along 81 cross sections are the grid's with slope and banking",
             turns[k].name);
    forget(&r);
  }
}

/* The first piece has half the angle of the next ones, so that the circle leaves the origin along x. Its points have
 * the radius h/(2 sin(h/(2 R))), R = 25 m; Keys' cubic of a sine with the step d = h/R is off by d^3/24 + d^4/384 at
 * most, in both coordinates. The height is 0.1 v, v the distance from the circle. */
static void check_circle(void) {
  const double h = 2.0, d = h / 25.0, radius = h / (2.0 * sin(0.5 * d)),
               off = radius * (d * d * d / 24 + d * d * d * d / 384);
  road r = write_road("-f KDBI -l 100 -i 2 -p 'u/25' -b 0.1 0", "");
  double worst = 0.0, spin = 0.0;
  for (int i = 0; i < 20000; i++) {
    double angle = between(0.2, 3.8), v = between(-1.0, 1.0); /* measured from the lowest point of the circle */
    vd_road here = at(&r, (radius - v) * sin(angle), radius - (radius - v) * cos(angle));
    worst = tap_max(worst, fabs(here.z - 0.1 * v));
    spin = tap_max(spin, fabs(-sin(angle) * here.slope_x + cos(angle) * here.slope_y - 0.1));
  }
  tap_near(worst, 0.0, 0.1 * 1.5 * off, "circle: the height is 0.1 of the distance from it everywhere, to %.2g m",
           1.5 * off);
  tap_near(spin, 0.0, 0.1 * d * d, "circle: the slope across is the banking");
  forget(&r);
}

/* --- smooth --- */

static double difference(const road *r, double x, double y, double hx, double hy) {
  double ax = x + hx, ay = y + hy, bx = x - hx, by = y - hy;
  return (at(r, ax, ay).z - at(r, bx, by).z) / (hx != 0.0 ? ax - bx : ay - by);
}

static double richardson(const road *r, double x, double y, double hx, double hy) {
  return (4.0 * difference(r, x, y, 0.5 * hx, 0.5 * hy) - difference(r, x, y, hx, hy)) / 3.0;
}

/* Checks that the slopes are the derivatives of the height, on the road, at its borders and beyond them. The tolerance
 * admits jumps of the curvature: there the error of a difference is the jump times the step of 1e-5 m. */
static void check_gradients(void) {
  static const char *const options[] = {"", "-o 'BORDER_MODE_U = 1' -o 'BORDER_MODE_V = 1'",
                                        "-o 'BORDER_MODE_V = 4' -o 'BORDER_MODE_U = 4'"};
  for (size_t k = 0; k < VD_COUNT(turns); k++)
    for (size_t o = 0; o < VD_COUNT(options); o++) {
      char text[300];
      double worst = 0.0, square = 0.0;
      snprintf(text, sizeof text, "-f KDBI -l 30 -p '%s' -b '0.02*sin(u)' %s '0.03*sin(2*u)*cos(2*v)'",
               turns[k].formula, options[o]);
      road r = write_road(text, "");
      line l = line_of(turns[k].heading, 0.5, 61, 0.0, 0.0);
      for (int i = 0; i < 20000; i++) {
        int row = (int)between(0.0, 61.0);
        double a = between(-0.3, 0.3), v = between(-2.0, 2.0), c = cos(l.phi[row]), s = sin(l.phi[row]);
        double x = l.x[row] + a * c - v * s, y = l.y[row] + a * s + v * c;
        vd_road here = at(&r, x, y);
        double off = tap_max(fabs(here.slope_x - richardson(&r, x, y, 1e-5, 0.0)),
                             fabs(here.slope_y - richardson(&r, x, y, 0.0, 1e-5)));
        worst = tap_max(worst, off);
        square += here.slope_x * here.slope_x + here.slope_y * here.slope_y;
      }
      tap_near(worst / sqrt(square / 20000), 0.0, 1e-4,
               "%s, %s: slopes are differences of heights, also at jumps of curvature", turns[k].name, options[o]);
      forget(&r);
    }
}

/* Checks that slopes are continuous: over a small displacement they change by no more than the curvature allows, here
 * 1e-7 m x 2 1/m. */
static void check_continuity(void) {
  for (size_t k = 0; k < VD_COUNT(turns); k++) {
    char text[300];
    double worst = 0.0;
    snprintf(text, sizeof text, "-f KDBI -l 30 -p '%s' -b '0.02*sin(u)' '0.03*sin(2*u)*cos(2*v)'", turns[k].formula);
    road r = write_road(text, "");
    line l = line_of(turns[k].heading, 0.5, 61, 0.0, 0.0);
    for (int row = 0; row < l.rows; row++) /* across each cross section */
      for (double v = -2.0; v <= 2.0; v += 0.05) {
        double c = cos(l.phi[row]), s = sin(l.phi[row]), x = l.x[row] - v * s, y = l.y[row] + v * c;
        vd_road a = at(&r, x - 5e-8 * c, y - 5e-8 * s), b = at(&r, x + 5e-8 * c, y + 5e-8 * s);
        worst = tap_max(worst, tap_max(fabs(a.slope_x - b.slope_x), fabs(a.slope_y - b.slope_y)));
      }
    tap_near(worst, 0.0, 2e-7, "%s: the road has no kink at a cross section, at its ends or beside it", turns[k].name);
    forget(&r);
  }
}

/* Checks the bounds of the curvature, which make the search for the contact certain: no second difference in a box
 * exceeds them. Every fourth box is up to 8 m from the line, mostly beside the road, except at a corner, where cross
 * sections meet. The bicubic road has a bound there, too: without it the search takes 40,000 trials instead of
 * three. */
static void check_bends(void) {
  static const char *const more[] = {"", ", interpolation: bilinear"};
  for (size_t k = 0; k <= VD_COUNT(turns); k++)
    for (size_t m = 0; m < 2; m++) {
      char text[300];
      double worst = -INFINITY, tightest = INFINITY;
      bool straight = k == VD_COUNT(turns), sharp = !straight && turns[k].heading == of_corner, bounded = true;
      snprintf(text, sizeof text, "-f KDBI -l 30 %s%s%s -b '0.1*sin(u)' '0.05*sin(2*u)*cos(2*v)'",
               straight ? "" : "-p '", straight ? "" : turns[k].formula, straight ? "" : "'");
      road r = write_road(text, more[m]);
      line l = line_of(straight ? of_circle : turns[k].heading, 0.5, 61, 0.0, 0.0);
      for (int i = 0; i < 40000; i++) {
        int row = (int)between(0.0, 61.0);
        bool beside = i % 4 == 0 && !sharp;
        double v = beside ? between(-8.0, 8.0) : between(-1.8, 1.8);
        double size = pow(10.0, between(-2.0, 0.0)), turn = between(0.0, VD_PI);
        double x = straight ? 0.5 * row : l.x[row] - v * sin(l.phi[row]),
               y = straight ? v : l.y[row] + v * cos(l.phi[row]);
        x += between(-0.3, 0.3), y += between(-0.3, 0.3);
        vd_box area = {{x - size, x + size}, {y - size, y + size}};
        vd_curvature_bounds b = {0.0, 0.0, 0.0};
        r.w.ground.variant->curvature(&r.w.ground, &area, &b);
        double h = between(0.02, 0.5) * size, px = x + between(-0.5, 0.5) * size, py = y + between(-0.5, 0.5) * size;
        double c = cos(turn), s = sin(turn);
        double bend =
            (at(&r, px + h * c, py + h * s).z - 2.0 * at(&r, px, py).z + at(&r, px - h * c, py - h * s).z) / (h * h);
        double most = c * c * b.xx + s * s * b.yy + 2.0 * fabs(c * s) * b.xy;
        worst = tap_max(worst, bend - most);
        bounded = bounded && !(beside && m == 0 && isinf(most));
        if (bend > 0.05)
          tightest = tap_min(tightest, most / bend);
      }
      tap_ok(worst <= 1e-9 && tightest < 3.0 && bounded,
             "%s%s: no second difference exceeds its bound, which is at best %.2f times as large",
             straight ? "straight" : turns[k].name, more[m], tightest);
      forget(&r);
    }
}

/* A level road has no curvature wherever its line turns: one search finds a wheel's contact point there. This is tested
 * in boxes up to 10 m before a kink, on the line and up to 1 m beside it. */
static void check_kinks(void) {
  static const char *const kinks[] = {"0.3", "0.7", "1.1", "1.3"};
  for (size_t k = 0; k < VD_COUNT(kinks); k++) {
    char text[200];
    double worst = 0.0;
    snprintf(text, sizeof text, "-f KDBI -l 80 -i 4 -v '-2 0 2' -p 'u < 40 ? 0 : %s' 0", kinks[k]);
    road r = write_road(text, "");
    for (double x = 30.0; x <= 40.0; x += 0.125)
      for (double y = -1.0; y <= 1.0; y += 0.5) {
        const vd_box area = {{x - 0.2, x + 0.2}, {y - 0.2, y + 0.2}};
        vd_curvature_bounds b = {0.0, 0.0, 0.0};
        r.w.ground.variant->curvature(&r.w.ground, &area, &b);
        worst = tap_max(worst, tap_max(b.xx + b.xy, b.yy + b.xy));
      }
    tap_near(worst, 0.0, 0.0, "a level road has no curvature at a kink of %s rad", kinks[k]);
    forget(&r);
  }
}

/* A stone edge of 35 mm within 1 cm, 74 deg. Across the edge the road is a straight line, or Keys' cubic of one step,
 * whose slope in the middle is 5/4 of the line's. The nearest point to a wheel before the edge is its upper corner,
 * sqrt(0.1^2 + 0.275^2) m away; behind the edge it is the point below, on the stone. */
static void check_stone(void) {
  const char *stone = "-f KDBI -l 8 -i 0.01 -v '-2 0 2' 'u < 4.005 ? 0 : 0.035'";
  for (int cubic = 0; cubic < 2; cubic++) {
    road r = write_road(stone, cubic ? "" : ", interpolation: bilinear");
    vd_road edge = at(&r, 4.005, 0.3);
    tap_near(edge.z, 0.0175, 1e-12, "the middle of a stone's edge has half the height");
    tap_near(edge.slope_x, cubic ? 1.25 * 3.5 : 3.5, 1e-9, "the slope at a stone's edge is that of the interpolation");
    forget(&r);
  }
  road r = write_road(stone, ", interpolation: bilinear");
  static const struct { double x, reach; } wheel[] = {{3.91, 0.29261749776799064}, {4.2, 0.275}};
  for (size_t k = 0; k < VD_COUNT(wheel); k++) {
    const vd_disc disc = {.centre = {wheel[k].x, 0.3, 0.31}, .axle = {0.0, 1.0, 0.0}, .radius = 0.3};
    double friction;
    vd_contact_point contact = {.reach = NAN};
    int hint = -1;
    bool stands = r.good && vd_ground_contact(&r.w.ground, &disc, &hint, &contact, &friction);
    tap_near(stands ? contact.reach : NAN, wheel[k].reach, 2e-9, "a wheel %s the edge has its nearest point by hand",
             k == 0 ? "before" : "behind");
  }
  forget(&r);
}

/* --- borders --- */

#define HILL "'0.02*u+0.05*v'"

static void check_border(const char *name, const char *options, double x, double y, double z, double off) {
  char text[300];
  snprintf(text, sizeof text, "-f KDBI -l 10 %s " HILL, options);
  road r = write_road(text, "");
  double got = at(&r, x, y).z;
  if (isnan(z))
    tap_ok(r.good && isnan(got), "%s: there is no height", name);
  else
    tap_near(got, z, off, "%s: the height is %g m", name, z);
  forget(&r);
}

/* The road is 0.02 u + 0.05 v, 0 to 10 m by -1.5 to 1.5 m. */
static void check_borders(void) {
  check_border("keep: beyond the end", "", 14.0, 1.0, 0.25, 1e-15);
  check_border("keep: before the start, beside the road", "", -3.0, -2.0, -0.075, 1e-15);
  check_border("keep with an offset: a metre beyond", "-o 'BORDER_OFFSET_U = 0.1'", 11.0, 0.0, 0.3, 1e-15);
  check_border("keep with offsets: beyond a corner both offsets",
               "-o 'BORDER_OFFSET_U = 0.1' -o 'BORDER_OFFSET_V = -0.2'", 11.0, 3.0, 0.2 + 0.075 + 0.1 - 0.2, 1e-15);
  check_border("zero: beyond the end", "-o 'BORDER_MODE_U = 1'", 11.0, 1.0, 0.0, 0.0);
  check_border("zero with an offset: beside the road", "-o 'BORDER_MODE_V = 1' -o 'BORDER_OFFSET_V = 0.3'", 5.0, 3.0,
               0.3, 1e-15);
  check_border("zero: on the road nothing changes", "-o 'BORDER_MODE_U = 1' -o 'BORDER_MODE_V = 1'", 5.0, 0.5, 0.125,
               1e-15);
  check_border("no road: beyond the end", "-o 'BORDER_MODE_U = 0'", 10.01, 0.0, NAN, 0.0);
  check_border("no road: beside it", "-o 'BORDER_MODE_V = 0'", 5.0, 1.51, NAN, 0.0);
  check_border("no road: up to the border", "-o 'BORDER_MODE_V = 0' -o 'BORDER_MODE_U = 0'", 10.0, 1.5, 0.275, 1e-15);
  check_border("reflect: beyond the end", "-o 'BORDER_MODE_U = 4'", 14.0, 0.0, 0.12, 1e-15);
  check_border("reflect: three lengths before", "-o 'BORDER_MODE_U = 4'", -32.0, 0.0, 0.16, 1e-14);
  check_border("reflect: beside the road", "-o 'BORDER_MODE_V = 4'", 5.0, 2.0, 0.15, 1e-14);
  /* the heights fade within the first 5 m and the last 2.5 m to the height 0 of the line: at u = 2 m and 9 m to 2/5, at
   * both ends to 0, so that the ends fit together */
  const char *fades = "-o 'BORDER_MODE_U = 3' -o 'BORDER_SMOOTH_UBEG = 5' -o 'BORDER_SMOOTH_UEND = 2.5'";
  check_border("smoothing: within the first 5 m", fades, 2.0, 1.0, 0.4 * 0.09, 1e-15);
  check_border("smoothing: within the last 2.5 m", fades, 9.0, 1.0, 0.4 * 0.23, 1e-15);
  check_border("repeat: beyond the end", fades, 12.0, 1.0, 0.4 * 0.09, 1e-15);
  check_border("repeat: two lengths before", fades, -14.0, 1.0, 0.17, 1e-14);
}

/* Checks heights that are missing at the left for v > 0.6, u > 4, and at the right for v < -1.2, u > 8. */
static void check_missing(void) {
  const char *m = "-m 'v > 0.6 && u > 4 || v < -1.2 && u > 8'";
  static const struct {
    const char *name, *modifier;
    double left, right;
  } mode[] = {{"last", "", 0.125, 0.13},
              {"last, offset", "-M 'GRID_NAN_MODE = 2' -M 'GRID_NAN_OFFSET = 0.1'", 0.225, 0.23},
              {"zero, offset", "-M 'GRID_NAN_MODE = 1' -M 'GRID_NAN_OFFSET = -0.1'", -0.1, -0.1},
              {"keep", "-M 'GRID_NAN_MODE = 0'", NAN, NAN}};
  for (size_t k = 0; k < VD_COUNT(mode); k++) {
    char text[300];
    snprintf(text, sizeof text, "-f %s -l 10 %s %s " HILL, k % 2 ? "LDFI" : "KDBI", m, mode[k].modifier);
    road r = write_road(text, "");
    double left = at(&r, 5.0, 1.5).z, right = at(&r, 9.0, -1.5).z;
    if (isnan(mode[k].left))
      tap_ok(r.good && isnan(left) && isnan(right) && fabs(at(&r, 5.0, -1.0).z - 0.05) < 1e-14, "missing heights: %s",
             mode[k].name);
    else
      tap_ok(fabs(left - mode[k].left) < 1e-14 && fabs(right - mode[k].right) < 1e-14, "missing heights: %s",
             mode[k].name);
    forget(&r);
  }
}

/* --- modifiers, places --- */

static void check_modifier(const char *name, const char *modifiers, const char *keys, double x, double y, double z) {
  char text[400];
  snprintf(text, sizeof text, "-f KDBI -l 10 -s 0.1 -b 0.03 %s " HILL, modifiers);
  road r = write_road(text, keys);
  tap_near(at(&r, x, y).z, z, 1e-13, "%s: the height is %g m", name, z);
  forget(&r);
}

/* Without modifiers the height is 0.12 u + 0.08 v, with 0.1 u from the slope and 0.03 v from the banking. */
static void check_modifiers(void) {
  const double c = cos(0.5), s = sin(0.5);
  check_modifier("no modifier", "", "", 4.0, 1.0, 0.56);
  check_modifier("scaled heights", "-M 'SCALE_Z_GRID = 2'", "", 4.0, 1.0, 0.4 + 0.03 + 0.26);
  check_modifier("scaled slope", "-M 'SCALE_SLOPE = -1'", "", 4.0, 1.0, -0.4 + 0.03 + 0.13);
  check_modifier("scaled banking", "-M 'SCALE_BANKING = 3'", "", 4.0, 1.0, 0.4 + 0.09 + 0.13);
  check_modifier("scaled length: heights lie further, slopes stay", "-M 'SCALE_LENGTH = 2'", "", 8.0, 1.0,
                 0.8 + 0.03 + 0.13);
  check_modifier("scaled width: heights lie further, banking stays", "-M 'SCALE_WIDTH = 2'", "", 4.0, 2.0,
                 0.4 + 0.06 + 0.13);
  check_modifier(
      "turned about the start, then moved",
      "-M 'REFLINE_OFFSET_PHI = 0.5' -M 'REFLINE_OFFSET_X = 7' -M 'REFLINE_OFFSET_Y = 9' -M 'REFLINE_OFFSET_Z = 2'", "",
      7.0 + 4.0 * c - s, 9.0 + 4.0 * s + c, 2.56);
  check_modifier("turned about a place",
                 "-M 'REFLINE_OFFSET_PHI = 0.5' -M 'REFLINE_ROTCENTER_X = 4' -M 'REFLINE_ROTCENTER_Y = 1'", "", 4.0 + c,
                 1.0 + s, 0.56 + 0.12);
  check_modifier("a reference point goes to a place",
                 "-M 'REFPOINT_U = 4' -M 'REFPOINT_V = 1' -M 'REFPOINT_X = -3' -M 'REFPOINT_Y = 8' -M 'REFPOINT_Z = 5' "
                 "-M 'REFPOINT_PHI = 0.5'",
                 "", -3.0 + c, 8.0 + s, 5.12);
  check_modifier("a reference point by shares",
                 "-M 'REFPOINT_U_FRACTION = 0.5' -M 'REFPOINT_U_OFFSET = 1' -M 'REFPOINT_X = 0'", "", 1.0, 0.5,
                 0.12 + 0.04);
  check_modifier("the start by the scenario's keys",
                 "-k 'REFERENCE_LINE_START_X = 90' -k 'REFERENCE_LINE_START_PHI = 2'",
                 ", x: 7, y: 9, heading: 28.64788975654116 deg, z: 3", 7.0 + 4.0 * c - s, 9.0 + 4.0 * s + c, 3.56);
  check_modifier("a straight line between two given places",
                 "-k 'REFERENCE_LINE_END_X = 6' -k 'REFERENCE_LINE_END_Y = 8'", "", 0.6 * 4.0 - 0.8, 0.8 * 4.0 + 0.6,
                 0.56);
}

static double of_doubled(double u) {
  return 2.0 * u / 25.0;
}

/* SCALE_CURVATURE 2 doubles the headings relative to the start's, 0 makes the line straight. If the end is given, point
 * i is the mean of two points: the point computed from the previous one has the weight 1 - i/n, the point computed from
 * the end i/n. */
static void check_ends(void) {
  road r = write_road("-f KDBI -l 20 -p 'u/25' -k 'REFERENCE_LINE_START_PHI = 0' -M 'SCALE_CURVATURE = 2' " HILL, "");
  line l = line_of(of_doubled, 0.5, 41, 0.0, 0.0);
  tap_near(on(&r, &l, 30, 0.5).z, 0.325, 1e-13,
           "a road with doubled curvature has its heights along the doubled circle");
  forget(&r);
  r = write_road("-f KDBI -l 20 -p 'u/25' -k 'REFERENCE_LINE_START_PHI = 0' -M 'SCALE_CURVATURE = 0' " HILL, "");
  tap_near(at(&r, 15.0, 0.5).z, 0.325, 1e-13, "a road without curvature has its heights along a straight line");
  forget(&r);

  line a = line_of(of_circle, 0.5, 41, 0.0, 0.0);
  char text[300];
  const double dx = 0.006, dy = -0.004;
  snprintf(text, sizeof text,
           "-f KDBI -l 20 -p 'u/25' -k 'REFERENCE_LINE_END_X = %.17g' -k 'REFERENCE_LINE_END_Y = %.17g' " HILL,
           a.x[40] + dx, a.y[40] + dy);
  r = write_road(text, "");
  line b = a;
  for (int i = 0; i < 40; i++) {
    double w = (i + 1) / 40.0, phi = of_circle(0.5 * (i + 0.5));
    b.x[i + 1] = (1.0 - w) * (b.x[i] + 0.5 * cos(phi)) + w * (a.x[i + 1] + dx);
    b.y[i + 1] = (1.0 - w) * (b.y[i] + 0.5 * sin(phi)) + w * (a.y[i + 1] + dy);
  }
  double worst = 0.0;
  for (int i = 1; i < 40; i++) {
    b.phi[i] = atan2(b.y[i + 1] - b.y[i - 1], b.x[i + 1] - b.x[i - 1]);
    worst = tap_max(worst, fabs(on(&r, &b, i, 0.7).z - 0.01 * i - 0.035));
  }
  tap_near(worst, 0.0, 1e-13, "if the end is given, each point moves by a share that grows along the line");
  forget(&r);
}

/* --- closed --- */

/* A circle of 50 pieces that ends at its start, with five waves around it and banking: the road is continuous
 * everywhere. */
static void check_closed(void) {
  road r =
      write_road("-f KDBI -l 50 -i 1 -p '2*pi*u/50' -b 0.05 -o 'REFLINE_CONTINUATION = 1' '0.02*sin(2*pi*u/10)'", "");
  const double radius = 0.5 / sin(VD_PI / 50.0);
  double worst = 0.0, kink = 0.0;
  for (int i = -75; i <= 75; i++)
    for (double v = -1.0; v <= 1.0; v += 0.5) {
      double s = sin(2.0 * VD_PI * i / 50.0), c = cos(2.0 * VD_PI * i / 50.0);
      double x = (radius - v) * s, y = radius - (radius - v) * c;
      worst = tap_max(worst, fabs(at(&r, x, y).z - 0.02 * sin(2.0 * VD_PI * i / 10.0) - 0.05 * v));
      vd_road a = at(&r, x - 5e-8 * c, y - 5e-8 * s), b = at(&r, x + 5e-8 * c, y + 5e-8 * s);
      kink = tap_max(kink, tap_max(fabs(a.slope_x - b.slope_x), fabs(a.slope_y - b.slope_y)));
    }
  tap_near(worst, 0.0, 1e-12, "closed: the heights repeat three times around");
  tap_near(kink, 0.0, 2e-7, "closed: the road has no kink, not even where its ends meet");
  forget(&r);
}

/* --- headers --- */

static void write_text(const char *name, const char *text) {
  FILE *f = fopen(name, "w");
  if (f) {
    fputs(text, f);
    fclose(f);
  }
}

#define GRID "$KD_Definition\n#:LRFI\nD:long section at v = -1,m\nD:long section at v = 1,m\n$\n$$$$\n"

/* Checks a reference to another file, in two lines, with a variable of the environment. The options of this file
 * replace the other file's options; the other file's modifiers are used, as this file has none. */
static void check_reference(void) {
  char other[80], text[300];
  snprintf(other, sizeof other, "%s.other", file_name);
  write_text(other, "$ROAD_CRG\nREFERENCE_LINE_INCREMENT = 2\n$\n$ROAD_CRG_OPTS\nBORDER_MODE_U = 0\nBORDER_MODE_V = 1\n"
                    "$\n$ROAD_CRG_MODS\nSCALE_Z_GRID = 3\n$\n" GRID " 0.1000000 0.1000000\n 0.1000000 0.1000000\n");
  snprintf(text, sizeof text,
           "$ROAD_CRG_FILE ! comment\n  $CRG_TEST_ROAD/%s.ot\n  her ! the rest\n$\n"
           "$ROAD_CRG_OPTS\nBORDER_MODE_V = 0\n$\n",
           strrchr(file_name, '/') + 1);
  write_text(file_name, text);
  setenv("CRG_TEST_ROAD", "/tmp", 1);
  road r = read_road("");
  tap_near(at(&r, 1.0, 0.0).z, 0.3, 1e-15, "a reference: the road and the modifiers are those of the other file");
  tap_ok(at(&r, 5.0, 0.0).z == at(&r, 1.0, 0.0).z && isnan(at(&r, 1.0, 1.5).z),
         "a reference in a file: the options are those of the file itself");
  forget(&r);
  unlink(other);
}

/* Checks that the last of two equal keys counts, that numbers may have D and signs, and that text after a number is
 * ignored. */
static void check_keys(void) {
  write_text(file_name, "$ROAD_CRG\nREFERENCE_LINE_INCREMENT = 9\nREFERENCE_LINE_INCREMENT = 2.0 m\n"
                        "REFERENCE_LINE_START_X =+.5D1\n$\n$ROAD_CRG_MODS\nSCALE_Z_GRID = 7\n$\n"
                        "$ROAD_CRG_MODS\nREFLINE_OFFSET_Y = -4\n$\n" GRID "   1.D-1    +.1e0\n 3.000E-01 0.3000000\n");
  road r = read_road("");
  tap_near(at(&r, 5.0, -4.0).z, 0.1, 1e-15, "numbers are read as other programs write them");
  tap_near(at(&r, 7.0, -4.0).z, 0.3, 1e-15, "the last of two keys, and of two blocks of modifiers, counts");
  forget(&r);
}

int main(void) {
  tap_plan(105);
  snprintf(file_name, sizeof file_name, "/tmp/vdsim-crg-%ld.crg", (long)getpid());
  check_formats();
  check_text();
  check_interpolation();
  check_uneven();
  check_coarse();
  check_turns();
  check_circle();
  check_gradients();
  check_continuity();
  check_bends();
  check_kinks();
  check_stone();
  check_borders();
  check_missing();
  check_modifiers();
  check_ends();
  check_closed();
  check_reference();
  check_keys();
  unlink(file_name);
  return tap_done();
}
