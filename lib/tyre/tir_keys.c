/* The keys of tyre property files. */
#include "tyre/tir.h"

#include <math.h>

#define KEY(section, key, member, dimension, value, need)                                                              \
  { section, key, offsetof(vd_mf_def, member), {dimension}, value, need, NULL }
#define MAY    VD_TIR_MAY
#define MUST   VD_TIR_MUST
#define MUST_X VD_TIR_MUST_X
#define MUST_Y VD_TIR_MUST_Y

/* Numbers without a unit that need not be given, one macro for each section. The default is 0, and 1 for a scaling
 * factor. */
#define NUMBER(section, key, member) KEY(section, key, member, VD_TIR_NONE, 0, MAY)
#define VERTICAL(key, member)        NUMBER("VERTICAL", key, member)
#define PATCH(key, member)           NUMBER("CONTACT_PATCH", key, member)
#define CARCASS(key, member)         NUMBER("STRUCTURAL", key, member)
#define SCALE(key, member)           KEY("SCALING_COEFFICIENTS", key, member, VD_TIR_NONE, 1, MAY)
#define ALONG(key, member)           NUMBER("LONGITUDINAL_COEFFICIENTS", key, member)
#define OVERTURNING(key, member)     NUMBER("OVERTURNING_COEFFICIENTS", key, member)
#define ACROSS(key, member)          NUMBER("LATERAL_COEFFICIENTS", key, member)
#define ROLLING(key, member)         NUMBER("ROLLING_COEFFICIENTS", key, member)
#define ALIGNING(key, member)        NUMBER("ALIGNING_COEFFICIENTS", key, member)
#define TURNING(key, member)         NUMBER(VD_TIR_TURN_SLIP, key, member)

