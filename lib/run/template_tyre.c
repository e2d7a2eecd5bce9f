/* A tyre from its size: the dimensions of ISO 4000-1, the vertical stiffness of Rhyne, and the curves of Rill's tyre of
 * a passenger car, scaled to its load and to its cornering stiffness. */
#include "run/template_impl.h"

#include "base/base.h"
#include "base/num.h"
#include "input/schema.h"

#include <math.h>
#include <string.h>

static const vd_field fields[] = {
    {VD_F_STRING(vd_tyre_numbers, size, "size", "205/55R16",
                 "size on the sidewall of the tyre: width in mm, height over width in %, rim in inches; or 18x6.0-10, "
                 "diameter, width and rim in inches")},
    {VD_F_NUMBER(vd_tyre_numbers, load, "load", "N", 0, 1e6, VD_ABOVE, "4 kN",
                 "load to which the figures apply: the load of the car at rest")},
    {VD_F_NUMBER(vd_tyre_numbers, pressure, "pressure", "Pa", 0, 1e7, VD_ABOVE, "2.3 bar",
                 "inflation pressure above the ambient pressure")},
    {VD_F_NUMBER(vd_tyre_numbers, friction, "friction", "1", 0, 5, VD_ABOVE, "1.1",
                 "friction coefficient on a dry road")},
    {VD_F_NUMBER(vd_tyre_numbers, rolling_resistance, "rolling_resistance", "1", 0, 1, 0, "0.010",
                 "rolling resistance divided by load, at standstill")},
    {VD_F_NUMBER(vd_tyre_numbers, slip_per_g, "slip_per_g", "rad", 0, 1, VD_ABOVE, "3.5 deg",
                 "slip angle per g of lateral acceleration at 0.3 g: load over the slope of the side force")},
};

const vd_schema vd_tyre_numbers_schema = {.name = "tyre's numbers", VD_SCHEMA_ROWS(vd_tyre_numbers, fields)};

/* Rill's figures at the nominal load of 3.2 kN and at twice this load; slopes and forces are divided by 3.2 kN. In
 * `lateral' only the ratio of the slopes and the forces are used. */
static const double longitudinal[2][5] = {{28.1, 0.11, 1.03, 0.5, 0.984}, {50.0, 0.12, 1.97, 0.6, 1.84}};
static const double lateral[2][5] = {{1.0, 0.0, 0.97, 0.0, 0.94}, {1.43, 0.0, 1.72, 0.0, 1.66}};

enum { SLOPE, PEAK_SLIP, PEAK, SLIDING_SLIP, SLIDING };

/* (initial slope) x (slip at the peak)/(peak force). It is 2 for the curve that is straight for longest, and 4 for
 * Rill's tyre, whose slope is twice the slope of an axle with compliance. */
static const double roundness = 2.4;

/* Returns the ratio of the initial slope of the curve to its slope at `share' of its peak force. With u = slip/(slip at
 * the peak) and the roundness p the curve is F/F_M = p u/(1 + (p - 2) u + u^2), and its derivative p (1 - u^2)/(1 + (p
 * - 2) u + u^2)^2. */
static double stiffening(double share) {
  double b = 0.5 * ((roundness - 2.0) - roundness / share), u = -b - sqrt(b * b - 1.0);
  double below = 1.0 + (roundness - 2.0) * u + u * u;
  return below * below / (1.0 - u * u);
}

static void set_curves(double load, double slip_per_g, vd_tyre_figures *f) {
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 5; k++) {
      bool slip = k == PEAK_SLIP || k == SLIDING_SLIP;
      f->longitudinal[i][k] = longitudinal[i][k] * (slip ? 1.0 : load);
      f->lateral[i][k] = lateral[i][k] * load;
    }
    f->lateral[i][SLOPE] *= stiffening(0.3 / lateral[0][PEAK]) / slip_per_g;
    f->lateral[i][PEAK_SLIP] = roundness * f->lateral[i][PEAK] / f->lateral[i][SLOPE];
    f->lateral[i][SLIDING_SLIP] = 3.3 * f->lateral[i][PEAK_SLIP];
  }
}

static bool read_number(const char **text, double *number) {
  size_t used;
  bool good = vd_num_parse(*text, strlen(*text), number, &used);
  *text += used;
  return good;
}

