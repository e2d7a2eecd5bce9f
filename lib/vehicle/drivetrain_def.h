/* The keys of a drivetrain: motor or engine, gears, differentials. */
#ifndef VD_DRIVETRAIN_DEF_H
#define VD_DRIVETRAIN_DEF_H

#include "base/arena.h"
#include "base/list.h"
#include "input/diag.h"
#include "input/tree.h"
#include "vehicle/drivetrain.h"
#include "vehicle/motor_def.h"

enum vd_drivetrain_type { VD_DRIVETRAIN_MOTOR, VD_DRIVETRAIN_ENGINE, VD_DRIVETRAIN_MOTORS };

/* One row of the torque map: torque over speed at one throttle. */
typedef struct vd_torque_row {
  double throttle;  /* 0..1 */
  vd_points torque; /* N m over rad/s */
} vd_torque_row;

typedef struct vd_drivetrain_def {
  int type;           /* enum vd_drivetrain_type */
  int drive;          /* enum vd_drive */
  double front_share; /* share of the torque, for drive all */
  double inertia;     /* kg m2, of motor or engine, on its own shaft */
  double efficiency;  /* efficiency of the gears: output torque divided by input torque times ratio */
  vd_differential front, rear, centre;
  /* motor: one gear, constant torque up to its power */
  double max_torque; /* N m at the motor */
  double max_power;  /* W; auto (NAN): not limited */
  double ratio;      /* motor speed divided by wheel speed */
  vd_motor_electric_def electric;
  vd_structs motors; /* vd_motor_def; type motors: drive, shares, torque and power follow from them; engine: hybrid */
  vd_points electric_share; /* hybrid: -, over the charge */
  /* engine */
  vd_structs torque_map;       /* vd_torque_row, throttle rising from 0 to 1 */
  double idle, redline;        /* rad/s */
  vd_numbers gears;            /* first to last */
  double reverse;              /* > 0 */
  double final_drive;          /* - */
  double shift_up, shift_down; /* rad/s, of the gearbox input */
  double shift_time;           /* s, without torque */
  double clutch_torque;        /* N m; auto: 1.5 times the greatest engine torque */
  /* rad/s, at which the clutch reaches its greatest torque; auto: idle + (redline - idle)/4 */
  double launch_speed;
} vd_drivetrain_def;

extern const struct vd_schema vd_drivetrain_schema;

/* Sets the values that were `auto`, and reads the tables of motors. `root' and `path' are as for
 * vd_drivetrain_check. */
void vd_drivetrain_complete(vd_drivetrain_def *d, const vd_node *root, const char *path, vd_arena *arena,
                            vd_diag *diag);

/* Checks rules across keys: the map, the gears, the shift speeds. `root` gives the places for messages, `path` is the
 * drivetrain's key in it. */
void vd_drivetrain_check(const vd_drivetrain_def *d, const vd_node *root, const char *path, vd_diag *diag);

/* Builds from a definition that was checked without errors. */
void vd_drivetrain_build(const vd_drivetrain_def *def, vd_drivetrain *d);

#endif
