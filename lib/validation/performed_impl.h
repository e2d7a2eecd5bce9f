/* Declarations that performed.c, perform.c and perform_mirror.c share. */
#ifndef VD_PERFORMED_IMPL_H
#define VD_PERFORMED_IMPL_H

#include "validation/performed.h"

/* Enlarges memory for numbers. */
double *vd_performed_grown(double *memory, size_t count);

/* Keeps the complete input, and frees the text. */
void vd_performed_resolve(vd_performed *p, vd_buf *text);

/* Exchanges left and right. Returns NULL, or the reason why this is not possible. */
const char *vd_perform_mirror(const vd_subject *s, vd_arena *arena);

#endif
