/* The report of vdsim-run: a page for one run, or for several runs of one manoeuvre. report_vehicle.c, report_track.c
 * and report_limits.c run a scenario and keep the data of the page; report_scene.c writes the data of the viewer,
 * report_pictures.c draws pictures, report_page.c writes the page. */
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

enum { VD_REPORT_RODS = 48, VD_REPORT_CHANNELS = 64 };

/* The shape of a car for the viewer, m, in body axes. */
typedef struct vd_report_car {
  double ahead, behind, width, under, over; /* distances of the faces of the box from the body's origin; under < 0 */
  double radius[VD_WHEELS], half_width[VD_WHEELS];
  double seat[3]; /* position of the driver's eyes */
  double weight;  /* N, weight of the whole car, by which the arrows of forces are scaled */
  size_t rods;    /* number of rods */
  int rod_wheel[VD_REPORT_RODS];
} vd_report_car;

typedef struct vd_report_run {
  const char *scenario; /* as it was given */
  const char *title, *car, *level;
  vd_arena *arena;
  vd_report_car shape;
  vd_rows frame, history;
  vd_buf drawn;                            /* pictures of a scenario without a motion, which needs no viewer */
  const char *channel[VD_REPORT_CHANNELS]; /* names of the history's columns; t_s first */
  /* rows of the frequency response in the columns of vd_response_rows; count 0: none */
  vd_rows response;
  const vd_response_def *response_def;
  vd_metrics metrics;
  vd_metric_set const *set[VD_METRIC_SET_COUNT]; /* sets of metrics that were computed */
  size_t sets;
  vd_run_report report;
  vd_buf warnings, provenance, resolved; /* warnings: one a line */
  /* One of the two is the road: */
  const vd_ground *ground;
  const vd_mesh *mesh;
  double floor;        /* m, height of the plane that surrounds the mesh; NAN: none */
  const vd_path *path; /* NULL: none */
} vd_report_run;

/* Reads and runs a registered source; returns an exit status. frames: the largest number of frames to keep. */
int vd_report_vehicle(const vd_settings *s, int source, size_t frames, vd_diag *d, vd_report_run *r);
/* The same of an envelope, a moment diagram or a lap. */
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
/* Draws the pictures that fit the runs: histories over time, which are marked at the viewer's time, and pictures for
 * their sets of metrics. */
void vd_report_histories(const vd_report_run *run, size_t count, vd_buf *out);
void vd_report_pictures(const vd_report_run *run, size_t count, vd_buf *out);

/* Writes the page. */
void vd_report_page(const vd_report_run *run, size_t count, vd_buf *out);

/* Does --report: runs the scenarios and writes the page; returns an exit status. */
int vd_report_job(const vd_settings *s);

#endif
