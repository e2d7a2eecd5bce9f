/* Schemas with lists of numbers and of mappings: values, refusals, settings, files, and lists as they are written. */
#include "schema_reading.h"

enum { COAST, STAGED, WHEEL };
static const char *const event_types[] = {"coast", "staged", "wheel", NULL};

typedef struct event {
  int type;
  double at, gain;
  vd_numbers gains;
  vd_structs stages;
  vd_points shape;
  tyre tyre;
} event;

typedef struct patch {
  double friction;
  vd_points area;
} patch;

typedef struct plan {
  vd_structs events;
  double speed;
} plan;

typedef struct course {
  vd_numbers times, stiffness, trims;
  vd_structs inputs, events, patches;
  plan plan;
  vd_names notes;
} course;

static const vd_field event_rows[] = {
    {VD_F_CHOICE(event, type, "type", event_types, "coast", "type")},
    {VD_F_NUMBER(event, at, "at", "s", 0, 100, 0, NULL, "time")},
    {VD_F_NUMBER(event, gain, "gain", "@", -INFINITY, INFINITY, 0, "0", "gain")},
    {VD_F_NUMBERS(event, gains, "gains", "@/s", 0, INFINITY, 0, "[]", "gains"), .only = VD_WHEN(COAST)},
    {VD_F_STRUCTS(event, stages, "stages", "@", &profile_schema, "[]", "stages"), .only = VD_WHEN(STAGED)},
    {VD_F_POINTS(event, shape, "shape", "@", 0, INFINITY, "[]", "shape"), .only = VD_WHEN(STAGED)},
    {VD_F_STRUCT(event, tyre, tyre, "tyre", "1", &tyre_schema, VD_FILE, NULL, "tyre"), .only = VD_WHEN(WHEEL)},
};
static const vd_schema event_schema = {"event", sizeof(event), event_rows, VD_COUNT(event_rows), "type", NULL};

static const vd_field patch_rows[] = {
    {VD_F_NUMBER(patch, friction, "friction", "1", 0, 2, VD_ABOVE, NULL, "friction")},
    {VD_F_CORNERS(patch, area, "area", "m", -100, 100, NULL, "corners")},
};
static const vd_schema patch_schema = {"patch", sizeof(patch), patch_rows, VD_COUNT(patch_rows), NULL, NULL};

static const vd_field plan_rows[] = {
    {VD_F_STRUCTS(plan, events, "events", "@", &event_schema, "[]", "events")},
    {VD_F_NUMBER(plan, speed, "speed", "@", 0, INFINITY, 0, "1", "speed")},
};
static const vd_schema plan_schema = {"plan", sizeof(plan), plan_rows, VD_COUNT(plan_rows), NULL, "events"};

static const vd_field course_rows[] = {
    {VD_F_NUMBERS(course, times, "times", "s", 0, 100, VD_BELOW, "[]", "times")},
    {VD_F_NUMBERS(course, stiffness, "stiffness", "N/m", 0, INFINITY, VD_ABOVE, "[20 N/mm, 5]", "springs")},
    {VD_F_NUMBERS(course, trims, "trims", "1", 0, 1, VD_AUTO, "auto", "trims")},
    {VD_F_STRUCTS(course, inputs, "inputs", "rad", &profile_schema, "[]", "inputs")},
    {VD_F_STRUCTS(course, events, "events", "rad", &event_schema, "[]", "events")},
    {VD_F_STRUCTS(course, patches, "patches", "1", &patch_schema, "[{friction: 0.5, area: [[0, 0]]}]", "patches")},
    {VD_F_STRUCT(course, plan, plan, "plan", "m/s", &plan_schema, 0, "{}", "plan")},
    {VD_F_LIST(course, notes, "notes", "[]", "notes")},
};
static const vd_schema course_schema = {"course", sizeof(course), course_rows, VD_COUNT(course_rows), NULL, NULL};

static course l;

/* Reads a text by the schema of lists, with up to two settings. */
static void read_lists(const char *text, const char *set1, const char *set2) {
  vd_setting settings[] = {{.text = set1}, {.text = set2}};
  read_as(&course_schema, &l, text, settings, set2 ? 2 : set1 ? 1 : 0);
}

