/* Reads the tags of an XML text one after the other: enough of XML 1.0 for descriptions that programs write. Comments,
 * processing instructions, character data and CDATA are skipped; a DOCTYPE, which could define entities, is an error.
 * The text is UTF-8. */
#ifndef VD_XML_H
#define VD_XML_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/* A start tag, the end of an element (also of an empty one, behind its start), the end of the text, or an error. */
enum vd_xml_tag { VD_XML_START, VD_XML_END, VD_XML_DONE, VD_XML_BAD };

typedef struct vd_xml {
  const char *text; /* [length] */
  size_t length, at;
  size_t name, name_length;      /* name of the present element */
  size_t attributes, tag_length; /* text of its attributes */
  int depth;                     /* number of open elements, the present one included */
  bool empty;                    /* the present element is empty, and its end has not been returned */
  const char *error;             /* what is wrong at `at' */
} vd_xml;

/* Reads the next tag. Before the first call, *x is {.text = text, .length = length}. */
enum vd_xml_tag vd_xml_next(vd_xml *x);
/* True if the present element has this name. */
bool vd_xml_is(const vd_xml *x, const char *name);
/* Returns the value of an attribute of the present start tag, with references to characters replaced; NULL if there is
 * none. */
const char *vd_xml_attribute(const vd_xml *x, const char *name, vd_arena *arena);
/* Returns the line of the present place, counted from 1. */
int vd_xml_line(const vd_xml *x);

#endif
