/* Reads the input of a baseline, the resolved scenario beside it, and finds its differences from the present
 * scenario. */
#include "validation/claim_impl.h"

#include "base/system.h"
#include "input/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads a file beside a baseline; false: it does not exist. */
static bool read_beside(vd_claim_context *ctx, const char *path, int *source) {
  struct stat info;
  return stat(path, &info) == 0 && vd_schema_slurp(path, ctx->d, source);
}

const char *vd_baseline_provenance(vd_claim_context *ctx, const char *path) {
  int source;
  const char *text;
  if (!read_beside(ctx, path, &source))
    return "";
  size_t length = vd_diag_source_text(ctx->d, source, &text);
  return vd_arena_copy(ctx->arena, text, length);
}

bool vd_baseline_says(const char *provenance, const char *key, const char *value) {
  const char *at = strstr(provenance, key), *is = at ? at + strlen(key) : "";
  return at && strncmp(is, value, strlen(value)) == 0 && strcspn(is, "\r\n") == strlen(value);
}

const vd_node *vd_baseline_input(vd_claim_context *ctx, const char *path) {
  int source;
  return read_beside(ctx, path, &source) ? vd_tree_parse(ctx->arena, ctx->d, source) : NULL;
}

enum { SHOWN = 4 };

typedef struct changes {
  size_t count;
  char text[240]; /* text of the first changes */
} changes;

/* Returns a file name without its folder, because the same input may be in another folder. */
static const char *without_folder(const char *text) {
  const char *slash = strrchr(text, '/');
  return slash ? slash + 1 : text;
}

static const char *value_of(const vd_node *n) {
  return !n ? "absent" : n->kind != VD_NODE_SCALAR ? "{...}" : *n->text == '\0' ? "\"\"" : n->text;
}

static void note(changes *c, const char *path, const vd_node *was, const vd_node *is) {
  size_t used = strlen(c->text);
  if (c->count++ < SHOWN)
    snprintf(c->text + used, sizeof c->text - used, "%s%.60s (%.24s, now %.24s)", used ? ", " : "", path, value_of(was),
             value_of(is));
}

static void walk(changes *c, const char *path, const vd_node *was, const vd_node *is) {
  char below[200];
  size_t index = 0;
  if (strcmp(path, "log") == 0) /* the choice of the log does not change the run */
    return;
  if (was->kind != is->kind) {
    note(c, path, was, is);
  } else if (was->kind == VD_NODE_SCALAR) {
    if (strcmp(without_folder(was->text), without_folder(is->text)) != 0)
      note(c, path, was, is);
  } else if (was->kind == VD_NODE_MAPPING) {
    for (const vd_node *child = was->child; child; child = child->next) {
      const vd_node *other = vd_tree_get(is, child->key);
      snprintf(below, sizeof below, "%s%s%s", path, *path ? "." : "", child->key);
      if (other)
        walk(c, below, child, other);
      else
        note(c, below, child, NULL);
    }
    for (const vd_node *child = is->child; child; child = child->next) {
      snprintf(below, sizeof below, "%s%s%s", path, *path ? "." : "", child->key);
      if (!vd_tree_get(was, child->key))
        note(c, below, NULL, child);
    }
  } else {
    const vd_node *a = was->child, *b = is->child;
    for (; a && b; a = a->next, b = b->next) {
      snprintf(below, sizeof below, "%s.%zu", path, index++);
      walk(c, below, a, b);
    }
    if (a || b)
      note(c, path, a, b);
  }
}

void vd_baseline_input_changes(const vd_node *was, const vd_node *is, char *reason, size_t size) {
  changes c = {.count = 0};
  if (!was || !is)
    return;
  walk(&c, "", was, is);
  size_t used = strlen(reason);
  if (c.count > SHOWN)
    snprintf(reason + used, size - used, "; the input has changed: %s and %zu more", c.text, c.count - SHOWN);
  else if (c.count > 0)
    snprintf(reason + used, size - used, "; the input has changed: %s", c.text);
}
