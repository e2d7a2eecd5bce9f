/* Units, text and messages. */
#include "base/text.h"
#include "input/units.h"
#include "schema_reading.h"

/* --- units --- */

typedef struct unit_case {
  const char *text;
  double si;
  const char *base; /* a unit of the same dimension and factor 1 */
} unit_case;

static const unit_case unit_cases[] = {
    {"1", 1, ""},
    {"%", 0.01, ""},
    {"m", 1, "m"},
    {"mm", 1e-3, "m"},
    {"cm", 1e-2, "m"},
    {"km", 1000, "m"},
    {"in", 0.0254, "m"},
    {"ft", 0.3048, "m"},
    {"mi", 1609.344, "m"},
    {"s", 1, "s"},
    {"ms", 1e-3, "s"},
    {"min", 60, "s"},
    {"h", 3600, "s"},
    {"kg", 1, "kg"},
    {"g", 1e-3, "kg"},
    {"t", 1000, "kg"},
    {"lb", 0.45359237, "kg"},
    {"N", 1, "kg m/s^2"},
    {"kN", 1000, "N"},
    {"lbf", 0.45359237 * 9.80665, "N"},
    {"Nm", 1, "N m"},
    {"kNm", 1000, "N m"},
    {"Pa", 1, "N/m2"},
    {"kPa", 1e3, "Pa"},
    {"MPa", 1e6, "Pa"},
    {"bar", 1e5, "Pa"},
    {"psi", 0.45359237 * 9.80665 / (0.0254 * 0.0254), "Pa"},
    {"J", 1, "N m"},
    {"kJ", 1e3, "J"},
    {"W", 1, "J/s"},
    {"kW", 1e3, "W"},
    {"PS", 75 * 9.80665, "W"},
    {"rad", 1, "rad"},
    {"mrad", 1e-3, "rad"},
    {"deg", 3.14159265358979323846 / 180, "rad"},
    {"rev", 2 * 3.14159265358979323846, "rad"},
    {"rpm", 2 * 3.14159265358979323846 / 60, "rad/s"},
    {"Hz", 1, "1/s"},
    {"mph", 1609.344 / 3600, "m/s"},
    {"kph", 1 / 3.6, "m/s"},
    {"K", 1, "K"},
    {"A", 1, "A"},
    {"V", 1, "W/A"},
    {"ohm", 1, "V/A"},
    /* products */
    {"km/h", 1 / 3.6, "m/s"},
    {"N/mm", 1000, "N/m"},
    {"kg m2", 1, "kg m^2"},
    {"m/s^2", 1, "m/s/s"},
    {"N m/deg", 180 / 3.14159265358979323846, "N m/rad"},
    {"N*m", 1, "N m"},
    {"N s / mm", 1000, "N s/m"},
    {"s^-1", 1, "Hz"},
    {"", 1, "1"},
    {"mm2", 1e-6, "m m"},
    {"g/cm3", 1000, "kg/m3"},
    {"1/s", 1, "Hz"},
    {"deg/s", 0.017453292519943295, "rad/s"},
};

static const char *const no_units[] = {
    "x", "m/", "m^", "m^99", "m**s", "/", "kmh", "m22", "km9 km9 km9 km9 km9 km9 km9 km9 km9 km9 km9 km9 km9 km9 km9"};

static void test_units(void) {
  for (size_t i = 0; i < VD_COUNT(unit_cases); i++) {
    const unit_case *c = &unit_cases[i];
    vd_unit u = {0}, base = {0};
    bool ok = vd_unit_parse(c->text, strlen(c->text), &u, NULL, NULL) &&
              vd_unit_parse(c->base, strlen(c->base), &base, NULL, NULL) &&
              vd_dimension_equal(u.dimension, base.dimension);
    double si = ok ? vd_unit_to_si(u, 1) : NAN;
    tap_near(si, c->si, 1e-15 * c->si, "1 %s", c->text);
  }
  for (size_t i = 0; i < VD_COUNT(no_units); i++) {
    vd_unit u;
    tap_ok(!vd_unit_parse(no_units[i], strlen(no_units[i]), &u, NULL, NULL), "no unit: %s", no_units[i]);
  }
  size_t covered = 0;
  const char *const *names = vd_unit_names();
  size_t count = 0;
  for (; names[count]; count++)
    for (size_t i = 0; i < VD_COUNT(unit_cases); i++)
      covered += strcmp(names[count], unit_cases[i].text) == 0;
  tap_ok(covered == count, "the factor of every unit is checked");
  vd_unit mm = {0}, rad = {0}, one = {0};
  vd_unit_parse("mm", 2, &mm, NULL, NULL);
  vd_unit_parse("N m/rad", 7, &rad, NULL, NULL);
  vd_unit_parse("N m", 3, &one, NULL, NULL);
  tap_ok(vd_unit_to_si(mm, 9) == 0.009, "9 mm is the double nearest to 0.009");
  tap_ok(!vd_dimension_equal(rad.dimension, one.dimension), "N m/rad and N m are different units");
  static const struct {
    const char *si, *name, *in_field;
  } columns[] = {{"rad", "alpha_fl_rad", "alpha_fl_deg"},
                 {"rad/s", "yaw_rate_radps", "yaw_rate_degps"},
                 {"rad/s2", "a_radps2", "a_degps2"},
                 {"m/s", "vx_mps", "vx_kmh"},
                 {"m/s2", "ay_mps2", "ay_g"},
                 {"N", "fz_fl_N", "fz_fl_N"},
                 {"1", "brake", "brake"}};
  for (size_t i = 0; i < VD_COUNT(columns); i++) {
    vd_buf name = {0}, back = {0};
    const vd_unit_name *row = vd_unit_field(columns[i].si);
    vd_unit_field_name(columns[i].name, &name);
    tap_str(name.text, columns[i].in_field, "%s is converted to the units of the field", columns[i].name);
    tap_ok(vd_unit_si_name(name.text, &back) == row && (!row || strcmp(back.text, columns[i].name) == 0),
           "and the name is converted back");
    vd_buf_finish(&name);
    vd_buf_finish(&back);
    if (row) { /* units of keys give the same factor, except g, which is the gram there */
      vd_unit u = {0};
      bool g = strcmp(row->field, "g") == 0, known = vd_unit_parse(row->field, strlen(row->field), &u, NULL, NULL);
      tap_near(vd_unit_to_field(row, 3.0), 3.0 / (g ? 9.80665 : vd_unit_to_si(u, 1.0)), 1e-12,
               "the factor of the unit");
      tap_ok(known, "the unit of the field is known");
    }
  }
}

