#include "json.h"

#include "base/num.h"

#include <stdio.h>
#include <string.h>

static void add_text(const char *text, size_t length, vd_buf *out) {
  vd_buf_puts(out, "\"");
  vd_buf_quote(out, text, length);
  vd_buf_puts(out, "\"");
}

static bool is_number(const char *text, size_t length) {
  double value;
  size_t used;
  return vd_num_parse(text, length, &value, &used) && used == length;
}

/* --- tables --- */

/* Takes the field at *text, without its quotes and without the apostrophe that vd_csv_text puts before text that looks
 * like a formula; moves *text to the separator or line end after the field. */
static void take_field(const char **text, char separator, vd_buf *out) {
  const char ends[] = {separator, '\n', '\0'}, *p = *text;
  out->length = 0;
  if (separator != ',' || *p != '"') {
    size_t length = strcspn(p, ends);
    vd_buf_add(out, p, length);
    *text = p + length;
    return;
  }
  p += p[1] == '\'' && p[2] && strchr("=+-@\t\r\n\xef", p[2]) ? 2 : 1;
  for (;; p++) {
    size_t length = strcspn(p, "\"");
    vd_buf_add(out, p, length);
    p += length;
    if (*p != '"' || *++p != '"')
      break;
    vd_buf_puts(out, "\"");
  }
  *text = p;
}

/* Takes the next word of *names, or the next field if *names is the header of a table. */
static void take_name(const char **names, char separator, vd_buf *out) {
  take_field(names, separator, out);
  *names += **names == separator;
}

static bool is_listed(const char *name, const char *numbers) {
  char word[80];
  snprintf(word, sizeof word, " %s ", name);
  return numbers && strstr(numbers, word);
}

static void add_field(const char *name, const char *text, size_t length, const char *numbers, vd_buf *out) {
  add_text(name, strlen(name), out);
  vd_buf_puts(out, ": ");
  if (!is_listed(name, numbers))
    add_text(text, length, out);
  else if (is_number(text, length))
    vd_buf_add(out, text, length);
  else
    vd_buf_puts(out, "null");
}

void vd_json_table(const char *text, char separator, const char *names, const char *numbers, vd_buf *out) {
  vd_buf name = {0}, field = {0};
  const char *head = names ? names : text, *before = "\n";
  if (!names && text)
    text = strchr(text, '\n') ? strchr(text, '\n') + 1 : NULL;
  vd_buf_puts(out, "[");
  while (text && *text) {
    const char *next = head;
    vd_buf_printf(out, "%s  {", before);
    for (bool more = true; more; text += more) {
      take_name(&next, names ? ' ' : separator, &name);
      take_field(&text, separator, &field);
      add_field(name.text, field.text, field.length, numbers, out);
      more = *text == separator;
      vd_buf_puts(out, more ? ", " : "}");
    }
    text += *text == '\n';
    before = ",\n";
  }
  vd_buf_puts(out, *before == ',' ? "\n]" : "]");
  vd_buf_finish(&field);
  vd_buf_finish(&name);
}

/* --- keys --- */

/* Writes a YAML value that is not a list. A quoted text is copied, because it has JSON's escapes. */
static void add_value(const char *text, size_t length, vd_buf *out) {
  bool word = (length == 4 && memcmp(text, "true", 4) == 0) || (length == 5 && memcmp(text, "false", 5) == 0);
  if (word || *text == '"' || is_number(text, length))
    vd_buf_add(out, text, length);
  else
    add_text(text, length, out);
}

void vd_json_object(const char *lines, vd_buf *out) {
  bool items = false;
  const char *before = "";
  vd_buf_puts(out, "{");
  for (const char *line = lines; *line; line += strcspn(line, "\n"), line += *line == '\n') {
    size_t length = strcspn(line, "\n"), key = strcspn(line, ":");
    bool item = strncmp(line, "  - ", 4) == 0;
    if (items && !item)
      vd_buf_puts(out, "]");
    items = item;
    vd_buf_puts(out, before);
    before = ", ";
    if (item) {
      add_value(line + 4, length - 4, out);
      continue;
    }
    add_text(line, key, out);
    vd_buf_puts(out, ": ");
    items = key + 1 == length;
    if (items)
      before = "[";
    else
      add_value(line + key + 2, length - key - 2, out);
  }
  vd_buf_puts(out, items ? "]}" : "}");
}

void vd_json_results(const char *provenance, const char *what, const char *csv, const char *numbers, vd_buf *out) {
  vd_buf_puts(out, "{\"provenance\": ");
  vd_json_object(provenance, out);
  vd_buf_printf(out, ",\n\"%s\": ", what);
  vd_json_table(csv, ',', NULL, numbers, out);
  vd_buf_puts(out, "}\n");
}
