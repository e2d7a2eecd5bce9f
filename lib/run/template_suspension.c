/* The suspension of the left front wheel, from its figures: inclination, caster and scrub radius determine the steering
 * axis, and the roll centre determines the links.
 *
 * In the front view, y is to the left and z up; the contact is at (c, 0), the roll centre at (0, h). The instantaneous
 * centre of the knuckle is on the line through these two points, z = h (1 - y/c). With a strut this centre is also on
 * the line through the top of the strut, perpendicular to the strut. With two wishbones the distance of the centre from
 * the wheel is the length of the swing arm. The arms and the tie rod point to the centre, so that the wheel does not
 * steer at small travels. */
#include "run/template_impl.h"

#include "base/base.h"
#include "base/elementary.h"
#include "input/schema.h"
#include "linkage/corner_mass.h"

#include <math.h>

enum { MACPHERSON, DOUBLE_WISHBONE };

static const char *const type_names[] = {"macpherson", "double_wishbone", NULL};

typedef struct numbers {
  int type;
  const char *tyre;
  double track, wheel_load, pressure;                    /* m, N, Pa */
  double roll_centre, inclination, caster, scrub, swing; /* m, rad */
  double ride_frequency;                                 /* Hz */
} numbers;

static const vd_field fields[] = {
    {VD_F_CHOICE(numbers, type, "type", type_names, "macpherson", "type of the linkage, of a steered front wheel")},
    {VD_F_NUMBER(numbers, track, "track", "m", 0, 10, VD_ABOVE, "1.54 m", "distance between the wheels")},
    {VD_F_STRING(numbers, tyre, "tyre", "205/55R16", "size of the tyres")},
    {VD_F_NUMBER(numbers, pressure, "tyre_pressure", "Pa", 0, 1e7, VD_ABOVE, "2.3 bar",
                 "pressure of the tyres above the ambient pressure")},
    {VD_F_NUMBER(numbers, wheel_load, "wheel_load", "N", 0, 1e6, VD_ABOVE, "4 kN", "load of the wheel at rest")},
    {VD_F_NUMBER(numbers, roll_centre, "roll_centre", "m", -0.5, 1, 0, "60 mm", "height of the roll centre")},
    {VD_F_NUMBER(numbers, inclination, "inclination", "rad", 0, 0.5, VD_ABOVE, "12 deg",
                 "kingpin inclination, inward at the top")},
    {VD_F_NUMBER(numbers, caster, "caster", "rad", -0.3, 0.3, 0, "5 deg",
                 "caster, rearward at the top; in side view the axis passes through the wheel centre")},
    {VD_F_NUMBER(numbers, scrub, "scrub", "m", -0.2, 0.2, 0, "0", "scrub radius, contact outside of the axis > 0")},
    {VD_F_NUMBER(numbers, swing, "swing_arm", "m", 0, 100, VD_ABOVE, "2 m",
                 "distance of the instantaneous centre from the wheel, only for two wishbones")},
    {VD_F_NUMBER(numbers, ride_frequency, "ride_frequency", "Hz", 0, 20, VD_ABOVE, "1.2 Hz",
                 "undamped frequency of the body over this axle")},
};

const vd_schema vd_suspension_numbers_schema = {.name = "suspension's numbers", VD_SCHEMA_ROWS(numbers, fields)};

typedef struct figures {
  vd_tyre_figures tyre;
  double centre[3], axis[3];
  double lower[3], lower_front[3], lower_rear[3]; /* ball joint at the knuckle, both joints at the chassis */
  double upper[3], upper_front[3], upper_rear[3];
  double top[3], bottom[3];   /* m, ends of the strut */
  double spring[2][3];        /* at the chassis, at the arm */
  double rack[3], tie_rod[3]; /* inner and outer end */
  double rate, damping;       /* N/m and N s/m, along spring and damper */
  double knuckle, knuckle_inertia[3];
  double load;
} figures;

/* --- geometry --- */

/* rad, negative camber: the top of the wheel leans inward. The contact point is displaced outward by this share of the
 * radius */
static const double lean = 0.0087;

typedef struct plan {
  const numbers *n;
  double contact, radius;      /* c; height of the wheel centre */
  double centre[2];            /* y, z of the instantaneous centre */
  double steer_y, steer_inner; /* m, joints of the tie rod */
} plan;

static void set_point(double x, double y, double z, double *point) {
  point[0] = x;
  point[1] = y;
  point[2] = z;
}

static void axis_point(const plan *p, double z, double *point) {
  set_point(vd_tan(p->n->caster) * (p->radius - z), p->contact - p->n->scrub - z * vd_tan(p->n->inclination), z, point);
}

