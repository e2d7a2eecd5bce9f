/* The report of vdsim-run: a page for one run or several. report_vehicle.c, report_track.c and report_limits.c run a
 * scenario and keep the data of the page; report_scene.c writes the data of the viewer, report_pictures.c draws
 * pictures, report_compare.c puts several runs side by side, report_page.c writes the page. The page of --handling
 * (handling.h) is made of the same parts. */
#ifndef VD_REPORT_H
#define VD_REPORT_H

#include "job.h"
#include "plot.h"

#include "run/scenario.h"
#include "run/track_run.h"

/* A table of numbers that grows by rows. */
typedef struct vd_rows {
  size_t columns, count, room;
  double *value; /* [count][columns] */
} vd_rows;

double *vd_rows_add(vd_rows *r); /* adds a row and returns it */
static inline double vd_rows_at(const vd_rows *r, size_t row, size_t column) {
  return r->value[row * r->columns + column];
}

/* Columns of a frame of the viewer. Positions and directions are in world axes unless noted. */
enum {
  VD_FRAME_T,
  VD_FRAME_PLACE,                     /* m, origin of the body */
  VD_FRAME_TURN = VD_FRAME_PLACE + 3, /* orientation of the body as a quaternion, w first */
  VD_FRAME_WHEEL = VD_FRAME_TURN + 4, /* m, wheel centres: three numbers for each wheel */
  /* unit vectors of the wheels' spin axes, to the left; three numbers for each wheel */
  VD_FRAME_AXLE = VD_FRAME_WHEEL + 3 * VD_WHEELS,
  /* rad, rotation angles of the wheels, integrated from the spin speeds */
  VD_FRAME_ROLLED = VD_FRAME_AXLE + 3 * VD_WHEELS,
  VD_FRAME_CONTACT = VD_FRAME_ROLLED + VD_WHEELS,    /* m, contact points, three numbers for each wheel */
  VD_FRAME_FORCE = VD_FRAME_CONTACT + 3 * VD_WHEELS, /* N, forces of the road on the wheels */
  VD_FRAME_RODS = VD_FRAME_FORCE + 3 * VD_WHEELS     /* m, in body axes: both ends of each rod */
};

enum { VD_REPORT_RODS = 48, VD_REPORT_CHANNELS = 256, VD_REPORT_HUES = 6 };

/* The shape of a car for the viewer, m, in body axes. */
typedef struct vd_report_car {
  double ahead, behind, width, under, over; /* distances of the faces of the box from the body's origin; under < 0 */
  double radius[VD_WHEELS], half_width[VD_WHEELS];
  double seat[3]; /* position of the driver's eyes */
  double weight;  /* N, weight of the whole car, by which the arrows of forces are scaled */
  size_t rods;    /* number of rods */
  int rod_wheel[VD_REPORT_RODS];
} vd_report_car;

/* A condition of the run's standard, and whether the run met it. */
typedef struct vd_report_condition {
  const char *metric, *unit, *by;
  double at_least, at_most, value; /* NAN: no bound, no value */
  bool missed;
} vd_report_condition;

typedef struct vd_report_run {
  const char *scenario; /* as it was given */
  const char *title, *car, *level;
  /* name that distinguishes the run from the others of its manoeuvre; NULL: it is the only one */
  const char *name;
  /* types of its inputs and its path: equal for runs of one manoeuvre; NULL: the scenario could not be read */
  const char *inputs;
  int hue;    /* colour of the run in pictures, from 1 */
  bool brief; /* the run has no frames; its history has only what the pictures of --handling need */
  vd_arena *arena;
  vd_report_car shape;
  vd_rows frame, history;
  const char *channel[VD_REPORT_CHANNELS]; /* names of the history's columns; t_s first */
  /* rows of the frequency response in the columns of vd_response_rows; count 0: none */
  vd_rows response;
  const vd_response_def *response_def;
  vd_metrics metrics;
  vd_metric_set const *set[VD_METRIC_SET_COUNT]; /* sets of metrics that were computed */
  size_t sets;
  vd_run_report report;
  const vd_report_condition *condition;
  size_t conditions;
  vd_buf warnings, remarks, estimates; /* one a line */
  vd_buf provenance, resolved;
  /* Either `ground' or `mesh' is the road: */
  const vd_ground *ground;
  const vd_mesh *mesh;
  double floor;        /* m, height of the plane that surrounds the mesh; NAN: none */
  const vd_path *path; /* NULL: none */
  int course;          /* enum vd_path_type of that path */
  vd_rows cone;        /* m, world: x and y of the cones along the path */
} vd_report_run;

/* Reads and runs a scenario, and keeps its messages. Messages of reading are also printed; those of a brief run only if
 * it could not be read. Returns an exit status. frames: the largest number of frames to keep, or rows of a brief
 * run. */
