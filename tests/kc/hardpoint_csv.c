/* Hardpoint lists: reading, evidence for axes and unit, refusals and their messages, and a round trip without loss. */
#include "corners.h"
#include "kc/hardpoint_csv.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double degree = VD_PI / 180.0;

typedef struct reading {
  vd_arena *arena;
  vd_diag *d;
  vd_corner corner;
  vd_hardpoint_taken taken;
  char messages[4096]; /* all messages, first lines only */
  bool ok;
} reading;

static const vd_hardpoint_options plain = {.toe0 = 0.0, .camber0 = 0.0, .static_radius = NAN};

/* Keeps the messages without the lines that show the text. */
static void keep_messages(reading *r) {
  char *text = NULL, *line, *rest;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  vd_diag_print(r->d, f, false);
  fclose(f);
  for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
    if (line[0] != ' ' && strlen(r->messages) + strlen(line) + 2 < sizeof r->messages) {
      strcat(r->messages, r->messages[0] ? "\n" : "");
      strcat(r->messages, line);
    }
  free(text);
}

static reading *read_list(const char *text, const vd_hardpoint_options *options) {
  reading *r = calloc(1, sizeof *r);
  if (!r)
    abort();
  r->arena = vd_arena_create();
  r->d = vd_diag_create();
  int source = vd_diag_add_source(r->d, "l.csv", text, strlen(text));
  r->ok = vd_hardpoint_csv_read(source, options, r->arena, r->d, &r->corner, &r->taken);
  keep_messages(r);
  return r;
}

static void finish(reading *r) {
  vd_arena_destroy(r->arena);
  vd_diag_destroy(r->d);
  free(r);
}

/* --- a list for tests: dw_front_sports, with changes --- */

typedef struct row {
  const char *name;
  double x, y, z;
} row;

static const row wishbone[] = {
    {"lca_front", 0.15, 0.3, 0.08},     {"lca_rear", -0.18, 0.3, 0.08},     {"lca_outer", -0.02, 0.75, 0.15},
    {"uca_front", 0.08, 0.45, 0.32},    {"uca_rear", -0.22, 0.45, 0.32},    {"uca_outer", -0.01, 0.7, 0.55},
    {"tierod_inner", -0.3, 0.35, 0.18}, {"tierod_outer", -0.3, 0.74, 0.21}, {"wheel_center", 0.0, 0.79, 0.33},
};

/* Adds the rows with coordinates times their factors, and names after `prefix`. */
static void add_rows(vd_buf *b, const char *prefix, double fx, double fy, double fz) {
  for (size_t i = 0; i < VD_COUNT(wishbone); i++)
    vd_buf_printf(b, "%s%s,%.9g,%.9g,%.9g\n", prefix, wishbone[i].name, fx * wishbone[i].x, fy * wishbone[i].y,
                  fz * wishbone[i].z);
}

static double worst_point(const vd_corner *c, const vd_hardpoints *expected) {
  double worst = 0.0;
  const vd_hardpoints *p = &c->points;
  if (p->type != expected->type || p->members != expected->members)
    return INFINITY;
  for (int k = 0; k < 3; k++) {
    worst = tap_max(worst, fabs(p->wheel_center[k] - expected->wheel_center[k]));
    for (int i = 0; i < p->members; i++) {
      const vd_member *a = &p->member[i], *b = &expected->member[i];
      if (a->kind != b->kind || strcmp(a->name, b->name) != 0 || a->steered != b->steered)
        return INFINITY;
      worst = tap_max(worst, fabs(a->chassis[0][k] - b->chassis[0][k]));
      if (a->kind == VD_ARM || a->kind == VD_HINGE)
        worst = tap_max(worst, fabs(a->chassis[1][k] - b->chassis[1][k]));
      if (a->kind != VD_HINGE)
        worst = tap_max(worst, fabs(a->knuckle[k] - b->knuckle[k]));
    }
  }
  return worst;
}

/* --- reading --- */

static const char plain_rows[] =
    "hpl_lca_front,0.15,0.3,0.08\nhpl_lca_rear,-0.18,0.3,0.08\nhpl_lca_outer,-0.02,0.75,0.15\n"
    "hpl_uca_front,0.08,0.45,0.32\nhpl_uca_rear,-0.22,0.45,0.32\nhpl_uca_outer,-0.01,0.7,0.55\n"
    "hpl_tierod_inner,-0.3,0.35,0.18\nhpl_tierod_outer,-0.3,0.74,0.21\n";

static void test_reads(const char *what, const char *text) {
  reading *r = read_list(text, &plain);
  const bool quiet = r->messages[0] == '\0' || strcmp(r->messages, "l.csv:4:1: note: 9 rows, 2 lines of comment") == 0;
  tap_ok(r->ok && quiet && worst_point(&r->corner, &corner_points[DW_FRONT_SPORTS]) == 0.0, "read: %s", what);
  if (!r->ok)
    tap_diag("%s", r->messages);
  finish(r);
}

static void test_forms(void) {
  vd_buf b = {0};
  vd_buf_printf(&b, "name,x,y,z\n%shpl_wheel_center,0,0.79,0.33\n", plain_rows);
  test_reads("plain", b.text);
  b.length = 0;
  vd_buf_printf(&b, "# front \"left\n\n  # axle\nZ , Y,X,\"Name\"\n0.33,0.79,\"0\",\"HPL_Wheel_Centre\"\n");
  for (size_t i = 0; i + 1 < VD_COUNT(wishbone); i++)
    vd_buf_printf(&b, "%.9g, %.9g ,%.9g,hpl_%s\n", wishbone[i].z, wishbone[i].y, wishbone[i].x, wishbone[i].name);
  test_reads("comments, quotes, other order, upper case", b.text);
  b.length = 0;
  vd_buf_puts(&b, "\xef\xbb\xbfname,x,y,z\r\n");
  for (size_t i = 0; i < VD_COUNT(wishbone); i++)
    vd_buf_printf(&b, "hpl_%s,%.9g,%.9g,%.9g\r\n", wishbone[i].name, wishbone[i].x, wishbone[i].y, wishbone[i].z);
  test_reads("CRLF and a byte order mark", b.text);
  b.length = 0;
  vd_buf_puts(
      &b, "name,x,y,z\nhpl_lca_inner_front,0.15,0.3,0.08\nhpl_lca_inner_rear,-0.18,0.3,0.08\nhpl_lca_outer,-0.02,"
          "0.75,0.15\nhpl_uca_inner_front,0.08,0.45,0.32\nhpl_uca_inner_rear,-0.22,0.45,0.32\nhpl_uca_outer,-0.01,"
          "0.7,0.55\nhpl_tierod_inner,-0.3,0.35,0.18\nhpl_tierod_outer,-0.3,0.74,0.21\nhpl_wheel_center,0,0.79,0.33");
  test_reads("synonyms, no newline at the end", b.text);
  vd_buf_finish(&b);
}

