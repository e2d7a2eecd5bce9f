/* A unit contains the scenario of a vehicle and no other input. This file replaces the function of vdsim_table.c that
 * reads inputs of other kinds, so that the binary contains no code for suspensions, studies and fits. */
#include "vdsim_impl.h"

bool vd_case_read_other(vd_case *c) {
  vd_error(c->diag, (vd_place){.source = c->source}, "a unit is a vehicle");
  return false;
}
