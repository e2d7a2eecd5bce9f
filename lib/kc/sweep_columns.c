/* The columns of the curves: one table has their names, units, meanings and where they come from. */
#include "kc/sweep_impl.h"

#include "base/num.h"

#include <fnmatch.h>
#include <string.h>

enum source {
  SWEEP, /* its name */
  SIDE,  /* the wheel's */
  HOLD,  /* how the wheel is held */
  ROW,   /* a number of the row */
  JET,   /* value of a jet of the state */
  RATE,  /* its derivative along the travel */
  STATE, /* a number of the state */
  AXLE,  /* a number of the axle */
};

typedef struct column {
  const char *name, *unit, *help;
  enum source source;
  size_t offset;
  double scale;
  bool mirrored; /* changes sign with the side */
  bool outward;  /* from the wheel centre's design place */
} column;

#define AT_ROW(m)   .source = ROW, .offset = offsetof(vd_kc_row, m)
#define AT_JET(m)   .source = JET, .offset = offsetof(vd_kc_state, m)
#define AT_RATE(m)  .source = RATE, .offset = offsetof(vd_kc_state, m)
#define AT_STATE(m) .source = STATE, .offset = offsetof(vd_kc_state, m)
#define AT_AXLE(m)  .source = AXLE, .offset = offsetof(vd_kc_axle, m)
#define DEG         .scale = 180.0 / VD_PI
#define MM          .scale = 1e3
#define ONE         .scale = 1.0
#define PERCENT     .scale = 100.0