/* Returns the height at y on the line from a point to the instantaneous centre. */
static double toward_centre(const plan *p, const double *from, double y) {
  return from[2] + (p->centre[1] - from[2]) * (y - from[1]) / (p->centre[0] - from[1]);
}

/* Sets an arm whose axis of rotation is longitudinal, at the distance `length' inward of the ball joint. */
static void set_arm(const plan *p, const double *joint, double length, double front, double rear, double *at_front,
                    double *at_rear) {
  double y = joint[1] - length, z = toward_centre(p, joint, y);
  set_point(joint[0] + front, y, z, at_front);
  set_point(joint[0] + rear, y, z, at_rear);
}

/* Sets the tie rod's outer end 0.13 m behind the steering axis and a seventh of this distance inward of the axis. This
 * gives about 60 % of Ackermann geometry for a wheelbase of two tracks. */
static void set_tie_rod(const plan *p, double inner, double z, figures *f) {
  double joint[3];
  axis_point(p, z, joint);
  set_point(joint[0] - 0.13, joint[1] - 0.13 / 7.0, z, f->tie_rod);
  set_point(f->tie_rod[0], inner, toward_centre(p, f->tie_rod, inner), f->rack);
}

static double y_between(const double *a, const double *b, double z) {
  return a[1] + (b[1] - a[1]) * (z - a[2]) / (b[2] - a[2]);
}

/* Sets the strut; returns the ratio of the travel of the spring's end, along the spring, to the travel of the wheel. */
static double set_strut(plan *p, figures *f) {
  axis_point(p, p->radius + 0.55, f->top);
  axis_point(p, p->radius + 0.12, f->bottom);
  axis_point(p, 0.58 * p->radius, f->lower);
  double h = p->n->roll_centre, along = vd_tan(p->n->inclination) + h / p->contact;
  double inward = (f->top[2] - h * (1.0 - f->top[1] / p->contact)) / along; /* from the top to the centre */
  p->centre[0] = f->top[1] - inward;
  p->centre[1] = h * (1.0 - p->centre[0] / p->contact);
  set_arm(p, f->lower, 0.34, 0.02, -0.28, f->lower_front, f->lower_rear);
  set_tie_rod(p, f->lower_front[1] - 0.02, f->lower[2] + 0.045, f);
  return inward / vd_cos(p->n->inclination) / (p->contact - p->centre[0]);
}

static double set_wishbones(plan *p, figures *f) {
  axis_point(p, p->radius + 0.16, f->upper);
  axis_point(p, 0.58 * p->radius, f->lower);
  p->centre[0] = p->contact - p->n->swing;
  p->centre[1] = p->n->roll_centre * p->n->swing / p->contact;
  set_arm(p, f->lower, 0.36, 0.12, -0.20, f->lower_front, f->lower_rear);
  set_arm(p, f->upper, 0.24, 0.10, -0.14, f->upper_front, f->upper_rear);
  double z = f->lower[2] + 0.06, inner = y_between(f->lower_front, f->upper_front, z) - 0.13 / 7.0;
  set_tie_rod(p, inner, z, f);
  /* distance between the spring's end and the arm's axis, as a share of the length of the arm */
  double share = 0.65, *top = f->spring[0], *eye = f->spring[1];
  for (int i = 0; i < 3; i++)
    eye[i] = i == 0 ? f->lower[0] : f->lower_front[i] + share * (f->lower[i] - f->lower_front[i]);
  set_point(eye[0], eye[1] - 0.10, p->radius + 0.40, top);
  double rise = share * (f->lower[1] - p->centre[0]) / p->n->swing, height = top[2] - eye[2];
  return rise * height / sqrt(height * height + 0.10 * 0.10);
}

/* --- lines --- */

#define T      figures
#define OWN    "of usual size"
#define AXIS   "on the steering axis"
#define CENTRE "so that the arm points to the instantaneous centre of the roll centre"

#define STRUT     VD_WHEN(MACPHERSON)
#define WISHBONES VD_WHEN(DOUBLE_WISHBONE)

