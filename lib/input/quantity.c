#include "input/quantity.h"

#include "base/base.h"
#include "base/num.h"
#include "base/text.h"
#include "input/lines.h"

#include <math.h>
#include <string.h>

enum { UNIT_MAX = 64 };

/* Rewrites a unit without parentheses: "m/(s2 rad)" becomes "m/s2/rad". A number that is first in the parentheses, as
 * in "deg/(100 N m)", is stored in *number. Returns false if parentheses stand elsewhere or the result does not fit
 * into `out`. */
static bool flatten(const char *text, size_t length, char *out, double *number) {
  size_t n = 0, used;
  bool inside = false;
  double first;
  *number = 1.0;
  for (size_t i = 0; i < length; i++) {
    char c = text[i];
    if (n + 1 >= UNIT_MAX || (c == '(' && (inside || n == 0 || out[n - 1] != '/')) || (c == ')' && !inside))
      return false;
    if (c == '(' && vd_num_parse(text + i + 1, length - i - 1, &first, &used)) {
      for (i += used; i + 1 < length && vd_is_blank(text[i + 1]);)
        i++;
      *number *= first;
    }
    if (c == '(' || c == ')')
      inside = c == '(';
    else
      out[n++] = inside && (vd_is_blank(c) || c == '*') ? '/' : c;
  }
  out[n] = '\0';
  return !inside;
}

static vd_unit times_gravity(vd_unit u, bool divided) {
  if (divided)
    u.denominator *= VD_GRAVITY;
  else
    u.numerator *= VD_GRAVITY;
  u.dimension.m = (signed char)(u.dimension.m + (divided ? -1 : 1));
  u.dimension.s = (signed char)(u.dimension.s + (divided ? 2 : -2));
  return u;
}

/* Reads a unit without parentheses. A last factor `g` or `/g` is the standard gravity. */
static bool flat_unit(const char *flat, vd_unit *unit) {
  size_t end = strlen(flat), before;
  while (end > 0 && vd_is_blank(flat[end - 1]))
    end--;
  bool gravity = end > 0 && flat[end - 1] == 'g';
  for (before = end - gravity; gravity && before > 0 && vd_is_blank(flat[before - 1]);)
    before--;
  bool divided = gravity && before > 0 && flat[before - 1] == '/';
  gravity &= before == 0 || divided || flat[before - 1] == '*' || before < end - 1;
  if (!gravity)
    return vd_unit_parse(flat, end, unit, NULL, NULL);
  if (divided || (before > 0 && flat[before - 1] == '*'))
    before--;
  if (divided && before == 0)
    return false;
  if (!vd_unit_parse(flat, before, unit, NULL, NULL))
    return false;
  *unit = times_gravity(*unit, divided);
  return true;
}

bool vd_quantity_unit(const char *text, size_t length, vd_unit *unit) {
  char flat[UNIT_MAX];
  double number;
  if (!flatten(text, length, flat, &number) || !(number > 0.0) || !flat_unit(flat, unit))
    return false;
  unit->denominator *= number;
  return true;
}

double vd_quantity_in(const char *unit, double si) {
  vd_unit u;
  return vd_quantity_unit(unit, strlen(unit), &u) ? si * u.denominator / u.numerator : si;
}

bool vd_quantity_read(const char *text, const char *key, vd_place at, vd_diag *d, vd_quantity *out) {
  size_t length = strlen(text), used;
  *out = (vd_quantity){.value = NAN, .unit = {.numerator = 1.0, .denominator = 1.0}, .bare = true};
  if (!vd_num_parse(text, length, &out->value, &used)) {
    vd_error(d, at, "'%s' needs a number with a unit, got '%s'", key, text);
    return false;
  }
  const char *rest = text + used;
  while (vd_is_blank(*rest))
    rest++;
  if (*rest == '\0')
    return true;
  out->bare = false;
  if (!vd_quantity_unit(rest, strlen(rest), &out->unit)) {
    vd_error(d, at, "'%s' needs a number with a unit, and '%s' is not a unit", key, rest);
    return false;
  }
  out->value = vd_unit_to_si(out->unit, out->value);
  return true;
}

bool vd_tolerance_read(const char *text, vd_place at, vd_diag *d, vd_tolerance *out) {
  vd_quantity q;
  const char *unit = text + strcspn(text, "%");
  bool share = *unit == '%' && unit[1] == '\0';
  if (!vd_quantity_read(text, "tolerance", at, d, &q))
    return false;
  if (!(q.value >= 0.0)) {
    vd_error(d, at, "a tolerance must not be negative");
    return false;
  }
  if (share ? out->has_relative : out->has_absolute) {
    vd_error(d, at, "a tolerance has one share and one absolute value at most");
    return false;
  }
  if (share) {
    out->has_relative = true;
    out->relative = q.value;
  } else {
    out->has_absolute = true;
    out->absolute = q.value;
    out->bare = q.bare;
    out->unit = q.unit;
  }
  return true;
}
