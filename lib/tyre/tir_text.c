/* The bytes of a property file as text. Some tools write UTF-16; most files are ASCII, and what is not UTF-8 in them is
 * in comments, so other bytes stay as they are. */
#include "tyre/tir.h"

#include <stdint.h>
#include <string.h>

static void add_code(vd_buf *out, uint32_t code) {
  const char four[] = {(char)(0xf0 | code >> 18), (char)(0x80 | (code >> 12 & 0x3f)), (char)(0x80 | (code >> 6 & 0x3f)),
                       (char)(0x80 | (code & 0x3f))};
  const char three[] = {(char)(0xe0 | code >> 12), four[2], four[3]}, two[] = {(char)(0xc0 | code >> 6), four[3]};
  const char one = (char)code;
  if (code < 0x80)
    vd_buf_add(out, &one, 1);
  else if (code < 0x800)
    vd_buf_add(out, two, sizeof two);
  else if (code < 0x10000)
    vd_buf_add(out, three, sizeof three);
  else
    vd_buf_add(out, four, sizeof four);
}

/* UTF-16 behind its byte order mark; false if it is none: an odd byte, or half of a pair of units. */
static bool decode(const unsigned char *bytes, size_t length, bool big, vd_buf *out) {
  uint32_t high = 0;
  if (length % 2 != 0)
    return false;
  for (size_t i = 2; i < length; i += 2) {
    uint32_t unit = big ? (uint32_t)bytes[i] << 8 | bytes[i + 1] : (uint32_t)bytes[i + 1] << 8 | bytes[i];
    bool leads = unit >= 0xd800 && unit < 0xdc00, trails = unit >= 0xdc00 && unit < 0xe000;
    if (trails != (high != 0))
      return false;
    if (trails)
      add_code(out, 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00));
    else if (!leads)
      add_code(out, unit);
    high = leads ? unit : 0;
  }
  return high == 0;
}

int vd_tir_add_source(vd_diag *d, const char *name, const char *bytes, size_t length) {
  bool little = length >= 2 && memcmp(bytes, "\xff\xfe", 2) == 0,
       big = length >= 2 && memcmp(bytes, "\xfe\xff", 2) == 0;
  if (!little && !big)
    return vd_diag_add_source(d, name, bytes, length);
  vd_buf text = {0};
  bool good = decode((const unsigned char *)bytes, length, big, &text);
  int source = vd_diag_add_source(d, name, good && text.text ? text.text : "", good ? text.length : 0);
  vd_buf_finish(&text);
  if (!good)
    vd_error(d, (vd_place){.source = source}, "the file begins as UTF-16 but is not that; save it as UTF-8");
  return good ? source : -1;
}
