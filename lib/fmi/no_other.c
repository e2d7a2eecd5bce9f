/* A unit is a vehicle. This file stands in for the function that reads inputs of other kinds (vdsim_table.c), and with
 * them suspensions, studies and fits. */
#include "vdsim_impl.h"

bool vd_case_read_other(vd_case *c) {
  vd_error(c->diag, (vd_place){.source = c->source}, "a unit is a vehicle");
  return false;
}
