#include "vehicle/weight_def.h"

#include "base/base.h"
#include "base/elementary.h"
#include "input/schema.h"

#include <math.h>

/* clang-format off */
static const char *const shape_names[] = {"point", "box", "cylinder", "body", NULL};
static const char *const axis_names[] = {"x", "y", "z", NULL};
static const char *const from_names[] = {"none", "parts", "scales", NULL};

#define BOX VD_WHEN(VD_WEIGHT_BOX)
#define CYLINDER VD_WHEN(VD_WEIGHT_CYLINDER)
#define BODY VD_WHEN(VD_WEIGHT_BODY)

static const vd_field shape_fields[] = {
  {VD_F_STRING(vd_weight_def, name, "name", "\"\"", "name for readers")},
  {VD_F_NUMBER(vd_weight_def, mass, "mass", "kg", -1e5, 1e5, 0, NULL, "mass; < 0: it is taken out of the car")},
  {VD_F_VECTOR(vd_weight_def, at, "at", "m", -50, 50, 0, NULL,
      "x, y, z of its centre in the design position, from the ground below the middle of the front axle")},
  {VD_F_CHOICE(vd_weight_def, shape, "shape", shape_names, "point",
      "its inertia about its centre: none, the inertia of a homogeneous box or cylinder, or given")},
  {VD_F_VECTOR(vd_weight_def, as.box.size, "size", "m", 0, 50, 0, NULL, "length along x, y and z"), .only = BOX},
  {VD_F_NUMBER(vd_weight_def, as.cylinder.radius, "radius", "m", 0, 50, 0, NULL, "radius"), .only = CYLINDER},
  {VD_F_NUMBER(vd_weight_def, as.cylinder.length, "length", "m", 0, 50, 0, NULL, "length along its axis"),
      .only = CYLINDER},
  {VD_F_CHOICE(vd_weight_def, as.cylinder.axis, "axis", axis_names, "y", "direction of its axis"), .only = CYLINDER},
  {VD_F_VECTOR(vd_weight_def, as.body.moment, "moment", "kg m2", 0, 1e7, 0, NULL,
      "moments of inertia about x, y, z through its centre"), .only = BODY},
  {VD_F_VECTOR(vd_weight_def, as.body.product, "product", "kg m2", -1e7, 1e7, 0, "[0, 0, 0]",
      "integrals of x y, x z and y z over its mass"), .only = BODY},
};
const vd_schema vd_part_schema = {.name = "part", VD_SCHEMA_ROWS(vd_weight_def, shape_fields), .tag = "shape"};

static const vd_field load_fields[] = {
  {VD_F_GROUP(&vd_part_schema)},
  {VD_F_FLAG(vd_weight_def, design, "design", "false",
      "it is in the car at the design position, in which the springs then carry it")},
  {VD_F_FLAG(vd_weight_def, carried, "carried", "true", "it is in the car during the run")},
};

const vd_schema vd_load_schema = {.name = "load", VD_SCHEMA_ROWS(vd_weight_def, load_fields), .tag = "shape"};

#define PARTS VD_WHEN(VD_WEIGHTS_PARTS)
#define SCALES VD_WHEN(VD_WEIGHTS_SCALES)

static const vd_field weights_fields[] = {
  {VD_F_CHOICE(vd_weights_def, from, "from", from_names, "none",
      "source of mass, centre of gravity and inertia that are auto: a list of all sprung parts, or scales")},
  {VD_F_STRUCTS(vd_weights_def, as.parts.item, "parts", "1", &vd_part_schema, NULL,
      "all parts of the sprung mass; the axles give the unsprung masses"), .only = PARTS},
  {VD_F_NUMBERS(vd_weights_def, as.scales.level, "level", "kg", 0, 1e5, 0, NULL,
      "readings under the wheels fl, fr, rl, rr on level ground"), .only = SCALES},
  {VD_F_NUMBERS(vd_weights_def, as.scales.lifted, "lifted", "kg", 0, 1e5, 0, "[]",
      "readings under the two wheels that stay down while the other axle is raised"), .only = SCALES},
  {VD_F_NUMBER(vd_weights_def, as.scales.lift, "lift", "m", 0, 5, 0, "0",
      "rise of the wheel centres of the raised axle, with the suspension blocked"), .only = SCALES},
  {VD_F_CHOICE(vd_weights_def, as.scales.raised, "raised", vd_axle_names, "rear", "the raised axle"), .only = SCALES},
};
/* clang-format on */

const vd_schema vd_weights_schema = {.name = "weights", VD_SCHEMA_ROWS(vd_weights_def, weights_fields), .tag = "from"};

/* Moments of inertia of a box, m/12 (b^2 + c^2), and of a cylinder, m r^2/2 about its axis and m (3 r^2 + l^2)/12 about
 * axes normal to it. */
vd_inertia vd_weight_inertia(const vd_weight_def *w) {
  vd_inertia out = {.mass = w->mass, .centre = {w->at[0], w->at[1], w->at[2]}};
  double(*t)[3] = out.tensor, m = w->mass;
  switch ((enum vd_weight_shape)w->shape) {
  case VD_WEIGHT_POINT: break;
  case VD_WEIGHT_BOX:
    for (int i = 0; i < 3; i++) {
      double b = w->as.box.size[(i + 1) % 3], c = w->as.box.size[(i + 2) % 3];
      t[i][i] = m * (b * b + c * c) / 12.0;
    }
    break;
  case VD_WEIGHT_CYLINDER: {
    double r = w->as.cylinder.radius, l = w->as.cylinder.length;
    for (int i = 0; i < 3; i++)
      t[i][i] = i == w->as.cylinder.axis ? 0.5 * m * r * r : m * (3.0 * r * r + l * l) / 12.0;
    break;
  }
  case VD_WEIGHT_BODY: {
    const double *product = w->as.body.product, sign = m < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 3; i++)
      t[i][i] = sign * w->as.body.moment[i];
    t[0][1] = t[1][0] = -sign * product[0];
    t[0][2] = t[2][0] = -sign * product[1];
    t[1][2] = t[2][1] = -sign * product[2];
    break;
  }
  }
  return out;
}

vd_inertia vd_weights_parts(const vd_weights_def *weights) {
  const vd_weight_def *part = weights->as.parts.item.item;
  vd_inertia sum = {.mass = 0.0};
  for (size_t i = 0; i < weights->as.parts.item.count; i++) {
    const vd_inertia own = vd_weight_inertia(&part[i]);
    vd_inertia_add(&sum, &own);
  }
  return sum;
}

/* Coordinates begin at the wheel centres of the axle on the scales, along the car to the other axle and upward: the
 * other wheel centres are at (L, u - l), the centre of gravity at (b, h - l). If the car is turned by t, the other
 * wheel centres rise by `lift`. The forces of the road act below the wheel centres, so that the balance of moments
 * about the wheel centres on the scales is
 *   (1 - share) (L cos t - (u - l) sin t) = b cos t - (h - l) sin t. */
double vd_weights_height(double wheelbase, double lower, double upper, double behind, double lift, double share) {
  double rise = upper - lower, length = vd_hypot(wheelbase, rise);
  double turn = vd_asin((lift + rise) / length) - vd_atan2(rise, wheelbase);
  double cosine = vd_cos(turn), sine = vd_sin(turn);
  return lower + (behind * cosine - (1.0 - share) * (wheelbase * cosine - rise * sine)) / sine;
}