/* Reads one corner, a double wishbone in the axes and the unit of Adams/Car, from lists of other forms. The names are
 * those of the templates, of Lotus' tables and of our files. The numbers are those of `wishbone`. */
static void test_other_forms(void) {
  static const struct {
    const char *what, *text;
  } list[] = {
      {"subsystem file",
       "$---\n[MDI_HEADER]\nFILE_TYPE = 'sub'\n[UNITS]\n LENGTH = 'mm'\n ANGLE  =  'degrees'\n[HARDPOINT]\n"
       "{hardpoint_name symmetry x_value y_value z_value}\n 'lca_front ' 'left/right ' -150.0 -300.0 80.0\n"
       "'lca_rear' 'left/right' 180 -300 80\n'lca_outer' 'left/right' 20 -750 150\n'uca_front' 'left/right' -80 -450 "
       "320\n"
       "'uca_rear' 'left/right' 220 -450 320\n$ comment\n'uca_outer' 'left/right' 10 -700 550\n'tierod_inner' "
       "'left/right' 300 -350 180\n'tierod_outer' 'left/right' 300 -740 210\n'wheel_center' 'left/right' 0 -790 330\n"
       "[PARAMETER]\n{parameter_name symmetry type value}\n'toe_angle' 'left/right' 'real' 0.0\n'camber_angle' "
       "'left/right' 'real' 0.0\n[BUSHING]\n'x' 1\n"},
      {"semicolons, decimal commas, units in brackets",
       "name;loc_x [mm];loc_y [mm];loc_z [mm]\nhpl_lca_front;-150,0;-300;80\nhpl_lca_rear;180;-300;80\n"
       "hpl_lca_outer;20;-750;150\nhpl_uca_front;-80;-450;320\nhpl_uca_rear;220;-450;320\nhpl_uca_outer;10;-700;550\n"
       "hpl_tierod_inner;300;-350;180\nhpl_tierod_outer;300;-740;210\nhpl_wheel_center;0;-790;330\n"},
      {"units in brackets, full names of a model",
       "Name,X (cm),Y (cm),Z (cm)\n.front.ground.hpl_lca_front,-15,-30,8\n.front.ground.hpl_lca_rear,18,-30,8\n"
       ".front.ground.hpl_lca_outer,2,-75,15\n.front.ground.hpl_uca_front,-8,-45,32\n.front.ground.hpl_uca_rear,22,"
       "-45,32\n.front.ground.hpl_uca_outer,1,-70,55\n.front.ground.hpl_tierod_inner,30,-35,18\n"
       ".front.ground.hpl_tierod_outer,30,-74,21\n.front.ground.hpl_wheel_center,0,-79,33\n"},
      {"nested JSON with its unit",
       "{\"units\": \"mm\", \"front\": {\"left\": {\"lca_front\": [-150, -300, 80], \"lca_rear\": [180, -300, 80], "
       "\"lca_outer\": "
       "[20, -750, 150], \"uca_front\": [-80, -450, 320], \"uca_rear\": [220, -450, 320], \"uca_outer\": [10, -700, "
       "550], "
       "\"tierod_inner\": [300, -350, 180], \"tierod_outer\": [300, -740, 210], \"wheel_center\": [0, -790, 330]}}}"},
      {"a spreadsheet with a title, a line of units and short names",
       "Front Left,,,\nPunkt,X,Y,Z\n,MM,MM,MM\nL UCAF IB,-80,-450,320\nL UCAR IB,220,-450,320\nL UCA OB,10,-700,550\n"
       "L LCAF IB,-150,-300,80\nL LCAR IB,180,-300,80\nL LCA OB,20,-750,150\nL Toe Link IB,300,-350,180\n"
       "L Toe Link OB,300,-740,210\nL Wheel Centre,0,-790,330\n"},
      {"JSON, names of a suspension file",
       "{\"hardpoints\": {\"hpl_lca.chassis_front\": [-150, -300, 80], \"hpl_lca.chassis_rear\": [180, -300, 80],\n"
       "\"hpl_lca.knuckle\": [20, -750, 150], \"hpl_uca.chassis_front\": [-80, -450, 320],\n\"hpl_uca.chassis_rear\": "
       "{\"x\": 220, \"y\": -450, \"z\": 320}, \"hpl_uca.knuckle\": [10, -700, 550],\n\"hpl_tie_rod.rack\": [300, "
       "-350, "
       "180], \"hpl_tie_rod.knuckle\": [300, -740, 210], \"hpl_wheel.center\": [0, -790, 330]}}"},
      {"JSON, a list",
       "[{\"name\": \"hpl_lca_front\", \"x\": -150, \"y\": -300, \"z\": 80}, {\"name\": \"hpl_lca_rear\", \"x\": 180, "
       "\"y\": -300, \"z\": 80},\n{\"name\": \"hpl_lca_outer\", \"x\": 20, \"y\": -750, \"z\": 150}, {\"name\": "
       "\"hpl_uca_front\", \"x\": -80, \"y\": -450, \"z\": 320},\n{\"name\": \"hpl_uca_rear\", \"x\": 220, \"y\": "
       "-450, "
       "\"z\": 320}, {\"name\": \"hpl_uca_outer\", \"x\": 10, \"y\": -700, \"z\": 550},\n{\"name\": "
       "\"hpl_tierod_inner\", \"x\": 300, \"y\": -350, \"z\": 180}, {\"name\": \"hpl_tierod_outer\", \"x\": 300, "
       "\"y\": "
       "-740, \"z\": 210},\n{\"name\": \"hpl_wheel_center\", \"x\": 0, \"y\": -790, \"z\": 330}]"},
      {"JSON, the unit below the root",
       "{\"hardpoints\": {\"units\": \"cm\", \"hpl_lca_front\": [-15, -30, 8], \"hpl_lca_rear\": [18, -30, 8], "
       "\"hpl_lca_outer\": [2, -75, 15], \"hpl_uca_front\": [-8, -45, 32], \"hpl_uca_rear\": [22, -45, 32], "
       "\"hpl_uca_outer\": [1, -70, 55], \"hpl_tierod_inner\": [30, -35, 18], \"hpl_tierod_outer\": [30, -74, 21], "
       "\"hpl_wheel_center\": [0, -79, 33]}}"},
      {"JSON, a list whose points state the unit",
       "[{\"name\": \"hpl_lca_front\", \"x\": -15, \"y\": -30, \"z\": 8, \"units\": \"cm\"}, {\"name\": "
       "\"hpl_lca_rear\", \"x\": 18, \"y\": -30, \"z\": 8}, {\"name\": \"hpl_lca_outer\", \"x\": 2, \"y\": -75, "
       "\"z\": 15}, {\"name\": \"hpl_uca_front\", \"x\": -8, \"y\": -45, \"z\": 32}, {\"name\": \"hpl_uca_rear\", "
       "\"x\": 22, \"y\": -45, \"z\": 32}, {\"name\": \"hpl_uca_outer\", \"x\": 1, \"y\": -70, \"z\": 55}, "
       "{\"name\": \"hpl_tierod_inner\", \"x\": 30, \"y\": -35, \"z\": 18}, {\"name\": \"hpl_tierod_outer\", "
       "\"x\": 30, \"y\": -74, \"z\": 21}, {\"name\": \"hpl_wheel_center\", \"x\": 0, \"y\": -79, \"z\": 33}]"},
      {"tabs, whole words",
       "point\tx_value\ty_value\tz_value\nhpl_Lower wishbone front pivot\t-150\t-300\t80\nhpl_Lower wishbone rear "
       "pivot\t180\t-300\t80\nhpl_Lower wishbone outer ball joint\t20\t-750\t150\nhpl_Upper wishbone front "
       "pivot\t-80\t-450\t320\nhpl_Upper wishbone rear pivot\t220\t-450\t320\nhpl_Upper wishbone outer ball "
       "joint\t10\t-700\t550\nhpl_Inner track rod ball joint\t300\t-350\t180\nhpl_Outer track rod ball "
       "joint\t300\t-740\t210\nhpl_Wheel centre point\t0\t-790\t330\n"},
  };
  for (size_t i = 0; i < VD_COUNT(list); i++) {
    vd_hardpoint_options options = plain;
    if (i == 0) /* the file has them */
      options.toe0 = options.camber0 = NAN;
    reading *r = read_list(list[i].text, &options);
    tap_ok(r->ok && r->taken.axes == VD_AXES_ADAMS && !strstr(r->messages, "warning") &&
               worst_point(&r->corner, &corner_points[DW_FRONT_SPORTS]) <= 4.5e-16,
           "form: %s", list[i].what);
    if (!r->ok)
      tap_diag("%s", r->messages);
    finish(r);
  }
  reading *two = read_list("{\"units\": \"mm\", \"left\": {\"unit\": \"cm\", \"lca_front\": [-15, -30, 8]}}", &plain);
  tap_ok(!two->ok && strstr(two->messages, "error: the list states two units, 'mm' and 'cm'"),
         "form: two units are refused");
  finish(two);
}

