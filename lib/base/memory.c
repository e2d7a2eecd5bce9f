#include "base/memory.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The place to which vd_memory_out jumps, in the innermost vd_memory_try of this thread; NULL without such a call. */
static _Thread_local jmp_buf *innermost;

bool vd_memory_try(void (*work)(void *context), void *context) {
  jmp_buf place, *volatile outer = innermost;
  innermost = &place;
  volatile bool done = false;
  if (setjmp(place) == 0) {
    work(context);
    done = true;
  }
  innermost = outer;
  return done;
}

void vd_memory_out(void) {
  if (!innermost) {
    fputs("vdsim: out of memory\n", stderr);
    abort();
  }
  longjmp(*innermost, 1);
}

void *vd_allocate(size_t count, size_t size) {
  void *memory = calloc(count > 0 ? count : 1, size > 0 ? size : 1);
  if (!memory)
    vd_memory_out();
  return memory;
}

void *vd_reallocate(void *memory, size_t count, size_t size) {
  bool some = count > 0 && size > 0;
  void *grown = some && count > SIZE_MAX / size ? NULL : realloc(memory, some ? count * size : 1);
  if (!grown)
    vd_memory_out();
  return grown;
}
