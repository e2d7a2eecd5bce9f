/* The keys of tyre property files. */
#include "tyre/tir.h"

#include <math.h>
#include <string.h>

enum { OLD = VD_TIR_52, NEW = VD_TIR_61 | VD_TIR_62, V62 = VD_TIR_62, ALL = OLD | NEW };

/* exponents of length, force, angle, mass, time */
#define NONE                                                                                                           \
  { 0, 0, 0, 0, 0 }
#define LENGTH                                                                                                         \
  { 1, 0, 0, 0, 0 }
#define PER_LENGTH                                                                                                     \
  { -1, 0, 0, 0, 0 }
#define FORCE                                                                                                          \
  { 0, 1, 0, 0, 0 }
#define ANGLE                                                                                                          \
  { 0, 0, 1, 0, 0 }
#define MASS                                                                                                           \
  { 0, 0, 0, 1, 0 }
#define SPEED                                                                                                          \
  { 1, 0, 0, 0, -1 }
#define PRESSURE                                                                                                       \
  { -2, 1, 0, 0, 0 }
#define INERTIA                                                                                                        \
  { 2, 0, 0, 1, 0 }
#define STIFFNESS                                                                                                      \
  { -1, 1, 0, 0, 0 }
#define DAMPING                                                                                                        \
  { -1, 1, 0, 0, 1 }

#define KEY(section, key, member, dimension, versions, value, need)                                                    \
  { section, key, offsetof(vd_mf_def, member), dimension, versions, value, need }
#define MAY    VD_TIR_MAY
#define MUST   VD_TIR_MUST
#define MUST_X VD_TIR_MUST_X
#define MUST_Y VD_TIR_MUST_Y

