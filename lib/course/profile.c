/* Functions of a profile of any kind. They call the functions of its kind. */
#include "course/profile_impl.h"

#include "base/base.h"
#include "base/elementary.h"
#include "input/schema.h"

static const char *const type_names[] = {"none",  "constant",        "step",  "ramp",   "sine", "chirp",
                                         "table", "sine_with_dwell", "pulse", "random", NULL};

#define GROUP(type, kind) {VD_F_GROUP(&vd_profile_##kind##_rows)},
#define AT(type, kind)                                                                                                 \
  case VD_PROFILE_##type:                                                                                              \
    vd_profile_##kind##_at(&p->as.kind, inside, t, value, rate);                                                       \
    break;
#define CORNER(type, kind)                                                                                             \
  case VD_PROFILE_##type: return vd_profile_##kind##_corner(&p->as.kind, t);

/* clang-format off */
static const vd_field profile_fields[] = {
  {VD_F_CHOICE(vd_profile_def, profile.type, "type", type_names, "constant", "kind of input")},
  {VD_F_GROUP(&vd_profile_constant_rows)},
  VD_PROFILE_KINDS(GROUP)
};
/* clang-format on */

const vd_schema vd_profile_schema = {
    .name = "input", VD_SCHEMA_ROWS(vd_profile_def, profile_fields), .tag = "type", .shorthand = "value"};

void vd_profile_at(const vd_profile *p, double inside, double t, double *value, double *rate) {
  *value = *rate = 0.0;
  switch ((enum vd_profile_type)p->type) {
  case VD_PROFILE_NONE: break;
  case VD_PROFILE_CONSTANT:
    *value = p->as.constant.value;
    break;
    VD_PROFILE_KINDS(AT)
  }
}

double vd_profile_second_derivative(const vd_profile *p, double inside, double t) {
  return p->type == VD_PROFILE_TABLE ? vd_profile_table_second_derivative(&p->as.table, inside, t) : 0.0;
}

bool vd_profile_is_continuous(const vd_profile *p, bool rate) {
  switch ((enum vd_profile_type)p->type) {
  case VD_PROFILE_NONE:
  case VD_PROFILE_CONSTANT: return true;
  case VD_PROFILE_STEP: return !rate && p->as.step.rise > 0.0;
  case VD_PROFILE_RAMP:
  case VD_PROFILE_SINE:
  case VD_PROFILE_DWELL: return !rate;
  case VD_PROFILE_PULSE: return !rate && p->as.pulse.shape != VD_PULSE_RECTANGLE;
  case VD_PROFILE_TABLE:
    return p->as.table.interpolation == VD_INTERPOLATE_SMOOTH ||
           (!rate && p->as.table.interpolation == VD_INTERPOLATE_LINEAR);
  case VD_PROFILE_CHIRP: /* a chirp jumps to `from` at its end unless a period ends there */
  case VD_PROFILE_RANDOM: break;
  }
  return false;
}

double vd_profile_next_corner(const vd_profile *p, double t) {
  switch ((enum vd_profile_type)p->type) {
  case VD_PROFILE_NONE:
  case VD_PROFILE_CONSTANT: break; VD_PROFILE_KINDS(CORNER)
  }
  return INFINITY;
}

static void range_about(double from, double amplitude, double *a, double *b) {
  *a = from - fabs(amplitude);
  *b = from + fabs(amplitude);
}

