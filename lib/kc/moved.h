/* A linkage of which one figure changes: the places of its points and links as numbers with three infinitesimals
 * (math/tri.h), the third of which is the change. By this a figure of any order in travel or load has its derivative by
 * a hardpoint or a stiffness. Formulas of links are those of suspension/linkage_part.c. */
#ifndef VD_KC_MOVED_H
#define VD_KC_MOVED_H

#include "math/tri.h"
#include "suspension/corner.h"

enum vd_change_kind {
  VD_CHANGE_NONE,
  VD_CHANGE_POINT,   /* by 1 m along an axis */
  VD_CHANGE_BUSHING, /* these by the share 1 */
  VD_CHANGE_BALL,
  VD_CHANGE_SPRING,
  VD_CHANGE_DRAG_LINK, /* of a rigid axle that steers */
  VD_CHANGE_TIE_ROD,
};

/* Points that stand in one place are one hardpoint and move together; of a rigid axle so do mirror images. */
typedef struct vd_change {
  enum vd_change_kind kind;
  const vd_hardpoints *points;
  const double *place; /* of the hardpoint */
  int axis;            /* of it, or direction of the bushing: 0 to 5 */
  int member, point;   /* of the bushing; of the ball joint at the knuckle */
  bool mirrored;       /* of a right wheel's linkage as a left one: its arms of a relay rod are mirror images */
} vd_change;

/* The displacement of a design place by the change, m/m. */
void vd_change_displacement(const vd_change *q, const double *design, double *e);
vd_tri3 vd_changed_point(const vd_change *q, const double *design);

/* A body at a place of one of its points, which it turned about: by `base' from design, then by `turn', a rotation
 * vector without finite part. */
typedef struct vd_moved_body {
  vd_tri3 origin; /* at design */
  vd_tri3 at;
  double base[3][3];
  vd_tri3 turn;
} vd_moved_body;

/* The turn by b and then by a, both without finite part: a + b + a x b/2 + (a x (a x b) + b x (b x a))/12, where Baker,
 * Campbell and Hausdorff's series ends, since all terms of fourth order are 0. */
vd_tri3 vd_turn_after(vd_tri3 a, vd_tri3 b);

vd_tri3 vd_moved_direction(const vd_moved_body *b, vd_tri3 direction);
vd_tri3 vd_moved_place(const vd_moved_body *b, vd_tri3 design);
vd_tri3 vd_moved_point(const vd_change *q, const vd_moved_body *b, const double *design);

/* Constraints of a member on the knuckle, of which the linkage is built: their values, in the order of its joints.
 * Returns how many. rack: of its steered points. */
int vd_moved_rows(const vd_change *q, const vd_linkage *l, int member, const vd_moved_body *knuckle, vd_tri rack,
                  vd_tri *row);

/* A point of an arm or rod whose joint with the knuckle is at `ball`. */
vd_tri3 vd_moved_link_point(const vd_change *q, const vd_linkage *l, int member, vd_tri3 ball, vd_tri rack,
                            const double *design);
/* The inner end of a rod on a part, along whose line a spring stands: its foot on that line, at design. */
vd_tri3 vd_changed_foot(const vd_change *q, const vd_member *rod, const double *eye);

/* Length of a spring or damper whose eye or push rod's end on its part is at a place. */
vd_tri vd_moved_length(const vd_change *q, const vd_element *element, vd_tri3 end);
/* The same on a linkage without bushings. */
vd_tri vd_moved_element(const vd_change *q, const vd_linkage *l, const vd_element *element,
                        const vd_moved_body *knuckle, vd_tri rack);

/* A linkage of rigid members at a pose, ready for its motion about this to be found. */
typedef struct vd_moved_linkage {
  const vd_linkage *l;
  double at[3], turn[3][3], rack; /* of the knuckle */
  double factors[VD_JOINTS * VD_JOINTS];
  size_t order[VD_JOINTS];
} vd_moved_linkage;

/* In the design position; and of a corner's own linkage at the pose of a rack, m, without travel. */
void vd_moved_linkage_build(const vd_linkage *l, vd_moved_linkage *out);
void vd_moved_linkage_build_at(const vd_linkage *l, const vd_pose *pose, double rack, vd_moved_linkage *out);
/* The knuckle there, moved along a direction of the inputs by a and b. Returns the rack. */
vd_tri vd_moved_pose(const vd_moved_linkage *m, const vd_change *q, const double *along, vd_moved_body *knuckle);

/* The turn of the pitman arm of a relay rod, rad: by the change first, by the rack second. */
vd_jet vd_changed_relay_turn(const vd_change *q, const vd_gear *gear, double rack);

/* The lowest point of the wheel on a knuckle; of a rigid axle of either one. */
vd_tri3 vd_moved_lowest_point(const vd_change *q, const vd_linkage *l, const vd_moved_body *knuckle, bool right);

/* The body that carries a wheel of a rigid axle, moved about the design position: of one that steers its knuckle at a
 * rack, else the axle itself. */
void vd_moved_knuckle(const vd_change *q, const vd_linkage *l, const vd_moved_body *axle, vd_tri rack, bool right,
                      vd_moved_body *knuckle);
/* Where a tie rod joins a drag link between two places; and the joint on its driven side at design. */
vd_tri3 vd_changed_on_drag_link(const vd_change *q, const vd_axle_steer *s, vd_tri3 gear, vd_tri3 end);
vd_tri3 vd_changed_tie_rod(const vd_change *q, const vd_axle_steer *s);

#endif
