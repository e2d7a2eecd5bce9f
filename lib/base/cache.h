/* A cache of results that take long to compute: equal inputs share one result. It has few places. When it is full, it
 * keeps the results that it has and takes no others. Only one thread at a time may use it. */
#ifndef VD_CACHE_H
#define VD_CACHE_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct vd_cache vd_cache;

vd_cache *vd_cache_create(void);
void vd_cache_destroy(vd_cache *s); /* frees all results, too; accepts NULL */

/* Returns the result of an input, or NULL. Inputs are equal if their bytes are equal. An input may contain only
 * pointers to objects that outlive the cache. A cache that is NULL is empty and has no room. */
const void *vd_cache_find(const vd_cache *s, const void *input, size_t size);
bool vd_cache_has_room(const vd_cache *s);
/* Copies the input, and takes ownership of the arena that contains the result. The cache must have room. */
void vd_cache_add(vd_cache *s, const void *input, size_t size, const void *result, vd_arena *arena);

#endif
