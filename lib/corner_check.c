/* Checks of a corner by name: what geometry cannot be, and what it hardly can. */
#include "base.h"
#include "corner_impl.h"

#include <math.h>

bool vd_corner_check(const vd_corner *corner, const vd_node *root, int source, vd_diag *d) {
  vd_linkage l;
  if (vd_linkage_build(&corner->points, VD_PARALLEL, &l))
    return true;
  vd_error(d, root ? vd_tree_place(root, "type") : (vd_place){.source = source},
           "the travel of the wheel does not determine where its knuckle is: the links are at a dead point");
  return false;
}
