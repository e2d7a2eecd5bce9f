/* Declarations that the files of the grounds share. */
#ifndef VD_GROUND_IMPL_H
#define VD_GROUND_IMPL_H

#include "ground/ground_def.h"
#include "ground/span.h"
#include "input/schema.h"

#define VD_GROUND_FAR 1e6 /* m */

/* Data with which a check reports errors with their places. */
typedef struct vd_ground_context {
  const vd_node *root;
  const char *path; /* the ground's key */
  vd_diag *d;
} vd_ground_context;

/* One kind of ground: its keys, traits and functions. A function that is not needed is NULL. Without `raise` and
 * `contact` the ground is a plane. */
struct vd_ground_variant {
  vd_schema rows; /* its keys, in the order in which they are written; only `field` and `count` are used */
  enum vd_surface surface;
  bool hinted; /* `contact` uses its hint */

  /* Reads files and computes values that are auto. */
  void (*complete)(const vd_ground_context *ctx, vd_ground_def *def, vd_arena *arena);
  void (*check)(const vd_ground_context *ctx, const vd_ground_def *def);
  /* The key that gives the shortest wave. share: length of this wave divided by the key's length; 0: the key is a wave
   * number. NULL: there are no waves. */
  struct {
    const char *key;
    size_t offset;
    double share;
  } waves;
  /* Computes the parameters of the model; NULL: they are def->as. */
  void (*build)(const vd_ground_def *def, vd_ground_shape *shape);

  /* For heights over the plane: adds the heights. */
  void (*raise)(const vd_ground *ground, double x, double y, vd_road *road);
  /* Adds heights at four places, with the same bits as `raise`, and sets the bends of a road that is rough everywhere;
   * NULL: `raise` is called for each place. */
  void (*raise_four)(const vd_ground *ground, const vd_wide *x, const vd_wide *y, vd_roads *roads);
  /* For heights: adds bounds of the second derivatives within a box to *curvature, which is 0 at first. If all hollows
   * have a greater radius than the wheel, the wheel has one contact point; otherwise the search looks for several.
   * NULL: all hollows have a greater radius than any wheel. */
  void (*curvature)(const vd_ground *ground, const vd_box *box, vd_curvature_bounds *curvature);
  /* For heights: returns their greatest slope; NULL: it is VD_GROUND_STEEPEST. */
  double (*steepest)(const vd_ground *ground);

  /* Functions of a solid ground. contact: like vd_ground_contact. nearest: the nearest point in any direction within
   * `range`; NULL: `contact` with an axle of length 0 does this. top: the surface seen from above; NULL: there is
   * none. */
  bool (*contact)(const vd_ground *ground, const vd_disc *disc, int *hint, vd_contact_point *contact);
  bool (*nearest)(const vd_ground *ground, const double *point, const double *up, double range,
                  vd_contact_point *contact);
  bool (*top)(const vd_ground *ground, double x, double y, vd_road *road);
};

/* The rows of all variants, each in its own file, and the list of them (ground_variants.c). */
#define VD_GROUND_PLAIN(value, name)         extern const vd_ground_variant vd_##name##_variant;
#define VD_GROUND_SHAPED(value, name, shape) VD_GROUND_PLAIN(value, name)
VD_GROUND_TYPES(VD_GROUND_SHAPED, VD_GROUND_PLAIN)
const vd_ground_variant *vd_ground_variant_of(const vd_ground_def *def);

/* --- rows that several variants share --- */

/* clang-format off */
#define VD_GROUND_SLOPE_ROWS(type) \
  {VD_F_NUMBER(vd_ground_def, grade, "grade", "rad", -1, 1, 0, "0", \
     "slope along world x, uphill > 0"), .only = VD_WHEN(type)}, \
  {VD_F_NUMBER(vd_ground_def, bank, "bank", "rad", -1, 1, 0, "0", \
     "slope along world y, left side up > 0"), .only = VD_WHEN(type)}

/* member: the member of vd_ground_def that has y_from and y_to. */
#define VD_GROUND_SIDE_ROWS(type, member) \
  {VD_F_NUMBER(vd_ground_def, member.y_from, "y_from", "m", -VD_GROUND_FAR, VD_GROUND_FAR, VD_AUTO, "auto", \
     "world y of the right side; auto: unbounded"), .only = VD_WHEN(type)}, \
  {VD_F_NUMBER(vd_ground_def, member.y_to, "y_to", "m", -VD_GROUND_FAR, VD_GROUND_FAR, VD_AUTO, "auto", \
     "world y of the left side; auto: unbounded"), .only = VD_WHEN(type)}