/* Tests names whose meaning depends on the type of suspension: a strut's mounts are the ends of a strut, or of spring
 * and damper in one on the lower arm; a tie rod is the toe link of rods. */
static void test_names_by_type(void) {
  static const char arms[] =
      "name,x,y,z\nhpl_lca_front,0.15,0.3,0.08\nhpl_lca_rear,-0.18,0.3,0.08\nhpl_lca_outer,-0.02,0.75,0.15\n"
      "hpl_tierod_inner,-0.3,0.35,0.18\nhpl_tierod_outer,-0.3,0.74,0.21\nhpl_wheel_center,0,0.79,0.33\n"
      "hpl_top_mount,-0.04,0.6,0.65\n";
  vd_buf b = {0};
  vd_buf_printf(&b, "%shpl_strut_lwr_mount,-0.04,0.72,0.31\n", arms);
  reading *r = read_list(b.text, &plain);
  tap_ok(r->ok && r->corner.points.type == VD_MACPHERSON && r->corner.points.member[1].chassis[0][2] == 0.65 &&
             r->corner.points.member[1].knuckle[2] == 0.31 && r->messages[0] == '\0',
         "names: strut_lwr_mount and top_mount are the strut's");
  finish(r);
  b.length = 0;
  vd_buf_printf(&b, "%shpl_strut_lwr_mount,-0.04,0.72,0.31\nhpl_spring_lwr_seat,-0.05,0.66,0.5\n", arms);
  r = read_list(b.text, &plain);
  const vd_element *seat = &r->corner.points.spring;
  tap_ok(r->ok && seat->given && seat->eye[2] == 0.5 && seat->chassis[2] == 0.65 && seat->on == VD_ON_KNUCKLE &&
             r->corner.points.damper.eye[2] == 0.31 && r->messages[0] == '\0',
         "names: spring_lwr_seat is the spring's lower end, and top_mount its upper end");
  finish(r);
  b.length = 0;
  vd_buf_printf(&b,
                "%shpl_lwr_strut_mount,-0.05,0.55,0.13\nhpl_uca_front,0.08,0.45,0.32\nhpl_uca_rear,-0.22,0.45,0.32\n"
                "hpl_uca_outer,-0.01,0.7,0.55\n",
                arms);
  r = read_list(b.text, &plain);
  const vd_hardpoints *p = &r->corner.points;
  tap_ok(r->ok && p->type == VD_DOUBLE_WISHBONE && p->damper.given && p->spring.given && p->spring.eye[2] == 0.13 &&
             p->spring.chassis[2] == 0.65 && p->spring.on == VD_ON_MEMBER && r->messages[0] == '\0',
         "names: lwr_strut_mount and top_mount are those of spring and damper on the lower arm");
  finish(r);
  b.length = 0;
  vd_buf_puts(&b,
              "name,x,y,z\nhpl_upper_trailing_link_body,0.45,0.6,0.33\nhpl_upper_trailing_link_knuckle,0.04,0.67,0.4\n"
              "hpl_lower_trailing_link_body,0.45,0.6,0.33\nhpl_lower_trailing_link_knuckle,0.04,0.68,0.22\n"
              "hpl_camber_link_body,-0.01,0.38,0.39\nhpl_camber_link_knuckle,-0.01,0.69,0.43\n"
              "hpl_spring_link_body,-0.13,0.21,0.205\nhpl_spring_link_knuckle,-0.115,0.71,0.19\n"
              "hpl_tierod_inner,0.13,0.45,0.2225\nhpl_tierod_outer,0.11,0.69,0.213\nhpl_wheel_center,0,0.76,0.305\n");
  r = read_list(b.text, &plain);
  tap_ok(r->ok && r->corner.points.type == VD_MULTI_LINK && r->corner.points.member[4].knuckle[0] == 0.11 &&
             r->messages[0] == '\0',
         "names: tierod_outer is the toe link of a multi-link suspension");
  finish(r);
  vd_buf_finish(&b);
}