/* clang-format off */
static const column columns[] = {
  {"sweep", "", "what is swept: travel, rack, grid, fx, fy, mz, fz or fx_centre", .source = SWEEP},
  {"travel_mm", "mm",
      "rise of the wheel centre against the body, of a steered rigid axle of its place on the axle", AT_ROW(travel),
      MM},
  {"rack_mm", "mm", "shift of the inner tie rod point to the left", AT_ROW(rack), MM},
  {"fx_N", "N", "force of the road on the tyre, ahead", AT_ROW(load.fx), ONE},
  {"fy_N", "N", "the same to the left", AT_ROW(load.fy), ONE},
  {"fz_N", "N", "the same upwards", AT_ROW(load.fz), ONE},
  {"mz_Nm", "N m", "moment of the road on the tyre, to the left", AT_ROW(load.mz), ONE},
  {"toe_deg", "deg", "toe-in > 0", AT_JET(toe), DEG},
  {"camber_deg", "deg", "top outward > 0", AT_JET(camber), DEG},
  {"steer_deg", "deg", "to the left > 0", AT_JET(steer), DEG, .mirrored = true},
  {"caster_deg", "deg", "steering axis leaning back at the top > 0", AT_JET(caster), DEG},
  {"kpi_deg", "deg", "steering axis leaning inward at the top > 0", AT_JET(kpi), DEG},
  {"wheel_x_mm", "mm", "wheel centre, chassis axes", AT_JET(wheel_x), MM},
  {"wheel_y_mm", "mm", "the same", AT_JET(wheel_y), MM, .mirrored = true},
  {"wheel_z_mm", "mm", "the same", AT_JET(wheel_z), MM},
  {"patch_x_mm", "mm", "contact point, chassis axes", AT_JET(patch_x), MM},
  {"patch_y_mm", "mm", "the same", AT_JET(patch_y), MM, .mirrored = true},
  {"half_track_change_mm", "mm", "wheel centre outward from its design place", AT_JET(wheel_y), MM, .outward = true},
  {"scrub_mm", "mm", "steering axis' ground point inboard of the contact point > 0", AT_JET(scrub), MM},
  {"trail_mm", "mm", "steering axis' ground point ahead of the contact point > 0", AT_JET(trail), MM},
  {"spring_length_mm", "mm", "between the spring's ends", AT_JET(spring_length), MM},
  {"motion_ratio", "1", "shortening of the spring per travel", AT_STATE(motion_ratio), ONE},
  {"wheel_rate_Npmm", "N/mm",
      "spring at the wheel, with the change of its motion ratio, without tyre", AT_STATE(wheel_rate), .scale = 1e-3},
  {"roll_centre_z_mm", "mm", "over the design road, by the contact point's velocity", AT_STATE(roll_centre_z), MM},
  {"anti_pct", "%", "share of the load transfer under braking that links carry", AT_STATE(anti), PERCENT},
  {"side", "", "left or right wheel", .source = SIDE},
  {"roll_centre_planes_z_mm", "mm",
      "over the design road, by the planes of the arms", AT_STATE(roll_centre_planes_z), MM},
  {"roll_centre_height_mm", "mm",
      "by the contact point's velocity, over the road under the wheel as it is", AT_STATE(roll_centre_height), MM},
  {"anti_drive_pct", "%", "share of the load transfer under drive that links carry", AT_STATE(anti_drive), PERCENT},
  {"caster_seed_deg", "deg",
      "the reference system's own: of the ball joints, back < 0; of a strut, back > 0", AT_JET(caster_seed), DEG},
  {"kingpin_offset_mm", "mm", "steering axis inboard of the wheel centre, at its height", AT_JET(kingpin_offset), MM},
  {"spindle_trail_mm", "mm", "steering axis ahead of the wheel centre, at its height", AT_JET(spindle_trail), MM},
  {"patch_z_mm", "mm", "contact point, chassis axes", AT_JET(patch_z), MM},
  {"wheel_spin_deg", "deg",
      "turn of the knuckle in side view, as a wheel turns that rolls ahead", AT_JET(wheel_spin), DEG},
  {"damper_length_mm", "mm", "between the damper's ends", AT_JET(damper_length), MM},
  {"damper_ratio", "1", "shortening of the damper per travel", AT_STATE(damper_ratio), ONE},
  {"spring_force_N", "N", "in the spring, pressed together > 0", AT_STATE(spring_force), ONE},
  {"ride_rate_Npmm", "N/mm", "wheel rate in series with the tyre", AT_STATE(ride_rate), .scale = 1e-3},
  {"toe_travel_degpmm", "deg/mm", "change of toe with travel", AT_RATE(toe), .scale = 0.18 / VD_PI},
  {"camber_travel_degpmm", "deg/mm", "change of camber with travel", AT_RATE(camber), .scale = 0.18 / VD_PI},
  {"caster_travel_degpmm", "deg/mm", "change of caster with travel", AT_RATE(caster), .scale = 0.18 / VD_PI},
  {"track_travel", "mm/mm", "change of half_track_change_mm with travel", AT_RATE(wheel_y), ONE},
  {"toe_rack_degpmm", "deg/mm", "change of toe with rack", AT_STATE(toe_rack), .scale = 0.18 / VD_PI, .mirrored = true},
  {"brake_slope", "mm/mm", "contact point ahead per travel, as a point of the knuckle", AT_STATE(brake_slope), ONE},
  {"drive_slope", "mm/mm", "wheel centre ahead per travel", AT_STATE(drive_slope), ONE},
  {"angle_lower_deg", "deg",
      "lower or trailing arm about its axis, from design, or lower_aft link", AT_STATE(angle_lower), DEG},
  {"angle_upper_deg", "deg", "upper arm about its axis, from design", AT_STATE(angle_upper), DEG},
  {"roll_deg", "deg", "body over the line through both contact points, left side up > 0", AT_AXLE(roll), DEG},
  {"track_change_mm", "mm", "between both contact points, from design", AT_AXLE(track_change), MM},
  {"axle_roll_centre_z_mm", "mm",
      "over the design road in the car's middle, equal lateral forces", AT_AXLE(roll_centre_z), MM},
  {"axle_roll_centre_planes_z_mm", "mm", "the same by the planes of the arms", AT_AXLE(roll_centre_planes_z), MM},
  {"roll_centre_cross_y_mm", "mm",
      "where both wheels' lines meet, to the left of the car's middle", AT_AXLE(cross_y), MM},
  {"roll_centre_cross_z_mm", "mm", "the same, over the design road", AT_AXLE(cross_z), MM},
  {"steer_left_deg", "deg", "left wheel, to the left > 0", AT_AXLE(steer_left), DEG},
  {"steer_right_deg", "deg", "right wheel, to the left > 0", AT_AXLE(steer_right), DEG},
  {"ackermann_pct", "%", "100: both wheels' normals meet on the other axle's line", AT_AXLE(ackermann), PERCENT},
  {"turning_circle_m", "m", "diameter that the outer wheel's contact point draws", AT_AXLE(turning_circle), ONE},
  {"fx_centre_N", "N", "force at the wheel centre, ahead", AT_ROW(load.centre[0]), ONE},
  {"roll_centre_migration", "mm/mm", "change of roll_centre_z_mm with travel", AT_STATE(roll_centre_migration), ONE},
  {"front_centre_y_mm", "mm",
      "instant centre in front view, chassis axes", AT_STATE(front_centre_y), MM, .mirrored = true},
  {"front_centre_z_mm", "mm", "the same", AT_STATE(front_centre_z), MM},
  {"front_arm_mm", "mm", "from the wheel centre inboard to this centre: front view swing arm", AT_STATE(front_arm), MM},
  {"front_angle_deg", "deg",
      "line from the contact point to this centre, rising inboard > 0", AT_STATE(front_angle), DEG},
  {"side_centre_x_mm", "mm", "instant centre in side view, chassis axes", AT_STATE(side_centre_x), MM},
  {"side_centre_z_mm", "mm", "the same", AT_STATE(side_centre_z), MM},
  {"side_arm_mm", "mm", "from the wheel centre ahead to this centre: side view swing arm", AT_STATE(side_arm), MM},
  {"side_angle_deg", "deg",
      "line from the contact point to this centre, rising to the rear > 0", AT_STATE(side_angle), DEG},
  {"kingpin_moment_Nm", "N m",
      "of the loads given, about the steering axis, to the left", AT_STATE(kingpin_moment), ONE, .mirrored = true},
  {"rack_force_N", "N", "on the rack, to the left, against the loads on both wheels", AT_AXLE(rack_force), ONE},
  {"hand_wheel_deg", "deg", "to the left, by car.c_factor or car.gear_ratio", AT_ROW(hand_wheel), DEG},
  {"steering_ratio", "1", "hand wheel over the mean steer angle, as a derivative", AT_AXLE(steering_ratio), ONE},
  {"hand_wheel_moment_Nm", "N m",
      "against rack_force_N, without friction and assistance", AT_AXLE(hand_wheel_moment), ONE},
  {"hold", "", "what is given of the wheel's height under forces: free, centre or ground", .source = HOLD},
  {"knuckle_spin_deg", "deg",
      "turn of the knuckle about the wheel's axle since design, as a wheel turns that rolls ahead",
      AT_JET(knuckle_spin), DEG},
};
/* clang-format on */
_Static_assert(VD_COUNT(columns) == VD_KC_COLUMNS, "a flag for each");