#define VD_GROUND_SIDE_EDGE_ROW(type, member) \
  {VD_F_NUMBER(vd_ground_def, member, "side_edge", "m", 0, 1e3, VD_ABOVE, "0.2", \
     "width of the transition at a side, centred on it"), .only = VD_WHEN(type)}

/* A number of one type, with an example of its value. */
#define VD_GROUND_NUMBER(type, value, ...) \
  {VD_F_NUMBER(vd_ground_def, __VA_ARGS__), .only = VD_WHEN(type), .example = (value)}

#define VD_GROUND_AT_ROW(type, member) \
  VD_GROUND_NUMBER(type, "20 m", member, "at", "m", -VD_GROUND_FAR, VD_GROUND_FAR, 0, NULL, \
     "world x at which this part of the ground begins")

#define VD_GROUND_LENGTH_ROW(type, member) \
  VD_GROUND_NUMBER(type, "0.6 m", member, "length", "m", 0, 1e5, VD_ABOVE, NULL, "length along x")

#define VD_GROUND_WIDTH_ROW(type, member) \
  VD_GROUND_NUMBER(type, "0.6 m", member, "width", "m", 0, 100, VD_ABOVE, NULL, "width across the road")

#define VD_GROUND_RADIUS_ROW(type, member) \
  VD_GROUND_NUMBER(type, "60 m", member, "radius", "m", 2, 1e5, 0, NULL, "radius of the middle of the road")

#define VD_GROUND_OBSTACLE_ROW(type, member) \
  VD_GROUND_NUMBER(type, "8 cm", member, "height", "m", -20, 20, 0, NULL, "height; < 0: a dip or a step down")

#define VD_GROUND_AMPLITUDE_ROW(type, member) \
  VD_GROUND_NUMBER(type, "30 mm", member, "amplitude", "m", 0, 10, VD_ABOVE, NULL, \
     "peak over the plane; half of the peak-to-peak value")

#define VD_GROUND_WAVES_EDGE_ROW(type, member) \
  {VD_F_NUMBER(vd_ground_def, member, "edge", "m", 0, 1e3, VD_ABOVE | VD_AUTO, "auto", \
     "length over which the waves grow at the start and fade at the end; auto: one period, or " \
     "less if there is no room"), .only = VD_WHEN(type)}

#define VD_GROUND_INTERPOLATION_ROW(type, member) \
  {VD_F_CHOICE(vd_ground_def, member, "interpolation", vd_map_interpolation_names, "bicubic", \
     "interpolation between the heights; bilinear has kinks"), .only = VD_WHEN(type)}

#define VD_GROUND_OUTSIDE_UP_ROW(type, member) \
  {VD_F_NUMBER(vd_ground_def, member, "bank", "rad", -1, 1, 0, "0", \
     "slope across the road, outside up > 0"), .only = VD_WHEN(type)}

#define VD_GROUND_HEIGHT_ROW(type, member) \
  {VD_F_NUMBER(vd_ground_def, member, "z", "m", -1e4, 1e4, 0, "0", \
     "world z of the ground at its start"), .only = VD_WHEN(type)}
/* clang-format on */

/* Length over which a kerb lifts a wheel: because of its size, a tyre rolls onto a kerb over about 0.2 m. */
#define VD_GROUND_KERB_EDGE 0.2 /* m */

/* --- checks that several variants share (ground_check.c) --- */

#define VD_GROUND_STEEPEST 1.7320508075688772 /* tan 60 deg */

vd_place vd_ground_place(const vd_ground_context *ctx, const char *key);

/* Reports an error and returns false if the slope that follows from `key` is too steep. */
bool vd_ground_check_slope(const vd_ground_context *ctx, const char *key, double slope);
/* Checks that two edges fit into the length called `name`. */
void vd_ground_check_edge(const vd_ground_context *ctx, double edge, double length, const char *name);
/* Checks the sides of an obstacle of this height. */
void vd_ground_check_sides(const vd_ground_context *ctx, const vd_sides *sides, double height);

/* --- contact points on heights (height_contact.c) --- */

/* Finds the contact point on heights or a plane, like vd_ground_contact. several: it finds the nearest of all contact
 * points; false: it finds the contact point at which a search from the place below the centre ends. */
bool vd_height_contact(const vd_ground *ground, const vd_disc *disc, bool several, vd_contact_point *contact);

/* --- patches (patch.c) --- */

/* Does the work of raise_four for a random road after ISO 8608. */
void vd_iso8608_raise_four(const vd_ground *ground, const vd_wide *x, const vd_wide *y, vd_roads *roads);

extern const vd_schema vd_patch_schema;
void vd_patch_check(const vd_ground_context *ctx, const vd_ground_def *def);

#endif