/* --- axes and units: proven --- */

static void test_proofs(void) {
  static const struct {
    const char *what, *prefix;
    double x, y, z;
    enum vd_axes axes;
    enum vd_length_unit unit;
  } list[] = {
      {"iso, m", "hpl_", 1, 1, 1, VD_AXES_ISO, VD_LENGTH_M},
      {"iso, mm", "hpl_", 1e3, 1e3, 1e3, VD_AXES_ISO, VD_LENGTH_MM},
      {"adams, m", "hpl_", -1, -1, 1, VD_AXES_ADAMS, VD_LENGTH_M},
      {"adams, mm", "hpl_", -1e3, -1e3, 1e3, VD_AXES_ADAMS, VD_LENGTH_MM},
      {"right corner, iso, m", "hpr_", 1, -1, 1, VD_AXES_ISO, VD_LENGTH_M},
      {"right corner, adams, mm", "hpr_", -1e3, 1e3, 1e3, VD_AXES_ADAMS, VD_LENGTH_MM},
  };
  for (size_t i = 0; i < VD_COUNT(list); i++) {
    vd_buf b = {0};
    vd_buf_puts(&b, "name,x,y,z\n");
    add_rows(&b, list[i].prefix, list[i].x, list[i].y, list[i].z);
    reading *r = read_list(b.text, &plain);
    bool right = list[i].prefix[2] == 'r';
    tap_ok(r->ok && r->taken.axes == list[i].axes && r->taken.unit == list[i].unit && r->taken.axes_proven &&
               r->taken.unit_proven && r->taken.side == (right ? VD_LIST_RIGHT : VD_LIST_LEFT) &&
               worst_point(&r->corner, &corner_points[DW_FRONT_SPORTS]) <= 1e-15,
           "proven: %s", list[i].what);
    finish(r);
    vd_buf_finish(&b);
  }
}

/* Options that contradict a list, and lists that do not determine their axes or unit. */
static void test_contradictions(void) {
  static const struct {
    const char *prefix;
    double x, y, z;
    vd_hardpoint_options options;
    const char *messages; /* empty: accepted */
  } list[] = {
      {"",
       1,
       1,
       1,
       {0},
       "l.csv: error: cannot tell the axes of names without hpl_ or hpr_; say which with --axes=iso (x forward, y "
       "left) or "
       "--axes=adams (x rearward, y right)"},
      {"", 1, 1, 1, {.axes = VD_AXES_ISO}, ""},
      {"", -1e3, -1e3, 1e3, {.axes = VD_AXES_ADAMS}, ""},
      {"", -1e3, 1e3, 1e3, {.axes = VD_AXES_ADAMS, .side = VD_LIST_RIGHT}, ""},
      {"",
       -1e3,
       -1e3,
       1e3,
       {.axes = VD_AXES_ISO},
       "l.csv:2:1: error: 'lca_front' would lie behind 'lca_rear' in iso axes: the list is a mirror image, or its "
       "names are "
       "exchanged"},
      {"",
       1,
       1,
       1,
       {.axes = VD_AXES_ISO, .side = VD_LIST_RIGHT},
       "l.csv:10:1: error: the points are those of the left side"},
      {"hpl_",
       1,
       -1,
       1,
       {0},
       "l.csv:2:1: error: 'lca_front' would lie behind 'lca_rear' in adams axes: the list is a mirror image, or its "
       "names "
       "are exchanged"},
      {"hpl_",
       -1,
       1,
       1,
       {0},
       "l.csv:2:1: error: 'lca_front' would lie behind 'lca_rear' in iso axes: the list is a mirror image, or its "
       "names are "
       "exchanged"},
      {"hpl_", 1, -1, -1, {0}, "l.csv:7:1: error: z does not point up: 'uca_outer' lies below 'lca_outer'"},
      {"hpl_",
       -1e3,
       -1e3,
       1e3,
       {.axes = VD_AXES_ISO},
       "l.csv:10:1: error: 'hpl_wheel_center' at y = -790 would lie on the right in iso axes, as --axes says"},
      {"hpr_",
       -1,
       1,
       1,
       {.axes = VD_AXES_ISO},
       "l.csv:10:1: error: 'hpr_wheel_center' at y = 0.79 would lie on the left in iso axes, as --axes says"},
      {"hpl_",
       -1e3,
       -1e3,
       1e3,
       {.unit = VD_LENGTH_M},
       "l.csv:10:1: error: lengths are said to be in m, but a half track of 790 is in mm"},
      {"hpl_",
       1,
       1,
       1,
       {.unit = VD_LENGTH_MM},
       "l.csv:10:1: error: lengths are said to be in mm, but a half track of 0.79 is in m"},
      {"hpl_",
       0.1,
       0.1,
       0.1,
       {0},
       "l.csv:10:1: error: cannot tell metres from millimetres by a half track of 0.079; say which with "
       "--length-unit=m, "
       "--length-unit=mm or --length-unit=in"},
      {"hpl_", 0.1, 0.1, 0.1, {.unit = VD_LENGTH_M}, ""},
      {"hpl_", 1, 1, 1, {.side = VD_LIST_RIGHT}, "l.csv: error: no point of the right side"},
  };
  for (size_t i = 0; i < VD_COUNT(list); i++) {
    vd_buf b = {0};
    vd_hardpoint_options options = list[i].options;
    options.static_radius = NAN;
    vd_buf_puts(&b, "name,x,y,z\n");
    add_rows(&b, list[i].prefix, list[i].x, list[i].y, list[i].z);
    reading *r = read_list(b.text, &options);
    tap_str(r->messages, list[i].messages, "stated: %s", list[i].messages[0] ? list[i].messages : "accepted");
    if (r->ok != (list[i].messages[0] == '\0'))
      tap_diag("ok is %d", r->ok);
    finish(r);
    vd_buf_finish(&b);
  }
}