/* clang-format off */
static const vd_tir_key keys[] = {
  KEY("MODEL", "FITTYP", fittyp, VD_TIR_NONE, 0, MUST),
  KEY("MODEL", "USE_MODE", use_mode, VD_TIR_NONE, 4, MAY),
  KEY("MODEL", "LONGVL", longvl, VD_TIR_OF_SPEED, 16.7, MAY),
  KEY("MODEL", "VXLOW", vxlow, VD_TIR_OF_SPEED, 1, MAY),
  KEY("DIMENSION", "UNLOADED_RADIUS", unloaded_radius, VD_TIR_OF_LENGTH, 0, MUST),
  KEY("DIMENSION", "WIDTH", width, VD_TIR_OF_LENGTH, 0, MAY),
  KEY("DIMENSION", "ASPECT_RATIO", aspect_ratio, VD_TIR_NONE, 0, MAY),
  KEY("DIMENSION", "RIM_RADIUS", rim_radius, VD_TIR_OF_LENGTH, 0, MAY),
  KEY("DIMENSION", "RIM_WIDTH", rim_width, VD_TIR_OF_LENGTH, 0, MAY),
  KEY("OPERATING_CONDITIONS", "INFLPRES", inflpres, VD_TIR_OF_PRESSURE, 0, MAY),
  KEY("OPERATING_CONDITIONS", "NOMPRES", nompres, VD_TIR_OF_PRESSURE, 0, MAY),
  KEY("INERTIA", "MASS", mass, VD_TIR_OF_MASS, 0, MAY),
  KEY("INERTIA", "IXX", ixx, VD_TIR_OF_INERTIA, 0, MAY),
  KEY("INERTIA", "IYY", iyy, VD_TIR_OF_INERTIA, 0, MAY),
  KEY("VERTICAL", "FNOMIN", fnomin, VD_TIR_OF_FORCE, 0, MUST),
  KEY("VERTICAL", "VERTICAL_STIFFNESS", vertical_stiffness, VD_TIR_FORCE_OVER_LENGTH, 0, MAY),
  KEY("VERTICAL", "VERTICAL_DAMPING", vertical_damping, VD_TIR_OF_DAMPING, 0, MAY),
  VERTICAL("BREFF", breff), VERTICAL("DREFF", dreff), VERTICAL("FREFF", freff),
  KEY("VERTICAL", "Q_RE0", q_re0, VD_TIR_NONE, 1, MAY),
  VERTICAL("Q_V1", q_v1), VERTICAL("Q_V2", q_v2),
  VERTICAL("Q_FZ1", q_fz1), VERTICAL("Q_FZ2", q_fz2), VERTICAL("Q_FZ3", q_fz3), VERTICAL("Q_FCX", q_fcx),
  VERTICAL("Q_FCY", q_fcy), VERTICAL("Q_CAM", q_cam), VERTICAL("PFZ1", pfz1), VERTICAL("Q_FCY2", q_fcy2),
  VERTICAL("Q_CAM1", q_cam1),
  KEY("VERTICAL", "Q_CAM2", q_cam2, VD_TIR_PER_LENGTH, 0, MAY),
  VERTICAL("Q_CAM3", q_cam3),
  KEY("VERTICAL", "Q_FYS1", q_fys1, VD_TIR_OF_FORCE, 0, MAY),
  KEY("VERTICAL", "Q_FYS2", q_fys2, VD_TIR_OF_FORCE, 0, MAY),
  KEY("VERTICAL", "Q_FYS3", q_fys3, VD_TIR_OF_FORCE, 0, MAY),
  KEY("VERTICAL", "BOTTOM_OFFST", bottom_offst, VD_TIR_OF_LENGTH, 0, MAY),
  KEY("VERTICAL", "BOTTOM_STIFF", bottom_stiff, VD_TIR_FORCE_OVER_LENGTH, 0, MAY),
  PATCH("Q_RA1", q_ra1), PATCH("Q_RA2", q_ra2), PATCH("Q_RB1", q_rb1), PATCH("Q_RB2", q_rb2),
  PATCH("Q_A1", q_a1), PATCH("Q_A2", q_a2),
  KEY("STRUCTURAL", "LONGITUDINAL_STIFFNESS", longitudinal_stiffness, VD_TIR_FORCE_OVER_LENGTH, 0, MAY),
  KEY("STRUCTURAL", "LATERAL_STIFFNESS", lateral_stiffness, VD_TIR_FORCE_OVER_LENGTH, 0, MAY),
  CARCASS("PCFX1", pcfx1), CARCASS("PCFX2", pcfx2), CARCASS("PCFX3", pcfx3),
  CARCASS("PCFY1", pcfy1), CARCASS("PCFY2", pcfy2), CARCASS("PCFY3", pcfy3),
  KEY("INFLATION_PRESSURE_RANGE", "PRESMIN", presmin, VD_TIR_OF_PRESSURE, 0, MAY),
  KEY("INFLATION_PRESSURE_RANGE", "PRESMAX", presmax, VD_TIR_OF_PRESSURE, INFINITY, MAY),
  KEY("VERTICAL_FORCE_RANGE", "FZMIN", fzmin, VD_TIR_OF_FORCE, 0, MAY),
  KEY("VERTICAL_FORCE_RANGE", "FZMAX", fzmax, VD_TIR_OF_FORCE, INFINITY, MAY),
  KEY("LONG_SLIP_RANGE", "KPUMIN", kpumin, VD_TIR_NONE, -INFINITY, MAY),
  KEY("LONG_SLIP_RANGE", "KPUMAX", kpumax, VD_TIR_NONE, INFINITY, MAY),
  KEY("SLIP_ANGLE_RANGE", "ALPMIN", alpmin, VD_TIR_OF_ANGLE, -INFINITY, MAY),
  KEY("SLIP_ANGLE_RANGE", "ALPMAX", alpmax, VD_TIR_OF_ANGLE, INFINITY, MAY),
  KEY("INCLINATION_ANGLE_RANGE", "CAMMIN", cammin, VD_TIR_OF_ANGLE, -INFINITY, MAY),
  KEY("INCLINATION_ANGLE_RANGE", "CAMMAX", cammax, VD_TIR_OF_ANGLE, INFINITY, MAY),
  SCALE("LFZO", lfzo), SCALE("LCX", lcx), SCALE("LMUX", lmux), SCALE("LEX", lex), SCALE("LKX", lkx),
  SCALE("LHX", lhx), SCALE("LVX", lvx), SCALE("LGAX", lgax), SCALE("LCY", lcy), SCALE("LMUY", lmuy),
  SCALE("LEY", ley), SCALE("LKY", lky), SCALE("LHY", lhy), SCALE("LVY", lvy), SCALE("LGAY", lgay),
  SCALE("LKYC", lkyc), SCALE("LKZC", lkzc), SCALE("LTR", ltr), SCALE("LRES", lres), SCALE("LGAZ", lgaz),
  SCALE("LXAL", lxal), SCALE("LYKA", lyka), SCALE("LVYKA", lvyka), SCALE("LS", ls), SCALE("LSGKP", lsgkp),
  SCALE("LSGAL", lsgal), SCALE("LMX", lmx), SCALE("LVMX", lvmx), SCALE("LMY", lmy),
  KEY("SCALING_COEFFICIENTS", "LMUV", lmuv, VD_TIR_NONE, 0, MAY),
  SCALE("LMP", lmp),
  KEY("LONGITUDINAL_COEFFICIENTS", "PCX1", pcx1, VD_TIR_NONE, 0, MUST_X),
  KEY("LONGITUDINAL_COEFFICIENTS", "PDX1", pdx1, VD_TIR_NONE, 0, MUST_X),
  ALONG("PDX2", pdx2), ALONG("PDX3", pdx3),
  ALONG("PEX1", pex1), ALONG("PEX2", pex2), ALONG("PEX3", pex3), ALONG("PEX4", pex4),
  KEY("LONGITUDINAL_COEFFICIENTS", "PKX1", pkx1, VD_TIR_NONE, 0, MUST_X),
  ALONG("PKX2", pkx2), ALONG("PKX3", pkx3), ALONG("PHX1", phx1), ALONG("PHX2", phx2),
  ALONG("PVX1", pvx1), ALONG("PVX2", pvx2),
  ALONG("PPX1", ppx1), ALONG("PPX2", ppx2), ALONG("PPX3", ppx3), ALONG("PPX4", ppx4),
  ALONG("RBX1", rbx1), ALONG("RBX2", rbx2), ALONG("RBX3", rbx3),
  KEY("LONGITUDINAL_COEFFICIENTS", "RCX1", rcx1, VD_TIR_NONE, 1, MAY),
  ALONG("REX1", rex1), ALONG("REX2", rex2), ALONG("RHX1", rhx1),
  ALONG("PTX1", ptx1), ALONG("PTX2", ptx2), ALONG("PTX3", ptx3),
  OVERTURNING("QSX1", qsx1), OVERTURNING("QSX2", qsx2), OVERTURNING("QSX3", qsx3), OVERTURNING("QSX4", qsx4),
  OVERTURNING("QSX5", qsx5), OVERTURNING("QSX6", qsx6), OVERTURNING("QSX7", qsx7), OVERTURNING("QSX8", qsx8),
  OVERTURNING("QSX9", qsx9), OVERTURNING("QSX10", qsx10), OVERTURNING("QSX11", qsx11), OVERTURNING("QSX12", qsx12),
  OVERTURNING("QSX13", qsx13), OVERTURNING("QSX14", qsx14), OVERTURNING("PPMX1", ppmx1),
  KEY("LATERAL_COEFFICIENTS", "PCY1", pcy1, VD_TIR_NONE, 0, MUST_Y),
  KEY("LATERAL_COEFFICIENTS", "PDY1", pdy1, VD_TIR_NONE, 0, MUST_Y),
  ACROSS("PDY2", pdy2), ACROSS("PDY3", pdy3),
  ACROSS("PEY1", pey1), ACROSS("PEY2", pey2), ACROSS("PEY3", pey3), ACROSS("PEY4", pey4), ACROSS("PEY5", pey5),
  KEY("LATERAL_COEFFICIENTS", "PKY1", pky1, VD_TIR_NONE, 0, MUST_Y),
  KEY("LATERAL_COEFFICIENTS", "PKY2", pky2, VD_TIR_NONE, 0, MUST_Y),
  ACROSS("PKY3", pky3),
  KEY("LATERAL_COEFFICIENTS", "PKY4", pky4, VD_TIR_NONE, 2, MAY),
  ACROSS("PKY5", pky5), ACROSS("PKY6", pky6), ACROSS("PKY7", pky7),
  ACROSS("PHY1", phy1), ACROSS("PHY2", phy2), ACROSS("PHY3", phy3),
  ACROSS("PVY1", pvy1), ACROSS("PVY2", pvy2), ACROSS("PVY3", pvy3), ACROSS("PVY4", pvy4),
  ACROSS("PPY1", ppy1), ACROSS("PPY2", ppy2), ACROSS("PPY3", ppy3), ACROSS("PPY4", ppy4), ACROSS("PPY5", ppy5),
  ACROSS("RBY1", rby1), ACROSS("RBY2", rby2), ACROSS("RBY3", rby3), ACROSS("RBY4", rby4),
  KEY("LATERAL_COEFFICIENTS", "RCY1", rcy1, VD_TIR_NONE, 1, MAY),
  ACROSS("REY1", rey1), ACROSS("REY2", rey2), ACROSS("RHY1", rhy1), ACROSS("RHY2", rhy2),
  ACROSS("RVY1", rvy1), ACROSS("RVY2", rvy2), ACROSS("RVY3", rvy3), ACROSS("RVY4", rvy4), ACROSS("RVY5", rvy5),
  ACROSS("RVY6", rvy6), ACROSS("PTY1", pty1), ACROSS("PTY2", pty2),
  ROLLING("QSY1", qsy1), ROLLING("QSY2", qsy2), ROLLING("QSY3", qsy3), ROLLING("QSY4", qsy4), ROLLING("QSY5", qsy5),
  ROLLING("QSY6", qsy6),
  KEY("ROLLING_COEFFICIENTS", "QSY7", qsy7, VD_TIR_NONE, 1, MAY),
  ROLLING("QSY8", qsy8),
  ALIGNING("QBZ1", qbz1), ALIGNING("QBZ2", qbz2), ALIGNING("QBZ3", qbz3), ALIGNING("QBZ4", qbz4),
  ALIGNING("QBZ5", qbz5), ALIGNING("QBZ9", qbz9), ALIGNING("QBZ10", qbz10),
  KEY("ALIGNING_COEFFICIENTS", "QCZ1", qcz1, VD_TIR_NONE, 1, MAY),
  ALIGNING("QDZ1", qdz1), ALIGNING("QDZ2", qdz2), ALIGNING("QDZ3", qdz3), ALIGNING("QDZ4", qdz4),
  ALIGNING("QDZ6", qdz6), ALIGNING("QDZ7", qdz7), ALIGNING("QDZ8", qdz8), ALIGNING("QDZ9", qdz9),
  ALIGNING("QDZ10", qdz10), ALIGNING("QDZ11", qdz11),
  ALIGNING("QEZ1", qez1), ALIGNING("QEZ2", qez2), ALIGNING("QEZ3", qez3), ALIGNING("QEZ4", qez4),
  ALIGNING("QEZ5", qez5),
  ALIGNING("QHZ1", qhz1), ALIGNING("QHZ2", qhz2), ALIGNING("QHZ3", qhz3), ALIGNING("QHZ4", qhz4),
  ALIGNING("PPZ1", ppz1), ALIGNING("PPZ2", ppz2),
  ALIGNING("SSZ1", ssz1), ALIGNING("SSZ2", ssz2), ALIGNING("SSZ3", ssz3), ALIGNING("SSZ4", ssz4),
  TURNING("PECP1", pecp1), TURNING("PECP2", pecp2),
  TURNING("PDXP1", pdxp1), TURNING("PDXP2", pdxp2), TURNING("PDXP3", pdxp3), TURNING("PKYP1", pkyp1),
  TURNING("PDYP1", pdyp1), TURNING("PDYP2", pdyp2), TURNING("PDYP3", pdyp3), TURNING("PDYP4", pdyp4),
  TURNING("PHYP1", phyp1), TURNING("PHYP2", phyp2), TURNING("PHYP3", phyp3), TURNING("PHYP4", phyp4),
  TURNING("QDTP1", qdtp1), TURNING("QCRP1", qcrp1), TURNING("QCRP2", qcrp2), TURNING("QBRP1", qbrp1),
  TURNING("QDRP1", qdrp1), TURNING("QDRP2", qdrp2),
};
/* clang-format on */

const vd_tir_key *vd_tir_keys(size_t *count) {
  *count = VD_COUNT(keys);
  return keys;
}

static const vd_tir_alias aliases[] = {
    {"IP", "INFLPRES"}, {"IP_NOM", "NOMPRES"}, {"TIRE_MASS", "MASS"}, {"QREO", "Q_RE0"},
    {"QRE0", "Q_RE0"},  {"QV1", "Q_V1"},       {"QV2", "Q_V2"},       {"QFZ1", "Q_FZ1"},
    {"QFZ2", "Q_FZ2"},  {"QFZ3", "Q_FZ3"},     {"QFCX1", "Q_FCX"},    {"QFCY1", "Q_FCY"},
    {"QPFZ1", "PFZ1"},  {"QPX1", "PPMX1"},     {"QPZ1", "PPZ1"},      {"QPZ2", "PPZ2"},
};

const vd_tir_alias *vd_tir_aliases(size_t *count) {
  *count = VD_COUNT(aliases);
  return aliases;
}