static const refusal list_refusals[] = {
    /* numbers */
    {"times:\n  - 1\n  - 200 s\n", "t.yaml:3:5: error: 'times' must be >= 0 and < 100 s, got 200 s\n"
                                   "    3 |   - 200 s\n      |     ^^^^^\n"},
    {"times: [1, 2 m, x]\n", "t.yaml:1:14: error: 'times' is in s; 'm' is another dimension\n"
                             "    1 | times: [1, 2 m, x]\n      |              ^\n"
                             "t.yaml:1:17: error: 'times' needs a number, got 'x'\n"
                             "    1 | times: [1, 2 m, x]\n      |                 ^\n"},
    {"times: [[1]]\n", "t.yaml:1:9: error: 'times' needs a number, not a sequence\n"
                       "    1 | times: [[1]]\n      |         ^\n"},
    {"times: {a: 1}\n", "t.yaml:1:1: error: 'times' needs a list of numbers, not a mapping\n"
                        "    1 | times: {a: 1}\n      | ^^^^^\n"},
    {"times:\n", "t.yaml:1:1: error: 'times' needs a list of numbers, got nothing\n"
                 "    1 | times:\n      | ^^^^^\n"},
    {"times: x\nstiffness: [0]\n", "t.yaml:1:8: error: 'times' needs a number, got 'x'\n"
                                   "    1 | times: x\n      |        ^\n"
                                   "t.yaml:2:13: error: 'stiffness' must be > 0 N/m, got 0\n"
                                   "    2 | stiffness: [0]\n      |             ^\n"},
    {"times: [auto]\n", "t.yaml:1:9: error: 'times' needs a number, got 'auto'\n"
                        "    1 | times: [auto]\n      |         ^^^^\n"},
    /* mappings */
    {"events: 3\n", "t.yaml:1:9: error: 'events' needs a list of mappings, got '3'\n"
                    "    1 | events: 3\n      |         ^\n"},
    {"events:\n", "t.yaml:1:1: error: 'events' needs a list of mappings, got nothing\n"
                  "    1 | events:\n      | ^^^^^^\n"},
    {"events: [{at: 1}, 3, [], ~]\n", "t.yaml:1:19: error: 'events' needs a mapping, got '3'\n"
                                      "    1 | events: [{at: 1}, 3, [], ~]\n"
                                      "      |                   ^\n"
                                      "t.yaml:1:22: error: 'events' needs a mapping, not a sequence\n"
                                      "    1 | events: [{at: 1}, 3, [], ~]\n"
                                      "      |                      ^\n"
                                      "t.yaml:1:26: error: 'events' needs a mapping, got '~'\n"
                                      "    1 | events: [{at: 1}, 3, [], ~]\n"
                                      "      |                          ^\n"},
    {"events:\n  - at: 1\n  - gain: 1\n    gian: 2\n", "t.yaml:3:5: error: missing key 'at' in event\n"
                                                       "    3 |   - gain: 1\n      |     ^\n"
                                                       "t.yaml:4:5: error: unknown key 'gian' in event; "
                                                       "did you mean 'gain'?\n"
                                                       "    4 |     gian: 2\n      |     ^^^^\n"},
    {"events: {gain: 1}\n", "t.yaml:1:1: error: missing key 'at' in event\n"
                            "    1 | events: {gain: 1}\n      | ^^^^^^\n"},
    {"events:\n  - at: 1\n    stages: []\n", "t.yaml:3:5: error: key 'stages' does not apply to event type 'coast'\n"
                                             "    3 |     stages: []\n      |     ^^^^^^\n"},
    {"events:\n  - {at: 1, type: staged, stages: [{type: ramp, rate: 11}, 1 Pa]}\n",
     "t.yaml:2:55: error: 'rate' must be > 0 and <= 10, got 11\n"
     "    2 |   - {at: 1, type: staged, stages: [{type: ramp, rate: 11}, 1 Pa]}\n"
     "      |                                                       ^^\n"
     "t.yaml:2:62: error: 'stages' is in rad; 'Pa' is another dimension\n"
     "    2 |   - {at: 1, type: staged, stages: [{type: ramp, rate: 11}, 1 Pa]}\n"
     "      |                                                              ^^\n"},
    {"events:\n  - at: 1\n    gains: [1, 2 rad]\n",
     "t.yaml:3:18: error: 'gains' is in rad/s; 'rad' is another dimension\n"
     "    3 |     gains: [1, 2 rad]\n      |                  ^^^\n"},
    {"events: [{type: wheel, at: 1, tyre: none.yaml}]\n",
     "t.yaml:1:37: error: cannot open 'none.yaml': No such file or directory\n"
     "    1 | events: [{type: wheel, at: 1, tyre: none.yaml}]\n"
     "      |                                     ^^^^^^^^^\n"},
    {"events: [{at: 1, base: x}]\n", "t.yaml:1:18: error: unknown key 'base' in event\n"
                                     "    1 | events: [{at: 1, base: x}]\n"
                                     "      |                  ^^^^\n"},
    {"plan: [{gain: 1}]\n", "t.yaml:1:8: error: missing key 'at' in event\n"
                            "    1 | plan: [{gain: 1}]\n      |        ^\n"},
    /* corners */
    {"patches: {friction: 1, area: [[0, 0], [-101, 101], [1 s, 0]]}\n",
     "t.yaml:1:40: error: 'area' must be >= -100 and <= 100 m, got -101\n"
     "    1 | patches: {friction: 1, area: [[0, 0], [-101, 101], [1 s, 0]]}\n"
     "      |                                        ^^^^\n"
     "t.yaml:1:46: error: 'area' must be >= -100 and <= 100 m, got 101\n"
     "    1 | patches: {friction: 1, area: [[0, 0], [-101, 101], [1 s, 0]]}\n"
     "      |                                              ^^^\n"
     "t.yaml:1:55: error: 'area' is in m; 's' is another dimension\n"
     "    1 | patches: {friction: 1, area: [[0, 0], [-101, 101], [1 s, 0]]}\n"
     "      |                                                       ^\n"},
    {"patches: [{friction: 0, area: []}]\n",
     "t.yaml:1:22: error: 'friction' must be > 0 and <= 2, got 0\n"
     "    1 | patches: [{friction: 0, area: []}]\n      |                      ^\n"
     "t.yaml:1:25: error: 'area' needs at least one pair [x, y]\n"
     "    1 | patches: [{friction: 0, area: []}]\n      |                         ^^^^\n"},
};

