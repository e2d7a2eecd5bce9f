/* Declarations that the templates share. A template is a table of lines: keys of the file that it makes, and the source
 * of each value. Help texts and units come from the schema rows of these keys. */
#ifndef VD_TEMPLATE_IMPL_H
#define VD_TEMPLATE_IMPL_H

#include "base/arena.h"
#include "base/wheel.h"
#include "input/tree.h"
#include "run/template.h"

struct vd_schema;

enum vd_line_kind {
  VD_LINE_VALUE,  /* double, in SI */
  VD_LINE_VECTOR, /* double[3] */
  VD_LINE_WORD,   /* const char * */
  VD_LINE_TEXT,   /* `text` itself, YAML */
  VD_LINE_YAML,   /* const char *, written as it is */
  VD_LINE_SLOPE,  /* double, in SI per m: a straight line over the travel, two points; `text`: its unit, deg or mm */
  VD_LINE_WHOLE,  /* not a line: marks that the values of this mapping are one estimate */
  /* the list `estimates': the estimated lines of this mapping and of inner mappings without such a list */
  VD_LINE_ESTIMATES,
};

typedef struct vd_template_line {
  const char *key; /* dotted */
  enum vd_line_kind kind;
  size_t offset; /* offset of the value in the figures */
  const char *text;
  /* names of the numbers from which the value is copied, separated by blanks; NULL: none. If one of these numbers was
   * given, the value is not an estimate. */
  const char *given;
  const char *rule; /* reason for the value, which is then an estimate; NULL: the value is a choice */
} vd_template_line;

#define VD_VALUE(T, member, k, number, why)                                                                            \
  { .key = (k), .kind = VD_LINE_VALUE, VD_AT(T, member, double), .given = (number), .rule = (why) }
#define VD_VECTOR3(T, member, k, why)                                                                                  \
  { .key = (k), .kind = VD_LINE_VECTOR, VD_AT(T, member, double *), .rule = (why) }
#define VD_WORD(T, member, k, number, why)                                                                             \
  { .key = (k), .kind = VD_LINE_WORD, VD_AT(T, member, const char *), .given = (number), .rule = (why) }
#define VD_YAML_LINE(T, member, k)                                                                                     \
  { .key = (k), .kind = VD_LINE_YAML, VD_AT(T, member, const char *) }
#define VD_SLOPE(T, member, k, unit, number, why)                                                                      \
  { .key = (k), .kind = VD_LINE_SLOPE, VD_AT(T, member, double), .text = (unit), .given = (number), .rule = (why) }
#define VD_TEXT_LINE(k, yaml)                                                                                          \
  { .key = (k), .kind = VD_LINE_TEXT, .text = (yaml) }
#define VD_WHOLE_ESTIMATE(k)                                                                                           \
  { .key = (k), .kind = VD_LINE_WHOLE, .rule = "" }
#define VD_ESTIMATES_LINE(k)                                                                                           \
  { .key = (k), .kind = VD_LINE_ESTIMATES }

typedef struct vd_page_entry {
  const char *key; /* the full key */
  const vd_template_line *line;
  const void *figures;
  const vd_node *given; /* the mapping of the numbers that the user gave */
} vd_page_entry;

enum { VD_PAGE_ENTRIES = 256 };

/* A file that is being made. */
typedef struct vd_template_page {
  vd_arena *arena;
  vd_diag *d;
  const vd_node *given; /* mapping of the given numbers for the lines that are added next */
  const char *remark;   /* comments for the head of the file, one in each line; NULL: none */
  size_t count;
  vd_page_entry entry[VD_PAGE_ENTRIES];
} vd_template_page;

/* Adds lines to the mapping at `prefix' ("" or ending in '.'). The figures must outlive the page. */
void vd_page_add(vd_template_page *page, const char *prefix, const vd_template_line *line, size_t count,
                 const void *figures);

/* Writes all lines, with comments; false after errors, such as a value outside the range of its key. */
bool vd_page_write(const vd_template_page *page, const struct vd_schema *schema, vd_buf *out);
/* Writes lines of a comment, broken between words; nothing if both texts are empty. */
void vd_page_comment(const char *intro, const char *text, size_t margin, vd_buf *out);