/* clang-format off */
static const vd_tir_key keys[] = {
  KEY("MODEL", "FITTYP", fittyp, NONE, ALL, 0, MUST),
  KEY("MODEL", "USE_MODE", use_mode, NONE, ALL, 4, MAY),
  KEY("MODEL", "LONGVL", longvl, SPEED, ALL, 16.7, MAY),
  KEY("MODEL", "VXLOW", vxlow, SPEED, ALL, 1, MAY),
  KEY("DIMENSION", "UNLOADED_RADIUS", unloaded_radius, LENGTH, ALL, 0, MUST),
  KEY("DIMENSION", "WIDTH", width, LENGTH, ALL, 0, MAY),
  KEY("DIMENSION", "ASPECT_RATIO", aspect_ratio, NONE, ALL, 0, MAY),
  KEY("DIMENSION", "RIM_RADIUS", rim_radius, LENGTH, ALL, 0, MAY),
  KEY("DIMENSION", "RIM_WIDTH", rim_width, LENGTH, ALL, 0, MAY),
  KEY("OPERATING_CONDITIONS", "INFLPRES", inflpres, PRESSURE, NEW, 0, MAY),
  KEY("OPERATING_CONDITIONS", "NOMPRES", nompres, PRESSURE, NEW, 0, MAY),
  KEY("INERTIA", "MASS", mass, MASS, ALL, 0, MAY),
  KEY("INERTIA", "IXX", ixx, INERTIA, ALL, 0, MAY),
  KEY("INERTIA", "IYY", iyy, INERTIA, ALL, 0, MAY),
  KEY("VERTICAL", "FNOMIN", fnomin, FORCE, ALL, 0, MUST),
  KEY("VERTICAL", "VERTICAL_STIFFNESS", vertical_stiffness, STIFFNESS, ALL, 0, MAY),
  KEY("VERTICAL", "VERTICAL_DAMPING", vertical_damping, DAMPING, ALL, 0, MAY),
  KEY("VERTICAL", "BREFF", breff, NONE, ALL, 0, MAY),
  KEY("VERTICAL", "DREFF", dreff, NONE, ALL, 0, MAY),
  KEY("VERTICAL", "FREFF", freff, NONE, ALL, 0, MAY),
  KEY("VERTICAL", "Q_RE0", q_re0, NONE, ALL, 1, MAY),
  KEY("VERTICAL", "Q_V1", q_v1, NONE, ALL, 0, MAY),
  KEY("VERTICAL", "Q_V2", q_v2, NONE, ALL, 0, MAY),
  KEY("VERTICAL", "Q_FZ1", q_fz1, NONE, ALL, 0, MAY),
  KEY("VERTICAL", "Q_FZ2", q_fz2, NONE, ALL, 0, MAY),
  KEY("VERTICAL", "Q_FZ3", q_fz3, NONE, ALL, 0, MAY),
  KEY("VERTICAL", "Q_FCX", q_fcx, NONE, ALL, 0, MAY),
  KEY("VERTICAL", "Q_FCY", q_fcy, NONE, ALL, 0, MAY),
  KEY("VERTICAL", "Q_CAM", q_cam, NONE, ALL, 0, MAY),
  KEY("VERTICAL", "PFZ1", pfz1, NONE, NEW, 0, MAY),
  KEY("VERTICAL", "Q_FCY2", q_fcy2, NONE, V62, 0, MAY),
  KEY("VERTICAL", "Q_CAM1", q_cam1, NONE, V62, 0, MAY),
  KEY("VERTICAL", "Q_CAM2", q_cam2, PER_LENGTH, V62, 0, MAY),
  KEY("VERTICAL", "Q_CAM3", q_cam3, NONE, V62, 0, MAY),
  KEY("VERTICAL", "Q_FYS1", q_fys1, FORCE, V62, 0, MAY),
  KEY("VERTICAL", "Q_FYS2", q_fys2, FORCE, V62, 0, MAY),
  KEY("VERTICAL", "Q_FYS3", q_fys3, FORCE, V62, 0, MAY),
  KEY("VERTICAL", "BOTTOM_OFFST", bottom_offst, LENGTH, ALL, 0, MAY),
  KEY("VERTICAL", "BOTTOM_STIFF", bottom_stiff, STIFFNESS, ALL, 0, MAY),
  KEY("STRUCTURAL", "LONGITUDINAL_STIFFNESS", longitudinal_stiffness, STIFFNESS, ALL, 0, MAY),
  KEY("STRUCTURAL", "LATERAL_STIFFNESS", lateral_stiffness, STIFFNESS, ALL, 0, MAY),
  KEY("STRUCTURAL", "PCFX1", pcfx1, NONE, NEW, 0, MAY),
  KEY("STRUCTURAL", "PCFX2", pcfx2, NONE, NEW, 0, MAY),
  KEY("STRUCTURAL", "PCFX3", pcfx3, NONE, NEW, 0, MAY),
  KEY("STRUCTURAL", "PCFY1", pcfy1, NONE, NEW, 0, MAY),
  KEY("STRUCTURAL", "PCFY2", pcfy2, NONE, NEW, 0, MAY),
  KEY("STRUCTURAL", "PCFY3", pcfy3, NONE, NEW, 0, MAY),
  KEY("INFLATION_PRESSURE_RANGE", "PRESMIN", presmin, PRESSURE, NEW, 0, MAY),
  KEY("INFLATION_PRESSURE_RANGE", "PRESMAX", presmax, PRESSURE, NEW, INFINITY, MAY),
  KEY("VERTICAL_FORCE_RANGE", "FZMIN", fzmin, FORCE, ALL, 0, MAY),
  KEY("VERTICAL_FORCE_RANGE", "FZMAX", fzmax, FORCE, ALL, INFINITY, MAY),
  KEY("LONG_SLIP_RANGE", "KPUMIN", kpumin, NONE, ALL, -INFINITY, MAY),
  KEY("LONG_SLIP_RANGE", "KPUMAX", kpumax, NONE, ALL, INFINITY, MAY),
  KEY("SLIP_ANGLE_RANGE", "ALPMIN", alpmin, ANGLE, ALL, -INFINITY, MAY),
  KEY("SLIP_ANGLE_RANGE", "ALPMAX", alpmax, ANGLE, ALL, INFINITY, MAY),
  KEY("INCLINATION_ANGLE_RANGE", "CAMMIN", cammin, ANGLE, ALL, -INFINITY, MAY),
  KEY("INCLINATION_ANGLE_RANGE", "CAMMAX", cammax, ANGLE, ALL, INFINITY, MAY),
  KEY("SCALING_COEFFICIENTS", "LFZO", lfzo, NONE, ALL, 1, MAY),
  KEY("SCALING_COEFFICIENTS", "LCX", lcx, NONE, ALL, 1, MAY),
  KEY("SCALING_COEFFICIENTS", "LMUX", lmux, NONE, ALL, 1, MAY),
  KEY("SCALING_COEFFICIENTS", "LEX", lex, NONE, ALL, 1, MAY),
  KEY("SCALING_COEFFICIENTS", "LKX", lkx, NONE, ALL, 1, MAY),
  KEY("SCALING_COEFFICIENTS", "LHX", lhx, NONE, ALL, 1, MAY),
  KEY("SCALING_COEFFICIENTS", "LVX", lvx, NONE, ALL, 1, MAY),
  KEY("SCALING_COEFFICIENTS", "LGAX", lgax, NONE, OLD, 1, MAY),
  KEY("SCALING_COEFFICIENTS", "LCY", lcy, NONE, ALL, 1, MAY),
  KEY("SCALING_COEFFICIENTS", "LMUY", lmuy, NONE, ALL, 1, MAY),
  KEY("SCALING_COEFFICIENTS", "LEY", ley, NONE, ALL, 1, MAY),
  KEY("SCALING_COEFFICIENTS", "LKY", lky, NONE, ALL, 1, MAY),
  KEY("SCALING_COEFFICIENTS", "LHY", lhy, NONE, ALL, 1, MAY),
  KEY("SCALING_COEFFICIENTS", "LVY", lvy, NONE, ALL, 1, MAY),
  KEY("SCALING_COEFFICIENTS", "LGAY", lgay, NONE, OLD, 1, MAY),
  KEY("SCALING_COEFFICIENTS", "LKYC", lkyc, NONE, NEW, 1, MAY),
  KEY("SCALING_COEFFICIENTS", "LKZC", lkzc, NONE, NEW, 1, MAY),
  KEY("SCALING_COEFFICIENTS", "LTR", ltr, NONE, ALL, 1, MAY),
  KEY("SCALING_COEFFICIENTS", "LRES", lres, NONE, ALL, 1, MAY),
  KEY("SCALING_COEFFICIENTS", "LGAZ", lgaz, NONE, OLD, 1, MAY),
  KEY("SCALING_COEFFICIENTS", "LXAL", lxal, NONE, ALL, 1, MAY),
  KEY("SCALING_COEFFICIENTS", "LYKA", lyka, NONE, ALL, 1, MAY),
  KEY("SCALING_COEFFICIENTS", "LVYKA", lvyka, NONE, ALL, 1, MAY),
  KEY("SCALING_COEFFICIENTS", "LS", ls, NONE, ALL, 1, MAY),
  KEY("SCALING_COEFFICIENTS", "LSGKP", lsgkp, NONE, ALL, 1, MAY),
  KEY("SCALING_COEFFICIENTS", "LSGAL", lsgal, NONE, ALL, 1, MAY),
  KEY("SCALING_COEFFICIENTS", "LMX", lmx, NONE, ALL, 1, MAY),
  KEY("SCALING_COEFFICIENTS", "LVMX", lvmx, NONE, ALL, 1, MAY),
  KEY("SCALING_COEFFICIENTS", "LMY", lmy, NONE, ALL, 1, MAY),
  KEY("SCALING_COEFFICIENTS", "LMUV", lmuv, NONE, ALL, 0, MAY),
  KEY("LONGITUDINAL_COEFFICIENTS", "PCX1", pcx1, NONE, ALL, 0, MUST_X),
  KEY("LONGITUDINAL_COEFFICIENTS", "PDX1", pdx1, NONE, ALL, 0, MUST_X),
  KEY("LONGITUDINAL_COEFFICIENTS", "PDX2", pdx2, NONE, ALL, 0, MAY),
  KEY("LONGITUDINAL_COEFFICIENTS", "PDX3", pdx3, NONE, ALL, 0, MAY),
  KEY("LONGITUDINAL_COEFFICIENTS", "PEX1", pex1, NONE, ALL, 0, MAY),
  KEY("LONGITUDINAL_COEFFICIENTS", "PEX2", pex2, NONE, ALL, 0, MAY),
  KEY("LONGITUDINAL_COEFFICIENTS", "PEX3", pex3, NONE, ALL, 0, MAY),
  KEY("LONGITUDINAL_COEFFICIENTS", "PEX4", pex4, NONE, ALL, 0, MAY),
  KEY("LONGITUDINAL_COEFFICIENTS", "PKX1", pkx1, NONE, ALL, 0, MUST_X),
  KEY("LONGITUDINAL_COEFFICIENTS", "PKX2", pkx2, NONE, ALL, 0, MAY),
  KEY("LONGITUDINAL_COEFFICIENTS", "PKX3", pkx3, NONE, ALL, 0, MAY),
  KEY("LONGITUDINAL_COEFFICIENTS", "PHX1", phx1, NONE, ALL, 0, MAY),
  KEY("LONGITUDINAL_COEFFICIENTS", "PHX2", phx2, NONE, ALL, 0, MAY),
  KEY("LONGITUDINAL_COEFFICIENTS", "PVX1", pvx1, NONE, ALL, 0, MAY),
  KEY("LONGITUDINAL_COEFFICIENTS", "PVX2", pvx2, NONE, ALL, 0, MAY),
  KEY("LONGITUDINAL_COEFFICIENTS", "PPX1", ppx1, NONE, NEW, 0, MAY),
  KEY("LONGITUDINAL_COEFFICIENTS", "PPX2", ppx2, NONE, NEW, 0, MAY),
  KEY("LONGITUDINAL_COEFFICIENTS", "PPX3", ppx3, NONE, NEW, 0, MAY),
  KEY("LONGITUDINAL_COEFFICIENTS", "PPX4", ppx4, NONE, NEW, 0, MAY),
  KEY("LONGITUDINAL_COEFFICIENTS", "RBX1", rbx1, NONE, ALL, 0, MAY),
  KEY("LONGITUDINAL_COEFFICIENTS", "RBX2", rbx2, NONE, ALL, 0, MAY),
  KEY("LONGITUDINAL_COEFFICIENTS", "RBX3", rbx3, NONE, NEW, 0, MAY),
  KEY("LONGITUDINAL_COEFFICIENTS", "RCX1", rcx1, NONE, ALL, 1, MAY),
  KEY("LONGITUDINAL_COEFFICIENTS", "REX1", rex1, NONE, ALL, 0, MAY),
  KEY("LONGITUDINAL_COEFFICIENTS", "REX2", rex2, NONE, ALL, 0, MAY),
  KEY("LONGITUDINAL_COEFFICIENTS", "RHX1", rhx1, NONE, ALL, 0, MAY),
  KEY("LONGITUDINAL_COEFFICIENTS", "PTX1", ptx1, NONE, ALL, 0, MAY),
  KEY("LONGITUDINAL_COEFFICIENTS", "PTX2", ptx2, NONE, ALL, 0, MAY),
  KEY("LONGITUDINAL_COEFFICIENTS", "PTX3", ptx3, NONE, ALL, 0, MAY),
  KEY("OVERTURNING_COEFFICIENTS", "QSX1", qsx1, NONE, ALL, 0, MAY),
  KEY("OVERTURNING_COEFFICIENTS", "QSX2", qsx2, NONE, ALL, 0, MAY),
  KEY("OVERTURNING_COEFFICIENTS", "QSX3", qsx3, NONE, ALL, 0, MAY),
  KEY("OVERTURNING_COEFFICIENTS", "QSX4", qsx4, NONE, NEW, 0, MAY),
  KEY("OVERTURNING_COEFFICIENTS", "QSX5", qsx5, NONE, NEW, 0, MAY),
  KEY("OVERTURNING_COEFFICIENTS", "QSX6", qsx6, NONE, NEW, 0, MAY),
  KEY("OVERTURNING_COEFFICIENTS", "QSX7", qsx7, NONE, NEW, 0, MAY),
  KEY("OVERTURNING_COEFFICIENTS", "QSX8", qsx8, NONE, NEW, 0, MAY),
  KEY("OVERTURNING_COEFFICIENTS", "QSX9", qsx9, NONE, NEW, 0, MAY),
  KEY("OVERTURNING_COEFFICIENTS", "QSX10", qsx10, NONE, NEW, 0, MAY),
  KEY("OVERTURNING_COEFFICIENTS", "QSX11", qsx11, NONE, NEW, 0, MAY),
  KEY("OVERTURNING_COEFFICIENTS", "QSX12", qsx12, NONE, NEW, 0, MAY),
  KEY("OVERTURNING_COEFFICIENTS", "QSX13", qsx13, NONE, NEW, 0, MAY),
  KEY("OVERTURNING_COEFFICIENTS", "QSX14", qsx14, NONE, NEW, 0, MAY),
  KEY("OVERTURNING_COEFFICIENTS", "PPMX1", ppmx1, NONE, NEW, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "PCY1", pcy1, NONE, ALL, 0, MUST_Y),
  KEY("LATERAL_COEFFICIENTS", "PDY1", pdy1, NONE, ALL, 0, MUST_Y),
  KEY("LATERAL_COEFFICIENTS", "PDY2", pdy2, NONE, ALL, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "PDY3", pdy3, NONE, ALL, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "PEY1", pey1, NONE, ALL, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "PEY2", pey2, NONE, ALL, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "PEY3", pey3, NONE, ALL, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "PEY4", pey4, NONE, ALL, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "PEY5", pey5, NONE, NEW, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "PKY1", pky1, NONE, ALL, 0, MUST_Y),
  KEY("LATERAL_COEFFICIENTS", "PKY2", pky2, NONE, ALL, 0, MUST_Y),
  KEY("LATERAL_COEFFICIENTS", "PKY3", pky3, NONE, ALL, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "PKY4", pky4, NONE, NEW, 2, MAY),
  KEY("LATERAL_COEFFICIENTS", "PKY5", pky5, NONE, NEW, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "PKY6", pky6, NONE, NEW, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "PKY7", pky7, NONE, NEW, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "PHY1", phy1, NONE, ALL, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "PHY2", phy2, NONE, ALL, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "PHY3", phy3, NONE, OLD, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "PVY1", pvy1, NONE, ALL, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "PVY2", pvy2, NONE, ALL, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "PVY3", pvy3, NONE, ALL, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "PVY4", pvy4, NONE, ALL, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "PPY1", ppy1, NONE, NEW, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "PPY2", ppy2, NONE, NEW, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "PPY3", ppy3, NONE, NEW, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "PPY4", ppy4, NONE, NEW, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "PPY5", ppy5, NONE, NEW, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "RBY1", rby1, NONE, ALL, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "RBY2", rby2, NONE, ALL, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "RBY3", rby3, NONE, ALL, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "RBY4", rby4, NONE, NEW, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "RCY1", rcy1, NONE, ALL, 1, MAY),
  KEY("LATERAL_COEFFICIENTS", "REY1", rey1, NONE, ALL, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "REY2", rey2, NONE, ALL, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "RHY1", rhy1, NONE, ALL, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "RHY2", rhy2, NONE, ALL, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "RVY1", rvy1, NONE, ALL, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "RVY2", rvy2, NONE, ALL, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "RVY3", rvy3, NONE, ALL, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "RVY4", rvy4, NONE, ALL, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "RVY5", rvy5, NONE, ALL, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "RVY6", rvy6, NONE, ALL, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "PTY1", pty1, NONE, ALL, 0, MAY),
  KEY("LATERAL_COEFFICIENTS", "PTY2", pty2, NONE, ALL, 0, MAY),
  KEY("ROLLING_COEFFICIENTS", "QSY1", qsy1, NONE, ALL, 0, MAY),
  KEY("ROLLING_COEFFICIENTS", "QSY2", qsy2, NONE, ALL, 0, MAY),
  KEY("ROLLING_COEFFICIENTS", "QSY3", qsy3, NONE, ALL, 0, MAY),
  KEY("ROLLING_COEFFICIENTS", "QSY4", qsy4, NONE, ALL, 0, MAY),
  KEY("ROLLING_COEFFICIENTS", "QSY5", qsy5, NONE, NEW, 0, MAY),
  KEY("ROLLING_COEFFICIENTS", "QSY6", qsy6, NONE, NEW, 0, MAY),
  KEY("ROLLING_COEFFICIENTS", "QSY7", qsy7, NONE, NEW, 1, MAY),
  KEY("ROLLING_COEFFICIENTS", "QSY8", qsy8, NONE, NEW, 0, MAY),
  KEY("ALIGNING_COEFFICIENTS", "QBZ1", qbz1, NONE, ALL, 0, MAY),
  KEY("ALIGNING_COEFFICIENTS", "QBZ2", qbz2, NONE, ALL, 0, MAY),
  KEY("ALIGNING_COEFFICIENTS", "QBZ3", qbz3, NONE, ALL, 0, MAY),
  KEY("ALIGNING_COEFFICIENTS", "QBZ4", qbz4, NONE, ALL, 0, MAY),
  KEY("ALIGNING_COEFFICIENTS", "QBZ5", qbz5, NONE, ALL, 0, MAY),
  KEY("ALIGNING_COEFFICIENTS", "QBZ9", qbz9, NONE, ALL, 0, MAY),
  KEY("ALIGNING_COEFFICIENTS", "QBZ10", qbz10, NONE, ALL, 0, MAY),
  KEY("ALIGNING_COEFFICIENTS", "QCZ1", qcz1, NONE, ALL, 1, MAY),
  KEY("ALIGNING_COEFFICIENTS", "QDZ1", qdz1, NONE, ALL, 0, MAY),
  KEY("ALIGNING_COEFFICIENTS", "QDZ2", qdz2, NONE, ALL, 0, MAY),
  KEY("ALIGNING_COEFFICIENTS", "QDZ3", qdz3, NONE, ALL, 0, MAY),
  KEY("ALIGNING_COEFFICIENTS", "QDZ4", qdz4, NONE, ALL, 0, MAY),
  KEY("ALIGNING_COEFFICIENTS", "QDZ6", qdz6, NONE, ALL, 0, MAY),
  KEY("ALIGNING_COEFFICIENTS", "QDZ7", qdz7, NONE, ALL, 0, MAY),
  KEY("ALIGNING_COEFFICIENTS", "QDZ8", qdz8, NONE, ALL, 0, MAY),
  KEY("ALIGNING_COEFFICIENTS", "QDZ9", qdz9, NONE, ALL, 0, MAY),
  KEY("ALIGNING_COEFFICIENTS", "QDZ10", qdz10, NONE, NEW, 0, MAY),
  KEY("ALIGNING_COEFFICIENTS", "QDZ11", qdz11, NONE, NEW, 0, MAY),
  KEY("ALIGNING_COEFFICIENTS", "QEZ1", qez1, NONE, ALL, 0, MAY),
  KEY("ALIGNING_COEFFICIENTS", "QEZ2", qez2, NONE, ALL, 0, MAY),
  KEY("ALIGNING_COEFFICIENTS", "QEZ3", qez3, NONE, ALL, 0, MAY),
  KEY("ALIGNING_COEFFICIENTS", "QEZ4", qez4, NONE, ALL, 0, MAY),
  KEY("ALIGNING_COEFFICIENTS", "QEZ5", qez5, NONE, ALL, 0, MAY),
  KEY("ALIGNING_COEFFICIENTS", "QHZ1", qhz1, NONE, ALL, 0, MAY),
  KEY("ALIGNING_COEFFICIENTS", "QHZ2", qhz2, NONE, ALL, 0, MAY),
  KEY("ALIGNING_COEFFICIENTS", "QHZ3", qhz3, NONE, ALL, 0, MAY),
  KEY("ALIGNING_COEFFICIENTS", "QHZ4", qhz4, NONE, ALL, 0, MAY),
  KEY("ALIGNING_COEFFICIENTS", "PPZ1", ppz1, NONE, NEW, 0, MAY),
  KEY("ALIGNING_COEFFICIENTS", "PPZ2", ppz2, NONE, NEW, 0, MAY),
  KEY("ALIGNING_COEFFICIENTS", "SSZ1", ssz1, NONE, ALL, 0, MAY),
  KEY("ALIGNING_COEFFICIENTS", "SSZ2", ssz2, NONE, ALL, 0, MAY),
  KEY("ALIGNING_COEFFICIENTS", "SSZ3", ssz3, NONE, ALL, 0, MAY),
  KEY("ALIGNING_COEFFICIENTS", "SSZ4", ssz4, NONE, ALL, 0, MAY),
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

/* PAC2002 has the pressure terms of 6.1 and some of its moments, by other names. */
static bool of_pac2002(const char *key) {
  static const char *const names[] = {"PPX",   "PPY1", "PPY2", "PPY3",     "PPY4",    "PPZ1", "PPZ2",
                                      "PPMX1", "QSX",  "QSY",  "INFLPRES", "NOMPRES", "PFZ1"};
  for (size_t i = 0; i < VD_COUNT(names); i++)
    if (strncmp(key, names[i], strlen(names[i])) == 0)
      return true;
  return false;
}

bool vd_tir_has_effect(const vd_mf_def *def, const vd_tir_key *key, unsigned version) {
  return (key->versions & version) || (def->format == VD_MF_PAC2002 && of_pac2002(key->key));
}