static const event *event_at(const vd_structs *list, size_t i) {
  return (const event *)list->item + i;
}

static const profile *profile_at(const vd_structs *list, size_t i) {
  return (const profile *)list->item + i;
}

#define EVENTS                                                                                                         \
  "times: [1, 500 ms]\nstiffness: 25 N/mm\ntrims: [0.1, auto]\n"                                                       \
  "inputs: [2 deg, {type: ramp, rate: 3}]\n"                                                                           \
  "events:\n  - at: 1\n    gains: [1, 2]\n"                                                                            \
  "  - type: staged\n    at: 2\n    gain: 90 deg\n    stages: [0.5, {type: none}]\n    shape: [[0, 1], [1, 2]]\n"      \
  "patches:\n  - {friction: 0.3, area: [[3, 0], [1, 1 km], [2, 0]]}\n"                                                 \
  "plan:\n  - {at: 3, gain: 36 km/h}\n"

static void test_list_values(void) {
  read_lists("notes: a\n", NULL, NULL);
  tap_ok(good && l.times.count == 0 && l.events.count == 0 && l.plan.events.count == 0,
         "a list of items has an empty default");
  tap_ok(l.stiffness.count == 2 && l.stiffness.value[0] == 20000 && l.trims.count == 1 && isnan(l.trims.value[0]),
         "a list of numbers has its default");
  tap_ok(l.patches.count == 1 && ((const patch *)l.patches.item)->friction == 0.5,
         "a list of mappings may have a default that is not empty");

  read_lists(EVENTS, "patches.0.area.1=[1, 0.05 km]", NULL);
  tap_ok(good && messages[0] == '\0', "lists are read");
  if (!good)
    tap_diag("%s", messages);
  tap_ok(l.times.count == 2 && l.times.value[1] == 0.5 && l.stiffness.count == 1 && l.stiffness.value[0] == 25000,
         "a list of numbers has units; a single number is a list of one");
  tap_ok(l.inputs.count == 2 && profile_at(&l.inputs, 0)->value == VD_PI / 90 &&
             profile_at(&l.inputs, 0)->type == STEP && profile_at(&l.inputs, 1)->type == RAMP &&
             profile_at(&l.inputs, 1)->rate == 3,
         "items are read in full and in short form");
  const event *first = event_at(&l.events, 0), *second = event_at(&l.events, 1);
  tap_ok(l.events.count == 2 && first->type == COAST && first->at == 1 && first->gain == 0 && first->gains.count == 2,
         "an item has defaults");
  tap_ok(second->type == STAGED && second->gain == VD_PI / 2 && second->gains.count == 0 && second->shape.count == 2,
         "an item of another type has the unit of the list's row");
  tap_ok(second->stages.count == 2 && profile_at(&second->stages, 0)->value == 0.5 &&
             profile_at(&second->stages, 1)->type == NONE,
         "an item may contain a list");
  const patch *p = l.patches.item;
  tap_ok(p->area.count == 3 && p->area.xy[0] == 3 && p->area.xy[3] == 50, "corners may have any order of x");
  tap_ok(l.plan.events.count == 1 && event_at(&l.plan.events, 0)->gain == 10 && l.plan.speed == 1,
         "a list may stand for a mapping");
  tap_ok((size_t)l.events.item % 16 == 0, "items are aligned to 16 bytes");

  vd_place at = vd_tree_place(root, "events.1.gain");
  tap_ok(at.line == 10 && at.column == 11 && vd_tree_find(root, "events.1.stages.0"),
         "the place of a value in a list is known");
  at = vd_tree_place(root, "events.0.gain");
  tap_ok(at.line == 6 && at.column == 5, "the place of a defaulted key is that of its item");
  tap_ok(!vd_tree_find(root, "events.2") && !vd_tree_find(root, "events.01") && !vd_tree_find(root, "events.x") &&
             !vd_tree_find(root, "events."),
         "an item that does not exist is not found");
  read_lists("events: {at: 7}\n", NULL, NULL);
  at = vd_tree_place(root, "events.0.at");
  tap_ok(good && l.events.count == 1 && event_at(&l.events, 0)->at == 7 && at.column == 14,
         "a mapping is a list of one item, which has an index");
}

