/* Reading of input: trees, schemas, files and settings. */
#include "base/text.h"
#include "input/units.h"
#include "schema_reading.h"

#include <time.h>

/* --- a schema with every kind of key --- */

static const char *const levels[] = {"L0", "L1", "L2", NULL};

typedef struct axle {
  double track;
  tyre tyre;
} axle;

typedef struct vehicle {
  double mass, wheelbase, mu, cg, speed;
  axle front, rear;
} vehicle;

typedef struct everything {
  const char *name, *note, *output;
  int level, laps;
  bool log;
  double angle, share;
  vd_names channels;
  vd_points curve, force, none;
  profile steer, brake;
  vehicle vehicle;
} everything;

static const vd_field axle_rows[] = {
    {VD_F_NUMBER(axle, track, "track", "m", 0, INFINITY, VD_ABOVE, NULL, "track")},
    {VD_F_STRUCT(axle, tyre, tyre, "tyre", "1", &tyre_schema, VD_FILE, NULL, "tyre")},
};
static const vd_schema axle_schema = {"axle", sizeof(axle), axle_rows, VD_COUNT(axle_rows), NULL, NULL};

static const vd_field vehicle_rows[] = {
    {VD_F_NUMBER(vehicle, mass, "mass", "kg", 0, INFINITY, VD_ABOVE, NULL, "mass")},
    {VD_F_NUMBER(vehicle, wheelbase, "wheelbase", "m", 0, 20, VD_ABOVE, "2.5", "wheelbase")},
    {VD_F_NUMBER(vehicle, mu, "mu", "1", 0, 2, 0, "100 %", "friction")},
    {VD_F_NUMBER(vehicle, cg, "cg", "m", 0, INFINITY, VD_AUTO, "auto", "height")},
    {VD_F_NUMBER(vehicle, speed, "speed", "m/s", 0, INFINITY, 0, "80 km/h", "speed")},
    {VD_F_STRUCT(vehicle, front, axle, "front", "1", &axle_schema, 0, "{track: 1.5, tyre: {c: 80 kN/rad}}",
                 "front axle")},
    {VD_F_STRUCT(vehicle, rear, axle, "rear", "1", &axle_schema, 0, "{track: 1.5, tyre: {c: 90000}}", "rear axle")},
};
static const vd_schema vehicle_schema = {"vehicle", sizeof(vehicle), vehicle_rows, VD_COUNT(vehicle_rows), NULL, NULL};

static const vd_field everything_rows[] = {
    {VD_F_STRING(everything, name, "name", "nameless", "name")},
    {VD_F_STRING(everything, note, "note", "", "remark")},
    {VD_F_PATH(everything, output, "output", "", "file")},
    {VD_F_CHOICE(everything, level, "level", levels, "L1", "level")},
    {VD_F_INTEGER(everything, laps, "laps", 1, 10, "1", "laps")},
    {VD_F_FLAG(everything, log, "log", "true", "log")},
    {VD_F_NUMBER(everything, angle, "angle", "rad", -INFINITY, INFINITY, 0, "0", "angle")},
    {VD_F_NUMBER(everything, share, "share", "1", 0, 1, VD_BELOW, "0.5", "share")},
    {VD_F_LIST(everything, channels, "channels", "[]", "channels")},
    {VD_F_POINTS(everything, curve, "curve", "m/s", 0, 100, "[[0, 0]]", "curve")},
    {VD_F_POINTS(everything, force, "force", "N", -INFINITY, INFINITY, "[[0, 0]]", "damper"), .x_unit = "m/s"},
    {VD_F_POINTS(everything, none, "none", "1", 0, 1, "[]", "no points")},
    {VD_F_STRUCT(everything, steer, profile, "steer", "rad", &profile_schema, 0, "0", "steer")},
    {VD_F_STRUCT(everything, brake, profile, "brake", "Pa", &profile_schema, 0, "{type: none}", "brake")},
    {VD_F_STRUCT(everything, vehicle, vehicle, "vehicle", "1", &vehicle_schema, VD_FILE, NULL, "vehicle")},
};
static const vd_schema everything_schema = {
    "scenario", sizeof(everything), everything_rows, VD_COUNT(everything_rows), NULL, NULL};

static everything e;

/* Reads text as t.yaml with up to three settings. */
static void read_text(const char *text, const char *set1, const char *set2, const char *set3) {
  vd_setting settings[] = {{.text = set1}, {.text = set2}, {.text = set3}};
  read_as(&everything_schema, &e, text, settings, set3 ? 3 : set2 ? 2 : set1 ? 1 : 0);
}

static void read_path(const char *path, const char *set1, const char *set2) {
  vd_setting settings[] = {{.text = set1}, {.text = set2}};
  begin();
  good = vd_schema_read(&everything_schema, path, settings, set2 ? 2 : set1 ? 1 : 0, arena, diag, &e, &root);
  end();
}

#define CAR "vehicle: {mass: 1500}\n"

