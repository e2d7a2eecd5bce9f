/* Writes a property file from a definition. */
#include "tyre/tir_impl.h"

#include "base/num.h"

#include <math.h>
#include <string.h>

const char *const vd_tir_side_names[] = {"LEFT", "RIGHT", "SYMMETRIC"};

void vd_tir_write_units(vd_buf *out) {
  vd_buf_puts(out, "[UNITS]\nLENGTH = 'meter'\nFORCE = 'newton'\nANGLE = 'radians'\nMASS = 'kg'\nTIME = 'second'\n");
}

static const char *adams_name(const char *key) {
  size_t count;
  const vd_tir_alias *alias = vd_tir_aliases(&count);
  for (size_t i = 0; i < count; i++)
    if (strcmp(alias[i].key, key) == 0)
      return alias[i].adams;
  return key;
}

/* Writes a key. Files for Adams need the name of the format, and names and section of their own for pressures. */
static void write_key(const vd_mf_def *def, const vd_tir_key *key, const char **section, vd_buf *out) {
  bool adams = def->format == VD_MF_PAC2002;
  const char *name = adams ? adams_name(key->key) : key->key;
  const char *in = adams && strcmp(key->section, "OPERATING_CONDITIONS") == 0 ? "TIRE_CONDITIONS" : key->section;
  char number[VD_NUM_MAX];
  if (strcmp(*section, in) != 0) {
    *section = in;
    vd_buf_printf(out, "[%s]\n", in);
    if (strcmp(in, "MODEL") == 0) {
      if (adams)
        vd_buf_puts(out, "PROPERTY_FILE_FORMAT = 'PAC2002'\n");
      vd_buf_printf(out, "TYRESIDE = '%s'\n", vd_tir_side_names[def->side]);
    }
  }
  vd_num_print_shortest(vd_tir_value(def, key), number);
  vd_buf_printf(out, "%s = %s\n", name, number);
}

void vd_tir_write_curve(vd_points curve, vd_buf *out) {
  char x[VD_NUM_MAX], y[VD_NUM_MAX];
  if (curve.count > 0)
    vd_buf_puts(out, "[DEFLECTION_LOAD_CURVE]\n{pen fz}\n");
  for (size_t i = 0; i < curve.count; i++) {
    vd_num_print_shortest(curve.xy[2 * i], x);
    vd_num_print_shortest(curve.xy[2 * i + 1], y);
    vd_buf_printf(out, "%s %s\n", x, y);
  }
}

void vd_tir_write(const vd_mf_def *def, vd_buf *out) {
  size_t count;
  const vd_tir_key *key = vd_tir_keys(&count);
  const char *section = "";
  vd_tir_write_units(out);
  for (size_t i = 0; i < count; i++) {
    double value = vd_tir_value(def, &key[i]);
    bool absent = key[i].value == 0.0 && value == 0.0; /* also true for keys whose value 0 means "not given" */
    if (absent && strcmp(key[i].section, VD_TIR_TURN_SLIP) == 0)
      continue;
    if (vd_tir_has_effect(def, &key[i]) && isfinite(value) &&
        !(absent && key[i].need == VD_TIR_MAY && key[i].dimension[VD_TIR_LENGTH]))
      write_key(def, &key[i], &section, out);
  }
  vd_tir_write_curve(vd_mf_points_list(&def->load_curve), out);
}

void vd_tir_write_head(const char *from, vd_buf *out) {
  vd_buf_puts(out, "[MDI_HEADER]\nFILE_TYPE = 'tir'\nFILE_VERSION = 3.0\nFILE_FORMAT = 'ASCII'\n$ ");
  for (const char *c = from; *c; c++) /* line breaks in the name are replaced */
    vd_buf_add(out, (unsigned char)*c < ' ' ? "?" : c, 1);
  vd_buf_puts(out, ", written by vdsim-run in SI units\n");
}

void vd_tir_write_kept(const char *kept, vd_buf *out) {
  if (*kept)
    vd_buf_printf(out, "$ Not used by vdsim-run: as in the source, in its units.\n%s", kept);
}

void vd_tir_write_file(const vd_mf_def *def, const char *from, const char *kept, vd_buf *out) {
  vd_tir_write_head(from, out);
  vd_tir_write(def, out);
  vd_tir_write_kept(kept, out);
}