static void test_trailing_arm(void) {
  static const char text[] = "name,x,y,z\nhpl_arm_inner,%s0.8,-0.42,0.22\nhpl_arm_outer_pivot,%s0.75,-0.62,0.2\n"
                             "hpl_wheel_center,%s1.35,-0.78,0.305\n";
  char adams[256], mirror[256];
  snprintf(adams, sizeof adams, text, "", "", "");
  snprintf(mirror, sizeof mirror, text, "-", "-", "-");
  reading *r = read_list(adams, &plain);
  tap_ok(r->ok && worst_point(&r->corner, &corner_points[TA_REAR_SEDAN]) == 0.0,
         "proven: a trailing arm in adams axes");
  finish(r);
  r = read_list(mirror, &plain);
  tap_str(
      r->messages,
      "l.csv:4:1: error: the arm would lead its wheel in adams axes, so that the list may be a mirror image; say which "
      "with --axes=iso or --axes=adams",
      "refused: an arm that would lead its wheel, without stated axes");
  finish(r);
  vd_hardpoint_options stated = plain;
  stated.axes = VD_AXES_ADAMS;
  r = read_list(mirror, &stated);
  tap_ok(r->ok, "stated: a leading arm is accepted if the options state the axes");
  finish(r);
}

/* --- both sides --- */

static void test_sides(void) {
  vd_buf b = {0};
  vd_hardpoint_options side = plain;
  vd_buf_puts(&b, "name,x,y,z\n");
  add_rows(&b, "hpl_", -1e3, -1e3, 1e3);
  add_rows(&b, "hpr_", -1e3, 1e3, 1e3);
  reading *r = read_list(b.text, &plain);
  tap_ok(r->ok && r->taken.side == VD_LIST_LEFT && r->messages[0] == '\0', "sides: mirror images agree");
  finish(r);
  char *at = strstr(b.text, "hpr_tierod_outer,300,740,210");
  if (!at)
    abort();
  memcpy(at, "hpr_tierod_outer,300,740,212", strlen("hpr_tierod_outer,300,740,212"));
  r = read_list(b.text, &plain);
  tap_str(r->messages,
          "l.csv:18:1: error: 'hpr_tierod_outer' is 2 mm away from the mirror image of 'hpl_tierod_outer'; choose with "
          "--side=left or --side=right",
          "sides: two sides that differ are refused");
  finish(r);
  side.side = VD_LIST_RIGHT;
  r = read_list(b.text, &side);
  tap_ok(r->ok && r->taken.side == VD_LIST_RIGHT, "sides: the right side is selected");
  tap_near(r->corner.points.member[2].knuckle[2], 0.212, 1e-15, "sides: the point is that of the right wheel");
  tap_near(r->corner.points.member[2].knuckle[1], 0.74, 1e-15,
           "sides: the point of the right wheel is mirrored to the left");
  finish(r);
  b.length = 0;
  vd_buf_puts(&b, "name,x,y,z\n");
  add_rows(&b, "hpl_", 1, 1, 1);
  add_rows(&b, "hpr_", 1, 1, 1);
  r = read_list(b.text, &plain);
  tap_str(r->messages, "l.csv:19:1: error: 'hpr_wheel_center' lies at y = 0.79, on the same side as 'hpl_wheel_center'",
          "sides: two wheels on one side are refused");
  finish(r);
  vd_buf_finish(&b);
}

/* --- broken lists --- */

