/* Results that take long to compute, kept by what they follow from, so that equal inputs share them. A shelf has a few
 * places: when it is full, what came first stays, and nothing more is kept. One thread at a time. */
#ifndef VD_SHELF_H
#define VD_SHELF_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct vd_shelf vd_shelf;

vd_shelf *vd_shelf_create(void);
void vd_shelf_destroy(vd_shelf *s); /* with all results; accepts NULL */

/* The result of an input, or NULL. Inputs are equal if their bytes are: they contain no pointers but to what lasts. A
 * shelf that is NULL has nothing, and no room. */
const void *vd_shelf_find(const vd_shelf *s, const void *input, size_t size);
bool vd_shelf_has_room(const vd_shelf *s);
/* Keeps a copy of the input, and a result with the arena in which it lies. There is room. */
void vd_shelf_keep(vd_shelf *s, const void *input, size_t size, const void *result, vd_arena *arena);

#endif