/* A scenario and the exact text of all its messages; NULL: any messages. */
static const refusal refusals[] = {
    /* keys */
    {"vehicle:\n  mas: 1600\n  mass: 2\n", "t.yaml:2:3: error: unknown key 'mas' in vehicle; did you mean 'mass'?\n"
                                           "    2 |   mas: 1600\n      |   ^^^\n"},
    {CAR "qqq: 1\n", "t.yaml:2:1: error: unknown key 'qqq' in scenario\n"
                     "    2 | qqq: 1\n      | ^^^\n"},
    {"name: a\nvehicle:\n  mu: 1\n", "t.yaml:2:1: error: missing key 'mass' in vehicle\n"
                                     "    2 | vehicle:\n      | ^^^^^^^\n"},
    {"name: a\n", "t.yaml:1:1: error: missing key 'vehicle' in scenario\n"
                  "    1 | name: a\n      | ^\n"},
    {"vehicle: {mass: 1, front: {track: 1, tyre: {c: 1, b_lat: 2}}}\n",
     "t.yaml:1:51: error: key 'b_lat' does not apply to tyre model 'linear'\n"
     "    1 | vehicle: {mass: 1, front: {track: 1, tyre: {c: 1, b_lat: 2}}}\n"
     "      |                                                   ^^^^^\n"},
    {"vehicle: {mass: 1, front: {track: 1, tyre: {c: 1, b_lat: 2, model: lin}}}\n",
     "t.yaml:1:68: error: 'model' must be one of linear, magic; got 'lin'\n"
     "    1 | vehicle: {mass: 1, front: {track: 1, tyre: {c: 1, b_lat: 2, model: lin}}}\n"
     "      |                                                                    ^^^\n"},
    {"base: 3\n" CAR "steer: {base: x}\n", "t.yaml:1:7: error: cannot open '3': No such file or directory\n"
                                           "    1 | base: 3\n      |       ^\n"
                                           "t.yaml:3:9: error: unknown key 'base' in profile\n"
                                           "    3 | steer: {base: x}\n      |         ^^^^\n"},
    /* numbers */
    {"vehicle: {mass: abc}\n", "t.yaml:1:17: error: 'mass' needs a number, got 'abc'\n"
                               "    1 | vehicle: {mass: abc}\n      |                 ^^^\n"},
    {"vehicle: {mass: {a: 1}}\n", "t.yaml:1:11: error: 'mass' needs a number, not a mapping\n"
                                  "    1 | vehicle: {mass: {a: 1}}\n      |           ^^^^\n"},
    {"vehicle: {mass: \"5\"}\n", "t.yaml:1:17: error: 'mass' needs a number, not text in quotes\n"
                                 "    1 | vehicle: {mass: \"5\"}\n      |                 ^^^\n"},
    {"vehicle:\n  mass:\n", "t.yaml:2:3: error: 'mass' needs a number, got nothing\n"
                            "    2 |   mass:\n      |   ^^^^\n"},
    {"vehicle: {mass: auto}\n", "t.yaml:1:17: error: 'mass' needs a number, got 'auto'\n"
                                "    1 | vehicle: {mass: auto}\n      |                 ^^^^\n"},
    {"vehicle: {mass: -5}\n", "t.yaml:1:17: error: 'mass' must be > 0 kg, got -5\n"
                              "    1 | vehicle: {mass: -5}\n      |                 ^^\n"},
    {"vehicle: {mass: 1, mu: 300 %}\n",
     "t.yaml:1:24: error: 'mu' must be >= 0 and <= 2, got 300 %\n"
     "    1 | vehicle: {mass: 1, mu: 300 %}\n      |                        ^^^^^\n"},
    {"share: 1\n" CAR, "t.yaml:1:8: error: 'share' must be >= 0 and < 1, got 1\n"
                       "    1 | share: 1\n      |        ^\n"},
    {"vehicle: {mass: .inf}\n", "t.yaml:1:17: error: 'mass' must be finite\n"
                                "    1 | vehicle: {mass: .inf}\n      |                 ^^^^\n"},
    {"vehicle: {mass: -NaN}\n", "t.yaml:1:17: error: 'mass' must be finite\n"
                                "    1 | vehicle: {mass: -NaN}\n      |                 ^^^^\n"},
    {"vehicle: {mass: 1e999}\n", "t.yaml:1:17: error: 'mass' must be finite\n"
                                 "    1 | vehicle: {mass: 1e999}\n      |                 ^^^^^\n"},
    {"vehicle: {mass: 1e308 t}\n", "t.yaml:1:17: error: 'mass' must be finite\n"
                                   "    1 | vehicle: {mass: 1e308 t}\n"
                                   "      |                 ^^^^^^^\n"},
    {"vehicle: {mass: 1_500}\n", "t.yaml:1:17: error: 'mass' needs a number, got '1_500'\n"
                                 "    1 | vehicle: {mass: 1_500}\n      |                 ^^^^^\n"},
    /* units */
    {"vehicle:\n  mass: 1\n  speed: 80 kmh\n", "t.yaml:3:13: error: unknown unit 'kmh'; did you mean 'km/h'?\n"
                                               "    3 |   speed: 80 kmh\n      |             ^^^\n"},
    {"vehicle:\n  mass: 1\n  speed: 80 km/zzz\n", "t.yaml:3:16: error: unknown unit 'zzz'\n"
                                                  "    3 |   speed: 80 km/zzz\n"
                                                  "      |                ^^^\n"},
    {"vehicle:\n  mass: 1\n  wheelbase: 2 kg\n", "t.yaml:3:16: error: 'wheelbase' is in m; 'kg' is another dimension\n"
                                                 "    3 |   wheelbase: 2 kg\n      |                ^^\n"},
    {"share: 0.1 kg\n" CAR, "t.yaml:1:12: error: 'share' has no unit, got 'kg'\n"
                            "    1 | share: 0.1 kg\n      |            ^^\n"},
    {"steer: {value: 3 Pa}\n" CAR, "t.yaml:1:18: error: 'value' is in rad; 'Pa' is another dimension\n"
                                   "    1 | steer: {value: 3 Pa}\n      |                  ^^\n"},
    /* other kinds */
    {"laps: 1.5\n" CAR, "t.yaml:1:7: error: 'laps' needs a whole number, got '1.5'\n"
                        "    1 | laps: 1.5\n      |       ^^^\n"},
    {"laps: 11\n" CAR, "t.yaml:1:7: error: 'laps' must be >= 1 and <= 10, got 11\n"
                       "    1 | laps: 11\n      |       ^^\n"},
    {"log: yes\n" CAR, "t.yaml:1:6: error: 'log' must be true or false, got 'yes'\n"
                       "    1 | log: yes\n      |      ^^^\n"},
    {"level: L9\n" CAR, "t.yaml:1:8: error: 'level' must be one of L0, L1, L2; got 'L9'\n"
                        "    1 | level: L9\n      |        ^^\n"},
    {"level: l2\n" CAR, "t.yaml:1:8: error: 'level' must be one of L0, L1, L2; got 'l2'; did you mean 'L2'?\n"
                        "    1 | level: l2\n      |        ^^\n"},
    {"channels: {a: 1}\n" CAR, "t.yaml:1:1: error: 'channels' needs a list of texts, not a mapping\n"
                               "    1 | channels: {a: 1}\n      | ^^^^^^^^\n"},
    {"vehicle: []\n", "t.yaml:1:1: error: 'vehicle' needs a mapping or a file name, not a sequence\n"
                      "    1 | vehicle: []\n      | ^^^^^^^\n"},
    {"vehicle: {mass: 1, front: 3}\n", "t.yaml:1:27: error: 'front' needs a mapping, got '3'\n"
                                       "    1 | vehicle: {mass: 1, front: 3}\n"
                                       "      |                           ^\n"},
    {"steer: abc\n" CAR, "t.yaml:1:8: error: 'steer' needs a number, got 'abc'\n"
                         "    1 | steer: abc\n      |        ^^^\n"},
    /* points */
    {"curve: []\n" CAR, "t.yaml:1:1: error: 'curve' needs at least one pair [x, y]\n"
                        "    1 | curve: []\n      | ^^^^^\n"},
    {"curve: [[0, 1], 2]\n" CAR, "t.yaml:1:17: error: 'curve' needs pairs [x, y]\n"
                                 "    1 | curve: [[0, 1], 2]\n      |                 ^\n"},
    {"curve: [[1, 1], [1, 2]]\n" CAR, "t.yaml:1:18: error: 'curve' needs rising x; 1 is not above the one before\n"
                                      "    1 | curve: [[1, 1], [1, 2]]\n      |                  ^\n"},
    {"curve: [[1, -1]]\n" CAR, "t.yaml:1:13: error: 'curve' must be >= 0 and <= 100 m/s, got -1\n"
                               "    1 | curve: [[1, -1]]\n      |             ^^\n"},
    {"curve: [[1 m, 1]]\n" CAR, "t.yaml:1:12: error: 'curve' is in s; 'm' is another dimension\n"
                                "    1 | curve: [[1 m, 1]]\n      |            ^\n"},
    /* the tree */
    {"name: a\nlog: true\nname: b\n", "t.yaml:3:1: error: duplicate key 'name'; first given at line 1\n"
                                      "    3 | name: b\n      | ^^^^\n"},
    {"name: !x a\n", "t.yaml:1:7: error: tags are not supported: '!x'\n"
                     "    1 | name: !x a\n      |       ^^^^\n"},
    {"laps: !!float 1\n", "t.yaml:1:7: error: tags are not supported: '!!float'\n"
                          "    1 | laps: !!float 1\n      |       ^^^^^^^^^\n"},
    {"<<: {}\n", "t.yaml:1:1: error: merge keys are not supported; use base\n"
                 "    1 | <<: {}\n      | ^^\n"},
    {"[a]: 1\n", "t.yaml:1:1: error: keys must be plain scalars\n    1 | [a]: 1\n      | ^\n"},
    {"name: a\n---\nname: b\n", "t.yaml:2:1: error: a second document; one is allowed per file\n"
                                "    2 | ---\n      | ^^^\n"},
    {"name: *a\n", "t.yaml:1:7: error: alias 'a' has no anchor\n    1 | name: *a\n      |       ^^\n"},
    {"name: &a [*a]\n", "t.yaml:1:11: error: alias 'a' contains itself\n"
                        "    1 | name: &a [*a]\n      |           ^^\n"},
    {"", "t.yaml: error: empty file\n"},
    {"# nothing\n", "t.yaml: error: empty file\n"},
    {"- a\n", "t.yaml:1:1: error: scenario needs a mapping, not a sequence\n"
              "    1 | - a\n      | ^\n"},
    {"name: [a\nlog: 1\n", "t.yaml:2:4: error: did not find expected ',' or ']'\n"
                           "    2 | log: 1\n      |    ^\n"
                           "t.yaml:1:7: note: while parsing a flow sequence\n"
                           "    1 | name: [a\n      |       ^\n"},
    {"name: a\n\tlog: true\n", NULL},
    {"%YAML 9.9\n---\nname: a\n", "t.yaml:1:1: error: found incompatible YAML document\n"
                                  "    1 | %YAML 9.9\n      | ^\n"},
    {"name: a\xff\n", "t.yaml:1:8: error: not UTF-8: byte 0xff\n    1 | name: a?\n      |        ^\n"},
    {"name: \x01\n", "t.yaml:1:7: error: control characters are not allowed\n"
                     "    1 | name: ?\n      |       ^\n"},
    /* carets: tab, characters of several bytes, Windows line ends, control characters in a value */
    {"name: a\nlog:\tyes\n" CAR, "t.yaml:2:6: error: 'log' must be true or false, got 'yes'\n"
                                 "    2 | log:\tyes\n      |     \t^^^\n"},
    {"{name: \xc3\xbc\xe2\x82\xac, laps: 0, "
     "vehicle: {mass: 1}}\n",
     "t.yaml:1:18: error: 'laps' must be >= 1 and <= 10, got 0\n"
     "    1 | {name: \xc3\xbc\xe2\x82\xac, laps: 0, vehicle: {mass: 1}}\n"
     "      |                  ^\n"},
    {"name: a\r\nlaps: 0\r\nvehicle: {mass: 1}\r\n", "t.yaml:2:7: error: 'laps' must be >= 1 and <= 10, got 0\n"
                                                     "    2 | laps: 0\n      |       ^\n"},
    {"\xef\xbb\xbflaps: 0\n" CAR, "t.yaml:1:7: error: 'laps' must be >= 1 and <= 10, got 0\n"
                                  "    1 | laps: 0\n      |       ^\n"},
    {"level: \"a\\e[31m\"\n" CAR, "t.yaml:1:8: error: 'level' must be one of L0, L1, L2; got 'a?[31m'\n"
                                  "    1 | level: \"a\\e[31m\"\n      |        ^^^^^^^^^\n"},
    /* several at once, in the order of the text */
    {"laps: 0\nlog: no\nvehicle: {mass: x, front: 1}\n",
     "t.yaml:1:7: error: 'laps' must be >= 1 and <= 10, got 0\n"
     "    1 | laps: 0\n      |       ^\n"
     "t.yaml:2:6: error: 'log' must be true or false, got 'no'\n"
     "    2 | log: no\n      |      ^^\n"
     "t.yaml:3:17: error: 'mass' needs a number, got 'x'\n"
     "    3 | vehicle: {mass: x, front: 1}\n      |                 ^\n"
     "t.yaml:3:27: error: 'front' needs a mapping, got '1'\n"
     "    3 | vehicle: {mass: x, front: 1}\n      |                           ^\n"},
};

