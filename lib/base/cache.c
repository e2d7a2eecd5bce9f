#include "base/cache.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 16 };

struct vd_cache {
  size_t count;
  struct {
    void *input;
    size_t size;
    const void *result;
    vd_arena *arena;
  } place[PLACES];
};

vd_cache *vd_cache_create(void) {
  return vd_allocate(1, sizeof(vd_cache));
}

void vd_cache_destroy(vd_cache *s) {
  for (size_t i = 0; s && i < s->count; i++) {
    free(s->place[i].input);
    vd_arena_destroy(s->place[i].arena);
  }
  free(s);
}

const void *vd_cache_find(const vd_cache *s, const void *input, size_t size) {
  for (size_t i = 0; s && i < s->count; i++)
    if (s->place[i].size == size && memcmp(s->place[i].input, input, size) == 0)
      return s->place[i].result;
  return NULL;
}

bool vd_cache_has_room(const vd_cache *s) {
  return s && s->count < PLACES;
}

void vd_cache_add(vd_cache *s, const void *input, size_t size, const void *result, vd_arena *arena) {
  assert(vd_cache_has_room(s));
  void *copy = vd_allocate(size, 1);
  memcpy(copy, input, size);
  s->place[s->count].input = copy;
  s->place[s->count].size = size;
  s->place[s->count].result = result;
  s->place[s->count].arena = arena;
  s->count++;
}