static void test_list_refusals(void) {
  for (size_t i = 0; i < VD_COUNT(list_refusals); i++) {
    read_lists(list_refusals[i].text, NULL, NULL);
    check_refusal(&list_refusals[i], i);
  }
  vd_buf b = {0};
  vd_buf_puts(&b, "inputs: [0");
  for (int i = 0; i < 100000; i++)
    vd_buf_puts(&b, ",0");
  vd_buf_puts(&b, "]\n");
  read_lists(b.text, NULL, NULL);
  tap_ok(!good && strncmp(messages, "t.yaml:1:1: error: more than 100000 mappings in lists\n", 54) == 0,
         "refused: too many items");
  vd_buf_finish(&b);
}

/* A setting and the beginning of the messages that refuse it. */
static const refusal list_settings[] = {
    {"events.2.at=1", "--set events.2.at:1:1: error: 'events' has 2 items, counted from 0; there is no item 2\n"},
    {"plan.1.at=1", "--set plan.1.at:1:1: error: 'plan' has 1 item, counted from 0; there is no item 1\n"},
    {"events.x.at=1", "--set events.x.at:1:1: error: 'events' is a list; 'x' is not an index, which counts from 0\n"},
    {"events.at=1", "--set events.at:1:1: error: 'events' is a list; 'at' is not an index, which counts from 0\n"},
    {"events.-1.at=1",
     "--set events.-1.at:1:1: error: 'events' is a list; '-1' is not an index, which counts from 0\n"},
    {"notes.0=a", "--set notes.0:1:1: error: 'notes' is not given; only an item of a given list can be set by index\n"},
    {"events.1.stages.2=1", "--set events.1.stages.2:1:1: error: 'events.1.stages' has 2 items, counted from 0; "
                            "there is no item 2\n"},
    {"times.1.x=1", "--set times.1.x:1:1: error: 'times.1' is not a mapping; 'x' cannot be set in it\n"},
    {"times.1=100", "--set times.1:1:1: error: 'times' must be >= 0 and < 100 s, got 100\n"},
    {"events.1.gian=1", "--set events.1.gian:1:1: error: unknown key 'gian' in event; did you mean 'gain'?\n"},
    {"events.0=3", "--set events.0:1:1: error: 'events' needs a mapping, got '3'\n"},
    {"events.0=[", "--set events.0:1:2: error: did not find expected node content\n"},
    {"times.0=[", "--set times.0:1:2: error: did not find expected node content\n"},
    {"patches.0.area.1.0=[", "--set patches.0.area.1.0:1:2: error: did not find expected node content\n"},
    {"patches.0.area.1=[", "--set patches.0.area.1:1:2: error: did not find expected node content\n"},
    {"events.1.stages=[", "--set events.1.stages:1:2: error: did not find expected node content\n"},
};

