/* Twist beam: each arm turns about the line through its pivot and the cross beam's shear centre in the middle of the
 * car. */
#include "linkage/corner_rows.h"

#include "base/elementary.h"

/* clang-format off */
#define ONLY .only = VD_WHEN(VD_TWIST_BEAM)

static const vd_field pivot_fields[] = {
  {VD_ROW_POINT(vd_member, chassis[0], "bushing", "pivot of the arm at the chassis")},
  {VD_ROW_POINT(vd_member, chassis[1], "shear_centre",
      "shear centre of the cross beam, in the middle of the car: y = 0")},
};
static const vd_field bushing_fields[] = {VD_ROW_BUSHING_SET VD_ROW_BUSHING(0, 0, "arm", "arm_pivot.bushing")};
static const vd_field mass_fields[] = {
  VD_ROW_MASS_KNUCKLE VD_ROW_KG(corner.member_mass[0], "arm", "mass of the arm with half of the beam; auto: not known")
};
VD_ROW_SCHEMA_OF(vd_member, pivot, "twist beam", pivot_fields);
VD_ROW_SCHEMA_SET(bushings, "bushings of a twist beam", bushing_fields);
VD_ROW_SCHEMA_SET(masses, "masses of a twist beam", mass_fields);

static const char *const ends_names[] = {"welded", "free", NULL};

static const vd_field section_fields[] = {
  {VD_F_POINTS(vd_corner_def, section.points, "points", "m", -10, 10, "[]",
      "points [x, z] of the middle line of its wall; their shear centre lies at arm_pivot.shear_centre"),
      .x_unit = "m", .flags = VD_ANY_ORDER | VD_OMIT_DEFAULT},
  {VD_ROW_AUTO(section.thickness, "thickness", "m", 0, 1, VD_ABOVE, "thickness of its wall")},
  {VD_ROW_AUTO(section.young, "young", "Pa", 0, 1e13, VD_ABOVE, "Young's modulus; auto: 210 kN/mm2, steel")},
  {VD_ROW_AUTO(section.poisson, "poisson", "1", 0, 0.5, 0, "Poisson's ratio; auto: 0.3")},
  {VD_F_CHOICE(vd_corner_def, section.ends, "ends", ends_names, "welded",
      "welded: the arms prevent warping of its ends; free: the ends warp"), .flags = VD_OMIT_DEFAULT},
};
VD_ROW_SCHEMA(section_schema, "section of a beam", section_fields);

#define OWN(member, key, unit, text) {VD_ROW_AUTO(corner.beam.member, key, unit, 0, 1e15, VD_ABOVE, text)}
static const vd_field beam_fields[] = {
  OWN(length, "length", "m",
      "length between the arms; auto: the beam is rigid except in torsion, and has no torsional stiffness"),
  {VD_ROW_BLOCK("section", &section_schema, "open thin-walled section, from which all keys below are computed")},
  OWN(torsion, "torsion", "N m2", "G J, torsional stiffness times length"),
  OWN(bending[0], "bending_x", "N m2", "E I about axis 1, which is x without tilt: bending up and down"),
  OWN(bending[1], "bending_z", "N m2", "E I about axis 3, z without tilt: bending fore and aft"),
  {VD_ROW_AUTO(corner.beam.tilt, "tilt", "rad", -VD_PI, VD_PI, 0,
      "turn of the principal axes 1 and 3 from x and z about y, nose down > 0; auto: 0")},
  OWN(axial, "axial", "N", "E A, stiffness along the beam times length"),
  OWN(shear[0], "shear_x", "N", "k G A along axis 1; auto: no shear deformation"),
  OWN(shear[1], "shear_z", "N", "k G A along axis 3; auto: no shear deformation"),
  {VD_ROW_AUTO(corner.beam.warping, "warping", "N m4", 0, 1e15, 0,
      "E Cw, warping stiffness of ends that cannot warp; auto: 0")},
  {VD_ROW_AUTO(corner.beam.centroid[0], "centroid_x", "m", -10, 10, 0,
      "x of the centroid from the shear centre; auto: 0")},
  {VD_ROW_AUTO(corner.beam.centroid[1], "centroid_z", "m", -10, 10, 0,
      "z of the centroid from the shear centre; auto: 0")},
};
VD_ROW_SCHEMA(beam_schema, "cross beam", beam_fields);

static const vd_field point_fields[] = {
  {VD_ROW_SIDE, ONLY},
  {VD_ROW_MEMBER(0, "arm_pivot", &pivot, "arm and cross beam of a twist beam"), ONLY},
  {VD_ROW_KNUCKLE(&vd_corner_hinge_knuckle_schema), ONLY},
};
static const vd_field part_fields[] = {
  {VD_ROW_BUSHINGS(&bushings), ONLY},
  {VD_ROW_BLOCK("beam", &beam_schema, "elasticity of the cross beam"), ONLY},
  {VD_ROW_MASSES(&masses), ONLY},
};
/* clang-format on */