static void test_refusals(void) {
  for (size_t i = 0; i < VD_COUNT(refusals); i++) {
    read_text(refusals[i].text, NULL, NULL, NULL);
    check_refusal(&refusals[i], i);
  }
}

/* --- reading --- */

static void test_values(void) {
  read_text("name: Pr\xc3\xbc"
            "fstand\nlevel: L2\nlaps: 3\nlog: false\nangle: 90 deg\nshare: 60 %\n"
            "channels: [a, b c]\ncurve: [[0, 1], [500 ms, 36 km/h]]\noutput: ./x/y.csv\n"
            "steer: {type: ramp, value: 180 deg, rate: 2}\nbrake: 2 bar\n"
            "vehicle: {mass: 1.5 t, cg: 9 mm, front: {track: 1600 mm, tyre: &t {c: 1}}, "
            "rear: {track: 1, tyre: *t}}\n",
            NULL, NULL, NULL);
  tap_ok(good && messages[0] == '\0', "a file with all kinds of keys is read");
  tap_str(e.name,
          "Pr\xc3\xbc"
          "fstand",
          "a text is read");
  tap_str(e.note, "", "a text has its default");
  tap_str(e.output, "x/y.csv", "a path is read without ./");
  tap_ok(e.level == 2 && e.laps == 3 && !e.log, "choice, integer and flag are read");
  tap_ok(fabs(e.angle - VD_PI / 2) < 1e-15 && e.share == 0.6, "angle and percentage are read");
  tap_ok(e.channels.count == 2 && strcmp(e.channels.name[1], "b c") == 0, "a list of texts is read");
  tap_ok(e.curve.count == 2 && e.curve.xy[2] == 0.5 && e.curve.xy[3] == 10, "points are read in SI");
  tap_ok(e.none.count == 0, "points have an empty default");
  tap_ok(e.steer.type == RAMP && e.steer.value == VD_PI && e.steer.rate == 2, "a mapping with a type is read");
  tap_ok(e.brake.type == STEP && e.brake.value == 2e5, "a shorthand has the inherited unit");
  tap_ok(e.vehicle.mass == 1500 && e.vehicle.cg == 0.009 && e.vehicle.front.track == 1.6,
         "nested mappings are read with units");
  tap_ok(e.vehicle.rear.tyre.c == 1, "an alias is read");
  tap_near(e.vehicle.speed, 80 / 3.6, 1e-14, "a default may have a unit");

  read_text(CAR, NULL, NULL, NULL);
  tap_ok(good && isnan(e.vehicle.cg), "'auto' may be the default");
  tap_ok(e.steer.type == STEP && e.brake.type == NONE && e.brake.start == 0, "a mapping has its defaults");
  tap_ok(e.vehicle.front.tyre.c == 80000, "a nested mapping has its default");
  vd_place p = vd_tree_place(root, "vehicle.mass");
  tap_ok(p.line == 1 && p.column == 17, "the place of a value is known");
  p = vd_tree_place(root, "vehicle.front.tyre.c");
  tap_ok(p.line == 1 && p.column == 1 && p.length == 7, "the place of a missing key is that of the nearest key");
  tap_ok(vd_tree_find(root, "vehicle.mass") && !vd_tree_find(root, "vehicle.mu") &&
             !vd_tree_find(root, "vehicle.mass.x"),
         "only keys that are written are found");

  read_text("{\"name\": \"j\", \"channels\": \"one\", \"vehicle\": {\"mass\": 1}}", NULL, NULL, NULL);
  tap_ok(good && e.channels.count == 1, "JSON is read, and a text is a list of one");
}