const char *const vd_kc_sweep_names[] = {"travel", "rack", "grid", "fx", "fy", "mz", "fz", "fx_centre", NULL};
const char *const vd_kc_hold_names[] = {"auto", "free", "centre", "ground", NULL};

void vd_kc_number(double value, enum vd_digits digits, vd_buf *out) {
  char text[VD_NUM_MAX];
  if (isnan(value))
    return;
  int length = digits == VD_DIGITS_EXACT ? vd_num_print_shortest(value + 0.0, text) : vd_num_print9(value + 0.0, text);
  vd_buf_add(out, text, (size_t)length);
}

static double member(const void *object, size_t offset) {
  return *(const double *)((const char *)object + offset);
}

static double number_of(const column *c, const vd_kc_row *row) {
  const vd_jet *jet = (const vd_jet *)((const char *)row->state + c->offset);
  switch (c->source) {
  case SWEEP:
  case SIDE:
  case HOLD: break;
  case ROW: return member(row, c->offset);
  case JET: return jet->v;
  case RATE: return jet->d[0] * row->along[0] + jet->d[1] * row->along[1];
  case STATE: return member(row->state, c->offset);
  case AXLE: return row->axle ? member(row->axle, c->offset) : NAN;
  }
  return NAN;
}

/* What a column of words says; NULL: it has numbers. */
static const char *word_of(const column *c, const vd_kc_row *row) {
  if (c->source == SWEEP)
    return vd_kc_sweep_names[row->sweep];
  if (c->source == SIDE)
    return row->right ? "right" : "left";
  if (c->source == HOLD)
    return row->hold ? row->hold : "";
  return NULL;
}

