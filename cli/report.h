/* The report of vdsim-run: one page for one run, or for several of one manoeuvre. report_vehicle.c and report_track.c
 * run a scenario and keep what the page shows; report_scene.c writes that for the viewer, report_pictures.c draws
 * pictures, report_page.c writes the page. */
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

double *vd_rows_add(vd_rows *r); /* the new row */
static inline double vd_rows_at(const vd_rows *r, size_t row, size_t column) {
  return r->value[row * r->columns + column];
}

/* Columns of a frame. Places and directions are in the world. */
enum {
  VD_FRAME_T,
  VD_FRAME_PLACE,                                    /* m, of the body */
  VD_FRAME_TURN = VD_FRAME_PLACE + 3,                /* quaternion of the body, w first */
  VD_FRAME_WHEEL = VD_FRAME_TURN + 4,                /* m, wheel centres: three numbers for each wheel */
  VD_FRAME_AXLE = VD_FRAME_WHEEL + 3 * VD_WHEELS,    /* unit vectors to the left, three numbers for each wheel */
  VD_FRAME_ROLLED = VD_FRAME_AXLE + 3 * VD_WHEELS,   /* rad, the wheels' spins integrated */
  VD_FRAME_CONTACT = VD_FRAME_ROLLED + VD_WHEELS,    /* m, contact points, three numbers for each wheel */
  VD_FRAME_FORCE = VD_FRAME_CONTACT + 3 * VD_WHEELS, /* N, forces of the ground on the wheels */
  VD_FRAME_RODS = VD_FRAME_FORCE + 3 * VD_WHEELS     /* m, in body axes: both ends of each rod */
};

enum { VD_REPORT_RODS = 48, VD_REPORT_CHANNELS = 64 };

/* The shape of a car, m; the body's axes. */
typedef struct vd_report_car {
  double ahead, behind, width, under, over; /* ends and sides of the box from its origin; under < 0 */
  double radius[VD_WHEELS], half_width[VD_WHEELS];
  double seat[3]; /* the driver's eyes */
  double weight;  /* N, of the whole car: scale of the forces */
  size_t rods;    /* how many */
  int rod_wheel[VD_REPORT_RODS];
} vd_report_car;

typedef struct vd_report_run {
  const char *scenario; /* as it was given */
  const char *title, *car, *level;
  vd_arena *arena;
  vd_report_car shape;
  vd_rows frame, history;
  const char *channel[VD_REPORT_CHANNELS]; /* names of the history's columns; t_s first */
  vd_rows response;                        /* frequency response, as vd_response_rows has it; count 0: none */
  const vd_response_def *response_def;
  vd_metrics metrics;
  vd_metric_set const *set[VD_METRIC_SET_COUNT]; /* that were computed */
  size_t sets;
  vd_run_report report;
  vd_buf warnings, provenance, resolved; /* warnings: one a line */
  /* One of these is the ground: */
  const vd_ground *ground;
  const vd_mesh *mesh;
  double floor;        /* m, with the mesh; NAN: none */
  const vd_path *path; /* NULL: none */
} vd_report_run;

/* Reads and runs a registered source; an exit status. frames: how many at most. */
int vd_report_vehicle(const vd_settings *s, int source, size_t frames, vd_diag *d, vd_report_run *r);
int vd_report_track(const vd_settings *s, int source, size_t frames, vd_diag *d, vd_report_run *r);

/* Columns of the history: the names among a kind's channels that pictures read. Returns how many; index[]: their rows
 * in the table. */
size_t vd_report_channels(const vd_channel *table, size_t count, unsigned level, vd_report_run *r, size_t *index);

/* Body axes turned by the quaternion q, and back into the world. */
void vd_report_turn(const double *q, const double *v, double *out);

/* JSON for the viewer. */
void vd_report_scene(const vd_report_run *run, size_t count, vd_buf *out);

/* Names the channels that pictures read, in run->channel. */
void vd_report_want(vd_report_run *run);
/* Draws the pictures that suit the runs: histories over time, which follow the viewer's clock, and pictures of their
 * sets of metrics. */
void vd_report_histories(const vd_report_run *run, size_t count, vd_buf *out);
void vd_report_pictures(const vd_report_run *run, size_t count, vd_buf *out);

/* The whole page. */
void vd_report_page(const vd_report_run *run, size_t count, vd_buf *out);

/* --report: runs the scenarios and writes the page; an exit status. */
int vd_report_job(const vd_settings *s);

#endif