VD_ROW_GROUPS(twist_beam);

const vd_corner_kind vd_twist_beam = {
    .traits = {.beam = true},
    .members = 1,
    .member = {{.kind = VD_HINGE,
                .name = "arm",
                .point = {"arm_pivot.bushing", "arm_pivot.shear_centre", NULL},
                .bushing = {"arm", NULL}}},
};

/* --- the cross beam --- */

static double or_else(double value, double otherwise) {
  return isnan(value) ? otherwise : value;
}

/* Computes the beam's stiffnesses from the section. They replace the keys that would give them directly. */
static bool by_section(const vd_section_def *def, vd_beam *beam) {
  const double young = or_else(def->young, 210e9), poisson = or_else(def->poisson, 0.3);
  vd_section s;
  if (!vd_section_of(&def->points, def->thickness, &s))
    return false;
  beam->torsion = 0.5 * young / (1.0 + poisson) * s.torsion;
  beam->warping = def->ends == VD_ENDS_WELDED ? young * s.warping : 0.0;
  beam->axial = young * s.area;
  beam->tilt = s.tilt;
  for (int k = 0; k < 2; k++) {
    beam->bending[k] = young * s.bending[k];
    beam->centroid[k] = s.centroid[k] - s.shear_centre[k];
  }
  return true;
}

void vd_corner_complete_beam(vd_corner_def *def, const vd_node *root, vd_diag *d) {
  vd_beam *beam = &def->corner.beam;
  const struct {
    const char *key;
    double *value;
    bool needed;
  } own[] = {{"torsion", &beam->torsion, true},
             {"bending_x", &beam->bending[0], true},
             {"bending_z", &beam->bending[1], true},
             {"axial", &beam->axial, true},
             {"tilt", &beam->tilt, false},
             {"warping", &beam->warping, false},
             {"centroid_x", &beam->centroid[0], false},
             {"centroid_z", &beam->centroid[1], false}};
  bool section = def->section.points.count > 0, any = section || !isnan(def->section.thickness);
  size_t before = vd_diag_errors(d);
  for (int k = 0; k < 2; k++)
    beam->shear[k] = or_else(beam->shear[k], INFINITY);
  for (size_t i = 0; i < VD_COUNT(own); i++)
    any |= !isnan(*own[i].value);
  if (!any && isnan(beam->length) && isinf(beam->shear[0]) && isinf(beam->shear[1])) {
    *beam = (vd_beam){.length = NAN, .shear = {INFINITY, INFINITY}};
    return;
  }
  vd_place place = vd_tree_place(root, "beam");
  if (isnan(beam->length))
    vd_error(d, place, "missing key 'length' in beam");
  if (section && (isnan(def->section.thickness) || def->section.points.count < 2))
    vd_error(d, place, "a section has a thickness and at least two points");
  for (size_t i = 0; i < VD_COUNT(own); i++) {
    if (section && !isnan(*own[i].value))
      vd_error(d, vd_tree_place_in(root, "beam", "%s", own[i].key), "'%s' is that of the section; give one of the two",
               own[i].key);
    if (!section && own[i].needed && isnan(*own[i].value))
      vd_error(d, place, "missing key '%s' in beam; a 'section' may give it instead", own[i].key);
    *own[i].value = or_else(*own[i].value, 0.0);
  }
  beam->given = vd_diag_errors(d) == before;
  if (beam->given && section && !by_section(&def->section, beam))
    vd_error(d, vd_tree_place_in(root, "beam", "section"),
             "the points of the section are on one line; it needs walls in two directions");
}

/* Describes the beam by its stiffnesses, even if a section gave them. */
void vd_corner_describe_beam(vd_corner_def *def) {
  vd_beam *beam = &def->corner.beam;
  def->section = (vd_section_def){.thickness = NAN, .young = NAN, .poisson = NAN};
  if (!beam->given)
    *beam = (vd_beam){false, NAN, NAN, NAN, {NAN, NAN}, NAN, NAN, {NAN, NAN}, {NAN, NAN}};
  for (int k = 0; k < 2; k++)
    beam->shear[k] = isinf(beam->shear[k]) ? NAN : beam->shear[k];
}

double vd_corner_twist_rate(const vd_corner *corner) {
  vd_linkage l;
  if (!corner->beam.given || !vd_linkage_build(&corner->points, VD_EACH, &l))
    return 0.0;
  double twist = vd_twist_per_travel(&l);
  return vd_beam_torsion(&corner->beam) * twist * twist;
}