void vd_profile_range(const vd_profile *p, double *lowest, double *highest) {
  double a = 0.0, b = 0.0;
  switch ((enum vd_profile_type)p->type) {
  case VD_PROFILE_NONE: break;
  case VD_PROFILE_CONSTANT: a = b = p->as.constant.value; break;
  case VD_PROFILE_STEP:
    a = p->as.step.from;
    b = p->as.step.value;
    break;
  case VD_PROFILE_RAMP:
    a = p->as.ramp.from;
    b = a + p->as.ramp.rate * p->as.ramp.duration;
    break;
  case VD_PROFILE_PULSE:
    a = p->as.pulse.from;
    b = a + p->as.pulse.amplitude;
    break;
  case VD_PROFILE_SINE: range_about(p->as.sine.from, p->as.sine.amplitude, &a, &b); break;
  case VD_PROFILE_DWELL: range_about(p->as.dwell.from, p->as.dwell.amplitude, &a, &b); break;
  case VD_PROFILE_CHIRP: range_about(p->as.chirp.from, p->as.chirp.amplitude, &a, &b); break;
  case VD_PROFILE_RANDOM: range_about(p->as.random.from, p->as.random.rms * p->as.random.highest, &a, &b); break;
  case VD_PROFILE_TABLE: vd_profile_table_range(&p->as.table, &a, &b); break;
  }
  bool open = isnan(a) || isnan(b);
  *lowest = open ? NAN : vd_min(a, b);
  *highest = open ? NAN : vd_max(a, b);
}

static bool is_integer(double value) {
  return value == round(value);
}

bool vd_profile_is_integer(const vd_profile *p) {
  switch ((enum vd_profile_type)p->type) {
  case VD_PROFILE_CONSTANT: return is_integer(p->as.constant.value);
  case VD_PROFILE_STEP: return p->as.step.rise == 0.0 && is_integer(p->as.step.from) && is_integer(p->as.step.value);
  case VD_PROFILE_TABLE: return vd_profile_table_is_integer(&p->as.table);
  case VD_PROFILE_NONE:
  case VD_PROFILE_RAMP:
  case VD_PROFILE_SINE:
  case VD_PROFILE_CHIRP:
  case VD_PROFILE_DWELL:
  case VD_PROFILE_PULSE:
  case VD_PROFILE_RANDOM: break;
  }
  return false;
}

double vd_profile_highest_frequency(const vd_profile *p, const char **key) {
  *key = "frequency";
  switch ((enum vd_profile_type)p->type) {
  case VD_PROFILE_SINE: return p->as.sine.frequency;
  case VD_PROFILE_DWELL: return p->as.dwell.frequency;
  case VD_PROFILE_CHIRP:
    if (p->as.chirp.end_frequency > p->as.chirp.frequency)
      *key = "end_frequency";
    return vd_max(p->as.chirp.frequency, p->as.chirp.end_frequency);
  case VD_PROFILE_RANDOM: *key = "end_frequency"; return p->as.random.end_frequency;
  case VD_PROFILE_PULSE:
    *key = "duration";
    return p->as.pulse.shape == VD_PULSE_HALF_SINE ? 0.5 / p->as.pulse.duration : 0.0;
  case VD_PROFILE_NONE:
  case VD_PROFILE_CONSTANT:
  case VD_PROFILE_STEP:
  case VD_PROFILE_RAMP:
  case VD_PROFILE_TABLE: break;
  }
  return 0.0;
}

/* Returns the least time between two points of a table, s; INFINITY if the profile is not a table. */
static double min_spacing(const vd_profile *p) {
  double least = INFINITY;
  if (p->type == VD_PROFILE_TABLE)
    for (size_t i = 1; i < p->as.table.points.count; i++)
      least = vd_min(least, p->as.table.points.xy[2 * i] - p->as.table.points.xy[2 * i - 2]);
  return least;
}

static void negate(double *a, double *b) {
  *a = -*a;
  *b = -*b;
}

void vd_profile_negate(vd_profile *p, vd_arena *arena) {
  switch ((enum vd_profile_type)p->type) {
  case VD_PROFILE_NONE: break;
  case VD_PROFILE_CONSTANT: p->as.constant.value = -p->as.constant.value; break;
  case VD_PROFILE_STEP: negate(&p->as.step.from, &p->as.step.value); break;
  case VD_PROFILE_RAMP: negate(&p->as.ramp.from, &p->as.ramp.rate); break;
  case VD_PROFILE_SINE: negate(&p->as.sine.from, &p->as.sine.amplitude); break;
  case VD_PROFILE_CHIRP: negate(&p->as.chirp.from, &p->as.chirp.amplitude); break;
  case VD_PROFILE_TABLE: vd_profile_table_negate(&p->as.table, arena); break;
  case VD_PROFILE_DWELL: negate(&p->as.dwell.from, &p->as.dwell.amplitude); break;
  case VD_PROFILE_PULSE: negate(&p->as.pulse.from, &p->as.pulse.amplitude); break;
  case VD_PROFILE_RANDOM: negate(&p->as.random.from, &p->as.random.rms); break;
  }
}

