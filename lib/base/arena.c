#include "base/arena.h"

#include "base/memory.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BLOCK = 16384, LARGEST_BLOCK = 1 << 22 };

typedef struct block {
  struct block *next;
  size_t used, size;
  alignas(max_align_t) unsigned char bytes[];
} block;

struct vd_arena {
  block *blocks; /* the newest is first; only the newest has room */
};

vd_arena *vd_arena_create(void) {
  return vd_allocate(1, sizeof(vd_arena));
}

void vd_arena_destroy(vd_arena *a) {
  if (!a)
    return;
  while (a->blocks) {
    block *next = a->blocks->next;
    free(a->blocks);
    a->blocks = next;
  }
  free(a);
}

static void add_block(vd_arena *a, size_t need) {
  size_t size = a->blocks ? 2 * a->blocks->size : FIRST_BLOCK;
  if (size > LARGEST_BLOCK)
    size = LARGEST_BLOCK;
  if (size < need)
    size = need;
  block *b = vd_allocate(1, size < SIZE_MAX - sizeof *b ? sizeof *b + size : SIZE_MAX);
  *b = (block){.next = a->blocks, .size = size};
  a->blocks = b;
}

void *vd_arena_alloc(vd_arena *a, size_t size) {
  size_t step = alignof(max_align_t);
  if (size > SIZE_MAX / 2)
    vd_memory_out();
  size = (size + step - 1) / step * step;
  if (!a->blocks || a->blocks->size - a->blocks->used < size)
    add_block(a, size);
  void *p = a->blocks->bytes + a->blocks->used;
  a->blocks->used += size;
  return p;
}

const char *vd_arena_printf(vd_arena *a, const char *format, ...) {
  vd_buf text = {0};
  va_list args;
  va_start(args, format);
  vd_buf_vprintf(&text, format, args);
  va_end(args);
  const char *copy = vd_arena_copy(a, text.text ? text.text : "", text.length);
  vd_buf_finish(&text);
  return copy;
}

const char *vd_did_you_mean(vd_arena *a, const char *near) {
  return near ? vd_arena_printf(a, "; did you mean '%s'?", near) : "";
}

char *vd_arena_copy(vd_arena *a, const char *text, size_t length) {
  char *p = vd_arena_alloc(a, length + 1);
  if (length)
    memcpy(p, text, length);
  return p;
}
