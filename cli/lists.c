#include "lists.h"

#include "json.h"
#include "tool.h"

#include "base/arena.h"
#include "base/base.h"
#include "base/memory.h"
#include "base/system.h"
#include "input/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void vd_list_convert(vd_buf *lines, const char *fields, const char *numbers) {
  vd_buf json = {0};
  if (!vd_tool_json())
    return;
  vd_json_table(lines->text, '\t', fields, numbers, &json);
  vd_buf_puts(&json, "\n");
  vd_buf_finish(lines);
  *lines = json;
}

int vd_list_print(vd_buf *lines, const char *fields, const char *numbers) {
  vd_list_convert(lines, fields, numbers);
  fwrite(lines->text, 1, lines->length, stdout);
  vd_buf_finish(lines);
  return vd_tool_close_stdout(VD_EXIT_YES);
}

/* --- keys of one block --- */

/* Converts a key to the form in lists: events.0.steer becomes events[].steer. In a pattern the brackets are escaped, as
 * they must match literally. */
static void as_listed(const char *key, bool pattern, vd_buf *out) {
  for (size_t length; *key; key += length) {
    size_t digits = *key == '.' ? strspn(key + 1, "0123456789") : 0;
    bool index = digits > 0 && (key[digits + 1] == '.' || key[digits + 1] == '\0');
    length = index ? digits + 1 : 1;
    vd_buf_puts(out, pattern && strchr("[]", *key) ? "\\" : "");
    vd_buf_add(out, index ? pattern ? "\\[\\]" : "[]" : key, index ? pattern ? 4 : 2 : 1);
  }
}

/* Copies the path of a listed line to `path`. */
static const char *path_of(const char *line, vd_buf *path) {
  path->length = 0;
  vd_buf_add(path, line, strcspn(line, "\t"));
  return path->text;
}

static const char *after(const char *line) {
  return line + strcspn(line, "\n") + 1;
}

/* Finds the path that a mistyped key most likely means, by three rules in this order: the first path that ends in the
 * key; the most similar path; the first path whose last part is the most similar. NULL: none is similar enough. */
static const char *find_like(const char *const *path, size_t count, const char *key) {
  const char **last = vd_allocate(count, sizeof *last), *like = NULL;
  size_t length = strlen(key);
  for (size_t i = 0; i < count; i++) {
    size_t whole = strlen(path[i]);
    const char *point = strrchr(path[i], '.');
    last[i] = point ? point + 1 : path[i];
    if (!like && whole > length && strcmp(path[i] + whole - length, key) == 0 && path[i][whole - length - 1] == '.')
      like = path[i];
  }
  like = like ? like : vd_suggest(key, path, count);
  const char *near = like ? NULL : vd_suggest(key, last, count);
  for (size_t i = 0; i < count && near && !like; i++)
    like = strcmp(last[i], near) == 0 ? path[i] : NULL;
  free(last);
  return like;
}

static void complain(const vd_buf *lines, const char *block, const char *what) {
  size_t count = 0;
  vd_arena *arena = vd_arena_create();
  for (const char *line = lines->text; *line; line = after(line))
    count++;
  const char **path = vd_arena_alloc(arena, (count + 1) * sizeof *path);
  count = 0;
  for (const char *line = lines->text; *line; line = after(line))
    path[count++] = vd_arena_copy(arena, line, strcspn(line, "\t"));
  const char *like = find_like(path, count, block);
  vd_tool_error("'--list-keys=%s': no such key in %s%s%s%s", block, what, like ? "; did you mean '" : "",
                like ? like : "", like ? "'?" : "");
  vd_arena_destroy(arena);
}

/* Keeps the lines whose path fits a pattern. */
static bool keep(vd_buf *lines, const char *pattern) {
  vd_buf kept = {0}, path = {0};
  for (const char *line = lines->text; *line; line = after(line))
    if (fnmatch(pattern, path_of(line, &path), 0) == 0)
      vd_buf_add(&kept, line, (size_t)(after(line) - line));
  vd_buf_finish(&path);
  vd_buf_finish(lines);
  *lines = kept;
  return kept.length > 0;
}

int vd_list_keys(const vd_schema *schema, const char *block, const char *what) {
  vd_buf lines = {0}, full = {0}, key = {0};
  bool pattern = block && strpbrk(block, "*?") != NULL;
  as_listed(block ? block : "", pattern, &key);
  vd_schema_list_full(schema, &full);
  if (pattern)
    vd_buf_add(&lines, full.text, full.length);
  bool found =
      pattern ? keep(&lines, key.text) : vd_schema_list(schema, block ? key.text ? key.text : "" : NULL, &lines);
  if (!found)
    complain(&full, block, what);
  vd_buf_finish(&key);
  vd_buf_finish(&full);
  if (found)
    return vd_list_print(&lines, "key type unit range default meaning when example", NULL);
  vd_buf_finish(&lines);
  return VD_EXIT_TROUBLE;
}

/* --- JSON Schema --- */

int vd_list_schema_print(vd_schema_defs *defs, vd_buf *root) {
  vd_buf text = {0};
  vd_buf_puts(&text, "{\"$schema\": \"http://json-schema.org/draft-07/schema#\",\n");
  vd_buf_add(&text, root->text, root->length);
  vd_buf_puts(&text, "\n\"definitions\": {\n");
  vd_schema_defs_write(defs, &text);
  vd_buf_puts(&text, "}}\n");
  fwrite(text.text, 1, text.length, stdout);
  vd_buf_finish(&text);
  vd_buf_finish(root);
  return vd_tool_close_stdout(VD_EXIT_YES);
}

int vd_list_schema(const vd_schema *file) {
  vd_arena *arena = vd_arena_create();
  vd_schema_defs *defs = vd_schema_defs_create(arena);
  vd_buf root = {0};
  vd_buf_printf(&root, "\"title\": \"%s of VDSim\", \"allOf\": [", file->name);
  vd_schema_defs_refer(defs, file, &root);
  vd_buf_puts(&root, "],");
  int status = vd_list_schema_print(defs, &root);
  vd_arena_destroy(arena);
  return status;
}
