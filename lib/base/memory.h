/* What happens when memory runs out: a tool ends with a message, a caller of the library gets a status. */
#ifndef VD_MEMORY_H
#define VD_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Calls work(context). False if memory ran out within it: a longjmp then ended the work. Memory that the work allocated
 * and did not yet store in the context is lost. Calls nest; each thread has its own. */
bool vd_memory_try(void (*work)(void *context), void *context);

/* Returns to the innermost vd_memory_try of this thread. Without one it reports on stderr and aborts. */
_Noreturn void vd_memory_out(void);

/* Allocate zeroed memory, and change its size as realloc does. They never return NULL, not even for a size of 0. */
void *vd_allocate(size_t count, size_t size);
void *vd_reallocate(void *memory, size_t count, size_t size);

#endif