static const vd_template_choice lines[] = {
    {0, VD_ESTIMATES_LINE("estimates")},
    {0, VD_VECTOR3(T, centre, "wheel.center", NULL)},
    {0, VD_VECTOR3(T, axis, "wheel.spin_axis", "0.5 deg of camber, inward at the top")},
    {0, VD_VALUE(T, tyre.loaded_radius, "wheel.static_radius", NULL,
                 "by the size, the pressure and the load of the tyre")},
    {0, VD_VECTOR3(T, lower_front, "lca.chassis_front", CENTRE)},
    {0, VD_VECTOR3(T, lower_rear, "lca.chassis_rear", CENTRE)},
    {0, VD_VECTOR3(T, lower, "lca.knuckle", AXIS ", at 0.58 of the radius")},
    {STRUT, VD_VECTOR3(T, top, "strut.top", AXIS ", 0.55 m above the wheel centre")},
    {STRUT, VD_VECTOR3(T, bottom, "strut.bottom", AXIS)},
    {WISHBONES, VD_VECTOR3(T, upper_front, "uca.chassis_front", CENTRE)},
    {WISHBONES, VD_VECTOR3(T, upper_rear, "uca.chassis_rear", CENTRE)},
    {WISHBONES, VD_VECTOR3(T, upper, "uca.knuckle", AXIS ", 0.16 m above the wheel centre")},
    {0, VD_VECTOR3(T, rack, "tie_rod.rack", "so that the rod also points to the instantaneous centre: no bump steer")},
    {0, VD_VECTOR3(T, tie_rod, "tie_rod.knuckle", "0.13 m behind the steering axis")},
    {WISHBONES, VD_VECTOR3(T, spring[0], "spring.chassis", OWN)},
    {WISHBONES, VD_VECTOR3(T, spring[1], "spring.eye", "0.65 of the lower arm")},
    {WISHBONES, VD_TEXT_LINE("spring.part", "lca")},
    {0, VD_VALUE(T, rate, "spring.rate", NULL, "for the frequency of the body: Gillespie, 5")},
    {WISHBONES, VD_VECTOR3(T, spring[0], "damper.chassis", OWN)},
    {WISHBONES, VD_VECTOR3(T, spring[1], "damper.eye", "0.65 of the lower arm")},
    {WISHBONES, VD_TEXT_LINE("damper.part", "lca")},
    {0, VD_VALUE(T, damping, "damper.rate", NULL, "damping ratio 0.3 of the body: Gillespie, 5")},
    {0, VD_VALUE(T, load, "wheel_load", "wheel_load", "default of the template, because no value was given")},
    {0, VD_VALUE(T, tyre.vertical_stiffness, "tyre_rate", NULL, "Rhyne, Tire Science and Technology 33 (2005) 3")},
    {0, VD_VALUE(T, knuckle, "mass.knuckle", NULL, "80 % of the unsprung mass, with wheel and brake")},
    {0, VD_VECTOR3(T, knuckle_inertia, "mass.knuckle_inertia",
                   "of a wheel with this mass; radius of gyration across the axle 0.6 of the wheel's radius")},
};

/* Sets the masses. A ninth of the mass that a wheel carries is unsprung (Gillespie, 5). */
static void set_masses(const numbers *n, double ratio, figures *f) {
  double corner = n->wheel_load / VD_GRAVITY, sprung = corner * (1.0 - 0.112), w = 2.0 * VD_PI * n->ride_frequency;
  double ride = sprung * w * w, at_wheel = ride / (1.0 - ride / f->tyre.vertical_stiffness);
  double radius = f->tyre.loaded_radius;
  f->load = n->wheel_load;
  f->rate = at_wheel / (ratio * ratio);
  f->damping = 2.0 * 0.3 * sqrt(at_wheel * sprung) / (ratio * ratio);
  f->knuckle = 0.8 * (corner - sprung);
  for (int i = 0; i < 3; i++)
    f->knuckle_inertia[i] = vd_corner_inertia_shares[i] * (f->knuckle * radius * radius);
}

bool vd_template_of_suspension(const void *given, vd_template_page *page) {
  const numbers *n = given;
  figures *f = vd_arena_alloc(page->arena, sizeof *f);
  vd_tyre_numbers tyre = {
      .size = n->tyre, .load = n->wheel_load, .pressure = n->pressure, .friction = 1.0, .slip_per_g = 0.06};
  vd_template_line *type = vd_arena_alloc(page->arena, sizeof *type);
  if (!vd_tyre_figures_of(&tyre, "tyre", page, &f->tyre))
    return false;
  plan p = {.n = n, .contact = 0.5 * n->track + lean * f->tyre.loaded_radius, .radius = f->tyre.loaded_radius};
  bool is_strut = n->type == MACPHERSON;
  set_point(0.0, 0.5 * n->track, p.radius, f->centre);
  set_point(0.0, 1.0, lean, f->axis);
  set_masses(n, is_strut ? set_strut(&p, f) : set_wishbones(&p, f), f);
  if (!(f->rate > 0.0))
    return vd_page_refuse(page, "ride_frequency", "the tyres are too soft for a body at %.3g Hz", n->ride_frequency);
  *type = (vd_template_line)VD_TEXT_LINE("type", type_names[n->type]);
  vd_page_add(page, "", type, 1, f);
  vd_page_add_type(page, n->type, lines, VD_COUNT(lines), f);
  return true;
}
