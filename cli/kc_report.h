/* The report of vdsim-kc-sweep: kc_report.c sweeps, moves the linkage and writes the page, kc_report_sheets.c draws. */
#ifndef VD_KC_REPORT_H
#define VD_KC_REPORT_H

#include "kc_sweep_settings.h"

#include "kc/xcheck.h"

/* Rows of a sweep in the field's units, as vdsim-kc-sweep writes them. */
typedef struct vd_kc_data {
  vd_buf text; /* that the names are in */
  const char *name[VD_KC_COLUMNS];
  size_t columns, rows;
  int *sweep;    /* enum vd_kc_sweep of each row */
  double *value; /* [rows][columns]; NAN: there is none */
  vd_buf messages, remark;
} vd_kc_data;

/* What is drawn over it. */
typedef struct vd_kc_reference {
  const char *path; /* NULL: nothing is */
  vd_xcheck_side side;
  vd_kc_data parallel, opposite; /* sweeps of a corner */
  vd_kc_data datum;              /* of a table: figures of the suspension itself at the design position */
  vd_xcheck_tolerance tolerance;
} vd_kc_reference;

/* A linkage at a travel, m. */
typedef struct vd_kc_frame {
  double travel;
  size_t rods;
  double rod[2 * VD_MEMBERS][6];
  int wheels; /* 2 of a rigid axle, else the left one */
  double centre[2][3], axle[2][3], contact[3];
} vd_kc_frame;

typedef struct vd_kc_page {
  const vd_corner *corner;
  const vd_kc_sweep_settings *settings;
  vd_kc_plan plan; /* the plan in the settings, with ranges from low to high */
  vd_kc_data parallel, opposite;
  vd_kc_frame *frame;
  size_t frames; /* from the lowest to the highest */
  vd_kc_frame design;
  vd_kc_reference reference;
  const char *resolved;
} vd_kc_page;

/* Pictures: the linkage in three views; a sheet for each sweep, without panels that would be empty. */
void vd_kc_views(const vd_kc_page *p, vd_buf *out);
void vd_kc_sheets(const vd_kc_page *p, vd_buf *out);

/* Prints each line of the messages with the file and the severity before it. */
void vd_kc_say(const char *path, const char *severity, const vd_buf *messages);

/* --report: an exit status. */
int vd_kc_report_page(const vd_kc_sweep_settings *s, const vd_corner *corner, const char *resolved, vd_arena *arena,
                      vd_diag *d);

#endif