int vd_report_run_one(const vd_settings *s, const char *scenario, size_t frames, vd_report_run *r);
void vd_report_run_finish(vd_report_run *run);
/* These functions read and run a registered source, and do not print the messages of reading. */
int vd_report_vehicle(const vd_settings *s, int source, size_t frames, vd_diag *d, vd_report_run *r);
/* Reads and computes an envelope, a moment diagram or a lap. */
int vd_report_limits(const vd_settings *s, enum vd_kind kind, int source, vd_diag *d, vd_report_run *r);
int vd_report_track(const vd_settings *s, int source, size_t frames, vd_diag *d, vd_report_run *r);

/* Chooses the columns of the history: those of a kind's channels that the pictures use. Returns how many; index[]:
 * their rows in the table of channels. */
size_t vd_report_channels(const vd_channel *table, size_t count, unsigned level, vd_report_run *r, size_t *index);

/* Rotates the vector v from body to world axes by the quaternion q. */
void vd_report_turn(const double *q, const double *v, double *out);

/* Writes the scene for the viewer as JSON. */
void vd_report_scene(const vd_report_run *run, size_t count, vd_buf *out);

/* Sets run->channel to the names of all channels that the pictures use. */
void vd_report_choose_channels(vd_report_run *run);
/* Draws the pictures of the table that fit runs of one manoeuvre: histories over time, which are marked at the viewer's
 * time, and pictures for their sets of metrics, both below a heading of this element ("h2"; NULL: none). For a
 * brief run it draws only pictures that show its manoeuvre. */
void vd_report_pictures(const vd_report_run *run, size_t count, const char *heading, vd_buf *out);
/* Draws the pictures that a kind of scenario has in the table. */
void vd_report_kind_pictures(const vd_report_run *run, vd_buf *out);
/* Draws the understeer budget of each run that has one. */
void vd_report_budget(const vd_report_run *run, size_t count, vd_buf *out);

/* --- several runs: report_compare.c --- */

/* Gives several runs of one manoeuvre names that tell them apart, as short as possible: car, level, title, file or
 * number. */
void vd_report_name_runs(vd_report_run *run, size_t count);
/* Puts runs of one manoeuvre beside each other, in their order. Runs are of one manoeuvre if their inputs are of the
 * same types, and if they have a set of metrics in common. */
void vd_report_sort(vd_report_run *run, size_t count);
/* Returns how many runs from the first one on are of its manoeuvre. */
size_t vd_report_group(const vd_report_run *run, size_t count);
/* Returns the metric of a run with this name; NULL: it has none. */
const vd_metric *vd_report_metric(const vd_report_run *run, const char *name);
/* Writes the metrics of runs of one manoeuvre as a table, with their differences from the first. For brief runs the
 * table omits the figures that every run has, and the understeer budget. */
void vd_report_metrics(const vd_report_run *run, size_t count, vd_buf *out);

/* A key whose values differ between runs. value: one for each run, as its resolved file has it; NULL: the run has no
 * such key. unit: SI; "1": none. help: meaning of the key, if it is a number. */
typedef struct vd_report_key {
  const char *key, *unit, *help;
  const char **value;
} vd_report_key;

/* Finds the keys of the resolved files, below the key `under` (NULL: all), whose values differ. Returns their number;
 * the list is in the arena. */
size_t vd_report_differences(const vd_report_run *run, size_t count, const char *under, vd_arena *arena,
                             vd_report_key **out);
/* Writes the keys as a table. */
void vd_report_keys(const vd_report_run *run, size_t count, const vd_report_key *key, size_t keys, vd_buf *out);

/* --- words and numbers for readers --- */

/* Writes a value with its customary unit, four digits. */
void vd_report_quantity(double value, const char *unit, vd_buf *out);
/* Writes by how much a value is above a reference: "+0.2 (+10 %)"; nothing if the digits that are shown do not differ,
 * or if a value is missing. */
void vd_report_difference(double value, double reference, const char *unit, vd_buf *out);
/* Writes a name so that a line may be broken between its words. */
void vd_report_word(const char *name, vd_buf *out);
/* Begins a table with a column for each run: names of the columns before and after them. */
void vd_report_columns(const vd_report_run *run, size_t count, const char *before, const char *after, vd_buf *out);
/* Begins the cell of a run in such a table. */
void vd_report_cell(const vd_report_run *run, size_t count, vd_buf *out);
/* Writes each line as an element of its own, because HTML shows a line end as a blank. */
void vd_report_lines(const vd_buf *lines, const char *before, const char *after, vd_buf *out);

/* Writes the page. */
void vd_report_page(const vd_report_run *run, size_t count, vd_buf *out);

/* Does --report: runs the scenarios and writes the page; returns an exit status. */
int vd_report_job(const vd_settings *s);

#endif