static void test_errors(void) {
  static const struct {
    const char *text, *messages;
  } list[] = {
      {"", "l.csv: error: no line of names: the file is empty"},
      {"name,x,y,z\n", "l.csv: error: no rows below the names"},
      {"name,x,y\nhpl_a,1,2\n", "l.csv: error: no column 'z' with numbers: a hardpoint list begins with name,x,y,z"},
      {"name,x,y,z\nhpl_lca_front,-190,120,-150\nhpl_lca_rear,-190,125,170\nhpl_lca_outer,-565,130,-6\n"
       "hpl_uca_front,-250,286,-130\nhpl_uca_rear,-250,284,150\nhpl_uca_outer,-545,345,14\n"
       "hpl_tierod_inner,-205,155,-70\nhpl_tierod_outer,-560,176,-72\nhpl_wheel_center,-600,255,0\n",
       "l.csv:7:1: error: z is not up: 'uca_outer' and 'lca_outer' are apart along y; a list with a description names "
       "the "
       "columns of x, y and z and their signs"},
      {"name,x,y,z\nhpl_wheel_center,0,0.7\n", "l.csv:2:1: error: row of 3 fields below 4 names"},
      {"name,x,y,z\nhpl_wheel_center,0,0.7m,0.3\n", "l.csv:2:20: error: '0.7m' in column 'y' is not a number"},
      {"name,x,y,z\nhpl_wheel_center,0,,0.3\n",
       "l.csv: error: no column 'y' with numbers: a hardpoint list begins with name,x,y,z"},
      {"name,x,y,z\nhpl_wheel_center,0,abc,0.3\n", "l.csv:2:20: error: 'abc' in column 'y' is not a number"},
      {"name,x,y,z\nhpl_wheel_center,0,1e999,0.3\n",
       "l.csv:2:20: error: '1e999' in column 'y' is too large for a number"},
      {"name,x,y,z\nhpl_wheel_center,0,\"0.7,0.3\n", "l.csv:2:20: error: quotation mark is not closed"},
      {"name,x,y,z\n,0,0.7,0.3\n", "l.csv:2:1: error: point without a name"},
      {"name,x,y,z\nhpl_arm_inner,0,1,1\nhpl_Arm_Inner,0,1,1\n",
       "l.csv:3:1: error: point 'hpl_arm_inner' is given twice\nl.csv:2:1: note: here"},
      {"name,x,y,z\nhpl_lca_front,0,1,1\nhpl_lca_inner_front,0,1,1\n",
       "l.csv:3:1: error: point 'hpl_lca_front' is given twice\nl.csv:2:1: note: here"},
      {"name,x,y,z\nhpl_wheel_centr,0,1,1\n",
       "l.csv: error: no point has a known name; vdsim-xcheck(1) lists them\n"
       "l.csv:2:1: warning: this point is not used; did you mean 'wheel_center'?"},
      {"name,x,y,z\nhpl_wheel_center,0,1,1\narm_inner,0,1,1\n",
       "l.csv: error: some names begin with hpl_, others have no prefix"},
      {"name,x,y,z\nhpl_wheel_center,0,1,1\n", "l.csv: error: cannot tell the type: there is none of 'uca_outer' "
                                               "(double wishbone), 'strut_top' (MacPherson), 'uf_outer' (five links), "
                                               "'arm_inner' (trailing arm), 'trailing_upper_outer' (multi-link), "
                                               "'shear_centre' (twist beam), 'upper_link_outer' (four-link axle), "
                                               "'panhard_outer' (Panhard axle) or 'integral_link_outer' (integral "
                                               "link)"},
      {"name,x,y,z\nhpl_uca_outer,0,1,1\nhpl_strut_top,0,1,1\n",
       "l.csv: error: cannot tell the type: both 'uca_outer' and 'strut_top' are given"},
      {"name,x,y,z\nhpl_arm_inner,0,1,1\n",
       "l.csv: error: no point 'hpl_wheel_center'\nl.csv: error: no point 'hpl_arm_outer_pivot'"},
      {"name,x,y,z\nhpl_arm_inner,1,0.5,0.3\nhpl_arm_outer_pivot,1,0.5,0.3\nhpl_wheel_center,0,0.7,0.3\n",
       "l.csv:2:1: error: arm: its two points on the chassis coincide"},
      {"name,x,y,z\nhpl_arm_inner,1,0.4,0.3\nhpl_arm_outer_pivot,1,0.5,0.3\nhpl_wheel_center,0,0,0.3\n",
       "l.csv:4:1: error: cannot tell metres from millimetres by a half track of 0; say which with --length-unit=m, "
       "--length-unit=mm or --length-unit=in"},
      {"name,x,y,z\nhpl_arm_inner,1e9,0.4,0.3\nhpl_arm_outer_pivot,1,0.5,0.3\nhpl_wheel_center,0,0.7,0.3\n",
       "l.csv:2:1: error: this point lies more than 10 m away"},
      {"name,x,y,z\nhpl_arm_inner,1,0.4,0.3\nhpl_arm_outer_pivot,1,0.5,0.3\nhpl_wheel_center,0,0.7,0.3\n"
       "hpl_spring_lower,0,0.6,0.2\n",
       "l.csv:5:1: error: 'spring_lower' is given without 'spring_upper'"},
      {"name,x,y,z\nhpl_arm_inner,1,0.4,0.3\nhpl_arm_outer_pivot,1,0.5,0.3\nhpl_wheel_center,0,0.7,0.3\n"
       "hpl_damper_upper,0,0.6,0.2\n",
       "l.csv:5:1: error: 'damper_upper' is given without 'damper_lower'"},
      {"name,x,y,z\nhpl_arm_inner,1,0.4,0.3\nhpl_arm_outer_pivot,1,0.5,0.3\nhpl_wheel_center,0,0.7,0.3\n"
       "hpl_spring_lower,0,0.6,0.2\nhpl_spring_upper,0,0.6,0.2\n",
       "l.csv:5:1: error: spring: it has no length"},
  };
  for (size_t i = 0; i < VD_COUNT(list); i++) {
    reading *r = read_list(list[i].text, &plain);
    tap_str(r->messages, list[i].messages, "error: %.*s", (int)strcspn(list[i].messages, "\n"), list[i].messages);
    if (r->ok)
      tap_ok(false, "error: %s: reported, but read", list[i].messages);
    finish(r);
  }
}

static void test_warnings(void) {
  vd_buf b = {0};
  vd_buf_printf(&b, "name,x,y,z,note\n");
  for (size_t i = 0; i < VD_COUNT(wishbone); i++)
    vd_buf_printf(&b, "hpl_%s,%.9g,%.9g,%.9g,\n", wishbone[i].name, wishbone[i].x, wishbone[i].y, wishbone[i].z);
  vd_buf_puts(&b, "hpl_drive_shaft,0,0,0,\nhpl_tl_outer,0,0,0,\n");
  reading *r = read_list(b.text, &plain);
  tap_str(r->messages,
          "l.csv:11:1: warning: this point is not used\n"
          "l.csv:12:1: warning: this point is not used: a suspension with 'uca_outer' has no such point",
          "warning: unused points are named");
  tap_ok(r->ok, "warning: the list is read despite the warning");
  finish(r);
  vd_buf_finish(&b);
}

static void test_wheel(void) {
  vd_buf b = {0};
  double toe, camber;
  vd_hardpoint_options options = {.toe0 = 0.2 * degree, .camber0 = -1.5 * degree, .static_radius = 0.33};
  vd_buf_puts(&b, "name,x,y,z\n");
  add_rows(&b, "hpl_", 1, 1, 1);
  reading *r = read_list(b.text, &options);
  vd_spin_axis_angles(r->corner.points.spin_axis, &toe, &camber);
  tap_near(toe, 0.2 * degree, 1e-17, "wheel: toe as stated");
  tap_near(camber, -1.5 * degree, 1e-17, "wheel: camber as stated");
  /* toe-in turns the front to the middle, so the outward axis points ahead; if the top leans inward, the axis points
   * up */
  tap_ok(r->corner.points.spin_axis[0] > 0.0 && r->corner.points.spin_axis[2] > 0.0,
         "wheel: the axis points ahead with toe-in, and up with negative camber");
  tap_ok(r->corner.points.static_radius == 0.33, "wheel: radius as stated");
  finish(r);
  static const char *const words[] = {"toe and camber at the design position; give it with --toe0 and --camber0",
                                      "toe at the design position; give it with --toe0",
                                      "camber at the design position; give it with --camber0"};
  for (size_t i = 0; i < VD_COUNT(words); i++) {
    char expected[256];
    options = (vd_hardpoint_options){.toe0 = i == 2 ? 0.0 : NAN, .camber0 = i == 1 ? 0.0 : NAN, .static_radius = NAN};
    snprintf(expected, sizeof expected, "l.csv: error: a hardpoint list does not contain the wheel's %s", words[i]);
    r = read_list(b.text, &options);
    tap_str(r->messages, expected, "wheel: %s", words[i]);
    finish(r);
  }
  vd_buf_finish(&b);
}

/* --- round trip --- */