#define LISTS                                                                                                          \
  "times: [1, 2]\nstiffness: 5\ninputs: [0.1]\nevents:\n  - at: 1\n  - {type: staged, at: 2, stages: [3, 4]}\n"        \
  "patches: {friction: 1, area: [[0, 0], [1, 0], [1, 1]]}\nplan: [{at: 5}]\n"

static void test_list_settings(void) {
  for (size_t i = 0; i < VD_COUNT(list_settings); i++) {
    read_lists(LISTS, list_settings[i].text, NULL);
    bool expected = strncmp(messages, list_settings[i].message, strlen(list_settings[i].message)) == 0;
    tap_ok(!good && expected, "refused: --set %s", list_settings[i].text);
    if (!expected)
      tap_diag("got\n%s", messages);
  }
  read_lists(LISTS, "events.1.gain=90 deg", "patches.0.friction=0.3");
  tap_ok(good && event_at(&l.events, 1)->gain == VD_PI / 2 && ((const patch *)l.patches.item)->friction == 0.3,
         "a setting changes a key of an item, also in a list of one");
  read_lists(LISTS, "events.1.stages.0.start=2", "inputs.0.type=none");
  tap_ok(!good && strstr(messages, "key 'value' does not apply to profile type 'none'"),
         "refused: a type that has no key for the value in short form");
  read_lists(LISTS, "events.1.stages.0.start=2", "inputs.0.start=3");
  const profile *stage = profile_at(&event_at(&l.events, 1)->stages, 0);
  tap_ok(good && stage->value == 3 && stage->start == 2 && profile_at(&l.inputs, 0)->start == 3,
         "a setting makes a mapping of a short form, also in an item of an item");
  read_lists(LISTS, "times.1=3 s", "stiffness.0=7");
  tap_ok(good && l.times.value[0] == 1 && l.times.value[1] == 3 && l.stiffness.value[0] == 7,
         "a number in a list can be set by its index");
  read_lists(LISTS, "patches.0.area.2.1=9", "plan.0.at=6");
  tap_ok(good && ((const patch *)l.patches.item)->area.xy[5] == 9 && event_at(&l.plan.events, 0)->at == 6,
         "settings change a coordinate, and an item of a list that stands for a mapping");
  read_lists(LISTS, "plan.speed=4", "plan.events.0.at=7");
  tap_ok(good && l.plan.speed == 4 && event_at(&l.plan.events, 0)->at == 7,
         "settings change keys of a mapping that is given as a list");
  read_lists(LISTS, "events=[{at: 3}, {at: 4}, {at: 5}]", "events.2.at=6");
  tap_ok(good && l.events.count == 3 && event_at(&l.events, 2)->at == 6,
         "settings change a whole list, then an item of it");
  read_lists(LISTS, "events={at: 8}", "events.0.gain=1");
  tap_ok(good && l.events.count == 1 && event_at(&l.events, 0)->gain == 1, "a setting gives a mapping for a list");
  read_lists(LISTS, "events.0={at: 9}", "times=[]");
  tap_ok(good && l.events.count == 2 && event_at(&l.events, 0)->at == 9 && l.times.count == 0,
         "settings change a whole item, and give an empty list");
}

static void read_lists_at(const char *path, const char *set) {
  begin();
  good = vd_schema_read(&course_schema, path, &(vd_setting){.text = set}, set ? 1 : 0, arena, diag, &l, &root);
  end();
}

