/* Runs that find the limits of a car: its envelope (g-g-V), its moment diagram, its quasi-steady lap. */
#ifndef VD_LIMITS_RUN_H
#define VD_LIMITS_RUN_H

#include "limits/diagram.h"
#include "limits/envelope.h"
#include "limits/lap.h"
#include "run/rig.h"

struct vd_setting;

/* The source of a lap's envelope. */
enum vd_lap_by { VD_LAP_BY_CAR, VD_LAP_BY_FILE, VD_LAP_BY_MASS };

/* The line of a lap as a table. */
typedef struct vd_line_columns {
  vd_column_def s, curvature, slope, bank, vertical, limit;
} vd_line_columns;

typedef struct vd_line_def {
  vd_measured_def table;
  vd_line_columns columns;
} vd_line_def;

/* The line of a lap within the edges of the track. */
enum vd_racing_goal { VD_RACING_CENTRE, VD_RACING_CURVATURE, VD_RACING_TIME };

typedef struct vd_racing_def {
  int goal;           /* enum vd_racing_goal */
  double track_width; /* m; NAN: the path's room to its edges */
  double car_width;   /* m */
  double margin;      /* m, between the car and the edges */
} vd_racing_def;

/* A car for which limits are sought, and the states that are searched. */
typedef struct vd_limits_car {
  vd_vehicle_def vehicle;
  vd_ground_def ground;
  int level; /* enum vd_level */
  bool lean;
  double most_slip, most_steer; /* rad; most_steer NAN: the largest angle of the steering */
  int gear;                     /* 0: auto */
  double power;                 /* share of the full throttle */
  vd_rig_axis speeds;           /* m/s */
  int directions;
  int axes;           /* 0: directions in the path's axes, 1: in the body's axes */
  vd_rig_axis normal; /* m/s2, acceleration with which the road carries the car */
} vd_limits_car;

typedef struct vd_limits_def {
  const char *title;
  int kind; /* enum vd_scenario_kind */
  vd_limits_car car;
  double at; /* m/s, speed for which an envelope has metrics; NAN: the first speed */
  /* moment diagram */
  double speed;            /* m/s */
  vd_rig_axis slip, steer; /* rad */
  int hold;                /* enum vd_diagram_hold */
  double acceleration;     /* m/s2, acceleration that is held */
  double radius;           /* m, fixed radius of the turn; NAN: the turn rate follows from the acceleration */
  bool turns;              /* false: the car does not turn */
  bool pitch_transfer;
  /* lap */
  int by; /* enum vd_lap_by */
  vd_measured_def table;
  vd_gg_mass mass; /* drag and downforce follow from the members below */
  double drag_area, downforce_area, air_density;
  vd_path_def path;
  vd_line_def line;
  vd_racing_def racing;
  double step; /* m */
  bool closed;
  double start;                /* m/s; NAN: as fast as possible */
  double drive, brake, corner; /* shares of the envelope */
  int sectors;
  /* set by the reader; in the arena */
  const vd_scenario_def *scenario; /* a scenario with this car; NULL: a lap without a car */
  vd_gg from_file;
  vd_path track; /* of `path'; count 0: the line is a table */
  vd_lap_place *place;
  size_t places;
} vd_limits_def;

/* A line along which a lap runs. */
typedef struct vd_lap_line {
  const vd_lap_place *place;
  size_t places;
  double (*room)[2]; /* m, [places]: from the line to the left and the right edge; NULL: not known */
} vd_lap_line;

/* Computes the room of the track at s to the left and to the right, m. False: it is not known. */
bool vd_racing_room(const vd_limits_def *def, double s, double room[2]);

/* Computes the bounds of the car's offset from the path at s, m. False: the track is narrower than the car and its
 * margins. */
bool vd_racing_bounds(const vd_limits_def *def, double s, double *low, double *high);

/* Finds the line, in the arena: the path itself, the line of least curvature, or the line of least time for a lap with
 * an envelope. False: there is no such line. */
bool vd_racing_line(const vd_limits_def *def, const vd_gg *gg, const vd_lap_plan *plan, vd_arena *arena,
                    vd_lap_line *out);

extern const struct vd_schema vd_envelope_schema, vd_diagram_schema, vd_lap_schema;

/* Reads, completes and checks a registered source of this kind. False after errors, all in d. */
bool vd_limits_read_source(enum vd_kind kind, int source, const struct vd_setting *settings, size_t count,
                           vd_arena *arena, vd_diag *d, vd_limits_def *def);

const vd_channel *vd_envelope_columns(size_t *count);
const vd_channel *vd_diagram_columns(size_t *count);
const vd_channel *vd_lap_columns(size_t *count);
extern const vd_metric_set vd_envelope_metrics, vd_diagram_metrics, vd_lap_metrics;

/* Computes and writes rows and metrics; log and metrics may be NULL. options->values receives every row. */
void vd_limits_run(const vd_limits_def *def, const vd_run_options *options, vd_output *log, vd_metrics *metrics,
                   vd_run_report *report);

#endif