static void test_round_trip(void) {
  for (int i = 0; i < CORNERS_OF; i++)
    for (int k = 0; k < 4; k++) {
      enum vd_axes axes = k & 1 ? VD_AXES_ADAMS : VD_AXES_ISO;
      enum vd_length_unit unit = k & 2 ? VD_LENGTH_MM : VD_LENGTH_M;
      vd_corner corner = corner_with_bushings((enum corner_of)i);
      vd_buf list = {0}, left_out = {0};
      vd_hardpoint_csv_write(&corner, axes, unit, &list, &left_out);
      reading *r = read_list(list.text, &plain);
      /* 1000 x / 1000 is off by at most two roundings of a metre */
      tap_ok(r->ok && left_out.length == 0 && r->taken.axes == axes && r->taken.unit == unit &&
                 worst_point(&r->corner, &corner.points) <= 4.5e-16,
             "round trip: %s, %s, %s", corner_names[i], k & 1 ? "adams" : "iso", k & 2 ? "mm" : "m");
      const vd_element *a = &corner.points.spring, *b = &r->corner.points.spring;
      double worst = a->given == b->given && a->on == b->on ? 0.0 : INFINITY;
      for (int j = 0; j < 3 && a->given; j++)
        worst = tap_max(worst, tap_max(fabs(a->chassis[j] - b->chassis[j]), fabs(a->eye[j] - b->eye[j])));
      tap_near(worst, 0.0, 4.5e-16, "round trip: the spring is read back");
      finish(r);
      vd_buf_finish(&list);
      vd_buf_finish(&left_out);
    }
}

static void test_left_out(void) {
  vd_corner corner = corner_with_bushings(FIVE_LINK_REAR_SPORTS);
  vd_buf list = {0}, left_out = {0};
  corner.points.spring =
      (vd_element){.given = true, .chassis = {-1.5, 0.5, 0.5}, .eye = {-1.5, 0.6, 0.2}, .on = VD_ON_MEMBER + 3};
  corner.points.damper = corner.points.spring;
  corner.points.damper.rocker = true;
  vd_hardpoint_csv_write(&corner, VD_AXES_ISO, VD_LENGTH_M, &list, &left_out);
  tap_ok(!strstr(list.text, "spring"), "write: points without a name are left out");
  tap_str(left_out.text, "the spring on a link that the list cannot name, the damper on a rocker of its own",
          "write: points that are left out are named");
  vd_buf_finish(&list);
  vd_buf_finish(&left_out);
}

/* Reads a list as OptimumK writes it, with names of several words and the side behind them, and a list in inches with
 * the columns of Adams. */
static void test_words(void) {
  static const char *const text[] = {
      "# Point Name,X (m),Y (m),Z (m)\nUpper Wishbone Front Pivot FL,0.110,0.235,0.282\n"
      "Upper Wishbone Rear Pivot FL,-0.125,0.240,0.298\nLower A-Arm Fore FL,0.112,0.205,0.122\n"
      "Lower Control Arm Aft FL,-0.135,0.205,0.118\nUBJ FL,-0.012,0.545,0.302\nLower Ball Joint FL,0.004,0.572,0.112\n"
      "Tie Rod Inboard FL,-0.095,0.228,0.158\nTrack Rod Outboard (FL),-0.088,0.558,0.150\n"
      "Wheel Center FL,0.0,0.600,0.228\nContact Patch FL,0.0,0.605,0.0\n",
      "Loc_Name,X,Y,Z\nhpl_uca_front,4,9,11\nhpl_uca_rear,-5,9,11\nhpl_lca_front,4,8,5\nhpl_lca_rear,-5,8,5\n"
      "hpl_uca_outer,0,21,12\nhpl_lca_outer,0,22,4\nhpl_tierod_inner,-4,9,6\nhpl_tierod_outer,-4,22,6\n"
      "hpl_wheel_center,0,25,9\n"};
  static const double y[] = {0.6, 25 * 0.0254}, inner[] = {0.228, 9 * 0.0254};
  for (int i = 0; i < 2; i++) {
    vd_hardpoint_options options = plain;
    options.static_radius = 0.228;
    options.unit = i ? VD_LENGTH_IN : VD_LENGTH_UNSTATED;
    reading *r = read_list(text[i], &options);
    const vd_hardpoints *h = &r->corner.points;
    tap_ok(r->ok && fabs(h->wheel_center[1] - y[i]) < 1e-12 && fabs(h->member[2].chassis[0][1] - inner[i]) < 1e-12,
           "names by words, %s", i ? "lengths in inches" : "sides behind them");
    tap_ok(i || (strstr(r->messages, "taken as 'tierod_inner', by the words of its name") &&
                 strstr(r->messages, "l.csv:11:1: warning")),
           "messages name points that were assigned, and those that were not");
    finish(r);
  }
}

/* Push rod and rocker of a double wishbone as other programs name them: the points of pushrod_front_formula.yaml. 0:
 * templates of Adams/Car for formula cars; 1: tables of Lotus' Suspension Analysis, here with decimal commas and a
 * heading; 2: both axles and both sides in inches, with names that begin with axle and side; its rockers have one axis
 * point, and all their points lie in a plane x = constant, so that the axis is along x. The rear axle is 1.55 m behind
 * the front one. */
static const char *const rocker_lists[] = {
    "name,x,y,z\nhpl_lca_front,-150,-190,120\nhpl_lca_rear,170,-190,125\nhpl_lca_outer,-6,-565,130\n"
    "hpl_uca_front,-130,-250,286\nhpl_uca_rear,150,-250,284\nhpl_uca_outer,14,-545,345\n"
    "hpl_tierod_inner,-70,-205,155.5\nhpl_tierod_outer,-72,-560,176\nhpl_wheel_center,0,-600,255\n"
    "hpl_prod_outer,-4,-530,140\nhpl_prod_to_bellcrank,0,-308,471\nhpl_bellcrank_pivot,0,-240,420\n"
    "hpl_bellcrank_pivot_orient,-1000,-240,420\nhpl_shock_to_bellcrank,0,-255,498\nhpl_shock_to_chassis,0,-20,500\n",
    "Point;X [mm];Y [mm];Z [mm]\nFRONT SUSPENSION;;;\nLower wishbone front pivot;150,0;190;120\n"
    "Lower wishbone rear pivot;-170;190;125\nLower wishbone outer ball joint;6;565;130\n"
    "Upper wishbone front pivot;130;250;286\nUpper wishbone rear pivot;-150;250;284\n"
    "Upper wishbone outer ball joint;-14;545;345\nPush rod wishbone end;4;530;140\nPush rod rocker end;0;308;471\n"
    "Outer track rod ball joint;72;560;176\nInner track rod ball joint;70;205;155,5\nDamper to body point;0;20;500\n"
    "Damper to rocker point;0;255;498\nWheel spindle point;0;550;255\nWheel centre point;0;600;255\n"
    "Rocker axis 1st point;0;240;420\nRocker axis 2nd point;1000;240;420\nPart 1 C of G;0;0;0\n"};

