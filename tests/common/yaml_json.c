/* Prints YAML files as JSON, each on a line of its own, as a reader of YAML 1.2 reads them: a plain scalar may be a
 * number, a truth value or null. For a file that is not YAML the line is `false`. Usage: yaml-json FILE... */
#include "base/num.h"
#include "input/schema.h"

#include <stdio.h>
#include <string.h>

static void put_scalar(const vd_node *n, vd_buf *out) {
  static const char *const null[] = {"", "~", "null", "Null", "NULL"};
  double number;
  size_t used, length = strlen(n->text);
  if (!n->quoted && vd_num_parse(n->text, length, &number, &used) && used == length) {
    vd_buf_printf(out, "%.17g", number);
    return;
  }
  if (!n->quoted && (strcmp(n->text, "true") == 0 || strcmp(n->text, "false") == 0)) {
    vd_buf_puts(out, n->text);
    return;
  }
  for (size_t i = 0; i < sizeof null / sizeof *null; i++)
    if (!n->quoted && strcmp(n->text, null[i]) == 0) {
      vd_buf_puts(out, "null");
      return;
    }
  vd_buf_puts(out, "\"");
  vd_buf_quote(out, n->text, length);
  vd_buf_puts(out, "\"");
}

static void put_node(const vd_node *n, vd_buf *out) {
  if (n->kind == VD_NODE_SCALAR) {
    put_scalar(n, out);
    return;
  }
  bool mapping = n->kind == VD_NODE_MAPPING;
  vd_buf_puts(out, mapping ? "{" : "[");
  for (const vd_node *c = n->child; c; c = c->next) {
    if (mapping) {
      vd_buf_puts(out, "\"");
      vd_buf_quote(out, c->key, strlen(c->key));
      vd_buf_puts(out, "\": ");
    }
    put_node(c, out);
    vd_buf_puts(out, c->next ? ", " : "");
  }
  vd_buf_puts(out, mapping ? "}" : "]");
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    vd_arena *arena = vd_arena_create();
    vd_diag *d = vd_diag_create();
    vd_buf text = {0};
    int source;
    const vd_node *root = vd_schema_slurp(argv[i], d, &source) ? vd_tree_parse(arena, d, source) : NULL;
    if (root)
      put_node(root, &text);
    printf("%s\n", text.text ? text.text : "false");
    vd_buf_finish(&text);
    vd_diag_destroy(d);
    vd_arena_destroy(arena);
  }
  return 0;
}
