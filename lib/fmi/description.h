/* Descriptions of the variables of a functional mock-up unit: modelDescription.xml of FMI 2.0 or 3.0, made from the
 * tables of channels and inputs, and variables.txt, by which the unit itself finds the variable of a reference
 * (fmi/mockup.h). */
#ifndef VD_DESCRIPTION_H
#define VD_DESCRIPTION_H

#include "vdsim_impl.h"

/* A unit to be described. */
typedef struct vd_fmu {
  const char *model; /* name of the unit and its binary: letters, digits and underscores */
  int version;       /* version of FMI: 2 or 3 */
  vd_case *of;       /* case of the unit; its outputs are the channels of the log */
  /* kind of the controller that the unit contains without the car. Inputs of such a unit are the sensors, outputs the
   * requests. NULL: the unit is the car */
  const char *controller;
  const char *const *parameter;
  size_t parameters;
} vd_fmu;

/* Writes both files. The inputs of a car are those that the run accepts at any time (vd_set). Parameters are keys of
 * the scenario with one number. False: the reason is in `problem`. */
bool vd_fmu_describe(const vd_fmu *fmu, vd_buf *problem, vd_buf *xml, vd_buf *variables);

/* Writes the block `controllers' of a scenario that connects a controller without its car to a car; file: the archive
 * of the unit. */
void vd_fmu_wiring(const vd_fmu *fmu, const char *file, vd_buf *out);

#endif