/* Ends a ramp whose duration is auto a little before the bound of its input, so that rounding does not lead beyond the
 * bound. */
static void end_ramp(vd_profile *p, vd_profile_bounds bounds) {
  vd_profile_ramp *ramp = &p->as.ramp;
  if (p->type == VD_PROFILE_RAMP && isnan(ramp->duration) && ramp->rate != 0.0)
    ramp->duration = (1.0 - 1e-12) * ((ramp->rate > 0.0 ? bounds.highest : bounds.lowest) - ramp->from) / ramp->rate;
}

void vd_profile_check(vd_profile_def *def, const char *key, vd_profile_bounds bounds, const vd_node *root,
                      vd_arena *arena, vd_diag *d) {
  double low, high;
  if (def->profile.type == VD_PROFILE_TABLE && !vd_profile_table_check(def, key, bounds.unit, root, arena, d))
    return;
  if (def->profile.type == VD_PROFILE_RANDOM)
    vd_profile_random_check(&def->profile.as.random, key, root, arena, d);
  end_ramp(&def->profile, bounds);
  vd_profile_range(&def->profile, &low, &high);
  if (isnan(low) || (def->profile.type == VD_PROFILE_STEP && isnan(def->profile.as.step.rise))) {
    vd_error(d, vd_tree_place(root, key),
             "'%s' has a number that is auto: give a number, or a rule that finds it under the scenario's key 'auto'",
             key);
    return;
  }
  if (low >= bounds.lowest && high <= bounds.highest)
    return;
  if (low == high)
    vd_error(d, vd_tree_place(root, key), "'%s' is %.9g; it must be between %g and %g%s", key, low, bounds.lowest,
             bounds.highest, bounds.unit_text);
  else
    vd_error(d, vd_tree_place(root, key), "'%s' reaches from %.9g to %.9g; it must be between %g and %g%s", key, low,
             high, bounds.lowest, bounds.highest, bounds.unit_text);
}

void vd_sampling_check(vd_sampling s, const char *what, double frequency, vd_place place, vd_diag *d) {
  double samples = 1.0 / (frequency * s.interval);
  if (!(samples > 2.0 * (1.0 + 1e-9)))
    vd_error(d, place, "%s of %g s cannot follow %s: it must be shorter than %.4g s; %.4g s suffices", s.sampler,
             s.interval, what, 0.5 / frequency, 0.1 / frequency);
  else if (!(samples >= 10.0 * (1.0 - 1e-9)))
    vd_warning(d, place, "%s of %g s samples %s only %.3g times a period; %.4g s suffices", s.sampler, s.interval, what,
               samples, 0.1 / frequency);
}

void vd_profile_check_sampling(const vd_profile *p, const char *key, vd_sampling s, const vd_node *root, vd_diag *d) {
  const char *name;
  double frequency = vd_profile_highest_frequency(p, &name), spacing = min_spacing(p);
  if (frequency > 0.0) {
    vd_buf what = {0};
    vd_buf_printf(&what, "%.4g Hz", frequency);
    vd_sampling_check(s, what.text, frequency, vd_tree_place_in(root, key, "%s", name), d);
    vd_buf_finish(&what);
  }
  if (!(spacing < s.rows * (1.0 - 1e-9)))
    return;
  if (s.split)
    vd_warning(d, vd_tree_place(root, key),
               "some points of the table are only %g s apart, less than the %g s between rows: the motion follows "
               "them, but log and metrics show only the rows",
               spacing, s.rows);
  else
    vd_warning(d, vd_tree_place(root, key),
               "some points of the table are only %g s apart, less than %s of %g s: points between two decisions have "
               "no effect",
               spacing, s.sampler, s.rows);
}
