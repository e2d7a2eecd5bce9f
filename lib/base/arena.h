/* Memory that is allocated piece by piece and freed at once: trees, definitions, models. */
#ifndef VD_ARENA_H
#define VD_ARENA_H

#include "base/text.h"

#include <stddef.h>

typedef struct vd_arena vd_arena;

vd_arena *vd_arena_create(void);
void vd_arena_destroy(vd_arena *a); /* accepts NULL */
/* Returns zeroed memory that is aligned for any type. When memory runs out, vd_memory_out (base/memory.h) is called. */
void *vd_arena_alloc(vd_arena *a, size_t size);
char *vd_arena_copy(vd_arena *a, const char *text, size_t length); /* NUL-terminated */
const char *vd_arena_printf(vd_arena *a, const char *format, ...) VD_PRINTF(2, 3);
/* Returns the end of a message about an unknown name: "; did you mean 'NEAR'?", or "" if `near` is NULL. The caller
 * gives NULL if no known name is similar. */
const char *vd_did_you_mean(vd_arena *a, const char *near);

#endif