static void test_list_files(void) {
  mkdir("v", 0777);
  mkdir("v/t", 0777);
  put("v/t/a.yaml", "c: 70000\n");
  put("v/events.yaml", "times: [1, 2, 3]\nevents:\n  - {type: wheel, at: 1, tyre: t/a.yaml}\n"
                       "  - {type: wheel, at: 2, tyre: {base: t/a.yaml, model: magic, b_lat: 4}}\n"
                       "plan: [{type: wheel, at: 1, tyre: t/a.yaml}]\n");
  put("over.yaml", "base: v/events.yaml\ntimes: 4\n");
  read_lists_at("over.yaml", NULL);
  tap_ok(good && l.times.count == 1 && event_at(&l.events, 0)->tyre.c == 70000, "an item may name a file");
  if (!good)
    tap_diag("%s", messages);
  const tyre *t = &event_at(&l.events, 1)->tyre;
  tap_ok(good && t->model == 1 && t->c == 70000 && t->b_lat == 4, "a mapping in an item may have a base");
  tap_ok(good && event_at(&l.plan.events, 0)->tyre.c == 70000,
         "an item of a list that stands for a mapping may name a file");
  put("over2.yaml", "base: v/events.yaml\nevents: {type: wheel, at: 5, tyre: v/t/a.yaml}\n");
  read_lists_at("over2.yaml", "events.0.tyre.c=9");
  tap_ok(good && l.events.count == 1 && l.times.count == 3 && event_at(&l.events, 0)->tyre.c == 9,
         "a list replaces that of its base");
  read_lists_at("over.yaml", "events.1.tyre=v/t/a.yaml");
  tap_ok(good && event_at(&l.events, 1)->tyre.model == 0, "a setting may name a file in an item");
}

static void test_list_round_trip(const char *text, const char *what) {
  read_lists(text, NULL, NULL);
  vd_buf first = {0}, second = {0};
  vd_schema_write(&course_schema, &l, &first);
  bool was_good = good;
  read_lists(first.text, NULL, NULL);
  vd_schema_write(&course_schema, &l, &second);
  tap_str(second.text, first.text, "%s: written again, the text is the same", what);
  tap_ok(was_good && good, "%s: the written text reads back", what);
  vd_buf_finish(&first);
  vd_buf_finish(&second);
}

static void test_list_write(void) {
  test_list_round_trip("notes: []\n", "default lists");
  test_list_round_trip(LISTS, "lists");
  test_list_round_trip("times: [0.1, 1e-300, 3 ms]\nstiffness: []\npatches: []\nevents: [{type: wheel, at: 1, "
                       "tyre: {c: 1}}, {type: staged, at: 99.99999999999999, stages: [{type: none}]}]\n",
                       "unusual lists");
  read_lists(LISTS, "patches=[]", "events.0.gains=[1, 2.5]");
  vd_buf b = {0};
  vd_schema_write(&course_schema, &l, &b);
  tap_str(b.text,
          "times: [1, 2]  # s\nstiffness: [5]  # N/m\ntrims: [auto]\n"
          "inputs:\n  - type: step\n    value: 0.1  # rad\n    start: 0  # s\n"
          "events:\n  - type: coast\n    at: 1  # s\n    gain: 0  # rad\n    gains: [1, 2.5]  # rad/s\n"
          "  - type: staged\n    at: 2  # s\n    gain: 0  # rad\n"
          "    stages:\n      - type: step\n        value: 3  # rad\n        start: 0  # s\n"
          "      - type: step\n        value: 4  # rad\n        start: 0  # s\n    shape: []\n"
          "patches: []\nplan:\n  events:\n    - type: coast\n      at: 5  # s\n      gain: 0  # m/s\n"
          "      gains: []\n  speed: 1  # m/s\nnotes: []\n",
          "the resolved file has lists in full");
  b.length = 0;
  vd_schema_list_full(&course_schema, &b);
  tap_ok(strstr(b.text, "\nstiffness\tnumbers\tN/m\t> 0\t[20 N/mm, 5]\tsprings\t\t[20 N/mm, 5]\n") != NULL,
         "the list of keys has a line for a list of numbers");
  tap_ok(strstr(b.text, "\nevents\tlist of mappings\t\t\t[]\tevents\t\t[{") != NULL &&
             strstr(b.text, "\nevents[].stages[].value\tnumber\trad\t\t0\theight\ttype=step|ramp\t0.05 rad\n") != NULL,
         "the list of keys has lines for the keys of items");
  vd_buf_finish(&b);
}

int main(void) {
  char folder[] = "/tmp/vd-lists-XXXXXX";
  enum { REST = 40 }; /* results of the functions below in addition to their tables */
  tap_plan(REST + (int)(VD_COUNT(list_refusals) + VD_COUNT(list_settings)));
  if (!mkdtemp(folder) || chdir(folder) != 0)
    return 1;
  test_list_values();
  test_list_refusals();
  test_list_settings();
  test_list_files();
  test_list_write();
  finish();
  clean(folder);
  return tap_done();
}
