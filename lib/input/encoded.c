/* Converts the bytes of a file to text. UTF-16, which some tools write, becomes UTF-8. All other files remain as they
 * are: most are ASCII, and bytes that are not UTF-8 usually stand in comments. */
#include "base/text.h"
#include "input/diag.h"

#include <stdint.h>
#include <string.h>

static void add_code(vd_buf *out, uint32_t code) {
  static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0}; /* by the number of bytes that follow */
  const size_t more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  char bytes[4];
  for (size_t i = more; i > 0; i--, code >>= 6)
    bytes[i] = (char)(0x80 | (code & 0x3f));
  bytes[0] = (char)(lead[more] | code);
  vd_buf_add(out, bytes, more + 1);
}

/* Decodes UTF-16 from byte `from` on. Returns false if it is invalid: an odd number of bytes, or half of a surrogate
 * pair. */
static bool decode(const unsigned char *bytes, size_t from, size_t length, bool big, vd_buf *out) {
  uint32_t high = 0;
  if (length % 2 != 0)
    return false;
  for (size_t i = from; i < length; i += 2) {
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

int vd_diag_add_bytes(vd_diag *d, const char *name, const char *bytes, size_t length) {
  const bool mark = length >= 2 && (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0),
             bare = !mark && length >= 4; /* without a mark, every other byte of the first letters is zero */
  bool little = mark ? bytes[0] == '\xff' : bare && bytes[0] && !bytes[1] && bytes[2] && !bytes[3],
       big = mark ? bytes[0] == '\xfe' : bare && !bytes[0] && bytes[1] && !bytes[2] && bytes[3];
  if (!little && !big)
    return vd_diag_add_source(d, name, bytes, length);
  vd_buf text = {0};
  bool good = decode((const unsigned char *)bytes, mark ? 2 : 0, length, big, &text);
  int source = vd_diag_add_source(d, name, good && text.text ? text.text : "", good ? text.length : 0);
  vd_buf_finish(&text);
  if (!good)
    vd_error(d, (vd_place){.source = source}, "the file begins as UTF-16 but is not valid UTF-16; save it as UTF-8");
  return good ? source : -1;
}