/* --- text --- */

static void test_text(void) {
  static const char *const names[] = {"mass", "wheelbase", NULL, "track"};
  tap_str(vd_suggest("mas", names, 4), "mass", "a name with a missing letter is suggested");
  tap_str(vd_suggest("amss", names, 4), "mass", "a name with two letters swapped is suggested");
  tap_str(vd_suggest("Wheelbsae", names, 4), "wheelbase", "a name with a capital and swapped letters is suggested");
  tap_str(vd_suggest("trakc", names, 4), "track", "a name with letters swapped at its end is suggested");
  tap_ok(!vd_suggest("speed", names, 4), "a word that resembles no name suggests nothing");
  tap_ok(!vd_suggest("", names, 4), "an empty word suggests nothing");
  vd_buf b = {0};
  for (int i = 0; i < 1000; i++)
    vd_buf_printf(&b, "%d,", i);
  tap_ok(b.length == 3890 && strlen(b.text) == 3890, "a buffer grows");
  vd_buf_finish(&b);
  unsigned code = 0;
  tap_ok(vd_utf8("\xe2\x82\xac", 3, &code) == 3 && code == 0x20ac, "a character of three bytes is decoded");
  tap_ok(!vd_utf8("\xc0\x80", 2, NULL) && !vd_utf8("\xed\xa0\x80", 3, NULL) && !vd_utf8("\xf4\x90\x80\x80", 4, NULL) &&
             !vd_utf8("\xe2\x82", 2, NULL),
         "forms that are too long or cut off, surrogates and too large code points are not UTF-8");
}

/* --- messages --- */

static void test_diag(void) {
  begin();
  int a = vd_diag_add_source(diag, "a", "one\ntwo\n", 8);
  int b = vd_diag_add_source(diag, "b", "x\n", 2);
  vd_error(diag, (vd_place){b, 1, 1, 1}, "third");
  vd_error(diag, (vd_place){a, 2, 1, 3}, "second");
  vd_note(diag, (vd_place){b, 0, 0, 0}, "noted");
  vd_warning(diag, (vd_place){a, 1, 3, 9}, "first");
  vd_error(diag, (vd_place){a, 2, 1, 3}, "second");
  vd_note(diag, (vd_place){b, 0, 0, 0}, "noted");
  end();
  tap_str(messages,
          "a:1:3: warning: first\n    1 | one\n      |   ^\n"
          "a:2:1: error: second\n    2 | two\n      | ^^^\nb: note: noted\n"
          "b:1:1: error: third\n    1 | x\n      | ^\n",
          "messages are sorted by place, notes stay with their message, equal messages are kept once");
  tap_ok(vd_diag_errors(diag) == 2 && vd_diag_warnings(diag) == 1, "errors and warnings are counted");
  end();
  tap_str(messages, "", "printed messages are forgotten");

  begin();
  for (int i = 0; i < 103; i++)
    vd_error(diag, (vd_place){.source = -1}, "error %d", i);
  end();
  tap_ok(vd_diag_errors(diag) == 103 && strstr(messages, "error 99\n3 more errors\n"),
         "after 100 errors further ones are counted");

  begin();
  vd_buf line = {0};
  for (int i = 0; i < 300; i++)
    vd_buf_printf(&line, "%d", i % 10);
  int c = vd_diag_add_source(diag, "long", line.text, line.length);
  vd_error(diag, (vd_place){c, 1, 151, 2}, "here");
  end();
  tap_ok(strstr(messages, "\n    1 | ...0123456789") &&
             strstr(messages, "6789...\n      |                                            ^^\n"),
         "a long line is cut around the caret");
  vd_place p = vd_diag_place(diag, c, 5, 2);
  tap_ok(p.line == 1 && p.column == 6 && p.length == 2, "a byte range has a place");
  vd_buf_finish(&line);
}

int main(void) {
  tap_plan((int)(VD_COUNT(unit_cases) + VD_COUNT(no_units)) + 42);
  test_text();
  test_diag();
  test_units();
  finish();
  return tap_done();
}
