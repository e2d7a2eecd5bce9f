#include "input/xml.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64 };

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool ends_name(char c) {
  return is_space(c) || strchr("/>=<\"'", c) != NULL; /* true for NUL */
}

static enum vd_xml_tag bad(vd_xml *x, const char *error) {
  x->error = error;
  return VD_XML_BAD;
}

static bool begins(const vd_xml *x, const char *with) {
  size_t length = strlen(with);
  return x->length - x->at >= length && memcmp(x->text + x->at, with, length) == 0;
}

/* Moves behind the next occurrence of `end`. Returns false if there is none. */
static bool skip_past(vd_xml *x, const char *end) {
  const size_t start = x->at;
  while (x->at < x->length && !begins(x, end))
    x->at++;
  bool found = x->at < x->length;
  x->at = found ? x->at + strlen(end) : start;
  return found;
}

static size_t name_at(const vd_xml *x, size_t at) {
  size_t end = at;
  while (end < x->length && !ends_name(x->text[end]))
    end++;
  return end - at;
}

/* Moves to the next tag of an element. Returns false after an error. */
static bool skip_other(vd_xml *x) {
  for (;;) {
    while (x->at < x->length && x->text[x->at] != '<')
      x->at++;
    bool found = begins(x, "<!--")        ? skip_past(x, "-->")
                 : begins(x, "<![CDATA[") ? skip_past(x, "]]>")
                 : begins(x, "<?")        ? skip_past(x, "?>")
                                          : x->at == x->length || !begins(x, "<!");
    if (!found)
      x->error = begins(x, "<!--") || begins(x, "<![CDATA[") || begins(x, "<?") ? "a comment or section has no end"
                                                                                : "a document type is not read";
    if (!found || x->at == x->length || (x->text[x->at] == '<' && !begins(x, "<!") && !begins(x, "<?")))
      return found;
  }
}

static enum vd_xml_tag end_tag(vd_xml *x) {
  x->name = x->at + 2;
  x->name_length = name_at(x, x->name);
  x->at = x->name + x->name_length;
  while (x->at < x->length && is_space(x->text[x->at]))
    x->at++;
  if (!begins(x, ">") || x->depth == 0)
    return bad(x, "an end without a start");
  x->at++;
  x->depth--;
  return VD_XML_END;
}

static enum vd_xml_tag start_tag(vd_xml *x) {
  x->name = x->at + 1;
  x->name_length = name_at(x, x->name);
  x->attributes = x->at = x->name + x->name_length;
  for (char quote = '\0'; x->at < x->length && (quote || x->text[x->at] != '>'); x->at++) {
    char c = x->text[x->at];
    if (c == '<')
      return bad(x, "'<' within a tag");
    quote = quote ? (c == quote ? '\0' : quote) : c == '"' || c == '\'' ? c : '\0';
  }
  if (x->at == x->length || x->name_length == 0 || x->depth == DEEPEST)
    return bad(x, x->depth == DEEPEST ? "elements are nested too deeply" : "a tag without a name or an end");
  x->empty = x->text[x->at - 1] == '/';
  x->tag_length = x->at - x->attributes - (x->empty ? 1 : 0);
  x->at++;
  x->depth++;
  return VD_XML_START;
}

enum vd_xml_tag vd_xml_next(vd_xml *x) {
  if (x->empty) {
    x->empty = false;
    x->depth--;
    return VD_XML_END;
  }
  if (!skip_other(x))
    return VD_XML_BAD;
  if (x->at == x->length)
    return x->depth == 0 ? VD_XML_DONE : bad(x, "an element has no end");
  return begins(x, "</") ? end_tag(x) : start_tag(x);
}

bool vd_xml_is(const vd_xml *x, const char *name) {
  return strlen(name) == x->name_length && memcmp(name, x->text + x->name, x->name_length) == 0;
}

/* Writes the character that a reference such as &lt; or &#x20; means. Returns the length of the reference, or 0 if the
 * text is not one. */
static size_t reference(const char *text, size_t length, vd_buf *out) {
  static const struct {
    const char *name, *value;
  } known[] = {{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}, {"&apos;", "'"}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (length >= strlen(known[i].name) && memcmp(text, known[i].name, strlen(known[i].name)) == 0) {
      vd_buf_puts(out, known[i].value);
      return strlen(known[i].name);
    }
  const char *end = memchr(text, ';', length);
  if (length < 4 || text[1] != '#' || !end)
    return 0;
  char *stop;
  long code = strtol(text + 2 + (text[2] == 'x'), &stop, text[2] == 'x' ? 16 : 10);
  if (stop != end || code <= 0 || code > 127)
    return 0; /* names of variables are ASCII */
  vd_buf_add(out, &(char){(char)code}, 1);
  return (size_t)(end - text) + 1;
}

static const char *decoded(const char *text, size_t length, vd_arena *arena) {
  vd_buf out = {0};
  for (size_t i = 0, skip; i < length; i += skip) {
    skip = text[i] == '&' ? reference(text + i, length - i, &out) : 0;
    if (skip == 0) {
      vd_buf_add(&out, text + i, 1);
      skip = 1;
    }
  }
  const char *value = vd_arena_copy(arena, out.text ? out.text : "", out.length);
  vd_buf_finish(&out);
  return value;
}

const char *vd_xml_attribute(const vd_xml *x, const char *name, vd_arena *arena) {
  const vd_xml tag = {.text = x->text, .length = x->attributes + x->tag_length};
  for (size_t at = x->attributes; at < tag.length;) {
    while (at < tag.length && is_space(tag.text[at]))
      at++;
    size_t from = at, size = name_at(&tag, at);
    at += size;
    while (at < tag.length && (is_space(tag.text[at]) || tag.text[at] == '='))
      at++;
    const char *quote = at < tag.length ? tag.text + at : NULL;
    const char *end =
        quote && (*quote == '"' || *quote == '\'') ? memchr(quote + 1, *quote, tag.length - at - 1) : NULL;
    if (!end)
      return NULL;
    if (size == strlen(name) && memcmp(tag.text + from, name, size) == 0)
      return decoded(quote + 1, (size_t)(end - quote) - 1, arena);
    at = (size_t)(end - tag.text) + 1;
  }
  return NULL;
}

int vd_xml_line(const vd_xml *x) {
  int line = 1;
  for (size_t i = 0; i < x->at && i < x->length; i++)
    line += x->text[i] == '\n';
  return line;
}