/* Reads the letters of the construction, R, ZR, B or D, or a hyphen; blanks around them are allowed. */
static bool read_construction(const char **text) {
  *text += strspn(*text, " ");
  const char *from = *text;
  *text += *from == '-' ? 1u : strspn(from, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  const bool good = *text > from && *text - from <= 2;
  *text += strspn(*text, " ");
  return good;
}

/* Reads a size like 205/55R16: width in mm, aspect ratio in %, rim in inches; P or LT may stand before it. Or reads a
 * size like 18x6.0-10: diameter, width and rim in inches. Further text, such as load index and speed symbol, may
 * follow. */
static bool read_size(const char *text, double *width, double *aspect, double *rim) {
  double first, second;
  text += *text == 'P' ? 1u : strncmp(text, "LT", 2) == 0 ? 2u : 0u;
  text += strspn(text, " ");
  if (!read_number(&text, &first))
    return false;
  text += strspn(text, " ");
  const char by = *text;
  if (by != '/' && by != 'x' && by != 'X')
    return false;
  text++;
  text += strspn(text, " ");
  if (!read_number(&text, &second) || !read_construction(&text) || !read_number(&text, rim))
    return false;
  *width = by == '/' ? first : 25.4 * second;
  *aspect = by == '/' ? second : 50.0 * (first - *rim) / second;
  return *width >= 80.0 && *width <= 500.0 && *aspect >= 20.0 && *aspect <= 110.0 && *rim >= 8.0 && *rim <= 30.0;
}

bool vd_tyre_figures_of(const vd_tyre_numbers *n, const char *number, const vd_template_page *page,
                        vd_tyre_figures *f) {
  double width, aspect, rim;
  if (!read_size(n->size, &width, &aspect, &rim))
    return vd_page_refuse(page, number, "'%s' is not a size of a tyre such as 205/55R16 or 18x6.0-10", n->size);
  double diameter = 25.4 * rim + 0.02 * width * aspect; /* mm */
  /* Rhyne's stiffness (kgf/mm) at 230 kPa. A share of 0.64 of this stiffness is proportional to the pressure. By
   * Rhyne's formula the share would be 0.87, which exceeds the share of measured tyres. */
  const double usual = 230.0, by_air = 0.64;
  double rate = 0.00028 * usual * sqrt((1.03 - 0.004 * aspect) * width * (width * aspect / 50.0 + 25.4 * rim)) + 3.45;
  rate *= 1.0 + by_air * (1e-3 * n->pressure / usual - 1.0);
  *f = (vd_tyre_figures){.size = n->size,
                         .load = n->load,
                         .friction = n->friction,
                         .rolling_resistance = n->rolling_resistance,
                         .rolling_speed = 50.0};
  f->unloaded_radius = 0.5e-3 * diameter;
  f->rolling_radius = 3.05e-3 * diameter / (2.0 * VD_PI);
  f->vertical_stiffness = 1000.0 * VD_GRAVITY * rate;
  f->loaded_radius = f->unloaded_radius - n->load / f->vertical_stiffness;
  if (!(f->loaded_radius > 0.5e-3 * 25.4 * rim))
    return vd_page_refuse(page, number, "a load of %.6g N presses a tyre %s to its rim", n->load, n->size);
  /* Half the contact length of a disc that the road cuts, minus a fifth for the belt's shoulders. The trail of a brush
   * of uniform stiffness with a parabolic pressure distribution is a third of this half length. */
  double half = 0.8 * sqrt(f->unloaded_radius * f->unloaded_radius - f->loaded_radius * f->loaded_radius);
  f->trail = half / 3.0;
  f->relaxation = 1.6 * f->unloaded_radius;
  set_curves(n->load, n->slip_per_g, f);
  return true;
}

#define T     vd_tyre_figures
#define RILL  "Rill, Road Vehicle Dynamics (2011), 3, tyre of a passenger car, over its load"
#define ROUND "2.4 times peak force over slope: 4 for Rill's tyre, less for an axle with compliance"
#define CURVE(member, i, at, slope, slip)                                                                              \
  VD_VALUE(T, member[i][0], at ".df0", NULL, slope), VD_VALUE(T, member[i][1], at ".s_max", NULL, slip),               \
      VD_VALUE(T, member[i][2], at ".f_max", NULL, RILL), VD_VALUE(T, member[i][3], at ".s_slide", NULL, slip),        \
      VD_VALUE(T, member[i][4], at ".f_slide", NULL, RILL)

void vd_tyre_lines(const char *prefix, const vd_tyre_figures *f, vd_template_page *page) {
  static const vd_template_line lines[] = {
      VD_TEXT_LINE("model", "tmeasy"),
      VD_WORD(T, size, "name", NULL, NULL),
      VD_TEXT_LINE("source", "\"rules of thumb\""),
      VD_ESTIMATES_LINE("estimates"),
      VD_VALUE(T, load, "nominal_load", NULL, NULL),
      VD_VALUE(T, friction, "friction", "friction", "typical of a dry road"),
      VD_WHOLE_ESTIMATE("curve_lateral"),
      CURVE(lateral, 0, "curve_lateral.nominal",
            "from the slip angle per g, which applies at 0.3 g, where the slope is 15 % below the initial slope",
            ROUND),
      CURVE(lateral, 1, "curve_lateral.double", "1.43 times the slope at the load: " RILL, ROUND),
      VD_WHOLE_ESTIMATE("curve_longitudinal"),
      CURVE(longitudinal, 0, "curve_longitudinal.nominal", RILL, RILL),
      CURVE(longitudinal, 1, "curve_longitudinal.double", RILL, RILL),
      VD_VALUE(T, trail, "pneumatic_trail", NULL,
               "a sixth of the contact length: brush model, Pacejka, Tire and Vehicle Dynamics (2012), 3"),
      VD_VALUE(T, relaxation, "relaxation_lateral", NULL,
               "1.6 radii, about 0.5 m for a car: Pacejka (2012), 7, has 0.3 m to 0.7 m"),
      VD_VALUE(T, rolling_resistance, "rolling_resistance", "rolling_resistance",
               "10 kg/t: class D of Regulation (EU) 2020/740; of a car with bearings, brakes and drivetrain in "
               "neutral: EPA's coast-downs of 2022"),
      VD_VALUE(T, rolling_speed, "rolling_speed", NULL,
               "resistance grows by a third up to 100 km/h: EPA's "
               "coast-downs of 2022"),
      VD_VALUE(T, vertical_stiffness, "vertical_stiffness", NULL,
               "by width, height and rim at 2.3 bar: Rhyne, Tire Science and Technology 33 (2005) 3; 64 % of the "
               "stiffness is proportional to the pressure: a Bridgestone RE-71R on Formula Delta's rig"),
  };
  vd_page_add(page, prefix, lines, VD_COUNT(lines), f);
}

bool vd_template_of_tyre(const void *numbers, vd_template_page *page) {
  vd_tyre_figures *f = vd_arena_alloc(page->arena, sizeof *f);
  if (!vd_tyre_figures_of(numbers, "size", page, f))
    return false;
  vd_tyre_lines("", f, page);
  return true;
}
