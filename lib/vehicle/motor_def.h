/* The keys of an electric motor. */
#ifndef VD_MOTOR_DEF_H
#define VD_MOTOR_DEF_H

#include "base/arena.h"
#include "base/list.h"
#include "base/wheel.h"
#include "input/diag.h"
#include "input/measured.h"
#include "input/tree.h"
#include "vehicle/motor.h"

/* A file with a row for each combination of speed, torque and voltage. */
typedef struct vd_motor_table_def {
  vd_measured_def file;
  const vd_multilinear *table; /* set when it was read; NULL: there is no file */
} vd_motor_table_def;

/* Members that are also in vd_motor_electric have the same meaning. */
typedef struct vd_motor_electric_def {
  double voltage;
  double constant, copper, iron, windage;
  double inverter_constant, inverter_share;
  vd_motor_table_def loss_map, torque_limit;
} vd_motor_electric_def;

typedef struct vd_motor_def {
  int at; /* enum vd_motor_at */
  double max_torque, max_power, ratio, inertia, stiffness, damping;
  vd_motor_electric_def electric;
} vd_motor_def;

extern const struct vd_schema vd_motor_electric_schema, vd_motor_schema;

/* Returns the axle of a motor that is not at the gearbox. */
int vd_motor_axle(int at);

/* Reads the tables; path: the key of the electric side in root. */
void vd_motor_electric_complete(vd_motor_electric_def *e, const vd_node *root, const char *path, vd_arena *arena,
                                vd_diag *d);

/* Checks a list of vd_motor_def; path: the drivetrain's key in root; engine: the drivetrain also has an engine, and so
 * a gearbox. */
void vd_motors_check(const vd_structs *motors, bool engine, const vd_node *root, const char *path, vd_diag *d);

void vd_motor_electric_build(const vd_motor_electric_def *def, vd_motor_electric *e);
void vd_motor_build(const vd_motor_def *def, vd_motor *m);

#endif