static void test_limits(void) {
  vd_buf b = {0};
  vd_buf_puts(&b, "name: ");
  for (int i = 0; i < 40; i++)
    vd_buf_puts(&b, "[");
  read_text(b.text, NULL, NULL, NULL);
  tap_ok(!good && strstr(messages, "error: nested deeper than 32 levels"), "refused: too deep nesting");

  b.length = 0;
  vd_buf_puts(&b, "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
  for (int i = 1; i < 9; i++)
    vd_buf_printf(&b, "a%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n", i, i, i - 1, i - 1, i - 1,
                  i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
  read_text(b.text, NULL, NULL, NULL);
  tap_ok(!good && strstr(messages, "error: aliases expand to more than 10000 nodes"),
         "refused: aliases that expand to too many nodes");

  b.length = 0;
  vd_buf_puts(&b, "a0: &a0 x\n");
  for (int i = 1; i < 40; i++)
    vd_buf_printf(&b, "a%d: &a%d [*a%d]\n", i, i, i - 1);
  read_text(b.text, NULL, NULL, NULL);
  tap_ok(!good && strstr(messages, "error: nested deeper than 32 levels"), "refused: too deep nesting by aliases");

  b.length = 0;
  for (int i = 0; i < 1002; i++)
    vd_buf_printf(&b, "k%d: 1\n", i);
  read_text(b.text, NULL, NULL, NULL);
  tap_ok(!good && strstr(messages, "error: more than 1000 keys in one mapping"), "refused: too many keys");
  vd_buf_finish(&b);

  begin();
  int source = vd_diag_add_source(diag, "nul", "a: \0b", 5);
  tap_ok(!vd_tree_parse(arena, diag, source), "a NUL byte is refused");
  end();
  tap_ok(strstr(messages, "nul:1:4: error: a NUL byte") != NULL, "and the message names it");
}

/* --- settings --- */

static void test_settings(void) {
  read_text(CAR, "vehicle.mass=1600 kg", "vehicle.front.track=2", "level=L2");
  tap_ok(!good && strstr(messages, "missing key 'tyre' in axle"),
         "a mapping that a setting creates also needs its other required keys");
  read_text(CAR, "vehicle.mass=1600 kg", "vehicle.mass=3", "channels=[a, b]");
  tap_ok(good && e.vehicle.mass == 3 && e.channels.count == 2, "the last of equal settings acts");
  read_text("steer: 0.1\n" CAR, "steer.start=2", NULL, NULL);
  tap_ok(good && e.steer.value == 0.1 && e.steer.start == 2, "a shorthand becomes a mapping");
  read_text("steer: {type: ramp, rate: 3}\n" CAR, "steer=5 deg", "name=", NULL);
  tap_ok(good && e.steer.type == STEP && e.name[0] == '\0', "a setting may replace a mapping by a value");
  read_text("name: a\n", "vehicle={mass: 5}", "vehicle.mu=0.5", NULL);
  tap_ok(good && e.vehicle.mass == 5 && e.vehicle.mu == 0.5, "a setting may give a mapping in flow form");

  read_text(CAR, "vehicle.mas=1", NULL, NULL);
  tap_str(messages,
          "--set vehicle.mas:1:1: error: unknown key 'mas' in vehicle; did you mean 'mass'?\n"
          "    1 | 1\n      | ^\n",
          "refused: a setting of an unknown key");
  read_text(CAR, "vehicle.mass=5 kgs", NULL, NULL);
  tap_str(messages,
          "--set vehicle.mass:1:3: error: unknown unit 'kgs'; did you mean 'kg'?\n"
          "    1 | 5 kgs\n      |   ^^^\n",
          "the caret is in the value");
  read_text(CAR, "vehicle.mass", NULL, NULL);
  tap_str(messages, "--set vehicle.mass: error: missing '='; the form is KEY=VALUE\n",
          "refused: a setting without a value");
  read_text(CAR, "=3", NULL, NULL);
  tap_str(messages, "--set =3: error: empty key; the form is KEY=VALUE\n", "refused: a setting without a key");
  read_text(CAR, "a..b=3", NULL, NULL);
  tap_str(messages, "--set a..b: error: empty key; the form is KEY=VALUE\n",
          "refused: a setting with an empty part of its key");
  read_text(CAR, "vehicle.mass.x=3", NULL, NULL);
  tap_str(messages,
          "--set vehicle.mass.x:1:1: error: 'vehicle.mass' is not a mapping; 'x' cannot be set in it\n"
          "    1 | 3\n      | ^\n",
          "refused: a setting of a key within a number");
  read_text(CAR, "laps=[", NULL, NULL);
  tap_ok(!good && strncmp(messages, "--set laps:1:2: error: ", 23) == 0 && !strstr(messages, "needs"),
         "refused: a value that is not YAML");
  tap_diag("%.*s", (int)strcspn(messages, "\n"), messages);
  read_text(CAR, "vehicle.mass=", NULL, NULL);
  tap_ok(!good && strstr(messages, "'mass' needs a number, got nothing"), "refused: an empty value of a number");
}

/* --- files --- */

static void test_files(void) {
  mkdir("v", 0777);
  mkdir("v/t", 0777);
  put("v/car.yaml", "mass: 1200\nfront: {track: 1.4, tyre: t/a.yaml}\nrear:\n  track: 1.3\n"
                    "  tyre: t/a.yaml\n");
  put("v/t/a.yaml", "c: 70000\n");
  put("v/sport.yaml", "base: car.yaml\nmass: 1100\nfront: {track: 1.45}\n");
  put("s.yaml", "vehicle: v/sport.yaml\noutput: o.csv\n");
  read_path("s.yaml", NULL, NULL);
  tap_ok(good && e.vehicle.mass == 1100 && e.vehicle.front.track == 1.45 && e.vehicle.rear.track == 1.3 &&
             e.vehicle.front.tyre.c == 70000,
         "files that refer to files are read with a base");
  if (!good)
    tap_diag("%s", messages);
  read_path("s.yaml", "vehicle.front.tyre.c=5", "vehicle.rear.tyre=v/t/a.yaml");
  tap_ok(good && e.vehicle.front.tyre.c == 5 && e.vehicle.rear.tyre.c == 70000,
         "settings act inside of a file, and may name a file");
  read_path("s.yaml", "vehicle=v/car.yaml", "vehicle.mass=7");
  tap_ok(good && e.vehicle.mass == 7 && e.vehicle.front.track == 1.4,
         "a setting may name a file, and later settings act inside of this file");

  put("v/s2.yaml", "base: ../s.yaml\nvehicle: {mass: 900, wheelbase: 3}\nlaps: 2\noutput: p.csv\n"
                   "steer: {type: ramp, rate: 1}\n");
  read_path("v/s2.yaml", NULL, NULL);
  tap_ok(good && e.vehicle.mass == 900 && e.vehicle.wheelbase == 3 && e.vehicle.front.track == 1.45 && e.laps == 2,
         "a part of a file may have a base");
  tap_str(e.output, "v/p.csv", "a file name is relative to the folder of its file");
  put("v/s3.yaml", "base: s2.yaml\nsteer: {type: step, start: 1}\nvehicle: {base: car.yaml}\n");
  read_path("v/s3.yaml", NULL, NULL);
  tap_ok(good && e.steer.type == STEP && e.vehicle.mass == 1200 && e.vehicle.wheelbase == 2.5 &&
             e.vehicle.front.track == 1.4,
         "another variant, or a mapping with its own base, replaces a mapping: no key of the outer base remains");

  put("v/bad.yaml", "name: a\n");
  put("both.yaml", "vehicle:\n  mass: 1\n  front: {track: 1, tyre: v/bad.yaml}\n"
                   "  rear: {track: 1, tyre: v/bad.yaml}\n");
  read_path("both.yaml", NULL, NULL);
  tap_str(messages,
          "v/bad.yaml:1:1: error: unknown key 'name' in tyre\n    1 | name: a\n      | ^^^^\n"
          "v/bad.yaml:1:1: error: missing key 'c' in tyre\n    1 | name: a\n      | ^\n",
          "an error of a file that is used twice is reported once");
  put("miss.yaml", "laps: 0\nvehicle: x.yaml\n");
  read_path("miss.yaml", NULL, NULL);
  tap_str(messages,
          "miss.yaml:1:7: error: 'laps' must be >= 1 and <= 10, got 0\n"
          "    1 | laps: 0\n      |       ^\n"
          "miss.yaml:2:10: error: cannot open 'x.yaml': No such file or directory\n"
          "    2 | vehicle: x.yaml\n      |          ^^^^^^\n",
          "refused: a missing file");
  put("v/s4.yaml", "base: s2.yaml\nlaps: ~\noutput: null\nnote: \"null\"\n");
  read_path("v/s4.yaml", "steer=null", "vehicle.wheelbase=null");
  tap_ok(good && e.laps == 1 && e.output[0] == '\0' && e.steer.type == STEP && e.vehicle.mass == 900,
         "null removes a key of a base");
  tap_str(e.note, "null", "null in quotes is a word");
  put("nobase.yaml", "base: x.yaml\nlaps: 2\n");
  read_path("nobase.yaml", NULL, NULL);
  tap_str(messages,
          "nobase.yaml:1:7: error: cannot open 'x.yaml': No such file or directory\n"
          "    1 | base: x.yaml\n      |       ^^^^^^\n",
          "keys are not reported as missing if the base is missing");
  put("a.yaml", "base: b.yaml\n" CAR);
  put("b.yaml", "base: a.yaml\n");
  read_path("a.yaml", NULL, NULL);
  tap_str(messages,
          "b.yaml:1:7: error: cyclic reference: a.yaml -> b.yaml -> a.yaml\n"
          "    1 | base: a.yaml\n      |       ^^^^^^\n",
          "refused: two files that are the base of each other");
  put("self.yaml", "mass: 1\nbase: self.yaml\n");
  read_text("vehicle: self.yaml\n", NULL, NULL, NULL);
  tap_ok(!good && strstr(messages, "cyclic reference: self.yaml -> self.yaml\n"),
         "refused: a file that is its own base");
  for (int i = 0; i < 20; i++) {
    char name[32], text[64];
    snprintf(name, sizeof name, "d%d.yaml", i);
    snprintf(text, sizeof text, i < 19 ? "base: d%d.yaml\n" : CAR, i + 1);
    put(name, text);
  }
  read_path("d0.yaml", NULL, NULL);
  tap_ok(!good && strstr(messages, "d15.yaml:1:7: error: files refer to files more than 16 deep"),
         "refused: files that refer to files too deeply");
  read_path("d4.yaml", NULL, NULL);
  tap_ok(good, "16 files that refer to each other are read");
  read_path("nosuch.yaml", NULL, NULL);
  tap_str(messages, "nosuch.yaml: error: cannot open: No such file or directory\n",
          "refused: a file that does not exist");
  read_path("v", NULL, NULL);
  tap_str(messages, "v: error: cannot read: Is a directory\n", "refused: a folder");
  put("list.yaml", "[1]\n");
  put("l.yaml", "vehicle: list.yaml\n");
  read_path("l.yaml", NULL, NULL);
  tap_str(messages,
          "list.yaml:1:1: error: a file that is referred to needs a mapping, not a sequence\n"
          "    1 | [1]\n      | ^\n",
          "refused: a file with a sequence where a mapping is needed");
}

/* Checks settings of a base. Such a setting replaces the base of the file. The keys of the mapping and other settings
 * override the base, in any order of settings. c.yaml: 1200 kg, tracks 1.4 and 1.3 m. w.yaml: 2000 kg, tracks 1.8 and
 * 1.9 m, wheelbase 3 m. */
static void test_bases(void) {
  static const char over[] = "vehicle:\n  base: v/c.yaml\n  front: {track: 1.6}\n";
  put("v/c.yaml", "mass: 1200\nfront: {track: 1.4, tyre: {c: 1}}\nrear: {track: 1.3, tyre: {c: 1}}\n");
  put("v/w.yaml", "mass: 2000\nwheelbase: 3\nfront: {track: 1.8, tyre: {c: 2}}\nrear: {track: 1.9, tyre: {c: 2}}\n");
  put("v/on_c.yaml", "base: c.yaml\nmass: 1300\n");
  put("v/on_w.yaml", "base: w.yaml\nmass: 1700\n");
  put("over.yaml", over);
  put("under.yaml", "base: over.yaml\nlaps: 3\n");

  read_text(over, "vehicle.base=v/w.yaml", NULL, NULL);
  tap_ok(good && e.vehicle.mass == 2000 && e.vehicle.wheelbase == 3 && e.vehicle.rear.track == 1.9,
         "a set base is another file: no key of the former base remains");
  tap_ok(e.vehicle.front.track == 1.6 && e.vehicle.front.tyre.c == 2,
         "keys of the mapping override those of a set base");
  for (int first = 0; first < 2; first++) {
    static const char *const set[] = {"vehicle.base=v/w.yaml", "vehicle.front.track=1.7"};
    read_text(over, set[first], set[1 - first], "vehicle.rear.tyre.c=5");
    tap_ok(good && e.vehicle.mass == 2000 && e.vehicle.front.track == 1.7 && e.vehicle.rear.tyre.c == 5,
           "settings that are %s a set base act, too", first ? "before" : "behind");
  }
  read_path("under.yaml", "vehicle.base=v/w.yaml", NULL);
  tap_ok(good && e.laps == 3 && e.vehicle.mass == 2000 && e.vehicle.front.track == 1.6,
         "a base below a file's own base can be set");
  read_path("under.yaml", "base=s.yaml", NULL);
  tap_ok(good && e.laps == 3 && e.vehicle.mass == 1100, "a file's own base can be set");
  read_text(over, "vehicle.base=v/on_w.yaml", NULL, NULL);
  tap_ok(good && e.vehicle.mass == 1700 && e.vehicle.rear.track == 1.9, "the base of the named file remains");
  read_text("vehicle: v/on_c.yaml\n", "vehicle.base=v/w.yaml", NULL, NULL);
  tap_ok(good && e.vehicle.mass == 1300 && e.vehicle.rear.track == 1.9,
         "the base of a vehicle in a file of its own can be set");
  read_text(over, "vehicle=v/on_c.yaml", "vehicle.base=v/w.yaml", NULL);
  tap_ok(good && e.vehicle.mass == 1300 && e.vehicle.front.track == 1.8,
         "the base of a vehicle that was set before can be set");
  read_text(over, "vehicle.base=v/w.yaml", "vehicle=v/on_c.yaml", NULL);
  tap_ok(good && e.vehicle.mass == 1300 && e.vehicle.front.track == 1.4,
         "a vehicle that is set later replaces a set base");
  read_text(over, "vehicle.base=v/w.yaml", "vehicle.base=v/on_c.yaml", NULL);
  tap_ok(good && e.vehicle.mass == 1300, "the last setting of a base acts");
  read_text("vehicle: v/c.yaml\n", "vehicle.base=v/w.yaml", NULL, NULL);
  tap_ok(good && e.vehicle.mass == 1200 && e.vehicle.wheelbase == 3,
         "a mapping without a base gets the set base, which its own keys override");
  read_text(over, "vehicle.front.tyre={base: v/t/a.yaml}", "vehicle.front.tyre.base=x.yaml", NULL);
  tap_str(messages,
          "--set vehicle.front.tyre.base:1:1: error: cannot open 'x.yaml': No such file or directory\n"
          "    1 | x.yaml\n      | ^^^^^^\n",
          "an error in a set base names the setting");
  read_text("vehicle: v/c.yaml\n", "vehicle.front.base=v/t/a.yaml", NULL, NULL);
  tap_ok(!good && strstr(messages, "unknown key 'base' in axle"), "a mapping that is never a file has no base");
}

/* --- writing --- */

static void test_round_trip(const char *text, const char *what) {
  read_text(text, NULL, NULL, NULL);
  vd_buf first = {0}, second = {0};
  vd_schema_write(&everything_schema, &e, &first);
  bool was_good = good;
  read_text(first.text, NULL, NULL, NULL);
  if (!good)
    tap_diag("%s\n%s", first.text, messages);
  vd_schema_write(&everything_schema, &e, &second);
  tap_str(second.text, first.text, "%s: written again, the text is the same", what);
  tap_ok(was_good && good, "%s: the written text reads back", what);
  vd_buf_finish(&first);
  vd_buf_finish(&second);
}

static void test_strings(void) {
  static const char *const texts[] = {
      "",
      " ",
      "a",
      "a b",
      " a",
      "a ",
      "true",
      "No",
      "null",
      "auto",
      "~",
      "1",
      "-1.5",
      "1e3",
      ".inf",
      "a: b",
      "a:b",
      "a #b",
      "a#b",
      "- a",
      "-",
      "?",
      "!x",
      "&a",
      "*a",
      "@a",
      "`a",
      "%a",
      "|",
      ">",
      "[a]",
      "{a}",
      "a, b",
      "'a'",
      "\"a\"",
      "a\\b",
      "a\nb",
      "\n",
      "\ta",
      "a\tb",
      "\x01",
      "\x7f",
      "\xc2\x85",
      "\xc2\x80",
      "\xe2\x80\xa8",
      "\xef\xbb\xbf",
      "\xc3\xbc",
      "\xf0\x9f\x9a\x97",
      "base",
      "<<",
      "---",
      "...",
      "=",
      "2001-01-01",
      "0x10",
      "a  b",
      "(a)",
      "a-b",
      "a.b/c",
      "infinity",
      "\r\n",
      "\xef\xbf\xbe",
      "\xef\xbf\xbd",
  };
  size_t wrong = 0;
  for (size_t i = 0; i < VD_COUNT(texts); i++) {
    everything x = e;
    const char *list[] = {texts[i], "z", texts[i]};
    x.name = x.note = texts[i];
    x.channels = (vd_names){list, 3};
    vd_buf b = {0};
    vd_schema_write(&everything_schema, &x, &b);
    vd_arena *a = vd_arena_create();
    vd_diag *d = vd_diag_create();
    everything back;
    int source = vd_diag_add_source(d, "b", b.text, b.length);
    bool ok = vd_schema_read_source(&everything_schema, source, NULL, 0, a, d, &back, NULL) &&
              strcmp(back.name, texts[i]) == 0 && strcmp(back.note, texts[i]) == 0 && back.channels.count == 3 &&
              strcmp(back.channels.name[2], texts[i]) == 0;
    wrong += !ok;
    if (!ok)
      tap_diag("text %zu: %s", i, b.text);
    vd_diag_print(d, stdout, false);
    vd_diag_destroy(d);
    vd_arena_destroy(a);
    vd_buf_finish(&b);
  }
  tap_ok(wrong == 0, "texts read back as they were written");
}

static void test_write(void) {
  test_round_trip(CAR, "defaults");
  test_round_trip("name: 'true'\nnote: \"a: b # c\"\noutput: x/y.csv\nlevel: L0\nlaps: 10\n"
                  "log: false\nangle: 33 deg\nshare: 1e-17\nchannels: [a, 'b, c', '1', \"\\n\"]\n"
                  "curve: [[0, 1], [1 ms, 30 mph], [1e10, 99.99999999999999]]\n"
                  "force: [[-1, -5], [0, 0], [0.1, 1 kN]]\nnone: [[0, 1]]\n"
                  "steer: {type: ramp, value: -1e-300, start: 3, rate: 0.1}\nbrake: 3 psi\n"
                  "vehicle: {mass: 1 lb, cg: 3 ft, front: {track: 1, tyre: {c: 7}}}\n",
                  "all keys");
  read_text("steer: {type: none}\nchannels: [a, '1']\n"
            "vehicle: {mass: 1500, front: {track: 1.5, tyre: {model: magic, c: 1, b_lat: 2}}}\n",
            NULL, NULL, NULL);
  vd_buf b = {0};
  vd_schema_write(&everything_schema, &e, &b);
  tap_str(b.text,
          "name: nameless\nnote: \"\"\nlevel: L1\nlaps: 1\nlog: true\nangle: 0  # rad\nshare: 0.5\n"
          "channels: [a, \"1\"]\ncurve:  # m/s\n  - [0, 0]\nforce:  # N\n  - [0, 0]\nnone: []\n"
          "steer:\n  type: none\nbrake:\n  type: none\n"
          "vehicle:\n  mass: 1500  # kg\n  wheelbase: 2.5  # m\n  mu: 1\n  cg: auto\n"
          "  speed: 22.22222222222222  # m/s\n"
          "  front:\n    track: 1.5  # m\n    tyre:\n      model: magic\n      c: 1  # N/rad\n"
          "      b_lat: 2\n  rear:\n    track: 1.5  # m\n    tyre:\n      model: linear\n"
          "      c: 90000  # N/rad\n",
          "the written text is as expected");
  vd_buf_finish(&b);
  test_strings();
}

static void test_list(void) {
  vd_buf b = {0};
  vd_schema_list_full(&everything_schema, &b);
  tap_ok(strstr(b.text, "vehicle.mass\tnumber\tkg\t> 0\trequired\tmass\t\t40 kg\n") != NULL,
         "the list of keys has a line for a number");
  tap_ok(strstr(b.text, "vehicle\tmapping or file\t\t\trequired\tvehicle\t\t{") != NULL,
         "the list of keys has a line for a mapping or file");
  tap_ok(strstr(b.text, "\nsteer\tmapping or number\t\t\t0\tsteer\t\t0.05 rad\n") != NULL,
         "the list of keys has a line for a mapping with a shorthand");
  tap_ok(strstr(b.text, "\nbrake.value\tnumber\tPa\t\t0\theight\ttype=step|ramp\t220 kPa\n") != NULL,
         "the list shows an inherited unit, and when a key applies");
  tap_ok(strstr(b.text, "\nlevel\tchoice\t\tL0|L1|L2\tL1\tlevel\t\tL0\n") != NULL,
         "the list of keys has a line for a choice");
  tap_ok(strstr(b.text, "\nvehicle.cg\tnumber or auto\tm\t>= 0\tauto\theight\t\t0.3 m\n") != NULL,
         "the list of keys has a line for a number or auto");
  size_t lines = 0, tabs = 0;
  for (const char *c = b.text; *c; c++) {
    lines += *c == '\n';
    tabs += *c == '\t';
  }
  tap_ok(tabs == 7 * lines, "the list of keys has eight columns");
  b.length = 0;
  vd_schema_list(&everything_schema, NULL, &b);
  tap_ok(strstr(b.text, "\nbrake\tPROFILE or number\tPa\t\t{type: none}\tbrake\t\t220 kPa\n") != NULL &&
             strstr(b.text, "\nPROFILE\tmapping\t\t\t\tkeys of steer, brake\t\t\nPROFILE.type\tchoice\t") != NULL &&
             strstr(b.text, "\nPROFILE.value\tnumber\tunit of the key\t\t0\theight\ttype=step|ramp\t1\n") &&
             !strstr(b.text, "brake.value"),
         "keys that two mappings share are listed once");
  b.length = 0;
  vd_schema_list(&everything_schema, "vehicle.rear", &b);
  tap_ok(strncmp(b.text, "vehicle.rear\tmapping\t", 21) == 0 &&
             strstr(b.text, "\nvehicle.rear.tyre.c\tnumber\tN/rad\t") && !strstr(b.text, "AXLE") &&
             !strstr(b.text, "front."),
         "the list of a block has the paths of its keys");
  b.length = 0;
  vd_schema_list(&everything_schema, "PROFILE.start", &b);
  tap_str(b.text, "PROFILE.start\tnumber\ts\t>= 0\t0\tstart\ttype=step|ramp\t0.5 s\n", "shared keys have a block");
  b.length = 0;
  tap_ok(!vd_schema_list(&vehicle_schema, "nothing", &b) && b.length == 0, "an unknown key has no list");
  vd_buf_finish(&b);
}

/* Checks the time of a hundred readings, each of a hundred lines and three files. The bound is wide, so that it holds
 * with sanitizers, too. */
static void test_speed(void) {
  vd_buf b = {0};
  vd_buf_puts(&b, "vehicle: v/sport.yaml\ncurve:\n");
  for (int i = 0; i < 100; i++)
    vd_buf_printf(&b, "  - [%d, %d]\n", i, i % 7);
  put("speed.yaml", b.text);
  vd_buf_finish(&b);
  struct timespec start, stop;
  clock_gettime(CLOCK_MONOTONIC, &start);
  bool all = true;
  for (int i = 0; i < 100; i++) {
    read_path("speed.yaml", NULL, NULL);
    all = all && good;
  }
  clock_gettime(CLOCK_MONOTONIC, &stop);
  double each = (double)(stop.tv_sec - start.tv_sec) + 1e-9 * (double)(stop.tv_nsec - start.tv_nsec);
  tap_diag("%.3f ms each", each * 1000 / 100);
  tap_ok(all && each < 2, "a reading takes less than 2 ms");
}

int main(void) {
  char folder[] = "/tmp/vd-input-XXXXXX";
  tap_plan((int)VD_COUNT(refusals) + 90);
  if (!mkdtemp(folder) || chdir(folder) != 0)
    return 1;
  test_values();
  test_refusals();
  test_limits();
  test_settings();
  test_files();
  test_bases();
  test_write();
  test_list();
  test_speed();
  finish();
  clean(folder);
  return tap_done();
}
