/* Fuzzing of the reader of XML: any bytes lead to tags that close each other, with names and attributes within the
 * text, or to an error, never to a crash or a hang. */
#include "fuzz.h"

#include "input/xml.h"

static void check_tag(const vd_xml *x, vd_arena *arena) {
  static const char *const names[] = {"name", "a", "valueReference"};
  if (x->name + x->name_length > x->length || x->attributes + x->tag_length > x->length)
    abort();
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = vd_xml_attribute(x, names[i], arena);
    if (value && strlen(value) > x->tag_length)
      abort();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  vd_arena *arena = vd_arena_create();
  vd_xml x = {.text = vd_arena_copy(arena, (const char *)data, size), .length = size};
  enum vd_xml_tag tag;
  for (size_t last = 0; (tag = vd_xml_next(&x)) == VD_XML_START || tag == VD_XML_END; last = x.at) {
    if (x.depth < 0 || (tag == VD_XML_START && x.at <= last))
      abort();
    if (tag == VD_XML_START)
      check_tag(&x, arena);
  }
  if ((tag == VD_XML_BAD) != (x.error != NULL) || (tag == VD_XML_DONE && x.depth != 0) || vd_xml_line(&x) < 1)
    abort();
  vd_arena_destroy(arena);
  return 0;
}
