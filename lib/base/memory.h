/* Allocation of memory that cannot fail: if memory runs out, a tool ends with a message, and a caller of the library
 * gets a status. */
#ifndef VD_MEMORY_H
#define VD_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Calls work(context). Returns false if memory ran out: a longjmp then ended the work, and memory that it had allocated
 * and not yet stored in the context is lost. Calls may be nested, in every thread independently. */
bool vd_memory_try(void (*work)(void *context), void *context);

/* Returns to the innermost vd_memory_try of this thread. Without one it reports on stderr and aborts. */
_Noreturn void vd_memory_out(void);

/* Allocate zeroed memory, and change its size as realloc does. The result is never NULL, even for a size of 0. */
void *vd_allocate(size_t count, size_t size);
void *vd_reallocate(void *memory, size_t count, size_t size);

#endif
