/* Inputs from a measured file: the driver's inputs of a test become inputs of the scenario.
 *
 *   measured:
 *     file: run12.csv
 *     time: {column: ET, offset: -3}
 *     columns: {steering_wheel: {column: SWA, unit: deg, scale: -1}, speed: {column: V, unit: km/h}}
 *     cutoff: 10 Hz
 *
 * input/measured.h describes the keys. Each named column becomes a table of the input of the same name, as if the
 * scenario contained its points: between them are cubics without overshoot; a gear keeps its last value. */
#ifndef VD_MEASURED_INPUTS_H
#define VD_MEASURED_INPUTS_H

#include "input/measured.h"
#include "sim/inputs.h"

typedef struct vd_measured_columns {
  vd_column_def of[VD_INPUT_KINDS];
} vd_measured_columns;

typedef struct vd_measured_inputs_def {
  vd_measured_def table; /* table.file "": none */
  vd_column_def time;
  vd_measured_columns columns;
  double interval; /* s, interval of even samples; auto */
  double cutoff;   /* Hz, of the filter without phase shift; auto: none */
} vd_measured_inputs_def;

/* Schema for a row with VD_OMIT_DEFAULT and the default "{}". */
extern const struct vd_schema vd_measured_inputs_schema;

/* Reads the file of the mapping at `path' into the inputs and empties the def, so that the resolved scenario needs no
 * other file. False after errors, with places in the file: no time, a time that does not rise, an input that the
 * scenario also gives in another way, a cutoff at half of the sampling frequency or above. */
bool vd_measured_inputs_read(vd_measured_inputs_def *def, const vd_node *root, const char *path, vd_arena *arena,
                             vd_diag *d, vd_inputs_def *inputs);

#endif
