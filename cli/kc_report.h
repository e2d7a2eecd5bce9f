/* The report of vdsim-kc-sweep: kc_report.c sweeps, moves the linkage and writes the page; kc_report_sheets.c draws. */
#ifndef VD_KC_REPORT_H
#define VD_KC_REPORT_H

#include "kc_sweep_settings.h"
#include "rods.h"

#include "kc/xcheck.h"

/* Rows of a sweep in the field's units, as vdsim-kc-sweep writes them. */
typedef struct vd_kc_data {
  vd_buf text; /* CSV text, which the names point into */
  const char *name[VD_KC_COLUMNS];
  size_t columns, rows;
  int *sweep;    /* enum vd_kc_sweep of each row */
  double *value; /* [rows][columns]; NAN: no value */
  vd_buf messages, remark;
} vd_kc_data;

/* The suspension or table whose curves are drawn over those of the page. */
typedef struct vd_kc_reference {
  const char *path; /* NULL: there is no reference */
  vd_xcheck_side side;
  vd_kc_data parallel, opposite; /* sweeps of a corner */
  /* only if the reference is a table: figures of the page's suspension at the design position */
  vd_kc_data datum;
  vd_xcheck_tolerance tolerance;
} vd_kc_reference;

/* A linkage at a travel or a rack displacement, m. */
typedef struct vd_kc_frame {
  double at;
  size_t rods; /* number of rods: first the links, then springs and dampers with their push rods and rockers */
  double rod[VD_RODS_AND_ELEMENTS_MAX][6];
  int kind[VD_RODS_AND_ELEMENTS_MAX]; /* enum vd_rod */
  int wheels;                         /* number of wheels: 2 for a rigid axle; else 1, the left wheel */
  double centre[2][3], axle[2][3], contact[3];
} vd_kc_frame;

/* Poses over the travel of both wheels, or over the rack. */
typedef struct vd_kc_poses {
  enum vd_kc_sweep sweep; /* VD_KC_TRAVEL or VD_KC_RACK */
  /* frames of the left wheel, and of the left wheel whose mirror image is the right wheel */
  vd_kc_frame (*frame)[2];
  size_t frames; /* ordered from the lowest to the highest value; 0: the linkage cannot make this motion */
} vd_kc_poses;

enum { VD_KC_POSES = 2 };

typedef struct vd_kc_page {
  const vd_corner *corner;
  const vd_kc_sweep_settings *settings;
  vd_kc_plan plan; /* the plan in the settings, with ranges from low to high */
  vd_kc_data parallel, opposite;
  vd_kc_poses motion[VD_KC_POSES]; /* poses over travel, and over the rack */
  vd_kc_frame design;
  vd_kc_reference reference;
  const char *resolved;
} vd_kc_page;

/* vd_kc_views draws the linkage in three views over a motion. vd_kc_sheets draws a group of panels for each sweep;
 * empty panels are left out. */
void vd_kc_views(const vd_kc_page *p, const vd_kc_poses *m, vd_buf *out);
void vd_kc_sheets(const vd_kc_page *p, vd_arena *arena, vd_buf *out);

/* Prints each line of the messages after the file name and the severity. */
void vd_kc_say(const char *path, const char *severity, const vd_buf *messages);

/* Does --report; returns an exit status. */
int vd_kc_report_page(const vd_kc_sweep_settings *s, const vd_corner *corner, const char *resolved, vd_arena *arena,
                      vd_diag *d);

#endif
