/* Tables of the path of a wheel over travel and rack, as measured on a rig or computed from a linkage (K&C: kinematics
 * and compliance). The levels use them as the map of a linkage (linkage_map.h), which vd_wheel_tables_map makes from
 * them.
 *
 * Quantities are those of the left wheel relative to the body. Travel is the rise of the wheel centre from the design
 * position, bump > 0; rack is the displacement of the inner tie rod points, to the left > 0. A table is a grid of both,
 * or of one of them. For wheels that an axle or a beam joins it is a grid of both travels, of the rack, or of all
 * three. A quantity that is in no table is constant. Interpolation is by cubic splines (math/cubic.h), since forces
 * need two continuous derivatives.
 *
 * Knuckles that turn about kingpins on a rigid axle change the heights of the wheel centres. The travels are then those
 * of the axle at the wheel centres' design positions, and z is the height of the wheel centre itself. */
#ifndef VD_WHEEL_TABLES_H
#define VD_WHEEL_TABLES_H

#include "base/text.h"
#include "linkage/linkage_map.h"

/* Quantity, key, SI unit, greatest plausible change, meaning. */
#define VD_TABLED_LIST(Q)                                                                                              \
  Q(TOE, "toe", "rad", 1.5, "toe-in > 0")                                                                              \
  Q(CAMBER, "camber", "rad", 1.0, "top outward > 0")                                                                   \
  Q(X, "x", "m", 1.0, "wheel centre ahead")                                                                            \
  Q(Y, "y", "m", 1.0, "wheel centre outward")                                                                          \
  Q(Z, "z", "m", 1.0, "wheel centre above its design position, for a rigid axle that steers; default: the travel")     \
  Q(KINGPIN, "kingpin_turn", "rad", 1.5, "rotation to the left about the kingpin of such an axle; default: toe-out")   \
  Q(SPIN, "spin", "rad", 1.5, "rotation of the knuckle about the wheel's axle, > 0 as a wheel rolls ahead")            \
  Q(SPRING, "spring_length", "m", 1.0, "length of the spring")                                                         \
  Q(DAMPER, "damper_length", "m", 1.0, "length of the damper")                                                         \
  Q(ENERGY, "bushing_energy", "J", 1e6, "energy that the bushings store without load")                                 \
  Q(BUSHING_TOE, "bushing_toe", "rad", 1.0, "toe by the bushings without load, in addition to that of the table")      \
  Q(BUSHING_CAMBER, "bushing_camber", "rad", 1.0,                                                                      \
    "camber by the bushings without load, in addition to that of the table")                                           \
  Q(BUSHING_X, "bushing_x", "m", 1.0, "wheel centre ahead by the bushings without load, in addition to the table")     \
  Q(BUSHING_Y, "bushing_y", "m", 1.0, "wheel centre outward by the bushings without load, in addition to the table")   \
  Q(BUSHING_SPIN, "bushing_spin", "rad", 1.0,                                                                          \
    "rotation of the knuckle by the bushings without load, in addition to the table")

enum vd_tabled {
#define VD_ENUM(id, key, unit, most, help) VD_TABLED_##id,
  VD_TABLED_LIST(VD_ENUM)
#undef VD_ENUM
      VD_TABLED
};

/* Coordinates. The second one is the rack, or for joined wheels the travel of the other wheel; joined wheels have their
 * rack as the third, as in vd_linkage_map. */
enum vd_table_coordinate { VD_TABLE_TRAVEL, VD_TABLE_SECOND, VD_TABLE_GEAR, VD_TABLE_COORDINATES };

/* A point of a table: the value, its slopes by the first two coordinates, and its mixed derivative by both. */
typedef struct vd_table_point {
  double v, by_travel, by_second, mixed;
} vd_table_point;

/* Values on a grid. */
typedef struct vd_wheel_table {
  size_t count[VD_TABLE_COORDINATES];     /* 1: the table does not depend on this coordinate */
  const double *at[VD_TABLE_COORDINATES]; /* m, rising */
  const double *value[VD_TABLED];         /* [travels][seconds][gears]; NULL: not in this table */
  /* with derivatives; with a gear, the slopes of all numbers by the gear follow */
  const vd_table_point *point[VD_TABLED];
  double design[VD_TABLED]; /* values in the design position */
} vd_wheel_table;

/* All tables of one wheel. A quantity is in one table over both coordinates, or in one over the travel and one over the
 * rack. In the second case the changes from the design position in both tables are added. */
typedef struct vd_wheel_tables {
  bool joined;        /* the second coordinate is the travel of the other wheel: a rigid axle, a twist beam */
  double toe, camber; /* rad, at the design position */
  size_t count;
  const vd_wheel_table *table;
} vd_wheel_tables;

/* Completes a table from its values: its points, and the values in the design position. The arena owns everything. */
void vd_wheel_table_finish(vd_wheel_table *t, vd_arena *arena);

/* Appends all numbers of the tables to `out', so that equal tables can be recognised. */
void vd_wheel_tables_describe(const vd_wheel_tables *t, vd_buf *out);

/* Returns the change of a quantity from the design position, and its derivatives by all coordinates. Beyond the ends of
 * the tables their last cubics continue. */
double vd_wheel_tables_at(const vd_wheel_tables *t, enum vd_tabled q, const double at[VD_TABLE_COORDINATES],
                          double by[VD_TABLE_COORDINATES]);
/* Computes vd_wheel_tables_at for all quantities. */
void vd_wheel_tables_all(const vd_wheel_tables *t, const double at[VD_TABLE_COORDINATES], double value[VD_TABLED],
                         double by[VD_TABLED][VD_TABLE_COORDINATES]);

/* Returns the quantity: its value in the design position plus the change. */
double vd_wheel_tables_value(const vd_wheel_tables *t, enum vd_tabled q, const double at[VD_TABLE_COORDINATES]);

/* Returns whether a quantity is in a table; the second function, whether any table depends on a coordinate. */
bool vd_wheel_tables_have(const vd_wheel_tables *t, enum vd_tabled q);
bool vd_wheel_tables_over(const vd_wheel_tables *t, enum vd_table_coordinate k);

/* Returns the coordinate that is the rack. */
static inline enum vd_table_coordinate vd_wheel_tables_rack(const vd_wheel_tables *t) {
  return t->joined ? VD_TABLE_GEAR : VD_TABLE_SECOND;
}

/* Computes the range of a coordinate that all tables over it cover, m; unlimited without such tables. */
void vd_wheel_tables_range(const vd_wheel_tables *t, enum vd_table_coordinate k, double *from, double *to);

/* Returns the mean steering angle, rad, that the tables of both wheels cover to both sides. */
double vd_wheel_tables_steer(const vd_wheel_tables *left, const vd_wheel_tables *right);

/* Makes the maps of both wheels, like vd_linkage_map_create. right: tables of the right wheel as a left one; they may
 * be the same. The part of most_travel that the tables cover is mapped. */
const vd_linkage_map *vd_wheel_tables_map(const vd_wheel_tables *left, const vd_wheel_tables *right, double most_travel,
                                          double most_steer, vd_arena *arena, enum vd_map_status *status);

#endif