static void put_corner(vd_buf *b, const char *where, double x, double side) {
  static const row points[] = {
      {"LAA_front_inboard", 150, 190, 120},   {"LAA_rear_inboard", -170, 190, 125}, {"LAA_outboard", 6, 565, 130},
      {"UAA_front_inboard", 130, 250, 286},   {"UAA_rear_inboard", -150, 250, 284}, {"UAA_outboard", -14, 545, 345},
      {"tie_rod_inboard", 70, 205, 155.5},    {"TieRodOUT", 72, 560, 176},          {"wheel_center", 0, 600, 255},
      {"pushrod_outboard", 4, 530, 140},      {"pushrod_inboard", 0, 308, 471},     {"bellcrank_pivot", 0, 240, 420},
      {"bellcrank_to_coilover", 0, 255, 498}, {"damper_chassis", 0, 20, 500}};
  for (size_t i = 0; i < VD_COUNT(points); i++)
    vd_buf_printf(b, "%s_%s,%.17g,%.17g,%.17g\n", where, points[i].name, (points[i].x + x) / 25.4,
                  side * points[i].y / 25.4, points[i].z / 25.4);
}

static double worst_rocker(const vd_element *e, double x) {
  static const double chassis[] = {0, 0.02, 0.5}, eye[] = {0, 0.255, 0.498}, pivot[] = {0, 0.24, 0.42},
                      outer[] = {0.004, 0.53, 0.14}, inner[] = {0, 0.308, 0.471}, axis[] = {1, 0, 0};
  double worst = e->given && e->rocker && e->on == VD_ON_MEMBER ? 0.0 : INFINITY;
  for (int k = 0; k < 3; k++) {
    const double of[] = {e->chassis[k] - chassis[k], e->eye[k] - eye[k], e->pivot[k] - pivot[k],
                         e->rod_part[k] - outer[k], e->rod_rocker[k] - inner[k]};
    for (int i = 0; i < 5; i++)
      worst = tap_max(worst, fabs(of[i] - (k == 0 ? x : 0.0)));
    worst = tap_max(worst, fabs(e->axis[k] / fabs(e->axis[0]) - axis[k]));
  }
  return worst;
}

static void test_rockers(void) {
  vd_hardpoint_options options = plain;
  vd_buf both = {0}, left_out = {0};
  vd_buf_puts(&both, "name,x (in),y (in),z (in)\n");
  put_corner(&both, "front_left", 0, 1);
  put_corner(&both, "front_right", 0, -1);
  put_corner(&both, "rear_left", -1550, 1);
  put_corner(&both, "rear_right", -1550, -1);
  for (int i = 0; i < 4; i++) {
    options.axes = i == 1 ? VD_AXES_ISO : VD_AXES_UNSTATED;
    options.axle = i == 3 ? VD_LIST_REAR : VD_LIST_ANY_AXLE;
    reading *r = read_list(i < 2 ? rocker_lists[i] : both.text, &options);
    const vd_hardpoints *h = &r->corner.points;
    tap_ok(r->ok && worst_rocker(&h->damper, i == 3 ? -1.55 : 0.0) < 1e-12 &&
               worst_rocker(&h->spring, i == 3 ? -1.55 : 0.0) < 1e-12,
           "rocker: list %d", i);
    tap_ok(r->taken.axle == (i < 2    ? VD_LIST_ANY_AXLE
                             : i == 2 ? VD_LIST_FRONT
                                      : VD_LIST_REAR) &&
               r->taken.axis_made == (i > 1) && r->taken.rod_on && strcmp(r->taken.rod_on, "lca") == 0,
           "rocker: messages name the points that were assigned, list %d", i);
    if (i == 0) {
      vd_buf list = {0};
      vd_hardpoint_csv_write(&r->corner, VD_AXES_ISO, VD_LENGTH_M, &list, &left_out);
      reading *again = read_list(list.text, &plain);
      tap_ok(again->ok && left_out.length == 0 && worst_rocker(&again->corner.points.damper, 0.0) < 1e-12 &&
                 worst_rocker(&again->corner.points.spring, 0.0) < 1e-12,
             "rocker: written and read again");
      finish(again);
      vd_buf_finish(&list);
    }
    finish(r);
  }
  char lacking[2048];
  snprintf(lacking, sizeof lacking, "%s", rocker_lists[0]);
  memcpy(strstr(lacking, "hpl_prod_to_bellcrank"), "hpl_arb_to__bellcrank", strlen("hpl_prod_to_bellcrank"));
  options.axes = VD_AXES_UNSTATED;
  options.axle = VD_LIST_ANY_AXLE;
  reading *r = read_list(lacking, &options);
  tap_ok(r->ok && !r->corner.points.damper.given &&
             strstr(r->messages, "l.csv:15:1: warning: 'damper_lower' is not used: the rocker lacks 'pushrod_inner'"),
         "rocker: without one of its points it is left out");
  finish(r);
  options.axle = VD_LIST_REAR;
  r = read_list("name,x,y,z\nFL_lca_outer,0,1,1\n", &options);
  tap_str(r->messages, "l.csv: error: no point of the rear axle",
          "refused: a list without points of the axle that the options select");
  finish(r);
  vd_buf_finish(&both);
  vd_buf_finish(&left_out);
}

int main(void) {
  tap_plan(4 + 11 + 1 + 3 + 6 + 16 + 3 + 6 + 24 + 2 + 7 + 32 + 2 + 4 + 11);
  test_forms();
  test_other_forms();
  test_names_by_type();
  test_proofs();
  test_contradictions();
  test_trailing_arm();
  test_sides();
  test_errors();
  test_warnings();
  test_wheel();
  test_round_trip();
  test_left_out();
  test_words();
  test_rockers();
  return tap_done();
}