/* A comma before all but the first column of a line. */
static void separate(bool *begun, vd_buf *out) {
  if (*begun)
    vd_buf_puts(out, ",");
  *begun = true;
}

void vd_kc_header(const vd_kc_plan *plan, vd_buf *out) {
  bool begun = false;
  for (size_t i = 0; i < VD_COUNT(columns); i++) {
    if (plan->unwanted[i])
      continue;
    separate(&begun, out);
    vd_buf_puts(out, columns[i].name);
  }
  vd_buf_puts(out, "\n");
}

static void write_field(const column *c, const vd_kc_row *row, enum vd_digits digits, vd_buf *out) {
  const char *word = word_of(c, row);
  if (word) {
    vd_buf_puts(out, word);
    return;
  }
  double value = number_of(c, row);
  if (c->outward)
    value -= row->design_y;
  vd_kc_number((c->mirrored && row->right ? -c->scale : c->scale) * value, digits, out);
}

void vd_kc_write_row(const vd_kc_row *row, const vd_kc_plan *plan, vd_buf *out) {
  bool begun = false;
  for (size_t i = 0; i < VD_COUNT(columns); i++) {
    if (plan->unwanted[i])
      continue;
    separate(&begun, out);
    write_field(&columns[i], row, plan->digits, out);
  }
  vd_buf_puts(out, "\n");
}

size_t vd_kc_columns_match(const char *pattern, bool *wanted) {
  size_t found = 0;
  for (size_t i = 0; i < VD_COUNT(columns); i++)
    if (fnmatch(pattern, columns[i].name, 0) == 0) {
      wanted[i] = true;
      found++;
    }
  return found;
}

const char *vd_kc_column_unit(const char *name) {
  for (size_t i = 0; i < VD_COUNT(columns); i++)
    if (strcmp(columns[i].name, name) == 0)
      return columns[i].unit;
  return NULL;
}

int vd_kc_sweep_over(const char *name) {
  static const char *const over[VD_KC_SWEEPS] = {[VD_KC_TRAVEL] = "travel_mm",
                                                 [VD_KC_RACK] = "rack_mm",
                                                 [VD_KC_FX] = "fx_N",
                                                 [VD_KC_FY] = "fy_N",
                                                 [VD_KC_MZ] = "mz_Nm",
                                                 [VD_KC_FZ] = "fz_N",
                                                 [VD_KC_FX_CENTRE] = "fx_centre_N"};
  for (int i = 0; i < VD_KC_SWEEPS; i++)
    if (over[i] && strcmp(over[i], name) == 0)
      return i;
  return -1;
}

void vd_kc_columns_list(vd_buf *out) {
  for (size_t i = 0; i < VD_COUNT(columns); i++)
    vd_buf_printf(out, "%s\t%s\t%s\n", columns[i].name, columns[i].unit, columns[i].help);
}