/* A line of a template with several types. */
typedef struct vd_template_choice {
  unsigned only; /* set of VD_WHEN(type) of the types that have the line; 0: all */
  vd_template_line line;
} vd_template_choice;

/* Adds the lines of a type. */
void vd_page_add_type(vd_template_page *page, int type, const vd_template_choice *choice, size_t count,
                      const void *figures);

/* Reports an error at a number that was given; returns false. */
bool vd_page_refuse(const vd_template_page *page, const char *number, const char *format, ...) VD_PRINTF(3, 4);

/* Adds the lines of a template to the page, computed from its numbers; false after errors. */
typedef bool vd_template_maker(const void *numbers, vd_template_page *page);

/* --- tyres --- */

/* Figures that are computed from the numbers of a tyre. */
typedef struct vd_tyre_figures {
  const char *size;
  double load;               /* N */
  double unloaded_radius;    /* m */
  double rolling_radius;     /* m */
  double loaded_radius;      /* m, at the load */
  double vertical_stiffness; /* N/m */
  double friction;
  /* df0, s_max, f_max, s_slide, f_slide at the load and at twice the load */
  double longitudinal[2][5], lateral[2][5];
  double trail, relaxation;                 /* m */
  double rolling_resistance, rolling_speed; /* -, m/s */
  double slip;                              /* rad: slip angle per g at 0.3 g under the load of its axle */
} vd_tyre_figures;

typedef struct vd_tyre_numbers {
  const char *size;
  double load, pressure, friction; /* N, Pa */
  double rolling_resistance;
  /* rad: load over the slope of the side force at 0.3 g (the initial slope is greater, template_tyre.c: stiffening) */
  double slip_per_g;
} vd_tyre_numbers;

extern const struct vd_schema vd_tyre_numbers_schema;

/* Computes the figures. False after an error: the size cannot be read, or the load would press the tyre to its rim.
 * number: the key of the number that gives the size. */
bool vd_tyre_figures_of(const vd_tyre_numbers *n, const char *number, const vd_template_page *page, vd_tyre_figures *f);
/* Adds the keys of the tyre at `prefix'. */
void vd_tyre_lines(const char *prefix, const vd_tyre_figures *f, vd_template_page *page);

/* --- other templates --- */

/* Causes that steer the wheels of an axle in a turn, beyond the steering wheel and the rotation of the body; out of the
 * turn > 0. */
enum vd_steer_part { VD_STEER_ROLL, VD_STEER_SIDE, VD_STEER_ALIGNING, VD_STEERS };

typedef struct vd_car_numbers {
  const char *name, *tyre;
  /* axle_tyre "": `tyre' is the tyre of both axles; files "": none */
  const char *axle_tyre[VD_AXLES], *tyre_file, *axle_file[VD_AXLES];
  double mass, wheelbase, track, front_share, cg_height, width, height; /* kg, m */
  double axle_track[VD_AXLES];                                          /* m; auto: track */
  int body_type, drive;                                                 /* enum vd_body_type, vd_drive */
  double power;                                                         /* W */
  double pressure, friction;                                            /* Pa */
  double ride_frequency, rear_ride_frequency;                           /* Hz */
  double wheel_rate[VD_AXLES];                                          /* N/m; auto: by the frequencies */
  double roll_per_g, understeer_per_g, rear_slip_per_g;                 /* rad */
  double steer[VD_AXLES][VD_STEERS];                                    /* rad per g, out of the turn > 0 */
  double steering_ratio, turning_circle, drag;                          /* -, m, - */
} vd_car_numbers;

extern const struct vd_schema vd_car_numbers_schema, vd_suspension_numbers_schema, vd_scenario_numbers_schema;

vd_template_maker vd_template_of_car, vd_template_of_tyre, vd_template_of_suspension, vd_template_of_scenario;

/* Adds the lines of a car at `prefix'. */
bool vd_car_lines(const char *prefix, const vd_car_numbers *n, vd_template_page *page);

#endif
